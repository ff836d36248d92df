#ifndef CONVK_PAIRS_INCLUDED_
#define CONVK_PAIRS_INCLUDED_
/* What all kernels of OpenCL take besides the terms of a system and arrays; those of CUDA have structs of their own.
   p .. edge    of the system, as convk_pairs_terms_ has them; box: its periods
   r .. drift   where arrays begin, in their numbers
   part ..      where parts of work memory begin, in doubles: records, squares and forces of pair_rows, forces of walkers
                force_stride apart, those after a move, where particles would go, and results there */
typedef struct convk_pairs_arguments_ {
  double p[4], shift, hbar2_2m, first, per_spacing, edge[4], box[3], step;
  uint64_t r, to, gradient, result, accept, ln_psi, accepted, drift;
  uint64_t part, square, force, force_stride, after, moved, moved_result;
  uint64_t walkers, pitch, stride, count, seed, sweep; /* count: of distances */
  uint32_t n, entries, particle, want;
  uint32_t pack, blocks, slices, length, members, records, squares;
  uint32_t forces, gradients, chosen, clear, back, periodic, set; /* whether */
  uint32_t first_walker, sweeps;                                  /* first_walker: number of walker 0 among all parts */
} convk_pairs_arguments_;
#endif
