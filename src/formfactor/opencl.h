#include "formfactor/opencl_arguments.h"

/* OpenCL C 1.2.  Build options: FORM_LIST and so on choose the kernel; IMAG: the sum of 1, 2, 4 for complex qz, qx, qy;
   ORDER: of the series about centroids, or CONVK_FORMFACTOR_FITTED_;
   FP64: sums in doubles; BLOCK: triangles whose sum is one of the type; ITEMS and POINTS, the shape of a group. */
CONVK_LOCAL_ const char *const *convk_cl_formfactor_source_(void) {
  static const char *const lines[] = {
#include "quoted/formfactor/kernel.cl"
      NULL};
  return lines;
}

/* A checked call, or a part of its mesh: see device.h.  imag: the sum of 1, 2, 4 for complex qz, qx, qy. */
typedef struct convk_cl_form_ {
  size_t element, n, nq, tuned[3]; /* tuned: the sizes of the whole call that entries have */
  int imag, first, last;
  convk_formfactor_rule_ rule;
  double unit; /* of a grid: of the lanes' axis */
  convk_cl_array field[12], q[6], f, base;
  convk_formfactor_body_ body;
  convk_formfactor_axes_ axes; /* of a grid; nq is 0 of a list */
  long choice[CONVK_TUNE_COUNT];
} convk_cl_form_;

/* Pairs of a q and a block of triangles that fill a compute unit; estimates for both kinds of devices. */
#define CONVK_CL_FORMFACTOR_ENOUGH_(cl) ((cl)->cpu ? (size_t)256 : (size_t)4096)

/* Blocks of triangles that are worked on at the same time, so that a few q fill the device too. */
CONVK_LOCAL_ size_t convk_cl_formfactor_batch_(const convk_cl *cl, size_t n, size_t nq) {
  const size_t blocks = n / CONVK_FORMFACTOR_TRIANGLES_ + 1,
               wanted = cl->compute_units * CONVK_CL_FORMFACTOR_ENOUGH_(cl) / (nq ? nq : 1) + 1;
  const size_t limit = wanted < CONVK_CL_GROUPS_Y_ ? wanted : CONVK_CL_GROUPS_Y_; /* each is a group along y */
  return blocks < limit ? blocks : limit;
}

/* Work: two sums in doubles for each q, then two of each block of a batch.  With C = compute_units CONVK_CL_FORMFACTOR_ENOUGH_
   a batch has C / nq + 1 blocks at most, so that nq batches are C + nq; enough for fewer triangles and vectors, too. */
CONVK_LOCAL_ int convk_cl_formfactor_list_need_(const convk_cl *cl, size_t element, size_t n, size_t nq, size_t *need) {
  const size_t blocks = n / CONVK_FORMFACTOR_TRIANGLES_ + 1, enough = cl->compute_units * CONVK_CL_FORMFACTOR_ENOUGH_(cl);
  if (nq > (size_t)-1 / 64 - enough) return CONVK_ERR_OVERFLOW;
  *need = nq * 2 * sizeof(cl_double) + convk_formfactor_batches_(nq * 2 * element, blocks, (enough + nq) * 2 * element);
  return CONVK_OK;
}

