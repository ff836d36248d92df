/* A batch of small convolutions is one call.  Per item: transforms along y, which read the field itself (rows beyond it are
   never loaded, columns beyond it never transformed); along x, each line on its way multiplied by the kernel's spectrum and
   transformed back while it lies in registers and L1; back along y, where only wanted rows and columns are computed.
   Each lane of a vector has a transform of its own: those of neighbouring columns (then of neighbouring frequencies), or
   those of as many items as there are lanes, whichever is faster.  The operations on each number are the same in both cases. */
#define CONVK_FFT_STATUS_(item) \
  item(CONVK_ERR_FFT_SIZE, -26, "an FFT size is no product of 2, 3, 5, 7 up to 1024, or too small") \
  item(CONVK_ERR_MODE, -27, "unknown mode of a convolution, or sizes that it does not take") \
  item(CONVK_ERR_VALID, -28, "no result is valid (kept for programs that name it: a kernel may be larger than a field)") \
  item(CONVK_ERR_WINDOW, -29, "the window of results leaves the convolution") \
  item(CONVK_ERR_PLAN, -30, "no plan, or the plan of another operation, type or version") \
  item(CONVK_ERR_INDEX, -31, "an item asks for a kernel that the plan does not have")

/* The least that a task of fftconv2d and fft2d does, in nominal operations for each lane; define it before the include. */
#ifndef CONVK_FFT_TASK
#define CONVK_FFT_TASK 131072.0
#endif

/* Which part of a convolution is wanted, in the terms of scipy.signal.convolve and correlate (correlate2d and MATLAB's conv2
   begin CONVK_FFT_SAME at k / 2 instead, which CONVK_FFT_WINDOW gives).  With the full convolution of n points of a field and
   k of a kernel being C[0 .. n + k - 2], per axis:
   CONVK_FFT_FULL       C                          n + k - 1 points
   CONVK_FFT_SAME       from C[(k - 1) / 2] on     n points
   CONVK_FFT_VALID      C[k - 1 .. n - 1]          n - k + 1 points, where the kernel lies within the field; or
                                               C[n - 1 .. k - 1], k - n + 1 points, where the field lies within a larger kernel
   CONVK_FFT_CIRCULAR   of period p (fft_rows, fft_columns; 0: the field's own): for i = 0 .. out - 1 the sum over j of
                    field[j] kernel[(i + origin - j) mod p]; a smaller field or kernel is filled up with zeros.  out 0: the
                    field's size
   CONVK_FFT_WINDOW     C[origin .. origin + out - 1], which must lie within C
   The transpose of a convolution CONVK_FFT_SAME, as deconvolution wants it, is the correlation CONVK_FFT_WINDOW from origin
   k / 2 on, n points; with CONVK_FFT_SAME it would be one point off for even k. */
enum { CONVK_FFT_FULL = 0, CONVK_FFT_SAME = 1, CONVK_FFT_VALID = 2, CONVK_FFT_CIRCULAR = 3, CONVK_FFT_WINDOW = 4 };

/* What an item of fftconv2d is; zero-initialise it, then set the sizes.  Rows are the slow axis. */
typedef struct convk_fftconv2d_shape {
  size_t rows, columns;                /* of a field */
  size_t kernel_rows, kernel_columns;  /* of a kernel; of no meaning for CONVK_FFT_CIRCULAR with a spectrum */
  int mode;                            /* CONVK_FFT_FULL ... */
  int correlation;                     /* 1: the kernel is conjugated and reversed: kernel[j] -> conj(kernel[k - 1 - j]), or
                                         kernel[-j mod p] where circular */
  ptrdiff_t origin_row, origin_column; /* of CONVK_FFT_CIRCULAR and CONVK_FFT_WINDOW, else 0 */
  size_t out_rows, out_columns;        /* of CONVK_FFT_CIRCULAR and CONVK_FFT_WINDOW, else 0; convk_fftconv2d_resolve tells */
  size_t fft_rows, fft_columns;        /* 0: chosen.  With tiles: of a tile */
} convk_fftconv2d_shape;

/* A batch of 2D arrays.  Strides and pitches in elements of the type (a complex number is one); pitch 0: rows are packed,
   stride 0: items are packed. */
