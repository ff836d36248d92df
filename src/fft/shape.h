/* ---- numbers that were chosen; where nothing else is said, no record is left of what else was tried ---- */

enum {
  /* Bytes of lines that are worked on together: with twiddles and factors they fit an L1 of 32 KiB. */
  CONVK_FFT_TOGETHER_ = 20480,
  /* Of those that are turned on the way: what they come from and go to is in L1, too, so it took the place of 20480 there. */
  CONVK_FFT_TURNED_ = 8192,
  /* Bytes of an item above which a transform on pairs has a plane between its axes: rows of results, mostly a power of 2 apart,
     would take each other's place in the cache. */
  CONVK_FFT_PLANE_ = 64 << 10,
  /* Lines of a transform up to which lanes are filled by items: c32 and c64 of 28 x 28 points in vectors of 64 bytes, of 40 x
     40 in those of 32.  It took the place of a sixteenth of L2, which gave another size on each processor. */
  CONVK_FFT_ACROSS_TRANSFORM_ = 112 << 10,
  /* And of a convolution: eighths of L2.  The rest is for fields, results, spectra, and the other thread of the core. */
  CONVK_FFT_ACROSS_EIGHTHS_ = 3,
  /* Up to so many points, as 16 x 32, an item goes across although almost half of the lanes are idle, of more points if at most
     an eighth is: small items have too few columns to fill lanes by them. */
  CONVK_FFT_SMALL_ = 512,
  /* Tiles of kernels so short that 2 k and 4 k, the ends of the range otherwise, would be smaller than this. */
  CONVK_FFT_TILE_LEAST_ = 32,
  CONVK_FFT_TILE_MAX_ = 256
};

/* ---- sizes ---- */

/* Whether n is a product of 2, 3, 5 and 7 up to 1024. */
CONVK_LOCAL_ int convk_fft_size_(size_t n) {
  static const size_t primes[4] = {2, 3, 5, 7};
  int i;
  if (!n || n > CONVK_FFT_MAX_SIZE_) return 0;
  for (i = 0; i < 4; i++)
    while (n % primes[i] == 0) n /= primes[i];
  return n == 1;
}

/* The passes of n points: an even radix first, which can leave out a half of zeros, another last, the odd ones between:
   480 = 8 5 3 4. */
CONVK_RARE_ int convk_fft_passes_(size_t n, int radix[CONVK_FFT_PASSES_]) {
  static const int even[11][3] = {{0, 0, 0}, {2, 0, 0},  {4, 0, 0},   {8, 0, 0}, {16, 0, 0}, {8, 4, 0},
                                  {8, 8, 0}, {16, 8, 0}, {16, 16, 0}, {8, 8, 8}, {16, 8, 8}};
  int power = 0, count = 0, i, r;
  while (n % 2 == 0) {
    n /= 2;
    power++;
  }
  if (even[power][0]) radix[count++] = even[power][0];
  for (r = 7; r >= 3; r -= 2)
    for (; n % (size_t)r == 0; n /= (size_t)r) radix[count++] = r;
  for (i = 1; i < 3 && even[power][i]; i++) radix[count++] = even[power][i];
  if (!count) radix[count++] = 1;
  return count;
}

/* Time of n transforms of n points, about: what each point costs beside its passes, the groups of every pass by radix, and
   their twiddles.  Fitted to convolutions of all sizes from 6 to 128 in f32 and c32, on AVX-512, AVX2, SSE2 and scalar code
   (weights 6, 3, 1, 1): the size chosen takes 2% longer than the fastest one on average there, and 4% in scalar code.
   tests/bench/fft_costs.py fits such numbers again; new ones change results. */
CONVK_RARE_ size_t convk_fft_cost_(size_t n) {
  static const size_t group[17] = {0, 0, 99, 114, 34, 196, 0, 437, 157, 0, 0, 0, 0, 0, 0, 0, 868}; /* by radix */
  const size_t point = 133, twiddle = 12;
  int radix[CONVK_FFT_PASSES_], count, i;
  size_t cost = point * n;
  for (count = convk_fft_passes_(n, radix), i = 0; i < count; i++) {
    const size_t r = (size_t)radix[i];
    cost += n / r * (group[r] + (i ? twiddle * (r - 1) : 0));
  }
  return n * cost;
}

/* The cheapest size of at least n. */
CONVK_RARE_ size_t convk_fft_best_(size_t n) {
  size_t best = 0, m;
  for (m = n; m <= CONVK_FFT_MAX_SIZE_ && m <= 2 * n; m++)
    if (convk_fft_size_(m) && (!best || convk_fft_cost_(m) < convk_fft_cost_(best))) best = m;
  return best;
}

/* One axis of a convolution, completed: out points from `origin` on.  period: of a circular one, else 0.  tile: results of a
   tile, or 0 where one transform is enough. */
typedef struct convk_fft_extent_ {
  size_t field, kernel, out, fft, period, tile;
  ptrdiff_t origin;
} convk_fft_extent_;

/* The cheapest size of tiles for `out` results, in a square of tiles: at least half of a tile are results, and it is small
   enough for the cache, and large enough that what a tile costs beside its points is little. */
