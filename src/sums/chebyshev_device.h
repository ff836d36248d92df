/* ---- Chebyshev filters on a device: the kernels of sums, step by step ---- */

/* As convk_chebyshev_steps_all_: into the output and a packed array at the beginning of `base`, in turn; behind this the work
   of each step. */
CONVK_LOCAL_ int convk_chebyshev_start_(CONVK_DEVICE_(call) *call, const convk_sums_call_ *original,
                                        const convk_sums_room_ *parts, const convk_chebyshev_steps_ *begin, int degree,
                                        size_t between, CONVK_ARRAY_(void) base) {
  const size_t element = original->job.step * sizeof(CONVK_T);
  const convk_grid3 gi = original->job.gi, grid[2] = {original->job.go, convk_packed_(&original->job.go)};
  const size_t stride[2] = {original->job.out_stride, grid[1].nz * grid[1].pitch_z};
  CONVK_ARRAY_(void) work = base;
  convk_chebyshev_steps_ s = *begin;
  convk_sums_call_ c = *original;
  CONVK_ARRAY_(CONVK_T) to[2];
  int k, status = CONVK_OK;
  to[0] = to[1] = original->at.out;
  if (between) {
    to[1] = CONVK_DEVICE_(array_at)(base, 0, element);
    work = CONVK_DEVICE_(array_at)(base, between, 1);
  }
  for (k = 0; k < degree && !status; k++) {
    const int now = (degree - 1 - k) % 2;
    (void)convk_chebyshev_terms_(&s, k, &c.job);
    c.at.out = to[now];
    c.job.go = grid[now];
    c.job.out_stride = stride[now];
    if (k) {
      c.at.in = to[!now];
      c.job.gi = grid[!now];
      c.job.in_stride = stride[!now];
      c.add = 1;
      c.at.add = to[now];
      c.job.ga = grid[now];
      c.job.add_stride = stride[now];
    }
    if (k == 1) {
      c.at.add = original->at.in;
      c.job.ga = gi;
      c.job.add_stride = original->job.in_stride;
    }
    status = convk_sums_start_(call, &c, parts, work);
  }
  return status;
}

/* Work of a call with grids: the array between steps, and what each of them needs. */
CONVK_LOCAL_ int convk_chebyshev_room_(char *message, const convk_sums_job_ *job, int degree, convk_sums_room_ *parts,
                                       size_t *between, size_t *need) {
  const size_t all = job->vectors * job->go.nx * job->go.ny * job->go.nz * job->step * sizeof(CONVK_T);
  const int status = convk_sums_room_of_(message, job, 0, parts);
  *between = degree > 1 ? convk_round_up_(all, 256) : 0;
  *need = *between + parts->need;
  if (*between && !parts->need) *need += 256;
  return status;
}

/* ---- device memory ---- */

/* Grids of a call, and its terms but for their arrays. */
CONVK_LOCAL_ int convk_chebyshev_grids_device_(char *message, const convk_sumconv3d_shape *shape,
                                               const CONVK_DEVICE_STRUCT_(sumconv_terms) * terms, const convk_chebyshev *filter,
                                               size_t step, convk_sumconv_terms *here, convk_sums_job_ *job) {
  size_t unused;
  const int status = convk_chebyshev_grids_(message, shape, convk_sums_here_(terms, here), filter, step, job, &unused);
  if (status) return status;
  return CONVK_DEVICE_(is_set)(terms->add)
             ? convk_refuse_(message, CONVK_ERR_OPTION, "terms->add is set, where the filter has its own")
             : CONVK_OK;
}

/* Both calls, and their queries, which have no arrays; step: numbers of an element. */
CONVK_LOCAL_ int convk_chebyshev_on_(CONVK_DEVICE_(frame) f, const convk_sumconv3d_shape *shape,
                                     const CONVK_DEVICE_STRUCT_(sumconv_terms) * terms, const convk_chebyshev *filter,
                                     size_t step, CONVK_ARRAY_(const CONVK_T) in, CONVK_ARRAY_(CONVK_T) out) {
  const size_t s = sizeof(CONVK_T), element = step * sizeof(CONVK_T);
  convk_chebyshev_steps_ steps;
  convk_sumconv_terms here;
  convk_sums_room_ parts;
  convk_sums_call_ c;
  size_t all, ins, between = 0, need = 0;
  memset(&c, 0, sizeof c);
  if (!f.status) f.status = convk_chebyshev_grids_device_(f.message, shape, terms, filter, step, &here, &c.job);
  if (!f.status && !f.query) f.status = convk_sums_numbers_(f.message, &here, &c.job);
  if (c.job.any_phase) CONVK_DEVICE_(frame_doubles)(&f);
  if (f.status) return CONVK_DEVICE_(frame_end)(&f);
  c.at.in = in;
  c.at.potential = terms->potential;
  c.at.out = out;
  c.potential = CONVK_DEVICE_(is_set)(c.at.potential);
  c.out = 1;
  ins = (c.job.vectors - 1) * c.job.in_stride + c.job.in_span;
  all = (c.job.vectors - 1) * c.job.out_stride + c.job.out_span;
  CONVK_DEVICE_(frame_place)(&f, "in", in, ins, element, 0);
  CONVK_DEVICE_(frame_place)(&f, "out", out, all, element, CONVK_PLACE_WRITTEN_);
  CONVK_DEVICE_(frame_place)(&f, "terms->potential", c.at.potential, c.job.out_span, s, CONVK_PLACE_OPTIONAL_);
  CONVK_DEVICE_(frame_apart)(&f);
  if (!f.status) f.status = convk_chebyshev_room_(f.message, &c.job, filter->degree, &parts, &between, &need);
  if (!f.status && !f.query) f.status = convk_chebyshev_check_(f.message, filter, &c.job, &steps);
  if (CONVK_DEVICE_(frame_work)(&f, need))
    f.status = convk_chebyshev_start_(&f.call, &c, &parts, &steps, filter->degree, between, f.work);
  return CONVK_DEVICE_(frame_end)(&f);
}

