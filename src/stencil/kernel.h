/* Whether parts of vectors are loaded and stored as fast as whole ones: by masks.  Elsewhere the last vector of a row begins
   early and repeats some points, and what is left is made point by point. */
#define CONVK_PARTS_ (sizeof(CONVK_V) == 64)

/* `k` points at p: LANES of them, one, or, by masks, fewer than LANES. */
CONVK_INLINE_ CONVK_V convk_stencil_load_(const CONVK_T *p, size_t k, const int whole) {
  if (whole) return CONVK_LOAD_(p);
  return CONVK_PARTS_ ? CONVK_LOADK_(p, k) : CONVK_SET_(CONVK_ONE_(p));
}

/* Columns of all rows of one plane or two, from i to `end`, `width` vectors wide: down the rows, so that each vector is loaded
   once for itself and its neighbours in y and z; those in x lie at `left` and `right` of it.  The row after each lies at
   row_plus of it.  The last column repeats some points.  k: points of a vector that count, LANES if `whole`; else 1 where there
   are no masks. */
CONVK_INLINE_ void convk_stencil_column_(const convk_stencil_part_ *part, const CONVK_V *weights, const CONVK_T *const *in,
                                         CONVK_T *const *out, const size_t *pitch, size_t i, size_t end, size_t k,
                                         ptrdiff_t left, ptrdiff_t right, const int planes, const int width, const int whole,
                                         const int isotropic) {
  const size_t next = pitch[1], below_next = pitch[0], above_next = pitch[planes + 1], out_pitch = part->out_pitch;
  const ptrdiff_t minus = part->row_minus, plus = part->row_plus;
  const size_t step = whole ? (size_t)width * CONVK_LANES : k;
  CONVK_V c[7];
  int p, w;
  CONVK_EACH_(p, 7) c[p] = weights[p];
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
        before[p][w] = convk_stencil_load_(m[p] + minus + w * CONVK_LANES, k, whole);
        now[p][w] = convk_stencil_load_(m[p] + w * CONVK_LANES, k, whole);
      }
    }
    for (y = part->nrows; y; y--) {
      CONVK_EACH_(p, planes)
        CONVK_EACH_(w, width) {
          const CONVK_T *at = m[p] + w * CONVK_LANES;
          const CONVK_V v = now[p][w], yp = convk_stencil_load_(at + plus, k, whole);
          /* before[0] is a row further where p is 1: here */
          const CONVK_V zm = p ? before[0][w] : convk_stencil_load_(below + w * CONVK_LANES, k, whole);
          const CONVK_V zp = p + 1 < planes ? now[p + 1][w] : convk_stencil_load_(above + w * CONVK_LANES, k, whole);
          const CONVK_V xm = convk_stencil_load_(at + left, k, whole), xp = convk_stencil_load_(at + right, k, whole);
          const CONVK_V s = convk_stencil_value_(c, v, xm, xp, before[p][w], yp, zm, zp, isotropic);
          if (whole) CONVK_STORE_(to[p] + w * CONVK_LANES, s);
          else if (CONVK_PARTS_) CONVK_STOREK_(to[p], s, k);
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

/* Parts of vectors: k points at i of all rows of each plane. */
CONVK_RARE_ void convk_stencil_points_(const convk_stencil_part_ *part, const CONVK_V *c, const CONVK_T *const *in,
                                       CONVK_T *const *out, const size_t *pitch, size_t nplanes, size_t i, size_t k,
                                       ptrdiff_t left, ptrdiff_t right) {
  const size_t some = CONVK_PARTS_ ? k : 1;
  size_t p;
  for (p = 0; part->isotropic && p + 1 < nplanes; p += 2)
    convk_stencil_column_(part, c, in + p, out + p, pitch + p, i, i + k, some, left, right, 2, 1, 0, 1);
  for (; p < nplanes; p++)
    if (part->isotropic) convk_stencil_column_(part, c, in + p, out + p, pitch + p, i, i + k, some, left, right, 1, 1, 0, 1);
    else convk_stencil_column_(part, c, in + p, out + p, pitch + p, i, i + k, some, left, right, 1, 1, 0, 0);
}

/* Columns of whole vectors of planes p and, where there are two, p + 1; `wide`: of two vectors.  A function of its own: it has
   the registers to itself.  With seven weights there are none for two vectors. */
CONVK_RARE_ void convk_stencil_vectors_(const convk_stencil_part_ *part, const CONVK_V *c, size_t p, size_t i, size_t end,
                                        int wide) {
  const int pair = p + 1 < part->nplanes;
  const CONVK_T *const *in = part->in + p;
  CONVK_T *const *out = part->out + p;
  const size_t *pitch = part->in_pitch + p, k = CONVK_LANES;
  if (wide && pair && !CONVK_PARTS_) convk_stencil_column_(part, c, in, out, pitch, i, end, k, -1, 1, 2, 2, 1, 1);
  else if (pair && part->isotropic) convk_stencil_column_(part, c, in, out, pitch, i, end, k, -1, 1, 2, 1, 1, 1);
  else if (pair) convk_stencil_column_(part, c, in, out, pitch, i, end, k, -1, 1, 2, 1, 1, 0);
  else if (part->isotropic) convk_stencil_column_(part, c, in, out, pitch, i, end, k, -1, 1, 1, 1, 1, 1);
  else convk_stencil_column_(part, c, in, out, pitch, i, end, k, -1, 1, 1, 1, 1, 0);
}

/* Points of rows that are short, which columns take faster than rows even where there are masks: with avx512 in both types 1.9
   to 2.4 times up to 4 vectors, 1.4 to 2.1 at 6; the more where ends of rows wrap, which rows make one by one. */
#define CONVK_SHORT_(wraps) ((size_t)((wraps) ? 6 : 5) * CONVK_LANES)

/* Rows of a column where there are more than twice as many: enough that what is loaded around it counts little, few enough that
   those of two planes stay in L1 from one column to the next.  4: 1 to 10% slower from 24^3 to 96^3; 16: 5% faster to 5%
   slower.  Strips of long rows, which would stay in L1 as well, lost 10 to 20% at 1000 points: memory likes whole rows. */
#define CONVK_COLUMN_ROWS_ ((size_t)8)

/* All rows of planes p and, where there are two, p + 1, from i to `end`: columns of one vector or two that begin where lines of
   the cache of the output do, unless one is enough. */
CONVK_INLINE_ void convk_stencil_pair_(const convk_stencil_part_ *part, const CONVK_V *c, size_t p, size_t i, size_t end) {
  const size_t lanes = CONVK_LANES;
  const int wide = !CONVK_PARTS_ && part->isotropic && end >= i + 2 * lanes;
  const size_t width = wide ? 2 * lanes : lanes;
  const size_t odd = end - i <= width ? 0 : (uintptr_t)(part->out[0] + i) / sizeof(CONVK_T) % width;
  if (odd) convk_stencil_vectors_(part, c, p, i, i + width, wide);
  i += odd ? width - odd : 0;
  if (wide && i < end && (end - i) % width - 1 < lanes) { /* one vector is enough for the rest */
    convk_stencil_vectors_(part, c, p, end - lanes, end, 0);
    end -= (end - i) % width;
  }
  if (i < end) convk_stencil_vectors_(part, c, p, i, end, wide);
}

/* All rows of a part. */
CONVK_RARE_ void convk_stencil_block_(const convk_stencil_part_ *part, const CONVK_V *c) {
  const size_t begin = part->left != -1, end = part->n - (part->right != (ptrdiff_t)part->n), nplanes = part->nplanes;
  const size_t *pitch = part->in_pitch;
  size_t p;
  if (begin) convk_stencil_points_(part, c, part->in, part->out, pitch, nplanes, 0, 1, part->left, 1);
  if (end < begin + CONVK_LANES) convk_stencil_points_(part, c, part->in, part->out, pitch, nplanes, begin, end - begin, -1, 1);
  else
    for (p = 0; p < nplanes; p += 2) convk_stencil_pair_(part, c, p, begin, end);
  if (end < part->n)
    convk_stencil_points_(part, c, part->in, part->out, pitch, nplanes, end, 1, -1, part->right - (ptrdiff_t)end);
}

/* Rows in blocks; a last row whose next one lies elsewhere is a block of its own. */
CONVK_RARE_ void convk_stencil_columns_(const convk_stencil_part_ *part, const CONVK_V *c) {
  const size_t few = 2 * CONVK_COLUMN_ROWS_ + 1, nrows = part->nrows;
  const ptrdiff_t next = (ptrdiff_t)part->in_pitch[1];
  convk_stencil_part_ block;
  size_t y, p;
  if (nrows == 1 || (nrows < few && part->row_plus == next)) {
    convk_stencil_block_(part, c);
    return;
  }
  block = *part;
  for (y = 0; y < nrows; y += block.nrows) {
    block.nrows = nrows - y < few ? nrows - y : CONVK_COLUMN_ROWS_;
    if (y + block.nrows == nrows && part->row_plus != next && block.nrows > 1) block.nrows--;
    block.row_minus = y ? -next : part->row_minus;
    block.row_plus = y + block.nrows < nrows ? next : part->row_plus;
    for (p = 0; p < part->nplanes + 2; p++) block.in[p] = part->in[p] + y * part->in_pitch[p];
    for (p = 0; p < part->nplanes; p++) block.out[p] = part->out[p] + y * part->out_pitch;
    convk_stencil_block_(&block, c);
  }
}

/* Whole vectors from i to `end` of a row of each plane, `vectors` of a plane after each other.  Every vector of a plane is
   loaded once for itself and its neighbours in z, and in x where registers can be shifted. */
CONVK_INLINE_ void convk_stencil_run_(const convk_stencil_part_ *part, const CONVK_V *weights, const CONVK_T *const *from,
                                      CONVK_T *const *to, size_t i, size_t end, const CONVK_T *fetch, const int nplanes,
                                      const int vectors, int isotropic, int stream) {
  /* copies that no store can change, so that they are not loaded again and again */
  const ptrdiff_t minus = part->row_minus, plus = part->row_plus;
  const size_t ahead = part->ahead, nfetch = part->nfetch, fetch_plane = part->fetch_plane;
  const CONVK_T *in[CONVK_STENCIL_PLANES_ + 2];
  CONVK_T *out[CONVK_STENCIL_PLANES_];
  CONVK_V c[7], before[CONVK_STENCIL_PLANES_], now[CONVK_STENCIL_PLANES_], v[CONVK_STENCIL_PLANES_][2];
  int p, w;
  CONVK_EACH_(p, 7) c[p] = weights[p];
  CONVK_EACH_(p, nplanes + 2) in[p] = from[p];
  CONVK_EACH_(p, nplanes) out[p] = to[p];
  CONVK_EACH_(p, nplanes) {
    before[p] = CONVK_SET_(CONVK_ONE_(in[p + 1] + (ptrdiff_t)i - 1)); /* only its last element counts */
    now[p] = CONVK_LOAD_(in[p + 1] + i);
  }
  for (; i < end; i += (size_t)vectors * CONVK_LANES) {
    if (nfetch && i * sizeof(CONVK_T) % 64 < (size_t)vectors * sizeof(CONVK_V)) {
      /* memory is at work while the caches are: a line at a time, since more at once than it takes is lost or waited for */
      uintptr_t at = (uintptr_t)(fetch + i);
      size_t k = nfetch;
      do {
        CONVK_PREFETCH_(at);
        at += fetch_plane * sizeof(CONVK_T);
      } while (--k);
    }
    if (ahead) {
      CONVK_UNROLL_
      for (p = 2; p < nplanes + 2; p++) { /* planes that are new here: near ones into L1, far ones nearer */
        const uintptr_t at = (uintptr_t)(in[p] + i) + (ahead + (p <= nplanes ? (uintptr_t)plus : 0)) * sizeof(CONVK_T);
        CONVK_PREFETCH_L1_(at);
        CONVK_PREFETCH_(at + 3 * ahead * sizeof(CONVK_T));
      }
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
CONVK_INLINE_ void convk_stencil_past_(const CONVK_T *from, CONVK_T *to, size_t n) {
  size_t i = (64 - (uintptr_t)to % 64) % 64 / sizeof(CONVK_T);
  if (i > n || (uintptr_t)to % sizeof(CONVK_T)) i = n;
  memcpy(to, from, i * sizeof *to); /* at any alignment, which a loop of assignments does not promise */
  for (; i + CONVK_LANES <= n; i += CONVK_LANES) CONVK_STREAM_(to + i, CONVK_LOAD_(from + i));
  memcpy(to + i, from + i, (n - i) * sizeof *to);
}

/* convk_stencil_run_ for each number of planes and each way of storing.  A function of its own: it has the registers to itself,
   and what surrounds a row is compiled once.  Vectors of less than a line go by pairs, so that fewer lines are stored at a
   time, and prefetched less often: past the caches 1.15 times as fast in avx2, 1.2 in sse2. */
CONVK_RARE_ void convk_stencil_row_(const convk_stencil_part_ *part, const CONVK_V *c, const CONVK_T *const *in,
                                    CONVK_T *const *out, size_t i, size_t end, size_t nplanes, int stream,
                                    const CONVK_T *fetch) {
  enum { vectors_ = CONVK_PARTS_ || CONVK_LANES == 1 ? 1 : 2 };
  const size_t pairs = nplanes > 1 && part->isotropic ? end - (end - i) % ((size_t)vectors_ * CONVK_LANES) : i;
  size_t p;
  if (i < pairs) {
    if (CONVK_PARTS_ && !stream) convk_stencil_run_(part, c, in, out, i, pairs, fetch, CONVK_STENCIL_PLANES_, vectors_, 1, 0);
    else convk_stencil_run_(part, c, in, out, i, pairs, fetch, CONVK_STENCIL_PLANES_, vectors_, 1, CONVK_PARTS_ || stream);
  }
  if (pairs == end) return;
  if (nplanes > 1 && !part->isotropic) {
    convk_stencil_run_(part, c, in, out, pairs, end, fetch, CONVK_STENCIL_PLANES_, 1, 0, stream);
    return;
  }
  for (p = 0; p < nplanes; p++) convk_stencil_run_(part, c, in + p, out + p, pairs, end, fetch, 1, 1, part->isotropic, 0);
}

/* A row of each of nplanes planes, from `at` to the end of its strip. */
CONVK_INLINE_ void convk_stencil_strip_(const convk_stencil_part_ *part, const CONVK_V *c, const convk_stencil_span_ *span,
                                        size_t at, const CONVK_T *const *in, CONVK_T *const *to, const size_t *pitch,
                                        const size_t nplanes, int stream, const CONVK_T *fetch) {
  const size_t begin = span->begin, end = span->end, line = stream ? 64 : sizeof(CONVK_V);
  const size_t odd = (line - (uintptr_t)(to[0] + begin) % line) % line / sizeof(CONVK_T);
  size_t i = at + odd, k;
  const size_t stop = i + span->strip < end ? i + span->strip : end, safe = stop < span->safe_end ? stop : span->safe_end;
  if (at == begin) {
    const ptrdiff_t right = part->n > 1 ? 1 : part->right;
    if (begin) convk_stencil_points_(part, c, in, to, pitch, nplanes, 0, 1, part->left, right);
    for (i = begin; i < begin + odd && i < end; i += k) {
      k = (begin + odd < end ? begin + odd : end) - i;
      if (k > CONVK_LANES) k = CONVK_LANES;
      convk_stencil_points_(part, c, in, to, pitch, nplanes, i, k, -1, 1);
    }
  }
  if (i + CONVK_LANES <= safe) {
    k = (safe - i) / CONVK_LANES * CONVK_LANES;
    convk_stencil_row_(part, c, in, to, i, i + k, nplanes, stream, fetch);
    i += k;
  }
  if (i < stop && !CONVK_PARTS_ && part->over && stop - begin >= CONVK_LANES) { /* a last vector, which repeats some points */
    convk_stencil_row_(part, c, in, to, stop - CONVK_LANES, stop, nplanes, 0, fetch);
    i = stop;
  }
  for (; i < stop; i += k) {
    k = stop - i < CONVK_LANES ? stop - i : CONVK_LANES;
    convk_stencil_points_(part, c, in, to, pitch, nplanes, i, k, -1, 1);
  }
  if (stop == end && end < part->n)
    convk_stencil_points_(part, c, in, to, pitch, nplanes, end, 1, -1, part->right - (ptrdiff_t)end);
}

/* The rows of nplanes planes, strip after strip.  stream: past the cache; staged: the same by way of the stage, for planes
   whose rows lie differently to lines of the cache. */
CONVK_INLINE_ void convk_stencil_planes_(const convk_stencil_part_ *part, const CONVK_V *c, size_t first, const size_t nplanes,
                                         int stream, int staged) {
  const size_t *pitch = part->in_pitch + first;
  convk_stencil_part_ row = *part; /* with its own rows before and after */
  convk_stencil_span_ span;
  size_t y, p, at;
  row.nrows = 1;
  span.begin = at = part->left != -1;
  span.end = part->n - (part->right != (ptrdiff_t)part->n && part->n > span.begin);
  span.strip = staged ? part->n : part->strip;
  span.safe_end = part->over ? span.end : span.end + 1 > CONVK_LANES ? span.end + 1 - CONVK_LANES : 0;
  do {
    const CONVK_T *in[CONVK_STENCIL_PLANES_ + 2];
    CONVK_T *out[CONVK_STENCIL_PLANES_], *stage[CONVK_STENCIL_PLANES_];
    const CONVK_T *fetch = part->fetch;
    for (p = 0; p < nplanes + 2; p++) in[p] = part->in[first + p];
    for (p = 0; p < nplanes; p++) {
      out[p] = part->out[first + p];
      stage[p] = (CONVK_T *)((uintptr_t)part->stage + p * part->stage_pitch * sizeof *stage[p]); /* there may be none */
    }
    for (y = 0; y < part->nrows; y++) {
      row.row_minus = y ? -(ptrdiff_t)pitch[1] : part->row_minus;
      row.row_plus = y + 1 < part->nrows ? (ptrdiff_t)pitch[1] : part->row_plus;
      convk_stencil_strip_(&row, c, &span, at, in, staged ? stage : out, pitch, nplanes, stream, fetch);
      CONVK_EACH_(p, nplanes + 2) {
        in[p] += pitch[p];
        CONVK_SCALAR_(in[p]); /* they are read one by one soon: 10 to 20% of short rows in avx512 */
      }
      CONVK_EACH_(p, nplanes) {
        if (staged) convk_stencil_past_(stage[p], out[p], part->n);
        out[p] += part->out_pitch;
        CONVK_SCALAR_(out[p]);
      }
      if (part->nfetch) fetch += part->fetch_pitch;
    }
    at += span.strip;
  } while (at < span.end);
}

static void convk_stencil_rows_(const convk_stencil_part_ *part) {
  CONVK_V c[7];
  size_t p;
  int direct = part->stream && (uintptr_t)part->out[0] % sizeof(CONVK_T) == 0;
  for (p = 1; p < part->nplanes; p++) direct &= !(((uintptr_t)part->out[p] ^ (uintptr_t)part->out[0]) % 64);
  c[0] = CONVK_SET_(part->c.centre);
  c[1] = CONVK_SET_(part->c.x_minus);
  c[2] = CONVK_SET_(part->c.x_plus);
  c[3] = CONVK_SET_(part->c.y_minus);
  c[4] = CONVK_SET_(part->c.y_plus);
  c[5] = CONVK_SET_(part->c.z_minus);
  c[6] = CONVK_SET_(part->c.z_plus);
  if (!part->stream && !part->ahead && !part->nfetch && part->n > 1 &&
      (!CONVK_PARTS_ || part->n <= CONVK_SHORT_(part->left != -1 || part->right != (ptrdiff_t)part->n)))
    convk_stencil_columns_(part, c);
  else if (part->nplanes == CONVK_STENCIL_PLANES_)
    convk_stencil_planes_(part, c, 0, CONVK_STENCIL_PLANES_, direct, part->stream && !direct);
  else
    for (p = 0; p < part->nplanes; p++) convk_stencil_planes_(part, c, p, 1, 0, part->stream);
  CONVK_LEAVE_
}

#undef CONVK_PARTS_
#undef CONVK_SHORT_
#undef CONVK_COLUMN_ROWS_

static void convk_stencil_fence_(void) { CONVK_FENCE_; }

CONVK_LOCAL_ const convk_stencil_kernels_ *convk_stencil_kernel_table_(void) {
  static const convk_stencil_kernels_ kernels = {convk_stencil_rows_, convk_stencil_fence_};
  return &kernels;
}
