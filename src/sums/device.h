/* ---- sums of filters on a device ---- */

/* A checked call, and its arrays. */
typedef struct convk_sums_call_ {
  convk_sums_job_ job;
  int potential, add, out, sums; /* which there are */
  size_t axes;                   /* of the sums so many from those of axes on go to `energies`; 0: all of them to `sums` */
  struct {
    CONVK_ARRAY_(const CONVK_T) in;
    CONVK_ARRAY_(const CONVK_T) potential;
    CONVK_ARRAY_(const CONVK_T) add;
    CONVK_ARRAY_(CONVK_T) out;
    CONVK_ARRAY_(convk_sumconv_sums) sums;
    CONVK_ARRAY_(double) energies;
  } at;
} convk_sums_call_;

/* Parts of the work memory, in bytes from its beginning: half of a mixed term, all mixed terms of a vector; sums of rows, and
   of planes. */
typedef struct convk_sums_room_ {
  size_t half, products, rows, planes, need;
} convk_sums_room_;

/* What a device does: opencl_calls.h, cuda.h.  One filter, of `in` or where that is NULL of the half; all else; and sums of
   rows to totals.  first: a vector. */
CONVK_LOCAL_ int convk_sums_single_(CONVK_DEVICE_(call) *call, const convk_sums_call_ *c, CONVK_ARGUMENTS_(sums) * a,
                                    const convk_sums_filter_ *f, const convk_sums_room_ *parts, int product, size_t first,
                                    CONVK_ARRAY_(void) base);
CONVK_LOCAL_ int convk_sums_points_(CONVK_DEVICE_(call) *call, const convk_sums_call_ *c, CONVK_ARGUMENTS_(sums) * a,
                                    const convk_sums_room_ *parts, size_t first, CONVK_ARRAY_(void) base);
CONVK_LOCAL_ int convk_sums_total_(CONVK_DEVICE_(call) *call, const convk_sums_call_ *c, const convk_sums_room_ *parts,
                                   CONVK_ARRAY_(void) base);

CONVK_LOCAL_ int convk_sums_room_of_(char *message, const convk_sums_job_ *job, int sums, convk_sums_room_ *parts) {
  const size_t s = sizeof(CONVK_T), step = job->step, more = job->filter[CONVK_SUMS_FIRST_][1].ntaps;
  const int mixed = job->mixed[0] || job->mixed[1] || job->mixed[2];
  size_t extent[3], end = 0, d;
  int status;
  for (d = 0; d < 3; d++) extent[d] = job->axis[d].n > job->axis[d].m ? job->axis[d].n : job->axis[d].m;
  status = convk_reserve_(&end, mixed ? step * extent[0] : 0, extent[1] + more, extent[2], s, &parts->half);
  if (!status) status = convk_reserve_(&end, mixed ? 3 * step * extent[0] : 0, extent[1], extent[2], s, &parts->products);
  if (!status) status = convk_reserve_(&end, sums ? 8 * job->vectors : 0, extent[1], extent[2], sizeof(double), &parts->rows);
  if (!status) status = convk_reserve_(&end, sums ? 8 * job->vectors : 0, extent[2], 1, sizeof(double), &parts->planes);
  parts->need = end ? end + 256 : 0;
  return status ? convk_refuse_(message, status, "shape needs more work than can be counted in bytes") : CONVK_OK;
}

CONVK_LOCAL_ convk_sums_axis_device_ convk_sums_axis_arguments_(const convk_sums_job_ *job, int d) {
  const convk_sums_axis_ *const axis = &job->axis[d];
  convk_sums_axis_device_ a;
  int kind;
  a.n = axis->n;
  a.m = axis->m;
  a.pitch = d == 0 ? 1 : d == 1 ? job->gi.pitch_y : job->gi.pitch_z;
  a.origin = axis->origin;
  for (kind = 0; kind < 2; kind++) {
    a.lo[kind] = job->filter[kind][d].lo;
    a.ntaps[kind] = (uint32_t)job->filter[kind][d].ntaps;
  }
  memcpy(a.phase, axis->phase, sizeof a.phase);
  a.periodic = axis->periodic;
  a.turns = axis->turns;
  return a;
}

