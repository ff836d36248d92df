/* Whether parts of vectors are loaded and stored as fast as whole ones: by masks.  Elsewhere the last vector of a row begins
   early and repeats some points, and what is left is made point by point. */
#define CONVK_PARTS_ (sizeof(CONVK_V) == 64)

/* Whether columns may be half a vector wide: 1.1 to 1.2 times as fast in avx2 as a vector that repeats points and lies across
   lines of the cache; in sse2, where a call makes a part of a vector, 1.03 to 1.8 times slower. */
#ifdef CONVK_LOAD_HALF_
#define CONVK_HALVES_ 1
#define CONVK_HALF_ CONVK_LOAD_HALF_
#else
#define CONVK_HALVES_ 0
#define CONVK_HALF_ CONVK_LOAD_
#endif

/* `k` points at p.  halves: 2, LANES of them; 1, half as many; 0, one, or, by masks, fewer than LANES. */
CONVK_INLINE_ CONVK_V convk_stencil_load_(const CONVK_T *p, size_t k, const int halves) {
  if (halves) return halves > 1 ? CONVK_LOAD_(p) : CONVK_HALF_(p);
  return CONVK_PARTS_ ? CONVK_LOADK_(p, k) : CONVK_SET_(CONVK_ONE_(p));
}

/* The weights of a part, each in a vector. */
CONVK_INLINE_ void convk_stencil_spread_(const convk_stencil_part_ *part, CONVK_V *c) {
  c[0] = CONVK_SET_(part->c.centre);
  c[1] = CONVK_SET_(part->c.x_minus);
  c[2] = CONVK_SET_(part->c.x_plus);
  c[3] = CONVK_SET_(part->c.y_minus);
  c[4] = CONVK_SET_(part->c.y_plus);
  c[5] = CONVK_SET_(part->c.z_minus);
  c[6] = CONVK_SET_(part->c.z_plus);
}

/* Columns of all rows of one plane or two, from i to `end`, `width` vectors wide: down the rows, so that each vector is loaded
   once for itself and its neighbours in y and z; those in x lie at `left` and `right` of it.  The row after each lies at
   row_plus of it.  The last column repeats some points.  k: points of a vector that count; halves: as above. */
CONVK_INLINE_ void convk_stencil_column_(const convk_stencil_part_ *part, const CONVK_T *const *in, CONVK_T *const *out,
                                         const size_t *pitch, size_t i, size_t end, size_t k, ptrdiff_t left, ptrdiff_t right,
                                         const int planes, const int width, const int halves, int isotropic) {
  const size_t next = pitch[1], below_next = pitch[0], above_next = pitch[planes + 1], out_pitch = part->out_pitch;
  const ptrdiff_t minus = part->row_minus, plus = part->row_plus;
  const size_t step = width > 1 ? (size_t)width * CONVK_LANES : k;
  CONVK_V c[7];
  int p, w;
  convk_stencil_spread_(part, c);
  for (; i < end; i += step) {
    const size_t x = i + step > end ? end - step : i;
    const CONVK_T *m[2], *below = in[0] + x, *above = in[planes + 1] + x;
    CONVK_T *to[2];
    CONVK_V before[2][2], now[2][2];
    size_t y;
    CONVK_EACH_(p, planes) {
      m[p] = in[p + 1] + x;
      to[p] = out[p] + x;
      CONVK_EACH_(w, width) {
        before[p][w] = convk_stencil_load_(m[p] + minus + w * CONVK_LANES, k, halves);
        now[p][w] = convk_stencil_load_(m[p] + w * CONVK_LANES, k, halves);
      }
    }
    for (y = part->nrows; y; y--) {
      CONVK_EACH_(p, planes)
        CONVK_EACH_(w, width) {
          const CONVK_T *at = m[p] + w * CONVK_LANES;
          const CONVK_V v = now[p][w], yp = convk_stencil_load_(at + plus, k, halves);
          /* before[0] is a row further where p is 1: here */
          const CONVK_V zm = p ? before[0][w] : convk_stencil_load_(below + w * CONVK_LANES, k, halves);
          const CONVK_V zp = p + 1 < planes ? now[p + 1][w] : convk_stencil_load_(above + w * CONVK_LANES, k, halves);
          const CONVK_V xm = convk_stencil_load_(at + left, k, halves), xp = convk_stencil_load_(at + right, k, halves);
          const CONVK_V s = convk_stencil_value_(c, v, xm, xp, before[p][w], yp, zm, zp, isotropic);
          if (halves > 1) CONVK_STORE_(to[p] + w * CONVK_LANES, s);
          else if (CONVK_PARTS_ || halves) CONVK_STOREK_(to[p], s, k);
          else memcpy(to[p], &s, sizeof *to[p]);
          before[p][w] = v;
          now[p][w] = yp;
        }
      CONVK_EACH_(p, planes) {
        m[p] += next;
        to[p] += out_pitch;
      }
      below += below_next;
      above += above_next;
    }
  }
}

