/* Whether parts of vectors are loaded and stored as fast as whole ones: by masks.  Elsewhere the last vector of a row begins
   early and repeats some points, and what is left is made point by point. */
#define CONVK_PARTS_ (sizeof(CONVK_V) == 64)

/* `k` points at p: LANES of them, one, or, by masks, fewer than LANES. */
CONVK_INLINE_ CONVK_V convk_stencil_load_(const CONVK_T *p, size_t k, const int whole) {
  if (whole) return CONVK_LOAD_(p);
  return CONVK_PARTS_ ? CONVK_LOADK_(p, k) : CONVK_SET_(CONVK_ONE_(p));
}

/* k points at i of rows of one plane, their neighbours in x at `left` and `right` of them: down the rows, so that each is
   loaded once for itself and its neighbours in y.  whole: k is LANES; else k is 1 where there are no masks. */
CONVK_INLINE_ void convk_stencil_column_(const convk_stencil_part_ *part, const CONVK_V *weights, const CONVK_T *const *in,
                                         CONVK_T *out, const size_t *in_pitch, size_t nrows, size_t i, size_t k, ptrdiff_t left,
                                         ptrdiff_t right, int whole, int isotropic) {
  const CONVK_T *zm = in[0] + i, *m = in[1] + i, *zp = in[2] + i, *ym = m + part->row_minus;
  const size_t zm_pitch = in_pitch[0], m_pitch = in_pitch[1], zp_pitch = in_pitch[2], out_pitch = part->out_pitch;
  CONVK_V c[7], before = convk_stencil_load_(ym, k, whole), v = convk_stencil_load_(m, k, whole);
  size_t p;
  out += i;
  CONVK_EACH_(p, 7) c[p] = weights[p];
  for (; nrows; nrows--) {
    const CONVK_T *ends = m + CONVK_LANES, *yp = m + (nrows > 1 ? (ptrdiff_t)m_pitch : part->row_plus);
    const CONVK_V after = convk_stencil_load_(yp, k, whole);
    const CONVK_V xm = whole ? CONVK_BEFORE_(m, CONVK_SET_(CONVK_ONE_(m + left)), v) : convk_stencil_load_(m + left, k, 0);
    const CONVK_V xp = whole ? CONVK_AFTER_(m, v, CONVK_SET_(CONVK_ONE_(ends))) : convk_stencil_load_(m + right, k, 0);
    const CONVK_V below = convk_stencil_load_(zm, k, whole), above = convk_stencil_load_(zp, k, whole);
    const CONVK_V s = convk_stencil_value_(c, v, xm, xp, before, after, below, above, isotropic);
    if (whole) CONVK_STORE_(out, s);
    else if (CONVK_PARTS_) CONVK_STOREK_(out, s, k);
    else memcpy(out, &s, sizeof *out);
    before = v;
    v = after;
    zm += zm_pitch;
    m += m_pitch;
    zp += zp_pitch;
    out += out_pitch;
  }
}

/* Parts of vectors: k points at i of nrows rows of each plane. */
CONVK_RARE_ void convk_stencil_points_(const convk_stencil_part_ *part, const CONVK_V *c, const CONVK_T *const *in,
                                       CONVK_T *const *out, const size_t *in_pitch, size_t nplanes, size_t nrows, size_t i,
                                       size_t k, ptrdiff_t left, ptrdiff_t right) {
  const size_t some = CONVK_PARTS_ ? k : 1, end = i + k;
  size_t p;
  for (; i < end; i += some)
    for (p = 0; p < nplanes; p++)
      if (part->isotropic) convk_stencil_column_(part, c, in + p, out[p], in_pitch + p, nrows, i, some, left, right, 0, 1);
      else convk_stencil_column_(part, c, in + p, out[p], in_pitch + p, nrows, i, some, left, right, 0, 0);
}

