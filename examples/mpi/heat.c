/* Heat on many processes: the hot wire of ../heat.c, in blocks of a Cartesian grid of ranks.
 *   mpirun -n RANKS heat [--n NX[xNYxNZ] | --block N] [--steps N] [--halo S] [--hw NAME] [--threads N] [--check] [--json FILE]
 *          [--progress]
 * --n is the whole grid, --block the edge of each rank's block: more ranks, more points. A block has copies of its neighbours'
 * outermost points around it, its halo.
 *   --halo 1  one layer, renewed in each step: the inside is swept while the copies travel, then the points beside the halo.
 *   --halo S  (8) S layers for S steps: with every step one more layer of copies is out of date, and after S steps all of them, but
 *             no point of the block itself. The S steps are one call, one pass over memory, and there are S times fewer messages.
 *             A few points are computed twice.
 * On a device (--hw cuda or opencl) a block stays there: halos are packed by a kernel, travel through pinned memory of the host, or
 * directly where MPI takes arrays of the device, and are unpacked by a kernel. See device.h.
 * The result has the same bits for all numbers of ranks and all halos; --check lets rank 0 compute everything again, alone. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* for the processors of a rank */
#endif

#define CONVK_WITH_STENCIL
#define CONVK_F64
#define CONVK_SIMD
#include "convk.h"

#define PROGRAM "heat"
#include "ranks.h"
#include "bits.h"
#include "device.h"
#include "../wire.h"

#define USAGE "heat [OPTION...]; heat --help lists them"

enum { X, Y, Z, AXES, LOW = 0, HIGH, SIDES };

/* The points of one rank. Index 0 of an axis is the first layer around them: of the halo, or the cold face. */
typedef struct block {
  convk hw;
  convk_stencil7_shape shape; /* with all layers around */
  convk_stencil7_coefficients_f64 c;
  MPI_Comm ranks;                         /* in a Cartesian grid, of z, y, x */
  int neighbour[AXES][SIDES];             /* or MPI_PROC_NULL at a cold face */
  size_t all[AXES], first[AXES], n[AXES]; /* of the whole grid; the first point here, and how many */
  size_t around[AXES][SIDES];             /* layers around them */
  size_t halo;
  MPI_Datatype send[AXES][SIDES], receive[AXES][SIDES];
  double *now, *next;
  void *arrays[2];
  device there; /* what a device has, where there is one; then `now` is for the beginning and the end */
  device_array now_there, next_there;
  device_message sent[AXES][SIDES], received[AXES][SIDES];
} block;

static double *at(const block *b, double *p, size_t x, size_t y, size_t z) {
  return p + z * b->shape.grid.pitch_z + y * b->shape.grid.pitch_y + x;
}
static int opposite(int side) { return side == LOW ? HIGH : LOW; }

/* ---- who has what ---- */

/* Axes are cut in the order z, y, x, so that few messages have short rows. The ranks of a node, where all nodes have as many, are a
 * box of blocks: then most messages stay within nodes. */
static void arrange(block *b, int *across) {
  const int none[AXES] = {0, 0, 0}, boxes = job.nodes > 1 && job.alike_nodes;
  int inner[AXES] = {0, 0, 0}, outer[AXES] = {0, 0, 0}, dims[AXES], place[AXES], d;
  int inside = boxes ? job.local : 0, outside = boxes ? job.node_number : job.rank;
  MPI_Comm sorted;
  MPI_Dims_create(boxes ? job.local_count : 1, AXES, inner);
  MPI_Dims_create(boxes ? job.nodes : job.count, AXES, outer);
  for (d = AXES - 1; d >= 0; d--) {
    const int few = inner[AXES - 1 - d]; /* the fewest where there are most boxes, for even cuts */
    dims[d] = few * outer[d];
    place[d] = outside % outer[d] * few + inside % few;
    outside /= outer[d];
    inside /= few;
  }
  MPI_Comm_split(MPI_COMM_WORLD, 0, (place[0] * dims[1] + place[1]) * dims[2] + place[2], &sorted);
  MPI_Cart_create(sorted, AXES, dims, none, 0, &b->ranks);
  MPI_Comm_free(&sorted);
  for (d = 0; d < AXES; d++) {
    const int axis = AXES - 1 - d; /* of the library: x first */
    MPI_Cart_shift(b->ranks, d, 1, &b->neighbour[axis][LOW], &b->neighbour[axis][HIGH]);
    across[axis] = dims[d];
    b->first[axis] = (size_t)place[d];
  }
}

