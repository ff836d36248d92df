/* ---- minimising the energy ---- */

/* How far an iteration goes; none is fitted. */
#define CONVK_VMC_MAX_CHANGE_ 0.4 /* change of the normalised wave function, in the norm of S */
#define CONVK_VMC_PARAMETER_ 0.1  /* of p5, and of p2 where it counts as much */
#define CONVK_VMC_ERRORS_ 10      /* mu in errors of the energy, and a quarter of it more with each iteration */

/* Gives a state other parameters of the trial function, as if the run had begun with them where its walkers are now; with a
   step that is tuned by what it has seen, if that was tried. */
CONVK_RARE_ void convk_vmc_renew_(const convk_vmc *vmc, void *state) {
  convk_vmc_state_ s;
  memcpy(&s, state, sizeof s);
  if (s.tried) convk_vmc_tune_(vmc, &s);
  s.setup = convk_vmc_setup_(vmc);
  memset(&s.series, 0, offsetof(convk_vmc_state_, looked) - offsetof(convk_vmc_state_, series));
  s.looked = s.measured = s.tried = s.accepted = 0;
  convk_vmc_forget_(state, convk_vmc_walkers_here_(vmc));
  convk_vmc_seal_(&s, state);
}

/* Means over walkers of what the Hessian is made of, G_ij = sum over particles of grad O_i . grad O_j with the derivatives
   O_i of ln Psi by its parameters, are added to g.  O_i is the ln Psi whose parameter i is 1 and whose others are 0, so that
   pair_energy has G_ii and, of two parameters, G_ii + 2 G_ij + G_jj, once both are of a size. */
CONVK_RARE_ int convk_vmc_curvature_(convk *hw, const convk_vmc *vmc, const int wanted[4], const void *state,
                                     const convk_work_ *memory, size_t size, size_t element, double g[10]) {
  const size_t here = convk_vmc_walkers_here_(vmc), least = convk_vmc_least_(vmc, element);
  convk_pair_result *result = (convk_pair_result *)(void *)memory->base;
  convk_vmc_record_ *record =
      (convk_vmc_record_ *)(void *)(memory->base + convk_vmc_common_size_(vmc->system.particles, here, element));
  const void *r = (const char *)state + convk_vmc_at_(here);
  const double *total;
  double scale[4] = {0, 0, 0, 0};
  convk_pair_walkers walkers = {0, 0, 0};
  convk own;
  size_t w, count, column;
  int i, j, pass, status = CONVK_OK;
  memcpy(&own, hw, sizeof own);
  own.ours.inside.part_of = vmc->walkers;
  walkers.walkers = here;
  for (pass = 0; pass < 2; pass++) {
    convk_vmc_record_begin_(vmc, pass ? 6 : 4, 1, CONVK_OK, record);
    for (i = 0, column = 0; i < 4; i++)
      for (j = pass ? 0 : i; j < i + !pass; j++, column++) {
        convk_pair_system one = vmc->system;
        double p[4] = {0, 0, 0, 0};
        if (status || !wanted[i] || !wanted[j] || (pass && !(scale[i] > 0 && scale[j] > 0))) continue;
        p[i] = pass ? scale[i] : 1;
        p[j] = pass ? scale[j] : 1;
        memset(&one.potential, 0, sizeof one.potential);
        memcpy(&one.trial, p, sizeof p);
        status = element == sizeof(float)
                     ? (own.ours.inside.f32.pair_energy)(&own, &one, &walkers, CONVK_PAIR_GRADIENT, (const float *)r, result,
                                                         NULL, memory->base + least, size - 64 - least)
                     : (own.ours.inside.f64.pair_energy)(&own, &one, &walkers, CONVK_PAIR_GRADIENT, (const double *)r, result,
                                                         NULL, memory->base + least, size - 64 - least);
        for (w = 0, count = 0; w < here && !status; w++)
          count = convk_vmc_grow_(record, count, vmc->part.first + w, column, &result[w].gradient_squared, 1);
      }
    if (status) {
      memcpy(hw->message, own.message, sizeof own.message);
      convk_vmc_record_begin_(vmc, pass ? 6 : 4, 0, status, record);
    }
    status = convk_vmc_share_(vmc, record);
    if (status) return status;
    total = convk_vmc_total_(record);
    for (i = 0, column = 0; i < 4; i++)
      for (j = pass ? 0 : i; j < i + !pass; j++, column++) {
        const double mean = total[column] / (double)vmc->walkers;
        if (!wanted[i] || !wanted[j] || (pass && !(scale[i] > 0 && scale[j] > 0))) continue;
        if (pass) g[i * (i + 1) / 2 + j] += 0.5 * (mean - 2) / (scale[i] * scale[j]);
        else {
          g[i * (i + 1) / 2 + j] += mean;
          if (mean > 1e-18) scale[i] = 1 / convk_sqrt_(mean);
        }
      }
  }
  return CONVK_OK;
}

