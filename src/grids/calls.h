/* ---- Gaussians on regular grids: checks and calls ---- */

#if CONVK_HAS_CELLS_
CONVK_RARE_ const convk_grids_general_ *convk_grids_general_calls_(void);
#endif

#define CONVK_GRIDS_IMAGES_ 10000 /* more of them along one axis are refused */
/* Numbers of images are doubles, and angles of as many quarters of a turn are told from whole ones up to 1e15, see
   convk_grids_floor_; loops over them would not end from 2^53 on. */
#define CONVK_GRIDS_FAR_ 281474976710656. /* 2^48 */

/* What a box must be; fills in what the job has of it. */
CONVK_RARE_ int convk_grids_box_(char *message, const convk_gaussian_box *box, convk_grids_job_ *job) {
  static const char *const steps[3] = {"box->step_x", "box->step_y", "box->step_z"};
  static const char *const elements[3] = {"box->step_x[%] is not finite", "box->step_y[%] is not finite",
                                          "box->step_z[%] is not finite"};
  int status, d, k;
  if (!box) return convk_refuse_(message, CONVK_ERR_NULL, "box is NULL");
  job->box = *box;
  status = convk_grid_check_(message, "box->grid", &box->grid, sizeof(CONVK_T), &job->box.grid, &job->span);
  if (status) return status;
  job->n[0] = box->grid.nx;
  job->n[1] = box->grid.ny;
  job->n[2] = box->grid.nz;
  for (d = 0; d < 3; d++) {
    const double *const step = d == 0 ? box->step_x : d == 1 ? box->step_y : box->step_z;
    const double origin = box->origin[d] < 0 ? -box->origin[d] : box->origin[d];
    double size = 0; /* at least the length of the step; of one along its axis, that */
    if (!convk_finite_f64_(box->origin[d]))
      return convk_refuse_at_(message, CONVK_ERR_NONFINITE, "box->origin[%] is not finite", d, 0, 0);
    for (k = 0; k < 3; k++)
      if (!convk_finite_f64_(step[k])) return convk_refuse_at_(message, CONVK_ERR_NONFINITE, elements[d], k, 0, 0);
    for (k = 0; k < 3; k++) size += step[k] < 0 ? -step[k] : step[k];
    if (step[0] == 0 && step[1] == 0 && step[2] == 0)
      return convk_refuse_names_(message, CONVK_ERR_OPTION, "$ is zero", steps[d], NULL);
    if (step[(d + 1) % 3] != 0 || step[(d + 2) % 3] != 0) job->general = 1;
    if (!(origin + size * (double)job->n[d] <= 1e150))
      return convk_refuse_at_(message, CONVK_ERR_OVERFLOW, "box->origin[%] or the points of this axis are too far away", d, 0,
                              0);
    if (!convk_finite_f64_(box->period[d]))
      return convk_refuse_at_(message, CONVK_ERR_NONFINITE, "box->period[%] is not finite", d, 0, 0);
    if (box->period[d] < 0) return convk_refuse_at_(message, CONVK_ERR_OPTION, "box->period[%] is negative", d, 0, 0);
    job->step[d] = step[d];
    job->tile[d] = convk_even_part_(job->n[d], d == 0 ? CONVK_GRIDS_X_ : d == 1 ? CONVK_GRIDS_Y_ : CONVK_GRIDS_Z_);
    if (d == 0 && job->tile[d] < job->n[d]) job->tile[d] = convk_round_up_(job->tile[d], 32);
    job->tiles[d] = convk_ceil_(job->n[d], job->tile[d]);
    job->frame.size[d] = size;
  }
  if (job->general) {
    status = convk_cells_frame_of_(message, box, &job->frame);
    if (status) return status;
#if CONVK_HAS_CELLS_
    job->by_cells = convk_grids_general_calls_();
    if (job->kernels && job->kernels->cells) job->cells = job->kernels->cells();
    job->by_cells->begin(job);
#else
    return convk_refuse_(message, CONVK_ERR_COMPILED,
                         "box has steps that do not lie along x, y and z, and CONVK_WITH_GAUSSIAN_CELLS is not defined");
#endif
  }
  for (d = 0; d < 3; d++)
    if (box->period[d] > 0 && box->period[d] < job->frame.size[d])
      return convk_refuse_at_(message, CONVK_ERR_OPTION, "box->period[%] is shorter than a step of this axis", d, 0, 0);
  return CONVK_OK;
}

