/* ---- ready pairs of filters ---- */

CONVK_API_ convk_wavelet convk_wavelet_taps(int which) {
  static const CONVK_T low16[16] = {
      (CONVK_T)-3.3824159510050025955e-3, (CONVK_T)-5.4213233180001068935e-4, (CONVK_T)3.1695087811525991431e-2,
      (CONVK_T)7.6074873249766081919e-3,  (CONVK_T)-1.4329423835127266284e-1, (CONVK_T)-6.1273359067811077843e-2,
      (CONVK_T)4.8135965125905339159e-1,  (CONVK_T)7.7718575169962802862e-1,  (CONVK_T)3.6444189483617893676e-1,
      (CONVK_T)-5.1945838107881800736e-2, (CONVK_T)-2.7219029917103486322e-2, (CONVK_T)4.9137179673730286787e-2,
      (CONVK_T)3.8087520138944894631e-3,  (CONVK_T)-1.4952258337062199118e-2, (CONVK_T)-3.0292051472413308126e-4,
      (CONVK_T)1.8899503327676891843e-3};
  static const CONVK_T high16[16] = {
      (CONVK_T)-1.8899503327676891843e-3, (CONVK_T)-3.0292051472413308126e-4, (CONVK_T)1.4952258337062199118e-2,
      (CONVK_T)3.8087520138944894631e-3,  (CONVK_T)-4.9137179673730286787e-2, (CONVK_T)-2.7219029917103486322e-2,
      (CONVK_T)5.1945838107881800736e-2,  (CONVK_T)3.6444189483617893676e-1,  (CONVK_T)-7.7718575169962802862e-1,
      (CONVK_T)4.8135965125905339159e-1,  (CONVK_T)6.1273359067811077843e-2,  (CONVK_T)-1.4329423835127266284e-1,
      (CONVK_T)-7.6074873249766081919e-3, (CONVK_T)3.1695087811525991431e-2,  (CONVK_T)5.4213233180001068935e-4,
      (CONVK_T)-3.3824159510050025955e-3};
  static const CONVK_T low8[8] = {(CONVK_T)-7.5765714789502213228e-2, (CONVK_T)-2.9635527646002491764e-2,
                                  (CONVK_T)4.9761866763277498998e-1,  (CONVK_T)8.0373875180513208088e-1,
                                  (CONVK_T)2.9785779560530605140e-1,  (CONVK_T)-9.9219543576633532585e-2,
                                  (CONVK_T)-1.2603967262031303754e-2, (CONVK_T)3.2223100604051467872e-2};
  static const CONVK_T high8[8] = {(CONVK_T)-3.2223100604051467872e-2, (CONVK_T)-1.2603967262031303754e-2,
                                   (CONVK_T)9.9219543576633532585e-2,  (CONVK_T)2.9785779560530605140e-1,
                                   (CONVK_T)-8.0373875180513208088e-1, (CONVK_T)4.9761866763277498998e-1,
                                   (CONVK_T)2.9635527646002491764e-2,  (CONVK_T)-7.5765714789502213228e-2};
  static const CONVK_T low31[31] = {
      (CONVK_T)-9.2250149921474082015e-9, (CONVK_T)1.7393306561979039490e-7,  (CONVK_T)-1.5578172714074496288e-6,
      (CONVK_T)9.7488426741565769756e-6,  (CONVK_T)-2.8480442793096733611e-5, (CONVK_T)-3.4162902320983755896e-5,
      (CONVK_T)5.4731040109973893777e-4,  (CONVK_T)-3.4543155764822098308e-3, (CONVK_T)-4.3299995331208240697e-3,
      (CONVK_T)3.1835414345970668137e-2,  (CONVK_T)2.3424614735397134395e-2,  (CONVK_T)-1.3852477567405100085e-1,
      (CONVK_T)-1.1023008167833446826e-1, (CONVK_T)4.1606693676621257536e-1,  (CONVK_T)7.8046048025074402849e-1,
      (CONVK_T)4.2598798269694719330e-1,  (CONVK_T)-1.4743648317973476936e-2, (CONVK_T)-3.1312897214485659659e-2,
      (CONVK_T)4.3793326416155009500e-2,  (CONVK_T)8.0208847559691655459e-3,  (CONVK_T)-1.3367239421126794640e-2,
      (CONVK_T)-1.7135145673762282241e-3, (CONVK_T)1.5547744749237938993e-3,  (CONVK_T)2.3987828928177507517e-4,
      (CONVK_T)2.5057266882581997398e-5,  (CONVK_T)-1.4147525211040058740e-5, (CONVK_T)2.0755675626515876328e-6,
      (CONVK_T)-4.0033729064957944938e-7, (CONVK_T)1.5691554225771085691e-7,  (CONVK_T)-2.4646355857433108359e-8,
      (CONVK_T)1.5938753881171638248e-9};
  static const CONVK_T high31[31] = {
      (CONVK_T)-5.1545464563622292493e-9, (CONVK_T)9.7186407588266778366e-8,  (CONVK_T)-8.7796306212502899553e-7,
      (CONVK_T)5.5890429568834202313e-6,  (CONVK_T)-1.7169835895815067013e-5, (CONVK_T)-1.1402461428743860613e-5,
      (CONVK_T)2.8479503466830096257e-4,  (CONVK_T)-1.9699454319373247538e-3, (CONVK_T)-1.9602139595384833547e-3,
      (CONVK_T)1.5281781287179308495e-2,  (CONVK_T)7.2888369266039604623e-3,  (CONVK_T)-3.9920047232423474172e-2,
      (CONVK_T)-5.2935814515665507352e-2, (CONVK_T)4.9247868599583189247e-2,  (CONVK_T)4.0346722112554718347e-1,
      (CONVK_T)-7.8110468414482695849e-1, (CONVK_T)4.3810509543421050422e-1,  (CONVK_T)7.7858113707232306275e-2,
      (CONVK_T)-1.1950673101135450945e-1, (CONVK_T)-2.2857677317437822508e-2, (CONVK_T)2.8206423027424364667e-2,
      (CONVK_T)3.7436631993987390831e-3,  (CONVK_T)-2.7213277354099953613e-3, (CONVK_T)-4.6450457378193400810e-4,
      (CONVK_T)-4.0668222535397420851e-5, (CONVK_T)2.4486891695262527278e-5,  (CONVK_T)-3.3186107540444071037e-6,
      (CONVK_T)6.5211830898659553296e-7,  (CONVK_T)-2.7666729880873517609e-7, (CONVK_T)4.4109215856612868616e-8,
      (CONVK_T)-2.8525350339693075057e-9};
  static const convk_wavelet wavelet[] = {{-7, 8, low16, high16}, {-3, 4, low8, high8}, {-14, 16, low31, high31}},
                             none = {0, 1, NULL, NULL};
  return which >= 0 && which <= CONVK_WAVELET_VALUES ? wavelet[which] : none;
}

