/* How the rows of a part are computed: what surrounds the kernels is the same for all instruction sets, and compiled once. */

/* Points of rows that are short, which columns take faster than rows even where there are masks: with avx512 in both types 1.9
   to 2.4 times up to 4 vectors, 1.4 to 2.1 at 6; the more where ends of rows wrap, which rows make one by one. */
#define CONVK_SHORT_(wraps) ((size_t)((wraps) ? 6 : 5) * lanes)

/* Rows of a column where there are more than twice as many: enough that what is loaded around it counts little, few enough that
   those of two planes stay in L1 from one column to the next.  4: 1 to 10% slower from 24^3 to 96^3; 16: 5% faster to 5%
   slower.  Strips of long rows, which would stay in L1 as well, lost 10 to 20% at 1000 points: memory likes whole rows. */
#define CONVK_COLUMN_ROWS_ ((size_t)8)

/* All rows of a part from i to `end`: columns of one vector or two that begin where lines of the cache of the output do, unless
   one is enough. */
CONVK_LOCAL_ void convk_stencil_inside_(const convk_stencil_kernels_ *kernels, const convk_stencil_part_ *part, size_t i,
                                        size_t end) {
  const size_t lanes = kernels->lanes;
  const int wide = !kernels->parts && part->isotropic && end >= i + 2 * lanes;
  const size_t width = wide ? 2 * lanes : lanes;
  const size_t odd = end - i <= width ? 0 : (uintptr_t)(part->out[0] + i) / sizeof(CONVK_T) & (width - 1);
  size_t rest;
  if (odd) kernels->vectors(part, i, i + width, wide);
  i += odd ? width - odd : 0;
  rest = (end - i) & (width - 1);
  if (wide && rest - 1 < lanes) { /* one vector is enough for the rest, or half of one */
    kernels->vectors(part, end - rest, end, 0);
    end -= rest;
  }
  if (i < end) kernels->vectors(part, i, end, wide);
}

/* All rows of a part. */
CONVK_RARE_ void convk_stencil_block_(const convk_stencil_kernels_ *kernels, const convk_stencil_part_ *part) {
  const size_t begin = part->left != -1, end = part->n - (part->right != (ptrdiff_t)part->n), nplanes = part->nplanes;
  const size_t *pitch = part->in_pitch;
  if (begin) kernels->points(part, part->in, part->out, pitch, nplanes, 0, 1, part->left, 1);
  if (end < begin + kernels->lanes) kernels->points(part, part->in, part->out, pitch, nplanes, begin, end, -1, 1);
  else convk_stencil_inside_(kernels, part, begin, end);
  if (end < part->n) kernels->points(part, part->in, part->out, pitch, nplanes, end, end + 1, -1, part->right - (ptrdiff_t)end);
}

/* Rows in blocks; a last row whose next one lies elsewhere is a block of its own. */
CONVK_LOCAL_ void convk_stencil_columns_(const convk_stencil_kernels_ *kernels, const convk_stencil_part_ *part) {
  const size_t few = 2 * CONVK_COLUMN_ROWS_ + 1, nrows = part->nrows;
  const ptrdiff_t next = (ptrdiff_t)part->in_pitch[1];
  convk_stencil_part_ block;
  size_t y, p;
  if (nrows == 1 || (nrows < few && part->row_plus == next)) {
    convk_stencil_block_(kernels, part);
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
    convk_stencil_block_(kernels, &block);
  }
}

/* A row of each of nplanes planes, from `at` to the end of its strip. */
CONVK_LOCAL_ void convk_stencil_strip_(const convk_stencil_kernels_ *kernels, const convk_stencil_part_ *part,
                                       const convk_stencil_span_ *span, size_t at, const CONVK_T *const *in, CONVK_T *const *to,
                                       const size_t *pitch, size_t nplanes, int stream) {
  const size_t begin = span->begin, end = span->end, lanes = kernels->lanes, line = stream ? 64 : lanes * sizeof(CONVK_T);
  const size_t odd = ((line - ((uintptr_t)(to[0] + begin) & (line - 1))) & (line - 1)) / sizeof(CONVK_T);
  size_t i = at + odd;
  const size_t stop = i + span->strip < end ? i + span->strip : end, safe = stop < span->safe_end ? stop : span->safe_end;
  if (at == begin) {
    const ptrdiff_t right = part->n > 1 ? 1 : part->right;
    if (begin) kernels->points(part, in, to, pitch, nplanes, 0, 1, part->left, right);
    i = begin + odd < end ? begin + odd : end;
    if (i > begin) kernels->points(part, in, to, pitch, nplanes, begin, i, -1, 1);
  }
  if (i + lanes <= safe) {
    const size_t from = i;
    i = safe - ((safe - i) & (lanes - 1));
    kernels->rows(part, in, to, from, i, nplanes, stream);
  }
  if (i < stop && !kernels->parts && part->over && stop - begin >= lanes) { /* a last vector, which repeats some points */
    kernels->rows(part, in, to, stop - lanes, stop, nplanes, 0);
    i = stop;
  }
  if (i < stop) kernels->points(part, in, to, pitch, nplanes, i, stop, -1, 1);
  if (stop == end && end < part->n)
    kernels->points(part, in, to, pitch, nplanes, end, end + 1, -1, part->right - (ptrdiff_t)end);
}

