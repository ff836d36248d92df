/* What the example programs share: how they fail, memory, a clock, options, and the hardware that is asked for. Before this text
 * come convk.h, the program's name as PROGRAM, and _POSIX_C_SOURCE or more, for a clock that only moves forward. */
#ifndef OPTIONS_H
#define OPTIONS_H

#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef _WIN32
#define WIN32_LEAN_AND_MEAN
#include <windows.h>
#endif

/* The status of a program whose options make no sense; 1 says that something failed. */
#define BAD_OPTIONS 2

/* How a program says an error and ends; one of many processes tells the others. */
#ifndef LEAVE
#define LEAVE(status) exit(status)
#define SAY(text) fprintf(stderr, PROGRAM ": %s\n", text)
#define HELP(text) puts(text)
#endif

/* ---- what goes wrong ---- */

/* One line, and the end. */
static inline void fail(int status, const char *what, const char *format, ...) {
  char text[1024];
  va_list arguments;
  const int length = snprintf(text, sizeof text, "%.400s: ", what);
  va_start(arguments, format);
  vsnprintf(text + length, sizeof text - (size_t)length, format, arguments);
  va_end(arguments);
  fflush(stdout);
  SAY(text);
  LEAVE(status);
}
static inline void require(int good, const char *what, const char *otherwise) {
  if (!good) {
    fail(1, what, "%s", otherwise);
  }
}
/* The same of what was asked for. */
static inline void require_option(int good, const char *what, const char *otherwise) {
  if (!good) {
    fail(BAD_OPTIONS, what, "%s", otherwise);
  }
}
/* The same of a file that is written: errno, where it is not 0, says why it cannot be. */
static inline void require_written(int good, const char *path) {
  if (!good) {
    fail(1, path, "cannot be written%s%s", errno ? ": " : "", errno ? strerror(errno) : "");
  }
}
static inline void require_ok(int status, const char *what) { require(status == CONVK_OK, what, convk_strerror(status)); }

/* ---- memory and time ---- */

/* Zeros, to be freed. */
static inline void *memory(size_t count, size_t size) {
  void *p = calloc(count ? count : 1, size);
  require(p != NULL, "arrays", convk_strerror(CONVK_ERR_MEMORY));
  return p;
}

#ifndef SECONDS
#define SECONDS 0.2 /* how long a call is repeated whose best time counts */
#endif
static inline double seconds(void) {
#ifdef _WIN32 /* where clock_gettime is not everybody's, or in a library */
  LARGE_INTEGER now, each;
  QueryPerformanceCounter(&now);
  QueryPerformanceFrequency(&each);
  return (double)now.QuadPart / (double)each.QuadPart;
#else
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
#endif
}

/* ---- options ---- */

/* "--name VALUE" sets *value, "--name" alone sets *flag to 1: one of the two is NULL. --help says what the value is, and what it does;
 * it knows what *value is without the option. END_OF_OPTIONS ends a list of them. */
typedef struct option {
  const char *name, **value;
  int *flag;
  const char *argument, *about;
} option;
#define END_OF_OPTIONS \
  { NULL, NULL, NULL, NULL, NULL }

/* Options that most programs have. */
#ifdef CONVK_CL
#define HARDWARE_WITH_OPENCL_ " or opencl[:DEVICE]"
#else
#define HARDWARE_WITH_OPENCL_ ""
#endif
#ifdef CONVK_CUDA
#define HARDWARE_WITH_CUDA_ " or cuda[:DEVICE]"
#else
#define HARDWARE_WITH_CUDA_ ""
#endif
#define HARDWARE_OPTION(to) \
  { \
    "--hw", &(to), NULL, "NAME", \
        "scalar, sse2, avx, avx2, avx512, neon" HARDWARE_WITH_OPENCL_ HARDWARE_WITH_CUDA_ "; the best there is" \
  }
#define THREADS_OPTION(to) \
  { "--threads", &(to), NULL, "N", "where the program is compiled with -fopenmp -DCONVK_OPENMP" }
#define DATA_OPTION(to) \
  { "--data", &(to), NULL, "FILE", "also the numbers, as a text that examples/plot/plot.py draws" }

static const char *program_path = ""; /* as it was called */

/* The usage, a line for each option, and `more` where it is not NULL. */
static inline void print_help(const option *o, const char *usage, const char *more) {
  char line[512];
  snprintf(line, sizeof line, "usage: %s", usage);
  HELP(line);
  for (; o->name; o++) {
    char left[64];
    snprintf(left, sizeof left, "%s%s%s", o->name, o->value ? " " : "", o->value ? o->argument : "");
    snprintf(line, sizeof line, "  %-25s  %s%s%s%s", left, o->about, o->value && *o->value ? " (" : "",
             o->value && *o->value ? *o->value : "", o->value && *o->value ? ")" : "");
    HELP(line);
  }
  HELP("  --help                     this");
  if (more) {
    HELP(more);
  }
}

