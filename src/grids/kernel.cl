#include "device/preamble.cl"
#include "words/opencl.cl"
#include "elementary/exponential.h"
#include "gaussian/element.h"
#include "gaussian/point.h"
#define CONVK_SHELL_MAX_L MAX_L
#include "device/arguments.h"
#include "grids/device_types.h"
#include "grids/both.h"
#include "grids/point.h"
#include "grids/arguments.h"

/* ---- Gaussians on grids ---- */

#define AXES(work, args) ((global const convk_grids_axis_device_ *)((work) + (args).axes))
#define VALUES(work, args) ((global T *)((work) + (args).values))

#ifdef GRIDS_TABLES
/* Tables of a group along an axis, an item for a point. */
kernel void grids_tables(const CONVK_ARGUMENTS_(grids) args, global uchar *work, ulong line0) {
  global const convk_grids_axis_device_ *axis = AXES(work, args) + (line0 + get_global_id(1));
  const ulong at = get_global_id(0);
  if (at < axis->count) convk_grids_table_point_(KINDS, axis, at, args.cut, VALUES(work, args) + axis->table + at);
}
#endif

#ifdef GRIDS_MAXIMA
/* The largest exponential of each tile of an axis of a group. */
kernel void grids_maxima(const CONVK_ARGUMENTS_(grids) args, global uchar *work, ulong line0) {
  global const convk_grids_axis_device_ *axis = AXES(work, args) + (line0 + get_global_id(1));
  global T *values = VALUES(work, args);
  const ulong tile = get_global_id(0), low = axis->low;
  ulong i = max(tile * axis->tile, low), end = min((tile + 1) * axis->tile, low + axis->count);
  T maximum = 0;
  if (tile >= axis->tiles) return;
  for (; i < end; i++) maximum = max(maximum, values[axis->table + axis->size + (i - low)]);
  values[axis->maxima + tile] = maximum;
}
#endif

#ifdef GRIDS_LISTS
/* The tables of groups that are alive in a tile, in order. */
CONVK_GROUP_KERNEL_ grids_lists(const CONVK_ARGUMENTS_(grids) args, global uchar *work, ulong line0) {
  local uint counts[ITEMS];
  global const T *values = VALUES(work, args);
  const ulong x = get_group_id(0), line = line0 + get_group_id(1), y = line % args.tiles[1], z = line / args.tiles[1];
  const ulong tile = line * args.tiles[0] + x;
  global uint *list = (global uint *)(work + args.lists) + tile * args.ntables;
  const int item = (int)get_local_id(0);
  uint all = 0;
  ulong g0;
  for (g0 = 0; g0 < args.groups; g0 += ITEMS) {
    global const convk_grids_axis_device_ *axis = AXES(work, args) + 3 * min(g0 + item, args.groups - 1);
    const T ez = values[axis[2].maxima + z] * values[axis[0].maxima + x];
    const int alive = g0 + item < args.groups && values[axis[1].maxima + y] * ez >= args.cut;
    uint k, before = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    counts[item] = alive ? (uint)axis->rows : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (k = 0; k < (uint)item; k++) before += counts[k];
    for (k = 0; alive && k < axis->rows; k++) list[all + before + k] = (uint)axis->first + k;
    for (k = 0; k < ITEMS; k++) all += counts[k];
  }
  if (item == 0) ((global uint *)(work + args.counts))[tile] = all;
}
#endif

/* What the items of a group share; one alone has it for itself. */
#if ITEMS > 1
#define NEAR local
#define WAIT barrier(CLK_LOCAL_MEM_FENCE)
#define UNROLL_X _Pragma("unroll")
#else
#define NEAR private
#define WAIT
#define UNROLL_X
#endif

#ifdef GRIDS_CELL
/* General cells: an item makes VX points of a row, of WIDE orbitals or of a density of all; KINDS: 1, 5, or 2 of complex
   numbers.  LX VX points of LY rows are a group's; images come through local memory, QUEUE at a time. */
#define CELL(work, args) ((global const convk_cells_device_ *)((work) + (args)->cell))
#define GROUPS(work, args) ((global const convk_cells_group_device_ *)((work) + (args)->axes))

