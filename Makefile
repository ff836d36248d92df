# make demo [HW=sse2]     the demo and its picture, build/orbital.png (.ppm without libpng)
# make heat               a hot wire in a cold block, many stencil steps in one call, and its pictures, build/heat.png
# make orbital            an orbital and the density of a molecule on a grid, cube files and a picture, build/water.png
# make atoms              orbitals of a flake of graphene, and a crystal of salt, whose atoms it places itself
# make gisaxs             X-ray scattering of a triangulated particle, and its pattern, build/gisaxs.png; --layers FILE: in a film
# make diffraction        light behind a grating, many small convolutions, over FFTW where it is found, and build/diffraction.png
# make blur               a picture as a lens shows it, by tiles of overlap-save, and build/blur.png
# make helium             a drop of helium by variational Monte Carlo, its density and a picture, build/helium.png
# make hamiltonian        an electron in potentials by wavelets and differences, energies, and states, build/hamiltonian.png
# make debye              a gold nanoparticle: distances of its atoms, how it scatters X-rays, and its pair distribution function
# make distances          partial g(r) of a box of ice beyond its edges, or SAXS of a protein by MODEL=protein
# make gallery            examples/gallery: their pictures with axes and scales, by python3-matplotlib from the data that they write
# make gpu                calls chained on the arrays of a CUDA device, two streams and a graph; GPU_FLAGS="--n 256 --device 1"
# make gpu-opencl         the same on an OpenCL device, by events of two queues
# make mpi                programs of many processes, build/mpi/heat and others: examples/mpi/README.md; MPICC=mpicc.mpich
# make check              the part of it that a user wants, in about a minute: the library here, README's program, the demo
# make test               every test that this machine can run
# make test-long          before a release: of all types, compilers and sizes what `make test` does of some, as tests/run.sh says
# make build/harness      the test program alone: build/harness --filter TEXT --hw NAME,...
# make check-style        the format of sources, and what clang-tidy finds: tests/style.sh
# make bench              the benchmarks: BENCH_FLAGS="--filter TEXT --quick ..."; MKL=PREFIX to compare with MKL, too
# make bench-cuda         the same on a CUDA device
# make bench-opencl       the same on an OpenCL device; on processors with BENCH_FLAGS=--quick
# make audit-cuda         registers, spills, hot loops and predicted rates of CUDA kernels, from their machine code (nvcc, nvdisasm)
# make audit-opencl       registers, spills and waves of OpenCL kernels, as clang compiles them for AMD and ptxas for NVIDIA
# make audit-neon         cycles of NEON's kernels and of portable C, predicted by models of processors (qemu-aarch64, llvm-mca)
# make count-cuda         what CUDA kernels do to memory, counted without a device: COUNT_FLAGS="--filter TEXT --json FILE"
# make docs               the reference as pages to browse and search, build/docs/index.html, from the comments of the headers
# make headers            joins src/ into the six headers at the top, and makes the module of Fortran of what they declare
# make single             the headers of processors as one file, build/single/convk_single.h, and as one for each family
# make dist               the files of a release, in build/dist: packaging/release.py
# make wheels             the Python package for Linux, macOS and Windows, in build/wheels, by zig from PyPI: packaging/wheels.py
# make install PREFIX=... headers, convk.hpp, convk.f90, and the packages for CMake and pkg-config
# make clean
# HW=NAME of the first nine: scalar, sse2, avx2, avx512 or neon; of demo, gisaxs, diffraction, blur and helium opencl, too.
# --help of each program has a line for each option: build/gisaxs --help
# CC, CXX and CFLAGS may be given.  The library itself needs none of this: copy its headers.

CFLAGS ?= -O2
PREFIX ?= /usr/local
WHEELS ?= build/wheels
HEADERS = $(wildcard convk*.h)
export CC CXX CFLAGS

