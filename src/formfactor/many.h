/* ---- assemblies: form factors of groups of particles, times their structure factors ---- */

/* A call, its work, and the chunk of q and the group of particles under way. */
typedef struct convk_many_ {
  convk *hw;
  const convk_assembly *assembly;
  convk_formfactor_options options;
  int imag, heavy, each;                      /* complex qz; complex weights; whether incoherent sums are wanted */
  int apart;                                  /* whether any particle lies off the origin, so that phases are not all 1 */
  size_t room, step, total;                   /* of a chunk: vectors of q, and entries of the caller's list; entries */
  convk_formfactor_call_ *body, *tilted;      /* of each mesh, checked; and where all components of q are complex */
  int *refused;                               /* what is wrong with the latter */
  size_t *order;                              /* placements, in the order of groups */
  CONVK_T *at[3], *weight[2], *square, *zero; /* of these: positions, c, |c|^2, 0 */
  double *sum[3], *phase[3];       /* of each q: f and the incoherent sum; a group's sums of c exp(i q.R), |c exp|^2 */
  CONVK_T *turns[5], *unit[3];     /* q / (2 pi), and what exp(i q.R) and its square lose; 1, 0 and -1 for a task's q */
  CONVK_T *own[4], *turned[6], *f; /* q of a chunk; q of a group, imaginary parts of z, x and y last; their F */
  uint32_t *slot, *term;           /* hash table of distinct q; which of them each entry's four terms take */
  const convk_any_ *list[4], *direction[3]; /* the caller's q, and directions where list[0] has their lengths */
  size_t directions;
  const convk_dwba *waves;
  const convk_any_ *q[4];           /* of the chunk */
  size_t count, first, n;           /* vectors; the group's first placement and how many */
  double turn[9], cube, weights[3]; /* the group's scale times R^T, in rows; scale^3; sums of c and of |c|^2 */
} convk_many_;

#define CONVK_MANY_NONE_ ((uint32_t)-1) /* no term: its amplitude is 0 */

/* Takes `bytes` bytes of the work at *at, which moves behind them; NULL where base is NULL, for counting. */
CONVK_LOCAL_ void *convk_many_take_(char *base, size_t *at, size_t bytes) {
  char *p = base ? base + *at : NULL;
  *at += convk_round_up_(bytes, 64);
  return p;
}

/* Lays the work out from base on, or with NULL counts its bytes.  (size_t)-1: overflow. */
CONVK_RARE_ size_t convk_many_lay_out_(convk_many_ *m, size_t count, char *base) {
  const size_t n = m->assembly->placements, real = sizeof(CONVK_T);
  size_t at = 0, i;
  m->room = count < CONVK_FORMFACTOR_MANY_ ? convk_round_up_(count, 4) : CONVK_FORMFACTOR_MANY_;
  /* so many of the caller's own structures may be larger than their share of the work */
  if (convk_bytes_(n, 2 * sizeof(convk_placement), &at) ||
      convk_mul_(m->assembly->meshes, 3 * sizeof *m->body + sizeof *m->assembly->mesh, &i) || i > (size_t)-1 / 2 - at)
    return (size_t)-1;
  at = 0;
  m->body = (convk_formfactor_call_ *)convk_many_take_(base, &at, m->assembly->meshes * sizeof *m->body);
  m->tilted = (convk_formfactor_call_ *)convk_many_take_(base, &at, m->assembly->meshes * sizeof *m->body);
  m->refused = (int *)convk_many_take_(base, &at, m->assembly->meshes * sizeof *m->refused);
  m->order = (size_t *)convk_many_take_(base, &at, n * sizeof *m->order);
  for (i = 0; i < 3; i++) {
    m->sum[i] = (double *)convk_many_take_(base, &at, m->room * sizeof(double));
    m->phase[i] = (double *)convk_many_take_(base, &at, m->room * sizeof(double));
    m->at[i] = (CONVK_T *)convk_many_take_(base, &at, n * real);
  }
  for (i = 0; i < 6; i++) m->turned[i] = (CONVK_T *)convk_many_take_(base, &at, m->room * real);
  for (i = 0; i < 4; i++) m->own[i] = (CONVK_T *)convk_many_take_(base, &at, m->room * real);
  for (i = 0; i < 2; i++) m->weight[i] = (CONVK_T *)convk_many_take_(base, &at, n * real);
  for (i = 0; i < 5; i++)
    m->turns[i] = (CONVK_T *)convk_many_take_(base, &at, (m->room + 2 * CONVK_FORMFACTOR_QUANTUM_) * real);
  for (i = 0; i < 3; i++) m->unit[i] = (CONVK_T *)convk_many_take_(base, &at, CONVK_FORMFACTOR_Q_ * real);
  m->square = (CONVK_T *)convk_many_take_(base, &at, n * real);
  m->zero = (CONVK_T *)convk_many_take_(base, &at, n * real);
  m->f = (CONVK_T *)convk_many_take_(base, &at, 2 * m->room * real);
  m->term = (uint32_t *)convk_many_take_(base, &at, m->room * sizeof *m->term);
  m->slot = (uint32_t *)convk_many_take_(base, &at, 2 * CONVK_FORMFACTOR_MANY_ * sizeof *m->slot);
  return at + 64;
}

CONVK_API_ int convk_formfactor_assembly_work_size(convk *hw, const convk_assembly *assembly, size_t count, size_t *bytes) {
  char *const message = convk_formfactor_message_(hw);
  convk_many_ m;
  size_t need;
  int status = convk_formfactor_begin_(hw);
  if (!status && !assembly) status = convk_refuse_(message, CONVK_ERR_NULL, "assembly is NULL");
  if (!status) status = convk_need_(message, "bytes", bytes);
  if (status) return status;
  m.assembly = assembly;
  need = convk_many_lay_out_(&m, count, NULL);
  if (need == (size_t)-1)
    return convk_refuse_(message, CONVK_ERR_OVERFLOW, "assembly->placements or assembly->meshes is too large");
  *bytes = need;
  return CONVK_OK;
}

