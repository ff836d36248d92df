/* Many processors take a hundred cycles and more for an operation that sees or makes a subnormal number.  So arguments with
   such results take a way without any; all others only pay for the check, one operation of a block. */

/* Whether an element of any is less than this. */
CONVK_INLINE_ int convk_any_less_(const CONVK_V *x, CONVK_V than, const int count) {
  CONVK_V least = x[0];
  int k;
  CONVK_UNROLL_
  for (k = 1; k < count; k++) least = CONVK_MIN_(least, x[k]);
  return CONVK_ANY_LESS_(least, than) != 0;
}

/* 2^-40, 2^-100: e^x - 1 = x below, whose x^2 / 2 is less than half of a last place; squares of what is larger are normal. */
#define CONVK_EXPM1_TINY_ CONVK_OF_(9.094947e-13f, 7.8886090522101181e-31)
#define CONVK_EXP_NORMAL_ CONVK_OF_(-87.33654f, -708.3964185322641) /* the least argument with a normal result */
/* Where one block needs the way without subnormals, the next ones are likely to: so many take it before the check is made
   again.  A choice: with 8 at most 7 blocks take the longer way for nothing. */
#define CONVK_SMALL_BLOCKS_ 8

/* e^x of `count` vectors.  Where it is below the smallest normal number, p 2^n is multiplied by as much as makes that 2^23 or
   2^52; added to the same number it is rounded to a whole number, which is what the bits of the result are. */
CONVK_INLINE_ void convk_exp_small_of_(CONVK_V *v, const int count) {
  const CONVK_V least = CONVK_SET_(CONVK_OF_(-104, -746)), normal = CONVK_SET_(CONVK_EXP_NORMAL_);
  const CONVK_V whole = CONVK_SET_(CONVK_OF_(8388608, 4503599627370496.)), up = CONVK_SET_(CONVK_OF_(149, 1074));
  CONVK_V x[CONVK_TOGETHER_], p[CONVK_TOGETHER_], n[CONVK_TOGETHER_], t[CONVK_TOGETHER_], more[CONVK_TOGETHER_];
  int i;
  CONVK_EACH_(i, count) x[i] = v[i] = CONVK_MAX_(least, v[i]);
  convk_vexp_parts_(x, p, n, t, count);
  CONVK_EACH_(i, count) more[i] = CONVK_LESS_(v[i], normal, up, CONVK_SET_(0));
  CONVK_EACH_(i, count) p[i] = convk_vscale_(p[i], CONVK_ADD_(n[i], more[i]), CONVK_ADD_(t[i], more[i]));
  CONVK_EACH_(i, count) v[i] = CONVK_LESS_(v[i], normal, CONVK_ISUB_(CONVK_ADD_(p[i], whole), whole), p[i]);
}

#define CONVK_MAP_BLOCK_ ((size_t)CONVK_TOGETHER_ * CONVK_LANES)

/* A block of whole vectors. */
CONVK_INLINE_ void convk_whole_load_(const CONVK_T *x, CONVK_V *v) {
  int k;
  CONVK_EACH_(k, CONVK_TOGETHER_) v[k] = CONVK_LOAD_(x + (size_t)k * CONVK_LANES);
}
CONVK_INLINE_ void convk_whole_store_(CONVK_T *y, const CONVK_V *v) {
  int k;
  CONVK_EACH_(k, CONVK_TOGETHER_) CONVK_STORE_(y + (size_t)k * CONVK_LANES, v[k]);
}

/* A vector, or what there is of one. */
CONVK_INLINE_ CONVK_V convk_vector_load_(const CONVK_T *x, size_t n) {
  return n < CONVK_LANES ? CONVK_LOADK_(x, n) : CONVK_LOAD_(x);
}
CONVK_INLINE_ void convk_vector_store_(CONVK_T *y, size_t n, CONVK_V v) {
  if (n < CONVK_LANES) CONVK_STOREK_(y, v, n);
  else CONVK_STORE_(y, v);
}