/* Blocks that differ by one point at most. */
static void cut(block *b, const int *across) {
  int d, side;
  for (d = 0; d < AXES; d++) {
    const size_t parts = (size_t)across[d], mine = b->first[d], least = b->all[d] / parts;
    if (parts > 1 && least < b->halo) {
      fail(BAD_OPTIONS, least ? "--halo" : "--n",
           "%lu points along %c in %lu parts: blocks of %lu are narrower than a halo of %lu", (unsigned long)b->all[d],
           "xyz"[d], (unsigned long)parts, (unsigned long)least, (unsigned long)b -> halo);
    }
    b->first[d] = b->all[d] * mine / parts;
    b->n[d] = b->all[d] * (mine + 1) / parts - b->first[d];
    for (side = 0; side < SIDES; side++) {
      b->around[d][side] = b->neighbour[d][side] == MPI_PROC_NULL ? 1 : b->halo;
    }
  }
}

/* What travels along an axis: `halo` layers of the block's own points one way (sent), of its neighbour's the other. Where halos are
 * wide, points at edges and corners matter, too: x travels first, then y with the layers that came along x, then z with all.
 * Planes of z are then one piece of memory, with what pads a row, where MPI takes them from the array itself. */
static void part(const block *b, int axis, int side, int sent, size_t first[AXES], size_t count[AXES]) {
  const size_t n[AXES] = {b->there.kind ? b->shape.grid.nx : b->shape.grid.pitch_y, b->shape.grid.ny, b->shape.grid.nz};
  int d;
  for (d = 0; d < AXES; d++) {
    const int through = b->halo > 1 && d < axis;
    first[d] = through ? 0 : b->around[d][LOW];
    count[d] = through ? n[d] : b->n[d];
  }
  count[axis] = b->halo;
  if (sent) {
    first[axis] = side == LOW ? b->around[axis][LOW] : b->around[axis][LOW] + b->n[axis] - b->halo;
  } else {
    first[axis] = side == LOW ? 0 : b->around[axis][LOW] + b->n[axis];
  }
}

static void describe(block *b) {
  const int rows[AXES] = {ranks_count("--n", b->shape.grid.nz), ranks_count("--n", b->shape.grid.ny),
                          ranks_count("--n", b->shape.grid.pitch_y)};
  int d, e, side, sent;
  for (d = 0; d < AXES; d++) {
    for (side = 0; side < SIDES; side++) {
      for (sent = 0; sent < 2; sent++) {
        size_t from[AXES], points[AXES];
        int first[AXES], count[AXES]; /* of z, y, x, as MPI has it */
        part(b, d, side, sent, from, points);
        if (!sent && b->neighbour[d][side] == MPI_PROC_NULL) {
          points[d] = 1; /* never used, but must lie within the array */
          from[d] = 0;
        }
        for (e = 0; e < AXES; e++) {
          first[AXES - 1 - e] = ranks_count("--n", from[e]);
          count[AXES - 1 - e] = ranks_count("--n", points[e]);
        }
        ranks_box(sent ? &b->send[d][side] : &b->receive[d][side], MPI_DOUBLE, rows, count, first);
      }
    }
  }
}

static void prepare(block *b) {
  size_t n[AXES], elements;
  int d;
  for (d = 0; d < AXES; d++) {
    n[d] = b->around[d][LOW] + b->n[d] + b->around[d][HIGH];
    b->shape.boundary[d] = CONVK_BOUNDARY_FIXED;
  }
  b->shape.grid = convk_grid3_padded(n[X], n[Y], n[Z], sizeof *b->now);
  b->shape.grid.pitch_z = b->shape.grid.pitch_y * n[Y]; /* a plane is whole rows, as subarrays have it */
  if (job.rate > 0) {                                   /* for the largest message */
    const size_t least = n[X] < n[Y] ? (n[X] < n[Z] ? n[X] : n[Z]) : n[Y] < n[Z] ? n[Y] : n[Z];
    b->next = b->now = (double *)ranks_message(b->shape.grid.pitch_z * n[Z] / least * b->halo * sizeof *b->now);
    return;
  }
  elements = b->shape.grid.pitch_z * n[Z];
  b->arrays[0] = convk_huge_alloc(elements * sizeof *b->now);
  b->now = (double *)b->arrays[0];
  require(b->now != NULL, "arrays", convk_strerror(CONVK_ERR_MEMORY));
  memset(b->now, 0, elements * sizeof *b->now);
  if (!b->there.kind) { /* a device has its own */
    b->arrays[1] = convk_huge_alloc(elements * sizeof *b->next);
    b->next = (double *)b->arrays[1];
    require(b->next != NULL, "arrays", convk_strerror(CONVK_ERR_MEMORY));
    memset(b->next, 0, elements * sizeof *b->next);
  }
}

