/* ---- amplitudes on devices: one text for OpenCL and CUDA, in the words of distances/device_kernels.h and
     CONVK_SUM_(type, sum, x)   sum + x in a loop that adds up
   ---- */

/* An item of a launch: its number in the group, and that of the group; and how many there are. */
typedef struct convk_amplitudes_item_ {
  uint32_t in_group, items;
  size_t group, groups;
} convk_amplitudes_item_;

/* Arrays: x, y, z, kind and weight of atoms, q and its imaginary part, f, and work memory. */
typedef struct convk_amplitudes_arrays_ {
  CONVK_GLOBAL_ const void *x, *y, *z, *kind, *weight, *qx, *qy, *qz, *qi;
  CONVK_GLOBAL_ void *f;
  CONVK_GLOBAL_ char *work;
} convk_amplitudes_arrays_;
#define CONVK_AMPLITUDES_AT_(type, array) ((CONVK_GLOBAL_ const type *)(array))
#define CONVK_AMPLITUDES_WORK_(type, which) ((CONVK_GLOBAL_ type *)(d->work + a->place[which]))
#define CONVK_AMPLITUDES_MIRRORED_ CONVK_AMPLITUDES_WORK_(uint32_t, CONVK_AMPLITUDES_ORDER_AT_)
#define CONVK_AMPLITUDES_START_ (CONVK_AMPLITUDES_MIRRORED_ + 3)
#define CONVK_AMPLITUDES_SORTED_ (CONVK_AMPLITUDES_START_ + a->kinds + 1)
#define CONVK_AMPLITUDES_THIRD_(which, x, y, z) ((which) == 0 ? (x) : (which) == 1 ? (y) : (z))

/* Atoms of the batch. */
CONVK_GROUP_FUNCTION_ size_t convk_amplitudes_left_(const convk_amplitudes_arguments_ *a, const convk_amplitudes_arrays_ *d) {
  const size_t all = CONVK_AMPLITUDES_START_[a->kind + 1] - CONVK_AMPLITUDES_START_[a->kind];
  const size_t left = all > a->first ? all - a->first : 0;
  return left < a->batch ? left : a->batch;
}

CONVK_GROUP_FUNCTION_ convk_amplitudes_fold_ convk_amplitudes_folded_(const convk_amplitudes_arguments_ *a,
                                                                      const convk_amplitudes_arrays_ *d) {
  const int mirrored[3] = {CONVK_AMPLITUDES_MIRRORED_[0] != 0, CONVK_AMPLITUDES_MIRRORED_[1] != 0,
                           CONVK_AMPLITUDES_MIRRORED_[2] != 0};
  const size_t n[3] = {(size_t)a->n[0], (size_t)a->n[1], (size_t)a->n[2]};
  convk_amplitudes_fold_ fold;
  convk_amplitudes_fold_of_(mirrored, n, &fold);
  return fold;
}

/* Atom number t of the batch: its places on the axes of phases, then its weight. */
CONVK_TYPED_FUNCTION_ void convk_amplitudes_get_(const convk_amplitudes_arguments_ *a, const convk_amplitudes_arrays_ *d,
                                                 size_t t, CONVK_T *to) {
  const size_t which = CONVK_AMPLITUDES_SORTED_[CONVK_AMPLITUDES_START_[a->kind] + a->first + t], i = a->frame + which;
  const double at[3] = {(double)CONVK_AMPLITUDES_AT_(CONVK_T, d->x)[i], (double)CONVK_AMPLITUDES_AT_(CONVK_T, d->y)[i],
                        (double)CONVK_AMPLITUDES_AT_(CONVK_T, d->z)[i]};
  int k;
  CONVK_EACH_(k, 3) to[k] = (CONVK_T)(a->in_cell ? convk_cell_dot_(a->inverse + 3 * k, at) : at[k]);
  to[3] = a->has_weight ? CONVK_AMPLITUDES_AT_(CONVK_T, d->weight)[which] : (CONVK_T)1;
}

/* ---- what one group does before ---- */