CONVK_RARE_ size_t convk_fft_tile_(size_t kernel, size_t out) {
  size_t begin = CONVK_FFT_TILE_LEAST_, end = CONVK_FFT_TILE_MAX_, best = 0, m;
  double least = 0;
  if (begin < 2 * kernel) begin = 2 * kernel;
  if (end < 4 * kernel) end = 4 * kernel;
  for (m = begin; m <= end && m <= CONVK_FFT_MAX_SIZE_; m++)
    if (convk_fft_size_(m)) {
      const double tiles = (double)convk_ceil_(out, m - kernel + 1), cost = (double)convk_fft_cost_(m) * tiles * tiles;
      if (best && cost >= least) continue;
      least = cost;
      best = m;
    }
  return best;
}

CONVK_LOCAL_ convk_fft_extent_ convk_fft_extent_of_(size_t field, size_t kernel, size_t out, size_t fft, ptrdiff_t origin) {
  const convk_fft_extent_ e = {field, kernel, out, fft, 0, 0, origin};
  return e;
}

/* As convk_refuse_at_, where two names stand for $, too. */
CONVK_RARE_ int convk_fft_refuse_(char *message, int status, const char *text, const char *first, const char *second, size_t a,
                                  size_t b) {
  return convk_refuse_with_(message, status, text, first, -1, second, -1, (int64_t)a, (int64_t)b, 0);
}

/* The same of an axis, which is $. */
CONVK_RARE_ int convk_fft_refuse_axis_(char *message, int status, int axis, const char *text, size_t a, size_t b) {
  const char *name = axis ? "column" : "row";
  return convk_fft_refuse_(message, status, text, name, name, a, b);
}

/* A circular axis. */
CONVK_RARE_ int convk_fft_resolve_circle_(char *message, int axis, int spectrum, convk_fft_extent_ *e) {
  const size_t n = e->field, k = e->kernel, p = e->fft ? e->fft : n;
  const int requested = e->fft != 0;
  if (!e->out) e->out = n;
  if (n > p)
    return convk_fft_refuse_axis_(message, CONVK_ERR_SIZE, axis, "shape->$s is %, more than the period shape->fft_$s = %", n,
                                  p);
  if (!spectrum && k > p)
    return convk_fft_refuse_axis_(message, CONVK_ERR_SIZE, axis, "shape->kernel_$s is %, more than the period, %", k, p);
  if (e->out > p)
    return convk_fft_refuse_axis_(message, CONVK_ERR_WINDOW, axis, "shape->out_$s is %, more than the period, %", e->out, p);
  e->period = e->fft = p;
  e->origin %= (ptrdiff_t)p;
  if (e->origin < 0) e->origin += (ptrdiff_t)p;
  if (convk_fft_size_(p)) return CONVK_OK;
  if (spectrum)
    return convk_fft_refuse_axis_(message, CONVK_ERR_FFT_SIZE, axis,
                                  requested ? "shape->fft_$s is %, no product of 2, 3, 5, 7 up to %"
                                            : "shape->$s is %, as a period no product of 2, 3, 5, 7 up to %",
                                  p, CONVK_FFT_MAX_SIZE_);
  e->fft = convk_fft_best_(n + e->out - 1); /* all distances between a point of the field and one of the result */
  return e->fft ? CONVK_OK
                : convk_fft_refuse_axis_(message, CONVK_ERR_FFT_SIZE, axis,
                                         "shape->$s and shape->out_$s take % points in this period, more than %",
                                         n + e->out - 1, CONVK_FFT_MAX_SIZE_);
}

/* The FFT's size for `need` points of an axis, or a tile's. */
CONVK_RARE_ int convk_fft_resolve_size_(char *message, int axis, size_t need, convk_fft_extent_ *e) {
  const size_t k = e->kernel, limit = CONVK_FFT_MAX_SIZE_;
  const int tiles = need > limit;
  if (tiles && k > limit / 2)
    return convk_fft_refuse_axis_(message, CONVK_ERR_FFT_SIZE, axis,
                                  "shape->kernel_$s is %, too many for tiles, and the axis takes % points", k, need);
  if (!e->fft) e->fft = tiles ? convk_fft_tile_(k, e->out) : convk_fft_best_(need);
  if (!convk_fft_size_(e->fft))
    return convk_fft_refuse_axis_(message, CONVK_ERR_FFT_SIZE, axis, "shape->fft_$s is %, no product of 2, 3, 5, 7 up to %",
                                  e->fft, limit);
  if (tiles && e->fft < 2 * k)
    return convk_fft_refuse_axis_(message, CONVK_ERR_FFT_SIZE, axis,
                                  "shape->fft_$s is %, and tiles take twice shape->kernel_$s = %", e->fft, k);
  if (!tiles && e->fft < need)
    return convk_fft_refuse_axis_(message, CONVK_ERR_FFT_SIZE, axis, "shape->fft_$s is %, and % points are needed", e->fft,
                                  need);
  if (tiles) e->tile = e->fft - k + 1;
  return CONVK_OK;
}

