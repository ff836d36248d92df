/* Atoms, of one frame or many: atom i of frame f has the coordinates x[f stride + i], y and z.
     n, frames, stride   frames 0: 1; stride 0: n
     kind                below `kinds` of the distances, the same in all frames; NULL: all are 0
     weight              a real factor of each atom, the same in all frames; NULL: none */
typedef struct convk_atoms {
  size_t n, frames, stride;
  const CONVK_T *x, *y, *z;
  const uint32_t *kind;
  const CONVK_T *weight;
} convk_atoms;

/* Counts distances of all pairs of atoms, r = sqrt((dx dx + dy dy) + dz dz) with dx = (x_i - x_j) - X in doubles, X a sum of
   cell vectors.  Coordinates of floats become doubles first.
   atoms       any number; NULL arrays are good for none
   cell        NULL: open.  Periodic: of all images that are nearer than the cut-off, however far that is, and an atom's own
               images, too.  Atoms outside the cell are first moved into it by x - n a, one vector after another
   part        NULL: all; of several, each gets all atoms, and adds what it counts
   distances   see there; its arrays overlap nothing
   work        pair_histogram_work_size bytes, or NULL
   The cut-off is bins width.  Where it is small against the extent of the atoms, they are sorted into cells of half of it, or
   larger ones where these have few atoms, and only those of cells nearby are looked at.  Frames add up.
   Threads: parts of the pairs.  Counts and moments are integers, and so the same on all hardware, in any order of atoms, for
   any threads, parts and frames at a time; a sum of real weights has an order of its own, which is that of the atoms, whatever
   threads and hardware; parts round otherwise.  Hardware: all; on devices cells along periodic axes alone, parts of their own
   (a call has all on devices or none), and no weights (UNSUPPORTED).
   Errors: NULL, SIZE (no bins), OVERFLOW (2^31 bins or atoms, or counts above 2^63), OPTION (moments, a part beyond the last,
   sum and weights not together), NONFINITE (width not positive and finite, cell, weight), RANGE (width below 1e-140, bins width
   above 1e140, a coordinate beyond 1e140, or 2^30 vectors beside the cell; 2^20 images within the cut-off), CELL, KIND,
   COORDINATE, OVERLAP, WORK, MEMORY, HANDLE, THREADS.
   Accuracy: a place is off by half of 2^-20 of the width at most, and roundings of r (3 units of its last place).
   Per pair 12 flops, a square root and one or two additions in memory. */
CONVK_OPERATION_ int convk_pair_histogram(convk *hw, const convk_atoms *atoms, const convk_cell *cell, const convk_part *part,
                                          const convk_distances *distances, void *work, size_t work_size);

/* Bytes of work for pair_histogram on this handle (NULL: serial), which are enough for fewer atoms, bins, kinds and moments,
   too: atoms->n, weight, and bins, kinds, moments of the distances decide.  Errors: NULL, SIZE, OVERFLOW, OPTION, HANDLE. */
CONVK_API_ int convk_pair_histogram_work_size(convk *hw, const convk_atoms *atoms, const convk_distances *distances,
                                              size_t *bytes);

/* The intensity that atoms scatter, averaged over all orientations (P. Debye, Ann. Phys. 351, 809 (1915)), from histograms of
   their distances:
     I(q) = sum over kinds of self[a] |f_a|^2
            + 2 sum over pairs of kinds and bins of Re(f_a conj(f_b)) [n g(q m) + n v g''(q m) / 2],  g(x) = sin(x) / x
   n, m, v are the number, mean and variance of the distances of a bin.  Without second moments v is 0, without first ones m is
   the middle of the bin.  Where weights of both signs put m outside of its bin, the sum is about the middle, with g'.
   distances   as pair_histogram fills them, of an open cell
   kinds       what each kind scatters, distances->kinds of them; NULL: 1
   self        of each kind how many atoms, or the sum of the squares of their weights, in all frames; NULL: 0
   q           nq values, in the inverse unit of the width; their sign is ignored
   intensity   nq numbers
   bound       NULL, or nq bounds of what bins leave out, in doubles: 2 sum |f_a f_b| n q^3 v width / 24; without the second
               moment q^2 (m - lower edge) (upper edge - m) / 6 in place of q^3 v width / 24, without any q width / 4; and q
               width 2^-21 for the quantum.  Not with weights
   Threads: blocks of q.  Hardware: all, devices with real weights, too.
   Errors: NULL, SIZE (no bins), OVERFLOW, OPTION (moments, terms, sum with bound), NONFINITE (q, width, scatterers, self),
   RANGE (q times bins width above 2^50, width as of pair_histogram), OVERLAP, HANDLE, THREADS.
   Accuracy: bins leave out less than the bound, and as a rule a hundredth of it, since signs are random; roundings: 4e-16 (q r)
   of the sum of magnitudes.  In doubles; results of floats are rounded last.  40 flops per q and bin that is not empty. */
CONVK_OPERATION_ int convk_debye(convk *hw, const convk_distances *distances, const convk_scatterer *kinds, const double *self,
                                 size_t nq, const CONVK_T *q, CONVK_T *intensity, CONVK_T *bound);

/* The same from the atoms, pair by pair: the sum of all frames; without bins, and for some hundred atoms as fast.
   atoms       in an open cell; with weights f_a of the kind times the weight of the atom
   kinds       how many, and what each kind scatters; NULL: 1 of all
   Threads: blocks of q.  The order of sums is that of the atoms.  Hardware: processors; devices: UNSUPPORTED.
   Errors: as debye and pair_histogram.  Accuracy: 4e-16 (q r) of the sum of magnitudes.  30 flops per q and pair. */
CONVK_OPERATION_ int convk_debye_direct(convk *hw, const convk_atoms *atoms, size_t nkinds, const convk_scatterer *kinds,
                                        size_t nq, const CONVK_T *q, CONVK_T *intensity, void *work, size_t work_size);

/* Bytes of work for debye_direct, which are enough for fewer atoms, kinds and q, too.  Errors: NULL, SIZE, OVERFLOW, HANDLE. */
CONVK_API_ int convk_debye_direct_work_size(convk *hw, const convk_atoms *atoms, size_t nkinds, size_t nq, size_t *bytes);
