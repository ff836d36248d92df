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
#define CONVK_QUOTED_(name) #name,
#define CONVK_LISTED_(name) ", " #name
#define CONVK_LISTED_DEVICE_(name) ", " #name "[:device]"

/* The place of a name in such a list, up to a colon; -1: it is not there. */
CONVK_RARE_ int convk_listed_at_(const char *const *list, const char *name) {
  const size_t length = strcspn(name, ":");
  int i;
  for (i = 0; list[i]; i++)
    if (strlen(list[i]) == length && !strncmp(list[i], name, length)) return i;
  return -1;
}

/* The modules of a unit that implements, for all units that only declare, whichever of them these include.  A module may be
   included after this text: in C its pointer is then defined a second time, with a value; in C++ it gets that when the program
   starts, before what other units do then. */
#if CONVK_MODE_ == 2
static convk_modules_fn_ *convk_offered_sse_, *convk_offered_avx_, *convk_offered_neon_, *convk_offered_cl_,
    *convk_offered_cuda_;
#ifndef __cplusplus
#define CONVK_OFFER_(module) static convk_modules_fn_ *convk_offered_##module##_ = convk_##module##_modules_;
#elif defined __GNUC__
#define CONVK_OFFER_(module) \
  __attribute__((constructor(101))) static void convk_offer_##module##_(void) { \
    convk_offered_##module##_ = convk_##module##_modules_; \
  }
#else
#define CONVK_OFFER_(module) \
  static const bool convk_offer_##module##_ = (convk_offered_##module##_ = convk_##module##_modules_, true);
#endif
#else
#define CONVK_OFFER_(module)
#endif

/* The better of `found` and this table's entries.
   spec   the entry of that name, whether or not the processor has it: convk_open_ looks.  NULL: of the entries that the
          processor has, the one that stands last in `processors`, never a device */
CONVK_RARE_ const convk_module_ *convk_open_among_(convk_modules_fn_ *modules, const char *const *processors, const char *spec,
                                                   const convk_module_ *found) {
  const unsigned have = convk_cpu_features_();
  const convk_modules_ table = modules();
  size_t i;
  for (i = 0; i < table.count; i++) {
    const convk_module_ *m = &table.list[i];
    const char *const name[] = {m->name, NULL};
    const int best = found ? convk_listed_at_(processors, found->name) : -1;
    if (spec ? convk_listed_at_(name, spec) == 0
             : convk_listed_at_(processors, m->name) > best && (m->needs & have) == m->needs)
      found = m;
  }
  return found;
}

CONVK_API_ int convk_open_(convk *hw, const char *spec, ...) {
#if CONVK_MODE_ == 2
  convk_modules_fn_ *const offered[] = {convk_offered_sse_, convk_offered_avx_, convk_offered_neon_, convk_offered_cl_,
                                        convk_offered_cuda_};
  size_t i;
#endif
  static const char *const processors[] = {"scalar", CONVK_PROCESSORS_(CONVK_QUOTED_) NULL};
  static const char *const devices[] = {CONVK_DEVICES_(CONVK_QUOTED_) NULL};
  const unsigned have = convk_cpu_features_();
  const int asked = spec ? convk_listed_at_(processors, spec) : 0;
  const char *options = spec ? strchr(spec, ':') : NULL;
  const convk_module_ *found = NULL;
  convk_modules_fn_ *modules;
  va_list all;
  int status;
  if (!hw) return CONVK_ERR_NULL;
  memset(hw, 0, sizeof *hw);
  if (spec && asked >= 0 && options)
    return convk_open_refused_(hw, CONVK_ERR_HW_NAME, spec, "'$' is a processor, which takes no options");
  if (spec && asked < 0 && convk_listed_at_(devices, spec) < 0)
    return convk_open_refused_(hw, CONVK_ERR_HW_NAME, spec,
                               "'$' is none of scalar" CONVK_PROCESSORS_(CONVK_LISTED_) CONVK_DEVICES_(CONVK_LISTED_DEVICE_));
  va_start(all, spec);
  while ((modules = va_arg(all, convk_modules_fn_ *)) != NULL) found = convk_open_among_(modules, processors, spec, found);
  va_end(all);
#if CONVK_MODE_ == 2
  for (i = 0; i < sizeof offered / sizeof *offered; i++)
    if (offered[i] && !(spec && found)) found = convk_open_among_(offered[i], processors, spec, found);
#endif
  if (!found)
    return convk_open_refused_(hw, CONVK_ERR_HW_MODULE, spec ? spec : "scalar",
                               "'$' is not compiled in: it wants CONVK_SIMD, CONVK_CL or CONVK_CUDA, or another processor");
  if ((found->needs & have) != found->needs)
    return convk_open_refused_(hw, CONVK_ERR_HW_MACHINE, spec, "'$' needs instructions that this processor does not have");
  strncpy(hw->name, found->name, sizeof hw->name - 1);
  convk_cpu_caches_(&hw->tuning);
  convk_cpu_name_(hw->machine);
#ifdef CONVK_OPENMP
  hw->parallel.threads = omp_get_max_threads();
  hw->parallel.run = convk_run_openmp_;
#endif
  status = found->open(hw, options ? options + 1 : NULL);
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
