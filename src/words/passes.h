/* The kernels of all families in the words that were defined last: a pass for each precision. */
#if CONVK_HAS_F32_
#define CONVK_PASS_ CONVK_PASS_KERNEL_
#define CONVK_TYPE_ f32
#if CONVK_HAS_F64_
#define CONVK_MORE_
#endif
#include CONVK_HEADER
#endif
#if CONVK_HAS_F64_
#define CONVK_PASS_ CONVK_PASS_KERNEL_
#define CONVK_TYPE_ f64
#include CONVK_HEADER
#endif
