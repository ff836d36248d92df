/* Numbers between 1/4 and 3/4 in both arrays. */
CONVK_LOCAL_ void convk_trial_fill_(convk_trial_ *t) {
  CONVK_T *a = (CONVK_T *)t->array[0], *b = (CONVK_T *)t->array[1];
  size_t i;
  for (i = 0; i < t->bytes / sizeof *a; i++)
    a[i] = b[i] = (CONVK_T)0.25 + (CONVK_T)((uint32_t)i * (uint32_t)2654435761u >> 16) * (CONVK_T)(0.5 / 65536);
}
