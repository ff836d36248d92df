#if CONVK_HAS_SEPCONV_
/* ---- separable convolutions: device arrays ---- */

/* Parts of the work memory, in bytes from its aligned beginning. */
typedef struct convk_cuda_sepconv_cut_ {
  size_t result, dot, energy, need;
} convk_cuda_sepconv_cut_;

/* The array between the kernels lies at the beginning; the result of z has a place of its own where the epilogue sums it
   and `out` cannot hold it. */
CONVK_LOCAL_ int convk_cuda_sepconv_cut_of_(const convk_axis_ axis[3], const convk_sepconv_epilogue *epilogue, int has_out,
                                            convk_cuda_sepconv_cut_ *cut) {
  const size_t mx = axis[0].m, my = axis[1].m, mz = axis[2].m, s = sizeof(CONVK_T);
  const int dot = epilogue && epilogue->dot, energy = epilogue && epilogue->energy;
  size_t mid, end = 0;
  int status = convk_cuda_reserve_(&end, mx, my, axis[2].n, s, &mid);
  if (!status)
    status = convk_cuda_reserve_(&end, mx, my, (dot || energy) && (!has_out || epilogue->update) ? mz : 0, s, &cut->result);
  if (!status) status = convk_cuda_reserve_(&end, my + 1, mz, dot ? 1 : 0, sizeof(double), &cut->dot);
  if (!status) status = convk_cuda_reserve_(&end, my + 1, mz, energy ? 1 : 0, sizeof(double), &cut->energy);
  cut->need = end + 256;
  return status;
}

CONVK_LOCAL_ size_t convk_cuda_sepconv_need_(const convk_grid3 *in_grid, const convk_filter *filter, const int *boundary,
                                             const convk_sepconv_epilogue *epilogue, int has_out) {
  convk_grid3 out;
  convk_axis_ axis[3];
  convk_cuda_sepconv_cut_ cut;
  if (convk_sepconv3d_output_grid(in_grid, filter, boundary, &out)) return 0;
  (void)convk_axes_check_(NULL, in_grid, filter, boundary, axis);
  return convk_cuda_sepconv_cut_of_(axis, epilogue, has_out, &cut) ? 0 : cut.need;
}

CONVK_LOCAL_ convk_cuda_taps_<CONVK_T> convk_cuda_sepconv_taps_(const CONVK_T *taps, size_t count) {
  convk_cuda_taps_<CONVK_T> t;
  memset(&t, 0, sizeof t);
  memcpy(t.value, taps, count * sizeof *taps);
  return t;
}

CONVK_LOCAL_ convk_cuda_epilogue_<CONVK_T> convk_cuda_sepconv_epilogue_(const convk_sepconv_epilogue *from) {
  convk_cuda_epilogue_<CONVK_T> e;
  memset(&e, 0, sizeof e);
  if (!from) return e;
  e.potential = from->potential;
  e.density = from->density;
  e.factor = from->density_factor;
  e.update = from->update;
  e.a = from->a;
  e.b = from->b;
  return e;
}

/* z of what the first kernel left in `mid`, to `out`; with an epilogue of no sums, or NULL. */
CONVK_LOCAL_ int convk_cuda_sepconv_z_(const convk_sepconv_job_ *job, const CONVK_T *mid, CONVK_T *out, size_t pitch_y,
                                       size_t pitch_z, const convk_sepconv_epilogue *epilogue, cudaStream_t stream) {
  const size_t threads = CONVK_CUDA_Z_THREADS_, group = CONVK_CUDA_GROUP_, enough = CONVK_CUDA_ENOUGH_BLOCKS_;
  convk_cuda_z_args_<CONVK_T> a;
  size_t chunk;
  memset(&a, 0, sizeof a);
  a.mid = mid;
  a.out = out;
  a.mx = job->axis[0].m;
  a.columns = job->axis[0].m * job->axis[1].m;
  a.blocks = convk_ceil_(a.columns, threads);
  a.z = job->axis[2];
  chunk = convk_ceil_(a.z.m, convk_ceil_(enough, a.blocks));
  chunk = convk_round_up_(chunk < 2 * group ? 2 * group : chunk, group);
  a.chunk = chunk;
  a.chunks = convk_ceil_(a.z.m, chunk);
  a.pitch_y = pitch_y;
  a.pitch_z = pitch_z;
  a.taps = convk_cuda_sepconv_taps_(job->taps[2], a.z.ntaps);
  a.epilogue = convk_cuda_sepconv_epilogue_(epilogue);
  return convk_cuda_start_(a.z.ntaps == 16 ? epilogue ? convk_cuda_z_<CONVK_T, 16, 1> : convk_cuda_z_<CONVK_T, 16, 0>
                           : epilogue ? convk_cuda_z_<CONVK_T, 0, 1>
                                           : convk_cuda_z_<CONVK_T, 0, 0>,
                           a.blocks * a.chunks, (int)threads, stream, a);
}

