/* SPDX-License-Identifier: MIT
   Programs of a real OpenCL device that are saved, loaded and shared: the same bits, nothing is built from text, and two threads
   work at the same time.  Linked with -Wl,--wrap=clCreateProgramWithSource.  With --times it says how long first calls take; then the
   implementation's own cache of programs should be off (POCL_KERNEL_CACHE=0). */
#define CL_TARGET_OPENCL_VERSION 120
#define CONVK_CL
#define CONVK_F64
#define CONVK_WITH_SEPCONV
#define CONVK_WITH_STENCIL
#define CONVK_WITH_VMATH
#define CONVK_WITH_FFT
#include "convk.h"

#include <pthread.h>
#include <time.h>

cl_program __real_clCreateProgramWithSource(cl_context context, cl_uint count, const char **lines, const size_t *lengths,
                                            cl_int *error);
cl_program __wrap_clCreateProgramWithSource(cl_context context, cl_uint count, const char **lines, const size_t *lengths,
                                            cl_int *error);
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int built; /* from text */
cl_program __wrap_clCreateProgramWithSource(cl_context context, cl_uint count, const char **lines, const size_t *lengths,
                                            cl_int *error) {
  pthread_mutex_lock(&mutex);
  built++;
  pthread_mutex_unlock(&mutex);
  return __real_clCreateProgramWithSource(context, count, lines, lengths, error);
}

static int passed, failed;
static void check(int good, const char *what) {
  if (good) passed++;
  else failed++;
  if (!good) printf("FAIL %s\n", what);
}

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

enum { NX = 24, NY = 12, NZ = 6, POINTS = NX * NY * NZ };
typedef struct results {
  double filtered[POINTS], stepped[POINTS], exponentials[POINTS], transformed[2 * 16 * 12];
} results;

/* One call of each of four families; their statuses, or-ed. */
static int calls(convk *hw, results *r) {
  const convk_sepconv3d_shape shape = {{NX, NY, NZ, 0, 0}, {0, 0, 0, 0, 0}, {0, 0, 0}}; /* periodic */
  const convk_stencil7_shape torus = {{NX, NY, NZ, 0, 0},
                                      {CONVK_BOUNDARY_PERIODIC, CONVK_BOUNDARY_PERIODIC, CONVK_BOUNDARY_PERIODIC}};
  const convk_stencil7_coefficients_f64 coefficients = {0.5, 0.1, 0.1, 0.1, 0.1, 0.05, 0.05};
  static const convk_batch2d batch = {1, 0, 0, 0, 0, NULL, 0};
  size_t bytes = 0;
  const int sized = convk_fft2d_plan_size_c64(hw, 16, 12, &bytes);
  double x[POINTS], again[POINTS], *result = NULL;
  void *plan = malloc(bytes);
  int i, status;
  memset(r, 0, sizeof *r);
  for (i = 0; i < POINTS; i++) x[i] = again[i] = (double)(i * 37 % 101) / 101;
  status = convk_magicfilter3d_f64(hw, &shape, CONVK_FORWARD, NULL, x, r->filtered, NULL, 0);
  status |= convk_stencil7_f64(hw, &torus, &coefficients, 2, again, r->stepped, &result, NULL, 0);
  if (result) memcpy(r->stepped, result, sizeof again);
  status |= convk_exp_f64(hw, POINTS, x, r->exponentials);
  status |= sized | convk_fft2d_prepare_c64(hw, 16, 12, plan, bytes);
  status |= convk_fft2d_c64(hw, plan, CONVK_FORWARD, &batch, x, r->transformed, NULL, 0);
  free(plan);
  return status;
}

typedef struct worker {
  convk hw;
  results r;
  int status;
} worker;
static void *work(void *given) {
  worker *w = (worker *)given;
  int i;
  for (i = 0; i < 5 && !w->status; i++) w->status = calls(&w->hw, &w->r);
  return NULL;
}

