// SPDX-License-Identifier: MIT
#include "emit/write_files.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <format>
#include <fstream>
#include <iterator>
#include <set>
#include <system_error>
#include <utility>
#include <vector>

#ifdef _WIN32
#include <io.h>
#include <process.h>
#else
#include <unistd.h>
#endif

namespace heapsmith::emit {
namespace {

namespace fs = std::filesystem;

#ifdef _WIN32
int process_id() {
  return _getpid();
}
bool is_writable(const std::string& path) {
  return _access(path.c_str(), 2) == 0;
}
#else
int process_id() {
  return getpid();
}
bool is_writable(const std::string& path) {
  return access(path.c_str(), W_OK) == 0;
}
#endif

// A file on its way: written to `temporary`, and the old one kept as `backup` until all are in
// place. The destination itself never goes missing.
struct Staged {
  std::string path;
  std::string destination;  // what the path stands for, links followed
  std::string temporary;
  std::string backup;
  bool hadOld = false;
  bool renamed = false;
};

bool has_bytes(const std::string& path, const std::string& bytes) {
  std::error_code error;
  if (fs::file_size(path, error) != bytes.size() || error) return false;
  std::ifstream stream(path, std::ios::binary);
  const std::string old(std::istreambuf_iterator<char>(stream), {});
  return stream && old == bytes;
}

// A rename would put a file where a link was: /dev/stdout is one.
std::string follow_links(const std::string& path) {
  std::error_code error;
  const fs::path target = fs::canonical(path, error);
  return error ? path : target.string();
}

// An empty text if all went well.
std::string write_bytes(const std::string& path, const std::string& bytes) {
  errno = 0;
  std::FILE* file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) return std::strerror(errno);
  bool written = std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
  written = std::fflush(file) == 0 && written;
  const int error = errno;
  written = std::fclose(file) == 0 && written;
  return written ? std::string() : std::strerror(error != 0 ? error : EIO);
}

class Transaction {
 public:
  explicit Transaction(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;

  ~Transaction() {
    std::error_code ignored;
    for (const Staged& staged : staged_) {
      if (!committed_ && staged.renamed) {
        if (staged.hadOld) {
          fs::rename(staged.backup, staged.destination, ignored);
        } else {
          fs::remove(staged.destination, ignored);
        }
      }
      fs::remove(staged.temporary, ignored);
      fs::remove(staged.backup, ignored);
    }
    if (!committed_ && !made_folder_.empty()) fs::remove(made_folder_, ignored);
  }

  bool make_folder(const std::string& folder) {
    std::error_code error;
    if (folder.empty() || fs::is_directory(folder, error)) return true;
    const bool is_new = fs::create_directory(folder, error);
    if (error) return fail(folder, error.message());
    if (is_new) made_folder_ = folder;  // else another process was faster
    return true;
  }

  // Everything that can fail for want of space or rights fails here, before a destination changes.
  bool stage(const OutputFile& file) {
    std::error_code error;
    const fs::file_status status = fs::status(file.path, error);
    if (status.type() == fs::file_type::none) return fail(file.path, error.message());
    if (fs::is_directory(status)) return fail(file.path, "it is a directory");
    if (fs::exists(status) && !fs::is_regular_file(status)) {
      const std::string text = write_bytes(file.path, file.bytes);
      return text.empty() || fail(file.path, text);
    }
    if (fs::exists(status) && has_bytes(file.path, file.bytes)) return true;
    if (fs::exists(status) && !is_writable(file.path)) return fail(file.path, "it is read-only");
    const std::string destination = follow_links(file.path);
    if (!destinations_.insert(destination).second) return fail(file.path, "it is named twice");
    // Short names of their own: the destination's may be as long as the file system allows.
    const std::string beside = (fs::path(destination).parent_path() /
                                std::format(".heapsmith-{}-{}", process_id(), staged_.size()))
                                   .string();
    const Staged staged = {.path = file.path,
                           .destination = destination,
                           .temporary = beside + ".new",
                           .backup = beside + ".old"};
    staged_.push_back(staged);
    const std::string text = write_bytes(staged.temporary, file.bytes);
    if (!text.empty()) return fail(file.path, text);
    if (fs::exists(status)) fs::permissions(staged.temporary, status.permissions(), error);
    return true;
  }

  bool commit() {
    for (Staged& staged : staged_) {
      std::error_code error;
      if (fs::exists(staged.destination, error)) {
        if (!keep(staged, error)) return fail(staged.path, error.message());
        staged.hadOld = true;
      }
      fs::rename(staged.temporary, staged.destination, error);
      if (error) return fail(staged.path, error.message());
      staged.renamed = true;
    }
    committed_ = true;
    return true;
  }

 private:
  // A second name for the old file; a copy where the file system has no hard links.
  static bool keep(const Staged& staged, std::error_code& error) {
    fs::create_hard_link(staged.destination, staged.backup, error);
    if (error) fs::copy_file(staged.destination, staged.backup, error);
    return !error;
  }

  bool fail(const std::string& path, const std::string& text) {
    diagnostics_.error(Code::CannotWrite, {.file = path},
                       std::format("cannot be written: {}", text));
    return false;
  }

  Diagnostics& diagnostics_;
  std::vector<Staged> staged_;
  std::set<std::string> destinations_;
  std::string made_folder_;
  bool committed_ = false;
};

}  // namespace

Diagnosed<void> write_files(std::span<const OutputFile> files, const std::string& folder,
                            Diagnostics& diagnostics) {
  Transaction transaction(diagnostics);
  if (!transaction.make_folder(folder)) return diagnostics.failed();
  for (const OutputFile& file : files) {
    if (!transaction.stage(file)) return diagnostics.failed();
  }
  if (!transaction.commit()) return diagnostics.failed();
  return {};
}

}  // namespace heapsmith::emit
