// SPDX-License-Identifier: MIT OR Apache-2.0
// Model checker: Trace.
#include "trace.hpp"

#include <stdio.h>

#include "machine.hpp"

namespace weft {
namespace model {

Trace trace;

void Trace::start(const void* object, size_t size) {
    on_ = true;
    object_ = reinterpret_cast<uintptr_t>(object);
    size_ = size;
    names_.clear();
    lines_.clear();
}

void Trace::name(const void* word, const char* name) {
    if (on_) names_[reinterpret_cast<uintptr_t>(word)] = name;
}

void Program::name(const void* word, const char* name) { trace.name(word, name); }

std::string Trace::word_name(const void* pointer) const {
    const uintptr_t address = reinterpret_cast<uintptr_t>(pointer);
    const auto named = names_.find(address);
    if (named != names_.end()) return named->second;
    char text[40];
    if (address >= object_ && address < object_ + size_) {
        snprintf(text, sizeof text, "state+%zu", static_cast<size_t>(address - object_));
    } else {
        snprintf(text, sizeof text, "word@%p", pointer);
    }
    return text;
}

// Small numbers as such; what may be an address of the scenario as an offset.
std::string Trace::value_text(uint64_t value) const {
    if (value >= object_ && value < object_ + size_) {
        return "&" + word_name(reinterpret_cast<const void*>(static_cast<uintptr_t>(value)));
    }
    char text[24];
    snprintf(text, sizeof text, value < 1000 ? "%llu" : "0x%llx", static_cast<unsigned long long>(value));
    return text;
}

void Trace::add(Call call, Site site, const std::string& text) {
    char line[200];
    snprintf(line, sizeof line, "%4u  core %u%s  %-24s %-16s ", machine.explorer.step(), machine.self(),
             machine.in_interrupt() ? " isr" : "    ",
             (std::string(base_name(site.file)) + ":" + std::to_string(site.line)).c_str(), name_of(call));
    lines_.push_back(line + text);
}

void Trace::operation(Call call, Site site, const Word& word, Order order, const Seen& seen,
                      uint64_t written) {
    std::string text = word_name(word.address) + " ";
    const bool reads = call != Call::store;
    if (reads) text += value_text(seen.value);
    if (seen.stored) text += (reads ? " -> " : "<- ") + value_text(written);
    if (call == Call::compare_exchange && !seen.stored) text += " (failed)";
    text += std::string("  ") + name_of(order);
    if (seen.behind != 0) {
        text += seen.stored ? "  [goes before " : "  [stale: behind ";
        text += std::to_string(seen.behind) + (seen.behind == 1 ? " newer store]" : " newer stores]");
    }
    add(call, site, text);
}

void Trace::plain(Call call, Site site, const void* address) { add(call, site, word_name(address)); }

void Trace::call(Call call, Site site, const std::string& text) { add(call, site, text); }

void Trace::note(unsigned core, const char* text) {
    lines_.push_back("      core " + std::to_string(core) + " " + text);
}

}  // namespace model
}  // namespace weft
