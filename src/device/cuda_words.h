/* ---------------------------------------------------------------------------------------------- words of the kernels -- */

/* Division by 32 bits, which is several times faster, where that is enough. */
CONVK_CUDA_INLINE_ size_t convk_cuda_divide_(size_t a, size_t b) {
  return (a | b) >> 32 ? a / b : (size_t)((unsigned)a / (unsigned)b);
}

CONVK_CUDA_INLINE_ int convk_cuda_least_(size_t left, int limit) { return left < (size_t)limit ? (int)left : limit; }

/* A total and `count` more numbers, one after another, the loads of some of which go ahead of the additions. */
template <int ahead_ = 8, class type_>
CONVK_CUDA_INLINE_ double convk_cuda_total_of_(const type_ *from, size_t pitch, size_t count, double total) {
  size_t s = 0;
  for (; s + ahead_ <= count; s += ahead_) {
    type_ part[ahead_];
    CONVK_CUDA_EACH_(k, ahead_) part[k] = from[(s + (size_t)k) * pitch];
    CONVK_CUDA_EACH_(k, ahead_) total = convk_cuda_add_(total, (double)part[k]);
  }
  for (; s < count; s++) total = convk_cuda_add_(total, (double)from[s * pitch]);
  return total;
}

/* The pointer, whose origin the compiler does not see: else it adds that up anew for every address of 32 bits behind it. */
template <class type_> CONVK_CUDA_INLINE_ type_ *convk_cuda_base_(type_ *pointer) {
#ifdef __CUDA_ARCH__
  size_t at = __cvta_generic_to_global(pointer);
  asm("" : "+l"(at));
  pointer = (type_ *)__cvta_global_to_generic(at);
#endif
  return pointer;
}

/* The number, as if it were another one each time: multiples of it are not kept from one turn of a loop to the next. */
CONVK_CUDA_INLINE_ int convk_cuda_anew_(int number) {
#ifdef __CUDA_ARCH__
  asm volatile("" : "+r"(number));
#endif
  return number;
}
CONVK_CUDA_INLINE_ int64_t convk_cuda_anew_(int64_t number) { return number; }

/* Numbers from and to 16 bytes of aligned memory, by one instruction. */
CONVK_CUDA_INLINE_ void convk_cuda_get_(float *to, const float *from) {
  const float4 v = *(const float4 *)(const void *)from;
  to[0] = v.x, to[1] = v.y, to[2] = v.z, to[3] = v.w;
}
CONVK_CUDA_INLINE_ void convk_cuda_get_(double *to, const double *from) {
  const double2 v = *(const double2 *)(const void *)from;
  to[0] = v.x, to[1] = v.y;
}
CONVK_CUDA_INLINE_ void convk_cuda_put_(float *to, const float *from) {
  *(float4 *)(void *)to = make_float4(from[0], from[1], from[2], from[3]);
}
CONVK_CUDA_INLINE_ void convk_cuda_put_(double *to, const double *from) {
  *(double2 *)(void *)to = make_double2(from[0], from[1]);
}

/* `count` numbers, so many at a time: 1, or as many as 16 bytes have. */
template <int pack_, int count_, class type_> CONVK_CUDA_INLINE_ void convk_cuda_gets_(type_ *to, const type_ *from) {
  CONVK_CUDA_UNROLL_
  for (int i = 0; i < count_; i += pack_) {
    if (pack_ == 1) to[i] = from[i];
    else convk_cuda_get_(to + i, from + i);
  }
}
template <int pack_, int count_, class type_> CONVK_CUDA_INLINE_ void convk_cuda_puts_(type_ *to, const type_ *from) {
  CONVK_CUDA_UNROLL_
  for (int i = 0; i < count_; i += pack_) {
    if (pack_ == 1) to[i] = from[i];
    else convk_cuda_put_(to + i, from + i);
  }
}

/* The same to device memory, where another branch stores numbers one by one, which compilers would do in both. */
CONVK_CUDA_INLINE_ void convk_cuda_put_whole_(float *to, const float *v) {
#ifndef CONVK_CUDA_PTX_
  convk_cuda_put_(to, v);
#else
  asm volatile("st.global.v4.f32 [%0], {%1, %2, %3, %4};" : : "l"(to), "f"(v[0]), "f"(v[1]), "f"(v[2]), "f"(v[3]) : "memory");
#endif
}
CONVK_CUDA_INLINE_ void convk_cuda_put_whole_(double *to, const double *v) {
#ifndef CONVK_CUDA_PTX_
  convk_cuda_put_(to, v);
#else
  asm volatile("st.global.v2.f64 [%0], {%1, %2};" : : "l"(to), "d"(v[0]), "d"(v[1]) : "memory");
#endif
}

/* Copies 16 bytes of device memory to shared memory.  Ready after convk_cuda_copies_wait_, for the thread that asked. */
template <class type_> CONVK_CUDA_INLINE_ void convk_cuda_bring_(type_ *to, const type_ *from) {
#if defined __CUDA_ARCH__ && __CUDA_ARCH__ >= 800
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"((unsigned)__cvta_generic_to_shared(to)), "l"(from) : "memory");
#elif defined CONVK_CUDA_EMULATOR
  convk_emulated_copy_async(to, from, 16);
#else
  type_ v[16 / sizeof(type_)];
  convk_cuda_get_(v, from);
  convk_cuda_put_(to, v);
#endif
}