/* ---- one level ---- */

/* Bytes that z fetches ahead in each plane, whose rows follow each other: a row of 23 planes is more than an L1 holds. */
#define CONVK_WAVELETS_AHEAD_ ((size_t)512)

/* One level of a checked call.  in, gi: the fine grid of an analysis, or the coarse one of a synthesis; out, go: the other.
   low_in, low_out: where the block sss of a coarse grid lies, on the packed grid `low`, if not at its beginning. */
typedef struct convk_wavelets_job_ {
  const convk_wavelets_kernels_ *kernels;
  convk_wavelets_axis_ axis[3];
  convk_wavelets_taps_ taps;
  int synthesis;
  convk_grid3 gi, go, low;
  const CONVK_T *in, *low_in;
  CONVK_T *out, *low_out;
  convk_wavelets_cut_ cut;
  size_t block; /* rows that turn to columns between y and x; 0: they do not */
  char *scratch;
} convk_wavelets_job_;

/* The filters of both outputs of a pair, for what is even and what is odd of the sequence that they read. */
CONVK_RARE_ void convk_wavelets_taps_of_(const convk_wavelet *wavelet, int synthesis, convk_wavelets_taps_ *taps) {
  const int lo = wavelet->lo, up = wavelet->up;
  int f, p, l, k;
  memset(taps, 0, sizeof *taps);
  for (f = 0; f < 2; f++)
    for (p = 0; p < 2; p++) {
      const CONVK_T *const from = (synthesis ? p : f) ? wavelet->high : wavelet->low;
      k = 0;
      if (synthesis)
        for (l = up - 1 + f; l >= lo; l -= 2) taps->tap[p][f][k++] = CONVK_ONE_(from + (l - lo));
      else
        for (l = lo + p; l <= up; l += 2) taps->tap[p][f][k++] = CONVK_ONE_(from + (l - lo));
      if (f) taps->more = k - (int)taps->count[p];
      else taps->count[p] = (size_t)k;
    }
}

/* Row `y` of a plane's input, or zeros; h: the second half of it. */
CONVK_LOCAL_ const CONVK_T *convk_wavelets_row_of_(const convk_wavelets_job_ *job, const CONVK_T *scratch, size_t z, size_t y,
                                                   size_t h) {
  if (y == CONVK_NONE_) return scratch + job->cut.zeros;
  if (job->low_in && !h && z < job->axis[2].half && y < job->axis[1].half)
    return job->low_in + z * job->low.pitch_z + y * job->low.pitch_y;
  return job->in + z * job->gi.pitch_z + y * job->gi.pitch_y + h * job->axis[0].half;
}

/* Filters a block of pairs of rows along y.  source: rows of plane z that they read, or zeros.  Each row of the result is left
   in two halves. */
