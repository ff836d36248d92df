/* The thread hook of the Python package, on its own: every task runs once, with any number of threads, until one is to stop. */
#ifndef _WIN32
#include <pthread.h>
#undef _POSIX_C_SOURCE
static int may_start = -1; /* so many threads; -1: any number */
static int some(pthread_t *t, const pthread_attr_t *a, void *(*run)(void *), void *arg) {
  return may_start && may_start-- ? pthread_create(t, a, run, arg) : 1;
}
#define pthread_create some
#else
static int may_start;
#endif
#include "../examples/python/hook.c"
#include <stdio.h>
#include <string.h>

enum { TASKS = 1000 };

static int ran[TASKS], looks, wrong;

int convk_py_look(void) {
  looks++;
  return looks > 1;
}

static void task(void *arg, size_t index) { __atomic_fetch_add(&ran[index], *(int *)arg, __ATOMIC_RELAXED); }

static void check(int good, const char *what, int threads) {
  if (!good) printf("FAILED %s, %d threads\n", what, threads);
  wrong += !good;
}

/* Of a call with n tasks. */
static void run_tasks(size_t n, int threads) {
  static convk hw;
  int one = 1, all = 1;
  size_t k;
  memset(ran, 0, sizeof ran);
  hw.parallel.threads = threads;
  check(convk_py_run(&hw, n, task, &one) == 0, "status", threads);
  for (k = 0; k < TASKS; k++) all &= ran[k] == (k < n);
  check(all, "each task once", threads);
}

/* Looks only where the thread that calls is Python's main thread. */
static void slow(void *arg, size_t index) {
  const double until = now() + 2 * LOOK_EVERY;
  task(arg, index);
  while (now() < until) continue;
}

int main(void) {
  static const int threads[] = {0, 1, 2, 3, 8, MOST_THREADS, MOST_THREADS + 1};
  static convk hw;
  int one = 1;
  size_t i, n;
  for (i = 0; i < sizeof threads / sizeof threads[0]; i++)
    for (n = 0; n <= TASKS; n = 3 * n + 1) run_tasks(n, threads[i]);
  may_start = 2;
  run_tasks(TASKS, 8);
  may_start = -1;
  check(looks == 0, "not Python's main thread", 0);
  convk_py_main_thread = this_thread();
  memset(ran, 0, sizeof ran);
  hw.parallel.threads = 2;
  check(convk_py_run(&hw, TASKS, slow, &one) != 0 && looks == 2 && !ran[TASKS - 1], "stops where it is told to", 2);
  printf("%s: %d failed\n", convk_py_threads(), wrong);
  return wrong != 0;
}
