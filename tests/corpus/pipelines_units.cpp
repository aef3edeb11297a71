// SPDX-License-Identifier: MIT
#include "pipelines_units.h"

#include <algorithm>
#include <map>

#include "pipelines_interface.h"
#include "words.h"

namespace corpus {
namespace {

struct Module {
  std::filesystem::path file;
  StageInterface interface;
};

struct Package {
  std::vector<Module> vertices;
  std::vector<Module> fragments;
};

bool feeds(const StageInterface& vertex, const StageInterface& fragment) {
  return std::ranges::all_of(fragment.inputs, [&](const auto& input) {
    const auto output = vertex.outputs.find(input.first);
    return output != vertex.outputs.end() && output->second == input.second;
  });
}

bool agree(const StageInterface& vertex, const StageInterface& fragment) {
  return std::ranges::all_of(fragment.bindings, [&](const auto& theirs) {
    const auto ours = vertex.bindings.find(theirs.first);
    return ours == vertex.bindings.end() || ours->second == theirs.second;
  });
}

/// The vertex shader that gives a fragment shader what it reads, and least besides.
const Module* partner(const Package& package, const Module& fragment) {
  const Module* best = nullptr;
  for (const Module& vertex : package.vertices) {
    if (!feeds(vertex.interface, fragment.interface)) continue;
    if (!agree(vertex.interface, fragment.interface)) continue;
    if (best == nullptr || vertex.interface.outputs.size() < best->interface.outputs.size())
      best = &vertex;
  }
  return best;
}

}  // namespace

Units find_units(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".spv") files.push_back(entry.path());
  std::ranges::sort(files);

  Units found{.modules = files.size()};
  std::map<std::string, Package> packages;
  for (const auto& file : files) {
    const std::string name = file.filename().string();
    found.units.push_back({name, {file}});
    auto interface = stage_interface(read_words(file));
    if (!interface) continue;
    Package& package = packages[name.substr(0, name.rfind('_'))];
    if (interface->stage == heapsmith::ShaderStage::Vertex)
      package.vertices.push_back({file, std::move(*interface)});
    else if (interface->stage == heapsmith::ShaderStage::Fragment)
      package.fragments.push_back({file, std::move(*interface)});
  }
  for (const auto& [name, package] : packages) {
    for (const Module& fragment : package.fragments) {
      const Module* vertex = partner(package, fragment);
      if (vertex == nullptr) continue;
      ++found.pairs;
      found.units.push_back(
          {vertex->file.filename().string() + " + " + fragment.file.filename().string(),
           {vertex->file, fragment.file}});
    }
  }
  return found;
}

}  // namespace corpus
