/* The state of a run, in memory of the caller: plain data without pointers, at any alignment, which may be copied, written to a
   file and read again on a machine of the same byte order. */
typedef struct convk_vmc_state convk_vmc_state;

/* v[i] = V(r[i]) for i = 0 .. n - 1, by the same arithmetic as pair_energy.
   r, v   of n elements at any alignment; in place: v == r, else they must not overlap
   Distances below 1 / 256 count as 1 / 256, and those beyond 2^50 (f64) or 2^20 (f32) count as that number, infinity too.  NaN
   gives NaN.  For negative distances the result has no meaning.  With Lennard-Jones in f32, V at 1 / 256 must fit the type:
   epsilon sigma^12 <= 7.5e7 (neon, not argon).
   Errors: NULL, OVERFLOW, OVERLAP, OPTION (kind), NONFINITE, POTENTIAL, RANGE (a constant does not fit the type), HANDLE.
   Accuracy: predefined potentials to 4e-15 (f64) and 3e-6 (f32) of the sum of the magnitudes of their terms. */
CONVK_OPERATION_ int convk_pair_potential(convk *hw, const convk_pair_potential *potential, size_t n, const CONVK_T *r,
                                          CONVK_T *v);

/* The pair sums of a wave function and its local energy, for many walkers, in one pass over the pairs:
     ln Psi = sum over i < j of u(r_ij),  V = sum of V(r_ij),  g_i = grad_i ln Psi = sum over j of u'(r_ij) (r_i - r_j) / r_ij,
     L = sum over i of lap_i ln Psi = 2 sum over i < j of u'' + 2 u' / r,  T = -hbar2_2m (L + sum of |g_i|^2)
   system     particles, trial function, potential, box, cutoff; see convk_pair_system
   walkers    their number and where coordinates lie
   want       what to compute: CONVK_PAIR_LN_PSI, CONVK_PAIR_POTENTIAL_ENERGY, CONVK_PAIR_GRADIENT, CONVK_PAIR_LAPLACIAN,
              CONVK_PAIR_KINETIC, or 0 for all
   r          coordinates at any alignment; finite, at most 2^28 (f64) or 2^14 (f32) in magnitude.  In a box any image will do
   result     of `walkers` elements
   gradient   NULL, or laid out as r: g of all particles, with CONVK_PAIR_GRADIENT
   work       pair_energy_work_size bytes
   r, result and gradient must not overlap.  Distances below 1 / 256 count as 1 / 256, so that all results are finite.
   Threads: walkers, or blocks of one walker's pairs where walkers would leave threads idle.
   Errors: NULL, SIZE (no particles), PARTICLES (one), PITCH, OVERFLOW, OPTION, NONFINITE (parameters), BOX, POTENTIAL, RANGE (a
   coordinate or a constant is too large for the type), COORDINATE (not finite), OVERLAP, WORK, MEMORY, HANDLE, THREADS.
   Accuracy: f64 terms to 1e-14; sums in a fixed order, the same for every number of threads and, within a class, all CPU
   variants.
   f32: coordinates, pair terms and sums of up to 64 of them in f32, all other sums in f64: about 1e-6 of the sum of magnitudes.
   Work: about 60 flops per pair.  Exponentials are computed for near pairs only (HFD-B: 9.3 A; f32: 6.4 A), and for all pairs
   within a block if most of them are near.
   Source: W. L. McMillan, Phys. Rev. 138, A442, 1965. */
CONVK_OPERATION_ int convk_pair_energy(convk *hw, const convk_pair_system *system, const convk_pair_walkers *walkers, int want,
                                       const CONVK_T *r, convk_pair_result *result, CONVK_T *gradient, void *work,
                                       size_t work_size);

/* What would change if one particle moved, in O(N): the difference of ln Psi, after less before, and the gradient of ln Psi at
   this particle before and after.
   particle   its number, the same in all walkers
   r          coordinates, as pair_energy
   to         x y z of the new place, walker after walker
   result     of `walkers` elements; overlaps nothing
   Errors: as pair_energy, and INDEX (no such particle).  Nothing is changed but result.  Serial. */
CONVK_OPERATION_ int convk_pair_move(convk *hw, const convk_pair_system *system, const convk_pair_walkers *walkers,
                                     size_t particle, const CONVK_T *r, const CONVK_T *to, convk_pair_move_result *result);

/* Moves one particle, in O(N).
   accept     NULL: in all walkers; else of `walkers` bytes: only where it is not 0
   r          coordinates, which are changed
   gradient   NULL, or laid out as r: grad ln Psi of all particles, which is updated.  Rounding errors of many moves add up;
              pair_energy computes the gradient anew
   Errors: as pair_move. */
