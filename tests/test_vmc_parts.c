/* SPDX-License-Identifier: MIT
   Tests of variational Monte Carlo in parts: as many processes, played by threads that take turns, find the bits of one.
   Included by test_vmc.c. */

enum { TEAM_MOST = 7 };

/* What its members have in common.  One of them runs at a time, and the next when all of them or this one must wait: a device is never
   used by two at once. */
typedef struct team {
  pthread_mutex_t turn;
  pthread_cond_t go_on;
  size_t parts, arrived, bytes;
  unsigned long rounds;
  void *records[TEAM_MOST];
  uint64_t random;
  int type;
  int backwards;   /* records are joined in the wrong order */
  int lost;        /* they are not joined at all */
  int returns;     /* what join returns */
  const char *bad; /* NULL, or what is wrong with the members' calls */
} team;

typedef struct member {
  team *all;
  size_t rank;
  convk_vmc vmc;
  convk hw;
  convk *handle;
  const char *device; /* NULL, or what to open for a handle of its own */
  vmc_fragile threads;
  vmc_cuts cuts;
  unsigned char *state;
  size_t bytes;
  void *work;
  size_t work_size;
  const convk_vmc_minimise_options *minimise; /* NULL: sweeps */
  convk_vmc_result result;
  int status;
} member;

/* Any brackets, and memory at any alignment. */
static void team_fold(team *t) {
  const size_t bytes = t->bytes, room = (bytes + 16) / 8 * 8;
  unsigned char *copies[2], *at[TEAM_MOST];
  size_t left, i;
  int way;
  for (way = 0; way < 2; way++) {
    copies[way] = (unsigned char *)need(t->parts * room + 8);
    for (i = 0; i < t->parts; i++) {
      at[i] = copies[way] + i * room + (way ? random_below(&t->random, 8) : 0);
      memcpy(at[i], t->records[t->backwards ? t->parts - 1 - i : i], bytes);
    }
    for (left = t->parts; left > 1; left--) {
      const size_t k = way ? random_below(&t->random, left - 1) : 0;
      convk_vmc_join(at[k], at[k + 1]);
      memmove(at + k, at + k + 1, (left - 1 - k) * sizeof *at);
    }
    if (way && memcmp(at[0], copies[0] + (t->parts - 1) * room, bytes)) t->bad = "other brackets give other bits";
  }
  for (i = 0; i < t->parts && !t->lost; i++) memcpy(t->records[i], at[0], bytes);
  free(copies[0]);
  free(copies[1]);
}

static int team_join(void *ctx, void *record, size_t bytes) {
  member *m = (member *)ctx;
  team *t = m->all;
  const unsigned long round = t->rounds;
  struct timespec until;
  if (t->returns) return t->returns;
  if (t->arrived && t->bytes != bytes) t->bad = "records of several lengths";
  t->bytes = bytes;
  t->records[m->rank] = record;
  if (++t->arrived == t->parts) {
    team_fold(t);
    t->arrived = 0;
    t->rounds++;
    pthread_cond_broadcast(&t->go_on);
    return 0;
  }
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += 100;
  while (t->rounds == round)
    if (pthread_cond_timedwait(&t->go_on, &t->turn, &until)) {
      t->bad = "some wait, others do not";
      return 1;
    }
  return 0;
}

static void *member_use(void *pointer) {
  member *m = (member *)pointer;
  vmc_call k = vmc_blank(VMC_RUN, m->handle);
  size_t c;
  pthread_mutex_lock(&m->all->turn);
  if (m->device) m->status = convk_open(&m->hw, m->device);
  if (m->device && m->status) memset(&m->hw, 0, sizeof m->hw);
  for (c = 0; c < m->cuts.count && !m->status && !m->minimise; c++) {
    k.vmc = &m->vmc;
    k.sweeps = m->cuts.sweeps[c];
    k.state = m->state;
    k.state_size = m->bytes;
    k.work = m->work;
    k.work_size = m->work_size;
    m->status = vmc_types[m->all->type].call(&k);
  }
  if (m->minimise && !m->status)
    m->status = vmc_types[m->all->type].minimise(m->handle, &m->vmc, m->minimise, m->state, m->bytes, &m->result, m->work,
                                                 m->work_size);
  if (m->device) convk_close(&m->hw);
  pthread_mutex_unlock(&m->all->turn);
  return NULL;
}

