/* Vectors of q: n numbers in each array.  For a tensor grid the arrays have the values on its axes, and n is ignored.
   Imaginary parts that are all 0 may be NULL. */
typedef struct convk_q {
  size_t n;
  const CONVK_T *x, *y, *z;
  const CONVK_T *x_imag, *y_imag, *z_imag;
} convk_q;

/* Directions: unit vectors, n numbers in each array, and their weights; NULL means that all weights are equal. */
typedef struct convk_directions {
  size_t n;
  CONVK_T *x, *y, *z, *weight;
} convk_directions;

/* Vertices, and faces of three vertices each, which run anticlockwise as seen from outside the body.  convk_mesh_join makes
   it of triangles. */
typedef struct convk_indexed_mesh {
  size_t vertices, faces;
  CONVK_T *x, *y, *z; /* of the vertices */
  uint32_t *face;     /* three vertices of each face, from 0 */
} convk_indexed_mesh;

/* Triangles as structure of arrays: vector area a = (v1 - v0) x (v2 - v0) / 2, which is area times outward unit normal, the
   centroid r, and optionally two corners from it, u = v0 - r and w = v1 - r, or NULL.  Corners are needed by CONVK_FORM_EXACT,
   by an order, and by imaginary parts of qx and qy; CONVK_FORM_AUTO uses them where they are there, and is less exact without
   them.  convk_mesh_assign sets the pointers, convk_mesh_from_triangles or convk_mesh_from_faces fills the arrays.
   indexed: NULL, or the same triangles as n faces, whose edges tell whether the mesh is closed.  Calls on host arrays need no
   more, {.n = faces, .indexed = &m}: they make the arrays that are NULL of the faces. */
typedef struct convk_mesh {
  size_t n;
  CONVK_T *ax, *ay, *az, *x, *y, *z;
  CONVK_T *ux, *uy, *uz, *wx, *wy, *wz;
  const convk_indexed_mesh *indexed;
} convk_mesh;

/* Particles: meshes, each in its own coordinates, and the places of their copies. */
typedef struct convk_assembly {
  size_t meshes, placements;
  const convk_mesh *mesh;
  const convk_placement *placement;
} convk_assembly;

/* The waves of formfactor_dwba, n of each array.  Amplitudes are complex numbers, real and imaginary part in turn. */
typedef struct convk_dwba {
  size_t n;
  const CONVK_T *qx, *qy;
  const CONVK_T *kz_in, *kz_in_imag; /* z components of wave vectors in the particles' layer; imaginary parts or NULL: 0 */
  const CONVK_T *kz_out, *kz_out_imag;
  const CONVK_T *t_in, *t_out; /* of the transmitted waves; NULL: 1 */
  const CONVK_T *r_in, *r_out; /* of the reflected waves; NULL: 0 */
} convk_dwba;

