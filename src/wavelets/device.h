/* ---- wavelets on a device: two kernels a level, y and x of each plane, then z ---- */

/* One level of a checked call: arrays and grids as in convk_wavelets_job_ (dwt.h), and what lies between both kernels. */
typedef struct convk_wavelets_level_device_ {
  convk_wavelets_axis_ axis[3];
  const convk_wavelets_taps_ *taps;
  int synthesis, low; /* low: the block sss of the coarse grid is packed, in an array of its own */
  convk_grid3 gi, go;
  CONVK_ARRAY_(const CONVK_T) in;
  CONVK_ARRAY_(const CONVK_T) low_in;
  CONVK_ARRAY_(CONVK_T) out;
  CONVK_ARRAY_(CONVK_T) low_out;
  CONVK_ARRAY_(CONVK_T) mid;
} convk_wavelets_level_device_;

/* Work memory: what lies between kernels is at its beginning, blocks sss between levels from these bytes on. */
typedef struct convk_wavelets_parts_ {
  size_t between[2], need;
} convk_wavelets_parts_;

/* What a device does with a level: dwt_opencl_calls.h, dwt_cuda.h. */
CONVK_LOCAL_ int convk_wavelets_run_(CONVK_DEVICE_(call) *call, const convk_wavelets_level_device_ *level);

CONVK_LOCAL_ int convk_wavelets_parts_of_(char *message, const convk_wavelets_call_ *c, const convk_wavelet *wavelet,
                                          int synthesis, convk_wavelets_parts_ *parts) {
  convk_wavelets_axis_ axis[3];
  convk_grid3 fine, coarse;
  size_t end = 0, at;
  int i, status;
  convk_wavelets_level_of_(&c->full, wavelet->lo, wavelet->up, synthesis, 0, axis, &fine, &coarse);
  status = convk_reserve_(&end, convk_wavelets_across_(&axis[0], synthesis), convk_wavelets_across_(&axis[1], synthesis),
                          axis[2].run.n, sizeof(CONVK_T), &at);
  for (i = 0; i < 2 && !status; i++) status = convk_reserve_(&end, c->between[i], 1, 1, 1, &parts->between[i]);
  parts->need = end + 256;
  return status ? convk_refuse_(message, status, "shape needs more work than can be counted in bytes") : CONVK_OK;
}

/* Level by level, as convk_wavelets_levels_ does it for processors. */
CONVK_LOCAL_ int convk_wavelets_levels_device_(CONVK_DEVICE_(call) *call, const convk_wavelets_call_ *c,
                                               const convk_wavelet *wavelet, int synthesis, const convk_wavelets_parts_ *parts,
                                               CONVK_ARRAY_(const CONVK_T) in, CONVK_ARRAY_(CONVK_T) out,
                                               CONVK_ARRAY_(void) base) {
  const size_t s = sizeof(CONVK_T);
  convk_wavelets_level_device_ level;
  convk_wavelets_taps_ taps;
  int i, status = CONVK_OK;
  memset(&level, 0, sizeof level);
  convk_wavelets_taps_of_(wavelet, synthesis, &taps);
  level.taps = &taps;
  level.synthesis = synthesis;
  level.mid = CONVK_DEVICE_(array_at)(base, 0, s);
  for (i = 0; i < c->levels && !status; i++) {
    const int l = synthesis ? c->levels - 1 - i : i;
    CONVK_ARRAY_(CONVK_T) above = CONVK_DEVICE_(array_at)(base, parts->between[(l + 1) % 2], s);
    CONVK_ARRAY_(CONVK_T) low = CONVK_DEVICE_(array_at)(base, parts->between[l % 2], s);
    convk_grid3 fine, coarse;
    convk_wavelets_level_of_(&c->full, wavelet->lo, wavelet->up, synthesis, l, level.axis, &fine, &coarse);
    level.low = l + 1 < c->levels;
    level.gi = synthesis ? coarse : fine;
    level.go = synthesis ? fine : coarse;
    level.in = in;
    level.out = out;
    if (l && synthesis) level.out = above;
    if (l && !synthesis) level.in = above;
    level.low_in = level.low_out = low;
    status = convk_wavelets_run_(call, &level);
  }
  return status;
}

