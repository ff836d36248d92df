/* ---- the Hamiltonian in wavelets ---- */

/* Five passes over whole arrays of an orbital. Planes that go through all of them at once would wait for filters along z: 24
   of psi, 37 of scaling coefficients, and 24 each before the magic filter, its inverse and the analysis, together 133, as
   many as a grid of 128 has; tiles of y would be made three times, as they reach over 47 rows beside their own. What pays is
   that planes lie apart in the caches: of 128 x 128 x 128 packed doubles those that a filter along z meets share their sets.
   One thread of AVX2 took 0.67 to 0.74 of the time of s1_to_r, r_to_s1, idwt3d, sumconv3d and dwt3d, 0.8 to 0.9 of its own
   five calls on packed arrays, on an AMD EPYC of 2 cores that was busy. */

/* A checked call.  fine: the grid of scaling coefficients, in pitches that keep planes apart in the caches; its boundaries are
   those of sums.  at: where psi, its values and what becomes of it lie, in bytes, in the `bytes` of an orbital, with `rest`
   bytes of work for the calls behind them.  Of complex orbitals (step 2) those of the real part, `apart` elements before those
   of the imaginary one; last, complex numbers as sums take them, or both parts of the coefficients. */
typedef struct convk_hamiltonian_job_ {
  const convk_hamiltonian_kernels_ *kernels;
  convk *hw;
  convk_hamiltonian_shape full;
  convk_dwt3d_shape wavelets;
  convk_sepconv3d_shape to_values, back;
  convk_sumconv3d_shape sum;
  convk_sumconv_terms terms;
  CONVK_T taps[3][CONVK_DERIVATIVE_TAPS], imag[3][CONVK_DERIVATIVE_TAPS];
  const CONVK_T *potential, *in;
  CONVK_T *out;
  convk_hamiltonian_energies *energies;
  size_t step, apart, span[2], values, at[4]; /* values: elements of what waits for the way back */
  size_t arrays, rest, bytes, tasks, vectors; /* of tasks that take orbitals */
  char *scratch;
} convk_hamiltonian_job_;

/* One axis: fills in the size that follows, and gives that of scaling coefficients. */
CONVK_RARE_ int convk_hamiltonian_axis_(char *message, int d, int boundary, size_t *coarse, size_t *values, size_t *fine) {
  const int is_free = boundary == CONVK_BOUNDARY_GROW || boundary == CONVK_BOUNDARY_SHRINK;
  const size_t more = is_free ? 29 : 0;
  if (boundary != CONVK_BOUNDARY_PERIODIC && boundary != CONVK_BOUNDARY_ZERO && !is_free)
    return convk_refuse_at_(message, CONVK_ERR_BOUNDARY, "shape->boundary[%] is %, which is none of wavelets", d, boundary, 0);
  if (*coarse % 2)
    return convk_refuse_at_(message, CONVK_ERR_ODD, "shape->wavelets has % points along axis %: not even", (int64_t)*coarse, d,
                            0);
  if (!*coarse) {
    if (*values < more + 2)
      return is_free ? convk_refuse_at_(message, CONVK_ERR_SHRINK, "shape->values has % points along axis %, which is free",
                                        (int64_t)*values, d, 0)
                     : convk_refuse_at_(message, CONVK_ERR_ODD, "shape->values has % points along axis %: not even",
                                        (int64_t)*values, d, 0);
    if ((*values - more) % 2)
      return convk_refuse_at_(message, CONVK_ERR_ODD, "shape->values has % points along axis %: not % and an even number",
                              (int64_t)*values, d, (int64_t)more);
    *coarse = *values - more;
  }
  if (*coarse > (size_t)-1 / 16) return convk_refuse_at_(message, CONVK_ERR_OVERFLOW, "axis % of shape is too long", d, 0, 0);
  if (*values && *values != *coarse + more)
    return convk_refuse_at_(message, CONVK_ERR_SIZE, "shape->values must have % points along axis %, as shape->wavelets has %",
                            (int64_t)(*coarse + more), d, (int64_t)*coarse);
  *values = *coarse + more;
  *fine = *coarse + (is_free ? 14 : 0);
  return CONVK_OK;
}

