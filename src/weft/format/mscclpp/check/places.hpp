// Names of operations, for findings.
#pragma once

#include <cstdint>
#include <string>

#include "moves.hpp"
#include "weft/format/mscclpp_check.hpp"

namespace weft::format::mscclpp::checking {

/// An operation of a thread block: the index in its flat list.
struct OpId {
  std::int32_t rank = -1, block = -1, op = -1;
};

/// A finding that belongs to no operation.
inline Finding finding_of(std::string kind, std::string text, std::int32_t rank = -1,
                          std::int32_t block = -1) {
  Finding finding;
  finding.kind = std::move(kind);
  finding.text = std::move(text);
  finding.rank = rank;
  finding.block = block;
  return finding;
}

class Places {
 public:
  explicit Places(const Plan& plan);

  const FlatOp& at(const OpId& id) const {
    return ops_[static_cast<std::size_t>(id.rank)][static_cast<std::size_t>(id.block)]
               [static_cast<std::size_t>(id.op)];
  }
  const std::vector<FlatOp>& of(std::int32_t rank, std::int32_t block) const {
    return ops_[static_cast<std::size_t>(rank)][static_cast<std::size_t>(block)];
  }
  /// "rank 0, thread block 1, operation 5 (put)".
  std::string name(const OpId& id) const;
  /// A finding at an operation.
  Finding finding(std::string kind, const OpId& id, std::string text,
                  std::vector<std::string> events = {}) const;

 private:
  std::vector<std::vector<std::vector<FlatOp>>> ops_;  // by rank and thread block
};

}  // namespace weft::format::mscclpp::checking
