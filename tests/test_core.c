/* SPDX-License-Identifier: MIT
   Small functions that all families share, and some that families keep to themselves: what calls on arrays seldom show.  This unit
   has all of the library that is portable, so that it sees them, and passes some on to units that only declare it (inside.h). */
#ifndef TEST_WHOLE
#undef CONVK_DECLARE
#undef CONVK_SSE
#undef CONVK_AVX
#undef CONVK_CL
#undef CONVK_CUDA
#define CONVK_WITH_ALL
#endif
#include "test.h"
#include "reference_vmc.h"

/* Work of the caller's at any address; of the call's own; too little. */
static void core_work(int type) {
  static char room[512];
  const size_t need = 200;
  const long live = heap.live;
  size_t shift;
  convk_work_ w;
  (void)type;
  for (shift = 0; shift < 64; shift++) {
    describe("work at byte %lu", (unsigned long)shift);
    begin_case();
    if (convk_work_begin_(NULL, &w, room + shift, need, need)) fail("refused");
    else {
      if (w.base < room + shift || w.base >= room + shift + 64 || (uintptr_t)w.base % 64) fail("begins at %p", (void *)w.base);
      convk_work_end_(&w);
    }
    if (convk_work_begin_(NULL, &w, room + shift, need - 1, need) != CONVK_ERR_WORK) fail("too little is enough");
    end_case();
  }
  describe("work of its own");
  begin_case();
  if (convk_work_begin_(NULL, &w, NULL, 0, need)) fail("refused");
  else {
    if ((uintptr_t)w.base % 64) fail("begins at %p", (void *)w.base);
    convk_work_end_(&w);
  }
  if (heap.live != live) fail("%ld blocks left", heap.live - live);
  end_case();
}

/* Touching is not overlapping, either way round; nothing overlaps nothing. */
static void core_overlap(int type) {
  static char room[32];
  size_t a, b, i, j;
  (void)type;
  describe("parts of an array");
  begin_case();
  for (i = 0; i < 9; i++)
    for (j = 0; j < 9; j++)
      for (a = 0; a < 5; a++)
        for (b = 0; b < 5; b++) {
          const int common = a && b && i < j + b && j < i + a;
          if (!convk_overlap_(room + i, a, room + j, b) != !common)
            fail("%lu bytes at %lu, %lu at %lu", (unsigned long)a, (unsigned long)i, (unsigned long)b, (unsigned long)j);
        }
  if (convk_overlap_(NULL, 8, NULL, 8) || convk_overlap_(room, 8, NULL, SIZE_MAX)) fail("NULL overlaps");
  end_case();
}

/* Products that fit and the least that do not. */
static void core_products(int type) {
  static const size_t some[] = {0, 1, 2, 3, 5, 255, 65537, (size_t)-1 / 3, (size_t)-1 / 2, (size_t)-1};
  size_t i, product;
  (void)type;
  for (i = 0; i < COUNT_OF(some); i++) {
    const size_t a = some[i], most = a ? (size_t)-1 / a : 1;
    describe("%lu times %lu", (unsigned long)a, (unsigned long)most);
    begin_case();
    if (convk_mul_(a, most, &product) || product != a * most) fail("does not fit");
    if (convk_mul_(most, a, &product) || product != a * most) fail("does not fit, turned round");
    if (a > 1 && (!convk_mul_(a, most + 1, &product) || !convk_mul_(most + 1, a, &product))) fail("one more fits, too");
    end_case();
  }
}

/* A grid may have a quarter of all bytes, so that sums of a few such sizes can be counted. */
static void core_grids(int type) {
  const size_t most = (size_t)-1 / 4;
  size_t element, span = 0;
  (void)type;
  for (element = 1; element <= 16; element *= 2) {
    convk_grid3 grid = {0, 1, 1, 0, 0}, full;
    describe("points of %lu bytes", (unsigned long)element);
    begin_case();
    grid.nx = most / element;
    if (convk_grid_check_(NULL, "grid", &grid, element, &full, &span) || span != grid.nx)
      fail("a quarter of all bytes is refused");
    grid.nx++;
    if (convk_grid_check_(NULL, "grid", &grid, element, &full, &span) != CONVK_ERR_OVERFLOW) fail("a point more is not");
    end_case();
  }
}