/* The same on a device, from what is set here: the cold faces are in both arrays. */
static void prepare_there(block *b) {
  const size_t bytes = b->shape.grid.pitch_z * b->shape.grid.nz * sizeof *b->now;
  size_t first[AXES], count[AXES];
  int d, side;
  b->now_there = device_memory(&b->there, bytes);
  b->next_there = device_memory(&b->there, bytes);
  device_copy(&b->there, 1, b->now_there, b->now, bytes);
  device_copy(&b->there, 1, b->next_there, b->now, bytes);
  device_wait(&b->there);
  for (d = 0; d < AXES; d++) {
    for (side = 0; side < SIDES; side++) {
      part(b, d, side, 1, first, count);
      if (b->neighbour[d][side] != MPI_PROC_NULL) {
        const size_t room = count[X] * count[Y] * count[Z] * sizeof *b->now;
        b->sent[d][side] = device_room(&b->there, room);
        b->received[d][side] = device_room(&b->there, room);
      }
    }
  }
}

static void leave_there(block *b) {
  int d, side;
  for (d = 0; d < AXES; d++) {
    for (side = 0; side < SIDES; side++) {
      device_room_free(&b->there, &b->sent[d][side]);
      device_room_free(&b->there, &b->received[d][side]);
    }
  }
  device_free(&b->there, b->now_there);
  device_free(&b->there, b->next_there);
  device_close(&b->there);
}

static void set(const block *b, double *p) {
  const double h[AXES] = {1.0 / (double)(b->all[X] + 1), 1.0 / (double)(b->all[Y] + 1), 1.0 / (double)(b->all[Z] + 1)};
  size_t x, y, z;
  for (z = 0; z < b->n[Z]; z++) {
    for (y = 0; y < b->n[Y]; y++) {
      for (x = 0; x < b->n[X]; x++) {
        *at(b, p, b->around[X][LOW] + x, b->around[Y][LOW] + y, b->around[Z][LOW] + z) =
            hot_wire((double)(b->first[X] + x + 1) * h[X] - 0.5, (double)(b->first[Y] + y + 1) * h[Y] - 0.5,
                     (double)(b->first[Z] + z + 1) * h[Z] - 0.5);
      }
    }
  }
}

/* ---- halos ---- */

static int post(const block *b, int axis, MPI_Request *request) {
  int side, count = 0;
  for (side = 0; side < SIDES; side++) {
    MPI_Irecv(b->now, 1, b->receive[axis][side], b->neighbour[axis][side], 2 * axis + side, b->ranks, &request[count++]);
    MPI_Isend(b->now, 1, b->send[axis][side], b->neighbour[axis][side], 2 * axis + opposite(side), b->ranks, &request[count++]);
  }
  return count;
}

/* The outermost layers stay as they are during a call of several steps, and must be in both arrays. */
static void copy_rim(const block *b) {
  const size_t row = b->shape.grid.nx * sizeof *b->now;
  size_t y, z;
  int side;
  for (side = 0; side < SIDES; side++) {
    const size_t last_y = side == LOW ? 0 : b->shape.grid.ny - 1, last_z = side == LOW ? 0 : b->shape.grid.nz - 1,
                 last_x = side == LOW ? 0 : b->shape.grid.nx - 1;
    for (y = 0; y < b->shape.grid.ny && b->neighbour[Z][side] != MPI_PROC_NULL; y++) {
      memcpy(at(b, b->next, 0, y, last_z), at(b, b->now, 0, y, last_z), row);
    }
    for (z = 0; z < b->shape.grid.nz && b->neighbour[Y][side] != MPI_PROC_NULL; z++) {
      memcpy(at(b, b->next, 0, last_y, z), at(b, b->now, 0, last_y, z), row);
    }
    for (z = 0; z < b->shape.grid.nz && b->neighbour[X][side] != MPI_PROC_NULL; z++) {
      for (y = 0; y < b->shape.grid.ny; y++) {
        *at(b, b->next, last_x, y, z) = *at(b, b->now, last_x, y, z);
      }
    }
  }
}

