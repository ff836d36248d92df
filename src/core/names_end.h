/* The end of a pass: made by make headers. */
#undef convk_any_
#undef convk_axis_source_
#undef convk_finite_
#undef convk_ops
#undef convk_scalar_int_
#undef convk_scalar_less_
#undef convk_scalar_max_
#undef convk_scalar_min_
#undef convk_scalar_real_
#undef convk_trial_fill_