/* What calls say of an argument: names for $, whose own % are numbers; numbers for %; and no more than there is room for. */
static void core_messages(int type) {
  static const struct {
    convk_grid3 grid;
    int status;
    const char *text;
  } grids[] = {{{0, 2, 3, 0, 0}, CONVK_ERR_SIZE, "g->out.nx is 0"},
               {{1, 0, 0, 0, 0}, CONVK_ERR_SIZE, "g->out.ny is 0"},
               {{1, 2, 0, 0, 0}, CONVK_ERR_SIZE, "g->out.nz is 0"},
               {{16, 2, 3, 12, 0}, CONVK_ERR_PITCH, "g->out.pitch_y is 12, less than nx = 16"},
               {{16, 2, 3, 20, 35}, CONVK_ERR_PITCH, "g->out.pitch_z is 35, less than the 36 of a plane"},
               {{1, (size_t)-1, 1, 2, 0}, CONVK_ERR_OVERFLOW, "g->out.ny pitch_y is too large"},
               {{1, 1, (size_t)-1, 1, 2}, CONVK_ERR_OVERFLOW, "g->out.nz pitch_z is too large"}};
  char said[CONVK_MESSAGE_BYTES_ + 1] = "";
  double x[8];
  convk_place_ place[3];
  convk_grid3 full;
  convk_work_ w;
  size_t span, i;
  (void)type;
  for (i = 0; i < COUNT_OF(grids); i++) {
    describe("a grid: %s", grids[i].text);
    begin_case();
    want_status(convk_grid_check_(said, "g->out", &grids[i].grid, 8, &full, &span), grids[i].status);
    if (strcmp(said, grids[i].text)) fail("the message is '%s'", said);
    want_status(convk_grid_check_(NULL, "g->out", &grids[i].grid, 8, &full, &span), grids[i].status);
    end_case();
  }
  describe("messages");
  CHECK(convk_grid_check_(said, "grid", NULL, 8, &full, &span) == CONVK_ERR_NULL && !strcmp(said, "grid is NULL"));
  CHECK(convk_work_begin_(said, &w, x, 10, 4096) == CONVK_ERR_WORK && !strcmp(said, "work_size is 10, and 4096 are needed"));
  CHECK(convk_bytes_of_(said, "n", (size_t)-1, 8, &span) == CONVK_ERR_OVERFLOW && !strcmp(said, "n is too large"));
  CHECK(convk_need_(said, "q->x", NULL) == CONVK_ERR_NULL && !strcmp(said, "q->x is NULL"));
  CHECK(!convk_need_(said, "q->x", x) && !convk_need_finite_(said, "step", -1e308));
  CHECK(convk_need_finite_(said, "step", NAN) == CONVK_ERR_NONFINITE && !strcmp(said, "step is not finite"));
  CHECK(convk_need_finite_(said, "step", -HUGE_VAL) == CONVK_ERR_NONFINITE);
  CHECK(convk_refuse_of_(said, -7, "$ is %, $ is %", "n", INT64_MIN, INT64_MAX) == -7 &&
        !strcmp(said, "n is -9223372036854775808, n is 9223372036854775807"));
  CHECK(convk_refuse_at_(said, -7, "%% of %, %", 0, -12, 345) == -7 && !strcmp(said, "0-12 of 345, %"));
  CHECK(convk_refuse_names_(said, -7, "$ $$", "a%", NULL) == -7 && !strcmp(said, "a% $"));
  for (i = 0; i <= 8; i++) { /* room for so many letters */
    char *const at = said + CONVK_MESSAGE_BYTES_ - 1 - i, text[sizeof said + 8];
    memset(text, 'x', sizeof text);
    strcpy(text + (at - said), "ab% c");
    said[CONVK_MESSAGE_BYTES_] = 'y';
    CHECK(convk_refuse_at_(said, -7, text, 345, 0, 0) == -7 && said[CONVK_MESSAGE_BYTES_] == 'y');
    CHECK(strlen(at) == (i < 7 ? i : 7) && !strncmp(at, "ab345 c", i) && at[-1] == 'x');
  }
  for (i = 0; i < 3; i++) place[i] = convk_place_of_(i ? "y[%]" : "x", x + i, sizeof *x, i ? CONVK_PLACE_WRITTEN_ : 0);
  place[2].index = 12;
  CHECK(!convk_places_check_(said, place, 3));
  place[0].bytes = 9;
  CHECK(convk_places_check_(said, place, 3) == CONVK_ERR_OVERLAP && !strcmp(said, "x overlaps y[0]"));
  place[0].bytes = 8;
  place[2].begin -= 1;
  CHECK(convk_places_check_(said, place, 3) == CONVK_ERR_OVERLAP && !strcmp(said, "y[0] overlaps y[12]"));
  place[2].begin = 0;
  CHECK(convk_places_check_(said, place, 3) == CONVK_ERR_NULL && !strcmp(said, "y[12] is NULL"));
  place[2].flags |= CONVK_PLACE_OPTIONAL_;
  CHECK(!convk_places_check_(said, place, 3));
  place[2].begin = place[0].begin - 4; /* written all the same, if it is there */
  CHECK(convk_places_check_(said, place, 3) == CONVK_ERR_OVERLAP && !strcmp(said, "x overlaps y[12]"));
  place[2].begin = 0;
  place[1].begin = place[0].begin;
  CHECK(convk_places_check_(said, place, 3) == CONVK_ERR_OVERLAP);
  place[0].flags |= CONVK_PLACE_IN_PLACE_; /* of both, or another array that is written could be it */
  CHECK(convk_places_check_(NULL, place, 3) == CONVK_ERR_OVERLAP);
  place[1].flags |= CONVK_PLACE_IN_PLACE_;
  CHECK(!convk_places_check_(NULL, place, 3));
  place[1].bytes--;
  CHECK(convk_places_check_(NULL, place, 3) == CONVK_ERR_OVERLAP);
  place[0].buffer = said; /* numbers of elements in two buffers are no addresses */
  CHECK(!convk_places_check_(said, place, 3));
}

/* Names become one word. */
static void core_words(int type) {
  static const char *const list[][2] = {
      {"", "unknown"},    {"   ", "unknown"}, {"\t\n", "unknown"}, {"a", "a"},       {" AMD  EPYC ", "AMD__EPYC"},
      {"a b  \t", "a_b"}, {"_a_", "_a"},      {"\x7f!~", "!~"},    {"x\x80y", "x_y"}};
  size_t i;
  (void)type;
  for (i = 0; i < COUNT_OF(list); i++) {
    char name[64] = "";
    describe("the name \"%s\"", list[i][0]);
    begin_case();
    strcpy(name, list[i][0]);
    convk_one_word_(name);
    if (strcmp(name, list[i][1])) fail("became \"%s\"", name);
    end_case();
  }
}