/* alive: which group among those in `own`, or -1; own, end: images of groups, and all up to them. */
typedef struct cell_room {
  NEAR double *at;
  NEAR ulong *own, *end;
  NEAR T *phase;
  NEAR int *alive;
} cell_room;

typedef struct cell_place {
  ulong first[3];
  int nx, ny;
  double from[3], hi[VX][3], lo[VX][3]; /* the group's first point, and the item's */
} cell_place;

/* Images of groups from g0 on that may count, if orbitals of the block have any of a group. */
CONVK_ELEMENT_ void cell_count(const CONVK_ARGUMENTS_(grids) * args, global const uchar *work, const cell_place *place,
                               cell_room room, ulong block, ulong g0) {
  const int item = (int)get_local_id(0);
  int q, k;
  for (q = item; q < QUEUE; q += ITEMS) {
    room.own[q] = 0;
    if (g0 + q < args->groups && work[args->used + block * args->groups + g0 + q]) {
      convk_cells_reach_device_ reach;
      convk_cells_reach_of_(CELL(work, args), GROUPS(work, args) + g0 + q, place->from, place->nx, place->ny, &reach);
      room.own[q] = reach.count[0] * reach.count[1] * reach.count[2];
    }
  }
  WAIT;
  for (q = item; q < QUEUE; q += ITEMS) {
    ulong end = 0;
    for (k = 0; k <= q; k++) end += room.own[k];
    room.end[q] = end;
  }
  WAIT;
}

/* Number `number` of them, which is at q. */
CONVK_ELEMENT_ void cell_look(const CONVK_ARGUMENTS_(grids) * args, global const uchar *work, const cell_place *place,
                              cell_room room, ulong g0, ulong number, int q) {
  convk_cells_reach_device_ reach;
  double n[3], at[6], cosine = 1, sine = 0;
  int group = 0, d;
  room.alive[q] = -1;
  if (number >= room.end[QUEUE - 1]) return;
  while (room.end[group] <= number) group++;
  convk_cells_reach_of_(CELL(work, args), GROUPS(work, args) + g0 + group, place->from, place->nx, place->ny, &reach);
  if (!convk_cells_number_(CELL(work, args), &reach, number - (room.end[group] - room.own[group]), n)) return;
  convk_cells_moved_(CELL(work, args), GROUPS(work, args) + g0 + group, n, at);
  for (d = 0; d < 6; d++) room.at[6 * q + d] = at[d];
#if KINDS == 2
  convk_cells_phase_device_(CELL(work, args), n, &cosine, &sine);
#endif
  room.phase[2 * q] = (T)cosine;
  room.phase[2 * q + 1] = (T)sine;
  room.alive[q] = group;
}

/* Sums of a block of orbitals over all groups and images, in their order. */
CONVK_ELEMENT_ void cell_sum(const CONVK_ARGUMENTS_(grids) * args, global const uchar *work, const cell_place *place,
                             cell_room room, ulong block, T (*sum)[KINDS * WIDE]) {
  const int item = (int)get_local_id(0);
  global const T *terms = (global const T *)(work + args->terms) + block * args->ntables * WIDE;
  ulong g0, q0;
  int i, q, u;
  for (u = 0; u < VX; u++)
    for (i = 0; i < KINDS * WIDE; i++) sum[u][i] = 0;
  for (g0 = 0; g0 < args->groups; g0 += QUEUE) {
    ulong all;
    cell_count(args, work, place, room, block, g0);
    all = room.end[QUEUE - 1];
    for (q0 = 0; q0 < all; q0 += QUEUE) {
      const int some = (int)min(all - q0, (ulong)QUEUE);
      for (q = item; q < QUEUE; q += ITEMS) cell_look(args, work, place, room, g0, q0 + q, q);
      WAIT;
      for (q = 0; q < some; q++) {
        double at[6];
        if (room.alive[q] < 0) continue;
        for (i = 0; i < 6; i++) at[i] = room.at[6 * q + i];
        for (u = 0; u < VX; u++)
          convk_cells_image_of_device_(KINDS, WIDE, GROUPS(work, args) + g0 + room.alive[q], terms, args->imag, args->cut,
                                       place->hi[u], place->lo[u], at, room.phase[2 * q], room.phase[2 * q + 1], sum[u]);
      }
      WAIT;
    }
  }
}

