//! The configuration of a sequence's `Op2`.

use crate::random::Random;
use op2::plan::Hardware;
use op2::{Backend, Config, Isa, Layout, Ordering, Pin, Strategy, devices};
use std::path::Path;

/// The dimensions of a configuration.
#[derive(Debug, Clone, PartialEq)]
pub struct Setup {
    /// The executor.
    pub backend: Backend,
    /// Race resolution of loops without a pin.
    pub strategy: Strategy,
    /// Layout of dats when they are declared.
    pub layout: Layout,
    /// Instructions; `None` for the executor's default.
    pub isa: Option<Isa>,
    /// The order of the mesh; `None` for the default.
    pub ordering: Option<Ordering>,
    /// Seed of random inner numbers, if they are used.
    pub shuffled: Option<u64>,
    /// Whether short loops stay on the calling thread.
    pub short_loops: bool,
    /// Whether plans are verified.
    pub verify: bool,
    /// Whether rows are always prefetched, or never.
    pub ahead: bool,
    /// The kind of machine that plans are predicted for.
    pub hardware: Hardware,
    /// The seed of the emulator's order of threads.
    pub seed: u64,
    /// Whether device code checks for operations that panic.
    pub device_checks: bool,
}

impl Setup {
    /// The simplest configuration, towards which failures are simplified.
    pub fn plain() -> Self {
        Setup {
            backend: Backend::Seq,
            strategy: Strategy::Predicted,
            layout: Layout::Aos,
            isa: None,
            ordering: None,
            shuffled: None,
            short_loops: false,
            verify: false,
            ahead: false,
            hardware: Hardware::FewCores,
            seed: 0,
            device_checks: false,
        }
    }

    /// A random configuration. One in `emulated` is on the emulator; none if that is 0.
    pub fn random(random: &mut Random, emulated: usize) -> Self {
        let on_device = emulated > 0 && random.once_in(emulated);
        let backend = match random.below(5) {
            _ if on_device => Backend::CudaEmu,
            0 => Backend::Seq,
            threads => Backend::Threads(threads),
        };
        Setup {
            backend,
            strategy: strategy(random, on_device),
            layout: layout(random, on_device),
            isa: [None, Some(random.one(&Isa::available()))][random.below(4).min(1)],
            ordering: random.once_in(4).then(|| random.one(&[Ordering::None, Ordering::Rcm, Ordering::Gps])),
            shuffled: random.once_in(3).then(|| random.word() % 100),
            short_loops: random.once_in(4),
            verify: random.once_in(2),
            ahead: random.once_in(3),
            hardware: random.one(&[Hardware::FewCores, Hardware::ManyCores]),
            seed: random.word() % 16,
            device_checks: false,
        }
    }

    /// The configuration for op2. Decisions are kept in `folder`.
    pub fn config(&self, folder: &Path) -> Config {
        let config = Config::default().backend(self.backend).strategy(self.strategy).layout(self.layout);
        let config = config.short_loops(if self.short_loops { 15_000 } else { 0 }).verify_plans(self.verify);
        let config = config.ahead_from(if self.ahead { 0 } else { usize::MAX }).hardware(self.hardware);
        let config = config.emulator(devices::Options { seed: self.seed, ..Default::default() });
        let config = config.device_checks(self.device_checks).cache_dir(folder);
        let config = self.isa.map_or(config.clone(), |isa| config.isa(isa));
        let config = self.shuffled.map_or(config.clone(), |seed| config.shuffled(seed));
        // After the numbers at random, which pin the order.
        self.ordering.map_or(config.clone(), |ordering| config.ordering(ordering))
    }

    /// The configuration as Rust.
    pub fn text(&self) -> String {
        let mut text = format!("Config::default().backend(Backend::{:?})", self.backend);
        let plain = Setup::plain();
        let mut add = |differs: bool, part: String| text.push_str(if differs { &part } else { "" });
        add(self.strategy != plain.strategy, format!(".strategy({})", strategy_text(self.strategy)));
        add(self.layout != plain.layout, format!(".layout(Layout::{:?})", self.layout));
        if let Some(isa) = self.isa {
            add(true, format!(".isa(op2::Isa::{isa:?})"));
        }
        if let Some(seed) = self.shuffled {
            add(true, format!(".shuffled({seed})"));
        }
        if let Some(ordering) = self.ordering {
            add(true, format!(".ordering(op2::Ordering::{ordering:?})"));
        }
        add(!self.short_loops, ".short_loops(0)".into());
        add(self.verify, ".verify_plans(true)".into());
        add(true, format!(".ahead_from({})", if self.ahead { "0" } else { "usize::MAX" }));
        add(true, format!(".hardware(op2::plan::Hardware::{:?})", self.hardware));
        let emulated = self.backend == Backend::CudaEmu;
        let seed = self.seed;
        add(emulated, format!(".emulator(op2::devices::Options {{ seed: {seed}, ..Default::default() }})"));
        add(self.device_checks, ".device_checks(true)".into());
        text
    }

