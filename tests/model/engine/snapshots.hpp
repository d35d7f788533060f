// SPDX-License-Identifier: MIT OR Apache-2.0
// Model checker: Snapshots, copies of the machine at some choices of the current execution. The next execution differs
// in one late choice, so it goes on from the last copy in front of that. Each class lists its own state once, in
// each_part(), for both directions: what is the same in all executions of an exploration is left out.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <memory>
#include <vector>

namespace weft {
namespace model {

class Saver {
public:
    explicit Saver(unsigned char* to) : to_(to) {}
    void operator()(void* part, size_t size) {
        memcpy(to_, part, size);
        to_ += size;
    }
    template <class T>
    void operator()(T& part) {
        (*this)(static_cast<void*>(&part), sizeof part);
    }
    unsigned char* end() const { return to_; }

private:
    unsigned char* to_;
};

class Loader {
public:
    explicit Loader(const unsigned char* from) : from_(from) {}
    void operator()(void* part, size_t size) {
        memcpy(part, from_, size);
        from_ += size;
    }
    template <class T>
    void operator()(T& part) {
        (*this)(static_cast<void*>(&part), sizeof part);
    }

private:
    const unsigned char* from_;
};

class Snapshots {
public:
    struct Entry {
        unsigned node;  // the choice that comes next
        uint32_t step;
        unsigned shape;  // of the views; they have grown since if it is another one now
        size_t undo;     // place in the list of what has changed
        size_t begin;
    };

    void clear() {
        entries_.clear();
        used_ = 0;
    }
    bool empty() const { return entries_.empty(); }
    const Entry& last() const { return entries_.back(); }
    void drop() {
        used_ = entries_.back().begin;
        entries_.pop_back();
    }
    const unsigned char* saved() const { return memory_.get() + entries_.back().begin; }

    // Where the next one goes; nullptr: no room.
    unsigned char* room() {
        if (memory_ == nullptr) memory_.reset(new unsigned char[bytes]);
        return bytes - used_ < largest ? nullptr : memory_.get() + used_;
    }
    void add(unsigned node, uint32_t step, unsigned shape, size_t undo, const unsigned char* end) {
        entries_.push_back(Entry{node, step, shape, undo, used_});
        used_ = static_cast<size_t>(end - memory_.get());
    }

    static constexpr size_t largest =
        8u << 20;  // more than all stacks, the scenario and the tables of a machine

private:
    static constexpr size_t bytes = 64u << 20;

    std::unique_ptr<unsigned char[]> memory_;
    std::vector<Entry> entries_;
    size_t used_ = 0;
};

}  // namespace model
}  // namespace weft
