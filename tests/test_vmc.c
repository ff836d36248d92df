/* SPDX-License-Identifier: MIT
   Tests of pairs of particles: potentials, energies, moves, variational Monte Carlo. */
#include "test.h"

#include "reference_vmc.h"

/* ---------------------------------------------------------------- one interface to all operations and precisions -- */

enum { VMC_POTENTIAL, VMC_ENERGY, VMC_MOVE, VMC_ACCEPT, VMC_RUN, VMC_KINDS };
static const char *const vmc_names[VMC_KINDS] = {"pair_potential", "pair_energy", "pair_move", "pair_accept", "vmc_run"};

typedef struct vmc_call {
  convk *hw;
  const char *name; /* of the variant, to call it by its name */
  int operation;
  const convk_pair_potential *potential;
  size_t n;
  const convk_pair_system *system;
  const convk_pair_walkers *walkers;
  int want;
  size_t particle;
  void *r, *to, *gradient; /* coordinates, or distances; what comes out of them, or where to go */
  const unsigned char *accept;
  void *result;
  const convk_vmc *vmc;
  size_t sweeps;
  void *state;
  size_t state_size;
  void *work;
  size_t work_size;
} vmc_call;

#define VMC_DO(TYPE, T, HW) \
  switch (k->operation) { \
    case VMC_POTENTIAL: status = convk_pair_potential_##TYPE##HW(k->hw, k->potential, k->n, (const T *)k->r, (T *)k->to); \
        break; \
    case VMC_ENERGY: \
      status = convk_pair_energy_##TYPE##HW(k->hw, k->system, k->walkers, k->want, (const T *)k->r, \
                                            (convk_pair_result *)k->result, (T *)k->gradient, k->work, k->work_size); \
      break; \
    case VMC_MOVE: \
      status = convk_pair_move_##TYPE##HW(k->hw, k->system, k->walkers, k->particle, (const T *)k->r, (const T *)k->to, \
                                          (convk_pair_move_result *)k->result); \
      break; \
    case VMC_ACCEPT: \
      status = convk_pair_accept_##TYPE##HW(k->hw, k->system, k->walkers, k->particle, (const T *)k->to, k->accept, (T *)k->r, \
                                            (T *)k->gradient); \
      break; \
    default: \
      status = convk_vmc_run_##TYPE##HW(k->hw, k->vmc, k->sweeps, (convk_vmc_state_##TYPE *)k->state, k->state_size, k->work, \
                                        k->work_size); \
  }
#define VMC_NAMED(TYPE, T, HW) \
  if (k->name && !strcmp(k->name, #HW)) VMC_DO(TYPE, T, _##HW)
/* The handle of calls that need none, for their messages: each refusal has one, and no success. */
static convk *vmc_teller(void) {
  static convk hw;
  static int opened;
  if (!opened) opened = !test_open(&hw, "scalar");
  return &hw;
}
static int vmc_told(int status) {
  if (!status != !vmc_teller()->message[0]) fail("status %d says '%s'", status, vmc_teller()->message);
  return status;
}
/* What a query for bytes has found; (size_t)-1: it was refused. */
static size_t vmc_size_told(const convk *hw, int status, size_t bytes) {
  if (status && bytes != 12345) fail("bytes were written");
  if (hw && status != CONVK_ERR_HANDLE && !status != !hw->message[0]) fail("status %d says '%s'", status, hw->message);
  return status ? (size_t)-1 : bytes;
}

#define VMC_CALL(TYPE, T) \
  static int vmc_call_##TYPE(const vmc_call *k) { \
    const surroundings s = before_call(); \
    int status = 1; \
    if (!k->name) VMC_DO(TYPE, T, ) \
    ON_PROCESSORS(VMC_NAMED, TYPE, T) \
    after_call(s, k->hw && k->hw->ours.inside.device); \
    return status; \
  } \
  static int vmc_offers_##TYPE(convk *hw, int operation) { \
    switch (operation) { \
      case VMC_POTENTIAL: return hw->ours.inside.TYPE.pair_potential != NULL; \
      case VMC_ENERGY: return hw->ours.inside.TYPE.pair_energy != NULL; \
      case VMC_MOVE: return hw->ours.inside.TYPE.pair_move != NULL; \
      case VMC_ACCEPT: return hw->ours.inside.TYPE.pair_accept != NULL; \
      default: return hw->ours.inside.TYPE.vmc_run != NULL; \
    } \
  } \
  static int vmc_begin_##TYPE(const convk_vmc *vmc, const void *r, void *state, size_t size) { \
    const surroundings s = before_call(); \
    const int status = convk_vmc_begin_##TYPE(vmc_teller(), vmc, (const T *)r, (convk_vmc_state_##TYPE *)state, size); \
    after_call(s, 0); \
    return vmc_told(status); \
  } \
  static int vmc_check_##TYPE(const convk_vmc *vmc, const void *state, size_t size) { \
    return vmc_told(convk_vmc_check_##TYPE(vmc_teller(), vmc, (const convk_vmc_state_##TYPE *)state, size)); \
  } \
  static int vmc_positions_##TYPE(const convk_vmc *vmc, const void *state, size_t size, void *r) { \
    return vmc_told(convk_vmc_positions_##TYPE(vmc_teller(), vmc, (const convk_vmc_state_##TYPE *)state, size, (T *)r)); \
  } \
  static int vmc_results_##TYPE(const void *state, size_t size, convk_vmc_result *result) { \
    return vmc_told(convk_vmc_results_##TYPE(vmc_teller(), (const convk_vmc_state_##TYPE *)state, size, result)); \
  } \
  static int vmc_take_##TYPE(const convk_vmc *vmc, void *state, size_t size, const void *from, size_t from_size, \
                             size_t *taken) { \
    return vmc_told(convk_vmc_take_##TYPE(vmc_teller(), vmc, (convk_vmc_state_##TYPE *)state, size, \
                                          (const convk_vmc_state_##TYPE *)from, from_size, taken)); \
  } \
  static size_t vmc_energy_work_##TYPE(convk *hw, size_t particles, size_t walkers) { \
    size_t bytes = 12345; \
    const int status = convk_pair_energy_work_size_##TYPE(hw, particles, walkers, &bytes); \
    return vmc_size_told(hw, status, bytes); \
  } \
  static size_t vmc_work_##TYPE(convk *hw, const convk_vmc *vmc) { \
    size_t bytes = 12345; \
    const int status = convk_vmc_work_size_##TYPE(hw, vmc, &bytes); \
    return vmc_size_told(hw, status, bytes); \
  } \
  static size_t vmc_bytes_##TYPE(const convk_vmc *vmc) { \
    size_t bytes = 12345; \
    const int status = convk_vmc_state_size_##TYPE(vmc_teller(), vmc, &bytes); \
    return vmc_size_told(vmc_teller(), status, bytes) == (size_t)-1 ? 0 : bytes; \
  } \
  static int vmc_minimise_##TYPE(convk *hw, convk_vmc *vmc, const convk_vmc_minimise_options *options, void *state, \
                                 size_t state_size, convk_vmc_result *result, void *work, size_t work_size) { \
    return convk_vmc_minimise_##TYPE(hw, vmc, options, (convk_vmc_state_##TYPE *)state, state_size, result, work, work_size); \
  }
VMC_CALL(f32, float)
VMC_CALL(f64, double)

static const struct {
  int (*call)(const vmc_call *k);
  int (*offers)(convk *hw, int operation);
  size_t (*energy_work)(convk *hw, size_t particles, size_t walkers);
  int (*begin)(const convk_vmc *vmc, const void *r, void *state, size_t size);
  int (*check)(const convk_vmc *vmc, const void *state, size_t size);
  int (*positions)(const convk_vmc *vmc, const void *state, size_t size, void *r);
  int (*results)(const void *state, size_t size, convk_vmc_result *result);
  int (*take)(const convk_vmc *vmc, void *state, size_t size, const void *from, size_t from_size, size_t *taken);
  size_t (*work)(convk *hw, const convk_vmc *vmc);
  size_t (*bytes)(const convk_vmc *vmc);
  int (*minimise)(convk *hw, convk_vmc *vmc, const convk_vmc_minimise_options *options, void *state, size_t state_size,
                  convk_vmc_result *result, void *work, size_t work_size);
  double eps, stated; /* accuracy of predefined potentials */
} vmc_types[2] = {{vmc_call_f32, vmc_offers_f32, vmc_energy_work_f32, vmc_begin_f32, vmc_check_f32, vmc_positions_f32,
                   vmc_results_f32, vmc_take_f32, vmc_work_f32, vmc_bytes_f32, vmc_minimise_f32, FLT_EPSILON, 3e-6},
                  {vmc_call_f64, vmc_offers_f64, vmc_energy_work_f64, vmc_begin_f64, vmc_check_f64, vmc_positions_f64,
                   vmc_results_f64, vmc_take_f64, vmc_work_f64, vmc_bytes_f64, vmc_minimise_f64, DBL_EPSILON, 4e-15}};

/* The next open variant with this operation that can take a case of so many pairs. */
static variant *vmc_next(size_t *i, int type, int operation, size_t pairs) {
  return next_offering(i, 40 * pairs, vmc_types[type].offers, operation);
}

static vmc_call vmc_blank(int operation, convk *hw) {
  vmc_call k;
  memset(&k, 0, sizeof k);
  k.operation = operation;
  k.hw = hw;
  return k;
}

/* Threads, memory, and how it is called. */
typedef struct vmc_way {
  execution e;
  int call;
  size_t split; /* threads take walkers, or blocks of pairs */
} vmc_way;

static const vmc_way vmc_serial = {{0, 0, 0, 0, 0, 0}, CALL_HANDLE, 0};

static vmc_way vmc_any_way(uint64_t *rng) {
  vmc_way w;
  w.e = any_execution(rng);
  w.call = (int)random_below(rng, CALL_KINDS);
  w.split = random_below(rng, 3);
  return w;
}

static void vmc_way_set(vmc_call *k, variant *v, const vmc_way *w, convk *copy, hook *h, int tell) {
  static const char *const how[CALL_KINDS] = {"by handle", "by name", "by name, no handle"};
  convk *hw = handle_for(v, copy, &w->e, h);
  const int call = v->device ? CALL_HANDLE : w->call;
  if (!v->device) hw->tuning.pair_split = w->split;
  k->hw = call == CALL_BARE ? NULL : hw;
  k->name = call == CALL_HANDLE ? NULL : v->name;
  if (tell)
    describe_more("; %s, threads %d %s, work %d, split %d", how[call], w->e.threads, hook_names[w->e.hook], w->e.work,
                  (int)w->split);
}

/* A case within a case. */
/* -------------------------------------------------------------------------------------------------- potentials to test -- */

enum { V_NONE, V_HFDHE2, V_HFDB, V_LM2M2, V_LJ, V_TABLE, V_UNDAMPED, V_FAR, V_KINDS };
static const char *const vmc_potentials[V_KINDS] = {"none", "HFDHE2", "HFD-B",    "LM2M2",
                                                    "LJ",   "table",  "undamped", "damped far out"};

enum { TABLE_ENTRIES_ = 211 };
static double vmc_table[TABLE_ENTRIES_];

/* The library's and the reference's; each has its own constants. */
static void vmc_potential(int kind, convk_pair_potential *p, ref_potential *q) {
  size_t i;
  memset(q, 0, sizeof *q);
  memset(p, 0, sizeof *p);
  switch (kind) {
    case V_NONE: break;
    case V_HFDHE2:
      *p = convk_pair_hfdhe2();
      *q = ref_helium(REF_HFDHE2);
      break;
    case V_HFDB:
      *p = convk_pair_hfdb();
      *q = ref_helium(REF_HFDB);
      break;
    case V_LM2M2:
      *p = convk_pair_lm2m2();
      *q = ref_helium(REF_LM2M2);
      break;
    case V_LJ:
      *p = convk_pair_lennard_jones(10.22, 2.556);
      q->kind = REF_LJ;
      q->eps = 10.22;
      q->rm = 2.556;
      break;
    case V_TABLE: /* which ends at 0, as a potential does */
      q->kind = REF_TABLE;
      q->first = 0.75;
      q->spacing = 0.05;
      q->entries = TABLE_ENTRIES_;
      for (i = 0; i < TABLE_ENTRIES_; i++) {
        const double left = (double)(TABLE_ENTRIES_ - 1 - i) / TABLE_ENTRIES_;
        vmc_table[i] = (100 * exp(-0.05 * (double)i) - 5) * left * left;
      }
      q->values = vmc_table;
      *p = convk_pair_table(0.75, 0.05, TABLE_ENTRIES_, vmc_table);
      break;
    default:
      *p = convk_pair_hfdb();
      *q = ref_helium(REF_HFDB);
      p->d = q->d = kind == V_FAR ? 7.5 : 0;
      p->bump = q->bump = kind == V_FAR ? 0.01 : -0.03;
      p->x1 = q->x1 = 1.25;
      p->x2 = q->x2 = kind == V_FAR ? 9 : 1.75;
      if (kind == V_FAR) p->c8 = q->c8 = -0.1;
  }
  /* what pads the struct, which functions need not return, so that systems can be compared byte by byte */
  memset((char *)p + sizeof p->kind, 0, (size_t)((char *)&p->epsilon - (char *)p) - sizeof p->kind);
}

/* ------------------------------------------------------------------------------------------------------ pair_potential -- */

/* Values of one variant at distances, into `values`; they lie against guard pages, and may be replaced in place. */
static void vmc_values(variant *v, int type, const convk_pair_potential *p, const double *r, size_t n, uint64_t *rng,
                       double *values) {
  const size_t size = types[type].size;
  const long live = heap.live;
  const int in_place = random_below(rng, 4) == 0;
  const vmc_way w = vmc_any_way(rng);
  vmc_call k = vmc_blank(VMC_POTENTIAL, NULL);
  convk copy;
  hook h = hook_new(w.e.hook, w.e.threads, random64(rng));
  guard from = gauss_array(type, r, 1, n, 0, rng), to = guard_new(n * size, (int)random_below(rng, 2), any_shift(size, rng));
  size_t i;
  vmc_way_set(&k, v, &w, &copy, &h, 1);
  k.potential = p;
  k.n = n;
  k.r = from.data;
  k.to = in_place ? from.data : to.data;
  check_status(vmc_types[type].call(&k), live);
  for (i = 0; i < n; i++) {
    values[i] = get(type, k.to, i);
    if (!in_place && !same(get(type, from.data, i), r[i])) fail("the distances changed");
  }
  if (in_place && !all_fill(to.data, to.data + n * size)) fail("another array was written");
  if (v->device) handle_for(v, &copy, &plain, NULL);
  gauss_array_end(&from, "the distances");
  gauss_array_end(&to, "the values");
}

/* Distances of all kinds. */
static double vmc_distance(int type, size_t i, uint64_t *rng) {
  static const double some[] = {0, 1. / 256, 0.0039, 1e-30, 2.5, 2.963, 9.3, 4.39, 14.25, 0.75, 15, 1000};
  if (i % 23 == 7) return rounded_to(type, some[random_below(rng, COUNT_OF(some))]);
  if (i % 23 == 9) return rounded_to(type, exp(13 * random_unit(rng)));
  return rounded_to(type, 0.5 + 29.5 * pow(0.5 * (1 + random_unit(rng)), 2));
}

static void vmc_potential_values(int type) {
  enum { MOST = 997 };
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  double *r = reals(MOST), *values = reals(MOST), *want[2];
  long double *exact = (long double *)need(2 * MOST * sizeof *exact);
  int kind;
  want[0] = reals(MOST);
  want[1] = reals(MOST);
  suite.operation = vmc_names[VMC_POTENTIAL];
  for (kind = 0; kind < V_KINDS; kind++) {
    const size_t count = suite.quick ? 300 : MOST;
    int have[2] = {0, 0};
    convk_pair_potential p;
    ref_potential q;
    size_t i, number = 0;
    variant *v;
    vmc_potential(kind, &p, &q);
    for (i = 0; i < count; i++) {
      ref_value f;
      r[i] = vmc_distance(type, i, &rng);
      f = ref_v(&q, r[i]);
      exact[2 * i] = f.v;
      exact[2 * i + 1] = vmc_types[type].stated * f.size;
      if (kind >= V_TABLE) exact[2 * i + 1] += vmc_types[type].eps * f.slope * 3; /* nothing is stated */
      exact[2 * i + 1] += type ? 0 : 1e-37;                                       /* where numbers end */
    }
    while ((v = vmc_next(&number, type, VMC_POTENTIAL, MOST)) != NULL) {
      size_t length;
      for (length = 0; length < (v->device ? 3u : 44u); length++) {
        const size_t n = length > 42 ? count : v->device ? 17 * length + length / 2 * (count - 40) : length;
        const size_t at = random_below(&rng, count - n + 1);
        long double worst = 0;
        describe("%s, %lu distances", vmc_potentials[kind], (unsigned long)n);
        begin_case();
        vmc_values(v, type, &p, r + at, n, &rng, values);
        for (i = 0; i < n && !suite.bad; i++) {
          long double error = fabsl(values[i] - exact[2 * (at + i)]);
          if (error > 0) error /= exact[2 * (at + i) + 1] * slack();
          if (!(error <= 1))
            fail("V(%.17g) is %.17g, not %.17Lg: %.3Lg of what is allowed", r[at + i], values[i], exact[2 * (at + i)], error);
          if (error > worst) worst = error;
        }
        if (n) error_note("allowed", (double)worst, 1, 0, 0, 0, n);
        end_case();
      }
      /* bits of a class, wherever in a vector a distance lies */
      describe("%s, in another order", vmc_potentials[kind]);
      begin_case();
      vmc_values(v, type, &p, r, count, &rng, values);
      if (!have[v->fused] && !v->device) memcpy(want[v->fused], values, count * sizeof *values);
      have[v->fused] |= !v->device;
      for (i = 0; i < count && !v->device; i++)
        if (!same(values[i], want[v->fused][i]))
          fail("V(%.17g) has other bits: %.17g, not %.17g", r[i], values[i], want[v->fused][i]);
      if (!v->device) {
        double *turned = reals(count), *back = reals(count);
        for (i = 0; i < count; i++) turned[i] = r[(i * 101 + 7) % count];
        vmc_values(v, type, &p, turned, count, &rng, back);
        for (i = 0; i < count; i++)
          if (!same(back[i], values[(i * 101 + 7) % count])) fail("V(%.17g) depends on its neighbours", turned[i]);
        free(turned);
        free(back);
      }
      end_case();
    }
  }
  free(r);
  free(values);
  free(want[0]);
  free(want[1]);
  free(exact);
}

/* Published values, to the last digit printed; and what the reference makes of them. */
static void vmc_potential_published(int type) {
  static const double at[8] = {2, 2.5, 3, 4, 5, 6, 8, 12};
  static const double table[2][8][2] = {{{545.976, 1e-3},
                                         {20.36802, 1e-5},
                                         {-10.754347, 1e-6},
                                         {-2.900445, 1e-6},
                                         {-0.728031, 1e-6},
                                         {-0.2350976, 1e-7},
                                         {-0.04035943, 1e-8},
                                         {-0.003456267, 1e-9}},
                                        {{537.955, 1e-3},
                                         {20.47271, 1e-5},
                                         {-10.888342, 1e-6},
                                         {-2.933623, 1e-6},
                                         {-0.728647, 1e-6},
                                         {-0.2350967, 1e-7},
                                         {-0.04037128, 1e-8},
                                         {-0.003458060, 1e-9}}};
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  int kind, i;
  for (kind = 0; kind < 2; kind++) {
    const ref_potential q = ref_helium(kind ? REF_HFDB : REF_HFDHE2);
    const convk_pair_potential p = kind ? convk_pair_hfdb() : convk_pair_hfdhe2();
    size_t number = 0;
    variant *v;
    for (i = 0; i < 8; i++) {
      suite.variant = NULL;
      describe("%s(%g) of the reference", vmc_potentials[V_HFDHE2 + kind], at[i]);
      CHECK(fabsl(ref_v(&q, at[i]).v - table[kind][i][0]) <= 0.51 * table[kind][i][1]);
    }
    suite.operation = vmc_names[VMC_POTENTIAL];
    while ((v = vmc_next(&number, type, VMC_POTENTIAL, 8)) != NULL) {
      double values[8];
      describe("%s", vmc_potentials[V_HFDHE2 + kind]);
      begin_case();
      vmc_values(v, type, &p, at, 8, &rng, values);
      for (i = 0; i < 8; i++)
        if (!(fabs(values[i] - table[kind][i][0]) <=
              0.51 * table[kind][i][1] + (type ? 0 : 3e-6 * (double)ref_v(&q, at[i]).size)))
          fail("V(%g) is %.10g, not %.10g", at[i], values[i], table[kind][i][0]);
      end_case();
    }
  }
}

/* Distances too small and too large count as the ends of the range, those that are no number give none. */
static void vmc_potential_ends(int type) {
  static const int kinds[] = {V_HFDHE2, V_HFDB, V_LM2M2, V_LJ};
  const double most = type ? 1125899906842624. : 1048576;
  const double r[] = {1. / 256, most, 0, 1. / 1024, (double)NAN, INFINITY, 2 * most, most * most, (double)NAN, 3};
  static const int end[] = {0, 1, 0, 0, -1, 1, 1, 1, -1, -2};
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  size_t c, i;
  suite.operation = vmc_names[VMC_POTENTIAL];
  for (c = 0; c < COUNT_OF(kinds); c++) {
    convk_pair_potential p;
    ref_potential q;
    double values[COUNT_OF(r)];
    size_t number = 0;
    variant *v;
    vmc_potential(kinds[c], &p, &q);
    while ((v = vmc_next(&number, type, VMC_POTENTIAL, COUNT_OF(r))) != NULL) {
      describe("%s beyond its range", vmc_potentials[kinds[c]]);
      begin_case();
      vmc_values(v, type, &p, r, COUNT_OF(r), &rng, values);
      for (i = 0; i < COUNT_OF(r); i++) {
        if (!isnan(values[i]) != (end[i] != -1)) fail("at %.9g V is %.9g", r[i], values[i]);
        if (end[i] >= 0 && !same(values[i], values[end[i]])) fail("V(%g) is %.17g, not %.17g", r[i], values[i], values[end[i]]);
      }
      end_case();
    }
  }
}

/* Numbers next to each other on both sides of each place where the formula changes: V makes no step. */
static void vmc_potential_branches(int type) {
  static const int kinds[] = {V_HFDHE2, V_HFDB, V_LM2M2, V_UNDAMPED, V_FAR, V_TABLE};
  enum { NEAR = 9, PLACES = 5, SCAN = 600 };
  const double eps = vmc_types[type].eps;
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  size_t c, i, b;
  suite.operation = vmc_names[VMC_POTENTIAL];
  for (c = 0; c < COUNT_OF(kinds); c++) {
    convk_pair_potential p;
    ref_potential q;
    double r[NEAR * PLACES + SCAN], values[NEAR * PLACES + SCAN], place[PLACES];
    size_t number = 0;
    variant *v;
    vmc_potential(kinds[c], &p, &q);
    place[0] = 1. / 256;
    place[1] = q.kind == REF_TABLE ? q.first : q.d > 0 ? q.d * q.rm : 3;
    place[2] = q.kind == REF_TABLE ? q.first + q.spacing : q.bump != 0 ? q.x1 * q.rm : 4;
    place[3] = q.kind == REF_TABLE ? q.first + (double)(q.entries - 2) * q.spacing : q.bump != 0 ? q.x2 * q.rm : 5;
    place[4] = q.kind == REF_TABLE ? q.first + (double)(q.entries - 1) * q.spacing : 6;
    for (b = 0; b < PLACES; b++)
      for (i = 0; i < NEAR; i++) r[b * NEAR + i] = rounded_to(type, place[b] * (1 + ((double)i - NEAR / 2) * eps));
    /* where the repulsion is left out, a place that is the library's own */
    for (i = 0; i < SCAN; i++) r[PLACES * NEAR + i] = rounded_to(type, (type ? 7.5 : 4.5) + 5 * (double)i / SCAN);
    while ((v = vmc_next(&number, type, VMC_POTENTIAL, SCAN)) != NULL) {
      describe("%s at its branches", vmc_potentials[kinds[c]]);
      begin_case();
      vmc_values(v, type, &p, r, COUNT_OF(r), &rng, values);
      for (i = 0; i < COUNT_OF(r); i++) {
        const ref_value f = ref_v(&q, r[i]);
        const long double allowed =
            (kinds[c] < V_TABLE ? vmc_types[type].stated * f.size : 12 * eps * f.size + 2 * eps * f.slope) + eps * f.slope;
        if (!(fabsl(values[i] - f.v) <= allowed * slack())) fail("V(%.17g) is %.17g, not %.17Lg", r[i], values[i], f.v);
        if (i % NEAR && i < NEAR * PLACES && !(fabs(values[i] - values[i - 1]) <= 2 * allowed * slack()))
          fail("V steps from %.17g to %.17g at %.17g", values[i - 1], values[i], r[i]);
      }
      end_case();
    }
  }
}