/* All grids. */
CONVK_RARE_ int convk_hamiltonian_grids_(char *message, const convk_hamiltonian_shape *shape, convk_hamiltonian_job_ *job) {
  convk_hamiltonian_shape *const full = &job->full;
  convk_grid3 *const w = &full->wavelets, *const v = &full->values, fine;
  const size_t element = sizeof(CONVK_T);
  size_t unused;
  int status = convk_need_(message, "shape", shape), none[2];
  if (status) return status;
  *full = *shape;
  none[0] = !w->nx && !w->ny && !w->nz;
  none[1] = !v->nx && !v->ny && !v->nz;
  if (none[0] && none[1]) return convk_refuse_(message, CONVK_ERR_SIZE, "shape->wavelets and shape->values have no sizes");
  if (!none[0]) status = convk_grid_check_(message, "shape->wavelets", w, element, w, &job->span[0]);
  if (!none[1] && !status) status = convk_grid_check_(message, "shape->values", v, element, v, &job->span[1]);
  memset(&fine, 0, sizeof fine);
  if (!status) status = convk_hamiltonian_axis_(message, 0, full->boundary[0], &w->nx, &v->nx, &fine.nx);
  if (!status) status = convk_hamiltonian_axis_(message, 1, full->boundary[1], &w->ny, &v->ny, &fine.ny);
  if (!status) status = convk_hamiltonian_axis_(message, 2, full->boundary[2], &w->nz, &v->nz, &fine.nz);
  if (!status) status = convk_grid_check_(message, "shape->wavelets", w, element, w, &job->span[0]);
  if (!status) status = convk_grid_check_(message, "shape->values", v, element, v, &job->span[1]);
  if (!status) status = convk_grid_check_(message, "shape->values", &fine, element, &fine, &unused);
  if (status) return status;
  if (convk_mul_(fine.ny, fine.pitch_y, &fine.pitch_z) || fine.pitch_z > (size_t)-1 / 64)
    return convk_refuse_(message, CONVK_ERR_OVERFLOW, "a plane of shape->values is too large");
  fine.pitch_z = convk_round_up_(fine.pitch_z, 64 / element) + 64 / element;
  job->wavelets.fine = job->to_values.in = job->back.out = job->sum.in = job->sum.out = fine;
  job->wavelets.coarse = *w;
  if (job->step > 1) { /* a part of it, in work memory */
    job->wavelets.coarse.pitch_y = w->nx;
    job->wavelets.coarse.pitch_z = convk_round_up_(w->ny * w->nx, 64 / element) + 64 / element;
  }
  job->values = convk_values_layout_(v, job->span[1], element, &job->to_values.out);
  job->back.in = job->to_values.out;
  return CONVK_OK;
}