/* What a kernel takes: arguments that a launch of its own begins with, and then all there is. */
CONVK_LOCAL_ convk_formfactor_arguments_ convk_cl_form_arguments_(const convk_cl_form_ *job) {
  convk_formfactor_arguments_ a;
  size_t d;
  memset(&a, 0, sizeof a);
  for (d = 0; d < 12; d++) a.field[d] = job->field[d].offset;
  for (d = 0; d < 6; d++) a.q[d] = job->q[d].offset;
  a.work = job->base.offset / sizeof(cl_double);
  a.f = job->f.offset;
  a.n = job->n;
  a.nq = job->nq;
  a.n0 = job->axes.n[0];
  a.n1 = job->axes.n[1];
  a.n2 = job->axes.n[2];
  a.z = job->axes.z;
  for (d = 0; d < 3; d++) {
    a.stride[d] = job->axes.stride[d];
    a.axis[d] = job->axes.axis[d];
  }
  return a;
}
CONVK_LOCAL_ void convk_cl_put_form_(convk_cl_args_ *args, const convk_cl *cl, const convk_cl_form_ *job,
                                     const convk_formfactor_arguments_ *a) {
  const convk_formfactor_body_ *const body = &job->body;
  const double values[7] = {body->volume, body->gap[0], body->gap[1], body->gap[2], body->extent, body->edge, body->limit};
  size_t d;
  convk_cl_put_(args, sizeof *a, a);
  for (d = 0; d < 7; d++) convk_cl_put_real_(args, cl->fp64 ? sizeof(cl_double) : sizeof(cl_float), values[d]);
  convk_cl_put_int_(args, (size_t)body->closed);
  convk_cl_put_int_(args, (size_t)body->least);
  convk_cl_put_real_(args, job->element, job->unit);
  convk_cl_put_real_(args, job->element, 1 / job->unit);
  for (d = 0; d < 12; d++) convk_cl_put_mem_(args, d < 6 || job->rule.corners ? job->field[d].mem : job->base.mem);
  for (d = 0; d < 6; d++) convk_cl_put_mem_(args, d < 3 || job->imag >> (d - 3) & 1 ? job->q[d].mem : job->base.mem);
  convk_cl_put_mem_(args, job->base.mem);
  convk_cl_put_mem_(args, job->f.mem);
}

enum { /* kernels */
       CONVK_CL_FORMFACTOR_LIST_,
       CONVK_CL_FORMFACTOR_ADD_,
       CONVK_CL_FORMFACTOR_PHASE_,
       CONVK_CL_FORMFACTOR_GATHER_,
       CONVK_CL_FORMFACTOR_PRODUCT_,
       CONVK_CL_FORMFACTOR_GRID_
};

/* What the source knows of a kernel and its shape: items along x and y, then points of an item, or of a product how it is
   split, lanes, columns, rows and triangles of a tile. */
enum { CONVK_CL_FORMFACTOR_SHAPE_ = 7 };
CONVK_LOCAL_ void convk_cl_formfactor_more_(int kernel, const size_t *shape, char *more, size_t size) {
  static const char *const kind[6] = {"LIST", "ADD", "PHASE", "GATHER", "PRODUCT", "GRID"};
  if (kernel == CONVK_CL_FORMFACTOR_PRODUCT_)
    (void)snprintf(more, size,
                   "-DFORM_PRODUCT -DSPLIT=%d -DITEMS_X=%d -DITEMS_Y=%d -DLANES=%d -DCOLUMNS=%d -DROWS=%d -DTRIANGLES=%d",
                   (int)shape[2], (int)shape[0], (int)shape[1], (int)shape[3], (int)shape[4], (int)shape[5], (int)shape[6]);
  else if (shape[0]) (void)snprintf(more, size, "-DFORM_%s -DITEMS=%d -DPOINTS=%d", kind[kernel], (int)shape[0], (int)shape[2]);
  else (void)snprintf(more, size, "-DFORM_%s", kind[kernel]);
}

