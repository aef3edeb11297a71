// SPDX-License-Identifier: MIT
#include "base/sha256.h"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/sha256_block.h"

namespace heapsmith {
namespace {

std::string hash(std::string_view text) {
  return sha256_hex(std::as_bytes(std::span(text)));
}

TEST_CASE("sha256: the examples of FIPS 180-4") {
  CHECK(hash("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(hash("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(hash("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  CHECK(hash("abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmno"
             "ijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu") ==
        "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1");
  CHECK(hash(std::string(1'000'000, 'a')) ==
        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

// Where the padding needs a second block, and where the data fills one.
TEST_CASE("sha256: lengths around the end of a block") {
  struct Case {
    size_t length;
    std::string_view hash;
  };
  const Case cases[] = {
      {55, "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318"},
      {56, "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a"},
      {57, "f13b2d724659eb3bf47f2dd6af1accc87b81f09f59f2b75e5c0bed6589dfe8c6"},
      {63, "7d3e74a05d7db15bce4ad9ec0658ea98e3f06eeecf16b4c6fff2da457ddc2f34"},
      {64, "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"},
      {65, "635361c48bb9eab14198e76ea8ab7f1a41685d6ad62aa9146d301d4f17eb0ae0"},
      {119, "31eba51c313a5c08226adf18d4a359cfdfd8d2e816b13f4af952f7ea6584dcfb"},
      {120, "2f3d335432c70b580af0e8e1b3674a7c020d683aa5f73aaaedfdc55af904c21c"},
      {127, "c57e9278af78fa3cab38667bef4ce29d783787a2f731d4e12200270f0c32320a"},
      {128, "6836cf13bac400e9105071cd6af47084dfacad4e5e302c94bfed24e013afb73e"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.length);
    CHECK(hash(std::string(c.length, 'a')) == c.hash);
  }
}

TEST_CASE("sha256: bytes are not characters") {
  CHECK(hash(std::string_view("\0", 1)) ==
        "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d");
  CHECK(hash("\xff") == "a8100ae6aa1940d0b663bb31cd466142ebbdbd5187131b92d93818987832eb89");
}

TEST_CASE("sha256: the processor's instructions and the plain code agree") {
  if (!sha256::has_instructions()) SKIP("this processor has none");
  std::vector<std::byte> bytes(64 * 50);
  uint32_t seed = 1;
  for (std::byte& byte : bytes)
    byte = static_cast<std::byte>((seed = seed * 1664525 + 1013904223) >> 24);
  sha256::State plain = {1, 2, 3, 4, 5, 6, 7, 8};
  sha256::State fast = plain;
  for (size_t at = 0; at < bytes.size(); at += 64) {
    sha256::add_block(plain, bytes.data() + at);
    sha256::add_block_by_instructions(fast, bytes.data() + at);
    CHECK(fast == plain);
  }
}

}  // namespace
}  // namespace heapsmith
