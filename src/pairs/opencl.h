/* OpenCL C 1.2.  Build options: PAIR_ROWS and so on choose the kernel; LANES: of vectors on processors; ITEMS and POINTS, the
   shape of a group; KIND, BUMP, PERIODIC, CUT, LOGARITHM and DRIFT: what there is of a system and a run; WANT as in convk.h. */
CONVK_LOCAL_ const char *const *convk_cl_pairs_source_(void) {
  static const char *const lines[] = {
#include "quoted/pairs/kernel.cl"
      NULL};
  return lines;
}

/* Set by hand and not fitted: what keeps a compute unit busy, and launches short. */
enum {
  CONVK_CL_PAIRS_GROUPS_ = 8,   /* of pair_rows, for each unit */
  CONVK_CL_PAIRS_ITEMS_ = 1024, /* that move particles, for each unit */
  CONVK_CL_VMC_MOVES_ = 1 << 16 /* of a walker in a launch, so that none takes seconds */
};

/* One call: the constants of its system, and where its arrays lie. */
typedef struct convk_cl_pair_ {
  size_t element, n, walkers, pitch, stride;
  int kind, bump, periodic, cut, logarithm;
  unsigned char terms[25 * sizeof(cl_double)]; /* in the type of the pair terms */
  cl_double scales[12], box[3];
  size_t entries; /* of a table */
  cl_mem table;
  convk_cl_array r, gradient, result; /* result: offset in doubles */
  cl_mem work;
} convk_cl_pair_;

/* How the pairs of all walkers are cut, and what the work memory holds, in doubles. */
typedef struct convk_cl_pairs_cut_ {
  size_t items, lanes, points; /* of a group: rows */
  size_t pack;                 /* walkers of a group */
  size_t blocks, slices, length, groups;
  size_t squares; /* groups that add up slices of one walker */
  size_t part, square, force, force_count, end;
} convk_cl_pairs_cut_;

/* Work-groups of kernels whose items have little to do. */
CONVK_LOCAL_ size_t convk_cl_pairs_items_(const convk_cl *cl, size_t limit) {
  size_t items = cl->cpu ? 1 : limit;
  while (items > 1 && (items > cl->group_items || items > cl->group_x)) items /= 2;
  return items;
}

/* Items that a GPU runs together; AMD says so where they are 64. */
CONVK_LOCAL_ size_t convk_cl_pairs_together_(const convk_cl *cl) {
  const cl_device_info wavefront_width = 0x4043; /* of cl_amd_device_attribute_query */
  cl_uint width = 32;
  if (cl->cpu || clGetDeviceInfo(cl->device, wavefront_width, sizeof width, &width, NULL)) return 32;
  return width == 64 ? 64 : 32;
}

/* Lanes of vectors: a processor's own, and one on a GPU. */
CONVK_LOCAL_ size_t convk_cl_pairs_lanes_(const convk_cl *cl, size_t element) {
  cl_uint lanes = 1;
  if (!cl->cpu) return 1;
  if (clGetDeviceInfo(cl->device,
                      element == sizeof(cl_float) ? CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT : CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE,
                      sizeof lanes, &lanes, NULL))
    lanes = 1;
  return lanes >= 16 ? 16 : lanes >= 8 ? 8 : lanes >= 4 ? 4 : 2;
}

/* Rows are particles, and others come in slices, so that one large walker fills the device; small walkers share groups.  keep:
   forces are needed in work memory even where there is one slice.  all: walkers of all parts, for the order of sums. */