CONVK_RARE_ int convk_fft_resolve_axis_(char *message, int axis, int mode, int spectrum, convk_fft_extent_ *e) {
  const size_t limit = (size_t)-1 / 8, n = e->field, k = e->kernel;
  size_t full, need, first, last;
  e->period = e->tile = 0;
  if (!n) return convk_fft_refuse_axis_(message, CONVK_ERR_SIZE, axis, "shape->$s is 0", 0, 0);
  if (!spectrum && !k) return convk_fft_refuse_axis_(message, CONVK_ERR_SIZE, axis, "shape->kernel_$s is 0", 0, 0);
  if (n > limit || k > limit || e->out > limit || e->fft > limit)
    return convk_fft_refuse_axis_(message, CONVK_ERR_OVERFLOW, axis,
                                  n > limit        ? "shape->$s is too large"
                                  : k > limit      ? "shape->kernel_$s is too large"
                                  : e->out > limit ? "shape->out_$s is too large"
                                                   : "shape->fft_$s is too large",
                                  0, 0);
  if (mode != CONVK_FFT_CIRCULAR && mode != CONVK_FFT_WINDOW && (e->origin || e->out))
    return convk_fft_refuse_axis_(message, CONVK_ERR_MODE, axis,
                                  e->origin ? "shape->origin_$ is not 0, which shape->mode = % does not take"
                                            : "shape->out_$s is not 0, which shape->mode = % does not take",
                                  (size_t)mode, 0);
  if (mode == CONVK_FFT_CIRCULAR) return convk_fft_resolve_circle_(message, axis, spectrum, e);
  full = n + k - 1;
  if (mode == CONVK_FFT_FULL) e->out = full;
  if (mode == CONVK_FFT_SAME) {
    e->origin = (ptrdiff_t)((k - 1) / 2);
    e->out = n;
  }
  if (mode == CONVK_FFT_VALID) {
    e->origin = (ptrdiff_t)((n < k ? n : k) - 1);
    e->out = (n < k ? k - n : n - k) + 1;
  }
  if (!e->out) return convk_fft_refuse_axis_(message, CONVK_ERR_SIZE, axis, "shape->out_$s is 0", 0, 0);
  if (e->origin < 0 || (size_t)e->origin >= full)
    return convk_fft_refuse_axis_(message, CONVK_ERR_WINDOW, axis,
                                  "shape->origin_$ is %, outside of the convolution's % points", (size_t)e->origin, full);
  if (e->out > full - (size_t)e->origin)
    return convk_fft_refuse_axis_(message, CONVK_ERR_WINDOW, axis,
                                  "shape->out_$s is %, and from shape->origin_$ on there are %", e->out,
                                  full - (size_t)e->origin);
  /* Points of the kernel that meet the window: [first, last].  Of what wraps around, nothing may meet it. */
  first = (size_t)e->origin >= n ? (size_t)e->origin - n + 1 : 0;
  last = (size_t)e->origin + e->out - 1 < k ? (size_t)e->origin + e->out - 1 : k - 1;
  need = n > e->out ? n : e->out;
  if (last + n > (size_t)e->origin && last + n - (size_t)e->origin > need) need = last + n - (size_t)e->origin;
  if ((size_t)e->origin + e->out - first > need) need = (size_t)e->origin + e->out - first;
  return convk_fft_resolve_size_(message, axis, need, e);
}

CONVK_RARE_ int convk_fft_resolve_(char *message, const convk_fftconv2d_shape *shape, int spectrum, convk_fft_extent_ e[2]) {
  int status = CONVK_OK, d;
  if (!shape) return convk_need_(message, "shape", shape);
  if (shape->correlation & ~1)
    return convk_refuse_at_(message, CONVK_ERR_OPTION, "shape->correlation is %, neither 0 nor 1", shape->correlation, 0, 0);
  e[0] = convk_fft_extent_of_(shape->rows, shape->kernel_rows, shape->out_rows, shape->fft_rows, shape->origin_row);
  e[1] =
      convk_fft_extent_of_(shape->columns, shape->kernel_columns, shape->out_columns, shape->fft_columns, shape->origin_column);
  if (shape->mode < CONVK_FFT_FULL || shape->mode > CONVK_FFT_WINDOW)
    return convk_refuse_at_(message, CONVK_ERR_MODE, "shape->mode is %, none of CONVK_FFT_FULL .. CONVK_FFT_WINDOW",
                            shape->mode, 0, 0);
  for (d = 0; d < 2 && !status; d++)
    status = convk_fft_resolve_axis_(message, d, shape->mode, spectrum && shape->mode == CONVK_FFT_CIRCULAR, &e[d]);
  return status;
}

/* Whether a shape has no kernel's size, as for spectra. */
CONVK_LOCAL_ int convk_fft_no_kernel_(const convk_fftconv2d_shape *shape) {
  return shape && !shape->kernel_rows && !shape->kernel_columns;
}

/* The begin of functions that need no handle, but take one for its message. */
CONVK_LOCAL_ int convk_fft_handle_(convk *hw) { return hw ? convk_begin_call_(hw) : CONVK_OK; }

CONVK_API_ int convk_fftconv2d_resolve(convk *hw, const convk_fftconv2d_shape *shape, convk_fftconv2d_shape *resolved) {
  convk_fft_extent_ e[2];
  int status = convk_fft_handle_(hw);
  if (!status) status = convk_fft_resolve_(convk_message_(hw), shape, convk_fft_no_kernel_(shape), e);
  if (!status) status = convk_need_(convk_message_(hw), "resolved", resolved);
  if (status) return status;
  if (resolved != shape) *resolved = *shape;
  resolved->out_rows = e[0].out;
  resolved->out_columns = e[1].out;
  resolved->origin_row = e[0].origin;
  resolved->origin_column = e[1].origin;
  resolved->fft_rows = e[0].period ? e[0].period : e[0].fft;
  resolved->fft_columns = e[1].period ? e[1].period : e[1].fft;
  if (resolved->mode != CONVK_FFT_CIRCULAR) resolved->mode = CONVK_FFT_WINDOW;
  return CONVK_OK;
}