/* Parts of vectors, from i to `end` of all rows of each plane. */
CONVK_RARE_ void convk_stencil_points_(const convk_stencil_part_ *part, const CONVK_T *const *in, CONVK_T *const *out,
                                       const size_t *pitch, size_t nplanes, size_t i, size_t end, ptrdiff_t left,
                                       ptrdiff_t right) {
  size_t stop, p;
  for (; i < end; i = stop) {
    stop = CONVK_PARTS_ && end - i > CONVK_LANES ? i + CONVK_LANES : end;
    for (p = 0; part->isotropic && p + 1 < nplanes; p += 2)
      convk_stencil_column_(part, in + p, out + p, pitch + p, i, stop, CONVK_PARTS_ ? stop - i : 1, left, right, 2, 1, 0, 1);
    for (; p < nplanes; p++)
      convk_stencil_column_(part, in + p, out + p, pitch + p, i, stop, CONVK_PARTS_ ? stop - i : 1, left, right, 1, 1, 0,
                            part->isotropic);
  }
}

/* Columns of whole vectors of all planes, or of half a vector where that is enough; `wide`: of two vectors.  Pairs of planes
   share their loads.  A function of its own: it has the registers to itself.  With seven weights there are none for two
   vectors. */
CONVK_RARE_ void convk_stencil_vectors_(const convk_stencil_part_ *part, size_t i, size_t end, int wide) {
  const size_t k = CONVK_LANES, half = CONVK_LANES / 2;
  size_t p;
  for (p = 0; p < part->nplanes; p += 2) {
    const int pair = p + 1 < part->nplanes, both = pair && part->isotropic;
    const CONVK_T *const *in = part->in + p;
    CONVK_T *const *out = part->out + p;
    const size_t *pitch = part->in_pitch + p;
    if (wide && both && !CONVK_PARTS_) convk_stencil_column_(part, in, out, pitch, i, end, k, -1, 1, 2, 2, 2, 1);
    else if (CONVK_TERSE_) convk_stencil_points_(part, in, out, pitch, pair ? 2 : 1, i, end, -1, 1);
    else if (CONVK_HALVES_ && both && end - i <= half)
      convk_stencil_column_(part, in, out, pitch, i, end, half, -1, 1, 2, 1, 1, 1);
    else if (both) convk_stencil_column_(part, in, out, pitch, i, end, k, -1, 1, 2, 1, 2, 1);
    else if (pair) convk_stencil_column_(part, in, out, pitch, i, end, k, -1, 1, 2, 1, 2, 0);
    else if (part->isotropic) convk_stencil_column_(part, in, out, pitch, i, end, k, -1, 1, 1, 1, 2, 1);
    else convk_stencil_column_(part, in, out, pitch, i, end, k, -1, 1, 1, 1, 2, 0);
  }
}

/* Whole vectors from i to `end` of a row of each plane, `vectors` of a plane after each other.  Every vector of a plane is
   loaded once for itself and its neighbours in z, and in x where registers can be shifted. */
