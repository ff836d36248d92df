/* y and x, which depend on where `in` lies, then z. */
CONVK_LOCAL_ int convk_wavelets_run_(convk_cuda_call_ *call, const convk_wavelets_level_device_ *level) {
  static void (*const xy[])(convk_cuda_wavelets_args_<CONVK_T>) = {
      convk_cuda_wavelets_xy_<CONVK_T, 0>, convk_cuda_wavelets_xy_<CONVK_T, 1>, convk_cuda_wavelets_xy_<CONVK_T, 2>,
      convk_cuda_wavelets_xy_<CONVK_T, 3>};
  static void (*const along_z[])(convk_cuda_wavelets_args_<CONVK_T>) = {
      convk_cuda_wavelets_z_<CONVK_T, 0>, convk_cuda_wavelets_z_<CONVK_T, 1>, convk_cuda_wavelets_z_<CONVK_T, 2>,
      convk_cuda_wavelets_z_<CONVK_T, 3>};
  static const size_t known[][3] = {{0, 0, 0}, {8, 8, 0}, {16, 15, 0}, {15, 15, 1}};
  const size_t group = CONVK_CUDA_WAVELETS_GROUP_, rows = CONVK_CUDA_WAVELETS_ROWS_ / 2, enough = CONVK_CUDA_ENOUGH_BLOCKS_;
  const convk_wavelets_taps_ *const taps = level->taps;
  convk_cuda_wavelets_args_<CONVK_T> a = convk_cuda_wavelets_args_<CONVK_T>();
  size_t kind = 3;
  int status = convk_cuda_clock_start_(call);
  while (kind && (taps->count[0] != known[kind][0] || taps->count[1] != known[kind][1] || taps->more != (int)known[kind][2]))
    kind--;
  convk_wavelets_arguments_of_(level, &a);
  a.in = level->in;
  a.low_in = level->low_in;
  a.mid = level->mid;
  a.out = level->out;
  a.low_out = level->low_out;
  memcpy(a.tap, taps->tap, sizeof a.tap);
  a.tiles_x = convk_ceil_((size_t)a.x.pairs, kind ? 64 : 32);
  a.strip = convk_round_up_(convk_ceil_((size_t)a.y.pairs, convk_ceil_(enough, a.tiles_x * a.planes)), rows);
  a.strips = convk_ceil_((size_t)a.y.pairs, a.strip);
  a.blocks = convk_ceil_((size_t)a.columns, CONVK_CUDA_WAVELETS_Z_THREADS_);
  a.chunk = convk_round_up_(convk_ceil_((size_t)a.z.pairs, convk_ceil_(enough, a.blocks)), group);
  a.chunks = convk_ceil_((size_t)a.z.pairs, a.chunk);
  if (!status)
    status = convk_cuda_start_(xy[kind], a.tiles_x * a.strips * a.planes, CONVK_CUDA_WAVELETS_THREADS_, call->stream, a);
  if (!status) status = convk_cuda_start_(along_z[kind], a.blocks * a.chunks, CONVK_CUDA_WAVELETS_Z_THREADS_, call->stream, a);
  return convk_cuda_clock_stop_(call, status);
}

#include "wavelets/segments_cuda.h"
