/* ------------------------------------------------------------------------------------------------- the dispatch struct -- */

#define CONVK_MESSAGE_BYTES_ 256

/* What is ours in a handle: one pointer per operation, and what belongs to a device. */
typedef struct convk_inside_ {
  convk_ops_f32 f32;
  convk_ops_f64 f64;
  void *device; /* state of a device, NULL for CPU variants */
  void (*close)(convk *hw);
  int (*clock)(convk *hw, int ask, double *answer); /* of a device that convk_tune can measure: tuner/types.h */
  size_t part_of;                                   /* walkers that those of a call are a part of; 0: they are all */
} convk_inside_;

/* It has this room, so that later versions of the same major and minor number keep the size of a handle. */
#define CONVK_ROOM_ 128
typedef union convk_ours_ {
  convk_inside_ inside;
  void *room[CONVK_ROOM_];
} convk_ours_;

/* A handle.  All but `ours` may be read; parallel, tuning, tuned, ntuned, device_bytes and
   flush_subnormals may be set after convk_open. */
struct convk {
  size_t size; /* sizeof(convk) and CONVK_VERSION of the program part that opened it.  Every call checks the size and the major
                  and minor number: parts of a program may have different patch versions */
  int version;
  char name[24];    /* "avx2", "opencl", ... */
  char machine[64]; /* the processor's or the device's own name, with _ for blanks */
  convk_parallel parallel;
  int flush_subnormals; /* not 0: tasks take and make subnormal numbers as 0; see SUBNORMALS in the manual */
  convk_tuning tuning;
  const convk_tuned *tuned; /* the caller's tuned choices, NULL: none */
  size_t ntuned;
  size_t device_bytes; /* of a device's memory that a call on host arrays may take, 0: what there is.  Arrays of more go through
                          it in parts, with the same results; a call whose smallest part takes more gives CONVK_ERR_MEMORY */
  char message[CONVK_MESSAGE_BYTES_]; /* why the last call was refused or failed: which argument is wrong, and why.  Empty after
                                         a call that did its work.  Of threads that share a handle, the last that failed says
                                         so */
  convk_ours_ ours;
};

/* One variant in a module's (a header's) table; CONVK_PROCESSORS_ says which is better. */
typedef struct convk_module_ {
  const char *name;
  unsigned needs;                              /* processor features */
  int (*open)(convk *hw, const char *options); /* options: what follows "name:", or NULL */
} convk_module_;

typedef struct convk_modules_ {
  size_t count;
  const convk_module_ *list;
} convk_modules_;
typedef convk_modules_ convk_modules_fn_(void);

CONVK_API_ convk_modules_ convk_no_modules_(void);
CONVK_API_ convk_modules_ convk_scalar_modules_(void);

/* int convk_open(convk *hw, const char *spec)
   Opens the hardware that `spec` names (see the manual), or with NULL the best CPU variant.  A macro; MODES in the
   manual says which modules and families it finds.  After a failure the handle is not open and need not be closed;
   hw->message may say more: which name is unknown.  CONVK_ERR_NULL, CONVK_ERR_HW_NAME, CONVK_ERR_HW_MODULE,
   CONVK_ERR_HW_MACHINE, or a device's error. */
#define convk_open(hw, spec) convk_open_((hw), (spec), CONVK_MODULES_, (convk_modules_fn_ *)0)
/* ...: functions of modules, NULL behind the last. */
CONVK_API_ int convk_open_(convk *hw, const char *spec, ...);

/* The text of a status code, never NULL. */
CONVK_API_ const char *convk_strerror(int status);

/* A grid of these sizes whose pitches keep neighbouring rows and planes out of each other's cache sets: whole lines of 64
   bytes, an odd number of them for a row.  element: bytes of one element, a power of two up to 64.  Packed where pitches
   overflow. */
CONVK_API_ convk_grid3 convk_grid3_padded(size_t nx, size_t ny, size_t nz, size_t element);

/* Memory of `bytes` bytes at a multiple of 2 MiB, on huge pages where the system gives them on request (Linux, unless strict
   ISO C hides madvise): worth 10 to 35% for arrays beyond the caches.  convk_huge_free gives it back.  NULL: out of memory.
   Nothing is written there, so that the first to write decides where a page lies: see convk_first_touch. */
CONVK_API_ void *convk_huge_alloc(size_t bytes);

/* Gives such memory back; NULL is none. */
CONVK_API_ void convk_huge_free(void *array);

/* Sets a new array to zero with the threads, and a cut as that of single sweeps of stencil7 on periodic axes (fixed ends, many
   steps and tuned entries may cut otherwise), so that on machines with several memories (NUMA) each thread's part lies near it,
   where the thread hook gives tasks to the same threads every time.  element: bytes of one element.
   Errors: NULL, SIZE, OVERFLOW, PITCH, HANDLE, THREADS. */
CONVK_API_ int convk_first_touch(convk *hw, const convk_grid3 *grid, size_t element, void *array);

/* Gives back what a device holds; harmless after a convk_open that failed, and a second time. */
CONVK_API_ void convk_close(convk *hw);
