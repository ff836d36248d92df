/* hw.flush_subnormals gives the bits of a caller who set the processor's mode, from every thread. */
#if (defined __x86_64__ || defined __SSE__) && (defined __GNUC__ || defined __clang__) && !defined __CUDACC__
enum { FLUSH_N = 24, FLUSH_POINTS = FLUSH_N * FLUSH_N * FLUSH_N, FLUSH_CALLS = 2, FLUSH_MODE = 0x8040 };
static const char *const flush_names[FLUSH_CALLS] = {"magicfilter3d", "stencil7"};

/* Each call on values that decay below the smallest normal number; the result in b.  wrong: a call that is refused. */
#define FLUSH_TYPED(T, type, bottom, normal) \
  static int flush_call_##type(const convk *hw, int call, int wrong, T *a, T *b) { \
    static const convk_grid3 grid = {FLUSH_N, FLUSH_N, FLUSH_N, 0, 0}; \
    static const convk_stencil7_coefficients_##type c = {(T)0.4, (T)0.1, (T)0.1, (T)0.1, (T)0.1, (T)0.1, (T)0.1}; \
    const int boundary[3] = {CONVK_PERIODIC, CONVK_PERIODIC, wrong ? 99 : CONVK_PERIODIC}; \
    const int error = errno; \
    T *result = NULL; \
    size_t i; \
    for (i = 0; i < FLUSH_POINTS; i++) { \
      const double x = bottom * (0.9 + 0.1 * (double)(i / FLUSH_N % FLUSH_N + i % 3) / FLUSH_N); \
      a[i] = (T)exp(x); \
    } \
    errno = error; \
    if (call == 0) return convk_magicfilter3d_##type(hw, &grid, &grid, CONVK_FORWARD, boundary, NULL, a, b, NULL, 0); \
    return convk_stencil7_##type(hw, &grid, &c, boundary, 1, a, b, &result, NULL, 0); \
  } \
  static size_t flush_count_##type(const T *p) { \
    size_t i, n = 0; \
    for (i = 0; i < FLUSH_POINTS; i++) n += (p[i] > 0 || p[i] < 0) && p[i] < normal && p[i] > -normal; \
    return n; \
  } \
  static void flush_case_##type(convk *hw, int call) { \
    static T a[FLUSH_POINTS], b[FLUSH_POINTS], want[FLUSH_POINTS]; \
    const unsigned control = float_control(); \
    surroundings s; \
    int status; \
    hook pool = hook_new(HOOK_THREADS, 3, 1); \
    memset(&hw->parallel, 0, sizeof hw->parallel); \
    hw->flush_subnormals = 0; \
    status = flush_call_##type(hw, call, 0, a, b); \
    if (status || !flush_count_##type(b)) fail("%d, or there are no subnormals to flush", status); \
    float_control_set(control | FLUSH_MODE); \
    status = flush_call_##type(hw, call, 0, a, want); \
    float_control_set(control); \
    if (status || flush_count_##type(want)) fail("%d, or the processor does not flush", status); \
    hw->flush_subnormals = 1; \
    s = before_call(); \
    status = flush_call_##type(hw, call, 0, a, b); \
    after_call(s, 0); \
    if (status || memcmp(b, want, sizeof b)) fail("%d, or other bits than in the processor's mode", status); \
    hw->parallel.threads = 3; \
    hw->parallel.run = hook_run; \
    hw->parallel.ctx = &pool; \
    memset(b, 0, sizeof b); \
    s = before_call(); \
    status = flush_call_##type(hw, call, 0, a, b); \
    after_call(s, 0); \
    if (status || memcmp(b, want, sizeof b)) fail("%d, or other bits with threads", status); \
    s = before_call(); \
    status = flush_call_##type(hw, call, 1, a, b); \
    after_call(s, 0); \
    if (!status || memcmp(b, want, sizeof b)) fail("a wrong call gave %d, or touched its output", status); \
    pthread_mutex_destroy(&pool.lock); \
  }
FLUSH_TYPED(float, f32, -98, FLT_MIN)
FLUSH_TYPED(double, f64, -745, DBL_MIN)
#undef FLUSH_TYPED

/* Emulators of processors may know the mode, and not obey. */
static int flush_obeyed(void) {
  const unsigned control = float_control();
  volatile float x = FLT_MIN;
  float_control_set(control | FLUSH_MODE);
  x = x * 0.5f;
  float_control_set(control);
  return x <= 0;
}

static void flush_all(int type) {
  size_t i;
  int call;
  if (!flush_obeyed()) return;
  for (i = 0; i < variant_count; i++) {
    convk hw;
    if (!variants[i].open || variants[i].device) continue;
    use_variant(&variants[i]);
    hw = variants[i].hw;
    for (call = 0; call < FLUSH_CALLS; call++) {
      describe("%s", flush_names[call]);
      begin_case();
      if (type) flush_case_f64(&hw, call);
      else flush_case_f32(&hw, call);
      end_case();
    }
  }
}
#else
static void flush_all(int type) { (void)type; } /* nothing to set here */
#endif
static const test flush_tests[] = {{"flush_subnormals", "bits", flush_all, 1}};