/* ---- the vectors of a chunk ---- */

/* The amplitude (real, imaginary) of a term of entry i: bit 1 of `term` says that the incoming wave is reflected, bit 0 that
   the outgoing one is.  Returns whether it is not 0. */
CONVK_LOCAL_ int convk_many_amplitude_(const convk_dwba *w, size_t i, int term, double amplitude[2]) {
  const convk_any_ *in = term & 2 ? w->r_in : w->t_in, *out = term & 1 ? w->r_out : w->t_out;
  double a[2] = {0, 0}, b[2] = {0, 0};
  int d;
  a[0] = term & 2 ? 0 : 1;
  b[0] = term & 1 ? 0 : 1;
  for (d = 0; d < 2; d++) {
    if (in) a[d] = (double)in[2 * i + (size_t)d];
    if (out) b[d] = (double)out[2 * i + (size_t)d];
  }
  amplitude[0] = a[0] * b[0] - a[1] * b[1];
  amplitude[1] = a[0] * b[1] + a[1] * b[0];
  for (d = 0; d < 2; d++)
    if (amplitude[d] < 0 || amplitude[d] > 0) return 1;
  return 0;
}

/* Adds one more vector to the chunk, and returns its number. */
CONVK_LOCAL_ size_t convk_many_keep_(convk_many_ *m, const CONVK_T q[4]) {
  int d;
  for (d = 0; d < 4; d++) m->own[d][m->count] = q[d];
  return m->count++;
}

/* The number of this vector among the distinct ones of the chunk, to which it is added if it is new. */
CONVK_LOCAL_ size_t convk_many_find_(convk_many_ *m, const CONVK_T q[4]) {
  const size_t last = 2 * CONVK_FORMFACTOR_MANY_ - 1;
  uint64_t h = 0;
  size_t at, k;
  int d;
  for (d = 0; d < 4; d++) h = convk_mix_(h ^ convk_vertex_bits_(q[d]));
  for (at = (size_t)h & last; m->slot[at] != CONVK_MANY_NONE_; at = (at + 1) & last) {
    k = m->slot[at];
    for (d = 0; d < 4 && !(m->own[d][k] < q[d]) && !(m->own[d][k] > q[d]); d++) {
    }
    if (d == 4) return k;
  }
  m->slot[at] = (uint32_t)m->count;
  return convk_many_keep_(m, q);
}

/* Makes the q of a chunk, of the entries from `begin` on, at most m->step of them: a piece of the list, products of moduli and
   directions, or the four terms of waves.  Of equal terms one vector is kept; with `look`, for checks alone, each. */
CONVK_RARE_ void convk_many_make_(convk_many_ *m, size_t begin, int look) {
  const size_t entries = m->total - begin < m->step ? m->total - begin : m->step;
  const convk_dwba *w = m->waves;
  const convk_any_ *wave[6]; /* qx, qy, kz_in, its imaginary part, kz_out, its imaginary part */
  size_t i, k;
  int d;
  for (d = 0; d < 4; d++) m->q[d] = m->own[d];
  if (!m->imag) m->q[3] = NULL;
  m->count = entries;
  if (w) {
    memcpy(wave, (const char *)w + offsetof(convk_dwba, qx), sizeof wave);
    m->count = 0;
    if (!look) memset(m->slot, 0xff, 2 * CONVK_FORMFACTOR_MANY_ * sizeof *m->slot);
    for (i = begin; i < begin + entries; i++)
      for (d = 0; d < 4; d++) {
        const double in = d & 2 ? 1 : -1, out = d & 1 ? -1 : 1;
        double amplitude[2];
        CONVK_T q[4];
        q[0] = wave[0][i];
        q[1] = wave[1][i];
        q[2] = (CONVK_T)(out * (double)wave[4][i] + in * (double)wave[2][i]);
        q[3] = (CONVK_T)((wave[5] ? out * (double)wave[5][i] : 0) + (wave[3] ? in * (double)wave[3][i] : 0));
        k = CONVK_MANY_NONE_;
        if (convk_many_amplitude_(w, i, d, amplitude)) k = look ? convk_many_keep_(m, q) : convk_many_find_(m, q);
        m->term[4 * (i - begin) + (size_t)d] = (uint32_t)k;
      }
  } else if (m->direction[0]) {
    size_t j = m->directions ? begin % m->directions : 0;
    i = m->directions ? begin / m->directions : 0;
    for (k = 0; k < entries; k++) {
      for (d = 0; d < 3; d++) m->own[d][k] = (CONVK_T)((double)m->list[0][i] * (double)m->direction[d][j]);
      if (++j == m->directions) {
        j = 0;
        i++;
      }
    }
  } else {
    for (d = 0; d < 4; d++) m->q[d] = m->list[d] ? m->list[d] + begin : NULL;
  }
}

/* Turns vector i of the chunk into the group's coordinates. */
CONVK_LOCAL_ void convk_many_turn_(const convk_many_ *m, size_t i) {
  const double x = (double)m->q[0][i], y = (double)m->q[1][i], z = (double)m->q[2][i], imag = m->imag ? (double)m->q[3][i] : 0;
  int d;
  for (d = 0; d < 3; d++) {
    m->turned[d][i] = (CONVK_T)(m->turn[3 * d] * x + m->turn[3 * d + 1] * y + m->turn[3 * d + 2] * z);
    m->turned[d == 2 ? 3 : 4 + d][i] = (CONVK_T)(m->turn[3 * d + 2] * imag);
  }
}

