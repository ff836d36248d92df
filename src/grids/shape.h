#include "grids/device_types.h"
