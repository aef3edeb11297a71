// SPDX-License-Identifier: MIT

// Two programs that share a set, of which each declares a part, and that the policy gives different
// residences for another one.

#include <heapsmith/fields.h>

#include "session.h"

using namespace mapped_shaders;

namespace {

constexpr uint32_t kSkies = 3;
constexpr uint32_t kParts = 3;

// A number that says where it was written.
uint32_t number(uint32_t binding, uint32_t instance, uint32_t element = 0) {
  return 100 * binding + 10 * instance + element;
}

struct Programs {
  Session session;
  example::Buffer choices = session.buffer(sizeof(shaders::indirect_layouts::choices) + 8,
                                           VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT);
  std::vector<VkPipeline> pipelines{session.pipeline(shaders::programs::near_),
                                    session.pipeline(shaders::programs::far_)};

  Programs() {
    for (uint32_t sky = 0; sky < kSkies; ++sky) {
      session.write_number(shaders::bindings::sky::sun, 0, sky, number(1, sky));
      session.write_number(shaders::bindings::sky::moon, 0, sky, number(2, sky));
      session.write_number(shaders::bindings::sky::star, 0, sky, number(3, sky));
    }
    for (uint32_t instance = 0; instance < 2; ++instance) {
      for (uint32_t part = 0; part < kParts; ++part) {
        session.write_number(shaders::bindings::near_parts::parts, part, instance,
                             number(4, instance, part));
        session.write_number(shaders::bindings::far_parts::parts, part, instance,
                             number(5, instance, part));
      }
    }
  }

  // Push data that leads to the choices.
  gpu_test::PushData push(const shaders::indirect_layouts::choices& chosen) {
    std::memcpy(choices.mapped, &chosen, sizeof chosen);
    gpu_test::PushData pushed;
    heapsmith::set_address(pushed.bytes, shaders::manifest, shaders::push::choicesAddress,
                           choices.address);
    return pushed;
  }

  [[nodiscard]] uint32_t slot(heapsmith::BindingId binding, uint32_t part,
                              uint32_t instance) const {
    return static_cast<uint32_t>(heapsmith::resource_slot(shaders::manifest, session.layout().slots,
                                                          binding, part, instance));
  }
};

}  // namespace

TEST_CASE_METHOD(Programs, "mapped shaders: a shared set, and one that is not") {
  for (uint32_t sky = 0; sky < kSkies; ++sky) {
    gpu_test::PushData pushed = push({.sky = sky, .parts = {}});
    // The generated structs say where the fields are, as the manifest does.
    pushed.put(offsetof(shaders::push_data::near_, near_parts), sky % 2);
    CHECK(session.run(pipelines[0], pushed, 5) ==
          std::vector{number(1, sky), number(2, sky), number(4, sky % 2, 0), number(4, sky % 2, 1),
                      number(4, sky % 2, 2)});
  }
}

TEST_CASE_METHOD(Programs, "mapped shaders: words lead to slots of other tables") {
  const gpu_test::PushData pushed =
      push({.sky = 2,
            .parts = {slot(shaders::bindings::far_parts::parts, 2, 1),
                      slot(shaders::bindings::near_parts::parts, 1, 0),
                      slot(shaders::bindings::sky::sun, 0, 1)}});
  CHECK(session.run(pipelines[1], pushed, 5) ==
        std::vector{number(3, 2), number(2, 2), number(5, 1, 2), number(4, 0, 1), number(1, 1)});
}
