// Secrets planted in every string that a case has appear nowhere afterwards; what is no secret stays readable.
#include "evidence/redact.h"

#include <gtest/gtest.h>

#include "evidence/describe.h"
#include "evidence/hidden_texts.h"
#include "evidence/json.h"
#include "evidence/secrets.h"
#include "evidence/source_literals.h"

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
        "__pyx_pw_16ext_cython_order_1picked",
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

TEST(Redact, ALogHidesNoSentenceThatDoesNotRestOnIt) {
  Case c;
  c.snapshot.texts.push_back({TextKind::stderr_tail, "PROVEN null-pointer it read through a null pointer\nlabel 17 of Ada", {}});
  c.diagnosis.findings.push_back({.claim = "it read through a null pointer", .fix = {"Test for a null pointer."}});
  c.diagnosis.findings.push_back({.claim = "it printed label 17 of Ada", .evidence_for = {{"t", "printed", {{"/texts/0"}}}}});
  c.diagnosis.certain = {"it read through a null pointer"};
  const auto safe = redact(c, {.hide_texts = true});
  EXPECT_EQ(safe.diagnosis.findings[0].claim, "it read through a null pointer");
  EXPECT_EQ(safe.diagnosis.findings[0].fix[0], "Test for a null pointer.");
  EXPECT_EQ(safe.diagnosis.certain[0], "it read through a null pointer");
  EXPECT_EQ(safe.diagnosis.findings[1].claim, "it printed ***");
  EXPECT_EQ(to_json(safe).find("Ada"), std::string::npos);
}

TEST(Redact, AQuotationBeginsWithAWord) {
  Case c;
  c.snapshot.texts.push_back({TextKind::abort_message, "Assertion `c == 7' failed.", {}});
  c.diagnosis.findings.push_back({.claim = "assertion `c == 7' failed in main (a.c:2)"});
  EXPECT_EQ(redact(c, {.hide_texts = true}).diagnosis.findings[0].claim, "assertion *** in main (a.c:2)");
}

TEST(Redact, SourceLinesLoseTheirLiteralsWithTheTexts) {
  Case c;
  c.snapshot.threads.push_back({.frames = {{.source = Source{.file = "a.c", .line = 2, .text = "go(\"hunter2\", 'b', n);"}}},
                                .python = {{.file = "a.py", .text = "login(user, 'hunter2', f\"{x}\")"}}});
  c.diagnosis.findings.push_back({.claim = "login(user, 'hunter2') was called"});
  const auto safe = redact(c, {.hide_texts = true});
  EXPECT_EQ(safe.snapshot.threads[0].frames[0].source->text, "go(\"***\", '***', n);");
  EXPECT_EQ(safe.snapshot.threads[0].python[0].text, "login(user, '***', f\"***\")");
  EXPECT_EQ(safe.diagnosis.findings[0].claim, "login(user, '***') was called");
  EXPECT_EQ(redact(c).snapshot.threads[0].python[0].text, c.snapshot.threads[0].python[0].text);
}

TEST(SourceLiterals, OneLineOfThem) {
  const std::pair<const char*, const char*> lines[] = {
      {"x = ''", "x = ''"},
      {"x = 'it\\'s' + y", "x = '***' + y"},
      {"x = \"\"\"begins here", "x = \"\"\"***"},
      {"x = '''a'b''' + y", "x = '''***''' + y"},
      {"int n = 1'000'000;", "int n = 1'000'000;"},
      {"x = 'a\\", "x = '***"},
      {"n = sizes[i + 1]", "n = sizes[i + 1]"}};
  for (const auto& [line, safe] : lines) {
    std::set<std::string> held;
    EXPECT_EQ(without_literals(line, held), safe);
  }
}