/* One argument without a name goes to *alone, which is NULL at first; where alone is NULL, there is to be none. --help prints
 * the help, and all is done. */
static inline void read_options(int argc, char **argv, const option *options, const char **alone, const char *usage,
                                const char *more) {
  int a;
  program_path = argc > 0 && argv[0] ? argv[0] : "";
  for (a = 1; a < argc; a++) {
    const option *o = options;
    if (strcmp(argv[a], "--help") == 0) {
      print_help(options, usage, more);
      LEAVE(0);
    }
    if (argv[a][0] != '-') {
      if (!alone || *alone) {
        fail(BAD_OPTIONS, argv[a], "one argument too many; usage: %s", usage);
      }
      *alone = argv[a];
      continue;
    }
    while (o->name && strcmp(argv[a], o->name) != 0) {
      o++;
    }
    if (!o->name) {
      fail(BAD_OPTIONS, argv[a], "there is no such option; usage: %s", usage);
    }
    if (o->flag) {
      *o->flag = 1;
    } else if (a + 1 == argc || !*argv[a + 1]) {
      fail(BAD_OPTIONS, argv[a], "wants a value; usage: %s", usage);
    } else {
      *o->value = argv[++a];
    }
  }
}

static inline double number(const char *text, const char *name, double lowest, double highest) {
  char *end;
  const double x = strtod(text, &end);
  if (end == text || *end || !(x >= lowest && x <= highest)) {
    fail(BAD_OPTIONS, name, "out of range: a number from %g to %g is wanted, not %s", lowest, highest, text);
  }
  return x;
}

static inline uint64_t whole(const char *text, const char *name, uint64_t lowest, uint64_t highest) {
  char *end;
  uint64_t x;
  errno = 0;
  x = (uint64_t)strtoull(text, &end, 10);
  if (*text < '0' || *text > '9' || *end || errno || x < lowest || x > highest) {
    fail(BAD_OPTIONS, name, "out of range: a whole number from %llu to %llu is wanted, not %s", (unsigned long long)lowest,
         (unsigned long long)highest, text);
  }
  return x;
}

/* Where a file of examples/data is: below the working folder, beside these sources, below the program's folder or those above it. */
static inline const char *example_data(const char *name, char path[512]) {
  static const char *const below[5] = {"examples/data/", "data/", "examples/data/", "../examples/data/",
                                       "../../examples/data/"};
  int k;
  for (k = 0; k < 5; k++) {
    const char *base = k == 0 ? "" : k == 1 ? __FILE__ : program_path, *slash = strrchr(base, '/');
    FILE *file;
    snprintf(path, 512, "%.*s%s%.60s", slash ? (int)(slash + 1 - base) : 0, base, below[k], name);
    file = fopen(path, "rb");
    if (file) {
      fclose(file);
      return path;
    }
  }
  fail(1, name, "not found in examples/data: run it from the top of the repository, or name a file");
  return path;
}

/* One of two words: 0 or 1. */
static inline int word(const char *text, const char *name, const char *first, const char *second) {
  if (strcmp(text, first) && strcmp(text, second)) {
    fail(BAD_OPTIONS, name, "%s or %s is wanted, not %s", first, second, text);
  }
  return strcmp(text, first) != 0;
}

/* ---- the hardware ---- */

/* That of --hw, or the best there is where it is NULL; returns what a program ends with, and why, or 0. */
static inline int try_hardware(convk *hw, const char *name, char why[512]) {
  const int status = convk_open(hw, name);
  if (status == CONVK_ERR_HW_MODULE && name && strncmp(name, "opencl", 6) == 0) {
    snprintf(why, 512, "this program has no OpenCL; demo, gisaxs, diffraction, blur and helium have where make finds it");
    return BAD_OPTIONS;
  }
  if (status) {
    snprintf(why, 512, "%s%s%s", convk_strerror(status), hw->message[0] ? ": " : "", hw->message);
  }
  return !status ? 0 : status == CONVK_ERR_HW_NAME ? BAD_OPTIONS : 1;
}

/* With as many threads as --threads says, or as are usual. */
static inline void set_threads(convk *hw, const char *threads) {
  if (threads) {
    const int wanted = (int)whole(threads, "--threads", 1, 1024);
    if (!hw->parallel.run) {
      fail(BAD_OPTIONS, "--threads", "compile with -fopenmp -DCONVK_OPENMP");
    }
    hw->parallel.threads = wanted;
  }
}

static inline void open_hardware(convk *hw, const char *name, const char *threads) {
  char why[512];
  const int status = try_hardware(hw, name, why);
  if (status) {
    fail(status, name ? name : "best hardware", "%s", why);
  }
  set_threads(hw, threads);
}

static inline int threads_of(convk *hw) { return hw->parallel.run ? hw->parallel.threads : 1; }

#endif
