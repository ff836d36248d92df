/* What a room adds to convk_tuning stands in its list CONVK_<ROOM>_TUNING_, of its types.h, as parameter(type, name, which of
   the parameters that convk_tune chooses), after a comment that says of each, with semicolons between, what it is. */
#define CONVK_TUNING_MEMBER_(type, name, choice) type name;

/* Block sizes and caches; 0 means: chosen by the library.  They change speed, never a result. */
typedef struct convk_tuning {
  size_t l2_bytes,
      l3_bytes;      /* what arrays may count on: filled by convk_open from the processor's own description (of its L3 three
                        quarters; half, at most 24 MiB a thread, on a virtual machine, which shares it with others); 0: not
                        known.  What is set by hand is believed */
  size_t l3_threads; /* that share one L3 */
  int nontemporal;   /* stores that bypass the cache: 0 by size, 1 always, -1 never */
  CONVK_TUNING_(CONVK_TUNING_MEMBER_)
} convk_tuning;

/* Parameters that convk_tune chooses, where the handle's `tuning` says nothing. */
enum {
  CONVK_TUNE_ROWS = 0,
  CONVK_TUNE_DEPTH,
  CONVK_TUNE_NONTEMPORAL,
  CONVK_TUNE_PREFETCH,
  CONVK_TUNE_THREADS_Y,
  CONVK_TUNE_PLANES,
  CONVK_TUNE_COUNT
};

/* The same places of a choice for a device, "opencl" or "cuda", whose lines of text have these names; what has none is the
   device's business.  Sizes that a device cannot have become those nearest to them that it can.
             stencil7            sepconv3d          gridpot, gridpot_sum,   formfactor        formfactor_grid      fftconv2d,
                                                    orbitals                                                       fft2d
   tile_x    points of a tile    points of a tile   points of a work-item   vectors of an     vectors of lanes of
                                                                            item              an item
   tile_y    its rows            its rows           rows of a group         -                 rows of an item      -
   steps     in one pass         -                  -                       -                 -                    -
   chunk     planes of a group   planes of a group  -                       -                 triangles at once    their items
   group_x   -                   -                  work-items              work-items        work-items along x   work-items
   group_y   -                   -                  -                       -                 and along y          - */
enum { CONVK_TUNE_TILE_X = 0, CONVK_TUNE_TILE_Y, CONVK_TUNE_STEPS, CONVK_TUNE_CHUNK, CONVK_TUNE_GROUP_X, CONVK_TUNE_GROUP_Y };

/* One tuned choice: for an operation on a machine at a size, what convk_tune measured to be best.  The caller keeps an array
   of them and shows it to a handle: hw.tuned = array, hw.ntuned = count.  A call takes the entry of its own sizes, or else
   the nearest with sizes within a factor of two, or else the defaults. */
typedef struct convk_tuned {
  char operation[16], type[4], hw[16], machine[64]; /* "stencil7", "f64" (or "c64"), "avx512", the processor or device */
  int threads;                                      /* of a device 1 */
  size_t nx, ny, nz;                                /* points that change, or of the input */
  size_t length;                                    /* steps of a stencil: only whether one or several; taps of a filter */
  long choice[CONVK_TUNE_COUNT];                    /* 0: the default */
  long gain;                                        /* speed over the defaults, in parts of a thousand */
  int tried, refused; /* choices that convk_tune ran, and those that the machine could not run; not in the text */
} convk_tuned;

/* How a device measures its own time: convk_inside_.clock, which is asked one of these. */
enum {
  CONVK_CLOCK_BEGIN_, /* to measure: every call from now on */
  CONVK_CLOCK_KIND_,  /* which choices it has: CONVK_TUNE_ON_... */
  CONVK_CLOCK_COPY_,  /* that calls copy arrays */
  CONVK_CLOCK_STILL_, /* that calls copy none, where kernels may go on with what is there */
  CONVK_CLOCK_LOOK_,  /* how many seconds kernels took since the last look */
  CONVK_CLOCK_WAY_,   /* a number of which kernels and groups ran since the last time, or 0: not known */
  CONVK_CLOCK_END_
};
enum { CONVK_TUNE_ON_CPU_ = 1, CONVK_TUNE_ON_GPU_ = 2, CONVK_TUNE_ON_CUDA_ = 4 }; /* OpenCL on processors, and on others */

/* An operation that can be tuned.  Families list them as
  tunable(family that must be compiled in, trial, operation, type, precision, CONVK_TUNE_..._ bits, number within the trial)
   where convk_trial_<trial>_<precision>_ sets up a trial of it. */
typedef struct convk_tunable_ {
  const char *operation, *type;
  unsigned chooses;
  int which;
} convk_tunable_;
enum {
  CONVK_TUNE_SIZES_ = 1 << CONVK_TUNE_ROWS,          /* sizes of blocks */
  CONVK_TUNE_STREAMS_ = 1 << CONVK_TUNE_NONTEMPORAL, /* whether stores bypass the caches */
  CONVK_TUNE_ALL_ = (1 << CONVK_TUNE_COUNT) - 1,
  CONVK_TUNE_WAYS_ = 1 << CONVK_TUNE_COUNT | 1 << CONVK_TUNE_ROWS, /* the first parameter is one of two ways, not a size */
  CONVK_TUNE_ONCE_OR_MORE_ = 1 << (CONVK_TUNE_COUNT + 1)           /* lengths count as 1, or more than 1 */
};