/* One handle's programs, for two threads at the same time. */
static void threads(convk *hw, const results *wanted) {
  static worker workers[2];
  pthread_t thread[2];
  int i;
  built = 0;
  for (i = 0; i < 2; i++) {
    check(!convk_open(&workers[i].hw, "opencl"), "a handle for a thread opens");
    check(!convk_cl_programs_share(convk_cl_of(&workers[i].hw), convk_cl_of(hw)), "a thread's handle takes programs over");
  }
  for (i = 0; i < 2; i++) (void)pthread_create(&thread[i], NULL, work, &workers[i]);
  for (i = 0; i < 2; i++) {
    (void)pthread_join(thread[i], NULL);
    check(!workers[i].status && !memcmp(&workers[i].r, wanted, sizeof *wanted), "threads: the same bits");
    convk_close(&workers[i].hw);
  }
  check(built == 0, "threads: nothing is built");
}

/* The same on one context: two threads make kernels of the same programs. */
typedef struct exponentials {
  convk_cl cl;
  cl_command_queue queue;
  cl_mem x;
  double y[1000];
  int status;
} exponentials;
static void *exponential(void *given) {
  exponentials *e = (exponentials *)given;
  const cl_mem y = clCreateBuffer(e->cl.context, CL_MEM_READ_WRITE, sizeof e->y, NULL, NULL);
  int i;
  const convk_cl_array from = {e->x, 0}, to = {y, 0};
  const convk_cl_queue on = {&e->cl, e->queue, 0, NULL, NULL};
  for (i = 0; i < 20 && !e->status; i++) e->status = convk_cl_exp_f64(&on, 1000, from, to);
  e->status |= clEnqueueReadBuffer(e->queue, y, CL_TRUE, 0, sizeof e->y, e->y, 0, NULL, NULL);
  clReleaseMemObject(y);
  return NULL;
}
static void one_context(convk *hw) {
  static exponentials all[3]; /* the first builds, the others share */
  convk_cl *cl = convk_cl_of(hw);
  double x[1000];
  pthread_t thread[2];
  int i;
  for (i = 0; i < 1000; i++) x[i] = 0.01 * i;
  for (i = 0; i < 3; i++) {
    check(!convk_cl_open(&all[i].cl, cl->context, cl->device), "one context: opens");
    all[i].queue = clCreateCommandQueue(cl->context, cl->device, 0, NULL);
    all[i].x = clCreateBuffer(cl->context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof x, x, NULL);
    if (!i) (void)exponential(&all[0]);
    built = 0;
    if (i) check(!convk_cl_programs_share(&all[i].cl, &all[0].cl), "one context: shared");
  }
  convk_cl_close(&all[0].cl);
  for (i = 0; i < 2; i++) (void)pthread_create(&thread[i], NULL, exponential, &all[i + 1]);
  for (i = 0; i < 2; i++) (void)pthread_join(thread[i], NULL);
  check(built == 0, "one context: nothing is built");
  for (i = 0; i < 3; i++) {
    check(!all[i].status && !memcmp(all[i].y, all[0].y, sizeof x), "one context: the same bits");
    clReleaseMemObject(all[i].x);
    clReleaseCommandQueue(all[i].queue);
    convk_cl_close(&all[i].cl);
  }
}

/* Four steps of the stencil on buffers, in two passes; what the call says. */
static int steps_there(convk_cl *cl, cl_mem a, cl_mem b) {
  const convk_stencil7_shape torus = {{NX, NY, NZ, 0, 0},
                                      {CONVK_BOUNDARY_PERIODIC, CONVK_BOUNDARY_PERIODIC, CONVK_BOUNDARY_PERIODIC}};
  const convk_stencil7_coefficients_f64 coefficients = {0.5, 0.1, 0.1, 0.1, 0.1, 0.05, 0.05};
  const cl_command_queue queue = clCreateCommandQueue(cl->context, cl->device, 0, NULL);
  const convk_cl_queue on = {cl, queue, 0, NULL, NULL};
  const convk_cl_array from = {a, 0}, to = {b, 0}, none = {NULL, 0};
  convk_cl_array result;
  const int status = convk_cl_stencil7_f64(&on, &torus, &coefficients, 4, from, to, &result, none, 0);
  (void)clFinish(queue);
  (void)clReleaseCommandQueue(queue);
  return status;
}

