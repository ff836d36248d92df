#include "core/licence.h"

#include "core/manual.h"

#include "core/language.h"
#if (!defined CONVK_H_ || defined CONVK_PASS_) && !defined CONVK_OLD_C_

/* The passes over this file.  Without CONVK_PASS_: what is compiled once. */
#define CONVK_PASS_DRIVER_ 1  /* once per precision: argument checks, boundaries, blocking, threads */
#define CONVK_PASS_KERNEL_ 2  /* once per instruction set and precision */
#define CONVK_PASS_ELEMENT_ 3 /* once per precision for a device: what its kernels do to one element */
#define CONVK_PASS_BOTH_ 4    /* once for a device: what elements of both precisions need */
#define CONVK_PASS_PLAN_ 5    /* once: what plans of transforms are made of */

#define CONVK_IS_KERNEL_ (CONVK_PASS_ == CONVK_PASS_KERNEL_)

#ifndef CONVK_PASS_
#define CONVK_H_
#include "rooms/names.h"
#include "core/configuration.h"
#include "core/processors.h"
#include "core/compilers.h"
#include "core/types.h"
#include "rooms/lists.h"
#include "core/operations.h"

/* What a user reads of each room: what does not depend on the precision, then structs and operations of either. */
#include "rooms/types.h"
#include "core/status.h"
#include "tuner/types.h"
#include "rooms/api.h"
#include "core/operation_types.h"
#include "core/handle.h"
#include "tuner/api.h"

#if CONVK_MODE_ == 1 /* declarations only */
#define CONVK_HW_ scalar
#include "core/prototypes.h"
#else
#include "core/caches.h"
#include "core/detect.h"
#include "core/refuse.h"
#include "core/sizes.h"
#include "core/touch.h"
#include "core/open.h"
#include "tuner/choose.h"
#include "tuner/trial.h"
#endif

#else
#include "rooms/public_names.h"
#if defined CONVK_TYPE_ && !defined CONVK_T
#include "core/real.h"
#endif
#endif

#if !defined CONVK_PASS_ && CONVK_MODE_ != 1
#include "core/roots.h"
#include "rooms/shape.h"
#endif

/* What element.h and its like are written in. */
#if !defined CONVK_ELEMENT_ && \
    ((defined CONVK_PASS_ && CONVK_PASS_ >= CONVK_PASS_KERNEL_) || (!defined CONVK_PASS_ && CONVK_MODE_ != 1))
#include "words/element.h"
#endif
#if (defined CONVK_PASS_ && CONVK_PASS_ == CONVK_PASS_BOTH_) || (!defined CONVK_PASS_ && CONVK_MODE_ != 1)
#include "core/axis.h"
#include "rooms/both.h"
#endif
#if !defined CONVK_PASS_ && CONVK_MODE_ != 1
CONVK_EXACT_PUSH_
CONVK_LIGHT_PUSH_
#include "rooms/frame.h"
CONVK_LIGHT_POP_
CONVK_EXACT_POP_
#endif

#if defined CONVK_PASS_ && CONVK_PASS_ == CONVK_PASS_DRIVER_
#define CONVK_CONSTANTS_ 1
#elif defined CONVK_PASS_ && CONVK_PASS_ == CONVK_PASS_ELEMENT_ /* CUDA's kernels need both precisions, compiled or not */
#define CONVK_CONSTANTS_ !CONVK_EITHER_(CONVK_HAS_F32_, CONVK_HAS_F64_)
#else
#define CONVK_CONSTANTS_ 0
#endif
#if CONVK_CONSTANTS_
#include "rooms/constants.h"
#endif
#undef CONVK_CONSTANTS_

#if !defined CONVK_PASS_ && CONVK_MODE_ != 1
#undef CONVK_ELEMENT_
#undef CONVK_ELEMENT_RARE_
#undef CONVK_CONSTANT_
#undef CONVK_KERNEL_
#undef CONVK_TO_BITS_
#undef CONVK_FROM_BITS_

CONVK_EXACT_PUSH_
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
#endif

#if !defined CONVK_PASS_
#ifdef __cplusplus
}
#endif

#elif CONVK_PASS_ == CONVK_PASS_DRIVER_
/* what drivers and devices share of kernels */
#define CONVK_KERNEL_(name) CONVK_PRIVATE_(name)
CONVK_LIGHT_PUSH_
#include "tuner/fill.h"
#include "rooms/driver.h"
CONVK_COMPILED_OPERATIONS_(CONVK_OP_DRIVER_)
CONVK_LIGHT_POP_
#undef CONVK_KERNEL_

#elif CONVK_PASS_ == CONVK_PASS_PLAN_
#include "fft/element.h"

#elif CONVK_PASS_ == CONVK_PASS_KERNEL_ || CONVK_PASS_ == CONVK_PASS_ELEMENT_
#if CONVK_IS_KERNEL_ && CONVK_LANES == 1
#include "words/scalar_functions.h"
#endif
#if CONVK_IS_KERNEL_ && !defined CONVK_TERSE_
#define CONVK_TERSE_ 0
#endif
#include "rooms/kernel.h"
#if CONVK_IS_KERNEL_
#include "core/bind.h"
#endif
#endif

#endif /* CONVK_H_ or a pass */

/* ------------------------------------------------------------------------------------------------- the end of a pass -- */
#ifdef CONVK_PASS_
#include "words/contract.h"
#include "rooms/public_names_end.h"
#undef CONVK_TYPE_
#undef CONVK_T
#undef CONVK_PASS_
#elif !defined CONVK_OLD_C_
#include "core/modules.h"
#endif
