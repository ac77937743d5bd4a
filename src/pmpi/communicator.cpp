#include "pmpi/communicator.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <new>

#include "pmpi/runtime.hpp"
#include "weft/plan_reader/host_names.hpp"

namespace weft::pmpi {

namespace {

constexpr std::size_t kMostScripts = 64;

// A communicator that went makes the last one that threads remember worthless.
std::atomic<std::uint64_t> epoch = 0;

struct Remembered {
  MPI_Comm user = {};
  std::uint64_t epoch = ~std::uint64_t{0};
  Communicator* communicator = nullptr;
};
thread_local Remembered remembered;

// Ranks of a host take its places in the schedule in their order.
bool place_by_hosts(Communicator& made, const Runtime& runtime, const std::vector<int>& world) {
  const plan::MappedPlan& plan = *runtime.plan;
  std::vector<std::string_view> names, known;
  std::map<std::string_view, std::vector<std::int32_t>> places;  // of a host, the last first
  for (const int rank : world) names.emplace_back(runtime.hosts[static_cast<std::size_t>(rank)]);
  for (std::int32_t s = 0; s < plan.ranks(); ++s) known.push_back(plan.host(s));
  for (std::int32_t s = plan.ranks() - 1; s >= 0; --s) places[plan.host(s)].push_back(s);
  const std::vector<std::string_view> hosts = plan::matching_hosts(names, known);
  made.user_rank.assign(static_cast<std::size_t>(made.size), -1);
  for (int rank = 0; rank < made.size; ++rank) {
    const auto free = places.find(hosts[static_cast<std::size_t>(rank)]);
    if (free == places.end() || free->second.empty()) return false;
    made.user_rank[static_cast<std::size_t>(free->second.back())] = rank;
    free->second.pop_back();
  }
  return true;
}

// Ranks in MPI_COMM_WORLD; false where one is of another world.
bool find_in_world(MPI_Comm user, const Runtime& runtime, std::vector<int>& world) {
  const MpiTable& m = mpi();
  MPI_Group members{}, all{};
  m.Comm_group(user, &members);
  m.Comm_group(runtime.wire, &all);
  std::vector<int> ranks(world.size());
  for (std::size_t i = 0; i < ranks.size(); ++i) ranks[i] = static_cast<int>(i);
  m.Group_translate_ranks(members, static_cast<int>(ranks.size()), ranks.data(), all, world.data());
  m.Group_free(&members);
  m.Group_free(&all);
  return std::ranges::find(world, MPI_UNDEFINED) == world.end();
}

// Two tags that no other communicator of this world has; false when they are used up, on all
// members alike.
bool agree_on_tags(Communicator& made, Runtime& runtime, int first_member) {
  constexpr int kNone = -1;
  // Of `most_tag + 1` tags each first member has its share, in pairs.
  const int most = (runtime.most_tag - runtime.size + 1) / runtime.size / 2;
  int drawn = kNone;
  if (made.rank == 0)
    for (int next = runtime.next_number.load(); next < most && drawn == kNone;)
      if (runtime.next_number.compare_exchange_weak(next, next + 1)) drawn = next;
  if (mpi().Bcast(&drawn, 1, mpi().int_, 0, made.user) != MPI_SUCCESS || drawn == kNone)
    return false;
  made.tag = 2 * drawn * runtime.size + first_member;
  made.own_tag = made.tag + runtime.size;
  return true;
}

void connect(Communicator& made, Runtime& runtime, const std::vector<int>& world) {
  made.wire = runtime.wire;
  made.is_usable = agree_on_tags(made, runtime, world.front());
  made.why = made.is_usable ? "" : "too many communicators";
  for (const std::int32_t rank : made.user_rank)
    made.wire_rank.push_back(world[static_cast<std::size_t>(rank)]);
}

// By what all members know alike: the plan, and who the members are.
std::unique_ptr<Communicator> make(MPI_Comm user, Runtime& runtime) {
  const MpiTable& m = mpi();
  auto made = std::make_unique<Communicator>();
  made->user = user;
  int is_inter = 0;
  m.Comm_test_inter(user, &is_inter);
  made->is_inter = is_inter != 0;
  m.Comm_rank(user, &made->rank);
  m.Comm_size(user, &made->size);
  std::array<char, MPI_MAX_OBJECT_NAME + 1> name{};
  int length = 0;
  m.Comm_get_name(user, name.data(), &length);
  made->name = length > 0 ? std::string(name.data()) : "of " + std::to_string(made->size);
  if (made->is_inter) return made->why = "two groups", std::move(made);
  if (runtime.plan == nullptr) return made->why = "no plan", std::move(made);
  if (made->size == 1 || made->size != runtime.plan->ranks())
    return made->why = "its ranks differ from those of the plan", std::move(made);
  std::vector<int> world(static_cast<std::size_t>(made->size));
  if (!find_in_world(user, runtime, world))
    return made->why = "its ranks belong to another job", std::move(made);
  if (!runtime.plan->has_hosts()) {
    made->user_rank.resize(world.size());
    for (std::int32_t s = 0; s < made->size; ++s) made->user_rank[static_cast<std::size_t>(s)] = s;
  } else if (!place_by_hosts(*made, runtime, world)) {
    return made->why = "its hosts differ from those of the plan", std::move(made);
  }
  made->schedule_rank.resize(world.size());
  for (std::int32_t s = 0; s < made->size; ++s) {
    made->schedule_rank[static_cast<std::size_t>(made->user_rank[static_cast<std::size_t>(s)])] = s;
    made->keeps_ranks = made->keeps_ranks && made->user_rank[static_cast<std::size_t>(s)] == s;
  }
  made->me = made->schedule_rank[static_cast<std::size_t>(made->rank)];
  connect(*made, runtime, world);
  return made;
}

}  // namespace

int forget(MPI_Comm, int, void* value, void*) {
  ++epoch;
  delete static_cast<Communicator*>(value);
  return MPI_SUCCESS;
}

Arena::~Arena() {
  std::free(memory_);
}

char* Arena::bytes(std::int64_t count) {
  if (count <= size_ && memory_ != nullptr) return memory_;
  constexpr std::int64_t kAlignment = 64;
  const std::int64_t size =
      (std::max<std::int64_t>(count, 1) + kAlignment - 1) / kAlignment * kAlignment;
  std::free(memory_);
  size_ = 0;
  memory_ = static_cast<char*>(std::aligned_alloc(kAlignment, static_cast<std::size_t>(size)));
  if (memory_ == nullptr) throw std::bad_alloc();
  size_ = size;
  return memory_;
}

const Script& Communicator::script(std::int32_t schedule, std::int64_t elements) {
  // Most calls are of the last one's size.
  if (!scripts.empty()) {
    const Shape& last = scripts.front()->shape;
    if (last.schedule == schedule && last.elements == elements && last.starts.empty() &&
        last.counts < 0)
      return *scripts.front();
  }
  return script({.schedule = schedule, .elements = elements});
}

const Script& Communicator::script(const Shape& shape) {
  for (std::size_t i = 0; i < scripts.size(); ++i)
    if (scripts[i]->shape == shape) {
      if (i > 0)
        std::rotate(scripts.begin(), scripts.begin() + static_cast<std::ptrdiff_t>(i),
                    scripts.begin() + static_cast<std::ptrdiff_t>(i) + 1);
      return *scripts.front();
    }
  if (scripts.size() == kMostScripts) scripts.pop_back();
  scripts.push_back(std::make_unique<Script>(make_script(*runtime()->plan, shape, me, user_rank)));
  std::rotate(scripts.begin(), scripts.end() - 1, scripts.end());
  make_room(std::max<std::size_t>(requests.size(), scripts.front()->most_requests));
  return *scripts.front();
}

void Communicator::make_room(std::size_t count) {
  requests.resize(count);
  statuses.resize(count);
}

Shape& Communicator::shape_of_blocks(std::int32_t schedule, std::int64_t elements) {
  blocks.schedule = schedule;
  blocks.elements = elements;
  blocks.starts.assign(1, 0);
  blocks.counts = -1;
  blocks.places.clear();
  blocks.in_places.clear();
  return blocks;
}

Communicator* communicator(MPI_Comm user) {
  if (user == mpi().comm_null) return nullptr;
  const std::uint64_t now = epoch.load(std::memory_order_acquire);
  if (remembered.user == user && remembered.epoch == now) return remembered.communicator;
  Runtime& here = *runtime();
  Communicator* found = nullptr;
  int is_set = 0;
  if (mpi().Comm_get_attr(user, here.keyval, &found, &is_set) != MPI_SUCCESS) return nullptr;
  if (is_set == 0) {
    std::unique_ptr<Communicator> made = make(user, here);
    found = made.get();
    if (mpi().Comm_set_attr(user, here.keyval, found) != MPI_SUCCESS) return nullptr;
    static_cast<void>(made.release());
    if (!found->is_usable && found->size > 1 && here.settings.log > 1 && found->rank == 0)
      say("communicator " + found->name + " runs natively (" + found->why + ")");
  }
  remembered = {user, now, found};
  return found;
}

}  // namespace weft::pmpi
