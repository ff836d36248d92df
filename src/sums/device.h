/* ---- sums of filters on a device ---- */

/* A checked call, and its arrays. */
typedef struct convk_sums_call_ {
  convk_sums_job_ job;
  int potential, add, out, sums; /* which there are */
  struct {
    CONVK_ARRAY_(const CONVK_T) in;
    CONVK_ARRAY_(const CONVK_T) potential;
    CONVK_ARRAY_(const CONVK_T) add;
    CONVK_ARRAY_(CONVK_T) out;
    CONVK_ARRAY_(convk_sumconv_sums) sums;
  } at;
} convk_sums_call_;

/* Parts of the work memory, in bytes from its beginning: half of a mixed term, all mixed terms of a vector; sums of rows, and
   of planes. */
typedef struct convk_sums_room_ {
  size_t half, products, rows, planes, need;
} convk_sums_room_;

/* What a device does: opencl_calls.h, cuda.h.  One filter, of `in` or where that is NULL of the half; all else; and sums of
   rows to totals.  first: a vector. */
CONVK_LOCAL_ int convk_sums_alone_(CONVK_DEVICE_(call) *call, const convk_sums_call_ *c, CONVK_ARGUMENTS_(sums) * a,
                                      const convk_sums_filter_ *f, const convk_sums_room_ *parts, int product,
                                      size_t first, CONVK_ARRAY_(void) base);
CONVK_LOCAL_ int convk_sums_points_(CONVK_DEVICE_(call) *call, const convk_sums_call_ *c, CONVK_ARGUMENTS_(sums) * a,
                                       const convk_sums_room_ *parts, size_t first, CONVK_ARRAY_(void) base);
CONVK_LOCAL_ int convk_sums_total_(CONVK_DEVICE_(call) *call, const convk_sums_call_ *c, const convk_sums_room_ *parts,
                                      CONVK_ARRAY_(void) base);

CONVK_LOCAL_ int convk_sums_room_of_(char *message, const convk_sums_job_ *job, int sums, convk_sums_room_ *parts) {
  const size_t s = sizeof(CONVK_T), step = job->step, more = job->filter[CONVK_SUMS_FIRST_][1].ntaps;
  const int mixed = job->mixed[0] || job->mixed[1] || job->mixed[2];
  size_t most[3], end = 0, d;
  int status;
  for (d = 0; d < 3; d++) most[d] = job->axis[d].n > job->axis[d].m ? job->axis[d].n : job->axis[d].m;
  status = convk_reserve_(&end, mixed ? step * most[0] : 0, most[1] + more, most[2], s, &parts->half);
  if (!status) status = convk_reserve_(&end, mixed ? 3 * step * most[0] : 0, most[1], most[2], s, &parts->products);
  if (!status) status = convk_reserve_(&end, sums ? 8 * job->vectors : 0, most[1], most[2], sizeof(double), &parts->rows);
  if (!status) status = convk_reserve_(&end, sums ? 8 * job->vectors : 0, most[2], 1, sizeof(double), &parts->planes);
  parts->need = end ? end + 256 : 0;
  return status ? convk_refuse_(message, status, "shape needs more work than can be counted in bytes") : CONVK_OK;
}

