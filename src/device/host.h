/* ---- host arrays on a device ----
   What OpenCL and CUDA both have, as CONVK_DEVICE_(name), so that <family>/host.h is one text for both:
   host, memory           what hw->ours.inside.device points to; a buffer
   host_of(hw, &host)     checks the handle
   able(host, element, sums)   FP64 where f64, or doubles for sums, are not to be had
   begin(host), end(host, status)   around all below; end waits, also after a failure, and gives the handle its message
   wait(host, status)     for all until now
   drop(host, which), allot(host, which, bytes)   give a buffer back, and make one, whose place is host->buffer[which]
   copy(host, download, memory, grid, element, array)   between a grid of the caller and a packed one
   copy_box(host, download, memory, at, grid, first, count, element, array)   the same for a part of it, and a packed one that
                          begins at byte `at`, a number of its planes
   send(host, memory, at, bytes, list), fetch(host, memory, at, bytes, list)   bytes of a buffer, from a list of the caller and
                          back
   threads(hw)            the handle for checks that may use its threads, or NULL
   same(host, to, to_at, from, from_at, bytes)   from one buffer to another, or within one
   For calls in parts, device/parts.h:
   beside(host)           whether copies go on beside work
   allowed(host, &bytes)  bytes that buffers of a call may take
   lanes(host), lane(host, which), mark(host, event), after(host, event)   streams or queues that go on beside each other: makes
                          them; copies go to this one from now on, kernels always to the first; marks what it has got until now;
                          it waits for what was marked; until(host, event): the host waits
   For calls on device memory, and for what those on host arrays do there:
   call   where a call runs, and its message; in OpenCL the chain of its commands, too
   call_of(on, element, sums, &call)   checks CONVK_ON_, and that it has doubles for f64 and for sums
   call_on(host)          of a handle
   call_end(&call, status)   gives the caller its event
   array_of(memory)       a buffer of a handle as CONVK_ARRAY_
   array_place(&call, name, array, count, element, flags, &place)   for convk_places_check_; OpenCL knows the buffer's size
   machine, machine_of(on, &machine), machine_of_call(&call)   what of a device work may depend on; of CUDA nothing
   array_at(base, bytes, element)   an array within work memory, which is CONVK_ARRAY_(void)
   array_part(array, each, at, element)   an array that begins `at` bytes behind another, whose elements have `each` bytes
   none()                 no array
   any                    what these four are, good as an array of any type
   there(array)           whether it is not NULL
   query_of(on, &message) of a size query, which may be on nothing
   work_place(&call, work, work_size, need, &place, &base)   checks the caller's work; base: its first multiple of 256 bytes
   buffer, bring, bring_list, bring_all, back_all   device/bring.h; frame..: device/frame.h;
   vectors..: device/vectors.h; what kernels take: device/arguments.h */
#ifndef CONVK_DEVICE_ARRAYS_
#define CONVK_DEVICE_ARRAYS_ 8
/* Buffers that a handle keeps from call to call.  IN has the input, OUT the output, WORK the work.  Besides:
             filters    potential_apply  pairs        Monte Carlo  fft                 stencil  sums       hamiltonian
     MORE_0  potential  potential        values of V  values of V  plan                tail     potential  potential
     MORE_1  density    head of psi      gradients    accepted     numbers of kernels  head     add        -
     MORE_2  dot        tail of V        to           drifts       -                   -        sums       energies
     MORE_3  energy     energy           accept       ln psi       -                   -        -          -
     TAIL    tail       tail of psi      -            -            -                   -        -          -
   MORE_0 of form factors has the mesh, or parts of it, of atoms kinds.  Results of Gaussians are of several kinds: kind d
   is in OUT + d.  Functions of arrays have their results in IN, sincos its cosines in OUT.
   tail: planes that a window shares with the one before it; head: the first planes of a periodic axis; see convk_flow_. */
enum {
  CONVK_DEVICE_IN_ = 0,
  CONVK_DEVICE_OUT_ = 1,
  CONVK_DEVICE_MORE_0_ = 2,
  CONVK_DEVICE_MORE_1_ = 3,
  CONVK_DEVICE_MORE_2_ = 4,
  CONVK_DEVICE_MORE_3_ = 5,
  CONVK_DEVICE_WORK_ = 6,
  CONVK_DEVICE_TAIL_ = 7
};

