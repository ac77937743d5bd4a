// One rank's actions of a time-independent trace as operations.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "../text_lines.hpp"
#include "collectives.hpp"
#include "weft/program/operations.hpp"

namespace weft::format::simgrid {

/// Whether traces have actions of that name, in any case.
bool is_action(std::string_view name);

class TraceReader {
 public:
  TraceReader(program::ProgramBuilder& builder, program::Agent rank, std::int32_t ranks,
              double flops_per_s)
      : builder_(builder), rank_(rank), ranks_(ranks), flops_per_s_(flops_per_s) {}

  /// The next action. Throws InvalidInput, with its line, for what is none.
  void read(const Line& line);
  /// Of the rank's operations, by number.
  std::int64_t line_of(std::int32_t operation) const {
    return lines_[static_cast<std::size_t>(operation)];
  }

 private:
  using Message = std::tuple<std::int64_t, std::int64_t, std::int64_t>;  // from, to, tag

  void act(const Line& line);
  void message(const Line& line, const std::string& action);
  void send_receive(const Line& line);
  void collective(const Line& line, const std::string& action);
  CollectiveCall call_of(const Line& line, std::string_view action) const;
  void by_rank(const Line& line, std::string_view action, CollectiveCall& call) const;
  void compute(const Line& line, std::size_t word);
  void work(double seconds, const Line& line);
  void wait(const Line& line);
  void wait_all();
  void join();
  std::int32_t add_message(bool is_send, std::int32_t peer, std::int32_t tag, std::int64_t bytes,
                           const Line& line);
  std::int32_t add(program::OperationSpec spec, const Line& line);
  std::int64_t unit_B(const Line& line, std::size_t word) const;
  std::int64_t size_B(const Line& line, std::size_t word, std::int64_t unit_B) const;
  std::vector<std::int64_t> sizes_B(const Line& line, std::size_t word, std::int64_t unit_B) const;
  std::int32_t root(const Line& line, std::size_t word) const;

  program::ProgramBuilder& builder_;
  program::Agent rank_;
  std::int32_t ranks_;
  double flops_per_s_;
  std::int64_t unit_B_ = 1, operations_ = 0;
  std::vector<std::int64_t> lines_;                       // of operations
  std::vector<std::int32_t> last_;                        // what the next operation waits for
  std::map<Message, std::deque<std::int32_t>> requests_;  // begun, and not waited for: operations
};

}  // namespace weft::format::simgrid