/* A kernel.  Where its program takes smaller groups they are halved: its choice has the items. */
CONVK_LOCAL_ convk_cl_args_ convk_cl_formfactor_program_(convk_cl *cl, const convk_cl_form_ *job, int kernel,
                                                         const size_t *shape) {
  static const char *const name[6] = {"form_list", "form_add", "form_phase", "form_gather", "form_product", "form_grid"};
  const int triangles = kernel == CONVK_CL_FORMFACTOR_LIST_ || kernel == CONVK_CL_FORMFACTOR_ADD_;
  const int order = kernel == CONVK_CL_FORMFACTOR_LIST_ || kernel == CONVK_CL_FORMFACTOR_PRODUCT_ ? job->rule.order : 0;
  char more[160], options[CONVK_CL_KEY_];
  size_t now[CONVK_CL_FORMFACTOR_SHAPE_] = {0, 1, 0, 0, 0, 0, 0}, i;
  uint32_t values[3 + CONVK_CL_FORMFACTOR_SHAPE_] = {(uint32_t)job->element, (uint32_t)job->imag, (uint32_t)order};
  convk_cl_program_ *p;
  uint64_t number;
  if (shape) memcpy(now, shape, sizeof now);
  for (i = 0; i < CONVK_CL_FORMFACTOR_SHAPE_; i++) values[3 + i] = (uint32_t)now[i];
  number = convk_cl_number_(CONVK_CL_FORM_ + (unsigned)kernel, values, 3 + CONVK_CL_FORMFACTOR_SHAPE_);
  p = convk_cl_known_(cl, number);
  if (p) return convk_cl_args_of_(CONVK_OK, p);
  for (;;) {
    int status;
    convk_cl_formfactor_more_(kernel, now, more, sizeof more);
    (void)snprintf(options, sizeof options,
                   "-DT=%s -DF64=%d -DFP64=%d -DIMAG=%d -DORDER=%d -DBLOCK=%d "
                   "-DCONVK_FORMFACTOR_MEAN_=%d %s",
                   convk_cl_type_(job->element), job->element == sizeof(cl_double), cl->fp64 != 0, job->imag, order,
                   (int)(triangles ? CONVK_FORMFACTOR_TRIANGLES_ : CONVK_FORMFACTOR_BLOCK_), CONVK_FORMFACTOR_MEAN_, more);
    status = convk_cl_kernel_(cl, convk_cl_formfactor_source_(), name[kernel], options, NULL, &p);
    if (status) return convk_cl_args_of_(status, p);
    if (now[0] * now[1] <= p->items || now[0] * now[1] == 1) break;
    now[now[1] > 1 ? 1 : 0] /= 2; /* and again, with smaller groups */
  }
  convk_cl_remember_(cl, number, p, now, 2);
  return convk_cl_args_of_(CONVK_OK, p);
}

/* Sums of `blocks` blocks from triangle `at` on. */
CONVK_LOCAL_ int convk_cl_formfactor_list_(convk_cl_chain_ *chain, const convk_cl_form_ *job, size_t at, size_t blocks) {
  convk_formfactor_arguments_ a = convk_cl_form_arguments_(job);
  size_t shape[CONVK_CL_FORMFACTOR_SHAPE_] = {0, 1, 0, 0, 0, 0, 0};
  convk_cl_args_ args;
  convk_cl_block_(chain->cl, 64, &shape[0], &shape[2]);
  if (!chain->cl->cpu && job->nq > shape[0] * chain->cl->compute_units * 16) shape[2] = 2;
  if (!chain->cl->cpu) shape[0] = convk_tuned_power_(job->choice[CONVK_TUNE_GROUP_X], 32, 256, shape[0]);
  while (shape[0] > chain->cl->group_items || shape[0] > chain->cl->group_x) shape[0] /= 2;
  shape[2] = convk_tuned_power_(job->choice[CONVK_TUNE_TILE_X], chain->cl->cpu ? 8 : 1, chain->cl->cpu ? 256 : 4, shape[2]);
  args = convk_cl_formfactor_program_(chain->cl, job, CONVK_CL_FORMFACTOR_LIST_, shape);
  a.at = at;
  convk_cl_put_form_(&args, chain->cl, job, &a);
  return convk_cl_launch_(chain, &args, convk_ceil_(job->nq, args.p->choice[0] * shape[2]), args.p->choice[0], blocks, 1);
}

/* Adds the sums of `blocks` blocks. */
CONVK_LOCAL_ int convk_cl_formfactor_add_(convk_cl_chain_ *chain, const convk_cl_form_ *job, size_t blocks, int first,
                                          int last) {
  convk_formfactor_arguments_ a = convk_cl_form_arguments_(job);
  convk_cl_args_ args = convk_cl_formfactor_program_(chain->cl, job, CONVK_CL_FORMFACTOR_ADD_, NULL);
  a.blocks = blocks;
  a.first = first;
  a.last = last;
  convk_cl_put_form_(&args, chain->cl, job, &a);
  return convk_cl_launch_row_(chain, &args, job->nq, 64);
}

