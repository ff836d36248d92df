/* ---- Chebyshev filters ---- */

/* What the steps take: their factors so far, and the terms that they multiply. */
typedef struct convk_chebyshev_steps_ {
  double centre, half, first, sigma;
  convk_sums_filter_ filter[3][3];
  CONVK_T mixed[3], potential_factor, shift;
} convk_chebyshev_steps_;

CONVK_RARE_ int convk_chebyshev_begin_(char *message, const convk_chebyshev *filter, convk_chebyshev_steps_ *s) {
  int status = convk_need_finite_(message, "filter->low", filter->low);
  if (!status) status = convk_need_finite_(message, "filter->high", filter->high);
  if (!status) status = convk_need_finite_(message, "filter->lowest", filter->lowest);
  if (status) return status;
  if (!(filter->low < filter->high)) return convk_refuse_(message, CONVK_ERR_OPTION, "filter->low is not below filter->high");
  if (!(filter->lowest < filter->low))
    return convk_refuse_(message, CONVK_ERR_OPTION, "filter->lowest is not below filter->low");
  s->centre = (filter->high + filter->low) / 2;
  s->half = (filter->high - filter->low) / 2;
  s->first = s->sigma = s->half / (filter->lowest - s->centre);
  if (!convk_finite_f64_(s->centre) || !convk_finite_f64_(s->half) || !convk_finite_f64_(s->first) || !(s->first < 0))
    return convk_refuse_(message, CONVK_ERR_NONFINITE, "filter->low, high and lowest are too far apart");
  return CONVK_OK;
}

/* The terms of step k; what they get, which must be finite: else no. */
CONVK_RARE_ int convk_chebyshev_terms_(convk_chebyshev_steps_ *s, int k, convk_sums_job_ *job) {
  const double was = s->sigma;
  double factor;
  int kind, d, finite = 1;
  size_t i;
  if (k) s->sigma = 1 / (2 / s->first - was);
  factor = k ? 2 * s->sigma / s->half : s->first / s->half;
  for (kind = 0; kind < 2; kind++)
    for (d = 0; d < 3; d++)
      for (i = 0; i < s->filter[kind][d].ntaps; i++) {
        job->filter[kind][d].taps[i] = (CONVK_T)(factor * (double)s->filter[kind][d].taps[i]);
        finite = finite && convk_finite_(job->filter[kind][d].taps[i]);
      }
  for (d = 0; d < 3; d++) {
    job->terms.mixed[d] = (CONVK_T)(factor * (double)s->mixed[d]);
    job->mixed[d] = job->terms.mixed[d] != 0;
    finite = finite && convk_finite_(job->terms.mixed[d]);
  }
  job->terms.potential_factor = (CONVK_T)(factor * (double)s->potential_factor);
  job->terms.shift = (CONVK_T)(factor * ((double)s->shift - s->centre));
  job->terms.add_factor = (CONVK_T)(k ? -(was * s->sigma) : 0);
  job->wants_x = job->terms.potential || job->terms.shift != 0;
  return finite && convk_finite_(job->terms.potential_factor) && convk_finite_(job->terms.shift);
}

/* Grids and terms of a call, with room for the arrays that lie in work: one, packed, where there are several steps. */
CONVK_RARE_ int convk_chebyshev_grids_(char *message, const convk_sumconv3d_shape *shape, const convk_sumconv_terms *terms,
                                       const convk_chebyshev *filter, size_t step, convk_sums_job_ *job, size_t *arrays) {
  int d, status = convk_sums_grids_(message, shape, terms, step, job);
  *arrays = 0;
  if (!status) status = convk_need_(message, "filter", filter);
  if (status) return status;
  for (d = 0; d < 3; d++)
    if (shape->boundary[d] != CONVK_BOUNDARY_PERIODIC && shape->boundary[d] != CONVK_BOUNDARY_ZERO)
      return convk_refuse_at_(message, CONVK_ERR_BOUNDARY,
                              "shape->boundary[%] is %, neither CONVK_BOUNDARY_PERIODIC nor CONVK_BOUNDARY_ZERO", d,
                              shape->boundary[d], 0);
  if (terms->add) return convk_refuse_(message, CONVK_ERR_OPTION, "terms->add is set, where the filter has its own");
  if (filter->degree < 1)
    return convk_refuse_at_(message, CONVK_ERR_OPTION, "filter->degree is %, below 1", filter->degree, 0, 0);
  if (filter->degree > 1 && (convk_mul_(job->gi.nx * job->gi.ny * job->gi.nz, job->vectors, arrays) ||
                             convk_mul_(*arrays, step * sizeof(CONVK_T), arrays) || *arrays > (size_t)-1 / 4))
    return convk_refuse_(message, CONVK_ERR_OVERFLOW, "shape->vectors are too many");
  *arrays = convk_round_up_(*arrays, 64);
  return CONVK_OK;
}

