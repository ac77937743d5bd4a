#include "pmpi/verify_call.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "pmpi/settings.hpp"

namespace weft::pmpi {

using plan::Kind;

namespace {

// The bytes that this rank's result lies in, holes among them.
struct Region {
  char* first = nullptr;
  std::size_t bytes = 0;
};

// Elements [first, first + count) of the output, which blocks of different sizes lie in.
struct Reach {
  std::int64_t first = 0, count = 0;
};

Reach reach_of(const Communicator& communicator, const Call& call) {
  std::int64_t first = 0, end = 0;
  bool has_any = false;
  for (int rank = 0; rank < communicator.size; ++rank) {
    if (call.counts[rank] == 0) continue;
    const std::int64_t place = call.places[rank];
    first = has_any ? std::min(first, place) : place;
    end = has_any ? std::max(end, place + call.counts[rank]) : place + call.counts[rank];
    has_any = true;
  }
  return {first, end - first};
}

std::int64_t result_count(const Communicator& communicator, const Call& call) {
  const bool at_root = communicator.rank == call.root;
  switch (call.kind) {
    case Kind::reduce:
      return at_root ? call.out_count : 0;
    case Kind::gather:
      return at_root ? call.out_count * communicator.size : 0;
    case Kind::scatter:
      return call.out == MPI_IN_PLACE ? 0 : call.out_count;
    case Kind::reduce_scatter:
      // In place the input is longer than the result, and the rest of it undefined.
      return call.counts == nullptr ? call.out_count : call.counts[communicator.rank];
    case Kind::allgather:
      // Of blocks anywhere, all elements from the first of them to the last.
      if (call.counts != nullptr) return reach_of(communicator, call).count;
      return call.out_count * communicator.size;
    case Kind::alltoall:
      if (call.counts != nullptr) return reach_of(communicator, call).count;
      return call.out_count * communicator.size;
    case Kind::broadcast:
    case Kind::allreduce:
      break;
  }
  return call.out_count;
}

// What native needs to find as it was: all of the buffer.
std::int64_t input_count(const Communicator& communicator, const Call& call) {
  if (call.kind != Kind::reduce_scatter || !call.in_place())
    return result_count(communicator, call);
  if (call.counts == nullptr) return call.out_count * communicator.size;
  std::int64_t total = 0;
  for (int rank = 0; rank < communicator.size; ++rank) total += call.counts[rank];
  return total;
}

Region region_of(const Communicator& communicator, const Call& call, const TypeInfo& type,
                 std::int64_t count) {
  if (count == 0) return {};
  const std::int64_t reach = (count - 1) * type.extent;
  const std::int64_t first = call.places == nullptr ? 0 : reach_of(communicator, call).first;
  return {
      static_cast<char*>(call.out) + first * type.extent + type.true_lb + (reach < 0 ? reach : 0),
      static_cast<std::size_t>(std::abs(reach) + type.true_extent)};
}

template <class T>
T value_at(const char* bytes, std::size_t at) {
  T value;
  std::memcpy(&value, bytes + at, sizeof value);
  return value;
}

// Within a tolerance of the greatest value: terms may cancel, so that the error is not relative to
// each sum.
template <class T>
bool near(const char* a, const char* b, std::size_t bytes, double tolerance) {
  T greatest = 0;
  for (std::size_t at = 0; at + sizeof(T) <= bytes; at += sizeof(T))
    for (const T value : {value_at<T>(a, at), value_at<T>(b, at)})
      if (std::isfinite(value)) greatest = std::max(greatest, std::abs(value));
  for (std::size_t at = 0; at + sizeof(T) <= bytes; at += sizeof(T)) {
    const T x = value_at<T>(a, at), y = value_at<T>(b, at);
    const bool both_none = std::isnan(x) && std::isnan(y);
    if (x != y && !both_none && !(std::abs(x - y) <= tolerance * greatest)) return false;
  }
  return true;
}

bool agree(const Decision& decision, bool reduces, const char* a, const char* b,
           std::size_t bytes) {
  if (!reduces || decision.op.is_exact) return std::memcmp(a, b, bytes) == 0;
  const TypeInfo& type = decision.type;
  if (!type.is_plain) return true;
  constexpr double kFloat = 1e-3, kDouble = 1e-9;
  if (type.type_class == TypeClass::floating || type.type_class == TypeClass::complex) {
    const bool is_complex = type.type_class == TypeClass::complex;
    const auto part = static_cast<std::size_t>(is_complex ? type.size / 2 : type.size);
    if (part == sizeof(float)) return near<float>(a, b, bytes, kFloat);
    if (part == sizeof(double)) return near<double>(a, b, bytes, kDouble);
  }
  return true;
}

}  // namespace

int verify_call(Communicator& communicator, const Call& call, const Decision& decision,
                const std::function<int()>& ours, const std::function<int()>& native) {
  const std::int64_t count = result_count(communicator, call);
  const TypeInfo type = count == 0 ? decision.type : type_info(call.out_type);
  const Region input = region_of(communicator, call, type, input_count(communicator, call));
  const Region result = region_of(communicator, call, type, count);
  const std::vector<char> before(input.first, input.first + input.bytes);
  const int code = ours();
  if (code != MPI_SUCCESS) return code;
  const std::vector<char> got(result.first, result.first + result.bytes);
  if (input.bytes > 0) std::memcpy(input.first, before.data(), input.bytes);
  const int native_code = native();
  const bool reduces = call.op != mpi().op_null;
  if (native_code == MPI_SUCCESS && result.bytes > 0 &&
      !agree(decision, reduces, got.data(), result.first, result.bytes))
    say(std::string(call.name) + " of " + std::to_string(decision.size_B) + " bytes on rank " +
        std::to_string(communicator.rank) + " of " + communicator.name +
        ": the result of the plan differs from that of MPI");
  return native_code;
}

}  // namespace weft::pmpi
