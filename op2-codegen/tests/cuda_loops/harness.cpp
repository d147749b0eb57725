// Runs the wrappers of any loop: meshes, plans, threads. Stands behind `harness.hpp`.

#include <deque>
#include <map>
#include <set>
#include <thread>
#include <vector>

// CUDA's way of exchanging by comparison begins with a plain look at what is there.
extern "C" const char* __tsan_default_suppressions() { return "race:op2::swap_in"; }

alignas(16) unsigned char op2_arena[1 << 17];

thread_local Dim threadIdx, blockIdx;
Dim blockDim, gridDim;
pthread_mutex_t atomics = PTHREAD_MUTEX_INITIALIZER;
const u32* user_numbers = nullptr;
u32 faults = 0;

// Threads of a block.
static pthread_barrier_t barrier;
void __syncthreads() { pthread_barrier_wait(&barrier); }

// Threads of its waves.
static pthread_barrier_t waves[32];
void __syncwarp() { pthread_barrier_wait(&waves[threadIdx.x / 32]); }

static unsigned lanes[1024];
static unsigned from_lane(unsigned value, unsigned lane) {
    lanes[threadIdx.x] = value;
    __syncwarp();
    const unsigned found = lanes[threadIdx.x / 32 * 32 + lane];
    __syncwarp();
    return found;
}
unsigned __shfl_down_sync(unsigned, unsigned value, unsigned further) {
    const unsigned lane = threadIdx.x % 32;
    return from_lane(value, lane + further < 32 ? lane + further : lane);
}
unsigned __shfl_xor_sync(unsigned, unsigned value, unsigned lanes) { return from_lane(value, threadIdx.x % 32 ^ lanes); }

static u64 state = 88172645463325252ull;
u64 random_bits() {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state >> 11;
}

void* allocated(usize bytes) {
    void* data = nullptr;
    if (posix_memalign(&data, 256, bytes + (bytes == 0))) abort();
    return memset(data, 0, bytes);
}

Map::Map(u32 arity) : arity(arity), rows(arity * size), data(arity * size) {
    for (u32 e = 0; e < size; e += 1) {
        for (u32 i = 0; i < arity; i += 1) {
            rows.data[e * arity + i] = data.data[i * size + e] = u32((e + random_bits() % 9) % size);
        }
    }
}

void number_elements(bool plain) {
    user_numbers = nullptr;
    if (plain) return;
    static Buffer<u32> numbers(size);
    for (u32 e = 0; e < size; e += 1) numbers.data[e] = e;
    for (u32 e = size - 1; e > 0; e -= 1) std::swap(numbers.data[e], numbers.data[random_bits() % (e + 1)]);
    user_numbers = numbers.data;
}

// The targets of ways, by element.
using Targets = std::vector<std::vector<u32>>;
static Targets targets(Ways ways) {
    Targets found;
    for (u32 w = 0; w < ways.count; w += 1) {
        const Way& way = ways.all[w];
        for (usize i = way.start; i < way.end; i += 1) {
            found.emplace_back();
            for (u32 e = 0; e < size; e += 1) found.back().push_back((*way.map)[e][i]);
        }
    }
    return found;
}

// Blocks of positions, coloured; an element touches itself and all that maps lead to.
struct Planned {
    std::vector<u32> order;
    bool listed;
    u32 threads;
    std::vector<u32> offsets, colours, counts, block_colours;
    std::vector<std::set<u32>> touched;
    std::vector<u32> global;

