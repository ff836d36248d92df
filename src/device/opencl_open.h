#if CONVK_CORE_
/* ==================================================================================================== opening a handle == */

CONVK_LOCAL_ int convk_cl_same_letter_(char a, char b) {
  if (a >= 'A' && a <= 'Z') a = (char)(a - 'A' + 'a');
  if (b >= 'A' && b <= 'Z') b = (char)(b - 'A' + 'a');
  return a == b;
}

/* Whether a device's name contains `text`; upper and lower case count as the same. */
CONVK_LOCAL_ int convk_cl_named_(cl_device_id device, const char *text) {
  char name[512];
  size_t i, k;
  memset(name, 0, sizeof name);
  if (clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name - 1, name, NULL)) return 0;
  for (i = 0; name[i]; i++) {
    for (k = 0; text[k] && name[i + k] && convk_cl_same_letter_(text[k], name[i + k]); k++) continue;
    if (!text[k]) return 1;
  }
  return !text[0];
}

/* Copies the device's name to hw->machine, as much of it as there is room for. */
CONVK_LOCAL_ void convk_cl_named_as_(cl_device_id device, char *machine, size_t size) {
  char name[512];
  memset(name, 0, sizeof name);
  if (clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name - 1, name, NULL) || !name[0]) strcpy(name, "OpenCL");
  memset(machine, 0, size);
  memcpy(machine, name, strlen(name) < size ? strlen(name) : size - 1);
}

enum { CONVK_CL_RUNS_ = 4 }; /* ranks of devices that are available, and have a compiler */

/* The search for a device, over all platforms in sequence. */
typedef struct convk_cl_search_ {
  const char *text; /* NULL: the first one of the highest rank */
  int by_index, rank;
  size_t index, seen;
  cl_platform_id platform;
  cl_device_id device;
} convk_cl_search_;

/* Whether a device runs programs counts most, then whether it is a GPU, then whether it has doubles. */
CONVK_LOCAL_ int convk_cl_rank_(cl_device_id device) {
  cl_device_fp_config fp64 = 0;
  cl_device_type type = 0;
  cl_bool available = CL_FALSE, compiler = CL_FALSE;
  (void)clGetDeviceInfo(device, CL_DEVICE_AVAILABLE, sizeof available, &available, NULL);
  (void)clGetDeviceInfo(device, CL_DEVICE_COMPILER_AVAILABLE, sizeof compiler, &compiler, NULL);
  (void)clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof type, &type, NULL);
  if (clGetDeviceInfo(device, CL_DEVICE_DOUBLE_FP_CONFIG, sizeof fp64, &fp64, NULL)) fp64 = 0;
  return (available && compiler ? CONVK_CL_RUNS_ : 0) + (type & CL_DEVICE_TYPE_GPU ? 2 : 0) + (fp64 ? 1 : 0);
}

CONVK_LOCAL_ int convk_cl_search_platform_(convk_cl_search_ *search, cl_platform_id platform) {
  cl_device_id *devices;
  cl_uint count = 0, i;
  if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, NULL, &count) || !count) return CONVK_OK;
  devices = (cl_device_id *)CONVK_MALLOC(count * sizeof *devices);
  if (!devices) return CONVK_ERR_MEMORY;
  if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count, devices, NULL)) count = 0;
  for (i = 0; i < count; i++) {
    const int rank = convk_cl_rank_(devices[i]);
    int take;
    if (search->by_index) take = search->seen == search->index;
    else if (search->text) take = !search->device && convk_cl_named_(devices[i], search->text);
    else take = !search->device || rank > search->rank;
    search->seen++;
    if (!take) continue;
    search->platform = platform;
    search->device = devices[i];
    search->rank = rank;
  }
  CONVK_FREE(devices);
  return CONVK_OK;
}

