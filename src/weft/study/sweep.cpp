// Workers take rows from one list, largest first, and hand what they finish to a thread that
// commits all that has gathered since its last commit: long rows are on the disk at once, and many
// short ones share the price of a commit. A row whose key is in the store by the time it is taken
// (another sweep was faster) is left alone. Nothing but the store is shared between processes, so
// no lock can outlive a killed one.
#include "weft/study/sweep.hpp"

#include <algorithm>
#include <thread>

#include "weft/base/error.hpp"
#include "weft/base/parallel.hpp"
#include "weft/study/sweep/job.hpp"

namespace weft::study {

namespace {

void work(Job& job, const SweepOptions& options) {
  while (const Task* task = job.take()) job.put(*task, run_row(*task->row, options));
}

}  // namespace

std::vector<const Row*> rows_of_shard(const std::vector<Row>& rows, std::int64_t shard,
                                      std::int64_t shards) {
  require(shards >= 1 && shard >= 0 && shard < shards,
          "shard {} of {} does not exist; shards are 0/N to N-1/N", shard, shards);
  const auto count = static_cast<std::int64_t>(rows.size());
  std::vector<const Row*> share;
  for (std::int64_t i = shard; i < count; i += std::min(shards, count)) share.push_back(&rows[i]);
  WEFT_ASSERT(share.size() <= rows.size());
  return share;
}

SweepReport sweep(const std::vector<Row>& rows, const std::string& store_path,
                  const SweepOptions& options) {
  const std::vector<const Row*> share = rows_of_shard(rows, options.shard, options.shards);
  std::optional<Job> opened;
  try {
    opened.emplace(share, store_path, options);
  } catch (const InvalidInput&) {
    // A store that cannot be written will do where nothing is to be added.
    if (const auto report = settled(share, store_path, options)) return *report;
    throw;
  }
  Job& job = *opened;
  WEFT_ASSERT(job.tasks() <= std::ssize(share));
  const std::int64_t workers = options.workers > 0 ? options.workers : threads();
  WEFT_ASSERT(workers >= 1);
  // While there are rows enough, each is work for one thread; a few large ones are shared.
  const bool alone = job.tasks() >= workers;
  std::vector<std::jthread> team;
  for (std::int64_t i = 0; i < std::min(workers, job.tasks()); ++i)
    team.emplace_back([&] {
      if (alone)
        on_this_thread([&] { work(job, options); });
      else
        work(job, options);
    });
  team.clear();  // waits for all
  return job.finish();
}

}  // namespace weft::study
