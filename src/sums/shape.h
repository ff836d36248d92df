/* Where things lie in a task's scratch. */
enum {
  CONVK_SUMS_ZEROS_, /* a block of rows of zeros, and one for what nobody needs */
  CONVK_SUMS_TRASH_,
  CONVK_SUMS_PADDED_, /* rows of a plane of the input with what filters of x see beyond them; the same of a result along y */
  CONVK_SUMS_OTHER_,
  CONVK_SUMS_Z_, /* planes of results along z, of filters and of those times i */
  CONVK_SUMS_IMAG_Z_,
  CONVK_SUMS_ZX_, /* mixed terms: planes of padded rows that want x, planes that are ready, rows that want y */
  CONVK_SUMS_YZ_,
  CONVK_SUMS_WANT_Y_,
  CONVK_SUMS_Y_, /* rows of a plane */
  CONVK_SUMS_IMAG_Y_,
  CONVK_SUMS_X_,
  CONVK_SUMS_IMAG_X_,
  CONVK_SUMS_XY_,
  CONVK_SUMS_ROW_ZX_,
  CONVK_SUMS_PHASES_, /* rows of the input times phases */
  CONVK_SUMS_TURNED_, /* a row each: what is multiplied by i, x times i, V of complex numbers, results on their way to sums */
  CONVK_SUMS_TURNED_X_,
  CONVK_SUMS_TWICE_,
  CONVK_SUMS_RESULT_,
  CONVK_SUMS_PLACES_
};

/* Which filters: f, g, G of convk_sumconv_terms; and products. */
enum { CONVK_SUMS_FILTER_, CONVK_SUMS_IMAG_, CONVK_SUMS_FIRST_ };
enum { CONVK_SUMS_OF_YZ_, CONVK_SUMS_OF_ZX_, CONVK_SUMS_OF_XY_ };

/* What comes to a filter of x, in this order: results of y and z; of mixed terms; what was multiplied by i; x; add */
enum {
  CONVK_SUMS_PART_Y_,
  CONVK_SUMS_PART_Z_,
  CONVK_SUMS_PART_MIXED_,
  CONVK_SUMS_PART_TURNED_ = CONVK_SUMS_PART_MIXED_ + 3,
  CONVK_SUMS_PART_HERE_,
  CONVK_SUMS_PART_ADD_,
  CONVK_SUMS_PARTS_
};

/* An axis: points in and out, the point of the input where the output begins, and what is beyond its ends. */
typedef struct convk_sums_axis_ {
  size_t n, m;
  ptrdiff_t origin;
  int periodic, turns; /* turns: with a phase */
  double phase[2];
} convk_sums_axis_;

#define CONVK_SUMS_COUNT_ ((size_t)8) /* doubles of convk_sumconv_sums */
#define CONVK_SUMS_NAMES_ \
  { "terms->filter[%]", "terms->imag[%]", "terms->first[%]" }

CONVK_RARE_ int convk_sums_refuse_(char *message, int status, const char *text, int kind, int d) {
  static const char *const names[3] = CONVK_SUMS_NAMES_;
  return convk_refuse_with_(message, status, text, names[kind], d, NULL, -1, 0, 0, 0);
}

/* The point of the array for one beyond an end, and how many periods up that was. */
CONVK_LOCAL_ ptrdiff_t convk_sums_wrap_(ptrdiff_t i, ptrdiff_t n, ptrdiff_t *periods) {
  *periods = i >= 0 ? i / n : -((n - 1 - i) / n);
  return i - *periods * n;
}
