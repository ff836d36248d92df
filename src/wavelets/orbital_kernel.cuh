/* ---- orbitals: both parts of complex numbers, and segments ---- */

#define CONVK_ELEMENT_ CONVK_CUDA_INLINE_
#include "wavelets/segments_element.h"
#undef CONVK_ELEMENT_

enum { CONVK_CUDA_ORBITAL_THREADS_ = 256 };

template <class real_> struct convk_cuda_parts_args_ : convk_parts_arguments_<real_> {
  real_ *parts;
  const real_ *in;
  real_ *numbers;
};

/* A thread takes one complex number. */
template <class real_>
static __global__ void __launch_bounds__(CONVK_CUDA_ORBITAL_THREADS_)
    convk_cuda_complex_parts_(const convk_cuda_parts_args_<real_> a) {
  const size_t points = a.nx * a.ny * a.nz;
  CONVK_CUDA_EVERY_(t, points, CONVK_CUDA_ORBITAL_THREADS_) {
    const size_t row = convk_cuda_divide_(t, a.nx), z = convk_cuda_divide_(row, a.ny), x = t - row * a.nx, y = row - z * a.ny;
    const size_t offset = 2 * (x + y * a.whole_y + z * a.whole_z);
    real_ *const re = a.parts + (x + y * a.pitch_y + z * a.pitch_z), *const im = re + a.apart;
    if (a.join) {
      a.numbers[offset] = *re;
      a.numbers[offset + 1] = *im;
    } else if (a.add) {
      *re = convk_cuda_add_(a.in[offset], *re);
      *im = convk_cuda_add_(a.in[offset + 1], *im);
    } else {
      *re = a.in[offset];
      *im = a.in[offset + 1];
    }
  }
}

template <class real_> struct convk_cuda_segments_args_ : convk_segments_arguments_<real_> {
  real_ *compressed, *dense;
  const uint64_t *ends[2], *place[2];
};

/* A thread takes one point of the grid of segments, and the eight elements of the array that it has. */
template <class real_>
static __global__ void __launch_bounds__(CONVK_CUDA_ORBITAL_THREADS_)
    convk_cuda_orbital_segments_(const convk_cuda_segments_args_<real_> a) {
  const size_t points = a.nx * a.ny * a.nz * a.vectors;
  CONVK_CUDA_EVERY_(t, points, CONVK_CUDA_ORBITAL_THREADS_) {
    const size_t row = convk_cuda_divide_(t, a.nx), plane = convk_cuda_divide_(row, a.ny), x = t - row * a.nx;
    const size_t vector = convk_cuda_divide_(plane, a.nz), y = row - plane * a.ny, z = plane - vector * a.nz;
    const uint64_t p = x + a.nx * (y + a.ny * z);
    const int64_t coarse = convk_segments_at_(a.ends[0], a.place[0], a.count[0], a.points[0], p);
    const int64_t fine = convk_segments_at_(a.ends[1], a.place[1], a.count[1], a.points[1], p);
    real_ *const to = a.dense + (vector * a.dense_stride + x + y * a.pitch_y + z * a.pitch_z);
    real_ *const of = a.compressed + vector * a.compressed_stride;
    CONVK_CUDA_EACH_(k, 8) {
      const size_t block = (k & 1 ? a.block[0] : 0) + (k & 2 ? a.block[1] : 0) + (k & 4 ? a.block[2] : 0);
      const int64_t at = k == 0 ? coarse : fine < 0 ? -1 : (int64_t)a.fine + 7 * fine + (k - 1);
      if (!a.compress) to[block] = at < 0 ? (real_)0 : of[at];
      else if (at >= 0) of[at] = to[block];
    }
  }
}