/* Deals walkers out; some members have none. */
static void team_new(team *t, member *m, size_t parts, int even, variant *v, int type, const convk_vmc *vmc, uint64_t *rng) {
  const int uneven = !even && random_below(rng, 3);
  size_t cut[TEAM_MOST + 1], i;
  memset(t, 0, sizeof *t);
  memset(m, 0, parts * sizeof *m);
  pthread_mutex_init(&t->turn, NULL);
  pthread_cond_init(&t->go_on, NULL);
  t->parts = parts;
  t->random = random64(rng);
  t->type = type;
  for (i = 1; i < parts; i++) cut[i] = uneven ? random_below(rng, vmc->walkers + 1) : vmc->walkers * i / parts;
  cuts_sort(cut, parts);
  cut[0] = 0;
  cut[parts] = vmc->walkers;
  for (i = 0; i < parts; i++) {
    m[i].all = t;
    m[i].rank = i;
    m[i].vmc = *vmc;
    m[i].vmc.part.first = cut[i];
    m[i].vmc.part.walkers = cut[i + 1] - cut[i];
    m[i].vmc.part.join = team_join;
    m[i].vmc.part.ctx = &m[i];
    m[i].hw = v->hw;
    m[i].handle = &m[i].hw;
    m[i].device = v->device ? v->name : NULL;
    m[i].threads.fails = (size_t)-1;
    if (!v->device && random_below(rng, 2)) {
      m[i].hw.parallel.threads = 1 + (int)random_below(rng, 4);
      m[i].hw.parallel.run = vmc_fragile_run;
      m[i].hw.parallel.ctx = &m[i].threads;
    }
    m[i].bytes = vmc_types[type].bytes(&m[i].vmc);
    m[i].state = vmc_state(type, &m[i].vmc, NULL);
  }
}

static void team_run(team *t, member *m) {
  size_t i;
  for (i = 0; i < t->parts; i++) m[i].status = 0;
  side_by_side(member_use, m, t->parts, sizeof *m);
  if (t->bad) fail("%s", t->bad);
}

static void team_end(team *t, member *m) {
  size_t i;
  for (i = 0; i < t->parts; i++) free(m[i].state);
  pthread_mutex_destroy(&t->turn);
  pthread_cond_destroy(&t->go_on);
}

/* Whether a part's state is that part of the whole. */
static void part_compare(int type, const convk_vmc *part, const unsigned char *state, const unsigned char *whole) {
  convk_vmc all = *part;
  convk_vmc_result a, b;
  const size_t first = part->part.first, here = part->part.walkers, row = 3 * part->system.particles;
  const size_t bytes = vmc_types[type].bytes(part);
  double *x, *y;
  memset(&all.part, 0, sizeof all.part);
  a = vmc_results(state, bytes);
  b = vmc_results(whole, vmc_types[type].bytes(&all));
  if (memcmp(&a, &b, sizeof a))
    fail("walker %lu and on: other results, energy %.17g and not %.17g", (unsigned long)first, a.energy.mean, b.energy.mean);
  if (memcmp(state + convk_vmc_at_(0), whole + convk_vmc_at_(first), here * sizeof(double)))
    fail("walker %lu and on: other ln Psi", (unsigned long)first);
  if (vmc_types[type].check(part, state, bytes)) fail("no state of this part");
  if (!here) return;
  x = reals(here * row);
  memcpy(x, state + convk_vmc_at_(here), here * row * types[type].size);
  if (memcmp(x, whole + convk_vmc_at_(all.walkers) + first * row * types[type].size, here * row * types[type].size))
    fail("walker %lu and on: other coordinates", (unsigned long)first);
  y = reals(here * row);
  if (vmc_types[type].positions(part, state, bytes, y) || memcmp(x, y, here * row * types[type].size)) fail("other positions");
  free(x);
  free(y);
}

/* ------------------------------------------------------------------------------------------------------------- bits -- */

/* States of parts begin as that of all does. */
static void vmc_parts_begin(int type) {
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  const convk_vmc vmc = vmc_setup(5, 9, 4, V_HFDB, 3);
  const size_t row = 15 * types[type].size;
  size_t first, here;
  suite.operation = "vmc_begin";
  suite.variant = NULL;
  for (first = 0; first <= 9; first++)
    for (here = 0; here <= 9 - first; here++) {
      unsigned char *whole, *state, *moved;
      unsigned char *r;
      convk_vmc part = vmc;
      size_t i;
      part.part.first = first;
      part.part.walkers = here;
      part.part.join = team_join;
      describe("walkers %lu to %lu", (unsigned long)first, (unsigned long)(first + here));
      begin_case();
      whole = vmc_state(type, &vmc, NULL);
      state = vmc_state(type, &part, NULL);
      part_compare(type, &part, state, whole);
      r = (unsigned char *)need(9 * row + 1);
      for (i = 0; i < 9 * 15; i++) put(type, r, i, random_unit(&rng));
      moved = vmc_state(type, &vmc, r);
      free(state);
      state = vmc_state(type, &part, r + first * row);
      part_compare(type, &part, state, moved);
      end_case();
      free(whole);
      free(state);
      free(moved);
      free(r);
    }
}