/* The epilogue with its sums, on the result of z. */
CONVK_LOCAL_ int convk_cuda_sepconv_finish_(const convk_sepconv_job_ *job, const CONVK_T *result, size_t result_y,
                                            size_t result_z, char *base, const convk_cuda_sepconv_cut_ *cut,
                                            cudaStream_t stream) {
  const convk_sepconv_epilogue *e = job->epilogue;
  const size_t rows = job->go.ny * job->go.nz, block = CONVK_CUDA_FINISH_THREADS_ / 16;
  convk_cuda_finish_args_<CONVK_T> a;
  convk_cuda_total_args_ t;
  int status;
  memset(&a, 0, sizeof a);
  memset(&t, 0, sizeof t);
  a.result = result;
  a.in = job->in;
  a.out = job->out;
  a.nx = job->go.nx;
  a.ny = t.ny = job->go.ny;
  a.nz = t.nz = job->go.nz;
  a.result_y = result_y;
  a.result_z = result_z;
  a.in_y = job->gi.pitch_y;
  a.in_z = job->gi.pitch_z;
  a.pitch_y = job->go.pitch_y;
  a.pitch_z = job->go.pitch_z;
  a.epilogue = convk_cuda_sepconv_epilogue_(e);
  a.dot = e->dot ? (double *)(void *)(base + cut->dot) : NULL;
  a.energy = e->energy ? (double *)(void *)(base + cut->energy) : NULL;
  status = convk_cuda_start_(convk_cuda_finish_<CONVK_T>, convk_ceil_(rows, block), CONVK_CUDA_FINISH_THREADS_, stream, a);
  if (status) return status;
  t.dot.rows = a.dot;
  t.dot.planes = a.dot ? a.dot + rows : NULL;
  t.dot.total = e->dot;
  t.energy.rows = a.energy;
  t.energy.planes = a.energy ? a.energy + rows : NULL;
  t.energy.total = e->energy;
  return convk_cuda_start_(convk_cuda_total_<convk_cuda_total_args_>, 2, CONVK_CUDA_TOTAL_THREADS_, stream, t);
}

CONVK_API_ size_t convk_cuda_sepconv3d_work_size(const convk_grid3 *in_grid, const convk_filter filter[3],
                                                 const int boundary[3], const convk_sepconv_epilogue *epilogue) {
  return convk_cuda_sepconv_need_(in_grid, filter, boundary, epilogue, 0);
}

CONVK_API_ int convk_cuda_sepconv3d(const convk_grid3 *in_grid, const convk_grid3 *out_grid, const convk_filter filter[3],
                                    const int boundary[3], const convk_sepconv_epilogue *epilogue, const CONVK_T *in,
                                    CONVK_T *out, void *work, size_t work_size, cudaStream_t stream) {
  convk_sepconv_job_ job;
  convk_cuda_sepconv_cut_ cut;
  convk_cuda_xy_args_<CONVK_T> a;
  const convk_sepconv_epilogue *e;
  CONVK_T *result;
  char *base = NULL;
  size_t pitch_y, pitch_z;
  int known, wide, status = convk_sepconv_check_(NULL, in_grid, out_grid, filter, boundary, epilogue, in, out, &job);
  if (!status) status = convk_cuda_sepconv_cut_of_(job.axis, job.epilogue, out != NULL, &cut);
  if (!status) status = convk_cuda_work_(NULL, work, work_size, cut.need, &base);
  if (status) return status;
  e = job.epilogue;
  known = job.axis[0].ntaps == 16 && job.axis[1].ntaps == 16;
  wide = known && convk_ceil_(job.axis[0].m, 256) * CONVK_CUDA_XY_THREADS_(1) <
                      convk_ceil_(job.axis[0].m, 128) * CONVK_CUDA_XY_THREADS_(0);
  memset(&a, 0, sizeof a);
  a.in = in;
  a.mid = (CONVK_T *)(void *)base;
  a.pitch_y = job.gi.pitch_y;
  a.pitch_z = job.gi.pitch_z;
  a.nz = job.gi.nz;
  a.x = job.axis[0];
  a.y = job.axis[1];
  a.tiles_x = convk_ceil_(a.x.m, CONVK_CUDA_XY_WIDTH_(known, wide));
  a.strip = convk_ceil_(a.y.m, convk_ceil_(CONVK_CUDA_ENOUGH_BLOCKS_, a.tiles_x * a.nz));
  a.strip = convk_round_up_(a.strip, CONVK_CUDA_XY_ROWS_(wide));
  a.strips = convk_ceil_(a.y.m, a.strip);
  a.taps_x = convk_cuda_sepconv_taps_(job.taps[0], a.x.ntaps);
  a.taps_y = convk_cuda_sepconv_taps_(job.taps[1], a.y.ntaps);
  status = convk_cuda_start_(wide    ? convk_cuda_xy_<CONVK_T, 16, 1>
                             : known ? convk_cuda_xy_<CONVK_T, 16, 0>
                                     : convk_cuda_xy_<CONVK_T, 0, 0>,
                             a.tiles_x * a.strips * a.nz, CONVK_CUDA_XY_THREADS_(wide), stream, a);
  if (status) return status;
  if (!(job.actions & CONVK_SEPCONV_SUMS_))
    return convk_cuda_sepconv_z_(&job, a.mid, out, job.go.pitch_y, job.go.pitch_z, e, stream);
  result = out; /* where it waits in place */
  pitch_y = job.go.pitch_y;
  pitch_z = job.go.pitch_z;
  if (!out || e->update) {
    result = (CONVK_T *)(void *)(base + cut.result);
    pitch_y = job.go.nx;
    pitch_z = job.go.nx * job.go.ny;
  }
  status = convk_cuda_sepconv_z_(&job, a.mid, result, pitch_y, pitch_z, NULL, stream);
  return status ? status : convk_cuda_sepconv_finish_(&job, result, pitch_y, pitch_z, base, &cut, stream);
}

