#if CONVK_CORE_
/* ----------------------------------------------------------------------------------------------------- opening a handle -- */

CONVK_API_ convk_modules_ convk_no_modules_(void) {
  convk_modules_ none = {0, NULL};
  return none;
}
/* "'name' is none of ..."; processor: it is one of those, with options. */
CONVK_RARE_ void convk_unknown_(char *to, size_t size, const char *name, int processor) {
  const char *const parts[3] = {"'", name,
                                processor ? "' is a processor, which takes no options"
                                          : "' is none of scalar, sse2, avx, avx2, avx512, opencl[:device], cuda[:device]"};
  const size_t most = 100; /* characters of a name that is shown: the rest of the text has room */
  size_t i, j, k = 0;
  for (i = 0; i < 3; i++)
    for (j = 0; parts[i][j] && k + 1 < size && (i != 1 || j < most); j++) to[k++] = parts[i][j];
  to[k] = 0;
}
CONVK_API_ int convk_open_(convk *hw, const char *spec, convk_modules_fn_ *sse, convk_modules_fn_ *avx, convk_modules_fn_ *cl,
                           convk_modules_fn_ *cuda) {
  static const char *const known[] = {"scalar", "sse2", "avx", "avx2", "avx512", "opencl", "cuda"};
  const size_t cpus = 5, all = 7;
  const unsigned have = convk_cpu_features_();
  const convk_module_ *found = NULL;
  const char *options = NULL;
  convk_modules_fn_ *tables[5];
  size_t i, j, length = 0, which = 0;
  int status;
  if (!hw) return CONVK_ERR_NULL;
  memset(hw, 0, sizeof *hw);
  if (spec) {
    while (spec[length] && spec[length] != ':') length++;
    while (which < all && (strlen(known[which]) != length || strncmp(spec, known[which], length))) which++;
    if (which == all || (which < cpus && spec[length])) {
      convk_unknown_(hw->message, sizeof hw->message, spec, which < all);
      return CONVK_ERR_HW_NAME;
    }
    if (spec[length]) options = spec + length + 1;
  }
  tables[0] = convk_scalar_modules_;
  tables[1] = sse;
  tables[2] = avx;
  tables[3] = cl;
  tables[4] = cuda;
  for (i = 0; i < (spec ? 5 : 3); i++) { /* NULL asks for a processor */
    const convk_modules_ table = tables[i]();
    for (j = 0; j < table.count; j++)
      if (spec ? !strcmp(table.list[j].name, known[which]) : (table.list[j].needs & have) == table.list[j].needs)
        found = &table.list[j];
  }
  if (!found) return CONVK_ERR_HW_MODULE;
  if ((found->needs & have) != found->needs) return CONVK_ERR_HW_MACHINE;
  strncpy(hw->name, found->name, sizeof hw->name - 1);
  convk_cpu_caches_(&hw->tuning);
  convk_cpu_name_(hw->machine);
#ifdef CONVK_OPENMP
  hw->parallel.threads = omp_get_max_threads();
  hw->parallel.run = convk_run_openmp_;
#endif
  status = found->open(hw, options);
  convk_one_word_(hw->machine);
  if (status) return status; /* size stays 0: not open */
  hw->size = sizeof *hw;
  hw->version = CONVK_VERSION;
  return CONVK_OK;
}

CONVK_API_ void convk_close(convk *hw) {
  if (convk_check_handle_(hw)) return;
  if (hw->ours.inside.close) hw->ours.inside.close(hw);
  memset(hw, 0, sizeof *hw);
}
#endif