/* How far images along an axis are apart, seen across the other axes. */
CONVK_LOCAL_ double convk_grids_apart_(const convk_grids_job_ *job, size_t d) {
  const double height = job->frame.image[d][d].hi;
  return !job->general ? job->box.period[d] : height < 0 ? -height : height;
}

/* The axis along which the images of a shell that are near the box have numbers beyond CONVK_GRIDS_FAR_, or 3.  In a general
   cell an image along the third axis moves a center along the others, too, and so on: their numbers are those at most. */
CONVK_RARE_ size_t convk_grids_far_(const convk_grids_job_ *job, const convk_shell *shell) {
  convk_cells_pair_ from[3];
  double number[3] = {0, 0, 0};
  size_t d, k;
  for (k = 0; k < 3; k++) from[k] = convk_cells_pair_of_(job->box.origin[k], -shell->center[k]);
  for (d = 3; d-- > 0;) {
    const double at = job->general ? convk_cells_dot_(job->frame.axis[d], from).hi : from[d].hi;
    double wide = at < 0 ? -at : at;
    if (!(job->box.period[d] > 0)) continue;
    for (k = 0; k < 3; k++) {
      const double step = job->general ? job->frame.step[k][d].hi : k == d ? job->step[d] : 0;
      const double image = k > d ? job->frame.image[k][d].hi : 0; /* 0, too, where cells are not general */
      wide += (step < 0 ? -step : step) * (double)(job->n[k] - 1) + (image < 0 ? -image : image) * number[k];
    }
    number[d] = wide / convk_grids_apart_(job, d);
    if (!(number[d] <= CONVK_GRIDS_FAR_)) return d;
  }
  return 3;
}

/* How far exponentials of this cutoff reach, that no axis has too many images of any, and that none are too far away. */
CONVK_RARE_ int convk_grids_reach_(char *message, convk_grids_job_ *job) {
  const double cut = (double)job->part.cut;
  const int power = 1023 - (int)(convk_to_bits_(cut) >> 52); /* cut >= 2^-power */
  size_t i, p, d;
  job->reach = power > 0 ? power * 0.69314718055994531 * 1.0000001 : 1e-9;
  for (d = 0; d < 3; d++)
    for (i = 0; i < job->nshells && job->box.period[d] > 0; i++)
      for (p = 0; p < job->shells[i].primitives; p++)
        if (!(convk_sqrt_(job->reach / convk_grids_exponent_(job, &job->shells[i], p)) <
              CONVK_GRIDS_IMAGES_ / 2 * convk_grids_apart_(job, d))) {
          if (job->gaussians)
            return convk_refuse_at_(message, CONVK_ERR_RANGE,
                                    "gaussians->alpha[%] reaches over too many periods, box->period[%]", (int64_t)p, (int64_t)d,
                                    0);
          return convk_refuse_at_(message, CONVK_ERR_RANGE,
                                  "set->shells[%].exponents[%] reaches over too many periods, box->period[%]", (int64_t)i,
                                  (int64_t)p, (int64_t)d);
        }
  for (i = 0; i < job->nshells && (job->box.period[0] > 0 || job->box.period[1] > 0 || job->box.period[2] > 0); i++) {
    d = convk_grids_far_(job, &job->shells[i]);
    if (d < 3 && job->gaussians)
      return convk_refuse_at_(message, CONVK_ERR_RANGE,
                              "gaussians->center is too many periods from some point of the box, box->period[%]", (int64_t)d, 0,
                              0);
    if (d < 3)
      return convk_refuse_at_(message, CONVK_ERR_RANGE,
                              "set->shells[%].center is too many periods from some point of the box, box->period[%]",
                              (int64_t)i, (int64_t)d, 0);
  }
  return CONVK_OK;
}

