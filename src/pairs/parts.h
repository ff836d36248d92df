/* ---- runs in parts ----
   Sums over walkers are made by a tree: that over a block of 2^k walkers, the first of which is a multiple of 2^k, is that of
   its left half and that of its right half.  A record has the sums of the fewest blocks that its walkers make up, as nodes; the
   total is that of the last, and of each before it.  So it does not depend on how walkers are spread. */

/* The head of a record, before its nodes of `width` doubles each.  A part that has failed says no more than its status; a
   record of several parts says what those before the first failure say. */
typedef struct convk_vmc_record_ {
  uint64_t bytes, width;
  uint64_t begin, end; /* walkers; none: 0 */
  uint64_t same;       /* must not differ between parts; 0: has failed */
  uint64_t accepted;
  double drift;
  int64_t status;
} convk_vmc_record_;

/* How many blocks make up walkers begin to end - 1. */
CONVK_RARE_ size_t convk_vmc_nodes_(uint64_t begin, uint64_t end) {
  size_t count = 0;
  uint64_t size;
  for (; begin < end; begin += size, count++)
    for (size = 1; !(begin & size) && size <= (end - begin) / 2; size *= 2) continue;
  return count;
}

/* Bytes of a record, for any of so many walkers. */
CONVK_RARE_ size_t convk_vmc_record_size_(size_t walkers, size_t width) {
  size_t levels = 0;
  while (levels < 31 && (size_t)1 << levels < walkers) levels++;
  return sizeof(convk_vmc_record_) + (levels < 2 ? 1 : 2 * (levels - 1)) * width * sizeof(double);
}

/* The largest of a run, in whole lines. */
CONVK_RARE_ size_t convk_vmc_record_room_(const convk_vmc *vmc) {
  const size_t interval = vmc->interval ? vmc->interval : 1;
  return convk_round_up_(convk_vmc_record_size_(vmc->walkers, CONVK_VMC_VALUES_ * convk_ceil_(CONVK_VMC_BATCH_, interval)), 64);
}

CONVK_LOCAL_ double *convk_vmc_nodes_of_(convk_vmc_record_ *record) { return (double *)(void *)(record + 1); }

/* An empty record of this part. */
CONVK_RARE_ void convk_vmc_record_begin_(const convk_vmc *vmc, size_t width, uint64_t same, int status,
                                         convk_vmc_record_ *record) {
  const size_t bytes = convk_vmc_record_size_(vmc->walkers, width);
  memset(record, 0, bytes);
  record->bytes = bytes;
  record->width = width;
  record->status = status;
  if (status) return;
  record->same = same;
  if (!convk_vmc_walkers_here_(vmc)) return;
  record->begin = vmc->part.first;
  record->end = vmc->part.first + convk_vmc_walkers_here_(vmc);
}

/* Adds n values of the next walker, w, to the tree, in the columns from `column` on, and returns the new number of its nodes,
   of which there were `count`.  As in a binary counter, w ends a block of 2 size walkers where bit `size` of w is set and the
   block begins in this record: then the last node is that of its left half, and both become one.  values are changed. */
CONVK_RARE_ size_t convk_vmc_grow_(convk_vmc_record_ *record, size_t count, uint64_t w, size_t column, double *values,
                                   size_t n) {
  const size_t width = (size_t)record->width;
  double *at = convk_vmc_nodes_of_(record) + count * width + column;
  uint64_t size;
  size_t i;
  for (size = 1; (w & size) && w + 1 >= record->begin + 2 * size; size *= 2, count--) {
    at -= width;
    for (i = 0; i < n; i++) values[i] = at[i] + values[i];
  }
  memcpy(at, values, n * sizeof *values);
  return count + 1;
}

/* The total of all nodes, in place of the first. */
CONVK_RARE_ const double *convk_vmc_total_(convk_vmc_record_ *record) {
  const size_t width = (size_t)record->width;
  double *nodes = convk_vmc_nodes_of_(record);
  size_t k = convk_vmc_nodes_(record->begin, record->end), i;
  while (k-- > 1)
    for (i = 0; i < width; i++) nodes[(k - 1) * width + i] += nodes[k * width + i];
  return nodes;
}

/* Clears what sums have left behind the last node: records of the same sums have the same bytes. */
CONVK_RARE_ void convk_vmc_record_end_(convk_vmc_record_ *record) {
  const size_t used = sizeof *record + convk_vmc_nodes_(record->begin, record->end) * (size_t)record->width * sizeof(double);
  memset((char *)record + used, 0, (size_t)record->bytes - used);
}

