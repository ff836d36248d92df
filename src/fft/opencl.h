#include "fft/arguments.h"

/* OpenCL C 1.2.  Build options: FFT_WHOLE is all of an item's work in local memory, FFT_COLUMNS, FFT_LINES and FFT_BACK are the
   parts of it where an item does not fit; REAL, TRANSFORM (fft2d).  Sizes, radices and SIZE, the items of a group, come as
   options, too, or without NY as arguments.  ONE_ITEM: a group is one work-item, as on processors. */
CONVK_LOCAL_ const char *const *convk_cl_fft_source_(void) {
  static const char *const lines[] = {
#include "quoted/fft/kernel.cl"
      NULL};
  return lines;
}

/* One checked call. */
typedef struct convk_cl_fft_ {
  size_t element, items;
  int transform, inverse;
  convk_fft_plan_ plan;
  convk_batch2d full;
  convk_cl_array in, out, index, work; /* work: offset in bytes */
  cl_mem tables, spectra;              /* the plan as far as its tables, and spectra */
  size_t begin;                        /* bytes before the plan */
  size_t spectra_offset;               /* in elements */
} convk_cl_fft_;

enum { CONVK_CL_FFT_WHOLE_ = 0, CONVK_CL_FFT_COLUMNS_ = 1, CONVK_CL_FFT_LINES_ = 2, CONVK_CL_FFT_BACK_ = 3 };
/* Of these numbers no measurement is recorded. */
#define CONVK_CL_FFT_WORK_ ((size_t)32 << 20) /* bytes between kernels, about: what caches hold */
enum {
  CONVK_CL_FFT_SMALL_ = 8192, /* bytes of a group's work on processors: less, and several items share it */
  CONVK_CL_FFT_NUMBERS_ = 64, /* complex numbers of a group's first pass on GPUs, which fill a wave of 64 */
  CONVK_CL_FFT_SHARES_ = 4,   /* groups for each compute unit, at least, before items share one */
  CONVK_CL_FFT_ITEMS_ = 256,  /* work-items of a group, at most */
  CONVK_CL_FFT_X_ = 32,       /* lines of a group along x, and columns along y */
  CONVK_CL_FFT_Y_ = 16
};

/* How a call is cut: `each` items to a group, or `chunk` columns (lines) of one; `batch` items in a launch. */
typedef struct convk_cl_fft_cut_ {
  int whole;
  size_t columns_a, columns_b, tile_a, tile_b; /* of tiles; in bytes */
  size_t each, batch, bytes, chunk[4];
  size_t group; /* work-items of a group, 0: by its work */
} convk_cl_fft_cut_;

/* Bytes of local memory of a launch: for lines along y, for lines along x, and for which kernel each item has.  What a kernel
   does not use has one word. */
CONVK_LOCAL_ size_t convk_cl_fft_local_(const convk_fft_plan_ *plan, const convk_cl_fft_cut_ *cut, int kind, size_t element,
                                        size_t local[3]) {
  const size_t number = 2 * element, chunk = cut->chunk[kind];
  local[0] = local[1] = sizeof(cl_ulong);
  local[2] = cut->each * sizeof(cl_ulong);
  if (kind == CONVK_CL_FFT_LINES_) local[1] = plan->axis[1].n * (chunk | 1) * number;
  else if (kind != CONVK_CL_FFT_WHOLE_) local[0] = chunk * (plan->axis[0].n | 1) * number;
  else local[0] = cut->each * cut->tile_a;
  if (kind == CONVK_CL_FFT_WHOLE_ && cut->tile_b) local[1] = cut->each * cut->tile_b;
  return local[0] + local[1] + local[2];
}

