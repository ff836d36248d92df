#include "device/opencl_manual.h"

#include "device/opencl_list.h"
#if !defined CONVK_CL_H_ || defined CONVK_CL_PASS_
#ifndef CONVK_CL_PASS_
#define CONVK_CL_H_

#ifndef CONVK_HEADER
#define CONVK_HEADER "convk.h"
#endif
#ifndef CONVK_CL_HEADER
#define CONVK_CL_HEADER "convk_cl.h"
#endif
#include CONVK_HEADER
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
#define CONVK_THERE_(name) convk_cl_##name
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
#define CONVK_PASS_ CONVK_PASS_NAMES_
#include CONVK_HEADER
#else
#include "device/opencl_texts.h"
#include "device/opencl_programs.h"
#include "device/opencl_saved.h"
#include "device/opencl_launch.h"
#include "elementary/opencl.h"
#include "device/host.h"
#include "device/arguments.h"
#include "device/opencl_host.h"
#include "device/bring.h"
#include "device/parts.h"
#include "device/words_opencl.h"
#include "filters/opencl.h"
#include "wavelets/opencl.h"
#include "sums/opencl.h"
#include "wavelets/orbital_opencl.h"
#include "stencil/opencl.h"
#include "vmath/opencl.h"
#include "gaussian/opencl.h"
#include "formfactor/opencl.h"
#include "fft/arguments.h"
#include "fft/opencl.h"
#include "pairs/opencl.h"
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

#elif CONVK_CL_PASS_ == 1
#define CONVK_PASS_ CONVK_PASS_BEGIN_
#include CONVK_HEADER
#if CONVK_HAS_TYPE_
#include "filters/opencl_api.h"
#include "filters/device_api.h"
#include "wavelets/device_api.h"
#include "sums/opencl_api.h"
#include "sums/device_api.h"
#include "sums/chebyshev_device_api.h"
#include "wavelets/segments_device_api.h"
#include "hamiltonian/opencl_api.h"
#include "hamiltonian/device_api.h"
#include "stencil/device_api.h"
#include "vmath/device_api.h"
#include "gaussian/device_api.h"
#include "formfactor/device_api.h"
#include "fft/device_api.h"
#include "pairs/device_api.h"
#endif
#undef CONVK_CL_PASS_
#define CONVK_PASS_ CONVK_PASS_END_
#include CONVK_HEADER

#else /* calls, once per precision */

#define CONVK_PASS_ CONVK_PASS_BEGIN_
#include CONVK_HEADER
#define CONVK_HW_ opencl
#define CONVK_KERNEL_(name) CONVK_HARDWARE_(name)
#if CONVK_HAS_TYPE_

#include "filters/arguments.h"
#include "sums/arguments.h"
#include "wavelets/orbital_arguments.h"
#include "filters/device.h"
#include "wavelets/arguments.h"
#include "wavelets/device.h"
#include "filters/host.h"
#include "sums/device.h"
#include "wavelets/segments_device.h"
#include "hamiltonian/device.h"
#include "sums/chebyshev_device.h"
#include "filters/opencl_calls.h"
#include "wavelets/opencl_calls.h"
#include "sums/opencl_calls.h"
#include "wavelets/segments_opencl_calls.h"
#include "hamiltonian/opencl_calls.h"
#include "stencil/arguments.h"
#include "stencil/device.h"
#include "stencil/opencl_calls.h"
#include "vmath/opencl_calls.h"
#include "vmath/device.h"
#include "gaussian/arguments.h"
#include "gaussian/opencl_calls.h"
#include "grids/device.h"
#include "gaussian/device.h"
#include "formfactor/device.h"
#include "fft/device.h"
#include "pairs/opencl_calls.h"
#include "pairs/device.h"
CONVK_COMPILED_FAMILIES_(CONVK_FAMILY_DEVICE_BINDER_)

#endif
#undef CONVK_HW_
#undef CONVK_KERNEL_
#undef CONVK_CL_PASS_
#define CONVK_PASS_ CONVK_PASS_END_
#include CONVK_HEADER
#endif
#endif /* CONVK_CL_H_ or a pass */
