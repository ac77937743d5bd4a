#include "node.hpp"

#include <set>

namespace weft::format::mscclpp {

namespace {

constexpr int kMostDepth = 12;  // a plan has eight levels

// Refuses what nests too deep and keys that come twice, of which a reader would see one.
class Guard {
 public:
  explicit Guard(const std::string& file) : file_(file) {}

  bool operator()(int depth, Json::parse_event_t event, const Json& parsed) {
    require(depth <= kMostDepth, "{}: the file nests {} levels deep, and a plan has 8", file_,
            depth);
    if (event == Json::parse_event_t::object_start) keys_.emplace_back();
    if (event == Json::parse_event_t::object_end) keys_.pop_back();
    if (event == Json::parse_event_t::key)
      require(keys_.back().insert(parsed.get<std::string>()).second,
              "{}: the key '{}' is twice in one object; leave one", file_,
              parsed.get<std::string>());
    return true;
  }

 private:
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
    reject("{}:{}: this is no JSON ({}); give an execution plan of MSCCL++", file, line,
           std::string_view(error.what()).substr(0, 160));
  } catch (const Json::out_of_range&) {
    reject("{}: a number is too large for any field of a plan", file);
  }
}

namespace {

constexpr std::array<std::string_view, 3> kBuffers{"i", "o", "s"};
constexpr std::array<std::string_view, 4> kChannelTypes{"memory", "port", "switch", "none"};

}  // namespace

Buffer buffer_of(const Node& node) {
  return static_cast<Buffer>(node.one_of(kBuffers));
}
ChannelType channel_type_of(const Node& node) {
  return static_cast<ChannelType>(node.one_of(kChannelTypes));
}

}  // namespace weft::format::mscclpp