/* The arguments of a call with so many vectors, but for how it is cut. */
CONVK_LOCAL_ void convk_sums_arguments_of_(const convk_sums_call_ *c, size_t vectors, CONVK_ARGUMENTS_(sums) * a) {
  const convk_sums_job_ *const job = &c->job;
  int d;
  memset(a, 0, sizeof *a);
  a->x = convk_sums_axis_arguments_(job, 0);
  a->y = convk_sums_axis_arguments_(job, 1);
  a->z = convk_sums_axis_arguments_(job, 2);
  a->in_v = job->in_stride;
  a->out_y = job->go.pitch_y;
  a->out_z = job->go.pitch_z;
  a->out_v = job->out_stride;
  a->add_y = job->ga.pitch_y;
  a->add_z = job->ga.pitch_z;
  a->add_v = job->add_stride;
  a->potential_y = job->gv.pitch_y;
  a->potential_z = job->gv.pitch_z;
  a->vectors = vectors;
  for (d = 0; d < 3; d++) {
    if (job->mixed[d]) a->has |= (uint32_t)CONVK_SUMS_HAS_MIXED_ << d;
    a->mixed[d] = job->terms.mixed[d];
  }
  if (job->any_imag) a->has |= CONVK_SUMS_HAS_IMAG_;
  if (c->potential) a->has |= CONVK_SUMS_HAS_V_;
  if (c->potential || job->terms.shift != 0) a->has |= CONVK_SUMS_HAS_X_;
  if (c->add) a->has |= CONVK_SUMS_HAS_ADD_;
  if (c->out) a->has |= CONVK_SUMS_HAS_OUT_;
  a->potential_factor = job->terms.potential_factor;
  a->shift = job->terms.shift;
  a->add_factor = job->terms.add_factor;
}

/* An axis of an array between two filters. */
CONVK_LOCAL_ convk_sums_axis_device_ convk_sums_plain_(size_t n, size_t pitch) {
  convk_sums_axis_device_ a;
  memset(&a, 0, sizeof a);
  a.n = a.m = n;
  a.pitch = pitch;
  return a;
}

/* Mixed term d of a vector: its first filter, of z where there is one, from the input to the half; the other one from there. */
CONVK_LOCAL_ int convk_sums_product_(CONVK_DEVICE_(call) *call, const convk_sums_call_ *c, const convk_sums_room_ *parts, int d,
                                     size_t vector, CONVK_ARRAY_(void) base) {
  const convk_sums_job_ *const job = &c->job;
  const int inner = d == CONVK_SUMS_OF_XY_ ? 1 : 2, outer = d == CONVK_SUMS_OF_YZ_ ? 1 : 0;
  const convk_sums_filter_ *const fi = &job->filter[CONVK_SUMS_FIRST_][inner], *const fo =
                                                                                   &job->filter[CONVK_SUMS_FIRST_][outer];
  CONVK_ARGUMENTS_(sums) a;
  convk_sums_axis_device_ *axis[3], *of;
  int status;
  convk_sums_arguments_of_(c, 1, &a);
  axis[0] = &a.x;
  axis[1] = &a.y;
  axis[2] = &a.z;
  a.along = (uint32_t)inner;
  axis[inner]->lo[0] = fi->lo;
  axis[inner]->ntaps[0] = (uint32_t)fi->ntaps;
  if (outer == 0) { /* all that x has, without an end */
    a.x.m = a.x.n;
    a.x.origin = 0;
  } else { /* rows that y sees, beyond its ends as well */
    a.y.m += fo->ntaps - 1;
    a.y.origin += fo->lo;
  }
  status = convk_sums_single_(call, c, &a, fi, parts, -1, vector, base);
  if (status) return status;
  of = axis[outer];
  a.x = convk_sums_plain_((size_t)a.x.m, 1);
  a.y = convk_sums_plain_((size_t)a.y.m, (size_t)a.x.m);
  a.z = convk_sums_plain_((size_t)a.z.m, (size_t)(a.x.m * a.y.m));
  a.along = (uint32_t)outer;
  of->m = job->axis[outer].m;
  of->ntaps[0] = (uint32_t)fo->ntaps;
  if (outer == 0) {
    of->lo[0] = fo->lo;
    of->origin = job->axis[0].origin;
    of->periodic = job->axis[0].periodic;
    of->turns = job->axis[0].turns;
    memcpy(of->phase, job->axis[0].phase, sizeof of->phase);
  }
  return convk_sums_single_(call, c, &a, fo, parts, d, vector, base);
}

