#define CONVK_STENCIL_STATUS_(item) item(CONVK_ERR_RIM, -22, "the fixed points of the two arrays differ")

/* What calls of stencil7 work on: two arrays of one shape, and what their axes end with.  Zero-initialised, then
     grid      of both arrays, any size >= 1 and pitches
     boundary  of x, y, z: CONVK_BOUNDARY_PERIODIC, or CONVK_BOUNDARY_FIXED: the first and the last point of the axis belong
               to the caller and keep their values; `grid` counts them.  A fixed axis of one or two points leaves nothing to
               change */
typedef struct convk_stencil7_shape {
  convk_grid3 grid;
  int boundary[3];
} convk_stencil7_shape;

/* Planes of a stencil that share their loads. */
#define CONVK_STENCIL_PLANES_ 4

/* rows of y in one tile; steps in one pass over memory, at most 16, 1: single sweeps; threads side by side in y, the others in
   z; elements by which the first step of a pass prefetches, 0 by size, -1 never; planes swept together, 1 to 4: 4 share their
   loads */
#define CONVK_STENCIL_TUNING_(parameter) \
  parameter(size_t, stencil_rows, CONVK_TUNE_ROWS) parameter(size_t, stencil_steps, CONVK_TUNE_DEPTH) \
  parameter(size_t, stencil_threads_y, CONVK_TUNE_THREADS_Y) parameter(ptrdiff_t, stencil_prefetch, CONVK_TUNE_PREFETCH) \
  parameter(size_t, stencil_planes, CONVK_TUNE_PLANES)
#define CONVK_STENCIL_TUNABLES_(tunable) \
  tunable(CONVK_FINDS_STENCIL_, stencil, stencil7, f32, f32, CONVK_TUNE_ALL_ | CONVK_TUNE_ONCE_OR_MORE_, 0) \
  tunable(CONVK_FINDS_STENCIL_, stencil, stencil7, f64, f64, CONVK_TUNE_ALL_ | CONVK_TUNE_ONCE_OR_MORE_, 0)
