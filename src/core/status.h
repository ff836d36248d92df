/* --------------------------------------------------------------------------------------------------------- status -- */

/* Codes of all rooms in one list; each room has its own in CONVK_<ROOM>_STATUS_, of its types.h. */
#define CONVK_STATUS_LIST_(item) \
  item(CONVK_OK, 0, "success") \
  item(CONVK_ERR_NULL, -1, "a required pointer is NULL") \
  item(CONVK_ERR_SIZE, -2, "a size is zero or does not fit the other sizes") \
  item(CONVK_ERR_OVERFLOW, -3, "a product of sizes overflows") \
  item(CONVK_ERR_PITCH, -4, "a pitch is smaller than the rows or planes it separates") \
  item(CONVK_ERR_BOUNDARY, -6, "unknown boundary, or one that this operation does not offer") \
  item(CONVK_ERR_OPTION, -8, "unknown option, or options that exclude each other") \
  item(CONVK_ERR_NONFINITE, -9, "a parameter is not finite") \
  item(CONVK_ERR_OVERLAP, -10, "arrays overlap that must not") \
  item(CONVK_ERR_WORK, -11, "the work memory is too small") \
  item(CONVK_ERR_MEMORY, -12, "out of memory") \
  item(CONVK_ERR_HANDLE, -13, "the handle is not open or of another version") \
  item(CONVK_ERR_HW_NAME, -14, "unknown hardware name") \
  item(CONVK_ERR_HW_MODULE, -15, "this hardware's module is not compiled in") \
  item(CONVK_ERR_HW_MACHINE, -16, "this machine does not have the hardware") \
  item(CONVK_ERR_THREADS, -17, "the thread hook failed") \
  item(CONVK_ERR_FP64, -18, "the device has no double precision") \
  item(CONVK_ERR_BUILD, -19, "the device program did not build") \
  item(CONVK_ERR_DEVICE, -20, "a call to the device failed") \
  item(CONVK_ERR_UNSUPPORTED, -21, "this hardware does not offer the operation") \
  item(CONVK_ERR_COORDINATE, -23, "a coordinate is not finite") \
  item(CONVK_ERR_RANGE, -25, "a phase, an exponential or a distance lies beyond what its type can resolve") \
  item(CONVK_ERR_PROGRAMS, -43, "no saved device programs, or damaged ones, or those of another device, driver or version") \
  item(CONVK_ERR_COMPILED, -38, "the operation is not compiled in where the handle was opened") \
  CONVK_STATUS_(item)

#define CONVK_STATUS_ENUM_(name, value, text) name = value,
enum { CONVK_STATUS_LIST_(CONVK_STATUS_ENUM_) CONVK_STATUS_END_ = 1 };
#undef CONVK_STATUS_ENUM_
