// Tables as text: how wide each column is on the screen at hand, and what is written there.
#include <algorithm>
#include <cctype>
#include <numeric>

#include "cli/output.hpp"
#include "weft/base/error.hpp"

namespace weft::cli {

namespace {

using Row = std::vector<std::string>;
constexpr std::size_t kGap = 2;  // blanks between columns

// "12.3us", "63/4 = 15.75"; not a sentence that begins with a number.
bool looks_like_number(const std::string& text) {
  return !text.empty() && text.size() <= 30 &&
         (std::isdigit(static_cast<unsigned char>(text[0])) != 0 || text[0] == '-' ||
          text[0] == '.');
}

std::size_t longest_word(const std::string& text) {
  std::size_t longest = 0;
  for (const std::string& word : wrapped(text, 0)) longest = std::max(longest, cli::width_of(word));
  return longest;
}

// A heading may be broken behind a hyphen too, where a name in a field could not be copied then.
std::vector<std::string> wrapped_heading(const std::string& text, std::size_t columns) {
  if (cli::width_of(text) <= columns) return {text};
  std::string parts;
  for (const char c : text) {
    parts += c;
    if (c == '-') parts += ' ';
  }
  std::vector<std::string> lines;
  for (const std::string& part : wrapped(parts, 0)) {
    const bool joins = !lines.empty() && lines.back().ends_with('-') &&
                       cli::width_of(lines.back()) + cli::width_of(part) <= columns;
    if (joins)
      lines.back() += part;
    else
      lines.push_back(part);
  }
  return lines;
}

struct Column {
  std::size_t width = 0, least = 0;  // least: without breaking a word or a number
  bool right = true;
};

std::vector<Column> columns_of(const Row& heading, const std::vector<Row>& rows) {
  std::vector<Column> columns(heading.size());
  WEFT_ASSERT(
      std::ranges::all_of(rows, [&](const Row& row) { return row.size() >= heading.size(); }));
  for (std::size_t c = 0; c < columns.size(); ++c) {
    Column& column = columns[c];
    column.right = !rows.empty() && std::ranges::all_of(rows, [&](const Row& row) {
      return row[c].empty() || looks_like_number(row[c]);
    });
    column.width = cli::width_of(heading[c]);
    for (const std::string& part : wrapped_heading(heading[c], 0))
      column.least = std::max(column.least, cli::width_of(part));
    for (const Row& row : rows) {
      column.width = std::max(column.width, cli::width_of(row[c]));
      column.least =
          std::max(column.least, column.right ? cli::width_of(row[c]) : longest_word(row[c]));
    }
  }
  return columns;
}

std::size_t width_of(const std::vector<Column>& columns) {
  return std::accumulate(columns.begin(), columns.end(), (columns.size() - 1) * kGap,
                         [](std::size_t sum, const Column& column) { return sum + column.width; });
}

// Takes from the widest column that can be wrapped until all fit, or none can.
void fit(std::vector<Column>& columns, std::size_t width) {
  while (width_of(columns) > width) {
    Column* widest = nullptr;
    for (Column& column : columns)
      if (column.width > column.least && (widest == nullptr || column.width > widest->width))
        widest = &column;
    if (widest == nullptr) return;
    --widest->width;
  }
}

// The columns of each table on the screen: all in one, or, where they may be parted, the first and
// as many as fit.
std::vector<std::vector<std::size_t>> bands_of(const std::vector<Column>& columns,
                                               const Screen& screen) {
  std::vector<std::vector<std::size_t>> bands{{}};
  std::size_t used = 0;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const std::size_t more = columns[c].width + (c == 0 ? 0 : kGap);
    if (screen.terminal && bands.back().size() > 1 &&
        used + more > static_cast<std::size_t>(screen.columns)) {
      bands.push_back({0});
      used = columns[0].width;
    }
    bands.back().push_back(c);
    used += more;
  }
  return bands;
}

class Writer {
 public:
  Writer(const std::vector<Column>& columns, const std::vector<std::size_t>& band)
      : columns_(columns), band_(band) {}

  void add_heading(const Row& heading) {
    add(heading, wrapped_heading, [](std::size_t) { return false; });
  }
  // `colours` says which fields stand out.
  template <class Colours>
  void add_row(const Row& row, Colours colours) {
    add(row, wrapped, colours);
  }
  const std::string& text() const { return out_; }

 private:
  static std::size_t width_of(const std::string& text) { return cli::width_of(text); }

  // A row, on as many lines as its tallest field needs.
  template <class Wrap, class Colours>
  void add(const Row& row, Wrap wrap, Colours colours) {
    std::vector<std::vector<std::string>> fields;
    std::size_t lines = 1;
    for (const std::size_t c : band_) {
      fields.push_back(wrap(row[c], columns_[c].width));
      lines = std::max(lines, fields.back().size());
    }
    for (std::size_t line = 0; line < lines; ++line) {
      std::string text;
      std::size_t blanks = 0;  // written before the next visible character
      for (std::size_t i = 0; i < band_.size(); ++i) {
        const std::string piece = line < fields[i].size() ? fields[i][line] : "";
        const Column& column = columns_[band_[i]];
        const std::size_t padding = column.width - std::min(column.width, width_of(piece));
        if (i > 0) blanks += kGap;
        if (column.right) blanks += padding;
        if (!piece.empty()) {
          text += std::string(blanks, ' ') +
                  (colours(band_[i]) ? "\033[1;32m" + piece + "\033[0m" : piece);
          blanks = 0;
        }
        if (!column.right) blanks += padding;
      }
      text.erase(text.find_last_not_of(' ') + 1);
      out_ += text + '\n';
    }
  }

  const std::vector<Column>& columns_;
  const std::vector<std::size_t>& band_;
  std::string out_;
};

}  // namespace

std::size_t Table::least_width() const {
  std::vector<Column> columns = columns_of(heading_, rows_);
  fit(columns, 0);
  return width_of(columns);
}

std::string Table::text(const Screen& screen) const {
  std::vector<Column> columns = columns_of(heading_, rows_);
  fit(columns, static_cast<std::size_t>(screen.columns));
  std::string out;
  for (const auto& band : bands_of(columns, screen)) {
    Writer writer(columns, band);
    writer.add_heading(heading_);
    for (std::size_t r = 0; r < rows_.size(); ++r)
      writer.add_row(rows_[r], [&](std::size_t c) {
        return screen.colour && std::ranges::count(emphasised_, std::pair(r, c)) > 0;
      });
    out += (out.empty() ? "" : "\n") + writer.text();
  }
  return out;
}

}  // namespace weft::cli
