// Blocking collectives while others are under way on the same communicator: nonblocking and
// persistent ones, and receives from anybody with any tag, which must not take the library's
// messages.
#include <mpi.h>

#include <array>
#include <cstdio>
#include <vector>

namespace {

class Program {
 public:
  Program() {
    MPI_Comm_rank(comm_, &rank_);
    MPI_Comm_size(comm_, &size_);
  }

  int run() {
    for (const int count : {1, 1000, 100000}) round(count);
    persistent();
    std::printf("rank %d: %d faults\n", rank_, faults_);
    return faults_ == 0 ? 0 : 1;
  }

 private:
  int sum() const { return size_ * (size_ - 1) / 2; }
  void expect(bool is_right) { faults_ += is_right ? 0 : 1; }

  void blocking(int count) {
    std::vector<int> in(static_cast<std::size_t>(count), rank_), out(in.size());
    MPI_Allreduce(in.data(), out.data(), count, MPI_INT, MPI_SUM, comm_);
    expect(out.front() == sum() && out.back() == sum());
    out.assign(out.size(), rank_ == 1 ? 7 : 0);
    MPI_Bcast(out.data(), count, MPI_INT, 1, comm_);
    expect(out.front() == 7 && out.back() == 7);
    MPI_Barrier(comm_);
  }

  void round(int count) {
    std::vector<int> in(static_cast<std::size_t>(count), rank_), out(in.size()), shared(in);
    std::array<MPI_Request, 4> requests{};
    int received = -1;
    MPI_Irecv(&received, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm_, &requests[0]);
    MPI_Iallreduce(in.data(), out.data(), count, MPI_INT, MPI_SUM, comm_, &requests[1]);
    MPI_Ibcast(shared.data(), count, MPI_INT, 0, comm_, &requests[2]);
    blocking(count);
    MPI_Ibarrier(comm_, &requests[3]);
    blocking(1);
    int is_here = 0;
    MPI_Test(requests.data(), &is_here, MPI_STATUS_IGNORE);
    expect(is_here == 0);
    MPI_Barrier(comm_);  // only now somebody sends
    MPI_Send(&rank_, 1, MPI_INT, (rank_ + 1) % size_, 0, comm_);
    MPI_Waitall(4, requests.data(), MPI_STATUSES_IGNORE);
    expect(received == (rank_ + size_ - 1) % size_);
    expect(out.front() == sum() && out.back() == sum());
    expect(shared.front() == 0 && shared.back() == 0);
  }

  void persistent() {
#if MPI_VERSION >= 4
    std::vector<int> in(1000, rank_), out(1000);
    MPI_Request request;
    MPI_Allreduce_init(in.data(), out.data(), 1000, MPI_INT, MPI_SUM, comm_, MPI_INFO_NULL,
                       &request);
    for (int i = 0; i < 5; ++i) {
      out.assign(1000, -1);
      MPI_Start(&request);
      blocking(1000);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
      expect(out.front() == sum() && out.back() == sum());
    }
    MPI_Request_free(&request);
#endif
  }

  MPI_Comm comm_ = MPI_COMM_WORLD;
  int rank_ = 0, size_ = 0, faults_ = 0;
};

}  // namespace

int main(int count, char** arguments) {
  MPI_Init(&count, &arguments);
  const int code = Program().run();
  MPI_Finalize();
  return code;
}
