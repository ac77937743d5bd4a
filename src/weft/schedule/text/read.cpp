// Schedules read from text: the head, then steps of messages, or trees.
#include <algorithm>
#include <memory>
#include <numeric>
#include <optional>

#include "head.hpp"
#include "notation.hpp"
#include "trees.hpp"
#include "weft/schedule/text.hpp"

namespace weft::schedule {

namespace {

// Simulations walk through all steps, empty ones too, and a line can ask for any number of them.
constexpr std::int64_t kMostTextSteps = std::int64_t{1} << 22;

class TextReader {
 public:
  TextReader(std::string_view text, std::string_view file)
      : rest_(text), file_(file), head_(file) {}

  TextSchedule read() {
    read_first_line();
    while (!rest_.empty()) read_line();
    begin_body();
    if (trees_) trees_->share_units();
    if (!builder_) make_builder();
    if (trees_) trees_->finish([this](const TextMessage& message) { add(message); });
    return {std::move(*builder_).build(), lines_by_message()};
  }

 private:
  Words next_line() {
    const std::size_t end = rest_.find('\n');
    const std::string_view line = rest_.substr(0, end);
    rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
    return {file_, ++number_, line};
  }

  void read_first_line() {
    while (!rest_.empty()) {
      Words words = next_line();
      if (words.at_end()) continue;
      constexpr std::string_view kForm = "'weft schedule 1' as the first line";
      words.expect("weft", kForm);
      words.expect("schedule", kForm);
      if (words.integer("version of the text", 1, 1) == 1) words.expect_end();
      return;
    }
    reject("{}: the file is empty; write 'weft schedule 1' as the first line", file_);
  }

  void read_line() {
    Words words = next_line();
    if (words.at_end()) return;
    if (words.word() == "step") return read_step(words);
    if (words.word() == "tree") return read_tree(words);
    if (trees_) return trees_->read_arc(words);
    if (step_) return read_message(words);
    if (words.is_number() || (words.word().starts_with("h") && words.word().size() < 4))
      words.fail("a message is above the first step; write a line 'step 0' before it");
    head_.read(words);
  }

  // The head is complete.
  void begin_body() {
    if (notation_) return;
    head_.complete();
    notation_.emplace(head_.notation());
  }

  void make_builder() { builder_ = std::make_unique<ScheduleBuilder>(head_.builder()); }

  void read_step(Words& words) {
    if (trees_) words.fail("a step follows trees; write either steps or trees");
    begin_body();
    if (!builder_) make_builder();
    words.take();
    step_ = words.at_end() ? step_.value_or(-1) + 1
                           : words.integer("number of the step", 0, kMostTextSteps);
    if (*step_ > kMostTextSteps)
      words.fail("step {} is too large; the last possible one is {}", *step_, kMostTextSteps);
    words.expect_end();
  }

  void read_tree(Words& words) {
    if (step_) words.fail("a tree follows steps; write either steps or trees");
    begin_body();
    if (!trees_) trees_.emplace(head_);
    trees_->begin_tree(words);
  }

  void read_message(Words& words) {
    constexpr std::string_view kForm = "a message as '0 > 1 copy 3' or '0 > 1 reduce 2-5'";
    TextMessage message{.line = words.number(), .step = *step_};
    message.from = notation_->agent(words, "sender");
    words.expect(">", kForm);
    message.to = notation_->agent(words, "receiver");
    if (words.take_if("reduce"))
      message.arrival = Arrival::reduce;
    else
      words.expect("copy", kForm);
    notation_->pieces(words, message.pieces);
    message.route = read_via(words, head_.routes());
    words.expect_end();
    add(message);
  }

  void add(const TextMessage& message) {
    builder_->at(message.step)
        .send(message.from, message.to, message.pieces, message.arrival, message.route);
    steps_.push_back(message.step);
    lines_.push_back(message.line);
  }

  // The builder sorts messages by step and keeps their order within one.
  std::vector<std::int64_t> lines_by_message() const {
    std::vector<std::size_t> order(lines_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return steps_[i]; });
    std::vector<std::int64_t> lines;
    lines.reserve(order.size());
    for (const std::size_t i : order) lines.push_back(lines_[i]);
    return lines;
  }

  std::string_view rest_, file_;
  std::int64_t number_ = 0;
  Head head_;
  std::unique_ptr<ScheduleBuilder> builder_;  // once the head is complete
  std::optional<Notation> notation_;          // likewise
  std::optional<std::int64_t> step_;          // the present one
  std::optional<TreeReader> trees_;
  std::vector<std::int64_t> steps_, lines_;  // by message, in the order of the text
};

}  // namespace

RouteId read_via(Words& words, std::int64_t routes) {
  if (!words.take_if("via")) return kRouted;
  if (routes == 0)
    words.fail("the text has no routes; write 'route 0' and its links above the first step");
  return RouteId(words.integer("route", 0, routes - 1));
}

TextSchedule read_text(std::string_view text, const std::string& file) {
  return TextReader(text, file).read();
}

}  // namespace weft::schedule
