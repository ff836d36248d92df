/* SPDX-License-Identifier: MIT
   What the host side of OpenCL asks of devices that are not here: linked with tests/bench/audit/opencl_device.c, which runs
   nothing, refuses what is beyond the limits of its devices, and counts.  Which device "opencl" is, local memory, work-groups
   along y, programs that are kept, shared and saved.
     cc -std=gnu99 -I. tests/test_opencl_host.c tests/bench/audit/opencl_device.c -o test_opencl_host -lm */
#define CL_TARGET_OPENCL_VERSION 120
#define CONVK_CL
#include <math.h>
#include <stdlib.h>

static long blocks, fails_in = -1; /* memory that is not given back; how many more there is memory for, -1: any */
static void *give(size_t bytes) {
  if (fails_in == 0) return NULL;
  if (fails_in > 0) fails_in--;
  blocks++;
  return malloc(bytes);
}
static void take(void *memory) {
  blocks -= memory != NULL;
  free(memory);
}
#define CONVK_MALLOC(bytes) give(bytes)
#define CONVK_FREE(memory) take(memory)
#include "families.h"
#include "convk.h"

#include "bench/audit/opencl_device.h"

static int passed, failed;
static void check(int good, const char *what, const char *which) {
  if (good) passed++;
  else failed++;
  if (!good) printf("FAIL %s: %s\n", what, which);
}
static void is(int status, int wanted, const char *what, const char *which) {
  char text[256];
  snprintf(text, sizeof text, "%s: %s, not %s", which, convk_strerror(status), convk_strerror(wanted));
  check(status == wanted, what, text);
}

static void set(const char *name, const char *value) {
  if (value) setenv(name, value, 1);
  else unsetenv(name);
}
static void set_number(const char *name, size_t value) {
  char text[32];
  snprintf(text, sizeof text, "%lu", (unsigned long)value);
  set(name, text);
}

/* ---- which device ---- */

static void devices(void) {
  /* the devices, by platform; what is asked for; what it gets, NULL: refused */
  static const char *const list[][3] = {
      {"gpu", "opencl", "gpu"},
      {"cpu+fp64", "opencl", "cpu+fp64"},
      {"gpu,gpu+fp64", "opencl", "gpu+fp64"},
      {"gpu;gpu+fp64", "opencl", "gpu+fp64"},
      {"gpu+fp64+first,gpu+fp64", "opencl", "gpu+fp64+first"},
      {"cpu+fp64;gpu", "opencl", "gpu"},
      {"cpu+fp64;gpu;gpu+fp64", "opencl", "gpu+fp64"},
      {"cpu;cpu+fp64", "opencl", "cpu+fp64"},
      {"cpu,box", "opencl", "cpu"},
      {"gpu+fp64+off,gpu", "opencl", "gpu"},
      {"gpu+fp64+text;cpu", "opencl", "cpu"},
      {"gpu+fp64+off;cpu+text", "opencl", NULL},
      {"gpu;gpu+fp64", "opencl:0", "gpu"},
      {"gpu;gpu+fp64", "opencl:1", "gpu+fp64"},
      {"gpu;gpu+fp64", "opencl:2", NULL},
      {"gpu;gpu+fp64", "opencl:GPU", "gpu"},
      {"gpu+off;gpu+fp64", "opencl:0", NULL},
      {"gpu;gpu+fp64", "opencl:FP64", "gpu+fp64"},
  };
  size_t i;
  for (i = 0; i < sizeof list / sizeof *list; i++) {
    char name[64] = "", which[128];
    convk hw;
    int status;
    snprintf(which, sizeof which, "%s of %s", list[i][1], list[i][0]);
    set("CONVK_OPENCL_DEVICES", list[i][0]);
    status = convk_open(&hw, list[i][1]);
    is(status, list[i][2] ? CONVK_OK : CONVK_ERR_HW_MACHINE, "devices", which);
    if (!status) (void)clGetDeviceInfo(convk_cl_of(&hw)->device, CL_DEVICE_NAME, sizeof name, name, NULL);
    if (!status && list[i][2]) check(!strcmp(name, list[i][2]), "devices", which);
    convk_close(&hw);
    check(opencl_seen.live == 0 && blocks == 0, "devices: everything is given back", which);
  }
  set("CONVK_OPENCL_DEVICES", NULL);
}

/* ---- launches within the limits ---- */

typedef struct setting {
  convk hw;
  convk_cl *cl;
  cl_command_queue queue;
} setting;

static void begin(setting *s, const char *device) {
  set("CONVK_OPENCL_DEVICES", device);
  is(convk_open(&s->hw, "opencl"), CONVK_OK, "a device opens", device);
  s->cl = convk_cl_of(&s->hw);
  s->queue = clCreateCommandQueue(s->cl->context, s->cl->device, 0, NULL);
  opencl_seen.groups_y = opencl_seen.local_bytes = 0;
  opencl_seen.launches = 0;
}
static void end(setting *s) {
  clReleaseCommandQueue(s->queue);
  convk_close(&s->hw);
  set("CONVK_OPENCL_DEVICES", NULL);
  set("CONVK_OPENCL_LOCAL", NULL);
  check(opencl_seen.live == 0 && blocks == 0, "everything is given back", "launches");
}
/* Memory that is only asked for its size. */
static cl_mem buffer(setting *s, size_t bytes) { return clCreateBuffer(s->cl->context, CL_MEM_READ_WRITE, bytes, NULL, NULL); }

static const char *const shapes[2] = {"gpu+fp64", "cpu+fp64"};

