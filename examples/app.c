/* A program without any use of weft: conjugate gradients on a chain of unknowns, with the
 * collectives that such programs call. docs/how-to/run-mpi-programs.md runs it under libweft-pmpi.so.
 *
 *   mpicc.openmpi examples/app.c -o app && mpirun.openmpi -n 16 ./app
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

/* y = A x of the second difference, A = tridiag(-1, 2, -1); whole x on all ranks. */
static void multiply(const double *x, double *y, int first, int count, int all) {
  for (int i = 0; i < count; ++i) {
    const int k = first + i;
    y[i] = 2 * x[k] - (k > 0 ? x[k - 1] : 0) - (k + 1 < all ? x[k + 1] : 0);
  }
}

static double dot(const double *x, const double *y, int count) {
  double own = 0, sum = 0;
  for (int i = 0; i < count; ++i) own += x[i] * y[i];
  MPI_Allreduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return sum;
}

int main(int argc, char **argv) {
  int rank, size, count = 16;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank == 0 && argc > 1) count = atoi(argv[1]); /* unknowns of a rank */
  MPI_Bcast(&count, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (count < 1) {
    if (rank == 0) fprintf(stderr, "usage: app [UNKNOWNS OF A RANK, 1 or more]\n");
    MPI_Finalize();
    return 2;
  }
  const int all = count * size, first = rank * count;
  double *x = calloc(count, sizeof *x), *r = malloc(count * sizeof *r), *q = malloc(count * sizeof *q),
         *p = malloc(count * sizeof *p), *whole = malloc((size_t)all * sizeof *whole);
  if (!x || !r || !q || !p || !whole) MPI_Abort(MPI_COMM_WORLD, 1);
  for (int i = 0; i < count; ++i) r[i] = p[i] = 1; /* b = 1, x = 0 */
  const double begun = MPI_Wtime();
  double square = dot(r, r, count);
  int step = 0;
  for (; step < 2 * all && square > 1e-16; ++step) {
    MPI_Allgather(p, count, MPI_DOUBLE, whole, count, MPI_DOUBLE, MPI_COMM_WORLD);
    multiply(whole, q, first, count, all);
    const double along = square / dot(p, q, count);
    for (int i = 0; i < count; ++i) x[i] += along * p[i], r[i] -= along * q[i];
    const double next = dot(r, r, count);
    for (int i = 0; i < count; ++i) p[i] = r[i] + next / square * p[i];
    square = next;
  }
  const double seconds = MPI_Wtime() - begun;
  /* The solution is x_k = (k + 1) (all - k) / 2. */
  double worst = 0, found = 0;
  for (int i = 0; i < count; ++i) {
    const double k = first + i, error = x[i] - (k + 1) * (all - k) / 2;
    if (error > worst || -error > worst) worst = error < 0 ? -error : error;
  }
  MPI_Reduce(&worst, &found, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("%d unknowns on %d ranks: %d steps, error %.1e, %.3f s\n", all, size, step, found, seconds);
  free(x), free(r), free(q), free(p), free(whole);
  MPI_Finalize();
  return 0;
}
