//! The parts of CUDA that generated text uses.

use crate::support::{buffer, emulator, emulator_with, launch, needs_cxx, scalars, source};
use op2_device::{Arg, Definition, Device, Literal, Options};

#[test]
fn threads_and_blocks_have_their_numbers() {
    needs_cxx!();
    let source = source(
        &["numbers"],
        "extern \"C\" __global__ __launch_bounds__(64) void numbers(unsigned* out) {
            const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
            out[i] = 1000 * blockIdx.x + 10 * threadIdx.x + gridDim.x;
        }",
    );
    let device = emulator(1);
    let out = buffer(&device, "out", &[0u32; 3 * 64]);
    launch(&device, &source, "numbers", (3, 64, 0), &[Arg::Buffer(Some(&out))]).expect("no fault");
    let expected: Vec<u32> = (0..3).flat_map(|b| (0..64).map(move |t| 1000 * b + 10 * t + 3)).collect();
    assert_eq!(scalars::<u32>(&device, &out), expected);
}

#[test]
fn shared_memory_passes_values_over_barriers() {
    needs_cxx!();
    let source = source(
        &["turn"],
        "extern \"C\" __global__ void turn(double* x) {
            double* shared = reinterpret_cast<double*>(op2_arena);
            double* mine = x + blockIdx.x * blockDim.x;
            shared[threadIdx.x] = mine[threadIdx.x];
            for (unsigned n = 0; n < 3; n += 1) {
                __syncthreads();
                const double other = shared[blockDim.x - 1 - threadIdx.x];
                __syncthreads();
                shared[threadIdx.x] = other + 1.0;
            }
            mine[threadIdx.x] = shared[threadIdx.x];
        }",
    );
    let device = emulator(2);
    let x: Vec<f64> = (0..128).map(f64::from).collect();
    let data = buffer(&device, "x", &x);
    launch(&device, &source, "turn", (2, 64, 64 * 8), &[Arg::Buffer(Some(&data))]).expect("no fault");
    let expected: Vec<f64> = (0..64).rev().chain((64..128).rev()).map(|x| f64::from(x + 3)).collect();
    assert_eq!(scalars::<f64>(&device, &data), expected);
}

#[test]
fn threads_of_a_block_that_do_not_wait_may_end_early() {
    needs_cxx!();
    let source = source(
        &["early"],
        "extern \"C\" __global__ void early(unsigned* x, unsigned n) {
            if (threadIdx.x >= n) return;
            x[threadIdx.x] = threadIdx.x;
        }",
    );
    let device = emulator(3);
    let x = buffer(&device, "x", &[9u32; 32]);
    let args = [Arg::Buffer(Some(&x)), Arg::Bytes(&5u32.to_ne_bytes())];
    launch(&device, &source, "early", (1, 32, 0), &args).expect("no fault");
    let expected: Vec<u32> = (0..32).map(|i| if i < 5 { i } else { 9 }).collect();
    assert_eq!(scalars::<u32>(&device, &x), expected);
}

#[test]
fn shuffles_bring_the_values_of_other_lanes() {
    needs_cxx!();
    let source = source(
        &["shuffles"],
        "extern \"C\" __global__ void shuffles(float* down, int* exchanged, unsigned* narrow, unsigned* half) {
            const unsigned t = threadIdx.x;
            down[t] = __shfl_down_sync(0xffffffffu, float(t), 3);
            exchanged[t] = __shfl_xor_sync(0xffffffffu, -int(t), 5);
            narrow[t] = __shfl_down_sync(0xffffffffu, t, 3, 8);
            if (t % 32 < 16) half[t] = __shfl_down_sync(0x0000ffffu, t, 8, 16);
        }",
    );
    let device = emulator(4);
    let down = buffer(&device, "down", &[0f32; 64]);
    let exchanged = buffer(&device, "exchanged", &[0i32; 64]);
    let narrow = buffer(&device, "narrow", &[0u32; 64]);
    let half = buffer(&device, "half", &[0u32; 64]);
    let args = [&down, &exchanged, &narrow, &half].map(|buffer| Arg::Buffer(Some(buffer)));
    launch(&device, &source, "shuffles", (1, 64, 0), &args).expect("no fault");
    let further = |t: u32, by: u32, width: u32| if t % width + by < width { t + by } else { t };
    let each = |f: &dyn Fn(u32) -> u32| (0..64).map(f).collect::<Vec<_>>();
    let downs: Vec<f32> = each(&|t| further(t, 3, 32)).iter().map(|&t| t as f32).collect();
    assert_eq!(scalars::<f32>(&device, &down), downs);
    let exchanges: Vec<i32> = each(&|t| t ^ 5).iter().map(|&t| -(t as i32)).collect();
    assert_eq!(scalars::<i32>(&device, &exchanged), exchanges);
    assert_eq!(scalars::<u32>(&device, &narrow), each(&|t| further(t, 3, 8)));
    assert_eq!(scalars::<u32>(&device, &half), each(&|t| if t % 32 < 16 { further(t, 8, 16) } else { 0 }));
}