CONVK_LOCAL_ int convk_cl_pairs_cut_of_(const convk_cl *cl, size_t element, size_t n, size_t walkers, size_t all, int keep,
                                        convk_cl_pairs_cut_ *cut) {
  const size_t record = 10, least = 64; /* others in a slice */
  size_t items = convk_cl_pairs_items_(cl, 128), wanted = CONVK_CL_PAIRS_GROUPS_ * cl->compute_units, bytes;
  memset(cut, 0, sizeof *cut);
  while (items > 1 && items * 4 * sizeof(cl_double) > cl->local_bytes) items /= 2;
  cut->lanes = convk_cl_pairs_lanes_(cl, element);
  cut->points = cut->pack = cut->slices = 1;
  cut->length = convk_round_up_(n, least);
  if (cl->cpu) {
    while (cut->points * cut->lanes < least && convk_ceil_(n, 2 * cut->points * cut->lanes) * all >= wanted) cut->points *= 2;
    items = 1;
  } else if (2 * n <= items) {
    cut->pack = items / n < all ? items / n : all;
  } else if (items >= 32) { /* as few idle ones as may be */
    items = convk_round_up_(convk_ceil_(n, convk_ceil_(n, items)), items < 64 ? 32 : convk_cl_pairs_together_(cl));
  }
  cut->items = items;
  cut->blocks = convk_ceil_(n, cut->items * cut->lanes * cut->points);
  if (cut->pack > 1) cut->blocks = 1;
  if (!cl->cpu && cut->pack == 1 && cut->blocks * all < wanted) {
    const size_t slices = wanted / (cut->blocks * all);
    cut->length = convk_round_up_(convk_ceil_(n, slices), least);
    cut->slices = convk_ceil_(n, cut->length);
  }
  if (convk_mul_(convk_ceil_(walkers, cut->pack), cut->blocks * cut->slices, &cut->groups) ||
      cut->groups > (size_t)0x7fffffff / cut->items)
    return CONVK_ERR_OVERFLOW;
  cut->squares = cut->slices > 1 ? convk_ceil_(n, convk_cl_pairs_items_(cl, 64)) : 0;
  if (cut->slices > 1 || keep) cut->force_count = cut->slices * 3 * n;
  if (convk_mul_(walkers, record * cut->blocks * cut->slices + cut->squares + 2 * cut->force_count, &bytes) ||
      bytes > (size_t)-1 / 64)
    return CONVK_ERR_OVERFLOW;
  cut->square = cut->part + walkers * record * cut->blocks * cut->slices;
  cut->force = cut->square + walkers * cut->squares;
  cut->end = cut->force + walkers * cut->force_count;
  return CONVK_OK;
}

/* Its parts `base` doubles further. */
CONVK_LOCAL_ void convk_cl_pairs_move_(convk_cl_pairs_cut_ *cut, size_t base) {
  cut->part += base;
  cut->square += base;
  cut->force += base;
}

/* Upper bounds, also for fewer particles and walkers and any number of walkers in all parts, of what such a cut has: *force of
   all forces once, *end of all, in doubles.  Where there are slices, blocks times slices times walkers are at most as many as
   the groups that are wanted. */
CONVK_LOCAL_ int convk_cl_pairs_bound_(const convk_cl *cl, size_t element, size_t n, size_t walkers, int keep, size_t *force,
                                       size_t *end) {
  const size_t record = 10, least = 64, wanted = CONVK_CL_PAIRS_GROUPS_ * cl->compute_units;
  size_t items = convk_cl_pairs_items_(cl, 128), rows, groups, together, all;
  while (items > 1 && items * 4 * sizeof(cl_double) > cl->local_bytes) items /= 2;
  if (cl->cpu) items = 1;
  rows = items * convk_cl_pairs_lanes_(cl, element);
  if (n > (size_t)1 << 30 || convk_mul_(walkers, 3 * n + 1, &all) || all > (size_t)-1 / 1024) return CONVK_ERR_OVERFLOW;
  groups = walkers * convk_ceil_(n, rows);
  together = groups > wanted / convk_ceil_(n, least) ? wanted : groups * convk_ceil_(n, least);
  *force = 0;
  if (!cl->cpu) *force = 3 * rows * together;
  if (keep && *force < 3 * n * walkers) *force = 3 * n * walkers;
  *end = record * (groups > together ? groups : together) + walkers * convk_ceil_(n, convk_cl_pairs_items_(cl, 64)) + *force;
  return CONVK_OK;
}

