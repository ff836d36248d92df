// The counting of cuda_counts.h. This file is built without the flags of the program that it counts for.

#include "cuda_counts.h"

#include "cuda_accesses.h"

#include <cxxabi.h>
#include <elf.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <unordered_map>

extern "C" const char __ehdr_start[];

namespace convk_counting {

unsigned current;
bool inside = true;
void (*give_way)();

namespace {

enum Kind { kLoad, kStore, kAtomic, kBlock };

struct Site {
  Kind kind;
  unsigned bytes;
};

struct Range {
  uintptr_t begin;
  uintptr_t end;
  bool shared;
  std::vector<bool> loaded; // sectors, of global memory
  std::vector<bool> stored;
};

struct Event {
  uintptr_t address;
  uint32_t site;
  uint32_t range;
};

struct Request {
  uint32_t site;
  uint32_t range;
  uint32_t mask;
  uintptr_t address[32];
};

const unsigned kTable = 1u << 18;
struct Entry {
  uintptr_t key;
  uint32_t site;
};

std::vector<Entry> table;
std::vector<Site> sites;
std::vector<Range> ranges;
std::vector<std::vector<Event>> events; // by thread
std::vector<uint32_t> alive;            // by warp, when its lanes last met
std::vector<Request> requests;
std::vector<std::vector<uint32_t>> slots; // by site, of the k-th time: index in `requests`
std::vector<uint32_t> times;              // by site
std::vector<uint32_t> used;
std::vector<convk_counts> all;
size_t kernel;
unsigned threads;
bool running;

// A place in the code accesses memory of one size in one way, except for block copies, whose pieces get keys of their own.
uint32_t site_of(uintptr_t place, Kind kind, unsigned bytes, unsigned piece) {
  const uintptr_t key = ((place * 4 + uintptr_t(kind)) * 32 + bytes) * 16 + (piece & 15u);
  if (table.empty()) table.assign(kTable, Entry{0, 0});
  size_t i = size_t((key * 0x9e3779b97f4a7c15u) >> 46);
  while (table[i].key != key) {
    if (table[i].key == 0) {
      if (sites.size() > kTable / 2) std::abort();
      table[i].key = key;
      table[i].site = uint32_t(sites.size());
      sites.push_back(Site{kind, bytes});
      break;
    }
    i = (i + 1) % kTable;
  }
  return table[i].site;
}

void access(const void *pointer, size_t bytes, Kind kind, const void *place, unsigned piece) {
  if (inside || !running) return;
  static size_t last = 0;
  const uintptr_t address = reinterpret_cast<uintptr_t>(pointer);
  if (last >= ranges.size() || address - ranges[last].begin >= ranges[last].end - ranges[last].begin) {
    size_t i = 0;
    while (i < ranges.size() && address - ranges[i].begin >= ranges[i].end - ranges[i].begin) ++i;
    if (i == ranges.size()) return;
    last = i;
  }
  const uint32_t site = site_of(reinterpret_cast<uintptr_t>(place), kind, unsigned(bytes), piece);
  events[current].push_back(Event{address, site, uint32_t(last)});
}

void pieces(const void *pointer, size_t bytes, Kind kind, const void *place) {
  unsigned piece = 0;
  for (size_t at = 0, step = 0; at < bytes; at += step) {
    const uintptr_t address = reinterpret_cast<uintptr_t>(pointer) + at;
    for (step = 16; address % step != 0 || step > bytes - at;) step /= 2;
    access(reinterpret_cast<const void *>(address), step, kind, place, ++piece);
  }
}

unsigned unique(uintptr_t *values, unsigned count) {
  std::sort(values, values + count);
  return unsigned(std::unique(values, values + count) - values);
}

void count_global(const Request &r, unsigned bytes, convk_counts_global *c, std::vector<bool> *touched) {
  uintptr_t sectors[32 * 2];
  uintptr_t addresses[32];
  unsigned count = 0;
  unsigned lanes = 0;
  for (unsigned l = 0; l < 32; ++l) {
    if ((r.mask >> l & 1u) == 0) continue;
    addresses[lanes++] = r.address[l];
    sectors[count++] = r.address[l] / 32;
    if ((r.address[l] + bytes - 1) / 32 != r.address[l] / 32) sectors[count++] = r.address[l] / 32 + 1;
  }
  count = unique(sectors, count);
  const uintptr_t first = ranges[r.range].begin / 32;
  for (unsigned i = 0; i < count; ++i) {
    const size_t at = size_t(sectors[i] - first);
    if ((*touched)[at]) continue;
    (*touched)[at] = true;
    ++c->distinct;
  }
  c->requests += 1;
  c->sectors += count;
  c->bytes += uint64_t(lanes) * bytes;
  c->least += (uint64_t(unique(addresses, lanes)) * bytes + 31) / 32;
}

// Different words, and how many wavefronts they take.
unsigned wavefronts_of(const uintptr_t *words, unsigned count) {
  unsigned banks[32] = {0};
  unsigned most = 0;
  for (unsigned i = 0; i < count; ++i) most = std::max(most, ++banks[words[i] % 32]);
  return most;
}

void count_shared(const Request &r, unsigned bytes, convk_counts_shared *c) {
  const unsigned part = bytes <= 4 ? 32 : bytes <= 8 ? 16 : 8;
  uintptr_t words[32 * 5]; // of parts that go together
  unsigned count = 0;
  ++c->requests;
  for (unsigned first = 0; first < 32; first += part) {
    uintptr_t mine[32 * 5];
    uintptr_t both[2 * 32 * 5];
    unsigned alone = 0;
    for (unsigned l = first; l < first + part; ++l) {
      if ((r.mask >> l & 1u) == 0) continue;
      for (uintptr_t w = r.address[l] / 4; w <= (r.address[l] + bytes - 1) / 4; ++w) mine[alone++] = w;
    }
    alone = unique(mine, alone);
    std::copy(words, words + count, both);
    std::copy(mine, mine + alone, both + count);
    const unsigned together = unique(both, count + alone);
    if (wavefronts_of(both, together) > 1) {
      c->wavefronts += wavefronts_of(words, count);
      c->least += (count + 31) / 32;
      std::copy(mine, mine + alone, words);
      count = alone;
    } else {
      std::copy(both, both + together, words);
      count = together;
    }
  }
  c->wavefronts += wavefronts_of(words, count);
  c->least += (count + 31) / 32;
}

void count_request(const Request &r, uint32_t live) {
  convk_counts &c = all[kernel];
  const Site site = sites[r.site];
  if (site.kind == kBlock) {
    ++c.blocks;
    if (r.mask != live) ++c.partial;
    c.lanes += unsigned(__builtin_popcount(r.mask));
  } else if (site.kind == kAtomic) {
    ++c.atomics;
  } else if (ranges[r.range].shared) {
    count_shared(r, site.bytes, site.kind == kLoad ? &c.shared_load : &c.shared_store);
  } else if (site.kind == kLoad) {
    count_global(r, site.bytes, &c.load, &ranges[r.range].loaded);
  } else {
    count_global(r, site.bytes, &c.store, &ranges[r.range].stored);
  }
}

// The demangled name of a function, from the table of symbols of this program; static functions have no other.
std::string name_of(const void *function) {
  static std::vector<char> image;
  char unknown[32];
  std::snprintf(unknown, sizeof unknown, "%p", function);
  if (image.empty()) {
    FILE *const file = std::fopen("/proc/self/exe", "rb");
    if (file == nullptr) return unknown;
    char buffer[65536];
    size_t got = 0;
    while ((got = std::fread(buffer, 1, sizeof buffer, file)) > 0) image.insert(image.end(), buffer, buffer + got);
    std::fclose(file);
  }
  Elf64_Ehdr header;
  std::memcpy(&header, image.data(), sizeof header);
  const uintptr_t base = header.e_type == ET_DYN ? reinterpret_cast<uintptr_t>(__ehdr_start) : 0;
  for (unsigned s = 0; s < header.e_shnum; ++s) {
    Elf64_Shdr section;
    Elf64_Shdr strings;
    std::memcpy(&section, &image[header.e_shoff + s * sizeof section], sizeof section);
    if (section.sh_type != SHT_SYMTAB) continue;
    std::memcpy(&strings, &image[header.e_shoff + section.sh_link * sizeof strings], sizeof strings);
    for (size_t i = 0; i < section.sh_size / sizeof(Elf64_Sym); ++i) {
      Elf64_Sym symbol;
      std::memcpy(&symbol, &image[section.sh_offset + i * sizeof symbol], sizeof symbol);
      if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_value + base != reinterpret_cast<uintptr_t>(function)) {
        continue;
      }
      const char *const mangled = &image[strings.sh_offset + symbol.st_name];
      int status = 0;
      char *const plain = abi::__cxa_demangle(mangled, nullptr, nullptr, &status);
      std::string name = plain != nullptr ? plain : mangled;
      std::free(plain);
      const size_t anonymous = name.find("(anonymous namespace)::");
      if (anonymous != std::string::npos) name.erase(anonymous, 23);
      if (name.compare(0, 5, "void ") == 0) name.erase(0, 5);
      // "name<args>(parameters)": the parameters repeat the arguments
      int depth = 0;
      for (size_t at = 0; at < name.size(); ++at) {
        if (name[at] == '<') ++depth;
        if (name[at] == '>') --depth;
        if (name[at] == '(' && depth == 0) name.erase(at);
      }
      return name;
    }
  }
  return unknown;
}

} // namespace