/* Calls part.join, in which all processes meet: the record becomes that of all.  Returns join's status, or that of the first
   part that failed; PART: walkers are missing.  All must call it, with failures too. */
CONVK_RARE_ int convk_vmc_share_(const convk_vmc *vmc, convk_vmc_record_ *record) {
  int status = CONVK_OK;
  if (vmc->part.join) {
    convk_vmc_record_end_(record);
    status = vmc->part.join(vmc->part.ctx, record, (size_t)record->bytes);
  }
  if (status || record->status) return status ? status : (int)record->status;
  return record->begin || record->end != vmc->walkers ? CONVK_ERR_PART : CONVK_OK;
}

/* The status of all parts, when each has its own. */
CONVK_RARE_ int convk_vmc_agree_(const convk_vmc *vmc, uint64_t same, int status) {
  convk_vmc_record_ record;
  if (!vmc->part.join) return status;
  convk_vmc_record_begin_(vmc, 0, same, status, &record);
  return convk_vmc_share_(vmc, &record);
}

/* n doubles at any alignment: to = x + y. */
CONVK_RARE_ void convk_vmc_add_(const char *x, const char *y, char *to, size_t n) {
  size_t i;
  for (i = 0; i < n; i++) {
    double a, b;
    memcpy(&a, x + i * sizeof a, sizeof a);
    memcpy(&b, y + i * sizeof b, sizeof b);
    a += b;
    memcpy(to + i * sizeof a, &a, sizeof a);
  }
}

/* The nodes of a and b, at x and y, to y.  Of these blocks only those about the border grow together: to one. */
CONVK_RARE_ void convk_vmc_join_nodes_(const convk_vmc_record_ *a, const convk_vmc_record_ *b, const char *x, char *y) {
  const size_t width = (size_t)b->width, bytes = width * sizeof(double), old = convk_vmc_nodes_(b->begin, b->end);
  size_t left = convk_vmc_nodes_(a->begin, a->end), at = 0, right;
  if (left && old) {
    uint64_t start = b->begin, size = start & (~start + 1);
    int grows = start - a->begin >= size && b->end - start >= size;
    if (grows) {
      convk_vmc_add_(x + --left * bytes, y, y, width);
      start -= size;
    }
    while (grows) {
      size *= 2;
      if (start & size) {
        grows = start - a->begin >= size;
        if (!grows) break;
        convk_vmc_add_(x + --left * bytes, y + at * bytes, y + at * bytes, width);
        start -= size;
      } else {
        grows = b->end - start >= 2 * size;
        if (!grows) break;
        convk_vmc_add_(y + at * bytes, y + (at + 1) * bytes, y + (at + 1) * bytes, width);
        at++;
      }
    }
  }
  right = old - at;
  memmove(y + left * bytes, y + at * bytes, right * bytes);
  memcpy(y, x, left * bytes);
  if (left < at) memset(y + (left + right) * bytes, 0, (at - left) * bytes);
}

CONVK_API_ void convk_vmc_join(const void *before, void *record) {
  const size_t head = sizeof(convk_vmc_record_);
  convk_vmc_record_ a, b;
  int64_t status;
  memcpy(&a, before, head);
  memcpy(&b, record, head);
  status = a.status;
  if (!status && b.same && (a.bytes != b.bytes || a.width != b.width || a.same != b.same)) status = CONVK_ERR_SETUP;
  if (!status && a.begin < a.end && b.begin < b.end && a.end != b.begin) status = CONVK_ERR_PART;
  if (!status) {
    if (!b.status) convk_vmc_join_nodes_(&a, &b, (const char *)before + head, (char *)record + head);
    if (b.begin < b.end) {
      if (a.begin == a.end) a.begin = b.begin;
      a.end = b.end;
    }
    status = b.status;
  }
  a.bytes = b.bytes;
  a.width = b.width;
  a.accepted += b.accepted;
  if (b.drift > a.drift) a.drift = b.drift;
  a.status = status;
  if (status) {
    a.accepted = 0;
    a.drift = 0;
    memset((char *)record + head, 0, (size_t)b.bytes - head);
  }
  memcpy(record, &a, head);
}

/* ---- a state from those of other parts ---- */

/* A walker that is not there. */
#define CONVK_VMC_ABSENT_ UINT64_C(0x7ff8000000000001)

