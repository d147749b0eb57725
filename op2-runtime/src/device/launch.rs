//! Launches a prepared loop with the data of one call.

use super::frame::Frame;
use super::prepare::{Prepared, Step};
use super::{DeviceState, Newest};
use crate::mesh::Mesh;
use crate::mesh::bindings::Bindings;
use crate::mesh::handle::Iterates;
use op2_core::Access;
use op2_device::{Arg, Buffer, Launch, Result};

/// The part of a call on which its launches depend.
pub(crate) struct Bound<'a> {
    pub(crate) mesh: &'a Mesh,
    pub(crate) iterates: Iterates,
    pub(crate) bound: &'a Bindings,
}

/// The data of one execution on the device.
pub(crate) struct Arrived {
    views: Vec<Option<Buffer>>,
    /// Where each reduction leaves partial results and result.
    reduced: Vec<Frame>,
}

impl DeviceState {
    /// Sends the values that a loop reads and the device lacks.
    pub(crate) fn arrive(&mut self, call: &Bound<'_>, prepared: &Prepared) -> Result<Arrived> {
        let mut views: Vec<Option<Buffer>> = Vec::with_capacity(prepared.views.len());
        for &dat in &prepared.views {
            views.push(match dat {
                Some(dat) => Some(self.ready(call.mesh, dat, call.needs_values(dat))?),
                None => None,
            });
        }
        self.device.ready(&prepared.module, &prepared.values)?;
        let mut reduced = Vec::with_capacity(prepared.partials.len());
        for (reduction, partials) in call.bound.more.reductions.iter().zip(&prepared.partials) {
            let [result, before] = self.results.place(&*self.device, reduction)?;
            reduced.push(Frame::default().pointer(Some(partials)).address(result).address(before));
        }
        Ok(Arrived { views, reduced })
    }

    /// Launches a loop. If it is timed, marks its start and end, from which the statistics `stats` get its seconds later. If `wait`, waits
    /// for the end and returns the seconds.
    pub(crate) fn run(
        &mut self,
        call: &Bound<'_>,
        prepared: &Prepared,
        arrived: &Arrived,
        stats: usize,
        wait: bool,
    ) -> Result<f64> {
        let emulated = self.device.info().emulated;
        let timed = wait || self.timings.is_due(stats, emulated);
        let from = timed.then(|| self.device.mark()).transpose()?;
        let launched = prepared.steps.iter().try_for_each(|step| call.start(self, prepared, step, arrived));
        if let (Err(_), Some(joining)) = (&launched, &prepared.joining) {
            // Some blocks may have counted themselves. If this fails, too, so does everything else.
            let _ = joining.begin(&*self.device);
        }
        launched?;
        let Some(from) = from else { return Ok(0.0) };
        let to = self.device.mark()?;
        if wait {
            return self.device.seconds(&from, &to);
        }
        self.timings.keep(stats, from, to);
        Ok(0.0)
    }

    /// Notes which side is newer now.
    pub(crate) fn changed(&mut self, call: &Bound<'_>, launched: bool) {
        call.bound.dats.iter().filter(|b| b.access.modifies()).for_each(|bound| self.modified(bound.dat, launched));
    }

    /// The same for one dat that kernels were to modify.
    pub(super) fn modified(&mut self, dat: usize, launched: bool) {
        let newest = &mut self.dats[dat].newest;
        // After a failed launch nobody knows what the device holds; the host still has its values.
        *newest = match (launched, *newest) {
            (false, Newest::Both) => Newest::Host,
            (false, old) => old,
            (true, _) => Newest::Device,
        };
    }

    /// Keeps the results of reductions until they are asked for.
    pub(crate) fn keep_results(&mut self, call: &Bound<'_>, prepared: &Prepared) {
        if prepared.joining.is_some() {
            self.results.keep(&call.bound.more.reductions);
        }
    }
}

impl Bound<'_> {
    /// Whether the loop needs the old values of a dat. Only a loop that writes every element does not.
    fn needs_values(&self, dat: usize) -> bool {
        let mut uses = self.bound.dats.iter().filter(|b| b.dat == dat);
        let whole = matches!(self.iterates, Iterates::Set(_));
        !(whole && uses.all(|b| b.access == Access::Write && b.through.is_none()))
    }

    fn start(
        &self,
        state: &DeviceState,
        prepared: &Prepared,
        step: &Step,
        Arrived { views, reduced }: &Arrived,
    ) -> Result<()> {
        let (module, values) = (&prepared.module, &prepared.values[..]);
        match step {
            Step::Wrapper { kernel, grid, block, shared, frames, parts } => {
                let frames = frames.iter().map(|f| Arg::Bytes(f));
                let views = views.iter().map(|v| Arg::Buffer(v.as_ref()));
                let maps = prepared.maps.iter().map(|m| Arg::Buffer(m.as_ref()));
                let numbers = prepared.numbers.iter().map(|n| Arg::Buffer(n.as_ref()));
                let tables = prepared.tables.iter().map(|n| Arg::Buffer(n.as_ref()));
                let params = self.bound.more.params.iter().map(|p| Arg::Bytes(&p.bytes));
                let reduced =
                    reduced.iter().chain(prepared.joining.as_ref().map(|j| &j.frame)).map(|f| Arg::Bytes(&f.0));
                let combined = if *parts { &prepared.combined[..] } else { &[] };
                let parts = combined.iter().map(|v| Arg::Buffer(prepared.parts[*v].as_ref()));
                let of_mesh = views.chain(maps).chain(numbers).chain(tables);
                let args: Vec<Arg<'_>> = frames.chain(of_mesh).chain(params).chain(reduced).chain(parts).collect();
                let (grid, block, shared) = (*grid, *block, *shared);
                state.device.launch(&Launch { module, kernel, grid, block, shared, args: &args, values })
            }
            Step::Gather { kernel, grid, block, frame, view } => {
                let args = [
                    Arg::Bytes(frame),
                    Arg::Buffer(views[*view].as_ref()),
                    Arg::Buffer(prepared.parts[*view].as_ref()),
                ];
                let (grid, block) = (*grid, *block);
                state.device.launch(&Launch { module, kernel, grid, block, shared: 0, args: &args, values })
            }
        }
    }
}
