/* Vectors that n elements fill, and begin.  The lanes are a power of 2, and divisions take their time where items are small. */
CONVK_LOCAL_ size_t convk_fft_whole_(size_t n, size_t lanes) {
  for (; lanes > 1; lanes /= 2) n /= 2;
  return n;
}
CONVK_LOCAL_ size_t convk_fft_vectors_(size_t n, size_t lanes) { return convk_fft_whole_(n + lanes - 1, lanes); }

/* ---- lines ---- */

/* Some lines: element (point, line) at point step + line next. */
typedef struct convk_fft_lines_ {
  CONVK_T *at;
  size_t step, next, count;
} convk_fft_lines_;

/* The passes of a forward transform but for the last `less`; the first reads src, the others work in place.  All passes but the
   first have twiddles, also where they are 1. */
CONVK_LOCAL_ void convk_fft_forward_passes_(const convk_fft_kernels_ *kernels, const convk_fft_axis_ *axis,
                                            const convk_any_ *tables, convk_fft_lines_ src, const convk_fft_lines_ *dst,
                                            ptrdiff_t imag, int less, int pairs) {
  convk_fft_pass_ pass;
  size_t blocks = 1, b, r, part = axis->n;
  int i;
  pass.factor = NULL;
  pass.imag = imag;
  pass.lines = dst->count;
  pass.to_line = dst->next;
  for (i = 0; i < axis->passes - less; i++, blocks *= r, src = *dst) {
    r = (size_t)axis->radix[i];
    part = i + 1 < axis->passes ? part / r : 1;
    pass.src = src.at;
    pass.from_line = src.next;
    pass.dst = dst->at;
    pass.half = i ? 0 : axis->half_in;
    pass.pairs = i ? 0 : pairs;
    pass.twiddle = i ? tables + axis->forward[i] : NULL;
    pass.from = part * src.step;
    pass.to = part * dst->step;
    if (part == 1) { /* one point of each block: the twiddles change with the blocks */
      pass.twiddle_step = 2 * (r - 1);
      pass.from_step = r * src.step;
      pass.to_step = r * dst->step;
      pass.count = blocks;
      kernels->pass[r](&pass);
      continue;
    }
    pass.twiddle_step = 0;
    pass.from_step = src.step;
    pass.to_step = dst->step;
    pass.count = part;
    for (b = 0; b < blocks; b++) {
      kernels->pass[r](&pass);
      pass.src += r * part * src.step;
      pass.dst += r * part * dst->step;
      if (i) pass.twiddle += 2 * (r - 1);
    }
  }
}

/* The passes of the inverse transform but for the first `less`; the last writes to dst.  All passes but the first have
   twiddles. The imaginary parts come first here. */
CONVK_LOCAL_ void convk_fft_back_(const convk_fft_kernels_ *kernels, const convk_fft_axis_ *axis, const convk_any_ *tables,
                                  const convk_fft_lines_ *src, const convk_fft_lines_ *dst, ptrdiff_t imag, int less) {
  convk_fft_pass_ pass;
  size_t part = 1, blocks = axis->n, b, r;
  int i;
  pass.factor = NULL;
  pass.pairs = 0;
  pass.imag = -imag;
  pass.lines = src->count;
  pass.from_line = src->next;
  for (i = axis->passes - 1; i >= 0; i--, part *= r) {
    const convk_fft_lines_ *to = i ? src : dst;
    r = (size_t)axis->radix[i];
    blocks /= r;
    if (i >= axis->passes - less) continue;
    pass.src = src->at + imag;
    pass.dst = to->at + imag;
    pass.to_line = to->next;
    pass.from = part * src->step;
    pass.to = part * to->step;
    pass.half = i || !axis->half_out ? 0 : 2;
    pass.twiddle = part > 1 ? tables + axis->inverse[i] : NULL;
    pass.twiddle_step = part > 1 ? 2 * (r - 1) : 0;
    pass.count = part > 1 ? part : blocks;
    pass.from_step = part > 1 ? src->step : r * src->step;
    pass.to_step = part > 1 ? to->step : r * to->step;
    for (b = 0; b < (part > 1 ? blocks : 1); b++) {
      kernels->pass[r](&pass);
      pass.src += r * part * src->step;
      pass.dst += r * part * to->step;
    }
  }
}

/* Of `count` lines of so many elements those that are worked on together: what stays in `bytes` of L1, and a line more. */
CONVK_LOCAL_ size_t convk_fft_together_(size_t count, size_t line, size_t bytes) {
  const size_t fit = bytes / sizeof(CONVK_T);
  return count <= fit / 64 && count * line <= fit ? count : convk_ceil_(fit, line);
}

/* Lines k .. k + count - 1 along x of a convolution, from b to the same place. */
CONVK_LOCAL_ void convk_fft_convolve_(const convk_fft_job_ *job, size_t k, size_t count, CONVK_T *t) {
  const convk_fft_plan_ *plan = job->plan;
  const convk_fft_axis_ *axis = &plan->axis[1];
  const size_t lanes = job->kernels->lanes, last = (size_t)axis->radix[axis->passes - 1];
  const int whole = axis->passes == 1; /* there and back at once */
  convk_fft_lines_ line, own;
  convk_fft_pass_ pass;
  line.at = job->b + 2 * lanes * k;
  line.step = job->b_pitch;
  line.next = 2 * lanes;
  line.count = own.count = count;
  own.at = t;
  own.step = 2 * lanes;
  own.next = 2 * lanes * axis->n;
  if (whole) own = line;
  else convk_fft_forward_passes_(job->kernels, axis, job->tables, line, &own, (ptrdiff_t)lanes, 1, 0);
  pass.imag = (ptrdiff_t)lanes;
  pass.src = pass.dst = own.at;
  pass.from = pass.to = own.step;
  pass.from_step = pass.to_step = last * own.step;
  pass.from_line = pass.to_line = own.next;
  pass.count = axis->n / last;
  pass.lines = count;
  pass.half = whole ? axis->half_in + 2 * axis->half_out : 0;
  pass.pairs = 0;
  pass.twiddle = whole ? NULL : job->tables + axis->forward[axis->passes - 1];
  pass.twiddle_step = whole ? 0 : 2 * (last - 1);
  pass.wide = job->s || !job->across;
  pass.factor_imag = job->s ? lanes : plan->pitch;
  pass.factor_step = job->s ? 2 * lanes : 2 * plan->pitch;
  pass.factor_next = last * pass.factor_step;
  pass.factor_line = job->s ? 2 * lanes * axis->n : job->across ? 1 : lanes;
  pass.factor = (job->s ? job->s : job->factor[0]) + k * pass.factor_line;
  job->kernels->pass[last](&pass);
  if (!whole) convk_fft_back_(job->kernels, axis, job->tables, &own, &line, (ptrdiff_t)lanes, 1);
}

/* ---- a block of items ---- */

CONVK_LOCAL_ void convk_fft_clear_(CONVK_T *from, size_t pitch, size_t begin, size_t end, size_t each) {
  for (; begin < end; begin++) memset(from + begin * pitch, 0, each * sizeof *from);
}

/* Lines along y of the columns in job->a, there or back. */
CONVK_LOCAL_ void convk_fft_y_(const convk_fft_job_ *job, size_t columns, int back) {
  const convk_fft_axis_ *axis = &job->plan->axis[0];
  const size_t lanes = job->kernels->lanes, max_lines = convk_fft_together_(columns, 2 * lanes * axis->n, CONVK_FFT_TOGETHER_);
  convk_fft_lines_ line;
  size_t c;
  line.step = 2 * lanes;
  line.next = job->a_pitch;
  for (c = 0; c < columns; c += max_lines) {
    line.at = job->a + c * job->a_pitch;
    line.count = columns - c < max_lines ? columns - c : max_lines;
    if (back) convk_fft_back_(job->kernels, axis, job->tables, &line, &line, (ptrdiff_t)lanes, 0);
    else convk_fft_forward_passes_(job->kernels, axis, job->tables, line, &line, (ptrdiff_t)lanes, 0, 0);
  }
}