/* A shape, and where arrays of an orbital lie. */
CONVK_RARE_ int convk_hamiltonian_shape_(char *message, const convk_hamiltonian_shape *shape, size_t step,
                                         convk_hamiltonian_job_ *job) {
  convk_hamiltonian_shape *const full = &job->full;
  size_t bytes[4], more[2], d;
  int status;
  memset(job, 0, sizeof *job);
  job->step = step;
  status = convk_hamiltonian_grids_(message, shape, job);
  if (status) return status;
  for (d = 0; d < 3; d++) {
    const int boundary = full->boundary[d], is_free = boundary == CONVK_BOUNDARY_GROW || boundary == CONVK_BOUNDARY_SHRINK;
    job->wavelets.boundary[d] = boundary;
    job->to_values.boundary[d] = is_free ? CONVK_BOUNDARY_GROW : boundary;
    job->back.boundary[d] = is_free ? CONVK_BOUNDARY_SHRINK : boundary;
    job->sum.boundary[d] = is_free ? CONVK_BOUNDARY_ZERO : boundary;
  }
  if (!full->vectors) full->vectors = 1;
  if (!full->in_stride) full->in_stride = full->wavelets.nz * full->wavelets.pitch_z;
  if (!full->out_stride) full->out_stride = full->wavelets.nz * full->wavelets.pitch_z;
  if (full->vectors > 1 && full->out_stride < job->span[0])
    return convk_refuse_at_(message, CONVK_ERR_PITCH, "shape->out_stride is %, less than the % of a grid",
                            (int64_t)full->out_stride, (int64_t)job->span[0], 0);
  job->apart = convk_round_up_(job->sum.in.nz * job->sum.in.pitch_z + 8, 64 / sizeof(CONVK_T));
  bytes[0] = bytes[2] = step * job->apart * sizeof(CONVK_T);
  bytes[3] = step > 1 ? bytes[0] : 0;
  bytes[1] = (job->values + 8) * sizeof(CONVK_T);
  if (convk_mul_(full->vectors - 1, full->in_stride, &more[0]) || convk_mul_(full->vectors - 1, full->out_stride, &more[1]) ||
      more[0] > (size_t)-1 / 64 || more[1] > (size_t)-1 / 64 || job->sum.in.pitch_z > (size_t)-1 / 64 / job->sum.in.nz ||
      bytes[1] > (size_t)-1 / 8)
    return convk_refuse_(message, CONVK_ERR_OVERFLOW, "shape->vectors are too many, or its arrays too large");
  for (d = 0; d < 4; d++) {
    job->at[d] = job->arrays;
    job->arrays += convk_round_up_(bytes[d], 64) + 64 * (d + 1); /* they do not begin in the same sets of the caches */
  }
  return CONVK_OK;
}

/* Work of the calls behind it, on a handle. */
CONVK_RARE_ int convk_hamiltonian_rest_(convk *hw, const convk_hamiltonian_job_ *job, size_t *rest) {
  static const CONVK_T one = 1;
  const convk_wavelet wavelet = convk_wavelet_taps(CONVK_WAVELET_DAUBECHIES16);
  convk_filter forward[3], inverse[3];
  convk_sumconv_terms terms;
  size_t bytes[5], k;
  int status;
  memset(&terms, 0, sizeof terms);
  for (k = 0; k < 3; k++) {
    terms.filter[k].lo = -14;
    terms.filter[k].up = 14;
    terms.filter[k].taps = &one; /* whose numbers do not count here */
    if (job->step > 1) terms.imag[k] = terms.filter[k];
    forward[k] = convk_magicfilter_taps(CONVK_FORWARD);
    inverse[k] = convk_magicfilter_taps(CONVK_INVERSE);
  }
  status = convk_idwt3d_work_size(hw, &job->wavelets, &wavelet, &bytes[0]);
  if (!status) status = convk_dwt3d_work_size(hw, &job->wavelets, &wavelet, &bytes[1]);
  if (!status) status = convk_sepconv3d_work_size(hw, &job->to_values, forward, NULL, &bytes[2]);
  if (!status) status = convk_sepconv3d_work_size(hw, &job->back, inverse, NULL, &bytes[3]);
  if (!status)
    status = job->step > 1 ? convk_sumconv3d_work_size_complex(hw, &job->sum, &terms, &bytes[4])
                           : convk_sumconv3d_work_size(hw, &job->sum, &terms, &bytes[4]);
  if (status) return status;
  *rest = 0;
  for (k = 0; k < 5; k++)
    if (bytes[k] > *rest) *rest = bytes[k];
  *rest = convk_round_up_(*rest, 64) + 64;
  return *rest > (size_t)-1 / 4 ? CONVK_ERR_OVERFLOW : CONVK_OK;
}

/* A handle for calls that a task makes. */
CONVK_LOCAL_ void convk_hamiltonian_serial_(const convk *hw, convk *serial) {
  *serial = *hw;
  serial->parallel.threads = 1;
  serial->parallel.run = NULL;
}

