/* convk_stencil7 on device memory: a and b lie there, all else is on the host and free again on return.  Nothing is allocated,
   copied or waited for; with OpenCL a kind of coefficients or a number of steps in one pass that are new build a program.
   From two steps on b must hold the fixed points of a, for which the caller answers: they are not looked at, and there is no
   RIM.  *result is set as soon as all is started.  Devices need no work and ignore what they get.
   How it runs: on->stencil with CUDA, on->cl->stencil_steps with OpenCL; any choice gives the same bits.
   Errors, before anything is started: as convk_stencil7 but for RIM, WORK and THREADS; DEVICE; with CUDA OPTION (a tile that
   there is not); with OpenCL also SIZE (a buffer is too small), FP64 (f64), HANDLE, MEMORY, BUILD (see convk_cl_build_log),
   UNSUPPORTED: too little local memory.  OVERFLOW also where a plane has more than 2^30 tiles.  After DEVICE, MEMORY or BUILD
   some kernels may be on their way; no event and no result are set.
   In place: no.  Ranges of one buffer must not overlap; overlapping sub-buffers are not found out.
   One kernel for each pass over memory.  The number of passes is even when `steps` is: two steps are two passes. */
CONVK_API_ int convk_stencil7_resident(CONVK_ON_ *on, const convk_stencil7_shape *shape,
                                       const convk_stencil7_coefficients *coefficients, size_t steps, CONVK_ARRAY_(CONVK_T) a,
                                       CONVK_ARRAY_(CONVK_T) b, CONVK_ARRAY_(CONVK_T) * result, CONVK_ARRAY_(void) work,
                                       size_t work_size);

/* convk_stencil7_box on device memory; everything else as stencil7 there.  One kernel. */
CONVK_API_ int convk_stencil7_box_resident(CONVK_ON_ *on, const convk_stencil7_shape *shape,
                                           const convk_stencil7_coefficients *coefficients, const convk_box3 *box,
                                           CONVK_ARRAY_(const CONVK_T) a, CONVK_ARRAY_(CONVK_T) b, CONVK_ARRAY_(void) work,
                                           size_t work_size);

/* Bytes of work: 0.  `on` may be NULL.  Status as for processors. */
CONVK_API_ int convk_stencil7_work_size_resident(CONVK_ON_ *on, const convk_stencil7_shape *shape, size_t steps, size_t *bytes);

/* Copies a box of a grid to a box of another one, both on the device: packs a halo for its way to a neighbour, unpacks one that
   has come, or renews the fixed points of a state.  One kernel moves what would be a strided copy of many short rows, and one
   contiguous copy of the packed box is left for the bus.
   count        points of the box along x, y and z; where one is 0 nothing is copied
   in_grid      of `in`; NULL: a packed box, of count points
   in_first     the box's first point there, x, y, z; NULL: the first of the grid
   in           nothing but the box is read
   out_grid, out_first, out   the same of where it goes; nothing but the box is written
     pack:      convk_cl_box_copy_f64(&on, count, &grid, first, state, NULL, NULL, packed)
     unpack:    convk_cl_box_copy_f64(&on, count, NULL, NULL, packed, &grid, first, state)
   Errors, before anything is started: NULL, SIZE (a box beyond its grid), PITCH, OVERFLOW; OVERLAP, where the range from the
   first to the last point of one box meets that of the other; DEVICE; with OpenCL also SIZE (a buffer is too small), FP64
   (f64), HANDLE, MEMORY, BUILD.
   Of the family stencil.
   In place: no; two boxes of one array may be copied where their ranges do not meet.  Every bit is copied, of NaN, too.  Two
   elements of traffic per point. */
CONVK_API_ int convk_box_copy_resident(CONVK_ON_ *on, const size_t count[3], const convk_grid3 *in_grid,
                                       const size_t in_first[3], CONVK_ARRAY_(const CONVK_T) in, const convk_grid3 *out_grid,
                                       const size_t out_first[3], CONVK_ARRAY_(CONVK_T) out);