/* A cubic comes out of a table as it went in; the ends are what the documentation says. */
static void vmc_potential_tables(int type) {
  static const size_t sizes[] = {4, 5, 6, 7, 50};
  const double eps = vmc_types[type].eps;
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  size_t s, i;
  suite.operation = vmc_names[VMC_POTENTIAL];
  for (s = 0; s < COUNT_OF(sizes); s++) {
    enum { M = 120 };
    const size_t entries = sizes[s];
    const double first = s ? 1.5 : 0, spacing = s % 2 ? 0.375 : 0.25, last = first + spacing * (double)(entries - 1);
    guard g = guard_new(entries * sizeof(double), s % 2 ? AT_START : AT_END, 0);
    double *values = (double *)(void *)g.data, r[M], got[M];
    const convk_pair_potential p = convk_pair_table(first, spacing, entries, values);
    size_t number = 0;
    variant *v;
    for (i = 0; i < entries; i++) {
      const double x = first + (double)i * spacing;
      values[i] = ((0.25 * x - 2) * x + 3) * x - 7;
    }
    for (i = 0; i < M; i++) r[i] = rounded_to(type, first - 0.25 + (last - first + 0.5) * (double)i / M);
    for (i = 0; i < M; i++) r[i] = fabs(r[i]);
    for (i = 0; i < entries && i < 20; i++) r[i] = first + (double)i * spacing;
    for (i = 40 + s; i < M; i += 13) r[i] = NAN;
    r[M - 1] = NAN;
    while ((v = vmc_next(&number, type, VMC_POTENTIAL, M)) != NULL) {
      describe("%lu entries", (unsigned long)entries);
      begin_case();
      vmc_values(v, type, &p, r, M, &rng, got);
      for (i = 0; i < M; i++) {
        const long double x = r[i] < 1. / 256 ? 1. / 256 : r[i];
        const long double size = 0.25L * x * x * x + 2 * x * x + 3 * x + 7;
        if (isnan(got[i]) != isnan(r[i])) fail("at %.9g V is %.9g", r[i], got[i]);
        if (x >= last * (1 - 2 * eps) && x <= last * (1 + 2 * eps)) continue; /* either */
        if (x > last && got[i] != 0) fail("beyond, at %.9g, V is %.9g", r[i], got[i]);
        if (x < first && !same(got[i], rounded_to(type, values[0]))) fail("below, at %.9g, V is %.9g", r[i], got[i]);
        if (x > first && x < last && !(fabsl(got[i] - (((0.25L * x - 2) * x + 3) * x - 7)) <= 20 * eps * size * slack()))
          fail("V(%.9g) is %.17g, not %.17Lg", r[i], got[i], ((0.25L * x - 2) * x + 3) * x - 7);
      }
      end_case();
    }
    suite.variant = NULL;
    guard_free(&g);
  }
}

/* ---------------------------------------------------------------------------------------------------- systems of pairs -- */

enum { MODE_OPEN, MODE_CUTOFF, MODE_BOX, MODE_BOX_CUTOFF, MODE_KINDS };
static const char *const vmc_modes[MODE_KINDS] = {"open", "cutoff", "box", "box and cutoff"};
enum { TRIAL_P5, TRIAL_P2, TRIAL_P0, TRIAL_P1, TRIAL_ALL, TRIAL_NONE, TRIAL_KINDS };

typedef struct vmc_problem {
  int type, kind, trial, mode;
  convk_pair_system system;
  ref_system ref;
  size_t walkers;
  double *x;      /* [walkers][3][n], numbers of the type */
  ref_sums *sums; /* of each walker, once they are known */
  long double *g, *gb;
  unsigned char *known;
  double *bits[2]; /* of the classes: 9 numbers of each walker, then the gradients */
} vmc_problem;

static const double vmc_trials[TRIAL_KINDS][4] = {{119, 0, 0, 0},    {0, 3.75, 0, 0},      {0, 0, 1.125, 0},
                                                  {0, 0, 0, 0.0118}, {100, -2, 0.4, 0.08}, {0, 0, 0, 0}};

/* Near sites of a cubic lattice, in any order; in a box any image. */
static void vmc_place(int type, size_t n, double spacing, const double *box, double *x, uint64_t *rng) {
  size_t m = 1, i, d;
  size_t *site = (size_t *)need(n * sizeof *site);
  while (m * m * m < n) m++;
  for (i = 0; i < n; i++) {
    const size_t j = random_below(rng, i + 1);
    site[i] = site[j];
    site[j] = i;
  }
  for (i = 0; i < n; i++) {
    size_t s = site[i];
    for (d = 0; d < 3; d++, s /= m) {
      double at = spacing * ((double)(s % m) + 0.5 + 0.2 * random_unit(rng));
      if (box[d] > 0 && random_below(rng, 3) == 0) at += box[d] * random_int(rng, -2, 2);
      if (!(box[d] > 0)) at -= 0.5 * spacing * (double)m;
      x[d * n + i] = rounded_to(type, at);
    }
  }
  free(site);
}

static void vmc_start(vmc_problem *p, int type, size_t n, size_t walkers, int kind, int trial, int mode, uint64_t *rng) {
  size_t m = 1, w;
  int d;
  memset(p, 0, sizeof *p);
  p->type = type;
  p->kind = kind;
  p->trial = trial;
  p->mode = mode;
  p->walkers = walkers;
  p->system.particles = p->ref.n = n;
  vmc_potential(kind, &p->system.potential, &p->ref.v);
  p->system.trial.p5 = p->ref.p[0] = vmc_trials[trial][0];
  p->system.trial.p2 = p->ref.p[1] = vmc_trials[trial][1];
  p->system.trial.p0 = p->ref.p[2] = vmc_trials[trial][2];
  p->system.trial.p1 = p->ref.p[3] = vmc_trials[trial][3];
  p->ref.hbar2_2m = 6.059648;
  if (random_below(rng, 2)) p->system.hbar2_2m = p->ref.hbar2_2m = 2.5;
  while (m < 3 || m * m * m < n) m++;
  if (mode == MODE_BOX || mode == MODE_BOX_CUTOFF) {
    const int least = (int)random_below(rng, 3);
    for (d = 0; d < 3; d++) p->system.box[d] = p->ref.box[d] = (double)m * 3.25 * (d == least ? 1 : 1.0625 + 0.125 * d);
    p->ref.cutoff = 0.5 * p->system.box[least];
    if (mode == MODE_BOX_CUTOFF) p->system.cutoff = p->ref.cutoff = p->ref.cutoff * (0.8 + 0.15 * random_unit(rng));
  }
  if (mode == MODE_CUTOFF) p->system.cutoff = p->ref.cutoff = 6 + 2.5 * random_unit(rng);
  p->x = reals(3 * n * walkers);
  for (w = 0; w < walkers; w++) vmc_place(type, n, 3.25, p->system.box, p->x + w * 3 * n, rng);
  p->sums = (ref_sums *)need(walkers * sizeof *p->sums);
  p->g = (long double *)need(3 * n * walkers * sizeof *p->g);
  p->gb = (long double *)need(3 * n * walkers * sizeof *p->gb);
  p->known = (unsigned char *)need(walkers);
  memset(p->known, 0, walkers);
}

static void vmc_free(vmc_problem *p) {
  free(p->x);
  free(p->sums);
  free(p->g);
  free(p->gb);
  free(p->known);
  free(p->bits[0]);
  free(p->bits[1]);
}

static void vmc_describe(const vmc_problem *p) {
  describe("%lu walkers of %lu particles, %s, trial function %d, %s", (unsigned long)p->walkers,
           (unsigned long)p->system.particles, vmc_potentials[p->kind], p->trial, vmc_modes[p->mode]);
}

static const ref_sums *vmc_exact(vmc_problem *p, size_t w) {
  const size_t n = p->ref.n;
  if (!p->known[w])
    ref_pairs(&p->ref, p->x + w * 3 * n, vmc_types[p->type].eps, &p->sums[w], p->g + w * 3 * n, p->gb + w * 3 * n);
  p->known[w] = 1;
  return &p->sums[w];
}

/* Coordinates of walkers with NaN between them, or room for gradients, between guard pages. */
typedef struct vmc_array {
  guard g;
  size_t pitch, stride; /* not 0 */
} vmc_array;

static vmc_array vmc_array_new(int type, const double *x, size_t n, const convk_pair_walkers *layout, uint64_t *rng) {
  const size_t size = types[type].size;
  vmc_array a;
  size_t w, d, i;
  a.pitch = layout->pitch ? layout->pitch : n;
  a.stride = layout->stride ? layout->stride : 3 * a.pitch;
  a.g = guard_new(layout->walkers ? ((layout->walkers - 1) * a.stride + 2 * a.pitch + n) * size : 0, (int)random_below(rng, 2),
                  any_shift(size, rng));
  for (w = 0; w < layout->walkers && x; w++)
    for (d = 0; d < 3; d++)
      for (i = 0; i < n; i++) put(type, a.g.data, w * a.stride + d * a.pitch + i, x[(w * 3 + d) * n + i]);
  return a;
}

static double vmc_array_get(int type, const vmc_array *a, size_t n, size_t at) { /* at: as if it were packed */
  return get(type, a->g.data, at / (3 * n) * a->stride + at / n % 3 * a->pitch + at % n);
}

/* x: what must be in it, NULL: anything; and nothing between. */
static void vmc_array_end(int type, vmc_array *a, const double *x, size_t n, size_t walkers, const char *what) {
  const size_t size = types[type].size;
  size_t w, d, i;
  for (w = 0; w < walkers; w++)
    for (d = 0; d < 3; d++) {
      const size_t row = w * a->stride + d * a->pitch, end = d < 2 ? row + a->pitch : (w + 1) * a->stride;
      for (i = 0; i < n && x; i++)
        if (!same(get(type, a->g.data, row + i), x[(w * 3 + d) * n + i])) fail("%s changed", what);
      if ((d < 2 || w + 1 < walkers) && !all_fill(a->g.data + (row + n) * size, a->g.data + end * size))
        fail("something was written between rows of %s", what);
    }
  gauss_array_end(&a->g, what);
}

static convk_pair_walkers vmc_layout(size_t n, size_t walkers, uint64_t *rng) {
  convk_pair_walkers l;
  memset(&l, 0, sizeof l);
  l.walkers = walkers;
  if (random_below(rng, 2)) l.pitch = n + random_below(rng, 9);
  if (random_below(rng, 2)) l.stride = 2 * (l.pitch ? l.pitch : n) + n + random_below(rng, 19);
  return l;
}

/* |got - value| over its bound; what may not err must be equal. */
static long double vmc_error(double got, const long double exact[2]) {
  const long double error = fabsl(got - exact[0]);
  return error > 0 ? error / (exact[1] * slack()) : error == 0 ? 0 : (long double)HUGE_VAL;
}

enum { VMC_NUMBERS = 9 };
static const char *const vmc_numbers[VMC_NUMBERS] = {"ln psi",           "potential",        "|gradient|^2",
                                                     "laplacian",        "kinetic",          "derivative by p5",
                                                     "derivative by p2", "derivative by p0", "derivative by p1"};
static void vmc_flat(const convk_pair_result *r, double to[VMC_NUMBERS]) {
  int i;
  to[0] = r->ln_psi;
  to[1] = r->potential;
  to[2] = r->gradient_squared;
  to[3] = r->laplacian;
  to[4] = r->kinetic;
  for (i = 0; i < 4; i++) to[5 + i] = r->derivative[i];
}
static int vmc_wanted(int want, int number) {
  static const int of[VMC_NUMBERS] = {CONVK_PAIR_LN_PSI,    CONVK_PAIR_POTENTIAL_ENERGY, CONVK_PAIR_GRADIENT,
                                      CONVK_PAIR_LAPLACIAN, CONVK_PAIR_KINETIC,          CONVK_PAIR_LN_PSI,
                                      CONVK_PAIR_LN_PSI,    CONVK_PAIR_LN_PSI,           CONVK_PAIR_LN_PSI};
  return !want || (want & of[number]) == of[number];
}
static const long double *vmc_sum(const ref_sums *s, int number) {
  return number == 0   ? s->ln_psi
         : number == 1 ? s->potential
         : number == 2 ? s->gradient_squared
         : number == 3 ? s->laplacian
         : number == 4 ? s->kinetic
                       : s->derivative[number - 5];
}

/* One call of pair_energy, against the reference and the bits of the class; `numbers`: NULL, or what came out, packed. */
static void vmc_energy(vmc_problem *p, variant *v, int want, const vmc_way *w, uint64_t seed, double *numbers) {
  const int type = p->type;
  const size_t n = p->ref.n, walkers = p->walkers, all = VMC_NUMBERS * walkers + 3 * n * walkers;
  const long live = heap.live;
  uint64_t rng = seed;
  const convk_pair_walkers layout = vmc_layout(n, walkers, &rng);
  const int with_gradient = want == 0 || random_below(&rng, 2), gradient = !want || (want & CONVK_PAIR_GRADIENT);
  vmc_call k = vmc_blank(VMC_ENERGY, NULL);
  convk copy;
  hook h = hook_new(w->e.hook, w->e.threads, random64(&rng));
  vmc_array x = vmc_array_new(type, p->x, n, &layout, &rng), g = vmc_array_new(type, NULL, n, &layout, &rng);
  guard result = guard_new(walkers * sizeof(convk_pair_result), (int)random_below(&rng, 2), 8 * random_below(&rng, 9));
  double *now = reals(all), *bits = p->bits[v->fused];
  workspace work;
  long double worst = 0;
  size_t at, i;
  int number;
  vmc_describe(p);
  describe_more(", want %d, pitch %lu, stride %lu", want, (unsigned long)layout.pitch, (unsigned long)layout.stride);
  begin_case();
  vmc_way_set(&k, v, w, &copy, &h, 1);
  work = workspace_new(w->e.work, vmc_types[type].energy_work(k.hw, n, walkers), &rng);
  k.system = &p->system;
  k.walkers = &layout;
  k.want = want;
  k.r = x.g.data;
  k.result = result.data;
  k.gradient = with_gradient ? g.g.data : NULL;
  k.work = work.work;
  k.work_size = work.size;
  check_status(vmc_types[type].call(&k), live);
  for (at = 0; at < walkers && !suite.bad; at++) {
    const ref_sums *s = vmc_exact(p, at);
    convk_pair_result r;
    double *flat = now + VMC_NUMBERS * at;
    memcpy(&r, result.data + at * sizeof r, sizeof r);
    vmc_flat(&r, flat);
    for (number = 0; number < VMC_NUMBERS; number++) {
      const long double *exact = vmc_sum(s, number);
      long double error;
      if (!vmc_wanted(want, number)) {
        if (!same(flat[number], 0)) fail("%s is %.9g, and not wanted", vmc_numbers[number], flat[number]);
        continue;
      }
      error = vmc_error(flat[number], exact);
      if (error > worst) worst = error;
      if (!(error <= 1))
        fail("%s of walker %lu is %.17g, not %.17Lg: %.3Lg of what is allowed", vmc_numbers[number], (unsigned long)at,
             flat[number], exact[0], error);
      if (bits && !v->device && !same(flat[number], bits[VMC_NUMBERS * at + (size_t)number]))
        fail("%s of walker %lu has other bits: %.17g, not %.17g", vmc_numbers[number], (unsigned long)at, flat[number],
             bits[VMC_NUMBERS * at + (size_t)number]);
    }
    if (vmc_wanted(want, 4)) {
      const double t = -p->ref.hbar2_2m * (r.laplacian + r.gradient_squared);
      if (!(fabs(r.kinetic - t) <= 4e-16 * fabs(t))) fail("the kinetic energy is %.17g, not %.17g", r.kinetic, t);
    }
  }
  for (i = 0; i < 3 * n * walkers && with_gradient && gradient && !suite.bad; i++) {
    const long double exact[2] = {p->g[i], p->gb[i] + fabsl(p->g[i]) * vmc_types[type].eps};
    const double is = now[VMC_NUMBERS * walkers + i] = vmc_array_get(type, &g, n, i);
    const long double error = vmc_error(is, exact);
    if (error > worst) worst = error;
    if (!(error <= 1))
      fail("gradient %lu is %.17g, not %.17Lg: %.3Lg of what is allowed", (unsigned long)i, is, exact[0], error);
    if (bits && !v->device && !same(is, bits[VMC_NUMBERS * walkers + i])) fail("gradient %lu has other bits", (unsigned long)i);
  }
  if ((!with_gradient || !gradient) && !all_fill(g.g.data, g.g.data + g.g.bytes)) fail("a gradient that nobody wanted");
  error_note("allowed", (double)worst, 1, 0, 0, 0, walkers * VMC_NUMBERS);
  workspace_end(&work);
  if (v->device) handle_for(v, &copy, &plain, NULL);
  vmc_array_end(type, &x, p->x, n, walkers, "coordinates");
  vmc_array_end(type, &g, NULL, n, walkers, "the gradient");
  gauss_array_end(&result, "results");
  end_case();
  if (numbers) memcpy(numbers, now, all * sizeof *now);
  if (!bits && !want && !v->device && !suite.bad) p->bits[v->fused] = now;
  else free(now);
}

/* All variants, all that can be wanted first; the first of a class says what its bits are. */
static void vmc_energies(vmc_problem *p, int wants, uint64_t seed) {
  const size_t n = p->ref.n;
  uint64_t rng = seed;
  size_t number = 0;
  variant *v;
  suite.operation = vmc_names[VMC_ENERGY];
  while ((v = vmc_next(&number, p->type, VMC_ENERGY, p->walkers * n * n)) != NULL) {
    int i;
    for (i = 0; i < 1 + wants; i++) {
      const vmc_way w = vmc_any_way(&rng);
      vmc_energy(p, v, i ? wants >= CONVK_PAIR_ALL ? i : random_int(&rng, 1, CONVK_PAIR_ALL) : 0, &w, random64(&rng), NULL);
    }
  }
}

/* ---------------------------------------------------------------------------------------------------------- pair_energy -- */

static void vmc_energy_sizes(int type) {
  static const size_t sizes[] = {2,  3,  4,  5,  7,   8,   9,   15,  16,  17,  20,  31,  32,   33,  48,
                                 63, 64, 65, 97, 127, 128, 129, 193, 200, 257, 300, 513, 1000, 1100};
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  size_t s, c, turn = 0;
  for (s = 0; s < COUNT_OF(sizes); s++) {
    const size_t n = sizes[s], cases = n < 40 ? 8 : n < 150 ? 5 : n < 310 ? 3 : 1;
    for (c = 0; c < cases; c++, turn++) {
      vmc_problem p;
      if (suite.quick && (n > 130 ? n != 300 || c : turn % 14 != 7 * (size_t)type)) continue; /* 300: tiles of devices */
      vmc_start(&p, type, n,
                n < 40    ? 1 + random_below(&rng, 6)
                : n < 140 ? 1 + random_below(&rng, 2)
                          : 1,
                (int)(turn % V_KINDS), (int)(c ? random_below(&rng, TRIAL_KINDS) : (size_t)TRIAL_ALL),
                (int)((turn + turn / V_KINDS) % MODE_KINDS), &rng);
      vmc_energies(&p, 1, random64(&rng));
      vmc_free(&p);
    }
  }
}

/* Every number of particles of one block, near each other, as they are, and far: exponentials for all, some and no pairs. */
static void vmc_energy_few(int type) {
  static const double scales[] = {0.4, 1, 4};
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  size_t n, i;
  for (n = 2; n < 68; n += suite.quick ? 5 : 1) {
    const size_t turn = n + n / 5;
    const double scale = scales[turn % COUNT_OF(scales)];
    const int mode = turn / COUNT_OF(scales) % 2 ? MODE_CUTOFF : MODE_OPEN;
    vmc_problem p;
    vmc_start(&p, type, n, 1, V_HFDB, TRIAL_ALL, mode, &rng);
    for (i = 0; i < 3 * n; i++) p.x[i] = rounded_to(type, scale * p.x[i]);
    vmc_energies(&p, 1, random64(&rng));
    vmc_free(&p);
  }
}

/* Every kind of potential, trial function and system; everything that can be wanted. */
static void vmc_energy_wants(int type) {
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  size_t turn = 0;
  int kind, trial, mode;
  for (kind = 0; kind < V_KINDS; kind++)
    for (trial = 0; trial < TRIAL_KINDS; trial++)
      for (mode = 0; mode < MODE_KINDS; mode++) {
        vmc_problem p;
        if ((suite.quick ? (kind + 3 * trial + 5 * mode) % 24 : (kind + trial + mode) % 3) != 0) continue;
        if (suite.quick && turn++ % 2 != (size_t)type) continue;
        vmc_start(&p, type, 3 + 5 * random_below(&rng, 5), 1 + random_below(&rng, 2), kind, trial, mode, &rng);
        vmc_energies(&p, CONVK_PAIR_ALL, random64(&rng));
        vmc_free(&p);
      }
  for (mode = 0; mode < MODE_KINDS && !suite.quick; mode++) {
    vmc_problem p;
    vmc_start(&p, type, 140, 1, V_LM2M2, TRIAL_ALL, mode, &rng);
    vmc_energies(&p, CONVK_PAIR_ALL, random64(&rng));
    vmc_free(&p);
  }
}

/* Far apart, near each other, and all that coordinates may be. */
static void vmc_energy_scales(int type) {
  static const double sizes[] = {1e-3, 0.05, 0.5, 2, 30, 1000, 16000, 16000};
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  size_t s, i;
  for (s = 0; s < COUNT_OF(sizes); s++) {
    vmc_problem p;
    if (suite.quick && s % 3 && s + 1 < COUNT_OF(sizes)) continue;
    vmc_start(&p, type, 71, 1, (int)(s % V_KINDS), TRIAL_ALL, s % 2 ? MODE_OPEN : MODE_CUTOFF, &rng);
    for (i = 0; i < 3 * 71; i++) p.x[i] = rounded_to(type, sizes[s] * (s > 6 && type ? 16384 : 1) * random_unit(&rng));
    if (s > 5)
      for (i = 0; i < 40; i++) p.x[i] = (i % 3 ? -1 : 1) * (type ? 268435456. : 16384.);
    vmc_energies(&p, 1, random64(&rng));
    vmc_free(&p);
  }
}

/* Particles on each other, and nearly so: distances count as 1 / 256. */
static void vmc_energy_coincident(int type) {
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  int kind, mode;
  for (kind = 0; kind < V_KINDS; kind++)
    for (mode = 0; mode < MODE_KINDS; mode++) {
      const size_t n = 5 + random_below(&rng, 66);
      vmc_problem p;
      size_t d, number = 0;
      variant *v;
      if (suite.quick && (kind + mode) % 5) continue;
      vmc_start(&p, type, n, 2, kind, (kind + mode) % TRIAL_NONE, mode, &rng);
      for (d = 0; d < 3; d++) {
        double *x = p.x + d * n;
        x[1] = x[0];                                                               /* on it */
        x[n - 1] = rounded_to(type, x[2] * (d ? 1 : 1 + 2 * vmc_types[type].eps)); /* the least beside it */
        x[3] = d ? x[4] : rounded_to(type, x[4] + 1. / 512);                       /* half the least distance */
        if (mode >= MODE_BOX) x[0] = x[1] = rounded_to(type, 0.5 * p.system.box[d]);
        if (mode >= MODE_BOX) x[1] += d == 1 ? -p.system.box[d] : 0; /* an image */
      }
      vmc_energies(&p, 1, random64(&rng));
      suite.operation = vmc_names[VMC_ENERGY];
      while ((v = vmc_next(&number, type, VMC_ENERGY, n * n)) != NULL) {
        const vmc_way w = vmc_any_way(&rng);
        double *numbers = reals(2 * VMC_NUMBERS + 6 * n);
        size_t i;
        vmc_energy(&p, v, 0, &w, 1, numbers);
        begin_case();
        for (i = 0; i < 2 * VMC_NUMBERS + 6 * n; i++)
          if (!isfinite(numbers[i])) fail("number %lu is %g", (unsigned long)i, numbers[i]);
        end_case();
        free(numbers);
      }
      vmc_free(&p);
    }
}

/* A pair at the cutoff counts as nothing, and the next number below it as a pair: 3, 4, 0 apart with a cutoff of 5. */
static void vmc_energy_cutoff(int type) {
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  int mode, which;
  for (mode = 0; mode < 3; mode++)
    for (which = 0; which < 3; which++) {
      vmc_problem p;
      size_t number = 0;
      variant *v;
      vmc_start(&p, type, 2, 1, V_HFDB, TRIAL_ALL, mode ? MODE_BOX_CUTOFF : MODE_CUTOFF, &rng);
      p.system.cutoff = p.ref.cutoff = mode == 2 ? 0 : 5;
      if (mode)
        p.system.box[0] = p.system.box[1] = p.system.box[2] = p.ref.box[0] = p.ref.box[1] = p.ref.box[2] = mode == 2 ? 10 : 16;
      p.x[0] = p.x[2] = p.x[4] = 1;
      p.x[1] = 4;
      p.x[3] = 5 - (which == 1 ? 1. / 1024 : which == 2 ? -1. / 1024 : 0);
      p.x[5] = mode ? 17 : 1;
      if (mode == 2) p.x[5] = -9;
      suite.operation = vmc_names[VMC_ENERGY];
      while ((v = vmc_next(&number, type, VMC_ENERGY, 2)) != NULL) {
        const convk_pair_walkers one = {1, 0, 0};
        unsigned char x[6 * 8];
        convk_pair_result r;
        vmc_call k = vmc_blank(VMC_ENERGY, &v->hw);
        const long double u = ref_u(p.ref.p, 5 - 4. / 5120) - ref_u(p.ref.p, 5);
        size_t i;
        int status;
        describe("%s, a pair %s the cutoff", vmc_modes[p.mode], which == 0 ? "at" : which == 1 ? "within" : "beyond");
        begin_case();
        for (i = 0; i < 6; i++) put(type, x, i, p.x[i]);
        k.system = &p.system;
        k.walkers = &one;
        k.r = x;
        k.result = &r;
        status = vmc_types[type].call(&k);
        want_status(status, CONVK_OK);
        if (which != 1 && (r.ln_psi != 0 || r.potential != 0 || r.laplacian != 0 || r.gradient_squared != 0 ||
                           r.derivative[0] != 0 || r.derivative[3] != 0))
          fail("it counts: ln psi %g, V %g", r.ln_psi, r.potential);
        if (which == 1 && !(r.potential < -0.5 && r.derivative[3] > 0 && r.derivative[3] < 0.1)) fail("it counts as nothing");
        if (which == 1 && !(fabsl(r.ln_psi - u) < (type ? 1e-6L : 1e-5L))) fail("ln psi is %.9g, not about %.9Lg", r.ln_psi, u);
        end_case();
      }
      vmc_free(&p);
    }
}

