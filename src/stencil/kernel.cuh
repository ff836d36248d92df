
enum {
  CONVK_CUDA_STENCIL_ROWS_ = 4, /* points of one thread, side by side in y */
  CONVK_CUDA_STENCIL_DEPTH_ = 4 /* most steps in one pass over memory */
};

/* The tile of a block, with its halo: 16 x 16, 32 x 32 or 64 x 32 points.  In shared memory it has a row more at either end,
   which neighbours of the halo may read and nothing depends on. */
#define CONVK_CUDA_STENCIL_HEIGHT_(WIDTH) ((WIDTH) == 16 ? 16 : 32)
#define CONVK_CUDA_STENCIL_THREADS_(WIDTH) (CONVK_CUDA_STENCIL_HEIGHT_(WIDTH) / CONVK_CUDA_STENCIL_ROWS_ * (WIDTH))
#define CONVK_CUDA_STENCIL_CELLS_(WIDTH) ((CONVK_CUDA_STENCIL_HEIGHT_(WIDTH) + 2) * (WIDTH))

/* Two sets of shared planes in turn, where they fit in 48 KB: then one barrier per plane is enough. */
#define CONVK_CUDA_STENCIL_SETS_(T, WIDTH, DEPTH) \
  (CONVK_CUDA_STENCIL_CELLS_(WIDTH) * (int)sizeof(T) * 2 * (DEPTH) <= 48 * 1024 ? 2 : 1)

/* Threads of a multiprocessor: as many as the registers allow, where each point needs 2 DEPTH + 1 values. */
#define CONVK_CUDA_STENCIL_RESIDENT_(T, DEPTH) \
  (sizeof(T) == 4 ? (DEPTH) < 3 ? 1024 : 768 : (DEPTH) == 1 ? 1024 : (DEPTH) == 2 ? 768 : 512)
#define CONVK_CUDA_STENCIL_BLOCKS_(T, WIDTH, DEPTH) \
  (CONVK_CUDA_STENCIL_RESIDENT_(T, DEPTH) / CONVK_CUDA_STENCIL_THREADS_(WIDTH))

template <class T> struct convk_cuda_stencil_args_ {
  const T *in;
  T *out;
  size_t pitch_y, pitch_z;
  ptrdiff_t n[3], first[3], end[3]; /* the box first .. end - 1 is written */
  ptrdiff_t planes;                 /* of a chunk along z */
  unsigned tiles_x, layer;          /* tiles along x, and of a chunk */
  int periodic[3];
  T c[7];
};

/* Where a point of an axis is loaded from: wrapped, or the nearest that there is. */
static __device__ __forceinline__ size_t convk_cuda_place_(ptrdiff_t i, ptrdiff_t n, int periodic) {
  if (i >= 0 && i < n) return (size_t)i;
  if (!periodic) return i < 0 ? 0 : (size_t)(n - 1);
  if (n > 1000) return (size_t)(i < 0 ? i + n : i - n); /* a tile reaches less far out */
  return (unsigned)((int)i + CONVK_CUDA_STENCIL_DEPTH_ * (int)n) % (unsigned)n;
}

static __device__ __forceinline__ int convk_cuda_changes_(ptrdiff_t i, ptrdiff_t n, int periodic) {
  return periodic || (i > 0 && i < n - 1);
}

/* The next values of a thread's points, in the order of convk.h; `tile` is the first of them in the shared plane. */
template <int ISOTROPIC, int WIDTH, class T>
static __device__ __forceinline__ void convk_cuda_stencil_points_(const T *c, const T *tile, const T *below, const T *here,
                                                                  const T *above, T *value) {
  const int last = CONVK_CUDA_STENCIL_ROWS_ - 1;
  CONVK_CUDA_UNROLL_
  for (int r = 0; r <= last; r++) {
    const T xm = tile[r * WIDTH - 1], xp = tile[r * WIDTH + 1];
    const T ym = r > 0 ? here[r > 0 ? r - 1 : 0] : tile[-WIDTH];
    const T yp = r < last ? here[r < last ? r + 1 : 0] : tile[(last + 1) * WIDTH];
    value[r] = convk_cuda_stencil_value_(c, here[r], xm, xp, ym, yp, below[r], above[r], ISOTROPIC);
  }
}

/* DEPTH steps in one pass.  A block marches up through its tile; level l is the state after l steps.  When a plane of level 0
   comes in, each level is made one plane behind the one before it.  Threads keep the last two planes of every level of their
   points in registers; neighbours in x and y come from shared memory, which has the middle one of each level's three planes:
   all levels share one exchange.  A level is right one point less far out than the one before it, and the last one on the
   tile without its halo; what lies further out is computed and does not count.  Points that do not change pass from level
   to level.  The next plane is loaded during the arithmetic; threads beyond what is needed load a needed point again. */
