/* ---- host side ---- */

/* A call that is checked, and how it is cut. */
template <class real_> struct convk_cuda_fft_call_ {
  convk_cuda_fft_args_<real_> args;
  void (*start)(const convk_cuda_fft_args_<real_>);
  int once;            /* blocks take one group */
  size_t chunks[2];    /* of an item that does not fit: along y and x; else 0 */
  size_t at_once;      /* such items */
  size_t shared, need; /* bytes: of a block, and of work */
  size_t each;         /* items of a block, as tuned, or fewer; 0: the default */
  size_t max_shared, processors;
  int threads;
};

CONVK_LOCAL_ convk_cuda_fft_by_ convk_cuda_fft_by_of_(size_t by) {
  convk_cuda_fft_by_ d;
  d.by = (unsigned)by;
  d.magic = (unsigned)(((uint64_t)1 << 32) / by + 1);
  return d;
}

/* Whether both axes of the plan have r0 r1 points and just these radices: one pass if r1 is 1, or else two. */
static int convk_cuda_fft_is_(const convk_fft_plan_ &plan, int r0, int r1) {
  int d;
  for (d = 0; d < 2; d++)
    if (plan.axis[d].n != (size_t)(r0 * r1) || plan.axis[d].passes != (r1 > 1 ? 2 : 1) || plan.axis[d].radix[0] != r0 ||
        (r1 > 1 && plan.axis[d].radix[1] != r1))
      return 0;
  return 1;
}

/* The least number >= `from` with the same remainder modulo 16 as `like`: from item to item in shared memory, so that 16 lanes
   that go on to the next item's columns meet no bank twice.  Lanes of lines, to which it does not apply, meet few. */
CONVK_LOCAL_ size_t convk_cuda_fft_like_(size_t from, size_t like) { return from + (like + 16 - from % 16) % 16; }

/* Blocks of `each` items, and groups of `width` lines. */
template <class real_>
static void convk_cuda_fft_blocks_(const convk_fft_plan_ &plan, size_t each, size_t width, convk_cuda_fft_args_<real_> *a) {
  const size_t in = convk_fft_columns_(&plan, plan.columns), out = convk_fft_columns_(&plan, plan.out_columns);
  a->each = convk_cuda_fft_by_of_(each);
  a->width = convk_cuda_fft_by_of_(width);
  a->in_each = convk_cuda_fft_by_of_(in);
  a->out_each = convk_cuda_fft_by_of_(out);
  a->in_all = convk_cuda_fft_by_of_(each * in);
  a->out_all = convk_cuda_fft_by_of_(each * out);
  a->stage = CONVK_CUDA_FFT_ALL_;
  a->chunks = 1;
  a->groups = convk_ceil_(a->items, each);
}

/* One launch of blocks of whole squares of a kind, if there is shared memory for it; item: complex numbers of each. */
template <class square_, class real_>
static int convk_cuda_fft_whole_(const convk_fft_plan_ &plan, size_t item, void (*start)(const convk_cuda_fft_args_<real_>),
                                 convk_cuda_fft_call_<real_> *call) {
  convk_cuda_fft_args_<real_> *const a = &call->args;
  const size_t pair = 2 * sizeof(real_);
  size_t each = call->each ? call->each : a->items / call->processors;
  if (each > square_::each) each = square_::each;
  if (!each) each = 1;
  a->item = (unsigned)item;
  a->at_a = (unsigned)convk_ceil_(each * sizeof(real_ *), pair);
  call->shared = (a->at_a + each * item) * pair;
  if (call->shared > call->max_shared) return 0;
  call->start = start;
  call->threads = square_::threads;
  call->once = 1;
  convk_cuda_fft_blocks_(plan, each, each * square_::lines, a);
  return 1;
}

/* Those whose threads hold a line. */
template <class square_, class real_>
static int convk_cuda_fft_squares_fit_(const convk_fft_plan_ &plan, convk_cuda_fft_call_<real_> *call) {
  const size_t in = convk_fft_columns_(&plan, plan.columns);
  return convk_cuda_fft_whole_<square_>(plan, convk_cuda_fft_like_(square_::tile * square_::pitch, in * square_::pitch),
                                        convk_cuda_fft_squares_<real_, square_>, call);
}