/* A kernel; `more` is what it depends on besides. */
CONVK_LOCAL_ convk_cl_args_ convk_cl_pairs_program_(convk_cl *cl, size_t element, const char *name, size_t items,
                                                    const char *more) {
  convk_cl_program_ *p = NULL;
  size_t i;
  char options[CONVK_CL_KEY_], upper[16];
  int status;
  for (i = 0; name[i] && i + 1 < sizeof upper; i++) upper[i] = (char)(name[i] == '_' ? '_' : name[i] - 'a' + 'A');
  upper[i] = 0;
  (void)snprintf(options, sizeof options, "-D%s -DT=%s -DF64=%d -DITEMS=%d %s", upper, convk_cl_type_(element),
                 element == sizeof(cl_double), (int)items, more);
  status = convk_cl_kernel_(cl, convk_cl_pairs_source_(), name, options, NULL, &p);
  if (status || p->items >= items) return convk_cl_args_of_(status, p);
  (void)snprintf(cl->message, sizeof cl->message, "%s can have groups of %d items at most: lower group_items", name,
                 (int)p->items);
  return convk_cl_args_of_(CONVK_ERR_UNSUPPORTED, p);
}

/* A kernel that meets pairs. */
CONVK_LOCAL_ convk_cl_args_ convk_cl_pairs_system_(convk_cl *cl, const convk_cl_pair_ *job, const char *name, size_t items,
                                                   size_t lanes, size_t points, int want, int logarithm, int drift) {
  const int near_by = want & CONVK_PAIR_POTENTIAL_ENERGY;
  char more[160];
  (void)snprintf(more, sizeof more,
                 "-DLANES=%d -DPOINTS=%d -DKIND=%d -DBUMP=%d -DPERIODIC=%d -DCUT=%d -DWANT=%d -DLOGARITHM=%d -DDRIFT=%d",
                 (int)lanes, (int)points, near_by ? job->kind : 0, near_by && job->bump, job->periodic, job->cut, want,
                 logarithm, drift);
  return convk_cl_pairs_program_(cl, job->element, name, items, more);
}

CONVK_LOCAL_ void convk_cl_put_double_(convk_cl_args_ *args, double value) { convk_cl_put_(args, sizeof value, &value); }
CONVK_LOCAL_ void convk_cl_put_wide_(convk_cl_args_ *args, uint64_t value) { convk_cl_put_(args, sizeof value, &value); }

CONVK_LOCAL_ void convk_cl_put_system_(convk_cl_args_ *args, const convk_cl_pair_ *job, cl_mem any) {
  convk_cl_put_(args, 25 * job->element, job->terms);
  convk_cl_put_(args, sizeof job->scales, job->scales);
  convk_cl_put_mem_(args, job->table ? job->table : any); /* what is not there is not read */
  convk_cl_put_int_(args, job->entries);
  convk_cl_put_int_(args, job->n);
}

