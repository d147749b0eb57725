namespace user {

using namespace op2::types;

__device__ __forceinline__ void loops(const i32& n, const u32& m, Arr<i64, 12>& out) {
    for (Closed<i32> steps = op2::upwards<i32>(1, n); steps.more; steps.up()) {
        const i32 i = steps.at;
        out[0] = op2::add(out[0], i64(i));
    }
    for (i32 i = n; i > 0;) {
        i -= 1;
        out[1] = op2::add(op2::mul(out[1], 3ll), i64(i));
    }
    for (Closed<i32> steps = op2::downwards<i32>(1, n); steps.more; steps.down()) {
        const i32 i = steps.at;
        out[2] = op2::add(op2::mul(out[2], 3ll), i64(i));
    }
    for (Closed<u32> steps = op2::downwards<u32>(4294967293u, op2::Limits<u32>::max()); steps.more;
            steps.down()) {
        const u32 i = steps.at;
        out[3] = op2::add(out[3], i64(i - m));
    }
    for (Closed<i32> steps = op2::upwards<i32>(2147483645, 2147483647); steps.more; steps.up()) {
        const i32 i = steps.at;
        if (i > 0) {
            out[4] = op2::add(out[4], 1ll);
        } else {
            continue;
        }
    }
    i32 bound = n;
    const i32 bound_2 = bound;
    for (i32 at = 0; at < bound_2; at += 1) {
        i32 i = at;
        bound = op2::add(bound, 1);
        i = op2::add(i, 5);
        out[5] = op2::add(out[5], i64(op2::add(i, bound)));
    }
    const i64 bound_3 = i64(bound);
    for (i64 i = 0; i < bound_3; i += 1) {
        bound = op2::add(bound, 1);
        out[5] = op2::add(out[5], op2::add(i, i64(bound)));
    }
    for (i64 at = 3; at > 0;) {
        at -= 1;
        i64 i = at;
        i = op2::mul(i, 2ll);
        out[6] = op2::add(out[6], i);
    }
    i32 k = 0;
    while (true) {
        bool chosen;
        {
            k = op2::add(k, 1);
            chosen = k < n;
        }
        if (!chosen) break;
        if (k == 2) {
            continue;
        }
        out[7] = op2::add(out[7], i64(k));
    }
    for (i32 i = 0; i < 4; i += 1) {
        {
            i32 count = 0;
            while (true) {
                count = op2::add(count, 1);
                if (count > i) {
                    break;
                }
                if (count == 3) {
                    goto loop_9_next;
                }
                while (count < 9) {
                    if (i == 2) {
                        goto loop_9_end;
                    }
                    break;
                }
            }
            const i32 behind = op2::mul(count, 10);
            out[8] = op2::add(out[8], i64(behind));
        }
        loop_9_next:;
    }
    loop_9_end:;
    while (true) {
        {
            out[9] = op2::add(out[9], 1ll);
            for (i32 unused = 0; unused < 2; unused += 1) {
                if (out[9] < 5) {
                    goto loop_12_next;
                }
                goto loop_12_end;
            }
        }
        loop_12_next:;
    }
    loop_12_end:;
    for (i64 i = 3; i > 3;) {
        i -= 1;
        out[10] = op2::add(out[10], i);
    }
    for (i64 i = 5; i <= 4; i += 1) {
        out[11] = op2::add(out[11], i);
    }
}

}  // namespace user
