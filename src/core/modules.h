#include "core/again.h"
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
