/* Writes entries as text, one line each, and a 0 at the end:
     convk-tuned-1 stencil7 f64 avx512 AMD_EPYC threads=2 size=256x256x256 length=64 rows=64 depth=6 ... gain=1083
     convk-tuned-1 stencil7 f32 cuda NVIDIA_H100 threads=1 size=256x256x256 length=64 tile_x=32 tile_y=0 steps=3 ... gain=1083
   hw        for a message, or NULL
   text      of `size` bytes; NULL with size 0 asks for the length only
   *length   is set to the length of all the text, without the 0
   Errors: NULL, HANDLE, SIZE: it does not fit, and nothing after the first `size` bytes was written. */
CONVK_API_ int convk_tuned_write(convk *hw, const convk_tuned *entries, size_t count, char *text, size_t size, size_t *length);

/* What convk_tuned_read tells of lines that it leaves out.  Zero-initialise it.
   skipped   is set to their number
   explain   NULL, or called with ctx for each, its number from 1, and the reason */
typedef struct convk_tuned_report {
  size_t skipped;
  void (*explain)(void *ctx, size_t line, const char *reason);
  void *ctx;
} convk_tuned_report;

/* Reads text that convk_tuned_write wrote.  Bad lines are left out, counted and explained; so are those of another machine or
   device, hardware or number of threads where hw is given.  Empty lines, and those that begin with #, mean nothing.  A bad text
   may make calls slow or ask for more work, never give wrong values.
   hw        the handle that is to use the entries; NULL takes those of every machine
   text      `length` bytes, which need not end in 0; a last line without its end of line is taken to be cut off
   entries   memory for `capacity` entries; *count is set to how many there are
   report    NULL, or what is told of lines left out
   A later line replaces an earlier one of the same key.  Errors: NULL, HANDLE. */
CONVK_API_ int convk_tuned_read(convk *hw, const char *text, size_t length, convk_tuned *entries, size_t capacity,
                                size_t *count, convk_tuned_report *report);

/* What is tuned: zero-initialised, then the grid of the input and what of the rest the operation needs.  grid is, without
   pitches: points x exponents x sums of gridpot and gridpot_sum (0 sums: 1), points x functions x orbitals of orbitals,
   triangles x vectors of q of formfactor, the grid of q of formfactor_grid, and columns x rows of the FFT x items of fftconv2d
   (whose fields are half as long and wide) and fft2d, and particles x walkers of pair_energy. */
typedef struct convk_tune_shape {
  convk_grid3 grid;
  int boundary[3];
  size_t steps;     /* of stencil7; 0: 1 */
  int taps;         /* of sepconv3d, dwt3d and idwt3d, 0: 16; of sumconv3d, 0: 9 */
  size_t triangles; /* of formfactor_grid; 0: 4096 */
} convk_tune_shape;

/* Finds good parameters for one operation on this handle's hardware and threads, by measuring.
   operation   "stencil7_f64", "sepconv3d_f32", "sumconv3d_c64", "dwt3d_f64", "idwt3d_f64", "gridpot_f32", "gridpot_sum_f32",
               "orbitals_f64", "formfactor_f32", "formfactor_grid_f32", "fftconv2d_c32", "fft2d_c64", "pair_energy_f64", ...;
               the magic filter is a sepconv3d of 16 taps, s1_to_r an idwt3d and r_to_s1 a dwt3d of 31
   shape       sizes, pitches and boundaries as the program will use them
   budget_ms   about how long it may take, at most 10^7; a trial once begun is ended.  1000 for what fits the caches, 10000 and
               more for grids of which one call takes 0.1 s
   entry       is set to the result: write it with convk_tuned_write, use it through hw->tuned
   Candidates are tried in turn with the best so far, given up early when slow, and taken only when they give the same bits; the
   defaults stay unless the result is more than 3% faster, then entry->choice is all 0 and entry->gain 1000.  What hw->tuning
   says by hand is kept; hw itself is not changed.  Takes memory for three arrays, 2 MiB more for each, and the work of the
   candidates.
   Devices: kernels are timed by the device's events, from the first of a call to the end of the last, without the copies of
   arrays.  A choice that the device refuses (too large a group, too little memory, a program that does not build) is counted in
   entry->refused.  With OpenCL the first trials build programs: a budget below 20000 may leave few.  Entries count for calls
   on host arrays of this handle, and for those on device arrays where the handle is shown to them (cl.hw, on.hw).
   Errors: NULL, OPTION (unknown operation), NONFINITE (budget), SIZE (nothing changes), UNSUPPORTED (a device without a
   choice there), MEMORY, HANDLE, and those of the operation. */
CONVK_API_ int convk_tune(convk *hw, const char *operation, const convk_tune_shape *shape, double budget_ms,
                          convk_tuned *entry);