CONVK_LOCAL_ void convk_fft_square_begin_(convk_fft_square_ *square, size_t count, size_t from_step, size_t to_step) {
  square->order = NULL;
  square->scale = 0;
  square->parts = 1;
  square->count = count;
  square->from_step = from_step;
  square->to_step = to_step;
}

/* Items side by side in the lanes: their rows to columns of job->a, and back. */
CONVK_RARE_ void convk_fft_items_in_(const convk_fft_job_ *job) {
  const size_t lanes = job->kernels->lanes, even = job->in_row + job->in_row % 2; /* an odd last real number has no partner */
  convk_fft_square_ square;
  size_t f, i;
  convk_fft_square_begin_(&square, job->plan->rows, job->in_pitch, 2 * lanes);
  square.from_rows = job->items;
  for (f = 0; f < even; f += lanes) {
    square.from_n = job->in_row - f < lanes ? job->in_row - f : lanes;
    square.to_n = lanes;
    square.to_rows = even - f < lanes ? even - f : lanes;
    for (i = 0; i < lanes; i++) {
      if (i < job->items) square.from[i] = job->in[i] + f;
      square.to[i] = job->a + (f + i) / 2 * job->a_pitch + ((f + i) % 2 ^ (size_t)job->swap) * lanes;
    }
    job->kernels->square(&square);
  }
}

CONVK_RARE_ void convk_fft_items_out_(const convk_fft_job_ *job) {
  const CONVK_T *a = job->transform ? job->b : job->a;
  const size_t lanes = job->kernels->lanes, pitch = job->transform ? job->b_pitch : job->a_pitch;
  convk_fft_square_ square;
  size_t f, i;
  convk_fft_square_begin_(&square, job->plan->out_rows, 2 * lanes, job->out_pitch);
  square.to_rows = job->items;
  square.order = job->transform ? job->position[0] : NULL;
  square.scale = job->scale;
  for (f = 0; f < job->out_row; f += lanes) {
    square.from_rows = square.to_n = job->out_row - f < lanes ? job->out_row - f : lanes;
    square.from_n = lanes;
    for (i = 0; i < lanes; i++) {
      const size_t c = (f + i) / 2;
      if (i < square.from_rows)
        square.from[i] = a + (job->transform ? job->position[1][c] : c) * pitch + ((f + i) % 2 ^ (size_t)job->swap) * lanes;
      if (i < job->items) square.to[i] = job->out[i] + f;
    }
    job->kernels->square(&square);
  }
}

/* Spectra of different items side by side: mostly two, where one ends and the next begins. */
CONVK_RARE_ void convk_fft_spread_spectra_(const convk_fft_job_ *job) {
  const convk_fft_plan_ *plan = job->plan;
  const size_t lanes = job->kernels->lanes, n = 2 * plan->axis[1].n;
  convk_fft_square_ square;
  size_t first = 1, i, k;
  while (first < job->items && job->factor[first] == job->factor[0]) first++;
  for (i = first; i < job->items && job->factor[i] == job->factor[first];) i++;
  if (i == job->items) {
    for (k = 0; k < plan->lines; k++)
      job->kernels->blend(job->factor[0] + k, job->factor[first] + k, first, plan->pitch, n, job->s + lanes * n * k);
    return;
  }
  convk_fft_square_begin_(&square, n, plan->pitch, lanes);
  square.from_rows = job->items;
  square.from_n = square.to_n = lanes;
  for (k = 0; k < plan->lines; k += lanes) {
    square.to_rows = plan->lines - k < lanes ? plan->lines - k : lanes;
    for (i = 0; i < lanes; i++) {
      if (i < job->items) square.from[i] = job->factor[i] + k;
      square.to[i] = job->s + lanes * n * (k + i);
    }
    job->kernels->square(&square);
  }
}

/* Between n frequencies of y with columns in the lanes, in `lines`, and columns of job->b with frequencies in the lanes, `each`
   columns apart.  Of 4 lanes and frequencies k0 .. k5 of columns a .. d:

     lines               job->b
     k0: a b c d         a: k0 k1 k2 k3   k4 k5
     k1: a b c d         b: k0 k1 k2 k3   k4 k5
     ..                  ..
                         whole squares,   the rest
*/
CONVK_RARE_ void convk_fft_turn_lines_(const convk_fft_job_ *job, CONVK_T *lines, size_t n, size_t first, size_t each,
                                       size_t columns, int back) {
  const size_t lanes = job->kernels->lanes, whole = convk_fft_whole_(n, lanes), part = n & (lanes - 1);
  convk_fft_square_ square;
  size_t i, rest;
  square.order = NULL;
  square.from_n = square.to_n = lanes;
  square.scale = 0;
  square.from_step = square.to_step = 2 * lanes;
  *(back ? &square.to_step : &square.from_step) *= lanes;
  square.parts = 2;
  for (rest = whole == 0; rest < 1 + (part != 0); rest++) { /* whole squares, then one that is not */
    const size_t rows = rest ? part : lanes, have = columns <= first ? 0
                                                    : each == 1      ? columns - first
                                                                     : (columns - first + 1) / 2;
    CONVK_T *line = lines + rest * whole * 2 * lanes * lanes,
            *column = job->b + first * job->b_pitch + rest * whole * 2 * lanes;
    square.count = rest ? 1 : whole;
    square.from_rows = square.to_rows = have < lanes ? have : lanes;
    *(back ? &square.to_rows : &square.from_rows) = rows;
    for (i = 0; i < lanes; i++, line += 2 * lanes, column += each * job->b_pitch) {
      square.from[i] = back ? column : line;
      square.to[i] = back ? line : column;
    }
    job->kernels->square(&square);
  }
}

CONVK_RARE_ void convk_fft_items_(convk_fft_job_ *job, CONVK_T *t) {
  const convk_fft_kernels_ *kernels = job->kernels;
  const convk_fft_plan_ *plan = job->plan;
  const convk_fft_axis_ *y = &plan->axis[0], *x = &plan->axis[1];
  const size_t lanes = kernels->lanes, rows_in = y->half_in ? y->n / 2 : y->n, x_in = x->half_in ? x->n / 2 : x->n;
  const size_t lines = job->across ? plan->lines : convk_fft_vectors_(plan->lines, lanes);
  const size_t in = convk_fft_columns_(plan, plan->columns), out = convk_fft_columns_(plan, plan->out_columns);
  const size_t max_lines = convk_fft_together_(lines, 2 * lanes * x->n, CONVK_FFT_TOGETHER_);
  const size_t down = job->skip[0] * 2 * lanes, right = job->skip[1] * job->b_pitch;
  CONVK_T *pair = job->a + job->a_pitch; /* lines of two real columns, one after the other */
  size_t c, g, k;
  if (job->across) {
    convk_fft_items_in_(job);
    for (c = 0; c < in; c++) convk_fft_clear_(job->a + c * job->a_pitch, 2 * lanes, plan->rows, rows_in, 2 * lanes);
    convk_fft_y_(job, in, 0);
    for (c = 0; c < in && plan->real; c++)
      kernels->unpack(job->a + c * job->a_pitch, job->position[0], y->n, job->b + 2 * c * job->b_pitch,
                      job->b + (2 * c + 1) * job->b_pitch);
    if (job->s) convk_fft_spread_spectra_(job);
  } else
    for (g = 0; g < in; g += lanes) {
      kernels->unzip(job, job->in[0], g, job->a, 2 * lanes);
      convk_fft_clear_(job->a, 2 * lanes, plan->rows, rows_in, 2 * lanes);
      convk_fft_y_(job, 1, 0);
      if (plan->real) {
        kernels->unpack(job->a, job->position[0], y->n, pair, pair + job->a_pitch);
        convk_fft_turn_lines_(job, pair, plan->lines, 2 * g, 2, 2 * in, 0);
        convk_fft_turn_lines_(job, pair + job->a_pitch, plan->lines, 2 * g + 1, 2, 2 * in, 0);
      } else convk_fft_turn_lines_(job, job->a, y->n, g, 1, in, 0);
    }
  convk_fft_clear_(job->b, job->b_pitch, plan->columns, x_in, 2 * lanes * lines);
  if (job->transform) {
    for (k = 0; k < lines; k += max_lines) {
      convk_fft_lines_ line;
      line.at = job->b + 2 * lanes * k;
      line.step = job->b_pitch;
      line.next = 2 * lanes;
      line.count = lines - k < max_lines ? lines - k : max_lines;
      convk_fft_forward_passes_(kernels, x, job->tables, line, &line, (ptrdiff_t)lanes, 0, 0);
    }
  } else
    for (k = 0; k < lines; k += max_lines) convk_fft_convolve_(job, k, lines - k < max_lines ? lines - k : max_lines, t);
  job->b += right;
  if (job->across) {
    if (!plan->real) job->a += right; /* the same lines */
    for (c = 0; c < out && plan->real; c++)
      kernels->pack(job->a + c * job->a_pitch, job->position[0], y->n, job->b + 2 * c * job->b_pitch,
                    2 * c + 1 < plan->out_columns ? job->b + (2 * c + 1) * job->b_pitch : NULL);
    if (!job->transform) convk_fft_y_(job, out, 1);
    job->a += down;
    convk_fft_items_out_(job);
  } else
    for (g = 0; g < out; g += lanes) {
      if (plan->real) {
        convk_fft_turn_lines_(job, pair, plan->lines, 2 * g, 2, plan->out_columns, 1);
        convk_fft_turn_lines_(job, pair + job->a_pitch, plan->lines, 2 * g + 1, 2, plan->out_columns, 1);
        kernels->pack(job->a, job->position[0], y->n, pair, pair + job->a_pitch);
      } else convk_fft_turn_lines_(job, job->a, y->n, g, 1, plan->out_columns, 1);
      convk_fft_y_(job, 1, 1);
      job->a += down;
      kernels->zip(job, g);
      job->a -= down;
    }
}

