/* What a program links that uses convk.f90, which says how: the functions of convk.h, which Fortran calls by their names, and
   what is a macro there. */
#define CONVK_SIMD
#define CONVK_IMPLEMENT
#include "convk.h"

int convk_fortran_open(convk *hw, const char *spec);
size_t convk_fortran_length(const char *text);

int convk_fortran_open(convk *hw, const char *spec) { return convk_open(hw, spec); }
size_t convk_fortran_length(const char *text) { return strlen(text); }
