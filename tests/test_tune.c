/* SPDX-License-Identifier: MIT
   Tests of the auto-tuner, with the calls of test_sepconv.c and test_stencil.c. */
#include "test.h"

/* ----------------------------------------------------------------------------------------------------------- the clock -- */

/* What CONVK_SECONDS is in the harness: the time, or the time that a test says it is, which moves by a tick at each look. */
static struct {
  int on;
  double now, tick;
} tune_time;

double test_clock(void) { return tune_time.on ? tune_time.now += tune_time.tick : test_seconds(); }

static void tune_time_set(int on, double tick) {
  tune_time.on = on;
  tune_time.now = 0;
  tune_time.tick = tick;
}

/* ------------------------------------------------------------------------------------------------- entries and their text -- */

/* What a line may say of each parameter. */
typedef struct tune_choice {
  const char *name;
  long least, most;
} tune_choice;
static const tune_choice tune_choices[CONVK_TUNE_COUNT] = {{"rows", 0, 1048576},   {"depth", 0, 16},
                                                           {"nontemporal", -1, 1}, {"prefetch", -1, 65536},
                                                           {"threads_y", 0, 4096}, {"planes", 0, 4}};
static const tune_choice tune_choices_there[CONVK_TUNE_COUNT] = {{"tile_x", 0, 65536}, {"tile_y", 0, 65536},
                                                                 {"steps", 0, 16},     {"chunk", 0, 1048576},
                                                                 {"group_x", 0, 4096}, {"group_y", 0, 4096}};
/* Of a processor, or of a device. */
static const tune_choice *tune_choices_of(const char *hw) {
  return !strcmp(hw, "opencl") || !strcmp(hw, "cuda") ? tune_choices_there : tune_choices;
}
enum { TUNE_MOST = 1 << 30, TUNE_MOST_THREADS = 1 << 16, TUNE_MOST_GAIN = 1000000 };
static const char *const tune_operations[2] = {"sepconv3d", "stencil7"};

/* The words of a line. */
enum {
  TUNE_VERSION,
  TUNE_OPERATION,
  TUNE_TYPE,
  TUNE_HW,
  TUNE_MACHINE,
  TUNE_THREADS,
  TUNE_SIZE,
  TUNE_LENGTH,
  TUNE_CHOICE,
  TUNE_GAIN = TUNE_CHOICE + CONVK_TUNE_COUNT,
  TUNE_WORDS
};
typedef struct tune_line {
  char word[TUNE_WORDS][160];
} tune_line;

enum { TUNE_LINE_ = 512 }; /* longer than any good line */

static long tune_pick(uint64_t *rng, long least, long most) {
  switch (random_below(rng, 4)) {
    case 0: return least;
    case 1: return most;
    default: return least + (long)random_below(rng, (size_t)(most - least) + 1);
  }
}

/* A word of printable letters that fills an array of `size`, or less of it. */
static void tune_pick_word(uint64_t *rng, char *word, size_t size) {
  const size_t length = (size_t)tune_pick(rng, 1, (long)size - 1);
  size_t i;
  for (i = 0; i < length; i++) word[i] = (char)random_int(rng, '!', '~');
  word[length] = 0;
}

/* Any entry that a text may hold. */
static convk_tuned tune_any(uint64_t *rng) {
  convk_tuned e;
  int p;
  memset(&e, 0, sizeof e);
  strcpy(e.operation, tune_operations[random_below(rng, 2)]);
  strcpy(e.type, random_below(rng, 2) ? "f64" : "f32");
  tune_pick_word(rng, e.hw, sizeof e.hw);
  tune_pick_word(rng, e.machine, sizeof e.machine);
  e.threads = (int)tune_pick(rng, 1, TUNE_MOST_THREADS);
  e.nx = (size_t)tune_pick(rng, 1, TUNE_MOST);
  e.ny = (size_t)tune_pick(rng, 1, TUNE_MOST);
  e.nz = (size_t)tune_pick(rng, 1, TUNE_MOST);
  e.length = (size_t)tune_pick(rng, 1, TUNE_MOST);
  for (p = 0; p < CONVK_TUNE_COUNT; p++) e.choice[p] = tune_pick(rng, tune_choices[p].least, tune_choices[p].most);
  e.gain = tune_pick(rng, 1, TUNE_MOST_GAIN);
  return e;
}

static int tune_same(const convk_tuned *a, const convk_tuned *b) {
  return !strcmp(a->operation, b->operation) && !strcmp(a->type, b->type) && !strcmp(a->hw, b->hw) &&
         !strcmp(a->machine, b->machine) && a->threads == b->threads && a->nx == b->nx && a->ny == b->ny && a->nz == b->nz &&
         a->length == b->length && !memcmp(a->choice, b->choice, sizeof a->choice) && a->gain == b->gain;
}

static int tune_word_good(const char *word, size_t size) {
  const void *end = memchr(word, 0, size);
  return end && end != word && !strchr(word, ' ') && !strchr(word, '\n');
}

static int tune_within(size_t n, long least, long most) { return n >= (size_t)least && n <= (size_t)most; }

/* Whether every value is one that a text may have. */
static int tune_valid(const convk_tuned *e) {
  int p, good = tune_word_good(e->operation, sizeof e->operation) && tune_word_good(e->type, sizeof e->type) &&
                tune_word_good(e->hw, sizeof e->hw) && tune_word_good(e->machine, sizeof e->machine);
  good = good && (!strcmp(e->operation, "stencil7") || !strcmp(e->operation, "sepconv3d"));
  good = good && (!strcmp(e->type, "f32") || !strcmp(e->type, "f64"));
  good = good && e->threads >= 1 && e->threads <= TUNE_MOST_THREADS && e->gain >= 1 && e->gain <= TUNE_MOST_GAIN;
  good = good && tune_within(e->nx, 1, TUNE_MOST) && tune_within(e->ny, 1, TUNE_MOST) && tune_within(e->nz, 1, TUNE_MOST) &&
         tune_within(e->length, 1, TUNE_MOST);
  for (p = 0; p < CONVK_TUNE_COUNT; p++)
    good = good && e->choice[p] >= tune_choices_of(e->hw)[p].least && e->choice[p] <= tune_choices_of(e->hw)[p].most;
  return good;
}

static tune_line tune_line_of(const convk_tuned *e) {
  tune_line l;
  int p;
  snprintf(l.word[TUNE_VERSION], sizeof *l.word, "convk-tuned-1");
  snprintf(l.word[TUNE_OPERATION], sizeof *l.word, "%s", e->operation);
  snprintf(l.word[TUNE_TYPE], sizeof *l.word, "%s", e->type);
  snprintf(l.word[TUNE_HW], sizeof *l.word, "%s", e->hw);
  snprintf(l.word[TUNE_MACHINE], sizeof *l.word, "%s", e->machine);
  snprintf(l.word[TUNE_THREADS], sizeof *l.word, "threads=%d", e->threads);
  snprintf(l.word[TUNE_SIZE], sizeof *l.word, "size=%lux%lux%lu", (unsigned long)e->nx, (unsigned long)e->ny,
           (unsigned long)e->nz);
  snprintf(l.word[TUNE_LENGTH], sizeof *l.word, "length=%lu", (unsigned long)e->length);
  for (p = 0; p < CONVK_TUNE_COUNT; p++)
    snprintf(l.word[TUNE_CHOICE + p], sizeof *l.word, "%s=%ld", tune_choices_of(e->hw)[p].name, e->choice[p]);
  snprintf(l.word[TUNE_GAIN], sizeof *l.word, "gain=%ld", e->gain);
  return l;
}

/* Adds the words and what ends the line to a text; returns the length of the text. */
static size_t tune_join(const tune_line *l, const char *end, char *text) {
  int w;
  for (w = 0; w < TUNE_WORDS; w++) {
    if (w) strcat(text, " ");
    strcat(text, l->word[w]);
  }
  strcat(text, end);
  return strlen(text);
}

/* The line of an entry, at the end of a text. */
static size_t tune_add(const convk_tuned *e, const char *end, char *text) {
  const tune_line l = tune_line_of(e);
  return tune_join(&l, end, text);
}

static char *tune_text(size_t lines) {
  char *text = (char *)need(lines * TUNE_LINE_ + 1);
  *text = 0;
  return text;
}

/* ------------------------------------------------------------------------------------------------------------ reading -- */

enum { TUNE_TOLD_ = 64 }; /* explanations that are kept */

/* A text twice, between pages that fault: flush against the one behind it, and against the one before it.  Entries have a page
   that faults behind them. */
typedef struct tune_reader {
  guard text[2], room;
  size_t length, capacity;
  const convk_tuned *entries; /* what was read last, and what was said about it */
  size_t count, skipped, told, line[TUNE_TOLD_];
  const char *reason[TUNE_TOLD_];
} tune_reader;

static void tune_reader_new(tune_reader *r, const char *text, size_t length, size_t capacity) {
  int side;
  memset(r, 0, sizeof *r);
  for (side = 0; side < 2; side++) {
    r->text[side] = guard_new(length, side ? AT_START : AT_END, 0);
    if (length) memcpy(r->text[side].data, text, length);
  }
  r->room = guard_new(capacity * sizeof(convk_tuned), AT_END, 0);
  r->length = length;
  r->capacity = capacity;
}

static void tune_reader_free(tune_reader *r) {
  guard_free(&r->text[0]);
  guard_free(&r->text[1]);
  guard_free(&r->room);
}

static void tune_put(tune_reader *r, size_t at, int byte) { r->text[0].data[at] = r->text[1].data[at] = (unsigned char)byte; }

static void tune_explain(void *ctx, size_t line, const char *reason) {
  tune_reader *r = (tune_reader *)ctx;
  const size_t last = r->told ? r->line[(r->told - 1) % TUNE_TOLD_] : 0;
  if (line <= last) fail("line %lu was explained after line %lu", (unsigned long)line, (unsigned long)last);
  if (!reason || !*reason) fail("line %lu has no reason", (unsigned long)line);
  r->line[r->told % TUNE_TOLD_] = line;
  r->reason[r->told++ % TUNE_TOLD_] = reason;
}

/* Reads both texts and checks what holds of every text. */
static void tune_read(tune_reader *r, convk *hw) {
  size_t first[3] = {0, 0, 0}, i;
  uint64_t sum[2] = {0, 0};
  int side;
  r->entries = (const convk_tuned *)(const void *)r->room.data;
  for (side = 0; side < 2; side++) {
    convk_tuned_report report;
    surroundings s;
    int status;
    memset(r->room.data, FILL_, r->room.bytes);
    r->count = r->skipped = SIZE_MAX;
    r->told = 0;
    s = before_call();
    report.skipped = SIZE_MAX;
    report.explain = tune_explain;
    report.ctx = r;
    status = convk_tuned_read(hw, (const char *)r->text[side].data, r->length, (convk_tuned *)(void *)r->room.data, r->capacity,
                              &r->count, &report);
    r->skipped = report.skipped;
    after_call(s, 0);
    want_status(status, CONVK_OK);
    if (r->count > r->capacity) {
      fail("%lu entries, room for %lu", (unsigned long)r->count, (unsigned long)r->capacity);
      r->count = r->capacity;
    }
    if (r->skipped != r->told) fail("%lu lines left out, %lu explained", (unsigned long)r->skipped, (unsigned long)r->told);
    for (i = 0; i < r->count; i++) {
      if (!tune_valid(&r->entries[i])) fail("entry %lu has values out of range", (unsigned long)i);
      sum[side] = sum[side] * 31 + r->entries[i].nx + (size_t)r->entries[i].gain;
    }
    if (!all_fill(r->room.data + r->count * sizeof(convk_tuned), r->room.data + r->room.bytes) || !guard_intact(&r->room))
      fail("memory behind the %lu entries was written", (unsigned long)r->count);
    if (side && (first[0] != r->count || first[1] != r->skipped || first[2] != r->told || sum[0] != sum[1]))
      fail("what is read depends on what lies around the text");
    first[0] = r->count;
    first[1] = r->skipped;
    first[2] = r->told;
  }
}

/* A text of which `count` entries are to be taken, those of `want`, and `skipped` lines are not. */
static void tune_expect(const char *text, size_t length, convk *hw, size_t capacity, const convk_tuned *want, size_t count,
                        size_t skipped) {
  tune_reader r;
  size_t i;
  tune_reader_new(&r, text, length, capacity);
  tune_read(&r, hw);
  if (r.count != count) fail("%lu entries, not %lu", (unsigned long)r.count, (unsigned long)count);
  if (r.skipped != skipped) fail("%lu lines left out, not %lu", (unsigned long)r.skipped, (unsigned long)skipped);
  for (i = 0; i < r.count && i < count; i++)
    if (!tune_same(&r.entries[i], &want[i])) fail("entry %lu is not what it should be", (unsigned long)i);
  tune_reader_free(&r);
}

/* One line in a case of its own: read, or left out. */
static void tune_expect_line(const tune_line *l, const convk_tuned *want) {
  char text[TUNE_WORDS * sizeof l->word[0]] = "";
  const size_t length = tune_join(l, "\n", text);
  begin_case();
  tune_expect(text, length, NULL, 2, want, want != NULL, !want);
  end_case();
}

/* ------------------------------------------------------------------------------------------------------------ writing -- */

/* Any entries give the text that the documentation shows, in just the memory it takes, and come back as they were. */
static void tuned_round_trip(int type) {
  static const size_t counts[] = {0, 1, 2, 7, 40};
  uint64_t rng = random_seed(suite.test);
  size_t c, i, turn;
  (void)type;
  for (c = 0; c < COUNT_OF(counts); c++)
    for (turn = 0; turn < (suite.quick ? 20u : 100u); turn++) {
      const size_t n = counts[c];
      convk_tuned *e = (convk_tuned *)need(n * sizeof *e);
      char *want = tune_text(n);
      size_t length = 0, got = SIZE_MAX;
      guard g;
      for (i = 0; i < n; i++) {
        e[i] = tune_any(&rng);
        e[i].nx = i + 1; /* keys that differ */
        length = tune_add(&e[i], "\n", want);
      }
      describe("%lu entries, number %lu", (unsigned long)n, (unsigned long)turn);
      begin_case();
      g = guard_new(length + 1, turn % 2 ? AT_START : AT_END, 0);
      if (convk_tuned_write(NULL, e, n, (char *)g.data, length + 1, &got)) fail("status");
      if (got != length || memcmp(g.data, want, length + 1)) fail("another text: %.600s", (char *)g.data);
      if (!guard_intact(&g)) fail("memory around the text was written");
      tune_expect((char *)g.data, length, NULL, n, e, n, 0);
      end_case();
      guard_free(&g);
      free(want);
      free(e);
    }
}

/* Every size of the memory, from none to more than is needed. */
static void tuned_write_sizes(int type) {
  uint64_t rng = random_seed(suite.test);
  convk_tuned e[2];
  char *want = tune_text(2), few[1];
  size_t n, size, length, got, i;
  convk hw;
  guard g;
  (void)type;
  e[0] = tune_any(&rng);
  e[1] = tune_any(&rng);
  for (n = 0; n < 3; n++) {
    length = n ? tune_add(&e[n - 1], "\n", want) : 0;
    for (size = 0; size <= length + 3; size++) {
      int status;
      surroundings s;
      describe("%lu entries, %lu of %lu bytes", (unsigned long)n, (unsigned long)size, (unsigned long)length);
      begin_case();
      g = guard_new(size, size % 3 ? AT_END : AT_START, 0);
      got = SIZE_MAX;
      s = before_call();
      status = convk_tuned_write(NULL, n ? e : NULL, n, size ? (char *)g.data : NULL, size, &got);
      after_call(s, 0);
      want_status(status, size > length || !size ? CONVK_OK : CONVK_ERR_SIZE);
      if (got != length) fail("length %lu", (unsigned long)got);
      if (!guard_intact(&g)) fail("memory around the text was written");
      if (size > length && (memcmp(g.data, want, length + 1) || !all_fill(g.data + length + 1, g.data + size)))
        fail("another text, or more than that");
      end_case();
      guard_free(&g);
    }
  }
  free(want);
  g = guard_new(600, AT_END, 0);
  got = 77;
  describe("wrong arguments");
  CHECK(!test_open(&hw, "scalar"));
  for (i = 0; i < 2; i++) { /* without a handle there is no message */
    convk *const one = i ? &hw : NULL;
#define TUNE_SAYS(text) (!one || !strcmp(hw.message, text))
    CHECK(convk_tuned_write(one, NULL, 1, (char *)g.data, 600, &got) == CONVK_ERR_NULL && TUNE_SAYS("entries is NULL"));
    CHECK(convk_tuned_write(one, e, 1, NULL, 600, &got) == CONVK_ERR_NULL && TUNE_SAYS("text is NULL"));
    CHECK(convk_tuned_write(one, e, 1, NULL, 1, &got) == CONVK_ERR_NULL && TUNE_SAYS("text is NULL"));
    CHECK(convk_tuned_write(one, e, 1, (char *)g.data, 600, NULL) == CONVK_ERR_NULL && TUNE_SAYS("length is NULL"));
    CHECK(convk_tuned_write(one, NULL, 0, NULL, 0, &length) == CONVK_OK && TUNE_SAYS("") && !length);
    CHECK(convk_tuned_write(one, NULL, 0, few, 0, &length) == CONVK_ERR_SIZE && TUNE_SAYS("size is 0, and 1 are needed"));
  }
  hw.version += 100;
  CHECK(convk_tuned_write(&hw, e, 1, (char *)g.data, 600, &got) == CONVK_ERR_HANDLE);
  hw.version -= 100;
  convk_close(&hw);
  CHECK(got == 77 && all_fill(g.data, g.data + 600));
  guard_free(&g);
}

/* --------------------------------------------------------------------------------------------------------- bad texts -- */

/* A plain entry: a change of one byte of its line makes numbers and words that are within, on and beyond every bound. */
static convk_tuned tune_plain(const char *operation, const char *type, size_t nx, size_t ny, size_t nz, size_t length) {
  convk_tuned e;
  memset(&e, 0, sizeof e);
  strcpy(e.operation, operation);
  strcpy(e.type, type);
  strcpy(e.hw, "avx512");
  strcpy(e.machine, "Some_CPU_@_2.40GHz");
  e.threads = 16;
  e.nx = nx;
  e.ny = ny;
  e.nz = nz;
  e.length = length;
  e.gain = 1083;
  return e;
}