CONVK_LOCAL_ void convk_wavelets_y_(const convk_wavelets_job_ *job, CONVK_T *scratch, size_t z, const size_t *source,
                                    size_t pairs, size_t ahead) {
  const convk_wavelets_cut_ *cut = &job->cut;
  const size_t count = 2 * pairs + job->axis[1].run.ntaps - 1, n = job->synthesis ? job->axis[0].half : job->gi.nx;
  const CONVK_T *rows[CONVK_BLOCK_ + CONVK_FILTER_MAX_TAPS];
  CONVK_T *out[CONVK_BLOCK_];
  size_t k, h;
  for (h = 0; h < (job->synthesis ? 2u : 1u); h++) {
    for (k = 0; k < count; k++) rows[k] = convk_wavelets_row_of_(job, scratch, z, source[k], h);
    for (k = 0; k < 2 * pairs; k++) out[k] = scratch + cut->halves + cut->half_left + (2 * k + h) * cut->half_pitch;
    job->kernels->pairs(rows, &job->taps, n, pairs, out, job->synthesis ? 0 : cut->half_pitch, 0, ahead);
  }
}

/* x of the rows of a block, from their halves, which are continued beyond the ends of the axis, to rows of a plane. */
CONVK_LOCAL_ void convk_wavelets_x_(const convk_wavelets_job_ *job, CONVK_T *scratch, size_t nrows, CONVK_T *plane) {
  const convk_wavelets_cut_ *cut = &job->cut;
  const convk_wavelets_axis_ *ax = &job->axis[0];
  const convk_axis_ *run = &ax->run;
  const ptrdiff_t from = (run->shift < 0 ? run->shift - 1 : run->shift) / 2; /* of halves: rounded down */
  const ptrdiff_t last = run->shift + (ptrdiff_t)(run->m + run->ntaps) - 2;
  CONVK_T *half[2], *even, *odd;
  const size_t pitch = 2 * cut->half_pitch;
  size_t h, r;
  for (h = 0; h < 2; h++) {
    convk_axis_ axis = *run;
    axis.n = (run->n + 1 - h) / 2;
    half[h] = scratch + cut->halves + cut->half_left + h * cut->half_pitch;
    convk_filters_extend_(job->kernels->copy, &axis, half[h], pitch, nrows, from, 0);
    convk_filters_extend_(job->kernels->copy, &axis, half[h], pitch, nrows, (ptrdiff_t)axis.n, last < 0 ? 0 : last / 2 + 1);
  }
  even = half[run->shift & 1] + from;
  odd = half[(run->shift + 1) & 1] + from + (run->shift & 1);
  job->kernels->pairs_along(even, odd, pitch, &job->taps, ax->pairs, nrows, plane + ax->first, cut->row_pitch,
                            job->synthesis ? 0 : ax->half);
  if (ax->first > 0)
    for (r = 0; r < nrows; r++) plane[r * cut->row_pitch] = CONVK_ONE_(plane + r * cut->row_pitch + ax->fine);
}

/* Where x finds the columns that it reads, one after the other: its axis is continued by them, or by zeros. */
CONVK_LOCAL_ void convk_wavelets_lines_(const convk_wavelets_job_ *job, const CONVK_T *scratch) {
  const convk_axis_ *const run = &job->axis[0].run;
  const CONVK_T **const line = (const CONVK_T **)(void *)((const char *)scratch + job->cut.line_bytes);
  size_t k;
  for (k = 0; k < run->m + run->ntaps - 1; k++) {
    const size_t from = convk_filters_source_(run, (ptrdiff_t)k + run->shift);
    line[k] = scratch + (from == CONVK_NONE_ ? job->cut.zeros : job->cut.halves + from * job->block);
  }
}

/* y and x of a block of rows that turn to columns between. */
CONVK_LOCAL_ void convk_wavelets_two_axes_(const convk_wavelets_job_ *job, CONVK_T *scratch, size_t z, const size_t *source,
                                           size_t ahead, convk_fetch_ *fetch, CONVK_T *plane) {
  const convk_wavelets_cut_ *const cut = &job->cut;
  const convk_wavelets_axis_ *const ax = &job->axis[0];
  const size_t block = job->block, halves = job->synthesis ? 2 : 1, n = ax->run.n / halves;
  const CONVK_T *rows[64 / sizeof(CONVK_T) + CONVK_FILTER_MAX_TAPS];
  size_t k, h;
  for (h = 0; h < halves; h++) {
    for (k = 0; k < block + job->axis[1].run.ntaps - 1; k++) rows[k] = convk_wavelets_row_of_(job, scratch, z, source[k], h);
    job->kernels->pairs_turned(rows, &job->taps, n, block / 2, scratch + cut->halves + h * block, halves * block, 0, ahead,
                               fetch);
  }
  job->kernels->pairs_turned((const CONVK_T *const *)(const void *)((const char *)scratch + cut->line_bytes), &job->taps, block,
                             ax->pairs, plane + ax->first, cut->row_pitch, job->synthesis ? 0 : ax->half, 0, fetch);
  for (k = 0; k < block && ax->first > 0; k++) plane[k * cut->row_pitch] = CONVK_ONE_(plane + k * cut->row_pitch + ax->fine);
}