/* What calls on shells ask of a set; fills in what the job has of it. */
CONVK_RARE_ int convk_grids_set_(char *message, const convk_orbital_set *set, convk_grids_job_ *job, size_t *c_bytes) {
  const double limit = (double)CONVK_GREATEST_ / 64;
  size_t i, p;
  int status;
  if (!set) return convk_refuse_(message, CONVK_ERR_NULL, "set is NULL");
  if (set->plan) return convk_refuse_(message, CONVK_ERR_PLAN, "set->plan is not NULL: grids take the shells themselves");
  job->set = set;
  status = convk_orbitals_set_(message, set, &job->head, c_bytes);
  if (status) return status;
  job->shells = set->shells;
  job->nshells = set->nshells;
  job->ldc = set->ldc ? set->ldc : (size_t)job->head.functions;
  job->norbitals = (size_t)job->head.norbitals;
  if (job->density || job->general || job->bloch) job->head.combined = 1; /* functions as orbitals */
  if (job->density && job->norbitals && !set->occupations)
    return convk_refuse_(message, CONVK_ERR_NULL, "set->occupations is NULL");
  job->occupations = set->occupations;
  if (job->kinds > 1 && job->head.steep[0])
    return convk_refuse_at_(message, CONVK_ERR_NONFINITE,
                            "set->shells[%].coefficients[%] times 4 a^2 does not fit the type, as derivatives need",
                            (int64_t)job->head.steep[1], (int64_t)job->head.steep[2], 0);
  for (i = 0; i < set->nshells && job->kinds > 1; i++)
    for (p = 0; p < set->shells[i].primitives; p++)
      if (!(set->shells[i].exponents[p] * set->shells[i].exponents[p] <= limit))
        return convk_refuse_at_(message, CONVK_ERR_NONFINITE,
                                "set->shells[%].exponents[%]: 4 a^2 does not fit the type, as derivatives need", (int64_t)i,
                                (int64_t)p, 0);
  return CONVK_OK;
}

/* The same of gridpot_grid: all exponents are one shell. */
CONVK_RARE_ int convk_grids_gaussians_(char *message, const convk_gaussians *of, convk_grids_job_ *job, size_t *c_bytes) {
  size_t n_bytes, k;
  if (!of) return convk_refuse_(message, CONVK_ERR_NULL, "gaussians is NULL");
  job->gaussians = of;
  job->norbitals = of->nsums;
  job->ldc = of->ldc ? of->ldc : of->n;
  job->head.combined = 1;
  if (job->ldc < of->n)
    return convk_refuse_at_(message, CONVK_ERR_PITCH, "gaussians->ldc is %, less than gaussians->n = %", (int64_t)job->ldc,
                            (int64_t)of->n, 0);
  if (of->n > (size_t)-1 / 65536 || convk_rows_bytes_(1, of->n, 0, sizeof(CONVK_T), &n_bytes))
    return convk_refuse_(message, CONVK_ERR_OVERFLOW, "gaussians->n is too large");
  if (convk_rows_bytes_(of->nsums, of->n, job->ldc, sizeof(CONVK_T), c_bytes))
    return convk_refuse_(message, CONVK_ERR_OVERFLOW, "gaussians->nsums times gaussians->ldc is too large");
  if (n_bytes && !of->alpha) return convk_refuse_(message, CONVK_ERR_NULL, "gaussians->alpha is NULL");
  if (*c_bytes && !of->coefficients) return convk_refuse_(message, CONVK_ERR_NULL, "gaussians->coefficients is NULL");
  for (k = 0; k < 3; k++) {
    if (!convk_finite_(of->center[k]))
      return convk_refuse_at_(message, CONVK_ERR_NONFINITE, "gaussians->center[%] is not finite", (int64_t)k, 0, 0);
    job->own.center[k] = (double)of->center[k];
  }
  job->own.primitives = of->n;
  job->shells = &job->own;
  job->nshells = of->n ? 1 : 0;
  return CONVK_OK;
}

/* What exponents of gridpot_grid must be. */
CONVK_RARE_ int convk_grids_alpha_(char *message, const convk_grids_job_ *job) {
  const convk_gaussians *const of = job->gaussians;
  size_t k;
  int status = convk_rows_finite_(job->kernels->finite, message, "gaussians->alpha[%] is not finite", of->alpha, 1, of->n, 0);
  for (k = 0; k < of->n && !status; k++)
    if (!(CONVK_ONE_(of->alpha + k) < 0))
      status = convk_refuse_at_(message, CONVK_ERR_OPTION, "gaussians->alpha[%] is not negative", (int64_t)k, 0, 0);
  return status;
}

/* The name of result d, in refusals. */
CONVK_LOCAL_ const char *convk_grids_name_(const convk_grids_job_ *job, size_t d) {
  static const char *const vgl[5] = {"out->value", "out->dx", "out->dy", "out->dz", "out->laplacian"};
  static const char *const parts[5] = {"out->density", "out->dx", "out->dy", "out->dz", "out->tau"};
  if (job->bloch) return job->density ? "density" : "value";
  return job->density ? parts[d] : job->kinds > 1 ? vgl[d] : job->gaussians ? "sums" : "value";
}

