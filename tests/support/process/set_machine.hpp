// The machine of the environment, for as long as a test needs another one.
#pragma once

#include <cstdlib>
#include <optional>
#include <string>

namespace weft::test {

/// Sets WEFT_MACHINE, or takes it away where `name` is null; gives back what was there at its end.
class SetMachine {
 public:
  explicit SetMachine(const char* name) {
    if (const char* now = std::getenv(kVariable)) before_ = now;
    if (name == nullptr)
      unsetenv(kVariable);
    else
      setenv(kVariable, name, 1);
  }
  SetMachine(const SetMachine&) = delete;
  SetMachine& operator=(const SetMachine&) = delete;
  ~SetMachine() {
    if (before_)
      setenv(kVariable, before_->c_str(), 1);
    else
      unsetenv(kVariable);
  }

 private:
  static constexpr const char* kVariable = "WEFT_MACHINE";
  std::optional<std::string> before_;
};

}  // namespace weft::test
