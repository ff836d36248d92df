/* ---- taps of derivatives ---- */

CONVK_API_ int convk_derivative_filter(convk *hw, int derivative, int order, double factor, CONVK_T taps[CONVK_DERIVATIVE_TAPS],
                                       convk_filter *filter) {
  static const double wavelet[2][15] = {
      {0, 8.8344604609082709428e-1, -3.0325935147659383469e-1, 1.0636406828944427609e-1, -3.1290147839480236344e-2,
       6.9583791164507074950e-3, -1.0315302133754453691e-3, 7.6677069083803519339e-5, 2.4519921110536654192e-7,
       3.9938104564080537121e-8, -7.2079482385884815971e-8, -9.6971849256373009476e-10, -7.2522069166651498511e-13,
       1.2400785360966485345e-14, -1.5854647516771025101e-19},
      {-3.5536922899131901941, 2.2191465938911163899, -6.1561414655700694963e-1, 2.3717805821538056362e-1,
       -8.2266399974212334099e-2, 2.2070291884822555238e-2, -4.0976568934263382390e-3, 4.5167920287502235349e-4,
       -2.3982285245075996704e-5, 2.0904234952920365958e-6, -3.7230763047369275849e-7, -1.0585705549674147037e-8,
       -5.8138798302825405480e-11, 2.7080049362631943827e-13, -6.9244749406392001520e-18}};
  const int reach = order ? order / 2 : 14;
  double centre = 0, half[15];
  char *message;
  int j, k, status = hw ? convk_begin_call_(hw) : CONVK_OK;
  if (status) return status;
  message = hw ? convk_message_(hw) : NULL;
  status = convk_need_(message, "taps", taps);
  if (!status) status = convk_need_(message, "filter", filter);
  if (!status) status = convk_need_finite_(message, "factor", factor);
  if (status) return status;
  if ((derivative != 1 && derivative != 2) || order < 0 || order > 16 || order % 2)
    return convk_refuse_at_(message, CONVK_ERR_OPTION, "derivative is % and order %, not 1 or 2 and 0, 2, 4 .. 16", derivative,
                            order, 0);
  for (k = 1; k <= reach; k++) { /* whole numbers below 2^53, and one division: (r!)^2 / ((r - k)! (r + k)!) */
    double above = k % 2 ? 1 : -1, below = k;
    for (j = reach - k + 1; j <= reach; j++) above *= j;
    for (j = reach + 1; j <= reach + k; j++) below *= j;
    half[k] = !order ? wavelet[derivative - 1][k] : derivative == 2 ? 2 * above / (below * k) : above / below;
    if (order) centre -= 2 * (705600.0 / (k * k)); /* 705600 = 840^2 is a multiple of all k^2 */
  }
  half[0] = derivative == 1 ? 0 : order ? centre / 705600 : wavelet[1][0];
  for (k = -reach; k <= reach; k++) {
    const CONVK_T tap = (CONVK_T)((k < 0 && derivative == 1 ? -1 : 1) * half[k < 0 ? -k : k] * factor);
    memcpy(taps + (k + reach), &tap, sizeof tap); /* at any address */
  }
  filter->lo = -reach;
  filter->up = reach;
  filter->taps = taps;
  return CONVK_OK;
}

/* ---- a call ---- */

/* ntaps 0: none. */
typedef struct convk_sums_filter_ {
  size_t ntaps;
  ptrdiff_t lo;
  CONVK_T taps[CONVK_FILTER_MAX_TAPS]; /* of kernels, which take them where they are aligned */
} convk_sums_filter_;

/* How copies of the input's planes wait for short filters: so many at a time, `plane` elements apart, from `below` before the
   first row of a tile on. */
typedef struct convk_sums_copies_ {
  size_t planes, plane, rows, reach_y, pitch, left, right; /* left, right: elements beyond a row that filters see */
  ptrdiff_t below, above, down, up;                        /* of y, of z: what filters see, and the points themselves */
} convk_sums_copies_;

typedef struct convk_sums_job_ {
  const convk_sums_kernels_ *kernels;
  convk_sums_axis_ axis[3];
  convk_sums_filter_ filter[3][3];
  convk_sumconv_terms terms;
  convk_grid3 gi, go, ga, gv;                                           /* of in, out, terms.add and potential */
  size_t step;                                                          /* numbers of an element: 1 or 2 */
  size_t vectors, in_stride, out_stride, add_stride, in_span, out_span; /* in elements */
  const CONVK_T *in;
  CONVK_T *out;
  int any_imag, any_phase, mixed[3], wants_x;
  size_t tile, tiles, chunk, chunks, tasks; /* rows of y, planes of z; how many of each */
  int stream, fuses;                        /* fuses: filters are short, all axes are taken at once */
  convk_sums_copies_ copies;
  size_t row, plane, padded, left, right; /* pitches of rows, planes, padded rows; room before these */
  size_t at[CONVK_SUMS_PLACES_], bytes;   /* of one task */
  char *scratch;
  double *sums; /* of each row of the output, or NULL */
} convk_sums_job_;

/* The axes of a call, from the sizes of its input. */
CONVK_RARE_ int convk_sums_axes_(char *message, const convk_sumconv3d_shape *shape, const convk_sumconv_terms *terms,
                                 convk_sums_job_ *job) {
  const convk_filter *filters[3];
  const size_t n[3] = {job->gi.nx, job->gi.ny, job->gi.nz};
  int d, kind;
  filters[0] = terms->filter;
  filters[1] = terms->imag;
  filters[2] = terms->first;
  for (d = 0; d < 3; d++) {
    const int boundary = shape->boundary[d], ends = boundary == CONVK_BOUNDARY_GROW || boundary == CONVK_BOUNDARY_SHRINK;
    const int lo = filters[0][d].taps ? filters[0][d].lo : 0, up = filters[0][d].taps ? filters[0][d].up : 0;
    convk_axis_ axis;
    int status = convk_axis_check_(n[d], lo, up, boundary, &axis);
    if (!status && ends && (lo > 0 || up < 0)) status = CONVK_ERR_TAPS;
    if (status == CONVK_ERR_TAPS) return convk_sums_refuse_(message, status, "$ has no 1 to 64 taps, or is too far off", 0, d);
    if (status == CONVK_ERR_SHRINK)
      return convk_sums_refuse_(message, status, "$ leaves nothing of an axis that shrinks", 0, d);
    if (status) return convk_refuse_at_(message, status, "shape->boundary[%] is %, which is none of filters", d, boundary, 0);
    for (kind = 0; kind < 3; kind++) {
      const convk_filter *f = &filters[kind][d];
      convk_axis_ other;
      job->filter[kind][d].ntaps = 0;
      job->filter[kind][d].lo = 0;
      if (!f->taps) continue;
      if (convk_axis_check_(n[d], f->lo, f->up, CONVK_BOUNDARY_ZERO, &other) || (ends && (f->lo < lo || f->up > up)))
        return convk_sums_refuse_(message, CONVK_ERR_TAPS,
                                  "$ has no 1 to 64 taps, is too far off, or reaches beyond terms->filter", kind, d);
      job->filter[kind][d].ntaps = other.ntaps;
      job->filter[kind][d].lo = f->lo;
    }
    job->axis[d].n = axis.n;
    job->axis[d].m = axis.m;
    job->axis[d].origin = boundary == CONVK_BOUNDARY_GROW ? -up : boundary == CONVK_BOUNDARY_SHRINK ? -lo : 0;
    job->axis[d].periodic = boundary == CONVK_BOUNDARY_PERIODIC;
  }
  return CONVK_OK;
}