/* ---- transforms row by row ---- */

/* Along y, columns in the lanes: the first pass reads the rows of items themselves. */
CONVK_RARE_ void convk_fft_plane_y_(const convk_fft_job_ *job) {
  const convk_fft_kernels_ *kernels = job->kernels;
  const convk_fft_axis_ *y = &job->plan->axis[0];
  const size_t lanes = kernels->lanes, columns = job->plan->columns;
  /* groups of columns that passes read themselves */
  const size_t whole = y->radix[0] % 4 == 0 ? convk_fft_whole_(columns, lanes) : 0;
  const size_t max_lines = convk_fft_together_(whole, 2 * lanes * y->n, CONVK_FFT_TURNED_);
  convk_fft_lines_ in, a;
  size_t g, i;
  in.step = job->in_pitch;
  a.step = job->a_pitch;
  for (g = 0; g<whole; g += job->items> 1 ? 1 : in.count) {
    in.at = (CONVK_T *)(void *)(job->in[0] + 2 * lanes * g); /* only read */
    a.at = job->a + 2 * lanes * g;
    in.count = a.count = job->items > 1 ? job->items : whole - g < max_lines ? whole - g : max_lines;
    in.next = job->items > 1 ? job->in_stride : 2 * lanes;
    a.next = job->items > 1 ? y->n * job->a_pitch : 2 * lanes;
    convk_fft_forward_passes_(kernels, y, job->tables, in, &a, (ptrdiff_t)lanes, 0, 1 + job->swap);
  }
  for (g = whole; lanes * g < columns; g++) {
    a.at = job->a + 2 * lanes * g;
    a.next = y->n * job->a_pitch;
    a.count = job->items;
    for (i = 0; i < job->items; i++) kernels->unzip(job, job->in[i], lanes * g, a.at + i * a.next, a.step);
    convk_fft_forward_passes_(kernels, y, job->tables, a, &a, (ptrdiff_t)lanes, 0, 0);
  }
}

/* Groups of as many rows as there are lanes: transposed into lines, transformed along x in L1, transposed back into results. */
CONVK_RARE_ void convk_fft_plane_(const convk_fft_job_ *job, CONVK_T *t) {
  const convk_fft_plan_ *plan = job->plan;
  const convk_fft_axis_ *x = &plan->axis[1];
  const size_t lanes = job->kernels->lanes, parts = convk_fft_vectors_(plan->rows, lanes);
  const size_t next = 2 * lanes * lanes * convk_fft_vectors_(x->n, lanes);
  const size_t max_lines = convk_fft_together_(job->items * parts, next, CONVK_FFT_TURNED_);
  convk_fft_rows_ rows;
  convk_fft_lines_ line;
  size_t first, item = 0, part = 0, i;
  int back;
  convk_fft_plane_y_(job);
  line.at = t;
  line.step = 2 * lanes;
  line.next = next;
  rows.n = x->n;
  rows.plane_pitch = job->a_pitch;
  rows.position = job->position[1];
  rows.pitch = job->out_pitch;
  rows.next_pitch = job->in_pitch;
  rows.swap = (size_t)job->swap;
  rows.scale = job->scale;
  for (first = 0; first < job->items * parts; first += max_lines) {
    line.count = job->items * parts - first < max_lines ? job->items * parts - first : max_lines;
    for (back = 0; back < 2; back++) {
      const size_t first_item = item, first_part = part;
      for (i = 0; i < line.count; i++) {
        const size_t k = part * lanes;
        rows.plane = job->a + item * plan->rows * job->a_pitch;
        rows.row = job->position[0] + k;
        rows.lines = t + i * line.next;
        rows.to = job->out[item] + k * job->out_pitch;
        rows.rows = plan->rows - k < lanes ? plan->rows - k : lanes;
        rows.next = item < job->more ? (uintptr_t)(job->in[item] + job->items * job->in_stride + k * job->in_pitch) : 0;
        rows.next_to = (uintptr_t)(k + lanes < plan->rows  ? rows.to + lanes * job->out_pitch
                                   : item + 1 < job->items ? job->out[item + 1]
                                                           : job->out[0] + job->items * job->out_stride);
        if (back) job->kernels->to_rows(&rows);
        else job->kernels->to_lines(&rows);
        if (++part == parts) {
          part = 0;
          item++;
        }
      }
      if (back) continue;
      convk_fft_forward_passes_(job->kernels, x, job->tables, line, &line, (ptrdiff_t)lanes, 0, 0);
      item = first_item;
      part = first_part;
    }
  }
}

/* ---- transforms on pairs ---- */

/* Transforms along one axis: lines of vectors, from src to out, which may be the same place.  Along y (d = 0) a vector is some
   neighbouring columns, along x (1) the same column of some rows, `from_pitch` apart. */
typedef struct convk_fft_along_ {
  convk_fft_lines_ src, out;
  size_t src_stride, out_stride, from_pitch; /* strides: from item to item, of axes of one pass */
  size_t items;
  uintptr_t next, next_to; /* as of passes */
} convk_fft_along_;