/* What becomes of the sizes of caches: of a guest, of an own machine; of none, absurd ones and small ones; and shares of L3. */
static void core_caches(int type) {
  static const size_t MiB = (size_t)1 << 20;
  /* L2, L3, threads that share it; whether a guest; L2, L3 and threads that count */
  const size_t list[][7] = {{MiB, 32 * MiB, 4, 0, MiB, 24 * MiB, 4},
                            {MiB, 32 * MiB, 4, 1, MiB, 16 * MiB, 4},
                            {MiB, 480 * MiB, 2, 1, MiB, 48 * MiB, 2},
                            {MiB, 480 * MiB, 2, 0, MiB, 360 * MiB, 2},
                            {2 * MiB, 4 * MiB, 4, 0, 2 * MiB, 8 * MiB, 4},
                            {MiB, 0, 0, 0, MiB, 0, 1},
                            {MiB, MiB / 8, 1, 0, MiB, 0, 1},
                            {MiB / 64, 8 * MiB, 2, 0, 0, 6 * MiB, 2},
                            {512 * MiB, 8 * MiB, 2, 1, 0, 4 * MiB, 2},
                            {MiB, 16 * MiB, 5000, 0, MiB, 12 * MiB, 1},
                            {MiB, 16 * MiB, 0, 0, MiB, 12 * MiB, 1}};
  convk_tuning t;
  size_t i;
  (void)type;
  for (i = 0; i < COUNT_OF(list); i++) {
    describe("L2 %lu, L3 %lu of %lu threads%s", (unsigned long)list[i][0], (unsigned long)list[i][1], (unsigned long)list[i][2],
             list[i][3] ? ", as a guest" : "");
    begin_case();
    memset(&t, 0, sizeof t);
    t.l2_bytes = list[i][0];
    t.l3_bytes = list[i][1];
    t.l3_threads = list[i][2];
    convk_caches_correct_(&t, (int)list[i][3]);
    if (t.l2_bytes != list[i][4] || t.l3_bytes != list[i][5] || t.l3_threads != list[i][6])
      fail("L2 %lu, L3 %lu of %lu threads", (unsigned long)t.l2_bytes, (unsigned long)t.l3_bytes, (unsigned long)t.l3_threads);
    end_case();
  }
  describe("shares of L3");
  begin_case();
  memset(&t, 0, sizeof t);
  t.l3_bytes = 24 * MiB;
  t.l3_threads = 4;
  if (convk_cache_l3_(&t, 1) != 24 * MiB || convk_cache_l3_(&t, 2) != 12 * MiB || convk_cache_l3_(&t, 4) != 6 * MiB ||
      convk_cache_l3_(&t, 16) != 6 * MiB)
    fail("of 24 MiB for 1, 2, 4, 16 threads");
  t.l3_threads = 0;
  if (convk_cache_l3_(&t, 8) != 3 * MiB) fail("where nobody knows who shares it");
  t.l2_bytes = MiB / 2;
  if (convk_cache_near_(&t, 8) != 3 * MiB || convk_cache_near_(&t, 64) != MiB / 2) fail("the nearest");
  end_case();
}

/* Only handles of this library are closed: another's may lie otherwise. */
static int core_closed;
static void core_close(convk *hw) {
  (void)hw;
  core_closed++;
}
static void core_handles(int type) {
  static const char *const cpus[] = {"scalar", "sse2", "avx", "avx2", "avx512", "neon"};
  convk hw, other;
  size_t i;
  (void)type;
  describe("handles that are not closed");
  begin_case();
  if (test_open(&hw, "scalar")) fail("scalar is not to be had");
  hw.ours.inside.close = core_close;
  core_closed = 0;
  other = hw;
  other.version += 100;
  convk_close(&other);
  other = hw;
  other.size--;
  convk_close(&other);
  if (core_closed || !other.ours.inside.close) fail("another's handle was closed");
  convk_close(&hw);
  convk_close(&hw);
  if (core_closed != 1) fail("closed %d times", core_closed);
  if (test_open(&hw, "scalar")) fail("scalar is not to be had");
  hw.ours.inside.close = core_close;
  hw.version += hw.version % 100 ? -1 : 1; /* of another patch */
  convk_close(&hw);
  if (core_closed != 2) fail("a handle of another patch was not closed");
  end_case();
  for (i = 0; i < COUNT_OF(cpus); i++) { /* devices have numbers, processors none */
    char spec[16];
    snprintf(spec, sizeof spec, "%s:0", cpus[i]);
    describe("convk_open(\"%s\")", spec);
    CHECK(test_open(&hw, spec) == CONVK_ERR_HW_NAME);
  }
}

/* A handle of another patch is accepted by every call, in either direction; of another minor or major version, or of another size,
   refused; and so are bytes that never were one. */
static void core_versions(int type) {
  static const int same = CONVK_VERSION / 100 * 100;
  static const struct {
    int version, status;
  } list[] = {{same, CONVK_OK},
              {same + 1, CONVK_OK},
              {same + 99, CONVK_OK},
              {same - 1, CONVK_ERR_HANDLE},
              {same + 100, CONVK_ERR_HANDLE},
              {same + 10000, CONVK_ERR_HANDLE},
              {-same, CONVK_ERR_HANDLE},
              {0, CONVK_ERR_HANDLE},
              {INT_MAX, CONVK_ERR_HANDLE},
              {INT_MIN, CONVK_ERR_HANDLE}};
  double x[3] = {1, 2, 3}, y[3];
  convk hw;
  size_t i, length;
  (void)type;
  if (test_open(&hw, "scalar")) exit(2);
  for (i = 0; i < COUNT_OF(list); i++) {
    convk other = hw;
    other.version = list[i].version;
    describe("a handle of version %d for calls of %d", list[i].version, CONVK_VERSION);
    begin_case();
    want_status(convk_exp_f64(&other, 3, x, y), list[i].status);
    want_status(convk_exp_f64_scalar(&other, 3, x, y), list[i].status);
    want_status(convk_tuned_write(&other, NULL, 0, NULL, 0, &length), list[i].status);
    end_case();
    other.size -= i % 2 ? 1 : (size_t)-1;
    CHECK(convk_exp_f64(&other, 3, x, y) == CONVK_ERR_HANDLE && convk_exp_f64_scalar(&other, 3, x, y) == CONVK_ERR_HANDLE);
  }
  convk_close(&hw);
  CHECK(convk_exp_f64(&hw, 3, x, y) == CONVK_ERR_HANDLE);
}

