#if CONVK_HAS_SEPCONV_
/* Where things lie in a task's scratch. */
enum {
  CONVK_SUM_ZEROS_, /* a block of rows of zeros, and one for what nobody needs */
  CONVK_SUM_TRASH_,
  CONVK_SUM_PADDED_, /* rows of a plane of the input with what filters of x see beyond them; the same of a result along y */
  CONVK_SUM_OTHER_,
  CONVK_SUM_Z_, /* planes of results along z, of filters and of those times i */
  CONVK_SUM_IMAG_Z_,
  CONVK_SUM_ZX_, /* mixed terms: planes of padded rows that want x, planes that are ready, rows that want y */
  CONVK_SUM_YZ_,
  CONVK_SUM_WANT_Y_,
  CONVK_SUM_Y_, /* rows of a plane */
  CONVK_SUM_IMAG_Y_,
  CONVK_SUM_X_,
  CONVK_SUM_IMAG_X_,
  CONVK_SUM_XY_,
  CONVK_SUM_ROW_ZX_,
  CONVK_SUM_PHASES_, /* rows of the input times phases */
  CONVK_SUM_TURNED_, /* a row each: what is multiplied by i, x times i, V of complex numbers, results on their way to sums */
  CONVK_SUM_TURNED_X_,
  CONVK_SUM_TWICE_,
  CONVK_SUM_RESULT_,
  CONVK_SUM_PLACES_
};

/* Which filters: f, g, G of convk_sumconv_terms; and products. */
enum { CONVK_SUM_FILTER_, CONVK_SUM_IMAG_, CONVK_SUM_FIRST_ };
enum { CONVK_SUM_OF_YZ_, CONVK_SUM_OF_ZX_, CONVK_SUM_OF_XY_ };

/* An axis: points in and out, the point of the input where the output begins, and what is beyond its ends. */
typedef struct convk_sumconv_axis_ {
  size_t n, m;
  ptrdiff_t origin;
  int periodic, turns; /* turns: with a phase */
  double phase[2];
} convk_sumconv_axis_;

#define CONVK_SUM_COUNT_ ((size_t)8) /* doubles of convk_sumconv_sums */
#define CONVK_SUM_NAMES_ \
  { "terms->filter[%]", "terms->imag[%]", "terms->first[%]" }

CONVK_RARE_ int convk_sumconv_refuse_(char *message, int status, const char *text, int kind, int d) {
  static const char *const names[3] = CONVK_SUM_NAMES_;
  convk_reason_ about;
  memset(&about, 0, sizeof about);
  about.name[0] = names[kind];
  about.index[0] = d;
  convk_say_all_(message, CONVK_MESSAGE_BYTES_, text, &about);
  return status;
}

/* The point of the array for one beyond an end, and how many periods up that was. */
CONVK_LOCAL_ ptrdiff_t convk_sumconv_wrap_(ptrdiff_t i, ptrdiff_t n, ptrdiff_t *periods) {
  *periods = i >= 0 ? i / n : -((n - 1 - i) / n);
  return i - *periods * n;
}
#endif
