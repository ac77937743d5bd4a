#include "rank_reader.hpp"

#include <algorithm>
#include <functional>
#include <queue>

#include "weft/base/enumeration.hpp"
#include "weft/base/error.hpp"
#include "weft/base/suggest.hpp"
#include "weft/base/text.hpp"

namespace weft::format::goal_text {

using program::Agent;
using program::OperationKind;
using program::OperationSpec;

namespace {

void require_label(const Line& line, std::string_view label) {
  const auto is_letter = [](char c) { return (c | 32) >= 'a' && (c | 32) <= 'z'; };
  const auto fits = [&](char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '_'; };
  if (!is_letter(label.front()) || !std::ranges::all_of(label, fits))
    line.refuse("'{}' is not a label (letters, digits and _, a letter first)", label);
}

// "1024b" or "1024 b".
std::int64_t size(const Line& line, std::size_t& at) {
  std::string_view word = at < line.words() ? line.word(at) : "";
  ++at;
  if (word.ends_with('b'))
    word.remove_suffix(1);
  else if (at < line.words() && line.word(at) == "b")
    ++at;
  else
    line.refuse("a size such as 1024b is missing");
  const std::int64_t bytes = number_in<std::int64_t>(word).value_or(0);
  if (bytes < 1) line.refuse("'{}' is not a number of bytes (1 or more)", word);
  return bytes;
}

}  // namespace

void RankReader::read(const Line& line) {
  std::size_t at = 0;
  std::string label;
  if (line.words() > 1 && line.word(1) == ":") {
    label = line.word(0);
    require_label(line, label);
    if (line.words() < 3) line.refuse("an operation is missing after label {}", label);
    at = 2;
  } else if (line.words() == 3 && line.word(1).ends_with("requires")) {
    return depend(line);
  }
  if (!label.empty() && !labels_.emplace(label, specs_.size()).second)
    line.refuse("label {} is repeated", label);
  add(operation(line, at), line.number());
}

std::vector<std::int64_t> RankReader::add_to(program::ProgramBuilder& builder,
                                             const std::string& file) {
  mark_starts();
  WEFT_ASSERT(numbers_.size() == specs_.size() && waits_.size() == specs_.size());
  std::vector<std::vector<std::size_t>> waiting(specs_.size());
  std::vector<std::size_t> left(specs_.size());
  for (std::size_t i = 0; i < specs_.size(); ++i)
    for (const std::size_t before : waits_[i]) {
      waiting[before].push_back(i);
      ++left[i];
    }
  std::priority_queue<std::size_t, std::vector<std::size_t>, std::greater<>> ready;
  for (std::size_t i = 0; i < specs_.size(); ++i)
    if (left[i] == 0) ready.push(i);
  std::vector<std::int32_t> place(specs_.size());
  std::vector<std::int64_t> lines;
  while (!ready.empty()) {
    const std::size_t i = ready.top();
    ready.pop();
    for (const std::size_t before : waits_[i]) specs_[i].waits.push_back(place[before]);
    try {
      place[i] = builder.add(Agent(rank_), std::move(specs_[i]));
    } catch (const InvalidInput& error) {
      refuse_at(file, numbers_[i], "{}", error.what());
    }
    lines.push_back(numbers_[i]);
    for (const std::size_t next : waiting[i])
      if (--left[next] == 0) ready.push(next);
  }
  for (std::size_t i = 0; i < specs_.size(); ++i)
    if (left[i] > 0)
      refuse_at(
          file, numbers_[i],
          "operations of rank {} require each other in a circle, with this one in it or after "
          "it; remove one 'requires'",
          rank_);
  WEFT_ASSERT(lines.size() == specs_.size());
  return lines;
}

void RankReader::add(OperationSpec spec, std::int64_t line) {
  specs_.push_back(std::move(spec));
  numbers_.push_back(line);
  waits_.emplace_back();
}

void RankReader::depend(const Line& line) {
  const bool on_start = line.word(1) == "irequires";
  if (!on_start && line.word(1) != "requires")
    line.refuse(
        "'{}' is not supported; use requires (after its end) or irequires (after its start)",
        line.word(1));
  const auto find = [&](std::string_view label) {
    const auto found = labels_.find(std::string(label));
    if (found == labels_.end()) line.refuse("label {} does not exist before this line", label);
    return found->second;
  };
  const std::size_t waiting = find(line.word(0)), before = find(line.word(2));
  if (on_start)
    starts_.emplace_back(waiting, before);
  else
    waits_[waiting].push_back(before);
}

// Whose start others wait for has an operation of no time before it, which takes over its waits.
void RankReader::mark_starts() {
  std::map<std::size_t, std::size_t> marks;
  for (const auto& [waiting, started] : starts_) {
    const auto [mark, is_new] = marks.try_emplace(started, specs_.size());
    if (!is_new) continue;
    add({.kind = OperationKind::compute, .stream = specs_[started].stream}, numbers_[started]);
    waits_[mark->second] = std::exchange(waits_[started], {mark->second});
  }
  for (const auto& [waiting, started] : starts_) {
    const auto own = marks.find(waiting);
    waits_[own == marks.end() ? waiting : own->second].push_back(marks.at(started));
  }
}

OperationSpec RankReader::operation(const Line& line, std::size_t at) {
  OperationSpec spec;
  const std::string kind = weft::lower(line.word(at++));
  if (kind == "calc") {
    spec.kind = OperationKind::compute;
    spec.seconds = static_cast<double>(line.integer(at++, 0, INT64_MAX, "time")) * kNanosecond;
  } else if (kind == "send" || kind == "recv") {
    spec.kind = kind == "send" ? OperationKind::send : OperationKind::receive;
    read_ends(line, at, spec);
  } else {
    line.refuse(
        "{}", unknown_text({"operation", kind}, std::vector<std::string>{"send", "recv", "calc"}));
  }
  for (; at < line.words(); at += 2) option(line, at, spec);
  return spec;
}

// The size and the other end of a message.
void RankReader::read_ends(const Line& line, std::size_t& at, OperationSpec& spec) const {
  const bool sends = spec.kind == OperationKind::send;
  spec.bytes = size(line, at);
  const char* const joined = sends ? "to" : "from";
  if (at >= line.words() || line.word(at) != joined) line.refuse("'{}' is missing", joined);
  if (!sends && at + 1 < line.words() && line.word(at + 1) == "-1")
    line.refuse(
        "a receive from any rank (-1) is not supported, because the order of arrival decides "
        "its meaning; name the rank");
  spec.peer = Agent(line.integer(at + 1, 0, ranks_ - 1, "rank"));
  at += 2;
}

void RankReader::option(const Line& line, std::size_t at, OperationSpec& spec) {
  const bool is_calc = spec.kind == OperationKind::compute;
  if (line.word(at) == "cpu") {
    const std::int64_t cpu = line.integer(at + 1, 0, UINT8_MAX, "cpu");
    if (is_calc && cpu > 0) compute_on(line, cpu, spec);
  } else if (line.word(at) == "tag" && !is_calc) {
    if (at + 1 < line.words() && line.word(at + 1) == "-1")
      line.refuse(
          "tag -1 (any) is not supported, because the order of arrival decides its meaning; "
          "name the tag");
    const std::int64_t tag = line.integer(at + 1, 0, kAnyTag - 1, "tag");
    spec.tag = static_cast<std::int32_t>(static_cast<std::uint32_t>(tag));
  } else if (line.word(at) == "nic" && !is_calc) {
    line.integer(at + 1, 0, UINT8_MAX, "nic");
  } else {
    line.refuse("'{}' is not supported; {}", line.word(at),
                is_calc ? "cpu is" : "tag, cpu and nic are");
  }
}

// The one cpu besides cpu 0 on which the rank computes. What takes no time needs none.
void RankReader::compute_on(const Line& line, std::int64_t cpu, OperationSpec& spec) {
  spec.stream = program::Stream::compute;
  if (spec.seconds == 0) return;
  if (computing_cpu_ == 0) {
    computing_cpu_ = cpu;
    computing_line_ = line.number();
  }
  if (cpu != computing_cpu_)
    line.refuse(
        "rank {} computes on cpu {} and, in line {}, on cpu {}; a rank can compute on cpu 0 "
        "and one other",
        rank_, cpu, computing_line_, computing_cpu_);
}

}  // namespace weft::format::goal_text