/* Threads take orbitals where all that is between them fits into their caches, and as many are there; or where an orbital is
   too small for more threads.  bound: work for all that is smaller. */
CONVK_RARE_ int convk_hamiltonian_cut_(convk *hw, int bound, convk_hamiltonian_job_ *job, size_t *need) {
  const size_t threads = convk_threads_(hw), vectors = job->full.vectors, all = threads < vectors ? threads : vectors;
  const convk_grid3 *const fine = &job->sum.in;
  size_t rest, cached, orbitals = 0;
  convk serial;
  int status = convk_hamiltonian_rest_(hw, job, &rest);
  job->tasks = 1;
  job->vectors = 0;
  job->rest = rest;
  if (status) return status;
  *need = job->arrays + rest + 128;
  if (all < 2) return CONVK_OK;
  cached = convk_cache_l3_(&hw->tuning, threads) / 2; /* a thread's; psi, V and H psi want their part, too */
  convk_hamiltonian_serial_(hw, &serial);
  status = convk_hamiltonian_rest_(&serial, job, &rest);
  if (status) return status;
  if (convk_mul_(all, (bound && cached < job->arrays ? cached : job->arrays) + rest + 64, &orbitals)) return CONVK_ERR_OVERFLOW;
  orbitals += 128;
  if (bound) {
    if (*need < orbitals) *need = orbitals;
    return CONVK_OK;
  }
  if (job->arrays > cached) return CONVK_OK;
  if (vectors < threads &&
      convk_filters_threads_(hw, 48.0 * (double)job->step * (double)fine->nx * (double)fine->ny * (double)fine->nz,
                             sizeof(CONVK_T)) > vectors)
    return CONVK_OK;
  job->tasks = all;
  job->vectors = vectors / all * all;
  job->bytes = 64 + job->arrays + rest;
  if (job->vectors == vectors || *need < orbitals) *need = orbitals; /* what is left over goes by tiles */
  if (job->vectors == vectors) job->rest = rest;
  return CONVK_OK;
}

/* out = IMF V MF psi, by way of the values; adds to *energy. */
CONVK_RARE_ int convk_hamiltonian_potential_(const convk_hamiltonian_job_ *job, convk *hw, const CONVK_T *psi, CONVK_T *values,
                                             CONVK_T *out, double *energy, void *work, size_t rest) {
  convk_sepconv_epilogue epilogue;
  convk_filter filter[3];
  double more = 0;
  int status;
  memset(&epilogue, 0, sizeof epilogue);
  epilogue.potential = job->potential;
  epilogue.energy = job->energies ? &more : NULL;
  (void)convk_magicfilter_axes_(NULL, CONVK_FORWARD, filter);
  status = convk_sepconv3d_laid_(job->kernels->filters, hw, &job->to_values, filter, &epilogue, &job->full.values, psi, values,
                                 work, rest);
  *energy += more;
  (void)convk_magicfilter_axes_(NULL, CONVK_INVERSE, filter);
  if (status) return status;
  return convk_sepconv3d_cpu_(job->kernels->filters, hw, &job->back, filter, NULL, values, out, work, rest);
}

/* One orbital, in `place`, with `rest` bytes of work behind its arrays; gives its energies. */
CONVK_RARE_ int convk_hamiltonian_real_(const convk_hamiltonian_job_ *job, convk *hw, size_t v, char *place, size_t rest,
                                        convk_sumconv_sums *sums, double *energy) {
  const convk_wavelet wavelet = convk_wavelet_taps(CONVK_WAVELET_DAUBECHIES16);
  const convk_hamiltonian_kernels_ *const kernels = job->kernels;
  const CONVK_T *const in = job->in + v * job->full.in_stride;
  CONVK_T *const out = job->out + v * job->full.out_stride;
  CONVK_T *array[3];
  convk_sumconv_terms terms = job->terms;
  char *const work = place + job->arrays;
  int status, d;
  for (d = 0; d < 3; d++) array[d] = (CONVK_T *)(void *)(place + job->at[d]);
  status = convk_idwt3d_cpu_(kernels->wavelets, hw, &job->wavelets, &wavelet, in, array[0], work, rest);
  if (!status && job->potential) {
    status = convk_hamiltonian_potential_(job, hw, array[0], array[1], array[2], energy, work, rest);
    terms.add = array[2];
    terms.add_factor = 1;
  }
  if (!status) status = convk_sumconv3d_cpu_(kernels->sums, hw, &job->sum, &terms, array[0], array[2], sums, work, rest);
  if (!status) status = convk_dwt3d_cpu_(kernels->wavelets, hw, &job->wavelets, &wavelet, array[2], out, work, rest);
  return status;
}

