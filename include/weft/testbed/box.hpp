// Box: a testbed that is there, from the script that makes it to the one that takes it away.
//
//   Box box(layout);                                     // namespaces, cables, routes, rates
//   const Ended ended = box.run(launch_command(...), 600);
//                                                        // ~Box(): nothing is left
//
// Nothing stays behind. Box takes away what it made, also after an error or a signal. A guard, a
// process of its own, waits for the end of this one, and does so where it was killed. And where the
// guard was killed too, clean() finds what is left: each testbed has a folder with a lock that its
// process holds, which the kernel frees with the process.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "weft/testbed/layout.hpp"

namespace weft::testbed {

/// A testbed on this machine.
struct Found {
  std::string id;
  std::string owner = {};  // "alice, process 4711", or empty where nobody wrote it down
  bool in_use = false;     // its process runs
};
std::vector<Found> testbeds();

/// Takes away the testbeds that no process uses, and says which. Throws InvalidInput without root
/// where there are any.
std::vector<Found> clean();

/// This process's id, which no other testbed has.
std::string new_id();

/// Where a program is: by its path, or on $PATH or in the folders of root's programs.
std::optional<std::string> find_program(const std::string& name);

class SignalWatch;

struct Ended {
  int code = 0;                    // of the program
  std::optional<int> signal = {};  // that ended weft's waiting: an interrupt
  bool out_of_time = false;
};

/// From its making to its end SIGINT, SIGTERM and SIGHUP wait for it.
class Box {
 public:
  /// Throws InvalidInput without root, without ip, tc or unshare, and where the kernel does not do
  /// what it takes, having taken away what there was.
  explicit Box(Layout layout);
  ~Box();
  Box(const Box&) = delete;
  Box& operator=(const Box&) = delete;

  const Layout& layout() const { return layout_; }
  /// The path of agent_script().
  std::string agent() const;
  /// A file of the testbed's folder, which goes with it.
  std::string file(const std::string& name) const;

  /// Runs the command with this process's input and outputs. An interrupt (SIGINT, SIGTERM, SIGHUP)
  /// and the end of time end it, and all in the namespaces, in some seconds.
  Ended run(const std::vector<std::string>& command, double limit_s);

 private:
  void make();
  void start_guard();
  void take_away();

  std::unique_ptr<SignalWatch> watch_;
  Layout layout_;
  int lock_ = -1, guard_pipe_ = -1;
  int guard_ = -1;
};

}  // namespace weft::testbed
