/* One of two texts, and one of two constants, as the precision wants it, for every hardware. */
#define CONVK_CAT3_(a, b, c) a##b##c
#define CONVK_PASTE3_(a, b, c) CONVK_CAT3_(a, b, c)
#define CONVK_EITHER_f32_(f32, f64) f32
#define CONVK_EITHER_f64_(f32, f64) f64
#define CONVK_EITHER_(f32, f64) CONVK_PASTE3_(CONVK_EITHER_, CONVK_TYPE_, _)(f32, f64)
#define CONVK_OF_(f32, f64) ((CONVK_T)(CONVK_EITHER_(f32, f64)))
#define CONVK_UNSIGNED_ CONVK_EITHER_(uint32_t, uint64_t)
#define CONVK_GREATEST_ CONVK_OF_(3.4028234663852886e38f, 1.7976931348623157e308)
#define CONVK_FRACTION_ CONVK_EITHER_(23, 52) /* binary digits behind the point */
/* The list of coefficients <name>_f32_ or <name>_f64_; a vector of one pattern of bits or another, of signs alone, of
   infinity. */
#define CONVK_TABLE_(name) CONVK_PASTE3_(name##_, CONVK_TYPE_, _)
#define CONVK_BITS_OF_(f32, f64) CONVK_BITS_(CONVK_EITHER_(UINT32_C(f32), UINT64_C(f64)))
#define CONVK_SIGN_ CONVK_BITS_OF_(0x80000000, 0x8000000000000000)
#define CONVK_INFINITE_ CONVK_BITS_OF_(0x7f800000, 0x7ff0000000000000)
#define CONVK_COUNT_(list) ((int)(sizeof list / sizeof *list))
/* A loop that compilers unroll, such as a step of several vectors that go together: while one waits for a result the others
   work. */
#define CONVK_EACH_(i, count) \
  CONVK_UNROLL_ \
  for (i = 0; i < count; i++)
