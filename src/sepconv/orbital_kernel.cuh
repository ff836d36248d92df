#if CONVK_HAS_SEPCONV_
/* ---- orbitals: both parts of complex numbers ---- */

enum { CONVK_CUDA_ORBITAL_THREADS_ = 256 };

template <class T> struct convk_cuda_parts_args_ : convk_parts_arguments_<T> {
  T *parts;
  const T *in;
  T *numbers;
};

/* A thread takes one complex number. */
template <class T>
static __global__ void __launch_bounds__(CONVK_CUDA_ORBITAL_THREADS_)
    convk_cuda_complex_parts_(const convk_cuda_parts_args_<T> a) {
  const size_t points = a.nx * a.ny * a.nz;
  for (size_t t = (size_t)blockIdx.x * CONVK_CUDA_ORBITAL_THREADS_ + threadIdx.x; t < points;
       t += (size_t)gridDim.x * CONVK_CUDA_ORBITAL_THREADS_) {
    const size_t row = convk_cuda_divide_(t, a.nx), z = convk_cuda_divide_(row, a.ny), x = t - row * a.nx, y = row - z * a.ny;
    const size_t there = 2 * (x + y * a.whole_y + z * a.whole_z);
    T *const re = a.parts + (x + y * a.pitch_y + z * a.pitch_z), *const im = re + a.apart;
    if (a.join) {
      a.numbers[there] = *re;
      a.numbers[there + 1] = *im;
    } else if (a.add) {
      *re = convk_cuda_add_(a.in[there], *re);
      *im = convk_cuda_add_(a.in[there + 1], *im);
    } else {
      *re = a.in[there];
      *im = a.in[there + 1];
    }
  }
}
#endif
