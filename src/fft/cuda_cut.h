/* ---- host side ---- */

/* A call that is checked, and how it is cut. */
template <class real_> struct convk_cuda_fft_call_ {
  convk_cuda_fft_args_<real_> args;
  void (*start)(const convk_cuda_fft_args_<real_>), (*inverse)(const convk_cuda_fft_args_<real_>);
  int square;          /* of which threads hold lines */
  size_t chunks[2];    /* of an item that does not fit: along y and x; else 0 */
  size_t at_once;      /* such items */
  size_t shared, need; /* bytes: of a block, and of work */
  size_t each;         /* items of a block, as tuned, or fewer; 0: the default */
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

template <class real_, int is_real_, int radix0_, int radix1_, int width_>
static int convk_cuda_fft_fixed_of_(const convk_fft_plan_ &plan, convk_cuda_fft_call_<real_> *call) {
  typedef convk_cuda_fft_fixed_<is_real_, radix0_, radix1_, width_> sizes;
  if (!convk_cuda_fft_is_(plan, radix0_, radix1_)) return 0;
  if (plan.kernels) call->start = convk_cuda_fft_<real_, sizes, 0>;
  else call->start = convk_cuda_fft_<real_, convk_cuda_fft_fixed_<0, radix0_, radix1_, 1>, 1>;
  call->threads = sizes::threads;
  call->args.width.by = width_;
  return 1;
}

/* The least number >= `from` with the same remainder modulo 16 as `like`: a stride in shared memory for which 16 lanes that go
   on to the next item meet no bank twice. */
CONVK_LOCAL_ size_t convk_cuda_fft_like_(size_t from, size_t like) { return from + (like + 16 - from % 16) % 16; }

/* Complex numbers from row to row of results in shared memory: lanes of transforms go down a column. */
CONVK_LOCAL_ size_t convk_cuda_fft_out_row_(const convk_fft_plan_ &plan) {
  return plan.kernels ? convk_fft_columns_(&plan, plan.out_columns) : plan.out_columns | 1;
}

/* One launch of blocks of whole squares of a kind, if there is shared memory for it. */
template <class square_, class real_>
static int convk_cuda_fft_squares_fit_(const convk_fft_plan_ &plan, size_t items, size_t max_shared, size_t processors,
                                       convk_cuda_fft_call_<real_> *call) {
  convk_cuda_fft_args_<real_> *const a = &call->args;
  const size_t pair = 2 * sizeof(real_), in = convk_fft_columns_(&plan, plan.columns),
               out = convk_fft_columns_(&plan, plan.out_columns);
  size_t each = call->each ? call->each : items / processors, begin, item;
  if (each > square_::each) each = square_::each;
  if (!each) each = 1;
  a->item = (unsigned)convk_cuda_fft_like_(square_::tile * square_::pitch, square_::real ? (size_t)square_::lines : in);
  a->in_row = (unsigned)(in * pair);
  a->in_item = (unsigned)convk_cuda_fft_like_(square_::in * in, in);
  a->out_row = (unsigned)(square_::way ? pair : out * pair);
  a->out_item = (unsigned)convk_cuda_fft_like_(square_::out * convk_cuda_fft_out_row_(plan), out);
  item = a->item > a->out_item ? a->item : a->out_item;
  if (item < a->in_item) item = a->in_item;
  while (call->each && each > 1 && (convk_ceil_(each * sizeof(real_ *), pair) + each * item) * pair > max_shared) each--;
  begin = convk_ceil_(each * sizeof(real_ *), pair);
  a->at_a = (unsigned)begin;
  call->shared = (begin + each * item) * pair;
  if (call->shared > max_shared) return 0;
  call->start = call->inverse = convk_cuda_fft_squares_<real_, square_>;
  call->threads = square_::threads;
  call->square = 1;
  a->each = convk_cuda_fft_by_of_(each);
  a->in_each = convk_cuda_fft_by_of_(in);
  a->out_each = convk_cuda_fft_by_of_(out);
  a->groups = convk_ceil_(items, each);
  return 1;
}

/* The same, if the plan's squares have radix0_ radix1_ points; blocks of each_ items, or of reals_ real ones. */
template <int radix0_, int radix1_, int each_, int reals_, class real_>
static int convk_cuda_fft_square_of_(const convk_fft_plan_ &plan, size_t items, size_t max_shared, size_t processors,
                                     convk_cuda_fft_call_<real_> *call) {
  const int half_in = plan.axis[0].half_in, half_out = plan.axis[0].half_out && plan.axis[1].half_out;
#define CONVK_CUDA_FFT_FIT_(real, way, halves) \
  convk_cuda_fft_squares_fit_<convk_cuda_fft_square_<real_, radix0_, radix1_, real, way, halves, real ? reals_ : each_>>( \
      plan, items, max_shared, processors, call)
  if (!convk_cuda_fft_is_(plan, radix0_, radix1_) || half_in != plan.axis[1].half_in) return 0;
  if (!plan.kernels) {
    if (!CONVK_CUDA_FFT_FIT_(0, CONVK_CUDA_FFT_FORWARD_, 0)) return 0;
    call->inverse =
        convk_cuda_fft_squares_<real_, convk_cuda_fft_square_<real_, radix0_, radix1_, 0, CONVK_CUDA_FFT_INVERSE_, 0, each_>>;
    return 1;
  }
  if (plan.real)
    return !half_in    ? CONVK_CUDA_FFT_FIT_(1, CONVK_CUDA_FFT_CONVOLVE_, 0)
           : !half_out ? CONVK_CUDA_FFT_FIT_(1, CONVK_CUDA_FFT_CONVOLVE_, 1)
                       : CONVK_CUDA_FFT_FIT_(1, CONVK_CUDA_FFT_CONVOLVE_, 3);
  return !half_in    ? CONVK_CUDA_FFT_FIT_(0, CONVK_CUDA_FFT_CONVOLVE_, 0)
         : !half_out ? CONVK_CUDA_FFT_FIT_(0, CONVK_CUDA_FFT_CONVOLVE_, 1)
                     : CONVK_CUDA_FFT_FIT_(0, CONVK_CUDA_FFT_CONVOLVE_, 3);
#undef CONVK_CUDA_FFT_FIT_
}
/* Items of a block: of real ones, as of complex ones in single precision, as many as 128 threads have lines for. */
CONVK_LOCAL_ int convk_cuda_fft_square_any_(const convk_fft_plan_ &plan, size_t items, size_t max_shared, size_t processors,
                                            convk_cuda_fft_call_<float> *call) {
  return convk_cuda_fft_square_of_<16, 1, 8, 14>(plan, items, max_shared, processors, call) ||
         convk_cuda_fft_square_of_<8, 4, 4, 7>(plan, items, max_shared, processors, call) ||
         convk_cuda_fft_square_of_<8, 8, 2, 3>(plan, items, max_shared, processors, call);
}
CONVK_LOCAL_ int convk_cuda_fft_square_any_(const convk_fft_plan_ &plan, size_t items, size_t max_shared, size_t processors,
                                            convk_cuda_fft_call_<double> *call) {
  return convk_cuda_fft_square_of_<16, 1, 8, 14>(plan, items, max_shared, processors, call) ||
         convk_cuda_fft_square_of_<8, 4, 2, 7>(plan, items, max_shared, processors, call);
}

/* Sizes that are known when compiled.  Groups of 33 lines: real fields of 64 points have 33, those of 128 have 65. */
template <class real_, int is_real_>
static int convk_cuda_fft_choose_(const convk_fft_plan_ &plan, convk_cuda_fft_call_<real_> *call) {
  enum { width = is_real_ ? 33 : 32 };
  return (sizeof(real_) == 8 && convk_cuda_fft_fixed_of_<real_, is_real_, 8, 8, width>(plan, call)) ||
         convk_cuda_fft_fixed_of_<real_, is_real_, 16, 8, width>(plan, call);
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
template <class real_>
static int convk_cuda_fft_fits_(const convk_fft_plan_ &plan, size_t items, size_t max_shared, size_t processors, int fixed,
                                convk_cuda_fft_call_<real_> *call) {
  convk_cuda_fft_args_<real_> *const a = &call->args;
  const size_t group = CONVK_CUDA_FFT_LINES_, lines = plan.lines, points = lines * plan.axis[1].n;
  const size_t easy = max_shared < CONVK_CUDA_FFT_EASY_ ? max_shared : (size_t)CONVK_CUDA_FFT_EASY_;
  const size_t in = convk_fft_columns_(&plan, plan.columns), out = convk_fft_columns_(&plan, plan.out_columns);
  size_t each = (size_t)call->threads * CONVK_CUDA_FFT_POINTS_ / points, width = a->width.by;
  if (call->each) each = call->each;
  if (each > CONVK_CUDA_FFT_ITEMS_) each = CONVK_CUDA_FFT_ITEMS_;
  if (!call->each && each > items / processors) each = items / processors; /* some for every processor */
  if (!each) each = 1;
  a->in_place = fixed ? !plan.kernels : a->tile == plan.axis[1].n;
  while (each > 1 && convk_cuda_fft_shared_(a, each, fixed ? width : group) > easy) each--;
  if (a->in_place) {
    width = each * lines;
  } else if (!fixed) {
    const size_t groups = (each * lines + group / 2) / group;
    width = a->axis[1].passes == 1 ? each * lines : convk_ceil_(each * lines, groups ? groups : 1);
    while (width > 1 && convk_cuda_fft_shared_(a, each, width) > max_shared) width = (width + 1) / 2;
  } else if (a->axis[1].passes == 1) {
    width = each * lines;
  }
  call->shared = convk_cuda_fft_shared_(a, each, width);
  if (call->shared > max_shared) return 0;
  a->step = a->in_place ? a->pitch_b : (unsigned)width;
  a->each = convk_cuda_fft_by_of_(each);
  a->width = convk_cuda_fft_by_of_(width);
  a->in_each = convk_cuda_fft_by_of_(in);
  a->out_each = convk_cuda_fft_by_of_(out);
  a->in_all = convk_cuda_fft_by_of_(each * in);
  a->out_all = convk_cuda_fft_by_of_(each * out);
  a->stage = CONVK_CUDA_FFT_ALL_;
  a->chunks = 1;
  a->groups = convk_ceil_(items, each);
  return 1;
}

/* Or three launches, of columns, lines, and columns of each item. */
template <class real_>
static int convk_cuda_fft_parts_(const convk_fft_plan_ &plan, size_t items, size_t max_shared,
                                 convk_cuda_fft_call_<real_> *call) {
  convk_cuda_fft_args_<real_> *const a = &call->args;
  const size_t pair = 2 * sizeof(real_),
               room = (max_shared < CONVK_CUDA_FFT_HALF_ ? max_shared : (size_t)CONVK_CUDA_FFT_HALF_) / pair - 2;
  const size_t in = convk_fft_columns_(&plan, plan.columns), out = convk_fft_columns_(&plan, plan.out_columns);
  const size_t tile = in > out ? in : out, column = a->pitch_a;
  const int at_once = a->axis[1].passes == 1 && plan.kernels; /* there and back: without lines under way */
  size_t each = room / column, width = at_once ? plan.lines : room / plan.axis[1].n, bytes, end = 0;
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
  a->step = (unsigned)width;
  a->each = convk_cuda_fft_by_of_(1);
  a->width = convk_cuda_fft_by_of_(width);
  a->in_each = a->in_all = a->out_each = a->out_all = convk_cuda_fft_by_of_(each);
  call->chunks[0] = each;
  call->chunks[1] = width;
  if (convk_mul_((size_t)a->tile * a->pitch_b, pair, &bytes)) return CONVK_ERR_OVERFLOW;
  call->at_once = CONVK_CUDA_FFT_WORK_ / bytes;
  if (call->at_once > items) call->at_once = items;
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
  size_t max_shared = CONVK_CUDA_FFT_SHARED_;
  long choice[CONVK_TUNE_COUNT];
  int device = 0, limit = 0, processors = 0, fixed, d, i;
  if (plan.tile[0] || plan.tile[1]) return CONVK_ERR_UNSUPPORTED;
  if (cudaGetDevice(&device) != cudaSuccess ||
      cudaDeviceGetAttribute(&limit, cudaDevAttrMaxSharedMemoryPerBlockOptin, device) != cudaSuccess ||
      cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device) != cudaSuccess)
    return CONVK_ERR_DEVICE;
  if (max_shared > (size_t)limit) max_shared = (size_t)limit;
  memset(call, 0, sizeof *call);
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
  if (convk_cuda_fft_square_any_(plan, items, max_shared, (size_t)processors, call)) return CONVK_OK;
  fixed = plan.real ? convk_cuda_fft_choose_<real_, 1>(plan, call) : convk_cuda_fft_choose_<real_, 0>(plan, call);
  if (fixed && convk_cuda_fft_fits_(plan, items, max_shared, (size_t)processors, 1, call)) return CONVK_OK;
  if (plan.kernels) call->start = convk_cuda_fft_<real_, convk_cuda_fft_any_<real_>, 0>;
  else call->start = convk_cuda_fft_<real_, convk_cuda_fft_any_<real_>, 1>;
  call->threads = CONVK_CUDA_FFT_THREADS_;
  if (convk_cuda_fft_fits_(plan, items, max_shared, (size_t)processors, 0, call)) return CONVK_OK;
  return convk_cuda_fft_parts_(plan, items, max_shared, call);
}

template <class real_>
static int convk_cuda_fft_launch_(const convk_cuda_fft_call_<real_> &call, const convk_cuda_fft_args_<real_> &args,
                                  cudaStream_t stream) {
  return convk_cuda_start_(call.start, args.groups, call.threads, stream, args, call.shared);
}

/* The launches of a call whose arguments are complete. */
template <class real_>
static int convk_cuda_fft_run_(const convk_fft_plan_ &plan, const convk_cuda_fft_call_<real_> &call, cudaStream_t stream) {
  convk_cuda_fft_args_<real_> args = call.args;
  const size_t items = args.items;
  const size_t in = convk_fft_columns_(&plan, plan.columns), out = convk_fft_columns_(&plan, plan.out_columns);
  size_t now;
  int status = CONVK_OK, k;
  if (!call.chunks[0] && !call.square) return convk_cuda_fft_launch_(call, args, stream);
  if (call.square) { /* whose blocks take one group */
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
      status = convk_cuda_fft_launch_(call, args, stream);
    }
  }
  return status;
}

