/* What the benchmarks of devices share: options, lines, medians, and rates that were predicted; measurements are in
   device_families.h.  A benchmark defines BENCH_HW, "cuda" or "opencl", then includes this text. */
#ifndef BENCH_DEVICE_H
#define BENCH_DEVICE_H

#include <algorithm>
#include <chrono>
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "inputs.h"

static const char *device_error(void); /* of the last call that failed, for people */

/* ---- options ---- */

static struct {
  const char *filter, *device, *predicted;
  FILE *json;
  int quick, tune; /* quick: few rounds of small arrays */
  int rounds, name_width;
} opt;

static void must(int ok, const char *what) {
  if (ok) return;
  fprintf(stderr, "bench_" BENCH_HW ": %s: %s\n", what, device_error());
  exit(1);
}

/* --tune where a device's file has something to tune. */
static void read_options(int argc, char **argv, int can_tune) {
  opt.rounds = 9;
  opt.name_width = 24;
  for (int i = 1; i < argc; i++) {
    const char *value = i + 1 < argc ? argv[i + 1] : NULL;
    if (!strcmp(argv[i], "--quick")) {
      opt.rounds = 3;
      opt.quick = 1;
      continue;
    }
    if (can_tune && !strcmp(argv[i], "--tune")) {
      opt.tune = 1;
      opt.name_width = 54;
      continue;
    }
    if (value && !strcmp(argv[i], "--filter")) opt.filter = value;
    else if (value && !strcmp(argv[i], "--device")) opt.device = value;
    else if (value && !strcmp(argv[i], "--predicted")) opt.predicted = value;
    else if (value && !strcmp(argv[i], "--json")) {
      opt.json = fopen(value, "w");
      if (!opt.json) {
        perror(value);
        exit(1);
      }
    } else {
      fprintf(stderr, "usage: bench_" BENCH_HW " [--quick] %s[--filter TEXT] [--device N] [--json FILE] [--predicted FILE]\n",
              can_tune ? "[--tune] " : "");
      exit(1);
    }
    i++;
  }
}

/* Whether --filter lets an operation through. */
static int wanted(const char *operation) { return !opt.filter || strstr(operation, opt.filter) != NULL; }

/* ---- rates that were predicted ---- */

/* The value of a key of a JSON object, without quotes, as text that ends where the value does. */
static std::string value_of(const char *line, const char *key) {
  const std::string quoted = std::string("\"") + key + "\"";
  const char *at = strstr(line, quoted.c_str());
  if (!at) return "";
  at += quoted.size();
  at += strspn(at, " :");
  if (*at == '"') return std::string(at + 1, strcspn(at + 1, "\""));
  return std::string(at, strcspn(at, ",} \n"));
}

/* The lines of --predicted FILE: one object on each, with operation, type, size ("*": any), rate and unit, and with arch where it
   is for one compute capability (90 is 9.0); others are passed over.  Lines may be for a device, by a part of its name: where
   none is for this one, those of the first device count. */
struct prediction {
  std::string operation, type, size, unit, device;
  double rate;
};
static std::vector<prediction> predictions;

static void choose_device(const char *name) {
  std::string chosen;
  for (size_t i = 0; i < predictions.size(); i++) {
    const std::string &device = predictions[i].device;
    if (!device.empty() && (chosen.empty() || strstr(name, device.c_str()))) chosen = device;
  }
  if (chosen.empty()) return;
  printf("predictions are those of: %s\n", chosen.c_str());
  predictions.erase(std::remove_if(predictions.begin(), predictions.end(),
                                   [&](const prediction &p) { return !p.device.empty() && p.device != chosen; }),
                    predictions.end());
}

static void read_predictions(int arch, const char *name) {
  char line[4096];
  FILE *file = opt.predicted ? fopen(opt.predicted, "r") : NULL;
  if (opt.predicted && !file) {
    perror(opt.predicted);
    exit(1);
  }
  while (file && fgets(line, sizeof line, file)) {
    prediction p = {value_of(line, "operation"), value_of(line, "type"),   value_of(line, "size"),
                    value_of(line, "unit"),      value_of(line, "device"), 0};
    const std::string only = value_of(line, "arch");
    p.rate = atof(value_of(line, "rate").c_str());
    if (p.rate > 0 && (only.empty() || atoi(only.c_str()) == arch)) predictions.push_back(p);
  }
  if (file) fclose(file);
  choose_device(name);
}