/* The same of one number, or of 0, where there is none. */
template <class type_> CONVK_CUDA_INLINE_ void convk_cuda_bring_one_(type_ *to, const type_ *from, int is) {
#if defined __CUDA_ARCH__ && __CUDA_ARCH__ >= 800
  asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"((unsigned)__cvta_generic_to_shared(to)), "l"(from),
               "n"(sizeof(type_)), "r"(is ? (unsigned)sizeof(type_) : 0)
               : "memory");
#else
  if (!is) *to = 0;
#ifdef CONVK_CUDA_EMULATOR
  else convk_emulated_copy_async(to, from, sizeof *to);
#else
  else *to = *from;
#endif
#endif
}
CONVK_CUDA_INLINE_ void convk_cuda_copies_wait_() {
#if defined __CUDA_ARCH__ && __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_all;" ::: "memory");
#elif defined CONVK_CUDA_EMULATOR
  convk_emulated_copies_wait();
#endif
}

/* The matrix unit's sums of doubles are chains of multiply-adds in rising order, each rounded once: what convk_cuda_fma_ makes
   of them, at twice its rate.  A warp adds the product of 16 x 8 and 8 x 8 elements.  Thread k + 4 r has of the first ones rows
   r (low) and r + 8 (high), in places k and k + 4; of the second ones columns r, in places k and k + 4; of the sums rows r and
   r + 8, in columns 2 k and 2 k + 1. */
#if CONVK_CUDA_ARCH_ == 800 || CONVK_CUDA_ARCH_ == 900 || defined CONVK_CUDA_EMULATOR
#define CONVK_CUDA_MATRIX_ 1
#else
#define CONVK_CUDA_MATRIX_ 0
#endif
CONVK_CUDA_INLINE_ void convk_cuda_multiply_(const double (*w)[4], const double *v, double *low, double *high) {
#if CONVK_CUDA_ARCH_ == 900
  asm("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+d"(low[0]), "+d"(low[1]), "+d"(high[0]), "+d"(high[1])
      : "d"(w[0][0]), "d"(w[0][1]), "d"(w[1][0]), "d"(w[1][1]), "d"(v[0]), "d"(v[1]));
#elif CONVK_CUDA_ARCH_ == 800
  CONVK_CUDA_EACH_(i, 4)
    asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
        : "+d"((i % 2 ? high : low)[0]), "+d"((i % 2 ? high : low)[1])
        : "d"(w[i / 2][i % 2]), "d"(v[i / 2]));
#elif defined CONVK_CUDA_EMULATOR
  const double a[4] = {w[0][0], w[0][1], w[1][0], w[1][1]};
  convk_emulated_multiply(a, v, low, high);
#else
  (void)w, (void)v, (void)low, (void)high;
#endif
}
CONVK_CUDA_INLINE_ void convk_cuda_multiply_(const float (*)[4], const float *, float *, float *) {} /* of floats it has none */

#define CONVK_CUDA_SHARED_UNASKED_ \
  32768 /* bytes of dynamic shared memory that any launch may have: with a kernel's own, 48 KB */

/* Lets blocks of a kernel have more dynamic shared memory than that: always all that the device grants.  Another thread that
   asks for the same kernel, between here and the launch, must not take away what this one needs. */
template <class Args> static cudaError_t convk_cuda_allow_(void (*kernel)(Args), size_t shared) {
  cudaFuncAttributes has;
  int device = 0, shared_limit = 0;
  cudaError_t error = cudaFuncGetAttributes(&has, CONVK_CUDA_ENTRY_(kernel));
  if (error != cudaSuccess || (size_t)has.maxDynamicSharedSizeBytes >= shared) return error;
  error = cudaGetDevice(&device);
  if (error == cudaSuccess) error = cudaDeviceGetAttribute(&shared_limit, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
  if (error != cudaSuccess) return error;
  return cudaFuncSetAttribute(CONVK_CUDA_ENTRY_(kernel), cudaFuncAttributeMaxDynamicSharedMemorySize,
                              shared_limit - (int)has.sharedSizeBytes);
}

/* Starts a kernel on one argument.  Only what our own calls return counts: see ERRORS in cuda_host.h. */
template <class Args>
static int convk_cuda_launch_(void (*kernel)(Args), size_t blocks, int threads, cudaStream_t stream, const Args &args,
                              size_t shared = 0) {
  void *list[1] = {(void *)(uintptr_t)&args};
  cudaError_t error = shared > CONVK_CUDA_SHARED_UNASKED_ ? convk_cuda_allow_(kernel, shared) : cudaSuccess;
  if (error == cudaSuccess)
    error = cudaLaunchKernel(CONVK_CUDA_ENTRY_(kernel), (unsigned)blocks, (unsigned)threads, list, shared, stream);
  return error == cudaSuccess ? CONVK_OK : CONVK_ERR_DEVICE;
}

#if CONVK_CORE_
/* Does nothing.  Where it has no machine code, no other kernel of the program has. */
static __global__ void convk_cuda_present_(int) {}
#endif

/* The same for kernels that loop over what there is for more blocks. */
template <class Args>
static int convk_cuda_start_(void (*kernel)(Args), size_t blocks, int threads, cudaStream_t stream, const Args &args,
                             size_t shared = 0) {
  const size_t limit = CONVK_CUDA_MAX_BLOCKS_;
  return convk_cuda_launch_(kernel, blocks < limit ? blocks : limit, threads, stream, args, shared);
}
