/* Each device has, in opencl.h and cuda.h, as CONVK_DEVICE_(name):
   fft_need(machine, &plan, element, items, &bytes)   bytes of work
   fft_start(&call, &plan, element, device_plan, direction, &full, kernel, in, out, work, work_size)   a checked call */

/* Refuses a plan with tiles, which devices do not have. */
CONVK_LOCAL_ int convk_fft_untiled_(char *message, const convk_fft_plan_ *p) {
  return p->tile[0] || p->tile[1] ? convk_refuse_(message, CONVK_ERR_UNSUPPORTED, "plan has tiles, which are for processors")
                                  : CONVK_OK;
}

/* ---- device memory ---- */

CONVK_LOCAL_ int convk_fft_on_(CONVK_ON_ *on, const char *kind, const void *plan, CONVK_ARRAY_(const void) device_plan,
                               int direction, const CONVK_DEVICE_STRUCT_(batch2d) * batch, CONVK_ARRAY_(const CONVK_T) in,
                               CONVK_ARRAY_(CONVK_T) out, CONVK_ARRAY_(void) work, size_t work_size) {
  const int put = CONVK_PLACE_WRITTEN_, may = CONVK_PLACE_OPTIONAL_;
  CONVK_DEVICE_(frame) f = CONVK_DEVICE_(frame_of)(on, sizeof(CONVK_T), 0, work, work_size);
  convk_batch2d asked, full;
  convk_fft_plan_ p;
  size_t span[2], number;
  int none;
  memset(&asked, 0, sizeof asked);
  if (batch) {
    asked.items = batch->items;
    asked.in_pitch = batch->in_pitch;
    asked.in_stride = batch->in_stride;
    asked.out_pitch = batch->out_pitch;
    asked.out_stride = batch->out_stride;
    asked.items_per_kernel = batch->items_per_kernel;
  }
  if (!f.status)
    f.status = convk_fft_check_(f.message, plan, kind, direction, batch ? &asked : NULL, sizeof(CONVK_T),
                                batch && CONVK_DEVICE_(is_set)(batch->kernel), &p, &full, span);
  if (!f.status) f.status = convk_fft_untiled_(f.message, &p);
  if (f.status) return CONVK_DEVICE_(frame_end)(&f);
  none = full.items ? 0 : may;
  number = (p.real ? 1 : 2) * sizeof(CONVK_T);
  /* in the order of CONVK_FFT_AT_PLAN_.. */
  CONVK_DEVICE_(frame_place)(&f, "device_plan", device_plan, p.bytes, 1, 0);
  CONVK_DEVICE_(frame_place)(&f, "in", in, span[0], number, none);
  CONVK_DEVICE_(frame_place)(&f, "out", out, span[1], number, none | put);
  CONVK_DEVICE_(frame_place)(&f, "work", work, CONVK_DEVICE_(is_set)(work) ? work_size : 0, 1, may | put);
  CONVK_DEVICE_(frame_place)(&f, "batch->kernel", batch->kernel, p.kernels ? full.items : 0, sizeof(uint64_t), may);
  if (!f.status) f.status = convk_fft_places_(f.message, &p, &full, f.place);
  if (!f.status && f.place[CONVK_FFT_AT_PLAN_].begin % 16)
    f.status = convk_refuse_(f.message, CONVK_ERR_PLAN, "device_plan is at no multiple of 16 bytes");
  if (!f.status && full.items)
    f.status = CONVK_DEVICE_(fft_start)(&f.call, &p, sizeof(CONVK_T), device_plan, direction, &full, batch->kernel, in, out,
                                        work, work_size);
  return CONVK_DEVICE_(frame_end)(&f);
}

CONVK_LOCAL_ int convk_fft_need_(CONVK_ON_ *on, const char *kind, const void *plan, size_t items, size_t *bytes) {
  CONVK_DEVICE_(machine) *machine = NULL;
  convk_fft_plan_ p;
  char *message = NULL;
  size_t need = 0;
  int status = CONVK_DEVICE_(query_of)(on, &message);
  if (!status) status = convk_fft_plan_check_(message, plan, kind, &p);
  if (!status) status = convk_need_(message, "bytes", bytes);
  if (!status) status = convk_fft_untiled_(message, &p);
  if (!status && items) status = CONVK_DEVICE_(machine_of)(on, &machine);
  if (!status && items) status = CONVK_DEVICE_(fft_need)(machine, &p, sizeof(CONVK_T), items, &need);
  if (!status) *bytes = need;
  return status;
}

