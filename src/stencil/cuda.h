#if CONVK_HAS_STENCIL_
/* ---- stencils: device arrays ---- */

/* `steps` steps on the job's box, from a to b and back, as in convk.h; one step alone may have any box. */
CONVK_LOCAL_ int convk_cuda_stencil_run_(const convk_stencil_job_ *job, const convk_cuda_stencil_tuning *tuning, size_t steps,
                                         CONVK_T *a, CONVK_T *b, cudaStream_t stream) {
  const size_t n[3] = {job->grid.nx, job->grid.ny, job->grid.nz}, most = (size_t)1 << 30, *count = job->count;
  convk_cuda_stencil_args_<CONVK_T> args;
  convk_cuda_stencil_kernel_<CONVK_T> kernel;
  const size_t sector = CONVK_CUDA_STENCIL_SECTOR_ / sizeof(CONVK_T);
  size_t passes, p, depth = 0, planes = 0;
  int d, device = 0, processors = 0, status = CONVK_OK;
  if (!steps || !count[0] || !count[1] || !count[2]) return CONVK_OK;
  memset(&kernel, 0, sizeof kernel);
  if (cudaGetDevice(&device) != cudaSuccess ||
      cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device) != cudaSuccess)
    return CONVK_ERR_DEVICE;
  memset(&args, 0, sizeof args);
  args.pitch_y = job->grid.pitch_y;
  args.pitch_z = job->grid.pitch_z;
  for (d = 0; d < 3; d++) {
    args.n[d] = (ptrdiff_t)n[d];
    args.first[d] = (ptrdiff_t)job->first[d];
    args.end[d] = (ptrdiff_t)(job->first[d] + count[d]);
    args.periodic[d] = job->boundary[d] == CONVK_BOUNDARY_PERIODIC;
  }
  memcpy(args.c, &job->c, sizeof args.c); /* in the order of the sum */
  passes = convk_stencil_passes_(steps, tuning->steps);
  for (p = 0; p < passes && !status; p++) {
    const size_t now = convk_stencil_pass_(steps, passes, p);
    size_t shift, tile, tiles, chunks;
    args.in = p % 2 ? b : a;
    args.out = p % 2 ? a : b;
    shift = (size_t)((uintptr_t)(args.out + job->first[0] + job->first[1] * args.pitch_y) / sizeof(CONVK_T)) % sector;
    if (now != depth) { /* at most twice, the greater depth first */
      depth = now;
      tile = tuning->tile;
      if (depth == 1 && args.pitch_y > 0xffffffffu / sizeof(CONVK_T)) tile = 32; /* the sweep's addresses */
      kernel = convk_cuda_stencil_choose_<CONVK_T>(tile, depth, job->isotropic);
      tiles = convk_ceil_(count[0] + sector, kernel.width) * convk_ceil_(count[1], kernel.height);
      if (tiles > most) return CONVK_ERR_OVERFLOW; /* only before the first pass */
      planes = tuning->planes;
      if (!planes) planes = convk_cuda_stencil_planes_(tiles, count[2], depth, kernel.blocks * (size_t)processors);
      if (planes < convk_ceil_(count[2], most / tiles)) planes = convk_ceil_(count[2], most / tiles);
      if (planes > most) planes = most;
      args.planes = (ptrdiff_t)planes;
    }
    args.left = args.first[0] - (ptrdiff_t)shift;
    args.tiles_x = (unsigned)convk_ceil_(count[0] + shift, kernel.width);
    tiles = args.tiles_x * convk_ceil_(count[1], kernel.height);
    chunks = convk_ceil_(count[2], planes);
    args.layer = (unsigned)tiles;
    status = convk_cuda_launch_(kernel.start, tiles * chunks, kernel.threads, stream, args);
  }
  return status;
}

CONVK_API_ int convk_cuda_stencil7(const convk_grid3 *grid, const convk_stencil7_coefficients *coefficients,
                                   const int boundary[3], size_t steps, const convk_cuda_stencil_tuning *tuning, CONVK_T *a,
                                   CONVK_T *b, CONVK_T **result, cudaStream_t stream) {
  convk_stencil_job_ job;
  convk_cuda_stencil_tuning chosen;
  convk_stencil7_shape shape;
  int status = grid && boundary ? CONVK_OK : CONVK_ERR_NULL;
  if (!status) shape.grid = *grid;
  if (!status) memcpy(shape.boundary, boundary, sizeof shape.boundary);
  if (!status) status = convk_stencil7_check_(NULL, &shape, coefficients, steps, &job);
  if (!status) status = convk_stencil_arrays_check_(NULL, &job, 0, a, b, result, NULL, 0);
  if (!status) status = convk_cuda_stencil_tune_(tuning, job.count[0], &chosen);
  if (!status) status = convk_cuda_stencil_run_(&job, &chosen, steps, a, b, stream);
  if (!status) *result = steps % 2 ? b : a;
  return status;
}

CONVK_API_ int convk_cuda_stencil7_box(const convk_grid3 *grid, const convk_stencil7_coefficients *coefficients,
                                       const int boundary[3], const size_t first[3], const size_t count[3],
                                       const convk_cuda_stencil_tuning *tuning, const CONVK_T *a, CONVK_T *b,
                                       cudaStream_t stream) {
  convk_stencil_job_ job;
  convk_cuda_stencil_tuning chosen;
  convk_stencil7_shape shape;
  convk_box3 box;
  int status = grid && boundary && first && count ? CONVK_OK : CONVK_ERR_NULL;
  if (!status) shape.grid = *grid;
  if (!status) memcpy(shape.boundary, boundary, sizeof shape.boundary);
  if (!status) memcpy(box.first, first, sizeof box.first);
  if (!status) memcpy(box.count, count, sizeof box.count);
  if (!status) status = convk_stencil7_box_check_(NULL, &shape, coefficients, &box, &job);
  if (!status) status = convk_stencil_arrays_check_(NULL, &job, 1, a, b, NULL, NULL, 0);
  if (!status) status = convk_cuda_stencil_tune_(tuning, job.count[0], &chosen);
  return status ? status : convk_cuda_stencil_run_(&job, &chosen, 1, (CONVK_T *)(uintptr_t)a, b, stream);
}

/* For host arrays: the job's grid is that of the buffers. */
CONVK_LOCAL_ int convk_stencil_there_(convk_cuda_host_ *host, const convk_stencil_job_ *job, size_t steps, void *a, void *b) {
  convk_cuda_stencil_tuning tuning, chosen;
  int status;
  memset(&tuning, 0, sizeof tuning);
  tuning.steps = host->hw->tuning.stencil_steps;
  status = convk_cuda_stencil_tune_(&tuning, job->count[0], &chosen);
  return status ? status : convk_cuda_stencil_run_(job, &chosen, steps, (CONVK_T *)a, (CONVK_T *)b, host->stream);
}
#endif