/* ---- twiddles ---- */

CONVK_EXACT_PUSH_ /* so that plans do not depend on what a compiler contracts */

/* (re, im) times exp(2 pi i num / den). */
CONVK_RARE_ void convk_fft_rotate_(size_t num, size_t den, double *re, double *im) {
  double c, s, t;
  convk_root_(num, den, &c, &s);
  t = *re * c + *im * s;
  *im = *im * c - *re * s;
  *re = t;
}

CONVK_EXACT_POP_

/* The passes of an axis and where their twiddles lie from `offset` on; returns their number, 2 per complex. */
CONVK_RARE_ size_t convk_fft_axis_begin_(convk_fft_axis_ *axis, size_t n, size_t in, size_t out, size_t offset) {
  size_t blocks = 1, r, begin = offset;
  int i;
  axis->n = n;
  axis->passes = convk_fft_passes_(n, axis->radix);
  axis->half_in = axis->radix[0] % 2 == 0 && in <= n / 2;
  axis->half_out = axis->radix[0] % 2 == 0 && out <= n / 2;
  for (i = 0; i < axis->passes; i++, blocks *= r) {
    r = (size_t)axis->radix[i];
    axis->forward[i] = (uint32_t)offset; /* per block */
    offset += 2 * blocks * (r - 1);
    axis->inverse[i] = (uint32_t)offset; /* per point of a block's part */
    offset += 2 * (n / blocks / r) * (r - 1);
  }
  return offset - begin;
}

/* Twiddles as doubles.  Before a pass a block of `len` points holds the polynomial modulo z^len - exp(-2 pi i turn / blocks);
   the pass of radix r makes r blocks of it, whose turns are (turn + q blocks) / (r blocks), q = 0 .. r - 1.  Of 4 points, by
   radix 2:
     1 block of 4    turn 0                  z^4 - 1
     2 blocks of 2   turns 0, 1 of 2         z^2 - 1, z^2 + 1
     4 blocks of 1   turns 0, 2, 1, 3 of 4   z - 1, z + 1, z + i, z - i: frequencies 0, 2, 1, 3

   Forward, the parts of a block are multiplied by the powers of the r-th root of its exp, back by roots of unity. */
CONVK_RARE_ void convk_fft_axis_fill_(const convk_fft_axis_ *axis, double *tables, uint32_t *position) {
  uint32_t turn[CONVK_FFT_MAX_SIZE_];
  size_t blocks = 1, b, j, q, r;
  int i;
  turn[0] = 0;
  for (i = 0; i < axis->passes; i++, blocks *= r) {
    const size_t part = axis->n / blocks / (size_t)axis->radix[i];
    double *to = tables + axis->forward[i];
    r = (size_t)axis->radix[i];
    for (b = 0; b < blocks; b++)
      for (q = 1; q < r; q++, to += 2) convk_root_(turn[b] * q, blocks * r, to, to + 1);
    for (to = tables + axis->inverse[i], j = 0; j < part; j++)
      for (q = 1; q < r; q++, to += 2) convk_root_(j * q, part * r, to, to + 1);
    for (b = blocks; b-- > 0;) /* children: (turn + p) / r */
      for (q = r; q-- > 0;) turn[b * r + q] = (uint32_t)(turn[b] + q * blocks);
  }
  for (b = 0; b < axis->n; b++) position[turn[b]] = (uint32_t)b;
}

/* The layout of a plan; 0: overflow. */
CONVK_RARE_ size_t convk_fft_layout_(const char *kind, const convk_fft_extent_ e[2], int real, size_t kernels, size_t element,
                                     convk_fft_plan_ *plan) {
  size_t count, bytes, spectra;
  memset(plan, 0, sizeof *plan);
  strncpy(plan->kind, kind, sizeof plan->kind - 1);
  plan->version = CONVK_VERSION;
  plan->rows = e[0].field;
  plan->columns = e[1].field;
  plan->out_rows = e[0].out;
  plan->out_columns = e[1].out;
  plan->kernels = kernels;
  plan->real = real;
  count = convk_fft_axis_begin_(&plan->axis[0], e[0].fft, e[0].field, e[0].out, 0);
  count += convk_fft_axis_begin_(&plan->axis[1], e[1].fft, e[1].field, e[1].out, count);
  plan->lines = real ? e[0].fft / 2 + 1 : e[0].fft;
  plan->pitch = convk_round_up_(plan->lines, CONVK_FFT_PAD_);
  plan->spectrum = 2 * e[1].fft * plan->pitch;
  plan->position[0] = convk_round_up_(sizeof *plan, 64);
  plan->position[1] = plan->position[0] + convk_round_up_(e[0].fft * sizeof(uint32_t), 64);
  plan->tables = plan->position[1] + convk_round_up_(e[1].fft * sizeof(uint32_t), 64);
  bytes = plan->spectra = plan->tables + convk_round_up_(count * element, 64);
  if (convk_mul_(kernels, plan->spectrum, &spectra) || spectra > (size_t)-1 / 4 / element - bytes) return 0;
  plan->bytes = bytes + spectra * element;
  return plan->bytes;
}

