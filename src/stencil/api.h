#define CONVK_STENCIL_STATUS_(item) \
  item(CONVK_ERR_RIM, -22, "the fixed points of the two arrays differ")

/* What calls of stencil7 work on: two arrays of one shape, and what their axes end with.  Zero-initialised, then
     grid      of both arrays, any size >= 1 and pitches
     boundary  of x, y, z: CONVK_BOUNDARY_PERIODIC, or CONVK_BOUNDARY_FIXED: the first and the last point of the axis belong
               to the caller and keep their values; `grid` counts them.  A fixed axis of one or two points leaves nothing to
               change */
typedef struct convk_stencil7_shape {
  convk_grid3 grid;
  int boundary[3];
} convk_stencil7_shape;

/* Jacobi sweeps of the 7-point stencil (K. Datta et al., Stencil computation optimization and auto-tuning on state-of-the-art
   multicore architectures, SC08, 2008): each step makes
     B(x,y,z) = centre A(x,y,z) + x_minus A(x-1,y,z) + x_plus A(x+1,y,z) + the same in y and in z
   from A, for all points that change.
   shape        of both arrays
   coefficients of the point and its neighbours, finite.  Where the six of the neighbours are equal (stencil7_isotropic), the
                sum of the neighbours is formed first: c0 A + c1 ((x- + x+) + (y- + y+) + (z- + z+))
   steps        >= 0; steps times points must fit in a size_t
   a, b         a: the state.  b: memory for the next state.  With CONVK_BOUNDARY_FIXED, b must hold the fixed points of a, bit
                for bit, before a call of two or more steps (else RIM), since then both arrays are read: copy a to b
                once.  A call of one step neither reads nor writes those of b; they must be there before b is used as the next
                state.  The other points of b need not be set
   result       is set to the array that holds the state at the end: a after an even number of steps, b after an odd one.  The
                points of the other array that change are lost, unless steps is 0 or 1
   In place: no; a, b, work and *result must not overlap, gaps of pitches included.  Work: stencil7_work_size.
   Threads: boxes of planes and rows, each of at least 192 KiB of updates (24576 of f64) in a pass over memory; smaller calls
   stay on the caller's thread, unless tuning.stencil_threads_y says how many work side by side.  Several steps are made in one
   pass over memory (tuning.stencil_steps): intermediate planes wait in a queue in the cache.
   Errors: NULL, SIZE, OVERFLOW, PITCH, BOUNDARY, NONFINITE, OVERLAP, RIM, WORK, MEMORY, HANDLE, THREADS.
   Accuracy: each step rounds as the formula does in the order written, the same for every size, cut and number of threads;
   fused variants agree to the last bit, as do mul-add variants.  8 flops per update (13 with seven coefficients); two elements
   (16 bytes in f64) per update in a single sweep past the cache. */
#define CONVK_OP_STENCIL7_(op) \
  op(stencil, REAL, stencil7, stencil7, \
     (convk *hw, const convk_stencil7_shape *shape, const convk_stencil7_coefficients *coefficients, size_t steps, CONVK_T *a, \
      CONVK_T *b, CONVK_T **result, void *work, size_t work_size), \
     (hw, shape, coefficients, steps, a, b, result, work, work_size))

/* One step on a box only, from a to b.  Boxes that together make up the
   points that change give what one step of stencil7 gives: a distributed program sweeps the inside while its halo is on the
   way, then the rest.
   box          within the points that change (SIZE otherwise); where a count is 0 nothing changes, and its first is not
                looked at
   Nothing but the box and the neighbours of its points is read.
   Everything else as stencil7. */
#define CONVK_OP_STENCIL7_BOX_(op) \
  op(stencil, REAL, stencil7_box, stencil7_box, \
     (convk *hw, const convk_stencil7_shape *shape, const convk_stencil7_coefficients *coefficients, const convk_box3 *box, \
      const CONVK_T *a, CONVK_T *b, void *work, size_t work_size), \
     (hw, shape, coefficients, box, a, b, work, work_size))

/* The operations of this family; see core/operations.h. */
#define CONVK_STENCIL_OPERATIONS_(op) \
  CONVK_OP_STENCIL7_(op) \
  CONVK_OP_STENCIL7_BOX_(op)

/* Planes of a stencil that share their loads. */
#define CONVK_STENCIL_PLANES_ 4

/* rows of y in one tile; steps in one pass over memory, at most 16, 1: single sweeps; threads side by side in y, the others in
   z; elements by which the first step of a pass prefetches, 0 by size, -1 never; planes swept together, 1 to 4: 4 share their
   loads */
#define CONVK_STENCIL_TUNING_(parameter) \
  parameter(size_t, stencil_rows, ROWS) \
  parameter(size_t, stencil_steps, DEPTH) \
  parameter(size_t, stencil_threads_y, THREADS_Y) \
  parameter(ptrdiff_t, stencil_prefetch, PREFETCH) \
  parameter(size_t, stencil_planes, PLANES)
#define CONVK_STENCIL_TUNABLES_(tunable) \
  tunable(STENCIL, stencil, stencil7, f32, F32, CONVK_TUNE_ALL_ | CONVK_TUNE_ONCE_OR_MORE_, 0) \
  tunable(STENCIL, stencil, stencil7, f64, F64, CONVK_TUNE_ALL_ | CONVK_TUNE_ONCE_OR_MORE_, 0)
