CONVK_LOCAL_ int convk_hamiltonian_split_(convk_cl_call_ *call, const convk_hamiltonian_sides_ *s) {
  const convk_cl_array numbers = s->join ? s->numbers : s->in;
  const cl_mem buffers[] = {s->parts.mem, numbers.mem};
  const uint32_t v = (uint32_t)sizeof(CONVK_T);
  CONVK_ARGUMENTS_(parts) a;
  size_t local[2];
  convk_cl_args_ args =
      convk_cl_program_of_(call->cl, convk_cl_number_(CONVK_CL_PARTS_, &v, 1), convk_cl_orbital_source_(), "complex_parts",
                           "-DCOMPLEX_PARTS -DT=%s -DF64=%d", convk_cl_type_(v), v == sizeof(cl_double));
  convk_hamiltonian_parts_of_(s, &a);
  a.parts_at = s->parts.offset;
  a.numbers_at = numbers.offset;
  convk_cl_group_(call->cl, args.p, 128, 1, local);
  convk_cl_put_all_(&args, &a, sizeof a, buffers, 2);
  return convk_cl_launch_lines_(call, &args, convk_ceil_(s->grid.nx * s->grid.ny, local[0]), local[0], s->grid.nz);
}

/* Each number is a sum of `each`. */
CONVK_LOCAL_ int convk_hamiltonian_pick_(convk_cl_call_ *call, convk_cl_array from, convk_cl_array unused, convk_cl_array to,
                                         size_t count, size_t each) {
  const size_t none[3] = {0, 0, 0};
  CONVK_ARGUMENTS_(filters) a;
  convk_cl_args_ args;
  (void)unused;
  memset(&a, 0, sizeof a);
  args = convk_filters_program_(call->cl, CONVK_CL_SUM_, &a, none);
  convk_cl_put_mem_(&args, from.mem);
  convk_cl_put_size_(&args, from.offset);
  convk_cl_put_mem_(&args, to.mem);
  convk_cl_put_size_(&args, to.offset);
  convk_cl_put_size_(&args, count);
  convk_cl_put_size_(&args, each);
  convk_cl_put_size_(&args, 0);
  return convk_cl_launch_row_(call, &args, count, 32);
}
