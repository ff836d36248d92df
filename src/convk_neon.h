#include "core/licence.h"

/* SPDX-License-Identifier: MIT
   convk_neon.h - the words of NEON on 64-bit ARM for the kernels of convk.h, which has the manual.
   Adds the hardware "neon" to convk_open, and variants by name: convk_<operation>_<type>_neon. */

#ifndef CONVK_NEON_H_
#define CONVK_NEON_H_

#ifndef CONVK_HEADER
#define CONVK_HEADER "convk.h"
#endif
#ifndef CONVK_H_
#include CONVK_HEADER
#else
#include "core/again.h"
#endif

#if CONVK_ARM64_
#ifdef __cplusplus
extern "C" {
#endif
CONVK_API_ convk_modules_ convk_neon_modules_(void);
#if CONVK_MODE_ == 1 /* declarations only */
#define CONVK_HW_ neon
#include "core/prototypes.h"
#else
#if CONVK_HERE_ && !defined CONVK_NO_NEON
#ifdef __cplusplus
}
#endif
#ifdef __clang__ /* which keeps the rules of the place where a function is defined */
CONVK_EXACT_PUSH_
#include <arm_neon.h>
CONVK_EXACT_POP_
#else
#include <arm_neon.h>
#endif
#ifdef __cplusplus
extern "C" {
#endif
#include "words/neon.h"
#endif

#if CONVK_CORE_
#ifndef CONVK_NO_NEON
CONVK_OPENER_(neon)
#endif
CONVK_API_ convk_modules_ convk_neon_modules_(void) {
#ifdef CONVK_NO_NEON
  return convk_no_modules_();
#else
  static const convk_module_ list[] = {{"neon", 0, convk_open_neon_}};
  const convk_modules_ table = {sizeof list / sizeof *list, list};
  return table;
#endif
}
CONVK_OFFER_(neon)
#endif
#endif /* declarations only */
#undef CONVK_NEON_MODULES_
#define CONVK_NEON_MODULES_ convk_neon_modules_

#ifdef __cplusplus
}
#endif
#endif /* CONVK_ARM64_ */
#endif
