#include "pmpi/script/execute.hpp"

#include <sched.h>

#include <algorithm>
#include <climits>
#include <cstring>
#include <vector>

#include "pmpi/packed.hpp"
#include "pmpi/runtime.hpp"

namespace weft::pmpi {

namespace {

class Execution {
 public:
  Execution(Communicator& communicator, const Script& script, Buffers& buffers)
      : communicator_(communicator), script_(script), buffers_(buffers) {
    buffers.base[static_cast<std::size_t>(Base::scratch)] =
        memory(communicator.scratch, script.scratch_elements);
    staged_ = memory(communicator.staged, script.step_elements);
  }

  int run() {
    for (std::size_t t = 0; t + 1 < script_.steps.size() && code_ == MPI_SUCCESS; ++t)
      step(script_.steps[t], script_.steps[t + 1]);
    return code_;
  }

 private:
  // The first of so many elements.
  char* memory(Arena& arena, std::int64_t elements) const {
    if (elements == 0) return nullptr;
    const std::int64_t bytes = scratch_bytes(buffers_, elements);
    if (buffers_.typed != nullptr) return first_element(buffers_, arena.bytes(bytes), elements);
    // Copies between processes are slower where the two sides begin at other places of a cache
    // line: by a tenth from 128 KiB on. Programs' buffers, as malloc gives them, begin alike.
    constexpr std::int64_t kCacheLine_B = 64;
    const auto place = reinterpret_cast<std::uintptr_t>(buffers_.base[1]) % kCacheLine_B;
    return arena.bytes(bytes + kCacheLine_B) + place;
  }

  void check(int code) {
    if (code != MPI_SUCCESS && code_ == MPI_SUCCESS) code_ = code;
  }

  void step(const Step& first, const Step& next) {
    if (next.receives - first.receives == 1 && next.sends - first.sends == 1 &&
        !runtime()->yields &&
        exchange(script_.receives[first.receives], script_.sends[first.sends]))
      return land(first, next);
    int requests = 0;
    for (std::uint32_t i = first.receives; i < next.receives; ++i)
      receive(script_.receives[i], requests);
    for (std::uint32_t i = first.sends; i < next.sends; ++i) send(script_.sends[i], requests);
    wait(requests);
    land(first, next);
  }

  void land(const Step& first, const Step& next) {
    for (std::uint32_t i = first.landings; i < next.landings; ++i) land(script_.landings[i]);
  }

  // A step of one message each way in one call of MPI, which keeps its requests to itself and looks
  // at its arguments once; false where a message takes more than one part. It ends when both are
  // over, as the step does.
  bool exchange(const End& in, const End& out) {
    const std::int64_t most = std::max(in.count, out.count);
    if (buffers_.typed != nullptr ? most > INT_MAX
                                  : most * buffers_.stride > runtime()->settings.most_at_once_B)
      return false;
    check(mpi().Sendrecv(place_of_message(out), wire_count(out.count), wire_type(),
                         wire_rank(out.peer), communicator_.tag, place_of(in), wire_count(in.count),
                         wire_type(), wire_rank(in.peer), communicator_.tag, communicator_.wire,
                         MPI_STATUS_IGNORE));
    return true;
  }

  char* staged(std::int64_t element) const { return staged_ + element * buffers_.stride; }

  int wire_count(std::int64_t elements) const {
    return static_cast<int>(buffers_.typed != nullptr ? elements : elements * buffers_.stride);
  }
  MPI_Datatype wire_type() const { return buffers_.typed != nullptr ? buffers_.type : mpi().byte; }
  int wire_rank(std::int32_t peer) const {
    return communicator_.wire_rank[static_cast<std::size_t>(peer)];
  }

  // A message may be more than MPI counts at once: in parts, at both ends alike.
  template <class Part>
  void in_parts(std::int64_t count, Part&& part) const {
    const std::int64_t most_B = runtime()->settings.most_at_once_B;
    const std::int64_t most =
        buffers_.typed != nullptr ? INT_MAX : std::max<std::int64_t>(1, most_B / buffers_.stride);
    for (std::int64_t first = 0; first < count; first += most)
      part(first * buffers_.stride, wire_count(std::min(most, count - first)));
  }

  MPI_Request* next(int& requests) {
    std::vector<MPI_Request>& all = communicator_.requests;
    if (requests == static_cast<int>(all.size())) communicator_.make_room(all.size() + 1);
    return &all[static_cast<std::size_t>(requests++)];
  }

  char* place_of(const End& end) const {
    return end.is_direct ? buffers_.at(script_.spans[end.first_span]) : staged(end.staged);
  }
  const char* place_of_message(const End& end) { return end.is_direct ? place_of(end) : pack(end); }

