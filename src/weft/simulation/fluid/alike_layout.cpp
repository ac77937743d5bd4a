#include "weft/simulation/fluid/alike_layout.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <unordered_map>
#include <utility>

#include "weft/base/error.hpp"
#include "weft/base/random.hpp"
#include "weft/base/work/time_limit.hpp"
#include "weft/simulation/fluid/max_min.hpp"

namespace weft::simulation {

namespace {

constexpr std::int64_t kFewClasses = 4;  // messages of a class in the mean, at least
constexpr std::int64_t kSamples = 8;     // the part of the steps that is looked at first

using Colour = std::uint64_t;

// The sides of a message, as which its colour is added to its agents'.
constexpr Colour kSends = 1, kReceives = 2;

Colour both(Colour a, Colour b) {
  return Rng(a * 0xd6e8feb86659fd93 + b).next();
}

/// Numbers colours in the order in which they come.
class Numbering {
 public:
  ClassIndex of(Colour colour) {
    if (last_ >= 0 && colour == last_colour_) return last_;  // neighbours are often alike
    last_colour_ = colour;
    last_ = numbers_.emplace(colour, static_cast<ClassIndex>(numbers_.size())).first->second;
    return last_;
  }
  ClassIndex size() const { return static_cast<ClassIndex>(numbers_.size()); }

 private:
  std::unordered_map<Colour, ClassIndex> numbers_;
  Colour last_colour_ = 0;
  ClassIndex last_ = -1;
};

/// Bytes of each message that its receiver sums.
void find_reductions(const program::StepProgram& step, std::vector<std::int64_t>& reduced_B) {
  reduced_B.assign(step.transfers.size(), 0);
  for (const program::LocalWork& work : step.work)
    if (work.kind == program::WorkKind::reduce) reduced_B[work.transfer] += work.bytes;
}

void keep_first_segment(program::StepProgram& step, std::vector<std::int64_t>& reduced_B) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < step.transfers.size(); ++i) {
    if (step.transfers[i].segment > 0) continue;
    reduced_B[kept] = reduced_B[i];
    step.transfers[kept++] = step.transfers[i];
  }
  step.transfers.resize(kept);
  reduced_B.resize(kept);
}

}  // namespace

std::optional<std::vector<AlikeLayout::Content>> AlikeLayout::contents_in(
    const Program& program, std::int64_t first, program::Pipeline pipeline) const {
  const auto& [segments, stride] = pipeline;
  WEFT_ASSERT(segments >= 1 && first >= 0);
  WEFT_ASSERT(!first_sent.empty() && first_sent.back() == sent.size());
  std::vector<Content> contents(messages.size() * static_cast<std::size_t>(segments));
  std::vector<std::int64_t> reduced_B;  // by message of a step
  program::StepProgram step;
  for (std::int64_t t = 0; t < steps() + (segments - 1) * stride; ++t) {
    program.step(first + t, step, program::Copies::left_out);
    find_reductions(step, reduced_B);
    const program::Transfer* transfer = step.transfers.data();
    const program::Transfer* end = transfer + step.transfers.size();
    for (std::int64_t segment = 0; segment < segments; ++segment) {
      const std::int64_t own = t - segment * stride;  // step of the first segment
      if (own < 0 || own >= steps()) continue;
      Content* of_class = contents.data() + segment * std::ssize(messages);
      for (std::size_t i = first_sent[own]; i < first_sent[own + 1]; ++i, ++transfer) {
        if (transfer == end || transfer->from != sent[i].from || transfer->to != sent[i].to)
          return std::nullopt;
        const std::int32_t m = sent[i].message;
        const std::int64_t of_it_B = reduced_B[transfer - step.transfers.data()];
        const Content content{transfer->bytes, messages[m].is_summed ? of_it_B : 0};
        Content& known = of_class[m];
        if (known.bytes == 0) known = content;
        if (known != content) return std::nullopt;
      }
    }
    if (transfer != end) return std::nullopt;
  }
  return contents;
}

AlikeFinder::AlikeFinder(const Program& program, const Network& network)
    : program_(program), network_(network), nodes_(program.nodes_on(network)), walk_(network) {}