/* Threads of a walker and of many; alone or among others. */
static void vmc_energy_threads(int type) {
  static const size_t sizes[] = {5, 64, 70, 200};
  static const int counts[] = {1, 2, 3, 7};
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  size_t s, walkers, t, i;
  for (s = 0; s < COUNT_OF(sizes); s++)
    for (walkers = 1; walkers < 9; walkers += suite.quick ? 5 : sizes[s] > 100 ? 2 : 1) {
      const size_t n = sizes[s];
      vmc_problem p;
      size_t number = 0;
      variant *v;
      if (suite.quick && s != 2) continue;
      vmc_start(&p, type, n, walkers, V_HFDB, TRIAL_ALL, (int)(walkers % MODE_KINDS), &rng);
      suite.operation = vmc_names[VMC_ENERGY];
      while ((v = vmc_next(&number, type, VMC_ENERGY, walkers * n * n)) != NULL) {
        double *numbers = reals(walkers * (VMC_NUMBERS + 3 * n)), *alone = reals(VMC_NUMBERS + 3 * n);
        vmc_energy(&p, v, 0, &vmc_serial, random64(&rng), numbers);
        for (t = 0; t < COUNT_OF(counts) && !v->device; t++) {
          vmc_way w = vmc_serial;
          w.e.threads = counts[t];
          w.e.hook = t == 0 ? HOOK_NONE : t == 1 ? HOOK_REVERSED : t == 2 ? HOOK_SHUFFLED : HOOK_THREADS;
          w.e.work = (int)t;
          w.split = random_below(&rng, 3);
          vmc_energy(&p, v, 0, &w, random64(&rng), NULL);
        }
        for (i = 0; i < walkers && !v->device; i++) { /* a walker alone */
          vmc_problem one = p;
          one.walkers = 1;
          one.x += i * 3 * n;
          one.sums += i;
          one.g += i * 3 * n;
          one.gb += i * 3 * n;
          one.known += i;
          one.bits[0] = one.bits[1] = NULL;
          vmc_energy(&one, v, 0, &vmc_serial, random64(&rng), alone);
          begin_case();
          if (memcmp(alone, numbers + VMC_NUMBERS * i, VMC_NUMBERS * sizeof *alone) ||
              memcmp(alone + VMC_NUMBERS, numbers + VMC_NUMBERS * walkers + 3 * n * i, 3 * n * sizeof *alone))
            fail("walker %lu has other bits alone", (unsigned long)i);
          end_case();
          free(one.bits[v->fused]);
        }
        free(numbers);
        free(alone);
      }
      vmc_free(&p);
    }
}

/* Another order, another place, another direction of all particles. */
static void vmc_energy_invariants(int type) {
  static const double turn[3][3] = {{0.36, 0.48, -0.8}, {-0.8, 0.6, 0}, {0.48, 0.64, 0.6}};
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  int mode, change;
  for (mode = 0; mode < MODE_KINDS; mode++)
    for (change = 0; change < 3; change++) {
      const size_t n = suite.quick ? 37 : 101;
      vmc_problem p, q;
      size_t number = 0, i, d, e;
      variant *v;
      if (change == 2 && mode >= MODE_BOX) continue;
      vmc_start(&p, type, n, 1, V_LM2M2, TRIAL_ALL, mode, &rng);
      q = p;
      q.x = reals(3 * n);
      q.sums = (ref_sums *)need(sizeof *q.sums);
      q.g = (long double *)need(3 * n * sizeof *q.g);
      q.gb = (long double *)need(3 * n * sizeof *q.gb);
      q.known = (unsigned char *)need(1);
      q.known[0] = 0;
      for (i = 0; i < n; i++)
        for (d = 0; d < 3; d++) {
          double at = 0;
          if (change == 0) at = p.x[d * n + (i + 13) % n];
          if (change == 1)
            at = p.x[d * n + i] + 37.25 + (double)d + (mode >= MODE_BOX ? p.system.box[d] * random_int(&rng, -1, 1) : 0);
          for (e = 0; e < 3 && change == 2; e++) at += turn[d][e] * p.x[e * n + i];
          q.x[d * n + i] = rounded_to(type, at);
        }
      suite.operation = vmc_names[VMC_ENERGY];
      while ((v = vmc_next(&number, type, VMC_ENERGY, n * n)) != NULL) {
        double *a = reals(VMC_NUMBERS + 3 * n), *b = reals(VMC_NUMBERS + 3 * n);
        const double more = change ? 70 : 2; /* coordinates of 70 are rounded once more */
        int k;
        vmc_energy(&p, v, 0, &vmc_serial, random64(&rng), a);
        vmc_energy(&q, v, 0, &vmc_serial, random64(&rng), b);
        describe("%s, %s", vmc_modes[mode], change == 0 ? "another order" : change == 1 ? "another place" : "turned");
        begin_case();
        for (k = 0; k < VMC_NUMBERS; k++)
          if (!(fabs(a[k] - b[k]) <= more * (double)vmc_sum(p.sums, k)[1]))
            fail("%s is %.17g and then %.17g", vmc_numbers[k], a[k], b[k]);
        for (i = 0; i < n; i++)
          for (d = 0; d < 3; d++) {
            double is = b[VMC_NUMBERS + d * n + i], was = a[VMC_NUMBERS + d * n + (change ? i : (i + 13) % n)];
            if (change == 2)
              for (e = 0, was = 0; e < 3; e++) was += turn[d][e] * a[VMC_NUMBERS + e * n + i];
            if (!(fabs(is - was) <= more * (double)(q.gb[d * n + i] + (change ? p.gb[i] + p.gb[n + i] + p.gb[2 * n + i]
                                                                              : p.gb[d * n + (i + 13) % n]))))
              fail("gradient %lu %lu is %.17g and then %.17g", (unsigned long)d, (unsigned long)i, was, is);
          }
        end_case();
        free(a);
        free(b);
      }
      vmc_free(&q);
      vmc_free(&p);
    }
}

/* Whether a pair is so near the cutoff that differences would cross it. */
static int vmc_at_cutoff(const vmc_problem *p, double margin) {
  const size_t n = p->ref.n;
  size_t i, j, d;
  for (i = 0; i < n && p->ref.cutoff > 0; i++)
    for (j = 0; j < i; j++) {
      double square = 0;
      for (d = 0; d < 3; d++) {
        double x = p->x[d * n + i] - p->x[d * n + j];
        if (p->ref.box[d] > 0) x -= p->ref.box[d] * floor(x / p->ref.box[d] + 0.5);
        square += x * x;
      }
      if (fabs(sqrt(square) - p->ref.cutoff) < margin) return 1;
    }
  return 0;
}

/* The reference itself: gradients, Laplacians and derivatives against differences of ln psi. */
static void vmc_reference(int type) {
  uint64_t rng = random_seed(suite.test);
  int trial, mode;
  (void)type;
  for (trial = 0; trial < TRIAL_KINDS; trial++)
    for (mode = 0; mode < MODE_KINDS; mode++) {
      const size_t n = 6;
      const double h = 1.0 / 1024;
      vmc_problem p;
      ref_sums s[3];
      long double g[3 * 6], gradient_squared = 0, laplacian = 0;
      size_t i;
      int side;
      vmc_start(&p, 1, n, 1, V_NONE, trial, mode, &rng);
      while (vmc_at_cutoff(&p, 4 * h)) vmc_place(1, n, 3.25, p.system.box, p.x, &rng);
      describe("trial function %d, %s", trial, vmc_modes[mode]);
      begin_case();
      ref_pairs(&p.ref, p.x, 1e-16, &s[1], g, NULL);
      for (i = 0; i < 3 * n; i++) {
        const double was = p.x[i];
        for (side = 0; side < 3; side += 2) {
          p.x[i] = was + (side - 1) * h;
          ref_pairs(&p.ref, p.x, 1e-16, &s[side], NULL, NULL);
        }
        p.x[i] = was;
        laplacian += (s[2].ln_psi[0] - 2 * s[1].ln_psi[0] + s[0].ln_psi[0]) / ((long double)h * h);
        gradient_squared += g[i] * g[i];
        if (!(fabsl((s[2].ln_psi[0] - s[0].ln_psi[0]) / (2 * h) - g[i]) <= 1e-4L * (0.01L + fabsl(g[i]))))
          fail("gradient %lu is %.9Lg, by differences %.9Lg", (unsigned long)i, g[i],
               (s[2].ln_psi[0] - s[0].ln_psi[0]) / (2 * h));
      }
      if (!(fabsl(laplacian - s[1].laplacian[0]) <= 1e-4L * (0.01L + fabsl(laplacian))))
        fail("the Laplacian is %.9Lg, by differences %.9Lg", s[1].laplacian[0], laplacian);
      if (!(fabsl(gradient_squared - s[1].gradient_squared[0]) <= 1e-12L * gradient_squared)) fail("|gradient|^2");
      if (!(fabsl(s[1].kinetic[0] + p.ref.hbar2_2m * (laplacian + gradient_squared)) <=
            1e-3L * (0.1L + fabsl(s[1].kinetic[0]))))
        fail("the kinetic energy");
      for (i = 0; i < 4; i++) {
        const double was = p.ref.p[i];
        for (side = 0; side < 3; side += 2) {
          p.ref.p[i] = was + (side - 1) * h;
          ref_pairs(&p.ref, p.x, 1e-16, &s[side], NULL, NULL);
        }
        p.ref.p[i] = was;
        if (!(fabsl((s[2].ln_psi[0] - s[0].ln_psi[0]) / (2 * h) - s[1].derivative[i][0]) <=
              1e-9L * (1 + fabsl(s[1].derivative[i][0]))))
          fail("derivative %lu", (unsigned long)i);
      }
      end_case();
      vmc_free(&p);
    }
}

/* And the library against such differences, more coarsely. */
static void vmc_energy_differences(int type) {
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  int trial;
  for (trial = 0; trial < TRIAL_NONE; trial++) {
    const size_t n = 5;
    const double h = 1.0 / 1024;
    vmc_problem p;
    ref_sums s[3];
    long double difference[15], laplacian = 0;
    size_t i, number = 0;
    variant *v;
    int side;
    vmc_start(&p, type, n, 1, V_HFDB, trial, MODE_OPEN, &rng);
    ref_pairs(&p.ref, p.x, 1e-16, &s[1], NULL, NULL);
    for (i = 0; i < 3 * n; i++) {
      const double was = p.x[i];
      for (side = 0; side < 3; side += 2) {
        p.x[i] = was + (side - 1) * h;
        ref_pairs(&p.ref, p.x, 1e-16, &s[side], NULL, NULL);
      }
      p.x[i] = was;
      difference[i] = (s[2].ln_psi[0] - s[0].ln_psi[0]) / (2 * h);
      laplacian += (s[2].ln_psi[0] - 2 * s[1].ln_psi[0] + s[0].ln_psi[0]) / ((long double)h * h);
    }
    suite.operation = vmc_names[VMC_ENERGY];
    while ((v = vmc_next(&number, type, VMC_ENERGY, n * n)) != NULL) {
      double numbers[VMC_NUMBERS + 15];
      vmc_energy(&p, v, 0, &vmc_serial, random64(&rng), numbers);
      describe("differences, trial function %d", trial);
      begin_case();
      for (i = 0; i < 15; i++)
        if (!(fabsl(numbers[VMC_NUMBERS + i] - difference[i]) <= 1e-4L * (0.01L + fabsl(difference[i]))))
          fail("gradient %lu is %.9g, by differences %.9Lg", (unsigned long)i, numbers[VMC_NUMBERS + i], difference[i]);
      if (!(fabsl(numbers[3] - laplacian) <= 1e-4L * (0.01L + fabsl(laplacian))))
        fail("the Laplacian is %.9g, by differences %.9Lg", numbers[3], laplacian);
      end_case();
    }
    vmc_free(&p);
  }
}

/* ------------------------------------------------------------------------------------------- pair_move and pair_accept -- */

/* One call of pair_move for one particle of all walkers. */
static void vmc_move(const vmc_problem *p, variant *v, size_t particle, const double *to, uint64_t seed) {
  const int type = p->type;
  const size_t n = p->ref.n, walkers = p->walkers, size = types[type].size;
  const double eps = vmc_types[type].eps;
  const long live = heap.live;
  uint64_t rng = seed;
  const convk_pair_walkers layout = vmc_layout(n, walkers, &rng);
  const vmc_way w = vmc_any_way(&rng);
  vmc_call k = vmc_blank(VMC_MOVE, NULL);
  convk copy;
  hook h = hook_new(w.e.hook, w.e.threads, random64(&rng));
  vmc_array x = vmc_array_new(type, p->x, n, &layout, &rng);
  guard target = gauss_array(type, to, 1, 3 * walkers, 0, &rng);
  guard result = guard_new(walkers * sizeof(convk_pair_move_result), (int)random_below(&rng, 2), 8 * random_below(&rng, 9));
  long double worst = 0;
  size_t at;
  int d, side;
  vmc_describe(p);
  describe_more(", particle %lu", (unsigned long)particle);
  begin_case();
  vmc_way_set(&k, v, &w, &copy, &h, 1);
  k.system = &p->system;
  k.walkers = &layout;
  k.particle = particle;
  k.r = x.g.data;
  k.to = target.data;
  k.result = result.data;
  check_status(vmc_types[type].call(&k), live);
  for (at = 0; at < walkers && !suite.bad; at++) {
    const double *r = p->x + at * 3 * n, from[3] = {r[particle], r[n + particle], r[2 * n + particle]};
    convk_pair_move_result m;
    long double ln[2][2], g[2][3], gb[2][3], change[2], error;
    memcpy(&m, result.data + at * sizeof m, sizeof m);
    for (side = 0; side < 2; side++) ref_row(&p->ref, r, particle, side ? to + 3 * at : from, eps, ln[side], g[side], gb[side]);
    change[0] = ln[1][0] - ln[0][0];
    change[1] = ln[1][1] + ln[0][1];
    error = vmc_error(m.ln_psi, change);
    if (error > worst) worst = error;
    if (!(error <= 1)) fail("ln psi changes by %.17g, not %.17Lg: %.3Lg of what is allowed", m.ln_psi, change[0], error);
    for (side = 0; side < 2; side++)
      for (d = 0; d < 3; d++) {
        const double is = side ? m.after[d] : m.before[d];
        const long double exact[2] = {g[side][d], gb[side][d]};
        error = vmc_error(is, exact);
        if (error > worst) worst = error;
        if (!(error <= 1))
          fail("gradient %d %s is %.17g, not %.17Lg: %.3Lg of what is allowed", d, side ? "after" : "before", is, exact[0],
               error);
      }
  }
  error_note("allowed", (double)worst, 1, 0, 0, 0, 7 * walkers);
  if (v->device) handle_for(v, &copy, &plain, NULL);
  vmc_array_end(type, &x, p->x, n, walkers, "coordinates");
  for (at = 0; at < 3 * walkers; at++)
    if (!same(get(type, target.data, at), to[at])) fail("the target changed");
  gauss_array_end(&target, "the target");
  gauss_array_end(&result, "results");
  (void)size;
  end_case();
}

/* Places to go to, by up to `most` from where the particle is. */
static void vmc_targets(const vmc_problem *p, size_t particle, double most, double *to, uint64_t *rng) {
  const size_t n = p->ref.n;
  size_t w, d;
  for (w = 0; w < p->walkers; w++)
    for (d = 0; d < 3; d++) to[3 * w + d] = rounded_to(p->type, p->x[(3 * w + d) * n + particle] + most * random_unit(rng));
}

static void vmc_moves(int type) {
  static const size_t sizes[] = {2, 3, 5, 8, 9, 16, 17, 20, 33, 63, 64, 65, 127, 128, 129, 200, 1000};
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  size_t s, c, turn = 0;
  for (s = 0; s < COUNT_OF(sizes); s++)
    for (c = 0; c < (sizes[s] < 100 ? 8u : 4u); c++, turn++) {
      const size_t n = sizes[s];
      double to[12];
      vmc_problem p;
      size_t number = 0, i, few;
      variant *v;
      if (suite.quick && turn % 5) continue;
      vmc_start(&p, type, n, n < 100 ? 1 + random_below(&rng, 4) : 1, V_NONE,
                c ? (int)random_below(&rng, TRIAL_NONE) : TRIAL_ALL, (int)(turn % MODE_KINDS), &rng);
      suite.operation = vmc_names[VMC_MOVE];
      while ((v = vmc_next(&number, type, VMC_MOVE, 2 * n * p.walkers)) != NULL)
        for (few = n < 10 || (n == 20 && c < 4) ? n : 4, i = 0; i < few; i++) {
          const size_t particle = few == n ? i : i == 0 ? 0 : i == 1 ? n - 1 : random_below(&rng, n);
          vmc_targets(&p, particle, i % 2 ? 3 : 0.5, to, &rng);
          vmc_move(&p, v, particle, to, random64(&rng));
        }
      vmc_free(&p);
    }
}

/* A particle that moves onto another, or stays, and one that crosses the cutoff: all of the shift is in ln psi. */
static void vmc_move_special(int type) {
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  int mode, special;
  for (mode = 0; mode < MODE_KINDS; mode++)
    for (special = 0; special < 4; special++) {
      const size_t n = 7;
      double to[3];
      vmc_problem p;
      size_t number = 0, d;
      variant *v;
      vmc_start(&p, type, n, 1, V_NONE, TRIAL_ALL, mode, &rng);
      for (d = 0; d < 3; d++) {
        to[d] = p.x[d * n + (special ? 4 : 3)];
        if (special == 2) to[d] = rounded_to(type, p.x[d * n + 4] + (d ? 0 : 1. / 1024));
        if (special == 3) to[d] = rounded_to(type, p.x[d * n + 3] + 2.5 * p.ref.cutoff * (double)(d + 1));
      }
      suite.operation = vmc_names[VMC_MOVE];
      while ((v = vmc_next(&number, type, VMC_MOVE, 2 * n)) != NULL) vmc_move(&p, v, 3, to, random64(&rng));
      vmc_free(&p);
    }
}

/* Bits of pair_move: of a class, and of a walker among others. */
static void vmc_move_bits(int type) {
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  int mode;
  for (mode = 0; mode < MODE_KINDS; mode++) {
    const size_t n = 77, walkers = 3;
    double to[9];
    vmc_problem p;
    size_t number = 0, i;
    convk_pair_move_result first[2][3];
    int have[2] = {0, 0};
    variant *v;
    vmc_start(&p, type, n, walkers, V_NONE, TRIAL_ALL, mode, &rng);
    vmc_targets(&p, 70, 1, to, &rng);
    suite.operation = vmc_names[VMC_MOVE];
    while ((v = vmc_next(&number, type, VMC_MOVE, n * walkers)) != NULL) {
      convk_pair_walkers layout = {0, 0, 0};
      convk_pair_move_result now[3], alone;
      unsigned char *x = (unsigned char *)need(3 * n * walkers * types[type].size), target[9 * 8];
      vmc_call k = vmc_blank(VMC_MOVE, &v->hw);
      describe("bits, %s", vmc_modes[mode]);
      begin_case();
      for (i = 0; i < 3 * n * walkers; i++) put(type, x, i, p.x[i]);
      for (i = 0; i < 9; i++) put(type, target, i, to[i]);
      layout.walkers = walkers;
      k.system = &p.system;
      k.walkers = &layout;
      k.particle = 70;
      k.r = x;
      k.to = target;
      k.result = now;
      VMC_EXPECT(!vmc_types[type].call(&k));
      if (!v->device && have[v->fused] && memcmp(first[v->fused], now, sizeof now))
        fail("other bits than the first of its class");
      if (!v->device && !have[v->fused]) {
        memcpy(first[v->fused], now, sizeof now);
        have[v->fused] = 1;
      }
      layout.walkers = 1;
      k.result = &alone;
      for (i = 0; i < walkers; i++) {
        k.r = x + 3 * n * i * types[type].size;
        k.to = target + 3 * i * types[type].size;
        VMC_EXPECT(!vmc_types[type].call(&k));
        if (memcmp(&alone, &now[i], sizeof alone)) fail("other bits alone");
      }
      end_case();
      free(x);
    }
    vmc_free(&p);
  }
}

/* pair_accept in some walkers: coordinates, and gradients brought up to date. */
static void vmc_accepts(int type) {
  static const size_t sizes[] = {2, 3, 8, 17, 20, 64, 65, 129, 200};
  const double eps = vmc_types[type].eps;
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  size_t s, c, turn = 0;
  for (s = 0; s < COUNT_OF(sizes); s++)
    for (c = 0; c < 6; c++, turn++) {
      const size_t n = sizes[s], walkers = n < 100 ? 1 + random_below(&rng, 5) : 2;
      const size_t particle = c == 0 ? 0 : c == 1 ? n - 1 : random_below(&rng, n);
      double to[15], *after, *bits[2] = {NULL, NULL};
      unsigned char mask[5];
      const int masked = c % 3 != 2, with_gradient = c % 4 != 3;
      vmc_problem p, q;
      size_t number = 0, w, d, i;
      variant *v;
      if (suite.quick && turn % 4) continue;
      vmc_start(&p, type, n, walkers, V_NONE, c ? (int)random_below(&rng, TRIAL_NONE) : TRIAL_ALL, (int)(turn % MODE_KINDS),
                &rng);
      vmc_targets(&p, particle, 1, to, &rng);
      q = p; /* as it is afterwards */
      q.x = after = reals(3 * n * walkers);
      q.sums = (ref_sums *)need(walkers * sizeof *q.sums);
      q.g = (long double *)need(3 * n * walkers * sizeof *q.g);
      q.gb = (long double *)need(3 * n * walkers * sizeof *q.gb);
      q.known = (unsigned char *)need(walkers);
      memset(q.known, 0, walkers);
      memcpy(after, p.x, 3 * n * walkers * sizeof *after);
      for (w = 0; w < walkers; w++) {
        mask[w] = (unsigned char)(random_below(&rng, 2) ? 1u << random_below(&rng, 8) : 0);
        for (d = 0; d < 3 && (mask[w] || !masked); d++) after[(w * 3 + d) * n + particle] = to[3 * w + d];
        vmc_exact(&p, w);
        vmc_exact(&q, w);
      }
      suite.operation = vmc_names[VMC_ACCEPT];
      while ((v = vmc_next(&number, type, VMC_ACCEPT, 2 * n * walkers)) != NULL) {
        const convk_pair_walkers layout = vmc_layout(n, walkers, &rng);
        const vmc_way way = vmc_any_way(&rng);
        const long live = heap.live;
        vmc_call k = vmc_blank(VMC_ACCEPT, NULL);
        convk copy;
        hook h = hook_new(way.e.hook, way.e.threads, 1);
        double *before = reals(3 * n * walkers), *now = reals(3 * n * walkers);
        vmc_array x, g;
        guard target = gauss_array(type, to, 1, 3 * walkers, 0, &rng), flags = guard_new(walkers, AT_END, 0);
        long double worst = 0;
        for (i = 0; i < 3 * n * walkers; i++) before[i] = rounded_to(type, (double)p.g[i]);
        x = vmc_array_new(type, p.x, n, &layout, &rng);
        g = vmc_array_new(type, before, n, &layout, &rng);
        memcpy(flags.data, mask, walkers);
        vmc_describe(&p);
        describe_more(", particle %lu%s%s", (unsigned long)particle, masked ? ", some" : "",
                      with_gradient ? "" : ", no gradient");
        begin_case();
        vmc_way_set(&k, v, &way, &copy, &h, 1);
        k.system = &p.system;
        k.walkers = &layout;
        k.particle = particle;
        k.to = target.data;
        k.accept = masked ? flags.data : NULL;
        k.r = x.g.data;
        k.gradient = with_gradient ? g.g.data : NULL;
        check_status(vmc_types[type].call(&k), live);
        for (i = 0; i < 3 * n * walkers && !suite.bad; i++) {
          const int moved = mask[i / (3 * n)] || !masked;
          const long double allowed = p.gb[i] + q.gb[i] + 3 * eps * (fabsl(p.g[i]) + fabsl(q.g[i]));
          long double error;
          now[i] = vmc_array_get(type, &g, n, i);
          if (!moved || !with_gradient) {
            if (!same(now[i], before[i])) fail("gradient %lu changed", (unsigned long)i);
            continue;
          }
          error = fabsl(now[i] - q.g[i]);
          if (error > 0) error /= allowed * slack();
          if (error > worst) worst = error;
          if (!(error <= 1))
            fail("gradient %lu is %.17g, not %.17Lg: %.3Lg of what is allowed", (unsigned long)i, now[i], q.g[i], error);
          if (bits[v->fused] && !v->device && !same(bits[v->fused][i], now[i]))
            fail("gradient %lu has other bits", (unsigned long)i);
        }
        error_note("allowed", (double)worst, 1, 0, 0, 0, 3 * n * walkers);
        if (v->device) handle_for(v, &copy, &plain, NULL);
        vmc_array_end(type, &x, after, n, walkers, "coordinates");
        vmc_array_end(type, &g, NULL, n, walkers, "the gradient");
        if (memcmp(flags.data, mask, walkers)) fail("the flags changed");
        gauss_array_end(&target, "the target");
        gauss_array_end(&flags, "the flags");
        end_case();
        if (!bits[v->fused] && !v->device) bits[v->fused] = now;
        else free(now);
        free(before);
      }
      free(bits[0]);
      free(bits[1]);
      vmc_free(&q);
      vmc_free(&p);
    }
}

