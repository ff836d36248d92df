/* FFT libraries as peers of fftconv2d and fft2d: what bench_fft.h and fft_peers.c share. */
#ifndef BENCH_FFT_PEER_H
#define BENCH_FFT_PEER_H

#include <stddef.h>

/* Ways to write a convolution with a library that transforms: on one tile in place; by rows and columns in turn, in place,
   without rows of zeros and rows that are not wanted; from tile to tile to tile, whose zeros then stay; a chunk of tiles by one
   call. */
enum { FFT_IMAGE, FFT_PRUNED, FFT_APART, FFT_CHUNK_L1, FFT_CHUNK_L2, FFT_WAYS };

typedef struct fft_peer {
  int real, transform, way, patient; /* transform: items forward, and no more */
  int threads;                       /* the library's own, above 1 */
  size_t m, n;                       /* FFTs of m x m points; fields and results are n x n, from the field's origin on */
  size_t items, per_kernel, chunk;   /* chunk: tiles of a call; it divides items */
  const void *in, *spectra;          /* spectra: those of m x m (real: m / 2 + 1) frequencies in natural order, over m^2 */
  void *out, *tiles;                 /* FFT_APART: three */
  void *plan[4];
} fft_peer;

/* Reals from row to row of a tile. */
static inline size_t fft_peer_pitch(const fft_peer *p) { return 2 * (p->real ? p->m / 2 + 1 : p->m); }

#define FFT_PEER(library, type) \
  extern int library##_fft_open_##type(fft_peer *p) \
      __attribute__((weak)); /* overwrites tiles, and in and out of a transform */ \
  extern void library##_fft_run_##type(const fft_peer *p) __attribute__((weak)); \
  extern void library##_fft_close_##type(fft_peer *p) __attribute__((weak)); \
  extern int library##_fft_threaded_##type(void) __attribute__((weak)); /* whether the library has threads */
FFT_PEER(fftw, f32)
FFT_PEER(fftw, f64)
FFT_PEER(mkl, f32)
FFT_PEER(mkl, f64)

#endif
