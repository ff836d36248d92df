"""Conan 2 recipe of the clone that it lies in: conan create packaging/conan [-o "convk/*:header_only=False"]."""

import re
from pathlib import Path

from conan import ConanFile
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import copy


class Convk(ConanFile):
    name = "convk"
    description = "Compute kernels of nanoscience codes"
    license = "MIT"
    topics = ("hpc", "simd", "convolution", "header-only")
    settings = "os", "compiler", "build_type", "arch"
    languages = "C"
    package_type = "library"
    implements = ["auto_header_only"]
    options = {
        "header_only": [True, False],
        "shared": [True, False],
        "families": ["ANY"],  # of the library, as CONVK_FAMILIES: "sepconv;fft", or "all"
        "precisions": ["ANY"],  # f32, f64, or "all"
    }
    default_options = {"header_only": True, "shared": False, "families": "all", "precisions": "all"}

    def set_version(self):
        text = Path(self.recipe_folder, "../../convk.h").read_text(encoding="utf-8")
        parts = re.findall(r"^#define CONVK_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)$", text, re.M)
        self.version = ".".join(parts)

    def export_sources(self):
        for pattern in ("convk*.h", "CMakeLists.txt", "LICENSE", "packaging/convk.c", "packaging/cmake/*",
                        "examples/adapters/convk.hpp", "examples/adapters/convk*.f90", "examples/adapters/convk_fortran.c"):
            copy(self, pattern, Path(self.recipe_folder, "../..").resolve(), self.export_sources_folder)

    def configure(self):
        if self.options.header_only:
            for option in ("shared", "families", "precisions"):
                self.options.rm_safe(option)

    def layout(self):
        self.folders.root = "../.."
        cmake_layout(self)

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables["CONVK_COMPILED"] = not self.options.header_only
        for option in ("families", "precisions"):
            chosen = str(self.options.get_safe(option, "all"))
            toolchain.cache_variables[f"CONVK_{option.upper()}"] = "" if chosen == "all" else chosen
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()
        copy(self, "LICENSE", self.source_folder, Path(self.package_folder, "licenses"))

    def package_info(self):
        # find_package(convk) finds the files that CMakeLists.txt installs, with their components; others get the same defines
        self.cpp_info.set_property("cmake_find_mode", "none")
        installed = "share/pkgconfig/convk.pc" if self.options.header_only else "lib/pkgconfig/convk-compiled.pc"
        flags = Path(self.package_folder, installed).read_text(encoding="utf-8")
        self.cpp_info.defines = re.findall(r"-D(\S+)", flags)
        if self.options.header_only:
            self.cpp_info.builddirs = ["share/cmake/convk"]
            self.cpp_info.bindirs = self.cpp_info.libdirs = []
        else:
            self.cpp_info.builddirs = ["lib/cmake/convk"]
            self.cpp_info.libs = ["convk"]