/* What a patch keeps: where the public members of a handle lie, and its size.  A new minor version writes its own down. */
static void core_layout(int type) {
  (void)type;
#if CONVK_VERSION / 100 == 3
  if (sizeof(void *) == 8 && sizeof(size_t) == 8) {
#define LAYOUT(member, offset, bytes) \
  CHECK(offsetof(convk, member) == offset); \
  CHECK(sizeof(((convk *)NULL)->member) == bytes);
    describe("the handle of 0.3");
    CHECK(sizeof(convk) == 1560);
    LAYOUT(size, 0, 8)
    LAYOUT(version, 8, 4)
    LAYOUT(name, 12, 24)
    LAYOUT(machine, 36, 64)
    LAYOUT(parallel, 104, 24)
    LAYOUT(flush_subnormals, 128, 4)
    LAYOUT(tuning, 136, 120)
    LAYOUT(tuned, 256, 8)
    LAYOUT(ntuned, 264, 8)
    LAYOUT(device_bytes, 272, 8)
    LAYOUT(message, 280, 256)
    LAYOUT(ours, 536, 1024)
    LAYOUT(parallel.threads, 104, 4)
    LAYOUT(parallel.run, 112, 8)
    LAYOUT(parallel.ctx, 120, 8)
    LAYOUT(tuning.l2_bytes, 136, 8)
    LAYOUT(tuning.l3_bytes, 144, 8)
    LAYOUT(tuning.l3_threads, 152, 8)
    LAYOUT(tuning.nontemporal, 160, 4)
#undef LAYOUT
  }
#else
  describe("the handle");
  CHECK(!"the layout of this minor version is written down");
#endif
}

/* A state that lacks the last byte of its head is not looked at beyond. */
static void core_states(int type) {
  guard g = guard_new(sizeof(convk_vmc_state_) - 1, AT_END, 0);
  convk_vmc_result result;
  (void)type;
  describe("a state without the end of its head");
  begin_case();
  want_status(convk_vmc_results_f64(NULL, (const convk_vmc_state_f64 *)(const void *)g.data, g.bytes, &result),
              CONVK_ERR_STATE);
  end_case();
  guard_free(&g);
}

#if (defined __x86_64__ || defined __SSE__) && (defined __GNUC__ || defined __clang__) && !defined __CUDACC__
static void core_control_task(void *arg, size_t index) { ((unsigned *)arg)[index] = float_control(); }

/* Tasks flush whatever the caller's mode is, also where it flushes already, and leave that mode. */
static void core_flush(int type) {
  static const unsigned modes[] = {0, 0x8000, 0x40, 0x8040}; /* of MXCSR: FTZ, DAZ */
  const unsigned own = float_control();
  convk hw;
  size_t i;
  int kept;
  (void)type;
  float_control_set(own | 0x8040);
  kept = float_control() == (own | 0x8040); /* valgrind's processor forgets it */
  float_control_set(own);
  if (!kept || test_open(&hw, "scalar")) return;
  for (i = 0; i < COUNT_OF(modes); i++) {
    unsigned in[2] = {0, 0}, after;
    int flush;
    for (flush = 0; flush < 2; flush++) {
      const unsigned want = own | modes[i] | (flush ? 0x8040u : 0);
      describe("a caller with mode %#x%s", modes[i], flush ? ", flush_subnormals" : "");
      begin_case();
      hw.flush_subnormals = flush;
      float_control_set(own | modes[i]);
      if (convk_run_tasks_(&hw, 2, core_control_task, in)) fail("refused");
      after = float_control();
      float_control_set(own);
      if (in[0] != want || in[1] != want) fail("tasks have %#x and %#x", in[0], in[1]);
      if (after != (own | modes[i])) fail("the caller has %#x afterwards", after);
      end_case();
    }
  }
  convk_close(&hw);
}
#else
static void core_flush(int type) { (void)type; } /* nothing to set here */
#endif

/* ---------------------------------------------------------------------------------------- what families keep to themselves -- */

/* What cpuid says, and what convk_open makes of it on a machine of one's own and on a shared one. */
void tune_caches_corrected(int type) {
  static const struct {
    size_t l2, l3, threads, own_l2, own_l3, shared_l3;
  } says[] = {{MIB, 32 * MIB, 2, MIB, 24 * MIB, 16 * MIB},
              {MIB, 32 * MIB, 16, MIB, 24 * MIB, 16 * MIB},
              {2 * MIB, 260 * MIB, 2, 2 * MIB, 195 * MIB, 48 * MIB},
              {2 * MIB, 105 * MIB, 1, 2 * MIB, 105 * MIB / 4 * 3, 24 * MIB},
              {2 * MIB, MIB, 2, 2 * MIB, 4 * MIB, 4 * MIB},
              {2 * MIB, 0, 0, 2 * MIB, 0, 0},
              {0, 0, 0, 0, 0, 0},
              {1, 1, 1, 0, 0, 0},
              {0, 8 * MIB, 0, 0, 6 * MIB, 4 * MIB},
              {(size_t)-1, (size_t)-1, (size_t)-1, 0, (size_t)-1 / 4 * 3, 24 * MIB}};
  size_t i;
  int guest;
  (void)type;
  suite.operation = "tuned";
  for (i = 0; i < COUNT_OF(says); i++)
    for (guest = 0; guest < 2; guest++) {
      convk_tuning t;
      memset(&t, 0, sizeof t);
      t.l2_bytes = says[i].l2;
      t.l3_bytes = says[i].l3;
      t.l3_threads = says[i].threads;
      describe("cpuid says l2 %lu l3 %lu of %lu threads, %s machine", (unsigned long)t.l2_bytes, (unsigned long)t.l3_bytes,
               (unsigned long)t.l3_threads, guest ? "shared" : "own");
      begin_case();
      convk_caches_correct_(&t, guest);
      CHECK(t.l2_bytes == says[i].own_l2);
      CHECK(t.l3_bytes == (guest ? says[i].shared_l3 : says[i].own_l3));
      CHECK(t.l3_threads >= 1 && t.l3_threads <= 4096);
      end_case();
    }
  for (i = 0; i < COUNT_OF(tune_caches); i++) {
    size_t threads;
    convk hw;
    memset(&hw, 0, sizeof hw);
    describe("shares");
    tune_caches_set(&hw, i);
    begin_case();
    for (threads = 1; threads <= 300; threads += 13) {
      const convk_tuning *t = &hw.tuning;
      const size_t l3 = convk_cache_l3_(t, threads);
      CHECK(convk_cache_l2_(t) > 0 && convk_cache_near_(t, threads) > 0 && (l3 > 0 || t->l3_bytes < threads));
      CHECK(!convk_cache_past_(t, threads, 0));
      CHECK(convk_cache_past_(t, threads, (size_t)-1) ==
            (t->l3_bytes && l3 <= (size_t)-1 / threads && l3 * threads < (size_t)-1));
      hw.tuning.nontemporal = 1;
      CHECK(convk_cache_past_(t, threads, 0));
      hw.tuning.nontemporal = -1;
      CHECK(!convk_cache_past_(t, threads, (size_t)-1));
      hw.tuning.nontemporal = 0;
    }
    end_case();
  }
}

