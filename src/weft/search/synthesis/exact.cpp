// The integer program, by COIN-OR CBC.
//
//   y[s, c, a, t] = 1: chunk c of s crosses arc a in step t;  r[t] = rounds of step t
//   minimise sum r[t], from `least` to the most allowed, subject to
//     each node but s gets (s, c) exactly once
//     sum over t' <= t of y[s, c, a, t'] <= sum over t' < t and arcs b into the tail of a of
//       y[s, c, b, t']                      (held before it is sent; summed over time: a tighter
//                                            relaxation than one row a send)
//     sum over s, c of y[s, c, a, t] <= weight[a] r[t]
//     chunks of one source are alike: at the first neighbour of s they arrive in order of (step,
//     arc)
//
// y exists only where the chunk can be at the tail in time and the steps left suffice to need it.
//
// A step may be idle, r[t] = 0, so that plans of fewer steps count too. Where `least` is no less
// than the steps this is not needed, and r[t] >= 1 is the tighter program: of a plan with an idle
// step and at least as many rounds as steps, a step of several rounds can be done in two.
#include "weft/search/synthesis/exact.hpp"

#include <Cbc_C_Interface.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "weft/base/error.hpp"

namespace weft::search {

namespace {

constexpr std::int64_t kMaxColumns = 60'000;

struct ModelDeleter {
  void operator()(Cbc_Model* model) const { Cbc_deleteModel(model); }
};

// Rows of coefficients, then turned into columns as CBC takes them.
class Program {
 public:
  int add_column(double lower, double upper, double objective) {
    lower_.push_back(lower);
    upper_.push_back(upper);
    objective_.push_back(objective);
    entries_.emplace_back();
    return static_cast<int>(lower_.size()) - 1;
  }
  int add_row(double lower, double upper) {
    row_lower_.push_back(lower);
    row_upper_.push_back(upper);
    return static_cast<int>(row_lower_.size()) - 1;
  }
  void add(int row, int column, double value) { entries_[column].push_back({row, value}); }
  int columns() const { return static_cast<int>(lower_.size()); }

  void load(Cbc_Model* model) const {
    std::vector<CoinBigIndex> starts{0};
    std::vector<int> rows;
    std::vector<double> values;
    for (const auto& column : entries_) {
      for (const Entry& entry : column) {
        rows.push_back(entry.row);
        values.push_back(entry.value);
      }
      starts.push_back(static_cast<CoinBigIndex>(rows.size()));
    }
    Cbc_loadProblem(model, columns(), static_cast<int>(row_lower_.size()), starts.data(),
                    rows.data(), values.data(), lower_.data(), upper_.data(), objective_.data(),
                    row_lower_.data(), row_upper_.data());
    for (int column = 0; column < columns(); ++column) Cbc_setInteger(model, column);
  }

 private:
  struct Entry {
    int row;
    double value;
  };
  std::vector<double> lower_, upper_, objective_, row_lower_, row_upper_;
  std::vector<std::vector<Entry>> entries_;
};

class Formulation {
 public:
  Formulation(const Instance& instance, const AnnealingTask& task, int least)
      : instance_(instance), task_(task), least_(least) {}

  std::int64_t size() const {
    return std::int64_t{instance_.nodes} * task_.chunks * instance_.arc_count() * task_.steps;
  }

  Program build() {
    add_rounds();
    add_sends();
    add_capacities();
    for (int s = 0; s < instance_.nodes; ++s) {
      for (int c = 0; c < task_.chunks; ++c) add_spread(s, c);
      for (int c = 0; c + 1 < task_.chunks; ++c) add_order(s, c);
    }
    return std::move(program_);
  }

  Plan plan_of(const double* solution) const {
    Plan plan{task_.chunks, {}, {}};
    for (int t = 0; t < task_.steps; ++t)
      plan.rounds.push_back(static_cast<int>(std::lround(solution[t])));
    plan.landings.resize(
        static_cast<std::size_t>(instance_.nodes * task_.chunks * instance_.nodes));
    for (int s = 0; s < instance_.nodes; ++s)
      for (int c = 0; c < task_.chunks; ++c)
        for (int a = 0; a < instance_.arc_count(); ++a)
          for (int t = 1; t <= task_.steps; ++t)
            if (send(s, c, a, t) >= 0 && solution[send(s, c, a, t)] > 0.5)
              plan.landings[(s * task_.chunks + c) * instance_.nodes + instance_.arc(a).head] = {a,
                                                                                                 t};
    return plan;
  }

 private:
  static constexpr double kInfinity = 1e30;