/* ---- a group: its structure factor, its form factor ---- */

/* Sums c exp(i q.R) over the group, or with `twice` |c exp(i q.R)|^2, which is of the imaginary part of 2 q alone, for `count`
   vectors from `begin` on: the kernel of form factors, where q / |q| is a unit vector and weights are areas along it. */
CONVK_RARE_ void convk_many_phases_(const convk_many_ *m, size_t begin, size_t count, int twice) {
  CONVK_T partial[2][CONVK_FORMFACTOR_Q_];
  double *re = m->phase[twice ? 2 : 0] + begin, *im = m->phase[1] + begin; /* squares have no imaginary part */
  convk_formfactor_part_ part;
  size_t i, t;
  int d;
  for (i = 0; i < count; i++) re[i] = m->weights[twice ? 2 : 0];
  for (i = 0; i < count && !twice; i++) im[i] = m->weights[1];
  memset(&part, 0, sizeof part);
  part.nq = convk_round_up_(count, 2 * CONVK_FORMFACTOR_QUANTUM_);
  part.imag = m->imag || m->heavy;
  for (d = 0; d < 3; d++) {
    part.turns[d] = twice ? m->unit[1] : m->turns[d] + begin;
    part.along[d] = m->unit[d ? 1 : 0];
  }
  part.decay = m->turns[twice ? 4 : 3] + begin;
  for (d = 0; d < 3; d++) {
    part.imag_along[d] = m->unit[d == 2 ? 2 : 1];
    part.imag_turns[d] = m->unit[1];
  }
  part.re = partial[0];
  part.im = partial[1];
  for (t = 0; t < m->n; t += CONVK_FORMFACTOR_TRIANGLES_) {
    part.n = m->n - t < CONVK_FORMFACTOR_TRIANGLES_ ? m->n - t : CONVK_FORMFACTOR_TRIANGLES_;
    for (d = 0; d < 3; d++) {
      part.at[d] = m->at[d] + m->first + t;
      part.area[d] = m->zero + m->first + t;
    }
    part.area[0] = (twice ? m->square : m->weight[0]) + m->first + t;
    if (!twice) part.area[2] = m->weight[1] + m->first + t;
    m->hw->ours.inside.CONVK_TYPE_.formfactor_kernels->list(&part);
    for (i = 0; i < count; i++) re[i] -= 2 * (double)partial[0][i];
    for (i = 0; i < count && !twice; i++) im[i] += 2 * (double)partial[1][i];
  }
}

/* The same of the whole chunk on a device: form factors of surfaces whose areas are c along an axis are F_d = -i conj(q_d) /
   |q|^2 times the sum, so that it is i q.F. */
CONVK_RARE_ int convk_many_phases_device_(const convk_many_ *m, int twice) {
  convk_formfactor_options open;
  convk_mesh mesh;
  convk_q q;
  size_t i;
  int part, d, status = CONVK_OK;
  memset(&open, 0, sizeof open);
  open.form = CONVK_FORM_OPEN;
  memset(&mesh, 0, sizeof mesh);
  mesh.n = m->n;
  mesh.x = m->at[0] + m->first;
  mesh.y = m->at[1] + m->first;
  mesh.z = m->at[2] + m->first;
  memset(&q, 0, sizeof q);
  q.n = m->count;
  q.x = twice ? m->turned[0] : (const CONVK_T *)(const void *)m->q[0];
  q.y = twice ? m->turned[0] : (const CONVK_T *)(const void *)m->q[1];
  q.z = twice ? m->turned[0] : (const CONVK_T *)(const void *)m->q[2];
  q.z_imag = twice ? m->turned[1] : (const CONVK_T *)(const void *)m->q[3];
  for (i = 0; i < m->count; i++) {
    int none = 1;
    for (d = 0; d < 4; d++)
      if (m->q[d] && (m->q[d][i] < 0 || m->q[d][i] > 0)) none = 0;
    for (d = 0; d < 2; d++)
      if (!twice) m->phase[d][i] = none ? m->weights[d] : 0;
    if (!twice) continue;
    m->phase[2][i] = m->q[3][i] < 0 || m->q[3][i] > 0 ? 0 : m->weights[2];
    m->turned[0][i] = 0;
    m->turned[1][i] = 2 * m->q[3][i];
  }
  for (part = 0; part < (twice || !m->heavy ? 1 : 2); part++)
    for (d = twice ? 2 : 0; d < 3 && !status; d++) {
      CONVK_T *weight = (twice ? m->square : m->weight[part]) + m->first, *zero = m->zero + m->first;
      mesh.ax = d == 0 ? weight : zero;
      mesh.ay = d == 1 ? weight : zero;
      mesh.az = d == 2 ? weight : zero;
      status = convk_formfactor(m->hw, &mesh, &q, &open, m->f);
      for (i = 0; i < m->count && !status; i++) {
        const double re = (double)m->f[2 * i], im = (double)m->f[2 * i + 1];
        const double x = twice ? 0 : (double)m->q[d][i], y = d < 2 || !m->imag ? 0 : (double)m->q[3][i] * (twice ? 2 : 1);
        double term[2]; /* i q F */
        term[0] = -x * im - y * re;
        term[1] = x * re - y * im;
        if (twice) m->phase[2][i] += term[0];
        else {
          m->phase[0][i] += part ? -term[1] : term[0];
          m->phase[1][i] += part ? term[0] : term[1];
        }
      }
    }
  return status;
}