/* Groups along x: of strips along x, and of blocks of orbitals; along y: of strips along y, and of planes. */
CONVK_GROUP_KERNEL_ grids_cell(const CONVK_ARGUMENTS_(grids) args, global const uchar *work, global T *out0, global T *out1,
                               global T *out2, global T *out3, global T *out4, ulong line0) {
  NEAR double at[QUEUE * 6];
  NEAR ulong own[QUEUE], end[QUEUE];
  NEAR T phase[QUEUE * 2];
  NEAR int alive[QUEUE];
  const ulong line = line0 + get_group_id(1), block = get_group_id(0) / args.strips_x;
  const int item = (int)get_local_id(0), lx = item % LX, ly = item / LX;
  T sum[VX][KINDS * WIDE];
  cell_place place;
  const cell_room room = {at, own, end, phase, alive};
  ulong to;
  int u, i;
  place.first[0] = (get_group_id(0) - block * args.strips_x) * (LX * VX);
  place.first[1] = line % args.strips_y * LY;
  place.first[2] = args.first_plane + line / args.strips_y;
  place.nx = (int)min(args.n[0] - place.first[0], (ulong)(LX * VX));
  place.ny = (int)min(args.n[1] - place.first[1], (ulong)LY);
  convk_cells_point_(CELL(work, &args), (double)place.first[0], (double)place.first[1], (double)place.first[2], place.from,
                     place.lo[0]);
  for (u = 0; u < VX; u++)
    convk_cells_point_(CELL(work, &args), (double)(place.first[0] + lx + u * LX), (double)(place.first[1] + ly),
                       (double)place.first[2], place.hi[u], place.lo[u]);
  to = (place.first[2] - args.first_plane) * args.pitch_z + (place.first[1] + ly) * args.pitch_y + place.first[0] + lx;
  out0 += args.out[0];
  out1 += args.out[1];
  out2 += args.out[2];
  out3 += args.out[3];
  out4 += args.out[4];
#if DENSITY
  {
    global const T *weights = (global const T *)(work + args.weights);
    T total[VX][5];
    ulong b;
    for (u = 0; u < VX; u++) {
      for (i = 0; i < 5; i++) total[u][i] = 0;
      if (args.wave & 8 && lx + u * LX < place.nx && ly < place.ny) total[u][0] = out0[to + u * LX];
    }
    for (b = 0; b * WIDE < args.norbitals; b++) {
      cell_sum(&args, work, &place, room, b, sum);
      for (u = 0; u < VX; u++)
        convk_cells_density_of_(KINDS, WIDE, weights + b * WIDE, args.norbitals - b * WIDE, sum[u], total[u]);
    }
    for (u = 0; u < VX; u++) {
      if (lx + u * LX >= place.nx || ly >= place.ny) continue;
      if (args.wanted & 1) out0[to + u * LX] = total[u][0];
#if KINDS == 5
      if (args.wanted & 2) out1[to + u * LX] = total[u][1];
      if (args.wanted & 4) out2[to + u * LX] = total[u][2];
      if (args.wanted & 8) out3[to + u * LX] = total[u][3];
      if (args.wanted & 16) out4[to + u * LX] = total[u][4];
#endif
    }
  }
#else
  cell_sum(&args, work, &place, room, block, sum);
  for (i = 0; i < WIDE; i++)
    for (u = 0; u < VX; u++) {
      const ulong k = (block * WIDE + i) * args.ld + to + u * LX;
      if (block * WIDE + i >= args.norbitals || lx + u * LX >= place.nx || ly >= place.ny) continue;
#if KINDS == 2
      out0[2 * k] = sum[u][i];
      out0[2 * k + 1] = sum[u][WIDE + i];
#else
      out0[k] = sum[u][i];
#if KINDS == 5
      out1[k] = sum[u][WIDE + i];
      out2[k] = sum[u][2 * WIDE + i];
      out3[k] = sum[u][3 * WIDE + i];
      out4[k] = sum[u][4 * WIDE + i];
#endif
#endif
    }
#endif
}
#endif

#ifdef GRIDS_SUMS
#define WAVE (KINDS == 2) /* Bloch sums: complex numbers */
/* A group makes LX VX points along x of LY RY rows of a plane: VX RY sums of an item.  Tables come through local memory, QUEUE
   of them at a time: their part along x in `panel`, and the weights that rows give them. */