/* Whether a launch of groups of `each` items, or `chunk` columns (lines), has enough local memory. */
CONVK_LOCAL_ int convk_cl_fft_fits_(const convk_cl *cl, const convk_fft_plan_ *plan, convk_cl_fft_cut_ *cut, int kind,
                                    size_t element, size_t each, size_t chunk) {
  size_t local[3];
  cut->each = each;
  cut->chunk[kind] = chunk;
  return convk_cl_fft_local_(plan, cut, kind, element, local) <= cl->local_bytes;
}

/* Complex numbers have lines along y and along x in one place, real ones side by side.  Small items share a group. */
CONVK_LOCAL_ int convk_cl_fft_cut_of_(convk_cl *cl, const convk_fft_plan_ *plan, size_t element, size_t items,
                                      const long *choice, convk_cl_fft_cut_ *cut) {
  const convk_fft_axis_ *y = &plan->axis[0], *x = &plan->axis[1];
  const size_t in = convk_fft_columns_(plan, plan->columns), out = convk_fft_columns_(plan, plan->out_columns);
  const size_t max_columns = plan->columns > plan->out_columns ? plan->columns : plan->out_columns;
  const size_t number = 2 * element, column = (y->n | 1) * number;
  const size_t wanted = cl->cpu ? (size_t)CONVK_CL_FFT_SMALL_ : CONVK_CL_FFT_NUMBERS_ * number; /* bytes of a group */
  size_t bytes, each = 1;
  int kind;
  memset(cut, 0, sizeof *cut);
  cut->columns_b = !plan->kernels || x->passes > 1 ? x->n : max_columns;
  cut->columns_a = plan->real ? (in > out ? in : out) : cut->columns_b;
  cut->tile_a = cut->columns_a * column;
  cut->tile_b = plan->real ? cut->columns_b * (plan->lines | 1) * number : 0;
  cut->batch = (size_t)1 << 24;
  cut->group = convk_tuned_power_(choice[CONVK_TUNE_GROUP_X], 32, CONVK_CL_FFT_ITEMS_, 0);
  cut->whole = convk_cl_fft_fits_(cl, plan, cut, CONVK_CL_FFT_WHOLE_, element, each, 0);
  if (cut->whole) {
    const size_t work = cl->cpu ? cut->tile_a + cut->tile_b : plan->lines * x->n / (size_t)x->radix[0] * number;
    const size_t tuned = choice[CONVK_TUNE_CHUNK] > 64 ? 64 : (size_t)choice[CONVK_TUNE_CHUNK];
    while (each < tuned && convk_cl_fft_fits_(cl, plan, cut, CONVK_CL_FFT_WHOLE_, element, each + 1, 0)) each++;
    while (!tuned && each * work < wanted && each * CONVK_CL_FFT_SHARES_ * cl->compute_units < items &&
           convk_cl_fft_fits_(cl, plan, cut, CONVK_CL_FFT_WHOLE_, element, 2 * each, 0))
      each *= 2;
    cut->each = each;
    return CONVK_OK;
  }
  cut->columns_b = !plan->kernels ? x->n : max_columns;
  bytes = cut->columns_b * plan->lines * number; /* of an item between kernels; sizes are at most 1024 */
  cut->batch = CONVK_CL_FFT_WORK_ / bytes ? CONVK_CL_FFT_WORK_ / bytes : 1;
  if (cut->batch > items) cut->batch = items;
  if (convk_mul_(cut->batch, bytes, &cut->bytes)) return CONVK_ERR_OVERFLOW;
  for (kind = CONVK_CL_FFT_COLUMNS_; kind <= CONVK_CL_FFT_BACK_; kind++) { /* or what there is room for */
    const size_t total = kind == CONVK_CL_FFT_LINES_ ? plan->lines : kind == CONVK_CL_FFT_COLUMNS_ ? in : out;
    size_t chunk = kind == CONVK_CL_FFT_LINES_ ? CONVK_CL_FFT_X_ : CONVK_CL_FFT_Y_;
    while (chunk > 1 && chunk / 2 >= total) chunk /= 2;
    while (chunk && !convk_cl_fft_fits_(cl, plan, cut, kind, element, 1, chunk)) chunk /= 2;
    if (!chunk) return convk_cl_little_(cl);
  }
  return CONVK_OK;
}

