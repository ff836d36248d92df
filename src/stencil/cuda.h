/* As `tuning` says, whose zeros are filled in. */
CONVK_LOCAL_ int convk_cuda_stencil_run_(const convk_cuda_call_ *call, const convk_stencil_job_ *job,
                                         const convk_cuda_stencil_tuning *tuning, size_t steps, CONVK_T *a, CONVK_T *b) {
  const size_t limit = (size_t)1 << 30, *count = job->count;
  convk_cuda_stencil_args_<CONVK_T> args;
  convk_cuda_stencil_kernel_<CONVK_T> kernel;
  const size_t sector = CONVK_CUDA_STENCIL_SECTOR_ / sizeof(CONVK_T);
  size_t passes, p, depth = 0, planes = 0, planned = 0; /* planned: the tiles of a plane that `planes` is for */
  int device = 0, processors = 0, status = CONVK_OK;
  if (!steps || !count[0] || !count[1] || !count[2]) return CONVK_OK;
  memset(&kernel, 0, sizeof kernel);
  if (cudaGetDevice(&device) != cudaSuccess ||
      cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device) != cudaSuccess)
    return CONVK_ERR_DEVICE;
  memset(&args, 0, sizeof args);
  convk_stencil_arguments_of_(job, &args);
  passes = convk_stencil_passes_(steps, tuning->steps);
  for (p = 0; p < passes && !status; p++) {
    const size_t now = convk_stencil_pass_(steps, passes, p);
    size_t shift, tile, tiles, chunks;
    args.in = p % 2 ? b : a;
    args.out = p % 2 ? a : b;
    shift = (size_t)((uintptr_t)(args.out + job->first[0] + job->first[1] * args.pitch_y) / sizeof(CONVK_T)) % sector;
    if (now != depth) { /* at most twice, the greater depth first */
      depth = now;
      planned = 0;
      tile = tuning->tile;
      if (depth == 1 && args.pitch_y > 0xffffffffu / sizeof(CONVK_T)) tile = 32; /* the sweep's addresses */
      kernel = convk_cuda_stencil_choose_<CONVK_T>(tile, depth, job->isotropic);
      if (convk_ceil_(count[0] + sector, kernel.width) * convk_ceil_(count[1], kernel.height) > limit) /* before any pass */
        return convk_refuse_(call->message, CONVK_ERR_OVERFLOW, "shape->grid has more than 2^30 tiles in a plane");
    }
    args.left = args.first[0] - (int64_t)shift;
    args.tiles_x = (unsigned)convk_ceil_(count[0] + shift, kernel.width);
    tiles = args.tiles_x * convk_ceil_(count[1], kernel.height);
    if (tiles != planned) {
      planned = tiles;
      planes = tuning->planes;
      if (!planes) planes = convk_cuda_stencil_planes_(tiles, count[2], depth, kernel.blocks * (size_t)processors);
      if (planes < convk_ceil_(count[2], limit / tiles)) planes = convk_ceil_(count[2], limit / tiles);
      if (planes > limit) planes = limit;
      args.planes = (int64_t)planes;
    }
    chunks = convk_ceil_(count[2], planes);
    args.layer = (unsigned)tiles;
    status = convk_cuda_launch_(kernel.start, tiles * chunks, kernel.threads, call->stream, args);
  }
  return status;
}

CONVK_LOCAL_ int convk_stencil_launch_(convk_cuda_call_ *call, const convk_stencil_job_ *job, size_t together, size_t steps,
                                       const CONVK_T *a, CONVK_T *b) {
  convk_cuda_stencil_tuning tuning, chosen;
  long choice[CONVK_TUNE_COUNT];
  int status;
  memset(&tuning, 0, sizeof tuning);
  if (call->stencil) tuning = *call->stencil;
  if (together) tuning.steps = together;
  convk_stencil_choice_(call->hw, job, call->planes, steps, choice);
  if (!tuning.tile) tuning.tile = convk_tuned_power_(choice[CONVK_TUNE_TILE_X], 16, 64, 0);
  if (!tuning.steps) tuning.steps = (size_t)choice[CONVK_TUNE_STEPS];
  if (!tuning.planes) tuning.planes = (size_t)choice[CONVK_TUNE_CHUNK];
  status = convk_cuda_stencil_tune_(&tuning, job->count[0], steps, &chosen);
  if (status)
    return convk_refuse_at_(call->message, status, "on->stencil.tile is %, none of 0, 16, 32 and 64", (int64_t)tuning.tile, 0,
                            0);
  status = convk_cuda_clock_start_(call);
  if (!status) status = convk_cuda_stencil_run_(call, job, &chosen, steps, (CONVK_T *)(uintptr_t)a, b);
  return convk_cuda_clock_stop_(call, status);
}

CONVK_LOCAL_ int convk_box_launch_(convk_cuda_call_ *call, CONVK_ARGUMENTS_(box) * arguments, const CONVK_T *in, CONVK_T *out) {
  convk_cuda_box_args_<CONVK_T> args;
  static_cast<CONVK_ARGUMENTS_(box) &>(args) = *arguments;
  args.in = in;
  args.out = out;
  return convk_cuda_start_(convk_cuda_box_copy_<CONVK_T>, convk_ceil_(arguments->points, CONVK_CUDA_BOX_THREADS_),
                           CONVK_CUDA_BOX_THREADS_, call->stream, args);
}
