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