/* A block, or what there is of one: 0 beyond. */
CONVK_INLINE_ void convk_block_load_(const CONVK_T *x, size_t n, CONVK_V *v) {
  int k;
  CONVK_EACH_(k, CONVK_TOGETHER_) {
    const size_t at = (size_t)k * CONVK_LANES;
    v[k] = n >= at + CONVK_LANES ? CONVK_LOAD_(x + at) : n > at ? CONVK_LOADK_(x + at, n - at) : CONVK_SET_(0);
  }
}
CONVK_INLINE_ void convk_block_store_(CONVK_T *y, size_t n, const CONVK_V *v) {
  int k;
  CONVK_EACH_(k, CONVK_TOGETHER_) {
    const size_t at = (size_t)k * CONVK_LANES;
    if (n >= at + CONVK_LANES) CONVK_STORE_(y + at, v[k]);
    else if (n > at) CONVK_STOREK_(y + at, v[k], n - at);
  }
}

/* Some blocks, of which the first has such results and the next ones may, or less than a block; where they end. */
CONVK_RARE_ size_t convk_exp_small_(const CONVK_T *x, CONVK_T *y, size_t n) {
  CONVK_V v[CONVK_TOGETHER_];
  size_t i;
  for (i = 0; i < n && i < CONVK_SMALL_BLOCKS_ * CONVK_MAP_BLOCK_; i += CONVK_MAP_BLOCK_) {
    convk_block_load_(x + i, n - i, v);
    convk_exp_small_of_(v, CONVK_TOGETHER_);
    convk_block_store_(y + i, n - i, v);
  }
  return i;
}

/* Of one vector, or two side by side: what there is of them. */
CONVK_INLINE_ void convk_exp_partial_(const CONVK_T *x, CONVK_T *y, size_t n, const int count) {
  const size_t last = n - (size_t)(count - 1) * CONVK_LANES;
  CONVK_V v[2];
  if (count > 1) v[0] = CONVK_LOAD_(x);
  v[count - 1] = convk_vector_load_(x + n - last, last);
  if (CONVK_UNLIKELY_(convk_any_less_(v, CONVK_SET_(CONVK_EXP_NORMAL_), count))) (void)convk_exp_small_(x, y, n);
  else {
    convk_vexp_of_(v, count);
    if (count > 1) CONVK_STORE_(y, v[0]);
    convk_vector_store_(y + n - last, last, v[count - 1]);
  }
}

/* More than two vectors, in blocks; at the end two, since most of a block would be for nothing. */
CONVK_RARE_ int convk_exp_blocks_(const CONVK_T *x, CONVK_T *y, size_t n) {
  size_t i = 0;
  while (i + CONVK_MAP_BLOCK_ <= n) {
    CONVK_V v[CONVK_TOGETHER_];
    convk_whole_load_(x + i, v);
    if (CONVK_UNLIKELY_(convk_any_less_(v, CONVK_SET_(CONVK_EXP_NORMAL_), CONVK_TOGETHER_))) {
      i += convk_exp_small_(x + i, y + i, n - i);
      continue;
    }
    convk_vexp_of_(v, CONVK_TOGETHER_);
    convk_whole_store_(y + i, v);
    i += CONVK_MAP_BLOCK_;
  }
  for (; i + CONVK_LANES < n; i += 2 * CONVK_LANES)
    convk_exp_partial_(x + i, y + i, n - i < 2 * CONVK_LANES ? n - i : 2 * CONVK_LANES, 2);
  if (i < n) convk_exp_partial_(x + i, y + i, n - i, 1);
  CONVK_LEAVE_
  return CONVK_OK;
}

