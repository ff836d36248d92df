/* ---- jobs of a device ---- */

/* A checked call, or a part of one along z: shapes, taps, and what its epilogue does; its arrays.  Sums are those of some
   planes of the result, and of what the parts before have summed. */
typedef struct convk_filters_call_ {
  convk_filters_job_ job;
  CONVK_ARRAY_(const CONVK_T) in;
  CONVK_ARRAY_(const CONVK_T) same; /* of the input the points at which results are: of a whole call `in` */
  CONVK_ARRAY_(CONVK_T) out;
  CONVK_DEVICE_STRUCT_(sepconv_epilogue) e;
  size_t sum_first, sum_planes;
  int sum_more; /* there are parts before */
} convk_filters_call_;

/* Parts of the work memory, in bytes from its beginning, where the array between the kernels lies: the result of z, where a
   kernel of its own sums it and `out` cannot hold it; and for each sum what it goes through, in doubles: lanes of a row where
   they lie in memory, rows, planes. */
typedef struct convk_filters_parts_ {
  size_t result, sum[2], need;
} convk_filters_parts_;

/* What a device does with a checked call: opencl_calls.h, cuda.h. */
CONVK_LOCAL_ int convk_filters_run_(CONVK_DEVICE_(call) *call, const convk_filters_call_ *c, const convk_filters_parts_ *parts,
                                    CONVK_ARRAY_(void) base);
CONVK_LOCAL_ int convk_transpose_run_(CONVK_DEVICE_(call) *call, const convk_transpose_job_ *job,
                                      CONVK_ARRAY_(const CONVK_T) in, CONVK_ARRAY_(CONVK_T) out);

CONVK_LOCAL_ int convk_filters_parts_of_(char *message, const convk_axis_ axis[3], unsigned actions,
                                         convk_filters_parts_ *parts) {
  const size_t mx = axis[0].m, my = axis[1].m, mz = axis[2].m, lanes = CONVK_DEVICE_(filters_lanes);
  const int sums = (actions & CONVK_FILTERS_SUMS_) != 0;
  const int apart = !lanes && sums && (!(actions & CONVK_FILTERS_STORE_) || actions & CONVK_FILTERS_UPDATE_);
  size_t end = 0, mid, rows = 0;
  int status = convk_mul_(my, lanes + 1, &rows);
  if (!status) status = convk_reserve_(&end, mx, my, axis[2].n, sizeof(CONVK_T), &mid);
  if (!status) status = convk_reserve_(&end, mx, my, apart ? mz : 0, sizeof(CONVK_T), &parts->result);
  if (!status) status = convk_reserve_(&end, rows + 1, mz, actions & CONVK_FILTERS_DOT_ ? 1 : 0, 8, &parts->sum[0]);
  if (!status) status = convk_reserve_(&end, rows + 1, mz, actions & CONVK_FILTERS_ENERGY_ ? 1 : 0, 8, &parts->sum[1]);
  parts->need = end + 256;
  return status ? convk_refuse_(message, status, "shape needs more work than can be counted in bytes") : CONVK_OK;
}

CONVK_LOCAL_ unsigned convk_filters_asked_(const CONVK_DEVICE_STRUCT_(sepconv_epilogue) * e) {
  unsigned actions = 0;
  if (!e) return 0;
  if (CONVK_DEVICE_(is_set)(e->potential)) actions |= CONVK_FILTERS_POTENTIAL_;
  if (CONVK_DEVICE_(is_set)(e->density)) actions |= CONVK_FILTERS_DENSITY_;
  if (CONVK_DEVICE_(is_set)(e->dot)) actions |= CONVK_FILTERS_DOT_;
  if (CONVK_DEVICE_(is_set)(e->energy)) actions |= CONVK_FILTERS_ENERGY_;
  return actions;
}

CONVK_LOCAL_ convk_axis_device_ convk_filters_axis_(const convk_axis_ *axis) {
  const convk_axis_device_ a = {axis->n, axis->m, axis->ntaps, axis->shift, axis->boundary == CONVK_BOUNDARY_PERIODIC, 0};
  return a;
}

/* Whether the potential and the density have pitches of their own. */
CONVK_LOCAL_ int convk_filters_laid_(const convk_filters_call_ *c) {
  return c->job.ge.pitch_y != c->job.go.pitch_y || c->job.ge.pitch_z != c->job.go.pitch_z;
}