#define WIDTH (LX * VX)
#define LINES (LY * RY)

/* What a group makes: in which plane and tile, of a lot, from which point and row on, and how many. */
typedef struct ongrid_place {
  ulong tile[3], at[3], list; /* at: the first point and row, and the plane */
  int nx, ny, combinations;   /* combinations: rows of all results of the lot */
  global const convk_grids_lot_device_ *lot;
  global const T *terms;
} ongrid_place;

typedef struct ongrid_room {
  NEAR convk_grids_near_ *near;
  NEAR T *ez, *panel, *weights;
} ongrid_room;

/* Sums over all tables of the place, of LINES combinations from c0 on.  weight, along: see convk_grids_look_. */
CONVK_ELEMENT_ void ongrid_product(const CONVK_ARGUMENTS_(grids) * args, global const uchar *work, const ongrid_place *place,
                                   ongrid_room room, global const T *terms, int c0, int weight, int along, T *sum) {
  global const T *values = (global const T *)(work + args->values);
  global const uint *list = (global const uint *)(work + args->lists) + place->list * args->ntables;
  const int item = (int)get_local_id(0), lx = item % LX, ly = item / LX;
  const ulong count = args->listed ? ((global const uint *)(work + args->counts))[place->list] : place->lot->count;
  ulong q0;
  int i, p, q, u;
  for (q0 = 0; q0 < count; q0 += QUEUE) {
    const int some = (int)min(count - q0, (ulong)QUEUE);
    WAIT;
    for (q = item; q < some; q += ITEMS) {
      const ulong number = args->listed ? list[q0 + q] : place->lot->first + q0 + q;
      convk_grids_near_ e;
      T ez;
      convk_grids_look_((global const convk_grids_table_device_ *)(work + args->tables) + number,
                        (global const convk_grids_axis_device_ *)(work + args->axes), values, place->tile, place->at, place->nx,
                        place->ny, args->cut, weight, along, &e, &ez);
      room.near[q] = e;
      room.ez[q] = ez;
    }
    WAIT;
    for (i = item; i < some * WIDTH; i += ITEMS) {
      const int x = i % WIDTH;
      const NEAR convk_grids_near_ *e = room.near + i / WIDTH;
      if (e->alive) room.panel[i] = x >= e->x_begin && x < e->x_end ? values[e->x + x] : 0;
    }
    for (i = item; i < some * LINES; i += ITEMS) {
      const int c = c0 + i % LINES, o = c / place->ny;
      const convk_grids_near_ e = room.near[i / LINES];
      if (!e.alive) continue;
      room.weights[i] = 0;
      if (c < place->combinations)
#if WAVE
        room.weights[i] = convk_bloch_weight_(&e, values, terms + e.terms + (ulong)o * place->lot->apart, args->imag,
                                              c - o * place->ny, room.ez[i / LINES], args->cut, weight);
#else
        room.weights[i] = convk_grids_weight_(&e, values, terms + e.terms + (ulong)o * place->lot->apart, c - o * place->ny,
                                              room.ez[i / LINES], args->cut);
#endif
    }
    WAIT;
    for (q = 0; q < some; q++) {
      const NEAR T *at = room.panel + q * WIDTH + lx, *w = room.weights + q * LINES + ly * RY;
      T v[VX];
      if (!room.near[q].alive) continue;
      UNROLL_X
      for (u = 0; u < VX; u++) v[u] = at[u * LX];
      CONVK_EACH_(p, RY) {
        const T factor = w[p];
        UNROLL_X
        for (u = 0; u < VX; u++) sum[p * VX + u] = fma(factor, v[u], sum[p * VX + u]);
      }
    }
  }
}

CONVK_ELEMENT_ void ongrid_clear(T *sum) {
  int i;
  CONVK_EACH_(i, RY * VX) sum[i] = 0;
}

#if WAVE
/* The real or (part 1) the imaginary part of sums: over real parts of tables along x, then over imaginary ones. */
CONVK_ELEMENT_ void onwave_product(const CONVK_ARGUMENTS_(grids) * args, global const uchar *work, const ongrid_place *place,
                                   ongrid_room room, global const T *terms, int c0, int part, T *sum) {
  int along;
  for (along = 0; along < (args->wave & 2 ? 2 : 1); along++)
    if (part == along || args->wave & 4) /* of weights the real part, or there are imaginary ones */
      ongrid_product(args, work, place, room, terms, c0, part == along ? 4 : along ? 6 : 5, along, sum);
}
#endif

