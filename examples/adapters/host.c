/* An extension of a larger program, as GPAW and LAMMPS have them: the program owns the threads, the memory and the errors, and the
   library takes all three from it.
     cc -O2 -c host.c       (with convk.h and the modules of processors beside it, or -I)
   What to copy: the defines, host_run, and how a status becomes an error of the program. */
#include "host.h"

#define CONVK_WITH_SEPCONV
#define CONVK_F64
#define CONVK_SIMD
#define CONVK_MALLOC(bytes) host_allocate(bytes) /* what the library allocates where it is given no work memory */
#define CONVK_FREE(pointer) host_release(pointer)
#include "convk.h"

/* Threads.  The library knows tasks only; the pool runs them as it likes, and says whether it could. */
static int host_run(void *ctx, size_t ntasks, void (*task)(void *arg, size_t index), void *arg) {
  return host_pool_run((host_pool *)ctx, ntasks, task, arg);
}

/* Errors.  One place makes a status the program's own error: a name, what failed, and what the hardware says of it. */
static int host_check(host *program, convk *hw, const char *what, int status) {
  if (!status) return 0;
  host_error(program, what, convk_strerror(status), hw->message);
  return -1;
}

struct host_filter {
  host *program;
  convk hw;
  convk_sepconv3d_shape shape;
  void *work; /* NULL: every call takes what it needs by CONVK_MALLOC, and gives it back */
  size_t work_size;
};

host_filter *host_filter_new(host *program, const char *hardware, const size_t n[3], const int periodic[3], int keep) {
  host_filter *f = (host_filter *)host_allocate(sizeof *f);
  int d;
  if (!f) return host_error(program, "filter", convk_strerror(CONVK_ERR_MEMORY), ""), NULL;
  memset(f, 0, sizeof *f);
  f->program = program;
  if (host_check(program, &f->hw, "hardware", convk_open(&f->hw, hardware))) return host_filter_delete(f), NULL;
  f->hw.parallel.threads = host_pool_threads(host_threads(program));
  f->hw.parallel.run = host_run;
  f->hw.parallel.ctx = host_threads(program);
  f->shape.in.nx = n[0], f->shape.in.ny = n[1], f->shape.in.nz = n[2];
  for (d = 0; d < 3; d++) f->shape.boundary[d] = periodic[d] ? CONVK_BOUNDARY_PERIODIC : CONVK_BOUNDARY_ZERO;
  /* after the threads are set, on which it depends */
  if (host_check(program, &f->hw, "filter", convk_potential_apply_work_size_f64(&f->hw, &f->shape, &f->work_size)))
    return host_filter_delete(f), NULL;
  if (keep) f->work = host_allocate(f->work_size);
  if (keep && !f->work) return host_error(program, "filter", convk_strerror(CONVK_ERR_MEMORY), ""), host_filter_delete(f), NULL;
  return f;
}

int host_filter_apply(host_filter *f, const double *potential, const double *psi, double *out, double *energy) {
  return host_check(f->program, &f->hw, "potential",
                    convk_potential_apply_f64(&f->hw, &f->shape, potential, psi, out, energy, f->work, f->work_size));
}

void host_filter_delete(host_filter *f) {
  if (!f) return;
  convk_close(&f->hw);
  host_release(f->work);
  host_release(f);
}