CONVK_LOCAL_ int convk_sums_start_(CONVK_DEVICE_(call) *call, const convk_sums_call_ *c, const convk_sums_room_ *parts,
                                   CONVK_ARRAY_(void) base) {
  const convk_sums_job_ *const job = &c->job;
  const int mixed = job->mixed[0] || job->mixed[1] || job->mixed[2];
  const size_t some = mixed ? 1 : job->vectors;
  CONVK_ARGUMENTS_(sums) a;
  size_t first;
  int d, status = CONVK_OK;
  for (first = 0; first < job->vectors && !status; first += some) {
    for (d = 0; d < 3 && !status; d++)
      if (job->mixed[d]) status = convk_sums_product_(call, c, parts, d, first, base);
    convk_sums_arguments_of_(c, some, &a);
    if (!status) status = convk_sums_points_(call, c, &a, parts, first, base);
  }
  return status || !c->sums ? status : convk_sums_total_(call, c, parts, base);
}

/* ---- device memory ---- */

/* The terms of a call, but for its arrays. */
CONVK_LOCAL_ const convk_sumconv_terms *convk_sums_here_(const CONVK_DEVICE_STRUCT_(sumconv_terms) * terms,
                                                         convk_sumconv_terms *here) {
  memset(here, 0, sizeof *here);
  if (!terms) return NULL;
  memcpy(here->filter, terms->filter, sizeof here->filter);
  memcpy(here->imag, terms->imag, sizeof here->imag);
  memcpy(here->first, terms->first, sizeof here->first);
  memcpy(here->mixed, terms->mixed, sizeof here->mixed);
  memcpy(here->phase, terms->phase, sizeof here->phase);
  here->potential_factor = terms->potential_factor;
  here->shift = terms->shift;
  here->add_factor = terms->add_factor;
  return here;
}

/* Both calls, and their queries, which have no arrays and count with sums; step: numbers of an element. */
CONVK_LOCAL_ int convk_sums_on_(CONVK_DEVICE_(frame) f, const convk_sumconv3d_shape *shape,
                                const CONVK_DEVICE_STRUCT_(sumconv_terms) * terms, size_t step, CONVK_ARRAY_(const CONVK_T) in,
                                CONVK_ARRAY_(CONVK_T) out, CONVK_ARRAY_(convk_sumconv_sums) sums) {
  const size_t s = sizeof(CONVK_T), element = step * sizeof(CONVK_T);
  const int may = CONVK_PLACE_OPTIONAL_, put = CONVK_PLACE_OPTIONAL_ | CONVK_PLACE_WRITTEN_;
  convk_sums_room_ parts = {0, 0, 0, 0, 0};
  convk_sumconv_terms here;
  convk_sums_call_ c;
  size_t all, ins;
  memset(&c, 0, sizeof c);
  if (!f.status) f.status = convk_sums_grids_(f.message, shape, convk_sums_here_(terms, &here), step, &c.job);
  if (!f.status && !f.query) f.status = convk_sums_numbers_(f.message, &here, &c.job);
  if (c.job.any_phase) CONVK_DEVICE_(frame_doubles)(&f);
  if (f.status) return CONVK_DEVICE_(frame_end)(&f);
  c.at.in = in;
  c.at.potential = terms->potential;
  c.at.add = terms->add;
  c.at.out = out;
  c.at.sums = sums;
  c.potential = CONVK_DEVICE_(is_set)(c.at.potential);
  c.add = CONVK_DEVICE_(is_set)(c.at.add);
  c.out = CONVK_DEVICE_(is_set)(out);
  c.sums = f.query || CONVK_DEVICE_(is_set)(sums);
  if (!c.out && !c.sums) f.status = convk_refuse_(f.message, CONVK_ERR_NULL, "out and sums are NULL");
  ins = (c.job.vectors - 1) * c.job.in_stride + c.job.in_span;
  all = (c.job.vectors - 1) * c.job.out_stride + c.job.out_span;
  CONVK_DEVICE_(frame_place)(&f, "in", in, ins, element, 0);
  CONVK_DEVICE_(frame_place)(&f, "out", out, all, element, put | CONVK_PLACE_IN_PLACE_);
  CONVK_DEVICE_(frame_place)(&f, "terms->potential", c.at.potential, c.job.out_span, s, may);
  CONVK_DEVICE_(frame_place)(&f, "terms->add", c.at.add, all, element, may | CONVK_PLACE_IN_PLACE_);
  CONVK_DEVICE_(frame_place)(&f, "sums", sums, c.job.vectors, sizeof(convk_sumconv_sums), put);
  CONVK_DEVICE_(frame_apart)(&f);
  if (!f.status) f.status = convk_sums_room_of_(f.message, &c.job, c.sums, &parts);
  if (CONVK_DEVICE_(frame_work)(&f, parts.need)) f.status = convk_sums_start_(&f.call, &c, &parts, f.work);
  return CONVK_DEVICE_(frame_end)(&f);
}

