/* SPDX-License-Identifier: MIT
 * Threads for the library, as its thread hook: OpenMP's where the package was built with it, else threads of the system.
 * Python's main thread looks for signals between tasks, so that Ctrl-C ends a long call. */
#define _POSIX_C_SOURCE 200112L
#include <stddef.h>

#define CONVK_DECLARE
#include "convk.h"

#ifdef __GNUC__
#define HAVE_THREADS 1
#ifdef _WIN32
#define WIN32_LEAN_AND_MEAN
#include <windows.h>
#else
#include <pthread.h>
#include <time.h>
#include <unistd.h>
#endif
#else
#define HAVE_THREADS 0
#endif
#if defined _OPENMP && !defined _WIN32
#define WITH_OPENMP 1
#include <omp.h>
#else
#define WITH_OPENMP 0
#endif

enum { MOST_THREADS = 256, LOOK_EVERY = 20 /* ms */ };

int convk_py_look(void);            /* Python's: runs handlers of signals; not 0: one raised an exception */
unsigned long convk_py_main_thread; /* which alone does that; 0: not known */

#if HAVE_THREADS

typedef struct job {
  void (*task)(void *arg, size_t index);
  void *arg;
  size_t ntasks, team, next; /* next: after the first tasks, one for each thread */
  int looks, stop;
} job;

/* Of the main thread: when it last looked, in ms. */
static double looked;

#ifdef _WIN32
typedef HANDLE thread;
#define RUNS_AS(name) DWORD WINAPI name(void *arg)
static double now(void) { return (double)GetTickCount64(); }
static unsigned long this_thread(void) { return GetCurrentThreadId(); }
static int start(thread *t, LPTHREAD_START_ROUTINE run, void *arg) {
  *t = CreateThread(NULL, 0, run, arg, 0, NULL);
  return *t == NULL;
}
static void join(thread t) {
  WaitForSingleObject(t, INFINITE);
  CloseHandle(t);
}
#else
typedef pthread_t thread;
#define RUNS_AS(name) void *name(void *arg)
static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}
static unsigned long this_thread(void) { return (unsigned long)pthread_self(); }
static int start(thread *t, void *(*run)(void *), void *arg) { return pthread_create(t, NULL, run, arg); }
static void join(thread t) { pthread_join(t, NULL); }
#endif

static void look(job *j) {
  const double t = j->looks ? now() : 0;
  if (!j->looks || t - looked < LOOK_EVERY) return;
  looked = t;
  if (convk_py_look()) __atomic_store_n(&j->stop, 1, __ATOMIC_RELAXED);
}

/* Each thread of a team begins with the task of its own number, so that its part of an array stays in its memory. */
static void work(job *j, size_t number) {
  size_t i;
  for (i = number; i < j->ntasks && !__atomic_load_n(&j->stop, __ATOMIC_RELAXED);
       i = __atomic_fetch_add(&j->next, 1, __ATOMIC_RELAXED)) {
    j->task(j->arg, i);
    if (!number) look(j);
  }
}

typedef struct member {
  job *j;
  size_t number;
  thread runs;
} member;

static RUNS_AS(begin) {
  const member *m = (const member *)arg;
  work(m->j, m->number);
  return 0;
}

static void run_threads(job *j) {
  member members[MOST_THREADS];
  size_t i, started = 1;
  for (; started < j->team; started++) {
    members[started].j = j;
    members[started].number = started;
    if (start(&members[started].runs, begin, &members[started])) break;
  }
  work(j, 0);
  for (i = started; i < j->team; i++) work(j, i); /* of those that could not be started */
  for (i = 1; i < started; i++) join(members[i].runs);
}

int convk_py_run(void *ctx, size_t ntasks, void (*task)(void *arg, size_t index), void *arg) {
  convk *hw = (convk *)ctx;
  const int threads = hw->parallel.threads; /* 0: another thread has closed the handle, of which this call has a copy */
  job j;
  j.task = task;
  j.arg = arg;
  j.ntasks = ntasks;
  j.team = threads < 1 ? 1 : threads < MOST_THREADS ? (size_t)threads : MOST_THREADS;
  if (j.team > ntasks) j.team = ntasks;
  j.next = j.team;
  j.stop = 0;
  j.looks = this_thread() == convk_py_main_thread;
  look(&j);
#if WITH_OPENMP
  { /* a child of fork() has no team of OpenMP's any more, and would wait for it for ever */
    static pid_t first;
    pid_t none = 0;
    const pid_t self = getpid();
    if (__atomic_compare_exchange_n(&first, &none, self, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED) || none == self) {
#pragma omp parallel num_threads((int)j.team)
      {
        size_t i;
        for (i = (size_t)omp_get_thread_num(); i < j.team; i += (size_t)omp_get_num_threads()) work(&j, i);
      }
      return j.stop;
    }
  }
#endif
  run_threads(&j);
  return j.stop;
}

const char *convk_py_threads(void) {
#if WITH_OPENMP
  return "OpenMP";
#elif defined _WIN32
  return "Windows";
#else
  return "pthread";
#endif
}

#else /* one thread */

int convk_py_run(void *ctx, size_t ntasks, void (*task)(void *arg, size_t index), void *arg) {
  size_t i;
  (void)ctx;
  for (i = 0; i < ntasks; i++) task(arg, i);
  return 0;
}

const char *convk_py_threads(void) { return "none"; }

#endif
