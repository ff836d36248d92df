/* SPDX-License-Identifier: MIT
   The variants of the library that a program of tests goes through, and what all calls are asked: their status, the memory they
   leave, the state of the processor, how they get on side by side.  After harness.h and convk.h. */

#ifndef CONVK_TESTS_VARIANTS_H
#define CONVK_TESTS_VARIANTS_H

#include "harness.h"

/* ------------------------------------------------------------------------------------------------------------ variants -- */

/* One choice of hardware, or of the order in which emulated threads run. */
typedef struct variant {
  const char *name, *label;
  int fused, device, order; /* of the emulated device: which schedule */
  size_t most;              /* multiplications of the largest case that it gets through in reasonable time; 0: any */
  unsigned thin;            /* of problems with filters of their own, only one in so many: a device may compile for each */
  const char *module, *package;
  int open;
  convk hw;
} variant;

enum { EMULATED = 4 }; /* schedules of the emulated device, each a variant */

extern variant variants[12];
extern size_t variant_count;

static inline void use_variant(const variant *v) {
  suite.variant = v->label;
#ifdef CONVK_TEST_CUDA_EMULATED
  /* Of the threads: a warp that goes on runs ahead of all others, or anyone may, each time with another seed. */
  static const int schedules[EMULATED][2] = {{CONVK_EMULATOR_GREEDY, CONVK_EMULATOR_FORWARD},
                                             {CONVK_EMULATOR_GREEDY, CONVK_EMULATOR_REVERSED},
                                             {CONVK_EMULATOR_RANDOM, CONVK_EMULATOR_FORWARD},
                                             {CONVK_EMULATOR_RANDOM, CONVK_EMULATOR_SHUFFLED}};
  suite.schedule = NULL;
  if (v->device && !strcmp(v->name, "cuda")) {
    convk_emulator_order(schedules[v->order][1], (unsigned)(suite.seed ^ (suite.passed * 2654435761u)));
    convk_emulator_schedule(schedules[v->order][0], 0);
    suite.schedule = convk_emulator_name;
  }
#endif
}

/* The next open variant after number *i that can take a case of this size, or NULL.  In brief, a case has one of the emulated
   device's schedules, as it comes. */
static inline variant *next_variant(size_t *i, size_t multiplications) {
  if (!*i) suite.turn++;
  while (*i < variant_count) {
    variant *v = &variants[(*i)++];
    if (suite.level == LEVEL_BRIEF && v->most && v->order != (int)(suite.turn * 2654435761u >> 16) % EMULATED) continue;
    if (v->open && (!v->most || multiplications <= v->most)) {
      use_variant(v);
      return v;
    }
  }
  return NULL;
}

/* The next variant that offers an operation of its family and can take a case of this size.  What a device does not offer it must
   refuse: a test of its own. */
static inline variant *next_offering(size_t *i, size_t cost, int (*offers)(convk *hw, int operation), int operation) {
  variant *v;
  while ((v = next_variant(i, cost)) != NULL)
    if (!v->device || offers(&v->hw, operation)) return v;
  return NULL;
}

/* A handle that says which bits a class has, or NULL where this machine has none of that class. */
convk *class_handle(int fused);

/* References cost more than all that is compared with them: of a class, one variant's results are compared, the bits of the others
   with these.  Devices have orders of their own, and are compared each. */
typedef struct class_results {
  void *bits[2];      /* of the first variant of each class, or NULL */
  double noted[2][4]; /* what the reference said of them, for the table of errors */
} class_results;

/* Whether v's class was compared with the reference before; then these results must have the bits that were. */
static inline int same_as_class(class_results *c, const variant *v, const void *results, size_t bytes) {
  void **bits = &c->bits[v->fused];
  if (v->device) return 0;
  if (*bits) {
    if (memcmp(*bits, results, bytes)) fail("other bits than the variant of this class that was compared with the reference");
    return 1;
  }
  *bits = malloc(bytes ? bytes : 1);
  if (!*bits) exit(2);
  memcpy(*bits, results, bytes);
  return 0;
}
static inline void class_results_end(class_results *c) {
  free(c->bits[0]);
  free(c->bits[1]);
  memset(c, 0, sizeof *c);
}

/* convk_open for units that have functions of their own. */
int test_open(convk *hw, const char *spec);

