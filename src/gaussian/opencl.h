#if CONVK_HAS_GAUSSIAN_
/* OpenCL C 1.2.  Build options: GRIDPOT and so on choose the kernel; COMPENSATED, EXPONENTS: the options of gridpot; KINDS: 1,
   or 5 with derivatives; ITEMS and POINTS, the shape of a group, ROWS in the other direction; STAGE: columns in local
   memory. */
CONVK_LOCAL_ const char *const *convk_cl_gaussian_source_(void) {
  static const char *const lines[] = {
#include "quoted/gaussian/kernel.cl"
      NULL};
  return lines;
}

/* Shapes of groups: choices that were not tuned. */
enum {
  CONVK_CL_GRIDPOT_POINTS_ = 512,  /* elements of a row, on processors: their loop becomes vectors */
  CONVK_CL_GRIDPOT_ROWS_ = 64,     /* rows of these */
  CONVK_CL_GRIDPOT_FEW_ = 32,      /* and on other devices */
  CONVK_CL_SUM_POINTS_ = 64,       /* points of sums, on processors, whose sums stay in L1 */
  CONVK_CL_SUM_ROWS_ = 64,         /* exponents in local memory at a time */
  CONVK_CL_ORBITALS_POINTS_ = 32,  /* points of orbitals, on processors */
  CONVK_CL_ORBITALS_COLUMNS_ = 64, /* columns of coefficients in local memory, on other devices */
  CONVK_CL_GAUSSIAN_MANY_ = 16     /* with so many groups for each compute unit, an item takes two points instead of one */
};

/* One checked call.  The table is what the exponents, shells and coefficients of the caller have become: on the host. */
typedef struct convk_cl_gaussian_ {
  size_t element;
  convk_cl_points points;
  double center[3], cut, inverse, least;
  size_t m, nsums, lines, columns, ld; /* results: lines of columns at distance ld */
  size_t rows;                         /* of sums or orbitals in one block */
  int sum, order, compensated, kinds, density, most_l;
  size_t weights, primitives, norbitals;
  convk_cl_array out[5];
  void *table;
  cl_long *shape;
  size_t table_count, shape_count;
  cl_mem mem[2]; /* the same on the device */
  int (*run)(convk_cl_chain_ *chain, struct convk_cl_gaussian_ *job);
} convk_cl_gaussian_;

/* Where and when a call on buffers runs. */
typedef struct convk_cl_queued_ {
  cl_command_queue queue;
  cl_uint num_wait;
  const cl_event *wait_list;
  cl_event *event;
} convk_cl_queued_;

CONVK_LOCAL_ size_t convk_cl_sum_rows_(size_t n) { return n <= 1 ? 1 : n <= 2 ? 2 : n <= 4 ? 4 : 8; }

CONVK_LOCAL_ void convk_cl_gaussian_free_(convk_cl_gaussian_ *job) {
  size_t i;
  for (i = 0; i < 2; i++)
    if (job->mem[i]) (void)clReleaseMemObject(job->mem[i]); /* it stays as long as commands need it */
  if (job->table) CONVK_FREE(job->table);
  if (job->shape) CONVK_FREE(job->shape);
  job->table = NULL;
  job->shape = NULL;
  job->mem[0] = job->mem[1] = NULL;
}

/* Buffers of the tables, this call's own. */
CONVK_LOCAL_ int convk_cl_gaussian_tables_(convk_cl *cl, convk_cl_gaussian_ *job) {
  cl_int error = CL_SUCCESS;
  if (job->table)
    job->mem[0] = clCreateBuffer(cl->context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, job->table_count * job->element,
                                 job->table, &error);
  if (!error && job->shape)
    job->mem[1] = clCreateBuffer(cl->context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, job->shape_count * sizeof *job->shape,
                                 job->shape, &error);
  return error ? convk_cl_fail_(cl, "clCreateBuffer", error) : CONVK_OK;
}

CONVK_LOCAL_ void convk_cl_put_points_(convk_cl_args_ *args, const convk_cl_points *points) {
  convk_cl_put_array_(args, &points->x);
  convk_cl_put_array_(args, &points->y);
  convk_cl_put_array_(args, &points->z);
  convk_cl_put_size_(args, points->stride);
  convk_cl_put_size_(args, points->n);
}

