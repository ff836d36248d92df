/* ---- trials ---- */

/* What convk_tune measures: one operation, on arrays that it has allocated. */
typedef struct convk_trial_ {
  convk hw;
  convk_tune_shape shape;
  void *array[3], *work;      /* input, output, the right result; work */
  void *plan;                 /* of transforms, made once */
  size_t bytes, work_size;    /* of an array, and of work */
  const convk_tunable_ *what; /* is tuned */
  void (*fill)(struct convk_trial_ *t);
  int (*run)(struct convk_trial_ *t, void **result);
  int (*same)(struct convk_trial_ *t, const long *a, const long *b); /* whether two choices come to the same call, or NULL */
  int touch;                                                         /* arrays lie near the threads that use them */
  size_t triangles, unit;                                            /* what one row of the table of values means */
  int tried, refused;
  double way; /* of a device: how the best choice runs */
  int device; /* whether it is a device, which measures its own time */
  convk_tuned entry;
} convk_trial_;

/* Makes work memory for the choice that is tried. */
CONVK_LOCAL_ int convk_trial_work_(convk_trial_ *t, size_t need) {
  if (need > t->work_size) {
    if (t->work) CONVK_FREE(t->work);
    t->work = CONVK_MALLOC(need);
    t->work_size = t->work ? need : 0;
  }
  return need > t->work_size ? CONVK_ERR_MEMORY : CONVK_OK;
}
