// A sweep over processes: one deals rows out and writes the store, the others run them.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/study/sweep.hpp"

namespace weft::study {

/// Messages between the processes of a job, numbered from 0. Messages between two processes arrive
/// in order. One thread uses it.
class Channel {
 public:
  struct Message {
    int from = 0;
    std::string content;
  };
  virtual ~Channel() = default;
  virtual int rank() const = 0;
  virtual int size() const = 0;
  virtual void send(int to, std::string_view content) = 0;
  /// The next message, or none yet.
  virtual std::optional<Message> poll() = 0;
};

/// MPI, in a process that mpirun or srun started (or alone). The connection ends with the object.
/// Throws InvalidInput when this weft was built without MPI, SystemError when MPI fails.
std::unique_ptr<Channel> connect_mpi();

/// sweep() on process 0, which writes the store alone and runs rows too; the others serve. Ends
/// theirs, also when it throws.
SweepReport sweep_distributed(Channel& channel, const std::vector<Row>& rows,
                              const std::string& store_path, const SweepOptions& options);

/// Runs rows for process 0 until it ends the sweep.
void serve(Channel& channel, const SweepOptions& options);

/// Ends serve() on all other processes, where process 0 has nothing to sweep.
void dismiss(Channel& channel);

}  // namespace weft::study