/* What terms say of axes beyond their filters; whether a complex call has what a real one must not. */
CONVK_RARE_ int convk_sums_extras_(char *message, const convk_sumconv_terms *terms, convk_sums_job_ *job) {
  int d;
  job->any_imag = job->any_phase = 0;
  for (d = 0; d < 3; d++) {
    const double re = terms->phase[d][0], im = terms->phase[d][1];
    const int set = re != 0 || im != 0;
    if (job->filter[CONVK_SUMS_IMAG_][d].ntaps) job->any_imag = 1;
    if (job->step == 1 && (job->any_imag || set))
      return convk_refuse_(message, CONVK_ERR_OPTION, "terms->imag and terms->phase are for complex calls");
    if (!convk_finite_f64_(re) || !convk_finite_f64_(im))
      return convk_refuse_at_(message, CONVK_ERR_NONFINITE, "terms->phase[%] is not finite", d, 0, 0);
    if (set && (!job->axis[d].periodic || !(re * re + im * im > 1 - 1e-6 && re * re + im * im < 1 + 1e-6)))
      return convk_refuse_at_(message, CONVK_ERR_OPTION,
                              "terms->phase[%] is not of magnitude 1, or of an axis that is not periodic", d, 0, 0);
    job->axis[d].turns = set && (re != 1 || im != 0);
    job->axis[d].phase[0] = re;
    job->axis[d].phase[1] = im;
    if (job->axis[d].turns) job->any_phase = 1;
    job->mixed[d] = terms->mixed[d] != 0;
    if (job->mixed[d] &&
        !(job->filter[CONVK_SUMS_FIRST_][(d + 1) % 3].ntaps && job->filter[CONVK_SUMS_FIRST_][(d + 2) % 3].ntaps))
      return convk_refuse_at_(message, CONVK_ERR_NULL, "terms->mixed[%] is of terms->first[%] and [%], of which one is NULL", d,
                              (d + 1) % 3, (d + 2) % 3);
  }
  return CONVK_OK;
}

/* The grids of a call. */
CONVK_RARE_ int convk_sums_grids_(char *message, const convk_sumconv3d_shape *shape, const convk_sumconv_terms *terms,
                                  size_t step, convk_sums_job_ *job) {
  const size_t element = step * sizeof(CONVK_T), limit = (size_t)-1 / 4;
  convk_grid3 *const go = &job->go;
  size_t in_more, out_more, bytes;
  int status = convk_need_(message, "shape", shape);
  if (!status) status = convk_need_(message, "terms", terms);
  if (status) return status;
  job->step = step;
  status = convk_grid_check_(message, "shape->in", &shape->in, element, &job->gi, &job->in_span);
  if (!status) status = convk_sums_axes_(message, shape, terms, job);
  if (!status) status = convk_sums_extras_(message, terms, job);
  if (status) return status;
  *go = shape->out;
  if (!go->nx && !go->ny && !go->nz) {
    go->nx = job->axis[0].m;
    go->ny = job->axis[1].m;
    go->nz = job->axis[2].m;
  }
  status = convk_grid_check_(message, "shape->out", go, element, go, &job->out_span);
  if (status) return status;
  if (go->nx != job->axis[0].m || go->ny != job->axis[1].m || go->nz != job->axis[2].m)
    return convk_refuse_at_(message, CONVK_ERR_SIZE, "shape->out must be of % x % x % points", (int64_t)job->axis[0].m,
                            (int64_t)job->axis[1].m, (int64_t)job->axis[2].m);
  job->vectors = shape->vectors ? shape->vectors : 1;
  job->in_stride = shape->in_stride ? shape->in_stride : job->gi.nz * job->gi.pitch_z;
  job->out_stride = shape->out_stride ? shape->out_stride : go->nz * go->pitch_z;
  job->ga = job->gv = *go;
  job->add_stride = job->out_stride;
  if (job->vectors > 1 && job->out_stride < job->out_span)
    return convk_refuse_at_(message, CONVK_ERR_PITCH, "shape->out_stride is %, less than the % of a grid",
                            (int64_t)job->out_stride, (int64_t)job->out_span, 0);
  if (convk_mul_(job->vectors - 1, job->in_stride, &in_more) || convk_mul_(job->vectors - 1, job->out_stride, &out_more) ||
      in_more > limit - job->in_span || out_more > limit - job->out_span ||
      convk_mul_(job->in_span + in_more, element, &bytes) || bytes > limit ||
      convk_mul_(job->out_span + out_more, element, &bytes) || bytes > limit)
    return convk_refuse_(message, CONVK_ERR_OVERFLOW, "shape->vectors are too many");
  return CONVK_OK;
}

/* The numbers of terms, and copies of taps. */
CONVK_RARE_ int convk_sums_numbers_(char *message, const convk_sumconv_terms *terms, convk_sums_job_ *job) {
  const convk_filter *filters[3];
  size_t d, k;
  int kind, status;
  filters[0] = terms->filter;
  filters[1] = terms->imag;
  filters[2] = terms->first;
  for (kind = 0; kind < 3; kind++)
    for (d = 0; d < 3; d++) {
      convk_sums_filter_ *f = &job->filter[kind][d];
      if (f->ntaps) memcpy(f->taps, filters[kind][d].taps, f->ntaps * sizeof(CONVK_T));
      for (k = 0; k < f->ntaps; k++)
        if (!convk_finite_(f->taps[k]))
          return convk_sums_refuse_(message, CONVK_ERR_NONFINITE, "a tap of $ is not finite", kind, (int)d);
    }
  for (d = 0; d < 3; d++)
    if (!convk_finite_(terms->mixed[d]))
      return convk_refuse_at_(message, CONVK_ERR_NONFINITE, "terms->mixed[%] is not finite", (int64_t)d, 0, 0);
  status = convk_need_finite_(message, "terms->potential_factor", terms->potential_factor);
  if (!status) status = convk_need_finite_(message, "terms->shift", terms->shift);
  if (!status) status = convk_need_finite_(message, "terms->add_factor", terms->add_factor);
  job->terms = *terms;
  return status;
}

