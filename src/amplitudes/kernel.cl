#include "device/preamble.cl"
#include "words/opencl.cl"
#define CONVK_SCATTERS_
#include "atoms/both.h"
#include "elementary/exponential.h"
#include "turns/element.h"
#include "amplitudes/both.h"
#include "amplitudes/element.h"
#include "amplitudes/arguments.h"
#define CONVK_SHARED_ local
#define CONVK_BARRIER_() barrier(CLK_LOCAL_MEM_FENCE)
#define CONVK_GROUP_FUNCTION_ static inline
#define CONVK_TYPED_FUNCTION_ static inline
#include "amplitudes/device_kernels.h"

/* With SUMS those of a list, or with TENSOR of a grid; else the other stages. */
CONVK_GROUP_KERNEL_ amplitudes(const convk_amplitudes_arguments_ of, global const T *x, global const T *y, global const T *z,
                               global const uint *kind, global const T *weight, global const T *qx, global const T *qy,
                               global const T *qz, global const T *qi, global T *f, global char *work, local T *tile) {
  const convk_amplitudes_item_ item = {(uint)get_local_id(0), ITEMS, get_group_id(0), get_num_groups(0)};
  const convk_amplitudes_arguments_ *const a = &of;
  const convk_amplitudes_arrays_ array = {x + of.at[0],      y + of.at[1],  z + of.at[2],    kind + of.at[3],
                                          weight + of.at[4], qx + of.at[5], qy + of.at[6],   qz + of.at[7],
                                          qi + of.at[8],     f + of.at[9],  work + of.at[10]};
  const convk_amplitudes_arrays_ *const d = &array;
  global T *const table = CONVK_AMPLITUDES_WORK_(T, CONVK_AMPLITUDES_TABLE_AT_);
#ifndef SUMS
  if (a->stage == CONVK_AMPLITUDES_SELECT_) convk_amplitudes_select_(a, d, &item, (local uint *)tile);
  if (a->stage == CONVK_AMPLITUDES_MIRROR_) convk_amplitudes_mirror_(a, d, &item, qx, (local uint *)tile);
  if (a->stage == CONVK_AMPLITUDES_PHASE_) convk_amplitudes_phases_(a, d, &item, table);
  if (a->stage == CONVK_AMPLITUDES_GIVE_) convk_amplitudes_finish_(a, d, &item, table);
#elif TENSOR
  convk_amplitudes_sum_rows_(a, d, &item, table, tile);
#else
  convk_amplitudes_sum_list_(a, d, &item, table, tile, IMAG);
#endif
}
