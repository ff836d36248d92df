/* Plans, opaque: each is of one operation and type, so that a compiler refuses another's. */
typedef struct convk_fftconv2d_plan convk_fftconv2d_plan;

typedef struct convk_fftconv2d_plan_complex convk_fftconv2d_plan_complex;

typedef struct convk_fft2d_plan_complex convk_fft2d_plan_complex;

/* Convolutions of a batch of small 2D fields with kernels, by FFT, as one call (S. A. H. Al Umairy et al., On the use
   of small 2D convolutions on GPUs, 2011, section 6: batched, without inner transposes, multiplied between the transforms,
   padding and extraction fused).
     out[i] = sum over j of field[j] kernel[o + i - j]      in both axes, o: the origin of the plan's mode; normalised
   plan      of the same type, made by fftconv2d_prepare
   batch     see convk_batch2d.  Items of the input may overlap, those of the output must lie apart (side by side in one image,
             too).  0 items: nothing is done
   in, out   rows x columns and out_rows x out_columns per item; in == out is allowed where pitches and strides are equal and no
             item touches another, or for one item; not with tiles; other overlaps are errors
   work      fftconv2d_work_size bytes, or NULL
   Tiles: where an axis of a mode that is not circular takes more than 1024 points, results are computed tile by tile
   (overlap-save) by transforms of m points (fft_rows, fft_columns; m >= 2 k), each of which gives m - k + 1 results: fields of
   any size, kernels of k <= 512 points along that axis, which the plan transforms to m points once.  Devices offer no tiles:
   UNSUPPORTED.
   An item's result has the same bits whatever its neighbours, the batch, threads and tuning are; NaN and infinity stay in their
   item.  Threads: blocks of items or tiles; each does at least CONVK_FFT_TASK nominal operations times the lanes of its
   vectors, which takes some 10 microseconds, so that what is smaller stays with the caller's thread.
   Errors: NULL, PLAN (another type's, damaged, or none), PITCH (also: items of the output overlap), OVERFLOW, INDEX, OVERLAP,
   WORK, MEMORY, HANDLE, THREADS.
   Accuracy, relative L2: about 2e-7 (c32, f32) and 5e-16 (c64, f64) at 16 to 128 points, with tiles those of a tile.
   Work for m x m points, c32: 10 m^2 log2 m^2 + 6 m^2 flops nominally, two thirds of that for a field of m / 2; half for real
   types; likewise for every tile of m x m points, which gives (m - k + 1)^2 results.  Traffic: fields and results once (of
   tiles: m / (m - k + 1) times along an axis); the kernels, of which each is 8 m^2 bytes, stay in the cache. */
CONVK_OPERATION_ int convk_fftconv2d(convk *hw, const convk_fftconv2d_plan *plan, const convk_batch2d *batch, const CONVK_T *in,
                                     CONVK_T *out, void *work, size_t work_size);
CONVK_OPERATION_ int convk_fftconv2d_complex(convk *hw, const convk_fftconv2d_plan_complex *plan, const convk_batch2d *batch,
                                             const CONVK_T *in, CONVK_T *out, void *work, size_t work_size);

/* Discrete Fourier transforms of a batch of 2D arrays, in natural order:
     CONVK_FORWARD   out[k] = sum over j of in[j] exp(-2 pi i (j0 k0 / rows + j1 k1 / columns))
     CONVK_INVERSE   the same with exp(+...), divided by rows columns: it undoes the other
   plan, batch (kernel is not looked at), in, out, work, errors: as fftconv2d, and OPTION (direction).
   Accuracy, relative L2: about 2e-7 and 4e-16.  Work: 5 n log2 n flops for n = rows columns, nominally. */
CONVK_OPERATION_ int convk_fft2d_complex(convk *hw, const convk_fft2d_plan_complex *plan, int direction,
                                         const convk_batch2d *batch, const CONVK_T *in, CONVK_T *out, void *work,
                                         size_t work_size);

/* A plan of fftconv2d: kernels, transformed once.  It lies in memory of the caller, is only read once made, may be used by any
   threads and any hardware at once, and copied: its first fftconv2d_plan_bytes bytes, to any address.
     fftconv2d_prepare_<type>           from kernels: kernel_rows x kernel_columns elements of the type, real for f32 and f64
     fftconv2d_prepare_spectrum_<type>  from their transforms sum over j of kernel[j] exp(-2 pi i j k / n), complex also for
                                        f32 and f64: fft_rows x fft_columns elements in natural order, of which f32 and f64
                                        read only rows 0 .. fft_rows / 2 (those of real kernels; of others results are
                                        undefined).  Modes and correlation mean what they mean for kernels.  Since a spectrum
                                        cannot be cut, n_fft >= origin + n_out and n_fft >= n_field + n_kernel - 1 - origin,
                                        or FFT_SIZE, where not circular: so set fft_rows and fft_columns for kernels larger
                                        than fields
   hw         an open handle or NULL: plans are the same for all
   shape      see convk_fftconv2d_shape.  FFT sizes are products of 2, 3, 5, 7 up to 1024; CONVK_FFT_CIRCULAR takes any period
              for kernels (another is padded: about four times the work); where an axis takes more than 1024 points, it is
              that of a tile, see fftconv2d, for kernels of at most 512 points, but not for spectra
   kernels    how many, at least 1
   kernel, spectrum   element (row, column) of number i at i stride + row pitch + column, in elements of its own type; pitch 0
              and stride 0: packed; finite
   plan       plan_size bytes, at least those of fftconv2d_plan_size; any alignment, 64 bytes is fastest
   Errors: those of convk_fftconv2d_resolve, and SIZE (no kernels), OVERFLOW, PITCH, NULL, WORK (plan_size), OVERLAP,
   NONFINITE, HANDLE; nothing is written then. */
