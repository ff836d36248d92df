CONVK_LOCAL_ int convk_sums_single_(convk_cuda_call_ *call, const convk_sums_call_ *c, CONVK_ARGUMENTS_(sums) * arguments,
                                    const convk_sums_filter_ *f, const convk_sums_room_ *parts, int product, size_t first,
                                    void *base) {
  const size_t step = c->job.step, all = c->job.axis[0].m * c->job.axis[1].m * c->job.axis[2].m * step;
  CONVK_T *const half = convk_cuda_array_at_(base, parts->half, sizeof(CONVK_T));
  CONVK_T *const products = convk_cuda_array_at_(base, parts->products, sizeof(CONVK_T));
  convk_cuda_along_args_<CONVK_T> a = convk_cuda_along_args_<CONVK_T>();
  *(CONVK_ARGUMENTS_(sums) *)&a = *arguments;
  a.in = product < 0 ? c->at.in + first * c->job.in_stride * step : half;
  a.out = product < 0 ? half : products + (size_t)product * all;
  a.taps = convk_cuda_filters_taps_(f->taps, f->ntaps);
  return convk_cuda_start_(step == 1 ? convk_cuda_sums_single_<CONVK_T, 1> : convk_cuda_sums_single_<CONVK_T, 2>,
                           convk_ceil_(a.x.m * a.y.m * a.z.m, CONVK_CUDA_SUMS_THREADS_), CONVK_CUDA_SUMS_THREADS_, call->stream,
                           a);
}

/* How far all filters reach to both sides, if there is a kernel for that; else 0. */
CONVK_LOCAL_ int convk_cuda_sums_reach_(const convk_sums_job_ *job) {
  const ptrdiff_t reach = -job->filter[CONVK_SUMS_FILTER_][0].lo;
  const size_t limit = (size_t)1 << 30; /* of places within a vector: they have 31 bits, with those beyond its end */
  int d, kind;
  for (d = 0; d < 3; d++) {
    const convk_sums_axis_ *const axis = &job->axis[d];
    for (kind = CONVK_SUMS_FILTER_; kind <= CONVK_SUMS_IMAG_; kind++) {
      const convk_sums_filter_ *const f = &job->filter[kind][d];
      if (kind == CONVK_SUMS_IMAG_ && !f->ntaps) continue;
      if (f->lo != -reach || (ptrdiff_t)f->ntaps != 2 * reach + 1) return 0;
    }
    if (job->mixed[d] || axis->origin || axis->n != axis->m) return 0;
    if (axis->n < (size_t)reach) return 0;
  }
  return job->in_span < limit / job->step && job->out_span < limit / job->step ? (int)reach : 0;
}

/* Starts bricks; blocks are small where there are few. */
template <class real_, int step_, int reach_, int sums_, int imag_>
static int convk_cuda_sums_go_(convk_cuda_call_ *call, convk_cuda_sums_args_<real_> *a) {
  typedef convk_cuda_sums_brick_<real_, step_, reach_, sums_, imag_> brick;
  const size_t numbers = a->x.m * step_, enough = 264; /* two for each multiprocessor of an H100 */
  const int least = CONVK_CUDA_SUMS_THREADS_LEAST_;
  size_t blocks = 0;
  int threads;
  a->tiles_y = convk_ceil_(a->y.m, brick::rows_ * brick::beside_);
  for (threads = CONVK_CUDA_SUMS_THREADS_; threads >= least; threads /= 4) {
    const size_t planes = brick::planes_ * (size_t)(threads / least);
    a->chunks = convk_ceil_(a->z.m, planes);
    blocks = a->tiles_y * a->chunks * a->vectors;
    a->chunk = numbers;
    if (!sums_) a->chunk = convk_round_up_(convk_ceil_(numbers, convk_ceil_(CONVK_CUDA_ENOUGH_BLOCKS_, blocks)), brick::lanes_);
    a->tiles_x = convk_ceil_(numbers, a->chunk);
    blocks *= a->tiles_x;
    if (blocks >= enough || threads == least) break;
  }
  return convk_cuda_start_(convk_cuda_sums_bricks_<real_, step_, reach_, sums_, imag_>, blocks, threads, call->stream, *a,
                           (size_t)(threads / brick::lanes_) * brick::stage_ * sizeof(real_));
}

/* The kernel of this reach, or that of any: those are there that pay for the seconds that they take to compile: finite
   differences of all usual orders for real numbers, few for complex ones and for sums; and 29 taps of wavelets. */
