struct convk_cl_cache_;

/* What device-resident calls need: programs and filters on one device of one context.  One thread at a time.  What is said of
   results below does not hold for the last digits of sums over pairs of particles. */
typedef struct convk_cl {
  cl_context context;
  cl_device_id device;
  size_t local_bytes, group_items, group_x, group_y; /* limits of the device; lower ones may be set, results do not change */
  size_t compute_units;                              /* of the device */
  size_t stencil_steps; /* of stencil7 in one pass over memory, at most 4; 0: chosen by the library; any gives the same bits */
  int fp64;             /* whether the device has doubles */
  int divides;          /* whether divisions of f32 can be made to round once */
  int cpu;              /* whether the device is a processor, for the shapes of work-groups; either gives the same bits */
  convk *hw;            /* NULL, or a handle of this device, whose tuned entries count for calls on buffers too; may be set */
  struct convk_cl_cache_ *cache; /* NULL: not open */
  char message[256];             /* of the last failed call, for people */
} convk_cl;

/* Where a device-resident call runs: the first argument of each, in place of a handle.  Zero-initialise it, then set cl and
   queue.
     queue      of cl's context and device; it may be out of order
     num_wait, wait_list   events that come first, as in OpenCL
     event      NULL, or set to the event of the call, for the caller to release */
typedef struct convk_cl_queue {
  convk_cl *cl;
  cl_command_queue queue;
  cl_uint num_wait;
  const cl_event *wait_list;
  cl_event *event;
} convk_cl_queue;

/* An array within a buffer: its first element is number `offset`. */
typedef struct convk_cl_array {
  cl_mem mem;
  size_t offset;
} convk_cl_array;

/* Triangles on a device, as convk_mesh_f64.  The corners u and w are needed and used as convk_mesh_f64 says; a mem of NULL:
   none. */
typedef struct convk_cl_mesh {
  size_t n;
  convk_cl_array ax, ay, az, x, y, z;
  convk_cl_array ux, uy, uz, wx, wy, wz;
} convk_cl_mesh;

/* Vectors of q on a device, as convk_q_f64.  Zero-initialise it: where an imaginary part's mem is NULL, there is none. */
typedef struct convk_cl_q {
  size_t n;
  convk_cl_array x, y, z;
  convk_cl_array x_imag, y_imag, z_imag;
} convk_cl_q;

/* Points on a device, as convk_points_f64; a stride of 0 means 1. */
typedef struct convk_cl_points {
  size_t n;
  convk_cl_array x, y, z;
  size_t stride;
} convk_cl_points;

/* Results of convk_orbitals_vgl on a device, as convk_vgl_f64; ld 0: packed. */
typedef struct convk_cl_vgl {
  convk_cl_array value, dx, dy, dz, laplacian;
  size_t ld;
} convk_cl_vgl;

/* Results of convk_density_grid on a device, as convk_density_parts_f64: a mem of NULL is not wanted. */
typedef struct convk_cl_density_parts {
  convk_cl_array density, dx, dy, dz, tau;
} convk_cl_density_parts;

/* Segments whose lists are on a device, as convk_segments: ends and place are of 64-bit numbers. */
typedef struct convk_cl_segments {
  size_t count;
  convk_cl_array ends, place;
  size_t points;
} convk_cl_segments;
/* As convk_compressed_shape. */
typedef struct convk_cl_compressed_shape {
  convk_grid3 dense;
  convk_cl_segments coarse, fine;
  size_t vectors, compressed_stride, dense_stride;
} convk_cl_compressed_shape;

/* A batch of 2D arrays on a device, as convk_batch2d; kernel: one 64-bit number per item, or a mem of NULL. */
typedef struct convk_cl_batch2d {
  size_t items;
  size_t in_pitch, in_stride;
  size_t out_pitch, out_stride;
  convk_cl_array kernel;
  size_t items_per_kernel;
} convk_cl_batch2d;

/* Prepares *cl for device-resident calls on a device of a context of the caller, which it retains.  Builds nothing yet.
   After a failure *cl is not open; cl->message says more.  NULL, MEMORY, DEVICE. */
CONVK_API_ int convk_cl_open(convk_cl *cl, cl_context context, cl_device_id device);

/* Gives back programs, filters and the context; does not wait.  Commands in flight end as they should.  Harmless on what is
   zero or closed. */
CONVK_API_ void convk_cl_close(convk_cl *cl);

/* The whole log of the last program that did not build (CONVK_ERR_BUILD), which cl->message only begins.
   text      of `size` bytes for as much of it as they take, with the closing 0; NULL with size 0 asks for the length only
   *length   is set to the size that takes all of it; 0: every program was built
   Errors: NULL, HANDLE, MEMORY, DEVICE. */
CONVK_API_ int convk_cl_build_log(const convk_cl *cl, char *text, size_t size, size_t *length);

/* All programs that *cl has built or loaded, as bytes to keep, in a file say: convk touches none.  They are the driver's
   binaries and what they belong to: device, driver, version of convk, build options and text.
   data      memory of `size` bytes; NULL with size 0 asks for their number only
   *bytes    is set to how many there are
   Errors: NULL, HANDLE, SIZE (they do not fit, and nothing was written), MEMORY, DEVICE. */
CONVK_API_ int convk_cl_programs_save(convk_cl *cl, void *data, size_t size, size_t *bytes);

/* Takes programs that convk_cl_programs_save wrote, as many as *cl has free places for: calls that need them build nothing.
   What the driver refuses, or is of another text, is built from its text as without.  Results do not change.  The bytes hold
   machine code: take them only from whom you would take a program.
   CONVK_ERR_PROGRAMS, and cl->message says why: not all that was written, damaged, or of another device, driver or version of
   convk.  Nothing was taken then, and calls build what they need.  Other errors: NULL, HANDLE, MEMORY, DEVICE. */
CONVK_API_ int convk_cl_programs_load(convk_cl *cl, const void *data, size_t size);

/* Takes the programs that `from` has built or loaded, as many as *cl has free places for.  On one context both use the same
   programs from then on; on another one of the same device, as those of two handles are, the driver's binaries go over.  No
   thread may use one of the two during this call; after it each may have a thread of its own.
   Errors: NULL, HANDLE, PROGRAMS (another device), MEMORY, DEVICE. */
CONVK_API_ int convk_cl_programs_share(convk_cl *cl, const convk_cl *from);

/* The context object of a handle that "opencl" opened: for its limits and its build log, or for device-resident calls on its
   context.  NULL for other handles.  The handle keeps it. */
CONVK_API_ convk_cl *convk_cl_of(convk *hw);
