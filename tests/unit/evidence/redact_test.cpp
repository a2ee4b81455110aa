// Secrets planted in every string that a case has appear nowhere afterwards; what is no secret stays readable.
#include "evidence/redact.h"

#include <gtest/gtest.h>

#include "evidence/describe.h"
#include "evidence/json.h"
#include "evidence/secrets.h"

namespace sigwhy {

namespace {

// Fills every string of a case, through the same description that writes it.
struct Planter {
  std::string secret;
  std::size_t planted = 0;

  template <class T> void field(const char*, T& member, const char*) { value(member); }
  void value(std::string& text) {
    text = "a word, " + secret + ", another word";
    ++planted;
  }
  template <class T> void value(std::optional<T>& x) { value(x.emplace()); }
  template <class T> void value(std::vector<T>& list) { value(list.emplace_back()); }
  template <class T> void value(std::map<std::string, T>& map) { value(map["OMP_NUM_THREADS"]); }
  template <class T> void value(T& x) {
    if constexpr (!std::is_enum_v<T> && !std::is_arithmetic_v<T> && !std::is_same_v<T, Address>) describe(*this, x);
  }
};

}  // namespace

class Planted : public testing::TestWithParam<std::pair<std::string, std::string>> {};

TEST_P(Planted, AppearsInNoField) {
  const auto& [written, secret] = GetParam();
  Case c;
  Planter planter{written};
  planter.value(c);
  ASSERT_GT(planter.planted, 60u);
  ASSERT_NE(to_json(c).find(secret), std::string::npos);
  const auto safe = to_json(redact(c));
  EXPECT_EQ(safe.find(secret), std::string::npos)
      << safe.substr(safe.find(secret) < 80 ? 0 : safe.find(secret) - 80, 200);
  EXPECT_NE(safe.find("another word"), std::string::npos) << "only the secret goes";
}

INSTANTIATE_TEST_SUITE_P(
    Secrets, Planted,
    testing::Values(std::pair{"AKIAIOSFODNN7EXAMPLE", "IOSFODNN7"},
                    std::pair{"ghp_16C7e42F292c6912E7710c838347Ae178B4a", "292c6912"},
                    std::pair{"sk-proj-abcdEFGH1234567890abcdef", "EFGH1234"},
                    std::pair{"xoxb-1234567890-abcdefghij", "abcdefghij"},
                    std::pair{"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl", "zdWIiOiIx"},
                    std::pair{"https://ada:hunter2@example.org/x", "hunter2"}, std::pair{"password=hunter2", "hunter2"},
                    std::pair{"DB_PASSWORD: hunter2", "hunter2"}, std::pair{"{\"api_key\": \"hunter2\"}", "hunter2"},
                    std::pair{"Authorization: Bearer abc123def456", "abc123def456"},
                    std::pair{"aws_secret_access_key = hunter2", "hunter2"},
                    std::pair{"-----BEGIN RSA PRIVATE KEY-----\nMIIEow\n-----END RSA PRIVATE KEY-----", "MIIEow"}));

TEST(Redact, WordsThatLookRandomGoFromWhatTheProgramSaid) {
  Case c;
  const std::string secret = "q7Rk2mZx9LpV4tBn8WcY3sDf6GhJ1aQe";
  c.snapshot.process.argv = {"train", secret, "--x=" + secret};
  c.snapshot.process.switches["OMP_PLACES"] = secret;
  c.snapshot.texts.push_back({TextKind::abort_message, "bad reply: " + secret, {}});
  c.snapshot.exceptions.push_back({.type = "E", .what = "no " + secret});
  c.diagnosis.findings.push_back(
      {.claim = "it said " + secret, .evidence_for = {{"t", "the text is \"" + secret + "\"", {}}}});
  EXPECT_EQ(to_json(redact(c)).find(secret), std::string::npos);
  EXPECT_NE(to_json(redact(c, {.values = true})).find(secret), std::string::npos)
      << "--values shows what is only suspected";
}

TEST(Redact, ArgumentsKeepTheirPlaces) {
  const std::vector<std::string> argv = {"tool",         "--password", "hunter2",      "--token=abc",
                                         "--max-tokens", "2048",       "-u",           "ada:pw",
                                         "--tokenizer",  "bert",       "--token-file", "/run/secrets/t",
                                         "-u",           "1000:1000",  "API_KEY=zzz"};
  const std::vector<std::string> safe = {"tool",         "--password", "***",          "--token=***",
                                         "--max-tokens", "2048",       "-u",           "ada:***",
                                         "--tokenizer",  "bert",       "--token-file", "/run/secrets/t",
                                         "-u",           "1000:1000",  "API_KEY=***"};
  EXPECT_EQ(redact_arguments(argv), safe);
}

TEST(Redact, WhatIsNoSecretStays) {
  for (const char* text :
       {"free(): invalid pointer", "Check failed: dims == 3 (2 vs. 3)", "unexpected token: }",
        "unexpected token: identifier",
        "tensorflow::Status tensorflow::internal::FastParseUnsignedArgument12(char const*)",
        "_ZN10tensorflow7functor12ReluGradImplIfE3Run4Eigen16ThreadPoolDevice",
        "/cache/9f86d081884c7d659a2feaa0c55ad015/model.bin", "runs/9f86d081884c7d659a2feaa0c55ad015/ckpt.pt",
        "lexer::token::kind", "ssh://git@example.org/x", "PWD=/home/ada", "pass=2",
        "12345678901234567890123456789012345678901234567890",
        "the_quick_brown_fox_jumps_over_the_lazy_dog_2_times_a_day", "__memmove_avx_unaligned_erms"})
    EXPECT_EQ(redact_text(text), text);
}

TEST(Redact, NamesPathsAndDigitsStay) {
  Case c;
  c.id = "4f1c27a9";
  c.snapshot.modules.push_back({.path = "/nix/store/0c8p9f3l2r6k1s5d7g4h8j2m6n0q3v5x-glibc/libc.so.6",
                                .build_id = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b"});
  c.snapshot.threads.push_back({.frames = {{.symbol = "f1a2B3c4D5e6F7g8H9i0J1k2L3m4N5o6P7q8"}}});
  EXPECT_EQ(to_json(redact(c)), to_json(c));
}

TEST(Redact, HiddenTextsAreGoneFromSentencesToo) {
  Case c;
  c.snapshot.texts.push_back({TextKind::failed_check, "Check failed: patient == \"Ada Lovelace\"", {}});
  c.diagnosis.findings.push_back({.claim = "a check failed: patient == \"Ada Lovelace\""});
  const auto safe = redact(c, {.hide_texts = true});
  EXPECT_EQ(to_json(safe).find("Lovelace"), std::string::npos);
  EXPECT_EQ(safe.snapshot.texts[0].text, "text, 39 characters");
  EXPECT_TRUE(safe.diagnosis.findings[0].claim.starts_with("a ")) << safe.diagnosis.findings[0].claim;
}

TEST(Secrets, NamesThatSaySo) {
  for (const char* name : {"password", "DB_PASSWORD", "accessToken", "--api-key", "client.secret",
                           "AWS_SECRET_ACCESS_KEY", "WANDB_API_KEY"})
    EXPECT_TRUE(secrets::is_secret_name(name)) << name;
  for (const char* name :
       {"max_tokens", "tokenizer", "token_file", "key", "keyboard", "passes", "secretary", "author", "monkey"})
    EXPECT_FALSE(secrets::is_secret_name(name)) << name;
}

TEST(Secrets, LongHostileTextIsScannedInOnePass) {
  const std::string text(1 << 20, 'a'), colons(1 << 18, ':');
  EXPECT_EQ(redact_text(text).size(), text.size());
  EXPECT_EQ(redact_text(colons).size(), colons.size());
}

}  // namespace sigwhy