/* Few come first: they wait for every instruction. */
static int convk_exp_many_(const CONVK_T *x, CONVK_T *y, CONVK_T *z, size_t n) {
  (void)z;
  if (n > 2 * CONVK_LANES) return convk_exp_blocks_(x, y, n);
  if (n > CONVK_LANES) convk_exp_partial_(x, y, n, 2);
  else if (n) convk_exp_partial_(x, y, n, 1);
  CONVK_LEAVE_
  return CONVK_OK;
}

/* |x| */
CONVK_INLINE_ CONVK_V convk_size_of_(CONVK_V x) { return CONVK_AND_(x, CONVK_BITS_OF_(0x7fffffff, 0x7fffffffffffffff)); }

/* Whether an element of any is so small that its square could become subnormal. */
CONVK_INLINE_ int convk_expm1_any_tiny_(const CONVK_V *x, const int count) {
  CONVK_V least = CONVK_SET_(1);
  int k;
#ifdef CONVK_SCALE_
  CONVK_EACH_(k, count) least = CONVK_NEARER_(least, x[k]);
#else
  CONVK_EACH_(k, count) least = CONVK_MIN_(least, convk_size_of_(x[k]));
#endif
  return CONVK_ANY_LESS_(least, CONVK_SET_(CONVK_EXPM1_TINY_)) != 0;
}

/* e^x - 1 of `count` vectors, x itself where it is so small. */
CONVK_INLINE_ void convk_expm1_small_of_(const CONVK_V *v, CONVK_V *x, const int count) {
  const CONVK_V tiny = CONVK_SET_(CONVK_EXPM1_TINY_), zero = CONVK_SET_(0);
  int k;
  CONVK_EACH_(k, count) x[k] = CONVK_LESS_(convk_size_of_(v[k]), tiny, zero, v[k]);
  convk_vexpm1_of_(x, count);
  CONVK_EACH_(k, count) x[k] = CONVK_LESS_(convk_size_of_(v[k]), tiny, v[k], x[k]);
}

/* Some whole blocks, of which the first has such elements and the next ones may; where they end. */
CONVK_RARE_ size_t convk_expm1_small_(const CONVK_T *x, CONVK_T *y, size_t n) {
  CONVK_V v[CONVK_TOGETHER_], e[CONVK_TOGETHER_];
  size_t i;
  for (i = 0; i + CONVK_MAP_BLOCK_ <= n && i < CONVK_SMALL_BLOCKS_ * CONVK_MAP_BLOCK_; i += CONVK_MAP_BLOCK_) {
    convk_whole_load_(x + i, v);
    convk_expm1_small_of_(v, e, CONVK_TOGETHER_);
    convk_whole_store_(y + i, e);
  }
  return i;
}

/* As convk_exp_partial_. */
CONVK_INLINE_ void convk_expm1_partial_(const CONVK_T *x, CONVK_T *y, size_t n, const int count) {
  const size_t last = n - (size_t)(count - 1) * CONVK_LANES;
  CONVK_V v[2];
  if (count > 1) v[0] = CONVK_LOAD_(x);
  v[count - 1] = convk_vector_load_(x + n - last, last);
  if (CONVK_UNLIKELY_(convk_expm1_any_tiny_(v, count))) {
    CONVK_V e[2];
    convk_expm1_small_of_(v, e, count);
    v[0] = e[0];
    v[count - 1] = e[count - 1];
  } else convk_vexpm1_of_(v, count);
  if (count > 1) CONVK_STORE_(y, v[0]);
  convk_vector_store_(y + n - last, last, v[count - 1]);
}