/* Where vectors lie. */
typedef struct convk_chebyshev_array_ {
  CONVK_T *first;
  convk_grid3 grid;
  size_t stride;
} convk_chebyshev_array_;

/* The arrays of a step. */
CONVK_RARE_ void convk_chebyshev_between_(const convk_chebyshev_array_ *from, const convk_chebyshev_array_ *to,
                                          const convk_chebyshev_array_ *add, convk_sums_job_ *job) {
  job->in = from->first;
  job->gi = from->grid;
  job->in_stride = from->stride;
  job->out = to->first;
  job->go = to->grid;
  job->out_stride = to->stride;
  job->terms.add = add ? add->first : NULL;
  if (!add) return;
  job->ga = add->grid;
  job->add_stride = add->stride;
}

#include "sums/chebyshev_fused.h"

/* All steps, from array to array: the last one into `out`, the others in turn into work and there. */
CONVK_RARE_ int convk_chebyshev_steps_all_(convk *hw, convk_sums_job_ *job, convk_chebyshev_steps_ *s,
                                           convk_chebyshev_sweep_ *sweep, int degree, CONVK_T *work) {
  convk_chebyshev_array_ input, array[2];
  const convk_chebyshev_array_ *from = &input;
  int k, l, count, status = CONVK_OK;
  input.first = (CONVK_T *)(uintptr_t)job->in;
  input.grid = job->gi;
  input.stride = job->in_stride;
  array[0].first = job->out;
  array[0].grid = job->go;
  array[0].stride = job->out_stride;
  array[1].first = work;
  array[1].grid = input.grid;
  array[1].grid.pitch_y = input.grid.nx;
  array[1].grid.pitch_z = input.grid.nx * input.grid.ny;
  array[1].stride = array[1].grid.pitch_z * input.grid.nz;
  for (k = 0; k < degree && !status; k += count) {
    const size_t left = (size_t)(degree - k);
    count = (int)convk_even_part_(left, sweep->max_steps);
    sweep->levels = (size_t)count;
    for (l = 0; l < count; l++) {
      convk_sums_job_ *const one = count > 1 ? &sweep->level[l] : job;
      const convk_chebyshev_array_ *const to = &array[(degree - 1 - k - l) % 2];
      if (one != job) {
        *one = *job;
        one->stream = 0;
        one->copies.plane = sweep->plane;
      }
      (void)convk_chebyshev_terms_(s, k + l, one);
      convk_chebyshev_between_(from, to, k + l == 1 ? &input : k + l ? to : NULL, one);
      from = to;
    }
    status = count > 1 ? convk_chebyshev_sweep_all_(hw, sweep) : convk_run_tasks_(hw, job->tasks, convk_sums_task_, job);
  }
  return status;
}

/* Whether the terms of all steps are finite: the factors shrink from the second step on. */
CONVK_RARE_ int convk_chebyshev_check_(char *message, const convk_chebyshev *filter, convk_sums_job_ *job,
                                       convk_chebyshev_steps_ *s) {
  int k, status = convk_chebyshev_begin_(message, filter, s);
  if (status) return status;
  memcpy(s->filter, job->filter, sizeof s->filter);
  memcpy(s->mixed, job->terms.mixed, sizeof s->mixed);
  s->potential_factor = job->terms.potential_factor;
  s->shift = job->terms.shift;
  for (k = 0; k < 2 && k < filter->degree; k++)
    if (!convk_chebyshev_terms_(s, k, job))
      return convk_refuse_(message, CONVK_ERR_NONFINITE, "terms become infinite where filter->high - filter->low is so small");
  s->sigma = s->first;
  return CONVK_OK;
}