TEST(Redact, ValuesOfSecretNamesAreHiddenUnderEveryPolicy) {
  Case c;
  c.snapshot.threads.push_back(
      {.python = {{.text = "login('hunter2', 'ada')",
                   .values = {{.name = "password", .type = "str", .text = "'hunter2'"},
                              {.name = "token", .type = "NoneType", .text = "None"},
                              {.name = "user", .type = "str", .text = "'ada'"},
                              {.name = "config", .type = "dict", .items = {{.name = "['api_key']", .text = "'zz-top'"},
                                                                           {.name = ".lr", .text = "0.1"}}},
                              {.name = "credentials", .type = "list", .items = {{.name = "[0]", .text = "'xyzzy'"}}}}}}});
  c.snapshot.python_exceptions.push_back({.message = "no such user: 'hunter2'"});
  c.diagnosis.findings.push_back({.claim = "`password` is 'hunter2'"});
  for (const auto& redaction : {Redaction{}, Redaction{.values = true}}) {
    const auto safe = redact(c, redaction);
    for (const auto* secret : {"hunter2", "zz-top", "xyzzy"})
      EXPECT_EQ(to_json(safe).find(secret), std::string::npos) << secret;
    const auto& values = safe.snapshot.threads[0].python[0].values;
    EXPECT_EQ(values[0].text, "***");
    EXPECT_EQ(values[1].text, "None");
    EXPECT_EQ(values[2].text, "'ada'");
    EXPECT_EQ(values[3].items[1].text, "0.1");
    EXPECT_EQ(safe.diagnosis.findings[0].claim, "`password` is '***'");
  }
}

TEST(Secrets, VariablesThatHoldOne) {
  for (const char* name : {"password", "db_passwd", "secret", "token", "api_key", "apiKey", "authorization", "credential",
                           "password_hash", "secretValue", "['api_key']", ".access_token", "api_key_2", "PASSWORD1"})
    EXPECT_TRUE(secrets::holds_secret(name, "'x'")) << name;
  for (const char* name : {"tokens", "tokenizer", "n_tokens", "token_ids", "key", "keys", "cache_key", "author", "passes",
                           "password_file", "secret_length", "secretary", "tokenized", "token_type_ids", "['key']", ""})
    EXPECT_FALSE(secrets::holds_secret(name, "'x'")) << name;
  EXPECT_FALSE(secrets::holds_secret("token", "50256")) << "of a vocabulary";
  EXPECT_TRUE(secrets::holds_secret("password", "50256"));
}

TEST(Redact, WhetherItWasHiddenIsSeen) {
  Case c;
  c.snapshot.threads.push_back({.python = {{.values = {{.name = "n", .type = "int", .text = "5"}}}}});
  c.snapshot.python_exceptions.push_back({.message = "text, which has characters"});
  EXPECT_FALSE(is_hidden(c));
  EXPECT_TRUE(is_hidden(redact(c, {.hide_texts = true})));
  c.snapshot.python_exceptions.clear();
  c.snapshot.threads[0].python[0].values[0].text.reset();
  EXPECT_TRUE(is_hidden(c));
  EXPECT_FALSE(is_hidden(Case{}));
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

TEST(Redact, WhatWasWrittenBesideABlockIsHiddenWithTheTexts) {
  Case c;
  c.snapshot.guarded_heap.emplace().blocks.push_back({.bytes = 100, .damage = HeapDamage{.offset = 100, .bytes = 8, .found_at = "70617373776f7264"}});
  c.diagnosis.findings.push_back({.evidence_for = {{"damage", "there stood 70617373776f7264", {}}}});
  const auto safe = redact(c, {.hide_texts = true});
  EXPECT_EQ(safe.snapshot.guarded_heap->blocks[0].damage->found_at.find("7061"), std::string::npos);
  EXPECT_EQ(safe.diagnosis.findings[0].evidence_for[0].sentence.find("7061"), std::string::npos);
  EXPECT_EQ(redact(c, {}).snapshot.guarded_heap->blocks[0].damage->found_at, "70617373776f7264");
}

}  // namespace sigwhy