/* The rows of nplanes planes, strip after strip.  stream: past the cache; staged: the same by way of the stage, for planes
   whose rows lie differently to lines of the cache. */
CONVK_LOCAL_ void convk_stencil_planes_(const convk_stencil_kernels_ *kernels, const convk_stencil_part_ *part, size_t first,
                                        const size_t nplanes, int stream, int staged) {
  convk_stencil_part_ row = *part; /* with its own rows before and after */
  convk_stencil_span_ span;
  size_t pitch[CONVK_STENCIL_PLANES_ + 2], y, p, at;
  row.nrows = 1;
  span.begin = at = part->left != -1;
  span.end = part->n - (part->right != (ptrdiff_t)part->n && part->n > span.begin);
  span.strip = staged ? part->n : part->strip;
  span.safe_end = part->over ? span.end : span.end + 1 > kernels->lanes ? span.end + 1 - kernels->lanes : 0;
  do {
    const CONVK_T *in[CONVK_STENCIL_PLANES_ + 2];
    CONVK_T *out[CONVK_STENCIL_PLANES_], *stage[CONVK_STENCIL_PLANES_];
    for (p = 0; p < CONVK_STENCIL_PLANES_ + 2; p++) { /* all, of which some may not count: loops of a known length */
      const size_t plane = p < nplanes + 2 ? first + p : first;
      in[p] = part->in[plane];
      pitch[p] = part->in_pitch[plane];
    }
    for (p = 0; p < CONVK_STENCIL_PLANES_; p++) {
      out[p] = part->out[p < nplanes ? first + p : first];
      stage[p] = (CONVK_T *)((uintptr_t)part->stage + p * part->stage_pitch * sizeof *stage[p]); /* there may be none */
    }
    for (y = 0; y < part->nrows; y++) {
      row.row_minus = y ? -(ptrdiff_t)pitch[1] : part->row_minus;
      row.row_plus = y + 1 < part->nrows ? (ptrdiff_t)pitch[1] : part->row_plus;
      convk_stencil_strip_(kernels, &row, &span, at, in, staged ? stage : out, pitch, nplanes, stream);
      CONVK_EACH_(p, CONVK_STENCIL_PLANES_ + 2) {
        in[p] += pitch[p];
        CONVK_SCALAR_(in[p]); /* they are read one by one soon: 10 to 20% of short rows in avx512 */
      }
      for (p = 0; staged && p < nplanes; p++) kernels->past(stage[p], out[p], part->n);
      CONVK_EACH_(p, CONVK_STENCIL_PLANES_) {
        out[p] += part->out_pitch;
        CONVK_SCALAR_(out[p]);
      }
    }
    at += span.strip;
  } while (at < span.end);
}

/* All rows of a part: by columns where rows are short, else row by row. */
CONVK_LOCAL_ void convk_stencil_compute_(const convk_stencil_kernels_ *kernels, const convk_stencil_part_ *part) {
  const size_t lanes = kernels->lanes;
  const int wraps = part->left != -1 || part->right != (ptrdiff_t)part->n;
  int direct = part->stream && (uintptr_t)part->out[0] % sizeof(CONVK_T) == 0;
  size_t p, planes = part->nplanes == CONVK_STENCIL_PLANES_ ? CONVK_STENCIL_PLANES_ : 1;
  for (p = 1; p < part->nplanes; p++) direct &= !(((uintptr_t)part->out[p] ^ (uintptr_t)part->out[0]) % 64);
  direct &= planes > 1;
  if (!part->stream && !part->ahead && part->n > 1 && (!kernels->parts || part->n <= CONVK_SHORT_(wraps)))
    convk_stencil_columns_(kernels, part);
  else
    for (p = 0; p < part->nplanes; p += planes)
      convk_stencil_planes_(kernels, part, p, planes, direct, part->stream && !direct);
}

#undef CONVK_SHORT_
#undef CONVK_COLUMN_ROWS_
