// The search for pairs of elements that meet in space, by a grid that the host made: `pairs/grid.rs` of the run time has
// the same search, and both evaluate the same expressions, so that they find the same pairs.
//
// The elements inside lie in cells. For an element outside, the search looks into the cells that its box reaches. Where the
// space is periodic, it does so as if there were cells everywhere: each lies in an image of the period.

#ifndef OP2_PAIRS_CUH
#define OP2_PAIRS_CUH

#define OP2_FN __device__ __forceinline__

namespace op2 {

// The elements inside in the order of their cells, and the boxes of those outside. Boxes and images are stored component
// by component; those of a box are its lower corner, then its upper one.
template <u32 D>
struct Grid {
    const double* outer;
    const double* inner;
    const i32* images;
    const u32* elements;
    // Where each cell begins, and the end of the last one.
    const u32* starts;
    // Candidates, and pairs that met.
    u64* counts;
    double origin[D];
    // Cells per length.
    double per_length[D];
    // How far a box inside reaches from its middle at most.
    double reach[D];
    double period[D];
    double margin;
    // The greatest coordinate, without its sign.
    double greatest;
    u32 cells[D];
    // Numbers of elements.
    u32 outers;
    u32 inners;
    u32 periodic;
};

// Rows of any length as pairs: the cell of each element outside has its partners.
template <>
struct Grid<0> {
    const double* outer;
    const double* inner;
    const i32* images;
    const u32* elements;
    const u32* starts;
    u64* counts;
    double margin;
    double greatest;
    u32 outers;
    u32 inners;
    u32 periodic;
};

OP2_FN i64 floor_div(i64 a, i64 n) { return a / n - (a % n < 0); }

// The search for the partners of one element after the other; `FROM_OUTSIDE` says that pairs lead from the elements
// outside.
template <u32 D, bool FROM_OUTSIDE>
struct Search {
    const Grid<D>& grid;
    // The box of the element outside, and the cells that it reaches in each direction.
    double low[D];
    double high[D];
    i64 first[D];
    i64 last[D];
    // The image of the period that is looked into, and the candidates of a cell that are left.
    i64 image[D];
    u32 at = 0;
    u32 end = 0;
    u64 proposed = 0;
    u64 met = 0;
    // The partner: its number, its cell, its place among the elements inside, and the shift of the pair.
    u32 partner = 0;
    u32 cell = 0;
    u32 place = 0;
    Arr<double, D> shift{};

    OP2_FN explicit Search(const Grid<D>& grid) : grid(grid) {}

    // Adds the candidates and pairs of all threads of a block to the counts.
    OP2_FN void count() const {
        const auto all = total_of<Inc>(Arr<u64, 2>{{proposed, met}});
        if (threadIdx.x != 0) return;
        atomicAdd(grid.counts, all.at[0]);
        atomicAdd(grid.counts + 1, all.at[1]);
    }

protected:
    // Turns to an element; returns whether it reaches a cell.
    OP2_FN bool turn_to(u32 e) {
        bool some = true;
        OP2_UNROLL
        for (u32 c = 0; c < D; c += 1) {
            low[c] = grid.outer[usize(c) * grid.outers + e];
            high[c] = grid.outer[usize(D + c) * grid.outers + e];
            double far = grid.margin + grid.reach[c];
            // More than rounding can take away: the boxes themselves decide.
            far = far + max(grid.greatest, far) * 1e-12;
            first[c] = cell_of(low[c] - far, c);
            last[c] = cell_of(high[c] + far, c);
            if (!grid.periodic) {
                first[c] = max(first[c], i64(0));
                last[c] = min(last[c], i64(grid.cells[c]) - 1);
            }
            some = some && first[c] <= last[c];
        }
        at = end = 0;
        return some;
    }

    OP2_FN void open(u32 number) {
        cell = number;
        at = grid.starts[number];
        end = grid.starts[number + 1];
    }

    // Looks for the next partner among the candidates of the cell.
    OP2_FN bool find() {
        while (at < end) {
            place = at;
            at += 1;
            proposed += 1;
            if (!meets()) continue;
            met += 1;
            partner = grid.elements[place];
            return true;
        }
        return false;
    }

private:
    OP2_FN i64 cell_of(double x, u32 c) const {
        return cast<i64>(floor((x - grid.origin[c]) * grid.per_length[c]));
    }