CONVK_OPERATION_ int convk_pair_accept(convk *hw, const convk_pair_system *system, const convk_pair_walkers *walkers,
                                       size_t particle, const CONVK_T *to, const unsigned char *accept, CONVK_T *r,
                                       CONVK_T *gradient);

/* Variational Monte Carlo: goes on with a run that convk_vmc_begin began, by so many sweeps (N. Metropolis et al.,
   J. Chem. Phys. 21, 1087, 1953).
   A sweep moves every particle once, one after another or all at once; then, after equilibration and every `interval` sweeps,
   ln Psi and the energies are computed.  During equilibration the step is tuned every 16 sweeps.  Clusters in open space that
   have drifted away are moved back, and particles of a periodic box are moved into it.
   vmc      as given to convk_vmc_begin
   sweeps   any number; calls may cut a run anywhere: the result is the same to the last bit
   state    is changed only when all went well; convk_vmc_results tells what it holds
   work     convk_vmc_work_size bytes
   Equilibration: with tuned steps, clusters of 20 and 64 helium atoms have left their initial lattice and reached their size
   after 128 sweeps, three atoms after 256, and two atoms, which are 46 A apart, after 512.  With short steps that are not
   tuned, distances change as the square root of the number of sweeps: two atoms with steps of 3 A need 5000.  Error bars do
   not show whether equilibration was long enough.
   The step is tuned to at most half the shortest period of a box, and 2^19 (f64) or 32 (f32).  RANGE: particles have left a
   cluster and are beyond 2^27 (f64) or 2^13 (f32), as its trial function does not bind them.
   Random numbers are Philox4x32-10 of (sweep, particle, walker, purpose) under the seed: the same for every number of threads
   and all hardware; a run has the same bits for every number of threads and on all CPU variants of a class, and on other
   hardware until a move is accepted that was rejected by a rounding error.
   With a cutoff the slope of ln Psi jumps there, which only kinetic_gradient takes into account: potential + kinetic_gradient
   is the energy of the wave function; the local one (energy, kinetic) lacks hbar2_2m N rho 4 pi cutoff^2 u'(cutoff), where the
   density is rho (1.4% of the kinetic energy of the liquid with 108 atoms).
   f32: coordinates and pair terms in f32, sums and energies in f64.
   Threads: walkers, or blocks of pairs where there are fewer walkers than threads.
   Parts: with vmc.part.join all processes make the same calls; join is called at the beginning of each, once more for every
   batch of 16 sweeps, and for the first measurement.  All return the first error of any part, also where it alone had bad
   arguments; but a handle that is refused ends the call of its process alone.
   Errors: as convk_vmc_check and convk_vmc_begin; WORK, MEMORY, OVERLAP, HANDLE, THREADS; with join SETUP, too, where parts are
   of different runs, sweeps or times, and PART. */
CONVK_OPERATION_ int convk_vmc_run(convk *hw, const convk_vmc *vmc, size_t sweeps, convk_vmc_state *state, size_t state_size,
                                   void *work, size_t work_size);

/* Bytes of work for pair_energy of so many walkers of n particles on this handle (NULL: of one thread), and for all that is
   smaller.  Errors: SIZE (no particles), PARTICLES (one), OVERFLOW, NULL, HANDLE; then *bytes stays as it is. */
CONVK_API_ int convk_pair_energy_work_size(convk *hw, size_t particles, size_t walkers, size_t *bytes);

/* Bytes of work for convk_vmc_run and convk_vmc_minimise on this handle (NULL: of one thread), and for fewer particles or
   walkers.  Errors: HANDLE, and for what they refuse theirs; then *bytes stays as it is. */
CONVK_API_ int convk_vmc_work_size(convk *hw, const convk_vmc *vmc, size_t *bytes);

/* Bytes of a state.  hw: NULL, or for a message; here and below, where a state is begun, looked at or gathered.  Errors: for
   what convk_vmc_begin refuses of vmc its own; then *bytes stays as it is. */
CONVK_API_ int convk_vmc_state_size(convk *hw, const convk_vmc *vmc, size_t *bytes);

/* Begins a run: fills a state.
   vmc     see convk_vmc; the same must be given to every call that goes on with the state
   r       coordinates to begin with, x y z of walker after walker, packed; NULL: near the sites of a cubic lattice, in a ball
           or throughout the box
   state   of convk_vmc_state_size bytes, at any alignment
   Errors: NULL, SIZE (no particles or walkers), PARTICLES (one), OVERFLOW, NONFINITE, OPTION, BOX, POTENTIAL, PART, RANGE (what
   no run can keep within the range of coordinates: steps beyond 2^19 (f64) or 32 (f32), periods beyond 2^26 or 2^12, particles
   further than 2^27 or 2^13 from the middle of a cluster; coordinates or constants too large for the type), COORDINATE, STATE
   (too small), OVERLAP, HANDLE. */
