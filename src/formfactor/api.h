#define CONVK_FORMFACTOR_STATUS_(item) \
  item(CONVK_ERR_OPEN_MESH, -24, "the closed form needs a closed mesh") \
  item(CONVK_ERR_FACE, -39, "a face names a vertex that the mesh does not have") \
  item(CONVK_ERR_ORIENTATION, -40, "some faces of a closed mesh are inside out") \
  item(CONVK_ERR_PLACEMENT, -41, "a placement names a mesh that is not there, or its scale is negative")

/* Numbers of results: another one gives other bits. */
#define CONVK_FORMFACTOR_TRIANGLES_ ((size_t)512) /* of a list, whose sum is one of the type; such sums are added in doubles */
#define CONVK_FORMFACTOR_BLOCK_ ((size_t)64)      /* triangles of a grid, whose sum is one of the type; a multiple of all lanes */
#define CONVK_FORMFACTOR_RANGE_ ((size_t)1024)    /* triangles on a device, whose sum is one double: a whole number of blocks */
#define CONVK_FORMFACTOR_TOLERANCE_ (1.0 / 1024)  /* of AUTO, as documented */
#define CONVK_FORMFACTOR_FITTED_ (-1)             /* the order that each q needs */
#define CONVK_FORMFACTOR_MEAN_ 32                 /* in place of an order: the mean over the triangle */
#define CONVK_SPHERE_DEGREE_ ((size_t)16384) /* of a quadrature, at most: 134 million directions */
#define CONVK_MESH_MOST_ CONVK_EITHER_(1e18, 1e153) /* of lengths: squares, areas, are numbers of the type */
/* Sizes of what a processor has at hand; they follow from its caches and registers, and change no result. */
#define CONVK_FORMFACTOR_Q_ ((size_t)256)         /* vectors of q in a task of a list, at most: 13 numbers of each, 13 or 26 KB */
#define CONVK_FORMFACTOR_GIVEN_ 13                /* these numbers, see form_given */
#define CONVK_FORMFACTOR_QUANTUM_ ((size_t)16)    /* lanes are filled up to as many as the longest vector has; a list to twice that */
#define CONVK_FORMFACTOR_VERTICES_ ((size_t)96)   /* whose phases are kept at a time: 4 vectors each, 24 KB of the longest */
#define CONVK_FORMFACTOR_FACES_ ((size_t)256)     /* and triangles between them: closed surfaces have two for each vertex */
#define CONVK_FORMFACTOR_ROWS_ 4                  /* rows of a register tile: 4 by 2 vectors of complex sums, half of 32 registers */
#define CONVK_FORMFACTOR_LANES_ ((size_t)1024)    /* q on the lanes' axis of a tile, at most: phases of a block, 0.5 or 1 MB */
#define CONVK_FORMFACTOR_TILE_ROWS_ ((size_t)512) /* and rows: 8 MB of sums in doubles with them; convk_tune tries others */
#define CONVK_FORMFACTOR_LIST_ ((size_t)4096)     /* q of a grid that goes by lists, at a time: 6 numbers of each, 0.1 or 0.2 MB */

/* Which surface integral; see formfactor. */
enum {
  CONVK_FORM_AUTO = 0,   /* closed where the mesh is (mesh_measure tells), else open; with corners the order each q needs */
  CONVK_FORM_CLOSED = 1, /* exp(i q.r) - 1: exact for small q; an open mesh is an error */
  CONVK_FORM_OPEN = 2,   /* exp(i q.r) */
  CONVK_FORM_EXACT = 3   /* every triangle exactly, for q of any size; closed where the mesh is; needs corners */
};

/* Options of the form factors; all 0 (or NULL for the struct) is the default. */
typedef struct convk_formfactor_options {
  int form;  /* CONVK_FORM_AUTO ... */
  int order; /* 2, 4, 8, 12 or 16: of a series about the centroid of each triangle, needs corners; 0: as the form says.  With 2
                the error falls from (q h)^2 to (q h)^4 */
} convk_formfactor_options;

/* What a mesh is, in sums of doubles. */
typedef struct convk_mesh_measures {
  double area;   /* of all triangles */
  double volume; /* sum of a.r / 3: positive where normals point outward */
  double gap[3]; /* sum of the vector areas: 0 where the mesh is closed */
  double least[3], most[3]; /* coordinates of centroids, and 0 */
  double edge;   /* the longest; 0 where the mesh has no corners */
  int closed;    /* by the edges where the mesh has them, else whether |gap| is explained by roundings */
} convk_mesh_measures;

