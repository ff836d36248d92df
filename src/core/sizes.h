#if CONVK_CORE_
CONVK_API_ const char *convk_strerror(int status) {
#define CONVK_STATUS_CASE_(name, value, text) \
  case value: return text;
  switch (status) {
    CONVK_STATUS_LIST_(CONVK_STATUS_CASE_)
    default: return "unknown status";
  }
#undef CONVK_STATUS_CASE_
}
#endif

/* ------------------------------------------------------------------------------------------- sizes, work and overlap -- */

CONVK_LOCAL_ int convk_mul_(size_t a, size_t b, size_t *product) {
  if ((a | b) >> (sizeof(size_t) * 4) && b && a > (size_t)-1 / b) return CONVK_ERR_OVERFLOW;
  *product = a * b;
  return CONVK_OK;
}

/* memset(p, 0, bytes).  Where a compiler sees how few they are it clears them by an instruction that is slow to start. */
CONVK_LOCAL_ void convk_clear_(void *p, size_t bytes) {
  CONVK_SCALAR_(bytes);
  memset(p, 0, bytes);
}

/* The bytes of `count` elements.  No array has more than PTRDIFF_MAX of them, so a larger size is an error. */
CONVK_LOCAL_ int convk_bytes_(size_t count, size_t element, size_t *bytes) {
  return convk_mul_(count, element, bytes) || *bytes > (size_t)PTRDIFF_MAX ? CONVK_ERR_OVERFLOW : CONVK_OK;
}

/* The same, with a message that names the argument. */
CONVK_LOCAL_ int convk_bytes_of_(char *message, const char *name, size_t count, size_t element, size_t *bytes) {
  if (!convk_bytes_(count, element, bytes)) return CONVK_OK;
  return convk_refuse_names_(message, CONVK_ERR_OVERFLOW, "$ is too large", name, NULL);
}

/* Checks a grid, the argument `name`: *full gets its sizes, with packed pitches where they were 0, and *span the number of
   elements from its first to its last. */
CONVK_RARE_ int convk_grid_check_(char *message, const char *name, const convk_grid3 *grid, size_t element, convk_grid3 *full,
                                  size_t *span) {
  size_t rows, planes, bytes;
  if (!grid) return convk_need_(message, name, grid);
  *full = *grid;
  if (!full->nx || !full->ny || !full->nz)
    return convk_refuse_names_(message, CONVK_ERR_SIZE, "$.$ is 0", name, !full->nx ? "nx" : !full->ny ? "ny" : "nz");
  if (!full->pitch_y) full->pitch_y = full->nx;
  if (full->pitch_y < full->nx)
    return convk_refuse_of_(message, CONVK_ERR_PITCH, "$.pitch_y is %, less than nx = %", name, (int64_t)full->pitch_y,
                            (int64_t)full->nx);
  if (convk_mul_(full->ny, full->pitch_y, &rows))
    return convk_refuse_names_(message, CONVK_ERR_OVERFLOW, "$.ny pitch_y is too large", name, NULL);
  if (!full->pitch_z) full->pitch_z = rows;
  if (full->pitch_z < rows - full->pitch_y + full->nx)
    return convk_refuse_of_(message, CONVK_ERR_PITCH, "$.pitch_z is %, less than the % of a plane", name,
                            (int64_t)full->pitch_z, (int64_t)(rows - full->pitch_y + full->nx));
  if (convk_mul_(full->nz, full->pitch_z, &planes) || convk_mul_(planes, element, &bytes) || bytes > (size_t)-1 / 4)
    return convk_refuse_names_(message, CONVK_ERR_OVERFLOW, "$.nz pitch_z is too large", name, NULL);
  *span = (full->nz - 1) * full->pitch_z + (full->ny - 1) * full->pitch_y + full->nx;
  return CONVK_OK;
}