CONVK_API_ int convk_vmc_begin(convk *hw, const convk_vmc *vmc, const CONVK_T *r, convk_vmc_state *state, size_t state_size);

/* Whether a state is whole and belongs to this run: what convk_vmc_run checks before anything else.
   Errors: NULL, STATE (not whole, damaged, or of another version or precision), SETUP (of another system, method or seed), and
   those of convk_vmc_begin. */
CONVK_API_ int convk_vmc_check(convk *hw, const convk_vmc *vmc, const convk_vmc_state *state, size_t state_size);

/* The coordinates of a state's walkers: r of walkers x 3 x particles, x y z of walker after walker.  Errors: as
   convk_vmc_check, and OVERLAP. */
CONVK_API_ int convk_vmc_positions(convk *hw, const convk_vmc *vmc, const convk_vmc_state *state, size_t state_size,
                                   CONVK_T *r);

/* What a run has found so far.
   state    as convk_vmc_run left it, of any part; not changed
   Errors: NULL, STATE (not whole, of another version or precision, or damaged), OVERLAP, HANDLE. */
CONVK_API_ int convk_vmc_results(convk *hw, const convk_vmc_state *state, size_t state_size, convk_vmc_result *result);

/* Gathers a state for vmc's part from states of other parts of the same run, such as a checkpoint of more or fewer processes.
   vmc      as given to convk_vmc_begin, with the part that is wanted
   state    of convk_vmc_state_size bytes.  `from` is a whole state.  They must not overlap
   taken    set it to 0 before the first call, which begins the state; each call adds how many walkers it has taken.  Call it
   with
            one state after another, until it is vmc.part.walkers; until then only convk_vmc_results takes the state
   Errors: NULL, STATE (from is not whole, damaged or of the other precision; state is too small or not from the call before),
   SETUP (of another system, method, seed or time), OVERLAP, and those of convk_vmc_begin. */
CONVK_API_ int convk_vmc_take(convk *hw, const convk_vmc *vmc, convk_vmc_state *state, size_t state_size,
                              const convk_vmc_state *from, size_t from_size, size_t *taken);

/* Lowers the energy over the parameters of the trial function.  In each iteration their change is -(B + mu S)^-1 f, with
     f_i = <O_i E> - <O_i> <E>,  B_ij = hbar2_2m <sum over particles of grad O_i . grad O_j>,  S_ij = <O_i O_j> - <O_i> <O_j>
   where O_i = d ln Psi / d p_i and E is the local energy.  2 f is the gradient of the energy, and 2 B that part of its second
   derivatives which is always positive, and all of them where Psi is the ground state: without mu this is Newton's method,
   with a large one it is stochastic reconfiguration (S. Sorella, Phys. Rev. B 64, 024512, 2001; C. J. Umrigar, C. Filippi,
   Phys. Rev. Lett. 94, 150201, 2005).  mu is 1 / rate, or 10 times the error of the energy and a quarter more of that with
   each iteration, and more where else the normalised wave function would change by more than 0.4 (in the norm of S).  p5
   changes by a tenth at most, and p2 by what counts as much where p5 / r^5 is 1; p1 of a cluster stays positive.  A cluster
   whose energy is positive gains most by falling apart: until it is negative, energy / kinetic energy is lowered instead,
   which does not depend on how large all is.  The step of moves is tuned from iteration to iteration, if vmc has it tuned at
   all.  The parameters of the last quarter of the iterations are averaged, and a longer run with them gives the energy and
   its error bar.
   vmc      the trial function is changed; the rest as convk_vmc_run, with at least one measurement per iteration
   options  NULL or zeros: defaults.  After a `look` that had enough, the last parameters are taken
   state    of this vmc; afterwards of the new one, after the final run
   result   of the final run
   work     convk_vmc_work_size bytes
   From poor parameters it takes some 10 iterations until the rest is hidden by the scatter of sampling.  With 64 walkers and
   the defaults three atoms of helium come within 0.5 mK of their least energy (-126 mK), and two within 0.5 mK (-1.1 mK).
   With a cutoff it is potential + kinetic_gradient that is lowered, the energy of the wave function; it scatters more than the
   local energy, and needs more sweeps.
   Errors: as convk_vmc_run; OPTION, NONFINITE (options); SINGULAR (no parameter is free, or they cannot be told apart);
   RANGE, too, for a trial function to begin with that does not bind: in open space without a cutoff p1 must be positive, or 0
   with N p0 > 3.  After an error vmc and state belong together, and the state may have gone on. */
CONVK_API_ int convk_vmc_minimise(convk *hw, convk_vmc *vmc, const convk_vmc_minimise_options *options, convk_vmc_state *state,
                                  size_t state_size, convk_vmc_result *result, void *work, size_t work_size);
