#if CONVK_HAS_VMATH_
/* at: x, y, and the second result, or any array. */
CONVK_LOCAL_ int convk_cl_map_run_(convk_cl_chain_ *chain, int function, size_t n, const convk_cl_array at[3]) {
  static const char *const name[4] = {"FUNCTION=convk_vexp_", "FUNCTION=convk_vexpm1_", "FUNCTION=convk_vlog_", "SINCOS"};
  size_t items, points;
  char more[64], options[CONVK_CL_KEY_];
  convk_cl_program_ *p = NULL;
  convk_cl_args_ args;
  int status;
  if (!n) return CONVK_OK;
  convk_cl_block_(chain->cl, CONVK_CL_MAP_POINTS_, &items, &points);
  do {
    (void)snprintf(more, sizeof more, "-D%s -DITEMS=%d -DPOINTS=%d", name[function], (int)items, (int)points);
    convk_cl_math_options_(chain->cl, sizeof(CONVK_T), options, more);
    status = convk_cl_kernel_(chain->cl, convk_cl_vmath_source_(), "vmath", options, NULL, &p);
  } while (!status && convk_cl_fewer_(p, &items));
  if (status) return status;
  args = convk_cl_args_of_(p);
  convk_cl_put_arrays_(&args, at, 3);
  convk_cl_put_size_(&args, n);
  return convk_cl_launch_(chain, &args, convk_ceil_(n, items * points), items, 1, 1);
}

/* Large enough, and apart or the same. */
CONVK_LOCAL_ int convk_cl_map_(convk_cl *cl, cl_command_queue queue, int function, size_t n, cl_mem x, size_t x_offset,
                               cl_mem y, size_t y_offset, cl_mem z, size_t z_offset, cl_uint num_wait,
                               const cl_event *wait_list, cl_event *event) {
  convk_cl_chain_ chain = convk_cl_chain_of_(cl, queue, num_wait, wait_list);
  const convk_cl_array at[3] = {{x, x_offset}, {y, y_offset}, {z ? z : y, z_offset}};
  const size_t arrays = function == CONVK_MAP_SINCOS_ ? 3 : 2;
  convk_cl_part_ part[3];
  size_t d;
  int status = convk_cl_check_(cl);
  if (!status && (!queue || !x || !y || (arrays > 2 && !z) || (num_wait && !wait_list))) status = CONVK_ERR_NULL;
  if (!status) status = convk_cl_precision_(cl, sizeof(CONVK_T), 0);
  memset(part, 0, sizeof part);
  for (d = 0; d < arrays && !status; d++)
    status = convk_cl_part_of_(cl, at[d].mem, at[d].offset, n, sizeof(CONVK_T), d > 0, &part[d]);
  for (d = 1; d < arrays; d++) /* in place */
    if (part[0].mem == part[d].mem && part[0].offset == part[d].offset) part[0].mem = NULL;
  if (!status) status = convk_cl_apart_(part, arrays);
  if (!status) status = convk_cl_map_run_(&chain, function, n, at);
  return convk_cl_chain_end_(&chain, status, event);
}

CONVK_API_ int convk_cl_exp(convk_cl *cl, cl_command_queue queue, size_t n, cl_mem x, size_t x_offset, cl_mem y,
                            size_t y_offset, cl_uint num_wait, const cl_event *wait_list, cl_event *event) {
  return convk_cl_map_(cl, queue, CONVK_MAP_EXP_, n, x, x_offset, y, y_offset, NULL, 0, num_wait, wait_list, event);
}

CONVK_API_ int convk_cl_expm1(convk_cl *cl, cl_command_queue queue, size_t n, cl_mem x, size_t x_offset, cl_mem y,
                              size_t y_offset, cl_uint num_wait, const cl_event *wait_list, cl_event *event) {
  return convk_cl_map_(cl, queue, CONVK_MAP_EXPM1_, n, x, x_offset, y, y_offset, NULL, 0, num_wait, wait_list, event);
}

CONVK_API_ int convk_cl_log(convk_cl *cl, cl_command_queue queue, size_t n, cl_mem x, size_t x_offset, cl_mem y,
                            size_t y_offset, cl_uint num_wait, const cl_event *wait_list, cl_event *event) {
  return convk_cl_map_(cl, queue, CONVK_MAP_LOG_, n, x, x_offset, y, y_offset, NULL, 0, num_wait, wait_list, event);
}

CONVK_API_ int convk_cl_sincos(convk_cl *cl, cl_command_queue queue, size_t n, cl_mem x, size_t x_offset, cl_mem s,
                               size_t s_offset, cl_mem c, size_t c_offset, cl_uint num_wait, const cl_event *wait_list,
                               cl_event *event) {
  return convk_cl_map_(cl, queue, CONVK_MAP_SINCOS_, n, x, x_offset, s, s_offset, c, c_offset, num_wait, wait_list, event);
}

CONVK_LOCAL_ int convk_map_there_(convk_cl_host_ *host, int function, size_t n, cl_mem first, cl_mem second) {
  convk_cl_chain_ chain = convk_cl_chain_of_(&host->cl, host->queue, 0, NULL);
  const convk_cl_array at[3] = {{first, 0}, {first, 0}, {second ? second : first, 0}};
  return convk_cl_chain_end_(&chain, convk_cl_map_run_(&chain, function, n, at), NULL);
}
#endif