#if CONVK_CORE_
CONVK_API_ convk_grid3 convk_grid3_padded(size_t nx, size_t ny, size_t nz, size_t element) {
  convk_grid3 grid;
  const size_t unit = element && element <= 64 ? 64 / element : 1, row = (nx / unit + (nx % unit != 0)) | 1;
  grid.nx = nx;
  grid.ny = ny;
  grid.nz = nz;
  grid.pitch_y = grid.pitch_z = 0;
  if (row > (size_t)-1 / 64 / unit || (ny && row * unit > ((size_t)-1 / 64 - 16 * unit) / ny)) return grid;
  grid.pitch_y = row * unit;
  grid.pitch_z = (row * ny + (24 - row * ny % 16) % 16) * unit; /* 8 lines more than a multiple of 16 */
  return grid;
}

CONVK_API_ void *convk_huge_alloc(size_t bytes) {
  const size_t page = (size_t)2 << 20;
  void *const memory = bytes > (size_t)-1 - 2 * page ? NULL : CONVK_MALLOC(bytes + page);
  char *p = (char *)memory;
  if (!p) return NULL;
  p += sizeof memory; /* what malloc gives is aligned for a pointer, so that this and the next line add up to a page at most */
  p += (page - (uintptr_t)p % page) % page;
  memcpy(p - sizeof memory, &memory, sizeof memory); /* for convk_huge_free */
#ifdef MADV_HUGEPAGE
  (void)madvise(p, bytes / page * page, MADV_HUGEPAGE);
#endif
  return p;
}
CONVK_API_ void convk_huge_free(void *array) {
  void *memory;
  if (!array) return;
  memcpy(&memory, (char *)array - sizeof memory, sizeof memory);
  CONVK_FREE(memory);
}
#endif

CONVK_LOCAL_ int convk_overlap_(const void *a, size_t a_bytes, const void *b, size_t b_bytes) {
  uintptr_t p = (uintptr_t)a, q = (uintptr_t)b;
  return a && b && a_bytes && b_bytes && p < q + b_bytes && q < p + a_bytes;
}