/* All pairs of all walkers.  force: where forces are kept in work memory, in doubles; (size_t)-1: not. */
CONVK_LOCAL_ int convk_cl_pairs_run_(convk_cl_chain_ *chain, const convk_cl_pair_ *job, const convk_cl_pairs_cut_ *cut,
                                     int want, size_t force) {
  const int slices = cut->slices > 1, keep = (want & CONVK_PAIR_GRADIENT) && (slices || force != (size_t)-1);
  const size_t records = cut->blocks * cut->slices, items = convk_cl_pairs_items_(chain->cl, 64);
  const size_t members = records > 1 ? items : 1;
  const cl_mem gradient = want & CONVK_PAIR_GRADIENT ? job->gradient.mem : NULL;
  convk_cl_args_ args = convk_cl_pairs_system_(chain->cl, job, "pair_rows", cut->items, cut->lanes, cut->points, want, 0, 0);
  int status;
  if (keep && force == (size_t)-1) force = cut->force;
  convk_cl_put_system_(&args, job, job->r.mem);
  convk_cl_put_size_(&args, job->walkers);
  convk_cl_put_int_(&args, cut->pack);
  convk_cl_put_int_(&args, cut->blocks);
  convk_cl_put_int_(&args, cut->slices);
  convk_cl_put_int_(&args, cut->length);
  convk_cl_put_array_(&args, &job->r);
  convk_cl_put_size_(&args, job->pitch);
  convk_cl_put_size_(&args, job->stride);
  convk_cl_put_mem_(&args, job->work);
  convk_cl_put_size_(&args, cut->part);
  convk_cl_put_int_(&args, (size_t)keep);
  convk_cl_put_size_(&args, keep ? force : 0);
  convk_cl_put_int_(&args, gradient && !slices);
  convk_cl_put_mem_(&args, gradient ? gradient : job->work);
  convk_cl_put_size_(&args, job->gradient.offset);
  status = convk_cl_launch_(chain, &args, cut->groups, cut->items, 1, 1);
  if (!status && keep && slices) {
    args = convk_cl_pairs_program_(chain->cl, job->element, "pair_forces", items, "");
    convk_cl_put_int_(&args, job->n);
    convk_cl_put_int_(&args, cut->squares);
    convk_cl_put_int_(&args, cut->slices);
    convk_cl_put_mem_(&args, job->work);
    convk_cl_put_size_(&args, force);
    convk_cl_put_size_(&args, cut->square);
    convk_cl_put_size_(&args, job->pitch);
    convk_cl_put_size_(&args, job->stride);
    convk_cl_put_int_(&args, gradient != NULL);
    convk_cl_put_mem_(&args, gradient ? gradient : job->work);
    convk_cl_put_size_(&args, job->gradient.offset);
    status = convk_cl_launch_(chain, &args, job->walkers * cut->squares, items, 1, 1);
  }
  if (status) return status;
  args = convk_cl_pairs_program_(chain->cl, sizeof(cl_double), "pair_finish", items, "");
  convk_cl_put_(&args, sizeof job->scales, job->scales);
  convk_cl_put_int_(&args, (size_t)want);
  convk_cl_put_size_(&args, job->walkers);
  convk_cl_put_int_(&args, members);
  convk_cl_put_int_(&args, records);
  convk_cl_put_int_(&args, keep && slices ? cut->squares : 0);
  convk_cl_put_mem_(&args, job->work);
  convk_cl_put_size_(&args, cut->part);
  convk_cl_put_size_(&args, cut->square);
  convk_cl_put_array_(&args, &job->result);
  return convk_cl_launch_(chain, &args, convk_ceil_(job->walkers, items / members), items, 1, 1);
}

CONVK_LOCAL_ int convk_cl_pairs_values_(convk_cl_chain_ *chain, const convk_cl_pair_ *job, size_t count,
                                        const convk_cl_array *r, const convk_cl_array *v) {
  const size_t items = convk_cl_pairs_items_(chain->cl, 128), lanes = convk_cl_pairs_lanes_(chain->cl, job->element);
  const size_t points = chain->cl->cpu ? 64 : 1;
  convk_cl_args_ args =
      convk_cl_pairs_system_(chain->cl, job, "pair_values", items, lanes, points, CONVK_PAIR_POTENTIAL_ENERGY, 0, 0);
  convk_cl_put_system_(&args, job, r->mem);
  convk_cl_put_size_(&args, count);
  convk_cl_put_array_(&args, r);
  convk_cl_put_array_(&args, v);
  return convk_cl_launch_(chain, &args, convk_ceil_(count, items * lanes * points), items, 1, 1);
}

/* Items of a group that moves one particle of a walker: few walkers want more of them. */
CONVK_LOCAL_ size_t convk_cl_pairs_row_items_(const convk_cl *cl, size_t n, size_t walkers) {
  const size_t max_items = convk_cl_pairs_items_(cl, 256);
  const size_t least = n > 32 ? convk_cl_pairs_together_(cl) : 32;
  size_t items = max_items < least ? max_items : least;
  while (2 * items <= max_items && 2 * items < n && items * walkers < CONVK_CL_PAIRS_ITEMS_ * cl->compute_units) items *= 2;
  return items;
}

