/* SPDX-License-Identifier: MIT
   Pairs and sweeps on device memory, with OpenCL, or as C++ with CUDA in the emulator: the bits of calls on host arrays, what is
   refused and why, and how much work is wanted.

     cc -std=c99 -I. -DCONVK_CL -DCONVK_WITH_VMC -DCONVK_F64 tests/test_pairs_there.c -o there -lOpenCL
     c++ -x c++ -std=c++11 -ffp-contract=off -I. -DCONVK_CUDA -DCONVK_WITH_VMC -DCONVK_F64 tests/test_pairs_there.c -o there  */
#include "there.h"

enum { N = 7, WALKERS = 3, PITCH = 9, SPAN = WALKERS * 3 * PITCH, LARGE = 300 };
#define CALL(name) NAME(name##_f64)

/* A call is refused with this status, and says so; or it is not, and says nothing. */
static void expect(int status, int wanted, const char *says, const char *what) {
  const int good = status == wanted && (wanted ? strstr(said(), says) != NULL && *says : !said()[0]);
  if (!good) printf("%s: status %d, not %d; '%s', not '%s'\n", what, status, wanted, said(), says);
  holds(good, what);
}
#define REFUSED(wanted, says, call) expect(call, wanted, says, #call)

static convk_pair_system system_of(size_t n) {
  convk_pair_system s;
  memset(&s, 0, sizeof s);
  s.particles = n;
  s.potential = convk_pair_lm2m2();
  s.trial.p5 = 120;
  s.trial.p2 = -1;
  s.trial.p0 = 0.4;
  s.trial.p1 = 0.01;
  return s;
}

static void places(double *r, size_t n, size_t pitch) {
  size_t i;
  for (i = 0; i < 3 * WALKERS * pitch; i++)
    r[i] =
        4.0 * (double)(i % pitch % 3 + (i / pitch % 3) * (i % pitch / 3)) + 0.25 * (double)(i % 5) + (double)(i / (3 * n) % 2);
}

/* ---- pairs ---- */

static void energies(convk *hw, size_t n, size_t pitch) {
  const convk_pair_walkers lay = {WALKERS, pitch, 0};
  const convk_pair_system system = system_of(n);
  const size_t bytes = 3 * WALKERS * pitch * sizeof(double);
  double *r = (double *)malloc(bytes), *g = (double *)calloc(1, bytes), *got = (double *)calloc(1, bytes);
  double distance[5] = {0.5, 2.5, 3, 5, 20}, value[5], values[5];
  convk_pair_result result[WALKERS], results[WALKERS];
  size_t work = 0;
  memory r_there, g_there, out, room, list;
  places(r, n, pitch);
  r_there = there(bytes, r);
  g_there = there(bytes, g);
  out = there(sizeof result, NULL);
  list = there(sizeof distance, distance);
  expect(CALL(pair_energy_work_size)(&on, n, WALKERS, &work), CONVK_OK, "", "work");
  room = there(work ? work : 8, NULL);
  holds(!convk_pair_energy_f64(hw, &system, &lay, 0, r, result, g, NULL, 0), "pair_energy on host arrays");
  expect(CALL(pair_energy)(&on, &system, &lay, 0, ALL(const double, r_there), ALL(convk_pair_result, out), ALL(double, g_there),
                           ALL(void, room), work),
         CONVK_OK, "", "pair_energy");
  back(out, results, sizeof results);
  back(g_there, got, bytes);
  holds(!memcmp(result, results, sizeof result), "the sums are those of host arrays");
  holds(!memcmp(g, got, bytes), "the gradients are those of host arrays");
  holds(!convk_pair_potential_f64(hw, &system.potential, 5, distance, value), "pair_potential on host arrays");
  expect(CALL(pair_potential)(&on, &system.potential, 5, ALL(const double, list), ALL(double, list)), CONVK_OK, "", "in place");
  back(list, values, sizeof values);
  holds(!memcmp(value, values, sizeof value), "the values are those of host arrays");
  free(r);
  free(g);
  free(got);
}

