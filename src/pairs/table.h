#define CONVK_PAIRS_LANES_ (64 / sizeof(CONVK_T)) /* sums are over so many interleaved lanes, on all hardware */

/* Two blocks of particles, or one and itself.  Coordinates: x of the block, y, z; arrays are filled up to whole blocks. */
typedef struct convk_pairs_tile_ {
  const CONVK_T *rows, *columns;
  const CONVK_T *limit;                    /* of columns: the system's, or 0 for what counts as nothing */
  CONVK_T *row_gradient, *column_gradient; /* [3][CONVK_PAIRS_BLOCK_]: set for rows, and for columns of another block */
  size_t nrows, ncolumns;
  int own, all, want; /* all: no column counts as nothing */
  double *sum;        /* [CONVK_PAIRS_SUMS_][CONVK_PAIRS_LANES_]: added to */
  convk_pairs_sums_ *product;
} convk_pairs_tile_;

/* One particle before and after a move, and n others: a block of them, or all of a walker. */
typedef struct convk_pairs_row_ {
  CONVK_T at[2][3];            /* before, after */
  const CONVK_T *x[3], *limit; /* of the others, [n]: coordinates; limits of r^2, 0: it counts as nothing */
  size_t n;                    /* a multiple of CONVK_PAIRS_LANES_: what fills it up has limit 0 */
  int want;
  CONVK_T *gradient[3];       /* NULL, or of the others: the change is added */
  double *sum;                /* [3][CONVK_PAIRS_LANES_]: added to, after less before */
  double *force;              /* [6][CONVK_PAIRS_LANES_]: gradients before and after, with CONVK_PAIR_GRADIENT */
  convk_pairs_sums_ *product; /* of r^2 after over that before */
} convk_pairs_row_;

/* The pairs of two or three particles, one in each lane: their differences, then those times u' / r; and what they add to sums
   and products. */
typedef struct convk_pairs_tiny_lanes_ {
  CONVK_T way[3][CONVK_PAIRS_LANES_], sum[CONVK_PAIRS_SUMS_][CONVK_PAIRS_LANES_];
  CONVK_T product[CONVK_PAIRS_LANES_], exponent[CONVK_PAIRS_LANES_];
} convk_pairs_tiny_lanes_;

typedef struct convk_pairs_kernels_ {
  void (*tile)(const convk_pairs_terms_ *terms, const convk_pairs_tile_ *tile);
  void (*row)(const convk_pairs_terms_ *terms, const convk_pairs_row_ *row);
  void (*potential)(const convk_pairs_terms_ *terms, size_t n, const CONVK_T *r, CONVK_T *v);
  void (*tiny)(const convk_pairs_terms_ *terms, size_t n, size_t pitch, int want, const CONVK_T *r, convk_pairs_tiny_lanes_ *p);
  int (*inside)(size_t n, const CONVK_T *r); /* whether all coordinates are finite, and within the range */
} convk_pairs_kernels_;
