/* Clusters of helium atoms, or the liquid, by variational Monte Carlo: the energy of a trial function with its error bar, where
 * the atoms are, and a picture of them.
 *   helium N [--potential hfdhe2|hfdb|lm2m2|lj|FILE] [--trial P5,P2,P0,P1] [--box DENSITY] [--minimise]
 *            [--walkers W] [--sweeps M] [--equilibrate M] [--seed S] [--moves single|all] [--drift] [--precision f64|mixed]
 *            [--time SECONDS] [--checkpoint FILE] [--every SECONDS] [--output PREFIX] [--hw NAME] [--threads N]
 *   helium --resume FILE [--sweeps M] [--time SECONDS] [--checkpoint FILE] [--every SECONDS] [--output PREFIX] [--hw NAME]
 *            [--threads N]
 * Angstrom and K, energies per atom. ln Psi is the sum over pairs of -p5 / r^5 - p2 / r^2 - p0 ln r - p1 r. A FILE of a potential
 * has lines "r V" at equal steps. A box is periodic, and has its density in atoms per cubic Angstrom.
 * PREFIX.txt has the density about the centre of mass and the density of the others seen from an atom, PREFIX.xyz and PREFIX.png
 * one walker. Ctrl-C (or SIGTERM) ends a run cleanly, with what it has and with status 0; a second
 * one kills. A checkpoint is written every minute and at the end; --resume goes on with one to the same bits, and on writing it
 * unless --checkpoint names another; mpi/helium.c goes on with it on many processes. With the same seed everything but the lines
 * "hardware" and "time" is the same for all numbers of threads. Status 1: something failed; 2: options that make no sense. */
#define _XOPEN_SOURCE 600 /* for signals, and a clock that only moves forward */

#define CONVK_WITH_VMC
#define CONVK_SIMD
#include "convk.h"

#define PROGRAM "helium"
#include "options.h"
#include "helium.h"

static int enough(void) { return interrupted; }

/* ---- checkpoints ---- */

static void save(const run *r, const char *path) {
  char *name = beside(path);
  FILE *out = fopen(name, "wb");
  unsigned char *head;
  size_t size;
  part all;
  int good;
  if (!out) {
    fail(1, name, "cannot be written: %s", strerror(errno));
  }
  memset(&all, 0, sizeof all);
  all.bytes = r->state_size;
  all.walkers = r->s.vmc.walkers;
  make_head(r, &all, 1, &head, &size);
  good = fwrite(head, 1, size, out) == size && fwrite(r->state, 1, r->state_size, out) == r->state_size;
  good &= fflush(out) == 0 && fsync(fileno(out)) == 0;
  good &= fclose(out) == 0;
  put_there(name, path, good);
  free(head);
  free(name);
}

static void load(run *r, const char *path) {
  FILE *in = open_checkpoint(path);
  unsigned char *head;
  size_t size, parts, k, taken = 0;
  part *list;
  head = read_head(in, path, &size);
  list = take_head(r, head, size, path, &parts);
  make_room(r);
  for (k = 0; k < parts; k++) {
    void *bytes = memory((size_t)list[k].bytes, 1);
    read_bytes(in, path, bytes, (size_t)list[k].bytes);
    require_ok(take_part(r, bytes, (size_t)list[k].bytes, &taken), path);
    free(bytes);
  }
  require_ok(check(r), path);
  fclose(in);
  free(head);
  free(list);
}

/* ---- what is done ---- */

/* Sweeps until all are done, the time is over, or the user stops the program. */
static void go(run *r, double limit, const char *checkpoint, double every) {
  const int watched = isatty(STDERR_FILENO);
  course c = set_course(r, limit);
  double shown = c.begun, saved = c.begun;
  fflush(stdout);
  while (c.done < c.total && !interrupted && c.now - c.begun < limit) {
    advance(r, &c, c.batch);
    look_at_clock(&c);
    if (watched && c.now - shown > 0.2) {
      fputc('\r', stderr);
      progress(r, &c, "\033[K");
      shown = c.now;
    }
    if (checkpoint && c.now - saved > every) {
      save(r, checkpoint);
      saved = c.now;
    }
  }
  if (watched) {
    fprintf(stderr, "\r\033[K");
  }
  if (checkpoint) {
    save(r, checkpoint);
  }
  say_end(r, &c, interrupted);
}

int main(int argc, char **argv) {
  const wishes o = read_wishes(argc, argv);
  const char *checkpoint = o.checkpoint ? o.checkpoint : o.resume;
  const double limit = o.time ? number(o.time, "--time", 1e-3, 1e9) : HUGE_VAL;
  const double every = o.every ? number(o.every, "--every", 0, 1e9) : 60;
  run *r = (run *)memory(1, sizeof *r);
  if (o.resume) {
    resume(r, &o);
  } else {
    set_up(r, &o);
    set_out(r);
  }
  open_hardware(&r->hw, o.hw, o.threads);
  prepare(r);
  catch_signal(SIGINT, (int)(SA_RESETHAND | SA_RESTART)); /* a second signal ends the program at once */
  catch_signal(SIGTERM, (int)(SA_RESETHAND | SA_RESTART));
  printf("%-14s%s, threads: %d\n", "hardware:", r->hw.name, threads_of(&r->hw));
  introduce(r, o.minimise);
  if (checkpoint) { /* files that cannot be written are an error now, and not after the run */
    save(r, checkpoint);
  }
  probe(o.output);
  go(r, limit, checkpoint, every);
  report(r, o.output);
  free_run(r);
  return 0;
}