/* Of a task's q: their vectors in the group's coordinates, and its structure factors, but those that a device sums. */
CONVK_RARE_ void convk_many_place_(void *arg, size_t index) {
  const convk_many_ *m = (const convk_many_ *)arg;
  const size_t begin = index * CONVK_FORMFACTOR_Q_,
               count = m->count - begin < CONVK_FORMFACTOR_Q_ ? m->count - begin : CONVK_FORMFACTOR_Q_;
  size_t i;
  for (i = begin; i < begin + count; i++) {
    convk_many_turn_(m, i);
    if (m->each && (!m->imag || !m->apart)) m->phase[2][i] = m->weights[2];
    if (m->apart) continue;
    m->phase[0][i] = m->weights[0];
    m->phase[1][i] = m->weights[1];
  }
  if (!m->apart || !m->hw->ours.inside.CONVK_TYPE_.formfactor_kernels) return;
  convk_many_phases_(m, begin, count, 0);
  if (m->each && m->imag) convk_many_phases_(m, begin, count, 1);
}

/* Of a task's q: adds the group's form factors times its structure factors to the sums over all groups. */
CONVK_RARE_ void convk_many_add_(void *arg, size_t index) {
  const convk_many_ *m = (const convk_many_ *)arg;
  const size_t begin = index * CONVK_FORMFACTOR_Q_,
               end = m->count - begin < CONVK_FORMFACTOR_Q_ ? m->count : begin + CONVK_FORMFACTOR_Q_;
  size_t i;
  for (i = begin; i < end; i++) {
    const double re = m->cube * (double)m->f[2 * i], im = m->cube * (double)m->f[2 * i + 1];
    m->sum[0][i] += re * m->phase[0][i] - im * m->phase[1][i];
    m->sum[1][i] += re * m->phase[1][i] + im * m->phase[0][i];
    if (m->each) m->sum[2][i] += (re * re + im * im) * m->phase[2][i];
  }
}

/* Begins the group after the one that is under way; 0: there is none. */
CONVK_RARE_ int convk_many_next_(convk_many_ *m) {
  const convk_placement *p = m->assembly->placement;
  size_t i;
  int d;
  m->first += m->n;
  if (m->first == m->assembly->placements) return 0;
  m->cube = convk_placement_turn_(&p[m->order[m->first]], m->turn);
  for (d = 0; d < 3; d++) m->weights[d] = 0;
  for (i = m->first; i < m->assembly->placements; i++) {
    if (convk_placements_compare_(&p[m->order[m->first]], &p[m->order[i]])) break;
    for (d = 0; d < 2; d++) m->weights[d] += (double)m->weight[d][i];
    m->weights[2] += (double)m->square[i];
  }
  m->n = i - m->first;
  return 1;
}

/* Whether rotations make qx and qy of the group complex, too. */
CONVK_LOCAL_ int convk_many_tilted_(const convk_many_ *m) {
  return m->imag && (m->turn[2] < 0 || m->turn[2] > 0 || m->turn[5] < 0 || m->turn[5] > 0);
}

/* The group's form factor: without checks, which are made; devices make them again. */
CONVK_RARE_ int convk_many_form_(convk_many_ *m) {
  const size_t which = m->assembly->placement[m->order[m->first]].mesh;
  const int tilted = convk_many_tilted_(m);
  convk_formfactor_call_ call = (tilted ? m->tilted : m->body)[which];
  convk_q q;
  int d;
  if (!m->hw->ours.inside.CONVK_TYPE_.formfactor_kernels) {
    q.n = m->count;
    q.x = m->turned[0];
    q.y = m->turned[1];
    q.z = m->turned[2];
    q.x_imag = tilted ? m->turned[4] : NULL;
    q.y_imag = tilted ? m->turned[5] : NULL;
    q.z_imag = m->imag ? m->turned[3] : NULL;
    return convk_formfactor(m->hw, &m->assembly->mesh[which], &q, &m->options, m->f);
  }
  for (d = 0; d < 6; d++) call.q[d] = d < (tilted ? 6 : m->imag ? 4 : 3) ? m->turned[d] : NULL;
  call.span = m->count;
  call.f = m->f;
  return convk_formfactor_list_run_(m->hw->ours.inside.CONVK_TYPE_.formfactor_kernels, m->hw, &call);
}

/* Sums over all particles for the chunk. */
CONVK_RARE_ int convk_many_chunk_(convk_many_ *m) {
  const size_t tasks = convk_ceil_(m->count, CONVK_FORMFACTOR_Q_);
  const int on_device = !m->hw->ours.inside.CONVK_TYPE_.formfactor_kernels;
  size_t i;
  int d, status = CONVK_OK;
  for (d = 0; d < 3; d++) memset(m->sum[d], 0, m->count * sizeof(double));
  for (i = 0; i < m->count + 2 * CONVK_FORMFACTOR_QUANTUM_ && m->apart && !on_device; i++) {
    const double imag = m->imag && i < m->count ? (double)m->q[3][i] : 0;
    for (d = 0; d < 3; d++)
      convk_formfactor_rate_(i < m->count ? (double)m->q[d][i] : 0, d ? 2 * imag : imag, &m->turns[d][i],
                             &m->turns[d ? 4 : 3][i]);
  }
  m->first = m->n = 0;
  while (!status && m->count && convk_many_next_(m)) {
    if (m->apart && on_device) status = convk_many_phases_device_(m, 0);
    if (m->apart && on_device && !status && m->each && m->imag) status = convk_many_phases_device_(m, 1);
    if (!status) status = convk_run_tasks_(m->hw, tasks, convk_many_place_, m);
    if (!status) status = convk_many_form_(m);
    if (!status) status = convk_run_tasks_(m->hw, tasks, convk_many_add_, m);
  }
  return status;
}

/* ---- checks ---- */

/* Whether phases and exponentials of a body, or of positions as if they were one, are in range for q, of which so many arrays
   count: those of imaginary parts come last. */
