/* ---- tiles: fields of more points than a transform has ---- */

/* Results of such a field come tile by tile (overlap-save).  Along one axis, with kernels of 3 points and transforms of 8, a
   tile has 6 results, and needs the 2 points of the field before them:

     field      0  1  2  3  4  5  6  7  8  9 10 11 ..
     tile 0    [0 ..          5]                          results 0 .. 5; points before the field are left out
     tile 1                [4  5  6  7  8  9 10 11]       results 6 .. 11; the first two, 4 and 5, are skipped: others wrap
                                                          around into them

   A tile is an item like those of small fields, but for its sizes. */
typedef struct convk_fft_piece_ {
  size_t from[2], to[2]; /* where its points of the field and its results begin */
  size_t in[2], out[2], skip[2];
} convk_fft_piece_;

CONVK_RARE_ void convk_fft_piece_of_(const convk_fft_plan_ *plan, size_t row, size_t column, convk_fft_piece_ *piece) {
  const size_t number[2] = {row, column}, field[2] = {plan->rows, plan->columns}, all[2] = {plan->out_rows, plan->out_columns};
  int d;
  memset(piece, 0, sizeof *piece);
  for (d = 0; d < 2; d++) {
    const size_t tile = plan->tile[d] ? plan->tile[d] : all[d], to = number[d] * tile, first = plan->origin[d] + to;
    const size_t out = all[d] - to < tile ? all[d] - to : tile;
    size_t end = field[d];
    piece->to[d] = to;
    piece->out[d] = out;
    if (plan->tile[d]) {
      piece->from[d] = first > plan->reach[d] ? first - plan->reach[d] : 0;
      piece->skip[d] = first - piece->from[d];
      if (first + out < end) end = first + out;
    }
    piece->in[d] = end - piece->from[d];
  }
}

/* Its share of all tiles.  Neighbours of equal sizes go into lanes together where items would. */
CONVK_RARE_ void convk_fft_tiles_task_(void *arg, size_t index) {
  const convk_fft_batch_ *batch = (const convk_fft_batch_ *)arg;
  const convk_batch2d *full = &batch->full;
  const size_t parts = batch->plan.real ? 1 : 2, lanes = batch->job.kernels->lanes;
  const size_t rows = convk_fft_tiles_(&batch->plan, 0), columns = convk_fft_tiles_(&batch->plan, 1);
  const size_t all = full->items * rows * columns, share = all / batch->tasks, more = all % batch->tasks;
  size_t tile = share * index + (index < more ? index : more), count, i;
  const size_t end = tile + share + (index < more);
  CONVK_T *work = (CONVK_T *)(void *)(batch->work + index * batch->each * sizeof(CONVK_T)), *t;
  convk_fft_job_ job = batch->job;
  convk_fft_plan_ plan = batch->plan;
  convk_fft_piece_ piece, next;
  const convk_any_ *in[CONVK_FFT_LANES_], *factor[CONVK_FFT_LANES_];
  convk_any_ *out[CONVK_FFT_LANES_];
  job.plan = &plan;
  for (; tile < end; tile += count) {
    int same = 1;
    convk_fft_piece_of_(&batch->plan, tile / columns % rows, tile % columns, &piece);
    for (next = piece, count = 0; count < lanes;) {
      const size_t item = (tile + count) / columns / rows;
      in[count] = batch->in + parts * (item * full->in_stride + next.from[0] * full->in_pitch + next.from[1]);
      out[count] = batch->out + parts * (item * full->out_stride + next.to[0] * full->out_pitch + next.to[1]);
      factor[count] = batch->job.spectra + plan.spectrum * convk_fft_kernel_of_(&plan, full, item);
      same &= factor[count] == factor[0];
      if (tile + ++count == end) break;
      convk_fft_piece_of_(&batch->plan, (tile + count) / columns % rows, (tile + count) % columns, &next);
      if (next.in[0] != piece.in[0] || next.in[1] != piece.in[1] || next.out[0] != piece.out[0] ||
          next.out[1] != piece.out[1] || next.skip[0] != piece.skip[0] || next.skip[1] != piece.skip[1])
        break;
    }
    plan.rows = piece.in[0];
    plan.columns = piece.in[1];
    plan.out_rows = piece.out[0];
    plan.out_columns = piece.out[1];
    job.skip[0] = piece.skip[0];
    job.skip[1] = piece.skip[1];
    job.in_row = parts * plan.columns;
    job.out_row = parts * plan.out_columns;
    for (i = 0; i < count; i += job.items) {
      t = convk_fft_lay_out_(batch, count >= batch->fill, work, &job);
      job.items = job.across ? count : 1;
      job.s = same || !job.across ? NULL : t + batch->t;
      job.in = in + i;
      job.out = out + i;
      job.factor = factor + i;
      convk_fft_items_(&job, t);
    }
  }
}