/* The words and numbers of a line, as the C library reads them; 0: there are not all. */
static int tune_scan(const char *line, convk_tuned *e) {
  unsigned long n[3], length;
  memset(e, 0, sizeof *e);
  if (sscanf(line,
             "convk-tuned-1 %15s %3s %15s %63s threads=%d size=%lux%lux%lu length=%lu rows=%ld depth=%ld nontemporal=%ld "
             "prefetch=%ld threads_y=%ld planes=%ld gain=%ld",
             e->operation, e->type, e->hw, e->machine, &e->threads, &n[0], &n[1], &n[2], &length, &e->choice[CONVK_TUNE_ROWS],
             &e->choice[CONVK_TUNE_DEPTH], &e->choice[CONVK_TUNE_NONTEMPORAL], &e->choice[CONVK_TUNE_PREFETCH],
             &e->choice[CONVK_TUNE_THREADS_Y], &e->choice[CONVK_TUNE_PLANES], &e->gain) != 16)
    return 0;
  e->nx = n[0];
  e->ny = n[1];
  e->nz = n[2];
  e->length = length;
  return 1;
}

/* Every other byte in every place of a good line: it is left out, or read as it stands. */
static void tuned_read_bytes(int type) {
  static const long choices[2][CONVK_TUNE_COUNT] = {{64, 6, -1, 512, 2, 3}, {1048576, 16, 1, -1, 4096, 0}};
  int which, byte;
  (void)type;
  for (which = 0; which < 2; which++) {
    convk_tuned e = tune_plain(tune_operations[which], "f64", 256, 1073741824, 9, which ? 60 : 16), scanned;
    tune_reader r;
    char line[TUNE_LINE_] = "";
    size_t length, at, taken = 0, comments = 0;
    memcpy(e.choice, choices[which], sizeof e.choice);
    length = tune_add(&e, "\n", line);
    tune_reader_new(&r, line, length, 3);
    for (at = 0; at < length; at++) {
      const char right = line[at];
      describe("byte %lu of \"%.*s\"", (unsigned long)at, (int)length - 1, line);
      begin_case();
      for (byte = 0; byte < 256; byte++) {
        line[at] = (char)(unsigned char)byte;
        tune_put(&r, at, byte);
        tune_read(&r, NULL);
        if (line[at] == right) {
          if (r.count != 1 || r.skipped || !tune_same(r.entries, &e)) fail("the good line");
          continue;
        }
        taken += r.count;
        comments += !r.count && !r.skipped;
        if (r.count + r.skipped != (byte == '\n' ? 1u + (at && at + 2 < length) : at || byte != '#'))
          fail("byte %d: %lu entries, %lu lines left out", byte, (unsigned long)r.count, (unsigned long)r.skipped);
        if (r.count && byte > ' ' && (!tune_scan(line, &scanned) || !tune_same(r.entries, &scanned)))
          fail("byte %d: read, but not as it stands", byte);
      }
      line[at] = right;
      tune_put(&r, at, (unsigned char)right);
      end_case();
    }
    describe("all bytes");
    /* names alone are 24 letters that may be any of 254 */
    CHECK(comments == 1 && taken > 24 * 200 && taken < 24 * 254 + 2000);
    tune_reader_free(&r);
  }
}

/* Copies the next word of a list "a|b|c"; returns what follows it, NULL after the last. */
static const char *tune_next(const char *list, char *word) {
  while (*list && *list != '|') *word++ = *list++;
  *word = 0;
  return *list ? list + 1 : NULL;
}

/* Numbers and words that are none, or beyond what is allowed; each word missing, twice, or in another's place. */
static void tuned_read_words(int type) {
  static const char *const words[TUNE_WORDS] = {
      "convk-tuned-2|convk-tuned-|convk-tuned-11|convk-tuned-1.0|Convk-tuned-1|//convk-tuned-1",
      "stencil|stencil77|Stencil7|sepconv3|stencil7_f64|magicfilter3d",
      "f6|f16|F64|c64|f644|double",
      "sixteen_letters_",
      "a machine",
      "1|threads|thread=1|threadss=1|threads:1|Threads=1|=1|threads= 1|threads =1",
      "1x2x3|sizes=1x2x3|size:1x2x3|size= 1x2x3|size=1 x2x3|size=|size=1|size=1x2|size=1x2x|size=x1x2|size=1xx2|size=1x2x3x|"
      "size=1x2x3x4|size=0x2x3|size=1x0x3|size=1x2x0|size=0x1x2|size=1X2X3|size=1*2*3|size=-1x2x3|size=1x-2x3|size=1x2x-3|"
      "size=+1x2x3|size=1x2x+3|size=1073741825x2x3|size=1x1073741825x3|size=1x2x1073741825|size=1x2x4294967297|size=1x2x3,|"
      "size=18446744073709551617x1x1|size=1x340282366920938463463374607431768211457x1|size=1x2x3.|size=1,2,3|size=0x1x0x1x0x1|"
      "size=0x10x0x10x0x10",
      "steps=1|lengt=1",
      "row=1|rowss=1",
      "steps=1",
      "nontemporal",
      "prefetch",
      "threads-y=1",
      "plane=1",
      "gain|again=1000"};
  static const char numbers[] =
      "|-|+1|--1|1-|-+1|0x1|0x10|0X1|x|1x|1.0|1e3|1,|,1|'1'|inf|nan|-nan|one|1\t|\t1|1\v|#1|=1|1=1|1;1|4294967296|4294967297|"
      "-4294967295|9223372036854775808|-9223372036854775807|18446744073709551615|18446744073709551616|18446744073709551617|"
      "-18446744073709551615|340282366920938463463374607431768211457|100000000000000000000000000000|"
      "999999999999999999999999999999|-100000000000000000000000000000";
  convk_tuned e = tune_plain("stencil7", "f32", 100, 200, 300, 10), want;
  const tune_line good = tune_line_of(&e);
  const char *next;
  tune_line l;
  int w, k;
  (void)type;
  describe("the good line");
  tune_expect_line(&good, &e);
  for (w = 0; w < TUNE_WORDS; w++)
    for (next = words[w]; next;) {
      l = good;
      next = tune_next(next, l.word[w]);
      describe("%s", l.word[w]);
      tune_expect_line(&l, NULL);
    }
  for (w = TUNE_THREADS; w < TUNE_WORDS; w++) {
    const int p = w - TUNE_CHOICE, choice = p >= 0 && p < CONVK_TUNE_COUNT;
    const long least = choice ? tune_choices[p].least : 1;
    const int other = w == TUNE_THREADS ? TUNE_MOST_THREADS : w == TUNE_LENGTH ? TUNE_MOST : TUNE_MOST_GAIN;
    const long most = choice ? tune_choices[p].most : other;
    const long values[6] = {least, most, least - 1, most + 1, least - 1000, most * 10};
    const size_t name = (size_t)(strchr(good.word[w], '=') - good.word[w]) + 1;
    if (w == TUNE_SIZE) continue;
    l = good;
    for (next = numbers; next;) {
      next = tune_next(next, l.word[w] + name);
      describe("%s", l.word[w]);
      tune_expect_line(&l, NULL);
    }
    for (k = 0; k < 6; k++) {
      char text[TUNE_LINE_] = "";
      sprintf(l.word[w] + name, "%ld", values[k]);
      tune_join(&l, "\n", text);
      if (!tune_scan(text, &want)) exit(2);
      describe("%s", l.word[w]);
      tune_expect_line(&l, k < 2 ? &want : NULL);
    }
  }
  for (w = 0; w < TUNE_WORDS; w++) {
    describe("without %s", good.word[w]);
    l = good;
    l.word[w][0] = 0;
    tune_expect_line(&l, NULL);
    describe("%s twice", good.word[w]);
    sprintf(l.word[w], "%.70s %.70s", good.word[w], good.word[w]);
    tune_expect_line(&l, NULL);
    if (!w) continue;
    describe("%s before %s", good.word[w], good.word[w - 1]);
    l = good;
    strcpy(l.word[w], good.word[w - 1]);
    strcpy(l.word[w - 1], good.word[w]);
    tune_expect_line(&l, NULL); /* the machine's name is too long for hardware */
  }
}

/* Cut off after any byte, a text loses the line in which that is, and no more; what is left of it is told as one bad line. */
static void tuned_read_cut(int type) {
  enum { LINES = 3 };
  uint64_t rng = random_seed(suite.test);
  convk_tuned e[LINES];
  char *text = tune_text(LINES + 1);
  size_t end[LINES], i, length;
  (void)type;
  for (i = 0; i < LINES; i++) {
    do e[i] = tune_any(&rng);
    while (e[i].hw[0] == '#');
    e[i].nx = 10 + i;
    end[i] = tune_add(&e[i], i == 1 ? "\r\n" : "\n", text);
  }
  for (length = 0; length <= end[LINES - 1]; length++) {
    size_t whole = 0;
    while (whole < LINES && end[whole] <= length) whole++;
    describe("%lu of %lu bytes", (unsigned long)length, (unsigned long)end[LINES - 1]);
    begin_case();
    tune_expect(text, length, NULL, LINES, e, whole, length > (whole ? end[whole - 1] : 0));
    end_case();
  }
  free(text);
}

/* Ends of lines, blanks, comments and lines that say nothing, each with the numbers of lines that are explained. */
static void tuned_read_lines(int type) {
  static const struct {
    const char *before, *end, *after; /* of a good line */
    size_t count, skipped, line[3];
  } cases[] = {{"", "\n", "", 1, 0, {0}},
               {"", "\r\n", "", 1, 0, {0}},
               {"", "", "", 0, 1, {1}},
               {"", "\r", "", 0, 1, {1}},
               {"", "\r\r\n", "", 0, 1, {1}},
               {"", " \n", "", 1, 0, {0}},
               {"", "   \r\n", "", 1, 0, {0}},
               {"", "\t\n", "", 0, 1, {1}},
               {"", "\n", "\n", 1, 0, {0}},
               {"", "\n", "\r\n\n\r\n", 1, 0, {0}},
               {"\n\n\n", "\n", "bad\n", 1, 1, {5}},
               {"\r\n\r\n", "\r\n", "bad\r\n", 1, 1, {4}},
               {"#", "\n", "", 0, 0, {0}},
               {"# ", "\r\n", "#\n#", 0, 0, {0}},
               {"# a comment\n#\n", "\n", "# and its last line has no end", 1, 0, {0}},
               {"# a comment\n", "\n", "cut off", 1, 1, {3}},
               {"bad\n#\nbad\n\n", "\n", "\nbad\n", 1, 3, {1, 3, 7}},
               {" ", "\n", "", 1, 0, {0}},
               {"  \n", "\n", "   \n", 1, 2, {1, 3}},
               {" # a comment begins at the beginning\n", "\n", "", 1, 1, {1}},
               {"bad", "\n", "", 0, 1, {1}},
               {"bad ", "\n", "", 0, 1, {1}},
               {"", " # not a comment\n", "", 0, 1, {1}},
               {"", " gain=1\n", "", 0, 1, {1}},
               {"\n\r\n", "\r\n", "#\r\n", 1, 0, {0}}};
  const convk_tuned e = tune_plain("sepconv3d", "f64", 1, 2, 3, 16);
  size_t i, k, length;
  (void)type;
  for (i = 0; i < COUNT_OF(cases); i++) {
    char text[2 * TUNE_LINE_];
    tune_reader r;
    strcpy(text, cases[i].before);
    tune_add(&e, cases[i].end, text);
    strcat(text, cases[i].after);
    length = strlen(text);
    describe("case %lu of ends of lines", (unsigned long)i);
    begin_case();
    tune_expect(text, length, NULL, 3, &e, cases[i].count, cases[i].skipped);
    tune_reader_new(&r, text, length, 3);
    tune_read(&r, NULL);
    for (k = 0; k < cases[i].skipped && k < r.told; k++)
      if (r.line[k] != cases[i].line[k])
        fail("line %lu explained, not %lu", (unsigned long)r.line[k], (unsigned long)cases[i].line[k]);
    end_case();
    tune_reader_free(&r);
  }
}

/* A word, a blank, or anything else a million times, in the place of and behind each word of a line. */
static void tuned_read_long(int type) {
  enum { LONG = 1 << 20 };
  const convk_tuned e = tune_plain("stencil7", "f64", 10, 20, 30, 5);
  const tune_line l = tune_line_of(&e);
  char *text = (char *)need(LONG + 2 * TUNE_LINE_);
  size_t length, n;
  int w, k;
  (void)type;
  for (w = 0; w < TUNE_WORDS; w++)
    for (k = 0; k < 4; k++) { /* instead of the word, behind it, blanks behind it, zeros before its number */
      const char *word = l.word[w], *equal = strchr(word, '=');
      int i;
      length = 0;
      for (i = 0; i < TUNE_WORDS; i++) {
        n = strlen(l.word[i]);
        memcpy(text + length, l.word[i], n);
        if (i == w) {
          if (k == 0) n = 0;
          if (k == 3) n = equal ? (size_t)(equal - word) + 1 : 0;
          memset(text + length + n, k == 2 ? ' ' : k == 3 ? '0' : '7', LONG);
          n += LONG;
          if (k == 3) {
            strcpy(text + length + n, equal ? equal + 1 : word);
            n += strlen(equal ? equal + 1 : word);
          }
        }
        text[length + n] = i + 1 < TUNE_WORDS ? ' ' : '\n';
        length += n + 1;
      }
      memcpy(text + length, "\n# end\n", 8);
      describe("a million letters at \"%s\", kind %d", word, k);
      begin_case();
      tune_expect(text, length + 7, NULL, 1, &e, k == 2, k != 2);
      end_case();
    }
  for (k = 0; k < 256; k++) { /* nothing but one byte */
    if (suite.quick && k % 16 != 3 && k != '\n' && k != '\r' && k != '#' && k != ' ' && k) continue;
    memset(text, k, LONG);
    describe("a million bytes %d", k);
    begin_case();
    tune_expect(text, LONG, NULL, 1, NULL, 0, k != '\n' && k != '#');
    end_case();
  }
  for (n = 1; n < 200; n++) { /* letters behind the last word */
    char line[2 * TUNE_LINE_] = "";
    length = tune_add(&e, " ", line);
    memset(line + length, 'x', n);
    line[length + n] = '\n';
    describe("%lu letters behind the last word", (unsigned long)n);
    begin_case();
    tune_expect(line, length + n + 1, NULL, 1, NULL, 0, 1);
    end_case();
  }
  for (n = 1; n < 100; n++) { /* names of every length */
    convk_tuned hw = e, machine = e;
    tune_line a = l, b = l;
    memset(a.word[TUNE_HW], 'h', n);
    memset(b.word[TUNE_MACHINE], 'm', n);
    a.word[TUNE_HW][n] = b.word[TUNE_MACHINE][n] = 0;
    if (n < sizeof e.hw) strcpy(hw.hw, a.word[TUNE_HW]);
    if (n < sizeof e.machine) strcpy(machine.machine, b.word[TUNE_MACHINE]);
    describe("hardware of %lu letters", (unsigned long)n);
    tune_expect_line(&a, n < sizeof e.hw ? &hw : NULL);
    describe("a machine of %lu letters", (unsigned long)n);
    tune_expect_line(&b, n < sizeof e.machine ? &machine : NULL);
  }
  free(text);
}

/* Zeros before a number change nothing where they are taken at all, and minus 0 is 0. */
static void tuned_read_zeros(int type) {
  static const char *const zeros[] = {"0", "00", "0000000000000000000000000000000", "-", "-0"};
  const convk_tuned e = tune_plain("stencil7", "f64", 10, 20, 30, 5);
  size_t i, taken = 0;
  int w;
  (void)type;
  for (w = TUNE_THREADS; w < TUNE_WORDS; w++)
    for (i = 0; i < COUNT_OF(zeros); i++) {
      tune_line l = tune_line_of(&e);
      char text[TUNE_WORDS * sizeof l.word[0]] = "", number[100];
      const size_t name = (size_t)(strchr(l.word[w], '=') - l.word[w]) + 1;
      tune_reader r;
      strcpy(number, l.word[w] + name);
      sprintf(l.word[w] + name, "%s%s", zeros[i], number);
      describe("%s", l.word[w]);
      begin_case();
      tune_reader_new(&r, text, tune_join(&l, "\n", text), 1);
      tune_read(&r, NULL);
      taken += r.count;
      if (r.count && !tune_same(r.entries, &e)) fail("another number");
      if (r.count && *zeros[i] == '-' && (w < TUNE_CHOICE || w == TUNE_GAIN)) fail("a negative number");
      end_case();
      tune_reader_free(&r);
    }
  describe("all zeros");
  CHECK(taken > 0);
}

/* -------------------------------------------------------------------------------------------------------- good texts -- */

enum { TUNE_KEYS = 9 };

/* The entry with one part of its key changed. */
static convk_tuned tune_other_key(const convk_tuned *e, int part) {
  convk_tuned o = *e;
  switch (part) {
    case 0: strcpy(o.operation, tune_operations[!strcmp(e->operation, tune_operations[0])]); break;
    case 1: strcpy(o.type, strcmp(e->type, "f32") ? "f32" : "f64"); break;
    case 2: strcpy(o.hw, strcmp(e->hw, "avx2") ? "avx2" : "avx"); break;
    case 3: strcat(o.machine, "X"); break;
    case 4: o.threads++; break;
    case 5: o.nx++; break;
    case 6: o.ny++; break;
    case 7: o.nz++; break;
    default: o.length++; break;
  }
  return o;
}