#[test]
fn a_block_sums_up_by_shuffles_and_shared_memory() {
    needs_cxx!();
    let source = source(
        &["sum"],
        "extern \"C\" __global__ void sum(const unsigned* x, unsigned* sums) {
            unsigned total = x[blockIdx.x * blockDim.x + threadIdx.x];
            for (unsigned further = 16; further > 0; further /= 2) {
                total += __shfl_down_sync(0xffffffffu, total, further);
            }
            unsigned* warps = reinterpret_cast<unsigned*>(op2_arena);
            if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = total;
            __syncthreads();
            if (threadIdx.x != 0) return;
            for (unsigned warp = 1; warp < blockDim.x / 32; warp += 1) total += warps[warp];
            sums[blockIdx.x] = total;
        }",
    );
    let device = emulator(5);
    let x: Vec<u32> = (0..5 * 128).map(|i| i * i).collect();
    let sums = buffer(&device, "sums", &[0u32; 5]);
    let data = buffer(&device, "x", &x);
    let args = [Arg::Buffer(Some(&data)), Arg::Buffer(Some(&sums))];
    launch(&device, &source, "sum", (5, 128, 16), &args).expect("no fault");
    let expected: Vec<u32> = x.chunks(128).map(|block| block.iter().sum()).collect();
    assert_eq!(scalars::<u32>(&device, &sums), expected);
}

/// Shuffles reach all threads of a wave, and the header's sums and prefixes follow its width.
#[test]
fn waves_are_as_wide_as_was_asked_for() {
    needs_cxx!();
    let text = "extern \"C\" __global__ void across(unsigned* x, unsigned long long* sums) {
            const unsigned t = threadIdx.x;
            x[t] = __shfl_down_sync(op2::whole_wave(), t, 20) << 16 | __shfl_xor_sync(op2::whole_wave(), t, OP2_WAVE / 2);
            const auto sum = op2::total<op2::Inc>(op2::u64(t));
            if (t == 0) sums[0] = sum;
        }";
    for (wide_waves, wave) in [(false, 32), (true, 64)] {
        let device = emulator_with(Options { wide_waves, seed: 6, ..Options::default() });
        assert_eq!(device.info().wave, wave);
        let (x, sums) = (buffer(&device, "x", &[0u32; 192]), buffer(&device, "sums", &[0u64]));
        let args = [&x, &sums].map(|buffer| Arg::Buffer(Some(buffer)));
        launch(&device, &source(&["across"], text), "across", (1, 192, 256), &args).expect("no fault");
        let lane = |t: u32| (if t % wave + 20 < wave { t + 20 } else { t }) << 16 | t ^ (wave / 2);
        assert_eq!(scalars::<u32>(&device, &x), (0..192).map(lane).collect::<Vec<_>>());
        assert_eq!(scalars::<u64>(&device, &sums), [(0..192).sum()]);
    }
}

