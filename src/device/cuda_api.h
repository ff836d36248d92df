/* Where a device-resident call runs: the first argument of each, in place of a handle.  Zero-initialised it is the default
   stream with what the library chooses.  One thread at a time.
     stream    of the current device
     stencil   how stencil7 runs: any choice gives the same bits
     hw        NULL, or a handle of this device, whose tuned entries count
     message   why the last call on it was refused or failed: which argument is wrong, and why; else empty */
typedef struct convk_cuda_stream {
  cudaStream_t stream;
  convk_cuda_stencil_tuning stencil;
  convk *hw;
  char message[256];
} convk_cuda_stream;
