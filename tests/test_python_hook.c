/* The thread hook of the Python package, on its own: every task runs once, with any number of threads, until one is to stop. */
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

/* Looks only where the thread that calls is Python's main thread. */
static void slow(void *arg, size_t index) {
  const double until = now() + 2 * LOOK_EVERY;
  task(arg, index);
  while (now() < until) continue;
}

static void check(int good, const char *what, int threads) {
  if (!good) printf("FAILED %s, %d threads\n", what, threads);
  wrong += !good;
}

int main(void) {
  static const int threads[] = {1, 2, 3, 8, MOST_THREADS, MOST_THREADS + 1};
  static convk hw;
  int one = 1;
  size_t i, k, n;
  for (i = 0; i < sizeof threads / sizeof threads[0]; i++)
    for (n = 0; n <= TASKS; n = 3 * n + 1) {
      int all = 1;
      memset(ran, 0, sizeof ran);
      hw.parallel.threads = threads[i];
      check(convk_py_run(&hw, n, task, &one) == 0, "status", threads[i]);
      for (k = 0; k < TASKS; k++) all &= ran[k] == (k < n);
      check(all, "each task once", threads[i]);
    }
  check(looks == 0, "not Python's main thread", 0);
  convk_py_main_thread = this_thread();
  memset(ran, 0, sizeof ran);
  hw.parallel.threads = 2;
  check(convk_py_run(&hw, TASKS, slow, &one) != 0 && looks == 2 && !ran[TASKS - 1], "stops where it is told to", 2);
  printf("%s: %d failed\n", convk_py_threads(), wrong);
  return wrong != 0;
}
