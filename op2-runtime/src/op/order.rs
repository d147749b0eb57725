//! The order that a mesh gets before the first loop that goes through a map.

use super::Op2;
use super::reorder::{Positions, shape};
use crate::config::Backend;
use crate::desc::LoopDesc;
use crate::error::{Error, Result};
use crate::reorder::{Forecast, Ordering};
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
        self.order.decided = maps;
        let forecasts = Forecast::of(&shape(&self.context.mesh));
        if !forecasts.iter().any(Forecast::pays) {
            self.note(&forecasts, &[], None);
            return Ok(());
        }
        match self.number_anew(Ordering::Predicted, None, &|_, _| None) {
            Ok((numbers, ..)) => self.note(&forecasts, &numbers.ordered, None),
            Err(error @ (Error::Reorder(_) | Error::NoMemory { .. })) => self.note(&forecasts, &[], Some(&error)),
            Err(error) => return Err(error),
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

    /// Adds a row to the report for each component that was ordered, or that is so large that its order matters. `before` are
    /// its forecasts from before.
    pub(super) fn note(&mut self, before: &[Forecast], ordered: &[(usize, Ordering)], refused: Option<&Error>) {
        let shape = shape(&self.context.mesh);
        for forecast in before {
            let lead = forecast.lead;
            let done = ordered.iter().find(|(map, _)| *map == lead).map(|(_, ordering)| *ordering);
            if done.is_none() && !forecast.could_pay() {
                continue;
            }
            let after = done.and_then(|_| Forecast::with(&shape, lead)).unwrap_or(*forecast);
            let row = OrderingRow {
                map: self.context.mesh.maps[lead].name.clone(),
                ordering: done.unwrap_or(Ordering::None),
                scattered_before: forecast.scattered,
                scattered_after: after.scattered,
                saved_ms: (forecast.gain - after.gain) / 1e6,
                note: refused.map(Error::to_string),
            };
            log::ordered(&row);
            self.order.rows.push(row);
        }
    }
}
