static void CONVK_KERNEL_(exp_many)(const CONVK_T *x, CONVK_T *y, CONVK_T *z, size_t n) {
  enum { BLOCK = CONVK_TOGETHER_ * CONVK_LANES };
  size_t i;
  int k;
  (void)z;
  for (i = 0; i + BLOCK <= n; i += BLOCK) {
    CONVK_V v[CONVK_TOGETHER_];
    CONVK_EACH_(k, CONVK_TOGETHER_) v[k] = CONVK_LOAD_(x + i + (size_t)k * CONVK_LANES);
    CONVK_KERNEL_(vexp_of)(v, CONVK_TOGETHER_);
    CONVK_EACH_(k, CONVK_TOGETHER_) CONVK_STORE_(y + i + (size_t)k * CONVK_LANES, v[k]);
  }
  for (; i + CONVK_LANES <= n; i += CONVK_LANES) CONVK_STORE_(y + i, CONVK_KERNEL_(vexp)(CONVK_LOAD_(x + i)));
  if (i < n) CONVK_STOREK_(y + i, CONVK_KERNEL_(vexp)(CONVK_LOADK_(x + i, n - i)), n - i);
  CONVK_LEAVE_
}

static void CONVK_KERNEL_(expm1_many)(const CONVK_T *x, CONVK_T *y, CONVK_T *z, size_t n) {
  size_t i;
  (void)z;
  enum { BLOCK = CONVK_TOGETHER_ * CONVK_LANES };
  int k;
  for (i = 0; i + BLOCK <= n; i += BLOCK) {
    CONVK_V v[CONVK_TOGETHER_];
    CONVK_EACH_(k, CONVK_TOGETHER_) v[k] = CONVK_LOAD_(x + i + (size_t)k * CONVK_LANES);
    CONVK_KERNEL_(vexpm1_of)(v, CONVK_TOGETHER_);
    CONVK_EACH_(k, CONVK_TOGETHER_) CONVK_STORE_(y + i + (size_t)k * CONVK_LANES, v[k]);
  }
  for (; i + CONVK_LANES <= n; i += CONVK_LANES) CONVK_STORE_(y + i, CONVK_KERNEL_(vexpm1)(CONVK_LOAD_(x + i)));
  if (i < n) CONVK_STOREK_(y + i, CONVK_KERNEL_(vexpm1)(CONVK_LOADK_(x + i, n - i)), n - i);
  CONVK_LEAVE_
}

static void CONVK_KERNEL_(log_many)(const CONVK_T *x, CONVK_T *y, CONVK_T *z, size_t n) {
  size_t i;
  (void)z;
  for (i = 0; i + CONVK_LANES <= n; i += CONVK_LANES) CONVK_STORE_(y + i, CONVK_KERNEL_(vlog)(CONVK_LOAD_(x + i)));
  if (i < n) CONVK_STOREK_(y + i, CONVK_KERNEL_(vlog)(CONVK_LOADK_(x + i, n - i)), n - i);
  CONVK_LEAVE_
}

static void CONVK_KERNEL_(sincos_many)(const CONVK_T *x, CONVK_T *y, CONVK_T *z, size_t n) {
  CONVK_V s, c;
  size_t i;
  for (i = 0; i + CONVK_LANES <= n; i += CONVK_LANES) {
    CONVK_KERNEL_(vsincos)(CONVK_LOAD_(x + i), &s, &c);
    CONVK_STORE_(y + i, s);
    CONVK_STORE_(z + i, c);
  }
  if (i < n) {
    CONVK_KERNEL_(vsincos)(CONVK_LOADK_(x + i, n - i), &s, &c);
    CONVK_STOREK_(y + i, s, n - i);
    CONVK_STOREK_(z + i, c, n - i);
  }
  CONVK_LEAVE_
}

CONVK_LOCAL_ const CONVK_PRIVATE_(vmath_kernels) *CONVK_KERNEL_(vmath_kernels)(void) {
  static const CONVK_PRIVATE_(vmath_kernels) kernels = {
      {CONVK_KERNEL_(exp_many), CONVK_KERNEL_(expm1_many), CONVK_KERNEL_(log_many), CONVK_KERNEL_(sincos_many)}, NULL};
  return &kernels;
}
