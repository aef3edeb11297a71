// SPDX-License-Identifier: MIT
#include "input/read_file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <format>
#include <memory>
#include <system_error>

#ifdef _WIN32
#include <fcntl.h>
#include <io.h>
#endif

namespace heapsmith::input {
namespace {

struct Close {
  void operator()(std::FILE* file) const {
    if (file != stdin) std::fclose(file);
  }
};

std::FILE* open(const std::string& path) {
  if (path != "-") return std::fopen(path.c_str(), "rb");
#ifdef _WIN32
  _setmode(_fileno(stdin), _O_BINARY);
#endif
  return stdin;
}

}  // namespace

std::string shown_path(const std::string& path) {
  return path == "-" ? "<stdin>" : path;
}

Diagnosed<std::string> read_file(const std::string& path, Diagnostics& diagnostics) {
  const Place place = {.file = shown_path(path)};
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    return diagnostics.error(Code::FileNotFound, place, "is a directory, not a file");
  }
  errno = 0;
  const std::unique_ptr<std::FILE, Close> file(open(path));
  if (!file) {
    return diagnostics.error(Code::FileNotFound, place,
                             std::format("cannot be read: {}", std::strerror(errno)));
  }
  std::string bytes;
  char buffer[65536];
  while (const size_t count = std::fread(buffer, 1, sizeof buffer, file.get())) {
    bytes.append(buffer, count);
  }
  if (std::ferror(file.get())) {
    return diagnostics.error(Code::FileNotFound, place,
                             std::format("cannot be read: {}", std::strerror(errno)));
  }
  return bytes;
}

}  // namespace heapsmith::input
