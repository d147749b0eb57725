//! Pieces of rows to lanes and back, by the shuffles of x86-64.
//!
//! Rows are put together to vectors in such an order that shuffles inside of 128 bits bring the floats of one component side by
//! side, in the order of the lanes.

/// `f64` on 4 lanes by 128 bits: each half of the lanes alone.
pub(super) mod sse_f64 {
    use std::arch::x86_64::*;

    type Halves = [__m128d; 2];

    #[inline]
    #[target_feature(enable = "sse2")]
    pub(in super::super) unsafe fn take4(rows: &[*const f64; 4]) -> [Halves; 4] {
        // SAFETY: passed on to the caller.
        let ([a, b], [c, d]) = unsafe { (take2(rows), take2(&rows.map(|row| row.add(2)))) };
        [a, b, c, d]
    }

    #[inline]
    #[target_feature(enable = "sse2")]
    pub(in super::super) unsafe fn take2(rows: &[*const f64; 4]) -> [Halves; 2] {
        // SAFETY: passed on to the caller.
        let [r0, r1, r2, r3] = rows.map(|row| unsafe { _mm_loadu_pd(row) });
        [[_mm_unpacklo_pd(r0, r1), _mm_unpacklo_pd(r2, r3)], [_mm_unpackhi_pd(r0, r1), _mm_unpackhi_pd(r2, r3)]]
    }

    #[inline]
    #[target_feature(enable = "sse2")]
    pub(in super::super) unsafe fn put4([a, b, c, d]: [Halves; 4], rows: &[*mut f64; 4]) {
        // SAFETY: passed on to the caller.
        unsafe {
            put2([a, b], rows);
            put2([c, d], &rows.map(|row| row.add(2)));
        }
    }

    #[inline]
    #[target_feature(enable = "sse2")]
    pub(in super::super) unsafe fn put2([a, b]: [Halves; 2], rows: &[*mut f64; 4]) {
        for (half, pair) in rows.chunks_exact(2).enumerate() {
            // SAFETY: passed on to the caller.
            unsafe {
                _mm_storeu_pd(pair[0], _mm_unpacklo_pd(a[half], b[half]));
                _mm_storeu_pd(pair[1], _mm_unpackhi_pd(a[half], b[half]));
            }
        }
    }
}

/// `f64` on 4 lanes by 256 bits.
pub(super) mod avx_f64 {
    use std::arch::x86_64::*;

    #[inline]
    #[target_feature(enable = "avx")]
    pub(in super::super) unsafe fn take4(rows: &[*const f64; 4]) -> [__m256d; 4] {
        // SAFETY: passed on to the caller.
        let ([a, b], [c, d]) = unsafe { (take2(rows), take2(&rows.map(|row| row.add(2)))) };
        [a, b, c, d]
    }

    #[inline]
    #[target_feature(enable = "avx")]
    pub(in super::super) unsafe fn take2(rows: &[*const f64; 4]) -> [__m256d; 2] {
        // SAFETY: passed on to the caller.
        let [r0, r1, r2, r3] = rows.map(|row| unsafe { _mm_loadu_pd(row) });
        let (even, odd) = (_mm256_set_m128d(r2, r0), _mm256_set_m128d(r3, r1));
        [_mm256_unpacklo_pd(even, odd), _mm256_unpackhi_pd(even, odd)]
    }

    #[inline]
    #[target_feature(enable = "avx")]
    pub(in super::super) unsafe fn put4([a, b, c, d]: [__m256d; 4], rows: &[*mut f64; 4]) {
        let (even0, even2) = (_mm256_unpacklo_pd(a, b), _mm256_unpacklo_pd(c, d));
        let (odd0, odd2) = (_mm256_unpackhi_pd(a, b), _mm256_unpackhi_pd(c, d));
        // SAFETY: passed on to the caller.
        unsafe {
            _mm256_storeu_pd(rows[0], _mm256_permute2f128_pd::<0x20>(even0, even2));
            _mm256_storeu_pd(rows[1], _mm256_permute2f128_pd::<0x20>(odd0, odd2));
            _mm256_storeu_pd(rows[2], _mm256_permute2f128_pd::<0x31>(even0, even2));
            _mm256_storeu_pd(rows[3], _mm256_permute2f128_pd::<0x31>(odd0, odd2));
        }
    }