CONVK_API_ int convk_sumconv3d_resident(CONVK_ON_ *on, const convk_sumconv3d_shape *shape,
                                        const CONVK_DEVICE_STRUCT_(sumconv_terms) * terms, CONVK_ARRAY_(const CONVK_T) in,
                                        CONVK_ARRAY_(CONVK_T) out, CONVK_ARRAY_(convk_sumconv_sums) sums,
                                        CONVK_ARRAY_(void) work, size_t work_size) {
  const unsigned doubles = (unsigned)CONVK_DEVICE_(is_set)(sums);
  return convk_sums_on_(CONVK_DEVICE_(frame_of)(on, sizeof(CONVK_T), doubles, work, work_size), shape, terms, 1, in, out, sums);
}
CONVK_API_ int convk_sumconv3d_complex_resident(CONVK_ON_ *on, const convk_sumconv3d_shape *shape,
                                                const CONVK_DEVICE_STRUCT_(sumconv_terms) * terms,
                                                CONVK_ARRAY_(const CONVK_T) in, CONVK_ARRAY_(CONVK_T) out,
                                                CONVK_ARRAY_(convk_sumconv_sums) sums, CONVK_ARRAY_(void) work,
                                                size_t work_size) {
  const unsigned doubles = (unsigned)CONVK_DEVICE_(is_set)(sums);
  return convk_sums_on_(CONVK_DEVICE_(frame_of)(on, sizeof(CONVK_T), doubles, work, work_size), shape, terms, 2, in, out, sums);
}
CONVK_API_ int convk_sumconv3d_work_size_resident(CONVK_ON_ *on, const convk_sumconv3d_shape *shape,
                                                  const CONVK_DEVICE_STRUCT_(sumconv_terms) * terms, size_t *bytes) {
  return convk_sums_on_(CONVK_DEVICE_(frame_query)(on, bytes), shape, terms, 1, CONVK_DEVICE_(none)(), CONVK_DEVICE_(none)(),
                        CONVK_DEVICE_(none)());
}
CONVK_API_ int convk_sumconv3d_work_size_complex_resident(CONVK_ON_ *on, const convk_sumconv3d_shape *shape,
                                                          const CONVK_DEVICE_STRUCT_(sumconv_terms) * terms, size_t *bytes) {
  return convk_sums_on_(CONVK_DEVICE_(frame_query)(on, bytes), shape, terms, 2, CONVK_DEVICE_(none)(), CONVK_DEVICE_(none)(),
                        CONVK_DEVICE_(none)());
}

/* ---- host arrays: a part is a vector ---- */

/* All steps of a Chebyshev filter: cheb_device.h. */
CONVK_LOCAL_ int convk_chebyshev_start_(CONVK_DEVICE_(call) *call, const convk_sums_call_ *original,
                                        const convk_sums_room_ *parts, const convk_chebyshev_steps_ *begin, int degree,
                                        size_t between, CONVK_ARRAY_(void) base);

typedef struct convk_sums_arrays_ {
  CONVK_DEVICE_(vectors) v;
  convk_sums_call_ c; /* of one vector, on packed grids */
  convk_sums_room_ parts;
  const convk_chebyshev_steps_ *steps; /* NULL: none */
  int degree;
  size_t between;     /* bytes between steps */
  convk_grid3 gi, go; /* the caller's */
} convk_sums_arrays_;

CONVK_LOCAL_ int convk_sums_work_(CONVK_DEVICE_(host) *host, void *arrays, size_t part, size_t slot) {
  const convk_sums_arrays_ *const a = (const convk_sums_arrays_ *)arrays;
  CONVK_DEVICE_(call) call = CONVK_DEVICE_(call_on)(host);
  CONVK_ARRAY_(void) work = CONVK_DEVICE_(array_of)(a->v.at[CONVK_DEVICE_WORK_]);
  const size_t sums = (a->v.first + part) * sizeof(convk_sumconv_sums);
  const int apart = a->v.of[CONVK_VECTORS_MORE_].array != NULL; /* what is added; else it is what the output has */
  convk_sums_call_ c = a->c;
  int status;
  c.at.in = CONVK_DEVICE_(vectors_array)(&a->v, CONVK_VECTORS_IN_, slot);
  c.at.out = CONVK_DEVICE_(vectors_array)(&a->v, CONVK_VECTORS_OUT_, slot);
  c.at.add = CONVK_DEVICE_(vectors_array)(&a->v, apart ? CONVK_VECTORS_MORE_ : CONVK_VECTORS_OUT_, slot);
  c.at.potential = CONVK_DEVICE_(array_of)(a->v.at[CONVK_DEVICE_MORE_0_]);
  c.at.sums = CONVK_DEVICE_(array_at)(CONVK_DEVICE_(array_of)(a->v.at[CONVK_DEVICE_MORE_2_]), sums, sizeof(convk_sumconv_sums));
  status = a->steps ? convk_chebyshev_start_(&call, &c, &a->parts, a->steps, a->degree, a->between, work)
                    : convk_sums_start_(&call, &c, &a->parts, work);
  return CONVK_DEVICE_(call_end)(&call, status);
}

