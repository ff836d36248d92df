/* ---- host arrays on a device ----
   What convk_<operation>_<type> calls on a handle of a device, and callable by name on such a handle (another gives
   CONVK_ERR_HANDLE, NULL gives CONVK_ERR_NULL).  They copy, run, and wait.  Arguments and errors as in convk.h, and MEMORY,
   DEVICE, and with OpenCL FP64 and BUILD, with hw->message; `work` and the thread hook are ignored.  On an error of the device,
   what is in the outputs is undefined. */

/* The part of axis z that makes outputs `result`, as an axis of its own, and the inputs that it takes, which wrap around where
   the axis is periodic.  same: also those at the places of its outputs, which the sum `dot` takes. */
CONVK_LOCAL_ convk_axis_ convk_filters_part_(const convk_axis_ *axis, convk_window_ result, int same, convk_window_ *window) {
  const int64_t n = (int64_t)axis->n;
  convk_axis_ part = *axis;
  window->first = result.first + axis->shift;
  window->end = result.end - 1 + axis->shift + (int64_t)axis->ntaps;
  if (same && window->first > result.first) window->first = result.first;
  if (same && window->end < result.end) window->end = result.end;
  if (axis->boundary != CONVK_BOUNDARY_PERIODIC) {
    if (window->first > n - 1) window->first = n - 1; /* all are zeros */
    if (window->first < 0) window->first = 0;
    if (window->end > n) window->end = n;
    if (window->end < window->first + 1) window->end = window->first + 1;
  }
  part.n = (size_t)(window->end - window->first);
  part.m = (size_t)(result.end - result.first);
  part.shift = (ptrdiff_t)(result.first + axis->shift - window->first);
  part.boundary = CONVK_BOUNDARY_ZERO;
  return part;
}

/* Planes of a result that a part makes. */
CONVK_LOCAL_ convk_window_ convk_filters_result_of_(size_t planes, size_t each, size_t part) {
  convk_window_ result;
  result.first = (int64_t)(part * each);
  result.end = (int64_t)((part + 1) * each < planes ? (part + 1) * each : planes);
  return result;
}

/* Units of a call in parts, one where a periodic axis is too short for windows that wrap around once. */
CONVK_LOCAL_ size_t convk_filters_units_(const convk_axis_ *axis, size_t reach) {
  return axis->boundary == CONVK_BOUNDARY_PERIODIC && axis->n < 2 * reach ? 1 : axis->m;
}

/* A slot of a buffer, or none. */
#define CONVK_SLOT_(memory, bytes) \
  ((memory) ? CONVK_DEVICE_(array_at)(CONVK_DEVICE_(array_of)(memory), bytes, sizeof(CONVK_T)) : CONVK_DEVICE_(array_of)(NULL))

/* A checked call of sepconv3d. */
typedef struct convk_filters_arrays_ {
  convk_filters_call_ c; /* of the whole */
  convk_grid3 gi, go;    /* the caller's grids */
  size_t each, parts;
  int same;
  CONVK_DEVICE_(flow) in;
  convk_staged_ b[3], sum[2]; /* out, the potential, the density; both sums */
  CONVK_DEVICE_(memory) at[CONVK_DEVICE_ARRAYS_];
} convk_filters_arrays_;

/* The axis of a part; of the only one all of it. */
CONVK_LOCAL_ convk_axis_ convk_filters_axis_of_(const convk_filters_arrays_ *a, size_t part, convk_window_ *result,
                                                convk_window_ *window) {
  const convk_axis_ *const z = &a->c.job.axis[2];
  const convk_axis_ own = convk_filters_part_(z, *result = convk_filters_result_of_(z->m, a->each, part), a->same, window);
  if (a->parts > 1) return own;
  window->first = 0;
  window->end = (int64_t)z->n;
  return *z;
}

