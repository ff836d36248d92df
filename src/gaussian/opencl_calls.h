#if CONVK_HAS_GAUSSIAN_
/* ---- Gaussians on buffers, and on host arrays ---- */

CONVK_LOCAL_ const convk_gaussian_kernels_ *convk_gaussian_kernel_table_(void);

/* What every call is given; p: the points as checks want them, which do not read them. */
CONVK_LOCAL_ int convk_cl_gaussian_given_(const convk_cl *cl, const convk_cl_points *points, const convk_cl_queued_ *queued,
                                          convk_points *p) {
  const int status = convk_cl_check_(cl);
  if (status) return status;
  if (!queued->queue || !points || (queued->num_wait && !queued->wait_list)) return CONVK_ERR_NULL;
  memset(p, 0, sizeof *p);
  p->n = points->n;
  p->stride = points->stride;
  return CONVK_OK;
}

/* The rest of a checked call on buffers: `count` elements of each result; `given`: the points as they were checked. */
CONVK_LOCAL_ int convk_cl_gaussian_enqueue_(convk_cl *cl, int status, convk_cl_gaussian_ *job, const convk_cl_points *points,
                                            const convk_points *given, const convk_cl_array *out, size_t count,
                                            const convk_cl_queued_ *queued) {
  int k;
  job->points = *points;
  job->points.stride = given->stride;
  for (k = 0; k < job->kinds; k++) job->out[k] = out[k];
  if (!status) status = convk_cl_gaussian_buffers_(cl, job, convk_points_span_(given), count);
  if (!status) {
    convk_cl_chain_ chain = convk_cl_chain_of_(cl, queued->queue, queued->num_wait, queued->wait_list);
    status = job->run(&chain, job);
    status = convk_cl_chain_end_(&chain, status, queued->event);
  }
  convk_cl_gaussian_free_(job);
  return status;
}

/* What a checked call on points and exponents wants: exponents in three rows, then SUMS coefficients of each of them. */
CONVK_RARE_ int convk_cl_gridpot_begin_(const convk_gridpot_job_ *checked, convk_cl_gaussian_ *job) {
  const convk_gridpot_call_ *call = &checked->call;
  const size_t m = call->m, rows = convk_cl_sum_rows_(call->nsums), blocks = call->sum ? convk_ceil_(call->nsums, rows) : 0;
  CONVK_T *table;
  size_t b, j, k, bytes;
  memset(job, 0, sizeof *job);
  job->run = convk_cl_gridpot_run_;
  job->element = sizeof(CONVK_T);
  job->sum = call->sum;
  job->kinds = 1;
  job->order = checked->part.order;
  job->compensated = checked->compensated;
  job->cut = (double)checked->part.cut;
  for (k = 0; k < 3; k++) job->center[k] = (double)checked->center[k];
  job->m = m;
  job->nsums = call->nsums;
  job->rows = rows;
  job->lines = checked->rows;
  job->columns = checked->row;
  job->ld = call->ld;
  if (blocks > (size_t)-1 / 64 || convk_mul_(m, 3 + blocks * rows, &job->table_count) ||
      convk_mul_(job->table_count + 1, sizeof *table, &bytes))
    return CONVK_ERR_OVERFLOW;
  job->table_count++; /* a buffer has at least one element */
  job->table = table = (CONVK_T *)CONVK_MALLOC(bytes);
  if (!table) return CONVK_ERR_MEMORY;
  for (j = 0; j < m; j++) convk_gaussian_exponent_(1, (double)call->alpha[j], table + j, table + m + j, table + 2 * m + j);
  table += 3 * m;
  for (b = 0; b < blocks; b++)
    for (j = 0; j < m; j++)
      for (k = b * rows; k < (b + 1) * rows; k++) *table++ = k < call->nsums ? call->c[k * call->ldc + j] : 0;
  *table = 0;
  return CONVK_OK;
}