/* A thousand accepted moves: ln psi followed by differences and gradients brought up to date against those made anew. */
static void vmc_chain(int type) {
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  const double eps = vmc_types[type].eps;
  const size_t n = 20, moves = suite.quick ? 200 : 1000;
  int mode;
  for (mode = 0; mode < MODE_KINDS; mode++) {
    vmc_problem start;
    size_t number = 0, i, m, d;
    variant *v;
    vmc_start(&start, type, n, 1, V_NONE, TRIAL_ALL, mode, &rng);
    suite.operation = vmc_names[VMC_ACCEPT];
    while ((v = vmc_next(&number, type, VMC_ACCEPT, moves * n)) != NULL) {
      const convk_pair_walkers one = {1, 0, 0};
      unsigned char x[60 * 8], g[60 * 8], to[3 * 8], anew[60 * 8];
      vmc_call k = vmc_blank(VMC_ENERGY, &v->hw);
      convk_pair_result first, last;
      convk_pair_move_result change;
      double followed, largest = 0;
      uint64_t draws = 77;
      describe("%lu moves, %s", (unsigned long)moves, vmc_modes[mode]);
      begin_case();
      for (i = 0; i < 3 * n; i++) put(type, x, i, start.x[i]);
      k.system = &start.system;
      k.walkers = &one;
      k.r = x;
      k.result = &first;
      k.gradient = g;
      VMC_EXPECT(!vmc_types[type].call(&k));
      followed = first.ln_psi;
      k.to = to;
      for (m = 0; m < moves; m++) {
        k.particle = random_below(&draws, n);
        for (d = 0; d < 3; d++) /* back and forth, so that no two come close */
          put(type, to, d, rounded_to(type, start.x[d * n + k.particle] + 0.3 * random_unit(&draws)));
        k.operation = VMC_MOVE;
        k.result = &change;
        VMC_EXPECT(!vmc_types[type].call(&k));
        followed += change.ln_psi;
        k.operation = VMC_ACCEPT;
        VMC_EXPECT(!vmc_types[type].call(&k));
        for (i = 0; i < 3 * n; i++) largest = fmax(largest, fabs(get(type, g, i)));
      }
      k.operation = VMC_ENERGY;
      k.result = &last;
      k.gradient = anew;
      VMC_EXPECT(!vmc_types[type].call(&k));
      for (i = 0; i < 3 * n; i++) /* roundings of so many sums of terms, at random */
        if (!(fabs(get(type, g, i) - get(type, anew, i)) <= 4 * sqrt((double)moves) * eps * (1 + largest)))
          fail("gradient %lu has drifted from %.9g to %.9g", (unsigned long)i, get(type, anew, i), get(type, g, i));
      if (!(fabs(followed - last.ln_psi) <= 4 * sqrt((double)moves) * eps * (20 + fabs(last.ln_psi))))
        fail("ln psi has drifted from %.12g to %.12g", last.ln_psi, followed);
      if (same(first.ln_psi, last.ln_psi)) fail("nothing has moved");
      end_case();
    }
    vmc_free(&start);
  }
}

/* ----------------------------------------------------------------------------------------------------------------- runs -- */

/* Sweeps of a run; cuts: how many at a time. */
typedef struct vmc_cuts {
  size_t count, sweeps[8];
} vmc_cuts;

/* A run of N particles; what a run can be set to is in the bits of `which`. */
static convk_vmc vmc_setup(size_t n, size_t walkers, unsigned which, int kind, uint64_t seed) {
  convk_vmc v;
  ref_potential unused;
  size_t m = 1, d;
  memset(&v, 0, sizeof v);
  v.system.particles = n;
  v.system.trial.p5 = 120;
  v.system.trial.p0 = 0.4;
  v.system.trial.p1 = 0.08;
  vmc_potential(kind, &v.system.potential, &unused);
  v.walkers = walkers;
  v.seed = seed;
  v.moves = which & 1 ? CONVK_VMC_MOVE_ALL : CONVK_VMC_MOVE_SINGLE;
  v.drift = which >> 1 & 1;
  v.equilibration = which & 8 ? 0 : 13;
  v.interval = which & 16 ? 3 : 0;
  while (m * m * m < n) m++;
  if (m < 2) m = 2;
  for (d = 0; d < 3 && (which & 4); d++) v.system.box[d] = 3.5 * (double)m * (d ? 1 : 1.125);
  return v;
}

/* A new state on the heap; r: as convk_vmc_begin. */
static unsigned char *vmc_state(int type, const convk_vmc *vmc, const void *r) {
  const size_t bytes = vmc_types[type].bytes(vmc);
  unsigned char *state = (unsigned char *)need(bytes);
  const int status = vmc_types[type].begin(vmc, r, state, bytes);
  if (status) fail("convk_vmc_begin: %s", convk_strerror(status));
  return state;
}

/* Sweeps with a state in memory of its own that lies anywhere, in some pieces; the state comes back. */
static int vmc_go(variant *v, int type, const convk_vmc *vmc, const vmc_cuts *cuts, const vmc_way *w, unsigned char *state,
                  uint64_t *rng) {
  const size_t bytes = vmc_types[type].bytes(vmc);
  const long live = heap.live;
  int status = 0;
  size_t c;
  for (c = 0; c < cuts->count && !status; c++) {
    convk copy;
    hook h = hook_new(w->e.hook, w->e.threads, random64(rng));
    vmc_call k = vmc_blank(VMC_RUN, NULL);
    guard there =
        guard_new(bytes, (int)random_below(rng, 2), STENCIL_UNALIGNED ? random_below(rng, 20) : 8 * random_below(rng, 5));
    workspace work;
    vmc_way_set(&k, v, w, &copy, &h, w != &vmc_serial && !c);
    work = workspace_new(w->e.work, vmc_types[type].work(k.hw, vmc), rng);
    memcpy(there.data, state, bytes);
    k.vmc = vmc;
    k.sweeps = cuts->sweeps[c];
    k.state = there.data;
    k.state_size = bytes;
    k.work = work.work;
    k.work_size = work.size;
    status = vmc_types[type].call(&k);
    check_status(status, live);
    memcpy(state, there.data, bytes);
    workspace_end(&work);
    if (v->device) handle_for(v, &copy, &plain, NULL);
    gauss_array_end(&there, "the state");
  }
  return status;
}

static convk_vmc_result vmc_results(const void *state, size_t bytes) {
  convk_vmc_result r;
  const int status = vmc_types[memcmp(state, "vmc f32", 8) != 0].results(state, bytes, &r);
  if (status) fail("convk_vmc_results: %s", convk_strerror(status));
  if (status) memset(&r, 0, sizeof r);
  return r;
}

static double *vmc_places(int type, const convk_vmc *vmc, const void *state) {
  const size_t count = 3 * vmc->system.particles * vmc->walkers, bytes = vmc_types[type].bytes(vmc);
  guard r = guard_new(count * types[type].size, AT_END, 0);
  double *x = reals(count);
  size_t i;
  const int status = vmc_types[type].positions(vmc, state, bytes, r.data);
  if (status) fail("convk_vmc_positions: %s", convk_strerror(status));
  for (i = 0; i < count; i++) x[i] = get(type, r.data, i);
  gauss_array_end(&r, "the positions");
  return x;
}

/* The same bits for any cuts, threads, addresses, ways to call, and all variants of a class. */
static void vmc_run_bits(int type) {
  static const vmc_cuts cuts[] = {{1, {37}},     {2, {1, 36}},        {2, {16, 21}},    {6, {7, 7, 7, 7, 7, 2}},
                                  {2, {13, 24}}, {4, {12, 1, 0, 24}}, {3, {15, 1, 21}}, {5, {1, 1, 1, 30, 4}}};
  static const int threads[] = {1, 2, 3, 7};
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  unsigned which;
  suite.operation = vmc_names[VMC_RUN];
  for (which = 0; which < 32; which++) {
    const size_t n = which == 9 || which == 3 ? 70 : which == 16 ? 130 : 2 + random_below(&rng, 12);
    const size_t walkers = n > 60 ? 2 : 1 + random_below(&rng, 5);
    const convk_vmc vmc = vmc_setup(n, walkers, which, V_NONE + (int)(which % V_KINDS), random64(&rng));
    const size_t bytes = vmc_types[type].bytes(&vmc);
    unsigned char *want[2] = {NULL, NULL};
    size_t number = 0, i;
    variant *v;
    if (which % (unsigned)ONE_OF(9, 3)) continue;
    while ((v = vmc_next(&number, type, VMC_RUN, 37 * 4 * n * n * walkers)) != NULL) {
      for (i = 0; i < (v->device ? 2 : COUNT_OF(cuts)); i += suite.quick ? 3 : 1) {
        unsigned char *state;
        vmc_way w = vmc_any_way(&rng);
        w.e.threads = threads[(i + which) % COUNT_OF(threads)];
        w.e.hook = w.e.threads == 1 ? HOOK_NONE : i % 3 ? HOOK_SHUFFLED : HOOK_REVERSED;
        if (i == 5 && w.e.threads > 1) w.e.hook = HOOK_THREADS;
        describe("%lu walkers of %lu, setup %u, cuts %lu", (unsigned long)walkers, (unsigned long)n, which, (unsigned long)i);
        begin_case();
        state = vmc_state(type, &vmc, NULL);
        vmc_go(v, type, &vmc, &cuts[i], &w, state, &rng);
        if (vmc_results(state, bytes).sweeps != 37) fail("%lu sweeps", (unsigned long)vmc_results(state, bytes).sweeps);
        if (want[v->fused] && !v->device && memcmp(state, want[v->fused], bytes)) fail("the state has other bits");
        end_case();
        if (!want[v->fused] && !v->device) want[v->fused] = state;
        else free(state);
      }
    }
    if (want[0] && want[1] && n < 20) { /* the classes go the same way as long as no rounding error decides */
      double *a = vmc_places(type, &vmc, want[0]), *b = vmc_places(type, &vmc, want[1]);
      suite.variant = NULL;
      describe("%lu walkers of %lu, setup %u, classes", (unsigned long)walkers, (unsigned long)n, which);
      begin_case();
      for (i = 0; i < 3 * n * walkers && type; i++)
        if (!(fabs(a[i] - b[i]) <= 1e-9)) fail("coordinate %lu is %.17g and %.17g", (unsigned long)i, a[i], b[i]);
      end_case();
      free(a);
      free(b);
    }
    free(want[0]);
    free(want[1]);
  }
}

/* A walker's path does not depend on how many there are, and neither on where the run is: a place far away, as far as no digits are lost. */
static void vmc_run_alone(int type) {
  const vmc_cuts cuts = {2, {20, 19}};
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  unsigned which;
  suite.operation = vmc_names[VMC_RUN];
  for (which = 0; which < 8; which++) {
    const size_t n = 6, most = 5;
    size_t number = 0, i, walkers;
    variant *v;
    if (suite.quick && which % 3) continue;
    while ((v = vmc_next(&number, type, VMC_RUN, 39 * 4 * n * n * most)) != NULL) {
      convk_vmc vmc = vmc_setup(n, most, which, V_HFDB, 99);
      unsigned char *state, *r;
      double *all, *some;
      vmc.acceptance = -1;
      vmc.step = 0.75;
      describe("%lu walkers, setup %u", (unsigned long)most, which);
      begin_case();
      state = vmc_state(type, &vmc, NULL);
      r = (unsigned char *)need(3 * n * most * types[type].size);
      some = vmc_places(type, &vmc, state);
      vmc_go(v, type, &vmc, &cuts, &vmc_serial, state, &rng);
      all = vmc_places(type, &vmc, state);
      free(state);
      for (walkers = 1; walkers < most; walkers++) {
        double *few;
        vmc.walkers = walkers;
        state = vmc_state(type, &vmc, NULL);
        vmc_go(v, type, &vmc, &cuts, &vmc_serial, state, &rng);
        few = vmc_places(type, &vmc, state);
        if (memcmp(few, all, 3 * n * walkers * sizeof *few)) fail("%lu walkers go elsewhere", (unsigned long)walkers);
        free(few);
        free(state);
      }
      vmc.walkers = most;
      if (memcmp(some, all, 3 * n * sizeof *some) == 0) fail("nothing moved");
      if (memcmp(all, all + 3 * n, 3 * n * sizeof *all) == 0) fail("two walkers go together");
      /* from given places, shifted by what has no more digits: clusters are brought back before the first sweep */
      for (i = 0; i < 3 * n * most && !(which & 4); i++) {
        some[i] = floor(some[i] * 64) / 64 + 4;
        put(type, r, i, some[i]);
      }
      if (!(which & 4)) {
        double *here, *there;
        state = vmc_state(type, &vmc, r);
        vmc_go(v, type, &vmc, &cuts, &vmc_serial, state, &rng);
        here = vmc_places(type, &vmc, state);
        free(state);
        for (i = 0; i < 3 * n * most; i++) put(type, r, i, some[i] + (i / n % 3 ? 1024 : 4096));
        state = vmc_state(type, &vmc, r);
        there = vmc_places(type, &vmc, state);
        for (i = 0; i < 3 * n * most; i++)
          if (!same(there[i], some[i] + (i / n % 3 ? 1024 : 4096))) fail("a run begins elsewhere");
        free(there);
        vmc_go(v, type, &vmc, &cuts, &vmc_serial, state, &rng);
        there = vmc_places(type, &vmc, state);
        if (memcmp(here, there, 3 * n * most * sizeof *here)) fail("from far away it goes another way");
        free(here);
        free(there);
        free(state);
      }
      end_case();
      free(r);
      free(some);
      free(all);
    }
  }
}

/* Where a run begins by itself: apart from each other, near each other, in the box; and in the box it stays. */
static void vmc_run_starts(int type) {
  static const size_t sizes[] = {2, 3, 7, 8, 9, 20, 27, 28, 64, 108, 200};
  const vmc_cuts cuts = {1, {17}};
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  size_t s;
  unsigned which;
  suite.operation = vmc_names[VMC_RUN];
  for (s = 0; s < COUNT_OF(sizes); s++)
    for (which = 0; which < 8; which += 4) {
      const size_t n = sizes[s], walkers = 2;
      convk_vmc vmc = vmc_setup(n, walkers, which, s % 3 == 0 ? V_LJ : s % 3 == 1 ? V_HFDB : V_NONE, 5);
      const double apart = which ? 3.5 : s % 3 == 0 ? 1.35 * 2.556 : s % 3 == 1 ? 1.2 * 2.963 : 3.6;
      size_t number = 0, w, i, j, d;
      unsigned char *state;
      double *x;
      variant *v;
      if (suite.quick && s % 3) continue;
      suite.variant = NULL;
      describe("%lu particles, %s", (unsigned long)n, which ? "box" : "open");
      begin_case();
      state = vmc_state(type, &vmc, NULL);
      x = vmc_places(type, &vmc, state);
      for (w = 0; w < walkers; w++)
        for (i = 0; i < n; i++) {
          double farthest = 0;
          for (d = 0; d < 3 && which; d++) {
            const double at = x[(3 * w + d) * n + i];
            if (!(at >= 0 && at <= vmc.system.box[d])) fail("particle %lu begins at %g", (unsigned long)i, at);
          }
          for (j = 0; j < n; j++) {
            double square = 0;
            for (d = 0; d < 3; d++) {
              double gap = x[(3 * w + d) * n + i] - x[(3 * w + d) * n + j];
              if (which) gap -= vmc.system.box[d] * floor(gap / vmc.system.box[d] + 0.5);
              square += gap * gap;
            }
            if (i != j && square < 0.5 * apart * apart)
              fail("particles %lu and %lu begin %g apart", (unsigned long)i, (unsigned long)j, sqrt(square));
            farthest = fmax(farthest, sqrt(square));
          }
          if (!which && !(farthest < apart * (2.2 + 1.7 * cbrt((double)n)))) fail("a cluster of size %g", farthest);
        }
      end_case();
      free(x);
      while ((v = vmc_next(&number, type, VMC_RUN, 17 * 4 * n * n * walkers)) != NULL && which) {
        unsigned char *copy;
        double period;
        int out = 0;
        convk_vmc far_off = vmc;
        unsigned char *r = (unsigned char *)need(3 * n * walkers * types[type].size);
        far_off.step = 1e-3; /* so that nothing leaves the box while we look */
        far_off.equilibration = 0;
        describe("%lu particles come back into their box", (unsigned long)n);
        begin_case();
        x = vmc_places(type, &vmc, state);
        for (i = 0; i < 3 * n * walkers; i++) put(type, r, i, x[i] + vmc.system.box[i / n % 3] * random_int(&rng, -3, 3));
        free(x);
        copy = vmc_state(type, &far_off, r);
        vmc_go(v, type, &far_off, &cuts, &vmc_serial, copy, &rng);
        x = vmc_places(type, &far_off, copy);
        for (i = 0; i < 3 * n * walkers; i++) {
          period = vmc.system.box[i / n % 3];
          out += !(x[i] >= -0.05 && x[i] <= period + 0.05);
        }
        if (out) fail("%d coordinates are out of it", out);
        end_case();
        free(r);
        free(x);
        free(copy);
      }
      free(state);
    }
}

/* The sampler against one of our own, decision by decision, from positions r on (NULL: its own).  exact: how near coordinates
   come. */
static void vmc_model_of(int type, const convk_vmc *vmc, const ref_system *system, const void *r, size_t sweeps, double exact,
                         const char *name, uint64_t *rng) {
  const size_t n = vmc->system.particles, walkers = vmc->walkers, bytes = vmc_types[type].bytes(vmc);
  const int all = vmc->moves == CONVK_VMC_MOVE_ALL;
  size_t number = 0, i, w, d, known = 0, accepted = 0;
  double *x;
  long double doubt = 1e9L;
  unsigned char *state;
  variant *v;
  suite.variant = NULL;
  describe("%s", name);
  begin_case();
  state = vmc_state(type, vmc, r);
  x = vmc_places(type, vmc, state);
  end_case();
  /* the model goes as far as both surely decide alike */
  for (known = 0; known < sweeps; known++) {
    double *before = reals(3 * n * walkers);
    size_t more = 0;
    memcpy(before, x, 3 * n * walkers * sizeof *x);
    for (w = 0; w < walkers; w++)
      more += ref_sweep(system, all, vmc->drift, !type, vmc->seed, known, w, vmc->step, x + 3 * n * w, &doubt);
    if (doubt < (type ? 1e-9L : 1e-3L)) memcpy(x, before, 3 * n * walkers * sizeof *x);
    else accepted += more;
    free(before);
    if (doubt < (type ? 1e-9L : 1e-3L)) break;
  }
  while ((v = vmc_next(&number, type, VMC_RUN, sweeps * 4 * n * n * walkers)) != NULL) {
    unsigned char *copy = (unsigned char *)need(bytes);
    const vmc_cuts cuts = {1, {known}};
    convk_vmc_result result;
    double *is;
    describe("%s, %lu sweeps", name, (unsigned long)known);
    begin_case();
    memcpy(copy, state, bytes);
    vmc_go(v, type, vmc, &cuts, &vmc_serial, copy, rng);
    is = vmc_places(type, vmc, copy);
    result = vmc_results(copy, bytes);
    for (w = 0; w < walkers; w++)
      for (d = 0; d < 3; d++)
        for (i = 0; i < n; i++) {
          const size_t at = (3 * w + d) * n + i;
          const double box = vmc->system.box[d];
          double off = is[at] - x[at];
          if (box > 0) off -= box * floor(off / box + 0.5); /* it may have come back into the box */
          if (!(fabs(off) <= exact)) fail("coordinate %lu is %.12g, not %.12g", (unsigned long)at, is[at], x[at]);
        }
    if (known && !(fabs(result.acceptance * (double)(known * walkers * (all ? 1 : n)) - (double)accepted) < 1e-6))
      fail("acceptance %g, not %lu moves", result.acceptance, (unsigned long)accepted);
    if (known < sweeps / 3) fail("the model was in doubt after %lu sweeps", (unsigned long)known);
    end_case();
    free(is);
    free(copy);
  }
  free(state);
  free(x);
}

static void vmc_run_model(int type) {
  static const size_t sizes[] = {2, 3, 9};
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  unsigned which;
  size_t s;
  suite.operation = vmc_names[VMC_RUN];
  for (which = 0; which < 8; which++)
    for (s = 0; s < COUNT_OF(sizes); s++) {
      convk_vmc vmc = vmc_setup(sizes[s], 3, which | 8, V_NONE, UINT64_C(0x123456789abcdef0) + which);
      ref_system system;
      char name[60];
      vmc.step = which & 1 ? 0.25 : 0.9;
      memset(&system, 0, sizeof system);
      system.n = sizes[s];
      system.p[0] = vmc.system.trial.p5;
      system.p[1] = vmc.system.trial.p2 = s == 1 ? -2 : 0;
      system.p[2] = vmc.system.trial.p0;
      system.p[3] = vmc.system.trial.p1;
      memcpy(system.box, vmc.system.box, sizeof system.box);
      system.cutoff = which & 4 ? 0.5 * vmc.system.box[1] : s == 2 ? 7 : 0;
      vmc.system.cutoff = which & 4 ? 0 : system.cutoff;
      snprintf(name, sizeof name, "%lu particles, setup %u", (unsigned long)sizes[s], which);
      vmc_model_of(type, &vmc, &system, NULL, suite.quick ? 4 : 18, type ? 1e-10 : 1e-4, name, &rng);
    }
}

/* Steps of a few last places of coordinates far off in a large box: chances are those of moves as they were rounded. */
static void vmc_rounded_of(int type) {
  enum { N = 5, WALKERS = 3 };
  const double box = type ? 67108864 : 4096, last = ldexp(1, type ? -28 : -13), far = 0.3 * box, near = 0.04; /* last: of far */
  uint64_t rng = 1; /* whatever the seed is: the model must not be in doubt */
  unsigned which;
  suite.operation = vmc_names[VMC_RUN];
  for (which = 0; which < 4; which++) {
    convk_vmc vmc = vmc_setup(N, WALKERS, which | 8, V_NONE, UINT64_C(0x5eed) + which);
    unsigned char r[3 * N * WALKERS * 8];
    ref_system system;
    char name[60];
    size_t w, d, i;
    memset(&system, 0, sizeof system);
    vmc.step = (which & 1 ? 1 : 2) * (type ? 4 : 1) * last; /* more, where numbers have digits for it */
    vmc.system.trial.p0 = vmc.system.trial.p1 = 0;
    vmc.system.trial.p5 = system.p[0] = 0.4 * pow(near, 6) / vmc.step; /* whose gradient is about 1 / step */
    system.n = N;
    for (d = 0; d < 3; d++) vmc.system.box[d] = system.box[d] = box;
    vmc.system.cutoff = system.cutoff = 1;
    for (w = 0; w < WALKERS; w++)
      for (d = 0; d < 3; d++)
        for (i = 0; i < N; i++) /* corners of a cube */
          put(type, r, (3 * w + d) * N + i, rounded_to(type, far + near * ((double)(i >> d & 1) + 0.1 * random_unit(&rng))));
    snprintf(name, sizeof name, "rounded moves, setup %u", which);
    vmc_model_of(type, &vmc, &system, r, which & 1 ? 100 : 24, 0, name, &rng);
  }
}

/* Of f32, where roundings are largest, on all hardware. */
static void vmc_run_rounded(int unused) {
  int type;
  (void)unused;
  for (type = 0; type < 2; type++) {
    if (!has_type(type) || (suite.quick && !suite.only && type)) continue;
    suite.type = types[type].name;
    vmc_rounded_of(type);
  }
}

/* Energies of all walkers at the positions of a state, by pair_energy. */
static void vmc_energies_at(variant *v, int type, const convk_vmc *vmc, const unsigned char *state, convk_pair_result *r) {
  const convk_pair_walkers all = {vmc->walkers, 0, 0};
  void *x = need(3 * vmc->system.particles * vmc->walkers * types[type].size);
  vmc_call k = vmc_blank(VMC_ENERGY, &v->hw);
  VMC_EXPECT(!vmc_types[type].positions(vmc, state, vmc_types[type].bytes(vmc), x));
  k.system = &vmc->system;
  k.walkers = &all;
  k.r = x;
  k.result = r;
  VMC_EXPECT(!vmc_types[type].call(&k));
  free(x);
}

