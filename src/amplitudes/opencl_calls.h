CONVK_LOCAL_ int convk_amplitudes_start_(convk_cl_call_ *call, convk_amplitudes_arguments_ *a,
                                         const convk_atoms_resident *atoms, const convk_cl_q *q, convk_cl_array f,
                                         convk_cl_array work) {
  const convk_cl_array array[11] = {atoms->x, atoms->y, atoms->z,  atoms->kind, atoms->weight, q->x,
                                    q->y,     q->z,     q->z_imag, f,           work};
  const uint32_t sums = a->stage >= CONVK_AMPLITUDES_LIST_,
                 values[4] = {(uint32_t)sizeof(CONVK_T), sums, sums && a->tensor, sums && a->imag};
  size_t items = 128, i; /* on processors, too, twice as fast as 1 or 16 */
  convk_cl_args_ args = convk_cl_program_in_groups_(
      call->cl, convk_cl_number_(CONVK_CL_AMPLITUDES_, values, 4), convk_cl_amplitudes_source_(), "amplitudes", &items, 1,
      sums ? "-DT=%s -DF64=%d -DSUMS -DTENSOR=%d -DIMAG=%d" : "-DT=%s -DF64=%d", convk_cl_type_(sizeof(CONVK_T)),
      CONVK_EITHER_(0, 1), (int)a->tensor, (int)a->imag);
  cl_mem mem[11];
  items = args.p->choice[0];
  for (i = 0; i < 11; i++) { /* what is not there is not used */
    mem[i] = array[i].mem ? array[i].mem : work.mem;
    a->at[i] = array[i].mem ? array[i].offset : 0;
  }
  convk_cl_put_all_(&args, a, sizeof *a, mem, 11);
  convk_cl_put_local_(&args, convk_amplitudes_tile_bytes_(a, items));
  return convk_cl_launch_(call, &args, convk_amplitudes_groups_(a, items), items, 1, 1);
}
