// Runs CUDA C++ kernels on the CPU, for tests on machines without a GPU.
//
// Include this header in place of the CUDA headers, in one translation unit,
// and start kernels with convk_emulated_launch() instead of <<<>>>. A program
// built with nvcc needs nothing from here.
//
// How it works
//   Each CUDA thread of a block is a fiber; the blocks of a grid run one after
//   another, and everything on a stream is done before the call that asked for
//   it returns. A thread runs until it waits or returns, so a data race shows
//   as a result that depends on the order of the threads: compare the orders of
//   convk_emulator_order() under the schedules of convk_emulator_schedule(),
//   or name both in the environment, for a program as it is:
//     CONVK_EMULATOR_SCHEDULE=greedy,reversed  (see convk_emulator_name())
//   Programs that see each access (cuda_counts.h) can also stop a thread
//   between any two of them, and find races themselves (cuda_races.h).
//   Copies by cp.async are done as late as they may be, when the thread waits
//   for them; until then their destination holds 0xff bytes.
//
// What is checked
//   - the limits of a launch: cudaErrorInvalidConfiguration;
//   - barriers not reached by the whole block, or reached at different lines:
//     a message and a sticky cudaErrorLaunchFailure;
//   - writes just outside an allocation (at cudaFree) or outside the dynamic
//     shared memory (after each block): a message and a sticky
//     cudaErrorIllegalAddress. Built with -fsanitize=address, any access there
//     stops the program at the spot;
//   - copies: the device side must lie inside one cudaMalloc, the host side
//     must not be device memory: cudaErrorInvalidValue;
//   - two devices, alike, each with memory, streams and events of its own: an
//     address of the other one's memory among the arguments of a kernel is a
//     message and a sticky cudaErrorIllegalAddress, a stream or an event of it
//     a cudaErrorInvalidResourceHandle;
//   - contexts of the driver: each thread has a stack of them; the runtime makes
//     the primary context of a device when a call needs one, and a stream is
//     of the context in which it was made;
//   - calls that a stream which captures does not allow (allocation, waiting,
//     work on the default stream, copies that wait) fail, and the capture with
//     them. A graph keeps kernels and their arguments, copies and memsets of
//     one stream, in their order.
//   Fresh allocations and the dynamic shared memory of each block are filled
//   with 0xff bytes: NaN as a float or double, -1 as an int.
//
// Limits
//   - `extern __shared__` does not exist: use convk_emulated_dynamic_shared().
//   - A `__shared__` variable is a function-local static: write no `static`
//     with it, and `alignas` before it (`__align__` may follow). Clang without
//     AddressSanitizer refills these before each block too. GCC cannot put
//     variables of templates and of plain functions in one section, so there
//     they keep the last block's contents; under AddressSanitizer they stay
//     ordinary globals so as to have red zones.
//     Their size is not counted against the shared memory limit.
//   - Host code that dereferences device memory is not detected, and
//     __launch_bounds__ is not enforced.
//   - A lane that shuffles from an exited lane, or one outside the mask, gets
//     0xff bytes, where CUDA leaves the value undefined.
//   - After a divergent barrier the waiting threads are dropped, and the
//     destructors of their local objects do not run.
//   - Calls of several host threads follow one another.
//   - Build with -ffp-contract=off wherever the target has a fused
//     multiply-add: plain expressions in kernels are contracted otherwise. The
//     __fmul_rn family is never contracted.

#ifndef CONVK_CUDA_EMULATOR_H
#define CONVK_CUDA_EMULATOR_H

#define CONVK_CUDA_EMULATOR 1

#include <math.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#if defined(__SANITIZE_ADDRESS__)
#define CONVK_EMULATOR_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define CONVK_EMULATOR_ASAN 1
#endif
#endif
#ifndef CONVK_EMULATOR_ASAN
#define CONVK_EMULATOR_ASAN 0
#endif

// Declared here because not every compiler package ships sanitizer/*.h.
#if CONVK_EMULATOR_ASAN
extern "C" {
void __asan_poison_memory_region(void const volatile* address, size_t size);
void __asan_unpoison_memory_region(void const volatile* address, size_t size);
void __sanitizer_start_switch_fiber(void** fake_stack_save,
                                    const void* bottom, size_t size);
void __sanitizer_finish_switch_fiber(void* fake_stack_save,
                                     const void** bottom_old,
                                     size_t* size_old);
}
#endif

// swapcontext() asks the system for its mask of signals each time, which takes
// longer than what a thread does between two warp operations.
#if defined(__x86_64__) && defined(__ELF__) && !CONVK_EMULATOR_ASAN && \
    !defined(__CET__)
#define CONVK_EMULATOR_OWN_SWITCH 1
// Keeps what a function must preserve on the stack that it leaves, and its
// address in *from; takes the same from the other stack.
extern "C" void convk_emulator_switch(void** from, void* to);
__asm__(
    ".pushsection .text.convk_emulator_switch,\"ax\",@progbits\n"
    ".weak convk_emulator_switch\n"
    ".type convk_emulator_switch,@function\n"
    "convk_emulator_switch:\n"
    "  pushq %rbx\n"
    "  pushq %rbp\n"
    "  pushq %r12\n"
    "  pushq %r13\n"
    "  pushq %r14\n"
    "  pushq %r15\n"
    "  movq %rsp, (%rdi)\n"
    "  movq %rsi, %rsp\n"
    "  popq %r15\n"
    "  popq %r14\n"
    "  popq %r13\n"
    "  popq %r12\n"
    "  popq %rbp\n"
    "  popq %rbx\n"
    "  retq\n"
    ".size convk_emulator_switch, .-convk_emulator_switch\n"
    ".popsection\n");
#else
#define CONVK_EMULATOR_OWN_SWITCH 0
#endif

#if defined(__clang__) && defined(__ELF__) && !CONVK_EMULATOR_ASAN
#define CONVK_EMULATOR_SHARED_SECTION 1
extern "C" {
// Made by the linker from the name of the section; absent if it is empty.
extern char __start_convk_shared[] __attribute__((weak));
extern char __stop_convk_shared[] __attribute__((weak));
}
#else
#define CONVK_EMULATOR_SHARED_SECTION 0
#endif

// ---------------------------------------------------------------------------
// Words of the language

#define __global__
#define __device__
#define __host__
#define __constant__
#define __grid_constant__
#ifdef __OPTIMIZE__
#define __forceinline__ inline __attribute__((always_inline))
#else  // without optimisation, calls take the compiler a sixth of the time
#define __forceinline__ inline
#endif
#define __launch_bounds__(...)
#define __align__(n) __attribute__((aligned(n)))
#if CONVK_EMULATOR_SHARED_SECTION
#define __shared__ static __attribute__((section("convk_shared")))
#else
#define __shared__ static
#endif

static const int warpSize = 32;

// ---------------------------------------------------------------------------
// Vector types

// A vector is copied by one access, as on devices: by the compiler's own
// vectors, which it does not take apart. So an address that is no multiple of
// 16 bytes stops the program, and programs that count see one access.
#if defined __GNUC__ || defined __clang__
#define CONVK_EMULATOR_WHOLE(scalar, count) \
  typedef scalar Whole                      \
      __attribute__((vector_size(count * sizeof(scalar)), may_alias));
#define CONVK_EMULATOR_COPIES2(scalar, name)                     \
  CONVK_EMULATOR_WHOLE(scalar, 2)                                \
  name() = default;                                              \
  name(scalar vx, scalar vy) : x(vx), y(vy) {}                   \
  name(const name& v) {                                          \
    const Whole whole = *reinterpret_cast<const Whole*>(&v);     \
    x = whole[0], y = whole[1];                                  \
  }                                                              \
  name& operator=(const name& v) {                               \
    const Whole whole = *reinterpret_cast<const Whole*>(&v);     \
    *reinterpret_cast<Whole*>(this) = whole;                     \
    return *this;                                                \
  }
#define CONVK_EMULATOR_COPIES4(scalar, name)                     \
  CONVK_EMULATOR_WHOLE(scalar, 4)                                \
  name() = default;                                              \
  name(scalar vx, scalar vy, scalar vz, scalar vw)               \
      : x(vx), y(vy), z(vz), w(vw) {}                            \
  name(const name& v) {                                          \
    const Whole whole = *reinterpret_cast<const Whole*>(&v);     \
    x = whole[0], y = whole[1], z = whole[2], w = whole[3];      \
  }                                                              \
  name& operator=(const name& v) {                               \
    const Whole whole = *reinterpret_cast<const Whole*>(&v);     \
    *reinterpret_cast<Whole*>(this) = whole;                     \
    return *this;                                                \
  }
#else
#define CONVK_EMULATOR_COPIES2(scalar, name)
#define CONVK_EMULATOR_COPIES4(scalar, name)
#endif
#define CONVK_EMULATOR_VECTOR2(scalar, name, alignment)       \
  struct alignas(alignment) name {                            \
    scalar x, y;                                              \
    CONVK_EMULATOR_COPIES2(scalar, name)                      \
  };                                                          \
  inline name make_##name(scalar x, scalar y) {               \
    name v = {x, y};                                          \
    return v;                                                 \
  }
#define CONVK_EMULATOR_VECTOR3(scalar, name)                  \
  struct name {                                               \
    scalar x, y, z;                                           \
  };                                                          \
  inline name make_##name(scalar x, scalar y, scalar z) {     \
    name v = {x, y, z};                                       \
    return v;                                                 \
  }
#define CONVK_EMULATOR_VECTOR4(scalar, name)                            \
  struct alignas(16) name {                                             \
    scalar x, y, z, w;                                                  \
    CONVK_EMULATOR_COPIES4(scalar, name)                                \
  };                                                                    \
  inline name make_##name(scalar x, scalar y, scalar z, scalar w) {     \
    name v = {x, y, z, w};                                              \
    return v;                                                           \
  }

CONVK_EMULATOR_VECTOR2(int, int2, 8)
CONVK_EMULATOR_VECTOR2(unsigned, uint2, 8)
CONVK_EMULATOR_VECTOR2(float, float2, 8)
CONVK_EMULATOR_VECTOR2(double, double2, 16)
CONVK_EMULATOR_VECTOR3(int, int3)
CONVK_EMULATOR_VECTOR3(unsigned, uint3)
CONVK_EMULATOR_VECTOR3(float, float3)
CONVK_EMULATOR_VECTOR4(int, int4)
CONVK_EMULATOR_VECTOR4(unsigned, uint4)
CONVK_EMULATOR_VECTOR4(float, float4)

#undef CONVK_EMULATOR_VECTOR2
#undef CONVK_EMULATOR_VECTOR3
#undef CONVK_EMULATOR_VECTOR4

struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned vx = 1, unsigned vy = 1, unsigned vz = 1)
      : x(vx), y(vy), z(vz) {}
  constexpr dim3(const uint3& v) : x(v.x), y(v.y), z(v.z) {}
};

// ---------------------------------------------------------------------------
// Types of the runtime API (the values are CUDA's)

enum cudaError {
  cudaSuccess = 0,
  cudaErrorInvalidValue = 1,
  cudaErrorMemoryAllocation = 2,
  cudaErrorInvalidConfiguration = 9,
  cudaErrorInvalidPitchValue = 12,
  cudaErrorInvalidSymbol = 13,
  cudaErrorInvalidMemcpyDirection = 21,
  cudaErrorInsufficientDriver = 35,
  cudaErrorInvalidDeviceFunction = 98,
  cudaErrorNoDevice = 100,
  cudaErrorInvalidDevice = 101,
  cudaErrorDeviceUninitialized = 201,
  cudaErrorNoKernelImageForDevice = 209,
  cudaErrorInvalidResourceHandle = 400,
  cudaErrorSymbolNotFound = 500,
  cudaErrorNotReady = 600,
  cudaErrorIllegalAddress = 700,
  cudaErrorLaunchOutOfResources = 701,
  cudaErrorLaunchFailure = 719,
  cudaErrorNotSupported = 801,
  cudaErrorStreamCaptureUnsupported = 900,
  cudaErrorStreamCaptureInvalidated = 901,
  cudaErrorStreamCaptureImplicit = 906,
  cudaErrorIllegalState = 401,
  cudaErrorUnknown = 999
};
typedef enum cudaError cudaError_t;

enum cudaMemcpyKind {
  cudaMemcpyHostToHost = 0,
  cudaMemcpyHostToDevice = 1,
  cudaMemcpyDeviceToHost = 2,
  cudaMemcpyDeviceToDevice = 3,
  cudaMemcpyDefault = 4
};

enum cudaDeviceAttr {
  cudaDevAttrMaxThreadsPerBlock = 1,
  cudaDevAttrMaxBlockDimX = 2,
  cudaDevAttrMaxBlockDimY = 3,
  cudaDevAttrMaxBlockDimZ = 4,
  cudaDevAttrMaxGridDimX = 5,
  cudaDevAttrMaxGridDimY = 6,
  cudaDevAttrMaxGridDimZ = 7,
  cudaDevAttrMaxSharedMemoryPerBlock = 8,
  cudaDevAttrTotalConstantMemory = 9,
  cudaDevAttrWarpSize = 10,
  cudaDevAttrMaxRegistersPerBlock = 12,
  cudaDevAttrClockRate = 13,
  cudaDevAttrMultiProcessorCount = 16,
  cudaDevAttrConcurrentKernels = 31,
  cudaDevAttrMemoryClockRate = 36,
  cudaDevAttrGlobalMemoryBusWidth = 37,
  cudaDevAttrL2CacheSize = 38,
  cudaDevAttrMaxThreadsPerMultiProcessor = 39,
  cudaDevAttrAsyncEngineCount = 40,
  cudaDevAttrUnifiedAddressing = 41,
  cudaDevAttrComputeCapabilityMajor = 75,
  cudaDevAttrComputeCapabilityMinor = 76,
  cudaDevAttrMaxSharedMemoryPerMultiprocessor = 81,
  cudaDevAttrMaxRegistersPerMultiprocessor = 82,
  cudaDevAttrCooperativeLaunch = 95,
  cudaDevAttrMaxSharedMemoryPerBlockOptin = 97,
  cudaDevAttrMaxBlocksPerMultiprocessor = 106,
  cudaDevAttrReservedSharedMemoryPerBlock = 111
};

enum cudaFuncAttribute {
  cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
  cudaFuncAttributePreferredSharedMemoryCarveout = 9
};

struct cudaFuncAttributes {
  size_t sharedSizeBytes;
  int maxDynamicSharedSizeBytes;
};

struct cudaDeviceProp {
  char name[256];
  size_t totalGlobalMem;
  size_t sharedMemPerBlock;
  size_t sharedMemPerBlockOptin;
  size_t sharedMemPerMultiprocessor;
  size_t reservedSharedMemPerBlock;
  size_t totalConstMem;
  int regsPerBlock;
  int regsPerMultiprocessor;
  int warpSize;
  int maxThreadsPerBlock;
  int maxThreadsPerMultiProcessor;
  int maxBlocksPerMultiProcessor;
  int maxThreadsDim[3];
  int maxGridSize[3];
  int major;
  int minor;
  int multiProcessorCount;
  int l2CacheSize;
  int memoryBusWidth;
  int concurrentKernels;
  int asyncEngineCount;
  int unifiedAddressing;
  int integrated;
};

struct cudaPitchedPtr {
  void* ptr;
  size_t pitch;
  size_t xsize;
  size_t ysize;
};
struct cudaExtent {
  size_t width;
  size_t height;
  size_t depth;
};
struct cudaPos {
  size_t x;
  size_t y;
  size_t z;
};
struct cudaMemcpy3DParms {
  cudaPos srcPos;
  cudaPitchedPtr srcPtr;
  cudaPos dstPos;
  cudaPitchedPtr dstPtr;
  cudaExtent extent;
  cudaMemcpyKind kind;
};