    // Whether the boxes of a pair meet. The shift moves the element that the pair leads from.
    OP2_FN bool meets() {
        bool all = true;
        OP2_UNROLL
        for (u32 c = 0; c < D; c += 1) {
            if (grid.periodic) {
                const i64 images = image[c] - grid.images[usize(c) * grid.inners + place];
                shift.at[c] = double(FROM_OUTSIDE ? -images : images) * grid.period[c];
            }
            const double inner_low = grid.inner[usize(c) * grid.inners + place];
            const double inner_high = grid.inner[usize(D + c) * grid.inners + place];
            const double from_low = (FROM_OUTSIDE ? low[c] : inner_low) + shift.at[c];
            const double from_high = (FROM_OUTSIDE ? high[c] : inner_high) + shift.at[c];
            const double to_low = FROM_OUTSIDE ? inner_low : low[c];
            const double to_high = FROM_OUTSIDE ? inner_high : high[c];
            all = all && from_low - grid.margin <= to_high && to_low <= from_high + grid.margin;
        }
        return all;
    }
};

// The partners of one element after the other in its row.
template <bool FROM_OUTSIDE>
struct Search<0, FROM_OUTSIDE> {
    const Grid<0>& grid;
    u32 at = 0;
    u32 end = 0;
    u64 met = 0;
    u32 partner = 0;
    u32 cell = 0;
    u32 place = 0;
    Arr<double, 0> shift{};

    OP2_FN explicit Search(const Grid<0>& grid) : grid(grid) {}

    OP2_FN void count() const {
        const auto all = total_of<Inc>(Arr<u64, 1>{{met}});
        if (threadIdx.x != 0) return;
        atomicAdd(grid.counts, all.at[0]);
        atomicAdd(grid.counts + 1, all.at[0]);
    }

protected:
    OP2_FN void open(u32 e, u32 first) {
        cell = e;
        at = grid.starts[e] + first;
        end = grid.starts[e + 1];
    }

    OP2_FN bool find(u32 step) {
        if (at >= end) return false;
        place = at;
        at += step;
        met += 1;
        partner = grid.elements[place];
        return true;
    }
};

// The search by all threads of a block, which share the cells of one image at a time: an element inside occurs once in it.
template <u32 D, bool FROM_OUTSIDE>
struct SharedSearch : Search<D, FROM_OUTSIDE> {
    // Whether an image is left, and whether the search has begun.
    bool some = false;
    bool begun = false;
    // The cells of the image that the box reaches: the first one in each direction, how many, how many in all, and the
    // next one of this thread.
    u32 corner[D];
    u32 width[D];
    u32 cells = 0;
    u32 next = 0;

    using Search<D, FROM_OUTSIDE>::Search;

    OP2_FN void begin(u32 e) {
        some = this->turn_to(e);
        begun = false;
        OP2_UNROLL
        for (u32 c = 0; c < D; c += 1) this->image[c] = floor_div(this->first[c], this->grid.cells[c]);
    }

    // Goes on to the next image; the same in all threads.
    OP2_FN bool next_image() {
        if (begun) some = some && advance();
        begun = true;
        if (!some) return false;
        cells = 1;
        OP2_UNROLL
        for (u32 c = 0; c < D; c += 1) {
            const i64 n = this->grid.cells[c];
            const i64 from = max(this->first[c] - this->image[c] * n, i64(0));
            const i64 to = min(this->last[c] - this->image[c] * n, n - 1);
            corner[c] = u32(from);
            width[c] = u32(to - from + 1);
            cells *= width[c];
        }
        next = threadIdx.x;
        return true;
    }

    // Goes on to the next partner of this thread in the image.
    OP2_FN bool next_partner() {
        while (!this->find()) {
            if (next >= cells) return false;
            this->open(number(next));
            next += blockDim.x;
        }
        return true;
    }

private:
    // The last direction runs fastest.
    OP2_FN bool advance() {
        OP2_UNROLL
        for (u32 n = 0; n < D; n += 1) {
            const u32 c = D - 1 - n;
            this->image[c] += 1;
            if (this->image[c] * this->grid.cells[c] <= this->last[c]) return true;
            this->image[c] = floor_div(this->first[c], this->grid.cells[c]);
        }
        return false;
    }

    // The number of one of the cells that the box reaches.
    OP2_FN u32 number(u32 of_box) const {
        u32 found = 0;
        u32 step = 1;
        OP2_UNROLL
        for (u32 n = 0; n < D; n += 1) {
            const u32 c = D - 1 - n;
            found += (corner[c] + of_box % width[c]) * step;
            of_box /= width[c];
            step *= this->grid.cells[c];
        }
        return found;
    }
};

template <bool FROM_OUTSIDE>
struct SharedSearch<0, FROM_OUTSIDE> : Search<0, FROM_OUTSIDE> {
    u32 element = 0;
    bool begun = false;

    using Search<0, FROM_OUTSIDE>::Search;

    OP2_FN void begin(u32 e) {
        element = e;
        begun = false;
    }
    OP2_FN bool next_image() {
        if (begun) return false;
        begun = true;
        this->open(element, threadIdx.x);
        return true;
    }
    OP2_FN bool next_partner() { return this->find(blockDim.x); }
};

// The search by one thread, in the order of the host: cell by cell through all images.
template <u32 D, bool FROM_OUTSIDE>
struct SingleSearch : Search<D, FROM_OUTSIDE> {
    bool some = false;
    bool begun = false;
    // The cell in each direction, in its image.
    u32 local[D];

    using Search<D, FROM_OUTSIDE>::Search;

