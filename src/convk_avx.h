#include "core/licence.h"

/* SPDX-License-Identifier: MIT
   convk_avx.h - the words of AVX, of AVX2 with FMA, and of AVX-512 (F, DQ, BW, VL) for the kernels of convk.h, which has the
   manual.  Adds the hardware "avx2" and "avx512" to convk_open, with CONVK_AVX_WITHOUT_AVX2 "avx", too, and variants by name:
   convk_<operation>_<type>_avx, _avx2, _avx512. */

#ifndef CONVK_AVX_H_
#define CONVK_AVX_H_

#ifndef CONVK_HEADER
#define CONVK_HEADER "convk.h"
#endif
#ifndef CONVK_H_
#include CONVK_HEADER
#else
#include "core/again.h"
#endif

#if CONVK_X86_
#if defined CONVK_AVX_WITHOUT_AVX2 && defined CONVK_NO_AVX
#undef CONVK_AVX_WITHOUT_AVX2
#endif
#if CONVK_MODE_ != 1 && CONVK_HERE_
#if defined __clang__ && defined __FAST_MATH__ && defined __IMMINTRIN_H
#error "convk: with clang and -ffast-math include convk_avx.h before <immintrin.h>, whose functions would reorder its sums"
#endif
#ifdef __clang__ /* which keeps the rules of the place where a function is defined */
CONVK_EXACT_PUSH_
#include <immintrin.h>
CONVK_EXACT_POP_
#else
#include <immintrin.h>
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif
CONVK_API_ convk_modules_ convk_avx_modules_(void);
#if CONVK_MODE_ == 1 /* declarations only */
#ifdef CONVK_AVX_WITHOUT_AVX2
#define CONVK_HW_ avx
#include "core/prototypes.h"
#endif
#ifndef CONVK_NO_AVX2
#define CONVK_HW_ avx2
#include "core/prototypes.h"
#endif
#ifndef CONVK_NO_AVX512
#define CONVK_HW_ avx512
#include "core/prototypes.h"
#endif
#else
#if defined __GNUC__ && !defined __clang__
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized" /* gcc 12 says it of its own intrinsics */
#pragma GCC diagnostic ignored "-Wuninitialized"
#endif

/* gcc for Windows aligns the stack to 16 bytes alone, and yet may move vectors of 32 and 64 bytes to it by instructions that
   fault at such addresses (GCC bug 54412; Debian's is mended).  The assembler makes of them those that take any address: they
   are as fast where the address is aligned. */
#if (defined _WIN32 || defined __CYGWIN__) && defined __x86_64__ && defined __GNUC__ && !defined __clang__
#define CONVK_MOVE_(aligned, any) ".macro " aligned " operands:vararg\n\t" any " \\operands\n\t.endm\n\t"
__asm__(".ifndef .Lconvk_moves\n\t.set .Lconvk_moves, 1\n\t" /* once, where -flto makes one text of many units */
        CONVK_MOVE_("vmovaps", "vmovups") CONVK_MOVE_("vmovapd", "vmovupd") CONVK_MOVE_("vmovdqa", "vmovdqu")
            CONVK_MOVE_("vmovdqa32", "vmovdqu32") CONVK_MOVE_("vmovdqa64", "vmovdqu64") ".endif");
#undef CONVK_MOVE_
#endif

/* Whether AVX2 and AVX-512 fuse. */
#ifdef CONVK_STRICT
#define CONVK_FUSED_CLASS_ 0
#else
#define CONVK_FUSED_CLASS_ 1
#endif

#if CONVK_HERE_
#include "words/avx_functions.h"
#ifdef CONVK_AVX_WITHOUT_AVX2
#include "words/avx.h"
#endif
#ifndef CONVK_NO_AVX2
#include "words/avx2.h"
#endif
#ifndef CONVK_NO_AVX512
#include "words/avx512.h"
#endif
#endif

#if CONVK_CORE_
#ifdef CONVK_AVX_WITHOUT_AVX2
CONVK_OPENER_(avx)
#endif
#ifndef CONVK_NO_AVX2
CONVK_OPENER_(avx2)
#endif
#ifndef CONVK_NO_AVX512
CONVK_OPENER_(avx512)
#endif
CONVK_API_ convk_modules_ convk_avx_modules_(void) {
  static const convk_module_ list[] = {
#ifdef CONVK_AVX_WITHOUT_AVX2
      {"avx", CONVK_CPU_AVX_, convk_open_avx_},
#endif
#ifndef CONVK_NO_AVX2
      {"avx2", CONVK_CPU_AVX2_, convk_open_avx2_},
#endif
#ifndef CONVK_NO_AVX512
      {"avx512", CONVK_CPU_AVX512_, convk_open_avx512_},
#endif
      {NULL, 0, NULL}};
  const convk_modules_ table = {sizeof list / sizeof *list - 1, list};
  return table;
}
CONVK_OFFER_(avx)
#endif
#if defined __GNUC__ && !defined __clang__
#pragma GCC diagnostic pop
#endif
#endif /* declarations only */
#undef CONVK_AVX_MODULES_
#define CONVK_AVX_MODULES_ convk_avx_modules_

#ifdef __cplusplus
}
#endif
#endif /* CONVK_X86_ */
#endif