CONVK_LOCAL_ convk_fft_axis_device_ convk_cl_fft_axis_of_(const convk_fft_axis_ *axis) {
  convk_fft_axis_device_ a;
  int i;
  memset(&a, 0, sizeof a);
  a.n = (cl_uint)axis->n;
  a.halves = (cl_uint)((axis->half_in ? 1 : 0) | (axis->half_out ? 2 : 0));
  for (i = 0; i < axis->passes; i++) {
    a.radices |= (cl_uint)(axis->radix[i] - 1) << 4 * i;
    a.forward[i] = (cl_uint)axis->forward[i];
    a.inverse[i] = (cl_uint)axis->inverse[i];
  }
  return a;
}

/* The program of a part, and the items of its groups.  Many kinds of plans share one. */
CONVK_LOCAL_ int convk_cl_fft_build_(convk_cl *cl, const convk_cl_fft_ *job, int kind, const convk_fft_device_ *a, size_t *size,
                                     convk_cl_program_ **p) {
  static const char *const name[4] = {"WHOLE", "COLUMNS", "LINES", "BACK"};
  const convk_fft_plan_ *plan = &job->plan;
  char general[CONVK_CL_KEY_], options[CONVK_CL_KEY_];
  size_t used;
  unsigned radices = 0;
  int status, d, i;
  for (d = 0; d < 2; d++)
    for (i = 0; i < plan->axis[d].passes; i++) radices |= 1u << plan->axis[d].radix[i];
  for (;;) {
    (void)snprintf(general, sizeof general, "-DFFT_%s -DT=%s -DF64=%d -DREAL=%d -DTRANSFORM=%d%s", name[kind],
                   convk_cl_type_(job->element), job->element == sizeof(cl_double), plan->real, job->transform,
                   *size == 1 ? " -DONE_ITEM" : "");
    used = strlen(general);
    memcpy(options, general, used + 1);
    (void)snprintf(options + used, sizeof options - used,
                   " -DNY=%u -DNX=%u -DRADICES_Y=0x%x -DRADICES_X=0x%x -DHALF=%u -DROWS=%u -DCOLUMNS=%u -DOUT_ROWS=%u "
                   "-DOUT_COLUMNS=%u -DRADICES=0x%x -DSIZE=%u",
                   (unsigned)a->y.n, (unsigned)a->x.n, (unsigned)a->y.radices, (unsigned)a->x.radices,
                   (unsigned)(a->x.halves << 2 | a->y.halves), (unsigned)a->rows, (unsigned)a->columns, (unsigned)a->out_rows,
                   (unsigned)a->out_columns, radices, (unsigned)*size);
    status = convk_cl_kernel_(cl, convk_cl_fft_source_(), "fft", options, general, p);
    if (status || *size <= (*p)->items || *size == 1) return status;
    *size /= 2;
  }
}

CONVK_LOCAL_ int convk_cl_fft_program_(convk_cl *cl, const convk_cl_fft_ *job, int kind, const convk_fft_device_ *a,
                                       size_t *size, convk_cl_program_ **p) {
  uint32_t values[12];
  uint64_t number;
  int status;
  while (*size > 1 && (*size > cl->group_items || *size > cl->group_x)) *size /= 2;
  values[0] = (uint32_t)job->element;
  values[1] = (uint32_t)(job->plan.real | job->transform << 1);
  values[2] = a->y.n;
  values[3] = a->x.n;
  values[4] = a->y.radices;
  values[5] = a->x.radices;
  values[6] = a->x.halves << 2 | a->y.halves;
  values[7] = a->rows;
  values[8] = a->columns;
  values[9] = a->out_rows;
  values[10] = a->out_columns;
  values[11] = (uint32_t)*size;
  number = convk_cl_number_((unsigned)(CONVK_CL_FFT_ + kind), values, 12);
  *p = convk_cl_known_(cl, number);
  if (*p) {
    *size = (*p)->choice[0];
    return CONVK_OK;
  }
  status = convk_cl_fft_build_(cl, job, kind, a, size, p);
  if (!status) convk_cl_remember_(cl, number, *p, size, 1);
  return status;
}

