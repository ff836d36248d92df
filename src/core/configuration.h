
#if defined __i386__ && defined __GNUC__ && !defined __SSE2_MATH__
#error "convk needs arithmetic that rounds as IEEE 754 says: add -msse2 -mfpmath=sse"
#endif

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#if defined __unix__ || defined __APPLE__
#include <sys/mman.h>
#include <sys/time.h>
#endif
#ifdef CONVK_OPENMP
#ifndef _OPENMP
#error "CONVK_OPENMP needs OpenMP: compile with -fopenmp"
#endif
#include <omp.h>
#endif

/* The version of these headers, in three parts and as one number: 0.3.0 is 300. */
#define CONVK_VERSION_MAJOR 0
#define CONVK_VERSION_MINOR 3
#define CONVK_VERSION_PATCH 0
#define CONVK_VERSION (CONVK_VERSION_MAJOR * 10000 + CONVK_VERSION_MINOR * 100 + CONVK_VERSION_PATCH)

#ifndef CONVK_HEADER
#define CONVK_HEADER "convk.h"
#endif
#ifndef CONVK_MALLOC
#define CONVK_MALLOC(bytes) malloc(bytes)
#define CONVK_FREE(pointer) free(pointer)
#endif
/* How this unit is compiled; see MODES in the manual. */
#if defined CONVK_DECLARE && defined CONVK_IMPLEMENT
#error "CONVK_DECLARE and CONVK_IMPLEMENT in one unit: one unit of a program implements, the others declare"
#endif
#ifdef CONVK_DECLARE
#define CONVK_MODE_ 1
#elif defined CONVK_IMPLEMENT
#define CONVK_MODE_ 2
#else
#define CONVK_MODE_ 0
#endif

/* The parts of a library whose units are compiled apart: a unit has what all families share, or some families. */
#if (defined CONVK_ONLY_CORE || defined CONVK_ONLY_FAMILIES) && CONVK_MODE_ != 2
#error "CONVK_ONLY_CORE and CONVK_ONLY_FAMILIES say what a unit with CONVK_IMPLEMENT implements"
#elif defined CONVK_ONLY_CORE && defined CONVK_ONLY_FAMILIES
#error "CONVK_ONLY_CORE and CONVK_ONLY_FAMILIES in one unit: CONVK_IMPLEMENT alone implements both"
#endif
#ifdef CONVK_ONLY_CORE
#define CONVK_SEPARATE_ 1
#define CONVK_CORE_ 1
#define CONVK_HERE_ 0 /* CONVK_HAS_<FAMILY>_ of a family that is named */
#elif defined CONVK_ONLY_FAMILIES
#define CONVK_SEPARATE_ 1
#define CONVK_CORE_ 0
#define CONVK_HERE_ 1
#else
#define CONVK_SEPARATE_ 0
#define CONVK_CORE_ 1
#define CONVK_HERE_ 1
#endif

#include "rooms/configure.h"
/* Precisions: both, unless one is asked for by name. */
#if defined CONVK_F32 || !defined CONVK_F64
#define CONVK_HAS_F32_ 1
#else
#define CONVK_HAS_F32_ 0
#endif
#if defined CONVK_F64 || !defined CONVK_F32
#define CONVK_HAS_F64_ 1
#else
#define CONVK_HAS_F64_ 0
#endif

#ifdef __cplusplus
extern "C" {
#endif
