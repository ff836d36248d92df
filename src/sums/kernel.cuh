/* ---- sums of filters ---- */

enum { CONVK_CUDA_SUMS_THREADS_ = 256, CONVK_CUDA_SUMS_THREADS_LEAST_ = 64 }; /* of a block; of one of few */

template <class real_> struct convk_cuda_sums_args_ : convk_sums_arguments_<real_> {
  const real_ *in, *products, *potential, *add; /* products: mixed terms, packed, one after another */
  real_ *out;
  double *rows; /* of each vector 8 sums, of each of them rows, y after y: z fastest; NULL: none */
  convk_cuda_taps_<real_> taps[3], imag[3];
};

template <class real_> struct convk_cuda_along_args_ : convk_sums_arguments_<real_> {
  const real_ *in;
  real_ *out;
  convk_cuda_taps_<real_> taps;
};

/* Point i of an axis that goes on beyond its ends: where it is in the array, and how many periods below; or nowhere. */
CONVK_CUDA_INLINE_ bool convk_cuda_sums_source_(const convk_sums_axis_device_ &axis, int64_t &i, int64_t &up) {
  const int64_t n = (int64_t)axis.n;
  up = 0;
  if (i >= 0 && i < n) return true;
  if (!axis.periodic) return false;
  up = i >= 0 ? i / n : -((n - 1 - i) / n);
  i -= up * n;
  return true;
}

/* p times what the array is multiplied by so many periods up. */
CONVK_CUDA_INLINE_ void convk_cuda_sums_turn_(const convk_sums_axis_device_ &axis, int64_t up, double *p) {
  const double re = convk_cuda_real_(axis.phase[0]), along = convk_cuda_real_(axis.phase[1]), im = up < 0 ? -along : along;
  if (!axis.turns) return;
  for (int64_t k = up < 0 ? -up : up; k > 0; k--) {
    const double was = p[0];
    p[0] = convk_cuda_sub_(convk_cuda_mul_(was, re), convk_cuda_mul_(p[1], im));
    p[1] = convk_cuda_add_(convk_cuda_mul_(was, im), convk_cuda_mul_(p[1], re));
  }
}

/* A filter along axis f from point i on, at points j and k of the others: the sum over taps in ascending order, which begins
   with 0 where `zero` says so, and else with the first product. */
template <int step_, class real_>
CONVK_CUDA_INLINE_ void convk_cuda_sums_along_(const convk_sums_axis_device_ &f, const convk_sums_axis_device_ &g,
                                               const convk_sums_axis_device_ &h, int64_t i, int64_t j, int64_t k, int kind,
                                               bool zero, const real_ *in, const real_ *taps, real_ *sum) {
  const int ntaps = (int)f.ntaps[kind];
  int64_t up_g, up_h, up;
  CONVK_CUDA_EACH_(s, step_) sum[s] = 0;
  if (!convk_cuda_sums_source_(g, j, up_g) || !convk_cuda_sums_source_(h, k, up_h)) return;
  in += ((uint64_t)j * g.pitch + (uint64_t)k * h.pitch) * step_;
  i += f.lo[kind];
  if (i >= 0 && i + ntaps <= (int64_t)f.n && !up_g && !up_h) { /* most points: no end in sight */
    in += (uint64_t)i * f.pitch * step_;
    CONVK_CUDA_UNROLL_BY_(4)
    for (int t = 0; t < ntaps; t++, in += f.pitch * step_) {
      CONVK_CUDA_EACH_(s, step_) sum[s] = t || zero ? convk_cuda_fma_(taps[t], in[s], sum[s]) : convk_cuda_mul_(taps[t], in[s]);
    }
    return;
  }
  CONVK_CUDA_UNROLL_BY_(1)
  for (int t = 0; t < ntaps; t++) {
    int64_t at = i + t;
    real_ v[step_];
    if (convk_cuda_sums_source_(f, at, up)) {
      CONVK_CUDA_EACH_(s, step_) v[s] = in[(uint64_t)at * f.pitch * step_ + (unsigned)s];
      if (step_ == 2 && ((up && f.turns) || (up_g && g.turns) || (up_h && h.turns))) {
        const real_ a = v[0], b = v[step_ - 1];
        double p[2] = {1, 0};
        convk_cuda_sums_turn_(g, up_g, p);
        convk_cuda_sums_turn_(h, up_h, p);
        convk_cuda_sums_turn_(f, up, p);
        const real_ re = (real_)p[0], im = (real_)p[1];
        v[0] = convk_cuda_fma_(-im, b, convk_cuda_mul_(re, a));
        v[step_ - 1] = convk_cuda_fma_(im, a, convk_cuda_mul_(re, b));
      }
    } else {
      CONVK_CUDA_EACH_(s, step_) v[s] = 0;
    }
    CONVK_CUDA_EACH_(s, step_) sum[s] = t || zero ? convk_cuda_fma_(taps[t], v[s], sum[s]) : convk_cuda_mul_(taps[t], v[s]);
  }
}

