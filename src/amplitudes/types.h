/* Sizes of what a processor has at hand; they change no result. */
#define CONVK_AMPLITUDES_Q_ ((size_t)512)      /* vectors of q in a task of a list, at most: 14 numbers of each, some 70 KB */
#define CONVK_AMPLITUDES_LANES_ ((size_t)16)   /* lanes are filled up to a multiple of all numbers of lanes */
#define CONVK_AMPLITUDES_MOST_ ((size_t)256)   /* values on the lanes' axis of a tile */
#define CONVK_AMPLITUDES_VALUES_ ((size_t)64)  /* on the next axis, and 512 on the last one: their phases are 1 KB each */
#define CONVK_AMPLITUDES_SUMS_ ((size_t)65536) /* real sums of a tile, 0.5 MB: larger ones were a fifth slower */
#define CONVK_AMPLITUDES_FACTORS_ \
  ((size_t)24) /* real factors that are multiplied at a time, 24 KB; a multiple of all that kernels take */
#define CONVK_AMPLITUDES_BYTES_ ((size_t)1 << 26) /* of phases, or of blocks' sums, on a device; an estimate */

/* What amplitudes gives. */
enum {
  CONVK_AMPLITUDES_SUM = 0,   /* F of each frame */
  CONVK_AMPLITUDES_KINDS = 1, /* of each frame and kind the sum of w exp(i q.r), without the scatterer */
  CONVK_AMPLITUDES_MEAN = 2   /* the mean of |F|^2 over all frames, real numbers */
};

/* Options of amplitudes; all 0 (or NULL for the struct) is the default.
     output       SUM, KINDS or MEAN
     kinds        of atoms; 0: 1
     scatterers   what each kind scatters, `kinds` of them; NULL: 1.  KINDS leaves them out
     cell         NULL, or three vectors a, b, c: q are then indices h, k, l of reciprocal nodes, whole or not, with
                  q.r = 2 pi (h u + k v + l w) for r = u a + v b + w c */
typedef struct convk_amplitude_options {
  int output;
  size_t kinds;
  const convk_scatterer *scatterers;
  const convk_cell *cell;
} convk_amplitude_options;
