#include "weft/program/combine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "weft/base/error.hpp"
#include "weft/program/operations.hpp"

namespace weft::program {

namespace {

using Buffers = std::vector<std::int32_t>;  // of one program, among those of all

// The place of a name, which is added where it is new.
std::int32_t buffer(const std::string& name, std::vector<std::string>& names) {
  const auto at = std::ranges::find(names, name);
  if (at != names.end()) return static_cast<std::int32_t>(at - names.begin());
  names.push_back(name);
  return static_cast<std::int32_t>(names.size()) - 1;
}

// What is common to all programs, which must agree.
ProgramOptions options_of(std::span<const Program> programs, std::string_view joined) {
  require(!programs.empty(), "no program is given to combine");
  ProgramOptions options;
  for (const Program& program : programs) {
    const Operations& operations = *program.operations();
    require(program.ranks() == programs.front().ranks() &&
                program.agents() == programs.front().agents(),
            "programs of {} and {} agents cannot be combined", programs.front().agents(),
            program.agents());
    options.name += (options.name.empty() ? "" : std::string(joined)) + program.name();
    if (operations.route_count() == 0 && program.agents() == program.ranks()) continue;
    require(options.binding == schedule::Binding() || options.binding == operations.binding(),
            "programs with explicit routes or helpers for {} and {} cannot be combined",
            options.binding.topology, operations.binding().topology);
    options.binding = operations.binding();
  }
  options.helpers = programs.front().agents() - programs.front().ranks();
  return options;
}

class Combiner {
 public:
  Combiner(const Program& first, ProgramOptions options)
      : builder_(first.ranks(), std::move(options)),
        counts_(first.agents()),
        first_(counts_.size()),
        last_(counts_.size()) {}

  /// Adds a program. Operations that wait for nothing wait for what join() left.
  void add(const Program& program, const Buffers& buffers) {
    const Operations& operations = *program.operations();
    std::vector<RouteId> routes;
    for (const RouteId route : ids<RouteId>(operations.route_count()))
      routes.push_back(builder_.add_route(operations.route(route)));
    first_ = counts_;
    std::int32_t last_tag = -1;
    for (std::int32_t a = 0; a < program.agents(); ++a)
      for (const Operation& operation : operations.of(Agent(a))) {
        OperationSpec spec = copied(operations, operation, buffers);
        if (operation.route != schedule::kRouted) spec.route = routes[operation.route.index()];
        for (std::int32_t& wait : spec.waits) wait += first_[a];
        if (spec.waits.empty()) spec.waits = last_[a];
        if (operation.is_message()) {
          last_tag = std::max(last_tag, operation.tag);
          require(operation.tag < std::numeric_limits<std::int32_t>::max() - first_tag_,
                  "the programs have too many tags");
          spec.tag += first_tag_;
        }
        append(Agent(a), std::move(spec));
      }
    first_tag_ += last_tag + 1;
  }

  /// What is added from now on waits for all of `program`, the last one added.
  void join(const Program& program) {
    const Operations& operations = *program.operations();
    std::int64_t steps = program.steps();
    for (std::int32_t a = 0; a < program.agents(); ++a)  // numbers may have gaps
      for (const Operation& operation : operations.of(Agent(a)))
        steps = std::max(steps, operation.origin.step + 1);
    first_step_ += steps;
    for (std::int32_t a = 0; a < program.agents(); ++a) {
      const auto agent = static_cast<std::size_t>(a);
      const auto of_agent = operations.of(Agent(a));
      if (of_agent.empty()) continue;  // what was before it still holds
      std::vector<bool> waited_for(of_agent.size(), false);
      for (const Operation& operation : of_agent)
        for (const std::int32_t before : operations.waits(operation)) waited_for[before] = true;
      last_[agent].clear();
      for (std::size_t i = 0; i < waited_for.size(); ++i)
        if (!waited_for[i]) last_[agent].push_back(first_[agent] + static_cast<std::int32_t>(i));
      if (last_[agent].size() == 1) continue;
      // One operation that waits for all, so that the next program's need not do so each.
      append(Agent(a), {.kind = OperationKind::compute, .waits = last_[agent]});
      last_[agent] = {counts_[agent] - 1};
    }
  }

  Program build() && { return std::move(builder_).build(); }

 private:
  OperationSpec copied(const Operations& operations, const Operation& operation,
                       const Buffers& buffers) const {
    const auto moved = [&](std::span<const ByteRange> ranges) {
      std::vector<ByteRange> result(ranges.begin(), ranges.end());
      for (ByteRange& range : result) range.buffer = buffers[range.buffer];
      return result;
    };
    const auto waits = operations.waits(operation);
    Provenance origin = operation.origin;
    origin.step += first_step_;
    return {.kind = operation.kind,
            .stream = operation.stream,
            .peer = operation.peer,
            .tag = operation.tag,
            .bytes = operation.bytes,
            .seconds = operation.seconds,
            .reads = moved(operations.reads(operation)),
            .writes = moved(operations.writes(operation)),
            .waits = {waits.begin(), waits.end()},
            .origin = origin};
  }

  void append(Agent agent, OperationSpec spec) {
    counts_[agent.index()] = builder_.add(agent, std::move(spec)) + 1;
  }

  ProgramBuilder builder_;
  std::vector<std::int32_t> counts_, first_;     // by agent: operations, and before this program
  std::vector<std::vector<std::int32_t>> last_;  // by agent: what the next program waits for
  std::int32_t first_tag_ = 0;
  std::int64_t first_step_ = 0;
};

std::vector<Program> written_out(std::span<const Program> programs) {
  std::vector<Program> result;
  for (const Program& program : programs) result.push_back(write_out(program));
  return result;
}

}  // namespace

Program then(std::span<const Program> programs) {
  const std::vector<Program> parts = written_out(programs);
  ProgramOptions options = options_of(parts, ", then ");
  std::vector<Buffers> buffers(parts.size());
  for (std::size_t p = 0; p < parts.size(); ++p)
    for (const std::string& name : parts[p].operations()->buffers())
      buffers[p].push_back(buffer(name, options.buffers));
  Combiner combiner(parts.front(), std::move(options));
  for (std::size_t p = 0; p < parts.size(); ++p) {
    if (p > 0) combiner.join(parts[p - 1]);
    combiner.add(parts[p], buffers[p]);
  }
  return std::move(combiner).build();
}

Program overlay(std::span<const Program> programs) {
  const std::vector<Program> parts = written_out(programs);
  ProgramOptions options = options_of(parts, " beside ");
  std::vector<Buffers> buffers(parts.size());
  for (std::size_t p = 0; p < parts.size(); ++p)
    for (const std::string& name : parts[p].operations()->buffers())
      buffers[p].push_back(
          buffer(p == 0 ? name : fmt::format("{} of {}", name, p + 1), options.buffers));
  Combiner combiner(parts.front(), std::move(options));
  for (std::size_t p = 0; p < parts.size(); ++p) combiner.add(parts[p], buffers[p]);
  return std::move(combiner).build();
}

}  // namespace weft::program