/* One filter alone, into a packed array: half of a mixed term.  Of axes y and z those that may wrap come in this order. */
template <class real_, int step_>
static __global__ void __launch_bounds__(CONVK_CUDA_SUMS_THREADS_)
    convk_cuda_sums_single_(const convk_cuda_along_args_<real_> a) {
  const size_t points = a.x.m * a.y.m * a.z.m;
  CONVK_CUDA_EVERY_(t, points, CONVK_CUDA_SUMS_THREADS_) {
    const size_t row = convk_cuda_divide_(t, a.x.m), z = convk_cuda_divide_(row, a.y.m);
    const int64_t i = (int64_t)(t - row * a.x.m) + a.x.origin, j = (int64_t)(row - z * a.y.m) + a.y.origin;
    const int64_t k = (int64_t)z + a.z.origin;
    real_ sum[step_];
    if (a.along == 0) convk_cuda_sums_along_<step_>(a.x, a.y, a.z, i, j, k, 0, true, a.in, a.taps.value, sum);
    else if (a.along == 1) convk_cuda_sums_along_<step_>(a.y, a.x, a.z, j, i, k, 0, false, a.in, a.taps.value, sum);
    else convk_cuda_sums_along_<step_>(a.z, a.x, a.y, k, i, j, 0, false, a.in, a.taps.value, sum);
    CONVK_CUDA_EACH_(s, step_) a.out[t * step_ + (unsigned)s] = sum[s];
  }
}

/* ---- bricks: all but halves of mixed terms ---- */

/* Places in a vector: of filters of one reach they have 31 bits. */
template <int reach_> struct convk_cuda_sums_index_ { typedef int type; };
template <> struct convk_cuda_sums_index_<0> { typedef int64_t type; };

/* Filters of `ntaps` taps at count_ numbers, one after another, of each of some lines, all at once: sums over taps in ascending
   order, which begin with 0 where `zero` says so, and else with the first product.  load(l, k): number k that they see of line
   l; kinds_: two filters of one reach. */
template <int lines_, int count_, int kinds_, int unroll_, class real_, class Load>
CONVK_CUDA_INLINE_ void convk_cuda_sums_filter_(const real_ *taps, const real_ *imag, int ntaps, bool zero, Load load,
                                                real_ (*sum)[lines_][count_]) {
  real_ v[lines_][count_];
  CONVK_CUDA_EACH_(l, lines_) {
    CONVK_CUDA_EACH_(i, count_ - 1) v[l][i] = load(l, i);
  }
  CONVK_CUDA_UNROLL_BY_(unroll_)
  for (int k = 0; k < ntaps; k++) {
    CONVK_CUDA_EACH_(l, lines_) {
      v[l][count_ - 1] = load(l, k + count_ - 1);
      CONVK_CUDA_EACH_(q, kinds_) {
        const real_ tap = q ? imag[k] : taps[k];
        CONVK_CUDA_EACH_(i, count_)
          sum[q][l][i] = k      ? convk_cuda_fma_(tap, v[l][i], sum[q][l][i])
                         : zero ? convk_cuda_fma_(tap, v[l][i], (real_)0)
                                : convk_cuda_mul_(tap, v[l][i]);
      }
      CONVK_CUDA_EACH_(i, count_ - 1) v[l][i] = v[l][i + 1];
    }
  }
}