CONVK_LOCAL_ int convk_filters_bring_(CONVK_DEVICE_(host) *host, void *arrays, size_t part, size_t slot) {
  const convk_filters_arrays_ *const a = (const convk_filters_arrays_ *)arrays;
  convk_window_ result, window, last;
  size_t i;
  int status;
  (void)convk_filters_axis_of_(a, part ? part - 1 : 0, &result, &last);
  (void)convk_filters_axis_of_(a, part, &result, &window);
  status = CONVK_DEVICE_(flow_bring)(host, &a->in, part, slot, window, last.end);
  for (i = 0; i < 3 && !status; i++)
    if (a->b[i].array && a->b[i].upload)
      status = CONVK_DEVICE_(planes)(host, 0, a->at[a->b[i].which], slot * a->each, &a->b[i], result);
  return status;
}

CONVK_LOCAL_ int convk_filters_work_(CONVK_DEVICE_(host) *host, void *arrays, size_t part, size_t slot) {
  const convk_filters_arrays_ *const a = (const convk_filters_arrays_ *)arrays;
  const size_t s = sizeof(CONVK_T), in = a->gi.nx * a->gi.ny * s, out = slot * a->each * a->go.nx * a->go.ny * s;
  const size_t first = slot * a->in.planes * in;
  CONVK_DEVICE_(call) call = CONVK_DEVICE_(call_on)(host);
  convk_filters_call_ c = a->c;
  convk_filters_parts_ parts;
  convk_window_ result, window, last, next;
  int status;
  call.planes = a->gi.nz;
  (void)convk_filters_axis_of_(a, part ? part - 1 : 0, &result, &last);
  (void)convk_filters_axis_of_(a, part + 1 < a->parts ? part + 1 : part, &result, &next);
  c.job.axis[2] = convk_filters_axis_of_(a, part, &result, &window);
  status = CONVK_DEVICE_(flow_join)(host, &a->in, part, slot, window, last.end, part + 1 < a->parts ? next.first : window.end);
  c.job.gi.nz = c.job.axis[2].n;
  c.job.go.nz = c.sum_planes = c.job.axis[2].m;
  c.sum_more = part > 0;
  c.in = CONVK_SLOT_(a->in.memory, first);
  c.same = CONVK_SLOT_(a->in.memory, first + (a->same ? (size_t)(result.first - window.first) * in : 0));
  c.out = CONVK_SLOT_(a->at[CONVK_DEVICE_OUT_], out);
  c.e.potential = CONVK_SLOT_(a->at[CONVK_FILTERS_AT_POTENTIAL_], out);
  c.e.density = CONVK_SLOT_(a->at[CONVK_FILTERS_AT_DENSITY_], out);
  c.e.dot = CONVK_DEVICE_(array_of)(a->at[CONVK_FILTERS_AT_DOT_]);
  c.e.energy = CONVK_DEVICE_(array_of)(a->at[CONVK_FILTERS_AT_ENERGY_]);
  if (!status) status = convk_filters_parts_of_(call.message, c.job.axis, c.job.actions, &parts);
  if (!status) status = convk_filters_run_(&call, &c, &parts, CONVK_DEVICE_(array_of)(a->at[CONVK_DEVICE_WORK_]));
  return CONVK_DEVICE_(call_end)(&call, status);
}

CONVK_LOCAL_ int convk_filters_back_(CONVK_DEVICE_(host) *host, void *arrays, size_t part, size_t slot) {
  const convk_filters_arrays_ *const a = (const convk_filters_arrays_ *)arrays;
  const convk_window_ result = convk_filters_result_of_(a->go.nz, a->each, part);
  size_t i;
  int status = CONVK_OK;
  for (i = 0; i < 3 && !status; i++)
    if (a->b[i].array && a->b[i].back)
      status = CONVK_DEVICE_(planes)(host, 1, a->at[a->b[i].which], slot * a->each, &a->b[i], result);
  return status;
}

