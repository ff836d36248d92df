#if CONVK_CORE_
/* ----------------------------------------------------------------------------------------------------- opening a handle -- */

CONVK_API_ convk_modules_ convk_no_modules_(void) {
  convk_modules_ none = {0, NULL};
  return none;
}
/* A status of convk_open, with the name that was given, as much of it as leaves the text its room. */
CONVK_RARE_ int convk_open_refused_(convk *hw, int status, const char *spec, const char *text) {
  char name[101];
  size_t i;
  for (i = 0; i + 1 < sizeof name && spec[i]; i++) name[i] = spec[i];
  name[i] = 0;
  return convk_refuse_names_(hw->message, status, text, name, NULL);
}
typedef char convk_room_is_enough_[sizeof(convk_inside_) <= CONVK_ROOM_ * sizeof(void *) ? 1 : -1]; /* of a handle */
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
      return convk_open_refused_(hw, CONVK_ERR_HW_NAME, spec,
                                 which < all
                                     ? "'$' is a processor, which takes no options"
                                     : "'$' is none of scalar, sse2, avx, avx2, avx512, opencl[:device], cuda[:device]");
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
  if (!found)
    return convk_open_refused_(hw, CONVK_ERR_HW_MODULE, spec ? spec : "scalar",
                               "'$' is not compiled in: its module is convk_sse.h, convk_avx.h, convk_cl.h or convk_cuda.h");
  if ((found->needs & have) != found->needs)
    return convk_open_refused_(hw, CONVK_ERR_HW_MACHINE, spec, "'$' needs instructions that this processor does not have");
  strncpy(hw->name, found->name, sizeof hw->name - 1);
  convk_cpu_caches_(&hw->tuning);
  convk_cpu_name_(hw->machine);
#ifdef CONVK_OPENMP
  hw->parallel.threads = omp_get_max_threads();
  hw->parallel.run = convk_run_openmp_;
#endif
  status = found->open(hw, options);
  convk_one_word_(hw->machine);
  if (status == CONVK_ERR_HW_NAME && !hw->message[0])
    return convk_open_refused_(hw, status, spec, "'$': what follows the colon is no device");
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
