//! The bandwidth of a device's memory, to which loops are compared.

use crate::device::{Arg, Device, Launch};
use crate::error::Result;
use crate::language::language;
use crate::source::{Definition, Source};

const BLOCK: u32 = 256;
/// Bytes of each array: far more than any cache holds.
const BYTES: usize = 512 << 20;
const UNIT: usize = 16;
/// Copies that are timed; the fastest counts.
const COPIES: usize = 10;

/// Bytes read and written per second by a copy, in 1e9.
///
/// # Errors
/// Those of the device and of its compiler.
pub fn copy_gb_per_s(device: &dyn Device) -> Result<f64> {
    let target = device.info().target;
    let source = Source {
        target,
        name: "copy".to_owned(),
        definitions: vec![Definition::Value("OP2_BLOCK".to_owned(), BLOCK.into())],
        text: language(target).copy.into(),
        kernels: vec!["copy".to_owned()],
    };
    let module = device.load(&source)?;
    let from = device.allocate("the source of a copy", BYTES, UNIT / 2)?;
    let to = device.allocate("the target of a copy", BYTES, UNIT / 2)?;
    let units = ((BYTES / UNIT) as u64).to_ne_bytes();
    let args = [Arg::Buffer(Some(&from)), Arg::Buffer(Some(&to)), Arg::Bytes(&units)];
    let grid = (BYTES / UNIT).div_ceil(BLOCK as usize) as u32;
    let values = source.values();
    let launch =
        Launch { module: &module, kernel: "copy", grid, block: BLOCK, shared: 0, args: &args, values: &values };
    let mut best = f64::INFINITY;
    for _ in 0..COPIES {
        let start = device.mark()?;
        device.launch(&launch)?;
        best = best.min(device.seconds(&start, &device.mark()?)?);
    }
    Ok(2.0 * BYTES as f64 / best / 1e9)
}