/* The same with the checks of how many kernels there are. */
CONVK_RARE_ int convk_fft_kernels_layout_(char *message, const char *kind, const convk_fft_extent_ e[2], int real,
                                          size_t kernels, size_t element, convk_fft_plan_ *plan) {
  if (!kernels) return convk_refuse_(message, CONVK_ERR_SIZE, "kernels is 0");
  return convk_fft_layout_(kind, e, real, kernels, element, plan)
             ? CONVK_OK
             : convk_refuse_at_(message, CONVK_ERR_OVERFLOW, "kernels is %, too many", (int64_t)kernels, 0, 0);
}

/* What a plan knows of tiles, and then the kernel's place in one: a tile's convolution begins where its points of the field
   do. */
CONVK_RARE_ void convk_fft_by_tiles_(convk_fft_extent_ e[2], convk_fft_plan_ *plan) {
  int d;
  for (d = 0; d < 2; d++)
    if (e[d].tile) {
      plan->tile[d] = e[d].tile;
      plan->origin[d] = (size_t)e[d].origin;
      plan->reach[d] = e[d].kernel - 1;
      plan->axis[d].half_out = 0;
      e[d].origin = 0;
      e[d].out = e[d].fft;
    }
}

/* Tiles of an axis of a plan. */
CONVK_LOCAL_ size_t convk_fft_tiles_(const convk_fft_plan_ *plan, int axis) {
  return !plan->tile[axis] ? 1 : convk_ceil_(axis ? plan->out_columns : plan->out_rows, plan->tile[axis]);
}

/* A plan's making takes doubles behind it: 4 for each point of an axis, which hold its tables, then of convolutions one
   spectrum (x position, y position, part). */
CONVK_LOCAL_ size_t convk_fft_table_doubles_(const convk_fft_plan_ *plan) { return 4 * (plan->axis[0].n + plan->axis[1].n); }
CONVK_LOCAL_ size_t convk_fft_making_bytes_(const convk_fft_plan_ *plan) {
  const size_t spectrum = plan->kernels ? 2 * plan->axis[0].n * plan->axis[1].n : 0;
  return plan->bytes + 64 + (convk_fft_table_doubles_(plan) + spectrum) * sizeof(double);
}
CONVK_LOCAL_ double *convk_fft_doubles_(const convk_fft_plan_ *plan, char *to) {
  return (double *)(void *)(to + plan->bytes + (64 - (uintptr_t)(to + plan->bytes) % 64) % 64);
}

/* What goes where: element from[i] of a kernel's axis to element to[i] of the FFT's, shifted so that results begin at 0.  Of a
   kernel of 3 points from origin 1 on, in an FFT of 8: 0 to 7, 1 to 0, 2 to 1. */
typedef struct convk_fft_moves_ {
  size_t count;
  uint32_t from[CONVK_FFT_MAX_SIZE_], to[CONVK_FFT_MAX_SIZE_];
} convk_fft_moves_;

CONVK_LOCAL_ void convk_fft_move_(convk_fft_moves_ *moves, size_t from, size_t to) {
  moves->from[moves->count] = (uint32_t)from;
  moves->to[moves->count++] = (uint32_t)to;
}

CONVK_RARE_ void convk_fft_place_(const convk_fft_extent_ *e, int correlation, convk_fft_moves_ *moves) {
  const size_t o = (size_t)e->origin, k = e->kernel, m = e->fft, p = e->period;
  size_t i, j;
  moves->count = 0;
  if (p && p == m)
    for (j = 0; j < k; j++) convk_fft_move_(moves, j, ((correlation ? (m - j) % m : j) + m - o) % m);
  else if (p)
    for (i = 0; i < e->field + e->out - 1; i++) { /* distance i - (field - 1) */
      const size_t d = (i + (p - (e->field - 1)) + o) % p;
      j = correlation ? (p - d) % p : d;
      if (j < k) convk_fft_move_(moves, j, (i + m - (e->field - 1)) % m);
    }
  else
    for (j = o >= e->field ? o - e->field + 1 : 0; j < k && j < o + e->out; j++)
      convk_fft_move_(moves, correlation ? k - 1 - j : j, (j >= o ? j - o : m - (o - j) % m) % m);
}

/* How far spectra are to be shifted so that results begin at 0.  A spectrum cannot be cut: nothing of the whole kernel may wrap
   around into the results. */
CONVK_RARE_ int convk_fft_shifts_(char *message, const convk_fft_extent_ e[2], int correlation, size_t shift[2]) {
  int d;
  for (d = 0; d < 2; d++) {
    const size_t fft = e[d].fft, kernel = e[d].kernel;
    size_t need = e[d].field + kernel - 1 - (size_t)e[d].origin;
    shift[d] = (size_t)e[d].origin;
    if (e[d].period) continue;
    if (need < shift[d] + e[d].out) need = shift[d] + e[d].out;
    if (e[d].tile)
      return convk_fft_refuse_axis_(message, CONVK_ERR_FFT_SIZE, d, "shape->$s takes tiles, and there are none for spectra", 0,
                                    0);
    if (fft < need)
      return convk_fft_refuse_axis_(message, CONVK_ERR_FFT_SIZE, d, "shape->fft_$s is %, and a spectrum takes % points", fft,
                                    need);
    if (correlation) shift[d] = (shift[d] + fft - (kernel - 1) % fft) % fft;
  }
  return CONVK_OK;
}