/* Everything that can be wrong with the arguments, found before anything is written. */
CONVK_RARE_ int convk_sums_check_(char *message, const convk_sumconv3d_shape *shape, const convk_sumconv_terms *terms,
                                  size_t step, const CONVK_T *in, CONVK_T *out, convk_sumconv_sums *sums, const void *work,
                                  size_t work_size, convk_sums_job_ *job) {
  const int may = CONVK_PLACE_OPTIONAL_, put = CONVK_PLACE_OPTIONAL_ | CONVK_PLACE_WRITTEN_;
  static const char *const names[3] = {"terms->filter[%].taps", "terms->imag[%].taps", "terms->first[%].taps"};
  const size_t s = step * sizeof(CONVK_T);
  const convk_filter *filters[3];
  convk_place_ place[15];
  size_t all, k;
  int status = convk_sums_grids_(message, shape, terms, step, job);
  if (!status) status = convk_sums_numbers_(message, terms, job);
  if (status) return status;
  if (!out && !sums) return convk_refuse_(message, CONVK_ERR_NULL, "out and sums are NULL");
  all = (job->vectors - 1) * job->out_stride + job->out_span;
  place[0] = convk_place_of_("in", in, ((job->vectors - 1) * job->in_stride + job->in_span) * s, 0);
  place[1] = convk_place_of_("out", out, all * s, put | CONVK_PLACE_IN_PLACE_);
  place[2] = convk_place_of_("work", work, work_size, put);
  place[3] = convk_place_of_("terms->potential", terms->potential, job->out_span * sizeof(CONVK_T), may);
  place[4] = convk_place_of_("terms->add", terms->add, all * s, may | CONVK_PLACE_IN_PLACE_);
  place[5] = convk_place_of_("sums", sums, job->vectors * sizeof *sums, put);
  filters[0] = terms->filter;
  filters[1] = terms->imag;
  filters[2] = terms->first;
  for (k = 0; k < 9; k++)
    place[6 + k] =
        convk_place_read_(names[k / 3], k % 3, filters[k / 3][k % 3].taps, job->filter[k / 3][k % 3].ntaps * sizeof(CONVK_T));
  job->in = in;
  job->out = out;
  job->wants_x = terms->potential || terms->shift != 0 || sums;
  return convk_places_check_(message, place, 15);
}

/* ---- how a call is cut ---- */

CONVK_LOCAL_ double convk_sums_madds_(const convk_sums_job_ *job) {
  size_t taps = 4;
  int kind, d;
  for (kind = 0; kind < 3; kind++)
    for (d = 0; d < 3; d++) taps += job->filter[kind][d].ntaps;
  return (double)(job->axis[0].m * job->axis[1].m) * (double)(job->axis[2].m * job->vectors) * (double)(job->step * taps);
}

/* Places of the scratch, and its bytes: they grow with sizes and taps. */
CONVK_RARE_ int convk_sums_scratch_(convk_sums_job_ *job) {
  const size_t unit = 64 / sizeof(CONVK_T), block = CONVK_BLOCK_, square = block * block;
  const size_t n = job->axis[0].n, m = job->axis[0].m, longest = n > m ? n : m;
  const int *mixed = job->mixed;
  const size_t gap = CONVK_FILTER_MAX_TAPS + CONVK_BLOCK_, imag = job->any_imag != 0;
  size_t left = 0, right = longest, count[CONVK_SUMS_PLACES_], pitch[CONVK_SUMS_PLACES_], end = 0;
  int k;
  for (k = 0; k < 3; k++) {
    const convk_sums_filter_ *f = &job->filter[k][0];
    const ptrdiff_t before = -(job->axis[0].origin + f->lo), up = job->axis[0].origin + f->lo + (ptrdiff_t)(m + f->ntaps);
    if (!f->ntaps) continue;
    if (before > 0 && (size_t)before > left) left = (size_t)before;
    if (up > 0 && (size_t)up > right) right = (size_t)up;
  }
  if (longest > (size_t)-1 / 65536 / sizeof(CONVK_T)) return CONVK_ERR_OVERFLOW;
  job->right = right;
  job->left = left = convk_round_up_(left, unit);               /* points of the input as they are in lines */
  job->row = convk_round_up_(longest * job->step, unit) + unit; /* one line more: rows do not share cache sets */
  job->padded = convk_round_up_((left + right) * job->step + CONVK_SLACK_, unit) + unit;
  job->plane = convk_round_up_(block * m * job->step, unit) + unit;
  for (k = 0; k < CONVK_SUMS_PLACES_; k++) {
    count[k] = block;
    pitch[k] = job->row;
  }
  pitch[CONVK_SUMS_PADDED_] = pitch[CONVK_SUMS_OTHER_] = pitch[CONVK_SUMS_ZX_] = job->padded;
  pitch[CONVK_SUMS_Z_] = pitch[CONVK_SUMS_IMAG_Z_] = job->plane;
  count[CONVK_SUMS_IMAG_Z_] = count[CONVK_SUMS_IMAG_Y_] = count[CONVK_SUMS_IMAG_X_] = imag * block;
  count[CONVK_SUMS_OTHER_] = count[CONVK_SUMS_XY_] = mixed[CONVK_SUMS_OF_XY_] ? block : 0;
  count[CONVK_SUMS_ZX_] = mixed[CONVK_SUMS_OF_ZX_] ? square : 0;
  count[CONVK_SUMS_ROW_ZX_] = mixed[CONVK_SUMS_OF_ZX_] ? block : 0;
  count[CONVK_SUMS_YZ_] = mixed[CONVK_SUMS_OF_YZ_] ? square : 0;
  count[CONVK_SUMS_WANT_Y_] = mixed[CONVK_SUMS_OF_YZ_] ? gap * block : 0;
  count[CONVK_SUMS_PHASES_] = job->any_phase ? gap : 0;
  for (k = 0; k < CONVK_SUMS_PLACES_; k++) {
    job->at[k] = end;
    end += count[k] * pitch[k];
  }
  job->bytes = convk_round_up_(end * sizeof(CONVK_T), 64);
  return CONVK_OK;
}

/* What a filter of an axis sees of the input from the point of an output on, itself included. */
CONVK_LOCAL_ void convk_sums_seen_(const convk_sums_filter_ *f, ptrdiff_t *below, ptrdiff_t *above) {
  *below = *above = 0;
  if (!f->ntaps) return;
  if (f->lo < 0) *below = f->lo;
  if (f->lo + (ptrdiff_t)f->ntaps - 1 > 0) *above = f->lo + (ptrdiff_t)f->ntaps - 1;
}

/* Bytes of a thread's copies.  No measurement is kept of less or more than this times L2, which more rows exceed by the rows
   around them */
#define CONVK_SUMS_COPIES_(l2) ((l2) / 4 * 3)
#define CONVK_SUMS_ROWS_LEAST_ ((size_t)16)

/* Short filters: whether all axes are taken at once, rows of a tile, and bytes of copies that are enough for all smaller grids
   and fewer taps, too. */
