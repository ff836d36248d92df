/* Histograms in device memory; the struct is on the host.  Everything else as convk_distances: moment[0] and moment[1] may be
   none where `moments` says so, beyond in any case. */
typedef struct convk_distances_resident {
  size_t bins, kinds;
  double width;
  int moments;
  CONVK_ARRAY_(uint64_t) count;
  CONVK_ARRAY_(uint64_t) moment[2];
  CONVK_ARRAY_(uint64_t) beyond;
} convk_distances_resident;

/* Bytes of device memory for pair_histogram there, which are enough for fewer atoms and kinds: 45 for each atom.  Of atoms n,
   frames and stride are looked at.  `on` may be NULL.  Errors: NULL, SIZE, OVERFLOW, OPTION, HANDLE. */
CONVK_API_ int convk_pair_histogram_work_size_resident(CONVK_ON_ *on, const convk_atoms_resident *atoms,
                                                       const convk_distances_resident *distances, size_t *bytes);

/* convk_pair_histogram on device memory: the same integers.
   atoms, distances   structs on the host, arrays there: `distances` is added to, and may be zeroed by the caller's own means
   cell, part         on the host
   work               pair_histogram_work_size bytes, this call's alone until it is done; with OpenCL the offset is in bytes
   Nothing is allocated, copied or waited for; with OpenCL a first call builds two programs.  Atoms are sorted into cells along
   periodic axes; along others, whose extent nobody knows, all are looked at.  Coordinates and kinds are not checked: an atom
   that lies 2^30 vectors beside the cell stays there, and a kind that is not there counts as the last one.
   All parts of one call go to devices, or all to processors, whose parts are others.
   Errors, before anything is started: as convk_pair_histogram for what is on the host; UNSUPPORTED (weights); DEVICE; with
   OpenCL also SIZE (a buffer is too small), FP64 (both precisions need doubles), HANDLE, MEMORY, BUILD.
   Six kernels for a frame.  Words of bins lie in shared memory where it has room for 4 bytes of a bin, 8 with one moment, 16
   with both; else each pair is added to memory of the device. */
CONVK_API_ int convk_pair_histogram_resident(CONVK_ON_ *on, const convk_atoms_resident *atoms, const convk_cell *cell,
                                             const convk_part *part, const convk_distances_resident *distances,
                                             CONVK_ARRAY_(void) work, size_t work_size);

/* Values of q in device memory, and what debye writes there: nq of each; bound may be none. */
typedef struct convk_intensities_resident {
  size_t nq;
  CONVK_ARRAY_(const CONVK_T) q;
  CONVK_ARRAY_(CONVK_T) intensity;
  CONVK_ARRAY_(CONVK_T) bound;
} convk_intensities_resident;

/* Bytes of device memory for debye there, which are enough for fewer bins, kinds and q, too: of distances bins decides, of the
   intensities nq.  48 for each bin; for each q 16, and 24 for every 512 bins.  `on` may be NULL.  Errors: NULL, SIZE, OVERFLOW,
   OPTION, HANDLE. */
CONVK_API_ int convk_debye_work_size_resident(CONVK_ON_ *on, const convk_distances_resident *distances,
                                              const convk_intensities_resident *to, size_t *bytes);

/* convk_debye on device memory: the same bits.
   distances, to   structs on the host, arrays there; `beyond` is not looked at
   kinds, self     on the host
   work            debye_work_size bytes, this call's alone until it is done; with OpenCL the offset is in bytes
   Nothing is allocated, copied or waited for; with OpenCL a first call builds a program.  q is not checked: beyond the range of
   convk_debye phases have no digits, and what is not finite gives NaN.
   Errors, before anything is started: as convk_debye for what is on the host; DEVICE; with OpenCL also SIZE (a buffer is too
   small), FP64 (both precisions need doubles), HANDLE, MEMORY, BUILD.
   A kernel for each kind, and three for each pair of kinds. */
CONVK_API_ int convk_debye_resident(CONVK_ON_ *on, const convk_distances_resident *distances, const convk_scatterer *kinds,
                                    const double *self, const convk_intensities_resident *to, CONVK_ARRAY_(void) work,
                                    size_t work_size);