#[test]
fn atomics_change_every_type_and_return_what_was_there() {
    needs_cxx!();
    let source = source(
        &["atomics"],
        "extern \"C\" __global__ void atomics(float* f, double* d, int* i, unsigned* u, long long* l,
                unsigned long long* w, unsigned* tickets) {
            const int t = int(blockIdx.x * blockDim.x + threadIdx.x);
            atomicAdd(&f[0], 1.0f);
            atomicAdd(&d[0], 0.5);
            atomicAdd(&i[0], -3);
            atomicMin(&i[1], 5 - t);
            atomicMax(&i[2], t - 5);
            atomicMin(&u[1], unsigned(90 - t));
            atomicMax(&u[2], unsigned(t));
            atomicMin(&l[0], 10ll - t);
            atomicMax(&l[1], t - 10ll);
            atomicAdd(&w[0], 1ull << 40);
            atomicMin(&w[1], 100ull - t);
            atomicMax(&w[2], 100ull + t);
            tickets[atomicAdd(&u[0], 1u)] += 1;
        }",
    );
    let device = emulator(6);
    let floats = buffer(&device, "f", &[0f32]);
    let doubles = buffer(&device, "d", &[1f64]);
    let ints = buffer(&device, "i", &[0i32, 0, 0]);
    let words = buffer(&device, "u", &[0u32, u32::MAX, 0]);
    let longs = buffer(&device, "l", &[0i64, 0]);
    let wides = buffer(&device, "w", &[7u64, u64::MAX, 0]);
    let tickets = buffer(&device, "tickets", &[0u32; 64]);
    let args = [&floats, &doubles, &ints, &words, &longs, &wides, &tickets].map(|buffer| Arg::Buffer(Some(buffer)));
    launch(&device, &source, "atomics", (2, 32, 0), &args).expect("no fault");
    assert_eq!(scalars::<f32>(&device, &floats), [64.0]);
    assert_eq!(scalars::<f64>(&device, &doubles), [33.0]);
    assert_eq!(scalars::<i32>(&device, &ints), [-192, -58, 58]);
    assert_eq!(scalars::<u32>(&device, &words), [64, 27, 63]);
    assert_eq!(scalars::<i64>(&device, &longs), [-53, 53]);
    assert_eq!(scalars::<u64>(&device, &wides), [(64 << 40) + 7, 37, 163]);
    assert_eq!(scalars::<u32>(&device, &tickets), [1; 64]);
}

/// A kernel that adds by compare-and-swap; without the loop some additions are lost.
fn adds_by_swapping(seed: u64, repeats: bool) -> f64 {
    const TEXT: &str = "
        template <bool repeats>
        __device__ __forceinline__ void add(double* at, double value) {
            unsigned long long* words = reinterpret_cast<unsigned long long*>(at);
            unsigned long long seen = *const_cast<const volatile unsigned long long*>(words);
            for (;;) {
                double sum;
                __builtin_memcpy(&sum, &seen, 8);
                sum += value;
                unsigned long long next;
                __builtin_memcpy(&next, &sum, 8);
                const unsigned long long found = atomicCAS(words, seen, next);
                if (found == seen || !repeats) return;
                seen = found;
            }
        }
        extern \"C\" __global__ void until_done(double* x) { add<true>(x, 1.0 + threadIdx.x); }
        extern \"C\" __global__ void once(double* x) { add<false>(x, 1.0 + threadIdx.x); }";
    let source = source(&["until_done", "once"], TEXT);
    let device = emulator(seed);
    let x = buffer(&device, "x", &[0f64]);
    let kernel = if repeats { "until_done" } else { "once" };
    launch(&device, &source, kernel, (1, 64, 0), &[Arg::Buffer(Some(&x))]).expect("no fault");
    scalars::<f64>(&device, &x)[0]
}

#[test]
fn threads_come_between_reading_and_swapping() {
    needs_cxx!();
    for seed in 0..5 {
        assert_eq!(adds_by_swapping(seed, true), 64.0 * 65.0 / 2.0);
        assert!(adds_by_swapping(seed, false) < 64.0 * 65.0 / 2.0);
    }
}