std::shared_ptr<const AlikeLayout> AlikeFinder::find(std::int64_t first, std::int64_t end,
                                                     Beginning beginning) {
  WEFT_ASSERT(first >= 0 && first <= end && end <= program_.steps());
  const std::int64_t sample = (end - first) / kSamples;
  if (sample > 0 && !has_few_classes(first, first + sample, beginning)) return nullptr;
  if (!has_few_classes(first, end, beginning)) return nullptr;
  count(2 * std::ssize(links_));
  number();
  if (!is_equitable(beginning)) return nullptr;
  return std::exchange(layout_, nullptr);
}

/// Of a part of the steps it is asked first: what is irregular mostly is so from the start.
bool AlikeFinder::has_few_classes(std::int64_t first, std::int64_t end, Beginning beginning) {
  layout_ = std::make_shared<AlikeLayout>();
  links_alike_ = true;
  load(first, end, beginning);
  WEFT_ASSERT(first_.size() == facts_.size() + 1 && layout_->sent.size() == facts_.size());
  WEFT_ASSERT(shares_.empty() || shares_.size() == links_.size());
  begin_colours(beginning);
  return refine(beginning);
}

/// Steps are routed one by one, as a simulation does.
void AlikeFinder::load(std::int64_t first, std::int64_t end, Beginning beginning) {
  facts_.clear();
  links_.clear();
  shares_.clear();
  first_.assign(1, 0);
  layout_->first_sent.assign(1, 0);
  for (std::int64_t t = first; t < end; ++t) {
    program_.step(t, step_, program::Copies::left_out);
    find_reductions(step_, reduced_B_);
    if (beginning == Beginning::apart) keep_first_segment(step_, reduced_B_);
    walk_.clear();
    started_.assign(nodes_.size(), 0);
    for (std::size_t i = 0; i < step_.transfers.size(); ++i) {
      const program::Transfer& transfer = step_.transfers[i];
      walk_.add(nodes_[transfer.from], nodes_[transfer.to], transfer.route, 0);
      layout_->sent.push_back({transfer.from, transfer.to});
      const bool summed = is_summed(transfer);
      facts_.push_back({.content = {transfer.bytes, summed ? reduced_B_[i] : 0},
                        .step = static_cast<std::int32_t>(t - first),
                        .startups = startups_before(transfer),
                        .is_summed = summed});
    }
    walk_.route();
    add_routes(step_.transfers.size());
    count(walk_.work());
    layout_->first_sent.push_back(layout_->sent.size());
  }
}

void AlikeFinder::count(std::int64_t looks) {
  WEFT_ASSERT(looks >= 0);
  work_ += looks;
  if (work_ > most_work_) throw OutOfWork();
  TimeLimit::check();
}

/// Those of each message come one after the other.
std::int32_t AlikeFinder::startups_before(const program::Transfer& transfer) {
  if (network_.host().send_ps() == 0 || transfer.from == transfer.to) return 0;
  if (!network_.topology().is_host(nodes_[transfer.from])) return 0;
  std::int32_t& started = started_[transfer.from.index()];
  return network_.host().startup_per == StartupPer::step ? 1 : ++started;
}

bool AlikeFinder::is_summed(const program::Transfer& transfer) const {
  return transfer.arrival == schedule::Arrival::reduce && !network_.host().reductions_are_free() &&
         network_.topology().is_host(nodes_[transfer.to]);
}

void AlikeFinder::add_routes(std::size_t messages) {
  const std::size_t begin = facts_.size() - messages;
  for (std::size_t i = 0; i < messages; ++i) {
    const auto message = static_cast<std::int64_t>(i);
    const auto shares = walk_.shares(message);
    if (!shares.empty() && shares_.empty()) shares_.assign(links_.size(), 1);
    for (const LinkId link : walk_.links(message)) links_.push_back(link.value());
    for (const Rational& share : shares) shares_.push_back(share.to_double());
    if (!shares_.empty()) shares_.resize(links_.size(), 1);
    first_.push_back(links_.size());
    facts_[begin + i].latency_ps = walk_.latency_ps(message);
  }
}