CONVK_API_ int convk_fftconv2d_prepare(convk *hw, const convk_fftconv2d_shape *shape, size_t kernels, const CONVK_T *kernel,
                                       size_t pitch, size_t stride, convk_fftconv2d_plan *plan, size_t plan_size);

CONVK_API_ int convk_fftconv2d_prepare_complex(convk *hw, const convk_fftconv2d_shape *shape, size_t kernels,
                                               const CONVK_T *kernel, size_t pitch, size_t stride,
                                               convk_fftconv2d_plan_complex *plan, size_t plan_size);

/* A plan of fftconv2d from transforms of kernels, see fftconv2d_prepare. */
CONVK_API_ int convk_fftconv2d_prepare_spectrum(convk *hw, const convk_fftconv2d_shape *shape, size_t kernels,
                                                const CONVK_T *spectrum, size_t pitch, size_t stride,
                                                convk_fftconv2d_plan *plan, size_t plan_size);

/* The same for complex numbers. */
CONVK_API_ int convk_fftconv2d_prepare_spectrum_complex(convk *hw, const convk_fftconv2d_shape *shape, size_t kernels,
                                                        const CONVK_T *spectrum, size_t pitch, size_t stride,
                                                        convk_fftconv2d_plan_complex *plan, size_t plan_size);

/* Bytes of memory for a plan, some of which only its making needs; enough for fewer kernels, too.  hw may be NULL.
   Errors: those of convk_fftconv2d_resolve, and SIZE (no kernels), OVERFLOW, NULL, HANDLE; *bytes is not written then. */
CONVK_API_ int convk_fftconv2d_plan_size(convk *hw, const convk_fftconv2d_shape *shape, size_t kernels, size_t *bytes);

CONVK_API_ int convk_fftconv2d_plan_size_complex(convk *hw, const convk_fftconv2d_shape *shape, size_t kernels, size_t *bytes);

/* Bytes of a plan that was made: so many are to be copied, to a device say.  hw may be NULL.
   Errors: NULL, PLAN, HANDLE; *bytes is not written then. */
CONVK_API_ int convk_fftconv2d_plan_bytes(convk *hw, const convk_fftconv2d_plan *plan, size_t *bytes);

CONVK_API_ int convk_fftconv2d_plan_bytes_complex(convk *hw, const convk_fftconv2d_plan_complex *plan, size_t *bytes);

/* Bytes of work of fftconv2d for so many items, enough for fewer of them, too.
   hw   the handle of the call; NULL: for calls without one, of any variant.  Of a device's: 0, it has its own
   Errors: NULL, PLAN, OVERFLOW, HANDLE; *bytes is not written then. */
CONVK_API_ int convk_fftconv2d_work_size(convk *hw, const convk_fftconv2d_plan *plan, size_t items, size_t *bytes);

CONVK_API_ int convk_fftconv2d_work_size_complex(convk *hw, const convk_fftconv2d_plan_complex *plan, size_t items,
                                                 size_t *bytes);

/* A plan of fft2d: plan_size bytes, at least those of fft2d_plan_size; as plans of fftconv2d otherwise.
   rows, columns   products of 2, 3, 5, 7 up to 1024
   Errors: FFT_SIZE, NULL, WORK, HANDLE; nothing is written then. */
CONVK_API_ int convk_fft2d_prepare_complex(convk *hw, size_t rows, size_t columns, convk_fft2d_plan_complex *plan,
                                           size_t plan_size);

/* Bytes of memory for a plan of fft2d.  Errors: FFT_SIZE, NULL, HANDLE. */
CONVK_API_ int convk_fft2d_plan_size_complex(convk *hw, size_t rows, size_t columns, size_t *bytes);

/* Bytes of a plan of fft2d that was made, as fftconv2d_plan_bytes. */
CONVK_API_ int convk_fft2d_plan_bytes_complex(convk *hw, const convk_fft2d_plan_complex *plan, size_t *bytes);

/* Bytes of work of fft2d, as fftconv2d_work_size. */
CONVK_API_ int convk_fft2d_work_size_complex(convk *hw, const convk_fft2d_plan_complex *plan, size_t items, size_t *bytes);
