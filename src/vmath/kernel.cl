#include "device/preamble.cl"
#include "words/opencl.cl"
#include "elementary/both.h"
#include "elementary/element.h"

/* Work-item i of a group of ITEMS has elements i, i + ITEMS ..., POINTS of them: one where neighbours share their
   loads, many where they become a vector.  y or z may be x. */
CONVK_GROUP_KERNEL_ vmath(global const T *x, ulong x_offset, global T *y, ulong y_offset, global T *z, ulong z_offset,
                          ulong n) {
  const ulong begin = (ulong)get_group_id(0) * (ITEMS * POINTS) + get_local_id(0);
  const int count = begin < n ? (int)min((n - begin + ITEMS - 1) / ITEMS, (ulong)POINTS) : 0;
  T v[POINTS];
  int p;
  x += x_offset + begin;
  y += y_offset + begin;
  for (p = 0; p < count; p++) v[p] = x[p * ITEMS];
#ifdef SINCOS
  T s[POINTS], c[POINTS];
  int beyond = 0;
  z += z_offset + begin;
  for (p = 0; p < count; p++) {
    const T a = fabs(v[p]);
    T r, lo;
    const T t = convk_vreduce_near_(a, &r, &lo);
    convk_vsincos_of_(v[p], t, r, lo, &s[p], &c[p]);
    beyond |= a > CONVK_SINCOS_FAR_;
  }
  for (p = 0; p < count; p++) {
    y[p * ITEMS] = s[p];
    z[p * ITEMS] = c[p];
  }
  if (beyond) /* all of it again for few, so that the loop above becomes vectors */
    for (p = 0; p < count; p++) {
      if (!(fabs(v[p]) > CONVK_SINCOS_FAR_)) continue;
      convk_vsincos_(v[p], &s[p], &c[p]);
      y[p * ITEMS] = s[p];
      z[p * ITEMS] = c[p];
    }
#else
  for (p = 0; p < count; p++) v[p] = FUNCTION(v[p]);
  for (p = 0; p < count; p++) y[p * ITEMS] = v[p];
#endif
}