/* Atoms of a kind in their order, behind those of the kinds before; each item has a share of all.  share: a number of each. */
CONVK_GROUP_FUNCTION_ void convk_amplitudes_select_(const convk_amplitudes_arguments_ *a, const convk_amplitudes_arrays_ *d,
                                                    const convk_amplitudes_item_ *item, CONVK_SHARED_ uint32_t *share) {
  CONVK_GLOBAL_ const uint32_t *const kind = CONVK_AMPLITUDES_AT_(uint32_t, d->kind);
  const uint32_t each = a->atoms / item->items + 1, most = a->kinds - 1;
  const size_t from = (size_t)each * item->in_group, past = from + each < a->atoms ? from + each : a->atoms;
  uint32_t to = a->kind ? CONVK_AMPLITUDES_START_[a->kind] : 0, k;
  size_t i;
  share[item->in_group] = 0;
  for (i = from; i < past; i++) share[item->in_group] += (a->has_kind ? kind[i] < most ? kind[i] : most : 0) == a->kind;
  CONVK_BARRIER_();
  for (k = 0; k < item->in_group; k++) to += share[k];
  for (i = from; i < past; i++)
    if ((a->has_kind ? kind[i] < most ? kind[i] : most : 0) == a->kind) CONVK_AMPLITUDES_SORTED_[to++] = (uint32_t)i;
  if (!a->kind && !item->in_group) CONVK_AMPLITUDES_START_[0] = 0;
  if (item->in_group + 1 == item->items) CONVK_AMPLITUDES_START_[a->kind + 1] = to;
}

/* Whether axes have -q for every q. */
CONVK_TYPED_FUNCTION_ void convk_amplitudes_mirror_(const convk_amplitudes_arguments_ *a, const convk_amplitudes_arrays_ *d,
                                                    const convk_amplitudes_item_ *item, CONVK_GLOBAL_ const CONVK_T *axis,
                                                    CONVK_SHARED_ uint32_t *share) {
  int k;
  uint32_t t;
  for (k = 0; k < 3; k++) {
    const size_t n = a->n[k];
    size_t i;
    axis = CONVK_AMPLITUDES_THIRD_(k, CONVK_AMPLITUDES_AT_(CONVK_T, d->qx), CONVK_AMPLITUDES_AT_(CONVK_T, d->qy),
                                   CONVK_AMPLITUDES_AT_(CONVK_T, d->qz));
    share[item->in_group] = 1;
    for (i = item->in_group; i < (n + 1) / 2; i += item->items)
      if (axis[i] < -axis[n - 1 - i] || axis[i] > -axis[n - 1 - i]) share[item->in_group] = 0;
    CONVK_BARRIER_();
    if (!item->in_group) {
      for (t = 1; t < item->items; t++) share[0] &= share[t];
      CONVK_AMPLITUDES_MIRRORED_[k] = share[0];
    }
    CONVK_BARRIER_();
  }
}

/* ---- phases of a grid ---- */

/* The table has of each value of the lanes, then of the two other axes, cosines of the batch, then sines, of the last axis
   times weights; 0 where the last block is not full. */
CONVK_TYPED_FUNCTION_ void convk_amplitudes_phases_(const convk_amplitudes_arguments_ *a, const convk_amplitudes_arrays_ *d,
                                                    const convk_amplitudes_item_ *item, CONVK_GLOBAL_ CONVK_T *table) {
  const convk_amplitudes_fold_ fold = convk_amplitudes_folded_(a, d);
  const size_t left = convk_amplitudes_left_(a, d), block = CONVK_AMPLITUDES_BLOCK_;
  const size_t padded = (left + block - 1) / block * block, values = fold.count[0] + fold.count[1] + fold.count[2];
  size_t j;
  for (j = item->group * item->items + item->in_group; j < values * padded; j += item->groups * item->items) {
    const size_t v = j / padded, t = j - v * padded, beyond = fold.count[0] + fold.count[1];
    const int k = v < fold.count[0] ? 0 : v < beyond ? 1 : 2;
    const size_t i =
        CONVK_AMPLITUDES_THIRD_(k, fold.first[0] + v, fold.first[1] + v - fold.count[0], fold.first[2] + v - beyond);
    const size_t axis = CONVK_AMPLITUDES_THIRD_(k, fold.axis[0], fold.axis[1], fold.axis[2]);
    CONVK_T atom[4] = {0, 0, 0, 0}, c = 0, s = 0;
    double rest;
    const double turns = convk_amplitudes_turns_in_two_(
        (int)a->in_cell, CONVK_OF_(1, 0) > 0,
        (double)CONVK_AMPLITUDES_THIRD_(axis, CONVK_AMPLITUDES_AT_(CONVK_T, d->qx), CONVK_AMPLITUDES_AT_(CONVK_T, d->qy),
                                        CONVK_AMPLITUDES_AT_(CONVK_T, d->qz))[i],
        &rest);
    if (t < left) {
      convk_amplitudes_get_(a, d, t, atom);
      convk_amplitudes_phase_((CONVK_T)turns, (CONVK_T)rest, CONVK_AMPLITUDES_THIRD_(axis, atom[0], atom[1], atom[2]), &c, &s);
    }
    table[2 * v * a->batch + t] = k == 2 ? CONVK_MUL_(atom[3], c) : c;
    table[(2 * v + 1) * a->batch + t] = k == 2 ? CONVK_MUL_(atom[3], s) : s;
  }
}

