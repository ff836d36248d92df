/* A program lends its own threads to the library: a small pool behind the thread hook. The result must be the serial
 * one to the last bit, whatever the number of threads. */
#define _POSIX_C_SOURCE 200112L

#define CONVK_WITH_FILTERS /* the other families are left out: they take their time to compile */
#define CONVK_F64
#define CONVK_SIMD
#include "convk.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the caller's pool ---- */

enum { MAX_THREADS = 16 };

typedef struct pool {
  pthread_mutex_t lock;
  pthread_cond_t start, done;
  pthread_t thread[MAX_THREADS];
  int threads, stop;
  /* the job at hand */
  void (*task)(void *arg, size_t index);
  void *arg;
  size_t next, total, left;
  /* what the example reports */
  size_t jobs, tasks, by_workers;
} pool;

/* Takes tasks until none is left to take. The lock is held at entry and at exit, not while a task runs. */
static void work_off(pool *p, int is_worker) {
  while (p->next < p->total) {
    const size_t index = p->next++;
    p->by_workers += is_worker != 0;
    pthread_mutex_unlock(&p->lock);
    p->task(p->arg, index);
    pthread_mutex_lock(&p->lock);
    if (--p->left == 0) {
      pthread_cond_signal(&p->done);
    }
  }
}

static void *worker(void *arg) {
  pool *p = (pool *)arg;
  pthread_mutex_lock(&p->lock);
  while (!p->stop) {
    work_off(p, 1);
    /* a task can arrive only under the lock, which is held from the last look to the wait */
    if (!p->stop) {
      pthread_cond_wait(&p->start, &p->lock);
    }
  }
  pthread_mutex_unlock(&p->lock);
  return NULL;
}

static int pool_open(pool *p, int threads) {
  memset(p, 0, sizeof *p);
  if (pthread_mutex_init(&p->lock, NULL)) {
    return -1;
  }
  if (pthread_cond_init(&p->start, NULL)) {
    pthread_mutex_destroy(&p->lock);
    return -1;
  }
  if (pthread_cond_init(&p->done, NULL)) {
    pthread_cond_destroy(&p->start);
    pthread_mutex_destroy(&p->lock);
    return -1;
  }
  /* the calling thread works too; fewer threads than asked for are no error */
  while (p->threads < threads - 1 && p->threads < MAX_THREADS && pthread_create(&p->thread[p->threads], NULL, worker, p) == 0) {
    p->threads++;
  }
  return 0;
}

static void pool_close(pool *p) {
  int i;
  pthread_mutex_lock(&p->lock);
  p->stop = 1;
  pthread_cond_broadcast(&p->start);
  pthread_mutex_unlock(&p->lock);
  for (i = 0; i < p->threads; i++) {
    pthread_join(p->thread[i], NULL);
  }
  pthread_cond_destroy(&p->done);
  pthread_cond_destroy(&p->start);
  pthread_mutex_destroy(&p->lock);
}

/* ---- the hook ---- */

static int pool_run(void *ctx, size_t ntasks, void (*task)(void *arg, size_t index), void *arg) {
  pool *p = (pool *)ctx;
  pthread_mutex_lock(&p->lock);
  p->task = task;
  p->arg = arg;
  p->next = 0;
  p->total = ntasks;
  p->left = ntasks;
  p->jobs++;
  p->tasks += ntasks;
  pthread_cond_broadcast(&p->start);
  work_off(p, 0);
  while (p->left) {
    pthread_cond_wait(&p->done, &p->lock);
  }
  p->next = p->total = 0;
  pthread_mutex_unlock(&p->lock);
  return 0;
}

static int refuse(void *ctx, size_t ntasks, void (*task)(void *arg, size_t index), void *arg) {
  (void)ctx;
  (void)ntasks;
  (void)task;
  (void)arg;
  return 1;
}

/* ---- the check ---- */

static int check(convk *hw, double *in, double *serial, double *threaded, const convk_sepconv3d_shape *shape) {
  const size_t bytes = shape->out.nx * shape->out.ny * shape->out.nz * sizeof *serial;
  int threads, bad = 0, status;
  hw->parallel.threads = 1;
  hw->parallel.run = NULL;
  status = convk_magicfilter3d_f64(hw, shape, CONVK_FORWARD, NULL, in, serial, NULL, 0);
  for (threads = 2; threads <= 5 && !status; threads++) {
    pool p;
    int same;
    if (pool_open(&p, threads)) {
      fprintf(stderr, "own_threads: no pool\n");
      return 1;
    }
    hw->parallel.threads = p.threads + 1;
    hw->parallel.run = pool_run;
    hw->parallel.ctx = &p;
    memset(threaded, 0xff, bytes);
    status = convk_magicfilter3d_f64(hw, shape, CONVK_FORWARD, NULL, in, threaded, NULL, 0);
    pool_close(&p);
    same = !status && memcmp(serial, threaded, bytes) == 0;
    /* a hook that was never called would prove nothing */
    bad |= !same || p.tasks == 0;
    printf("own_threads: %s, %d threads: %lu jobs, %lu tasks, %lu of them by workers: %s\n", hw->name, p.threads + 1,
           (unsigned long)p.jobs, (unsigned long)p.tasks, (unsigned long)p.by_workers,
           same ? "same bits as serial" : "DIFFERS from serial");
  }
  if (status) {
    fprintf(stderr, "own_threads: magicfilter3d: %s\n", convk_strerror(status));
    return 1;
  }
  hw->parallel.threads = 2;
  hw->parallel.run = refuse;
  status = convk_magicfilter3d_f64(hw, shape, CONVK_FORWARD, NULL, in, threaded, NULL, 0);
  printf("own_threads: a hook that fails: %s\n", convk_strerror(status));
  return bad || status == 0;
}

int main(void) {
  static const convk_sepconv3d_shape shape = {{96, 81, 90, 0, 0},
                                              {96, 96, 90, 0, 0}, /* y grows by taps - 1 = 15 */
                                              {CONVK_BOUNDARY_PERIODIC, CONVK_BOUNDARY_GROW, CONVK_BOUNDARY_ZERO}};
  const size_t count_in = shape.in.nx * shape.in.ny * shape.in.nz, count_out = shape.out.nx * shape.out.ny * shape.out.nz;
  double *in = (double *)malloc(count_in * sizeof *in);
  double *serial = (double *)malloc(count_out * sizeof *serial);
  double *threaded = (double *)malloc(count_out * sizeof *threaded);
  unsigned long random = 1;
  convk hw;
  size_t i;
  int bad, status = convk_open(&hw, NULL);
  if (status || !in || !serial || !threaded) {
    fprintf(stderr, "own_threads: %s\n", convk_strerror(status ? status : CONVK_ERR_MEMORY));
    bad = 1;
  } else {
    for (i = 0; i < count_in; i++) {
      random = (random * 1103515245UL + 12345UL) & 0x7fffffffUL;
      in[i] = (double)random / 1073741824.0 - 1;
    }
    bad = check(&hw, in, serial, threaded, &shape);
  }
  if (!status) {
    convk_close(&hw);
  }
  free(in);
  free(serial);
  free(threaded);
  return bad;
}