/* Some bytes of a checksum, at most 32. */
CONVK_INLINE_ void convk_fft_sum_part_(uint64_t sum[4], const char *at, size_t bytes) {
  uint64_t word[4] = {0, 0, 0, 0};
  int i;
  memcpy(word, at, bytes);
  CONVK_EACH_(i, 4) sum[i] = (sum[i] << 9 | sum[i] >> 55) + word[i];
}

/* A checksum of a plan's first struct, at any address: four at once, without products, which take their time where a transform
   is small. */
CONVK_RARE_ uint64_t convk_fft_sum_(const void *plan) {
  const size_t bytes = offsetof(convk_fft_plan_, sum), whole = bytes / 32 * 32;
  uint64_t sum[4] = {1469598103934665603u, 2, 3, 4};
  size_t i;
  for (i = 0; i < whole; i += 32) convk_fft_sum_part_(sum, (const char *)plan + i, 32);
  convk_fft_sum_part_(sum, (const char *)plan + whole, bytes - whole);
  sum[0] ^= sum[1] >> 32 ^ sum[1] << 32;
  return (sum[0] ^ sum[2] >> 17 ^ sum[2] << 47 ^ sum[3] >> 48 ^ sum[3] << 16) * 1099511628211u;
}

/* Columns of complex numbers: two real ones are one. */
CONVK_LOCAL_ size_t convk_fft_columns_(const convk_fft_plan_ *plan, size_t columns) {
  return plan->real ? columns / 2 + columns % 2 : columns;
}

/* What results are multiplied by besides their factors. */
CONVK_LOCAL_ double convk_fft_scale_(const convk_fft_plan_ *plan, int direction) {
  return direction == CONVK_INVERSE ? 1 / ((double)plan->axis[0].n * (double)plan->axis[1].n) : 1.;
}

/* A plan at any address.  Copied by pieces: compilers make a string operation of the whole, which takes as long as a small
   transform. */
CONVK_RARE_ int convk_fft_plan_check_(char *message, const void *plan, const char *kind, convk_fft_plan_ *copy) {
  size_t i;
  if (!plan) return convk_need_(message, "plan", plan);
  for (i = 0; i < sizeof *copy / 32 * 32; i += 32) memcpy((char *)copy + i, (const char *)plan + i, 32);
  memcpy((char *)copy + i, (const char *)plan + i, sizeof *copy - sizeof *copy / 32 * 32);
  copy->kind[sizeof copy->kind - 1] = 0;
  if (CONVK_UNLIKELY_(strncmp((const char *)plan, kind, sizeof copy->kind) !=
                      0)) /* not the copy: what was just written is slow to read */
    return convk_refuse_names_(message, CONVK_ERR_PLAN,
                               memcmp(copy->kind, "fft", 3) ? "plan is none" : "plan is of $, not of $", copy->kind, kind);
  if (copy->version != CONVK_VERSION)
    return convk_refuse_at_(message, CONVK_ERR_PLAN, "plan is of version %, not %", copy->version, CONVK_VERSION, 0);
  if (copy->sum != convk_fft_sum_(plan)) return convk_refuse_(message, CONVK_ERR_PLAN, "plan was changed after it was made");
  return CONVK_OK;
}

/* Bytes of a plan that was made. */
CONVK_RARE_ int convk_fft_plan_bytes_(convk *hw, const char *kind, const void *plan, size_t *bytes) {
  convk_fft_plan_ copy;
  int status = convk_fft_handle_(hw);
  if (!status) status = convk_fft_plan_check_(convk_message_(hw), plan, kind, &copy);
  if (!status) status = convk_need_(convk_message_(hw), "bytes", bytes);
  if (!status) *bytes = copy.bytes;
  return status;
}

CONVK_LOCAL_ size_t convk_fft_kernel_of_(const convk_fft_plan_ *plan, const convk_batch2d *batch, size_t item) {
  return batch->kernel        ? batch->kernel[item]
         : plan->kernels == 1 ? 0
                              : item / (batch->items_per_kernel ? batch->items_per_kernel : 1);
}

/* Pitch, stride and span of one side of a batch, in elements.  Messages call items and sides so: "batch->items" and
   "batch->in_". */
CONVK_RARE_ int convk_batch_side_(char *message, const char *all_items, const char *side, size_t items, size_t rows,
                                  size_t columns, size_t element, size_t *pitch, size_t *stride, size_t *span) {
  size_t each, all, bytes;
  if (!*pitch) *pitch = columns;
  if (*pitch < columns)
    return convk_fft_refuse_(message, CONVK_ERR_PITCH, "$pitch is %, less than the % columns of a row", side, side, *pitch,
                             columns);
  if (convk_mul_(rows, *pitch, &each))
    return convk_fft_refuse_(message, CONVK_ERR_OVERFLOW, "$pitch is too large for % rows", side, side, rows, 0);
  if (!*stride) *stride = each;
  each = each - *pitch + columns;
  if (!items) {
    *span = 0;
    return CONVK_OK;
  }
  if (convk_mul_(items - 1, *stride, &all) || all > (size_t)-1 - each || convk_mul_(all + each, element, &bytes) ||
      bytes > (size_t)-1 / 4)
    return convk_fft_refuse_(message, CONVK_ERR_OVERFLOW, "$ at $stride or pitch are too many bytes", all_items, side, 0, 0);
  *span = all + each;
  return CONVK_OK;
}