/* Sweep by sweep: which are measured, means, variances and errors of all that is measured, acceptance, pairs. */
static void vmc_run_averages(int type) {
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  unsigned which;
  suite.operation = vmc_names[VMC_RUN];
  for (which = 0; which < 32; which += 1) {
    enum { N = 5, WALKERS = 3, SWEEPS = 101 };
    const size_t sweeps = suite.quick ? 41 : SWEEPS;
    size_t number = 0;
    variant *v;
    if (which % (suite.quick ? 11 : 3)) continue;
    while ((v = vmc_next(&number, type, VMC_RUN, sweeps * 8 * N * N * WALKERS)) != NULL) {
      convk_vmc vmc = vmc_setup(N, WALKERS, which, V_HFDB, 1234 + which);
      const double hbar2_2m = which & 4 ? 6.059648 : 5;
      const size_t interval = vmc.interval ? vmc.interval : 1;
      const vmc_cuts one = {1, {1}};
      long double series[5][SWEEPS], spread[5] = {0, 0, 0, 0, 0};
      size_t measured = 0, t, w, i, moved = 0, tried = 0;
      convk_vmc_result r;
      double *before, *after;
      unsigned char *state;
      describe("setup %u", which);
      begin_case();
      vmc.system.hbar2_2m = which & 4 ? 0 : 5;
      vmc.acceptance = -1;
      state = vmc_state(type, &vmc, NULL);
      r = vmc_results(state, vmc_types[type].bytes(&vmc));
      VMC_EXPECT(r.sweeps == 0 && r.measurements == 0 && r.acceptance == 0 && r.drift == 0 && r.pairs == 0 && r.step > 0);
      VMC_EXPECT(isinf(r.energy.error) && r.energy.mean == 0 && isinf(r.kinetic.error));
      before = vmc_places(type, &vmc, state);
      for (t = 0; t < sweeps && !suite.bad; t++) {
        vmc_go(v, type, &vmc, &one, &vmc_serial, state, &rng);
        after = vmc_places(type, &vmc, state);
        for (w = 0; w < WALKERS && t >= vmc.equilibration; w++)
          for (i = 0; i < (vmc.moves == CONVK_VMC_MOVE_ALL ? 1 : N); i++) {
            const size_t at = 3 * N * w + i;
            double off = after[at] - before[at]; /* unless it came back into the box, or all were brought back */
            if (which & 4) off -= vmc.system.box[0] * floor(off / vmc.system.box[0] + 0.5);
            moved += !(fabs(off) < 1e-5 || fabs(fabs(off) - 16) < 1e-5);
            tried++;
          }
        free(before);
        before = after;
        if (t >= vmc.equilibration && (t + 1 - vmc.equilibration) % interval == 0) {
          convk_pair_result e[WALKERS];
          vmc_energies_at(v, type, &vmc, state, e);
          for (i = 0; i < 5; i++) series[i][measured] = 0;
          for (w = 0; w < WALKERS; w++) {
            const long double value[5] = {(long double)e[w].kinetic + e[w].potential, e[w].potential, e[w].kinetic,
                                          (long double)hbar2_2m * e[w].gradient_squared, -0.5L * hbar2_2m * e[w].laplacian};
            for (i = 0; i < 5; i++) {
              series[i][measured] += value[i] / WALKERS;
              spread[i] += value[i] * value[i] / WALKERS;
            }
          }
          measured++;
        }
      }
      free(before);
      r = vmc_results(state, vmc_types[type].bytes(&vmc));
      VMC_EXPECT(r.sweeps == sweeps);
      if (r.measurements != measured) fail("%lu measurements, not %lu", (unsigned long)r.measurements, (unsigned long)measured);
      if (!(fabs(r.acceptance * (double)tried - (double)moved) < 1e-6))
        fail("acceptance %g, but %lu of %lu moved", r.acceptance, (unsigned long)moved, (unsigned long)tried);
      {
        const double pairs = 0.5 * N * (N - 1) * WALKERS,
                     turns = (vmc.moves == CONVK_VMC_MOVE_ALL ? 1 : 4) * (vmc.drift ? 2 : 1);
        const double anew = (double)((sweeps + 15) / 16), is = pairs * ((double)sweeps * turns + (double)measured + anew);
        if (r.pairs != is) fail("%g pairs, not %g", r.pairs, is);
      }
      for (i = 0; i < 5 && !suite.bad; i++) {
        static const char *const names[5] = {"energy", "potential", "kinetic", "kinetic by gradients", "kinetic by Laplacians"};
        const convk_vmc_estimate *e[5];
        const ref_estimate q = ref_blocks(series[i], measured);
        const long double mean_square = spread[i] / (long double)measured;
        e[0] = &r.energy;
        e[1] = &r.potential;
        e[2] = &r.kinetic;
        e[3] = &r.kinetic_gradient;
        e[4] = &r.kinetic_laplacian;
        if (!vmc_near(e[i]->mean, q.mean, 1e-12L)) fail("%s: mean %.17g, not %.17Lg", names[i], e[i]->mean, q.mean);
        if (!(fabsl(e[i]->variance - (mean_square - q.mean * q.mean)) <= 1e-11L * mean_square))
          fail("%s: variance %.12g, not %.12Lg", names[i], e[i]->variance, mean_square - q.mean * q.mean);
        if (isinf(e[i]->error) ? !isinf((double)q.error) : !vmc_near(e[i]->error, q.error, 1e-8L))
          fail("%s: error %.12g, not %.12Lg", names[i], e[i]->error, q.error);
        if (!vmc_near(e[i]->autocorrelation, q.autocorrelation, 1e-8L))
          fail("%s: autocorrelation %g, not %Lg", names[i], e[i]->autocorrelation, q.autocorrelation);
        if (e[i]->block != (double)q.block) fail("%s: blocks of %g, not %lu", names[i], e[i]->block, (unsigned long)q.block);
      }
      /* roundings of ln psi: some, and few */
      if (!(r.drift < (type ? 1e-9 : 1e-2) && (r.drift > 0 || vmc.moves == CONVK_VMC_MOVE_ALL)))
        fail("ln psi drifts by %g", r.drift);
      end_case();
      free(state);
    }
  }
}

/* The step is tuned to the acceptance that is wanted, while the run equilibrates and not longer. */
static void vmc_run_tuning(int type) {
  static const double wanted[] = {0, 0.3, 0.7};
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  unsigned which;
  size_t a;
  suite.operation = vmc_names[VMC_RUN];
  for (which = 0; which < 4; which++)
    for (a = 0; a < 2 * COUNT_OF(wanted); a++) {
      size_t number = 0;
      variant *v;
      if (suite.quick ? a != 3 || which : !type && (a + which) % 3) continue;
      while ((v = vmc_next(&number, type, VMC_RUN, 700 * 8 * 25 * 20)) != NULL) {
        const size_t equilibration = suite.quick ? 160 : 352;
        vmc_cuts first = {1, {equilibration}}, then = {1, {160}};
        convk_vmc vmc = vmc_setup(4, which & 1 ? 100 : 20, which, V_NONE, 3);
        const double want = wanted[a / 2] > 0 ? wanted[a / 2] : 0.5;
        convk_vmc_result r;
        unsigned char *state;
        double step;
        if (!v->device && strcmp(v->name, v->fused ? "avx2" : "sse2")) continue; /* others of its class do the same */
        vmc.equilibration = equilibration;
        vmc.interval = 80;
        vmc.acceptance = wanted[a / 2];
        vmc.step = a % 2 ? 12 : 0.05;
        describe("setup %u, acceptance %g from a step of %g", which, want, vmc.step);
        begin_case();
        state = vmc_state(type, &vmc, NULL);
        step = vmc_results(state, vmc_types[type].bytes(&vmc)).step;
        if (!same(step, vmc.step)) fail("it begins with a step of %g", step);
        vmc_go(v, type, &vmc, &first, &vmc_serial, state, &rng);
        step = vmc_results(state, vmc_types[type].bytes(&vmc)).step;
        if (vmc_results(state, vmc_types[type].bytes(&vmc)).measurements) fail("measurements while it equilibrates");
        vmc_go(v, type, &vmc, &then, &vmc_serial, state, &rng);
        r = vmc_results(state, vmc_types[type].bytes(&vmc));
        if (!same(step, r.step)) fail("the step changed from %g to %g", step, r.step);
        if (!(fabs(r.acceptance - want) < 0.06)) fail("acceptance %g", r.acceptance);
        if (r.measurements != 2) fail("%lu measurements", (unsigned long)r.measurements);
        end_case();
        free(state);
        describe("setup %u, a step that stays", which);
        begin_case();
        vmc.acceptance = -1;
        vmc.equilibration = 40;
        first.sweeps[0] = 48;
        state = vmc_state(type, &vmc, NULL);
        vmc_go(v, type, &vmc, &first, &vmc_serial, state, &rng);
        r = vmc_results(state, vmc_types[type].bytes(&vmc));
        if (!same(r.step, vmc.step)) fail("the step became %g", r.step);
        end_case();
        free(state);
        describe("setup %u, a step that grows to half of the shortest edge", which);
        begin_case();
        vmc = vmc_setup(2, 1, which, V_NONE, 3);
        vmc.system.box[0] = vmc.system.box[2] = 20;
        vmc.system.box[1] = 14;
        vmc.acceptance = 0.1;
        vmc.equilibration = 48;
        vmc.step = 5;
        state = vmc_state(type, &vmc, NULL);
        vmc_go(v, type, &vmc, &first, &vmc_serial, state, &rng);
        r = vmc_results(state, vmc_types[type].bytes(&vmc));
        if (!same(r.step, 7)) fail("the step became %g", r.step);
        end_case();
        free(state);
      }
    }
}

/* ------------------------------------------------------------------------------------------------- what is sampled -- */

/* ln of the density of the distance of two particles, but for a constant: r^2 exp(2 u). */
static long double vmc_ln_density(const ref_system *s, long double r) {
  const long double u = s->cutoff > 0 ? (r < s->cutoff ? ref_u(s->p, r) - ref_u(s->p, s->cutoff) : 0) : ref_u(s->p, r);
  return 2 * logl(r) + 2 * u;
}

/* Two particles, whose distances have a known density: chi square of a histogram with bins of the same chance.  A wrong detailed
   balance shows here. */
static void vmc_run_density(int type) {
  enum { BINS = 40, GRID = 20000 };
  static const double steps[8] = {2.5, 1.5, 1.6, 1.3, 2, 1.2, 1.3, 1};
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  unsigned which;
  suite.operation = vmc_names[VMC_RUN];
  for (which = 0; which < 8; which++) {
    const int box = which >> 2 & 1;
    ref_system s;
    long double *chance = (long double *)need((GRID + 1) * sizeof *chance), highest = -1e9L, total = 0, outside = 0;
    double edge[BINS + 1];
    size_t number = 0, i, b;
    int done[2] = {0, 0};
    const size_t bins = BINS - (size_t)box;
    double most;
    variant *v;
    convk_vmc vmc;
    memset(&vmc, 0, sizeof vmc);
    memset(&s, 0, sizeof s);
    vmc.system.particles = s.n = 2;
    vmc.system.trial.p5 = s.p[0] = 60;
    vmc.system.trial.p2 = s.p[1] = box ? 1.5 : 0;
    vmc.system.trial.p0 = s.p[2] = box ? 0 : 0.5;
    vmc.system.trial.p1 = s.p[3] = box ? -0.3 : 0.35;
    if (box) {
      vmc.system.box[0] = 9;
      vmc.system.box[1] = 10;
      vmc.system.box[2] = 9.5;
      vmc.system.cutoff = s.cutoff = 4.25;
    }
    vmc.walkers = suite.quick ? 60 : 500;
    vmc.seed = 2024;
    vmc.moves = which & 1 ? CONVK_VMC_MOVE_ALL : CONVK_VMC_MOVE_SINGLE;
    vmc.drift = which >> 1 & 1;
    vmc.step = steps[which];
    vmc.acceptance = -1;
    vmc.interval = 1000; /* nothing is measured */
    /* the chance to be nearer than each r, by Simpson's rule */
    most = box ? s.cutoff : 40;
    for (i = 0; i <= GRID; i++) {
      const long double r = most * (long double)i / GRID;
      chance[i] = r < 0.5L ? -1e9L : vmc_ln_density(&s, box && i == GRID ? r * (1 - 1e-15L) : r);
      if (chance[i] > highest) highest = chance[i];
    }
    for (i = 0; i <= GRID; i++) chance[i] = expl(chance[i] - highest);
    for (i = 0; i < GRID; i += 2) {
      const long double part = (chance[i] + 4 * chance[i + 1] + chance[i + 2]) * most / GRID / 3;
      chance[i] = total;
      chance[i + 1] = total + part / 2;
      total += part;
    }
    chance[GRID] = total;
    if (box) /* beyond the cutoff all places are alike */
      outside =
          expl(-highest) * ((long double)vmc.system.box[0] * vmc.system.box[1] * vmc.system.box[2] / 12.566370614359172954L -
                            powl(s.cutoff, 3) / 3);
    edge[0] = 0;
    for (b = 1, i = 0; b < bins; b++) {
      while (chance[i] < total * (long double)b / (long double)bins) i += 2;
      edge[b] =
          most *
          (double)(i - 2 + 2 * (total * (long double)b / (long double)bins - chance[i - 2]) / (chance[i] - chance[i - 2])) /
          GRID;
    }
    edge[bins] = box ? s.cutoff : 1e9;
    while ((v = vmc_next(&number, type, VMC_RUN, vmc.walkers * 4 * 2000)) != NULL) {
      const size_t thin = 6, samples = suite.quick ? 4 : v->fused && type ? 100 / (size_t)ONE_OF(1, 4) : 16;
      const vmc_cuts first = {1, {60}}, more = {1, {thin}};
      size_t count[BINS + 1], all = 0, far_off = 0, t, w;
      long double chi = 0, square = 0, inside = (long double)vmc.walkers * (long double)samples;
      unsigned char *state;
      if (!v->device && (done[v->fused] || !strcmp(v->name, "scalar"))) continue; /* the others of its class do the same */
      if (suite.quick && which % 3) continue;
      done[v->fused] |= !v->device;
      memset(count, 0, sizeof count);
      describe("setup %u", which);
      begin_case();
      state = vmc_state(type, &vmc, NULL);
      vmc_go(v, type, &vmc, &first, &vmc_serial, state, &rng);
      for (t = 0; t < samples; t++) {
        double *x;
        vmc_go(v, type, &vmc, &more, &vmc_serial, state, &rng);
        x = vmc_places(type, &vmc, state);
        for (w = 0; w < vmc.walkers; w++) {
          double r = 0;
          size_t d;
          for (d = 0; d < 3; d++) {
            double gap = x[6 * w + 2 * d] - x[6 * w + 2 * d + 1];
            if (box) gap -= vmc.system.box[d] * floor(gap / vmc.system.box[d] + 0.5);
            r += gap * gap;
          }
          r = sqrt(r);
          if (box && r >= s.cutoff) {
            far_off++;
            continue;
          }
          for (b = 0; b + 1 < bins && r >= edge[b + 1];) b++;
          count[b]++;
          all++;
        }
        free(x);
      }
      if (box) { /* how many are within the cutoff */
        const long double p = total / (total + outside), expect = p * inside;
        chi += ((long double)all - expect) * ((long double)all - expect) / (expect * (1 - p));
        if (all + far_off != vmc.walkers * samples) fail("not all counted");
      }
      for (b = 0; b < bins; b++) {
        const long double expect = (long double)all / (long double)bins;
        square += ((long double)count[b] - expect) * ((long double)count[b] - expect) / expect;
      }
      /* chi^2 has a mean of bins - 1 and a deviation of sqrt(2 bins); samples that follow each other are not quite independent */
      if (!(square < 39 + 7 * 8.8L)) fail("chi^2 of %lu bins is %.1Lf", (unsigned long)bins, square);
      if (!(chi < 25)) fail("%lu of %.0Lf within the cutoff: chi^2 %.1Lf", (unsigned long)all, inside, chi);
      end_case();
      error_note("chi^2", (double)square, 39 + 7 * 8.8, 0, 0, 0, all);
      free(state);
    }
    free(chance);
  }
}

/* ---------------------------------------------------------------------------------------------------- damaged states -- */

/* Any byte that is not as it was: no call goes on, and nothing changes. */
static void vmc_damage(int type) {
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  const convk_vmc vmc = vmc_setup(3, 3, 0, V_HFDB, 11); /* of f32 not a whole number of words */
  const size_t bytes = vmc_types[type].bytes(&vmc);
  const vmc_cuts cuts = {1, {20}};
  size_t number = 0;
  variant *v;
  suite.operation = vmc_names[VMC_RUN];
  while ((v = vmc_next(&number, type, VMC_RUN, 20 * 36 * 2)) != NULL) {
    unsigned char *good = vmc_state(type, &vmc, NULL), *bad = (unsigned char *)need(bytes + 1),
                  *was = (unsigned char *)need(bytes + 1);
    size_t i;
    vmc_go(v, type, &vmc, &cuts, &vmc_serial, good, &rng);
    for (i = 0; i < bytes;
         i += (i < 96 || i + 64 > bytes) && !suite.quick ? 1 : 1 + random_below(&rng, suite.quick ? 60 : 12)) {
      convk_vmc_result result;
      unsigned char r[3 * 3 * 3 * 8];
      vmc_call k = vmc_blank(VMC_RUN, &v->hw);
      memcpy(bad, good, bytes);
      bad[i] ^= (unsigned char)(1u << random_below(&rng, 8));
      memcpy(was, bad, bytes);
      memset(&result, FILL_, sizeof result);
      memset(r, FILL_, sizeof r);
      k.vmc = &vmc;
      k.sweeps = 3;
      k.state = bad;
      k.state_size = bytes;
      describe("byte %lu of a state", (unsigned long)i);
      begin_case();
      if (vmc_types[type].check(&vmc, bad, bytes) != CONVK_ERR_STATE) fail("convk_vmc_check does not see it");
      if (vmc_types[type].call(&k) != CONVK_ERR_STATE) fail("convk_vmc_run does not see it");
      k.sweeps = 0;
      if (vmc_types[type].call(&k) != CONVK_ERR_STATE) fail("no sweeps do not see it");
      if (vmc_types[type].results(bad, bytes, &result) != CONVK_ERR_STATE) fail("convk_vmc_results does not see it");
      if (vmc_types[type].positions(&vmc, bad, bytes, r) != CONVK_ERR_STATE) fail("convk_vmc_positions does not see it");
      if (memcmp(bad, was, bytes)) fail("the state was written");
      if (!all_fill((unsigned char *)&result, (unsigned char *)(&result + 1)) || !all_fill(r, r + sizeof r))
        fail("something was written");
      end_case();
    }
    describe("two words changed places, and other precision");
    begin_case();
    memcpy(bad, good, bytes);
    for (i = 0; i < 8; i++) {
      bad[bytes - 8 + i] = good[bytes - 16 + i];
      bad[bytes - 16 + i] = good[bytes - 8 + i];
    }
    VMC_EXPECT(vmc_types[type].check(&vmc, bad, bytes) == CONVK_ERR_STATE);
    if (has_type(!type)) {
      vmc_call k = vmc_blank(VMC_RUN, &v->hw);
      k.vmc = &vmc;
      k.sweeps = 1;
      k.state = memcpy(bad, good, bytes);
      k.state_size = bytes;
      VMC_EXPECT(vmc_types[!type].check(&vmc, good, bytes) == CONVK_ERR_STATE);
      if (vmc_types[!type].offers(&v->hw, VMC_RUN)) VMC_EXPECT(vmc_types[!type].call(&k) == CONVK_ERR_STATE);
      VMC_EXPECT(!memcmp(bad, good, bytes));
    }
    end_case();
    /* with a sum that is right: another version, byte order, kind, precision, length */
    for (i = 0; i < 7; i++) {
      convk_vmc_state_ head;
      convk_vmc_result result;
      describe("another beginning: %lu", (unsigned long)i);
      begin_case();
      memcpy(bad, good, bytes);
      memcpy(&head, good, sizeof head);
      if (i == 0) head.version += 100;
      if (i == 1) head.endian = 0x04030201u;
      if (i == 2) head.kind[0] = 'V';
      if (i == 3) memcpy(head.kind, type ? "vmc f32" : "vmc f64", 8);
      if (i == 4) head.bytes = bytes + 1;
      if (i == 5) head.bytes = sizeof head - 1;
      if (i == 6) head.bytes = 0;
      memcpy(bad, &head, sizeof head);
      if (i < 4) head.sum = convk_vmc_sum_(bad, bytes);
      memcpy(bad, &head, sizeof head);
      VMC_EXPECT(vmc_types[type].check(&vmc, bad, bytes) == CONVK_ERR_STATE);
      VMC_EXPECT(vmc_types[type].results(bad, bytes, &result) == CONVK_ERR_STATE);
      end_case();
    }
    describe("not all of a state, or more than it");
    for (i = 0; i < 6; i++) {
      const size_t sizes[6] = {bytes - 1, bytes - 8, bytes / 2, 64, 1, 0};
      guard g = guard_new(sizes[i], AT_END, 0);
      convk_vmc_result result;
      begin_case();
      memcpy(g.data, good, sizes[i]);
      VMC_EXPECT(vmc_types[type].check(&vmc, g.data, sizes[i]) == CONVK_ERR_STATE);
      VMC_EXPECT(vmc_types[type].results(g.data, sizes[i], &result) == CONVK_ERR_STATE);
      end_case();
      guard_free(&g);
    }
    {
      guard g = guard_new(bytes + 40, AT_END, 0);
      vmc_call k = vmc_blank(VMC_RUN, &v->hw);
      begin_case();
      memcpy(g.data, good, bytes);
      k.vmc = &vmc;
      k.sweeps = 3;
      k.state = g.data;
      k.state_size = bytes + 40;
      VMC_EXPECT(!vmc_types[type].check(&vmc, g.data, bytes + 40));
      VMC_EXPECT(!vmc_types[type].call(&k) && all_fill(g.data + bytes, g.data + bytes + 40));
      k.state = memcpy(bad, good, bytes);
      k.state_size = bytes;
      VMC_EXPECT(!vmc_types[type].call(&k) && !memcmp(bad, g.data, bytes));
      end_case();
      guard_free(&g);
    }
    free(good);
    free(bad);
    free(was);
  }
}

/* A state of another run: whatever of its setup differs. */
static void vmc_other_setup(int type) {
  static double table[2][9] = {{9, 4, 1, -2, -3, -1, -0.5, -0.25, 0}, {9, 4, 1, -2, -3, -1, -0.5, -0.375, 0}};
  convk_vmc tabled = vmc_setup(4, 2, 4, V_NONE, 12), good = vmc_setup(4, 2, 4, V_FAR, 12);
  size_t number = 0;
  variant *v;
  tabled.system.potential = convk_pair_table(2, 0.5, 9, table[0]);
  good.acceptance = 0.4;
  good.system.cutoff = 3;
  suite.operation = vmc_names[VMC_RUN];
  while ((v = vmc_next(&number, type, VMC_RUN, 1)) != NULL) {
    int which;
    for (which = 0; which < 45; which++) {
      convk_vmc now = which < 36 ? good : tabled;
      unsigned char *state = vmc_state(type, &now, NULL), *was;
      const size_t bytes = vmc_types[type].bytes(&now);
      vmc_call k = vmc_blank(VMC_RUN, &v->hw);
      int want = CONVK_ERR_SETUP, status;
      was = (unsigned char *)need(bytes);
      memcpy(was, state, bytes);
      switch (which) {
        case 0: now.system.particles++; break;
        case 1: now.system.particles--; break;
        case 2: now.walkers--; break;
        case 3: now.walkers++; break;
        case 4: now.seed++; break;
        case 5: now.seed ^= UINT64_C(1) << 63; break;
        case 6: now.moves = CONVK_VMC_MOVE_ALL; break;
        case 7: now.drift = 1; break;
        case 8: now.equilibration++; break;
        case 9: now.interval = 2; break;
        case 10: now.acceptance = 0.41; break;
        case 11: now.system.trial.p5 += 1e-13; break;
        case 12: now.system.trial.p2 = 1e-300; break;
        case 13: now.system.trial.p0 *= -1; break;
        case 14: now.system.trial.p1 += 0.01; break;
        case 15:
        case 16:
        case 17: now.system.box[which - 15] *= 1.0625; break;
        case 18: now.system.cutoff = 2.9; break;
        case 19: now.system.hbar2_2m = 6.06; break;
        case 20: now.system.potential.epsilon += 0.01; break;
        case 21: now.system.potential.rm += 0.01; break;
        case 22: now.system.potential.a += 0.01; break;
        case 23: now.system.potential.alpha += 0.01; break;
        case 24: now.system.potential.beta -= 0.01; break;
        case 25: now.system.potential.c6 += 0.01; break;
        case 26: now.system.potential.c8 += 0.01; break;
        case 27: now.system.potential.c10 += 0.01; break;
        case 28: now.system.potential.d += 0.01; break;
        case 29: now.system.potential.bump += 0.01; break;
        case 30: now.system.potential.x1 += 0.01; break;
        case 31: now.system.potential.x2 += 0.01; break;
        case 32:
          now.system.potential = convk_pair_lennard_jones(good.system.potential.epsilon, good.system.potential.rm);
          break;
        case 33: now.system.potential.kind = CONVK_POTENTIAL_LENNARD_JONES; break;
        case 34:
          now.interval = 1;
          want = CONVK_OK;
          break; /* 0 stands for it */
        case 35:
          now.system.hbar2_2m = 6.059648;
          want = CONVK_OK;
          break; /* and so here */
        case 36: now.system.potential.values = table[1]; break;
        case 37: now.system.potential.entries = 8; break;
        case 38: now.system.potential.first = 2.25; break;
        case 39: now.system.potential.spacing = 0.25; break;
        case 40: { /* the same table elsewhere */
          static double copy[9];
          memcpy(copy, table[0], sizeof copy);
          now.system.potential.values = copy;
          want = CONVK_OK;
          break;
        }
        case 41:
          now.system.cutoff = 0.5 * fmin(fmin(now.system.box[0], now.system.box[1]), now.system.box[2]);
          want = CONVK_OK;
          break;
        case 42: now.system.cutoff = 0.46 * now.system.box[1]; break;
        case 43: now.system.potential.kind = CONVK_POTENTIAL_NONE; break;
        default: want = CONVK_OK; break;
      }
      describe("another setup: %d", which);
      begin_case();
      k.vmc = &now;
      k.sweeps = 1;
      k.state = state;
      k.state_size = bytes;
      status = vmc_types[type].check(&now, state, bytes);
      if (status != want) fail("convk_vmc_check: %d, %s", status, convk_strerror(status));
      status = vmc_types[type].call(&k);
      if (status != want) fail("convk_vmc_run: %d, %s", status, convk_strerror(status));
      if (want && memcmp(state, was, bytes)) fail("the state was written");
      if (!want && !memcmp(state, was, bytes)) fail("nothing was done");
      if (want) {
        unsigned char r[3 * 5 * 3 * 8];
        memset(r, FILL_, sizeof r);
        status = vmc_types[type].positions(&now, state, bytes, r);
        if (status != want || !all_fill(r, r + sizeof r)) fail("convk_vmc_positions: %d, %s", status, convk_strerror(status));
      }
      end_case();
      free(state);
      free(was);
    }
  }
}