CONVK_LOCAL_ convk_wavelets_on_device_ convk_wavelets_axis_device_(const convk_wavelets_axis_ *axis) {
  const ptrdiff_t shift = axis->run.shift, odd = shift & 1;
  convk_wavelets_on_device_ a;
  size_t p;
  memset(&a, 0, sizeof a);
  for (p = 0; p < 2; p++) {
    const size_t q = p ? 1 - (size_t)odd : (size_t)odd;
    a.n[p] = (axis->run.n + 1 - q) / 2;
    a.from[p] = (shift + (ptrdiff_t)p - (ptrdiff_t)q) / 2;
  }
  a.split = axis->half;
  a.fine = axis->fine;
  a.pairs = axis->pairs;
  a.first = axis->first;
  a.odd = (int32_t)odd;
  a.periodic = axis->run.boundary == CONVK_BOUNDARY_PERIODIC;
  return a;
}

/* The arguments of a level, but for how it is cut. */
CONVK_LOCAL_ void convk_wavelets_arguments_of_(const convk_wavelets_level_device_ *level, CONVK_ARGUMENTS_(wavelets) * a) {
  a->x = convk_wavelets_axis_device_(&level->axis[0]);
  a->y = convk_wavelets_axis_device_(&level->axis[1]);
  a->z = convk_wavelets_axis_device_(&level->axis[2]);
  a->planes = level->gi.nz;
  a->mx = convk_wavelets_across_(&level->axis[0], level->synthesis);
  a->my = convk_wavelets_across_(&level->axis[1], level->synthesis);
  a->columns = a->mx * a->my;
  a->in_y = level->gi.pitch_y;
  a->in_z = level->gi.pitch_z;
  a->out_y = level->go.pitch_y;
  a->out_z = level->go.pitch_z;
  a->low_y = level->axis[0].half;
  a->low_z = level->axis[0].half * level->axis[1].half;
  a->synthesis = level->synthesis;
  a->low = level->low;
  a->even = (int32_t)level->taps->count[0];
  a->odd = (int32_t)level->taps->count[1];
  a->more = level->taps->more;
}

/* ---- device memory ---- */

/* All four calls, and their queries, which have no arrays; values: of the pair that s1_to_r and r_to_s1 have. */
CONVK_LOCAL_ int convk_wavelets_on_(CONVK_DEVICE_(frame) f, const convk_dwt3d_shape *shape, const convk_wavelet *wavelet,
                                    int values, int synthesis, CONVK_ARRAY_(const CONVK_T) in, CONVK_ARRAY_(CONVK_T) out) {
  const char *const *const names = convk_wavelets_names_(values, synthesis);
  convk_wavelets_parts_ parts = {{0, 0}, 0};
  convk_wavelet own;
  convk_wavelets_call_ c;
  if (!f.status && values) f.status = convk_wavelets_values_(f.message, shape, &own);
  if (values) wavelet = &own;
  if (!f.status) f.status = convk_need_(f.message, "wavelet", wavelet);
  if (!f.status) f.status = convk_wavelets_shapes_(f.message, shape, wavelet->lo, wavelet->up, &c);
  if (!f.status && !f.query) f.status = convk_wavelets_wavelet_check_(f.message, wavelet);
  if (f.status) return CONVK_DEVICE_(frame_end)(&f);
  CONVK_DEVICE_(frame_place)(&f, names[0], in, c.span[synthesis], sizeof(CONVK_T), 0);
  CONVK_DEVICE_(frame_place)(&f, names[1], out, c.span[!synthesis], sizeof(CONVK_T), CONVK_PLACE_WRITTEN_);
  CONVK_DEVICE_(frame_apart)(&f);
  if (!f.status) f.status = convk_wavelets_parts_of_(f.message, &c, wavelet, synthesis, &parts);
  if (CONVK_DEVICE_(frame_work)(&f, parts.need))
    f.status = convk_wavelets_levels_device_(&f.call, &c, wavelet, synthesis, &parts, in, out, f.work);
  return CONVK_DEVICE_(frame_end)(&f);
}