CONVK_LOCAL_ int convk_cl_search_all_(convk_cl_search_ *search, const char *options) {
  cl_platform_id *platforms;
  cl_uint count = 0, i;
  size_t k;
  int status = CONVK_OK;
  memset(search, 0, sizeof *search);
  search->text = options;
  search->by_index = options && options[0];
  for (k = 0; search->by_index && options[k]; k++) {
    if (options[k] < '0' || options[k] > '9') search->by_index = 0;
    else if (search->index < (size_t)-1 / 16) search->index = search->index * 10 + (size_t)(options[k] - '0');
  }
  if (clGetPlatformIDs(0, NULL, &count) || !count) return CONVK_ERR_HW_MACHINE;
  platforms = (cl_platform_id *)CONVK_MALLOC(count * sizeof *platforms);
  if (!platforms) return CONVK_ERR_MEMORY;
  if (clGetPlatformIDs(count, platforms, NULL)) count = 0;
  for (i = 0; i < count && !status; i++) status = convk_cl_search_platform_(search, platforms[i]);
  CONVK_FREE(platforms);
  return status ? status : search->device ? CONVK_OK : CONVK_ERR_HW_MACHINE;
}

CONVK_LOCAL_ void convk_cl_host_free_(convk_cl_host_ *host) {
  size_t i;
  for (i = 0; i < sizeof host->buffer / sizeof *host->buffer; i++)
    if (host->buffer[i]) (void)clReleaseMemObject(host->buffer[i]);
  convk_cl_lanes_destroy_(host);
  if (host->queue) (void)clReleaseCommandQueue(host->queue);
  convk_cl_close(&host->cl);
  CONVK_FREE(host);
}

CONVK_LOCAL_ void convk_close_opencl_(convk *hw) {
  convk_cl_host_free_((convk_cl_host_ *)hw->ours.inside.device);
  hw->ours.inside.device = NULL;
}

CONVK_BIND_ALL_(opencl)

CONVK_LOCAL_ int convk_open_opencl_(convk *hw, const char *options) {
  cl_context_properties properties[3] = {CL_CONTEXT_PLATFORM, 0, 0};
  convk_cl_search_ search;
  convk_cl_host_ *host;
  cl_context context;
  cl_int error = CL_SUCCESS;
  int status = convk_cl_search_all_(&search, options);
  if (status) {
    if (status == CONVK_ERR_HW_MACHINE) (void)snprintf(hw->message, sizeof hw->message, "no such OpenCL device");
    return status;
  }
  if (search.rank < CONVK_CL_RUNS_) {
    (void)snprintf(hw->message, sizeof hw->message, "the OpenCL device is not available, or has no compiler");
    return CONVK_ERR_HW_MACHINE;
  }
  host = (convk_cl_host_ *)CONVK_MALLOC(sizeof *host);
  if (!host) return CONVK_ERR_MEMORY;
  memset(host, 0, sizeof *host);
  properties[1] = (cl_context_properties)search.platform;
  context = clCreateContext(properties, 1, &search.device, NULL, NULL, &error);
  if (error) {
    status = convk_cl_status_(&host->cl, "clCreateContext", error);
  } else {
    status = convk_cl_open(&host->cl, context, search.device);
    (void)clReleaseContext(context); /* host->cl has its own share */
  }
  if (!status) {
    host->queue = convk_cl_new_queue_(&host->cl, 0, &error);
    if (error) {
      host->queue = NULL;
      status = convk_cl_status_(&host->cl, "clCreateCommandQueue", error);
    }
  }
  if (status) {
    memcpy(hw->message, host->cl.message, sizeof hw->message);
    convk_cl_host_free_(host);
    return status;
  }
  convk_bind_opencl_(hw);
  convk_cl_named_as_(search.device, hw->machine, sizeof hw->machine);
  hw->ours.inside.device = host;
  hw->ours.inside.close = convk_close_opencl_;
  hw->ours.inside.clock = convk_cl_clock_;
  return CONVK_OK;
}

CONVK_API_ convk_modules_ convk_cl_modules_(void) {
  static const convk_module_ list[] = {{"opencl", 0, convk_open_opencl_}};
  const convk_modules_ table = {1, list};
  return table;
}
CONVK_OFFER_(cl)
#endif