/* The distance of results, and bytes of those of one kind. */
CONVK_RARE_ int convk_grids_results_(char *message, convk_grids_job_ *job, size_t *bytes) {
  const size_t rows = job->density ? 1 : job->norbitals;
  if (!job->ld) job->ld = job->box.grid.nz * job->box.grid.pitch_z;
  if (job->ld < job->span)
    return convk_refuse_at_(message, CONVK_ERR_PITCH,
                            &"out->ld is %, less than the % elements of a grid"[job->kinds > 1 ? 0 : 5], (int64_t)job -> ld,
                            (int64_t)job -> span, 0);
  if (job->ld > (size_t)-1 / 64 ||
      convk_rows_bytes_(rows, job->span, job->ld, (job->bloch && !job->density ? 2 : 1) * sizeof(CONVK_T), bytes))
    return convk_refuse_(message, CONVK_ERR_OVERFLOW, "the number of results times ld is too large");
  return CONVK_OK;
}

/* Whether result d must be there; others may be NULL. */
CONVK_LOCAL_ int convk_grids_must_(const convk_grids_job_ *job, size_t d) {
  return d == 0 || (!job->density && job->kinds > 1);
}

/* Results, and that what is written overlaps nothing. */
CONVK_RARE_ int convk_grids_arrays_(char *message, convk_grids_job_ *job, size_t c_bytes, const void *work, size_t work_size) {
  const size_t s = sizeof(CONVK_T);
  const size_t n_bytes = job->gaussians ? job->gaussians->n * s : job->density ? job->norbitals * s : 0;
  convk_place_ place[8];
  size_t bytes = 0, count = 0, first, d;
  int status = convk_grids_results_(message, job, &bytes);
  if (status) return status;
  if (job->gaussians) {
    place[count++] = convk_place_of_("gaussians->alpha", job->gaussians->alpha, n_bytes, CONVK_PLACE_OPTIONAL_);
    place[count++] = convk_place_of_("gaussians->coefficients", job->gaussians->coefficients, c_bytes, CONVK_PLACE_OPTIONAL_);
  } else {
    place[count++] = convk_place_of_("set->coefficients", job->set->coefficients, c_bytes, CONVK_PLACE_OPTIONAL_);
    if (job->bloch) place[count++] = convk_place_of_("bloch->imag", job->bloch->imag, c_bytes, CONVK_PLACE_OPTIONAL_);
    place[count++] =
        convk_place_of_("set->occupations", job->density ? job->occupations : NULL, n_bytes, CONVK_PLACE_OPTIONAL_);
  }
  first = count;
  place[count++] = convk_place_of_("work", work, work_size, CONVK_PLACE_WRITTEN_ | CONVK_PLACE_OPTIONAL_);
  for (d = 0; d < 5; d++) {
    const int wanted = convk_grids_must_(job, d);
    if (!wanted && !job->out[d]) continue;
    place[count++] = convk_place_of_(convk_grids_name_(job, d), job->out[d], bytes,
                                     CONVK_PLACE_WRITTEN_ | (bytes && wanted ? 0 : CONVK_PLACE_OPTIONAL_));
  }
  status = convk_places_check_(message, place, count);
  if (!status && !job->gaussians)
    status = convk_shells_apart_(message, job->nshells, job->shells, place + first, count - first);
  return status;
}

/* Numbers that must be finite. */
CONVK_RARE_ int convk_grids_numbers_(char *message, const convk_grids_job_ *job) {
  const convk_gaussians *const of = job->gaussians;
  const int status = of ? convk_grids_alpha_(message, job) : CONVK_OK;
  if (status || of)
    return status ? status
                  : convk_rows_finite_(job->kernels->finite, message, "gaussians->coefficients[% ldc + %] is not finite",
                                       of->coefficients, of->nsums, of->n, job->ldc);
  if (job->bloch && job->bloch->imag) {
    const int other = convk_rows_finite_(job->kernels->finite, message, "bloch->imag[% ldc + %] is not finite",
                                         job->bloch->imag, job->norbitals, (size_t)job->head.functions, job->ldc);
    if (other) return other;
  }
  return convk_orbitals_numbers_(job->kernels->finite, message, job->set, &job->head, job->density);
}

/* By how much one image along each axis turns the phase, in radians: k times the period, less whole turns. */
CONVK_RARE_ void convk_grids_turns_(convk_grids_job_ *job) {
  double times;
  int d;
  for (d = 0; d < 3; d++) {
    const double k = job->bloch->k[d];
    job->turn[d] = convk_cells_times_(convk_cells_pair_of_(job->box.period[d] > 0 ? k : 0, 0), job->box.period[d]);
    job->turn[d] = convk_cells_less_(job->turn[d], 6.2831853071795862, 2.4492935982947064e-16, &times);
  }
}