/* The same bits for all parts, cut anywhere. */
static void vmc_parts_bits(int type) {
  static const vmc_cuts cuts[] = {{1, {37}}, {2, {1, 36}}, {3, {16, 0, 21}}, {5, {7, 7, 7, 14, 2}}, {4, {12, 1, 1, 23}}};
  static const size_t counts[] = {1, 2, 3, 4, 7};
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  unsigned which;
  suite.operation = vmc_names[VMC_RUN];
  for (which = 0; which < 32; which++) {
    const size_t n = which == 9 || which == 3 ? 70 : which == 16 ? 130 : 2 + random_below(&rng, 12);
    const size_t walkers = n > 60 ? 3 : 1 + random_below(&rng, 11);
    convk_vmc vmc = vmc_setup(n, walkers, which, V_NONE + (int)(which % V_KINDS), random64(&rng));
    size_t number = 0, i;
    variant *v;
    if (which % 6 == 5 && !(which & 4)) vmc.system.cutoff = 6;
    if (suite.quick && which % 5) continue;
    while ((v = vmc_next(&number, type, VMC_RUN, 37 * 8 * n * n * walkers)) != NULL) {
      unsigned char *whole;
      const vmc_cuts once = {1, {37}};
      if (v->device && (suite.quick ? which % 15 : which % 4 != 1 && which % 5)) continue;
      begin_case();
      describe("%lu walkers of %lu, setup %u, whole", (unsigned long)walkers, (unsigned long)n, which);
      whole = vmc_state(type, &vmc, NULL);
      vmc_go(v, type, &vmc, &once, &vmc_serial, whole, &rng);
      end_case();
      for (i = 0; i < COUNT_OF(counts); i += suite.quick || v->device ? 2 : 1) {
        member m[TEAM_MOST];
        team t;
        size_t k;
        describe("%lu walkers of %lu, setup %u, in %lu parts", (unsigned long)walkers, (unsigned long)n, which,
                 (unsigned long)counts[i]);
        begin_case();
        team_new(&t, m, counts[i], 0, v, type, &vmc, &rng);
        for (k = 0; k < counts[i]; k++) m[k].cuts = cuts[(which + i) % COUNT_OF(cuts)];
        team_run(&t, m);
        for (k = 0; k < counts[i]; k++) {
          if (m[k].status) fail("part %lu: %s", (unsigned long)k, convk_strerror(m[k].status));
          part_compare(type, &m[k].vmc, m[k].state, whole);
        }
        if (vmc_results(m[0].state, m[0].bytes).sweeps != 37) fail("not 37 sweeps");
        end_case();
        team_end(&t, m);
      }
      free(whole);
    }
  }
}

/* The minimiser finds the same parameters, too. */
static void vmc_parts_minimise(int type) {
  static const size_t counts[] = {1, 3, 4, 2, 7};
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  unsigned which;
  suite.operation = "vmc_minimise";
  for (which = 0; which < 10; which++) {
    convk_vmc vmc = vmc_setup(which == 7 ? 9 : 4, 11, (which & 4) | 8 | (which & 3), V_HFDB, 40 + which);
    const size_t bytes = vmc_types[type].bytes(&vmc), parts = counts[which % COUNT_OF(counts)];
    size_t number = 0, k;
    variant *v;
    if (suite.quick && which % 4 != 1) continue;
    if (which == 9) vmc.system.cutoff = 5;
    while ((v = vmc_next(&number, type, VMC_RUN, 20000)) != NULL) {
      convk_vmc_minimise_options o;
      convk_vmc_result result;
      convk_vmc one = vmc;
      unsigned char *whole;
      member m[TEAM_MOST];
      team t;
      if (v->device && which != 1 && (suite.quick || which != 6)) continue;
      memset(&o, 0, sizeof o);
      o.iterations = 3;
      o.sweeps = 25;
      o.final_sweeps = 20;
      o.fixed[2] = which == 3;
      describe("%lu parts, setup %u", (unsigned long)parts, which);
      begin_case();
      whole = vmc_state(type, &one, NULL);
      want_status(vmc_types[type].minimise(&v->hw, &one, &o, whole, bytes, &result, NULL, 0), CONVK_OK);
      team_new(&t, m, parts, 0, v, type, &vmc, &rng);
      for (k = 0; k < parts; k++) m[k].minimise = &o;
      team_run(&t, m);
      for (k = 0; k < parts; k++) {
        if (m[k].status) fail("part %lu: %s", (unsigned long)k, convk_strerror(m[k].status));
        if (memcmp(&m[k].vmc.system, &one.system, sizeof one.system)) fail("part %lu has other parameters", (unsigned long)k);
        if (memcmp(&m[k].result, &result, sizeof result)) fail("part %lu has another result", (unsigned long)k);
        part_compare(type, &m[k].vmc, m[k].state, whole);
      }
      if (!memcmp(&one.system.trial, &vmc.system.trial, sizeof vmc.system.trial)) fail("nothing was changed");
      end_case();
      team_end(&t, m);
      free(whole);
    }
  }
}