/* Whether items of rows x columns lie apart: one after the other, or side by side. */
CONVK_LOCAL_ int convk_batch_apart_(size_t items, size_t rows, size_t columns, size_t pitch, size_t stride) {
  return items <= 1 || stride >= (rows - 1) * pitch + columns ||
         (stride >= columns && (items - 1) <= (pitch - columns) / stride);
}

/* All checks of a call but those of where arrays lie.  `unseen`: kernels of items are on a device, and not looked at.  Copies
   the plan, fills in strides, and gives elements from the first to the last of in and out. */
CONVK_RARE_ int convk_fft_check_(char *message, const void *from, const char *kind, int direction, const convk_batch2d *batch,
                                 size_t element, int unseen, convk_fft_plan_ *plan, convk_batch2d *full, size_t span[2]) {
  size_t i;
  int status;
  if (direction != CONVK_FORWARD && direction != CONVK_INVERSE)
    return convk_refuse_at_(message, CONVK_ERR_OPTION, "direction is %, neither CONVK_FORWARD nor CONVK_INVERSE", direction, 0,
                            0);
  status = convk_fft_plan_check_(message, from, kind, plan);
  if (status) return status;
  if (!batch) return convk_need_(message, "batch", batch);
  *full = *batch;
  element *= plan->real ? 1 : 2;
  status = convk_batch_side_(message, "batch->items", "batch->in_", batch->items, plan->rows, plan->columns, element,
                             &full->in_pitch, &full->in_stride, &span[0]);
  if (!status)
    status = convk_batch_side_(message, "batch->items", "batch->out_", batch->items, plan->out_rows, plan->out_columns, element,
                               &full->out_pitch, &full->out_stride, &span[1]);
  if (status) return status;
  if (!convk_batch_apart_(batch->items, plan->out_rows, plan->out_columns, full->out_pitch, full->out_stride))
    return convk_refuse_at_(message, CONVK_ERR_PITCH,
                            "batch->out_stride is %, so that items of % rows overlap at batch->out_pitch = %",
                            (int64_t)full->out_stride, (int64_t)plan->out_rows, (int64_t)full->out_pitch);
  if (!plan->kernels || !batch->items || unseen) return CONVK_OK;
  for (i = batch->kernel ? 0 : batch->items - 1; i < batch->items; i++)
    if (convk_fft_kernel_of_(plan, batch, i) >= plan->kernels)
      return convk_refuse_at_(message, CONVK_ERR_INDEX,
                              batch->kernel ? "batch->kernel: item % takes kernel %, and plan has %"
                                            : "batch->items_per_kernel: item % takes kernel %, and plan has %",
                              (int64_t)i, (int64_t)convk_fft_kernel_of_(plan, batch, i), (int64_t)plan->kernels);
  return CONVK_OK;
}

/* Where the arrays of a call lie. */
enum { CONVK_FFT_AT_PLAN_, CONVK_FFT_AT_IN_, CONVK_FFT_AT_OUT_, CONVK_FFT_AT_WORK_, CONVK_FFT_AT_KERNEL_, CONVK_FFT_PLACES_ };

/* All that must be there is there, and what is written overlaps nothing else; but a result may replace its own field, where
   there are no tiles: of those a field is read after its first results are written. */
CONVK_RARE_ int convk_fft_places_(char *message, const convk_fft_plan_ *plan, const convk_batch2d *full,
                                  convk_place_ place[CONVK_FFT_PLACES_]) {
  const size_t rows = plan->rows > plan->out_rows ? plan->rows : plan->out_rows;
  const size_t columns = plan->columns > plan->out_columns ? plan->columns : plan->out_columns;
  convk_place_ *in = &place[CONVK_FFT_AT_IN_], *out = &place[CONVK_FFT_AT_OUT_];
  if (in->bytes && in->buffer == out->buffer && (in->buffer || in->begin) && in->begin == out->begin && !plan->tile[0] &&
      !plan->tile[1] &&
      (full->items <= 1 ||
       (full->in_pitch == full->out_pitch && full->in_stride == full->out_stride && columns <= full->in_pitch &&
        convk_batch_apart_(full->items, rows, columns, full->in_pitch, full->in_stride)))) {
    if (out->bytes < in->bytes) out->bytes = in->bytes;
    in->bytes = 0;
  }
  return convk_places_check_(message, place,
                             place[CONVK_FFT_AT_KERNEL_].buffer || place[CONVK_FFT_AT_KERNEL_].begin ? CONVK_FFT_PLACES_
                                                                                                     : CONVK_FFT_AT_KERNEL_);
}

