/* The benchmark: every line names an operation, what it was measured against in the same run, and its error.
     bench [--filter TEXT] [--hw NAME,...] [--threads N] [--quick] [--json FILE] [--energy DIRECTORY]
   Where the packages' energy can be read (energy.h; --energy: in another directory, for tests), a line says joules per unit of its
   result, too: the mean power while its calls were timed, over the rate.
   Contestants of a group take turns; a round gives the median of its calls, a line the median of the rounds.  Ceilings are measured in every round. */
#define _GNU_SOURCE
#define CONVK_WITH_ALL
#define CONVK_SIMD
#define CONVK_AVX_WITHOUT_AVX2
#include "convk.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "ceiling.h"
#include "energy.h"

enum { MOST = 24, ROUNDS = 9 };

static struct {
  const char *filter, *hw, *energy;
  int threads, rounds;
  FILE *json;
  int quick; /* few rounds, no large arrays */
} opt;

static const char *const hardware[] = {"scalar", "sse2", "avx", "avx2", "avx512"};

static void *large_array(size_t bytes) {
  const size_t huge = 2u << 20;
  char *p = (char *)mmap(NULL, bytes + huge, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED) {
    fprintf(stderr, "bench: no memory for %zu bytes\n", bytes);
    exit(1);
  }
  p += (huge - (uintptr_t)p % huge) % huge;
  madvise(p, bytes, MADV_HUGEPAGE);
  memset(p, 0, bytes);
  return p;
}

/* ---- threads that wait for work: spinning for a while, as a numerical program's pool does, then asleep ---- */

static struct {
  void (*task)(void *, size_t);
  void *arg;
  size_t ntasks, next;
  unsigned turn, done;
  int threads;
  pthread_mutex_t mutex;
  pthread_cond_t wake;
} pool = {.mutex = PTHREAD_MUTEX_INITIALIZER, .wake = PTHREAD_COND_INITIALIZER};

static void pause_spinning(void) {
#if defined __x86_64__
  __asm__ volatile("pause");
#endif
}

static void pool_work(void) {
  size_t i;
  while ((i = __atomic_fetch_add(&pool.next, 1, __ATOMIC_ACQ_REL)) < pool.ntasks) pool.task(pool.arg, i);
}

static void *pool_thread(void *arg) {
  unsigned seen = 0;
  (void)arg;
  for (;;) {
    unsigned turn;
    for (int i = 0; (turn = __atomic_load_n(&pool.turn, __ATOMIC_ACQUIRE)) == seen && i < 40000; i++) {
      if (i < 20000) pause_spinning();
      else sched_yield();
    }
    if (turn == seen) {
      pthread_mutex_lock(&pool.mutex);
      while ((turn = __atomic_load_n(&pool.turn, __ATOMIC_ACQUIRE)) == seen) pthread_cond_wait(&pool.wake, &pool.mutex);
      pthread_mutex_unlock(&pool.mutex);
    }
    seen = turn;
    pool_work();
    __atomic_fetch_add(&pool.done, 1, __ATOMIC_ACQ_REL);
  }
  return NULL;
}

static int pool_run(void *ctx, size_t ntasks, void (*task)(void *, size_t), void *arg) {
  (void)ctx;
  pool.task = task;
  pool.arg = arg;
  pool.ntasks = ntasks;
  __atomic_store_n(&pool.done, 0, __ATOMIC_RELEASE);
  __atomic_store_n(&pool.next, 0, __ATOMIC_RELEASE);
  pthread_mutex_lock(&pool.mutex);
  __atomic_fetch_add(&pool.turn, 1, __ATOMIC_ACQ_REL);
  pthread_cond_broadcast(&pool.wake);
  pthread_mutex_unlock(&pool.mutex);
  pool_work();
  for (int i = 0; __atomic_load_n(&pool.done, __ATOMIC_ACQUIRE) < (unsigned)(pool.threads - 1); i++)
    if (i > 2000) sched_yield(); /* the others may wait for this very core, and would for 4 ms */
  return 0;
}

static void pool_start(int threads) {
  for (; pool.threads < threads; pool.threads++) {
    pthread_t t;
    if (pool.threads && pthread_create(&t, NULL, pool_thread, NULL)) exit(1);
  }
}

/* ---- ceilings on several threads ---- */

typedef struct {
  const char *hw;
  int f32, threads;
  double *to, *from, sum[64];
  size_t n;
} ceiling_job;