/* A later line replaces an earlier one of the same key, and takes its place; no part of the key may be left out. */
static void tuned_read_twice(int type) {
  uint64_t rng = random_seed(suite.test);
  convk_tuned e[TUNE_KEYS + 1], again;
  size_t i, k, capacity;
  (void)type;
  e[0] = tune_plain("stencil7", "f64", 10, 20, 30, 5);
  for (k = 0; k < TUNE_KEYS; k++) e[k + 1] = tune_other_key(&e[0], (int)k);
  for (i = 0; i <= TUNE_KEYS; i++) {
    char *text = tune_text(TUNE_KEYS + 3);
    convk_tuned want[TUNE_KEYS + 1];
    for (k = 0; k <= TUNE_KEYS; k++) tune_add(&e[k], "\n", text);
    again = tune_any(&rng); /* all but the key */
    memcpy(&again, &e[i], offsetof(convk_tuned, choice));
    tune_add(&again, "\n", text);
    again.gain = 1 + (long)i;
    tune_add(&again, "\n", text);
    memcpy(want, e, sizeof want);
    want[i] = again;
    for (capacity = TUNE_KEYS + 2; capacity > 0; capacity--) { /* where there is no room, what is there is still replaced */
      const size_t count = capacity < TUNE_KEYS + 1 ? capacity : TUNE_KEYS + 1;
      describe("entry %lu again, room for %lu", (unsigned long)i, (unsigned long)capacity);
      begin_case();
      tune_expect(text, strlen(text), NULL, capacity, want, count, TUNE_KEYS + 1 - count + (i < count ? 0 : 2));
      end_case();
    }
    describe("entry %lu again, no room", (unsigned long)i);
    begin_case();
    tune_expect(text, strlen(text), NULL, 0, NULL, 0, TUNE_KEYS + 3);
    end_case();
    free(text);
  }
}

/* More lines than a page has, most of which find no room. */
static void tuned_read_many(int type) {
  static const size_t capacities[] = {0, 1, 299, 300, 301, 2000};
  const size_t many = 300;
  uint64_t rng = random_seed(suite.test);
  convk_tuned *e = (convk_tuned *)need(many * sizeof *e);
  char *text = tune_text(many), *at = text;
  size_t i, count;
  convk_tuned_report report = {7, NULL, NULL};
  (void)type;
  for (i = 0; i < many; i++) {
    e[i] = tune_any(&rng);
    e[i].nz = i + 1;
    *at = 0;
    at += tune_add(&e[i], "\n", at);
  }
  for (i = 0; i < COUNT_OF(capacities); i++) {
    count = capacities[i] < many ? capacities[i] : many;
    describe("room for %lu", (unsigned long)capacities[i]);
    begin_case();
    tune_expect(text, (size_t)(at - text), NULL, capacities[i], e, count, many - count);
    end_case();
  }
  describe("no memory for entries, no explanations");
  count = 7;
  CHECK(!convk_tuned_read(NULL, text, (size_t)(at - text), NULL, 0, &count, &report));
  CHECK(!count && report.skipped == many);
  count = 7;
  CHECK(!convk_tuned_read(NULL, text, (size_t)(at - text), e, 2, &count, NULL));
  CHECK(count == 2);
  count = 7;
  report.explain = tune_explain;
  CHECK(!convk_tuned_read(NULL, NULL, 0, NULL, 0, &count, &report));
  CHECK(!count && !report.skipped);
  free(text);
  free(e);
}

/* A handle takes the lines of its machine, hardware and number of threads, and says of the others which it was. */
static void tuned_read_foreign(int type) {
  static const int threads[] = {0, 1, 2, 65536, 3};
  size_t i, t;
  variant *v;
  (void)type;
  for (i = 0; (v = next_variant(&i, 0)) != NULL;)
    for (t = 0; t < COUNT_OF(threads); t++) {
      convk hw = v->hw;
      hook k = hook_new(HOOK_REVERSED, 2, 1);
      convk_tuned e[TUNE_KEYS + 1], own[TUNE_KEYS + 1];
      char *text = tune_text(TUNE_KEYS + 1);
      tune_reader r;
      size_t n = 0, p;
      hw.parallel.threads = threads[t];
      hw.parallel.run = t == 4 ? NULL : hook_run; /* of which threads without a way to run them are none */
      hw.parallel.ctx = &k;
      e[0] = tune_plain("stencil7", "f32", 10, 20, 30, 5);
      snprintf(e[0].hw, sizeof e[0].hw, "%.15s", hw.name);
      snprintf(e[0].machine, sizeof e[0].machine, "%.62s", hw.machine);
      e[0].threads = !v->device && hw.parallel.run && threads[t] > 1 ? threads[t] : 1; /* a device has its own */
      for (p = 0; p < TUNE_KEYS; p++) e[p + 1] = tune_other_key(&e[0], (int)p);
      if (e[5].threads > TUNE_MOST_THREADS) e[5].threads = 7;
      for (p = 0; p <= TUNE_KEYS; p++) {
        tune_add(&e[p], "\n", text);
        if (p < 3 || p > 5) own[n++] = e[p];
      }
      describe("on %s with %d threads", hw.machine, threads[t]);
      begin_case();
      tune_expect(text, strlen(text), &hw, TUNE_KEYS + 1, own, n, 3);
      tune_expect(text, strlen(text), NULL, TUNE_KEYS + 1, e, TUNE_KEYS + 1, 0);
      tune_reader_new(&r, text, strlen(text), TUNE_KEYS + 1);
      tune_read(&r, &hw);
      if (r.told != 3 || r.line[0] != 4 || r.line[1] != 5 || r.line[2] != 6) fail("other lines were explained");
      else if (!strstr(r.reason[0], "hardware") || !strstr(r.reason[1], "machine") || !strstr(r.reason[2], "threads"))
        fail("reasons: %s; %s; %s", r.reason[0], r.reason[1], r.reason[2]);
      end_case();
      tune_reader_free(&r);
      free(text);
    }
}

static int tune_told_of_errors;
static void tune_explain_nothing(void *ctx, size_t line, const char *reason) {
  (void)ctx;
  (void)line;
  (void)reason;
  tune_told_of_errors++;
}

/* Arguments that are wrong leave everything as it was. */
static void tuned_read_errors(int type) {
  convk_tuned e = tune_plain("stencil7", "f64", 10, 20, 30, 5), room[2];
  char text[2 * TUNE_LINE_] = "bad\n";
  const size_t length = tune_add(&e, "\n", text);
  size_t count = 77, i;
  convk_tuned_report report = {78, tune_explain_nothing, NULL};
  convk hw;
  (void)type;
  memset(room, FILL_, sizeof room);
  tune_told_of_errors = 0;
  describe("wrong arguments");
  CHECK(!convk_open(&hw, "scalar"));
#define TUNE_READ(hw, text, entries, count) convk_tuned_read(hw, text, length, entries, 2, count, &report)
  CHECK(TUNE_READ(&hw, NULL, room, &count) == CONVK_ERR_NULL && !strcmp(hw.message, "text is NULL"));
  CHECK(TUNE_READ(NULL, NULL, room, &count) == CONVK_ERR_NULL);
  CHECK(TUNE_READ(&hw, text, NULL, &count) == CONVK_ERR_NULL && !strcmp(hw.message, "entries is NULL"));
  CHECK(TUNE_READ(&hw, text, room, NULL) == CONVK_ERR_NULL && !strcmp(hw.message, "count is NULL"));
  for (i = 0; i < 4; i++) { /* not open: closed, of another size or version, never opened */
    convk other = hw;
    if (i == 0) other.size--;
    if (i == 1) other.version += 100;
    if (i == 2) convk_close(&other);
    if (i == 3) memset(&other, FILL_, sizeof other);
    CHECK(TUNE_READ(&other, text, room, &count) == CONVK_ERR_HANDLE);
    CHECK(TUNE_READ(&other, text, room, NULL) == CONVK_ERR_HANDLE);
  }
#undef TUNE_READ
  CHECK(count == 77 && report.skipped == 78 && !tune_told_of_errors &&
        all_fill((unsigned char *)room, (unsigned char *)(room + 2)));
  convk_close(&hw);
}

/* ------------------------------------------------------------------------------------------------ what a call takes -- */

/* An entry of this handle whose choices tell it from all others of other numbers. */
static convk_tuned tune_own(convk *hw, int operation, const char *type, size_t nx, size_t ny, size_t nz, size_t length,
                            long number) {
  convk_tuned e = tune_plain(tune_operations[operation], type, nx, ny, nz, length);
  int p;
  snprintf(e.hw, sizeof e.hw, "%.15s", hw->name);
  memcpy(e.machine, hw->machine, sizeof e.machine);
  e.threads = hw->parallel.run && hw->parallel.threads > 1 ? hw->parallel.threads : 1;
  for (p = 0; p < CONVK_TUNE_COUNT; p++) e.choice[p] = 10 * number + p + 1;
  return e;
}

static int tune_equal(const convk_tuning *a, const convk_tuning *b) {
  return a->stencil_rows == b->stencil_rows && a->sepconv_rows == b->sepconv_rows && a->stencil_steps == b->stencil_steps &&
         a->nontemporal == b->nontemporal && a->stencil_prefetch == b->stencil_prefetch &&
         a->stencil_threads_y == b->stencil_threads_y && a->stencil_planes == b->stencil_planes;
}
static int tune_nothing(convk_tuning t) {
  convk_tuning none;
  memset(&none, 0, sizeof none);
  return tune_equal(&t, &none);
}

/* Which of the entries a call takes, by its number, 0: none; -1: parts of several. */
static long tune_taken(convk *hw, int operation, size_t element, size_t nx, size_t ny, size_t nz, size_t length) {
  size_t n[3];
  convk_tuning t;
  long number;
  n[0] = nx;
  n[1] = ny;
  n[2] = nz;
  t = inside_tuning_for(hw, tune_operations[operation], element, n, length);
  if (t.l2_bytes != hw->tuning.l2_bytes || t.l3_bytes != hw->tuning.l3_bytes) return -1;
  if (tune_nothing(t)) return 0;
  number = (long)t.stencil_rows / 10;
  return (long)t.stencil_rows == 10 * number + 1 && t.sepconv_rows == t.stencil_rows &&
                 (long)t.stencil_steps == 10 * number + 2 && t.nontemporal == (int)(10 * number + 3) &&
                 (long)t.stencil_prefetch == 10 * number + 4 && (long)t.stencil_threads_y == 10 * number + 5 &&
                 (long)t.stencil_planes == 10 * number + 6
             ? number
             : -1;
}

/* Exact sizes before near ones, the nearest of these, and only within a factor of two along each axis. */
static void tuned_nearest(int type) {
  static const size_t sizes[] = {1, 2, 3, 4, 5, 7, 8, 9, 13, 16, 31, 32, 33, 63, 64, 65, 100, 1000, (size_t)1 << 30};
  const size_t element = types[type].size, many = COUNT_OF(sizes);
  const char *name = types[type].name;
  convk_tuned e[5];
  convk hw;
  size_t i, j, k, n[3];
  int op, d, order;
  CHECK(!convk_open(&hw, NULL));
  hw.parallel.run = NULL;
  hw.tuned = e;
  for (op = 0; op < 2; op++) {
    for (d = 0; d < 3; d++)
      for (i = 0; i < many; i++)
        for (j = 0; j < many; j++) {
          const int near = sizes[i] <= 2 * sizes[j] && sizes[j] <= 2 * sizes[i];
          n[0] = n[1] = n[2] = 50;
          n[d] = sizes[i];
          describe("%s: an entry of %lu on axis %d for a call of %lu", tune_operations[op], (unsigned long)sizes[i], d,
                   (unsigned long)sizes[j]);
          begin_case();
          e[0] = tune_own(&hw, op, name, n[0], n[1], n[2], 16, 3);
          hw.ntuned = 1;
          n[d] = sizes[j];
          if (tune_taken(&hw, op, element, n[0], n[1], n[2], 16) != (near ? 3 : 0)) fail("%s", near ? "not taken" : "taken");
          end_case();
        }
    for (order = 0; order < 24; order++) { /* of an exact one, one off by a point, by a quarter, by two, in any order */
      static const size_t off[4][3] = {{0, 0, 0}, {0, 1, 0}, {25, 0, 25}, {100, 100, 100}};
      size_t left[4] = {0, 1, 2, 3};
      describe("%s: order %d of four entries", tune_operations[op], order);
      begin_case();
      for (i = 0, k = (size_t)order; i < 4; i++) {
        const size_t which = k % (4 - i), o = left[which];
        k /= 4 - i;
        for (j = which; j + 1 < 4 - i; j++) left[j] = left[j + 1];
        e[i] = tune_own(&hw, op, name, 100 + off[o][0], 100 + off[o][1], 100 + off[o][2], 16, 1 + (long)o);
      }
      hw.ntuned = 4;
      if (tune_taken(&hw, op, element, 100, 100, 100, 16) != 1) fail("not the exact one");
      if (tune_taken(&hw, op, element, 100, 101, 100, 16) != 2) fail("not the one off by a point");
      if (tune_taken(&hw, op, element, 120, 100, 120, 16) != 3) fail("not the one off by a quarter");
      if (tune_taken(&hw, op, element, 400, 400, 400, 16) != 4) fail("not the one off by two");
      if (tune_taken(&hw, op, element, 400, 400, 401, 16) != 0) fail("one that is too far off");
      for (hw.ntuned = 0; hw.ntuned < 4; hw.ntuned++) /* those behind do not count */
        for (i = hw.ntuned; i < 4; i++)
          if (tune_taken(&hw, op, element, e[i].nx, e[i].ny, e[i].nz, 16) == e[i].choice[0] / 10) fail("one behind the last");
      end_case();
    }
  }
  describe("several entries of the same sizes");
  for (i = 0; i < 5; i++) e[i] = tune_own(&hw, 1, name, 100, 100, 100, 10 + i, 1 + (long)i);
  hw.ntuned = 5;
  CHECK(tune_taken(&hw, 1, element, 100, 100, 100, 12) > 0);
  describe("no array");
  hw.tuned = NULL;
  CHECK(tune_taken(&hw, 1, element, 100, 100, 100, 12) == 0);
  convk_close(&hw);
}

/* Other operations, types, hardware, machines, threads and kinds of length do not count, however near the sizes. */
static void tuned_keys(int type) {
  static const size_t steps[] = {1, 2, 3, 24, 100000}, taps[] = {1, 2, 3, 4, 8, 15, 16, 17, 31, 32, 33, 64};
  const size_t element = types[type].size;
  const char *name = types[type].name;
  convk_tuned e[3];
  hook k = hook_new(HOOK_REVERSED, 3, 1);
  convk hw;
  size_t i, j;
  int op, part, threads;
  CHECK(!convk_open(&hw, NULL));
  hw.tuned = e;
  hw.parallel.ctx = &k;
  for (op = 0; op < 2; op++)
    for (threads = 0; threads < 4; threads++) {
      hw.parallel.threads = threads;
      hw.parallel.run = hook_run;
      describe("%s on %d threads", tune_operations[op], threads);
      e[0] = tune_own(&hw, op, name, 40, 41, 42, 16, 1);
      hw.ntuned = 1;
      CHECK(tune_taken(&hw, op, element, 40, 41, 42, 16) == 1);
      CHECK(tune_taken(&hw, op, 12 - element, 40, 41, 42, 16) == 0);
      CHECK(tune_taken(&hw, !op, element, 40, 41, 42, 16) == 0);
      hw.parallel.threads++;
      CHECK(tune_taken(&hw, op, element, 40, 41, 42, 16) == (threads ? 0 : 1));
      hw.parallel.run = NULL;
      CHECK(tune_taken(&hw, op, element, 40, 41, 42, 16) == (threads < 2));
      hw.parallel.threads--;
      hw.parallel.run = hook_run;
      for (part = 0; part < 5; part++) { /* the other key is exact, its own only near */
        describe("%s on %d threads, another part %d of the key", tune_operations[op], threads, part);
        e[0] = tune_own(&hw, op, name, 40, 41, 42, 16, 1);
        e[1] = e[0];
        e[0] = tune_other_key(&e[0], part);
        e[1].choice[0] = 21;
        e[1].nx++;
        hw.ntuned = 1;
        CHECK(tune_taken(&hw, op, element, 40, 41, 42, 16) == 0);
        hw.ntuned = 2;
        for (j = 0; j < CONVK_TUNE_COUNT; j++) e[1].choice[j] = 21 + (long)j;
        CHECK(tune_taken(&hw, op, element, 40, 41, 42, 16) == 2);
      }
    }
  for (i = 0; i < COUNT_OF(steps); i++) /* a single sweep is another thing than many */
    for (j = 0; j < COUNT_OF(steps); j++) {
      e[0] = tune_own(&hw, 1, name, 40, 41, 42, steps[i], 1);
      hw.ntuned = 1;
      describe("an entry of %lu steps for a call of %lu", (unsigned long)steps[i], (unsigned long)steps[j]);
      CHECK(tune_taken(&hw, 1, element, 40, 41, 42, steps[j]) == ((steps[i] == 1) == (steps[j] == 1)));
    }
  e[0] = tune_own(&hw, 1, name, 40, 41, 42, 1, 1);
  e[1] = tune_own(&hw, 1, name, 60, 60, 60, 8, 2);
  hw.ntuned = 2;
  describe("the nearest sizes, but a single sweep");
  CHECK(tune_taken(&hw, 1, element, 40, 41, 42, 9) == 2);
  CHECK(tune_taken(&hw, 1, element, 60, 60, 60, 1) == 1);
  for (i = 0; i < COUNT_OF(taps); i++)
    for (j = 0; j < COUNT_OF(taps); j++) {
      const int near = taps[i] <= 2 * taps[j] && taps[j] <= 2 * taps[i];
      e[0] = tune_own(&hw, 0, name, 40, 41, 42, taps[i], 1);
      e[1] = tune_own(&hw, 0, name, 40, 41, 42, taps[j], 2);
      describe("an entry of %lu taps for a call of %lu", (unsigned long)taps[i], (unsigned long)taps[j]);
      hw.ntuned = 1;
      CHECK(tune_taken(&hw, 0, element, 40, 41, 42, taps[j]) == near);
      hw.ntuned = 2;
      CHECK(tune_taken(&hw, 0, element, 40, 41, 42, taps[j]) == (i == j ? 1 : 2));
    }
  convk_close(&hw);
}

