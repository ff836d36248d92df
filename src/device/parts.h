/* ---- calls on host arrays in parts ----
   While one part is worked on, the next one comes and the one before goes back: each of the three has a lane of its own, and
   parts take the slots of every buffer in turn.  Part p takes slot p % 3:

     in      0 1 2 3 4 ..       3 waits until 0 has gone back, which has slot 0
     work      0 1 2 3 4 ..     3 waits until it has come
     out         0 1 2 3 4 ..   3 waits until it has been worked on

   Marks: those of what has come (slot), has been worked on (3 + slot), has gone back (6 + slot). */

/* One of the three, for a part in a slot. */
typedef int convk_part_fn_(CONVK_DEVICE_(host) *host, void *job, size_t part, size_t slot);

/* Downloads are queued one part late.  A download to memory that the driver has not pinned blocks the host until it is done,
   and the upload of the next part has to be queued before that.  back: NULL where parts have no results of their own. */
CONVK_LOCAL_ int convk_parts_run_(CONVK_DEVICE_(host) *host, size_t parts, convk_part_fn_ *bring, convk_part_fn_ *work,
                                  convk_part_fn_ *back, void *job) {
  const size_t places = CONVK_SLOTS_;
  size_t p;
  int status = parts > 1 ? CONVK_DEVICE_(lanes)(host) : CONVK_OK;
  if (parts == 1) {
    status = bring(host, job, 0, 0);
    if (!status) status = work(host, job, 0, 0);
    return status || !back ? status : back(host, job, 0, 0);
  }
  for (p = 0; p <= parts && !status; p++) {
    const size_t slot = p % places, before = (p + places - 1) % places;
    if (p < parts) {
      CONVK_DEVICE_(lane)(host, CONVK_LANE_IN_);
      if (p >= places) status = CONVK_DEVICE_(after)(host, 2 * places + slot);
      if (!status) status = bring(host, job, p, slot);
      if (!status) status = CONVK_DEVICE_(mark)(host, slot);
      CONVK_DEVICE_(lane)(host, CONVK_LANE_WORK_);
      if (!status) status = CONVK_DEVICE_(after)(host, slot);
      if (!status) status = work(host, job, p, slot);
      if (!status) status = CONVK_DEVICE_(mark)(host, places + slot);
    }
    if (p && !status) {
      CONVK_DEVICE_(lane)(host, CONVK_LANE_OUT_);
      status = CONVK_DEVICE_(after)(host, places + before);
      if (!status && back) status = back(host, job, p - 1, before);
      if (!status) status = CONVK_DEVICE_(mark)(host, 2 * places + before);
    }
  }
  CONVK_DEVICE_(lane)(host, CONVK_LANE_WORK_);
  return status;
}

/* Cuts `units` of something into parts of at most *each.  unit: bytes of one in all buffers of a slot; more: bytes of a slot
   beside its units; once: bytes beside all places; least: units of which a part is worth its `more`.  One part where nothing is
   won by several, and the device's memory holds all. */
CONVK_LOCAL_ int convk_parts_of_(CONVK_DEVICE_(host) *host, size_t units, size_t unit, size_t more, size_t once, size_t least,
                                 size_t *each) {
  const size_t places = CONVK_SLOTS_, threshold = 2 * CONVK_PART_BYTES_;
  const int cut = CONVK_DEVICE_(beside)(host);
  size_t room = (size_t)-1, all = 0, slot, wanted = CONVK_PART_BYTES_ / unit;
  int status = CONVK_OK;
  const int fits = !convk_mul_(units, unit, &all) && all <= (size_t)-1 / 2 && more <= (size_t)-1 / 4 && once <= (size_t)-1 / 4;
  *each = units;
  if (fits && all <= threshold && !host->hw->device_bytes) return CONVK_OK; /* what there is need not be asked for */
  status = CONVK_DEVICE_(allowed)(host, &room);
  if (status) return status;
  if (wanted < least) wanted = least;
  if (!cut || all <= threshold) wanted = units;
  if (fits && wanted >= units && once + more + all <= room) return CONVK_OK;
  slot = room > once ? (room - once) / places : 0;
  if (slot <= more || (slot - more) / unit == 0) return convk_device_little_(host->hw, once + places * (more + unit));
  if (wanted > (slot - more) / unit) wanted = (slot - more) / unit;
  if (wanted > 64 && wanted < units) wanted -= wanted % 64; /* whole lines, where units are elements */
  if (wanted < units) *each = wanted;
  return CONVK_OK;
}

/* An array of the caller that comes plane by plane: its buffer, of so many planes in a slot; of each plane the points from
   first[0], first[1] on, count[0] x count[1] of them; a buffer for the axis's first `kept` planes, or NULL;
   and one for those that a window shares with the next. */
