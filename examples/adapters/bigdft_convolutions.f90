! Explicit interfaces of the routines in bigdft.c: `use bigdft_convolutions`, and the compiler checks the arguments.
! Code that calls them as external procedures, without this module, links with bigdft.c as it stands.
! Sizes are last indices: n1 means points 0..n1. Free axes of values have 15 points more, -7..n+8.
module bigdft_convolutions
  use, intrinsic :: iso_c_binding, only: c_int, c_double
  implicit none
  private :: c_int, c_double

  interface
    ! One axis and a rotation: y(j, i) = sum over l of fil(l) x(i + l, j).
    subroutine convrot_n_per(n1, ndat, x, y) bind(c, name='convrot_n_per_')
      import
      integer(c_int), intent(in) :: n1, ndat
      real(c_double), intent(in) :: x(0:n1, ndat)
      real(c_double), intent(inout) :: y(ndat, 0:n1)
    end subroutine
    subroutine convrot_t_per(n1, ndat, x, y) bind(c, name='convrot_t_per_')
      import
      integer(c_int), intent(in) :: n1, ndat
      real(c_double), intent(in) :: x(0:n1, ndat)
      real(c_double), intent(inout) :: y(ndat, 0:n1)
    end subroutine
    subroutine convrot_grow(n1, ndat, x, y) bind(c, name='convrot_grow_')
      import
      integer(c_int), intent(in) :: n1, ndat
      real(c_double), intent(in) :: x(0:n1, ndat)
      real(c_double), intent(inout) :: y(ndat, -7:n1 + 8)
    end subroutine
    subroutine convrot_shrink(n1, ndat, x, y) bind(c, name='convrot_shrink_')
      import
      integer(c_int), intent(in) :: n1, ndat
      real(c_double), intent(in) :: x(-7:n1 + 8, ndat)
      real(c_double), intent(inout) :: y(ndat, 0:n1)
    end subroutine

    ! Three axes, from coefficients to values (n) and back (t): periodic; slab, free along y; wire, free along x and y; free.
    subroutine convolut_magic_n_per(n1, n2, n3, x, y, ww) bind(c, name='convolut_magic_n_per_')
      import
      integer(c_int), intent(in) :: n1, n2, n3
      real(c_double), intent(in) :: x(0:n1, 0:n2, 0:n3)
      real(c_double), intent(inout) :: y(0:n1, 0:n2, 0:n3), ww(*)
    end subroutine
    subroutine convolut_magic_n_per_self(n1, n2, n3, x, y) bind(c, name='convolut_magic_n_per_self_')
      import
      integer(c_int), intent(in) :: n1, n2, n3
      real(c_double), intent(in) :: x(0:n1, 0:n2, 0:n3)
      real(c_double), intent(inout) :: y(0:n1, 0:n2, 0:n3)
    end subroutine
    subroutine convolut_magic_t_per(n1, n2, n3, x, y) bind(c, name='convolut_magic_t_per_')
      import
      integer(c_int), intent(in) :: n1, n2, n3
      real(c_double), intent(in) :: x(0:n1, 0:n2, 0:n3)
      real(c_double), intent(inout) :: y(0:n1, 0:n2, 0:n3)
    end subroutine
    subroutine convolut_magic_t_per_self(n1, n2, n3, x, y) bind(c, name='convolut_magic_t_per_self_')
      import
      integer(c_int), intent(in) :: n1, n2, n3
      real(c_double), intent(in) :: x(0:n1, 0:n2, 0:n3)
      real(c_double), intent(inout) :: y(0:n1, 0:n2, 0:n3)
    end subroutine
    subroutine convolut_magic_n_slab(n1, n2, n3, x, y, ww) bind(c, name='convolut_magic_n_slab_')
      import
      integer(c_int), intent(in) :: n1, n2, n3
      real(c_double), intent(in) :: x(0:n1, 0:n2, 0:n3)
      real(c_double), intent(inout) :: y(0:n1, -7:n2 + 8, 0:n3), ww(*)
    end subroutine
    subroutine convolut_magic_n_slab_self(n1, n2, n3, x, y) bind(c, name='convolut_magic_n_slab_self_')
      import
      integer(c_int), intent(in) :: n1, n2, n3
      real(c_double), intent(in) :: x(*) ! (0:n1, 0:n2, 0:n3), at the beginning of an array that may be larger
      real(c_double), intent(inout) :: y(0:n1, -7:n2 + 8, 0:n3)
    end subroutine
    subroutine convolut_magic_t_slab_self(n1, n2, n3, x, y) bind(c, name='convolut_magic_t_slab_self_')
      import
      integer(c_int), intent(in) :: n1, n2, n3
      real(c_double), intent(in) :: x(0:n1, -7:n2 + 8, 0:n3)
      real(c_double), intent(inout) :: y(0:n1, 0:n2, 0:n3)
    end subroutine
    subroutine convolut_magic_n_wire(n1, n2, n3, x, y, ww) bind(c, name='convolut_magic_n_wire_')
      import
      integer(c_int), intent(in) :: n1, n2, n3
      real(c_double), intent(in) :: x(0:n1, 0:n2, 0:n3)
      real(c_double), intent(inout) :: y(-7:n1 + 8, -7:n2 + 8, 0:n3), ww(*)
    end subroutine
    subroutine convolut_magic_n_wire_self(n1, n2, n3, x, y) bind(c, name='convolut_magic_n_wire_self_')
      import
      integer(c_int), intent(in) :: n1, n2, n3
      real(c_double), intent(in) :: x(*) ! (0:n1, 0:n2, 0:n3), at the beginning of an array that may be larger
      real(c_double), intent(inout) :: y(-7:n1 + 8, -7:n2 + 8, 0:n3)
    end subroutine
    subroutine convolut_magic_t_wire_self(n1, n2, n3, x, y) bind(c, name='convolut_magic_t_wire_self_')
      import
      integer(c_int), intent(in) :: n1, n2, n3
      real(c_double), intent(in) :: x(-7:n1 + 8, -7:n2 + 8, 0:n3)
      real(c_double), intent(inout) :: y(0:n1, 0:n2, 0:n3)
    end subroutine
    subroutine convolut_magic_n(n1, n2, n3, x, y) bind(c, name='convolut_magic_n_')
      import
      integer(c_int), intent(in) :: n1, n2, n3
      real(c_double), intent(in) :: x(0:n1, 0:n2, 0:n3)
      real(c_double), intent(inout) :: y(-7:n1 + 8, -7:n2 + 8, -7:n3 + 8)
    end subroutine
    subroutine convolut_magic_t(n1, n2, n3, x, y) bind(c, name='convolut_magic_t_')
      import
      integer(c_int), intent(in) :: n1, n2, n3
      real(c_double), intent(in) :: x(-7:n1 + 8, -7:n2 + 8, -7:n3 + 8)
      real(c_double), intent(inout) :: y(0:n1, 0:n2, 0:n3)
    end subroutine

    ! y = -1/2 Laplace x + c x; zeros beyond the ends of free axes.
    subroutine convolut_kinetic_per_c(n1, n2, n3, hgrid, x, y, c) bind(c, name='convolut_kinetic_per_c_')
      import
      integer(c_int), intent(in) :: n1, n2, n3
      real(c_double), intent(in) :: hgrid(3), x(0:n1, 0:n2, 0:n3), c
      real(c_double), intent(inout) :: y(0:n1, 0:n2, 0:n3)
    end subroutine
    subroutine convolut_kinetic_slab_c(n1, n2, n3, hgrid, x, y, c) bind(c, name='convolut_kinetic_slab_c_')
      import
      integer(c_int), intent(in) :: n1, n2, n3
      real(c_double), intent(in) :: hgrid(3), x(0:n1, 0:n2, 0:n3), c
      real(c_double), intent(inout) :: y(0:n1, 0:n2, 0:n3)
    end subroutine

    ! y = y - 1/2 Laplace x, and the kinetic energy: of each axis in kstrten(1:3), or the sum.
    subroutine convolut_kinetic_per_t(n1, n2, n3, hgrid, x, y, kstrten) bind(c, name='convolut_kinetic_per_t_')
      import
      integer(c_int), intent(in) :: n1, n2, n3
      real(c_double), intent(in) :: hgrid(3), x(0:n1, 0:n2, 0:n3)
      real(c_double), intent(inout) :: y(0:n1, 0:n2, 0:n3)
      real(c_double), intent(out) :: kstrten(6)
    end subroutine
    subroutine convolut_kinetic_slab_t(n1, n2, n3, hgrid, x, y, ekin) bind(c, name='convolut_kinetic_slab_t_')
      import
      integer(c_int), intent(in) :: n1, n2, n3
      real(c_double), intent(in) :: hgrid(3), x(0:n1, 0:n2, 0:n3)
      real(c_double), intent(inout) :: y(0:n1, 0:n2, 0:n3)
      real(c_double), intent(out) :: ekin
    end subroutine
    subroutine convolut_kinetic_wire_t(n1, n2, n3, hgrid, x, y, ekin) bind(c, name='convolut_kinetic_wire_t_')
      import
      integer(c_int), intent(in) :: n1, n2, n3
      real(c_double), intent(in) :: hgrid(3), x(0:n1, 0:n2, 0:n3)
      real(c_double), intent(inout) :: y(0:n1, 0:n2, 0:n3)
      real(c_double), intent(out) :: ekin
    end subroutine

    ! Not of BigDFT: y = IMF (pot MF x) and epot = <x|pot|x> in one call. free(d) /= 0: axis d is free.
    subroutine convolut_magic_potential(n1, n2, n3, free, pot, x, y, epot) bind(c, name='convolut_magic_potential_')
      import
      integer(c_int), intent(in) :: n1, n2, n3, free(3)
      real(c_double), intent(in) :: pot(*), x(0:n1, 0:n2, 0:n3)
      real(c_double), intent(inout) :: y(0:n1, 0:n2, 0:n3)
      real(c_double), intent(out) :: epot
    end subroutine

    ! One axis of a wavelet transform and a rotation: 2 n + 2 points to n + 1 of s and then of d (ana), and back (syn).
    subroutine ana_rot_per(n, ndat, x, y) bind(c, name='ana_rot_per_')
      import
      integer(c_int), intent(in) :: n, ndat
      real(c_double), intent(in) :: x(0:2*n + 1, ndat)
      real(c_double), intent(inout) :: y(ndat, 0:2*n + 1)
    end subroutine
    subroutine syn_rot_per(n, ndat, x, y) bind(c, name='syn_rot_per_')
      import
      integer(c_int), intent(in) :: n, ndat
      real(c_double), intent(in) :: x(0:2*n + 1, ndat)
      real(c_double), intent(inout) :: y(ndat, 0:2*n + 1)
    end subroutine

    ! Three axes, from points (fine) to coefficients (packed) and back.
    subroutine analyse_per(n1, n2, n3, ww, fine, packed) bind(c, name='analyse_per_')
      import
      integer(c_int), intent(in) :: n1, n2, n3
      real(c_double), intent(inout) :: ww(*), packed(0:n1, 2, 0:n2, 2, 0:n3, 2)
      real(c_double), intent(in) :: fine(0:2*n1 + 1, 0:2*n2 + 1, 0:2*n3 + 1)
    end subroutine
    subroutine analyse_per_self(n1, n2, n3, fine, packed) bind(c, name='analyse_per_self_')
      import
      integer(c_int), intent(in) :: n1, n2, n3
      real(c_double), intent(in) :: fine(0:2*n1 + 1, 0:2*n2 + 1, 0:2*n3 + 1)
      real(c_double), intent(inout) :: packed(0:n1, 2, 0:n2, 2, 0:n3, 2)
    end subroutine
    subroutine synthese_per(n1, n2, n3, ww, packed, fine) bind(c, name='synthese_per_')
      import
      integer(c_int), intent(in) :: n1, n2, n3
      real(c_double), intent(in) :: packed(0:n1, 2, 0:n2, 2, 0:n3, 2)
      real(c_double), intent(inout) :: ww(*), fine(0:2*n1 + 1, 0:2*n2 + 1, 0:2*n3 + 1)
    end subroutine
    subroutine synthese_per_self(n1, n2, n3, packed, fine) bind(c, name='synthese_per_self_')
      import
      integer(c_int), intent(in) :: n1, n2, n3
      real(c_double), intent(in) :: packed(0:n1, 2, 0:n2, 2, 0:n3, 2)
      real(c_double), intent(inout) :: fine(0:2*n1 + 1, 0:2*n2 + 1, 0:2*n3 + 1)
    end subroutine

    ! Complex orbitals at a point k: y = 1/2 (-i grad - k)^2 x + c x; or y = y + 1/2 (-i grad - k)^2 x, and energies of axes.
    subroutine convolut_kinetic_per_c_k(n1, n2, n3, hgrid, x, y, c_in, k1, k2, k3) bind(c, name='convolut_kinetic_per_c_k_')
      import
      integer(c_int), intent(in) :: n1, n2, n3
      real(c_double), intent(in) :: hgrid(3), x(2, 0:n1, 0:n2, 0:n3), c_in, k1, k2, k3
      real(c_double), intent(inout) :: y(2, 0:n1, 0:n2, 0:n3)
    end subroutine
    subroutine convolut_kinetic_per_t_k(n1, n2, n3, hgrid, x, y, kstrten, k1, k2, k3) bind(c, name='convolut_kinetic_per_t_k_')
      import
      integer(c_int), intent(in) :: n1, n2, n3
      real(c_double), intent(in) :: hgrid(3), x(2, 0:n1, 0:n2, 0:n3), k1, k2, k3
      real(c_double), intent(inout) :: y(2, 0:n1, 0:n2, 0:n3)
      real(c_double), intent(out) :: kstrten(6)
    end subroutine

    ! Between segments, which count points from 1, and all coefficients. compress_plain, compress: whole grids, nl = 0, nu = n.
    subroutine uncompress(n1, n2, n3, nseg_c, nvctr_c, keyg_c, keyv_c, nseg_f, nvctr_f, keyg_f, keyv_f, psi_c, psi_f, psig) &
      bind(c, name='uncompress_')
      import
      integer(c_int), intent(in) :: n1, n2, n3, nseg_c, nvctr_c, nseg_f, nvctr_f
      integer(c_int), intent(in) :: keyg_c(2, nseg_c), keyv_c(nseg_c), keyg_f(2, nseg_f), keyv_f(nseg_f)
      real(c_double), intent(in) :: psi_c(nvctr_c), psi_f(7, nvctr_f)
      real(c_double), intent(inout) :: psig(0:n1, 2, 0:n2, 2, 0:n3, 2)
    end subroutine
    subroutine compress_plain(n1, n2, nl1, nu1, nl2, nu2, nl3, nu3, nseg_c, nvctr_c, keyg_c, keyv_c, nseg_f, nvctr_f, keyg_f, &
      keyv_f, psig, psi_c, psi_f) bind(c, name='compress_plain_')
      import
      integer(c_int), intent(in) :: n1, n2, nl1, nu1, nl2, nu2, nl3, nu3, nseg_c, nvctr_c, nseg_f, nvctr_f
      integer(c_int), intent(in) :: keyg_c(2, nseg_c), keyv_c(nseg_c), keyg_f(2, nseg_f), keyv_f(nseg_f)
      real(c_double), intent(in) :: psig(nl1:nu1, 2, nl2:nu2, 2, nl3:nu3, 2)
      real(c_double), intent(inout) :: psi_c(nvctr_c), psi_f(7, nvctr_f)
    end subroutine
    subroutine compress(n1, n2, n3, nl1, nu1, nl2, nu2, nl3, nu3, nseg_c, nvctr_c, keyg_c, keyv_c, nseg_f, nvctr_f, keyg_f, &
      keyv_f, psig, psi_c, psi_f) bind(c, name='compress_')
      import
      integer(c_int), intent(in) :: n1, n2, n3, nl1, nu1, nl2, nu2, nl3, nu3, nseg_c, nvctr_c, nseg_f, nvctr_f
      integer(c_int), intent(in) :: keyg_c(2, nseg_c), keyv_c(nseg_c), keyg_f(2, nseg_f), keyv_f(nseg_f)
      real(c_double), intent(in) :: psig(nl1:nu1, 2, nl2:nu2, 2, nl3:nu3, 2)
      real(c_double), intent(inout) :: psi_c(nvctr_c), psi_f(7, nvctr_f)
    end subroutine
  end interface
end module
