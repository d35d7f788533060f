// SPDX-License-Identifier: MIT OR Apache-2.0
// Model checker: Trace, the steps of one execution in words. Off while exploring; a failing execution is run again
// with it on.
#pragma once

#include <stdint.h>

#include <map>
#include <string>
#include <vector>

#include "memory.hpp"
#include "sites.hpp"

namespace weft {
namespace model {

class Trace {
public:
    bool on() const { return on_; }
    // `object`: the scenario's state; unnamed words are called by their offset in it.
    void start(const void* object, size_t size);
    void stop() { on_ = false; }
    void name(const void* word, const char* name);

    void operation(Call call, Site site, const Word& word, Order order, const Seen& seen, uint64_t written);
    void plain(Call call, Site site, const void* address);
    void call(Call call, Site site, const std::string& text);
    void note(unsigned core, const char* text);

    const std::vector<std::string>& lines() const { return lines_; }

private:
    void add(Call call, Site site, const std::string& text);
    std::string word_name(const void* address) const;
    std::string value_text(uint64_t value) const;

    bool on_ = false;
    uintptr_t object_ = 0;
    size_t size_ = 0;
    std::map<uintptr_t, std::string> names_;
    std::vector<std::string> lines_;
};

extern Trace trace;

}  // namespace model
}  // namespace weft
