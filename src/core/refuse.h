/* ---- why a call is refused ---- */

/* `text` at `to`, of `size` bytes with the 0, where the numbers stand for % in turn; to NULL: nowhere. */
CONVK_RARE_ void convk_say_(char *to, size_t size, const char *text, int64_t first, int64_t second, int64_t third) {
  const int64_t numbers[3] = {first, second, third};
  char digits[24];
  size_t k = 0, number = 0;
  if (!to || !size) return;
  for (; *text && k + 1 < size; text++) {
    const int64_t value = *text == '%' && number < 3 ? numbers[number++] : -1;
    uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    size_t length = 0;
    if (*text != '%') {
      to[k++] = *text;
      continue;
    }
    do digits[length++] = (char)('0' + rest % 10);
    while (rest /= 10);
    if (value < 0) digits[length++] = '-';
    while (length && k + 1 < size) to[k++] = digits[--length];
  }
  to[k] = 0;
}

/* The same where two names stand for $ in turn. */
CONVK_RARE_ void convk_say_names_(char *to, size_t size, const char *text, const char *first, const char *second) {
  size_t k = 0;
  if (!to || !size) return;
  for (; *text && k + 1 < size; text++) {
    if (*text != '$') {
      to[k++] = *text;
      continue;
    }
    while (first && *first && k + 1 < size) to[k++] = *first++;
    first = second;
  }
  to[k] = 0;
}

/* Where the message of an open handle is, else NULL. */
CONVK_LOCAL_ char *convk_message_(convk *hw) { return convk_check_handle_(hw) ? NULL : hw->message; }

/* The status of a call that is refused, after the message of a handle (or NULL) has been told why, with numbers or without. */
CONVK_RARE_ int convk_refuse_at_(char *message, int status, const char *text, int64_t first, int64_t second, int64_t third) {
  convk_say_(message, CONVK_MESSAGE_BYTES_, text, first, second, third);
  return status;
}
CONVK_RARE_ int convk_refuse_(char *message, int status, const char *text) {
  return convk_refuse_at_(message, status, text, 0, 0, 0);
}

/* Every call begins with this: the handle is open, and says nothing of former calls.  What is empty is not written, so that
   threads may share a handle. */
CONVK_LOCAL_ int convk_begin_call_(convk *hw) {
  const int status = convk_check_handle_(hw);
  if (!status && CONVK_UNLIKELY_(hw->message[0] != 0)) hw->message[0] = 0;
  return status;
}

CONVK_RARE_ int convk_refuse_names_(char *message, int status, const char *text, const char *first, const char *second) {
  convk_say_names_(message, CONVK_MESSAGE_BYTES_, text, first, second);
  return status;
}

/* The same with names for $ and then numbers for %. */
CONVK_RARE_ int convk_refuse_both_(char *message, int status, const char *text, const char *name, int64_t first,
                                   int64_t second) {
  char named[CONVK_MESSAGE_BYTES_];
  convk_say_names_(named, sizeof named, text, name, NULL);
  return convk_refuse_at_(message, status, named, first, second, 0);
}

/* ---- the sizes of a call ---- */

/* convk_grid_check_ of a grid that the signature calls `name`. */
CONVK_LOCAL_ int convk_grid_check_as_(char *message, const char *name, const convk_grid3 *grid, size_t element,
                                      convk_grid3 *full, size_t *span) {
  const int status = convk_grid_check_(grid, element, full, span);
  if (!status || !message) return status;
  if (!grid) return convk_refuse_names_(message, status, "$ is NULL", name, NULL);
  if (status == CONVK_ERR_OVERFLOW) return convk_refuse_names_(message, status, "$ has too many elements", name, NULL);
  if (status == CONVK_ERR_SIZE)
    return convk_refuse_names_(message, status, "$.$ is 0", name, !grid->nx ? "nx" : !grid->ny ? "ny" : "nz");
  if (full->pitch_y < full->nx)
    return convk_refuse_both_(message, status, "$.pitch_y is %, less than nx = %", name, (int64_t)full->pitch_y,
                              (int64_t)full->nx);
  return convk_refuse_both_(message, status, "$.pitch_z is %, less than the % elements of a plane", name,
                            (int64_t)full->pitch_z, (int64_t)((full->ny - 1) * full->pitch_y + full->nx));
}

/* convk_work_begin_ with `work` and `work_size` of the signature. */
CONVK_LOCAL_ int convk_work_take_(char *message, convk_work_ *w, void *work, size_t work_size, size_t need) {
  const int status = convk_work_begin_(w, work, work_size, need);
  if (!status) return status;
  return status == CONVK_ERR_WORK
             ? convk_refuse_at_(message, status, "work_size is %, and % are needed", (int64_t)work_size, (int64_t)need, 0)
             : convk_refuse_at_(message, status, "work is NULL, and there is no memory of % bytes", (int64_t)need, 0, 0);
}

/* ---- the arrays of a call ---- */

enum {
  CONVK_PLACE_WRITTEN_ = 1,
  CONVK_PLACE_OPTIONAL_ = 2, /* may be NULL */
  CONVK_PLACE_IN_PLACE_ = 4  /* may be the very array that is written */
};

/* An array, or a struct, of a call.  `buffer`: that of a device where it lies; else NULL, and `begin` is an address. */
typedef struct convk_place_ {
  const char *name;
  const void *buffer;
  uintptr_t begin;
  size_t bytes;
  int flags;
} convk_place_;

CONVK_LOCAL_ convk_place_ convk_place_of_(const char *name, const void *array, size_t bytes, int flags) {
  convk_place_ place;
  place.name = name;
  place.buffer = NULL;
  place.begin = (uintptr_t)array;
  place.bytes = bytes;
  place.flags = flags;
  return place;
}

/* All that must be there is there, and what is written overlaps nothing else. */
CONVK_RARE_ int convk_places_check_(char *message, const convk_place_ *places, size_t count) {
  size_t i, j;
  for (i = 0; i < count; i++)
    if (!places[i].buffer && !places[i].begin && !(places[i].flags & CONVK_PLACE_OPTIONAL_))
      return convk_refuse_names_(message, CONVK_ERR_NULL, "$ is NULL", places[i].name, NULL);
  for (i = 0; i < count; i++)
    for (j = 0; j < i; j++) {
      const convk_place_ *const p = &places[i], *const q = &places[j];
      if (!((p->flags | q->flags) & CONVK_PLACE_WRITTEN_) || p->buffer != q->buffer || (!p->buffer && (!p->begin || !q->begin)))
        continue;
      if (!p->bytes || !q->bytes || p->begin >= q->begin + q->bytes || q->begin >= p->begin + p->bytes) continue;
      if (((p->flags | q->flags) & CONVK_PLACE_IN_PLACE_) && p->begin == q->begin && p->bytes == q->bytes) continue;
      return convk_refuse_names_(message, CONVK_ERR_OVERLAP, "$ overlaps $", q->name, p->name);
    }
  return CONVK_OK;
}
