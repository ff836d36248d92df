#if CONVK_HAS_VMATH_
/* z: the second result, or any array. */
CONVK_LOCAL_ int convk_map_start_(convk_cl_call_ *call, int function, size_t n, convk_cl_array x, convk_cl_array y,
                                  convk_cl_array z) {
  static const char *const name[4] = {"FUNCTION=convk_vexp_", "FUNCTION=convk_vexpm1_", "FUNCTION=convk_vlog_", "SINCOS"};
  size_t items, points;
  char more[64], options[CONVK_CL_KEY_];
  convk_cl_program_ *p = NULL;
  convk_cl_args_ args;
  int status;
  if (!n) return CONVK_OK;
  convk_cl_block_(call->cl, CONVK_CL_MAP_POINTS_, &items, &points);
  do {
    (void)snprintf(more, sizeof more, "-D%s -DITEMS=%d -DPOINTS=%d", name[function], (int)items, (int)points);
    convk_cl_math_options_(call->cl, sizeof(CONVK_T), options, more);
    status = convk_cl_kernel_(call->cl, convk_cl_vmath_source_(), "vmath", options, NULL, &p);
  } while (!status && convk_cl_fewer_(p, &items));
  if (status) return status;
  args = convk_cl_args_of_(p);
  convk_cl_put_array_(&args, &x);
  convk_cl_put_array_(&args, &y);
  convk_cl_put_array_(&args, &z);
  convk_cl_put_size_(&args, n);
  return convk_cl_launch_(call, &args, convk_ceil_(n, items * points), items, 1, 1);
}
#endif