/* The triangles of the job, or of one part of the mesh: the sums have the order of the processors. */
CONVK_LOCAL_ int convk_cl_formfactor_run_(convk_cl_chain_ *chain, const convk_cl_form_ *job) {
  const size_t total = convk_ceil_(job->n, CONVK_FORMFACTOR_TRIANGLES_);
  const size_t batch = convk_cl_formfactor_batch_(chain->cl, job->n, job->nq);
  size_t done = 0;
  int status = CONVK_OK;
  if (!job->nq) return CONVK_OK;
  do {
    const size_t blocks = total - done < batch ? total - done : batch;
    if (blocks) status = convk_cl_formfactor_list_(chain, job, done * CONVK_FORMFACTOR_TRIANGLES_, blocks);
    if (!status)
      status = convk_cl_formfactor_add_(chain, job, blocks, job->first && !done, job->last && done + blocks == total);
    done += blocks;
  } while (!status && done < total);
  return status;
}

/* ---- a tensor grid ---- */

/* How a call is cut.  None of it changes a result. */
typedef struct convk_cl_formfactor_cut_ {
  size_t values, batch; /* triangles of a batch, whole blocks */
  size_t lanes, columns, rows, items[2], triangles, tiles[2];
  int split;
  size_t table, partial, need; /* in elements of the type; bytes of work, enough for smaller grids and meshes, too */
} convk_cl_formfactor_cut_;

/* Bytes of phases and partial sums of a batch, estimates: a processor keeps them in its cache, a launch on a GPU is long. */
#define CONVK_CL_FORMFACTOR_TABLE_(cl) ((size_t)((cl)->cpu ? 1 : 32) << 20)

/* Register tiles of 4 rows by 16 bytes of lanes on a GPU, by 64 on a processor.  A GPU wants local memory for three groups. */
CONVK_LOCAL_ int convk_cl_formfactor_cut_of_(const convk_cl *cl, const convk_cl_form_ *job, convk_cl_formfactor_cut_ *cut) {
  const size_t block = CONVK_FORMFACTOR_BLOCK_, element = job->element, blocks = convk_ceil_(job->n, block);
  const size_t table_bytes = CONVK_CL_FORMFACTOR_TABLE_(cl), nq = job->axes.nq, *n = job->axes.n;
  size_t sums, batch, each;
  if (nq > (size_t)-1 / 128) return CONVK_ERR_OVERFLOW;
  cut->values = n[0] + n[1] + n[2];
  cut->lanes = cl->cpu ? 64 / element : element == sizeof(cl_float) ? 4 : 2;
  cut->columns = cl->cpu ? convk_tuned_power_(job->choice[CONVK_TUNE_TILE_X], 1, 16, 8) : 1;
  cut->rows = convk_tuned_power_(job->choice[CONVK_TUNE_TILE_Y], 1, 8, 4);
  cut->items[0] = cl->cpu ? 1 : convk_tuned_power_(job->choice[CONVK_TUNE_GROUP_X], 8, 32, 16);
  cut->items[1] = cl->cpu ? 1 : convk_tuned_power_(job->choice[CONVK_TUNE_GROUP_Y], 4, 16, 16);
  while (cut->items[0] * cut->items[1] > cl->group_items && cut->items[1] > 1) cut->items[1] /= 2;
  while ((cut->items[0] * cut->items[1] > cl->group_items || cut->items[0] > cl->group_x) && cut->items[0] > 1)
    cut->items[0] /= 2;
  while (cut->items[1] > cl->group_y && cut->items[1] > 1) cut->items[1] /= 2;
  while (cut->columns > 1 && cut->columns / 2 * cut->lanes >= n[0]) cut->columns /= 2;
  cut->triangles = convk_tuned_power_(job->choice[CONVK_TUNE_CHUNK], 4, block, cl->cpu ? block : 16);
  do {
    const size_t lanes = cut->items[0] * cut->columns * cut->lanes, rows = cut->items[1] * cut->rows;
    cut->tiles[0] = convk_ceil_(n[0], lanes);
    cut->tiles[1] = convk_ceil_(job->axes.rows, rows);
    each = (2 * lanes + (job->rule.order == 2 ? 8 : 4) * rows) * element;
    sums = rows * (4 * element + 2 * sizeof(cl_ulong));
    if (each * cut->triangles + sums <= (cut->triangles > 4 && !cl->cpu ? cl->local_bytes / 3 : cl->local_bytes)) break;
    cut->triangles /= 2;
  } while (cut->triangles);
  if (!cut->triangles) return CONVK_ERR_UNSUPPORTED;
  cut->split = !cl->fp64 || cut->tiles[0] * cut->tiles[1] < 2 * cl->compute_units;
  each = block * cut->values * 2 * element + 6 * n[0] * element;
  if (cut->split) each += 2 * nq * element;
  batch = table_bytes / each < CONVK_CL_GROUPS_Y_ ? table_bytes / each : CONVK_CL_GROUPS_Y_;
  cut->batch = block * (batch < 1 ? 1 : batch > blocks ? blocks : batch);
  if (!blocks) cut->batch = 0;
  sums = (2 * nq + 6 * n[0]) * sizeof(cl_double);
  cut->table = sums / element;
  cut->partial = cut->table + cut->batch * cut->values * 2;
  /* whether sums are split, which depends on the grid, or not: a batch is no larger than the table, or it is one block */
  if (!cut->split) each += 2 * nq * element;
  cut->need = convk_formfactor_batches_(each, blocks, table_bytes);
  if (cut->need > (size_t)-1 - sums - 256) return CONVK_ERR_OVERFLOW;
  cut->need += sums;
  return CONVK_OK;
}