/* How a call goes in parts, and its buffers. */
CONVK_LOCAL_ int convk_filters_buffers_(CONVK_DEVICE_(host) *host, convk_filters_arrays_ *a) {
  const size_t s = sizeof(CONVK_T), in = a->gi.nx * a->gi.ny * s, out = a->go.nx * a->go.ny * s;
  const convk_axis_ *const z = &a->c.job.axis[2];
  const size_t more = z->ntaps + (a->same ? z->ntaps : 0), units = convk_filters_units_(z, more), all = z->m / units;
  convk_axis_ axis[3];
  convk_filters_parts_ parts;
  size_t each_out = 0, places, i;
  int status;
  memcpy(axis, a->c.job.axis, sizeof axis);
  axis[2].n = 1 + more;
  axis[2].m = 1;
  for (i = 0; i < 3; i++) each_out += a->b[i].array ? out : 0;
  status =
      convk_filters_parts_of_(host->hw->message, axis, a->c.job.actions, &parts); /* work of a plane and what is around it */
  if (!status)
    status = CONVK_DEVICE_(parts_of)(host, units, (in + each_out + a->go.nx * a->gi.ny * s + parts.need / (2 + more)) * all,
                                     more * in, parts.need + 2 * (more + 1) * in, z->ntaps, &a->each);
  if (status) return status;
  a->each = a->each == units ? z->m : a->each;
  a->parts = convk_ceil_(z->m, a->each);
  places = a->parts > 1 ? CONVK_SLOTS_ : 1;
  a->in.planes = a->parts > 1 ? a->each + more : z->n;
  a->in.kept = (int64_t)more;
  if (a->parts > 1) axis[2].n = a->in.planes;
  else axis[2].n = z->n;
  axis[2].m = a->each;
  status = convk_filters_parts_of_(host->hw->message, axis, a->c.job.actions, &parts);
  if (!status) status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_IN_, places * a->in.planes * in, &a->in.memory);
  if (!status && places > 1) status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_TAIL_, more * in, &a->in.tail);
  for (i = 0; i < 3 && !status; i++)
    if (a->b[i].array) status = CONVK_DEVICE_(buffer)(host, a->b[i].which, places * a->each * out, &a->at[a->b[i].which]);
  for (i = 0; i < 2 && !status; i++)
    if (a->sum[i].array) status = CONVK_DEVICE_(buffer)(host, a->sum[i].which, sizeof(double), &a->at[a->sum[i].which]);
  return status ? status : CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_WORK_, parts.need, &a->at[CONVK_DEVICE_WORK_]);
}

CONVK_API_ int convk_sepconv3d_device(convk *hw, const convk_sepconv3d_shape *shape, const convk_filter filter[3],
                                      const convk_sepconv_epilogue *epilogue, const CONVK_T *in, CONVK_T *out, void *work,
                                      size_t work_size) {
  static const convk_grid3 number = {1, 1, 1, 1, 1};
  const size_t s = sizeof(CONVK_T), d = sizeof(double);
  CONVK_DEVICE_(host) *host = NULL;
  convk_filters_arrays_ a;
  convk_sepconv_epilogue e;
  int status = CONVK_DEVICE_(host_of)(hw, &host);
  (void)(work && work_size);
  memset(&a, 0, sizeof a);
  memset(&e, 0, sizeof e);
  if (!status) status = convk_filters_check_(convk_message_(hw), shape, filter, epilogue, in, out, NULL, 0, &a.c.job);
  if (!status) status = CONVK_DEVICE_(able)(host, s, a.c.job.actions & CONVK_FILTERS_SUMS_);
  if (!status) status = CONVK_DEVICE_(begin)(host);
  if (status) return status;
  if (epilogue) e = *epilogue;
  a.gi = a.c.job.gi;
  a.go = a.c.job.go;
  a.same = (a.c.job.actions & CONVK_FILTERS_DOT_) != 0;
  a.c.job.gi = convk_packed_(&a.gi);
  a.c.job.go = a.c.job.ge = convk_packed_(&a.go);
  a.c.e.density_factor = e.density_factor;
  a.c.e.a = e.a;
  a.c.e.b = e.b;
  a.in.b = convk_staged_of_(CONVK_DEVICE_IN_, &a.gi, s, in, 1, 0);
  a.in.count[0] = a.gi.nx;
  a.in.count[1] = a.gi.ny;
  a.b[0] = convk_staged_of_(CONVK_DEVICE_OUT_, &a.go, s, out, e.update, 1);
  a.b[1] = convk_staged_of_(CONVK_FILTERS_AT_POTENTIAL_, &a.go, s, e.potential, 1, 0);
  a.b[2] = convk_staged_of_(CONVK_FILTERS_AT_DENSITY_, &a.go, s, e.density, 1, 1);
  a.sum[0] = convk_staged_of_(CONVK_FILTERS_AT_DOT_, &number, d, e.dot, 0, 1);
  a.sum[1] = convk_staged_of_(CONVK_FILTERS_AT_ENERGY_, &number, d, e.energy, 0, 1);
  status = convk_filters_buffers_(host, &a);
  if (!status)
    status = CONVK_DEVICE_(parts_run)(host, a.parts, convk_filters_bring_, convk_filters_work_, convk_filters_back_, &a);
  if (!status) status = CONVK_DEVICE_(back_all)(host, a.sum, 2, a.at);
  return CONVK_DEVICE_(end)(host, status);
}

