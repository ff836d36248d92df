/* SPDX-License-Identifier: MIT
   Wavelets on device memory, after resident_sepconv.h: what is refused, by name, and how much work is enough. */

typedef struct resident_wavelets {
  convk_dwt3d_shape shape;
  const convk_dwt3d_shape *grids;
  convk_wavelet_f64 w;
  const convk_wavelet_f64 *wavelet;
  RESIDENT_ARRAY(double) in;
  RESIDENT_ARRAY(double) out;
  RESIDENT_ARRAY(void) work;
  size_t work_size;
} resident_wavelets;

enum { RESIDENT_DWT, RESIDENT_IDWT, RESIDENT_TO_R, RESIDENT_TO_S1, RESIDENT_WAVELETS };

static int resident_dwt_run(RESIDENT_ON *on, int which, const resident_wavelets *c) {
  switch (which) {
    case RESIDENT_DWT: return RESIDENT(dwt3d_f64)(on, c->grids, c->wavelet, c->in, c->out, c->work, c->work_size);
    case RESIDENT_IDWT: return RESIDENT(idwt3d_f64)(on, c->grids, c->wavelet, c->in, c->out, c->work, c->work_size);
    case RESIDENT_TO_R: return RESIDENT(s1_to_r_f64)(on, c->grids, c->in, c->out, c->work, c->work_size);
    default: return RESIDENT(r_to_s1_f64)(on, c->grids, c->in, c->out, c->work, c->work_size);
  }
}
static int resident_dwt_size(RESIDENT_ON *on, int which, const resident_wavelets *c, size_t *bytes) {
  switch (which) {
    case RESIDENT_DWT: return RESIDENT(dwt3d_work_size_f64)(on, c->grids, c->wavelet, bytes);
    case RESIDENT_IDWT: return RESIDENT(idwt3d_work_size_f64)(on, c->grids, c->wavelet, bytes);
    case RESIDENT_TO_R: return RESIDENT(s1_to_r_work_size_f64)(on, c->grids, bytes);
    default: return RESIDENT(r_to_s1_work_size_f64)(on, c->grids, bytes);
  }
}

static void resident_dwt_expect(RESIDENT_ON *on, int which, const resident_wavelets *c, int wanted, const char *text,
                                const char *what) {
  const int status = resident_dwt_run(on, which, c);
  resident_refused(status == wanted, what, convk_strerror(status));
  resident_refused(wanted ? strstr(RESIDENT_SAID, text) != NULL : !RESIDENT_SAID[0], what, RESIDENT_SAID);
}

