/* What atoms scatter into directions, for a list of q: the amplitudes
     F(q) = sum over atoms of f w exp(+i q.r),
   f of the atom's kind at |q|, w its weight.  (Waves exp(-i k.r) want +i; else take the conjugate.)
   atoms     any number; weights real
   q         q->n vectors, in the inverse unit of lengths, or indices where options->cell is given; z_imag as in an absorbing
            film, or NULL, x_imag and y_imag NULL.  Then exp(i q.r) = exp(i Re q.r) exp(-Im q_z z); scatterers are taken at
            |Re q|
   options   NULL for the default
   f         complex numbers, real and imaginary part in turn: [frame][q] of SUM, [frame][kind][q] of KINDS; of MEAN q->n real
             numbers
   work      amplitudes_work_size bytes, or NULL
   Threads: blocks of q.  The order of sums is that of the atoms, kind by kind: the same bits for any threads; each F depends on
   its own q alone.  Hardware: all.
   Errors: NULL, SIZE (atoms->stride), OVERFLOW, OPTION (output, terms, imaginary parts of q), NONFINITE (q, weights,
   scatterers, cell), COORDINATE, KIND, CELL (also one with a vector of zeros), RANGE (a sum of |q_x x| and so on above
   2^22 pi (f32) or 2^51 pi (f64), whose phases have no digits left; exp(-Im q_z z), or a sum of it, that may overflow;
   coordinates beyond 1e140), OVERLAP, WORK, MEMORY, HANDLE, THREADS.
   Accuracy: phases to 3 eps (|q_x x| + |q_y y| + |q_z z|), where eps is 6e-8 (f32) or 1.1e-16 (f64), sine and cosine to 2 eps;
   exponentials to 2 eps (1 + |Im q_z z|); 128 atoms are summed in the type, such sums in doubles: some eps of the sum of
   magnitudes, 64 eps where all atoms are at one place.  Shift the atoms to their centre: errors grow with |q.r|.
   30 flops per atom and q, 60 with complex q_z.  From some 600 atoms and 65,000 q on a non-uniform FFT with a tolerance of 1e-6
   is faster (FINUFFT, type 3); docs/pages/operations.md has measurements. */
CONVK_OPERATION_ int convk_amplitudes(convk *hw, const convk_atoms *atoms, const convk_q *q,
                                      const convk_amplitude_options *options, CONVK_T *f, void *work, size_t work_size);

/* Bytes of work for amplitudes, which are enough for fewer atoms and kinds, too: atoms->n and options->kinds decide.  hw: for
   messages, or NULL.  Errors: NULL, SIZE, OVERFLOW, HANDLE. */
CONVK_API_ int convk_amplitudes_work_size(convk *hw, const convk_atoms *atoms, const convk_amplitude_options *options,
                                          size_t *bytes);

/* The same on the tensor grid of q->x[i], q->y[j], q->z[k]: exp(i q.r) is a product of three factors, and the sum over
   atoms one of matrices, with hardly any sine.  Where every axis has -q for every q, in reverse order and exactly, as
   reciprocal nodes and oversampled volumes do, eight real sums give eight amplitudes: 2 flops per atom and q.  Where the
   longest such axis has 16 values or more: 4 flops.  Else 8.
   grid      nx, ny, nz values on the axes of q; pitches in elements, x contiguous
   q         nx, ny, nz values in x, y, z; n is not looked at, imaginary parts are NULL
   f         element (i, j, k) at i + j pitch_y + k pitch_z, complex but for MEAN; one such grid behind another, nz pitch_z
             elements apart, for frames and kinds as in the list
   work      amplitudes_grid_work_size bytes, or NULL
   Threads: tiles of the grid; the same bits for any threads.  Hardware, errors and accuracy as of the list, and PITCH; but
   without a cell, where multiply-adds are fused (AVX2, AVX-512, NEON), a phase on an axis errs by some eps however large.
   Kinds whose scatterers have terms cost some 20 ns for each term and q. */
CONVK_OPERATION_ int convk_amplitudes_grid(convk *hw, const convk_atoms *atoms, const convk_grid3 *grid, const convk_q *q,
                                           const convk_amplitude_options *options, CONVK_T *f, void *work, size_t work_size);

/* Bytes of work for amplitudes_grid on this handle (NULL: serial), which are enough for fewer atoms and kinds and for smaller
   grids, too.  Errors: NULL, SIZE, PITCH, OVERFLOW, HANDLE. */
CONVK_API_ int convk_amplitudes_grid_work_size(convk *hw, const convk_atoms *atoms, const convk_grid3 *grid,
                                               const convk_amplitude_options *options, size_t *bytes);