  int& send(int s, int c, int a, int t) { return sends_[index(s, c, a, t)]; }
  int send(int s, int c, int a, int t) const { return sends_[index(s, c, a, t)]; }
  std::size_t index(int s, int c, int a, int t) const {
    return static_cast<std::size_t>(
        ((s * task_.chunks + c) * instance_.arc_count() + a) * task_.steps + t - 1);
  }

  void add_rounds() {
    const int row = program_.add_row(least_, task_.rounds);
    const int fewest = least_ >= task_.steps ? 1 : 0;
    for (int t = 0; t < task_.steps; ++t)
      program_.add(row, program_.add_column(fewest, task_.rounds, 1), 1);
  }

  void add_sends() {
    sends_.assign(size(), -1);
    for (int s = 0; s < instance_.nodes; ++s)
      for (int c = 0; c < task_.chunks; ++c)
        for (int a = 0; a < instance_.arc_count(); ++a)
          for (int t = 1; t <= task_.steps; ++t) {
            const Arc& arc = instance_.arc(a);
            if (arc.head != s && t > instance_.distance_between(s, arc.tail))
              send(s, c, a, t) = program_.add_column(0, 1, 0);
          }
  }

  void add_capacities() {
    for (int a = 0; a < instance_.arc_count(); ++a)
      for (int t = 1; t <= task_.steps; ++t) {
        const int row = program_.add_row(-kInfinity, 0);
        program_.add(row, t - 1, -static_cast<double>(instance_.arc(a).weight));
        for (int s = 0; s < instance_.nodes; ++s)
          for (int c = 0; c < task_.chunks; ++c) add_send(row, s, c, a, t, 1);
      }
  }

  void add_send(int row, int s, int c, int a, int t, double value) {
    if (send(s, c, a, t) >= 0) program_.add(row, send(s, c, a, t), value);
  }

  /// One chunk: arrives once everywhere, and is held before it is sent.
  void add_spread(int s, int c) {
    for (int v = 0; v < instance_.nodes; ++v) {
      if (v == s) continue;
      const int once = program_.add_row(1, 1);
      for (int a : instance_.in(v))
        for (int t = 1; t <= task_.steps; ++t) add_send(once, s, c, a, t, 1);
      for (int a : instance_.out(v)) {
        if (instance_.arc(a).head == s) continue;
        for (int t = 2; t <= task_.steps; ++t) {
          const int held = program_.add_row(-kInfinity, 0);
          for (int before = 1; before <= t; ++before) add_send(held, s, c, a, before, 1);
          for (int b : instance_.in(v))
            for (int before = 1; before < t; ++before) add_send(held, s, c, b, before, -1);
        }
      }
    }
  }

  /// Chunk c reaches the source's first neighbour no later than chunk c + 1.
  void add_order(int s, int c) {
    const int neighbour = instance_.arc(instance_.out(s)[0]).head;
    const int row = program_.add_row(-kInfinity, 0);
    int rank = 0;
    for (int t = 1; t <= task_.steps; ++t)
      for (int a : instance_.in(neighbour)) {
        ++rank;
        add_send(row, s, c, a, t, rank);
        add_send(row, s, c + 1, a, t, -rank);
      }
  }

  const Instance& instance_;
  AnnealingTask task_;
  int least_;
  Program program_;
  std::vector<int> sends_;  // columns, -1 where there is none
};

}  // namespace

ExactResult solve_exactly(const Instance& instance, const AnnealingTask& task, int least,
                          Clock::time_point deadline) {
  WEFT_ASSERT(task.chunks >= 1 && task.steps >= 1);
  const double seconds = std::chrono::duration<double>(deadline - Clock::now()).count();
  Formulation formulation(instance, task, least);
  if (seconds <= 0 || formulation.size() > kMaxColumns) return {};
  const std::unique_ptr<Cbc_Model, ModelDeleter> model(Cbc_newModel());
  formulation.build().load(model.get());
  Cbc_setLogLevel(model.get(), 0);
  Cbc_setParameter(model.get(), "timeMode", "elapsed");
  Cbc_setMaximumSeconds(model.get(), seconds);
  Cbc_solve(model.get());
  const bool decided =
      Cbc_isProvenOptimal(model.get()) != 0 || Cbc_isProvenInfeasible(model.get()) != 0;
  ExactResult result{std::nullopt, decided};
  if (Cbc_isProvenInfeasible(model.get()) == 0 && Cbc_numberSavedSolutions(model.get()) > 0)
    result.plan = formulation.plan_of(Cbc_bestSolution(model.get()));
  return result;
}

}  // namespace weft::search
