/* The weights of a point and of its six neighbours. */
typedef struct convk_stencil7_coefficients {
  CONVK_T centre, x_minus, x_plus, y_minus, y_plus, z_minus, z_plus;
} convk_stencil7_coefficients;

/* Jacobi sweeps of the 7-point stencil (K. Datta et al., Stencil computation optimization and auto-tuning on state-of-the-art
   multicore architectures, SC08, 2008): each step makes
     B(x,y,z) = centre A(x,y,z) + x_minus A(x-1,y,z) + x_plus A(x+1,y,z) + the same in y and in z
   from A, for all points that change.  For a source, as of Poisson's equation, take sumconv3d with terms->add, step by step.
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
   pass over memory (tuning.stencil_steps): intermediate planes wait in queues in the cache, which with default blocks are of
   about 2 MiB a thread or less.  convk_tune tries others.
   Errors: NULL, SIZE, OVERFLOW, PITCH, BOUNDARY, NONFINITE, OVERLAP, RIM, WORK, MEMORY, HANDLE, THREADS.
   Accuracy: each step rounds as the formula does in the order written, the same for every size, cut and number of threads;
   fused variants agree to the last bit, as do mul-add variants.  8 flops per update (13 with seven coefficients); two elements
   (16 bytes in f64) per update in a single sweep past the cache. */
CONVK_OPERATION_ int convk_stencil7(convk *hw, const convk_stencil7_shape *shape,
                                    const convk_stencil7_coefficients *coefficients, size_t steps, CONVK_T *a, CONVK_T *b,
                                    CONVK_T **result, void *work, size_t work_size);

/* One step on a box only, from a to b.  Boxes that together make up the points that change give what one step of stencil7
   gives: a distributed program sweeps the inside while its halo is on the way, then the rest.
   box          within the points that change (SIZE otherwise); if a count is 0 nothing changes, and `first` of that axis is
                ignored
   Only the box and the neighbours of its points are read.
   Everything else as stencil7. */
CONVK_OPERATION_ int convk_stencil7_box(convk *hw, const convk_stencil7_shape *shape,
                                        const convk_stencil7_coefficients *coefficients, const convk_box3 *box,
                                        const CONVK_T *a, CONVK_T *b, void *work, size_t work_size);

/* c0 for the point and c1 for each of its six neighbours: heat of diffusivity D has c1 = D dt / h^2 and c0 = 1 - 6 c1. */
CONVK_API_ convk_stencil7_coefficients convk_stencil7_isotropic(CONVK_T c0, CONVK_T c1);

/* Sets *bytes to the work that stencil7 takes on this handle as it is (NULL: serial, default blocks), and stencil7_box with
   steps = 1: enough for every smaller grid, with as many steps or fewer, too.  0: it takes none, as where hw is a
   device's, whose memory the call has by itself.
   Errors, with *bytes as it was: NULL, SIZE, OVERFLOW, PITCH, BOUNDARY, HANDLE. */
CONVK_API_ int convk_stencil7_work_size(convk *hw, const convk_stencil7_shape *shape, size_t steps, size_t *bytes);
