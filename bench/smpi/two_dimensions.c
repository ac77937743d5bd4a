/* Runs the thesis's programs on 2dfc networks as plain MPI: Dimension Order (Algorithm 1), Multi-Dimension (Algorithm 2)
 * and MULTITREE, with their buffers and copies.
 *
 *   two_dimensions COLLECTIVE ALGORITHM M2 M1 BLOCK [SCHEDULE]
 *
 * COLLECTIVE is alltoall or allgather. ALGORITHM is do, md, table or mpi (the algorithm of the library). `table` runs the
 * messages of SCHEDULE, as `weft verify FILE --dump --expand` prints them (MULTITREE). A node (a2 a1) is rank a2 M1 + a1.
 * BLOCK is the bytes from each rank to each other rank. The program checks the data. It prints the seconds of the slowest
 * rank, and the mean bytes and calls of memcpy, and mean messages, of a rank.
 *
 * Copies: blocks are appended to a send buffer as in lines 3 to 6 and 13 to 16 of Algorithm 1, and likewise in Algorithm
 * 2. Consecutive data is sent and received in place. Algorithm 2 splits blocks by an offset and without a copy, so halves
 * of blocks cannot be received in place.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int rows, columns, ranks, me, row, column; /* m2, m1; (a2 a1) */
static long block;
static double copied, copies, sent;
static MPI_Request* requests;
static int pending;

static void* memory(long bytes) {
  void* room = malloc(bytes > 0 ? bytes : 1);
  if (room == NULL) MPI_Abort(MPI_COMM_WORLD, 3);
  memset(room, 1, bytes); /* so that no page is new when times are taken */
  return room;
}

static char* append(char* end, const char* from, long bytes) {
  memcpy(end, from, bytes);
  copied += bytes;
  copies += 1;
  return end + bytes;
}

static void post_send(const char* from, long bytes, int to) {
  sent += 1;
  MPI_Isend(from, bytes, MPI_BYTE, to, 0, MPI_COMM_WORLD, &requests[pending++]);
}

static void post_receive(char* to, long bytes, int from) {
  MPI_Irecv(to, bytes, MPI_BYTE, from, 0, MPI_COMM_WORLD, &requests[pending++]);
}

static void wait_for_all(void) {
  MPI_Waitall(pending, requests, MPI_STATUSES_IGNORE);
  pending = 0;
}

/* A share of every block on its way through two dimensions, the first of `near` nodes, the second of `far`. */
struct path {
  int near, far;  /* extents */
  int here, there; /* own places in them */
  int near_stride, far_stride; /* of ranks */
  long offset, bytes; /* of the share within a block */
  char *first, *second, *got, *arrived;
};

static int rank_at(const struct path* path, int near, int far) {
  return near * path->near_stride + far * path->far_stride;
}

static struct path path_of(int x_first, long offset, long bytes) {
  const struct path along_rows = {columns, rows, column, row, 1, columns, offset, bytes, 0, 0, 0, 0};
  const struct path along_columns = {rows, columns, row, column, columns, 1, offset, bytes, 0, 0, 0, 0};
  struct path path = x_first ? along_rows : along_columns;
  path.first = memory(ranks * bytes);
  path.second = memory(ranks * bytes);
  path.got = memory(ranks * bytes);
  path.arrived = memory(ranks * bytes);
  return path;
}

static void release(struct path* path) {
  free(path->first), free(path->second), free(path->got), free(path->arrived);
}

/* Lines 1 to 10: to each node of the near dimension all that goes to its far ones. */
static void alltoall_first(struct path* path, const char* data) {
  const long message = path->far * path->bytes;
  int k, z;
  for (k = 1; k < path->near; ++k) post_receive(path->got + ((path->here + k) % path->near) * message, message,
                                                rank_at(path, (path->here + k) % path->near, path->there));
  for (k = 1; k < path->near; ++k) {
    const int to = (path->here + k) % path->near;
    char *start = path->first + to * message, *end = start;
    for (z = 0; z < path->far; ++z) end = append(end, data + rank_at(path, to, z) * block + path->offset, path->bytes);
    post_send(start, message, rank_at(path, to, path->there));
  }
}

/* Lines 11 to 20; whole blocks of a row are received where they belong. */
static void alltoall_second(struct path* path, const char* data, char* result) {
  const long message = path->near * path->bytes;
  const int in_place = path->near_stride == 1 && path->bytes == block;
  int k, z;
  for (k = 1; k < path->far; ++k) {
    const int from = (path->there + k) % path->far;
    post_receive(in_place ? result + rank_at(path, 0, from) * block : path->arrived + from * message, message,
                 rank_at(path, path->here, from));
  }
  for (k = 1; k < path->far; ++k) {
    const int to = (path->there + k) % path->far;
    char *start = path->second + to * message, *end = start;
    for (z = 0; z < path->near; ++z)
      end = append(end, z == path->here ? data + rank_at(path, z, to) * block + path->offset
                                        : path->got + (z * path->far + to) * path->bytes, path->bytes);
    post_send(start, message, rank_at(path, path->here, to));
  }
}