static void peak_task(void *arg, size_t i) {
  ceiling_job *job = (ceiling_job *)arg;
  job->sum[i] = peak(job->hw, job->f32);
}

static void copy_task(void *arg, size_t i) {
  ceiling_job *job = (ceiling_job *)arg;
  const size_t begin = job->n / (size_t)job->threads * i / 8 * 8, end = job->n / (size_t)job->threads * (i + 1) / 8 * 8;
  stream_copy(job->to + begin, job->from ? job->from + begin : NULL, end - begin);
}

static void on_threads(int threads, void (*task)(void *, size_t), void *arg) {
  if (threads > 1) pool_run(NULL, (size_t)threads, task, arg);
  else task(arg, 0);
}

static double peak_of(const char *hw, int f32, int threads) {
  ceiling_job job = {hw, f32, threads, NULL, NULL, {0}, 0};
  double sum = 0;
  on_threads(threads, peak_task, &job);
  for (int i = 0; i < threads; i++) sum += job.sum[i];
  return sum;
}

/* Bytes per second of a copy past the caches, reads and writes counted; of writes alone where `from` is NULL. */
static double bandwidth(double *to, double *from, size_t n, int threads) {
  ceiling_job job = {NULL, 0, threads, to, from, {0}, n};
  const double begin = seconds();
  on_threads(threads, copy_task, &job);
  return (double)n * (from ? 16 : 8) / (seconds() - begin);
}

/* ---- lines ---- */

