! The library in a Fortran program, by the module of examples/adapters/convk.f90, which says how to compile it.
! An array a(nx, ny, nz) is a packed grid with x contiguous, as it stands.
! Checked: <MF x, y> = <x, IMF y> for random x and y, and that a bad argument is refused.
program embed_fortran
  use convk
  implicit none
  integer, parameter :: nx = 34, ny = 29, nz = 31
  real(c_double), allocatable :: x(:, :, :), y(:, :, :), mf_x(:, :, :), imf_y(:, :, :)
  real(c_double) :: left, right
  type(convk_handle) :: hw
  type(convk_sepconv3d_shape) :: shape
  integer(c_int) :: status
  integer :: seed_size, i
  logical :: good

  status = convk_open(hw) ! the best hardware that this machine runs
  if (status /= CONVK_OK) call fail('open', status)

  shape%in = convk_grid3(nx=nx, ny=ny, nz=nz) ! packed, periodic, the output alike
  allocate (x(nx, ny, nz), y(nx, ny, nz), mf_x(nx, ny, nz), imf_y(nx, ny, nz))
  call random_seed(size=seed_size)
  call random_seed(put=[(12345 + i, i=1, seed_size)]) ! the same numbers in every run
  call random_number(x)
  call random_number(y)
  x = x - 0.5_c_double
  y = y - 0.5_c_double
  status = convk_magicfilter3d_f64(hw, shape, CONVK_FORWARD, in=x, out=mf_x, work_size=0_c_size_t)
  if (status /= CONVK_OK) call fail('MF', status)
  status = convk_magicfilter3d_f64(hw, shape, CONVK_INVERSE, in=y, out=imf_y, work_size=0_c_size_t)
  if (status /= CONVK_OK) call fail('IMF', status)
  left = sum(mf_x*y)
  right = sum(x*imf_y)
  ! rounding is bounded by the norms, not by the product, which may cancel
  good = abs(left - right) <= 1e-13_c_double*sqrt(sum(x*x)*sum(y*y))

  mf_x = 7
  shape%boundary(1) = 99
  status = convk_magicfilter3d_f64(hw, shape, CONVK_FORWARD, in=x, out=mf_x, work_size=0_c_size_t)
  good = good .and. status == CONVK_ERR_BOUNDARY .and. all(mf_x >= 7 .and. mf_x <= 7)

  print '(3a, es22.15, a, es22.15, 2a)', 'embed_fortran: ', convk_text(hw%name), ': <MF x, y> =', left, ', <x, IMF y> =', &
    right, ': ', trim(merge('ok   ', 'WRONG', good))
  print '(2a)', 'embed_fortran: boundary 99: ', convk_message(status)
  call convk_close(hw)
  if (.not. good) stop 1

contains

  subroutine fail(what, code)
    character(len=*), intent(in) :: what
    integer(c_int), intent(in) :: code
    print '(4a)', 'embed_fortran: ', what, ': ', convk_message(code)
    stop 1
  end subroutine

end program
