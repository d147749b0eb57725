//! Rows of `f64`.

/// `f64` on 4 lanes by 128 bits, each half of the lanes separately.
pub(in crate::lanes) mod sse_f64 {
    use std::arch::x86_64::*;

    type Halves = [__m128d; 2];

    #[inline]
    #[target_feature(enable = "sse2")]
    pub(in crate::lanes) unsafe fn take4(rows: &[*const f64; 4]) -> [Halves; 4] {
        // SAFETY: passed on to the caller.
        let ([a, b], [c, d]) = unsafe { (take2(rows), take2(&rows.map(|row| row.add(2)))) };
        [a, b, c, d]
    }

    #[inline]
    #[target_feature(enable = "sse2")]
    pub(in crate::lanes) unsafe fn take2(rows: &[*const f64; 4]) -> [Halves; 2] {
        // SAFETY: passed on to the caller.
        let [r0, r1, r2, r3] = rows.map(|row| unsafe { _mm_loadu_pd(row) });
        [[_mm_unpacklo_pd(r0, r1), _mm_unpacklo_pd(r2, r3)], [_mm_unpackhi_pd(r0, r1), _mm_unpackhi_pd(r2, r3)]]
    }

    #[inline]
    #[target_feature(enable = "sse2")]
    pub(in crate::lanes) unsafe fn put4([a, b, c, d]: [Halves; 4], rows: &[*mut f64; 4]) {
        // SAFETY: passed on to the caller.
        unsafe {
            put2([a, b], rows);
            put2([c, d], &rows.map(|row| row.add(2)));
        }
    }

    #[inline]
    #[target_feature(enable = "sse2")]
    pub(in crate::lanes) unsafe fn put2([a, b]: [Halves; 2], rows: &[*mut f64; 4]) {
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
pub(in crate::lanes) mod avx_f64 {
    use std::arch::x86_64::*;

    #[inline]
    #[target_feature(enable = "avx")]
    pub(in crate::lanes) unsafe fn take4(rows: &[*const f64; 4]) -> [__m256d; 4] {
        // SAFETY: passed on to the caller.
        let ([a, b], [c, d]) = unsafe { (take2(rows), take2(&rows.map(|row| row.add(2)))) };
        [a, b, c, d]
    }

    #[inline]
    #[target_feature(enable = "avx")]
    pub(in crate::lanes) unsafe fn take2(rows: &[*const f64; 4]) -> [__m256d; 2] {
        // SAFETY: passed on to the caller.
        let [r0, r1, r2, r3] = rows.map(|row| unsafe { _mm_loadu_pd(row) });
        let (even, odd) = (_mm256_set_m128d(r2, r0), _mm256_set_m128d(r3, r1));
        [_mm256_unpacklo_pd(even, odd), _mm256_unpackhi_pd(even, odd)]
    }

    #[inline]
    #[target_feature(enable = "avx")]
    pub(in crate::lanes) unsafe fn put4([a, b, c, d]: [__m256d; 4], rows: &[*mut f64; 4]) {
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
    pub(in crate::lanes) unsafe fn put2([a, b]: [__m256d; 2], rows: &[*mut f64; 4]) {
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
pub(in crate::lanes) mod avx512_f64 {
    use std::arch::x86_64::*;

    /// Two rows of 4: `first` in the lower half, `second` in the upper.
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
    pub(in crate::lanes) unsafe fn take4(rows: &[*const f64; 8]) -> [__m512d; 4] {
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
    pub(in crate::lanes) unsafe fn take2(rows: &[*const f64; 8]) -> [__m512d; 2] {
        let [r0, r1, r2, r3, r4, r5, r6, r7] = *rows;
        // SAFETY: passed on to the caller.
        let (even, odd) = unsafe { (four([r0, r2, r4, r6]), four([r1, r3, r5, r7])) };
        [_mm512_unpacklo_pd(even, odd), _mm512_unpackhi_pd(even, odd)]
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(in crate::lanes) unsafe fn put4([a, b, c, d]: [__m512d; 4], rows: &[*mut f64; 8]) {
        let (even0, even2) = (_mm512_unpacklo_pd(a, b), _mm512_unpacklo_pd(c, d));
        let (odd0, odd2) = (_mm512_unpackhi_pd(a, b), _mm512_unpackhi_pd(c, d));
        // For two rows at a time: their first two floats come from one vector, the other two from the other.
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
    pub(in crate::lanes) unsafe fn put2([a, b]: [__m512d; 2], rows: &[*mut f64; 8]) {
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
