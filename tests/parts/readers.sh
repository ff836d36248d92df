# The readers and writers of examples' files: sourced by run.sh.

part_cube() {
  decided
  $CC -std=c99 $warn $CFLAGS -I. tests/test_cube.c -o $out/cube -lm
  run $out/cube $out/cube.tmp
}

part_stl() {
  decided
  $CC -std=c99 $warn $CFLAGS -I. tests/test_stl.c -o $out/stl -lm
  run $out/stl $out/stl.tmp
}

part_mesh_file() {
  decided
  $CC -std=c99 $warn $CFLAGS -I. tests/test_mesh_file.c -o $out/mesh_file -lm
  run $out/mesh_file $out/mesh_file.tmp
}

part_shapes() {
  decided
  with_library $out/shapes tests/test_shapes.c
  run $out/shapes
}

part_assembly() {
  decided
  $CC -std=c99 $warn $CFLAGS -I. tests/test_assembly.c -o $out/assembly -lm
  run $out/assembly $out/assembly.tmp
}

part_layers() {
  decided
  $CC -std=c99 $warn $CFLAGS -I. tests/test_layers.c -o $out/layers -lm
  run $out/layers $out/layers.tmp
}

part_pgm() {
  $CC -std=c99 $warn $CFLAGS -I. tests/test_pgm.c -o $out/pgm
  run $out/pgm $out/pgm.tmp
}

part_molden() {
  decided
  $CC -std=c99 $warn $CFLAGS -I. tests/test_molden.c -o $out/molden -lm
  run $out/molden
}