/* The same, if the plan's squares have radix0_ radix1_ points. */
template <int radix0_, int radix1_, class real_>
static int convk_cuda_fft_square_of_(const convk_fft_plan_ &plan, convk_cuda_fft_call_<real_> *call) {
  const int half_in = plan.axis[0].half_in, half_out = plan.axis[0].half_out && plan.axis[1].half_out;
  enum { halves = radix0_ * radix1_ % 16 ? 1 : 3 }; /* fewer kernels where little is to be won */
#define CONVK_CUDA_FFT_FIT_(real, transforms, halves) \
  convk_cuda_fft_squares_fit_<convk_cuda_fft_square_<real_, radix0_, radix1_, real, transforms, halves>>(plan, call)
  if (!convk_cuda_fft_is_(plan, radix0_, radix1_) || half_in != plan.axis[1].half_in) return 0;
  if (!plan.kernels) return CONVK_CUDA_FFT_FIT_(0, 1, 0);
  if (plan.real)
    return !half_in   ? CONVK_CUDA_FFT_FIT_(1, 0, 0)
           : half_out ? CONVK_CUDA_FFT_FIT_(1, 0, halves)
                      : CONVK_CUDA_FFT_FIT_(1, 0, 1);
  return !half_in ? CONVK_CUDA_FFT_FIT_(0, 0, 0) : half_out ? CONVK_CUDA_FFT_FIT_(0, 0, halves) : CONVK_CUDA_FFT_FIT_(0, 0, 1);
#undef CONVK_CUDA_FFT_FIT_
}
/* Sizes that plans of up to 32 points choose, but for 6, 9, 10, 21 and 25, which each serve one or two sums of sizes. */
template <class real_> static int convk_cuda_fft_square_any_(const convk_fft_plan_ &plan, convk_cuda_fft_call_<real_> *call) {
  enum { last = sizeof(real_) == 4 ? 8 : 4 };
  return convk_cuda_fft_square_of_<8, 1>(plan, call) || convk_cuda_fft_square_of_<4, 3>(plan, call) ||
         convk_cuda_fft_square_of_<16, 1>(plan, call) || convk_cuda_fft_square_of_<4, 5>(plan, call) ||
         convk_cuda_fft_square_of_<8, 3>(plan, call) || convk_cuda_fft_square_of_<4, 7>(plan, call) ||
         convk_cuda_fft_square_of_<8, 4>(plan, call) || convk_cuda_fft_square_of_<8, last>(plan, call);
}

/* Squares whose threads hold groups of points. */
template <class square_, class real_>
static int convk_cuda_fft_middle_fits_(const convk_fft_plan_ &plan, convk_cuda_fft_call_<real_> *call) {
  return convk_cuda_fft_whole_<square_>(plan, square_::tile, convk_cuda_fft_middles_<real_, square_>, call);
}
template <int radix0_, int radix1_, class real_>
static int convk_cuda_fft_middle_of_(const convk_fft_plan_ &plan, convk_cuda_fft_call_<real_> *call) {
  /* Complex squares of 128 points in double precision find no room anywhere, and those of 112 points stand in for them here. */
  enum { finds_room = sizeof(real_) * radix0_ * radix1_ < 1024, complex1 = finds_room ? radix1_ : 7 };
#define CONVK_CUDA_FFT_FIT_(radix1, real, transforms) \
  convk_cuda_fft_middle_fits_<convk_cuda_fft_middle_<real_, radix0_, radix1, real, transforms>>(plan, call)
  if (!convk_cuda_fft_is_(plan, radix0_, radix1_) || (!plan.real && !finds_room)) return 0;
  if (!plan.kernels) return CONVK_CUDA_FFT_FIT_(complex1, 0, 1);
  return plan.real ? CONVK_CUDA_FFT_FIT_(radix1_, 1, 0) : CONVK_CUDA_FFT_FIT_(complex1, 0, 0);
#undef CONVK_CUDA_FFT_FIT_
}
/* Sizes of two passes. */
template <class real_> static int convk_cuda_fft_middle_any_(const convk_fft_plan_ &plan, convk_cuda_fft_call_<real_> *call) {
  enum { eight = sizeof(real_) == 8 ? 8 : 7 };
  return convk_cuda_fft_middle_of_<8, 5>(plan, call) || convk_cuda_fft_middle_of_<16, 3>(plan, call) ||
         convk_cuda_fft_middle_of_<8, 7>(plan, call) || convk_cuda_fft_middle_of_<8, eight>(plan, call) ||
         convk_cuda_fft_middle_of_<16, 5>(plan, call) || convk_cuda_fft_middle_of_<16, 7>(plan, call) ||
         convk_cuda_fft_middle_of_<16, 8>(plan, call);
}