CONVK_LOCAL_ int convk_many_range_(const convk_formfactor_call_ *body, char *message, size_t nq, CONVK_T *const *q, int parts) {
  convk_formfactor_call_ call = *body;
  int d;
  call.about.message = message;
  call.n = 0; /* its triangles have been looked at */
  for (d = 0; d < 6; d++) {
    call.q[d] = d < parts ? q[d] : NULL;
    call.nq[d] = nq;
  }
  return convk_formfactor_numbers_(&call);
}

/* The extremes of products of moduli and directions are products of their extremes, which have been looked at; 0: one of them
   is not finite, and every product has to be looked at. */
CONVK_RARE_ int convk_many_products_(const convk_many_ *m, double least[4], double greatest[4]) {
  double q[2], n[2];
  int d, k;
  if (!m->direction[0] || !m->total) return 0;
  (void)convk_formfactor_extremes_(NULL, "", m->list[0], m->total / m->directions, &q[0], &q[1]);
  for (d = 0; d < 3; d++) {
    (void)convk_formfactor_extremes_(NULL, "", m->direction[d], m->directions, &n[0], &n[1]);
    for (k = 0; k < 4; k++) {
      const CONVK_T product = (CONVK_T)(q[k & 1] * n[k >> 1]);
      if (!convk_finite_(product)) return 0;
      if ((double)product < least[d]) least[d] = (double)product;
      if ((double)product > greatest[d]) greatest[d] = (double)product;
    }
  }
  return 1;
}

/* The largest phases of all groups and of all q, without looking at every pair unless bounds do not do. */
CONVK_RARE_ int convk_many_numbers_(convk_many_ *m) {
  const double max_real = CONVK_OF_(1e38, 1e307);
  double least[4] = {0, 0, 0, 0}, greatest[4] = {0, 0, 0, 0};
  char *const message = convk_message_(m->hw);
  convk_formfactor_call_ crowd;
  CONVK_T box[6][2], *q[6];
  size_t begin, i;
  int d, k, status;
  for (begin = convk_many_products_(m, least, greatest) ? m->total : 0; begin < m->total; begin += m->step) {
    convk_many_make_(m, begin, 1);
    for (d = 0; d < 4 && m->q[d]; d++) {
      double low, high;
      status = convk_formfactor_extremes_(message, convk_formfactor_q_(d), m->q[d], m->count, &low, &high);
      if (status) return status;
      if (low < least[d]) least[d] = low;
      if (high > greatest[d]) greatest[d] = high;
    }
  }
  /* the structure factor of all particles: positions as a body */
  memset(&crowd, 0, sizeof crowd);
  crowd.about = convk_formfactor_about_of_(message, "the positions of assembly->placement", "", 0);
  for (i = 0; i < m->assembly->placements; i++) {
    crowd.measures.area += (double)(m->weight[0][i] < 0 ? -m->weight[0][i] : m->weight[0][i]);
    crowd.measures.area += (double)(m->weight[1][i] < 0 ? -m->weight[1][i] : m->weight[1][i]);
    for (d = 0; d < 3; d++) {
      const double x = (double)m->at[d][i];
      if (x < crowd.measures.least[d]) crowd.measures.least[d] = x;
      if (x > crowd.measures.most[d]) crowd.measures.most[d] = x;
    }
  }
  for (d = 0; d < 6; d++) q[d] = box[d];
  for (k = 0; k < 1 + (m->each && m->imag); k++) { /* q, and for squares 2 q */
    for (d = 0; d < 4; d++) {
      box[d][0] = (CONVK_T)((k && d == 3 ? 2 : 1) * least[d]);
      box[d][1] = (CONVK_T)((k && d == 3 ? 2 : 1) * greatest[d]);
    }
    if (k) crowd.measures.area *= crowd.measures.area;
    if (convk_many_range_(&crowd, message, 2, q, m->imag ? 4 : 3)) return CONVK_ERR_RANGE;
  }
  /* the form factor of each group */
  for (m->first = m->n = 0; convk_many_next_(m);) {
    const size_t which = m->assembly->placement[m->order[m->first]].mesh;
    const int tilted = convk_many_tilted_(m), parts = tilted ? 6 : m->imag ? 4 : 3;
    const convk_formfactor_call_ *body = &(tilted ? m->tilted : m->body)[which];
    if (tilted && m->refused[which])
      return convk_formfactor_refuse_(&body->about, m->refused[which],
                                      "& is turned, so that all components of q are complex: it needs corners", NULL, NULL, 0,
                                      0);
    for (d = 0; d < 6; d++) {
      double bound = 0;
      for (k = 0; k < 4; k++) {
        const double t = m->turn[d < 3 ? 3 * d + (k < 3 ? k : 0) : d == 3 ? 8 : 3 * d - 10];
        const double x = greatest[k] > -least[k] ? greatest[k] : -least[k];
        if ((d < 3) == (k < 3)) bound += 1.000001 * (t < 0 ? -t : t) * x;
      }
      if (!(bound < max_real))
        return convk_formfactor_refuse_(&body->about, CONVK_ERR_RANGE, "q is too large for & with its rotation and scale", NULL,
                                        NULL, 0, 0);
      box[d][0] = (CONVK_T)-bound;
      box[d][1] = (CONVK_T)bound;
    }
    if (!convk_many_range_(body, NULL, 2, q, parts)) continue;
    for (begin = 0; begin < m->total; begin += m->step) {
      convk_many_make_(m, begin, 1);
      for (i = 0; i < m->count; i++) convk_many_turn_(m, i);
      status = convk_many_range_(body, message, m->count, m->turned, parts);
      if (status) return status;
    }
  }
  return CONVK_OK;
}