# What is found is used: $(call have,header,library flags,pkg-config package), each probe made once.
probe = $(shell echo 'int main(void) { return 0; }' | $(CC) $(2) -include $(1) -x c - -o /dev/null $(3) 2>/dev/null && echo yes)
ifneq ($(filter-out clean dist single wheels install check test test-long check-style headers docs audit-cuda audit-opencl audit-neon count-cuda build/count_cuda,$(or $(MAKECMDGOALS),demo)),)
  CL_DEFINES = -DCL_TARGET_OPENCL_VERSION=120
  ifeq ($(and $(wildcard convk_cl.h),$(call probe,CL/cl.h,$(CL_DEFINES),-lOpenCL)),yes)
    CL_CFLAGS = -DCONVK_CL $(CL_DEFINES)
    CL_LIBS = -lOpenCL
  endif
  ifneq ($(filter gpu-opencl build/gpu_opencl bench-opencl build/bench_opencl,$(MAKECMDGOALS))$(filter opencl opencl:%,$(HW)),)
    $(if $(CL_LIBS),,$(error OpenCL is not found: Debian packages opencl-headers ocl-icd-opencl-dev, and pocl-opencl-icd for processors))
  endif
  PNG_LIBS := $(shell pkg-config --libs libpng 2>/dev/null)
  ifneq ($(PNG_LIBS),)
    PNG_CFLAGS := -DEXAMPLE_HAVE_PNG $(shell pkg-config --cflags libpng)
  endif
  FFTWF_LIBS := $(shell pkg-config --libs fftw3f 2>/dev/null)
  ifneq ($(FFTWF_LIBS),)
    FFTWF_CFLAGS := -DEXAMPLE_HAVE_FFTW $(shell pkg-config --cflags fftw3f)
  endif
endif
ifneq ($(filter helium build/helium gallery,$(MAKECMDGOALS)),)
  ifeq ($(call probe,omp.h,-fopenmp,-fopenmp),yes)
    OPENMP_CFLAGS = -fopenmp -DCONVK_OPENMP
  endif
endif
, := ,
NVCC_PACKAGE = nvidia-cuda-toolkit of the section non-free, or from NVIDIA
tool = @command -v $(1) >/dev/null || { echo 'make $@: there is no $(1): Debian package $(2)' >&2; exit 1; }
PICTURE = build/orbital.$(if $(PNG_LIBS),png,ppm)

.PHONY: audit-cuda audit-opencl audit-neon count-cuda mpi demo heat orbital atoms gisaxs diffraction blur helium hamiltonian debye distances gallery gpu gpu-opencl headers check test test-long check-style bench bench-cuda bench-opencl dist single wheels docs install clean
demo: build/demo
	build/demo $(if $(HW),--hw $(HW)) --picture $(PICTURE)

heat: build/heat
	build/heat $(if $(HW),--hw $(HW)) --out build/heat

orbital: build/orbital
	build/orbital $(if $(HW),--hw $(HW)) --out build/water

atoms: build/atoms
	build/atoms flake $(if $(HW),--hw $(HW)) --out build/flake.cube
	build/atoms salt $(if $(HW),--hw $(HW)) --out build/salt.cube

gisaxs: build/gisaxs
	build/gisaxs $(if $(HW),--hw $(HW)) --list --out build/gisaxs.$(if $(PNG_LIBS),png,ppm)

diffraction: build/diffraction
	build/diffraction $(if $(HW),--hw $(HW)) --out build/diffraction.$(if $(PNG_LIBS),png,ppm)

blur: build/blur
	build/blur $(if $(HW),--hw $(HW)) --out build/blur.$(if $(PNG_LIBS),png,ppm)

helium: build/helium
	build/helium 20 --potential hfdhe2 --seed 1 --sweeps 4000 $(if $(HW),--hw $(HW)) --output build/helium

hamiltonian: build/hamiltonian
	build/hamiltonian $(if $(HW),--hw $(HW)) --out build/hamiltonian.$(if $(PNG_LIBS),png,ppm)

debye: build/debye
	build/debye $(if $(HW),--hw $(HW)) --data build/debye.txt

distances: build/distances
	build/distances $(MODEL) $(if $(HW),--hw $(HW)) --data build/distances.txt

# Plain pictures and other output beside the data are not looked at.
ifneq ($(filter gallery,$(MAKECMDGOALS)),)
  PLOT := $(firstword $(foreach p,python3 /usr/bin/python3,$(shell $(p) -c 'import matplotlib, PIL' 2>/dev/null && echo $(p))))
  ifeq ($(PLOT),)
    $(error make gallery: there is no matplotlib: Debian package python3-matplotlib)
  endif