CONVK_LOCAL_ convk_sums_axis_there_ convk_sums_axis_told_(const convk_sums_job_ *job, int d) {
  const convk_sums_axis_ *const axis = &job->axis[d];
  convk_sums_axis_there_ a;
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

/* What kernels are told of a call with so many vectors, but for how it is cut. */
CONVK_LOCAL_ void convk_sums_tell_(const convk_sums_call_ *c, size_t vectors, CONVK_ARGUMENTS_(sums) * a) {
  const convk_sums_job_ *const job = &c->job;
  int d;
  memset(a, 0, sizeof *a);
  a->x = convk_sums_axis_told_(job, 0);
  a->y = convk_sums_axis_told_(job, 1);
  a->z = convk_sums_axis_told_(job, 2);
  a->in_v = job->in_stride;
  a->out_y = job->go.pitch_y;
  a->out_z = job->go.pitch_z;
  a->out_v = job->out_stride;
  a->add_y = job->ga.pitch_y;
  a->add_z = job->ga.pitch_z;
  a->add_v = job->add_stride;
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
CONVK_LOCAL_ convk_sums_axis_there_ convk_sums_plain_(size_t n, size_t pitch) {
  convk_sums_axis_there_ a;
  memset(&a, 0, sizeof a);
  a.n = a.m = n;
  a.pitch = pitch;
  return a;
}

/* Mixed term d of a vector: its first filter, of z where there is one, from the input to the half; the other one from there. */
CONVK_LOCAL_ int convk_sums_product_(CONVK_DEVICE_(call) *call, const convk_sums_call_ *c,
                                        const convk_sums_room_ *parts, int d, size_t vector, CONVK_ARRAY_(void) base) {
  const convk_sums_job_ *const job = &c->job;
  const int inner = d == CONVK_SUMS_OF_XY_ ? 1 : 2, outer = d == CONVK_SUMS_OF_YZ_ ? 1 : 0;
  const convk_sums_filter_ *const fi = &job->filter[CONVK_SUMS_FIRST_][inner], *const fo =
                                                                                     &job->filter[CONVK_SUMS_FIRST_][outer];
  CONVK_ARGUMENTS_(sums) a;
  convk_sums_axis_there_ *axis[3], *of;
  int status;
  convk_sums_tell_(c, 1, &a);
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
  status = convk_sums_alone_(call, c, &a, fi, parts, -1, vector, base);
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
  return convk_sums_alone_(call, c, &a, fo, parts, d, vector, base);
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
    convk_sums_tell_(c, some, &a);
    if (!status) status = convk_sums_points_(call, c, &a, parts, first, base);
  }
  return status || !c->sums ? status : convk_sums_total_(call, c, parts, base);
}

/* ---- device memory ---- */

/* The terms of a call, but for its arrays. */
CONVK_LOCAL_ const convk_sumconv_terms *convk_sums_here_(const CONVK_THERE_(sumconv_terms) * terms,
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

CONVK_LOCAL_ int convk_sums_there_(CONVK_ON_ *on, const convk_sumconv3d_shape *shape,
                                      const CONVK_THERE_(sumconv_terms) * terms, size_t step, CONVK_ARRAY_(const CONVK_T) in,
                                      CONVK_ARRAY_(CONVK_T) out, CONVK_ARRAY_(convk_sumconv_sums) sums, CONVK_ARRAY_(void) work,
                                      size_t work_size) {
  const size_t s = sizeof(CONVK_T), element = step * sizeof(CONVK_T);
  const int may = CONVK_PLACE_OPTIONAL_, put = CONVK_PLACE_OPTIONAL_ | CONVK_PLACE_WRITTEN_;
  CONVK_ARRAY_(void) base = work;
  CONVK_DEVICE_(call) call;
  convk_sumconv_terms here;
  convk_sums_room_ parts;
  convk_sums_call_ c;
  convk_place_ p[6];
  size_t all, ins;
  int status;
  memset(&c, 0, sizeof c);
  c.sums = CONVK_DEVICE_(there)(sums);
  status = CONVK_DEVICE_(call_of)(on, s, (unsigned)c.sums, &call);
  if (!status) status = convk_sums_grids_(call.message, shape, convk_sums_here_(terms, &here), step, &c.job);
  if (!status) status = convk_sums_numbers_(call.message, &here, &c.job);
  if (!status && c.job.any_phase) status = CONVK_DEVICE_(call_of)(on, s, 1, &call);
  if (status) return CONVK_DEVICE_(call_end)(&call, status);
  c.at.in = in;
  c.at.potential = terms->potential;
  c.at.add = terms->add;
  c.at.out = out;
  c.at.sums = sums;
  c.potential = CONVK_DEVICE_(there)(c.at.potential);
  c.add = CONVK_DEVICE_(there)(c.at.add);
  c.out = CONVK_DEVICE_(there)(out);
  if (!c.out && !c.sums) status = convk_refuse_(call.message, CONVK_ERR_NULL, "out and sums are NULL");
  ins = (c.job.vectors - 1) * c.job.in_stride + c.job.in_span;
  all = (c.job.vectors - 1) * c.job.out_stride + c.job.out_span;
  if (!status) status = CONVK_DEVICE_(array_place)(&call, "in", in, ins, element, 0, &p[0]);
  if (!status) status = CONVK_DEVICE_(array_place)(&call, "out", out, all, element, put, &p[1]);
  if (!status) status = CONVK_DEVICE_(array_place)(&call, "terms->potential", c.at.potential, c.job.out_span, s, may, &p[2]);
  if (!status)
    status = CONVK_DEVICE_(array_place)(&call, "terms->add", c.at.add, all, element, may | CONVK_PLACE_IN_PLACE_, &p[3]);
  if (!status) status = CONVK_DEVICE_(array_place)(&call, "sums", sums, c.job.vectors, sizeof(convk_sumconv_sums), put, &p[4]);
  if (!status) status = convk_places_check_(call.message, p, 5);
  if (!status) status = convk_sums_room_of_(call.message, &c.job, c.sums, &parts);
  if (!status && parts.need) {
    status = CONVK_DEVICE_(work_place)(&call, work, work_size, parts.need, &p[5], &base);
    if (!status) status = convk_places_check_(call.message, p, 6);
  }
  if (!status) status = convk_sums_start_(&call, &c, &parts, base);
  return CONVK_DEVICE_(call_end)(&call, status);
}

CONVK_API_ int convk_sumconv3d_resident(CONVK_ON_ *on, const convk_sumconv3d_shape *shape,
                                        const CONVK_THERE_(sumconv_terms) * terms, CONVK_ARRAY_(const CONVK_T) in,
                                        CONVK_ARRAY_(CONVK_T) out, CONVK_ARRAY_(convk_sumconv_sums) sums,
                                        CONVK_ARRAY_(void) work, size_t work_size) {
  return convk_sums_there_(on, shape, terms, 1, in, out, sums, work, work_size);
}
CONVK_API_ int convk_sumconv3d_complex_resident(CONVK_ON_ *on, const convk_sumconv3d_shape *shape,
                                                const CONVK_THERE_(sumconv_terms) * terms, CONVK_ARRAY_(const CONVK_T) in,
                                                CONVK_ARRAY_(CONVK_T) out, CONVK_ARRAY_(convk_sumconv_sums) sums,
                                                CONVK_ARRAY_(void) work, size_t work_size) {
  return convk_sums_there_(on, shape, terms, 2, in, out, sums, work, work_size);
}

CONVK_LOCAL_ int convk_sums_size_there_(CONVK_ON_ *on, const convk_sumconv3d_shape *shape,
                                           const CONVK_THERE_(sumconv_terms) * terms, size_t step, size_t *bytes) {
  convk_sumconv_terms here;
  convk_sums_room_ parts;
  convk_sums_job_ job;
  char *message;
  int status = CONVK_DEVICE_(query_of)(on, &message);
  if (!status) status = convk_need_(message, "bytes", bytes);
  if (!status) status = convk_sums_grids_(message, shape, convk_sums_here_(terms, &here), step, &job);
  if (!status) status = convk_sums_room_of_(message, &job, 1, &parts);
  if (!status) *bytes = parts.need;
  return status;
}
CONVK_API_ int convk_sumconv3d_work_size_resident(CONVK_ON_ *on, const convk_sumconv3d_shape *shape,
                                                  const CONVK_THERE_(sumconv_terms) * terms, size_t *bytes) {
  return convk_sums_size_there_(on, shape, terms, 1, bytes);
}
CONVK_API_ int convk_sumconv3d_work_size_complex_resident(CONVK_ON_ *on, const convk_sumconv3d_shape *shape,
                                                          const CONVK_THERE_(sumconv_terms) * terms, size_t *bytes) {
  return convk_sums_size_there_(on, shape, terms, 2, bytes);
}

/* ---- host arrays: a part is a vector ---- */

/* All steps of a Chebyshev filter: cheb_device.h. */
CONVK_LOCAL_ int convk_chebyshev_start_(CONVK_DEVICE_(call) *call, const convk_sums_call_ *given,
                                        const convk_sums_room_ *parts, const convk_chebyshev_steps_ *begin, int degree,
                                        size_t between, CONVK_ARRAY_(void) base);

typedef struct convk_sums_arrays_ {
  convk_sums_call_ c; /* of one vector, on packed grids */
  convk_sums_room_ parts;
  const convk_chebyshev_steps_ *steps; /* NULL: none */
  int degree;
  size_t between, need; /* bytes between steps, and of all work */
  convk_grid3 gi, go;   /* the caller's */
  size_t in_stride, out_stride, first, element;
  char *in, *out, *add;
  int in_place;
  CONVK_DEVICE_(memory) at[CONVK_DEVICE_ARRAYS_];
} convk_sums_arrays_;

/* One vector to a slot of a buffer, or from there. */
CONVK_LOCAL_ int convk_sums_copy_box_(CONVK_DEVICE_(host) *host, const convk_sums_arrays_ *a, int download, size_t which,
                                         const convk_grid3 *grid, size_t slot, char *array) {
  const size_t first[3] = {0, 0, 0}, count[3] = {grid->nx, grid->ny, grid->nz};
  const size_t bytes = grid->nx * grid->ny * grid->nz * a->element;
  return CONVK_DEVICE_(copy_box)(host, download, a->at[which], slot * bytes, grid, first, count, a->element, array);
}

CONVK_LOCAL_ int convk_sums_bring_(CONVK_DEVICE_(host) *host, void *arrays, size_t part, size_t slot) {
  const convk_sums_arrays_ *const a = (const convk_sums_arrays_ *)arrays;
  const size_t v = a->first + part, which = a->in_place ? CONVK_DEVICE_OUT_ : CONVK_DEVICE_MORE_1_;
  int status = convk_sums_copy_box_(host, a, 0, CONVK_DEVICE_IN_, &a->gi, slot, a->in + v * a->in_stride * a->element);
  if (!status && a->add)
    status = convk_sums_copy_box_(host, a, 0, which, &a->go, slot, a->add + v * a->out_stride * a->element);
  return status;
}

CONVK_LOCAL_ int convk_sums_work_(CONVK_DEVICE_(host) *host, void *arrays, size_t part, size_t slot) {
  const convk_sums_arrays_ *const a = (const convk_sums_arrays_ *)arrays;
  const size_t in = a->gi.nx * a->gi.ny * a->gi.nz * a->element, out = a->go.nx * a->go.ny * a->go.nz * a->element;
  CONVK_DEVICE_(call) call = CONVK_DEVICE_(call_on)(host);
  convk_sums_call_ c = a->c;
  int status;
  c.at.in = CONVK_DEVICE_(array_at)(CONVK_DEVICE_(array_of)(a->at[CONVK_DEVICE_IN_]), slot * in, a->element);
  if (c.potential) c.at.potential = CONVK_DEVICE_(array_of)(a->at[CONVK_DEVICE_MORE_0_]);
  if (c.out || c.add)
    c.at.out = CONVK_DEVICE_(array_at)(CONVK_DEVICE_(array_of)(a->at[CONVK_DEVICE_OUT_]), slot * out, a->element);
  if (c.add && a->in_place) c.at.add = c.at.out;
  if (c.add && !a->in_place)
    c.at.add = CONVK_DEVICE_(array_at)(CONVK_DEVICE_(array_of)(a->at[CONVK_DEVICE_MORE_1_]), slot * out, a->element);
  if (c.sums)
    c.at.sums = CONVK_DEVICE_(array_at)(CONVK_DEVICE_(array_of)(a->at[CONVK_DEVICE_MORE_2_]),
                                        (a->first + part) * sizeof(convk_sumconv_sums), sizeof(convk_sumconv_sums));
  if (a->steps)
    status = convk_chebyshev_start_(&call, &c, &a->parts, a->steps, a->degree, a->between,
                                    CONVK_DEVICE_(array_of)(a->at[CONVK_DEVICE_WORK_]));
  else status = convk_sums_start_(&call, &c, &a->parts, CONVK_DEVICE_(array_of)(a->at[CONVK_DEVICE_WORK_]));
  return CONVK_DEVICE_(call_end)(&call, status);
}

CONVK_LOCAL_ int convk_sums_back_(CONVK_DEVICE_(host) *host, void *arrays, size_t part, size_t slot) {
  const convk_sums_arrays_ *const a = (const convk_sums_arrays_ *)arrays;
  if (!a->out) return CONVK_OK;
  return convk_sums_copy_box_(host, a, 1, CONVK_DEVICE_OUT_, &a->go, slot,
                                 a->out + (a->first + part) * a->out_stride * a->element);
}

/* Buffers, and in *parts how many vectors go at once: all, which overlap in three slots, or one after another. */
CONVK_LOCAL_ int convk_sums_buffers_(CONVK_DEVICE_(host) *host, convk_sums_arrays_ *a, size_t vectors, size_t *parts) {
  const size_t in = a->gi.nx * a->gi.ny * a->gi.nz * a->element, out = a->go.nx * a->go.ny * a->go.nz;
  const size_t each = in + (size_t)(a->out != NULL) * out * a->element + (size_t)(a->add && !a->in_place) * out * a->element;
  const size_t sums = vectors * sizeof(convk_sumconv_sums), once = a->need + out * sizeof(CONVK_T) + sums;
  size_t places = vectors > 1 ? CONVK_SLOTS_ : 1, room = 0;
  int status = vectors > 1 ? CONVK_DEVICE_(allowed)(host, &room) : CONVK_OK;
  if (places > 1 && (!CONVK_DEVICE_(beside)(host) || room < once || (room - once) / places < each)) places = 1;
  *parts = places > 1 ? vectors : 1;
  if (!status) status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_IN_, places * in, &a->at[CONVK_DEVICE_IN_]);
  if (!status && a->out)
    status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_OUT_, places * out * a->element, &a->at[CONVK_DEVICE_OUT_]);
  if (!status && a->add && !a->in_place)
    status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_MORE_1_, places * out * a->element, &a->at[CONVK_DEVICE_MORE_1_]);
  if (!status && a->c.potential)
    status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_MORE_0_, out * sizeof(CONVK_T), &a->at[CONVK_DEVICE_MORE_0_]);
  if (!status && a->c.sums) status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_MORE_2_, sums, &a->at[CONVK_DEVICE_MORE_2_]);
  if (!status && a->need) status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_WORK_, a->need, &a->at[CONVK_DEVICE_WORK_]);
  return status;
}

