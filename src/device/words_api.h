/* Words in which <family>/device_api.h, one text for OpenCL and CUDA, declares calls on device memory:
     CONVK_ON_                   what says where a call runs, its first argument: convk_cl_queue, or convk_cuda_stream
     CONVK_ARRAY_(type)          an array there: convk_cl_array, or a pointer
     CONVK_DEVICE_STRUCT_(name)  a struct with such arrays: of points convk_cl_points, or with pointers the same as on
                                 the host
     CONVK_DEVICE_(name)         a private name of this device
   In src/ such a call is convk_<operation>_resident, which becomes convk_cl_<operation>_f64 and convk_cuda_<operation>_f64. */
