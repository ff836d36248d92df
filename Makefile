# make demo [HW=sse2]     the demo and its picture, build/orbital.png (.ppm without libpng)
# make heat               a hot wire in a cold block, many stencil steps in one call, and its pictures, build/heat.png
# make orbital            an orbital and the density of a molecule on a grid, cube files and a picture, build/water.png
# make gisaxs             X-ray scattering of a triangulated particle, and its pattern, build/gisaxs.png
# make diffraction        light behind a grating, many small convolutions, over FFTW where it is found, and build/diffraction.png
# make blur               a picture as a lens shows it, by tiles of overlap-save, and build/blur.png
# make helium             a drop of helium by variational Monte Carlo, its density and a picture, build/helium.png
# make gpu                calls chained on the arrays of a CUDA device, two streams and a graph; GPU_FLAGS="--n 256 --device 1"
# make gpu-opencl         the same on an OpenCL device, by events of two queues
# make mpi                programs of many processes, build/mpi/heat and others: examples/mpi/README.md; MPICC=mpicc.mpich
# make test               every test that this machine can run
# make build/harness      the test program alone: build/harness --filter TEXT --hw NAME,...
# make check-style        the format of sources, and what clang-tidy finds: tests/style.sh
# make bench              the benchmarks: BENCH_FLAGS="--filter TEXT --quick ..."; MKL=PREFIX to compare with MKL, too
# make bench-cuda         the same on a CUDA device
# make bench-opencl       the same on an OpenCL device; on processors with BENCH_FLAGS=--quick
# make audit-cuda         registers, spills, hot loops and predicted rates of CUDA kernels, from their machine code (nvcc, nvdisasm)
# make audit-opencl       registers, spills and waves of OpenCL kernels, as clang compiles them for AMD and ptxas for NVIDIA
# make count-cuda         what CUDA kernels do to memory, counted without a device: COUNT_FLAGS="--filter TEXT --json FILE"
# make docs               the reference as pages to browse and search, build/docs/index.html, from the comments of the headers
# make headers            joins src/ into the five headers at the top
# make dist               the files of a release, in build/dist: packaging/release.py
# make install PREFIX=... headers, and the packages for CMake and pkg-config
# make clean
# CC, CXX and CFLAGS may be given.  The library itself needs none of this: copy its headers.

CFLAGS ?= -O2
PREFIX ?= /usr/local
HEADERS = $(wildcard convk*.h)
export CC CXX CFLAGS

# What is found is used: $(call have,header,library flags,pkg-config package), each probe made once.
probe = $(shell echo 'int main(void) { return 0; }' | $(CC) $(2) -include $(1) -x c - -o /dev/null $(3) 2>/dev/null && echo yes)
ifneq ($(filter-out clean dist install test check-style headers docs audit-cuda audit-opencl count-cuda build/count_cuda,$(or $(MAKECMDGOALS),demo)),)
  CL_DEFINES = -DCL_TARGET_OPENCL_VERSION=120
  ifeq ($(and $(wildcard convk_cl.h),$(call probe,CL/cl.h,$(CL_DEFINES),-lOpenCL)),yes)
    CL_CFLAGS = -DCONVK_CL $(CL_DEFINES)
    CL_LIBS = -lOpenCL
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
ifneq ($(filter helium build/helium,$(MAKECMDGOALS)),)
  ifeq ($(call probe,omp.h,-fopenmp,-fopenmp),yes)
    OPENMP_CFLAGS = -fopenmp -DCONVK_OPENMP
  endif
endif
PICTURE = build/orbital.$(if $(PNG_LIBS),png,ppm)

.PHONY: audit-cuda audit-opencl count-cuda mpi demo heat orbital gisaxs diffraction blur helium gpu gpu-opencl headers test check-style bench bench-cuda bench-opencl dist docs install clean
demo: build/demo
	build/demo $(if $(HW),--hw $(HW)) --picture $(PICTURE)

heat: build/heat
	build/heat $(if $(HW),--hw $(HW)) --out build/heat

orbital: build/orbital
	build/orbital $(if $(HW),--hw $(HW)) --out build/water

gisaxs: build/gisaxs
	build/gisaxs $(if $(HW),--hw $(HW)) --list --out build/gisaxs.$(if $(PNG_LIBS),png,ppm)

diffraction: build/diffraction
	build/diffraction $(if $(HW),--hw $(HW)) --out build/diffraction.$(if $(PNG_LIBS),png,ppm)

blur: build/blur
	build/blur $(if $(HW),--hw $(HW)) --out build/blur.$(if $(PNG_LIBS),png,ppm)

helium: build/helium
	build/helium 20 --potential hfdhe2 --seed 1 --sweeps 4000 $(if $(HW),--hw $(HW)) --output build/helium

