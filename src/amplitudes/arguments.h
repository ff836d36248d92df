#ifndef CONVK_AMPLITUDES_INCLUDED_
#define CONVK_AMPLITUDES_INCLUDED_
/* ---- amplitudes on devices ----
   Atoms of a kind go in batches of whole blocks.  Of a list each group sums one block for a tile of q, and GIVE adds up what
   they have.  Of a grid PHASE makes the factors of each atom and value on the axes, and ROWS is the product of two matrices:
   rows are factors of pairs of values on two axes, columns cosines and sines of the lanes. */
enum {
  CONVK_AMPLITUDES_SELECT_,
  CONVK_AMPLITUDES_MIRROR_,
  CONVK_AMPLITUDES_PHASE_,
  CONVK_AMPLITUDES_GIVE_,
  CONVK_AMPLITUDES_LIST_, /* this and the next have programs of their own */
  CONVK_AMPLITUDES_ROWS_,
  CONVK_AMPLITUDES_DAMPED_ /* a list with complex q_z */
};
enum {
  CONVK_AMPLITUDES_POINTS_ = 2, /* values of q of an item */
  CONVK_AMPLITUDES_ATOMS_ = 16, /* whose factors a group has in shared memory */
  CONVK_AMPLITUDES_EACH_ = 4,   /* rows and lanes of an item */
  CONVK_AMPLITUDES_ACROSS_ = 8, /* items of a group along the lanes, at most */
  CONVK_AMPLITUDES_PAD_ = 4     /* columns of shared memory that keep neighbours in different banks */
};

/* What work memory has, 32 bits of ORDER for each: whether x, y, z have q and -q; where kinds begin; atoms by kinds.  SUMS are
   of the kind at hand, TOTALS of all kinds, MEANS of frames, in doubles; TABLE has blocks of a list, or phases. */
enum {
  CONVK_AMPLITUDES_SUMS_AT_,
  CONVK_AMPLITUDES_TOTALS_AT_,
  CONVK_AMPLITUDES_MEANS_AT_,
  CONVK_AMPLITUDES_WEIGHT_AT_,
  CONVK_AMPLITUDES_TABLE_AT_,
  CONVK_AMPLITUDES_ORDER_AT_,
  CONVK_AMPLITUDES_PLACES_
};

/* What kernels take besides arrays.
   scatterer          of the kind; scattered: there is one
   at, place          OpenCL: where arrays begin; and in work memory, in bytes
   n, pitch_y, pitch_z   values of the axes, of a list n[0]; and of f
   imag               of a list: q_z is complex
   results, to        q, and where f has this frame and kind, in elements
   frame, first, batch   where arrays of atoms have the frame; of the batch, of atoms of the kind; its length
   fresh, last        of batches; first_.., last_..: of those whose amplitudes are added up */
typedef struct convk_amplitudes_arguments_ {
  convk_scatterer scatterer;
  double inverse[9], frames;
  uint64_t at[11], place[CONVK_AMPLITUDES_PLACES_], n[3], pitch_y, pitch_z, results, to, frame, first, batch;
  uint32_t atoms, kinds, kind, stage, has_kind, has_weight, scattered, in_cell, tensor, mean;
  uint32_t imag, unused, fresh, last, first_kind, last_kind, first_frame, last_frame;
} convk_amplitudes_arguments_;
#endif
