/* ---- separable convolutions: device arrays ---- */

/* Parts of the work memory, in bytes from its aligned beginning. */
typedef struct CONVK_PRIVATE_(cuda_sepconv_cut) {
  size_t result, dot, energy, need;
} CONVK_PRIVATE_(cuda_sepconv_cut);

/* The array between the kernels lies at the beginning; the result of z has a place of its own where the epilogue sums it
   and `out` cannot hold it. */
CONVK_LOCAL_ int CONVK_PRIVATE_(cuda_sepconv_cut_of)(const convk_axis_ axis[3], const CONVK_TYPED_(epilogue) *epilogue,
                                                   int has_out, CONVK_PRIVATE_(cuda_sepconv_cut) *cut) {
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

CONVK_LOCAL_ size_t CONVK_PRIVATE_(cuda_sepconv_need)(const convk_grid3 *in_grid, const CONVK_TYPED_(filter) *filter,
                                                    const int *boundary, const CONVK_TYPED_(epilogue) *epilogue, int has_out) {
  convk_grid3 out;
  convk_axis_ axis[3];
  CONVK_PRIVATE_(cuda_sepconv_cut) cut;
  if (CONVK_TYPED_(sepconv3d_output_grid)(in_grid, filter, boundary, &out)) return 0;
  (void)CONVK_PRIVATE_(axes_check)(in_grid, filter, boundary, axis);
  return CONVK_PRIVATE_(cuda_sepconv_cut_of)(axis, epilogue, has_out, &cut) ? 0 : cut.need;
}

CONVK_LOCAL_ convk_cuda_taps_<CONVK_T> CONVK_PRIVATE_(cuda_sepconv_taps)(const CONVK_T *taps, size_t count) {
  convk_cuda_taps_<CONVK_T> t;
  memset(&t, 0, sizeof t);
  memcpy(t.value, taps, count * sizeof *taps);
  return t;
}

CONVK_LOCAL_ convk_cuda_epilogue_<CONVK_T> CONVK_PRIVATE_(cuda_sepconv_epilogue)(const CONVK_TYPED_(epilogue) *from) {
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
CONVK_LOCAL_ int CONVK_PRIVATE_(cuda_sepconv_z)(const CONVK_PRIVATE_(sepconv_job) *job, const CONVK_T *mid, CONVK_T *out,
                                              size_t pitch_y, size_t pitch_z, const CONVK_TYPED_(epilogue) *epilogue,
                                              cudaStream_t stream) {
  const size_t threads = CONVK_CUDA_Z_THREADS_, group = CONVK_CUDA_GROUP_, most = CONVK_CUDA_Z_CHUNK_;
  const size_t enough = (size_t)1 << 18; /* threads that fill a large device */
  convk_cuda_z_args_<CONVK_T> a;
  size_t chunk;
  memset(&a, 0, sizeof a);
  a.mid = mid;
  a.out = out;
  a.mx = job->axis[0].m;
  a.columns = job->axis[0].m * job->axis[1].m;
  a.blocks = convk_ceil_(a.columns, threads);
  a.z = job->axis[2];
  chunk = a.z.m; /* long ones read little twice, but there must be enough of them */
  if (a.columns < enough) chunk = convk_ceil_(chunk, enough / a.columns);
  if (chunk < 2 * group) chunk = 2 * group;
  if (chunk > most) chunk = most;
  chunk = convk_round_up_(chunk, group);
  a.chunk = (int)chunk;
  a.chunks = convk_ceil_(a.z.m, chunk);
  a.pitch_y = pitch_y;
  a.pitch_z = pitch_z;
  a.taps = CONVK_PRIVATE_(cuda_sepconv_taps)(job->taps[2], a.z.ntaps);
  a.epilogue = CONVK_PRIVATE_(cuda_sepconv_epilogue)(epilogue);
  return convk_cuda_start_(a.z.ntaps == 16 ? epilogue ? convk_cuda_z_<CONVK_T, 16, 1> : convk_cuda_z_<CONVK_T, 16, 0>
                           : epilogue ? convk_cuda_z_<CONVK_T, 0, 1>
                                           : convk_cuda_z_<CONVK_T, 0, 0>,
                           a.blocks * a.chunks, (int)threads, stream, a);
}

/* The epilogue with its sums, on the result of z. */
CONVK_LOCAL_ int CONVK_PRIVATE_(cuda_sepconv_finish)(const CONVK_PRIVATE_(sepconv_job) *job, const CONVK_T *result,
                                                   size_t result_y, size_t result_z, char *base,
                                                   const CONVK_PRIVATE_(cuda_sepconv_cut) *cut, cudaStream_t stream) {
  const CONVK_TYPED_(epilogue) *e = job->epilogue;
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
  a.epilogue = CONVK_PRIVATE_(cuda_sepconv_epilogue)(e);
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

CONVK_API_ size_t CONVK_TYPED_(cuda_sepconv3d_work_size)(const convk_grid3 *in_grid, const CONVK_TYPED_(filter) filter[3],
                                                         const int boundary[3], const CONVK_TYPED_(epilogue) *epilogue) {
  return CONVK_PRIVATE_(cuda_sepconv_need)(in_grid, filter, boundary, epilogue, 0);
}

CONVK_API_ int CONVK_TYPED_(cuda_sepconv3d)(const convk_grid3 *in_grid, const convk_grid3 *out_grid,
                                            const CONVK_TYPED_(filter) filter[3], const int boundary[3],
                                            const CONVK_TYPED_(epilogue) *epilogue, const CONVK_T *in, CONVK_T *out, void *work,
                                            size_t work_size, cudaStream_t stream) {
  CONVK_PRIVATE_(sepconv_job) job;
  CONVK_PRIVATE_(cuda_sepconv_cut) cut;
  convk_cuda_xy_args_<CONVK_T> a;
  const CONVK_TYPED_(epilogue) *e;
  CONVK_T *result;
  char *base = NULL;
  size_t pitch_y, pitch_z;
  int known, status = CONVK_PRIVATE_(sepconv_check)(in_grid, out_grid, filter, boundary, epilogue, in, out, &job);
  if (!status) status = CONVK_PRIVATE_(cuda_sepconv_cut_of)(job.axis, job.epilogue, out != NULL, &cut);
  if (!status) status = convk_cuda_work_(work, work_size, cut.need, &base);
  if (status) return status;
  e = job.epilogue;
  known = job.axis[0].ntaps == 16 && job.axis[1].ntaps == 16;
  memset(&a, 0, sizeof a);
  a.in = in;
  a.mid = (CONVK_T *)(void *)base;
  a.pitch_y = job.gi.pitch_y;
  a.pitch_z = job.gi.pitch_z;
  a.nz = job.gi.nz;
  a.x = job.axis[0];
  a.y = job.axis[1];
  a.tiles_x = convk_ceil_(a.x.m, CONVK_CUDA_TILE_(known));
  a.tiles_y = convk_ceil_(a.y.m, CONVK_CUDA_XY_ROWS_);
  a.taps_x = CONVK_PRIVATE_(cuda_sepconv_taps)(job.taps[0], a.x.ntaps);
  a.taps_y = CONVK_PRIVATE_(cuda_sepconv_taps)(job.taps[1], a.y.ntaps);
  status = convk_cuda_start_(known ? convk_cuda_xy_<CONVK_T, 16> : convk_cuda_xy_<CONVK_T, 0>, a.tiles_x * a.tiles_y * a.nz,
                             CONVK_CUDA_XY_THREADS_, stream, a);
  if (status) return status;
  if (!(job.actions & CONVK_SEPCONV_SUMS_))
    return CONVK_PRIVATE_(cuda_sepconv_z)(&job, a.mid, out, job.go.pitch_y, job.go.pitch_z, e, stream);
  result = out; /* where it waits in place */
  pitch_y = job.go.pitch_y;
  pitch_z = job.go.pitch_z;
  if (!out || e->update) {
    result = (CONVK_T *)(void *)(base + cut.result);
    pitch_y = job.go.nx;
    pitch_z = job.go.nx * job.go.ny;
  }
  status = CONVK_PRIVATE_(cuda_sepconv_z)(&job, a.mid, result, pitch_y, pitch_z, NULL, stream);
  return status ? status : CONVK_PRIVATE_(cuda_sepconv_finish)(&job, result, pitch_y, pitch_z, base, &cut, stream);
}

CONVK_API_ size_t CONVK_TYPED_(cuda_magicfilter3d_work_size)(const convk_grid3 *in_grid, int direction, const int boundary[3],
                                                             const CONVK_TYPED_(epilogue) *epilogue) {
  CONVK_TYPED_(filter) filter[3];
  if (CONVK_PRIVATE_(magicfilter_axes)(direction, filter)) return 0;
  return CONVK_PRIVATE_(cuda_sepconv_need)(in_grid, filter, boundary, epilogue, 0);
}

CONVK_API_ int CONVK_TYPED_(cuda_magicfilter3d)(const convk_grid3 *in_grid, const convk_grid3 *out_grid, int direction,
                                                const int boundary[3], const CONVK_TYPED_(epilogue) *epilogue,
                                                const CONVK_T *in, CONVK_T *out, void *work, size_t work_size,
                                                cudaStream_t stream) {
  CONVK_TYPED_(filter) filter[3];
  const int status = CONVK_PRIVATE_(magicfilter_axes)(direction, filter);
  return status ? status
                : CONVK_TYPED_(cuda_sepconv3d)(in_grid, out_grid, filter, boundary, epilogue, in, out, work, work_size, stream);
}

/* Bytes of work of both filters, after the array of values. */
CONVK_LOCAL_ int CONVK_PRIVATE_(cuda_potential_need)(const convk_potential_grids_ *grids, const int *boundary, int with_energy,
                                                   size_t *need) {
  CONVK_TYPED_(filter) filter[3];
  CONVK_TYPED_(epilogue) epilogue;
  double energy;
  size_t there, home;
  memset(&epilogue, 0, sizeof epilogue);
  epilogue.energy = with_energy ? &energy : NULL; /* only whether there is one counts */
  (void)CONVK_PRIVATE_(magicfilter_axes)(CONVK_FORWARD, filter);
  there = CONVK_PRIVATE_(cuda_sepconv_need)(&grids->orbital, filter, boundary, &epilogue, 1);
  (void)CONVK_PRIVATE_(magicfilter_axes)(CONVK_INVERSE, filter);
  home = CONVK_PRIVATE_(cuda_sepconv_need)(&grids->values, filter, grids->back, NULL, 1);
  if (!there || !home || grids->bytes > (size_t)-1 / 4) return CONVK_ERR_OVERFLOW;
  *need = (there > home ? there : home) + convk_round_up_(grids->bytes, 256) + 256;
  return CONVK_OK;
}

CONVK_API_ size_t CONVK_TYPED_(cuda_potential_apply_work_size)(const convk_grid3 *grid, const convk_grid3 *potential_grid,
                                                               const int boundary[3], int with_energy) {
  convk_potential_grids_ grids;
  size_t need;
  if (CONVK_PRIVATE_(potential_apply_shapes)(grid, potential_grid, boundary, &grids)) return 0;
  return CONVK_PRIVATE_(cuda_potential_need)(&grids, boundary, with_energy, &need) ? 0 : need;
}

CONVK_API_ int CONVK_TYPED_(cuda_potential_apply)(const convk_grid3 *grid, const convk_grid3 *potential_grid,
                                                  const int boundary[3], const CONVK_T *potential, const CONVK_T *psi,
                                                  CONVK_T *out, double *energy, void *work, size_t work_size,
                                                  cudaStream_t stream) {
  CONVK_TYPED_(epilogue) epilogue;
  convk_potential_grids_ grids;
  CONVK_T *between;
  char *base = NULL;
  size_t bytes, need;
  int status = CONVK_PRIVATE_(potential_apply_check)(grid, potential_grid, boundary, potential, psi, out, energy, work,
                                                     work_size, &grids);
  if (!status) status = CONVK_PRIVATE_(cuda_potential_need)(&grids, boundary, energy != NULL, &need);
  if (!status) status = convk_cuda_work_(work, work_size, need, &base);
  if (status) return status;
  memset(&epilogue, 0, sizeof epilogue);
  epilogue.potential = potential;
  epilogue.energy = energy;
  between = (CONVK_T *)(void *)base;
  bytes = convk_round_up_(grids.bytes, 256);
  need -= bytes + 256;
  status = CONVK_TYPED_(cuda_magicfilter3d)(grid, &grids.values, CONVK_FORWARD, boundary, &epilogue, psi, between, base + bytes,
                                            need, stream);
  return status ? status
                : CONVK_TYPED_(cuda_magicfilter3d)(&grids.values, grid, CONVK_INVERSE, grids.back, NULL, between, out,
                                                   base + bytes, need, stream);
}

CONVK_API_ int CONVK_TYPED_(cuda_conv1d_transpose)(size_t n, size_t ndat, size_t ld_in, size_t ld_out,
                                                   const CONVK_TYPED_(filter) *filter, int boundary, const CONVK_T *in,
                                                   CONVK_T *out, cudaStream_t stream) {
  CONVK_PRIVATE_(transpose_job) job;
  convk_cuda_turn_args_<CONVK_T> a;
  const int status = CONVK_PRIVATE_(conv1d_check)(n, ndat, ld_in, ld_out, filter, boundary, in, out, NULL, 0, &job);
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
  a.taps = CONVK_PRIVATE_(cuda_sepconv_taps)(job.taps, a.axis.ntaps);
  return convk_cuda_start_(a.axis.ntaps == 16 ? convk_cuda_turn_<CONVK_T, 16> : convk_cuda_turn_<CONVK_T, 0>,
                           a.tiles * a.strips, CONVK_CUDA_TURN_THREADS_, stream, a);
}

/* ---- separable convolutions: host arrays ----
   What convk_<operation>_<type> calls on a handle of "cuda", and callable by name on such a handle (another gives
   CONVK_ERR_HANDLE, NULL gives CONVK_ERR_NULL).  Arguments as the functions of the same name in convk.h, with CONVK_ERR_DEVICE
   and CONVK_ERR_MEMORY besides; `work` and the thread hook are ignored.  On an error of the device, what is in the outputs is
   undefined. */

/* The buffer `work` begins with the sums. */
#define CONVK_CUDA_SUMS_ ((size_t)256)

CONVK_API_ int CONVK_VARIANT_(sepconv3d) CONVK_OP_SEPCONV3D_(CONVK_OP_PARAMETERS_) {
  CONVK_PRIVATE_(sepconv_job) job;
  CONVK_TYPED_(epilogue) e;
  convk_cuda_call_ call;
  CONVK_PRIVATE_(cuda_sepconv_cut) cut;
  convk_grid3 gi, go;
  CONVK_T *there = NULL, *back = NULL, *potential = NULL, *density = NULL;
  double sums[2] = {0, 0};
  void *buffer = NULL;
  int status = convk_cuda_handle_(hw);
  (void)work;
  (void)work_size;
  if (!status) status = CONVK_PRIVATE_(sepconv_check)(in_grid, out_grid, filter, boundary, epilogue, in, out, &job);
  if (!status) status = CONVK_PRIVATE_(cuda_sepconv_cut_of)(job.axis, job.epilogue, out != NULL, &cut);
  if (!status) status = convk_cuda_begin_(hw, &call);
  if (status) return status;
  memset(&e, 0, sizeof e);
  if (job.epilogue) e = *job.epilogue;
  gi = convk_cuda_packed_(&job.gi);
  go = convk_cuda_packed_(&job.go);
  status = convk_cuda_buffer_(&call, CONVK_CUDA_WORK_, CONVK_CUDA_SUMS_ + cut.need, &buffer);
  if (!status) status = convk_cuda_bring_(&call, CONVK_CUDA_IN_, &job.gi, in, 1, &there);
  if (!status && out) status = convk_cuda_bring_(&call, CONVK_CUDA_OUT_, &job.go, out, e.update, &back);
  if (!status && e.potential) status = convk_cuda_bring_(&call, CONVK_CUDA_POTENTIAL_, &job.go, e.potential, 1, &potential);
  if (!status && e.density) status = convk_cuda_bring_(&call, CONVK_CUDA_DENSITY_, &job.go, e.density, 1, &density);
  if (!status) {
    e.potential = potential;
    e.density = density;
    if (e.dot) e.dot = (double *)buffer;
    if (e.energy) e.energy = (double *)buffer + 1;
    status = CONVK_TYPED_(cuda_sepconv3d)(&gi, &go, filter, boundary, job.epilogue ? &e : NULL, there, back,
                                          (char *)buffer + CONVK_CUDA_SUMS_, cut.need, call.device->stream);
  }
  if (!status && job.actions & CONVK_SEPCONV_SUMS_)
    status = convk_cuda_copy_(&call, sums, buffer, sizeof sums, cudaMemcpyDeviceToHost);
  if (!status && e.density) status = convk_cuda_fetch_(&call, &job.go, job.epilogue->density, density);
  if (!status && out) status = convk_cuda_fetch_(&call, &job.go, out, back);
  status = convk_cuda_end_(&call, status);
  if (!status && e.dot) *job.epilogue->dot = sums[0];
  if (!status && e.energy) *job.epilogue->energy = sums[1];
  return status;
}

CONVK_API_ int CONVK_VARIANT_(magicfilter3d) CONVK_OP_MAGICFILTER3D_(CONVK_OP_PARAMETERS_) {
  CONVK_TYPED_(filter) filter[3];
  const int status = CONVK_PRIVATE_(magicfilter_axes)(direction, filter);
  return status ? status
                : CONVK_VARIANT_(sepconv3d)(hw, in_grid, out_grid, filter, boundary, epilogue, in, out, work, work_size);
}

CONVK_API_ int CONVK_VARIANT_(potential_apply) CONVK_OP_POTENTIAL_APPLY_(CONVK_OP_PARAMETERS_) {
  convk_cuda_call_ call;
  convk_potential_grids_ here, packed;
  CONVK_T *there = NULL, *back = NULL, *v = NULL;
  size_t need = 0;
  double sum = 0;
  void *buffer = NULL;
  int status = convk_cuda_handle_(hw);
  (void)work;
  (void)work_size;
  if (!status)
    status = CONVK_PRIVATE_(potential_apply_check)(grid, potential_grid, boundary, potential, psi, out, energy, NULL, 0, &here);
  if (status) return status;
  packed = here;
  packed.orbital = convk_cuda_packed_(&here.orbital);
  packed.values = convk_cuda_packed_(&here.values);
  packed.bytes = packed.values.nz * packed.values.pitch_z * sizeof(CONVK_T);
  status = CONVK_PRIVATE_(cuda_potential_need)(&packed, boundary, energy != NULL, &need);
  if (!status) status = convk_cuda_begin_(hw, &call);
  if (status) return status;
  status = convk_cuda_buffer_(&call, CONVK_CUDA_WORK_, CONVK_CUDA_SUMS_ + need, &buffer);
  if (!status) status = convk_cuda_bring_(&call, CONVK_CUDA_IN_, &here.orbital, psi, 1, &there);
  if (!status) status = convk_cuda_bring_(&call, CONVK_CUDA_OUT_, &here.orbital, out, 0, &back);
  if (!status) status = convk_cuda_bring_(&call, CONVK_CUDA_POTENTIAL_, &here.values, potential, 1, &v);
  if (!status)
    status = CONVK_TYPED_(cuda_potential_apply)(&packed.orbital, &packed.values, boundary, v, there, back,
                                                energy ? (double *)buffer : NULL, (char *)buffer + CONVK_CUDA_SUMS_, need,
                                                call.device->stream);
  if (!status && energy) status = convk_cuda_copy_(&call, &sum, buffer, sizeof sum, cudaMemcpyDeviceToHost);
  if (!status) status = convk_cuda_fetch_(&call, &here.orbital, out, back);
  status = convk_cuda_end_(&call, status);
  if (!status && energy) *energy = sum;
  return status;
}

CONVK_API_ int CONVK_VARIANT_(conv1d_transpose) CONVK_OP_CONV1D_TRANSPOSE_(CONVK_OP_PARAMETERS_) {
  CONVK_PRIVATE_(transpose_job) job;
  convk_cuda_call_ call;
  CONVK_T *there = NULL, *back = NULL;
  int status = convk_cuda_handle_(hw);
  (void)work;
  (void)work_size;
  if (!status) status = CONVK_PRIVATE_(conv1d_check)(n, ndat, ld_in, ld_out, filter, boundary, in, out, NULL, 0, &job);
  if (!status) status = convk_cuda_begin_(hw, &call);
  if (!status) {
    const convk_grid3 gi = {n, 1, ndat, job.ld_in, job.ld_in}, go = {ndat, 1, job.axis.m, job.ld_out, job.ld_out};
    status = convk_cuda_bring_(&call, CONVK_CUDA_IN_, &gi, in, 1, &there);
    if (!status) status = convk_cuda_bring_(&call, CONVK_CUDA_OUT_, &go, out, 0, &back);
    if (!status)
      status = CONVK_TYPED_(cuda_conv1d_transpose)(n, ndat, 0, 0, filter, boundary, there, back, call.device->stream);
    if (!status) status = convk_cuda_fetch_(&call, &go, out, back);
    status = convk_cuda_end_(&call, status);
  }
  return status;
}
