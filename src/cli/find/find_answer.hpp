// What weft find found, for people, as CSV and as JSON.
#pragma once

#include <string>

#include "cli/output.hpp"
#include "cli/screen/streams.hpp"
#include "weft/question/find/find_question.hpp"

namespace weft::cli {

/// For programs: exact fractions, seconds.
Table exact_lines(const question::FindAnswer& found);
/// The same of one size, or a list of sizes, after what the command began.
Json json_of(const question::FindAsked& asked, const question::FindAnswer& found, Json begun);

/// Tables and what they leave to say.
void print_tables(const question::FindAsked& asked, const question::FindAnswer& found,
                  Streams& streams);
/// Of one size, where curves were asked for.
void print_curves(const question::FoundSize& size, Streams& streams);

/// A line, or nothing: that no network is known, or none with a cable in every port of one size.
std::string none_text(const question::FindAsked& asked, const question::FindAnswer& found);
std::string idle_text(const question::FindAsked& asked, const question::FoundSize& size);
/// Nothing unless every curve would begin above the last of the steps.
std::string too_few_steps_text(const question::FindAsked& asked, const question::FoundSize& size);

}  // namespace weft::cli