/* Arrays and work as of resident_sepconv. */
static void resident_dwt(RESIDENT_ON *on, RESIDENT_ARRAY(double) x, RESIDENT_ARRAY(double) y, RESIDENT_ARRAY(void) work) {
  static const double low[3] = {0.25, 0.5, 0.25}, high[3] = {-0.25, 0.5, -0.25}, wrong[3] = {0.25, HUGE_VAL, 0.25};
  resident_wavelets good, c;
  size_t bytes = 0, less = 0;
  int which, k;
  memset(&good, 0, sizeof good);
  good.shape.coarse.nx = 8, good.shape.coarse.ny = 4, good.shape.coarse.nz = 4;
  good.w.lo = -1, good.w.up = 1, good.w.low = low, good.w.high = high;
  good.in = x;
  good.out = y;
  good.work = work;
  good.work_size = RESIDENT_WORK;
#define SPOIL(wanted, text, ...) \
  do { \
    c = good; \
    c.grids = &c.shape; \
    c.wavelet = &c.w; \
    __VA_ARGS__; \
    resident_dwt_expect(on, which, &c, wanted, text, #__VA_ARGS__); \
  } while (0)
  for (which = 0; which < RESIDENT_WAVELETS; which++) {
    const int values = which >= RESIDENT_TO_R, back = which == RESIDENT_IDWT || which == RESIDENT_TO_R;
    const char *const in = back ? "coarse is NULL" : values ? "values is NULL" : "fine is NULL";
    const char *const out = !back ? "coarse is NULL" : values ? "values is NULL" : "fine is NULL";
    SPOIL(CONVK_OK, "", (void)c);
    SPOIL(CONVK_ERR_NULL, "shape is NULL", c.grids = NULL);
    SPOIL(CONVK_ERR_NULL, in, c.in = RESIDENT_NONE);
    SPOIL(CONVK_ERR_NULL, out, c.out = RESIDENT_NONE);
    SPOIL(CONVK_ERR_OVERLAP, " overlaps ", c.out = RESIDENT_AT(double, x, 1));
    SPOIL(CONVK_ERR_BOUNDARY, "shape->boundary[1] is 7", c.shape.boundary[1] = 7);
    SPOIL(CONVK_ERR_SIZE, "no sizes", c.shape.coarse.nx = c.shape.coarse.ny = c.shape.coarse.nz = 0);
    SPOIL(CONVK_ERR_ODD, "shape->coarse has 5 points along axis 1", c.shape.coarse.ny = 5);
    SPOIL(CONVK_ERR_PITCH, "shape->coarse.pitch_y is 5", c.shape.coarse.pitch_y = 5);
    SPOIL(CONVK_ERR_OVERFLOW, "shape->", c.shape.coarse.pitch_z = (size_t)-1);
    SPOIL(CONVK_ERR_LEVELS, "shape->levels", c.shape.levels = 9);
    SPOIL(CONVK_ERR_NULL, "work is NULL", c.work = RESIDENT_NONE);
    SPOIL(CONVK_ERR_WORK, "work_size is 100, and ", c.work_size = 100);
    SPOIL(CONVK_ERR_OVERLAP, "overlaps work", c.work = RESIDENT_AT(void, x, 0); c.work_size = 4 * RESIDENT_N * sizeof(double));
    RESIDENT_ONLY_CL(SPOIL(CONVK_ERR_SIZE, ".mem is too small a buffer", c.in = RESIDENT_AT(double, x, 4 * RESIDENT_N - 1));)
    if (values) {
      SPOIL(CONVK_ERR_LEVELS, "values have one", c.shape.levels = 2);
      continue;
    }
    SPOIL(CONVK_OK, "", c.shape.levels = 2);
    SPOIL(CONVK_ERR_NULL, "wavelet is NULL", c.wavelet = NULL);
    SPOIL(CONVK_ERR_NULL, "wavelet->high is NULL", c.w.high = NULL);
    SPOIL(CONVK_ERR_TAPS, "wavelet is of lo = -1, up = 99", c.w.up = 99);
    SPOIL(CONVK_ERR_NONFINITE, "tap 1 of wavelet", c.w.low = wrong);
  }
  /* size queries: enough, no more than is needed, larger for more, and the same refusals */
  for (which = 0; which < RESIDENT_WAVELETS; which++) {
    c = good;
    c.grids = &c.shape;
    c.wavelet = &c.w;
    c.shape.levels = which < RESIDENT_TO_R ? 2 : 1;
    resident_refused(!resident_dwt_size(on, which, &c, &bytes), "work_size", RESIDENT_SAID);
    resident_refused(!resident_dwt_size(NULL, which, &c, &less) && less == bytes, "work_size on nothing", "NULL");
    c.work_size = bytes;
    resident_refused(!resident_dwt_run(on, which, &c), "as much as work_size says", RESIDENT_SAID);
    for (k = 0; k < 20; k++) {
      c.shape.coarse.nx = 4 + 4 * (size_t)k;
      c.shape.coarse.ny = 4 + 4 * (size_t)(k / 3);
      resident_refused(!resident_dwt_size(on, which, &c, &bytes) && (!k || bytes >= less), "work_size grows", RESIDENT_SAID);
      less = bytes;
    }
    bytes = 77;
    resident_refused(resident_dwt_size(on, which, &c, NULL) == CONVK_ERR_NULL && strstr(RESIDENT_SAID, "bytes is NULL"),
                     "work_size to NULL", RESIDENT_SAID);
    c.shape.coarse.nx = 0;
    resident_refused(resident_dwt_size(on, which, &c, &bytes) == CONVK_ERR_SIZE && strstr(RESIDENT_SAID, "shape->") &&
                         bytes == 77,
                     "work_size of nothing", RESIDENT_SAID);
  }
#undef SPOIL
}
