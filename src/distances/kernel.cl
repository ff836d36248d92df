#include "device/preamble.cl"
#include "words/opencl.cl"
#include "distances/both.h"
#include "distances/element.h"
#include "distances/arguments.h"
#define CONVK_SHARED_ local
#define CONVK_ATOMIC_ADD_(p, v) atomic_add(p, v)
#define CONVK_BARRIER_() barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#define CONVK_DOUBLE_BITS_(x) as_ulong(x)
#define CONVK_GROUP_FUNCTION_ static inline
#define CONVK_TYPED_FUNCTION_ static inline
#include "distances/device_kernels.h"

static inline convk_distances_item_ item_of(void) {
  const convk_distances_item_ item = {(uint)get_local_id(0), ITEMS, (uint)get_global_id(0), (uint)get_global_size(0)};
  return item;
}

#ifdef SORT
CONVK_GROUP_KERNEL_ distances_sort(const convk_distances_arguments_ a, global const T *x, global const T *y, global const T *z,
                                   global const uint *kind, global double *work, global uint *beyond, local uint *share) {
  const convk_distances_item_ item = item_of();
  convk_distances_sort_of_(&a, &item, x + a.x, y + a.y, z + a.z, kind + a.kind, work + a.work, beyond + a.beyond, share);
}
#else
CONVK_GROUP_KERNEL_ distances_count(const convk_distances_arguments_ a, global double *work, global uint *count,
                                    global uint *first, global uint *second, global uint *beyond, local uint *word) {
  const convk_distances_item_ item = item_of();
  convk_distances_bins_ b;
  b.count = count + a.count;
  b.first = first + a.first;
  b.second = second + a.second;
  b.beyond = beyond + a.beyond;
  convk_distances_group_(&a, &item, work + a.work, &b, word, MOMENTS, SHARED);
}
#endif