/// Numbers of 8 and 16 bits change by compare-and-swap of the words around them, also at the end of a buffer. What other
/// threads store to their neighbours stays.
#[test]
fn numbers_of_few_bits_change_by_the_words_around_them() {
    needs_cxx!();
    let source = source(
        &["parts"],
        "using namespace op2::types;
        extern \"C\" __global__ void parts(u8* b, i8* c, u16* d, i16* e) {
            const u32 t = blockIdx.x * blockDim.x + threadIdx.x;
            if (t % 8 < 6) {
                op2::Inc::atomic(&b[t % 8], u8(t * 7));
                op2::Min::atomic(&c[t % 8], i8(50 - t));
                op2::Or::atomic(&c[6], i8(1u << t % 8));
                op2::Inc::atomic(&d[t % 8 / 3], u16(t * 1000));
                op2::Max::atomic(&e[t % 8 / 3], i16(t - 300));
            }
            if (t == 6) {
                b[6] = 77;
                d[2] = 60000;
            }
        }",
    );
    let threads: Vec<u32> = (0..64).filter(|t| t % 8 < 6).collect();
    let of = |n: u32| threads.iter().copied().filter(move |t| t % 8 == n);
    let thirds = |n: u32| threads.iter().copied().filter(move |t| t % 8 / 3 == n);
    let bytes: Vec<u8> = (0..6).map(|n| of(n).fold(200u8, |sum, t| sum.wrapping_add((t * 7) as u8))).collect();
    let least: Vec<i8> = (0..6).map(|n| of(n).map(|t| (50 - t as i32) as i8).min().unwrap()).collect();
    let shorts: Vec<u16> =
        (0..2).map(|n| thirds(n).fold(1, |sum: u16, t| sum.wrapping_add((t * 1000) as u16))).collect();
    let greatest: Vec<i16> = (0..2).map(|n| thirds(n).map(|t| t as i16 - 300).max().unwrap()).collect();
    for seed in 0..5 {
        let device = emulator(seed);
        let (b, c) = (buffer(&device, "b", &[200u8; 7]), buffer(&device, "c", &[100i8, 100, 100, 100, 100, 100, 0]));
        let (d, e) = (buffer(&device, "d", &[1u16; 3]), buffer(&device, "e", &[i16::MIN; 3]));
        let args = [&b, &c, &d, &e].map(|buffer| Arg::Buffer(Some(buffer)));
        launch(&device, &source, "parts", (2, 32, 0), &args).expect("no fault");
        assert_eq!(scalars::<u8>(&device, &b), [&bytes[..], &[77]].concat());
        assert_eq!(scalars::<i8>(&device, &c), [&least[..], &[0x3f]].concat());
        assert_eq!(scalars::<u16>(&device, &d), [&shorts[..], &[60_000]].concat());
        assert_eq!(scalars::<i16>(&device, &e), [&greatest[..], &[i16::MIN]].concat());
    }
}