/* z of a block of pairs for a row: from planes to the output. */
CONVK_LOCAL_ void convk_wavelets_z_(const convk_wavelets_job_ *job, CONVK_T *scratch, const CONVK_T *const *planes, size_t row,
                                    size_t y, size_t z, size_t pairs) {
  const convk_wavelets_cut_ *cut = &job->cut;
  const size_t count = 2 * pairs + job->axis[2].run.ntaps - 1, n = convk_wavelets_across_(&job->axis[0], job->synthesis);
  const CONVK_T *rows[CONVK_BLOCK_ + CONVK_FILTER_MAX_TAPS];
  CONVK_T *out[CONVK_BLOCK_];
  const int low = job->low_out && y < job->axis[1].half;
  size_t k, h;
  for (k = 0; k < count; k++) rows[k] = planes[k] ? planes[k] + row * cut->row_pitch : scratch + cut->zeros;
  for (h = 0; h < (low ? 2u : 1u); h++) { /* the block sss apart */
    for (k = 0; k < 2 * pairs; k++) {
      const size_t to = convk_wavelets_target_(&job->axis[2], job->synthesis, z + k);
      if (to == CONVK_NONE_) out[k] = scratch + cut->trash;
      else if (low && !h && to < job->axis[2].half) out[k] = job->low_out + to * job->low.pitch_z + y * job->low.pitch_y;
      else out[k] = job->out + to * job->go.pitch_z + y * job->go.pitch_y + h * (n / 2);
    }
    if (h)
      for (k = 0; k < count; k++) rows[k] += planes[k] ? n / 2 : 0;
    job->kernels->pairs(rows, &job->taps, low ? n / 2 : n, pairs, out, 0, cut->stream, CONVK_WAVELETS_AHEAD_);
  }
}

/* Bytes from the rows of a block to those that are read next, in plane z or, behind its last block, in plane `next`. */
CONVK_LOCAL_ size_t convk_wavelets_ahead_(const convk_wavelets_job_ *job, const size_t *source, size_t y, size_t block,
                                          size_t ny, size_t z, size_t next) {
  const size_t from = source[y], to = source[y + block < ny ? y + block : 0];
  size_t rows = from == CONVK_NONE_ || to == CONVK_NONE_ ? 0 : (to - from) * job->gi.pitch_y; /* modulo 2^64, as all here */
  if (y + block >= ny) rows += (next - z) * job->gi.pitch_z;
  return rows * sizeof(CONVK_T);
}

/* y and x of the rows of a tile in plane z; next: the plane that is read then. */
CONVK_LOCAL_ void convk_wavelets_rows_of_(const convk_wavelets_job_ *job, CONVK_T *scratch, const size_t *source, size_t ny,
                                          size_t z, size_t next, convk_fetch_ *fetch, CONVK_T *plane) {
  const int turns = job->block && ny >= job->block;
  const size_t block = turns ? job->block : CONVK_BLOCK_, pitch = job->cut.row_pitch;
  size_t y;
  for (y = 0; y < ny; y += block) {
    const size_t some = ny - y < block ? ny - y : block, at = turns ? y + some - block : y;
    const size_t ahead = convk_wavelets_ahead_(job, source, at, block, ny, z, next == CONVK_NONE_ ? z : next);
    if (turns) { /* the last block makes some rows again, the same */
      convk_wavelets_two_axes_(job, scratch, z, source + at, fetch ? 0 : ahead, fetch, plane + at * pitch);
    } else {
      convk_wavelets_y_(job, scratch, z, source + y, some / 2, ahead);
      convk_wavelets_x_(job, scratch, some, plane + y * pitch);
    }
  }
}

/* What the tiles of an analysis fetch, of `rows` rows: nothing yet.  Each time y and x ask for it, it is their share of a
   plane.  (A synthesis, which reads rows of two halves of two planes in turn, was not faster by it.) */
CONVK_LOCAL_ void convk_wavelets_fetch_(const convk_wavelets_job_ *job, const size_t *source, size_t rows, size_t *offsets,
                                        convk_fetch_ *fetch) {
  size_t k;
  fetch->base = (uintptr_t)job->in;
  fetch->pitch = job->gi.pitch_z * sizeof(CONVK_T);
  fetch->nz = job->gi.nz;
  fetch->wraps = job->axis[2].run.boundary == CONVK_BOUNDARY_PERIODIC;
  fetch->offsets = offsets;
  fetch->element = sizeof(CONVK_T);
  fetch->bytes = job->gi.nx * sizeof(CONVK_T);
  fetch->rows = rows;
  fetch->budget = rows * convk_ceil_(fetch->bytes, 64) / (2 * convk_ceil_(rows, job->block)) + 1;
  for (k = 0; k < rows; k++) offsets[k] = source[k] == CONVK_NONE_ ? source[k] : source[k] * job->gi.pitch_y;
}

/* The plane of the input that z reads as its plane `ready`, or CONVK_NONE_ for zeros. */
CONVK_LOCAL_ size_t convk_wavelets_plane_(const convk_wavelets_job_ *job, size_t ready) {
  const convk_axis_ *az = &job->axis[2].run;
  const size_t from = convk_filters_source_(az, (ptrdiff_t)ready + az->shift);
  return from == CONVK_NONE_ || !job->synthesis ? from : convk_wavelets_planar_(from, job->axis[2].half);
}

/* Outputs z0 .. z1 - 1 of z and y0 .. y0 + ny - 1 of y; planes that went through y and x wait in scratch as those of
   sepconv3d. */
