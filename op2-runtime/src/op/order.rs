//! The order that a mesh gets before the first loop that goes through a map.

use super::Op2;
use super::reorder::{Positions, shape};
use crate::config::Backend;
use crate::data::numbering::inverse;
use crate::desc::LoopDesc;
use crate::device::curve;
use crate::error::{Error, Result};
use crate::mesh::Mesh;
use crate::reorder::{Forecast, MeshShape, NewNumbers, Ordering, Runs};
use crate::report::{OrderingRow, log};

/// The ordering that was asked for, and its outcome.
pub(crate) struct Order {
    wanted: Ordering,
    /// The number of maps when the order was decided last. Later maps are new.
    decided: usize,
    /// The dat of coordinates, if one was named.
    pub(super) positions: Option<Positions>,
    /// One for each component and ordering.
    pub(super) rows: Vec<OrderingRow>,
    pub(super) seconds: f64,
}

impl Order {
    /// The sequential executor is the reference, so nothing is predicted for it.
    pub(super) fn new(wanted: Ordering, backend: Backend) -> Self {
        let keeps = wanted == Ordering::None || (wanted == Ordering::Predicted && backend == Backend::Seq);
        let decided = if keeps { usize::MAX } else { 0 };
        Order { wanted, decided, positions: None, rows: Vec::new(), seconds: 0.0 }
    }

    /// Leaves the order to the user from now on.
    pub(super) fn settle(&mut self) {
        self.decided = usize::MAX;
    }
}

impl Op2 {
    /// Decides about the order of the mesh as [`Config::ordering`](crate::Config::ordering) asks, and renumbers it where that pays.
    /// Without this call it happens in the first loop that goes through a map, or in the first chain. Call it after the
    /// declarations, before a clock starts. Maps that are declared later are decided about in the same way.
    ///
    /// # Errors
    /// As [`Op2::reorder`] for an ordering that was named. A predicted one that cannot be had is left out, and the report says
    /// why; the only error then is [`Error::Device`], if values cannot be brought from the device.
    pub fn prepare(&mut self) -> Result<()> {
        let maps = self.context.mesh.maps.len();
        if self.order.decided >= maps {
            return Ok(());
        }
        if self.order.wanted != Ordering::Predicted {
            return self.reorder(self.order.wanted).map(drop);
        }
        self.entries_arrive()?;
        let decided = std::mem::replace(&mut self.order.decided, maps);
        let shape = MeshShape { decided, ..shape(&self.context) };
        let forecasts = Forecast::of(&shape);
        let pays = forecasts.iter().any(Forecast::pays) || Runs::of(&shape).iter().any(Runs::pays);
        if !pays {
            self.note(&forecasts, &NewNumbers::default(), None);
            return self.note_places();
        }
        match self.number_anew(decided, Ordering::Predicted, None, &|_, _| None) {
            Ok((numbers, ..)) => self.note(&forecasts, &numbers, None),
            Err(error @ (Error::Reorder(_) | Error::NoMemory { .. })) => {
                self.note(&forecasts, &NewNumbers::default(), Some(&error));
            }
            Err(error) => return Err(error),
        }
        self.note_places()
    }

    /// Notes the places of elements along a curve in space, which loops on a device follow. Data keep their places.
    fn note_places(&mut self) -> Result<()> {
        let Some(positions) = self.order.positions.filter(|positions| positions.dim > 1) else { return Ok(()) };
        let set = self.context.mesh.dats[positions.dat].set;
        let has_use = |mesh: &Mesh| mesh.sets[set].places.is_none() && mesh.sets[set].size >= curve::LEAST / 2;
        if self.context.executor.device().is_none() || !has_use(&self.context.mesh) {
            return Ok(());
        }
        if let Some(device) = self.context.executor.device_mut() {
            device.bring_back(&mut self.context.mesh)?;
        }
        let along = positions
            .along_curve(&self.context.mesh)
            .and_then(|order| inverse(&order, || "the order of elements in space".to_owned()).ok());
        if along.is_some() {
            self.context.mesh.sets[set].change().places = along;
            self.numbers_changed();
        }
        Ok(())
    }

    /// Prepares for a loop; returns the error, if there is one. Usually this is one comparison.
    #[inline]
    pub(super) fn prepare_for(&mut self, desc: &LoopDesc) -> Option<Error> {
        if self.order.decided >= self.context.mesh.maps.len() || !desc.goes_through_maps() {
            return None;
        }
        self.prepare().err()
    }

    /// Adds a row to the report for each component that was ordered, or that is so large that its order matters, and for each
    /// map whose elements were sorted. `before` are the forecasts of the components from before.
    pub(super) fn note(&mut self, before: &[Forecast], done: &NewNumbers, refused: Option<&Error>) {
        let shape = shape(&self.context);
        let row = |map: usize, ordering: Ordering, before: &Forecast, after: &Forecast, saved: f64| OrderingRow {
            map: self.context.mesh.maps[map].name.clone(),
            ordering,
            scattered_before: before.scattered,
            scattered_after: after.scattered,
            saved_ms: saved / 1e6,
            note: refused.map(Error::to_string),
        };
        let mut rows = Vec::new();
        for forecast in before {
            let ordering = done.ordered.iter().find(|(map, _)| *map == forecast.lead).map(|(_, ordering)| *ordering);
            if ordering.is_none() && !forecast.could_pay() {
                continue;
            }
            let after = ordering.and_then(|_| Forecast::with(&shape, forecast.lead)).unwrap_or(*forecast);
            let ordering = ordering.unwrap_or(Ordering::None);
            rows.push(row(forecast.lead, ordering, forecast, &after, forecast.gain - after.gain));
        }
        for runs in &done.runs {
            rows.extend(
                Forecast::with(&shape, runs.map).map(|now| row(runs.map, Ordering::Runs, &now, &now, runs.gain)),
            );
        }
        rows.iter().for_each(log::ordered);
        self.order.rows.append(&mut rows);
    }
}
