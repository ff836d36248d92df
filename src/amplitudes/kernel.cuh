#define CONVK_SHARED_
#define CONVK_GLOBAL_
#define CONVK_BARRIER_() __syncthreads()
#define CONVK_SUM_(type, sum, x) convk_cuda_add_(sum, (type)(x))
#include "words/cuda_numbers.h"
#define CONVK_GROUP_FUNCTION_ CONVK_CUDA_INLINE_
#define CONVK_TYPED_FUNCTION_ template <class real_> CONVK_CUDA_INLINE_
#undef CONVK_BOTH_
#define CONVK_BOTH_(name) convk_cuda_##name##_
#pragma push_macro("CONVK_UNROLL_")
#undef CONVK_UNROLL_
#define CONVK_UNROLL_ CONVK_CUDA_UNROLL_
#include "amplitudes/device_kernels.h"
#undef CONVK_BOTH_
#define CONVK_BOTH_(name) convk_##name##_
#pragma pop_macro("CONVK_UNROLL_")
#undef CONVK_GLOBAL_
#undef CONVK_SUM_
#include "words/cuda_numbers_end.h"

enum { CONVK_CUDA_AMPLITUDES_THREADS_ = 128 }; /* of a block */

struct convk_cuda_amplitudes_args_ {
  convk_amplitudes_arguments_ of;
  convk_amplitudes_arrays_ array;
};

/* stage_: the stage, or GIVE for all that have no kernel of their own */
template <class real_, int stage_>
static __global__ void CONVK_CUDA_BOUNDS_(CONVK_CUDA_AMPLITUDES_THREADS_, 2)
    convk_cuda_amplitudes_stage_(const convk_cuda_amplitudes_args_ args) {
  const convk_amplitudes_item_ item = {threadIdx.x, CONVK_CUDA_AMPLITUDES_THREADS_, blockIdx.x, gridDim.x};
  const convk_amplitudes_arguments_ *const a = &args.of;
  const convk_amplitudes_arrays_ *const d = &args.array;
  real_ *const table = (real_ *)(void *)(d->work + a->place[CONVK_AMPLITUDES_TABLE_AT_]);
  CONVK_CUDA_SHARED_(shared);
  real_ *const tile = (real_ *)(void *)shared;
  uint32_t *const share = (uint32_t *)(void *)shared;
  if (stage_ == CONVK_AMPLITUDES_LIST_) convk_amplitudes_sum_list_(a, d, &item, table, tile, 0);
  else if (stage_ == CONVK_AMPLITUDES_DAMPED_) convk_amplitudes_sum_list_(a, d, &item, table, tile, 1);
  else if (stage_ == CONVK_AMPLITUDES_ROWS_) convk_amplitudes_sum_rows_(a, d, &item, (const real_ *)table, tile);
  else if (a->stage == CONVK_AMPLITUDES_SELECT_) convk_amplitudes_select_(a, d, &item, share);
  else if (a->stage == CONVK_AMPLITUDES_MIRROR_) convk_amplitudes_mirror_(a, d, &item, (const real_ *)table, share);
  else if (a->stage == CONVK_AMPLITUDES_PHASE_) convk_amplitudes_phases_(a, d, &item, table);
  else convk_amplitudes_finish_(a, d, &item, (const real_ *)table);
}