/* Threads that fail at their first, second, ... call: the state stays, and can be used. */
typedef struct vmc_fragile {
  size_t calls, fails; /* the call that fails, from 0 */
} vmc_fragile;

static int vmc_fragile_run(void *ctx, size_t ntasks, void (*task)(void *arg, size_t index), void *arg) {
  vmc_fragile *f = (vmc_fragile *)ctx;
  size_t i;
  if (f->calls++ == f->fails) return 7;
  for (i = 0; i < ntasks; i++) task(arg, i);
  return 0;
}

static void vmc_run_fragile(int type) {
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  int one;
  suite.operation = vmc_names[VMC_RUN];
  for (one = 0; one < 4; one++) {
    const convk_vmc vmc = vmc_setup(one & 1 ? 70 : 4, one & 1 ? 1 : 5, one & 2 ? 11 : 8, V_HFDB, 13);
    const size_t bytes = vmc_types[type].bytes(&vmc);
    const vmc_cuts cuts = {1, {33}};
    size_t number = 0, fails;
    variant *v;
    if (suite.quick && one) continue;
    while ((v = vmc_next(&number, type, VMC_RUN, 33 * 20000)) != NULL) {
      unsigned char *good, *state, *was;
      if (v->device) continue;
      describe("%lu walkers of %lu", (unsigned long)vmc.walkers, (unsigned long)vmc.system.particles);
      begin_case();
      good = vmc_state(type, &vmc, NULL);
      state = (unsigned char *)need(bytes);
      was = (unsigned char *)need(bytes);
      memcpy(was, good, bytes);
      vmc_go(v, type, &vmc, &cuts, &vmc_serial, good, &rng);
      for (fails = 0; fails < 200 && !suite.bad; fails += 1 + fails / 3) {
        const long live = heap.live;
        vmc_fragile f = {0, 0};
        vmc_call k = vmc_blank(VMC_RUN, NULL);
        convk copy = v->hw;
        int status;
        f.fails = fails;
        copy.parallel.threads = 3;
        copy.parallel.run = vmc_fragile_run;
        copy.parallel.ctx = &f;
        memcpy(state, was, bytes);
        k.hw = &copy;
        k.vmc = &vmc;
        k.sweeps = 33;
        k.state = state;
        k.state_size = bytes;
        status = vmc_types[type].call(&k);
        want_returned(live);
        if (f.calls <= fails) { /* never */
          if (status || memcmp(state, good, bytes)) fail("status %d, or other bits", status);
          if (!fails) fail("threads were never asked");
          break;
        }
        want_status(status, CONVK_ERR_THREADS);
        if (memcmp(state, was, bytes)) fail("the state changed");
        f.calls = 1000;
        if (vmc_types[type].call(&k) || memcmp(state, good, bytes)) fail("it cannot go on, or not to the same bits");
      }
      end_case();
      free(good);
      free(state);
      free(was);
    }
  }
}

/* Particles that push each other away: RANGE, and the state is as it was; in pieces, it is that of the last one that went well. */
static void vmc_run_escapes(int type) {
  enum { SWEEPS = 8000, PIECE = 48 };
  const double longest = type ? 524288 : 32;
  int all;
  suite.operation = vmc_names[VMC_RUN];
  for (all = 0; all < 2; all++) {
    size_t number = 0;
    variant *v;
    while ((v = vmc_next(&number, type, VMC_RUN, 50000)) != NULL) {
      convk_vmc vmc = vmc_setup(3, 2, all ? 11 : 8, V_HFDB, 13);
      const size_t bytes = vmc_types[type].bytes(&vmc);
      vmc_call k = vmc_blank(VMC_RUN, &v->hw);
      unsigned char *state, *was;
      size_t done = 0;
      int status;
      vmc.system.trial.p1 = -1e3 / longest;
      vmc.step = longest;
      vmc.acceptance = -1;
      vmc.interval = 1000;
      vmc.drift = 0;
      describe("%s", all ? "all" : "single");
      begin_case();
      state = vmc_state(type, &vmc, NULL);
      was = (unsigned char *)need(bytes);
      memcpy(was, state, bytes);
      k.vmc = &vmc;
      k.state = state;
      k.state_size = bytes;
      k.sweeps = SWEEPS;
      status = vmc_types[type].call(&k);
      want_status(status, CONVK_ERR_RANGE);
      if (memcmp(state, was, bytes)) fail("the state changed");
      for (status = 0; !status && done < SWEEPS; done += PIECE) {
        memcpy(was, state, bytes);
        k.sweeps = PIECE;
        status = vmc_types[type].call(&k);
      }
      if (status != CONVK_ERR_RANGE || memcmp(state, was, bytes)) fail("status %d in pieces, or the state changed", status);
      if (vmc_types[type].check(&vmc, state, bytes) || vmc_results(state, bytes).sweeps != done - PIECE)
        fail("%lu sweeps done, %lu in the state", (unsigned long)done, (unsigned long)vmc_results(state, bytes).sweeps);
      end_case();
      free(state);
      free(was);
    }
  }
}

/* -------------------------------------------------------------------------------------------------------- averages -- */

/* ------------------------------------------------------------------------------------------------------- the minimiser -- */

/* Two particles with V = -c / r, whose ground state is exp(-p1 r): p1 = c / (4 hbar2_2m), E = -2 hbar2_2m p1^2. */
static void vmc_minimise_exact(int type) {
  enum { ENTRIES = 4000 };
  double *values = reals(ENTRIES);
  const double hbar2_2m = 6, p1 = 0.3, energy = -2 * hbar2_2m * p1 * p1;
  size_t number = 0, i;
  int have[2] = {0, 0};
  variant *v;
  for (i = 0; i < ENTRIES; i++) values[i] = -4 * hbar2_2m * p1 / (0.0625 + (double)i / 64);
  suite.operation = "vmc_minimise";
  while ((v = vmc_next(&number, type, VMC_RUN, 400000)) != NULL && !suite.quick) {
    convk_vmc vmc;
    convk_vmc_minimise_options options;
    convk_vmc_result r;
    unsigned char *state;
    int status;
    if (!v->device && (have[v->fused] || !strcmp(v->name, "scalar"))) continue; /* the others of its class do the same */
    have[v->fused] |= !v->device;
    memset(&vmc, 0, sizeof vmc);
    memset(&options, 0, sizeof options);
    vmc.system.particles = 2;
    vmc.system.hbar2_2m = hbar2_2m;
    vmc.system.potential = convk_pair_table(0.0625, 1. / 64, ENTRIES, values);
    vmc.system.trial.p1 = 0.45;
    vmc.walkers = 200;
    vmc.seed = 7;
    vmc.equilibration = 64;
    options.iterations = 16;
    options.sweeps = 50;
    options.final_sweeps = 100;
    options.fixed[0] = options.fixed[1] = options.fixed[2] = 1;
    describe("a known ground state");
    begin_case();
    state = vmc_state(type, &vmc, NULL);
    status = vmc_types[type].minimise(&v->hw, &vmc, &options, state, vmc_types[type].bytes(&vmc), &r, NULL, 0);
    want_status(status, CONVK_OK);
    if (vmc.system.trial.p5 != 0 || vmc.system.trial.p2 != 0 || vmc.system.trial.p0 != 0) fail("a fixed parameter changed");
    if (!(fabs(vmc.system.trial.p1 - p1) < 0.02)) fail("p1 is %g, not %g", vmc.system.trial.p1, p1);
    if (!(fabs(r.energy.mean - energy) < 0.01)) fail("the energy is %g +- %g, not %g", r.energy.mean, r.energy.error, energy);
    if (r.measurements != 100) fail("%lu measurements in the final run", (unsigned long)r.measurements);
    if (vmc_types[type].check(&vmc, state, vmc_types[type].bytes(&vmc))) fail("the state is not that of the new function");
    end_case();
    free(state);
  }
  free(values);
}

/* Three atoms of helium from poor parameters; bits of a class; what is fixed stays. */
static void vmc_minimise_helium(int type) {
  double before[2] = {0, 0};
  unsigned char *bits[2] = {NULL, NULL};
  size_t number = 0;
  variant *v;
  suite.operation = "vmc_minimise";
  while ((v = vmc_next(&number, type, VMC_RUN, 400000)) != NULL) {
    const vmc_cuts cuts = {1, {600}};
    uint64_t rng = 1;
    convk_vmc vmc = vmc_setup(3, suite.quick ? 20 : 100, 0, V_HFDB, 17), poor;
    convk_vmc_minimise_options options;
    convk_vmc_result r, first;
    size_t bytes;
    unsigned char *state;
    int status;
    if (suite.quick && !strcmp(v->name, "scalar")) continue;
    vmc.equilibration = 100;
    vmc.system.trial.p5 = 90;
    vmc.system.trial.p0 = 0.4;
    vmc.system.trial.p1 = 0.2;
    poor = vmc;
    bytes = vmc_types[type].bytes(&vmc);
    memset(&options, 0, sizeof options);
    options.iterations = suite.quick ? 5 : 8;
    options.sweeps = suite.quick ? 25 : 60;
    options.final_sweeps = suite.quick ? 400 : 600;
    options.fixed[1] = options.fixed[2] = 1;
    describe("three atoms");
    begin_case();
    state = vmc_state(type, &poor, NULL);
    if (!bits[v->fused]) {
      vmc_go(v, type, &poor, &cuts, &vmc_serial, state, &rng);
      first = vmc_results(state, bytes);
      before[v->fused] = first.energy.mean;
      if (!(first.energy.error < (suite.quick ? 1 : 0.2))) fail("an error of %g", first.energy.error);
      free(state);
      state = vmc_state(type, &vmc, NULL);
    }
    memset(&r, 0, sizeof r);
    status = vmc_types[type].minimise(&v->hw, &vmc, &options, state, bytes, &r, NULL, 0);
    want_status(status, CONVK_OK);
    if (!(r.energy.mean + (suite.quick ? 2 : 8) * r.energy.error < before[v->fused]))
      fail("from %g to %g +- %g", before[v->fused], r.energy.mean, r.energy.error);
    if (vmc.system.trial.p0 != 0.4 || vmc.system.trial.p2 != 0) fail("a fixed parameter changed");
    if (vmc.system.trial.p5 == 90 || vmc.system.trial.p1 == 0.2) fail("a free parameter stayed");
    if (!same(r.energy.mean, vmc_results(state, bytes).energy.mean)) fail("the result is not that of the state");
    if (bits[v->fused] && !v->device && memcmp(bits[v->fused], state, bytes)) fail("other bits than the first of its class");
    end_case();
    if (!bits[v->fused] && !v->device) bits[v->fused] = state;
    else free(state);
  }
  free(bits[0]);
  free(bits[1]);
}

/* --------------------------------------------------------------------------------------------------------------- errors -- */

enum { VMC_R, VMC_TO, VMC_GRADIENT, VMC_RESULT, VMC_FLAGS, VMC_STATE, VMC_BUFFERS };
enum { VMC_N = 6, VMC_WALKERS = 3, VMC_ROOM = 8192 };

/* Good arguments of one operation, for tests that spoil one of them. */
typedef struct vmc_stage {
  int type, device;
  guard buffers[VMC_BUFFERS];
  unsigned char *before[VMC_BUFFERS];
  convk copy;
  convk_pair_potential potential;
  convk_pair_system system;
  convk_pair_walkers walkers;
  convk_vmc vmc;
  vmc_call call;
  hook failing;
  double table[8];
  variant *v;
} vmc_stage;

static vmc_stage *vmc_reset(vmc_stage *s) {
  const size_t size = types[s->type].size;
  vmc_call *k = &s->call;
  const int operation = k->operation;
  size_t i;
  s->copy = s->v->hw;
  s->potential = convk_pair_lm2m2();
  s->vmc = vmc_setup(VMC_N, VMC_WALKERS, 4, V_LM2M2, 1);
  s->system = s->vmc.system;
  memset(&s->walkers, 0, sizeof s->walkers);
  s->walkers.walkers = VMC_WALKERS;
  s->walkers.pitch = VMC_N + 1;
  s->walkers.stride = 3 * VMC_N + 5;
  for (i = 0; i < 8; i++) s->table[i] = (double)i;
  memset(k, 0, sizeof *k);
  k->operation = operation;
  k->hw = s->device ? &s->v->hw : &s->copy;
  k->potential = &s->potential;
  k->n = 20;
  k->system = &s->system;
  k->walkers = &s->walkers;
  k->particle = 2;
  k->r = s->buffers[VMC_R].data;
  k->to = s->buffers[VMC_TO].data;
  k->gradient = s->buffers[VMC_GRADIENT].data;
  k->result = s->buffers[VMC_RESULT].data;
  k->accept = s->buffers[VMC_FLAGS].data;
  k->vmc = &s->vmc;
  k->sweeps = 5;
  k->state = s->buffers[VMC_STATE].data;
  k->state_size = vmc_types[s->type].bytes(&s->vmc);
  for (i = 0; i < VMC_BUFFERS; i++) memcpy(s->buffers[i].data, s->before[i], s->buffers[i].bytes);
  (void)size;
  return s;
}

static void vmc_stage_new(vmc_stage *s, variant *v, int type, int operation) {
  uint64_t rng = 5;
  size_t i, n;
  memset(s, 0, sizeof *s);
  s->type = type;
  s->device = v->device;
  s->v = v;
  s->call.operation = operation;
  s->failing = hook_new(HOOK_FAILS, 3, 1);
  for (i = 0; i < VMC_BUFFERS; i++) {
    s->buffers[i] = guard_new(VMC_ROOM, AT_START, 0);
    s->before[i] = (unsigned char *)need(VMC_ROOM);
    memset(s->before[i], 0, VMC_ROOM);
  }
  for (n = 0; n < 3 * VMC_ROOM / 4 / types[type].size; n++) {
    put(type, s->before[VMC_R], n, 3 + 2.9 * random_unit(&rng));
    put(type, s->before[VMC_TO], n, 3 + 2.9 * random_unit(&rng));
    put(type, s->before[VMC_GRADIENT], n, random_unit(&rng));
  }
  for (i = 0; i < VMC_BUFFERS; i++)
    if (i >= VMC_RESULT) memset(s->before[i], i == VMC_FLAGS ? 1 : FILL_, VMC_ROOM);
  {
    const convk_vmc vmc = vmc_setup(VMC_N, VMC_WALKERS, 4, V_LM2M2, 1);
    if (vmc_types[type].begin(&vmc, NULL, s->buffers[VMC_STATE].data, VMC_ROOM)) exit(2);
    memcpy(s->before[VMC_STATE], s->buffers[VMC_STATE].data, VMC_ROOM);
  }
  vmc_reset(s);
}

static void vmc_stage_end(vmc_stage *s) {
  size_t i;
  for (i = 0; i < VMC_BUFFERS; i++) {
    guard_free(&s->buffers[i]);
    free(s->before[i]);
  }
}

/* An open handle says this of a refusal, and nothing after success. */
static void want_says(const convk *hw, int status, const char *says) {
  if (!hw) return;
  if (status ? !strstr(hw->message, says) || !*says != !hw->message[0] : hw->message[0])
    fail("status %d says '%s', not '%s'", status, hw->message, says);
}

/* What was there before the call must be there after an error; inputs after success, too.  altered: bytes that the test itself
   changed lie in this buffer, which is then compared with what it was at the call. */
static void vmc_stage_expect(vmc_stage *s, int wanted, const char *says, const char *what) {
  const long live = heap.live, total = heap.total;
  const int operation = s->call.operation;
  unsigned char *at[VMC_BUFFERS];
  int status, wrote = 0;
  size_t i;
  describe("%s", what);
  begin_case();
  for (i = 0; i < VMC_BUFFERS; i++) at[i] = (unsigned char *)memcpy(need(VMC_ROOM), s->buffers[i].data, VMC_ROOM);
  status = vmc_types[s->type].call(&s->call);
  want_status(status, wanted);
  if (status != CONVK_ERR_HANDLE) want_says(s->call.hw, status, says);
  want_returned(live);
  if (!s->device) want_checked_first(wanted, total);
  for (i = 0; i < VMC_BUFFERS; i++) {
    const int output =
        (operation == VMC_POTENTIAL && i == VMC_TO) || (operation == VMC_POTENTIAL && i == VMC_R) ||
        (operation == VMC_ENERGY && (i == VMC_GRADIENT || i == VMC_RESULT)) || (operation == VMC_MOVE && i == VMC_RESULT) ||
        (operation == VMC_ACCEPT && (i == VMC_R || i == VMC_GRADIENT)) || (operation == VMC_RUN && i == VMC_STATE);
    const int changed = memcmp(s->buffers[i].data, at[i], VMC_ROOM) != 0;
    if (changed && (wanted ? wanted != CONVK_ERR_THREADS || operation == VMC_RUN : !output))
      fail("array %d was written", (int)i);
    wrote |= changed;
    if (!guard_intact(&s->buffers[i])) fail("memory around array %d was written", (int)i);
    free(at[i]);
  }
  if (!wanted && !wrote && s->walkers.walkers && s->call.n && s->call.sweeps) fail("nothing was written");
  end_case();
}

