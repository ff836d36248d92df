/* OpenCL C 1.2.  Build options: FUNCTION, or SINCOS; ITEMS and POINTS, the shape of a group. */
CONVK_LOCAL_ const char *const *convk_cl_vmath_source_(size_t *count) {
  static const char *const lines[] = {
#include "quoted/vmath/kernel.cl"
  };
  *count = sizeof lines / sizeof *lines;
  return lines;
}

/* One checked call: x, y, and the second result. */
typedef struct convk_cl_map_ {
  int function;
  size_t element, n;
  cl_mem mem[3];
  size_t offset[3];
} convk_cl_map_;

CONVK_LOCAL_ int convk_cl_map_run_(convk_cl_chain_ *chain, const convk_cl_map_ *job) {
  static const char *const name[4] = {"FUNCTION=vexp_", "FUNCTION=vexpm1_", "FUNCTION=vlog_", "SINCOS"};
  size_t lines, items, points, d;
  const char *const *source = convk_cl_vmath_source_(&lines);
  char more[64], options[CONVK_CL_KEY_];
  convk_cl_program_ *p = NULL;
  convk_cl_args_ args;
  int status;
  if (!job->n) return CONVK_OK;
  convk_cl_block_(chain->cl, 1024, &items, &points);
  (void)snprintf(more, sizeof more, "-D%s -DITEMS=%d -DPOINTS=%d", name[job->function], (int)items, (int)points);
  convk_cl_math_options_(chain->cl, job->element, options, more);
  status = convk_cl_kernel_(chain->cl, source, lines, "vmath", options, NULL, &p);
  if (status) return status;
  args = convk_cl_args_of_(p);
  for (d = 0; d < 3; d++) {
    convk_cl_put_mem_(&args, job->mem[d]);
    convk_cl_put_size_(&args, job->offset[d]);
  }
  convk_cl_put_size_(&args, job->n);
  return convk_cl_launch_groups_(chain, &args, convk_ceil_(job->n, items * points), items);
}

/* A checked call on buffers: large enough, and apart or the same. */
CONVK_LOCAL_ int convk_cl_map_buffers_(convk_cl *cl, cl_command_queue queue, convk_cl_map_ *job, cl_uint num_wait,
                                     const cl_event *wait_list, cl_event *event) {
  convk_cl_chain_ chain = convk_cl_chain_of_(cl, queue, num_wait, wait_list);
  const size_t arrays = job->function == CONVK_MAP_SINCOS_ ? 3 : 2;
  convk_cl_part_ part[3];
  size_t d;
  int status = convk_cl_check_(cl);
  if (!status && (!queue || !job->mem[0] || !job->mem[1] || (arrays > 2 && !job->mem[2]) || (num_wait && !wait_list)))
    status = CONVK_ERR_NULL;
  if (!status) status = convk_cl_precision_(cl, job->element, 0);
  memset(part, 0, sizeof part);
  for (d = 0; d < arrays && !status; d++)
    status = convk_cl_part_of_(cl, job->mem[d], job->offset[d], job->n, job->element, d > 0, &part[d]);
  for (d = 1; d < arrays; d++) /* in place */
    if (part[0].mem == part[d].mem && part[0].offset == part[d].offset) part[0].mem = NULL;
  if (!status) status = convk_cl_apart_(part, arrays);
  if (!status) status = convk_cl_map_run_(&chain, job);
  return convk_cl_chain_end_(&chain, status, event);
}
