#include "core/licence.h"

/* SPDX-License-Identifier: MIT
   convk_sse.h - the words of SSE2 for the kernels of convk.h, which has the manual.
   Adds the hardware "sse2" to convk_open, and variants by name: convk_<operation>_<type>_sse2. */

#ifndef CONVK_SSE_H_
#define CONVK_SSE_H_

#ifndef CONVK_HEADER
#define CONVK_HEADER "convk.h"
#endif
#ifndef CONVK_H_
#include CONVK_HEADER
#else
#include "core/again.h"
#endif

#if CONVK_X86_
#ifdef __cplusplus
extern "C" {
#endif
CONVK_API_ convk_modules_ convk_sse_modules_(void);
#if CONVK_MODE_ == 1 /* declarations only */
#define CONVK_HW_ sse2
#include "core/prototypes.h"
#else
#if CONVK_HERE_ && !defined CONVK_NO_SSE2
#ifdef __cplusplus
}
#endif
#if defined __clang__ && defined __FAST_MATH__ && defined __EMMINTRIN_H && !defined CONVK_AVX_H_
#error "convk: with clang and -ffast-math include convk_sse.h before <emmintrin.h>, whose functions would reorder its sums"
#endif
#ifdef __clang__ /* which keeps the rules of the place where a function is defined */
CONVK_EXACT_PUSH_
#include <emmintrin.h>
CONVK_EXACT_POP_
#else
#include <emmintrin.h>
#endif
#ifdef __cplusplus
extern "C" {
#endif
#include "words/sse2.h"
#endif

#if CONVK_CORE_
#ifndef CONVK_NO_SSE2
CONVK_OPENER_(sse2)
#endif
CONVK_API_ convk_modules_ convk_sse_modules_(void) {
#ifdef CONVK_NO_SSE2
  return convk_no_modules_();
#else
  static const convk_module_ list[] = {{"sse2", CONVK_CPU_SSE2_, convk_open_sse2_}};
  const convk_modules_ table = {sizeof list / sizeof *list, list};
  return table;
#endif
}
CONVK_OFFER_(sse)
#endif
#endif /* declarations only */
#undef CONVK_SSE_MODULES_
#define CONVK_SSE_MODULES_ convk_sse_modules_

#ifdef __cplusplus
}
#endif
#endif /* CONVK_X86_ */
#endif