/* Change of the parameters p that are free.  curvature: hbar2_2m times the mean of G; kink: as convk_vmc_absorb_.  Of E / T:
   T d(E / T) = dE - E / T dT. */
CONVK_RARE_ int convk_vmc_improve_(const convk_vmc_state_ *s, const convk_vmc_minimise_options *o, const double curvature[10],
                                   int kink, int open_space, size_t iteration, double *const p[4], double change[4]) {
  const double n = (double)s->looked, energy = s->energies / n,
               diagonal = 1 + (o->regularisation > 0 ? o->regularisation : 1e-3);
  double gradient[4] = {0, 0, 0, 0}, overlap[10] = {0}, second[10] = {0}, step[4], bound[4][2], least, kinetic, ratio = 0;
  const double core = *p[0] < 0 ? -*p[0] : *p[0];
  int index[4], count = 0, i, j;
  for (i = 0; i < 4; i++) {
    const double o2 = s->overlap[i * (i + 1) / 2 + i] / n - s->derivative[i] / n * (s->derivative[i] / n);
    change[i] = 0;
    if (!o->fixed[i] && o2 > 0 && curvature[i * (i + 1) / 2 + i] > 0) index[count++] = i;
  }
  if (!count) return CONVK_ERR_SINGULAR;
  kinetic = convk_blocking_estimate_(&s->series[2], s->measured).mean;
  if (open_space && !kink && kinetic > 0) ratio = energy / kinetic;
  for (i = 0; i < count; i++) {
    const int a = index[i];
    gradient[i] = s->energy_derivative[a] / n - energy * s->derivative[a] / n;
    for (j = 0; j < 4 && kink; j++) gradient[i] += *p[j] * convk_entry_(curvature, a, j);
    if (ratio > 0) gradient[i] -= ratio * (s->kinetic_derivative[a] / n - kinetic * (s->derivative[a] / n));
    for (j = 0; j <= i; j++) {
      const int b = index[j], k = i * (i + 1) / 2 + j;
      overlap[k] =
          (convk_entry_(s->overlap, a, b) / n - s->derivative[a] / n * (s->derivative[b] / n)) * (i == j ? diagonal : 1);
      second[k] = convk_entry_(curvature, a, b) * (i == j ? diagonal : 1);
    }
    bound[i][0] = -1e300;
    bound[i][1] = 1e300;
    if (a < 2 && core > 0) { /* where p5 / r^5 is 1, p2 counts as much as p5; none knows much of where there are no samples */
      const double whole = a ? convk_power_(core, 0.4) : core;
      bound[i][0] = -CONVK_VMC_PARAMETER_ * whole;
      bound[i][1] = CONVK_VMC_PARAMETER_ * whole;
      if (a && *p[1] - CONVK_VMC_PARAMETER_ * whole < -whole) bound[i][0] = *p[1] < -whole ? 0 : -whole - *p[1];
    } else if (!a) bound[i][0] = 0; /* the core stays one */
    if (a == 3 && open_space) bound[i][0] = -0.5 * *p[a];
  }
  /* what the scatter of the energy alone does to the wave function: a tenth to begin with, and less as iterations go on */
  least = convk_vmc_scatter_(&s->series[kink ? 1 : 0], s->measured);
  if (kink) least += convk_vmc_scatter_(&s->series[3], s->measured);
  least = o->rate > 0 ? 1 / o->rate : (CONVK_VMC_ERRORS_ + 0.25 * CONVK_VMC_ERRORS_ * (double)iteration) * convk_sqrt_(least);
  if (!convk_newton_(overlap, second, gradient, count, bound, least, CONVK_VMC_MAX_CHANGE_, step)) return CONVK_ERR_SINGULAR;
  for (i = 0; i < count; i++) change[index[i]] = step[i];
  return CONVK_OK;
}

/* Whether particles stay together in open space, as far as the terms of long range say: |Psi|^2 must have an integral over
   all distances (of all from the centre, when there is but a power of them). */
CONVK_RARE_ int convk_vmc_binds_(const convk_pair_system *system) {
  const convk_pair_trial *t = &system->trial;
  return system->box[0] > 0 || system->cutoff > 0 || t->p1 > 0 || (!(t->p1 < 0) && t->p0 * (double)system->particles > 3);
}

