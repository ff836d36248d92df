#define CONVK_DISTANCES_STATUS_(item) \
  item(CONVK_ERR_CELL, -49, "vectors of a periodic cell lie along one line or in one plane") \
      item(CONVK_ERR_KIND, -50, "an atom names a kind that is not there")

#define CONVK_DISTANCES_BITS_ 20                /* of a bin's width: distances are integers in units of 2^-20 of it */
#define CONVK_DISTANCES_MOST_ ((size_t)1 << 22) /* pairs, less one, whose count and moments fit into the words of a bin */
#define CONVK_DISTANCES_BOX_ ((size_t)512)      /* atoms of a box, at most: three coordinates of two such are 24 KB */
#define CONVK_DISTANCES_LEAST_ ((size_t)64)     /* and where there are few atoms */
#define CONVK_DISTANCES_CELL_ ((size_t)24)      /* atoms of a cell, on average, at least */
#define CONVK_DISTANCES_FLIGHT_ \
  ((size_t)1 << 22)                         /* bytes of words that a thread has at a time, if one pair of kinds has less */
#define CONVK_DISTANCES_DOUBT_ 4.2e-7       /* 7 2^-24: the part of a place by which floats may be off */
#define CONVK_DISTANCES_SLOTS_ ((size_t)16) /* sums of real weights, which are added up in their order: sets the bits */
#define CONVK_DISTANCES_IMAGES_ 1048576.    /* of a cell within the cut-off, at most */
#define CONVK_DISTANCES_Q_ ((size_t)64)     /* values of q of a task */

/* Vectors of a periodic cell.  A vector of zeros: not periodic along it, as c of a layer; all of zeros: open. */
typedef struct convk_cell {
  double a[3], b[3], c[3];
} convk_cell;

/* One of `count` parts of a call that ranks or devices share: their results add up.  count 0: all of it. */
typedef struct convk_part {
  size_t index, count;
} convk_part;

/* Histograms of distances, of every pair of kinds, to which pair_histogram adds: zero the arrays first.  A distance r lies in
   bin k, at the place f, both integers, with k 2^20 + f = r 2^20 / width, rounded to the nearest integer: half a quantum below
   an edge it counts as the edge, so that all equal distances of a crystal are in one bin, whatever rounding does to them.
     bins, width   of the histogram; bins width is the cut-off
     kinds         of atoms; 0: 1.  Histogram p = a (2 kinds - a - 1) / 2 + b is of kinds a <= b, convk_distances_pairs(kinds)
                   in all
     moments       0, 1 or 2: which sums there are besides the counts
     count         [p][bin]: pairs.  Each pair of atoms counts once, also of one kind.  At most 2^43 in a bin.  Of one
                   frame in a volume V, g(r) = count V / (n v): n = N_a N_b, of one kind N_a^2 / 2; v the volume of the bin
     moment        [0]: [p][bin]: sums of f; [1]: [p][bin][2]: those of f^2, the lower and the upper 64 bits; NULL where
                   `moments` says so
     sum           of atoms with weights, in place of count and moment: [p][bin][moments + 1], sums of w, w f and w f^2 of
                   pairs, w the product of both weights; else NULL
     beyond        [p]: pairs that are further apart than the cut-off; of several parts only the sum modulo 2^64 is that.
                   NULL: not wanted.  Left alone where the cell is periodic or atoms have weights */
typedef struct convk_distances {
  size_t bins, kinds;
  double width;
  int moments;
  uint64_t *count, *moment[2];
  double *sum;
  uint64_t *beyond;
} convk_distances;

/* What atoms of a kind scatter, as a function of s = q / (4 pi) = sin(theta) / lambda:
     f(s) = (sum over k < terms of a[k] exp(-b[k] s^2) + c[0] + i c[1]) exp(-thermal s^2)
   X-rays     a, b, c[0] of the International Tables (4 terms, s <= 2) or of Waasmaier and Kirfel (Acta Cryst. A51, 416 (1995):
              5 terms, s <= 6), b in square angstrom for q in 1 / angstrom; f' is added to c[0], f'' is c[1]
   neutrons   the scattering length in c, no terms
   thermal    B = 8 pi^2 <u^2> of an axis, not for an atom with itself: it keeps its distance 0 */
typedef struct convk_scatterer {
  int terms; /* at most 6 */
  double a[6], b[6], c[2], thermal;
} convk_scatterer;

#if CONVK_HAS_DISTANCES_
/* Histograms of so many kinds: kinds (kinds + 1) / 2, of 0 as of 1. */
CONVK_API_ size_t convk_distances_pairs(size_t kinds);
#endif
