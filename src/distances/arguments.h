#ifndef CONVK_DISTANCES_INCLUDED_
#define CONVK_DISTANCES_INCLUDED_
/* ---- distances on devices ----
   Atoms are sorted by list: those of a kind and a cell.  A unit of work is rows, CONVK_DISTANCES_ROWS_ atoms of a list at most,
   the lists of one kind that may be near, and every slices-th part of these.  Sizes of both are the same for all devices, as
   parts of a call are. */
enum { CONVK_DISTANCES_ROWS_ = 256 }; /* and columns of a part */
/* Stages of a frame, each a launch: the last one counts. */
enum { CONVK_DISTANCES_ZERO_, CONVK_DISTANCES_LISTS_, CONVK_DISTANCES_STARTS_, CONVK_DISTANCES_ORDER_ };
enum { CONVK_DISTANCES_SORT_ = CONVK_DISTANCES_ORDER_ + 1, CONVK_DISTANCES_COUNT_ };

/* What kernels take besides arrays.
   axis .. about   of the cell, as processors have them
   scale, limit    2^20 / width, and 2^52 + 2^20 bins
   at, frame       OpenCL: where arrays begin; and where, in those of atoms, a frame
   words, units    of 32 bits of a group, two of its own and those of bins; and units of work, some more than there are
   has_..          whether */
typedef struct convk_distances_arguments_ {
  double axis[9], inverse[9], scale, limit;
  uint64_t at[9], frame, part_index, part_count, words;
  uint32_t n, kinds, bins, moments, lists, slices, units, stage, has_kind, has_beyond;
  uint32_t cells[3], about[3];
  int32_t periodic[3], unused;
} convk_distances_arguments_;

/* Debye's sum, of one pair of kinds after another: LIST makes one of its bins that are not empty, WAVES sums steps of that for
   each q, and GIVE adds up what they have; SELF comes before, for each kind. */
enum { CONVK_DEBYE_SELF_, CONVK_DEBYE_GIVE_, CONVK_DEBYE_WAVES_, CONVK_DEBYE_LIST_ };

/* Work memory, doubles: of the first bin m, a0, a1, a2, n and its bound, how many bins the list has, and sums of n and bounds;
   of each bin of the list m, the factors of its terms, n and its bound, CONVK_DEBYE_NUMBERS_ rows of `bins`; of each step three
   sums of each q; intensities and bounds until now. */
enum { CONVK_DEBYE_COUNT_ = 6, CONVK_DEBYE_ALL_, CONVK_DEBYE_LEFT_, CONVK_DEBYE_HEAD_ = 16, CONVK_DEBYE_NUMBERS_ = 6 };

/* What kernels take besides arrays.
   of, self       scatterers of the pair, if they are given; and of SELF the number of atoms
   at             OpenCL: where arrays begin
   pair           its number; sums: histograms are of real weights
   fresh, last    of the stages that add to intensities */
typedef struct convk_debye_arguments_ {
  convk_scatterer of[2];
  double width, self;
  uint64_t at[7], nq, bins, pair;
  uint32_t stage, scattered, sums, has_bound, fresh, last;
  int32_t moments, unused;
} convk_debye_arguments_;
#endif