static void moves(convk *hw) {
  const convk_pair_walkers lay = {WALKERS, PITCH, 0};
  const convk_pair_system system = system_of(N);
  double r[SPAN], g[SPAN], to[3 * WALKERS], got[2][SPAN];
  const unsigned char accept[WALKERS] = {1, 0, 1};
  convk_pair_move_result result[WALKERS], results[WALKERS];
  memory r_there, g_there, to_there, out, chosen;
  int i;
  places(r, N, PITCH);
  for (i = 0; i < SPAN; i++) g[i] = 0.125 * i;
  for (i = 0; i < 3 * WALKERS; i++) to[i] = 1.5 + i;
  r_there = there(sizeof r, r);
  g_there = there(sizeof g, g);
  to_there = there(sizeof to, to);
  out = there(sizeof result, NULL);
  chosen = there(sizeof accept, accept);
  holds(!convk_pair_move_f64(hw, &system, &lay, 2, r, to, result), "pair_move on host arrays");
  expect(CALL(pair_move)(&on, &system, &lay, 2, ALL(const double, r_there), ALL(const double, to_there),
                         ALL(convk_pair_move_result, out)),
         CONVK_OK, "", "pair_move");
  back(out, results, sizeof results);
  holds(!memcmp(result, results, sizeof result), "the changes are those of host arrays");
  holds(!convk_pair_accept_f64(hw, &system, &lay, 2, to, accept, r, g), "pair_accept on host arrays");
  expect(CALL(pair_accept)(&on, &system, &lay, 2, ALL(const double, to_there), ALL(const unsigned char, chosen),
                           ALL(double, r_there), ALL(double, g_there)),
         CONVK_OK, "", "pair_accept");
  back(r_there, got[0], sizeof r);
  back(g_there, got[1], sizeof g);
  holds(!memcmp(r, got[0], sizeof r) && !memcmp(g, got[1], sizeof g), "they go as on the host");
}

/* ---- sweeps ---- */

static convk_vmc run_of(int moves, int drift) {
  convk_vmc vmc;
  memset(&vmc, 0, sizeof vmc);
  vmc.system = system_of(N);
  vmc.walkers = WALKERS;
  vmc.seed = 1;
  vmc.step = 0.5;
  vmc.acceptance = -1;
  vmc.moves = moves;
  vmc.drift = drift;
  return vmc;
}

typedef struct outcome {
  double r[3 * N * WALKERS], ln_psi[WALKERS], drift[WALKERS];
  convk_pair_result result[40 * WALKERS];
  uint32_t accepted[WALKERS];
} outcome;

/* So many sweeps by calls of some each. */
static void sweep(const convk_vmc *vmc, size_t count, size_t each, outcome *o) {
  CALL(vmc_walkers) w;
  convk_vmc_sweeps some;
  size_t work = 0, done, i;
  uint32_t accepted[WALKERS];
  double drift[WALKERS];
  const memory r = there(sizeof o->r, o->r), ln_psi = there(sizeof o->ln_psi, NULL), result = there(sizeof o->result, NULL),
               drifts = there(sizeof o->drift, NULL), moved = there(sizeof o->accepted, NULL);
  memory room;
  memset(&w, 0, sizeof w);
  w.r = ALL(double, r);
  w.ln_psi = ALL(double, ln_psi);
  w.result = ALL(convk_pair_result, result);
  w.drift = ALL(double, drifts);
  w.accepted = ALL(uint32_t, moved);
  expect(CALL(vmc_sweeps_work_size)(&on, vmc, &work), CONVK_OK, "", "work of sweeps");
  room = there(work, NULL);
  memset(o->accepted, 0, sizeof o->accepted);
  memset(o->drift, 0, sizeof o->drift);
  for (done = 0; done < count; done += some.count) {
    some.first = done;
    some.count = count - done < each ? count - done : each;
    some.step = vmc->step;
    some.anew = !done;
    expect(CALL(vmc_sweeps)(&on, vmc, &some, &w, ALL(void, room), work), CONVK_OK, "", "vmc_sweeps");
    if (!vmc->interval) back(result, o->result + done * WALKERS, some.count * WALKERS * sizeof(convk_pair_result));
    back(moved, accepted, sizeof accepted);
    back(drifts, drift, sizeof drift);
    for (i = 0; i < WALKERS; i++) {
      o->accepted[i] += accepted[i];
      if (drift[i] > o->drift[i]) o->drift[i] = drift[i];
    }
  }
  back(r, o->r, sizeof o->r);
  back(ln_psi, o->ln_psi, sizeof o->ln_psi);
}

