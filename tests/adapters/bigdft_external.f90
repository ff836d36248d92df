! A caller that knows no module, as those in BigDFT.
subroutine as_external(x, y)
  implicit none
  real(kind=8), intent(in) :: x(6, 4, 5)
  real(kind=8), intent(out) :: y(20, 6)
  external :: convrot_n_per
  call convrot_n_per(5, 4*5, x, y)
end subroutine
