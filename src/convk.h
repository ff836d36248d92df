#include "core/manual.h"

#include "core/list.h"

#include "core/language.h"
#if (!defined CONVK_H_ || defined CONVK_PASS_) && !defined CONVK_OLD_C_

/* The passes over this file.  Without CONVK_PASS_: what is compiled once. */
#define CONVK_PASS_TYPES_ 1   /* once per precision: structs and function types */
#define CONVK_PASS_DRIVER_ 2  /* once per precision: argument checks, boundaries, blocking, threads */
#define CONVK_PASS_KERNEL_ 3  /* once per instruction set and precision */
#define CONVK_PASS_ELEMENT_ 4 /* once per precision for a device: what its kernels do to one element */
#define CONVK_PASS_NAMES_ 5   /* once per hardware: prototypes of its functions */
#define CONVK_PASS_BOTH_ 6    /* once for processors, once for a device: what elements of both precisions need */
#define CONVK_PASS_PLAN_ 7    /* once: what plans of transforms are made of */

#if defined CONVK_PASS_
#if (CONVK_PASS_ == CONVK_PASS_KERNEL_ || CONVK_PASS_ >= CONVK_PASS_BOTH_) && !defined CONVK_ELEMENT_
#include "words/element.h"
#endif
#if CONVK_HAS_FFT_ && (CONVK_PASS_ == CONVK_PASS_KERNEL_ || CONVK_PASS_ == CONVK_PASS_ELEMENT_ || CONVK_PASS_ == CONVK_PASS_PLAN_)
#include "fft/element.h"
#endif
#endif

#ifndef CONVK_PASS_
#define CONVK_H_
#include "core/configuration.h"
#include "core/compilers.h"
#include "core/types.h"
#include "core/operations.h"
#endif

/* What a user reads of each family: its operations, then the structs that they take. */
#ifndef CONVK_PASS_
#include "sepconv/api.h"
#elif CONVK_PASS_ == CONVK_PASS_TYPES_
#include "sepconv/types.h"
#endif
#ifndef CONVK_PASS_
#include "stencil/api.h"
#elif CONVK_PASS_ == CONVK_PASS_TYPES_
#include "stencil/types.h"
#endif
#ifndef CONVK_PASS_
#include "vmath/api.h"
#elif CONVK_PASS_ == CONVK_PASS_TYPES_
#include "vmath/types.h"
#endif
#ifndef CONVK_PASS_
#include "gaussian/api.h"
#elif CONVK_PASS_ == CONVK_PASS_TYPES_
#include "gaussian/types.h"
#endif
#ifndef CONVK_PASS_
#include "formfactor/api.h"
#elif CONVK_PASS_ == CONVK_PASS_TYPES_
#include "formfactor/types.h"
#endif
#ifndef CONVK_PASS_
#include "fft/api.h"
#elif CONVK_PASS_ == CONVK_PASS_TYPES_
#include "fft/types.h"
#endif
#ifndef CONVK_PASS_
#include "pairs/api.h"
#elif CONVK_PASS_ == CONVK_PASS_TYPES_
#include "pairs/types.h"
#endif

#ifndef CONVK_PASS_
#include "core/status.h"
#include "tuner/types.h"
/* Types of every family, once per precision: the handle is the same whatever is compiled in. */
#define CONVK_PASS_ CONVK_PASS_TYPES_
#define CONVK_TYPE_ f32
#define CONVK_T float
#include CONVK_HEADER
#define CONVK_PASS_ CONVK_PASS_TYPES_
#define CONVK_TYPE_ f64
#define CONVK_T double
#include CONVK_HEADER

#include "core/handle.h"
#include "tuner/api.h"
#if CONVK_MODE_ == 1 /* declarations only */
#define CONVK_HW_ scalar
#define CONVK_PASS_ CONVK_PASS_NAMES_
#include CONVK_HEADER
#ifdef __cplusplus
}
#endif
#else
#include "core/caches.h"
#include "core/detect.h"
#include "core/sizes.h"
#include "core/refuse.h"
#include "core/open.h"
#include "tuner/choose.h"
#include "tuner/trial.h"
#if CONVK_HAS_SEPCONV_
#include "sepconv/shape.h"
#endif
#if CONVK_HAS_STENCIL_
#include "stencil/shape.h"
#endif
#if CONVK_HAS_GAUSSIAN_
#include "gaussian/shells.h"
#endif
#if CONVK_HAS_FORMFACTOR_ || CONVK_HAS_FFT_
#include "core/roots.h"
#endif
#if CONVK_HAS_FORMFACTOR_
#include "formfactor/shape.h"
#include "formfactor/edges.h"
#endif
#if CONVK_HAS_FFT_
#include "fft/plan.h"
#endif
#if CONVK_HAS_VMC_
#include "pairs/sums.h"
#endif
#define CONVK_PASS_ CONVK_PASS_BOTH_
#include CONVK_HEADER