typedef struct convk_batch2d {
  size_t items;
  size_t in_pitch, in_stride; /* from row to row, and from item to item */
  size_t out_pitch, out_stride;
  const size_t *kernel; /* fftconv2d: which kernel of the plan an item takes.  NULL: item i takes
                                   i / items_per_kernel (0: 1), or the plan's only kernel */
  size_t items_per_kernel;
} convk_batch2d;

/* fftconv2d and fft2d: 1: vectors run along the columns of one item, 2: across items */
#define CONVK_FFT_TUNING_(parameter) parameter(size_t, fft_lanes, CONVK_TUNE_ROWS)
#define CONVK_FFT_TUNABLES_(tunable) \
  tunable(CONVK_FINDS_FFT_, fft, fftconv2d, f32, f32, CONVK_TUNE_WAYS_, 0) \
  tunable(CONVK_FINDS_FFT_, fft, fftconv2d, f64, f64, CONVK_TUNE_WAYS_, 0) \
  tunable(CONVK_FINDS_FFT_, fft, fftconv2d, c32, f32, CONVK_TUNE_WAYS_, 1) \
  tunable(CONVK_FINDS_FFT_, fft, fftconv2d, c64, f64, CONVK_TUNE_WAYS_, 1) \
  tunable(CONVK_FINDS_FFT_, fft, fft2d, c32, f32, CONVK_TUNE_WAYS_, 2) \
  tunable(CONVK_FINDS_FFT_, fft, fft2d, c64, f64, CONVK_TUNE_WAYS_, 2)
enum {
  CONVK_FFT_MAX_SIZE_ = 1024,
  CONVK_FFT_PASSES_ = 8,
  CONVK_FFT_LANES_ = 16, /* lanes that a vector has at most */
  CONVK_FFT_PAD_ = 16    /* lines of spectra are filled up to this, so that they are whole vectors */
};

/* The transform of one axis, by passes of radix r over blocks: after a pass, every block of n points has become r blocks.
   Frequencies end in permuted order, which the inverse undoes in the opposite order of passes: nothing is reversed. */
typedef struct convk_fft_axis_ {
  size_t n;
  int passes, radix[CONVK_FFT_PASSES_];
  int half_in, half_out; /* the upper half of inputs is zero; that of outputs is not wanted */
  uint32_t forward[CONVK_FFT_PASSES_], inverse[CONVK_FFT_PASSES_]; /* twiddles: elements from the tables on */
} convk_fft_axis_;

/* The beginning of a plan; then position tables, twiddles, spectra.  No pointers: it may be copied whole. */
typedef struct convk_fft_plan_ {
  char kind[16]; /* "fftconv2d c32" */
  int version;
  size_t bytes; /* of the plan, from this struct on */
  size_t rows, columns, out_rows, out_columns;
  size_t kernels;
  int real;                            /* pairs of columns are one complex one, and half of the spectrum is enough */
  convk_fft_axis_ axis[2];             /* rows (y) and columns (x) */
  size_t tile[2], origin[2], reach[2]; /* results of a tile (0: the axis is whole), the first result, kernel points - 1 */
  size_t lines;                        /* frequencies of y that are transformed along x: all, or 0 .. n / 2 */
  size_t pitch, spectrum;              /* elements: of a line of the spectra, filled up; of a spectrum */
  size_t position[2];                  /* bytes to the tables of uint32_t: where frequency k of an axis lies */
  size_t tables, spectra;              /* bytes to the twiddles and to the spectra */
  uint64_t sum;                        /* of all before, so that a damaged plan is none */
} convk_fft_plan_;

#if CONVK_HAS_FFT_
/* What a shape stands for: the same with the result's size, the origin and the FFT's size filled in.  resolved may be shape.
   (For CONVK_FFT_CIRCULAR with a period that has other factors than 2, 3, 5, 7, fft_rows and fft_columns stay the period.)
   hw        an open handle, for the message of an error, or NULL
   Errors: HANDLE, NULL, SIZE (a size is 0, or a field or kernel is larger than the period), OVERFLOW, OPTION, MODE, WINDOW,
   FFT_SIZE (also: more than 1024 are needed, and the kernel is too large for tiles). */
CONVK_API_ int convk_fftconv2d_resolve(convk *hw, const convk_fftconv2d_shape *shape, convk_fftconv2d_shape *resolved);
#endif
