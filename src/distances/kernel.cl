#include "device/preamble.cl"
#include "words/opencl.cl"
#define CONVK_SCATTERS_
#include "atoms/both.h"
#include "distances/both.h"
#include "distances/element.h"
#include "distances/arguments.h"
#define CONVK_SHARED_ local
#define CONVK_ATOMIC_ADD_(p, v) atomic_add(p, v)
#define CONVK_ADD_LONG_(p, v) add_long((global uint *)(p), v)
#define CONVK_BARRIER_() barrier(CLK_LOCAL_MEM_FENCE)
#define CONVK_DOUBLE_BITS_(x) as_ulong(x)
#define CONVK_GROUP_FUNCTION_ static inline
#define CONVK_TYPED_FUNCTION_ static inline
/* Atomic additions of 64 bits are an extension. */
static inline uint add_long(global uint *word, ulong v) {
  const uint low = (uint)v, carry = low && atomic_add(word, low) > ~low;
  const uint high = (uint)(v >> 32), more = high + carry;
  return more < carry || (more && atomic_add(word + 1, more) > ~more);
}
#include "distances/device_kernels.h"

#ifdef DEBYE
/* A list of bins, LIST, or another stage. */
CONVK_GROUP_KERNEL_ debye(const convk_debye_arguments_ a, global const char *count, global const ulong *first,
                          global const ulong *second, global const T *q, global T *intensity, global T *bound,
                          global double *work, local uint *share) {
  const convk_distances_item_ item = {(uint)get_local_id(0), ITEMS, (uint)get_global_id(0), (uint)get_global_size(0)};
  const convk_debye_there_ d = {count + a.at[0],     first + a.at[1], second + a.at[2], q + a.at[3],
                                intensity + a.at[4], bound + a.at[5], work + a.at[6]};
  if (a.stage == CONVK_DEBYE_LIST_) convk_debye_list_of_(&a, &d, &item, share);
  else convk_debye_stage_of_(&a, &d, &item, q + a.at[3], intensity + a.at[4], bound + a.at[5]);
}
#else
/* With SORT the stages of the sort; else that which counts, for any T. */
CONVK_GROUP_KERNEL_ distances(const convk_distances_arguments_ a, global const T *x, global const T *y, global const T *z,
                              global const uint *kind, global ulong *count, global ulong *first, global ulong *second,
                              global ulong *beyond, global double *work, local uint *word) {
  const convk_distances_item_ item = {(uint)get_local_id(0), ITEMS, (uint)get_global_id(0), (uint)get_global_size(0)};
#ifdef SORT
  convk_distances_sort_of_(&a, &item, x + a.at[0], y + a.at[1], z + a.at[2], kind + a.at[3], work + a.at[8], word);
#else
  convk_distances_bins_ b;
  b.count = count + a.at[4];
  b.first = first + a.at[5];
  b.second = second + a.at[6];
  convk_distances_group_(&a, &item, work + a.at[8], &b, beyond + a.at[7], word, MOMENTS, SHARED);
#endif
}
#endif
