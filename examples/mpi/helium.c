/* Helium on many processes: the clusters and the liquid of ../helium.c, whose walkers are spread over the ranks.
 *   mpirun -n RANKS helium N [options of ../helium.c] [--every SECONDS] [--progress] [--json FILE]
 *   mpirun -n RANKS helium --resume FILE [--sweeps M] [--time SECONDS] [--checkpoint FILE] [--every SECONDS] [--output PREFIX]
 *            [--hw NAME] [--threads N] [--progress] [--json FILE]
 * Each rank has some walkers, in their order, and sums over all walkers are made by a tree that does not depend on who has which:
 * with the same seed the energies, the table and the picture are the same to the last bit for all numbers of ranks and threads, and
 * for ../helium.c. Ranks beyond the number of walkers are idle.
 * A checkpoint is written by all ranks together every --every seconds (60) and at the end. Any number of ranks goes on with it, and
 * so does ../helium.c. Where a rank dies, the launcher ends the job, and the last checkpoint is whole.
 * SIGTERM, SIGINT or SIGUSR1 to any rank ends the run cleanly in all of them; launchers such as mpirun and srun hand these on.
 * --progress: rank 0 says now and then how far it is; on a terminal it always does. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* for the processors of a rank */
#endif
#ifdef SMPI_HELPERS_H /* joins are real in a simulated run, too: its ranks must not share their large arrays */
#undef malloc
#undef calloc
#undef realloc
#undef free
#endif

#define CONVK_WITH_VMC
#define CONVK_SIMD
#include "convk.h"

#define PROGRAM "helium"
#include "ranks.h"
#include "../helium.h"

#define AT_ONCE ((uint64_t)1 << 30) /* bytes: MPI counts in int */

/* ---- what travels ---- */

/* Records of the library become one. */
typedef struct joint {
  MPI_Op op;
  ranks_time *time;
} joint;

static void both(void *before, void *record, int *count, MPI_Datatype *type) {
  (void)count; /* a record is one element */
  (void)type;
  convk_vmc_join(before, record);
}

static int join(void *ctx, void *record, size_t bytes) {
  const joint *j = (const joint *)ctx;
  const double start = seconds();
  MPI_Datatype type;
  MPI_Type_contiguous((int)bytes, MPI_BYTE, &type);
  MPI_Type_commit(&type);
  if (job.nodes > 1 && job.in_order) { /* first within nodes, whose ranks share one adapter */
    MPI_Reduce(job.local ? record : MPI_IN_PLACE, record, 1, type, j->op, 0, job.node_ranks);
    if (!job.local) {
      MPI_Allreduce(MPI_IN_PLACE, record, 1, type, j->op, job.node_firsts);
    }
    MPI_Bcast(record, 1, type, 0, job.node_ranks);
  } else {
    MPI_Allreduce(MPI_IN_PLACE, record, 1, type, j->op, MPI_COMM_WORLD);
  }
  MPI_Type_free(&type);
  j->time->communication += seconds() - start;
  return CONVK_OK;
}

static joint joining;

/* Shares that differ by one walker at most; rank 0 always has some. */
static void share_walkers(run *r) {
  const size_t ranks = (size_t)job.count, rank = (size_t)job.rank, least = r->s.vmc.walkers / ranks,
               more = r->s.vmc.walkers % ranks;
  convk_vmc_part *p = &r->s.vmc.part;
  if (ranks > 1) {
    p->first = rank * least + (rank < more ? rank : more);
    p->walkers = least + (rank < more);
    p->join = join;
    p->ctx = &joining;
  }
}