/* Options with what zeros stand for. */
CONVK_RARE_ int convk_vmc_options_(char *message, const convk_vmc *vmc, const convk_vmc_minimise_options *options,
                                   convk_vmc_minimise_options *o) {
  int i;
  memset(o, 0, sizeof *o);
  if (options) *o = *options;
  if (!convk_finite_f64_(o->rate)) return convk_pairs_not_finite_(message, "options->", "rate");
  if (!convk_finite_f64_(o->regularisation)) return convk_pairs_not_finite_(message, "options->", "regularisation");
  if (o->rate < 0) return convk_refuse_(message, CONVK_ERR_OPTION, "options->rate is negative");
  if (o->regularisation < 0) return convk_refuse_(message, CONVK_ERR_OPTION, "options->regularisation is negative");
  for (i = 0; i < 4; i++)
    if (o->fixed[i] != 0 && o->fixed[i] != 1)
      return convk_refuse_at_(message, CONVK_ERR_OPTION, "options->fixed[%] is %, neither 0 nor 1", i, o->fixed[i], 0);
  if (!o->iterations) o->iterations = 40;
  if (!o->sweeps) o->sweeps = 500;
  if (!o->final_sweeps) o->final_sweeps = 20 * o->sweeps;
  if (o->sweeps >= (vmc->interval ? vmc->interval : 1)) return CONVK_OK;
  return convk_refuse_at_(message, CONVK_ERR_OPTION, "options->sweeps is %, less than vmc->interval = %", (int64_t)o->sweeps,
                          (int64_t)vmc->interval, 0);
}

/* What must be the same for all parts. */
CONVK_RARE_ uint64_t convk_vmc_aims_(const convk_vmc_minimise_options *o) {
  const uint64_t whole[3] = {(uint64_t)o->iterations, (uint64_t)o->sweeps, (uint64_t)o->final_sweeps};
  const double real[2] = {o->rate, o->regularisation};
  return convk_hash_(convk_hash_(convk_hash_(0, whole, sizeof whole), real, sizeof real), o->fixed, sizeof o->fixed);
}

/* A minimisation: the run that it makes, and what it has of memory. */
typedef struct convk_vmc_search_ {
  convk *hw;
  convk_vmc *vmc;
  const convk_vmc_minimise_options *options;
  void *state, *work;
  size_t state_size, work_size, element;
  convk_work_ memory;
  double *parameter[4];
} convk_vmc_search_;

CONVK_RARE_ int convk_vmc_go_on_(const convk_vmc_search_ *s, size_t sweeps) {
  return s->element == sizeof(float) ? (s->hw->ours.inside.f32.vmc_run)(s->hw, s->vmc, sweeps, (convk_vmc_state_f32 *)s->state,
                                                                        s->state_size, s->work, s->work_size)
                                     : (s->hw->ours.inside.f64.vmc_run)(s->hw, s->vmc, sweeps, (convk_vmc_state_f64 *)s->state,
                                                                        s->state_size, s->work, s->work_size);
}

/* One iteration: sweeps with the parameters as they are, and a look at them; then their change. */
CONVK_RARE_ int convk_vmc_iterate_(const convk_vmc_search_ *search, size_t iteration, int *enough) {
  const convk_vmc_minimise_options *o = search->options;
  const int kink = convk_pairs_cutoff_(&search->vmc->system) > 0;
  char *const message = search->hw->message;
  double curvature[10] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, change[4] = {0, 0, 0, 0};
  size_t left = o->sweeps, looks = 0;
  convk_vmc_state_ s;
  int i, wanted[4], status = convk_vmc_go_on_(search, o->sweeps / 10);
  if (status) return status;
  convk_vmc_renew_(search->vmc, search->state);
  for (i = 0; i < 4; i++) wanted[i] = !o->fixed[i] || (kink && (*search->parameter[i] < 0 || *search->parameter[i] > 0));
  for (; left && !status; looks++) {
    const size_t limit = CONVK_VMC_BATCH_, some = left < limit ? left : limit;
    status = convk_vmc_go_on_(search, some);
    left -= some;
    if (!status)
      status = convk_vmc_curvature_(search->hw, search->vmc, wanted, search->state, &search->memory, search->work_size,
                                    search->element, curvature);
  }
  if (status) return status;
  for (i = 0; i < 10; i++) curvature[i] *= convk_pairs_hbar2_2m_(&search->vmc->system) / (double)looks;
  memcpy(&s, search->state, sizeof s);
  if (!s.looked) return convk_refuse_(message, CONVK_ERR_OPTION, "options->sweeps has no measurement in an iteration");
  status = convk_vmc_improve_(&s, o, curvature, kink, !(search->vmc->system.box[0] > 0), iteration, search->parameter, change);
  if (status) return convk_refuse_(message, status, "vmc->system.trial has no free parameters that this sample tells apart");
  if (o->look) {
    convk_vmc_result found;
    status = convk_vmc_results_(message, search->state, search->state_size, search->element, &found);
    if (status) return status;
    *enough = o->look(o->ctx, iteration, search->vmc, &found);
  }
  for (i = 0; i < 4; i++) *search->parameter[i] += change[i];
  return CONVK_OK;
}