/* What a kernel of form factors was given. */
static size_t many_triangles, many_vectors;
#define MANY_COUNT(TYPE) \
  static convk_formfactor_kernels_##TYPE##_ many_kernels_##TYPE; \
  static void (*many_list_##TYPE)(const convk_formfactor_part_##TYPE##_ *part); \
  static void many_count_##TYPE(const convk_formfactor_part_##TYPE##_ *part) { \
    if (part->n == many_triangles) many_vectors += part->nq; \
    many_list_##TYPE(part); \
  } \
  static void many_counting_##TYPE(convk *hw) { \
    many_kernels_##TYPE = *hw->ours.inside.TYPE.formfactor_kernels; \
    many_list_##TYPE = many_kernels_##TYPE.list; \
    many_kernels_##TYPE.list = many_count_##TYPE; \
    hw->ours.inside.TYPE.formfactor_kernels = &many_kernels_##TYPE; \
  }
MANY_COUNT(f32)
MANY_COUNT(f64)
void many_counting(convk *hw, int type, size_t triangles) {
  if (type) many_counting_f64(hw);
  else many_counting_f32(hw);
  many_triangles = triangles;
  many_vectors = 0;
}
size_t many_counted(void) { return many_vectors; }

/* Placements in the order of groups, and as they came within each. */
void many_order(int type) {
  enum { MOST = 40 };
  uint64_t rng = random_seed(suite.test);
  size_t n, turn, i;
  (void)type;
  for (n = 0; n <= MOST; n++)
    for (turn = 0; turn < 8; turn++) {
      convk_placement p[MOST + 1];
      size_t order[MOST + 1];
      memset(p, 0, sizeof p);
      for (i = 0; i < n; i++) { /* few groups, so that many share one */
        p[i].mesh = random_below(&rng, 1 + turn % 4);
        p[i].rotation[random_below(&rng, 9)] = turn < 4 ? 0 : random_int(&rng, 0, 1);
        p[i].scale = turn % 2 ? random_int(&rng, 0, 2) : 1;
      }
      convk_placements_sort_(p, n, order);
      describe("%lu placements, turn %lu", (unsigned long)n, (unsigned long)turn);
      begin_case();
      for (i = 1; i < n; i++) {
        const int is = convk_placements_compare_(&p[order[i - 1]], &p[order[i]]);
        if (is > 0 || (!is && order[i - 1] >= order[i]))
          fail("number %lu stands before %lu", (unsigned long)order[i - 1], (unsigned long)order[i]);
      }
      end_case();
    }
}

