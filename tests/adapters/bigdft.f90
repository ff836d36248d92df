! The routines of bigdft.c against the formulas, in quadruple precision.
program test_bigdft
  use bigdft_convolutions
  use, intrinsic :: iso_fortran_env, only: dp => real64, qp => real128
  implicit none
  integer, parameter :: periodic = 0, grow = 1, shrink = 2, zero = 3
  real(qp), parameter :: mf(-8:7) = [ &
    8.4334247333529341094733325815816e-7_qp, -0.1290557201342060969516786758559028e-4_qp, &
    0.8762984476210559564689161894116397e-4_qp, -0.30158038132690463167163703826169879e-3_qp, &
    0.174723713672993903449447812749852942e-2_qp, -0.942047030201080385922711540948195075e-2_qp, &
    0.2373821463724942397566389712597274535e-1_qp, 0.6126258958312079821953805969111734845e-1_qp, &
    0.9940415697834003993178616712570731_qp, -0.6048952891969835160028346363993374e-1_qp, &
    -0.2103025160930381434955489412839065067e-1_qp, 0.1337263414854794752733423467013220997e-1_qp, &
    -0.344128144493493857280881509686821861e-2_qp, 0.49443227688689919192282259476750972e-3_qp, &
    -0.5185986881173432922848639136911487e-4_qp, 2.72734492911979659657715313017228e-6_qp]
  real(qp), parameter :: half(0:14) = [ &
    -3.553692289913190194129680937424076_qp, 2.219146593891116389879454640457705_qp, &
    -0.6156141465570069496314853948700762_qp, 0.2371780582153805636239247475762232_qp, &
    -0.8226639997421233409876635206316682e-1_qp, 0.2207029188482255523789911295638968e-1_qp, &
    -0.4097656893426338238993270511883155e-2_qp, 0.4516792028750223534948003763975850e-3_qp, &
    -0.2398228524507599670405555359023135e-4_qp, 0.2090423495292036595792288944736098e-5_qp, &
    -0.3723076304736927584879149697304409e-6_qp, -0.1058570554967414703734941322870243e-7_qp, &
    -0.5813879830282540547959250667464887e-10_qp, 0.2708004936263194382698566890376476e-12_qp, &
    -0.6924474940639200152025730585882116e-17_qp]
  real(qp) :: imf(-7:8), d2(-14:14)
  integer :: passed = 0, failed = 0, i, j, k, seed_size
  integer, parameter :: sizes(*) = [0, 1, 4, 7, 14, 15, 16, 17, 20, 33], widths(*) = [1, 3, 8, 19]

  imf = mf(7:-8:-1)
  d2 = [half(14:1:-1), half]
  call random_seed(size=seed_size)
  call random_seed(put=[(4711 + i, i=1, seed_size)]) ! the same numbers in every run

  do i = 1, size(sizes)
    do j = 1, size(widths)
      call rotations(sizes(i), widths(j))
    end do
    call three_axes(sizes(i), sizes(1 + modulo(i, size(sizes))), sizes(1 + modulo(3*i, size(sizes))))
  end do
  do i = 3, 5
    do j = 1, 2
      do k = 5, 6
        call three_axes(sizes(i), sizes(j), sizes(k))
      end do
    end do
  end do
  call external_calls()
  print '(i0, a, i0, a)', passed, ' passed, ', failed, ' failed, 0 skipped'
  if (failed > 0) stop 1