CONVK_API_ size_t convk_cuda_magicfilter3d_work_size(const convk_grid3 *in_grid, int direction, const int boundary[3],
                                                     const convk_sepconv_epilogue *epilogue) {
  convk_filter filter[3];
  if (convk_magicfilter_axes_(NULL, direction, filter)) return 0;
  return convk_cuda_sepconv_need_(in_grid, filter, boundary, epilogue, 0);
}

CONVK_API_ int convk_cuda_magicfilter3d(const convk_grid3 *in_grid, const convk_grid3 *out_grid, int direction,
                                        const int boundary[3], const convk_sepconv_epilogue *epilogue, const CONVK_T *in,
                                        CONVK_T *out, void *work, size_t work_size, cudaStream_t stream) {
  convk_filter filter[3];
  const int status = convk_magicfilter_axes_(NULL, direction, filter);
  return status ? status
                : convk_cuda_sepconv3d(in_grid, out_grid, filter, boundary, epilogue, in, out, work, work_size, stream);
}

/* Bytes of work of both filters, after the array of values. */
CONVK_LOCAL_ int convk_cuda_potential_need_(const convk_potential_grids_ *grids, const int *boundary, int with_energy,
                                            size_t *need) {
  convk_filter filter[3];
  convk_sepconv_epilogue epilogue;
  double energy;
  size_t there, home;
  memset(&epilogue, 0, sizeof epilogue);
  epilogue.energy = with_energy ? &energy : NULL; /* only whether there is one counts */
  (void)convk_magicfilter_axes_(NULL, CONVK_FORWARD, filter);
  there = convk_cuda_sepconv_need_(&grids->orbital, filter, boundary, &epilogue, 1);
  (void)convk_magicfilter_axes_(NULL, CONVK_INVERSE, filter);
  home = convk_cuda_sepconv_need_(&grids->values, filter, grids->back, NULL, 1);
  if (!there || !home || grids->bytes > (size_t)-1 / 4) return CONVK_ERR_OVERFLOW;
  *need = (there > home ? there : home) + convk_round_up_(grids->bytes, 256) + 256;
  return CONVK_OK;
}

CONVK_API_ size_t convk_cuda_potential_apply_work_size(const convk_grid3 *grid, const convk_grid3 *potential_grid,
                                                       const int boundary[3], int with_energy) {
  convk_potential_grids_ grids;
  size_t need;
  if (convk_potential_apply_shapes_(NULL, grid, potential_grid, boundary, &grids)) return 0;
  return convk_cuda_potential_need_(&grids, boundary, with_energy, &need) ? 0 : need;
}