CONVK_LOCAL_ void convk_wavelets_tile_of_(const convk_wavelets_job_ *job, CONVK_T *scratch, size_t y0, size_t ny, size_t z0,
                                          size_t z1) {
  const convk_axis_ *ay = &job->axis[1].run, *az = &job->axis[2].run;
  const convk_wavelets_cut_ *cut = &job->cut;
  const size_t more = az->ntaps - 1;
  const convk_ring_ ring = convk_ring_of_(az, z1 - z0);
  const CONVK_T *planes[CONVK_BLOCK_ + CONVK_FILTER_MAX_TAPS];
  size_t *source = (size_t *)(void *)((char *)scratch + cut->source_bytes);
  size_t z, y, k, ready = 0;
  CONVK_T *const first = scratch + cut->planes + 64 / sizeof(CONVK_T);
  const int fetches = cut->fetches && job->block; /* lines in an L3 are near enough: there it cost 0.06 of the time */
  convk_fetch_ fetch;
  memset(&fetch, 0, sizeof fetch);
  for (k = 0; k < ny + ay->ntaps - 1; k++) {
    const size_t from = convk_filters_source_(ay, (ptrdiff_t)(y0 + k) + ay->shift);
    source[k] = from == CONVK_NONE_ || !job->synthesis ? from : convk_wavelets_planar_(from, job->axis[1].half);
  }
  if (fetches) convk_wavelets_fetch_(job, source, ny + ay->ntaps - 1, source + ny + ay->ntaps - 1, &fetch);
  for (z = z0; z < z1; z += CONVK_BLOCK_) {
    const size_t nout = z1 - z < CONVK_BLOCK_ ? z1 - z : CONVK_BLOCK_;
    for (; ready < z - z0 + nout + more; ready++) {
      const size_t from = convk_wavelets_plane_(job, z0 + ready), next = convk_wavelets_plane_(job, z0 + ready + 1);
      CONVK_T *plane = first + convk_ring_slot_(&ring, ready) * cut->plane_pitch;
      if (from == CONVK_NONE_ || ready >= ring.distinct) continue;
      if (fetches) { /* the next plane */
        fetch.z = from + 1 < fetch.nz ? from + 1 : 0;
        fetch.next = fetch.row = fetch.at = 0;
        fetch.limit = 1;
      }
      convk_wavelets_rows_of_(job, scratch, source, ny, from, next, fetches ? &fetch : NULL, plane);
    }
    for (k = 0; k < nout + more; k++)
      planes[k] = convk_filters_source_(az, (ptrdiff_t)(z + k) + az->shift) == CONVK_NONE_
                      ? NULL
                      : first + convk_ring_slot_(&ring, (z - z0 + k) % ring.distinct) * cut->plane_pitch;
    for (y = 0; y < ny; y++) {
      const size_t to = convk_wavelets_target_(&job->axis[1], job->synthesis, y0 + y);
      if (to != CONVK_NONE_) convk_wavelets_z_(job, scratch, planes, y, to, z, nout / 2);
    }
  }
}

/* Computes the tiles index % tasks_y, + tasks_y, .. of rows, in chunk index / tasks_y of planes. */
CONVK_LOCAL_ void convk_wavelets_task_(void *arg, size_t index) {
  const convk_wavelets_job_ *job = (const convk_wavelets_job_ *)arg;
  const convk_wavelets_cut_ *cut = &job->cut;
  const size_t my = job->axis[1].run.m, mz = job->axis[2].run.m, z0 = index / cut->tasks_y * cut->chunk_z;
  const size_t z1 = z0 + cut->chunk_z < mz ? z0 + cut->chunk_z : mz;
  CONVK_T *scratch = (CONVK_T *)(void *)(job->scratch + index * cut->bytes);
  size_t y;
  memset(scratch, 0, cut->planes * sizeof(CONVK_T)); /* the zeros, and what is read and dropped */
  if (job->block) convk_wavelets_lines_(job, scratch);
  for (y = index % cut->tasks_y * cut->rows; y < my; y += cut->tasks_y * cut->rows)
    convk_wavelets_tile_of_(job, scratch, y, my - y < cut->rows ? my - y : cut->rows, z0, z1);
  if (cut->stream) job->kernels->fence();
}

/* ---- calls ---- */

/* A checked call: both grids, and the arrays of blocks sss between levels, which take turns. */
typedef struct convk_wavelets_call_ {
  convk_dwt3d_shape full;
  size_t span[2], between[2];
  int levels;
} convk_wavelets_call_;

/* Checks a shape, and fills in the grids of a call and the bytes of the arrays between its levels. */
CONVK_RARE_ int convk_wavelets_shapes_(char *message, const convk_dwt3d_shape *shape, int lo, int up,
                                       convk_wavelets_call_ *call) {
  const int status = convk_wavelets_grids_(message, shape, lo, up, sizeof(CONVK_T), &call->full, call->span);
  size_t half[3];
  int i;
  if (status) return status;
  call->levels = call->full.levels;
  for (i = 0; i < 2; i++) {
    call->between[i] = 0;
    if (i + 1 >= call->levels) continue;
    convk_wavelets_halves_(&call->full, up - lo + 1, i, half);
    call->between[i] = convk_round_up_(half[0] * half[1] * half[2] * sizeof(CONVK_T), 64);
  }
  return CONVK_OK;
}

