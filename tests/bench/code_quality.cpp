// SPDX-License-Identifier: MIT

// Compiles shaders with the driver at hand, which should be AMD's without hardware, in all forms
// that heapsmith knows (forms.h), and compares the machine code: mapped must be what mapping by
// hand gives, rewritten what mapped gives.
//
// usage: code_quality [--most N] [--code FOLDER] UNITS... [--tests UNITS...]
//
// UNITS: SHADER or SHADER+SHADER, one program; or a folder of SPIR-V modules; or a folder of
// folders with GLSL, each of them one program. --most takes that many of those in folders whose
// names are the same up to the first '_'. What stands behind --tests is held to less where the
// driver has its limits.

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "code_report.h"
#include "forms.h"

namespace {

namespace fs = std::filesystem;

struct Arguments {
  size_t most = 0;  // 0: all
  fs::path code;
  std::vector<std::string> units;
  std::vector<std::string> tests;
};

std::optional<Arguments> parse(int argc, char** argv) {
  Arguments arguments;
  auto* units = &arguments.units;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--most" && i + 1 < argc)
      arguments.most = std::strtoul(argv[++i], nullptr, 10);
    else if (argument == "--code" && i + 1 < argc)
      arguments.code = argv[++i];
    else if (argument == "--tests")
      units = &arguments.tests;
    else if (argument.starts_with("-"))
      return std::nullopt;
    else
      units->emplace_back(argument);
  }
  if (arguments.units.empty()) return std::nullopt;
  return arguments;
}

corpus::Unit unit_of_files(std::string_view text) {
  corpus::Unit unit;
  for (size_t end = 0; end != std::string_view::npos; text.remove_prefix(end + 1)) {
    end = text.find('+');
    unit.files.emplace_back(text.substr(0, end));
    unit.name += (unit.name.empty() ? "" : " + ") + unit.files.back().filename().string();
    if (end == std::string_view::npos) break;
  }
  return unit;
}

/// Those of each package, evenly spread.
std::vector<corpus::Unit> some_of(const std::vector<corpus::Unit>& units, size_t most) {
  std::map<std::string, std::vector<const corpus::Unit*>> packages;
  for (const corpus::Unit& unit : units)
    packages[unit.name.substr(0, unit.name.find('_')) + (unit.files.size() > 1 ? "+" : "")]
        .push_back(&unit);
  std::vector<corpus::Unit> some;
  for (const auto& [name, all] : packages) {
    const size_t count = most == 0 ? all.size() : std::min(most, all.size());
    for (size_t i = 0; i < count; ++i)
      some.push_back(*all[i * all.size() / count]);
  }
  return some;
}

bool is_source(const fs::path& file) {
  return file.extension() != ".json" && file.extension() != ".spv";
}

std::vector<corpus::Unit> units_of_folders(const fs::path& folder) {
  std::vector<corpus::Unit> units;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (!entry.is_directory()) continue;
    corpus::Unit unit{.name = entry.path().filename().string()};
    for (const auto& file : fs::directory_iterator(entry.path()))
      if (is_source(file.path())) unit.files.push_back(file.path());
    std::ranges::sort(unit.files);
    if (!unit.files.empty()) units.push_back(std::move(unit));
  }
  std::ranges::sort(units, {}, &corpus::Unit::name);
  return units;
}

std::vector<corpus::Unit> find_all(const std::vector<std::string>& units, size_t most) {
  std::vector<corpus::Unit> all;
  for (const std::string& text : units) {
    if (!fs::is_directory(text)) {
      all.push_back(unit_of_files(text));
      continue;
    }
    const auto modules = some_of(corpus::find_units(text).units, most);
    all.insert(all.end(), modules.begin(), modules.end());
    const auto programs = some_of(units_of_folders(text), most);
    all.insert(all.end(), programs.begin(), programs.end());
  }
  return all;
}

}  // namespace

int main(int argc, char** argv) {
  const auto arguments = parse(argc, argv);
  if (!arguments) {
    std::fprintf(stderr,
                 "usage: code_quality [--most N] [--code FOLDER] UNITS... [--tests UNITS...]\n");
    return 2;
  }
  const auto gpu = corpus::create_gpu();
  if (gpu == nullptr) return 1;
  VkPhysicalDeviceProperties properties{};
  gpu->instanceFunctions.vkGetPhysicalDeviceProperties(gpu->physicalDevice, &properties);

  std::string folder = (fs::temp_directory_path() / "code_quality-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) return 1;
  bench::CodeReport report(arguments->code);
  for (const corpus::Unit& unit : find_all(arguments->units, arguments->most))
    report.add(bench::compile_unit(*gpu, unit, folder), false);
  for (const corpus::Unit& unit : find_all(arguments->tests, arguments->most))
    report.add(bench::compile_unit(*gpu, unit, folder), true);
  std::error_code ignored;
  fs::remove_all(folder, ignored);
  return report.print(properties.deviceName) ? 0 : 1;
}