CONVK_API_ int convk_magicfilter3d_device(convk *hw, const convk_sepconv3d_shape *shape, int direction,
                                          const convk_sepconv_epilogue *epilogue, const CONVK_T *in, CONVK_T *out, void *work,
                                          size_t work_size) {
  convk_filter filter[3];
  const int status = convk_magicfilter_axes_(convk_message_(hw), direction, filter);
  return status ? status : convk_sepconv3d_device(hw, shape, filter, epilogue, in, out, work, work_size);
}

/* A checked call of potential_apply: of the result's planes those of psi that they need are two filters away. */
typedef struct convk_potential_arrays_ {
  convk_potential_shapes_ here, packed; /* the caller's, and packed ones */
  convk_axis_ axis[2];                  /* z, to the points of the potential and back */
  size_t each, parts, value;            /* planes of a part, parts, planes of values in a slot */
  int energy;
  CONVK_DEVICE_(flow) psi, potential;
  convk_staged_ out, sum;
  CONVK_DEVICE_(memory) at[CONVK_DEVICE_ARRAYS_];
} convk_potential_arrays_;

/* What a part makes, and what it needs: planes of the potential, and of psi; both axes. */
CONVK_LOCAL_ void convk_potential_windows_(const convk_potential_arrays_ *a, size_t part, convk_axis_ axis[2],
                                           convk_window_ *result, convk_window_ *values, convk_window_ *psi) {
  *result = convk_filters_result_of_(a->axis[1].m, a->each, part);
  axis[1] = convk_filters_part_(&a->axis[1], *result, 0, values);
  axis[0] = convk_filters_part_(&a->axis[0], *values, 0, psi);
  if (a->parts > 1) return;
  memcpy(axis, a->axis, sizeof a->axis);
  values->first = psi->first = 0;
  values->end = (int64_t)a->axis[0].m;
  psi->end = (int64_t)a->axis[0].n;
}

CONVK_LOCAL_ int convk_potential_bring_(CONVK_DEVICE_(host) *host, void *arrays, size_t part, size_t slot) {
  const convk_potential_arrays_ *const a = (const convk_potential_arrays_ *)arrays;
  convk_window_ result, values, psi, last_values, last_psi;
  convk_axis_ axis[2];
  int status;
  convk_potential_windows_(a, part ? part - 1 : 0, axis, &result, &last_values, &last_psi);
  convk_potential_windows_(a, part, axis, &result, &values, &psi);
  status = CONVK_DEVICE_(flow_bring)(host, &a->psi, part, slot, psi, last_psi.end);
  return status ? status : CONVK_DEVICE_(flow_bring)(host, &a->potential, part, slot, values, last_values.end);
}

/* The windows of a slot become whole. */
CONVK_LOCAL_ int convk_potential_join_(CONVK_DEVICE_(host) *host, const convk_potential_arrays_ *a, size_t part, size_t slot) {
  const int more = part + 1 < a->parts;
  convk_window_ result, values, psi, last_values, last_psi, next_values, next_psi;
  convk_axis_ axis[2];
  int status;
  convk_potential_windows_(a, part ? part - 1 : 0, axis, &result, &last_values, &last_psi);
  convk_potential_windows_(a, part + (more ? 1 : 0), axis, &result, &next_values, &next_psi);
  convk_potential_windows_(a, part, axis, &result, &values, &psi);
  status = CONVK_DEVICE_(flow_join)(host, &a->psi, part, slot, psi, last_psi.end, more ? next_psi.first : psi.end);
  return status ? status
                : CONVK_DEVICE_(flow_join)(host, &a->potential, part, slot, values, last_values.end,
                                           more ? next_values.first : values.end);
}