template <class T, int WIDTH, int DEPTH, int ISOTROPIC>
static __global__ void __launch_bounds__(CONVK_CUDA_STENCIL_THREADS_(WIDTH), CONVK_CUDA_STENCIL_BLOCKS_(T, WIDTH, DEPTH))
    convk_cuda_stencil_(const convk_cuda_stencil_args_<T> a) {
  const int rows = CONVK_CUDA_STENCIL_ROWS_, height = CONVK_CUDA_STENCIL_HEIGHT_(WIDTH);
  const int cells = CONVK_CUDA_STENCIL_CELLS_(WIDTH), sets = CONVK_CUDA_STENCIL_SETS_(T, WIDTH, DEPTH);
  __shared__ T shared[sets * DEPTH * cells];
  const int x = (int)threadIdx.x % WIDTH, y = (int)threadIdx.x / WIDTH * rows;
  const unsigned chunk = blockIdx.x / a.layer, in_layer = blockIdx.x % a.layer;
  const unsigned tile_y = in_layer / a.tiles_x, tile_x = in_layer % a.tiles_x;
  const ptrdiff_t at_x = a.first[0] + (ptrdiff_t)tile_x * (WIDTH - 2 * DEPTH) - DEPTH + x;
  const ptrdiff_t at_y = a.first[1] + (ptrdiff_t)tile_y * (height - 2 * DEPTH) - DEPTH + y;
  const ptrdiff_t far_x = a.end[0] + DEPTH - 1, far_y = a.end[1] + DEPTH - 1; /* the last that are needed */
  const ptrdiff_t begin = a.first[2] + (ptrdiff_t)chunk * a.planes, left = a.end[2] - begin;
  /* Planes are counted from DEPTH before the first that is written; none is taken below a fixed end. */
  const int end = (int)(left < a.planes ? left : a.planes) + 2 * DEPTH;
  const int low = !a.periodic[2] && begin <= DEPTH ? DEPTH - (int)begin : -1; /* where the fixed ends are */
  const int high = !a.periodic[2] && a.n[2] - begin <= end ? (int)(a.n[2] - begin) + DEPTH - 1 : -1;
  const int start = low > 0 ? low : 0;
  const size_t pitch = a.pitch_z * sizeof(T);
  const size_t column = convk_cuda_place_(at_x < far_x ? at_x : far_x, a.n[0], a.periodic[0]);
  size_t line = convk_cuda_place_(at_y < far_y ? at_y : far_y, a.n[1], a.periodic[1]);
  size_t from = convk_cuda_place_(begin - DEPTH + start, a.n[2], a.periodic[2]);
  const char *in = (const char *)a.in + from * pitch;
  char *out = (char *)a.out + (size_t)begin * pitch;
  T *tile = shared + (y + 1) * WIDTH + x;
  int other = DEPTH * cells;          /* from this set of planes to the other */
  unsigned changing = 0, written = 0; /* a bit for each row */
  size_t offset[rows];
  T below[DEPTH][rows], here[DEPTH][rows], above[rows], ahead[rows];
  auto load = [&]() {
    CONVK_CUDA_UNROLL_
    for (int r = 0; r < rows; r++) ahead[r] = *(const T *)(const void *)(in + offset[r]);
  };
  CONVK_CUDA_UNROLL_
  for (int r = 0; r < rows; r++) {
    const int inside = x >= DEPTH && x < WIDTH - DEPTH && y + r >= DEPTH && y + r < height - DEPTH;
    offset[r] = (line * a.pitch_y + column) * sizeof(T);
    if (at_y + r < far_y && (a.periodic[1] || at_y + r >= 0) && ++line == (size_t)a.n[1]) line = a.periodic[1] ? 0 : line - 1;
    if (convk_cuda_changes_(at_x, a.n[0], a.periodic[0]) && convk_cuda_changes_(at_y + r, a.n[1], a.periodic[1]))
      changing |= 1u << r;
    if (inside && at_x < a.end[0] && at_y + r < a.end[1]) written |= 1u << r;
    CONVK_CUDA_UNROLL_
    for (int l = 0; l < DEPTH; l++) below[l][r] = here[l][r] = 0;
  }
  load();
  for (int k = start; k < end; k++) {
    CONVK_CUDA_UNROLL_
    for (int r = 0; r < rows; r++) {
      CONVK_CUDA_UNROLL_
      for (int l = 0; l < DEPTH; l++) tile[l * cells + r * WIDTH] = here[l][r];
      above[r] = ahead[r];
    }
    if (k + 1 < end) {
      if (++from < (size_t)a.n[2]) {
        in += pitch;
      } else if (a.periodic[2]) {
        from = 0;
        in = (const char *)a.in;
      }
    }
    load();
    __syncthreads();
    CONVK_CUDA_UNROLL_
    for (int l = 0; l < DEPTH; l++) { /* plane k - l - 1, from level l to l + 1 */
      const unsigned kept = k - l - 1 == low || k - l - 1 == high ? ~0u : ~changing;
      T value[rows];
      convk_cuda_stencil_points_<ISOTROPIC, WIDTH>(a.c, tile + l * cells, below[l], here[l], above, value);
      CONVK_CUDA_UNROLL_
      for (int r = 0; r < rows; r++) {
        if (l + 1 < DEPTH && (kept >> r & 1)) value[r] = here[l][r];
        below[l][r] = here[l][r];
        here[l][r] = above[r];
        above[r] = value[r];
      }
    }
    if (k >= 2 * DEPTH) {
      CONVK_CUDA_UNROLL_
      for (int r = 0; r < rows; r++)
        if (written >> r & 1) *(T *)(void *)(out + offset[r]) = above[r];
      out += pitch;
    }
    if (sets == 2) {
      tile += other;
      other = -other;
    } else {
      __syncthreads();
    }
  }
}