/* What the handle says by hand stands; each of the rest comes from the entry. */
static void tuned_by_hand(int type) {
  const size_t element = types[type].size;
  size_t n[3] = {40, 41, 42};
  convk_tuned e;
  convk hw;
  int set, op;
  CHECK(!convk_open(&hw, NULL));
  hw.tuned = &e;
  hw.ntuned = 1;
  for (op = 0; op < 2; op++)
    for (set = 0; set < 128; set++) {
      convk_tuning t, hand;
      e = tune_own(&hw, op, types[type].name, 40, 41, 42, 16, 1);
      memset(&hand, 0, sizeof hand);
      hand.l2_bytes = 1000;
      hand.l3_bytes = 2000;
      if (set & 1) hand.nontemporal = -1;
      if (set & 2) hand.sepconv_rows = 71;
      if (set & 4) hand.stencil_rows = 72;
      if (set & 8) hand.stencil_steps = 73;
      if (set & 16) hand.stencil_threads_y = 74;
      if (set & 32) hand.stencil_prefetch = -75;
      if (set & 64) hand.stencil_planes = 76;
      hw.tuning = hand;
      t = inside_tuning_for(&hw, tune_operations[op], element, n, 16);
      describe("%s, set %d by hand", tune_operations[op], set);
      begin_case();
      if (t.l2_bytes != 1000 || t.l3_bytes != 2000) fail("caches");
      if (t.nontemporal != (set & 1 ? -1 : (int)e.choice[CONVK_TUNE_NONTEMPORAL])) fail("nontemporal");
      if (t.sepconv_rows != (set & 2 ? 71 : (size_t)e.choice[CONVK_TUNE_ROWS])) fail("sepconv_rows");
      if (t.stencil_rows != (set & 4 ? 72 : (size_t)e.choice[CONVK_TUNE_ROWS])) fail("stencil_rows");
      if (t.stencil_steps != (set & 8 ? 73 : (size_t)e.choice[CONVK_TUNE_DEPTH])) fail("stencil_steps");
      if (t.stencil_threads_y != (set & 16 ? 74 : (size_t)e.choice[CONVK_TUNE_THREADS_Y])) fail("stencil_threads_y");
      if (t.stencil_prefetch != (set & 32 ? -75 : (ptrdiff_t)e.choice[CONVK_TUNE_PREFETCH])) fail("stencil_prefetch");
      if (t.stencil_planes != (set & 64 ? 76 : (size_t)e.choice[CONVK_TUNE_PLANES])) fail("stencil_planes");
      end_case();
    }
  memset(&e, FILL_, sizeof e);
  describe("no handle");
  CHECK(tune_nothing(inside_tuning_for(NULL, "stencil7", element, n, 16)));
  convk_close(&hw);
}

/* One call, of which only speed may depend on tuning. */
typedef struct tune_call {
  int operation, type, boundary[3];
  convk_grid3 grid;
  size_t length;
} tune_call;

enum { TUNE_SEPCONV, TUNE_STENCIL };

static tune_call tune_call_of(int operation, int type, size_t nx, size_t ny, size_t nz, size_t length) {
  tune_call c;
  memset(&c, 0, sizeof c);
  c.operation = operation;
  c.type = type;
  c.grid.nx = nx;
  c.grid.ny = ny;
  c.grid.nz = nz;
  c.length = length;
  return c;
}

static void tune_call_describe(const tune_call *c) {
  describe("%s %lux%lux%lu boundaries %d%d%d length %lu", tune_operations[c->operation], (unsigned long)c->grid.nx,
           (unsigned long)c->grid.ny, (unsigned long)c->grid.nz, c->boundary[0], c->boundary[1], c->boundary[2],
           (unsigned long)c->length);
}

/* Three equal filters, as long as the call says. */
static void tune_filters(const tune_call *c, any_filter filter[3], void *taps) {
  size_t k;
  int d;
  for (k = 0; k < c->length; k++) put(c->type, taps, k, 1.0 / (double)(k + 3));
  for (d = 0; d < 3; d++) {
    filter[d].lo = -(int)(c->length / 2);
    filter[d].up = filter[d].lo + (int)c->length - 1;
    filter[d].taps = taps;
  }
}

/* Bytes of work, and the grid of the result. */
static size_t tune_work(convk *hw, const tune_call *c, convk_grid3 *out) {
  double taps[64];
  any_filter filter[3];
  size_t bytes = 0;
  if (c->operation == TUNE_STENCIL) {
    *out = c->grid;
    return stencil_need(c->type, hw, &c->grid, c->boundary, c->length);
  }
  tune_filters(c, filter, taps);
  if (sepconv_types[c->type].output_grid(hw, &c->grid, filter, c->boundary, out)) fail("no output grid");
  if (sepconv_types[c->type].sepconv3d_work(hw, &c->grid, NULL, filter, c->boundary, &bytes)) fail("no work size");
  return bytes;
}

/* The result, in new memory; NULL when the call failed. */
static void *tune_result(convk *hw, const tune_call *c, size_t *bytes) {
  static const double weights[7] = {0.4, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1};
  const size_t size = types[c->type].size;
  const size_t span =
      (c->grid.pitch_z ? c->grid.pitch_z : c->grid.ny * (c->grid.pitch_y ? c->grid.pitch_y : c->grid.nx)) * c->grid.nz;
  uint64_t rng = 5;
  double taps[64];
  any_filter filter[3];
  convk_grid3 out;
  void *a = need(span * size), *b, *result = NULL;
  size_t i;
  int status;
  for (i = 0; i < span; i++) put(c->type, a, i, random_unit(&rng));
  (void)tune_work(hw, c, &out);
  *bytes = (c->operation == TUNE_STENCIL ? span : out.nx * out.ny * out.nz) * size;
  b = need(*bytes);
  if (c->operation == TUNE_STENCIL) {
    stencil_call k;
    memset(&k, 0, sizeof k);
    memcpy(b, a, *bytes);
    k.hw = hw;
    k.grid = &c->grid;
    k.c = weights;
    k.boundary = c->boundary;
    k.steps = c->length;
    k.a = a;
    k.b = b;
    k.result = &result;
    status = stencil_types[c->type].call(&k);
  } else {
    tune_filters(c, filter, taps);
    status = sepconv_types[c->type].sepconv3d(hw, &c->grid, &out, filter, c->boundary, NULL, a, b, NULL, 0);
    result = b;
  }
  if (status) {
    fail("status %d, %s", status, convk_strerror(status));
    result = NULL;
  }
  if (result != a) free(a);
  if (result != b) free(b);
  return result;
}

/* Whether a call gives these bits. */
static void tune_compare(convk *hw, const tune_call *c, const void *want, const char *what) {
  const long live = heap.live;
  size_t bytes;
  void *got = tune_result(hw, c, &bytes);
  if (got && want && memcmp(got, want, bytes)) fail("%s: other bits", what);
  if (heap.live != live || heap.damaged) fail("%s: memory left, or written around", what);
  heap.damaged = 0;
  free(got);
}

/* The sizes by which a call looks for an entry: points that change, or the input. */
static convk_tuned tune_entry_of(convk *hw, const tune_call *c) {
  size_t n[3];
  int d;
  n[0] = c->grid.nx;
  n[1] = c->grid.ny;
  n[2] = c->grid.nz;
  for (d = 0; d < 3; d++)
    if (c->boundary[d] == CONVK_BOUNDARY_FIXED) n[d] -= 2;
  return tune_own(hw, c->operation, types[c->type].name, n[0], n[1], n[2], c->length, 0);
}

/* A call with an entry of its sizes works as it does with the same set by hand; an entry for other sizes does not matter. */
static void tuned_calls(int type) {
  static const int boundaries[2][5] = {
      {CONVK_BOUNDARY_PERIODIC, CONVK_BOUNDARY_GROW, CONVK_BOUNDARY_SHRINK, CONVK_BOUNDARY_ZERO, CONVK_BOUNDARY_GROW},
      {CONVK_BOUNDARY_PERIODIC, CONVK_BOUNDARY_FIXED, CONVK_BOUNDARY_FIXED, CONVK_BOUNDARY_PERIODIC, CONVK_BOUNDARY_FIXED}};
  const size_t cases = suite.quick ? 60 : 200;
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  size_t differ = 0, i, n = 0, number;
  variant *v;
  for (i = 0; i < cases; i++)
    for (number = i % variant_count; (v = next_variant(&number, 0)) != NULL; number = variant_count) {
      const int op = random_int(&rng, 0, 1), threads = random_int(&rng, 1, 5);
      tune_call c = tune_call_of(op, type, 4 + random_below(&rng, 40), 4 + random_below(&rng, 40), 4 + random_below(&rng, 30),
                                 (size_t)random_int(&rng, 1, op == TUNE_STENCIL ? 9 : 4));
      hook k[3];
      convk hw[3]; /* default, by hand, by an entry */
      convk_tuned e[3];
      convk_grid3 out;
      void *want;
      size_t bytes, work[3];
      int d, h, p;
      if (v->device) break;
      for (d = 0; d < 3; d++) c.boundary[d] = boundaries[op][random_below(&rng, 5)];
      for (h = 0; h < 3; h++) {
        k[h] = hook_new(HOOK_REVERSED, threads, 1);
        hw[h] = v->hw;
        hw[h].tuning.nontemporal = 0;
        hw[h].parallel.threads = threads;
        hw[h].parallel.run = hook_run;
        hw[h].parallel.ctx = &k[h];
      }
      tune_call_describe(&c);
      describe_more(" on %d threads", threads);
      begin_case();
      e[1] = tune_entry_of(&hw[2], &c);
      for (p = 0; p < CONVK_TUNE_COUNT; p++)
        e[1].choice[p] = random_below(&rng, 3) ? tune_pick(&rng, tune_choices[p].least, tune_choices[p].most / 4 + 2) : 0;
      e[0] = e[2] = e[1];
      e[0].nx++; /* near, and so may be the size of the grid, fixed points and all, or of the result */
      (void)tune_work(&hw[0], &c, &out);
      e[2].nx = out.nx + (out.nx == e[1].nx && out.ny == e[1].ny && out.nz == e[1].nz);
      e[2].ny = out.ny;
      e[2].nz = out.nz;
      for (p = 0; p < CONVK_TUNE_COUNT; p++) {
        e[0].choice[p] = 1;
        e[2].choice[p] = 2;
      }
      hw[2].tuned = e;
      hw[2].ntuned = 3;
      hw[1].tuning.nontemporal = (int)e[1].choice[CONVK_TUNE_NONTEMPORAL];
      hw[1].tuning.sepconv_rows = hw[1].tuning.stencil_rows = (size_t)e[1].choice[CONVK_TUNE_ROWS];
      hw[1].tuning.stencil_steps = (size_t)e[1].choice[CONVK_TUNE_DEPTH];
      hw[1].tuning.stencil_threads_y = (size_t)e[1].choice[CONVK_TUNE_THREADS_Y];
      hw[1].tuning.stencil_prefetch = (ptrdiff_t)e[1].choice[CONVK_TUNE_PREFETCH];
      hw[1].tuning.stencil_planes = (size_t)e[1].choice[CONVK_TUNE_PLANES];
      for (h = 0; h < 3; h++) work[h] = tune_work(&hw[h], &c, &out);
      want = tune_result(&hw[0], &c, &bytes);
      tune_compare(&hw[1], &c, want, "by hand");
      tune_compare(&hw[2], &c, want, "by an entry");
      /* smaller grids may take the defaults or other entries, and work is enough for all of them */
      if (work[2] < work[1] || work[2] < work[0])
        fail("work of %lu bytes, by hand of %lu", (unsigned long)work[2], (unsigned long)work[1]);
      if (k[1].calls != k[2].calls || k[1].most != k[2].most)
        fail("the hook gets %lu tasks, by hand %lu", (unsigned long)k[2].most, (unsigned long)k[1].most);
      differ += work[1] != work[0] || k[1].calls != k[0].calls || k[1].most != k[0].most;
      n++;
      free(want);
      end_case();
    }
  describe("calls that tuning changes");
  if (n) CHECK(differ > n / 10);
}

/* The work of a whole step is enough for every box, though an entry of the box's own sizes wants more. */
static void tuned_box(int type) {
  const tune_call c = tune_call_of(TUNE_STENCIL, type, 20, 18, 16, 1);
  static const double weights[7] = {0.4, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1};
  static const size_t first[3] = {0, 0, 0};
  const size_t bytes = c.grid.nx * c.grid.ny * c.grid.nz * types[type].size;
  void *a = calloc(1, bytes), *b = need(bytes);
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  size_t i, turn, count[3];
  variant *v;
  if (!a) exit(2);
  for (i = 0; (v = next_variant(&i, 0)) != NULL;) {
    if (v->device) continue;
    describe("boxes");
    begin_case();
    for (turn = 0; turn < 20; turn++) {
      convk hw = v->hw;
      convk_tuned e;
      stencil_call k;
      workspace work;
      int status, d;
      for (d = 0; d < 3; d++) count[d] = 1 + random_below(&rng, 8);
      describe("a box of %lux%lux%lu", (unsigned long)count[0], (unsigned long)count[1], (unsigned long)count[2]);
      e = tune_own(&hw, TUNE_STENCIL, types[type].name, count[0], count[1], count[2], 1, 0);
      e.choice[CONVK_TUNE_NONTEMPORAL] = 1;
      hw.tuned = &e;
      hw.ntuned = 1;
      memset(&k, 0, sizeof k);
      k.hw = &hw;
      k.grid = &c.grid;
      k.c = weights;
      k.boundary = c.boundary;
      k.box = 1;
      k.first = first;
      k.count = count;
      k.a = a;
      k.b = b;
      work = workspace_new(WORK_EXACT, stencil_need(type, &hw, &c.grid, c.boundary, 1), &rng);
      k.work = work.work;
      k.work_size = work.size;
      status = stencil_types[type].call(&k);
      want_status(status, CONVK_OK);
      workspace_end(&work);
    }
    end_case();
  }
  free(a);
  free(b);
}

/* Values that no text can bring, put into the array by hand: slow at worst. */
static void tuned_damaged(int type) {
  static const long values[] = {
      LONG_MAX, LONG_MIN, LONG_MAX - 1, LONG_MIN + 1, INT_MAX,      INT_MIN,          -5, -1, 1, 2, 3, 4, 7, 15, 16,
      17,       65536,    1000003,      LONG_MAX / 8, LONG_MIN / 8, LONG_MAX / 64 + 1};
  static const struct {
    int operation, boundary[3];
    size_t n[3], length;
  } calls[] = {{TUNE_STENCIL, {0, 0, 0}, {21, 11, 9}, 1},
               {TUNE_STENCIL, {CONVK_BOUNDARY_FIXED, CONVK_BOUNDARY_FIXED, CONVK_BOUNDARY_FIXED}, {24, 13, 12}, 7},
               {TUNE_STENCIL, {CONVK_BOUNDARY_PERIODIC, CONVK_BOUNDARY_FIXED, CONVK_BOUNDARY_PERIODIC}, {5, 9, 33}, 41},
               {TUNE_SEPCONV, {CONVK_BOUNDARY_PERIODIC, CONVK_BOUNDARY_GROW, CONVK_BOUNDARY_ZERO}, {17, 19, 11}, 5}};
  const size_t random = suite.quick ? 30 : 120;
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  size_t i, j, s, number;
  variant *v;
  for (s = 0; s < COUNT_OF(calls); s++)
    for (number = 0; (v = next_variant(&number, 0)) != NULL;) {
      tune_call c = tune_call_of(calls[s].operation, type, calls[s].n[0], calls[s].n[1], calls[s].n[2], calls[s].length);
      hook k = hook_new(HOOK_REVERSED, 3, 1);
      convk hw = v->hw;
      convk_tuned e;
      void *want;
      size_t bytes;
      if (v->device) continue;
      memcpy(c.boundary, calls[s].boundary, sizeof c.boundary);
      hw.parallel.threads = 3;
      hw.parallel.run = hook_run;
      hw.parallel.ctx = &k;
      want = tune_result(&hw, &c, &bytes);
      for (i = 0; i < COUNT_OF(values) * CONVK_TUNE_COUNT + random; i++) {
        int p;
        if (suite.quick && (i + s) % 3) continue;
        e = tune_entry_of(&hw, &c);
        memset(e.choice, 0, sizeof e.choice);
        e.gain = values[i % COUNT_OF(values)];
        if (i < COUNT_OF(values) * CONVK_TUNE_COUNT) e.choice[i / COUNT_OF(values)] = values[i % COUNT_OF(values)];
        else
          for (p = 0; p < CONVK_TUNE_COUNT; p++)
            if (random_below(&rng, 3)) e.choice[p] = values[random_below(&rng, COUNT_OF(values))];
        hw.tuned = &e;
        hw.ntuned = 1;
        tune_call_describe(&c);
        for (p = 0; p < CONVK_TUNE_COUNT; p++) describe_more(" %s=%ld", tune_choices[p].name, e.choice[p]);
        begin_case();
        tune_compare(&hw, &c, want, "a damaged entry");
        end_case();
      }
      for (j = 0; j < 40; j++) { /* a damaged key finds nothing, or an entry that does no harm */
        static const size_t keys[] = {0, 1, SIZE_MAX, SIZE_MAX / 2 + 1};
        e = tune_entry_of(&hw, &c);
        for (i = 0; i < CONVK_TUNE_COUNT; i++) e.choice[i] = LONG_MAX;
        switch (j % 5) {
          case 0: e.nx = keys[j / 5 % 4]; break;
          case 1: e.ny = keys[j / 5 % 4]; break;
          case 2: e.nz = keys[j / 5 % 4]; break;
          case 3: e.length = keys[j / 5 % 4]; break;
          default: e.threads = j / 5 % 4 ? (int)(INT_MIN + (long)(j / 5 % 4)) : 0; break;
        }
        tune_call_describe(&c);
        describe_more(" key %lu", (unsigned long)j);
        begin_case();
        tune_compare(&hw, &c, want, "a damaged key");
        end_case();
      }
      free(want);
    }
}

/* ---------------------------------------------------------------------------------------------------------- the search -- */

static convk_tune_shape tune_shape_of(const tune_call *c) {
  convk_tune_shape s;
  memset(&s, 0, sizeof s);
  s.grid = c->grid;
  memcpy(s.boundary, c->boundary, sizeof s.boundary);
  if (c->operation == TUNE_STENCIL) s.steps = c->length;
  else s.taps = (int)c->length;
  return s;
}

static const char *tune_name(int operation, int type) {
  static char name[24];
  snprintf(name, sizeof name, "%s_%s", tune_operations[operation], types[type].name);
  return name;
}