/* Whether there is one, of this size before any size. */
static int predicted(const char *operation, const char *type, const char *size, const char *unit, double *rate) {
  int found = 0;
  for (size_t i = 0; i < predictions.size(); i++) {
    const prediction &p = predictions[i];
    const int exact = p.size == size;
    if (p.operation != operation || p.type != type || p.unit != unit) continue;
    if (!exact && (found || p.size != "*")) continue;
    *rate = p.rate;
    if (exact) return 1;
    found = 1;
  }
  return found;
}

/* ---- lines ---- */

/* bound: what the ceiling was measured with; NULL: the line is a ceiling itself, without an error.  peer: NULL, or a name. */
static void line(const char *operation, const char *type, const char *size, double rate, const char *unit, double ceiling,
                 const char *bound, double error, const char *peer = NULL, double peer_rate = 0) {
  double expected = 0;
  const int known = predicted(operation, type, size, unit, &expected);
  printf("%-*s %-3s %-8s   1 %-16s %9.4g %-7s", opt.name_width, operation, type, BENCH_HW, size, rate, unit);
  if (bound) printf("  %5.1f%% of %8.4g (%s)", 100 * rate / ceiling, ceiling, bound);
  if (known) printf("  %5.1f%% of predicted %.4g", 100 * rate / expected, expected);
  if (peer) printf("  %6.2f x %s", rate / peer_rate, peer);
  if (bound) printf("  error %.1e", error);
  printf("\n");
  fflush(stdout);
  if (!opt.json) return;
  fprintf(opt.json,
          "{\"operation\":\"%s\",\"type\":\"%s\",\"hw\":\"%s\",\"threads\":1,\"size\":\"%s\",\"rate\":%.6g,\"unit\":\"%s\"",
          operation, type, BENCH_HW, size, rate, unit);
  if (bound) fprintf(opt.json, ",\"ceiling\":%.6g,\"ceiling_unit\":\"%s\",\"fraction\":%.4g", ceiling, unit, rate / ceiling);
  if (known) fprintf(opt.json, ",\"predicted\":%.6g,\"of_predicted\":%.4g", expected, rate / expected);
  if (peer) fprintf(opt.json, ",\"peer\":\"%s\",\"peer_rate\":%.6g,\"ratio\":%.4g", peer, peer_rate, rate / peer_rate);
  if (bound) fprintf(opt.json, ",\"max_error\":%.3g", error);
  fprintf(opt.json, "}\n");
  fflush(opt.json); /* what was measured stays, whatever follows */
}

/* The first line: names may hold what JSON may not.  arch: ten times the compute capability, or 0. */
static void machine(const char *name, int arch, const char *compiler) {
  printf("%s\n", name);
  read_predictions(arch, name);
  if (!opt.json) return;
  fprintf(opt.json, "{\"machine\":\"");
  for (; *name; name++)
    if ((unsigned char)*name >= ' ' && *name != '"' && *name != '\\') fputc(*name, opt.json);
  fprintf(opt.json, "\",\"threads\":1,\"compiler\":\"%s\",\"pages\":\"device\"}\n", compiler);
}

static double median(std::vector<double> v) {
  std::sort(v.begin(), v.end());
  return v[v.size() / 2];
}

/* Milliseconds of each of so many calls of what `run` starts, by events of the device. */
template <class Run> static double milliseconds(int calls, const Run &run);

/* Medians of milliseconds of a call and of its ceiling, in turns. */
template <class Run, class Ceiling>
static void medians(int calls, const Run &run, const Ceiling &ceiling, double *time, double *bound) {
  std::vector<double> t, b;
  if (opt.quick) calls = 1;
  for (int r = -1; r < opt.rounds; r++) { /* the first is not counted */
    const double of_ceiling = milliseconds(calls, ceiling), of_call = milliseconds(calls, run);
    if (r < 0) continue;
    b.push_back(of_ceiling);
    t.push_back(of_call);
  }
  *time = median(t);
  *bound = median(b);
}

/* ---- inputs ---- */

enum { GRID_ORBITALS, GRID_DENSITY, GRID_POINT_K }; /* what is made of Gaussians on a grid */

/* The same on the host and on the device: what is a host's array in one of CUDA and OpenCL may be the device's in the other. */
template <class T> struct on_device;
template <class T> struct both {
  std::vector<T> here;
  on_device<T> there;
  explicit both(const std::vector<T> &v) : here(v), there(v) {}
};

#endif
