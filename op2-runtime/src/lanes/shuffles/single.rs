//! Rows of `f32`.

/// Loads and stores of a row of 4, and of two rows of 2.
mod pieces {
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

/// Transposes four lanes in each 128 bits: four vectors of rows of 4 become four vectors of components, and the
/// reverse.
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
pub(in crate::lanes) mod sse_f32 {
    use super::pieces::{load, load_pair, store, store_pair};
    use std::arch::x86_64::*;

    #[inline]
    #[target_feature(enable = "sse2")]
    pub(in crate::lanes) unsafe fn take4(rows: &[*const f32; 4]) -> [__m128; 4] {
        // SAFETY: passed on to the caller.
        let [a, b, c, d] = rows.map(|row| unsafe { load(row) });
        shuffle4!([a, b, c, d], _mm_unpacklo_ps, _mm_unpackhi_ps, _mm_shuffle_ps)
    }

    #[inline]
    #[target_feature(enable = "sse2")]
    pub(in crate::lanes) unsafe fn take2(&[r0, r1, r2, r3]: &[*const f32; 4]) -> [__m128; 2] {
        // SAFETY: passed on to the caller.
        let (below, above) = unsafe { (load_pair(r0, r1), load_pair(r2, r3)) };
        [_mm_shuffle_ps::<0b10_00_10_00>(below, above), _mm_shuffle_ps::<0b11_01_11_01>(below, above)]
    }

    #[inline]
    #[target_feature(enable = "sse2")]
    pub(in crate::lanes) unsafe fn put4([a, b, c, d]: [__m128; 4], rows: &[*mut f32; 4]) {
        let pieces = shuffle4!([a, b, c, d], _mm_unpacklo_ps, _mm_unpackhi_ps, _mm_shuffle_ps);
        // SAFETY: passed on to the caller.
        rows.iter().zip(pieces).for_each(|(row, piece)| unsafe { store(*row, piece) });
    }

    #[inline]
    #[target_feature(enable = "sse2")]
    pub(in crate::lanes) unsafe fn put2([a, b]: [__m128; 2], &[r0, r1, r2, r3]: &[*mut f32; 4]) {
        // SAFETY: passed on to the caller.
        unsafe {
            store_pair(r0, r1, _mm_unpacklo_ps(a, b));
            store_pair(r2, r3, _mm_unpackhi_ps(a, b));
        }
    }
}

/// `f32` on 8 lanes by 128 bits, each half of the lanes separately.
pub(in crate::lanes) mod sse_f32_halves {
    use super::sse_f32;
    use std::arch::x86_64::*;

    type Halves = [__m128; 2];

    macro_rules! halves {
        ($($take:ident $put:ident $count:literal;)*) => {$(
            #[inline]
            #[target_feature(enable = "sse2")]
            pub(in crate::lanes) unsafe fn $take(&[a, b, c, d, e, f, g, h]: &[*const f32; 8]) -> [Halves; $count] {
                // SAFETY: passed on to the caller.
                let (below, above) = unsafe { (sse_f32::$take(&[a, b, c, d]), sse_f32::$take(&[e, f, g, h])) };
                std::array::from_fn(|component| [below[component], above[component]])
            }

            #[inline]
            #[target_feature(enable = "sse2")]
            pub(in crate::lanes) unsafe fn $put(vectors: [Halves; $count], &[a, b, c, d, e, f, g, h]: &[*mut f32; 8]) {
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
pub(in crate::lanes) mod avx_f32 {
    use super::pieces::{load, load_pair, store, store_pair};
    use std::arch::x86_64::*;

    #[inline]
    #[target_feature(enable = "avx")]
    pub(in crate::lanes) unsafe fn take4(rows: &[*const f32; 8]) -> [__m256; 4] {
        // SAFETY: passed on to the caller.
        let [r0, r1, r2, r3, r4, r5, r6, r7] = rows.map(|row| unsafe { load(row) });
        let (a, b) = (_mm256_set_m128(r4, r0), _mm256_set_m128(r5, r1));
        let (c, d) = (_mm256_set_m128(r6, r2), _mm256_set_m128(r7, r3));
        shuffle4!([a, b, c, d], _mm256_unpacklo_ps, _mm256_unpackhi_ps, _mm256_shuffle_ps)
    }

    #[inline]
    #[target_feature(enable = "avx")]
    pub(in crate::lanes) unsafe fn take2(rows: &[*const f32; 8]) -> [__m256; 2] {
        let [r0, r1, r2, r3, r4, r5, r6, r7] = *rows;
        // SAFETY: passed on to the caller.
        let [a, b, c, d] = unsafe { [load_pair(r0, r1), load_pair(r2, r3), load_pair(r4, r5), load_pair(r6, r7)] };
        let (below, above) = (_mm256_set_m128(c, a), _mm256_set_m128(d, b));
        [_mm256_shuffle_ps::<0b10_00_10_00>(below, above), _mm256_shuffle_ps::<0b11_01_11_01>(below, above)]
    }

    #[inline]
    #[target_feature(enable = "avx")]
    pub(in crate::lanes) unsafe fn put4([a, b, c, d]: [__m256; 4], rows: &[*mut f32; 8]) {
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
    pub(in crate::lanes) unsafe fn put2([a, b]: [__m256; 2], rows: &[*mut f32; 8]) {
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
pub(in crate::lanes) mod avx512_f32 {
    use super::pieces::{load, load_pair, store, store_pair};
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
    pub(in crate::lanes) unsafe fn take4(rows: &[*const f32; 16]) -> [__m512; 4] {
        // SAFETY: passed on to the caller.
        let every_fourth = |first: usize| [0, 4, 8, 12].map(|lane| unsafe { load(rows[first + lane]) });
        let (a, b) = (join(every_fourth(0)), join(every_fourth(1)));
        let (c, d) = (join(every_fourth(2)), join(every_fourth(3)));
        shuffle4!([a, b, c, d], _mm512_unpacklo_ps, _mm512_unpackhi_ps, _mm512_shuffle_ps)
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(in crate::lanes) unsafe fn take2(rows: &[*const f32; 16]) -> [__m512; 2] {
        // SAFETY: passed on to the caller.
        let pairs = |first: usize| [0, 4, 8, 12].map(|l| unsafe { load_pair(rows[first + l], rows[first + l + 1]) });
        let (below, above) = (join(pairs(0)), join(pairs(2)));
        [_mm512_shuffle_ps::<0b10_00_10_00>(below, above), _mm512_shuffle_ps::<0b11_01_11_01>(below, above)]
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(in crate::lanes) unsafe fn put4([a, b, c, d]: [__m512; 4], rows: &[*mut f32; 16]) {
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
    pub(in crate::lanes) unsafe fn put2([a, b]: [__m512; 2], rows: &[*mut f32; 16]) {
        for (lane, piece) in [(0, _mm512_unpacklo_ps(a, b)), (2, _mm512_unpackhi_ps(a, b))] {
            for (four, part) in parts(piece).into_iter().enumerate() {
                let first = lane + 4 * four;
                // SAFETY: passed on to the caller.
                unsafe { store_pair(rows[first], rows[first + 1], part) };
            }
        }
    }
}