CONVK_API_ int convk_cuda_potential_apply(const convk_grid3 *grid, const convk_grid3 *potential_grid, const int boundary[3],
                                          const CONVK_T *potential, const CONVK_T *psi, CONVK_T *out, double *energy,
                                          void *work, size_t work_size, cudaStream_t stream) {
  convk_sepconv_epilogue epilogue;
  convk_potential_grids_ grids;
  CONVK_T *between;
  char *base = NULL;
  size_t bytes, need;
  int status =
      convk_potential_apply_check_(NULL, grid, potential_grid, boundary, potential, psi, out, energy, work, work_size, &grids);
  if (!status) status = convk_cuda_potential_need_(&grids, boundary, energy != NULL, &need);
  if (!status) status = convk_cuda_work_(NULL, work, work_size, need, &base);
  if (status) return status;
  memset(&epilogue, 0, sizeof epilogue);
  epilogue.potential = potential;
  epilogue.energy = energy;
  between = (CONVK_T *)(void *)base;
  bytes = convk_round_up_(grids.bytes, 256);
  need -= bytes + 256;
  status = convk_cuda_magicfilter3d(grid, &grids.values, CONVK_FORWARD, boundary, &epilogue, psi, between, base + bytes, need,
                                    stream);
  return status ? status
                : convk_cuda_magicfilter3d(&grids.values, grid, CONVK_INVERSE, grids.back, NULL, between, out, base + bytes,
                                           need, stream);
}

CONVK_API_ int convk_cuda_conv1d_transpose(size_t n, size_t ndat, size_t ld_in, size_t ld_out, const convk_filter *filter,
                                           int boundary, const CONVK_T *in, CONVK_T *out, cudaStream_t stream) {
  convk_transpose_job_ job;
  convk_cuda_turn_args_<CONVK_T> a;
  const int status = convk_conv1d_check_(NULL, n, ndat, ld_in, ld_out, filter, boundary, in, out, NULL, 0, &job);
  if (status) return status;
  memset(&a, 0, sizeof a);
  a.in = in;
  a.out = out;
  a.ndat = ndat;
  a.ld_in = job.ld_in;
  a.ld_out = job.ld_out;
  a.axis = job.axis;
  a.tiles = convk_ceil_(a.axis.m, CONVK_CUDA_TILE_(a.axis.ntaps == 16));
  a.strips = convk_ceil_(ndat, CONVK_CUDA_TURN_ROWS_);
  a.taps = convk_cuda_sepconv_taps_(job.taps, a.axis.ntaps);
  return convk_cuda_start_(a.axis.ntaps == 16 ? convk_cuda_turn_<CONVK_T, 16> : convk_cuda_turn_<CONVK_T, 0>,
                           a.tiles * a.strips, CONVK_CUDA_TURN_THREADS_, stream, a);
}

/* ---- what sepconv/host.h leaves to a device: `at` has its buffers, and grids are packed there ---- */

CONVK_LOCAL_ int convk_sepconv_there_(convk_cuda_host_ *host, const convk_grid3 *gi, const convk_grid3 *go,
                                      const convk_filter *filter, const int *boundary, const convk_sepconv_epilogue *e,
                                      void *const *at) {
  CONVK_T *const out = (CONVK_T *)at[CONVK_DEVICE_OUT_];
  const size_t need = convk_cuda_sepconv_need_(gi, filter, boundary, e, out != NULL);
  convk_sepconv_epilogue there;
  void *work = NULL;
  int status = need ? convk_cuda_buffer_(host, CONVK_DEVICE_WORK_, need, &work) : CONVK_ERR_OVERFLOW;
  if (status) return status;
  if (e) {
    there = *e;
    there.potential = (const CONVK_T *)at[CONVK_SEPCONV_AT_POTENTIAL_];
    there.density = (CONVK_T *)at[CONVK_SEPCONV_AT_DENSITY_];
    there.dot = (double *)at[CONVK_SEPCONV_AT_DOT_];
    there.energy = (double *)at[CONVK_SEPCONV_AT_ENERGY_];
  }
  return convk_cuda_sepconv3d(gi, go, filter, boundary, e ? &there : NULL, (const CONVK_T *)at[CONVK_DEVICE_IN_], out, work,
                              need, host->stream);
}

CONVK_LOCAL_ int convk_potential_there_(convk_cuda_host_ *host, const convk_grid3 *orbital, const convk_grid3 *values,
                                        const int *boundary, void *const *at, size_t need) {
  return convk_cuda_potential_apply(orbital, values, boundary, (const CONVK_T *)at[CONVK_SEPCONV_AT_POTENTIAL_],
                                    (const CONVK_T *)at[CONVK_DEVICE_IN_], (CONVK_T *)at[CONVK_DEVICE_OUT_],
                                    (double *)at[CONVK_SEPCONV_AT_ENERGY_], at[CONVK_DEVICE_WORK_], need, host->stream);
}

CONVK_LOCAL_ int convk_transpose_there_(convk_cuda_host_ *host, size_t n, size_t ndat, const convk_filter *filter, int boundary,
                                        void *in, void *out) {
  return convk_cuda_conv1d_transpose(n, ndat, 0, 0, filter, boundary, (const CONVK_T *)in, (CONVK_T *)out, host->stream);
}
#endif