/* Shared memory of blocks of `each` items and groups of `width` lines, which sets where what lies; bytes. */
template <class real_> static size_t convk_cuda_fft_shared_(convk_cuda_fft_args_<real_> *a, size_t each, size_t width) {
  const size_t pair = 2 * sizeof(real_);
  size_t end = convk_ceil_(each * sizeof(real_ *), pair);
  a->at_a = a->at_b = (unsigned)end;
  if (a->real) end += each * a->pairs * a->pitch_a;
  a->at_b = (unsigned)end;
  end += each * a->tile * a->pitch_b;
  a->at_t = (unsigned)end;
  if (!a->in_place && a->axis[1].passes > 1) end += width * a->axis[1].n;
  return end * pair;
}

/* One launch, if an item fits into shared memory. */
template <class real_> static int convk_cuda_fft_fits_(const convk_fft_plan_ &plan, convk_cuda_fft_call_<real_> *call) {
  convk_cuda_fft_args_<real_> *const a = &call->args;
  const size_t group = CONVK_CUDA_FFT_LINES_, lines = plan.lines, points = lines * plan.axis[1].n;
  const size_t easy = convk_least_(call->max_shared, CONVK_CUDA_FFT_EASY_), share = a->items / call->processors;
  size_t each = (size_t)call->threads * CONVK_CUDA_FFT_POINTS_ / points, width;
  if (call->each) each = call->each;
  if (each > CONVK_CUDA_FFT_ITEMS_) each = CONVK_CUDA_FFT_ITEMS_;
  if (!call->each && each > share) each = share; /* some for every processor */
  if (!each) each = 1;
  a->in_place = a->tile == plan.axis[1].n;
  while (each > 1 && convk_cuda_fft_shared_(a, each, group) > easy) each--;
  if (a->in_place) {
    width = each * lines;
  } else {
    const size_t groups = (each * lines + group / 2) / group;
    width = a->axis[1].passes == 1 ? each * lines : convk_ceil_(each * lines, groups ? groups : 1);
    while (width > 1 && convk_cuda_fft_shared_(a, each, width) > call->max_shared) width = (width + 1) / 2;
  }
  call->shared = convk_cuda_fft_shared_(a, each, width);
  if (call->shared > call->max_shared) return 0;
  a->step = a->in_place ? a->pitch_b : (unsigned)width;
  convk_cuda_fft_blocks_(plan, each, width, a);
  return 1;
}