/* Tuned entries decide what calls build, on host arrays and on buffers, and change no bit; those of another device do not. */
static void tuned(convk *hw, const results *wanted) {
  static results again;
  static double zeros[POINTS];
  convk_cl *const cl = convk_cl_of(hw);
  convk_tuned entry;
  convk closed;
  cl_mem a, b;
  memset(&entry, 0, sizeof entry);
  memset(&closed, 0, sizeof closed);
  strcpy(entry.operation, "stencil7");
  strcpy(entry.type, "f64");
  strcpy(entry.hw, "opencl");
  memcpy(entry.machine, hw->machine, sizeof entry.machine);
  entry.threads = 1;
  entry.nx = NX;
  entry.ny = NY;
  entry.nz = NZ;
  entry.length = 2;
  entry.choice[CONVK_TUNE_TILE_X] = 32;
  hw->tuned = &entry;
  hw->ntuned = 1;
  entry.machine[0]++;
  built = 0;
  check(!calls(hw, &again) && built == 0, "an entry of another device does not count");
  entry.machine[0]--;
  check(!calls(hw, &again) && built == 1, "an entry of this device builds another tile");
  check(!memcmp(&again, wanted, sizeof again), "a tuned call has the same bits");
  check(!calls(hw, &again) && built == 1, "the tile is built once");
  a = clCreateBuffer(cl->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof zeros, zeros, NULL);
  b = clCreateBuffer(cl->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof zeros, zeros, NULL);
  entry.choice[CONVK_TUNE_TILE_Y] = 8;
  check(!steps_there(cl, a, b), "a call on buffers");
  built = 0;
  check(!steps_there(cl, a, b) && built == 0, "calls on buffers do not know the handle");
  cl->hw = hw;
  check(!steps_there(cl, a, b) && built == 1, "calls on buffers use the handle's entry");
  cl->stencil_steps = 1;
  check(!steps_there(cl, a, b) && built == 2, "steps by hand, and the tile as tuned");
  cl->stencil_steps = 0;
  cl->hw = &closed;
  check(steps_there(cl, a, b) == CONVK_ERR_HANDLE && strstr(cl->message, "on->cl->hw"), "a handle that is not open");
  cl->hw = NULL;
  hw->ntuned = 0;
  (void)clReleaseMemObject(a);
  (void)clReleaseMemObject(b);
}

/* A handle that has loaded these bytes: its results, and how many programs it has built. */
static int reloaded(const char *data, size_t bytes, results *r, int wanted) {
  convk hw;
  const double start = seconds();
  check(!convk_open(&hw, "opencl"), "opens");
  check(convk_cl_programs_load(convk_cl_of(&hw), data, bytes) == wanted, "loads");
  built = 0;
  check(!calls(&hw, r), "runs");
  convk_close(&hw);
  return (int)(1000 * (seconds() - start));
}

int main(int argc, char **argv) {
  const int times = argc > 1 && !strcmp(argv[1], "--times");
  static results first, next;
  const double start = seconds();
  size_t bytes = 0, got = 0, i;
  int from_text, from_binaries;
  char *data;
  convk hw;
  if (convk_open(&hw, "opencl") || calls(&hw, &first)) {
    printf("FAIL first calls: %s\n", hw.message);
    return 1;
  }
  from_text = (int)(1000 * (seconds() - start));
  check(built >= 5, "the first calls build programs");
  check(!convk_cl_programs_save(convk_cl_of(&hw), NULL, 0, &bytes) && bytes > 5000, "asks for the size");
  data = (char *)malloc(bytes);
  check(!convk_cl_programs_save(convk_cl_of(&hw), data, bytes, &got) && got == bytes, "saves");
  from_binaries = reloaded(data, bytes, &next, CONVK_OK);
  check(built == 0, "what was saved is not built again");
  check(!memcmp(&first, &next, sizeof first), "saved programs give the same bits");
  if (times)
    printf("first calls with %lu bytes of programs: %d ms from text, %d ms from binaries\n", (unsigned long)bytes, from_text,
           from_binaries);
  for (i = bytes / 2; i < bytes / 2 + 100; i++) data[i] = (char)~data[i];
  (void)reloaded(data, bytes, &next, CONVK_ERR_PROGRAMS);
  check(built >= 5, "damaged bytes are built from text");
  check(!memcmp(&first, &next, sizeof first), "damaged bytes change no bits");
  threads(&hw, &first);
  one_context(&hw);
  tuned(&hw, &first);
  convk_close(&hw);
  free(data);
  printf("%d passed, %d failed, 0 skipped\n", passed, failed);
  return failed != 0;
}