CONVK_INLINE_ void convk_stencil_run_(const convk_stencil_part_ *part, const CONVK_T *const *from, CONVK_T *const *to, size_t i,
                                      size_t end, const int nplanes, const int vectors, int isotropic, int stream) {
  /* copies that no store can change, so that they are not loaded again and again */
  const ptrdiff_t minus = part->row_minus, plus = part->row_plus;
  const size_t ahead = part->ahead;
  const CONVK_T *in[CONVK_STENCIL_PLANES_ + 2];
  CONVK_T *out[CONVK_STENCIL_PLANES_];
  CONVK_V c[7], before[CONVK_STENCIL_PLANES_], now[CONVK_STENCIL_PLANES_], v[CONVK_STENCIL_PLANES_][2];
  int p, w;
  convk_stencil_spread_(part, c);
  CONVK_EACH_(p, nplanes + 2) in[p] = from[p];
  CONVK_EACH_(p, nplanes) out[p] = to[p];
  CONVK_EACH_(p, nplanes) {
    before[p] = CONVK_SET_(CONVK_ONE_(in[p + 1] + (ptrdiff_t)i - 1)); /* only its last element counts */
    now[p] = CONVK_LOAD_(in[p + 1] + i);
  }
  for (; i < end; i += (size_t)vectors * CONVK_LANES) {
    if (ahead) {
      CONVK_UNROLL_
      for (p = 2; p < nplanes + 2; p++) /* planes that are new here */
        CONVK_PREFETCH_L1_((uintptr_t)(in[p] + i) + (ahead + (p <= nplanes ? (uintptr_t)plus : 0)) * sizeof(CONVK_T));
    }
    CONVK_EACH_(p, nplanes)
      CONVK_EACH_(w, vectors) v[p][w] = vectors > 1 ? CONVK_LOAD_(in[p + 1] + i + (size_t)w * CONVK_LANES) : now[p];
    CONVK_EACH_(p, nplanes)
      CONVK_EACH_(w, vectors) {
        const size_t x = i + (size_t)w * CONVK_LANES;
        const CONVK_T *m = in[p + 1] + x;
        const CONVK_V below = p ? v[p - 1][w] : CONVK_LOAD_(in[0] + x), next = CONVK_LOAD_(m + CONVK_LANES);
        const CONVK_V above = p + 1 < nplanes ? v[p + 1][w] : CONVK_LOAD_(in[p + 2] + x);
        const CONVK_V s = convk_stencil_value_(c, v[p][w], CONVK_BEFORE_(m, before[p], v[p][w]), CONVK_AFTER_(m, v[p][w], next),
                                               CONVK_LOAD_(m + minus), CONVK_LOAD_(m + plus), below, above, isotropic);
        if (stream) CONVK_STREAM_(out[p] + x, s);
        else CONVK_STORE_(out[p] + x, s);
        before[p] = v[p][w];
        now[p] = next;
      }
  }
}

/* A row from the stage past the cache, from where its lines of the cache begin. */
CONVK_RARE_ void convk_stencil_past_(const CONVK_T *from, CONVK_T *to, size_t n) {
  size_t i = (64 - (uintptr_t)to % 64) % 64 / sizeof(CONVK_T);
  if (i > n || (uintptr_t)to % sizeof(CONVK_T)) i = n;
  memcpy(to, from, i * sizeof *to); /* at any alignment, which a loop of assignments does not promise */
  for (; i + CONVK_LANES <= n; i += CONVK_LANES) CONVK_STREAM_(to + i, CONVK_LOAD_(from + i));
  memcpy(to + i, from + i, (n - i) * sizeof *to);
}

/* convk_stencil_run_ for each number of planes and each way of storing.  A function of its own: it has the registers to itself,
   and what surrounds a row is compiled once.  Vectors of less than a line go by pairs, so that fewer lines are stored at a
   time, and prefetched less often: past the caches 1.15 times as fast in avx2, 1.2 in sse2. */
CONVK_RARE_ void convk_stencil_rows_(const convk_stencil_part_ *part, const CONVK_T *const *in, CONVK_T *const *out, size_t i,
                                     size_t end, size_t nplanes, int stream) {
  enum { vectors_ = CONVK_PARTS_ || CONVK_LANES == 1 ? 1 : 2 };
  const size_t pairs = nplanes > 1 && part->isotropic ? end - (end - i) % ((size_t)vectors_ * CONVK_LANES) : i;
  size_t p;
  if (i < pairs) {
    if (CONVK_PARTS_ && !stream) convk_stencil_run_(part, in, out, i, pairs, CONVK_STENCIL_PLANES_, vectors_, 1, 0);
    else convk_stencil_run_(part, in, out, i, pairs, CONVK_STENCIL_PLANES_, vectors_, 1, CONVK_PARTS_ || stream);
  }
  if (pairs == end) return;
  if (nplanes > 1 && !part->isotropic && !CONVK_TERSE_) {
    convk_stencil_run_(part, in, out, pairs, end, CONVK_STENCIL_PLANES_, 1, 0, stream);
    return;
  }
  for (p = 0; p < nplanes; p++) convk_stencil_run_(part, in + p, out + p, pairs, end, 1, 1, part->isotropic, 0);
}

static void convk_stencil_fence_(void) { CONVK_FENCE_; }

CONVK_LOCAL_ const convk_stencil_kernels_ *convk_stencil_kernel_table_(void) {
  static const convk_stencil_kernels_ kernels = {
      CONVK_LANES,         CONVK_PARTS_,        convk_stencil_points_, convk_stencil_vectors_,
      convk_stencil_rows_, convk_stencil_past_, convk_stencil_fence_};
  return &kernels;
}

#undef CONVK_PARTS_
#undef CONVK_HALVES_
#undef CONVK_HALF_
