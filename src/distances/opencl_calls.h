/* Groups of a launch.  On processors a group is one item, and there are as many groups as units that compute. */
CONVK_LOCAL_ size_t convk_cl_distances_groups_(const convk_cl *cl, size_t units) {
  const size_t most = cl->cpu ? cl->compute_units : CONVK_CL_DISTANCES_GROUPS_;
  return convk_least_(units ? units : 1, most);
}

CONVK_LOCAL_ int convk_distances_sort_start_(convk_cl_call_ *call, convk_distances_arguments_ *a,
                                             const convk_distances_arrays_ *arrays) {
  const uint32_t values[2] = {sizeof(CONVK_T), 0};
  const size_t each = a->stage ? a->n : a->lists;
  size_t items = call->cl->cpu ? 1 : CONVK_CL_DISTANCES_ITEMS_, groups;
  cl_mem mem[6];
  convk_cl_args_ args = convk_cl_program_in_groups_(
      call->cl, convk_cl_number_(CONVK_CL_DISTANCES_, values, 2), convk_cl_distances_source_(), "distances_sort", &items, 1,
      "-DT=%s -DF64=%d -DSORT", convk_cl_type_(sizeof(CONVK_T)), sizeof(CONVK_T) == sizeof(cl_double));
  items = args.p->choice[0];
  groups = a->stage == CONVK_DISTANCES_STARTS_ ? 1 : convk_cl_distances_groups_(call->cl, convk_ceil_(each, items));
  a->x = arrays->x.offset;
  a->y = arrays->y.offset;
  a->z = arrays->z.offset;
  a->kind = arrays->kind.offset;
  a->work = arrays->work.offset / sizeof(cl_double);
  a->beyond = 2 * arrays->beyond.offset;
  mem[0] = arrays->x.mem;
  mem[1] = arrays->y.mem;
  mem[2] = arrays->z.mem;
  mem[3] = a->has_kind ? arrays->kind.mem : arrays->work.mem;
  mem[4] = arrays->work.mem;
  mem[5] = a->has_beyond ? arrays->beyond.mem : arrays->work.mem;
  convk_cl_put_all_(&args, a, sizeof *a, mem, 6);
  convk_cl_put_local_(&args, 2 * items * sizeof(cl_uint));
  return convk_cl_launch_(call, &args, groups, items, 1, 1);
}

CONVK_LOCAL_ int convk_distances_count_start_(convk_cl_call_ *call, convk_distances_arguments_ *a,
                                              const convk_distances_arrays_ *arrays, int moments, size_t units) {
  const size_t bytes = convk_distances_shared_(a, moments) * sizeof(cl_uint);
  const int shared = bytes <= call->cl->local_bytes;
  const uint32_t values[3] = {1, (uint32_t)moments, (uint32_t)shared};
  size_t items = call->cl->cpu ? 1 : CONVK_CL_DISTANCES_ITEMS_;
  cl_mem mem[5];
  convk_cl_args_ args =
      convk_cl_program_in_groups_(call->cl, convk_cl_number_(CONVK_CL_DISTANCES_, values, 3), convk_cl_distances_source_(),
                                  "distances_count", &items, 1, "-DT=double -DF64=1 -DMOMENTS=%d -DSHARED=%d", moments, shared);
  a->work = arrays->work.offset / sizeof(cl_double);
  a->count = 2 * arrays->count.offset;
  a->first = 2 * arrays->first.offset;
  a->second = 2 * arrays->second.offset;
  a->beyond = 2 * arrays->beyond.offset;
  mem[0] = arrays->work.mem;
  mem[1] = arrays->count.mem;
  mem[2] = moments ? arrays->first.mem : mem[0];
  mem[3] = moments > 1 ? arrays->second.mem : mem[0];
  mem[4] = a->has_beyond ? arrays->beyond.mem : mem[0];
  convk_cl_put_all_(&args, a, sizeof *a, mem, 5);
  convk_cl_put_local_(&args, shared ? bytes : 2 * sizeof(cl_uint));
  return convk_cl_launch_(call, &args, convk_cl_distances_groups_(call->cl, units), args.p->choice[0], 1, 1);
}
