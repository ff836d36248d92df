/* Bytes of device memory for formfactor there: of the mesh and of q only n is looked at; enough for fewer, too.  With OpenCL it
   depends on the device, on->cl.  For each q 24 (f32) or 32 (f64), with CUDA 84 or 136, and its share of some 32 MB.
   Errors: NULL, OVERFLOW, HANDLE. */
CONVK_API_ int convk_formfactor_work_size_resident(CONVK_ON_ *on, const CONVK_DEVICE_STRUCT_(mesh) * mesh,
                                                   const CONVK_DEVICE_STRUCT_(q) * q, size_t *bytes);

/* convk_formfactor on device memory.
   mesh       arrays there; the struct is host memory, as that of q; indexed is not looked at
   measures   what convk_mesh_measure said of the same mesh on the host, without which neither the form nor the volume is known
   work       formfactor_work_size bytes, this call's alone until it is done; with OpenCL the offset is in bytes
   Nothing is allocated, copied or waited for; with OpenCL the first call of a kind builds two programs.  Arguments and results
   as in convk.h; what needs a look at device memory (NONFINITE, COORDINATE, RANGE) is not checked.  The sum has a fixed order,
   that of the processors.
   Errors, before anything is started: NULL, OPTION, OPEN_MESH, OVERFLOW, OVERLAP, WORK, DEVICE; with OpenCL also SIZE (a buffer
   is too small), FP64 (f64), HANDLE, MEMORY, BUILD. */
CONVK_API_ int convk_formfactor_resident(CONVK_ON_ *on, const CONVK_DEVICE_STRUCT_(mesh) * mesh,
                                         const convk_mesh_measures *measures, const CONVK_DEVICE_STRUCT_(q) * q,
                                         const convk_formfactor_options *options, CONVK_ARRAY_(CONVK_T) f,
                                         CONVK_ARRAY_(void) work, size_t work_size);

/* Bytes of device memory for formfactor_grid there, whatever the options, also for smaller grids and meshes: of the mesh only n
   is looked at, of q only whether z_imag is there.  16 bytes for each q, and some 300 MB at most.  Errors: NULL, SIZE, PITCH,
   OVERFLOW, HANDLE; with OpenCL also UNSUPPORTED (too little local memory). */
CONVK_API_ int convk_formfactor_grid_work_size_resident(CONVK_ON_ *on, const CONVK_DEVICE_STRUCT_(mesh) * mesh,
                                                        const convk_grid3 *grid, const CONVK_DEVICE_STRUCT_(q) * q,
                                                        size_t *bytes);

/* convk_formfactor_grid on device memory; orders other than 0 and 2, and EXACT, are OPTION.  Everything else as formfactor
   there, and SIZE, PITCH; with OpenCL UNSUPPORTED: too little local memory.
   Blocks of 64 triangles are summed in the type as on the processors; with CUDA 16 such sums in a double, and these doubles in
   order, so that f differs from that of the processors by roundings of doubles. */
CONVK_API_ int convk_formfactor_grid_resident(CONVK_ON_ *on, const CONVK_DEVICE_STRUCT_(mesh) * mesh,
                                              const convk_mesh_measures *measures, const convk_grid3 *grid,
                                              const CONVK_DEVICE_STRUCT_(q) * q, const convk_formfactor_options *options,
                                              CONVK_ARRAY_(CONVK_T) f, CONVK_ARRAY_(void) work, size_t work_size);
