/* ---- Chebyshev filters on a device: the kernels of sums, step by step ---- */

/* As convk_chebyshev_steps_all_: into the output and an array that lies as it does, at the beginning of `base`, in turn; behind
   this the work of each step. */
CONVK_LOCAL_ int convk_chebyshev_start_(CONVK_DEVICE_(call) *call, const convk_sums_call_ *given,
                                        const convk_sums_room_ *parts, const convk_chebyshev_steps_ *begin, int degree,
                                        size_t between, CONVK_ARRAY_(void) base) {
  const size_t element = given->job.step * sizeof(CONVK_T);
  const convk_grid3 gi = given->job.gi, go = given->job.go;
  CONVK_ARRAY_(void) work = base;
  convk_chebyshev_steps_ s = *begin;
  convk_sums_call_ c = *given;
  CONVK_ARRAY_(CONVK_T) to[2];
  int k, status = CONVK_OK;
  to[0] = to[1] = given->at.out;
  if (between) {
    to[1] = CONVK_DEVICE_(array_at)(base, 0, element);
    work = CONVK_DEVICE_(array_at)(base, between, 1);
  }
  for (k = 0; k < degree && !status; k++) {
    const int now = (degree - 1 - k) % 2;
    (void)convk_chebyshev_terms_(&s, k, &c.job);
    c.at.out = to[now];
    if (k) {
      c.at.in = to[!now];
      c.job.gi = go;
      c.job.in_stride = given->job.out_stride;
      c.add = 1;
      c.at.add = to[now];
      c.job.ga = go;
      c.job.add_stride = given->job.out_stride;
    }
    if (k == 1) {
      c.at.add = given->at.in;
      c.job.ga = gi;
      c.job.add_stride = given->job.in_stride;
    }
    status = convk_sums_start_(call, &c, parts, work);
  }
  return status;
}

/* Work of a call with grids: the array between steps, and what each of them needs. */
CONVK_LOCAL_ int convk_chebyshev_room_(char *message, const convk_sums_job_ *job, int degree, convk_sums_room_ *parts,
                                       size_t *between, size_t *need) {
  const size_t all = ((job->vectors - 1) * job->out_stride + job->out_span) * job->step * sizeof(CONVK_T);
  const int status = convk_sums_room_of_(message, job, 0, parts);
  *between = degree > 1 ? convk_round_up_(all, 256) : 0;
  *need = *between + parts->need;
  if (*between && !parts->need) *need += 256;
  return status;
}

/* ---- device memory ---- */

/* Grids of a call, and its terms but for their arrays. */
CONVK_LOCAL_ int convk_chebyshev_grids_there_(char *message, const convk_sumconv3d_shape *shape,
                                              const CONVK_THERE_(sumconv_terms) * terms, const convk_chebyshev *filter,
                                              size_t step, convk_sumconv_terms *here, convk_sums_job_ *job) {
  size_t unused;
  const int status = convk_chebyshev_grids_(message, shape, convk_sums_here_(terms, here), filter, step, job, &unused);
  if (status) return status;
  return CONVK_DEVICE_(there)(terms->add)
             ? convk_refuse_(message, CONVK_ERR_OPTION, "terms->add is set, where the filter has its own")
             : CONVK_OK;
}

CONVK_LOCAL_ int convk_chebyshev_there_(CONVK_ON_ *on, const convk_sumconv3d_shape *shape,
                                        const CONVK_THERE_(sumconv_terms) * terms, const convk_chebyshev *filter, size_t step,
                                        CONVK_ARRAY_(const CONVK_T) in, CONVK_ARRAY_(CONVK_T) out, CONVK_ARRAY_(void) work,
                                        size_t work_size) {
  const size_t s = sizeof(CONVK_T), element = step * sizeof(CONVK_T);
  CONVK_ARRAY_(void) base = work;
  CONVK_DEVICE_(call) call;
  convk_chebyshev_steps_ steps;
  convk_sumconv_terms here;
  convk_sums_room_ parts;
  convk_sums_call_ c;
  convk_place_ p[4];
  size_t all, ins, between = 0, need = 0;
  int status;
  memset(&c, 0, sizeof c);
  status = CONVK_DEVICE_(call_of)(on, s, 0, &call);
  if (!status) status = convk_chebyshev_grids_there_(call.message, shape, terms, filter, step, &here, &c.job);
  if (!status) status = convk_sums_numbers_(call.message, &here, &c.job);
  if (!status && c.job.any_phase) status = CONVK_DEVICE_(call_of)(on, s, 1, &call);
  if (status) return CONVK_DEVICE_(call_end)(&call, status);
  c.at.in = in;
  c.at.potential = terms->potential;
  c.at.out = out;
  c.potential = CONVK_DEVICE_(there)(c.at.potential);
  c.out = 1;
  ins = (c.job.vectors - 1) * c.job.in_stride + c.job.in_span;
  all = (c.job.vectors - 1) * c.job.out_stride + c.job.out_span;
  status = CONVK_DEVICE_(array_place)(&call, "in", in, ins, element, 0, &p[0]);
  if (!status) status = CONVK_DEVICE_(array_place)(&call, "out", out, all, element, CONVK_PLACE_WRITTEN_, &p[1]);
  if (!status)
    status =
        CONVK_DEVICE_(array_place)(&call, "terms->potential", c.at.potential, c.job.out_span, s, CONVK_PLACE_OPTIONAL_, &p[2]);
  if (!status) status = convk_places_check_(call.message, p, 3);
  if (!status) status = convk_chebyshev_room_(call.message, &c.job, filter->degree, &parts, &between, &need);
  if (!status) status = convk_chebyshev_check_(call.message, filter, &c.job, &steps);
  if (!status && need) {
    status = CONVK_DEVICE_(work_place)(&call, work, work_size, need, &p[3], &base);
    if (!status) status = convk_places_check_(call.message, p, 4);
  }
  if (!status) status = convk_chebyshev_start_(&call, &c, &parts, &steps, filter->degree, between, base);
  return CONVK_DEVICE_(call_end)(&call, status);
}