/* The form factor F(q) = integral over the body of exp(i q.r) of a triangulated surface, for a list of q:
     F(q) = -(i / |q|^2) sum_t (conj(q).a_t) [exp(i q.r_t) - 1]      (the -1 only for closed meshes, whose a_t sum to 0)
   by the divergence theorem and one point per triangle (A. Sarje, X. S. Li, A. Hexemer, Tuning HipGISAXS on multi and many core
   supercomputers, PMBS 2013, equations 1 and 2, in the form that holds for complex q too).
   mesh      lengths in any unit; also without triangles (F = 0)
   q         any number of vectors, in the inverse unit; z_imag as in an absorbing film; x_imag and y_imag need corners
   options   NULL for the default.  form: AUTO, CLOSED, OPEN, EXACT.  The default, AUTO, is accurate to 0.001 of F(0) only, and
             without corners less: ask for EXACT for full precision.  order 2: a factor 1 - sum_i (q.d_i)^2 / 24 per triangle,
             d_i from the centroid to the corners.  Higher ones: more terms of that series
   What a triangle counts by: with CLOSED, OPEN and meshes without corners, its centroid, or the series of the given order.
   EXACT integrates exp(i q.r) over each triangle: for every q the order of the series (2 to 16) that leaves less than roundings
   do, as convk_formfactor_error tells from |q| and the longest edge, and beyond |q| edge = 2 a formula in the phases of the
   corners, each taken once where the mesh has faces.  AUTO with corners does the same to 2^-10 of F(0) (of an open mesh: of a
   sixth of area times longest edge), and so takes centroids where |q| is small.  Each F depends on its own q alone.
   f         q->n complex numbers, real and imaginary part in turn; overlaps nothing
   F(0) is the volume, in every form; |q| below 1e-154 counts as 0.  Threads: blocks of q.
   Errors: NULL (also corners that are needed), OPTION, NONFINITE (q), COORDINATE (mesh), OPEN_MESH (CLOSED asked for),
   RANGE (some |q.r| above 2^22 pi (f32) or 2^51 pi (f64), whose phases have no digits left, or exp(-Im q.r) or a sum of it may
   overflow), OVERFLOW, OVERLAP, MEMORY (of devices: processors allocate nothing), HANDLE, THREADS.
   Accuracy of EXACT, over F(0) times the greatest exp(-Im q.r): 2e-14 (f64) and 2e-6 (f32), twice as much where corners come
   from arrays or the origin lies beside the body.  Tests hold it to that; measured were at most 9e-15 and 1.4e-6, and 2.5e-6
   where corners come from arrays.
   For the other forms, rounding errors are: phases to 4 eps (|qx x| + |qy y| + |qz z|), sine and cosine to 2 eps; f32 sums 512
   triangles in f32 and those sums in f64.  The error of the quadrature is (q h)^2 for triangles of size h, with order 2
   (q h)^4.  The origin belongs into or near the body: errors grow with |q.r|, at small q as eps |r| / size of the volume, and
   where exp(-Im q.r) is small everywhere CLOSED keeps digits relative to the volume only.
   Else shift the mesh by -d and multiply F by exp(i q.d).
   Work: 43 flops per triangle and q, 65 with complex qz; order 4 takes 1.8, 8 2.1, 12 and 16 2.6 to 3 times as long, the
   formula in corners 1.5 to 6 times (least where all edges are many turns long), whose source is divided differences of exp
   (Hermite, Genocchi); for polyhedra see J. Wuttke, J. Appl. Cryst. 54, 580 (2021). */
CONVK_OPERATION_ int convk_formfactor(convk *hw, const convk_mesh *mesh, const convk_q *q,
                                      const convk_formfactor_options *options, CONVK_T *f);

/* The form factor on the tensor grid of q->x[i], q->y[j], q->z[k] + i q->z_imag[k]: phases are products of three factors, and
   the sum over triangles becomes a product of complex matrices with 6 multiply-adds per triangle and q and hardly any sine.
   grid      nx, ny, nz values on the axes of q; pitches in complex elements, x contiguous
   q         nx, ny, nz values in x, y, z, and nz in z_imag or NULL; n is not looked at, x_imag and y_imag are NULL
   options   as for the list, but that AUTO takes centroids: errors of (q h)^2, not of 0.001.  Order 2: 10 multiply-adds in
             place of 6, at about 0.6 of the rate, and corners.  Means over triangles (EXACT) and higher orders go by lists of
             q, with memory that the call allocates; not for arrays on a device (OPTION)
   f         complex element (i, j, k) at i + j pitch_y + k pitch_z; overlaps nothing
   work      formfactor_grid_work_size bytes
   Threads: rows of the grid.  Errors as formfactor, and SIZE, PITCH, WORK.
   Accuracy: as formfactor; phases to 4 eps each; order 2 takes (q.d_i)^2 apart by powers of q on the longest axis, and
   errs by eps of the squares of |qx dx| + |qy dy| + |qz dz|. */
CONVK_OPERATION_ int convk_formfactor_grid(convk *hw, const convk_mesh *mesh, const convk_grid3 *grid, const convk_q *q,
                                           const convk_formfactor_options *options, CONVK_T *f, void *work, size_t work_size);

/* ---- meshes: these calls need no handle.  hw may be NULL, or an open handle (else HANDLE) whose message says what was
   wrong ---- */

/* Points the arrays of a mesh of n triangles into storage of 6 n elements, or of 12 n with corners.
   corners  whether the mesh has u and w, too
   Errors: NULL, OVERFLOW. */
CONVK_API_ int convk_mesh_assign(convk *hw, size_t n, int corners, CONVK_T *storage, convk_mesh *mesh);

/* Fills a mesh of mesh->n triangles from their corners: nine numbers a triangle, v0 v1 v2 as x y z, seen from outside
   anticlockwise, which nothing here checks: mesh_join and mesh_check do.  The arrays of corners may be NULL.  Computed in
   doubles, rounded once.  Triangles without area are kept; they add nothing to a form factor.  Errors: NULL, OVERFLOW,
   COORDINATE (not finite), RANGE (beyond 1e18 or 1e153), OVERLAP. */