/* convk_blocking_add_ and convk_blocking_estimate_ with series whose errors are known. */
void vmc_blocking(int type) {
  enum { N = 1 << 16 };
  static const double memory[] = {0, 0, 0.5, 0.9, -0.5, 0.99};
  uint64_t rng = 20240607;
  double *x = reals(N);
  long double *wide = (long double *)need(N * sizeof *wide);
  size_t m, i, n;
  (void)type;
  suite.operation = "vmc";
  for (m = 0; m < COUNT_OF(memory); m++) {
    const double phi = memory[m], offset = m == 1 ? 1e6 : -3;
    double now = 0;
    if (suite.quick && m % 3) continue;
    for (i = 0; i < N + 1000; i++) {
      double noise = 0;
      int k;
      for (k = 0; k < 6; k++) noise += random_unit(&rng);
      now = phi * now + noise * sqrt(0.5 * (1 - phi * phi)); /* variance 1 */
      if (i >= 1000) wide[i - 1000] = x[i - 1000] = now + offset;
    }
    for (n = 0; n <= N; n = n < 20 ? n + 1 : n < 2000 ? n * 5 / 3 : n * 2 < N ? n * 2 : n == N ? N + 1 : N) {
      convk_blocking_ b;
      convk_vmc_estimate e;
      memset(&b, 0, sizeof b);
      describe("%lu numbers, each with %g of the last", (unsigned long)n, phi);
      begin_case();
      for (i = 0; i < n; i++) convk_blocking_add_(&b, i, x[i], (x[i] - x[0]) * (x[i] - x[0]) + 2);
      e = convk_blocking_estimate_(&b, n);
      if (n && (suite.quick ? n < 3000 : 1)) {
        const ref_estimate q = ref_blocks(wide, n);
        if (!vmc_near(e.mean, q.mean, 1e-12L)) fail("mean %.17g, not %.17Lg", e.mean, q.mean);
        if (isinf(e.error) ? !isinf((double)q.error) : !vmc_near(e.error, q.error, 1e-8L))
          fail("error %.12g, not %.12Lg", e.error, q.error);
        if (!vmc_near(e.autocorrelation, q.autocorrelation, 1e-8L))
          fail("autocorrelation %g, not %Lg", e.autocorrelation, q.autocorrelation);
        if (e.block != (double)q.block) fail("blocks of %g, not %lu", e.block, (unsigned long)q.block);
      }
      if (n < 8 && !isinf(e.error)) fail("an error of %g from %lu numbers", e.error, (unsigned long)n);
      if (n == N) {
        const double time = 0.5 * (1 + phi) / (1 - phi), error = sqrt(2 * time / N);
        if (!(fabs(e.error - error) < (phi > 0.95 ? 0.4 : 0.15) * error)) fail("error %g, but %g is known", e.error, error);
        if (!(fabs(e.autocorrelation - time) < (phi > 0.95 ? 0.7 : 0.3) * time))
          fail("autocorrelation %g, but %g is known", e.autocorrelation, time);
        if (!(fabs(e.mean - offset) < 4 * error)) fail("mean %g", e.mean);
        if (!(fabs(e.variance - 3) < (phi > 0.95 ? 0.5 : 0.1)))
          fail("variance %g", e.variance); /* 1 of the means, 2 of the walkers about them */
      }
      end_case();
    }
  }
  for (n = 1; n < 3000; n = n * 3 + 1) {
    convk_blocking_ b;
    convk_vmc_estimate e;
    memset(&b, 0, sizeof b);
    describe("%lu times the same number", (unsigned long)n);
    begin_case();
    for (i = 0; i < n; i++) convk_blocking_add_(&b, i, 0.1, 0);
    e = convk_blocking_estimate_(&b, n);
    if (!same(e.mean, 0.1) || e.variance != 0) fail("mean %.17g, variance %g", e.mean, e.variance);
    if (n < 8 ? !isinf(e.error) : n > 1000 && e.error != 0) fail("error %g", e.error);
    if (n > 1000 && !same(e.autocorrelation, 0.5)) fail("autocorrelation %g", e.autocorrelation);
    end_case();
  }
  free(x);
  free(wide);
}

/* convk_newton_ with random problems: the equations hold where no bound does, the step is within bounds and no longer than
   allowed, and as long as that where it had to be cut. */
void vmc_newton(int type) {
  uint64_t rng = random_seed(suite.test);
  int turn;
  (void)type;
  suite.operation = "vmc_minimise";
  suite.variant = NULL;
  describe("steps");
  begin_case();
  for (turn = 0; turn < (suite.quick ? 300 : 10000); turn++) {
    const int n = 1 + (int)random_below(&rng, 4), bounded = turn % 3 == 2;
    const double most = turn % 3 ? 0.4 : 1e6, least = turn & 1 ? 0.5 : 0;
    double m[2][10], f[4], bound[4][2], step[4] = {0, 0, 0, 0}, length = 0, slope = 0, size = 0;
    int i, j, k, which, pinned = 0;
    for (which = 0; which < 2; which++) { /* A A^T + 0.01, nearly singular now and then */
      double a[4][4];
      for (i = 0; i < n; i++)
        for (j = 0; j < n; j++) a[i][j] = random_unit(&rng) * (j && turn % 5 == 0 ? 1e-2 : 1);
      memset(m[which], 0, sizeof m[which]);
      for (i = 0; i < n; i++)
        for (j = 0; j <= i; j++)
          for (k = 0; k <= n; k++) m[which][i * (i + 1) / 2 + j] += k < n ? a[i][k] * a[j][k] : i == j ? 0.01 : 0;
    }
    for (i = 0; i < 4; i++) {
      f[i] = i < n ? random_unit(&rng) : 0;
      bound[i][0] = bounded ? -0.05 : -1e300;
      bound[i][1] = bounded && i % 2 ? 0 : 1e300;
    }
    VMC_EXPECT(convk_newton_(m[0], m[1], f, n, bound, least, most, step));
    for (i = 0; i < n; i++) {
      slope += step[i] * f[i];
      pinned |= step[i] <= bound[i][0] || step[i] >= bound[i][1];
      VMC_EXPECT(step[i] >= bound[i][0] && step[i] <= bound[i][1]);
      for (j = 0; j < n; j++) length += step[i] * step[j] * convk_entry_(m[0], i, j);
    }
    VMC_EXPECT(length <= most * most * (1 + 1e-12) && slope <= 0);
    for (i = 0; i < n && most > 1; i++) { /* nothing but the equations */
      double sum = f[i];
      for (j = 0; j < n; j++) {
        sum += (convk_entry_(m[1], i, j) + least * convk_entry_(m[0], i, j)) * step[j];
        size += fabs(step[j]);
      }
      VMC_EXPECT(fabs(sum) < 1e-9 * (1 + size));
    }
    if (most < 1 && !bounded) { /* without the limit it is that step, or a longer one */
      double whole[4] = {0, 0, 0, 0}, longer = 0;
      VMC_EXPECT(convk_newton_(m[0], m[1], f, n, bound, least, 1e9, whole));
      for (i = 0; i < n; i++)
        for (j = 0; j < n; j++) longer += whole[i] * whole[j] * convk_entry_(m[0], i, j);
      VMC_EXPECT(!pinned && length > 0.999 * (longer < most * most ? longer : most * most));
    }
  }
  end_case();
}