    Planned(const std::vector<u32>& positions, bool all, u32 block, const Targets& ways)
        : order(positions), listed(!all), threads(block) {
        for (u32 at = 0; at < order.size(); at += 1 + u32(random_bits() % block)) offsets.push_back(at);
        offsets.push_back(u32(order.size()));
        colours.assign(order.size(), 0);
        for (u32 b = 0; b < blocks(); b += 1) {
            touched.emplace_back();
            for (u32 p = offsets[b]; p < offsets[b + 1]; p += 1) {
                for (u32 t : touches(p, ways)) touched.back().insert(t);
            }
            counts.push_back(coloured(offsets[b], offsets[b + 1], ways, colours));
        }
        for (u32 b = 0; b < blocks(); b += 1) {
            std::set<u32> taken;
            for (u32 a = 0; a < b; a += 1) {
                if (meets(a, b)) taken.insert(block_colours[a]);
            }
            u32 colour = 0;
            while (taken.count(colour)) colour += 1;
            block_colours.push_back(colour);
        }
        global.assign(order.size(), 0);
        coloured(0, u32(order.size()), ways, global);
    }
    u32 blocks() const { return u32(offsets.size()) - 1; }
    u32 positions() const { return (blocks() + 1) * threads; }
    std::set<u32> touches(u32 p, const Targets& ways) const {
        std::set<u32> found{order[p]};
        for (const auto& way : ways) found.insert(way[order[p]]);
        return found;
    }
    bool meets(u32 a, u32 b) const {
        for (u32 t : touched[a]) {
            if (touched[b].count(t)) return true;
        }
        return false;
    }
    u32 coloured(u32 start, u32 end, const Targets& ways, std::vector<u32>& into) const {
        std::vector<std::set<u32>> taken(size);
        u32 count = 0;
        for (u32 p = start; p < end; p += 1) {
            const auto mine = touches(p, ways);
            const auto met = [&](u32 colour) {
                for (u32 t : mine) {
                    if (taken[t].count(colour)) return true;
                }
                return false;
            };
            u32 colour = 0;
            while (met(colour)) colour += 1;
            for (u32 t : mine) taken[t].insert(colour);
            into[p] = colour;
            count = colour + 1 > count ? colour + 1 : count;
        }
        return count;
    }
};

// What is listed for the numbers `starts[b]..starts[b + 1]` of each block, where every block has room for `each`; `behind` more follow.
template <class T>
static std::vector<T> placed(const std::vector<T>& list, const std::vector<u32>& starts, u32 each, u32 behind) {
    std::vector<T> found;
    for (usize b = 0; b + 1 < starts.size(); b += 1) {
        found.insert(found.end(), list.begin() + starts[b], list.begin() + starts[b + 1]);
        found.resize((b + 1) * each);
    }
    found.resize(found.size() + behind);
    return found;
}
static std::vector<u32> counts_of(const std::vector<u32>& starts) {
    std::vector<u32> counts;
    for (usize b = 0; b + 1 < starts.size(); b += 1) counts.push_back(starts[b + 1] - starts[b]);
    return counts;
}
static u32 most_of(const std::vector<u32>& starts) {
    u32 most = 0;
    for (u32 count : counts_of(starts)) most = count > most ? count : most;
    return most;
}

// The contributions to the targets of blocks of 64 threads.
struct Listed {
    using Unit = op2::Pack<u16, 8>;
    std::vector<u32> offsets{0};
    std::vector<Unit> units;
    // Units of each block.
    u32 each;

    Listed(const Planned& plan, const std::vector<u32>& starts, const std::vector<u16>& local, const u32* copies, const Stored* stored) {
        const usize rows = plan.order.size();
        bool marks = false;
        for (usize k = 0; stored && k * rows < local.size(); k += 1) marks = marks || stored[k].turned;
        for (u32 b = 0; b < plan.blocks(); b += 1) {
            const u32 count = starts[b + 1] - starts[b];
            const u32 copy = copies ? copies[b] : 0, others = copies ? copies[b + 1] - copy : 0;
            const usize ahead = 8 + 2 * (count + 1);
            std::vector<u16> words{u16(others), u16(count - others), u16(copy), u16(copy >> 16), 0, 0, 0, 0, u16(2 * ahead), 0}, list;
            for (u32 i = 0; i < count; i += 1) {
                for (u32 p = plan.offsets[b]; p < plan.offsets[b + 1]; p += 1) {
                    for (usize k = 0; k * rows < local.size(); k += 1) {
                        if (local[k * rows + p] != i) continue;
                        const Stored place = stored ? stored[k] : Stored{u32(k), false};
                        const usize at = place.at * 64 + p - plan.offsets[b];
                        list.push_back(u16(marks ? 2 * at + place.turned : at));
                    }
                }
                words.push_back(u16(2 * (ahead + list.size())));
                words.push_back(0);
            }
            words.insert(words.end(), list.begin(), list.end());
            words.resize((words.size() + 7) / 8 * 8);
            for (usize w = 0; w < words.size(); w += 8) {
                Unit unit;
                for (usize n = 0; n < 8; n += 1) unit.at[n] = words[w + n];
                units.push_back(unit);
            }
            offsets.push_back(u32(units.size()));
        }
        each = most_of(offsets);
        // Each of 64 threads loads the number of a target, and there may be none.
        units = placed(units, offsets, each, 64 / 4 + 1);
    }
};

// The lists of a stage, where blocks have them.
struct Placed {
    std::vector<u32> list;
    std::vector<op2::Pack<u32, 2>> about;
    std::vector<u16> entries;
    Listed listed;
    op2::Stage<op2::Staged> stage;

