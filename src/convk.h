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
#define CONVK_PASS_BEGIN_ 8   /* the names alone, where a pass over another header begins */
#define CONVK_PASS_END_ 9     /* and where it ends */

#define CONVK_IS_KERNEL_ (CONVK_PASS_ == CONVK_PASS_KERNEL_)

/* What is compiled several times has an ordinary name in the rooms, convk_stencil_rows_, and a macro of this name in each
   pass. */
#if defined CONVK_PASS_ && CONVK_PASS_ != CONVK_PASS_END_
#include "core/names.h"
#include "sepconv/names.h"
#include "stencil/names.h"
#include "vmath/names.h"
#include "gaussian/names.h"
#include "formfactor/names.h"
#include "fft/names.h"
#include "pairs/names.h"
#if defined CONVK_TYPE_ && !defined CONVK_T
#if CONVK_EITHER_(1, 0)
#define CONVK_T float
#else
#define CONVK_T double
#endif
#endif
#endif

#if defined CONVK_PASS_ && CONVK_PASS_ < CONVK_PASS_BEGIN_
#if (CONVK_PASS_ == CONVK_PASS_KERNEL_ || CONVK_PASS_ >= CONVK_PASS_BOTH_) && !defined CONVK_ELEMENT_
#include "words/element.h"
#endif
#if (CONVK_PASS_ == CONVK_PASS_KERNEL_ || CONVK_PASS_ == CONVK_PASS_ELEMENT_ || CONVK_PASS_ == CONVK_PASS_PLAN_)
#include "fft/element.h"
#endif
#endif

#ifndef CONVK_PASS_
#define CONVK_H_
#include "core/configuration.h"
#include "core/processors.h"
#include "core/compilers.h"
#include "core/types.h"
#include "core/moved.h"
#include "core/operations.h"
#endif

/* What a user reads of each family: its operations, then the structs that they take. */
#ifndef CONVK_PASS_
#include "filters/api.h"
#include "wavelets/api.h"
#include "sums/api.h"
#include "wavelets/segments_api.h"
#include "hamiltonian/api.h"
#include "sums/chebyshev_api.h"
#include "stencil/api.h"
#include "vmath/api.h"
#include "gaussian/api.h"
#include "formfactor/api.h"
#include "fft/api.h"
#include "pairs/api.h"
#elif CONVK_PASS_ == CONVK_PASS_TYPES_
#include "wavelets/types.h"
#include "filters/types.h"
#include "sums/types.h"
#include "hamiltonian/types.h"
#include "sums/chebyshev_types.h"
#include "stencil/types.h"
#include "vmath/types.h"
#include "gaussian/types.h"
#include "formfactor/types.h"
#include "fft/types.h"
#include "pairs/types.h"
#endif

#ifndef CONVK_PASS_
#include "core/status.h"
#include "tuner/types.h"
/* Types of every family, once per precision: the handle is the same whatever is compiled in. */
#define CONVK_PASS_ CONVK_PASS_TYPES_
#define CONVK_TYPE_ f32
#include CONVK_HEADER
#define CONVK_PASS_ CONVK_PASS_TYPES_
#define CONVK_TYPE_ f64
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
#include "core/refuse.h"
#include "core/sizes.h"
#include "core/touch.h"
#include "core/open.h"
#include "tuner/choose.h"
#include "tuner/trial.h"
#include "filters/shape.h"
#include "wavelets/shape.h"
#include "sums/shape.h"
#include "stencil/shape.h"
#include "gaussian/shape.h"
#include "core/roots.h"
#include "formfactor/shape.h"
#include "formfactor/edges.h"
#include "fft/shape.h"
#include "pairs/shape.h"
#define CONVK_PASS_ CONVK_PASS_BOTH_
#include CONVK_HEADER

CONVK_EXACT_PUSH_
CONVK_LIGHT_PUSH_
#include "formfactor/solids.h"
#include "formfactor/sphere.h"
CONVK_LIGHT_POP_
#if CONVK_HAS_F32_
#define CONVK_PASS_ CONVK_PASS_DRIVER_
#define CONVK_TYPE_ f32
#include CONVK_HEADER
#endif
#if CONVK_HAS_F64_
#define CONVK_PASS_ CONVK_PASS_DRIVER_
#define CONVK_TYPE_ f64
#include CONVK_HEADER
#endif
CONVK_EXACT_POP_

