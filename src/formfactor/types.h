#define CONVK_FORMFACTOR_STATUS_(item) \
  item(CONVK_ERR_OPEN_MESH, -24, "CONVK_FORM_CLOSED needs a closed mesh") \
  item(CONVK_ERR_FACE, -39, "a face names a vertex that the mesh does not have") \
  item(CONVK_ERR_ORIENTATION, -40, "some faces of a closed mesh are inside out") \
  item(CONVK_ERR_PLACEMENT, -41, "a placement names a mesh that is not there, or its scale is negative")

/* Numbers of results: another one gives other bits. */
#define CONVK_FORMFACTOR_TRIANGLES_ ((size_t)512) /* of a list, whose sum is one of the type; such sums are added in doubles */
#define CONVK_FORMFACTOR_BLOCK_ ((size_t)64)   /* triangles of a grid, whose sum is one of the type; a multiple of all lanes */
#define CONVK_FORMFACTOR_RANGE_ ((size_t)1024) /* triangles on a device, whose sum is one double: a whole number of blocks */
#define CONVK_FORMFACTOR_TOLERANCE_ (1.0 / 1024)    /* of AUTO, as documented */
#define CONVK_FORMFACTOR_FITTED_ (-1)               /* the order that each q needs */
#define CONVK_FORMFACTOR_MEAN_ 32                   /* in place of an order: the mean over the triangle */
#define CONVK_SPHERE_DEGREE_ ((size_t)16384)        /* of a quadrature, at most: 134 million directions */
#define CONVK_MESH_LIMIT_ CONVK_EITHER_(1e18, 1e153) /* of lengths: squares, areas, are numbers of the type */

/* Sizes of what a processor has at hand; they follow from its caches and registers, and change no result. */
#define CONVK_FORMFACTOR_Q_ ((size_t)256) /* vectors of q in a task of a list, at most: 13 numbers of each, 13 or 26 KB */
#define CONVK_FORMFACTOR_SCALED_ 13        /* these numbers, see form_scaled */
#define CONVK_FORMFACTOR_QUANTUM_ \
  ((size_t)16) /* lanes are filled up to as many as the longest vector has; a list to twice that */
#define CONVK_FORMFACTOR_VERTICES_ ((size_t)96) /* whose phases are kept at a time: 4 vectors each, 24 KB of the longest */
#define CONVK_FORMFACTOR_FACES_ ((size_t)256)   /* and triangles between them: closed surfaces have two for each vertex */
#define CONVK_FORMFACTOR_ROWS_ 4 /* rows of a register tile: 4 by 2 vectors of complex sums, half of 32 registers */
#define CONVK_FORMFACTOR_LANES_ ((size_t)1024)    /* q on the lanes' axis of a tile, at most: phases of a block, 0.5 or 1 MB */
#define CONVK_FORMFACTOR_TILE_ROWS_ ((size_t)512) /* and rows: 8 MB of sums in doubles with them; convk_tune tries others */
#define CONVK_FORMFACTOR_LIST_ ((size_t)4096) /* q of a grid that goes by lists, at a time: 6 numbers of each, 0.1 or 0.2 MB */

/* Which surface integral; see formfactor. */
enum {
  CONVK_FORM_AUTO = 0,   /* closed where the mesh is (mesh_measure tells), else open; with corners the order each q needs */
  CONVK_FORM_CLOSED = 1, /* exp(i q.r) - 1 at centroids: exact as q goes to 0; an open mesh is an error */
  CONVK_FORM_OPEN = 2,   /* exp(i q.r) at centroids */
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
  double area;              /* of all triangles */
  double volume;            /* sum of a.r / 3: positive where normals point outward */
  double gap[3];            /* sum of the vector areas: 0 where the mesh is closed */
  double least[3], most[3]; /* coordinates of centroids, and 0 */
  double edge;              /* the longest; 0 where the mesh has no corners */
  int closed;               /* by the edges where the mesh has them, else by |gap|, which may miss faces that are inside out */
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
  int closed;   /* every edge has as many faces in one direction as in the other: what CONVK_FORM_CLOSED needs */
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

/* vectors of q in a task of formfactor, at most; pairs of q in a tile of formfactor_grid */
#define CONVK_FORMFACTOR_TUNING_(parameter) \
  parameter(size_t, formfactor_q, CONVK_TUNE_ROWS) parameter(size_t, formfactor_rows, CONVK_TUNE_ROWS)
#define CONVK_FORMFACTOR_TUNABLES_(tunable) \
  tunable(CONVK_FINDS_FORMFACTOR_, form, formfactor, f32, f32, CONVK_TUNE_SIZES_, 0) \
  tunable(CONVK_FINDS_FORMFACTOR_, form, formfactor, f64, f64, CONVK_TUNE_SIZES_, 0) \
  tunable(CONVK_FINDS_FORMFACTOR_, form, formfactor_grid, f32, f32, CONVK_TUNE_SIZES_, 1) \
  tunable(CONVK_FINDS_FORMFACTOR_, form, formfactor_grid, f64, f64, CONVK_TUNE_SIZES_, 1)

/* Vectors of q that an assembly takes at a time, at most: what its work is for. */
#define CONVK_FORMFACTOR_MANY_ ((size_t)8192)

/* A particle of an assembly: a point v of its mesh lies at scale R v + position.  Zero-initialise it, then set what there is.
   Where the weights of all particles are 0 they are left out, and each counts as 1. */
typedef struct convk_placement {
  size_t mesh; /* which of the assembly's, from 0 */
  double position[3];
  double rotation[9]; /* R in rows; all 0: none.  Whether it is a rotation is the caller's business */
  double scale;       /* positive; 0: 1 */
  double weight[2];   /* complex: contrast, occupancy; 0: not there, beside others that are */
} convk_placement;
