! Collectives of a program in Fortran 2008, an operation of its own among them; what must come out
! follows from the ranks.
module operations
contains
  subroutine add(from, to, length, kind)
    use mpi_f08
    use, intrinsic :: iso_c_binding, only: c_ptr, c_f_pointer
    type(c_ptr), value :: from, to
    integer :: length
    type(MPI_Datatype) :: kind
    integer, pointer :: a(:), b(:)
    call c_f_pointer(from, a, [length])
    call c_f_pointer(to, b, [length])
    b = a + b
  end subroutine
end module

program noughties
  use mpi_f08
  use operations
  implicit none
  integer :: me, n, i, bad, total, own(3), sums(3)
  integer, allocatable :: all_ranks(:)
  double precision :: x(100), y(100)
  type(MPI_Op) :: adding
  bad = 0
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, me)
  call MPI_Comm_size(MPI_COMM_WORLD, n)
  x = [(dble(me + i), i = 1, 100)]
  call MPI_Allreduce(x, y, 100, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD)
  bad = bad + count(y /= [(dble(n * (n - 1) / 2 + n * i), i = 1, 100)])
  total = me + 1
  call MPI_Allreduce(MPI_IN_PLACE, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
  if (total /= n * (n + 1) / 2) bad = bad + 1
  allocate(all_ranks(n))
  all_ranks(me + 1) = 3 * me
  call MPI_Allgather(MPI_IN_PLACE, 0, MPI_INTEGER, all_ranks, 1, MPI_INTEGER, MPI_COMM_WORLD)
  bad = bad + count(all_ranks /= [(3 * (i - 1), i = 1, n)])
  call MPI_Op_create(add, .true., adding)
  own = [me, 2 * me, 1]
  call MPI_Allreduce(own, sums, 3, MPI_INTEGER, adding, MPI_COMM_WORLD)
  if (any(sums /= [n * (n - 1) / 2, n * (n - 1), n])) bad = bad + 1
  call MPI_Op_free(adding)
  call MPI_Barrier(MPI_COMM_WORLD)
  print *, 'faults', bad
  call MPI_Finalize()
end program