/* ----------------------------------------------------------------------------------------- states of another number -- */

/* A state for each new part, from all old ones; what is not asked for stays. */
static void parts_take(team *from, const member *old, team *to, member *now, uint64_t *rng) {
  size_t i, k;
  for (i = 0; i < to->parts; i++) {
    guard g = guard_new(now[i].bytes, AT_END, STENCIL_UNALIGNED ? random_below(rng, 20) : 8 * random_below(rng, 5));
    const size_t begins = random_below(rng, from->parts), here = now[i].vmc.part.walkers;
    size_t taken = 0;
    for (k = 0; k < from->parts; k++) {
      const member *m = old + (begins + k) % from->parts;
      const size_t before = taken;
      int status;
      if (k && taken == here) break;
      if (k && vmc_types[to->type].check(&now[i].vmc, g.data, now[i].bytes) != CONVK_ERR_STATE) fail("half a state will do");
      status = vmc_types[to->type].take(&now[i].vmc, g.data, now[i].bytes, m->state, m->bytes, &taken);
      if (status) fail("part %lu from %lu: %s", (unsigned long)i, (unsigned long)k, convk_strerror(status));
      if (taken < before) fail("walkers were lost");
      if (taken && taken < here) { /* the same again */
        const size_t was = taken;
        if (vmc_types[to->type].take(&now[i].vmc, g.data, now[i].bytes, m->state, m->bytes, &taken) || taken != was)
          fail("taken twice");
      }
    }
    if (taken != here) fail("part %lu has %lu of %lu walkers", (unsigned long)i, (unsigned long)taken, (unsigned long)here);
    memcpy(now[i].state, g.data, now[i].bytes);
    gauss_array_end(&g, "the state");
  }
}

/* Three parts, two, one, five, three: in the middle of a batch, and on to the same bits. */
static void vmc_parts_take(int type) {
  static const size_t counts[5] = {3, 2, 1, 5, 3};
  static const vmc_cuts cuts[5] = {{1, {9}}, {1, {12}}, {2, {1, 7}}, {1, {3}}, {1, {20}}}, once = {1, {52}};
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  unsigned which;
  suite.operation = "vmc_take";
  for (which = 0; which < 8; which++) {
    const convk_vmc vmc = vmc_setup(6, 1 + 3 * which % 10, which, V_LM2M2, 70 + which);
    size_t number = 0, i, k;
    variant *v;
    if (suite.quick && which % 3 != 1) continue;
    while ((v = vmc_next(&number, type, VMC_RUN, 20000)) != NULL) {
      unsigned char *whole;
      member m[2][TEAM_MOST];
      team t[2];
      if (v->device && which != 1 && which != 6) continue;
      describe("%lu walkers, setup %u", (unsigned long)vmc.walkers, which);
      begin_case();
      whole = vmc_state(type, &vmc, NULL);
      vmc_go(v, type, &vmc, &once, &vmc_serial, whole, &rng);
      for (i = 0; i < 5; i++) {
        team *now = &t[i & 1];
        team_new(now, m[i & 1], counts[i], 0, v, type, &vmc, &rng);
        if (i) {
          parts_take(&t[(i - 1) & 1], m[(i - 1) & 1], now, m[i & 1], &rng);
          team_end(&t[(i - 1) & 1], m[(i - 1) & 1]);
        }
        for (k = 0; k < counts[i]; k++) m[i & 1][k].cuts = cuts[i];
        team_run(now, m[i & 1]);
        for (k = 0; k < counts[i]; k++)
          if (m[i & 1][k].status)
            fail("part %lu of %lu: %s", (unsigned long)k, (unsigned long)counts[i], convk_strerror(m[i & 1][k].status));
      }
      for (k = 0; k < 3; k++) part_compare(type, &m[0][k].vmc, m[0][k].state, whole);
      end_case();
      team_end(&t[0], m[0]);
      free(whole);
    }
  }
}

