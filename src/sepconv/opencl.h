#if CONVK_HAS_SEPCONV_
/* OpenCL C 1.2.  Build options choose the kernel (SEPCONV_YX, ...), the number of taps (MAX_TAPS apart in `taps`: x, y, z),
   whether an axis is periodic, and the shapes of tiles.  ACTIONS has the bits CONVK_SEPCONV_DENSITY_ and so on, or is the
   argument `actions`. */
CONVK_LOCAL_ const char *const *convk_cl_sepconv_source_(void) {
  static const char *const lines[] = {
#include "quoted/sepconv/kernel.cl"
      NULL};
  return lines;
}

#define CONVK_CL_ROWS_ ((size_t)8)    /* outputs that a work-item makes from one set of loads */
#define CONVK_CL_BUSY_ ((size_t)2048) /* work-items that fill a compute unit: about what those of AMD and NVIDIA hold */

/* One checked call of sepconv3d.  In `work`: the array after y and x; then, in doubles, for each sum 16 lanes for every row,
   rows, planes. */
typedef struct convk_cl_sepconv_ {
  size_t element;
  convk_axis_ axis[3];
  const void *taps[3];
  convk_grid3 gi, go;
  unsigned actions;
  double factor, a, b;
  convk_cl_array array[CONVK_DEVICE_ARRAYS_]; /* offsets in elements; of sums in doubles; of work in bytes, whole lines of 64 */
} convk_cl_sepconv_;

/* Bytes of work, and where the lanes of the first sum lie, in bytes. */
CONVK_LOCAL_ int convk_cl_sepconv_need_(const convk_cl_sepconv_ *job, size_t *need, size_t *lanes) {
  const size_t mx = job->axis[0].m, my = job->axis[1].m, mz = job->axis[2].m, limit = (size_t)-1 / 8;
  const size_t sums =
      (size_t)((job->actions & CONVK_SEPCONV_DOT_) != 0) + (size_t)((job->actions & CONVK_SEPCONV_ENERGY_) != 0);
  size_t bytes, rows = 0, one;
  if (convk_mul_(mx, my, &bytes) || convk_mul_(bytes, job->axis[2].n, &bytes) || convk_mul_(bytes, job->element, &bytes) ||
      bytes > limit || convk_mul_(my, mz, &rows) || rows > limit / 17 / 8 || mz > limit / 8)
    return CONVK_ERR_OVERFLOW;
  bytes = convk_round_up_(bytes, 64);
  one = (17 * rows + mz) * sizeof(cl_double);
  *lanes = bytes;
  *need = convk_round_up_(bytes + sums * one, 64);
  return CONVK_OK;
}

/* The number of taps as a build option: itself, or the kernel's argument. */
CONVK_LOCAL_ const char *convk_cl_count_(char text[8], size_t ntaps, const char *argument) {
  if (argument) return argument;
  (void)snprintf(text, 8, "%d", (int)ntaps);
  return text;
}

/* Makes a tile smaller until `more` elements beyond its x fit into local memory. */
CONVK_LOCAL_ int convk_cl_tile_(convk_cl *cl, size_t element, size_t more, size_t *x, size_t *y, size_t *rows) {
  *rows = CONVK_CL_ROWS_;
  while ((*x + more) * *y * element > cl->local_bytes) {
    if (*y > *rows) *y /= 2;
    else if (*x > *rows) *x /= 2;
    else if (*y > 1) *rows = *y /= 2;
    else if (*x > 1) *rows = *x /= 2;
    else return convk_cl_little_(cl);
  }
  return CONVK_OK;
}