/* Sums of combinations from c0 on go to rows of a result, whose numbers are `each` apart. */
CONVK_ELEMENT_ void ongrid_store(const CONVK_ARGUMENTS_(grids) * args, const ongrid_place *place, int c0, const T *sum,
                                 global T *out, int each) {
  const int item = (int)get_local_id(0), lx = item % LX, ly = item / LX;
  int p, u;
  out += each * ((place->at[2] - args->first_plane) * args->pitch_z + place->at[0] + lx);
  CONVK_EACH_(p, RY) {
    const int c = c0 + ly * RY + p, o = c / place->ny;
    global T *to = out + each * ((place->lot->row + o) * args->ld + (place->at[1] + (c - o * place->ny)) * args->pitch_y);
    UNROLL_X
    for (u = 0; u < VX; u++)
      if (c < place->combinations && lx + u * LX < place->nx) to[each * u * LX] = sum[p * VX + u];
  }
}

#if DENSITY && WAVE
/* What stands in the rows of a density. */
CONVK_ELEMENT_ void onwave_load(const CONVK_ARGUMENTS_(grids) * args, const ongrid_place *place, int c0, global const T *from,
                                T *sum) {
  const int item = (int)get_local_id(0), lx = item % LX, ly = item / LX;
  int p, u;
  from += (place->at[2] - args->first_plane) * args->pitch_z + place->at[0] + lx;
  for (p = 0; p < RY; p++)
    for (u = 0; u < VX; u++) {
      const int c = c0 + ly * RY + p;
      if (c < place->combinations && lx + u * LX < place->nx)
        sum[p * VX + u] = from[(place->at[1] + c) * args->pitch_y + u * LX];
    }
}
#endif

#if DENSITY
/* All orbitals, one after another: their squares, and with DENSITY 2 what derivatives give. */
CONVK_ELEMENT_ void ongrid_density(const CONVK_ARGUMENTS_(grids) * args, global const uchar *work, const ongrid_place *place,
                                   ongrid_room room, int c0, T (*total)[RY * VX]) {
  T value[RY * VX], sum[RY * VX], squares[RY * VX];
  ulong o;
  int d, i;
  for (o = 0; o < args->norbitals; o++) {
    const T weight = ((global const T *)(work + args->weights))[o];
    global const T *terms = place->terms + o * place->lot->apart;
    CONVK_EACH_(d, (DENSITY == 2 ? 4 : WAVE ? 2 : 1)) { /* itself, then its slopes; or its two parts */
      ongrid_clear(sum);
#if WAVE
      onwave_product(args, work, place, room, terms, c0, d, sum);
#else
      ongrid_product(args, work, place, room, terms, c0, d > 1 ? d - 1 : 0, d == 1, sum);
#endif
      CONVK_EACH_(i, RY * VX) {
        if (d == 0 || WAVE) {
          value[i] = sum[i];
          squares[i] = 0;
          total[0][i] = convk_gaussian_add_square_(weight, sum[i], total[0][i]);
        }
#if DENSITY == 2
        if (d > 0) {
          const T twice = (weight + weight) * convk_gaussian_large_(value[i]);
          convk_grids_add_slope_(twice, sum[i], d == 1 ? &total[1][i] : d == 2 ? &total[2][i] : &total[3][i], &squares[i]);
        }
#endif
      }
    }
#if DENSITY == 2
    CONVK_EACH_(i, RY * VX) total[4][i] = fma((T)0.5 * weight, squares[i], total[4][i]);
#endif
  }
}
#endif