/* Points of rows that are short, which columns of vectors take faster: 10^3 points took half of the time. */
#define CONVK_SHORT_ ((size_t)3 * CONVK_LANES)

/* Short rows, in columns of vectors. */
CONVK_RARE_ void convk_stencil_narrow_(const convk_stencil_part_ *part, const CONVK_V *c) {
  const size_t n = part->n, whole = n / CONVK_LANES, columns = whole + (n % CONVK_LANES != 0);
  size_t x, p;
  for (p = 0; p < part->nplanes; p++)
    for (x = 0; x < columns; x++) {
      const CONVK_T *const *in = part->in + p;
      const size_t *pitch = part->in_pitch + p;
      const size_t i = x < whole || !whole || CONVK_PARTS_ ? x * CONVK_LANES : n - CONVK_LANES;
      const int fills = whole && i + CONVK_LANES <= n;
      CONVK_T *out = part->out[p];
      if (fills && part->isotropic) convk_stencil_column_(part, c, in, out, pitch, part->nrows, i, CONVK_LANES, -1, 1, 1, 1);
      else if (fills) convk_stencil_column_(part, c, in, out, pitch, part->nrows, i, CONVK_LANES, -1, 1, 1, 0);
      else convk_stencil_points_(part, c, in, part->out + p, pitch, 1, part->nrows, i, n - i, -1, 1);
    }
}

/* Two rows of two planes, n points of them, in the cache: each vector is loaded once for itself and for its neighbours of these
   four rows, whose others lie at `minus` of the first and at `plus` of it.  The first vector ends where the output is aligned
   or behind that, the last one ends the row: both repeat some points. */
CONVK_INLINE_ void convk_stencil_square_(const CONVK_V *c, const CONVK_T *const *in, CONVK_T *const *out, const size_t *pitch,
                                         size_t to_next, ptrdiff_t minus, ptrdiff_t plus, size_t n, const int isotropic) {
  const CONVK_T *below = in[0], *m = in[1], *up = in[2], *above = in[3];
  CONVK_T *to = out[0], *up_to = out[1];
  const size_t next = pitch[1], below_next = pitch[0], above_next = pitch[3];
  size_t left = n - CONVK_LANES, step = CONVK_LANES - (uintptr_t)to / sizeof *to % CONVK_LANES;
  for (;; left -= step, step = CONVK_LANES) {
    const CONVK_V v0 = CONVK_LOAD_(m), v1 = CONVK_LOAD_(m + next), u0 = CONVK_LOAD_(up), u1 = CONVK_LOAD_(up + next);
    CONVK_STORE_(to, convk_stencil_value_(c, v0, CONVK_LOAD_(m - 1), CONVK_LOAD_(m + 1), CONVK_LOAD_(m + minus), v1,
                                          CONVK_LOAD_(below), u0, isotropic));
    CONVK_STORE_(to + to_next, convk_stencil_value_(c, v1, CONVK_LOAD_(m + next - 1), CONVK_LOAD_(m + next + 1), v0,
                                                    CONVK_LOAD_(m + plus), CONVK_LOAD_(below + below_next), u1, isotropic));
    CONVK_STORE_(up_to, convk_stencil_value_(c, u0, CONVK_LOAD_(up - 1), CONVK_LOAD_(up + 1), CONVK_LOAD_(up + minus), u1, v0,
                                             CONVK_LOAD_(above), isotropic));
    CONVK_STORE_(up_to + to_next, convk_stencil_value_(c, u1, CONVK_LOAD_(up + next - 1), CONVK_LOAD_(up + next + 1), u0,
                                                       CONVK_LOAD_(up + plus), v1, CONVK_LOAD_(above + above_next), isotropic));
    if (!left) break;
    if (step > left) step = left;
    below += step;
    m += step;
    up += step;
    above += step;
    to += step;
    up_to += step;
  }
}

