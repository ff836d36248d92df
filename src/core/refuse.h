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