/* What a point k must be; fills in what the job has of it. */
CONVK_RARE_ int convk_grids_bloch_(char *message, convk_grids_job_ *job) {
  int d;
  for (d = 0; d < 3; d++) {
    const double turn = job->bloch->k[d] * job->box.period[d];
    if (!convk_finite_f64_(job->bloch->k[d]))
      return convk_refuse_at_(message, CONVK_ERR_NONFINITE, "bloch->k[%] is not finite", d, 0, 0);
    if (!(turn <= 1073741824. && turn >= -1073741824.))
      return convk_refuse_at_(message, CONVK_ERR_RANGE, "bloch->k[%] times box->period[%] is too large", d, d, 0);
  }
  if (job->bloch->imag && !job->set->coefficients)
    return convk_refuse_(message, CONVK_ERR_NULL, "set->coefficients is NULL, and bloch->imag is not");
  convk_grids_turns_(job);
  for (d = 0; d < 3; d++) job->turned[d] = job->turn[d].hi != 0;
  return CONVK_OK;
}

/* Lays the work out from `base` on: tables of the call, then the scratch of each task, and fills the tables.  base NULL: only
   counts the bytes, *need. */
CONVK_RARE_ int convk_grids_work_(char *message, convk_grids_job_ *job, char *base, size_t *need) {
  const size_t s = sizeof(CONVK_T);
  convk_grids_scratch_ own;
  double *sum;
  size_t at = 0, bytes;
  job->groups = (convk_grids_group_ *)(void *)base;
  at += convk_round_up_(job->primitives * sizeof *job->groups, 64);
  job->of = (size_t *)convk_grids_device_(base, at);
  at += convk_round_up_(job->primitives * sizeof *job->of, 64);
  job->tables = (CONVK_T *)convk_grids_device_(base, at);
  at += convk_round_up_(job->table * s, 64);
  job->coefficients = (CONVK_T *)convk_grids_device_(base, at);
  at += convk_round_up_(job->term_rows * s, 64);
  if (job->general) at = job->by_cells->work(job, base, at);
  sum = (double *)convk_grids_device_(base, at);
  at += convk_round_up_(job->terms * sizeof *sum, 64);
  job->scratch = base ? base + at : NULL;
  if (base && job->general) {
    job->by_cells->ready(job, sum);
    return CONVK_OK;
  }
  if (base) {
    convk_grids_fill_(job);
    convk_grids_terms_of_(job, sum);
    convk_grids_imaginary_(job, sum);
    return CONVK_OK;
  }
  job->task_bytes = job->general ? job->by_cells->scratch(job) : convk_grids_scratch_of_(job, NULL, &own);
  if (convk_mul_(job->task_bytes, job->tasks, &bytes) || at > (size_t)-1 / 8 || bytes > (size_t)-1 / 8)
    return convk_refuse_(message, CONVK_ERR_OVERFLOW, "the shells of set are too many");
  *need = at + bytes + 64;
  return CONVK_OK;
}

/* Begins a job of `kinds` (1, or 3 with derivatives): all else is 0. */
CONVK_LOCAL_ void convk_grids_begin_(const convk_grids_kernels_ *kernels, int kinds, int density, convk_grids_job_ *job) {
  memset(job, 0, sizeof *job);
  job->kernels = kernels;
  job->kinds = kinds;
  job->density = density;
}

/* Whether results go past the cache: all that are beyond it, whose rows begin alike to multiples of 64 bytes. */
CONVK_RARE_ void convk_grids_stream_(convk *hw, convk_grids_job_ *job) {
  const size_t s = (job->bloch ? 2 : 1) * sizeof(CONVK_T);
  const size_t threads = convk_threads_(hw), first = (uintptr_t)job->out[0] % 64;
  const size_t bytes = job->n[0] * job->n[1] * job->n[2] * s * (job->kinds > 1 ? 5 : 1) * job->norbitals;
  const size_t head = first ? (64 - first) / s : 0;
  if (!hw || job->density || (job->general && (first || job->bloch)) || first % s || head > job->kernels->strip ||
      job->box.grid.pitch_y * s % 64 || job->box.grid.pitch_z * s % 64 || job->ld * s % 64)
    return;
  job->stream = convk_cache_beyond_(&hw->tuning, threads, bytes);
  if (job->stream) job->head_elements = head;
}

/* Checks what a call is given but for its results, which a processor or a device may have: the box, options, and `set`, or with
   `plain` the Gaussians `of`.  *c_bytes: of the coefficients. */