/* What is written is apart from the assembly, whose meshes may not have been looked at. */
CONVK_RARE_ int convk_many_apart_(const convk_many_ *m, const char *name, const void *p, size_t bytes) {
  const convk_assembly *a = m->assembly;
  char *const message = convk_message_(m->hw);
  convk_any_ *field[12];
  size_t k;
  int status = CONVK_OK;
  if (convk_overlap_(p, bytes, a->mesh, a->meshes * sizeof *a->mesh))
    return convk_refuse_names_(message, CONVK_ERR_OVERLAP, "$ overlaps assembly->mesh", name, NULL);
  if (convk_overlap_(p, bytes, a->placement, a->placements * sizeof *a->placement))
    return convk_refuse_names_(message, CONVK_ERR_OVERLAP, "$ overlaps assembly->placement", name, NULL);
  for (k = 0; k < a->meshes && !status; k++) {
    const convk_formfactor_about_ about = convk_formfactor_about_of_(message, "assembly->mesh[%]", ".", k);
    status = convk_mesh_arrays_(&about, &a->mesh[k], 0, field);
    if (!status) status = convk_mesh_apart_(&about, &a->mesh[k], field, name, p, bytes);
  }
  return status;
}

/* So is the caller's work, before anything is written to it, and apart from the other arrays of the call. */
CONVK_RARE_ int convk_many_work_apart_(const convk_many_ *m, const convk_place_ *place, size_t places, const void *work,
                                       size_t work_size) {
  const convk_place_ all = convk_place_of_("work", work, work_size, CONVK_PLACE_WRITTEN_);
  size_t i;
  if (!work) return CONVK_OK;
  for (i = 0; i < places; i++)
    if (convk_places_overlap_(&place[i], &all))
      return convk_refuse_place_(convk_message_(m->hw), CONVK_ERR_OVERLAP, "$ overlaps $", &place[i], &all);
  return convk_many_apart_(m, "work", work, work_size);
}

/* The body of each mesh: everything that is wrong with it, and with options. */
CONVK_RARE_ int convk_many_bodies_(convk_many_ *m) {
  const convk_assembly *a = m->assembly;
  convk_q none;
  size_t i;
  int status = CONVK_OK;
  memset(&none, 0, sizeof none);
  for (i = 0; i < a->meshes && !status; i++) {
    convk_formfactor_about_ about = convk_formfactor_about_of_(convk_message_(m->hw), "assembly->mesh[%]", ".", i);
    none.x_imag = none.y_imag = NULL;
    status = convk_formfactor_checked_(&about, &a->mesh[i], &none, &m->options, NULL, &m->body[i]);
    m->refused[i] = CONVK_OK;
    if (!m->imag) continue;
    about.message = NULL;
    none.x_imag = none.y_imag = m->zero;
    m->refused[i] = convk_formfactor_checked_(&about, &a->mesh[i], &none, &m->options, NULL, &m->tilted[i]);
    m->tilted[i].about = convk_formfactor_about_of_(convk_message_(m->hw), "assembly->mesh[%]", ".", i);
  }
  return status;
}

/* Checks all but q and lays the work out.  m: zero, but for hw, assembly, imag and total; place: the call's other arrays. */
CONVK_RARE_ int convk_many_begin_(convk_many_ *m, size_t terms, const convk_formfactor_options *options,
                                  const convk_place_ *place, size_t places, void *work, size_t work_size, convk_work_ *w) {
  const convk_assembly *a = m->assembly;
  size_t need, i, bytes;
  char *const message = convk_message_(m->hw);
  int d, unweighted, status = convk_begin_call_(m->hw);
  w->own = NULL;
  if (!status && !m->hw->ours.inside.CONVK_TYPE_.formfactor) status = CONVK_ERR_COMPILED;
  if (!status && !a) status = convk_refuse_(message, CONVK_ERR_NULL, "assembly is NULL");
  if (!status && a->meshes && !a->mesh) status = convk_refuse_(message, CONVK_ERR_NULL, "assembly->mesh is NULL");
  if (!status && a->placements && !a->placement) status = convk_refuse_(message, CONVK_ERR_NULL, "assembly->placement is NULL");
  if (status) return status;
  need = convk_many_lay_out_(m, m->total < CONVK_FORMFACTOR_MANY_ ? terms * m->total : CONVK_FORMFACTOR_MANY_, NULL);
  m->step = m->room / terms;
  if (need == (size_t)-1)
    return convk_refuse_(message, CONVK_ERR_OVERFLOW, "assembly->placements or assembly->meshes is too large");
  if (convk_bytes_(m->total, 8 * terms * sizeof(CONVK_T), &bytes))
    return convk_refuse_names_(message, CONVK_ERR_OVERFLOW, "$ is too large", m->waves ? "waves->n" : "q->n", NULL);
  status = convk_formfactor_option_(message, options);
  if (options) m->options = *options;
  if (!status) status = convk_placements_check_(message, a->placement, a->placements, a->meshes, CONVK_MESH_LIMIT_);
  if (!status) status = convk_many_work_apart_(m, place, places, work, work_size);
  if (!status) status = convk_work_begin_(message, w, work, work_size, need);
  if (status) return status;
  convk_many_lay_out_(m, m->room, w->base);
  status = convk_many_bodies_(m);
  if (status) return status;
  convk_placements_sort_(a->placement, a->placements, m->order);
  for (i = 0; i < CONVK_FORMFACTOR_Q_; i++)
    for (d = 0; d < 3; d++) m->unit[d][i] = (CONVK_T)(1 - d);
  unweighted = convk_placements_unweighted_(a->placement, a->placements);
  for (i = 0; i < a->placements; i++) {
    const convk_placement *p = &a->placement[m->order[i]];
    for (d = 0; d < 3; d++) {
      m->at[d][i] = (CONVK_T)p->position[d];
      if (p->position[d] < 0 || p->position[d] > 0) m->apart = 1;
    }
    for (d = 0; d < 2; d++) m->weight[d][i] = (CONVK_T)p->weight[d];
    if (unweighted) m->weight[0][i] = 1;
    m->square[i] = m->weight[0][i] * m->weight[0][i] + m->weight[1][i] * m->weight[1][i];
    m->zero[i] = 0;
    if (m->weight[1][i] < 0 || m->weight[1][i] > 0) m->heavy = 1;
  }
  return CONVK_OK;
}