static int compare(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

static double median(double *v, int n) {
  qsort(v, (size_t)n, sizeof *v, compare);
  return n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

/* What the calls of a contestant took, for the next line; begin: seconds(), and energy_now() before them. */
static const energy_spent *line_spent;
static void energy_add(energy_spent *spent, double begin, double joules) {
  if (!energy.packages) return;
  spent->joules += energy_now() - joules;
  spent->seconds += seconds() - begin;
}

/* Joules of the next line, whose rate is `rate`, or 0. */
static double line_joules(double rate) {
  const energy_spent *spent = line_spent;
  line_spent = NULL;
  return spent && spent->seconds > 0 && spent->joules > 0 && rate > 0 ? spent->joules / spent->seconds / rate : 0;
}

/* peer, ceiling_unit: NULL where the line has none; error < 0: none */
static void line(const char *operation, const char *type, const char *hw, int threads, const char *size, double rate,
                 const char *unit, double ceiling, const char *ceiling_unit, const char *peer, double peer_rate, double error) {
  const double joules = line_joules(rate);
  printf("%-24s %-3s %-9s %2d %-16s %9.2f %-8s", operation, type, hw, threads, size, rate, unit);
  if (ceiling_unit) printf(" %5.1f%% of %8.1f", 100 * rate / ceiling, ceiling);
  else printf(" %18s", "");
  if (peer) printf("  %6.2f x %-20s", rate / peer_rate, peer);
  if (error >= 0) printf("  error %.1e", error);
  if (joules > 0) printf("  %.3g J per %.*s", joules, (int)strcspn(unit, "/"), unit);
  printf("\n");
  fflush(stdout);
  if (!opt.json) return;
  fprintf(opt.json,
          "{\"operation\":\"%s\",\"type\":\"%s\",\"hw\":\"%s\",\"threads\":%d,\"size\":\"%s\",\"rate\":%.6g,\"unit\":\"%s\"",
          operation, type, hw, threads, size, rate, unit);
  if (ceiling_unit)
    fprintf(opt.json, ",\"ceiling\":%.6g,\"ceiling_unit\":\"%s\",\"fraction\":%.4g", ceiling, ceiling_unit, rate / ceiling);
  if (peer) fprintf(opt.json, ",\"peer\":\"%s\",\"peer_rate\":%.6g,\"ratio\":%.4g", peer, peer_rate, rate / peer_rate);
  if (error >= 0) fprintf(opt.json, ",\"max_error\":%.3g", error);
  if (joules > 0) fprintf(opt.json, ",\"joules\":%.4g", joules);
  fprintf(opt.json, "}\n");
}

/* Whether `name` is in the list that --hw gave. */
static int wanted(const char *name) {
  const size_t length = strlen(name);
  const char *at = opt.hw;
  if (!at) return 1;
  for (; (at = strstr(at, name)); at += length)
    if ((at == opt.hw || at[-1] == ',') && (!at[length] || at[length] == ',')) return 1;
  return 0;
}

#include "bench_sepconv.h"
#include "bench_dwt.h"
#include "bench_sumconv.h"
#include "bench_hamiltonian.h"
#include "bench_stencil.h"
#include "bench_vmath.h"
#include "bench_gaussian.h"
#include "bench_formfactor.h"
#include "bench_formfactor_many.h"
#include "bench_distances.h"
#include "bench_amplitudes.h"
#include "bench_fft.h"
#include "bench_vmc.h"

/* ---- */

static void machine(void) {
  char model[128] = "unknown processor", text[256];
  FILE *f = fopen("/proc/cpuinfo", "r");
  while (f && fgets(text, sizeof text, f))
    if (!strncmp(text, "model name", 10) && strchr(text, ':')) {
      snprintf(model, sizeof model, "%.100s", strchr(text, ':') + 2);
      model[strcspn(model, "\n")] = 0;
      break;
    }
  if (f) fclose(f);
  const size_t bytes = (opt.quick ? 16u : 256u) << 20, n = bytes / sizeof(double);
  double *a = (double *)large_array(bytes), *b = (double *)large_array(bytes);
  char size[16];
  snprintf(size, sizeof size, "%zuMiB", bytes >> 20);
  printf("%s, %d threads, compiler %s, arrays on huge pages where the system gives them\n", model, opt.threads, __VERSION__);
  if (opt.json)
    fprintf(opt.json, "{\"machine\":\"%s\",\"threads\":%d,\"compiler\":\"%s\",\"pages\":\"huge\",\"version\":\"%d.%d\"}\n", model,
            opt.threads, __VERSION__, CONVK_VERSION_MAJOR, CONVK_VERSION_MINOR);
  for (int t = 1; t <= opt.threads; t += opt.threads > 1 ? opt.threads - 1 : 1) {
    double copy[5], write[5];
    for (int i = 0; i < 5; i++) {
      copy[i] = bandwidth(a, b, n, t) * 1e-9;
      write[i] = bandwidth(a, NULL, n, t) * 1e-9;
    }
    line("ceiling_copy", "f64", "memory", t, size, median(copy, 5), "GB/s", 0, NULL, NULL, 0, -1);
    line("ceiling_write", "f64", "memory", t, size, median(write, 5), "GB/s", 0, NULL, NULL, 0, -1);
  }
  munmap(a, bytes);
  munmap(b, bytes);
}

int main(int argc, char **argv) {
  const long cpus = sysconf(_SC_NPROCESSORS_ONLN);
  opt.threads = cpus < 1 ? 1 : cpus > 64 ? 64 : (int)cpus;
  opt.rounds = ROUNDS;
  opt.energy = ENERGY_DIRECTORY;
  for (int i = 1; i < argc; i++) {
    const char *value = i + 1 < argc ? argv[i + 1] : NULL;
    if (!strcmp(argv[i], "--quick")) {
      opt.rounds = 3;
      opt.quick = 1;
      continue;
    }
    if (value && !strcmp(argv[i], "--filter")) opt.filter = value;
    else if (value && !strcmp(argv[i], "--hw")) opt.hw = value;
    else if (value && !strcmp(argv[i], "--energy")) opt.energy = value;
    else if (value && !strcmp(argv[i], "--threads")) opt.threads = atoi(value) < 1 ? 1 : atoi(value) > 64 ? 64 : atoi(value);
    else if (value && !strcmp(argv[i], "--json")) {
      opt.json = fopen(value, "w");
      if (!opt.json) {
        perror(value);
        return 1;
      }
    } else {
      fprintf(stderr, "usage: bench [--filter TEXT] [--hw NAME,...] [--threads N] [--quick] [--json FILE] "
                      "[--energy DIRECTORY]\n");
      return 1;
    }
    i++;
  }
  for (const char *at = opt.hw; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
    const size_t length = strcspn(at, ",");
    size_t i = 0;
    while (i < sizeof hardware / sizeof *hardware && (strlen(hardware[i]) != length || strncmp(at, hardware[i], length))) i++;
    if (i == sizeof hardware / sizeof *hardware) {
      fprintf(stderr, "bench: --hw %s: one of scalar, sse2, avx, avx2, avx512\n", at);
      return 1;
    }
  }
  energy_open(opt.energy);
  pool_start(opt.threads);
  machine();
  sepconv();
  wavelets();
  sumconv();
  hamiltonian();
  stencil();
  vmath();
  gaussian();
  formfactor();
  formfactor_many();
  distances();
  amplitudes();
  fft();
  vmc();
  if (opt.json) fclose(opt.json);
  return 0;
}