/* y and x, from the input to work. */
CONVK_LOCAL_ int convk_cl_sepconv_yx_(convk_cl_chain_ *chain, const convk_cl_sepconv_ *job, cl_mem taps) {
  const convk_axis_ *ax = &job->axis[0], *ay = &job->axis[1];
  size_t tile_x = 64, tile_y = 32, rows, tiles_x, tiles_y, local[2];
  convk_cl_program_ *p = NULL;
  convk_cl_args_ args;
  char options[2][256], count[2][8];
  int i, status = convk_cl_tile_(chain->cl, job->element, ax->ntaps - 1, &tile_x, &tile_y, &rows);
  if (status) return status;
  if (rows > tile_y) rows = tile_y;
  for (i = 0; i < 2; i++)
    (void)snprintf(options[i], sizeof options[i],
                   "-DSEPCONV_YX -DT=%s -DF64=%d -DMAX_TAPS=%d -DROWS=%d -DTILE_X=%d -DTILE_Y=%d -DTAPS_X=%s -DTAPS_Y=%s "
                   "-DPERIODIC_X=%d -DPERIODIC_Y=%d",
                   convk_cl_type_(job->element), job->element == sizeof(cl_double), CONVK_FILTER_MAX_TAPS, (int)rows,
                   (int)tile_x, (int)tile_y, convk_cl_count_(count[0], ax->ntaps, i ? "taps_x" : NULL),
                   convk_cl_count_(count[1], ay->ntaps, i ? "taps_y" : NULL), ax->boundary == CONVK_BOUNDARY_PERIODIC,
                   ay->boundary == CONVK_BOUNDARY_PERIODIC);
  status = convk_cl_kernel_(chain->cl, convk_cl_sepconv_source_(), "sepconv_yx", options[0],
                            ax->ntaps == 16 && ay->ntaps == 16 ? NULL : options[1], &p);
  if (status) return status;
  tiles_x = convk_ceil_(ax->m, tile_x);
  tiles_y = convk_ceil_(ay->m, tile_y);
  convk_cl_group_(chain->cl, p, 32, tile_y / rows, local);
  args = convk_cl_args_of_(p);
  convk_cl_put_array_(&args, &job->array[CONVK_DEVICE_IN_]);
  convk_cl_put_mem_(&args, job->array[CONVK_DEVICE_WORK_].mem);
  convk_cl_put_size_(&args, job->array[CONVK_DEVICE_WORK_].offset / job->element);
  convk_cl_put_mem_(&args, taps);
  convk_cl_put_local_(&args, (tile_x + ax->ntaps - 1) * tile_y * job->element);
  convk_cl_put_int_(&args, ax->ntaps);
  convk_cl_put_int_(&args, ay->ntaps);
  convk_cl_put_size_(&args, ax->n);
  convk_cl_put_size_(&args, ay->n);
  convk_cl_put_size_(&args, job->gi.pitch_y);
  convk_cl_put_size_(&args, job->gi.pitch_z);
  convk_cl_put_size_(&args, ax->m);
  convk_cl_put_size_(&args, ay->m);
  convk_cl_put_shift_(&args, ax->shift);
  convk_cl_put_shift_(&args, ay->shift);
  convk_cl_put_size_(&args, tiles_x);
  convk_cl_put_size_(&args, tiles_y);
  return convk_cl_launch_(chain, &args, tiles_x * tiles_y * job->gi.nz, local[0], 1, local[1]);
}

