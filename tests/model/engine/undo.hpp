// SPDX-License-Identifier: MIT OR Apache-2.0
// Model checker: Undo, what the records of the memory were before they changed. Few of them change between two
// snapshots, so a snapshot does not copy them: it only names a place in this list, back to which they are restored.
// A record is a trivially copyable struct with a number `kept`; whoever changes one calls keep() before.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <memory>
#include <utility>

namespace weft {
namespace model {

class Undo {
public:
    // A new execution from its beginning: all records are new, and nothing can be restored.
    void clear() {
        used_ = 0;
        ++interval_;
    }
    // Before each change; copies the record once in each interval.
    template <class Record>
    void keep(Record& record) {
        if (record.kept == interval_) return;
        static_assert(__is_trivially_copyable(Record) && alignof(Record) <= alignof(Note), "copied as bytes");
        constexpr size_t content = (sizeof(Record) + sizeof(Note) - 1) / sizeof(Note) * sizeof(Note);
        if (size_ - used_ < content + sizeof(Note)) grow();
        memcpy(bytes_.get() + used_, &record, sizeof record);
        const Note note{&record, sizeof record, content};
        memcpy(bytes_.get() + used_ + content, &note, sizeof note);
        used_ += content + sizeof note;
        record.kept = interval_;
    }
    // The record begins now: no snapshot knows it.
    template <class Record>
    void fresh(Record& record) {
        record.kept = interval_;
    }

    // A snapshot is taken here.
    size_t mark() {
        ++interval_;
        return used_;
    }
    // Puts all records back, the last change first.
    void restore(size_t mark) {
        while (used_ != mark) {
            Note note;
            used_ -= sizeof note;
            memcpy(&note, bytes_.get() + used_, sizeof note);
            used_ -= note.content;
            memcpy(note.record, bytes_.get() + used_, note.size);
        }
        ++interval_;
    }

private:
    struct Note {
        void* record;
        uint32_t size;
        uint32_t content;  // with what fills it up
    };

    void grow() {
        const size_t size = size_ == 0 ? first_size : 2 * size_;
        std::unique_ptr<unsigned char[]> bytes(new unsigned char[size]);
        if (used_ != 0) memcpy(bytes.get(), bytes_.get(), used_);
        bytes_ = std::move(bytes);
        size_ = size;
    }

    static constexpr size_t first_size = 1u << 20;  // more than any record

    std::unique_ptr<unsigned char[]> bytes_;
    size_t size_ = 0;
    size_t used_ = 0;
    uint64_t interval_ = 1;  // 64 bits: it is counted up in each execution, several times
};

}  // namespace model
}  // namespace weft
