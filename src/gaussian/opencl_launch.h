/* ---- Gaussians: tables and launches ---- */

/* Exponents and coefficients are on the host. */
CONVK_LOCAL_ int convk_gaussians_seen_(convk_cl_call_ *call, const convk_gridpot_job_ *job) {
  return convk_gridpot_numbers_(job->points.kernels, call->message, job);
}

/* A buffer of exponents in three rows, then SUMS coefficients of each of them. */
CONVK_RARE_ int convk_cl_gridpot_table_(convk_cl *cl, const convk_gridpot_job_ *job, size_t rows, cl_mem *mem) {
  const convk_gaussians *const g = &job->of;
  const size_t n = g->n, blocks = job->sum ? convk_ceil_(g->nsums, rows) : 0;
  cl_int error = CL_SUCCESS;
  CONVK_T *table, *to;
  size_t b, j, k, bytes = 0;
  if (blocks > (size_t)-1 / 64 || convk_mul_(n, 3 + blocks * rows, &bytes) || convk_mul_(bytes + 1, sizeof *table, &bytes))
    return convk_refuse_(cl->message, CONVK_ERR_OVERFLOW, "gaussians->n times gaussians->nsums is too large");
  table = (CONVK_T *)CONVK_MALLOC(bytes); /* a buffer has at least one element */
  if (!table) return CONVK_ERR_MEMORY;
  for (j = 0; j < n; j++)
    convk_gaussian_exponent_(1, (double)CONVK_ONE_(g->alpha + j), table + j, table + n + j, table + 2 * n + j);
  to = table + 3 * n;
  for (b = 0; b < blocks; b++)
    for (j = 0; j < n; j++)
      for (k = b * rows; k < (b + 1) * rows; k++) *to++ = k < g->nsums ? CONVK_ONE_(g->coefficients + k * g->ldc + j) : 0;
  *to = 0;
  *mem = clCreateBuffer(cl->context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, bytes, table, &error);
  CONVK_FREE(table);
  return convk_cl_status_(cl, "clCreateBuffer", error);
}

CONVK_LOCAL_ int convk_gridpot_start_(convk_cl_call_ *call, const convk_gridpot_job_ *job, const convk_cl_points *points,
                                      convk_cl_array out) {
  const size_t s = sizeof(CONVK_T), sums = job->sum ? convk_cl_sums_rows_(job->of.nsums) : 0;
  const int exponents = !job->sum && job->part.layout == CONVK_GRIDPOT_EXPONENTS_CONTIGUOUS;
  convk_cl_args_ args;
  cl_mem table = NULL;
  long choice[CONVK_TUNE_COUNT];
  size_t d;
  int status;
  convk_choice_(call->hw, job->sum ? "gridpot_sum" : "gridpot", s, points->n, job->of.n, job->sum ? job->of.nsums : 1, 1,
                choice);
  status = convk_cl_gridpot_table_(call->cl, job, sums, &table);
  if (status) return status;
  args = convk_cl_gridpot_program_(call->cl, s, sums, job->compensated, exponents, job->row, choice);
  convk_cl_put_points_(&args, points);
  for (d = 0; d < 3; d++) convk_cl_put_real_(&args, s, (double)job->center[d]);
  convk_cl_put_mem_(&args, table);
  convk_cl_put_size_(&args, job->of.n);
  convk_cl_put_real_(&args, s, (double)job->part.cut);
  if (job->sum) convk_cl_put_size_(&args, job->of.nsums);
  convk_cl_put_array_(&args, &out);
  convk_cl_put_size_(&args, job->ld);
  status = convk_cl_launch_lines_(call, &args, convk_ceil_(job->row, args.p->choice[0] * args.p->choice[1]), args.p->choice[0],
                                  convk_ceil_(job->rows, job->sum ? sums : args.p->choice[2]));
  (void)clReleaseMemObject(table); /* it stays as long as commands need it */
  return status;
}

/* A plan at `plan`, whose offset counts bytes. */
CONVK_LOCAL_ int convk_orbitals_start_(convk_cl_call_ *call, const convk_orbitals_job_ *job, const convk_cl_points *points,
                                       convk_cl_array plan, const convk_cl_array *out) {
  const convk_orbitals_head_ *const head = job->head;
  const size_t s = sizeof(CONVK_T), kinds = job->call.kinds, max_rows = convk_cl_sums_rows_(job->norbitals);
  const size_t rows = kinds > 1 && max_rows > 4 ? 4 : max_rows, blocks = convk_ceil_(job->norbitals, rows);
  convk_cl_args_ args;
  long choice[CONVK_TUNE_COUNT];
  size_t k;
  convk_choice_(call->hw, "orbitals", s, points->n, (size_t)head->functions, job->norbitals, 1, choice);
  args = convk_cl_orbitals_program_(call->cl, s, kinds, job->call.density, head->combined != 0, (size_t)head->max_l, rows,
                                    points->n, choice);
  convk_cl_put_points_(&args, points);
  convk_cl_put_mem_(&args, plan.mem);
  for (k = 0; k < CONVK_ORBITALS_MULADD_; k++) convk_cl_put_size_(&args, plan.offset + (size_t)head->at[k]);
  convk_cl_put_size_(&args, (size_t)head->ngroups);
  convk_cl_put_size_(&args, (size_t)head->primitives);
  convk_cl_put_size_(&args, (size_t)head->columns);
  convk_cl_put_real_(&args, s, (double)job->part.cut);
  convk_cl_put_real_(&args, s, (double)head->inverse);
  convk_cl_put_real_(&args, s, (double)head->least);
  convk_cl_put_size_(&args, job->norbitals);
  convk_cl_put_size_(&args, blocks);
  convk_cl_put_arrays_(&args, out, kinds);
  convk_cl_put_size_(&args, job->call.ld);
  return convk_cl_launch_lines_(call, &args, convk_ceil_(points->n, args.p->choice[0] * args.p->choice[1]), args.p->choice[0],
                                job->call.density ? 1 : blocks);
}

/* ---- what gaussian/device.h leaves to a device ---- */

/* y and z begin so many elements after x. */
CONVK_LOCAL_ void convk_points_at_(cl_mem in, size_t first, size_t apart, convk_cl_points *points) {
  points->x = convk_cl_at_(in, first);
  points->y = convk_cl_at_(in, first + apart);
  points->z = convk_cl_at_(in, first + 2 * apart);
}

CONVK_LOCAL_ int convk_gridpot_device_(convk_cl_host_ *host, void *checked, size_t part, size_t ld,
                                       const convk_cl_points *points, const convk_cl_array *out) {
  convk_gridpot_job_ *const job = (convk_gridpot_job_ *)checked;
  convk_cl_call_ call = convk_cl_call_on_(host);
  int status;
  (void)part;
  convk_gridpot_part_(job, points->n, ld);
  status = convk_gridpot_start_(&call, job, points, out[0]);
  return convk_cl_call_end_(&call, status);
}
