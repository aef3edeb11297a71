// SPDX-License-Identifier: MIT
#include "check/lint_structs.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "lint_sample.h"

// The rules that the validation layer knows, too, are in tests/gpu/lint_agreement.
namespace heapsmith::check {
namespace {

TEST_CASE("lint: a mapping that matches nothing") {
  CHECK(lint_text({}, R"({"firstBinding": 3, "source": "HEAP_WITH_CONSTANT_OFFSET",
                          "resourceMask": []})") ==
        "error HS5003 : HEAP_WITH_CONSTANT_OFFSET: the resourceMask is 0 and matches nothing\n");
}

TEST_CASE("lint: a mapping of no bindings") {
  CHECK(lint_text({}, R"({"firstBinding": 3, "bindingCount": 0,
                          "source": "HEAP_WITH_CONSTANT_OFFSET"})") ==
        "warning HS5009 : HEAP_WITH_CONSTANT_OFFSET: bindingCount is 0, so it serves nothing, and "
        "the validation layer may take it for an overlap (11244)\n");
}

TEST_CASE("lint: an address that no buffer can match") {
  // Vulkan has a rule for the two other sources of addresses (11357) alone.
  CHECK(lint_text({}, R"({"firstBinding": 3, "source": "INDIRECT_ADDRESS",
                          "resourceMask": ["SAMPLER"]})") ==
        "warning HS5003 : INDIRECT_ADDRESS: the resourceMask has no bit of a buffer or an "
        "acceleration structure\n");
  CHECK(lint_text({}, R"({"firstBinding": 3, "source": "INDIRECT_ADDRESS",
                          "resourceMask": ["SAMPLER", "ACCELERATION_STRUCTURE"]})")
            .empty());
}

TEST_CASE("lint: no mapping, nothing to say") {
  CHECK(lint_text({}, "").empty());
}

TEST_CASE("lint: an overlap is reported at the second mapping, whatever the order in the file") {
  const std::string wide = R"({"firstBinding": 0, "bindingCount": 9, "source": )"
                           R"("HEAP_WITH_CONSTANT_OFFSET"})";
  const std::string narrow = R"({"firstBinding": 8, "source": "PUSH_DATA", "pushDataOffset": 0})";
  const std::string said =
      "error HS5002 : PUSH_DATA: serves the same bindings and kinds of resource as the mapping of "
      "binding 0 from HEAP_WITH_CONSTANT_OFFSET on (11244)\n";
  CHECK(lint_text({}, wide + "," + narrow) == said);
  CHECK(lint_text({}, narrow + "," + wide) == said);
}

TEST_CASE("lint: overlaps are by set, bindings and mask") {
  const auto two = [](const std::string& a, const std::string& b) {
    return lint_text({}, R"({"source": "HEAP_WITH_CONSTANT_OFFSET", )" + a +
                             R"(}, {"source": "HEAP_WITH_CONSTANT_OFFSET", )" + b + "}");
  };
  CHECK(two(R"("firstBinding": 1)", R"("firstBinding": 1, "descriptorSet": 1)").empty());
  CHECK(two(R"("firstBinding": 1, "bindingCount": 2)", R"("firstBinding": 3)").empty());
  CHECK(two(R"("firstBinding": 1, "resourceMask": ["SAMPLER"])",
            R"("firstBinding": 1, "resourceMask": ["SAMPLED_IMAGE"])")
            .empty());
  CHECK(two(R"("firstBinding": 4294967295, "bindingCount": 4294967295)",
            R"("firstBinding": 4294967295)")
            .starts_with("error HS5002"));
  CHECK(two(R"("firstBinding": 0, "bindingCount": 0)", R"("firstBinding": 0)")
            .starts_with("warning HS5009"));
}

TEST_CASE("lint: one wide mapping overlaps many, also behind one that it does not") {
  const std::string said = lint_text({}, R"(
      {"firstBinding": 0, "bindingCount": 9, "resourceMask": ["SAMPLER"],
       "source": "HEAP_WITH_CONSTANT_OFFSET"},
      {"firstBinding": 1, "resourceMask": ["SAMPLED_IMAGE"], "source": "HEAP_WITH_CONSTANT_OFFSET"},
      {"firstBinding": 2, "resourceMask": ["SAMPLER"], "source": "HEAP_WITH_CONSTANT_OFFSET"},
      {"firstBinding": 8, "resourceMask": ["SAMPLER"], "source": "HEAP_WITH_CONSTANT_OFFSET"})");
  CHECK(std::ranges::count(said, '\n') == 2);
}

TEST_CASE("lint: without ray tracing nothing bounds the shader record") {
  DeviceLimits limits = sample_limits();
  const std::string mapping =
      R"({"firstBinding": 0, "source": "SHADER_RECORD_DATA", "shaderRecordDataOffset": 4096})";
  CHECK(lint_text({}, mapping, limits).starts_with("error HS5010"));
  limits.maxShaderRecordSize = 0;
  CHECK(lint_text({}, mapping, limits).empty());
}

}  // namespace
}  // namespace heapsmith::check