/* z and the epilogue, from work to the output; `lanes` is where those of the first sum lie, in bytes. */
CONVK_LOCAL_ int convk_cl_sepconv_z_(convk_cl_chain_ *chain, const convk_cl_sepconv_ *job, cl_mem taps, size_t lanes) {
  const convk_axis_ *az = &job->axis[2];
  const size_t mx = job->go.nx, my = job->go.ny, mz = job->go.nz;
  const int sums = (job->actions & CONVK_SEPCONV_SUMS_) != 0;
  const size_t items = sums ? 16 * my : mx * my;
  const convk_cl_array unused = {job->array[CONVK_DEVICE_WORK_].mem, 0};
  size_t chunk = 64, local[2], i;
  convk_cl_program_ *p = NULL;
  convk_cl_args_ args;
  char options[2][256], count[8], actions[8];
  int status;
  if (job->actions == CONVK_SEPCONV_STORE_) (void)snprintf(actions, sizeof actions, "%d", CONVK_SEPCONV_STORE_);
  else (void)snprintf(actions, sizeof actions, "actions");
  for (i = 0; i < 2; i++)
    (void)snprintf(options[i], sizeof options[i],
                   "-DSEPCONV_Z%s -DT=%s -DF64=%d -DMAX_TAPS=%d -DROWS=%d -DTAPS_Z=%s -DPERIODIC_Z=%d -DACTIONS=%s",
                   sums ? " -DSUMS" : "", convk_cl_type_(job->element), job->element == sizeof(cl_double),
                   CONVK_FILTER_MAX_TAPS, (int)CONVK_CL_ROWS_, convk_cl_count_(count, az->ntaps, i ? "taps_z" : NULL),
                   az->boundary == CONVK_BOUNDARY_PERIODIC, actions);
  status =
      convk_cl_kernel_(chain->cl, convk_cl_sepconv_source_(), "sepconv_z", options[0], az->ntaps == 16 ? NULL : options[1], &p);
  if (status) return status;
  while (chunk > CONVK_CL_ROWS_ && items * (mz / chunk) < chain->cl->compute_units * CONVK_CL_BUSY_) chunk /= 2;
  if (mz / chunk >= CONVK_CL_GROUPS_Y_) chunk = convk_round_up_(mz / CONVK_CL_GROUPS_Y_ + 1, CONVK_CL_ROWS_);
  convk_cl_group_(chain->cl, p, 128, 1, local);
  args = convk_cl_args_of_(p);
  convk_cl_put_mem_(&args, job->array[CONVK_DEVICE_WORK_].mem);
  convk_cl_put_size_(&args, job->array[CONVK_DEVICE_WORK_].offset / job->element);
  convk_cl_put_mem_(&args, taps);
  convk_cl_put_int_(&args, az->ntaps);
  convk_cl_put_size_(&args, az->n);
  convk_cl_put_shift_(&args, az->shift);
  convk_cl_put_size_(&args, mx);
  convk_cl_put_size_(&args, my);
  convk_cl_put_size_(&args, mz);
  convk_cl_put_size_(&args, chunk);
  convk_cl_put_int_(&args, job->actions);
  for (i = CONVK_DEVICE_OUT_; i <= CONVK_SEPCONV_AT_DENSITY_; i++) {
    convk_cl_put_array_(&args, job->array[i].mem ? &job->array[i] : &unused);
    if (i == CONVK_DEVICE_OUT_) convk_cl_put_size_(&args, job->go.pitch_y);
    if (i == CONVK_DEVICE_OUT_) convk_cl_put_size_(&args, job->go.pitch_z);
  }
  convk_cl_put_real_(&args, job->element, job->factor);
  convk_cl_put_real_(&args, job->element, job->a);
  convk_cl_put_real_(&args, job->element, job->b);
  if (sums) {
    const size_t first = lanes / sizeof(cl_double);
    convk_cl_put_array_(&args, &job->array[CONVK_DEVICE_IN_]);
    convk_cl_put_size_(&args, job->gi.pitch_y);
    convk_cl_put_size_(&args, job->gi.pitch_z);
    convk_cl_put_mem_(&args, job->array[CONVK_DEVICE_WORK_].mem);
    convk_cl_put_size_(&args, first);
    convk_cl_put_size_(&args, job->actions & CONVK_SEPCONV_DOT_ ? first + 17 * my * mz + mz : first);
  }
  return convk_cl_launch_(chain, &args, convk_ceil_(items, local[0]), local[0], convk_ceil_(mz, chunk), 1);
}

/* From lanes to one number: rows, planes, all. */
CONVK_LOCAL_ int convk_cl_sepconv_sum_(convk_cl_chain_ *chain, const convk_cl_sepconv_ *job, size_t lanes,
                                       const convk_cl_array *out) {
  const size_t my = job->go.ny, mz = job->go.nz, rows = lanes + 16 * my * mz, planes = rows + my * mz;
  const cl_mem work = job->array[CONVK_DEVICE_WORK_].mem;
  size_t step;
  int status = CONVK_OK;
  for (step = 0; step < 3 && !status; step++) {
    const size_t count = step == 0 ? my * mz : step == 1 ? mz : 1;
    convk_cl_program_ *p = NULL;
    convk_cl_args_ args;
    status = convk_cl_kernel_(chain->cl, convk_cl_sepconv_source_(), step ? "sepconv_sum" : "sepconv_tree",
                              step ? "-DSEPCONV_SUM -DT=double -DF64=1" : "-DSEPCONV_TREE -DT=double -DF64=1", NULL, &p);
    if (status) return status;
    args = convk_cl_args_of_(p);
    convk_cl_put_mem_(&args, work);
    convk_cl_put_size_(&args, step == 0 ? lanes : step == 1 ? rows : planes);
    if (step) convk_cl_put_mem_(&args, step == 1 ? work : out->mem);
    convk_cl_put_size_(&args, step == 0 ? rows : step == 1 ? planes : out->offset);
    convk_cl_put_size_(&args, count);
    if (step) convk_cl_put_size_(&args, step == 1 ? my : mz);
    status = convk_cl_launch_row_(chain, p, &args, count, step < 2 ? 32 : 1);
  }
  return status;
}