CONVK_EXACT_PUSH_
#if CONVK_HAS_FORMFACTOR_
CONVK_LIGHT_PUSH_
#include "formfactor/solids.h"
#include "formfactor/sphere.h"
CONVK_LIGHT_POP_
#endif
#if CONVK_HAS_F32_
#define CONVK_PASS_ CONVK_PASS_DRIVER_
#define CONVK_TYPE_ f32
#define CONVK_T float
#include CONVK_HEADER
#endif
#if CONVK_HAS_F64_
#define CONVK_PASS_ CONVK_PASS_DRIVER_
#define CONVK_TYPE_ f64
#define CONVK_T double
#include CONVK_HEADER
#endif
CONVK_EXACT_POP_

#include "tuner/text.h"
#include "tuner/tune.h"
#include "words/scalar.h"
#ifdef __cplusplus
}
#endif
#endif /* declarations only */

#elif CONVK_PASS_ == CONVK_PASS_NAMES_
#include "core/names.h"

#elif CONVK_PASS_ == CONVK_PASS_TYPES_
#include "core/operation_types.h"

#elif CONVK_PASS_ == CONVK_PASS_BOTH_
#if CONVK_HAS_SEPCONV_
#include "core/axis.h"
#endif
#if CONVK_HAS_VMATH_ || CONVK_HAS_GAUSSIAN_ || CONVK_HAS_FORMFACTOR_ || CONVK_HAS_VMC_
#include "vmath/far.h"
#endif

#elif CONVK_PASS_ == CONVK_PASS_DRIVER_
#include "tuner/fill.h"
#if CONVK_HAS_SEPCONV_
#include "sepconv/driver.h"
#include "sepconv/tuner.h"
#endif
#if CONVK_HAS_STENCIL_
#include "stencil/driver.h"
#include "stencil/tuner.h"
#endif
#if CONVK_HAS_VMATH_
#include "vmath/driver.h"
#endif
CONVK_LIGHT_PUSH_
#if CONVK_HAS_GAUSSIAN_
#include "gaussian/driver.h"
#include "gaussian/tuner.h"
#endif
#if CONVK_HAS_FORMFACTOR_
#include "formfactor/meshes.h"
#include "formfactor/ready.h"
#include "formfactor/driver.h"
#include "formfactor/many.h"
#include "formfactor/tuner.h"
#endif
CONVK_LIGHT_POP_
#if CONVK_HAS_FFT_
#include "fft/driver.h"
#include "fft/tiles.h"
#include "fft/tuner.h"
#endif
#if CONVK_HAS_VMC_
#include "pairs/driver.h"
#include "pairs/tuner.h"
#endif
CONVK_COMPILED_OPERATIONS_(CONVK_OP_DRIVER_)

#elif CONVK_PASS_ == CONVK_PASS_KERNEL_ || CONVK_PASS_ == CONVK_PASS_ELEMENT_
#define CONVK_IS_KERNEL_ (CONVK_PASS_ == CONVK_PASS_KERNEL_)
#if CONVK_IS_KERNEL_ && CONVK_LANES == 1
#include "words/scalar_functions.h"
#endif
#if CONVK_IS_KERNEL_ && CONVK_HAS_SEPCONV_
#include "sepconv/kernel.h"
#endif
#if CONVK_HAS_STENCIL_
#include "stencil/element.h"
#endif
#if CONVK_IS_KERNEL_ && CONVK_HAS_STENCIL_
#include "stencil/kernel.h"
#endif
#if CONVK_HAS_VMATH_ || CONVK_HAS_GAUSSIAN_ || CONVK_HAS_FORMFACTOR_ || CONVK_HAS_VMC_
#include "vmath/element.h"
#endif
#if CONVK_IS_KERNEL_ && CONVK_HAS_VMATH_
#include "vmath/kernel.h"
#endif
#if CONVK_HAS_GAUSSIAN_
#include "gaussian/element.h"
#endif
#if CONVK_IS_KERNEL_ && CONVK_HAS_GAUSSIAN_
#include "gaussian/kernel.h"
#elif CONVK_HAS_GAUSSIAN_
#include "gaussian/point.h"
#endif
#if CONVK_HAS_FORMFACTOR_
#include "formfactor/element.h"
#endif
#if CONVK_IS_KERNEL_ && CONVK_HAS_FORMFACTOR_
#include "formfactor/kernel.h"
#elif CONVK_HAS_FORMFACTOR_
#include "formfactor/triangle.h"
#include "formfactor/numbers.h"
#endif
#if CONVK_IS_KERNEL_ && CONVK_HAS_FFT_
#include "fft/kernel.h"
#endif
#if CONVK_HAS_VMC_
#include "pairs/element.h"
#endif
#if CONVK_IS_KERNEL_ && CONVK_HAS_VMC_
#include "pairs/kernel.h"
#endif
#if CONVK_IS_KERNEL_
#include "core/bind.h"
#endif
#undef CONVK_IS_KERNEL_

#endif

#endif /* CONVK_H_ or a pass */

/* ------------------------------------------------------------------------------------------------- the end of a pass -- */
#ifdef CONVK_PASS_
#include "words/contract.h"
#undef CONVK_PASS_
#undef CONVK_TYPE_
#undef CONVK_T
#elif !defined CONVK_OLD_C_
#include "core/modules.h"
#endif