/* Tunes a call and checks the entry, all but which choice it is; a length of 0 asks for the default. */
static convk_tuned tune_one(convk *hw, const tune_call *call, double budget_ms) {
  const convk_tune_shape shape = tune_shape_of(call);
  const long live = heap.live;
  convk_tune_shape shape_copy = shape;
  convk before = *hw, tuned = *hw;
  tune_call c = *call;
  convk_tuned e, key;
  char text[2 * TUNE_LINE_];
  size_t length, bytes;
  surroundings s;
  void *want;
  int status, p, chosen = 0;
  memcpy(&before, hw, sizeof before);
  if (!c.length) c.length = c.operation == TUNE_STENCIL ? 1 : 16;
  memset(&e, FILL_, sizeof e);
  s = before_call();
  status = convk_tune(hw, tune_name(c.operation, c.type), &shape_copy, budget_ms, &e);
  after_call(s, 0);
  before.message[0] = 0; /* which every call forgets */
  if (memcmp(hw, &before, sizeof before)) fail("the handle was changed");
  if (memcmp(&shape, &shape_copy, sizeof shape)) fail("the shape was changed");
  if (heap.live != live || heap.damaged) fail("memory left, or written around");
  heap.damaged = 0;
  if (status) {
    fail("status %d, %s", status, convk_strerror(status));
    memset(&e, 0, sizeof e);
    return e;
  }
  key = tune_entry_of(hw, &c);
  memcpy(key.choice, e.choice, sizeof e.choice);
  key.gain = e.gain;
  if (!tune_valid(&e)) fail("values out of range");
  if (!tune_same(&e, &key)) fail("another operation, machine or size");
  for (p = 0; p < CONVK_TUNE_COUNT; p++) chosen |= e.choice[p] != 0;
  if (chosen ? e.gain < 1030 : e.gain != 1000) fail("a gain of %ld by %s", e.gain, chosen ? "a choice" : "the defaults");
  if (convk_tuned_write(NULL, &e, 1, text, sizeof text, &length)) fail("cannot be written");
  else tune_expect(text, length, hw, 1, &e, 1, 0);
  want = tune_result(hw, &c, &bytes);
  tuned.tuned = &e;
  tuned.ntuned = 1;
  tune_compare(&tuned, &c, want, "tuned");
  free(want);
  return e;
}

/* The last CPU variant that is open. */
static variant *tune_best_variant(void) {
  variant *best = NULL, *v;
  size_t i;
  for (i = 0; (v = next_variant(&i, 0)) != NULL;)
    if (!v->device) best = v;
  if (best) use_variant(best);
  return best;
}

/* Every operation, with no time at all and with a little, serial and on threads. */
static void tune_results(int type) {
  static const struct {
    int operation, boundary[3];
    size_t n[3], pitch_y, pitch_z, length;
  } calls[] = {
      {TUNE_STENCIL, {0, 0, 0}, {9, 7, 5}, 0, 0, 0},
      {TUNE_STENCIL, {CONVK_BOUNDARY_FIXED, CONVK_BOUNDARY_FIXED, CONVK_BOUNDARY_FIXED}, {3, 3, 3}, 0, 0, 1},
      {TUNE_STENCIL, {CONVK_BOUNDARY_FIXED, CONVK_BOUNDARY_PERIODIC, CONVK_BOUNDARY_FIXED}, {40, 33, 37}, 48, 1600, 30},
      {TUNE_SEPCONV, {CONVK_BOUNDARY_PERIODIC, CONVK_BOUNDARY_GROW, CONVK_BOUNDARY_ZERO}, {1, 1, 1}, 0, 0, 0},
      {TUNE_SEPCONV, {CONVK_BOUNDARY_PERIODIC, CONVK_BOUNDARY_PERIODIC, CONVK_BOUNDARY_PERIODIC}, {29, 30, 21}, 32, 1000, 0},
      {TUNE_SEPCONV, {CONVK_BOUNDARY_SHRINK, CONVK_BOUNDARY_ZERO, CONVK_BOUNDARY_GROW}, {64, 20, 20}, 0, 0, 64},
      {TUNE_SEPCONV, {CONVK_BOUNDARY_ZERO, CONVK_BOUNDARY_SHRINK, CONVK_BOUNDARY_SHRINK}, {17, 11, 10}, 0, 0, 1}};
  static const double budgets[] = {0, 1, -1};
  size_t i, k, number;
  variant *v, *best;
  for (number = 0; (v = next_variant(&number, 0)) != NULL;)
    for (i = 0; i < COUNT_OF(calls) && !v->device; i++)
      for (k = 0; k < 2; k++) {
        const size_t *n = calls[i].n;
        const double budget = budgets[(i + k + number) % COUNT_OF(budgets)];
        tune_call c = tune_call_of(calls[i].operation, type, n[0], n[1], n[2], calls[i].length);
        hook threads = hook_new(HOOK_REVERSED, 3, 1);
        convk hw = v->hw;
        if (suite.quick && (i + k + number) % 2) continue;
        memcpy(c.boundary, calls[i].boundary, sizeof c.boundary);
        c.grid.pitch_y = calls[i].pitch_y;
        c.grid.pitch_z = calls[i].pitch_z;
        hw.parallel.threads = 3;
        hw.parallel.run = k ? hook_run : NULL;
        hw.parallel.ctx = &threads;
        tune_call_describe(&c);
        describe_more(" %s in %g ms", k ? "on threads" : "serial", budget);
        begin_case();
        tune_one(&hw, &c, budget);
        if (k && i == 2 && !threads.calls) fail("threads were not used");
        end_case();
      }
  best = tune_best_variant();
  for (i = 0; i < 4 && best; i++) {
    tune_call c = tune_call_of((int)i % 2, type, 32, 32, 32, i % 2 ? 8 : 16);
    hook threads = hook_new(HOOK_THREADS, 2, 1);
    convk hw = best->hw;
    hw.parallel.threads = 2;
    hw.parallel.run = i < 2 ? NULL : hook_run;
    hw.parallel.ctx = &threads;
    tune_call_describe(&c);
    describe_more(" %s in 200 ms", i < 2 ? "serial" : "on threads");
    begin_case();
    tune_one(&hw, &c, 200);
    end_case();
  }
}

/* It ends in about the time that it is given. */
static void tune_budget(int type) {
  variant *v = tune_best_variant();
  int op;
  for (op = 0; op < 2 && v; op++) {
    const tune_call c = tune_call_of(op, type, 40, 40, 40, 16);
    const convk_tune_shape shape = tune_shape_of(&c);
    const double start = test_seconds();
    convk_tuned e;
    tune_call_describe(&c);
    describe_more(" in 300 ms");
    begin_case();
    if (convk_tune(&v->hw, tune_name(op, type), &shape, 300, &e)) fail("status");
    if (test_seconds() - start > 3) fail("%g s", test_seconds() - start);
    end_case();
  }
}

/* ------------------------------------------------------------------------------------- the search with times made up -- */

/* Operations that take a made-up time, dependent on their tuning, and spoil a result or fail where they are told to. */
static struct {
  convk_stencil7_fn_f64 *stencil;
  convk_sepconv3d_fn_f64 *sepconv;
  double (*cost)(const convk_tuning *t);
  int (*spoils)(const convk_tuning *t), (*fails)(const convk_tuning *t);
  size_t calls, others, kinds, stranger; /* others: calls with other than default tuning, and how many different ones */
  convk_tuning seen[1000];
  size_t steps, threads, rows; /* the most of each that may be asked for; rows: what they are by hand, or 0 */
} tune_fake;

static int tune_fake_end(convk *hw, int operation, const convk_grid3 *grid, size_t length, double *result, int status) {
  size_t n[3], i;
  convk_tuning t;
  n[0] = grid->nx;
  n[1] = grid->ny;
  n[2] = grid->nz;
  t = inside_tuning_for(hw, tune_operations[operation], sizeof *result, n, length);
  tune_fake.calls++;
  if (!tune_nothing(t)) {
    for (i = 0; i < tune_fake.kinds && !tune_equal(&tune_fake.seen[i], &t);) i++;
    if (i == tune_fake.kinds && i < COUNT_OF(tune_fake.seen)) tune_fake.seen[tune_fake.kinds++] = t;
    tune_fake.others++;
  }
  if (t.nontemporal < -1 || t.nontemporal > 1 || t.stencil_steps > tune_fake.steps || t.stencil_threads_y > tune_fake.threads ||
      t.stencil_prefetch < -1 || (long)t.stencil_prefetch > tune_choices[CONVK_TUNE_PREFETCH].most ||
      (long)t.stencil_rows > tune_choices[CONVK_TUNE_ROWS].most ||
      (long)t.stencil_planes > tune_choices[CONVK_TUNE_PLANES].most || (tune_fake.rows && t.stencil_rows != tune_fake.rows) ||
      (operation == TUNE_SEPCONV && (t.stencil_steps || t.stencil_threads_y || t.stencil_prefetch || t.stencil_planes)))
    tune_fake.stranger++;
  tune_time.now += tune_fake.cost(&t);
  if (!status && tune_fake.spoils && tune_fake.spoils(&t)) result[grid->nx - 1] += 1;
  return tune_fake.fails && tune_fake.fails(&t) ? CONVK_ERR_DEVICE : status;
}

static int tune_fake_stencil(convk *hw, const convk_stencil7_shape *shape, const convk_stencil7_coefficients_f64 *coefficients,
                             size_t steps, double *a, double *b, double **result, void *work, size_t work_size) {
  const int status = tune_fake.stencil(hw, shape, coefficients, steps, a, b, result, work, work_size);
  return tune_fake_end(hw, TUNE_STENCIL, &shape->grid, steps, status ? NULL : *result, status);
}

static int tune_fake_sepconv(convk *hw, const convk_sepconv3d_shape *shape, const convk_filter_f64 filter[3],
                             const convk_sepconv_epilogue_f64 *epilogue, const double *in, double *out, void *work,
                             size_t work_size) {
  const int status = tune_fake.sepconv(hw, shape, filter, epilogue, in, out, work, work_size);
  return tune_fake_end(hw, TUNE_SEPCONV, &shape->in, (size_t)(filter[1].up - filter[1].lo) + 1, out, status);
}

static double cost_flat(const convk_tuning *t) {
  (void)t;
  return 10;
}
static double cost_none(const convk_tuning *t) {
  (void)t;
  return 0;
}
static double cost_two(const convk_tuning *t) { return (t->stencil_rows == 64 ? 5 : 10) * (t->stencil_steps == 4 ? 0.7 : 1); }
static double cost_two_percent(const convk_tuning *t) { return t->stencil_rows == 32 ? 9.8 : 10; }
static double cost_four_percent(const convk_tuning *t) { return t->stencil_rows == 32 ? 9.6 : 10; }
static double cost_twice_two_percent(const convk_tuning *t) {
  return (t->stencil_rows == 32 ? 0.98 : 1) * (t->nontemporal == 1 ? 9.8 : 10);
}
static double cost_rows(const convk_tuning *t) { return t->stencil_rows == 64 ? 5 : t->stencil_rows == 48 ? 8 : 10; }
static int spoils_64(const convk_tuning *t) { return t->stencil_rows == 64; }
static int spoils_rows(const convk_tuning *t) { return t->stencil_rows != 0; }
static int fails_3(const convk_tuning *t) { return t->stencil_steps == 3; }
static double cost_pair(const convk_tuning *t) { /* one helps only after the other, which is tried later */
  return t->stencil_rows == 16 ? (t->stencil_steps == 2 ? 4 : 9) : t->stencil_steps == 2 ? 12 : 10;
}
static double cost_past(const convk_tuning *t) { return t->nontemporal > 0 ? 5 : 10; }
static double cost_cached(const convk_tuning *t) { return t->nontemporal < 0 ? 5 : 10; }
static double cost_no_prefetch(const convk_tuning *t) { return t->stencil_prefetch < 0 ? 5 : 10; }
static double cost_prefetch(const convk_tuning *t) { return t->stencil_prefetch == 512 ? 5 : 10; }
static double cost_side_by_side(const convk_tuning *t) { return t->stencil_threads_y == 2 ? 5 : 10; }
static double cost_one_plane(const convk_tuning *t) { return t->stencil_planes == 1 ? 5 : 10; }
static double cost_slow(const convk_tuning *t) { return tune_nothing(*t) ? 10 : 100; }
static double cost_spikes(const convk_tuning *t) {
  (void)t;
  return tune_fake.calls % 11 == 5 ? 1000 : 10;
}
static double cost_at_once(const convk_tuning *t) { return t->stencil_rows == 64 ? 0 : 10; }
static double cost_by_rows(const convk_tuning *t) { return 10 - (double)(t->stencil_rows % 1024) / 40; }

/* A handle on the operations that take made-up times. */
static convk tune_fake_open(convk *hw, double (*cost)(const convk_tuning *t), const tune_call *c) {
  convk fake = *hw;
  memset(&tune_fake, 0, sizeof tune_fake);
  tune_fake.stencil = hw->ours.inside.f64.stencil7;
  tune_fake.sepconv = hw->ours.inside.f64.sepconv3d;
  tune_fake.cost = cost;
  tune_fake.steps = c->length;
  tune_fake.threads = hw->parallel.run ? (size_t)hw->parallel.threads : 1;
  fake.ours.inside.f64.stencil7 = tune_fake_stencil;
  fake.ours.inside.f64.sepconv3d = tune_fake_sepconv;
  tune_time_set(1, 0);
  return fake;
}

/* It finds what is faster, keeps the defaults where nothing is by more than 3%, and takes nothing that gives other bits. */
static void tune_search(int type) {
  static const struct {
    const char *what;
    int operation, threads;
    double (*cost)(const convk_tuning *t);
    int (*spoils)(const convk_tuning *t);
    long choice[CONVK_TUNE_COUNT], gain;
  } cases[] = {{"flat", TUNE_STENCIL, 1, cost_flat, NULL, {0, 0, 0, 0, 0, 0}, 1000},
               {"flat", TUNE_SEPCONV, 3, cost_flat, NULL, {0, 0, 0, 0, 0, 0}, 1000},
               {"two parameters", TUNE_STENCIL, 1, cost_two, NULL, {64, 4, 0, 0, 0, 0}, 2857},
               {"two parameters, threads", TUNE_STENCIL, 2, cost_two, NULL, {64, 4, 0, 0, 0, 0}, 2857},
               {"one of two parameters", TUNE_SEPCONV, 1, cost_two, NULL, {64, 0, 0, 0, 0, 0}, 2000},
               {"2%", TUNE_STENCIL, 1, cost_two_percent, NULL, {0, 0, 0, 0, 0, 0}, 1000},
               {"4%", TUNE_STENCIL, 1, cost_four_percent, NULL, {32, 0, 0, 0, 0, 0}, 1042},
               {"4%", TUNE_SEPCONV, 1, cost_four_percent, NULL, {32, 0, 0, 0, 0, 0}, 1042},
               {"2% twice", TUNE_STENCIL, 1, cost_twice_two_percent, NULL, {32, 0, 1, 0, 0, 0}, 1041},
               {"best of two", TUNE_STENCIL, 1, cost_rows, NULL, {64, 0, 0, 0, 0, 0}, 2000},
               {"the best spoils", TUNE_STENCIL, 1, cost_rows, spoils_64, {48, 0, 0, 0, 0, 0}, 1250},
               {"the best spoils", TUNE_SEPCONV, 1, cost_rows, spoils_64, {48, 0, 0, 0, 0, 0}, 1250},
               {"all rows spoil", TUNE_STENCIL, 1, cost_rows, spoils_rows, {0, 0, 0, 0, 0, 0}, 1000},
               {"one after the other", TUNE_STENCIL, 1, cost_pair, NULL, {16, 2, 0, 0, 0, 0}, 2500},
               {"past the caches", TUNE_STENCIL, 1, cost_past, NULL, {0, 0, 1, 0, 0, 0}, 2000},
               {"past the caches", TUNE_SEPCONV, 1, cost_past, NULL, {0, 0, 1, 0, 0, 0}, 2000},
               {"in the caches", TUNE_STENCIL, 1, cost_cached, NULL, {0, 0, -1, 0, 0, 0}, 2000},
               {"no prefetch", TUNE_STENCIL, 1, cost_no_prefetch, NULL, {0, 0, 0, -1, 0, 0}, 2000},
               {"prefetch", TUNE_STENCIL, 1, cost_prefetch, NULL, {0, 0, 0, 512, 0, 0}, 2000},
               {"threads side by side", TUNE_STENCIL, 3, cost_side_by_side, NULL, {0, 0, 0, 0, 2, 0}, 2000},
               {"no threads to be side by side", TUNE_STENCIL, 1, cost_side_by_side, NULL, {0, 0, 0, 0, 0, 0}, 1000},
               {"single planes", TUNE_STENCIL, 1, cost_one_plane, NULL, {0, 0, 0, 0, 0, 1}, 2000},
               {"spikes", TUNE_STENCIL, 1, cost_spikes, NULL, {0, 0, 0, 0, 0, 0}, 1000},
               {"slower", TUNE_STENCIL, 3, cost_slow, NULL, {0, 0, 0, 0, 0, 0}, 1000},
               {"a clock that stands still", TUNE_STENCIL, 1, cost_none, NULL, {0, 0, 0, 0, 0, 0}, 1000},
               {"too fast to measure", TUNE_STENCIL, 1, cost_at_once, NULL, {0, 0, 0, 0, 0, 0}, 0}};
  size_t i;
  int p;
  variant *v = tune_best_variant();
  (void)type;
  for (i = 0; i < COUNT_OF(cases) && v; i++) {
    /* rows enough for every choice to be another cut */
    const int many = cases[i].operation == TUNE_STENCIL && cases[i].cost != cost_none && cases[i].cost != cost_at_once;
    const tune_call c = tune_call_of(cases[i].operation, 1, 5, many ? 250 : 4, 6, 6);
    hook k = hook_new(HOOK_REVERSED, cases[i].threads, 1);
    convk hw = v->hw, fake;
    convk_tuned e;
    if (suite.quick && i % (suite.level == LEVEL_BRIEF ? 32 : 5)) continue; /* without the clock that stands still: long */
    hw.parallel.threads = cases[i].threads;
    hw.parallel.run = cases[i].threads > 1 ? hook_run : NULL;
    hw.parallel.ctx = &k;
    fake = tune_fake_open(&hw, cases[i].cost, &c);
    if (cases[i].cost == cost_cached || cases[i].cost == cost_no_prefetch) fake.tuning.l3_bytes = 1; /* arrays beyond it */
    describe("%s: %s", tune_operations[cases[i].operation], cases[i].what);
    begin_case();
    tune_fake.spoils = cases[i].spoils;
    e = tune_one(&fake, &c, cases[i].cost == cost_none ? 1 : 4.9e6); /* so that a call is timed by itself */
    if (cases[i].gain) {
      for (p = 0; p < CONVK_TUNE_COUNT; p++)
        if (e.choice[p] != cases[i].choice[p]) fail("%s=%ld, not %ld", tune_choices[p].name, e.choice[p], cases[i].choice[p]);
      if (labs(e.gain - cases[i].gain) > 1) fail("a gain of %ld, not %ld", e.gain, cases[i].gain);
    }
    if (tune_fake.stranger) fail("%lu calls with what may not be tried", (unsigned long)tune_fake.stranger);
    if (cases[i].cost == cost_slow && (tune_fake.others != tune_fake.kinds || tune_fake.kinds < 20))
      fail("%lu slow calls for %lu candidates", (unsigned long)tune_fake.others, (unsigned long)tune_fake.kinds);
    end_case();
  }
  if (v) {
    static const double budgets[] = {0, 1, 15, 100, 400, 1000};
    const tune_call c = tune_call_of(TUNE_STENCIL, 1, 5, 250, 6, 16);
    const convk_tune_shape shape = tune_shape_of(&c);
    for (i = 0; i < COUNT_OF(budgets); i++) { /* seconds; a call takes 10 and less, and at least two are made */
      convk fake = tune_fake_open(&v->hw, cost_by_rows, &c);
      convk_tuned e;
      describe("made-up time of %g s", budgets[i]);
      begin_case();
      if (convk_tune(&fake, "stencil7_f64", &shape, 1000 * budgets[i], &e)) fail("status");
      if (tune_time.now > budgets[i] + 60) fail("took %g s", tune_time.now);
      if (budgets[i] >= 1000 && !e.choice[CONVK_TUNE_ROWS]) fail("found nothing");
      if (budgets[i] < 20 && tune_fake.others) fail("%lu candidates in no time", (unsigned long)tune_fake.others);
      end_case();
    }
    {
      convk fake = tune_fake_open(&v->hw, cost_two, &c);
      convk_tuned e;
      describe("rows by hand");
      begin_case();
      fake.tuning.stencil_rows = tune_fake.rows = 24;
      e = tune_one(&fake, &c, 4.9e6);
      if (e.choice[CONVK_TUNE_DEPTH] != 4 || labs(e.gain - 1429) > 1) fail("depth %ld, gain %ld", e.choice[1], e.gain);
      if (tune_fake.stranger) fail("%lu calls with other rows", (unsigned long)tune_fake.stranger);
      end_case();
      fake = tune_fake_open(&v->hw, cost_flat, &c);
      tune_fake.fails = fails_3;
      describe("a candidate that fails");
      memset(&e, FILL_, sizeof e);
      CHECK(convk_tune(&fake, "stencil7_f64", &shape, 4.9e6, &e) == CONVK_ERR_DEVICE);
      CHECK(all_fill((unsigned char *)&e, (unsigned char *)(&e + 1)));
    }
  }
  tune_time_set(0, 0);
}

