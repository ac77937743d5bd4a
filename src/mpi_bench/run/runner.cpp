#include "runner.hpp"

#include <chrono>
#include <cstdio>
#include <cstring>
#include <thread>

namespace weft::mpi_bench {

Runner::Runner(const World& world, const RunProgram& program, Memory& memory,
               const RunnerOptions& options)
    : world_(world), program_(program), memory_(memory), options_(options) {
  for (const RunOperation& operation : program.operations) place(operation, memory);
  link_waits();
}

void Runner::place(const RunOperation& operation, const Memory& memory) {
  Placed placed;
  for (const UnitRange& range : operation.from) placed.from.push_back(memory.find(range));
  for (const UnitRange& range : operation.to) placed.to.push_back(memory.find(range));
  for (const Span& span : operation.to.empty() ? placed.from : placed.to)
    placed.units += span.count;
  placed.waits = static_cast<int>(operation.after.size());
  placed_.push_back(std::move(placed));
}

void Runner::link_waits() {
  first_waiting_.assign(placed_.size() + 1, 0);
  for (const RunOperation& operation : program_.operations)
    for (const std::int32_t before : operation.after) ++first_waiting_[before + 1];
  for (std::size_t i = 0; i < placed_.size(); ++i) {
    placed_[i].awaited = first_waiting_[i + 1] > 0;
    first_waiting_[i + 1] += first_waiting_[i];
  }
  waiting_.resize(static_cast<std::size_t>(first_waiting_.back()));
  std::vector<std::int32_t> next(first_waiting_.begin(), first_waiting_.end() - 1);
  for (std::size_t i = 0; i < placed_.size(); ++i)
    for (const std::int32_t before : program_.operations[i].after)
      waiting_[static_cast<std::size_t>(next[before]++)] = static_cast<std::int32_t>(i);
}

void Runner::run(MPI_Datatype type) {
  type_ = type;
  left_ = static_cast<std::int64_t>(placed_.size());
  waits_left_.clear();
  for (std::size_t i = 0; i < placed_.size(); ++i) {
    waits_left_.push_back(placed_[i].waits);
    if (placed_[i].waits == 0) ready_.push_back(static_cast<std::int32_t>(i));
  }
  moved_s_ = MPI_Wtime();
  while (left_ > 0 || !requests_.empty()) {
    // What becomes ready meanwhile is started, too: in the order in which it became ready.
    for (std::size_t next = 0; next < ready_.size(); ++next) start(ready_[next]);
    ready_.clear();
    look();
  }
}

void Runner::meet() {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ibarrier(MPI_COMM_WORLD, &request);
  moved_s_ = MPI_Wtime();
  for (int met = 0;;) {
    MPI_Test(&request, &met, MPI_STATUS_IGNORE);
    if (met != 0) return;
    idle();
  }
}

void Runner::start(std::int32_t index) {
  switch (program_.operations[index].kind) {
    case RunKind::send:
      return start_send(index);
    case RunKind::receive:
    case RunKind::receive_reduce:
      return start_receive(index);
    case RunKind::copy:
    case RunKind::reduce:
      work(index);
      return done(index);
    case RunKind::pass:
      return done(index);
  }
}

void Runner::start_send(std::int32_t index) {
  const RunOperation& operation = program_.operations[index];
  const Placed& placed = placed_[index];
  UnderWay sent{.operation = index, .ends = !placed.awaited, .staging = {}};
  const Element* from = memory_.at(placed.from.front().first);
  if (placed.awaited || placed.from.size() > 1) {
    sent.staging = take(placed.units);
    gather(placed.from, sent.staging.data());
    from = sent.staging.data();
  }
  requests_.emplace_back();
  MPI_Isend(from, static_cast<int>(memory_.elements_of(placed.units)), type_, operation.peer,
            operation.number, MPI_COMM_WORLD, &requests_.back());
  under_way_.push_back(std::move(sent));
  if (placed.awaited) done(index);
}

void Runner::start_receive(std::int32_t index) {
  const RunOperation& operation = program_.operations[index];
  const Placed& placed = placed_[index];
  UnderWay received{.operation = index, .ends = true, .staging = {}};
  Element* to = memory_.at(placed.to.front().first);
  if (operation.kind == RunKind::receive_reduce || placed.to.size() > 1) {
    received.staging = take(placed.units);
    to = received.staging.data();
  }
  requests_.emplace_back();
  MPI_Irecv(to, static_cast<int>(memory_.elements_of(placed.units)), type_, operation.peer,
            operation.number, MPI_COMM_WORLD, &requests_.back());
  under_way_.push_back(std::move(received));
}

void Runner::work(std::int32_t index) {
  const Placed& placed = placed_[index];
  Staging staging = take(placed.units);
  gather(placed.from, staging.data());
  if (program_.operations[index].kind == RunKind::copy) {
    scatter(staging.data(), placed.to);
  } else {
    Element* from = staging.data();
    for (const Span& span : placed.to) {
      reduce(from, memory_.at(span.first), span.count);
      from += memory_.elements_of(span.count);
    }
  }
  unused_.push_back(std::move(staging));
}

void Runner::land(std::int32_t index, Staging& staging) {
  const Placed& placed = placed_[index];
  Element* received = staging.data();
  if (program_.operations[index].kind == RunKind::receive_reduce) {
    // Without an operand of its own the result's place has it.
    for (const Span& span : placed.from.empty() ? placed.to : placed.from) {
      reduce(memory_.at(span.first), received, span.count);
      received += memory_.elements_of(span.count);
    }
  }
  scatter(staging.data(), placed.to);
}

void Runner::done(std::int32_t index) {
  --left_;
  for (std::int32_t i = first_waiting_[index]; i < first_waiting_[index + 1]; ++i)
    if (--waits_left_[waiting_[i]] == 0) ready_.push_back(waiting_[i]);
}

// Takes out the requests that are complete; the last ones move to their places.
void Runner::look() {
  if (requests_.empty()) return;
  completed_.resize(requests_.size());
  int count = 0;
  MPI_Testsome(static_cast<int>(requests_.size()), requests_.data(), &count, completed_.data(),
               MPI_STATUSES_IGNORE);
  if (count == 0) return idle();
  moved_s_ = MPI_Wtime();
  for (int i = 0; i < count; ++i) {
    UnderWay& complete = under_way_[completed_[i]];
    const bool receives = program_.operations[complete.operation].receives();
    if (receives && !complete.staging.empty()) land(complete.operation, complete.staging);
    if (!complete.staging.empty()) unused_.push_back(std::move(complete.staging));
    if (complete.ends) done(complete.operation);
  }
  std::size_t kept = 0;
  for (std::size_t i = 0; i < requests_.size(); ++i) {
    if (requests_[i] == MPI_REQUEST_NULL) continue;
    if (kept != i) {
      requests_[kept] = requests_[i];
      under_way_[kept] = std::move(under_way_[i]);
    }
    ++kept;
  }
  requests_.resize(kept);
  under_way_.resize(kept);
}

void Runner::idle() {
  if (MPI_Wtime() - moved_s_ > options_.time_limit_s) give_up();
  if (options_.doze_s > 0)
    std::this_thread::sleep_for(std::chrono::duration<double>(options_.doze_s));
  else
    std::this_thread::yield();
}

void Runner::give_up() const {
  for (const UnderWay& each : under_way_) {
    const RunOperation& operation = program_.operations[each.operation];
    std::fprintf(stderr, "weft-bench: '%s' hangs: rank %d, operation %d (%s) has waited for %g s\n",
                 program_.name.c_str(), world_.rank, each.operation, text_of(operation).c_str(),
                 options_.time_limit_s);
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(300));  // others speak, too
  MPI_Abort(MPI_COMM_WORLD, 1);
  std::abort();
}

Runner::Staging Runner::take(std::int64_t units) {
  Staging staging;
  if (!unused_.empty()) {
    staging = std::move(unused_.back());
    unused_.pop_back();
  }
  staging.resize(static_cast<std::size_t>(memory_.elements_of(units)));
  return staging;
}

void Runner::gather(const std::vector<Span>& spans, Element* to) {
  for (const Span& span : spans) {
    const auto count = static_cast<std::size_t>(memory_.elements_of(span.count));
    std::memcpy(to, memory_.at(span.first), count * sizeof(Element));
    to += count;
  }
}

void Runner::scatter(const Element* from, const std::vector<Span>& spans) {
  for (const Span& span : spans) {
    const auto count = static_cast<std::size_t>(memory_.elements_of(span.count));
    std::memcpy(memory_.at(span.first), from, count * sizeof(Element));
    from += count;
  }
}

void Runner::reduce(const Element* from, Element* into, std::int64_t units) const {
  MPI_Reduce_local(from, into, static_cast<int>(memory_.elements_of(units)), type_, MPI_SUM);
}

}  // namespace weft::mpi_bench