typedef struct convk_flow_ {
  convk_staged_ b;
  CONVK_DEVICE_(memory) memory, head, tail;
  size_t planes, first[2], count[2];
  int64_t kept;
} convk_flow_;

/* Brings planes [window->first, window->end) of an array, which may wrap around its axis, to `at` bytes behind the beginning
   of a buffer; of each plane the points from first[0], first[1] on, count[0] x count[1] of them. */
CONVK_LOCAL_ int convk_window_bring_(CONVK_DEVICE_(host) *host, CONVK_DEVICE_(memory) memory, size_t at, const convk_staged_ *b,
                                     convk_window_ window, const size_t first[2], const size_t count[2]) {
  const size_t plane = b->grid->nx * b->grid->ny * b->element;
  const int64_t n = (int64_t)b->grid->nz;
  convk_grid3 part = *b->grid;
  int64_t z = window.first;
  int status = CONVK_OK;
  while (z < window.end && !status) {
    const int64_t here = (z % n + n) % n, left = window.end - z, planes = left < n - here ? left : n - here;
    size_t from[3] = {0, 0, 0}, box[3];
    from[0] = first[0];
    from[1] = first[1];
    box[0] = count[0];
    box[1] = count[1];
    part.nz = box[2] = (size_t)planes;
    status = CONVK_DEVICE_(copy_box)(host, 0, memory, at + (size_t)(z - window.first) * plane, &part, from, box, b->element,
                                     (char *)b->array + (size_t)here * part.pitch_z * b->element);
    z += planes;
  }
  return status;
}

/* What comes of a window to slot `slot`: all but the planes before `end`, with which the window before ended, and those of
   `head`, if there is one, which part 0 brings: the axis's first planes, for the last windows of a periodic axis, since the
   caller's array may have got results in their place. */
CONVK_LOCAL_ int convk_flow_bring_(CONVK_DEVICE_(host) *host, const convk_flow_ *f, size_t part, size_t slot,
                                   convk_window_ window, int64_t end) {
  const size_t plane = f->b.grid->nx * f->b.grid->ny * f->b.element, at = slot * f->planes * plane;
  const int64_t n = (int64_t)f->b.grid->nz;
  convk_window_ rest = window, kept = {0, 0};
  int status = CONVK_OK;
  if (part && end > window.first) rest.first = end;
  if (!part && f->head) {
    kept.end = f->kept;
    status = convk_window_bring_(host, f->head, 0, &f->b, kept, f->first, f->count);
  }
  if (f->head && rest.end > n) rest.end = n;
  if (status || rest.first >= rest.end) return status;
  return convk_window_bring_(host, f->memory, at + (size_t)(rest.first - window.first) * plane, &f->b, rest, f->first,
                             f->count);
}

/* The rest of it, in the lane of work, which copies there do not keep from coming: the end of the window before, which is in
   `tail`, and what comes around.  Then `tail` gets the planes from `next` on, with which the next window begins. */
CONVK_LOCAL_ int convk_flow_join_(CONVK_DEVICE_(host) *host, const convk_flow_ *f, size_t part, size_t slot,
                                  convk_window_ window, int64_t end, int64_t next) {
  const size_t plane = f->b.grid->nx * f->b.grid->ny * f->b.element, at = slot * f->planes * plane;
  const int64_t n = (int64_t)f->b.grid->nz;
  int64_t first = window.first;
  int status = CONVK_OK;
  if (part && end > first) {
    first = end < window.end ? end : window.end;
    status = CONVK_DEVICE_(same)(host, f->memory, at, f->tail, 0, (size_t)(first - window.first) * plane);
  }
  if (first < n) first = n;
  if (!status && f->head && window.end > first)
    status = CONVK_DEVICE_(same)(host, f->memory, at + (size_t)(first - window.first) * plane, f->head,
                                 (size_t)(first - n) * plane, (size_t)(window.end - first) * plane);
  if (next < window.first) next = window.first;
  if (status || next >= window.end) return status;
  return CONVK_DEVICE_(same)(host, f->tail, 0, f->memory, at + (size_t)(next - window.first) * plane,
                             (size_t)(window.end - next) * plane);
}

/* Planes of an array of the caller, and those of a buffer from its plane `at` on. */
CONVK_LOCAL_ int convk_planes_(CONVK_DEVICE_(host) *host, int download, CONVK_DEVICE_(memory) memory, size_t at,
                               const convk_staged_ *b, convk_window_ planes) {
  const size_t none[3] = {0, 0, 0};
  convk_grid3 part = *b->grid;
  size_t box[3];
  box[0] = part.nx;
  box[1] = part.ny;
  box[2] = part.nz = (size_t)(planes.end - planes.first);
  return CONVK_DEVICE_(copy_box)(host, download, memory, at * part.nx * part.ny * b->element, &part, none, box, b->element,
                                 (char *)b->array + (size_t)planes.first * part.pitch_z * b->element);
}
