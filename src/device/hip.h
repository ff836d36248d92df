/* CUDA's runtime by the names of HIP, until the end of convk_cuda.h, where a program's own macros of these names come back. */
#include <hip/hip_runtime.h>
#include "rooms/hip_names.h"

/* What HIP has in another form.  Its contexts are marked as deprecated, and are the devices that hipSetDevice chooses. */
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
static inline int convk_hip_device_(int *device, int ordinal) { return (int)hipDeviceGet(device, ordinal); }
static inline int convk_hip_retain_(void **context, int device) {
  return (int)hipDevicePrimaryCtxRetain((hipCtx_t *)context, device);
}
static inline int convk_hip_release_(int device) { return (int)hipDevicePrimaryCtxRelease(device); }
static inline int convk_hip_push_(void *context) { return (int)hipCtxPushCurrent((hipCtx_t)context); }
static inline int convk_hip_pop_(void **context) { return (int)hipCtxPopCurrent((hipCtx_t *)context); }
#pragma clang diagnostic pop
