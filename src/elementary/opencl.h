/* The options that these sources want; division rounds once where the device can. */
CONVK_LOCAL_ void convk_cl_math_options_(const convk_cl *cl, size_t element, char options[CONVK_CL_KEY_], const char *more) {
  (void)snprintf(options, CONVK_CL_KEY_, "-DT=%s -DF64=%d %s%s", convk_cl_type_(element), element == sizeof(cl_double), more,
                 cl->divides && element == sizeof(cl_float) ? " -cl-fp32-correctly-rounded-divide-sqrt" : "");
}

/* Elements of a work-item, and items of a group: on processors an item is a whole block, whose loops become vectors; elsewhere
   groups of 128 items are a choice, two to four times what devices run in step. */
CONVK_LOCAL_ void convk_cl_block_(const convk_cl *cl, size_t many, size_t *items, size_t *points) {
  *items = cl->cpu ? 1 : 128;
  while (*items > cl->group_items || *items > cl->group_x) *items /= 2;
  *points = cl->cpu ? many : 1;
}