CONVK_API_ int convk_fftconv2d_resident(CONVK_ON_ *on, const convk_fftconv2d_plan *plan, CONVK_ARRAY_(const void) device_plan,
                                        const CONVK_DEVICE_STRUCT_(batch2d) * batch, CONVK_ARRAY_(const CONVK_T) in,
                                        CONVK_ARRAY_(CONVK_T) out, CONVK_ARRAY_(void) work, size_t work_size) {
  return convk_fft_on_(on, CONVK_FFT_KIND_(1), plan, device_plan, CONVK_FORWARD, batch, in, out, work, work_size);
}
CONVK_API_ int convk_fftconv2d_complex_resident(CONVK_ON_ *on, const convk_fftconv2d_plan_complex *plan,
                                                CONVK_ARRAY_(const void) device_plan,
                                                const CONVK_DEVICE_STRUCT_(batch2d) * batch, CONVK_ARRAY_(const CONVK_T) in,
                                                CONVK_ARRAY_(CONVK_T) out, CONVK_ARRAY_(void) work, size_t work_size) {
  return convk_fft_on_(on, CONVK_FFT_KIND_(0), plan, device_plan, CONVK_FORWARD, batch, in, out, work, work_size);
}
CONVK_API_ int convk_fft2d_complex_resident(CONVK_ON_ *on, const convk_fft2d_plan_complex *plan,
                                            CONVK_ARRAY_(const void) device_plan, int direction,
                                            const CONVK_DEVICE_STRUCT_(batch2d) * batch, CONVK_ARRAY_(const CONVK_T) in,
                                            CONVK_ARRAY_(CONVK_T) out, CONVK_ARRAY_(void) work, size_t work_size) {
  return convk_fft_on_(on, CONVK_FFT2D_KIND_, plan, device_plan, direction, batch, in, out, work, work_size);
}

CONVK_API_ int convk_fftconv2d_work_size_resident(CONVK_ON_ *on, const convk_fftconv2d_plan *plan, size_t items,
                                                  size_t *bytes) {
  return convk_fft_need_(on, CONVK_FFT_KIND_(1), plan, items, bytes);
}
CONVK_API_ int convk_fftconv2d_work_size_complex_resident(CONVK_ON_ *on, const convk_fftconv2d_plan_complex *plan, size_t items,
                                                          size_t *bytes) {
  return convk_fft_need_(on, CONVK_FFT_KIND_(0), plan, items, bytes);
}
CONVK_API_ int convk_fft2d_work_size_complex_resident(CONVK_ON_ *on, const convk_fft2d_plan_complex *plan, size_t items,
                                                      size_t *bytes) {
  return convk_fft_need_(on, CONVK_FFT2D_KIND_, plan, items, bytes);
}

/* ---- host arrays on a device ---- */

/* A checked call: a batch in parts.
   numbers  if `listed`, which convolution kernel each item of the whole batch takes; a part's begin at its first item */
typedef struct convk_fft_parts_ {
  convk_fft_plan_ p;
  convk_batch2d full;
  int direction, listed;
  size_t each, need, element; /* items of a part, bytes of work and of a number */
  convk_grid3 gi, go;         /* of the batch: columns, rows, items */
  convk_staged_ in, out;
  CONVK_DEVICE_(memory) from, to, plan, numbers, work;
} convk_fft_parts_;

CONVK_LOCAL_ convk_window_ convk_fft_part_items_(const convk_fft_parts_ *c, size_t part) {
  const size_t first = part * c->each, left = c->full.items - first;
  convk_window_ items;
  items.first = (int64_t)first;
  items.end = (int64_t)(left < c->each ? c->full.items : first + c->each);
  return items;
}

CONVK_LOCAL_ int convk_fft_send_(CONVK_DEVICE_(host) *host, void *parts, size_t part, size_t slot) {
  const convk_fft_parts_ *const c = (const convk_fft_parts_ *)parts;
  return CONVK_DEVICE_(planes)(host, 0, c->from, slot * c->each, &c->in, convk_fft_part_items_(c, part));
}

