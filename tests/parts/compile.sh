# Compile tests: ways to include the headers: sourced by run.sh.

# Units that declare, implement and leave out.
part_modes() {
  need c++ "$CXX" g++
  CFLAGS='-O0' tests/modes.sh $out/modes
}

# Sections of the compile tests, side by side with other parts.
compile() { CONVK_REQUIRE=$require JOBS=1 tests/compile.sh "$1"; }
part_compile_code() { compile code; }
part_compile_text() { compile text; }
part_compile_defines() { compile defines; }
part_compile_time() { compile time; }
