#include "core/licence.h"

#include "device/opencl_manual.h"

#include "rooms/opencl_list.h"
#if !defined CONVK_CL_H_ || defined CONVK_CL_PASS_
#ifndef CONVK_CL_PASS_
#define CONVK_CL_H_
#include "rooms/opencl_names.h"

#ifndef CONVK_HEADER
#define CONVK_HEADER "convk.h"
#endif
#ifndef CONVK_CL_HEADER
#define CONVK_CL_HEADER "convk_cl.h"
#endif
#ifndef CONVK_H_
#include CONVK_HEADER
#else
#include "core/again.h"
#endif
#ifndef CONVK_OLD_C_

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120
#endif
#ifdef __APPLE__
#include <OpenCL/cl.h>
#else
#include <CL/cl.h>
#endif
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

#include "device/opencl_api.h"
#include "device/words_api.h"
#define CONVK_ON_ const convk_cl_queue
#define CONVK_ARRAY_(type) convk_cl_array
#define CONVK_DEVICE_STRUCT_(name) convk_cl_##name
#define CONVK_DEVICE_(name) convk_cl_##name##_
#define CONVK_ARGUMENTS_(name) CONVK_HARDWARE_(name##_arguments)
#define CONVK_ARGUMENT_T_ CONVK_T
#define CONVK_DEFINE_ARGUMENTS_(name) \
  typedef struct CONVK_ARGUMENTS_(name) CONVK_ARGUMENTS_(name); \
  struct CONVK_ARGUMENTS_(name)
#define CONVK_DEVICE_TYPED_(name) CONVK_TYPED_(cl_##name)
#define CONVK_DEVICE_COMPLEX_(name) CONVK_COMPLEX_(cl_##name)
#define CONVK_CL_PASS_ 1 /* types and prototypes */
#define CONVK_TYPE_ f32
#include CONVK_CL_HEADER
#define CONVK_CL_PASS_ 1
#define CONVK_TYPE_ f64
#include CONVK_CL_HEADER
CONVK_API_ convk_modules_ convk_cl_modules_(void);
#undef CONVK_CL_MODULES_
#define CONVK_CL_MODULES_ convk_cl_modules_

#if CONVK_MODE_ == 1 /* declarations only */
#define CONVK_HW_ opencl
#include "core/prototypes.h"
#else
#include "device/opencl_texts.h"
#include "device/opencl_programs.h"
#include "device/opencl_saved.h"
#include "device/opencl_launch.h"
#include "device/host.h"
#include "device/arguments.h"
#include "device/opencl_host.h"
#include "device/bring.h"
#include "device/parts.h"
#include "device/words_opencl.h"
#include "device/frame.h"
#include "device/vectors.h"
#include "rooms/opencl_once.h"
/* ===================================================================================================== both precisions == */

#if CONVK_HAS_F32_
#define CONVK_CL_PASS_ 2 /* calls */
#define CONVK_TYPE_ f32
#include CONVK_CL_HEADER
#endif
#if CONVK_HAS_F64_
#define CONVK_CL_PASS_ 2 /* calls */
#define CONVK_TYPE_ f64
#include CONVK_CL_HEADER
#endif

#include "device/opencl_clock.h"
#include "device/opencl_open.h"
#endif /* declarations only */
#include "device/words_end.h"
#ifdef __cplusplus
}
#endif
#endif /* CONVK_OLD_C_ */

#else
#include "rooms/public_names.h"
#include "rooms/opencl_public_names.h"
#include "core/real.h"
#if CONVK_HAS_TYPE_
#if CONVK_CL_PASS_ == 1
#include "rooms/opencl_api.h"
#else /* calls, once per precision */
#define CONVK_HW_ opencl
#define CONVK_KERNEL_(name) CONVK_HARDWARE_(name)
#include "rooms/opencl_calls.h"
CONVK_COMPILED_ROOMS_(CONVK_ROOM_DEVICE_BINDER_)
#undef CONVK_HW_
#undef CONVK_KERNEL_
#endif
#endif
#undef CONVK_CL_PASS_
#include "rooms/public_names_end.h"
#include "rooms/opencl_public_names_end.h"
#undef CONVK_TYPE_
#undef CONVK_T
#endif
#endif /* CONVK_CL_H_ or a pass */
