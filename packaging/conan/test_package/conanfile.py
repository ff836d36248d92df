"""Builds the program of tests/consumer with the package, and runs it."""

from pathlib import Path

from conan import ConanFile
from conan.tools.build import can_run
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout


class ConvkTest(ConanFile):
    settings = "os", "compiler", "build_type", "arch"
    generators = "VirtualRunEnv", "PkgConfigDeps"

    def requirements(self):
        self.requires(self.tested_reference_str)

    def layout(self):
        cmake_layout(self)

    def generate(self):
        toolchain = CMakeToolchain(self)
        components = "sepconv" if self.dependencies["convk"].options.header_only else "sepconv;compiled"
        toolchain.cache_variables["CONSUMER_COMPONENTS"] = components
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure(build_script_folder="../../../tests/consumer")
        cmake.build()

    def test(self):
        if can_run(self):
            self.run(str(Path(self.build_folder, self.cpp.build.bindir, "consumer")), env="conanrun")