void launch_begin(const void *function) {
  static std::unordered_map<const void *, std::string> names;
  std::string &name = names[function];
  if (name.empty()) name = name_of(function);
  for (kernel = 0; kernel < all.size() && all[kernel].kernel != name;) ++kernel;
  if (kernel == all.size()) {
    all.push_back(convk_counts());
    all.back().kernel = name;
  }
  ++all[kernel].launches;
  ranges.clear();
  threads = 0;
  running = true;
}

void range(const void *begin, size_t bytes, bool shared) {
  if (bytes == 0) return;
  const uintptr_t first = reinterpret_cast<uintptr_t>(begin);
  const size_t sectors = shared ? 0 : (first + bytes - 1) / 32 - first / 32 + 1;
  ranges.push_back(Range{first, first + bytes, shared, std::vector<bool>(sectors), std::vector<bool>(sectors)});
}

void block_begin(unsigned count, unsigned, unsigned, unsigned) {
  threads = count;
  if (events.size() < count) events.resize(count);
  alive.assign((count + 31) / 32, 0);
  for (unsigned i = 0; i < count; ++i) alive[i / 32] |= 1u << i % 32;
  ++all[kernel].thread_blocks;
  all[kernel].warps += alive.size();
}

void meet(unsigned warp, unsigned live) {
  const unsigned first = warp * 32;
  requests.clear();
  used.clear();
  slots.resize(sites.size());
  for (unsigned l = 0; l < 32 && first + l < threads; ++l) {
    std::vector<Event> &mine = events[first + l];
    times.assign(sites.size(), 0);
    for (size_t i = 0; i < mine.size(); ++i) {
      const Event &event = mine[i];
      std::vector<uint32_t> &slot = slots[event.site];
      const uint32_t k = times[event.site]++;
      if (k == slot.size()) {
        if (k == 0) used.push_back(event.site);
        slot.push_back(uint32_t(requests.size()));
        requests.push_back(Request());
        requests.back().site = event.site;
        requests.back().range = event.range;
      }
      Request &r = requests[slot[k]];
      r.mask |= 1u << l;
      r.address[l] = event.address;
    }
    mine.clear();
  }
  for (size_t i = 0; i < requests.size(); ++i) count_request(requests[i], alive[warp]);
  for (size_t i = 0; i < used.size(); ++i) slots[used[i]].clear();
  alive[warp] = live;
}