// A context of the driver: the primary one of a device, which the runtime
// makes when it needs it, or one of cuCtxCreate.
struct CUctx_st {
  int device;
  bool primary;
  bool active;   // of a primary one: it exists
  int retained;  // of a primary one: by cuDevicePrimaryCtxRetain
};
typedef CUctx_st* CUcontext;
typedef int CUdevice;
enum CUresult {
  CUDA_SUCCESS = 0,
  CUDA_ERROR_INVALID_VALUE = 1,
  CUDA_ERROR_INVALID_DEVICE = 101,
  CUDA_ERROR_INVALID_CONTEXT = 201
};

struct CUgraph_st {
  int device;
  std::vector<std::function<void()>> nodes;
};
// What a stream still has to do: work, or to wait for an event, or to say
// that it has come to it, as it was asked for the `turn`th time.
struct CUevent_st;
struct convk_emulated_item {
  std::function<cudaError_t()> work;
  CUevent_st* waits;
  CUevent_st* records;
  uint64_t turn;
};
struct CUstream_st {
  std::deque<convk_emulated_item> later;  // see STREAMS
  unsigned flags;
  int device;
  CUcontext context;
  std::unique_ptr<CUgraph_st> capture;  // while the stream captures
  bool invalid;                         // the capture has failed
  int mode;                             // of the capture
  const void* thread;                   // that began it
};
struct CUevent_st {
  uint64_t asked, done;  // turns
  int device;
  bool recorded;
  std::chrono::steady_clock::time_point time;
};
typedef CUstream_st* cudaStream_t;
typedef CUevent_st* cudaEvent_t;
typedef CUgraph_st* cudaGraph_t;
struct CUgraphExec_st {
  CUgraph_st graph;
};
typedef CUgraphExec_st* cudaGraphExec_t;

enum cudaStreamCaptureMode {
  cudaStreamCaptureModeGlobal = 0,
  cudaStreamCaptureModeThreadLocal = 1,
  cudaStreamCaptureModeRelaxed = 2
};
enum cudaStreamCaptureStatus {
  cudaStreamCaptureStatusNone = 0,
  cudaStreamCaptureStatusActive = 1,
  cudaStreamCaptureStatusInvalidated = 2
};

#define cudaStreamDefault 0x00u
#define cudaStreamNonBlocking 0x01u
#define cudaStreamLegacy (reinterpret_cast<cudaStream_t>(0x1))
#define cudaStreamPerThread (reinterpret_cast<cudaStream_t>(0x2))
#define cudaEventDefault 0x00u
#define cudaEventBlockingSync 0x01u
#define cudaEventDisableTiming 0x02u
#define cudaHostAllocDefault 0x00u
#define cudaEnableDefault 0x00u
#define CUDARTAPI
#ifndef CUDART_VERSION  // which decides how the driver's calls are asked for
#define CUDART_VERSION 13000
#endif
enum cudaDriverEntryPointQueryResult {
  cudaDriverEntryPointSuccess = 0,
  cudaDriverEntryPointSymbolNotFound = 1
};

// ---------------------------------------------------------------------------
// Inside of the emulator

// In programs that count what kernels do (cuda_counts.h): places to tell of, and
// functions of which nothing is counted.
#ifdef CONVK_EMULATOR_COUNTS
#include "cuda_accesses.h"
#define CONVK_EMULATOR_COUNT(what) convk_counting::what
#define CONVK_EMULATOR_UNCOUNTED \
  __attribute__((noinline, no_sanitize("thread", "coverage")))
#else
#define CONVK_EMULATOR_COUNT(what) static_cast<void>(0)
#define CONVK_EMULATOR_UNCOUNTED
#endif

// The emulator's own accesses are nothing to tell.
#ifdef CONVK_EMULATOR_COUNTS
#pragma clang attribute push( \
    __attribute__((no_sanitize("thread", "coverage"))), apply_to = function)
#endif

namespace convk_emulator {

const size_t kGuardBytes = 4096;
const unsigned char kGuardByte = 0xdb;
const unsigned char kFillByte = 0xff;
const size_t kAlignment = 256;
const size_t kSharedBytes = size_t(48) * 1024;
const size_t kSharedBytesOptIn = size_t(227) * 1024;
const unsigned kMaxThreads = 1024;
const unsigned kMaxBlockDim[3] = {1024, 1024, 64};
const unsigned kMaxGridDim[3] = {2147483647u, 65535, 65535};
const unsigned kWarp = 32;
const int kDevices = 2;
// Without optimisation, and with red zones, frames are several times larger.
const size_t kStackBytes = size_t(256) * 1024;
const size_t kStackGuardBytes = size_t(64) * 1024;

inline void poison(const void* address, size_t size) {
#if CONVK_EMULATOR_ASAN
  __asan_poison_memory_region(address, size);
#else
  (void)address, (void)size;
#endif
}

inline void unpoison(const void* address, size_t size) {
#if CONVK_EMULATOR_ASAN
  __asan_unpoison_memory_region(address, size);
#else
  (void)address, (void)size;
#endif
}

// Memory of an exact size between two guard zones.
class GuardedMemory {
 public:
  explicit GuardedMemory(size_t capacity)
      : raw_(static_cast<unsigned char*>(
            std::malloc(capacity + 2 * kGuardBytes + kAlignment))),
        data_(nullptr),
        size_(0),
        capacity_(capacity) {
    if (raw_ == nullptr) return;
    const uintptr_t first = reinterpret_cast<uintptr_t>(raw_) + kGuardBytes;
    data_ = raw_ + kGuardBytes + (kAlignment - first % kAlignment) % kAlignment;
    resize(capacity);
  }
  GuardedMemory(const GuardedMemory&) = delete;
  GuardedMemory& operator=(const GuardedMemory&) = delete;
  ~GuardedMemory() {
    if (raw_ == nullptr) return;
    unpoison(data_ - kGuardBytes, capacity_ + 2 * kGuardBytes);
    std::free(raw_);
  }

  unsigned char* data() const { return data_; }
  size_t size() const { return size_; }

  // Moves the end (within the capacity) and writes the guard zones anew.
  void resize(size_t size) {
    unpoison(data_ - kGuardBytes, capacity_ + 2 * kGuardBytes);
    size_ = size;
    std::memset(data_ - kGuardBytes, kGuardByte, kGuardBytes);
    std::memset(data_ + size_, kGuardByte, kGuardBytes);
    poison(data_ - kGuardBytes, kGuardBytes);
    poison(data_ + size_, capacity_ - size_ + kGuardBytes);
  }

  void fill() { std::memset(data_, kFillByte, size_); }

  // Offset from data() of the first damaged guard byte; false if none is.
  bool damaged(ptrdiff_t* where) {
    unpoison(data_ - kGuardBytes, kGuardBytes);
    unpoison(data_ + size_, kGuardBytes);
    const bool found = search(-ptrdiff_t(kGuardBytes), where) ||
                       search(ptrdiff_t(size_), where);
    poison(data_ - kGuardBytes, kGuardBytes);
    poison(data_ + size_, kGuardBytes);
    return found;
  }

 private:
  bool search(ptrdiff_t begin, ptrdiff_t* where) const {
    for (ptrdiff_t i = begin; i < begin + ptrdiff_t(kGuardBytes); ++i) {
      if (data_[i] != kGuardByte) {
        *where = i;
        return true;
      }
    }
    return false;
  }

  unsigned char* raw_;
  unsigned char* data_;
  size_t size_;
  size_t capacity_;
};

struct Allocation {
  std::unique_ptr<GuardedMemory> memory;
  bool on_device;
  int device;
};

struct Fiber {
  ucontext_t context;
  void* stack_pointer;  // where convk_emulator_switch left it
  const void* stack_bottom;
  size_t stack_size;
  void* fake_stack;  // AddressSanitizer's, while the fiber is switched out
  bool idle;
};

enum State { kReady, kAtBarrier, kAtWarp, kExited };

// What the lanes of a warp do together; the value decides who matches whom.
enum WarpOperation {
  kWarpBarrier = 0,
  kWarpVote = 1,
  kWarpMultiply = 2,
  kWarpShuffle = 16
};

struct Thread {
  uint3 index;
  State state;
  Fiber* fiber;  // null until the thread has started
  unsigned mask;
  int operation;
  unsigned source;
  unsigned char value[8];
  unsigned char result[8];
  double given[6];  // to the matrix unit
};

// A copy to shared memory that a thread has asked for and not yet waited for.
struct AsyncCopy {
  unsigned thread;
  void* to;
  const void* from;
  size_t bytes;
};

struct Warp {
  unsigned live;
  unsigned waiting;
};

struct Index {
  uint3 thread;
  uint3 block;
  dim3 block_dim;
  dim3 grid_dim;
};

inline Index& index() {
  static Index value = {{0, 0, 0}, {0, 0, 0}, dim3(), dim3()};
  return value;
}

// A model of when copies and kernels of streams begin and end, in seconds:
// see TIMELINE.
struct Timeline {
  bool on, pinned;
  double host;    // now, of the host thread
  double thread;  // of a kernel's thread
  std::map<cudaStream_t, double> ready;
  std::map<cudaEvent_t, double> at;
  double engine[3], busy[3];  // copies in, work, copies out
};

struct Engine {
  std::recursive_mutex mutex;
  Timeline timeline = Timeline();
  int processors = 2;  // of a device

  // Errors
  cudaError_t sticky_error = cudaSuccess;
  unsigned reports = 0;

  // Memory and handles
  std::map<uintptr_t, Allocation> allocations;
  size_t device_bytes[kDevices] = {0, 0};
  size_t device_limit = size_t(1) << 31;
  std::set<cudaStream_t> streams_there;
  std::set<cudaEvent_t> events;
  std::set<cudaGraph_t> graphs;
  std::set<cudaGraphExec_t> executables;
  std::map<const void*, size_t> dynamic_shared_limit[kDevices];
  std::unique_ptr<GuardedMemory> dynamic_shared;

  // Order of the threads
  int order = 0;
  int schedule = 0;
  unsigned preempt = 0;  // one access of so many gives way; 0: none
  unsigned seed = 1;
  bool chosen = false;  // by the environment: tests do not choose
  uint64_t streams = 0;  // 0: streams run what they get at once; see STREAMS
  std::string removed_file;  // what orders threads there is left out
  int removed_line = 0;
  size_t shared_opt_in = kSharedBytesOptIn;  // CONVK_EMULATOR_SHARED=BYTES
  size_t static_shared = 1184;  // form_grid_ has most, of those with dynamic
  uint64_t random = 1;

  // The block that runs
  bool running = false;
  bool failed = false;
  bool starting = false;  // the first thread of the queue has no fiber yet
  const std::function<void()>* body = nullptr;
  std::vector<Thread> threads;
  std::vector<Warp> warps;
  std::vector<unsigned> ready;
  size_t next = 0;
  std::vector<unsigned> starved;  // ready, but of the warp that must wait
  unsigned starved_warp = 0;
  std::vector<AsyncCopy> copies;
  unsigned exited = 0;
  unsigned waiting = 0;
  const char* barrier_file = nullptr;
  int barrier_line = 0;
  unsigned current = 0;

