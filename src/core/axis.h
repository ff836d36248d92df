/* Where point i of an axis of n points lies in the array, for processors and devices; -1: nowhere, which reads as zero. */
CONVK_ELEMENT_ int64_t convk_axis_source_(int64_t i, int64_t n, int periodic) {
  if (i >= 0 && i < n) return i;
  if (!periodic) return -1;
  i %= n;
  return i < 0 ? i + n : i;
}