/* The grid potential or its sums. */
CONVK_LOCAL_ int convk_cl_gridpot_run_(convk_cl_chain_ *chain, convk_cl_gaussian_ *job) {
  const int points_first = job->sum || job->order == CONVK_GRIDPOT_POINTS_CONTIGUOUS;
  const size_t columns = job->columns, lines = job->lines;
  size_t items, points, rows, d;
  char options[CONVK_CL_KEY_];
  convk_cl_program_ *p = NULL;
  convk_cl_args_ args;
  int status;
  if (!columns || !lines) return CONVK_OK;
  convk_cl_block_(chain->cl, job->sum ? CONVK_CL_SUM_POINTS_ : CONVK_CL_GRIDPOT_POINTS_, &items, &points);
  if (job->sum && !chain->cl->cpu && columns > items * chain->cl->compute_units * CONVK_CL_GAUSSIAN_MANY_) points = 2;
  rows = job->sum ? CONVK_CL_SUM_ROWS_ : chain->cl->cpu ? CONVK_CL_GRIDPOT_ROWS_ : CONVK_CL_GRIDPOT_FEW_;
  do {
    (void)snprintf(options, sizeof options,
                   "-DT=%s -DF64=%d -DGRIDPOT%s -DCOMPENSATED=%d -DEXPONENTS=%d -DITEMS=%d -DPOINTS=%d -DROWS=%d -DSUMS=%d",
                   convk_cl_type_(job->element), job->element == sizeof(cl_double), job->sum ? "_SUM" : "", job->compensated,
                   !points_first, (int)items, (int)points, (int)rows, (int)job->rows);
    status = convk_cl_kernel_(chain->cl, convk_cl_gaussian_source_(), job->sum ? "gridpot_sum" : "gridpot", options, NULL, &p);
  } while (!status && convk_cl_fewer_(p, &items));
  if (!status) status = convk_cl_gaussian_tables_(chain->cl, job);
  if (status) return status;
  if (job->sum) rows = job->rows;
  args = convk_cl_args_of_(p);
  convk_cl_put_points_(&args, &job->points);
  for (d = 0; d < 3; d++) convk_cl_put_real_(&args, job->element, job->center[d]);
  convk_cl_put_mem_(&args, job->mem[0]);
  convk_cl_put_size_(&args, job->m);
  convk_cl_put_real_(&args, job->element, job->cut);
  if (job->sum) convk_cl_put_size_(&args, job->nsums);
  convk_cl_put_array_(&args, &job->out[0]);
  convk_cl_put_size_(&args, job->ld);
  return convk_cl_launch_lines_(chain, &args, convk_ceil_(columns, items * points), items, convk_ceil_(lines, rows));
}

CONVK_LOCAL_ int convk_cl_orbitals_run_(convk_cl_chain_ *chain, convk_cl_gaussian_ *job) {
  const size_t blocks = convk_ceil_(job->norbitals, job->rows);
  size_t items, points, stage, k;
  char options[CONVK_CL_KEY_];
  convk_cl_program_ *p = NULL;
  convk_cl_args_ args;
  int status;
  if (!job->points.n || (!blocks && !job->density)) return CONVK_OK;
  convk_cl_block_(chain->cl, CONVK_CL_ORBITALS_POINTS_, &items, &points);
  if (!chain->cl->cpu && job->kinds == 1 && job->points.n > items * chain->cl->compute_units * CONVK_CL_GAUSSIAN_MANY_)
    points = 2;
  stage = chain->cl->cpu ? 0 : CONVK_CL_ORBITALS_COLUMNS_;
  if (stage * job->rows * job->element > chain->cl->local_bytes) return convk_cl_little_(chain->cl);
  do {
    (void)snprintf(options, sizeof options,
                   "-DT=%s -DF64=%d -DORBITALS -DCOMPENSATED=0 -DKINDS=%d -DDENSITY=%d -DMAX_L=%d -DITEMS=%d -DPOINTS=%d "
                   "-DROWS=%d -DSTAGE=%d",
                   convk_cl_type_(job->element), job->element == sizeof(cl_double), job->kinds, job->density, job->most_l,
                   (int)items, (int)points, (int)job->rows, (int)stage);
    status = convk_cl_kernel_(chain->cl, convk_cl_gaussian_source_(), "orbitals", options, NULL, &p);
  } while (!status && convk_cl_fewer_(p, &items));
  if (!status) status = convk_cl_gaussian_tables_(chain->cl, job);
  if (status) return status;
  args = convk_cl_args_of_(p);
  convk_cl_put_points_(&args, &job->points);
  convk_cl_put_mem_(&args, job->mem[1]);
  convk_cl_put_mem_(&args, job->mem[0]);
  convk_cl_put_size_(&args, job->weights);
  convk_cl_put_size_(&args, job->primitives);
  convk_cl_put_real_(&args, job->element, job->cut);
  convk_cl_put_real_(&args, job->element, job->inverse);
  convk_cl_put_real_(&args, job->element, job->least);
  convk_cl_put_size_(&args, job->norbitals);
  convk_cl_put_size_(&args, blocks);
  for (k = 0; k < (size_t)job->kinds; k++) convk_cl_put_array_(&args, &job->out[k]);
  convk_cl_put_size_(&args, job->ld);
  return convk_cl_launch_lines_(chain, &args, convk_ceil_(job->points.n, items * points), items, job->density ? 1 : blocks);
}

/* Buffers of a checked call: `span` elements of each coordinate, `count` of each result. */
CONVK_LOCAL_ int convk_cl_gaussian_buffers_(convk_cl *cl, const convk_cl_gaussian_ *job, size_t span, size_t count) {
  const convk_cl_array *from[3];
  convk_cl_part_ part[8];
  size_t k;
  int status = convk_cl_precision_(cl, job->element, 0);
  memset(part, 0, sizeof part);
  from[0] = &job->points.x;
  from[1] = &job->points.y;
  from[2] = &job->points.z;
  for (k = 0; k < 3 && !status; k++) {
    if (span && !from[k]->mem) return CONVK_ERR_NULL;
    status = convk_cl_part_of_(cl, from[k]->mem, from[k]->offset, span, job->element, 0, &part[k]);
  }
  for (k = 0; k < (size_t)job->kinds && !status; k++) {
    if (count && !job->out[k].mem) return CONVK_ERR_NULL;
    status = convk_cl_part_of_(cl, job->out[k].mem, job->out[k].offset, count, job->element, 1, &part[3 + k]);
  }
  return status ? status : convk_cl_apart_(part, 8);
}
#endif
