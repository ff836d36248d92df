/* Rows at equal distances, times a factor; first NULL: none. */
typedef struct convk_sums_rows_ {
  const CONVK_T *first;
  size_t pitch;
  CONVK_T factor;
} convk_sums_rows_;

/* Rows on their way to memory, and what they are the sum of:
     a filter of x on rows `in` (ntaps 0: none), alone also into part_x, where that is not NULL; at each step element
     parts, see CONVK_SUMS_PARTS_; to the factor of x comes the potential, times its own */
typedef struct convk_sums_way_ {
  convk_sums_rows_ in, part[CONVK_SUMS_PARTS_], potential;
  size_t step, ntaps;
  const CONVK_T *taps;
  CONVK_T *part_x, *out;
  size_t pitch_x, pitch_out;
} convk_sums_way_;

/* Rows of some planes on their way to memory, from copies of the input that have what filters see beyond their ends:
     z       rows of the planes that the filter of z sees: output plane p those from p on
     x, y    what the first tap meets; here: the points themselves
     pitch   of all of these; ntaps 0: no filter; some: of the planes are there, the others repeat the last one; otherwise as a
             way */
typedef struct convk_sums_planes_ {
  const CONVK_T *z[CONVK_SUMS_PLANES_ + CONVK_SUMS_SHORT_ - 1];
  const CONVK_T *x[CONVK_SUMS_PLANES_], *y[CONVK_SUMS_PLANES_], *here[CONVK_SUMS_PLANES_], *potential[CONVK_SUMS_PLANES_],
      *add[CONVK_SUMS_PLANES_];
  CONVK_T *out[CONVK_SUMS_PLANES_];
  size_t pitch, pitch_potential, pitch_add, pitch_out, step, ntaps[3], some;
  const CONVK_T *taps[3];
  int wants_x;
  CONVK_T potential_factor, shift, add_factor;
} convk_sums_planes_;

/* What an instruction set offers for it. */
typedef struct convk_sums_kernels_ {
  convk_filters_columns_fn_ *columns; /* of filters, as the next two */
  convk_filters_copy_fn_ *copy_rows;
  void (*fence)(void);
  /* n elements of nrows rows of a way; may read up to CONVK_SLACK_ elements behind `in`; stream as elsewhere */
  void (*finish)(const convk_sums_way_ *way, size_t n, size_t nrows, int stream);
  /* n complex numbers of rows times (re, im), or where turn is set, times i; out may be in */
  void (*spin)(const CONVK_T *in, size_t pitch_in, size_t n, size_t nrows, int turn, CONVK_T re, CONVK_T im, CONVK_T *out,
               size_t pitch_out);
  /* out[i] = in[i], i < n, in rows */
  void (*copy)(const CONVK_T *in, size_t pitch_in, size_t n, size_t nrows, CONVK_T *out, size_t pitch_out);
  /* the sum of a[i] b[i], or of potential[i] b[i] b[i] where a is NULL */
  double (*dot)(const CONVK_T *a, const CONVK_T *potential, const CONVK_T *b, size_t n);
  /* out[2 i] = out[2 i + 1] = in[i], i < n, in rows; NULL where nothing has a potential */
  void (*twice)(const CONVK_T *in, size_t pitch_in, size_t n, size_t nrows, CONVK_T *out, size_t pitch_out);
  /* n elements of nrows rows of planes; may read up to CONVK_SLACK_ elements behind rows of copies.  NULL, as the next one,
     where short filters take the way of long ones */
  void (*fused)(const convk_sums_planes_ *planes, size_t n, size_t nrows, int stream);
  /* rows of n elements, with the last `left` of them before, and the first `right` behind them; neither is more than n */
  void (*wrap)(const CONVK_T *in, size_t pitch_in, size_t n, size_t left, size_t right, size_t nrows, CONVK_T *out,
               size_t pitch_out);
} convk_sums_kernels_;