/* ---- steps ---- */

static void swap(block *b) {
  double *p = b->now;
  b->now = b->next;
  b->next = p;
}

static void sweep_box(block *b, const convk_box3 *box) {
  const double points = (double)box->count[X] * (double)box->count[Y] * (double)box->count[Z];
  if (points > 0 && !ranks_simulated(points)) {
    require_ok(convk_stencil7_box_f64(&b->hw, &b->shape, &b->c, box, b->now, b->next, NULL, 0), "stencil7_box");
  }
}

/* One step: the inside while halos travel, then the points beside them, axis by axis. */
static void overlapped_step(block *b, ranks_time *t) {
  MPI_Request request[AXES * SIDES * 2];
  MPI_Status status[AXES * SIDES * 2]; /* not MPI_STATUSES_IGNORE, of which gcc warns with MPICH */
  convk_box3 box;
  double start = seconds();
  int d, side, requests = 0;
  for (d = 0; d < AXES; d++) {
    requests += post(b, d, request + requests);
  }
  t->communication += seconds() - start;
  for (d = 0; d < AXES; d++) { /* of a block of one layer, nothing is inside */
    const size_t low = b->neighbour[d][LOW] != MPI_PROC_NULL, high = b->neighbour[d][HIGH] != MPI_PROC_NULL;
    box.first[d] = 1 + low;
    box.count[d] = b->n[d] > low + high ? b->n[d] - low - high : 0;
  }
  sweep_box(b, &box);
  start = seconds();
  MPI_Waitall(requests, request, status);
  t->communication += seconds() - start;
  for (d = Z; d >= X; d--) {
    for (side = 0; side < SIDES; side++) {
      convk_box3 layer = box;
      if (b->neighbour[d][side] == MPI_PROC_NULL || (side == HIGH && b->n[d] == 1 && b->neighbour[d][LOW] != MPI_PROC_NULL)) {
        continue; /* no layer there, or it is the one that is done */
      }
      layer.first[d] = side == LOW ? 1 : b->n[d];
      layer.count[d] = 1;
      sweep_box(b, &layer);
    }
    box.first[d] = 1; /* now this axis is whole */
    box.count[d] = b->n[d];
  }
  swap(b);
}

/* Several steps at once. */
static void wide_steps(block *b, size_t steps, ranks_time *t) {
  const double points = (double)b->shape.grid.nx * (double)b->shape.grid.ny * (double)b->shape.grid.nz;
  const double start = seconds();
  MPI_Request request[SIDES * 2];
  MPI_Status status[SIDES * 2];
  double *result;
  int d;
  for (d = 0; d < AXES; d++) {
    const int requests = post(b, d, request);
    MPI_Waitall(requests, request, status);
  }
  t->communication += seconds() - start;
  if (ranks_simulated(points * (double)steps)) {
    return;
  }
  copy_rim(b);
  require_ok(convk_stencil7_f64(&b->hw, &b->shape, &b->c, steps, b->now, b->next, &result, NULL, 0), "stencil7");
  if (result != b->now) {
    swap(b);
  }
}

/* ---- steps on a device ---- */

/* Both halos of an axis: one message for each neighbour. */
static void exchange_there(block *b, int axis, ranks_time *t) {
  MPI_Request request[SIDES * 2];
  MPI_Status status[SIDES * 2];
  size_t first[AXES], count[AXES];
  double start;
  int side, requests = 0;
  for (side = 0; side < SIDES; side++) {
    if (b->neighbour[axis][side] != MPI_PROC_NULL) {
      part(b, axis, side, 1, first, count);
      device_pack(&b->there, 0, count, &b->shape.grid, first, b->now_there, &b->sent[axis][side]);
    }
  }
  device_wait(&b->there); /* also for what was received before */
  start = seconds();
  for (side = 0; side < SIDES; side++) {
    const int points = ranks_count("--n", b->sent[axis][side].bytes / sizeof *b->now), other = b->neighbour[axis][side];
    if (other != MPI_PROC_NULL) {
      MPI_Irecv(device_sent(&b->received[axis][side]), points, MPI_DOUBLE, other, 2 * axis + side, b->ranks,
                &request[requests++]);
      MPI_Isend(device_sent(&b->sent[axis][side]), points, MPI_DOUBLE, other, 2 * axis + opposite(side), b->ranks,
                &request[requests++]);
    }
  }
  MPI_Waitall(requests, request, status);
  t->communication += seconds() - start;
  for (side = 0; side < SIDES; side++) {
    if (b->neighbour[axis][side] != MPI_PROC_NULL) {
      part(b, axis, side, 0, first, count);
      device_unpack(&b->there, 0, count, &b->shape.grid, first, b->now_there, &b->received[axis][side]);
    }
  }
}