CONVK_RARE_ int convk_sums_copies_cut_(convk *hw, convk_sums_job_ *job, int sums, size_t *bytes) {
  const size_t l2 = convk_cache_l2_(hw ? &hw->tuning : NULL), unit = 64 / sizeof(CONVK_T), my = job->axis[1].m;
  const size_t own = hw ? hw->tuning.sepconv_rows : 0, limit = CONVK_SUMS_SHORT_ - 1;
  const ptrdiff_t before = -(job->axis[0].origin + job->filter[0][0].lo);
  convk_sums_copies_ *const c = &job->copies;
  size_t reach_z, room, all, row;
  int d;
  c->left = (size_t)(before > 0 ? before : 0) * job->step;
  c->right = (job->right - job->axis[0].n) * job->step;
  c->pitch = convk_round_up_((job->left + job->right) * job->step, unit);
  if (c->pitch / unit % 2 == 0) c->pitch += unit; /* rows do not share cache sets */
  row = c->pitch * sizeof(CONVK_T);
  convk_sums_seen_(&job->filter[0][1], &c->below, &c->above);
  convk_sums_seen_(&job->filter[0][2], &c->down, &c->up);
  c->reach_y = (size_t)(c->above - c->below);
  reach_z = (size_t)(c->up - c->down);
  /* Where only hamiltonian needs this text, there are no kernels for short filters, and these take the way of long ones. */
  job->fuses = CONVK_FINDS_SUMS_ && !sums && !job->any_imag && !job->mixed[0] && !job->mixed[1] && !job->mixed[2] &&
               c->reach_y <= limit && reach_z <= limit;
  for (d = 0; d < 3; d++) job->fuses = job->fuses && job->filter[0][d].ntaps <= CONVK_SUMS_SHORT_;
  if (c->reach_y > limit) c->reach_y = limit;
  if (reach_z > limit) reach_z = limit;
  c->planes = reach_z + CONVK_SUMS_PLANES_;
  room = CONVK_SUMS_COPIES_(l2) / c->planes;
  c->rows = own ? own : room / row > CONVK_SUMS_ROWS_LEAST_ ? room / row : CONVK_SUMS_ROWS_LEAST_;
  if (c->rows > my) c->rows = my;
  c->rows = convk_ceil_(my, convk_ceil_(my, c->rows));                              /* all tiles alike */
  if (!own && c->rows < my) c->rows = convk_round_up_(c->rows, CONVK_SUMS_PLANES_); /* kernels take so many at once */
  if (c->rows > my) c->rows = my;
  c->plane = (c->rows + c->reach_y) * c->pitch;
  room += CONVK_SUMS_PLANES_ * row; /* for rounding up */
  if (room < CONVK_SUMS_ROWS_LEAST_ * row) room = CONVK_SUMS_ROWS_LEAST_ * row;
  if (own || room / row > my) room = (own && own < my ? own : my) * row;
  if (convk_mul_(c->planes, room + (c->reach_y + 1) * row + 64, &all) || all > (size_t)-1 / 8) return CONVK_ERR_OVERFLOW;
  *bytes = convk_round_up_(all, 64) + (2 * job->row + CONVK_SLACK_) * sizeof(CONVK_T);
  if (job->fuses) job->at[CONVK_SUMS_PHASES_] = job->row; /* a row each of zeros and of phases, then copies */
  return CONVK_OK;
}

CONVK_RARE_ int convk_sums_cut_(convk *hw, convk_sums_job_ *job, int sums, size_t *need) {
  const convk_tuning *const tuning = hw ? &hw->tuning : NULL;
  const size_t threads = convk_filters_threads_(hw, convk_sums_madds_(job), sizeof(CONVK_T)), block = CONVK_BLOCK_;
  const size_t my = job->axis[1].m, mz = job->axis[2].m, element = job->step * sizeof(CONVK_T);
  convk_tuning none;
  size_t rows, taps = 1, rest = 0, copies;
  int k;
  if (!hw) memset(&none, 0, sizeof none);
  if (convk_sums_scratch_(job) || convk_sums_copies_cut_(hw, job, sums, &copies)) return CONVK_ERR_OVERFLOW;
  for (k = 0; k < 3; k++)
    if (job->filter[k][2].ntaps > taps) taps = job->filter[k][2].ntaps;
  rows = convk_cache_l2_(tuning) / 8 * CONVK_FILTERS_EIGHTHS_ / ((block + taps - 1) * job->axis[0].n * element);
  if (tuning && tuning->sepconv_rows) rows = tuning->sepconv_rows;
  if (rows > my / threads) rows = my / threads;
  job->tile = job->fuses ? job->copies.rows : rows < block ? block : rows / block * block;
  job->tiles = convk_ceil_(my, job->tile);
  job->chunks = threads > job->tiles * job->vectors ? convk_ceil_(threads, job->tiles * job->vectors) : 1;
  job->chunk = convk_round_up_(convk_ceil_(mz, job->chunks), block);
  job->chunks = convk_ceil_(mz, job->chunk);
  job->tasks = job->vectors * job->tiles * job->chunks;
  if (job->tasks > threads) job->tasks = threads;
  job->stream = convk_cache_beyond_(tuning ? tuning : &none, threads, (job->in_span + job->out_span) * element);
  if (job->bytes < copies) job->bytes = copies;
  if (sums && (convk_mul_(my * mz, job->vectors, &rest) || convk_mul_(rest, CONVK_SUMS_COUNT_ * sizeof(double), &rest)))
    return CONVK_ERR_OVERFLOW;
  if (rest > (size_t)-1 / 4 || convk_mul_(threads, job->bytes, need) || *need > (size_t)-1 / 4) return CONVK_ERR_OVERFLOW;
  *need += convk_round_up_(rest, 64) + 64;
  return CONVK_OK;
}

/* ---- a tile ---- */

/* p = what an array is multiplied by so many periods up. */
CONVK_RARE_ void convk_sums_turn_(const convk_sums_axis_ *axis, ptrdiff_t periods, double p[2]) {
  const double re = axis->phase[0], im = periods < 0 ? -axis->phase[1] : axis->phase[1];
  ptrdiff_t k = periods < 0 ? -periods : periods;
  if (!axis->turns) return;
  for (; k > 0; k--) {
    const double was = p[0];
    p[0] = was * re - p[1] * im;
    p[1] = was * im + p[1] * re;
  }
}

/* Row (y, z) of a vector, also beyond its ends: where it lies, or made in a place of its own. */
CONVK_LOCAL_ const CONVK_T *convk_sums_line_(const convk_sums_job_ *job, const CONVK_T *in, CONVK_T *scratch, ptrdiff_t y,
                                             ptrdiff_t z, size_t place) {
  const convk_sums_axis_ *const ay = &job->axis[1], *const az = &job->axis[2];
  const ptrdiff_t ny = (ptrdiff_t)ay->n, nz = (ptrdiff_t)az->n;
  ptrdiff_t up_y = 0, up_z = 0;
  double phase[2] = {1, 0};
  CONVK_T *turned;
  if (y < 0 || y >= ny) {
    if (!ay->periodic) return scratch + job->at[CONVK_SUMS_ZEROS_];
    y = convk_sums_wrap_(y, ny, &up_y);
  }
  if (z < 0 || z >= nz) {
    if (!az->periodic) return scratch + job->at[CONVK_SUMS_ZEROS_];
    z = convk_sums_wrap_(z, nz, &up_z);
  }
  in += ((size_t)z * job->gi.pitch_z + (size_t)y * job->gi.pitch_y) * job->step;
  if (!(up_y && ay->turns) && !(up_z && az->turns)) return in;
  convk_sums_turn_(ay, up_y, phase);
  convk_sums_turn_(az, up_z, phase);
  turned = scratch + job->at[CONVK_SUMS_PHASES_] + place * job->row;
  job->kernels->spin(in, 0, job->axis[0].n, 1, 0, (CONVK_T)phase[0], (CONVK_T)phase[1], turned, 0);
  return turned;
}