void barrier() { ++all[kernel].barriers; }

void launch_end() { running = false; }

void bring(const void *to, const void *from, size_t bytes, const void *place) {
  pieces(from, bytes, kLoad, place);
  pieces(to, bytes, kStore, place);
}

// What counts do not depend on.
void order(unsigned, unsigned, bool) {}
void fence() {}
void brought(const void *, size_t, const void *) {}
void written(const void *, size_t) {}
void allocated(const void *, size_t) {}
void forget(const void *) {}

void atomic(const void *address, size_t bytes, const void *place) { access(address, bytes, kAtomic, place, 0); }

} // namespace convk_counting

void convk_counts_reset() { convk_counting::all.clear(); }

const std::vector<convk_counts> &convk_counts_all() { return convk_counting::all; }

convk_counts convk_counts_of(const char *part) {
  for (size_t i = 0; i < convk_counting::all.size(); ++i) {
    if (convk_counting::all[i].kernel.find(part) != std::string::npos) return convk_counting::all[i];
  }
  return convk_counts();
}

void convk_counts_json(FILE *file, const char *name) {
  for (size_t i = 0; i < convk_counting::all.size(); ++i) {
    const convk_counts &c = convk_counting::all[i];
    std::fprintf(file, "{\"case\":\"%s\",\"kernel\":\"%s\"", name, c.kernel.c_str());
    const struct {
      const char *name;
      uint64_t value;
    } values[] = {{"launches", c.launches},
                  {"thread_blocks", c.thread_blocks},
                  {"warps", c.warps},
                  {"load_requests", c.load.requests},
                  {"load_sectors", c.load.sectors},
                  {"load_bytes", c.load.bytes},
                  {"load_least_sectors", c.load.least},
                  {"load_distinct_sectors", c.load.distinct},
                  {"store_requests", c.store.requests},
                  {"store_sectors", c.store.sectors},
                  {"store_bytes", c.store.bytes},
                  {"store_least_sectors", c.store.least},
                  {"store_distinct_sectors", c.store.distinct},
                  {"shared_load_requests", c.shared_load.requests},
                  {"shared_load_wavefronts", c.shared_load.wavefronts},
                  {"shared_load_least_wavefronts", c.shared_load.least},
                  {"shared_store_requests", c.shared_store.requests},
                  {"shared_store_wavefronts", c.shared_store.wavefronts},
                  {"shared_store_least_wavefronts", c.shared_store.least},
                  {"atomics", c.atomics},
                  {"blocks", c.blocks},
                  {"partial_blocks", c.partial},
                  {"lanes", c.lanes},
                  {"barriers", c.barriers}};
    for (size_t v = 0; v < sizeof values / sizeof *values; ++v) {
      std::fprintf(file, ",\"%s\":%llu", values[v].name, static_cast<unsigned long long>(values[v].value));
    }
    std::fprintf(file, "}\n");
  }
}

#include "cuda_accesses_calls.h"

extern "C" void __sanitizer_cov_trace_pc() {
  using namespace convk_counting;
  if (inside || !running) return;
  const uint32_t site = site_of(reinterpret_cast<uintptr_t>(__builtin_return_address(0)), kBlock, 0, 0);
  events[current].push_back(Event{0, site, 0});
}