/* There is no copy_rim: calls on a device do not compare the outermost layers of both arrays, and those of a halo are out of date
 * from the first step on. What follows from them comes one layer further in with each step, and never into the block. Cold faces
 * are in both arrays from the beginning. */
static void steps_there(block *b, size_t steps, ranks_time *t) {
  int status = CONVK_OK, d;
  for (d = 0; d < AXES; d++) {
    exchange_there(b, d, t);
  }
#ifdef CONVK_CUDA
  if (b->there.kind == DEVICE_CUDA) {
    double *result;
    status = convk_cuda_stencil7_f64(&b->there.cuda, &b->shape, &b->c, steps, DEVICE_POINTER(double, b->now_there),
                                     DEVICE_POINTER(double, b->next_there), &result, NULL, 0);
  }
#endif
#ifdef CONVK_CL
  if (b->there.kind == DEVICE_OPENCL) {
    const convk_cl_array none = {NULL, 0};
    convk_cl_array result;
    status = convk_cl_stencil7_f64(&b->there.cl, &b->shape, &b->c, steps, device_buffer(b->now_there),
                                   device_buffer(b->next_there), &result, none, 0);
  }
#endif
  device_ok(&b->there, status, "stencil7");
  if (steps % 2) {
    const device_array now = b->now_there;
    b->now_there = b->next_there;
    b->next_there = now;
  }
}

static void advance(block *b, size_t steps, ranks_time *t) {
  const size_t most = job.count > 1 ? b->halo : steps; /* alone, there is no reason to stop */
  const double all = (double)steps;
  while (steps > 0) {
    ranks_progress(1 - (double)steps / all, t->start);
    const size_t some = steps < most ? steps : most;
    if (b->there.kind) {
      steps_there(b, some, t);
      steps -= some;
    } else if (b->halo == 1) {
      overlapped_step(b, t);
      steps--;
    } else {
      wide_steps(b, some, t);
      steps -= some;
    }
  }
}

/* ---- the same bits ---- */

static uint64_t hash(const block *b, double *p) {
  uint64_t sum = 0;
  size_t x, y, z;
  for (z = 0; z < b->n[Z]; z++) {
    for (y = 0; y < b->n[Y]; y++) {
      for (x = 0; x < b->n[X]; x++) {
        const uint64_t place = ((uint64_t)(b->first[Z] + z) * b->all[Y] + b->first[Y] + y) * b->all[X] + b->first[X] + x;
        sum += hash_of(place, at(b, p, b->around[X][LOW] + x, b->around[Y][LOW] + y, b->around[Z][LOW] + z), sizeof *p);
      }
    }
  }
  return sum;
}

/* All of the grid and all steps by one call of one process. */
static uint64_t alone(const block *b, size_t steps) {
  block whole = *b;
  double *result;
  uint64_t h;
  int d, side;
  whole.there.kind = DEVICE_NONE; /* arrays of the host, on any hardware */
  for (d = 0; d < AXES; d++) {
    whole.first[d] = 0;
    whole.n[d] = b->all[d];
    for (side = 0; side < SIDES; side++) {
      whole.around[d][side] = 1;
    }
  }
  prepare(&whole);
  set(&whole, whole.now);
  require_ok(convk_stencil7_f64(&whole.hw, &whole.shape, &whole.c, steps, whole.now, whole.next, &result, NULL, 0), "stencil7");
  h = hash(&whole, result);
  convk_huge_free(whole.arrays[0]);
  convk_huge_free(whole.arrays[1]);
  return h;
}

/* ---- what is asked for ---- */

