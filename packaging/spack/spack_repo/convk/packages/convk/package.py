# Spack 1.0 or later: spack repo add packaging/spack/spack_repo/convk, then spack install convk
import os

from spack.package import *
from spack_repo.builtin.build_systems.cmake import CMakePackage


class Convk(CMakePackage):
    """Compute kernels of nanoscience codes as C headers: one kernel text for portable C, SSE2, AVX, AVX2, AVX-512, OpenCL
    and CUDA."""

    # where the source comes from: the clone that this recipe lies in
    git = "file://" + os.path.abspath(os.path.join(os.path.dirname(__file__), *[".."] * 6))

    license("MIT")

    version("main", branch="main")
    version("0.3.0", tag="v0.3.0")

    variant("compiled", default=False, description="Also a library, convk::compiled")
    variant("shared", default=True, description="The library is a shared one", when="+compiled")
    variant("openmp", default=False, description="The library's handles use the threads of OpenMP", when="+compiled")
    variant("opencl", default=False, description="The library has the hardware opencl", when="+compiled")

    depends_on("c", type="build", when="+compiled")
    depends_on("cmake@3.14:", type="build")
    depends_on("opencl", when="+opencl")

    def cmake_args(self):
        return [
            self.define_from_variant("CONVK_COMPILED", "compiled"),
            self.define_from_variant("BUILD_SHARED_LIBS", "shared"),
            self.define_from_variant("CONVK_OPENMP", "openmp"),
            self.define_from_variant("CONVK_OPENCL", "opencl"),
        ]