/* t: points on their way, where there are several passes. */
CONVK_RARE_ void convk_fft_pairs_axis_(const convk_fft_job_ *job, int d, const convk_fft_along_ *p, CONVK_T *t) {
  const convk_fft_axis_ *axis = &job->plan->axis[d];
  const size_t lanes = job->kernels->lanes, all = p->src.count;
  const size_t max_count = axis->passes == 1 ? all : convk_fft_together_(all, lanes * axis->n, CONVK_FFT_TOGETHER_);
  convk_fft_pass_ pass;
  size_t k;
  pass.from_pitch = p->from_pitch;
  pass.pitch = job->out_pitch;
  pass.scale = job->scale;
  pass.pairs = job->swap;
  pass.next = p->next;
  pass.next_to = p->next_to;
  for (k = 0; k < all; k += max_count) {
    const size_t count = all - k < max_count ? all - k : max_count, step = lanes * count;
    size_t blocks = 1, b, r, part = axis->n;
    int i;
    pass.count = count;
    for (i = 0; i < axis->passes; i++, blocks *= r) {
      r = (size_t)axis->radix[i];
      part = i + 1 < axis->passes ? part / r : 1; /* a division takes its time where items are small */
      pass.src = i ? t : p->src.at + k * p->src.next;
      pass.dst = t;
      pass.from = part * (i ? step : p->src.step);
      pass.to = part * step;
      pass.from_step = i ? lanes : p->src.next;
      pass.to_step = lanes;
      pass.lines = part > 1 ? part : blocks; /* the twiddles change with the blocks */
      pass.from_line = part > 1 ? (i ? step : p->src.step) : r * step;
      pass.to_line = part > 1 ? step : r * step;
      pass.twiddle = i ? job->tables + axis->forward[i] : NULL;
      pass.twiddle_line = part > 1 ? 0 : 2 * (r - 1);
      pass.apart = d && !i;
      pass.order = NULL;
      if (part == 1) {
        pass.apart |= 2 * d;
        pass.dst = p->out.at + k * p->out.next;
        pass.to = blocks * p->out.step;
        pass.to_step = p->out.next;
        pass.to_line = p->out.step;
        pass.order = job->position[d];
      }
      if (axis->passes == 1) {
        pass.order = NULL;
        pass.lines = p->items;
        pass.from_line = p->src_stride;
        pass.to_line = p->out_stride;
      }
      for (b = 0; b < (part > 1 ? blocks : 1); b++) {
        job->kernels->pairs[r / 8](&pass);
        pass.src += r * part * step;
        pass.dst += r * part * step;
        if (i) pass.twiddle += 2 * (r - 1);
      }
    }
    pass.next += p->next ? step * axis->n * sizeof(CONVK_T) : 0;
    pass.next_to += step * axis->n * sizeof(CONVK_T);
  }
}

/* Along y to the rows of results, and there along x; large items by way of a plane. */
CONVK_RARE_ void convk_fft_paired_(const convk_fft_job_ *job, CONVK_T *t) {
  const convk_fft_plan_ *plan = job->plan;
  const size_t lanes = job->kernels->lanes, each = plan->rows * job->in_row;
  const size_t items = plan->axis[0].passes == 1 && plan->axis[1].passes == 1 ? job->items : 1;
  const int plane = each * sizeof(CONVK_T) > CONVK_FFT_PLANE_;
  const int packed = job->in_stride == each && job->out_stride == each; /* what comes next is one piece */
  convk_fft_along_ y, x;
  size_t i;
  y.src.step = job->in_pitch;
  y.out.step = plane ? job->a_pitch : job->out_pitch;
  y.src.next = y.out.next = lanes;
  y.src.count = 2 * convk_fft_whole_(plan->columns, lanes);
  y.items = x.items = items;
  y.src_stride = job->in_stride;
  y.out_stride = x.src_stride = x.out_stride = job->out_stride;
  y.from_pitch = y.next = y.next_to = 0;
  x.from_pitch = y.out.step;
  x.src.step = x.out.step = 2;
  x.src.next = lanes / 2 * x.from_pitch;
  x.out.next = lanes / 2 * job->out_pitch;
  x.src.count = 2 * convk_fft_whole_(plan->rows, lanes);
  for (i = 0; i < job->items; i += items) {
    y.src.at = (CONVK_T *)(void *)job->in[i]; /* only read */
    x.out.at = (CONVK_T *)(void *)job->out[i];
    y.out.at = x.src.at = plane ? job->a : x.out.at;
    x.next = packed && i + items < job->items + job->more ? (uintptr_t)(job->in[i] + items * each) : 0;
    x.next_to = (uintptr_t)(job->out[i] + items * each);
    convk_fft_pairs_axis_(job, 0, &y, t);
    convk_fft_pairs_axis_(job, 1, &x, t);
  }
}

/* Whether passes on pairs are enough for an axis: radix 16 alone, or radix 8 or 16 and then 8 and 4. */
CONVK_LOCAL_ int convk_fft_by_pairs_(const convk_fft_kernels_ *kernels, const convk_fft_axis_ *axis) {
  int i, all = axis->radix[0];
  if (axis->n > kernels->most_pairs) return 0;
  if (axis->passes == 1) return axis->radix[0] == 16;
  for (i = 1; i < axis->passes; i++) all |= axis->radix[i] == 16 ? 1 : axis->radix[i];
  return all % 4 == 0 && axis->radix[0] > 4;
}

/* Whether items go by pairs where they do not go across. */
CONVK_LOCAL_ int convk_fft_paired_here_(const convk_fft_kernels_ *kernels, const convk_fft_plan_ *plan) {
  return !plan->kernels && convk_fft_by_pairs_(kernels, &plan->axis[0]) && convk_fft_by_pairs_(kernels, &plan->axis[1]);
}

/* ---- a batch ---- */

typedef struct convk_fft_batch_ {
  convk_fft_job_ job; /* what all items share */
  convk_fft_plan_ plan;
  convk_batch2d full; /* strides and pitches filled in */
  const convk_any_ *in;
  convk_any_ *out;
  size_t each, unit;                         /* elements of work of a task, items of a block */
  size_t some;                               /* items that are worked on one after the other */
  size_t fill;                               /* items from which on a block has its items in lanes */
  size_t b[2], a[2], a_pitch[2], b_pitch[2]; /* elements of lines, and from column to column: lanes are columns; items */
  size_t t;                                  /* elements of lines that are worked on together */
  size_t blocks, tasks;
  char *work;
} convk_fft_batch_;

/* Where a job's lines are in a task's work; -> lines that are worked on together, behind them. */
CONVK_LOCAL_ CONVK_T *convk_fft_lay_out_(const convk_fft_batch_ *batch, int across, CONVK_T *work, convk_fft_job_ *job) {
  job->across = across;
  job->a_pitch = batch->a_pitch[across];
  job->b_pitch = batch->b_pitch[across];
  job->b = work;
  job->a = batch->a[across] ? work + batch->b[across] : work;
  return work + batch->b[across] + batch->a[across];
}

CONVK_RARE_ void convk_fft_task_(void *arg, size_t index) {
  const convk_fft_batch_ *batch = (const convk_fft_batch_ *)arg;
  const convk_fft_plan_ *plan = &batch->plan;
  const size_t blocks = batch->blocks, parts = plan->real ? 1 : 2;
  convk_fft_job_ job = batch->job;
  const convk_any_ *in[CONVK_FFT_LANES_], *factor[CONVK_FFT_LANES_];
  convk_any_ *out[CONVK_FFT_LANES_];
  CONVK_T *work = (CONVK_T *)(void *)(batch->work + index * batch->each * sizeof(CONVK_T)), *t;
  size_t block = batch->tasks == 1 ? 0 : convk_part_(blocks, index, batch->tasks), i, first;
  const size_t end = batch->tasks == 1 ? blocks : convk_part_(blocks, index + 1, batch->tasks);
  const int pairs = convk_fft_paired_here_(job.kernels, plan);
  job.plan = plan;
  job.in = in;
  job.factor = factor;
  job.out = out;
  for (; block < end; block++) {
    size_t left, done;
    first = block * batch->unit;
    left = batch->full.items - first < batch->unit ? batch->full.items - first : batch->unit;
    t = convk_fft_lay_out_(batch, left >= batch->fill, work, &job);
    for (done = 0; done < left; done += job.items) {
      int same = 1;
      job.items = job.across ? left : left - done < batch->some ? left - done : batch->some;
      for (i = 0; i < job.items; i++) {
        const size_t item = first + done + i;
        in[i] = batch->in + parts * item * batch->full.in_stride;
        out[i] = batch->out + parts * item * batch->full.out_stride;
        if (job.transform) continue;
        factor[i] = batch->job.spectra + plan->spectrum * convk_fft_kernel_of_(plan, &batch->full, item);
        same &= factor[i] == factor[0];
      }
      job.s = same || job.transform ? NULL : t + batch->t;
      job.more = first + done + job.items < batch->full.items ? batch->full.items - (first + done + job.items) : 0;
      if (pairs && !job.across) convk_fft_paired_(&job, t);
      else if (job.transform && !job.across) convk_fft_plane_(&job, t);
      else convk_fft_items_(&job, t);
    }
  }
}

CONVK_RARE_ void convk_fft_tiles_task_(void *arg, size_t index);

