#ifndef CONVK_AXIS_INCLUDED_
#define CONVK_AXIS_INCLUDED_
/* ---- what kernels take ----
   Beside its arrays a kernel takes one struct by value, which the host fills and OpenCL C and CUDA read: <family>/arguments.h
   declares it once for all three,
     CONVK_DEFINE_ARGUMENTS_(name) { members };
   and CONVK_ARGUMENTS_(name) is its type.  Members are of uint64_t, int64_t, uint32_t, int32_t, and CONVK_ARGUMENT_T_, which is
   the real type; the larger ones come first.  OpenCL has the struct once per precision, in CUDA it is a template of that type.
   <family>/device.h fills what both devices need alike, opencl_calls.h and cuda.h how a launch is cut. */

/* One axis: output i is the sum over k < ntaps of taps[k] times input i + shift + k; n points in, m points out. */
typedef struct convk_axis_device_ {
  uint64_t n, m, ntaps;
  int64_t shift;
  int32_t periodic, unused;
} convk_axis_device_;
#endif