#define VMC_SPOIL(expected, says, ...) \
  do { \
    vmc_stage *c = vmc_reset(s); \
    vmc_call *k = &c->call; \
    (void)k; \
    __VA_ARGS__; \
    vmc_stage_expect(s, expected, says, #__VA_ARGS__); \
  } while (0)

/* A system that cannot be, in whatever operation. */
#define VMC_SYSTEM(expected, says, ...) \
  VMC_SPOIL(expected, says, convk_pair_system *y = k->operation == VMC_RUN ? &c->vmc.system : &c->system; __VA_ARGS__)

static void vmc_errors_handle(vmc_stage *s) {
  VMC_SPOIL(CONVK_OK, "", (void)c);
  VMC_SPOIL(CONVK_ERR_NULL, "", k->hw = NULL);
  if (!s->device) {
    VMC_SPOIL(CONVK_OK, "", k->hw = NULL; k->name = c->v->name);
    VMC_SPOIL(CONVK_ERR_HANDLE, "", memset(&c->copy, 0, sizeof c->copy));
    VMC_SPOIL(CONVK_ERR_HANDLE, "", c->copy.version += 100);
    VMC_SPOIL(CONVK_ERR_HANDLE, "", c->copy.size--; k->name = c->v->name);
  }
}

static void vmc_errors_potential(vmc_stage *s, convk_pair_potential *p, int run) {
  int kind, i;
#define VMC_BAD(expected, says, ...) \
  do { \
    convk_pair_potential bad; \
    vmc_reset(s); \
    bad = *p; \
    { __VA_ARGS__; } \
    *p = bad; \
    if (run && ((expected) == CONVK_OK || (expected) == CONVK_ERR_RANGE)) \
      vmc_stage_expect(s, CONVK_ERR_SETUP, "state is of another system", #__VA_ARGS__); \
    else vmc_stage_expect(s, expected, says, #__VA_ARGS__); \
  } while (0)
  for (i = 0; i < 3; i++) {
    const double x = not_finite(i);
    VMC_BAD(CONVK_ERR_NONFINITE, "epsilon is not finite", bad.epsilon = x);
    VMC_BAD(CONVK_ERR_NONFINITE, "rm is not finite", bad.rm = x);
    VMC_BAD(CONVK_ERR_NONFINITE, "a is not finite", bad.a = x);
    VMC_BAD(CONVK_ERR_NONFINITE, "alpha is not finite", bad.alpha = x);
    VMC_BAD(CONVK_ERR_NONFINITE, "beta is not finite", bad.beta = x);
    VMC_BAD(CONVK_ERR_NONFINITE, "c6 is not finite", bad.c6 = x);
    VMC_BAD(CONVK_ERR_NONFINITE, "c8 is not finite", bad.c8 = x);
    VMC_BAD(CONVK_ERR_NONFINITE, "c10 is not finite", bad.c10 = x);
    VMC_BAD(CONVK_ERR_NONFINITE, "d is not finite", bad.d = x);
    VMC_BAD(CONVK_ERR_NONFINITE, "bump is not finite", bad.bump = x);
    VMC_BAD(CONVK_ERR_NONFINITE, "x1 is not finite", bad.x1 = x);
    VMC_BAD(CONVK_ERR_NONFINITE, "x2 is not finite", bad.x2 = x);
    VMC_BAD(CONVK_ERR_NONFINITE, "epsilon is not finite", bad = convk_pair_lennard_jones(x, 2));
    VMC_BAD(CONVK_ERR_NONFINITE, "rm is not finite", bad = convk_pair_lennard_jones(2, x));
    VMC_BAD(CONVK_ERR_NONFINITE, "first is not finite", bad = convk_pair_table(x, 1, 8, s->table));
    VMC_BAD(CONVK_ERR_NONFINITE, "spacing is not finite", bad = convk_pair_table(1, x, 8, s->table));
    VMC_BAD(CONVK_ERR_NONFINITE, "values[0] is not finite", bad = convk_pair_table(1, 1, 8, s->table); s->table[0] = x);
    VMC_BAD(CONVK_ERR_NONFINITE, "values[7] is not finite", bad = convk_pair_table(1, 1, 8, s->table); s->table[7] = x);
  }
  for (kind = -1; kind < 2; kind++)
    VMC_BAD(CONVK_ERR_OPTION, "kind is", bad.kind = kind < 0 ? -1 : kind ? INT_MAX : CONVK_POTENTIAL_TABLE + 1);
  VMC_BAD(CONVK_ERR_POTENTIAL, "epsilon is", bad.epsilon = 0);
  VMC_BAD(CONVK_ERR_POTENTIAL, "epsilon is", bad.epsilon = -1);
  VMC_BAD(CONVK_ERR_POTENTIAL, "rm is", bad.rm = 0);
  VMC_BAD(CONVK_ERR_POTENTIAL, "rm is", bad.rm = -3);
  VMC_BAD(CONVK_ERR_POTENTIAL, "a is", bad.a = 0);
  VMC_BAD(CONVK_ERR_POTENTIAL, "alpha is", bad.alpha = 0);
  VMC_BAD(CONVK_ERR_POTENTIAL, "beta is", bad.beta = 1e-9);
  VMC_BAD(CONVK_ERR_POTENTIAL, "c6 is", bad.c6 = 0);
  VMC_BAD(CONVK_ERR_POTENTIAL, "d is", bad.d = -1e-9);
  VMC_BAD(CONVK_ERR_POTENTIAL, "x1 is", bad.x1 = 0);
  VMC_BAD(CONVK_ERR_POTENTIAL, "x2 is", bad.x2 = bad.x1);
  VMC_BAD(CONVK_ERR_POTENTIAL, "epsilon is not positive", bad = convk_pair_lennard_jones(0, 2));
  VMC_BAD(CONVK_ERR_POTENTIAL, "rm is not positive", bad = convk_pair_lennard_jones(2, 0));
  VMC_BAD(CONVK_ERR_POTENTIAL, "entries is 3", bad = convk_pair_table(1, 1, 3, s->table));
  VMC_BAD(CONVK_ERR_POTENTIAL, "spacing is not positive", bad = convk_pair_table(1, 0, 8, s->table));
  VMC_BAD(CONVK_ERR_POTENTIAL, "spacing is not positive", bad = convk_pair_table(1, -1, 8, s->table));
  VMC_BAD(CONVK_ERR_POTENTIAL, "first is negative", bad = convk_pair_table(-1e-9, 1, 8, s->table));
  VMC_BAD(CONVK_ERR_POTENTIAL, "entries is", bad = convk_pair_table(1, 1, HUGE_, s->table));
  VMC_BAD(CONVK_ERR_NULL, "values is NULL", bad = convk_pair_table(1, 1, 8, NULL));
  /* what a type cannot hold */
  VMC_BAD(CONVK_ERR_RANGE, "rm", bad = convk_pair_lennard_jones(10, s->type ? 1e26 : 1e4));
  VMC_BAD(CONVK_ERR_RANGE, "a is too large", bad.a = s->type ? 1e308 : 1e38);
  VMC_BAD(CONVK_ERR_RANGE, "c10 is too large", bad.c10 = s->type ? 1e300 : 1e30);
  VMC_BAD(CONVK_ERR_RANGE, "rm is too large", bad.rm = s->type ? 1e-310 : 1e-300);
  /* what is of no meaning may be anything */
  VMC_BAD(CONVK_OK, "", bad.bump = 0; bad.x1 = bad.x2 = NAN);
  VMC_BAD(CONVK_OK, "", bad = convk_pair_lennard_jones(10, 2.5); bad.alpha = NAN; bad.bump = INFINITY);
  VMC_BAD(CONVK_OK, "", bad.c8 = -1; bad.c10 = 0; bad.d = 0);
  VMC_BAD(CONVK_OK, "", bad = convk_pair_table(0, 1, 4, s->table));
#undef VMC_BAD
}

static void vmc_errors_system(vmc_stage *s) {
  const int run = s->call.operation == VMC_RUN, other = run ? CONVK_ERR_SETUP : CONVK_OK,
            range = run ? CONVK_ERR_SETUP : CONVK_ERR_RANGE;
  const char *const says = run ? "state is of another system" : "";
  int i, d;
  for (i = 0; i < 3; i++) {
    const double x = not_finite(i);
    VMC_SYSTEM(CONVK_ERR_NONFINITE, "trial.p5 is not finite", y->trial.p5 = x);
    VMC_SYSTEM(CONVK_ERR_NONFINITE, "trial.p2 is not finite", y->trial.p2 = x);
    VMC_SYSTEM(CONVK_ERR_NONFINITE, "trial.p0 is not finite", y->trial.p0 = x);
    VMC_SYSTEM(CONVK_ERR_NONFINITE, "trial.p1 is not finite", y->trial.p1 = x);
    for (d = 0; d < 3; d++) VMC_SYSTEM(CONVK_ERR_NONFINITE, "box[", y->box[d] = x);
    VMC_SYSTEM(CONVK_ERR_NONFINITE, "cutoff is not finite", y->cutoff = x);
    VMC_SYSTEM(CONVK_ERR_NONFINITE, "hbar2_2m is not finite", y->hbar2_2m = x);
  }
  VMC_SYSTEM(CONVK_ERR_SIZE, "particles is", y->particles = 0);
  VMC_SYSTEM(CONVK_ERR_PARTICLES, "particles is", y->particles = 1);
  VMC_SYSTEM(CONVK_ERR_OVERFLOW, "particles is", y->particles = HUGE_);
  VMC_SYSTEM(CONVK_ERR_OVERFLOW, "particles is", y->particles = SIZE_MAX);
  for (d = 0; d < 3; d++) {
    VMC_SYSTEM(CONVK_ERR_BOX, "] is 0, and others are not", y->box[d] = 0);
    VMC_SYSTEM(CONVK_ERR_BOX, "] is less than 1 / 64", y->box[d] = -7);
    VMC_SYSTEM(CONVK_ERR_BOX, "box[", y->box[d] = 0.015);
    VMC_SYSTEM(CONVK_ERR_BOX, "box[", y->box[0] = y->box[1] = y->box[2] = 0; y->box[d] = 20);
    VMC_SYSTEM(CONVK_ERR_BOX, "cutoff is", y->box[d] = 6; y->cutoff = 3.001);
  }
  VMC_SYSTEM(other, says, y->box[1] = 6; y->cutoff = 3);
  VMC_SYSTEM(CONVK_ERR_BOX, "cutoff is", y->cutoff = 1e300);
  VMC_SYSTEM(CONVK_ERR_BOX, "cutoff is", y->cutoff = 0.007);
  VMC_SYSTEM(CONVK_ERR_BOX, "cutoff is", y->box[0] = y->box[1] = y->box[2] = 0; y->cutoff = 1e-5);
  VMC_SYSTEM(CONVK_ERR_OPTION, "cutoff is", y->cutoff = -1);
  VMC_SYSTEM(CONVK_ERR_OPTION, "hbar2_2m is", y->hbar2_2m = -1e-9);
  VMC_SYSTEM(range, run ? says : "system->trial.p5 is too large", y->trial.p5 = s->type ? 1e308 : 1e38);
  VMC_SYSTEM(range, run ? says : "system->trial.p1 is too large", y->trial.p1 = s->type ? 1e308 : 1e39;
             y->box[0] = y->box[1] = y->box[2] = s->type ? 1e9 : 20);
  VMC_SYSTEM(other, says, y->box[0] = y->box[1] = y->box[2] = 0; y->cutoff = 0);
  VMC_SYSTEM(other, says, y->box[0] = y->box[1] = y->box[2] = 0; y->cutoff = 1e20);
}

static void vmc_errors_walkers(vmc_stage *s) {
  const size_t size = types[s->type].size;
  const int operation = s->call.operation;
  int i;
  VMC_SPOIL(CONVK_ERR_NULL, "system is NULL", k->system = NULL);
  VMC_SPOIL(CONVK_ERR_NULL, "walkers is NULL", k->walkers = NULL);
  VMC_SPOIL(CONVK_ERR_NULL, "r is NULL", k->r = NULL);
  VMC_SPOIL(CONVK_ERR_PITCH, "walkers->pitch is", c->walkers.pitch = VMC_N - 1);
  VMC_SPOIL(CONVK_ERR_PITCH, "walkers->pitch is", c->walkers.pitch = 1);
  VMC_SPOIL(CONVK_ERR_PITCH, "walkers->stride is", c->walkers.pitch = VMC_N; c->walkers.stride = 3 * VMC_N - 1);
  VMC_SPOIL(CONVK_ERR_PITCH, "walkers->stride is", c->walkers.pitch = VMC_N + 2; c->walkers.stride = 3 * VMC_N + 3);
  VMC_SPOIL(CONVK_OK, "", c->walkers.pitch = VMC_N + 2; c->walkers.stride = 3 * VMC_N + 4);
  VMC_SPOIL(CONVK_OK, "", c->walkers.pitch = VMC_N; c->walkers.stride = 1; c->walkers.walkers = 1);
  VMC_SPOIL(CONVK_ERR_OVERFLOW, "walkers->walkers", c->walkers.walkers = HUGE_; c->walkers.stride = 0; c->walkers.pitch = 0);
  VMC_SPOIL(CONVK_ERR_OVERFLOW, "walkers->walkers", c->walkers.walkers = SIZE_MAX / 100);
  VMC_SPOIL(CONVK_ERR_OVERFLOW, "walkers->walkers", c->walkers.walkers = 2; c->walkers.stride = SIZE_MAX / 4 / size);
  VMC_SPOIL(CONVK_ERR_OVERFLOW, "walkers->stride", c->walkers.stride = HUGE_);
  VMC_SPOIL(CONVK_ERR_OVERFLOW, "walkers->pitch is", c->walkers.pitch = HUGE_; c->walkers.stride = 0);
  VMC_SPOIL(CONVK_OK, "", c->walkers.walkers = 0);
  VMC_SPOIL(CONVK_OK, "", c->walkers.walkers = 0; k->r = k->to = k->result = k->gradient = NULL; k->accept = NULL);
  for (i = 0; i < 3; i++) {
    const double x = not_finite(i);
    VMC_SPOIL(CONVK_ERR_COORDINATE, "r[", put(c->type, k->r, 0, x));
    VMC_SPOIL(CONVK_ERR_COORDINATE, "r[", put(c->type, k->r, VMC_N - 1, x));
    VMC_SPOIL(CONVK_ERR_COORDINATE, "r[", put(c->type, k->r, 2 * (3 * VMC_N + 5) + 2 * (VMC_N + 1) + VMC_N - 1, x));
    VMC_SPOIL(CONVK_ERR_COORDINATE, "r[", c->walkers.pitch = VMC_N; put(c->type, k->r, 2 * (3 * VMC_N + 5) + 3 * VMC_N - 1, x));
    VMC_SPOIL(CONVK_ERR_COORDINATE, "r[", put(c->type, k->r, 0, 1e30); put(c->type, k->r, VMC_N - 1, x)); /* which is worse */
    VMC_SPOIL(CONVK_OK, "", put(c->type, k->r, VMC_N, x));                                                /* between rows */
  }
  VMC_SPOIL(CONVK_ERR_RANGE, "r[", put(c->type, k->r, 3, c->type ? 268435457. : 16385.));
  VMC_SPOIL(CONVK_ERR_RANGE, "r[",
            put(c->type, k->r, 2 * (3 * VMC_N + 5) + 2 * (VMC_N + 1) + VMC_N - 1, c->type ? -268435457. : -16385.));
  VMC_SPOIL(CONVK_OK, "", put(c->type, k->r, 3, c->type ? -268435456. : 16384.));
  if (operation == VMC_ENERGY) {
    const size_t span = (2 * (3 * VMC_N + 5) + 2 * (VMC_N + 1) + VMC_N) * size;
    VMC_SPOIL(CONVK_ERR_NULL, "result is NULL", k->result = NULL);
    VMC_SPOIL(CONVK_OK, "", k->gradient = NULL);
    VMC_SPOIL(CONVK_ERR_OPTION, "want is", k->want = 16);
    VMC_SPOIL(CONVK_ERR_OPTION, "want is", k->want = -1);
    VMC_SPOIL(CONVK_ERR_OPTION, "want is", k->want = 15 + 32);
    VMC_SPOIL(CONVK_OK, "", k->want = CONVK_PAIR_KINETIC);
    VMC_SPOIL(CONVK_ERR_OVERLAP, "overlaps", k->gradient = k->r);
    VMC_SPOIL(CONVK_ERR_OVERLAP, "overlaps", k->gradient = (char *)k->r + span - 1);
    if (!s->device) /* devices do not look at it: they need none */
      VMC_SPOIL(CONVK_ERR_OVERLAP, "overlaps", k->work = (char *)k->r - 8; k->work_size = (size_t)1 << 20);
    VMC_SPOIL(CONVK_ERR_OVERLAP, "overlaps", k->r = (char *)k->gradient + span - size);
    VMC_SPOIL(CONVK_ERR_OVERLAP, "overlaps", k->result = (char *)k->r + span / 8 * 8 - (span % 8 ? 0 : 8));
    VMC_SPOIL(CONVK_ERR_OVERLAP, "overlaps", k->result = (char *)k->gradient + 16);
    VMC_SPOIL(CONVK_ERR_OVERLAP, "overlaps", k->gradient = (char *)k->result + VMC_WALKERS * sizeof(convk_pair_result) - size);
    VMC_SPOIL(CONVK_OK, "", k->gradient = (char *)k->result + VMC_WALKERS * sizeof(convk_pair_result)); /* they touch */
    if (!s->device) {
      const size_t bytes = vmc_types[s->type].energy_work(&s->v->hw, VMC_N, VMC_WALKERS);
      guard work = guard_new(bytes, AT_END, 0);
      VMC_SPOIL(CONVK_OK, "", k->work = work.data; k->work_size = bytes);
      memset(work.data, FILL_, bytes);
      VMC_SPOIL(CONVK_ERR_WORK, "work_size is", k->work = work.data; k->work_size = bytes - 1);
      VMC_SPOIL(CONVK_ERR_WORK, "work_size is", k->work = work.data; k->work_size = 0);
      CHECK(all_fill(work.data, work.data + bytes));
      heap.until_failure = 0;
      VMC_SPOIL(CONVK_ERR_MEMORY, "no memory for", (void)c);
      heap.until_failure = -1;
      VMC_SPOIL(CONVK_ERR_THREADS, "", c->copy.parallel.threads = 3; c->copy.parallel.run = hook_run;
                c->copy.parallel.ctx = &c->failing);
      VMC_SPOIL(CONVK_OK, "", c->copy.parallel.threads = 1; c->copy.parallel.run = hook_run;
                c->copy.parallel.ctx = &c->failing);
      VMC_SPOIL(CONVK_OK, "", c->copy.parallel.threads = 3; c->copy.parallel.run = NULL);
      guard_free(&work);
    }
    return;
  }
  VMC_SPOIL(CONVK_ERR_NULL, "to is NULL", k->to = NULL);
  VMC_SPOIL(CONVK_ERR_INDEX, "particle is", k->particle = VMC_N);
  VMC_SPOIL(CONVK_ERR_INDEX, "particle is", k->particle = SIZE_MAX);
  VMC_SPOIL(CONVK_OK, "", k->particle = VMC_N - 1);
  for (i = 0; i < 3; i++) {
    const double x = not_finite(i);
    VMC_SPOIL(CONVK_ERR_COORDINATE, "to[", put(c->type, k->to, 0, x));
    VMC_SPOIL(CONVK_ERR_COORDINATE, "to[", put(c->type, k->to, 3 * VMC_WALKERS - 1, x));
    VMC_SPOIL(CONVK_OK, "", put(c->type, k->to, 3 * VMC_WALKERS, x));
  }
  VMC_SPOIL(CONVK_ERR_RANGE, "to[", put(c->type, k->to, 4, c->type ? 268435457. : 16385.));
  if (operation == VMC_MOVE) {
    VMC_SPOIL(CONVK_ERR_NULL, "result is NULL", k->result = NULL);
    VMC_SPOIL(CONVK_ERR_OVERLAP, "overlaps", k->result = k->r);
    VMC_SPOIL(CONVK_ERR_OVERLAP, "overlaps", k->result = k->to);
    VMC_SPOIL(CONVK_ERR_OVERLAP, "overlaps", k->to = (char *)k->result + VMC_WALKERS * sizeof(convk_pair_move_result) - 8;
              memcpy(k->to, k->r, 80));
    VMC_SPOIL(CONVK_OK, "", k->to = k->r);
  } else {
    VMC_SPOIL(CONVK_OK, "", k->gradient = NULL);
    VMC_SPOIL(CONVK_OK, "", k->accept = NULL);
    VMC_SPOIL(CONVK_ERR_OVERLAP, "overlaps", k->gradient = k->r);
    VMC_SPOIL(CONVK_ERR_OVERLAP, "overlaps", k->to = k->r);
    VMC_SPOIL(CONVK_ERR_OVERLAP, "overlaps", k->to = k->gradient);
    VMC_SPOIL(CONVK_ERR_OVERLAP, "overlaps", k->accept = (const unsigned char *)k->r + 5);
    VMC_SPOIL(CONVK_ERR_OVERLAP, "overlaps", k->accept = (const unsigned char *)k->gradient);
    VMC_SPOIL(CONVK_OK, "", k->accept = (const unsigned char *)k->to);
  }
}

static void vmc_errors(int type) {
  int operation;
  for (operation = VMC_POTENTIAL; operation <= VMC_ACCEPT; operation++) {
    size_t number = 0;
    variant *v;
    suite.operation = vmc_names[operation];
    while ((v = vmc_next(&number, type, operation, 1)) != NULL) {
      vmc_stage one, *s = &one;
      if (suite.quick && !strcmp(v->name, "sse2")) continue;
      vmc_stage_new(s, v, type, operation);
      vmc_errors_handle(s);
      vmc_errors_potential(s, operation == VMC_POTENTIAL ? &s->potential : &s->system.potential, 0);
      if (operation != VMC_POTENTIAL) {
        vmc_errors_system(s);
        vmc_errors_walkers(s);
      } else {
        VMC_SPOIL(CONVK_ERR_NULL, "potential is NULL", k->potential = NULL);
        VMC_SPOIL(CONVK_ERR_NULL, "r is NULL", k->r = NULL);
        VMC_SPOIL(CONVK_ERR_NULL, "v is NULL", k->to = NULL);
        VMC_SPOIL(CONVK_OK, "", k->n = 0);
        VMC_SPOIL(CONVK_OK, "", k->to = k->r);
        VMC_SPOIL(CONVK_ERR_OVERFLOW, "n is", k->n = HUGE_);
        VMC_SPOIL(CONVK_ERR_OVERLAP, "overlaps", k->to = (char *)k->r + types[c->type].size);
        VMC_SPOIL(CONVK_ERR_OVERLAP, "overlaps", k->r = (char *)k->to + 20 * types[c->type].size - 1);
        VMC_SPOIL(CONVK_OK, "", k->to = (char *)k->r + 20 * types[c->type].size);
      }
      vmc_stage_end(s);
    }
  }
}

static void vmc_run_errors(int type) {
  size_t number = 0;
  variant *v;
  int i;
  suite.operation = vmc_names[VMC_RUN];
  while ((v = vmc_next(&number, type, VMC_RUN, 1)) != NULL) {
    vmc_stage one, *s = &one;
    size_t bytes;
    if (suite.quick && !strcmp(v->name, "sse2")) continue;
    vmc_stage_new(s, v, type, VMC_RUN);
    bytes = vmc_types[type].bytes(&s->vmc);
    vmc_errors_handle(s);
    vmc_errors_potential(s, &s->vmc.system.potential, 1);
    vmc_errors_system(s);
    VMC_SPOIL(CONVK_ERR_NULL, "vmc is NULL", k->vmc = NULL);
    VMC_SPOIL(CONVK_ERR_NULL, "state is NULL", k->state = NULL);
    VMC_SPOIL(CONVK_ERR_STATE, "state_size is", k->state_size = bytes - 1);
    VMC_SPOIL(CONVK_ERR_STATE, "state_size is", k->state_size = 0);
    VMC_SPOIL(CONVK_OK, "", k->sweeps = 0);
    VMC_SPOIL(CONVK_ERR_SIZE, "vmc->walkers", c->vmc.walkers = 0);
    VMC_SPOIL(CONVK_ERR_OVERFLOW, "vmc->walkers", c->vmc.walkers = HUGE_);
    VMC_SPOIL(CONVK_ERR_OVERFLOW, "vmc->walkers is more than 2^30", c->vmc.walkers = ((size_t)1 << 30) + 1);
    VMC_SPOIL(CONVK_ERR_OPTION, "vmc->moves", c->vmc.moves = 2);
    VMC_SPOIL(CONVK_ERR_OPTION, "vmc->moves", c->vmc.moves = -1);
    VMC_SPOIL(CONVK_ERR_OPTION, "vmc->drift", c->vmc.drift = 2);
    VMC_SPOIL(CONVK_ERR_OPTION, "vmc->drift", c->vmc.drift = -1);
    VMC_SPOIL(CONVK_ERR_OPTION, "vmc->step", c->vmc.step = -1e-9);
    VMC_SPOIL(CONVK_ERR_OPTION, "vmc->acceptance", c->vmc.acceptance = 1);
    for (i = 0; i < 3; i++) {
      VMC_SPOIL(CONVK_ERR_NONFINITE, "vmc->step", c->vmc.step = not_finite(i));
      VMC_SPOIL(CONVK_ERR_NONFINITE, "vmc->acceptance", c->vmc.acceptance = not_finite(i));
    }
    if (!s->device) {
      const size_t size = vmc_types[type].work(&s->v->hw, &vmc_reset(s)->vmc);
      guard work = guard_new(size, AT_END, 0);
      VMC_SPOIL(CONVK_OK, "", k->work = work.data; k->work_size = size);
      memset(work.data, FILL_, size);
      VMC_SPOIL(CONVK_ERR_WORK, "work_size is", k->work = work.data; k->work_size = size - 1);
      VMC_SPOIL(CONVK_ERR_WORK, "work_size is", k->work = work.data; k->work_size = 0);
      VMC_SPOIL(CONVK_ERR_OVERLAP, "overlaps", k->work = c->buffers[VMC_STATE].data; k->work_size = size);
      VMC_SPOIL(CONVK_ERR_OVERLAP, "overlaps", k->work = c->buffers[VMC_STATE].data + k->state_size - 1; k->work_size = size);
      CHECK(all_fill(work.data, work.data + size));
      heap.until_failure = 0;
      VMC_SPOIL(CONVK_ERR_MEMORY, "no memory for", (void)c);
      heap.until_failure = -1;
      VMC_SPOIL(CONVK_ERR_THREADS, "", c->copy.parallel.threads = 3; c->copy.parallel.run = hook_run;
                c->copy.parallel.ctx = &c->failing);
      guard_free(&work);
    }
    vmc_stage_end(s);
  }
}

/* What has no handle: beginnings, checks, results, positions, sizes. */
/* A good start of a run, to be spoilt. */
typedef struct vmc_opening {
  int type;
  size_t bytes, count; /* of the state; coordinates */
  guard state, r;
  convk_vmc now;
} vmc_opening;

static void vmc_opening_reset(vmc_opening *s) {
  size_t i;
  s->now = vmc_setup(VMC_N, VMC_WALKERS, 4, V_LM2M2, 1);
  for (i = 0; i < s->count; i++) put(s->type, s->r.data, i, 0.5 + (double)i);
  memset(s->state.data, FILL_, s->bytes);
}

static void vmc_opening_expect(vmc_opening *s, int wanted, const char *says, const void *from, void *where, size_t size,
                               const char *what) {
  int status;
  describe("convk_vmc_begin: %s", what);
  begin_case();
  status = vmc_types[s->type].begin(&s->now, from, where, size);
  want_status(status, wanted);
  want_says(vmc_teller(), status, says);
  if (status && !all_fill(s->state.data, s->state.data + s->bytes)) fail("the state was written");
  if (!status && !guard_intact(&s->state)) fail("memory around the state was written");
  if (!status) VMC_EXPECT(!vmc_types[s->type].check(&s->now, s->state.data, s->bytes));
  end_case();
}

#define VMC_BEGIN(wanted, says, from, where, size, ...) \
  do { \
    vmc_opening_reset(s); \
    __VA_ARGS__; \
    vmc_opening_expect(s, wanted, says, from, where, size, #__VA_ARGS__ " " #from " " #size); \
  } while (0)

static void vmc_begin_errors(vmc_opening *s) {
  VMC_BEGIN(CONVK_OK, "", NULL, s->state.data, s->bytes, (void)0);
  VMC_BEGIN(CONVK_OK, "", s->r.data, s->state.data, s->bytes, (void)0);
  VMC_BEGIN(CONVK_ERR_NULL, "state is NULL", NULL, NULL, s->bytes, (void)0);
  VMC_BEGIN(CONVK_ERR_STATE, "state_size is", NULL, s->state.data, s->bytes - 1, (void)0);
  VMC_BEGIN(CONVK_ERR_STATE, "state_size is", s->r.data, s->state.data, 0, (void)0);
  VMC_BEGIN(CONVK_ERR_SIZE, "vmc->walkers", NULL, s->state.data, s->bytes, s->now.walkers = 0);
  VMC_BEGIN(CONVK_ERR_OVERFLOW, "vmc->walkers", NULL, s->state.data, s->bytes, s->now.walkers = HUGE_);
  VMC_BEGIN(CONVK_ERR_OVERFLOW, "vmc->walkers", NULL, s->state.data, s->bytes, s->now.walkers = (size_t)1 << 30;
            s->now.system.particles = (size_t)1 << 30);
  VMC_BEGIN(CONVK_ERR_SIZE, "vmc->system.particles", NULL, s->state.data, s->bytes, s->now.system.particles = 0);
  VMC_BEGIN(CONVK_ERR_PARTICLES, "vmc->system.particles", NULL, s->state.data, s->bytes, s->now.system.particles = 1);
  VMC_BEGIN(CONVK_ERR_OPTION, "vmc->moves", NULL, s->state.data, s->bytes, s->now.moves = 3);
  VMC_BEGIN(CONVK_ERR_OPTION, "vmc->drift", NULL, s->state.data, s->bytes, s->now.drift = 5);
  VMC_BEGIN(CONVK_ERR_OPTION, "vmc->step", NULL, s->state.data, s->bytes, s->now.step = -1);
  VMC_BEGIN(CONVK_ERR_OPTION, "vmc->acceptance", NULL, s->state.data, s->bytes, s->now.acceptance = 1.5);
  VMC_BEGIN(CONVK_ERR_NONFINITE, "vmc->step", NULL, s->state.data, s->bytes, s->now.step = NAN);
  VMC_BEGIN(CONVK_ERR_NONFINITE, "vmc->acceptance", NULL, s->state.data, s->bytes, s->now.acceptance = -INFINITY);
  VMC_BEGIN(CONVK_ERR_NONFINITE, "vmc->system.trial.p1", NULL, s->state.data, s->bytes, s->now.system.trial.p1 = NAN);
  VMC_BEGIN(CONVK_ERR_BOX, "vmc->system.box", NULL, s->state.data, s->bytes, s->now.system.box[2] = 0);
  VMC_BEGIN(CONVK_ERR_BOX, "vmc->system.cutoff", NULL, s->state.data, s->bytes, s->now.system.cutoff = 100);
  VMC_BEGIN(CONVK_ERR_POTENTIAL, "vmc->system.potential.", NULL, s->state.data, s->bytes, s->now.system.potential.a = -1);
  VMC_BEGIN(CONVK_ERR_OPTION, "vmc->system.potential.", NULL, s->state.data, s->bytes, s->now.system.potential.kind = 9);
  VMC_BEGIN(CONVK_ERR_RANGE, "vmc->system.potential.a is too large", NULL, s->state.data, s->bytes,
            s->now.system.potential.a = s->type ? 1e308 : 1e38);
  VMC_BEGIN(CONVK_ERR_COORDINATE, "r[", s->r.data, s->state.data, s->bytes, put(s->type, s->r.data, s->count - 1, NAN));
  VMC_BEGIN(CONVK_ERR_COORDINATE, "r[", s->r.data, s->state.data, s->bytes, put(s->type, s->r.data, 0, -HUGE_VAL));
  VMC_BEGIN(CONVK_ERR_RANGE, "r", s->r.data, s->state.data, s->bytes, put(s->type, s->r.data, 7, 1e9));
  VMC_BEGIN(CONVK_ERR_OVERLAP, "r overlaps state", s->state.data + 64, s->state.data, s->bytes, (void)0);
  VMC_BEGIN(CONVK_ERR_OVERLAP, "r overlaps state", s->state.data + s->bytes - 8, s->state.data, s->bytes, (void)0);
}

static void vmc_open(vmc_opening *s) { s->now.system.box[0] = s->now.system.box[1] = s->now.system.box[2] = 0; }

/* What no run can keep in range: at its limit, and beyond. */
static void vmc_begin_limits(vmc_opening *s) {
  const double most = s->type ? 134217728. : 8192., more = s->type ? 1 : 1. / 64;
  size_t d, i;
  VMC_BEGIN(CONVK_OK, "", s->r.data, s->state.data, s->bytes, vmc_open(s); put(s->type, s->r.data, 7, most));
  VMC_BEGIN(CONVK_ERR_RANGE, "r", s->r.data, s->state.data, s->bytes, vmc_open(s); put(s->type, s->r.data, 7, 1.25 * most));
  VMC_BEGIN(CONVK_ERR_RANGE, "r", s->r.data, s->state.data, s->bytes, vmc_open(s); put(s->type, s->r.data, 7, -1.25 * most));
  VMC_BEGIN(CONVK_OK, "", s->r.data, s->state.data, s->bytes, put(s->type, s->r.data, 7, 1.25 * most)); /* any image will do */
  VMC_BEGIN(CONVK_OK, "", s->r.data, s->state.data, s->bytes, vmc_open(s);
            for (i = 0; i < s->count; i++) put(s->type, s->r.data, i, -1.5 * most)); /* all of it is brought back */
  VMC_BEGIN(CONVK_OK, "", NULL, s->state.data, s->bytes, for (d = 0; d < 3; d++) s->now.system.box[d] = most / 2);
  VMC_BEGIN(CONVK_ERR_RANGE, "vmc->system.box[", NULL, s->state.data, s->bytes,
            for (d = 0; d < 3; d++) s->now.system.box[d] = most / 2 + more);
  VMC_BEGIN(CONVK_ERR_RANGE, "vmc->system.box[", s->r.data, s->state.data, s->bytes,
            for (d = 0; d < 3; d++) s->now.system.box[d] = d ? 20 : most);
  VMC_BEGIN(CONVK_OK, "", NULL, s->state.data, s->bytes, s->now.step = most / 256);
  VMC_BEGIN(CONVK_ERR_RANGE, "vmc->step", NULL, s->state.data, s->bytes, s->now.step = most / 256 + more);
  if (s->type) { /* of the lattice that a run begins with; in f32 no such potential fits */
    VMC_BEGIN(CONVK_OK, "", NULL, s->state.data, s->bytes, vmc_open(s);
              s->now.system.potential = convk_pair_lennard_jones(1e-30, most / 2));
    VMC_BEGIN(CONVK_ERR_RANGE, "vmc->system.potential.", NULL, s->state.data, s->bytes, vmc_open(s);
              s->now.system.potential = convk_pair_lennard_jones(1e-30, most));
  }
}

static void vmc_state_errors(int type) {
  const convk_vmc good = vmc_setup(VMC_N, VMC_WALKERS, 4, V_LM2M2, 1);
  const size_t bytes = vmc_types[type].bytes(&good), count = 3 * VMC_N * VMC_WALKERS;
  guard state = guard_new(bytes, AT_END, 0), r = guard_new(count * types[type].size, AT_END, 0);
  convk_vmc_result result;
  convk_vmc now;
  vmc_opening start;
  suite.operation = "vmc";
  suite.variant = NULL;
  start.type = type;
  start.bytes = bytes;
  start.count = count;
  start.state = state;
  start.r = r;
  vmc_begin_errors(&start);
  vmc_begin_limits(&start);
  describe("NULL");
  CHECK(vmc_types[type].begin(NULL, NULL, state.data, bytes) == CONVK_ERR_NULL);
  CHECK(!vmc_types[type].begin(&good, NULL, state.data, bytes));
  CHECK(vmc_types[type].check(NULL, state.data, bytes) == CONVK_ERR_NULL);
  CHECK(vmc_types[type].check(&good, NULL, bytes) == CONVK_ERR_NULL);
  CHECK(vmc_types[type].results(NULL, bytes, &result) == CONVK_ERR_NULL);
  CHECK(vmc_types[type].results(state.data, bytes, NULL) == CONVK_ERR_NULL);
  CHECK(vmc_types[type].positions(&good, state.data, bytes, NULL) == CONVK_ERR_NULL);
  CHECK(vmc_types[type].positions(NULL, state.data, bytes, r.data) == CONVK_ERR_NULL);
  now = good;
  now.drift = 2;
  CHECK(vmc_types[type].check(&now, state.data, bytes) == CONVK_ERR_OPTION);
  now = good;
  now.system.particles = 1;
  CHECK(vmc_types[type].check(&now, state.data, bytes) == CONVK_ERR_PARTICLES);
  CHECK(vmc_types[type].bytes(&now) == 0 && vmc_types[type].work(NULL, &now) == (size_t)-1);
  now.system.particles = (size_t)1 << 30;
  now.walkers = (size_t)1 << 30;
  CHECK(vmc_types[type].bytes(&now) == 0 && vmc_types[type].work(NULL, &now) == (size_t)-1);
  CHECK(vmc_types[type].bytes(NULL) == 0 && vmc_types[type].work(NULL, NULL) == (size_t)-1);
  CHECK(vmc_types[type].energy_work(NULL, SIZE_MAX, 1) == (size_t)-1);
  CHECK(vmc_types[type].energy_work(NULL, ((size_t)1 << 30) + 1, 1) == (size_t)-1);
  describe("bytes");
  CHECK(bytes >= count * types[type].size && bytes < count * types[type].size + 8192);
  now = good;
  now.walkers++;
  CHECK(vmc_types[type].bytes(&now) == bytes + 3 * VMC_N * types[type].size + sizeof(double));
  CHECK(vmc_types[type].energy_work(NULL, 20, 1000) == vmc_types[type].energy_work(NULL, 20, 1)); /* O(N), of each thread */
  CHECK(vmc_types[type].energy_work(NULL, 4096, 1) < 4096 * 3 * 16 * 2);
  gauss_array_end(&state, "the state");
  gauss_array_end(&r, "the coordinates");
}

/* Work for a call is enough for fewer particles and walkers. */
static void vmc_bounds(int type) {
  static const size_t walkers[] = {1, 2, 3, 4, 5, 8, 9, 64, 1000};
  int threads;
  suite.operation = "vmc";
  suite.variant = NULL;
  for (threads = 1; threads < 7; threads++) {
    convk copy = *vmc_teller();
    size_t last[2][COUNT_OF(walkers)], n, w;
    copy.parallel.threads = threads;
    copy.parallel.run = hook_run;
    memset(last, 0, sizeof last);
    describe("work with %d threads", threads);
    begin_case();
    for (n = 2; n < 3000; n += 1 + n / 8) {
      size_t before[2] = {0, 0};
      for (w = 0; w < COUNT_OF(walkers); w++) {
        const convk_vmc vmc = vmc_setup(n, walkers[w], 0, V_LM2M2, 1);
        const size_t bytes[2] = {vmc_types[type].energy_work(&copy, n, walkers[w]), vmc_types[type].work(&copy, &vmc)};
        int i;
        for (i = 0; i < 2; i++) {
          if (bytes[i] < before[i] || bytes[i] < last[i][w])
            fail("%lu particles, %lu walkers", (unsigned long)n, (unsigned long)w);
          before[i] = last[i][w] = bytes[i];
        }
      }
    }
    end_case();
  }
}

/* Looks at iterations 0, 1, 2, ... of 30 sweeps, and has enough after the fourth. */
typedef struct vmc_watch {
  size_t calls;
  int bad;
  convk_pair_trial last;
} vmc_watch;

static int vmc_look(void *ctx, size_t iteration, const convk_vmc *vmc, const convk_vmc_result *result) {
  vmc_watch *watch = (vmc_watch *)ctx;
  const int same_one = !memcmp(&watch->last, &vmc->system.trial, sizeof watch->last);
  watch->bad |= iteration != watch->calls || result->measurements != 30 || same_one != !iteration;
  watch->last = vmc->system.trial;
  return ++watch->calls == 4;
}

/* Arguments of the minimiser, right until one of them is spoilt.  A run may have gone on when it fails. */
typedef struct vmc_descent {
  variant *v;
  int type, goes_on;
  convk_vmc vmc;
  convk_vmc_minimise_options o, *options;
  convk_vmc_result result, *to;
  convk copy;
  convk *hw;
  hook failing;
  size_t bytes, memory_size, work_bytes;
  unsigned char *state, *was, *work; /* was: the state before the call */
  void *from, *memory;
} vmc_descent;

static void vmc_descent_reset(vmc_descent *d, const convk_vmc *good) {
  d->goes_on = 0;
  d->vmc = *good;
  memset(&d->o, 0, sizeof d->o);
  d->o.iterations = 2;
  d->o.sweeps = 10;
  d->o.final_sweeps = 12;
  d->options = &d->o;
  memset(&d->result, FILL_, sizeof d->result);
  d->to = &d->result;
  d->copy = d->v->hw;
  d->hw = d->v->device ? &d->v->hw : &d->copy;
  d->failing = hook_new(HOOK_FAILS, 3, 1);
  d->memory = NULL;
  d->memory_size = 0;
  d->from = d->state;
  memcpy(d->state, d->was, d->bytes);
}

static void vmc_descent_expect(vmc_descent *d, int wanted, const char *says, const char *what) {
  const unsigned char *result = (const unsigned char *)&d->result, *end = result + sizeof d->result;
  const long live = heap.live;
  unsigned char *before = (unsigned char *)memcpy(need(d->bytes), d->state, d->bytes);
  int status;
  describe("%s", what);
  begin_case();
  status = vmc_types[d->type].minimise(d->hw, &d->vmc, d->options, d->from, d->bytes, d->to, d->memory, d->memory_size);
  heap.until_failure = -1;
  want_status(status, wanted);
  if (status != CONVK_ERR_HANDLE) want_says(d->hw, status, says);
  want_returned(live);
  if (wanted && !all_fill(result, end)) fail("a result was written");
  if (!wanted && all_fill(result, end)) fail("no result");
  if (wanted && !d->goes_on && memcmp(d->state, before, d->bytes)) fail("the state was written");
  if (d->goes_on && vmc_types[d->type].check(&d->vmc, d->state, d->bytes)) fail("state and setup no longer belong together");
  end_case();
  free(before);
}

#define VMC_DESCENT(wanted, says, ...) \
  do { \
    vmc_descent_reset(d, good); \
    __VA_ARGS__; \
    vmc_descent_expect(d, wanted, says, #__VA_ARGS__); \
  } while (0)

static void vmc_descent_errors(vmc_descent *d, const convk_vmc *good) {
  int k;
  for (k = 0; k < 6; k++) VMC_DESCENT(CONVK_OK, "", (void)0);
  VMC_DESCENT(CONVK_ERR_NULL, "", d->hw = NULL);
  VMC_DESCENT(CONVK_ERR_NULL, "result is NULL", d->to = NULL);
  VMC_DESCENT(CONVK_ERR_NULL, "state is NULL", d->from = NULL);
  VMC_DESCENT(CONVK_ERR_NONFINITE, "options->rate is", d->o.rate = NAN);
  VMC_DESCENT(CONVK_ERR_NONFINITE, "options->regularisation is", d->o.regularisation = INFINITY);
  VMC_DESCENT(CONVK_ERR_OPTION, "options->rate is", d->o.rate = -1e-9);
  VMC_DESCENT(CONVK_ERR_OPTION, "options->regularisation is", d->o.regularisation = -1);
  for (k = 0; k < 4; k++) VMC_DESCENT(CONVK_ERR_OPTION, "options->fixed[", d->o.fixed[k] = k % 2 ? -1 : 2);
  VMC_DESCENT(CONVK_ERR_SINGULAR, "vmc->system.trial", for (k = 0; k < 4; k++) d->o.fixed[k] = 1; d->goes_on = 1);
  VMC_DESCENT(CONVK_ERR_SETUP, "state is of another", d->vmc.interval = 11);
  VMC_DESCENT(CONVK_ERR_STATE, "state is damaged", d->state[d->bytes - 3] ^= 16);
  VMC_DESCENT(CONVK_ERR_SETUP, "state is of another", d->vmc.seed++);
  VMC_DESCENT(CONVK_ERR_PARTICLES, "vmc->system.particles", d->vmc.system.particles = 1);
  VMC_DESCENT(CONVK_ERR_SIZE, "vmc->walkers is 0", d->options = NULL; d->vmc.walkers = 0);
  VMC_DESCENT(CONVK_OK, "", d->memory = d->work + 3; d->memory_size = d->work_bytes);
  VMC_DESCENT(CONVK_OK, "", d->o.sweeps = 1);
  if (d->v->device) return;
  VMC_DESCENT(CONVK_ERR_HANDLE, "", d->copy.version += 100);
  VMC_DESCENT(CONVK_ERR_THREADS, "", d->copy.parallel.threads = 3; d->copy.parallel.run = hook_run;
              d->copy.parallel.ctx = &d->failing; d->goes_on = 1);
  VMC_DESCENT(CONVK_ERR_WORK, "work_size is", d->memory = d->work; d->memory_size = d->work_bytes - 1);
  VMC_DESCENT(CONVK_ERR_MEMORY, "no memory for", heap.until_failure = 0);
  VMC_DESCENT(CONVK_OK, "", heap.until_failure = 1); /* one is all that it asks for */
}

static void vmc_descent_too_few(variant *v, int type, const convk_vmc *good) {
  convk_vmc vmc = *good;
  convk_vmc_minimise_options o;
  convk_vmc_result result;
  unsigned char *state;
  describe("too few sweeps");
  begin_case();
  vmc.interval = 11;
  state = vmc_state(type, &vmc, NULL);
  memset(&o, 0, sizeof o);
  o.sweeps = 10;
  VMC_EXPECT(vmc_types[type].minimise(&v->hw, &vmc, &o, state, vmc_types[type].bytes(&vmc), &result, NULL, 0) ==
             CONVK_ERR_OPTION);
  end_case();
  free(state);
}

static void vmc_descent_binding(variant *v, int type, const convk_vmc *good) {
  static const double p0[5] = {0.4, 1, 1.1, 5, -1}, p1[5] = {0, 0, 0, -1e-3, 1e-3};
  static const int want[5] = {CONVK_ERR_RANGE, CONVK_ERR_RANGE, CONVK_OK, CONVK_ERR_RANGE, CONVK_OK};
  const size_t bytes = vmc_types[type].bytes(good);
  int k;
  describe("functions that bind, and that do not");
  begin_case();
  for (k = 0; k < 5; k++) {
    convk_vmc vmc = *good, start;
    convk_vmc_minimise_options o;
    convk_vmc_result result;
    unsigned char *state, *was = (unsigned char *)need(bytes);
    vmc.system.trial.p0 = p0[k];
    vmc.system.trial.p1 = p1[k];
    start = vmc;
    state = vmc_state(type, &vmc, NULL);
    memcpy(was, state, bytes);
    memset(&o, 0, sizeof o);
    o.iterations = 2;
    o.sweeps = 30;
    o.final_sweeps = 10;
    VMC_EXPECT(vmc_types[type].minimise(&v->hw, &vmc, &o, state, bytes, &result, NULL, 0) == want[k]);
    if (want[k]) VMC_EXPECT(!memcmp(state, was, bytes) && !memcmp(&vmc, &start, sizeof vmc));
    VMC_EXPECT(!vmc_types[type].check(&vmc, state, bytes) && !(vmc.system.trial.p1 < 0 && !want[k]));
    free(state);
    free(was);
  }
  end_case();
}

static void vmc_descent_watched(variant *v, int type, const convk_vmc *good) {
  const size_t bytes = vmc_types[type].bytes(good);
  convk_vmc vmc = *good;
  convk_vmc_minimise_options o;
  convk_vmc_result result;
  unsigned char *state;
  vmc_watch watch;
  describe("watched and ended");
  begin_case();
  state = vmc_state(type, &vmc, NULL);
  memset(&watch, 0, sizeof watch);
  watch.last = vmc.system.trial;
  memset(&o, 0, sizeof o);
  o.sweeps = 30;
  o.final_sweeps = 20;
  o.look = vmc_look;
  o.ctx = &watch;
  VMC_EXPECT(!vmc_types[type].minimise(&v->hw, &vmc, &o, state, bytes, &result, NULL, 0));
  VMC_EXPECT(watch.calls == 4 && !watch.bad);
  VMC_EXPECT(result.measurements == 20 && !vmc_types[type].check(&vmc, state, bytes));
  VMC_EXPECT(memcmp(&watch.last, &vmc.system.trial, sizeof watch.last)); /* the step after the last look was taken */
  end_case();
  free(state);
}

static void vmc_minimise_errors(int type) {
  const convk_vmc good = vmc_setup(3, 4, 8, V_HFDB, 17);
  size_t number = 0;
  variant *v;
  suite.operation = "vmc_minimise";
  while ((v = vmc_next(&number, type, VMC_RUN, 5000)) != NULL) {
    vmc_descent d;
    if (suite.quick && !v->fused) continue;
    memset(&d, 0, sizeof d);
    d.v = v;
    d.type = type;
    d.bytes = vmc_types[type].bytes(&good);
    d.work_bytes = vmc_types[type].work(&v->hw, &good);
    d.state = (unsigned char *)need(d.bytes);
    d.work = (unsigned char *)need(d.work_bytes + 8);
    begin_case();
    describe("a state");
    d.was = vmc_state(type, &good, NULL);
    end_case();
    vmc_descent_errors(&d, &good);
    free(d.state);
    free(d.was);
    free(d.work);
    vmc_descent_too_few(v, type, &good);
    vmc_descent_binding(v, type, &good);
    vmc_descent_watched(v, type, &good);
  }
}

/* What hardware does not offer it must refuse, and write nothing; what it offers must be there. */
static void vmc_offers(int type) {
  int operation;
  for (operation = 0; operation < VMC_KINDS; operation++) {
    size_t number = 0;
    suite.operation = vmc_names[operation];
    while (number < variant_count) {
      variant *v = &variants[number++];
      vmc_stage one;
      if (!v->open) continue;
      use_variant(v);
      vmc_stage_new(&one, v, type, operation);
      vmc_stage_expect(&one, vmc_types[type].offers(&v->hw, operation) ? CONVK_OK : CONVK_ERR_UNSUPPORTED, "",
                       "offered or refused");
      describe("offered");
      if (!v->device) CHECK(vmc_types[type].offers(&v->hw, operation));
      vmc_stage_end(&one);
    }
  }
}

/* Rounding and flushing as the caller set them stay so. */
static void vmc_control(int type) {
  int operation;
  if (!float_control()) return; /* not here */
  for (operation = 0; operation < VMC_KINDS; operation++) {
    size_t number = 0;
    variant *v;
    suite.operation = vmc_names[operation];
    while ((v = vmc_next(&number, type, operation, 1)) != NULL) {
      size_t n;
      for (n = 0; n < COUNT_OF(control_settings) && !v->device; n++) {
        vmc_stage s;
        control c;
        int status, upper;
        describe("MXCSR with %#x", control_settings[n]);
        begin_case();
        vmc_stage_new(&s, v, type, operation);
        c = control_begin(float_control() | control_settings[n]);
        status = vmc_types[type].call(&s.call);
        upper = upper_in_use();
        control_end(c);
        want_status(status, CONVK_OK);
        if (upper > 0) fail("the upper halves of registers are in use");
        end_case();
        vmc_stage_end(&s);
      }
    }
  }
}

/* Several threads, each with a run of its own. */
typedef struct vmc_user {
  convk *hw;
  convk_vmc vmc;
  int type, status;
  size_t bytes;
  unsigned char *state;
} vmc_user;

static void *vmc_use(void *pointer) {
  vmc_user *u = (vmc_user *)pointer;
  vmc_call k = vmc_blank(VMC_RUN, u->hw);
  int turn;
  k.vmc = &u->vmc;
  k.sweeps = 10;
  k.state = u->state;
  k.state_size = u->bytes;
  for (turn = 0; turn < 4 && !u->status; turn++) u->status = vmc_types[u->type].call(&k);
  return NULL;
}

static void vmc_concurrent(int type) {
  vmc_user users[8];
  size_t count = 0, i, number = 0;
  variant *v;
  suite.operation = vmc_names[VMC_RUN];
  while ((v = vmc_next(&number, type, VMC_RUN, 1)) != NULL && count < 7) {
    if (v->device) continue;
    for (i = 0; i < 2; i++, count++) {
      vmc_user *u = &users[count];
      u->hw = &v->hw;
      u->vmc = vmc_setup(12, 2, (unsigned)(count % 8), V_LM2M2, count);
      u->type = type;
      u->status = 0;
      u->bytes = vmc_types[type].bytes(&u->vmc);
      u->state = vmc_state(type, &u->vmc, NULL);
    }
  }
  suite.variant = NULL;
  describe("runs side by side");
  begin_case();
  side_by_side(vmc_use, users, count, sizeof users[0]);
  for (i = 0; i < count; i++) {
    vmc_user alone = users[i];
    want_status(users[i].status, CONVK_OK);
    alone.status = 0;
    alone.state = vmc_state(type, &alone.vmc, NULL);
    vmc_use(&alone);
    if (memcmp(alone.state, users[i].state, alone.bytes)) fail("other bits than alone");
    free(alone.state);
  }
  end_case();
  for (i = 0; i < count; i++) free(users[i].state);
}

static void vmc_philox(int type) {
  static const uint32_t vectors[3][10] = {{0, 0, 0, 0, 0, 0, 0x6627e8d5u, 0xe169c58du, 0xbc57ac4cu, 0x9b00dbd8u},
                                          {~0u, ~0u, ~0u, ~0u, ~0u, ~0u, 0x408f276du, 0x41c83b0eu, 0xa20bc7c6u, 0x6d5451fdu},
                                          {0x243f6a88u, 0x85a308d3u, 0x13198a2eu, 0x03707344u, 0xa4093822u, 0x299f31d0u,
                                           0xd16cfe09u, 0x94fdccebu, 0x5001e420u, 0x24126ea1u}};
  uint64_t rng = random_seed(suite.test);
  int i, k;
  (void)type;
  for (i = 0; i < 3 + 50; i++) {
    uint32_t in[6], out[4], own[4];
    for (k = 0; k < 6; k++) in[k] = i < 3 ? vectors[i][k] : (uint32_t)random64(&rng);
    memcpy(own, in, sizeof own);
    ref_philox(own, in[4], in[5]);
    describe("vector %d", i);
    begin_case();
    convk_philox4x32(in, in + 4, out);
    if (memcmp(out, own, sizeof out)) fail("not what the reference gives");
    if (i < 3 && memcmp(out, vectors[i] + 6, sizeof out)) fail("%08x %08x %08x %08x", out[0], out[1], out[2], out[3]);
    convk_philox4x32(in, in + 4, in); /* in place */
    if (memcmp(in, own, sizeof own)) fail("not in place");
    end_case();
  }
}

static const test vmc_tests[] = {
    {"vmc", "philox", vmc_philox, 0},
    {"vmc", "random", vmc_random, 0},
    {"vmc", "blocking", vmc_blocking, 0},
    {"pair_potential", "values", vmc_potential_values, 1},
    {"pair_potential", "published", vmc_potential_published, 1},
    {"pair_potential", "branches", vmc_potential_branches, 1},
    {"pair_potential", "ends", vmc_potential_ends, 1},
    {"pair_potential", "tables", vmc_potential_tables, 1},
    {"pair_energy", "reference", vmc_reference, 0},
    {"pair_energy", "sizes", vmc_energy_sizes, 1},
    {"pair_energy", "few", vmc_energy_few, 1},
    {"pair_energy", "wants", vmc_energy_wants, 1},
    {"pair_energy", "scales", vmc_energy_scales, 1},
    {"pair_energy", "coincident", vmc_energy_coincident, 1},
    {"pair_energy", "cutoff", vmc_energy_cutoff, 1},
    {"pair_energy", "threads", vmc_energy_threads, 1},
    {"pair_energy", "invariants", vmc_energy_invariants, 1},
    {"pair_energy", "differences", vmc_energy_differences, 1},
    {"pair_move", "moves", vmc_moves, 1},
    {"pair_move", "special", vmc_move_special, 1},
    {"pair_move", "bits", vmc_move_bits, 1},
    {"pair_accept", "accepts", vmc_accepts, 1},
    {"pair_accept", "chain", vmc_chain, 1},
    {"vmc", "bits", vmc_run_bits, 1},
    {"vmc", "alone", vmc_run_alone, 1},
    {"vmc", "starts", vmc_run_starts, 1},
    {"vmc", "model", vmc_run_model, 1},
    {"vmc", "averages", vmc_run_averages, 1},
    {"vmc", "tuning", vmc_run_tuning, 1},
    {"vmc", "density", vmc_run_density, 1},
    {"vmc", "damage", vmc_damage, 1},
    {"vmc", "other_setup", vmc_other_setup, 1},
    {"vmc", "fragile", vmc_run_fragile, 1},
    {"vmc", "escapes", vmc_run_escapes, 1},
    {"vmc", "bounds", vmc_bounds, 1},
    {"vmc", "newton", vmc_newton, 0},
    {"vmc", "reach", vmc_reach, 0},
    {"vmc", "exact", vmc_minimise_exact, 1},
    {"vmc", "helium", vmc_minimise_helium, 1},
    {"vmc", "errors", vmc_errors, 1},
    {"vmc", "run_errors", vmc_run_errors, 1},
    {"vmc", "state_errors", vmc_state_errors, 1},
    {"vmc", "minimise_errors", vmc_minimise_errors, 1},
    {"vmc", "offers", vmc_offers, 1},
    {"vmc", "control", vmc_control, 1},
    {"vmc", "concurrent", vmc_concurrent, 1},
    {"vmc", "rounded", vmc_run_rounded, 0},
};
TEST_LIST(vmc)

#include "test_vmc_parts.c"