/* A particle's move to `to`: what it would change, into job->result, or with NULL the change of what is accepted. */
CONVK_LOCAL_ int convk_cl_pairs_step_(convk_cl_chain_ *chain, const convk_cl_pair_ *job, size_t particle,
                                      const convk_cl_array *to, const convk_cl_array *accept) {
  const size_t items = convk_cl_pairs_row_items_(chain->cl, job->n, job->walkers);
  const int moves = job->result.mem != NULL;
  convk_cl_args_ args =
      convk_cl_pairs_system_(chain->cl, job, moves ? "pair_move" : "pair_accept", items,
                             convk_cl_pairs_lanes_(chain->cl, job->element), 1, 0, moves && job->logarithm, 0);
  convk_cl_put_system_(&args, job, job->r.mem);
  convk_cl_put_int_(&args, particle);
  convk_cl_put_array_(&args, &job->r);
  convk_cl_put_size_(&args, job->pitch);
  convk_cl_put_size_(&args, job->stride);
  convk_cl_put_array_(&args, to);
  if (moves) {
    convk_cl_put_array_(&args, &job->result);
  } else { /* what is not there is not read */
    convk_cl_put_int_(&args, accept->mem != NULL);
    convk_cl_put_array_(&args, accept->mem ? accept : &job->r);
    convk_cl_put_int_(&args, job->gradient.mem != NULL);
    convk_cl_put_array_(&args, job->gradient.mem ? &job->gradient : &job->r);
  }
  return convk_cl_launch_(chain, &args, job->walkers, items, 1, 1);
}

/* ---- runs ---- */

/* Some sweeps of all walkers, packed, with what convk.h does about them.  Work memory: that of pair_energy with forces, more
   forces, where particles would go, and results on the way. */
typedef struct convk_cl_vmc_ {
  convk_cl_pair_ pair; /* its result: of what is measured */
  const convk_vmc *vmc;
  uint64_t sweep;
  size_t count;
  double step;
  int anew;  /* ln Psi of some is not known: not a number */
  int unset; /* nor is it that: nobody has written to ln_psi */
  convk_cl_array ln_psi, accepted, drift;
} convk_cl_vmc_;

typedef struct convk_cl_vmc_cut_ {
  convk_cl_pairs_cut_ pair;
  size_t after, to, result; /* in doubles */
} convk_cl_vmc_cut_;

/* From `base` doubles on. */
CONVK_LOCAL_ int convk_cl_vmc_cut_of_(const convk_cl *cl, size_t element, const convk_vmc *vmc, size_t base,
                                      convk_cl_vmc_cut_ *cut) {
  const size_t n = vmc->system.particles, walkers = convk_vmc_walkers_here_(vmc);
  const int all = vmc->moves == CONVK_VMC_MOVE_ALL, keep = all && vmc->drift;
  const int status = convk_cl_pairs_cut_of_(cl, element, n, walkers, vmc->walkers, keep, &cut->pair);
  size_t all_of;
  if (status) return status;
  if (convk_mul_(walkers, 3 * n + 9, &all_of) || all_of > (size_t)-1 / 64 || cut->pair.end > (size_t)-1 / 64)
    return CONVK_ERR_OVERFLOW;
  convk_cl_pairs_move_(&cut->pair, base);
  cut->after = base + cut->pair.end;
  cut->to = cut->after + (keep ? walkers * cut->pair.force_count : 0);
  cut->result = cut->to + (all ? convk_ceil_(3 * n * walkers * element, sizeof(cl_double)) : 0);
  return CONVK_OK;
}

