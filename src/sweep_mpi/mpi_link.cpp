// The shared library weft_mpi. Only the thread that begins calls MPI (MPI_THREAD_FUNNELED).
#include "weft/study/mpi_link.hpp"

#include <mpi.h>

#include <climits>

namespace {

constexpr int kTag = 0;

int begin() {
  int provided = 0;
  if (const int code = MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided); code != 0)
    return code;
  if (provided < MPI_THREAD_FUNNELED) return MPI_ERR_OTHER;
  return MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
}

int rank() {
  int value = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &value);
  return value;
}

int size() {
  int value = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &value);
  return value;
}

int send(int to, const char* bytes, std::size_t count) {
  if (count > INT_MAX) return MPI_ERR_COUNT;
  return MPI_Send(bytes, static_cast<int>(count), MPI_BYTE, to, kTag, MPI_COMM_WORLD);
}

int probe(int* from, std::size_t* count) {
  int found = 0, length = 0;
  MPI_Status status;
  *from = -1;
  const int code = MPI_Iprobe(MPI_ANY_SOURCE, kTag, MPI_COMM_WORLD, &found, &status);
  if (code != MPI_SUCCESS || found == 0) return code;
  *from = status.MPI_SOURCE;
  const int counted = MPI_Get_count(&status, MPI_BYTE, &length);
  *count = static_cast<std::size_t>(length);
  return counted;
}

int receive(int from, char* bytes, std::size_t count) {
  return MPI_Recv(bytes, static_cast<int>(count), MPI_BYTE, from, kTag, MPI_COMM_WORLD,
                  MPI_STATUS_IGNORE);
}

void end() {
  MPI_Finalize();
}

const char* text(int code) {
  static char buffer[MPI_MAX_ERROR_STRING];
  int length = 0;
  if (MPI_Error_string(code, buffer, &length) != MPI_SUCCESS) return "unknown error of MPI";
  return buffer;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) const weft::study::MpiLink* weft_mpi_link_1() {
  static const weft::study::MpiLink link{.begin = begin,
                                         .rank = rank,
                                         .size = size,
                                         .send = send,
                                         .probe = probe,
                                         .receive = receive,
                                         .end = end,
                                         .text = text};
  return &link;
}