static size_t plan_at; /* bytes before a plan on the device */

/* One transform or convolution of one item; whether one launch did it, or -1. */
static int one_item(setting *s, int transform, int real, size_t rows, size_t columns) {
  const size_t taken = 2 * sizeof(double) * rows * columns;
  convk_fftconv2d_shape shape;
  convk_cl_batch2d batch;
  convk_cl_queue on;
  size_t bytes, work_bytes = 0;
  convk_cl_array device_plan = {NULL, 0}, in = {NULL, 0}, out = {NULL, 0}, work = {NULL, 0};
  double *kernel = NULL;
  void *plan;
  int status;
  memset(&shape, 0, sizeof shape);
  memset(&batch, 0, sizeof batch);
  memset(&on, 0, sizeof on);
  batch.items = 1;
  shape.rows = rows / 2;
  shape.columns = columns / 2;
  shape.kernel_rows = rows - shape.rows + 1;
  shape.kernel_columns = columns - shape.columns + 1;
  shape.mode = CONVK_FFT_FULL;
  shape.fft_rows = rows;
  shape.fft_columns = columns;
  status = transform ? convk_fft2d_plan_size_c64(&s->hw, rows, columns, &bytes)
           : real    ? convk_fftconv2d_plan_size_f64(&s->hw, &shape, 1, &bytes)
                     : convk_fftconv2d_plan_size_c64(&s->hw, &shape, 1, &bytes);
  if (status) return -1; /* not a size of transforms */
  plan = malloc(bytes);
  kernel = (double *)calloc(1, 4 * taken);
  status = transform ? convk_fft2d_prepare_c64(&s->hw, rows, columns, plan, bytes)
           : real    ? convk_fftconv2d_prepare_f64(&s->hw, &shape, 1, kernel, 0, 0, plan, bytes)
                     : convk_fftconv2d_prepare_c64(&s->hw, &shape, 1, kernel, 0, 0, plan, bytes);
  if (status) {
    free(plan);
    free(kernel);
    return -1;
  }
  on.cl = s->cl;
  on.queue = s->queue;
  status = transform ? convk_cl_fft2d_work_size_c64(&on, plan, 1, &work_bytes)
           : real    ? convk_cl_fftconv2d_work_size_f64(&on, plan, 1, &work_bytes)
                     : convk_cl_fftconv2d_work_size_c64(&on, plan, 1, &work_bytes);
  is(status, status ? CONVK_ERR_UNSUPPORTED : CONVK_OK, "local memory", "size of work");
  device_plan.mem = buffer(s, plan_at + bytes);
  device_plan.offset = plan_at;
  in.mem = buffer(s, taken);
  out.mem = buffer(s, 4 * taken);
  work.mem = work_bytes ? buffer(s, work_bytes) : NULL;
  opencl_seen.launches = 0;
  status = transform ? convk_cl_fft2d_c64(&on, plan, device_plan, CONVK_FORWARD, &batch, in, out, work, work_bytes)
           : real    ? convk_cl_fftconv2d_f64(&on, plan, device_plan, &batch, in, out, work, work_bytes)
                     : convk_cl_fftconv2d_c64(&on, plan, device_plan, &batch, in, out, work, work_bytes);
  if (status && status != CONVK_ERR_UNSUPPORTED) {
    char text[128];
    snprintf(text, sizeof text, "%s %dx%d, %d bytes",
             transform ? "fft2d"
             : real    ? "fftconv2d f64"
                       : "fftconv2d c64",
             (int)rows, (int)columns, (int)opencl_seen.local_bytes);
    is(status, CONVK_OK, "local memory", text);
  }
  clReleaseMemObject(device_plan.mem);
  clReleaseMemObject(in.mem);
  clReleaseMemObject(out.mem);
  if (work.mem) clReleaseMemObject(work.mem);
  free(plan);
  free(kernel);
  return status ? -1 : opencl_seen.launches == 1;
}

/* Transforms whose local memory is just there, just not, and all other ones. */
static void local_memory(const char *device) {
  static const size_t whole[][2] = {{64, 63}, {90, 45}, {12, 315}}; /* fill 65,536 bytes to the last word as c64 */
  setting s;
  size_t i, bytes;
  int kind;
  begin(&s, device);
  for (i = 0; i < sizeof whole / sizeof *whole; i++)
    check(one_item(&s, 1, 0, whole[i][0], whole[i][1]) == 1, "local memory: one launch where it is just enough", device);
  check(opencl_seen.local_bytes == 65536, "local memory: all of it", device);
  for (bytes = 65536; bytes >= 1024; bytes -= bytes > 4096 ? 5000 : 8) {
    s.cl->local_bytes = bytes;
    set_number("CONVK_OPENCL_LOCAL", bytes);
    opencl_seen.local_bytes = 0;
    for (kind = 0; kind < 3; kind++) (void)one_item(&s, kind == 0, kind == 1, 12, 10);
    for (i = 8; bytes > 4096 && i < 256; i++)
      for (kind = 0; kind < 3; kind++) (void)one_item(&s, kind == 0, kind == 1, i, bytes / 16 / (i | 1) + (i & 1));
    check(opencl_seen.local_bytes <= bytes && opencl_seen.local_bytes, "local memory: no more than there is", device);
  }
  end(&s);
}

