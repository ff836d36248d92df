! SPDX-License-Identifier: MIT
! convk for Fortran: all functions, structs and constants of convk.h, as made of its declarations by `make headers`.
!   cc -O2 -c convk_fortran.c                        (with convk.h and the modules of processors beside it, or -I)
!   gfortran -O2 convk.f90 program.f90 convk_fortran.o
! -DCONVK_WITH_SEPCONV -DCONVK_F64 for the first line compiles only what a program uses, in a few seconds; -fopenmp
! -DCONVK_OPENMP for the first, and -fopenmp for the second, give handles the threads of OpenMP.
!
!   use convk
!   type(convk_handle) :: hw
!   integer(c_int) :: status
!   status = convk_open(hw)                          ! the best hardware that this machine runs, or convk_open(hw, 'avx2')
!   status = convk_magicfilter3d_f64(hw, shape, CONVK_FORWARD, in=psi, out=values, work_size=0_c_size_t)
!   if (status /= CONVK_OK) print *, convk_message(status)
!   call convk_close(hw)
!
! Functions have the arguments of C in their order, by their names, and convk.h says what they do.  What is a pointer there may
! be left out, which is NULL: where the function needs it, it returns CONVK_ERR_NULL.  Arrays are passed as they are, of any
! rank, without copies where they are contiguous; an array a(nx, ny, nz) is a packed grid.  Where C has complex numbers so has
! Fortran.  Structs begin as zeros, which are their defaults.  Their pointers are type(c_ptr): c_loc(array) of an array with the
! attribute target.  The struct convk is the type convk_handle here, since the module has the name.
module convk
  use, intrinsic :: iso_c_binding
  implicit none

  integer(c_int), parameter :: CONVK_VERSION_MAJOR = 0
  integer(c_int), parameter :: CONVK_VERSION_MINOR = 3
  integer(c_int), parameter :: CONVK_VERSION_PATCH = 0
  integer(c_int), parameter :: CONVK_SHELL_MAX_L = 4
  integer(c_int), parameter :: CONVK_VERSION = 300
  integer(c_int), parameter :: CONVK_BOUNDARY_PERIODIC = 0
  integer(c_int), parameter :: CONVK_BOUNDARY_GROW = 1
  integer(c_int), parameter :: CONVK_BOUNDARY_SHRINK = 2
  integer(c_int), parameter :: CONVK_BOUNDARY_ZERO = 3
  integer(c_int), parameter :: CONVK_BOUNDARY_FIXED = 4
  integer(c_int), parameter :: CONVK_FORWARD = 0
  integer(c_int), parameter :: CONVK_INVERSE = 1
  integer(c_int), parameter :: CONVK_FILTER_MAX_TAPS = 64
  integer(c_int), parameter :: CONVK_FILTER_MAX_REACH = 1024
  integer(c_int), parameter :: CONVK_WAVELET_DAUBECHIES16 = 0
  integer(c_int), parameter :: CONVK_WAVELET_SYM4 = 1
  integer(c_int), parameter :: CONVK_WAVELET_VALUES = 2
  integer(c_int), parameter :: CONVK_GRIDPOT_POINTS_CONTIGUOUS = 0
  integer(c_int), parameter :: CONVK_GRIDPOT_EXPONENTS_CONTIGUOUS = 1
  integer(c_int), parameter :: CONVK_SHELL_CARTESIAN = 0
  integer(c_int), parameter :: CONVK_SHELL_SPHERICAL = 1
  integer(c_int), parameter :: CONVK_SHELL_CARTESIAN_MOLDEN = 2
  integer(c_int), parameter :: CONVK_SHELL_SPHERICAL_MOLDEN = 3
  integer(c_int), parameter :: CONVK_SHELL_SPHERICAL_PYSCF = 4
  integer(c_int), parameter :: CONVK_FORM_AUTO = 0
  integer(c_int), parameter :: CONVK_FORM_CLOSED = 1
  integer(c_int), parameter :: CONVK_FORM_OPEN = 2
  integer(c_int), parameter :: CONVK_FORM_EXACT = 3
  integer(c_int), parameter :: CONVK_MESH_TETRAHEDRON = 0
  integer(c_int), parameter :: CONVK_MESH_CUBE = 1
  integer(c_int), parameter :: CONVK_MESH_OCTAHEDRON = 2
  integer(c_int), parameter :: CONVK_MESH_DODECAHEDRON = 3
  integer(c_int), parameter :: CONVK_MESH_ICOSAHEDRON = 4
  integer(c_int), parameter :: CONVK_FFT_FULL = 0
  integer(c_int), parameter :: CONVK_FFT_SAME = 1
  integer(c_int), parameter :: CONVK_FFT_VALID = 2
  integer(c_int), parameter :: CONVK_FFT_CIRCULAR = 3
  integer(c_int), parameter :: CONVK_FFT_WINDOW = 4
  integer(c_int), parameter :: CONVK_POTENTIAL_NONE = 0
  integer(c_int), parameter :: CONVK_POTENTIAL_HFD = 1
  integer(c_int), parameter :: CONVK_POTENTIAL_LENNARD_JONES = 2
  integer(c_int), parameter :: CONVK_POTENTIAL_TABLE = 3
  integer(c_int), parameter :: CONVK_PAIR_LN_PSI = 1
  integer(c_int), parameter :: CONVK_PAIR_POTENTIAL_ENERGY = 2
  integer(c_int), parameter :: CONVK_PAIR_GRADIENT = 4
  integer(c_int), parameter :: CONVK_PAIR_LAPLACIAN = 8
  integer(c_int), parameter :: CONVK_PAIR_KINETIC = 12
  integer(c_int), parameter :: CONVK_PAIR_ALL = 15
  integer(c_int), parameter :: CONVK_VMC_MOVE_SINGLE = 0
  integer(c_int), parameter :: CONVK_VMC_MOVE_ALL = 1
  integer(c_int), parameter :: CONVK_AMPLITUDES_SUM = 0
  integer(c_int), parameter :: CONVK_AMPLITUDES_KINDS = 1
  integer(c_int), parameter :: CONVK_AMPLITUDES_MEAN = 2
  integer(c_int), parameter :: CONVK_OK = 0
  integer(c_int), parameter :: CONVK_ERR_NULL = -1
  integer(c_int), parameter :: CONVK_ERR_SIZE = -2
  integer(c_int), parameter :: CONVK_ERR_OVERFLOW = -3
  integer(c_int), parameter :: CONVK_ERR_PITCH = -4
  integer(c_int), parameter :: CONVK_ERR_BOUNDARY = -6
  integer(c_int), parameter :: CONVK_ERR_OPTION = -8
  integer(c_int), parameter :: CONVK_ERR_NONFINITE = -9
  integer(c_int), parameter :: CONVK_ERR_OVERLAP = -10
  integer(c_int), parameter :: CONVK_ERR_WORK = -11
  integer(c_int), parameter :: CONVK_ERR_MEMORY = -12
  integer(c_int), parameter :: CONVK_ERR_HANDLE = -13
  integer(c_int), parameter :: CONVK_ERR_HW_NAME = -14
  integer(c_int), parameter :: CONVK_ERR_HW_MODULE = -15
  integer(c_int), parameter :: CONVK_ERR_HW_MACHINE = -16
  integer(c_int), parameter :: CONVK_ERR_THREADS = -17
  integer(c_int), parameter :: CONVK_ERR_FP64 = -18
  integer(c_int), parameter :: CONVK_ERR_BUILD = -19
  integer(c_int), parameter :: CONVK_ERR_DEVICE = -20
  integer(c_int), parameter :: CONVK_ERR_UNSUPPORTED = -21
  integer(c_int), parameter :: CONVK_ERR_COORDINATE = -23
  integer(c_int), parameter :: CONVK_ERR_RANGE = -25
  integer(c_int), parameter :: CONVK_ERR_PROGRAMS = -43
  integer(c_int), parameter :: CONVK_ERR_COMPILED = -38
  integer(c_int), parameter :: CONVK_ERR_TAPS = -5
  integer(c_int), parameter :: CONVK_ERR_SHRINK = -7
  integer(c_int), parameter :: CONVK_ERR_ODD = -44
  integer(c_int), parameter :: CONVK_ERR_LEVELS = -45
  integer(c_int), parameter :: CONVK_ERR_SEGMENT = -46
  integer(c_int), parameter :: CONVK_ERR_SEGMENT_ORDER = -47
  integer(c_int), parameter :: CONVK_ERR_SEGMENT_PLACE = -48
  integer(c_int), parameter :: CONVK_ERR_RIM = -22
  integer(c_int), parameter :: CONVK_ERR_OPEN_MESH = -24
  integer(c_int), parameter :: CONVK_ERR_FACE = -39
  integer(c_int), parameter :: CONVK_ERR_ORIENTATION = -40
  integer(c_int), parameter :: CONVK_ERR_PLACEMENT = -41
  integer(c_int), parameter :: CONVK_ERR_FFT_SIZE = -26
  integer(c_int), parameter :: CONVK_ERR_MODE = -27
  integer(c_int), parameter :: CONVK_ERR_VALID = -28
  integer(c_int), parameter :: CONVK_ERR_WINDOW = -29
  integer(c_int), parameter :: CONVK_ERR_PLAN = -30
  integer(c_int), parameter :: CONVK_ERR_INDEX = -31
  integer(c_int), parameter :: CONVK_ERR_PARTICLES = -32
  integer(c_int), parameter :: CONVK_ERR_BOX = -33
  integer(c_int), parameter :: CONVK_ERR_STATE = -34
  integer(c_int), parameter :: CONVK_ERR_SETUP = -35
  integer(c_int), parameter :: CONVK_ERR_SINGULAR = -36
  integer(c_int), parameter :: CONVK_ERR_POTENTIAL = -37
  integer(c_int), parameter :: CONVK_ERR_PART = -42
  integer(c_int), parameter :: CONVK_ERR_CELL = -49
  integer(c_int), parameter :: CONVK_ERR_KIND = -50
  integer(c_int), parameter :: CONVK_TUNE_ROWS = 0
  integer(c_int), parameter :: CONVK_TUNE_DEPTH = 1
  integer(c_int), parameter :: CONVK_TUNE_NONTEMPORAL = 2
  integer(c_int), parameter :: CONVK_TUNE_PREFETCH = 3
  integer(c_int), parameter :: CONVK_TUNE_THREADS_Y = 4
  integer(c_int), parameter :: CONVK_TUNE_PLANES = 5
  integer(c_int), parameter :: CONVK_TUNE_COUNT = 6
  integer(c_int), parameter :: CONVK_TUNE_TILE_X = 0
  integer(c_int), parameter :: CONVK_TUNE_TILE_Y = 1
  integer(c_int), parameter :: CONVK_TUNE_STEPS = 2
  integer(c_int), parameter :: CONVK_TUNE_CHUNK = 3
  integer(c_int), parameter :: CONVK_TUNE_GROUP_X = 4
  integer(c_int), parameter :: CONVK_TUNE_GROUP_Y = 5

  type, bind(c) :: convk_ours_ ! what is private in a handle
    type(c_ptr), private :: room(128) = c_null_ptr
  end type

  type, bind(c) :: convk_grid3
    integer(c_size_t) :: nx = 0
    integer(c_size_t) :: ny = 0
    integer(c_size_t) :: nz = 0
    integer(c_size_t) :: pitch_y = 0
    integer(c_size_t) :: pitch_z = 0
  end type

  type, bind(c) :: convk_box3
    integer(c_size_t) :: first(3) = 0
    integer(c_size_t) :: count(3) = 0
  end type

  type, bind(c) :: convk_parallel
    integer(c_int) :: threads = 0
    type(c_funptr) :: run = c_null_funptr
    type(c_ptr) :: ctx = c_null_ptr
  end type

  type, bind(c) :: convk_tuning
    integer(c_size_t) :: l2_bytes = 0
    integer(c_size_t) :: l3_bytes = 0
    integer(c_size_t) :: l3_threads = 0
    integer(c_int) :: nontemporal = 0
    integer(c_size_t) :: sepconv_rows = 0
    integer(c_size_t) :: stencil_rows = 0
    integer(c_size_t) :: stencil_steps = 0
    integer(c_size_t) :: stencil_threads_y = 0
    integer(c_intptr_t) :: stencil_prefetch = 0
    integer(c_size_t) :: stencil_planes = 0
    integer(c_size_t) :: gaussian_points = 0
    integer(c_size_t) :: formfactor_q = 0
    integer(c_size_t) :: formfactor_rows = 0
    integer(c_size_t) :: fft_lanes = 0
    integer(c_size_t) :: pair_split = 0
  end type

  type, bind(c) :: convk_tuned
    character(kind=c_char) :: operation(16) = c_null_char
    character(kind=c_char) :: type(4) = c_null_char
    character(kind=c_char) :: hw(16) = c_null_char
    character(kind=c_char) :: machine(64) = c_null_char
    integer(c_int) :: threads = 0
    integer(c_size_t) :: nx = 0
    integer(c_size_t) :: ny = 0
    integer(c_size_t) :: nz = 0
    integer(c_size_t) :: length = 0
    integer(c_long) :: choice(CONVK_TUNE_COUNT) = 0
    integer(c_long) :: gain = 0
    integer(c_int) :: tried = 0
    integer(c_int) :: refused = 0
  end type

  type, bind(c) :: convk_handle
    integer(c_size_t) :: size = 0
    integer(c_int) :: version = 0
    character(kind=c_char) :: name(24) = c_null_char
    character(kind=c_char) :: machine(64) = c_null_char
    type(convk_parallel) :: parallel
    integer(c_int) :: flush_subnormals = 0
    type(convk_tuning) :: tuning
    type(c_ptr) :: tuned = c_null_ptr
    integer(c_size_t) :: ntuned = 0
    integer(c_size_t) :: device_bytes = 0
    character(kind=c_char) :: message(256) = c_null_char
    type(convk_ours_) :: ours
  end type

  type, bind(c) :: convk_tuned_report
    integer(c_size_t) :: skipped = 0
    type(c_funptr) :: explain = c_null_funptr
    type(c_ptr) :: ctx = c_null_ptr
  end type

  type, bind(c) :: convk_tune_shape
    type(convk_grid3) :: grid
    integer(c_int) :: boundary(3) = 0
    integer(c_size_t) :: steps = 0
    integer(c_int) :: taps = 0
    integer(c_size_t) :: triangles = 0
  end type

  type, bind(c) :: convk_sepconv3d_shape
    type(convk_grid3) :: in
    type(convk_grid3) :: out
    integer(c_int) :: boundary(3) = 0
  end type

  type, bind(c) :: convk_conv1d_shape
    integer(c_size_t) :: n = 0
    integer(c_size_t) :: ndat = 0
    integer(c_size_t) :: ld_in = 0
    integer(c_size_t) :: ld_out = 0
    integer(c_int) :: boundary = 0
  end type

  type, bind(c) :: convk_filter_f64
    integer(c_int) :: lo = 0
    integer(c_int) :: up = 0
    type(c_ptr) :: taps = c_null_ptr
  end type

  type, bind(c) :: convk_filter_f32
    integer(c_int) :: lo = 0
    integer(c_int) :: up = 0
    type(c_ptr) :: taps = c_null_ptr
  end type

  type, bind(c) :: convk_sepconv_epilogue_f64
    type(c_ptr) :: potential = c_null_ptr
    type(c_ptr) :: density = c_null_ptr
    real(c_double) :: density_factor = 0
    type(c_ptr) :: dot = c_null_ptr
    type(c_ptr) :: energy = c_null_ptr
    integer(c_int) :: update = 0
    real(c_double) :: a = 0
    real(c_double) :: b = 0
  end type

  type, bind(c) :: convk_sepconv_epilogue_f32
    type(c_ptr) :: potential = c_null_ptr
    type(c_ptr) :: density = c_null_ptr
    real(c_float) :: density_factor = 0
    type(c_ptr) :: dot = c_null_ptr
    type(c_ptr) :: energy = c_null_ptr
    integer(c_int) :: update = 0
    real(c_float) :: a = 0
    real(c_float) :: b = 0
  end type

  type, bind(c) :: convk_dwt3d_shape
    type(convk_grid3) :: fine
    type(convk_grid3) :: coarse
    integer(c_int) :: boundary(3) = 0
    integer(c_int) :: levels = 0
  end type

  type, bind(c) :: convk_segments
    integer(c_size_t) :: count = 0
    type(c_ptr) :: ends = c_null_ptr
    type(c_ptr) :: place = c_null_ptr
    integer(c_size_t) :: points = 0
  end type

  type, bind(c) :: convk_compressed_shape
    type(convk_grid3) :: dense
    type(convk_segments) :: coarse
    type(convk_segments) :: fine
    integer(c_size_t) :: vectors = 0
    integer(c_size_t) :: compressed_stride = 0
    integer(c_size_t) :: dense_stride = 0
  end type

  type, bind(c) :: convk_wavelet_f64
    integer(c_int) :: lo = 0
    integer(c_int) :: up = 0
    type(c_ptr) :: low = c_null_ptr
    type(c_ptr) :: high = c_null_ptr
  end type

  type, bind(c) :: convk_wavelet_f32
    integer(c_int) :: lo = 0
    integer(c_int) :: up = 0
    type(c_ptr) :: low = c_null_ptr
    type(c_ptr) :: high = c_null_ptr
  end type

  type, bind(c) :: convk_sumconv3d_shape
    type(convk_grid3) :: in
    type(convk_grid3) :: out
    integer(c_int) :: boundary(3) = 0
    integer(c_size_t) :: vectors = 0
    integer(c_size_t) :: in_stride = 0
    integer(c_size_t) :: out_stride = 0
  end type

  type, bind(c) :: convk_sumconv_sums
    real(c_double) :: dot(2) = 0
    real(c_double) :: potential = 0
    real(c_double) :: norm = 0
    real(c_double) :: axis(3) = 0
    real(c_double) :: mixed = 0
  end type

  type, bind(c) :: convk_chebyshev
    integer(c_int) :: degree = 0
    real(c_double) :: low = 0
    real(c_double) :: high = 0
    real(c_double) :: lowest = 0
  end type

  type, bind(c) :: convk_sumconv_terms_f64
    type(convk_filter_f64) :: filter(3)
    type(convk_filter_f64) :: imag(3)
    type(convk_filter_f64) :: first(3)
    real(c_double) :: mixed(3) = 0
    real(c_double) :: phase(2,3) = 0
    type(c_ptr) :: potential = c_null_ptr
    real(c_double) :: potential_factor = 0
    real(c_double) :: shift = 0
    type(c_ptr) :: add = c_null_ptr
    real(c_double) :: add_factor = 0
  end type

  type, bind(c) :: convk_sumconv_terms_f32
    type(convk_filter_f32) :: filter(3)
    type(convk_filter_f32) :: imag(3)
    type(convk_filter_f32) :: first(3)
    real(c_float) :: mixed(3) = 0
    real(c_double) :: phase(2,3) = 0
    type(c_ptr) :: potential = c_null_ptr
    real(c_float) :: potential_factor = 0
    real(c_float) :: shift = 0
    type(c_ptr) :: add = c_null_ptr
    real(c_float) :: add_factor = 0
  end type

  type, bind(c) :: convk_hamiltonian_shape
    type(convk_grid3) :: wavelets
    type(convk_grid3) :: values
    integer(c_int) :: boundary(3) = 0
    integer(c_size_t) :: vectors = 0
    integer(c_size_t) :: in_stride = 0
    integer(c_size_t) :: out_stride = 0
  end type

  type, bind(c) :: convk_hamiltonian_energies
    real(c_double) :: kinetic(3) = 0
    real(c_double) :: potential = 0
  end type

  type, bind(c) :: convk_hamiltonian_terms_f64
    real(c_double) :: spacing(3) = 0
    type(c_ptr) :: potential = c_null_ptr
    real(c_double) :: shift = 0
    real(c_double) :: k(3) = 0
  end type

  type, bind(c) :: convk_hamiltonian_terms_f32
    real(c_double) :: spacing(3) = 0
    type(c_ptr) :: potential = c_null_ptr
    real(c_float) :: shift = 0
    real(c_double) :: k(3) = 0
  end type

  type, bind(c) :: convk_stencil7_shape
    type(convk_grid3) :: grid
    integer(c_int) :: boundary(3) = 0
  end type

  type, bind(c) :: convk_stencil7_coefficients_f64
    real(c_double) :: centre = 0
    real(c_double) :: x_minus = 0
    real(c_double) :: x_plus = 0
    real(c_double) :: y_minus = 0
    real(c_double) :: y_plus = 0
    real(c_double) :: z_minus = 0
    real(c_double) :: z_plus = 0
  end type

  type, bind(c) :: convk_stencil7_coefficients_f32
    real(c_float) :: centre = 0
    real(c_float) :: x_minus = 0
    real(c_float) :: x_plus = 0
    real(c_float) :: y_minus = 0
    real(c_float) :: y_plus = 0
    real(c_float) :: z_minus = 0
    real(c_float) :: z_plus = 0
  end type

  type, bind(c) :: convk_shell
    real(c_double) :: center(3) = 0
    integer(c_int) :: l = 0
    integer(c_int) :: functions = 0
    integer(c_size_t) :: primitives = 0
    type(c_ptr) :: exponents = c_null_ptr
    type(c_ptr) :: coefficients = c_null_ptr
  end type

  type, bind(c) :: convk_gaussian_options
    integer(c_int) :: layout = 0
    integer(c_int) :: compensated = 0
    real(c_double) :: cutoff = 0
  end type

  type, bind(c) :: convk_points_f64
    integer(c_size_t) :: n = 0
    type(c_ptr) :: x = c_null_ptr
    type(c_ptr) :: y = c_null_ptr
    type(c_ptr) :: z = c_null_ptr
    integer(c_size_t) :: stride = 0
  end type

  type, bind(c) :: convk_points_f32
    integer(c_size_t) :: n = 0
    type(c_ptr) :: x = c_null_ptr
    type(c_ptr) :: y = c_null_ptr
    type(c_ptr) :: z = c_null_ptr
    integer(c_size_t) :: stride = 0
  end type

  type, bind(c) :: convk_gaussians_f64
    real(c_double) :: center(3) = 0
    integer(c_size_t) :: n = 0
    type(c_ptr) :: alpha = c_null_ptr
    integer(c_size_t) :: nsums = 0
    type(c_ptr) :: coefficients = c_null_ptr
    integer(c_size_t) :: ldc = 0
  end type

  type, bind(c) :: convk_gaussians_f32
    real(c_float) :: center(3) = 0
    integer(c_size_t) :: n = 0
    type(c_ptr) :: alpha = c_null_ptr
    integer(c_size_t) :: nsums = 0
    type(c_ptr) :: coefficients = c_null_ptr
    integer(c_size_t) :: ldc = 0
  end type

  type, bind(c) :: convk_orbital_set_f64
    integer(c_size_t) :: nshells = 0
    type(c_ptr) :: shells = c_null_ptr
    integer(c_size_t) :: norbitals = 0
    type(c_ptr) :: coefficients = c_null_ptr
    integer(c_size_t) :: ldc = 0
    type(c_ptr) :: occupations = c_null_ptr
    type(c_ptr) :: plan = c_null_ptr
  end type

  type, bind(c) :: convk_orbital_set_f32
    integer(c_size_t) :: nshells = 0
    type(c_ptr) :: shells = c_null_ptr
    integer(c_size_t) :: norbitals = 0
    type(c_ptr) :: coefficients = c_null_ptr
    integer(c_size_t) :: ldc = 0
    type(c_ptr) :: occupations = c_null_ptr
    type(c_ptr) :: plan = c_null_ptr
  end type

  type, bind(c) :: convk_vgl_f64
    type(c_ptr) :: value = c_null_ptr
    type(c_ptr) :: dx = c_null_ptr
    type(c_ptr) :: dy = c_null_ptr
    type(c_ptr) :: dz = c_null_ptr
    type(c_ptr) :: laplacian = c_null_ptr
    integer(c_size_t) :: ld = 0
  end type

  type, bind(c) :: convk_vgl_f32
    type(c_ptr) :: value = c_null_ptr
    type(c_ptr) :: dx = c_null_ptr
    type(c_ptr) :: dy = c_null_ptr
    type(c_ptr) :: dz = c_null_ptr
    type(c_ptr) :: laplacian = c_null_ptr
    integer(c_size_t) :: ld = 0
  end type

  type, bind(c) :: convk_density_parts_f64
    type(c_ptr) :: density = c_null_ptr
    type(c_ptr) :: dx = c_null_ptr
    type(c_ptr) :: dy = c_null_ptr
    type(c_ptr) :: dz = c_null_ptr
    type(c_ptr) :: tau = c_null_ptr
  end type

  type, bind(c) :: convk_density_parts_f32
    type(c_ptr) :: density = c_null_ptr
    type(c_ptr) :: dx = c_null_ptr
    type(c_ptr) :: dy = c_null_ptr
    type(c_ptr) :: dz = c_null_ptr
    type(c_ptr) :: tau = c_null_ptr
  end type

  type, bind(c) :: convk_gaussian_box
    real(c_double) :: origin(3) = 0
    real(c_double) :: step_x(3) = 0
    real(c_double) :: step_y(3) = 0
    real(c_double) :: step_z(3) = 0
    type(convk_grid3) :: grid
    real(c_double) :: period(3) = 0
  end type

  type, bind(c) :: convk_bloch_f64
    real(c_double) :: k(3) = 0
    type(c_ptr) :: imag = c_null_ptr
  end type

  type, bind(c) :: convk_bloch_f32
    real(c_double) :: k(3) = 0
    type(c_ptr) :: imag = c_null_ptr
  end type

  type, bind(c) :: convk_formfactor_options
    integer(c_int) :: form = 0
    integer(c_int) :: order = 0
  end type

  type, bind(c) :: convk_mesh_measures
    real(c_double) :: area = 0
    real(c_double) :: volume = 0
    real(c_double) :: gap(3) = 0
    real(c_double) :: least(3) = 0
    real(c_double) :: most(3) = 0
    real(c_double) :: edge = 0
    integer(c_int) :: closed = 0
  end type

  type, bind(c) :: convk_mesh_report
    integer(c_size_t) :: edges = 0
    integer(c_size_t) :: border = 0
    integer(c_size_t) :: turned = 0
    integer(c_size_t) :: crowded = 0
    integer(c_size_t) :: degenerate = 0
    integer(c_size_t) :: unused = 0
    real(c_double) :: area = 0
    real(c_double) :: volume = 0
    integer(c_int) :: closed = 0
    integer(c_int) :: manifold = 0
  end type

  type, bind(c) :: convk_placement
    integer(c_size_t) :: mesh = 0
    real(c_double) :: position(3) = 0
    real(c_double) :: rotation(9) = 0
    real(c_double) :: scale = 0
    real(c_double) :: weight(2) = 0
  end type

  type, bind(c) :: convk_q_f64
    integer(c_size_t) :: n = 0
    type(c_ptr) :: x = c_null_ptr
    type(c_ptr) :: y = c_null_ptr
    type(c_ptr) :: z = c_null_ptr
    type(c_ptr) :: x_imag = c_null_ptr
    type(c_ptr) :: y_imag = c_null_ptr
    type(c_ptr) :: z_imag = c_null_ptr
  end type

  type, bind(c) :: convk_q_f32
    integer(c_size_t) :: n = 0
    type(c_ptr) :: x = c_null_ptr
    type(c_ptr) :: y = c_null_ptr
    type(c_ptr) :: z = c_null_ptr
    type(c_ptr) :: x_imag = c_null_ptr
    type(c_ptr) :: y_imag = c_null_ptr
    type(c_ptr) :: z_imag = c_null_ptr
  end type

  type, bind(c) :: convk_directions_f64
    integer(c_size_t) :: n = 0
    type(c_ptr) :: x = c_null_ptr
    type(c_ptr) :: y = c_null_ptr
    type(c_ptr) :: z = c_null_ptr
    type(c_ptr) :: weight = c_null_ptr
  end type

  type, bind(c) :: convk_directions_f32
    integer(c_size_t) :: n = 0
    type(c_ptr) :: x = c_null_ptr
    type(c_ptr) :: y = c_null_ptr
    type(c_ptr) :: z = c_null_ptr
    type(c_ptr) :: weight = c_null_ptr
  end type

  type, bind(c) :: convk_indexed_mesh_f64
    integer(c_size_t) :: vertices = 0
    integer(c_size_t) :: faces = 0
    type(c_ptr) :: x = c_null_ptr
    type(c_ptr) :: y = c_null_ptr
    type(c_ptr) :: z = c_null_ptr
    type(c_ptr) :: face = c_null_ptr
  end type

  type, bind(c) :: convk_indexed_mesh_f32
    integer(c_size_t) :: vertices = 0
    integer(c_size_t) :: faces = 0
    type(c_ptr) :: x = c_null_ptr
    type(c_ptr) :: y = c_null_ptr
    type(c_ptr) :: z = c_null_ptr
    type(c_ptr) :: face = c_null_ptr
  end type

  type, bind(c) :: convk_mesh_f64
    integer(c_size_t) :: n = 0
    type(c_ptr) :: ax = c_null_ptr
    type(c_ptr) :: ay = c_null_ptr
    type(c_ptr) :: az = c_null_ptr
    type(c_ptr) :: x = c_null_ptr
    type(c_ptr) :: y = c_null_ptr
    type(c_ptr) :: z = c_null_ptr
    type(c_ptr) :: ux = c_null_ptr
    type(c_ptr) :: uy = c_null_ptr
    type(c_ptr) :: uz = c_null_ptr
    type(c_ptr) :: wx = c_null_ptr
    type(c_ptr) :: wy = c_null_ptr
    type(c_ptr) :: wz = c_null_ptr
    type(c_ptr) :: indexed = c_null_ptr
  end type

  type, bind(c) :: convk_mesh_f32
    integer(c_size_t) :: n = 0
    type(c_ptr) :: ax = c_null_ptr
    type(c_ptr) :: ay = c_null_ptr
    type(c_ptr) :: az = c_null_ptr
    type(c_ptr) :: x = c_null_ptr
    type(c_ptr) :: y = c_null_ptr
    type(c_ptr) :: z = c_null_ptr
    type(c_ptr) :: ux = c_null_ptr
    type(c_ptr) :: uy = c_null_ptr
    type(c_ptr) :: uz = c_null_ptr
    type(c_ptr) :: wx = c_null_ptr
    type(c_ptr) :: wy = c_null_ptr
    type(c_ptr) :: wz = c_null_ptr
    type(c_ptr) :: indexed = c_null_ptr
  end type

  type, bind(c) :: convk_assembly_f64
    integer(c_size_t) :: meshes = 0
    integer(c_size_t) :: placements = 0
    type(c_ptr) :: mesh = c_null_ptr
    type(c_ptr) :: placement = c_null_ptr
  end type

  type, bind(c) :: convk_assembly_f32
    integer(c_size_t) :: meshes = 0
    integer(c_size_t) :: placements = 0
    type(c_ptr) :: mesh = c_null_ptr
    type(c_ptr) :: placement = c_null_ptr
  end type

  type, bind(c) :: convk_dwba_f64
    integer(c_size_t) :: n = 0
    type(c_ptr) :: qx = c_null_ptr
    type(c_ptr) :: qy = c_null_ptr
    type(c_ptr) :: kz_in = c_null_ptr
    type(c_ptr) :: kz_in_imag = c_null_ptr
    type(c_ptr) :: kz_out = c_null_ptr
    type(c_ptr) :: kz_out_imag = c_null_ptr
    type(c_ptr) :: t_in = c_null_ptr
    type(c_ptr) :: t_out = c_null_ptr
    type(c_ptr) :: r_in = c_null_ptr
    type(c_ptr) :: r_out = c_null_ptr
  end type

  type, bind(c) :: convk_dwba_f32
    integer(c_size_t) :: n = 0
    type(c_ptr) :: qx = c_null_ptr
    type(c_ptr) :: qy = c_null_ptr
    type(c_ptr) :: kz_in = c_null_ptr
    type(c_ptr) :: kz_in_imag = c_null_ptr
    type(c_ptr) :: kz_out = c_null_ptr
    type(c_ptr) :: kz_out_imag = c_null_ptr
    type(c_ptr) :: t_in = c_null_ptr
    type(c_ptr) :: t_out = c_null_ptr
    type(c_ptr) :: r_in = c_null_ptr
    type(c_ptr) :: r_out = c_null_ptr
  end type

  type, bind(c) :: convk_fftconv2d_shape
    integer(c_size_t) :: rows = 0
    integer(c_size_t) :: columns = 0
    integer(c_size_t) :: kernel_rows = 0
    integer(c_size_t) :: kernel_columns = 0
    integer(c_int) :: mode = 0
    integer(c_int) :: correlation = 0
    integer(c_intptr_t) :: origin_row = 0
    integer(c_intptr_t) :: origin_column = 0
    integer(c_size_t) :: out_rows = 0
    integer(c_size_t) :: out_columns = 0
    integer(c_size_t) :: fft_rows = 0
    integer(c_size_t) :: fft_columns = 0
  end type

  type, bind(c) :: convk_batch2d
    integer(c_size_t) :: items = 0
    integer(c_size_t) :: in_pitch = 0
    integer(c_size_t) :: in_stride = 0
    integer(c_size_t) :: out_pitch = 0
    integer(c_size_t) :: out_stride = 0
    type(c_ptr) :: kernel = c_null_ptr
    integer(c_size_t) :: items_per_kernel = 0
  end type

  type, bind(c) :: convk_pair_trial
    real(c_double) :: p5 = 0
    real(c_double) :: p2 = 0
    real(c_double) :: p0 = 0
    real(c_double) :: p1 = 0
  end type

  type, bind(c) :: convk_pair_potential
    integer(c_int) :: kind = 0
    real(c_double) :: epsilon = 0
    real(c_double) :: rm = 0
    real(c_double) :: a = 0
    real(c_double) :: alpha = 0
    real(c_double) :: beta = 0
    real(c_double) :: c6 = 0
    real(c_double) :: c8 = 0
    real(c_double) :: c10 = 0
    real(c_double) :: d = 0
    real(c_double) :: bump = 0
    real(c_double) :: x1 = 0
    real(c_double) :: x2 = 0
    type(c_ptr) :: values = c_null_ptr
    integer(c_size_t) :: entries = 0
    real(c_double) :: first = 0
    real(c_double) :: spacing = 0
  end type

  type, bind(c) :: convk_pair_system
    integer(c_size_t) :: particles = 0
    type(convk_pair_trial) :: trial
    type(convk_pair_potential) :: potential
    real(c_double) :: box(3) = 0
    real(c_double) :: cutoff = 0
    real(c_double) :: hbar2_2m = 0
  end type

  type, bind(c) :: convk_pair_walkers
    integer(c_size_t) :: walkers = 0
    integer(c_size_t) :: pitch = 0
    integer(c_size_t) :: stride = 0
  end type

  type, bind(c) :: convk_pair_result
    real(c_double) :: ln_psi = 0
    real(c_double) :: potential = 0
    real(c_double) :: gradient_squared = 0
    real(c_double) :: laplacian = 0
    real(c_double) :: kinetic = 0
    real(c_double) :: derivative(4) = 0
  end type

  type, bind(c) :: convk_pair_move_result
    real(c_double) :: ln_psi = 0
    real(c_double) :: before(3) = 0
    real(c_double) :: after(3) = 0
  end type

  type, bind(c) :: convk_vmc_part
    integer(c_size_t) :: first = 0
    integer(c_size_t) :: walkers = 0
    type(c_funptr) :: join = c_null_funptr
    type(c_ptr) :: ctx = c_null_ptr
  end type

  type, bind(c) :: convk_vmc
    type(convk_pair_system) :: system
    integer(c_size_t) :: walkers = 0
    integer(c_int64_t) :: seed = 0
    integer(c_int) :: moves = 0
    integer(c_int) :: drift = 0
    real(c_double) :: step = 0
    real(c_double) :: acceptance = 0
    integer(c_size_t) :: equilibration = 0
    integer(c_size_t) :: interval = 0
    type(convk_vmc_part) :: part
  end type

  type, bind(c) :: convk_vmc_sweeps
    integer(c_int64_t) :: first = 0
    integer(c_size_t) :: count = 0
    real(c_double) :: step = 0
    integer(c_int) :: anew = 0
  end type

  type, bind(c) :: convk_vmc_estimate
    real(c_double) :: mean = 0
    real(c_double) :: error = 0
    real(c_double) :: variance = 0
    real(c_double) :: autocorrelation = 0
    real(c_double) :: block = 0
  end type

  type, bind(c) :: convk_vmc_result
    integer(c_int64_t) :: sweeps = 0
    integer(c_int64_t) :: measurements = 0
    real(c_double) :: step = 0
    real(c_double) :: acceptance = 0
    type(convk_vmc_estimate) :: energy
    type(convk_vmc_estimate) :: potential
    type(convk_vmc_estimate) :: kinetic
    type(convk_vmc_estimate) :: kinetic_gradient
    type(convk_vmc_estimate) :: kinetic_laplacian
    real(c_double) :: drift = 0
    real(c_double) :: pairs = 0
  end type

  type, bind(c) :: convk_vmc_minimise_options
    integer(c_size_t) :: iterations = 0
    integer(c_size_t) :: sweeps = 0
    integer(c_size_t) :: final_sweeps = 0
    integer(c_int) :: fixed(4) = 0
    real(c_double) :: rate = 0
    real(c_double) :: regularisation = 0
    type(c_funptr) :: look = c_null_funptr
    type(c_ptr) :: ctx = c_null_ptr
  end type

  type, bind(c) :: convk_cell
    real(c_double) :: a(3) = 0
    real(c_double) :: b(3) = 0
    real(c_double) :: c(3) = 0
  end type

  type, bind(c) :: convk_part
    integer(c_size_t) :: index = 0
    integer(c_size_t) :: count = 0
  end type

  type, bind(c) :: convk_distances
    integer(c_size_t) :: bins = 0
    integer(c_size_t) :: kinds = 0
    real(c_double) :: width = 0
    integer(c_int) :: moments = 0
    type(c_ptr) :: count = c_null_ptr
    type(c_ptr) :: moment(2) = c_null_ptr
    type(c_ptr) :: sum = c_null_ptr
    type(c_ptr) :: beyond = c_null_ptr
  end type

  type, bind(c) :: convk_scatterer
    integer(c_int) :: terms = 0
    real(c_double) :: a(6) = 0
    real(c_double) :: b(6) = 0
    real(c_double) :: c(2) = 0
    real(c_double) :: thermal = 0
  end type

  type, bind(c) :: convk_atoms_f64
    integer(c_size_t) :: n = 0
    integer(c_size_t) :: frames = 0
    integer(c_size_t) :: stride = 0
    type(c_ptr) :: x = c_null_ptr
    type(c_ptr) :: y = c_null_ptr
    type(c_ptr) :: z = c_null_ptr
    type(c_ptr) :: kind = c_null_ptr
    type(c_ptr) :: weight = c_null_ptr
  end type

  type, bind(c) :: convk_atoms_f32
    integer(c_size_t) :: n = 0
    integer(c_size_t) :: frames = 0
    integer(c_size_t) :: stride = 0
    type(c_ptr) :: x = c_null_ptr
    type(c_ptr) :: y = c_null_ptr
    type(c_ptr) :: z = c_null_ptr
    type(c_ptr) :: kind = c_null_ptr
    type(c_ptr) :: weight = c_null_ptr
  end type

  type, bind(c) :: convk_amplitude_options
    integer(c_int) :: output = 0
    integer(c_size_t) :: kinds = 0
    type(c_ptr) :: scatterers = c_null_ptr
    type(c_ptr) :: cell = c_null_ptr
  end type

  ! all families
  interface
    function convk_strerror(status) bind(c) result(it)
      import
      integer(c_int), value :: status
      type(c_ptr) :: it
    end function
    function convk_grid3_padded(nx, ny, nz, element) bind(c) result(it)
      import
      integer(c_size_t), value :: nx
      integer(c_size_t), value :: ny
      integer(c_size_t), value :: nz
      integer(c_size_t), value :: element
      type(convk_grid3) :: it
    end function
    function convk_huge_alloc(bytes) bind(c) result(it)
      import
      integer(c_size_t), value :: bytes
      type(c_ptr) :: it
    end function
    subroutine convk_huge_free(array) bind(c)
      import
      type(*), intent(inout), optional :: array(*)
    end subroutine
    function convk_first_touch(hw, grid, element, array) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_grid3), intent(in), optional :: grid
      integer(c_size_t), value :: element
      type(*), intent(inout), optional :: array(*)
      integer(c_int) :: status
    end function
    subroutine convk_close(hw) bind(c)
      import
      type(convk_handle), intent(inout), optional :: hw
    end subroutine
    function convk_tuned_write(hw, entries, count, text, size, length) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_tuned), intent(in), optional :: entries(*)
      integer(c_size_t), value :: count
      character(kind=c_char), intent(inout), optional :: text(*)
      integer(c_size_t), value :: size
      integer(c_size_t), intent(inout), optional :: length
      integer(c_int) :: status
    end function
    function convk_tuned_read(hw, text, length, entries, capacity, count, report) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      character(kind=c_char), intent(in), optional :: text(*)
      integer(c_size_t), value :: length
      type(convk_tuned), intent(inout), optional :: entries(*)
      integer(c_size_t), value :: capacity
      integer(c_size_t), intent(inout), optional :: count
      type(convk_tuned_report), intent(inout), optional :: report
      integer(c_int) :: status
    end function
    function convk_tune(hw, operation, shape, budget_ms, entry) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      character(kind=c_char), intent(in), optional :: operation(*)
      type(convk_tune_shape), intent(in), optional :: shape
      real(c_double), value :: budget_ms
      type(convk_tuned), intent(inout), optional :: entry
      integer(c_int) :: status
    end function
  end interface

  ! filters
  interface
    function convk_sepconv3d_f64(hw, shape, filter, epilogue, in, out, work, work_size) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_sepconv3d_shape), intent(in), optional :: shape
      type(convk_filter_f64), intent(in), optional :: filter(3)
      type(convk_sepconv_epilogue_f64), intent(in), optional :: epilogue
      real(c_double), intent(in), optional :: in(*)
      real(c_double), intent(inout), optional :: out(*)
      type(*), intent(inout), optional :: work(*)
      integer(c_size_t), value :: work_size
      integer(c_int) :: status
    end function
    function convk_sepconv3d_f32(hw, shape, filter, epilogue, in, out, work, work_size) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_sepconv3d_shape), intent(in), optional :: shape
      type(convk_filter_f32), intent(in), optional :: filter(3)
      type(convk_sepconv_epilogue_f32), intent(in), optional :: epilogue
      real(c_float), intent(in), optional :: in(*)
      real(c_float), intent(inout), optional :: out(*)
      type(*), intent(inout), optional :: work(*)
      integer(c_size_t), value :: work_size
      integer(c_int) :: status
    end function
    function convk_magicfilter3d_f64(hw, shape, direction, epilogue, in, out, work, work_size) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_sepconv3d_shape), intent(in), optional :: shape
      integer(c_int), value :: direction
      type(convk_sepconv_epilogue_f64), intent(in), optional :: epilogue
      real(c_double), intent(in), optional :: in(*)
      real(c_double), intent(inout), optional :: out(*)
      type(*), intent(inout), optional :: work(*)
      integer(c_size_t), value :: work_size
      integer(c_int) :: status
    end function
    function convk_magicfilter3d_f32(hw, shape, direction, epilogue, in, out, work, work_size) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_sepconv3d_shape), intent(in), optional :: shape
      integer(c_int), value :: direction
      type(convk_sepconv_epilogue_f32), intent(in), optional :: epilogue
      real(c_float), intent(in), optional :: in(*)
      real(c_float), intent(inout), optional :: out(*)
      type(*), intent(inout), optional :: work(*)
      integer(c_size_t), value :: work_size
      integer(c_int) :: status
    end function
    function convk_potential_apply_f64(hw, shape, potential, psi, out, energy, work, work_size) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_sepconv3d_shape), intent(in), optional :: shape
      real(c_double), intent(in), optional :: potential(*)
      real(c_double), intent(in), optional :: psi(*)
      real(c_double), intent(inout), optional :: out(*)
      real(c_double), intent(inout), optional :: energy
      type(*), intent(inout), optional :: work(*)
      integer(c_size_t), value :: work_size
      integer(c_int) :: status
    end function
    function convk_potential_apply_f32(hw, shape, potential, psi, out, energy, work, work_size) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_sepconv3d_shape), intent(in), optional :: shape
      real(c_float), intent(in), optional :: potential(*)
      real(c_float), intent(in), optional :: psi(*)
      real(c_float), intent(inout), optional :: out(*)
      real(c_double), intent(inout), optional :: energy
      type(*), intent(inout), optional :: work(*)
      integer(c_size_t), value :: work_size
      integer(c_int) :: status
    end function
    function convk_conv1d_transpose_f64(hw, shape, filter, in, out, work, work_size) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_conv1d_shape), intent(in), optional :: shape
      type(convk_filter_f64), intent(in), optional :: filter
      real(c_double), intent(in), optional :: in(*)
      real(c_double), intent(inout), optional :: out(*)
      type(*), intent(inout), optional :: work(*)
      integer(c_size_t), value :: work_size
      integer(c_int) :: status
    end function
    function convk_conv1d_transpose_f32(hw, shape, filter, in, out, work, work_size) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_conv1d_shape), intent(in), optional :: shape
      type(convk_filter_f32), intent(in), optional :: filter
      real(c_float), intent(in), optional :: in(*)
      real(c_float), intent(inout), optional :: out(*)
      type(*), intent(inout), optional :: work(*)
      integer(c_size_t), value :: work_size
      integer(c_int) :: status
    end function
    function convk_magicfilter_taps_f64(direction) bind(c) result(it)
      import
      integer(c_int), value :: direction
      type(convk_filter_f64) :: it
    end function
    function convk_magicfilter_taps_f32(direction) bind(c) result(it)
      import
      integer(c_int), value :: direction
      type(convk_filter_f32) :: it
    end function
    function convk_sepconv3d_out_grid_f64(hw, shape, filter, out_grid) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_sepconv3d_shape), intent(in), optional :: shape
      type(convk_filter_f64), intent(in), optional :: filter(3)
      type(convk_grid3), intent(inout), optional :: out_grid
      integer(c_int) :: status
    end function
    function convk_sepconv3d_out_grid_f32(hw, shape, filter, out_grid) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_sepconv3d_shape), intent(in), optional :: shape
      type(convk_filter_f32), intent(in), optional :: filter(3)
      type(convk_grid3), intent(inout), optional :: out_grid
      integer(c_int) :: status
    end function
    function convk_sepconv3d_work_size_f64(hw, shape, filter, epilogue, bytes) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_sepconv3d_shape), intent(in), optional :: shape
      type(convk_filter_f64), intent(in), optional :: filter(3)
      type(convk_sepconv_epilogue_f64), intent(in), optional :: epilogue
      integer(c_size_t), intent(inout), optional :: bytes
      integer(c_int) :: status
    end function
    function convk_sepconv3d_work_size_f32(hw, shape, filter, epilogue, bytes) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_sepconv3d_shape), intent(in), optional :: shape
      type(convk_filter_f32), intent(in), optional :: filter(3)
      type(convk_sepconv_epilogue_f32), intent(in), optional :: epilogue
      integer(c_size_t), intent(inout), optional :: bytes
      integer(c_int) :: status
    end function
    function convk_magicfilter3d_work_size_f64(hw, shape, direction, epilogue, bytes) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_sepconv3d_shape), intent(in), optional :: shape
      integer(c_int), value :: direction
      type(convk_sepconv_epilogue_f64), intent(in), optional :: epilogue
      integer(c_size_t), intent(inout), optional :: bytes
      integer(c_int) :: status
    end function
    function convk_magicfilter3d_work_size_f32(hw, shape, direction, epilogue, bytes) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_sepconv3d_shape), intent(in), optional :: shape
      integer(c_int), value :: direction
      type(convk_sepconv_epilogue_f32), intent(in), optional :: epilogue
      integer(c_size_t), intent(inout), optional :: bytes
      integer(c_int) :: status
    end function
    function convk_potential_apply_work_size_f64(hw, shape, bytes) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_sepconv3d_shape), intent(in), optional :: shape
      integer(c_size_t), intent(inout), optional :: bytes
      integer(c_int) :: status
    end function
    function convk_potential_apply_work_size_f32(hw, shape, bytes) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_sepconv3d_shape), intent(in), optional :: shape
      integer(c_size_t), intent(inout), optional :: bytes
      integer(c_int) :: status
    end function
    function convk_conv1d_transpose_work_size_f64(hw, shape, filter, bytes) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_conv1d_shape), intent(in), optional :: shape
      type(convk_filter_f64), intent(in), optional :: filter
      integer(c_size_t), intent(inout), optional :: bytes
      integer(c_int) :: status
    end function
    function convk_conv1d_transpose_work_size_f32(hw, shape, filter, bytes) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_conv1d_shape), intent(in), optional :: shape
      type(convk_filter_f32), intent(in), optional :: filter
      integer(c_size_t), intent(inout), optional :: bytes
      integer(c_int) :: status
    end function
  end interface

  ! wavelets
  interface
    function convk_dwt3d_f64(hw, shape, wavelet, fine, coarse, work, work_size) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_dwt3d_shape), intent(in), optional :: shape
      type(convk_wavelet_f64), intent(in), optional :: wavelet
      real(c_double), intent(in), optional :: fine(*)
      real(c_double), intent(inout), optional :: coarse(*)
      type(*), intent(inout), optional :: work(*)
      integer(c_size_t), value :: work_size
      integer(c_int) :: status
    end function
    function convk_dwt3d_f32(hw, shape, wavelet, fine, coarse, work, work_size) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_dwt3d_shape), intent(in), optional :: shape
      type(convk_wavelet_f32), intent(in), optional :: wavelet
      real(c_float), intent(in), optional :: fine(*)
      real(c_float), intent(inout), optional :: coarse(*)
      type(*), intent(inout), optional :: work(*)
      integer(c_size_t), value :: work_size
      integer(c_int) :: status
    end function
    function convk_idwt3d_f64(hw, shape, wavelet, coarse, fine, work, work_size) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_dwt3d_shape), intent(in), optional :: shape
      type(convk_wavelet_f64), intent(in), optional :: wavelet
      real(c_double), intent(in), optional :: coarse(*)
      real(c_double), intent(inout), optional :: fine(*)
      type(*), intent(inout), optional :: work(*)
      integer(c_size_t), value :: work_size
      integer(c_int) :: status
    end function
    function convk_idwt3d_f32(hw, shape, wavelet, coarse, fine, work, work_size) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_dwt3d_shape), intent(in), optional :: shape
      type(convk_wavelet_f32), intent(in), optional :: wavelet
      real(c_float), intent(in), optional :: coarse(*)
      real(c_float), intent(inout), optional :: fine(*)
      type(*), intent(inout), optional :: work(*)
      integer(c_size_t), value :: work_size
      integer(c_int) :: status
    end function
    function convk_s1_to_r_f64(hw, shape, coarse, values, work, work_size) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_dwt3d_shape), intent(in), optional :: shape
      real(c_double), intent(in), optional :: coarse(*)
      real(c_double), intent(inout), optional :: values(*)
      type(*), intent(inout), optional :: work(*)
      integer(c_size_t), value :: work_size
      integer(c_int) :: status
    end function
    function convk_s1_to_r_f32(hw, shape, coarse, values, work, work_size) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_dwt3d_shape), intent(in), optional :: shape
      real(c_float), intent(in), optional :: coarse(*)
      real(c_float), intent(inout), optional :: values(*)
      type(*), intent(inout), optional :: work(*)
      integer(c_size_t), value :: work_size
      integer(c_int) :: status
    end function
    function convk_r_to_s1_f64(hw, shape, values, coarse, work, work_size) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_dwt3d_shape), intent(in), optional :: shape
      real(c_double), intent(in), optional :: values(*)
      real(c_double), intent(inout), optional :: coarse(*)
      type(*), intent(inout), optional :: work(*)
      integer(c_size_t), value :: work_size
      integer(c_int) :: status
    end function
    function convk_r_to_s1_f32(hw, shape, values, coarse, work, work_size) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_dwt3d_shape), intent(in), optional :: shape
      real(c_float), intent(in), optional :: values(*)
      real(c_float), intent(inout), optional :: coarse(*)
      type(*), intent(inout), optional :: work(*)
      integer(c_size_t), value :: work_size
      integer(c_int) :: status
    end function
    function convk_wavelet_uncompress_f64(hw, shape, compressed, dense) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_compressed_shape), intent(in), optional :: shape
      real(c_double), intent(in), optional :: compressed(*)
      real(c_double), intent(inout), optional :: dense(*)
      integer(c_int) :: status
    end function
    function convk_wavelet_uncompress_f32(hw, shape, compressed, dense) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_compressed_shape), intent(in), optional :: shape
      real(c_float), intent(in), optional :: compressed(*)
      real(c_float), intent(inout), optional :: dense(*)
      integer(c_int) :: status
    end function
    function convk_wavelet_compress_f64(hw, shape, dense, compressed) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_compressed_shape), intent(in), optional :: shape
      real(c_double), intent(in), optional :: dense(*)
      real(c_double), intent(inout), optional :: compressed(*)
      integer(c_int) :: status
    end function
    function convk_wavelet_compress_f32(hw, shape, dense, compressed) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_compressed_shape), intent(in), optional :: shape
      real(c_float), intent(in), optional :: dense(*)
      real(c_float), intent(inout), optional :: compressed(*)
      integer(c_int) :: status
    end function
    function convk_wavelet_taps_f64(which) bind(c) result(it)
      import
      integer(c_int), value :: which
      type(convk_wavelet_f64) :: it
    end function
    function convk_wavelet_taps_f32(which) bind(c) result(it)
      import
      integer(c_int), value :: which
      type(convk_wavelet_f32) :: it
    end function
    function convk_dwt3d_resolve_f64(hw, shape, wavelet, resolved) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_dwt3d_shape), intent(in), optional :: shape
      type(convk_wavelet_f64), intent(in), optional :: wavelet
      type(convk_dwt3d_shape), intent(inout), optional :: resolved
      integer(c_int) :: status
    end function
    function convk_dwt3d_resolve_f32(hw, shape, wavelet, resolved) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_dwt3d_shape), intent(in), optional :: shape
      type(convk_wavelet_f32), intent(in), optional :: wavelet
      type(convk_dwt3d_shape), intent(inout), optional :: resolved
      integer(c_int) :: status
    end function
    function convk_dwt3d_work_size_f64(hw, shape, wavelet, bytes) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_dwt3d_shape), intent(in), optional :: shape
      type(convk_wavelet_f64), intent(in), optional :: wavelet
      integer(c_size_t), intent(inout), optional :: bytes
      integer(c_int) :: status
    end function
    function convk_dwt3d_work_size_f32(hw, shape, wavelet, bytes) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_dwt3d_shape), intent(in), optional :: shape
      type(convk_wavelet_f32), intent(in), optional :: wavelet
      integer(c_size_t), intent(inout), optional :: bytes
      integer(c_int) :: status
    end function
    function convk_idwt3d_work_size_f64(hw, shape, wavelet, bytes) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_dwt3d_shape), intent(in), optional :: shape
      type(convk_wavelet_f64), intent(in), optional :: wavelet
      integer(c_size_t), intent(inout), optional :: bytes
      integer(c_int) :: status
    end function
    function convk_idwt3d_work_size_f32(hw, shape, wavelet, bytes) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_dwt3d_shape), intent(in), optional :: shape
      type(convk_wavelet_f32), intent(in), optional :: wavelet
      integer(c_size_t), intent(inout), optional :: bytes
      integer(c_int) :: status
    end function
    function convk_s1_to_r_work_size_f64(hw, shape, bytes) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_dwt3d_shape), intent(in), optional :: shape
      integer(c_size_t), intent(inout), optional :: bytes
      integer(c_int) :: status
    end function
    function convk_s1_to_r_work_size_f32(hw, shape, bytes) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_dwt3d_shape), intent(in), optional :: shape
      integer(c_size_t), intent(inout), optional :: bytes
      integer(c_int) :: status
    end function
    function convk_r_to_s1_work_size_f64(hw, shape, bytes) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_dwt3d_shape), intent(in), optional :: shape
      integer(c_size_t), intent(inout), optional :: bytes
      integer(c_int) :: status
    end function
    function convk_r_to_s1_work_size_f32(hw, shape, bytes) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_dwt3d_shape), intent(in), optional :: shape
      integer(c_size_t), intent(inout), optional :: bytes
      integer(c_int) :: status
    end function
  end interface

  ! sums
  interface
    function convk_sumconv3d_f64(hw, shape, terms, in, out, sums, work, work_size) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_sumconv3d_shape), intent(in), optional :: shape
      type(convk_sumconv_terms_f64), intent(in), optional :: terms
      real(c_double), intent(in), optional :: in(*)
      real(c_double), intent(inout), optional :: out(*)
      type(convk_sumconv_sums), intent(inout), optional :: sums(*)
      type(*), intent(inout), optional :: work(*)
      integer(c_size_t), value :: work_size
      integer(c_int) :: status
    end function
    function convk_sumconv3d_c64(hw, shape, terms, in, out, sums, work, work_size) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_sumconv3d_shape), intent(in), optional :: shape
      type(convk_sumconv_terms_f64), intent(in), optional :: terms
      complex(c_double_complex), intent(in), optional :: in(*)
      complex(c_double_complex), intent(inout), optional :: out(*)
      type(convk_sumconv_sums), intent(inout), optional :: sums(*)
      type(*), intent(inout), optional :: work(*)
      integer(c_size_t), value :: work_size
      integer(c_int) :: status
    end function
    function convk_sumconv3d_f32(hw, shape, terms, in, out, sums, work, work_size) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_sumconv3d_shape), intent(in), optional :: shape
      type(convk_sumconv_terms_f32), intent(in), optional :: terms
      real(c_float), intent(in), optional :: in(*)
      real(c_float), intent(inout), optional :: out(*)
      type(convk_sumconv_sums), intent(inout), optional :: sums(*)
      type(*), intent(inout), optional :: work(*)
      integer(c_size_t), value :: work_size
      integer(c_int) :: status
    end function
    function convk_sumconv3d_c32(hw, shape, terms, in, out, sums, work, work_size) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_sumconv3d_shape), intent(in), optional :: shape
      type(convk_sumconv_terms_f32), intent(in), optional :: terms
      complex(c_float_complex), intent(in), optional :: in(*)
      complex(c_float_complex), intent(inout), optional :: out(*)
      type(convk_sumconv_sums), intent(inout), optional :: sums(*)
      type(*), intent(inout), optional :: work(*)
      integer(c_size_t), value :: work_size
      integer(c_int) :: status
    end function
    function convk_chebyshev3d_f64(hw, shape, terms, filter, in, out, work, work_size) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_sumconv3d_shape), intent(in), optional :: shape
      type(convk_sumconv_terms_f64), intent(in), optional :: terms
      type(convk_chebyshev), intent(in), optional :: filter
      real(c_double), intent(in), optional :: in(*)
      real(c_double), intent(inout), optional :: out(*)
      type(*), intent(inout), optional :: work(*)
      integer(c_size_t), value :: work_size
      integer(c_int) :: status
    end function
    function convk_chebyshev3d_c64(hw, shape, terms, filter, in, out, work, work_size) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_sumconv3d_shape), intent(in), optional :: shape
      type(convk_sumconv_terms_f64), intent(in), optional :: terms
      type(convk_chebyshev), intent(in), optional :: filter
      complex(c_double_complex), intent(in), optional :: in(*)
      complex(c_double_complex), intent(inout), optional :: out(*)
      type(*), intent(inout), optional :: work(*)
      integer(c_size_t), value :: work_size
      integer(c_int) :: status
    end function
    function convk_chebyshev3d_f32(hw, shape, terms, filter, in, out, work, work_size) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_sumconv3d_shape), intent(in), optional :: shape
      type(convk_sumconv_terms_f32), intent(in), optional :: terms
      type(convk_chebyshev), intent(in), optional :: filter
      real(c_float), intent(in), optional :: in(*)
      real(c_float), intent(inout), optional :: out(*)
      type(*), intent(inout), optional :: work(*)
      integer(c_size_t), value :: work_size
      integer(c_int) :: status
    end function
    function convk_chebyshev3d_c32(hw, shape, terms, filter, in, out, work, work_size) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_sumconv3d_shape), intent(in), optional :: shape
      type(convk_sumconv_terms_f32), intent(in), optional :: terms
      type(convk_chebyshev), intent(in), optional :: filter
      complex(c_float_complex), intent(in), optional :: in(*)
      complex(c_float_complex), intent(inout), optional :: out(*)
      type(*), intent(inout), optional :: work(*)
      integer(c_size_t), value :: work_size
      integer(c_int) :: status
    end function
    function convk_derivative_filter_f64(hw, derivative, order, factor, taps, filter) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      integer(c_int), value :: derivative
      integer(c_int), value :: order
      real(c_double), value :: factor
      real(c_double), intent(inout), optional :: taps(29)
      type(convk_filter_f64), intent(inout), optional :: filter
      integer(c_int) :: status
    end function
    function convk_derivative_filter_f32(hw, derivative, order, factor, taps, filter) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      integer(c_int), value :: derivative
      integer(c_int), value :: order
      real(c_double), value :: factor
      real(c_float), intent(inout), optional :: taps(29)
      type(convk_filter_f32), intent(inout), optional :: filter
      integer(c_int) :: status
    end function
    function convk_sumconv3d_out_grid_f64(hw, shape, terms, out_grid) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_sumconv3d_shape), intent(in), optional :: shape
      type(convk_sumconv_terms_f64), intent(in), optional :: terms
      type(convk_grid3), intent(inout), optional :: out_grid
      integer(c_int) :: status
    end function
    function convk_sumconv3d_out_grid_f32(hw, shape, terms, out_grid) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_sumconv3d_shape), intent(in), optional :: shape
      type(convk_sumconv_terms_f32), intent(in), optional :: terms
      type(convk_grid3), intent(inout), optional :: out_grid
      integer(c_int) :: status
    end function
    function convk_sumconv3d_work_size_f64(hw, shape, terms, bytes) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_sumconv3d_shape), intent(in), optional :: shape
      type(convk_sumconv_terms_f64), intent(in), optional :: terms
      integer(c_size_t), intent(inout), optional :: bytes
      integer(c_int) :: status
    end function
    function convk_sumconv3d_work_size_c64(hw, shape, terms, bytes) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_sumconv3d_shape), intent(in), optional :: shape
      type(convk_sumconv_terms_f64), intent(in), optional :: terms
      integer(c_size_t), intent(inout), optional :: bytes
      integer(c_int) :: status
    end function
    function convk_sumconv3d_work_size_f32(hw, shape, terms, bytes) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_sumconv3d_shape), intent(in), optional :: shape
      type(convk_sumconv_terms_f32), intent(in), optional :: terms
      integer(c_size_t), intent(inout), optional :: bytes
      integer(c_int) :: status
    end function
    function convk_sumconv3d_work_size_c32(hw, shape, terms, bytes) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_sumconv3d_shape), intent(in), optional :: shape
      type(convk_sumconv_terms_f32), intent(in), optional :: terms
      integer(c_size_t), intent(inout), optional :: bytes
      integer(c_int) :: status
    end function
    function convk_chebyshev3d_work_size_f64(hw, shape, terms, filter, bytes) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_sumconv3d_shape), intent(in), optional :: shape
      type(convk_sumconv_terms_f64), intent(in), optional :: terms
      type(convk_chebyshev), intent(in), optional :: filter
      integer(c_size_t), intent(inout), optional :: bytes
      integer(c_int) :: status
    end function
    function convk_chebyshev3d_work_size_c64(hw, shape, terms, filter, bytes) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_sumconv3d_shape), intent(in), optional :: shape
      type(convk_sumconv_terms_f64), intent(in), optional :: terms
      type(convk_chebyshev), intent(in), optional :: filter
      integer(c_size_t), intent(inout), optional :: bytes
      integer(c_int) :: status
    end function
    function convk_chebyshev3d_work_size_f32(hw, shape, terms, filter, bytes) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_sumconv3d_shape), intent(in), optional :: shape
      type(convk_sumconv_terms_f32), intent(in), optional :: terms
      type(convk_chebyshev), intent(in), optional :: filter
      integer(c_size_t), intent(inout), optional :: bytes
      integer(c_int) :: status
    end function
    function convk_chebyshev3d_work_size_c32(hw, shape, terms, filter, bytes) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_sumconv3d_shape), intent(in), optional :: shape
      type(convk_sumconv_terms_f32), intent(in), optional :: terms
      type(convk_chebyshev), intent(in), optional :: filter
      integer(c_size_t), intent(inout), optional :: bytes
      integer(c_int) :: status
    end function
  end interface

  ! hamiltonian
  interface
    function convk_hamiltonian_apply_f64(hw, shape, terms, in, out, energies, work, work_size) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_hamiltonian_shape), intent(in), optional :: shape
      type(convk_hamiltonian_terms_f64), intent(in), optional :: terms
      real(c_double), intent(in), optional :: in(*)
      real(c_double), intent(inout), optional :: out(*)
      type(convk_hamiltonian_energies), intent(inout), optional :: energies
      type(*), intent(inout), optional :: work(*)
      integer(c_size_t), value :: work_size
      integer(c_int) :: status
    end function
    function convk_hamiltonian_apply_c64(hw, shape, terms, in, out, energies, work, work_size) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_hamiltonian_shape), intent(in), optional :: shape
      type(convk_hamiltonian_terms_f64), intent(in), optional :: terms
      complex(c_double_complex), intent(in), optional :: in(*)
      complex(c_double_complex), intent(inout), optional :: out(*)
      type(convk_hamiltonian_energies), intent(inout), optional :: energies
      type(*), intent(inout), optional :: work(*)
      integer(c_size_t), value :: work_size
      integer(c_int) :: status
    end function
    function convk_hamiltonian_apply_f32(hw, shape, terms, in, out, energies, work, work_size) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_hamiltonian_shape), intent(in), optional :: shape
      type(convk_hamiltonian_terms_f32), intent(in), optional :: terms
      real(c_float), intent(in), optional :: in(*)
      real(c_float), intent(inout), optional :: out(*)
      type(convk_hamiltonian_energies), intent(inout), optional :: energies
      type(*), intent(inout), optional :: work(*)
      integer(c_size_t), value :: work_size
      integer(c_int) :: status
    end function
    function convk_hamiltonian_apply_c32(hw, shape, terms, in, out, energies, work, work_size) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_hamiltonian_shape), intent(in), optional :: shape
      type(convk_hamiltonian_terms_f32), intent(in), optional :: terms
      complex(c_float_complex), intent(in), optional :: in(*)
      complex(c_float_complex), intent(inout), optional :: out(*)
      type(convk_hamiltonian_energies), intent(inout), optional :: energies
      type(*), intent(inout), optional :: work(*)
      integer(c_size_t), value :: work_size
      integer(c_int) :: status
    end function
    function convk_hamiltonian_resolve_f64(hw, shape, resolved) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_hamiltonian_shape), intent(in), optional :: shape
      type(convk_hamiltonian_shape), intent(inout), optional :: resolved
      integer(c_int) :: status
    end function
    function convk_hamiltonian_resolve_f32(hw, shape, resolved) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_hamiltonian_shape), intent(in), optional :: shape
      type(convk_hamiltonian_shape), intent(inout), optional :: resolved
      integer(c_int) :: status
    end function
    function convk_hamiltonian_apply_work_size_f64(hw, shape, bytes) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_hamiltonian_shape), intent(in), optional :: shape
      integer(c_size_t), intent(inout), optional :: bytes
      integer(c_int) :: status
    end function
    function convk_hamiltonian_apply_work_size_c64(hw, shape, bytes) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_hamiltonian_shape), intent(in), optional :: shape
      integer(c_size_t), intent(inout), optional :: bytes
      integer(c_int) :: status
    end function
    function convk_hamiltonian_apply_work_size_f32(hw, shape, bytes) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_hamiltonian_shape), intent(in), optional :: shape
      integer(c_size_t), intent(inout), optional :: bytes
      integer(c_int) :: status
    end function
    function convk_hamiltonian_apply_work_size_c32(hw, shape, bytes) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_hamiltonian_shape), intent(in), optional :: shape
      integer(c_size_t), intent(inout), optional :: bytes
      integer(c_int) :: status
    end function
  end interface

  ! stencil
  interface
    function convk_stencil7_f64(hw, shape, coefficients, steps, a, b, result, work, work_size) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_stencil7_shape), intent(in), optional :: shape
      type(convk_stencil7_coefficients_f64), intent(in), optional :: coefficients
      integer(c_size_t), value :: steps
      real(c_double), intent(inout), optional :: a(*)
      real(c_double), intent(inout), optional :: b(*)
      type(c_ptr), intent(inout), optional :: result
      type(*), intent(inout), optional :: work(*)
      integer(c_size_t), value :: work_size
      integer(c_int) :: status
    end function
    function convk_stencil7_f32(hw, shape, coefficients, steps, a, b, result, work, work_size) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_stencil7_shape), intent(in), optional :: shape
      type(convk_stencil7_coefficients_f32), intent(in), optional :: coefficients
      integer(c_size_t), value :: steps
      real(c_float), intent(inout), optional :: a(*)
      real(c_float), intent(inout), optional :: b(*)
      type(c_ptr), intent(inout), optional :: result
      type(*), intent(inout), optional :: work(*)
      integer(c_size_t), value :: work_size
      integer(c_int) :: status
    end function
    function convk_stencil7_box_f64(hw, shape, coefficients, box, a, b, work, work_size) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_stencil7_shape), intent(in), optional :: shape
      type(convk_stencil7_coefficients_f64), intent(in), optional :: coefficients
      type(convk_box3), intent(in), optional :: box
      real(c_double), intent(in), optional :: a(*)
      real(c_double), intent(inout), optional :: b(*)
      type(*), intent(inout), optional :: work(*)
      integer(c_size_t), value :: work_size
      integer(c_int) :: status
    end function
    function convk_stencil7_box_f32(hw, shape, coefficients, box, a, b, work, work_size) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_stencil7_shape), intent(in), optional :: shape
      type(convk_stencil7_coefficients_f32), intent(in), optional :: coefficients
      type(convk_box3), intent(in), optional :: box
      real(c_float), intent(in), optional :: a(*)
      real(c_float), intent(inout), optional :: b(*)
      type(*), intent(inout), optional :: work(*)
      integer(c_size_t), value :: work_size
      integer(c_int) :: status
    end function
    function convk_stencil7_isotropic_f64(c0, c1) bind(c) result(it)
      import
      real(c_double), value :: c0
      real(c_double), value :: c1
      type(convk_stencil7_coefficients_f64) :: it
    end function
    function convk_stencil7_isotropic_f32(c0, c1) bind(c) result(it)
      import
      real(c_float), value :: c0
      real(c_float), value :: c1
      type(convk_stencil7_coefficients_f32) :: it
    end function
    function convk_stencil7_work_size_f64(hw, shape, steps, bytes) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_stencil7_shape), intent(in), optional :: shape
      integer(c_size_t), value :: steps
      integer(c_size_t), intent(inout), optional :: bytes
      integer(c_int) :: status
    end function
    function convk_stencil7_work_size_f32(hw, shape, steps, bytes) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_stencil7_shape), intent(in), optional :: shape
      integer(c_size_t), value :: steps
      integer(c_size_t), intent(inout), optional :: bytes
      integer(c_int) :: status
    end function
  end interface

  ! vmath
  interface
    function convk_exp_f64(hw, n, x, y) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      integer(c_size_t), value :: n
      real(c_double), intent(in), optional :: x(*)
      real(c_double), intent(inout), optional :: y(*)
      integer(c_int) :: status
    end function
    function convk_exp_f32(hw, n, x, y) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      integer(c_size_t), value :: n
      real(c_float), intent(in), optional :: x(*)
      real(c_float), intent(inout), optional :: y(*)
      integer(c_int) :: status
    end function
    function convk_expm1_f64(hw, n, x, y) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      integer(c_size_t), value :: n
      real(c_double), intent(in), optional :: x(*)
      real(c_double), intent(inout), optional :: y(*)
      integer(c_int) :: status
    end function
    function convk_expm1_f32(hw, n, x, y) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      integer(c_size_t), value :: n
      real(c_float), intent(in), optional :: x(*)
      real(c_float), intent(inout), optional :: y(*)
      integer(c_int) :: status
    end function
    function convk_log_f64(hw, n, x, y) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      integer(c_size_t), value :: n
      real(c_double), intent(in), optional :: x(*)
      real(c_double), intent(inout), optional :: y(*)
      integer(c_int) :: status
    end function
    function convk_log_f32(hw, n, x, y) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      integer(c_size_t), value :: n
      real(c_float), intent(in), optional :: x(*)
      real(c_float), intent(inout), optional :: y(*)
      integer(c_int) :: status
    end function
    function convk_sincos_f64(hw, n, x, s, c) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      integer(c_size_t), value :: n
      real(c_double), intent(in), optional :: x(*)
      real(c_double), intent(inout), optional :: s(*)
      real(c_double), intent(inout), optional :: c(*)
      integer(c_int) :: status
    end function
    function convk_sincos_f32(hw, n, x, s, c) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      integer(c_size_t), value :: n
      real(c_float), intent(in), optional :: x(*)
      real(c_float), intent(inout), optional :: s(*)
      real(c_float), intent(inout), optional :: c(*)
      integer(c_int) :: status
    end function
  end interface

  ! gaussian
  interface
    function convk_shell_functions(l, functions) bind(c) result(status)
      import
      integer(c_int), value :: l
      integer(c_int), value :: functions
      integer(c_int) :: status
    end function
    function convk_shells_functions(hw, nshells, shells, count) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      integer(c_size_t), value :: nshells
      type(convk_shell), intent(in), optional :: shells(*)
      integer(c_size_t), intent(inout), optional :: count
      integer(c_int) :: status
    end function
    function convk_shell_normalise(hw, l, primitives, exponents, contraction, coefficients) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      integer(c_int), value :: l
      integer(c_size_t), value :: primitives
      real(c_double), intent(in), optional :: exponents(*)
      real(c_double), intent(in), optional :: contraction(*)
      real(c_double), intent(inout), optional :: coefficients(*)
      integer(c_int) :: status
    end function
    function convk_gridpot_f64(hw, points, gaussians, options, g, ld) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_points_f64), intent(in), optional :: points
      type(convk_gaussians_f64), intent(in), optional :: gaussians
      type(convk_gaussian_options), intent(in), optional :: options
      real(c_double), intent(inout), optional :: g(*)
      integer(c_size_t), value :: ld
      integer(c_int) :: status
    end function
    function convk_gridpot_f32(hw, points, gaussians, options, g, ld) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_points_f32), intent(in), optional :: points
      type(convk_gaussians_f32), intent(in), optional :: gaussians
      type(convk_gaussian_options), intent(in), optional :: options
      real(c_float), intent(inout), optional :: g(*)
      integer(c_size_t), value :: ld
      integer(c_int) :: status
    end function
    function convk_gridpot_sum_f64(hw, points, gaussians, options, sums, ld) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_points_f64), intent(in), optional :: points
      type(convk_gaussians_f64), intent(in), optional :: gaussians
      type(convk_gaussian_options), intent(in), optional :: options
      real(c_double), intent(inout), optional :: sums(*)
      integer(c_size_t), value :: ld
      integer(c_int) :: status
    end function
    function convk_gridpot_sum_f32(hw, points, gaussians, options, sums, ld) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_points_f32), intent(in), optional :: points
      type(convk_gaussians_f32), intent(in), optional :: gaussians
      type(convk_gaussian_options), intent(in), optional :: options
      real(c_float), intent(inout), optional :: sums(*)
      integer(c_size_t), value :: ld
      integer(c_int) :: status
    end function
    function convk_orbitals_f64(hw, points, set, options, value, ld, work, work_size) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_points_f64), intent(in), optional :: points
      type(convk_orbital_set_f64), intent(in), optional :: set
      type(convk_gaussian_options), intent(in), optional :: options
      real(c_double), intent(inout), optional :: value(*)
      integer(c_size_t), value :: ld
      type(*), intent(inout), optional :: work(*)
      integer(c_size_t), value :: work_size
      integer(c_int) :: status
    end function
    function convk_orbitals_f32(hw, points, set, options, value, ld, work, work_size) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_points_f32), intent(in), optional :: points
      type(convk_orbital_set_f32), intent(in), optional :: set
      type(convk_gaussian_options), intent(in), optional :: options
      real(c_float), intent(inout), optional :: value(*)
      integer(c_size_t), value :: ld
      type(*), intent(inout), optional :: work(*)
      integer(c_size_t), value :: work_size
      integer(c_int) :: status
    end function
    function convk_orbitals_vgl_f64(hw, points, set, options, out, work, work_size) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_points_f64), intent(in), optional :: points
      type(convk_orbital_set_f64), intent(in), optional :: set
      type(convk_gaussian_options), intent(in), optional :: options
      type(convk_vgl_f64), intent(in), optional :: out
      type(*), intent(inout), optional :: work(*)
      integer(c_size_t), value :: work_size
      integer(c_int) :: status
    end function
    function convk_orbitals_vgl_f32(hw, points, set, options, out, work, work_size) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_points_f32), intent(in), optional :: points
      type(convk_orbital_set_f32), intent(in), optional :: set
      type(convk_gaussian_options), intent(in), optional :: options
      type(convk_vgl_f32), intent(in), optional :: out
      type(*), intent(inout), optional :: work(*)
      integer(c_size_t), value :: work_size
      integer(c_int) :: status
    end function
    function convk_density_f64(hw, points, set, options, density, work, work_size) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_points_f64), intent(in), optional :: points
      type(convk_orbital_set_f64), intent(in), optional :: set
      type(convk_gaussian_options), intent(in), optional :: options
      real(c_double), intent(inout), optional :: density(*)
      type(*), intent(inout), optional :: work(*)
      integer(c_size_t), value :: work_size
      integer(c_int) :: status
    end function
    function convk_density_f32(hw, points, set, options, density, work, work_size) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_points_f32), intent(in), optional :: points
      type(convk_orbital_set_f32), intent(in), optional :: set
      type(convk_gaussian_options), intent(in), optional :: options
      real(c_float), intent(inout), optional :: density(*)
      type(*), intent(inout), optional :: work(*)
      integer(c_size_t), value :: work_size
      integer(c_int) :: status
    end function
    function convk_orbitals_work_size_f64(hw, set, bytes) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_orbital_set_f64), intent(in), optional :: set
      integer(c_size_t), intent(inout), optional :: bytes
      integer(c_int) :: status
    end function
    function convk_orbitals_work_size_f32(hw, set, bytes) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_orbital_set_f32), intent(in), optional :: set
      integer(c_size_t), intent(inout), optional :: bytes
      integer(c_int) :: status
    end function
    function convk_orbitals_plan_size_f64(hw, set, bytes) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_orbital_set_f64), intent(in), optional :: set
      integer(c_size_t), intent(inout), optional :: bytes
      integer(c_int) :: status
    end function
    function convk_orbitals_plan_size_f32(hw, set, bytes) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_orbital_set_f32), intent(in), optional :: set
      integer(c_size_t), intent(inout), optional :: bytes
      integer(c_int) :: status
    end function
    function convk_orbitals_prepare_f64(hw, set, plan, plan_size) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_orbital_set_f64), intent(in), optional :: set
      type(*), intent(inout), optional :: plan(*)
      integer(c_size_t), value :: plan_size
      integer(c_int) :: status
    end function
    function convk_orbitals_prepare_f32(hw, set, plan, plan_size) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_orbital_set_f32), intent(in), optional :: set
      type(*), intent(inout), optional :: plan(*)
      integer(c_size_t), value :: plan_size
      integer(c_int) :: status
    end function
    function convk_orbitals_plan_bytes_f64(hw, plan, bytes) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(*), intent(in), optional :: plan(*)
      integer(c_size_t), intent(inout), optional :: bytes
      integer(c_int) :: status
    end function
    function convk_orbitals_plan_bytes_f32(hw, plan, bytes) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(*), intent(in), optional :: plan(*)
      integer(c_size_t), intent(inout), optional :: bytes
      integer(c_int) :: status
    end function
  end interface

  ! grids
  interface
    function convk_orbitals_grid_f64(hw, box, set, options, value, ld, work, work_size) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_gaussian_box), intent(in), optional :: box
      type(convk_orbital_set_f64), intent(in), optional :: set
      type(convk_gaussian_options), intent(in), optional :: options
      real(c_double), intent(inout), optional :: value(*)
      integer(c_size_t), value :: ld
      type(*), intent(inout), optional :: work(*)
      integer(c_size_t), value :: work_size
      integer(c_int) :: status
    end function
    function convk_orbitals_grid_f32(hw, box, set, options, value, ld, work, work_size) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_gaussian_box), intent(in), optional :: box
      type(convk_orbital_set_f32), intent(in), optional :: set
      type(convk_gaussian_options), intent(in), optional :: options
      real(c_float), intent(inout), optional :: value(*)
      integer(c_size_t), value :: ld
      type(*), intent(inout), optional :: work(*)
      integer(c_size_t), value :: work_size
      integer(c_int) :: status
    end function
    function convk_orbitals_grid_vgl_f64(hw, box, set, options, out, work, work_size) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_gaussian_box), intent(in), optional :: box
      type(convk_orbital_set_f64), intent(in), optional :: set
      type(convk_gaussian_options), intent(in), optional :: options
      type(convk_vgl_f64), intent(in), optional :: out
      type(*), intent(inout), optional :: work(*)
      integer(c_size_t), value :: work_size
      integer(c_int) :: status
    end function
    function convk_orbitals_grid_vgl_f32(hw, box, set, options, out, work, work_size) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_gaussian_box), intent(in), optional :: box
      type(convk_orbital_set_f32), intent(in), optional :: set
      type(convk_gaussian_options), intent(in), optional :: options
      type(convk_vgl_f32), intent(in), optional :: out
      type(*), intent(inout), optional :: work(*)
      integer(c_size_t), value :: work_size
      integer(c_int) :: status
    end function
    function convk_density_grid_f64(hw, box, set, options, out, work, work_size) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_gaussian_box), intent(in), optional :: box
      type(convk_orbital_set_f64), intent(in), optional :: set
      type(convk_gaussian_options), intent(in), optional :: options
      type(convk_density_parts_f64), intent(in), optional :: out
      type(*), intent(inout), optional :: work(*)
      integer(c_size_t), value :: work_size
      integer(c_int) :: status
    end function
    function convk_density_grid_f32(hw, box, set, options, out, work, work_size) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_gaussian_box), intent(in), optional :: box
      type(convk_orbital_set_f32), intent(in), optional :: set
      type(convk_gaussian_options), intent(in), optional :: options
      type(convk_density_parts_f32), intent(in), optional :: out
      type(*), intent(inout), optional :: work(*)
      integer(c_size_t), value :: work_size
      integer(c_int) :: status
    end function
    function convk_gridpot_grid_f64(hw, box, gaussians, options, sums, ld, work, work_size) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_gaussian_box), intent(in), optional :: box
      type(convk_gaussians_f64), intent(in), optional :: gaussians
      type(convk_gaussian_options), intent(in), optional :: options
      real(c_double), intent(inout), optional :: sums(*)
      integer(c_size_t), value :: ld
      type(*), intent(inout), optional :: work(*)
      integer(c_size_t), value :: work_size
      integer(c_int) :: status
    end function
    function convk_gridpot_grid_f32(hw, box, gaussians, options, sums, ld, work, work_size) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_gaussian_box), intent(in), optional :: box
      type(convk_gaussians_f32), intent(in), optional :: gaussians
      type(convk_gaussian_options), intent(in), optional :: options
      real(c_float), intent(inout), optional :: sums(*)
      integer(c_size_t), value :: ld
      type(*), intent(inout), optional :: work(*)
      integer(c_size_t), value :: work_size
      integer(c_int) :: status
    end function
    function convk_orbitals_grid_k_f64(hw, box, set, bloch, options, value, ld, work, work_size) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_gaussian_box), intent(in), optional :: box
      type(convk_orbital_set_f64), intent(in), optional :: set
      type(convk_bloch_f64), intent(in), optional :: bloch
      type(convk_gaussian_options), intent(in), optional :: options
      real(c_double), intent(inout), optional :: value(*)
      integer(c_size_t), value :: ld
      type(*), intent(inout), optional :: work(*)
      integer(c_size_t), value :: work_size
      integer(c_int) :: status
    end function
    function convk_orbitals_grid_k_f32(hw, box, set, bloch, options, value, ld, work, work_size) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_gaussian_box), intent(in), optional :: box
      type(convk_orbital_set_f32), intent(in), optional :: set
      type(convk_bloch_f32), intent(in), optional :: bloch
      type(convk_gaussian_options), intent(in), optional :: options
      real(c_float), intent(inout), optional :: value(*)
      integer(c_size_t), value :: ld
      type(*), intent(inout), optional :: work(*)
      integer(c_size_t), value :: work_size
      integer(c_int) :: status
    end function
    function convk_density_grid_k_f64(hw, box, set, bloch, options, density, add, work, work_size) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_gaussian_box), intent(in), optional :: box
      type(convk_orbital_set_f64), intent(in), optional :: set
      type(convk_bloch_f64), intent(in), optional :: bloch
      type(convk_gaussian_options), intent(in), optional :: options
      real(c_double), intent(inout), optional :: density(*)
      integer(c_int), value :: add
      type(*), intent(inout), optional :: work(*)
      integer(c_size_t), value :: work_size
      integer(c_int) :: status
    end function
    function convk_density_grid_k_f32(hw, box, set, bloch, options, density, add, work, work_size) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_gaussian_box), intent(in), optional :: box
      type(convk_orbital_set_f32), intent(in), optional :: set
      type(convk_bloch_f32), intent(in), optional :: bloch
      type(convk_gaussian_options), intent(in), optional :: options
      real(c_float), intent(inout), optional :: density(*)
      integer(c_int), value :: add
      type(*), intent(inout), optional :: work(*)
      integer(c_size_t), value :: work_size
      integer(c_int) :: status
    end function
    function convk_orbitals_grid_work_size_f64(hw, box, set, bytes) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_gaussian_box), intent(in), optional :: box
      type(convk_orbital_set_f64), intent(in), optional :: set
      integer(c_size_t), intent(inout), optional :: bytes
      integer(c_int) :: status
    end function
    function convk_orbitals_grid_work_size_f32(hw, box, set, bytes) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_gaussian_box), intent(in), optional :: box
      type(convk_orbital_set_f32), intent(in), optional :: set
      integer(c_size_t), intent(inout), optional :: bytes
      integer(c_int) :: status
    end function
    function convk_orbitals_grid_k_work_size_f64(hw, box, set, bytes) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_gaussian_box), intent(in), optional :: box
      type(convk_orbital_set_f64), intent(in), optional :: set
      integer(c_size_t), intent(inout), optional :: bytes
      integer(c_int) :: status
    end function
    function convk_orbitals_grid_k_work_size_f32(hw, box, set, bytes) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_gaussian_box), intent(in), optional :: box
      type(convk_orbital_set_f32), intent(in), optional :: set
      integer(c_size_t), intent(inout), optional :: bytes
      integer(c_int) :: status
    end function
    function convk_gridpot_grid_work_size_f64(hw, box, gaussians, bytes) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_gaussian_box), intent(in), optional :: box
      type(convk_gaussians_f64), intent(in), optional :: gaussians
      integer(c_size_t), intent(inout), optional :: bytes
      integer(c_int) :: status
    end function
    function convk_gridpot_grid_work_size_f32(hw, box, gaussians, bytes) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_gaussian_box), intent(in), optional :: box
      type(convk_gaussians_f32), intent(in), optional :: gaussians
      integer(c_size_t), intent(inout), optional :: bytes
      integer(c_int) :: status
    end function
  end interface

  ! formfactor
  interface
    function convk_mesh_work_size(hw, vertices, faces, bytes) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      integer(c_size_t), value :: vertices
      integer(c_size_t), value :: faces
      integer(c_size_t), intent(inout), optional :: bytes
      integer(c_int) :: status
    end function
    function convk_sphere_directions(hw, degree, half, directions) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      integer(c_size_t), value :: degree
      integer(c_int), value :: half
      integer(c_size_t), intent(inout), optional :: directions
      integer(c_int) :: status
    end function
    function convk_formfactor_error(hw, measures, q, order, error) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_mesh_measures), intent(in), optional :: measures
      real(c_double), value :: q
      integer(c_int), value :: order
      real(c_double), intent(inout), optional :: error(*)
      integer(c_int) :: status
    end function
    function convk_formfactor_f64(hw, mesh, q, options, f) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_mesh_f64), intent(in), optional :: mesh
      type(convk_q_f64), intent(in), optional :: q
      type(convk_formfactor_options), intent(in), optional :: options
      complex(c_double_complex), intent(inout), optional :: f(*)
      integer(c_int) :: status
    end function
    function convk_formfactor_f32(hw, mesh, q, options, f) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_mesh_f32), intent(in), optional :: mesh
      type(convk_q_f32), intent(in), optional :: q
      type(convk_formfactor_options), intent(in), optional :: options
      complex(c_float_complex), intent(inout), optional :: f(*)
      integer(c_int) :: status
    end function
    function convk_formfactor_grid_f64(hw, mesh, grid, q, options, f, work, work_size) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_mesh_f64), intent(in), optional :: mesh
      type(convk_grid3), intent(in), optional :: grid
      type(convk_q_f64), intent(in), optional :: q
      type(convk_formfactor_options), intent(in), optional :: options
      complex(c_double_complex), intent(inout), optional :: f(*)
      type(*), intent(inout), optional :: work(*)
      integer(c_size_t), value :: work_size
      integer(c_int) :: status
    end function
    function convk_formfactor_grid_f32(hw, mesh, grid, q, options, f, work, work_size) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_mesh_f32), intent(in), optional :: mesh
      type(convk_grid3), intent(in), optional :: grid
      type(convk_q_f32), intent(in), optional :: q
      type(convk_formfactor_options), intent(in), optional :: options
      complex(c_float_complex), intent(inout), optional :: f(*)
      type(*), intent(inout), optional :: work(*)
      integer(c_size_t), value :: work_size
      integer(c_int) :: status
    end function
    function convk_mesh_assign_f64(hw, n, corners, storage, mesh) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      integer(c_size_t), value :: n
      integer(c_int), value :: corners
      real(c_double), intent(inout), optional :: storage(*)
      type(convk_mesh_f64), intent(inout), optional :: mesh
      integer(c_int) :: status
    end function
    function convk_mesh_assign_f32(hw, n, corners, storage, mesh) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      integer(c_size_t), value :: n
      integer(c_int), value :: corners
      real(c_float), intent(inout), optional :: storage(*)
      type(convk_mesh_f32), intent(inout), optional :: mesh
      integer(c_int) :: status
    end function
    function convk_mesh_from_triangles_f64(hw, corners, mesh) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      real(c_double), intent(in), optional :: corners(*)
      type(convk_mesh_f64), intent(in), optional :: mesh
      integer(c_int) :: status
    end function
    function convk_mesh_from_triangles_f32(hw, corners, mesh) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      real(c_float), intent(in), optional :: corners(*)
      type(convk_mesh_f32), intent(in), optional :: mesh
      integer(c_int) :: status
    end function
    function convk_mesh_from_faces_f64(hw, mesh) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_mesh_f64), intent(in), optional :: mesh
      integer(c_int) :: status
    end function
    function convk_mesh_from_faces_f32(hw, mesh) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_mesh_f32), intent(in), optional :: mesh
      integer(c_int) :: status
    end function
    function convk_mesh_join_f64(hw, corners, mesh, work, work_size) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      real(c_double), intent(in), optional :: corners(*)
      type(convk_indexed_mesh_f64), intent(inout), optional :: mesh
      type(*), intent(inout), optional :: work(*)
      integer(c_size_t), value :: work_size
      integer(c_int) :: status
    end function
    function convk_mesh_join_f32(hw, corners, mesh, work, work_size) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      real(c_float), intent(in), optional :: corners(*)
      type(convk_indexed_mesh_f32), intent(inout), optional :: mesh
      type(*), intent(inout), optional :: work(*)
      integer(c_size_t), value :: work_size
      integer(c_int) :: status
    end function
    function convk_mesh_corners_f64(hw, mesh, corners) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_indexed_mesh_f64), intent(in), optional :: mesh
      real(c_double), intent(inout), optional :: corners(*)
      integer(c_int) :: status
    end function
    function convk_mesh_corners_f32(hw, mesh, corners) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_indexed_mesh_f32), intent(in), optional :: mesh
      real(c_float), intent(inout), optional :: corners(*)
      integer(c_int) :: status
    end function
    function convk_mesh_check_f64(hw, mesh, report, work, work_size) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_indexed_mesh_f64), intent(in), optional :: mesh
      type(convk_mesh_report), intent(inout), optional :: report
      type(*), intent(inout), optional :: work(*)
      integer(c_size_t), value :: work_size
      integer(c_int) :: status
    end function
    function convk_mesh_check_f32(hw, mesh, report, work, work_size) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_indexed_mesh_f32), intent(in), optional :: mesh
      type(convk_mesh_report), intent(inout), optional :: report
      type(*), intent(inout), optional :: work(*)
      integer(c_size_t), value :: work_size
      integer(c_int) :: status
    end function
    function convk_mesh_measure_f64(hw, mesh, measures) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_mesh_f64), intent(in), optional :: mesh
      type(convk_mesh_measures), intent(inout), optional :: measures
      integer(c_int) :: status
    end function
    function convk_mesh_measure_f32(hw, mesh, measures) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_mesh_f32), intent(in), optional :: mesh
      type(convk_mesh_measures), intent(inout), optional :: measures
      integer(c_int) :: status
    end function
    function convk_mesh_box_f64(hw, a, b, c, mesh) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      real(c_double), value :: a
      real(c_double), value :: b
      real(c_double), value :: c
      type(convk_indexed_mesh_f64), intent(inout), optional :: mesh
      integer(c_int) :: status
    end function
    function convk_mesh_box_f32(hw, a, b, c, mesh) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      real(c_double), value :: a
      real(c_double), value :: b
      real(c_double), value :: c
      type(convk_indexed_mesh_f32), intent(inout), optional :: mesh
      integer(c_int) :: status
    end function
    function convk_mesh_pyramid_f64(hw, a, b, height, top, mesh) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      real(c_double), value :: a
      real(c_double), value :: b
      real(c_double), value :: height
      real(c_double), value :: top
      type(convk_indexed_mesh_f64), intent(inout), optional :: mesh
      integer(c_int) :: status
    end function
    function convk_mesh_pyramid_f32(hw, a, b, height, top, mesh) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      real(c_double), value :: a
      real(c_double), value :: b
      real(c_double), value :: height
      real(c_double), value :: top
      type(convk_indexed_mesh_f32), intent(inout), optional :: mesh
      integer(c_int) :: status
    end function
    function convk_mesh_prism_f64(hw, n, edge, height, mesh) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      integer(c_size_t), value :: n
      real(c_double), value :: edge
      real(c_double), value :: height
      type(convk_indexed_mesh_f64), intent(inout), optional :: mesh
      integer(c_int) :: status
    end function
    function convk_mesh_prism_f32(hw, n, edge, height, mesh) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      integer(c_size_t), value :: n
      real(c_double), value :: edge
      real(c_double), value :: height
      type(convk_indexed_mesh_f32), intent(inout), optional :: mesh
      integer(c_int) :: status
    end function
    function convk_mesh_cylinder_f64(hw, radius, height, top, n, mesh) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      real(c_double), value :: radius
      real(c_double), value :: height
      real(c_double), value :: top
      integer(c_size_t), value :: n
      type(convk_indexed_mesh_f64), intent(inout), optional :: mesh
      integer(c_int) :: status
    end function
    function convk_mesh_cylinder_f32(hw, radius, height, top, n, mesh) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      real(c_double), value :: radius
      real(c_double), value :: height
      real(c_double), value :: top
      integer(c_size_t), value :: n
      type(convk_indexed_mesh_f32), intent(inout), optional :: mesh
      integer(c_int) :: status
    end function
    function convk_mesh_sphere_f64(hw, radius, n, mesh) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      real(c_double), value :: radius
      integer(c_size_t), value :: n
      type(convk_indexed_mesh_f64), intent(inout), optional :: mesh
      integer(c_int) :: status
    end function
    function convk_mesh_sphere_f32(hw, radius, n, mesh) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      real(c_double), value :: radius
      integer(c_size_t), value :: n
      type(convk_indexed_mesh_f32), intent(inout), optional :: mesh
      integer(c_int) :: status
    end function
    function convk_mesh_ellipsoid_f64(hw, rx, ry, rz, n, mesh) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      real(c_double), value :: rx
      real(c_double), value :: ry
      real(c_double), value :: rz
      integer(c_size_t), value :: n
      type(convk_indexed_mesh_f64), intent(inout), optional :: mesh
      integer(c_int) :: status
    end function
    function convk_mesh_ellipsoid_f32(hw, rx, ry, rz, n, mesh) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      real(c_double), value :: rx
      real(c_double), value :: ry
      real(c_double), value :: rz
      integer(c_size_t), value :: n
      type(convk_indexed_mesh_f32), intent(inout), optional :: mesh
      integer(c_int) :: status
    end function
    function convk_mesh_polyhedron_f64(hw, kind, edge, cut, mesh) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      integer(c_int), value :: kind
      real(c_double), value :: edge
      real(c_double), value :: cut
      type(convk_indexed_mesh_f64), intent(inout), optional :: mesh
      integer(c_int) :: status
    end function
    function convk_mesh_polyhedron_f32(hw, kind, edge, cut, mesh) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      integer(c_int), value :: kind
      real(c_double), value :: edge
      real(c_double), value :: cut
      type(convk_indexed_mesh_f32), intent(inout), optional :: mesh
      integer(c_int) :: status
    end function
    function convk_mesh_rotate_f64(hw, mesh, rotation, out) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_mesh_f64), intent(in), optional :: mesh
      real(c_double), intent(in), optional :: rotation(9)
      type(convk_mesh_f64), intent(in), optional :: out
      integer(c_int) :: status
    end function
    function convk_mesh_rotate_f32(hw, mesh, rotation, out) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_mesh_f32), intent(in), optional :: mesh
      real(c_double), intent(in), optional :: rotation(9)
      type(convk_mesh_f32), intent(in), optional :: out
      integer(c_int) :: status
    end function
    function convk_formfactor_grid_work_size_f64(hw, grid, q, bytes) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_grid3), intent(in), optional :: grid
      type(convk_q_f64), intent(in), optional :: q
      integer(c_size_t), intent(inout), optional :: bytes
      integer(c_int) :: status
    end function
    function convk_formfactor_grid_work_size_f32(hw, grid, q, bytes) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_grid3), intent(in), optional :: grid
      type(convk_q_f32), intent(in), optional :: q
      integer(c_size_t), intent(inout), optional :: bytes
      integer(c_int) :: status
    end function
    function convk_formfactor_assembly_work_size_f64(hw, assembly, count, bytes) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_assembly_f64), intent(in), optional :: assembly
      integer(c_size_t), value :: count
      integer(c_size_t), intent(inout), optional :: bytes
      integer(c_int) :: status
    end function
    function convk_formfactor_assembly_work_size_f32(hw, assembly, count, bytes) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_assembly_f32), intent(in), optional :: assembly
      integer(c_size_t), value :: count
      integer(c_size_t), intent(inout), optional :: bytes
      integer(c_int) :: status
    end function
    function convk_formfactor_assembly_f64(hw, assembly, q, options, f, intensity, work, work_size) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_assembly_f64), intent(in), optional :: assembly
      type(convk_q_f64), intent(in), optional :: q
      type(convk_formfactor_options), intent(in), optional :: options
      complex(c_double_complex), intent(inout), optional :: f(*)
      real(c_double), intent(inout), optional :: intensity(*)
      type(*), intent(inout), optional :: work(*)
      integer(c_size_t), value :: work_size
      integer(c_int) :: status
    end function
    function convk_formfactor_assembly_f32(hw, assembly, q, options, f, intensity, work, work_size) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_assembly_f32), intent(in), optional :: assembly
      type(convk_q_f32), intent(in), optional :: q
      type(convk_formfactor_options), intent(in), optional :: options
      complex(c_float_complex), intent(inout), optional :: f(*)
      real(c_float), intent(inout), optional :: intensity(*)
      type(*), intent(inout), optional :: work(*)
      integer(c_size_t), value :: work_size
      integer(c_int) :: status
    end function
    function convk_sphere_quadrature_f64(hw, degree, half, directions) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      integer(c_size_t), value :: degree
      integer(c_int), value :: half
      type(convk_directions_f64), intent(inout), optional :: directions
      integer(c_int) :: status
    end function
    function convk_sphere_quadrature_f32(hw, degree, half, directions) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      integer(c_size_t), value :: degree
      integer(c_int), value :: half
      type(convk_directions_f32), intent(inout), optional :: directions
      integer(c_int) :: status
    end function
    function convk_sphere_spiral_f64(hw, half, directions) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      integer(c_int), value :: half
      type(convk_directions_f64), intent(in), optional :: directions
      integer(c_int) :: status
    end function
    function convk_sphere_spiral_f32(hw, half, directions) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      integer(c_int), value :: half
      type(convk_directions_f32), intent(in), optional :: directions
      integer(c_int) :: status
    end function
    function convk_formfactor_powder_f64(hw, assembly, nq, q, directions, options, intensity, work, work_size) bind(c) &
      result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_assembly_f64), intent(in), optional :: assembly
      integer(c_size_t), value :: nq
      real(c_double), intent(in), optional :: q(*)
      type(convk_directions_f64), intent(in), optional :: directions
      type(convk_formfactor_options), intent(in), optional :: options
      real(c_double), intent(inout), optional :: intensity(*)
      type(*), intent(inout), optional :: work(*)
      integer(c_size_t), value :: work_size
      integer(c_int) :: status
    end function
    function convk_formfactor_powder_f32(hw, assembly, nq, q, directions, options, intensity, work, work_size) bind(c) &
      result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_assembly_f32), intent(in), optional :: assembly
      integer(c_size_t), value :: nq
      real(c_float), intent(in), optional :: q(*)
      type(convk_directions_f32), intent(in), optional :: directions
      type(convk_formfactor_options), intent(in), optional :: options
      real(c_float), intent(inout), optional :: intensity(*)
      type(*), intent(inout), optional :: work(*)
      integer(c_size_t), value :: work_size
      integer(c_int) :: status
    end function
    function convk_formfactor_dwba_f64(hw, assembly, waves, options, f, work, work_size) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_assembly_f64), intent(in), optional :: assembly
      type(convk_dwba_f64), intent(in), optional :: waves
      type(convk_formfactor_options), intent(in), optional :: options
      complex(c_double_complex), intent(inout), optional :: f(*)
      type(*), intent(inout), optional :: work(*)
      integer(c_size_t), value :: work_size
      integer(c_int) :: status
    end function
    function convk_formfactor_dwba_f32(hw, assembly, waves, options, f, work, work_size) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_assembly_f32), intent(in), optional :: assembly
      type(convk_dwba_f32), intent(in), optional :: waves
      type(convk_formfactor_options), intent(in), optional :: options
      complex(c_float_complex), intent(inout), optional :: f(*)
      type(*), intent(inout), optional :: work(*)
      integer(c_size_t), value :: work_size
      integer(c_int) :: status
    end function
  end interface

  ! fft
  interface
    function convk_fftconv2d_resolve(hw, shape, resolved) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_fftconv2d_shape), intent(in), optional :: shape
      type(convk_fftconv2d_shape), intent(inout), optional :: resolved
      integer(c_int) :: status
    end function
    function convk_fftconv2d_f64(hw, plan, batch, in, out, work, work_size) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(*), intent(in), optional :: plan(*)
      type(convk_batch2d), intent(in), optional :: batch
      real(c_double), intent(in), optional :: in(*)
      real(c_double), intent(inout), optional :: out(*)
      type(*), intent(inout), optional :: work(*)
      integer(c_size_t), value :: work_size
      integer(c_int) :: status
    end function
    function convk_fftconv2d_c64(hw, plan, batch, in, out, work, work_size) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(*), intent(in), optional :: plan(*)
      type(convk_batch2d), intent(in), optional :: batch
      complex(c_double_complex), intent(in), optional :: in(*)
      complex(c_double_complex), intent(inout), optional :: out(*)
      type(*), intent(inout), optional :: work(*)
      integer(c_size_t), value :: work_size
      integer(c_int) :: status
    end function
    function convk_fftconv2d_f32(hw, plan, batch, in, out, work, work_size) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(*), intent(in), optional :: plan(*)
      type(convk_batch2d), intent(in), optional :: batch
      real(c_float), intent(in), optional :: in(*)
      real(c_float), intent(inout), optional :: out(*)
      type(*), intent(inout), optional :: work(*)
      integer(c_size_t), value :: work_size
      integer(c_int) :: status
    end function
    function convk_fftconv2d_c32(hw, plan, batch, in, out, work, work_size) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(*), intent(in), optional :: plan(*)
      type(convk_batch2d), intent(in), optional :: batch
      complex(c_float_complex), intent(in), optional :: in(*)
      complex(c_float_complex), intent(inout), optional :: out(*)
      type(*), intent(inout), optional :: work(*)
      integer(c_size_t), value :: work_size
      integer(c_int) :: status
    end function
    function convk_fft2d_c64(hw, plan, direction, batch, in, out, work, work_size) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(*), intent(in), optional :: plan(*)
      integer(c_int), value :: direction
      type(convk_batch2d), intent(in), optional :: batch
      complex(c_double_complex), intent(in), optional :: in(*)
      complex(c_double_complex), intent(inout), optional :: out(*)
      type(*), intent(inout), optional :: work(*)
      integer(c_size_t), value :: work_size
      integer(c_int) :: status
    end function
    function convk_fft2d_c32(hw, plan, direction, batch, in, out, work, work_size) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(*), intent(in), optional :: plan(*)
      integer(c_int), value :: direction
      type(convk_batch2d), intent(in), optional :: batch
      complex(c_float_complex), intent(in), optional :: in(*)
      complex(c_float_complex), intent(inout), optional :: out(*)
      type(*), intent(inout), optional :: work(*)
      integer(c_size_t), value :: work_size
      integer(c_int) :: status
    end function
    function convk_fftconv2d_prepare_f64(hw, shape, kernels, kernel, pitch, stride, plan, plan_size) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_fftconv2d_shape), intent(in), optional :: shape
      integer(c_size_t), value :: kernels
      real(c_double), intent(in), optional :: kernel(*)
      integer(c_size_t), value :: pitch
      integer(c_size_t), value :: stride
      type(*), intent(inout), optional :: plan(*)
      integer(c_size_t), value :: plan_size
      integer(c_int) :: status
    end function
    function convk_fftconv2d_prepare_c64(hw, shape, kernels, kernel, pitch, stride, plan, plan_size) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_fftconv2d_shape), intent(in), optional :: shape
      integer(c_size_t), value :: kernels
      complex(c_double_complex), intent(in), optional :: kernel(*)
      integer(c_size_t), value :: pitch
      integer(c_size_t), value :: stride
      type(*), intent(inout), optional :: plan(*)
      integer(c_size_t), value :: plan_size
      integer(c_int) :: status
    end function
    function convk_fftconv2d_prepare_f32(hw, shape, kernels, kernel, pitch, stride, plan, plan_size) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_fftconv2d_shape), intent(in), optional :: shape
      integer(c_size_t), value :: kernels
      real(c_float), intent(in), optional :: kernel(*)
      integer(c_size_t), value :: pitch
      integer(c_size_t), value :: stride
      type(*), intent(inout), optional :: plan(*)
      integer(c_size_t), value :: plan_size
      integer(c_int) :: status
    end function
    function convk_fftconv2d_prepare_c32(hw, shape, kernels, kernel, pitch, stride, plan, plan_size) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_fftconv2d_shape), intent(in), optional :: shape
      integer(c_size_t), value :: kernels
      complex(c_float_complex), intent(in), optional :: kernel(*)
      integer(c_size_t), value :: pitch
      integer(c_size_t), value :: stride
      type(*), intent(inout), optional :: plan(*)
      integer(c_size_t), value :: plan_size
      integer(c_int) :: status
    end function
    function convk_fftconv2d_prepare_spectrum_f64(hw, shape, kernels, spectrum, pitch, stride, plan, plan_size) bind(c) &
      result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_fftconv2d_shape), intent(in), optional :: shape
      integer(c_size_t), value :: kernels
      real(c_double), intent(in), optional :: spectrum(*)
      integer(c_size_t), value :: pitch
      integer(c_size_t), value :: stride
      type(*), intent(inout), optional :: plan(*)
      integer(c_size_t), value :: plan_size
      integer(c_int) :: status
    end function
    function convk_fftconv2d_prepare_spectrum_c64(hw, shape, kernels, spectrum, pitch, stride, plan, plan_size) bind(c) &
      result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_fftconv2d_shape), intent(in), optional :: shape
      integer(c_size_t), value :: kernels
      complex(c_double_complex), intent(in), optional :: spectrum(*)
      integer(c_size_t), value :: pitch
      integer(c_size_t), value :: stride
      type(*), intent(inout), optional :: plan(*)
      integer(c_size_t), value :: plan_size
      integer(c_int) :: status
    end function
    function convk_fftconv2d_prepare_spectrum_f32(hw, shape, kernels, spectrum, pitch, stride, plan, plan_size) bind(c) &
      result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_fftconv2d_shape), intent(in), optional :: shape
      integer(c_size_t), value :: kernels
      real(c_float), intent(in), optional :: spectrum(*)
      integer(c_size_t), value :: pitch
      integer(c_size_t), value :: stride
      type(*), intent(inout), optional :: plan(*)
      integer(c_size_t), value :: plan_size
      integer(c_int) :: status
    end function
    function convk_fftconv2d_prepare_spectrum_c32(hw, shape, kernels, spectrum, pitch, stride, plan, plan_size) bind(c) &
      result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_fftconv2d_shape), intent(in), optional :: shape
      integer(c_size_t), value :: kernels
      complex(c_float_complex), intent(in), optional :: spectrum(*)
      integer(c_size_t), value :: pitch
      integer(c_size_t), value :: stride
      type(*), intent(inout), optional :: plan(*)
      integer(c_size_t), value :: plan_size
      integer(c_int) :: status
    end function
    function convk_fftconv2d_plan_size_f64(hw, shape, kernels, bytes) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_fftconv2d_shape), intent(in), optional :: shape
      integer(c_size_t), value :: kernels
      integer(c_size_t), intent(inout), optional :: bytes
      integer(c_int) :: status
    end function
    function convk_fftconv2d_plan_size_c64(hw, shape, kernels, bytes) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_fftconv2d_shape), intent(in), optional :: shape
      integer(c_size_t), value :: kernels
      integer(c_size_t), intent(inout), optional :: bytes
      integer(c_int) :: status
    end function
    function convk_fftconv2d_plan_size_f32(hw, shape, kernels, bytes) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_fftconv2d_shape), intent(in), optional :: shape
      integer(c_size_t), value :: kernels
      integer(c_size_t), intent(inout), optional :: bytes
      integer(c_int) :: status
    end function
    function convk_fftconv2d_plan_size_c32(hw, shape, kernels, bytes) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_fftconv2d_shape), intent(in), optional :: shape
      integer(c_size_t), value :: kernels
      integer(c_size_t), intent(inout), optional :: bytes
      integer(c_int) :: status
    end function
    function convk_fftconv2d_plan_bytes_f64(hw, plan, bytes) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(*), intent(in), optional :: plan(*)
      integer(c_size_t), intent(inout), optional :: bytes
      integer(c_int) :: status
    end function
    function convk_fftconv2d_plan_bytes_c64(hw, plan, bytes) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(*), intent(in), optional :: plan(*)
      integer(c_size_t), intent(inout), optional :: bytes
      integer(c_int) :: status
    end function
    function convk_fftconv2d_plan_bytes_f32(hw, plan, bytes) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(*), intent(in), optional :: plan(*)
      integer(c_size_t), intent(inout), optional :: bytes
      integer(c_int) :: status
    end function
    function convk_fftconv2d_plan_bytes_c32(hw, plan, bytes) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(*), intent(in), optional :: plan(*)
      integer(c_size_t), intent(inout), optional :: bytes
      integer(c_int) :: status
    end function
    function convk_fftconv2d_work_size_f64(hw, plan, items, bytes) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(*), intent(in), optional :: plan(*)
      integer(c_size_t), value :: items
      integer(c_size_t), intent(inout), optional :: bytes
      integer(c_int) :: status
    end function
    function convk_fftconv2d_work_size_c64(hw, plan, items, bytes) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(*), intent(in), optional :: plan(*)
      integer(c_size_t), value :: items
      integer(c_size_t), intent(inout), optional :: bytes
      integer(c_int) :: status
    end function
    function convk_fftconv2d_work_size_f32(hw, plan, items, bytes) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(*), intent(in), optional :: plan(*)
      integer(c_size_t), value :: items
      integer(c_size_t), intent(inout), optional :: bytes
      integer(c_int) :: status
    end function
    function convk_fftconv2d_work_size_c32(hw, plan, items, bytes) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(*), intent(in), optional :: plan(*)
      integer(c_size_t), value :: items
      integer(c_size_t), intent(inout), optional :: bytes
      integer(c_int) :: status
    end function
    function convk_fft2d_prepare_c64(hw, rows, columns, plan, plan_size) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      integer(c_size_t), value :: rows
      integer(c_size_t), value :: columns
      type(*), intent(inout), optional :: plan(*)
      integer(c_size_t), value :: plan_size
      integer(c_int) :: status
    end function
    function convk_fft2d_prepare_c32(hw, rows, columns, plan, plan_size) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      integer(c_size_t), value :: rows
      integer(c_size_t), value :: columns
      type(*), intent(inout), optional :: plan(*)
      integer(c_size_t), value :: plan_size
      integer(c_int) :: status
    end function
    function convk_fft2d_plan_size_c64(hw, rows, columns, bytes) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      integer(c_size_t), value :: rows
      integer(c_size_t), value :: columns
      integer(c_size_t), intent(inout), optional :: bytes
      integer(c_int) :: status
    end function
    function convk_fft2d_plan_size_c32(hw, rows, columns, bytes) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      integer(c_size_t), value :: rows
      integer(c_size_t), value :: columns
      integer(c_size_t), intent(inout), optional :: bytes
      integer(c_int) :: status
    end function
    function convk_fft2d_plan_bytes_c64(hw, plan, bytes) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(*), intent(in), optional :: plan(*)
      integer(c_size_t), intent(inout), optional :: bytes
      integer(c_int) :: status
    end function
    function convk_fft2d_plan_bytes_c32(hw, plan, bytes) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(*), intent(in), optional :: plan(*)
      integer(c_size_t), intent(inout), optional :: bytes
      integer(c_int) :: status
    end function
    function convk_fft2d_work_size_c64(hw, plan, items, bytes) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(*), intent(in), optional :: plan(*)
      integer(c_size_t), value :: items
      integer(c_size_t), intent(inout), optional :: bytes
      integer(c_int) :: status
    end function
    function convk_fft2d_work_size_c32(hw, plan, items, bytes) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(*), intent(in), optional :: plan(*)
      integer(c_size_t), value :: items
      integer(c_size_t), intent(inout), optional :: bytes
      integer(c_int) :: status
    end function
  end interface

  ! pairs
  interface
    function convk_pair_hfdhe2() bind(c) result(it)
      import
      type(convk_pair_potential) :: it
    end function
    function convk_pair_hfdb() bind(c) result(it)
      import
      type(convk_pair_potential) :: it
    end function
    function convk_pair_lm2m2() bind(c) result(it)
      import
      type(convk_pair_potential) :: it
    end function
    function convk_pair_lennard_jones(epsilon, sigma) bind(c) result(it)
      import
      real(c_double), value :: epsilon
      real(c_double), value :: sigma
      type(convk_pair_potential) :: it
    end function
    function convk_pair_table(first, spacing, entries, values) bind(c) result(it)
      import
      real(c_double), value :: first
      real(c_double), value :: spacing
      integer(c_size_t), value :: entries
      real(c_double), intent(in), optional :: values(*)
      type(convk_pair_potential) :: it
    end function
    subroutine convk_philox4x32(counter, key, out) bind(c)
      import
      integer(c_int32_t), intent(in), optional :: counter(4)
      integer(c_int32_t), intent(in), optional :: key(2)
      integer(c_int32_t), intent(inout), optional :: out(4)
    end subroutine
    subroutine convk_vmc_join(before, record) bind(c)
      import
      type(*), intent(in), optional :: before(*)
      type(*), intent(inout), optional :: record(*)
    end subroutine
    function convk_pair_potential_f64(hw, potential, n, r, v) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_pair_potential), intent(in), optional :: potential
      integer(c_size_t), value :: n
      real(c_double), intent(in), optional :: r(*)
      real(c_double), intent(inout), optional :: v(*)
      integer(c_int) :: status
    end function
    function convk_pair_potential_f32(hw, potential, n, r, v) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_pair_potential), intent(in), optional :: potential
      integer(c_size_t), value :: n
      real(c_float), intent(in), optional :: r(*)
      real(c_float), intent(inout), optional :: v(*)
      integer(c_int) :: status
    end function
    function convk_pair_energy_f64(hw, system, walkers, want, r, result, gradient, work, work_size) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_pair_system), intent(in), optional :: system
      type(convk_pair_walkers), intent(in), optional :: walkers
      integer(c_int), value :: want
      real(c_double), intent(in), optional :: r(*)
      type(convk_pair_result), intent(inout), optional :: result(*)
      real(c_double), intent(inout), optional :: gradient(*)
      type(*), intent(inout), optional :: work(*)
      integer(c_size_t), value :: work_size
      integer(c_int) :: status
    end function
    function convk_pair_energy_f32(hw, system, walkers, want, r, result, gradient, work, work_size) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_pair_system), intent(in), optional :: system
      type(convk_pair_walkers), intent(in), optional :: walkers
      integer(c_int), value :: want
      real(c_float), intent(in), optional :: r(*)
      type(convk_pair_result), intent(inout), optional :: result(*)
      real(c_float), intent(inout), optional :: gradient(*)
      type(*), intent(inout), optional :: work(*)
      integer(c_size_t), value :: work_size
      integer(c_int) :: status
    end function
    function convk_pair_move_f64(hw, system, walkers, particle, r, to, result) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_pair_system), intent(in), optional :: system
      type(convk_pair_walkers), intent(in), optional :: walkers
      integer(c_size_t), value :: particle
      real(c_double), intent(in), optional :: r(*)
      real(c_double), intent(in), optional :: to(*)
      type(convk_pair_move_result), intent(inout), optional :: result(*)
      integer(c_int) :: status
    end function
    function convk_pair_move_f32(hw, system, walkers, particle, r, to, result) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_pair_system), intent(in), optional :: system
      type(convk_pair_walkers), intent(in), optional :: walkers
      integer(c_size_t), value :: particle
      real(c_float), intent(in), optional :: r(*)
      real(c_float), intent(in), optional :: to(*)
      type(convk_pair_move_result), intent(inout), optional :: result(*)
      integer(c_int) :: status
    end function
    function convk_pair_accept_f64(hw, system, walkers, particle, to, accept, r, gradient) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_pair_system), intent(in), optional :: system
      type(convk_pair_walkers), intent(in), optional :: walkers
      integer(c_size_t), value :: particle
      real(c_double), intent(in), optional :: to(*)
      integer(c_signed_char), intent(in), optional :: accept(*)
      real(c_double), intent(inout), optional :: r(*)
      real(c_double), intent(inout), optional :: gradient(*)
      integer(c_int) :: status
    end function
    function convk_pair_accept_f32(hw, system, walkers, particle, to, accept, r, gradient) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_pair_system), intent(in), optional :: system
      type(convk_pair_walkers), intent(in), optional :: walkers
      integer(c_size_t), value :: particle
      real(c_float), intent(in), optional :: to(*)
      integer(c_signed_char), intent(in), optional :: accept(*)
      real(c_float), intent(inout), optional :: r(*)
      real(c_float), intent(inout), optional :: gradient(*)
      integer(c_int) :: status
    end function
    function convk_vmc_run_f64(hw, vmc, sweeps, state, state_size, work, work_size) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_vmc), intent(in), optional :: vmc
      integer(c_size_t), value :: sweeps
      type(*), intent(inout), optional :: state(*)
      integer(c_size_t), value :: state_size
      type(*), intent(inout), optional :: work(*)
      integer(c_size_t), value :: work_size
      integer(c_int) :: status
    end function
    function convk_vmc_run_f32(hw, vmc, sweeps, state, state_size, work, work_size) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_vmc), intent(in), optional :: vmc
      integer(c_size_t), value :: sweeps
      type(*), intent(inout), optional :: state(*)
      integer(c_size_t), value :: state_size
      type(*), intent(inout), optional :: work(*)
      integer(c_size_t), value :: work_size
      integer(c_int) :: status
    end function
    function convk_pair_energy_work_size_f64(hw, particles, walkers, bytes) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      integer(c_size_t), value :: particles
      integer(c_size_t), value :: walkers
      integer(c_size_t), intent(inout), optional :: bytes
      integer(c_int) :: status
    end function
    function convk_pair_energy_work_size_f32(hw, particles, walkers, bytes) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      integer(c_size_t), value :: particles
      integer(c_size_t), value :: walkers
      integer(c_size_t), intent(inout), optional :: bytes
      integer(c_int) :: status
    end function
    function convk_vmc_work_size_f64(hw, vmc, bytes) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_vmc), intent(in), optional :: vmc
      integer(c_size_t), intent(inout), optional :: bytes
      integer(c_int) :: status
    end function
    function convk_vmc_work_size_f32(hw, vmc, bytes) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_vmc), intent(in), optional :: vmc
      integer(c_size_t), intent(inout), optional :: bytes
      integer(c_int) :: status
    end function
    function convk_vmc_state_size_f64(hw, vmc, bytes) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_vmc), intent(in), optional :: vmc
      integer(c_size_t), intent(inout), optional :: bytes
      integer(c_int) :: status
    end function
    function convk_vmc_state_size_f32(hw, vmc, bytes) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_vmc), intent(in), optional :: vmc
      integer(c_size_t), intent(inout), optional :: bytes
      integer(c_int) :: status
    end function
    function convk_vmc_begin_f64(hw, vmc, r, state, state_size) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_vmc), intent(in), optional :: vmc
      real(c_double), intent(in), optional :: r(*)
      type(*), intent(inout), optional :: state(*)
      integer(c_size_t), value :: state_size
      integer(c_int) :: status
    end function
    function convk_vmc_begin_f32(hw, vmc, r, state, state_size) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_vmc), intent(in), optional :: vmc
      real(c_float), intent(in), optional :: r(*)
      type(*), intent(inout), optional :: state(*)
      integer(c_size_t), value :: state_size
      integer(c_int) :: status
    end function
    function convk_vmc_check_f64(hw, vmc, state, state_size) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_vmc), intent(in), optional :: vmc
      type(*), intent(in), optional :: state(*)
      integer(c_size_t), value :: state_size
      integer(c_int) :: status
    end function
    function convk_vmc_check_f32(hw, vmc, state, state_size) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_vmc), intent(in), optional :: vmc
      type(*), intent(in), optional :: state(*)
      integer(c_size_t), value :: state_size
      integer(c_int) :: status
    end function
    function convk_vmc_positions_f64(hw, vmc, state, state_size, r) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_vmc), intent(in), optional :: vmc
      type(*), intent(in), optional :: state(*)
      integer(c_size_t), value :: state_size
      real(c_double), intent(inout), optional :: r(*)
      integer(c_int) :: status
    end function
    function convk_vmc_positions_f32(hw, vmc, state, state_size, r) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_vmc), intent(in), optional :: vmc
      type(*), intent(in), optional :: state(*)
      integer(c_size_t), value :: state_size
      real(c_float), intent(inout), optional :: r(*)
      integer(c_int) :: status
    end function
    function convk_vmc_results_f64(hw, state, state_size, result) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(*), intent(in), optional :: state(*)
      integer(c_size_t), value :: state_size
      type(convk_vmc_result), intent(inout), optional :: result
      integer(c_int) :: status
    end function
    function convk_vmc_results_f32(hw, state, state_size, result) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(*), intent(in), optional :: state(*)
      integer(c_size_t), value :: state_size
      type(convk_vmc_result), intent(inout), optional :: result
      integer(c_int) :: status
    end function
    function convk_vmc_take_f64(hw, vmc, state, state_size, from, from_size, taken) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_vmc), intent(in), optional :: vmc
      type(*), intent(inout), optional :: state(*)
      integer(c_size_t), value :: state_size
      type(*), intent(in), optional :: from(*)
      integer(c_size_t), value :: from_size
      integer(c_size_t), intent(inout), optional :: taken
      integer(c_int) :: status
    end function
    function convk_vmc_take_f32(hw, vmc, state, state_size, from, from_size, taken) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_vmc), intent(in), optional :: vmc
      type(*), intent(inout), optional :: state(*)
      integer(c_size_t), value :: state_size
      type(*), intent(in), optional :: from(*)
      integer(c_size_t), value :: from_size
      integer(c_size_t), intent(inout), optional :: taken
      integer(c_int) :: status
    end function
    function convk_vmc_minimise_f64(hw, vmc, options, state, state_size, result, work, work_size) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_vmc), intent(inout), optional :: vmc
      type(convk_vmc_minimise_options), intent(in), optional :: options
      type(*), intent(inout), optional :: state(*)
      integer(c_size_t), value :: state_size
      type(convk_vmc_result), intent(inout), optional :: result
      type(*), intent(inout), optional :: work(*)
      integer(c_size_t), value :: work_size
      integer(c_int) :: status
    end function
    function convk_vmc_minimise_f32(hw, vmc, options, state, state_size, result, work, work_size) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_vmc), intent(inout), optional :: vmc
      type(convk_vmc_minimise_options), intent(in), optional :: options
      type(*), intent(inout), optional :: state(*)
      integer(c_size_t), value :: state_size
      type(convk_vmc_result), intent(inout), optional :: result
      type(*), intent(inout), optional :: work(*)
      integer(c_size_t), value :: work_size
      integer(c_int) :: status
    end function
  end interface

  ! distances
  interface
    function convk_distances_pairs(kinds) bind(c) result(it)
      import
      integer(c_size_t), value :: kinds
      integer(c_size_t) :: it
    end function
    function convk_pair_histogram_f64(hw, atoms, cell, part, distances, work, work_size) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_atoms_f64), intent(in), optional :: atoms
      type(convk_cell), intent(in), optional :: cell
      type(convk_part), intent(in), optional :: part
      type(convk_distances), intent(in), optional :: distances
      type(*), intent(inout), optional :: work(*)
      integer(c_size_t), value :: work_size
      integer(c_int) :: status
    end function
    function convk_pair_histogram_f32(hw, atoms, cell, part, distances, work, work_size) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_atoms_f32), intent(in), optional :: atoms
      type(convk_cell), intent(in), optional :: cell
      type(convk_part), intent(in), optional :: part
      type(convk_distances), intent(in), optional :: distances
      type(*), intent(inout), optional :: work(*)
      integer(c_size_t), value :: work_size
      integer(c_int) :: status
    end function
    function convk_pair_histogram_work_size_f64(hw, atoms, distances, bytes) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_atoms_f64), intent(in), optional :: atoms
      type(convk_distances), intent(in), optional :: distances
      integer(c_size_t), intent(inout), optional :: bytes
      integer(c_int) :: status
    end function
    function convk_pair_histogram_work_size_f32(hw, atoms, distances, bytes) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_atoms_f32), intent(in), optional :: atoms
      type(convk_distances), intent(in), optional :: distances
      integer(c_size_t), intent(inout), optional :: bytes
      integer(c_int) :: status
    end function
    function convk_debye_f64(hw, distances, kinds, self, nq, q, intensity, bound) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_distances), intent(in), optional :: distances
      type(convk_scatterer), intent(in), optional :: kinds
      real(c_double), intent(in), optional :: self(*)
      integer(c_size_t), value :: nq
      real(c_double), intent(in), optional :: q(*)
      real(c_double), intent(inout), optional :: intensity(*)
      real(c_double), intent(inout), optional :: bound(*)
      integer(c_int) :: status
    end function
    function convk_debye_f32(hw, distances, kinds, self, nq, q, intensity, bound) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_distances), intent(in), optional :: distances
      type(convk_scatterer), intent(in), optional :: kinds
      real(c_double), intent(in), optional :: self(*)
      integer(c_size_t), value :: nq
      real(c_float), intent(in), optional :: q(*)
      real(c_float), intent(inout), optional :: intensity(*)
      real(c_float), intent(inout), optional :: bound(*)
      integer(c_int) :: status
    end function
    function convk_debye_direct_f64(hw, atoms, nkinds, kinds, nq, q, intensity, work, work_size) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_atoms_f64), intent(in), optional :: atoms
      integer(c_size_t), value :: nkinds
      type(convk_scatterer), intent(in), optional :: kinds
      integer(c_size_t), value :: nq
      real(c_double), intent(in), optional :: q(*)
      real(c_double), intent(inout), optional :: intensity(*)
      type(*), intent(inout), optional :: work(*)
      integer(c_size_t), value :: work_size
      integer(c_int) :: status
    end function
    function convk_debye_direct_f32(hw, atoms, nkinds, kinds, nq, q, intensity, work, work_size) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_atoms_f32), intent(in), optional :: atoms
      integer(c_size_t), value :: nkinds
      type(convk_scatterer), intent(in), optional :: kinds
      integer(c_size_t), value :: nq
      real(c_float), intent(in), optional :: q(*)
      real(c_float), intent(inout), optional :: intensity(*)
      type(*), intent(inout), optional :: work(*)
      integer(c_size_t), value :: work_size
      integer(c_int) :: status
    end function
    function convk_debye_direct_work_size_f64(hw, atoms, nkinds, nq, bytes) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_atoms_f64), intent(in), optional :: atoms
      integer(c_size_t), value :: nkinds
      integer(c_size_t), value :: nq
      integer(c_size_t), intent(inout), optional :: bytes
      integer(c_int) :: status
    end function
    function convk_debye_direct_work_size_f32(hw, atoms, nkinds, nq, bytes) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_atoms_f32), intent(in), optional :: atoms
      integer(c_size_t), value :: nkinds
      integer(c_size_t), value :: nq
      integer(c_size_t), intent(inout), optional :: bytes
      integer(c_int) :: status
    end function
  end interface

  ! amplitudes
  interface
    function convk_amplitudes_f64(hw, atoms, q, options, f, work, work_size) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_atoms_f64), intent(in), optional :: atoms
      type(convk_q_f64), intent(in), optional :: q
      type(convk_amplitude_options), intent(in), optional :: options
      real(c_double), intent(inout), optional :: f(*)
      type(*), intent(inout), optional :: work(*)
      integer(c_size_t), value :: work_size
      integer(c_int) :: status
    end function
    function convk_amplitudes_f32(hw, atoms, q, options, f, work, work_size) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_atoms_f32), intent(in), optional :: atoms
      type(convk_q_f32), intent(in), optional :: q
      type(convk_amplitude_options), intent(in), optional :: options
      real(c_float), intent(inout), optional :: f(*)
      type(*), intent(inout), optional :: work(*)
      integer(c_size_t), value :: work_size
      integer(c_int) :: status
    end function
    function convk_amplitudes_work_size_f64(hw, atoms, options, bytes) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_atoms_f64), intent(in), optional :: atoms
      type(convk_amplitude_options), intent(in), optional :: options
      integer(c_size_t), intent(inout), optional :: bytes
      integer(c_int) :: status
    end function
    function convk_amplitudes_work_size_f32(hw, atoms, options, bytes) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_atoms_f32), intent(in), optional :: atoms
      type(convk_amplitude_options), intent(in), optional :: options
      integer(c_size_t), intent(inout), optional :: bytes
      integer(c_int) :: status
    end function
    function convk_amplitudes_grid_f64(hw, atoms, grid, q, options, f, work, work_size) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_atoms_f64), intent(in), optional :: atoms
      type(convk_grid3), intent(in), optional :: grid
      type(convk_q_f64), intent(in), optional :: q
      type(convk_amplitude_options), intent(in), optional :: options
      real(c_double), intent(inout), optional :: f(*)
      type(*), intent(inout), optional :: work(*)
      integer(c_size_t), value :: work_size
      integer(c_int) :: status
    end function
    function convk_amplitudes_grid_f32(hw, atoms, grid, q, options, f, work, work_size) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_atoms_f32), intent(in), optional :: atoms
      type(convk_grid3), intent(in), optional :: grid
      type(convk_q_f32), intent(in), optional :: q
      type(convk_amplitude_options), intent(in), optional :: options
      real(c_float), intent(inout), optional :: f(*)
      type(*), intent(inout), optional :: work(*)
      integer(c_size_t), value :: work_size
      integer(c_int) :: status
    end function
    function convk_amplitudes_grid_work_size_f64(hw, atoms, grid, options, bytes) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_atoms_f64), intent(in), optional :: atoms
      type(convk_grid3), intent(in), optional :: grid
      type(convk_amplitude_options), intent(in), optional :: options
      integer(c_size_t), intent(inout), optional :: bytes
      integer(c_int) :: status
    end function
    function convk_amplitudes_grid_work_size_f32(hw, atoms, grid, options, bytes) bind(c) result(status)
      import
      type(convk_handle), intent(inout), optional :: hw
      type(convk_atoms_f32), intent(in), optional :: atoms
      type(convk_grid3), intent(in), optional :: grid
      type(convk_amplitude_options), intent(in), optional :: options
      integer(c_size_t), intent(inout), optional :: bytes
      integer(c_int) :: status
    end function
  end interface

  interface
    function convk_fortran_open(hw, spec) bind(c) result(status)
      import
      type(convk_handle), intent(inout) :: hw
      character(kind=c_char), intent(in), optional :: spec(*)
      integer(c_int) :: status
    end function
    pure function convk_fortran_length(text) bind(c) result(length)
      import
      type(c_ptr), value :: text
      integer(c_size_t) :: length
    end function
  end interface
  private :: convk_fortran_open, convk_fortran_length