    Placed(const Planned& plan, const std::vector<u32>& starts, const std::vector<u32>& targets,
            const std::vector<u16>& local, const u32* copies, u32 stride, const Stored* stored)
        : list(placed(targets, starts, most_of(starts), 0)), listed(plan, starts, local, copies, stored) {
        const usize rows = plan.order.size();
        const usize width = local.size() / rows;
        entries.resize(width * plan.positions());
        for (usize k = 0; k < width; k += 1) {
            const std::vector<u16> of_entry(local.begin() + k * rows, local.begin() + (k + 1) * rows);
            const auto there = placed(of_entry, plan.offsets, plan.threads, plan.threads);
            for (usize p = 0; p < there.size(); p += 1) entries[p * width + k] = there[p];
        }
        for (u32 b = 0; b < plan.blocks(); b += 1) {
            const u32 count = starts[b + 1] - starts[b];
            about.push_back({count, copies ? count - (copies[b + 1] - copies[b]) : count});
        }
        stage = op2::Stage<op2::Staged>{about.data(), list.data(), entries.data(), nullptr,
                listed.units.data(), most_of(starts), stride, listed.each, 0};
    }
};

// A stage of a plan, with what it points to.
struct Staged {
    std::vector<u32> offsets{0}, list;
    std::vector<u16> local;
    std::vector<u8> shared;
    std::deque<Placed> there;
    op2::Stage<op2::Staged> stage;

    Staged(const Planned& plan, const Targets& cover, const Stored* stored) {
        const usize rows = plan.order.size();
        local.assign(cover.size() * rows, 0);
        for (u32 b = 0; b < plan.blocks(); b += 1) {
            std::set<u32> targets;
            for (u32 p = plan.offsets[b]; p < plan.offsets[b + 1]; p += 1) {
                for (const auto& way : cover) targets.insert(way[plan.order[p]]);
            }
            const std::vector<u32> sorted(targets.begin(), targets.end());
            for (u32 p = plan.offsets[b]; p < plan.offsets[b + 1]; p += 1) {
                for (usize k = 0; k < cover.size(); k += 1) {
                    const u32 target = cover[k][plan.order[p]];
                    u32 i = 0;
                    while (sorted[i] != target) i += 1;
                    local[k * rows + p] = u16(i);
                }
            }
            for (u32 t : sorted) {
                u32 blocks = 0;
                for (const auto& other : plan.touched) blocks += u32(other.count(t));
                shared.push_back(blocks > 1);
                list.push_back(t);
            }
            offsets.push_back(u32(list.size()));
        }
        stage = there.emplace_back(plan, offsets, list, local, nullptr, 0, stored).stage;
    }
};

// The same where blocks have copies of the targets that they share, and what these add up to.
struct Tiled {
    std::vector<u32> list, copies{0}, targets, starts{0}, added;
    std::vector<u16> local;
    std::deque<Placed> there;
    op2::Stage<op2::Staged> stage;
    op2::Sums sums;

    Tiled(const Planned& plan, const Staged& from, const Stored* stored) : local(from.local) {
        const usize rows = plan.order.size();
        std::vector<u32> copied;
        for (u32 b = 0; b < plan.blocks(); b += 1) {
            std::vector<u16> place(from.offsets[b + 1] - from.offsets[b]);
            for (u8 shared : {0, 1}) {
                for (u32 i = from.offsets[b]; i < from.offsets[b + 1]; i += 1) {
                    if (from.shared[i] != shared) continue;
                    place[i - from.offsets[b]] = u16(list.size() - from.offsets[b]);
                    list.push_back(from.list[i]);
                    if (shared) copied.push_back(from.list[i]);
                }
            }
            copies.push_back(u32(copied.size()));
            for (u32 p = plan.offsets[b]; p < plan.offsets[b + 1]; p += 1) {
                for (usize k = p; k < local.size(); k += rows) local[k] = place[local[k]];
            }
        }
        for (u32 t = 0; t < size; t += 1) {
            for (u32 n = 0; n < copied.size(); n += 1) {
                if (copied[n] == t) added.push_back(n);
            }
            if (added.size() == starts.back()) continue;
            targets.push_back(t);
            starts.push_back(u32(added.size()));
        }
        const u32 all = u32(copied.size());
        stage = there.emplace_back(plan, from.offsets, list, local, copies.data(), all, stored).stage;
        sums = op2::Sums{starts.data(), added.data(), targets.data(), u32(targets.size()), all};
    }
};

// Contributions by target, with what they point to.
struct Summed {
    std::vector<u32> offsets{0}, list;
    op2::Sums sums;