/* ---- sums over a batch ---- */

/* Of a list, imag: with complex q_z: a task is a block and a tile of q.  One item of all adds up weights, in their order.
   tile: four numbers of each atom. */
CONVK_TYPED_FUNCTION_ void convk_amplitudes_sum_list_(const convk_amplitudes_arguments_ *a, const convk_amplitudes_arrays_ *d,
                                                      const convk_amplitudes_item_ *item, CONVK_GLOBAL_ CONVK_T *table,
                                                      CONVK_SHARED_ CONVK_T *tile, const int imag) {
  CONVK_GLOBAL_ double *const weight = CONVK_AMPLITUDES_WORK_(double, CONVK_AMPLITUDES_WEIGHT_AT_);
  const size_t nq = a->n[0], left = convk_amplitudes_left_(a, d), block = CONVK_AMPLITUDES_BLOCK_;
  const size_t each = (size_t)item->items * CONVK_AMPLITUDES_POINTS_, tiles = (nq + each - 1) / each;
  const size_t tasks = (left + block - 1) / block * tiles;
  size_t task, t;
  if (a->has_weight && !imag && !item->group && !item->in_group) {
    double sum = a->fresh ? 0 : *weight;
    for (t = 0; t < left; t++) {
      CONVK_T atom[4];
      convk_amplitudes_get_(a, d, t, atom);
      sum = CONVK_SUM_(double, sum, atom[3]);
    }
    *weight = sum;
  }
  for (task = item->group; task < tasks; task += item->groups) {
    const size_t begin = task / tiles * block, i = task % tiles * each + item->in_group;
    const size_t count = left - begin < block ? left - begin : block;
    CONVK_T turns[CONVK_AMPLITUDES_POINTS_][3], re[CONVK_AMPLITUDES_POINTS_], im[CONVK_AMPLITUDES_POINTS_];
    CONVK_T w[CONVK_AMPLITUDES_POINTS_], decay[CONVK_AMPLITUDES_POINTS_], damped[CONVK_AMPLITUDES_POINTS_];
    int v, k;
    CONVK_BARRIER_();
    for (t = item->in_group; t < count; t += item->items) {
      CONVK_T atom[4];
      convk_amplitudes_get_(a, d, begin + t, atom);
      CONVK_EACH_(k, 4) tile[4 * t + (size_t)k] = atom[k];
    }
    CONVK_BARRIER_();
    CONVK_EACH_(v, CONVK_AMPLITUDES_POINTS_) {
      const size_t at = i + (size_t)v * item->items < nq ? i + (size_t)v * item->items : nq - 1;
      CONVK_EACH_(k, 3)
        turns[v][k] = (CONVK_T)convk_amplitudes_turns_(
            (int)a->in_cell,
            (double)CONVK_AMPLITUDES_THIRD_(k, CONVK_AMPLITUDES_AT_(CONVK_T, d->qx), CONVK_AMPLITUDES_AT_(CONVK_T, d->qy),
                                            CONVK_AMPLITUDES_AT_(CONVK_T, d->qz))[at]);
      decay[v] = imag ? (CONVK_T)convk_amplitudes_decay_((int)a->in_cell, (double)CONVK_AMPLITUDES_AT_(CONVK_T, d->qi)[at])
                      : (CONVK_T)0;
      re[v] = im[v] = damped[v] = 0;
    }
    for (t = 0; t < count; t++) {
      CONVK_EACH_(v, CONVK_AMPLITUDES_POINTS_) w[v] = tile[4 * t + 3];
      if (imag) {
        convk_amplitudes_damped_(decay, tile[4 * t + 2], tile[4 * t + 3], w, CONVK_AMPLITUDES_POINTS_);
        CONVK_EACH_(v, CONVK_AMPLITUDES_POINTS_) damped[v] = CONVK_SUM_(CONVK_T, damped[v], w[v]);
      }
      convk_amplitudes_atom_(turns, tile[4 * t], tile[4 * t + 1], tile[4 * t + 2], w, re, im, CONVK_AMPLITUDES_POINTS_);
    }
    CONVK_EACH_(v, CONVK_AMPLITUDES_POINTS_)
      if (i + (size_t)v * item->items < nq) {
        CONVK_GLOBAL_ CONVK_T *const to = table + (size_t)(2 + imag) * nq * (begin / block) + i + (size_t)v * item->items;
        to[0] = re[v];
        to[nq] = im[v];
        if (imag) to[2 * nq] = damped[v];
      }
  }
}