/* A copy of fields that lie in shared memory by these complex numbers; all else in reals. */
CONVK_LOCAL_ convk_cuda_fft_copy_way_ convk_cuda_fft_way_of_(int load, size_t rows, size_t columns, size_t pitch, size_t stride,
                                                             size_t row, size_t item) {
  const size_t unit = load == CONVK_CUDA_FFT_PAIRS_ ? 2 : 1;
  convk_cuda_fft_copy_way_ way;
  way.columns = convk_cuda_fft_by_of_(columns / unit);
  way.rows = convk_cuda_fft_by_of_(rows);
  way.pad_row = (unsigned)((2 * row - columns) / unit);
  way.pad_item = (unsigned)(2 * (item - rows * row) / unit);
  way.gap_row = (pitch - columns) / unit;
  way.gap_item = stride / unit - rows * (pitch / unit); /* below zero where items lie side by side */
  way.item = way.pad_row || way.gap_row || way.gap_item || rows * columns / unit < 2
                 ? 0
                 : convk_cuda_fft_by_of_(rows * (columns / unit)).magic;
  return way;
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
  if (!call->square) return;
  if (direction == CONVK_INVERSE) call->start = call->inverse;
  if (plan.real && plan.columns % 2) a->load = CONVK_CUDA_FFT_SINGLY_;
  if (plan.real && plan.out_columns % 2) a->store = CONVK_CUDA_FFT_SINGLY_;
  a->take = convk_cuda_fft_way_of_(a->load, plan.rows, reals * plan.columns, a->in_pitch, a->in_stride,
                                   convk_fft_columns_(&plan, plan.columns), a->in_item);
  a->give = convk_cuda_fft_way_of_(a->store, plan.out_rows, reals * plan.out_columns, a->out_pitch, a->out_stride,
                                   convk_cuda_fft_out_row_(plan), a->out_item);
}