/* A plan lies anywhere in a buffer, also 16 GiB behind its beginning: kernels are told where its tables are. */
static void far_plans(const char *device) {
  const size_t far = (size_t)1 << 34;
  convk_fft_device_ told[2];
  setting s;
  int i, kind;
  begin(&s, device);
  for (kind = 0; kind < 3; kind++) {
    for (i = 0; i < 2; i++) {
      plan_at = i ? far : 0;
      check(one_item(&s, kind == 0, kind == 1, 12, 10) >= 0, "plans far behind the beginning of a buffer", device);
      memcpy(&told[i], opencl_seen.argument, sizeof told[i]);
    }
    check(told[1].position_y - told[0].position_y == far / sizeof(uint32_t) &&
              told[1].position_x - told[0].position_x == far / sizeof(uint32_t) &&
              told[1].tables - told[0].tables == far / sizeof(double),
          "where the tables of such a plan are", device);
  }
  plan_at = 0;
  end(&s);
}

/* The filters, whose tiles become smaller. */
static void local_filters(const char *device) {
  const double ones[64] = {1};
  const convk_sepconv3d_shape grid = {{200, 100, 20, 0, 0}, {0, 0, 0, 0, 0}, {0, 0, 0}}; /* periodic */
  const convk_conv1d_shape rows = {200, 100, 200, 100, CONVK_BOUNDARY_PERIODIC};
  const size_t points = grid.in.nx * grid.in.ny * grid.in.nz;
  size_t bytes;
  int taps;
  cl_mem in, out, work;
  convk_cl_queue on = {NULL, NULL, 0, NULL, NULL};
  convk_cl_array from = {NULL, 0}, to = {NULL, 0}, there = {NULL, 0};
  const convk_cl_array none = {NULL, 0};
  setting s;
  begin(&s, device);
  in = buffer(&s, points * sizeof(double));
  out = buffer(&s, points * sizeof(double));
  work = buffer(&s, 64 * points * sizeof(double));
  on.cl = s.cl;
  on.queue = s.queue;
  from.mem = in;
  to.mem = out;
  there.mem = work;
  for (bytes = 512; bytes <= 65536; bytes += bytes < 4096 ? 8 : 4096)
    for (taps = 1; taps <= 64; taps += 21) {
      const convk_filter_f64 filter = {-taps / 2, (taps - 1) / 2, ones};
      const convk_filter_f64 all[3] = {filter, filter, filter};
      int status;
      s.cl->local_bytes = bytes;
      set_number("CONVK_OPENCL_LOCAL", bytes);
      status = convk_cl_sepconv3d_f64(&on, &grid, all, NULL, from, to, there, 64 * points * sizeof(double));
      check(status == CONVK_OK || status == CONVK_ERR_UNSUPPORTED, "local memory of sepconv3d", convk_strerror(status));
      status = convk_cl_conv1d_transpose_f64(&on, &rows, &filter, from, to, none, 0);
      check(status == CONVK_OK || status == CONVK_ERR_UNSUPPORTED, "local memory of conv1d_transpose", convk_strerror(status));
    }
  check(opencl_seen.launches > 0, "local memory of filters: some ran", device);
  clReleaseMemObject(in);
  clReleaseMemObject(out);
  clReleaseMemObject(work);
  end(&s);
}

/* Gaussians on so many points or with so many rows that groups along y are more than 65,535. */
static void many_gaussians(setting *s, const char *device) {
  static const double exponents[1] = {1}, ones[1] = {1}, alpha[4] = {-1, -2, -3, -4};
  const size_t n = (size_t)5 << 20, rows = 600000;
  const cl_mem any = buffer(s, (size_t)1 << 40);
  const convk_cl_queue on = {s->cl, s->queue, 0, NULL, NULL};
  convk_cl_points points;
  convk_gaussian_options options;
  convk_shell shell;
  convk_cl_vgl out;
  double *many = (double *)calloc(rows, sizeof *many);
  convk_gaussians_f64 gaussians = {{0, 0, 0}, 4, alpha, 0, NULL, 0};
  convk_orbital_set_f64 set;
  convk_orbitals_plan_f64 *plan;
  convk_cl_array *const each[5] = {&out.value, &out.dx, &out.dy, &out.dz, &out.laplacian}, result = {any, 3 * n};
  const convk_cl_array there = {any, (size_t)1 << 36};
  size_t i, bytes = 0;
  memset(&points, 0, sizeof points);
  memset(&options, 0, sizeof options);
  memset(&shell, 0, sizeof shell);
  points.n = n;
  points.x.mem = points.y.mem = points.z.mem = any;
  points.y.offset = n;
  points.z.offset = 2 * n;
  memset(&out, 0, sizeof out);
  memset(&set, 0, sizeof set);
  for (i = 0; i < 5; i++) {
    each[i]->mem = any;
    each[i]->offset = 3 * n + i * rows * 64;
  }
  shell.primitives = 1;
  shell.exponents = exponents;
  shell.coefficients = ones;
  options.layout = CONVK_GRIDPOT_EXPONENTS_CONTIGUOUS;
  is(convk_cl_gridpot_f64(&on, &points, &gaussians, &options, result, 0), CONVK_OK, "gridpot", device);
  check(opencl_seen.launches > 1, "gridpot in more than one launch", device);
  points.n = 64;
  for (i = 0; i < rows; i++) many[i] = -1;
  gaussians.n = rows;
  gaussians.alpha = many;
  is(convk_cl_gridpot_f64(&on, &points, &gaussians, NULL, result, 0), CONVK_OK, "gridpot of many exponents", device);
  gaussians.n = 1;
  gaussians.nsums = rows;
  gaussians.coefficients = many;
  is(convk_cl_gridpot_sum_f64(&on, &points, &gaussians, NULL, result, 0), CONVK_OK, "gridpot_sum", device);
  set.nshells = 1;
  set.shells = &shell;
  set.norbitals = rows;
  set.coefficients = set.occupations = many;
  is(convk_orbitals_plan_size_f64(NULL, &set, &bytes), CONVK_OK, "plan_size", device);
  plan = (convk_orbitals_plan_f64 *)malloc(bytes);
  is(convk_orbitals_prepare_f64(NULL, &set, plan, bytes), CONVK_OK, "prepare", device);
  is(convk_cl_orbitals_f64(&on, &points, plan, there, NULL, result, 0), CONVK_OK, "orbitals", device);
  is(convk_cl_orbitals_vgl_f64(&on, &points, plan, there, NULL, &out), CONVK_OK, "orbitals_vgl", device);
  is(convk_cl_density_f64(&on, &points, plan, there, NULL, result), CONVK_OK, "density", device);
  free(plan);
  free(many);
  clReleaseMemObject(any);
}

