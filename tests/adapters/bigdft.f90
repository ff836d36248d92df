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
  real(qp), parameter :: low(-7:8) = [ &
    -3.382415951005002595457699235919135e-3_qp, -5.421323318000106893478369440173479e-4_qp, &
    3.169508781152599143142570752391597e-2_qp, 7.607487324976608191921008012192384e-3_qp, &
    -1.432942383512726628440955443992740e-1_qp, -6.127335906781107784304676907365841e-2_qp, &
    4.813596512590533915895685802649845e-1_qp, 7.771857516996280286243335666392108e-1_qp, &
    3.644418948361789367595594323842960e-1_qp, -5.194583810788180073571072906256343e-2_qp, &
    -2.721902991710348632196412421624688e-2_qp, 4.913717967373028678691098815516544e-2_qp, &
    3.808752013894489463071922223049694e-3_qp, -1.495225833706219911849029822472599e-2_qp, &
    -3.029205147241330812639124399571850e-4_qp, 1.889950332767689184274432603245581e-3_qp]
  real(qp), parameter :: half1(0:14) = [ &
    0._qp, 8.834460460908270942785855643941099e-1_qp, &
    -3.032593514765938346887962440931661e-1_qp, 1.063640682894442760934532284702983e-1_qp, &
    -3.129014783948023634381563995259325e-2_qp, 6.958379116450707495020407536758242e-3_qp, &
    -1.031530213375445369097964780217146e-3_qp, 7.667706908380351933901775234801820e-5_qp, &
    2.451992111053665419191564123434446e-7_qp, 3.993810456408053712133667496514168e-8_qp, &
    -7.207948238588481597101904067961163e-8_qp, -9.697184925637300947553068758362746e-10_qp, &
    -7.252206916665149851135591529994604e-13_qp, 1.240078536096648534547438612731567e-14_qp, &
    -1.585464751677102510097179308121927e-19_qp]
  real(qp) :: imf(-7:8), d2(-14:14), d1(-14:14), high(-7:8)
  integer :: passed = 0, failed = 0, i, j, k, seed_size
  integer, parameter :: sizes(*) = [0, 1, 4, 7, 14, 15, 16, 17, 20, 33], widths(*) = [1, 3, 8, 19]

  imf = mf(7:-8:-1)
  d2 = [half(14:1:-1), half]
  d1 = [-half1(14:1:-1), half1]
  high = low(8:-7:-1)
  high(-7:7:2) = -high(-7:7:2)
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
  do i = 1, 7
    call wavelets(i - 1, modulo(3*i, 5), modulo(2*i, 7))
    call points_k(3 + 5*i, i, 9 - i)
    call segments(4 + i, modulo(3*i, 5), modulo(2*i, 7))
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

  ! Periodic wavelets along axis d: s before d, and back.
  function analysed(d, x) result(r)
    integer, intent(in) :: d
    real(qp), intent(in) :: x(:, :, :)
    real(qp) :: r(size(x, 1), size(x, 2), size(x, 3))
    integer :: i, l, m, h
    r = 0
    h = size(x, d)/2
    do i = 0, h - 1
      do l = -7, 8
        m = modulo(2*i + l, 2*h) + 1
        select case (d)
        case (1)
          r(i + 1, :, :) = r(i + 1, :, :) + low(l)*x(m, :, :)
          r(h + i + 1, :, :) = r(h + i + 1, :, :) + high(l)*x(m, :, :)
        case (2)
          r(:, i + 1, :) = r(:, i + 1, :) + low(l)*x(:, m, :)
          r(:, h + i + 1, :) = r(:, h + i + 1, :) + high(l)*x(:, m, :)
        case (3)
          r(:, :, i + 1) = r(:, :, i + 1) + low(l)*x(:, :, m)
          r(:, :, h + i + 1) = r(:, :, h + i + 1) + high(l)*x(:, :, m)
        end select
      end do
    end do
  end function

  subroutine wavelets(n1, n2, n3)
    integer, intent(in) :: n1, n2, n3
    real(qp), parameter :: bound = 4e-15_qp
    real(dp), allocatable :: x(:, :, :), y(:, :, :), z(:, :, :), ww(:)
    real(qp), allocatable :: want(:, :, :)
    x = random(2*n1 + 2, (n2 + 1)*(n3 + 1), 1)
    allocate (y((n2 + 1)*(n3 + 1), 2*n1 + 2, 1))
    call ana_rot_per(n1, size(x, 2), x, y)
    want = analysed(1, real(x, qp))
    call compare('ana_rot_per', y, turned(want), bound)
    z = random(size(x, 2), 2*n1 + 2, 1)
    call syn_rot_per(n1, size(x, 2), real(want, dp), z)
    call compare('syn_rot_per', z, turned(real(x, qp)), bound)
    x = random(2*n1 + 2, 2*n2 + 2, 2*n3 + 2)
    y = x
    z = x
    want = analysed(3, analysed(2, analysed(1, real(x, qp))))
    allocate (ww(size(x)))
    call analyse_per(n1, n2, n3, ww, x, y)
    call compare('analyse_per', y, want, bound)
    call analyse_per_self(n1, n2, n3, x, z)
    call compare('analyse_per_self', z, want, bound)
    call synthese_per(n1, n2, n3, ww, y, z)
    call compare('synthese_per', z, real(x, qp), 2*bound)
    call synthese_per_self(n1, n2, n3, y, z)
    call compare('synthese_per_self', z, real(x, qp), 2*bound)
  end subroutine

  ! 1/2 (-i grad - k)^2 of a complex array, by its parts.
  subroutine points_k(n1, n2, n3)
    integer, intent(in) :: n1, n2, n3
    real(dp), parameter :: hgrid(3) = [0.4_dp, 0.5_dp, 0.7_dp], k(3) = [0.3_dp, -0.2_dp, 0.15_dp], c = 0.35_dp
    real(dp), allocatable :: re(:, :, :), im(:, :, :), x(:, :, :, :), y(:, :, :, :), y0(:, :, :, :)
    real(qp), allocatable :: t(:, :, :, :, :)
    real(dp) :: stress(6)
    real(qp) :: scale
    integer :: d
    re = random(n1 + 1, n2 + 1, n3 + 1)
    im = random(n1 + 1, n2 + 1, n3 + 1)
    allocate (x(2, n1 + 1, n2 + 1, n3 + 1), t(2, n1 + 1, n2 + 1, n3 + 1, 3))
    x(1, :, :, :) = re
    x(2, :, :, :) = im
    do d = 1, 3
      t(1, :, :, :, d) = -0.5_qp/hgrid(d)**2*along(d, -14, d2, periodic, real(re, qp)) &
        - k(d)/real(hgrid(d), qp)*along(d, -14, d1, periodic, real(im, qp)) + 0.5_qp*k(d)**2*re
      t(2, :, :, :, d) = -0.5_qp/hgrid(d)**2*along(d, -14, d2, periodic, real(im, qp)) &
        + k(d)/real(hgrid(d), qp)*along(d, -14, d1, periodic, real(re, qp)) + 0.5_qp*k(d)**2*im
    end do
    scale = 4e-15_qp*sum(abs(d2))*sum(1/real(hgrid, qp)**2)
    y = x
    call convolut_kinetic_per_c_k(n1, n2, n3, hgrid, x, y, c, k(1), k(2), k(3))
    call check('convolut_kinetic_per_c_k', maxval(abs(y - sum(t, 5) - c*real(x, qp))), scale)
    y0 = x*2
    y = y0
    stress = 7
    call convolut_kinetic_per_t_k(n1, n2, n3, hgrid, x, y, stress, k(1), k(2), k(3))
    call check('convolut_kinetic_per_t_k', maxval(abs(y - sum(t, 5) - y0)), scale)
    do d = 1, 3
      call check('energy at a point k', abs(stress(d) - sum(x*t(:, :, :, :, d))), scale*size(x))
    end do
    call check('the other stresses at a point k', real(maxval(abs(stress(4:))), qp), 0._qp)
  end subroutine

  ! One coarse and one fine segment in each row of the grid, with gaps.
  subroutine segments(n1, n2, n3)
    integer, intent(in) :: n1, n2, n3
    integer, allocatable :: keyg(:, :, :), keyv(:, :)
    real(dp), allocatable :: psi(:), other(:), psig(:, :, :, :, :, :), want(:, :, :, :, :, :), psi_f(:, :)
    integer :: nseg, nv(2), row, i, i2, i3, f, at, b
    nseg = (n2 + 1)*(n3 + 1)
    allocate (keyg(2, nseg, 2), keyv(nseg, 2), psig(0:n1, 2, 0:n2, 2, 0:n3, 2), want(0:n1, 2, 0:n2, 2, 0:n3, 2))
    nv = 0
    do f = 1, 2
      do row = 1, nseg
        keyg(:, row, f) = (row - 1)*(n1 + 1) + [1 + modulo(row, 2), n1 + 2 - f]
        keyv(row, f) = nv(f) + 1
        nv(f) = nv(f) + keyg(2, row, f) - keyg(1, row, f) + 1
      end do
    end do
    allocate (psi(nv(1) + 7*nv(2)))
    call random_number(psi)
    psi_f = reshape(psi(nv(1) + 1:), [7, nv(2)])
    want = 0
    do row = 1, nseg
      i2 = modulo(row - 1, n2 + 1)
      i3 = (row - 1)/(n2 + 1)
      do f = 1, 2
        do at = 0, keyg(2, row, f) - keyg(1, row, f)
          i = modulo(keyg(1, row, f) + at - 1, n1 + 1)
          if (f == 1) want(i, 1, i2, 1, i3, 1) = psi(keyv(row, 1) + at)
          do b = 1, 7*(f - 1)
            want(i, 1 + iand(b, 1), i2, 1 + iand(ishft(b, -1), 1), i3, 1 + ishft(b, -2)) = psi_f(b, keyv(row, 2) + at)
          end do
        end do
      end do
    end do
    psig = 7
    call uncompress(n1, n2, n3, nseg, nv(1), keyg(:, :, 1), keyv(:, 1), nseg, nv(2), keyg(:, :, 2), keyv(:, 2), &
      psi, psi_f, psig)
    call check('uncompress', real(maxval(abs(psig - want)), qp), 0._qp)
    psi_f = 7
    other = 7 + psi
    call compress(n1, n2, n3, 0, n1, 0, n2, 0, n3, nseg, nv(1), keyg(:, :, 1), keyv(:, 1), nseg, nv(2), &
      keyg(:, :, 2), keyv(:, 2), psig, other, psi_f)
    call check('compress, coarse', real(maxval(abs(other(:nv(1)) - psi(:nv(1)))), qp), 0._qp)
    call check('compress, fine', real(maxval(abs(psi_f - reshape(psi(nv(1) + 1:), [7, nv(2)]))), qp), 0._qp)
    other = 7 + psi
    call compress_plain(n1, n2, 0, n1, 0, n2, 0, n3, nseg, nv(1), keyg(:, :, 1), keyv(:, 1), nseg, nv(2), &
      keyg(:, :, 2), keyv(:, 2), psig, other, other(nv(1) + 1))
    call check('compress_plain', real(maxval(abs(other - psi)), qp), 0._qp)
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