CONVK_API_ int convk_chebyshev3d_resident(CONVK_ON_ *on, const convk_sumconv3d_shape *shape,
                                          const CONVK_THERE_(sumconv_terms) * terms, const convk_chebyshev *filter,
                                          CONVK_ARRAY_(const CONVK_T) in, CONVK_ARRAY_(CONVK_T) out, CONVK_ARRAY_(void) work,
                                          size_t work_size) {
  return convk_chebyshev_there_(on, shape, terms, filter, 1, in, out, work, work_size);
}
CONVK_API_ int convk_chebyshev3d_complex_resident(CONVK_ON_ *on, const convk_sumconv3d_shape *shape,
                                                  const CONVK_THERE_(sumconv_terms) * terms, const convk_chebyshev *filter,
                                                  CONVK_ARRAY_(const CONVK_T) in, CONVK_ARRAY_(CONVK_T) out,
                                                  CONVK_ARRAY_(void) work, size_t work_size) {
  return convk_chebyshev_there_(on, shape, terms, filter, 2, in, out, work, work_size);
}

CONVK_LOCAL_ int convk_chebyshev_size_there_(CONVK_ON_ *on, const convk_sumconv3d_shape *shape,
                                             const CONVK_THERE_(sumconv_terms) * terms, const convk_chebyshev *filter,
                                             size_t step, size_t *bytes) {
  convk_sumconv_terms here;
  convk_sums_room_ parts;
  convk_sums_job_ job;
  size_t between, need = 0;
  char *message;
  int status = CONVK_DEVICE_(query_of)(on, &message);
  if (!status) status = convk_need_(message, "bytes", bytes);
  if (!status) status = convk_chebyshev_grids_there_(message, shape, terms, filter, step, &here, &job);
  if (!status) status = convk_chebyshev_room_(message, &job, filter->degree, &parts, &between, &need);
  if (!status) *bytes = need;
  return status;
}
CONVK_API_ int convk_chebyshev3d_work_size_resident(CONVK_ON_ *on, const convk_sumconv3d_shape *shape,
                                                    const CONVK_THERE_(sumconv_terms) * terms, const convk_chebyshev *filter,
                                                    size_t *bytes) {
  return convk_chebyshev_size_there_(on, shape, terms, filter, 1, bytes);
}
CONVK_API_ int convk_chebyshev3d_work_size_complex_resident(CONVK_ON_ *on, const convk_sumconv3d_shape *shape,
                                                            const CONVK_THERE_(sumconv_terms) * terms,
                                                            const convk_chebyshev *filter, size_t *bytes) {
  return convk_chebyshev_size_there_(on, shape, terms, filter, 2, bytes);
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
  status = convk_chebyshev_room_(message, job, filter->degree, &a.parts, &a.between, &a.need);
  if (!status) status = convk_chebyshev_check_(message, filter, job, &steps);
  if (status) return status;
  a.steps = &steps;
  a.degree = filter->degree;
  return convk_sums_host_run_(host, &a, terms, in, out, NULL, vectors);
}

CONVK_API_ int convk_chebyshev3d_device(convk *hw, const convk_sumconv3d_shape *shape, const convk_sumconv_terms *terms, const convk_chebyshev *filter, const CONVK_T *in, CONVK_T *out, void *work, size_t work_size) {
  (void)(work && work_size);
  return convk_chebyshev_host_(hw, shape, terms, filter, 1, in, out);
}
CONVK_API_ int convk_chebyshev3d_complex_device(convk *hw, const convk_sumconv3d_shape *shape, const convk_sumconv_terms *terms, const convk_chebyshev *filter, const CONVK_T *in, CONVK_T *out, void *work, size_t work_size) {
  (void)(work && work_size);
  return convk_chebyshev_host_(hw, shape, terms, filter, 2, in, out);
}
