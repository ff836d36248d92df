
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

/* The parts of a library whose units are compiled apart: each unit has either what all families share, and finds them through
   the linker, or its own families. */
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

/* Families: all, unless some are asked for by name.  A name that is misspelt cannot be seen here, so that who compiles all of
   them, for half a minute, without a word of it is told so. */
#ifdef CONVK_WITH_ALL
#define CONVK_ALL_ 1
#elif !(defined CONVK_WITH_SEPCONV || defined CONVK_WITH_STENCIL || defined CONVK_WITH_VMATH || defined CONVK_WITH_GAUSSIAN || \
        defined CONVK_WITH_FORMFACTOR || defined CONVK_WITH_FFT || defined CONVK_WITH_VMC)
#define CONVK_ALL_ 1
#if CONVK_MODE_ != 1 && CONVK_HERE_ && (defined __GNUC__ || defined __clang__)
#pragma message( \
    "convk: all families are compiled, since none is named, or one is misspelt: define CONVK_WITH_SEPCONV, _STENCIL, " \
    "_VMATH, _GAUSSIAN, _FORMFACTOR, _FFT or _VMC, or CONVK_WITH_ALL to have them all")
#endif
#else
#define CONVK_ALL_ 0
#endif
/* CONVK_HAS_: its text is compiled here.  CONVK_FINDS_: a handle that this unit opens finds it. */
#if CONVK_ALL_ || defined CONVK_WITH_SEPCONV
#define CONVK_HAS_SEPCONV_ CONVK_HERE_
#define CONVK_FINDS_SEPCONV_ 1
#else
#define CONVK_HAS_SEPCONV_ 0
#define CONVK_FINDS_SEPCONV_ 0
#endif
#if CONVK_ALL_ || defined CONVK_WITH_STENCIL
#define CONVK_HAS_STENCIL_ CONVK_HERE_
#define CONVK_FINDS_STENCIL_ 1
#else
#define CONVK_HAS_STENCIL_ 0
#define CONVK_FINDS_STENCIL_ 0
#endif
#if CONVK_ALL_ || defined CONVK_WITH_VMATH
#define CONVK_HAS_VMATH_ CONVK_HERE_
#define CONVK_FINDS_VMATH_ 1
#else
#define CONVK_HAS_VMATH_ 0
#define CONVK_FINDS_VMATH_ 0
#endif
#if CONVK_ALL_ || defined CONVK_WITH_GAUSSIAN
#define CONVK_HAS_GAUSSIAN_ CONVK_HERE_
#define CONVK_FINDS_GAUSSIAN_ 1
#else
#define CONVK_HAS_GAUSSIAN_ 0
#define CONVK_FINDS_GAUSSIAN_ 0
#endif
#if CONVK_ALL_ || defined CONVK_WITH_FORMFACTOR
#define CONVK_HAS_FORMFACTOR_ CONVK_HERE_
#define CONVK_FINDS_FORMFACTOR_ 1
#else
#define CONVK_HAS_FORMFACTOR_ 0
#define CONVK_FINDS_FORMFACTOR_ 0
#endif
#if CONVK_ALL_ || defined CONVK_WITH_FFT
#define CONVK_HAS_FFT_ CONVK_HERE_
#define CONVK_FINDS_FFT_ 1
#else
#define CONVK_HAS_FFT_ 0
#define CONVK_FINDS_FFT_ 0
#endif
#if CONVK_ALL_ || defined CONVK_WITH_VMC
#define CONVK_HAS_VMC_ CONVK_HERE_
#define CONVK_FINDS_VMC_ 1
#else
#define CONVK_HAS_VMC_ 0
#define CONVK_FINDS_VMC_ 0
#endif
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
