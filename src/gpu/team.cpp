#include "team.hpp"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <new>
#include <stdexcept>
#include <thread>

#include "weft/base/error.hpp"

namespace weft::gpu {

namespace {
constexpr int kMostProcesses = 1024;
}

struct Team::Board {
  std::atomic<int> arrived{0}, turn{0}, failed{0};
  std::array<SharedMemory, kMostProcesses> memory{};
  std::array<double, kMostProcesses> values{};
};

// Processes mostly fail for one reason, so only the first says it.
int Team::guarded(Team team, const std::function<int(Team&)>& work) {
  const auto fail = [&](const char* why, int code) {
    if (team.board_->failed.exchange(1) == 0) std::fprintf(stderr, "weft-gpu: %s\n", why);
    return code;
  };
  try {
    const int code = work(team);
    if (code != 0) team.board_->failed = 1;
    return code;
  } catch (const Left&) {
    return 0;  // another process says why
  } catch (const InvalidInput& error) {
    return fail(error.what(), 2);
  } catch (const std::exception& error) {
    return fail(error.what(), 3);
  }
}

int Team::run(int processes, const std::function<int(Team&)>& work) {
  require(processes <= kMostProcesses, "{} processes are too many (at most {})", processes,
          kMostProcesses);
  void* const memory =
      ::mmap(nullptr, sizeof(Board), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw SystemError("mmap of memory that processes share failed");
  auto* const board = new (memory) Board;
  if (processes == 1) return guarded(Team(board, 0, 1), work);
  std::vector<pid_t> children;
  for (int rank = 0; rank < processes; ++rank) {
    const pid_t child = ::fork();
    if (child == 0) {
      const int code = guarded(Team(board, rank, processes), work);
      std::fflush(nullptr);
      ::_exit(code);
    }
    if (child < 0) board->failed = 1;
    if (child > 0) children.push_back(child);
  }
  int worst = std::ssize(children) < processes ? 3 : 0;
  for (std::size_t left = children.size(); left > 0; --left) {
    int status = 0;
    ::wait(&status);
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 3;
    if (code != 0) board->failed = 1;  // also of a process that was killed
    worst = std::max(worst, code);
  }
  return worst;
}

void Team::meet() {
  const int turn = board_->turn;
  if (board_->arrived.fetch_add(1) + 1 == processes_) {
    board_->arrived = 0;
    ++board_->turn;
  }
  for (int polls = 0; board_->turn == turn; ++polls) {
    if (board_->failed != 0) throw Left{};
    if (polls > 1000) std::this_thread::sleep_for(std::chrono::microseconds(20));
  }
  if (board_->failed != 0) throw Left{};
}

std::vector<SharedMemory> Team::gather(const SharedMemory& own) {
  board_->memory[static_cast<std::size_t>(rank_)] = own;
  meet();
  return {board_->memory.begin(), board_->memory.begin() + processes_};
}

double Team::largest(double own) {
  board_->values[static_cast<std::size_t>(rank_)] = own;
  meet();
  const double found =
      *std::max_element(board_->values.begin(), board_->values.begin() + processes_);
  meet();  // before anybody writes the next values
  return found;
}

}  // namespace weft::gpu