#include "tuner/text.h"
#include "tuner/tune.h"
#include "tuner/devices.h"
#include "tuner/call.h"
#include "words/scalar.h"
#ifdef __cplusplus
}
#endif
#endif /* declarations only */

#elif CONVK_PASS_ == CONVK_PASS_NAMES_
#include "core/prototypes.h"

#elif CONVK_PASS_ == CONVK_PASS_TYPES_
#include "core/operation_types.h"

#elif CONVK_PASS_ == CONVK_PASS_BOTH_
#include "core/axis.h"
#include "elementary/both.h"
#include "grids/both.h"

#elif CONVK_PASS_ == CONVK_PASS_DRIVER_
/* what drivers and devices share of kernels */
#define CONVK_KERNEL_(name) CONVK_PRIVATE_(name)
#define CONVK_BOTH_(name) convk_##name##_
#include "tuner/fill.h"
#include "filters/driver.h"
#include "wavelets/driver.h"
#include "sums/driver.h"
#include "wavelets/segments.h"
#include "hamiltonian/driver.h"
#include "sums/chebyshev.h"
#include "filters/tuner.h"
#include "stencil/driver.h"
#include "stencil/tuner.h"
#include "vmath/driver.h"
CONVK_LIGHT_PUSH_
#include "gaussian/driver.h"
#include "gaussian/orbitals.h"
#include "grids/frame.h"
#include "grids/driver.h"
#include "grids/tiles.h"
#include "cells/driver.h"
#include "grids/calls.h"
#include "gaussian/tuner.h"
#include "formfactor/meshes.h"
#include "formfactor/ready.h"
#include "formfactor/driver.h"
#include "formfactor/many.h"
#include "formfactor/tuner.h"
CONVK_LIGHT_POP_
#include "fft/driver.h"
#include "fft/tiles.h"
#include "fft/tuner.h"
#include "pairs/driver.h"
#include "pairs/tuner.h"
CONVK_COMPILED_OPERATIONS_(CONVK_OP_DRIVER_)
#undef CONVK_KERNEL_
#undef CONVK_BOTH_

#elif CONVK_PASS_ == CONVK_PASS_KERNEL_ || CONVK_PASS_ == CONVK_PASS_ELEMENT_
#if CONVK_IS_KERNEL_ && CONVK_LANES == 1
#include "words/scalar_functions.h"
#endif
#include "wavelets/kernel.h"
#include "filters/kernel.h"
#include "stencil/element.h"
#include "stencil/kernel.h"
#include "elementary/element.h"
#include "vmath/kernel.h"
#include "gaussian/element.h"
#include "grids/kernel.h"
#include "grids/bloch_kernel.h"
#include "cells/kernel.h"
#include "gaussian/kernel.h"
#include "gaussian/point.h"
#include "grids/point.h"
#include "formfactor/element.h"
#include "formfactor/kernel.h"
#include "formfactor/triangle.h"
#include "formfactor/per_q.h"
#include "fft/kernel.h"
#include "pairs/element.h"
#include "pairs/kernel.h"
#if CONVK_IS_KERNEL_
#include "core/bind.h"
#endif

#endif

#endif /* CONVK_H_ or a pass */

/* ------------------------------------------------------------------------------------------------- the end of a pass -- */
#ifdef CONVK_PASS_
#include "words/contract.h"
#if CONVK_PASS_ != CONVK_PASS_BEGIN_
#include "core/names_end.h"
#include "sepconv/names_end.h"
#include "stencil/names_end.h"
#include "vmath/names_end.h"
#include "gaussian/names_end.h"
#include "formfactor/names_end.h"
#include "fft/names_end.h"
#include "pairs/names_end.h"
#undef CONVK_TYPE_
#undef CONVK_T
#endif
#undef CONVK_PASS_
#elif !defined CONVK_OLD_C_
#include "core/modules.h"
#endif
