#if CONVK_HAS_FORMFACTOR_
/* Bytes of device memory for cuda_formfactor: 68 (f32) or 104 (f64) for each q, and its share of some 32 MB; 0 on overflow. */
CONVK_API_ size_t convk_cuda_formfactor_work_size(size_t triangles, size_t nq);

/* convk_formfactor on device arrays: the mesh's arrays (the structure itself is host memory), q, f and work are device memory,
   and `measures`, which the caller took of the same mesh on the host with convk_mesh_measure_<type>, is host memory that is
   free again on return.  Nothing is allocated, copied or waited for; results are there when `stream` has come past the call.
   Arguments and results as in convk.h; what needs a look at device memory (NONFINITE, COORDINATE, RANGE) is not checked.
   A kernel for the numbers of q, then two for each part of the mesh.  The sum has a fixed order, that of the processors.
   Errors: NULL, OPTION, OPEN_MESH, OVERFLOW, OVERLAP, WORK, DEVICE. */
CONVK_API_ int convk_cuda_formfactor(const convk_mesh *mesh, const convk_mesh_measures *measures, const convk_q *q,
                                     const convk_formfactor_options *options, CONVK_T *f, void *work, size_t work_size,
                                     cudaStream_t stream);

/* Bytes of device memory for cuda_formfactor_grid, whatever the options; qz_imag: whether there is one.  16 bytes for each q,
   and some 200 MB at most; 0: a bad grid. */
CONVK_API_ size_t convk_cuda_formfactor_grid_work_size(size_t triangles, const convk_grid3 *grid, int qz_imag);

/* convk_formfactor_grid on device arrays; everything else as cuda_formfactor.  Up to four kernels for each part of the mesh.
   Blocks of 64 triangles are summed in the type as on the processors, 16 such sums in a double, and these doubles in order: f
   differs from that of the processors by roundings of doubles. */
CONVK_API_ int convk_cuda_formfactor_grid(const convk_mesh *mesh, const convk_mesh_measures *measures, const convk_grid3 *grid,
                                          const convk_q *q, const convk_formfactor_options *options, CONVK_T *f, void *work,
                                          size_t work_size, cudaStream_t stream);
#endif