CONVK_LOCAL_ int convk_potential_work_(CONVK_DEVICE_(host) *host, void *arrays, size_t part, size_t slot) {
  const convk_potential_arrays_ *const a = (const convk_potential_arrays_ *)arrays;
  const size_t s = sizeof(CONVK_T), plane = a->psi.b.grid->nx * a->psi.b.grid->ny * s;
  const size_t value = a->potential.b.grid->nx * a->potential.b.grid->ny * s;
  CONVK_DEVICE_(call) call = CONVK_DEVICE_(call_on)(host);
  convk_potential_shapes_ shapes = a->packed;
  convk_window_ result, values, psi;
  convk_filters_parts_ parts[2];
  convk_filters_call_ c[2];
  convk_axis_ axis[2];
  size_t need = 0;
  int status;
  call.planes = a->psi.b.grid->nz;
  convk_potential_windows_(a, part, axis, &result, &values, &psi);
  status = convk_potential_join_(host, a, part, slot);
  if (!status) status = convk_potential_parts_(call.message, &shapes, a->energy, c, parts, &need);
  if (status) return CONVK_DEVICE_(call_end)(&call, status);
  shapes.bytes = axis[0].m * value;
  c[0].job.axis[2] = axis[0];
  c[1].job.axis[2] = axis[1];
  c[0].job.gi.nz = axis[0].n;
  c[0].job.go.nz = c[1].job.gi.nz = axis[0].m;
  c[1].job.go.nz = axis[1].m;
  if (a->parts > 1) { /* each plane of the energy once: those of the result, and what a free axis has more at its end */
    const int64_t end = part + 1 < a->parts ? result.end : (int64_t)a->axis[0].m;
    c[0].sum_first = (size_t)(result.first - values.first);
    c[0].sum_planes = (size_t)(end - result.first);
    c[0].sum_more = part > 0;
  }
  if (!status) status = convk_filters_parts_of_(call.message, c[0].job.axis, c[0].job.actions, &parts[0]);
  if (!status) status = convk_filters_parts_of_(call.message, c[1].job.axis, c[1].job.actions, &parts[1]);
  c[0].in = c[0].same = CONVK_SLOT_(a->psi.memory, slot * a->psi.planes * plane);
  c[0].e.potential = CONVK_SLOT_(a->potential.memory, slot * a->value * value);
  c[0].e.energy = CONVK_DEVICE_(array_of)(a->at[CONVK_FILTERS_AT_ENERGY_]);
  c[1].out = CONVK_SLOT_(a->at[CONVK_DEVICE_OUT_], slot * a->each * plane);
  if (!status) status = convk_potential_run_(&call, c, parts, shapes.bytes, CONVK_DEVICE_(array_of)(a->at[CONVK_DEVICE_WORK_]));
  return CONVK_DEVICE_(call_end)(&call, status);
}

CONVK_LOCAL_ int convk_potential_back_(CONVK_DEVICE_(host) *host, void *arrays, size_t part, size_t slot) {
  const convk_potential_arrays_ *const a = (const convk_potential_arrays_ *)arrays;
  const convk_window_ result = convk_filters_result_of_(a->axis[1].m, a->each, part);
  return CONVK_DEVICE_(planes)(host, 1, a->at[CONVK_DEVICE_OUT_], slot * a->each, &a->out, result);
}