void AlikeFinder::begin_colours(Beginning beginning) {
  colours_.clear();
  for (const Facts& facts : facts_) {
    Colour colour = 0;
    for (const std::int64_t fact :
         {facts.content.bytes, facts.content.reduced_B, facts.latency_ps, std::int64_t{facts.step},
          std::int64_t{facts.startups}, std::int64_t{facts.is_summed}})
      colour = both(colour, static_cast<Colour>(fact));
    colours_.push_back(colour);
  }
  link_colours_.clear();
  for (const LinkId link : network_.topology().links())
    link_colours_.push_back(static_cast<Colour>(network_.fabric().bandwidth_Bps(link)));
  agent_colours_.assign(beginning == Beginning::apart ? nodes_.size() : 0, 0);
}

bool AlikeFinder::refine(Beginning beginning) {
  for (std::int64_t classes = 0;;) {
    count(2 * std::ssize(links_));
    pass_to_links_and_agents(beginning);
    Numbering others;
    const auto messages = pass_to_messages(beginning);
    if (!messages) return false;
    for (const Colour colour : link_colours_) others.of(colour);
    for (const Colour colour : agent_colours_) others.of(both(colour, kSends));
    const std::int64_t now = std::int64_t{*messages} + others.size();
    if (std::exchange(classes, now) == now) return true;
  }
}

void AlikeFinder::pass_to_links_and_agents(Beginning beginning) {
  link_sums_.assign(link_colours_.size(), 0);
  agent_sums_.assign(agent_colours_.size(), 0);
  for (std::size_t i = 0; i < colours_.size(); ++i) {
    const Colour whole = both(colours_[i], std::bit_cast<Colour>(1.0));
    each_link(i, [&](std::int32_t link, double share) {
      link_sums_[link] += share == 1 ? whole : both(colours_[i], std::bit_cast<Colour>(share));
    });
    if (beginning == Beginning::together) continue;
    agent_sums_[sender(i).index()] += both(colours_[i], kSends);
    agent_sums_[receiver(i).index()] += both(colours_[i], kReceives);
  }
  for (std::size_t link = 0; link < link_sums_.size(); ++link)
    link_colours_[link] = both(link_colours_[link], link_sums_[link]);
  for (std::size_t agent = 0; agent < agent_sums_.size(); ++agent)
    agent_colours_[agent] = both(agent_colours_[agent], agent_sums_[agent]);
}

/// Returns how many colours there are now; nothing where they are many.
std::optional<ClassIndex> AlikeFinder::pass_to_messages(Beginning beginning) {
  std::vector<Colour>& whole = link_sums_;  // of links that carry all of a message
  for (std::size_t link = 0; link < whole.size(); ++link)
    whole[link] = both(link_colours_[link], std::bit_cast<Colour>(1.0));
  const std::int64_t most = std::ssize(colours_) / kFewClasses;
  Numbering numbers;
  for (std::size_t i = 0; i < colours_.size(); ++i) {
    Colour sum = 0;
    each_link(i, [&](std::int32_t link, double share) {
      sum += share == 1 ? whole[link] : both(link_colours_[link], std::bit_cast<Colour>(share));
    });
    if (beginning == Beginning::apart)
      sum = both(both(sum, agent_colours_[sender(i).index()]), agent_colours_[receiver(i).index()]);
    colours_[i] = both(colours_[i], sum);
    if (numbers.of(colours_[i]) >= most) return std::nullopt;
  }
  return numbers.size();
}

void AlikeFinder::number() {
  Numbering numbers, of_links, of_agents;
  for (std::size_t i = 0; i < colours_.size(); ++i)
    layout_->sent[i].message = numbers.of(colours_[i]);
  layout_->messages.resize(numbers.size());
  link_class_of_.clear();
  links_in_.clear();
  for (const LinkId link : network_.topology().links()) {
    const ClassIndex number = of_links.of(link_colours_[link.index()]);
    link_class_of_.push_back(number);
    if (static_cast<std::size_t>(of_links.size()) > links_in_.size()) {
      links_in_.push_back(0);
      layout_->capacities.push_back(static_cast<double>(network_.fabric().bandwidth_Bps(link)));
    }
    ++links_in_[number];
    links_alike_ = links_alike_ && layout_->capacities[number] ==
                                       static_cast<double>(network_.fabric().bandwidth_Bps(link));
  }
  agent_class_of_.assign(nodes_.size(), 0);
  for (std::size_t agent = 0; agent < agent_colours_.size(); ++agent)
    agent_class_of_[agent] = of_agents.of(agent_colours_[agent]);
  layout_->agent_classes = std::max<ClassIndex>(of_agents.size(), 1);
  agents_in_.assign(layout_->agent_classes, 0);
  for (const ClassIndex agent : agent_class_of_) ++agents_in_[agent];
}