/* ---- which kernel ---- */

/* The kernel of a tile and a number of steps, and what it writes of a tile. */
template <class T> struct convk_cuda_stencil_kernel_ {
  void (*start)(const convk_cuda_stencil_args_<T>);
  size_t width, height, blocks; /* blocks: of one multiprocessor */
  int threads;
};

template <class T, int WIDTH, int DEPTH> static convk_cuda_stencil_kernel_<T> convk_cuda_stencil_of_(int isotropic) {
  convk_cuda_stencil_kernel_<T> k;
  k.start = isotropic ? convk_cuda_stencil_<T, WIDTH, DEPTH, 1> : convk_cuda_stencil_<T, WIDTH, DEPTH, 0>;
  k.width = WIDTH - 2 * DEPTH;
  k.height = CONVK_CUDA_STENCIL_HEIGHT_(WIDTH) - 2 * DEPTH;
  k.blocks = CONVK_CUDA_STENCIL_BLOCKS_(T, WIDTH, DEPTH);
  k.threads = CONVK_CUDA_STENCIL_THREADS_(WIDTH);
  return k;
}

/* The deepest kernels of 64 x 32 points are for f32 only: those of f64 would not fit in 48 KB. */
template <class T> static convk_cuda_stencil_kernel_<T> convk_cuda_stencil_choose_(size_t tile, size_t depth, int isotropic) {
  const int three = sizeof(T) == 4 ? 3 : 2, four = sizeof(T) == 4 ? 4 : 2;
  switch (tile * 10 + depth) { /* 161: tile 16, one step */
    case 161: return convk_cuda_stencil_of_<T, 16, 1>(isotropic);
    case 162: return convk_cuda_stencil_of_<T, 16, 2>(isotropic);
    case 321: return convk_cuda_stencil_of_<T, 32, 1>(isotropic);
    case 322: return convk_cuda_stencil_of_<T, 32, 2>(isotropic);
    case 323: return convk_cuda_stencil_of_<T, 32, 3>(isotropic);
    case 324: return convk_cuda_stencil_of_<T, 32, 4>(isotropic);
    case 641: return convk_cuda_stencil_of_<T, 64, 1>(isotropic);
    case 642: return convk_cuda_stencil_of_<T, 64, 2>(isotropic);
    case 643: return convk_cuda_stencil_of_<T, 64, three>(isotropic);
    default: return convk_cuda_stencil_of_<T, 64, four>(isotropic);
  }
}

/* The tuning with its zeros filled in, for rows of nx points that change.  Rows of a tile have 256 bytes, where there are
   points for them.  Two steps: with more, shared memory bounds the rate and not the device's, and halos take a larger part. */
CONVK_LOCAL_ int convk_cuda_stencil_tune_(const convk_cuda_stencil_tuning *tuning, size_t nx, size_t element,
                                        convk_cuda_stencil_tuning *chosen) {
  size_t most;
  memset(chosen, 0, sizeof *chosen);
  if (tuning) *chosen = *tuning;
  if (!chosen->tile) chosen->tile = element == 4 && nx > 28 ? 64 : 32;
  if (chosen->tile != 16 && chosen->tile != 32 && chosen->tile != 64) return CONVK_ERR_OPTION;
  most = chosen->tile == 16 || (chosen->tile == 64 && element == 8) ? 2 : CONVK_CUDA_STENCIL_DEPTH_;
  if (!chosen->steps) chosen->steps = 2;
  if (chosen->steps > most) chosen->steps = most;
  return CONVK_OK;
}

/* Planes of a chunk along z: enough blocks to fill the device evenly, where each also computes 2 depth planes for nobody. */
CONVK_LOCAL_ size_t convk_cuda_stencil_planes_(size_t tiles, size_t planes, size_t depth, size_t slots) {
  size_t chunks, best = planes, least = (size_t)-1;
  for (chunks = 1; chunks <= planes && chunks <= 512; chunks++) {
    const size_t each = convk_ceil_(planes, chunks);
    const size_t time = convk_ceil_(tiles * chunks, slots) * (each + 2 * depth);
    if (time < least) {
      least = time;
      best = each;
    }
  }
  return best;
}