template <class real_, int step_, int sums_>
static int convk_cuda_sums_choose_(convk_cuda_call_ *call, int reach, int imag, convk_cuda_sums_args_<real_> *a) {
  const int real = step_ == 1, plain = real && !sums_, some = real || !sums_, pairs = !real;
  if (imag && pairs)
    return reach == 14 ? convk_cuda_sums_go_<real_, step_, 14, sums_, pairs>(call, a)
                       : convk_cuda_sums_go_<real_, step_, 0, sums_, pairs>(call, a);
  return reach == 1    ? convk_cuda_sums_go_ < real_, step_, some ? 1 : 0, sums_,
         0 > (call, a) : reach == 2 ? convk_cuda_sums_go_ < real_, step_, plain ? 2 : 0, sums_,
         0 > (call, a) : reach == 3 ? convk_cuda_sums_go_ < real_, step_, plain ? 3 : 0, sums_,
         0 > (call, a)
     : reach == 4 ? convk_cuda_sums_go_<real_, step_, 4, sums_, 0>(call, a)
                  : reach == 6
         ? convk_cuda_sums_go_ < real_,
         step_, real ? 6 : 0, sums_, 0 > (call, a) : reach == 8 ? convk_cuda_sums_go_ < real_, step_, some ? 8 : 0, sums_,
         0 > (call, a)
     : reach == 14 ? convk_cuda_sums_go_<real_, step_, 14, sums_, 0>(call, a)
                   : convk_cuda_sums_go_<real_, step_, 0, sums_, 0>(call, a);
}

CONVK_LOCAL_ int convk_sums_points_(convk_cuda_call_ *call, const convk_sums_call_ *c, CONVK_ARGUMENTS_(sums) * arguments,
                                    const convk_sums_room_ *parts, size_t first, void *base) {
  const size_t step = c->job.step, rows = c->job.axis[1].m * c->job.axis[2].m;
  const int reach = convk_cuda_sums_reach_(&c->job), imag = c->job.any_imag;
  convk_cuda_sums_args_<CONVK_T> a = convk_cuda_sums_args_<CONVK_T>();
  size_t d;
  *(CONVK_ARGUMENTS_(sums) *)&a = *arguments;
  a.in = c->at.in + first * c->job.in_stride * step;
  a.products = convk_cuda_array_at_(base, parts->products, sizeof(CONVK_T));
  a.potential = c->at.potential;
  a.add = c->add ? c->at.add + first * c->job.add_stride * step : NULL;
  a.out = c->out ? c->at.out + first * c->job.out_stride * step : NULL;
  for (d = 0; d < 3; d++) {
    a.taps[d] = convk_cuda_filters_taps_(c->job.filter[CONVK_SUMS_FILTER_][d].taps, c->job.filter[CONVK_SUMS_FILTER_][d].ntaps);
    a.imag[d] = convk_cuda_filters_taps_(c->job.filter[CONVK_SUMS_IMAG_][d].taps, c->job.filter[CONVK_SUMS_IMAG_][d].ntaps);
  }
  a.rows = c->sums ? (double *)convk_cuda_array_at_(base, parts->rows, sizeof(double)) + first * 8 * rows : NULL;
  if (step == 1)
    return c->sums ? convk_cuda_sums_choose_<CONVK_T, 1, 1>(call, reach, imag, &a)
                   : convk_cuda_sums_choose_<CONVK_T, 1, 0>(call, reach, imag, &a);
  return c->sums ? convk_cuda_sums_choose_<CONVK_T, 2, 1>(call, reach, imag, &a)
                 : convk_cuda_sums_choose_<CONVK_T, 2, 0>(call, reach, imag, &a);
}

CONVK_LOCAL_ int convk_sums_total_(convk_cuda_call_ *call, const convk_sums_call_ *c, const convk_sums_room_ *parts,
                                   void *base) {
  convk_cuda_sums_total_args_ a;
  a.ny = c->job.axis[1].m;
  a.nz = c->job.axis[2].m;
  a.rows = convk_cuda_array_at_(base, parts->rows, sizeof(double));
  if (c->axes) a.rows += 4 * a.ny * a.nz;
  a.planes = convk_cuda_array_at_(base, parts->planes, sizeof(double));
  a.total = c->axes ? c->at.energies : c->at.sums->dot;
  a.count = c->axes ? c->axes : 8 * c->job.vectors;
  return convk_cuda_start_(convk_cuda_sums_total_<convk_cuda_sums_total_args_>, a.count, CONVK_CUDA_SUMS_THREADS_, call->stream,
                           a);
}
