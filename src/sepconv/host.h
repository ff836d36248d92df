#if CONVK_HAS_SEPCONV_
/* ---- host arrays on a device ----
   What convk_<operation>_<type> calls on a handle of a device, and callable by name on such a handle (another gives
   CONVK_ERR_HANDLE, NULL gives CONVK_ERR_NULL).  They copy, run, and wait.  Arguments and errors as in convk.h, and MEMORY,
   DEVICE, and with OpenCL FP64 and BUILD, with hw->message; `work` and the thread hook are ignored.  On an error of the device,
   what is in the outputs is undefined. */

CONVK_API_ int convk_sepconv3d_device CONVK_OP_SEPCONV3D_(CONVK_OP_PARAMETERS_) {
  const convk_grid3 number = {1, 1, 1, 1, 1};
  const size_t s = sizeof(CONVK_T), d = sizeof(double);
  CONVK_DEVICE_(memory) at[CONVK_DEVICE_ARRAYS_];
  CONVK_DEVICE_(host) *host = NULL;
  convk_sepconv_job_ job;
  convk_sepconv_epilogue e;
  convk_grid3 gi, go;
  int status = CONVK_DEVICE_(host_of)(hw, &host);
  (void)(work && work_size);
  if (!status) status = convk_sepconv_check_(convk_message_(hw), shape, filter, epilogue, in, out, NULL, 0, &job);
  if (!status) status = CONVK_DEVICE_(able)(host, s, job.actions & CONVK_SEPCONV_SUMS_);
  if (!status) status = CONVK_DEVICE_(begin)(host);
  if (status) return status;
  memset(&e, 0, sizeof e);
  if (job.epilogue) e = *job.epilogue;
  gi = convk_packed_(&job.gi);
  go = convk_packed_(&job.go);
  status = CONVK_DEVICE_(bring)(host, CONVK_DEVICE_IN_, &job.gi, s, in, 1, &at[CONVK_DEVICE_IN_]);
  if (!status) status = CONVK_DEVICE_(bring)(host, CONVK_DEVICE_OUT_, &job.go, s, out, e.update, &at[CONVK_DEVICE_OUT_]);
  if (!status)
    status =
        CONVK_DEVICE_(bring)(host, CONVK_SEPCONV_AT_POTENTIAL_, &job.go, s, e.potential, 1, &at[CONVK_SEPCONV_AT_POTENTIAL_]);
  if (!status)
    status = CONVK_DEVICE_(bring)(host, CONVK_SEPCONV_AT_DENSITY_, &job.go, s, e.density, 1, &at[CONVK_SEPCONV_AT_DENSITY_]);
  if (!status) status = CONVK_DEVICE_(bring)(host, CONVK_SEPCONV_AT_DOT_, &number, d, e.dot, 0, &at[CONVK_SEPCONV_AT_DOT_]);
  if (!status)
    status = CONVK_DEVICE_(bring)(host, CONVK_SEPCONV_AT_ENERGY_, &number, d, e.energy, 0, &at[CONVK_SEPCONV_AT_ENERGY_]);
  if (!status) status = convk_sepconv_there_(host, &gi, &go, filter, shape->boundary, job.epilogue ? &e : NULL, at);
  if (!status && out) status = CONVK_DEVICE_(copy)(host, 1, at[CONVK_DEVICE_OUT_], &job.go, s, out);
  if (!status && e.density) status = CONVK_DEVICE_(copy)(host, 1, at[CONVK_SEPCONV_AT_DENSITY_], &job.go, s, e.density);
  if (!status && e.dot) status = CONVK_DEVICE_(fetch)(host, at[CONVK_SEPCONV_AT_DOT_], d, e.dot);
  if (!status && e.energy) status = CONVK_DEVICE_(fetch)(host, at[CONVK_SEPCONV_AT_ENERGY_], d, e.energy);
  return CONVK_DEVICE_(end)(host, status);
}

CONVK_API_ int convk_magicfilter3d_device CONVK_OP_MAGICFILTER3D_(CONVK_OP_PARAMETERS_) {
  convk_filter filter[3];
  const int status = convk_magicfilter_axes_(convk_message_(hw), direction, filter);
  return status ? status : convk_sepconv3d_device(hw, shape, filter, epilogue, in, out, work, work_size);
}

