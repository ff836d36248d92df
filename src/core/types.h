/* ---------------------------------------------------------------------------------------------------------- types -- */

/* A 3D array: element (x, y, z) at x + y pitch_y + z pitch_z.  A pitch of 0 means packed (nx, and ny pitch_y). */
typedef struct convk_grid3 {
  size_t nx, ny, nz, pitch_y, pitch_z;
} convk_grid3;

/* A part of a 3D array: points first .. first + count - 1 of x, y and z. */
typedef struct convk_box3 {
  size_t first[3], count[3];
} convk_box3;

/* What a filter finds beyond the ends of an axis of n points, and how many results there are (t = up - lo + 1 taps). */
enum {
  CONVK_BOUNDARY_PERIODIC = 0, /* the array repeats:        n -> n,         output k is y[k]              */
  CONVK_BOUNDARY_GROW = 1,     /* zeros, all of the result: n -> n + t - 1, output k is y[k - up]         */
  CONVK_BOUNDARY_SHRINK = 2,   /* only what is known:       n -> n - t + 1, output k is y[k - lo]         */
  CONVK_BOUNDARY_ZERO = 3,     /* zeros, same points:       n -> n,         output k is y[k]              */
  CONVK_BOUNDARY_FIXED = 4     /* of a stencil: the first and the last point of the axis are given and keep their values */
};

/* Elements beyond the end of the library's own padded rows that kernels may read; they do not use them. */
#define CONVK_SLACK_ ((size_t)32)

/* Directions.  FORWARD is from coefficients to values for the magic filter, and from values to frequencies for fft2d. */
enum { CONVK_FORWARD = 0, CONVK_INVERSE = 1 };

/* How tasks run.  run() calls task(arg, 0..ntasks-1), each once, in any order and on any threads, returns 0 when all are
   done, or nonzero when it could not run them.  threads <= 1 or run == NULL: serial.  A task sets rounding, flushing and traps
   (MXCSR, FPCR) as the calling thread has them, and restores its own at the end. */
typedef struct convk_parallel {
  int threads;
  int (*run)(void *ctx, size_t ntasks, void (*task)(void *arg, size_t index), void *arg);
  void *ctx;
} convk_parallel;

struct convk;
typedef struct convk convk;

/* Elements at any address: without this, compilers that vectorise a loop by themselves may count on their alignment. */
#if defined __GNUC__ || defined __clang__
typedef float convk_any_f32_ __attribute__((aligned(1)));
typedef double convk_any_f64_ __attribute__((aligned(1)));
typedef uint32_t convk_any_u32_ __attribute__((aligned(1)));
typedef uint64_t convk_any_u64_ __attribute__((aligned(1)));
#else
typedef float convk_any_f32_;
typedef double convk_any_f64_;
typedef uint32_t convk_any_u32_;
typedef uint64_t convk_any_u64_;
#endif