CONVK_LOCAL_ int convk_potential_buffers_(CONVK_DEVICE_(host) *host, convk_potential_arrays_ *a) {
  const size_t s = sizeof(CONVK_T), more = a->axis[0].ntaps + a->axis[1].ntaps, half = a->axis[1].ntaps;
  const size_t plane = a->psi.b.grid->nx * a->psi.b.grid->ny * s;
  const size_t value = a->potential.b.grid->nx * a->potential.b.grid->ny * s;
  const size_t units = convk_filters_units_(&a->axis[1], 2 * more);
  convk_potential_shapes_ bound = a->packed; /* of the work that a part needs */
  convk_filters_parts_ parts[2];
  convk_filters_call_ c[2];
  size_t need = 0, each_need, places;
  int status = convk_potential_parts_(host->hw->message, &bound, a->energy, c, parts, &need);
  each_need = need / a->axis[0].n + 1;
  if (!status)
    status = CONVK_DEVICE_(parts_of)(host, units, (2 * plane + value + each_need) * (a->axis[1].m / units),
                                     more * plane + half * value, (more + 1) * (each_need + plane) + half * value + 8192, more,
                                     &a->each);
  if (status) return status;
  a->each = a->each == units ? a->axis[1].m : a->each;
  a->parts = convk_ceil_(a->axis[1].m, a->each);
  places = a->parts > 1 ? CONVK_SLOTS_ : 1;
  a->psi.planes = a->parts > 1 ? a->each + more : a->axis[0].n;
  a->potential.planes = a->value = a->parts > 1 ? a->each + half : a->axis[0].m;
  a->psi.kept = (int64_t)more;
  if (a->parts > 1) {
    convk_axis_ axis[3];
    memcpy(axis, c[0].job.axis, sizeof axis);
    axis[2].n = a->psi.planes;
    axis[2].m = a->value;
    status = convk_filters_parts_of_(host->hw->message, axis, c[0].job.actions, &parts[0]);
    memcpy(axis, c[1].job.axis, sizeof axis);
    axis[2].n = a->value;
    axis[2].m = a->each;
    if (!status) status = convk_filters_parts_of_(host->hw->message, axis, c[1].job.actions, &parts[1]);
    need = (parts[0].need > parts[1].need ? parts[0].need : parts[1].need) + convk_round_up_(a->value * value, 256);
  }
  if (!status) status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_IN_, places * a->psi.planes * plane, &a->psi.memory);
  if (!status) status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_OUT_, places * a->each * plane, &a->at[CONVK_DEVICE_OUT_]);
  if (!status)
    status = CONVK_DEVICE_(buffer)(host, CONVK_FILTERS_AT_POTENTIAL_, places * a->value * value, &a->potential.memory);
  if (!status && a->energy)
    status = CONVK_DEVICE_(buffer)(host, CONVK_FILTERS_AT_ENERGY_, sizeof(double), &a->at[CONVK_FILTERS_AT_ENERGY_]);
  if (!status && a->parts > 1 && a->axis[1].boundary == CONVK_BOUNDARY_PERIODIC)
    status = CONVK_DEVICE_(buffer)(host, CONVK_FILTERS_AT_DENSITY_, more * plane, &a->psi.head);
  if (!status && a->parts > 1) status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_TAIL_, more * plane, &a->psi.tail);
  if (!status && a->parts > 1) status = CONVK_DEVICE_(buffer)(host, CONVK_FILTERS_AT_DOT_, half * value, &a->potential.tail);
  return status ? status : CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_WORK_, need, &a->at[CONVK_DEVICE_WORK_]);
}

