/* z: the second result, or any array. */
CONVK_LOCAL_ int convk_map_start_(convk_cl_call_ *call, int function, size_t n, convk_cl_array x, convk_cl_array y,
                                  convk_cl_array z) {
  static const char *const name[4] = {"FUNCTION=convk_vexp_", "FUNCTION=convk_vexpm1_", "FUNCTION=convk_vlog_", "SINCOS"};
  size_t group[2]; /* items, and points of an item */
  char more[64], options[CONVK_CL_KEY_];
  uint32_t values[4] = {sizeof(CONVK_T), (uint32_t)function, 0, 0};
  uint64_t number;
  convk_cl_program_ *p;
  convk_cl_args_ args;
  convk_cl_block_(call->cl, CONVK_CL_MAP_POINTS_, &group[0], &group[1]);
  values[2] = (uint32_t)group[0];
  values[3] = (uint32_t)group[1];
  number = convk_cl_number_(CONVK_CL_VMATH_, values, 4);
  p = convk_cl_known_(call->cl, number);
  if (!p) {
    int status;
    do {
      (void)snprintf(more, sizeof more, "-D%s -DITEMS=%d -DPOINTS=%d", name[function], (int)group[0], (int)group[1]);
      convk_cl_math_options_(call->cl, sizeof(CONVK_T), options, more);
      status = convk_cl_kernel_(call->cl, convk_cl_vmath_source_(), "vmath", options, NULL, &p);
    } while (!status && convk_cl_fewer_(p, &group[0]));
    if (status) return status;
    convk_cl_remember_(call->cl, number, p, group, 2);
  }
  args = convk_cl_args_of_(CONVK_OK, p);
  convk_cl_put_array_(&args, &x);
  convk_cl_put_array_(&args, &y);
  convk_cl_put_array_(&args, &z);
  convk_cl_put_size_(&args, n);
  return convk_cl_launch_(call, &args, convk_ceil_(n, p->choice[0] * p->choice[1]), p->choice[0], 1, 1);
}