/* Form factors of 100 million triangles, a list and a grid. */
static void many_triangles(setting *s, const char *device) {
  const size_t n = 100000000;
  const convk_grid3 grid = {1, 1, 1, 0, 0};
  const size_t room = (size_t)1 << 40;
  const cl_mem any = buffer(s, room), work = buffer(s, room), f = buffer(s, 4096);
  const convk_cl_array to = {f, 0}, there = {work, 0};
  convk_cl_queue on;
  convk_mesh_measures measures;
  convk_cl_mesh mesh;
  convk_cl_q q;
  int d;
  memset(&mesh, 0, sizeof mesh);
  memset(&measures, 0, sizeof measures);
  memset(&q, 0, sizeof q);
  mesh.n = n;
  mesh.ax.mem = mesh.ay.mem = mesh.az.mem = mesh.x.mem = mesh.y.mem = mesh.z.mem = any;
  memset(&on, 0, sizeof on);
  on.cl = s->cl;
  on.queue = s->queue;
  q.n = 1;
  q.x.mem = q.y.mem = q.z.mem = any;
  measures.area = measures.volume = 1;
  measures.closed = 1;
  for (d = 0; d < 3; d++) measures.most[d] = 1;
  is(convk_cl_formfactor_f64(&on, &mesh, &measures, &q, NULL, to, there, room), CONVK_OK, "formfactor", device);
  is(convk_cl_formfactor_grid_f64(&on, &mesh, &measures, &grid, &q, NULL, to, there, room), CONVK_OK, "formfactor_grid",
     device);
  clReleaseMemObject(any);
  clReleaseMemObject(work);
  clReleaseMemObject(f);
}

#define RESIDENT(name) convk_cl_##name
#define RESIDENT_ON const convk_cl_queue
#define RESIDENT_SAID on->cl->message
#define RESIDENT_ARRAY(type) convk_cl_array
#define RESIDENT_NONE no_array
#define RESIDENT_AT(type, array, k) from_element(array, k)
#define RESIDENT_ONLY_CL(...) __VA_ARGS__
static const convk_cl_array no_array = {NULL, 0};
static convk_cl_array from_element(convk_cl_array array, size_t k) {
  array.offset += k;
  return array;
}
static void resident_refused(int good, const char *what, const char *why) { check(good, what, why); }
#include "resident_sepconv.h"
#include "resident_dwt.h"

#include "resident_gaussian.h"

/* This device reads no plan. */
static void send_plan(const convk_cl_queue *on, convk_cl_array there, const void *plan, size_t bytes) {
  (void)on;
  (void)there;
  (void)plan;
  check(bytes < RESIDENT_WORK, "a plan", "bytes");
}

static void refusals(const char *device) {
  static const double numbers[3] = {-1, -2, -3};
  convk_cl_array array[6];
  convk_cl_queue on;
  setting s;
  int i;
  begin(&s, device);
  memset(&on, 0, sizeof on);
  on.cl = s.cl;
  on.queue = s.queue;
  for (i = 0; i < 6; i++) {
    array[i].mem = buffer(&s, i == 5 ? RESIDENT_WORK : 4 * RESIDENT_N * sizeof(double));
    array[i].offset = 0;
  }
  resident_sepconv(&on, array[0], array[1], array[2], array[3], array[4], array[5]);
  resident_dwt(&on, array[0], array[1], array[5]);
  resident_gaussian(&on, array[0], array[1], array[2], array[5], numbers, send_plan);
  for (i = 0; i < 6; i++) clReleaseMemObject(array[i].mem);
  end(&s);
}

/* Grids that are long in z. */
static void many_planes(setting *s, const char *device) {
  const convk_stencil7_shape torus = {{1, 1, (size_t)20 << 20, 0, 0}, {0, 0, 0}}; /* periodic */
  const convk_stencil7_coefficients_f64 coefficients = {0.5, 0.1, 0.1, 0.1, 0.1, 0.05, 0.05};
  const cl_mem a = buffer(s, torus.grid.nz * sizeof(double)), b = buffer(s, torus.grid.nz * sizeof(double));
  const cl_mem work = buffer(s, (size_t)1 << 40), sum = buffer(s, 64);
  const convk_sepconv3d_shape shape = {{1, 1, (size_t)20 << 20, 0, 0}, {0, 0, 0, 0, 0}, {0, 0, 0}};
  const convk_cl_array from = {a, 0}, to = {b, 0}, there = {work, 0}, none = {NULL, 0};
  const convk_cl_queue on = {s->cl, s->queue, 0, NULL, NULL};
  convk_cl_sepconv_epilogue_f64 epilogue;
  convk_cl_array result;
  memset(&epilogue, 0, sizeof epilogue);
  epilogue.dot.mem = sum;
  is(convk_cl_stencil7_f64(&on, &torus, &coefficients, 3, from, to, &result, none, 0), CONVK_OK, "stencil7", device);
  is(convk_cl_magicfilter3d_f64(&on, &shape, CONVK_FORWARD, NULL, from, to, there, (size_t)1 << 40), CONVK_OK, "magicfilter3d",
     device);
  is(convk_cl_magicfilter3d_f64(&on, &shape, CONVK_FORWARD, &epilogue, from, to, there, (size_t)1 << 40), CONVK_OK,
     "magicfilter3d with a sum", device);
  clReleaseMemObject(a);
  clReleaseMemObject(b);
  clReleaseMemObject(work);
  clReleaseMemObject(sum);
}