/* One part for `items` items from `done` of the arrays on. */
CONVK_LOCAL_ int convk_cl_fft_launch_(convk_cl_chain_ *chain, const convk_cl_fft_ *job, const convk_cl_fft_cut_ *cut, int kind,
                                      size_t done, size_t items) {
  const convk_fft_plan_ *plan = &job->plan;
  const int along_x = kind == CONVK_CL_FFT_WHOLE_ || kind == CONVK_CL_FFT_LINES_;
  const convk_fft_axis_ *axis = &plan->axis[along_x];
  const size_t total = kind == CONVK_CL_FFT_COLUMNS_ ? convk_fft_columns_(plan, plan->columns)
                       : kind == CONVK_CL_FFT_BACK_  ? convk_fft_columns_(plan, plan->out_columns)
                                                     : plan->lines;
  const size_t chunk = cut->whole ? total : cut->chunk[kind], chunks = cut->whole ? 1 : convk_ceil_(total, chunk);
  size_t local[3], size = cut->each * chunk * axis->n / (size_t)axis->radix[0];
  convk_cl_program_ *p = NULL;
  convk_fft_device_ of;
  convk_cl_args_ args;
  int status, i;
  memset(&of, 0, sizeof of);
  of.in = job->in.offset + done * job->full.in_stride;
  of.in_pitch = job->full.in_pitch;
  of.in_stride = job->full.in_stride;
  of.out = job->out.offset + done * job->full.out_stride;
  of.out_pitch = job->full.out_pitch;
  of.out_stride = job->full.out_stride;
  of.tables = (job->begin + plan->tables) / job->element;
  of.spectra = job->spectra_offset;
  of.spectrum = plan->spectrum;
  of.kernels = plan->kernels;
  of.per_kernel = job->full.items_per_kernel ? job->full.items_per_kernel : 1;
  of.index = job->index.offset + done;
  of.number = done;
  of.items = items;
  of.work = job->work.offset / (2 * job->element);
  of.rows = (cl_uint)plan->rows;
  of.columns = (cl_uint)plan->columns;
  of.out_rows = (cl_uint)plan->out_rows;
  of.out_columns = (cl_uint)plan->out_columns;
  of.pitch = (cl_uint)plan->pitch;
  of.position_y = (job->begin + plan->position[0]) / sizeof(cl_uint);
  of.position_x = (job->begin + plan->position[1]) / sizeof(cl_uint);
  of.indexed = job->index.mem != NULL;
  of.swap = job->inverse != 0;
  of.each = (cl_uint)cut->each;
  of.chunk = (cl_uint)chunk;
  of.chunks = (cl_uint)chunks;
  of.columns_a = (cl_uint)cut->columns_a;
  of.columns_b = (cl_uint)cut->columns_b;
  of.y = convk_cl_fft_axis_of_(&plan->axis[0]);
  of.x = convk_cl_fft_axis_of_(&plan->axis[1]);
  if (cut->group) size = cut->group;
  if (size > CONVK_CL_FFT_ITEMS_) size = CONVK_CL_FFT_ITEMS_;
  size = chain->cl->cpu ? 1 : convk_round_up_(size, 32);
  status = convk_cl_fft_program_(chain->cl, job, kind, &of, &size, &p);
  if (status) return status;
  args = convk_cl_args_of_(CONVK_OK, p);
  convk_cl_put_(&args, sizeof of, &of);
  convk_cl_put_real_(&args, job->element, convk_fft_scale_(plan, job->inverse ? CONVK_INVERSE : CONVK_FORWARD));
  convk_cl_put_mem_(&args, job->in.mem);
  convk_cl_put_mem_(&args, job->out.mem);
  convk_cl_put_mem_(&args, job->tables);
  convk_cl_put_mem_(&args, job->spectra ? job->spectra : job->tables); /* what is not there is not read */
  convk_cl_put_mem_(&args, job->tables);
  convk_cl_put_mem_(&args, job->index.mem ? job->index.mem : job->tables);
  convk_cl_put_mem_(&args, job->work.mem ? job->work.mem : job->out.mem);
  (void)convk_cl_fft_local_(plan, cut, kind, job->element, local);
  for (i = 0; i < 3; i++) convk_cl_put_local_(&args, local[i]);
  return convk_cl_launch_(chain, &args, cut->whole ? convk_ceil_(items, cut->each) : items * chunks, size, 1, 1);
}