CONVK_API_ int convk_mesh_from_triangles(convk *hw, const CONVK_T *corners, const convk_mesh *mesh);

/* Fills a mesh of mesh->n triangles, as mesh_from_triangles does, from the faces of mesh->indexed.  Errors: NULL, SIZE (faces
   are not n), OVERFLOW, FACE (a vertex that is not there), COORDINATE, RANGE, OVERLAP. */
CONVK_API_ int convk_mesh_from_faces(convk *hw, const convk_mesh *mesh);

/* Joins triangles, given by their corners as for mesh_from_triangles, into vertices and faces: corners with the same bits are
   one vertex (0 and -0, too), in the order in which they first come.
   mesh   faces: how many triangles; x, y, z: room for 3 faces numbers each; face: room for 3 faces; `vertices` is written
   work   mesh_work_size bytes for no vertices and these faces, or NULL
   Errors: NULL, OVERFLOW (also above 2^30 faces), COORDINATE, RANGE, OVERLAP, WORK, MEMORY. */
CONVK_API_ int convk_mesh_join(convk *hw, const CONVK_T *corners, convk_indexed_mesh *mesh, void *work, size_t work_size);

/* The inverse of mesh_join: writes the corners of all faces, nine numbers for each, as mesh_from_triangles takes them.
   Errors: NULL, OVERFLOW, FACE, COORDINATE, RANGE, OVERLAP. */
CONVK_API_ int convk_mesh_corners(convk *hw, const convk_indexed_mesh *mesh, CONVK_T *corners);

/* Looks at every edge and face: whether the mesh is closed and its faces agree on what is outside, and how much it encloses.
   work   mesh_work_size bytes, or NULL
   Errors: NULL, OVERFLOW, FACE, COORDINATE, RANGE, OVERLAP, WORK, MEMORY. */
CONVK_API_ int convk_mesh_check(convk *hw, const convk_indexed_mesh *mesh, convk_mesh_report *report, void *work,
                                size_t work_size);

/* Area, volume, gap, extent, and whether the mesh is closed.  Errors: NULL, SIZE, OVERFLOW, FACE, COORDINATE (not finite),
   RANGE, OVERLAP. */
CONVK_API_ int convk_mesh_measure(convk *hw, const convk_mesh *mesh, convk_mesh_measures *measures);

/* ---- ready meshes: closed, with normals outward, centred at the origin; prisms, pyramids and cylinders stand along z ----
   mesh   where x, y, z and face are all NULL, only `vertices` and `faces` are written: how many the mesh will have.  Else these
          two say for how many the arrays have room, and are set to how many there are
   Flat faces have as few triangles as possible.  The same bits everywhere.  Lengths are positive, 1e18 (f32) or 1e153 at most.
   Errors of all: NULL, NONFINITE (a length), SIZE (a length that is not positive, too little room, or as below), RANGE (a
   length, a corner), OVERFLOW (above 2^30 faces), OVERLAP. */

/* A box with sides a, b and c along x, y and z: 8 vertices, 12 faces. */
CONVK_API_ int convk_mesh_box(convk *hw, double a, double b, double c, convk_indexed_mesh *mesh);

/* A pyramid on a rectangle with sides a and b along x and y, cut off where it is `top` times as large as its base.  top 1 makes
   a box, 0 a pyramid with its tip, of 5 vertices and 6 faces.  Errors: also SIZE, top outside 0 .. 1. */
CONVK_API_ int convk_mesh_pyramid(convk *hw, double a, double b, double height, double top, convk_indexed_mesh *mesh);

/* A prism on a regular polygon of n edges, the first of its corners on the x axis: 2 n vertices, 4 n - 4 faces.  Errors: also
   SIZE, n below 3. */
CONVK_API_ int convk_mesh_prism(convk *hw, size_t n, double edge, double height, convk_indexed_mesh *mesh);

/* A cylinder; with another radius at its top the frustum of a cone, and with 0 there a cone.  Its circles are polygons of n
   corners, so that the share (2 pi / n)^2 / 6 of the volume is missing.  It has 2 n vertices and 4 n - 4 faces, a cone n + 1
   and 2 n - 2.  Errors: also SIZE, n below 3. */
CONVK_API_ int convk_mesh_cylinder(convk *hw, double radius, double height, double top, size_t n, convk_indexed_mesh *mesh);

/* A sphere: an icosahedron whose edges are cut into n >= 1 parts, with all 10 n^2 + 2 vertices on the sphere.  Its 20 n^2 faces
   have edges of up to 1.31 radius / n, and the share 0.55 / n^2 of the volume is missing. */