/* Elements of lines that a task has, where lanes are columns, and where they are items, but `by_columns` alone. */
CONVK_RARE_ void convk_fft_cut_lines_(size_t lanes, const convk_fft_plan_ *plan, int by_columns, convk_fft_batch_ *batch) {
  const convk_fft_axis_ *y = &plan->axis[0], *x = &plan->axis[1];
  const size_t in = x->half_in ? x->n / 2 : x->n, out = plan->kernels && x->half_out ? x->n / 2 : x->n;
  const size_t columns = convk_round_up_(in > out ? in : out, 2); /* pairs of real ones */
  const size_t groups = convk_fft_vectors_(x->n, lanes);
  int across;
  batch->t = CONVK_FFT_TOGETHER_ / sizeof(CONVK_T) + 2 * lanes * lanes * groups; /* at least what is worked on together */
  batch->a[1] = batch->b[1] = 0;
  for (across = 0; across < (by_columns ? 1 : 2); across++) {
    const size_t lines = across ? plan->lines : convk_fft_vectors_(plan->lines, lanes);
    /* Columns along y that are held: across all pairs of real ones, and no complex ones, which become lines where they are;
       else one, and for a pair of real ones both of them, too. */
    const size_t held = across ? (plan->real ? columns / 2 : 0) : (plan->real ? 3 : 1);
    batch->b_pitch[across] = 2 * lanes * (lines | 1); /* odd: columns must not all lie in one set of the cache */
    batch->b[across] = columns * batch->b_pitch[across];
    batch->a_pitch[across] = across && !plan->real ? batch->b_pitch[across] : 2 * lanes * (y->n | 1);
    batch->a[across] = held * batch->a_pitch[across];
  }
  batch->some = 1;
  if (plan->kernels) return;
  if (y->n > x->n) batch->t += lanes * y->n; /* a line of pairs along y */
  batch->b[0] = 0;                           /* transforms go row by row: some whole items in one plane */
  batch->a_pitch[0] = 2 * lanes * (groups | 1);
  batch->a[0] = y->n * batch->a_pitch[0];
  while (batch->some < CONVK_FFT_LANES_ && (batch->some + 1) * batch->a[0] <= CONVK_FFT_TURNED_ / sizeof(CONVK_T))
    batch->some++;
  batch->a[0] *= batch->some;
}

/* Whether items of any number go by columns: those of transforms whose rows and columns fill lanes. */
CONVK_LOCAL_ int convk_fft_never_across_(const convk_tuning *tuning, size_t lanes, const convk_fft_plan_ *plan) {
  if (tuning->fft_lanes) return tuning->fft_lanes != 2;
  return !plan->kernels && !((plan->axis[0].n | plan->axis[1].n) & (lanes - 1));
}

/* Items from which on a block has its items in lanes; more than there are lanes: never.  Lanes are filled by items while their
   lines stay in L2, those of transforms near L1 if rows do not fill lanes themselves, and while not many lanes are idle: a
   batch's last block may go by columns. */
CONVK_RARE_ size_t convk_fft_fill_(const convk_tuning *tuning, size_t lanes, const convk_fft_plan_ *plan,
                                   const convk_fft_batch_ *batch) {
  const size_t points = plan->axis[0].n * plan->axis[1].n, never = lanes + 1;
  size_t limit = CONVK_FFT_ACROSS_TRANSFORM_;
  if (plan->kernels) limit = convk_cache_l2_(tuning) / 8 * CONVK_FFT_ACROSS_EIGHTHS_;
  if (convk_fft_never_across_(tuning, lanes, plan)) return never;
  if (tuning->fft_lanes) return 1;
  if (batch->b[1] * sizeof(CONVK_T) > limit) return never;
  return points <= CONVK_FFT_SMALL_ ? lanes / 2 + 1 : lanes - lanes / 8;
}

/* Whether tuned sizes choose for some batches of such items. */
CONVK_RARE_ int convk_fft_chosen_(convk *hw, const char *operation, const char *type, const size_t n[3]) {
  size_t i;
  for (i = 0; hw && hw->tuned && !hw->tuning.fft_lanes && i < hw->ntuned; i++) {
    const convk_tuned *e = &hw->tuned[i];
    if (!strcmp(e->operation, operation) && !strcmp(e->type, type) && convk_size_ratio_(e->nx, n[0], 2) <= 2 &&
        convk_size_ratio_(e->ny, n[1], 2) <= 2)
      return 1;
  }
  return 0;
}

/* Bytes that are enough for a batch of as many items or fewer, whatever tuned sizes (`choices`) say; 0: overflow.  By columns
   each thread has items of its own from as many items as threads on; in lanes from as many times the lanes on. */
CONVK_RARE_ size_t convk_fft_max_work_(size_t threads, size_t lanes, size_t items, int choices, const convk_fft_batch_ *batch,
                                       size_t by_columns, size_t across) {
  const size_t fill = choices ? 1 : batch->fill;
  const int in_lanes = lanes > 1 && fill <= lanes && items >= fill;
  const size_t columns = choices || !in_lanes ? items : fill - 1;
  size_t max_bytes, tasks = columns < threads ? columns : threads, bytes = 0;
  if (convk_mul_(tasks, by_columns * sizeof(CONVK_T), &max_bytes)) return 0;
  if (in_lanes) {
    tasks = convk_ceil_(items, lanes);
    if (convk_mul_(tasks < threads ? tasks : threads, across * sizeof(CONVK_T), &bytes)) return 0;
  }
  if (bytes > max_bytes) max_bytes = bytes;
  return max_bytes > (size_t)-1 / 4 ? 0 : max_bytes + 64;
}

/* How a batch is cut, and what work it takes.  -> bytes, or 0 for overflow.  *max_bytes: enough for fewer items, too. */
CONVK_RARE_ size_t convk_fft_cut_(convk *hw, size_t lanes, const convk_fft_plan_ *plan, size_t items, int pairs,
                                  convk_fft_batch_ *batch, size_t *max_bytes) {
  const size_t limit = (size_t)-1 / 16 / sizeof(CONVK_T), threads = convk_threads_(hw);
  const size_t n[3] = {plan->axis[1].n, plan->axis[0].n, items};
  const char *type = plan->real ? CONVK_EITHER_("f32", "f64") : CONVK_EITHER_("c32", "c64");
  const char *operation = plan->kernels ? "fftconv2d" : "fft2d";
  const int entries = !hw || hw->ntuned; /* without any a small transform has no time for these calls */
  convk_tuning own;
  const convk_tuning *const tuning = entries ? convk_tuning_of_(hw, operation, type, n, 1, &own) : &hw->tuning;
  const int choices = entries && convk_fft_chosen_(hw, operation, type, n); /* which may be others for fewer items */
  size_t by_columns, across, bytes;
  convk_fft_cut_lines_(lanes, plan, !choices && convk_fft_never_across_(tuning, lanes, plan), batch);
  if (batch->a[0] > limit || batch->a[1] > limit || batch->b[0] > limit || batch->b[1] > limit) return 0;
  by_columns = convk_round_up_(batch->a[0] + batch->b[0] + batch->t, 64 / sizeof(CONVK_T));
  across = batch->a[1] + batch->b[1] + (plan->kernels > 1 ? 2 * lanes * plan->lines * n[0] : 0); /* factors by lanes, too */
  across = convk_round_up_(across + batch->t, 64 / sizeof(CONVK_T));
  if (across < by_columns) across = by_columns;
  if (pairs && items > batch->some) { /* these need no plane for small items */
    const size_t some = CONVK_FFT_TURNED_ / sizeof(CONVK_T) / (2 * plan->rows * plan->columns);
    if (some > batch->some) batch->some = convk_least_(some, CONVK_FFT_LANES_);
  }
  batch->unit = lanes;
  batch->fill = convk_fft_fill_(tuning, lanes, plan, batch);
  *max_bytes = convk_fft_max_work_(threads, lanes, items, choices, batch, by_columns, across);
  batch->each = across;
  if (lanes == 1 || batch->fill > lanes || items < batch->fill) {           /* by columns only */
    const size_t share = threads > 1 ? convk_ceil_(items, threads) : items; /* some items one after the other */
    batch->fill = (size_t)-1;
    batch->unit = batch->some < share ? batch->some : share ? share : 1;
    batch->each = by_columns;
  }
  batch->blocks = items <= batch->unit ? 1 : convk_ceil_(items, batch->unit);
  batch->tasks = batch->blocks < threads ? batch->blocks : threads;
  if (!*max_bytes || convk_mul_(batch->tasks, batch->each * sizeof(CONVK_T), &bytes) || bytes > (size_t)-1 / 4) return 0;
  return bytes + 64;
}