CONVK_API_ int convk_chebyshev3d_resident(CONVK_ON_ *on, const convk_sumconv3d_shape *shape,
                                          const CONVK_DEVICE_STRUCT_(sumconv_terms) * terms, const convk_chebyshev *filter,
                                          CONVK_ARRAY_(const CONVK_T) in, CONVK_ARRAY_(CONVK_T) out, CONVK_ARRAY_(void) work,
                                          size_t work_size) {
  return convk_chebyshev_on_(CONVK_DEVICE_(frame_of)(on, sizeof(CONVK_T), 0, work, work_size), shape, terms, filter, 1, in,
                             out);
}
CONVK_API_ int convk_chebyshev3d_complex_resident(CONVK_ON_ *on, const convk_sumconv3d_shape *shape,
                                                  const CONVK_DEVICE_STRUCT_(sumconv_terms) * terms,
                                                  const convk_chebyshev *filter, CONVK_ARRAY_(const CONVK_T) in,
                                                  CONVK_ARRAY_(CONVK_T) out, CONVK_ARRAY_(void) work, size_t work_size) {
  return convk_chebyshev_on_(CONVK_DEVICE_(frame_of)(on, sizeof(CONVK_T), 0, work, work_size), shape, terms, filter, 2, in,
                             out);
}
CONVK_API_ int convk_chebyshev3d_work_size_resident(CONVK_ON_ *on, const convk_sumconv3d_shape *shape,
                                                    const CONVK_DEVICE_STRUCT_(sumconv_terms) * terms,
                                                    const convk_chebyshev *filter, size_t *bytes) {
  return convk_chebyshev_on_(CONVK_DEVICE_(frame_query)(on, bytes), shape, terms, filter, 1, CONVK_DEVICE_(none)(),
                             CONVK_DEVICE_(none)());
}
CONVK_API_ int convk_chebyshev3d_work_size_complex_resident(CONVK_ON_ *on, const convk_sumconv3d_shape *shape,
                                                            const CONVK_DEVICE_STRUCT_(sumconv_terms) * terms,
                                                            const convk_chebyshev *filter, size_t *bytes) {
  return convk_chebyshev_on_(CONVK_DEVICE_(frame_query)(on, bytes), shape, terms, filter, 2, CONVK_DEVICE_(none)(),
                             CONVK_DEVICE_(none)());
}

/* ---- host arrays: a vector comes, goes through all steps, and goes back ---- */

CONVK_LOCAL_ int convk_chebyshev_host_(convk *hw, const convk_sumconv3d_shape *shape, const convk_sumconv_terms *terms,
                                       const convk_chebyshev *filter, size_t step, const CONVK_T *in, CONVK_T *out) {
  char *const message = convk_message_(hw);
  CONVK_DEVICE_(host) *host = NULL;
  convk_chebyshev_steps_ steps;
  convk_sums_arrays_ a;
  convk_sums_job_ *const job = &a.c.job;
  size_t vectors, unused;
  int status = CONVK_DEVICE_(host_of)(hw, &host);
  memset(&a, 0, sizeof a);
  if (!status) status = convk_chebyshev_grids_(message, shape, terms, filter, step, job, &unused);
  if (!status) status = convk_need_(message, "out", out);
  if (!status) status = convk_sums_check_(message, shape, terms, step, in, out, NULL, NULL, 0, job);
  if (!status) status = CONVK_DEVICE_(able)(host, sizeof(CONVK_T), (unsigned)job->any_phase);
  if (status) return status;
  vectors = job->vectors;
  job->vectors = 1;
  status = convk_chebyshev_room_(message, job, filter->degree, &a.parts, &a.between, &a.v.need);
  if (!status) status = convk_chebyshev_check_(message, filter, job, &steps);
  if (status) return status;
  a.steps = &steps;
  a.degree = filter->degree;
  return convk_sums_host_run_(host, &a, terms, in, out, NULL, vectors);
}

CONVK_API_ int convk_chebyshev3d_device(convk *hw, const convk_sumconv3d_shape *shape, const convk_sumconv_terms *terms,
                                        const convk_chebyshev *filter, const CONVK_T *in, CONVK_T *out, void *work,
                                        size_t work_size) {
  (void)(work && work_size);
  return convk_chebyshev_host_(hw, shape, terms, filter, 1, in, out);
}
CONVK_API_ int convk_chebyshev3d_complex_device(convk *hw, const convk_sumconv3d_shape *shape, const convk_sumconv_terms *terms,
                                                const convk_chebyshev *filter, const CONVK_T *in, CONVK_T *out, void *work,
                                                size_t work_size) {
  (void)(work && work_size);
  return convk_chebyshev_host_(hw, shape, terms, filter, 2, in, out);
}