/* The bits of a number, and the number that has these bits. */
CONVK_LOCAL_ uint64_t convk_to_bits_(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}
CONVK_LOCAL_ double convk_from_bits_(uint64_t bits) {
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

/* Whether a number is finite.  The bits are compared, as -ffast-math may remove comparisons of numbers. */
CONVK_LOCAL_ int convk_finite_f32_(float x) {
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  return (bits >> 23 & 0xff) != 0xff;
}
CONVK_LOCAL_ int convk_finite_f64_(double x) { return (convk_to_bits_(x) >> 52 & 0x7ff) != 0x7ff; }
CONVK_RARE_ int convk_need_finite_(char *message, const char *name, double value) {
  return convk_finite_f64_(value) ? CONVK_OK : convk_refuse_names_(message, CONVK_ERR_NONFINITE, "$ is not finite", name, NULL);
}

CONVK_EXACT_PUSH_ /* so that runs do not depend on what a compiler makes of divisions */
#include "core/plain.h"
#include "core/root.h"

/* The same, rounded once, of x that is no subnormal number.  Of x = M 4^k with an integer M, 2^104 <= M < 2^106, the root is R
   2^k with R^2 - R < M <= R^2 + R: a wrong last place shows in M - R^2, of which the last 64 bits are enough. */
CONVK_RARE_ double convk_exact_root_(double x) {
#if defined __GNUC__ && defined __SSE2__ && CONVK_X86_ /* which some compilers of others define, too */
  double y;
  __asm__("sqrtsd %1, %0" : "=x"(y) : "x"(x));
  return y;
#elif defined __GNUC__ && CONVK_ARM64_
  double y;
  __asm__("fsqrt %d0, %d1" : "=w"(y) : "w"(x));
  return y;
#else
  const uint64_t bits = convk_to_bits_(x), one = (uint64_t)1 << 52, least = ((bits >> 52) + 1023) / 2 << 52;
  uint64_t root = convk_to_bits_(convk_sqrt_(x)), r;
  int64_t left;
  if (!(bits >> 52)) return 0;
  if (root < least) root = least;
  if (root >= least + one) root = least + one - 1;
  r = (root & (one - 1)) | one;
  left = (int64_t)((((bits & (one - 1)) | one) << (bits >> 52 & 1 ? 52 : 53)) - r * r);
  for (; left > (int64_t)r; r++, root++) left -= (int64_t)(2 * r + 1);
  for (; left <= -(int64_t)r; r--, root--) left += (int64_t)(2 * r - 1);
  return convk_from_bits_(root);
#endif
}

#include "core/exp.h"
#include "core/plain_end.h"

/* a where it is less than b, else b. */
CONVK_LOCAL_ double convk_least_of_(double a, double b) {
  if (CONVK_LESS_THAN_(a, b)) return a;
  return b;
}
CONVK_EXACT_POP_

/* The caller's work memory, or memory of the call's own: `base` is 64-byte aligned. */
typedef struct convk_work_ {
  void *own;
  char *base;
} convk_work_;

/* Refuses work memory of the caller that is too small; NULL is taken. */
CONVK_LOCAL_ int convk_work_check_(char *message, const void *work, size_t work_size, size_t need) {
  if (!work || work_size >= need) return CONVK_OK;
  return convk_refuse_at_(message, CONVK_ERR_WORK, "work_size is %, and % are needed", (int64_t)work_size, (int64_t)need, 0);
}

CONVK_LOCAL_ int convk_work_begin_(char *message, convk_work_ *w, void *work, size_t work_size, size_t need) {
  const int status = convk_work_check_(message, work, work_size, need);
  w->own = NULL;
  w->base = NULL; /* compilers do not know that a refusal is not 0 */
  if (status) return status;
  if (!work) {
    work = w->own = CONVK_MALLOC(need);
    if (!work) return convk_refuse_at_(message, CONVK_ERR_MEMORY, "no memory for % bytes of work", (int64_t)need, 0, 0);
  }
  w->base = (char *)work + (64 - (uintptr_t)work % 64) % 64;
  return CONVK_OK;
}

CONVK_LOCAL_ void convk_work_end_(convk_work_ *w) {
  if (w->own) CONVK_FREE(w->own);
}

CONVK_LOCAL_ size_t convk_lowest_(uint64_t bits) {
  size_t n = 0;
  for (; !(bits & 1); bits >>= 1) n++;
  return n;
}

CONVK_LOCAL_ size_t convk_round_up_(size_t n, size_t unit) { return (n + unit - 1) / unit * unit; }

CONVK_LOCAL_ size_t convk_ceil_(size_t n, size_t k) { return n / k + (n % k != 0); }

CONVK_LOCAL_ size_t convk_least_(size_t a, size_t b) { return a < b ? a : b; }

/* The size of each of the fewest parts of n that have at most `max_count` > 0 elements. */
CONVK_LOCAL_ size_t convk_even_part_(size_t n, size_t max_count) { return convk_ceil_(n, convk_ceil_(n, max_count)); }

/* A checksum of bytes at any alignment, begun with h or gone on with from there. */
CONVK_RARE_ uint64_t convk_hash_(uint64_t h, const void *data, size_t bytes) {
  const unsigned char *p = (const unsigned char *)data;
  uint64_t word;
  for (; bytes >= sizeof word; bytes -= sizeof word, p += sizeof word) {
    memcpy(&word, p, sizeof word);
    h ^= word; /* shifted first: multiplication alone takes a flip of the highest bit nowhere */
    h = (h ^ h >> 32) * UINT64_C(0x9E3779B97F4A7C15);
    h = (h ^ h >> 29) * UINT64_C(0xBF58476D1CE4E5B9);
  }
  for (; bytes; bytes--, p++) {
    h ^= *p;
    h = (h ^ h >> 32) * UINT64_C(0x9E3779B97F4A7C15);
    h = (h ^ h >> 29) * UINT64_C(0xBF58476D1CE4E5B9);
  }
  return h ^ h >> 32;
}
