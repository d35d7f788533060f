// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: explicit tasks of OpenMP, and the lists that they are in (docs/OPENMP.md 6). One lock of the team guards it
// all, but for the counts that who waits looks at.
#pragma once

#include <weft/config.hpp>

namespace weft {
inline namespace WEFT_ABI {
namespace detail {
namespace openmp {

// The place of a record in one list.
struct Hook {
    Hook* next = nullptr;
    Hook* before = nullptr;
};
// Newest first. Zero: empty.
class List {
public:
    Hook* newest() const { return newest_; }
    void push(Hook& hook) {
        hook.next = newest_;
        hook.before = nullptr;
        if (newest_ != nullptr) newest_->before = &hook;
        newest_ = &hook;
    }
    void remove(Hook& hook) {
        if (hook.next != nullptr) hook.next->before = hook.before;
        (hook.before != nullptr ? hook.before->next : newest_) = hook.next;
    }

private:
    Hook* newest_ = nullptr;
};

// What others are counted at: a task with its children, or a task group with its tasks.
struct Node {
    constexpr Node() {}

    Node* parent = nullptr;         // of a group: the group around it
    Node* group = nullptr;          // the innermost group at the moment; changed by who runs the task
    List ready{};                   // of its children, or tasks, those that nobody has begun
    Atomic<uint32_t> unfinished{};  // how many have not ended
    uint32_t without_room = 0;      // how many groups it is in for which there was no room
    bool final = false;             // whatever it creates runs at once
    bool is_record = false;         // it lives in a record
    bool ended = false;
};

// The three lists that a task is in until it begins.
struct OfTeam : Hook {};
struct OfParent : Hook {};
struct OfGroup : Hook {};

// A deferred task; or a group.
struct Record : Node, OfTeam, OfParent, OfGroup {
    void (*function)(void*) = nullptr;
    void* data = nullptr;
    Record* next_free = nullptr;
};

// GCC's tasks ask for no more, unless their data do.
inline constexpr size_t data_alignment = 2 * sizeof(void*) < 16 ? 16 : 2 * sizeof(void*);
inline constexpr size_t invitation_bytes = 4 * sizeof(void*);

// Where all of it is.
struct Space {
    unsigned char* invitations;
    uint32_t cores;
    unsigned char* records;
    uint32_t count;
    size_t stride;
};

}  // namespace openmp
}  // namespace detail
}  // namespace WEFT_ABI
}  // namespace weft