    Summed(const Planned& plan, const Targets& cover) {
        const u32 rows = u32(plan.order.size());
        for (u32 t = 0; t < size; t += 1) {
            for (u32 p = 0; p < rows; p += 1) {
                for (u32 k = 0; k < cover.size(); k += 1) {
                    if (cover[k][plan.order[p]] == t) list.push_back(k * rows + p);
                }
            }
            offsets.push_back(u32(list.size()));
        }
        sums = op2::Sums{offsets.data(), list.data(), nullptr, size, u32(cover.size()) * rows};
    }
};

// The elements of a loop: all, or some in another order.
static std::vector<u32> elements(bool all) {
    std::vector<u32> order;
    for (u32 e = 0; e < size; e += 1) {
        if (all || random_bits() % 3 != 0) order.push_back(e);
    }
    for (usize i = order.size() - 1; !all && i > 0; i -= 1) std::swap(order[i], order[random_bits() % (i + 1)]);
    return order;
}

// Kept for the whole run: what they hold is pointed to.
template <class T>
static const T& kept(T value) {
    static std::deque<T> all;
    all.push_back(std::move(value));
    return all.back();
}

Plan::Plan(bool all, Ways ways) : all(all) {
    planned = &kept(Planned(elements(all), all, 64, targets(ways)));
    order = planned->order.data();
    rows = u32(planned->order.size());
    positions = planned->positions();
}

Cover::Cover(const Plan& plan, Ways ways, const Stored* stored) {
    const Targets cover = targets(ways);
    const Staged& staged = kept(Staged(*plan.planned, cover, stored));
    const Summed& summed = kept(Summed(*plan.planned, cover));
    const Tiled& parted = kept(Tiled(*plan.planned, staged, stored));
    stage = staged.stage;
    tiles = parted.stage;
    sums = summed.sums;
    tiled = parted.sums;
}

Each::Each(const Plan& plan, Ways ways) {
    const Targets cover = targets(ways);
    std::vector<u32> starts{0}, list, of;
    u32 bits = 0;
    while ((usize(1) << bits) < cover.size()) bits += 1;
    // The contributions to each target; those that get none have no thread.
    std::map<u32, std::vector<std::pair<u32, u32>>> to;
    for (u32 p = 0; p < plan.rows; p += 1) {
        for (u32 k = 0; k < cover.size(); k += 1) to[cover[k][plan.order[p]]].push_back({plan.order[p], k});
    }
    std::vector<u32> reached;
    for (const auto& target : to) reached.push_back(target.first);
    for (u32 first = 0; first < reached.size(); first += op2::wave) {
        std::vector<std::vector<std::pair<u32, u32>>> lanes(op2::wave);
        usize rows = 0;
        for (u32 t = first; t < reached.size() && t < first + op2::wave; t += 1) {
            lanes[t - first] = to[reached[t]];
            rows = std::max<usize>(rows, lanes[t - first].size());
        }
        for (usize row = 0; row < rows; row += 1) {
            for (const auto& lane : lanes) {
                const bool there = row < lane.size();
                of.push_back(there ? lane[row].first : size);
                list.push_back(there ? u32(lane[row].first | u64(lane[row].second) << (32 - bits)) : op2::missing);
            }
        }
        starts.push_back(u32(list.size() / op2::wave));
    }
    const u32 rows = u32(list.size());
    elements = kept(std::move(of)).data();
    const u32 count = u32(reached.size());
    const u32* const targets = count == size ? nullptr : kept(std::move(reached)).data();
    frame = op2::PerTarget{kept(std::move(starts)).data(), kept(std::move(list)).data(), targets, count, rows};
}

const u32* Each::entries(const Map& map) const {
    std::vector<u32> found;
    for (u32 i = 0; i < map.arity; i += 1) {
        for (u32 n = 0; n < frame.rows; n += 1) found.push_back(elements[n] < size ? map[elements[n]][i] : 0);
    }
    return kept(std::move(found)).data();
}

// The threads of all blocks. To start new ones for every block would take ten times as long as what they do.
struct Threads {
    static const u32 most = 64;
    std::vector<std::thread> all;
    // The threads, and the one that has work for them: they meet ahead of it and behind it.
    pthread_barrier_t meeting;
    // Where those of a block end: who has left out a barrier of the kernel's does not meet the others here in its stead.
    pthread_barrier_t end;
    const Call<>* kernel = nullptr;
    u32 blocks = 0, used = 0;