static int largest(int mine) {
  int most;
  MPI_Allreduce(&mine, &most, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  return most;
}

static int enough(void) { return largest(interrupted); }

/* Rank 0 gets all counts, and the others begin anew. */
static void gather_profile(run *r) {
  profile *p = &r->p;
  const int counts = (int)(sizeof p->count / sizeof(uint64_t)), squares = (int)(sizeof p->squares / sizeof(uint64_t));
  MPI_Reduce(job.rank ? (void *)p->count : MPI_IN_PLACE, p->count, counts, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
  MPI_Reduce(job.rank ? (void *)p->squares : MPI_IN_PLACE, p->squares, squares, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
  if (job.rank) {
    memset(p->count, 0, sizeof p->count);
    memset(p->squares, 0, sizeof p->squares);
  } else {
    carry_all(p);
  }
}

/* ---- checkpoints ---- */

/* What went wrong in any rank ends all. */
static void require_file(int status, const char *path, const char *what) {
  char text[MPI_MAX_ERROR_STRING] = "";
  int kind = MPI_SUCCESS, length;
  if (status != MPI_SUCCESS) {
    MPI_Error_class(status, &kind);
  }
  kind = largest(kind);
  if (kind != MPI_SUCCESS) {
    MPI_Error_string(kind, text, &length);
    fail(1, path, "%s: %s", what, text);
  }
}

static void save(run *r, const char *path, double *communication) {
  const double start = seconds();
  char *name = beside(path);
  part own, *list = (part *)memory((size_t)job.count, sizeof *list);
  unsigned char *head;
  size_t parts = 0, size;
  uint64_t most = 0, at;
  MPI_File file;
  int status;
  if (!job.rank) { /* what MPI says of a bad place is less clear */
    FILE *out = fopen(name, "wb");
    if (!out || fclose(out)) {
      fail(1, name, "cannot be written: %s", strerror(errno));
    }
  }
  gather_profile(r);
  memset(&own, 0, sizeof own);
  own.bytes = r->state_size;
  own.first = r->s.vmc.part.first;
  own.walkers = walkers_here(r);
  MPI_Allgather(&own, sizeof own, MPI_BYTE, list, sizeof own, MPI_BYTE, MPI_COMM_WORLD);
  while (parts < (size_t)job.count && list[parts].walkers) { /* idle ranks are the last */
    most = list[parts].bytes > most ? list[parts].bytes : most;
    parts++;
  }
  make_head(r, list, parts, &head, &size);
  status = MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
  require_file(status, name, "cannot be written");
  if (!job.rank) {
    status = MPI_File_write_at(file, 0, head, (int)size, MPI_BYTE, MPI_STATUS_IGNORE);
  }
  for (at = 0; at < most; at += AT_ONCE) {
    const uint64_t left = own.walkers && at < own.bytes ? own.bytes - at : 0;
    const MPI_Offset to = (MPI_Offset)(left ? list[job.rank].at + at : 0);
    const int bad = MPI_File_write_at_all(file, to, left ? (char *)r->state + at : NULL, (int)(left < AT_ONCE ? left : AT_ONCE),
                                          MPI_BYTE, MPI_STATUS_IGNORE);
    status = status == MPI_SUCCESS ? bad : status;
  }
  require_file(status, name, "cannot be written");
  require_file(MPI_File_sync(file), name, "cannot be written");
  require_file(MPI_File_close(&file), name, "cannot be written");
  if (!job.rank) {
    put_there(name, path, 1);
  }
  free(head);
  free(list);
  free(name);
  *communication += seconds() - start;
}

/* Bytes of a file, for this rank alone. */
static int read_at(MPI_File file, uint64_t at, unsigned char *to, uint64_t bytes, int *whole_) {
  int status = MPI_SUCCESS;
  while (bytes && *whole_ && status == MPI_SUCCESS) {
    const int some = (int)(bytes < AT_ONCE ? bytes : AT_ONCE);
    MPI_Status found;
    int have = 0;
    status = MPI_File_read_at(file, (MPI_Offset)at, to, some, MPI_BYTE, &found);
    if (status == MPI_SUCCESS) {
      MPI_Get_count(&found, MPI_BYTE, &have);
    }
    *whole_ = have == some;
    at += (uint64_t)some;
    to += some;
    bytes -= (uint64_t)some;
  }
  return status;
}

/* Rank 0 reads the head for all; then each rank reads the parts that its walkers are in. */
static void load(run *r, const char *path) {
  unsigned char *head = NULL;
  uint64_t size = 0, end, first;
  size_t parts, k, taken = 0;
  int status, is_whole = 1, ok = CONVK_OK;
  MPI_File file;
  part *list;
  if (!job.rank) {
    FILE *in = open_checkpoint(path);
    size_t bytes;
    head = read_head(in, path, &bytes);
    size = bytes;
    fclose(in);
  }
  MPI_Bcast(&size, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
  if (job.rank) {
    head = (unsigned char *)memory((size_t)size, 1);
  }
  MPI_Bcast(head, (int)size, MPI_BYTE, 0, MPI_COMM_WORLD);
  list = take_head(r, head, (size_t)size, path, &parts);
  share_walkers(r);
  if (job.rank) { /* the sums are rank 0's */
    memset(r->p.count, 0, sizeof r->p.count);
    memset(r->p.squares, 0, sizeof r->p.squares);
  }
  make_room(r);
  status = MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  require_file(status, path, "cannot be read");
  first = r->s.vmc.part.first;
  end = first + walkers_here(r);
  for (k = 0; k < parts && status == MPI_SUCCESS && is_whole && !ok; k++) {
    const part *p = list + k;
    unsigned char *bytes;
    if (first == end ? k > 0 : p->first >= end || p->first + p->walkers <= first) { /* who is idle wants a head only */
      continue;
    }
    bytes = (unsigned char *)memory((size_t)p->bytes, 1);
    status = read_at(file, p->at, bytes, p->bytes, &is_whole);
    if (status == MPI_SUCCESS && is_whole) {
      ok = take_part(r, bytes, (size_t)p->bytes, &taken);
    }
    free(bytes);
  }
  require_file(status, path, "cannot be read");
  require(!largest(!is_whole), path, "is cut off");
  ok = ok ? ok : check(r);
  require_ok(-largest(-ok), path); /* statuses are negative */
  MPI_File_close(&file);
  free(head);
  free(list);
}

/* ---- what is done ---- */

/* Pairs of all ranks; a simulated run has two atoms, and `scale` times as many pairs are counted. */
static double pairs_of(const run *r, double scale) { return scale * results(r).pairs; }

/* Where a launcher takes standard error there is no terminal: lines, whenever a tenth more time is gone. */
static void show(const run *r, const course *c, int watched, double *shown) {
  if (watched && c->now - *shown > 0.2) {
    fputc('\r', stderr);
    progress(r, c, "\033[K");
    *shown = c->now;
  } else if (!watched && c->now - c->begun > 1.1 * (*shown - c->begun) + 1) {
    progress(r, c, "\n");
    *shown = c->now;
  }
}

/* Sweeps until all are done, the time is over, or somebody has had enough. Between batches of them ranks agree: rank 0 knows the
 * time, and any rank may have got a signal. */
static void go(run *r, double limit, const char *checkpoint, double every, double scale, ranks_time *t) {
  const int watched = !job.rank && isatty(STDERR_FILENO), shows = ranks_watched();
  const double share = (double)walkers_here(r) / (double)r->s.vmc.walkers;
  double shown, saved;
  uint64_t said[3]; /* stop; sweeps until the next time, none: time is over; save */
  course c;
  ranks_start(t);
  c = set_course(r, limit);
  if (job.rate > 0) { /* of long runs the first batches, which are shorter, tell nothing */
    c.batch = EVERY;
  }
  shown = saved = c.begun;
  said[0] = 0;
  while (c.done < c.total) {
    double start = seconds();
    said[0] = (uint64_t)interrupted;
    said[1] = job.rank || c.now - c.begun >= limit ? 0 : c.batch;
    said[2] = !job.rank && checkpoint && c.now - saved > every;
    MPI_Allreduce(MPI_IN_PLACE, said, 3, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD);
    t->communication += seconds() - start;
    if (said[0] || !said[1]) {
      break;
    }
    if (said[2]) {
      save(r, checkpoint, &t->communication);
      saved = c.now;
    }
    while (said[1] && c.done < c.total) {
      const uint64_t some = job.rate > 0 && said[1] > EVERY ? (uint64_t)EVERY : said[1];
      const double before = job.rate > 0 ? pairs_of(r, scale) : 0;
      advance(r, &c, some);
      if (job.rate > 0) {
        ranks_simulated(share * (pairs_of(r, scale) - before));
      }
      said[1] -= some;
    }
    look_at_clock(&c);
    if (shows) {
      show(r, &c, watched, &shown);
    }
  }
  ranks_stop(t);
  if (watched) {
    fprintf(stderr, "\r\033[K");
  }
  if (checkpoint) {
    double after = 0;
    save(r, checkpoint, &after);
  }
  if (!job.rank && !(job.rate > 0)) {
    say_end(r, &c, said[0] != 0);
  }
}

int main(int argc, char **argv) {
  const char *checkpoint;
  double limit, every, scale = 1, pairs, share;
  char idle[64] = "";
  ranks_time t;
  wishes o;
  run *r;
  memset(&t, 0, sizeof t);
  ranks_begin(&argc, &argv);
  MPI_Op_create(both, 0, &joining.op);
  joining.time = &t;
  o = read_wishes(argc, argv);
  checkpoint = o.checkpoint ? o.checkpoint : o.resume;
  limit = o.time ? number(o.time, "--time", 1e-3, 1e9) : HUGE_VAL;
  every = o.every ? number(o.every, "--every", 0, 1e9) : 60;
  job.rate = o.simulate ? number(o.simulate, "--simulate", 1, 1e30) : 0;
  r = (run *)memory(1, sizeof *r);
  if (o.resume) {
    resume(r, &o);
  } else {
    set_up(r, &o);
    if (job.rate > 0) { /* what travels does not depend on the atoms */
      const double n = (double)r->s.vmc.system.particles;
      scale = 0.5 * n * (n - 1);
      r->s.vmc.system.particles = 2;
      r->s.vmc.system.trial = default_trial(2);
      checkpoint = NULL;
    }
    share_walkers(r);
    set_out(r);
  }
  ranks_open(&r->hw, o.hw, o.threads);
  job.alike = 1;
  prepare(r);
  catch_signal(SIGINT, (int)SA_RESTART); /* a launcher that wants to kill has SIGKILL */
  catch_signal(SIGTERM, (int)SA_RESTART);
  catch_signal(SIGUSR1, (int)SA_RESTART);
  if ((size_t)job.count > r->s.vmc.walkers) {
    snprintf(idle, sizeof idle, ", idle ranks: %lu", (unsigned long)((size_t)job.count - r->s.vmc.walkers));
  }
  say("%-14s%s, ranks: %d, threads of each: %d%s\n", "hardware:", r->hw.name, job.count, threads_of(&r->hw), idle);
  introduce(r, o.minimise);
  if (checkpoint) { /* places that cannot be written are found now */
    save(r, checkpoint, &t.communication);
  }
  if (!job.rank && !(job.rate > 0)) {
    probe(o.output);
  }
  pairs = pairs_of(r, scale);
  go(r, limit, checkpoint, every, scale, &t);
  if (!(job.rate > 0)) {
    gather_profile(r);
    if (!job.rank) {
      report(r, o.output);
    }
  }
  share = (double)walkers_here(r) / (double)r->s.vmc.walkers;
  ranks_table(&r->hw, &t, share * (pairs_of(r, scale) - pairs), "pairs", o.json);
  MPI_Op_free(&joining.op);
  free_run(r);
  return ranks_end();
}