  // Fibers; `host` stands for the stack that started the kernel
  Fiber host = Fiber();
  std::vector<std::unique_ptr<Fiber>> fibers;
  std::vector<Fiber*> idle;
  Fiber* switch_from = nullptr;
  Fiber* switch_to = nullptr;
};

// Never destroyed: device memory may be freed by destructors of statics.
inline void read_schedule(Engine& e);
CONVK_EMULATOR_UNCOUNTED inline Engine* new_engine() {
  Engine* const e = new Engine;
  read_schedule(*e);
  return e;
}
CONVK_EMULATOR_UNCOUNTED inline Engine& engine() {
  static Engine& value = *new_engine();
  return value;
}

// What every host thread has of its own.
inline cudaError_t& last_error() {
  static thread_local cudaError_t value = cudaSuccess;
  return value;
}
inline int& current_device() {
  static thread_local int value = 0;
  return value;
}

// One host thread at a time is inside of the emulator.
class Lock {
 public:
  Lock() { engine().mutex.lock(); }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;
  ~Lock() { engine().mutex.unlock(); }
};

__attribute__((format(printf, 1, 2))) inline void report(const char* format,
                                                         ...) {
  ++engine().reports;
  va_list arguments;
  va_start(arguments, format);
  std::fputs("cuda emulator: ", stderr);
  std::vfprintf(stderr, format, arguments);
  std::fputc('\n', stderr);
  va_end(arguments);
}

// Notes an error of a call, which cudaGetLastError() hands out once.
inline cudaError_t note(cudaError_t error) {
  const Lock lock;
  Engine& e = engine();
  if (e.sticky_error != cudaSuccess) return e.sticky_error;
  if (error != cudaSuccess) last_error() = error;
  return error;
}

// As on a device, every later call fails until cudaDeviceReset().
inline cudaError_t note_sticky(cudaError_t error) {
  Engine& e = engine();
  if (e.sticky_error == cudaSuccess) e.sticky_error = error;
  return e.sticky_error;
}

inline uint64_t random_number(Engine& e) {
  e.random = e.random * 6364136223846793005u + 1442695040888963407u;
  return e.random >> 33;
}

// Applies the chosen order to a part of the queue.
inline void apply_order(Engine& e, size_t begin, size_t end) {
  if (e.order == 1) {
    for (size_t i = begin, j = end; i + 1 < j; ++i) {
      --j;
      std::swap(e.ready[i], e.ready[j]);
    }
  } else if (e.order == 2) {
    for (size_t i = end; i > begin + 1; --i) {
      const size_t j = begin + size_t(random_number(e) % (i - begin));
      std::swap(e.ready[i - 1], e.ready[j]);
    }
  }
}

// --- Fibers

inline void finish_switch(Engine& e, void* fake_stack) {
#if CONVK_EMULATOR_ASAN
  Fiber& from = *e.switch_from;
  __sanitizer_finish_switch_fiber(fake_stack, &from.stack_bottom,
                                  &from.stack_size);
#else
  (void)e, (void)fake_stack;
#endif
}

inline void switch_fiber(Engine& e, Fiber& from, Fiber& to) {
  e.switch_from = &from;
  e.switch_to = &to;
#if CONVK_EMULATOR_OWN_SWITCH
  convk_emulator_switch(&from.stack_pointer, to.stack_pointer);
#else
#if CONVK_EMULATOR_ASAN
  __sanitizer_start_switch_fiber(&from.fake_stack, to.stack_bottom,
                                 to.stack_size);
#endif
  if (swapcontext(&from.context, &to.context) != 0) std::abort();
#endif
  finish_switch(e, from.fake_stack);
}

inline void fiber_main();

inline void prepare_fiber(Fiber& fiber) {
  unpoison(fiber.stack_bottom, fiber.stack_size);
#if CONVK_EMULATOR_OWN_SWITCH
  // What convk_emulator_switch takes from a stack: six registers and the
  // address to go on at, which finds the stack as after a call.
  uintptr_t* top = reinterpret_cast<uintptr_t*>(
      const_cast<char*>(static_cast<const char*>(fiber.stack_bottom)) +
      fiber.stack_size);
  *--top = 0;
  *--top = reinterpret_cast<uintptr_t>(&fiber_main);
  for (int i = 0; i < 6; ++i) *--top = 0;
  fiber.stack_pointer = top;
  fiber.fake_stack = nullptr;
  return;
#endif
  if (getcontext(&fiber.context) != 0) std::abort();
  fiber.context.uc_stack.ss_sp = const_cast<void*>(fiber.stack_bottom);
  fiber.context.uc_stack.ss_size = fiber.stack_size;
  fiber.context.uc_link = nullptr;
  fiber.fake_stack = nullptr;
  makecontext(&fiber.context, fiber_main, 0);
#if CONVK_EMULATOR_ASAN
  // Its swapcontext() wipes the red zones of a stack whose size it can see.
  fiber.context.uc_stack.ss_size = 0;
#endif
}

inline Fiber* take_fiber(Engine& e) {
  if (e.idle.empty()) {
    // An overflowing stack runs into the inaccessible pages below it.
    void* const base =
        mmap(nullptr, kStackGuardBytes + kStackBytes, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (base == MAP_FAILED || mprotect(base, kStackGuardBytes, PROT_NONE) != 0) {
      std::fputs("cuda emulator: no memory for a fiber\n", stderr);
      std::abort();
    }
    std::unique_ptr<Fiber> fiber(new Fiber());
    fiber->stack_bottom = static_cast<char*>(base) + kStackGuardBytes;
    fiber->stack_size = kStackBytes;
    fiber->idle = true;
    prepare_fiber(*fiber);
    e.idle.push_back(fiber.get());
    e.fibers.push_back(std::move(fiber));
  }
  Fiber* const fiber = e.idle.back();
  e.idle.pop_back();
  fiber->idle = false;
  return fiber;
}

// --- Threads of a block

enum Schedule { kLazy, kGreedy, kStarved, kRandom };

// Puts a thread back that was taken and shall be the next one.
inline void put_back(Engine& e, unsigned thread) {
  if (e.next == 0) {
    e.ready.insert(e.ready.begin(), thread);
  } else {
    e.ready[--e.next] = thread;
  }
}

inline bool next_ready(Engine& e, unsigned* thread) {
  if (e.next == e.ready.size()) {
    if (e.starved.empty()) return false;
    e.ready.swap(e.starved);
    e.starved.clear();
    e.next = 0;
  }
  if (e.schedule == kRandom) {
    const size_t left = e.ready.size() - e.next;
    std::swap(e.ready[e.next],
              e.ready[e.next + size_t(random_number(e) % left)]);
  }
  *thread = e.ready[e.next++];
  return true;
}

inline void set_current(Engine& e, unsigned thread) {
  e.current = thread;
  CONVK_EMULATOR_COUNT(current = thread);
  index().thread = e.threads[thread].index;
}

inline void report_divergence(Engine& e) {
  unsigned at_warp = 0;
  int first[4] = {-1, -1, -1, -1};  // by state
  for (size_t i = 0; i < e.threads.size(); ++i) {
    const State state = e.threads[i].state;
    if (state == kAtWarp) ++at_warp;
    if (first[state] < 0) first[state] = int(i);
  }
  const uint3 block = index().block;
  report("divergent barrier in block (%u,%u,%u) of %u threads", block.x,
         block.y, block.z, unsigned(e.threads.size()));
  if (e.waiting > 0) {
    std::fprintf(stderr, "  %u wait at __syncthreads, %s:%d (thread %d first)\n",
                 e.waiting, e.barrier_file, e.barrier_line, first[kAtBarrier]);
  }
  if (at_warp > 0) {
    std::fprintf(stderr,
                 "  %u wait in a warp operation (thread %d first, mask %#x)\n",
                 at_warp, first[kAtWarp],
                 e.threads[size_t(first[kAtWarp])].mask);
  }
  if (e.exited > 0) {
    std::fprintf(stderr, "  %u have returned (thread %d first)\n", e.exited,
                 first[kExited]);
  }
}

// Gives the block up; the fibers of its threads are never resumed.
inline void fail_block(Engine& e) {
  e.failed = true;
  switch_fiber(e, *e.threads[e.current].fiber, e.host);
  std::abort();
}

// Runs other threads until the current one is ready again.
inline void wait_until_ready(Engine& e) {
  const unsigned self = e.current;
  unsigned thread = 0;
  if (!next_ready(e, &thread)) {
    report_divergence(e);
    fail_block(e);
  }
  if (thread == self) return;
  Fiber* to = e.threads[thread].fiber;
  if (to == nullptr) {
    put_back(e, thread);
    e.starting = true;  // the fiber takes the thread from the queue itself
    to = take_fiber(e);
  }
  switch_fiber(e, *e.threads[self].fiber, *to);
  set_current(e, self);
}

// Lets threads go on: one after another behind those that can already, before
// them under the greedy schedule.
inline void release(Engine& e, unsigned first, unsigned count, unsigned mask) {
  if (e.next == e.ready.size() || e.next > 65536) {
    e.ready.erase(e.ready.begin(), e.ready.begin() + ptrdiff_t(e.next));
    e.next = 0;
  }
  size_t begin = e.ready.size();
  for (unsigned i = 0; i < count; ++i) {
    if ((mask >> (i % kWarp) & 1u) == 0) continue;
    e.threads[first + i].state = kReady;
    if (e.schedule == kStarved && (first + i) / kWarp == e.starved_warp) {
      e.starved.push_back(first + i);
    } else {
      e.ready.push_back(first + i);
    }
  }
  const size_t released = e.ready.size() - begin;
  apply_order(e, begin, begin + released);
  if (e.schedule != kGreedy || begin == e.next) return;
  std::rotate(e.ready.begin() + ptrdiff_t(e.next),
              e.ready.begin() + ptrdiff_t(begin), e.ready.end());
}

inline void complete_warp_operation(Engine& e, unsigned warp, unsigned group) {
  Thread* const lanes = &e.threads[warp * kWarp];
  unsigned votes = 0;
  for (unsigned i = 0; i < kWarp; ++i) {
    if ((group >> i & 1u) != 0 && lanes[i].value[0] != 0) votes |= 1u << i;
  }
  unsigned count = 0;
  for (unsigned i = 0; i < kWarp; ++i) {
    if ((group >> i & 1u) == 0) continue;
    count = i + 1;
    if (lanes[i].operation == kWarpVote) {
      std::memcpy(lanes[i].result, &votes, sizeof votes);
    } else if (lanes[i].source < kWarp && (group >> lanes[i].source & 1u) != 0) {
      std::memcpy(lanes[i].result, lanes[lanes[i].source].value, 8);
    } else {
      std::memset(lanes[i].result, kFillByte, 8);
    }
  }
  CONVK_EMULATOR_COUNT(
      order(warp, group, lanes[count - 1].operation == kWarpBarrier));
  if (group == e.warps[warp].live) {
    CONVK_EMULATOR_COUNT(meet(warp, group));
  }
  e.warps[warp].waiting &= ~group;
  release(e, warp * kWarp, count, group);
}

// Completes the operations of a warp for which every live lane of the mask has
// arrived; called when a lane arrives or exits.
inline void try_warp_operations(Engine& e, unsigned warp) {
  const Thread* const lanes = &e.threads[warp * kWarp];
  const Warp state = e.warps[warp];
  unsigned left = state.waiting;
  for (unsigned i = 0; i < kWarp; ++i) {
    if ((left >> i & 1u) == 0) continue;
    const unsigned group = lanes[i].mask & state.live;
    bool complete = (group & ~left) == 0;
    for (unsigned j = 0; complete && j < kWarp; ++j) {
      if ((group >> j & 1u) == 0) continue;
      complete = lanes[j].mask == lanes[i].mask &&
                 lanes[j].operation == lanes[i].operation;
    }
    if (!complete) continue;
    complete_warp_operation(e, warp, group);
    left &= ~group;
  }
}

// The start of every fiber: takes threads from the queue and runs them, parks
// when the next one already has a fiber. Fibers outlive blocks and launches.
inline void fiber_main() {
  Engine& e = engine();
  finish_switch(e, nullptr);
  Fiber& self = *e.switch_to;
  for (;;) {
    unsigned thread = 0;
    bool any = true;
    if (e.starting) {
      thread = e.ready[e.next++];
      e.starting = false;
    } else {
      any = next_ready(e, &thread);
    }
    if (any && e.threads[thread].fiber == nullptr) {
      e.threads[thread].fiber = &self;
      set_current(e, thread);
      CONVK_EMULATOR_COUNT(inside = false);
      (*e.body)();
      CONVK_EMULATOR_COUNT(inside = true);
      e.threads[thread].state = kExited;
      ++e.exited;
      e.warps[thread / kWarp].live &= ~(1u << thread % kWarp);
      if (e.warps[thread / kWarp].waiting != 0) {
        try_warp_operations(e, thread / kWarp);
      }
      continue;
    }
    self.idle = true;
    e.idle.push_back(&self);
    if (any) {
      switch_fiber(e, self, *e.threads[thread].fiber);
      continue;
    }
    if (e.exited != e.threads.size()) {
      report_divergence(e);
      e.failed = true;
    }
    switch_fiber(e, self, e.host);
  }
}

inline void fill_static_shared() {
#if CONVK_EMULATOR_SHARED_SECTION
  char* const begin = __start_convk_shared;
  if (begin == nullptr) return;
  std::memset(begin, kFillByte, size_t(__stop_convk_shared - begin));
#endif
}

// False if the block failed.
inline bool run_block(Engine& e) {
  const dim3 size = index().block_dim;
  const unsigned count = size.x * size.y * size.z;
  const unsigned warps = (count + kWarp - 1) / kWarp;
  e.threads.assign(count, Thread());
  e.warps.assign(warps, Warp());
  e.ready.clear();
  e.next = 0;
  e.starting = false;
  e.starved.clear();
  if (e.schedule == kStarved) {
    e.starved_warp = unsigned(random_number(e) % warps);
  }
  e.copies.clear();
  e.exited = 0;
  e.waiting = 0;
  e.failed = false;
  for (unsigned i = 0; i < count; ++i) {
    e.threads[i].index.x = i % size.x;
    e.threads[i].index.y = i / size.x % size.y;
    e.threads[i].index.z = i / size.x / size.y;
    e.warps[i / kWarp].live |= 1u << i % kWarp;
  }
  release(e, 0, count, ~0u);
  e.dynamic_shared->fill();
  fill_static_shared();

  CONVK_EMULATOR_COUNT(
      block_begin(count, index().block.x, index().block.y, index().block.z));
  switch_fiber(e, e.host, *take_fiber(e));
  CONVK_EMULATOR_COUNT(inside = true);
  for (unsigned i = 0; i < warps; ++i) CONVK_EMULATOR_COUNT(meet(i, 0));

  if (e.failed) {
    note_sticky(cudaErrorLaunchFailure);
    for (size_t i = 0; i < e.fibers.size(); ++i) {
      Fiber& fiber = *e.fibers[i];
      if (fiber.idle) continue;
      prepare_fiber(fiber);
      fiber.idle = true;
      e.idle.push_back(&fiber);
    }
  }
  ptrdiff_t where = 0;
  if (e.dynamic_shared->damaged(&where)) {
    const uint3 block = index().block;
    report("block (%u,%u,%u) wrote at byte %td of %zu of dynamic shared memory",
           block.x, block.y, block.z, where, e.dynamic_shared->size());
    e.dynamic_shared->resize(e.dynamic_shared->size());
    note_sticky(cudaErrorIllegalAddress);
    return false;
  }
  return !e.failed;
}

inline uint64_t greatest_common_divisor(uint64_t a, uint64_t b) {
  while (b != 0) {
    const uint64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

// Blocks must not depend on each other: their order follows the mode as well.
// A step coprime to their number visits all of them without a table.
inline void run_grid(Engine& e) {
  const dim3 grid = index().grid_dim;
  const uint64_t count = uint64_t(grid.x) * grid.y * grid.z;
  uint64_t step = 1 % count;
  uint64_t block = 0;
  if (e.order == 1) {
    step = count - 1;
    block = count - 1;
  } else if (e.order == 2) {
    do {
      step = random_number(e) % count;
    } while (greatest_common_divisor(step, count) != 1);
    block = random_number(e) % count;
  }
  for (uint64_t i = 0; i < count; ++i) {
    index().block.x = unsigned(block % grid.x);
    index().block.y = unsigned(block / grid.x % grid.y);
    index().block.z = unsigned(block / grid.x / grid.y);
    if (!run_block(e)) return;
    block = (block + step) % count;
  }
}

inline bool valid_dimensions(dim3 size, const unsigned (&limit)[3]) {
  return size.x >= 1 && size.y >= 1 && size.z >= 1 && size.x <= limit[0] &&
         size.y <= limit[1] && size.z <= limit[2];
}

inline bool default_stream(cudaStream_t stream) {
  return stream == nullptr || stream == cudaStreamLegacy ||
         stream == cudaStreamPerThread;
}

inline bool valid_stream(cudaStream_t stream) {
  return default_stream(stream) || engine().streams_there.count(stream) != 0;
}

inline bool captures(cudaStream_t stream) {
  return !default_stream(stream) && stream->capture != nullptr;
}

inline cudaError_t fail_capture(cudaStream_t stream, cudaError_t error) {
  stream->invalid = true;
  return error;
}

// For calls that fail the captures of which they are: of all host threads if
// they are global, else of the thread that began them.
inline cudaError_t not_while_capturing() {
  cudaError_t result = cudaSuccess;
  for (cudaStream_t stream : engine().streams_there) {
    if (!captures(stream) || stream->mode == cudaStreamCaptureModeRelaxed ||
        (stream->mode == cudaStreamCaptureModeThreadLocal &&
         stream->thread != &current_device())) {
      continue;
    }
    result = fail_capture(stream, cudaErrorStreamCaptureUnsupported);
  }
  return result;
}

// STREAMS: with CONVK_EMULATOR_STREAMS=SEED in the environment, or after
// convk_emulator_streams(SEED), streams that were made do not run what they
// get at once: it is run when the host waits, or some of it when more is
// asked for, one piece of one stream at a time by lots, as far as events let
// it. So every order may come up that events and waits allow.
inline uint64_t lot(uint64_t count) {
  uint64_t& x = engine().streams;
  x ^= x << 13, x ^= x >> 7, x ^= x << 17;
  return x % count;
}
inline bool may_go_on(cudaStream_t stream) {
  if (stream->later.empty()) return false;
  const convk_emulated_item& item = stream->later.front();
  return item.waits == nullptr || item.waits->done >= item.turn;
}
// Runs one piece; false if there is none that may be run.
inline bool run_one() {
  std::vector<cudaStream_t> some;
  for (cudaStream_t stream : engine().streams_there) {
    if (may_go_on(stream)) some.push_back(stream);
  }
  if (some.empty()) return false;
  cudaStream_t stream = some[lot(some.size())];
  const convk_emulated_item item = stream->later.front();
  stream->later.pop_front();
  if (item.work) note(item.work());
  if (item.records != nullptr) {
    item.records->done = item.turn;
    item.records->time = std::chrono::steady_clock::now();
  }
  return true;
}
template <class Done> void run_until(Done done) {
  while (!done()) {
    if (run_one()) continue;
    report("streams wait for events that never come");
    return;
  }
}
inline void run_all() {
  while (run_one()) continue;
}
inline void run_some() {
  while (lot(2) != 0 && run_one()) continue;
}
inline bool goes_later(cudaStream_t stream) {
  return engine().streams != 0 && !default_stream(stream);
}
inline cudaError_t add_later(cudaStream_t stream,
                             const convk_emulated_item& item) {
  stream->later.push_back(item);
  run_some();
  return cudaSuccess;
}

// TIMELINE: with convk_emulator_timeline nothing is run, and what streams
// get takes the time that a device would: copies 50 GB/s each way at the same
// time, or 10 GB/s and the host waits where its memory is not pinned; copies
// there 1.5 TB/s; kernels so much for each of their threads, one at a time.
enum Cost { kCostIn = 0, kCostWork = 1, kCostOut = 2, kCostThere = 3 };
inline Cost cost_of(cudaMemcpyKind kind) {
  return kind == cudaMemcpyHostToDevice   ? kCostIn
         : kind == cudaMemcpyDeviceToHost ? kCostOut
                                          : kCostThere;
}
inline cudaError_t take_time(cudaStream_t stream, Cost cost, double amount) {
  Timeline& t = engine().timeline;
  const bool outside = cost == kCostIn || cost == kCostOut;
  const int which = cost == kCostThere ? kCostWork : cost;
  const double bus = t.pinned ? 50e9 : 10e9;
  const double seconds = outside              ? amount / bus
                         : cost == kCostThere ? amount / 1.5e12
                                              : amount * t.thread;
  const double begin =
      std::max(t.host, std::max(t.ready[stream], t.engine[which]));
  t.ready[stream] = t.engine[which] = begin + seconds;
  t.busy[which] += seconds;
  t.host = outside && !t.pinned ? begin + seconds : t.host + 3e-6;
  return cudaSuccess;
}

// Runs work now, or keeps it if the stream captures. The default stream waits
// for those that are not made with cudaStreamNonBlocking, which none may do
// that captures.
inline cudaError_t submit(cudaStream_t stream, Cost cost, double amount,
                          const std::function<cudaError_t()>& work) {
  if (!valid_stream(stream)) return cudaErrorInvalidResourceHandle;
  if (engine().timeline.on) return take_time(stream, cost, amount);
  if (default_stream(stream)) {
    for (cudaStream_t other : engine().streams_there) {
      if (!captures(other) || other->flags == cudaStreamNonBlocking) continue;
      return fail_capture(other, cudaErrorStreamCaptureImplicit);
    }
    return work();
  }
  if (!captures(stream) && goes_later(stream)) {
    const convk_emulated_item item = {work, nullptr, nullptr, 0};
    return add_later(stream, item);
  }
  if (!captures(stream)) return work();
  if (stream->invalid) return cudaErrorStreamCaptureInvalidated;
  stream->capture->nodes.push_back([work]() { note(work()); });
  return cudaSuccess;
}

// Whether a call may wait for a stream.
inline cudaError_t wait_for(cudaStream_t stream) {
  if (!valid_stream(stream)) return cudaErrorInvalidResourceHandle;
  if (default_stream(stream)) return not_while_capturing();
  return captures(stream)
             ? fail_capture(stream, cudaErrorStreamCaptureUnsupported)
             : cudaSuccess;
}

#ifdef CONVK_EMULATOR_COUNTS
inline void maybe_give_way();
inline void tell_ranges(Engine& e, const void* kernel) {
  convk_counting::give_way = e.preempt != 0 ? maybe_give_way : nullptr;
  convk_counting::launch_begin(kernel);
  convk_counting::range(e.dynamic_shared->data(), e.dynamic_shared->size(),
                        true);
  if (__start_convk_shared != nullptr) {
    convk_counting::range(__start_convk_shared,
                          size_t(__stop_convk_shared - __start_convk_shared),
                          true);
  }
  for (const auto& allocation : e.allocations) {
    if (!allocation.second.on_device) continue;
    convk_counting::range(allocation.second.memory->data(),
                          allocation.second.memory->size(), false);
  }
}
#endif

inline cudaError_t run_kernel(const void* kernel, dim3 grid, dim3 block,
                              size_t shared_bytes,
                              const std::function<void()>& body) {
  (void)kernel;
  Engine& e = engine();
  if (e.sticky_error != cudaSuccess) return e.sticky_error;
  if (!e.dynamic_shared) {
    e.dynamic_shared.reset(new GuardedMemory(kSharedBytesOptIn));
    if (e.dynamic_shared->data() == nullptr) std::abort();
  }
  if (e.dynamic_shared->size() != shared_bytes) {
    e.dynamic_shared->resize(shared_bytes);
  }
  index().grid_dim = grid;
  index().block_dim = block;
  e.body = &body;
  e.running = true;
#ifdef CONVK_EMULATOR_COUNTS
  tell_ranges(e, kernel);
#endif
  run_grid(e);
  CONVK_EMULATOR_COUNT(launch_end());
  e.running = false;
  e.body = nullptr;
  return cudaSuccess;
}

inline cudaError_t launch(const void* kernel, dim3 grid, dim3 block,
                          size_t shared_bytes, cudaStream_t stream,
                          const std::function<void()>& body) {
  const Lock lock;
  Engine& e = engine();
  if (e.sticky_error != cudaSuccess) return e.sticky_error;
  if (e.running) {
    report("a kernel may not start a kernel");
    return note_sticky(cudaErrorLaunchFailure);
  }
  if (kernel == nullptr) return note(cudaErrorInvalidDeviceFunction);
  const int device = current_device();
  if (!valid_stream(stream) ||
      (!default_stream(stream) && stream->device != device)) {
    return note(cudaErrorInvalidResourceHandle);
  }
  const std::map<const void*, size_t>& limits = e.dynamic_shared_limit[device];
  const std::map<const void*, size_t>::const_iterator limit =
      limits.find(kernel);
  const size_t most_shared =
      limit == limits.end() ? kSharedBytes - e.static_shared : limit->second;
  if (!valid_dimensions(grid, kMaxGridDim) ||
      !valid_dimensions(block, kMaxBlockDim) ||
      uint64_t(block.x) * block.y * block.z > kMaxThreads) {
    return note(cudaErrorInvalidConfiguration);
  }
  if (shared_bytes > most_shared) return note(cudaErrorInvalidValue);
  const double threads = double(grid.x) * grid.y * grid.z * block.x * block.y *
                         block.z;
  return note(submit(stream, kCostWork, threads, [=]() {
    return run_kernel(kernel, grid, block, shared_bytes, body);
  }));
}

#ifdef CONVK_EMULATOR_COUNTS
// Before an access to memory: one of `preempt` lets another thread go first.
CONVK_EMULATOR_UNCOUNTED inline void maybe_give_way() {
  Engine& e = engine();
  const size_t others = e.ready.size() - e.next;
  if (e.preempt == 0 || others == 0 || random_number(e) % e.preempt != 0) {
    return;
  }
  CONVK_EMULATOR_COUNT(inside = true);
  unsigned& other = e.ready[e.next + size_t(random_number(e) % others)];
  const unsigned first = other;
  other = e.current;
  put_back(e, first);
  wait_until_ready(e);
  CONVK_EMULATOR_COUNT(inside = false);
}
#endif

// Whether what stands here is left out: barriers, fences, warp operations and
// atomics of a place that CONVK_EMULATOR_REMOVE=FILE:LINE names, in programs
// that see each access. FILE is the end of a path.
inline bool removed(const char* file, int line) {
#ifdef CONVK_EMULATOR_COUNTS
  const Engine& e = engine();
  if (line != e.removed_line) return false;
  const size_t length = std::strlen(file), part = e.removed_file.size();
  return length >= part &&
         std::strcmp(file + length - part, e.removed_file.c_str()) == 0;
#else
  (void)file, (void)line;
  return false;
#endif
}

// --- Copies beside the work of a thread

CONVK_EMULATOR_UNCOUNTED inline void ask_for_copy(void* to, const void* from,
                                                  size_t bytes) {
  Engine& e = engine();
  CONVK_EMULATOR_COUNT(
      bring(to, from, bytes, __builtin_return_address(0)));
  CONVK_EMULATOR_COUNT(inside = true);
  std::memset(to, kFillByte, bytes);
  e.copies.push_back(AsyncCopy{e.current, to, from, bytes});
  CONVK_EMULATOR_COUNT(inside = false);
}

CONVK_EMULATOR_UNCOUNTED inline void wait_for_copies() {
  Engine& e = engine();
  CONVK_EMULATOR_COUNT(inside = true);
  const unsigned self = e.current;
  // Others may take a turn in between, and wait for theirs.
  const auto theirs = std::stable_partition(
      e.copies.begin(), e.copies.end(),
      [self](const AsyncCopy& copy) { return copy.thread != self; });
  const std::vector<AsyncCopy> mine(theirs, e.copies.end());
  e.copies.erase(theirs, e.copies.end());
  for (const AsyncCopy& copy : mine) {
    std::memcpy(copy.to, copy.from, copy.bytes);
    CONVK_EMULATOR_COUNT(
        brought(copy.to, copy.bytes, __builtin_return_address(0)));
  }
  CONVK_EMULATOR_COUNT(inside = false);
}

// --- Barriers and warp operations

CONVK_EMULATOR_UNCOUNTED inline void synchronize_block(const char* file,
                                                       int line) {
  Engine& e = engine();
  CONVK_EMULATOR_COUNT(inside = true);
  if (!e.running) {
    report("__syncthreads outside a kernel, %s:%d", file, line);
    note_sticky(cudaErrorLaunchFailure);
    return;
  }
  if (e.waiting > 0 && (line != e.barrier_line ||
                        std::strcmp(file, e.barrier_file) != 0)) {
    report_divergence(e);
    std::fprintf(stderr, "  thread %u is at __syncthreads, %s:%d\n", e.current,
                 file, line);
    fail_block(e);
  }
  e.barrier_file = file;
  e.barrier_line = line;
  e.threads[e.current].state = kAtBarrier;
  if (++e.waiting == e.threads.size()) {
    e.waiting = 0;
    CONVK_EMULATOR_COUNT(barrier());
    for (size_t i = 0; i < e.warps.size(); ++i) {
      CONVK_EMULATOR_COUNT(meet(unsigned(i), e.warps[i].live));
    }
    release(e, 0, unsigned(e.threads.size()), ~0u);
  }
  wait_until_ready(e);
  CONVK_EMULATOR_COUNT(inside = false);
}

inline unsigned lane_index() { return engine().current % kWarp; }

template <class T>
CONVK_EMULATOR_UNCOUNTED T warp_operation(unsigned mask, int operation, unsigned source, T value) {
  static_assert(sizeof(T) <= 8 && std::is_arithmetic<T>::value,
                "warp operations take numbers of at most eight bytes");
  Engine& e = engine();
  if (!e.running) {
    report("a warp operation outside a kernel");
    note_sticky(cudaErrorLaunchFailure);
    return value;
  }
  CONVK_EMULATOR_COUNT(inside = true);
  const unsigned self = e.current;
  const unsigned warp = self / kWarp;
  Thread& thread = e.threads[self];
  if ((mask >> self % kWarp & 1u) == 0) {
    report("thread %u: the mask %#x of a warp operation lacks its own lane",
           self, mask);
    fail_block(e);
  }
  thread.state = kAtWarp;
  thread.mask = mask;
  thread.operation = operation;
  thread.source = source;
  std::memcpy(thread.value, &value, sizeof(T));
  e.warps[warp].waiting |= 1u << self % kWarp;
  if ((mask & e.warps[warp].live & ~e.warps[warp].waiting) == 0) {
    try_warp_operations(e, warp);
  }
  wait_until_ready(e);
  std::memcpy(&value, thread.result, sizeof(T));
  CONVK_EMULATOR_COUNT(inside = false);
  return value;
}

template <class T>
T shuffle(unsigned mask, T value, unsigned source) {
  return warp_operation(mask, kWarpShuffle + int(sizeof(T)), source, value);
}

inline unsigned vote(unsigned mask, int predicate) {
  // All bytes alike, so that the first tells on machines of either endianness.
  return warp_operation(mask, kWarpVote, 0, predicate != 0 ? ~0u : 0u);
}

// --- Memory

enum Place { kOutside, kDevice, kPinned, kOverrun };

// Where a range lies: outside all allocations, inside one, or partly inside.
inline Place place_of(const void* pointer, size_t bytes) {
  Engine& e = engine();
  const uintptr_t address = reinterpret_cast<uintptr_t>(pointer);
  std::map<uintptr_t, Allocation>::const_iterator after =
      e.allocations.upper_bound(address);
  if (after == e.allocations.begin()) return kOutside;
  const Allocation& candidate = std::prev(after)->second;
  const size_t size = candidate.memory->size();
  const uintptr_t offset = address - std::prev(after)->first;
  if (offset >= size + kGuardBytes) return kOutside;
  if (offset > size || bytes > size - offset) return kOverrun;
  return candidate.on_device ? kDevice : kPinned;
}

inline bool valid_side(const void* pointer, size_t bytes, bool device) {
  if (pointer == nullptr) return false;
  const Place place = place_of(pointer, bytes);
  return device ? place == kDevice : place == kOutside || place == kPinned;
}

// Whether the bytes of an argument hold addresses of another device's memory.
inline bool argument_elsewhere(const void* argument, size_t bytes) {
  const Lock lock;
  Engine& e = engine();
  for (size_t at = 0; at + sizeof(uintptr_t) <= bytes; at += sizeof at) {
    uintptr_t address = 0;
    std::memcpy(&address, static_cast<const char*>(argument) + at,
                sizeof address);
    std::map<uintptr_t, Allocation>::const_iterator after =
        e.allocations.upper_bound(address);
    if (after == e.allocations.begin()) continue;
    const Allocation& there = std::prev(after)->second;
    if (address - std::prev(after)->first >= there.memory->size() ||
        !there.on_device || there.device == current_device()) {
      continue;
    }
    report("a kernel on device %d has an argument in memory of device %d",
           current_device(), there.device);
    note_sticky(cudaErrorIllegalAddress);
    return true;
  }
  return false;
}

// One row of a copy, checked; no error is noted.
inline cudaError_t copy_row(void* to, const void* from, size_t bytes,
                            cudaMemcpyKind kind) {
  if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault) {
    return cudaErrorInvalidMemcpyDirection;
  }
  if (bytes == 0) return cudaSuccess;
  if (kind == cudaMemcpyDefault) {
    if (to == nullptr || from == nullptr || place_of(to, bytes) == kOverrun ||
        place_of(from, bytes) == kOverrun) {
      return cudaErrorInvalidValue;
    }
  } else {
    const bool to_device =
        kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
    const bool from_device =
        kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
    if (!valid_side(to, bytes, to_device) ||
        !valid_side(from, bytes, from_device)) {
      return cudaErrorInvalidValue;
    }
  }
  std::memmove(to, from, bytes);
  CONVK_EMULATOR_COUNT(written(to, bytes));
  return cudaSuccess;
}

inline cudaError_t copy_box(cudaPitchedPtr to, cudaPitchedPtr from,
                            cudaExtent extent, cudaMemcpyKind kind) {
  if (extent.width == 0 || extent.height == 0 || extent.depth == 0) {
    return cudaSuccess;
  }
  if (to.ptr == nullptr || from.ptr == nullptr) return cudaErrorInvalidValue;
  for (size_t z = 0; z < extent.depth; ++z) {
    for (size_t y = 0; y < extent.height; ++y) {
      const cudaError_t error = copy_row(
          static_cast<char*>(to.ptr) + (z * to.ysize + y) * to.pitch,
          static_cast<const char*>(from.ptr) + (z * from.ysize + y) * from.pitch,
          extent.width, kind);
      if (error != cudaSuccess) return error;
    }
  }
  return cudaSuccess;
}

inline cudaError_t allocate(void** pointer, size_t bytes, bool on_device) {
  const Lock lock;
  Engine& e = engine();
  if (pointer == nullptr) return note(cudaErrorInvalidValue);
  *pointer = nullptr;
  const cudaError_t capturing = not_while_capturing();
  if (capturing != cudaSuccess) return note(capturing);
  const int device = current_device();
  if (e.sticky_error != cudaSuccess || bytes == 0) return note(cudaSuccess);
  if (bytes > e.device_limit ||
      (on_device && bytes > e.device_limit - e.device_bytes[device])) {
    return note(cudaErrorMemoryAllocation);
  }
  Allocation allocation = {std::unique_ptr<GuardedMemory>(
                               new GuardedMemory(bytes)),
                           on_device, device};
  if (allocation.memory->data() == nullptr) {
    return note(cudaErrorMemoryAllocation);
  }
  allocation.memory->fill();
  *pointer = allocation.memory->data();
  if (on_device) e.device_bytes[device] += bytes;
  CONVK_EMULATOR_COUNT(allocated(*pointer, bytes));
  e.allocations[reinterpret_cast<uintptr_t>(*pointer)] = std::move(allocation);
  return note(cudaSuccess);
}

inline cudaError_t deallocate(void* pointer, bool on_device) {
  const Lock lock;
  Engine& e = engine();
  const cudaError_t capturing = not_while_capturing();
  if (capturing != cudaSuccess) return note(capturing);
  run_all();
  if (pointer == nullptr) return note(cudaSuccess);
  const std::map<uintptr_t, Allocation>::iterator found =
      e.allocations.find(reinterpret_cast<uintptr_t>(pointer));
  if (found == e.allocations.end() || found->second.on_device != on_device) {
    return note(cudaErrorInvalidValue);
  }
  GuardedMemory& memory = *found->second.memory;
  ptrdiff_t where = 0;
  if (memory.damaged(&where)) {
    report("write at byte %td of an allocation of %zu bytes", where,
           memory.size());
    note_sticky(cudaErrorIllegalAddress);
  }
  if (on_device) e.device_bytes[found->second.device] -= memory.size();
  CONVK_EMULATOR_COUNT(forget(pointer));
  e.allocations.erase(found);
  return note(cudaSuccess);
}

template <class T>
struct Identity {
  typedef T type;
};

}  // namespace convk_emulator

#ifdef CONVK_EMULATOR_COUNTS
#pragma clang attribute pop
#endif

// ---------------------------------------------------------------------------
// Controls for tests

enum {
  CONVK_EMULATOR_FORWARD = 0,
  CONVK_EMULATOR_REVERSED = 1,
  CONVK_EMULATOR_SHUFFLED = 2
};

// Order of the threads (anew at each barrier) and of the blocks.
inline void convk_emulator_order(int mode, unsigned seed) {
  convk_emulator::Engine& e = convk_emulator::engine();
  if (!e.chosen) {
    e.order = mode;
    e.seed = seed;
  }
  e.random = e.seed;  // so that a seed of the environment shows a case again
}

// Who goes on next
//   lazy     whoever has been able to for the longest time: a warp that a warp
//            operation releases comes last
//   greedy   the warp that was released last, which runs as far ahead as it can
//   starved  one warp of a block, chosen at random, only when no other can
//   random   anyone, chosen anew whenever a thread waits
enum {
  CONVK_EMULATOR_LAZY = 0,
  CONVK_EMULATOR_GREEDY = 1,
  CONVK_EMULATOR_STARVED = 2,
  CONVK_EMULATOR_RANDOM = 3
};

// With `preempt`, in programs that see each access, one access to memory of so
// many on the average lets any other thread go first; 0: none.
inline void convk_emulator_schedule(int schedule, unsigned preempt) {
  convk_emulator::Engine& e = convk_emulator::engine();
  if (e.chosen) return;
  e.schedule = schedule;
  e.preempt = preempt;
}

// The schedule as CONVK_EMULATOR_SCHEDULE takes it, to show a failure again:
// words with commas between them, of lazy, greedy, starved, random, forward,
// reversed, shuffled, seed=N, preempt=N.
inline const char* convk_emulator_name() {
  static const char* const schedules[] = {"lazy", "greedy", "starved",
                                          "random"};
  static const char* const orders[] = {"forward", "reversed", "shuffled"};
  static char name[96];
  const convk_emulator::Engine& e = convk_emulator::engine();
  std::snprintf(name, sizeof name, "%s,%s,seed=%u,preempt=%u",
                schedules[e.schedule], orders[e.order], e.seed, e.preempt);
  return name;
}

namespace convk_emulator {
// The schedule of the environment, if there is one, and what is left out.
inline void read_schedule(Engine& e) {
  const char* const streams = std::getenv("CONVK_EMULATOR_STREAMS");
  if (streams != nullptr) e.streams = std::strtoul(streams, nullptr, 10);
  const char* const shared = std::getenv("CONVK_EMULATOR_SHARED");
  if (shared != nullptr) e.shared_opt_in = std::strtoul(shared, nullptr, 10);
  const char* const place = std::getenv("CONVK_EMULATOR_REMOVE");
  const char* const colon = place == nullptr ? nullptr : std::strrchr(place, ':');
  if (colon != nullptr) {
    e.removed_file.assign(place, colon);
    e.removed_line = std::atoi(colon + 1);
  }

  static const char* const words[] = {"lazy",    "greedy",   "starved", "random",
                                      "forward", "reversed", "shuffled"};
  const char* text = std::getenv("CONVK_EMULATOR_SCHEDULE");
  if (text == nullptr || *text == 0) return;
  e.chosen = true;
  while (*text != 0) {
    const size_t length = std::strcspn(text, ",");
    const std::string word(text, length);
    size_t i = 0;
    while (i < 7 && word != words[i]) ++i;
    if (i < 4) {
      e.schedule = int(i);
    } else if (i < 7) {
      e.order = int(i - 4);
    } else if (std::sscanf(text, "seed=%u", &e.seed) != 1 &&
               std::sscanf(text, "preempt=%u", &e.preempt) != 1) {
      std::fprintf(stderr, "cuda emulator: CONVK_EMULATOR_SCHEDULE: what is %s?\n",
                   word.c_str());
      std::exit(2);
    }
    text += length + (text[length] == ',' ? 1 : 0);
  }
  e.random = e.seed;
}
}  // namespace convk_emulator

// Device memory that cudaMalloc may hand out in all, 2 GiB at first.
inline void convk_emulator_memory_limit(size_t bytes) {
  convk_emulator::engine().device_limit = bytes;
}

// What a device says that it has, 2 at first.
inline void convk_emulator_processors(int count) {
  convk_emulator::engine().processors = count;
}

// Allocations (device and pinned), streams, events and graphs not yet given
// back.
inline size_t convk_emulator_live_objects() {
  const convk_emulator::Lock lock;
  const convk_emulator::Engine& e = convk_emulator::engine();
  return e.allocations.size() + e.streams_there.size() + e.events.size() +
         e.graphs.size() + e.executables.size();
}

// Messages printed so far.
inline unsigned convk_emulator_reports() {
  return convk_emulator::engine().reports;
}

// Forgets the errors of this host thread, the sticky one too, and keeps the
// memory.
inline void convk_emulator_clear_errors() {
  const convk_emulator::Lock lock;
  convk_emulator::last_error() = cudaSuccess;
  convk_emulator::engine().sticky_error = cudaSuccess;
}

// ---------------------------------------------------------------------------
// What kernels use

#define threadIdx (convk_emulator::index().thread)
#define blockIdx (convk_emulator::index().block)
#define blockDim (convk_emulator::index().block_dim)
#define gridDim (convk_emulator::index().grid_dim)

// In place of `extern __shared__ type name[]`.
inline void* convk_emulated_dynamic_shared() {
  return convk_emulator::engine().dynamic_shared->data();
}
#define CONVK_EMULATED_DYNAMIC_SHARED(type, name) \
  type* const name = static_cast<type*>(convk_emulated_dynamic_shared())

// A macro, so that a divergent barrier can be reported with its line.
#define __syncthreads() convk_emulated_syncthreads(__FILE__, __LINE__)
inline void convk_emulated_syncthreads(const char* file, int line) {
  if (convk_emulator::removed(file, line)) return;
  convk_emulator::synchronize_block(file, line);
}


inline void convk_emulated_syncwarp(unsigned mask = 0xffffffffu) {
  convk_emulator::warp_operation(mask, convk_emulator::kWarpBarrier, 0, 0);
}

template <class T>
T convk_emulated_shfl(unsigned mask, T value, int source, int width = 32) {
  const unsigned group = ~(unsigned(width) - 1u);
  const unsigned lane = convk_emulator::lane_index();
  return convk_emulator::shuffle(mask, value,
                                 (lane & group) | (unsigned(source) & ~group));
}

template <class T>
T convk_emulated_shfl_down(unsigned mask, T value, unsigned delta, int width = 32) {
  const unsigned lane = convk_emulator::lane_index();
  const unsigned place = lane & (unsigned(width) - 1u);
  const bool inside = delta < unsigned(width) - place;
  return convk_emulator::shuffle(mask, value, inside ? lane + delta : lane);
}

template <class T>
T convk_emulated_shfl_up(unsigned mask, T value, unsigned delta, int width = 32) {
  const unsigned lane = convk_emulator::lane_index();
  const unsigned place = lane & (unsigned(width) - 1u);
  return convk_emulator::shuffle(mask, value,
                                 delta <= place ? lane - delta : lane);
}

template <class T>
T convk_emulated_shfl_xor(unsigned mask, T value, int lane_mask, int width = 32) {
  const unsigned group = ~(unsigned(width) - 1u);
  const unsigned lane = convk_emulator::lane_index();
  const unsigned source = lane ^ unsigned(lane_mask);
  const bool beyond = (source & group) > (lane & group);
  return convk_emulator::shuffle(mask, value, beyond ? lane : source);
}

inline unsigned __ballot_sync(unsigned mask, int predicate) {
  return convk_emulator::vote(mask, predicate);
}
inline int convk_emulated_any(unsigned mask, int predicate) {
  return convk_emulator::vote(mask, predicate) != 0 ? 1 : 0;
}
inline int convk_emulated_all(unsigned mask, int predicate) {
  return convk_emulator::vote(mask, predicate == 0 ? 1 : 0) == 0 ? 1 : 0;
}

CONVK_EMULATOR_UNCOUNTED inline void convk_emulated_threadfence() {
  CONVK_EMULATOR_COUNT(fence());
}
inline void __threadfence_block() {}
inline void __threadfence_system() { convk_emulated_threadfence(); }

// In place of mma.sync.m16n8k8.f64: each sum is a chain of multiply-adds in
// rising order. Rows `low` and `high` of sums are 8 apart.
CONVK_EMULATOR_UNCOUNTED inline void convk_emulated_multiply(const double* a,
                                                             const double* b,
                                                             double* low,
                                                             double* high) {
  convk_emulator::Engine& e = convk_emulator::engine();
  const unsigned self = e.current, lane = self % convk_emulator::kWarp;
  const convk_emulator::Thread* const lanes = &e.threads[self - lane];
  std::memcpy(e.threads[self].given, a, 4 * sizeof *a);
  std::memcpy(e.threads[self].given + 4, b, 2 * sizeof *b);
  convk_emulator::warp_operation(~0u, convk_emulator::kWarpMultiply, 0, 0);
  for (unsigned k = 0; k < 8; ++k) {
    const double* const row = lanes[lane / 4 * 4 + k % 4].given + k / 4 * 2;
    for (unsigned i = 0; i < 2; ++i) {
      const unsigned column = lane % 4 * 2 + i;
      const double value = lanes[column * 4 + k % 4].given[4 + k / 4];
      low[i] = std::fma(row[0], value, low[i]);
      high[i] = std::fma(row[1], value, high[i]);
    }
  }
  convk_emulator::warp_operation(~0u, convk_emulator::kWarpMultiply, 0, 0);
}

// In place of cp.async and cp.async.wait_all, which C++ has no words for.
inline void convk_emulated_copy_async(void* to, const void* from,
                                      size_t bytes) {
  convk_emulator::ask_for_copy(to, from, bytes);
}
inline void convk_emulated_copies_waited() {
  convk_emulator::wait_for_copies();
}

// With their places, which are those of the kernel that uses them. What is left
// out of a shuffle or a vote leaves each lane with its own.
#define __syncwarp(...)                                 \
  (convk_emulator::removed(__FILE__, __LINE__)          \
       ? static_cast<void>(0)                           \
       : convk_emulated_syncwarp(__VA_ARGS__))
#define __threadfence()                                 \
  (convk_emulator::removed(__FILE__, __LINE__)          \
       ? static_cast<void>(0)                           \
       : convk_emulated_threadfence())
#define convk_emulated_copies_wait()                    \
  (convk_emulator::removed(__FILE__, __LINE__)          \
       ? static_cast<void>(0)                           \
       : convk_emulated_copies_waited())
#define CONVK_EMULATED_OWN(function, mask, value, ...)  \
  (convk_emulator::removed(__FILE__, __LINE__)          \
       ? (value)                                        \
       : function(mask, value, __VA_ARGS__))
#define __shfl_sync(mask, value, ...) \
  CONVK_EMULATED_OWN(convk_emulated_shfl, mask, value, __VA_ARGS__)
#define __shfl_down_sync(mask, value, ...) \
  CONVK_EMULATED_OWN(convk_emulated_shfl_down, mask, value, __VA_ARGS__)
#define __shfl_up_sync(mask, value, ...) \
  CONVK_EMULATED_OWN(convk_emulated_shfl_up, mask, value, __VA_ARGS__)
#define __shfl_xor_sync(mask, value, ...) \
  CONVK_EMULATED_OWN(convk_emulated_shfl_xor, mask, value, __VA_ARGS__)
#define __any_sync(mask, predicate)                     \
  (convk_emulator::removed(__FILE__, __LINE__)          \
       ? (predicate)                                    \
       : convk_emulated_any(mask, predicate))
#define __all_sync(mask, predicate)                     \
  (convk_emulator::removed(__FILE__, __LINE__)          \
       ? (predicate)                                    \
       : convk_emulated_all(mask, predicate))

// Threads run in turns and never stop inside one of these.
#define CONVK_EMULATOR_ATOMICS(type) \
  CONVK_EMULATOR_UNCOUNTED inline type atomicAdd(type* address, type value) { \
    CONVK_EMULATOR_COUNT(atomic(address, sizeof(type), __builtin_return_address(0))); \
    const type old = *address; \
    *address = old + value; \
    return old; \
  } \
  CONVK_EMULATOR_UNCOUNTED inline type atomicExch(type* address, type value) { \
    CONVK_EMULATOR_COUNT(atomic(address, sizeof(type), __builtin_return_address(0))); \
    const type old = *address; \
    *address = value; \
    return old; \
  }
#define CONVK_EMULATOR_INTEGER_ATOMICS(type) \
  CONVK_EMULATOR_UNCOUNTED inline type atomicMin(type* address, type value) { \
    CONVK_EMULATOR_COUNT(atomic(address, sizeof(type), __builtin_return_address(0))); \
    const type old = *address; \
    if (value < old) *address = value; \
    return old; \
  } \
  CONVK_EMULATOR_UNCOUNTED inline type atomicMax(type* address, type value) { \
    CONVK_EMULATOR_COUNT(atomic(address, sizeof(type), __builtin_return_address(0))); \
    const type old = *address; \
    if (value > old) *address = value; \
    return old; \
  } \
  CONVK_EMULATOR_UNCOUNTED inline type atomicCAS(type* address, type expected, type value) { \
    CONVK_EMULATOR_COUNT(atomic(address, sizeof(type), __builtin_return_address(0))); \
    const type old = *address; \
    if (old == expected) *address = value; \
    return old; \
  }
CONVK_EMULATOR_ATOMICS(int)
CONVK_EMULATOR_ATOMICS(unsigned)
CONVK_EMULATOR_ATOMICS(unsigned long long)
CONVK_EMULATOR_ATOMICS(float)
CONVK_EMULATOR_ATOMICS(double)
CONVK_EMULATOR_INTEGER_ATOMICS(int)
CONVK_EMULATOR_INTEGER_ATOMICS(unsigned)
CONVK_EMULATOR_INTEGER_ATOMICS(unsigned long long)
#undef CONVK_EMULATOR_ATOMICS
#undef CONVK_EMULATOR_INTEGER_ATOMICS

#ifdef CONVK_EMULATOR_COUNTS  // without the atomic: a read, and a write
template <class T>
T convk_emulated_plain_add(T* address, T value) {
  const T old = *address;
  *address = old + value;
  return old;
}
#define atomicAdd(address, value)                       \
  (convk_emulator::removed(__FILE__, __LINE__)          \
       ? convk_emulated_plain_add(address, value)       \
       : atomicAdd(address, value))
#endif

#define CONVK_EMULATOR_MIN_MAX(type)                                     \
  constexpr type min(type a, type b) { return b < a ? b : a; }           \
  constexpr type max(type a, type b) { return a < b ? b : a; }
CONVK_EMULATOR_MIN_MAX(int)
CONVK_EMULATOR_MIN_MAX(unsigned)
CONVK_EMULATOR_MIN_MAX(long)
CONVK_EMULATOR_MIN_MAX(unsigned long)
CONVK_EMULATOR_MIN_MAX(long long)
CONVK_EMULATOR_MIN_MAX(unsigned long long)
#undef CONVK_EMULATOR_MIN_MAX
// As on the device, a NaN loses against a number.
inline float min(float a, float b) { return std::fmin(a, b); }
inline float max(float a, float b) { return std::fmax(a, b); }
inline double min(double a, double b) { return std::fmin(a, b); }
inline double max(double a, double b) { return std::fmax(a, b); }

template <class T>
T __ldg(const T* address) {
  return *address;
}

// A volatile in between keeps a compiler from contracting the operation with
// its neighbours; without a fused instruction there is nothing to contract.
#if defined(__x86_64__) && !defined(__FMA__) && !defined(__FMA4__)
#define CONVK_EMULATOR_ROUNDED
#else
#define CONVK_EMULATOR_ROUNDED volatile
#endif
#define CONVK_EMULATOR_ARITHMETIC(type, name, expression)    \
  inline type name(type a, type b) {                         \
    const CONVK_EMULATOR_ROUNDED type result = expression;   \
    return result;                                           \
  }
CONVK_EMULATOR_ARITHMETIC(float, __fadd_rn, a + b)
CONVK_EMULATOR_ARITHMETIC(float, __fsub_rn, a - b)
CONVK_EMULATOR_ARITHMETIC(float, __fmul_rn, a * b)
CONVK_EMULATOR_ARITHMETIC(float, __fdiv_rn, a / b)
CONVK_EMULATOR_ARITHMETIC(double, __dadd_rn, a + b)
CONVK_EMULATOR_ARITHMETIC(double, __dsub_rn, a - b)
CONVK_EMULATOR_ARITHMETIC(double, __dmul_rn, a * b)
CONVK_EMULATOR_ARITHMETIC(double, __ddiv_rn, a / b)
#undef CONVK_EMULATOR_ARITHMETIC
#undef CONVK_EMULATOR_ROUNDED

inline float __fmaf_rn(float a, float b, float c) { return std::fma(a, b, c); }
inline double __fma_rn(double a, double b, double c) {
  return std::fma(a, b, c);
}
inline float __fsqrt_rn(float a) { return std::sqrt(a); }
inline double __dsqrt_rn(double a) { return std::sqrt(a); }
inline float __double2float_rn(double a) { return static_cast<float>(a); }
template <class To, class From>
To convk_emulated_bits(From value) {
  static_assert(sizeof(To) == sizeof(From), "bits of one size");
  To result;
  std::memcpy(&result, &value, sizeof result);
  return result;
}
inline unsigned __float_as_uint(float a) {
  return convk_emulated_bits<unsigned>(a);
}
inline float __uint_as_float(unsigned a) {
  return convk_emulated_bits<float>(a);
}
inline long long __double_as_longlong(double a) {
  return convk_emulated_bits<long long>(a);
}
inline double __longlong_as_double(long long a) {
  return convk_emulated_bits<double>(a);
}
inline float rsqrtf(float a) { return 1.0f / std::sqrt(a); }
inline double rsqrt(double a) { return 1.0 / std::sqrt(a); }
inline int __popc(unsigned bits) { return __builtin_popcount(bits); }

// Starts a kernel, as `kernel<<<grid, block, shared_bytes, stream>>>(args...)`;
// the arguments convert as in a plain call, and cudaGetLastError() tells
// whether it worked.
template <class... Params>
void convk_emulated_launch(
    void (*kernel)(Params...), dim3 grid, dim3 block, size_t shared_bytes,
    cudaStream_t stream,
    typename convk_emulator::Identity<Params>::type... args) {
  bool elsewhere = false;
  const bool each[] = {
      false, convk_emulator::argument_elsewhere(&args, sizeof(args))...};
  for (bool one : each) elsewhere = elsewhere || one;
  if (elsewhere) return;
  const std::function<void()> body = [=]() { kernel(args...); };
  convk_emulator::launch(reinterpret_cast<const void*>(kernel), grid, block,
                         shared_bytes, stream, body);
}

// ---------------------------------------------------------------------------
// Runtime API

namespace convk_emulator {

// What tests want the runtime to answer.
struct Answers {
  int busy;
  int capability[2];
  cudaError_t image;
  size_t least_shared;
};
inline Answers& answers() {
  static Answers value = {0, {9, 0}, cudaSuccess, kSharedBytesOptIn};
  return value;
}
inline bool still_busy() {
  const Lock lock;
  return answers().busy > 0 && answers().busy-- > 0;
}

inline CUcontext primary_context(int device) {
  static CUctx_st value[kDevices] = {{0, true, false, 0}, {1, true, false, 0}};
  return &value[device];
}

// A thread's stack of contexts, the last one of which is current, and the
// device of cudaSetDevice(), which counts where none is.
struct ThreadContexts {
  std::vector<CUcontext> stack;
  int device;
};
inline ThreadContexts& thread_contexts() {
  static thread_local ThreadContexts value = {std::vector<CUcontext>(), 0};
  return value;
}
inline CUcontext current_context() {
  const ThreadContexts& t = thread_contexts();
  return t.stack.empty() ? nullptr : t.stack.back();
}
inline void context_changed() {
  const CUcontext context = current_context();
  current_device() =
      context == nullptr ? thread_contexts().device : context->device;
}
inline void push_context(CUcontext context) {
  thread_contexts().stack.push_back(context);
  context_changed();
}
inline void pop_context() {
  thread_contexts().stack.pop_back();
  context_changed();
}
inline void replace_context(CUcontext context) {
  if (!thread_contexts().stack.empty()) thread_contexts().stack.pop_back();
  push_context(context);
}
// For calls that work on a context: makes the primary one, if none is current.
inline void need_context() {
  const Lock lock;
  if (current_context() == nullptr) {
    replace_context(primary_context(thread_contexts().device));
  }
  if (current_context()->primary) current_context()->active = true;
}

template <size_t... kIndices>
struct Indices {};
template <size_t kCount, size_t... kIndices>
struct Count : Count<kCount - 1, kCount - 1, kIndices...> {};
template <size_t... kIndices>
struct Count<0, kIndices...> {
  typedef Indices<kIndices...> type;
};

// A launch with pointers to the arguments, which are copied.
template <class... Params, size_t... kIndices>
cudaError_t launch_list(void (*kernel)(Params...), dim3 grid, dim3 block,
                        void** arguments, size_t shared_bytes,
                        cudaStream_t stream, Indices<kIndices...>) {
  const bool each[] = {false, argument_elsewhere(arguments[kIndices],
                                                 sizeof(Params))...};
  for (bool one : each) {
    if (one) return note(cudaErrorIllegalAddress);
  }
  const std::tuple<typename std::remove_const<Params>::type...> copies(
      *static_cast<typename std::remove_const<Params>::type*>(
          arguments[kIndices])...);
  const std::function<void()> body = [=]() {
    kernel(std::get<kIndices>(copies)...);
  };
  return launch(reinterpret_cast<const void*>(kernel), grid, block,
                shared_bytes, stream, body);
}

}  // namespace convk_emulator

// The next `queries` of streams and events answer cudaErrorNotReady, which is
// then the last error of the thread.
inline void convk_emulator_busy(int queries) {
  const convk_emulator::Lock lock;
  convk_emulator::answers().busy = queries;
}

// The compute capability of the devices, 9.0 at first.
inline void convk_emulator_capability(int major, int minor) {
  convk_emulator::answers().capability[0] = major;
  convk_emulator::answers().capability[1] = minor;
}

// What calls that look for a kernel answer: cudaSuccess at first, or that the
// program has no machine code for the device.
// Begins a timeline (see TIMELINE) or ends it; and what it says: how long all
// took, and each of copies in, work and copies out.
inline void convk_emulator_timeline(bool on, bool pinned, double thread) {
  const convk_emulator::Lock lock;
  convk_emulator::Timeline& t = convk_emulator::engine().timeline;
  t = convk_emulator::Timeline();
  t.on = on;
  t.pinned = pinned;
  t.thread = thread;
}
inline double convk_emulator_took(double busy[3]) {
  const convk_emulator::Lock lock;
  const convk_emulator::Timeline& t = convk_emulator::engine().timeline;
  for (int i = 0; i < 3; ++i) busy[i] = t.busy[i];
  return t.host;
}

// What streams get is run later, in an order of lots; 0: at once.
inline void convk_emulator_streams(unsigned seed) {
  const convk_emulator::Lock lock;
  convk_emulator::run_all();
  convk_emulator::engine().streams = seed;
}

inline void convk_emulator_image(cudaError_t error) {
  convk_emulator::answers().image = error;
}

// Bytes of shared memory that each kernel is said to have besides the dynamic
// one: both together may be 48 KB unless a kernel is allowed more.
inline void convk_emulator_static_shared(size_t bytes) {
  convk_emulator::engine().static_shared = bytes;
}

// The least that was asked for as the dynamic shared memory of any kernel.
inline size_t convk_emulator_least_shared() {
  return convk_emulator::answers().least_shared;
}

inline const char* cudaGetErrorName(cudaError_t error) {
#define CONVK_EMULATOR_NAME(code) \
  case code:                      \
    return #code;
  switch (error) {
    CONVK_EMULATOR_NAME(cudaSuccess)
    CONVK_EMULATOR_NAME(cudaErrorInvalidValue)
    CONVK_EMULATOR_NAME(cudaErrorMemoryAllocation)
    CONVK_EMULATOR_NAME(cudaErrorInvalidConfiguration)
    CONVK_EMULATOR_NAME(cudaErrorInvalidPitchValue)
    CONVK_EMULATOR_NAME(cudaErrorInvalidSymbol)
    CONVK_EMULATOR_NAME(cudaErrorInvalidMemcpyDirection)
    CONVK_EMULATOR_NAME(cudaErrorInsufficientDriver)
    CONVK_EMULATOR_NAME(cudaErrorInvalidDeviceFunction)
    CONVK_EMULATOR_NAME(cudaErrorNoDevice)
    CONVK_EMULATOR_NAME(cudaErrorInvalidDevice)
    CONVK_EMULATOR_NAME(cudaErrorDeviceUninitialized)
    CONVK_EMULATOR_NAME(cudaErrorNoKernelImageForDevice)
    CONVK_EMULATOR_NAME(cudaErrorSymbolNotFound)
    CONVK_EMULATOR_NAME(cudaErrorInvalidResourceHandle)
    CONVK_EMULATOR_NAME(cudaErrorNotReady)
    CONVK_EMULATOR_NAME(cudaErrorIllegalAddress)
    CONVK_EMULATOR_NAME(cudaErrorLaunchOutOfResources)
    CONVK_EMULATOR_NAME(cudaErrorLaunchFailure)
    CONVK_EMULATOR_NAME(cudaErrorNotSupported)
    CONVK_EMULATOR_NAME(cudaErrorIllegalState)
    CONVK_EMULATOR_NAME(cudaErrorStreamCaptureUnsupported)
    CONVK_EMULATOR_NAME(cudaErrorStreamCaptureInvalidated)
    CONVK_EMULATOR_NAME(cudaErrorStreamCaptureImplicit)
    CONVK_EMULATOR_NAME(cudaErrorUnknown)
  }
#undef CONVK_EMULATOR_NAME
  return "unrecognized error code";
}

inline const char* cudaGetErrorString(cudaError_t error) {
  switch (error) {
    case cudaSuccess: return "no error";
    case cudaErrorInvalidValue: return "invalid argument";
    case cudaErrorMemoryAllocation: return "out of memory";
    case cudaErrorInvalidConfiguration: return "invalid configuration argument";
    case cudaErrorInvalidDevice: return "invalid device ordinal";
    case cudaErrorNoDevice: return "no CUDA-capable device is detected";
    case cudaErrorNoKernelImageForDevice:
      return "no kernel image is available for execution on the device";
    case cudaErrorIllegalAddress:
      return "an illegal memory access was encountered";
    case cudaErrorLaunchFailure: return "unspecified launch failure";
    case cudaErrorStreamCaptureUnsupported:
      return "operation not permitted when stream is capturing";
    default: return cudaGetErrorName(error);
  }
}

inline cudaError_t cudaPeekAtLastError() {
  const convk_emulator::Lock lock;
  const cudaError_t sticky = convk_emulator::engine().sticky_error;
  return sticky != cudaSuccess ? sticky : convk_emulator::last_error();
}
inline cudaError_t cudaGetLastError() {
  const cudaError_t error = cudaPeekAtLastError();
  convk_emulator::last_error() = cudaSuccess;
  return error;
}

// --- Device

inline cudaError_t cudaGetDeviceCount(int* count) {
  if (count == nullptr) return convk_emulator::note(cudaErrorInvalidValue);
  *count = convk_emulator::kDevices;
  return convk_emulator::note(cudaSuccess);
}
// As since CUDA 12: the primary context is made at once, and replaces the
// current context of the thread.
inline cudaError_t cudaSetDevice(int device) {
  const convk_emulator::Lock lock;
  if (device < 0 || device >= convk_emulator::kDevices) {
    return convk_emulator::note(cudaErrorInvalidDevice);
  }
  convk_emulator::thread_contexts().device = device;
  convk_emulator::replace_context(convk_emulator::primary_context(device));
  convk_emulator::need_context();
  return convk_emulator::note(cudaSuccess);
}
inline cudaError_t cudaGetDevice(int* device) {
  if (device == nullptr) return convk_emulator::note(cudaErrorInvalidValue);
  *device = convk_emulator::current_device();
  return convk_emulator::note(cudaSuccess);
}
inline cudaError_t cudaDeviceSynchronize() {
  const convk_emulator::Lock lock;
  convk_emulator::need_context();
  convk_emulator::run_all();
  return convk_emulator::note(convk_emulator::not_while_capturing());
}

// Frees all memory (unchecked), of both devices, and forgets the errors;
// streams, events and graphs stay.
inline cudaError_t cudaDeviceReset() {
  const convk_emulator::Lock lock;
  convk_emulator::Engine& e = convk_emulator::engine();
  e.allocations.clear();
  for (size_t& bytes : e.device_bytes) bytes = 0;
  for (int i = 0; i < convk_emulator::kDevices; ++i) {
    convk_emulator::primary_context(i)->active = false;
  }
  convk_emulator_clear_errors();
  return cudaSuccess;
}

inline cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute,
                                          int device) {
  if (value == nullptr) return convk_emulator::note(cudaErrorInvalidValue);
  if (device < 0 || device >= convk_emulator::kDevices) {
    return convk_emulator::note(cudaErrorInvalidDevice);
  }
  int result = 0;
  switch (attribute) {
    case cudaDevAttrMaxThreadsPerBlock:
      result = int(convk_emulator::kMaxThreads);
      break;
    case cudaDevAttrMaxBlockDimX:
    case cudaDevAttrMaxBlockDimY:
    case cudaDevAttrMaxBlockDimZ:
      result = int(convk_emulator::kMaxBlockDim[attribute -
                                                cudaDevAttrMaxBlockDimX]);
      break;
    case cudaDevAttrMaxGridDimX:
    case cudaDevAttrMaxGridDimY:
    case cudaDevAttrMaxGridDimZ:
      result =
          int(convk_emulator::kMaxGridDim[attribute - cudaDevAttrMaxGridDimX]);
      break;
    case cudaDevAttrMaxSharedMemoryPerBlock:
      result = int(std::min(convk_emulator::kSharedBytes,
                            convk_emulator::engine().shared_opt_in));
      break;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
      result = int(convk_emulator::engine().shared_opt_in);
      break;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor: result = 228 * 1024; break;
    case cudaDevAttrReservedSharedMemoryPerBlock: result = 1024; break;
    case cudaDevAttrTotalConstantMemory: result = 64 * 1024; break;
    case cudaDevAttrWarpSize: result = 32; break;
    case cudaDevAttrMaxRegistersPerBlock: result = 65536; break;
    case cudaDevAttrMaxRegistersPerMultiprocessor: result = 65536; break;
    case cudaDevAttrClockRate: result = 1000000; break;
    case cudaDevAttrMultiProcessorCount:
      result = convk_emulator::engine().processors;
      break;
    case cudaDevAttrConcurrentKernels: result = 1; break;
    case cudaDevAttrMemoryClockRate: result = 1000000; break;
    case cudaDevAttrGlobalMemoryBusWidth: result = 64; break;
    case cudaDevAttrL2CacheSize: result = 1024 * 1024; break;
    case cudaDevAttrMaxThreadsPerMultiProcessor: result = 2048; break;
    case cudaDevAttrAsyncEngineCount: result = 1; break;
    case cudaDevAttrUnifiedAddressing: result = 1; break;
    case cudaDevAttrComputeCapabilityMajor:
      result = convk_emulator::answers().capability[0];
      break;
    case cudaDevAttrComputeCapabilityMinor:
      result = convk_emulator::answers().capability[1];
      break;
    case cudaDevAttrCooperativeLaunch: result = 0; break;
    case cudaDevAttrMaxBlocksPerMultiprocessor: result = 32; break;
    default: return convk_emulator::note(cudaErrorInvalidValue);
  }
  *value = result;
  return convk_emulator::note(cudaSuccess);
}

inline cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties,
                                           int device) {
  if (properties == nullptr) return convk_emulator::note(cudaErrorInvalidValue);
  if (device < 0 || device >= convk_emulator::kDevices) {
    return convk_emulator::note(cudaErrorInvalidDevice);
  }
  cudaDeviceProp p = cudaDeviceProp();
  std::strcpy(p.name, "emulator");
  p.totalGlobalMem = convk_emulator::engine().device_limit;
  p.sharedMemPerBlock = convk_emulator::kSharedBytes;
  p.sharedMemPerBlockOptin = convk_emulator::engine().shared_opt_in;
  p.sharedMemPerMultiprocessor = size_t(228) * 1024;
  p.reservedSharedMemPerBlock = 1024;
  p.totalConstMem = size_t(64) * 1024;
  p.regsPerBlock = 65536;
  p.regsPerMultiprocessor = 65536;
  p.warpSize = 32;
  p.maxThreadsPerBlock = int(convk_emulator::kMaxThreads);
  p.maxThreadsPerMultiProcessor = 2048;
  p.maxBlocksPerMultiProcessor = 32;
  for (int i = 0; i < 3; ++i) {
    p.maxThreadsDim[i] = int(convk_emulator::kMaxBlockDim[i]);
    p.maxGridSize[i] = int(convk_emulator::kMaxGridDim[i]);
  }
  p.major = convk_emulator::answers().capability[0];
  p.minor = convk_emulator::answers().capability[1];
  p.multiProcessorCount = convk_emulator::engine().processors;
  p.l2CacheSize = 1024 * 1024;
  p.memoryBusWidth = 64;
  p.concurrentKernels = 1;
  p.asyncEngineCount = 1;
  p.unifiedAddressing = 1;
  *properties = p;
  return convk_emulator::note(cudaSuccess);
}