/* All rows of a strip before the next strip.  An odd last row or plane is made with the one before it, which is made twice. */
CONVK_RARE_ void convk_stencil_squares_(const convk_stencil_part_ *part, const CONVK_V *weights) {
  const size_t begin = part->left != -1, end = part->n - (part->right != (ptrdiff_t)part->n), nrows = part->nrows;
  const size_t nplanes = part->nplanes;
  const ptrdiff_t next = (ptrdiff_t)part->in_pitch[1];
  CONVK_V c[7];
  size_t at, n, p, y, k;
  CONVK_EACH_(p, 7) c[p] = weights[p];
  if (begin) convk_stencil_points_(part, c, part->in, part->out, part->in_pitch, nplanes, nrows, 0, 1, part->left, 1);
  for (at = begin; at < end; at += n) {
    n = end - at < part->strip + CONVK_LANES ? end - at : part->strip;
    for (y = 0; y < nrows; y += 2) {
      const size_t row = y + 2 <= nrows ? y : y - 1;
      const ptrdiff_t minus = row ? -next : part->row_minus, plus = next + (row + 2 < nrows ? next : part->row_plus);
      for (p = 0; p < nplanes; p += 2) {
        const size_t first = p + 2 <= nplanes ? p : p - 1;
        const size_t *pitch = part->in_pitch + first;
        const CONVK_T *in[4];
        CONVK_T *out[2];
        CONVK_EACH_(k, 4) in[k] = part->in[first + k] + row * pitch[k] + at;
        CONVK_EACH_(k, 2) out[k] = part->out[first + k] + row * part->out_pitch + at;
        if (part->isotropic) convk_stencil_square_(c, in, out, pitch, part->out_pitch, minus, plus, n, 1);
        else convk_stencil_square_(c, in, out, pitch, part->out_pitch, minus, plus, n, 0);
      }
    }
  }
  if (end < part->n)
    convk_stencil_points_(part, c, part->in, part->out, part->in_pitch, nplanes, nrows, end, 1, -1,
                          part->right - (ptrdiff_t)end);
}

/* Whole vectors from i to `end` of a row of each plane.  Every vector of a plane is loaded once for itself and its neighbours
   in x and z. */