CONVK_LOCAL_ int convk_fft_work_(CONVK_DEVICE_(host) *host, void *parts, size_t part, size_t slot) {
  const convk_fft_parts_ *const c = (const convk_fft_parts_ *)parts;
  const size_t in = c->p.rows * c->p.columns * c->element, out = c->p.out_rows * c->p.out_columns * c->element;
  const size_t s = sizeof(CONVK_T), first = slot * c->each;
  const convk_window_ items = convk_fft_part_items_(c, part);
  CONVK_DEVICE_(call) call = CONVK_DEVICE_(call_on)(host);
  convk_batch2d batch = c->full;
  int status;
  call.planes = c->full.items;
  batch.items = (size_t)(items.end - items.first);
  batch.in_pitch = c->p.columns;
  batch.in_stride = c->p.rows * c->p.columns;
  batch.out_pitch = c->p.out_columns;
  batch.out_stride = c->p.out_rows * c->p.out_columns;
  status = CONVK_DEVICE_(fft_start)(&call, &c->p, s, CONVK_DEVICE_(array_of)(c->plan), c->direction, &batch,
                                    CONVK_DEVICE_(array_at)(CONVK_DEVICE_(array_of)(c->numbers),
                                                            c->listed ? (size_t)items.first * sizeof(uint64_t) : 0,
                                                            sizeof(uint64_t)),
                                    CONVK_DEVICE_(array_at)(CONVK_DEVICE_(array_of)(c->from), first * in, c->element),
                                    CONVK_DEVICE_(array_at)(CONVK_DEVICE_(array_of)(c->to), first * out, c->element),
                                    CONVK_DEVICE_(array_of)(c->work), c->need);
  return CONVK_DEVICE_(call_end)(&call, status);
}

CONVK_LOCAL_ int convk_fft_fetch_(CONVK_DEVICE_(host) *host, void *parts, size_t part, size_t slot) {
  const convk_fft_parts_ *const c = (const convk_fft_parts_ *)parts;
  return CONVK_DEVICE_(planes)(host, 1, c->to, slot * c->each, &c->out, convk_fft_part_items_(c, part));
}

/* Numbers of kernels, as devices have them. */
CONVK_LOCAL_ int convk_fft_list_(CONVK_DEVICE_(host) *host, convk_fft_parts_ *c) {
  const size_t n = c->full.items;
  uint64_t *const list = (uint64_t *)CONVK_MALLOC(n * sizeof *list);
  size_t i;
  int status;
  if (!list) return CONVK_ERR_MEMORY;
  for (i = 0; i < n; i++) list[i] = convk_fft_kernel_of_(&c->p, &c->full, i);
  status = CONVK_DEVICE_(bring_list)(host, CONVK_DEVICE_MORE_1_, list, n * sizeof *list, &c->numbers);
  status = CONVK_DEVICE_(wait)(host, status);
  CONVK_FREE(list);
  return status;
}

/* How the batch goes in parts, its buffers, and the plan there. */
CONVK_LOCAL_ int convk_fft_buffers_(CONVK_DEVICE_(host) *host, convk_fft_parts_ *c, const void *plan) {
  const size_t in = c->p.rows * c->p.columns * c->element, out = c->p.out_rows * c->p.out_columns * c->element;
  CONVK_DEVICE_(call) call = CONVK_DEVICE_(call_on)(host);
  CONVK_DEVICE_(machine) *const machine = CONVK_DEVICE_(machine_of_call)(&call);
  const size_t items = c->full.items, s = sizeof(CONVK_T), list = c->p.kernels > 1 ? items * sizeof(uint64_t) : 0;
  size_t places, need = 0;
  int status = CONVK_DEVICE_(fft_need)(machine, &c->p, s, 1, &need);
  if (!status) status = CONVK_DEVICE_(parts_of)(host, items, in + out, 0, (size_t)c->p.bytes + list + need, 1, &c->each);
  if (!status) status = CONVK_DEVICE_(fft_need)(machine, &c->p, s, c->each, &c->need);
  if (status) return status;
  places = c->each < items ? CONVK_SLOTS_ : 1;
  c->listed = c->p.kernels && (c->full.kernel || (places > 1 && c->p.kernels > 1));
  status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_IN_, places * c->each * in, &c->from);
  if (!status) status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_OUT_, places * c->each * out, &c->to);
  if (!status && c->need) status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_WORK_, c->need, &c->work);
  if (!status) status = CONVK_DEVICE_(bring_list)(host, CONVK_DEVICE_MORE_0_, plan, (size_t)c->p.bytes, &c->plan);
  return status || !c->listed ? status : convk_fft_list_(host, c);
}