/* Adds the sums of `blocks` blocks from `partial` on to `width` sums. */
CONVK_LOCAL_ int convk_cl_formfactor_gather_(convk_cl_chain_ *chain, const convk_cl_form_ *job, size_t to, size_t partial,
                                             size_t width, size_t blocks, int first) {
  convk_formfactor_arguments_ a = convk_cl_form_arguments_(job);
  convk_cl_args_ args = convk_cl_formfactor_program_(chain->cl, job, CONVK_CL_FORMFACTOR_GATHER_, NULL);
  a.to = to;
  a.partial = partial;
  a.width = width;
  a.blocks = blocks;
  a.first = first;
  convk_cl_put_form_(&args, chain->cl, job, &a);
  return convk_cl_launch_row_(chain, &args, width, 64);
}

/* Phases of `blocks` blocks of triangles from `at` on. */
CONVK_LOCAL_ int convk_cl_formfactor_phase_(convk_cl_chain_ *chain, const convk_cl_form_ *job,
                                            const convk_cl_formfactor_cut_ *cut, size_t at, size_t blocks) {
  convk_formfactor_arguments_ a = convk_cl_form_arguments_(job);
  size_t shape[CONVK_CL_FORMFACTOR_SHAPE_] = {0, 1, 0, 0, 0, 0, 0};
  convk_cl_args_ args;
  convk_cl_block_(chain->cl, 32, &shape[0], &shape[2]);
  args = convk_cl_formfactor_program_(chain->cl, job, CONVK_CL_FORMFACTOR_PHASE_, shape);
  a.table = cut->table;
  a.partial = cut->partial;
  a.at = at;
  convk_cl_put_form_(&args, chain->cl, job, &a);
  return convk_cl_launch_(chain, &args, convk_ceil_(cut->values, args.p->choice[0] * shape[2]), args.p->choice[0], blocks, 1);
}

CONVK_LOCAL_ int convk_cl_formfactor_product_(convk_cl_chain_ *chain, const convk_cl_form_ *job,
                                              const convk_cl_formfactor_cut_ *cut, size_t at, size_t blocks, int first) {
  const size_t shape[CONVK_CL_FORMFACTOR_SHAPE_] = {cut->items[0], cut->items[1], (size_t)cut->split, cut->lanes,
                                                    cut->columns,  cut->rows,     cut->triangles};
  convk_formfactor_arguments_ a = convk_cl_form_arguments_(job);
  convk_cl_args_ args = convk_cl_formfactor_program_(chain->cl, job, CONVK_CL_FORMFACTOR_PRODUCT_, shape);
  const size_t x = args.p->choice[0], y = args.p->choice[1], tiles_y = convk_ceil_(job->axes.rows, y * cut->rows);
  a.tiles_x = convk_ceil_(job->axes.n[0], x * cut->columns * cut->lanes);
  a.table = cut->table;
  a.partial = cut->partial + cut->batch / CONVK_FORMFACTOR_BLOCK_ * 6 * job->axes.n[0]; /* behind those of the moments */
  a.at = at;
  a.blocks = blocks;
  a.first = first;
  convk_cl_put_form_(&args, chain->cl, job, &a);
  return convk_cl_launch_(chain, &args, (size_t)a.tiles_x * tiles_y, x, cut->split ? blocks : 1, y);
}