contains

  ! Opens the hardware of this name, "avx2" say, or the best that is compiled in and that this machine runs.
  function convk_open(hw, spec) result(status)
    type(convk_handle), intent(inout) :: hw
    character(len=*), intent(in), optional :: spec
    integer(c_int) :: status
    if (present(spec)) then
      status = convk_fortran_open(hw, trim(spec)//c_null_char)
    else
      status = convk_fortran_open(hw)
    end if
  end function

  ! What a status says.
  function convk_message(status) result(text)
    integer(c_int), intent(in) :: status
    character(len=:), allocatable :: text
    character(kind=c_char), pointer :: source(:)
    type(c_ptr) :: address
    address = convk_strerror(status)
    call c_f_pointer(address, source, [convk_fortran_length(address)])
    text = convk_text(source)
  end function

  ! Text of C, which ends with a zero: convk_text(hw%name), convk_text(hw%message).
  pure function convk_text(source) result(text)
    character(kind=c_char), intent(in) :: source(:)
    character(len=:), allocatable :: text
    integer :: i, length
    length = 0
    do while (length < size(source))
      if (source(length + 1) == c_null_char) exit
      length = length + 1
    end do
    allocate (character(len=length) :: text)
    do i = 1, length
      text(i:i) = source(i)
    end do
  end function

end module