/* A filter along y or z for nout outputs from (y, z) on, n elements of each from `first` on; rows `more` of them as one. */
CONVK_LOCAL_ void convk_sums_columns_(const convk_sums_job_ *job, const CONVK_T *in, CONVK_T *scratch,
                                      const convk_sums_filter_ *f, int along_z, ptrdiff_t y, ptrdiff_t z, size_t n, size_t nout,
                                      size_t first, CONVK_T **out) {
  const convk_sums_axis_ *const axis = &job->axis[along_z ? 2 : 1], *const other = &job->axis[along_z ? 1 : 2];
  const ptrdiff_t begin = (along_z ? z : y) + f->lo, beside = along_z ? y : z;
  const int inside = beside >= 0 && beside < (ptrdiff_t)other->n; /* so rows of the array have none of another's phase */
  const size_t apart = (along_z ? job->gi.pitch_z : job->gi.pitch_y) * job->step;
  const CONVK_T *rows[CONVK_BLOCK_ + CONVK_FILTER_MAX_TAPS];
  convk_fetch_ fetch; /* of no planes, but kernels fetch rows that they read */
  size_t k;
  if (job->stream) memset(&fetch, 0, sizeof fetch);
  for (k = 0; k < nout + f->ntaps - 1; k++) {
    const ptrdiff_t at = begin + (ptrdiff_t)k;
    rows[k] = k && inside && at > 0 && at < (ptrdiff_t)axis->n
                  ? rows[k - 1] + apart
                  : convk_sums_line_(job, in, scratch, along_z ? y : at, along_z ? at : z, k) + first;
  }
  convk_filters_block_(job->kernels->columns, rows, f->ntaps, f->taps, n, nout, out, NULL, scratch + job->at[CONVK_SUMS_ZEROS_],
                       scratch + job->at[CONVK_SUMS_TRASH_], 0, job->stream ? &fetch : NULL);
}

/* What filters of x see beyond rows: nothing, unless they repeat. */
CONVK_LOCAL_ void convk_sums_extend_(const convk_sums_job_ *job, CONVK_T *rows, size_t pitch, size_t points, size_t nrows) {
  const convk_sums_axis_ *const a = &job->axis[0];
  const ptrdiff_t n = (ptrdiff_t)a->n, begin = -(ptrdiff_t)job->left, end = (ptrdiff_t)points + begin;
  ptrdiff_t i = begin, up, from;
  size_t run;
  if (!a->periodic) return;
  while (i < end) {
    if (i == 0) i = n;
    if (i >= end) return;
    from = convk_sums_wrap_(i, n, &up);
    run = (size_t)(n - from < end - i ? n - from : end - i);
    job->kernels->copy_rows(rows + from * (ptrdiff_t)job->step, rows + i * (ptrdiff_t)job->step, pitch, run * job->step, nrows);
    if (a->turns) {
      double phase[2] = {1, 0};
      CONVK_T *to = rows + i * (ptrdiff_t)job->step;
      convk_sums_turn_(a, up, phase);
      job->kernels->spin(to, pitch, run, nrows, 0, (CONVK_T)phase[0], (CONVK_T)phase[1], to, pitch);
    }
    i += (ptrdiff_t)run;
  }
}

/* The filter of x, in a way. */
CONVK_LOCAL_ void convk_sums_of_x_(const convk_sums_job_ *job, const convk_sums_filter_ *f, const CONVK_T *rows,
                                   convk_sums_way_ *way) {
  way->step = job->step;
  way->ntaps = f->ntaps;
  way->taps = f->taps;
  way->in.first = f->ntaps ? rows + (job->axis[0].origin + f->lo) * (ptrdiff_t)job->step : rows;
  way->in.pitch = job->padded;
}

/* A filter of x alone, into rows. */
CONVK_LOCAL_ void convk_sums_along_rows_(const convk_sums_job_ *job, const convk_sums_filter_ *f, const CONVK_T *rows,
                                         size_t nrows, CONVK_T *out) {
  convk_sums_way_ way;
  memset(&way, 0, sizeof way);
  convk_sums_of_x_(job, f, rows, &way);
  way.out = out;
  way.pitch_out = job->row;
  job->kernels->finish(&way, job->axis[0].m * job->step, nrows, 0);
}

/* A block of rows and planes of one vector: its input, where it is, and its part of the scratch. */
typedef struct convk_sums_brick_ {
  const CONVK_T *in;
  CONVK_T *scratch;
  size_t vector, y, ny, z, nz, begin, count; /* begin, count: elements of output rows where y and z have something to see */
  ptrdiff_t from_y, from_z, from_x;          /* in the input */
} convk_sums_brick_;

/* Along z, for all planes of a brick at once. */
CONVK_LOCAL_ void convk_sums_all_z_(const convk_sums_job_ *job, const convk_sums_brick_ *b) {
  const int places[2] = {CONVK_SUMS_Z_, CONVK_SUMS_IMAG_Z_};
  const ptrdiff_t top = b->from_y + (ptrdiff_t)b->ny;
  const int whole = job->gi.pitch_y == job->gi.nx && job->axis[0].m == job->gi.nx && !job->axis[2].turns && b->from_y >= 0 &&
                    top <= (ptrdiff_t)job->gi.ny;
  const size_t rows = whole ? b->ny : 1;
  CONVK_T *out[CONVK_BLOCK_];
  size_t r, t;
  int k;
  for (k = 0; k < 2; k++) {
    const convk_sums_filter_ *f = &job->filter[k][2];
    CONVK_T *to = b->scratch + job->at[places[k]] + b->begin;
    for (r = 0; f->ntaps && r < b->ny; r += rows) {
      for (t = 0; t < b->nz; t++) out[t] = to + t * job->plane + r * job->axis[0].m * job->step;
      convk_sums_columns_(job, b->in, b->scratch, f, 1, b->from_y + (ptrdiff_t)r, b->from_z, rows * b->count, b->nz,
                          (size_t)b->from_x, out);
    }
  }
  for (r = 0; job->mixed[CONVK_SUMS_OF_ZX_] && r < b->ny; r++) {
    for (t = 0; t < b->nz; t++)
      out[t] = b->scratch + job->at[CONVK_SUMS_ZX_] + (t * CONVK_BLOCK_ + r) * job->padded + job->left * job->step;
    convk_sums_columns_(job, b->in, b->scratch, &job->filter[CONVK_SUMS_FIRST_][2], 1, b->from_y + (ptrdiff_t)r, b->from_z,
                        job->gi.nx * job->step, b->nz, 0, out);
  }
}

