// SPDX-License-Identifier: MIT
#include <cstdio>
#include <cstdlib>
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/check.h"
#include "cli/options.h"
#include "emit/diagnostics_text.h"
#include "input/device_profile.h"

#ifdef _WIN32
#include <fcntl.h>
#include <io.h>
#endif

namespace heapsmith::cli {
namespace {

constexpr int kRefused = 1;

bool print(std::FILE* stream, std::string_view bytes) {
  return std::fwrite(bytes.data(), 1, bytes.size(), stream) == bytes.size() &&
         std::fflush(stream) == 0;
}

Diagnosed<std::string> list_profiles() {
  std::string text;
  for (const std::string_view name : input::built_in_profiles()) {
    text += name;
    text += '\n';
  }
  return text;
}

// One overload a command; each gives what goes to standard output.
struct Runner {
  Diagnostics& diagnostics;

  Diagnosed<std::string> operator()(const driver::MapOptions& options) const {
    return driver::map(options, diagnostics).transform([](driver::Printed printed) {
      return std::move(printed.bytes);
    });
  }
  Diagnosed<std::string> operator()(const driver::LintOptions& options) const {
    return driver::lint(options, diagnostics).transform([] { return std::string(); });
  }
  Diagnosed<std::string> operator()(const driver::StartingPolicyOptions& options) const {
    return driver::starting_policy(options, diagnostics);
  }
  Diagnosed<std::string> operator()(const ReflectCommand& command) const {
    return driver::reflect_shaders(command.shaders, command.outputFile, command.format,
                                   diagnostics);
  }
  Diagnosed<std::string> operator()(const driver::ResolveCommand& command) const {
    return driver::resolve_manifest(command, diagnostics);
  }
  Diagnosed<std::string> operator()(const ProfilesCommand&) const { return list_profiles(); }
  Diagnosed<std::string> operator()(const Finished&) const { HEAPSMITH_UNREACHABLE(); }
};

int run(const std::vector<std::string>& arguments) {
  const Options options = parse_options(arguments);
  if (const auto* finished = std::get_if<Finished>(&options.command)) {
    print(stdout, finished->output);
    print(stderr, finished->error);
    return finished->exitCode;
  }
  Diagnostics diagnostics;
  const Diagnosed<std::string> output = std::visit(Runner{diagnostics}, options.command);
  for (const Diagnostic& diagnostic : diagnostics.all()) {
    print(stderr, options.jsonDiagnostics ? emit::diagnostic_json(diagnostic)
                                          : emit::diagnostic_text(diagnostic));
  }
  if (!output) return kRefused;
  if (print(stdout, *output)) return 0;
  print(stderr, "heapsmith: error: standard output cannot be written\n");
  return kRefused;
}

// Threads cannot hand std::bad_alloc on. Files have not been replaced yet: their bytes come first.
[[noreturn]] void out_of_memory() {
  std::fputs("heapsmith: error: out of memory\n", stderr);
  std::_Exit(kRefused);
}

}  // namespace
}  // namespace heapsmith::cli

int main(int argc, char** argv) {
  std::set_new_handler(heapsmith::cli::out_of_memory);
#ifdef _WIN32
  _setmode(_fileno(stdout), _O_BINARY);
#endif
  return heapsmith::cli::run({argv + 1, argv + argc});
}
