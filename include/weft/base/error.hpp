// Errors: what is thrown for wrong input, for a failed system call, and for a bug of ours.
#pragma once

#include <fmt/core.h>

#include <stdexcept>
#include <string>
#include <string_view>
#include <typeinfo>
#include <utility>

namespace weft {

/// Wrong input, file or option. The message is one line: the problem (why it is one), then what
/// would be right. The program prints it and exits with 2.
class InvalidInput : public std::runtime_error {
 public:
  /// A NUL byte, at which what() would end, becomes '?'.
  explicit InvalidInput(std::string message);
};

/// A system call that failed; the message names the call and carries the system's own text.
class SystemError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Throws InvalidInput with the formatted message.
template <class... Args>
[[noreturn]] void reject(fmt::format_string<Args...> format, Args&&... args) {
  throw InvalidInput(fmt::format(format, std::forward<Args>(args)...));
}

/// Throws InvalidInput with the formatted message unless `condition` holds.
template <class... Args>
void require(bool condition, fmt::format_string<Args...> format, Args&&... args) {
  if (!condition) [[unlikely]]
    throw InvalidInput(fmt::format(format, std::forward<Args>(args)...));
}

/// What `body` returns. An InvalidInput that it throws gets the name of the file in front, unless
/// it has it; of the types that derive from InvalidInput, which carry more, none is changed.
template <class Body>
auto told_with(std::string_view file, Body body) {
  try {
    return body();
  } catch (const InvalidInput& error) {
    const std::string_view text = error.what();
    if (typeid(error) != typeid(InvalidInput) || text.find(file) != std::string_view::npos) throw;
    throw InvalidInput(fmt::format("'{}': {}", file, text));
  }
}

[[noreturn]] void assertion_failed(const char* condition, const char* file, int line);

}  // namespace weft

/// Precondition, invariant or postcondition of our own code; checked in debug builds and tests.
#ifdef WEFT_ASSERTS
#define WEFT_ASSERT(condition) \
  ((condition) ? static_cast<void>(0) : ::weft::assertion_failed(#condition, __FILE__, __LINE__))
#else
#define WEFT_ASSERT(condition) static_cast<void>(0)
#endif