static void sweeps(convk *hw) {
  static outcome first, next;
  int which;
  for (which = 0; which < 5; which++) { /* at last without measurements, each of which sets ln Psi right */
    convk_vmc vmc = run_of(which & 1 ? CONVK_VMC_MOVE_ALL : CONVK_VMC_MOVE_SINGLE, which >> 1 & 1);
    convk_vmc_state_f64 *state;
    size_t bytes = 0;
    double r[3 * N * WALKERS];
    if (which == 4) vmc.interval = 100;
    holds(!convk_vmc_state_size_f64(hw, &vmc, &bytes), "state");
    state = (convk_vmc_state_f64 *)malloc(bytes);
    holds(!convk_vmc_begin_f64(hw, &vmc, NULL, state, bytes) && !convk_vmc_positions_f64(hw, &vmc, state, bytes, r), "begin");
    memset(&first, 0, sizeof first);
    memset(&next, 0, sizeof next);
    memcpy(first.r, r, sizeof r);
    memcpy(next.r, r, sizeof r);
    sweep(&vmc, 40, 40, &first);
    sweep(&vmc, 40, 7, &next);
    holds(!memcmp(&first, &next, sizeof first), "calls may cut sweeps anywhere");
    holds(!convk_vmc_run_f64(hw, &vmc, 40, state, bytes, NULL, 0) && !convk_vmc_positions_f64(hw, &vmc, state, bytes, r) &&
              !memcmp(r, first.r, sizeof r),
          "walkers are where a run takes them");
    free(state);
  }
}

/* ---- what is refused ---- */

