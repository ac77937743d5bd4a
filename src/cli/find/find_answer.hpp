// The answer of weft find, for people.
#pragma once

#include <string>

#include "cli/screen/streams.hpp"
#include "weft/design/find/find_question.hpp"

namespace weft::cli {

/// Tables and what they leave to say.
void print_tables(const design::FindQuestion& asked, const design::FindAnswer& found,
                  Streams& streams);
/// Of one size, where curves were asked for.
void print_curves(const design::FoundSize& size, Streams& streams);

/// A line, or nothing: that no network is known. A note: that none has a cable in every port.
std::string none_text(const design::FindQuestion& asked, const design::FindAnswer& found);
std::string idle_text(const design::FindQuestion& asked, const design::FoundSize& size);
/// A note, or nothing: that the size was searched first, why, and how to change that.
std::string search_text(const design::FindQuestion& asked, const design::FindAnswer& found);
/// A note, or nothing: how many throughputs were stored by an earlier run, which no time limit
/// applies to.
std::string stored_throughputs_text(const design::FindAnswer& found);
/// Up to two lines: for how many networks the time limit came before any throughput, and before the
/// gap that is asked for.
std::string late_throughputs_text(const design::FindQuestion& asked,
                                  const design::FindAnswer& found);
/// Nothing unless every curve would begin above the last of the steps.
std::string too_few_steps_text(const design::FindQuestion& asked, const design::FoundSize& size);

}  // namespace weft::cli
