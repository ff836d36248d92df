/* ---- distances: what drivers and kernels have in common, in doubles for both precisions ---- */

/* Atoms of one kind that lie near each other, first .. first + n - 1 of the sorted ones, filled up to whole vectors. */
typedef struct convk_distances_box_ {
  size_t first, n, filled;
  uint32_t kind, cell;
  double least[3], most[3]; /* of their coordinates */
} convk_distances_box_;

/* What a kernel counts: atoms of box `to` at d = (x_i - x_j) - shift from those of box `at`; of a triangle, row i of `at` with
   atoms 0 .. i - 1 of the same box. */
typedef struct convk_distances_rows_ {
  const double *at[3], *to[3], *weight[2]; /* weights of either; NULL: none */
  size_t rows, columns;
  int triangle, moments;
  double shift[3], least[3], most[3]; /* the box of `to` */
  double reach;                       /* what is further away is not looked at */
  double doubt;                       /* of floats: how far from an edge, in bins, a place is known, but for parts of it */
  double scale;                       /* 2^20 / width */
  size_t bins;
  uint64_t *words; /* of each bin one, or with the second moment two: bins, and a vector's lanes more for what lies beyond */
  double *sums;    /* in their place with weights: moments + 1 of each */
} convk_distances_rows_;

/* Pairs on their way to bins, the bits of integers: bin k, 2^42 + f, and f^2 or the product of weights.  In a vector from which
   atoms are missing these go to bins beyond the last.  What is less than BEHIND places from the last has not arrived. */
#define CONVK_DISTANCES_RING_ 128
#define CONVK_DISTANCES_BEHIND_ 64
typedef struct convk_distances_ring_ {
  double bin[CONVK_DISTANCES_RING_], add[CONVK_DISTANCES_RING_], more[CONVK_DISTANCES_RING_];
} convk_distances_ring_;

/* What a kernel sums: for x = q m,  sum of sine[i] sin x, square[i] sin x and cosine[i] cos x, of n numbers, a multiple of
   LANES.  second 0: the first sum alone. */
typedef struct convk_distances_waves_ {
  const double *m, *sine, *square, *cosine;
  size_t n;
  double q;
  int second;
  double sum[3];
} convk_distances_waves_;

/* What an instruction set offers. */
typedef struct convk_distances_calls_ {
  void (*rows)(const convk_distances_rows_ *part);
  void (*lengths)(const convk_distances_rows_ *part, size_t row, double *r);
  void (*waves)(convk_distances_waves_ *part);
} convk_distances_calls_;

/* Where a task is: the row of boxes, and the number of its partner. */
typedef struct convk_distances_cursor_ {
  size_t row, partner, pairs;
} convk_distances_cursor_;

/* A checked call. */
typedef struct convk_distances_job_ {
  const convk_distances_calls_ *calls;
  convk_cell_axes_ frame;
  convk_part part;
  const convk_distances *to;
  size_t n, kinds, pairs, tasks; /* pairs: of kinds */
  int weighted, beyond;
  double cutoff, scale;
  const uint32_t *kind;
  /* the frame at hand: as it was given; sorted; cells along axes, and cells about one whose atoms may be near */
  double *given[4], *sorted[4];
  uint32_t *cell; /* of each atom */
  size_t *start;  /* kind, cell -> its first box */
  convk_distances_box_ *box;
  size_t boxes, most_boxes, most_cells, cells, each, room;
  size_t count[3];
  int64_t about[3];
  double spread, reach, doubt, rounding; /* doubt of floats, and what coordinates add to it */
  /* words of each task, of pairs of kinds first_pair .. first_pair + flight - 1 */
  size_t first_pair, flight, words;
  char *word;
  convk_distances_cursor_ *cursor;
} convk_distances_job_;
