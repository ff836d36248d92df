#if CONVK_HAS_SEPCONV_
CONVK_LOCAL_ convk_cl_array convk_hamiltonian_of_(convk_cl_array array, size_t k) {
  return convk_cl_at_(array.mem, array.offset + k);
}
CONVK_LOCAL_ convk_cl_array convk_hamiltonian_to_(convk_cl_array array, size_t k) {
  return convk_cl_at_(array.mem, array.offset + k);
}
CONVK_LOCAL_ convk_cl_array convk_hamiltonian_energy_(convk_cl_array energies, size_t v, size_t k) {
  return convk_cl_at_(energies.mem, 4 * (energies.offset + v) + k);
}

/* Each number is a sum of one. */
CONVK_LOCAL_ int convk_hamiltonian_pick_(convk_cl_call_ *call, convk_cl_array from, convk_cl_array unused, convk_cl_array to,
                                         size_t count) {
  const size_t none[3] = {0, 0, 0};
  CONVK_ARGUMENTS_(sepconv) a;
  convk_cl_program_ *p = NULL;
  convk_cl_args_ args;
  int status;
  (void)unused;
  memset(&a, 0, sizeof a);
  status = convk_sepconv_program_(call->cl, CONVK_CL_SUM_, &a, none, &p);
  if (status) return status;
  args = convk_cl_args_of_(p);
  convk_cl_put_mem_(&args, from.mem);
  convk_cl_put_size_(&args, from.offset);
  convk_cl_put_mem_(&args, to.mem);
  convk_cl_put_size_(&args, to.offset);
  convk_cl_put_size_(&args, count);
  convk_cl_put_size_(&args, 1);
  convk_cl_put_size_(&args, 0);
  return convk_cl_launch_row_(call, p, &args, count, 32);
}
#endif
