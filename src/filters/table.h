struct convk_fetch_;

/* out[t][i] = factor[t][i] sum over k < ntaps of taps[k] rows[t + k][i], for t < nout, i < n; stream: past the cache where
   `out` is aligned, until fence; meanwhile what `fetch` says.  factor, fetch: or NULL */
typedef void convk_filters_columns_fn_(const CONVK_T *const *rows, size_t ntaps, const CONVK_T *taps, size_t n, size_t nout,
                                       CONVK_T *const *out, const CONVK_T *const *factor, int stream,
                                       struct convk_fetch_ *fetch);
/* out[i] = in[i], i < n, or 0 where in is NULL, in nrows rows */
typedef void convk_filters_copy_fn_(const CONVK_T *in, CONVK_T *out, size_t pitch, size_t n, size_t nrows);

/* What an instruction set offers to the drivers below. */
typedef struct convk_filters_kernels_ {
  convk_filters_columns_fn_ *columns;
  void (*fence)(void);
  /* out[i] = sum over k < ntaps of taps[k] in[i + k], i < n, in nrows rows; reads up to CONVK_SLACK_ elements further */
  void (*rows)(const CONVK_T *in, size_t pitch_in, size_t ntaps, const CONVK_T *taps, size_t n, size_t nrows, CONVK_T *out,
               size_t pitch_out);
  convk_filters_copy_fn_ *copy;
  /* out[i ld_out + j] = in[j ld_in + i], i < n, j < nrows */
  void (*transpose)(const CONVK_T *in, size_t ld_in, size_t n, size_t nrows, CONVK_T *out, size_t ld_out);
  /* the epilogue on some rows: r, one after the other, and x of the input for the dot product; offset into the epilogue's
     arrays, which like `out` have their pitch; ahead: bytes to what is fetched meanwhile; stream as for columns */
  void (*finish)(const convk_sepconv_epilogue *epilogue, size_t offset, size_t pitch, size_t n, size_t nrows, const CONVK_T *r,
                 const CONVK_T *x, size_t pitch_x, CONVK_T *out, double *dot, double *energy, size_t ahead, int stream);
} convk_filters_kernels_;