CONVK_API_ int convk_dwt3d_resident(CONVK_ON_ *on, const convk_dwt3d_shape *shape, const convk_wavelet *wavelet,
                                    CONVK_ARRAY_(const CONVK_T) fine, CONVK_ARRAY_(CONVK_T) coarse, CONVK_ARRAY_(void) work,
                                    size_t work_size) {
  return convk_wavelets_on_(CONVK_DEVICE_(frame_of)(on, sizeof(CONVK_T), 0, work, work_size), shape, wavelet, 0, 0, fine,
                            coarse);
}

CONVK_API_ int convk_idwt3d_resident(CONVK_ON_ *on, const convk_dwt3d_shape *shape, const convk_wavelet *wavelet,
                                     CONVK_ARRAY_(const CONVK_T) coarse, CONVK_ARRAY_(CONVK_T) fine, CONVK_ARRAY_(void) work,
                                     size_t work_size) {
  return convk_wavelets_on_(CONVK_DEVICE_(frame_of)(on, sizeof(CONVK_T), 0, work, work_size), shape, wavelet, 0, 1, coarse,
                            fine);
}

CONVK_API_ int convk_s1_to_r_resident(CONVK_ON_ *on, const convk_dwt3d_shape *shape, CONVK_ARRAY_(const CONVK_T) coarse,
                                      CONVK_ARRAY_(CONVK_T) values, CONVK_ARRAY_(void) work, size_t work_size) {
  return convk_wavelets_on_(CONVK_DEVICE_(frame_of)(on, sizeof(CONVK_T), 0, work, work_size), shape, NULL, 1, 1, coarse,
                            values);
}

CONVK_API_ int convk_r_to_s1_resident(CONVK_ON_ *on, const convk_dwt3d_shape *shape, CONVK_ARRAY_(const CONVK_T) values,
                                      CONVK_ARRAY_(CONVK_T) coarse, CONVK_ARRAY_(void) work, size_t work_size) {
  return convk_wavelets_on_(CONVK_DEVICE_(frame_of)(on, sizeof(CONVK_T), 0, work, work_size), shape, NULL, 1, 0, values,
                            coarse);
}

CONVK_API_ int convk_dwt3d_work_size_resident(CONVK_ON_ *on, const convk_dwt3d_shape *shape, const convk_wavelet *wavelet,
                                              size_t *bytes) {
  return convk_wavelets_on_(CONVK_DEVICE_(frame_query)(on, bytes), shape, wavelet, 0, 0, CONVK_DEVICE_(none)(),
                            CONVK_DEVICE_(none)());
}

CONVK_API_ int convk_idwt3d_work_size_resident(CONVK_ON_ *on, const convk_dwt3d_shape *shape, const convk_wavelet *wavelet,
                                               size_t *bytes) {
  return convk_wavelets_on_(CONVK_DEVICE_(frame_query)(on, bytes), shape, wavelet, 0, 1, CONVK_DEVICE_(none)(),
                            CONVK_DEVICE_(none)());
}

CONVK_API_ int convk_s1_to_r_work_size_resident(CONVK_ON_ *on, const convk_dwt3d_shape *shape, size_t *bytes) {
  return convk_wavelets_on_(CONVK_DEVICE_(frame_query)(on, bytes), shape, NULL, 1, 1, CONVK_DEVICE_(none)(),
                            CONVK_DEVICE_(none)());
}

CONVK_API_ int convk_r_to_s1_work_size_resident(CONVK_ON_ *on, const convk_dwt3d_shape *shape, size_t *bytes) {
  return convk_wavelets_on_(CONVK_DEVICE_(frame_query)(on, bytes), shape, NULL, 1, 0, CONVK_DEVICE_(none)(),
                            CONVK_DEVICE_(none)());
}

/* ---- host arrays ---- */

