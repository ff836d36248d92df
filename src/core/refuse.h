/* ---- why a call is refused ---- */

/* Writes a number at `to`, as far as there is room before `end`; returns where the next letter goes. */
CONVK_RARE_ char *convk_say_number_(char *to, const char *end, int64_t value) {
  char digits[24];
  uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
  size_t length = 0;
  do digits[length++] = (char)('0' + rest % 10);
  while (rest /= 10);
  if (value < 0) digits[length++] = '-';
  while (length && to < end) *to++ = digits[--length];
  return to;
}

/* Where the message of an open handle is, else NULL. */
CONVK_LOCAL_ char *convk_message_(convk *hw) { return convk_check_handle_(hw) ? NULL : hw->message; }

/* Writes to the message of a handle (or NULL) why a call is refused, and returns the status.  In the text each $ stands for a
   name and each % for a number.  A % in a name stands for its index, i or j, unless that is negative. */
CONVK_RARE_ int convk_refuse_with_(char *message, int status, const char *text, const char *first, int64_t i,
                                   const char *second, int64_t j, int64_t a, int64_t b, int64_t c) {
  const char *const all[2] = {first, second}, *end;
  const int64_t index[2] = {i, j}, number[3] = {a, b, c};
  char *to = message;
  size_t names = 0, numbers = 0;
  if (!message) return status;
  end = message + CONVK_MESSAGE_BYTES_ - 1;
  for (; *text && to < end; text++) {
    if (*text == '%' && numbers < 3) to = convk_say_number_(to, end, number[numbers++]);
    else if (*text == '$' && names < 2) {
      const char *name = all[names];
      for (; name && *name && to < end; name++)
        if (*name == '%' && index[names] >= 0) to = convk_say_number_(to, end, index[names]);
        else *to++ = *name;
      names++;
    } else *to++ = *text;
  }
  *to = 0;
  return status;
}
/* The same for a text without either, with numbers, with one name (it may stand twice) and numbers, and with names. */
CONVK_RARE_ int convk_refuse_(char *message, int status, const char *text) {
  return convk_refuse_with_(message, status, text, NULL, -1, NULL, -1, 0, 0, 0);
}
CONVK_RARE_ int convk_refuse_at_(char *message, int status, const char *text, int64_t first, int64_t second, int64_t third) {
  return convk_refuse_with_(message, status, text, NULL, -1, NULL, -1, first, second, third);
}
CONVK_RARE_ int convk_refuse_of_(char *message, int status, const char *text, const char *name, int64_t first, int64_t second) {
  return convk_refuse_with_(message, status, text, name, -1, name, -1, first, second, 0);
}
CONVK_RARE_ int convk_refuse_names_(char *message, int status, const char *text, const char *first, const char *second) {
  return convk_refuse_with_(message, status, text, first, -1, second, -1, 0, 0, 0);
}

/* Every call begins with this.  It checks that the handle is open, and clears the message of former calls.  A message that is
   empty is not written to, so that threads may share a handle. */
CONVK_LOCAL_ int convk_begin_call_(convk *hw) {
  const int status = convk_check_handle_(hw);
  if (!status && CONVK_UNLIKELY_(hw->message[0] != 0)) hw->message[0] = 0;
  return status;
}

/* Refuses a handle that was opened in a unit that does not compile the operation. */
CONVK_RARE_ int convk_refuse_compiled_(convk *hw, const char *operation) {
  return convk_refuse_names_(hw->message, CONVK_ERR_COMPILED, "$ is not compiled in where hw was opened", operation, NULL);
}

/* Refuses a pointer that is NULL and must not be. */
CONVK_LOCAL_ int convk_need_(char *message, const char *name, const void *pointer) {
  return pointer ? CONVK_OK : convk_refuse_names_(message, CONVK_ERR_NULL, "$ is NULL", name, NULL);
}

/* ---- the arrays of a call ---- */

enum {
  CONVK_PLACE_WRITTEN_ = 1,
  CONVK_PLACE_OPTIONAL_ = 2, /* may be NULL */
  CONVK_PLACE_IN_PLACE_ = 4  /* may be the same array as another one that has this bit, if one of them is read */
};

/* An array, or a struct, that is an argument.  `buffer` is the device's buffer in which it lies, or NULL, and then `begin` is
   an address.  A % in the name stands for `index`: "shells[%].exponents". */
typedef struct convk_place_ {
  const char *name;
  size_t index;
  const void *buffer;
  uintptr_t begin;
  size_t bytes;
  int flags;
} convk_place_;

CONVK_LOCAL_ convk_place_ convk_place_of_(const char *name, const void *array, size_t bytes, int flags) {
  const convk_place_ place = {name, 0, NULL, (uintptr_t)array, bytes, flags};
  return place;
}

/* The same for one of several arrays, number `index`, that are read: a table, or taps. */
CONVK_LOCAL_ convk_place_ convk_place_read_(const char *name, size_t index, const void *array, size_t bytes) {
  convk_place_ place = convk_place_of_(name, array, bytes, CONVK_PLACE_OPTIONAL_);
  place.index = index;
  return place;
}

CONVK_RARE_ int convk_refuse_place_(char *message, int status, const char *text, const convk_place_ *p, const convk_place_ *q) {
  return convk_refuse_with_(message, status, text, p->name, (int64_t)p->index, q->name, (int64_t)q->index, 0, 0, 0);
}

/* Whether two arrays overlap, other than as one array that is worked on in place. */
CONVK_LOCAL_ int convk_places_overlap_(const convk_place_ *p, const convk_place_ *q) {
  if (p->begin >= q->begin + q->bytes || q->begin >= p->begin + p->bytes || p->buffer != q->buffer) return 0;
  if (!p->bytes || !q->bytes || (!p->buffer && (!p->begin || !q->begin))) return 0;
  return !(p->flags & q->flags & CONVK_PLACE_IN_PLACE_) || (p->flags & q->flags & CONVK_PLACE_WRITTEN_) ||
         p->begin != q->begin || p->bytes != q->bytes;
}

/* Refuses a call one of whose arrays is NULL and must not be. */
CONVK_RARE_ int convk_places_present_(char *message, const convk_place_ *places, size_t count) {
  size_t i;
  for (i = 0; i < count; i++)
    if (!places[i].begin && !places[i].buffer && !(places[i].flags & CONVK_PLACE_OPTIONAL_))
      return convk_refuse_place_(message, CONVK_ERR_NULL, "$ is NULL", &places[i], &places[i]);
  return CONVK_OK;
}

/* The same, and refuses a call that writes an array which overlaps another. */
CONVK_RARE_ int convk_places_check_(char *message, const convk_place_ *places, size_t count) {
  const int status = convk_places_present_(message, places, count);
  size_t i, j;
  for (i = 0; i < count && !status; i++) {
    if (!(places[i].flags & CONVK_PLACE_WRITTEN_)) continue;
    for (j = 0; j < count; j++)
      if (j != i && convk_places_overlap_(&places[i], &places[j]))
        return convk_refuse_place_(message, CONVK_ERR_OVERLAP, "$ overlaps $", &places[j < i ? j : i], &places[j < i ? i : j]);
  }
  return status;
}