    #[inline]
    #[target_feature(enable = "avx")]
    pub(in super::super) unsafe fn put2([a, b]: [__m256d; 2], rows: &[*mut f64; 4]) {
        let (even, odd) = (_mm256_unpacklo_pd(a, b), _mm256_unpackhi_pd(a, b));
        // SAFETY: passed on to the caller.
        unsafe {
            _mm_storeu_pd(rows[0], _mm256_castpd256_pd128(even));
            _mm_storeu_pd(rows[1], _mm256_castpd256_pd128(odd));
            _mm_storeu_pd(rows[2], _mm256_extractf128_pd::<1>(even));
            _mm_storeu_pd(rows[3], _mm256_extractf128_pd::<1>(odd));
        }
    }
}

/// `f64` on 8 lanes by 512 bits.
pub(super) mod avx512_f64 {
    use std::arch::x86_64::*;

    /// Two rows of 4: `first` below `second`.
    #[inline]
    #[target_feature(enable = "avx512f")]
    unsafe fn pair(first: *const f64, second: *const f64) -> __m512d {
        // SAFETY: passed on to the caller.
        unsafe { _mm512_insertf64x4::<1>(_mm512_castpd256_pd512(_mm256_loadu_pd(first)), _mm256_loadu_pd(second)) }
    }