CONVK_RARE_ int convk_wavelets_wavelet_check_(char *message, const convk_wavelet *wavelet) {
  int k;
  if (!wavelet) return convk_refuse_(message, CONVK_ERR_NULL, "wavelet is NULL");
  if (!wavelet->low || !wavelet->high)
    return convk_refuse_names_(message, CONVK_ERR_NULL, "wavelet->$ is NULL", wavelet->low ? "high" : "low", NULL);
  for (k = 0; k <= wavelet->up - wavelet->lo; k++)
    if (!convk_finite_(CONVK_ONE_(wavelet->low + k)) || !convk_finite_(CONVK_ONE_(wavelet->high + k)))
      return convk_refuse_at_(message, CONVK_ERR_NONFINITE, "tap % of wavelet->low or ->high is not finite", k, 0, 0);
  return CONVK_OK;
}

/* Bytes of work of all levels, cut by the handle `by`, without the arrays between them: what a call needs, or with `bound` what
   is enough for smaller ones, too. */
CONVK_RARE_ int convk_wavelets_need_(char *message, convk *by, const convk_wavelets_call_ *call, int lo, int up, int synthesis,
                                     int bound, size_t *need) {
  size_t one, half[3];
  int level, d, status = CONVK_OK;
  *need = 0;
  for (level = 0; level < (bound ? 1 : call->levels) && !status; level++) {
    convk_wavelets_axis_ axis[3];
    convk_wavelets_cut_ cut;
    convk_wavelets_halves_(&call->full, up - lo + 1, level, half);
    for (d = 0; d < 3; d++) convk_wavelets_axis_of_(half[d], lo, up, call->full.boundary[d], synthesis, &axis[d]);
    status = bound ? convk_wavelets_bound_(by, axis, synthesis, sizeof(CONVK_T), &one)
                   : convk_wavelets_cut_of_(by, axis, synthesis, sizeof(CONVK_T), &cut, &one);
    if (!status && one > *need) *need = one;
  }
  if (!status && *need > (size_t)-1 / 4) status = CONVK_ERR_OVERFLOW;
  if (status) return convk_refuse_(message, status, "shape needs more work than can be counted in bytes");
  return CONVK_OK;
}

/* One level, cut by a handle of its own: `fine` and `coarse` are its arrays, `low` the block sss of the coarse one where it
   lies elsewhere. */
CONVK_RARE_ int convk_wavelets_level_(convk *hw, convk *by, convk_wavelets_job_ *job, const convk_grid3 *fine,
                                      const convk_grid3 *coarse, const CONVK_T *in, CONVK_T *out, CONVK_T *low) {
  size_t need;
  const int status = convk_wavelets_cut_of_(by, job->axis, job->synthesis, sizeof(CONVK_T), &job->cut, &need);
  if (status) return status;
  memset(&job->low, 0, sizeof job->low);
  job->low.nx = job->low.pitch_y = job->axis[0].half;
  job->low.ny = job->axis[1].half;
  job->low.nz = job->axis[2].half;
  job->low.pitch_z = job->low.pitch_y * job->low.ny;
  job->gi = job->synthesis ? *coarse : *fine;
  job->go = job->synthesis ? *fine : *coarse;
  job->in = in;
  job->out = out;
  job->low_in = job->synthesis ? low : NULL;
  job->low_out = job->synthesis ? NULL : low;
  job->block = job->kernels->pairs_block ? job->kernels->pairs_block(&job->taps) : 0;
  if (job->axis[0].run.n / (job->synthesis ? 2 : 1) < job->block || 2 * job->axis[0].pairs < job->block) job->block = 0;
  return convk_run_tasks_(hw, job->cut.tasks, convk_wavelets_task_, job);
}

/* Level by level: an analysis begins with the finest, a synthesis with the coarsest.  Between levels l and l + 1 blocks sss
   lie in array l % 2. */
CONVK_RARE_ int convk_wavelets_levels_(const convk_wavelets_kernels_ *kernels, convk *hw, convk *by,
                                       const convk_wavelets_call_ *call, const convk_wavelet *wavelet, int synthesis,
                                       const CONVK_T *in, CONVK_T *out, char *base) {
  CONVK_T *const between[2] = {(CONVK_T *)(void *)base, (CONVK_T *)(void *)(base + call->between[0])};
  convk_wavelets_job_ job;
  int i, status = CONVK_OK;
  memset(&job, 0, sizeof job);
  job.kernels = kernels;
  job.synthesis = synthesis;
  job.scratch = base + call->between[0] + call->between[1];
  convk_wavelets_taps_of_(wavelet, synthesis, &job.taps);
  for (i = 0; i < call->levels && !status; i++) {
    const int level = synthesis ? call->levels - 1 - i : i;
    CONVK_T *const above = level ? between[(level - 1) % 2] : NULL;            /* its fine grid */
    CONVK_T *const low = level + 1 < call->levels ? between[level % 2] : NULL; /* its block sss */
    convk_grid3 fine, coarse;
    convk_wavelets_level_of_(&call->full, wavelet->lo, wavelet->up, synthesis, level, job.axis, &fine, &coarse);
    status = synthesis ? convk_wavelets_level_(hw, by, &job, &fine, &coarse, in, level ? above : out, low)
                       : convk_wavelets_level_(hw, by, &job, &fine, &coarse, level ? above : in, out, low);
  }
  return status;
}

