
/* Points (x[i stride], y[i stride], z[i stride]), i = 0 .. n - 1.  A stride of 0 means 1: three arrays; packed xyz is
   {n, p, p + 1, p + 2, 3}. */
typedef struct convk_points {
  size_t n;
  const CONVK_T *x, *y, *z;
  size_t stride;
} convk_points;

/* Exponents about a center; the last three are of gridpot_sum.  Zeros are the origin and no exponents. */
typedef struct convk_gaussians {
  CONVK_T center[3];
  size_t n;             /* exponents */
  const CONVK_T *alpha; /* n of them */
  size_t nsums;
  const CONVK_T *coefficients; /* nsums rows of n at distance ldc, 0: packed */
  size_t ldc;
} convk_gaussians;

/* Shells and what orbitals are made of, prepared for any number of calls: see convk_orbitals_prepare. */
typedef struct convk_orbitals_plan convk_orbitals_plan;

/* Orbitals over the functions of shells.
   norbitals      rows of coefficients; without coefficients 0, or the number of functions
   coefficients   norbitals rows of all functions at distance ldc (0: packed); NULL: the functions themselves
   occupations    norbitals finite numbers, which density takes and other calls do not look at
   plan           NULL, or what orbitals_prepare made of all these, which are then not looked at */
typedef struct convk_orbital_set {
  size_t nshells;
  const convk_shell *shells;
  size_t norbitals;
  const CONVK_T *coefficients;
  size_t ldc;
  const CONVK_T *occupations;
  const convk_orbitals_plan *plan;
} convk_orbital_set;

/* Results of orbitals_vgl: norbitals rows of points->n elements each, at distance ld (0: packed). */
typedef struct convk_vgl {
  CONVK_T *value, *dx, *dy, *dz, *laplacian;
  size_t ld;
} convk_vgl;

/* Results of density_grid, arrays of the box's grid; all but the density may be NULL: not wanted.
   density      sum over orbitals of occupation phi^2
   dx, dy, dz   its gradient, all three or none
   tau          the density of kinetic energy, half the sum of occupation |grad phi|^2 */
typedef struct convk_density_parts {
  CONVK_T *density, *dx, *dy, *dz, *tau;
} convk_density_parts;

/* A point k of reciprocal space, and what makes coefficients complex.
   k           inverse lengths along the steps of a box: an image n periods along axis d gets the factor
               exp(i k[d] n period[d]); axes without a period do not look at it
   imag        the imaginary parts of the coefficients of a set, laid out as those; NULL: none */
typedef struct convk_bloch {
  double k[3];
  const CONVK_T *imag;
} convk_bloch;

/* A block of points and one of exponents, as kernels want them.  In the fused class a + b is the exponent times log2(e); else a
   is the exponent. */
typedef struct convk_gaussian_part_ {
  size_t np, na;
  const CONVK_T *s, *lo;                    /* squared distances, and what they lost or NULL */
  const CONVK_T *a, *b, *top;               /* top: squared distances beyond it give 0 or infinity, as it does */
  CONVK_T s_least, s_most, a_least, a_most; /* bounds of s, and of a where they are known */
  CONVK_T cut, below, above;                /* elements less than cut are 0: all with a s < below, none with a s > above */
  CONVK_T *out;
  size_t ld;
  int layout, stream;
} convk_gaussian_part_;

/* out[r ld + i] = sum_j c[r ldc + j] e[j pitch + i] for rows r and i < n; `more`: added to from[r from_ld + i], which may be
   out.  last: times `inverse`, and 0 where it was less than `least`. */
typedef struct convk_gaussian_sums_ {
  size_t rows, n, m, ldc, pitch, ld, from_ld;
  const convk_any_ *c;
  const CONVK_T *e, *from;
  CONVK_T *out, inverse, least;
  int more, last;
} convk_gaussian_sums_;

/* A shell of angular momentum l on n points: rows of x^a y^b z^c R at `to`, and where `strip` is not 0 those of its derivatives
   and its Laplacian at distances of `strip` from it.  Rows at `radial`: R, and for derivatives D = R' / r and D' / r. */
typedef struct convk_gaussian_shell_ {
  size_t l, n, pitch, strip;
  const CONVK_T *d; /* rows of x, y, z and r^2 */
  const CONVK_T *radial;
  CONVK_T *to, *scratch;
} convk_gaussian_shell_;

/* The arguments of gridpot, and with `sum` of gridpot_sum. */
typedef struct convk_gridpot_call_ {
  const convk_points *points;
  const convk_gaussians *gaussians;
  const convk_gaussian_options *options;
  CONVK_T *out;
  size_t ld;
  int sum;
} convk_gridpot_call_;