/* The mixed term of y and z: along z for all rows that y sees, then along y. */
CONVK_LOCAL_ void convk_sums_mixed_yz_(const convk_sums_job_ *job, const convk_sums_brick_ *b) {
  const convk_sums_filter_ *const fy = &job->filter[CONVK_SUMS_FIRST_][1], *const fz = &job->filter[CONVK_SUMS_FIRST_][2];
  const CONVK_T *rows[CONVK_BLOCK_ + CONVK_FILTER_MAX_TAPS];
  CONVK_T *const want = b->scratch + job->at[CONVK_SUMS_WANT_Y_];
  CONVK_T *out[CONVK_BLOCK_];
  size_t k, t;
  for (k = 0; k < b->ny + fy->ntaps - 1; k++) {
    for (t = 0; t < b->nz; t++) out[t] = want + (t * (CONVK_BLOCK_ + CONVK_FILTER_MAX_TAPS) + k) * job->row;
    convk_sums_columns_(job, b->in, b->scratch, fz, 1, b->from_y + fy->lo + (ptrdiff_t)k, b->from_z, b->count, b->nz,
                        (size_t)b->from_x, out);
  }
  for (t = 0; t < b->nz; t++) {
    for (k = 0; k < b->ny + fy->ntaps - 1; k++) rows[k] = want + (t * (CONVK_BLOCK_ + CONVK_FILTER_MAX_TAPS) + k) * job->row;
    for (k = 0; k < b->ny; k++) out[k] = b->scratch + job->at[CONVK_SUMS_YZ_] + (t * CONVK_BLOCK_ + k) * job->row + b->begin;
    convk_filters_block_(job->kernels->columns, rows, fy->ntaps, fy->taps, b->count, b->ny, out, NULL,
                         b->scratch + job->at[CONVK_SUMS_ZEROS_], b->scratch + job->at[CONVK_SUMS_TRASH_], 0, NULL);
  }
}

/* Along y and x, for plane t of a brick. */
CONVK_LOCAL_ void convk_sums_plane_(const convk_sums_job_ *job, const convk_sums_brick_ *b, size_t t) {
  const int places_y[3] = {CONVK_SUMS_Y_, CONVK_SUMS_IMAG_Y_, CONVK_SUMS_OTHER_};
  const ptrdiff_t z = b->from_z + (ptrdiff_t)t;
  const size_t room = job->left * job->step, points = (job->padded - CONVK_SLACK_) / job->step;
  CONVK_T *const s = b->scratch, *padded = s + job->at[CONVK_SUMS_PADDED_] + room;
  CONVK_T *out[CONVK_BLOCK_];
  size_t r;
  int k;
  for (k = 0; k < 3; k++) {
    const convk_sums_filter_ *f = &job->filter[k][1];
    const int mixed = k == CONVK_SUMS_FIRST_;
    if (!f->ntaps || (mixed && !job->mixed[CONVK_SUMS_OF_XY_])) continue;
    for (r = 0; r < b->ny; r++)
      out[r] = s + job->at[places_y[k]] + r * (mixed ? job->padded : job->row) + (mixed ? room : b->begin);
    convk_sums_columns_(job, b->in, s, f, 0, b->from_y, z, mixed ? job->gi.nx * job->step : b->count, b->ny,
                        mixed ? 0 : (size_t)b->from_x, out);
  }
  if (job->wants_x || job->filter[0][0].ntaps || job->filter[1][0].ntaps) {
    const int inside = !job->any_phase && b->from_y >= 0 && b->from_y + (ptrdiff_t)b->ny <= (ptrdiff_t)job->gi.ny;
    for (r = 0; r < b->ny; r += inside ? b->ny : 1)
      job->kernels->copy(convk_sums_line_(job, b->in, s, b->from_y + (ptrdiff_t)r, z, r),
                         inside ? job->gi.pitch_y * job->step : 0, job->gi.nx * job->step, inside ? b->ny : 1,
                         padded + r * job->padded, job->padded);
    convk_sums_extend_(job, padded, job->padded, points, b->ny);
  }
  if (job->mixed[CONVK_SUMS_OF_XY_]) {
    convk_sums_extend_(job, s + job->at[CONVK_SUMS_OTHER_] + room, job->padded, points, b->ny);
    convk_sums_along_rows_(job, &job->filter[CONVK_SUMS_FIRST_][0], s + job->at[CONVK_SUMS_OTHER_] + room, b->ny,
                           s + job->at[CONVK_SUMS_XY_]);
  }
  if (job->mixed[CONVK_SUMS_OF_ZX_]) {
    CONVK_T *rows = s + job->at[CONVK_SUMS_ZX_] + t * CONVK_BLOCK_ * job->padded + room;
    convk_sums_extend_(job, rows, job->padded, points, b->ny);
    convk_sums_along_rows_(job, &job->filter[CONVK_SUMS_FIRST_][0], rows, b->ny, s + job->at[CONVK_SUMS_ROW_ZX_]);
  }
}

/* The sums of row r of a way with its result; imag: what was multiplied by i of each axis. */
CONVK_LOCAL_ void convk_sums_sum_row_(const convk_sums_job_ *job, CONVK_T *s, const convk_sums_way_ *w,
                                      const convk_sums_way_ *imag, size_t n, size_t r, double *sums) {
  const convk_sums_kernels_ *const k = job->kernels;
  const convk_sums_rows_ *const here = &w->part[CONVK_SUMS_PART_HERE_];
  const CONVK_T *const x = here->first + r * here->pitch, *const y = w->out + r * w->pitch_out;
  const CONVK_T *const v = w->potential.first ? w->potential.first + r * w->potential.pitch : NULL;
  CONVK_T *const turned = job->step == 2 ? s + job->at[CONVK_SUMS_TURNED_X_] : NULL;
  int d;
  if (turned) k->spin(x, 0, n / 2, 1, 1, 0, 0, turned, 0);
  sums[0] = k->dot(x, NULL, y, n);
  sums[1] = turned ? k->dot(turned, NULL, y, n) : 0;
  sums[2] = v ? k->dot(NULL, v, x, n) : 0;
  sums[3] = k->dot(y, NULL, y, n);
  sums[4] = w->ntaps ? k->dot(x, NULL, w->part_x + r * w->pitch_x, n) : 0;
  if (imag->ntaps) sums[4] -= k->dot(turned, NULL, imag->part_x + r * imag->pitch_x, n);
  sums[7] = 0;
  for (d = 0; d < 2; d++) {
    const convk_sums_rows_ *const part = &w->part[CONVK_SUMS_PART_Y_ + d], *const other = &imag->part[CONVK_SUMS_PART_Y_ + d];
    sums[5 + d] = part->first ? k->dot(x, NULL, part->first + r * part->pitch, n) : 0;
    if (other->first) sums[5 + d] -= k->dot(turned, NULL, other->first + r * other->pitch, n);
  }
  for (d = 0; d < 3; d++) {
    const convk_sums_rows_ *const part = &w->part[CONVK_SUMS_PART_MIXED_ + d];
    if (part->first) sums[7] += (double)part->factor * k->dot(x, NULL, part->first + r * part->pitch, n);
  }
}

/* Rows from `first` on, times a factor. */
CONVK_LOCAL_ convk_sums_rows_ convk_sums_rows_of_(const CONVK_T *first, size_t pitch, CONVK_T factor) {
  const convk_sums_rows_ rows = {first, pitch, factor};
  return rows;
}

