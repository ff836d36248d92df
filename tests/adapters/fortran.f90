! Calls of every family through the module convk; tests/adapters/fortran.c makes the same, and prints the same bits.
program test_fortran
  use convk
  implicit none
  integer, parameter :: n = 12
  integer(c_int), parameter :: periodic(3) = CONVK_BOUNDARY_PERIODIC
  type(convk_handle) :: hw

  call must('open', convk_open(hw))
  print '(2a)', 'hardware ', convk_text(hw%name)
  call refusals()
  call separable()
  call stencil()
  call functions()
  call gaussians()
  call form_factors()
  call transforms()
  call pairs()
  call tuned()
  call convk_close(hw)
  if (hw%size /= 0) error stop 'a closed handle has a size'

contains

  subroutine must(what, code)
    character(len=*), intent(in) :: what
    integer(c_int), intent(in) :: code
    if (code == CONVK_OK) return
    print '(3a)', what, ': ', convk_message(code)
    error stop
  end subroutine

  ! Numbers that both languages make exactly.
  function numbers(count, step) result(x)
    integer, intent(in) :: count, step
    real(c_double) :: x(count)
    integer :: i
    x = [(real(mod(i*step, 1000), c_double)/512 - 1, i=1, count)]
  end function

  ! A sum of bits over an array, each turned by its place.
  subroutine show(what, x)
    character(len=*), intent(in) :: what
    real(c_double), intent(in) :: x(:)
    integer(c_int64_t) :: sum
    integer :: i
    sum = 0
    do i = 1, size(x)
      sum = ieor(ishftc(sum, 7), transfer(x(i), sum))
    end do
    print '(a, 1x, z16.16)', what, sum
  end subroutine

  subroutine refusals()
    type(convk_handle) :: other
    type(convk_sepconv3d_shape) :: shape
    real(c_double) :: x(8), y(8)
    x = 1
    y = 2
    if (convk_open(other, 'abacus') /= CONVK_ERR_HW_NAME) error stop 'an unknown hardware'
    if (convk_exp_f64(other, 8_c_size_t, x, y) /= CONVK_ERR_HANDLE) error stop 'a handle that is not open'
    if (convk_exp_f64(hw, 8_c_size_t, y=y) /= CONVK_ERR_NULL) error stop 'an array that is left out'
    shape%in%nx = 2
    if (convk_magicfilter3d_f64(hw, shape, CONVK_FORWARD, in=x, out=y, work_size=0_c_size_t) /= CONVK_ERR_SIZE) &
      error stop 'a grid of no points'
    if (any(y < 2 .or. y > 2)) error stop 'something was written'
    if (convk_message(CONVK_ERR_SIZE) /= 'a size is zero or does not fit the other sizes') error stop 'a message'
    call must('scalar', convk_open(other, 'scalar'))
    print '(2a)', 'hardware ', convk_text(other%name)
    call convk_close(other)
  end subroutine

  subroutine separable()
    type(convk_sepconv3d_shape) :: shape
    type(convk_conv1d_shape) :: rows
    type(convk_filter_f64) :: filter
    real(c_double) :: x(n, n, n), y(n, n, n), v(n, n, n), energy
    real(c_double), target :: taps(3)
    integer(1), allocatable :: work(:)
    integer(c_size_t) :: bytes
    shape%in = convk_grid3(nx=n, ny=n, nz=n)
    x = reshape(numbers(n**3, 7919), [n, n, n])
    v = reshape(numbers(n**3, 31), [n, n, n])
    call must('work', convk_magicfilter3d_work_size_f64(hw, shape, CONVK_FORWARD, bytes=bytes))
    allocate (work(bytes))
    call must('magicfilter3d', convk_magicfilter3d_f64(hw, shape, CONVK_FORWARD, in=x, out=y, work=work, &
                                                       work_size=bytes))
    call show('magicfilter3d', [y])
    call must('potential_apply', convk_potential_apply_f64(hw, shape, v, x, y, energy, work_size=0_c_size_t))
    call show('potential_apply', [y, energy])
    taps = [0.25_c_double, 0.5_c_double, 0.125_c_double]
    filter = convk_filter_f64(lo=-1, up=1, taps=c_loc(taps))
    rows = convk_conv1d_shape(n=18, ndat=96, boundary=CONVK_BOUNDARY_ZERO)
    call must('conv1d_transpose', convk_conv1d_transpose_f64(hw, rows, filter, x, y, work_size=0_c_size_t))
    call show('conv1d_transpose', [y])
  end subroutine

  subroutine stencil()
    type(convk_stencil7_shape) :: shape
    type(convk_stencil7_coefficients_f64) :: coefficients
    type(c_ptr) :: result, there
    real(c_double), target :: a(n, n, n), b(n, n, n)
    shape%grid = convk_grid3(nx=n, ny=n, nz=n)
    shape%boundary = periodic
    a = reshape(numbers(n**3, 77), [n, n, n])
    b = 0
    result = c_null_ptr
    coefficients = convk_stencil7_isotropic_f64(0.25_c_double, 0.125_c_double)
    call must('stencil7', convk_stencil7_f64(hw, shape, coefficients, 3_c_size_t, a, b, result, work_size=0_c_size_t))
    there = c_loc(b)
    if (.not. c_associated(result, there)) error stop 'stencil7: the result of three steps is in b'
    call show('stencil7', [b])
  end subroutine

  subroutine functions()
    real(c_double) :: x(37), s(37), c(37)
    x = numbers(37, 123)
    call must('sincos', convk_sincos_f64(hw, 37_c_size_t, x, s, c))
    call show('sincos', [s, c])
  end subroutine

  subroutine gaussians()
    type(convk_points_f64) :: points
    type(convk_shell), target :: shells(2)
    type(convk_orbital_set_f64) :: set
    type(convk_gaussian_options) :: options
    real(c_double), target :: xyz(3, 20), exponents(2), contraction(2), s(2), p(2)
    real(c_double), target :: coefficients(4, 2), occupations(2)
    type(convk_gaussian_box) :: box
    type(convk_density_parts_f64) :: parts
    real(c_double), target :: on_grid(20)
    real(c_double) :: density(20)
    integer :: k
    integer(c_size_t) :: functions
    xyz = reshape(numbers(60, 419), [3, 20])
    exponents = [0.5_c_double, 2.25_c_double]
    contraction = [0.75_c_double, 0.5_c_double]
    call must('shell_normalise', convk_shell_normalise(hw, 0_c_int, 2_c_size_t, exponents, contraction, s))
    call must('shell_normalise', convk_shell_normalise(hw, 1_c_int, 2_c_size_t, exponents, contraction, p))
    points = convk_points_f64(n=20, x=c_loc(xyz(1, 1)), y=c_loc(xyz(2, 1)), z=c_loc(xyz(3, 1)), stride=3)
    shells(1)%primitives = 2
    shells(1)%exponents = c_loc(exponents)
    shells(1)%coefficients = c_loc(s)
    shells(2) = shells(1)
    shells(2)%center = [0.5_c_double, 0._c_double, -0.25_c_double]
    shells(2)%l = 1
    shells(2)%coefficients = c_loc(p)
    functions = 0
    call must('shells_functions', convk_shells_functions(hw, 2_c_size_t, shells, functions))
    if (functions /= 4) error stop 'four functions'
    options%cutoff = 1e-12_c_double
    coefficients = reshape(numbers(8, 57), [4, 2])
    occupations = [2._c_double, 1._c_double]
    set = convk_orbital_set_f64(nshells=2, shells=c_loc(shells), norbitals=2, coefficients=c_loc(coefficients), &
                                occupations=c_loc(occupations))
    call must('density', convk_density_f64(hw, points, set, options, density, work_size=0_c_size_t))
    call show('density', density)
    box%step_x(1) = 0.25_c_double
    box%step_y(2) = 0.5_c_double
    box%step_z(3) = 1
    box%grid = convk_grid3(nx=5, ny=2, nz=2)
    do k = 1, 20
      xyz(:, k) = [0.25_c_double*mod(k - 1, 5), 0.5_c_double*mod((k - 1)/5, 2), real((k - 1)/10, c_double)]
    end do
    options%cutoff = 0
    call must('density', convk_density_f64(hw, points, set, options, density, work_size=0_c_size_t))
    parts%density = c_loc(on_grid)
    call must('density_grid', convk_density_grid_f64(hw, box, set, options, parts, work_size=0_c_size_t))
    if (maxval(abs(on_grid - density)) > 1e-13_c_double) error stop 'a density on a grid'
  end subroutine

  ! Of a tetrahedron.
  subroutine form_factors()
    type(convk_mesh_f64) :: mesh
    type(convk_mesh_measures) :: measures
    type(convk_formfactor_options) :: options
    type(convk_q_f64) :: vectors
    real(c_double) :: corners(3, 3, 4), storage(48)
    real(c_double), target :: q(9, 3)
    complex(c_double_complex) :: f(9)
    real(c_double), parameter :: o(3) = 0, x(3) = [2, 0, 0], y(3) = [0, 1, 0], z(3) = [0, 0, 3]
    corners = reshape([o, y, x, o, x, z, o, z, y, x, y, z], [3, 3, 4])
    call must('mesh_assign', convk_mesh_assign_f64(hw, 4_c_size_t, 1_c_int, storage, mesh))
    call must('mesh_from_triangles', convk_mesh_from_triangles_f64(hw, corners, mesh))
    call must('mesh_measure', convk_mesh_measure_f64(hw, mesh, measures))
    if (abs(measures%volume - 1) > 1e-15_c_double .or. measures%closed /= 1) error stop 'a tetrahedron of volume 1'
    options%form = CONVK_FORM_EXACT
    q = reshape(numbers(27, 611), [9, 3])
    vectors%n = 9
    vectors%x = c_loc(q(1, 1))
    vectors%y = c_loc(q(1, 2))
    vectors%z = c_loc(q(1, 3))
    call must('formfactor', convk_formfactor_f64(hw, mesh, vectors, options, f))
    call show('formfactor', [real(f), aimag(f)])
  end subroutine

  subroutine transforms()
    type(convk_fftconv2d_shape) :: shape, full
    type(convk_batch2d) :: batch
    complex(c_double_complex) :: x(8, 6), y(8, 6)
    real(c_double) :: field(8, 6), kernel(3, 3), out(10, 8)
    integer(1), allocatable :: plan(:)
    integer(c_size_t) :: bytes
    x = reshape(cmplx(numbers(48, 37), numbers(48, 91), c_double_complex), [8, 6])
    batch%items = 1
    call must('fft2d_plan_size', convk_fft2d_plan_size_c64(hw, 6_c_size_t, 8_c_size_t, bytes))
    allocate (plan(bytes))
    call must('fft2d_prepare', convk_fft2d_prepare_c64(hw, 6_c_size_t, 8_c_size_t, plan, bytes))
    call must('fft2d', convk_fft2d_c64(hw, plan, CONVK_FORWARD, batch, x, y, work_size=0_c_size_t))
    call show('fft2d', [real(y), aimag(y)])
    shape%rows = 6
    shape%columns = 8
    shape%kernel_rows = 3
    shape%kernel_columns = 3
    call must('fftconv2d_resolve', convk_fftconv2d_resolve(hw, shape, full))
    if (full%out_rows /= 8 .or. full%out_columns /= 10) error stop 'the size of a full convolution'
    field = reshape(numbers(48, 37), [8, 6])
    kernel = reshape(numbers(9, 5), [3, 3])
    deallocate (plan)
    call must('fftconv2d_plan_size', convk_fftconv2d_plan_size_f64(hw, shape, 1_c_size_t, bytes))
    allocate (plan(bytes))
    call must('fftconv2d_prepare', convk_fftconv2d_prepare_f64(hw, shape, 1_c_size_t, kernel, 0_c_size_t, 0_c_size_t, plan, bytes))
    call must('fftconv2d', convk_fftconv2d_f64(hw, plan, batch, field, out, work_size=0_c_size_t))
    call show('fftconv2d', [out])
  end subroutine

  subroutine pairs()
    type(convk_pair_system) :: system
    type(convk_pair_walkers) :: walkers
    type(convk_pair_result) :: result(2)
    real(c_double) :: r(5, 3, 2), gradient(5, 3, 2)
    integer(c_int32_t) :: random(4)
    system%particles = 5
    system%trial = convk_pair_trial(p5=3600, p2=0.5_c_double, p0=0, p1=0.125_c_double)
    system%potential = convk_pair_hfdb()
    walkers%walkers = 2
    r = 8*reshape(numbers(30, 677), [5, 3, 2])
    call must('pair_energy', convk_pair_energy_f64(hw, system, walkers, CONVK_PAIR_ALL, r, result, gradient, &
                                                   work_size=0_c_size_t))
    call show('pair_energy', [result%ln_psi, result%potential, result%kinetic, result(2)%derivative, gradient])
    call convk_philox4x32([1_c_int32_t, 2_c_int32_t, 3_c_int32_t, 4_c_int32_t], [5_c_int32_t, 6_c_int32_t], random)
    print '(a, 4(1x, z8.8))', 'philox4x32', random
  end subroutine

  ! Text in both directions, and an array of structs.
  subroutine tuned()
    type(convk_tuned) :: entries(2)
    character(len=200) :: text
    integer(c_size_t) :: length, count
    type(convk_tuned_report) :: report
    entries(1)%operation(1:12) = transfer('stencil7_f64', entries(1)%operation, 12)
    count = 0
    length = 0
    call must('tuned_read', convk_tuned_read(hw, '# none'//new_line('a'), 7_c_size_t, entries, 2_c_size_t, count, report))
    if (count /= 0) error stop 'no entry was written'
    call must('tuned_write', convk_tuned_write(hw, entries, 0_c_size_t, text, 200_c_size_t, length))
    if (length /= 0) error stop 'no entry has no text'
  end subroutine

end program
