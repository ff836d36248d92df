/* Counts that MPI's int does not hold: examples/mpi/ranks.h passes INT_MAX on, and refuses one more, which no grid of a test's size
 * has. */
#define _GNU_SOURCE
#include "convk.h"
#define PROGRAM "ranks_count"
#include "examples/mpi/ranks.h"

int main(int argc, char **argv) {
  ranks_begin(&argc, &argv);
  if (ranks_count("--n", INT_MAX) == INT_MAX) puts("the largest count passes");
  fflush(stdout);
  (void)ranks_count("--n", (size_t)INT_MAX + 1);
  puts("more passes, too");
  ranks_leave(0);
  return 0;
}