CONVK_LOCAL_ int convk_fft_arrays_(convk *hw, const char *kind, const void *plan, int direction, const convk_batch2d *batch,
                                   const CONVK_T *in, CONVK_T *out) {
  char *const message = convk_message_(hw);
  CONVK_DEVICE_(host) *host = NULL;
  convk_fft_parts_ c;
  size_t span[2];
  int status = CONVK_DEVICE_(host_of)(hw, &host);
  memset(&c, 0, sizeof c);
  if (!status) status = convk_fft_check_(message, plan, kind, direction, batch, sizeof(CONVK_T), 0, &c.p, &c.full, span);
  if (!status) status = convk_fft_apart_(message, &c.p, plan, &c.full, sizeof(CONVK_T), span, in, out, NULL, 0);
  if (!status) status = convk_fft_untiled_(message, &c.p);
  if (!status) status = CONVK_DEVICE_(able)(host, sizeof(CONVK_T), 0);
  if (!status && c.full.items) status = CONVK_DEVICE_(begin)(host);
  if (status || !c.full.items) return status;
  c.direction = direction;
  c.element = (c.p.real ? 1 : 2) * sizeof(CONVK_T);
  c.gi.nx = c.p.columns;
  c.gi.ny = c.p.rows;
  c.go.nx = c.p.out_columns;
  c.go.ny = c.p.out_rows;
  c.gi.nz = c.go.nz = c.full.items;
  c.gi.pitch_y = c.full.in_pitch;
  c.gi.pitch_z = c.full.in_stride;
  c.go.pitch_y = c.full.out_pitch;
  c.go.pitch_z = c.full.out_stride;
  c.in = convk_staged_of_(CONVK_DEVICE_IN_, &c.gi, c.element, in, 1, 0);
  c.out = convk_staged_of_(CONVK_DEVICE_OUT_, &c.go, c.element, out, 0, 1);
  status = convk_fft_buffers_(host, &c, plan);
  if (!status)
    status = CONVK_DEVICE_(parts_run)(host, convk_ceil_(c.full.items, c.each), convk_fft_send_, convk_fft_work_,
                                      convk_fft_fetch_, &c);
  return CONVK_DEVICE_(end)(host, status);
}

/* For a handle of the device: copies the batch, and of the plan what it needs, runs, waits; `work` is ignored.  Errors as in
   convk.h, and HANDLE for other handles, MEMORY, DEVICE, and with OpenCL FP64, BUILD and UNSUPPORTED, with hw->message. */
CONVK_API_ int convk_fftconv2d_device(convk *hw, const convk_fftconv2d_plan *plan, const convk_batch2d *batch,
                                      const CONVK_T *in, CONVK_T *out, void *work, size_t work_size) {
  (void)work;
  (void)work_size;
  return convk_fft_arrays_(hw, CONVK_FFT_KIND_(1), plan, CONVK_FORWARD, batch, in, out);
}
CONVK_API_ int convk_fftconv2d_complex_device(convk *hw, const convk_fftconv2d_plan_complex *plan, const convk_batch2d *batch,
                                              const CONVK_T *in, CONVK_T *out, void *work, size_t work_size) {
  (void)work;
  (void)work_size;
  return convk_fft_arrays_(hw, CONVK_FFT_KIND_(0), plan, CONVK_FORWARD, batch, in, out);
}
CONVK_API_ int convk_fft2d_complex_device(convk *hw, const convk_fft2d_plan_complex *plan, int direction,
                                          const convk_batch2d *batch, const CONVK_T *in, CONVK_T *out, void *work,
                                          size_t work_size) {
  (void)work;
  (void)work_size;
  return convk_fft_arrays_(hw, CONVK_FFT2D_KIND_, plan, direction, batch, in, out);
}