template <class T>
cudaError_t cudaFuncSetAttribute(T* function, cudaFuncAttribute attribute,
                                 int value) {
  if (function == nullptr) {
    return convk_emulator::note(cudaErrorInvalidDeviceFunction);
  }
  const convk_emulator::Lock lock;
  convk_emulator::Answers& a = convk_emulator::answers();
  convk_emulator::need_context();
  if (a.image != cudaSuccess) return convk_emulator::note(a.image);
  if (attribute == cudaFuncAttributePreferredSharedMemoryCarveout) {
    return convk_emulator::note(cudaSuccess);
  }
  if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize || value < 0 ||
      size_t(value) + convk_emulator::engine().static_shared >
          convk_emulator::engine().shared_opt_in) {
    return convk_emulator::note(cudaErrorInvalidValue);
  }
  if (size_t(value) < a.least_shared) a.least_shared = size_t(value);
  convk_emulator::engine()
      .dynamic_shared_limit[convk_emulator::current_device()]
                           [reinterpret_cast<const void*>(function)] =
      size_t(value);
  return convk_emulator::note(cudaSuccess);
}

template <class T>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, T* function) {
  if (attributes == nullptr) return convk_emulator::note(cudaErrorInvalidValue);
  const convk_emulator::Lock lock;
  const convk_emulator::Answers& a = convk_emulator::answers();
  convk_emulator::need_context();
  if (a.image != cudaSuccess) return convk_emulator::note(a.image);
  const std::map<const void*, size_t>& limits =
      convk_emulator::engine()
          .dynamic_shared_limit[convk_emulator::current_device()];
  const std::map<const void*, size_t>::const_iterator limit =
      limits.find(reinterpret_cast<const void*>(function));
  const size_t own = convk_emulator::engine().static_shared;
  attributes->sharedSizeBytes = own;
  attributes->maxDynamicSharedSizeBytes =
      int(limit == limits.end() ? convk_emulator::kSharedBytes - own
                                : limit->second);
  return convk_emulator::note(cudaSuccess);
}