/* Factors of an atom, whose phases begin at `from`, for the pair of values e and f; beyond the last pair: that. */
CONVK_TYPED_FUNCTION_ void convk_amplitudes_bring_pair_(const convk_amplitudes_fold_ *fold, uint64_t batch,
                                                        CONVK_GLOBAL_ const CONVK_T *from, size_t e, size_t f,
                                                        CONVK_SHARED_ CONVK_T *to) {
  const size_t at = 2 * batch * (fold->count[0] + (f < fold->count[2] ? e : fold->count[1] - 1));
  const size_t of = 2 * batch * (fold->count[0] + fold->count[1] + (f < fold->count[2] ? f : fold->count[2] - 1));
  const CONVK_T ec = from[at], es = from[at + batch], fc = from[of], fs = from[of + batch];
  CONVK_T factor[4];
  int r;
  if (fold->octant) {
    convk_amplitudes_octants_(ec, es, fc, fs, factor);
    CONVK_EACH_(r, 4) to[r] = factor[r];
  } else {
    convk_amplitudes_pair_(ec, es, fc, fs, factor);
    CONVK_EACH_(r, 2) to[r] = factor[r];
  }
}

/* Of a grid: a task is a tile of rows and lanes; an item has some rows, and the cosines and sines of some lanes.  tile: of each
   atom factors of the rows, then cosines and sines. */
