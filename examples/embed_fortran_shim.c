/* What a Fortran program links: the library behind plain functions. Fortran passes numbers by value and sizes as
 * integer(c_size_t); the handle is an address that it keeps. */
#define CONVK_WITH_SEPCONV /* the other families are left out: they take their time to compile */
#define CONVK_SSE
#define CONVK_AVX
#include "convk.h"

#include <stdlib.h>
#include <string.h>

int shim_open(void **handle, const char *spec);
void shim_close(void *handle);
void shim_name(const void *handle, char *text, size_t size);
void shim_strerror(int status, char *text, size_t size);
int shim_magicfilter3d(const void *handle, const size_t n_in[3], const size_t n_out[3], int direction, const int boundary[3],
                       const double *in, double *out);

/* Fortran pads text with blanks and ends it nowhere. */
static void fill(char *text, size_t size, const char *source) {
  const size_t length = strlen(source) < size ? strlen(source) : size;
  memset(text, ' ', size);
  memcpy(text, source, length);
}

int shim_open(void **handle, const char *spec) {
  convk *hw = (convk *)malloc(sizeof *hw);
  int status = hw ? convk_open(hw, spec) : CONVK_ERR_MEMORY;
  if (status) {
    free(hw);
    hw = NULL;
  }
  *handle = hw;
  return status;
}

void shim_close(void *handle) {
  if (handle) {
    convk_close((convk *)handle);
    free(handle);
  }
}

void shim_name(const void *handle, char *text, size_t size) { fill(text, size, ((const convk *)handle)->name); }

void shim_strerror(int status, char *text, size_t size) { fill(text, size, convk_strerror(status)); }

int shim_magicfilter3d(const void *handle, const size_t n_in[3], const size_t n_out[3], int direction, const int boundary[3],
                       const double *in, double *out) {
  convk_grid3 from = {0, 0, 0, 0, 0}, to = {0, 0, 0, 0, 0};
  from.nx = n_in[0];
  from.ny = n_in[1];
  from.nz = n_in[2];
  to.nx = n_out[0];
  to.ny = n_out[1];
  to.nz = n_out[2];
  return convk_magicfilter3d_f64((const convk *)handle, &from, &to, direction, boundary, NULL, in, out, NULL, 0);
}
