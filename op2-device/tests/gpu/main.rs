//! The GPU device with stand-ins for the driver and for NVRTC (`driver.c`, `nvrtc.c`), and for AMD's libraries: the same with other names.
//! Tests everything that happens on
//! the host, and how the host handles a driver's results. Needs no GPU.
//!
//! The driver is loaded once per process, so every test runs in its own.

#[cfg(not(feature = "cuda"))]
#[test]
fn without_the_feature_it_says_so() {
    assert_eq!(
        op2_device::cuda::gpu(0).map(|_| ()),
        Err(op2_device::Error::NotBuilt { vendor: "CUDA", feature: "cuda" })
    );
}

#[cfg(not(feature = "hip"))]
#[test]
fn without_the_other_feature_it_says_so() {
    let missing = op2_device::Error::NotBuilt { vendor: "HIP", feature: "hip" };
    assert_eq!(op2_device::hip::gpu(0).map(|_| ()), Err(missing));
}

#[cfg(feature = "cuda")]
mod compiling;
#[cfg(feature = "hip")]
mod hip;
#[cfg(feature = "cuda")]
mod missing;
#[cfg(any(feature = "cuda", feature = "hip"))]
mod process;
#[cfg(feature = "cuda")]
mod running;