contains

  subroutine check(what, error, bound)
    character(len=*), intent(in) :: what
    real(qp), intent(in) :: error, bound
    if (error <= bound) then
      passed = passed + 1
    else
      failed = failed + 1
      print '(3a, es9.2, a, es9.2)', 'FAILED ', what, ': error', error, ' above', bound
    end if
  end subroutine

  ! Along axis d of x: r(k) = sum over l = lo..up of f(l) x(k + first + l), for as many k as the boundary gives.
  function along(d, lo, f, boundary, x) result(r)
    integer, intent(in) :: d, lo, boundary
    real(qp), intent(in) :: f(lo:), x(:, :, :)
    real(qp), allocatable :: r(:, :, :)
    integer :: n, m, first, k, l, from, up, s(3)
    up = ubound(f, 1)
    n = size(x, d)
    m = n
    first = 0
    if (boundary == grow) m = n + up - lo
    if (boundary == grow) first = -up
    if (boundary == shrink) m = n - up + lo
    if (boundary == shrink) first = -lo
    s = shape(x)
    s(d) = m
    allocate (r(s(1), s(2), s(3)))
    r = 0
    do k = 0, m - 1
      do l = lo, up
        from = k + first + l
        if (boundary == periodic) from = modulo(from, n)
        if (from < 0 .or. from >= n) cycle
        select case (d)
        case (1); r(k + 1, :, :) = r(k + 1, :, :) + f(l)*x(from + 1, :, :)
        case (2); r(:, k + 1, :) = r(:, k + 1, :) + f(l)*x(:, from + 1, :)
        case (3); r(:, :, k + 1) = r(:, :, k + 1) + f(l)*x(:, :, from + 1)
        end select
      end do
    end do
  end function

  function all_axes(lo, f, boundary, x) result(r)
    integer, intent(in) :: lo, boundary(3)
    real(qp), intent(in) :: f(lo:)
    real(dp), intent(in) :: x(:, :, :)
    real(qp), allocatable :: r(:, :, :)
    r = along(3, lo, f, boundary(3), along(2, lo, f, boundary(2), along(1, lo, f, boundary(1), real(x, qp))))
  end function

  function random(n1, n2, n3) result(x)
    integer, intent(in) :: n1, n2, n3
    real(dp), allocatable :: x(:, :, :)
    allocate (x(n1, n2, n3))
    call random_number(x)
    x = 2*x - 1
  end function

  subroutine compare(what, y, r, bound)
    character(len=*), intent(in) :: what
    real(dp), intent(in) :: y(:, :, :)
    real(qp), intent(in) :: r(:, :, :)
    real(qp), intent(in) :: bound
    if (any(shape(y) /= shape(r))) then
      call check(what//': sizes', 1._qp, 0._qp)
    else
      call check(what, maxval(abs(y - r)), bound)
    end if
  end subroutine

  subroutine rotations(n, ndat)
    integer, intent(in) :: n, ndat
    real(qp), parameter :: bound = 4e-15_qp
    real(dp), allocatable :: x(:, :, :), y(:, :, :), z(:, :, :)
    x = random(n + 1, ndat, 1)
    allocate (y(ndat, n + 1, 1), z(ndat, n + 16, 1))
    call convrot_n_per(n, ndat, x, y)
    call compare('convrot_n_per', y, turned(along(1, -8, mf, periodic, real(x, qp))), bound)
    call convrot_t_per(n, ndat, x, y)
    call compare('convrot_t_per', y, turned(along(1, -7, imf, periodic, real(x, qp))), bound)
    call convrot_grow(n, ndat, x, z)
    call compare('convrot_grow', z, turned(along(1, -8, mf, grow, real(x, qp))), bound)
    x = random(n + 16, ndat, 1)
    call convrot_shrink(n, ndat, x, y)
    call compare('convrot_shrink', y, turned(along(1, -7, imf, shrink, real(x, qp))), bound)
  end subroutine

  function turned(x) result(r)
    real(qp), intent(in) :: x(:, :, :)
    real(qp) :: r(size(x, 2), size(x, 1), 1)
    r(:, :, 1) = transpose(x(:, :, 1))
  end function

  subroutine three_axes(n1, n2, n3)
    integer, intent(in) :: n1, n2, n3
    real(qp), parameter :: bound = 4e-15_qp
    real(dp), parameter :: hgrid(3) = [0.4_dp, 0.5_dp, 0.7_dp], c = 0.3_dp
    integer, parameter :: axes(3, 4) = reshape([0, 0, 0, 0, 1, 0, 1, 1, 0, 1, 1, 1], [3, 4])
    real(dp), allocatable :: x(:, :, :), v(:, :, :), y(:, :, :), z(:, :, :), pot(:, :, :), ww(:)
    real(qp), allocatable :: t(:, :, :, :)
    real(dp) :: stress(6), energy
    real(qp) :: scale
    integer :: free(3), more(3), g, d, ends(3)
    do g = 1, 4
      free = axes(:, g)
      more = 15*free
      x = random(n1 + 1, n2 + 1, n3 + 1)
      v = random(n1 + 1 + more(1), n2 + 1 + more(2), n3 + 1 + more(3))
      pot = random(n1 + 1 + more(1), n2 + 1 + more(2), n3 + 1 + more(3))
      y = x
      z = v
      allocate (ww(size(v)))
      select case (g) ! both forms there and back
      case (1)
        call convolut_magic_n_per(n1, n2, n3, x, z, ww)
        call compare('convolut_magic_n_per', z, all_axes(-8, mf, grow*free, x), bound)
        call convolut_magic_n_per_self(n1, n2, n3, x, z)
        call convolut_magic_t_per(n1, n2, n3, v, y)
        call compare('convolut_magic_t_per', y, all_axes(-7, imf, shrink*free, v), bound)
        call convolut_magic_t_per_self(n1, n2, n3, v, y)
      case (2)
        call convolut_magic_n_slab(n1, n2, n3, x, z, ww)
        call compare('convolut_magic_n_slab', z, all_axes(-8, mf, grow*free, x), bound)
        call convolut_magic_n_slab_self(n1, n2, n3, x, z)
        call convolut_magic_t_slab_self(n1, n2, n3, v, y)
      case (3)
        call convolut_magic_n_wire(n1, n2, n3, x, z, ww)
        call compare('convolut_magic_n_wire', z, all_axes(-8, mf, grow*free, x), bound)
        call convolut_magic_n_wire_self(n1, n2, n3, x, z)
        call convolut_magic_t_wire_self(n1, n2, n3, v, y)
      case (4)
        call convolut_magic_n(n1, n2, n3, x, z)
        call convolut_magic_t(n1, n2, n3, v, y)
      end select
      call compare('three axes, n', z, all_axes(-8, mf, grow*free, x), bound)
      call compare('three axes, t', y, all_axes(-7, imf, shrink*free, v), bound)
      deallocate (ww)

      z = real(all_axes(-8, mf, grow*free, x), dp)
      call convolut_magic_potential(n1, n2, n3, free, pot, x, y, energy)
      call compare('convolut_magic_potential', y, all_axes(-7, imf, shrink*free, pot*z), 2*bound)
      call check('its energy', abs(energy - sum(real(pot, qp)*z*z)), bound*size(z))

      if (g == 4) exit
      ends = zero*free
      if (allocated(t)) deallocate (t)
      allocate (t(n1 + 1, n2 + 1, n3 + 1, 3))
      do d = 1, 3
        t(:, :, :, d) = -0.5_qp/hgrid(d)**2*along(d, -14, d2, ends(d), real(x, qp))
      end do
      scale = bound*sum(abs(d2))*0.5_qp*sum(1/real(hgrid, qp)**2)
      y = 7
      if (g == 1) call convolut_kinetic_per_c(n1, n2, n3, hgrid, x, y, c)
      if (g == 2) call convolut_kinetic_slab_c(n1, n2, n3, hgrid, x, y, c)
      if (g < 3) call compare('kinetic, c', y, sum(t, 4) + c*x, scale)
      y = random(n1 + 1, n2 + 1, n3 + 1)
      z = y
      stress = 7
      if (g == 1) then
        call convolut_kinetic_per_t(n1, n2, n3, hgrid, x, y, stress)
        do d = 1, 3
          call check('energy of an axis', abs(stress(d) - sum(x*t(:, :, :, d))), scale*size(x))
        end do
        call check('the other stresses', real(maxval(abs(stress(4:))), qp), 0._qp)
      else
        if (g == 2) call convolut_kinetic_slab_t(n1, n2, n3, hgrid, x, y, energy)
        if (g == 3) call convolut_kinetic_wire_t(n1, n2, n3, hgrid, x, y, energy)
        call check('kinetic energy', abs(energy - sum(x*sum(t, 4))), scale*size(x))
      end if
      call compare('kinetic, t', y, sum(t, 4) + z, scale)
    end do
  end subroutine

  ! As code calls them that does not know the module: 3D arrays, or from an element on, as rows and columns.
  subroutine external_calls()
    real(dp), allocatable :: x(:, :, :), y(:, :, :), z(:, :, :)
    x = random(6, 4, 5)
    allocate (y(20, 6, 1), z(20, 6, 1))
    call as_external(x, y)
    call convrot_n_per(5, 20, x, z)
    call check('an external procedure', real(maxval(abs(y - z)), qp), 0._qp)
  end subroutine

end program