/* The head that a state for vmc's part begins with, where there is that of another part. */
CONVK_RARE_ void convk_vmc_take_head_(const convk_vmc *vmc, const convk_vmc_state_ *from, size_t need, convk_vmc_state_ *s,
                                      char *state) {
  const uint64_t absent = CONVK_VMC_ABSENT_;
  const size_t here = convk_vmc_walkers_here_(vmc);
  size_t w;
  memcpy(s, from, sizeof *s);
  s->bytes = need;
  s->first = vmc->part.first;
  s->here = s->missing = here;
  memset(state, 0, need);
  for (w = 0; w < here; w++) memcpy(state + sizeof *s + w * sizeof absent, &absent, sizeof absent);
}

/* What convk_vmc_take checks of `from`, whose head becomes f; *need: bytes of vmc's state. */
CONVK_RARE_ int convk_vmc_take_check_(char *message, const convk_vmc *vmc, const void *state, size_t state_size,
                                      const void *from, size_t from_size, const size_t *taken, size_t element,
                                      convk_vmc_state_ *f, size_t *need) {
  const size_t walker = vmc ? 3 * vmc->system.particles * element : 0;
  convk_place_ place[4];
  int status = convk_vmc_check_(message, vmc, CONVK_PAIRS_TABLE_);
  if (!status && !state) status = convk_refuse_(message, CONVK_ERR_NULL, "state is NULL");
  if (!status) status = convk_vmc_intact_(message, "from", from, from_size, f);
  if (!status && !taken) status = convk_refuse_(message, CONVK_ERR_NULL, "taken is NULL");
  if (status) return status;
  if (f->walkers != vmc->walkers || f->particles != vmc->system.particles || f->setup != convk_vmc_setup_(vmc))
    return convk_refuse_(message, CONVK_ERR_SETUP, "from is of another system, method or seed than vmc");
  status = convk_vmc_kind_check_(message, "from", f, element);
  if (status) return status;
  if (f->first > f->walkers || f->here > f->walkers - f->first ||
      f->bytes != convk_vmc_at_((size_t)f->here) + (size_t)f->here * walker)
    return convk_refuse_(message, CONVK_ERR_STATE, "from is damaged");
  status = convk_vmc_state_size_(message, vmc, element, need);
  if (status) return status;
  if (state_size < *need)
    return convk_refuse_at_(message, CONVK_ERR_STATE, "state_size is %, and % are needed", (int64_t)state_size, (int64_t)*need,
                            0);
  place[0] = convk_place_of_("state", state, *need, CONVK_PLACE_WRITTEN_);
  place[1] = convk_place_of_("from", from, (size_t)f->bytes, 0);
  place[2] = convk_place_of_("taken", taken, sizeof *taken, CONVK_PLACE_WRITTEN_);
  return convk_vmc_apart_(message, vmc, place, 3);
}

CONVK_RARE_ int convk_vmc_take_(char *message, const convk_vmc *vmc, void *state, size_t state_size, const void *from,
                                size_t from_size, size_t *taken, size_t element) {
  convk_vmc_state_ f, s;
  size_t need = 0;
  uint64_t w;
  int status = convk_vmc_take_check_(message, vmc, state, state_size, from, from_size, taken, element, &f, &need);
  const size_t walker = status ? 0 : 3 * vmc->system.particles * element;
  if (status) return status;
  if (!*taken) convk_vmc_take_head_(vmc, &f, need, &s, (char *)state);
  else {
    status = convk_vmc_intact_(message, "state", state, need, &s);
    if (status) return status;
    if (s.first != vmc->part.first || s.here != convk_vmc_walkers_here_(vmc) ||
        convk_vmc_alike_(&s, 0) != convk_vmc_alike_(&f, 0))
      return convk_refuse_(message, CONVK_ERR_SETUP, "from is of another part or time than state");
  }
  for (w = s.first > f.first ? s.first : f.first; w < s.first + s.here && w < f.first + f.here; w++) {
    const size_t to = (size_t)(w - s.first), at = (size_t)(w - f.first);
    char *known = (char *)state + convk_vmc_at_(to);
    uint64_t bits;
    memcpy(&bits, known, sizeof bits);
    if (bits != CONVK_VMC_ABSENT_) continue;
    memcpy(known, (const char *)from + convk_vmc_at_(at), sizeof bits);
    memcpy((char *)state + convk_vmc_at_((size_t)s.here) + to * walker,
           (const char *)from + convk_vmc_at_((size_t)f.here) + at * walker, walker);
    s.missing--;
  }
  convk_vmc_seal_(&s, state);
  *taken = (size_t)(s.here - s.missing);
  return CONVK_OK;
}