/* Lanes of a call in parts, which are streams or queues: for its work, for what comes to the device, and for what goes back.
   Slots and marks: see device/parts.h. */
enum { CONVK_LANE_WORK_ = 0, CONVK_LANE_IN_ = 1, CONVK_LANE_OUT_ = 2, CONVK_STREAMS_ = 3, CONVK_SLOTS_ = 3, CONVK_MARKS_ = 9 };

/* Arrays of each vector of a call in parts of vectors: see device/vectors.h; most places of a call: device/frame.h. */
enum { CONVK_VECTORS_IN_ = 0, CONVK_VECTORS_OUT_ = 1, CONVK_VECTORS_MORE_ = 2, CONVK_VECTORS_ARRAYS_ = 3 };
enum { CONVK_FRAME_PLACES_ = 20 };

#define CONVK_PART_BYTES_ ((size_t)16 << 20) /* of a part, about: some 300 microseconds on the bus, which hide a few launches */

/* Planes of an array, from `first` on and before `end`; below 0 and beyond the last where it wraps around. */
typedef struct convk_window_ {
  int64_t first, end;
} convk_window_;

/* Bytes of the buffers that a handle keeps. */
CONVK_LOCAL_ size_t convk_device_held_(const size_t bytes[CONVK_DEVICE_ARRAYS_]) {
  size_t i, sum = 0;
  for (i = 0; i < CONVK_DEVICE_ARRAYS_; i++) sum += bytes[i];
  return sum;
}

/* Whether buffer `which` of so many bytes, and the others, are more than the handle allows. */
CONVK_LOCAL_ int convk_device_over_(const convk *hw, const size_t bytes[CONVK_DEVICE_ARRAYS_], size_t which, size_t want) {
  const size_t others = convk_device_held_(bytes) - bytes[which], limit = hw->device_bytes;
  if (want < bytes[which]) want = bytes[which];
  return limit && (want > limit || others > limit - want);
}

/* Of a call whose buffers take more. */
CONVK_LOCAL_ int convk_device_little_(convk *hw, size_t bytes) {
  if (!hw->device_bytes)
    return convk_refuse_at_(hw->message, CONVK_ERR_MEMORY, "the device has too little memory: this call takes % bytes at least",
                            (int64_t)bytes, 0, 0);
  return convk_refuse_at_(hw->message, CONVK_ERR_MEMORY, "hw->device_bytes is %, and this call takes % at least",
                          (int64_t)hw->device_bytes, (int64_t)bytes, 0);
}

/* Room for a b c elements at *at, from *end on, which moves behind it. */
CONVK_LOCAL_ int convk_reserve_(size_t *end, size_t a, size_t b, size_t c, size_t element, size_t *at) {
  size_t bytes;
  *at = *end;
  if (convk_mul_(a, b, &bytes) || convk_mul_(bytes, c, &bytes) || convk_mul_(bytes, element, &bytes) ||
      bytes > (size_t)-1 / 8 || *end > (size_t)-1 / 2)
    return CONVK_ERR_OVERFLOW;
  *end += convk_round_up_(bytes, 256);
  return CONVK_OK;
}

/* An array of the caller that a call on host arrays has in buffer `which`: it goes there, and comes back. */
typedef struct convk_staged_ {
  size_t which;
  const convk_grid3 *grid;
  size_t element;
  void *array; /* NULL: none */
  int upload, back;
} convk_staged_;

CONVK_LOCAL_ convk_staged_ convk_staged_of_(size_t which, const convk_grid3 *grid, size_t element, const void *array,
                                            int upload, int back) {
  const convk_staged_ staged = {which, grid, element, (void *)(uintptr_t)array, upload, back};
  return staged;
}

CONVK_LOCAL_ convk_grid3 convk_packed_(const convk_grid3 *grid) {
  convk_grid3 packed = *grid;
  packed.pitch_y = packed.nx;
  packed.pitch_z = packed.nx * packed.ny;
  return packed;
}
#endif