/* Or three launches, of columns, lines, and columns of each item. */
template <class real_> static int convk_cuda_fft_parts_(const convk_fft_plan_ &plan, convk_cuda_fft_call_<real_> *call) {
  convk_cuda_fft_args_<real_> *const a = &call->args;
  const size_t pair = 2 * sizeof(real_), room = convk_least_(call->max_shared, CONVK_CUDA_FFT_HALF_) / pair - 2;
  const size_t in = convk_fft_columns_(&plan, plan.columns), out = convk_fft_columns_(&plan, plan.out_columns);
  const size_t tile = in > out ? in : out, column = a->pitch_a;
  const int at_once = a->axis[1].passes == 1 && plan.kernels; /* there and back: without lines under way */
  size_t each = room / column, width = at_once ? plan.lines : room / plan.axis[1].n, bytes, all, end = 0;
  if (each > CONVK_CUDA_FFT_LINES_) each = CONVK_CUDA_FFT_LINES_;
  if (each > tile) each = tile;
  if (width > 4 * CONVK_CUDA_FFT_LINES_) width = 4 * CONVK_CUDA_FFT_LINES_;
  if (a->axis[1].passes > 1 && width > CONVK_CUDA_FFT_LINES_) width = CONVK_CUDA_FFT_LINES_;
  if (width > plan.lines) width = plan.lines;
  if (!each || !width) return CONVK_ERR_DEVICE;
  a->in_place = 0;
  a->at_a = a->at_t = (unsigned)convk_ceil_(sizeof(real_ *), pair);
  call->shared = (a->at_a + (each * column > width * plan.axis[1].n ? each * column : width * plan.axis[1].n)) * pair;
  if (at_once) call->shared = (a->at_a + each * column) * pair;
  all = (a->at_a + plan.axis[1].n * (CONVK_CUDA_FFT_LINES_ | 1)) * pair;
  a->step = (unsigned)width;
  a->each = convk_cuda_fft_by_of_(1);
  a->width = convk_cuda_fft_by_of_(width);
  a->in_each = a->in_all = a->out_each = a->out_all = convk_cuda_fft_by_of_(each);
  call->chunks[0] = each;
  call->chunks[1] = width;
  if (!plan.real && convk_cuda_fft_is_(plan, 16, 8) && all <= call->max_shared) {
    call->start = plan.kernels ? convk_cuda_fft_middle_parts_<real_, 16, 8, 0> : convk_cuda_fft_middle_parts_<real_, 16, 8, 1>;
    if (call->shared < all) call->shared = all;
  }
  if (convk_mul_((size_t)a->tile * a->pitch_b, pair, &bytes)) return CONVK_ERR_OVERFLOW;
  call->at_once = convk_least_(CONVK_CUDA_FFT_WORK_ / bytes, a->items);
  if (!call->at_once) call->at_once = 1;
  if (convk_reserve_(&end, call->at_once, a->tile, a->pitch_b, pair, &bytes)) return CONVK_ERR_OVERFLOW;
  call->need = end + 256;
  return CONVK_OK;
}

/* How a plan's items go on the current device. */
template <class real_>
static int convk_cuda_fft_cut_(const convk_fft_plan_ &plan, size_t items, convk_cuda_fft_call_<real_> *call, convk *hw = NULL,
                               size_t whole = 0) {
  convk_cuda_fft_args_<real_> *const a = &call->args;
  long choice[CONVK_TUNE_COUNT];
  int device = 0, limit = 0, processors = 0, d, i;
  if (plan.tile[0] || plan.tile[1]) return CONVK_ERR_UNSUPPORTED;
  if (cudaGetDevice(&device) != cudaSuccess ||
      cudaDeviceGetAttribute(&limit, cudaDevAttrMaxSharedMemoryPerBlockOptin, device) != cudaSuccess ||
      cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device) != cudaSuccess)
    return CONVK_ERR_DEVICE;
  memset(call, 0, sizeof *call);
  call->max_shared = convk_least_((size_t)limit, CONVK_CUDA_FFT_SHARED_);
  call->processors = (size_t)processors;
  convk_fft_choice_(hw, &plan, sizeof(real_), whole ? whole : items, choice); /* whole: of which these are a part */
  call->each = (size_t)choice[CONVK_TUNE_CHUNK];
  for (d = 0; d < 2; d++) {
    const convk_fft_axis_ *from = &plan.axis[d];
    convk_cuda_fft_axis_ *to = &a->axis[d];
    size_t part = from->n;
    to->n = (unsigned)from->n;
    to->passes = from->passes;
    to->half_in = from->half_in;
    for (i = 0; i < from->passes; i++) {
      part /= (size_t)from->radix[i];
      to->radix[i] = (unsigned)from->radix[i];
      to->forward[i] = (unsigned)from->forward[i];
      to->inverse[i] = (unsigned)from->inverse[i];
      to->part[i] = convk_cuda_fft_by_of_(part);
    }
  }
  a->real = plan.real;
  a->tile = (unsigned)(plan.columns > plan.out_columns ? plan.columns : plan.out_columns);
  a->pairs = (a->tile + 1) / 2;
  a->pitch_a = a->axis[0].n | 1;
  a->pitch_b = (unsigned)plan.lines | 1;
  a->lines = convk_cuda_fft_by_of_(plan.lines);
  a->rows = (unsigned)plan.rows;
  a->columns = (unsigned)plan.columns;
  a->out_rows = (unsigned)plan.out_rows;
  a->out_columns = (unsigned)plan.out_columns;
  a->pitch = (unsigned)plan.pitch;
  a->spectrum = plan.spectrum;
  a->items = items;
  if (convk_cuda_fft_square_any_(plan, call) || convk_cuda_fft_middle_any_(plan, call)) return CONVK_OK;
  if (plan.kernels) call->start = convk_cuda_fft_<real_, 0>;
  else call->start = convk_cuda_fft_<real_, 1>;
  call->threads = CONVK_CUDA_FFT_THREADS_;
  return convk_cuda_fft_fits_(plan, call) ? CONVK_OK : convk_cuda_fft_parts_(plan, call);
}

