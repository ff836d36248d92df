/* Small-angle X-ray scattering on many processes: F(q) of ../gisaxs.c on a large detector, for meshes of any size.
 *   mpirun -n RANKS gisaxs [FILE.stl | FILE.off | FILE.ply | FILE.obj | sphere | cylinder | box | SHAPE] [--grid NYxNZ] [--qmax Q]
 *          [--absorption IM] [--type f32|f64] [--exact] [--tile NYxNZ] [--block N] [--team N] [--memory MB]
 *          [--out FILE.h5] [--picture FILE] [--data FILE] [--hw NAME] [--threads N] [--check] [--json FILE] [--progress]
 * Pixels times triangles are cut into hyperblocks: a tile of the detector (--tile) and a block of triangles (--block). Ranks
 * ask for tiles. For its tile a rank adds up the blocks in their order, so that F has the same bits for every number of ranks
 * and whoever has which tile. With one block these are the bits of one call of the library; --check lets rank 0 look.
 * Many ranks would need small tiles, whose calls cost more by the pixel. Then ranks share tiles in teams (--team): each has
 * some of the blocks, and the first adds them up, in the same order.
 * A binary STL file whose blocks do not fit in --memory is read again for each tile: large tiles and teams are then better.
 * On a device (--hw cuda or opencl) the next block of triangles is read and goes there while the one before it is summed, also
 * from the last block of a tile to the first of the next one; blocks that fit in --memory go once, and stay.
 * --out: an HDF5 file, written tile by tile; the same command goes on with a file that is not complete. See amplitude.h. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* for the processors of a rank, and places in large files */
#endif

#define CONVK_WITH_FORMFACTOR
#define CONVK_SIMD
#include "convk.h"

#define PROGRAM "gisaxs"
#include "ranks.h"
#include "amplitude.h"
#include "bits.h"
#include "device.h"
#define TELL say
#include "../scattering.h"
#include "../stl_parts.h"

#define USAGE "gisaxs [FILE.stl | FILE.off | FILE.ply | FILE.obj | SHAPE] [OPTION...]; gisaxs --help lists shapes and options"

/* ---- triangles, in blocks ---- */

/* As calls get them. */
typedef struct block {
  size_t n;
  void *numbers;
  convk_mesh_f32 f32;
  convk_mesh_f64 f64;
} block;

typedef struct triangles {
  const char *path;
  size_t n, each, blocks; /* of a block, but the last */
  size_t fields;          /* numbers of a triangle: 6, with corners 12 */
  int single, closed;
  double area, volume;
  uint64_t hash;
  stl_parts stl; /* where there is a file to read from, else all of them: */
  const particle *body;
  int keep; /* room for all blocks, which are read once; else for one */
  block *room;
  size_t inside;          /* which one is in room[0], where that is all */
  double *corners, *wide; /* of a block that is being read */
  double limit;           /* bytes that blocks may take on this rank */
} triangles;

static size_t block_count(const triangles *t, size_t b) { return t->n - b * t->each < t->each ? t->n - b * t->each : t->each; }

/* A mesh of n triangles whose fields are `stride` numbers apart. */
static convk_mesh_f64 wide_mesh(double *numbers, size_t stride, size_t fields, size_t n) {
  convk_mesh_f64 m;
  require_ok(convk_mesh_assign_f64(NULL, stride, fields == 12, numbers, &m), "mesh_assign");
  m.n = n;
  return m;
}

/* Block b in doubles, field k at t->wide + k * t->each. */
static void read_block(triangles *t, size_t b, size_t fields) {
  const size_t n = block_count(t, b);
  char message[256];
  size_t k;
  if (t->body) {
    for (k = 0; k < fields; k++) {
      memcpy(t->wide + k * t->each, t->body->storage + k * t->n + b * t->each, n * sizeof *t->wide);
    }
  } else {
    const convk_mesh_f64 m = wide_mesh(t->wide, t->each, fields, n);
    require(!stl_part(&t->stl, b * t->each, n, t->corners, message, sizeof message), t->path, message);
    require_ok(convk_mesh_from_triangles_f64(NULL, t->corners, &m), t->path);
  }
}

/* In the precision of the calls. A closed body needs closed blocks: where one is open, one more triangle closes it. All its
 * corners lie at the origin, where exp(i q.r) - 1 is 0, so that its vector area is all that it brings. */
static void make_block(triangles *t, size_t b, block *to) {
  const size_t n = block_count(t, b), stride = t->each + 1, size = t->single ? sizeof(float) : sizeof(double);
  convk_mesh_measures m;
  size_t k, i;
  read_block(t, b, t->fields);
  if (!to->numbers) {
    to->numbers = memory(t->fields * stride, size);
  }
  for (k = 0; k < t->fields; k++) {
    const double *from = t->wide + k * t->each;
    if (t->single) {
      float *narrow = (float *)to->numbers + k * stride;
      for (i = 0; i < n; i++) {
        narrow[i] = (float)from[i];
      }
      narrow[n] = 0;
    } else {
      memcpy((double *)to->numbers + k * stride, from, n * sizeof *from);
      ((double *)to->numbers)[k * stride + n] = 0;
    }
  }
  to->n = n;
  if (t->single) {
    require_ok(convk_mesh_assign_f32(NULL, stride, t->fields == 12, (float *)to->numbers, &to->f32), "mesh_assign");
    to->f32.n = n;
    require_ok(convk_mesh_measure_f32(NULL, &to->f32, &m), t->path);
  } else {
    to->f64 = wide_mesh((double *)to->numbers, stride, t->fields, n);
    require_ok(convk_mesh_measure_f64(NULL, &to->f64, &m), t->path);
  }
  if (t->closed && !m.closed) {
    for (k = 0; k < 3; k++) {
      if (t->single) {
        ((float *)to->numbers)[k * stride + n] = (float)-m.gap[k];
      } else {
        ((double *)to->numbers)[k * stride + n] = -m.gap[k];
      }
    }
    to->f32.n = to->f64.n = n + 1;
  }
}

static const block *block_of(triangles *t, size_t b) {
  block *const to = t->room + (t->keep ? b : 0);
  if (t->keep ? !to->numbers : t->inside != b) {
    make_block(t, b, to);
    t->inside = b;
  }
  return to;
}

/* A hash of the numbers of a block. */
static uint64_t hash_block(const triangles *t, size_t b) {
  uint64_t sum = 0;
  size_t k, i;
  for (k = 0; k < 12; k++) {
    for (i = 0; i < block_count(t, b); i++) {
      sum += hash_of(12 * (uint64_t)(b * t->each + i) + k, t->wide + k * t->each + i, sizeof *t->wide);
    }
  }
  return sum;
}

