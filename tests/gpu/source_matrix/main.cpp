// SPDX-License-Identifier: MIT

// source_matrix FAMILY [--rewritten | --glsl] [--nothing-executed] [CASE]: runs the cases of a
// family, each mapped (or rewritten, or compiled from the GLSL of the rewritten form where that is
// to be had) by the compiler and executed through the runtime, and fails if anything that a shader
// read or wrote is not as it must be, if the validation layer spoke, or if a pair of kind and
// residence that is allowed was never there, but as GLSL. With --nothing-executed results are not
// looked at.

#include <array>
#include <cstdio>
#include <span>

#include "run_case.h"

namespace {

using namespace source_matrix;

class Coverage {
 public:
  void add(const Case& test) {
    for (const Resource& resource : test.resources) {
      if (resource.role != Role::Subject) continue;
      ++counts_[static_cast<size_t>(resource.residence)][static_cast<size_t>(resource.kind)];
    }
  }

  void print() const {
    std::printf("%-16s", "");
    for (uint32_t kind = 0; kind < kKinds; ++kind)
      std::printf(" %.*s,", name_length(kind), name_of(static_cast<Kind>(kind)).data());
    std::printf("\n");
    for (uint32_t residence = 0; residence < kResidences; ++residence) {
      std::printf("%-16s", heapsmith::to_string(static_cast<Residence>(residence)).data());
      for (uint32_t kind = 0; kind < kKinds; ++kind)
        std::printf(" %*u ", name_length(kind), counts_[residence][kind]);
      std::printf("\n");
    }
  }

  /// Pairs that some stage of the family allows and no case had.
  [[nodiscard]] uint32_t missing(const std::vector<Stage>& stages) const {
    uint32_t missed = 0;
    for (uint32_t residence = 0; residence < kResidences; ++residence) {
      for (uint32_t kind = 0; kind < kKinds; ++kind) {
        bool allowed = false;
        for (const Stage stage : stages) {
          allowed |= is_allowed(static_cast<Kind>(kind), Array::None,
                                static_cast<Residence>(residence), stage);
        }
        if (!allowed || counts_[residence][kind] != 0) continue;
        std::fprintf(stderr, "no case has a %s that is %s\n",
                     name_of(static_cast<Kind>(kind)).data(),
                     heapsmith::to_string(static_cast<Residence>(residence)).data());
        ++missed;
      }
    }
    return missed;
  }

 private:
  static int name_length(uint32_t kind) {
    return static_cast<int>(name_of(static_cast<Kind>(kind)).size());
  }

  std::array<std::array<uint32_t, kKinds>, kResidences> counts_{};
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  const std::string_view family = argv[1];
  std::string_view only;
  Check check = Check::Results;
  std::string_view form = "mapped";
  for (const std::string_view argument : std::span(argv + 2, argv + argc)) {
    if (argument == "--nothing-executed") {
      check = Check::Nothing;
    } else if (argument == "--rewritten" || argument == "--glsl") {
      form = argument.substr(2);
    } else {
      only = argument;
    }
  }
  TestDevice device("source_matrix", {.storesInAllStages = true,
                                      .meshShaders = true,
                                      .rayTracing = true,
                                      .allDescriptors = true,
                                      .heapReads = form != "mapped"});
  Pools pools(device);
  gpu_test::Results results(device, kMostWords);
  Coverage coverage;
  uint32_t ran = 0;
  uint32_t wrong = 0;
  uint32_t refused = 0;
  for (const Case& test : cases_of(family)) {
    if (!only.empty() && test.name != only) continue;
    const std::filesystem::path folder = std::filesystem::path(CASE_FOLDER) / form / test.name;
    if (form == "glsl" && !exists(folder)) {
      ++refused;
      continue;
    }
    const uint32_t said = *device.gpu().messageCount;
    const auto complaints = run_case(device, pools, results, test, folder, check);
    for (const std::string& complaint : complaints)
      std::fprintf(stderr, "%s\n", complaint.c_str());
    const bool silent = *device.gpu().messageCount == said;
    if (!silent) std::fprintf(stderr, "%s: the validation layer spoke\n", test.name.c_str());
    wrong += complaints.empty() && silent ? 0 : 1;
    ++ran;
    coverage.add(test);
  }
  coverage.print();
  std::printf("%u cases of family %s ran, %u of them wrong\n", ran, argv[1], wrong);
  if (refused != 0) std::printf("%u cannot be written as GLSL\n", refused);
  const bool is_complete = only.empty() && family != "special" && form != "glsl";
  const uint32_t missing = is_complete ? coverage.missing(stages_of(family)) : 0;
  const uint32_t messages = device.finish();
  return ran == 0 || wrong != 0 || missing != 0 || messages != 0;
}