    OP2_FN void begin(u32 e) {
        some = this->turn_to(e);
        begun = false;
        OP2_UNROLL
        for (u32 c = 0; c < D; c += 1) rewind(c);
    }

    OP2_FN bool next_partner() {
        while (!this->find()) {
            if (begun) some = some && advance();
            begun = true;
            if (!some) return false;
            u32 number = 0;
            OP2_UNROLL
            for (u32 c = 0; c < D; c += 1) number = number * this->grid.cells[c] + local[c];
            this->open(number);
        }
        return true;
    }

private:
    OP2_FN void rewind(u32 c) {
        const i64 n = this->grid.cells[c];
        this->image[c] = floor_div(this->first[c], n);
        local[c] = u32(this->first[c] - this->image[c] * n);
    }

    // The last direction runs fastest.
    OP2_FN bool advance() {
        OP2_UNROLL
        for (u32 n = 0; n < D; n += 1) {
            const u32 c = D - 1 - n;
            const i64 cells = this->grid.cells[c];
            if (this->image[c] * cells + local[c] < this->last[c]) {
                local[c] += 1;
                if (local[c] == cells) {
                    local[c] = 0;
                    this->image[c] += 1;
                }
                return true;
            }
            rewind(c);
        }
        return false;
    }
};

template <bool FROM_OUTSIDE>
struct SingleSearch<0, FROM_OUTSIDE> : Search<0, FROM_OUTSIDE> {
    using Search<0, FROM_OUTSIDE>::Search;

    OP2_FN void begin(u32 e) { this->open(e, 0); }
    OP2_FN bool next_partner() { return this->find(1); }
};

// Patches of elements outside, one for each block, and their copies of what lies inside. A patch copies all elements of
// the cells that it reaches, so that copies of consecutive cells are consecutive, as the elements are.
struct Patches {
    const u32* order;
    const u32* offsets;
    // The copies of patch `p` are `copies[p]..copies[p + 1]`; null where nothing is copied.
    const u32* copies;
    // Its runs of consecutive cells, `runs[p]..runs[p + 1]`: the first cell, and the distance from an element's place to
    // its copy.
    const u32* runs;
    const u32* run_cells;
    const u32* run_distances;
    // All copies.
    u32 stride;
    u32 unused;

    OP2_FN u32 first() const { return offsets[blockIdx.x]; }
    OP2_FN u32 end() const { return offsets[blockIdx.x + 1]; }
    OP2_FN u32 element(u32 p) const { return order[p]; }

    // The copy of the partner that was found.
    template <u32 D, bool FROM_OUTSIDE>
    OP2_FN u32 copy(const Search<D, FROM_OUTSIDE>& found) const {
        // The last run that does not begin behind the cell.
        u32 run = runs[blockIdx.x];
        u32 behind = runs[blockIdx.x + 1];
        while (behind - run > 1) {
            const u32 middle = run + (behind - run) / 2;
            if (run_cells[middle] <= found.cell) run = middle;
            else behind = middle;
        }
        return found.place + run_distances[run];
    }

    // The same if an optional argument is there.
    template <u32 D, bool FROM_OUTSIDE>
    OP2_FN u32 copy_if(bool there, const Search<D, FROM_OUTSIDE>& found) const {
        return there ? copy(found) : 0;
    }

    // Initializes the copies of the block with the neutral element.
    template <class By, class V>
    OP2_FN void clear(typename V::Scalar* parts) const {
        OP2_UNROLL
        for (u32 c = 0; c < V::dim; c += 1) {
            for (u32 i = copies[blockIdx.x] + threadIdx.x; i < copies[blockIdx.x + 1]; i += blockDim.x) {
                parts[usize(c) * stride + i] = By::template neutral<typename V::Scalar>();
            }
        }
    }

    // Adds a contribution to a copy, while no other thread does.
    template <class By, class V>
    OP2_FN void combine(typename V::Scalar* parts, u32 copy, const typename V::Value& value) const {
        OP2_UNROLL
        for (u32 c = 0; c < V::dim; c += 1) {
            typename V::Scalar& sum = parts[usize(c) * stride + copy];
            sum = By::of(sum, part(value, c));
        }
    }
};

// The shift as a kernel takes it.
template <class To, usize D>
OP2_FN To shift_as(const Arr<double, D>& shift) {
    To result;
    OP2_UNROLL
    for (usize c = 0; c < D; c += 1) result.at[c] = typename Flat<To>::Scalar(shift.at[c]);
    return result;
}

// Adds a contribution to the sum over partners.
template <class By, class T>
OP2_FN void absorb(T& sum, const T& one) { Reduction<By, T>::absorb(sum, one); }

// Combines an element with the sums of all threads of a block, while no other block accesses it.
template <class By, class V>
OP2_FN void combine_total(typename V::Scalar* data, u32 e, const typename V::Value& sum) {
    const auto all = total_of<By>(sum);
    if (threadIdx.x == 0) combine<By, V>(data, e, all);
}

}  // namespace op2

#undef OP2_FN

#endif
