#include "weft/flow/allreduce/program.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace weft::flow {

using graph::Fraction;
using graph::kUnbounded;
using graph::LinearTerm;
using graph::Sense;

namespace {

std::size_t number_of(Sense half) {
  return half == Sense::along ? 0 : 1;
}

}  // namespace

HalvesProgram::HalvesProgram(const Shared& shared) : shared_(shared) {
  std::int64_t fastest = 1;
  for (const graph::CapacityArc& arc : shared.arcs) fastest = std::max(fastest, arc.capacity);
  std::frexp(static_cast<double>(fastest), &scale_);
  program_.add_column(1, {});
  for (std::size_t e = 0; e < shared.arcs.size(); ++e)
    for (int side = 0; side < 2; ++side) program_.add_column(0, {});
  for (const std::int64_t ranks : shared.ranks) {
    program_.add_column(0, {});
    program_.add_column(0, {0, static_cast<double>(ranks)});
  }
  if (!shared.is_even)
    for (std::size_t e = 0; e < shared.arcs.size(); ++e) program_.add_column(0, {});
  Terms all;
  for (std::size_t i = 0; i < shared.places.size(); ++i) add_difference(all, root(i), 1);
  program_.add_row({0, 0}, all);
  for (auto& rows : has_row_) rows.assign(shared.arcs.size(), 0);
  add_balance(Sense::along);
  if (!shared.is_even) add_balance(Sense::against);  // else one says the other
}

double HalvesProgram::capacity(std::size_t e) const {
  return std::ldexp(static_cast<double>(shared_.arcs[e].capacity), -scale_);
}

void HalvesProgram::add_difference(Terms& terms, std::size_t first, double coefficient) {
  terms.push_back({static_cast<int>(first), coefficient});
  terms.push_back({static_cast<int>(first) + 1, -coefficient});
}

void HalvesProgram::add_arc(Terms& terms, double& of_time, Sense half, std::size_t e,
                            double factor) const {
  of_time += factor * capacity(e);
  add_difference(terms, arc(e), half == Sense::along ? factor : -factor);
  if (half == Sense::against && !shared_.is_even)
    terms.push_back({static_cast<int>(idle(e)), -factor});
}

int HalvesProgram::add_row(graph::LinearRange range, Terms terms, double of_time) {
  if (of_time != 0) terms.push_back({0, of_time});
  return program_.add_row(range, terms);
}

void HalvesProgram::add_balance(Sense half) {
  for (const std::int32_t node : shared_.passing) {
    Terms terms;
    double of_time = 0;
    for (std::size_t e = 0; e < shared_.arcs.size(); ++e) {
      if (shared_.arcs[e].head == node) add_arc(terms, of_time, half, e, 1);
      if (shared_.arcs[e].tail == node) add_arc(terms, of_time, half, e, -1);
    }
    balance_rows_[number_of(half)].push_back(add_row({0, 0}, std::move(terms), of_time));
  }
}

bool HalvesProgram::add(std::vector<HalfCut> cuts) {
  bool any = false;
  for (HalfCut& cut : cuts) {
    if (std::ranges::find(cuts_, cut) != cuts_.end()) continue;
    Terms terms;
    double of_time = 0, outside = 0;
    for (std::size_t e = 0; e < shared_.arcs.size(); ++e)
      if (cut.is_crossed_by(shared_.arcs[e])) add_arc(terms, of_time, cut.sense, e, 1);
    for (std::size_t i = 0; i < shared_.places.size(); ++i)
      if (cut.inside[shared_.places[i]] == 0) {
        add_difference(terms, root(i), -1);
        outside += static_cast<double>(shared_.ranks[i]);
      }
    cut_rows_.push_back(add_row({outside, kUnbounded}, std::move(terms), of_time));
    cuts_.push_back(std::move(cut));
    any = true;
  }
  return any;
}

bool HalvesProgram::add_rows_for(const Halves<double>& halves) {
  constexpr double kLeast = 1e-8;
  bool any = false;
  for (const Sense half : {Sense::along, Sense::against})
    for (std::size_t e = 0; e < shared_.arcs.size(); ++e) {
      const double takes = (half == Sense::along ? halves.along : halves.against)[e];
      char& has_row = has_row_[number_of(half)][e];
      if (takes > -kLeast || has_row != 0) continue;
      Terms terms;
      double of_time = 0;
      add_arc(terms, of_time, half, e, 1);
      add_row({0, kUnbounded}, std::move(terms), of_time);
      has_row = 1;
      any = true;
    }
  return any;
}

bool HalvesProgram::solve(double most_seconds) {
  return program_.solve(
      cut_rows_.empty() ? graph::SolveFrom::scratch : graph::SolveFrom::vertex_and_rows,
      most_seconds);
}

HalfDuals HalvesProgram::duals(const std::vector<Fraction>& row_prices) const {
  HalfDuals duals;
  for (const int row : cut_rows_)
    duals.cuts.push_back(std::max<Fraction>(row_prices[place(row)], 0));
  duals.along.assign(static_cast<std::size_t>(shared_.nodes), 0);
  duals.against = duals.along;
  for (const Sense half : {Sense::along, Sense::against}) {
    const auto& rows = balance_rows_[number_of(half)];
    for (std::size_t i = 0; i < rows.size(); ++i)
      (half == Sense::along ? duals.along : duals.against)[shared_.passing[i]] =
          row_prices[place(rows[i])];
  }
  return duals;
}

}  // namespace weft::flow