/* What convk_vmc_take refuses; it writes nothing then. */
typedef struct taking {
  int type;
  convk_vmc now;
  unsigned char *from[2], *was, *state; /* of walkers 0 to 3, and 3 to 7; one of them is `source` */
  void *to;
  const void *source;
  size_t from_bytes[2], bytes, state_size, from_size, taken;
  size_t *count;
} taking;

static void taking_reset(taking *s, const convk_vmc *vmc) {
  s->now = *vmc;
  s->now.part.first = 1;
  s->now.part.walkers = 4;
  s->now.part.join = team_join;
  s->source = s->from[0];
  s->from_size = s->from_bytes[0];
  s->to = s->state;
  s->state_size = s->bytes;
  s->taken = 0;
  s->count = &s->taken;
  memset(s->state, FILL_, s->bytes);
}

static void taking_expect(taking *s, int wanted, const char *says, const char *what) {
  int status;
  const size_t had = s->taken;
  describe("convk_vmc_take: %s", what);
  begin_case();
  memcpy(s->was, s->state, s->bytes);
  status = vmc_types[s->type].take(&s->now, s->to, s->state_size, s->source, s->from_size, s->count);
  want_status(status, wanted);
  want_says(vmc_teller(), status, says);
  if (wanted && (memcmp(s->state, s->was, s->bytes) || s->taken != had)) fail("something was written");
  if (!wanted && !memcmp(s->state, s->was, s->bytes)) fail("nothing was written");
  end_case();
}