/* Names of the input and the output; values: of s1_to_r and r_to_s1. */
CONVK_RARE_ const char *const *convk_wavelets_names_(int values, int synthesis) {
  static const char *const names[2][2][2] = {{{"fine", "coarse"}, {"coarse", "fine"}},
                                             {{"values", "coarse"}, {"coarse", "values"}}};
  return names[values][synthesis];
}

/* Everything that can be wrong with the arguments of the four calls, found before anything is written. */
CONVK_RARE_ int convk_wavelets_check_(char *message, const convk_dwt3d_shape *shape, const convk_wavelet *wavelet, int values,
                                      int synthesis, const CONVK_T *in, CONVK_T *out, void *work, size_t work_size,
                                      convk_wavelets_call_ *call) {
  const char *const *const names = convk_wavelets_names_(values, synthesis);
  convk_place_ place[5];
  size_t taps;
  int status;
  if (!wavelet) return convk_refuse_(message, CONVK_ERR_NULL, "wavelet is NULL");
  status = convk_wavelets_shapes_(message, shape, wavelet->lo, wavelet->up, call);
  if (!status) status = convk_wavelets_wavelet_check_(message, wavelet);
  if (status) return status;
  place[0] = convk_place_of_(names[0], in, call->span[synthesis] * sizeof(CONVK_T), 0);
  place[1] = convk_place_of_(names[1], out, call->span[!synthesis] * sizeof(CONVK_T), CONVK_PLACE_WRITTEN_);
  place[2] = convk_place_of_("work", work, work_size, CONVK_PLACE_WRITTEN_ | CONVK_PLACE_OPTIONAL_);
  taps = (size_t)(wavelet->up - wavelet->lo + 1) * sizeof(CONVK_T);
  place[3] = convk_place_read_("wavelet->low", 0, wavelet->low, taps);
  place[4] = convk_place_read_("wavelet->high", 0, wavelet->high, taps);
  return convk_places_check_(message, place, 5);
}

/* The handle that a call is cut by: by the tuner's entry that fits the fine grid best. */
CONVK_RARE_ convk *convk_wavelets_tuned_(convk *hw, const convk_wavelets_call_ *call, const convk_wavelet *wavelet,
                                         int synthesis, convk *copy) {
  size_t n[3];
  n[0] = call->full.fine.nx;
  n[1] = call->full.fine.ny;
  n[2] = call->full.fine.nz;
  return convk_tuned_handle_(hw, synthesis ? "idwt3d" : "dwt3d", sizeof(CONVK_T) == 4 ? "f32" : "f64", n,
                             (size_t)(wavelet->up - wavelet->lo + 1), copy);
}

/* The pair of s1_to_r and r_to_s1, which have one level. */
CONVK_RARE_ int convk_wavelets_values_(char *message, const convk_dwt3d_shape *shape, convk_wavelet *wavelet) {
  *wavelet = convk_wavelet_taps(CONVK_WAVELET_VALUES);
  if (!shape || shape->levels == 0 || shape->levels == 1) return CONVK_OK;
  return convk_refuse_at_(message, CONVK_ERR_LEVELS, "shape->levels is %, and values have one", shape->levels, 0, 0);
}

/* All four calls; values: s1_to_r and r_to_s1, whose wavelet is found here. */
CONVK_RARE_ int convk_wavelets_do_(const convk_wavelets_kernels_ *kernels, convk *hw, const convk_dwt3d_shape *shape,
                                   const convk_wavelet *wavelet, int values, int synthesis, const CONVK_T *in, CONVK_T *out,
                                   void *work, size_t work_size) {
  char *const message = convk_message_(hw);
  convk_wavelet own;
  convk_wavelets_call_ call;
  convk_work_ memory;
  size_t need;
  convk copy, *by = hw;
  int status = values ? convk_wavelets_values_(message, shape, &own) : CONVK_OK;
  if (!status && hw) status = convk_check_handle_(hw);
  if (values) wavelet = &own;
  if (!status) status = convk_wavelets_check_(message, shape, wavelet, values, synthesis, in, out, work, work_size, &call);
  if (!status) by = convk_wavelets_tuned_(hw, &call, wavelet, synthesis, &copy);
  if (!status) status = convk_wavelets_need_(message, by, &call, wavelet->lo, wavelet->up, synthesis, 0, &need);
  if (!status) status = convk_work_begin_(message, &memory, work, work_size, need + call.between[0] + call.between[1]);
  if (status) return status;
  status = convk_wavelets_levels_(kernels, hw, by, &call, wavelet, synthesis, in, out, memory.base);
  convk_work_end_(&memory);
  return status;
}