/* What came in the first step for this node itself, and what was not received where it belongs. */
static void alltoall_place(struct path* path, const char* data, char* result) {
  const int in_place = path->near_stride == 1 && path->bytes == block;
  int near, far;
  for (near = 0; near < path->near; ++near)
    append(result + rank_at(path, near, path->there) * block + path->offset,
           near == path->here ? data + me * block + path->offset
                              : path->got + (near * path->far + path->there) * path->bytes, path->bytes);
  for (far = 0; !in_place && far < path->far; ++far)
    for (near = 0; far != path->there && near < path->near; ++near)
      append(result + rank_at(path, near, far) * block + path->offset,
             path->arrived + (far * path->near + near) * path->bytes, path->bytes);
}

/* The own share to each node of the near dimension. */
static void allgather_first(struct path* path, const char* data, char* result) {
  const int in_place = path->bytes == block;
  int k;
  for (k = 1; k < path->near; ++k) {
    const int from = (path->here + k) % path->near;
    post_receive(in_place ? result + rank_at(path, from, path->there) * block : path->got + from * path->bytes,
                 path->bytes, rank_at(path, from, path->there));
  }
  for (k = 1; k < path->near; ++k)
    post_send(data + path->offset, path->bytes, rank_at(path, (path->here + k) % path->near, path->there));
}

/* The near dimension's shares to each node of the far one. */
static void allgather_second(struct path* path, const char* data, char* result) {
  const long message = path->near * path->bytes;
  const int in_place = path->bytes == block && path->near_stride == 1;
  const char* start = in_place ? result + rank_at(path, 0, path->there) * block : path->second;
  char* end = path->second;
  int k, z;
  append(in_place ? result + me * block : path->got + path->here * path->bytes, data + path->offset, path->bytes);
  for (z = 0; !in_place && z < path->near; ++z) end = append(end, path->got + z * path->bytes, path->bytes);
  for (k = 1; k < path->far; ++k) {
    const int from = (path->there + k) % path->far;
    post_receive(in_place ? result + rank_at(path, 0, from) * block : path->arrived + from * message, message,
                 rank_at(path, path->here, from));
  }
  for (k = 1; k < path->far; ++k) post_send(start, message, rank_at(path, path->here, (path->there + k) % path->far));
}

static void allgather_place(struct path* path, char* result) {
  int near, far;
  if (path->bytes == block && path->near_stride == 1) return;
  for (far = 0; far < path->far; ++far)
    for (near = 0; near < path->near; ++near)
      append(result + rank_at(path, near, far) * block + path->offset,
             far == path->there ? path->got + near * path->bytes
                                : path->arrived + (far * path->near + near) * path->bytes, path->bytes);
}

/* Algorithm 1 with one path that has all of each block, Algorithm 2 with two that have m2 and m1 parts of it. */
static void run_paths(int gather, struct path* paths, int count, const char* data, char* result) {
  int i;
  for (i = 0; i < count; ++i) gather ? allgather_first(&paths[i], data, result) : alltoall_first(&paths[i], data);
  wait_for_all();
  for (i = 0; i < count; ++i)
    gather ? allgather_second(&paths[i], data, result) : alltoall_second(&paths[i], data, result);
  wait_for_all();
  for (i = 0; i < count; ++i) gather ? allgather_place(&paths[i], result) : alltoall_place(&paths[i], data, result);
}

/* One message of a table: blocks [first, last) of it, several times. */
struct message {
  int step, from, to, pieces;
  long *first, *last, blocks;
  char* buffer;
};

static struct message* table;
static long messages;
static int steps;

static void read_table(const char* path) {
  FILE* file = fopen(path, "r");
  char line[1 << 16];
  int step = -1;
  if (file == NULL) MPI_Abort(MPI_COMM_WORLD, 2);
  while (fgets(line, sizeof line, file) != NULL) {
    struct message one = {0, 0, 0, 0, NULL, NULL, 0, NULL};
    const char* at = strchr(line, '[');
    if (sscanf(line, "step %d", &one.step) == 1) step = one.step;
    if (sscanf(line, " copy %d -> %d", &one.from, &one.to) != 2) continue;
    one.step = step;
    for (; at != NULL; at = strchr(at + 1, '[')) {
      one.first = realloc(one.first, (one.pieces + 1) * sizeof(long));
      one.last = realloc(one.last, (one.pieces + 1) * sizeof(long));
      if (sscanf(at, "[%ld, %ld)", &one.first[one.pieces], &one.last[one.pieces]) != 2) MPI_Abort(MPI_COMM_WORLD, 2);
      one.blocks += one.last[one.pieces] - one.first[one.pieces];
      ++one.pieces;
    }
    if (one.from == me || one.to == me) {
      table = realloc(table, (messages + 1) * sizeof *table);
      one.buffer = memory(one.blocks * block);
      table[messages++] = one;
    }
  }
  steps = step + 1;
  fclose(file);
}

