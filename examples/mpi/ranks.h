/* What the programs of several ranks share: how they begin and end, errors, the hardware of each rank, times, and the table at
 * the end. Before this text come convk.h, the program's name as PROGRAM, and _GNU_SOURCE, for the processors of a rank.
 * A program compiled for SimGrid (smpicc) has --simulate RATE: kernels are not run, their time is work / RATE. */
#ifndef RANKS_H
#define RANKS_H

#include <mpi.h>

/* before options.h, whose errors end all ranks */
#define LEAVE(status) ranks_leave(status)
#define SAY(text) ranks_say_error(text)
#define HELP(text) say("%s\n", text)
static inline void ranks_leave(int status);
static inline void ranks_say_error(const char *text);
static inline void say(const char *format, ...);
#ifdef SMPI_H
#define option program_option /* SimGrid has included getopt.h, which has a struct of that name */
#endif
#include "../options.h"

#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The ranks of the job, and those of the same node, which share its processors and devices. */
typedef struct ranks_job {
  int rank, count, local, local_count;
  int node_number, nodes; /* this rank's node, of how many */
  int alike_nodes;        /* 1: all nodes have as many ranks */
  int in_order;           /* 1: those of the first node come first, then those of the second, and so on */
  MPI_Comm node_ranks;    /* the ranks of this node */
  MPI_Comm node_firsts;   /* the first ranks of all nodes; not for others */
  int alike;              /* still doing the same as all others, so that rank 0 can speak for them */
  double rate;            /* of a simulated kernel, in units of work per second; 0: kernels are run */
  int progress;           /* --progress was given */
  const char *devices;    /* that of --devices, or NULL */
  int device;             /* the number of this rank's, or -1: the first, or none */
  double said;            /* when rank 0 last said how far it is */
  char node[64];
} ranks_job;
static ranks_job job;

/* ---- errors ---- */

/* One rank's error ends all. As long as all do the same, all have it, and rank 0 speaks for them: the others speak only if they
 * are still there after two seconds. */
static inline void ranks_say_error(const char *text) {
  signal(SIGTERM, SIG_DFL); /* the launcher ends ranks by it, also in programs that catch it */
  if (job.alike && job.rank) {
    sleep(2);
  }
  if (job.alike && !job.rank) {
    fprintf(stderr, PROGRAM ": %s\n", text);
  } else {
    fprintf(stderr, PROGRAM ": rank %d of %d, on %s: %s\n", job.rank, job.count, job.node, text);
  }
  fflush(stderr);
}

/* All ranks come here, each with a status of its own: where one is not 0, rank 0 says why that of the first such rank is not, and
 * all end with it. */
static inline void ranks_agree(int status, const char *what, const char *why) {
  int first = status ? job.rank : job.count;
  char text[1024];
  MPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (first == job.count) {
    return;
  }
  snprintf(text, sizeof text, "rank %d of %d, on %s: %.300s: %.600s", job.rank, job.count, job.node, what, why);
  MPI_Bcast(text, (int)sizeof text, MPI_CHAR, first, MPI_COMM_WORLD);
  MPI_Bcast(&status, 1, MPI_INT, first, MPI_COMM_WORLD);
  if (!job.rank) {
    fflush(stdout);
    fprintf(stderr, PROGRAM ": %s\n", text);
    fflush(stderr);
  }
  MPI_Barrier(MPI_COMM_WORLD); /* nobody ends before it is said: a launcher may end the others then */
  MPI_Finalize();
  exit(status);
}

static inline void ranks_leave(int status) {
  if (status) {
    MPI_Abort(MPI_COMM_WORLD, status);
  }
  MPI_Finalize();
  exit(status);
}

/* ---- the beginning ---- */