CONVK_LOCAL_ int convk_cl_gridpot_(convk_cl *cl, const convk_cl_points *points, convk_gridpot_call_ *call, cl_mem out,
                                   size_t out_offset, const convk_cl_queued_ *queued) {
  const convk_cl_array array = convk_cl_at_(out, out_offset);
  convk_gridpot_job_ checked;
  convk_points p;
  convk_cl_gaussian_ job;
  int status = convk_cl_gaussian_given_(cl, points, queued, &p);
  if (status) return status;
  call->points = &p;
  memset(&job, 0, sizeof job);
  status = convk_gridpot_check_(convk_gaussian_kernel_table_(), NULL, cl->message, CONVK_GAUSSIAN_HANDLES_, call, &checked);
  if (!status) status = convk_cl_gridpot_begin_(&checked, &job);
  return convk_cl_gaussian_enqueue_(cl, status, &job, points, &checked.points.p, &array, checked.bytes / sizeof(CONVK_T),
                                    queued);
}

CONVK_API_ int convk_cl_gridpot(convk_cl *cl, cl_command_queue queue, const convk_cl_points *points, const CONVK_T center[3],
                                size_t m, const CONVK_T *alpha, const convk_gaussian_options *options, cl_mem g,
                                size_t g_offset, size_t ld, cl_uint num_wait, const cl_event *wait_list, cl_event *event) {
  const convk_cl_queued_ queued = {queue, num_wait, wait_list, event};
  convk_gridpot_call_ call = {NULL, center, m, alpha, 0, NULL, 0, options, NULL, ld, 0};
  return convk_cl_gridpot_(cl, points, &call, g, g_offset, &queued);
}

CONVK_API_ int convk_cl_gridpot_sum(convk_cl *cl, cl_command_queue queue, const convk_cl_points *points,
                                    const CONVK_T center[3], size_t m, const CONVK_T *alpha, size_t nsums, const CONVK_T *c,
                                    size_t ldc, const convk_gaussian_options *options, cl_mem sums, size_t sums_offset,
                                    size_t ld, cl_uint num_wait, const cl_event *wait_list, cl_event *event) {
  const convk_cl_queued_ queued = {queue, num_wait, wait_list, event};
  convk_gridpot_call_ call = {NULL, center, m, alpha, nsums, c, ldc, options, NULL, ld, 1};
  return convk_cl_gridpot_(cl, points, &call, sums, sums_offset, &queued);
}

/* The lists of a planned call: for each block of `rows` orbitals the groups of shells that it needs, all of them but where the
   rows are the functions themselves.  With NULL tables they are only counted. */
CONVK_RARE_ void convk_cl_orbitals_lists_(const convk_orbitals_job_ *plan, CONVK_T *table, cl_long *shape,
                                          convk_cl_gaussian_ *job) {
  const size_t rows = job->rows, blocks = convk_ceil_(plan->call.norbitals, rows), n = plan->primitives;
  size_t g, k, o, b, c, at = 6 * plan->ngroups + 6 * n, what = 7 * blocks;
  for (g = 0; g < plan->ngroups && table; g++)
    for (k = 0; k < 6; k++) table[6 * g + k] = plan->groups[g].center[k];
  if (table) memcpy(table + 6 * plan->ngroups, plan->exponents, 3 * n * sizeof *table);
  if (table) memcpy(table + 6 * plan->ngroups + 3 * n, plan->radial, 3 * n * sizeof *table);
  for (b = 0; b < blocks; b++) {
    cl_long of[7] = {0, 0, 0, 0, 0, 0, 0};
    size_t factor = 6 * plan->ngroups + 3 * n, l = 7 * blocks;
    of[5] = (cl_long)at;
    for (g = 0; g < plan->ngroups; g++) {
      const convk_orbital_group_ *group = &plan->groups[g];
      const convk_orbital_shell_ *first = &plan->shells[group->shell], *last = first + group->shells - 1;
      if (plan->call.coefficients || (first->function < (b + 1) * rows && last->function + last->functions > b * rows)) {
        if (!of[0]++) {
          of[1] = (cl_long)l;
          of[2] = (cl_long)(6 * g);
          of[3] = (cl_long)(6 * plan->ngroups + group->primitive);
          of[4] = (cl_long)factor;
        }
        for (; first <= last; first++) {
          of[6] += (cl_long)first->columns;
          for (c = 0; c < first->columns; c++)
            for (k = 0; k < rows; k++, at++) {
              o = b * rows + k;
              if (!table) continue;
              table[at] = 0;
              if (o >= plan->call.norbitals) continue;
              if (plan->call.coefficients) table[at] = plan->matrix[o * plan->columns + first->column + c];
              else if (o >= first->function && o < first->function + first->functions)
                table[at] = first->matrix[(o - first->function) * first->columns + c];
            }
        }
      }
      factor += 3 * group->shells * group->primitives;
      l += 2 + group->shells;
    }
    if (shape) memcpy(shape + 7 * b, of, sizeof of);
  }
  for (g = 0; g < plan->ngroups; g++) {
    if (shape) shape[what] = (cl_long)plan->groups[g].shells;
    if (shape) shape[what + 1] = (cl_long)plan->groups[g].primitives;
    for (k = 0; k < plan->groups[g].shells; k++)
      if (shape) shape[what + 2 + k] = (cl_long)plan->shells[plan->groups[g].shell + k].l;
    what += 2 + plan->groups[g].shells;
  }
  job->weights = at;
  if (table && plan->call.density) memcpy(table + at, plan->call.occupations, plan->call.norbitals * sizeof *table);
  job->table_count = at + (plan->call.density ? plan->call.norbitals : 0) + 1;
  job->shape_count = what + 1;
}