gpu: build/gpu
	build/gpu --graph $(GPU_FLAGS)

gpu-opencl: build/gpu_opencl
	build/gpu_opencl $(GPU_FLAGS)

# The headers are read-only texts: src/ is what is edited.
headers: build/join
	@for h in convk.h convk_sse.h convk_avx.h convk_cl.h convk_cuda.h; do \
	  build/join src $$h >build/joined.h && { cmp -s build/joined.h $$h || cp build/joined.h $$h; } || exit 1; \
	done

docs:
	@command -v sphinx-build >/dev/null || { echo 'make docs: there is no Sphinx: Debian packages python3-sphinx furo python3-myst-parser'; exit 1; }
	python3 docs/reference.py build/docs
	@echo build/docs/index.html

build/harness: $(wildcard tests/*.[ch]) $(HEADERS) Makefile
	@mkdir -p build
	$(CC) -std=c99 -D_GNU_SOURCE -ffp-contract=off $(CFLAGS) -DCONVK_SSE -DCONVK_AVX -I. tests/test.c -o $@ -lm -pthread

build/join: src/join.c Makefile
	@mkdir -p build
	$(CC) -std=c99 $(CFLAGS) $< -o $@

test:
	tests/run.sh

check-style:
	tests/style.sh

bench: build/bench
	build/bench $(BENCH_FLAGS)

audit-opencl:
	python3 tests/bench/audit/audit_opencl.py $(AUDIT_FLAGS)

audit-cuda:
	python3 tests/bench/audit/audit_cuda.py $(AUDIT_FLAGS)

bench-cuda: build/bench_cuda
	build/bench_cuda --predicted tests/bench/audit/cuda.json $(BENCH_FLAGS)

count-cuda: build/count_cuda
	build/count_cuda $(COUNT_FLAGS)

build/count_cuda: tests/bench/audit/count_cuda.cu tests/bench/bench_cuda.cu $(wildcard tests/bench/device*.h tests/cuda_*) tests/count.sh $(HEADERS) Makefile
	@mkdir -p build
	tests/count.sh $@ $< -I.

build/bench_cuda: tests/bench/bench_cuda.cu $(wildcard tests/bench/device*.h) $(HEADERS) Makefile
	@mkdir -p build
	nvcc -O3 -arch=native -I. $< -o $@

bench-opencl: build/bench_opencl
	build/bench_opencl --predicted tests/bench/audit/cuda.json $(BENCH_FLAGS)

build/bench_opencl: tests/bench/bench_opencl.cpp $(wildcard tests/bench/device*.h) $(HEADERS) Makefile
	@mkdir -p build
	$(CXX) -std=c++11 $(CFLAGS) -I. $< -o $@ -lOpenCL

build/gpu: examples/gpu.cu $(wildcard examples/*.h) $(HEADERS) Makefile
	@mkdir -p build
	nvcc -O2 -arch=native -I. $< -o $@

build/gpu_opencl: $(wildcard examples/*.[ch]) $(HEADERS) Makefile
	@mkdir -p build
	$(CC) -std=c99 $(CFLAGS) $(CL_CFLAGS) -I. examples/gpu_opencl.c -o $@ -lOpenCL -lm

build/demo: $(wildcard examples/*.[ch]) $(HEADERS) Makefile
	@mkdir -p build
	$(CC) -std=c99 $(CFLAGS) $(CL_CFLAGS) $(PNG_CFLAGS) -I. examples/demo.c -o $@ $(PNG_LIBS) $(CL_LIBS) -lm

build/heat: $(wildcard examples/*.[ch]) $(HEADERS) Makefile
	@mkdir -p build
	$(CC) -std=c99 $(CFLAGS) $(PNG_CFLAGS) -I. examples/heat.c -o $@ $(PNG_LIBS) -lm

build/orbital: $(wildcard examples/*.[ch]) $(HEADERS) Makefile
	@mkdir -p build
	$(CC) -std=c99 $(CFLAGS) $(PNG_CFLAGS) -I. examples/orbital.c -o $@ $(PNG_LIBS) -lm

build/gisaxs: $(wildcard examples/*.[ch]) $(HEADERS) Makefile
	@mkdir -p build
	$(CC) -std=c99 $(CFLAGS) $(CL_CFLAGS) $(PNG_CFLAGS) -I. examples/gisaxs.c -o $@ $(PNG_LIBS) $(CL_LIBS) -lm

# Their own loops and those around FFTW by the best flags; the kernels of the library do not need them.
build/diffraction: $(wildcard examples/*.[ch]) $(HEADERS) Makefile
	@mkdir -p build
	$(CC) -std=c99 $(CFLAGS) -O3 -march=native $(CL_CFLAGS) $(PNG_CFLAGS) $(FFTWF_CFLAGS) -I. examples/diffraction.c -o $@ $(PNG_LIBS) $(FFTWF_LIBS) $(CL_LIBS) -lm

build/blur: $(wildcard examples/*.[ch]) $(HEADERS) Makefile
	@mkdir -p build
	$(CC) -std=c99 $(CFLAGS) -O3 -march=native $(CL_CFLAGS) $(PNG_CFLAGS) -I. examples/blur.c -o $@ $(PNG_LIBS) $(CL_LIBS) -lm

build/helium: $(wildcard examples/*.[ch]) $(HEADERS) Makefile
	@mkdir -p build
	$(CC) -std=c99 $(CFLAGS) $(OPENMP_CFLAGS) $(CL_CFLAGS) $(PNG_CFLAGS) -I. examples/helium.c -o $@ $(PNG_LIBS) $(CL_LIBS) -lm

# MPI's compiler, and HDF5 as that MPI has it. CUDA=yes: by nvcc, for programs with --hw cuda.
MPICC ?= mpicc
MPI_OUT ?= build/mpi
CUDA_ARCH ?= native
MPI_PROGRAMS = heat filter gisaxs helium orbital
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
$(MPI_OUT)/%: examples/mpi/%.c $(wildcard examples/*.h examples/mpi/*.h) $(HEADERS) Makefile
	@mkdir -p $(MPI_OUT)
	@command -v $(MPICC) >/dev/null || { echo 'make mpi: there is no $(MPICC): Debian packages libopenmpi-dev openmpi-bin, or libmpich-dev mpich'; exit 1; }
	$(MPI_COMPILE) $(CL_CFLAGS) $(MPI_CFLAGS) -I. $< -o $@ $(MPI_LIBS) $(CL_LIBS) -lm
$(MPI_OUT)/gisaxs $(MPI_OUT)/helium $(MPI_OUT)/orbital: MPI_CFLAGS = $(PNG_CFLAGS) $(HDF5_CFLAGS)
$(MPI_OUT)/gisaxs $(MPI_OUT)/helium $(MPI_OUT)/orbital: MPI_LIBS = $(PNG_LIBS) $(HDF5_LIBS)

# Peers of the benchmarks: plain loops by each compiler with its best flags.
ifneq ($(filter bench build/bench,$(MAKECMDGOALS)),)
  NAIVE := $(foreach c,gcc clang,$(if $(shell command -v $(c)),$(foreach t,f32 f64,build/naive_$(t)_$(c).o build/naive_stencil_$(t)_$(c).o)))
  NAIVE += $(if $(shell command -v gcc),$(foreach f,vmath gaussian formfactor,build/naive_$(f)_f32.o build/naive_$(f)_f64.o) $(foreach f,plain fast wide,build/naive_vmc_$(f).o))
  ifeq ($(call probe,sleef.h,,-lsleef),yes)
    NAIVE += build/sleef_vmath.o
    SLEEF_LIBS = -lsleef
  endif
  FFT_LIBS := $(shell pkg-config --libs fftw3f fftw3 2>/dev/null)
  ifneq ($(FFT_LIBS),)
    NAIVE += build/fftw_fft_f32.o build/fftw_fft_f64.o
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
	$(CC) $(FFT_FLAGS) $(shell pkg-config --cflags fftw3f fftw3) -DREAL=$(if $(filter 32,$*),float,double) -DSUFFIX=f$* -c $< -o $@
build/mkl_fft_f%.o: tests/bench/fft_peers.c tests/bench/fft_peer.h Makefile
	@mkdir -p build
	$(CC) $(FFT_FLAGS) -DWITH_MKL -I$(MKL)/include -DREAL=$(if $(filter 32,$*),float,double) -DSUFFIX=f$* -c $< -o $@
build/bench: tests/bench/bench.c $(NAIVE) $(wildcard tests/bench/*.h) $(HEADERS) Makefile
	@mkdir -p build
	$(CC) -std=gnu11 $(CFLAGS) -I. $(filter %.c %.o,$^) -o $@ $(SLEEF_LIBS) $(FFT_LIBS) -lm -pthread

dist:
	packaging/release.py

install:
	@if command -v cmake >/dev/null; then \
	  cmake -S . -B build/install -DCMAKE_INSTALL_PREFIX='$(PREFIX)' >/dev/null && cmake --install build/install; \
	else \
	  mkdir -p '$(DESTDIR)$(PREFIX)/include' && cp $(HEADERS) '$(DESTDIR)$(PREFIX)/include' && \
	  echo "headers installed; the packages for CMake and pkg-config need Debian's cmake"; \
	fi

clean:
	rm -rf build