/* Both parts of complex numbers, each in an array of its own, and back: grid is that of the parts, whole of the numbers. */
typedef struct convk_hamiltonian_parts_ {
  CONVK_T *part[2], *numbers;
  const CONVK_T *in; /* numbers that are only read */
  convk_grid3 grid, whole;
  size_t tasks;
  int join, add; /* or, to parts, what is added to them */
} convk_hamiltonian_parts_;

CONVK_LIGHT_POP_ /* loops over elements */
CONVK_LOCAL_ void convk_hamiltonian_parts_task_(void *arg, size_t index) {
  const convk_hamiltonian_parts_ *const p = (const convk_hamiltonian_parts_ *)arg;
  const size_t n = p->grid.nx;
  size_t y, z, i;
  for (z = index; z < p->grid.nz; z += p->tasks)
    for (y = 0; y < p->grid.ny; y++) {
      const size_t at = z * p->grid.pitch_z + y * p->grid.pitch_y, whole_at = 2 * (z * p->whole.pitch_z + y * p->whole.pitch_y);
      CONVK_T *const re = p->part[0] + at, *const im = p->part[1] + at;
      const convk_any_ *const in = p->in + whole_at; /* at any address */
      if (p->join) {
        convk_any_ *const numbers = p->numbers + whole_at;
        for (i = 0; i < n; i++) {
          numbers[2 * i] = re[i];
          numbers[2 * i + 1] = im[i];
        }
      } else if (p->add) {
        for (i = 0; i < n; i++) {
          re[i] = in[2 * i] + re[i];
          im[i] = in[2 * i + 1] + im[i];
        }
      } else {
        for (i = 0; i < n; i++) {
          re[i] = in[2 * i];
          im[i] = in[2 * i + 1];
        }
      }
    }
}
CONVK_LIGHT_PUSH_

/* Splits the complex numbers of `in` into real and imaginary parts, two arrays that begin `apart` elements from each other; or,
   where `numbers` is not NULL, joins parts to complex numbers there, which are added where `add` is set. */
CONVK_RARE_ int convk_hamiltonian_parts_run_(convk *hw, const convk_grid3 *grid, const convk_grid3 *whole, size_t apart,
                                             CONVK_T *parts, const CONVK_T *in, CONVK_T *numbers, int add) {
  const size_t threads = convk_threads_(hw), max_tasks = 2 * grid->nx * grid->ny * grid->nz / CONVK_SEGMENTS_THREAD_ + 1;
  convk_hamiltonian_parts_ p;
  p.part[0] = parts;
  p.part[1] = parts + apart;
  p.numbers = numbers;
  p.in = numbers ? numbers : in;
  p.grid = *grid;
  p.whole = *whole;
  p.tasks = threads < max_tasks ? threads : max_tasks;
  p.join = numbers != NULL;
  p.add = add;
  return convk_run_tasks_(hw, p.tasks, convk_hamiltonian_parts_task_, &p);
}

