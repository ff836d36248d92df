/* One text for processors and devices, in doubles, of which every operation rounds once. */
#ifdef CONVK_ADD_ /* words of a device, whose products nothing is fused with */
#define CONVK_PLAIN_ CONVK_ELEMENT_
#define CONVK_PLAIN_RARE_ CONVK_ELEMENT_
#define CONVK_PLAIN_CONSTANT_ CONVK_CONSTANT_
#define CONVK_PLAIN_MUL_(a, b) CONVK_MUL_(a, b)
#define CONVK_PLAIN_LESS_EQUAL_(a, b) ((a) <= (b))
#ifdef CONVK_GLOBAL_
#define CONVK_PLAIN_FAR_ global
#define convk_to_bits_(x) as_ulong(x)
#define convk_from_bits_(bits) as_double(bits)
#else
#define CONVK_PLAIN_FAR_
#define convk_to_bits_(x) convk_cuda_bits_(x)
#define convk_from_bits_(bits) convk_cuda_real_((uint64_t)(bits))
#endif
#else
#define CONVK_PLAIN_ CONVK_LOCAL_
#define CONVK_PLAIN_RARE_ CONVK_RARE_
#define CONVK_PLAIN_CONSTANT_ static const
#define CONVK_PLAIN_MUL_(a, b) ((a) * (b))
#define CONVK_PLAIN_LESS_EQUAL_(a, b) CONVK_LESS_EQUAL_(a, b)
#define CONVK_PLAIN_FAR_
#endif