static void groups(const char *device) {
  static void (*const each[])(setting *, const char *) = {many_gaussians, many_triangles, many_planes};
  size_t i;
  for (i = 0; i < sizeof each / sizeof *each; i++) {
    setting s;
    set("CONVK_OPENCL_UNITS", "100000"); /* a device that wants many groups */
    begin(&s, device);
    each[i](&s, device);
    check(opencl_seen.groups_y > 1000 && opencl_seen.groups_y <= 65535, "groups along y: many, and at most 65,535", device);
    end(&s);
    set("CONVK_OPENCL_UNITS", NULL);
  }
}

/* ---- host arrays, and calls that do nothing ---- */

/* A buffer of an earlier call serves again if it is large enough; one number more may be too many. */
static void growing(setting *s, const char *device) {
  double x[40] = {0};
  size_t n;
  for (n = 1; n <= sizeof x / sizeof *x; n++) is(convk_exp_f64(&s->hw, n, x, x), CONVK_OK, "a host array that grows", device);
}

/* A number between two planes of a result is nobody's. */
static void between_planes(setting *s, const char *device) {
  enum { N = 4, PLANE = N * N + 1 };
  const convk_dwt3d_shape shape = {{N, N, N, N, PLANE}, {N, N, N, N, PLANE}, {0, 0, 0}, 1};
  double in[N * PLANE] = {0}, out[N * PLANE];
  int i, same = 0;
  for (i = 0; i < N * PLANE; i++) out[i] = 7;
  is(convk_r_to_s1_f64(&s->hw, &shape, in, out, NULL, 0), CONVK_OK, "r_to_s1", device);
  for (i = PLANE - 1; i < N * PLANE; i += PLANE) same += out[i] == 7;
  check(same == N, "what lies between planes stays", device);
}

/* A call that enqueues nothing has an event all the same. */
static void event_of_nothing(setting *s, const char *device) {
  const cl_mem mem = buffer(s, 8);
  const convk_cl_array x = {mem, 0};
  cl_event event = NULL;
  convk_cl_queue on = {NULL, NULL, 0, NULL, NULL};
  on.cl = s->cl;
  on.queue = s->queue;
  on.event = &event;
  is(convk_cl_exp_f64(&on, 0, x, x), CONVK_OK, "no numbers", device);
  check(event != NULL, "no numbers have an event", device);
  if (event) clReleaseEvent(event);
  clReleaseMemObject(mem);
}

static void host_arrays(const char *device) {
  setting s;
  set("CONVK_OPENCL_KERNEL_ITEMS", "32"); /* kernels that take fewer items than the device has */
  begin(&s, device);
  growing(&s, device);
  between_planes(&s, device);
  event_of_nothing(&s, device);
  end(&s);
  set("CONVK_OPENCL_KERNEL_ITEMS", NULL);
}

/* ---- programs that are kept ---- */

/* Three calls that need programs: one of them has a size of its own.  How many were built, and how many came as binaries. */
typedef struct made {
  long built, loaded;
} made;
static made calls(convk_cl *cl, const char *which) {
  const convk_sepconv3d_shape shape = {{20, 10, 5, 0, 0}, {0, 0, 0, 0, 0}, {0, 0, 0}};
  const cl_command_queue queue = clCreateCommandQueue(cl->context, cl->device, 0, NULL);
  const cl_mem a = clCreateBuffer(cl->context, CL_MEM_READ_WRITE, 8000, NULL, NULL);
  const cl_mem b = clCreateBuffer(cl->context, CL_MEM_READ_WRITE, 8000, NULL, NULL);
  const cl_mem work = clCreateBuffer(cl->context, CL_MEM_READ_WRITE, 100000, NULL, NULL);
  const convk_cl_queue on = {cl, queue, 0, NULL, NULL};
  const convk_cl_array at_a = {a, 0}, at_b = {b, 0}, there = {work, 0};
  const made before = {opencl_seen.built, opencl_seen.loaded};
  made now;
  is(convk_cl_exp_f64(&on, 100, at_a, at_b), CONVK_OK, "exp", which);
  is(convk_cl_exp_f32(&on, 100, at_a, at_b), CONVK_OK, "exp f32", which);
  is(convk_cl_magicfilter3d_f64(&on, &shape, CONVK_FORWARD, NULL, at_a, at_b, there, 100000), CONVK_OK, "magicfilter3d",
     which); /* two programs */
  now.built = opencl_seen.built - before.built;
  now.loaded = opencl_seen.loaded - before.loaded;
  clReleaseMemObject(a);
  clReleaseMemObject(b);
  clReleaseMemObject(work);
  clReleaseCommandQueue(queue);
  return now;
}
static void makes(convk_cl *cl, long built, long loaded, const char *which) {
  const made now = calls(cl, which);
  check(now.built == built, "programs from text", which);
  check(now.loaded == loaded, "programs from binaries", which);
}
enum { PROGRAMS = 4 };