CONVK_LOCAL_ int convk_cl_vmc_begin_(convk_cl_chain_ *chain, const convk_cl_vmc_ *job, int clear, int back) {
  const size_t items = convk_cl_pairs_items_(chain->cl, 64);
  convk_cl_args_ args = convk_cl_pairs_program_(chain->cl, job->pair.element, "vmc_begin", items, "");
  int d;
  convk_cl_put_int_(&args, job->pair.n);
  convk_cl_put_int_(&args, (size_t)clear);
  convk_cl_put_int_(&args, (size_t)back);
  convk_cl_put_int_(&args, (size_t)job->pair.periodic);
  for (d = 0; d < 3; d++) convk_cl_put_double_(&args, job->pair.box[d]);
  convk_cl_put_array_(&args, &job->pair.r);
  convk_cl_put_array_(&args, &job->accepted);
  convk_cl_put_array_(&args, &job->drift);
  return convk_cl_launch_(chain, &args, job->pair.walkers, items, 1, 1);
}

/* set: the ln Psi that there is counts. */
CONVK_LOCAL_ int convk_cl_vmc_renew_(convk_cl_chain_ *chain, const convk_cl_vmc_ *job, int set, const convk_cl_array *result) {
  const size_t items = convk_cl_pairs_items_(chain->cl, 64);
  convk_cl_args_ args = convk_cl_pairs_program_(chain->cl, sizeof(cl_double), "vmc_renew", items, "");
  convk_cl_put_size_(&args, job->pair.walkers);
  convk_cl_put_int_(&args, (size_t)set);
  convk_cl_put_array_(&args, result);
  convk_cl_put_array_(&args, &job->ln_psi);
  convk_cl_put_array_(&args, &job->drift);
  return convk_cl_launch_(chain, &args, convk_ceil_(job->pair.walkers, items), items, 1, 1);
}

/* A sweep, as kernels take it. */
CONVK_LOCAL_ void convk_cl_put_sweep_(convk_cl_args_ *args, const convk_cl_vmc_ *job, uint64_t sweep) {
  convk_cl_put_int_(args, job->vmc->part.first);
  convk_cl_put_wide_(args, job->vmc->seed);
  convk_cl_put_wide_(args, sweep);
  convk_cl_put_double_(args, job->step);
  convk_cl_put_array_(args, &job->pair.r);
}

/* And with forces, and places to go to, of all particles. */
CONVK_LOCAL_ void convk_cl_put_sweeps_(convk_cl_args_ *args, const convk_cl_vmc_ *job, const convk_cl_vmc_cut_ *cut,
                                       uint64_t sweep) {
  convk_cl_put_int_(args, job->pair.n);
  convk_cl_put_sweep_(args, job, sweep);
  convk_cl_put_mem_(args, job->pair.work);
  convk_cl_put_size_(args, cut->pair.force);
  convk_cl_put_size_(args, cut->pair.force_count);
  convk_cl_put_size_(args, cut->to);
}

/* Sweeps of single particles. */
CONVK_LOCAL_ int convk_cl_vmc_single_(convk_cl_chain_ *chain, const convk_cl_vmc_ *job, uint64_t sweep, size_t count) {
  const size_t n = job->pair.n, items = convk_cl_pairs_row_items_(chain->cl, n, job->vmc->walkers);
  const size_t limit = CONVK_CL_VMC_MOVES_ / n ? CONVK_CL_VMC_MOVES_ / n : 1;
  int status = CONVK_OK;
  while (count && !status) {
    const size_t some = count < limit ? count : limit;
    convk_cl_args_ args =
        convk_cl_pairs_system_(chain->cl, &job->pair, "vmc_single", items, convk_cl_pairs_lanes_(chain->cl, job->pair.element),
                               1, 0, job->pair.logarithm, job->vmc->drift);
    convk_cl_put_system_(&args, &job->pair, job->pair.r.mem);
    convk_cl_put_sweep_(&args, job, sweep);
    convk_cl_put_int_(&args, some);
    convk_cl_put_array_(&args, &job->ln_psi);
    convk_cl_put_array_(&args, &job->accepted);
    status = convk_cl_launch_(chain, &args, job->pair.walkers, items, 1, 1);
    sweep += some;
    count -= some;
  }
  return status;
}