CONVK_RARE_ int convk_chebyshev_run_(const convk_sums_kernels_ *kernels, convk *hw, const convk_sumconv3d_shape *shape,
                                     const convk_sumconv_terms *terms, const convk_chebyshev *filter, size_t step,
                                     const CONVK_T *in, CONVK_T *out, void *work, size_t work_size) {
  char *const message = convk_message_(hw);
  convk_chebyshev_steps_ steps;
  convk_sums_job_ job;
  convk_chebyshev_sweep_ sweep;
  convk_work_ memory;
  size_t need, arrays;
  int status = hw ? convk_check_handle_(hw) : CONVK_OK;
  if (!status) status = convk_chebyshev_grids_(message, shape, terms, filter, step, &job, &arrays);
  if (!status) status = convk_need_(message, "out", out);
  if (!status) status = convk_sums_check_(message, shape, terms, step, in, out, NULL, work, work_size, &job);
  if (!status) status = convk_chebyshev_check_(message, filter, &job, &steps);
  if (status) return status;
  if (convk_sums_cut_(hw, &job, 0, &need) || convk_chebyshev_cut_(hw, &job, filter->degree, arrays, &sweep, &need) ||
      need > (size_t)-1 / 4)
    return convk_refuse_(message, CONVK_ERR_OVERFLOW, "shape needs more work than can be counted in bytes");
  status = convk_work_begin_(message, &memory, work, work_size, need + arrays);
  if (status) return status;
  job.kernels = kernels;
  job.sums = NULL;
  job.scratch = memory.base + arrays;
  sweep.scratch = job.scratch;
  status = convk_chebyshev_steps_all_(hw, &job, &steps, &sweep, filter->degree, (CONVK_T *)(void *)memory.base);
  convk_work_end_(&memory);
  return status;
}

CONVK_RARE_ int convk_chebyshev3d_cpu_(const convk_sums_kernels_ *kernels, convk *hw, const convk_sumconv3d_shape *shape,
                                       const convk_sumconv_terms *terms, const convk_chebyshev *filter, const CONVK_T *in,
                                       CONVK_T *out, void *work, size_t work_size) {
  return convk_chebyshev_run_(kernels, hw, shape, terms, filter, 1, in, out, work, work_size);
}
CONVK_RARE_ int convk_complex_chebyshev3d_cpu_(const convk_sums_kernels_ *kernels, convk *hw,
                                               const convk_sumconv3d_shape *shape, const convk_sumconv_terms *terms,
                                               const convk_chebyshev *filter, const CONVK_T *in, CONVK_T *out, void *work,
                                               size_t work_size) {
  return convk_chebyshev_run_(kernels, hw, shape, terms, filter, 2, in, out, work, work_size);
}

CONVK_RARE_ int convk_chebyshev_need_(convk *hw, const convk_sumconv3d_shape *shape, const convk_sumconv_terms *terms,
                                      const convk_chebyshev *filter, size_t step, size_t *bytes) {
  convk_sums_job_ job;
  convk_chebyshev_sweep_ sweep;
  size_t arrays, need;
  int status = hw ? convk_begin_call_(hw) : CONVK_OK;
  if (status) return status;
  status = convk_need_(convk_message_(hw), "bytes", bytes);
  if (!status) status = convk_chebyshev_grids_(convk_message_(hw), shape, terms, filter, step, &job, &arrays);
  if (status) return status;
  if (hw && hw->ours.inside.device) {
    *bytes = 0;
    return CONVK_OK;
  }
  if (convk_sums_cut_(hw, &job, 1, &need) || convk_chebyshev_cut_(hw, &job, filter->degree, arrays, &sweep, &need) ||
      need > (size_t)-1 / 4)
    return convk_refuse_(convk_message_(hw), CONVK_ERR_OVERFLOW, "shape needs more work than can be counted in bytes");
  *bytes = need + arrays;
  return CONVK_OK;
}

CONVK_API_ int convk_chebyshev3d_work_size(convk *hw, const convk_sumconv3d_shape *shape, const convk_sumconv_terms *terms,
                                           const convk_chebyshev *filter, size_t *bytes) {
  return convk_chebyshev_need_(hw, shape, terms, filter, 1, bytes);
}
CONVK_API_ int convk_chebyshev3d_work_size_complex(convk *hw, const convk_sumconv3d_shape *shape,
                                                   const convk_sumconv_terms *terms, const convk_chebyshev *filter,
                                                   size_t *bytes) {
  return convk_chebyshev_need_(hw, shape, terms, filter, 2, bytes);
}
