#include "pmpi/script/input.hpp"

#include <algorithm>
#include <iterator>
#include <map>

namespace weft::pmpi {

namespace {

// Ranges that something was written to, apart from each other: begin and end.
class Written {
 public:
  enum class How : std::uint8_t { not_at_all, in_part, whole };

  How of(const Span& span) const {
    auto behind = ranges_.upper_bound(span.first);
    if (behind != ranges_.begin() && std::prev(behind)->second > span.first)
      return std::prev(behind)->second >= span.end() ? How::whole : How::in_part;
    return behind == ranges_.end() || behind->first >= span.end() ? How::not_at_all : How::in_part;
  }

  // Joins what it touches.
  void add(const Span& span) {
    if (span.count == 0) return;
    std::int64_t begin = span.first, end = span.end();
    auto at = ranges_.upper_bound(begin);
    if (at != ranges_.begin() && std::prev(at)->second >= begin) --at;
    while (at != ranges_.end() && at->first <= end) {
      begin = std::min(begin, at->first);
      end = std::max(end, at->second);
      at = ranges_.erase(at);
    }
    ranges_.emplace_hint(at, begin, end);
  }

 private:
  std::map<std::int64_t, std::int64_t> ranges_;
};

class Reader {
 public:
  explicit Reader(Script& script) : script_(script) {}

  bool read(std::int64_t elements) {
    for (std::size_t t = 0; t + 1 < script_.steps.size(); ++t)
      if (!step(script_.steps[t], script_.steps[t + 1])) return false;
    return written_.of({Base::out, 0, elements}) == Written::How::whole || elements == 0;
  }

 private:
  // Sends read what was there before the step; what arrives is written once all has come.
  bool step(const Step& first, const Step& next) {
    for (std::uint32_t i = first.sends; i < next.sends; ++i)
      if (!send(script_.sends[i])) return false;
    for (std::uint32_t i = first.receives; i < next.receives; ++i)
      if (const End& end = script_.receives[i]; end.is_direct)
        written_.add(script_.spans[end.first_span]);
    for (std::uint32_t i = first.landings; i < next.landings; ++i)
      if (!land(script_.landings[i])) return false;
    return true;
  }

  bool send(const End& end) {
    for (std::uint32_t i = end.first_span; i < end.first_span + end.spans; ++i) {
      Span& span = script_.spans[i];
      const Written::How how = written_.of(span);
      if (how == Written::How::in_part) return false;
      if (how == Written::How::not_at_all) span.base = Base::in;
    }
    return true;
  }

  bool land(Landing& landing) {
    if (landing.combine != Combine::copy) {
      const Written::How how = written_.of(landing.to);
      if (how == Written::How::in_part) return false;
      landing.adds_to_input = how == Written::How::not_at_all;
    }
    written_.add(landing.to);
    return true;
  }

  Script& script_;
  Written written_;
};

}  // namespace

void read_input_in_place(Script& script, std::int64_t elements) {
  Script changed = script;
  changed.reads_input = Reader(changed).read(elements);
  if (changed.reads_input) script = std::move(changed);
}

}  // namespace weft::pmpi