static cl_context context_of(cl_device_id list[3]) {
  cl_platform_id platform;
  set("CONVK_OPENCL_DEVICES", "gpu+fp64,cpu+fp64,gpu+fp64+more");
  (void)clGetPlatformIDs(1, &platform, NULL);
  (void)clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 3, list, NULL);
  return clCreateContext(NULL, 3, list, NULL, NULL, NULL);
}

/* Handles of one context, of another one, and of another device. */
static void shared(void) {
  cl_device_id list[3];
  const cl_context context = context_of(list), other = context_of(list);
  convk_cl one, two, apart, foreign, closed;
  memset(&closed, 0, sizeof closed);
  is(convk_cl_open(&one, context, list[2]), CONVK_OK, "share", "opens");
  is(convk_cl_open(&two, context, list[2]), CONVK_OK, "share", "opens");
  is(convk_cl_open(&apart, other, list[2]), CONVK_OK, "share", "opens");
  is(convk_cl_open(&foreign, context, list[0]), CONVK_OK, "share", "opens");
  makes(&one, PROGRAMS, 0, "share: the first");
  makes(&one, 0, 0, "share: once per handle");
  is(convk_cl_programs_share(&two, &one), CONVK_OK, "share", "on one context");
  makes(&two, 0, 0, "share: on one context");
  is(convk_cl_programs_share(&apart, &two), CONVK_OK, "share", "between contexts");
  is(convk_cl_programs_share(&apart, &two), CONVK_OK, "share", "again");
  is(convk_cl_programs_share(&apart, &apart), CONVK_OK, "share", "with itself");
  convk_cl_close(&one);
  convk_cl_close(&two);
  makes(&apart, 0, PROGRAMS, "share: between contexts, when the first are closed");
  is(convk_cl_programs_share(&foreign, &apart), CONVK_ERR_PROGRAMS, "share", "another device");
  check(strstr(foreign.message, "another device") != NULL, "share: says why", foreign.message);
  is(convk_cl_programs_share(NULL, &apart), CONVK_ERR_NULL, "share", "NULL");
  is(convk_cl_programs_share(&apart, NULL), CONVK_ERR_NULL, "share", "NULL");
  is(convk_cl_programs_share(&closed, &apart), CONVK_ERR_HANDLE, "share", "not open");
  is(convk_cl_programs_share(&apart, &closed), CONVK_ERR_HANDLE, "share", "not open");
  makes(&foreign, PROGRAMS, 0, "share: another device builds its own");
  convk_cl_close(&apart);
  convk_cl_close(&foreign);
  clReleaseContext(context);
  clReleaseContext(other);
  check(opencl_seen.live == 0 && blocks == 0, "everything is given back", "share");
}

/* Refused bytes take no place: all is built. */
static void refused(const void *data, size_t size, const char *why, const char *which) {
  cl_device_id list[3];
  const cl_context context = context_of(list);
  convk_cl cl;
  is(convk_cl_open(&cl, context, list[2]), CONVK_OK, "load", "opens");
  is(convk_cl_programs_load(&cl, data, size), CONVK_ERR_PROGRAMS, "load", which);
  check(strstr(cl.message, why) != NULL, "load: says why", which);
  makes(&cl, PROGRAMS, 0, which);
  convk_cl_close(&cl);
  clReleaseContext(context);
}

/* What convk_cl_programs_save gives of a handle that has made all programs; *size bytes at a misaligned address. */
static char *saved_bytes(convk_cl *cl, size_t *size, char **memory) {
  size_t bytes = 0, less = 0, i;
  char *data;
  is(convk_cl_programs_save(cl, NULL, 0, size), CONVK_OK, "save", "asks for the size");
  *memory = (char *)malloc(*size + 2);
  data = *memory + 1;
  memset(data, 0x55, *size);
  is(convk_cl_programs_save(cl, data, *size - 1, &less), CONVK_ERR_SIZE, "save", "too little memory");
  check(less == *size, "save: too little memory", "the size is given");
  for (i = 0; i < *size; i++) less -= data[i] == 0x55;
  check(less == 0, "save: too little memory", "nothing is written");
  is(convk_cl_programs_save(cl, data, *size, &bytes), CONVK_OK, "save", "all of it");
  check(bytes == *size, "save", "as many bytes as asked for");
  is(convk_cl_programs_save(cl, data, *size, NULL), CONVK_ERR_NULL, "save", "NULL");
  is(convk_cl_programs_save(cl, NULL, 5, &bytes), CONVK_ERR_NULL, "save", "no memory");
  is(convk_cl_programs_save(NULL, NULL, 0, &bytes), CONVK_ERR_NULL, "save", "no handle");
  return data;
}