/* ---- plans ---- */

#define CONVK_FFT_KIND_(real) \
  ((real) ? CONVK_EITHER_("fftconv2d f32", "fftconv2d f64") : CONVK_EITHER_("fftconv2d c32", "fftconv2d c64"))
#define CONVK_FFT2D_KIND_ CONVK_EITHER_("fft2d c32", "fft2d c64")

/* Tables of a plan, the first as doubles into scratch. */
CONVK_RARE_ void convk_fft_tables_(convk_fft_plan_ *plan, char *to, double *scratch) {
  uint32_t position[CONVK_FFT_MAX_SIZE_];
  convk_any_ *tables = (convk_any_ *)(void *)(to + plan->tables);
  const convk_fft_axis_ *x = &plan->axis[1];
  size_t i, count;
  int d;
  plan->sum = convk_fft_sum_(plan);
  memcpy(to, plan, sizeof *plan);
  for (d = 0; d < 2; d++) {
    convk_fft_axis_fill_(&plan->axis[d], scratch, position);
    memcpy(to + plan->position[d], position, plan->axis[d].n * sizeof *position);
  }
  count = x->inverse[x->passes - 1] + 2 * (size_t)(x->radix[x->passes - 1] - 1);
  for (i = 0; i < count; i++) tables[i] = (CONVK_T)scratch[i];
}

/* One frequency of a spectrum, into lanes of the layout. */
CONVK_LOCAL_ void convk_fft_put_(const convk_fft_plan_ *plan, convk_any_ *spectrum, size_t x, size_t line, double re,
                                 double im) {
  const double scale = 1 / ((plan->real ? 2. : 1.) * (double)plan->axis[0].n * (double)plan->axis[1].n);
  spectrum[2 * x * plan->pitch + line] = (CONVK_T)(re * scale);
  spectrum[(2 * x + 1) * plan->pitch + line] = (CONVK_T)(im * scale);
}

/* Kernels of a plan, or their spectra: element (row, column) of number k is at parts (k stride + row pitch + column). */
typedef struct convk_fft_source_ {
  const convk_any_ *at;
  int spectral;
  size_t count, pitch, stride;
  size_t parts, rows, columns; /* 2 for complex numbers; what is read of each */
} convk_fft_source_;

CONVK_LOCAL_ convk_fft_source_ convk_fft_source_of_(const CONVK_T *at, int spectral, size_t count, size_t pitch,
                                                    size_t stride) {
  const convk_fft_source_ s = {at, spectral, count, pitch, stride, 0, 0, 0};
  return s;
}

/* Checks where a source lies and what it holds, and completes it. */
CONVK_RARE_ int convk_fft_source_check_(char *message, const convk_fft_plan_ *p, const convk_fft_extent_ e[2],
                                        convk_fft_source_ *s, const void *plan, size_t plan_size) {
  const size_t rows = s->spectral ? e[0].fft : e[0].kernel, bytes = convk_fft_making_bytes_(p);
  size_t span, k, x, y;
  convk_place_ place[2];
  int status;
  s->parts = p->real && !s->spectral ? 1 : 2;
  s->rows = s->spectral ? p->lines : rows;
  s->columns = s->spectral ? e[1].fft : e[1].kernel;
  status = convk_batch_side_(message, "kernels", "", s->count, rows, s->columns, s->parts * sizeof(CONVK_T), &s->pitch,
                             &s->stride, &span);
  if (status) return status;
  span -= (rows - s->rows) * s->pitch;
  place[0] = convk_place_of_(s->spectral ? "spectrum" : "kernel", s->at, span * s->parts * sizeof(CONVK_T), 0);
  place[1] = convk_place_of_("plan", plan, bytes, CONVK_PLACE_WRITTEN_);
  if (s->at && plan && plan_size < bytes)
    return convk_refuse_of_(message, CONVK_ERR_WORK, "$ is %, and % are needed", "plan_size", (int64_t)plan_size,
                            (int64_t)bytes);
  status = convk_places_check_(message, place, 2);
  if (status) return status;
  for (k = 0; k < s->count; k++)
    for (y = 0; y < s->rows; y++)
      for (x = 0; x < s->parts * s->columns; x++)
        if (!convk_finite_(s->at[s->parts * (k * s->stride + y * s->pitch) + x]))
          return convk_refuse_at_(message, CONVK_ERR_NONFINITE,
                                  s->spectral ? "spectrum: number % has at row %, column % what is not finite"
                                              : "kernel: number % has at row %, column % what is not finite",
                                  (int64_t)k, (int64_t)y, (int64_t)(x / s->parts));
  return CONVK_OK;
}

CONVK_LIGHT_POP_ /* loops over elements */

/* Element (row, column) of number k; conjugated for a correlation. */
CONVK_LOCAL_ void convk_fft_source_get_(const convk_fft_source_ *s, size_t k, size_t row, size_t column, int correlation,
                                        double *re, double *im) {
  const convk_any_ *at = s->at + s->parts * (k * s->stride + row * s->pitch + column);
  *re = (double)at[0];
  *im = s->parts == 1 ? 0 : correlation ? -(double)at[1] : (double)at[1];
}

/* Kernels' spectra into a plan, by way of h, where kernel k lies as the FFT wants it. */
CONVK_RARE_ void convk_fft_from_kernels_(const convk_fft_plan_ *p, const convk_fft_extent_ e[2], const convk_fft_source_ *s,
                                         int correlation, char *base, double *scratch) {
  const convk_any_u32_ *at_y = (const convk_any_u32_ *)(const void *)(base + p->position[0]);
  const convk_any_u32_ *at_x = (const convk_any_u32_ *)(const void *)(base + p->position[1]);
  const size_t rows = p->axis[0].n, columns = p->axis[1].n;
  convk_any_ *spectrum = (convk_any_ *)(void *)(base + p->spectra);
  double *h = scratch + convk_fft_table_doubles_(p);
  convk_fft_moves_ moves[2];
  size_t i, j, k, x, y;
  for (i = 0; i < 2; i++) convk_fft_place_(&e[i], correlation, &moves[i]);
  for (k = 0; k < s->count; k++, spectrum += p->spectrum) {
    memset(h, 0, 2 * rows * columns * sizeof *h);
    for (i = 0; i < moves[0].count; i++)
      for (j = 0; j < moves[1].count; j++) {
        double *to = h + 2 * (moves[1].to[j] * rows + moves[0].to[i]);
        convk_fft_source_get_(s, k, moves[0].from[i], moves[1].from[j], correlation, to, to + 1);
      }
    convk_fft_transform_(p, scratch, h);
    for (x = 0; x < columns; x++)
      for (y = 0; y < p->lines; y++) { /* of frequency y; lines of real kernels are in natural order */
        const double *number = h + 2 * (at_x[x] * rows + at_y[y]);
        convk_fft_put_(p, spectrum, at_x[x], p->real ? y : at_y[y], number[0], number[1]);
      }
  }
}

/* Spectra, shifted so that results begin at 0, into a plan. */
CONVK_RARE_ void convk_fft_from_spectra_(const convk_fft_plan_ *p, const size_t shift[2], const convk_fft_source_ *s,
                                         int correlation, char *base) {
  const convk_any_u32_ *at_y = (const convk_any_u32_ *)(const void *)(base + p->position[0]);
  const convk_any_u32_ *at_x = (const convk_any_u32_ *)(const void *)(base + p->position[1]);
  convk_any_ *spectrum = (convk_any_ *)(void *)(base + p->spectra);
  size_t k, x, y;
  double re, im;
  for (k = 0; k < s->count; k++, spectrum += p->spectrum)
    for (x = 0; x < p->axis[1].n; x++)
      for (y = 0; y < p->lines; y++) {
        convk_fft_source_get_(s, k, y, x, correlation, &re, &im);
        if (shift[0]) convk_fft_rotate_(y * shift[0], p->axis[0].n, &re, &im);
        if (shift[1]) convk_fft_rotate_(x * shift[1], p->axis[1].n, &re, &im);
        convk_fft_put_(p, spectrum, at_x[x], p->real ? y : at_y[y], re, im);
      }
}
CONVK_LIGHT_PUSH_

