/* ------------------------------------------------------------------------------------------------------------- caches -- */

/* How much cache a call may count on.  All decisions about sizes of tiles and queues, and about stores past the caches, ask the
   functions here.  The sizes are in the handle's tuning: convk_open sets them from what cpuid says, corrected as below, and
   what a program sets there afterwards is used unchanged. */

#define CONVK_L2_GUESS_ ((size_t)1 << 19) /* where cpuid tells nothing */
#define CONVK_L3_GUESS_ ((size_t)1 << 23) /* a thread's part in that case */
#define CONVK_L3_GUEST_ ((size_t)3 << 23) /* the most of L3 for a thread that a guest of a shared machine counts on */
#define CONVK_L2_LARGE_ ((size_t)3 << 19) /* from here on work that fits stays in L2: the L3 behind it is far */

/* Corrects the sizes that cpuid tells to those that a program may count on.
   Shared machines: a guest sees the whole L3, which other guests use as well.  It counts on half of that, and on at most
   24 MiB for each thread: arrays find half of the 32 MiB that 2 threads of an AMD EPYC see.  2 threads of an Intel Xeon see
   260 to 480 MiB; sweeps to and fro there gain a fifth in the caches where both arrays take 34 MB, gain nothing from 65 MB
   on, and lose a tenth at 110 MB.
   Other machines: three quarters, as stacks, code and other data need room.
   Absurd sizes count as unknown.  Where L3 is smaller than all L2 together, the size of L2 counts in its place. */
CONVK_RARE_ void convk_caches_correct_(convk_tuning *t, int guest) {
  size_t sharing = t->l3_threads, l3 = t->l3_bytes;
  if (!sharing || sharing > 4096) sharing = 1;
  if (t->l2_bytes < (size_t)1 << 15 || t->l2_bytes > (size_t)1 << 28) t->l2_bytes = 0;
  if (l3 < (size_t)1 << 18) l3 = 0;
  l3 = guest ? l3 / 2 : l3 / 4 * 3;
  if (guest && l3 / CONVK_L3_GUEST_ >= sharing) l3 = sharing * CONVK_L3_GUEST_;
  if (l3 && l3 / sharing < t->l2_bytes) l3 = t->l2_bytes <= (size_t)-1 / sharing ? t->l2_bytes * sharing : t->l2_bytes;
  t->l3_bytes = l3;
  t->l3_threads = sharing;
}

/* Bytes of a thread's L2, or a guess where t is NULL or has 0: callers take their part of it. */
CONVK_LOCAL_ size_t convk_cache_l2_(const convk_tuning *t) { return t && t->l2_bytes ? t->l2_bytes : CONVK_L2_GUESS_; }

/* Bytes of a thread's part of L3, or a guess, where `threads` work: those of them that share an L3 get equal parts. */
CONVK_LOCAL_ size_t convk_cache_l3_(const convk_tuning *t, size_t threads) {
  const size_t sharing = t->l3_threads && t->l3_threads < threads ? t->l3_threads : threads;
  return !t->l3_bytes ? CONVK_L3_GUESS_ : sharing > 1 ? t->l3_bytes / sharing : t->l3_bytes;
}

/* Where a thread's work runs fastest: in the L2 where that is large, since L3 then is a mesh away and slow for one core;
   otherwise in its part of L3. */
CONVK_LOCAL_ size_t convk_cache_near_(const convk_tuning *t, size_t threads) {
  const size_t l2 = convk_cache_l2_(t), l3 = convk_cache_l3_(t, threads);
  return l2 >= CONVK_L2_LARGE_ || l2 > l3 ? l2 : l3;
}

/* Whether so many bytes, swept by `threads` together, are more than the caches of these keep, `each` bytes a thread. */
CONVK_LOCAL_ int convk_cache_exceeds_(size_t bytes, size_t threads, size_t each) {
  return threads <= 1 ? bytes > each : each <= (size_t)-1 / threads && bytes > each * threads;
}

/* Whether so many bytes live beyond the caches, which writes go past.  Where no L3 is known, nothing does. */
CONVK_LOCAL_ int convk_cache_past_(const convk_tuning *t, size_t threads, size_t bytes) {
  if (t->nontemporal) return t->nontemporal > 0;
  return t->l3_bytes && convk_cache_exceeds_(bytes, threads, convk_cache_l3_(t, threads));
}

/* The same of what is computed from planes that the L2 keeps: behind a large one an L3 is no faster than memory. */
CONVK_LOCAL_ int convk_cache_beyond_(const convk_tuning *t, size_t threads, size_t bytes) {
  if (t->nontemporal) return t->nontemporal > 0;
  return t->l3_bytes && convk_cache_exceeds_(bytes, threads, convk_cache_near_(t, threads));
}