/* The filters of one kind, in a way. */
CONVK_LOCAL_ void convk_sums_parts_(const convk_sums_job_ *job, const convk_sums_brick_ *b, size_t t, int imag,
                                    convk_sums_way_ *w) {
  const convk_sums_filter_ *const f = job->filter[imag ? CONVK_SUMS_IMAG_ : CONVK_SUMS_FILTER_];
  const CONVK_T *const s = b->scratch;
  memset(w, 0, sizeof *w);
  convk_sums_of_x_(job, &f[0], s + job->at[CONVK_SUMS_PADDED_] + job->left * job->step, w);
  if (f[1].ntaps)
    w->part[CONVK_SUMS_PART_Y_] = convk_sums_rows_of_(s + job->at[imag ? CONVK_SUMS_IMAG_Y_ : CONVK_SUMS_Y_], job->row, 1);
  if (f[2].ntaps)
    w->part[CONVK_SUMS_PART_Z_] = convk_sums_rows_of_(s + job->at[imag ? CONVK_SUMS_IMAG_Z_ : CONVK_SUMS_Z_] + t * job->plane,
                                                      job->axis[0].m * job->step, 1);
  w->pitch_x = w->pitch_out = job->row;
  if (job->sums) w->part_x = b->scratch + job->at[imag ? CONVK_SUMS_IMAG_X_ : CONVK_SUMS_X_];
}

/* Plane t of a brick: all that makes its rows, their sums, and to memory. */
CONVK_LOCAL_ void convk_sums_to_memory_(const convk_sums_job_ *job, const convk_sums_brick_ *b, size_t t) {
  const convk_sums_kernels_ *const kernels = job->kernels;
  const convk_sumconv_terms *const terms = &job->terms;
  const size_t z = b->z + t, m = job->axis[0].m, n = m * job->step, pitch = job->go.pitch_y * job->step;
  const size_t at = (b->vector * job->out_stride + z * job->go.pitch_z + b->y * job->go.pitch_y) * job->step;
  const CONVK_T *const v = terms->potential ? terms->potential + z * job->gv.pitch_z + b->y * job->gv.pitch_y : NULL;
  CONVK_T *const s = b->scratch, *const out = job->out ? job->out + at : NULL;
  size_t mixed_at[3];
  convk_sums_way_ w, imag;
  convk_sums_rows_ x;
  size_t r;
  int d;
  mixed_at[CONVK_SUMS_OF_YZ_] = job->at[CONVK_SUMS_YZ_] + t * CONVK_BLOCK_ * job->row;
  mixed_at[CONVK_SUMS_OF_ZX_] = job->at[CONVK_SUMS_ROW_ZX_];
  mixed_at[CONVK_SUMS_OF_XY_] = job->at[CONVK_SUMS_XY_];
  convk_sums_parts_(job, b, t, 0, &w);
  memset(&imag, 0, sizeof imag);
  if (job->any_imag) {
    convk_sums_parts_(job, b, t, 1, &imag);
    imag.out = s + job->at[CONVK_SUMS_TURNED_];
    kernels->finish(&imag, n, b->ny, 0);
    kernels->spin(imag.out, job->row, m, b->ny, 1, 0, 0, imag.out, job->row);
    w.part[CONVK_SUMS_PART_TURNED_] = convk_sums_rows_of_(imag.out, job->row, 1);
  }
  for (d = 0; d < 3; d++)
    if (job->mixed[d]) w.part[CONVK_SUMS_PART_MIXED_ + d] = convk_sums_rows_of_(s + mixed_at[d], job->row, terms->mixed[d]);
  if (job->wants_x)
    w.part[CONVK_SUMS_PART_HERE_] =
        convk_sums_rows_of_(s + job->at[CONVK_SUMS_PADDED_] + (size_t)((ptrdiff_t)job->left + job->axis[0].origin) * job->step,
                            job->padded, terms->shift);
  if (v) w.potential = convk_sums_rows_of_(v, job->gv.pitch_y, terms->potential_factor);
  if (v && job->step == 2) {
    kernels->twice(v, job->gv.pitch_y, m, b->ny, s + job->at[CONVK_SUMS_TWICE_], job->row);
    w.potential = convk_sums_rows_of_(s + job->at[CONVK_SUMS_TWICE_], job->row, terms->potential_factor);
  }
  if (terms->add)
    w.part[CONVK_SUMS_PART_ADD_] = convk_sums_rows_of_(
        terms->add + (b->vector * job->add_stride + z * job->ga.pitch_z + b->y * job->ga.pitch_y) * job->step,
        job->ga.pitch_y * job->step, terms->add_factor);
  w.out = job->sums ? s + job->at[CONVK_SUMS_RESULT_] : out;
  w.pitch_out = job->sums ? job->row : pitch;
  x = w.part[CONVK_SUMS_PART_HERE_];
  if (!terms->potential && terms->shift == 0)
    w.part[CONVK_SUMS_PART_HERE_].first = NULL; /* 0 times NaN is NaN: only sums need x */
  kernels->finish(&w, n, b->ny, job->stream && !job->sums && !terms->add);
  w.part[CONVK_SUMS_PART_HERE_] = x;
  for (r = 0; job->sums && r < b->ny; r++)
    convk_sums_sum_row_(job, s, &w, &imag, n, r,
                        job->sums + ((b->vector * job->go.nz + z) * job->go.ny + b->y + r) * CONVK_SUMS_COUNT_);
  if (job->sums && out) kernels->copy(w.out, job->row, n, b->ny, out, pitch);
}

#include "sums/fused.h"

CONVK_LOCAL_ void convk_sums_task_(void *arg, size_t index) {
  const convk_sums_job_ *const job = (const convk_sums_job_ *)arg;
  const size_t units = job->vectors * job->tiles * job->chunks, block = CONVK_BLOCK_;
  convk_sums_brick_ b;
  size_t u, t;
  if (CONVK_FINDS_SUMS_ && job->fuses) {
    convk_sums_fused_all_(job, index);
    return;
  }
  b.scratch = (CONVK_T *)(void *)(job->scratch + index * job->bytes);
  /* zeros; and what nothing reaches, of an axis that ends */
  memset(b.scratch, 0, job->axis[0].periodic ? block * job->row * sizeof(CONVK_T) : job->bytes);
  b.from_x = job->axis[0].origin > 0 ? job->axis[0].origin * (ptrdiff_t)job->step : 0;
  b.begin = job->axis[0].origin < 0 ? (size_t)-job->axis[0].origin * job->step : 0;
  b.count = (job->axis[0].m < job->axis[0].n ? job->axis[0].m : job->axis[0].n) * job->step;
  for (u = index; u < units; u += job->tasks) {
    const size_t y0 = u % job->tiles * job->tile, z0 = u / job->tiles % job->chunks * job->chunk;
    const size_t y1 = job->go.ny - y0 < job->tile ? job->go.ny : y0 + job->tile;
    const size_t z1 = job->go.nz - z0 < job->chunk ? job->go.nz : z0 + job->chunk;
    b.vector = u / job->tiles / job->chunks;
    b.in = job->in + b.vector * job->in_stride * job->step;
    for (b.z = z0; b.z < z1; b.z += block)
      for (b.y = y0; b.y < y1; b.y += block) {
        b.nz = z1 - b.z < block ? z1 - b.z : block;
        b.ny = y1 - b.y < block ? y1 - b.y : block;
        b.from_y = (ptrdiff_t)b.y + job->axis[1].origin;
        b.from_z = (ptrdiff_t)b.z + job->axis[2].origin;
        convk_sums_all_z_(job, &b);
        if (job->mixed[CONVK_SUMS_OF_YZ_]) convk_sums_mixed_yz_(job, &b);
        for (t = 0; t < b.nz; t++) {
          convk_sums_plane_(job, &b, t);
          convk_sums_to_memory_(job, &b, t);
        }
      }
  }
  if (job->stream) job->kernels->fence();
}

