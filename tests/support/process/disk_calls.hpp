// What this process asks of the disk, in order: for tests of what survives a power cut. A program
// that names anything here gets fsync, fdatasync and rename that record the call before they pass
// it on, its libraries' calls too.
#pragma once

#include <string>
#include <vector>

namespace weft::test {

/// Records while it lives; one at a time, on one thread.
class DiskCalls {
 public:
  DiskCalls();
  DiskCalls(const DiskCalls&) = delete;
  DiskCalls& operator=(const DiskCalls&) = delete;
  ~DiskCalls();

  /// "sync NAME" and "rename OLD NEW", names without their folders; forgets them.
  std::vector<std::string> take();

  /// From now on syncs fail with this error number; 0: they do not.
  void fail_with(int error);
};

}  // namespace weft::test