/* A checked call, its work memory being known. */
CONVK_LOCAL_ int convk_sums_host_run_(CONVK_DEVICE_(host) *host, convk_sums_arrays_ *a, const convk_sumconv_terms *terms,
                                         const CONVK_T *in, CONVK_T *out, convk_sumconv_sums *sums, size_t vectors) {
  convk_sums_job_ *const job = &a->c.job;
  size_t parts = 1;
  int status = CONVK_DEVICE_(begin)(host);
  if (status) return status;
  a->c.potential = terms->potential != NULL;
  a->c.add = terms->add != NULL;
  a->c.out = out != NULL;
  a->c.sums = sums != NULL;
  a->gi = job->gi;
  a->go = job->go;
  a->in_stride = job->in_stride;
  a->out_stride = job->out_stride;
  a->element = job->step * sizeof(CONVK_T);
  a->in = (char *)(uintptr_t)in;
  a->out = (char *)out;
  a->add = (char *)(uintptr_t)terms->add;
  a->in_place = terms->add && terms->add == out;
  job->gi = convk_packed_(&a->gi);
  job->go = job->ga = convk_packed_(&a->go);
  status = convk_sums_buffers_(host, a, vectors, &parts);
  if (!status && a->c.potential)
    status =
        CONVK_DEVICE_(copy)(host, 0, a->at[CONVK_DEVICE_MORE_0_], &a->go, sizeof(CONVK_T), (void *)(uintptr_t)terms->potential);
  for (; a->first < vectors && !status; a->first += parts)
    status = CONVK_DEVICE_(parts_run)(host, parts, convk_sums_bring_, convk_sums_work_, convk_sums_back_, a);
  if (!status && sums) status = CONVK_DEVICE_(fetch)(host, a->at[CONVK_DEVICE_MORE_2_], 0, vectors * sizeof *sums, sums);
  return CONVK_DEVICE_(end)(host, status);
}

CONVK_LOCAL_ int convk_sums_host_(convk *hw, const convk_sumconv3d_shape *shape, const convk_sumconv_terms *terms,
                                     size_t step, const CONVK_T *in, CONVK_T *out, convk_sumconv_sums *sums) {
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
  a.need = a.parts.need;
  return status ? status : convk_sums_host_run_(host, &a, terms, in, out, sums, vectors);
}

CONVK_API_ int convk_sumconv3d_device(convk *hw, const convk_sumconv3d_shape *shape, const convk_sumconv_terms *terms, const CONVK_T *in, CONVK_T *out, convk_sumconv_sums *sums, void *work, size_t work_size) {
  (void)(work && work_size);
  return convk_sums_host_(hw, shape, terms, 1, in, out, sums);
}
CONVK_API_ int convk_sumconv3d_complex_device(convk *hw, const convk_sumconv3d_shape *shape, const convk_sumconv_terms *terms, const CONVK_T *in, CONVK_T *out, convk_sumconv_sums *sums, void *work, size_t work_size) {
  (void)(work && work_size);
  return convk_sums_host_(hw, shape, terms, 2, in, out, sums);
}

#include "sums/chebyshev_device.h"