/* Edges of block b by a hash of their ends, counted up one way and down the other: they sum up to 0 in a closed body. */
static uint64_t edges_of_block(const triangles *t, size_t b) {
  uint64_t sum = 0;
  size_t i, k, d;
  for (i = 0; i < block_count(t, b); i++) {
    uint64_t end[3] = {0, 0, 0};
    for (k = 0; k < 3; k++) {
      for (d = 0; d < 3; d++) {
        const double x = t->corners[9 * i + 3 * k + d] + 0; /* -0 is 0 */
        end[k] = hash_of(end[k], &x, sizeof x);
      }
    }
    for (k = 0; k < 3; k++) {
      const uint64_t from = end[k], to = end[(k + 1) % 3];
      sum += from < to ? hash_of(from, &to, sizeof to) : from > to ? 0 - hash_of(to, &from, sizeof from) : 0;
    }
  }
  return sum;
}

/* All ranks must have the same mesh. */
static void same_everywhere(const char *path, uint64_t value) {
  uint64_t ends[2];
  ends[0] = value;
  ends[1] = ~value;
  MPI_Allreduce(MPI_IN_PLACE, ends, 2, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD);
  require(ends[0] == ~ends[1], path, "is not the same mesh for all ranks");
}

/* What the mesh of a binary file is. Each rank reads some of its blocks; sums of doubles are made in the order of blocks. */
static void survey(triangles *t) {
  double *sums = (double *)memory(2 * t->blocks, sizeof *sums);
  uint64_t own[2] = {0, 0};
  size_t b;
  job.alike = 0;
  for (b = (size_t)job.rank; b < t->blocks; b += (size_t)job.count) {
    const convk_mesh_f64 m = wide_mesh(t->wide, t->each, 12, block_count(t, b));
    convk_mesh_measures found;
    read_block(t, b, 12);
    require_ok(convk_mesh_measure_f64(NULL, &m, &found), t->path);
    sums[2 * b] = found.area;
    sums[2 * b + 1] = found.volume;
    own[0] += hash_block(t, b);
    own[1] += edges_of_block(t, b);
  }
  MPI_Allreduce(MPI_IN_PLACE, sums, (int)(2 * t->blocks), MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); /* others have 0 */
  MPI_Allreduce(MPI_IN_PLACE, own, 2, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
  job.alike = 1;
  for (b = 0; b < t->blocks; b++) {
    t->area += sums[2 * b];
    t->volume += sums[2 * b + 1];
  }
  t->hash = own[0];
  t->closed = own[1] == 0;
  free(sums);
  say("              %lu triangles, %s\n", (unsigned long)t->n, t->closed ? "closed" : "open");
  say("              area %.6g, volume %.6g\n", t->area, t->volume);
  require(fabs(t->volume) > 0, t->path, "it encloses no volume");
}

/* Blocks of `most` triangles at the most, whole multiples of 512, about as long as each other; teams share a power of 2 of them
 * best. */
static void cut_triangles(triangles *t, size_t most) {
  size_t blocks = 1;
  while (blocks * most < t->n) {
    blocks *= 2;
  }
  t->each = ((t->n - 1) / blocks / 512 + 1) * 512;
  t->blocks = (t->n - 1) / t->each + 1;
}

/* Whether a rank keeps what it has of them, as one of a team of `ranks`. */
static int fits(const triangles *t, size_t ranks) {
  const size_t blocks = (t->blocks - 1) / ranks + 1;
  return t->body || blocks == 1 || (double)t->fields * (double)t->each * (double)blocks * (t->single ? 4 : 8) <= t->limit;
}

static void make_room(triangles *t, size_t ranks) {
  t->keep = fits(t, ranks);
  t->room = (block *)memory(t->keep ? t->blocks : 1, sizeof *t->room);
  t->inside = t->blocks;
}

/* A binary file in parts; other files and shapes are in `body`. */
static void read_triangles(triangles *t, const char *name, char path[512], particle body[2], double qmax, int exact,
                           size_t most) {
  shape named;
  const int is_shape = find(name, path, &named);
  const int faces = has_faces(path);
  char message[256];
  convk_mesh_measures m;
  size_t b;
  t->path = path;
  t->fields = exact ? 12 : 6;
  if (!is_shape && !faces) {
    require(!stl_open(&t->stl, path, message, sizeof message), path, message);
  }
  if (t->stl.file) {
    say("mesh:         %s (binary, \"%s\")\n", path, t->stl.head.name);
    t->n = t->stl.n;
  } else {
    load(&body[0], path, is_shape ? &named : NULL);
    describe(&body[0], path, &m);
    t->body = &body[0];
    if (is_shape && !exact) {
      refine(&body[1], path, &named, qmax, m.area);
      t->body = &body[1];
    }
    t->n = t->body->mesh.n;
  }
  same_everywhere(path, t->n);
  cut_triangles(t, most);
  t->wide = (double *)memory(12 * t->each, sizeof *t->wide);
  if (t->stl.file) {
    t->corners = (double *)memory(9 * t->each, sizeof *t->corners);
    survey(t);
  } else {
    t->closed = m.closed;
    t->area = m.area;
    t->volume = m.volume;
    for (b = 0; b < t->blocks; b++) {
      read_block(t, b, 12);
      t->hash += hash_block(t, b);
    }
    same_everywhere(path, t->hash);
  }
}

static void blocks_free(triangles *t) {
  size_t b;
  for (b = 0; t->room && b < (t->keep ? t->blocks : 1); b++) {
    free(t->room[b].numbers);
  }
  free(t->room);
  t->room = NULL;
}

/* ---- pixels, in tiles ---- */

typedef struct detector {
  size_t ny, nz, tiles_y, tiles_z;
  double qmax, absorption;
  double *qy, *qz;        /* for people */
  void *y, *z, *imag, *x; /* for calls: qz has imaginary parts where imag is not NULL; qx is 0 */
} detector;

static size_t edge(size_t n, size_t parts, size_t k) { return n / parts * k + n % parts * k / parts; }

/* Parts of an axis differ by one pixel at most; two pixels are the least. */
static tile tile_of(const detector *d, size_t index) {
  tile t;
  const size_t k = index % d->tiles_y, l = index / d->tiles_y;
  t.index = index;
  t.y = edge(d->ny, d->tiles_y, k);
  t.z = edge(d->nz, d->tiles_z, l);
  t.ny = edge(d->ny, d->tiles_y, k + 1) - t.y;
  t.nz = edge(d->nz, d->tiles_z, l + 1) - t.z;
  return t;
}

/* As many parts as pieces of `size` pixels make. */
static size_t parts_of(size_t n, size_t size) {
  const size_t parts = (n - 1) / size + 1, most = n / 2;
  return parts < most ? parts : most;
}

/* A call costs as much as some more pixels: for each row and column, whose phases it makes, and for itself, as it looks at all
 * triangles. Measured on a processor with AVX-512, where pixel and triangle take 70 ps, of an exact sum 0.5 ns. */
static double cost(int exact, size_t ny, size_t nz) {
  return (double)ny * (double)nz + (exact ? 50 : 5 * (double)(ny + nz) + 450);
}

/* What a tile takes for each triangle of the mesh in ranks of a team, in pixels. 0.1 ms of it goes to messages and files. To
 * read blocks again takes 0.1 us a triangle; to add a number of a block 1 ns, and as long to get it from another rank. */
static double tile_time(const triangles *t, int exact, size_t team, size_t ny, size_t nz) {
  const double share = (double)((t->blocks - 1) / team + 1) / (double)t->blocks, pixel = exact ? 0.5e-9 : 0.07e-9;
  const double sum = 2 * (double)(ny * nz * t->blocks) * (team > 1 ? 2e-9 : 1e-9);
  return share * (cost(exact, ny, nz) + (fits(t, team) ? 0 : 0.1e-6 / pixel)) + (sum + 1e-4) / pixel / (double)t->n;
}

/* Tiles and teams that take the least time: larger tiles cost less by the pixel, smaller ones share out better. The last tiles
 * of all teams end at different times, by a quarter of a tile. Tiles, or teams, may be given. */
static void choose(detector *d, const triangles *t, int exact, size_t *team) {
  static const size_t sizes[] = {16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512};
  const size_t ranks = (size_t)job.count, most = ranks < t->blocks ? ranks : t->blocks, only = *team;
  const size_t y_given = d->tiles_y, z_given = d->tiles_z;
  double best = -1;
  size_t i, y, z, each;
  for (each = only ? only : 1; each <= (only ? only : most); each *= 2) {
    const size_t teams = (ranks - 1) / each + 1;
    for (i = 0; i < (y_given ? 1 : sizeof sizes / sizeof *sizes); i++) {
      y = y_given ? y_given : parts_of(d->ny, sizes[i]);
      for (z = z_given ? z_given : parts_of(d->nz, 512); z <= (z_given ? z_given : parts_of(d->nz, 16)); z++) {
        const double rounds = (double)((y * z - 1) / teams + 1) + (teams > 1 ? 0.25 : 0);
        const double time = rounds * tile_time(t, exact, each, (d->ny - 1) / y + 1, (d->nz - 1) / z + 1);
        if (best < 0 || time < best) {
          best = time;
          d->tiles_y = y;
          d->tiles_z = z;
          *team = each;
        }
      }
    }
  }
}

static void *axis_for_calls(int single, const double *q, size_t n) {
  void *copy = memory(n, single ? sizeof(float) : sizeof(double));
  size_t i;
  for (i = 0; i < n; i++) {
    if (single) {
      ((float *)copy)[i] = (float)q[i];
    } else {
      ((double *)copy)[i] = q[i];
    }
  }
  return copy;
}

/* ---- one tile ---- */

enum { ASK = 1, GIVE, TILE, PART }; /* messages: see `handing out` */

/* A block of triangles on a device. */
typedef struct slot {
  size_t block, n; /* block: which one is there, or all of them: none */
  device_array numbers;
  convk_mesh_measures measures;
  device_event here, done; /* that it has come, and that nothing uses it any more */
} slot;

/* What a device has, where there is one and the sum is not exact, which calls on arrays of a device do not offer. */
typedef struct work_there {
  device on;
  slot *slots;
  size_t count, next;    /* of slots; the one that the next block goes to */
  device_message way[2]; /* pinned memory for blocks on their way, in turn; */
  device_event used[2];  /* until then */
  device_message f;      /* of a piece, here and there */
  device_array y, z, x, imag, work;
  size_t work_size, turn;
} work_there;

typedef struct work {
  convk hw;
  work_there there;
  triangles t;
  detector d;
  int exact;
  void *f, *part;      /* of a tile; of blocks: of all that this rank has, where it has them in a team */
  double *sum;         /* over blocks */
  double pairs;        /* of triangles and q */
  size_t team, member; /* ranks of this team, and which of them this is: the first one asks, adds up and writes */
  long long coming;    /* the next tile, or -1 */
  MPI_Request request; /* for its number */
  /* between calls rank 0 answers the others, and cuts its tiles into pieces, so that they need not wait */
  void (*between)(struct work *w);
  void (*ahead)(struct work *w); /* when the calls for a tile are done: the team can be told the next */
  size_t pieces;
  /* handing out tiles: */
  size_t *todo, tiles, next, asking; /* those that are not done; ranks that are not at their end */
  double fastest, mine;              /* seconds for a tile: of the fastest other rank, and of this one */
  uint64_t hash;
  ranks_time time;
  double filing; /* seconds for files */
  amplitude *file;
  double *picture; /* |F / V|^2, or NULL */
} work;

static size_t number_size(const work *w) { return w->t.single ? sizeof(float) : sizeof(double); }
static double value(const work *w, const void *f, size_t i) {
  return w->t.single ? (double)((const float *)f)[i] : ((const double *)f)[i];
}

/* F of a piece, into rows of so many pixels. */
static void call(work *w, const block *b, const tile *p, void *to, size_t row) {
  const convk_grid3 grid = {1, p->ny, p->nz, 1, row};
  const char *const y = (const char *)w->d.y + p->y * number_size(w), *const z = (const char *)w->d.z + p->z * number_size(w);
  const convk_q_f32 f32 = {0,    (const float *)w->d.x,   (const float *)(const void *)y, (const float *)(const void *)z, NULL,
                           NULL, (const float *)w->d.imag};
  const convk_q_f64 f64 = {
      0,    (const double *)w->d.x,   (const double *)(const void *)y, (const double *)(const void *)z, NULL,
      NULL, (const double *)w->d.imag};
  convk_formfactor_options options;
  memset(&options, 0, sizeof options);
  options.form = w->exact ? CONVK_FORM_EXACT : w->t.closed ? CONVK_FORM_CLOSED : CONVK_FORM_OPEN;
  require_ok(w->t.single ? convk_formfactor_grid_f32(&w->hw, &b->f32, &grid, &f32, &options, (float *)to, NULL, 0)
                         : convk_formfactor_grid_f64(&w->hw, &b->f64, &grid, &f64, &options, (double *)to, NULL, 0),
             "formfactor_grid");
}

/* ---- the same on a device ---- */

static device_array axis_there(device *d, void *q, size_t bytes) {
  device_array a = {NULL, 0};
  if (q) {
    a = device_memory(d, bytes);
    device_copy(d, 1, a, q, bytes);
  }
  return a;
}

/* Starts the sum of a block for a piece, or with `bytes` only asks for the work that it takes. AT: an array as the call wants it. */
#define START(name, mesh_type, q_type, call, query, on, AT, room) \
  static int name(work *w, const slot *s, const tile *p, const convk_formfactor_options *options, size_t *bytes) { \
    work_there *d = &w->there; \
    const convk_grid3 grid = {1, p->ny, p->nz, 0, 0}; \
    const size_t stride = w->t.each + 1; \
    mesh_type mesh; \
    q_type q; \
    memset(&mesh, 0, sizeof mesh); \
    memset(&q, 0, sizeof q); \
    mesh.n = s->n; \
    mesh.ax = AT(s->numbers); \
    mesh.ay = AT(device_from(s->numbers, stride)); \
    mesh.az = AT(device_from(s->numbers, 2 * stride)); \
    mesh.x = AT(device_from(s->numbers, 3 * stride)); \
    mesh.y = AT(device_from(s->numbers, 4 * stride)); \
    mesh.z = AT(device_from(s->numbers, 5 * stride)); \
    q.x = AT(d->x); \
    q.y = AT(device_from(d->y, p->y)); \
    q.z = AT(device_from(d->z, p->z)); \
    if (d->imag.memory) { \
      q.z_imag = AT(device_from(d->imag, p->z)); \
    } \
    return bytes ? query(on, &mesh, &grid, &q, bytes) \
                 : call(on, &mesh, &s->measures, &grid, &q, options, AT(d->f.there), room, d->work_size); \
  }
#ifdef CONVK_CUDA
#define CUDA_F32(a) DEVICE_POINTER(float, a)
#define CUDA_F64(a) DEVICE_POINTER(double, a)
START(start_cuda_f32, convk_mesh_f32, convk_q_f32, convk_cuda_formfactor_grid_f32, convk_cuda_formfactor_grid_work_size_f32,
      &d->on.cuda, CUDA_F32, d->work.memory)
START(start_cuda_f64, convk_mesh_f64, convk_q_f64, convk_cuda_formfactor_grid_f64, convk_cuda_formfactor_grid_work_size_f64,
      &d->on.cuda, CUDA_F64, d->work.memory)
#endif
#ifdef CONVK_CL
START(start_cl_f32, convk_cl_mesh, convk_cl_q, convk_cl_formfactor_grid_f32, convk_cl_formfactor_grid_work_size_f32, &d->on.cl,
      device_buffer, device_buffer(d->work))
START(start_cl_f64, convk_cl_mesh, convk_cl_q, convk_cl_formfactor_grid_f64, convk_cl_formfactor_grid_work_size_f64, &d->on.cl,
      device_buffer, device_buffer(d->work))
#endif

static void start(work *w, const slot *s, const tile *p, size_t *bytes) {
  convk_formfactor_options options;
  int status = CONVK_OK;
  memset(&options, 0, sizeof options);
  options.form = w->t.closed ? CONVK_FORM_CLOSED : CONVK_FORM_OPEN;
  (void)s, (void)p, (void)bytes;
#ifdef CONVK_CUDA
  if (w->there.on.kind == DEVICE_CUDA) {
    status = w->t.single ? start_cuda_f32(w, s, p, &options, bytes) : start_cuda_f64(w, s, p, &options, bytes);
  }
#endif
#ifdef CONVK_CL
  if (w->there.on.kind == DEVICE_OPENCL) {
    status = w->t.single ? start_cl_f32(w, s, p, &options, bytes) : start_cl_f64(w, s, p, &options, bytes);
  }
#endif
  device_ok(&w->there.on, status, "formfactor_grid");
}

static size_t block_bytes(const work *w) { return w->t.fields * (w->t.each + 1) * number_size(w); }

/* For tiles of so many pixels along y and z at most. */
static void prepare_there(work *w, size_t ny, size_t nz) {
  work_there *d = &w->there;
  const size_t own = (w->t.blocks - 1) / w->team + 1, size = number_size(w);
  tile largest;
  slot any;
  size_t k;
  memset(&largest, 0, sizeof largest);
  memset(&any, 0, sizeof any);
  largest.ny = ny;
  largest.nz = nz;
  d->count = w->t.keep || own < 2 ? own : 2;
  d->slots = (slot *)memory(d->count, sizeof *d->slots);
  for (k = 0; k < d->count; k++) {
    d->slots[k].block = w->t.blocks;
    d->slots[k].numbers = device_memory(&d->on, block_bytes(w));
  }
  d->way[0] = device_room(&d->on, block_bytes(w));
  d->way[1] = device_room(&d->on, block_bytes(w));
  d->f = device_room(&d->on, 2 * ny * nz * size);
  d->y = axis_there(&d->on, w->d.y, w->d.ny * size);
  d->z = axis_there(&d->on, w->d.z, w->d.nz * size);
  d->x = axis_there(&d->on, w->d.x, size);
  d->imag = axis_there(&d->on, w->d.imag, w->d.nz * size);
  device_wait(&d->on);
  any = d->slots[0];
  any.n = w->t.each + 1;
  start(w, &any, &largest, &d->work_size);
  d->work = device_memory(&d->on, d->work_size);
}

static void leave_there(work *w) {
  work_there *d = &w->there;
  size_t k;
  device_wait(&d->on);
  for (k = 0; k < d->count; k++) {
    device_await(&d->on, &d->slots[k].here);
    device_free(&d->on, d->slots[k].numbers);
    device_event_free(&d->on, &d->slots[k].here);
    device_event_free(&d->on, &d->slots[k].done);
  }
  for (k = 0; k < 2; k++) {
    device_room_free(&d->on, &d->way[k]);
    device_event_free(&d->on, &d->used[k]);
  }
  device_room_free(&d->on, &d->f);
  device_free(&d->on, d->y);
  device_free(&d->on, d->z);
  device_free(&d->on, d->x);
  device_free(&d->on, d->imag);
  device_free(&d->on, d->work);
  free(d->slots);
  device_close(&d->on);
}

/* The slot of block b, which may still be on its way: whoever uses it waits for `here`, on the device. */
static slot *slot_of(work *w, size_t b) {
  work_there *d = &w->there;
  const block *from;
  device_message *way;
  device_event *used;
  slot *s;
  size_t k;
  for (k = 0; k < d->count; k++) {
    if (d->slots[k].block == b) {
      return &d->slots[k];
    }
  }
  from = block_of(&w->t, b); /* maybe out of a file, while the device is at work */
  s = &d->slots[d->next];
  d->next = (d->next + 1) % d->count;
  way = &d->way[d->turn];
  used = &d->used[d->turn];
  d->turn = 1 - d->turn;
  device_await(&d->on, used);
  memcpy(way->host, from->numbers, block_bytes(w));
  device_follow(&d->on, DEVICE_COPIES, &s->done);
  device_copy_by(&d->on, DEVICE_COPIES, 1, s->numbers, way->host, block_bytes(w));
  device_mark(&d->on, DEVICE_COPIES, &s->here);
  device_mark(&d->on, DEVICE_COPIES, used);
  s->block = b;
  s->n = w->t.single ? from->f32.n : from->f64.n;
  require_ok(w->t.single ? convk_mesh_measure_f32(NULL, &from->f32, &s->measures)
                         : convk_mesh_measure_f64(NULL, &from->f64, &s->measures),
             w->t.path);
  return s;
}

/* As call. While the device sums, the block that comes next goes there: of this tile, or the first one for the next tile. */
static void call_there(work *w, size_t b, const tile *p, void *to, size_t row) {
  work_there *d = &w->there;
  const size_t pixel = 2 * number_size(w), next = b + w->team < w->t.blocks ? b + w->team : w->member;
  slot *s = slot_of(w, b);
  size_t z;
  device_follow(&d->on, DEVICE_WORK, &s->here);
  start(w, s, p, NULL);
  device_mark(&d->on, DEVICE_WORK, &s->done);
  device_copy(&d->on, 0, d->f.there, d->f.host, p->ny * p->nz * pixel);
  slot_of(w, next);
  device_wait(&d->on);
  for (z = 0; z < p->nz; z++) {
    memcpy((char *)to + z * row * pixel, (const char *)d->f.host + z * p->ny * pixel, p->ny * pixel);
  }
}

/* Along which axis the library lays vectors is a matter of bits. It takes the longest: a piece must have the detector's. */
static int along_z(const detector *d) { return !d->imag && d->nz > d->ny; }

static size_t pieces_of(const work *w, const tile *t) {
  const int z = along_z(&w->d);
  const size_t across = z ? t->ny : t->nz, most = z ? t->nz - 1 : t->ny;
  const size_t least = w->exact || across <= most ? 1 : (across - 1) / most + 1;
  const size_t pieces = w->pieces > least ? w->pieces : least;
  return pieces < across ? pieces : across;
}

/* F of a tile and a block, at `to`. */
static void compute_block(work *w, const tile *t, size_t b, void *to) {
  const int z = along_z(&w->d);
  const block *const from = job.rate > 0 || w->there.on.kind ? NULL : block_of(&w->t, b);
  const size_t pieces = pieces_of(w, t), number = 2 * number_size(w);
  size_t k;
  for (k = 0; k < pieces; k++) {
    tile p = *t;
    if (z) {
      p.y += edge(t->ny, pieces, k);
      p.ny = edge(t->ny, pieces, k + 1) - edge(t->ny, pieces, k);
    } else {
      p.z += edge(t->nz, pieces, k);
      p.nz = edge(t->nz, pieces, k + 1) - edge(t->nz, pieces, k);
    }
    if (w->there.on.kind) {
      call_there(w, b, &p, (char *)to + ((p.z - t->z) * t->ny + p.y - t->y) * number, t->ny);
    } else if (!ranks_simulated((double)block_count(&w->t, b) * cost(w->exact, p.ny, p.nz))) {
      call(w, from, &p, (char *)to + ((p.z - t->z) * t->ny + p.y - t->y) * number, t->ny);
    }
    if (w->between) {
      w->between(w);
    }
  }
  w->pairs += (double)block_count(&w->t, b) * (double)t->ny * (double)t->nz;
}

static void add_block(work *w, size_t numbers, size_t b, const void *part) {
  size_t i;
  if (ranks_simulated(1e-9 * job.rate * (double)numbers)) { /* 1 ns each */
    return;
  }
  for (i = 0; i < numbers; i++) {
    w->sum[i] = b ? w->sum[i] + value(w, part, i) : value(w, part, i);
  }
}

static char *part_of(const work *w, size_t numbers, size_t k) { return (char *)w->part + k * numbers * number_size(w); }
static MPI_Datatype number_type(const work *w) { return w->t.single ? MPI_FLOAT : MPI_DOUBLE; }

/* F of a tile, at w->f: the sum over blocks in doubles, rounded once. Others of the team send theirs. */
static void compute(work *w, const tile *t) {
  const size_t numbers = 2 * t->ny * t->nz;
  size_t b, i;
  if (w->t.blocks == 1) { /* there is nothing to add up */
    compute_block(w, t, 0, w->f);
  }
  for (b = 0; b < w->t.blocks && w->t.blocks > 1; b += w->team) {
    char *const part = part_of(w, numbers, w->team > 1 ? b / w->team : 0);
    compute_block(w, t, b, part);
    if (w->team == 1) {
      add_block(w, numbers, b, part);
    }
  }
  if (w->ahead) {
    w->ahead(w);
  }
  for (b = 0; b < w->t.blocks && w->team > 1; b++) {
    if (b % w->team) {
      const double start = seconds();
      MPI_Recv(w->f, (int)numbers, number_type(w), job.rank + (int)(b % w->team), PART, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      w->time.communication += seconds() - start;
    }
    add_block(w, numbers, b, b % w->team ? w->f : part_of(w, numbers, b / w->team));
  }
  for (i = 0; i < numbers && w->t.blocks > 1 && !(job.rate > 0); i++) {
    if (w->t.single) {
      ((float *)w->f)[i] = (float)w->sum[i];
    } else {
      ((double *)w->f)[i] = w->sum[i];
    }
  }
}

/* Of a tile's numbers and where they are, eight bytes at a time; not 0. */
static uint64_t hash_tile(const work *w, const tile *t, const void *f) {
  const size_t words = 2 * number_size(w) / sizeof(uint64_t); /* of a pixel */
  uint64_t sum = 0;
  size_t row, i;
  for (row = 0; row < t->nz; row++) {
    for (i = 0; i < words * t->ny; i++) {
      sum += hash_of(words * ((uint64_t)(t->z + row) * w->d.ny + t->y) + i,
                     (const char *)f + (words * row * t->ny + i) * sizeof(uint64_t), sizeof(uint64_t));
    }
  }
  return sum ? sum : 1;
}

static void room_for(work *w, size_t pixels) {
  const size_t own = w->team > 1 ? (w->t.blocks - 1) / w->team + 1 : 1, sent = job.rate > 0 && w->team == 1 ? 0 : 2 * pixels;
  free(w->f);
  free(w->part);
  free(w->sum);
  w->f = memory(sent, number_size(w));
  w->part = memory(own * sent, number_size(w));
  w->sum = (double *)memory(job.rate > 0 ? 0 : 2 * pixels, sizeof *w->sum);
}

static void keep_for_picture(work *w, const tile *t) {
  size_t row, i;
  for (row = 0; row < t->nz && w->picture; row++) {
    for (i = 0; i < t->ny; i++) {
      const size_t at = 2 * (row * t->ny + i);
      w->picture[(t->z + row) * w->d.ny + t->y + i] = pow(hypot(value(w, w->f, at), value(w, w->f, at + 1)) / w->t.volume, 2);
    }
  }
}

static void do_tile(work *w, size_t index) {
  const tile t = tile_of(&w->d, index);
  const double start = seconds();
  compute(w, &t);
  if (!(job.rate > 0)) {
    const uint64_t hash = hash_tile(w, &t, w->f);
    w->hash += hash;
    keep_for_picture(w, &t);
    if (w->file) {
      const double begun = seconds();
      amplitude_write(w->file, &t, w->f, hash);
      w->filing += seconds() - begun;
    }
  }
  w->mine = seconds() - start;
}

/* ---- handing out ---- */

/* Every rank asks for its next tile before it computes the one that it has: the answer is there in time. Rank 0 computes, too,
 * and answers between its calls. (MPI_Fetch_and_op on a counter would do without, but on many systems makes no progress while
 * rank 0 computes.) */
static long long take(work *w) { return w->next < w->tiles ? (long long)w->todo[w->next++] : -1; }

static void answer(work *w) {
  const double start = seconds();
  int waiting = 1, none = 0;
  while (none < 3 && w->asking) { /* a probe may look for messages only after it has said that there are none */
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, ASK, MPI_COMM_WORLD, &waiting, &status);
    none = waiting ? 0 : none + 1;
    if (waiting) {
      double took;
      const int rank = status.MPI_SOURCE;
      long long next;
      MPI_Recv(&took, 1, MPI_DOUBLE, rank, ASK, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      next = take(w);
      MPI_Send(&next, 1, MPI_LONG_LONG, rank, GIVE, MPI_COMM_WORLD);
      w->asking -= next < 0;
      w->fastest = took > 0 && (took < w->fastest || !(w->fastest > 0)) ? took : w->fastest;
    }
  }
  w->time.communication += seconds() - start;
  ranks_progress((double)w->next / (double)w->tiles, w->time.start);
}

/* Pieces about as long as a tile of the fastest rank, 16 at most; whole tiles where no other team asks. */
static size_t pieces_now(const work *w) {
  const double ratio = !w->asking ? 1 : w->fastest > 0 ? 0.8 * w->mine / w->fastest : 4;
  return ratio > 16 ? 16 : ratio > 1 ? (size_t)ceil(ratio) : 1;
}

/* The team's next tile is known to its first rank: the others begin it at once. */
static void pass_on(work *w) {
  size_t m;
  if (job.rank) {
    const double start = seconds();
    MPI_Wait(&w->request, MPI_STATUS_IGNORE);
    w->time.communication += seconds() - start;
  }
  for (m = 1; m < w->team; m++) {
    MPI_Send(&w->coming, 1, MPI_LONG_LONG, job.rank + (int)m, TILE, MPI_COMM_WORLD);
  }
}

static void hand_out(work *w) {
  long long now;
  w->between = answer;
  w->coming = take(w);
  pass_on(w);
  while (w->coming >= 0) {
    now = w->coming;
    w->coming = take(w); /* as the others ask ahead */
    w->pieces = pieces_now(w);
    do_tile(w, (size_t)now);
  }
  while (w->asking) {
    const double start = seconds();
    MPI_Probe(MPI_ANY_SOURCE, ASK, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    w->time.communication += seconds() - start;
    answer(w);
  }
}

static void ask(work *w) {
  const double start = seconds();
  MPI_Irecv(&w->coming, 1, MPI_LONG_LONG, 0, GIVE, MPI_COMM_WORLD, &w->request);
  MPI_Send(&w->mine, 1, MPI_DOUBLE, 0, ASK, MPI_COMM_WORLD);
  w->time.communication += seconds() - start;
}

static void ask_for_tiles(work *w) {
  long long now;
  ask(w);
  pass_on(w);
  while (w->coming >= 0) {
    now = w->coming;
    ask(w);
    do_tile(w, (size_t)now);
  }
}

/* Others of a team: their blocks of the tiles that they are told. */
static void help(work *w) {
  const int first = job.rank - (int)w->member;
  MPI_Request *sent = (MPI_Request *)memory(w->t.blocks, sizeof *sent);
  long long index;
  for (;;) {
    const double start = seconds();
    size_t b, count = 0;
    tile t;
    MPI_Recv(&index, 1, MPI_LONG_LONG, first, TILE, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    w->time.communication += seconds() - start;
    if (index < 0) {
      break;
    }
    t = tile_of(&w->d, (size_t)index);
    for (b = w->member; b < w->t.blocks; b += w->team) {
      const size_t numbers = 2 * t.ny * t.nz;
      char *const part = part_of(w, numbers, count);
      compute_block(w, &t, b, part);
      MPI_Isend(part, (int)numbers, number_type(w), first, PART, MPI_COMM_WORLD, &sent[count++]);
    }
    w->time.communication -= seconds();
    for (b = 0; b < count; b++) {
      MPI_Wait(&sent[b], MPI_STATUS_IGNORE);
    }
    w->time.communication += seconds();
  }
  free(sent);
}

/* Teams of neighbouring ranks, the last one maybe smaller. */
static void form_teams(work *w) {
  const size_t rank = (size_t)job.rank, first = rank / w->team * w->team, left = (size_t)job.count - first;
  w->asking = ((size_t)job.count - 1) / w->team;
  w->team = w->team < left ? w->team : left;
  w->member = rank - first;
  w->ahead = pass_on;
  w->pieces = 1;
}

/* ---- a file that is there ---- */

/* Reads its tiles, each rank some of them; rank 0 gets the list of those that are to be done. */
static void look_for_tiles(work *w, size_t all) {
  unsigned char *state = (unsigned char *)memory(all, 1); /* 1: done; 2: torn */
  size_t i, count[3] = {0, 0, 0};
  for (i = (size_t)job.rank; i < all && w->file; i += (size_t)job.count) {
    const tile t = tile_of(&w->d, i);
    uint64_t hash = 0;
    amplitude_read(w->file, &t, w->f, &hash);
    if (hash) {
      state[i] = hash == hash_tile(w, &t, w->f) ? 1 : 2;
    }
    if (state[i] == 1) {
      w->hash += hash;
      keep_for_picture(w, &t);
    }
  }
  MPI_Allreduce(MPI_IN_PLACE, state, (int)all, MPI_UNSIGNED_CHAR, MPI_MAX, MPI_COMM_WORLD);
  w->todo = (size_t *)memory(all, sizeof *w->todo);
  for (i = 0; i < all; i++) {
    count[state[i]]++;
    if (state[i] != 1) {
      w->todo[w->tiles++] = i;
    }
  }
  if (count[1] || count[2]) {
    say("              %lu of %lu tiles are there and skipped", (unsigned long)count[1], (unsigned long)all);
    if (count[2]) {
      say(", %lu torn: done again", (unsigned long)count[2]);
    }
    say("\n");
  }
  free(state);
}

/* ---- rank 0 alone ---- */

/* F of the whole detector as one tile, at w->f. */
static void alone(work *w) {
  const size_t tiles_y = w->d.tiles_y, tiles_z = w->d.tiles_z;
  tile t;
  w->d.tiles_y = w->d.tiles_z = 1;
  w->between = w->ahead = NULL;
  w->team = w->pieces = 1;
  t = tile_of(&w->d, 0);
  room_for(w, t.ny * t.nz);
  compute(w, &t);
  w->d.tiles_y = tiles_y;
  w->d.tiles_z = tiles_z;
}

/* The same sum over tiles as that of all ranks, of an F that is computed by one call for each block. */
static void check_alone(work *w, uint64_t all, size_t tiles) {
  uint64_t sum = 0;
  double *f, most = fabs(w->t.volume), worst = 0;
  const size_t numbers = 2 * w->d.ny * w->d.nz;
  size_t i;
  alone(w);
  for (i = 0; i < tiles; i++) {
    const tile t = tile_of(&w->d, i);
    const size_t row = 2 * t.ny * number_size(w);
    char *part = (char *)memory(t.nz, row);
    size_t k;
    for (k = 0; k < t.nz; k++) {
      memcpy(part + k * row, (const char *)w->f + 2 * ((t.z + k) * w->d.ny + t.y) * number_size(w), row);
    }
    sum += hash_tile(w, &t, part);
    free(part);
  }
  require(sum == all, "one process", "different bits");
  say("check:        one process finds the same bits of the whole detector\n");
  if (w->t.blocks > 1) { /* and one call for all triangles */
    f = (double *)memory(numbers, sizeof *f);
    for (i = 0; i < numbers; i++) {
      f[i] = value(w, w->f, i);
      most = fabs(f[i]) > most ? fabs(f[i]) : most;
    }
    blocks_free(&w->t);
    cut_triangles(&w->t, w->t.n);
    make_room(&w->t, 1);
    free(w->t.wide);
    w->t.wide = (double *)memory(12 * w->t.each, sizeof *w->t.wide);
    if (w->t.corners) {
      free(w->t.corners);
      w->t.corners = (double *)memory(9 * w->t.each, sizeof *w->t.corners);
    }
    alone(w);
    for (i = 0; i < numbers; i++) {
      const double difference = fabs(f[i] - value(w, w->f, i));
      worst = difference <= worst ? worst : difference;
    }
    free(f);
    say("              with all triangles in one block F differs by %.1e of its largest value\n", worst / most);
    require(worst <= (w->t.single ? 2e-5 : 1e-11) * most, "blocks of triangles", "more than rounding lies between them");
  }
}

static void show(work *w, const char *what, const char *path, const char *data) {
  const size_t pixels = w->d.ny * w->d.nz;
  size_t i;
  for (i = 0; i < pixels; i += (size_t)1 << 24) { /* others have 0 */
    const int some = (int)(pixels - i < (size_t)1 << 24 ? pixels - i : (size_t)1 << 24);
    MPI_Reduce(job.rank ? w->picture + i : MPI_IN_PLACE, w->picture + i, some, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  }
  if (!job.rank && path) {
    draw(w->d.ny, w->d.nz, w->picture, path);
  }
  if (!job.rank && data) {
    keep(w->d.ny, w->d.nz, w->d.qmax, w->d.absorption, w->picture, what, data);
  }
}

/* ---- what is asked for ---- */

/* The file's tiles count where none are asked for. Rank 0 looks, and speaks for all. */
static void prepare_tiles(work *w, const char *tiles, const char *out, int *there) {
  amplitude_shape found;
  unsigned long long counts[3] = {0, 0, 0};
  size_t y, z;
  if (out && !job.rank) {
    amplitude_look(out, &found);
    counts[0] = found.tiles_y;
    counts[1] = found.tiles_z;
    counts[2] = found.ny > 0;
  }
  MPI_Bcast(counts, 3, MPI_UNSIGNED_LONG_LONG, 0, MPI_COMM_WORLD);
  *there = counts[2] != 0;
  if (tiles) {
    read_pixels(tiles, "--tile", 1000000, &y, &z);
    w->d.tiles_y = parts_of(w->d.ny, y);
    w->d.tiles_z = parts_of(w->d.nz, z);
  } else if (*there) {
    w->d.tiles_y = (size_t)counts[0];
    w->d.tiles_z = (size_t)counts[1];
    w->d.tiles_y = w->d.tiles_y < 1 || w->d.tiles_y > w->d.ny / 2 ? 1 : w->d.tiles_y; /* of another grid: facts tell */
    w->d.tiles_z = w->d.tiles_z < 1 || w->d.tiles_z > w->d.nz / 2 ? 1 : w->d.tiles_z;
  }
  choose(&w->d, &w->t, w->exact, &w->team);
}

/* Opens the file of results, which rank 0 makes where there is none. */
static void open_results(work *w, amplitude *file, const char *path, int there) {
  const amplitude_shape wanted = {w->d.ny, w->d.nz, w->d.tiles_y, w->d.tiles_z};
  char hash[20];
  fact facts[16];
  int n = 0;
  snprintf(hash, sizeof hash, "%016llx", (unsigned long long)w->t.hash);
  memset(facts, 0, sizeof facts);
  facts[n].name = "grid_y", facts[n++].number = (double)w->d.ny;
  facts[n].name = "grid_z", facts[n++].number = (double)w->d.nz;
  facts[n].name = "qmax", facts[n++].number = w->d.qmax;
  facts[n].name = "absorption", facts[n++].number = w->d.absorption;
  facts[n].name = "type", facts[n++].text = w->t.single ? "f32" : "f64";
  facts[n].name = "sum", facts[n++].text = w->exact ? "exact" : "one point in each triangle";
  facts[n].name = "triangles", facts[n++].number = (double)w->t.n;
  facts[n].name = "mesh_hash", facts[n++].text = hash;
  facts[n].name = "surface", facts[n++].text = w->t.closed ? "closed" : "open";
  facts[n].name = "block", facts[n++].number = (double)w->t.each;
  facts[n].name = "tiles_y", facts[n++].number = (double)w->d.tiles_y;
  facts[n].name = "tiles_z", facts[n++].number = (double)w->d.tiles_z;
  facts[n].name = "mesh", facts[n].text = w->t.path, facts[n++].free = 1;
  facts[n].name = "hardware", facts[n].text = w->hw.name, facts[n++].free = 1;
  facts[n].name = "volume", facts[n].number = w->t.volume, facts[n++].free = 1;
  say("file:         %s, %s\n", path, there ? "begun earlier" : "new");
  if (!job.rank && there) {
    amplitude_compare(path, facts);
  } else if (!job.rank) {
    amplitude_create(path, &wanted, w->t.single, w->d.qy, w->d.qz, facts);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  amplitude_open(file, path, w->t.single);
  w->file = file;
}

int main(int argc, char **argv) {
  const char *name = NULL, *size = "256x256", *qmax = "2", *absorption = "0", *type = "f32", *tiles = NULL, *team = NULL,
             *each = "65536", *limit = "1024", *out = NULL, *picture = NULL, *data = NULL, *spec = NULL, *threads = NULL,
             *json = NULL, *rate = "0", *count = "1000000";
  const double zero = 0;
  char path[512];
  int check = 0, there = 0;
  size_t all, blocks;
  uint64_t bits = 0;
  particle body[2];
  amplitude file;
  double filing = 0;
  work w;
  const option options[] = {{"--grid", &size, NULL, "NYxNZ", "pixels of the detector"},
                            {"--qmax", &qmax, NULL, "Q", "|qy| and |qz| at its edges"},
                            {"--absorption", &absorption, NULL, "IM", "imaginary part of qz"},
                            {"--type", &type, NULL, "TYPE", "f32 or f64"},
                            {"--exact", NULL, &w.exact, NULL, "integrates over each triangle exactly"},
                            {"--tile", &tiles, NULL, "NYxNZ", "pixels that a rank takes at a time"},
                            {"--block", &each, NULL, "N", "triangles, a multiple of 512"},
                            {"--team", &team, NULL, "N", "ranks that share the triangles of a tile"},
                            {"--memory", &limit, NULL, "MB", "of each rank"},
                            {"--out", &out, NULL, "FILE.h5", "amplitudes as HDF5; goes on with what is there"},
                            {"--picture", &picture, NULL, "FILE", "a picture of |F / volume|^2"},
                            DATA_OPTION(data),
                            {"--check", NULL, &check, NULL, "one process alone finds the same bits"},
                            {"--json", &json, NULL, "FILE", "one more line of it"},
                            HARDWARE_OPTION(spec),
                            THREADS_OPTION(threads),
#ifdef SMPI_H
                            {"--triangles", &count, NULL, "N", "of a simulated particle"},
#endif
                            RANKS_OPTIONS(rate) END_OF_OPTIONS};

  memset(&w, 0, sizeof w);
  memset(body, 0, sizeof body);
  ranks_begin(&argc, &argv);
  read_options(argc, argv, options, &name, USAGE, shape_list());
  job.rate = number(rate, "--simulate", 0, 1e30);
  read_pixels(size, "--grid", 1000000, &w.d.ny, &w.d.nz);
  w.d.qmax = number(qmax, "--qmax", 1e-30, 1e30);
  w.d.absorption = number(absorption, "--absorption", 0, 1e30);
  w.t.single = !word(type, "--type", "f32", "f64");
  blocks = (size_t)whole(each, "--block", 512, (uint64_t)1 << 30);
  require_option(blocks % 512 == 0, "--block", "a multiple of 512 is wanted");
  require_option(!(picture || data) || (w.d.ny <= 8000 && w.d.nz <= 8000), picture ? "--picture" : "--data",
                 "the grid is larger than 8000x8000");
  require_option(!check || w.d.ny * w.d.nz <= (size_t)1 << 26, "--check", "the grid is too large for one process");
  w.t.limit = 1048576.0 * number(limit, "--memory", 0, 1e9);
  w.team = team ? (size_t)whole(team, "--team", 1, (uint64_t)job.count) : 0;
  ranks_open(&w.hw, spec, threads);
  job.alike = 1;
  if (job.rate > 0) {
    w.t.n = (size_t)whole(count, "--triangles", 1, (uint64_t)1 << 40);
    cut_triangles(&w.t, blocks);
    out = picture = data = NULL;
    check = 0;
  } else {
    read_triangles(&w.t, name ? name : "cylinder", path, body, w.d.qmax, w.exact, blocks);
    w.d.qy = axis_of_detector(w.t.single, w.d.qmax, w.d.ny);
    w.d.qz = axis_of_detector(w.t.single, w.d.qmax, w.d.nz);
    w.d.y = axis_for_calls(w.t.single, w.d.qy, w.d.ny);
    w.d.z = axis_for_calls(w.t.single, w.d.qz, w.d.nz);
    w.d.x = axis_for_calls(w.t.single, &zero, 1);
  }
  prepare_tiles(&w, tiles, out, &there);
  if (!(job.rate > 0) && w.d.absorption > 0) {
    double *imag = (double *)memory(w.d.nz, sizeof *imag);
    for (all = 0; all < w.d.nz; all++) {
      imag[all] = w.d.absorption;
    }
    w.d.imag = axis_for_calls(w.t.single, imag, w.d.nz);
    free(imag);
  }
  all = w.d.tiles_y * w.d.tiles_z;
  require_option(all <= INT32_MAX, "--tile", "too many tiles");
  if (out) {
    open_results(&w, &file, out, there);
  }
  say("detector:     %lu x %lu pixels, qx = 0, |qy| and |qz| < %g, Im qz = %g, %s\n", (unsigned long)w.d.ny,
      (unsigned long)w.d.nz, w.d.qmax, w.d.absorption, w.t.single ? "f32" : "f64");
  say("tiles:        %lu x %lu, of about %lu x %lu pixels\n", (unsigned long)w.d.tiles_y, (unsigned long)w.d.tiles_z,
      (unsigned long)(w.d.ny / w.d.tiles_y), (unsigned long)(w.d.nz / w.d.tiles_z));
  make_room(&w.t, w.team);
  if (w.t.blocks > 1) {
    say("blocks:       %lu of up to %lu triangles, %s\n", (unsigned long)w.t.blocks, (unsigned long)w.t.each,
        w.t.keep ? "kept in memory" : "read again for each tile");
  }
  if (w.team > 1) {
    say("teams:        of %lu ranks, which share the blocks of a tile\n", (unsigned long)w.team);
  }
  job.alike = 0;
  form_teams(&w);
  room_for(&w, ((w.d.ny - 1) / w.d.tiles_y + 1) * ((w.d.nz - 1) / w.d.tiles_z + 1));
  if (picture || data) {
    w.picture = (double *)memory(w.d.ny * w.d.nz, sizeof *w.picture);
  }
  if (!w.exact && device_open(&w.there.on, &w.hw, "no")) {
    prepare_there(&w, (w.d.ny - 1) / w.d.tiles_y + 1, (w.d.nz - 1) / w.d.tiles_z + 1);
  }
  look_for_tiles(&w, all);
  ranks_start(&w.time);
  if (w.member) {
    help(&w);
  } else if (job.rank) {
    ask_for_tiles(&w);
  } else {
    hand_out(&w);
  }
  ranks_stop(&w.time);
  if (w.there.on.kind) {
    leave_there(&w);
  }
  if (w.file) {
    const double begun = seconds();
    amplitude_close(&file);
    w.filing += seconds() - begun;
  }
  if (!(job.rate > 0)) {
    MPI_Reduce(&w.hash, &bits, 1, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Reduce(&w.filing, &filing, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (w.file) {
      say("written:      in %.2g s of the slowest rank\n", filing);
    }
    say("bits:         %016llx\n", (unsigned long long)bits);
  }
  if (w.picture) {
    show(&w, name ? name : "cylinder", picture, data);
  }
  ranks_table(&w.hw, &w.time, w.pairs, "pair", json);
  if (check && !job.rank) {
    check_alone(&w, bits, all);
  }
  blocks_free(&w.t);
  free(w.t.wide);
  free(w.t.corners);
  stl_close(&w.t.stl);
  particle_free(&body[0]);
  particle_free(&body[1]);
  free(w.d.qy);
  free(w.d.qz);
  free(w.d.x);
  free(w.d.y);
  free(w.d.z);
  free(w.d.imag);
  free(w.f);
  free(w.part);
  free(w.sum);
  free(w.todo);
  free(w.picture);
  convk_close(&w.hw);
  return ranks_end();
}