static void refused_pairs(void) {
  const convk_pair_walkers lay = {WALKERS, PITCH, 0};
  convk_pair_walkers bad = {WALKERS, 3, 0};
  convk_pair_system system = system_of(N);
  const memory r = there(SPAN * sizeof(double), NULL), out = there(WALKERS * sizeof(convk_pair_result), NULL),
               room = there(1 << 24, NULL), slope = there(SPAN * sizeof(double), NULL);
  size_t work = 77;
#define ENERGY(system, lay, want, r, out, room, bytes) \
  CALL(pair_energy) \
  (&on, system, lay, want, ALL(const double, r), ALL(convk_pair_result, out), ALL(double, slope), ALL(void, room), bytes)
  REFUSED(CONVK_ERR_NULL, "system is NULL", ENERGY(NULL, &lay, 0, r, out, room, 1 << 24));
  REFUSED(CONVK_ERR_NULL, "walkers is NULL", ENERGY(&system, NULL, 0, r, out, room, 1 << 24));
  REFUSED(CONVK_ERR_NULL, "r is NULL", ENERGY(&system, &lay, 0, NULL, out, room, 1 << 24));
  REFUSED(CONVK_ERR_NULL, "result is NULL", ENERGY(&system, &lay, 0, r, NULL, room, 1 << 24));
  REFUSED(CONVK_ERR_OPTION, "want is 16", ENERGY(&system, &lay, 16, r, out, room, 1 << 24));
  REFUSED(CONVK_ERR_PITCH, "walkers->pitch is 3, less than 7 particles", ENERGY(&system, &bad, 0, r, out, room, 1 << 24));
  REFUSED(CONVK_ERR_OVERLAP, "r overlaps result", ENERGY(&system, &lay, 0, r, r, room, 1 << 24));
  REFUSED(CONVK_ERR_OVERLAP, "r overlaps gradient", ENERGY(&system, &lay, 0, slope, out, room, 1 << 24));
  system.cutoff = -1;
  REFUSED(CONVK_ERR_OPTION, "system->cutoff is negative", ENERGY(&system, &lay, 0, r, out, room, 1 << 24));
  system = system_of(N);
  system.particles = LARGE;
  bad.walkers = 1;
  bad.pitch = 0;
  {
    const memory large = there(3 * LARGE * sizeof(double), NULL), far = there(3 * LARGE * sizeof(double), NULL);
#define FAR_ENERGY(room, bytes) \
  CALL(pair_energy) \
  (&on, &system, &bad, 0, ALL(const double, large), ALL(convk_pair_result, out), ALL(double, far), ALL(void, room), bytes)
    REFUSED(CONVK_OK, "", CALL(pair_energy_work_size)(&on, LARGE, 1, &work));
    REFUSED(CONVK_ERR_WORK, "work_size is", FAR_ENERGY(room, work - 1));
    REFUSED(CONVK_ERR_NULL, "work is NULL", FAR_ENERGY(NULL, work));
  }
  system = system_of(N);
  REFUSED(
      CONVK_ERR_INDEX, "particle is 7, and there are 7",
      CALL(pair_move)(&on, &system, &lay, 7, ALL(const double, r), ALL(const double, slope), ALL(convk_pair_move_result, out)));
  REFUSED(
      CONVK_ERR_NULL, "to is NULL",
      CALL(pair_move)(&on, &system, &lay, 1, ALL(const double, r), ALL(const double, NULL), ALL(convk_pair_move_result, out)));
  REFUSED(CONVK_ERR_OVERLAP, "to overlaps r",
          CALL(pair_accept)(&on, &system, &lay, 1, ALL(const double, r), ALL(const unsigned char, NULL), ALL(double, r),
                            ALL(double, NULL)));
  REFUSED(CONVK_ERR_NULL, "potential is NULL", CALL(pair_potential)(&on, NULL, 5, ALL(const double, r), ALL(double, r)));
  REFUSED(CONVK_ERR_NULL, "v is NULL",
          CALL(pair_potential)(&on, &system.potential, 5, ALL(const double, r), ALL(double, NULL)));
  system.potential.a = -1;
  REFUSED(CONVK_ERR_POTENTIAL, "potential->a is not positive",
          CALL(pair_potential)(&on, &system.potential, 5, ALL(const double, r), ALL(double, r)));
  work = 77;
  REFUSED(CONVK_ERR_SIZE, "particles is 0", CALL(pair_energy_work_size)(&on, 0, 1, &work));
  REFUSED(CONVK_ERR_PARTICLES, "particles is 1", CALL(pair_energy_work_size)(&on, 1, 1, &work));
  REFUSED(CONVK_ERR_OVERFLOW, "particles", CALL(pair_energy_work_size)(&on, (size_t)-1, 1, &work));
  REFUSED(CONVK_ERR_NULL, "bytes is NULL", CALL(pair_energy_work_size)(&on, 5, 1, NULL));
  holds(work == 77, "bytes stay as they are");
#ifndef CONVK_CUDA
  system = system_of(N);
  REFUSED(CONVK_ERR_SIZE, "result.mem is too small", ENERGY(&system, &lay, 0, r, there(8, NULL), room, 1 << 24));
#endif
}