CONVK_TYPED_FUNCTION_ void convk_amplitudes_sum_rows_(const convk_amplitudes_arguments_ *a, const convk_amplitudes_arrays_ *d,
                                                      const convk_amplitudes_item_ *item, CONVK_GLOBAL_ const CONVK_T *table,
                                                      CONVK_SHARED_ CONVK_T *tile) {
  enum { each_ = CONVK_AMPLITUDES_EACH_ };
  const uint32_t atoms = CONVK_AMPLITUDES_ATOMS_, most = CONVK_AMPLITUDES_ACROSS_;
  const convk_amplitudes_fold_ fold = convk_amplitudes_folded_(a, d);
  CONVK_GLOBAL_ double *const sums = CONVK_AMPLITUDES_WORK_(double, CONVK_AMPLITUDES_SUMS_AT_);
  const size_t left = convk_amplitudes_left_(a, d), lanes = fold.count[0], pairs = fold.count[1] * fold.count[2];
  const uint32_t factors = fold.octant ? 4 : 2, items = item->items, me = item->in_group;
  const uint32_t across = items < most ? items : most;
  const uint32_t tall = items / across * each_, wide = across * each_, x = me % across, y = me / across;
  const uint32_t pitch = tall + CONVK_AMPLITUDES_PAD_, abreast = items < atoms ? items : atoms; /* atoms that come abreast */
  const size_t tiles = (lanes + wide - 1) / wide, tasks = (pairs * factors + tall - 1) / tall * tiles;
  CONVK_SHARED_ CONVK_T *const phase = tile + atoms * pitch;
  size_t task;
  if (!left && !a->fresh) return;
  for (task = item->group; task < tasks; task += item->groups) {
    const size_t row = task / tiles * tall, lane = task % tiles * wide, pair = row / factors + me / abreast;
    const size_t second = pair / fold.count[1], begin = pair - second * fold.count[1];
    double total[2][each_][each_];
    size_t block, chunk;
    int r, j, k;
    CONVK_EACH_(k, 2)
      CONVK_EACH_(r, each_)
        CONVK_EACH_(j, each_) {
          const size_t to = row + y * each_ + (size_t)r, at = lane + (size_t)(j / 2) * 2 * across + 2 * x + (size_t)(j % 2);
          total[k][r][j] = !a->fresh && to < pairs * factors && at < lanes ? sums[(2 * to + (size_t)k) * lanes + at] : 0;
        }
    for (block = 0; block < left; block += CONVK_AMPLITUDES_BLOCK_) {
      CONVK_T sum[2][each_][each_];
      CONVK_EACH_(k, 2)
        CONVK_EACH_(r, each_)
          CONVK_EACH_(j, each_) sum[k][r][j] = 0;
      for (chunk = block; chunk < block + CONVK_AMPLITUDES_BLOCK_; chunk += atoms) {
        uint32_t t, p;
        CONVK_BARRIER_();
        for (t = me % abreast; t < atoms; t += abreast) {
          CONVK_GLOBAL_ const CONVK_T *const from = table + chunk + t;
          size_t e = begin, f = second;
          for (p = me / abreast; p < tall / factors; p += items / abreast) {
            convk_amplitudes_bring_pair_(&fold, a->batch, from, e, f, tile + t * pitch + factors * p);
            for (e += items / abreast; e >= fold.count[1]; e -= fold.count[1]) f++;
          }
          for (p = me / abreast; p < wide; p += items / abreast) {
            const size_t at = 2 * a->batch * (lane + p < lanes ? lane + p : lanes - 1);
            phase[t * 2 * wide + p] = from[at];
            phase[t * 2 * wide + wide + p] = from[at + a->batch];
          }
        }
        CONVK_BARRIER_();
        for (t = 0; t < atoms; t++) {
          CONVK_T factor[each_], of[2][each_];
          CONVK_EACH_(r, each_) factor[r] = tile[t * pitch + y * each_ + (uint32_t)r];
          CONVK_EACH_(k, 2)
            CONVK_EACH_(j, each_)
              of[k][j] = phase[(2 * t + (uint32_t)k) * wide + (uint32_t)(j / 2) * 2 * across + 2 * x + (uint32_t)(j % 2)];
          CONVK_EACH_(k, 2)
            CONVK_EACH_(r, each_)
              CONVK_EACH_(j, each_) sum[k][r][j] = CONVK_FMA_(factor[r], of[k][j], sum[k][r][j]);
        }
      }
      CONVK_EACH_(k, 2)
        CONVK_EACH_(r, each_)
          CONVK_EACH_(j, each_) total[k][r][j] = CONVK_SUM_(double, total[k][r][j], sum[k][r][j]);
    }
    CONVK_EACH_(k, 2)
      CONVK_EACH_(r, each_)
        CONVK_EACH_(j, each_) {
          const size_t to = row + y * each_ + (size_t)r, at = lane + (size_t)(j / 2) * 2 * across + 2 * x + (size_t)(j % 2);
          if (to < pairs * factors && at < lanes) sums[(2 * to + (size_t)k) * lanes + at] = total[k][r][j];
        }
  }
}

/* ---- amplitudes ---- */

/* The sum of a kind at q number j, or, before the last batch of a list, that of blocks until now. */
CONVK_TYPED_FUNCTION_ void convk_amplitudes_sum_of_(const convk_amplitudes_arguments_ *a, const convk_amplitudes_arrays_ *d,
                                                    size_t j, CONVK_GLOBAL_ const CONVK_T *table, double *re, double *im) {
  CONVK_GLOBAL_ double *const sums = CONVK_AMPLITUDES_WORK_(double, CONVK_AMPLITUDES_SUMS_AT_);
  const size_t nq = a->n[0], left = convk_amplitudes_left_(a, d), parts = 2 + a->imag;
  double sum[3] = {0, 0, 0};
  size_t block;
  int k;
  CONVK_EACH_(k, 3) {
    if (k > 1 && !a->imag) continue;
    if (!a->fresh) sum[k] = sums[(size_t)k * nq + j];
    for (block = 0; block * CONVK_AMPLITUDES_BLOCK_ < left; block++)
      sum[k] = CONVK_SUM_(double, sum[k], table[(parts * block + (size_t)k) * nq + j]);
    sums[(size_t)k * nq + j] = sum[k];
  }
  *re = (a->imag         ? sum[2]
         : a->has_weight ? *CONVK_AMPLITUDES_WORK_(double, CONVK_AMPLITUDES_WEIGHT_AT_)
                         : (double)(CONVK_AMPLITUDES_START_[a->kind + 1] - CONVK_AMPLITUDES_START_[a->kind])) -
        2 * sum[0];
  *im = 2 * sum[1];
}