static void saved(void) {
  cl_device_id list[3];
  const cl_context context = context_of(list);
  char *memory, *data, *again;
  convk_cl first, next, closed;
  size_t size, bytes, i;
  memset(&closed, 0, sizeof closed);
  is(convk_cl_open(&first, context, list[2]), CONVK_OK, "save", "opens");
  makes(&first, PROGRAMS, 0, "save: the first");
  data = saved_bytes(&first, &size, &memory);
  is(convk_cl_programs_save(&closed, NULL, 0, &bytes), CONVK_ERR_HANDLE, "save", "not open");
  is(convk_cl_programs_load(&closed, data, size), CONVK_ERR_HANDLE, "load", "not open");
  is(convk_cl_programs_load(NULL, data, size), CONVK_ERR_NULL, "load", "NULL");
  is(convk_cl_programs_load(&first, NULL, 0), CONVK_ERR_NULL, "load", "NULL");
  convk_cl_close(&first);

  is(convk_cl_open(&next, context, list[2]), CONVK_OK, "load", "opens");
  is(convk_cl_programs_load(&next, data, size), CONVK_OK, "load", "what was saved");
  again = (char *)malloc(size);
  is(convk_cl_programs_save(&next, again, size, &bytes), CONVK_OK, "save", "what was loaded and not used");
  check(bytes == size, "save", "what was loaded and not used");
  convk_cl_close(&next); /* and never used */

  is(convk_cl_open(&next, context, list[2]), CONVK_OK, "load", "opens");
  is(convk_cl_programs_load(&next, again, bytes), CONVK_OK, "load", "what was saved twice");
  is(convk_cl_programs_load(&next, data, size), CONVK_OK, "load", "again");
  check(blocks == 1 + PROGRAMS, "load", "memory for each binary");
  makes(&next, 0, PROGRAMS, "load");
  check(blocks == 1, "load", "binaries are given back after their first use");
  is(convk_cl_programs_load(&next, data, size), CONVK_OK, "load", "what is there");
  makes(&next, 0, 0, "load: what is there");
  convk_cl_close(&next);
  free(again);

  for (i = 0; i < 2; i++) { /* the driver does not want its binaries any more: built from text */
    set("CONVK_OPENCL_REFUSE", i ? "build" : "create");
    is(convk_cl_open(&next, context, list[2]), CONVK_OK, "load", "opens");
    is(convk_cl_programs_load(&next, data, size), CONVK_OK, "load", "what the driver refuses");
    makes(&next, PROGRAMS, 0, "load: what the driver refuses");
    makes(&next, 0, 0, "load: what the driver refuses, once");
    convk_cl_close(&next);
    set("CONVK_OPENCL_REFUSE", NULL);
  }

  for (i = size; i-- > 0; i -= i > 160 ? 96 : 0) { /* the last byte, too */
    data[i] = (char)(data[i] ^ 1);
    refused(data, size, i < 16 ? "none" : i < 24 ? "another version" : "damaged", "load: a bit is wrong");
    data[i] = (char)(data[i] ^ 1);
  }
  for (i = 0; i < size; i += 1 + size / 50) refused(data, i, i < 1072 ? "none" : "damaged", "load: the end is missing");
  refused(data, size + 1, "damaged", "load: a byte too many");
  set("CONVK_OPENCL_DRIVER", "1.1");
  refused(data, size, "another device", "load: of another driver");
  set("CONVK_OPENCL_DRIVER", NULL);
  is(convk_cl_open(&next, context, list[0]), CONVK_OK, "load", "opens");
  is(convk_cl_programs_load(&next, data, size), CONVK_ERR_PROGRAMS, "load", "of another device");
  makes(&next, PROGRAMS, 0, "load: of another device");
  convk_cl_close(&next);
  free(memory);
  clReleaseContext(context);
  check(opencl_seen.live == 0 && blocks == 0, "everything is given back", "save and load");
}

/* Without memory: a status, all that was taken is given back, and what is missing is built. */
static void no_memory(void) {
  cl_device_id list[3];
  const cl_context context = context_of(list), other = context_of(list);
  char data[16384];
  convk_cl one, two;
  size_t bytes;
  int what, status;
  long n;
  is(convk_cl_open(&one, context, list[2]), CONVK_OK, "no memory", "opens");
  makes(&one, PROGRAMS, 0, "no memory: the first");
  is(convk_cl_programs_save(&one, data, sizeof data, &bytes), CONVK_OK, "no memory", "saves");
  for (what = 0; what < 3; what++)
    for (n = 0, status = CONVK_ERR_MEMORY; status && n < 100; n++) {
      const long before = blocks;
      is(convk_cl_open(&two, other, list[2]), CONVK_OK, "no memory", "opens");
      fails_in = n;
      status = what == 0   ? convk_cl_programs_save(&one, data, sizeof data, &bytes)
               : what == 1 ? convk_cl_programs_load(&two, data, bytes)
                           : convk_cl_programs_share(&two, &one);
      fails_in = -1;
      if (status) is(status, CONVK_ERR_MEMORY, "no memory", what == 0 ? "save" : what == 1 ? "load" : "share");
      if (what) {
        const made now = calls(&two, "no memory");
        check(now.built + now.loaded == PROGRAMS && (status || !now.built), "no memory", "the rest is built");
      }
      convk_cl_close(&two);
      check(blocks == before && (status || n >= (what == 0 ? 8 : 4)), "no memory", "what was taken is given back");
    }
  convk_cl_close(&one);
  clReleaseContext(context);
  clReleaseContext(other);
  check(opencl_seen.live == 0 && blocks == 0, "everything is given back", "no memory");
}