/* What is known of the predefined potentials is what Newton's method finds. */
void vmc_reach(int type) {
  const convk_pair_potential p[3] = {convk_pair_hfdhe2(), convk_pair_hfdb(), convk_pair_lm2m2()};
  convk_pair_potential other = p[1];
  int k;
  (void)type;
  suite.operation = "pair_potential";
  suite.variant = NULL;
  describe("where repulsion ends");
  for (k = 0; k < 6; k++)
    CHECK(same(convk_hfd_reach_(&p[k / 2], k % 2 ? 53 : 24), convk_hfd_newton_(&p[k / 2], k % 2 ? 53 : 24)));
  other.alpha *= 1.01;
  CHECK(convk_hfd_reach_(&other, 53) < convk_hfd_reach_(&p[1], 53));
}

/* Random numbers of long runs, too: sweeps count beyond 32 bits. */
void vmc_random(int type) {
  static const uint64_t sweeps[] = {
      0, 1, UINT64_C(0xffffffff), (uint64_t)1 << 32, ((uint64_t)5 << 32) + 7, ((uint64_t)1 << 56) - 1};
  static const uint64_t seeds[] = {0, 12345, (uint64_t)1 << 32, ~(uint64_t)0};
  size_t i, k;
  uint32_t purpose;
  (void)type;
  for (i = 0; i < COUNT_OF(sweeps); i++) {
    describe("sweep %llu", (unsigned long long)sweeps[i]);
    begin_case();
    for (k = 0; k < COUNT_OF(seeds); k++)
      for (purpose = 0; purpose < 3; purpose++) {
        double got[4], want[4];
        convk_random_(seeds[k], sweeps[i], 3 + k, 70000 * k, purpose, got);
        ref_uniform(seeds[k], sweeps[i], 3 + k, 70000 * k, purpose, want);
        if (memcmp(got, want, sizeof got)) fail("seed %llu, purpose %u", (unsigned long long)seeds[k], (unsigned)purpose);
      }
    end_case();
  }
}

/* Sums by the rule: halves of blocks whose size is a power of two, and these from the last to the first. */
static double tree_sum(const double *x, size_t first, size_t size) {
  return size == 1 ? x[first] : tree_sum(x, first, size / 2) + tree_sum(x, first + size / 2, size / 2);
}
static double tree_total(const double *x, size_t walkers) {
  size_t size = 1, done = 0, blocks[64], count = 0, at[64];
  double sum = 0;
  while (size <= walkers / 2) size *= 2;
  for (; size; size /= 2)
    if (walkers & size) {
      at[count] = done;
      blocks[count++] = size;
      done += size;
    }
  for (sum = tree_sum(x, at[count - 1], blocks[count - 1]), count--; count; count--)
    sum = tree_sum(x, at[count - 1], blocks[count - 1]) + sum;
  return sum;
}

static int core_join(void *ctx, void *record, size_t bytes) {
  (void)ctx;
  (void)record;
  return bytes ? 1 : 0;
}

/* Records of any parts, joined with any brackets, have the bits of the rule; and of errors the first is told. */
void vmc_parts_join(int type) {
  enum { WIDTH = 3 };
  uint64_t rng = random_seed(suite.test);
  int turn;
  (void)type;
  suite.operation = "vmc_join";
  suite.variant = NULL;
  for (turn = 0; turn < (suite.quick ? 300 : 3000); turn++) {
    const size_t walkers = turn < 70 ? 1 + (size_t)turn : 1 + random_below(&rng, 300), parts = 1 + random_below(&rng, 12);
    const int wrong = turn % 4 == 3;
    convk_vmc vmc;
    double *x = reals(walkers * WIDTH), want[WIDTH];
    guard g[2][12], copy;
    size_t cut[13], bytes, i, w, k;
    int way, first = 0;
    memset(&vmc, 0, sizeof vmc);
    vmc.walkers = walkers;
    vmc.part.join = core_join;
    bytes = convk_vmc_record_size_(walkers, WIDTH);
    for (i = 0; i < walkers * WIDTH; i++) x[i] = ldexp(random_unit(&rng), (int)random_below(&rng, 60) - 30);
    for (i = 1; i < parts; i++) cut[i] = random_below(&rng, walkers + 1);
    cuts_sort(cut, parts);
    cut[0] = 0;
    cut[parts] = walkers;
    describe("%lu walkers in %lu parts, turn %d", (unsigned long)walkers, (unsigned long)parts, turn);
    begin_case();
    copy = guard_new(bytes, AT_END, 0);
    for (i = 0; i < parts; i++) {
      convk_vmc_record_ *record = (convk_vmc_record_ *)need(bytes);
      size_t count = 0;
      int status = 0;
      vmc.part.first = cut[i];
      vmc.part.walkers = cut[i + 1] - cut[i];
      if (wrong && !random_below(&rng, 3)) status = -1 - (int)random_below(&rng, 30);
      if (!first) first = status;
      convk_vmc_record_begin_(&vmc, WIDTH, 5, status, record);
      record->accepted = status ? 0 : i + 1;
      record->drift = status ? 0 : (double)(i * 7 % 5);
      for (k = 0; k < WIDTH; k++)
        for (w = cut[i], count = 0; w < cut[i + 1] && !status; w++) {
          double v = x[w * WIDTH + k];
          count = convk_vmc_grow_(record, count, w, k, &v, 1);
        }
      convk_vmc_record_end_(record);
      for (way = 0; way < 2; way++) {
        g[way][i] = guard_new(bytes, AT_END, 0);
        memcpy(g[way][i].data, record, bytes);
      }
      free(record);
    }
    for (way = 0; way < 2; way++) {
      size_t left = parts, at[12];
      for (i = 0; i < parts; i++) at[i] = i;
      for (; left > 1; left--) {
        const size_t b = way ? random_below(&rng, left - 1) : left - 2;
        convk_vmc_join(g[way][at[b]].data, g[way][at[b + 1]].data);
        memmove(at + b, at + b + 1, (left - 1 - b) * sizeof *at);
      }
    }
    if (memcmp(g[0][parts - 1].data, g[1][parts - 1].data, bytes)) fail("other brackets give other bits");
    memcpy(copy.data, g[0][parts - 1].data, bytes);
    {
      convk_vmc_record_ *all = (convk_vmc_record_ *)need(bytes);
      memcpy(all, copy.data, bytes);
      if (all->status != first) fail("status %d, not %d", (int)all->status, first);
      if (!first && (all->begin || all->end != walkers || all->accepted != parts * (parts + 1) / 2)) fail("not all of it");
      if (!first) {
        const double *total = convk_vmc_total_(all);
        for (k = 0; k < WIDTH; k++) {
          double *column = reals(walkers);
          for (w = 0; w < walkers; w++) column[w] = x[w * WIDTH + k];
          want[k] = tree_total(column, walkers);
          if (memcmp(&want[k], &total[k], sizeof want[k]))
            fail("sum %lu: %.17g, not %.17g", (unsigned long)k, total[k], want[k]);
          free(column);
        }
      }
      free(all);
    }
    for (i = 0; i < parts; i++)
      for (way = 0; way < 2; way++) {
        if (!guard_intact(&g[way][i])) fail("memory around a record was written");
        guard_free(&g[way][i]);
      }
    end_case();
    guard_free(&copy);
    free(x);
  }
}