CONVK_RARE_ int convk_grids_request_(char *message, const convk_gaussian_box *box, const convk_orbital_set *set,
                                     const convk_gaussians *of, int plain, const convk_gaussian_options *options,
                                     convk_grids_job_ *job, size_t *c_bytes) {
  int status = convk_grids_box_(message, box, job);
  if (!status) status = convk_gaussian_begin_(message, job->kernels->fused, options, 1, 0, CONVK_GRIDS_LEAST_, &job->part);
  if (status) return status;
  status = plain ? convk_grids_gaussians_(message, of, job, c_bytes) : convk_grids_set_(message, set, job, c_bytes);
  return !status && job->bloch ? convk_grids_bloch_(message, job) : status;
}

/* Checks the numbers of such a call, and counts what it needs. */
CONVK_RARE_ int convk_grids_counted_(char *message, convk_grids_job_ *job) {
  int status = convk_grids_numbers_(message, job);
  if (!status) status = convk_grids_reach_(message, job);
  if (!status) status = convk_grids_count_(message, job);
  return !status && job->general ? job->by_cells->count(message, job) : status;
}

/* All of a call whose job has its kinds and results: of `set`, or with `plain` of the Gaussians `of`. */
CONVK_RARE_ int convk_grids_all_(convk *hw, const convk_gaussian_box *box, const convk_orbital_set *set,
                                 const convk_gaussians *of, int plain, const convk_gaussian_options *options,
                                 convk_grids_job_ *job, void *work, size_t work_size) {
  char *const message = convk_message_(hw);
  size_t c_bytes = 0, need = 0;
  convk_work_ memory;
  double products;
  int status = hw ? convk_check_handle_(hw) : CONVK_OK;
  if (status) return status;
  if (job->kernels->run) { /* a device needs no work */
    work = NULL;
    work_size = 0;
  }
  status = convk_grids_request_(message, box, set, of, plain, options, job, &c_bytes);
  if (!status) status = convk_grids_arrays_(message, job, c_bytes, work, work_size);
  if (!status) status = convk_grids_counted_(message, job);
  if (status || (!job->norbitals && !job->density)) return status;
  if (job->kernels->run) return job->kernels->run(hw, job);
  products = (double)(job->rows + 1) * (double)(job->norbitals + 1) *
             (job->kinds > 1 ? 6
              : job->bloch   ? 4
                             : 1) /
             (double)CONVK_GAUSSIAN_PRODUCTS_;
  job->tasks = convk_gaussian_tasks_(hw, job->n[0] * job->n[1] * job->n[2], products);
  job->tasks = convk_least_(job->tasks, job->tiles[1] * job->tiles[2]);
  convk_grids_stream_(hw, job);
  status = convk_grids_work_(message, job, NULL, &need);
  if (!status) status = convk_work_begin_(message, &memory, work, work_size, need);
  if (status) return status;
  (void)convk_grids_work_(message, job, memory.base, &need);
  status = convk_run_tasks_(hw, job->tasks, job->general ? job->by_cells->task : convk_grids_task_, job);
  convk_work_end_(&memory);
  return status;
}

CONVK_LOCAL_ int convk_gridpot_grid_cpu_(const convk_grids_kernels_ *kernels, convk *hw, const convk_gaussian_box *box,
                                         const convk_gaussians *gaussians, const convk_gaussian_options *options, CONVK_T *sums,
                                         size_t ld, void *work, size_t work_size) {
  convk_grids_job_ job;
  convk_grids_begin_(kernels, 1, 0, &job);
  job.out[0] = sums;
  job.ld = ld;
  return convk_grids_all_(hw, box, NULL, gaussians, 1, options, &job, work, work_size);
}

CONVK_LOCAL_ int convk_orbitals_grid_cpu_(const convk_grids_kernels_ *kernels, convk *hw, const convk_gaussian_box *box,
                                          const convk_orbital_set *set, const convk_gaussian_options *options, CONVK_T *value,
                                          size_t ld, void *work, size_t work_size) {
  convk_grids_job_ job;
  convk_grids_begin_(kernels, 1, 0, &job);
  job.out[0] = value;
  job.ld = ld;
  return convk_grids_all_(hw, box, set, NULL, 0, options, &job, work, work_size);
}