/* Lanes side by side go along x, each with a brick of rows and planes, whose numbers of y and z it has in registers while it
   uses them; those of x are in the cache.  reach_: how far all filters reach to both sides, or 0: any filters.  sums_: with
   sums; a lane has the same ones of the 16 of a row as on processors.  imag_: with filters times i.
   What registers allow: of f64 with six sums of 8 numbers 112 of 255 are for these. */
template <class real_, int step_, int reach_, int sums_, int imag_> struct convk_cuda_sums_brick_ {
  typedef typename convk_cuda_sums_index_<reach_>::type index;
  enum {
    staged_ = step_ == 1 && reach_ > 4,                /* lines of x go through shared memory */
    lanes_ = sums_ || !reach_ || reach_ > 4 ? 16 : 32, /* those of long filters fill the cache */
    rows_ = sums_ || imag_ || !reach_ || reach_ > 4 || sizeof(real_) == 8 ? 2 : 4,
    planes_ = !reach_ || (sums_ && imag_) ? 2 : 4,
    beside_ = CONVK_CUDA_SUMS_THREADS_LEAST_ / lanes_, /* bricks of a block along y: of others that lie along z */
    kinds_ = imag_ ? 2 : 1,
    taps_ = 2 * reach_ + 1,
    unrolled_ = (sums_ || imag_) && reach_ > 4 ? 8 : taps_, /* all at once would want more registers than there are */
    lines_ = rows_ * planes_,
    ring_ = 3 * lanes_, /* numbers of a line: before the lanes, theirs, and behind them */
    stage_ = staged_ ? lines_ * ring_ + (sizeof(real_) == 4 ? 16 : 0) : 0 /* of both halves of a warp in different banks */
  };
  const convk_cuda_sums_args_<real_> &a;
  const real_ *in; /* of the vector */
  real_ *out;
  unsigned vector;
  index y, z; /* its first row, in the output's coordinates */
  int lane;
  real_ *stage; /* rings of its lines */
  int front;    /* where in these the numbers before the lanes begin */
  double sum[CONVK_SUMS_PARTS_][planes_][rows_];

  /* Number k of a line along an axis, which begins at `first`, of what goes on beyond its ends; there: it is in the array.  Of
     filters of one reach an axis has enough points that they wrap once. */
  __device__ __forceinline__ real_ find(const convk_sums_axis_device_ &axis, index first, index pitch, index k,
                                        bool there) const {
    int64_t up = 0;
    if (reach_) {
      const index n = (index)axis.n;
      up = k < 0 ? -1 : k >= n;
      if (up && !axis.periodic) return (real_)0;
      k += k < 0 ? n : k >= n ? -n : 0;
      if (k >= n) k = 0; /* for rows that there are not */
    } else {
      int64_t i = k;
      if (!convk_cuda_sums_source_(axis, i, up)) return (real_)0;
      k = (index)i;
    }
    if (!there) return (real_)0;
    const int s = lane % step_;
    const real_ *const from = in + (first + k * pitch);
    if (step_ == 1 || !up || !axis.turns) return *from;
    double p[2] = {1, 0};
    convk_cuda_sums_turn_(axis, up, p);
    const real_ re = (real_)p[0], im = s ? (real_)p[1] : -(real_)p[1];
    return convk_cuda_fma_(im, from[s ? -1 : 1], convk_cuda_mul_(re, *from));
  }

  /* A filter of axis d_, or two of them, at count_ numbers of each of some lines, from number i on.  begin(l): where line l
     begins, or where it sees no end, its number i; there(l): whether it is in the array; keep(l, k, v): v, or what is known to
     be number k of those that the filters see. */
  template <bool inner_, int d_, int lines_, int count_, class Begin, class There, class Keep>
  __device__ __forceinline__ void along(const convk_sums_axis_device_ &axis, index pitch, index i, Begin begin, There there,
                                        Keep keep, real_ (*to)[lines_][count_]) const {
    const bool side = inner_ && d_ == 0; /* all of a line by one address */
    CONVK_CUDA_EACH_(q, kinds_) {
      CONVK_CUDA_EACH_(l, lines_) {
        CONVK_CUDA_EACH_(k, count_) to[q][l][k] = 0;
      }
    }
    CONVK_CUDA_EACH_(q, reach_ ? 1 : kinds_) {
      const index lo = reach_ ? -reach_ : (index)axis.lo[q], first = inner_ ? lo * pitch : 0;
      const real_ *from[lines_];
      index at[lines_];
      CONVK_CUDA_EACH_(l, lines_) {
        from[l] = side ? in + begin(l) : in;
        at[l] = side ? first : begin(l) + first;
      }
      const auto load = [&](int l, int k) {
        const index now = inner_ ? at[l] : 0;
        at[l] += inner_ ? pitch : 0;
        return keep(l, k, inner_ ? from[l][now] : find(axis, at[l], pitch, i + lo + k, there(l)));
      };
      if (reach_)
        convk_cuda_sums_filter_<lines_, count_, reach_ ? kinds_ : 1, inner_ ? unrolled_ : 1>(a.taps[d_].value, a.imag[d_].value,
                                                                                             taps_, d_ == 0, load, to);
      else if (axis.ntaps[q])
        convk_cuda_sums_filter_<lines_, count_, 1, inner_ ? 4 : 1>(q ? a.imag[d_].value : a.taps[d_].value, (const real_ *)NULL,
                                                                   (int)axis.ntaps[q], d_ == 0, load, to + q);
    }
    if (imag_ && !axis.ntaps[1]) {
      CONVK_CUDA_EACH_(l, lines_) {
        CONVK_CUDA_EACH_(k, count_) to[kinds_ - 1][l][k] = 0;
      }
    }
  }

  /* Where place `from` of a line's ring is; those of four lines lie in different banks. */
  __device__ __forceinline__ real_ &staged(int line, int from) const {
    from += line % 4;
    return stage[line * ring_ + (from < ring_ ? from : from - ring_)];
  }
  /* Numbers x of all lines, or of those beyond their ends what a filter sees, to a place of their rings.  j, k: of the first
     one. */
  __device__ __forceinline__ void bring(index x, index j, index k, int to) const {
    const index py = (index)a.y.pitch, pz = (index)a.z.pitch, n = (index)a.x.n;
    x = x < -reach_ ? -reach_ : x < n + reach_ ? x : n + reach_ - 1;
    real_ v[lines_];
    CONVK_CUDA_EACH_(l, lines_) {
      const index r = j + l % rows_, p = k + l / rows_;
      v[l] = find(a.x, r * py + p * pz, 1, x, r < (index)a.y.n && p < (index)a.z.n);
    }
    CONVK_CUDA_EACH_(l, lines_) staged(l, to) = v[l];
  }
  /* Filters of x: a lane takes four numbers side by side of every fourth line; then four lanes exchange theirs. */
  __device__ __forceinline__ void sideways(real_ (*to)[1]) const {
    const int line = lane % 4, from = front + lanes_ - reach_ + lane / 4 * 4 + line, turn = ring_ - from;
    const real_ *const low = stage + line * ring_ + from, *const high = low - ring_;
    real_ v[1][(lines_ + 3) / 4][4];
    convk_cuda_sums_filter_<(lines_ + 3) / 4, 4, 1, taps_>(
        a.taps[0].value, (const real_ *)NULL, taps_, true,
        [&](int l, int k) { return (k < turn ? low : high)[4 * l * ring_ + k]; }, v);
    CONVK_CUDA_EACH_(l, (lines_ + 3) / 4) {
      CONVK_CUDA_EACH_(half, 2) {
        const int bit = half + 1;
        const bool second = (lane & bit) != 0;
        CONVK_CUDA_EACH_(m, 2) {
          real_ &a_half = v[0][l][half ? m : 2 * m], &b_half = v[0][l][(half ? m : 2 * m) + bit];
          const real_ other = CONVK_CUDA_SHUFFLE_XOR_(second ? a_half : b_half, bit);
          a_half = second ? other : a_half;
          b_half = second ? b_half : other;
        }
      }
      CONVK_CUDA_EACH_(i, 4) to[4 * l + i][0] = v[0][l][i];
    }
  }

  /* Whether filters see no end from points first ... last of an axis. */
  __device__ __forceinline__ bool inside(const convk_sums_axis_device_ &axis, index first, index last) const {
    index low = reach_, high = reach_;
    CONVK_CUDA_EACH_(q, reach_ ? 0 : kinds_) {
      const index lo = (index)axis.lo[q], up = lo + (index)axis.ntaps[q] - 1;
      low = -lo > low ? -lo : low;
      high = up > high ? up : high;
    }
    return first + (index)axis.origin >= low && last + (index)axis.origin + high < (index)axis.n && last < (index)axis.m;
  }

  /* Filters of y and z, and what is multiplied by V: of_y, of_z, own. */
  template <bool inner_>
  __device__ __forceinline__ void columns(index i, index j, index k, real_ (*own)[rows_], real_ (*of_y)[planes_][rows_],
                                          real_ (*of_z)[rows_][planes_]) const {
    const index py = convk_cuda_anew_((index)a.y.pitch * step_), pz = convk_cuda_anew_((index)a.z.pitch * step_);
    const index first = i * step_ + lane % step_, here = first + j * py + k * pz;
    const bool known = inner_ && reach_ && unrolled_ == taps_, in_x = inner_ || (uint64_t)i < a.x.n;
    const auto in_y = [&](int r) { return inner_ || (uint64_t)(j + r) < a.y.n; };
    const auto in_z = [&](int p) { return inner_ || (uint64_t)(k + p) < a.z.n; };
    along<inner_, 2>(
        a.z, pz, k, [&](int r) { return inner_ ? here + r * py : first + (j + r) * py; },
        [&](int r) { return in_x && in_y(r); },
        [&](int r, int seen, real_ v) {
          if (known && seen >= reach_ && seen < reach_ + planes_) own[seen - reach_][r] = v;
          return v;
        },
        of_z);
    if (!known) {
      CONVK_CUDA_EACH_(p, planes_) {
        CONVK_CUDA_EACH_(r, rows_) own[p][r] = in_x && in_y(r) && in_z(p) ? in[here + r * py + p * pz] : (real_)0;
      }
    }
    along<inner_, 1>(
        a.y, py, j, [&](int p) { return inner_ ? here + p * pz : first + (k + p) * pz; },
        [&](int p) { return in_x && in_z(p); },
        [&](int p, int seen, real_ v) { return known && seen >= reach_ && seen < reach_ + rows_ ? own[p][seen - reach_] : v; },
        of_y);
  }

  /* Filters of x from the cache. */
  template <bool inner_>
  __device__ __forceinline__ void across(index i, index j, index k, real_ (*own)[rows_], real_ (*of_x)[lines_][1]) const {
    const index py = (index)a.y.pitch * step_, pz = (index)a.z.pitch * step_;
    const index row = lane % step_ + j * py + k * pz + (inner_ ? i * step_ : 0);
    along<inner_, 0>(
        a.x, step_, i, [&](int l) { return row + l % rows_ * py + l / rows_ * pz; },
        [&](int l) { return inner_ || ((uint64_t)(j + l % rows_) < a.y.n && (uint64_t)(k + l / rows_) < a.z.n); },
        [&](int l, int seen, real_ v) { return inner_ && reach_ && seen == reach_ ? own[l / rows_][l % rows_] : v; }, of_x);
  }

  /* Numbers at point x of the lane's row.  active: there is such a point; inside: filters of y and z, and of x, see no end;
     ahead: the point that comes to the lines. */
  __device__ __forceinline__ void go(index x, bool active, bool inside, bool inside_x, index ahead) {
    const index i = x + (index)a.x.origin, j = y + (index)a.y.origin, k = z + (index)a.z.origin;
    real_ own[planes_][rows_], of_x[kinds_][lines_][1], of_y[kinds_][planes_][rows_], of_z[kinds_][rows_][planes_];
    real_ weight[planes_][rows_], added[planes_][rows_];
    if (staged_) bring(ahead, j, k, front + 2 * lanes_ < ring_ ? front + 2 * lanes_ + lane : front - lanes_ + lane);
    if (inside) columns<true>(i, j, k, own, of_y, of_z);
    else columns<false>(i, j, k, own, of_y, of_z);
    if (staged_) {
      CONVK_CUDA_WARP_SYNC_();
      sideways(of_x[0]);
      CONVK_CUDA_WARP_SYNC_(); /* numbers that no lane sends another one may be read late */
      front = front + lanes_ < ring_ ? front + lanes_ : 0;
    } else if (inside_x) {
      across<true>(i, j, k, own, of_x);
    } else {
      across<false>(i, j, k, own, of_x);
    }
    bring_terms(x, active, weight, added);
    CONVK_CUDA_EACH_(p, planes_) {
      CONVK_CUDA_EACH_(r, rows_)
        finish(x, p, r, is_there(active, p, r), own[p][r], weight[p][r], added[p][r], of_x[0][p * rows_ + r][0], of_y[0][p][r],
               of_z[0][r][p], of_x[kinds_ - 1][p * rows_ + r][0], of_y[kinds_ - 1][p][r], of_z[kinds_ - 1][r][p]);
    }
  }

  __device__ __forceinline__ bool is_there(bool active, int p, int r) const {
    return active && y + r < (index)a.y.m && z + p < (index)a.z.m;
  }
  /* Potentials and what is added, of all numbers before the first result is stored: behind that, each load would wait for the
     one before.  Rows and planes are made anew, since few registers are left. */
  __device__ __forceinline__ void bring_terms(index x, bool active, real_ (*weight)[rows_], real_ (*added)[rows_]) const {
    const index j = convk_cuda_anew_(y), k = convk_cuda_anew_(z);
    CONVK_CUDA_EACH_(i, lines_) weight[i / rows_][i % rows_] = added[i / rows_][i % rows_] = 0;
    if (a.has & CONVK_SUMS_HAS_V_) {
      CONVK_CUDA_EACH_(i, lines_)
        if (is_there(active, i / rows_, i % rows_))
          weight[i / rows_][i % rows_] = a.potential[place(x, j + i % rows_, k + i / rows_, a.potential_y, a.potential_z)];
    }
    if (a.has & CONVK_SUMS_HAS_ADD_) {
      const real_ *const more = a.add + vector * a.add_v * step_;
      CONVK_CUDA_EACH_(i, lines_)
        if (is_there(active, i / rows_, i % rows_))
          added[i / rows_][i % rows_] = more[place(x, j + i % rows_, k + i / rows_, a.add_y, a.add_z) * step_ + lane % step_];
    }
  }

  static __device__ __forceinline__ index place(index x, index j, index k, uint64_t pitch_y, uint64_t pitch_z) {
    return x + j * (index)pitch_y + k * (index)pitch_z;
  }

  /* A number of the result, from those of filters f and of those times i, g; there: it is one of the array. */
  __device__ __forceinline__ void finish(index x, int p, int r, bool there, real_ own, real_ weight, real_ added, real_ fx,
                                         real_ fy, real_ fz, real_ gx, real_ gy, real_ gz) {
    const index j = y + r, k = z + p;
    const int s = lane % step_;
    real_ v = fx, mixed[3] = {0, 0, 0}, turned = 0;
    if (reach_ || a.y.ntaps[0]) v = convk_cuda_add_(v, fy);
    if (reach_ || a.z.ntaps[0]) v = convk_cuda_add_(v, fz);
    CONVK_CUDA_EACH_(d, 3)
      if (!reach_ && a.has & (CONVK_SUMS_HAS_MIXED_ << d) && there) {
        const size_t packed = ((unsigned)d * a.z.m + (size_t)k) * a.y.m + (size_t)j;
        mixed[d] = a.products[(packed * a.x.m + (size_t)x) * step_ + (unsigned)s];
        v = convk_cuda_fma_(a.mixed[d], mixed[d], v);
      }
    if (imag_) { /* a lane's neighbour has the other number */
      const real_ g = convk_cuda_add_(convk_cuda_add_(gx, gy), gz), other = CONVK_CUDA_SHUFFLE_XOR_(g, 1);
      v = convk_cuda_add_(v, s ? other : convk_cuda_sub_((real_)0, other));
    }
    if (sums_ && step_ == 2) {
      const real_ other = CONVK_CUDA_SHUFFLE_XOR_(own, 1);
      turned = s ? other : convk_cuda_sub_((real_)0, other);
    }
    if (!there) return;
    if (a.has & CONVK_SUMS_HAS_X_)
      v = convk_cuda_fma_(a.has & CONVK_SUMS_HAS_V_ ? convk_cuda_fma_(a.potential_factor, weight, a.shift) : a.shift, own, v);
    if (a.has & CONVK_SUMS_HAS_ADD_) v = convk_cuda_fma_(a.add_factor, added, v);
    if (sums_) gather(p, r, own, turned, v, weight, fx, fy, fz, gx, gy, gz, mixed);
    if (!sums_ || a.has & CONVK_SUMS_HAS_OUT_) out[place(x, j, k, a.out_y, a.out_z) * step_ + s] = v;
  }

  __device__ __forceinline__ void grow(int part, int p, int r, double u, real_ v) {
    sum[part][p][r] = convk_cuda_fma_(u, (double)v, sum[part][p][r]);
  }
  /* Adds what a number gives to the sums of its row: see CONVK_SUMS_PARTS_.  turned: that of i x. */
  __device__ __forceinline__ void gather(int p, int r, real_ own, real_ turned, real_ v, real_ weight, real_ fx, real_ fy,
                                         real_ fz, real_ gx, real_ gy, real_ gz, const real_ *mixed) {
    const double x = (double)own;
    grow(0, p, r, x, v);
    if (step_ == 2) grow(1, p, r, (double)turned, v);
    if (a.has & CONVK_SUMS_HAS_V_) grow(2, p, r, (double)convk_cuda_mul_(weight, own), own);
    grow(3, p, r, (double)v, v);
    if (reach_ || a.x.ntaps[0]) grow(4, p, r, x, fx);
    if (reach_ || a.y.ntaps[0]) grow(5, p, r, x, fy);
    if (reach_ || a.z.ntaps[0]) grow(6, p, r, x, fz);
    if (imag_ && a.x.ntaps[1]) grow(7, p, r, (double)turned, gx);
    if (imag_ && a.y.ntaps[1]) grow(8, p, r, (double)turned, gy);
    if (imag_ && a.z.ntaps[1]) grow(9, p, r, (double)turned, gz);
    CONVK_CUDA_EACH_(d, 3)
      if (!reach_ && a.has & (CONVK_SUMS_HAS_MIXED_ << d)) grow(10 + d, p, r, x, mixed[d]);
  }

  /* Sums of rows, by the same tree as on processors. */
  __device__ __forceinline__ void join() {
    CONVK_CUDA_EACH_(p, planes_) {
      CONVK_CUDA_EACH_(r, rows_) {
        double part[CONVK_SUMS_PARTS_], mixed = 0;
        CONVK_CUDA_EACH_(k, CONVK_SUMS_PARTS_) {
          part[k] = sum[k][p][r];
          if (k == 1 ? step_ == 2 : k < 7 ? true : k < 10 ? imag_ != 0 : reach_ == 0) {
            CONVK_CUDA_UNROLL_
            for (unsigned h = lanes_ / 2; h; h /= 2)
              part[k] = convk_cuda_add_(part[k], CONVK_CUDA_SHUFFLE_DOWN_(part[k], h, lanes_));
          }
        }
        CONVK_CUDA_EACH_(d, 3)
          if (!reach_ && a.has & (CONVK_SUMS_HAS_MIXED_ << d))
            mixed = convk_cuda_add_(mixed, convk_cuda_mul_((double)a.mixed[d], part[10 + d]));
        if (lane || y + r >= (index)a.y.m || z + p >= (index)a.z.m) continue;
        CONVK_CUDA_EACH_(k, 8) {
          const double v = k == 7 ? mixed : imag_ && k >= 4 ? convk_cuda_sub_(part[k], part[k + 3]) : part[k];
          a.rows[(((size_t)vector * 8 + (unsigned)k) * a.y.m + (size_t)(y + r)) * a.z.m + (size_t)(z + p)] = v;
        }
      }
    }
  }
};

