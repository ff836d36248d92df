#if CONVK_CORE_

/* Seconds of a clock that never goes back, from any beginning.  Define it where the standard headers hide their clock. */
#ifndef CONVK_SECONDS
#if defined _WIN32 && defined __GNUC__
/* Declared here, as <windows.h> has too many macros, and clock_gettime of mingw-w64 needs another library. */
#ifdef __i386__
#define CONVK_SYSTEM_(name) __asm__("_" name "@4") __attribute__((stdcall))
#else
#define CONVK_SYSTEM_(name) __asm__(name)
#endif
int convk_counter_(int64_t *ticks) CONVK_SYSTEM_("QueryPerformanceCounter");
int convk_counter_rate_(int64_t *per_second) CONVK_SYSTEM_("QueryPerformanceFrequency");
#undef CONVK_SYSTEM_
CONVK_LOCAL_ double convk_seconds_(void) {
  int64_t ticks = 0, per_second = 1;
  return convk_counter_(&ticks) && convk_counter_rate_(&per_second) ? (double)ticks / (double)per_second : 0;
}
#elif defined CLOCK_MONOTONIC
CONVK_LOCAL_ double convk_seconds_(void) {
  struct timespec t;
  return clock_gettime(CLOCK_MONOTONIC, &t) ? 0 : (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
#elif defined __unix__ || defined __APPLE__
CONVK_LOCAL_ double convk_seconds_(void) {
  struct timeval t;
  return gettimeofday(&t, NULL) ? 0 : (double)t.tv_sec + 1e-6 * (double)t.tv_usec;
}
#else
CONVK_LOCAL_ double convk_seconds_(void) { return (double)clock() / CLOCKS_PER_SEC; }
#endif
#define CONVK_SECONDS() convk_seconds_()
#endif

/* ---- choices as text ---- */

typedef struct convk_tune_range_ {
  const char *name;
  long least, greatest;
} convk_tune_range_;

/* The names and ranges of parameters in lines of a processor, or of a device. */
CONVK_LOCAL_ const convk_tune_range_ *convk_tune_ranges_(const char *hw) {
  static const convk_tune_range_ ranges[CONVK_TUNE_COUNT] = {{"rows", 0, 1L << 20},      {"depth", 0, 16},
                                                             {"nontemporal", -1, 1},     {"prefetch", -1, 1L << 16},
                                                             {"threads_y", 0, 1L << 12}, {"planes", 0, 4}};
  static const convk_tune_range_ devices[CONVK_TUNE_COUNT] = {{"tile_x", 0, 1L << 16},  {"tile_y", 0, 1L << 16},
                                                              {"steps", 0, 16},         {"chunk", 0, 1L << 20},
                                                              {"group_x", 0, 1L << 12}, {"group_y", 0, 1L << 12}};
  if (!strcmp(hw, "opencl") || !strcmp(hw, "cuda")) return devices;
  return ranges;
}

/* Text that is being written: what fits is stored, and all of it is counted. */
typedef struct convk_text_ {
  char *to;
  size_t size, length;
} convk_text_;

CONVK_LOCAL_ void convk_put_(convk_text_ *t, const char *s) {
  for (; *s; s++, t->length++)
    if (t->length < t->size) t->to[t->length] = *s;
}

CONVK_LOCAL_ void convk_put_number_(convk_text_ *t, const char *before, int64_t n) {
  char digits[24] = "";
  *convk_say_number_(digits, digits + sizeof digits - 1, n) = 0;
  convk_put_(t, before);
  convk_put_(t, digits);
}

CONVK_API_ int convk_tuned_write(convk *hw, const convk_tuned *entries, size_t count, char *text, size_t size, size_t *length) {
  const convk_tune_range_ *range;
  convk_text_ t;
  char *const message = convk_message_(hw);
  int status = hw ? convk_begin_call_(hw) : CONVK_OK;
  size_t i, p;
  if (!status && count) status = convk_need_(message, "entries", entries);
  if (!status && size) status = convk_need_(message, "text", text);
  if (!status) status = convk_need_(message, "length", length);
  if (status) return status;
  t.to = text;
  t.size = size;
  t.length = 0;
  for (i = 0; i < count; i++) {
    const convk_tuned *e = &entries[i];
    range = convk_tune_ranges_(e->hw);
    convk_put_(&t, "convk-tuned-1 ");
    convk_put_(&t, e->operation);
    convk_put_(&t, " ");
    convk_put_(&t, e->type);
    convk_put_(&t, " ");
    convk_put_(&t, e->hw);
    convk_put_(&t, " ");
    convk_put_(&t, e->machine);
    convk_put_number_(&t, " threads=", e->threads);
    convk_put_number_(&t, " size=", (int64_t)e->nx);
    convk_put_number_(&t, "x", (int64_t)e->ny);
    convk_put_number_(&t, "x", (int64_t)e->nz);
    convk_put_number_(&t, " length=", (int64_t)e->length);
    for (p = 0; p < CONVK_TUNE_COUNT; p++) {
      convk_put_(&t, " ");
      convk_put_(&t, range[p].name);
      convk_put_number_(&t, "=", e->choice[p]);
    }
    convk_put_number_(&t, " gain=", e->gain);
    convk_put_(&t, "\n");
  }
  *length = t.length;
  if (!text) return CONVK_OK;
  if (t.length >= size)
    return convk_refuse_at_(message, CONVK_ERR_SIZE, "size is %, and % are needed", (int64_t)size, (int64_t)t.length + 1, 0);
  text[t.length] = 0;
  return CONVK_OK;
}

/* Reads the next word of a line, of at most `size` - 1 letters, and returns its length: 0 where there is none, where it is too
   long, and where it has a byte 0. */
CONVK_LOCAL_ size_t convk_word_(const char **at, const char *end, char *word, size_t size) {
  const char *begin;
  size_t n;
  while (*at < end && **at == ' ') ++*at;
  for (begin = *at; *at < end && **at != ' ';) ++*at;
  n = (size_t)(*at - begin);
  if (n >= size || memchr(begin, 0, n)) n = 0;
  memcpy(word, begin, n);
  word[n] = 0;
  return n;
}

/* Reads a number of decimal digits at *at; returns 0 where there is none, or where it is above `limit`. */
CONVK_LOCAL_ int convk_number_(const char **at, size_t limit, size_t *n) {
  const char *begin = *at;
  for (*n = 0; **at >= '0' && **at <= '9'; ++*at) {
    const size_t digit = (size_t)(**at - '0');
    if (*n > (limit - digit) / 10) return 0;
    *n = *n * 10 + digit;
  }
  return *at > begin;
}

/* Reads a word that is name=number and nothing else. */
CONVK_LOCAL_ int convk_setting_(const char *word, const char *name, long least, long greatest, long *value) {
  const size_t length = strlen(name);
  size_t n;
  int negative;
  if (strncmp(word, name, length) || word[length] != '=') return 0;
  word += length + 1;
  negative = *word == '-';
  word += negative;
  if (!convk_number_(&word, (size_t)1 << 30, &n) || *word) return 0;
  *value = negative ? -(long)n : (long)n;
  return *value >= least && *value <= greatest;
}

/* Reads one line into an entry; returns NULL, or what is wrong with the line. */
CONVK_RARE_ const char *convk_tuned_parse_(const char *line, const char *end, convk_tuned *e) {
  const convk_tune_range_ *range;
  char word[80];
  const char *at = word;
  size_t p;
  long n;
  memset(e, 0, sizeof *e);
  if (!convk_word_(&line, end, word, sizeof word) || strcmp(word, "convk-tuned-1")) return "not a line of this version";
  if (!convk_word_(&line, end, e->operation, sizeof e->operation)) return "no operation";
  if (!convk_tunables_()[convk_tunable_of_(e->operation, NULL)].operation) return "unknown operation";
  if (!convk_word_(&line, end, e->type, sizeof e->type)) return "no type";
  if (!convk_tunables_()[convk_tunable_of_(e->operation, e->type)].operation) return "unknown type";
  if (!convk_word_(&line, end, e->hw, sizeof e->hw)) return "no hardware";
  if (!convk_word_(&line, end, e->machine, sizeof e->machine)) return "no machine";
  if (!convk_word_(&line, end, word, sizeof word) || !convk_setting_(word, "threads", 1, 1L << 16, &n))
    return "threads not in 1..65536";
  e->threads = (int)n;
  if (!convk_word_(&line, end, word, sizeof word) || strncmp(word, "size=", 5)) return "no size";
  at = word + 5;
  if (!convk_number_(&at, (size_t)1 << 30, &e->nx) || *at++ != 'x' || !convk_number_(&at, (size_t)1 << 30, &e->ny) ||
      *at++ != 'x' || !convk_number_(&at, (size_t)1 << 30, &e->nz) || *at || !e->nx || !e->ny || !e->nz)
    return "size not NXxNYxNZ of 1..2^30";
  if (!convk_word_(&line, end, word, sizeof word) || !convk_setting_(word, "length", 1, 1L << 30, &n))
    return "length not in 1..2^30";
  e->length = (size_t)n;
  range = convk_tune_ranges_(e->hw);
  for (p = 0; p < CONVK_TUNE_COUNT; p++)
    if (!convk_word_(&line, end, word, sizeof word) ||
        !convk_setting_(word, range[p].name, range[p].least, range[p].greatest, &e->choice[p]))
      return "a parameter is missing or out of range";
  if (!convk_word_(&line, end, word, sizeof word) || !convk_setting_(word, "gain", 1, 1000000, &e->gain))
    return "no gain, or cut off";
  while (line < end && *line == ' ') line++;
  return line < end ? "more than a line should have" : NULL;
}

CONVK_API_ int convk_tuned_read(convk *hw, const char *text, size_t length, convk_tuned *entries, size_t capacity,
                                size_t *count, convk_tuned_report *report) {
  char *const message = convk_message_(hw);
  int status = hw ? convk_begin_call_(hw) : CONVK_OK;
  size_t at = 0, number = 0, out = 0, i;
  if (!status && length) status = convk_need_(message, "text", text);
  if (!status && capacity) status = convk_need_(message, "entries", entries);
  if (!status) status = convk_need_(message, "count", count);
  if (status) return status;
  *count = 0;
  while (at < length) {
    const char *line = text + at, *end, *reason;
    convk_tuned e;
    while (at < length && text[at] != '\n') at++;
    end = text + at++;
    number++;
    if (end > line && end[-1] == '\r') end--;
    if (end == line || *line == '#') continue;
    reason = convk_tuned_parse_(line, end, &e);
    if (!reason && at > length) reason = "no end of line: cut off";
    if (!reason && hw) {
      if (strcmp(e.machine, hw->machine)) reason = "of another machine";
      else if (strcmp(e.hw, hw->name)) reason = "of other hardware";
      else if (e.threads != convk_tuned_threads_(hw)) reason = "of another number of threads";
    }
    for (i = 0; !reason && i < *count; i++) {
      const convk_tuned *o = &entries[i];
      if (!strcmp(o->operation, e.operation) && !strcmp(o->type, e.type) && !strcmp(o->hw, e.hw) && o->threads == e.threads &&
          !strcmp(o->machine, e.machine) && o->nx == e.nx && o->ny == e.ny && o->nz == e.nz && o->length == e.length)
        break;
    }
    if (!reason && i == capacity) reason = "no room for more entries";
    if (!reason) {
      entries[i] = e;
      if (i == *count) ++*count;
    } else {
      out++;
      if (report && report->explain) report->explain(report->ctx, number, reason);
    }
  }
  if (report) report->skipped = out;
  return CONVK_OK;
}
#endif