/* A block on its way lies in the message that brought it: `place[id]`, null where it has not come. */
static void run_table(int gather, const char* data, char* result, char** place) {
  int step, j;
  long i, b;
  for (i = 0; i < ranks; ++i) place[gather ? me : me * ranks + i] = (char*)data + (gather ? 0 : i * block);
  for (step = 0; step < steps; ++step) {
    for (i = 0; i < messages; ++i)
      if (table[i].step == step && table[i].to == me) post_receive(table[i].buffer, table[i].blocks * block, table[i].from);
    for (i = 0; i < messages; ++i) {
      char* end = table[i].buffer;
      if (table[i].step != step || table[i].from != me) continue;
      if (table[i].blocks == 1) { /* sent from where it lies */
        post_send(place[table[i].first[0]], block, table[i].to);
        continue;
      }
      for (j = 0; j < table[i].pieces; ++j)
        for (b = table[i].first[j]; b < table[i].last[j]; ++b) end = append(end, place[b], block);
      post_send(table[i].buffer, table[i].blocks * block, table[i].to);
    }
    wait_for_all();
    for (i = 0; i < messages; ++i) {
      char* end = table[i].buffer;
      if (table[i].step != step || table[i].to != me) continue;
      for (j = 0; j < table[i].pieces; ++j)
        for (b = table[i].first[j]; b < table[i].last[j]; ++b, end += block) place[b] = end;
    }
  }
  for (i = 0; i < ranks; ++i) append(result + i * block, place[gather ? i : i * ranks + me], block);
}

/* What rank `from` has for rank `to`, at the ends of the block. */
static char letter(int from, int to, int end) {
  return (char)(31 * from + 7 * to + 3 * end + 1);
}

/* All ranks go on at one time, which a barrier alone does not give. */
static void start_together(void) {
  const double ahead = 1e-3;
  double now = MPI_Wtime(), latest;
  struct timespec rest = {0, 0};
  MPI_Allreduce(&now, &latest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  rest.tv_nsec = (long)(1e9 * (latest + ahead - MPI_Wtime()));
  if (rest.tv_nsec > 0) nanosleep(&rest, NULL);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (argc < 6) MPI_Abort(MPI_COMM_WORLD, 2);
  const int gather = strcmp(argv[1], "allgather") == 0;
  const char* algorithm = argv[2];
  rows = atoi(argv[3]), columns = atoi(argv[4]), block = atol(argv[5]);
  if (rows * columns != ranks || block < 1) MPI_Abort(MPI_COMM_WORLD, 2);
  row = me / columns, column = me % columns;
  requests = memory(8L * ranks * sizeof *requests);
  char *data = memory(gather ? block : ranks * block), *result = memory(ranks * block);
  int i, wrong = 0;
  for (i = 0; i < (gather ? 1 : ranks); ++i) {
    data[i * block] = letter(me, gather ? 0 : i, 0);
    data[i * block + block - 1] = letter(me, gather ? 0 : i, 1);
  }
  memset(result, 0, ranks * block);
  struct path paths[2];
  const int is_md = strcmp(algorithm, "md") == 0, is_table = strcmp(algorithm, "table") == 0;
  const int count = is_md ? 2 : strcmp(algorithm, "do") == 0 ? 1 : 0;
  const long half = is_md ? block * rows / (rows + columns) : block;
  if (count > 0) paths[0] = path_of(1, 0, half);
  if (is_md) paths[1] = path_of(0, half, block - half);
  char** place = is_table ? calloc((size_t)ranks * ranks, sizeof *place) : NULL;
  if (is_table) read_table(argv[6]);

  start_together();
  const double begin = MPI_Wtime();
  if (count > 0) run_paths(gather, paths, count, data, result);
  else if (is_table) run_table(gather, data, result, place);
  else if (gather) MPI_Allgather(data, block, MPI_BYTE, result, block, MPI_BYTE, MPI_COMM_WORLD);
  else MPI_Alltoall(data, block, MPI_BYTE, result, block, MPI_BYTE, MPI_COMM_WORLD);
  const double time = MPI_Wtime() - begin;

  for (i = 0; i < ranks; ++i) {
    const int to = gather ? 0 : me;
    wrong += result[i * block + block - 1] != letter(i, to, 1);
    if (block > 1) wrong += result[i * block] != letter(i, to, 0);
  }
  double mine[4] = {copied, copies, sent, wrong}, all[4], slowest;
  MPI_Reduce(mine, all, 4, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  MPI_Reduce(&time, &slowest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  if (me == 0)
    printf("time %.9f copied %.0f copies %.1f messages %.1f wrong %.0f\n", slowest, all[0] / ranks, all[1] / ranks,
           all[2] / ranks, all[3]);
  for (i = 0; i < count; ++i) release(&paths[i]);
  MPI_Finalize();
  return wrong > 0;
}
