/* What an instruction set offers: functions of n elements, with one result or two, in the order of their names, which return
   CONVK_OK, so that a call ends with theirs; or a device, which has only the last, for host arrays. */
typedef int convk_map_(const CONVK_T *x, CONVK_T *y, CONVK_T *z, size_t n);

typedef struct convk_vmath_kernels_ {
  convk_map_ *map[4];
  int (*arrays)(convk *hw, int function, size_t n, const CONVK_T *x, CONVK_T *y, CONVK_T *z);
} convk_vmath_kernels_;
