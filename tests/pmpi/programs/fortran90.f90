! Collectives of a program in Fortran 90; what must come out follows from the ranks.
program nineties
  use mpi
  implicit none
  integer :: error, me, n, i, bad, total
  integer, allocatable :: all_ranks(:)
  double precision :: x(100), y(100)
  bad = 0
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, me, error)
  call MPI_Comm_size(MPI_COMM_WORLD, n, error)
  x = [(dble(me + i), i = 1, 100)]
  call MPI_Allreduce(x, y, 100, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, error)
  bad = bad + count(y /= [(dble(n * (n - 1) / 2 + n * i), i = 1, 100)])
  total = me + 1
  call MPI_Allreduce(MPI_IN_PLACE, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
  if (total /= n * (n + 1) / 2) bad = bad + 1
  allocate(all_ranks(n))
  all_ranks(me + 1) = 3 * me
  call MPI_Allgather(MPI_IN_PLACE, 0, MPI_INTEGER, all_ranks, 1, MPI_INTEGER, MPI_COMM_WORLD, error)
  bad = bad + count(all_ranks /= [(3 * (i - 1), i = 1, n)])
  call MPI_Barrier(MPI_COMM_WORLD, error)
  print *, 'faults', bad
  call MPI_Finalize(error)
end program