/* Polyhedra of mesh_polyhedron. */
enum {
  CONVK_MESH_TETRAHEDRON = 0,
  CONVK_MESH_CUBE = 1,
  CONVK_MESH_OCTAHEDRON = 2,
  CONVK_MESH_DODECAHEDRON = 3,
  CONVK_MESH_ICOSAHEDRON = 4
};

/* What mesh_check finds of an indexed mesh.  An edge joins two different vertices, whichever way; a face's edges run from its
   first vertex to its second and so on. */
typedef struct convk_mesh_report {
  size_t edges;
  size_t border;     /* edges of one face: here the mesh is open */
  size_t turned;     /* edges along which two faces run in the same direction: one of them is inside out */
  size_t crowded;    /* edges of more than two faces, as where two bodies touch */
  size_t degenerate; /* faces without area */
  size_t unused;     /* vertices of no face */
  double area, volume;
  int closed;   /* every edge has as many faces in one direction as in the other: what the closed form needs */
  int manifold; /* and just one in each */
} convk_mesh_report;

#if CONVK_HAS_FORMFACTOR_
/* Bytes of work of mesh_join and mesh_check, also for fewer vertices and faces.  hw: for messages, or NULL.  Errors: NULL,
   OVERFLOW, HANDLE. */
CONVK_API_ int convk_mesh_work_size(convk *hw, size_t vertices, size_t faces, size_t *bytes);

/* How many directions sphere_quadrature gives.  hw: for messages, or NULL.  Errors: NULL, OPTION (half), OVERFLOW (degree above
   16384), HANDLE. */
CONVK_API_ int convk_sphere_directions(convk *hw, size_t degree, int half, size_t *directions);

/* A bound for what an order (0, 2, 4, 8, 12 or 16) leaves out of F at |q|, relative to F(0); of an open mesh relative to the
   cube of its longest edge, so that it grows with the area.  For complex q times the greatest exp(-Im q.r).  It holds for the
   worst of all triangles of that edge: real meshes stay below, by a factor of 3 to 1000.
   hw         for messages, or NULL
   measures   of a mesh with corners
   Errors: NULL, OPTION (order), HANDLE. */
CONVK_API_ int convk_formfactor_error(convk *hw, const convk_mesh_measures *measures, double q, int order, double *error);
#endif

/* The form factor F(q) = integral over the body of exp(i q.r) of a triangulated surface, for a list of q:
     F(q) = -(i / |q|^2) sum_t (conj(q).a_t) [exp(i q.r_t) - 1]      (the -1 only for closed meshes, whose a_t sum to 0)
   by the divergence theorem and one point per triangle (A. Sarje, X. S. Li, A. Hexemer, Tuning HipGISAXS on multi and many core
   supercomputers, PMBS 2013, equations 1 and 2, in the form that holds for complex q too).
   mesh      lengths in any unit; also without triangles (F = 0)
   q         any number of vectors, in the inverse unit; z_imag as in an absorbing film; x_imag and y_imag need corners
   options   NULL for the default.  form: AUTO, CLOSED, OPEN, EXACT.  order 2: a factor 1 - sum_i (q.d_i)^2 / 24 per triangle,
             d_i from the centroid to the corners.  Higher ones: more terms of that series
   What a triangle counts by: with CLOSED, OPEN and meshes without corners, its centroid, or the series of the given order.
   EXACT integrates exp(i q.r) over each triangle: for every q the order of the series (2 to 16) that leaves less than roundings
   do, as convk_formfactor_error tells from |q| and the longest edge, and beyond |q| edge = 2 a closed form by the phases of the
   corners, each taken once where the mesh has faces.  AUTO with corners does the same to 2^-10 of F(0) (of an open mesh: of a
   sixth of area times longest edge), and so takes centroids where |q| is small.  Each F depends on its own q alone.
   f         q->n complex numbers, real and imaginary part in turn; overlaps nothing
   F(0) is the volume, in every form; |q| below 1e-154 counts as 0.  Threads: blocks of q.
   Errors: NULL (also corners that are needed), OPTION, NONFINITE (q), COORDINATE (mesh), OPEN_MESH (CLOSED asked for),
   RANGE (some |q.r| above 2^22 pi (f32) or 2^51 pi (f64), whose phases have no digits left, or exp(-Im q.r) or a sum of it may
   overflow), OVERFLOW, OVERLAP, MEMORY, HANDLE, THREADS.
   Accuracy of EXACT, over F(0) times the greatest exp(-Im q.r): 1e-15 to 9e-15 (f64), 5e-7 to 1.4e-6 (f32; 2.5e-6 where
   corners come from arrays).  Of the sum else: phases
   to 4 eps (|qx x| + |qy y| + |qz z|), sine and cosine to 2 eps; f32 sums 512 triangles in f32 and
   those sums in f64.  That of the quadrature is (q h)^2 for triangles of size h, or (q h)^4.  The origin belongs into or near
   the body: errors grow with |q.r|, at small q as eps |r| / size of the volume, and where exp(-Im q.r) is small everywhere the
   closed form keeps digits relative to the volume only.  Else shift the mesh by -d and multiply F by exp(i q.d).
   Work: 43 flops per triangle and q, 65 with complex qz; order 4 takes 1.8, 8 2.1, 12 and 16 2.6 to 3 times as long, the closed
   form 1.5 to 6 times (least where all edges are many turns long).
   Source of the closed form: divided differences of exp (Hermite, Genocchi); for polyhedra see J. Wuttke, J. Appl. Cryst. 54,
   580 (2021). */