/* One sweep of all particles at once. */
CONVK_LOCAL_ int convk_cl_vmc_all_(convk_cl_chain_ *chain, const convk_cl_vmc_ *job, const convk_cl_vmc_cut_ *cut,
                                   uint64_t sweep) {
  const size_t n = job->pair.n, items = convk_cl_pairs_items_(chain->cl, 64);
  const int drift = job->vmc->drift, want = drift ? CONVK_PAIR_LN_PSI | CONVK_PAIR_GRADIENT : CONVK_PAIR_LN_PSI;
  const char *more = drift ? "-DDRIFT=1" : "-DDRIFT=0";
  convk_cl_pair_ moved = job->pair;
  convk_cl_args_ args;
  int status = CONVK_OK;
  moved.result = convk_cl_at_(moved.work, cut->result);
  if (drift) status = convk_cl_pairs_run_(chain, &moved, &cut->pair, want, cut->pair.force);
  if (status) return status;
  args = convk_cl_pairs_program_(chain->cl, job->pair.element, "vmc_propose", items, more);
  convk_cl_put_sweeps_(&args, job, cut, sweep);
  convk_cl_put_size_(&args, job->pair.walkers);
  status = convk_cl_launch_(chain, &args, convk_ceil_(n * job->pair.walkers, items), items, 1, 1);
  moved.r = convk_cl_at_(moved.work, cut->to * (sizeof(cl_double) / job->pair.element));
  if (!status) status = convk_cl_pairs_run_(chain, &moved, &cut->pair, want, drift ? cut->after : (size_t)-1);
  if (status) return status;
  args = convk_cl_pairs_program_(chain->cl, job->pair.element, "vmc_decide", items, more);
  convk_cl_put_sweeps_(&args, job, cut, sweep);
  convk_cl_put_size_(&args, cut->after);
  convk_cl_put_size_(&args, cut->result);
  convk_cl_put_array_(&args, &job->ln_psi);
  convk_cl_put_array_(&args, &job->accepted);
  return convk_cl_launch_(chain, &args, job->pair.walkers, items, 1, 1);
}

/* Checked sweeps of all walkers, as convk.h has those of one: in batches that begin with ln Psi anew. */
CONVK_LOCAL_ int convk_cl_vmc_run_(convk_cl_chain_ *chain, const convk_cl_vmc_ *job, const convk_cl_vmc_cut_ *cut) {
  convk_cl_pair_ pair = job->pair;
  size_t i, next, measured = 0;
  int status = job->count ? CONVK_OK : convk_cl_vmc_begin_(chain, job, 1, 0);
  for (i = 0; i < job->count && !status; i = next) {
    const int back = (!i && job->anew) || (job->sweep + i) % CONVK_VMC_BATCH_ == 0;
    int measures = 0;
    if (!i || back) status = convk_cl_vmc_begin_(chain, job, !i, back);
    if (!status && back) {
      pair.result = convk_cl_at_(pair.work, cut->result);
      status = convk_cl_pairs_run_(chain, &pair, &cut->pair, CONVK_PAIR_LN_PSI, (size_t)-1);
      if (!status) status = convk_cl_vmc_renew_(chain, job, i || !job->unset, &pair.result);
    }
    for (next = i; next < job->count && !measures && (next == i || (job->sweep + next) % CONVK_VMC_BATCH_); next++) {
      measures = convk_vmc_measures_(job->vmc, job->sweep + next);
      if (job->vmc->moves == CONVK_VMC_MOVE_ALL && !status) status = convk_cl_vmc_all_(chain, job, cut, job->sweep + next);
    }
    if (job->vmc->moves == CONVK_VMC_MOVE_SINGLE && !status)
      status = convk_cl_vmc_single_(chain, job, job->sweep + i, next - i);
    if (status || !measures) continue;
    pair.result = convk_cl_at_(job->pair.result.mem, job->pair.result.offset + 9 * measured++ * job->pair.walkers);
    status = convk_cl_pairs_run_(chain, &pair, &cut->pair, CONVK_PAIR_ALL, (size_t)-1);
    if (!status) status = convk_cl_vmc_renew_(chain, job, 1, &pair.result);
  }
  return status;
}