/* The same of complex numbers: wavelets and filters take both parts one after the other, sums both together. */
CONVK_RARE_ int convk_hamiltonian_complex_(const convk_hamiltonian_job_ *job, convk *hw, size_t v, char *place, size_t rest,
                                           convk_sumconv_sums *sums, double *energy) {
  const convk_wavelet wavelet = convk_wavelet_taps(CONVK_WAVELET_DAUBECHIES16);
  const convk_hamiltonian_kernels_ *const kernels = job->kernels;
  const convk_grid3 *const coarse = &job->wavelets.coarse, *const fine = &job->sum.in, *const whole = &job->full.wavelets;
  const CONVK_T *const in = job->in + 2 * v * job->full.in_stride;
  CONVK_T *const out = job->out + 2 * v * job->full.out_stride;
  const int add = job->potential != NULL;
  const size_t apart = job->apart;
  char *const work = place + job->arrays;
  CONVK_T *array[4];
  int status, i;
  for (i = 0; i < 4; i++) array[i] = (CONVK_T *)(void *)(place + job->at[i]);
  status = convk_hamiltonian_parts_run_(hw, coarse, whole, apart, array[3], in, NULL, 0);
  for (i = 0; i < 2 && !status; i++) {
    CONVK_T *const psi = array[0] + (size_t)i * apart, *const result = array[2] + (size_t)i * apart;
    status = convk_idwt3d_cpu_(kernels->wavelets, hw, &job->wavelets, &wavelet, array[3] + (size_t)i * apart, psi, work, rest);
    if (!status && add) status = convk_hamiltonian_potential_(job, hw, psi, array[1], result, energy, work, rest);
  }
  if (!status) status = convk_hamiltonian_parts_run_(hw, fine, fine, apart, array[0], NULL, array[3], 0);
  if (!status)
    status = convk_complex_sumconv3d_cpu_(kernels->sums, hw, &job->sum, &job->terms, array[3], array[0], sums, work, rest);
  if (!status) status = convk_hamiltonian_parts_run_(hw, fine, fine, apart, array[2], array[0], NULL, add);
  for (i = 0; i < 2 && !status; i++)
    status = convk_dwt3d_cpu_(kernels->wavelets, hw, &job->wavelets, &wavelet, array[2] + (size_t)i * apart,
                              array[3] + (size_t)i * apart, work, rest);
  return status ? status : convk_hamiltonian_parts_run_(hw, coarse, whole, apart, array[3], NULL, out, 0);
}

CONVK_RARE_ int convk_hamiltonian_orbital_(const convk_hamiltonian_job_ *job, convk *hw, size_t v, char *place, size_t rest) {
  convk_sumconv_sums all, *const sums = job->energies ? &all : NULL;
  double energy = 0;
  int d, status = job->step > 1 ? convk_hamiltonian_complex_(job, hw, v, place, rest, sums, &energy)
                                : convk_hamiltonian_real_(job, hw, v, place, rest, sums, &energy);
  if (status || !job->energies) return status;
  for (d = 0; d < 3; d++) job->energies[v].kinetic[d] = all.axis[d];
  job->energies[v].potential = energy;
  return CONVK_OK;
}

/* Every tasks-th orbital, on one thread; its status stands before its arrays. */
CONVK_LOCAL_ void convk_hamiltonian_task_(void *arg, size_t index) {
  const convk_hamiltonian_job_ *const job = (const convk_hamiltonian_job_ *)arg;
  char *const place = job->scratch + index * job->bytes;
  int *const status = (int *)(void *)place;
  convk serial;
  size_t v;
  convk_hamiltonian_serial_(job->hw, &serial);
  *status = CONVK_OK;
  for (v = index; v < job->vectors && !*status; v += job->tasks)
    *status = convk_hamiltonian_orbital_(job, &serial, v, place + 64, job->bytes - 64 - job->arrays);
}

