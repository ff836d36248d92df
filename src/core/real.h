/* The type of CONVK_TYPE_, where a pass over a precision begins. */
#if CONVK_EITHER_(1, 0)
#define CONVK_T float
#else
#define CONVK_T double
#endif