/* --------------------------------------------------------------------------------------------------- what others may see -- */

/* Calls that a device has too little memory for: which, and how much, is told, and nothing is written. */
static int few_bytes_call(convk *hw, int which, double *x, double *y) {
  static const double one = 1;
  const convk_sepconv3d_shape filtered = {{4, 5, 6, 0, 0}, {0, 0, 0, 0, 0}, {0, 0, 0}};
  const convk_stencil7_shape swept = {{4, 5, 6, 0, 0}, {0, 0, 0}};
  const convk_stencil7_coefficients_f64 c = convk_stencil7_isotropic_f64(0.4, 0.1);
  convk_points_f64 points = {40, NULL, NULL, NULL, 1};
  convk_gaussians_f64 of;
  double *result = NULL;
  memset(&of, 0, sizeof of);
  points.x = points.y = points.z = x;
  of.n = 1;
  of.alpha = &one;
  switch (which) {
    case 0: return convk_exp_f64(hw, 120, x, y);
    case 1: return convk_magicfilter3d_f64(hw, &filtered, CONVK_FORWARD, NULL, x, y, NULL, 0);
    case 2: return convk_potential_apply_f64(hw, &filtered, x, x, y, NULL, NULL, 0);
    case 3: return convk_stencil7_f64(hw, &swept, &c, 1, x, y, &result, NULL, 0);
    default: return convk_gridpot_f64(hw, &points, &of, NULL, y, 0);
  }
}

static void core_few_bytes(int type) {
  static const size_t bytes[] = {1, 7, 200};
  double x[120], y[120], was[120];
  variant *v;
  size_t i, k;
  int which;
  (void)type;
  for (k = 0; k < 120; k++) {
    x[k] = 0.25 * (double)(k % 7);
    was[k] = y[k] = -3;
  }
  for (i = 0; (v = next_variant(&i, 0)) != NULL;)
    for (which = 0; v->device && which < 5; which++)
      for (k = 0; k < COUNT_OF(bytes); k++) {
        int status;
        use_variant(v);
        v->hw.device_bytes = bytes[k];
        describe("call %d with %zu bytes of the device", which, bytes[k]);
        begin_case();
        status = few_bytes_call(&v->hw, which, x, y);
        if (status && status != CONVK_ERR_FP64 && (k < 2 || status != CONVK_OK)) {
          want_status(status, CONVK_ERR_MEMORY);
          if (!strstr(v->hw.message, "hw->device_bytes is ") || !strstr(v->hw.message, "at least"))
            fail("the message is '%s'", v->hw.message);
          if (memcmp(y, was, sizeof y)) fail("something is written");
        } else if (!status && k < 2) fail("%zu bytes are enough", bytes[k]);
        v->hw.device_bytes = 0;
        if (!status) memcpy(y, was, sizeof y);
        end_case();
      }
}

convk_tuning inside_tuning_for(convk *hw, const char *operation, size_t element, const size_t n[3], size_t length) {
  convk_tuning own;
  return *convk_tuning_for_(hw, operation, element, n, length, &own);
}
convk_tuning inside_tuning_of(convk *hw, const char *operation, const char *type, const size_t n[3], size_t length) {
  convk_tuning own;
  return *convk_tuning_of_(hw, operation, type, n, length, &own);
}
#ifndef TEST_WHOLE
void inside_tuned_choice(convk *hw, const char *operation, const char *type, const size_t n[3], size_t length,
                         long choice[CONVK_TUNE_COUNT]) {
  convk_tuned_choice_(hw, operation, type, n, length, choice);
}
uint64_t inside_fft_sum(const void *plan) { return convk_fft_sum_(plan); }
uint64_t inside_vmc_sum(const void *state, size_t bytes) { return convk_vmc_sum_(state, bytes); }
void inside_vmc_seal(convk_vmc_state_ *s, void *state) { convk_vmc_seal_(s, state); }
size_t inside_vmc_at(size_t walkers) { return convk_vmc_at_(walkers); }
size_t inside_map_chunk(void) { return CONVK_MAP_CHUNK_; }
#endif

static const test core_tests[] = {
    {"core", "work", core_work, 0},          {"core", "overlap", core_overlap, 0},   {"core", "products", core_products, 0},
    {"core", "grids", core_grids, 0},        {"core", "words", core_words, 0},       {"core", "caches", core_caches, 0},
    {"core", "states", core_states, 0},      {"core", "handles", core_handles, 0},   {"core", "flush", core_flush, 0},
    {"core", "messages", core_messages, 0},  {"core", "versions", core_versions, 0}, {"core", "layout", core_layout, 0},
    {"core", "few_bytes", core_few_bytes, 0}};
TEST_LIST(core)
