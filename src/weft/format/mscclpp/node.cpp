#include "node.hpp"

#include <set>

#include "../json_fault.hpp"

namespace weft::format::mscclpp {

namespace {

constexpr int kMostDepth = 12;  // a plan has eight levels

// Refuses what nests too deep and keys that come twice, of which a reader would see one.
class Guard {
 public:
  explicit Guard(const std::string& file) : file_(file) {}

  bool operator()(int depth, Json::parse_event_t event, const Json& parsed) {
    require(depth <= kMostDepth, "{}: the file nests {} levels deep, but a plan has at most 8",
            file_, depth);
    if (event == Json::parse_event_t::object_start) keys_.emplace_back();
    if (event == Json::parse_event_t::object_end) keys_.pop_back();
    if (event == Json::parse_event_t::key) require_new(parsed.get<std::string>());
    return true;
  }

 private:
  void require_new(const std::string& key) {
    if (keys_.back().insert(key).second) return;
    const std::string why = fmt::format("the key '{}' is twice in one object; leave one", key);
    throw WrongContent(fmt::format("{}: {}", file_, why), why);
  }

  const std::string& file_;
  std::vector<std::set<std::string>> keys_;
};

}  // namespace

Json parse(std::string_view text, const std::string& file) {
  try {
    return Json::parse(text, Guard(file));
  } catch (const Json::parse_error& error) {
    const auto end = std::min(text.size(), error.byte);
    const auto line =
        1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(end), '\n');
    reject("{}:{}: the file is not JSON: {}; give an execution plan of MSCCL++", file, line,
           json_fault(text, error.byte));
  } catch (const Json::out_of_range&) {
    reject("{}: a number is too large for any field of a plan", file);
  }
}

namespace {

constexpr std::array<std::string_view, 3> kBuffers{"i", "o", "s"};
constexpr std::array<std::string_view, 4> kChannelTypes{"memory", "port", "switch", "none"};

}  // namespace

// The GPU, thread block and operation that the value is in, as far as the way to it has them.
ContentPlace Node::place() const {
  if (parent_ == nullptr) return {};
  ContentPlace result = parent_->place();
  if (index_ < 0) return result;
  const auto index = static_cast<std::int32_t>(index_);
  if (parent_->key_ == "gpus") result.rank = index;
  if (parent_->key_ == "threadblocks") result.block = index;
  if (parent_->key_ == "ops" && result.step < 0) result.step = index;
  return result;
}

void Node::refuse_here(const std::string& why) const {
  const std::string where = path();
  const ContentPlace at = place();
  std::string text;
  if (at.rank >= 0) text += fmt::format("rank {}", at.rank);
  if (at.block >= 0) text += fmt::format(", thread block {}", at.block);
  if (at.step >= 0) text += fmt::format(", operation {}", at.step);
  if (!where.empty()) text += text.empty() ? where + ": " : fmt::format(" ({}): ", where);
  throw WrongContent(fmt::format("{}: {}{}{}", file_, where, where.empty() ? "" : ": ", why),
                     text + why, at);
}

Buffer buffer_of(const Node& node) {
  return static_cast<Buffer>(node.one_of(kBuffers));
}
ChannelType channel_type_of(const Node& node) {
  return static_cast<ChannelType>(node.one_of(kChannelTypes));
}

}  // namespace weft::format::mscclpp
