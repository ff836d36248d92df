/* SPDX-License-Identifier: MIT
   Private functions of the library for units that only declare it.  test_core.c, which has all of the library, passes them on; where
   a unit has it, too, they are there already. */
#ifndef CONVK_TESTS_INSIDE_H
#define CONVK_TESTS_INSIDE_H

/* Tests of test_core.c that belong to other families, since they look inside. */
void tune_caches_corrected(int type);
void many_order(int type);
void vmc_blocking(int type);
void vmc_newton(int type);
void vmc_reach(int type);
void vmc_random(int type);
void vmc_parts_join(int type);

/* From now on the kernels of this handle count the vectors that they are given for meshes of so many triangles. */
void many_counting(convk *hw, int type, size_t triangles);
size_t many_counted(void);

convk_tuning inside_tuning_for(convk *hw, const char *operation, size_t element, const size_t n[3], size_t length);
convk_tuning inside_tuning_of(convk *hw, const char *operation, const char *type, const size_t n[3], size_t length);
void inside_tuned_choice(convk *hw, const char *operation, const char *type, const size_t n[3], size_t length,
                         long choice[CONVK_TUNE_COUNT]);
uint64_t inside_fft_sum(const void *plan);
uint64_t inside_vmc_sum(const void *state, size_t bytes);
void inside_vmc_seal(convk_vmc_state_ *s, void *state);
size_t inside_vmc_at(size_t walkers);
size_t inside_map_chunk(void);
#ifdef CONVK_DECLARE
#define convk_tuned_choice_ inside_tuned_choice
#define convk_fft_sum_ inside_fft_sum
#define convk_vmc_sum_ inside_vmc_sum
#define convk_vmc_seal_ inside_vmc_seal
#define convk_vmc_at_ inside_vmc_at
#define CONVK_MAP_CHUNK_ inside_map_chunk()
#endif

#endif