CONVK_LOCAL_ int convk_cl_fft_run_(convk_cl_chain_ *chain, const convk_cl_fft_ *job, const convk_cl_fft_cut_ *cut) {
  size_t done, items;
  int status = CONVK_OK, kind;
  for (done = 0; done < job->items && !status; done += items) {
    items = job->items - done < cut->batch ? job->items - done : cut->batch;
    if (cut->whole) status = convk_cl_fft_launch_(chain, job, cut, CONVK_CL_FFT_WHOLE_, done, items);
    else
      for (kind = CONVK_CL_FFT_COLUMNS_; kind <= CONVK_CL_FFT_BACK_ && !status; kind++)
        status = convk_cl_fft_launch_(chain, job, cut, kind, done, items);
  }
  return status;
}

CONVK_LOCAL_ void convk_cl_fft_job_(const convk_fft_plan_ *p, size_t element, int direction, const convk_batch2d *full,
                                    convk_cl_fft_ *job) {
  memset(job, 0, sizeof *job);
  job->element = element;
  job->items = full->items;
  job->plan = *p;
  job->full = *full;
  job->transform = !p->kernels;
  job->inverse = direction == CONVK_INVERSE;
}

/* ---- what device.h calls ---- */

CONVK_LOCAL_ int convk_cl_fft_need_(convk_cl *cl, const convk_fft_plan_ *p, size_t element, size_t items, size_t *bytes) {
  const long choice[CONVK_TUNE_COUNT] = {0, 0, 0, 0, 0, 0}; /* none changes the work */
  convk_cl_fft_cut_ cut;
  const int status = convk_cl_fft_cut_of_(cl, p, element, items, choice, &cut);
  if (!status) *bytes = cut.bytes ? cut.bytes + 256 : 0;
  return status;
}

CONVK_LOCAL_ int convk_cl_fft_start_(convk_cl_call_ *call, const convk_fft_plan_ *p, size_t element, convk_cl_array device_plan,
                                     int direction, const convk_batch2d *full, convk_cl_array kernel, convk_cl_array in,
                                     convk_cl_array out, convk_cl_array work, size_t work_size) {
  convk_cl_fft_ job;
  convk_cl_fft_cut_ cut;
  convk_place_ place;
  long choice[CONVK_TUNE_COUNT];
  int status;
  convk_fft_choice_(call->hw, p, element, call->planes ? call->planes : full->items, choice);
  status = convk_cl_fft_cut_of_(call->cl, p, element, full->items, choice, &cut);
  convk_cl_fft_job_(p, element, direction, full, &job);
  if (!status && cut.bytes) status = convk_cl_work_place_(call, work, work_size, cut.bytes + 256, &place, &job.work);
  if (status) return status;
  job.in = in;
  job.out = out;
  if (p->kernels) job.index = kernel;
  job.tables = job.spectra = device_plan.mem;
  job.begin = device_plan.offset;
  job.spectra_offset = (device_plan.offset + p->spectra) / element;
  return convk_cl_fft_run_(call, &job, &cut);
}