/* The kinetic energy along an axis of points h apart: 1/2 (-i d/dx + k)^2. */
CONVK_RARE_ int convk_hamiltonian_kinetic_(char *message, int d, double h, double k, convk_hamiltonian_job_ *job) {
  if (!convk_finite_f64_(-0.5 / (h * h)) ||
      convk_derivative_filter(NULL, 2, 0, -0.5 / (h * h), job->taps[d], &job->terms.filter[d]) ||
      !convk_finite_(job->taps[d][14]))
    return convk_refuse_at_(message, CONVK_ERR_NONFINITE, "terms->spacing[%] is so small that 1 / h^2 overflows", d, 0, 0);
  if (k == 0) return CONVK_OK;
  job->taps[d][14] = (CONVK_T)((double)job->taps[d][14] + 0.5 * (k * k));
  if (!convk_finite_(job->taps[d][14]) || /* then k / h is, too */
      convk_derivative_filter(NULL, 1, 0, -k / h, job->imag[d], &job->terms.imag[d]))
    return convk_refuse_at_(message, CONVK_ERR_NONFINITE, "terms->k[%] is so large that its kinetic energy overflows", d, 0, 0);
  return CONVK_OK;
}

/* The numbers of terms. */
CONVK_RARE_ int convk_hamiltonian_terms_(char *message, const convk_hamiltonian_terms *terms, convk_hamiltonian_job_ *job) {
  int d, status = convk_need_(message, "terms", terms);
  if (!status) status = convk_need_finite_(message, "terms->shift", terms->shift);
  for (d = 0; d < 3 && !status; d++) {
    const double h = terms->spacing[d], k = terms->k[d];
    if (!convk_finite_f64_(h))
      return convk_refuse_at_(message, CONVK_ERR_NONFINITE, "terms->spacing[%] is not finite", d, 0, 0);
    if (!convk_finite_f64_(k)) return convk_refuse_at_(message, CONVK_ERR_NONFINITE, "terms->k[%] is not finite", d, 0, 0);
    if (k != 0 && job->step == 1) return convk_refuse_(message, CONVK_ERR_OPTION, "terms->k is for complex calls");
    if (h != 0) status = convk_hamiltonian_kinetic_(message, d, h, k, job);
  }
  if (status) return status;
  job->terms.shift = terms->shift;
  job->potential = terms->potential;
  return CONVK_OK;
}

/* Everything that can be wrong with the arguments, found before anything is written. */
CONVK_RARE_ int convk_hamiltonian_check_(char *message, const convk_hamiltonian_shape *shape,
                                         const convk_hamiltonian_terms *terms, size_t step, const CONVK_T *in, CONVK_T *out,
                                         convk_hamiltonian_energies *energies, void *work, size_t work_size,
                                         convk_hamiltonian_job_ *job) {
  const size_t element = step * sizeof(CONVK_T);
  const int put = CONVK_PLACE_WRITTEN_ | CONVK_PLACE_OPTIONAL_;
  convk_place_ place[5];
  size_t v;
  int status = convk_hamiltonian_shape_(message, shape, step, job);
  if (!status) status = convk_hamiltonian_terms_(message, terms, job);
  if (status) return status;
  v = job->full.vectors - 1;
  place[0] = convk_place_of_("terms->potential", job->potential, job->span[1] * sizeof(CONVK_T), CONVK_PLACE_OPTIONAL_);
  place[1] = convk_place_of_("in", in, (v * job->full.in_stride + job->span[0]) * element, CONVK_PLACE_IN_PLACE_);
  place[2] = convk_place_of_("out", out, (v * job->full.out_stride + job->span[0]) * element,
                             CONVK_PLACE_WRITTEN_ | CONVK_PLACE_IN_PLACE_);
  place[3] = convk_place_of_("energies", energies, job->full.vectors * sizeof *energies, put);
  place[4] = convk_place_of_("work", work, work_size, put);
  return convk_places_check_(message, place, 5);
}

