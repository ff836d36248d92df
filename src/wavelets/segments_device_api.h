/* convk_wavelet_uncompress on device memory: compressed, dense, and of both lists of segments `ends` and `place` (64-bit
   numbers) are there, all else is on the host and free again on return.  Nothing is allocated, copied or waited for; with
   OpenCL what is new builds a program first.
   shape  as there, but with OpenCL a struct of its own.  place is needed, and points, which only the host could count.  What
          the lists say is not looked at: where they do not ascend, points get the coefficients of others, or zeros; what lies
          behind `points` is neither read nor written
   In place: no.  No work.  One kernel, which looks for each point of the grid in both lists.
   Errors, before anything is started: as convk_wavelet_uncompress, but for those of segments; SIZE where points is 0; DEVICE;
   with OpenCL also SIZE (a buffer is too small), FP64 (f64), HANDLE, MEMORY, BUILD (see convk_cl_build_log). */
CONVK_API_ int convk_wavelet_uncompress_resident(CONVK_ON_ *on, const CONVK_DEVICE_STRUCT_(compressed_shape) * shape,
                                                 CONVK_ARRAY_(const CONVK_T) compressed, CONVK_ARRAY_(CONVK_T) dense);

/* convk_wavelet_compress on device memory; everything else as there. */
CONVK_API_ int convk_wavelet_compress_resident(CONVK_ON_ *on, const CONVK_DEVICE_STRUCT_(compressed_shape) * shape,
                                               CONVK_ARRAY_(const CONVK_T) dense, CONVK_ARRAY_(CONVK_T) compressed);