template <class... Params>
cudaError_t cudaLaunchKernel(void (*kernel)(Params...), dim3 grid, dim3 block,
                             void** arguments, size_t shared_bytes,
                             cudaStream_t stream) {
  {
    const convk_emulator::Lock lock;
    convk_emulator::need_context();
    const cudaError_t image = convk_emulator::answers().image;
    if (image != cudaSuccess) return convk_emulator::note(image);
    if (convk_emulator::valid_stream(stream) &&
        !convk_emulator::default_stream(stream) &&
        stream->context != convk_emulator::current_context()) {
      return convk_emulator::note(cudaErrorInvalidResourceHandle);
    }
  }
  return convk_emulator::launch_list<Params...>(
      kernel, grid, block, arguments, shared_bytes, stream,
      typename convk_emulator::Count<sizeof...(Params)>::type());
}

// --- Contexts, of the driver's API

inline CUresult cuDeviceGet(CUdevice* device, int ordinal) {
  if (ordinal < 0 || ordinal >= convk_emulator::kDevices) {
    return CUDA_ERROR_INVALID_DEVICE;
  }
  *device = ordinal;
  return CUDA_SUCCESS;
}
inline CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device) {
  const convk_emulator::Lock lock;
  *context = convk_emulator::primary_context(device);
  (*context)->active = true;
  ++(*context)->retained;
  return CUDA_SUCCESS;
}
// What the runtime has made itself stays.
inline CUresult cuDevicePrimaryCtxRelease(CUdevice device) {
  const convk_emulator::Lock lock;
  const CUcontext context = convk_emulator::primary_context(device);
  if (context->retained == 0) return CUDA_ERROR_INVALID_CONTEXT;
  --context->retained;
  return CUDA_SUCCESS;
}
inline CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned* flags,
                                           int* active) {
  const convk_emulator::Lock lock;
  *flags = 0;
  *active = convk_emulator::primary_context(device)->active;
  return CUDA_SUCCESS;
}
inline CUresult cuCtxGetCurrent(CUcontext* context) {
  *context = convk_emulator::current_context();
  return CUDA_SUCCESS;
}
inline CUresult cuCtxPushCurrent(CUcontext context) {
  if (context == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
  convk_emulator::push_context(context);
  return CUDA_SUCCESS;
}
inline CUresult cuCtxPopCurrent(CUcontext* context) {
  *context = convk_emulator::current_context();
  if (*context == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
  convk_emulator::pop_context();
  return CUDA_SUCCESS;
}
// As of CUDA 12: it is current then.
inline CUresult cuCtxCreate(CUcontext* context, unsigned, CUdevice device) {
  *context = new CUctx_st();
  (*context)->device = device;
  convk_emulator::push_context(*context);
  return CUDA_SUCCESS;
}
inline CUresult cuCtxDestroy(CUcontext context) {
  if (context == nullptr || context->primary) return CUDA_ERROR_INVALID_CONTEXT;
  if (convk_emulator::current_context() == context) {
    convk_emulator::pop_context();
  }
  delete context;
  return CUDA_SUCCESS;
}

// Those of the calls above that programs ask the runtime for.
inline cudaError_t cudaGetDriverEntryPointByVersion(
    const char* name, void** entry, unsigned, unsigned long long,
    cudaDriverEntryPointQueryResult* found = nullptr) {
  const struct {
    const char* name;
    void* entry;
  } known[] = {
      {"cuDeviceGet", reinterpret_cast<void*>(&cuDeviceGet)},
      {"cuDevicePrimaryCtxRetain",
       reinterpret_cast<void*>(&cuDevicePrimaryCtxRetain)},
      {"cuDevicePrimaryCtxRelease",
       reinterpret_cast<void*>(&cuDevicePrimaryCtxRelease)},
      {"cuCtxPushCurrent", reinterpret_cast<void*>(&cuCtxPushCurrent)},
      {"cuCtxPopCurrent", reinterpret_cast<void*>(&cuCtxPopCurrent)}};
  *entry = nullptr;
  for (const auto& one : known) {
    if (std::strcmp(one.name, name) == 0) *entry = one.entry;
  }
  if (found != nullptr) {
    *found = *entry == nullptr ? cudaDriverEntryPointSymbolNotFound
                               : cudaDriverEntryPointSuccess;
  }
  return convk_emulator::note(*entry == nullptr && found == nullptr
                                  ? cudaErrorSymbolNotFound
                                  : cudaSuccess);
}
#if CUDART_VERSION < 13000
#if CUDART_VERSION >= 12000
inline cudaError_t cudaGetDriverEntryPoint(
    const char* name, void** entry, unsigned long long flags,
    cudaDriverEntryPointQueryResult* found = nullptr) {
  return cudaGetDriverEntryPointByVersion(name, entry, CUDART_VERSION, flags,
                                          found);
}
#else
inline cudaError_t cudaGetDriverEntryPoint(const char* name, void** entry,
                                           unsigned long long flags) {
  return cudaGetDriverEntryPointByVersion(name, entry, CUDART_VERSION, flags);
}
#endif
#endif

// --- Streams and events

inline cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream,
                                             unsigned flags) {
  const convk_emulator::Lock lock;
  if (stream == nullptr || flags > cudaStreamNonBlocking) {
    return convk_emulator::note(cudaErrorInvalidValue);
  }
  convk_emulator::need_context();
  *stream = new CUstream_st;
  (*stream)->flags = flags;
  (*stream)->device = convk_emulator::current_device();
  (*stream)->context = convk_emulator::current_context();
  (*stream)->invalid = false;
  convk_emulator::engine().streams_there.insert(*stream);
  return convk_emulator::note(cudaSuccess);
}
inline cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  return cudaStreamCreateWithFlags(stream, cudaStreamDefault);
}
inline cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  const convk_emulator::Lock lock;
  convk_emulator::run_all();
  if (convk_emulator::engine().streams_there.erase(stream) == 0) {
    return convk_emulator::note(cudaErrorInvalidResourceHandle);
  }
  delete stream;
  return convk_emulator::note(cudaSuccess);
}
inline cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  const convk_emulator::Lock lock;
  convk_emulator::Timeline& t = convk_emulator::engine().timeline;
  if (t.on) t.host = std::max(t.host, t.ready[stream]);
  if (convk_emulator::goes_later(stream) &&
      convk_emulator::valid_stream(stream)) {
    convk_emulator::run_until([stream]() { return stream->later.empty(); });
  }
  return convk_emulator::note(convk_emulator::wait_for(stream));
}
inline cudaError_t cudaStreamQuery(cudaStream_t stream) {
  return convk_emulator::still_busy() ? convk_emulator::note(cudaErrorNotReady)
                                      : cudaStreamSynchronize(stream);
}