  void receive(const End& end, int& requests) {
    char* to = place_of(end);
    in_parts(end.count, [&](std::int64_t at_B, int count) {
      check(mpi().Irecv(to + at_B, count, wire_type(), wire_rank(end.peer), communicator_.tag,
                        communicator_.wire, next(requests)));
    });
  }

  void send(const End& end, int& requests) {
    const char* from = place_of_message(end);
    in_parts(end.count, [&](std::int64_t at_B, int count) {
      check(mpi().Isend(from + at_B, count, wire_type(), wire_rank(end.peer), communicator_.tag,
                        communicator_.wire, next(requests)));
    });
  }

  const char* pack(const End& end) {
    std::int64_t at = end.staged;
    for (std::uint32_t i = end.first_span; i < end.first_span + end.spans; ++i) {
      check(move(communicator_, buffers_, buffers_.at(script_.spans[i]), staged(at),
                 script_.spans[i].count));
      at += script_.spans[i].count;
    }
    return staged(end.staged);
  }

  void wait(int requests) {
    if (requests == 0) return;
    MPI_Request* all = communicator_.requests.data();
    MPI_Status* statuses = communicator_.statuses.data();
    if (!runtime()->yields) return check_all(mpi().Waitall(requests, all, statuses), requests);
    for (int done = 0; done == 0 && code_ == MPI_SUCCESS;) {
      check_all(mpi().Testall(requests, all, &done, statuses), requests);
      if (done == 0) ::sched_yield();
    }
  }

  // Of several requests the first that failed says how.
  void check_all(int code, int requests) {
    if (code != MPI_ERR_IN_STATUS) return check(code);
    for (int i = 0; i < requests; ++i) {
      const int error = communicator_.statuses[static_cast<std::size_t>(i)].MPI_ERROR;
      if (error != MPI_ERR_PENDING) check(error);
    }
    check(code);
  }

  void land(const Landing& landing) {
    char* from = staged(landing.staged);
    char* to = buffers_.at(landing.to);
    const std::int64_t count = landing.to.count;
    if (landing.combine == Combine::copy)
      return check(move(communicator_, buffers_, from, to, count));
    const bool arrives_left = landing.combine == Combine::arrives_left;
    char* here =
        landing.adds_to_input ? buffers_.at({Base::in, landing.to.first, landing.to.count}) : to;
    if (buffers_.kernel != nullptr)
      return buffers_.kernel(arrives_left ? from : here, arrives_left ? here : from, to,
                             static_cast<std::size_t>(count));
    // MPI's own puts its first argument left and the sum into the second.
    if (arrives_left) check(move(communicator_, buffers_, here, to, count));
    for (std::int64_t first = 0; first < count; first += INT_MAX) {
      const int n = static_cast<int>(std::min<std::int64_t>(INT_MAX, count - first));
      char* in = (arrives_left ? from : here) + first * buffers_.stride;
      char* sum = (arrives_left ? to : from) + first * buffers_.stride;
      check(mpi().Reduce_local(in, sum, n, buffers_.type, buffers_.op));
    }
    if (!arrives_left) check(move(communicator_, buffers_, from, to, count));
  }

  Communicator& communicator_;
  const Script& script_;
  const Buffers& buffers_;
  char* staged_ = nullptr;
  int code_ = MPI_SUCCESS;
};

}  // namespace

std::int64_t scratch_bytes(const Buffers& buffers, std::int64_t count) {
  if (buffers.typed == nullptr || count == 0) return count * buffers.stride;
  return std::max(buffers.stride, -buffers.stride) * (count - 1) + buffers.typed->true_extent;
}

char* first_element(const Buffers& buffers, char* scratch, std::int64_t count) {
  if (buffers.typed == nullptr) return scratch;
  // Of a negative extent the last element stands first.
  const std::int64_t before =
      buffers.stride < 0 ? -buffers.stride * std::max<std::int64_t>(0, count - 1) : 0;
  return scratch - buffers.typed->true_lb + before;
}

int move(Communicator& communicator, const Buffers& buffers, char* from, char* to,
         std::int64_t count) {
  if (from == to || count == 0) return MPI_SUCCESS;
  if (buffers.typed == nullptr) {
    std::memcpy(to, from, static_cast<std::size_t>(count * buffers.stride));
    return MPI_SUCCESS;
  }
  const int n = static_cast<int>(count);
  return pass_to_self(communicator, {from, n, buffers.type}, {to, n, buffers.type});
}

int execute(Communicator& communicator, const Script& script, Buffers& buffers) {
  return Execution(communicator, script, buffers).run();
}

}  // namespace weft::pmpi