#define CONVK_OP_FORMFACTOR_(op) \
  op(form, REAL, formfactor, formfactor, \
     (convk *hw, const convk_mesh *mesh, const convk_q *q, const convk_formfactor_options *options, CONVK_T *f), \
     (hw, mesh, q, options, f))

/* The form factor on the tensor grid of q->x[i], q->y[j], q->z[k] + i q->z_imag[k]: phases are products of three factors, and
   the sum over triangles becomes a product of complex matrices with 6 multiply-adds per triangle and q and hardly any sine.
   grid      nx, ny, nz values on the axes of q; pitches in complex elements, x contiguous
   q         nx, ny, nz values in x, y, z, and nz in z_imag or NULL; n is not looked at, x_imag and y_imag are NULL
   options   as for the list, but that AUTO takes centroids.  Order 2: 10 multiply-adds instead of 6, at about 0.6 of the rate,
             and corners.  Means over triangles (EXACT) and higher orders are no products over the axes, or of too many terms:
             they go by lists of q, with memory of their own; not for arrays on a device (OPTION)
   f         complex element (i, j, k) at i + j pitch_y + k pitch_z; overlaps nothing
   work      formfactor_grid_work_size bytes
   Threads: rows of the grid.  Errors as formfactor, and SIZE, PITCH, WORK.
   Accuracy: as formfactor; phases to 4 eps each; order 2 takes (q.d_i)^2 apart by powers of q on the longest axis, and
   errs by eps of the squares of |qx dx| + |qy dy| + |qz dz|. */
#define CONVK_OP_FORMFACTOR_GRID_(op) \
  op(form, REAL, formfactor_grid, formfactor_grid, \
     (convk *hw, const convk_mesh *mesh, const convk_grid3 *grid, const convk_q *q, const convk_formfactor_options *options, \
      CONVK_T *f, void *work, size_t work_size), \
     (hw, mesh, grid, q, options, f, work, work_size))

/* The operations of this family; see core/operations.h. */
#define CONVK_FORMFACTOR_OPERATIONS_(op) \
  CONVK_OP_FORMFACTOR_(op) \
  CONVK_OP_FORMFACTOR_GRID_(op)

/* vectors of q in a task of formfactor, at most; pairs of q in a tile of formfactor_grid */
#define CONVK_FORMFACTOR_TUNING_(parameter) parameter(size_t, formfactor_q, ROWS) parameter(size_t, formfactor_rows, ROWS)
#define CONVK_FORMFACTOR_TUNABLES_(tunable) \
  tunable(FORMFACTOR, form, formfactor, f32, F32, CONVK_TUNE_SIZES_, 0) \
  tunable(FORMFACTOR, form, formfactor, f64, F64, CONVK_TUNE_SIZES_, 0) \
  tunable(FORMFACTOR, form, formfactor_grid, f32, F32, CONVK_TUNE_SIZES_, 1) \
  tunable(FORMFACTOR, form, formfactor_grid, f64, F64, CONVK_TUNE_SIZES_, 1)

/* Vectors of q that an assembly takes at a time, at most: what its work is for. */
#define CONVK_FORMFACTOR_MANY_ ((size_t)8192)

/* A particle of an assembly: a point v of its mesh lies at scale R v + position.  Zero-initialise it, then set what there is.
   Where the weights of all particles are 0 they are left out, and each counts as 1. */
typedef struct convk_placement {
  size_t mesh;        /* which of the assembly's, from 0 */
  double position[3];
  double rotation[9]; /* R in rows; all 0: none.  Whether it is a rotation is the caller's business */
  double scale;       /* positive; 0: 1 */
  double weight[2];   /* complex: contrast, occupancy; 0: not there, beside others that are */
} convk_placement;
