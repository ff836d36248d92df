struct convk_cells_kernels_;
struct convk_grids_job_;

/* What is done in another way where a box is a general cell: see cells/driver.h. */
typedef struct convk_grids_general_ {
  void (*begin)(struct convk_grids_job_ *job);
  int (*count)(char *message, struct convk_grids_job_ *job);
  size_t (*work)(struct convk_grids_job_ *job, char *base, size_t at);
  void (*ready)(struct convk_grids_job_ *job, double *sum);
  size_t (*scratch)(const struct convk_grids_job_ *job);
  void (*task)(void *job, size_t index);
} convk_grids_general_;

/* Gaussians that share a center and an exponent, in one tile of a grid.  Their tables hold u^k exp(-a u^2), k = 0 .. l: along y
   from the tile's first row on, with y_count elements for each k, and along z for z_count points from z_low on.  Behind them,
   at distances of y_apart and z_apart elements, are those of the first and second derivatives, or along an axis whose images
   have phases the imaginary parts and then the exponentials without phases. */
typedef struct convk_grids_entry_ {
  size_t l, first, terms; /* first: of its tables among those of the tile; where its terms begin among those of an orbital */
  size_t y_count, z_low, z_count, y_apart, z_apart;
  const CONVK_T *y, *z, *maxima; /* maxima: the largest exponential along y of each block of rows */
  CONVK_T ex;                    /* that of the tile along x */
} convk_grids_entry_;

/* One of a list of tables: where its weights lie, from those of the block on, and its row of the panel. */
typedef struct convk_grids_listed_ {
  unsigned w, x;
} convk_grids_listed_;

/* Weights of a tile's tables along x in plane z, for one orbital.  Its rows lie in blocks of CONVK_GRIDS_BLOCK_; the weight of
   table t in row r of block b is w[(b total + t) BLOCK + r].  At distances of `apart` elements follow those with the first
   derivative along y, along z, and the sum of both second ones (kinds: how many of these four).
   live: a number of each table from `first` to `end`, of which bit b says whether it counts in block b.  Those of `every` that
   count are at list[b list_apart ..], counts[b] of them; where there are more lists, those that also have bit s in `where` at
   list[(b LISTS + s) list_apart ..], counts[b LISTS + s] of them, for each s < lists.  every[t]: where the weights of table t
   are in a block, and its row of the panel.  again: all these are there, as those of another orbital are the same.
   bloch_weigh, of Bloch sums: kinds is 2, real and imaginary parts, behind which these times -1 follow; imag: those of terms,
   or NULL; turned_y, turned_z: whether images along the axis have phases. */
typedef struct convk_grids_weights_ {
  const convk_grids_entry_ *entry;
  size_t count, plane, rows, total, apart, first, end, lists, list_apart;
  const CONVK_T *terms, *imag;
  CONVK_T cut, *w;
  const convk_grids_listed_ *every;
  const unsigned char *where;
  unsigned short *live;
  convk_grids_listed_ *list;
  size_t *counts;
  int kinds, again, turned_y, turned_z;
} convk_grids_weights_;

/* out[r pitch + i] = sum over q < counts[b] of w[b w_block + list.w + r] panel(list.x, i), list[b list_block + q], r of block
   b, for each of the parts, one after another: w is their w[0].  A panel lies in strips, each with `total` rows of as many
   elements as the kernel's tile is wide; the first strip has only `head` of them, if that is not 0.  stream: from there on rows
   begin at multiples of 64 bytes, and go past the cache.  together: 0; or so many strips have lists of their own, the next ones
   list_strip further on, whose counts are all those of a block, CONVK_GRIDS_LISTS_ of them, before the next block's.
   squares: `weight` times the squares of sums are added to what lies at out, as add_squares does it.
   pairs: out has pairs of real and imaginary parts; w[0] are weights of the real ones, w[1] those of the others, either may be
   NULL; squares are those of both; pitch counts real numbers. */
typedef struct convk_grids_product_ {
  size_t rows, n, head, pitch, total;
  const CONVK_T *w[2][2], *panel[2];
  size_t w_block, list_block, list_strip, together;
  const convk_grids_listed_ *list;
  const size_t *counts;
  CONVK_T *out, weight;
  int parts, stream, squares, pairs;
} convk_grids_product_;

/* Adds an orbital's part to rows of a density and, where they are not NULL, of its gradient and of tau; with `first` it
   stores the part instead.  The orbital's values lie at `value`, its derivatives at distances of `apart` behind them. */
typedef struct convk_grids_squares_ {
  size_t rows, n, from_pitch, apart, pitch;
  const CONVK_T *value;
  CONVK_T weight, *out[5];
  int first;
} convk_grids_squares_;

/* What an instruction set offers; or a device, which has only fused, finite and run, for host arrays. */
typedef struct convk_grids_kernels_ {
  int fused; /* of Gaussians, as the next three */
  int (*finite)(const CONVK_T *const *arrays, size_t count, size_t n);
  void (*exponentials)(const convk_gaussian_part_ *part);
  void (*fence)(void);
  const struct convk_cells_kernels_ *(*cells)(void); /* what general cells need; NULL: they are not compiled, or of a device */
  size_t strip, block;                               /* elements of a panel's strip; rows of a block of weights */
  void (*weigh)(const convk_grids_weights_ *part);
  void (*multiply)(const convk_grids_product_ *part);
  void (*add_squares)(const convk_grids_squares_ *part);
  int (*run)(convk *hw, void *job); /* of a device: a checked call on host arrays, convk_grids_job_ */
  void (*bloch_weigh)(const convk_grids_weights_ *part);
} convk_grids_kernels_;