/* F from all sums. */
CONVK_LOCAL_ int convk_cl_formfactor_last_(convk_cl_chain_ *chain, const convk_cl_form_ *job) {
  const convk_formfactor_arguments_ a = convk_cl_form_arguments_(job);
  convk_cl_args_ args = convk_cl_formfactor_program_(chain->cl, job, CONVK_CL_FORMFACTOR_GRID_, NULL);
  convk_cl_put_form_(&args, chain->cl, job, &a);
  return convk_cl_launch_row_(chain, &args, job->axes.nq, 64);
}

/* The triangles of the job, or of one part of the mesh, in batches. */
CONVK_LOCAL_ int convk_cl_formfactor_grid_run_(convk_cl_chain_ *chain, const convk_cl_form_ *job) {
  const size_t block = CONVK_FORMFACTOR_BLOCK_, moments = 6 * job->axes.n[0], nq = job->axes.nq;
  convk_cl_formfactor_cut_ cut;
  size_t at = 0;
  int status = convk_cl_formfactor_cut_of_(chain->cl, job, &cut);
  if (status == CONVK_ERR_UNSUPPORTED) return convk_cl_little_(chain->cl);
  do {
    const size_t left = job->n - at, blocks = left < cut.batch ? convk_ceil_(left, block) : cut.batch / block;
    const int first = job->first && !at;
    if (!status && blocks) status = convk_cl_formfactor_phase_(chain, job, &cut, at, blocks);
    if (!status) status = convk_cl_formfactor_gather_(chain, job, 2 * nq, cut.partial, moments, blocks, first);
    if (!status && blocks) status = convk_cl_formfactor_product_(chain, job, &cut, at, blocks, first);
    if (!status && (cut.split || !blocks))
      status = convk_cl_formfactor_gather_(chain, job, 0, cut.partial + cut.batch / block * moments, 2 * nq, blocks, first);
    at += blocks * block;
  } while (!status && at < job->n);
  return status || !job->last ? status : convk_cl_formfactor_last_(chain, job);
}

/* Bytes of work, which may begin up to 256 bytes before its base. */
CONVK_LOCAL_ int convk_cl_formfactor_need_(convk_cl *cl, const convk_cl_form_ *job, size_t *need) {
  convk_cl_formfactor_cut_ cut;
  int status;
  cut.need = 0;
  status = job->axes.nq ? convk_cl_formfactor_cut_of_(cl, job, &cut)
                        : convk_cl_formfactor_list_need_(cl, job->element, job->n, job->nq, &cut.need);
  if (!status) *need = cut.need + 256;
  return status == CONVK_ERR_UNSUPPORTED ? convk_cl_little_(cl) : status;
}

/* The triangles of the job: first and last say whether sums begin here, and whether F is made. */
CONVK_LOCAL_ int convk_cl_formfactor_start_(convk_cl_chain_ *chain, const convk_cl_form_ *job) {
  convk_cl_form_ turned = *job; /* a grid's arrays in the order of its axes, that of the lanes first */
  size_t d;
  convk_choice_(chain->hw, job->axes.nq ? "formfactor_grid" : "formfactor", job->element, job->tuned[0], job->tuned[1],
                job->tuned[2], 1, turned.choice);
  if (!job->axes.nq) return convk_cl_formfactor_run_(chain, &turned);
  for (d = 0; d < 12; d++) turned.field[d] = job->field[d / 3 * 3 + (size_t)job->axes.axis[d % 3]];
  for (d = 0; d < 3; d++) turned.q[d] = job->q[job->axes.axis[d]];
  return convk_cl_formfactor_grid_run_(chain, &turned);
}