/* What kernels are told of a call, but for how it is cut. */
CONVK_LOCAL_ void convk_filters_arguments_of_(const convk_filters_call_ *c, CONVK_ARGUMENTS_(filters) * a) {
  a->x = convk_filters_axis_(&c->job.axis[0]);
  a->y = convk_filters_axis_(&c->job.axis[1]);
  a->z = convk_filters_axis_(&c->job.axis[2]);
  a->in_y = c->job.gi.pitch_y;
  a->in_z = c->job.gi.pitch_z;
  a->out_y = c->job.go.pitch_y;
  a->out_z = c->job.go.pitch_z;
  a->laid_y = c->job.ge.pitch_y;
  a->laid_z = c->job.ge.pitch_z;
  a->actions = c->job.actions;
  a->factor = c->e.density_factor;
  a->a = c->e.a;
  a->b = c->e.b;
}

/* The two calls of potential_apply, values being at the beginning of `base`, and their work behind them. */
CONVK_LOCAL_ int convk_potential_parts_(char *message, const convk_potential_shapes_ *shapes, int energy,
                                        convk_filters_call_ c[2], convk_filters_parts_ parts[2], size_t *need) {
  convk_filter filter[3];
  const size_t values = convk_round_up_(shapes->bytes, 256);
  size_t i;
  int status = CONVK_OK;
  memset(c, 0, 2 * sizeof *c);
  for (i = 0; i < 2 && !status; i++) {
    (void)convk_magicfilter_axes_(NULL, i ? CONVK_INVERSE : CONVK_FORWARD, filter);
    status = convk_filters_shapes_(message, i ? &shapes->back : &shapes->to_values, filter, &c[i].job);
    c[i].job.actions = CONVK_FILTERS_STORE_;
    if (!i) c[i].job.ge = shapes->potential;
    if (!i) c[i].job.actions |= CONVK_FILTERS_POTENTIAL_;
    if (!i && energy) c[i].job.actions |= CONVK_FILTERS_ENERGY_;
    if (!status) status = convk_filters_parts_of_(message, c[i].job.axis, c[i].job.actions, &parts[i]);
    c[i].sum_planes = c[i].job.axis[2].m;
  }
  if (status) return status;
  *need = parts[0].need > parts[1].need ? parts[0].need : parts[1].need;
  *need += values;
  return *need >= values ? CONVK_OK
                         : convk_refuse_(message, CONVK_ERR_OVERFLOW, "shape needs more work than can be counted in bytes");
}

CONVK_LOCAL_ int convk_potential_run_(CONVK_DEVICE_(call) *call, convk_filters_call_ c[2], const convk_filters_parts_ parts[2],
                                      size_t values, CONVK_ARRAY_(void) base) {
  CONVK_ARRAY_(void) work = CONVK_DEVICE_(array_at)(base, convk_round_up_(values, 256), 1);
  int status;
  c[0].out = CONVK_DEVICE_(array_at)(base, 0, sizeof(CONVK_T));
  c[1].in = c[1].same = CONVK_DEVICE_(array_at)(base, 0, sizeof(CONVK_T));
  status = convk_filters_run_(call, &c[0], &parts[0], work);
  return status ? status : convk_filters_run_(call, &c[1], &parts[1], work);
}

/* ---- device memory ----
   Calls and their queries, which have no arrays. */

CONVK_LOCAL_ int convk_filters_on_(CONVK_DEVICE_(frame) f, const convk_sepconv3d_shape *shape, const convk_filter filter[3],
                                   const CONVK_DEVICE_STRUCT_(sepconv_epilogue) * epilogue, CONVK_ARRAY_(const CONVK_T) in,
                                   CONVK_ARRAY_(CONVK_T) out) {
  const size_t s = sizeof(CONVK_T), d = sizeof(double);
  const int may = CONVK_PLACE_OPTIONAL_, put = CONVK_PLACE_OPTIONAL_ | CONVK_PLACE_WRITTEN_;
  unsigned actions = convk_filters_asked_(epilogue);
  convk_filters_parts_ parts = {0, {0, 0}, 0};
  convk_filters_call_ c;
  size_t span[2];
  memset(&c, 0, sizeof c);
  if (!f.status && f.query) f.status = convk_filters_grids_(f.message, shape, filter, c.job.axis, &c.job.gi, &c.job.go, span);
  if (!f.status && !f.query) f.status = convk_filters_shapes_(f.message, shape, filter, &c.job);
  if (f.status) return CONVK_DEVICE_(frame_end)(&f);
  if (epilogue) c.e = *epilogue;
  c.in = c.same = in;
  c.out = out;
  c.sum_planes = c.job.axis[2].m;
  c.job.actions = actions;
  if (CONVK_DEVICE_(is_set)(out)) actions |= CONVK_FILTERS_STORE_;
  CONVK_DEVICE_(frame_place)(&f, "in", in, c.job.in_span, s, 0);
  CONVK_DEVICE_(frame_place)(&f, "out", out, c.job.out_span, s, put);
  CONVK_DEVICE_(frame_place)(&f, "epilogue->potential", c.e.potential, c.job.out_span, s, may);
  CONVK_DEVICE_(frame_place)(&f, "epilogue->density", c.e.density, c.job.out_span, s, put);
  CONVK_DEVICE_(frame_place)(&f, "epilogue->dot", c.e.dot, 1, d, put);
  CONVK_DEVICE_(frame_place)(&f, "epilogue->energy", c.e.energy, 1, d, put);
  CONVK_DEVICE_(frame_apart)(&f);
  if (!f.status && !f.query)
    f.status = convk_filters_actions_(f.message, &c.job, actions, c.e.update, c.e.density_factor, c.e.a, c.e.b);
  if (!f.status) f.status = convk_filters_parts_of_(f.message, c.job.axis, c.job.actions, &parts);
  if (CONVK_DEVICE_(frame_work)(&f, parts.need)) f.status = convk_filters_run_(&f.call, &c, &parts, f.work);
  return CONVK_DEVICE_(frame_end)(&f);
}

