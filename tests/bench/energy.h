/* Joules that the processor's packages took, where Linux lets them be read: energy_uj below /sys/class/powercap/intel-rapl:N, on
   processors by Intel and AMD alike (often by root alone, and seldom in virtual machines).  A counter begins again at 0 after
   max_energy_range_uj, some minutes under load, so that it is read around everything that is timed.  It counts all that runs on the
   package, and its idle part. */
#ifndef BENCH_ENERGY_H
#define BENCH_ENERGY_H

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ENERGY_DIRECTORY "/sys/class/powercap"

typedef struct {
  double joules, seconds; /* of all that was timed */
} energy_spent;

enum { ENERGY_MOST = 16 }; /* packages */
static struct {
  int packages;
  char path[ENERGY_MOST][512]; /* of energy_uj */
  double last[ENERGY_MOST], range[ENERGY_MOST], joules;
} energy;

/* The number in a file, or -1. */
static double energy_number(const char *path) {
  char text[64] = "";
  FILE *f = fopen(path, "r");
  char *end = text;
  double v = -1;
  if (!f) return -1;
  if (fgets(text, sizeof text, f)) v = strtod(text, &end);
  fclose(f);
  return end == text ? -1 : v;
}

/* Whether an entry is a package and not a part of one, which it holds already, or the whole machine, which holds all. */
static int energy_is_package(const char *directory, const char *entry) {
  char path[512], name[64] = "package";
  FILE *f;
  if (strncmp(entry, "intel-rapl:", 11) || strchr(entry + 11, ':')) return 0;
  snprintf(path, sizeof path, "%.300s/%.100s/name", directory, entry);
  f = fopen(path, "r");
  if (!f) return 1;
  if (!fgets(name, sizeof name, f)) name[0] = 0;
  fclose(f);
  return !strncmp(name, "package", 7);
}

static void energy_open(const char *directory) {
  DIR *dir = opendir(directory);
  const struct dirent *entry;
  while (dir && (entry = readdir(dir)) != NULL && energy.packages < ENERGY_MOST) {
    const int i = energy.packages;
    char range[512];
    if (!energy_is_package(directory, entry->d_name)) continue;
    snprintf(energy.path[i], sizeof energy.path[i], "%.300s/%.100s/energy_uj", directory, entry->d_name);
    snprintf(range, sizeof range, "%.300s/%.100s/max_energy_range_uj", directory, entry->d_name);
    energy.last[i] = energy_number(energy.path[i]);
    energy.range[i] = energy_number(range);
    if (energy.last[i] >= 0) energy.packages++;
  }
  if (dir) closedir(dir);
}

/* Joules since the beginning; a counter that went back without a range, or is not there any more, adds none. */
static double energy_now(void) {
  for (int i = 0; i < energy.packages; i++) {
    const double now = energy_number(energy.path[i]), range = energy.range[i];
    if (now < 0) continue;
    if (now >= energy.last[i]) energy.joules += 1e-6 * (now - energy.last[i]);
    else if (range >= energy.last[i]) energy.joules += 1e-6 * (range - energy.last[i] + now);
    energy.last[i] = now;
  }
  return energy.joules;
}

#endif
