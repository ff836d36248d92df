/* ---- calls on device memory, and queries of how much work they need ----
   Both come from one function, which goes through a frame step by step.  What is wrong first is the status of the call, and the
   steps behind it do nothing:
     f = frame_of(on, element, sums, work, work_size)   for a call; or f = frame_query(on, bytes)
     if (!f.status) f.status = ...       checks of its parameters
     frame_place(&f, name, array, ...)   each of its arrays, of which a query has none
     frame_apart(&f)                     they are there, and what is written overlaps nothing, if that is to be said before
     f.status = ...                      what is wrong with the work that is needed
     if (frame_work(&f, need))           work is there, and all lies apart; a query is answered, and only a call goes on
       f.status = ...                    starts its kernels, whose work is f.work
     return frame_end(&f) */

typedef struct convk_frame_ {
  CONVK_ON_ *on;
  CONVK_DEVICE_(call) call;
  char *message;
  int status, query;
  size_t element, *bytes;  /* the answer to a query */
  CONVK_ARRAY_(void) work; /* the caller's, and behind frame_work its first multiple of 256 bytes */
  size_t work_size, places;
  convk_place_ place[CONVK_FRAME_PLACES_];
} convk_frame_;

CONVK_LOCAL_ convk_frame_ convk_frame_of_(CONVK_ON_ *on, size_t element, unsigned sums, CONVK_ARRAY_(void) work,
                                          size_t work_size) {
  convk_frame_ f;
  memset(&f, 0, sizeof f);
  f.on = on;
  f.element = element;
  f.work = work;
  f.work_size = work_size;
  f.status = CONVK_DEVICE_(call_of)(on, element, sums, &f.call);
  f.message = f.call.message;
  return f;
}

CONVK_LOCAL_ convk_frame_ convk_frame_query_(CONVK_ON_ *on, size_t *bytes) {
  convk_frame_ f;
  memset(&f, 0, sizeof f);
  f.on = on;
  f.query = 1;
  f.bytes = bytes;
  f.status = CONVK_DEVICE_(query_of)(on, &f.message);
  if (!f.status) f.status = convk_need_(f.message, "bytes", bytes);
  return f;
}

/* A call turns out to sum in doubles. */
CONVK_LOCAL_ void convk_frame_doubles_(convk_frame_ *f) {
  if (!f->status && !f->query) f->status = CONVK_DEVICE_(call_of)(f->on, f->element, 1, &f->call);
}

CONVK_LOCAL_ void convk_frame_place_(convk_frame_ *f, const char *name, CONVK_ARRAY_(const void) array, size_t count,
                                     size_t element, int flags) {
  if (f->status || f->query) return;
  f->status = CONVK_DEVICE_(array_place)(&f->call, name, array, count, element, flags, &f->place[f->places++]);
}

CONVK_LOCAL_ void convk_frame_apart_(convk_frame_ *f) {
  if (!f->status) f->status = convk_places_check_(f->message, f->place, f->places);
}

/* Whether kernels are to be started. */
CONVK_LOCAL_ int convk_frame_work_(convk_frame_ *f, size_t need) {
  if (!f->status && f->query) *f->bytes = need;
  if (f->status || f->query) return 0;
  if (need) f->status = CONVK_DEVICE_(work_place)(&f->call, f->work, f->work_size, need, &f->place[f->places++], &f->work);
  convk_frame_apart_(f);
  return !f->status;
}

/* The status of a query, or of a call, which ends here. */
CONVK_LOCAL_ int convk_frame_end_(convk_frame_ *f) {
  return f->query ? f->status : CONVK_DEVICE_(call_end)(&f->call, f->status);
}