CONVK_API_ int convk_mesh_sphere(convk *hw, double radius, size_t n, convk_indexed_mesh *mesh);

/* An ellipsoid with half axes rx, ry and rz: the mesh of mesh_sphere, stretched. */
CONVK_API_ int convk_mesh_ellipsoid(convk *hw, double rx, double ry, double rz, size_t n, convk_indexed_mesh *mesh);

/* A regular polyhedron.  Axes of order 2 or 4 are x, y and z.
   kind   CONVK_MESH_TETRAHEDRON ...
   edge   its length, before corners are cut off
   cut    0, or the length that is cut off at either end of each edge, up to edge / 2.  edge / 2 makes a cuboctahedron of an
          octahedron or a cube, and an icosidodecahedron of an icosahedron or a dodecahedron.  edge / 3 makes all edges equal
          where the faces are triangles
   If the polyhedron has V vertices and E edges, the mesh has V vertices without a cut, 2 E with one, and E with edge / 2.  It
   has twice as many faces as vertices, less 4.
   Errors: also OPTION (kind), SIZE (cut). */
CONVK_API_ int convk_mesh_polyhedron(convk *hw, int kind, double edge, double cut, convk_indexed_mesh *mesh);

/* Rotates a mesh: every vector v becomes R v, with R in rows.  The form factor of the rotated mesh is F(R^T q), so that a
   turned particle can be computed on a tensor grid of q.
   out: a mesh of as many triangles, or the same one (in place).  Corners are rotated if both meshes have them.  Of out->indexed
   only the edges are used, and it is not rotated; all arrays must then be there, corners included.
   Errors: NULL, OVERFLOW, SIZE (another n), NONFINITE (R, of which it is not checked whether it is a rotation), OVERLAP (arrays
   that are not the same). */
CONVK_API_ int convk_mesh_rotate(convk *hw, const convk_mesh *mesh, const double rotation[9], const convk_mesh *out);

/* Bytes of work of formfactor_grid on this handle (NULL: serial), also for smaller grids; of q only whether z_imag is there.
   Of devices: 0.  Errors: NULL, SIZE, PITCH, OVERFLOW, HANDLE. */
CONVK_API_ int convk_formfactor_grid_work_size(convk *hw, const convk_grid3 *grid, const convk_q *q, size_t *bytes);

/* ---- many particles: these functions call formfactor of the same handle, so that they run on all hardware.  They have no
   kernels of their own, and no functions named for one instruction set ---- */

/* Bytes of work of the functions below for `count` vectors of q: q->n of formfactor_assembly, nq directions->n of
   formfactor_powder, 4 waves->n of formfactor_dwba, also for fewer.  At most 2 MB, 80 bytes for each placement and 1000 for
   each mesh.  hw: for messages, or NULL.  Errors: NULL, OVERFLOW, HANDLE. */
CONVK_API_ int convk_formfactor_assembly_work_size(convk *hw, const convk_assembly *assembly, size_t count, size_t *bytes);

/* The form factor of an assembly of particles, for a list of q:
     F(q) = sum_k f_k,  f_k = c_k exp(i q.R_k) s_k^3 F_mesh(s_k R_k^T q)      (coherent)
     intensity(q) = sum_k |f_k|^2                                             (incoherent)
   with c the weight, R position and rotation, s the scale of a particle.
   q, options  as formfactor, without x_imag and y_imag.  A rotation about another axis than z turns z_imag into
               imaginary parts of all components, and then needs a mesh with corners or faces
   f           q->n complex numbers, or NULL
   intensity   q->n numbers, or NULL, but not both
   work        formfactor_assembly_work_size bytes for q->n vectors
   For particles with the same mesh, rotation and scale the form factor is computed once, and multiplied by their structure
   factor sum_k c_k exp(i q.R_k).  Sums are in doubles, in the order of mesh, rotation, scale and number, whatever the threads.
   Errors: as formfactor, and PLACEMENT, COORDINATE (a position), NONFINITE (weight, rotation, scale), RANGE (a number beyond
   1e18 or 1e153, or phases q.R), WORK.
   Accuracy: formfactor's, and phases to 4 eps (|qx x| + |qy y| + |qz z|); a structure factor to a few eps of sum |c|: with
   absorption the origin belongs to the height where waves are strongest.
   Work: each group of particles as formfactor, and 43 flops per particle and q, 65 with complex qz or weights.  On devices
   three calls of formfactor for each group's structure factor, six with complex weights. */
