//! Values of a dat, or entries of a map, that move from one memory of the device to another.

use super::super::DeviceState;
use op2_device::between;
use op2_device::{Arg, Buffer, Result};

/// The values of a dat in the device's memory.
#[derive(Clone, Copy)]
pub(super) struct Values<'a> {
    pub(super) buffer: &'a Buffer,
    pub(super) scalars: usize,
    /// Scalars from one component of an element to the next one.
    pub(super) stride: usize,
    pub(super) components: usize,
}

impl Values<'_> {
    pub(super) fn places(self) -> [u8; 24] {
        between::places(self.scalars, self.stride, self.components)
    }
}

impl DeviceState {
    /// Gives the first `size` elements the values, of scalars of so many bytes, that those in the list have elsewhere, or without one those
    /// with their numbers.
    pub(super) fn move_elements(
        &mut self,
        bytes: usize,
        places: [Values<'_>; 2],
        list: Option<&Buffer>,
        size: usize,
    ) -> Result<()> {
        self.move_by(between::kernels(bytes).gather, places, list, &[Arg::Bytes(&(size as u64).to_ne_bytes())])
    }

    /// The same by another kernel, with what it takes behind the list.
    pub(super) fn move_by(
        &mut self,
        kernel: &str,
        [from, to]: [Values<'_>; 2],
        list: Option<&Buffer>,
        more: &[Arg<'_>],
    ) -> Result<()> {
        if to.scalars == 0 {
            return Ok(());
        }
        let [of_from, of_to] = [from, to].map(Values::places);
        let args = [
            Arg::Buffer(Some(from.buffer)),
            Arg::Bytes(&of_from),
            Arg::Buffer(Some(to.buffer)),
            Arg::Bytes(&of_to),
            Arg::Buffer(list),
        ];
        let kernels = self.between_kernels()?;
        kernels.launch(&*self.device, kernel, self.between.blocks(to.scalars), &[&args, more].concat())
    }
}