CONVK_API_ int convk_sepconv3d_resident(CONVK_ON_ *on, const convk_sepconv3d_shape *shape, const convk_filter filter[3],
                                        const CONVK_DEVICE_STRUCT_(sepconv_epilogue) * epilogue, CONVK_ARRAY_(const CONVK_T) in,
                                        CONVK_ARRAY_(CONVK_T) out, CONVK_ARRAY_(void) work, size_t work_size) {
  const unsigned sums = convk_filters_asked_(epilogue) & CONVK_FILTERS_SUMS_;
  return convk_filters_on_(CONVK_DEVICE_(frame_of)(on, sizeof(CONVK_T), sums, work, work_size), shape, filter, epilogue, in,
                           out);
}

CONVK_API_ int convk_magicfilter3d_resident(CONVK_ON_ *on, const convk_sepconv3d_shape *shape, int direction,
                                            const CONVK_DEVICE_STRUCT_(sepconv_epilogue) * epilogue,
                                            CONVK_ARRAY_(const CONVK_T) in, CONVK_ARRAY_(CONVK_T) out, CONVK_ARRAY_(void) work,
                                            size_t work_size) {
  convk_filter filter[3];
  char *message;
  int status = CONVK_DEVICE_(query_of)(on, &message);
  if (!status) status = convk_magicfilter_axes_(message, direction, filter);
  return status ? status : convk_sepconv3d_resident(on, shape, filter, epilogue, in, out, work, work_size);
}

CONVK_API_ int convk_sepconv3d_work_size_resident(CONVK_ON_ *on, const convk_sepconv3d_shape *shape,
                                                  const convk_filter filter[3],
                                                  const CONVK_DEVICE_STRUCT_(sepconv_epilogue) * epilogue, size_t *bytes) {
  return convk_filters_on_(CONVK_DEVICE_(frame_query)(on, bytes), shape, filter, epilogue, CONVK_DEVICE_(none)(),
                           CONVK_DEVICE_(none)());
}

CONVK_API_ int convk_magicfilter3d_work_size_resident(CONVK_ON_ *on, const convk_sepconv3d_shape *shape, int direction,
                                                      const CONVK_DEVICE_STRUCT_(sepconv_epilogue) * epilogue, size_t *bytes) {
  convk_filter filter[3];
  char *message;
  int status = CONVK_DEVICE_(query_of)(on, &message);
  if (!status) status = convk_magicfilter_axes_(message, direction, filter);
  return status ? status : convk_sepconv3d_work_size_resident(on, shape, filter, epilogue, bytes);
}