CONVK_INLINE_ void convk_stencil_run_(const convk_stencil_part_ *part, const CONVK_V *weights, const CONVK_T *const *from,
                                      CONVK_T *const *to, size_t i, size_t end, const CONVK_T *fetch, const int nplanes,
                                      int isotropic, int stream) {
  /* copies that no store can change, so that they are not loaded again and again */
  const ptrdiff_t minus = part->row_minus, plus = part->row_plus;
  const size_t ahead = part->ahead, nfetch = part->nfetch, fetch_plane = part->fetch_plane;
  const CONVK_T *in[CONVK_STENCIL_PLANES_ + 2];
  CONVK_T *out[CONVK_STENCIL_PLANES_];
  CONVK_V c[7], before[CONVK_STENCIL_PLANES_], now[CONVK_STENCIL_PLANES_];
  int p;
  CONVK_EACH_(p, 7) c[p] = weights[p];
  CONVK_EACH_(p, nplanes + 2) in[p] = from[p];
  CONVK_EACH_(p, nplanes) out[p] = to[p];
  CONVK_EACH_(p, nplanes) {
    before[p] = CONVK_SET_(CONVK_ONE_(in[p + 1] + (ptrdiff_t)i - 1)); /* only its last element counts */
    now[p] = CONVK_LOAD_(in[p + 1] + i);
  }
  for (; i < end; i += CONVK_LANES) {
    CONVK_V below = CONVK_LOAD_(in[0] + i);
    if (nfetch && i * sizeof(CONVK_T) % 64 < sizeof(CONVK_V)) {
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
    CONVK_EACH_(p, nplanes) {
      const CONVK_T *m = in[p + 1] + i;
      const CONVK_V next = CONVK_LOAD_(m + CONVK_LANES), v = now[p];
      const CONVK_V above = p + 1 < nplanes ? now[p + 1] : CONVK_LOAD_(in[p + 2] + i);
      const CONVK_V s = convk_stencil_value_(c, v, CONVK_BEFORE_(m, before[p], v), CONVK_AFTER_(m, v, next),
                                             CONVK_LOAD_(m + minus), CONVK_LOAD_(m + plus), below, above, isotropic);
      if (stream) CONVK_STREAM_(out[p] + i, s);
      else CONVK_STORE_(out[p] + i, s);
      below = before[p] = v;
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
   and what surrounds a row is compiled once. */
CONVK_RARE_ void convk_stencil_row_(const convk_stencil_part_ *part, const CONVK_V *c, const CONVK_T *const *in,
                                    CONVK_T *const *out, size_t i, size_t end, size_t nplanes, int stream,
                                    const CONVK_T *fetch) {
  if (nplanes == 1) convk_stencil_run_(part, c, in, out, i, end, fetch, 1, part->isotropic, 0);
  else if (!part->isotropic) convk_stencil_run_(part, c, in, out, i, end, fetch, CONVK_STENCIL_PLANES_, 0, stream);
  else if (CONVK_PARTS_ && !stream) convk_stencil_run_(part, c, in, out, i, end, fetch, CONVK_STENCIL_PLANES_, 1, 0);
  else convk_stencil_run_(part, c, in, out, i, end, fetch, CONVK_STENCIL_PLANES_, 1, CONVK_PARTS_ || stream);
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
    if (begin) convk_stencil_points_(part, c, in, to, pitch, nplanes, 1, 0, 1, part->left, right);
    for (i = begin; i < begin + odd && i < end; i += k) {
      k = (begin + odd < end ? begin + odd : end) - i;
      if (k > CONVK_LANES) k = CONVK_LANES;
      convk_stencil_points_(part, c, in, to, pitch, nplanes, 1, i, k, -1, 1);
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
    convk_stencil_points_(part, c, in, to, pitch, nplanes, 1, i, k, -1, 1);
  }
  if (stop == end && end < part->n)
    convk_stencil_points_(part, c, in, to, pitch, nplanes, 1, end, 1, -1, part->right - (ptrdiff_t)end);
}

/* The rows of nplanes planes, strip after strip.  stream: past the cache; staged: the same by way of the stage, for planes
   whose rows lie differently to lines of the cache. */
CONVK_INLINE_ void convk_stencil_planes_(const convk_stencil_part_ *part, const CONVK_V *c, size_t first, const size_t nplanes,
                                         int stream, int staged) {
  const size_t *pitch = part->in_pitch + first;
  convk_stencil_part_ row = *part; /* with its own rows before and after */
  convk_stencil_span_ span;
  size_t y, p, at;
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
  if (part->n <= CONVK_SHORT_ && part->left == -1 && part->right == (ptrdiff_t)part->n && !part->stream)
    convk_stencil_narrow_(part, c);
  else if (!CONVK_PARTS_ && !part->stream && !part->ahead && !part->nfetch && part->nrows > 1 && part->nplanes > 1 &&
           part->n >= CONVK_LANES + 2)
    convk_stencil_squares_(part, c);
  else if (part->nplanes == CONVK_STENCIL_PLANES_)
    convk_stencil_planes_(part, c, 0, CONVK_STENCIL_PLANES_, direct, part->stream && !direct);
  else
    for (p = 0; p < part->nplanes; p++) convk_stencil_planes_(part, c, p, 1, 0, part->stream);
  CONVK_LEAVE_
}

#undef CONVK_PARTS_
#undef CONVK_SHORT_

static void convk_stencil_fence_(void) { CONVK_FENCE_; }

CONVK_LOCAL_ const convk_stencil_kernels_ *convk_stencil_kernel_table_(void) {
  static const convk_stencil_kernels_ kernels = {convk_stencil_rows_, convk_stencil_fence_};
  return &kernels;
}
