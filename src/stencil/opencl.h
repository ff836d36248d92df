/* OpenCL C 1.2.  Build options: ISOTROPIC, DEPTH, the work-group's shape (ITEMS_X, ITEMS_Y), the points of a work-item
   (COLUMNS, ROWS), and BUFFERS, the sets of planes in local memory: with 2 a plane in z needs one barrier, with 1 two.
   Arguments: stencil/arguments.h. */
CONVK_LOCAL_ const char *const *convk_cl_stencil_source_(void) {
  static const char *const lines[] = {
#include "quoted/stencil/kernel.cl"
      NULL};
  return lines;
}

enum { CONVK_CL_STENCIL_DEPTH_ = 4 }; /* most steps in one pass over memory */
#define CONVK_CL_STENCIL_TILES_ ((size_t)1 << 30)

/* The tile of a work-group, and its items; powers of two. */
typedef struct convk_cl_stencil_group_ {
  size_t depth, x, y, items_x, items_y, buffers;
} convk_cl_stencil_group_;

/* The tile for at most `depth` steps that local memory holds, as near to a tuned one as that.  On processors a work-item is a
   whole tile: its rows become vectors, and barriers cost nothing.  A GPU does with one set of planes where two would leave no
   room for three groups. */
CONVK_LOCAL_ int convk_cl_stencil_tile_(convk_cl *cl, size_t element, size_t depth, const long *choice,
                                        convk_cl_stencil_group_ *tile) {
  const size_t least = depth > 1 ? 4 * depth : 1, planes = 2 * depth * 34 * 34 * element;
  tile->depth = depth;
  tile->x = convk_tuned_power_(choice[CONVK_TUNE_TILE_X], 16, cl->cpu ? 512 : 64, cl->cpu ? 64 : 32);
  tile->y = convk_tuned_power_(choice[CONVK_TUNE_TILE_Y], 8, 32, cl->cpu ? 16 : 32); /* rows of an item are 32 bits */
  while (tile->x < least) tile->x *= 2;
  while (tile->y < least) tile->y *= 2;
  tile->buffers = cl->cpu || 3 * planes > cl->local_bytes ? 1 : 2;
  while (tile->buffers * depth * (tile->x + 2) * (tile->y + 2) * element > cl->local_bytes) {
    if (tile->buffers > 1) tile->buffers = 1;
    else if (tile->y >= tile->x && tile->y >= 2 * least) tile->y /= 2;
    else if (tile->x >= 2 * least) tile->x /= 2;
    else if (depth > 1) return convk_cl_stencil_tile_(cl, element, depth - 1, choice, tile);
    else return convk_cl_little_(cl);
  }
  tile->items_x = cl->cpu ? 1 : tile->x;
  tile->items_y = cl->cpu ? 1 : convk_tuned_power_(choice[CONVK_TUNE_GROUP_Y], 1, tile->y, tile->y < 8 ? tile->y : 8);
  while (tile->items_x > cl->group_x && tile->items_x > 1) tile->items_x /= 2;
  while (tile->items_y > cl->group_y && tile->items_y > 1) tile->items_y /= 2;
  return CONVK_OK;
}

/* Build option: T, and F64.  Arguments: stencil/arguments.h. */
CONVK_LOCAL_ const char *const *convk_cl_box_source_(void) {
  static const char *const lines[] = {
#include "quoted/stencil/box.cl"
      NULL};
  return lines;
}

enum { CONVK_CL_BOX_EACH_ = 4096, CONVK_CL_BOX_ITEMS_ = 256 }; /* points of an item of a processor; items of a group of a GPU */
