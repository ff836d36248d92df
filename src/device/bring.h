/* Buffer `which`, at least so large. */
CONVK_LOCAL_ int convk_buffer_(CONVK_DEVICE_(host) *host, size_t which, size_t bytes, CONVK_DEVICE_(memory) *memory) {
  size_t i;
  int status = CONVK_OK;
  for (i = 0; i < CONVK_DEVICE_ARRAYS_ && convk_device_over_(host->hw, host->bytes, which, bytes); i++)
    if (!(host->used >> i & 1)) CONVK_DEVICE_(drop)(host, i); /* of an earlier call */
  if (convk_device_over_(host->hw, host->bytes, which, bytes))
    return convk_device_little_(host->hw, convk_device_held_(host->bytes) - host->bytes[which] + bytes);
  if (host->bytes[which] < bytes) {
    CONVK_DEVICE_(drop)(host, which);
    status = CONVK_DEVICE_(allot)(host, which, bytes);
    if (status) host->buffer[which] = NULL;
    else host->bytes[which] = bytes;
  }
  if (status) return status;
  host->used |= 1u << which;
  *memory = host->buffer[which];
  return CONVK_OK;
}

/* A buffer for a grid of the caller, packed; `copy`: with what it holds.  NULL for none. */
CONVK_LOCAL_ int convk_bring_(CONVK_DEVICE_(host) *host, size_t which, const convk_grid3 *grid, size_t element,
                              const void *array, int copy, CONVK_DEVICE_(memory) *memory) {
  int status = CONVK_OK;
  *memory = NULL;
  if (array) status = CONVK_DEVICE_(buffer)(host, which, grid->nx * grid->ny * grid->nz * element, memory);
  return status || !array || !copy ? status : CONVK_DEVICE_(copy)(host, 0, *memory, grid, element, (void *)(uintptr_t)array);
}

/* A buffer with a list of the caller. */
CONVK_LOCAL_ int convk_bring_list_(CONVK_DEVICE_(host) *host, size_t which, const void *list, size_t bytes,
                                   CONVK_DEVICE_(memory) *memory) {
  const int status = CONVK_DEVICE_(buffer)(host, which, bytes, memory);
  return status ? status : CONVK_DEVICE_(send)(host, *memory, 0, bytes, list);
}

/* Buffers at[b.which] for all arrays of a call, which go there where they shall; and back. */
CONVK_LOCAL_ int convk_bring_all_(CONVK_DEVICE_(host) *host, const convk_staged_ *b, size_t count, CONVK_DEVICE_(memory) *at) {
  size_t i;
  int status = CONVK_OK;
  for (i = 0; i < count && !status; i++)
    status = convk_bring_(host, b[i].which, b[i].grid, b[i].element, b[i].array, b[i].upload, &at[b[i].which]);
  return status;
}
CONVK_LOCAL_ int convk_back_all_(CONVK_DEVICE_(host) *host, const convk_staged_ *b, size_t count,
                                 const CONVK_DEVICE_(memory) *at) {
  size_t i;
  int status = CONVK_OK;
  for (i = 0; i < count && !status; i++)
    if (b[i].array && b[i].back) status = CONVK_DEVICE_(copy)(host, 1, at[b[i].which], b[i].grid, b[i].element, b[i].array);
  return status;
}
