#include "pairs/opencl_arguments.h"

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

/* One call: the terms of its system, what else kernels take, and where its arrays lie. */
typedef struct convk_cl_pair_ {
  size_t element, walkers;
  int kind, bump, cut, logarithm;
  unsigned char terms[25 * sizeof(cl_double)]; /* in the type of the pair terms */
  convk_pairs_arguments_ args;                 /* all but where arrays begin */
  cl_mem table, work;
  convk_cl_array r, to, gradient, result, accept, ln_psi, accepted, drift; /* result: offset in doubles */
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

/* Starts a kernel; `more` is what it depends on besides its types. */
CONVK_LOCAL_ int convk_cl_pairs_start_(convk_cl_chain_ *chain, const convk_cl_pair_ *job, const char *name, const char *more,
                                       size_t groups, size_t items) {
  const convk_cl_array array[8] = {job->r,      job->to,     job->gradient, job->result,
                                   job->accept, job->ln_psi, job->accepted, job->drift};
  convk_cl *const cl = chain->cl;
  convk_pairs_arguments_ a = job->args;
  convk_cl_program_ *p = NULL;
  convk_cl_args_ args;
  size_t i;
  char options[CONVK_CL_KEY_], upper[16];
  int status;
  for (i = 0; name[i] && i + 1 < sizeof upper; i++) upper[i] = (char)(name[i] == '_' ? '_' : name[i] - 'a' + 'A');
  upper[i] = 0;
  (void)snprintf(options, sizeof options, "-D%s -DT=%s -DF64=%d -DITEMS=%d %s", upper, convk_cl_type_(job->element),
                 job->element == sizeof(cl_double), (int)items, more);
  status = convk_cl_kernel_(cl, convk_cl_pairs_source_(), name, options, NULL, &p);
  if (!status && p->items < items) {
    (void)snprintf(cl->message, sizeof cl->message, "%s can have groups of %d items at most: lower group_items", name,
                   (int)p->items);
    status = CONVK_ERR_UNSUPPORTED;
  }
  args = convk_cl_args_of_(status, p);
  a.walkers = job->walkers;
  a.r = job->r.offset;
  a.to = job->to.offset;
  a.gradient = job->gradient.offset;
  a.result = job->result.offset;
  a.accept = job->accept.offset;
  a.ln_psi = job->ln_psi.offset;
  a.accepted = job->accepted.offset;
  a.drift = job->drift.offset;
  convk_cl_put_(&args, sizeof a, &a);
  convk_cl_put_(&args, 25 * job->element, job->terms);
  convk_cl_put_mem_(&args, job->table ? job->table : job->r.mem); /* what is not there is not read */
  for (i = 0; i < 8; i++) {
    if (i == 4) convk_cl_put_mem_(&args, job->work ? job->work : job->r.mem);
    convk_cl_put_mem_(&args, array[i].mem ? array[i].mem : job->r.mem);
  }
  return convk_cl_launch_(chain, &args, groups, items, 1, 1);
}

/* The same of one that meets pairs. */
CONVK_LOCAL_ int convk_cl_pairs_meet_(convk_cl_chain_ *chain, const convk_cl_pair_ *job, const char *name, size_t groups,
                                      size_t items, size_t lanes, size_t points, int want, int logarithm, int drift) {
  const int near_by = want & CONVK_PAIR_POTENTIAL_ENERGY;
  char more[160];
  (void)snprintf(more, sizeof more,
                 "-DLANES=%d -DPOINTS=%d -DKIND=%d -DBUMP=%d -DPERIODIC=%d -DCUT=%d -DWANT=%d -DLOGARITHM=%d -DDRIFT=%d",
                 (int)lanes, (int)points, near_by ? job->kind : 0, near_by && job->bump, (int)job->args.periodic, job->cut,
                 want, logarithm, drift);
  return convk_cl_pairs_start_(chain, job, name, more, groups, items);
}

/* All pairs of all walkers.  force: where forces are kept in work memory, in doubles; (size_t)-1: not. */
CONVK_LOCAL_ int convk_cl_pairs_run_(convk_cl_chain_ *chain, const convk_cl_pair_ *job, const convk_cl_pairs_cut_ *cut,
                                     int want, size_t force) {
  const int slices = cut->slices > 1, keep = (want & CONVK_PAIR_GRADIENT) && (slices || force != (size_t)-1);
  const size_t records = cut->blocks * cut->slices, items = convk_cl_pairs_items_(chain->cl, 64);
  const size_t members = records > 1 ? items : 1;
  convk_cl_pair_ own = *job;
  convk_pairs_arguments_ *const a = &own.args;
  int status;
  if (!(want & CONVK_PAIR_GRADIENT)) own.gradient.mem = NULL;
  a->want = (cl_uint)want;
  a->pack = (cl_uint)cut->pack;
  a->blocks = (cl_uint)cut->blocks;
  a->slices = (cl_uint)cut->slices;
  a->length = (cl_uint)cut->length;
  a->part = cut->part;
  a->square = cut->square;
  a->squares = (cl_uint)(keep && slices ? cut->squares : 0);
  a->force = !keep ? 0 : force == (size_t)-1 ? cut->force : force;
  a->forces = (cl_uint)keep;
  a->gradients = own.gradient.mem && !slices;
  a->members = (cl_uint)members;
  a->records = (cl_uint)records;
  status = convk_cl_pairs_meet_(chain, &own, "pair_rows", cut->groups, cut->items, cut->lanes, cut->points, want, 0, 0);
  if (!status && keep && slices) {
    a->gradients = own.gradient.mem != NULL;
    status = convk_cl_pairs_start_(chain, &own, "pair_forces", "", job->walkers * cut->squares, items);
  }
  return status ? status
                : convk_cl_pairs_start_(chain, &own, "pair_finish", "", convk_ceil_(job->walkers, items / members), items);
}

CONVK_LOCAL_ int convk_cl_pairs_values_(convk_cl_chain_ *chain, const convk_cl_pair_ *job) {
  const size_t items = convk_cl_pairs_items_(chain->cl, 128), lanes = convk_cl_pairs_lanes_(chain->cl, job->element);
  const size_t points = chain->cl->cpu ? 64 : 1, groups = convk_ceil_((size_t)job->args.count, items * lanes * points);
  return convk_cl_pairs_meet_(chain, job, "pair_values", groups, items, lanes, points, CONVK_PAIR_POTENTIAL_ENERGY, 0, 0);
}

/* Items of a group that moves one particle of a walker: few walkers want more of them. */
CONVK_LOCAL_ size_t convk_cl_pairs_row_items_(const convk_cl *cl, size_t n, size_t walkers) {
  const size_t max_items = convk_cl_pairs_items_(cl, 256);
  const size_t least = n > 32 ? convk_cl_pairs_together_(cl) : 32;
  size_t items = max_items < least ? max_items : least;
  while (2 * items <= max_items && 2 * items < n && items * walkers < CONVK_CL_PAIRS_ITEMS_ * cl->compute_units) items *= 2;
  return items;
}

/* A particle's move: what it would change, into job->result, or with NULL the change of what is accepted. */
CONVK_LOCAL_ int convk_cl_pairs_step_(convk_cl_chain_ *chain, const convk_cl_pair_ *job) {
  const int moves = job->result.mem != NULL;
  return convk_cl_pairs_meet_(chain, job, moves ? "pair_move" : "pair_accept", job->walkers,
                              convk_cl_pairs_row_items_(chain->cl, job->args.n, job->walkers),
                              convk_cl_pairs_lanes_(chain->cl, job->element), 1, 0, moves && job->logarithm, 0);
}

/* ---- runs ---- */

/* Some sweeps of all walkers, packed, with what convk.h does about them.  Work memory: that of pair_energy with forces, more
   forces, where particles would go, and results on the way. */
typedef struct convk_cl_vmc_ {
  convk_cl_pair_ pair; /* its result: of what is measured; its sweep: the first */
  const convk_vmc *vmc;
  size_t count;
  int anew;  /* ln Psi of some is not known: not a number */
  int unset; /* nor is it that: nobody has written to ln_psi */
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

CONVK_LOCAL_ int convk_cl_vmc_begin_(convk_cl_chain_ *chain, convk_cl_pair_ *pair, int clear, int back) {
  pair->args.clear = (cl_uint)clear;
  pair->args.back = (cl_uint)back;
  return convk_cl_pairs_start_(chain, pair, "vmc_begin", "", pair->walkers, convk_cl_pairs_items_(chain->cl, 64));
}

/* set: the ln Psi that there is counts. */
CONVK_LOCAL_ int convk_cl_vmc_renew_(convk_cl_chain_ *chain, convk_cl_pair_ *pair, int set) {
  const size_t items = convk_cl_pairs_items_(chain->cl, 64);
  pair->args.set = (cl_uint)set;
  return convk_cl_pairs_start_(chain, pair, "vmc_renew", "", convk_ceil_(pair->walkers, items), items);
}

/* Sweeps of single particles. */
CONVK_LOCAL_ int convk_cl_vmc_single_(convk_cl_chain_ *chain, const convk_cl_vmc_ *job, uint64_t sweep, size_t count) {
  const size_t n = job->pair.args.n, items = convk_cl_pairs_row_items_(chain->cl, n, job->vmc->walkers);
  const size_t limit = CONVK_CL_VMC_MOVES_ / n ? CONVK_CL_VMC_MOVES_ / n : 1;
  convk_cl_pair_ pair = job->pair;
  int status = CONVK_OK;
  for (pair.args.sweep = sweep; count && !status; pair.args.sweep += pair.args.sweeps, count -= pair.args.sweeps) {
    pair.args.sweeps = (cl_uint)convk_least_(count, limit);
    status = convk_cl_pairs_meet_(chain, &pair, "vmc_single", pair.walkers, items,
                                  convk_cl_pairs_lanes_(chain->cl, pair.element), 1, 0, pair.logarithm, job->vmc->drift);
  }
  return status;
}

/* One sweep of all particles at once. */
CONVK_LOCAL_ int convk_cl_vmc_all_(convk_cl_chain_ *chain, const convk_cl_vmc_ *job, const convk_cl_vmc_cut_ *cut,
                                   uint64_t sweep) {
  const size_t walkers = job->pair.walkers, items = convk_cl_pairs_items_(chain->cl, 64);
  const int drift = job->vmc->drift, want = drift ? CONVK_PAIR_LN_PSI | CONVK_PAIR_GRADIENT : CONVK_PAIR_LN_PSI;
  const char *more = drift ? "-DDRIFT=1" : "-DDRIFT=0";
  convk_cl_pair_ pair = job->pair, moved;
  int status = CONVK_OK;
  pair.args.sweep = sweep;
  pair.args.force = cut->pair.force;
  pair.args.force_stride = cut->pair.force_count;
  pair.args.after = cut->after;
  pair.args.moved = cut->to;
  pair.args.moved_result = cut->result;
  moved = pair;
  moved.result = convk_cl_at_(moved.work, cut->result);
  if (drift) status = convk_cl_pairs_run_(chain, &moved, &cut->pair, want, cut->pair.force);
  if (!status)
    status = convk_cl_pairs_start_(chain, &pair, "vmc_propose", more, convk_ceil_(pair.args.n * walkers, items), items);
  moved.r = convk_cl_at_(moved.work, cut->to * (sizeof(cl_double) / job->pair.element));
  if (!status) status = convk_cl_pairs_run_(chain, &moved, &cut->pair, want, drift ? cut->after : (size_t)-1);
  return status ? status : convk_cl_pairs_start_(chain, &pair, "vmc_decide", more, walkers, items);
}

/* Checked sweeps of all walkers, as convk.h has those of one: in batches that begin with ln Psi anew. */
CONVK_LOCAL_ int convk_cl_vmc_run_(convk_cl_chain_ *chain, const convk_cl_vmc_ *job, const convk_cl_vmc_cut_ *cut) {
  convk_cl_pair_ pair = job->pair;
  const uint64_t sweep = pair.args.sweep;
  size_t i, next, measured = 0;
  int status = job->count ? CONVK_OK : convk_cl_vmc_begin_(chain, &pair, 1, 0);
  for (i = 0; i < job->count && !status; i = next) {
    const int back = (!i && job->anew) || (sweep + i) % CONVK_VMC_BATCH_ == 0;
    int measures = 0;
    if (!i || back) status = convk_cl_vmc_begin_(chain, &pair, !i, back);
    if (!status && back) {
      pair.result = convk_cl_at_(pair.work, cut->result);
      status = convk_cl_pairs_run_(chain, &pair, &cut->pair, CONVK_PAIR_LN_PSI, (size_t)-1);
      if (!status) status = convk_cl_vmc_renew_(chain, &pair, i || !job->unset);
    }
    for (next = i; next < job->count && !measures && (next == i || (sweep + next) % CONVK_VMC_BATCH_); next++) {
      measures = convk_vmc_measures_(job->vmc, sweep + next);
      if (job->vmc->moves == CONVK_VMC_MOVE_ALL && !status) status = convk_cl_vmc_all_(chain, job, cut, sweep + next);
    }
    if (job->vmc->moves == CONVK_VMC_MOVE_SINGLE && !status) status = convk_cl_vmc_single_(chain, job, sweep + i, next - i);
    if (status || !measures) continue;
    pair.result = convk_cl_at_(job->pair.result.mem, job->pair.result.offset + 9 * measured++ * job->pair.walkers);
    status = convk_cl_pairs_run_(chain, &pair, &cut->pair, CONVK_PAIR_ALL, (size_t)-1);
    if (!status) status = convk_cl_vmc_renew_(chain, &pair, 1);
  }
  return status;
}
