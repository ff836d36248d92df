/* What host.c expects of the program, and offers to it. */
#ifndef HOST_H
#define HOST_H
#include <stddef.h>

/* ---- of the program ---- */
typedef struct host host;
typedef struct host_pool host_pool;

void *host_allocate(size_t bytes); /* NULL: there is no memory */
void host_release(void *memory);   /* also NULL */
host_pool *host_threads(host *program);
int host_pool_threads(const host_pool *pool);
/* Calls task(arg, 0 .. ntasks - 1), each once, on any threads; returns when all are done, 0, or not 0 where it could not. */
int host_pool_run(host_pool *pool, size_t ntasks, void (*task)(void *arg, size_t index), void *arg);
void host_error(host *program, const char *what, const char *text, const char *detail);

/* ---- of host.c: a potential on orbitals, out = IMF (V MF psi) and energy = <psi|V|psi> ---- */
typedef struct host_filter host_filter;

/* hardware: NULL for the best.  keep: memory for work is kept between calls.  NULL: host_error was told why. */
host_filter *host_filter_new(host *program, const char *hardware, const size_t n[3], const int periodic[3], int keep);
int host_filter_apply(host_filter *f, const double *potential, const double *psi, double *out, double *energy);
void host_filter_delete(host_filter *f);
#endif
