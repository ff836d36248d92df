/* Pairs: what is compiled once. */
CONVK_EXACT_PUSH_ /* so that runs do not depend on what a compiler contracts */

#define CONVK_PAIRS_ALIGNED_ CONVK_ALIGNED_

#include "pairs/potentials.h"
#include "pairs/elementary.h"
#include "pairs/checks.h"

/* ---- how a walker's pairs are cut ----
   Blocks of CONVK_PAIRS_BLOCK_ particles; block I meets itself and the next half of all, cyclically, so that all blocks have
   the same work.  Stripe k takes blocks k, k + stripes, ...  Gradients of a stripe are summed apart, and then in the order of
   stripes: threads do not matter. */
CONVK_LOCAL_ size_t convk_pairs_blocks_(size_t particles) { return convk_ceil_(particles, CONVK_PAIRS_BLOCK_); }
CONVK_LOCAL_ size_t convk_pairs_stripes_(size_t particles) {
  const size_t blocks = convk_pairs_blocks_(particles);
  return blocks < CONVK_PAIRS_STRIPES_ ? blocks : CONVK_PAIRS_STRIPES_;
}
CONVK_LOCAL_ size_t convk_pairs_padded_(size_t particles) { return convk_round_up_(particles, CONVK_PAIRS_BLOCK_); }

/* Whether a stripe may have pairs of this block's particles: where it has but one block, of that half which that one meets. */
CONVK_LOCAL_ int convk_pairs_touches_(size_t blocks, size_t stripe, size_t block) {
  return blocks > CONVK_PAIRS_STRIPES_ || (block < stripe ? block + blocks : block) - stripe <= blocks / 2;
}

/* Where the share of a task begins, of n walkers or the like.  Neighbours are one task's, since they share cache lines. */
CONVK_LOCAL_ size_t convk_share_(size_t n, size_t tasks, size_t task) {
  if (tasks == 1) return task ? n : 0; /* no divisions, of which a small call waits for each */
  return n / tasks * task + (task < n % tasks ? task : n % tasks);
}

/* How many tasks take walkers; 0: blocks of one walker after another are tasks.  With 8 walkers or more for each thread the
   last ones let threads idle for less than an eighth of the time. */
CONVK_RARE_ size_t convk_pairs_tasks_(convk *hw, size_t particles, size_t walkers, size_t element) {
  const size_t n[3] = {particles, walkers, 1}, threads = convk_threads_(hw), tasks = walkers < threads ? walkers : threads;
  convk_tuning own;
  size_t split;
  if (threads < 2 || convk_pairs_stripes_(particles) < 2) return tasks;
  split = convk_tuning_for_(hw, "pair_energy", element, n, 1, &own)->pair_split;
  if (split) return split == 1 ? tasks : 0;
  return walkers >= 8 * threads || (walkers && walkers % threads == 0) ? tasks : 0;
}

/* Doubles of scratch for one walker: sums of stripes, and their gradients: of all with threads, else of one and the whole. */
CONVK_LOCAL_ size_t convk_pairs_scratch_(size_t n, int threads) {
  return CONVK_PAIRS_STRIPES_ * sizeof(convk_pairs_sums_) / sizeof(double) +
         3 * convk_pairs_padded_(n) * (threads ? convk_pairs_stripes_(n) : 2);
}

/* Bytes of work of pair_energy, an upper bound for fewer particles and walkers; (size_t)-1: too large. */
CONVK_RARE_ size_t convk_pairs_work_size_(convk *hw, size_t particles, size_t walkers) {
  const size_t threads = convk_threads_(hw), tasks = walkers < threads ? walkers : threads;
  size_t bytes, together = 0;
  if (particles > (size_t)1 << 30 || particles > (size_t)-1 / 4096 ||
      convk_mul_(convk_pairs_scratch_(particles, 0), tasks * sizeof(double), &bytes) || bytes > (size_t)-1 / 4)
    return (size_t)-1;
  if (tasks && threads > 1) together = convk_pairs_scratch_(particles, 1) * sizeof(double);
  return tasks ? (bytes < together ? together : bytes) + 64 : 0;
}

CONVK_LOCAL_ void convk_pairs_sums_clear_(convk_pairs_sums_ *s) {
  memset(s, 0, sizeof *s);
  s->mantissa = 1;
}

/* x 2^exponent in a product whose mantissa stays below 2. */
CONVK_LOCAL_ void convk_pairs_multiply_(convk_pairs_sums_ *s, double x, double exponent) {
  s->mantissa *= x;
  s->exponent += exponent;
  convk_split_(&s->mantissa, &s->exponent);
}

CONVK_LOCAL_ void convk_pairs_sums_add_(convk_pairs_sums_ *s, const convk_pairs_sums_ *part) {
  int k;
  for (k = 0; k < CONVK_PAIRS_SUMS_; k++) s->sum[k] += part->sum[k];
  convk_pairs_multiply_(s, part->mantissa, part->exponent);
}

CONVK_LOCAL_ double convk_pairs_log_(const convk_pairs_sums_ *s) { return s->exponent * CONVK_LN_2_ + convk_log_(s->mantissa); }

CONVK_LIGHT_PUSH_
#include "pairs/averages.h"
#include "pairs/state.h"
#include "pairs/parts.h"
#include "pairs/begin.h"
#include "pairs/runs.h"
#include "pairs/newton.h"
#include "pairs/minimise.h"
CONVK_LIGHT_POP_

CONVK_EXACT_POP_