/// Whether the classes are what the essay asks for, since colours are sums that may be equal by
/// chance; finds what their messages have in common on the way.
bool AlikeFinder::is_equitable(Beginning beginning) {
  std::vector<std::vector<std::size_t>> members(layout_->messages.size());
  for (std::size_t i = 0; i < layout_->sent.size(); ++i)
    members[layout_->sent[i].message].push_back(i);
  if (!links_alike_) return false;
  on_link_.assign(link_class_of_.size(), 0);
  of_agent_.assign(nodes_.size(), 0);
  for (std::size_t v = 0; v < members.size(); ++v) {
    WEFT_ASSERT(!members[v].empty());
    const std::size_t first = members[v].front();
    AlikeLayout::Message& message = layout_->messages[v];
    message = {.from = agent_class_of_[sender(first).index()],
               .to = agent_class_of_[receiver(first).index()],
               .step = facts_[first].step,
               .startups = facts_[first].startups,
               .is_summed = facts_[first].is_summed,
               .latency_ps = facts_[first].latency_ps};
    if (!has_one_way(members[v]) || !add_loads(members[v], message.loads)) return false;
    if (beginning == Beginning::apart && !has_same_ends(members[v], message)) return false;
  }
  return true;
}

/// Whether the messages are alike, and cross links of the same classes.
bool AlikeFinder::has_one_way(std::span<const std::size_t> members) {
  const auto find_way = [&](std::size_t message, std::vector<Crossing>& way) {
    way.clear();
    each_link(message, [&](std::int32_t link, double share) {
      way.push_back({link_class_of_[link], share});
    });
    std::ranges::sort(way);
  };
  const std::size_t first = members.front();
  find_way(first, way_);
  return std::ranges::all_of(members, [&](std::size_t i) {
    find_way(i, other_way_);
    return other_way_ == way_ && facts_[i] == facts_[first];
  });
}

/// What the messages of a class put on links; false where links of a class carry unlike loads.
bool AlikeFinder::add_loads(std::span<const std::size_t> members, std::vector<Crossing>& loads) {
  constexpr double kSame = 1e-12;  // sums of shares, in several orders
  std::vector<std::int32_t> touched;
  for (const std::size_t i : members)
    each_link(i, [&](std::int32_t link, double share) {
      if (on_link_[link] == 0) touched.push_back(link);
      on_link_[link] += share;
    });
  std::unordered_map<ClassIndex, std::pair<double, std::int64_t>> found;  // load of each, links
  bool alike = true;
  for (const std::int32_t link : touched) {
    const double load = std::exchange(on_link_[link], 0);
    auto& [of_each, links] = found.try_emplace(link_class_of_[link], load, 0).first->second;
    alike = alike && std::abs(load - of_each) <= kSame * of_each;
    ++links;
  }
  for (const auto& [link_class, load] : found) {
    alike = alike && load.second == links_in_[link_class];
    loads.push_back({link_class, load.first});
  }
  std::ranges::sort(loads);
  return alike;
}

/// Whether all agents of a class send as many of these messages, and receive as many.
bool AlikeFinder::has_same_ends(std::span<const std::size_t> members,
                                AlikeLayout::Message& message) {
  const auto count = std::ssize(members);
  const auto all_alike = [&](auto&& end) {
    const ClassIndex of_class = agent_class_of_[end(members.front()).index()];
    const std::int64_t agents = agents_in_[of_class];
    bool alike = true;
    for (const std::size_t i : members) ++of_agent_[end(i).index()];
    for (const std::size_t i : members) {
      alike = alike && agent_class_of_[end(i).index()] == of_class;
      if (const std::int64_t own = std::exchange(of_agent_[end(i).index()], 0))
        alike = alike && own * agents == count;
    }
    return alike;
  };
  message.received = static_cast<std::int32_t>(count / agents_in_[message.to]);
  return all_alike([&](std::size_t i) { return sender(i); }) &&
         all_alike([&](std::size_t i) { return receiver(i); });
}

}  // namespace weft::simulation
