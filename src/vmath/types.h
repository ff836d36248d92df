/* What an instruction set offers: functions of n elements, with one result or two, in the order of their names; or a device, which
   has only the last, for host arrays. */
typedef void CONVK_PRIVATE_(map)(const CONVK_T *x, CONVK_T *y, CONVK_T *z, size_t n);
typedef struct CONVK_PRIVATE_(vmath_kernels) {
  CONVK_PRIVATE_(map) *map[4];
  int (*arrays)(const convk *hw, int function, size_t n, const CONVK_T *x, CONVK_T *y, CONVK_T *z);
} CONVK_PRIVATE_(vmath_kernels);
