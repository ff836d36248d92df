/* On processors a group is one item, and there are as many groups as units that compute. */
CONVK_LOCAL_ int convk_distances_start_(convk_cl_call_ *call, convk_distances_arguments_ *a, const convk_atoms_resident *atoms,
                                        const convk_distances_resident *to, convk_cl_array work) {
  const convk_cl_array array[9] = {atoms->x,      atoms->y,      atoms->z,   atoms->kind, to->count,
                                   to->moment[0], to->moment[1], to->beyond, work};
  const int sort = a->stage < CONVK_DISTANCES_COUNT_, cpu = call->cl->cpu;
  size_t items = cpu ? 1 : CONVK_CL_DISTANCES_ITEMS_, bytes = (size_t)a->words * sizeof(cl_uint), groups = a->units, i;
  const int shared = bytes <= call->cl->local_bytes;
  const uint32_t values[4] = {sort ? (uint32_t)sizeof(CONVK_T) : 0, 0, sort ? 0 : a->moments, !sort && shared};
  convk_cl_args_ args = convk_cl_program_in_groups_(
      call->cl, convk_cl_number_(CONVK_CL_DISTANCES_, values, 4), convk_cl_distances_source_(), "distances", &items, 1,
      sort ? "-DSORT -DT=%s -DF64=%d" : "-DT=%s -DF64=%d -DMOMENTS=%d -DSHARED=%d",
      sort ? convk_cl_type_(sizeof(CONVK_T)) : "double", !sort || sizeof(CONVK_T) == sizeof(cl_double), (int)a->moments,
      shared);
  cl_mem mem[9];
  items = args.p->choice[0];
  for (i = 0; i < 9; i++) { /* what is not there is not used */
    mem[i] = array[i].mem ? array[i].mem : work.mem;
    a->at[i] = i < 8 ? array[i].offset : array[i].offset / sizeof(cl_double);
  }
  if (sort) groups = a->stage == CONVK_DISTANCES_STARTS_ ? 1 : a->n / items + 1;
  if (sort || !shared) bytes = 2 * (sort ? items : 1) * sizeof(cl_uint);
  convk_cl_put_all_(&args, a, sizeof *a, mem, 9);
  convk_cl_put_local_(&args, bytes);
  return convk_cl_launch_(call, &args, convk_least_(groups, cpu ? call->cl->compute_units : CONVK_CL_DISTANCES_GROUPS_), items,
                          1, 1);
}

CONVK_LOCAL_ int convk_debye_start_(convk_cl_call_ *call, convk_debye_arguments_ *a, const convk_distances_resident *from,
                                    const convk_intensities_resident *to, convk_cl_array work) {
  const convk_cl_array array[7] = {from->count, from->moment[0], from->moment[1], to->q, to->intensity, to->bound, work};
  const size_t tasks = a->stage == CONVK_DEBYE_WAVES_ ? convk_ceil_((size_t)a->bins, CONVK_DISTANCES_LIST_) * to->nq : to->nq;
  const uint32_t values[4] = {(uint32_t)sizeof(CONVK_T), 1, 0, 0};
  size_t items = 64, i;
  convk_cl_args_ args = convk_cl_program_in_groups_(call->cl, convk_cl_number_(CONVK_CL_DISTANCES_, values, 4),
                                                    convk_cl_distances_source_(), "debye", &items, 1, "-DDEBYE -DT=%s -DF64=%d",
                                                    convk_cl_type_(sizeof(CONVK_T)), CONVK_EITHER_(0, 1));
  cl_mem mem[7];
  items = args.p->choice[0];
  for (i = 0; i < 7; i++) { /* what is not there is not used */
    mem[i] = array[i].mem ? array[i].mem : work.mem;
    a->at[i] = !array[i].mem ? 0 : i ? array[i].offset : 8 * array[i].offset;
  }
  a->at[6] = work.offset / sizeof(cl_double);
  convk_cl_put_all_(&args, a, sizeof *a, mem, 7);
  convk_cl_put_local_(&args, items * sizeof(cl_uint));
  return convk_cl_launch_(
      call, &args, a->stage == CONVK_DEBYE_LIST_ ? 1 : convk_least_(convk_ceil_(tasks, items), CONVK_CL_DISTANCES_GROUPS_),
      items, 1, 1);
}
