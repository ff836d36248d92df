#ifdef CONVK_GLOBAL_ /* a word of OpenCL */
#define CONVK_GLOBAL_CONST_ CONVK_GLOBAL_ const
#else
#define CONVK_GLOBAL_CONST_ const
#endif

/* Where `count` segments have point p of the grid: its place among so many points of the vector, or -1. */
CONVK_ELEMENT_ int64_t convk_segments_at_(CONVK_GLOBAL_CONST_ uint64_t *ends, CONVK_GLOBAL_CONST_ uint64_t *place,
                                          uint64_t count, uint64_t points, uint64_t p) {
  uint64_t low = 0, high = count, at; /* the last one that begins at p or before is one of these, if any */
  while (low < high) {
    const uint64_t middle = low + (high - low) / 2;
    if (ends[2 * middle] <= p) low = middle + 1;
    else high = middle;
  }
  if (!low || ends[2 * low - 1] < p) return -1;
  at = place[low - 1] + (p - ends[2 * low - 2]);
  return at < points ? (int64_t)at : -1;
}
#undef CONVK_GLOBAL_CONST_