    Threads() {
        pthread_barrier_init(&meeting, nullptr, most + 1);
        for (u32 t = 0; t < most; t += 1) all.emplace_back([=] { work(t); });
    }
    ~Threads() {
        kernel = nullptr;
        pthread_barrier_wait(&meeting);
        for (auto& thread : all) thread.join();
        pthread_barrier_destroy(&meeting);
    }
    void run(u32 grid, u32 threads, const Call<>& what) {
        if (threads > most) abort();
        kernel = &what;
        blocks = grid;
        used = threads;
        pthread_barrier_init(&barrier, nullptr, threads);
        pthread_barrier_init(&end, nullptr, threads);
        const u32 waves_used = (threads + 31) / 32;
        for (u32 w = 0; w < waves_used; w += 1) pthread_barrier_init(&waves[w], nullptr, std::min(threads - w * 32, 32u));
        pthread_barrier_wait(&meeting);
        pthread_barrier_wait(&meeting);
        pthread_barrier_destroy(&barrier);
        pthread_barrier_destroy(&end);
        for (u32 w = 0; w < waves_used; w += 1) pthread_barrier_destroy(&waves[w]);
    }
    void work(u32 me) {
        for (;;) {
            pthread_barrier_wait(&meeting);
            if (!kernel) return;
            for (u32 b = 0; me < used && b < blocks; b += 1) {
                blockIdx.x = b;
                threadIdx.x = me;
                (*kernel)();
                pthread_barrier_wait(&end);
            }
            pthread_barrier_wait(&meeting);
        }
    }
};

void launch(u32 blocks, u32 threads, Call<> kernel) {
    static Threads all;
    blockDim.x = threads;
    gridDim.x = blocks;
    all.run(blocks, threads, kernel);
}

u32 in_ranges(const Plan& of, bool coloured, Call<op2::Range, u32> run) {
    const Planned& plan = *of.planned;
    const u32 rows = u32(plan.order.size());
    if (!coloured) {
        run(op2::Range{plan.listed ? plan.order.data() : nullptr, 0, rows, 0, rows}, 3u);
        return 3;
    }
    std::vector<u32> order, starts;
    for (u32 colour = 0; order.size() < rows; colour += 1) {
        starts.push_back(u32(order.size()));
        for (u32 p = 0; p < rows; p += 1) {
            if (plan.global[p] == colour) order.push_back(plan.order[p]);
        }
    }
    starts.push_back(rows);
    for (u32 c = 0; c + 1 < starts.size(); c += 1) {
        run(op2::Range{order.data(), starts[c], starts[c + 1], c, rows}, 1u);
    }
    return u32(starts.size()) - 1;
}

u32 in_blocks(const Plan& of, bool coloured, Call<op2::Blocks, u32> run) {
    const Planned& plan = *of.planned;
    u32 done = 0;
    const u32 behind = plan.threads;
    const auto order = placed(plan.order, plan.offsets, plan.threads, behind);
    const auto colours = placed(plan.colours, plan.offsets, plan.threads, behind);
    const auto elements = counts_of(plan.offsets);
    for (u32 colour = 0; done < plan.blocks(); colour += 1) {
        std::vector<u32> ids;
        for (u32 b = 0; b < plan.blocks(); b += 1) {
            if (!coloured || plan.block_colours[b] == colour) ids.push_back(b);
        }
        run(op2::Blocks{ids.data(), elements.data(), order.data(), colours.data(), plan.counts.data(), 0, plan.threads},
                u32(ids.size()));
        done += u32(ids.size());
    }
    return plan.blocks();
}

static pthread_mutex_t visiting = PTHREAD_MUTEX_INITIALIZER;
static u32 visits[size];
void visit(unsigned element) {
    if (element >= size) abort();
    pthread_mutex_lock(&visiting);
    visits[element] += 1;
    pthread_mutex_unlock(&visiting);
}
void forget_visits() { memset(visits, 0, sizeof visits); }

void fault(const char* wrapper, const char* what) {
    faults += 1;
    printf("%s: `%s` is wrong\n", wrapper, what);
}
void fault(const char* wrapper, const char* what, u32 element) {
    faults += 1;
    printf("%s: element %u of `%s` is wrong\n", wrapper, element, what);
}
void compare_visits(const char* wrapper, const Plan& plan, u32 stages) {
    u32 expected[size] = {};
    for (u32 p = 0; p < plan.rows; p += 1) expected[plan.order[p]] += stages;
    if (memcmp(visits, expected, sizeof visits) == 0) return;
    faults += 1;
    printf("%s: not every element was visited once in each stage\n", wrapper);
}