CONVK_API_ int convk_potential_apply_device(convk *hw, const convk_sepconv3d_shape *shape, const CONVK_T *potential,
                                            const CONVK_T *psi, CONVK_T *out, double *energy, void *work, size_t work_size) {
  static const convk_grid3 number = {1, 1, 1, 1, 1};
  const size_t s = sizeof(CONVK_T);
  CONVK_DEVICE_(host) *host = NULL;
  convk_potential_arrays_ a;
  convk_filters_parts_ parts[2];
  convk_filters_call_ c[2];
  size_t need = 0;
  int status = CONVK_DEVICE_(host_of)(hw, &host);
  (void)(work && work_size);
  memset(&a, 0, sizeof a);
  if (!status) status = convk_potential_apply_check_(convk_message_(hw), shape, potential, psi, out, energy, NULL, 0, &a.here);
  if (status) return status;
  a.packed = a.here; /* packed */
  a.packed.to_values.in = a.packed.back.out = convk_packed_(&a.here.to_values.in);
  a.packed.potential = a.packed.to_values.out = a.packed.back.in = convk_packed_(&a.here.potential);
  a.packed.bytes = a.packed.to_values.out.nz * a.packed.to_values.out.pitch_z * s;
  a.energy = energy != NULL;
  status = convk_potential_parts_(convk_message_(hw), &a.packed, a.energy, c, parts, &need);
  if (!status) status = CONVK_DEVICE_(able)(host, s, energy != NULL);
  if (!status) status = CONVK_DEVICE_(begin)(host);
  if (status) return status;
  a.axis[0] = c[0].job.axis[2];
  a.axis[1] = c[1].job.axis[2];
  a.psi.b = convk_staged_of_(CONVK_DEVICE_IN_, &a.here.to_values.in, s, psi, 1, 0);
  a.psi.count[0] = a.here.to_values.in.nx;
  a.psi.count[1] = a.here.to_values.in.ny;
  a.potential.b = convk_staged_of_(CONVK_FILTERS_AT_POTENTIAL_, &a.here.potential, s, potential, 1, 0);
  a.potential.count[0] = a.here.potential.nx;
  a.potential.count[1] = a.here.potential.ny;
  a.out = convk_staged_of_(CONVK_DEVICE_OUT_, &a.here.to_values.in, s, out, 0, 1);
  a.sum = convk_staged_of_(CONVK_FILTERS_AT_ENERGY_, &number, sizeof(double), energy, 0, 1);
  status = convk_potential_buffers_(host, &a);
  if (!status)
    status = CONVK_DEVICE_(parts_run)(host, a.parts, convk_potential_bring_, convk_potential_work_, convk_potential_back_, &a);
  if (!status) status = CONVK_DEVICE_(back_all)(host, &a.sum, 1, a.at);
  return CONVK_DEVICE_(end)(host, status);
}

CONVK_API_ int convk_conv1d_transpose_device(convk *hw, const convk_conv1d_shape *shape, const convk_filter *filter,
                                             const CONVK_T *in, CONVK_T *out, void *work, size_t work_size) {
  const size_t s = sizeof(CONVK_T);
  CONVK_DEVICE_(memory) at[CONVK_DEVICE_ARRAYS_];
  CONVK_DEVICE_(host) *host = NULL;
  CONVK_DEVICE_(call) call;
  convk_transpose_job_ job;
  convk_staged_ b[2];
  convk_grid3 gi = {0, 0, 1, 0, 0}, go = {0, 0, 1, 0, 0};
  int status = CONVK_DEVICE_(host_of)(hw, &host);
  (void)(work && work_size);
  if (!status) status = convk_conv1d_check_(convk_message_(hw), shape, filter, in, out, NULL, 0, &job);
  if (!status) status = CONVK_DEVICE_(able)(host, s, 0);
  if (!status) status = CONVK_DEVICE_(begin)(host);
  if (status) return status;
  gi.nx = job.axis.n;
  gi.ny = go.nx = job.ndat;
  go.ny = job.axis.m;
  gi.pitch_y = job.ld_in;
  go.pitch_y = job.ld_out;
  gi.pitch_z = gi.ny * gi.pitch_y;
  go.pitch_z = go.ny * go.pitch_y;
  b[0] = convk_staged_of_(CONVK_DEVICE_IN_, &gi, s, in, 1, 0);
  b[1] = convk_staged_of_(CONVK_DEVICE_OUT_, &go, s, out, 0, 1);
  job.ld_in = job.axis.n;
  job.ld_out = job.ndat;
  status = CONVK_DEVICE_(bring_all)(host, b, 2, at);
  call = CONVK_DEVICE_(call_on)(host);
  if (!status)
    status = convk_transpose_run_(&call, &job, CONVK_DEVICE_(array_of)(at[CONVK_DEVICE_IN_]),
                                  CONVK_DEVICE_(array_of)(at[CONVK_DEVICE_OUT_]));
  status = CONVK_DEVICE_(call_end)(&call, status);
  if (!status) status = CONVK_DEVICE_(back_all)(host, b, 2, at);
  return CONVK_DEVICE_(end)(host, status);
}
#undef CONVK_SLOT_