endif
GALLERY = demo heat orbital flake salt gisaxs layers diffraction blur helium hamiltonian debye ice protein
gallery: $(patsubst %,build/%,$(filter-out flake salt layers ice protein,$(GALLERY)) atoms distances)
	@mkdir -p build/gallery examples/gallery
	build/demo --picture build/gallery/plain --data build/gallery/demo.txt
	build/heat --n 128 --steps 250 --out build/gallery/heat --data build/gallery/heat.txt
	build/orbital --out build/gallery/water --data build/gallery/orbital.txt
	build/atoms flake --data build/gallery/flake.txt
	build/atoms salt --spacing 0.12 --data build/gallery/salt.txt
	build/gisaxs cylinder --rotate y30 --out build/gallery/plain --data build/gallery/gisaxs.txt
	build/gisaxs cylinder:5x10 --layers examples/data/film.txt --qmax 1.6 --out build/gallery/plain --data build/gallery/layers.txt
	build/diffraction 3 --quick --out build/gallery/plain --data build/gallery/diffraction.txt
	build/blur --quick --out build/gallery/plain --data build/gallery/blur.txt
	build/helium 20 --potential hfdhe2 --seed 1 --sweeps 4000 --output build/gallery/helium
	build/hamiltonian --out build/gallery/plain --data build/gallery/hamiltonian.txt
	build/debye --data build/gallery/debye.txt
	build/distances ice --data build/gallery/ice.txt
	build/distances protein --data build/gallery/protein.txt
	for k in $(GALLERY); do $(PLOT) examples/plot/plot.py build/gallery/$$k.txt examples/gallery/$$k.png || exit 1; done

gpu: build/gpu
	build/gpu --graph $(GPU_FLAGS)

gpu-opencl: build/gpu_opencl
	build/gpu_opencl $(GPU_FLAGS)

# The headers are read-only texts: src/ is what is edited.
headers:
	@src/headers.sh
	@if command -v python3 >/dev/null; then src/fortran.py; else echo 'the module of Fortran is not made: Debian package python3'; fi

docs:
	@command -v sphinx-build >/dev/null || { echo 'make docs: there is no Sphinx: Debian packages python3-sphinx furo python3-myst-parser'; exit 1; }
	python3 docs/reference.py build/docs
	@echo build/docs/index.html

# A program is made again, too, when its command is another than the last one: a library is found now, or flags are given.
EXAMPLES = $(addprefix build/,demo heat orbital atoms gisaxs diffraction blur helium hamiltonian debye distances gpu_opencl)
PROGRAMS = $(EXAMPLES) $(addprefix build/,harness bench bench_cuda bench_opencl gpu)
$(PROGRAMS): %: %.command $(HEADERS) Makefile
	$(if $(filter nvcc,$(COMMAND)),$(call tool,nvcc,$(NVCC_PACKAGE)))
	$(COMMAND)
