#ifndef CONVK_GRIDS_INCLUDED_
#define CONVK_GRIDS_INCLUDED_
/* ---- Gaussians on regular grids, on devices: what the host makes of a call, as kernels read it ---- */

/* One axis of a group, see convk_grids_group_: what its tables are made of, and where they are.
   start, lost    the first point less the center, and what that lost; images repeat it every `period`, from number `image` to
                  `last`; period 0: there is only number 0
   radius         how far from the center its exponential counts
   a, b, top      of its exponent, see convk_gaussian_part_
   n, low, count  points of the axis, and those that tables have
   tile, tiles    points of a tile, and how many tiles there are
   turn, turn_lo  the angle of the phase of image number 1, in two parts
   size           where exponentials without phases begin, from the table on; 0: there are no phases, and they are its first row
   rows, degree   powers of a table, 0 .. degree; the rows of derivatives follow
   table, maxima  where tables and largest exponentials of tiles begin, in elements
   first          the number of its first table among those of all groups */
typedef struct convk_grids_axis_device_ {
  double start, lost, step, period, image, last, radius, exponent, a, b, top, turn, turn_lo;
  uint64_t n, low, count, tile, tiles, rows, table, maxima, first, size;
} convk_grids_axis_device_;

/* Table u^power exp(-a u^2) of a group along x: where its terms begin among those of an orbital, which are of `degree` at most
   in y and z; its sums along z, of powers 0 .. degree of y, are numbers `first` on among those of all tables. */
typedef struct convk_grids_table_device_ {
  uint64_t terms;
  uint32_t group, power, degree, first;
} convk_grids_table_device_;

/* Some rows of results whose sums run over the same tables, `count` of them from `first` on.  Terms of the first row begin at
   `terms`, those of the next ones at distances of `apart`; sums: where sums along z begin in a plane. */
typedef struct convk_grids_lot_device_ {
  uint64_t first, count, row, rows, terms, apart, sums;
} convk_grids_lot_device_;

/* A general cell.
   step          its steps in x, y, z; period, lost: of its images along these, in two parts
   axis          those of the frame of convk_cells_frame_, in x, y, z
   image, wide   there: how far apart images are there; wide: a1, b1, b2
   turn, turn_lo angles of the phases of image number 1 along each step, in two parts */
typedef struct convk_cells_device_ {
  double step[9], period[9], lost[9], axis[9], image[9], wide[3], turn[3], turn_lo[3];
} convk_cells_device_;

/* A group there: the first point of the box less its center, in two parts, its exponential as in convk_grids_axis_device_, and
   where its terms begin among those of an orbital. */
typedef struct convk_cells_group_device_ {
  double start[3], lost[3], radius, exponent, a, b, top;
  uint64_t l, terms;
} convk_cells_group_device_;

/* Images of a group that may be near a part of a plane.
   at          its first point from the center, in the frame; from there it goes from `least` to `greatest` along x', from 0 to
               `high` along y'
   reach       from where on nothing counts
   count       of image numbers along each step; first: of those along the third one */
typedef struct convk_cells_reach_device_ {
  double at[3], least, greatest, high, reach, first;
  uint64_t count[3];
} convk_cells_reach_device_;

/* A table in one plane of a part of a tile.
   x_begin, x_end   which of the part's points along x it has, counted from the first; y_begin, y_end: of its rows
   x, y, z          in elements of the tables: where the first point along x is, or would be, the first row of the tables along
                    y that make weights, and those along z in this plane; size: the first row of exponentials along y
   y_count, z_count distances of powers
   y_bend, z_bend   of second derivatives, or of imaginary parts, from the tables themselves; 0: not wanted */
typedef struct convk_grids_near_ {
  uint64_t x, y, y_count, y_bend, z, z_count, z_bend, size, terms;
  int32_t x_begin, x_end, y_begin, y_end, degree, alive;
} convk_grids_near_;
#endif