/* A program whose text has become another is built; its place may be changed because nobody sees it. */
static void other_text(void) {
  cl_device_id list[3];
  const cl_context context = context_of(list);
  convk_cl one, two;
  size_t i, changed = 0;
  is(convk_cl_open(&one, context, list[2]), CONVK_OK, "another text", "opens");
  is(convk_cl_open(&two, context, list[2]), CONVK_OK, "another text", "opens");
  makes(&one, PROGRAMS, 0, "another text: the first");
  is(convk_cl_programs_share(&two, &one), CONVK_OK, "another text", "shared");
  for (i = 0; i < CONVK_CL_PROGRAMS_; i++)
    if (two.cache->programs[i].key[0] && changed++ < 2) two.cache->programs[i].source++;
  makes(&two, 2, 0, "another text: is built");
  convk_cl_close(&one);
  convk_cl_close(&two);
  clReleaseContext(context);
  check(opencl_seen.live == 0 && blocks == 0, "everything is given back", "another text");
}

/* Each line stands where its #line mark says; from the top of the repository. */
#ifndef SOURCES
#define SOURCES "src"
#endif
static void places(const char **lines, const char *which) {
  char path[300], name[256], line[4096];
  FILE *file = NULL;
  int number, wrong = 0;
  for (; *lines; lines++) {
    if (sscanf(*lines, "#line %d \"%255[^\"]\"", &number, name) == 2) {
      if (file) fclose(file);
      snprintf(path, sizeof path, "%s/%s", SOURCES, name);
      file = fopen(path, "r");
      while (file && --number > 0) wrong += !fgets(line, sizeof line, file);
    } else {
      wrong += !file || !fgets(line, sizeof line, file) || strcmp(line, *lines) != 0;
    }
  }
  if (file) fclose(file);
  check(!wrong, "#line marks", which);
}

/* The texts of all programs: their shared rooms are put in, and count for what identifies a program. */
static void texts(void) {
  static const char *all[4000];
  static const char *const rooms[] = {"device/preamble.cl", "words/opencl.cl", "core/axis.h", "elementary/coefficients.h",
                                      "elementary/exponential.h"};
  const struct {
    const char *name;
    const char *const *text;
  } family[] = {{"sepconv", convk_cl_filters_source_()},
                {"stencil", convk_cl_stencil_source_()},
                {"vmath", convk_cl_vmath_source_()},
                {"gaussian", convk_cl_gaussian_source_()},
                {"formfactor", convk_cl_formfactor_source_()},
                {"fft", convk_cl_fft_source_()},
                {"pairs", convk_cl_pairs_source_()}};
  uint64_t sum[sizeof rooms / sizeof *rooms + 1];
  size_t i, k, count;
  for (i = 0; i < sizeof family / sizeof *family; i++) {
    size_t begins = 0;
    count = convk_cl_expand_(family[i].text, NULL);
    check(count < sizeof all / sizeof *all - 1 && convk_cl_expand_(family[i].text, all) == count, "as many lines as said",
          family[i].name);
    check(count <= CONVK_CL_LINES_, "there is room for its lines", family[i].name);
    all[count] = NULL;
    for (k = 0; k < count; k++) {
      check(strncmp(all[k], "#include", 8) != 0, "nothing is left to include", all[k]);
      begins += !strcmp(all[k], "#line 1 \"words/opencl.cl\"\n");
    }
    places(all, family[i].name);
    check(begins == 1, "the words are there, once", family[i].name);
    check(convk_cl_checksum_(family[i].text, 0) == convk_cl_checksum_(all, 0), "the checksum is that of all lines",
          family[i].name);
  }
  for (i = 0; i <= sizeof rooms / sizeof *rooms;
       i++) { /* one text that includes another room each time; at last, one of none */
    char line[64];
    const char *text[] = {"before\n", line, "behind\n", NULL};
    snprintf(line, sizeof line, "#include \"%s\"\n", i < sizeof rooms / sizeof *rooms ? rooms[i] : "no/room.h");
    check((convk_cl_expand_(text, NULL) > 3) == (i < sizeof rooms / sizeof *rooms), "a room is put in", line);
    sum[i] = convk_cl_checksum_(text, 0);
    for (k = 0; k < i; k++) check(sum[k] != sum[i], "a room counts", line);
  }
}

/* More than there are places: what is there stays. */
static void full(void) {
  cl_device_id list[3];
  const cl_context context = context_of(list);
  convk_cl one, two;
  size_t i;
  is(convk_cl_open(&one, context, list[2]), CONVK_OK, "full", "opens");
  is(convk_cl_open(&two, context, list[2]), CONVK_OK, "full", "opens");
  makes(&one, PROGRAMS, 0, "full: the first");
  for (i = 1; i < CONVK_CL_PROGRAMS_; i++) { /* others by name, which nobody asks for */
    convk_cl_program_ *p = &two.cache->programs[i];
    snprintf(p->key, sizeof p->key, "other %d", (int)i);
    p->used = ++two.cache->clock;
  }
  is(convk_cl_programs_share(&two, &one), CONVK_OK, "full", "one place");
  for (i = 1; i < CONVK_CL_PROGRAMS_; i++)
    check(!strncmp(two.cache->programs[i].key, "other", 5), "full", "what was there stays");
  makes(&two, PROGRAMS - 1, 0, "full: one was taken");
  convk_cl_close(&one);
  convk_cl_close(&two);
  clReleaseContext(context);
  check(opencl_seen.live == 0 && blocks == 0, "everything is given back", "full");
}

int main(void) {
  size_t i;
  devices();
  for (i = 0; i < 2; i++) {
    local_memory(shapes[i]);
    far_plans(shapes[i]);
    local_filters(shapes[i]);
    groups(shapes[i]);
    host_arrays(shapes[i]);
    refusals(shapes[i]);
  }
  shared();
  saved();
  no_memory();
  texts();
  other_text();
  full();
  printf("%d passed, %d failed, 0 skipped\n", passed, failed);
  return failed != 0;
}
