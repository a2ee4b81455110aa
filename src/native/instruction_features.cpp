// Which CPU features an instruction needs, in the words of /proc/cpuinfo. The decoder names instruction sets its
// own way ("AVX512BW_256", "LZCNT"); the kernel has other names ("avx512bw" and "avx512vl", "abm").
#include <algorithm>
#include <iterator>

#include "native/instruction_decoder.h"

namespace sigwhy::native {

namespace {

struct SetFeatures {
  std::string_view set;
  std::vector<std::string_view> features;
};

// For AVX-512 sets the vector width is cut off before the look-up, and avx512f and avx512vl are added.
const SetFeatures avx512_sets[] = {
    {"AVX512F", {}},
    {"AVX512BW", {"avx512bw"}},
    {"AVX512CD", {"avx512cd"}},
    {"AVX512DQ", {"avx512dq"}},
    {"AVX512ER", {"avx512er"}},
    {"AVX512PF", {"avx512pf"}},
    {"AVX512_4FMAPS", {"avx512_4fmaps"}},
    {"AVX512_4VNNIW", {"avx512_4vnniw"}},
    {"AVX512_BF16", {"avx512_bf16"}},
    {"AVX512_BITALG", {"avx512_bitalg"}},
    {"AVX512_FP16", {"avx512_fp16"}},
    {"AVX512_GFNI", {"gfni"}},
    {"AVX512_IFMA", {"avx512ifma"}},
    {"AVX512_VAES", {"vaes"}},
    {"AVX512_VBMI", {"avx512vbmi"}},
    {"AVX512_VBMI2", {"avx512_vbmi2"}},
    {"AVX512_VNNI", {"avx512_vnni"}},
    {"AVX512_VP2INTERSECT", {"avx512_vp2intersect"}},
    {"AVX512_VPCLMULQDQ", {"vpclmulqdq"}},
    {"AVX512_VPOPCNTDQ", {"avx512_vpopcntdq"}},
};

const SetFeatures other_sets[] = {
    {"ADOX_ADCX", {"adx"}},
    {"AES", {"aes"}},
    {"AMX_BF16", {"amx_tile", "amx_bf16"}},
    {"AMX_INT8", {"amx_tile", "amx_int8"}},
    {"AMX_TILE", {"amx_tile"}},
    {"AVX", {"avx"}},
    {"AVX2", {"avx2"}},
    {"AVX2GATHER", {"avx2"}},
    {"AVXAES", {"avx", "aes"}},
    {"AVX_GFNI", {"avx", "gfni"}},
    {"AVX_VNNI", {"avx_vnni"}},
    {"BMI1", {"bmi1"}},
    {"BMI2", {"bmi2"}},
    {"CLDEMOTE", {"cldemote"}},
    {"CLFLUSHOPT", {"clflushopt"}},
    {"CLWB", {"clwb"}},
    {"CLZERO", {"clzero"}},
    {"CMPXCHG16B", {"cx16"}},
    {"ENQCMD", {"enqcmd"}},
    {"F16C", {"f16c"}},
    {"FMA", {"fma"}},
    {"FMA4", {"fma4"}},
    {"GFNI", {"gfni"}},
    {"LAHF", {"lahf_lm"}},
    {"LWP", {"lwp"}},
    {"LZCNT", {"abm"}},
    {"MONITORX", {"mwaitx"}},
    {"MOVBE", {"movbe"}},
    {"MPX", {"mpx"}},
    {"PCLMULQDQ", {"pclmulqdq"}},
    {"PKU", {"ospke"}},
    {"POPCNT", {"popcnt"}},
    {"RDPID", {"rdpid"}},
    {"RDPRU", {"rdpru"}},
    {"RDRAND", {"rdrand"}},
    {"RDSEED", {"rdseed"}},
    {"RDTSCP", {"rdtscp"}},
    {"RDWRFSGS", {"fsgsbase"}},
    {"RTM", {"rtm"}},
    {"SERIALIZE", {"serialize"}},
    {"SHA", {"sha_ni"}},
    {"SSE3", {"pni"}},
    {"SSE3X87", {"pni"}},
    {"SSE4", {"sse4_1"}},
    {"SSE42", {"sse4_2"}},
    {"SSE4A", {"sse4a"}},
    {"SSSE3", {"ssse3"}},
    {"SSSE3MMX", {"ssse3"}},
    {"TBM", {"tbm"}},
    {"TSX_LDTRK", {"tsxldtrk"}},
    {"VAES", {"avx", "vaes"}},
    {"VPCLMULQDQ", {"avx", "vpclmulqdq"}},
    {"WAITPKG", {"waitpkg"}},
    {"XOP", {"xop"}},
    {"XSAVE", {"xsave"}},
    {"XSAVEC", {"xsavec"}},
    {"XSAVEOPT", {"xsaveopt"}},
};

const SetFeatures* find(std::span<const SetFeatures> sets, std::string_view name) {
  const auto found = std::ranges::find(sets, name, &SetFeatures::set);
  return found == sets.end() ? nullptr : &*found;
}

// The second generation of 3DNow! has a flag of its own and no instruction set of its own in the decoder.
bool is_3dnow_extended(ZydisMnemonic m) {
  return m == ZYDIS_MNEMONIC_PF2IW || m == ZYDIS_MNEMONIC_PFNACC || m == ZYDIS_MNEMONIC_PFPNACC ||
         m == ZYDIS_MNEMONIC_PI2FW || m == ZYDIS_MNEMONIC_PSWAPD;
}

std::optional<std::vector<std::string_view>> avx512_features(std::string_view set) {
  const auto cut = set.rfind('_');
  const auto width = set.substr(cut + 1);
  const auto* found = find(avx512_sets, set.substr(0, cut));
  if (!found) return std::nullopt;
  std::vector<std::string_view> features{"avx512f"};
  std::ranges::copy(found->features, std::back_inserter(features));
  // scalars, mask operations and the "128N" forms are narrow without needing the vector-length extension
  if (width == "128" || width == "256") features.push_back("avx512vl");
  return features;
}

}  // namespace

std::optional<std::vector<std::string_view>> needed_features(const ZydisDecodedInstruction& instruction) {
  const std::string_view set = ZydisISASetGetString(instruction.meta.isa_set);
  if (set.starts_with("AVX512")) return avx512_features(set);
  if (set == "AMD3DNOW")
    return std::vector<std::string_view>{is_3dnow_extended(instruction.mnemonic) ? "3dnowext" : "3dnow"};
  if (set == "MOVDIR")
    return std::vector<std::string_view>{instruction.mnemonic == ZYDIS_MNEMONIC_MOVDIRI ? "movdiri" : "movdir64b"};
  const auto* found = find(other_sets, set);
  if (!found) return std::nullopt;
  auto features = found->features;
  const bool vector_form = instruction.encoding == ZYDIS_INSTRUCTION_ENCODING_VEX && set == "PCLMULQDQ";
  if (vector_form) features.push_back("avx");
  return features;
}

}  // namespace sigwhy::native
