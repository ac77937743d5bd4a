// SQLite with RAII and our errors: a connection, its statements, its transactions.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace weft::study {

/// A connection. Every failure is InvalidInput and names the file. One thread at a time.
class Database {
 public:
  /// Opens the file for writing, and creates it where it is missing.
  static Database open(const std::string& path);
  /// Opens the file for reading; never creates one, nor anything beside it. A file without a log is
  /// read into memory at once, so that it may lie on a medium that cannot be written.
  static Database read(const std::string& path);
  /// An empty one that stands for the file.
  static Database in_memory(const std::string& path);

  Database(Database&& other) noexcept;
  Database& operator=(Database&&) = delete;
  ~Database();

  /// Moves what the log holds into the file and empties the log, unless others are in its way.
  void empty_log() noexcept;

  void run(const char* sql);
  std::int64_t number(const char* sql);

  sqlite3* get() const { return handle_; }
  /// Throws what the result code means for this file; does nothing for a good one.
  void check(int code) const;

 private:
  Database(std::string path, const char* doing) : path_(std::move(path)), doing_(doing) {}
  static Database snapshot(const std::string& path);
  void connect(int flags);
  [[noreturn]] void fail(int code) const;

  std::string path_;
  const char* doing_;  // "write" or "read"
  // Of a snapshot; SQLite reads it where it lies.
  std::unique_ptr<std::string> content_ = std::make_unique<std::string>();
  sqlite3* handle_ = nullptr;
};

/// A prepared statement, for one use after another.
class Statement {
 public:
  Statement(const Database& database, const char* sql);
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;
  ~Statement();

  /// Binds parameters by number, from 1. Texts must outlive the steps.
  void bind(int index, std::string_view text);
  void bind(int index, double value);
  /// Takes a step: whether there is a row.
  bool step();
  /// The same where SQLite itself doesn't wait for other processes.
  bool step_in_turn();
  /// Ends the use: the row is gone and locks are released.
  void reset();

  std::string_view text(int column) const;
  double real(int column) const;
  std::int64_t integer(int column) const;

 private:
  const Database& database_;
  sqlite3_stmt* handle_ = nullptr;
};

/// Resets a statement at the end of a scope.
class Use {
 public:
  explicit Use(Statement& statement) : statement_(statement) {}
  Use(const Use&) = delete;
  Use& operator=(const Use&) = delete;
  ~Use() { statement_.reset(); }

 private:
  Statement& statement_;
};

/// Takes the write lock at once; rolls back unless committed.
class Transaction {
 public:
  explicit Transaction(Database& database);
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  ~Transaction();
  void commit();

 private:
  Database& database_;
};

}  // namespace weft::study
