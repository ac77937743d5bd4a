C     Collectives of a program in Fortran 77; what must come out follows
C     from the ranks.
      PROGRAM SEVENS
      INCLUDE 'mpif.h'
      INTEGER IERR, ME, N, I, BAD, MINE, ALL(64), TOTAL
      DOUBLE PRECISION X(100), Y(100)
      BAD = 0
      CALL MPI_INIT(IERR)
      CALL MPI_COMM_RANK(MPI_COMM_WORLD, ME, IERR)
      CALL MPI_COMM_SIZE(MPI_COMM_WORLD, N, IERR)
      DO 10 I = 1, 100
        X(I) = ME + I
        Y(I) = -1
   10 CONTINUE
      CALL MPI_ALLREDUCE(X, Y, 100, MPI_DOUBLE_PRECISION, MPI_SUM,
     &                   MPI_COMM_WORLD, IERR)
      DO 20 I = 1, 100
        IF (Y(I) .NE. N * (N - 1) / 2 + N * I) BAD = BAD + 1
   20 CONTINUE
      TOTAL = ME + 1
      CALL MPI_ALLREDUCE(MPI_IN_PLACE, TOTAL, 1, MPI_INTEGER, MPI_SUM,
     &                   MPI_COMM_WORLD, IERR)
      IF (TOTAL .NE. N * (N + 1) / 2) BAD = BAD + 1
      MINE = 3 * ME
      CALL MPI_ALLGATHER(MINE, 1, MPI_INTEGER, ALL, 1, MPI_INTEGER,
     &                   MPI_COMM_WORLD, IERR)
      DO 30 I = 1, N
        IF (ALL(I) .NE. 3 * (I - 1)) BAD = BAD + 1
   30 CONTINUE
      MINE = ME
      CALL MPI_BCAST(MINE, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, IERR)
      IF (MINE .NE. 0) BAD = BAD + 1
      CALL MPI_BARRIER(MPI_COMM_WORLD, IERR)
      PRINT *, 'faults', BAD
      CALL MPI_FINALIZE(IERR)
      END