$(EXAMPLES): $(wildcard examples/*.[ch])
%.command: always
	@mkdir -p $(@D)
	@echo '$(subst ','\'',$(COMMAND))' | cmp -s - $@ || echo '$(subst ','\'',$(COMMAND))' >$@
always:
.PHONY: always

build/harness: $(wildcard tests/*.[ch]) tests/objects.sh
build/harness: COMMAND = $(CC) $$(tests/objects.sh --harness make $(CC) -std=gnu99 -D_GNU_SOURCE $(CFLAGS) -DCONVK_SSE -DCONVK_AVX -DCONVK_AVX_WITHOUT_AVX2 -DCONVK_NEON -I.) -o build/harness -lm -pthread

check:
	tests/run.sh check demo embed embed_cpp readme manual headers
test:
	tests/run.sh
test-long:
	TEST_LONG=1 tests/run.sh

check-style:
	tests/style.sh

bench: build/bench
	build/bench $(BENCH_FLAGS)

audit-opencl:
	$(call tool,clang,clang)
	$(call tool,python3,python3)
	python3 tests/bench/audit/audit_opencl.py $(AUDIT_FLAGS)

audit-neon:
	$(call tool,qemu-aarch64,qemu-user)
	$(call tool,python3,python3)
	python3 tests/bench/audit/audit_neon.py $(AUDIT_FLAGS)

audit-cuda:
	$(call tool,nvcc,$(NVCC_PACKAGE))
	$(call tool,python3,python3)
	python3 tests/bench/audit/audit_cuda.py $(AUDIT_FLAGS)

bench-cuda: build/bench_cuda
	build/bench_cuda --predicted tests/bench/audit/cuda.json $(BENCH_FLAGS)

count-cuda: build/count_cuda
	build/count_cuda $(COUNT_FLAGS)

build/count_cuda: tests/bench/audit/count_cuda.cu tests/bench/bench_cuda.cu $(wildcard tests/bench/device*.h tests/cuda_*) tests/count.sh $(HEADERS) Makefile
	@mkdir -p build
	$(call tool,clang++,clang)
	tests/count.sh $@ $< -I.

build/bench_cuda: tests/bench/bench_cuda.cu $(wildcard tests/bench/device*.h)
build/bench_cuda: COMMAND = nvcc -O3 -arch=native -I. tests/bench/bench_cuda.cu -o build/bench_cuda

bench-opencl: build/bench_opencl
	build/bench_opencl --predicted tests/bench/audit/cuda.json $(BENCH_FLAGS)

build/bench_opencl: tests/bench/bench_opencl.cpp $(wildcard tests/bench/device*.h)
build/bench_opencl: COMMAND = $(CXX) -std=c++11 $(CFLAGS) -I. tests/bench/bench_opencl.cpp -o build/bench_opencl -lOpenCL

build/gpu: examples/gpu.cu $(wildcard examples/*.h)
build/gpu: COMMAND = nvcc -O2 -arch=native -I. examples/gpu.cu -o build/gpu

build/gpu_opencl: COMMAND = $(CC) -std=c99 $(CFLAGS) $(CL_CFLAGS) -I. examples/gpu_opencl.c -o build/gpu_opencl -lOpenCL -lm

build/demo: COMMAND = $(CC) -std=c99 $(CFLAGS) $(CL_CFLAGS) $(PNG_CFLAGS) -I. examples/demo.c -o build/demo $(PNG_LIBS) $(CL_LIBS) -lm

build/heat: COMMAND = $(CC) -std=c99 $(CFLAGS) $(PNG_CFLAGS) -I. examples/heat.c -o build/heat $(PNG_LIBS) -lm

build/orbital: COMMAND = $(CC) -std=c99 $(CFLAGS) $(PNG_CFLAGS) -I. examples/orbital.c -o build/orbital $(PNG_LIBS) -lm

build/atoms: COMMAND = $(CC) -std=c99 $(CFLAGS) -I. examples/atoms.c -o build/atoms -lm

build/gisaxs: COMMAND = $(CC) -std=c99 $(CFLAGS) $(CL_CFLAGS) $(PNG_CFLAGS) -I. examples/gisaxs.c -o build/gisaxs $(PNG_LIBS) $(CL_LIBS) -lm

# Their own loops and those around FFTW by the best flags; the kernels of the library do not need them.
build/diffraction: COMMAND = $(CC) -std=c99 $(CFLAGS) -O3 -march=native $(CL_CFLAGS) $(PNG_CFLAGS) $(FFTWF_CFLAGS) -I. examples/diffraction.c -o build/diffraction $(PNG_LIBS) $(FFTWF_LIBS) $(CL_LIBS) -lm

build/blur: COMMAND = $(CC) -std=c99 $(CFLAGS) -O3 -march=native $(CL_CFLAGS) $(PNG_CFLAGS) -I. examples/blur.c -o build/blur $(PNG_LIBS) $(CL_LIBS) -lm

build/helium: COMMAND = $(CC) -std=c99 $(CFLAGS) $(OPENMP_CFLAGS) $(CL_CFLAGS) $(PNG_CFLAGS) -I. examples/helium.c -o build/helium $(PNG_LIBS) $(CL_LIBS) -lm

build/hamiltonian: COMMAND = $(CC) -std=c99 $(CFLAGS) $(PNG_CFLAGS) -I. examples/hamiltonian.c -o build/hamiltonian $(PNG_LIBS) -lm
build/debye: COMMAND = $(CC) -std=c99 $(CFLAGS) -I. examples/debye.c -o build/debye -lm
build/distances: COMMAND = $(CC) -std=c99 $(CFLAGS) -I. examples/distances.c -o build/distances -lm

# MPI's compiler, and HDF5 as that MPI has it. CUDA=yes: by nvcc, for programs with --hw cuda.
MPICC ?= mpicc
MPI_OUT ?= build/mpi
CUDA_ARCH ?= native
MPI_PROGRAMS = debye heat filter gisaxs helium orbital
ifneq ($(filter mpi $(MPI_OUT)/%,$(MAKECMDGOALS)),)
  MPI_KIND := $(if $(findstring mpich,$(shell $(MPICC) -show 2>/dev/null)),mpich,openmpi)
  MPI_HDF5 := $(firstword $(foreach p,hdf5-$(MPI_KIND) hdf5-mpi,$(shell pkg-config --exists $(p) 2>/dev/null && echo $(p))))
  ifneq ($(MPI_HDF5),)
    HDF5_CFLAGS := -DEXAMPLE_HAVE_HDF5 $(shell pkg-config --cflags $(MPI_HDF5))
    HDF5_LIBS := $(shell pkg-config --libs $(MPI_HDF5))
  endif
  ifeq ($(call probe,omp.h,-fopenmp,-fopenmp),yes)
    OPENMP_CFLAGS = -fopenmp -DCONVK_OPENMP
  endif
  ifeq ($(CUDA),yes)
    MPI_COMPILE = OMPI_CC=nvcc MPICH_CC=nvcc $(MPICC) -x cu -O2 -arch=$(CUDA_ARCH) -DCONVK_CUDA -DOMPI_SKIP_MPICXX -DMPICH_SKIP_MPICXX -Xcompiler -ffp-contract=off
    HDF5_CFLAGS := $(filter -D% -I%,$(HDF5_CFLAGS))
  else
    MPI_COMPILE = $(MPICC) -std=c99 $(CFLAGS) $(OPENMP_CFLAGS)
  endif
endif
mpi: $(MPI_PROGRAMS:%=$(MPI_OUT)/%)
$(MPI_PROGRAMS:%=$(MPI_OUT)/%): COMMAND = $(MPI_COMPILE) $(CL_CFLAGS) $(MPI_CFLAGS) -I. examples/mpi/$(*F).c -o $(MPI_OUT)/$(*F) $(MPI_LIBS) $(CL_LIBS) -lm
$(MPI_PROGRAMS:%=$(MPI_OUT)/%): %: %.command $(wildcard examples/*.h examples/mpi/*.[ch]) $(HEADERS) Makefile
	$(call tool,$(MPICC),libopenmpi-dev openmpi-bin$(,) or libmpich-dev mpich)
	$(COMMAND)
$(MPI_OUT)/gisaxs $(MPI_OUT)/helium $(MPI_OUT)/orbital: MPI_CFLAGS = $(PNG_CFLAGS) $(HDF5_CFLAGS)
$(MPI_OUT)/gisaxs $(MPI_OUT)/helium $(MPI_OUT)/orbital: MPI_LIBS = $(PNG_LIBS) $(HDF5_LIBS)

# Peers of the benchmarks: plain loops by each compiler with its best flags.
ifneq ($(filter bench build/bench,$(MAKECMDGOALS)),)
  NAIVE := $(foreach c,gcc clang,$(if $(shell command -v $(c)),$(foreach t,f32 f64,build/naive_$(t)_$(c).o build/naive_stencil_$(t)_$(c).o)))
  NAIVE += $(if $(shell command -v gcc),$(foreach f,vmath gaussian formfactor distances amplitudes,build/naive_$(f)_f32.o build/naive_$(f)_f64.o) $(foreach f,plain fast wide,build/naive_vmc_$(f).o))
  ifeq ($(call probe,sleef.h,,-lsleef),yes)
    NAIVE += build/sleef_vmath.o
    SLEEF_LIBS = -lsleef
  endif
  FFT_LIBS := $(shell pkg-config --libs fftw3f fftw3 2>/dev/null)
  ifneq ($(FFT_LIBS),)
    NAIVE += build/fftw_fft_f32.o build/fftw_fft_f64.o
    ifeq ($(call probe,fftw3.h,,-lfftw3f_threads -lfftw3_threads $(FFT_LIBS) -lm -pthread),yes)
      FFTW_THREADS = -DWITH_FFTW_THREADS
      FFT_LIBS := -lfftw3f_threads -lfftw3_threads $(FFT_LIBS)
    endif
  endif
  ifneq ($(MKL),)
    ifeq ($(wildcard $(MKL)/include/mkl_dfti.h),)
      $(error there is no MKL in $(MKL): no include/mkl_dfti.h)
    endif
    NAIVE += build/mkl_fft_f32.o build/mkl_fft_f64.o
    # after FFTW, whose functions it has, too; its libraries may lack the name without a version
    FFT_LIBS += -Wl,--no-as-needed,-rpath,$(abspath $(MKL)/lib) \
      $(foreach l,intel_lp64 sequential core,$(firstword $(wildcard $(MKL)/lib/libmkl_$(l).so*)))
  endif
endif
build/naive_f32_%.o: tests/bench/naive.c Makefile
	@mkdir -p build
	$* -std=c99 -Ofast -march=native -DREAL=float -DSUFFIX=f32_$* -c $< -o $@
build/naive_f64_%.o: tests/bench/naive.c Makefile
	@mkdir -p build
	$* -std=c99 -Ofast -march=native -DREAL=double -DSUFFIX=f64_$* -c $< -o $@
build/naive_stencil_f32_%.o: tests/bench/naive_stencil.c Makefile
	@mkdir -p build
	$* -std=c99 -O3 -march=native -mprefer-vector-width=512 -DREAL=float -DSUFFIX=f32_$* -c $< -o $@
build/naive_stencil_f64_%.o: tests/bench/naive_stencil.c Makefile
	@mkdir -p build
	$* -std=c99 -O3 -march=native -mprefer-vector-width=512 -DREAL=double -DSUFFIX=f64_$* -c $< -o $@
VMATH_FLAGS = -std=c11 -O3 -ffast-math -fopenmp-simd -march=native -mprefer-vector-width=512 $(if $(SLEEF_LIBS),-DWITH_SLEEF)
build/naive_%_f32.o: tests/bench/naive_%.c Makefile
	@mkdir -p build
	gcc $(VMATH_FLAGS) -DREAL=float -DSUFFIX=f32 -DEND=f -c $< -o $@
build/naive_%_f64.o: tests/bench/naive_%.c Makefile
	@mkdir -p build
	gcc $(VMATH_FLAGS) -DREAL=double -DSUFFIX=f64 -DEND= -c $< -o $@
VMC_FLAGS_fast = -ffast-math
VMC_FLAGS_wide = -ffast-math -mprefer-vector-width=512
build/naive_vmc_%.o: tests/bench/naive_vmc.c Makefile
	@mkdir -p build
	gcc -std=c11 -O3 -march=native $(VMC_FLAGS_$*) -DSUFFIX=$* -c $< -o $@
build/sleef_vmath.o: tests/bench/sleef_vmath.c Makefile
	@mkdir -p build
	$(CC) -std=c99 -O3 -march=native -c $< -o $@
FFT_FLAGS = -std=gnu11 -O3 -march=native -mprefer-vector-width=512
build/fftw_fft_f%.o: tests/bench/fft_peers.c tests/bench/fft_peer.h Makefile
	@mkdir -p build
	$(CC) $(FFT_FLAGS) $(FFTW_THREADS) $(shell pkg-config --cflags fftw3f fftw3) -DREAL=$(if $(filter 32,$*),float,double) -DSUFFIX=f$* -c $< -o $@
build/mkl_fft_f%.o: tests/bench/fft_peers.c tests/bench/fft_peer.h Makefile
	@mkdir -p build
	$(CC) $(FFT_FLAGS) -DWITH_MKL -I$(MKL)/include -DREAL=$(if $(filter 32,$*),float,double) -DSUFFIX=f$* -c $< -o $@
build/bench: tests/bench/bench.c $(NAIVE) $(wildcard tests/bench/*.h)
$(NAIVE): build/bench.command
build/bench: COMMAND = $(CC) -std=gnu11 $(CFLAGS) -I. tests/bench/bench.c $(NAIVE) -o build/bench $(SLEEF_LIBS) $(FFT_LIBS) -lm -pthread

dist:
	packaging/release.py

single:
	$(call tool,python3,python3)
	packaging/single.py

wheels:
	$(call tool,python3,python3)
	packaging/wheels.py --folder $(WHEELS)

install:
	@if command -v cmake >/dev/null; then \
	  cmake -S . -B build/install -DCMAKE_INSTALL_PREFIX='$(PREFIX)' >/dev/null && cmake --install build/install; \
	else \
	  mkdir -p '$(DESTDIR)$(PREFIX)/include' && cp $(HEADERS) examples/adapters/convk.hpp '$(DESTDIR)$(PREFIX)/include' && \
	  mkdir -p '$(DESTDIR)$(PREFIX)/share/convk' && cp examples/adapters/convk.f90 examples/adapters/convk_fortran.c '$(DESTDIR)$(PREFIX)/share/convk' && \
	  echo "headers installed; the packages for CMake and pkg-config need Debian's cmake"; \
	fi

clean:
	rm -rf build