/* ------------------------------------------------------------------------------------------------------------- errors -- */

/* A call that must be refused and change nothing. */
static void tune_refused(convk *hw, const char *operation, const convk_tune_shape *shape, double budget_ms, int wanted,
                         const char *text, const char *what) {
  const long live = heap.live;
  convk before;
  convk_tuned e;
  surroundings s;
  int status;
  describe_more("%s", what);
  if (hw) memcpy(&before, hw, sizeof before);
  memset(&e, FILL_, sizeof e);
  begin_case();
  s = before_call();
  status = convk_tune(hw, operation, shape, budget_ms, &e);
  after_call(s, hw && hw->ours.inside.device);
  want_status(status, wanted);
  if (!all_fill((unsigned char *)&e, (unsigned char *)(&e + 1))) fail("the entry was written");
  if (hw && wanted != CONVK_ERR_HANDLE) {
    want_said(hw->message, status, text);
    memcpy(before.message, hw->message, sizeof before.message);
  }
  if (hw && memcmp(&before, hw, sizeof before)) fail("the handle was changed");
  if (heap.live != live) fail("%ld blocks left", heap.live - live);
  end_case();
}

static void tune_errors(int type) {
  static const char unknown[] =
      "|stencil7|stencil7_|stencil7_f6|stencil7_f644|stencil7_f64 | stencil7_f64|stencil7_c64|stencil7f64|Stencil7_f64|"
      "stencil7-f64|stencil7_box_f64|sepconv3d|sepconv3d_f16|magicfilter3d_f64|potential_apply_f64|f64|convk_stencil7_f64";
  static const int wrong[2][5] = {{CONVK_BOUNDARY_FIXED, 5, -1, INT_MAX, INT_MIN},
                                  {CONVK_BOUNDARY_GROW, CONVK_BOUNDARY_SHRINK, CONVK_BOUNDARY_ZERO, 5, -1}};
  static const int taps[] = {-1, -16, INT_MIN, 65, 1000, INT_MAX};
  const char *next;
  size_t number, i;
  variant *v;
  int op, d;
  for (number = 0; (v = next_variant(&number, 0)) != NULL;)
    for (op = 0; op < 2; op++) {
      const tune_call c = tune_call_of(op, type, 20, 18, 17, 0);
      const convk_tune_shape good = tune_shape_of(&c);
      const char *name = tune_name(op, type);
      convk_tune_shape shape;
      hook failing = hook_new(HOOK_FAILS, 3, 1);
      convk hw = v->hw;
      convk_tuned e;
#define TUNE_REFUSED(spoil, wanted) \
  do { \
    shape = good; \
    spoil; \
    describe("%s: ", name); \
    tune_refused(&hw, name, &shape, 0, wanted, wanted == CONVK_ERR_UNSUPPORTED ? "hw is" : NULL, #spoil); \
  } while (0)
      describe("%s: ", name);
      tune_refused(NULL, name, &good, 0, CONVK_ERR_NULL, NULL, "no handle");
      memset(&hw, 0, sizeof hw);
      TUNE_REFUSED((void)shape, CONVK_ERR_HANDLE);
      tune_refused(&hw, NULL, NULL, 0, CONVK_ERR_HANDLE, NULL, " and nothing else");
      hw = v->hw;
      hw.version += 100;
      TUNE_REFUSED((void)shape, CONVK_ERR_HANDLE);
      hw = v->hw;
      hw.size++;
      TUNE_REFUSED((void)shape, CONVK_ERR_HANDLE);
      hw = v->hw;
      strcpy(hw.message, "of a call before");
      describe("%s: ", name);
      tune_refused(&hw, NULL, &good, 0, CONVK_ERR_NULL, "operation is NULL", "no operation");
      tune_refused(&hw, name, NULL, 0, CONVK_ERR_NULL, "shape is NULL", ", no shape");
      tune_refused(&hw, "nonsense", NULL, 0, CONVK_ERR_NULL, "shape is NULL", ", no shape and an unknown operation");
      CHECK(convk_tune(&hw, name, &good, 0, NULL) == CONVK_ERR_NULL && !strcmp(hw.message, "entry is NULL"));
      for (next = unknown; next;) {
        char word[32];
        next = tune_next(next, word);
        describe("\"%s\"", word);
        tune_refused(&hw, word, &good, 0, CONVK_ERR_OPTION, word, "");
      }
      TUNE_REFUSED(shape.grid.nx = 0, CONVK_ERR_SIZE);
      TUNE_REFUSED(shape.grid.ny = 0, CONVK_ERR_SIZE);
      TUNE_REFUSED(shape.grid.nz = 0, CONVK_ERR_SIZE);
      TUNE_REFUSED(memset(&shape, 0, sizeof shape), CONVK_ERR_SIZE);
      TUNE_REFUSED(shape.grid.pitch_y = 19, CONVK_ERR_PITCH);
      TUNE_REFUSED(shape.grid.pitch_z = 17, CONVK_ERR_PITCH);
      TUNE_REFUSED(shape.grid.nx = SIZE_MAX / 4, CONVK_ERR_OVERFLOW);
      TUNE_REFUSED(shape.grid.nz = SIZE_MAX / 1000, CONVK_ERR_OVERFLOW);
      for (d = 0; d < 3; d++) {
        for (i = 0; i < COUNT_OF(wrong[op]); i++) TUNE_REFUSED(shape.boundary[d] = wrong[op][i], CONVK_ERR_BOUNDARY);
        if (op == TUNE_STENCIL) {
          size_t *n = d == 0 ? &shape.grid.nx : d == 1 ? &shape.grid.ny : &shape.grid.nz;
          TUNE_REFUSED((shape.boundary[d] = CONVK_BOUNDARY_FIXED, *n = 1), CONVK_ERR_SIZE);
          TUNE_REFUSED((shape.boundary[d] = CONVK_BOUNDARY_FIXED, *n = 2), CONVK_ERR_SIZE);
        } else {
          TUNE_REFUSED((shape.boundary[d] = CONVK_BOUNDARY_SHRINK, shape.taps = 21), CONVK_ERR_SHRINK);
        }
      }
      for (i = 0; i < COUNT_OF(taps) && op == TUNE_SEPCONV; i++) TUNE_REFUSED(shape.taps = taps[i], CONVK_ERR_TAPS);
      hw.parallel.threads = 3;
      hw.parallel.run = hook_run;
      hw.parallel.ctx = &failing;
      if (!v->device) TUNE_REFUSED((void)shape, CONVK_ERR_THREADS);
      hw = v->hw;
      hw.ours.inside.clock = NULL;
      hw.ours.inside.device = &failing; /* as the handle of a device has one */
      TUNE_REFUSED((void)shape, CONVK_ERR_UNSUPPORTED);
      hw = v->hw;
      describe("%s: good", name);
      CHECK(convk_tune(&hw, name, &good, 0, &e) == CONVK_OK);
#undef TUNE_REFUSED
    }
}

/* Every allocation of a search may fail. */
static void tune_memory(int type) {
  variant *v = tune_best_variant();
  int op;
  for (op = 0; op < 2 && v; op++) {
    const tune_call c = tune_call_of(op, type, 20, 18, 17, 5);
    const convk_tune_shape shape = tune_shape_of(&c);
    const long before = heap.total;
    const char *name = tune_name(op, type);
    convk_tuned e;
    long total, k;
    tune_time_set(1, 1); /* all choices are tried, and take the same time */
    tune_call_describe(&c);
    CHECK(!convk_tune(&v->hw, name, &shape, 4.9e5, &e));
    total = heap.total - before;
    describe("%s makes %ld allocations", name, total);
    CHECK(total > 3);
    for (k = 0; k < total; k++) {
      tune_time_set(1, 1);
      describe("%s with %ld of %ld allocations", name, k, total);
      heap.until_failure = k;
      if (k < (op == TUNE_STENCIL ? 3 : 4)) /* arrays, and work */
        tune_refused(&v->hw, name, &shape, 4.9e5, CONVK_ERR_MEMORY, NULL, "");
      else { /* a candidate may be too large for the memory: then the others decide */
        const int status = convk_tune(&v->hw, name, &shape, 4.9e5, &e);
        begin_case();
        if (status && status != CONVK_ERR_MEMORY) fail("status %d, %s", status, convk_strerror(status));
        end_case();
      }
      heap.until_failure = -1;
    }
  }
  tune_time_set(0, 0);
}

/* ---------------------------------------------------------------------------------------------------------------------- */

/* ------------------------------------------------------------------------------------ families of points and triangles -- */

#define FAMILY_BITS(TYPE, T) \
  /* Results of all operations that have blocks, in a row; how many bytes. */ \
  static size_t family_bits_##TYPE(convk *hw, T *out) { \
    enum { N = 700, M = 9, SUMS = 3, TRIANGLES = 70, NQ = 100 }; \
    static T x[3 * N], alpha[M], c[SUMS * M], corners[9 * TRIANGLES], storage[6 * TRIANGLES], q[3 * NQ]; \
    static const double exponent[2] = {1.5, 0.25}, weight[2] = {0.5, 1}; \
    const convk_grid3 grid = {7, 11, 5, 0, 0}; \
    uint64_t rng = 7; \
    convk_points_##TYPE points = {N, x, x + 1, x + 2, 3}; \
    convk_gaussians_##TYPE gaussians = {{0, 0, 0}, M, alpha, SUMS, c, 0}; \
    const convk_q_##TYPE vectors = {NQ, q, q + NQ, q + 2 * NQ, NULL, NULL, NULL}; \
    convk_mesh_##TYPE mesh; \
    convk_shell shell[M]; \
    convk_orbital_set_##TYPE set = {M, shell, SUMS, c, 0, NULL, NULL}; \
    T *at = out; \
    size_t i; \
    for (i = 0; i < 3 * N; i++) x[i] = (T)random_unit(&rng); \
    for (i = 0; i < M; i++) alpha[i] = (T)(-2 - random_unit(&rng)); \
    for (i = 0; i < SUMS * M; i++) c[i] = (T)random_unit(&rng); \
    for (i = 0; i < 9 * TRIANGLES; i++) corners[i] = (T)random_unit(&rng); \
    for (i = 0; i < 3 * NQ; i++) q[i] = (T)(3 * random_unit(&rng)); \
    memset(shell, 0, sizeof shell); \
    for (i = 0; i < M; i++) { \
      shell[i].primitives = 2; \
      shell[i].exponents = exponent; \
      shell[i].coefficients = weight; \
      shell[i].center[0] = 0.125 * (double)i; \
    } \
    CHECK(!convk_mesh_assign_##TYPE(hw, TRIANGLES, 0, storage, &mesh) && \
          !convk_mesh_from_triangles_##TYPE(hw, corners, &mesh)); \
    CHECK(!convk_gridpot_##TYPE(hw, &points, &gaussians, NULL, at, 0)); \
    CHECK(!convk_gridpot_sum_##TYPE(hw, &points, &gaussians, NULL, at += N * M, 0)); \
    CHECK(!convk_orbitals_##TYPE(hw, &points, &set, NULL, at += N * SUMS, 0, NULL, 0)); \
    CHECK(!convk_formfactor_##TYPE(hw, &mesh, &vectors, NULL, at += N * SUMS)); \
    CHECK(!convk_formfactor_grid_##TYPE(hw, &mesh, &grid, &vectors, NULL, at += 2 * NQ, NULL, 0)); \
    return (size_t)(at + 2 * 7 * 11 * 5 - out) * sizeof *out; \
  }
FAMILY_BITS(f32, float)
FAMILY_BITS(f64, double)

static size_t family_bits(int type, convk *hw, void *out) {
  return type ? family_bits_f64(hw, (double *)out) : family_bits_f32(hw, (float *)out);
}

/* Each operation on points and triangles is tuned, its entry survives as text, and no block changes a bit; a size that runs out
   is an error. */
static void tune_families(int type) {
  static const char *const names[] = {"gridpot", "gridpot_sum", "orbitals", "formfactor", "formfactor_grid"};
  static const size_t blocks[] = {1, 16, 50, 64, 100, 1000, 100000, (size_t)-1};
  const size_t room = 100000;
  double *first = reals(room), *other = reals(room);
  convk hw;
  size_t k, i, bytes;
  suite.operation = "tune";
  describe("families of points and triangles");
  begin_case();
  CHECK(!convk_open(&hw, NULL));
  for (k = 0; k < COUNT_OF(names); k++) {
    convk_tune_shape shape;
    convk_tuned entry, again;
    char operation[32], text[512];
    size_t length, count = 0;
    convk_tuned_report report = {1, NULL, NULL};
    memset(&shape, 0, sizeof shape);
    shape.grid.nx = k < 3 ? 500 : 40;
    shape.grid.ny = 12;
    shape.grid.nz = 3;
    shape.triangles = 90;
    snprintf(operation, sizeof operation, "%s_%s", names[k], type ? "f64" : "f32");
    CHECK(!convk_tune(&hw, operation, &shape, 20, &entry));
    CHECK(!strcmp(entry.operation, names[k]) && entry.gain >= 1000 && entry.nx == shape.grid.nx && entry.ny == 12);
    CHECK(!convk_tuned_write(&hw, &entry, 1, text, sizeof text, &length));
    CHECK(!convk_tuned_read(&hw, text, length, &again, 1, &count, &report) && count == 1 && !report.skipped);
    CHECK(!memcmp(entry.choice, again.choice, sizeof entry.choice));
    shape.grid.nx = 0;
    CHECK(convk_tune(&hw, operation, &shape, 20, &entry) == CONVK_ERR_SIZE);
    shape.grid.nx = (size_t)1 << 28;
    CHECK(convk_tune(&hw, operation, &shape, 20, &entry) == CONVK_ERR_OVERFLOW);
  }
  memset(first, 0, room * sizeof *first);
  bytes = family_bits(type, &hw, first);
  for (i = 0; i < COUNT_OF(blocks); i++) {
    memset(other, 0, room * sizeof *other);
    hw.tuning.gaussian_points = hw.tuning.formfactor_q = hw.tuning.formfactor_rows = blocks[i];
    CHECK(family_bits(type, &hw, other) == bytes && !memcmp(first, other, bytes));
  }
  convk_close(&hw);
  free(first);
  free(other);
  end_case();
}

/* Transforms: a choice of lanes, real and complex types apart. */
static void tune_transforms(int type) {
  static const char *const names[2][3] = {{"fftconv2d_f32", "fftconv2d_c32", "fft2d_c32"},
                                          {"fftconv2d_f64", "fftconv2d_c64", "fft2d_c64"}};
  convk_tune_shape shape;
  convk_tuned entry;
  convk hw;
  size_t k;
  suite.operation = "tune";
  describe("transforms");
  begin_case();
  CHECK(!convk_open(&hw, NULL));
  for (k = 0; k < 3; k++) {
    const char *name = names[type][k];
    convk_tuned again;
    convk_tuning found;
    char text[512];
    size_t length, count = 0, n[3];
    convk_tuned_report report = {1, NULL, NULL};
    memset(&shape, 0, sizeof shape);
    n[0] = shape.grid.nx = 16;
    n[1] = shape.grid.ny = 12;
    n[2] = shape.grid.nz = 33;
    CHECK(!convk_tune(&hw, name, &shape, 20, &entry));
    CHECK(!strncmp(entry.operation, name, strlen(name) - 4) && !strcmp(entry.type, name + strlen(name) - 3) &&
          entry.gain >= 1000);
    CHECK(entry.nx == 16 && entry.ny == 12 && entry.nz == 33 && entry.choice[CONVK_TUNE_ROWS] <= 2);
    entry.choice[CONVK_TUNE_ROWS] = 2;
    CHECK(!convk_tuned_write(&hw, &entry, 1, text, sizeof text, &length));
    CHECK(!convk_tuned_read(&hw, text, length, &again, 1, &count, &report) && count == 1 && !report.skipped);
    hw.tuned = &again;
    hw.ntuned = 1;
    found = inside_tuning_of(&hw, entry.operation, entry.type, n, 1);
    CHECK(found.fft_lanes == 2);
    found = inside_tuning_of(&hw, entry.operation, type ? "f32" : "c64", n, 1);
    CHECK(found.fft_lanes == 0);
    hw.ntuned = 0;
    shape.grid.nz = 0;
    CHECK(convk_tune(&hw, name, &shape, 20, &entry) == CONVK_ERR_SIZE);
    shape.grid.nz = (size_t)1 << 28;
    CHECK(convk_tune(&hw, name, &shape, 20, &entry) == CONVK_ERR_OVERFLOW);
    shape.grid.nz = 1;
    shape.grid.nx = 11;
    CHECK(convk_tune(&hw, name, &shape, 20, &entry) == CONVK_ERR_FFT_SIZE);
  }
  memset(&shape, 0, sizeof shape);
  shape.grid.nx = shape.grid.ny = 16;
  shape.grid.nz = 1;
  CHECK(convk_tune(&hw, "fft2d_f32", &shape, 20, &entry) == CONVK_ERR_OPTION);
  convk_close(&hw);
  end_case();
}

/* -------------------------------------------------------------------------------------------------- caches as they are -- */

/* A transform of some items; bytes of the result. */
static size_t caches_transform(convk *hw, int type, void *out) {
  enum { ROWS = 8, COLUMNS = 12, ITEMS = 37, VALUES = 2 * ROWS * COLUMNS * ITEMS };
  static double in[VALUES];
  size_t bytes = 0;
  const int status = (type ? convk_fft2d_plan_size_c64 : convk_fft2d_plan_size_c32)(hw, ROWS, COLUMNS, &bytes);
  void *plan = need(bytes);
  convk_batch2d batch;
  uint64_t rng = 3;
  size_t i;
  memset(&batch, 0, sizeof batch);
  batch.items = ITEMS;
  for (i = 0; i < VALUES; i++) put(type, in, i, random_unit(&rng));
  if (type)
    CHECK(!status && !convk_fft2d_prepare_c64(hw, ROWS, COLUMNS, (convk_fft2d_plan_c64 *)plan, bytes) &&
          !convk_fft2d_c64(hw, (convk_fft2d_plan_c64 *)plan, CONVK_FORWARD, &batch, in, (double *)out, NULL, 0));
  else
    CHECK(!status && !convk_fft2d_prepare_c32(hw, ROWS, COLUMNS, (convk_fft2d_plan_c32 *)plan, bytes) &&
          !convk_fft2d_c32(hw, (convk_fft2d_plan_c32 *)plan, CONVK_FORWARD, &batch, (const float *)(const void *)in,
                           (float *)out, NULL, 0));
  free(plan);
  return VALUES * types[type].size;
}

/* Made-up caches: defaults and tuner work, and no bit changes. */
static void caches_made_up(int type) {
  static const char *const tuned[] = {"stencil7", "sepconv3d", "gridpot", "gridpot_sum"};
  const size_t room = 100000;
  double *first = reals(room), *other = reals(room);
  size_t i, k, number, bytes;
  variant *v;
  for (number = 0; (v = next_variant(&number, 0)) != NULL;) {
    hook threads = hook_new(HOOK_REVERSED, 3, 1);
    void *want[4];
    if (v->device) continue;
    for (i = 0; i < COUNT_OF(tune_caches); i++) {
      convk hw = v->hw;
      if (suite.quick && i && (i + number) % 3) continue;
      hw.parallel.threads = 3;
      hw.parallel.run = i % 2 ? hook_run : NULL;
      hw.parallel.ctx = &threads;
      for (k = 0; k < COUNT_OF(want); k++) {
        tune_call c =
            k < 2 ? tune_call_of(TUNE_STENCIL, type, 90, 50, 40, k ? 9 : 1) : tune_call_of(TUNE_SEPCONV, type, 70, 30, 20, 7);
        if (k < 2) c.boundary[0] = c.boundary[1] = c.boundary[2] = CONVK_BOUNDARY_FIXED;
        else c.boundary[0] = c.boundary[1] = c.boundary[2] = k == 2 ? CONVK_BOUNDARY_PERIODIC : CONVK_BOUNDARY_GROW;
        tune_call_describe(&c);
        tune_caches_set(&hw, i);
        begin_case();
        if (!i) want[k] = tune_result(&hw, &c, &bytes);
        else tune_compare(&hw, &c, want[k], "made-up caches");
        end_case();
      }
      describe("points, triangles, transforms");
      tune_caches_set(&hw, i);
      begin_case();
      memset(i ? other : first, 0, room * sizeof *other);
      bytes = family_bits(type, &hw, i ? other : first);
      if (i && memcmp(first, other, bytes)) fail("other bits of points and triangles");
      memset((i ? other : first) + room / 2, 0, room / 2 * sizeof *other);
      bytes = caches_transform(&hw, type, (i ? other : first) + room / 2);
      if (i && memcmp(first + room / 2, other + room / 2, bytes)) fail("other bits of transforms");
      for (k = 0; k < COUNT_OF(tuned); k++) {
        convk_tune_shape shape;
        convk_tuned entry;
        char operation[32];
        memset(&shape, 0, sizeof shape);
        shape.grid.nx = k < 2 ? 40 : 300;
        shape.grid.ny = 20;
        shape.grid.nz = k < 2 ? 15 : 3;
        shape.steps = 5;
        snprintf(operation, sizeof operation, "%s_%s", tuned[k], types[type].name);
        CHECK(!convk_tune(&hw, operation, &shape, suite.quick ? 1 : 5, &entry) && entry.gain >= 1000);
      }
      end_case();
    }
    for (k = 0; k < COUNT_OF(want); k++) free(want[k]);
  }
  free(first);
  free(other);
}

/* Tasks in order, as if by three threads. */
static int tune_three(void *ctx, size_t ntasks, void (*task)(void *arg, size_t index), void *arg) {
  size_t i;
  (void)ctx;
  for (i = 0; i < ntasks; i++) task(arg, i);
  return 0;
}

/* Pairs: threads over walkers or over blocks, the same bits. */
static void tune_pairs(int type) {
  static const char *const names[2] = {"pair_energy_f32", "pair_energy_f64"};
  enum { N = 150, WALKERS = 4 };
  static double r[3 * N * WALKERS];
  convk_pair_result result[2][WALKERS];
  convk_pair_system system;
  convk_pair_walkers walkers;
  convk_tune_shape shape;
  convk_tuned entry;
  convk hw;
  size_t i, split, size[2];
  suite.operation = "tune";
  describe("pairs");
  begin_case();
  CHECK(!convk_open(&hw, NULL));
  hw.parallel.threads = 3;
  hw.parallel.run = tune_three;
  memset(&shape, 0, sizeof shape);
  shape.grid.nx = N;
  shape.grid.ny = WALKERS;
  CHECK(!convk_tune(&hw, names[type], &shape, 20, &entry));
  CHECK(!strcmp(entry.operation, "pair_energy") && entry.nx == N && entry.ny == WALKERS && entry.nz == 1 &&
        entry.choice[CONVK_TUNE_ROWS] <= 2 && entry.gain >= 1000);
  memset(&system, 0, sizeof system);
  memset(&walkers, 0, sizeof walkers);
  system.particles = N;
  system.potential = convk_pair_hfdb();
  system.trial.p5 = 120;
  system.trial.p0 = 0.5;
  walkers.walkers = WALKERS;
  for (i = 0; i < 3 * N * WALKERS; i++) {
    const double x = 25.0 * (double)((i * 2654435761u) % 1000003u) / 1000003.0;
    if (type) r[i] = x;
    else ((float *)(void *)r)[i] = (float)x;
  }
  hw.tuned = &entry;
  hw.ntuned = 1;
  for (split = 1; split <= 2; split++) {
    convk_pair_result *to = result[split - 1];
    entry.choice[CONVK_TUNE_ROWS] = (long)split;
    CHECK(!(type ? convk_pair_energy_work_size_f64(&hw, N, WALKERS, &size[split - 1])
                 : convk_pair_energy_work_size_f32(&hw, N, WALKERS, &size[split - 1])));
    CHECK(!(type ? convk_pair_energy_f64(&hw, &system, &walkers, 0, r, to, NULL, NULL, 0)
                 : convk_pair_energy_f32(&hw, &system, &walkers, 0, (const float *)(const void *)r, to, NULL, NULL, 0)));
  }
  CHECK(size[0] == size[1]); /* enough for either way */
  CHECK(!memcmp(result[0], result[1], sizeof result[0]));
  shape.grid.ny = 0;
  CHECK(convk_tune(&hw, names[type], &shape, 20, &entry) == CONVK_ERR_SIZE);
  shape.grid.ny = (size_t)1 << 28;
  CHECK(convk_tune(&hw, names[type], &shape, 20, &entry) == CONVK_ERR_OVERFLOW);
  convk_close(&hw);
  end_case();
}

/* ---------------------------------------------------------------------------------------------------- choices of devices -- */

/* Lines of a device have names and ranges of their own, and are for its handle only. */
static void tuned_read_devices(int type) {
  static const char *const hardware[2] = {"opencl", "cuda"};
  uint64_t rng = random_seed(suite.test);
  size_t k, p, round;
  (void)type;
  for (k = 0; k < 2; k++) {
    convk_tuned e = tune_plain("stencil7", "f64", 256, 128, 64, 24);
    convk hw;
    char text[TUNE_LINE_], other[TUNE_LINE_];
    strcpy(e.hw, hardware[k]);
    e.threads = 1;
    for (round = 0; round < 40; round++) {
      size_t length = 0;
      for (p = 0; p < CONVK_TUNE_COUNT; p++)
        e.choice[p] = tune_pick(&rng, tune_choices_there[p].least, tune_choices_there[p].most);
      describe("%s, round %lu", hardware[k], (unsigned long)round);
      begin_case();
      CHECK(!convk_tuned_write(NULL, &e, 1, text, sizeof text, &length));
      other[0] = 0;
      if (tune_add(&e, "\n", other) != length || strcmp(other, text)) fail("the text \"%s\"", text);
      tune_expect(text, length, NULL, 1, &e, 1, 0);
      end_case();
    }
    for (p = 0; p < 2 * CONVK_TUNE_COUNT; p++) { /* beyond its range */
      convk_tuned bad = e;
      const tune_choice *of = &tune_choices_there[p / 2];
      bad.choice[p / 2] = p % 2 ? of->most + 1 : of->least - 1;
      other[0] = 0;
      tune_add(&bad, "\n", other);
      describe("%s: %s=%ld", hardware[k], of->name, bad.choice[p / 2]);
      begin_case();
      tune_expect(other, strlen(other), NULL, 1, &bad, 0, 1);
      end_case();
    }
    describe("%s: the names of the other kind", hardware[k]);
    begin_case();
    memset(e.choice, 0, sizeof e.choice);
    {
      tune_line l = tune_line_of(&e);
      strcpy(l.word[TUNE_HW], "avx512"); /* a processor's line, with a device's names */
      other[0] = 0;
      tune_join(&l, "\n", other);
      tune_expect(other, strlen(other), NULL, 1, &e, 0, 1);
      strcpy(e.hw, "avx512");
      l = tune_line_of(&e);
      strcpy(l.word[TUNE_HW], hardware[k]);
      other[0] = 0;
      tune_join(&l, "\n", other);
      tune_expect(other, strlen(other), NULL, 1, &e, 0, 1);
      strcpy(e.hw, hardware[k]);
    }
    end_case();
    CHECK(!convk_open(&hw, "scalar"));
    describe("%s: for a processor, another device, and this one", hardware[k]);
    begin_case();
    strcpy(e.machine, "Some_device");
    other[0] = 0;
    tune_add(&e, "\n", other);
    strcpy(hw.machine, "Some_device");
    tune_expect(other, strlen(other), &hw, 1, &e, 0, 1);
    strcpy(hw.name, hardware[k]);
    hw.ours.inside.device = &hw; /* as the handle of a device has one */
    tune_expect(other, strlen(other), &hw, 1, &e, 1, 0);
    hw.parallel.threads = 7; /* which are not the device's */
    tune_expect(other, strlen(other), &hw, 1, &e, 1, 0);
    strcpy(hw.machine, "Some_other_device");
    tune_expect(other, strlen(other), &hw, 1, &e, 0, 1);
    hw.ours.inside.device = NULL;
    convk_close(&hw);
    end_case();
  }
}

/* A device that is made up: a processor whose stencil takes times of `cost`, as its own clock says, and fails where it is told. */
static struct {
  convk_stencil7_fn_f64 *stencil;
  double seconds, begun;
  double (*cost)(const long *choice);
  int (*fails)(const long *choice);
  int kind, still, copied, calls, clocks, same, spurious;
  long way;
} tune_device;

static int tune_device_clock(convk *hw, int ask, double *answer) {
  (void)hw;
  switch (ask) {
    case CONVK_CLOCK_KIND_: *answer = tune_device.kind; break;
    case CONVK_CLOCK_BEGIN_: tune_device.clocks++; break;
    case CONVK_CLOCK_WAY_: /* steps that the device does not have are what it has */
      *answer = (double)tune_device.way;
      tune_device.way = 0;
      break;
    case CONVK_CLOCK_STILL_: tune_device.still = 1; break;
    case CONVK_CLOCK_COPY_: tune_device.still = 0; break;
    case CONVK_CLOCK_LOOK_:
      *answer = tune_device.seconds;
      tune_device.seconds = 0;
      break;
    default: tune_device.clocks--;
  }
  return CONVK_OK;
}

static int tune_device_stencil(convk *hw, const convk_stencil7_shape *shape,
                               const convk_stencil7_coefficients_f64 *coefficients, size_t steps, double *a, double *b,
                               double **result, void *work, size_t work_size) {
  const size_t n[3] = {shape->grid.nx, shape->grid.ny, shape->grid.nz};
  long choice[CONVK_TUNE_COUNT];
  convk plain = *hw;
  int status;
  plain.ours.inside.device = NULL;
  plain.ntuned = 0;
  status = tune_device.stencil(&plain, shape, coefficients, steps, a, b, result, work, work_size);
  convk_tuned_choice_(hw, "stencil7", "f64", n, steps, choice);
  if (tune_device.same) { /* every choice is the default by another number, and seems to be faster */
    tune_device.way = 1;
    tune_device.spurious += tune_device.still && choice[CONVK_TUNE_STEPS];
  }
  tune_device.calls++;
  tune_device.copied += !tune_device.still;
  tune_device.seconds += tune_device.cost(choice);
  tune_time.now += 0.001;
  if (!status && choice[CONVK_TUNE_TILE_Y] == 8) (*result)[3] += 1; /* spoils a bit */
  return tune_device.fails && tune_device.fails(choice) ? CONVK_ERR_BUILD : status;
}

static double cost_there_flat(const long *c) {
  (void)c;
  return 0.01;
}
static double cost_there_two(const long *c) {
  return 0.01 * (c[CONVK_TUNE_STEPS] == 4 ? 0.5 : 1) * (c[CONVK_TUNE_CHUNK] == 16 ? 0.8 : 1) *
         (c[CONVK_TUNE_TILE_Y] == 8 ? 0.1 : 1);
}
static double cost_there_little(const long *c) { return c[CONVK_TUNE_STEPS] == 4 ? 0.0098 : 0.01; }
static int fails_there_wide(const long *c) { return c[CONVK_TUNE_TILE_X] != 0; }
static int fails_there_best(const long *c) { return c[CONVK_TUNE_STEPS] == 4; }
static int fails_there_all(const long *c) {
  (void)c;
  return 1;
}

/* It finds what is faster by the device's own clock; what a device refuses is left out and counted; no other bits are taken. */
static void tune_search_there(int type) {
  static const struct {
    const char *what;
    double (*cost)(const long *choice);
    int (*fails)(const long *choice);
    long steps, chunk, gain;
    int status, refused;
  } cases[] = {{"flat", cost_there_flat, NULL, 0, 0, 1000, CONVK_OK, 0},
               {"two, and one that is wrong", cost_there_two, NULL, 4, 16, 2500, CONVK_OK, 0},
               {"two percent", cost_there_little, NULL, 0, 0, 1000, CONVK_OK, 0},
               {"wide tiles fail", cost_there_two, fails_there_wide, 4, 16, 2500, CONVK_OK, 1},
               {"the best one fails", cost_there_two, fails_there_best, 0, 16, 1250, CONVK_OK, 1},
               {"all fail", cost_there_two, fails_there_all, 0, 0, 0, CONVK_ERR_BUILD, 0},
               {"all the same", cost_there_two, NULL, 0, 0, 1000, CONVK_OK, 0}};
  static const int kinds[3] = {CONVK_TUNE_ON_CPU_, CONVK_TUNE_ON_GPU_, CONVK_TUNE_ON_CUDA_};
  size_t i, k;
  (void)type;
  suite.operation = "tune";
  for (i = 0; i < COUNT_OF(cases); i++)
    for (k = 0; k < 3; k++) {
      const tune_call c = tune_call_of(TUNE_STENCIL, 1, 24, 20, 18, 12);
      const convk_tune_shape shape = tune_shape_of(&c);
      convk hw, before;
      convk_tuned e;
      int status;
      if (convk_open(&hw, NULL) || !hw.ours.inside.f64.stencil7) continue;
      strcpy(hw.name, "opencl");
      strcpy(hw.machine, "Made_up");
      memset(&tune_device, 0, sizeof tune_device);
      tune_device.stencil = hw.ours.inside.f64.stencil7;
      tune_device.cost = cases[i].cost;
      tune_device.fails = cases[i].fails;
      tune_device.kind = kinds[k];
      tune_device.same = i + 1 == COUNT_OF(cases);
      hw.ours.inside.f64.stencil7 = tune_device_stencil;
      hw.ours.inside.device = &tune_device;
      hw.ours.inside.clock = tune_device_clock;
      memcpy(&before, &hw, sizeof hw);
      memset(&e, FILL_, sizeof e);
      tune_time_set(1, 0);
      describe("a device of kind %d: %s", kinds[k], cases[i].what);
      begin_case();
      status = convk_tune(&hw, "stencil7_f64", &shape, 1e5, &e);
      tune_time_set(0, 0);
      if (status != cases[i].status) fail("status %d", status);
      memcpy(hw.message, before.message, sizeof hw.message);
      if (memcmp(&hw, &before, sizeof hw)) fail("the handle was changed");
      if (tune_device.clocks || tune_device.still) fail("the clock was left going");
      if (status) {
        if (!all_fill((unsigned char *)&e, (unsigned char *)(&e + 1))) fail("the entry was written");
      } else {
        if (e.choice[CONVK_TUNE_STEPS] != cases[i].steps || e.choice[CONVK_TUNE_CHUNK] != cases[i].chunk)
          fail("steps %ld, chunk %ld", e.choice[CONVK_TUNE_STEPS], e.choice[CONVK_TUNE_CHUNK]);
        if (labs(e.gain - cases[i].gain) > 1) fail("a gain of %ld, not %ld", e.gain, cases[i].gain);
        if (tune_device.spurious) fail("what runs the same was measured");
        if ((tune_device.same ? e.tried != 0 : e.tried < 8) || !e.refused != !cases[i].refused || e.refused > e.tried)
          fail("%d tried, %d refused", e.tried, e.refused);
        if (strcmp(e.hw, "opencl") || strcmp(e.machine, "Made_up") || e.threads != 1) fail("of another device");
        if (!tune_device.same && 2 * tune_device.copied > tune_device.calls)
          fail("%d of %d calls copied", tune_device.copied, tune_device.calls);
      }
      end_case();
      CHECK(convk_tune(&hw, "pair_energy_f64", &shape, 1, &e) == CONVK_ERR_UNSUPPORTED && strstr(hw.message, "pair_energy"));
      hw.ours.inside.device = NULL;
      convk_close(&hw);
    }
}

/* Entries of all operations for what tune_bits does. */
static size_t tune_entries_there(convk *hw, int type, const long *choice, convk_tuned *e) {
  static const struct {
    const char *operation;
    size_t n[3], length;
  } of[] = {{"gridpot", {700, 9, 1}, 1},     {"gridpot_sum", {700, 9, 3}, 1},    {"orbitals", {700, 9, 3}, 1},
            {"formfactor", {70, 100, 1}, 1}, {"formfactor_grid", {7, 11, 5}, 1}, {"fft2d", {12, 8, 37}, 1},
            {"stencil7", {40, 33, 20}, 5},   {"sepconv3d", {40, 33, 20}, 16}};
  size_t i;
  for (i = 0; i < COUNT_OF(of); i++) {
    e[i] = tune_plain(of[i].operation, types[type].name, of[i].n[0], of[i].n[1], of[i].n[2], of[i].length);
    if (!strcmp(of[i].operation, "fft2d")) strcpy(e[i].type, type ? "c64" : "c32");
    strcpy(e[i].hw, hw->name);
    memcpy(e[i].machine, hw->machine, sizeof e[i].machine);
    e[i].threads = 1;
    memcpy(e[i].choice, choice, sizeof e[i].choice);
  }
  return COUNT_OF(of);
}

/* Results of all operations that devices are tuned for, on a handle; which: of tune_call_of, or of all others. */
static size_t tune_bits(convk *hw, int type, int which, void *out) {
  if (which < 2) {
    const tune_call c = tune_call_of(which, type, 40, 33, 20, which == TUNE_STENCIL ? 5 : 16);
    size_t bytes = 0;
    void *got = tune_result(hw, &c, &bytes);
    if (got) memcpy(out, got, bytes);
    free(got);
    return bytes;
  }
  return which == 2 ? family_bits(type, hw, out) : caches_transform(hw, type, out);
}

/* On every device that there is: no choice changes a bit, whatever it asks for, and convk_tune makes entries that do. */
static void tune_devices(int type) {
  static const long choices[][CONVK_TUNE_COUNT] = {{1, 1, 1, 1, 1, 1},
                                                   {65536, 65536, 16, 1048576, 4096, 4096},
                                                   {24, 9, 3, 5, 100, 7},
                                                   {128, 16, 2, 32, 64, 8},
                                                   {4, 2, 4, 16, 256, 4}};
  static const char *const names[] = {"stencil7", "sepconv3d", "gridpot_sum", "orbitals", "formfactor", "fft2d"};
  const size_t room = 100000;
  double *first = reals(room), *other = reals(room);
  convk_tuned entries[8];
  size_t number, i, k, bytes;
  variant *v;
  int which;
  for (number = 0; (v = next_variant(&number, 0)) != NULL;) {
    convk hw = v->hw;
    if (!v->device) continue;
    for (which = 0; which < 4; which++) {
      memset(first, 0, room * sizeof *first);
      hw.ntuned = 0;
      bytes = tune_bits(&hw, type, which, first);
      for (i = 0; i < COUNT_OF(choices); i++) {
        if (suite.quick && (i + (size_t)which) % 2) continue;
        hw.tuned = entries;
        hw.ntuned = tune_entries_there(&hw, type, choices[i], entries);
        memset(other, 0, room * sizeof *other);
        describe("operations %d, tile_x=%ld", which, choices[i][0]);
        begin_case();
        if (tune_bits(&hw, type, which, other) != bytes || memcmp(first, other, bytes)) fail("other bits");
        end_case();
      }
    }
    for (k = 0; k < COUNT_OF(names); k++) {
      const double begin = test_seconds(), budget = 2000;
      convk_tune_shape shape;
      convk_tuned e, again;
      char name[32], text[TUNE_LINE_];
      size_t length, count = 0;
      if (suite.quick && k % 3 != (size_t)type) continue;
      hw = v->hw;
      memset(&shape, 0, sizeof shape);
      shape.grid.nx = k == 4 ? 100 : 32;
      shape.grid.ny = k == 5 ? 32 : 20;
      shape.grid.nz = 9;
      shape.steps = 3;
      snprintf(name, sizeof name, "%s_%s", names[k], k == 5 ? type ? "c64" : "c32" : types[type].name);
      describe("%s is tuned", name);
      begin_case();
      CHECK(!convk_tune(&hw, name, &shape, budget, &e) && !hw.message[0]);
      CHECK(!strcmp(e.hw, hw.name) && !strcmp(e.machine, hw.machine) && e.threads == 1 && e.gain >= 1000);
      CHECK(e.tried >= e.refused && e.refused >= 0);
      CHECK(!convk_tuned_write(&hw, &e, 1, text, sizeof text, &length));
      CHECK(!convk_tuned_read(&hw, text, length, &again, 1, &count, NULL) && count == 1);
      CHECK(!memcmp(e.choice, again.choice, sizeof e.choice));
      if (test_seconds() - begin > 60) fail("%g s", test_seconds() - begin); /* what builds may take on a busy machine */
      end_case();
    }
  }
  free(first);
  free(other);
}

/* ---- sums of filters and wavelets ---- */

/* How many tasks a call asked for. */
typedef struct tune_tasks {
  size_t most;
} tune_tasks;
static int tune_count_tasks(void *ctx, size_t ntasks, void (*task)(void *arg, size_t index), void *arg) {
  tune_tasks *const seen = (tune_tasks *)ctx;
  size_t i;
  if (ntasks > seen->most) seen->most = ntasks;
  for (i = 0; i < ntasks; i++) task(arg, i);
  return 0;
}

/* A call of operation k, or where out is NULL the bytes of its work. */
static const char *const tune_filtered[] = {"sumconv3d", "sumconv3d", "dwt3d", "idwt3d"};
#define TUNE_FILTERED(TYPE, COMPLEX, T) \
  static int tune_filtered_##TYPE(convk *hw, int k, const convk_grid3 *g, const void *in, void *out, void *work, \
                                  size_t *bytes) { \
    static const T taps[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9}; \
    const convk_wavelet_##TYPE wavelet = convk_wavelet_taps_##TYPE(CONVK_WAVELET_DAUBECHIES16); \
    convk_sumconv3d_shape sum; \
    convk_sumconv_terms_##TYPE terms; \
    convk_dwt3d_shape dwt; \
    int d; \
    memset(&sum, 0, sizeof sum); \
    memset(&terms, 0, sizeof terms); \
    memset(&dwt, 0, sizeof dwt); \
    sum.in = dwt.fine = *g; \
    for (d = 0; d < 3; d++) { \
      terms.filter[d].lo = -4; \
      terms.filter[d].up = 4; \
      terms.filter[d].taps = taps; \
    } \
    if (!out && k == 0) return convk_sumconv3d_work_size_##TYPE(hw, &sum, &terms, bytes); \
    if (!out && k == 1) return convk_sumconv3d_work_size_##COMPLEX(hw, &sum, &terms, bytes); \
    if (!out && k == 2) return convk_dwt3d_work_size_##TYPE(hw, &dwt, &wavelet, bytes); \
    if (!out) return convk_idwt3d_work_size_##TYPE(hw, &dwt, &wavelet, bytes); \
    if (k == 0) return convk_sumconv3d_##TYPE(hw, &sum, &terms, (const T *)in, (T *)out, NULL, work, *bytes); \
    if (k == 1) return convk_sumconv3d_##COMPLEX(hw, &sum, &terms, (const T *)in, (T *)out, NULL, work, *bytes); \
    if (k == 2) return convk_dwt3d_##TYPE(hw, &dwt, &wavelet, (const T *)in, (T *)out, work, *bytes); \
    return convk_idwt3d_##TYPE(hw, &dwt, &wavelet, (const T *)in, (T *)out, work, *bytes); \
  }
TUNE_FILTERED(f32, c32, float)
TUNE_FILTERED(f64, c64, double)

/* An entry does what the same by hand does: tasks, and work that is enough for what is smaller; no bit changes. */
static void tuned_filters(int type) {
  static const size_t rows[] = {8, 16, 5, 1u << 20};
  int (*const call)(convk *, int, const convk_grid3 *, const void *, void *, void *, size_t *) =
      type ? tune_filtered_f64 : tune_filtered_f32;
  const convk_grid3 g = {24, 40, 12, 0, 0}, less = {20, 30, 8, 0, 0};
  const size_t size = types[type].size, n = 2 * g.nx * g.ny * g.nz;
  void *const in = need(n * size), *const out[4] = {need(n * size), need(n * size), need(n * size), need(n * size)};
  variant *v = tune_best_variant();
  uint64_t rng = 3;
  size_t i, r, other;
  int k;
  for (i = 0; i < n; i++) put(type, in, i, random_unit(&rng));
  for (k = 0; k < 4 && v; k++)
    for (r = 0; r < COUNT_OF(rows); r++) {
      convk hw = v->hw;
      tune_tasks seen = {0};
      convk_tuned e[2];
      size_t bytes[3] = {0, 0, 0}, most, tasks[3], none = 0;
      void *work;
      hw.parallel.threads = 3;
      hw.parallel.run = tune_count_tasks;
      hw.parallel.ctx = &seen;
      e[0] = tune_plain(tune_filtered[k], k == 1 ? type ? "c64" : "c32" : types[type].name, g.nx, g.ny, g.nz, k < 2 ? 9 : 16);
      strcpy(e[0].hw, hw.name);
      memcpy(e[0].machine, hw.machine, sizeof e[0].machine);
      e[0].threads = 3;
      e[0].choice[CONVK_TUNE_ROWS] = (long)rows[r];
      e[0].choice[CONVK_TUNE_NONTEMPORAL] = r % 2 ? 1 : -1;
      e[1] = e[0];
      e[1].nx = e[1].ny = e[1].nz = 1000; /* of no call here, but of its work */
      e[1].choice[CONVK_TUNE_ROWS] = 32;
      describe("%s %s, rows=%lu", tune_filtered[k], types[type].name, (unsigned long)rows[r]);
      begin_case();
      for (i = 0; i < 3; i++) { /* the defaults, by hand, by an entry */
        hw.tuning.sepconv_rows = i == 1 ? rows[r] : 0;
        hw.tuning.nontemporal = i == 1 ? (int)e[0].choice[CONVK_TUNE_NONTEMPORAL] : 0;
        hw.tuned = e;
        hw.ntuned = i == 2 ? 2 : 0;
        want_status(call(&hw, k, &g, in, NULL, NULL, &bytes[i]), CONVK_OK);
        work = need(bytes[i]);
        seen.most = 0;
        want_status(call(&hw, k, &g, in, out[i], work, &bytes[i]), CONVK_OK);
        tasks[i] = seen.most;
        if (memcmp(out[0], out[i], (k == 1 ? n : n / 2) * size)) fail("other bits");
        want_status(call(&hw, k, &less, in, out[3], work, &bytes[i]), CONVK_OK);
        free(work);
      }
      hw.tuning.sepconv_rows = 32;
      hw.ntuned = 0;
      want_status(call(&hw, k, &g, in, NULL, NULL, &other), CONVK_OK);
      most = bytes[0] > bytes[1] ? bytes[0] : bytes[1];
      if (other > most) most = other;
      if (bytes[2] != most) fail("%lu bytes of work, not %lu", (unsigned long)bytes[2], (unsigned long)most);
      if (tasks[2] != tasks[1]) fail("%lu tasks, not %lu", (unsigned long)tasks[2], (unsigned long)tasks[1]);
      if (rows[r] < 32 && tasks[1] < 2) fail("rows by hand make %lu tasks", (unsigned long)tasks[1]);
      hw.tuning.sepconv_rows = 0;
      hw.ntuned = 2;
      strcpy(e[0].type, "f16"); /* for nothing */
      want_status(call(&hw, k, &g, in, NULL, NULL, &none), CONVK_OK);
      if (none > most) fail("entries of others count");
      end_case();
    }
  free(in), free(out[0]), free(out[1]), free(out[2]), free(out[3]);
}

/* convk_tune makes such entries. */
static void tune_filters_tuned(int type) {
  static const char *const names[] = {"sumconv3d", "sumconv3d", "dwt3d", "idwt3d"};
  static const int taps[] = {9, 9, 16, 16};
  size_t k;
  convk hw;
  suite.operation = "tune";
  describe("sums of filters and wavelets");
  begin_case();
  CHECK(!convk_open(&hw, NULL));
  for (k = 0; k < COUNT_OF(names); k++) {
    convk_tune_shape shape;
    convk_tuned entry;
    char operation[32];
    memset(&shape, 0, sizeof shape);
    shape.grid.nx = 24;
    shape.grid.ny = 20;
    shape.grid.nz = 16;
    snprintf(operation, sizeof operation, "%s_%s", names[k], k == 1 ? type ? "c64" : "c32" : type ? "f64" : "f32");
    CHECK(!convk_tune(&hw, operation, &shape, 30, &entry));
    CHECK(!strcmp(entry.operation, names[k]) && entry.gain >= 1000 && entry.nx == 24 && entry.ny == 20 && entry.nz == 16);
    CHECK(entry.length == (size_t)taps[k] && !strcmp(entry.type, strrchr(operation, '_') + 1));
    shape.boundary[0] = shape.boundary[1] = CONVK_BOUNDARY_SHRINK;
    shape.grid.nx = 38;
    shape.grid.ny = 38;
    CHECK(!convk_tune(&hw, operation, &shape, 10, &entry) && entry.nx == 38);
    shape.taps = 65;
    CHECK(convk_tune(&hw, operation, &shape, 10, &entry) == CONVK_ERR_TAPS);
    shape.taps = 0;
    shape.grid.nx = 7;
    CHECK(convk_tune(&hw, operation, &shape, 10, &entry) == (k < 2 ? CONVK_ERR_SHRINK : CONVK_ERR_ODD) ||
          convk_tune(&hw, operation, &shape, 10, &entry) == CONVK_ERR_SHRINK);
    shape.grid.nx = 0;
    CHECK(convk_tune(&hw, operation, &shape, 10, &entry) == CONVK_ERR_SIZE);
  }
  convk_close(&hw);
  end_case();
}

static const test tune_tests[] = {
    {"tuned_write", "round_trip", tuned_round_trip, 0},
    {"tuned_write", "sizes", tuned_write_sizes, 0},
    {"tuned_read", "bytes", tuned_read_bytes, 0},
    {"tuned_read", "words", tuned_read_words, 0},
    {"tuned_read", "cut", tuned_read_cut, 0},
    {"tuned_read", "lines", tuned_read_lines, 0},
    {"tuned_read", "long", tuned_read_long, 0},
    {"tuned_read", "zeros", tuned_read_zeros, 0},
    {"tuned_read", "twice", tuned_read_twice, 0},
    {"tuned_read", "many", tuned_read_many, 0},
    {"tuned_read", "foreign", tuned_read_foreign, 0},
    {"tuned_read", "devices", tuned_read_devices, 0},
    {"tuned_read", "errors", tuned_read_errors, 0},
    {"tuned", "nearest", tuned_nearest, 1},
    {"tuned", "keys", tuned_keys, 1},
    {"tuned", "by_hand", tuned_by_hand, 1},
    {"tuned", "calls", tuned_calls, 1},
    {"tuned", "box", tuned_box, 1},
    {"tuned", "damaged", tuned_damaged, 1},
    {"tune", "results", tune_results, 1},
    {"tune", "budget", tune_budget, 1},
    {"tune", "transforms", tune_transforms, 1},
    {"tune", "pairs", tune_pairs, 1},
    {"tune", "search", tune_search, 0},
    {"tune", "search_there", tune_search_there, 0},
    {"tune", "devices", tune_devices, 1},
    {"tune", "errors", tune_errors, 1},
    {"tune", "memory", tune_memory, 1},
    {"tune", "families", tune_families, 1},
    {"tune", "filters", tune_filters_tuned, 1},
    {"tuned", "filters", tuned_filters, 1},
    {"tuned", "corrected", tune_caches_corrected, 0},
    {"tuned", "caches", caches_made_up, 1},
};
TEST_LIST(tune)