/* Rows, then planes, of each sum of a vector. */
CONVK_RARE_ void convk_sums_gather_(const convk_sums_job_ *job, size_t vector, convk_sumconv_sums *sums) {
  const double *rows = job->sums + vector * job->go.nz * job->go.ny * CONVK_SUMS_COUNT_;
  double all[8] = {0, 0, 0, 0, 0, 0, 0, 0};
  size_t y, z, k;
  for (z = 0; z < job->go.nz; z++) {
    double plane[8] = {0, 0, 0, 0, 0, 0, 0, 0};
    for (y = 0; y < job->go.ny; y++, rows += CONVK_SUMS_COUNT_)
      for (k = 0; k < CONVK_SUMS_COUNT_; k++) plane[k] += rows[k];
    for (k = 0; k < CONVK_SUMS_COUNT_; k++) all[k] += plane[k];
  }
  for (k = 0; k < 2; k++) sums->dot[k] = all[k];
  sums->potential = all[2];
  sums->norm = all[3];
  for (k = 0; k < 3; k++) sums->axis[k] = all[4 + k];
  sums->mixed = all[7];
}

/* The type of entries of the tuner. */
CONVK_LOCAL_ const char *convk_sums_type_(size_t step) {
  return sizeof(CONVK_T) == 4 ? step > 1 ? "c32" : "f32" : step > 1 ? "c64" : "f64";
}

/* The cut of a call, by the tuner's entry that fits best. */
CONVK_RARE_ int convk_sums_cut_tuned_(convk *hw, convk_sums_job_ *job, int sums, size_t *need) {
  size_t n[3];
  convk copy;
  n[0] = job->axis[0].n;
  n[1] = job->axis[1].n;
  n[2] = job->axis[2].n;
  hw = convk_tuned_handle_(hw, "sumconv3d", convk_sums_type_(job->step), n, job->filter[0][1].ntaps, &copy);
  return convk_sums_cut_(hw, job, sums, need);
}

CONVK_RARE_ int convk_sums_run_(const convk_sums_kernels_ *kernels, convk *hw, const convk_sumconv3d_shape *shape,
                                const convk_sumconv_terms *terms, size_t step, const CONVK_T *in, CONVK_T *out,
                                convk_sumconv_sums *sums, void *work, size_t work_size) {
  convk_sums_job_ job;
  convk_work_ memory;
  size_t need, v;
  int status = hw ? convk_check_handle_(hw) : CONVK_OK;
  if (!status) status = convk_sums_check_(convk_message_(hw), shape, terms, step, in, out, sums, work, work_size, &job);
  if (status) return status;
  if (convk_sums_cut_tuned_(hw, &job, sums != NULL, &need))
    return convk_refuse_(convk_message_(hw), CONVK_ERR_OVERFLOW, "shape needs more work than can be counted in bytes");
  status = convk_work_begin_(convk_message_(hw), &memory, work, work_size, need);
  if (status) return status;
  job.kernels = kernels;
  job.scratch = memory.base;
  job.sums = sums ? (double *)(void *)(memory.base + job.tasks * job.bytes) : NULL;
  status = convk_run_tasks_(hw, job.tasks, convk_sums_task_, &job);
  for (v = 0; !status && sums && v < job.vectors; v++) convk_sums_gather_(&job, v, &sums[v]);
  convk_work_end_(&memory);
  return status;
}

CONVK_RARE_ int convk_sumconv3d_cpu_(const convk_sums_kernels_ *kernels, convk *hw, const convk_sumconv3d_shape *shape,
                                     const convk_sumconv_terms *terms, const CONVK_T *in, CONVK_T *out,
                                     convk_sumconv_sums *sums, void *work, size_t work_size) {
  return convk_sums_run_(kernels, hw, shape, terms, 1, in, out, sums, work, work_size);
}
CONVK_RARE_ int convk_complex_sumconv3d_cpu_(const convk_sums_kernels_ *kernels, convk *hw, const convk_sumconv3d_shape *shape,
                                             const convk_sumconv_terms *terms, const CONVK_T *in, CONVK_T *out,
                                             convk_sumconv_sums *sums, void *work, size_t work_size) {
  return convk_sums_run_(kernels, hw, shape, terms, 2, in, out, sums, work, work_size);
}

/* ---- sizes ---- */

CONVK_API_ int convk_sumconv3d_out_grid(convk *hw, const convk_sumconv3d_shape *shape, const convk_sumconv_terms *terms,
                                        convk_grid3 *out_grid) {
  convk_sumconv3d_shape follows;
  convk_sums_job_ job;
  int d, status = hw ? convk_begin_call_(hw) : CONVK_OK;
  if (status) return status;
  status = convk_need_(convk_message_(hw), "out_grid", out_grid);
  if (!status) status = convk_need_(convk_message_(hw), "shape", shape);
  if (status) return status;
  memset(&follows, 0, sizeof follows);
  follows.in = shape->in;
  for (d = 0; d < 3; d++) follows.boundary[d] = shape->boundary[d]; /* gcc warns of a memcpy */
  status = convk_sums_grids_(convk_message_(hw), &follows, terms, 2, &job);
  if (!status) *out_grid = job.go;
  return status;
}

CONVK_RARE_ int convk_sums_need_(convk *hw, const convk_sumconv3d_shape *shape, const convk_sumconv_terms *terms, size_t step,
                                 size_t *bytes) {
  convk_sums_job_ job;
  size_t i, need, max_need = 0;
  convk copy;
  int d, status = hw ? convk_begin_call_(hw) : CONVK_OK;
  if (status) return status;
  status = convk_need_(convk_message_(hw), "bytes", bytes);
  if (!status) status = convk_sums_grids_(convk_message_(hw), shape, terms, step, &job);
  if (status) return status;
  for (d = 0; d < 3; d++) /* fewer taps leave more of an axis that shrinks */
    if (job.axis[d].m < job.axis[d].n) job.axis[d].m = job.axis[d].n;
  for (i = 0; i < convk_tuned_ways_(hw) && !status; i++) {
    convk *const by = i ? convk_tuned_way_(hw, "sumconv3d", convk_sums_type_(step), i, &copy) : hw;
    if (i && !by) continue;
    status = convk_sums_cut_(by, &job, 1, &need);
    if (need > max_need) max_need = need;
  }
  if (!status) *bytes = max_need;
  if (!status) return CONVK_OK;
  return convk_refuse_(convk_message_(hw), CONVK_ERR_OVERFLOW, "shape needs more work than can be counted in bytes");
}

CONVK_API_ int convk_sumconv3d_work_size(convk *hw, const convk_sumconv3d_shape *shape, const convk_sumconv_terms *terms,
                                         size_t *bytes) {
  return convk_sums_need_(hw, shape, terms, 1, bytes);
}
CONVK_API_ int convk_sumconv3d_work_size_complex(convk *hw, const convk_sumconv3d_shape *shape,
                                                 const convk_sumconv_terms *terms, size_t *bytes) {
  return convk_sums_need_(hw, shape, terms, 2, bytes);
}

#include "sums/chebyshev.h"