/* A query counts with the sum. */
CONVK_LOCAL_ int convk_potential_on_(CONVK_DEVICE_(frame) f, const convk_sepconv3d_shape *shape,
                                     CONVK_ARRAY_(const CONVK_T) potential, CONVK_ARRAY_(const CONVK_T) psi,
                                     CONVK_ARRAY_(CONVK_T) out, CONVK_ARRAY_(double) energy) {
  const size_t s = sizeof(CONVK_T);
  const int put = CONVK_PLACE_OPTIONAL_ | CONVK_PLACE_WRITTEN_;
  convk_potential_shapes_ shapes;
  convk_filters_parts_ parts[2];
  convk_filters_call_ c[2];
  size_t need = 0;
  if (!f.status) f.status = convk_potential_apply_shapes_(f.message, shape, &shapes);
  if (f.status) return CONVK_DEVICE_(frame_end)(&f);
  CONVK_DEVICE_(frame_place)(&f, "potential", potential, shapes.span[1], s, 0);
  CONVK_DEVICE_(frame_place)(&f, "psi", psi, shapes.span[0], s, CONVK_PLACE_IN_PLACE_);
  CONVK_DEVICE_(frame_place)(&f, "out", out, shapes.span[0], s, CONVK_PLACE_WRITTEN_ | CONVK_PLACE_IN_PLACE_);
  CONVK_DEVICE_(frame_place)(&f, "energy", energy, 1, sizeof(double), put);
  CONVK_DEVICE_(frame_apart)(&f);
  if (!f.status)
    f.status = convk_potential_parts_(f.message, &shapes, f.query || CONVK_DEVICE_(is_set)(energy), c, parts, &need);
  if (CONVK_DEVICE_(frame_work)(&f, need)) {
    c[0].in = c[0].same = psi;
    c[0].e.potential = potential;
    c[0].e.energy = energy;
    c[1].out = out;
    f.status = convk_potential_run_(&f.call, c, parts, shapes.bytes, f.work);
  }
  return CONVK_DEVICE_(frame_end)(&f);
}

CONVK_API_ int convk_potential_apply_resident(CONVK_ON_ *on, const convk_sepconv3d_shape *shape,
                                              CONVK_ARRAY_(const CONVK_T) potential, CONVK_ARRAY_(const CONVK_T) psi,
                                              CONVK_ARRAY_(CONVK_T) out, CONVK_ARRAY_(double) energy, CONVK_ARRAY_(void) work,
                                              size_t work_size) {
  const unsigned sums = CONVK_DEVICE_(is_set)(energy) ? CONVK_FILTERS_ENERGY_ : 0;
  return convk_potential_on_(CONVK_DEVICE_(frame_of)(on, sizeof(CONVK_T), sums, work, work_size), shape, potential, psi, out,
                             energy);
}

CONVK_API_ int convk_potential_apply_work_size_resident(CONVK_ON_ *on, const convk_sepconv3d_shape *shape, size_t *bytes) {
  return convk_potential_on_(CONVK_DEVICE_(frame_query)(on, bytes), shape, CONVK_DEVICE_(none)(), CONVK_DEVICE_(none)(),
                             CONVK_DEVICE_(none)(), CONVK_DEVICE_(none)());
}

CONVK_LOCAL_ int convk_transpose_on_(CONVK_DEVICE_(frame) f, const convk_conv1d_shape *shape, const convk_filter *filter,
                                     CONVK_ARRAY_(const CONVK_T) in, CONVK_ARRAY_(CONVK_T) out) {
  const size_t s = sizeof(CONVK_T);
  convk_transpose_job_ job;
  if (!f.status) f.status = convk_conv1d_shapes_(f.message, shape, filter, &job);
  if (!f.status && !f.query) f.status = convk_conv1d_taps_(f.message, filter, &job);
  if (f.status) return CONVK_DEVICE_(frame_end)(&f);
  CONVK_DEVICE_(frame_place)(&f, "in", in, job.in_span, s, 0);
  CONVK_DEVICE_(frame_place)(&f, "out", out, job.out_span, s, CONVK_PLACE_WRITTEN_);
  if (CONVK_DEVICE_(frame_work)(&f, 0)) f.status = convk_transpose_run_(&f.call, &job, in, out);
  return CONVK_DEVICE_(frame_end)(&f);
}

CONVK_API_ int convk_conv1d_transpose_resident(CONVK_ON_ *on, const convk_conv1d_shape *shape, const convk_filter *filter,
                                               CONVK_ARRAY_(const CONVK_T) in, CONVK_ARRAY_(CONVK_T) out,
                                               CONVK_ARRAY_(void) work, size_t work_size) {
  return convk_transpose_on_(CONVK_DEVICE_(frame_of)(on, sizeof(CONVK_T), 0, work, work_size), shape, filter, in, out);
}

CONVK_API_ int convk_conv1d_transpose_work_size_resident(CONVK_ON_ *on, const convk_conv1d_shape *shape,
                                                         const convk_filter *filter, size_t *bytes) {
  return convk_transpose_on_(CONVK_DEVICE_(frame_query)(on, bytes), shape, filter, CONVK_DEVICE_(none)(),
                             CONVK_DEVICE_(none)());
}

#include "filters/host.h"