/* A plan of convolutions. */
CONVK_RARE_ int convk_fft_prepare_(convk *hw, const convk_fftconv2d_shape *shape, int real, convk_fft_source_ source,
                                   void *plan, size_t plan_size) {
  char *const base = (char *)plan, *const message = convk_message_(hw);
  convk_fft_extent_ e[2];
  convk_fft_plan_ p;
  size_t shift[2];
  double *scratch;
  int status = convk_fft_handle_(hw);
  if (!status) status = convk_fft_resolve_(message, shape, source.spectral, e);
  if (!status && source.spectral) status = convk_fft_shifts_(message, e, shape->correlation, shift);
  if (!status) status = convk_fft_kernels_layout_(message, CONVK_FFT_KIND_(real), e, real, source.count, sizeof(CONVK_T), &p);
  if (status) return status;
  convk_fft_by_tiles_(e, &p);
  status = convk_fft_source_check_(message, &p, e, &source, plan, plan_size);
  if (status) return status;
  scratch = convk_fft_doubles_(&p, base);
  convk_fft_tables_(&p, base, scratch);
  memset(base + p.spectra, 0, p.bytes - p.spectra);
  if (source.spectral) convk_fft_from_spectra_(&p, shift, &source, shape->correlation, base);
  else convk_fft_from_kernels_(&p, e, &source, shape->correlation, base, scratch);
  return CONVK_OK;
}

CONVK_RARE_ int convk_fft_size_of_plan_(convk *hw, const convk_fftconv2d_shape *shape, int real, size_t kernels,
                                        size_t *bytes) {
  char *const message = convk_message_(hw);
  convk_fft_extent_ e[2];
  convk_fft_plan_ p;
  int status = convk_fft_handle_(hw);
  if (!status) status = convk_fft_resolve_(message, shape, convk_fft_no_kernel_(shape), e);
  if (!status) status = convk_fft_kernels_layout_(message, "", e, real, kernels, sizeof(CONVK_T), &p);
  if (!status) status = convk_need_(message, "bytes", bytes);
  if (!status) *bytes = convk_fft_making_bytes_(&p);
  return status;
}

/* Threads that a batch is worth: each does CONVK_FFT_TASK operations for every lane, or all is done by one. */
CONVK_RARE_ size_t convk_fft_worth_(const convk_fft_plan_ *plan, size_t items, size_t lanes, size_t max_threads) {
  const double points = (double)plan->axis[0].n * (double)plan->axis[1].n, task = CONVK_FFT_TASK * (double)lanes;
  const double each = points * (plan->kernels ? 10 : 5); /* 5 n log2 n for a transform, of which a convolution has two */
  double all;
  size_t n;
  if (max_threads == 1) return 1;
  for (n = 1, all = 0; (double)n < points; n *= 2) all += each;
  all *= (double)items * (plan->real ? 0.5 : 1);
  return all >= task * (double)max_threads ? max_threads : all < 2 * task ? 1 : (size_t)(all / task);
}

/* The convolution on kernels of this machine's. */
CONVK_RARE_ int convk_fft_run_(const convk_fft_kernels_ *kernels, convk *hw, const char *kind, const void *plan, int direction,
                               const convk_batch2d *items, const CONVK_T *in, CONVK_T *out, void *work, size_t work_size) {
  convk_fft_batch_ batch;
  convk_work_ w = {NULL, NULL};
  size_t need, max_need, span[2], count, parts;
  const char *base = (const char *)plan;
  char *const message = convk_message_(hw);
  int status = convk_fft_handle_(hw);
  if (!status)
    status = convk_fft_check_(message, plan, kind, direction, items, sizeof(CONVK_T), 0, &batch.plan, &batch.full, span);
  if (!status)
    status = convk_fft_apart_(message, &batch.plan, plan, &batch.full, sizeof(CONVK_T), span, in, out, work,
                              items->items ? work_size : 0);
  if (status || !items->items) return status;
  count = items->items * convk_fft_tiles_(&batch.plan, 0) * convk_fft_tiles_(&batch.plan, 1); /* at most as many as results */
  need =
      convk_fft_cut_(hw, kernels->lanes, &batch.plan, count, convk_fft_paired_here_(kernels, &batch.plan), &batch, &max_need);
  if (!need) return convk_refuse_(message, CONVK_ERR_OVERFLOW, "batch->items of this plan take too many bytes of work");
  status = convk_work_check_(message, work, work_size, max_need);
  if (status) return status;
  status = convk_work_begin_(message, &w, work, work_size, need);
  if (status) return status;
  batch.tasks = convk_fft_worth_(&batch.plan, count, kernels->lanes, batch.tasks);
  batch.in = in;
  batch.out = out;
  batch.work = w.base;
  batch.job.kernels = kernels;
  batch.job.tables = (const convk_any_ *)(const void *)(base + batch.plan.tables);
  batch.job.spectra = (const convk_any_ *)(const void *)(base + batch.plan.spectra);
  batch.job.position[0] = (const convk_any_u32_ *)(const void *)(base + batch.plan.position[0]);
  batch.job.position[1] = (const convk_any_u32_ *)(const void *)(base + batch.plan.position[1]);
  batch.job.transform = !batch.plan.kernels;
  batch.job.swap = direction == CONVK_INVERSE;
  batch.job.skip[0] = batch.job.skip[1] = 0;
  batch.job.scale = (CONVK_T)convk_fft_scale_(&batch.plan, direction);
  /* of one point nothing is added up: a product, which flushes subnormals where they are flushed */
  if (!(batch.job.scale < 1) && batch.plan.axis[0].n * batch.plan.axis[1].n > 1) batch.job.scale = 0;
  parts = batch.plan.real ? 1 : 2;
  batch.job.in_row = parts * batch.plan.columns;
  batch.job.out_row = parts * batch.plan.out_columns;
  batch.job.in_stride = parts * batch.full.in_stride;
  batch.job.out_stride = parts * batch.full.out_stride;
  batch.job.in_pitch = parts * batch.full.in_pitch;
  batch.job.out_pitch = parts * batch.full.out_pitch;
  status = convk_run_tasks_(hw, batch.tasks, batch.plan.tile[0] || batch.plan.tile[1] ? convk_fft_tiles_task_ : convk_fft_task_,
                            &batch);
  convk_work_end_(&w);
  return status;
}

CONVK_RARE_ int convk_fft_work_size_(convk *hw, const char *kind, const void *plan, size_t items, size_t *bytes) {
  convk_fft_batch_ batch;
  char *const message = convk_message_(hw);
  size_t lanes = 1, need, max_need = 0;
  int status = convk_fft_handle_(hw);
  if (!status) status = convk_fft_plan_check_(message, plan, kind, &batch.plan);
  if (!status) status = convk_need_(message, "bytes", bytes);
  if (!status && (convk_mul_(items, convk_fft_tiles_(&batch.plan, 0), &items) ||
                  convk_mul_(items, convk_fft_tiles_(&batch.plan, 1), &items)))
    status = convk_refuse_(message, CONVK_ERR_OVERFLOW, "items is too large: there are too many tiles");
  if (status) return status;
  if (hw && !hw->ours.inside.device && !hw->ours.inside.CONVK_TYPE_.fft_kernels) return CONVK_ERR_COMPILED;
  if (!items || (hw && hw->ours.inside.device)) {
    *bytes = 0;
    return CONVK_OK;
  }
  if (hw) lanes = hw->ours.inside.CONVK_TYPE_.fft_kernels->lanes;
  do { /* without a handle the variant is not known */
    if (!convk_fft_cut_(hw, lanes, &batch.plan, items, 0, &batch, &need))
      return convk_refuse_(message, CONVK_ERR_OVERFLOW, "items of this plan take too many bytes");
    if (need > max_need) max_need = need;
  } while (!hw && (lanes *= 2) <= 64 / sizeof(CONVK_T));
  *bytes = max_need;
  return CONVK_OK;
}

