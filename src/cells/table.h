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
  CONVK_T of[3], by[2], *to; /* of: a, b and top of its exponent, see convk_gaussian_part_ */
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
   exponents     a, b and top of its exponent, see convk_gaussian_part_, and itself
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
  CONVK_T exponents[4], start[2], twice[2], delta, index, phase[2];
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

/* What an instruction set offers for general cells. */
typedef struct convk_cells_kernels_ {
  void (*table)(const convk_cells_table_ *part);
  unsigned (*image)(const convk_cells_image_part_ *part); /* rows in which any member counts */
  void (*bases)(const convk_cells_bases_ *part);
  void (*rows)(const convk_cells_rows_ *part);
  int (*single)(const convk_cells_single_ *part);
  size_t (*weigh)(const convk_cells_weights_ *part); /* how many rows of the panel */
  void (*pairs)(const convk_cells_pairs_ *part);
} convk_cells_kernels_;
