CONVK_LOCAL_ convk_cl_array convk_hamiltonian_of_(convk_cl_array array, size_t k, size_t step) {
  (void)step;
  return convk_cl_at_(array.mem, array.offset + k);
}
CONVK_LOCAL_ convk_cl_array convk_hamiltonian_to_(convk_cl_array array, size_t k, size_t step) {
  (void)step;
  return convk_cl_at_(array.mem, array.offset + k);
}
CONVK_LOCAL_ convk_cl_array convk_hamiltonian_energy_(convk_cl_array energies, size_t v, size_t k) {
  return convk_cl_at_(energies.mem, 4 * (energies.offset + v) + k);
}

CONVK_LOCAL_ int convk_hamiltonian_split_(convk_cl_call_ *call, const convk_hamiltonian_sides_ *s) {
  const size_t none[1] = {0};
  const convk_cl_array numbers = s->join ? s->numbers : s->in;
  CONVK_ARGUMENTS_(parts) a;
  convk_cl_program_ *p = NULL;
  convk_cl_args_ args;
  char options[CONVK_CL_KEY_];
  uint32_t v = (uint32_t)sizeof(CONVK_T);
  const uint64_t number = convk_cl_number_(CONVK_CL_PARTS_, &v, 1);
  size_t local[2];
  int status = CONVK_OK;
  p = convk_cl_known_(call->cl, number);
  if (!p) {
    (void)snprintf(options, sizeof options, "-DCOMPLEX_PARTS -DT=%s -DF64=%d", convk_cl_type_(v), v == sizeof(cl_double));
    status = convk_cl_kernel_(call->cl, convk_cl_orbital_source_(), "complex_parts", options, NULL, &p);
    if (!status) convk_cl_remember_(call->cl, number, p, none, 0);
  }
  if (status) return status;
  convk_hamiltonian_say_(s, &a);
  a.parts_at = s->parts.offset;
  a.numbers_at = numbers.offset;
  convk_cl_group_(call->cl, p, 128, 1, local);
  args = convk_cl_args_of_(p);
  convk_cl_put_(&args, sizeof a, &a);
  convk_cl_put_mem_(&args, s->parts.mem);
  convk_cl_put_mem_(&args, numbers.mem);
  return convk_cl_launch_lines_(call, &args, convk_ceil_(s->grid.nx * s->grid.ny, local[0]), local[0], s->grid.nz);
}

/* Each number is a sum of `each`. */
CONVK_LOCAL_ int convk_hamiltonian_pick_(convk_cl_call_ *call, convk_cl_array from, convk_cl_array unused, convk_cl_array to,
                                         size_t count, size_t each) {
  const size_t none[3] = {0, 0, 0};
  CONVK_ARGUMENTS_(filters) a;
  convk_cl_program_ *p = NULL;
  convk_cl_args_ args;
  int status;
  (void)unused;
  memset(&a, 0, sizeof a);
  status = convk_filters_program_(call->cl, CONVK_CL_SUM_, &a, none, &p);
  if (status) return status;
  args = convk_cl_args_of_(p);
  convk_cl_put_mem_(&args, from.mem);
  convk_cl_put_size_(&args, from.offset);
  convk_cl_put_mem_(&args, to.mem);
  convk_cl_put_size_(&args, to.offset);
  convk_cl_put_size_(&args, count);
  convk_cl_put_size_(&args, each);
  convk_cl_put_size_(&args, 0);
  return convk_cl_launch_row_(call, p, &args, count, 32);
}