/* A checked call with enough work. */
CONVK_LOCAL_ int convk_cl_sepconv_run_(convk_cl_chain_ *chain, const convk_cl_sepconv_ *job) {
  const size_t rows = job->go.ny * job->go.nz;
  size_t count[3], need, lanes, d;
  cl_mem taps = NULL;
  int status = convk_cl_sepconv_need_(job, &need, &lanes);
  for (d = 0; d < 3; d++) count[d] = job->axis[d].ntaps;
  lanes += job->array[CONVK_DEVICE_WORK_].offset;
  if (!status) status = convk_cl_taps_(chain->cl, job->element, job->taps, count, 3, &taps);
  if (!status) status = convk_cl_sepconv_yx_(chain, job, taps);
  if (!status) status = convk_cl_sepconv_z_(chain, job, taps, lanes);
  lanes /= sizeof(cl_double);
  if (!status && job->actions & CONVK_SEPCONV_DOT_) {
    status = convk_cl_sepconv_sum_(chain, job, lanes, &job->array[CONVK_SEPCONV_AT_DOT_]);
    lanes += 17 * rows + job->go.nz;
  }
  if (!status && job->actions & CONVK_SEPCONV_ENERGY_)
    status = convk_cl_sepconv_sum_(chain, job, lanes, &job->array[CONVK_SEPCONV_AT_ENERGY_]);
  return status;
}

/* Buffers of a device-resident call: large enough, and apart where they must be. */
CONVK_LOCAL_ int convk_cl_sepconv_buffers_(convk_cl *cl, const convk_cl_sepconv_ *job) {
  const size_t in = convk_cl_span_(&job->gi), out = convk_cl_span_(&job->go), s = job->element;
  convk_cl_part_ parts[CONVK_DEVICE_ARRAYS_];
  size_t need, lanes, i;
  int status = convk_cl_sepconv_need_(job, &need, &lanes);
  if (status) return status;
  for (i = 0; i < CONVK_DEVICE_WORK_ && !status; i++) {
    const int sum = i == CONVK_SEPCONV_AT_DOT_ || i == CONVK_SEPCONV_AT_ENERGY_;
    status =
        convk_cl_part_of_(cl, job->array[i].mem, job->array[i].offset,
                          sum                     ? 1
                          : i == CONVK_DEVICE_IN_ ? in
                                                  : out,
                          sum ? sizeof(cl_double) : s, i != CONVK_DEVICE_IN_ && i != CONVK_SEPCONV_AT_POTENTIAL_, &parts[i]);
  }
  if (status) return status;
  status = convk_cl_part_of_(cl, job->array[CONVK_DEVICE_WORK_].mem, 0, need, 1, 1, &parts[CONVK_DEVICE_WORK_]);
  if (status) return status == CONVK_ERR_SIZE ? CONVK_ERR_WORK : status;
  return convk_cl_apart_(parts, CONVK_DEVICE_ARRAYS_);
}

/* The jobs of potential_apply: values in `work`, times the potential, and back.  Bytes of work. */
CONVK_LOCAL_ int convk_cl_potential_need_(convk_cl_sepconv_ job[2], size_t values_bytes, size_t *need) {
  size_t one[2], lanes, i;
  int status = CONVK_OK;
  for (i = 0; i < 2 && !status; i++) {
    job[i].array[CONVK_DEVICE_WORK_].offset = values_bytes;
    status = convk_cl_sepconv_need_(&job[i], &one[i], &lanes);
  }
  if (status) return status;
  *need = one[0] > one[1] ? one[0] : one[1];
  *need += values_bytes;
  return *need < values_bytes ? CONVK_ERR_OVERFLOW : CONVK_OK;
}

CONVK_LOCAL_ int convk_cl_potential_run_(convk_cl_chain_ *chain, convk_cl_sepconv_ job[2]) {
  int status;
  job[0].array[CONVK_DEVICE_OUT_].mem = job[1].array[CONVK_DEVICE_IN_].mem = job[1].array[CONVK_DEVICE_WORK_].mem =
      job[0].array[CONVK_DEVICE_WORK_].mem;
  status = convk_cl_sepconv_run_(chain, &job[0]);
  return status ? status : convk_cl_sepconv_run_(chain, &job[1]);
}
#endif
