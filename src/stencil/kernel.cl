#include "device/preamble.cl"
#include "words/opencl.cl"
#include "core/axis.h"
#include "device/arguments.h"
#include "stencil/arguments.h"
#include "stencil/element.h"

/* DEPTH steps in one pass over memory.  A work-group marches along a chunk of z with a tile of TILE_X by TILE_Y
   points, of which DEPTH - 1 on each side only serve the others; each work-item has ROWS by COLUMNS of them.  Level l
   is the input after l steps: when plane z of level 0 comes, plane z - l of level l is made.  A point keeps the two
   planes before that of each level; what its neighbours in x and y need lies in local memory, level 0 with a ring
   around the tile.  Where a neighbour is missing (around the tile of later levels, beyond fixed ends), the result is
   never used. */
#define TILE_X (ITEMS_X * COLUMNS)
#define TILE_Y (ITEMS_Y * ROWS)
#define ITEMS (ITEMS_X * ITEMS_Y)
#define PITCH (TILE_X + 2)
#define RING (2 * (TILE_X + TILE_Y))
#define CELLS ((RING + ITEMS - 1) / ITEMS) /* of the ring, per work-item */

/* Point n of the ring around a tile: its lowest row, its highest one, the left column, the right one.  Beyond these: a corner,
   which nobody reads. */
void ring_point(int n, int *i, int *j) {
  *i = *j = -1;
  if (n < 2 * TILE_X) {
    *i = n % TILE_X;
    *j = n < TILE_X ? -1 : TILE_Y;
  } else if (n < RING) {
    *i = n < 2 * TILE_X + TILE_Y ? -1 : TILE_X;
    *j = (n - 2 * TILE_X) % TILE_Y;
  }
}

/* A work-item's points of a plane: 0 where there is none. */
void load_points(T next[ROWS][COLUMNS], global const T *input, int valid, const long *row, const long *column, long x0,
                 long nx) {
  int c, r;
  CONVK_EACH_(r, ROWS) {
#if COLUMNS > 1
    if (valid && row[r] >= 0 && x0 >= 0 && x0 + COLUMNS <= nx)
      for (c = 0; c < COLUMNS; c++) next[r][c] = input[row[r] + x0 + c];
    else
#endif
      for (c = 0; c < COLUMNS; c++) next[r][c] = !valid || row[r] < 0 || column[c] < 0 ? (T)0 : input[row[r] + column[c]];
  }
}

/* Level l one plane on, and what it was for the next one: next is a plane of level l before, of level l + 1 behind.  q: the
   work-item's points in local memory; queue: the two planes before next; change: its rows, moves_from .. moves_to - 1 its
   columns that change. */
void one_step(const int l, T next[ROWS][COLUMNS], T queue[2][ROWS][COLUMNS], local const T *q, const T *weight, uint change,
              int moves_from, int moves_to) {
  T before[COLUMNS];
  int c, r;
  for (c = 0; c < COLUMNS; c++) before[c] = q[c - PITCH];
  CONVK_EACH_(r, ROWS) {
    const int changes_to = change >> r & 1 ? moves_to : 0;
    for (c = 0; c < COLUMNS; c++) {
      const T m = queue[1][r][c], after = r + 1 < ROWS ? queue[1][(r + 1) % ROWS][c] : q[(r + 1) * PITCH + c];
      T v = convk_stencil_value_(weight, m, q[r * PITCH + c - 1], q[r * PITCH + c + 1], before[c], after, queue[0][r][c],
                                 next[r][c], ISOTROPIC);
      if (l < DEPTH - 1) v = c >= moves_from && c < changes_to ? v : m;
      before[c] = m;
      queue[0][r][c] = m;
      queue[1][r][c] = next[r][c];
      next[r][c] = v;
    }
  }
}

