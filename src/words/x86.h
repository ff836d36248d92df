/* ---- words that SSE2, AVX, AVX2 and AVX-512 have alike ----
   A module defines for each precision CONVK_MM_(name), the intrinsics of its vectors, CONVK_OWN_(name), its own functions,
   CONVK_INTEGER_(name), integers of the same size, CONVK_INT_ and CONVK_REAL_, the casts between them; and for both
   precisions CONVK_MM_PD_(name), the intrinsics of doubles, CONVK_DINTEGER_(name), of integers, CONVK_DINT_ and
   CONVK_DREAL_. */
#define CONVK_LOAD_ CONVK_MM_(loadu)
#define CONVK_STORE_ CONVK_MM_(storeu)
#define CONVK_STREAM_ CONVK_MM_(stream)
#define CONVK_FENCE_ _mm_sfence()
#define CONVK_LOADK_ CONVK_OWN_(loadk)
#define CONVK_STOREK_ CONVK_OWN_(storek)
#define CONVK_SET_ CONVK_MM_(set1)
#define CONVK_ADD_ CONVK_MM_(add)
#define CONVK_SUB_ CONVK_MM_(sub)
#define CONVK_MUL_ CONVK_MM_(mul)
#define CONVK_DIV_ CONVK_MM_(div)
#define CONVK_ROOT_ CONVK_MM_(sqrt)
#define CONVK_MIN_ CONVK_MM_(min)
#define CONVK_MAX_ CONVK_MM_(max)
#define CONVK_AND_ CONVK_MM_(and)
#define CONVK_OR_ CONVK_MM_(or)
#define CONVK_XOR_ CONVK_MM_(xor)
#define CONVK_IADD_(a, b) CONVK_REAL_(CONVK_INTEGER_(add)(CONVK_INT_(a), CONVK_INT_(b)))
#define CONVK_ISUB_(a, b) CONVK_REAL_(CONVK_INTEGER_(sub)(CONVK_INT_(a), CONVK_INT_(b)))
#define CONVK_SHL_(a, k) CONVK_REAL_(CONVK_INTEGER_(slli)(CONVK_INT_(a), k))
#define CONVK_SHR_(a, k) CONVK_REAL_(CONVK_INTEGER_(srli)(CONVK_INT_(a), k))
#define CONVK_TRANSPOSE_ CONVK_OWN_(transpose)
#define CONVK_UNZIP_ CONVK_OWN_(unzip)
#define CONVK_ZIP_ CONVK_OWN_(zip)
#define CONVK_DPART_ CONVK_OWN_(part)
#define CONVK_JOIN_ CONVK_OWN_(join)
#define CONVK_DZERO_ CONVK_MM_PD_(setzero)()
#define CONVK_DSET_ CONVK_MM_PD_(set1)
#define CONVK_DLOAD_ CONVK_MM_PD_(loadu)
#define CONVK_DSTORE_ CONVK_MM_PD_(storeu)
#define CONVK_DADD_ CONVK_MM_PD_(add)
#define CONVK_DSUB_ CONVK_MM_PD_(sub)
#define CONVK_DMIN_ CONVK_MM_PD_(min)
#define CONVK_DROOT_ CONVK_MM_PD_(sqrt)
#define CONVK_DAND_ CONVK_MM_PD_(and)
#define CONVK_DOR_ CONVK_MM_PD_(or)
#define CONVK_DSHR_(a, k) CONVK_DREAL_(CONVK_DINTEGER_(srli_epi64)(CONVK_DINT_(a), k))
#define CONVK_DMUL_LOW_(a, b) CONVK_DREAL_(CONVK_DINTEGER_(mul_epu32)(CONVK_DINT_(a), CONVK_DINT_(b)))
#define CONVK_ADD_TWO_(p, a, b) \
  _mm_storeu_si128((__m128i *)(void *)(p), _mm_add_epi64(_mm_loadu_si128((const __m128i *)(const void *)(p)), \
                                                         _mm_castpd_si128(_mm_loadh_pd(_mm_load_sd(a), b))))
#if CONVK_FUSES_
#define CONVK_FMA_ CONVK_MM_(fmadd)
#define CONVK_FNMA_ CONVK_MM_(fnmadd)
#define CONVK_FMS_ CONVK_MM_(fmsub)
#define CONVK_DFMA_ CONVK_MM_PD_(fmadd)
#define CONVK_DMUL_ CONVK_DPRODUCT_
#else
#define CONVK_FMA_(a, b, c) CONVK_ADD_(CONVK_MUL_(a, b), c)
#define CONVK_FNMA_(a, b, c) CONVK_SUB_(c, CONVK_MUL_(a, b))
#define CONVK_FMS_(a, b, c) CONVK_SUB_(CONVK_MUL_(a, b), c)
#define CONVK_DFMA_(a, b, c) CONVK_DADD_(CONVK_MM_PD_(mul)(a, b), c)
#define CONVK_DMUL_ CONVK_MM_PD_(mul)
#endif
/* Neighbours by loads, where registers cannot be shifted across their halves. */
#define CONVK_BEFORE_(p, before, v) ((void)(before), CONVK_LOAD_((p)-1))
#define CONVK_AFTER_(p, v, after) ((void)(after), CONVK_LOAD_((p) + 1))
/* Vectors of one row; windows by loads. */
#define CONVK_BESIDE_(p, ld) ((void)(ld), CONVK_LOAD_(p))
#define CONVK_STORE_BESIDE_(p, ld, v) ((void)(ld), CONVK_STORE_(p, v))
#define CONVK_WINDOW_(p, here, next, k) ((void)(here), (void)(next), CONVK_LOAD_((p) + (k)))
