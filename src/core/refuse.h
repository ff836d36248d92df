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

/* ---- the arrays of a call ---- */

enum {
  CONVK_PART_WRITTEN_ = 1,
  CONVK_PART_OPTIONAL_ = 2, /* may be NULL */
  CONVK_PART_IN_PLACE_ = 4  /* may be the very array that is written */
};

/* An array, or a struct, of a call.  `buffer`: that of a device where it lies; else NULL, and `begin` is an address. */
typedef struct convk_part_ {
  const char *name;
  const void *buffer;
  uintptr_t begin;
  size_t bytes;
  int flags;
} convk_part_;

CONVK_LOCAL_ convk_part_ convk_part_of_(const char *name, const void *array, size_t bytes, int flags) {
  convk_part_ part;
  part.name = name;
  part.buffer = NULL;
  part.begin = (uintptr_t)array;
  part.bytes = bytes;
  part.flags = flags;
  return part;
}

/* All that must be there is there, and what is written overlaps nothing else. */
CONVK_RARE_ int convk_parts_check_(char *message, const convk_part_ *parts, size_t count) {
  size_t i, j;
  for (i = 0; i < count; i++)
    if (!parts[i].buffer && !parts[i].begin && !(parts[i].flags & CONVK_PART_OPTIONAL_))
      return convk_refuse_names_(message, CONVK_ERR_NULL, "$ is NULL", parts[i].name, NULL);
  for (i = 0; i < count; i++)
    for (j = 0; j < i; j++) {
      const convk_part_ *const p = &parts[i], *const q = &parts[j];
      if (!((p->flags | q->flags) & CONVK_PART_WRITTEN_) || p->buffer != q->buffer || (!p->buffer && (!p->begin || !q->begin)))
        continue;
      if (!p->bytes || !q->bytes || p->begin >= q->begin + q->bytes || q->begin >= p->begin + p->bytes) continue;
      if (((p->flags | q->flags) & CONVK_PART_IN_PLACE_) && p->begin == q->begin && p->bytes == q->bytes) continue;
      return convk_refuse_names_(message, CONVK_ERR_OVERLAP, "$ overlaps $", q->name, p->name);
    }
  return CONVK_OK;
}