#define VMC_TAKE(wanted, says, ...) \
  do { \
    taking_reset(s, vmc); \
    __VA_ARGS__; \
    taking_expect(s, wanted, says, #__VA_ARGS__); \
  } while (0)
#define VMC_TAKE_MORE(wanted, says, ...) \
  do { \
    taking_reset(s, vmc); \
    if (vmc_types[s->type].take(&s->now, s->to, s->state_size, s->source, s->from_size, s->count)) fail("the first part"); \
    s->source = s->from[1]; \
    s->from_size = s->from_bytes[1]; \
    __VA_ARGS__; \
    taking_expect(s, wanted, says, #__VA_ARGS__); \
  } while (0)

static void taking_errors(taking *s, const convk_vmc *vmc) {
  unsigned char *other = (unsigned char *)need(s->from_bytes[1] + s->from_bytes[0]);
  convk_vmc_state_ head;
  VMC_TAKE(CONVK_OK, "", (void)0);
  if (s->taken != 2) fail("%lu walkers", (unsigned long)s->taken);
  VMC_TAKE(CONVK_ERR_NULL, "state is NULL", s->to = NULL);
  VMC_TAKE(CONVK_ERR_NULL, "from is NULL", s->source = NULL);
  VMC_TAKE(CONVK_ERR_NULL, "taken is NULL", s->count = NULL);
  VMC_TAKE(CONVK_ERR_STATE, "from", s->from_size--);
  VMC_TAKE(CONVK_ERR_STATE, "from", s->from_size = 8);
  VMC_TAKE(CONVK_ERR_STATE, "state", s->state_size--);
  VMC_TAKE(CONVK_ERR_STATE, "from", memcpy(other, s->from[0], s->from_size); other[s->from_size - 5] ^= 4; s->source = other);
  VMC_TAKE(CONVK_ERR_SETUP, "from is of another", s->now.seed++);
  VMC_TAKE(CONVK_ERR_SETUP, "from is of another", s->now.system.particles++; s->state_size = (size_t)1 << 20);
  VMC_TAKE(CONVK_ERR_SETUP, "from is of another", s->now.walkers++);
  VMC_TAKE(CONVK_ERR_SETUP, "from is of another", s->now.system.trial.p5 += 1);
  VMC_TAKE(CONVK_ERR_PART, "vmc->part.", s->now.part.first = 5);
  VMC_TAKE(CONVK_ERR_PART, "vmc->part.", s->now.part.join = NULL);
  VMC_TAKE(CONVK_ERR_OPTION, "vmc->moves is 5", s->now.moves = 5);
  VMC_TAKE(CONVK_ERR_OVERLAP, "state overlaps from", memcpy(s->state, s->from[0], s->from_size); s->source = s->state);
  VMC_TAKE_MORE(CONVK_OK, "", (void)0);
  if (s->taken != 4 || vmc_types[s->type].check(&s->now, s->state, s->bytes)) fail("not all of it");
  VMC_TAKE_MORE(CONVK_ERR_STATE, "state", s->state[s->bytes - 1] ^= 1);
  VMC_TAKE_MORE(CONVK_ERR_SETUP, "from is of another", s->now.part.first++);
  VMC_TAKE_MORE(CONVK_ERR_STATE, "from", memcpy(other, s->state, s->bytes); s->source = other;
                s->from_size = s->bytes); /* half a state */
  /* walkers of another time, and a head that promises more than there is */
  memcpy(other, s->from[1], s->from_bytes[1]);
  memcpy(&head, other, sizeof head);
  head.sweep++;
  convk_vmc_seal_(&head, other);
  VMC_TAKE_MORE(CONVK_ERR_SETUP, "from is of another", s->source = other);
  memcpy(&head, s->from[1], sizeof head);
  head.here++;
  convk_vmc_seal_(&head, other);
  VMC_TAKE(CONVK_ERR_STATE, "from", s->source = other; s->from_size = s->from_bytes[1]);
  memcpy(&head, s->from[1], sizeof head);
  head.first = (uint64_t)-1;
  convk_vmc_seal_(&head, other);
  VMC_TAKE(CONVK_ERR_STATE, "from", s->source = other; s->from_size = s->from_bytes[1]);
  free(other);
}

static void vmc_parts_take_errors(int type) {
  const convk_vmc good = vmc_setup(3, 7, 0, V_HFDB, 31), *vmc = &good;
  taking one, *s = &one;
  int i;
  suite.operation = "vmc_take";
  suite.variant = NULL;
  memset(s, 0, sizeof *s);
  s->type = type;
  for (i = 0; i < 2; i++) {
    convk_vmc part = good;
    part.part.first = i ? 3 : 0;
    part.part.walkers = i ? 4 : 3;
    part.part.join = team_join;
    s->from_bytes[i] = vmc_types[type].bytes(&part);
    s->from[i] = vmc_state(type, &part, NULL);
  }
  s->bytes = s->from_bytes[1];
  s->state = (unsigned char *)need(s->bytes);
  s->was = (unsigned char *)need(s->bytes);
  taking_errors(s, vmc);
  { /* a part without walkers wants a head; the other precision is that of the state */
    size_t taken = 0;
    convk_vmc_result result;
    describe("nobody");
    begin_case();
    taking_reset(s, vmc);
    s->now.part.walkers = 0;
    want_status(vmc_types[s->type].take(&s->now, s->state, s->bytes, s->from[1], s->from_bytes[1], &taken), CONVK_OK);
    VMC_EXPECT(!taken && !vmc_types[type].check(&s->now, s->state, vmc_types[type].bytes(&s->now)));
    VMC_EXPECT(!vmc_types[type].results(s->state, s->bytes, &result));
    if (has_type(!type))
      VMC_EXPECT(vmc_types[!type].check(&s->now, s->state, vmc_types[type].bytes(&s->now)) == CONVK_ERR_STATE);
    end_case();
  }
  free(s->from[0]);
  free(s->from[1]);
  free(s->state);
  free(s->was);
}

/* ----------------------------------------------------------------------------------------------------------- errors -- */

/* Parts that are none. */
static void vmc_parts_errors(int type) {
  static const struct {
    size_t first, walkers;
    int join, good;
  } parts[] = {{0, 0, 0, 1}, {0, 7, 0, 1}, {0, 7, 1, 1},     {0, 0, 1, 1},    {7, 0, 1, 1}, {3, 4, 1, 1},
               {3, 4, 0, 0}, {0, 6, 0, 0}, {1, 0, 0, 0},     {0, 8, 0, 0},    {0, 8, 1, 0}, {4, 4, 1, 0},
               {8, 0, 1, 0}, {7, 1, 1, 0}, {HUGE_, 2, 1, 0}, {2, HUGE_, 1, 0}};
  const convk_vmc good = vmc_setup(3, 7, 0, V_HFDB, 31);
  const size_t bytes = vmc_types[type].bytes(&good);
  unsigned char *state = vmc_state(type, &good, NULL), *to = (unsigned char *)need(bytes);
  size_t i;
  suite.operation = "vmc";
  suite.variant = NULL;
  for (i = 0; i < COUNT_OF(parts); i++) {
    convk_vmc now = good;
    const int want = parts[i].good ? CONVK_OK : CONVK_ERR_PART, all = parts[i].good && i < 3;
    now.part.first = parts[i].first;
    now.part.walkers = parts[i].walkers;
    if (parts[i].join) now.part.join = team_join;
    describe("part %lu", (unsigned long)i);
    begin_case();
    VMC_EXPECT(vmc_types[type].begin(&now, NULL, to, bytes) == want);
    VMC_EXPECT(vmc_types[type].check(&now, state, bytes) == (want || all ? want : CONVK_ERR_SETUP));
    VMC_EXPECT(!vmc_types[type].bytes(&now) == !!want && (vmc_types[type].work(NULL, &now) == (size_t)-1) == !!want);
    if (!want && !all)
      VMC_EXPECT(vmc_types[type].bytes(&now) < bytes && vmc_types[type].work(NULL, &now) < vmc_types[type].work(NULL, &good));
    end_case();
  }
  free(state);
  free(to);
}

enum {
  HARM_DAMAGE,
  HARM_NULL,
  HARM_WORK,
  HARM_MEMORY,
  HARM_HANDLE,
  HARM_THREADS,
  HARM_SWEEPS,
  HARM_TIME,
  HARM_SEED,
  HARM_RETURNS,
  HARM_TWICE,
  HARM_GAP,
  HARM_ORDER,
  HARM_LOST,
  HARM_PART,
  HARM_TWO,
  HARM_NO_SWEEPS,
  HARM_OTHERS,
  HARM_MINIMISE,
  HARM_MINIMISE_THREADS,
  HARM_AIMS,
  HARMS
};
static const int harm_status[HARMS] = {CONVK_ERR_STATE,   CONVK_ERR_NULL,  CONVK_ERR_WORK,  CONVK_ERR_MEMORY, CONVK_ERR_HANDLE,
                                       CONVK_ERR_THREADS, CONVK_ERR_SETUP, CONVK_ERR_SETUP, CONVK_ERR_SETUP,  1234,
                                       CONVK_ERR_PART,    CONVK_ERR_PART,  CONVK_ERR_PART,  CONVK_ERR_PART,   CONVK_ERR_PART,
                                       CONVK_ERR_STATE,   CONVK_ERR_STATE, CONVK_ERR_SETUP, CONVK_ERR_STATE,  CONVK_ERR_THREADS,
                                       CONVK_ERR_SETUP};

/* Harm to one part, or to what joins them. */
static void harm(int which, team *t, member *m, unsigned char *work, convk_vmc_minimise_options *o) {
  size_t k;
  for (k = 0; k < t->parts; k++) {
    m[k].cuts.count = 1;
    m[k].cuts.sweeps[0] = 40;
    if (which >= HARM_MINIMISE || which == HARM_HANDLE) m[k].minimise = &o[0];
    if (which == HARM_THREADS || which == HARM_MINIMISE_THREADS) {
      m[k].hw.parallel.threads = 2;
      m[k].hw.parallel.run = vmc_fragile_run;
      m[k].hw.parallel.ctx = &m[k].threads;
    }
  }
  switch (which) {
    case HARM_DAMAGE:
    case HARM_MINIMISE: m[1].state[m[1].bytes - 9] ^= 2; break;
    case HARM_NULL:
      free(m[2].state);
      m[2].state = NULL;
      break;
    case HARM_WORK:
      m[0].work = work;
      m[0].work_size = vmc_types[t->type].work(m[0].handle, &m[0].vmc) - 1;
      break;
    case HARM_MEMORY: heap.until_failure = 2; break;
    case HARM_HANDLE: m[1].hw.version += 100; break;
    case HARM_THREADS: m[2].threads.fails = 2; break;
    case HARM_MINIMISE_THREADS: m[1].threads.fails = 9; break;
    case HARM_SWEEPS: m[1].cuts.sweeps[0] = 39; break;
    case HARM_TIME: {
      convk_vmc_state_ head;
      memcpy(&head, m[2].state, sizeof head);
      head.sweep += 16;
      convk_vmc_seal_(&head, m[2].state);
      break;
    }
    case HARM_SEED: m[1].vmc.seed++; break;
    case HARM_RETURNS: t->returns = 1234; break;
    case HARM_TWICE: /* the last walker of part 0 is also the first of part 1 */
    case HARM_GAP:
      m[1].vmc.part.walkers = which == HARM_GAP ? 1 : 3;
      m[1].vmc.part.first += which == HARM_GAP;
      m[1].vmc.part.first -= which == HARM_TWICE;
      m[1].bytes = vmc_types[t->type].bytes(&m[1].vmc);
      free(m[1].state);
      m[1].state = vmc_state(t->type, &m[1].vmc, NULL);
      break;
    case HARM_ORDER: t->backwards = 1; break;
    case HARM_LOST: t->lost = 1; break;
    case HARM_PART: m[2].vmc.part.walkers = 100; break;
    case HARM_TWO:
      m[1].state[70] ^= 1;
      m[2].vmc.part.walkers = 100;
      break;
    case HARM_NO_SWEEPS:
      for (k = 0; k < t->parts; k++) m[k].cuts.sweeps[0] = 0;
      m[0].state[80] ^= 16;
      break;
    case HARM_OTHERS: { /* the state is that of another part */
      unsigned char *other = m[0].state;
      m[0].state = m[1].state;
      m[1].state = other;
      break;
    }
    case HARM_AIMS: m[1].minimise = &o[1]; break;
    default: break;
  }
}

/* Whatever happens to one part happens to all, and no state is changed. */
static void vmc_parts_fail(int type) {
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  const convk_vmc vmc = vmc_setup(4, 6, 0, V_HFDB, 17);
  size_t number = 0;
  variant *v;
  suite.operation = vmc_names[VMC_RUN];
  while ((v = vmc_next(&number, type, VMC_RUN, 20000)) != NULL) {
    unsigned char *work = (unsigned char *)need((size_t)1 << 20); /* enough for any number of threads */
    int which;
    for (which = 0; which < HARMS; which++) {
      unsigned char *was[3], *kept[3];
      convk_vmc_minimise_options o[2];
      const long live = heap.live;
      member m[TEAM_MOST];
      team t;
      size_t k;
      if (v->device && (which == HARM_WORK || which == HARM_HANDLE || which == HARM_THREADS || which == HARM_MEMORY ||
                        which == HARM_MINIMISE_THREADS || (suite.quick && which != HARM_DAMAGE && which != HARM_TWO)))
        continue;
      memset(o, 0, sizeof o);
      o[0].iterations = o[1].iterations = 2;
      o[0].sweeps = 10;
      o[1].sweeps = 11;
      o[0].final_sweeps = o[1].final_sweeps = 12;
      describe("harm %d", which);
      begin_case();
      team_new(&t, m, 3, 1, v, type, &vmc, &rng);
      harm(which, &t, m, work, o);
      for (k = 0; k < 3; k++) {
        kept[k] = m[k].state;
        was[k] = (unsigned char *)need(m[k].bytes);
        if (kept[k]) memcpy(was[k], kept[k], m[k].bytes);
      }
      team_run(&t, m);
      heap.until_failure = -1;
      want_returned(live);
      for (k = 0; k < 3; k++) {
        if (m[k].status != harm_status[which])
          fail("part %lu: %d, %s", (unsigned long)k, m[k].status, convk_strerror(m[k].status));
        if (kept[k] && which != HARM_MINIMISE_THREADS && memcmp(kept[k], was[k], m[k].bytes))
          fail("state %lu changed", (unsigned long)k);
        free(was[k]);
      }
      end_case();
      team_end(&t, m);
    }
    free(work);
  }
}

/* Walkers of one part leave the range of coordinates. */
static void vmc_parts_escape(int type) {
  const double longest = type ? 524288 : 32;
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  size_t number = 0, k;
  variant *v;
  suite.operation = vmc_names[VMC_RUN];
  while ((v = vmc_next(&number, type, VMC_RUN, 50000)) != NULL) {
    convk_vmc vmc = vmc_setup(3, 5, 8, V_HFDB, 13);
    unsigned char *was[3];
    member m[TEAM_MOST];
    team t;
    if (v->device && suite.quick) continue;
    vmc.system.trial.p1 = -1e3 / longest;
    vmc.step = longest;
    vmc.acceptance = -1;
    vmc.interval = 1000;
    describe("%lu walkers", (unsigned long)vmc.walkers);
    begin_case();
    team_new(&t, m, 3, 0, v, type, &vmc, &rng);
    for (k = 0; k < 3; k++) {
      m[k].cuts.count = 1;
      m[k].cuts.sweeps[0] = 8000;
      was[k] = (unsigned char *)memcpy(need(m[k].bytes), m[k].state, m[k].bytes);
    }
    team_run(&t, m);
    for (k = 0; k < 3; k++) {
      want_status(m[k].status, CONVK_ERR_RANGE);
      if (memcmp(m[k].state, was[k], m[k].bytes)) fail("state %lu changed", (unsigned long)k);
      free(was[k]);
    }
    end_case();
    team_end(&t, m);
  }
}

static const test vmc_parts_tests[] = {
    {"vmc", "parts_join", vmc_parts_join, 0},     {"vmc", "parts_begin", vmc_parts_begin, 1},
    {"vmc", "parts", vmc_parts_bits, 1},          {"vmc", "parts_minimise", vmc_parts_minimise, 1},
    {"vmc", "parts_take", vmc_parts_take, 1},     {"vmc", "parts_take_errors", vmc_parts_take_errors, 1},
    {"vmc", "parts_errors", vmc_parts_errors, 1}, {"vmc", "parts_fail", vmc_parts_fail, 1},
    {"vmc", "parts_escape", vmc_parts_escape, 1},
};
TEST_LIST(vmc_parts)