#[test]
fn parameters_of_all_sizes_arrive() {
    needs_cxx!();
    let source = source(
        &["sizes"],
        "struct Odd { unsigned char a[3]; };
        struct Range { const unsigned* order; unsigned start, end; };
        using namespace op2::types;
        extern \"C\" __global__ void sizes(bool flag, unsigned char byte, unsigned short two, const Odd odd, float four,
                double eight, const Arr<double, 5> forty, Range range, const double* absent, Tup<double, u32> pair,
                double* out) {
            if (threadIdx.x != 0) return;
            out[0] = flag;
            out[1] = byte;
            out[2] = two;
            out[3] = odd.a[0] * 100 + odd.a[1] * 10 + odd.a[2];
            out[4] = four;
            out[5] = eight;
            for (usize i = 0; i < 5; i += 1) out[6 + i] = forty[i];
            out[11] = range.order[range.start] * 10 + range.order[range.end - 1];
            out[12] = absent == nullptr;
            out[13] = op2::get<0>(pair) + op2::get<1>(pair);
        }",
    );
    let device = emulator(7);
    let order = buffer(&device, "order", &[3u32, 4, 5, 6]);
    let out = buffer(&device, "out", &[0f64; 14]);
    let forty: Vec<u8> = (1..6).flat_map(|i| f64::from(i).to_ne_bytes()).collect();
    let range = [order.address().to_ne_bytes(), 0x0000_0003_0000_0001u64.to_ne_bytes()].concat();
    let pair = [0.25f64.to_ne_bytes(), 8u64.to_ne_bytes()].concat();
    let args = [
        Arg::Bytes(&[1]),
        Arg::Bytes(&[200]),
        Arg::Bytes(&40_000u16.to_ne_bytes()),
        Arg::Bytes(&[7, 8, 9]),
        Arg::Bytes(&1.5f32.to_ne_bytes()),
        Arg::Bytes(&2.5f64.to_ne_bytes()),
        Arg::Bytes(&forty),
        Arg::Bytes(&range),
        Arg::Buffer(None),
        Arg::Bytes(&pair),
        Arg::Buffer(Some(&out)),
    ];
    launch(&device, &source, "sizes", (1, 32, 0), &args).expect("no fault");
    let expected = [1.0, 200.0, 40_000.0, 789.0, 1.5, 2.5, 1.0, 2.0, 3.0, 4.0, 5.0, 45.0, 1.0, 8.25];
    assert_eq!(scalars::<f64>(&device, &out), expected);
}

#[test]
fn one_compiled_text_serves_all_values() {
    needs_cxx!();
    let mut source = source(
        &["strided"],
        "extern \"C\" __global__ void strided(unsigned* x) {
            x[threadIdx.x * STRIDE] = OFFSET + FACTOR * threadIdx.x;
        }",
    );
    source.definitions = vec![
        Definition::Value("STRIDE".into(), 2),
        Definition::Macro("FACTOR".into(), "10".into()),
        Definition::Value("OFFSET".into(), 100),
    ];
    let device = emulator(8);
    for (stride, offset) in [(2, 100), (1, 7)] {
        source.definitions[0] = Definition::Value("STRIDE".into(), stride);
        source.definitions[2] = Definition::Value("OFFSET".into(), offset);
        let x = buffer(&device, "x", &[0u32; 64]);
        launch(&device, &source, "strided", (1, 32, 0), &[Arg::Buffer(Some(&x))]).expect("no fault");
        let mut expected = [0; 64];
        for t in 0..32 {
            expected[t * stride as usize] = offset as u32 + 10 * t as u32;
        }
        assert_eq!(scalars::<u32>(&device, &x), expected);
    }
}

#[test]
fn constants_and_the_functions_of_the_kernel_language_are_there() {
    needs_cxx!();
    let mut source = source(
        &["functions"],
        "extern \"C\" __global__ void functions(double* out, unsigned i) {
            using namespace op2;
            if (threadIdx.x != 0) return;
            out[0] = user::TABLE[i];
            out[1] = op2::cbrt(27.0) + op2::hypot(3.0f, 4.0f) + op2::mul_add(2.0, 3.0, 4.0);
            out[2] = op2::count_ones(0xf0f0ull << i) + 100.0 * op2::leading_zeros(1u << i);
            out[3] = op2::trailing_zeros(8ull << i) + 100.0 * op2::count_ones(~0u);
            out[4] = op2::Limits<double>::infinity();
            out[5] = op2::min(Limits<double>::nan(), 3.0) + op2::rem(-7.0, 4.0);
        }",
    );
    let table = Literal::Array([1.5, 2.5, 3.5].map(Literal::F64).to_vec());
    source.definitions.push(Definition::Constants(vec![("TABLE".into(), table)]));
    let device = emulator(9);
    let out = buffer(&device, "out", &[0f64; 6]);
    let args = [Arg::Buffer(Some(&out)), Arg::Bytes(&1u32.to_ne_bytes())];
    launch(&device, &source, "functions", (1, 32, 0), &args).expect("no fault");
    assert_eq!(scalars::<f64>(&device, &out), [2.5, 18.0, 8.0 + 3000.0, 4.0 + 3200.0, f64::INFINITY, 0.0]);
}