/* CALL(arguments..., scalar) and so on for every processor variant that is compiled in, or for devices, too. */
#if defined CONVK_SSE_H_ && CONVK_X86_
#define BY_NAME_SSE_(CALL, ...) CALL(__VA_ARGS__, sse2)
#else
#define BY_NAME_SSE_(CALL, ...)
#endif
#if defined CONVK_AVX_H_ && CONVK_X86_ && defined CONVK_AVX_WITHOUT_AVX2
#define BY_NAME_AVX_(CALL, ...) CALL(__VA_ARGS__, avx)
#else
#define BY_NAME_AVX_(CALL, ...)
#endif
#if defined CONVK_AVX_H_ && CONVK_X86_
#define BY_NAME_AVX2_(CALL, ...) CALL(__VA_ARGS__, avx2)
#else
#define BY_NAME_AVX2_(CALL, ...)
#endif
#if defined CONVK_AVX_H_ && CONVK_X86_ && !defined CONVK_NO_AVX512
#define BY_NAME_AVX512_(CALL, ...) CALL(__VA_ARGS__, avx512)
#else
#define BY_NAME_AVX512_(CALL, ...)
#endif
#if defined CONVK_NEON_H_ && CONVK_ARM64_
#define BY_NAME_NEON_(CALL, ...) CALL(__VA_ARGS__, neon)
#else
#define BY_NAME_NEON_(CALL, ...)
#endif
#ifdef CONVK_CL_H_
#define BY_NAME_CL_(CALL, ...) CALL(__VA_ARGS__, opencl)
#else
#define BY_NAME_CL_(CALL, ...)
#endif
#ifdef CONVK_CUDA_H_
#define BY_NAME_CUDA_(CALL, ...) CALL(__VA_ARGS__, cuda)
#else
#define BY_NAME_CUDA_(CALL, ...)
#endif
#define ON_PROCESSORS(CALL, ...) \
  CALL(__VA_ARGS__, scalar) \
  BY_NAME_SSE_(CALL, __VA_ARGS__) \
  BY_NAME_AVX_(CALL, __VA_ARGS__) \
  BY_NAME_AVX2_(CALL, __VA_ARGS__) BY_NAME_AVX512_(CALL, __VA_ARGS__) BY_NAME_NEON_(CALL, __VA_ARGS__)
#define EVERYWHERE(CALL, ...) ON_PROCESSORS(CALL, __VA_ARGS__) BY_NAME_CL_(CALL, __VA_ARGS__) BY_NAME_CUDA_(CALL, __VA_ARGS__)

/* ------------------------------------------------------------------------------------------------ what calls are asked -- */

/* Whether it is. */
static inline int want_status(int status, int wanted) {
  if (status != wanted) fail("status %d (%s), not %d (%s)", status, convk_strerror(status), wanted, convk_strerror(wanted));
  return status == wanted;
}

/* No more is held than before, when `live` blocks were. */
static inline void want_returned(long live) {
  if (heap.live != live) fail("%ld allocations left", heap.live - live);
}

/* Arguments are checked before memory is asked for: `total` is how often that was before. */
static inline void want_checked_first(int wanted, long total) {
  if (wanted && wanted != CONVK_ERR_THREADS && wanted != CONVK_ERR_MEMORY && heap.total != total)
    fail("memory was allocated before the arguments were checked");
}

/* Rounding and flushing as the caller set them must survive a call, and so must the state of vector registers. */
typedef struct control {
  unsigned usual, set;
  int upper;
} control;

/* Upwards, flushed, denormals are zero, all masked; and what else may be set beside what is usual. */
#define UPWARD_AND_FLUSHED 0xdfc0u
static const unsigned control_settings[] = {0x8040, 0x6000, 0x2000};

static inline control control_begin(unsigned bits) {
  control c;
  c.usual = float_control();
  c.upper = upper_in_use();
  float_control_set(bits);
  c.set = float_control(); /* emulators do not have all bits */
  return c;
}
static inline void control_end(control c) {
  const unsigned now = float_control();
  const int upper = upper_in_use();
  float_control_set(c.usual);
  if (now != c.set) fail("control bits are %#x, not %#x", now, c.set);
  if (!c.upper && upper > 0) fail("the upper halves of vector registers are left in use");
}

/* What a call says, in the message of an open handle or of a device, when it refuses an argument: `text`, or anything where that is
   NULL; and nothing after success.  What is no matter of an argument may have no message. */
static inline void want_said(const char *message, int status, const char *text) {
  static const int silent[] = {CONVK_ERR_HANDLE, CONVK_ERR_THREADS, CONVK_ERR_MEMORY, CONVK_ERR_DEVICE};
  size_t i;
  for (i = 0; i < COUNT_OF(silent); i++)
    if (status == silent[i]) return;
  if (!status && message[0]) fail("the message after success is '%s'", message);
  if (status && !message[0]) fail("there is no message after status %d (%s)", status, convk_strerror(status));
  else if (status && text && !strstr(message, text)) fail("the message is '%s', without '%s'", message, text);
}

/* What an open handle says after a call through it or by name: which argument is wrong; nothing after success. */
static inline void want_reason(convk *hw, int status) {
  if (hw && status != CONVK_ERR_HANDLE) want_said(hw->message, status, status == CONVK_ERR_BOUNDARY ? "boundary" : NULL);
}

/* use(user) for all users at the same time, each in a thread of its own; one that cannot be had is done without. */
static inline void side_by_side(void *(*use)(void *user), void *users, size_t count, size_t size) {
  pthread_t threads[16];
  int started[COUNT_OF(threads)];
  size_t i;
  if (count > COUNT_OF(threads)) exit(2);
  for (i = 0; i < count; i++) started[i] = !pthread_create(&threads[i], NULL, use, (char *)users + i * size);
  for (i = 0; i < count; i++) {
    if (started[i]) pthread_join(threads[i], NULL);
    else use((char *)users + i * size);
  }
}

#endif
