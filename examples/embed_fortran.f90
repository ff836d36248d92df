! The library in a Fortran program: an array a(nx, ny, nz) is a packed grid with x contiguous, as it stands.
! Checked: <MF x, y> = <x, IMF y> for random x and y, and that a bad argument is refused.
module magic_filter
  use, intrinsic :: iso_c_binding
  implicit none
  integer(c_int), parameter :: periodic = 0, forward = 0, inverse = 1

  interface
    function shim_open(handle, spec) bind(c) result(status)
      import
      type(c_ptr), intent(out) :: handle
      type(c_ptr), value :: spec ! a C string, or c_null_ptr for the best hardware
      integer(c_int) :: status
    end function
    subroutine shim_close(handle) bind(c)
      import
      type(c_ptr), value :: handle
    end subroutine
    subroutine shim_name(handle, text, size) bind(c)
      import
      type(c_ptr), value :: handle
      character(kind=c_char), intent(out) :: text(*)
      integer(c_size_t), value :: size
    end subroutine
    subroutine shim_strerror(status, text, size) bind(c)
      import
      integer(c_int), value :: status
      character(kind=c_char), intent(out) :: text(*)
      integer(c_size_t), value :: size
    end subroutine
    function shim_magicfilter3d(handle, n_in, n_out, direction, boundary, in, out) bind(c) result(status)
      import
      type(c_ptr), value :: handle
      integer(c_size_t), intent(in) :: n_in(3), n_out(3)
      integer(c_int), value :: direction
      integer(c_int), intent(in) :: boundary(3)
      real(c_double), intent(in) :: in(*)
      real(c_double), intent(inout) :: out(*) ! untouched when the call fails
      integer(c_int) :: status
    end function
  end interface

contains

  function transform(handle, direction, boundary, a, b) result(status)
    type(c_ptr), intent(in) :: handle
    integer(c_int), intent(in) :: direction, boundary(3)
    real(c_double), contiguous, intent(in) :: a(:, :, :)
    real(c_double), contiguous, intent(inout) :: b(:, :, :)
    integer(c_int) :: status
    status = shim_magicfilter3d(handle, int(shape(a), c_size_t), int(shape(b), c_size_t), direction, boundary, a, b)
  end function

  function message(status) result(text)
    integer(c_int), intent(in) :: status
    character(len=80) :: text
    call shim_strerror(status, text, 80_c_size_t)
  end function

end module

program embed_fortran
  use magic_filter
  implicit none
  integer, parameter :: nx = 34, ny = 29, nz = 31
  integer(c_int), parameter :: box(3) = periodic
  real(c_double), allocatable :: x(:, :, :), y(:, :, :), mf_x(:, :, :), imf_y(:, :, :)
  real(c_double) :: left, right
  type(c_ptr) :: handle
  integer(c_int) :: status
  integer :: seed_size, i
  character(len=32) :: name
  logical :: good

  status = shim_open(handle, c_null_ptr)
  if (status /= 0) call fail('open', status)
  call shim_name(handle, name, 32_c_size_t)

  allocate (x(nx, ny, nz), y(nx, ny, nz), mf_x(nx, ny, nz), imf_y(nx, ny, nz))
  call random_seed(size=seed_size)
  call random_seed(put=[(12345 + i, i=1, seed_size)]) ! the same numbers in every run
  call random_number(x)
  call random_number(y)
  x = x - 0.5_c_double
  y = y - 0.5_c_double
  status = transform(handle, forward, box, x, mf_x)
  if (status /= 0) call fail('MF', status)
  status = transform(handle, inverse, box, y, imf_y)
  if (status /= 0) call fail('IMF', status)
  left = sum(mf_x*y)
  right = sum(x*imf_y)
  ! rounding is bounded by the norms, not by the product, which may cancel
  good = abs(left - right) <= 1e-13_c_double*sqrt(sum(x*x)*sum(y*y))

  mf_x = 7
  status = transform(handle, forward, [99_c_int, periodic, periodic], x, mf_x)
  good = good .and. status /= 0 .and. all(mf_x >= 7 .and. mf_x <= 7)
  call shim_close(handle)
  deallocate (x, y, mf_x, imf_y)

  print '(3a, es22.15, a, es22.15, 2a)', 'embed_fortran: ', trim(name), ': <MF x, y> =', left, ', <x, IMF y> =', &
    right, ': ', trim(merge('ok   ', 'WRONG', good))
  print '(2a)', 'embed_fortran: boundary 99: ', trim(message(status))
  if (.not. good) stop 1

contains

  subroutine fail(what, code)
    character(len=*), intent(in) :: what
    integer(c_int), intent(in) :: code
    print '(4a)', 'embed_fortran: ', what, ': ', trim(message(code))
    stop 1
  end subroutine

end program