/* Groups along x: of parts of tiles along x, of kinds of results, of lots; along y: of parts along y, of planes. */
CONVK_GROUP_KERNEL_ grids_sums(const CONVK_ARGUMENTS_(grids) args, global const uchar *work, global T *out0, global T *out1,
                               global T *out2, global T *out3, global T *out4, ulong line0) {
  NEAR convk_grids_near_ near[QUEUE];
  NEAR T ez[QUEUE], panel[QUEUE * WIDTH], weights[QUEUE * LINES];
  const ulong group = get_group_id(0), line = line0 + get_group_id(1), strip = group % args.strips_x;
  const ulong part = line % args.strips_y;
  const ulong each_x = args.strips_x / args.tiles[0], each_y = args.strips_y / args.tiles[1];
  T sum[DENSITY == 2 ? 5 : 1][RY * VX];
  ongrid_place place;
  const ongrid_room room = {near, ez, panel, weights};
  long left;
  int c;
  place.at[2] = args.first_plane + line / args.strips_y;
  place.tile[0] = strip / each_x;
  place.tile[1] = part / each_y;
  place.tile[2] = place.at[2] / args.tile[2];
  place.list = (place.tile[2] * args.tiles[1] + place.tile[1]) * args.tiles[0] + place.tile[0];
  place.at[0] = place.tile[0] * args.tile[0] + strip % each_x * WIDTH;
  place.at[1] = place.tile[1] * args.tile[1] + part % each_y * args.rows_y;
  left = (long)min(args.n[0], (place.tile[0] + 1) * args.tile[0]) - (long)place.at[0];
  place.nx = (int)min(left, (long)WIDTH);
  left = (long)min(args.n[1], (place.tile[1] + 1) * args.tile[1]) - (long)place.at[1];
  place.ny = (int)min(left, (long)args.rows_y);
  if (place.nx <= 0 || place.ny <= 0) return; /* all items */
#if DENSITY
  place.lot = (global const convk_grids_lot_device_ *)(work + args.lots);
  place.combinations = place.ny;
  place.terms = (global const T *)(work + args.terms);
  for (c = 0; c < place.combinations; c += LINES) {
    int k;
    CONVK_EACH_(k, (DENSITY == 2 ? 5 : 1)) ongrid_clear(sum[k]);
#if WAVE
    if (args.wave & 8) onwave_load(&args, &place, c, out0 + args.out[0], sum[0]);
#endif
    ongrid_density(&args, work, &place, room, c, sum);
    if (args.wanted & 1) ongrid_store(&args, &place, c, sum[0], out0 + args.out[0], 1);
#if DENSITY == 2
    if (args.wanted & 2) ongrid_store(&args, &place, c, sum[1], out1 + args.out[1], 1);
    if (args.wanted & 4) ongrid_store(&args, &place, c, sum[2], out2 + args.out[2], 1);
    if (args.wanted & 8) ongrid_store(&args, &place, c, sum[3], out3 + args.out[3], 1);
    if (args.wanted & 16) ongrid_store(&args, &place, c, sum[4], out4 + args.out[4], 1);
#endif
  }
#else
  {
    const ulong rest = group / args.strips_x;
    const uint kind = (uint)(rest % args.kinds);
#if !WAVE
    global T *out = kind == 0 ? out0 : kind == 1 ? out1 : kind == 2 ? out2 : kind == 3 ? out3 : out4;
    out += kind == 0 ? args.out[0] : kind == 1 ? args.out[1] : kind == 2 ? args.out[2] : kind == 3 ? args.out[3] : args.out[4];
#endif
    place.lot = (global const convk_grids_lot_device_ *)(work + args.lots) + rest / args.kinds;
    place.combinations = place.ny * (int)place.lot->rows;
    place.terms = (global const T *)(work + args.terms) + place.lot->terms;
    for (c = 0; c < place.combinations; c += LINES) {
#if WAVE
      ongrid_clear(sum[0]);
      onwave_product(&args, work, &place, room, place.terms, c, (int)kind, sum[0]);
      ongrid_store(&args, &place, c, sum[0], out0 + args.out[0] + kind, 2);
#else
      int turn;
      ongrid_clear(sum[0]);
      for (turn = 0; turn < (kind == 4 ? 2 : 1); turn++) /* of a Laplacian that of x, then those of y and z */
        ongrid_product(&args, work, &place, room, place.terms, c,
                       kind == 4  ? 3 * turn
                       : kind > 1 ? (int)kind - 1
                                  : 0,
                       kind == 4 ? 2 - 2 * turn : kind == 1, sum[0]);
      ongrid_store(&args, &place, c, sum[0], out, 1);
#endif
    }
  }
#endif
}
#endif