inline cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) {
  const convk_emulator::Lock lock;
  if (event == nullptr) return convk_emulator::note(cudaErrorInvalidValue);
  convk_emulator::need_context();
  *event = new CUevent_st();
  (*event)->device = convk_emulator::current_device();
  convk_emulator::engine().events.insert(*event);
  return convk_emulator::note(cudaSuccess);
}
inline cudaError_t cudaEventCreate(cudaEvent_t* event) {
  return cudaEventCreateWithFlags(event, cudaEventDefault);
}
inline cudaError_t cudaEventDestroy(cudaEvent_t event) {
  const convk_emulator::Lock lock;
  convk_emulator::run_all();
  if (convk_emulator::engine().events.erase(event) == 0) {
    return convk_emulator::note(cudaErrorInvalidResourceHandle);
  }
  delete event;
  return convk_emulator::note(cudaSuccess);
}
// Events in captures join streams there: no graph here has more than one.
inline cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  const convk_emulator::Lock lock;
  convk_emulator::Timeline& t = convk_emulator::engine().timeline;
  if (t.on) t.host = std::max(t.host, t.at[event]);
  if (convk_emulator::engine().events.count(event) != 0) {
    convk_emulator::run_until([event]() { return event->done >= event->asked; });
  }
  return convk_emulator::note(
      convk_emulator::engine().events.count(event) == 0
          ? cudaErrorInvalidResourceHandle
          : convk_emulator::not_while_capturing());
}
inline cudaError_t cudaEventQuery(cudaEvent_t event) {
  return convk_emulator::still_busy() ? convk_emulator::note(cudaErrorNotReady)
                                      : cudaEventSynchronize(event);
}
inline cudaError_t cudaEventRecord(cudaEvent_t event,
                                   cudaStream_t stream = nullptr) {
  const convk_emulator::Lock lock;
  if (convk_emulator::engine().events.count(event) == 0 ||
      !convk_emulator::valid_stream(stream) ||
      (!convk_emulator::default_stream(stream) &&
       stream->device != event->device)) {
    return convk_emulator::note(cudaErrorInvalidResourceHandle);
  }
  if (convk_emulator::captures(stream)) {
    return convk_emulator::note(convk_emulator::fail_capture(
        stream, cudaErrorStreamCaptureUnsupported));
  }
  event->recorded = true;
  ++event->asked;
  if (convk_emulator::engine().timeline.on) {
    convk_emulator::Timeline& t = convk_emulator::engine().timeline;
    t.at[event] = std::max(t.host, t.ready[stream]);
    event->done = event->asked;
    return convk_emulator::note(cudaSuccess);
  }
  if (convk_emulator::goes_later(stream)) {
    const convk_emulated_item item = {nullptr, nullptr, event, event->asked};
    return convk_emulator::note(convk_emulator::add_later(stream, item));
  }
  event->done = event->asked;
  event->time = std::chrono::steady_clock::now();
  return convk_emulator::note(cudaSuccess);
}
inline cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start,
                                        cudaEvent_t end) {
  const convk_emulator::Lock lock;
  const std::set<cudaEvent_t>& events = convk_emulator::engine().events;
  if (milliseconds == nullptr) {
    return convk_emulator::note(cudaErrorInvalidValue);
  }
  if (events.count(start) == 0 || events.count(end) == 0 || !start->recorded ||
      !end->recorded) {
    return convk_emulator::note(cudaErrorInvalidResourceHandle);
  }
  *milliseconds =
      std::chrono::duration<float, std::milli>(end->time - start->time).count();
  return convk_emulator::note(cudaSuccess);
}
inline cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event,
                                       unsigned = 0) {
  const convk_emulator::Lock lock;
  if (convk_emulator::engine().events.count(event) == 0 ||
      !convk_emulator::valid_stream(stream)) {
    return convk_emulator::note(cudaErrorInvalidResourceHandle);
  }
  if (convk_emulator::engine().timeline.on) {
    convk_emulator::Timeline& t = convk_emulator::engine().timeline;
    t.ready[stream] = std::max(t.ready[stream], t.at[event]);
    return convk_emulator::note(cudaSuccess);
  }
  if (convk_emulator::goes_later(stream) && !convk_emulator::captures(stream)) {
    const convk_emulated_item item = {nullptr, event, nullptr, event->asked};
    return convk_emulator::note(convk_emulator::add_later(stream, item));
  }
  return convk_emulator::note(
      convk_emulator::captures(stream)
          ? convk_emulator::fail_capture(stream,
                                         cudaErrorStreamCaptureUnsupported)
          : cudaSuccess);
}