CONVK_API_ int convk_formfactor_assembly(convk *hw, const convk_assembly *assembly, const convk_q *q,
                                         const convk_formfactor_options *options, CONVK_T *f, CONVK_T *intensity, void *work,
                                         size_t work_size);

/* Directions over the sphere and their weights, a rule for averages over orientations: sum_j weight[j] f(n[j]) is the mean of f
   over the sphere, exactly for all spherical harmonics up to a degree.  Gauss and Legendre's nodes in z, from the north pole
   down, and at each degree + 1 equal angles: floor(degree / 2) + 1 rings.  In doubles, rounded once; the same bits everywhere.
   half    0, or 1: only rings at z >= 0, for functions with f(-n) = f(n), as |F|^2 of particles whose weights are real: half
           the directions
   directions   n: for how many its arrays have room, at least sphere_directions; how many there are is written there.  weight:
           NULL where it is not wanted
   hw      for messages, or NULL, also below
   Which degree: take q d and a little more, where d is the distance from end to end of all particles together.  For boxes,
   tetrahedra and rods with q d up to 50, the relative error of the powder average is at most 1e-2 with degree q d, 1e-5 with
   q d + 10, and 2e-9 with q d + 20.  At q d = 100 it is a hundred times as large.
   Errors: NULL, OPTION (half), OVERFLOW (degree above 16384), SIZE (room), OVERLAP, HANDLE.  Accuracy (f64): averages of
   spherical harmonics with a mean square of 1 to 1e-15 up to degree 30, 2e-15 up to 60. */
CONVK_API_ int convk_sphere_quadrature(convk *hw, size_t degree, int half, convk_directions *directions);

/* directions->n directions, any number, spread evenly over the sphere, or with half over z >= 0: a spiral with the golden
   section between turns (A. Gonzalez, Math. Geosci. 42, 49 (2010)).  Weights are equal, and written unless NULL.  Use it
   where the number of directions is fixed: powder averages err by 1e-2 to 1e-4 where as many directions of sphere_quadrature
   reach 1e-5.  Errors: NULL, OPTION (half), OVERFLOW, OVERLAP, HANDLE. */
CONVK_API_ int convk_sphere_spiral(convk *hw, int half, const convk_directions *directions);

/* The average over orientations, as of a powder or a solution, by a quadrature of the sphere: intensity[i] = sum_j weight[j]
   |F(q[i] n[j])|^2, F that of formfactor_assembly.
   q           nq values
   directions  n[j], also none, with weights whose sum should be 1; without them each counts as 1 / directions->n.
               sphere_quadrature and sphere_spiral give them, and say how many are enough
   work        formfactor_assembly_work_size bytes for nq directions->n vectors
   Sums over j are in doubles, in order.  Errors: as formfactor_assembly. */
CONVK_API_ int convk_formfactor_powder(convk *hw, const convk_assembly *assembly, size_t nq, const CONVK_T *q,
                                       const convk_directions *directions, const convk_formfactor_options *options,
                                       CONVK_T *intensity, void *work, size_t work_size);

/* The distorted-wave Born approximation for particles in one layer of a film (Rauscher, Salditt, Spohn, Phys. Rev. B 52, 16855
   (1995); Renaud, Lazzari, Leroy, Surf. Sci. Rep. 64, 255 (2009), equation of the four terms):
     f = t_in t_out F(q, kz_out - kz_in) + t_in r_out F(q, -kz_out - kz_in)
       + r_in t_out F(q, kz_out + kz_in) + r_in r_out F(q, -kz_out + kz_in),   q = (qx, qy), F that of formfactor_assembly
   waves       of the scattered vector out less the incident vector in: kz_in is that of the incident wave going down, Re < 0
               where z points up, kz_out that of the wave going up.  The amplitudes are those at z = 0
   f           waves->n complex numbers
   work        formfactor_assembly_work_size bytes for 4 waves->n vectors
   F has exp(+i q.r), so waves are exp(-i k.r), n = 1 - delta - i beta and in layers that absorb Im kz_in >= 0 >= Im kz_out.
   With waves exp(i k.r) and n = 1 - delta + i beta give minus qx, qy, kz_in and kz_out.
   Terms whose amplitude is 0 are not computed, and vectors of q that come again within 2048 entries of the list only once.
   Errors: as formfactor_assembly, and NONFINITE (an amplitude). */
CONVK_API_ int convk_formfactor_dwba(convk *hw, const convk_assembly *assembly, const convk_dwba *waves,
                                     const convk_formfactor_options *options, CONVK_T *f, void *work, size_t work_size);