/* The launches of a call whose arguments are complete. */
template <class real_>
static int convk_cuda_fft_run_(const convk_fft_plan_ &plan, const convk_cuda_fft_call_<real_> &call, cudaStream_t stream) {
  convk_cuda_fft_args_<real_> args = call.args;
  const size_t items = args.items;
  const size_t in = convk_fft_columns_(&plan, plan.columns), out = convk_fft_columns_(&plan, plan.out_columns);
  size_t now;
  int status = CONVK_OK, k;
  if (!call.chunks[0] && !call.once) return convk_cuda_start_(call.start, args.groups, call.threads, stream, args, call.shared);
  if (call.once) { /* whose blocks take one group */
    const size_t limit = CONVK_CUDA_MAX_BLOCKS_;
    for (; args.groups && !status; args.begin += now * args.each.by, args.groups -= now) {
      now = args.groups < limit ? args.groups : limit;
      status = convk_cuda_launch_(call.start, now, call.threads, stream, args, call.shared);
    }
    return status;
  }
  for (; args.begin < items && !status; args.begin += call.at_once) {
    now = items - args.begin < call.at_once ? items - args.begin : call.at_once;
    args.items = args.begin + now;
    for (k = 0; k < (plan.kernels ? 3 : 2) && !status; k++) {
      args.stage = 1 << k;
      args.chunks = (unsigned)convk_ceil_(k == 0 ? in : k == 1 ? plan.lines : out, call.chunks[k == 1]);
      args.groups = now * args.chunks;
      status = convk_cuda_start_(call.start, args.groups, call.threads, stream, args, call.shared);
    }
  }
  return status;
}

/* What the batch and the arrays on the device say. */
template <class real_>
static void convk_cuda_fft_fill_(const convk_fft_plan_ &plan, const char *device_plan, int direction, const convk_batch2d &full,
                                 const real_ *in, real_ *out, convk_cuda_fft_call_<real_> *call) {
  convk_cuda_fft_args_<real_> *const a = &call->args;
  const size_t reals = plan.real ? 1 : 2, pair = 2 * sizeof(real_);
  a->in = in;
  a->out = out;
  a->tables = (const real_ *)(const void *)(device_plan + plan.tables);
  a->spectra = (const real_ *)(const void *)(device_plan + plan.spectra);
  a->position[0] = (const uint32_t *)(const void *)(device_plan + plan.position[0]);
  a->position[1] = (const uint32_t *)(const void *)(device_plan + plan.position[1]);
  a->kernel = full.kernel;
  a->items_per_kernel = plan.kernels == 1 ? full.items : full.items_per_kernel ? full.items_per_kernel : 1;
  a->in_pitch = reals * full.in_pitch;
  a->in_stride = reals * full.in_stride;
  a->out_pitch = reals * full.out_pitch;
  a->out_stride = reals * full.out_stride;
  a->load = (uintptr_t)in % pair || a->in_pitch % 2 || a->in_stride % 2 ? CONVK_CUDA_FFT_SINGLY_ : CONVK_CUDA_FFT_PAIRS_;
  a->store = (uintptr_t)out % pair || a->out_pitch % 2 || a->out_stride % 2 ? CONVK_CUDA_FFT_SINGLY_ : CONVK_CUDA_FFT_PAIRS_;
  a->swap = direction == CONVK_INVERSE ? CONVK_CUDA_FFT_SWAP_LOADS_ : 0;
  a->scale = (real_)convk_fft_scale_(&plan, direction);
  if (!call->once) return;
  if (plan.real && plan.columns % 2) a->load = CONVK_CUDA_FFT_SINGLY_;
  if (plan.real && plan.out_columns % 2) a->store = CONVK_CUDA_FFT_SINGLY_;
}