static void refused_sweeps(void) {
  const memory r = there(4096, NULL), ln_psi = there(4096, NULL), result = there(4096, NULL), drift = there(4096, NULL),
               moved = there(4096, NULL), room = there(1 << 24, NULL);
  convk_vmc vmc = run_of(CONVK_VMC_MOVE_SINGLE, 0);
  convk_vmc_sweeps some = {0, 2, 0.5, 1}, good = {0, 2, 0.5, 1};
  CALL(vmc_walkers) w;
  size_t work = 0;
  memset(&w, 0, sizeof w);
  w.r = ALL(double, r);
  w.ln_psi = ALL(double, ln_psi);
  w.result = ALL(convk_pair_result, result);
  w.drift = ALL(double, drift);
  w.accepted = ALL(uint32_t, moved);
#define SWEEPS(vmc, some, w, bytes) CALL(vmc_sweeps)(&on, vmc, some, w, ALL(void, room), bytes)
  REFUSED(CONVK_OK, "", CALL(vmc_sweeps_work_size)(&on, &vmc, &work));
  REFUSED(CONVK_ERR_NULL, "vmc is NULL", SWEEPS(NULL, &some, &w, work));
  REFUSED(CONVK_ERR_NULL, "sweeps is NULL", SWEEPS(&vmc, NULL, &w, work));
  REFUSED(CONVK_ERR_NULL, "walkers is NULL", SWEEPS(&vmc, &some, NULL, work));
  REFUSED(CONVK_ERR_WORK, "work_size is", SWEEPS(&vmc, &some, &w, work - 1));
  some.step = 0;
  REFUSED(CONVK_ERR_OPTION, "sweeps->step is not positive", SWEEPS(&vmc, &some, &w, work));
  some.step = 1e308 * 10;
  REFUSED(CONVK_ERR_NONFINITE, "sweeps->step is not finite", SWEEPS(&vmc, &some, &w, work));
  some = good;
  some.anew = 2;
  REFUSED(CONVK_ERR_OPTION, "sweeps->anew is 2", SWEEPS(&vmc, &some, &w, work));
  w.drift = ALL(double, NULL);
  REFUSED(CONVK_ERR_NULL, "walkers->drift is NULL", SWEEPS(&vmc, &good, &w, work));
  w.drift = ALL(double, ln_psi);
  REFUSED(CONVK_ERR_OVERLAP, "walkers->ln_psi overlaps walkers->drift", SWEEPS(&vmc, &good, &w, work));
  w.drift = ALL(double, drift);
  w.result = ALL(convk_pair_result, NULL);
  REFUSED(CONVK_ERR_NULL, "walkers->result is NULL", SWEEPS(&vmc, &good, &w, work));
  vmc.interval = 100;
  REFUSED(CONVK_OK, "", SWEEPS(&vmc, &good, &w, work));
  vmc.drift = 3;
  REFUSED(CONVK_ERR_OPTION, "vmc->drift is 3", SWEEPS(&vmc, &good, &w, work));
  REFUSED(CONVK_ERR_OPTION, "vmc->drift is 3", CALL(vmc_sweeps_work_size)(&on, &vmc, &work));
  vmc.drift = 0;
  vmc.system.particles = 1;
  REFUSED(CONVK_ERR_PARTICLES, "vmc->system.particles is 1", CALL(vmc_sweeps_work_size)(&on, &vmc, &work));
}

/* Work is enough for all that is smaller. */
static void bounds(void) {
  static const size_t walkers[] = {1, 2, 3, 16, 17, 100, 1000};
  size_t n, w, last[7] = {0, 0, 0, 0, 0, 0, 0}, grows = 1;
  for (n = 2; n < 5000; n += 1 + n / 16) {
    size_t before = 0;
    for (w = 0; w < 7; w++) {
      size_t bytes = 0;
      grows &= !CALL(pair_energy_work_size)(&on, n, walkers[w], &bytes) && bytes >= before && bytes >= last[w];
      before = last[w] = bytes;
    }
  }
  holds(grows != 0, "work grows with particles and walkers");
}

int main(void) {
  convk hw;
  open_there(&hw);
  energies(&hw, N, PITCH);
  energies(&hw, LARGE, LARGE);
  moves(&hw);
  sweeps(&hw);
  refused_pairs();
  refused_sweeps();
  bounds();
  convk_close(&hw);
  return done();
}
