// SPDX-License-Identifier: MIT OR Apache-2.0
// A pipeline: each frame goes through three stages, one after the other; several frames are under way at the same time.
// A frame is a task that submits itself again for its next stage, so no queue stands between the stages.
#include <weft/weft.hpp>

#include "machine.hpp"

constexpr uint32_t frames = 6;
constexpr uint32_t rounds = 50;
constexpr uint32_t size = 64;

WEFT_CONSTINIT weft::Pool<4> pool{};
weft::Atomic<uint32_t> finished{};

class Frame : public weft::TaskOf<Frame> {
public:
    void run() {
        switch (stage_) {
            case 0:  // capture
                for (uint32_t i = 0; i != size; ++i) pixels_[i] = static_cast<uint8_t>(i * (round_ + 1));
                break;
            case 1:  // filter
                for (uint32_t i = 1; i != size; ++i) {
                    pixels_[i] = static_cast<uint8_t>((pixels_[i - 1] + pixels_[i]) / 2);
                }
                break;
            default:  // measure
                for (const uint8_t pixel : pixels_) sum += pixel;
                if (++round_ == rounds) {
                    if (finished.fetch_add(1, weft::acq_rel) == frames - 1) pool.shutdown();
                    return;
                }
        }
        stage_ = (stage_ + 1) % 3;
        (void)pool.submit(*this);  // the last thing it does: from here on it may run on another core
    }
    uint32_t sum = 0;

private:
    uint8_t pixels_[size] = {};
    uint32_t stage_ = 0;
    uint32_t round_ = 0;
};
Frame all[frames];

int main() {
    for (Frame& frame : all) {
        if (pool.submit(frame) != weft::Status::ok) return 1;
    }
    if (pool.run() != weft::Status::ok || pool.join() != weft::Status::ok) return 1;
    for (const Frame& frame : all) {
        if (frame.sum != all[0].sum) return 1;  // they all do the same
    }
    print("each frame measured", all[0].sum);
    return pool.total().executed == frames * rounds * 3 ? 0 : 1;
}