/* What a checked call on shells wants. */
CONVK_RARE_ int convk_cl_orbitals_begin_(convk_orbitals_job_ *checked, convk_cl_gaussian_ *job) {
  const convk_orbitals_call_ *call = &checked->call;
  convk_work_ memory;
  size_t i, bytes;
  int status = convk_work_begin_(NULL, &memory, NULL, 0, checked->need);
  memset(job, 0, sizeof *job);
  if (status) return status;
  job->run = convk_cl_orbitals_run_;
  job->element = sizeof(CONVK_T);
  job->kinds = (int)call->kinds;
  job->density = call->density;
  job->cut = (double)checked->part.cut;
  job->norbitals = call->norbitals;
  job->lines = call->density ? 1 : call->norbitals;
  job->columns = checked->points.p.n;
  job->ld = call->ld;
  job->primitives = checked->primitives;
  job->rows = convk_cl_sum_rows_(call->norbitals);
  if (job->kinds > 1 && job->rows > 4) job->rows = 4;
  for (i = 0; i < call->nshells; i++)
    if (call->shells[i].l > job->most_l) job->most_l = call->shells[i].l;
  convk_orbitals_plan_(memory.base, checked);
  job->inverse = (double)checked->inverse;
  job->least = (double)checked->least;
  convk_cl_orbitals_lists_(checked, NULL, NULL, job);
  if (convk_mul_(job->table_count, sizeof(CONVK_T), &bytes)) status = CONVK_ERR_OVERFLOW;
  if (!status) {
    job->table = CONVK_MALLOC(bytes);
    job->shape = (cl_long *)CONVK_MALLOC(job->shape_count * sizeof *job->shape);
    if (!job->table || !job->shape) status = CONVK_ERR_MEMORY;
  }
  if (!status) {
    memset(job->table, 0, bytes);
    memset(job->shape, 0, job->shape_count * sizeof *job->shape);
    convk_cl_orbitals_lists_(checked, (CONVK_T *)job->table, job->shape, job);
  }
  convk_work_end_(&memory);
  return status;
}

CONVK_LOCAL_ int convk_cl_orbitals_of_(convk_cl *cl, const convk_cl_points *points, convk_orbitals_call_ *call,
                                       const convk_cl_array *out, const convk_cl_queued_ *queued) {
  static CONVK_T *const none[5] = {NULL, NULL, NULL, NULL, NULL}; /* results behind handles */
  convk_orbitals_job_ checked;
  convk_points p;
  convk_cl_gaussian_ job;
  size_t count = 0;
  int status = convk_cl_gaussian_given_(cl, points, queued, &p);
  if (!status && !out) status = CONVK_ERR_NULL;
  if (status) return status;
  call->points = &p;
  call->out = none;
  memset(&job, 0, sizeof job);
  status = convk_orbitals_check_(convk_gaussian_kernel_table_(), NULL, cl->message, CONVK_GAUSSIAN_HANDLES_, call, &checked);
  if (!status) status = convk_cl_orbitals_begin_(&checked, &job);
  if (!status) status = convk_rows_bytes_(job.lines, job.columns, job.ld, 1, &count);
  return convk_cl_gaussian_enqueue_(cl, status, &job, points, &checked.points.p, out, count, queued);
}

