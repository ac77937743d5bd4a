// Rows and stores made by hand.
#pragma once

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "weft/base/error.hpp"
#include "weft/study/store.hpp"

namespace weft::study::test {

inline bool operator==(const StoredRow& a, const StoredRow& b) {
  return a.key == b.key && a.kind == b.kind && a.parameters == b.parameters &&
         a.results == b.results && a.error == b.error;  // all but the wall time
}

inline Row row(int i) {
  return {.kind = &rows::kind_of("simulate"),
          .parameters = {{"algorithm", std::string("bruck")}, {"size", std::int64_t{i}}},
          .variables = {},
          .key = fmt::format("{:032x}", i)};
}

inline std::vector<Row> rows(int count) {
  std::vector<Row> all;
  for (int i = 0; i < count; ++i) all.push_back(row(i));
  return all;
}

inline StoredRow stored(int i, double time_s = 0.25) {
  return {.key = row(i).key,
          .kind = &rows::kind_of("simulate"),
          .parameters = row(i).parameters,
          .results = {{"time", time_s}, {"verified", true}},
          .error = "",
          .wall_s = 0.5};
}

inline StoredRow failed(int i, std::string error = "no route") {
  StoredRow one = stored(i);
  one.results.clear();
  one.error = std::move(error);
  return one;
}

/// A folder that goes with this object.
class Folder {
 public:
  Folder() {
    static std::atomic<int> count{0};
    path_ = std::filesystem::temp_directory_path() /
            fmt::format("weft-store-{}-{}", ::getpid(), count++);
    std::filesystem::create_directory(path_);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { std::filesystem::remove_all(path_); }

  std::string name() const { return path_.filename(); }
  std::string path(const std::string& name) const { return path_ / name; }
  std::string file(const std::string& name, const std::string& content) const {
    std::ofstream(path(name), std::ios::binary) << content;
    return path(name);
  }
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(path_), {}));
  }

 private:
  std::filesystem::path path_;
};

/// What a call throws as InvalidInput.
template <class Call>
std::string refusal(Call call) {
  try {
    call();
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "nothing was thrown";
}

}  // namespace weft::study::test