    /// Four rows of 2.
    #[inline]
    #[target_feature(enable = "avx512f")]
    unsafe fn four(rows: [*const f64; 4]) -> __m512d {
        // SAFETY: passed on to the caller.
        let [r0, r1, r2, r3] = rows.map(|row| unsafe { _mm_loadu_pd(row) });
        _mm512_insertf64x4::<1>(_mm512_castpd256_pd512(_mm256_set_m128d(r1, r0)), _mm256_set_m128d(r3, r2))
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(in super::super) unsafe fn take4(rows: &[*const f64; 8]) -> [__m512d; 4] {
        let [r0, r1, r2, r3, r4, r5, r6, r7] = *rows;
        // SAFETY: passed on to the caller.
        let [a, b, c, d] = unsafe { [pair(r0, r2), pair(r1, r3), pair(r4, r6), pair(r5, r7)] };
        let (low0, low4) = (_mm512_unpacklo_pd(a, b), _mm512_unpacklo_pd(c, d));
        let (high0, high4) = (_mm512_unpackhi_pd(a, b), _mm512_unpackhi_pd(c, d));
        [
            _mm512_shuffle_f64x2::<0b10_00_10_00>(low0, low4),
            _mm512_shuffle_f64x2::<0b10_00_10_00>(high0, high4),
            _mm512_shuffle_f64x2::<0b11_01_11_01>(low0, low4),
            _mm512_shuffle_f64x2::<0b11_01_11_01>(high0, high4),
        ]
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(in super::super) unsafe fn take2(rows: &[*const f64; 8]) -> [__m512d; 2] {
        let [r0, r1, r2, r3, r4, r5, r6, r7] = *rows;
        // SAFETY: passed on to the caller.
        let (even, odd) = unsafe { (four([r0, r2, r4, r6]), four([r1, r3, r5, r7])) };
        [_mm512_unpacklo_pd(even, odd), _mm512_unpackhi_pd(even, odd)]
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(in super::super) unsafe fn put4([a, b, c, d]: [__m512d; 4], rows: &[*mut f64; 8]) {
        let (even0, even2) = (_mm512_unpacklo_pd(a, b), _mm512_unpacklo_pd(c, d));
        let (odd0, odd2) = (_mm512_unpackhi_pd(a, b), _mm512_unpackhi_pd(c, d));
        // The first two floats of a row from one vector, the other two from the other, of two rows at a time.
        let (below, above) =
            (_mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11), _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15));
        let rows02 = _mm512_permutex2var_pd(even0, below, even2);
        let rows46 = _mm512_permutex2var_pd(even0, above, even2);
        let rows13 = _mm512_permutex2var_pd(odd0, below, odd2);
        let rows57 = _mm512_permutex2var_pd(odd0, above, odd2);
        for (first, vector) in [(0, rows02), (1, rows13), (4, rows46), (5, rows57)] {
            // SAFETY: passed on to the caller.
            unsafe {
                _mm256_storeu_pd(rows[first], _mm512_castpd512_pd256(vector));
                _mm256_storeu_pd(rows[first + 2], _mm512_extractf64x4_pd::<1>(vector));
            }
        }
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(in super::super) unsafe fn put2([a, b]: [__m512d; 2], rows: &[*mut f64; 8]) {
        for (first, vector) in [(0, _mm512_unpacklo_pd(a, b)), (1, _mm512_unpackhi_pd(a, b))] {
            let (below, above) = (_mm512_castpd512_pd256(vector), _mm512_extractf64x4_pd::<1>(vector));
            // SAFETY: passed on to the caller.
            unsafe {
                _mm_storeu_pd(rows[first], _mm256_castpd256_pd128(below));
                _mm_storeu_pd(rows[first + 2], _mm256_extractf128_pd::<1>(below));
                _mm_storeu_pd(rows[first + 4], _mm256_castpd256_pd128(above));
                _mm_storeu_pd(rows[first + 6], _mm256_extractf128_pd::<1>(above));
            }
        }
    }
}

/// Reads a row of 4, and two rows of 2, and writes them.
mod single {
    use std::arch::x86_64::*;

    #[inline]
    #[target_feature(enable = "sse2")]
    pub(super) unsafe fn load(row: *const f32) -> __m128 {
        // SAFETY: passed on to the caller.
        unsafe { _mm_loadu_ps(row) }
    }

    #[inline]
    #[target_feature(enable = "sse2")]
    pub(super) unsafe fn load_pair(first: *const f32, second: *const f32) -> __m128 {
        // SAFETY: passed on to the caller; neither instruction asks for an alignment.
        unsafe { _mm_castpd_ps(_mm_loadh_pd(_mm_load_sd(first.cast()), second.cast())) }
    }

    #[inline]
    #[target_feature(enable = "sse2")]
    pub(super) unsafe fn store(row: *mut f32, piece: __m128) {
        // SAFETY: passed on to the caller.
        unsafe { _mm_storeu_ps(row, piece) }
    }

    #[inline]
    #[target_feature(enable = "sse2")]
    pub(super) unsafe fn store_pair(first: *mut f32, second: *mut f32, piece: __m128) {
        // SAFETY: passed on to the caller; neither instruction asks for an alignment.
        unsafe {
            _mm_storel_pd(first.cast(), _mm_castps_pd(piece));
            _mm_storeh_pd(second.cast(), _mm_castps_pd(piece));
        }
    }
}

/// Four lanes at a time, in each 128 bits: rows of 4, which stand in four vectors, to components, and back the same way.
macro_rules! shuffle4 {
    ([$a:ident, $b:ident, $c:ident, $d:ident], $low:ident, $high:ident, $shuffle:ident) => {{
        let (low01, low23, high01, high23) = ($low($a, $b), $low($c, $d), $high($a, $b), $high($c, $d));
        [
            $shuffle::<0b01_00_01_00>(low01, low23),
            $shuffle::<0b11_10_11_10>(low01, low23),
            $shuffle::<0b01_00_01_00>(high01, high23),
            $shuffle::<0b11_10_11_10>(high01, high23),
        ]
    }};
}

/// `f32` on 4 lanes by 128 bits.
pub(super) mod sse_f32 {
    use super::single::{load, load_pair, store, store_pair};
    use std::arch::x86_64::*;

    #[inline]
    #[target_feature(enable = "sse2")]
    pub(in super::super) unsafe fn take4(rows: &[*const f32; 4]) -> [__m128; 4] {
        // SAFETY: passed on to the caller.
        let [a, b, c, d] = rows.map(|row| unsafe { load(row) });
        shuffle4!([a, b, c, d], _mm_unpacklo_ps, _mm_unpackhi_ps, _mm_shuffle_ps)
    }

    #[inline]
    #[target_feature(enable = "sse2")]
    pub(in super::super) unsafe fn take2(&[r0, r1, r2, r3]: &[*const f32; 4]) -> [__m128; 2] {
        // SAFETY: passed on to the caller.
        let (below, above) = unsafe { (load_pair(r0, r1), load_pair(r2, r3)) };
        [_mm_shuffle_ps::<0b10_00_10_00>(below, above), _mm_shuffle_ps::<0b11_01_11_01>(below, above)]
    }

    #[inline]
    #[target_feature(enable = "sse2")]
    pub(in super::super) unsafe fn put4([a, b, c, d]: [__m128; 4], rows: &[*mut f32; 4]) {
        let pieces = shuffle4!([a, b, c, d], _mm_unpacklo_ps, _mm_unpackhi_ps, _mm_shuffle_ps);
        // SAFETY: passed on to the caller.
        rows.iter().zip(pieces).for_each(|(row, piece)| unsafe { store(*row, piece) });
    }

    #[inline]
    #[target_feature(enable = "sse2")]
    pub(in super::super) unsafe fn put2([a, b]: [__m128; 2], &[r0, r1, r2, r3]: &[*mut f32; 4]) {
        // SAFETY: passed on to the caller.
        unsafe {
            store_pair(r0, r1, _mm_unpacklo_ps(a, b));
            store_pair(r2, r3, _mm_unpackhi_ps(a, b));
        }
    }
}

/// `f32` on 8 lanes by 128 bits: each half of the lanes alone.
pub(super) mod sse_f32_halves {
    use super::sse_f32;
    use std::arch::x86_64::*;

    type Halves = [__m128; 2];

    macro_rules! halves {
        ($($take:ident $put:ident $count:literal;)*) => {$(
            #[inline]
            #[target_feature(enable = "sse2")]
            pub(in super::super) unsafe fn $take(&[a, b, c, d, e, f, g, h]: &[*const f32; 8]) -> [Halves; $count] {
                // SAFETY: passed on to the caller.
                let (below, above) = unsafe { (sse_f32::$take(&[a, b, c, d]), sse_f32::$take(&[e, f, g, h])) };
                std::array::from_fn(|component| [below[component], above[component]])
            }

            #[inline]
            #[target_feature(enable = "sse2")]
            pub(in super::super) unsafe fn $put(vectors: [Halves; $count], &[a, b, c, d, e, f, g, h]: &[*mut f32; 8]) {
                // SAFETY: passed on to the caller.
                unsafe {
                    sse_f32::$put(vectors.map(|[below, _]| below), &[a, b, c, d]);
                    sse_f32::$put(vectors.map(|[_, above]| above), &[e, f, g, h]);
                }
            }
        )*};
    }
    halves! {
        take4 put4 4;
        take2 put2 2;
    }
}

/// `f32` on 8 lanes by 256 bits.
pub(super) mod avx_f32 {
    use super::single::{load, load_pair, store, store_pair};
    use std::arch::x86_64::*;

    #[inline]
    #[target_feature(enable = "avx")]
    pub(in super::super) unsafe fn take4(rows: &[*const f32; 8]) -> [__m256; 4] {
        // SAFETY: passed on to the caller.
        let [r0, r1, r2, r3, r4, r5, r6, r7] = rows.map(|row| unsafe { load(row) });
        let (a, b) = (_mm256_set_m128(r4, r0), _mm256_set_m128(r5, r1));
        let (c, d) = (_mm256_set_m128(r6, r2), _mm256_set_m128(r7, r3));
        shuffle4!([a, b, c, d], _mm256_unpacklo_ps, _mm256_unpackhi_ps, _mm256_shuffle_ps)
    }

    #[inline]
    #[target_feature(enable = "avx")]
    pub(in super::super) unsafe fn take2(rows: &[*const f32; 8]) -> [__m256; 2] {
        let [r0, r1, r2, r3, r4, r5, r6, r7] = *rows;
        // SAFETY: passed on to the caller.
        let [a, b, c, d] = unsafe { [load_pair(r0, r1), load_pair(r2, r3), load_pair(r4, r5), load_pair(r6, r7)] };
        let (below, above) = (_mm256_set_m128(c, a), _mm256_set_m128(d, b));
        [_mm256_shuffle_ps::<0b10_00_10_00>(below, above), _mm256_shuffle_ps::<0b11_01_11_01>(below, above)]
    }

    #[inline]
    #[target_feature(enable = "avx")]
    pub(in super::super) unsafe fn put4([a, b, c, d]: [__m256; 4], rows: &[*mut f32; 8]) {
        let pieces = shuffle4!([a, b, c, d], _mm256_unpacklo_ps, _mm256_unpackhi_ps, _mm256_shuffle_ps);
        for (lane, piece) in pieces.into_iter().enumerate() {
            // SAFETY: passed on to the caller.
            unsafe {
                store(rows[lane], _mm256_castps256_ps128(piece));
                store(rows[lane + 4], _mm256_extractf128_ps::<1>(piece));
            }
        }
    }

    #[inline]
    #[target_feature(enable = "avx")]
    pub(in super::super) unsafe fn put2([a, b]: [__m256; 2], rows: &[*mut f32; 8]) {
        for (lane, piece) in [(0, _mm256_unpacklo_ps(a, b)), (2, _mm256_unpackhi_ps(a, b))] {
            // SAFETY: passed on to the caller.
            unsafe {
                store_pair(rows[lane], rows[lane + 1], _mm256_castps256_ps128(piece));
                store_pair(rows[lane + 4], rows[lane + 5], _mm256_extractf128_ps::<1>(piece));
            }
        }
    }
}

/// `f32` on 16 lanes by 512 bits.
pub(super) mod avx512_f32 {
    use super::single::{load, load_pair, store, store_pair};
    use std::arch::x86_64::*;

    #[inline]
    #[target_feature(enable = "avx512f")]
    fn join([a, b, c, d]: [__m128; 4]) -> __m512 {
        let vector = _mm512_castps128_ps512(a);
        let vector = _mm512_insertf32x4::<1>(vector, b);
        _mm512_insertf32x4::<3>(_mm512_insertf32x4::<2>(vector, c), d)
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    fn parts(vector: __m512) -> [__m128; 4] {
        [
            _mm512_castps512_ps128(vector),
            _mm512_extractf32x4_ps::<1>(vector),
            _mm512_extractf32x4_ps::<2>(vector),
            _mm512_extractf32x4_ps::<3>(vector),
        ]
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(in super::super) unsafe fn take4(rows: &[*const f32; 16]) -> [__m512; 4] {
        // SAFETY: passed on to the caller.
        let every_fourth = |first: usize| [0, 4, 8, 12].map(|lane| unsafe { load(rows[first + lane]) });
        let (a, b) = (join(every_fourth(0)), join(every_fourth(1)));
        let (c, d) = (join(every_fourth(2)), join(every_fourth(3)));
        shuffle4!([a, b, c, d], _mm512_unpacklo_ps, _mm512_unpackhi_ps, _mm512_shuffle_ps)
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(in super::super) unsafe fn take2(rows: &[*const f32; 16]) -> [__m512; 2] {
        // SAFETY: passed on to the caller.
        let pairs = |first: usize| [0, 4, 8, 12].map(|l| unsafe { load_pair(rows[first + l], rows[first + l + 1]) });
        let (below, above) = (join(pairs(0)), join(pairs(2)));
        [_mm512_shuffle_ps::<0b10_00_10_00>(below, above), _mm512_shuffle_ps::<0b11_01_11_01>(below, above)]
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(in super::super) unsafe fn put4([a, b, c, d]: [__m512; 4], rows: &[*mut f32; 16]) {
        let pieces = shuffle4!([a, b, c, d], _mm512_unpacklo_ps, _mm512_unpackhi_ps, _mm512_shuffle_ps);
        for (lane, piece) in pieces.into_iter().enumerate() {
            for (four, part) in parts(piece).into_iter().enumerate() {
                // SAFETY: passed on to the caller.
                unsafe { store(rows[lane + 4 * four], part) };
            }
        }
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(in super::super) unsafe fn put2([a, b]: [__m512; 2], rows: &[*mut f32; 16]) {
        for (lane, piece) in [(0, _mm512_unpacklo_ps(a, b)), (2, _mm512_unpackhi_ps(a, b))] {
            for (four, part) in parts(piece).into_iter().enumerate() {
                let first = lane + 4 * four;
                // SAFETY: passed on to the caller.
                unsafe { store_pair(rows[first], rows[first + 1], part) };
            }
        }
    }
}