kernel __attribute__((reqd_work_group_size(ITEMS_X, ITEMS_Y, 1))) void stencil7(const CONVK_ARGUMENTS_(stencil) args,
                                                                                global const T *in, global T *out) {
  local T plane[BUFFERS][DEPTH][(TILE_Y + 2) * PITCH];
  const int i0 = (int)get_local_id(0) * COLUMNS, j0 = (int)get_local_id(1) * ROWS, at = (j0 + 1) * PITCH + i0 + 1;
  const int item = (int)(get_local_id(1) * ITEMS_X + get_local_id(0));
  const long nx = args.n[0], ny = args.n[1], nz = args.n[2], tile = (long)get_group_id(0), tiles_x = (long)args.tiles_x;
  const long first_x = args.first[0], first_y = args.first[1], end_x = args.end[0], end_y = args.end[1];
  const ulong pitch_y = args.pitch_y, pitch_z = args.pitch_z;
  const int periodic = args.periodic[0] | args.periodic[1] << 1 | args.periodic[2] << 2; /* an axis, a bit */
  const long tile_x = first_x - (DEPTH - 1) + tile % tiles_x * (TILE_X - 2 * (DEPTH - 1)), x0 = tile_x + i0;
  const long tile_y = first_y - (DEPTH - 1) + tile / tiles_x * (TILE_Y - 2 * (DEPTH - 1)), y0 = tile_y + j0;
  const long begin = args.first[2] + (long)get_group_id(1) * args.planes, end = min(begin + args.planes, args.end[2]);
  /* the columns that change, and those that are the tile's results */
  const int moves_from = periodic & 1 ? 0 : (int)clamp(1 - x0, (long)0, (long)COLUMNS);
  const int moves_to = periodic & 1 ? COLUMNS : (int)clamp(nx - 1 - x0, (long)0, (long)COLUMNS);
  const int out_from = max((int)clamp(first_x - x0, (long)0, (long)COLUMNS), DEPTH - 1 - i0);
  const int out_to = min((int)clamp(end_x - x0, (long)0, (long)COLUMNS), TILE_X - (DEPTH - 1) - i0);
  long column[COLUMNS], row[ROWS], cell[CELLS], z; /* where they lie in a plane, or -1 */
  int cell_at[CELLS], c, k, l, r;
  uint moves = 0, results = 0; /* rows, as bits */
  const T weight[7] = {args.c[0], args.c[1], args.c[2], args.c[3], args.c[4], args.c[5], args.c[6]};
  T queue[DEPTH][2][ROWS][COLUMNS], next[ROWS][COLUMNS], ring[CELLS];
  for (c = 0; c < COLUMNS; c++) column[c] = x0 + c < end_x + DEPTH ? convk_axis_source_(x0 + c, nx, periodic & 1) : -1;
  for (r = 0; r < ROWS; r++) {
    const long y = y0 + r, from = y < end_y + DEPTH ? convk_axis_source_(y, ny, periodic & 2) : -1;
    row[r] = from < 0 ? -1 : (long)((ulong)from * pitch_y);
    if (periodic & 2 || (y > 0 && y < ny - 1)) moves |= 1u << r;
    if (y >= first_y && y < end_y && j0 + r >= DEPTH - 1 && j0 + r < TILE_Y - (DEPTH - 1)) results |= 1u << r;
  }
  for (k = 0; k < CELLS; k++) {
    int i, j;
    long x, y;
    ring_point(k * ITEMS + item, &i, &j);
    x = tile_x + i < end_x + DEPTH ? convk_axis_source_(tile_x + i, nx, periodic & 1) : -1;
    y = tile_y + j < end_y + DEPTH ? convk_axis_source_(tile_y + j, ny, periodic & 2) : -1;
    cell[k] = x < 0 || y < 0 ? -1 : (long)((ulong)y * pitch_y + (ulong)x);
    cell_at[k] = (j + 1) * PITCH + i + 1;
    ring[k] = 0;
  }
  for (l = 0; l < DEPTH; l++)
    for (r = 0; r < ROWS; r++)
      for (c = 0; c < COLUMNS; c++) queue[l][0][r][c] = queue[l][1][r][c] = 0;
  for (z = begin - DEPTH; z < end + DEPTH; z++) {
    const long from = convk_axis_source_(z, nz, periodic & 4);
    global const T *input = in + (args.in_at + (ulong)max(from, (long)0) * pitch_z);
    local T *p = plane[z & (BUFFERS - 1)][0];
    /* plane z - 1 - l of each level is ready */
    CONVK_EACH_(l, DEPTH)
      CONVK_EACH_(r, ROWS)
        for (c = 0; c < COLUMNS; c++) p[l * (TILE_Y + 2) * PITCH + at + r * PITCH + c] = queue[l][1][r][c];
    for (k = 0; k < CELLS; k++) {
      p[cell_at[k]] = ring[k];
      ring[k] = from < 0 || cell[k] < 0 ? (T)0 : input[cell[k]];
    }
    load_points(next, input, from >= 0, row, column, x0, nx);
    barrier(CLK_LOCAL_MEM_FENCE);
    CONVK_EACH_(l, DEPTH) {
      const uint change = periodic & 4 || (z - 1 - l > 0 && z - 1 - l < nz - 1) ? moves : 0;
      one_step(l, next, queue[l], p + l * (TILE_Y + 2) * PITCH + at, weight, change, moves_from, moves_to);
    }
    if (z - DEPTH >= begin) {
      global T *output = out + (args.out_at + (ulong)(z - DEPTH) * pitch_z);
      CONVK_EACH_(r, ROWS)
        if (results >> r & 1)
          for (c = 0; c < COLUMNS; c++)
            if (c >= out_from && c < out_to) output[row[r] + x0 + c] = next[r][c];
    }
#if BUFFERS == 1
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
  }
}
