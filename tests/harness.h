/* SPDX-License-Identifier: MIT
   The test harness: options, counters, random numbers, guarded memory, an allocator that can fail, thread hooks, a handler
   that names the case in which a signal came, and the table of errors.  Common subset of C99 and C++11. */

#ifndef CONVK_TESTS_HARNESS_H
#define CONVK_TESTS_HARNESS_H

#include <errno.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

double test_seconds(void);

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

/* ------------------------------------------------------------------------------------------------- options, counters -- */

/* How much is run of tests that have types, for one of the two and for the other. */
enum { LEVEL_BRIEF, LEVEL_QUICK, LEVEL_USUAL, LEVEL_LONG }; /* quick, none; quick, quick; long, quick; long, long */
/* Of so many cases one is run: quick, usually, and of all of them with --long. */
#define ONE_OF(quick_, usual) (suite.quick ? (quick_) : suite.level == LEVEL_LONG ? 1 : (usual))

typedef struct harness {
  const char *filter, *skip, *hw, *require;
  uint64_t seed;
  int level, other, quick, full; /* other: type; full: every float of the elementary functions */
  const char *only;              /* the one type whose tests run, or NULL */
  unsigned turn;                 /* of loops over variants */
  unsigned long passed, failed, skipped, printed;
  /* the case at hand, for messages and the signal handler */
  const char *test, *operation, *type, *variant;
  const char *(*schedule)(void); /* of its threads, where a failure may depend on it */
  char text[640];
  int bad; /* failures within the case */
} harness;

/* What is one for all units of a program stands in test.c. */
extern harness suite;

enum { HARNESS_PRINT_ = 60 }; /* failures told in full */

static inline void say_now(FILE *to) {
  fprintf(to, "%s %s %s [%s]: %s", suite.operation ? suite.operation : "-", suite.type ? suite.type : "-",
          suite.variant ? suite.variant : "-", suite.test ? suite.test : "-", suite.text);
  if (suite.variant && suite.schedule) fprintf(to, " (CONVK_EMULATOR_SCHEDULE=%s)", suite.schedule());
}

#if defined __GNUC__ || defined __clang__
#define PRINTF_LIKE(at, first) __attribute__((format(printf, at, first)))
#else
#define PRINTF_LIKE(at, first)
#endif

static inline void describe(const char *format, ...) PRINTF_LIKE(1, 2);
static inline void describe(const char *format, ...) {
  va_list list;
  va_start(list, format);
  vsnprintf(suite.text, sizeof suite.text, format, list);
  va_end(list);
}
static inline void describe_more(const char *format, ...) PRINTF_LIKE(1, 2);
static inline void describe_more(const char *format, ...) {
  const size_t used = strlen(suite.text);
  va_list list;
  va_start(list, format);
  vsnprintf(suite.text + used, sizeof suite.text - used, format, list);
  va_end(list);
}

/* One case is one count, however many things in it are wrong. */
static inline void begin_case(void) { suite.bad = 0; }

static inline void fail(const char *format, ...) PRINTF_LIKE(1, 2);
static inline void fail(const char *format, ...) {
  va_list list;
  if (suite.bad++) return;
  if (suite.printed++ >= HARNESS_PRINT_) return;
  printf("FAIL ");
  say_now(stdout);
  printf("\n     ");
  va_start(list, format);
  vprintf(format, list);
  va_end(list);
  printf("\n");
}

static inline void end_case(void) {
  if (suite.bad) suite.failed++;
  else suite.passed++;
}