CONVK_RARE_ int convk_expm1_blocks_(const CONVK_T *x, CONVK_T *y, size_t n) {
  size_t i = 0;
  while (i + CONVK_MAP_BLOCK_ <= n) {
    CONVK_V v[CONVK_TOGETHER_];
    convk_whole_load_(x + i, v);
    if (CONVK_UNLIKELY_(convk_expm1_any_tiny_(v, CONVK_TOGETHER_))) {
      i += convk_expm1_small_(x + i, y + i, n - i);
      continue;
    }
    convk_vexpm1_of_(v, CONVK_TOGETHER_);
    convk_whole_store_(y + i, v);
    i += CONVK_MAP_BLOCK_;
  }
  for (; i < n; i += CONVK_LANES) convk_expm1_partial_(x + i, y + i, n - i < CONVK_LANES ? n - i : CONVK_LANES, 1);
  CONVK_LEAVE_
  return CONVK_OK;
}

static int convk_expm1_many_(const CONVK_T *x, CONVK_T *y, CONVK_T *z, size_t n) {
  (void)z;
  if (n > 2 * CONVK_LANES) return convk_expm1_blocks_(x, y, n);
  if (n > CONVK_LANES) convk_expm1_partial_(x, y, n, 2);
  else if (n) convk_expm1_partial_(x, y, n, 1);
  CONVK_LEAVE_
  return CONVK_OK;
}

/* Elements of any kind. */
CONVK_RARE_ int convk_log_any_(const CONVK_T *x, CONVK_T *y, size_t n) {
  size_t i;
  for (i = 0; i + CONVK_LANES <= n; i += CONVK_LANES) CONVK_STORE_(y + i, convk_vlog_(CONVK_LOAD_(x + i)));
  if (i < n) CONVK_STOREK_(y + i, convk_vlog_(CONVK_LOADK_(x + i, n - i)), n - i);
  CONVK_LEAVE_
  return CONVK_OK;
}

#ifdef CONVK_ALL_NORMAL_
/* Pairs of vectors whose elements are all normal need no look at the ends of the range. */
CONVK_RARE_ int convk_log_pairs_(const CONVK_T *x, CONVK_T *y, size_t n) {
  const size_t pair = 2 * CONVK_LANES;
  size_t i;
  for (i = 0; i + pair <= n; i += pair) {
    const CONVK_V a = CONVK_LOAD_(x + i), b = CONVK_LOAD_(x + i + CONVK_LANES);
    if (CONVK_UNLIKELY_(!CONVK_ALL_NORMAL_(a, b))) {
      (void)convk_log_any_(x + i, y + i, pair);
    } else {
      CONVK_STORE_(y + i, convk_vlog_normal_(a));
      CONVK_STORE_(y + i + CONVK_LANES, convk_vlog_normal_(b));
    }
  }
  if (i < n) return convk_log_any_(x + i, y + i, n - i);
  CONVK_LEAVE_
  return CONVK_OK;
}
#endif

static int convk_log_many_(const CONVK_T *x, CONVK_T *y, CONVK_T *z, size_t n) {
  (void)z;
#ifdef CONVK_ALL_NORMAL_
  if (n >= 2 * CONVK_LANES) return convk_log_pairs_(x, y, n);
#endif
  return convk_log_any_(x, y, n);
}

static int convk_sincos_many_(const CONVK_T *x, CONVK_T *y, CONVK_T *z, size_t n) {
  CONVK_V s, c;
  size_t i;
  for (i = 0; i + CONVK_LANES <= n; i += CONVK_LANES) {
    convk_vsincos_(CONVK_LOAD_(x + i), &s, &c);
    CONVK_STORE_(y + i, s);
    CONVK_STORE_(z + i, c);
  }
  if (i < n) {
    convk_vsincos_(CONVK_LOADK_(x + i, n - i), &s, &c);
    CONVK_STOREK_(y + i, s, n - i);
    CONVK_STOREK_(z + i, c, n - i);
  }
  CONVK_LEAVE_
  return CONVK_OK;
}

CONVK_LOCAL_ const convk_vmath_kernels_ *convk_vmath_kernel_table_(void) {
  static const convk_vmath_kernels_ kernels = {{convk_exp_many_, convk_expm1_many_, convk_log_many_, convk_sincos_many_}, NULL};
  return &kernels;
}
