/* What the kernels of grids take: where things are in work memory, in bytes, and how the grid is cut. */
CONVK_DEFINE_ARGUMENTS_(grids) {
  uint64_t axes, tables, lots, terms, weights; /* what the host made: see grids/device_types.h; weights: occupations */
  uint64_t values, lists, counts;              /* what kernels make: tables, those of each tile and how many */
  uint64_t n[3], tile[3], tiles[3];            /* points; points of a tile and how many tiles */
  uint64_t groups, ntables, nlots, norbitals;
  uint64_t sums, sums_bytes, plane_sums, lot_sums; /* along z: room for some planes; one plane's, at most a lot's of orbitals */
  uint64_t imag;                         /* how far behind terms their imaginary parts are, in elements; 0: there are none */
  uint64_t first_plane, planes;          /* of the results of this launch */
  uint64_t pitch_y, pitch_z, ld, out[5]; /* of results; OpenCL: where they begin */
  uint64_t cell,
      used; /* general cells, whose groups are `axes`: the cell; for each block of orbitals and group whether any has it */
  uint64_t strips_x, strips_y, rows_y; /* parts of a tile along x and y, and rows of each */
  uint32_t kinds, wanted, listed;      /* results, and which of a density; whether tiles have lists of tables */
  uint32_t wide, depth;                /* orbitals of a block, 0: steps along x, y and z; most powers of a group */
  uint32_t wave; /* of Bloch sums 1, and more: 2: phases along x; 4: complex weights; 8: a density is added to what is there */
  CONVK_ARGUMENT_T_ cut;
};