CONVK_LOCAL_ int convk_fftconv2d_cpu_(const convk_fft_kernels_ *kernels, convk *hw, const convk_fftconv2d_plan *plan,
                                      const convk_batch2d *batch, const CONVK_T *in, CONVK_T *out, void *work,
                                      size_t work_size) {
  return convk_fft_run_(kernels, hw, CONVK_FFT_KIND_(1), plan, CONVK_FORWARD, batch, in, out, work, work_size);
}
CONVK_LOCAL_ int convk_complex_fftconv2d_cpu_(const convk_fft_kernels_ *kernels, convk *hw,
                                              const convk_fftconv2d_plan_complex *plan, const convk_batch2d *batch,
                                              const CONVK_T *in, CONVK_T *out, void *work, size_t work_size) {
  return convk_fft_run_(kernels, hw, CONVK_FFT_KIND_(0), plan, CONVK_FORWARD, batch, in, out, work, work_size);
}
CONVK_LOCAL_ int convk_complex_fft2d_cpu_(const convk_fft_kernels_ *kernels, convk *hw, const convk_fft2d_plan_complex *plan,
                                          int direction, const convk_batch2d *batch, const CONVK_T *in, CONVK_T *out,
                                          void *work, size_t work_size) {
  return convk_fft_run_(kernels, hw, CONVK_FFT2D_KIND_, plan, direction, batch, in, out, work, work_size);
}

/* ---- public operations ---- */

CONVK_API_ int convk_fftconv2d_plan_size(convk *hw, const convk_fftconv2d_shape *shape, size_t kernels, size_t *bytes) {
  return convk_fft_size_of_plan_(hw, shape, 1, kernels, bytes);
}
CONVK_API_ int convk_fftconv2d_plan_size_complex(convk *hw, const convk_fftconv2d_shape *shape, size_t kernels, size_t *bytes) {
  return convk_fft_size_of_plan_(hw, shape, 0, kernels, bytes);
}
CONVK_API_ int convk_fftconv2d_prepare(convk *hw, const convk_fftconv2d_shape *shape, size_t kernels, const CONVK_T *kernel,
                                       size_t pitch, size_t stride, convk_fftconv2d_plan *plan, size_t plan_size) {
  return convk_fft_prepare_(hw, shape, 1, convk_fft_source_of_(kernel, 0, kernels, pitch, stride), plan, plan_size);
}
CONVK_API_ int convk_fftconv2d_prepare_complex(convk *hw, const convk_fftconv2d_shape *shape, size_t kernels,
                                               const CONVK_T *kernel, size_t pitch, size_t stride,
                                               convk_fftconv2d_plan_complex *plan, size_t plan_size) {
  return convk_fft_prepare_(hw, shape, 0, convk_fft_source_of_(kernel, 0, kernels, pitch, stride), plan, plan_size);
}
CONVK_API_ int convk_fftconv2d_prepare_spectrum(convk *hw, const convk_fftconv2d_shape *shape, size_t kernels,
                                                const CONVK_T *spectrum, size_t pitch, size_t stride,
                                                convk_fftconv2d_plan *plan, size_t plan_size) {
  return convk_fft_prepare_(hw, shape, 1, convk_fft_source_of_(spectrum, 1, kernels, pitch, stride), plan, plan_size);
}
CONVK_API_ int convk_fftconv2d_prepare_spectrum_complex(convk *hw, const convk_fftconv2d_shape *shape, size_t kernels,
                                                        const CONVK_T *spectrum, size_t pitch, size_t stride,
                                                        convk_fftconv2d_plan_complex *plan, size_t plan_size) {
  return convk_fft_prepare_(hw, shape, 0, convk_fft_source_of_(spectrum, 1, kernels, pitch, stride), plan, plan_size);
}

CONVK_API_ int convk_fftconv2d_plan_bytes(convk *hw, const convk_fftconv2d_plan *plan, size_t *bytes) {
  return convk_fft_plan_bytes_(hw, CONVK_FFT_KIND_(1), plan, bytes);
}
CONVK_API_ int convk_fftconv2d_plan_bytes_complex(convk *hw, const convk_fftconv2d_plan_complex *plan, size_t *bytes) {
  return convk_fft_plan_bytes_(hw, CONVK_FFT_KIND_(0), plan, bytes);
}
CONVK_API_ int convk_fftconv2d_work_size(convk *hw, const convk_fftconv2d_plan *plan, size_t items, size_t *bytes) {
  return convk_fft_work_size_(hw, CONVK_FFT_KIND_(1), plan, items, bytes);
}
CONVK_API_ int convk_fftconv2d_work_size_complex(convk *hw, const convk_fftconv2d_plan_complex *plan, size_t items,
                                                 size_t *bytes) {
  return convk_fft_work_size_(hw, CONVK_FFT_KIND_(0), plan, items, bytes);
}

CONVK_RARE_ int convk_fft2d_layout_(char *message, size_t rows, size_t columns, convk_fft_plan_ *plan) {
  convk_fft_extent_ e[2];
  if (!convk_fft_size_(rows) || !convk_fft_size_(columns))
    return convk_refuse_at_(message, CONVK_ERR_FFT_SIZE,
                            convk_fft_size_(rows) ? "columns is %, no product of 2, 3, 5, 7 up to %"
                                                  : "rows is %, no product of 2, 3, 5, 7 up to %",
                            (int64_t)(convk_fft_size_(rows) ? columns : rows), CONVK_FFT_MAX_SIZE_, 0);
  e[0] = convk_fft_extent_of_(rows, 0, rows, rows, 0);
  e[1] = convk_fft_extent_of_(columns, 0, columns, columns, 0);
  convk_fft_layout_(CONVK_FFT2D_KIND_, e, 0, 0, sizeof(CONVK_T), plan);
  return CONVK_OK;
}
CONVK_API_ int convk_fft2d_plan_size_complex(convk *hw, size_t rows, size_t columns, size_t *bytes) {
  convk_fft_plan_ p;
  int status = convk_fft_handle_(hw);
  if (!status) status = convk_fft2d_layout_(convk_message_(hw), rows, columns, &p);
  if (!status) status = convk_need_(convk_message_(hw), "bytes", bytes);
  if (!status) *bytes = convk_fft_making_bytes_(&p);
  return status;
}
CONVK_API_ int convk_fft2d_prepare_complex(convk *hw, size_t rows, size_t columns, convk_fft2d_plan_complex *plan,
                                           size_t plan_size) {
  char *const message = convk_message_(hw), *const base = (char *)(void *)plan;
  convk_fft_plan_ p;
  int status = convk_fft_handle_(hw);
  if (!status) status = convk_fft2d_layout_(message, rows, columns, &p);
  if (status) return status;
  if (!plan) return convk_need_(message, "plan", plan);
  if (plan_size < convk_fft_making_bytes_(&p))
    return convk_refuse_of_(message, CONVK_ERR_WORK, "$ is %, and % are needed", "plan_size", (int64_t)plan_size,
                            (int64_t)convk_fft_making_bytes_(&p));
  convk_fft_tables_(&p, base, convk_fft_doubles_(&p, base));
  return CONVK_OK;
}
CONVK_API_ int convk_fft2d_plan_bytes_complex(convk *hw, const convk_fft2d_plan_complex *plan, size_t *bytes) {
  return convk_fft_plan_bytes_(hw, CONVK_FFT2D_KIND_, plan, bytes);
}
CONVK_API_ int convk_fft2d_work_size_complex(convk *hw, const convk_fft2d_plan_complex *plan, size_t items, size_t *bytes) {
  return convk_fft_work_size_(hw, CONVK_FFT2D_KIND_, plan, items, bytes);
}

#include "fft/tiles.h"
