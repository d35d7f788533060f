// SPDX-License-Identifier: MIT OR Apache-2.0
/// @file
/// FrameArena: memory for the frames of coroutines, see weft/coroutine.hpp.
#pragma once

#include <weft/config.hpp>

namespace weft {
inline namespace WEFT_ABI {

namespace detail {

struct FrameAccess;

// The text of a panic with numbers in it.
class PanicText {
public:
    PanicText& operator<<(const char* text) {
        while (*text != 0) put(*text++);
        return *this;
    }
    PanicText& operator<<(size_t number) {
        if (number >= 10) *this << number / 10;
        put(static_cast<char>('0' + number % 10));
        return *this;
    }
    const char* text() const { return text_; }

private:
    void put(char c) {
        if (end_ + 1 < sizeof text_) text_[end_++] = c;
    }
    char text_[160] = {};
    size_t end_ = 0;
};

}  // namespace detail

/// Where the frames of coroutines are: blocks of one size, each free or taken. One size, so that taking and giving back
/// is a bit of a word each: no list whose links could change in between (ABA), and nothing that falls into fragments.
/// Frames of very different sizes are best put in several arenas. This is the part that does not depend on the sizes.
/// @lifetime It must outlive each frame in it.
class FrameSource {
public:
    FrameSource(const FrameSource&) = delete;
    FrameSource& operator=(const FrameSource&) = delete;

    /// The smallest blocks in which all frames that were asked for have room: the Bytes of a FrameArena. (The largest
    /// frame, with the two words that weft puts before it.)
    /// @context Any context.
    /// @return bytes.
    size_t most_wanted() const { return block_of(wanted_.load(relaxed)); }  // relaxed: a figure
    /// How many blocks were taken at most at the same time.
    /// @context Any context.
    uint32_t most_used() const { return most_.load(relaxed); }  // relaxed: a figure
    /// How many blocks are taken.
    /// @context Any context.
    uint32_t used() const { return used_.load(relaxed); }  // relaxed: a figure
    /// How many frames there were none of for want of a free block: with a larger Count there would have been.
    /// @context Any context.
    uint32_t missed() const { return missed_.load(relaxed); }  // relaxed: a figure

protected:
    /// For FrameArena.
    /// @context Any context, also at compile time.
    constexpr FrameSource(unsigned char* blocks, size_t bytes, Atomic<uint32_t>* taken, uint32_t count)
        : blocks_(blocks), bytes_(bytes), taken_(taken), count_(count) {}

private:
    friend struct detail::FrameAccess;

    struct alignas(2 * sizeof(void*)) Header {
        FrameSource* source;
        uint32_t index;
    };

    // Frames are laid out in words; blocks are pairs of them.
    static constexpr size_t block_of(size_t bytes) {
        return (bytes + sizeof(Header) - 1) / sizeof(Header) * sizeof(Header);
    }

    // relaxed (all the figures): they are for who tunes sizes, and order nothing.
    template <class T>
    static void raise(Atomic<T>& most, T value) {
        T seen = most.load(relaxed);
        while (seen < value && !most.compare_exchange(seen, value, relaxed, relaxed)) {
        }
    }

    void* take(size_t frame) noexcept {
        const size_t bytes = frame + sizeof(Header);
        raise(wanted_, static_cast<uintptr_t>(bytes));
        if (bytes > bytes_) too_large(block_of(bytes));
        for (uint32_t index = 0; index < count_; ++index) {
            const uint32_t bit = 1u << index % 32;
            Atomic<uint32_t>& word = taken_[index / 32];
            if ((word.load(relaxed) & bit) != 0) continue;  // relaxed: a hint
            // [Y1] what the last owner did with the block is over
            if ((word.fetch_or(bit, acquire) & bit) != 0) continue;
            raise(most_, used_.fetch_add(1, relaxed) + 1);  // relaxed: a figure
            unsigned char* const block = blocks_ + index * bytes_;
            Header* const header = reinterpret_cast<Header*>(block);
            header->source = this;
            header->index = index;
            return block + sizeof(Header);
        }
        missed_.fetch_add(1, relaxed);  // relaxed: a figure
        return nullptr;
    }

    // Not in checked builds alone: no other run of the image would go better.
    [[noreturn, gnu::cold, gnu::noinline]] void too_large(size_t bytes) const {
        detail::PanicText said;
        said << "weft: a coroutine's frame needs " << bytes
             << " bytes, and the blocks of its FrameArena have " << bytes_
             << "; make them larger: FrameArena<" << bytes << ", ...>";
        Port::panic(said.text(), Port::core_id(), this);
    }

    static void give_back(void* frame) noexcept {
        const Header* const header =
            reinterpret_cast<const Header*>(static_cast<unsigned char*>(frame) - sizeof(Header));
        FrameSource& source = *header->source;
        const uint32_t index = header->index;
        source.used_.fetch_sub(1, relaxed);  // relaxed: a figure
        // [Y1] what it did with the block
        source.taken_[index / 32].fetch_and(~(1u << index % 32), release);
    }

    unsigned char* const blocks_;
    const size_t bytes_;
    Atomic<uint32_t>* const taken_;
    const uint32_t count_;
    Atomic<uint32_t> used_{};
    Atomic<uint32_t> most_{};
    Atomic<uint32_t> missed_{};
    Atomic<uintptr_t> wanted_{};
};

namespace detail {

// The promise's view of an arena.
struct FrameAccess {
    static void* take(FrameSource& source, size_t bytes) noexcept { return source.take(bytes); }
    static void give_back(void* frame) noexcept { FrameSource::give_back(frame); }
};

}  // namespace detail

/// `Count` blocks of `Bytes` bytes for frames; any core may take and give back.
///
/// If no block is free a coroutine has no frame: it is false, spawn() says null_run, and a co_await of it panics.
/// @panics A coroutine is made whose frame needs more than `Bytes`; the text has the number to put there.
/// @lifetime As FrameSource.
template <size_t Bytes, uint32_t Count>
class FrameArena : public FrameSource {
    static_assert(Count >= 1, "weft: an arena has at least one block");
    static_assert(Bytes % (2 * sizeof(void*)) == 0 && Bytes > 2 * sizeof(void*),
                  "weft: the blocks of an arena are a multiple of two words, and larger than two words");

public:
    /// All blocks free.
    /// @context Any context, also at compile time.
    constexpr FrameArena() : FrameSource(memory_, Bytes, words_, Count) {}

private:
    alignas(2 * sizeof(void*)) unsigned char memory_[Bytes * Count] = {};
    Atomic<uint32_t> words_[(Count + 31) / 32] = {};
};

}  // namespace WEFT_ABI
}  // namespace weft