/* Those of orbitals, of orbitals_vgl (of 5 kinds, else 1) and of density. */
typedef struct convk_orbitals_call_ {
  const convk_points *points;
  const convk_orbital_set *set;
  const convk_gaussian_options *options;
  CONVK_T *out[5]; /* one result of each kind */
  size_t ld;
  void *work;
  size_t work_size, kinds;
  int density, resident; /* resident: arrays are there, and the plan is no set's */
} convk_orbitals_call_;

/* Of a tile of a grid: Gaussians that share a center and an exponent, and its tables u^k exp(-a u^2), k = 0 .. l, along y, from
   the tile's first row on, whose rows lie at distances of y_count, and along z, whose rows have z_count points from z_low on.
   Those of the first and second derivatives follow at distances of so many elements; or along an axis whose images have
   phases, imaginary parts, then the exponentials without phases. */
typedef struct convk_grids_entry_ {
  size_t l, first, terms; /* first: of its tables among those of the tile; where its terms begin among those of an orbital */
  size_t y_count, z_low, z_count, y_apart, z_apart;
  const CONVK_T *y, *z, *most; /* most: the largest exponential along y of each block of rows */
  CONVK_T ex;                  /* that of the tile along x */
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
   wave_weigh, of Bloch sums: kinds is 2, real and imaginary parts; imag: those of terms, or NULL; turned_y, turned_z: whether
   images along the axis have phases. */
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
   b, for each of the parts, one after another.  A panel lies in strips, each with `total` rows of as many elements as the
   kernel's tile is wide; the first strip has only `head` of them, if that is not 0.  stream: from there on rows begin at
   multiples of 64 bytes, and go past the cache.  together: 0; or so many strips have lists of their own, the next ones
   list_strip further on, whose counts are all those of a block, CONVK_GRIDS_LISTS_ of them, before the next block's.
   squares: `weight` times the squares of sums are added to what lies at out, as add_squares does it.
   wave_multiply, of Bloch sums: real and imaginary parts of weights and of panels, or NULL where all are 0.  out has pairs of
   real and imaginary parts, and squares are those of both; pitch counts real numbers. */
typedef struct convk_grids_product_ {
  size_t rows, n, head, pitch, total;
  const CONVK_T *w[2], *panel[2];
  size_t w_block, list_block, list_strip, together;
  const convk_grids_listed_ *list;
  const size_t *counts;
  CONVK_T *out, weight;
  int parts, stream, squares;
} convk_grids_product_;

/* Adds an orbital's part to rows of a density and, where they are not NULL, of its gradient and of tau; first: to nothing.  The
   orbital's values lie at `value`, its derivatives at distances of `apart`. */
typedef struct convk_grids_squares_ {
  size_t rows, n, from_pitch, apart, pitch;
  const CONVK_T *value;
  CONVK_T weight, *out[5];
  int first;
} convk_grids_squares_;

/* Rows of a tile of a general cell, as far as they differ, each with copies of the last one up to 16, numbers in two parts.
   y, z    of their points, from the first row's
   s, x    along x': element idx of the reference, see convk_cells_line_, lies s from the row's, which is its element number
           idx - shift; x: the first one from the reference's first one
   step    which row of tables it takes, along each axis; same: bits of the rows that share its panel
   panel   which of four panels it has; group: for how many rows these are made at this one, or 0 */
typedef struct convk_cells_shape_ {
  CONVK_T y[2][16], z[2][16], s[2][16], x[16];
  size_t rows, shift[16], step[16][2], panel[16];
  unsigned same[16];
  int group[16];
} convk_cells_shape_;

/* A table exp(-a (v - middle) by) for v from `from` to end - 1, and 0 for others up to pitch, a multiple of 16; by: in two
   parts. */
typedef struct convk_cells_table_ {
  size_t pitch, middle, from, end;
  CONVK_T a, b, top, by[2], *to;
} convk_cells_table_;

/* A member of a cluster in a batch: where its rows of the panel begin, its factors, y^b z^c exp(-a (y^2 + z^2)) of 16 rows
   each, and its terms; bit r of rows: it counts in row r. */
typedef struct convk_cells_alive_ {
  CONVK_T *factor;
  size_t place, l, terms;
  unsigned rows;
} convk_cells_alive_;

/* One image of a member along the rows.  Element idx of a row lies u = x + idx step + s from the center, and exp(-a u^2) is

     base[idx] lean[0][step][idx] lean[1][step][idx] factor[row]:  exp(-a (x + idx step)^2) times what s makes of it.

   base NULL: each row makes its own, without tables.  It is 0 but from `from` to `to`, multiples of 16, and there for 16 more
   elements on both sides.
   lean          element 0 of tables at distances of `pitch`; NULL: none
   a, b, top     of its exponent, see convk_gaussian_part_
   start         x in two parts; delta, index: of the nearest element, u and minus its number
   twice         two times u of the element where tables are 1, in two parts
   factor        NULL: the member's factors have it
   more          is added to what the panel has */
typedef struct convk_cells_line_ {
  const convk_cells_alive_ *of;
  CONVK_T *base, *factor;
  const CONVK_T *table[2];
  ptrdiff_t lean;
  size_t pitch, from, to, place, l;
  CONVK_T a, b, top, exponent, start[2], twice[2], delta, index, phase[2];
  unsigned rows;
  int more;
} convk_cells_line_;

/* Makes bases and factors of `count` lines of one image of a cluster.  offset: idx step in two parts, at a distance of `apart`;
   s, lo: room for a base each.  What is less than cut is 0.  sets: of factors that members have. */
typedef struct convk_cells_bases_ {
  const convk_cells_shape_ *shape;
  convk_cells_line_ *line;
  size_t count, apart, sets;
  const CONVK_T *offset;
  CONVK_T *s, *lo, cut;
} convk_cells_bases_;

/* Panels for `group` rows of the tile from `row` on, at distances of `beside`, of which there are four, and whose rows take
   the same second table; or of one alone, and beside is 0.  Of each line: u^q exp(-a u^2), q = 0 .. l, for n elements, a
   multiple of the strip.  Of kinds 3 the first and second derivatives follow, at distances of `apart`; phased: panel gets
   products with the real part of the line's phase, and those with the imaginary part follow.  own: for lines without a base.
   */
typedef struct convk_cells_rows_ {
  convk_cells_bases_ own;
  const convk_cells_line_ *line;
  size_t count, row, n, total, apart, beside;
  CONVK_T step, *panel, *base;
  int kinds, phased, group;
} convk_cells_rows_;

/* Factors of an image of a cluster in the rows of a tile, for `count` members, whose exponents rise: where a r^2, of the
   nearest point of the row, exceeds `reach`, there are none.  x, y, z: of the first row's first element; width: of a row, or
   negative where its images are everywhere.  sets: see convk_cells_weights_.  Others are added to those that are there. */
typedef struct convk_cells_image_part_ {
  const convk_cells_shape_ *shape;
  const CONVK_T *a, *b, *top, *exponent;
  const size_t *l;
  const unsigned char *used;
  convk_cells_alive_ *alive;
  size_t count;
  CONVK_T x, y[2], z[2], width, reach, phase[2];
  int sets;
} convk_cells_image_part_;

/* Weights of the rows x'^0 .. x'^l of all members that count in row `row` for `orbitals`: w[q WIDE + o] = sum over b, c of
   terms(q, b, c; o) factor(b, c), and the list of them.  terms: rows of `width` orbitals; imaginary ones follow at `imag`, if
   not 0.  In factors y^b z^c is number (b + c) (b + c + 1) / 2 + c of 15.  sets: of factors, and what w has at distances of
   `apart`:
     1   the sum
     2   real and imaginary factors: the real sum, the imaginary one, and this times -1
     4   factors with derivatives along y', z', and the sum of both second ones: the sum, what derivatives along x, y, z have of
         that along x', what they have of the others, and the sum of second ones */
typedef struct convk_cells_weights_ {
  const convk_cells_alive_ *alive;
  const CONVK_T *terms;
  convk_grids_listed_ *list;
  size_t count, row, orbitals, width, imag, apart;
  CONVK_T axis[3][3], *w;
  int sets;
} convk_cells_weights_;

/* Values of one orbital alone in all rows of a tile, n elements each at `to`: the bits that panels and products give, which
   need not be stored.  w: room for 32 elements of each line and 16 more; bases: for `room`; stream: past the cache.  Gives 0
   where a line has a factor, a second image or a degree above 1, or where room is too small: then rows are to be made again. */
typedef struct convk_cells_single_ {
  const convk_cells_rows_ *rows;
  const CONVK_T *terms;
  size_t width, n, room;
  CONVK_T *w, *bases, *to[16];
  int stream;
} convk_cells_single_;

/* to[r pitch + 2 i] and the element behind it: real[i] and imag[i] of n elements of rows at distances of from_pitch. */
typedef struct convk_cells_pairs_ {
  const CONVK_T *real, *imag;
  size_t rows, n, from_pitch, pitch;
  CONVK_T *to;
} convk_cells_pairs_;

/* What an instruction set offers; or a device, which besides fused and finite has only gridpot, orbitals and ongrid, for host
   arrays. */
typedef struct convk_gaussian_kernels_ {
  int fused;
  int (*finite)(const CONVK_T *const *arrays, size_t count, size_t n);
  void (*exponents)(const CONVK_T *alpha, size_t n, CONVK_T *rows, size_t pitch, CONVK_T *bounds);
  void (*distances)(const CONVK_T *const *xyz, size_t n, const CONVK_T *center, CONVK_T *d, size_t pitch, CONVK_T *s,
                    CONVK_T *lo, CONVK_T *extremes);
  void (*exponentials)(const convk_gaussian_part_ *part);
  void (*sums)(const convk_gaussian_sums_ *part);
  int (*collect)(const convk_gaussian_part_ *part, const convk_gaussian_sums_ *sums);
  void (*shell)(const convk_gaussian_shell_ *part);
  void (*squares)(const CONVK_T *value, size_t pitch, size_t rows, const CONVK_T *weight, CONVK_T *out, size_t n);
  void (*fence)(void);
  int (*gridpot)(convk *hw, const convk_gridpot_call_ *call);
  int (*orbitals)(convk *hw, const convk_orbitals_call_ *call);
  size_t strip, block; /* elements of a panel's strip; rows of a block of weights */
  void (*weigh)(const convk_grids_weights_ *part);
  void (*multiply)(const convk_grids_product_ *part);
  void (*add_squares)(const convk_grids_squares_ *part);
  int (*ongrid)(convk *hw, void *job); /* of a device: a checked call on host arrays, convk_grids_job_ */
  void (*cell_table)(const convk_cells_table_ *part);
  unsigned (*cell_image)(const convk_cells_image_part_ *part); /* rows in which any member counts */
  void (*cell_bases)(const convk_cells_bases_ *part);
  void (*cell_rows)(const convk_cells_rows_ *part);
  int (*cell_single)(const convk_cells_single_ *part);
  size_t (*cell_weigh)(const convk_cells_weights_ *part); /* how many rows of the panel */
  void (*cell_pairs)(const convk_cells_pairs_ *part);
  void (*wave_weigh)(const convk_grids_weights_ *part);
  void (*wave_multiply)(const convk_grids_product_ *part);
} convk_gaussian_kernels_;

#if CONVK_HAS_GAUSSIAN_ && CONVK_HAS_TYPE_
/* Bytes of work for orbitals, orbitals_vgl and density of this set, or of fewer shells or orbitals, on this handle (NULL:
   serial).  Coefficients and occupations are not looked at; norbitals 0 stands for as many as there are functions.  Devices
   need no work and ignore what they get.
   Errors: NULL, OPTION, NONFINITE, OVERFLOW, PLAN, HANDLE; *bytes then stays as it is. */
CONVK_API_ int convk_orbitals_work_size(convk *hw, const convk_orbital_set *set, size_t *bytes);

/* Bytes of a plan of this set (whose coefficients are given or not, but not read), or of fewer shells or orbitals.
   hw   an open handle for the message, or NULL.  Errors: as orbitals_work_size, and SIZE. */
CONVK_API_ int convk_orbitals_plan_size(convk *hw, const convk_orbital_set *set, size_t *bytes);

/* Makes a plan: all that calls check, group and convert of a set, so that a call on few points costs little more than its
   arithmetic.  It lies in memory of the caller, holds no pointers, may be copied, and is only read by calls: by any threads and
   any hardware at once.  Results have the bits that they have without a plan.
   hw     an open handle for the message, or NULL: plans are the same for all hardware
   set    set->plan is not looked at; occupations may be NULL, then density refuses the plan
   plan   plan_size bytes at a multiple of 8, at least orbitals_plan_size; overlaps nothing
   Errors: those of orbitals that concern the set; WORK (plan_size), PLAN (where it lies), OVERLAP. */
CONVK_API_ int convk_orbitals_prepare(convk *hw, const convk_orbital_set *set, convk_orbitals_plan *plan, size_t plan_size);

/* How many bytes of a plan, from its beginning on, calls on device memory need on the device.  Errors: NULL, PLAN, HANDLE. */
CONVK_API_ int convk_orbitals_plan_bytes(convk *hw, const convk_orbitals_plan *plan, size_t *bytes);

/* Bytes of work for orbitals_grid, orbitals_grid_vgl and density_grid of this set, or of fewer shells or orbitals, in this box,
   or in one of fewer points with the same steps, on this handle (NULL: serial).  Coefficients and occupations are not looked
   at; norbitals 0 stands for as many as there are functions.
   Errors: NULL, SIZE, OPTION, NONFINITE, PITCH, OVERFLOW, RANGE, PLAN, HANDLE; *bytes then stays as it is. */
CONVK_API_ int convk_orbitals_grid_work_size(convk *hw, const convk_gaussian_box *box, const convk_orbital_set *set,
                                             size_t *bytes);

/* The same of orbitals_grid_k and density_grid_k. */
CONVK_API_ int convk_orbitals_grid_k_work_size(convk *hw, const convk_gaussian_box *box, const convk_orbital_set *set,
                                               size_t *bytes);

/* The same of gridpot_grid; coefficients are not looked at, alpha is. */
CONVK_API_ int convk_gridpot_grid_work_size(convk *hw, const convk_gaussian_box *box, const convk_gaussians *gaussians,
                                            size_t *bytes);
#endif
