/* Functions of element.h are called behind their passes, too, from templates: the words for that, until cuda_numbers_end.h. */
#define CONVK_MUL_(a, b) convk_cuda_mul_(a, b)
#define CONVK_FMA_(a, b, c) convk_cuda_fma_(a, b, c)
#define CONVK_KERNEL_(name) convk_cuda_##name##_
