#ifndef CONVK_FFT_INCLUDED_
#define CONVK_FFT_INCLUDED_
/* What the kernels of OpenCL take; those of CUDA have pointers, and divisions prepared, in a struct of their own. */

/* Passes of an axis.  radices: each less 1 in 4 bits, the first pass lowest; forward, inverse: where twiddles lie. */
typedef struct convk_fft_axis_device_ {
  uint32_t n, radices, halves, forward[8], inverse[8];
} convk_fft_axis_device_;

/* Where arrays begin, strides and pitches are in numbers of the type; work: in complex numbers. */
typedef struct convk_fft_device_ {
  uint64_t in, in_pitch, in_stride, out, out_pitch, out_stride;
  uint64_t tables, spectra, spectrum, kernels, per_kernel, index, number, items, work;
  uint64_t position_y, position_x; /* in numbers of 32 bits */
  uint32_t rows, columns, out_rows, out_columns, pitch;
  uint32_t indexed, none, swap, each, chunk, chunks;
  uint32_t columns_a, columns_b; /* of the tiles, or of the memory between kernels */
  convk_fft_axis_device_ y, x;
  uint32_t unused;
} convk_fft_device_;
#endif