static void read_sizes(block *b, const char *n, const char *edge, const int *across) {
  int d;
  if (edge) {
    const size_t points = (size_t)whole(edge, "--block", 1, 4096);
    for (d = 0; d < AXES; d++) {
      b->all[d] = points * (size_t)across[d];
    }
  } else {
    grid_sizes(n, "--n", b->all);
  }
}

int main(int argc, char **argv) {
  const char *n = "256", *edge = NULL, *count = "100", *halo = NULL, *spec = NULL, *threads = NULL, *json = NULL, *rate = "0",
             *direct = NULL;
  int across[AXES], check = 0, d, side;
  uint64_t own, all = 0;
  ranks_time t;
  size_t steps;
  block b;
  const option options[] = {
      {"--n", &n, NULL, "NX[xNYxNZ]", "points of the grid"},
      {"--block", &edge, NULL, "N", "instead: N^3 points for each rank"},
      {"--steps", &count, NULL, "N", "steps of time"},
      {"--halo", &halo, NULL, "S", "layers of points from other ranks, for as many steps at a time; 8 at most by itself"},
      DEVICE_OPTION(direct){"--check", NULL, &check, NULL, "one process alone finds the same bits"},
      {"--json", &json, NULL, "FILE", "one more line of it"},
      HARDWARE_OPTION(spec),
      THREADS_OPTION(threads),
      RANKS_OPTIONS(rate) END_OF_OPTIONS};

  memset(&b, 0, sizeof b);
  ranks_begin(&argc, &argv);
  read_options(argc, argv, options, NULL, USAGE, NULL);
  steps = (size_t)whole(count, "--steps", 0, 1000000000);
  b.halo = halo ? (size_t)whole(halo, "--halo", 1, 64) : 8;
  job.rate = number(rate, "--simulate", 0, 1e30);
  arrange(&b, across);
  read_sizes(&b, n, edge, across);
  for (d = 0; d < AXES && !halo; d++) { /* small blocks */
    const size_t least = b.all[d] / (size_t)across[d];
    b.halo = across[d] > 1 && least && least < b.halo ? least : b.halo;
  }
  cut(&b, across);
  ranks_open(&b.hw, spec, threads);
  device_open(&b.there, &b.hw, direct);
  b.c = convk_stencil7_isotropic_f64(1 - 6 * C1, C1);
  prepare(&b);
  describe(&b);
  say("grid:         %lu x %lu x %lu points between cold faces, %lu steps, in %d x %d x %d blocks\n", (unsigned long)b.all[X],
      (unsigned long)b.all[Y], (unsigned long)b.all[Z], (unsigned long)steps, across[X], across[Y], across[Z]);
  say("halo:         %lu %s\n", (unsigned long)b.halo,
      b.halo > 1     ? "layers for as many steps in one call"
      : b.there.kind ? "layer a step"
                     : "layer a step, the inside is swept meanwhile");
  if (!(job.rate > 0)) {
    set(&b, b.now);
  }
  if (b.there.kind) {
    prepare_there(&b);
    b.there.moved = 0;
  }
  ranks_start(&t);
  advance(&b, steps, &t);
  device_wait(&b.there);
  ranks_stop(&t);
  if (b.there.kind) {
    device_table(&b.there, (double)b.n[X] * (double)b.n[Y] * (double)b.n[Z] * (double)steps);
    device_copy(&b.there, 0, b.now_there, b.now, b.shape.grid.pitch_z * b.shape.grid.nz * sizeof *b.now);
    device_wait(&b.there);
    leave_there(&b);
  }
  if (!(job.rate > 0)) {
    own = hash(&b, b.now);
    MPI_Reduce(&own, &all, 1, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
    say("bits:         %016llx\n", (unsigned long long)all);
  }
  ranks_table(&b.hw, &t, (double)b.n[X] * (double)b.n[Y] * (double)b.n[Z] * (double)steps, "LUP", json);
  if (check && !job.rank && !(job.rate > 0)) {
    require(alone(&b, steps) == all, "one process", "different bits");
    say("check:        one process alone finds the same bits\n");
  }
  for (d = 0; d < AXES; d++) {
    for (side = 0; side < SIDES; side++) {
      MPI_Type_free(&b.send[d][side]);
      MPI_Type_free(&b.receive[d][side]);
    }
  }
  MPI_Comm_free(&b.ranks);
  convk_huge_free(b.arrays[0]);
  convk_huge_free(b.arrays[1]);
  convk_close(&b.hw);
  return ranks_end();
}
