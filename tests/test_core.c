/* SPDX-License-Identifier: MIT
   Small functions that all families share: what calls on arrays seldom show.  Included by test.c. */

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
    if (convk_work_begin_(&w, room + shift, need, need)) fail("refused");
    else {
      if (w.base < room + shift || w.base >= room + shift + 64 || (uintptr_t)w.base % 64) fail("begins at %p", (void *)w.base);
      convk_work_end_(&w);
    }
    if (convk_work_begin_(&w, room + shift, need - 1, need) != CONVK_ERR_WORK) fail("too little is enough");
    end_case();
  }
  describe("work of its own");
  begin_case();
  if (convk_work_begin_(&w, NULL, 0, need)) fail("refused");
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
    if (convk_grid_check_(&grid, element, &full, &span) || span != grid.nx) fail("a quarter of all bytes is refused");
    grid.nx++;
    if (convk_grid_check_(&grid, element, &full, &span) != CONVK_ERR_OVERFLOW) fail("a point more is not");
    end_case();
  }
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
  static const char *const cpus[] = {"scalar", "sse2", "avx", "avx2", "avx512"};
  convk hw, other;
  size_t i;
  (void)type;
  describe("handles that are not closed");
  begin_case();
  if (convk_open(&hw, "scalar")) fail("scalar is not to be had");
  hw.close = core_close;
  core_closed = 0;
  other = hw;
  other.version++;
  convk_close(&other);
  other = hw;
  other.size--;
  convk_close(&other);
  if (core_closed || !other.close) fail("another's handle was closed");
  convk_close(&hw);
  convk_close(&hw);
  if (core_closed != 1) fail("closed %d times", core_closed);
  end_case();
  for (i = 0; i < COUNT_OF(cpus); i++) { /* devices have numbers, processors none */
    char spec[16];
    snprintf(spec, sizeof spec, "%s:0", cpus[i]);
    describe("convk_open(\"%s\")", spec);
    CHECK(convk_open(&hw, spec) == CONVK_ERR_HW_NAME);
  }
}

/* A state that lacks the last byte of its head is not looked at beyond. */
static void core_states(int type) {
  guard g = guard_new(sizeof(convk_vmc_state_) - 1, AT_END, 0);
  convk_vmc_result result;
  (void)type;
  describe("a state without the end of its head");
  begin_case();
  want_status(convk_vmc_results(g.data, g.bytes, &result), CONVK_ERR_STATE);
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
  if (!kept || convk_open(&hw, "scalar")) return;
  for (i = 0; i < COUNT_OF(modes); i++) {
    unsigned in[2] = {0, 0}, after;
    int flush;
    for (flush = 0; flush < 2; flush++) {
      const unsigned want = own | modes[i] | (flush ? 0x8040u : 0);
      describe("a caller with mode %#x%s", modes[i], flush ? ", flush_subnormals" : "");
      begin_case();
      hw.flush_subnormals = flush;
      float_control_set(own | modes[i]);
      if (convk_run_(&hw, 2, core_control_task, in)) fail("refused");
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

static const test core_tests[] = {
    {"core", "work", core_work, 0},     {"core", "overlap", core_overlap, 0}, {"core", "products", core_products, 0},
    {"core", "grids", core_grids, 0},   {"core", "words", core_words, 0},     {"core", "caches", core_caches, 0},
    {"core", "states", core_states, 0}, {"core", "handles", core_handles, 0}, {"core", "flush", core_flush, 0}};