CONVK_RARE_ int convk_vmc_minimise_(convk *hw, convk_vmc *vmc, const convk_vmc_minimise_options *options, void *state,
                                    size_t state_size, convk_vmc_result *result, void *work, size_t work_size, size_t element) {
  convk_vmc_minimise_options o;
  convk_vmc_search_ search;
  convk_vmc_state_ s;
  convk_place_ place[4];
  double mean[4] = {0, 0, 0, 0};
  size_t iteration, averaged = 0, need = 0;
  char *const message = convk_message_(hw);
  int i, enough = 0, status = convk_begin_call_(hw);
  search.memory.own = NULL;
  if (!status) status = convk_vmc_belongs_(message, vmc, state, state_size, element);
  if (!status && !result) status = convk_refuse_(message, CONVK_ERR_NULL, "result is NULL");
  if (!status && (element == sizeof(float) ? !hw->ours.inside.f32.vmc_run || !hw->ours.inside.f32.pair_energy
                                           : !hw->ours.inside.f64.vmc_run || !hw->ours.inside.f64.pair_energy))
    status = convk_refuse_(message, CONVK_ERR_UNSUPPORTED, "hw has no vmc_run or pair_energy of this type");
  if (!status) status = convk_vmc_options_(message, vmc, options, &o);
  if (!status && !convk_vmc_binds_(&vmc->system))
    status =
        convk_refuse_(message, CONVK_ERR_RANGE, "vmc->system.trial does not bind: p1 must be positive, or 0 with N p0 > 3");
  if (!status) {
    place[0] = convk_place_of_("work", work, work_size, CONVK_PLACE_WRITTEN_ | CONVK_PLACE_OPTIONAL_);
    place[1] = convk_place_of_("state", state, state_size, CONVK_PLACE_WRITTEN_);
    place[2] = convk_place_of_("result", result, sizeof *result, CONVK_PLACE_WRITTEN_);
    status = convk_vmc_apart_(message, vmc, place, 3);
  }
  if (!status) {
    need = convk_vmc_work_bytes_(hw, vmc, element);
    status = need == (size_t)-1
                 ? convk_refuse_(message, CONVK_ERR_OVERFLOW, "vmc->walkers times vmc->system.particles is too large")
                 : convk_work_begin_(message, &search.memory, work, work_size, need);
  }
  if (!status) memcpy(&s, state, sizeof s);
  if (vmc) status = convk_vmc_agree_(vmc, status ? 0 : convk_vmc_alike_(&s, convk_vmc_aims_(&o)), status);
  if (status) {
    convk_work_end_(&search.memory);
    return status;
  }
  search.hw = hw;
  search.vmc = vmc;
  search.options = &o;
  search.state = state;
  search.state_size = state_size;
  search.work = work ? work : search.memory.own;
  search.work_size = need;
  search.element = element;
  search.parameter[0] = &vmc->system.trial.p5;
  search.parameter[1] = &vmc->system.trial.p2;
  search.parameter[2] = &vmc->system.trial.p0;
  search.parameter[3] = &vmc->system.trial.p1;
  if (s.sweep < vmc->equilibration) status = convk_vmc_go_on_(&search, (size_t)(vmc->equilibration - s.sweep));
  for (iteration = 0; iteration < o.iterations && !enough && !status; iteration++) {
    status = convk_vmc_iterate_(&search, iteration, &enough);
    if (status) break;
    if (iteration >= o.iterations - o.iterations / 4 - 1) {
      averaged++;
      for (i = 0; i < 4; i++) mean[i] += *search.parameter[i];
    }
    convk_vmc_renew_(vmc, state);
  }
  for (i = 0; i < 4 && !status && averaged && !enough; i++)
    if (!o.fixed[i]) *search.parameter[i] = mean[i] / (double)averaged;
  for (i = 0; i < 2 && !status; i++) { /* a tenth, and then what counts */
    convk_vmc_renew_(vmc, state);
    status = convk_vmc_go_on_(&search, i ? o.final_sweeps : o.final_sweeps / 10);
  }
  if (!status) status = convk_vmc_results_(message, state, state_size, element, result);
  convk_work_end_(&search.memory);
  return status;
}
