/* A second include in another mode would get what the first one said. */
#if (defined CONVK_DECLARE) != (CONVK_MODE_ == 1) || (defined CONVK_IMPLEMENT) != (CONVK_MODE_ == 2)
#error "convk.h was included before in this unit, in another mode: define CONVK_DECLARE or CONVK_IMPLEMENT before the first one"
#endif
#if (defined CONVK_ONLY_CORE || defined CONVK_ONLY_FAMILIES) != CONVK_SEPARATE_ || defined CONVK_ONLY_FAMILIES == CONVK_CORE_
#error "convk.h was included before for other parts: define CONVK_ONLY_CORE or CONVK_ONLY_FAMILIES before the first include"
#endif
/* Modules by define, at the end of an ordinary include; CONVK_SIMD: those of the processor. */
#if defined CONVK_SIMD && CONVK_X86_
#ifndef CONVK_SSE
#define CONVK_SSE
#endif
#ifndef CONVK_AVX
#define CONVK_AVX
#endif
#elif defined CONVK_SIMD && CONVK_ARM64_ && !defined CONVK_NEON
#define CONVK_NEON
#endif
#if defined CONVK_SSE && !defined CONVK_SSE_H_
#include "convk_sse.h"
#endif
#if defined CONVK_AVX && !defined CONVK_AVX_H_
#include "convk_avx.h"
#endif
#if defined CONVK_NEON && !defined CONVK_NEON_H_
#include "convk_neon.h"
#endif
#if defined CONVK_CL && !defined CONVK_CL_H_
#include "convk_cl.h"
#endif
#if defined CONVK_CUDA && !defined CONVK_CUDA_H_
#include "convk_cuda.h"
#endif