/* A case of one condition. */
#define CHECK(condition) \
  do { \
    begin_case(); \
    if (!(condition)) fail("%s", #condition); \
    end_case(); \
  } while (0)

/* Whether `word` is one of the words of a list "a,b,c". */
static inline int listed(const char *list, const char *word) {
  const size_t length = strlen(word);
  while (list && *list) {
    const char *end = strchr(list, ',');
    const size_t n = end ? (size_t)(end - list) : strlen(list);
    if (n == length && !strncmp(list, word, n)) return 1;
    list = end ? end + 1 : NULL;
  }
  return 0;
}

/* Does the program's library have the type?  With --type it may lack the other. */
static inline int has_type(int type) { return !suite.only || !strcmp(suite.only, type ? "f64" : "f32"); }

static inline int harness_options(int argc, char **argv) {
  int i;
  memset(&suite, 0, sizeof suite);
  suite.seed = 20240607;
  suite.require = getenv("CONVK_REQUIRE");
  suite.level = LEVEL_USUAL;
  for (i = 1; i < argc; i++) {
    if (!strcmp(argv[i], "--brief")) suite.level = LEVEL_BRIEF;
    else if (!strcmp(argv[i], "--quick")) suite.level = LEVEL_QUICK;
    else if (!strcmp(argv[i], "--other")) suite.other = 1;
    else if (!strcmp(argv[i], "--long")) suite.level = LEVEL_LONG;
    else if (!strcmp(argv[i], "--full")) suite.full = 1;
    else if (!strcmp(argv[i], "--filter") && i + 1 < argc) suite.filter = argv[++i];
    else if (!strcmp(argv[i], "--skip") && i + 1 < argc) suite.skip = argv[++i];
    else if (!strcmp(argv[i], "--hw") && i + 1 < argc) suite.hw = argv[++i];
    else if (!strcmp(argv[i], "--type") && i + 1 < argc) suite.only = argv[++i];
    else if (!strcmp(argv[i], "--seed") && i + 1 < argc) suite.seed = strtoull(argv[++i], NULL, 0);
    else {
      fprintf(stderr,
              "usage: %s [--filter TEXT,...] [--skip TEXT,...] [--hw NAME,...] [--type TYPE] [--seed N] [--brief] [--other] "
              "[--quick] [--long] "
              "[--full]\n",
              argv[0]);
      return 0;
    }
  }
  suite.quick = suite.level <= LEVEL_QUICK;
  return 1;
}

/* ----------------------------------------------------------------------------------------------------- random numbers -- */

/* splitmix64 */
static inline uint64_t random64(uint64_t *state) {
  uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}
static inline size_t random_below(uint64_t *state, size_t n) { return (size_t)(random64(state) % n); }
static inline int random_int(uint64_t *state, int low, int high) {
  return low + (int)random_below(state, (size_t)(high - low) + 1);
}
static inline double random_unit(uint64_t *state) { /* in [-1, 1] */
  return (double)(random64(state) >> 11) * (2.0 / 9007199254740992.0) - 1.0;
}
/* A seed for a test that no other test's draws can move. */
static inline uint64_t random_seed(const char *name) {
  uint64_t s = suite.seed;
  while (*name) s = (s ^ (uint64_t)(unsigned char)*name++) * UINT64_C(0x100000001b3);
  return s;
}

/* ------------------------------------------------------------------------------------------------------ guarded memory -- */

/* Bytes of 0xff: NaN in every floating-point type, and no pointer or size that could pass for a good one. */
enum { FILL_ = 0xff };

static inline size_t page_size(void) {
  static size_t size;
  if (!size) size = (size_t)sysconf(_SC_PAGESIZE);
  return size;
}

/* Pages between two that fault.  data lies flush against one of these, or `shift` bytes away from it; the rest is filled. */
typedef struct guard {
  unsigned char *map, *low, *high, *data;
  size_t map_bytes, bytes;
} guard;

enum { AT_END = 0, AT_START = 1 };

static inline guard guard_new(size_t bytes, int side, size_t shift) {
  const size_t page = page_size(), usable = (bytes + shift + page - 1) / page * page + (bytes + shift ? 0 : page);
  guard g;
  g.map_bytes = usable + 2 * page;
  g.bytes = bytes;
  g.map = (unsigned char *)mmap(NULL, g.map_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (g.map == (unsigned char *)MAP_FAILED || mprotect(g.map + page, usable, PROT_READ | PROT_WRITE)) {
    fprintf(stderr, "no memory for a guarded array of %lu bytes\n", (unsigned long)bytes);
    exit(2);
  }
  g.low = g.map + page;
  g.high = g.low + usable;
  g.data = side == AT_START ? g.low + shift : g.high - shift - bytes;
  memset(g.low, FILL_, usable);
  return g;
}

static inline int all_fill(const unsigned char *p, const unsigned char *end) {
  for (; p < end && ((uintptr_t)p & 7); p++)
    if (*p != FILL_) return 0;
  for (; p + 8 <= end; p += 8) {
    uint64_t word;
    memcpy(&word, p, 8);
    if (~word) return 0;
  }
  for (; p < end; p++)
    if (*p != FILL_) return 0;
  return 1;
}

static inline int guard_intact(const guard *g) { return all_fill(g->low, g->data) && all_fill(g->data + g->bytes, g->high); }

static inline void guard_free(guard *g) {
  munmap(g->map, g->map_bytes);
  memset(g, 0, sizeof *g);
}

/* ------------------------------------------------------------------------------- the allocator the library is given -- */

typedef struct allocator {
  pthread_mutex_t lock;
  long live, total;
  long until_failure; /* allocations that still succeed; -1: all */
  int damaged;
} allocator;

extern allocator heap;

/* The control bits of MXCSR: rounding, flush to zero, denormals are zero, masks.  The exception flags may change. */
#if (defined __x86_64__ || defined __SSE__) && (defined __GNUC__ || defined __clang__) && !defined __CUDACC__
static inline unsigned float_control(void) {
  unsigned csr;
  __asm__ volatile("stmxcsr %0" : "=m"(csr));
  return csr & ~0x3fu;
}
static inline void float_control_set(unsigned csr) { __asm__ volatile("ldmxcsr %0" : : "m"(csr)); }
#else
static inline unsigned float_control(void) { return 0; }
static inline void float_control_set(unsigned csr) { (void)csr; }
#endif

/* -------------------------------------------------------------------------------------------------------- thread hooks -- */

enum { HOOK_NONE, HOOK_REVERSED, HOOK_SHUFFLED, HOOK_THREADS, HOOK_FAILS, HOOK_KINDS };
static const char *const hook_names[HOOK_KINDS] = {"none", "reversed", "shuffled", "threads", "fails"};

typedef struct hook {
  int kind, threads, changed; /* changed: a task left a thread's MXCSR otherwise */
  unsigned control;           /* of threads of its own, 0: as they are made */
  uint64_t random;
  size_t calls, most; /* how often it ran, and the largest number of tasks */
  pthread_mutex_t lock;
  size_t next, ntasks;
  void (*task)(void *arg, size_t index);
  void *arg;
} hook;

static inline hook hook_new(int kind, int threads, uint64_t seed) {
  hook k;
  memset(&k, 0, sizeof k);
  k.kind = kind;
  k.threads = threads;
  k.random = seed;
  pthread_mutex_init(&k.lock, NULL);
  return k;
}

static inline void *hook_worker(void *pointer) {
  hook *k = (hook *)pointer;
  for (;;) {
    const unsigned control = float_control();
    size_t i;
    pthread_mutex_lock(&k->lock);
    i = k->next++;
    pthread_mutex_unlock(&k->lock);
    if (i >= k->ntasks) return NULL;
    k->task(k->arg, i);
    if (float_control() != control) {
      pthread_mutex_lock(&k->lock);
      k->changed = 1;
      pthread_mutex_unlock(&k->lock);
    }
  }
}

static inline void *hook_thread(void *pointer) {
  const hook *k = (const hook *)pointer;
  if (k->control) float_control_set(k->control);
  return hook_worker(pointer);
}

static inline int hook_run(void *ctx, size_t ntasks, void (*task)(void *arg, size_t index), void *arg) {
  hook *k = (hook *)ctx;
  size_t i;
  k->calls++;
  if (ntasks > k->most) k->most = ntasks;
  if (k->kind == HOOK_FAILS) return 1;
  if (k->kind == HOOK_THREADS) {
    pthread_t threads[16];
    size_t n = (size_t)k->threads < COUNT_OF(threads) ? (size_t)k->threads : COUNT_OF(threads), started = 0;
    k->next = 0;
    k->ntasks = ntasks;
    k->task = task;
    k->arg = arg;
    while (started + 1 < n && !pthread_create(&threads[started], NULL, hook_thread, k)) started++;
    hook_worker(k);
    for (i = 0; i < started; i++) pthread_join(threads[i], NULL);
    if (k->changed) fail("a task changed MXCSR");
  } else if (k->kind == HOOK_SHUFFLED) {
    size_t *order = (size_t *)malloc(ntasks * sizeof *order);
    if (!order) return 1;
    for (i = 0; i < ntasks; i++) {
      const size_t j = random_below(&k->random, i + 1);
      order[i] = order[j];
      order[j] = i;
    }
    for (i = 0; i < ntasks; i++) task(arg, order[i]);
    free(order);
  } else {
    for (i = ntasks; i-- > 0;) task(arg, i);
  }
  return 0;
}

/* ------------------------------------------------------------------------------------- what a call must leave as it was -- */

/* Whether the upper halves of vector registers are in use: -1 when this machine cannot tell. */
#if defined __x86_64__ && (defined __GNUC__ || defined __clang__) && !defined __CUDACC__
static inline int upper_in_use(void) {
  unsigned a, b, c, d, low, high;
  __asm__ volatile("cpuid" : "=a"(a), "=b"(b), "=c"(c), "=d"(d) : "0"(0), "2"(0));
  if (a < 13) return -1;
  __asm__ volatile("cpuid" : "=a"(a), "=b"(b), "=c"(c), "=d"(d) : "0"(1), "2"(0));
  if (!(c >> 27 & 1)) return -1;
  __asm__ volatile("cpuid" : "=a"(a), "=b"(b), "=c"(c), "=d"(d) : "0"(13), "2"(1));
  if (!(a >> 2 & 1)) return -1;
  __asm__ volatile(".byte 0x0f, 0x01, 0xd0" : "=a"(low), "=d"(high) : "c"(1));
  return (low & 0x44) != 0; /* YMM, and the upper halves of ZMM0 to ZMM15 */
}
#else
static inline int upper_in_use(void) { return -1; }
#endif

typedef struct surroundings {
  unsigned control;
  int error;
} surroundings;

enum { ERRNO_MARK_ = 7777 };

static inline surroundings before_call(void) {
  surroundings s;
  s.control = float_control();
  s.error = errno;
  errno = ERRNO_MARK_;
  return s;
}
/* Drivers of devices may set errno; the library itself may not. */
static inline void after_call(surroundings s, int device) {
  if (errno != ERRNO_MARK_ && !device) fail("errno became %d", errno);
  if (float_control() != s.control) fail("MXCSR changed from %#x to %#x", s.control, float_control());
  errno = s.error;
}

/* -------------------------------------------------------------------------------------------------------- signals -- */

static inline const char *signal_name(int number) {
  switch (number) {
    case SIGSEGV: return "SIGSEGV";
    case SIGBUS: return "SIGBUS";
    case SIGILL: return "SIGILL";
    case SIGFPE: return "SIGFPE";
    case SIGABRT: return "SIGABRT";
    default: return "signal";
  }
}

static inline void on_signal(int number, siginfo_t *info, void *context) {
  (void)context;
  printf("FAIL ");
  say_now(stdout);
  printf("\n     %s at address %p\n%lu passed, %lu failed, %lu skipped\n", signal_name(number), info ? info->si_addr : NULL,
         suite.passed, suite.failed + 1, suite.skipped);
  fflush(stdout);
  _exit(3);
}

static inline void catch_signals(void) {
  static const int numbers[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE};
  static unsigned char stack[65536];
  stack_t alternative;
  struct sigaction action;
  size_t i;
  memset(&alternative, 0, sizeof alternative);
  alternative.ss_sp = stack;
  alternative.ss_size = sizeof stack;
  sigaltstack(&alternative, NULL);
  memset(&action, 0, sizeof action);
  action.sa_sigaction = on_signal;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  for (i = 0; i < COUNT_OF(numbers); i++) sigaction(numbers[i], &action, NULL);
}

/* -------------------------------------------------------------------------------------------------- the table of errors -- */

typedef struct error_row {
  char operation[32], type[8], variant[24];
  const char *unit;              /* of error and limit */
  double error, limit;           /* where error / limit was largest */
  double ulp;                    /* largest error in units of the last place of the largest result */
  double l2, l2_limit;           /* relative; a limit of 0: not stated */
  unsigned long cases, elements; /* compared */
} error_row;

extern error_row error_table[512];
extern size_t error_rows;

static inline error_row *error_row_of(const char *operation, const char *type, const char *variant) {
  size_t i;
  error_row *row;
  for (i = 0; i < error_rows; i++) {
    row = &error_table[i];
    if (!strcmp(row->operation, operation) && !strcmp(row->type, type) && !strcmp(row->variant, variant)) return row;
  }
  if (error_rows == COUNT_OF(error_table)) return &error_table[error_rows - 1];
  row = &error_table[error_rows++];
  memset(row, 0, sizeof *row);
  snprintf(row->operation, sizeof row->operation, "%s", operation);
  snprintf(row->type, sizeof row->type, "%s", type);
  snprintf(row->variant, sizeof row->variant, "%s", variant);
  return row;
}

static inline void error_note(const char *unit, double error, double limit, double ulp, double l2, double l2_limit,
                              size_t elements) {
  error_row *row = error_row_of(suite.operation, suite.type, suite.variant);
  row->unit = unit;
  row->cases++;
  row->elements += (unsigned long)elements;
  if (row->cases == 1 || error / limit > row->error / row->limit) {
    row->error = error;
    row->limit = limit;
  }
  if (ulp > row->ulp) row->ulp = ulp;
  if (l2 > row->l2) row->l2 = l2;
  row->l2_limit = l2_limit;
}

static inline int error_order(const void *a, const void *b) {
  const error_row *p = (const error_row *)a, *q = (const error_row *)b;
  const int operation = strcmp(p->operation, q->operation);
  return operation ? operation : strcmp(p->type, q->type);
}

static inline void error_print(void) {
  size_t i, j;
  if (!error_rows) return;
  printf("\n%-20s %-4s %-14s %10s %10s %-12s %8s %10s %10s %9s\n", "operation", "type", "hw", "error", "limit", "unit", "ulp",
         "rel. L2", "limit", "elements");
  for (i = 1; i < error_rows; i++) { /* stable, so that variants stay in their order */
    const error_row row = error_table[i];
    for (j = i; j && error_order(&row, &error_table[j - 1]) < 0; j--) error_table[j] = error_table[j - 1];
    error_table[j] = row;
  }
  for (i = 0; i < error_rows; i++) {
    const error_row *r = &error_table[i];
    printf("%-20s %-4s %-14s %10.3g %10.3g %-12s %8.2f %10.3g ", r->operation, r->type, r->variant, r->error, r->limit, r->unit,
           r->ulp, r->l2);
    if (r->l2_limit > 0) printf("%10.3g", r->l2_limit);
    else printf("%10s", "-");
    printf(" %9lu\n", r->elements);
  }
  printf("\n");
}

#endif
