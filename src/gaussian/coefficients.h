/* p in 2^f = 1 + f (ln 2 + f p(f)), for every hardware; tests/bench/fit_exponentials.py fits it again */
#define CONVK_EXP2_f32_ {0.240226477f, 0.0555036217f, 0.00961852632f, 0.00133901613f, 0.000153211586f}
#define CONVK_EXP2_f64_ \
  {0.24022650695910119, 0.055504108664821604, 0.0096181291075951077, 0.0013333558146410656, 0.00015403530458701168, \
   1.5252733838879019e-5, 1.3215433539637458e-6, 1.0178057622863296e-7, 7.0741945626130925e-9, 4.4558180309134402e-10}
/* What is less than these is 0, so that no product with it is subnormal:
   LEAST             a grid potential: 1 + 2^-13 times the smallest normal number
   LEAST_TERM        a term of a sum, 2^-102 and 2^-969: the smallest normal number over eps / 2, for coefficients from eps / 2
                     on
   LEAST_PRIMITIVE   a primitive, 2^-80 and 2^-969: more in f32, for up to four coordinates that are mere rounding errors */
#define CONVK_GAUSSIAN_LEAST_ (CONVK_OF_(1.17549435082228751e-38f, 2.2250738585072014e-308) * (CONVK_T)1.0001220703125f)
#define CONVK_GAUSSIAN_LEAST_TERM_ CONVK_OF_(1.9721522630525295e-31f, 2.0041683600089728e-292)
#define CONVK_GAUSSIAN_LEAST_PRIMITIVE_ CONVK_OF_(8.2718061255302767e-25f, 2.0041683600089728e-292)
/* Of the elements of a row: all are 0; some may be below the cutoff, far below the smallest normal number, near the largest. */
#define CONVK_GAUSSIAN_NONE_ 1
#define CONVK_GAUSSIAN_CUT_ 2
#define CONVK_GAUSSIAN_FAR_ 4
#define CONVK_GAUSSIAN_LARGE_ 8
/* Of a grid: an exponential below it, 2^-38 or 2^-68, counts as nothing, where the largest power still leaves less than
   rounding does. */
#define CONVK_GRIDS_LEAST_ CONVK_OF_(3.637978807091713e-12f, 3.3881317890172014e-21)
/* Points of a tile along x, y and z at most, and rows at which the weights of a tile lie. */
#define CONVK_GRIDS_X_ 96
#define CONVK_GRIDS_Y_ 48
#define CONVK_GRIDS_Z_ 8
#define CONVK_GRIDS_WIDE_ 48
#define CONVK_GRIDS_LISTS_ 8 /* along x, of a block of rows, at most */
#define CONVK_GRIDS_BLOCKS_ ((size_t)16) /* of rows of a tile, at most, and so that vectors of them are whole */
#define CONVK_GRIDS_TWINS_ 128 /* groups among which one looks for the same tables */
#define CONVK_CELLS_PRODUCTS_ 15 /* y^b z^c */
#define CONVK_GRIDS_CHUNK_ 128 /* points of an axis at once, where tables are made */
/* A tile of sums in registers: its rows, its vectors, and their elements; rows whose weights lie together, which are whole
   vectors of weights.  Rows of a strip are whole lines, of 64 bytes even pairs of them: past the cache three such vectors were
   15 % slower than two, and four rows of three vectors of 32 bytes 20 % slower than six of two (Sapphire Rapids, 5 orbitals on
   80^3 points). */
#define CONVK_GRIDS_ROWS_ (CONVK_REGISTERS_ > 16 ? 8 : 6)
#define CONVK_GRIDS_HALF_ROWS_ 4 /* that are left, and not one */
#define CONVK_GRIDS_VECTORS_ (CONVK_REGISTERS_ > 16 && CONVK_LANES < 8 ? 3 : 2)
#define CONVK_GRIDS_STRIP_ (CONVK_GRIDS_VECTORS_ * CONVK_LANES)
#define CONVK_GRIDS_BLOCK_ (CONVK_REGISTERS_ > 16 ? (CONVK_LANES > 8 ? CONVK_LANES : 8) : CONVK_LANES > 4 ? 24 : 12)
