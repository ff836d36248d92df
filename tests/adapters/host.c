/* A program around examples/adapters/host.c that counts: what is allocated, which tasks run where, which errors arrive; and breaks each
 * of these in turn. */
#define _POSIX_C_SOURCE 200112L
#include "../../examples/adapters/host.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct host_pool {
  int threads, broken;
  size_t jobs, tasks, elsewhere;
};
struct host {
  host_pool pool;
  int errors;
  char what[32], text[96];
};

static size_t allocations, releases, alive, most;
static long fail_at = -1; /* this allocation fails, from 0 */
static int passed, failed;

static void check(const char *what, int good) {
  if (good) {
    passed++;
  } else {
    failed++;
    printf("FAILED %s\n", what);
  }
}

void *host_allocate(size_t bytes) {
  void *p = (long)allocations++ == fail_at ? NULL : malloc(bytes);
  if (p) alive++;
  if (alive > most) most = alive;
  return p;
}

void host_release(void *memory) {
  if (!memory) return;
  releases++;
  alive--;
  free(memory);
}

host_pool *host_threads(host *program) { return &program->pool; }
int host_pool_threads(const host_pool *pool) { return pool->threads; }

void host_error(host *program, const char *what, const char *text, const char *detail) {
  (void)detail;
  program->errors++;
  strncpy(program->what, what, sizeof program->what - 1);
  strncpy(program->text, text, sizeof program->text - 1);
}

typedef struct part {
  void (*task)(void *arg, size_t index);
  void *arg;
  size_t first, step, count, done;
} part;

static void *work(void *arg) {
  part *p = (part *)arg;
  size_t i;
  for (i = p->first; i < p->count; i += p->step, p->done++) p->task(p->arg, i);
  return NULL;
}

/* Every thread takes each so many-th task, last ones first, so that no order is relied on. */
int host_pool_run(host_pool *pool, size_t ntasks, void (*task)(void *arg, size_t index), void *arg) {
  pthread_t thread[8];
  part parts[8];
  int i;
  if (pool->broken) return 1;
  pool->jobs++;
  pool->tasks += ntasks;
  for (i = pool->threads - 1; i >= 0; i--) {
    const part p = {task, arg, (size_t)i, (size_t)pool->threads, ntasks, 0};
    parts[i] = p;
    if (i && pthread_create(&thread[i], NULL, work, &parts[i])) abort();
    if (!i) work(&parts[0]);
  }
  for (i = 1; i < pool->threads; i++) {
    pthread_join(thread[i], NULL);
    pool->elsewhere += parts[i].done;
  }
  return 0;
}

enum { N = 48, POINTS = N * N * N };
static double psi[POINTS], potential[POINTS], out[POINTS], serial[POINTS];

int main(void) {
  static const size_t n[3] = {N, N, N}, none[3] = {N, 0, N};
  static const int ends[3] = {1, 0, 1};
  host program;
  host_filter *f;
  double energy = 0, energy_serial = 0, sum = 0;
  size_t before;
  int i, threads;
  for (i = 0; i < POINTS; i++) {
    psi[i] = (i % 65536 * 7907 % 1009) / 1009.0 - 0.5;
    potential[i] = (i % 65536 * 7919 % 997) / 997.0;
  }
  for (threads = 1; threads <= 4; threads++) {
    memset(&program, 0, sizeof program);
    program.pool.threads = threads;
    f = host_filter_new(&program, NULL, n, ends, 1);
    if (!f) {
      printf("%s: %s\n", program.what, program.text);
      return 1;
    }
    before = allocations;
    for (i = 0; i < 3; i++) check("apply", host_filter_apply(f, potential, psi, out, &energy) == 0);
    check("no allocation in calls", allocations == before);
    check("what is there: the filter and its work", alive == 2);
    if (threads == 1) {
      memcpy(serial, out, sizeof out);
      energy_serial = energy;
      check("serial: no pool", program.pool.jobs == 0);
    } else {
      check("two jobs a call", program.pool.jobs == 6);
      check("more tasks than jobs", program.pool.tasks > program.pool.jobs);
      check("tasks on the pool's threads", program.pool.elsewhere > 0 && program.pool.elsewhere < program.pool.tasks);
      check("the bits of one thread", !memcmp(serial, out, sizeof out) && energy == energy_serial);
      program.pool.broken = 1;
      check("a pool that fails", host_filter_apply(f, potential, psi, out, &energy) == -1);
      check("its error", program.errors == 1 && !strcmp(program.what, "potential") && strstr(program.text, "thread"));
      program.pool.broken = 0;
      program.errors = 0;
    }
    check("a missing array", host_filter_apply(f, NULL, psi, out, &energy) == -1 && strstr(program.text, "NULL"));
    check("told once", program.errors == 1);
    host_filter_delete(f);
    check("all is given back", alive == 0);
  }
  f = host_filter_new(&program, NULL, n, ends, 0);
  before = allocations;
  check("memory for a call", f && host_filter_apply(f, potential, psi, out, &energy) == 0);
  check("taken once, and given back", allocations == before + 1 && alive == 1);
  fail_at = (long)allocations;
  check("and not there", host_filter_apply(f, potential, psi, out, &energy) == -1 && !strcmp(program.text, "out of memory"));
  host_filter_delete(f);
  for (i = 0; i < POINTS; i++) sum += psi[i] * serial[i];
  check("energy = <psi|out>", sum - energy_serial < 1e-9 && energy_serial - sum < 1e-9);

  check("hardware of another world", !host_filter_new(&program, "abacus", n, ends, 1) && !strcmp(program.what, "hardware"));
  check("no points", !host_filter_new(&program, NULL, none, ends, 1) &&
                         !strcmp(program.text, "a size is zero or does not fit the other sizes"));
  for (i = 0; i < 2; i++) {
    fail_at = (long)allocations + i;
    check("out of memory", !host_filter_new(&program, NULL, n, ends, 1) && !strcmp(program.text, "out of memory"));
  }
  check("nothing is left", alive == 0);
  printf("%d passed, %d failed, 0 skipped\n", passed, failed);
  return failed != 0;
}