/* A checked call, its work memory being known. */
CONVK_LOCAL_ int convk_sums_host_run_(CONVK_DEVICE_(host) *host, convk_sums_arrays_ *a, const convk_sumconv_terms *terms,
                                      const CONVK_T *in, CONVK_T *out, convk_sumconv_sums *sums, size_t vectors) {
  const int in_place = terms->add && terms->add == out;
  convk_sums_job_ *const job = &a->c.job;
  const size_t element = job->step * sizeof(CONVK_T);
  a->c.potential = terms->potential != NULL;
  a->c.add = terms->add != NULL;
  a->c.out = out != NULL;
  a->c.sums = sums != NULL;
  a->gi = job->gi;
  a->go = job->go;
  job->gi = convk_packed_(&a->gi);
  job->go = job->ga = job->gv = convk_packed_(&a->go);
  a->v.of[CONVK_VECTORS_IN_] = convk_staged_of_(CONVK_DEVICE_IN_, &a->gi, element, in, 1, 0);
  a->v.of[CONVK_VECTORS_OUT_] = convk_staged_of_(CONVK_DEVICE_OUT_, &a->go, element, out, in_place, 1);
  a->v.of[CONVK_VECTORS_MORE_] = convk_staged_of_(CONVK_DEVICE_MORE_1_, &a->go, element, in_place ? NULL : terms->add, 1, 0);
  a->v.once = convk_staged_of_(CONVK_DEVICE_MORE_0_, &a->go, sizeof(CONVK_T), terms->potential, 1, 0);
  a->v.stride[CONVK_VECTORS_IN_] = job->in_stride;
  a->v.stride[CONVK_VECTORS_OUT_] = a->v.stride[CONVK_VECTORS_MORE_] = job->out_stride;
  a->v.results = sums;
  a->v.result = sizeof *sums;
  a->v.vectors = vectors;
  return CONVK_DEVICE_(vectors_run)(host, &a->v, convk_sums_work_);
}

CONVK_LOCAL_ int convk_sums_host_(convk *hw, const convk_sumconv3d_shape *shape, const convk_sumconv_terms *terms, size_t step,
                                  const CONVK_T *in, CONVK_T *out, convk_sumconv_sums *sums) {
  CONVK_DEVICE_(host) *host = NULL;
  convk_sums_arrays_ a;
  convk_sums_job_ *const job = &a.c.job;
  size_t vectors;
  int status = CONVK_DEVICE_(host_of)(hw, &host);
  memset(&a, 0, sizeof a);
  if (!status) status = convk_sums_check_(convk_message_(hw), shape, terms, step, in, out, sums, NULL, 0, job);
  if (!status) status = CONVK_DEVICE_(able)(host, sizeof(CONVK_T), (unsigned)(sums || job->any_phase));
  vectors = job->vectors;
  job->vectors = 1;
  if (!status) status = convk_sums_room_of_(convk_message_(hw), job, sums != NULL, &a.parts);
  a.v.need = a.parts.need;
  return status ? status : convk_sums_host_run_(host, &a, terms, in, out, sums, vectors);
}

CONVK_API_ int convk_sumconv3d_device(convk *hw, const convk_sumconv3d_shape *shape, const convk_sumconv_terms *terms,
                                      const CONVK_T *in, CONVK_T *out, convk_sumconv_sums *sums, void *work, size_t work_size) {
  (void)(work && work_size);
  return convk_sums_host_(hw, shape, terms, 1, in, out, sums);
}
CONVK_API_ int convk_sumconv3d_complex_device(convk *hw, const convk_sumconv3d_shape *shape, const convk_sumconv_terms *terms,
                                              const CONVK_T *in, CONVK_T *out, convk_sumconv_sums *sums, void *work,
                                              size_t work_size) {
  (void)(work && work_size);
  return convk_sums_host_(hw, shape, terms, 2, in, out, sums);
}

#include "sums/chebyshev_device.h"