/* The same of node i of a grid, from all batches. */
CONVK_GROUP_FUNCTION_ void convk_amplitudes_sum_at_(const convk_amplitudes_arguments_ *a, const convk_amplitudes_arrays_ *d,
                                                    const convk_amplitudes_fold_ *fold, size_t x, size_t y, size_t z,
                                                    double *re, double *im) {
  size_t place[3];
  int which = 0, k;
  CONVK_EACH_(k, 3) {
    const size_t i = CONVK_AMPLITUDES_THIRD_(fold->axis[k], x, y, z);
    const int other = (fold->octant || (fold->folded && !k)) && 2 * i + 1 <= fold->all[k]; /* q = 0 counts as -q */
    which += other << k;
    place[k] = (other ? fold->all[k] - 1 - i : i) - fold->first[k];
  }
  convk_amplitudes_at_(CONVK_AMPLITUDES_WORK_(double, CONVK_AMPLITUDES_SUMS_AT_) +
                           (fold->octant ? 8 : 4) * (place[1] + fold->count[1] * place[2]) * fold->count[0] + place[0],
                       fold->count[0], fold->octant, which, re, im);
}

/* Adds what a kind scatters, and writes what is complete. */
CONVK_TYPED_FUNCTION_ void convk_amplitudes_finish_(const convk_amplitudes_arguments_ *a, const convk_amplitudes_arrays_ *d,
                                                    const convk_amplitudes_item_ *item, CONVK_GLOBAL_ const CONVK_T *table) {
  CONVK_GLOBAL_ double *const totals = CONVK_AMPLITUDES_WORK_(double, CONVK_AMPLITUDES_TOTALS_AT_);
  CONVK_GLOBAL_ double *const means = CONVK_AMPLITUDES_WORK_(double, CONVK_AMPLITUDES_MEANS_AT_);
  CONVK_GLOBAL_ CONVK_T *const out = (CONVK_GLOBAL_ CONVK_T *)d->f;
  convk_amplitudes_fold_ fold = {0, 0, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
  size_t j;
  if (a->tensor) fold = convk_amplitudes_folded_(a, d);
  for (j = item->group * item->items + item->in_group; j < a->results; j += item->groups * item->items) {
    double re, im, f[2] = {0, 0}, scatters[2] = {1, 0};
    size_t x = j, y = j, z = j, to = a->to + j;
    if (a->tensor) {
      x = j % a->n[0];
      y = j / a->n[0] % a->n[1];
      z = j / a->n[0] / a->n[1];
      to = a->to + x + y * a->pitch_y + z * a->pitch_z;
      convk_amplitudes_sum_at_(a, d, &fold, x, y, z, &re, &im);
    } else {
      convk_amplitudes_sum_of_(a, d, j, table, &re, &im);
      if (!a->last) continue;
    }
    if (a->scattered) {
      const double q[3] = {(double)CONVK_AMPLITUDES_AT_(CONVK_T, d->qx)[x], (double)CONVK_AMPLITUDES_AT_(CONVK_T, d->qy)[y],
                           (double)CONVK_AMPLITUDES_AT_(CONVK_T, d->qz)[z]};
      convk_amplitudes_scatters_(&a->scatterer, (int)a->in_cell, a->inverse, q, scatters);
    }
    if (!a->first_kind) {
      f[0] = totals[2 * j];
      f[1] = totals[2 * j + 1];
    }
    convk_amplitudes_add_(a->scattered ? scatters : (const double *)0, re, im, f);
    if (!a->last_kind) {
      totals[2 * j] = f[0];
      totals[2 * j + 1] = f[1];
    } else if (a->mean) {
      const double sum = (a->first_frame ? 0 : means[j]) + convk_amplitudes_square_(f);
      if (a->last_frame) out[to] = (CONVK_T)(sum / a->frames);
      else means[j] = sum;
    } else {
      out[2 * to] = (CONVK_T)f[0];
      out[2 * to + 1] = (CONVK_T)f[1];
    }
  }
}