CONVK_API_ int convk_potential_apply_device CONVK_OP_POTENTIAL_APPLY_(CONVK_OP_PARAMETERS_) {
  const convk_grid3 number = {1, 1, 1, 1, 1};
  const size_t s = sizeof(CONVK_T), d = sizeof(double);
  CONVK_DEVICE_(memory) at[CONVK_DEVICE_ARRAYS_];
  CONVK_DEVICE_(host) *host = NULL;
  convk_potential_shapes_ here;
  convk_grid3 orbital, values;
  size_t need = 0;
  int status = CONVK_DEVICE_(host_of)(hw, &host);
  (void)(work && work_size);
  if (!status) status = convk_potential_apply_check_(convk_message_(hw), shape, potential, psi, out, energy, NULL, 0, &here);
  if (status) return status;
  orbital = convk_packed_(&here.there.in);
  values = convk_packed_(&here.there.out);
  need = CONVK_DEVICE_TYPED_(potential_apply_work_size)(&orbital, &values, shape->boundary, energy != NULL);
  status = need ? CONVK_DEVICE_(able)(host, s, energy != NULL) : CONVK_ERR_OVERFLOW;
  if (!status) status = CONVK_DEVICE_(begin)(host);
  if (status) return status;
  status = CONVK_DEVICE_(bring)(host, CONVK_DEVICE_IN_, &here.there.in, s, psi, 1, &at[CONVK_DEVICE_IN_]);
  if (!status) status = CONVK_DEVICE_(bring)(host, CONVK_DEVICE_OUT_, &here.there.in, s, out, 0, &at[CONVK_DEVICE_OUT_]);
  if (!status)
    status = CONVK_DEVICE_(bring)(host, CONVK_SEPCONV_AT_POTENTIAL_, &here.there.out, s, potential, 1,
                                  &at[CONVK_SEPCONV_AT_POTENTIAL_]);
  if (!status)
    status = CONVK_DEVICE_(bring)(host, CONVK_SEPCONV_AT_ENERGY_, &number, d, energy, 0, &at[CONVK_SEPCONV_AT_ENERGY_]);
  if (!status) status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_WORK_, need, &at[CONVK_DEVICE_WORK_]);
  if (!status) status = convk_potential_there_(host, &orbital, &values, shape->boundary, at, need);
  if (!status) status = CONVK_DEVICE_(copy)(host, 1, at[CONVK_DEVICE_OUT_], &here.there.in, s, out);
  if (!status && energy) status = CONVK_DEVICE_(fetch)(host, at[CONVK_SEPCONV_AT_ENERGY_], d, energy);
  return CONVK_DEVICE_(end)(host, status);
}

CONVK_API_ int convk_conv1d_transpose_device CONVK_OP_CONV1D_TRANSPOSE_(CONVK_OP_PARAMETERS_) {
  convk_transpose_job_ job;
  CONVK_DEVICE_(host) *host = NULL;
  CONVK_DEVICE_(memory) from = NULL, to = NULL;
  convk_grid3 gi = {0, 0, 1, 0, 0}, go = {0, 0, 1, 0, 0};
  int status = CONVK_DEVICE_(host_of)(hw, &host);
  (void)(work && work_size);
  if (!status) status = convk_conv1d_check_(convk_message_(hw), shape, filter, in, out, NULL, 0, &job);
  if (!status) status = CONVK_DEVICE_(able)(host, sizeof *in, 0);
  if (!status) status = CONVK_DEVICE_(begin)(host);
  if (status) return status;
  gi.nx = shape->n;
  gi.ny = go.nx = shape->ndat;
  gi.pitch_y = job.ld_in;
  gi.pitch_z = gi.ny * gi.pitch_y;
  go.ny = job.axis.m;
  go.pitch_y = job.ld_out;
  go.pitch_z = go.ny * go.pitch_y;
  status = CONVK_DEVICE_(bring)(host, CONVK_DEVICE_IN_, &gi, sizeof *in, in, 1, &from);
  if (!status) status = CONVK_DEVICE_(bring)(host, CONVK_DEVICE_OUT_, &go, sizeof *in, out, 0, &to);
  if (!status) status = convk_transpose_there_(host, shape->n, shape->ndat, filter, shape->boundary, from, to);
  if (!status) status = CONVK_DEVICE_(copy)(host, 1, to, &go, sizeof *in, out);
  return CONVK_DEVICE_(end)(host, status);
}
#endif