/* ---- calls ---- */

CONVK_API_ int convk_formfactor_assembly(convk *hw, const convk_assembly *assembly, const convk_q *q,
                                         const convk_formfactor_options *options, CONVK_T *f, CONVK_T *intensity, void *work,
                                         size_t work_size) {
  convk_many_ m;
  convk_any_ *to = f, *square = intensity;
  convk_place_ place[6];
  convk_work_ w;
  size_t begin, i, nq, bytes;
  int d, status = convk_begin_call_(hw);
  if (!status && !q) status = convk_refuse_(hw->message, CONVK_ERR_NULL, "q is NULL");
  if (status) return status;
  memset(&m, 0, sizeof m);
  w.own = NULL;
  nq = q->n;
  bytes = nq * sizeof(CONVK_T);
  m.hw = hw;
  m.assembly = assembly;
  m.imag = q->z_imag != NULL;
  m.each = intensity != NULL;
  m.total = nq;
  m.list[0] = q->x;
  m.list[1] = q->y;
  m.list[2] = q->z;
  m.list[3] = q->z_imag;
  for (d = 0; d < 4; d++) place[d] = convk_place_of_(convk_formfactor_q_(d), m.list[d], bytes, CONVK_PLACE_OPTIONAL_);
  place[4] = convk_place_of_("f", f, 2 * bytes, CONVK_PLACE_WRITTEN_ | CONVK_PLACE_OPTIONAL_);
  place[5] = convk_place_of_("intensity", intensity, bytes, CONVK_PLACE_WRITTEN_ | CONVK_PLACE_OPTIONAL_);
  status = convk_many_begin_(&m, 1, options, place, 6, work, work_size, &w);
  if (!status && (q->x_imag || q->y_imag))
    status = convk_refuse_names_(hw->message, CONVK_ERR_OPTION, "$ is given, and particles take none",
                                 q->x_imag ? "q->x_imag" : "q->y_imag", NULL);
  for (d = 0; d < 3 && !status; d++)
    if (nq && !m.list[d]) status = convk_refuse_names_(hw->message, CONVK_ERR_NULL, "$ is NULL", convk_formfactor_q_(d), NULL);
  if (!status && nq && !f && !intensity) status = convk_refuse_(hw->message, CONVK_ERR_NULL, "f and intensity are NULL");
  if (!status) status = convk_many_numbers_(&m);
  if (!status) status = convk_many_apart_(&m, "f", f, 2 * bytes);
  if (!status) status = convk_many_apart_(&m, "intensity", intensity, bytes);
  if (!status) status = convk_places_check_(hw->message, place, 6);
  for (begin = 0; begin < nq && !status; begin += m.step) {
    convk_many_make_(&m, begin, 0);
    status = convk_many_chunk_(&m);
    for (i = 0; i < m.count && !status; i++) {
      for (d = 0; d < 2 && f; d++) to[2 * (begin + i) + (size_t)d] = (CONVK_T)m.sum[d][i];
      if (intensity) square[begin + i] = (CONVK_T)m.sum[2][i];
    }
  }
  convk_work_end_(&w);
  return status;
}

/* Arrays of a powder average. */
CONVK_RARE_ void convk_powder_places_(const CONVK_T *q, size_t nq, const convk_directions *directions, const CONVK_T *intensity,
                                      convk_place_ place[6]) {
  static const char *const name[4] = {"directions->x", "directions->y", "directions->z", "directions->weight"};
  const size_t size = sizeof(CONVK_T), n = directions->n;
  const CONVK_T *along[4] = {directions->x, directions->y, directions->z, directions->weight};
  int d;
  place[0] = convk_place_of_("q", q, nq * size, nq ? 0 : CONVK_PLACE_OPTIONAL_);
  for (d = 0; d < 4; d++) place[1 + d] = convk_place_of_(name[d], along[d], n * size, n && d < 3 ? 0 : CONVK_PLACE_OPTIONAL_);
  place[5] = convk_place_of_("intensity", intensity, nq * size, CONVK_PLACE_WRITTEN_ | (nq ? 0 : CONVK_PLACE_OPTIONAL_));
}

/* What is wrong with them, where the rest of the call is right. */
CONVK_RARE_ int convk_powder_check_(convk_many_ *m, size_t nq, const convk_directions *directions, const CONVK_T *intensity,
                                    const convk_place_ place[6]) {
  const CONVK_T *along[4] = {directions->x, directions->y, directions->z, directions->weight};
  char *const message = convk_message_(m->hw);
  double low, high;
  int d, status = convk_places_present_(message, place, 6);
  for (d = 0; d < 4 && !status; d++)
    if (along[d]) status = convk_formfactor_extremes_(message, place[1 + d].name, along[d], directions->n, &low, &high);
  if (!status) status = convk_formfactor_extremes_(message, "q", m->list[0], nq, &low, &high);
  if (!status) status = convk_many_numbers_(m);
  if (!status) status = convk_many_apart_(m, "intensity", intensity, place[5].bytes);
  return status ? status : convk_places_check_(message, place, 6);
}