CONVK_LOCAL_ int convk_orbitals_grid_vgl_cpu_(const convk_grids_kernels_ *kernels, convk *hw, const convk_gaussian_box *box,
                                              const convk_orbital_set *set, const convk_gaussian_options *options,
                                              const convk_vgl *out, void *work, size_t work_size) {
  convk_grids_job_ job;
  const int status = hw ? convk_check_handle_(hw) : CONVK_OK;
  convk_grids_begin_(kernels, 3, 0, &job);
  if (status) return status;
  if (!out) return convk_refuse_(convk_message_(hw), CONVK_ERR_NULL, "out is NULL");
  memcpy(job.out, out, sizeof job.out); /* value .. laplacian */
  job.ld = out->ld;
  return convk_grids_all_(hw, box, set, NULL, 0, options, &job, work, work_size);
}

CONVK_LOCAL_ int convk_density_grid_cpu_(const convk_grids_kernels_ *kernels, convk *hw, const convk_gaussian_box *box,
                                         const convk_orbital_set *set, const convk_gaussian_options *options,
                                         const convk_density_parts *out, void *work, size_t work_size) {
  convk_grids_job_ job;
  const int status = hw ? convk_check_handle_(hw) : CONVK_OK;
  const int gradient = out && (out->dx || out->dy || out->dz);
  convk_grids_begin_(kernels, gradient || (out && out->tau) ? 3 : 1, 1, &job);
  if (status) return status;
  if (!out) return convk_refuse_(convk_message_(hw), CONVK_ERR_NULL, "out is NULL");
  if (gradient && !(out->dx && out->dy && out->dz))
    return convk_refuse_(convk_message_(hw), CONVK_ERR_NULL, "out->dx, out->dy and out->dz: all three or none");
  memcpy(job.out, out, sizeof job.out); /* density .. tau */
  return convk_grids_all_(hw, box, set, NULL, 0, options, &job, work, work_size);
}

CONVK_LOCAL_ int convk_orbitals_grid_k_cpu_(const convk_grids_kernels_ *kernels, convk *hw, const convk_gaussian_box *box,
                                            const convk_orbital_set *set, const convk_bloch *bloch,
                                            const convk_gaussian_options *options, CONVK_T *value, size_t ld, void *work,
                                            size_t work_size) {
  convk_grids_job_ job;
  const int status = hw ? convk_check_handle_(hw) : CONVK_OK;
  if (status) return status;
  if (!bloch) return convk_refuse_(convk_message_(hw), CONVK_ERR_NULL, "bloch is NULL");
  convk_grids_begin_(kernels, 1, 0, &job);
  job.bloch = bloch;
  job.out[0] = value;
  job.ld = ld;
  return convk_grids_all_(hw, box, set, NULL, 0, options, &job, work, work_size);
}

CONVK_LOCAL_ int convk_density_grid_k_cpu_(const convk_grids_kernels_ *kernels, convk *hw, const convk_gaussian_box *box,
                                           const convk_orbital_set *set, const convk_bloch *bloch,
                                           const convk_gaussian_options *options, CONVK_T *density, int add, void *work,
                                           size_t work_size) {
  convk_grids_job_ job;
  const int status = hw ? convk_check_handle_(hw) : CONVK_OK;
  if (status) return status;
  if (!bloch) return convk_refuse_(convk_message_(hw), CONVK_ERR_NULL, "bloch is NULL");
  if (add != 0 && add != 1)
    return convk_refuse_at_(convk_message_(hw), CONVK_ERR_OPTION, "add is %, and not 0 or 1", add, 0, 0);
  convk_grids_begin_(kernels, 1, 1, &job);
  job.bloch = bloch;
  job.add = add;
  job.out[0] = density;
  return convk_grids_all_(hw, box, set, NULL, 0, options, &job, work, work_size);
}

/* ---- sizes ---- */

/* Counts the most that any call on this box and these shells or Gaussians needs: its options are not known. */
CONVK_RARE_ int convk_grids_count_bound_(char *message, convk_grids_job_ *job) {
  int status;
  job->part.cut = CONVK_GRIDS_LEAST_;
  status = convk_grids_reach_(message, job);
  if (!status) status = convk_grids_count_(message, job);
  if (!status && !job->gaussians) { /* a density of the functions takes them as orbitals, which need more */
    job->head.combined = 1;
    status = convk_grids_count_(message, job);
  }
  return !status && job->general ? job->by_cells->count(message, job) : status;
}

