#ifndef CONVK_DISTANCES_INCLUDED_
#define CONVK_DISTANCES_INCLUDED_
/* ---- distances on devices ----
   Atoms are sorted by list: those of a kind and a cell.  Rows are CONVK_DISTANCES_ROWS_ atoms of a list at most; a unit of work
   is rows, the lists of one kind that may be near, and every slices-th part of these.  Work memory has doubles, then numbers of
   32 bits:
     at        [3][n]: sorted
     list, rank, order   [n]: of each atom, which of its list it is in the order of arrival; and the atoms in that order
     rows      [n][2]: the list and the first atom of rows
     count     [lists]: atoms
     start     [lists + 1]: where a list begins
     state     units that groups have taken, and how many rows there are */
enum { CONVK_DISTANCES_ROWS_ = 256 }; /* of a unit, and columns of a part of it: the same for all devices, as parts are */
enum {
  CONVK_DISTANCES_ZERO_,
  CONVK_DISTANCES_LIST_OF_,
  CONVK_DISTANCES_STARTS_,
  CONVK_DISTANCES_ORDER_,
  CONVK_DISTANCES_SORT_
};

/* What kernels take besides arrays.
   x .. beyond    OpenCL: where arrays begin, in numbers of their type, those of histograms in 32 bits; frame: the same of all
   axis, inverse, periodic, cells, about    of the cell, as processors have them
   least, extent  of fractional coordinates along axes that are not periodic
   scale, limit   2^20 / width, and 2^52 + 2^20 bins
   stage          of the sort
   steady         atoms of a list stay in their order: parts of other calls have the others
   has_.., first_part   whether; first_part has all pairs of atoms for what lies beyond */
typedef struct convk_distances_arguments_ {
  double axis[9], inverse[9], least[3], extent[3], scale, limit;
  uint64_t x, y, z, frame, kind, work, count, first, second, beyond;
  uint64_t part_index, part_count;
  uint32_t n, kinds, bins, lists, slices, stage;
  uint32_t cells[3], about[3];
  int32_t periodic[3];
  uint32_t steady, has_kind, has_beyond, first_part;
} convk_distances_arguments_;
#endif