CONVK_API_ int convk_formfactor_powder(convk *hw, const convk_assembly *assembly, size_t nq, const CONVK_T *q,
                                       const convk_directions *directions, const convk_formfactor_options *options,
                                       CONVK_T *intensity, void *work, size_t work_size) {
  const convk_any_ *rule;
  convk_any_ *to = intensity;
  convk_place_ place[6];
  convk_many_ m;
  convk_work_ w;
  double sum = 0;
  size_t begin, i, j = 0, n;
  int status = convk_begin_call_(hw);
  if (!status && !directions) status = convk_refuse_(hw->message, CONVK_ERR_NULL, "directions is NULL");
  if (status) return status;
  memset(&m, 0, sizeof m);
  w.own = NULL;
  n = directions->n;
  rule = directions->weight;
  m.hw = hw;
  m.assembly = assembly;
  m.list[0] = q;
  m.direction[0] = directions->x;
  m.direction[1] = directions->y;
  m.direction[2] = directions->z;
  m.directions = n;
  if (convk_bytes_(nq, sizeof *q, &i) || convk_mul_(nq, n, &m.total))
    status = convk_refuse_(hw->message, CONVK_ERR_OVERFLOW, "nq is too large");
  if (!status && convk_bytes_(n, sizeof *q, &i))
    status = convk_refuse_(hw->message, CONVK_ERR_OVERFLOW, "directions->n is too large");
  convk_powder_places_(q, nq, directions, intensity, place);
  if (!status) status = convk_many_begin_(&m, 1, options, place, 6, work, work_size, &w);
  if (!status) status = convk_powder_check_(&m, nq, directions, intensity, place);
  for (i = 0; i < nq && !n && !status; i++) to[i] = 0;
  for (begin = 0; begin < m.total && !status; begin += m.step) {
    convk_many_make_(&m, begin, 0);
    status = convk_many_chunk_(&m);
    for (i = 0; i < m.count && !status; i++) {
      if (!j) sum = 0;
      sum += (rule ? (double)rule[j] : 1 / (double)n) * (m.sum[0][i] * m.sum[0][i] + m.sum[1][i] * m.sum[1][i]);
      if (++j < n) continue;
      j = 0;
      to[(begin + i) / n] = (CONVK_T)sum;
    }
  }
  convk_work_end_(&w);
  return status;
}

/* The arrays of formfactor_dwba: those of its waves, and the result. */
CONVK_RARE_ void convk_dwba_places_(const convk_dwba *waves, const CONVK_T *f, convk_place_ place[11]) {
  static const char *const name[10] = {"waves->qx",     "waves->qy",          "waves->kz_in", "waves->kz_in_imag",
                                       "waves->kz_out", "waves->kz_out_imag", "waves->t_in",  "waves->t_out",
                                       "waves->r_in",   "waves->r_out"};
  const size_t n = waves->n, real = n * sizeof(CONVK_T);
  const convk_any_ *array[10];
  int d;
  memcpy(array, (const char *)waves + offsetof(convk_dwba, qx), sizeof array);
  for (d = 0; d < 10; d++)
    place[d] = convk_place_of_(name[d], array[d], d < 6 ? real : 2 * real, n && (d < 3 || d == 4) ? 0 : CONVK_PLACE_OPTIONAL_);
  place[10] = convk_place_of_("f", f, 2 * real, CONVK_PLACE_WRITTEN_ | (n ? 0 : CONVK_PLACE_OPTIONAL_));
}

/* What is wrong with them, where the rest of the call is right. */
CONVK_RARE_ int convk_dwba_check_(convk_many_ *m, const CONVK_T *f, const convk_place_ place[11]) {
  char *const message = convk_message_(m->hw);
  const convk_any_ *array[10];
  double low, high;
  int d, status = convk_places_present_(message, place, 11);
  memcpy(array, (const char *)m->waves + offsetof(convk_dwba, qx), sizeof array);
  for (d = 0; d < 10 && !status; d++)
    if (array[d])
      status = convk_formfactor_extremes_(message, place[d].name, array[d], place[d].bytes / sizeof(CONVK_T), &low, &high);
  if (!status) status = convk_many_numbers_(m);
  if (!status) status = convk_many_apart_(m, "f", f, place[10].bytes);
  return status ? status : convk_places_check_(message, place, 11);
}

CONVK_API_ int convk_formfactor_dwba(convk *hw, const convk_assembly *assembly, const convk_dwba *waves,
                                     const convk_formfactor_options *options, CONVK_T *f, void *work, size_t work_size) {
  convk_any_ *to = f;
  convk_place_ place[11];
  convk_many_ m;
  convk_work_ w;
  size_t begin, i, n;
  int d, status = convk_begin_call_(hw);
  if (!status && !waves) status = convk_refuse_(hw->message, CONVK_ERR_NULL, "waves is NULL");
  if (status) return status;
  memset(&m, 0, sizeof m);
  w.own = NULL;
  m.hw = hw;
  m.assembly = assembly;
  m.waves = waves;
  m.imag = waves->kz_in_imag || waves->kz_out_imag;
  m.total = n = waves->n;
  convk_dwba_places_(waves, f, place);
  status = convk_many_begin_(&m, 4, options, place, 11, work, work_size, &w);
  if (!status) status = convk_dwba_check_(&m, f, place);
  for (begin = 0; begin < n && !status; begin += m.step) {
    convk_many_make_(&m, begin, 0);
    status = convk_many_chunk_(&m);
    for (i = begin; i < n && i < begin + m.step && !status; i++) {
      double sum[2] = {0, 0}, a[2];
      for (d = 0; d < 4; d++) {
        const size_t k = m.term[4 * (i - begin) + (size_t)d];
        if (k == CONVK_MANY_NONE_) continue;
        convk_many_amplitude_(waves, i, d, a);
        sum[0] += a[0] * m.sum[0][k] - a[1] * m.sum[1][k];
        sum[1] += a[0] * m.sum[1][k] + a[1] * m.sum[0][k];
      }
      for (d = 0; d < 2; d++) to[2 * i + (size_t)d] = (CONVK_T)sum[d];
    }
  }
  convk_work_end_(&w);
  return status;
}
