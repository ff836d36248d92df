/* Two filters of a kernel: tap[p][f] meets what lies at even (p = 0) or odd (1) places behind the first, and makes a pair's
   first (f = 0) or second (1) output; count[p] taps, of the second filter `more`: 0 or 1. */
#define CONVK_WAVELETS_TAPS_ (CONVK_FILTER_MAX_TAPS / 2)

typedef struct convk_wavelets_taps_ {
  size_t count[2];
  int more;
  CONVK_T tap[2][2][CONVK_FILTER_MAX_TAPS / 2];
} convk_wavelets_taps_;

/* What an instruction set offers to the drivers of wavelets. */
typedef struct convk_wavelets_kernels_ {
  convk_filters_copy_fn_ *copy; /* of filters, as fence */
  void (*fence)(void);
  /* out[2 t + f][i] = sum over p, then k, of tap[p][f][k] rows[2 (t + k) + p][i], for t < pairs, i < n; half: 0, or
     element i goes to i / 2 of `out`, an odd one `half` further; stream as for columns; what lies `ahead` bytes further is
     fetched */
  void (*pairs)(const CONVK_T *const *rows, const convk_wavelets_taps_ *taps, size_t n, size_t pairs, CONVK_T *const *out,
                size_t half, int stream, size_t ahead);
  /* pair t of a row: the same sums of even[t + k] and odd[t + k], in nrows rows, to out[t] and out[apart + t], or where apart
     is 0 to out[2 t] and out[2 t + 1]; reads up to CONVK_SLACK_ elements further */
  void (*pairs_along)(const CONVK_T *even, const CONVK_T *odd, size_t pitch_in, const convk_wavelets_taps_ *taps, size_t pairs,
                      size_t nrows, CONVK_T *out, size_t pitch_out, size_t apart);
  /* how many rows of these taps pairs_turned takes at once, where it is the fast way: LANES, or 0.
     NULL: never */
  size_t (*pairs_block)(const convk_wavelets_taps_ *taps);
  /* the sums of `pairs`, transposed, in blocks of LANES outputs and LANES elements: element i of output t goes to
     out[i pitch + t], or where apart is not 0, of an even output to out[i pitch + t / 2], of an odd one `apart` further; n is
     LANES at least, and pairs half of that; fetch as for columns */
  void (*pairs_turned)(const CONVK_T *const *rows, const convk_wavelets_taps_ *taps, size_t n, size_t pairs, CONVK_T *out,
                       size_t pitch, size_t apart, size_t ahead, struct convk_fetch_ *fetch);
} convk_wavelets_kernels_;