CONVK_RARE_ int convk_dwt3d_cpu_(const convk_wavelets_kernels_ *kernels, convk *hw, const convk_dwt3d_shape *shape,
                                 const convk_wavelet *wavelet, const CONVK_T *fine, CONVK_T *coarse, void *work,
                                 size_t work_size) {
  return convk_wavelets_do_(kernels, hw, shape, wavelet, 0, 0, fine, coarse, work, work_size);
}

CONVK_RARE_ int convk_idwt3d_cpu_(const convk_wavelets_kernels_ *kernels, convk *hw, const convk_dwt3d_shape *shape,
                                  const convk_wavelet *wavelet, const CONVK_T *coarse, CONVK_T *fine, void *work,
                                  size_t work_size) {
  return convk_wavelets_do_(kernels, hw, shape, wavelet, 0, 1, coarse, fine, work, work_size);
}

CONVK_RARE_ int convk_s1_to_r_cpu_(const convk_wavelets_kernels_ *kernels, convk *hw, const convk_dwt3d_shape *shape,
                                   const CONVK_T *coarse, CONVK_T *values, void *work, size_t work_size) {
  return convk_wavelets_do_(kernels, hw, shape, NULL, 1, 1, coarse, values, work, work_size);
}

CONVK_RARE_ int convk_r_to_s1_cpu_(const convk_wavelets_kernels_ *kernels, convk *hw, const convk_dwt3d_shape *shape,
                                   const CONVK_T *values, CONVK_T *coarse, void *work, size_t work_size) {
  return convk_wavelets_do_(kernels, hw, shape, NULL, 1, 0, values, coarse, work, work_size);
}

/* ---- sizes ---- */

CONVK_API_ int convk_dwt3d_resolve(convk *hw, const convk_dwt3d_shape *shape, const convk_wavelet *wavelet,
                                   convk_dwt3d_shape *resolved) {
  convk_wavelets_call_ call;
  int status = hw ? convk_begin_call_(hw) : CONVK_OK;
  if (!status) status = convk_need_(convk_message_(hw), "wavelet", wavelet);
  if (!status) status = convk_need_(convk_message_(hw), "resolved", resolved);
  if (!status) status = convk_wavelets_shapes_(convk_message_(hw), shape, wavelet->lo, wavelet->up, &call);
  if (!status) *resolved = call.full;
  return status;
}

/* Bytes of work of either transform, enough for smaller ones and for all entries of the tuner. */
CONVK_RARE_ int convk_wavelets_work_of_(convk *hw, const convk_dwt3d_shape *shape, const convk_wavelet *wavelet, int synthesis,
                                        size_t *bytes) {
  convk_wavelets_call_ call;
  size_t need = 0, max_need = 0, i;
  convk copy;
  int status = hw ? convk_begin_call_(hw) : CONVK_OK;
  if (!status) status = convk_need_(convk_message_(hw), "bytes", bytes);
  if (!status) status = convk_need_(convk_message_(hw), "wavelet", wavelet);
  if (!status) status = convk_wavelets_shapes_(convk_message_(hw), shape, wavelet->lo, wavelet->up, &call);
  for (i = 0; i < convk_tuned_ways_(hw) && !status; i++) {
    convk *const by =
        i ? convk_tuned_way_(hw, synthesis ? "idwt3d" : "dwt3d", sizeof(CONVK_T) == 4 ? "f32" : "f64", i, &copy) : hw;
    if (i && !by) continue;
    status = convk_wavelets_need_(convk_message_(hw), by, &call, wavelet->lo, wavelet->up, synthesis, 1, &need);
    if (need > max_need) max_need = need;
  }
  if (!status) *bytes = max_need + call.between[0] + call.between[1];
  return status;
}

CONVK_API_ int convk_dwt3d_work_size(convk *hw, const convk_dwt3d_shape *shape, const convk_wavelet *wavelet, size_t *bytes) {
  return convk_wavelets_work_of_(hw, shape, wavelet, 0, bytes);
}

CONVK_API_ int convk_idwt3d_work_size(convk *hw, const convk_dwt3d_shape *shape, const convk_wavelet *wavelet, size_t *bytes) {
  return convk_wavelets_work_of_(hw, shape, wavelet, 1, bytes);
}

CONVK_API_ int convk_s1_to_r_work_size(convk *hw, const convk_dwt3d_shape *shape, size_t *bytes) {
  convk_wavelet wavelet;
  int status = hw ? convk_begin_call_(hw) : CONVK_OK;
  if (!status) status = convk_wavelets_values_(convk_message_(hw), shape, &wavelet);
  return status ? status : convk_wavelets_work_of_(hw, shape, &wavelet, 1, bytes);
}

CONVK_API_ int convk_r_to_s1_work_size(convk *hw, const convk_dwt3d_shape *shape, size_t *bytes) {
  convk_wavelet wavelet;
  int status = hw ? convk_begin_call_(hw) : CONVK_OK;
  if (!status) status = convk_wavelets_values_(convk_message_(hw), shape, &wavelet);
  return status ? status : convk_wavelets_work_of_(hw, shape, &wavelet, 0, bytes);
}

#include "wavelets/segments.h"