/* All four calls, with whole grids on the device. */
CONVK_LOCAL_ int convk_wavelets_device_(convk *hw, const convk_dwt3d_shape *shape, const convk_wavelet *wavelet, int values,
                                        int synthesis, const CONVK_T *in, CONVK_T *out) {
  const size_t s = sizeof(CONVK_T);
  CONVK_DEVICE_(memory) at[CONVK_DEVICE_ARRAYS_];
  CONVK_DEVICE_(host) *host = NULL;
  CONVK_DEVICE_(call) call;
  convk_wavelet own;
  convk_wavelets_parts_ parts;
  convk_wavelets_call_ c;
  convk_staged_ b[2];
  convk_grid3 fine, coarse;
  int d, kept = 0, status = CONVK_DEVICE_(host_of)(hw, &host);
  if (!status && values) status = convk_wavelets_values_(convk_message_(hw), shape, &own);
  if (values) wavelet = &own;
  if (!status) status = convk_wavelets_check_(convk_message_(hw), shape, wavelet, values, synthesis, in, out, NULL, 0, &c);
  if (!status) status = convk_wavelets_parts_of_(convk_message_(hw), &c, wavelet, synthesis, &parts);
  if (!status) status = CONVK_DEVICE_(able)(host, s, 0);
  if (!status) status = CONVK_DEVICE_(begin)(host);
  if (status) return status;
  fine = c.full.fine;
  coarse = c.full.coarse;
  for (d = 0; d < 3; d++) /* some of the coarse grid is not used, and stays */
    if (c.levels > 1 && convk_wavelets_more_(c.full.boundary[d], wavelet->up - wavelet->lo + 1)) kept = 1;
  b[0] = convk_staged_of_(CONVK_DEVICE_IN_, synthesis ? &coarse : &fine, s, in, 1, 0);
  b[1] = convk_staged_of_(CONVK_DEVICE_OUT_, synthesis ? &fine : &coarse, s, out, kept && !synthesis, 1);
  c.full.fine = convk_packed_(&fine);
  c.full.coarse = convk_packed_(&coarse);
  call = CONVK_DEVICE_(call_on)(host);
  status = CONVK_DEVICE_(bring_all)(host, b, 2, at);
  if (!status) status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_WORK_, parts.need, &at[CONVK_DEVICE_WORK_]);
  if (!status)
    status = convk_wavelets_levels_device_(&call, &c, wavelet, synthesis, &parts, CONVK_DEVICE_(array_of)(at[CONVK_DEVICE_IN_]),
                                           CONVK_DEVICE_(array_of)(at[CONVK_DEVICE_OUT_]),
                                           CONVK_DEVICE_(array_of)(at[CONVK_DEVICE_WORK_]));
  status = CONVK_DEVICE_(call_end)(&call, status);
  if (!status) status = CONVK_DEVICE_(back_all)(host, b, 2, at);
  return CONVK_DEVICE_(end)(host, status);
}

CONVK_API_ int convk_dwt3d_device(convk *hw, const convk_dwt3d_shape *shape, const convk_wavelet *wavelet, const CONVK_T *fine,
                                  CONVK_T *coarse, void *work, size_t work_size) {
  (void)(work && work_size);
  return convk_wavelets_device_(hw, shape, wavelet, 0, 0, fine, coarse);
}

CONVK_API_ int convk_idwt3d_device(convk *hw, const convk_dwt3d_shape *shape, const convk_wavelet *wavelet,
                                   const CONVK_T *coarse, CONVK_T *fine, void *work, size_t work_size) {
  (void)(work && work_size);
  return convk_wavelets_device_(hw, shape, wavelet, 0, 1, coarse, fine);
}

CONVK_API_ int convk_s1_to_r_device(convk *hw, const convk_dwt3d_shape *shape, const CONVK_T *coarse, CONVK_T *values,
                                    void *work, size_t work_size) {
  (void)(work && work_size);
  return convk_wavelets_device_(hw, shape, NULL, 1, 1, coarse, values);
}

CONVK_API_ int convk_r_to_s1_device(convk *hw, const convk_dwt3d_shape *shape, const CONVK_T *values, CONVK_T *coarse,
                                    void *work, size_t work_size) {
  (void)(work && work_size);
  return convk_wavelets_device_(hw, shape, NULL, 1, 0, values, coarse);
}

#include "wavelets/segments_device.h"