// --- Graphs

inline cudaError_t cudaStreamBeginCapture(cudaStream_t stream,
                                          cudaStreamCaptureMode mode) {
  const convk_emulator::Lock lock;
  if (!convk_emulator::valid_stream(stream)) {
    return convk_emulator::note(cudaErrorInvalidResourceHandle);
  }
  if (convk_emulator::default_stream(stream)) {
    return convk_emulator::note(cudaErrorStreamCaptureUnsupported);
  }
  if (convk_emulator::captures(stream)) {
    return convk_emulator::note(cudaErrorIllegalState);
  }
  stream->capture.reset(new CUgraph_st());
  stream->capture->device = stream->device;
  stream->mode = mode;
  stream->thread = &convk_emulator::current_device();
  stream->invalid = false;
  return convk_emulator::note(cudaSuccess);
}
inline cudaError_t cudaStreamIsCapturing(cudaStream_t stream,
                                         cudaStreamCaptureStatus* status) {
  const convk_emulator::Lock lock;
  if (status == nullptr || !convk_emulator::valid_stream(stream)) {
    return convk_emulator::note(cudaErrorInvalidValue);
  }
  *status = !convk_emulator::captures(stream) ? cudaStreamCaptureStatusNone
            : stream->invalid ? cudaStreamCaptureStatusInvalidated
                              : cudaStreamCaptureStatusActive;
  return convk_emulator::note(cudaSuccess);
}
inline cudaError_t cudaStreamEndCapture(cudaStream_t stream,
                                        cudaGraph_t* graph) {
  const convk_emulator::Lock lock;
  if (graph == nullptr) return convk_emulator::note(cudaErrorInvalidValue);
  *graph = nullptr;
  if (!convk_emulator::valid_stream(stream)) {
    return convk_emulator::note(cudaErrorInvalidResourceHandle);
  }
  if (!convk_emulator::captures(stream)) {
    return convk_emulator::note(cudaErrorIllegalState);
  }
  std::unique_ptr<CUgraph_st> captured = std::move(stream->capture);
  if (stream->invalid) {
    return convk_emulator::note(cudaErrorStreamCaptureInvalidated);
  }
  *graph = captured.release();
  convk_emulator::engine().graphs.insert(*graph);
  return convk_emulator::note(cudaSuccess);
}
inline cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  const convk_emulator::Lock lock;
  if (convk_emulator::engine().graphs.erase(graph) == 0) {
    return convk_emulator::note(cudaErrorInvalidValue);
  }
  delete graph;
  return convk_emulator::note(cudaSuccess);
}
inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable,
                                        cudaGraph_t graph,
                                        unsigned long long = 0) {
  const convk_emulator::Lock lock;
  if (executable == nullptr ||
      convk_emulator::engine().graphs.count(graph) == 0) {
    return convk_emulator::note(cudaErrorInvalidValue);
  }
  *executable = new CUgraphExec_st{*graph};
  convk_emulator::engine().executables.insert(*executable);
  return convk_emulator::note(cudaSuccess);
}
inline cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* executable,
                                                 cudaGraph_t graph,
                                                 unsigned long long flags) {
  return cudaGraphInstantiate(executable, graph, flags);
}
inline cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) {
  const convk_emulator::Lock lock;
  if (convk_emulator::engine().executables.erase(executable) == 0) {
    return convk_emulator::note(cudaErrorInvalidValue);
  }
  delete executable;
  return convk_emulator::note(cudaSuccess);
}
inline cudaError_t cudaGraphLaunch(cudaGraphExec_t executable,
                                   cudaStream_t stream) {
  const convk_emulator::Lock lock;
  if (convk_emulator::engine().executables.count(executable) == 0) {
    return convk_emulator::note(cudaErrorInvalidValue);
  }
  if (!convk_emulator::valid_stream(stream)) {
    return convk_emulator::note(cudaErrorInvalidResourceHandle);
  }
  if (convk_emulator::captures(stream)) {
    return convk_emulator::note(convk_emulator::fail_capture(
        stream, cudaErrorStreamCaptureUnsupported));
  }
  for (const std::function<void()>& node : executable->graph.nodes) node();
  return convk_emulator::note(cudaSuccess);
}

