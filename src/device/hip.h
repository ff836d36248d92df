/* CUDA's runtime by the names of HIP, from here to device/hip_end.h: a program's own macros of these names come back there. */
#include <hip/hip_runtime.h>
#pragma push_macro("CUDARTAPI")
#undef CUDARTAPI
#define CUDARTAPI
#pragma push_macro("cudaDevAttrComputeCapabilityMajor")
#undef cudaDevAttrComputeCapabilityMajor
#define cudaDevAttrComputeCapabilityMajor hipDeviceAttributeComputeCapabilityMajor
#pragma push_macro("cudaDevAttrMaxSharedMemoryPerBlockOptin")
#undef cudaDevAttrMaxSharedMemoryPerBlockOptin
#define cudaDevAttrMaxSharedMemoryPerBlockOptin hipDeviceAttributeMaxSharedMemoryPerBlock
#pragma push_macro("cudaDevAttrMultiProcessorCount")
#undef cudaDevAttrMultiProcessorCount
#define cudaDevAttrMultiProcessorCount hipDeviceAttributeMultiprocessorCount
#pragma push_macro("cudaDeviceGetAttribute")
#undef cudaDeviceGetAttribute
#define cudaDeviceGetAttribute hipDeviceGetAttribute
#pragma push_macro("cudaErrorInsufficientDriver")
#undef cudaErrorInsufficientDriver
#define cudaErrorInsufficientDriver hipErrorInsufficientDriver
#pragma push_macro("cudaErrorInvalidDevice")
#undef cudaErrorInvalidDevice
#define cudaErrorInvalidDevice hipErrorInvalidDevice
#pragma push_macro("cudaErrorMemoryAllocation")
#undef cudaErrorMemoryAllocation
#define cudaErrorMemoryAllocation hipErrorOutOfMemory
#pragma push_macro("cudaErrorNoDevice")
#undef cudaErrorNoDevice
#define cudaErrorNoDevice hipErrorNoDevice
#pragma push_macro("cudaErrorNotReady")
#undef cudaErrorNotReady
#define cudaErrorNotReady hipErrorNotReady
#pragma push_macro("cudaError_t")
#undef cudaError_t
#define cudaError_t hipError_t
#pragma push_macro("cudaEventCreateWithFlags")
#undef cudaEventCreateWithFlags
#define cudaEventCreateWithFlags hipEventCreateWithFlags
#pragma push_macro("cudaEventDestroy")
#undef cudaEventDestroy
#define cudaEventDestroy hipEventDestroy
#pragma push_macro("cudaEventElapsedTime")
#undef cudaEventElapsedTime
#define cudaEventElapsedTime hipEventElapsedTime
#pragma push_macro("cudaEventSynchronize")
#undef cudaEventSynchronize
#define cudaEventSynchronize hipEventSynchronize
#pragma push_macro("cudaDeviceProp")
#undef cudaDeviceProp
#define cudaDeviceProp hipDeviceProp_t
#pragma push_macro("cudaGetDeviceProperties")
#undef cudaGetDeviceProperties
#define cudaGetDeviceProperties hipGetDeviceProperties
#pragma push_macro("cudaEventDisableTiming")
#undef cudaEventDisableTiming
#define cudaEventDisableTiming hipEventDisableTiming
#pragma push_macro("cudaEventRecord")
#undef cudaEventRecord
#define cudaEventRecord hipEventRecord
#pragma push_macro("cudaEvent_t")
#undef cudaEvent_t
#define cudaEvent_t hipEvent_t
#pragma push_macro("cudaFree")
#undef cudaFree
#define cudaFree hipFree
#pragma push_macro("cudaFuncAttributeMaxDynamicSharedMemorySize")
#undef cudaFuncAttributeMaxDynamicSharedMemorySize
#define cudaFuncAttributeMaxDynamicSharedMemorySize hipFuncAttributeMaxDynamicSharedMemorySize
#pragma push_macro("cudaFuncAttributes")
#undef cudaFuncAttributes
#define cudaFuncAttributes hipFuncAttributes
#pragma push_macro("cudaFuncGetAttributes")
#undef cudaFuncGetAttributes
#define cudaFuncGetAttributes hipFuncGetAttributes
#pragma push_macro("cudaFuncSetAttribute")
#undef cudaFuncSetAttribute
#define cudaFuncSetAttribute hipFuncSetAttribute
#pragma push_macro("cudaGetDevice")
#undef cudaGetDevice
#define cudaGetDevice hipGetDevice
#pragma push_macro("cudaGetDeviceCount")
#undef cudaGetDeviceCount
#define cudaGetDeviceCount hipGetDeviceCount
#pragma push_macro("cudaGetErrorString")
#undef cudaGetErrorString
#define cudaGetErrorString hipGetErrorString
#pragma push_macro("cudaGetLastError")
#undef cudaGetLastError
#define cudaGetLastError hipGetLastError
#pragma push_macro("cudaLaunchKernel")
#undef cudaLaunchKernel
#define cudaLaunchKernel hipLaunchKernel
#pragma push_macro("cudaMalloc")
#undef cudaMalloc
#define cudaMalloc hipMalloc
#pragma push_macro("cudaMemGetInfo")
#undef cudaMemGetInfo
#define cudaMemGetInfo hipMemGetInfo
#pragma push_macro("cudaMemcpy")
#undef cudaMemcpy
#define cudaMemcpy hipMemcpy
#pragma push_macro("cudaMemcpy2DAsync")
#undef cudaMemcpy2DAsync
#define cudaMemcpy2DAsync hipMemcpy2DAsync
#pragma push_macro("cudaMemcpy3DAsync")
#undef cudaMemcpy3DAsync
#define cudaMemcpy3DAsync hipMemcpy3DAsync
#pragma push_macro("cudaMemcpy3DParms")
#undef cudaMemcpy3DParms
#define cudaMemcpy3DParms hipMemcpy3DParms
#pragma push_macro("cudaMemcpyAsync")
#undef cudaMemcpyAsync
#define cudaMemcpyAsync hipMemcpyAsync
#pragma push_macro("cudaMemcpyDeviceToDevice")
#undef cudaMemcpyDeviceToDevice
#define cudaMemcpyDeviceToDevice hipMemcpyDeviceToDevice
#pragma push_macro("cudaMemcpyDeviceToHost")
#undef cudaMemcpyDeviceToHost
#define cudaMemcpyDeviceToHost hipMemcpyDeviceToHost
#pragma push_macro("cudaMemcpyHostToDevice")
#undef cudaMemcpyHostToDevice
#define cudaMemcpyHostToDevice hipMemcpyHostToDevice
#pragma push_macro("cudaMemcpyKind")
#undef cudaMemcpyKind
#define cudaMemcpyKind hipMemcpyKind
#pragma push_macro("cudaPeekAtLastError")
#undef cudaPeekAtLastError
#define cudaPeekAtLastError hipPeekAtLastError
#pragma push_macro("cudaPitchedPtr")
#undef cudaPitchedPtr
#define cudaPitchedPtr hipPitchedPtr
#pragma push_macro("cudaSetDevice")
#undef cudaSetDevice
#define cudaSetDevice hipSetDevice
#pragma push_macro("cudaStreamCreateWithFlags")
#undef cudaStreamCreateWithFlags
#define cudaStreamCreateWithFlags hipStreamCreateWithFlags
#pragma push_macro("cudaStreamDestroy")
#undef cudaStreamDestroy
#define cudaStreamDestroy hipStreamDestroy
#pragma push_macro("cudaStreamNonBlocking")
#undef cudaStreamNonBlocking
#define cudaStreamNonBlocking hipStreamNonBlocking
#pragma push_macro("cudaStreamSynchronize")
#undef cudaStreamSynchronize
#define cudaStreamSynchronize hipStreamSynchronize
#pragma push_macro("cudaStreamWaitEvent")
#undef cudaStreamWaitEvent
#define cudaStreamWaitEvent hipStreamWaitEvent
#pragma push_macro("cudaStream_t")
#undef cudaStream_t
#define cudaStream_t hipStream_t
#pragma push_macro("cudaSuccess")
#undef cudaSuccess
#define cudaSuccess hipSuccess
#pragma push_macro("make_cudaExtent")
#undef make_cudaExtent
#define make_cudaExtent make_hipExtent
#pragma push_macro("make_cudaPitchedPtr")
#undef make_cudaPitchedPtr
#define make_cudaPitchedPtr make_hipPitchedPtr

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