    /// Simpler configurations that differ in one dimension.
    pub fn simpler(&self) -> Vec<Setup> {
        let plain = Setup::plain();
        let mut all = vec![
            plain.clone(),
            Setup { backend: Backend::Seq, ..self.clone() },
            Setup { backend: Backend::Threads(1), ..self.clone() },
            Setup { backend: Backend::Threads(2), ..self.clone() },
            Setup { strategy: plain.strategy, ..self.clone() },
            Setup { layout: plain.layout, ..self.clone() },
            Setup { isa: None, ..self.clone() },
            Setup { isa: Some(Isa::Scalar), ..self.clone() },
            Setup { shuffled: None, ..self.clone() },
            Setup { ordering: None, ..self.clone() },
            Setup { short_loops: false, ..self.clone() },
            Setup { verify: false, ..self.clone() },
            Setup { ahead: false, ..self.clone() },
            Setup { hardware: plain.hardware, ..self.clone() },
            Setup { seed: 0, ..self.clone() },
        ];
        all.retain(|setup| setup.rank() < self.rank());
        all
    }

    /// The complexity of a configuration; less is simpler.
    fn rank(&self) -> u64 {
        let backend = match self.backend {
            Backend::Seq => 0,
            Backend::Threads(n) => n as u64,
            _ => 8,
        };
        let isa = self.isa.map_or(0, |isa| if isa == Isa::Scalar { 1 } else { 2 });
        let flags = [
            self.shuffled.is_some(),
            self.ordering.is_some(),
            self.short_loops,
            self.verify,
            self.ahead,
            self.device_checks,
        ];
        let flags = flags.into_iter().map(u64::from).sum::<u64>();
        let strategy = u64::from(self.strategy != Strategy::Predicted);
        let layout = u64::from(self.layout != Layout::Aos);
        let more = u64::from(self.hardware != Hardware::FewCores) + u64::from(self.seed != 0);
        backend * 100 + isa * 10 + flags + strategy + layout + more
    }
}

/// A random layout. Devices compile for each one, so most are alike there.
pub fn layout(random: &mut Random, on_device: bool) -> Layout {
    if on_device {
        return random.one(&[Layout::Aos, Layout::Aos, Layout::Aos, Layout::Soa, Layout::Soa, Layout::Blocked(2)]);
    }
    match random.below(4) {
        0 | 1 => Layout::Aos,
        2 => Layout::Soa,
        _ => Layout::Blocked(random.below(5) as u8),
    }
}

/// A random strategy. Strategies for devices come only with a device, since other backends refuse them.
pub fn strategy(random: &mut Random, on_device: bool) -> Strategy {
    let size = random.one(&[1, 2, 3, 7, 16, 33, 64, 200]);
    let stages = 1 + random.below(3);
    match random.below(if on_device { 14 } else { 10 }) {
        0 | 1 => Strategy::Predicted,
        2 | 3 => Strategy::blocks(size),
        4 => Strategy::colours(size),
        5 => Strategy::scatter(size),
        6 => Strategy::tiles(size),
        7 => Strategy::owner(size),
        8 => Strategy::split(size, stages),
        9 => Strategy::Auto,
        10 => Strategy::atomics(size),
        11 => Strategy::block_atomics(size),
        12 => Strategy::split_atomics(size, stages),
        _ => Strategy::split_block_atomics(size, stages),
    }
}

/// A random strategy, and on the CPU sometimes instructions.
pub fn pin(random: &mut Random, on_device: bool) -> Pin {
    let strategy = strategy(random, on_device);
    let isa = (!on_device && random.once_in(3)).then(|| random.one(&Isa::available()));
    Pin { strategy, isa }
}

/// A strategy with its instructions as Rust.
pub fn pin_text(Pin { strategy, isa }: Pin) -> String {
    let by = isa.map_or_else(String::new, |isa| format!(".by(op2::Isa::{isa:?})"));
    strategy_text(strategy) + &by
}

/// A strategy as Rust.
pub fn strategy_text(strategy: Strategy) -> String {
    match strategy.to_string().split_once(':') {
        Some((name, numbers)) => format!("Strategy::{}({})", name.replace('-', "_"), numbers.replace(':', ", ")),
        None => format!("Strategy::{strategy:?}"),
    }
}

/// A random ordering.
pub fn ordering(random: &mut Random) -> Ordering {
    match random.below(7) {
        0 => Ordering::None,
        1 => Ordering::Rcm,
        2 => Ordering::Gps,
        3 => Ordering::Hilbert,
        4 => Ordering::Runs,
        _ => Ordering::Metis { block: random.one(&[1, 4, 32]) },
    }
}