CONVK_RARE_ int convk_hamiltonian_run_(const convk_hamiltonian_kernels_ *kernels, convk *hw,
                                       const convk_hamiltonian_shape *shape, const convk_hamiltonian_terms *terms, size_t step,
                                       const CONVK_T *in, CONVK_T *out, convk_hamiltonian_energies *energies, void *work,
                                       size_t work_size) {
  char *const message = convk_message_(hw);
  convk_hamiltonian_job_ job;
  convk_work_ memory;
  size_t need, v;
  int status = hw ? convk_check_handle_(hw) : CONVK_OK;
  if (!status) status = convk_hamiltonian_check_(message, shape, terms, step, in, out, energies, work, work_size, &job);
  if (status) return status;
  status = convk_hamiltonian_cut_(hw, 0, &job, &need);
  if (status == CONVK_ERR_OVERFLOW)
    status = convk_refuse_(message, status, "shape needs more work than can be counted in bytes");
  if (!status) status = convk_work_begin_(message, &memory, work, work_size, need);
  if (status) return status;
  job.kernels = kernels;
  job.hw = hw;
  job.in = in;
  job.out = out;
  job.energies = energies;
  job.scratch = memory.base;
  if (job.vectors) status = convk_run_tasks_(hw, job.tasks, convk_hamiltonian_task_, &job);
  for (v = 0; job.vectors && v < job.tasks && !status; v++) status = *(const int *)(const void *)(job.scratch + v * job.bytes);
  for (v = job.vectors; v < job.full.vectors && !status; v++)
    status = convk_hamiltonian_orbital_(&job, hw, v, memory.base, job.rest);
  convk_work_end_(&memory);
  return status;
}

CONVK_RARE_ int convk_hamiltonian_apply_cpu_(const convk_hamiltonian_kernels_ *kernels, convk *hw,
                                             const convk_hamiltonian_shape *shape, const convk_hamiltonian_terms *terms,
                                             const CONVK_T *in, CONVK_T *out, convk_hamiltonian_energies *energies, void *work,
                                             size_t work_size) {
  return convk_hamiltonian_run_(kernels, hw, shape, terms, 1, in, out, energies, work, work_size);
}
CONVK_RARE_ int convk_complex_hamiltonian_apply_cpu_(const convk_hamiltonian_kernels_ *kernels, convk *hw,
                                                     const convk_hamiltonian_shape *shape, const convk_hamiltonian_terms *terms,
                                                     const CONVK_T *in, CONVK_T *out, convk_hamiltonian_energies *energies,
                                                     void *work, size_t work_size) {
  return convk_hamiltonian_run_(kernels, hw, shape, terms, 2, in, out, energies, work, work_size);
}

/* ---- sizes ---- */

CONVK_API_ int convk_hamiltonian_resolve(convk *hw, const convk_hamiltonian_shape *shape, convk_hamiltonian_shape *resolved) {
  convk_hamiltonian_job_ job;
  int status = hw ? convk_begin_call_(hw) : CONVK_OK;
  if (!status) status = convk_need_(convk_message_(hw), "resolved", resolved);
  if (!status) status = convk_hamiltonian_shape_(convk_message_(hw), shape, 1, &job);
  if (!status) *resolved = job.full;
  return status;
}

CONVK_RARE_ int convk_hamiltonian_need_(convk *hw, const convk_hamiltonian_shape *shape, size_t step, size_t *bytes) {
  convk_hamiltonian_job_ job;
  size_t need;
  int status = hw ? convk_begin_call_(hw) : CONVK_OK;
  if (!status) status = convk_need_(convk_message_(hw), "bytes", bytes);
  if (!status) status = convk_hamiltonian_shape_(convk_message_(hw), shape, step, &job);
  if (status) return status;
  if (hw && hw->ours.inside.device) {
    *bytes = 0;
    return CONVK_OK;
  }
  status = convk_hamiltonian_cut_(hw, 1, &job, &need);
  if (status) return convk_refuse_(convk_message_(hw), status, "shape needs more work than can be counted in bytes");
  *bytes = need;
  return CONVK_OK;
}

CONVK_API_ int convk_hamiltonian_apply_work_size(convk *hw, const convk_hamiltonian_shape *shape, size_t *bytes) {
  return convk_hamiltonian_need_(hw, shape, 1, bytes);
}
CONVK_API_ int convk_hamiltonian_apply_work_size_complex(convk *hw, const convk_hamiltonian_shape *shape, size_t *bytes) {
  return convk_hamiltonian_need_(hw, shape, 2, bytes);
}