static inline void ranks_begin(int *argc, char ***argv) {
  int given, node[3], most, alike, length = 0; /* node: its number, of how many, and the rank of its first */
  char name[MPI_MAX_PROCESSOR_NAME];
  MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &given);
  MPI_Comm_rank(MPI_COMM_WORLD, &job.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &job.count);
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, job.rank, MPI_INFO_NULL, &job.node_ranks);
  MPI_Comm_rank(job.node_ranks, &job.local);
  MPI_Comm_size(job.node_ranks, &job.local_count);
  MPI_Comm_split(MPI_COMM_WORLD, job.local ? MPI_UNDEFINED : 0, job.rank, &job.node_firsts);
  node[2] = job.rank;
  if (!job.local) {
    MPI_Comm_rank(job.node_firsts, &node[0]);
    MPI_Comm_size(job.node_firsts, &node[1]);
  }
  MPI_Bcast(node, 3, MPI_INT, 0, job.node_ranks);
  job.node_number = node[0];
  job.nodes = node[1];
  MPI_Allreduce(&job.local_count, &most, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  job.alike_nodes = most * job.nodes == job.count;
  alike = job.rank == node[2] + job.local;
  MPI_Allreduce(&alike, &job.in_order, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  MPI_Get_processor_name(name, &length);
  snprintf(job.node, sizeof job.node, "%.*s", length, name);
  job.alike = 1;
}

/* printf by rank 0. */
static inline void say(const char *format, ...) {
  va_list arguments;
  if (!job.rank) {
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    fflush(stdout);
  }
}

/* ---- sizes ---- */

/* N, for a cube, or NXxNYxNZ: points along x, y and z. */
static inline void grid_sizes(const char *text, const char *name, size_t n[3]) {
  unsigned long size[3];
  int read = 0, d;
  if (sscanf(text, "%lux%lux%lu%n", &size[0], &size[1], &size[2], &read) != 3 || text[read]) {
    size[0] = size[1] = size[2] = (unsigned long)whole(text, name, 1, 100000);
  }
  for (d = 0; d < 3; d++) {
    require(size[d] >= 1 && size[d] <= 100000, name, "N or NXxNYxNZ is wanted, 1..100000 each");
    n[d] = size[d];
  }
}

/* ---- the hardware ---- */

/* The processors that this rank may use. A launcher that binds ranks has told the system; where all ranks of a node have the whole
 * of it, each takes its share, so that the threads of two ranks never meet. */
static inline int ranks_processors(void) {
#if defined __linux__ && !defined SMPI_H
  cpu_set_t may, mine;
  int have, each, seen = 0;
  size_t k;
  if (sched_getaffinity(0, sizeof may, &may)) {
    return 1;
  }
  have = CPU_COUNT(&may);
  each = have / job.local_count;
  if (have < sysconf(_SC_NPROCESSORS_ONLN) || each < 1) { /* bound, or more ranks than processors */
    return have < sysconf(_SC_NPROCESSORS_ONLN) ? have : 1;
  }
  CPU_ZERO(&mine);
  for (k = 0; k < CPU_SETSIZE; k++) {
    if (CPU_ISSET(k, &may) && seen++ / each == job.local) {
      CPU_SET(k, &mine);
    }
  }
  sched_setaffinity(0, sizeof mine, &mine);
  return each;
#else
  return 1;
#endif
}

/* The number of this rank's device in a list as 0,0,1, which has one for each rank of a node. */
static inline int ranks_listed(const char *list) {
  int count = 0, mine = -1, bad = 0, wrong;
  const char *p = list;
  char why[512] = "";
  do {
    char *end;
    const long number = strtol(p, &end, 10);
    bad |= *p < '0' || *p > '9' || number > 9999 || (*end && *end != ',');
    mine = count == job.local ? (int)number : mine;
    count++;
    p = end + (*end == ',');
    bad |= *end == ',' && !*p;
  } while (!bad && *p);
  if (bad) {
    fail(BAD_OPTIONS, "--devices", "whole numbers with commas between them are wanted, as 0,0,1, not %s", list);
  }
  wrong = count != job.local_count;
  if (wrong) {
    snprintf(why, sizeof why,
             "%s has %d device%s for the %d rank%s of this node: each wants one, and several may have the same", list, count,
             count == 1 ? "" : "s", job.local_count, job.local_count == 1 ? "" : "s");
  }
  ranks_agree(wrong ? BAD_OPTIONS : 0, "--devices", why);
  return mine;
}

/* The processor's variant that `spec` names, the best for NULL; "cuda" and "opencl" are the devices of this rank: the first rank
 * of a node takes the first of --devices, the second the next one, and so on; without that list device 0, 1, and so on. */
static inline void ranks_open(convk *hw, const char *spec, const char *threads) {
  const int mine = ranks_processors();
  const int device = spec && (strcmp(spec, "cuda") == 0 || strcmp(spec, "opencl") == 0);
  const char *colon = spec ? strchr(spec, ':') : NULL;
  char name[32], count[16], why[512] = "";
  int status;
  require_option(device || !job.devices, "--devices", "goes with --hw cuda or --hw opencl, without a number there");
  job.device = device ? job.devices ? ranks_listed(job.devices) : job.local : colon ? atoi(colon + 1) : -1;
  snprintf(name, sizeof name, device ? "%.20s:%d" : "%.20s", spec ? spec : "", job.device);
  snprintf(count, sizeof count, "%d", mine);
#ifdef CONVK_OPENMP
  threads = threads ? threads : count;
#endif
  if (device) { /* each has one of its own */
    status = try_hardware(hw, name, why);
    ranks_agree(status, name, why);
    set_threads(hw, threads);
  } else {
    open_hardware(hw, spec ? name : NULL, threads);
  }
  job.alike = 0;
}

/* ---- time ---- */

/* Seconds of this rank. */
typedef struct ranks_time {
  double start, total;  /* of the part that counts */
  double communication; /* waiting for others, included */
} ranks_time;

static inline void ranks_start(ranks_time *t) {
  MPI_Barrier(MPI_COMM_WORLD);
  memset(t, 0, sizeof *t);
  t->start = seconds();
}
static inline void ranks_stop(ranks_time *t) {
  t->total = seconds() - t->start;
  if (job.said > 0 && isatty(STDERR_FILENO)) { /* no progress any more */
    fprintf(stderr, "\r\033[K");
  }
}

/* Whether the kernel under way is simulated: then its time has passed. */
static inline int ranks_simulated(double work) {
#ifdef SMPI_H
  if (job.rate > 0) {
    const double time = work / job.rate;
    struct timespec pause;
    pause.tv_sec = (time_t)time;
    pause.tv_nsec = (long)(1e9 * (time - (double)pause.tv_sec));
    nanosleep(&pause, NULL);
    return 1;
  }
#endif
  (void)work;
  return 0;
}

/* Memory of simulated messages: all ranks have the same, and nothing is copied. */
static inline void *ranks_message(size_t bytes) {
#ifdef SMPI_H
  return SMPI_SHARED_MALLOC(bytes);
#else
  return memory(bytes, 1);
#endif
}

/* So many elements, in the int that MPI takes: more are refused. */
static inline int ranks_count(const char *option, size_t n) {
  if (n > INT_MAX) {
    fail(BAD_OPTIONS, option, "%llu elements side by side, and MPI counts to %d: more ranks or a smaller grid are wanted",
         (unsigned long long)n, INT_MAX);
  }
  return (int)n;
}

/* A part of an array of three axes, the last one contiguous, as a message. Simulated messages have its size, but all the same
 * memory. */
static inline void ranks_box(MPI_Datatype *type, MPI_Datatype element, const int sizes[3], const int count[3],
                             const int first[3]) {
  if (job.rate > 0) {
    MPI_Type_contiguous(ranks_count("--n", (size_t)count[0] * (size_t)count[1] * (size_t)count[2]), element, type);
  } else {
    MPI_Type_create_subarray(3, sizes, count, first, MPI_ORDER_C, element, type);
  }
  MPI_Type_commit(type);
}

/* Whether rank 0 shall say how far it is: on a terminal, or wherever --progress is given, since launchers make standard error a
 * pipe. */
static inline int ranks_watched(void) { return !job.rank && !(job.rate > 0) && (job.progress || isatty(STDERR_FILENO)); }

/* So much of all, 0..1, since `start`: twice a second on one line of a terminal, else every ten seconds. */
static inline void ranks_progress(double done, double start) {
  const double now = seconds();
  if (ranks_watched() && now - job.said > (isatty(STDERR_FILENO) ? 0.5 : 10) && now - start > 0.5 && done > 0) {
    fprintf(stderr, isatty(STDERR_FILENO) ? "\r%5.1f %%, about %.0f s left \033[K" : "%5.1f %%, about %.0f s left\n",
            100 * done, (now - start) * (1 - done) / done);
    job.said = now;
  }
}

/* Options of all programs; one is for those that are compiled for the simulator. */
#define RANKS_DEVICES \
  {"--devices", &job.devices, NULL, "N,N,...", \
   "with --hw cuda or opencl: the device of each rank of a node; 0,1,... by itself"},
#ifdef SMPI_H
#define RANKS_OPTIONS(rate) \
  RANKS_DEVICES{"--progress", NULL, &job.progress, NULL, "also where standard error is no terminal"}, \
      {"--simulate", &rate, NULL, "RATE", "of a simulated processor"},
#else
#define RANKS_OPTIONS(rate) RANKS_DEVICES{"--progress", NULL, &job.progress, NULL, "also where standard error is no terminal"},
#endif

/* ---- the table at the end ---- */

/* work: of this rank, in `unit`, a thousand millions of which are a giga-unit. With `json`, one line of it is appended to that
 * file. */
static inline void ranks_table(convk *hw, const ranks_time *mine, double work, const char *unit, const char *json) {
  const double compute = mine->total - mine->communication;
  double own[4], *all = (double *)memory((size_t)job.count, sizeof own), longest = 0, share = 0, busiest = 0, busy = 0, sum = 0;
  int r;
  own[0] = mine->total;
  own[1] = mine->communication;
  own[2] = compute;
  own[3] = work;
  MPI_Gather(own, 4, MPI_DOUBLE, all, 4, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  for (r = 0; r < job.count && !job.rank; r++) {
    const double *o = all + 4 * r;
    longest = o[0] > longest ? o[0] : longest;
    busiest = o[2] > busiest ? o[2] : busiest;
    busy += o[2] / job.count;
    share += o[0] > 0 ? o[1] / o[0] / job.count : 0;
    sum += o[3];
  }
  if (!job.rank) {
    const double imbalance = busy > 0 ? busiest / busy - 1 : 0, rate = longest > 0 ? 1e-9 * sum / longest : 0;
    char text[32];
    snprintf(text, sizeof text, "G%s/s", unit);
    printf("%6s %8s  %-10s %10s %14s %14s %10s\n", "ranks", "threads", "hardware", "time/s", text, "communication",
           "imbalance");
    printf("%6d %8d  %-10s %10.4g %14.4g %12.1f %% %8.1f %%\n", job.count, threads_of(hw), hw->name, longest, rate, 100 * share,
           100 * imbalance);
    if (json) {
      FILE *file = fopen(json, "a");
      require_written(file != NULL, json);
      fprintf(file,
              "{\"program\":\"" PROGRAM
              "\",\"ranks\":%d,\"threads\":%d,\"hw\":\"%s\",\"simulated\":%s,\"time\":%.6g,\"rate\":%.6g,\"unit\":\"%s\","
              "\"communication\":%.4g,\"imbalance\":%.4g}\n",
              job.count, threads_of(hw), hw->name, job.rate > 0 ? "true" : "false", longest, rate, text, share, imbalance);
      require_written(fclose(file) == 0, json);
    }
  }
  free(all);
}

static inline int ranks_end(void) {
  MPI_Comm_free(&job.node_ranks);
  if (job.node_firsts != MPI_COMM_NULL) {
    MPI_Comm_free(&job.node_firsts);
  }
  MPI_Finalize();
  return 0;
}

#endif
