/* ---- calls on host arrays of many vectors, in parts of one vector each ----
   A vector is one grid of a batch (shape->vectors). */

/* A call; a struct with more of it begins with this one.
   of       of[k]: array k, as it is for the first vector
   stride   elements of array k from a vector to the next; bytes: of one vector in a buffer
   once     an array that is the same for all
   results  where `result` bytes of each vector go, which its work leaves in buffer MORE_2; or NULL
   need     bytes of work
   first    the vector that part 0 is
   at       buffers */
typedef struct convk_vectors_ {
  convk_staged_ of[CONVK_VECTORS_ARRAYS_], once;
  size_t stride[CONVK_VECTORS_ARRAYS_], bytes[CONVK_VECTORS_ARRAYS_];
  void *results;
  size_t result, need, vectors, first;
  CONVK_DEVICE_(memory) at[CONVK_DEVICE_ARRAYS_];
} convk_vectors_;

/* Array k, on the device, of the vector in a slot. */
typedef CONVK_DEVICE_(any) convk_vectors_any_;
CONVK_LOCAL_ convk_vectors_any_ convk_vectors_array_(const convk_vectors_ *v, size_t k, size_t slot) {
  return CONVK_DEVICE_(array_at)(CONVK_DEVICE_(array_of)(v->at[v->of[k].which]), slot * v->bytes[k], v->of[k].element);
}

/* Queues the copy of array k of a part (a vector) to a slot, or with `download` back. */
CONVK_LOCAL_ int convk_vectors_copy_(CONVK_DEVICE_(host) *host, const convk_vectors_ *v, int download, size_t k, size_t part,
                                     size_t slot) {
  const convk_staged_ *const b = &v->of[k];
  const size_t first[3] = {0, 0, 0}, count[3] = {b->grid->nx, b->grid->ny, b->grid->nz};
  return CONVK_DEVICE_(copy_box)(host, download, v->at[b->which], slot * v->bytes[k], b->grid, first, count, b->element,
                                 (char *)b->array + (v->first + part) * v->stride[k] * b->element);
}

/* Queues the uploads of a part to a slot; for convk_parts_run_.  call: a convk_vectors_. */
CONVK_LOCAL_ int convk_vectors_bring_(CONVK_DEVICE_(host) *host, void *call, size_t part, size_t slot) {
  const convk_vectors_ *const v = (const convk_vectors_ *)call;
  size_t k;
  int status = CONVK_OK;
  for (k = 0; k < CONVK_VECTORS_ARRAYS_ && !status; k++)
    if (v->of[k].array && v->of[k].upload) status = convk_vectors_copy_(host, v, 0, k, part, slot);
  return status;
}

/* Queues the download of a part's output from a slot, if there is one; for convk_parts_run_, too. */
CONVK_LOCAL_ int convk_vectors_back_(CONVK_DEVICE_(host) *host, void *call, size_t part, size_t slot) {
  const convk_vectors_ *const v = (const convk_vectors_ *)call;
  return v->of[CONVK_VECTORS_OUT_].array ? convk_vectors_copy_(host, v, 1, CONVK_VECTORS_OUT_, part, slot) : CONVK_OK;
}

/* Makes the buffers.  *parts: of one convk_parts_run_: all vectors, which overlap in three slots; or 1, so that vectors go one
   after another, where the device does not copy beside its work or has no room for three. */
CONVK_LOCAL_ int convk_vectors_buffers_(CONVK_DEVICE_(host) *host, convk_vectors_ *v, size_t *parts) {
  const convk_grid3 *const g = v->once.grid;
  const size_t once = v->once.array ? g->nx * g->ny * g->nz * v->once.element : 0, results = v->vectors * v->result;
  size_t places = v->vectors > 1 ? CONVK_SLOTS_ : 1, all = once + results + v->need, each = 0, room = 0, k;
  int status = v->vectors > 1 ? CONVK_DEVICE_(allowed)(host, &room) : CONVK_OK;
  for (k = 0; k < CONVK_VECTORS_ARRAYS_; k++) {
    const convk_staged_ *const b = &v->of[k];
    v->bytes[k] = b->array ? b->grid->nx * b->grid->ny * b->grid->nz * b->element : 0;
    each += v->bytes[k];
  }
  if (places > 1 && (!CONVK_DEVICE_(beside)(host) || room < all || (room - all) / places < each)) places = 1;
  *parts = places > 1 ? v->vectors : 1;
  for (k = 0; k < CONVK_VECTORS_ARRAYS_ && !status; k++)
    if (v->bytes[k]) status = CONVK_DEVICE_(buffer)(host, v->of[k].which, places * v->bytes[k], &v->at[v->of[k].which]);
  if (!status && once) status = CONVK_DEVICE_(buffer)(host, v->once.which, once, &v->at[v->once.which]);
  if (!status && v->results) status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_MORE_2_, results, &v->at[CONVK_DEVICE_MORE_2_]);
  if (!status && v->need) status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_WORK_, v->need, &v->at[CONVK_DEVICE_WORK_]);
  return status;
}

/* A checked call; work: makes one vector. */
CONVK_LOCAL_ int convk_vectors_run_(CONVK_DEVICE_(host) *host, convk_vectors_ *v, CONVK_DEVICE_(part_fn) *work) {
  size_t parts = 1;
  int status = CONVK_DEVICE_(begin)(host);
  if (status) return status;
  status = convk_vectors_buffers_(host, v, &parts);
  if (!status && v->once.array)
    status = CONVK_DEVICE_(copy)(host, 0, v->at[v->once.which], v->once.grid, v->once.element, v->once.array);
  for (v->first = 0; v->first < v->vectors && !status; v->first += parts)
    status = CONVK_DEVICE_(parts_run)(host, parts, convk_vectors_bring_, work, convk_vectors_back_, v);
  if (!status && v->results)
    status = CONVK_DEVICE_(fetch)(host, v->at[CONVK_DEVICE_MORE_2_], 0, v->vectors * v->result, v->results);
  return CONVK_DEVICE_(end)(host, status);
}
