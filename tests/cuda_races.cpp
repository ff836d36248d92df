// The detector of cuda_races.h. This file is built without the flags of the program that it watches.

#include "cuda_races.h"

#include "cuda_accesses.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

extern "C" const char __ehdr_start[];

namespace convk_counting {

unsigned current;
bool inside = true;
void (*give_way)();

namespace {

enum Kind { kLoad, kStore, kAtomic };
const unsigned kWarp = 32;

// An access. Blocks have numbers of their own over all launches; time goes on whenever threads of a block meet.
struct Stamp {
  uint32_t block = 0; // 0: there was none
  uint32_t time = 0;
  uint32_t place = 0; // in the program, from its beginning
  uint16_t thread = 0;
  bool atomic = false;
};

// Of four bytes: the last write, and the reads since then that are not known to come before one another, by the lanes of one warp
// (the last of them, and the time of each) and by any other warp.
struct Cell {
  Stamp write, read, other;
  uint32_t lanes = 0; // index in lane_times, if more than one lane reads
  uint32_t block = 0; // of shared memory: whose it was
};

struct LaneTimes {
  uint32_t mask = 0;
  uint32_t place[kWarp];
  uint32_t time[kWarp];
};

struct Memory {
  uintptr_t begin = 0, end = 0;
  bool shared = false;
  std::vector<Cell> cells;
  std::vector<bool> written; // words, by anybody
};

// What a thread knows to be done when it passes a fence: all that its block did before `floor`, its own warp's lanes up to
// `lane`.
struct Publication {
  uint32_t block = 0, floor = 0;
  uint16_t warp = 0;
  uint32_t lane[kWarp];
  bool covers(const Stamp &s) const {
    return s.block == block && (s.time <= floor || (s.thread / kWarp == warp && s.time <= lane[s.thread % kWarp]));
  }
};
typedef std::map<uint64_t, Publication> Known; // by block and thread
typedef std::shared_ptr<const Known> KnownPointer;

std::map<uintptr_t, Memory> memories;
std::vector<Memory *> ranges; // of this launch, by address
std::unordered_map<uintptr_t, Cell> small_cells;
std::vector<LaneTimes> lane_times(1);
std::vector<uint32_t> free_lanes;
std::unordered_map<uintptr_t, Known> signals; // what was published before atomic operations on an address

const void *kernel;
uint32_t first_block = 1, block, now, floor_time;
unsigned threads;
std::vector<std::array<unsigned, 3>> places_of_blocks;
std::vector<uint32_t> known; // by thread: the time up to which it knows what each lane of its warp did
std::vector<KnownPointer> acquired, seen, published;
bool running;
const bool watching = std::getenv("CONVK_RACES") == nullptr || std::strcmp(std::getenv("CONVK_RACES"), "no") != 0;

struct Finding {
  const char *what;
  const void *kernel;
  bool shared;
  size_t offset, bytes;
  Stamp first, second;
  std::array<unsigned, 3> first_block, second_block;
};
std::vector<Finding> findings;
std::set<std::string> met; // what was found already, at which places
unsigned repeated;

std::array<unsigned, 3> block_of(const Stamp &s) {
  const std::array<unsigned, 3> none = {{0, 0, 0}};
  return s.block < first_block ? none : places_of_blocks[s.block - first_block];
}

void find(const char *what, const Memory &m, uintptr_t address, size_t bytes, const Stamp &first, const Stamp &second) {
  char key[256];
  std::snprintf(key, sizeof key, "%s %p %u %u", what, kernel, first.place, second.place);
  if (!met.insert(key).second) {
    ++repeated;
    return;
  }
  findings.push_back(
      Finding{what, kernel, m.shared, address - m.begin, bytes, first, second, block_of(first), block_of(second)});
}

bool before(const Stamp &s, unsigned thread) { // what `thread` does now
  if (s.block < first_block) return true;
  if (s.block == block) {
    if (s.thread == thread || s.time <= floor_time) return true;
    if (s.thread / kWarp == thread / kWarp && s.time <= known[thread * kWarp + s.thread % kWarp]) return true;
  }
  if (!acquired[thread]) return false;
  for (const auto &one : *acquired[thread]) {
    if (one.second.covers(s)) return true;
  }
  return false;
}

void drop_lanes(Cell *cell) {
  if (cell->lanes == 0) return;
  free_lanes.push_back(cell->lanes);
  cell->lanes = 0;
}

uint32_t new_lanes() {
  if (free_lanes.empty()) {
    lane_times.push_back(LaneTimes());
    return uint32_t(lane_times.size() - 1);
  }
  const uint32_t index = free_lanes.back();
  free_lanes.pop_back();
  lane_times[index].mask = 0;
  return index;
}

bool same_warp(const Stamp &a, const Stamp &b) { return a.block == b.block && a.thread / kWarp == b.thread / kWarp; }

void set_lane(LaneTimes *times, const Stamp &s) {
  const unsigned lane = s.thread % kWarp;
  times->mask |= 1u << lane;
  times->time[lane] = s.time;
  times->place[lane] = s.place;
}

void note_read(Cell *cell, const Stamp &mine) {
  if (cell->read.block == 0 || before(cell->read, mine.thread)) {
    bool all = true; // lanes before the last one
    for (unsigned l = 0; cell->lanes != 0 && l < kWarp; ++l) {
      Stamp s = cell->read;
      s.thread = uint16_t(s.thread / kWarp * kWarp + l);
      s.time = lane_times[cell->lanes].time[l];
      if ((lane_times[cell->lanes].mask >> l & 1u) != 0 && !before(s, mine.thread)) all = false;
    }
    if (all) {
      drop_lanes(cell);
      cell->read = mine;
      return;
    }
  }
  if (same_warp(cell->read, mine)) {
    if (cell->lanes == 0) {
      cell->lanes = new_lanes();
      set_lane(&lane_times[cell->lanes], cell->read);
    }
    set_lane(&lane_times[cell->lanes], mine);
    cell->read = mine;
  } else if (cell->other.block == 0 || before(cell->other, mine.thread)) {
    cell->other = mine;
  }
}

// The read that is not known to come before what `thread` does, if there is one.
bool concurrent_read(const Cell &cell, unsigned thread, Stamp *which) {
  if (cell.lanes != 0) {
    const LaneTimes &times = lane_times[cell.lanes];
    *which = cell.read;
    for (unsigned l = 0; l < kWarp; ++l) {
      if ((times.mask >> l & 1u) == 0) continue;
      which->thread = uint16_t(cell.read.thread / kWarp * kWarp + l);
      which->time = times.time[l];
      which->place = times.place[l];
      if (!before(*which, thread)) return true;
    }
  } else if (cell.read.block != 0 && !before(cell.read, thread)) {
    *which = cell.read;
    return true;
  }
  *which = cell.other;
  return cell.other.block != 0 && !before(cell.other, thread);
}

void check(const Memory &m, Cell *cell, uintptr_t address, size_t bytes, Kind kind, const Stamp &mine) {
  if (m.shared && cell->block != block) {
    drop_lanes(cell);
    *cell = Cell();
    cell->block = block;
  }
  if (cell->write.block != 0 && !(kind == kAtomic && cell->write.atomic) && !before(cell->write, mine.thread)) {
    find(kind == kLoad ? "read after write" : "write after write", m, address, bytes, cell->write, mine);
  }
  if (kind == kLoad) {
    note_read(cell, mine);
    return;
  }
  Stamp read;
  if (concurrent_read(*cell, mine.thread, &read)) find("write after read", m, address, bytes, read, mine);
  drop_lanes(cell);
  cell->read = cell->other = Stamp();
  cell->write = mine;
}

// Where no memory is that counts, around the last address that was in none: most accesses are to stacks of threads, side by side.
uintptr_t gap_begin, gap_end;
size_t last_range;

Memory *memory_of(uintptr_t address) {
  if (address - gap_begin < gap_end - gap_begin) return nullptr;
  if (last_range < ranges.size()) {
    Memory *const m = ranges[last_range];
    if (address - m->begin < m->end - m->begin) return m;
  }
  size_t low = 0, high = ranges.size();
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (ranges[middle]->end <= address) low = middle + 1;
    else high = middle;
  }
  if (low == ranges.size() || address < ranges[low]->begin) {
    gap_begin = low == 0 ? 0 : ranges[low - 1]->end;
    gap_end = low == ranges.size() ? UINTPTR_MAX : ranges[low]->begin;
    return nullptr;
  }
  last_range = low;
  return ranges[low];
}

// Whether these bytes hold what somebody has written; shared memory in this block.
void check_written(const Memory &m, uintptr_t address, size_t bytes, const Stamp &mine) {
  const size_t first = (address - m.begin) / 4, last = (address + bytes - 1 - m.begin) / 4;
  for (size_t w = first; w <= last; ++w) {
    if (m.shared ? m.cells[w].write.block == block : m.written[w]) continue;
    find(m.shared ? "read of shared memory before any write" : "read of device memory that nobody has written", m, address,
         bytes, Stamp(), mine);
    return;
  }
}

void access(const void *pointer, size_t bytes, Kind kind, const void *place, unsigned) {
  if (inside || !running || bytes == 0) return;
  const uintptr_t address = reinterpret_cast<uintptr_t>(pointer);
  Memory *const m = memory_of(address);
  if (m == nullptr || address + bytes > m->end) return;
  if (give_way != nullptr) give_way();
  if (!watching) return;
  if (m->cells.empty()) m->cells.resize((m->end - m->begin + 3) / 4);
  Stamp mine;
  mine.block = block;
  mine.time = now;
  mine.place = uint32_t(reinterpret_cast<uintptr_t>(place) - reinterpret_cast<uintptr_t>(__ehdr_start));
  mine.thread = uint16_t(current);
  mine.atomic = kind == kAtomic;
  const bool small = bytes < 4 || (address - m->begin) % 4 != 0;
  if (kind != kStore && !small) check_written(*m, address, bytes, mine);
  if (small) {
    for (uintptr_t a = address; a < address + bytes; ++a) check(*m, &small_cells[a], a, 1, kind, mine);
  } else {
    for (uintptr_t a = address; a < address + bytes; a += 4) check(*m, &m->cells[(a - m->begin) / 4], a, bytes, kind, mine);
  }
  if (kind == kLoad || m->shared) return;
  for (size_t w = (address - m->begin) / 4; w <= (address + bytes - 1 - m->begin) / 4; ++w) m->written[w] = true;
}

void pieces(const void *pointer, size_t bytes, Kind kind, const void *place) { access(pointer, bytes, kind, place, 0); }

void join(KnownPointer *into, const KnownPointer &more) {
  if (!more || *into == more) return;
  if (!*into) {
    *into = more;
    return;
  }
  std::shared_ptr<Known> both = std::make_shared<Known>(**into);
  for (const auto &one : *more) {
    Publication &mine = (*both)[one.first];
    if (mine.block == 0 || mine.floor < one.second.floor || mine.lane[0] < one.second.lane[0]) mine = one.second;
  }
  *into = both;
}

std::string run(const std::string &command) {
  std::string text;
  FILE *const pipe = popen(command.c_str(), "r");
  char buffer[512];
  while (pipe != nullptr && std::fgets(buffer, sizeof buffer, pipe) != nullptr) text += buffer;
  if (pipe != nullptr) pclose(pipe);
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

// File and line of a place, innermost first; of functions of the emulator, which kernels call, those are left out.
std::string place_text(uint32_t place) {
  char exe[4096], command[4400];
  const ssize_t length = readlink("/proc/self/exe", exe, sizeof exe - 1);
  exe[length < 0 ? 0 : length] = 0;
  std::snprintf(command, sizeof command,
                "addr2line -i -s -e '%s' 0x%x 2>/dev/null | sed 's/ (discrim.*//' | grep -v '^cuda_emulator.h' | tr '\\n' ' '",
                exe, place - 1);
  const std::string text = run(command);
  return text.empty() ? "an unknown place" : text;
}

std::string thread_text(const Stamp &s, const std::array<unsigned, 3> &b) {
  char text[96];
  std::snprintf(text, sizeof text, "thread %u of block (%u,%u,%u)", s.thread, b[0], b[1], b[2]);
  return text;
}

std::string kernel_text(const void *function) {
  char exe[4096], command[4400];
  const ssize_t length = readlink("/proc/self/exe", exe, sizeof exe - 1);
  exe[length < 0 ? 0 : length] = 0;
  std::snprintf(command, sizeof command, "addr2line -C -f -e '%s' 0x%zx 2>/dev/null | head -n 1", exe,
                size_t(reinterpret_cast<uintptr_t>(function) - reinterpret_cast<uintptr_t>(__ehdr_start)));
  std::string name = run(command);
  const size_t anonymous = name.find("(anonymous namespace)::");
  if (anonymous != std::string::npos) name.erase(anonymous, 23);
  if (name.compare(0, 5, "void ") == 0) name.erase(0, 5);
  return name.substr(0, name.find('('));
}

std::string text_of(const Finding &f) {
  char where[96];
  std::snprintf(where, sizeof where, " of %zu bytes at byte %zu of %s memory", f.bytes, f.offset,
                f.shared ? "shared" : "device");
  std::string text = std::string(f.what) + where + " in " + kernel_text(f.kernel) + "\n    " + place_text(f.second.place) +
                     "by " + thread_text(f.second, f.second_block);
  if (f.first.block != 0) text += "\n    after " + place_text(f.first.place) + "by " + thread_text(f.first, f.first_block);
  return text;
}

void at_end() {
  convk_races_print();
  if (findings.empty()) return;
  std::fflush(nullptr);
  _exit(1);
}

} // namespace

void launch_begin(const void *function) {
  static const bool registered = std::atexit(at_end) == 0;
  (void)registered;
  if (!watching && give_way == nullptr) return; // accesses are nothing to anybody
  kernel = function;
  ranges.clear();
  gap_begin = gap_end = 0;
  places_of_blocks.clear();
  signals.clear();
  small_cells.clear();
  first_block = block + 1;
  running = true;
}

void allocated(const void *begin, size_t bytes) {
  Memory &m = memories[reinterpret_cast<uintptr_t>(begin)];
  m = Memory();
  m.begin = reinterpret_cast<uintptr_t>(begin);
  m.end = m.begin + bytes;
  m.written.assign((bytes + 3) / 4, false);
}

void range(const void *begin, size_t bytes, bool shared) {
  if (bytes == 0 || !running) return;
  Memory &m = memories[reinterpret_cast<uintptr_t>(begin)];
  if (m.end != reinterpret_cast<uintptr_t>(begin) + bytes) allocated(begin, bytes);
  m.shared = shared;
  const auto place =
      std::upper_bound(ranges.begin(), ranges.end(), &m, [](const Memory *a, const Memory *b) { return a->begin < b->begin; });
  ranges.insert(place, &m);
}

void block_begin(unsigned count, unsigned x, unsigned y, unsigned z) {
  if (!watching) return;
  ++block;
  const std::array<unsigned, 3> place = {{x, y, z}};
  places_of_blocks.push_back(place);
  threads = count;
  now = 1;
  floor_time = 0;
  known.assign(size_t(count + kWarp - 1) / kWarp * kWarp * kWarp, 0);
  acquired.assign(count, nullptr);
  seen.assign(count, nullptr);
  published.assign(count, nullptr);
}

void order(unsigned warp, unsigned lanes, bool memory) {
  if (!memory || !watching) return;
  const unsigned first = warp * kWarp;
  uint32_t all[kWarp] = {0};
  KnownPointer together;
  for (unsigned l = 0; l < kWarp; ++l) {
    if ((lanes >> l & 1u) == 0) continue;
    for (unsigned k = 0; k < kWarp; ++k) all[k] = std::max(all[k], known[(first + l) * kWarp + k]);
    join(&together, acquired[first + l]);
  }
  for (unsigned l = 0; l < kWarp; ++l) {
    if ((lanes >> l & 1u) != 0) all[l] = now;
  }
  for (unsigned l = 0; l < kWarp; ++l) {
    if ((lanes >> l & 1u) == 0) continue;
    std::copy(all, all + kWarp, &known[(first + l) * kWarp]);
    acquired[first + l] = together;
  }
  ++now;
}

void meet(unsigned, unsigned) {}

void barrier() {
  if (!watching) return;
  KnownPointer together;
  for (const KnownPointer &one : acquired) join(&together, one);
  for (KnownPointer &one : acquired) one = together;
  floor_time = now++;
}

// Publishes what this thread knows, and takes in what it has seen published.
void fence() {
  if (!watching || !running) return;
  join(&acquired[current], seen[current]);
  std::shared_ptr<Known> mine = acquired[current] ? std::make_shared<Known>(*acquired[current]) : std::make_shared<Known>();
  Publication p;
  p.block = block;
  p.floor = floor_time;
  p.warp = uint16_t(current / kWarp);
  std::copy(&known[current * kWarp], &known[current * kWarp] + kWarp, p.lane);
  p.lane[current % kWarp] = now;
  (*mine)[uint64_t(block) << 16 | current] = p;
  published[current] = mine;
  ++now;
}

void launch_end() { running = false; }

void atomic(const void *address, size_t bytes, const void *place) {
  if (!running) return;
  access(address, bytes, kAtomic, place, 0);
  if (!watching) return;
  Known &signal = signals[reinterpret_cast<uintptr_t>(address)];
  if (!signal.empty()) join(&seen[current], std::make_shared<Known>(signal));
  if (!published[current]) return;
  for (const auto &one : *published[current]) signal[one.first] = one.second;
}

void bring(const void *to, const void *from, size_t bytes, const void *place) {
  access(from, bytes, kLoad, place, 0);
  access(to, bytes, kStore, place, 0);
}

void brought(const void *to, size_t bytes, const void *place) {
  const bool was = inside;
  inside = false;
  access(to, bytes, kStore, place, 0);
  inside = was;
}

void written(const void *begin, size_t bytes) {
  const uintptr_t address = reinterpret_cast<uintptr_t>(begin);
  auto after = memories.upper_bound(address);
  if (bytes == 0 || after == memories.begin()) return;
  Memory &m = std::prev(after)->second;
  if (address + bytes > m.end) return;
  for (size_t w = (address - m.begin) / 4; w <= (address + bytes - 1 - m.begin) / 4; ++w) m.written[w] = true;
}

void forget(const void *begin) { memories.erase(reinterpret_cast<uintptr_t>(begin)); }

} // namespace convk_counting

unsigned convk_races_found() { return unsigned(convk_counting::findings.size()); }

unsigned convk_races_found_of(const char *part) {
  unsigned count = 0;
  for (const auto &f : convk_counting::findings) {
    if (convk_counting::text_of(f).find(part) != std::string::npos) ++count;
  }
  return count;
}

void convk_races_print() {
  using namespace convk_counting;
  const size_t most = 40;
  for (size_t i = 0; i < findings.size() && i < most; ++i)
    std::fprintf(stderr, "cuda races: %s\n", text_of(findings[i]).c_str());
  if (findings.empty()) return;
  std::fprintf(stderr, "cuda races: %zu findings, %u more at the same places\n", findings.size(), repeated);
}

void convk_races_reset() {
  convk_counting::findings.clear();
  convk_counting::met.clear();
  convk_counting::repeated = 0;
}

#include "cuda_accesses_calls.h"