CONVK_API_ int convk_cl_orbitals(convk_cl *cl, cl_command_queue queue, const convk_cl_points *points, size_t nshells,
                                 const convk_shell *shells, size_t norbitals, const CONVK_T *coefficients, size_t ldc,
                                 const convk_gaussian_options *options, cl_mem value, size_t value_offset, size_t ld,
                                 cl_uint num_wait, const cl_event *wait_list, cl_event *event) {
  const convk_cl_queued_ queued = {queue, num_wait, wait_list, event};
  convk_orbitals_call_ call = {NULL, nshells, shells, norbitals, coefficients, ldc, NULL, options, NULL, ld, NULL, 0, 1, 0};
  const convk_cl_array out = convk_cl_at_(value, value_offset);
  return convk_cl_orbitals_of_(cl, points, &call, &out, &queued);
}

CONVK_API_ int convk_cl_orbitals_vgl(convk_cl *cl, cl_command_queue queue, const convk_cl_points *points, size_t nshells,
                                     const convk_shell *shells, size_t norbitals, const CONVK_T *coefficients, size_t ldc,
                                     const convk_gaussian_options *options, const convk_cl_array out[5], size_t ld,
                                     cl_uint num_wait, const cl_event *wait_list, cl_event *event) {
  const convk_cl_queued_ queued = {queue, num_wait, wait_list, event};
  convk_orbitals_call_ call = {NULL, nshells, shells, norbitals, coefficients, ldc, NULL, options, NULL, ld, NULL, 0, 5, 0};
  return convk_cl_orbitals_of_(cl, points, &call, out, &queued);
}

CONVK_API_ int convk_cl_density(convk_cl *cl, cl_command_queue queue, const convk_cl_points *points, size_t nshells,
                                const convk_shell *shells, size_t norbitals, const CONVK_T *coefficients, size_t ldc,
                                const CONVK_T *occupations, const convk_gaussian_options *options, cl_mem density,
                                size_t density_offset, cl_uint num_wait, const cl_event *wait_list, cl_event *event) {
  const convk_cl_queued_ queued = {queue, num_wait, wait_list, event};
  convk_orbitals_call_ call = {NULL, nshells, shells, norbitals, coefficients, ldc, occupations, options, NULL, 0,
                               NULL, 0,       1,      1};
  const convk_cl_array out = convk_cl_at_(density, density_offset);
  return convk_cl_orbitals_of_(cl, points, &call, &out, &queued);
}

/* ---- what gaussian/host.h leaves to a device ---- */

/* y and z begin so many elements after x. */
typedef struct convk_gaussian_places_ {
  size_t n, apart, stride;
  cl_mem in, out[5];
} convk_gaussian_places_;

/* The rest of a call whose tables are made, and go away. */
CONVK_LOCAL_ int convk_cl_gaussian_there_(convk_cl_host_ *host, int status, convk_cl_gaussian_ *job,
                                          const convk_gaussian_places_ *at) {
  convk_cl_chain_ chain = convk_cl_chain_of_(&host->cl, host->queue, 0, NULL);
  int k;
  job->points.n = at->n;
  job->points.stride = at->stride;
  job->points.x.mem = job->points.y.mem = job->points.z.mem = at->in;
  job->points.y.offset = at->apart;
  job->points.z.offset = 2 * at->apart;
  job->ld = job->columns;
  for (k = 0; k < job->kinds; k++) job->out[k].mem = at->out[k];
  if (!status) status = job->run(&chain, job);
  convk_cl_gaussian_free_(job);
  return convk_cl_chain_end_(&chain, status, NULL);
}

CONVK_LOCAL_ int convk_gridpot_there_(convk_cl_host_ *host, void *checked, const convk_gaussian_places_ *at) {
  convk_cl_gaussian_ job;
  const int status = convk_cl_gridpot_begin_((const convk_gridpot_job_ *)checked, &job);
  return convk_cl_gaussian_there_(host, status, &job, at);
}

CONVK_LOCAL_ int convk_orbitals_there_(convk_cl_host_ *host, void *checked, const convk_gaussian_places_ *at) {
  convk_cl_gaussian_ job;
  const int status = convk_cl_orbitals_begin_((convk_orbitals_job_ *)checked, &job);
  return convk_cl_gaussian_there_(host, status, &job, at);
}
#endif
