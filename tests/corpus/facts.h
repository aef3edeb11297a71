// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>

/// What three reflections say about a module, in a form that can be compared: a key names the fact,
/// the value is what is said. "main/0 set 2 binding 1 count" -> "4".
namespace corpus {

using Facts = std::map<std::string, std::string>;

/// Each fails by returning false, or, the peers, by crashing or eating memory: call them in a child
/// process.
[[nodiscard]] bool our_facts(std::span<const uint32_t> words, Facts& facts);
[[nodiscard]] bool cross_facts(std::span<const uint32_t> words, Facts& facts);
[[nodiscard]] bool reflect_facts(std::span<const uint32_t> words, Facts& facts);

/// "main/5 set 0 binding 3": how the facts of a resource that an entry point uses begin. Stages are
/// spv::ExecutionModel.
[[nodiscard]] std::string resource_key(const std::string& entryPoint, uint32_t stage, uint32_t set,
                                       uint32_t binding);

}  // namespace corpus