/* Those of a call on host arrays. */
CONVK_RARE_ int convk_fft_apart_(char *message, const convk_fft_plan_ *plan, const void *base, const convk_batch2d *full,
                                 size_t element, const size_t span[2], const void *in, const void *out, const void *work,
                                 size_t work_size) {
  const size_t number = (plan->real ? 1 : 2) * element, kernels = plan->kernels && full->kernel ? full->items : 0;
  const int optional = full->items ? 0 : CONVK_PLACE_OPTIONAL_, written = CONVK_PLACE_WRITTEN_;
  convk_place_ place[CONVK_FFT_PLACES_];
  place[CONVK_FFT_AT_PLAN_] = convk_place_of_("plan", base, plan->bytes, 0);
  place[CONVK_FFT_AT_KERNEL_] =
      convk_place_of_("batch->kernel", full->kernel, kernels * sizeof *full->kernel, CONVK_PLACE_OPTIONAL_);
  place[CONVK_FFT_AT_IN_] = convk_place_of_("in", in, span[0] * number, optional);
  place[CONVK_FFT_AT_OUT_] = convk_place_of_("out", out, span[1] * number, optional | written);
  place[CONVK_FFT_AT_WORK_] = convk_place_of_("work", work, work_size, CONVK_PLACE_OPTIONAL_ | written);
  return convk_fft_places_(message, plan, full, place);
}

/* What a call on a device goes by, of so many items of a plan: see convk_tuned_choice_. */
CONVK_RARE_ void convk_fft_choice_(convk *hw, const convk_fft_plan_ *plan, size_t element, size_t items,
                                   long choice[CONVK_TUNE_COUNT]) {
  static const char *const type[2][2] = {{"c32", "c64"}, {"f32", "f64"}};
  size_t n[3];
  n[0] = plan->axis[1].n;
  n[1] = plan->axis[0].n;
  n[2] = items;
  convk_tuned_choice_(hw, plan->kernels ? "fftconv2d" : "fft2d", type[plan->real != 0][element == 8], n, 1, choice);
}

/* ---- the spectra of kernels ---- */

/* In doubles, and without fused operations, so that plans are the same everywhere. */
CONVK_EXACT_PUSH_
#define CONVK_PASS_ CONVK_PASS_PLAN_
#define CONVK_HW_ plan
#define CONVK_TYPE_ f64
#define CONVK_T double
#define CONVK_V double
#define CONVK_SET_(x) (x)
#define CONVK_ADD_(a, b) ((a) + (b))
#define CONVK_SUB_(a, b) ((a) - (b))
#define CONVK_MUL_(a, b) ((a) * (b))
#define CONVK_FMA_(a, b, c) ((a) * (b) + (c))
#define CONVK_FNMA_(a, b, c) ((c) - (a) * (b))
#define CONVK_FMS_(a, b, c) ((a) * (b) - (c))
#define CONVK_FUSES_ 0
#include CONVK_HEADER

/* A group of r points in place, times their twiddles. */
CONVK_RARE_ void convk_fft_group_(const int r, const double *w, double *at, size_t step) {
  double xr[16], xi[16];
  const int h = r % 2 ? r : r / 2;
  int q;
  for (q = 0; q < r; q++) {
    xr[q] = at[(size_t)q * step];
    xi[q] = at[(size_t)q * step + 1];
  }
  for (q = 1; q < h && w; q++) convk_fft_times_f64_plan_(0, w[2 * q - 2], w[2 * q - 1], &xr[q], &xi[q]);
  for (q = h; q < r; q++)
    if (w) convk_fft_butterfly_f64_plan_(0, w[2 * q - 2], w[2 * q - 1], &xr[q - h], &xi[q - h], &xr[q], &xi[q]);
    else convk_fft_butterfly_1_f64_plan_(0, &xr[q - h], &xi[q - h], &xr[q], &xi[q]);
  switch (r) { /* of constants compilers unroll what follows */
    case 3: convk_fft_radix_rest_f64_plan_(3, xr, xi); break;
    case 4: convk_fft_radix_rest_f64_plan_(4, xr, xi); break;
    case 5: convk_fft_radix_rest_f64_plan_(5, xr, xi); break;
    case 7: convk_fft_radix_rest_f64_plan_(7, xr, xi); break;
    case 8: convk_fft_radix_rest_f64_plan_(8, xr, xi); break;
    case 16: convk_fft_radix_rest_f64_plan_(16, xr, xi);
  }
  for (q = 0; q < r; q++) {
    at[(size_t)q * step] = xr[q];
    at[(size_t)q * step + 1] = xi[q];
  }
}
CONVK_EXACT_POP_

/* The spectrum of h in place, forward, from natural to permuted order: the columns, then the lines. */
CONVK_RARE_ void convk_fft_transform_(const convk_fft_plan_ *plan, const double *tables, double *h) {
  const size_t rows = plan->axis[0].n;
  size_t blocks, part, r, b, j, line;
  int d, i;
  for (d = 0; d < 2; d++) {
    const convk_fft_axis_ *axis = &plan->axis[d];
    const size_t step = d ? 2 * rows : 2, next = d ? 2 : 2 * rows;
    for (i = 0, blocks = 1; i < axis->passes; i++, blocks *= r) {
      r = (size_t)axis->radix[i];
      part = axis->n / blocks / r;
      for (line = 0; line < plan->axis[1 - d].n; line++)
        for (b = 0; b < blocks; b++)
          for (j = 0; j < part; j++)
            convk_fft_group_((int)r, i ? tables + axis->forward[i] + 2 * b * (r - 1) : NULL,
                             h + line * next + (b * r * part + j) * step, part * step);
    }
  }
}
