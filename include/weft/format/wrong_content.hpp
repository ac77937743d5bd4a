// The errors for files that are well-formed and cannot be used: an offset outside of its buffer,
// two GPUs with one number, a step type that does not exist, operations that wait for each other.
//
// Commands exit with 2 for wrong content, as for text that is not well-formed, and with 1 for a
// program that is proved to hang. A check of the file reports the error as its finding.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "weft/base/error.hpp"

namespace weft::format {

/// A position in a file for GPUs. -1 or 0: unknown.
struct ContentPlace {
  std::int32_t line = 0, rank = -1, block = -1, step = -1;
};

class WrongContent : public InvalidInput {
 public:
  /// `message` has the file and the place, `text` the problem alone.
  WrongContent(const std::string& message, std::string text, ContentPlace place = {})
      : InvalidInput(message), text_(std::move(text)), place_(place) {}

  const std::string& text() const { return text_; }
  const ContentPlace& place() const { return place_; }

 private:
  std::string text_;
  ContentPlace place_;
};

/// The error for operations that wait for each other in a circle: every value of the file is right,
/// and no run of it ends.
class HangingProgram : public WrongContent {
 public:
  using WrongContent::WrongContent;
};

}  // namespace weft::format
