/* One-dimensional convolutions of d-dimensional arrays, by the names and arguments of libconv: y := a F x + a_x x + a_y y, where F is
   a filter along dimension idim.  Link libconv.c instead of the library.
     d_..., s_...    of doubles, of floats
     op              SYM8_MF, SYM8_IMF, and of the calls with `dot` also SYM8_D1, SYM8_D2: BigDFT's magic filter and its transpose, the
                     first and the second derivative (grid spacing 1)
     d, n            how many dimensions, the first one contiguous, and their sizes in x
     idim            which of them, from 0
     bc              what lies beyond the ends of that dimension, and the size there: LIBCONV_PERIODIC ...
     nx, ny          leading sizes of x and y.  As in libconv those of the other dimensions are what is computed, so that
                     nx and ny are equal there, and n but for padding
     narr            how many such arrays, one after the other in x and in y
   Wavelets along a dimension: y := a W x + a_y y, by s0s1_1d_ (op SYM8_DWT, and SYM8_RTOS1 from values at points) and s1s0_1d_
   (SYM8_IDWT, and SYM8_S1TOR to values).  s0s1 has the scaling coefficients in the first half of that dimension of y, and the
   wavelet coefficients behind them; s1s0 takes x so.  Sizes are even, of all coefficients; s1s0 with LIBCONV_GROW makes 14 more of
   them (values: 29), which s0s1 with LIBCONV_SHRINK takes; not the other way round.
     dot_in          sum of x times a F x, over the points of x; not with LIBCONV_SHRINK
   ..._dims    sets dims[idim] to the size of y there.  ..._cost: operations.
   y is not read where a_y is 0.  Errors end the program with a message: see adapter.h. */
#ifndef LIBCONV_H
#define LIBCONV_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* As libconv numbers them when it is generated for SYM8 alone; its numbers depend on that. */
#ifndef SYM8_MF
#define SYM8_MF 0
#define SYM8_IMF 1
#define SYM8_DWT 2
#define SYM8_RTOS1 3
#define SYM8_IDWT 4
#define SYM8_S1TOR 5
#define SYM8_D1 6
#define SYM8_D2 7
#endif

enum {
  LIBCONV_PERIODIC = 0,
  LIBCONV_GROW = 1,    /* zeros beyond; y has as many points more as the filter has taps but one */
  LIBCONV_SHRINK = -1, /* y has so many points less */
  LIBCONV_FREE = 2     /* zeros beyond; y has the size of x */
};

/* Every argument by address, as Fortran passes it, and for one filter by value. */
#define LIBCONV_ARRAYS_(T) \
  const int32_t *op, const int32_t *d, const int32_t *idim, const int32_t *n, const int32_t *bc, const int32_t *nx, \
      const int32_t *ny, const int32_t *narr, const T *x, T *y, const T *a, const T *a_x, const T *a_y
#define LIBCONV_SIZES_ const int32_t *op, const int32_t *d, const int32_t *idim, const int32_t *n, const int32_t *bc
#define LIBCONV_LEADING_ const int32_t *nx, const int32_t *ny, const int32_t *narr
#define LIBCONV_FACTORS_(T) const T *a, const T *a_x, const T *a_y
#define LIBCONV_VALUES_(T) \
  int32_t d, int32_t idim, const int32_t *n, int32_t bc, const int32_t *nx, const int32_t *ny, int32_t narr, const T *x, T *y, \
      T a, T a_x, T a_y
/* Of wavelets, which have no a_x. */
#define LIBCONV_WAVELETS_(T) \
  const int32_t *op, const int32_t *d, const int32_t *idim, const int32_t *n, const int32_t *bc, const int32_t *nx, \
      const int32_t *ny, const int32_t *narr, const T *x, T *y, const T *a, const T *a_y
#define LIBCONV_WAVELET_VALUES_(T) \
  int32_t d, int32_t idim, const int32_t *n, int32_t bc, const int32_t *nx, const int32_t *ny, int32_t narr, const T *x, T *y, \
      T a, T a_y
#define LIBCONV_PROTOTYPES_(p, T) \
  void p##_s0s0_1d_(LIBCONV_ARRAYS_(T)); \
  void p##_s0s0_1d_dims_(LIBCONV_SIZES_, LIBCONV_FACTORS_(T), int32_t *dims); \
  void p##_s0s0_1d_cost_(LIBCONV_SIZES_, LIBCONV_LEADING_, LIBCONV_FACTORS_(T), int32_t *cost); \
  void p##_s0s0_dot_1d_(LIBCONV_ARRAYS_(T), T *dot_in); \
  void p##_s0s0_dot_1d_dims_(LIBCONV_SIZES_, LIBCONV_FACTORS_(T), T *dot_in, int32_t *dims); \
  void p##_s0s0_dot_1d_cost_(LIBCONV_SIZES_, LIBCONV_LEADING_, LIBCONV_FACTORS_(T), T *dot_in, int32_t *cost); \
  void p##_s0s0_1d_sym8_md(LIBCONV_VALUES_(T)); \
  void p##_s0s0_1d_sym8_imd(LIBCONV_VALUES_(T)); \
  void p##_s0s0_1d_sym8_d1_dotin(LIBCONV_VALUES_(T), T *dot_in); \
  void p##_s0s0_1d_sym8_d2_dotin(LIBCONV_VALUES_(T), T *dot_in); \
  void p##_s0s1_1d_(LIBCONV_WAVELETS_(T)); \
  void p##_s0s1_1d_dims_(LIBCONV_SIZES_, const T *a, const T *a_y, int32_t *dims); \
  void p##_s0s1_1d_cost_(LIBCONV_SIZES_, LIBCONV_LEADING_, const T *a, const T *a_y, int32_t *cost); \
  void p##_s1s0_1d_(LIBCONV_WAVELETS_(T)); \
  void p##_s1s0_1d_dims_(LIBCONV_SIZES_, const T *a, const T *a_y, int32_t *dims); \
  void p##_s1s0_1d_cost_(LIBCONV_SIZES_, LIBCONV_LEADING_, const T *a, const T *a_y, int32_t *cost); \
  void p##_s0s1_1d_sym8(LIBCONV_WAVELET_VALUES_(T)); \
  void p##_s1s0_1d_sym8(LIBCONV_WAVELET_VALUES_(T));

LIBCONV_PROTOTYPES_(d, double)
LIBCONV_PROTOTYPES_(s, float)

#ifdef __cplusplus
}
#endif
#endif