// --- Memory

inline cudaError_t cudaMalloc(void** pointer, size_t bytes) {
  convk_emulator::need_context();
  return convk_emulator::allocate(pointer, bytes, true);
}
inline cudaError_t cudaMallocHost(void** pointer, size_t bytes) {
  convk_emulator::need_context();
  return convk_emulator::allocate(pointer, bytes, false);
}
template <class T>
cudaError_t cudaMalloc(T** pointer, size_t bytes) {
  void* memory = nullptr;
  const cudaError_t error =
      cudaMalloc(pointer == nullptr ? nullptr : &memory, bytes);
  if (pointer != nullptr) *pointer = static_cast<T*>(memory);
  return error;
}
template <class T>
cudaError_t cudaMallocHost(T** pointer, size_t bytes) {
  void* memory = nullptr;
  const cudaError_t error =
      cudaMallocHost(pointer == nullptr ? nullptr : &memory, bytes);
  if (pointer != nullptr) *pointer = static_cast<T*>(memory);
  return error;
}
inline cudaError_t cudaFree(void* pointer) {
  convk_emulator::need_context();
  return convk_emulator::deallocate(pointer, true);
}
inline cudaError_t cudaFreeHost(void* pointer) {
  convk_emulator::need_context();
  return convk_emulator::deallocate(pointer, false);
}
template <class T>
cudaError_t cudaHostAlloc(T** pointer, size_t bytes, unsigned) {
  return cudaMallocHost(pointer, bytes);
}
template <class T>
cudaError_t cudaMallocAsync(T** pointer, size_t bytes, cudaStream_t stream) {
  return convk_emulator::valid_stream(stream)
             ? cudaMalloc(pointer, bytes)
             : convk_emulator::note(cudaErrorInvalidResourceHandle);
}
inline cudaError_t cudaFreeAsync(void* pointer, cudaStream_t) {
  return cudaFree(pointer);
}
inline cudaError_t cudaMemGetInfo(size_t* free_bytes, size_t* total_bytes) {
  const convk_emulator::Lock lock;
  const convk_emulator::Engine& e = convk_emulator::engine();
  convk_emulator::need_context();
  if (free_bytes == nullptr || total_bytes == nullptr) {
    return convk_emulator::note(cudaErrorInvalidValue);
  }
  *total_bytes = e.device_limit;
  const size_t used = e.device_bytes[convk_emulator::current_device()];
  *free_bytes = e.device_limit > used ? e.device_limit - used : 0;
  return convk_emulator::note(cudaSuccess);
}

inline cudaPitchedPtr make_cudaPitchedPtr(void* pointer, size_t pitch,
                                          size_t width, size_t height) {
  const cudaPitchedPtr result = {pointer, pitch, width, height};
  return result;
}
inline cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth) {
  const cudaExtent result = {width, height, depth};
  return result;
}
inline cudaPos make_cudaPos(size_t x, size_t y, size_t z) {
  const cudaPos result = {x, y, z};
  return result;
}

// Copies that wait are work of the default stream.
inline cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes,
                                   cudaMemcpyKind kind,
                                   cudaStream_t stream = nullptr) {
  const convk_emulator::Lock lock;
  convk_emulator::need_context();
  return convk_emulator::note(convk_emulator::submit(
      stream, convk_emulator::cost_of(kind), double(bytes),
      [=]() { return convk_emulator::copy_row(to, from, bytes, kind); }));
}
inline cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes,
                              cudaMemcpyKind kind) {
  const convk_emulator::Lock lock;
  const cudaError_t error = convk_emulator::not_while_capturing();
  return error != cudaSuccess ? convk_emulator::note(error)
                              : cudaMemcpyAsync(to, from, bytes, kind);
}

inline cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch,
                                     const void* from, size_t from_pitch,
                                     size_t width, size_t height,
                                     cudaMemcpyKind kind,
                                     cudaStream_t stream = nullptr) {
  const convk_emulator::Lock lock;
  convk_emulator::need_context();
  if (to_pitch < width || from_pitch < width) {
    return convk_emulator::note(cudaErrorInvalidPitchValue);
  }
  return convk_emulator::note(convk_emulator::submit(
      stream, convk_emulator::cost_of(kind), double(width) * double(height), [=]() {
    return convk_emulator::copy_box(
        make_cudaPitchedPtr(to, to_pitch, width, height),
        make_cudaPitchedPtr(const_cast<void*>(from), from_pitch, width, height),
        make_cudaExtent(width, height, 1), kind);
  }));
}
inline cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from,
                                size_t from_pitch, size_t width, size_t height,
                                cudaMemcpyKind kind) {
  const convk_emulator::Lock lock;
  const cudaError_t error = convk_emulator::not_while_capturing();
  if (error != cudaSuccess) return convk_emulator::note(error);
  return cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, width, height, kind);
}

// Between pitched pointers only: there are no arrays here.
inline cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* parameters,
                                     cudaStream_t stream = nullptr) {
  const convk_emulator::Lock lock;
  convk_emulator::need_context();
  if (parameters == nullptr) return convk_emulator::note(cudaErrorInvalidValue);
  const cudaMemcpy3DParms& p = *parameters;
  const cudaExtent n = p.extent;
  if (p.srcPtr.pitch < p.srcPos.x + n.width ||
      p.dstPtr.pitch < p.dstPos.x + n.width) {
    return convk_emulator::note(cudaErrorInvalidPitchValue);
  }
  if (p.srcPtr.ptr == nullptr || p.dstPtr.ptr == nullptr ||
      (n.depth > 1 && (p.srcPtr.ysize < p.srcPos.y + n.height ||
                       p.dstPtr.ysize < p.dstPos.y + n.height))) {
    return convk_emulator::note(cudaErrorInvalidValue);
  }
  cudaPitchedPtr from = p.srcPtr;
  cudaPitchedPtr to = p.dstPtr;
  from.ptr = static_cast<char*>(from.ptr) +
             (p.srcPos.z * from.ysize + p.srcPos.y) * from.pitch + p.srcPos.x;
  to.ptr = static_cast<char*>(to.ptr) +
           (p.dstPos.z * to.ysize + p.dstPos.y) * to.pitch + p.dstPos.x;
  const cudaMemcpyKind kind = p.kind;
  return convk_emulator::note(convk_emulator::submit(
      stream, convk_emulator::cost_of(kind),
      double(n.width) * double(n.height) * double(n.depth), [=]() {
    return convk_emulator::copy_box(to, from, n, kind);
  }));
}
inline cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* parameters) {
  const convk_emulator::Lock lock;
  const cudaError_t error = convk_emulator::not_while_capturing();
  return error != cudaSuccess ? convk_emulator::note(error)
                              : cudaMemcpy3DAsync(parameters);
}

inline cudaError_t cudaMemsetAsync(void* pointer, int value, size_t bytes,
                                   cudaStream_t stream = nullptr) {
  const convk_emulator::Lock lock;
  convk_emulator::need_context();
  return convk_emulator::note(convk_emulator::submit(
      stream, convk_emulator::kCostThere, double(bytes), [=]() {
    if (bytes == 0) return cudaSuccess;
    if (!convk_emulator::valid_side(pointer, bytes, true)) {
      return cudaErrorInvalidValue;
    }
    std::memset(pointer, value, bytes);
    CONVK_EMULATOR_COUNT(written(pointer, bytes));
    return cudaSuccess;
  }));
}
inline cudaError_t cudaMemset(void* pointer, int value, size_t bytes) {
  const convk_emulator::Lock lock;
  const cudaError_t error = convk_emulator::not_while_capturing();
  return error != cudaSuccess ? convk_emulator::note(error)
                              : cudaMemsetAsync(pointer, value, bytes);
}

template <class T>
cudaError_t cudaMemcpyToSymbol(T& symbol, const void* from, size_t bytes,
                               size_t offset = 0,
                               cudaMemcpyKind = cudaMemcpyHostToDevice) {
  if (from == nullptr || offset > sizeof(T) || bytes > sizeof(T) - offset) {
    return convk_emulator::note(cudaErrorInvalidValue);
  }
  const convk_emulator::Lock lock;
  const cudaError_t error = convk_emulator::not_while_capturing();
  if (error != cudaSuccess) return convk_emulator::note(error);
  std::memcpy(reinterpret_cast<char*>(&symbol) + offset, from, bytes);
  return convk_emulator::note(cudaSuccess);
}
template <class T>
cudaError_t cudaMemcpyFromSymbol(void* to, const T& symbol, size_t bytes,
                                 size_t offset = 0,
                                 cudaMemcpyKind = cudaMemcpyDeviceToHost) {
  if (to == nullptr || offset > sizeof(T) || bytes > sizeof(T) - offset) {
    return convk_emulator::note(cudaErrorInvalidValue);
  }
  const convk_emulator::Lock lock;
  const cudaError_t error = convk_emulator::not_while_capturing();
  if (error != cudaSuccess) return convk_emulator::note(error);
  std::memcpy(to, reinterpret_cast<const char*>(&symbol) + offset, bytes);
  return convk_emulator::note(cudaSuccess);
}

#endif  // CONVK_CUDA_EMULATOR_H