/* Checks what a size query of Gaussians is given, and counts.  *own: a copy of them, to which the job points. */
CONVK_RARE_ int convk_grids_query_gaussians_(char *message, const convk_gaussian_box *box, const convk_gaussians *gaussians,
                                             const size_t *bytes, convk_gaussians *own, convk_grids_job_ *job) {
  static const convk_grids_kernels_ none = {0, convk_gaussian_finite_, NULL, NULL, NULL, 0, 0, NULL, NULL, NULL, NULL, NULL};
  size_t c_bytes = 0;
  int status;
  convk_grids_begin_(&none, 1, 0, job);
  if (!bytes) return convk_refuse_(message, CONVK_ERR_NULL, "bytes is NULL");
  status = convk_grids_box_(message, box, job);
  if (status) return status;
  if (!gaussians) return convk_refuse_(message, CONVK_ERR_NULL, "gaussians is NULL");
  *own = *gaussians;
  if (!own->coefficients) own->coefficients = own->alpha; /* which are not read */
  status = convk_grids_gaussians_(message, own, job, &c_bytes);
  if (!status) status = convk_grids_alpha_(message, job);
  return status ? status : convk_grids_count_bound_(message, job);
}

/* The same of orbitals, or of their density. */
CONVK_RARE_ int convk_grids_query_set_(char *message, const convk_gaussian_box *box, const convk_orbital_set *set,
                                       const convk_bloch *bloch, const size_t *bytes, convk_grids_job_ *job) {
  int status, d;
  convk_grids_begin_(NULL, bloch ? 1 : 3, 1, job);
  job->bloch = bloch;
  if (!set) return convk_refuse_(message, CONVK_ERR_NULL, "set is NULL");
  if (!bytes) return convk_refuse_(message, CONVK_ERR_NULL, "bytes is NULL");
  if (set->plan) return convk_refuse_(message, CONVK_ERR_PLAN, "set->plan is not NULL: grids take the shells themselves");
  status = convk_grids_box_(message, box, job);
  if (!status) status = convk_orbitals_shells_(message, set, &job->head);
  if (status) return status;
  job->head.combined = set->coefficients || set->norbitals || set->occupations;
  job->norbitals = (size_t)(set->coefficients || set->norbitals ? set->norbitals : job->head.functions);
  job->shells = set->shells;
  job->nshells = set->nshells;
  for (d = 0; d < 3; d++) job->turned[d] = bloch && box->period[d] > 0; /* as some k may do */
  return convk_grids_count_bound_(message, job);
}

/* Answers a size query: bytes of work on as many threads as the handle has. */
CONVK_RARE_ int convk_grids_size_(char *message, convk *hw, convk_grids_job_ *job, size_t *bytes) {
  size_t need = 0;
  int status;
  job->tasks = convk_threads_(hw);
  status = convk_grids_work_(message, job, NULL, &need);
  if (!status) *bytes = need;
  return status;
}

CONVK_API_ int convk_gridpot_grid_work_size(convk *hw, const convk_gaussian_box *box, const convk_gaussians *gaussians,
                                            size_t *bytes) {
  convk_grids_job_ job;
  convk_gaussians own;
  char *message;
  int status = convk_begin_helper_(hw, &message);
  if (!status) status = convk_grids_query_gaussians_(message, box, gaussians, bytes, &own, &job);
  return status ? status : convk_grids_size_(message, hw, &job, bytes);
}

/* Of orbitals and densities, at a point k or not. */
CONVK_RARE_ int convk_grids_shells_size_(convk *hw, const convk_gaussian_box *box, const convk_orbital_set *set,
                                         const convk_bloch *bloch, size_t *bytes) {
  convk_grids_job_ job;
  char *message;
  int status = convk_begin_helper_(hw, &message);
  if (!status) status = convk_grids_query_set_(message, box, set, bloch, bytes, &job);
  return status ? status : convk_grids_size_(message, hw, &job, bytes);
}

CONVK_API_ int convk_orbitals_grid_work_size(convk *hw, const convk_gaussian_box *box, const convk_orbital_set *set,
                                             size_t *bytes) {
  return convk_grids_shells_size_(hw, box, set, NULL, bytes);
}

/* Stands for any point k, and complex coefficients. */
CONVK_LOCAL_ convk_bloch convk_grids_any_bloch_(void) {
  static const CONVK_T imag = 0;
  convk_bloch bloch;
  memset(&bloch, 0, sizeof bloch);
  bloch.imag = &imag;
  return bloch;
}

CONVK_API_ int convk_orbitals_grid_k_work_size(convk *hw, const convk_gaussian_box *box, const convk_orbital_set *set,
                                               size_t *bytes) {
  const convk_bloch bloch = convk_grids_any_bloch_();
  return convk_grids_shells_size_(hw, box, set, &bloch, bytes);
}
