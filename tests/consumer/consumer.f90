! The same program with convk.f90.
program consumer
  use convk
  implicit none
  integer, parameter :: n = 20
  real(c_double) :: in(n, n, n), out(n, n, n)
  type(convk_sepconv3d_shape) :: shape
  type(convk_handle) :: hw
  integer(c_int) :: status
  in = 1
  shape%in = convk_grid3(n, n, n, 0, 0)
  status = convk_open(hw)
  if (status == CONVK_OK) status = convk_magicfilter3d_f64(hw, shape, CONVK_FORWARD, in=in, out=out, work_size=0_c_size_t)
  print '(a,i0,4a,es8.1,a)', 'consumer: convk ', CONVK_VERSION, ', ', name(), ': ', convk_message(status) // ', ', &
    maxval(abs(out - 1)), ' from 1'
  if (status /= CONVK_OK .or. maxval(abs(out - 1)) > 1e-14) stop 1
contains
  function name()
    character(:), allocatable :: name
    integer :: i
    name = ''
    do i = 1, size(hw%name)
      if (hw%name(i) == c_null_char) exit
      name = name // hw%name(i)
    end do
  end function
end program