/* A block has a tile of rows and planes, and of x a chunk of so many numbers; of a warp all lanes see an end, or none. */
template <class real_, int step_, int reach_, int sums_, int imag_>
static __global__ void CONVK_CUDA_BOUNDS_(CONVK_CUDA_SUMS_THREADS_, sums_ || imag_ ? 1 : 2)
    convk_cuda_sums_bricks_(const convk_cuda_sums_args_<real_> a) {
  typedef convk_cuda_sums_brick_<real_, step_, reach_, sums_, imag_> brick;
  typedef typename brick::index index;
  const int lanes = brick::lanes_, beside = brick::beside_, rows = brick::rows_, planes = brick::planes_;
  CONVK_CUDA_SHARED_(shared);
  for (unsigned t = blockIdx.x;; t += gridDim.x) { /* no memory holds an array of 2^32 tiles */
    const int thread = convk_cuda_anew_((int)threadIdx.x), unit = thread / lanes, of_y = unit % beside;
    const int deep = (int)blockDim.x / (lanes * beside), of_warp = of_y - of_y % (32 / lanes);
    const unsigned tiles_x = (unsigned)a.tiles_x, per_plane = tiles_x * (unsigned)a.tiles_y;
    const unsigned per_vector = per_plane * (unsigned)a.chunks, vector = t / per_vector, in_vector = t - vector * per_vector;
    const unsigned tile_z = in_vector / per_plane, in_plane = in_vector - tile_z * per_plane;
    const unsigned tile_y = in_plane / tiles_x, tile_x = in_plane - tile_y * tiles_x;
    if (vector >= a.vectors) break;
    const index numbers = (index)a.x.m * step_, begin = sums_ ? 0 : (index)(tile_x * a.chunk); /* sums are of whole rows */
    const index end = sums_ || numbers - begin < (index)a.chunk ? numbers : begin + (index)a.chunk;
    const index y = (index)tile_y * (beside * rows), z = (index)tile_z * (deep * planes) + unit / beside * planes;
    brick b = {a,
               convk_cuda_base_(a.in + vector * a.in_v * step_),
               convk_cuda_base_(a.out + vector * a.out_v * step_),
               vector,
               y + of_y * rows,
               z,
               thread % lanes,
               (real_ *)(void *)shared + unit * brick::stage_,
               0,
               {{{0}}}};
    const bool inside =
        b.inside(a.y, y + of_warp * rows, y + (of_warp + 32 / lanes) * rows - 1) && b.inside(a.z, z, z + planes - 1);
    if (brick::staged_) {
      b.bring(begin - lanes + b.lane, b.y, b.z, b.lane);
      b.bring(begin + b.lane, b.y, b.z, lanes + b.lane);
    }
    CONVK_CUDA_UNROLL_BY_(1)
    for (index i = begin; i < end; i += lanes) {
      const index number = i + convk_cuda_anew_((int)threadIdx.x) % lanes; /* no register keeps the lane for it */
      const index first = i / step_, last = (i + lanes - 1) / step_;
      const bool active = number < end;
      const bool there = reach_ || ((uint64_t)(first + a.x.origin) < a.x.n && (uint64_t)(last + a.x.origin) < a.x.n);
      b.go(active ? number / step_ : 0, active, inside && there, inside && b.inside(a.x, first, last), number + lanes);
    }
    if (sums_) b.join();
  }
}

/* Rows of a plane, then planes, each in sequence, of so many sums: a block for each. */
struct convk_cuda_sums_total_args_ {
  const double *rows;
  double *planes, *total;
  size_t count, ny, nz;
};
template <class Args> /* a template, so that units that do not start it hold no copy */
static __global__ void __launch_bounds__(CONVK_CUDA_SUMS_THREADS_) convk_cuda_sums_total_(const Args a) {
  for (size_t k = blockIdx.x; k < a.count; k += gridDim.x) {
    for (size_t z = threadIdx.x; z < a.nz; z += CONVK_CUDA_SUMS_THREADS_)
      a.planes[k * a.nz + z] = convk_cuda_total_of_<32>(a.rows + k * a.ny * a.nz + z, a.nz, a.ny, 0.0);
    __syncthreads();
    if (threadIdx.x == 0) a.total[k] = convk_cuda_total_of_<32>(a.planes + k * a.nz, 1, a.nz, 0.0);
  }
}
