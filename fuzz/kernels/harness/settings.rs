/// A setting in which a case runs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Setting {
    backend: Backend,
    strategy: Strategy,
    layout: Layout,
    isa: Isa,
    order: Order,
    size: usize,
    flags: u64,
    ahead: bool,
    verify: bool,
    seed: u64,
    device_checks: bool,
}

const ON_THREADS: [Strategy; 15] = [
    Strategy::Predicted,
    Strategy::blocks(1),
    Strategy::blocks(7),
    Strategy::blocks(64),
    Strategy::colours(1),
    Strategy::colours(16),
    Strategy::scatter(13),
    Strategy::tiles(1),
    Strategy::tiles(40),
    Strategy::owner(1),
    Strategy::owner(9),
    Strategy::split(7, 1),
    Strategy::split(40, 2),
    Strategy::split(16, 3),
    Strategy::Auto,
];
const ALONE: [Strategy; 3] =
    [Strategy::Predicted, Strategy::split(7, 2), Strategy::split(40, 3)];
const ON_DEVICE: [Strategy; 13] = [
    Strategy::Predicted,
    Strategy::blocks(7),
    Strategy::blocks(64),
    Strategy::colours(16),
    Strategy::atomics(32),
    Strategy::block_atomics(16),
    Strategy::scatter(32),
    Strategy::tiles(7),
    Strategy::owner(7),
    Strategy::split(16, 9),
    Strategy::split_atomics(16, 9),
    Strategy::split_block_atomics(16, 9),
    Strategy::Auto,
];
const LAYOUTS: [Layout; 3] = [Layout::Aos, Layout::Soa, Layout::Blocked(2)];
const ORDERS: [Order; 5] = [Order::Declared, Order::Shuffled, Order::Gps, Order::Rcm, Order::Hilbert];

impl Setting {
    /// The setting with this number. Each dimension takes all its values in turn, at its own pace.
    pub(crate) fn of(case: &Case, n: usize) -> Self {
        let mut random = Random(case.seed.wrapping_mul(31).wrapping_add(n as u64));
        let turn = case.seed as usize * 5 + n;
        let isas = Isa::available();
        let mut setting = Setting {
            backend: Backend::Threads(1 + turn % 3),
            strategy: random.pick(&ON_THREADS),
            layout: LAYOUTS[random.below(3)],
            isa: isas[turn % isas.len()],
            order: random.pick(&ORDERS),
            size: [7, 8, 6, 5, 8, 4, 3, 2, 1, 0][random.below(10)],
            flags: random.bits() & 7,
            ahead: random.below(3) == 0,
            verify: random.below(8) == 0,
            seed: 1 + random.below(9) as u64,
            device_checks: false,
        };
        if n % 7 == 0 {
            (setting.backend, setting.strategy) = (Backend::Seq, ALONE[random.below(3)]);
        }
        setting
    }

    pub(crate) fn on_device(case: &Case, n: usize) -> Self {
        let mut random = Random(case.seed.wrapping_mul(37).wrapping_add(n as u64));
        let strategy = ON_DEVICE[(case.seed as usize + n) % ON_DEVICE.len()];
        let size = [SMALL, SMALL, 3, 1][random.below(4)];
        // Checks do not change results, since no generated kernel panics.
        let device_checks = random.below(3) == 0;
        Setting { backend: Backend::CudaEmu, strategy, isa: Isa::Scalar, size, device_checks, ..Setting::of(case, n) }
    }

    fn op(&self) -> Op2 {
        let &Setting { backend, strategy, layout, isa, order, ahead, verify, seed, device_checks, .. } = self;
        let config = Config::default().backend(backend).strategy(strategy).layout(layout).isa(isa).short_loops(0);
        let config = config.verify_plans(verify).ahead_from(if ahead { 0 } else { usize::MAX });
        let config = config.emulator(devices::Options { seed, ..Default::default() }).device_checks(device_checks);
        // The path of a program is no folder, so `auto` keeps no decisions from one run to the next.
        let config = config.cache_dir(std::env::current_exe().expect("a case is a program"));
        let config = if order == Order::Shuffled { config.shuffled(seed) } else { config };
        Op2::with(config).expect("the setting is valid")
    }

    /// The setting in one line, dimension by dimension.
    pub(crate) fn text(&self) -> String {
        let Setting { backend, strategy, layout, isa, order, size, flags, ahead, verify, seed, device_checks } = self;
        let executor = format!("{backend:?}");
        let layout = format!("{layout:?}");
        format!(
            "executor={executor} strategy={strategy} layout={layout} isa={isa} order={order:?} size={size} flags={flags} ahead={ahead} verify={verify} seed={seed} device_checks={device_checks}"
        )
    }
}

fn caught<T>(call: impl FnOnce() -> T) -> Result<T, String> {
    static TOLD: Mutex<String> = Mutex::new(String::new());
    std::panic::set_hook(Box::new(|info| *TOLD.lock().unwrap() = info.to_string()));
    catch_unwind(AssertUnwindSafe(call)).map_err(|_| TOLD.lock().unwrap().clone())
}

/// Runs a case in one setting. Returns the number of compared scalars, or the fault.
pub(crate) fn run(case: &Case, setting: &Setting) -> Result<usize, (&'static str, String)> {
    let mesh = Mesh::new(setting.size, setting.flags, setting.order);
    let expected = caught(|| (case.plain)(&mesh)).map_err(|why| ("invalid", why))?;
    let found = caught(|| (case.loops)(&mut setting.op(), &mesh)).map_err(|why| ("panic", why))?;
    let found = found.map_err(|e| ("refused", e.to_string()))?;
    match found.differs(&expected, case.exact) {
        Some(difference) => Err(("differs", difference)),
        None => Ok(found.count()),
    }
}

/// Checks that other instructions and another number of threads give the same bits.
pub(crate) fn same_bits(case: &Case, setting: &Setting, n: usize) -> Result<usize, (&'static str, String)> {
    let isas = Isa::available();
    let Backend::Threads(threads) = setting.backend else { return Ok(0) };
    // A trial may choose another strategy, depending on a clock.
    if setting.strategy == Strategy::Auto {
        return Ok(0);
    }
    let other = Setting { backend: Backend::Threads(1 + threads % 3), isa: isas[n * 3 % isas.len()], ..*setting };
    let mesh = Mesh::new(setting.size, setting.flags, setting.order);
    let on = |setting: &Setting| caught(|| (case.loops)(&mut setting.op(), &mesh)).map_err(|why| ("panic", why));
    let (one, two) = (on(setting)?, on(&other)?);
    let (Ok(one), Ok(two)) = (one, two) else { return Ok(0) };
    match two.differs(&one, true) {
        Some(difference) => Err(("bits", format!("{difference}, against {}", other.text()))),
        None => Ok(two.count()),
    }
}

/// Runs the cases that the command line selects, and prints a line for each run.
pub(crate) fn main(cases: &[(&str, &Case)]) {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let numbers: Vec<usize> = args[0].split(',').map(|n| n.parse().unwrap()).collect();
    let emulated: Vec<usize> = args[1].split(',').filter(|n| !n.is_empty()).map(|n| n.parse().unwrap()).collect();
    for (name, case) in cases.iter().filter(|(name, _)| args.len() < 3 || args[2..].iter().any(|a| a == name)) {
        for &n in &numbers {
            let setting = Setting::of(case, n);
            one(name, n, &setting, false, || run(case, &setting));
            if !case.exact {
                one(name, n, &setting, true, || same_bits(case, &setting, n));
            }
        }
        for &n in &emulated {
            let setting = Setting::on_device(case, n);
            // Devices round some functions differently and run atomics in any order, so the last digits differ.
            if !case.rounded {
                one(name, 1000 + n, &setting, false, || run(case, &setting));
            }
        }
    }
}

fn one(
    name: &str,
    n: usize,
    setting: &Setting,
    bits: bool,
    run: impl FnOnce() -> Result<usize, (&'static str, String)>,
) {
    println!("start {name} {n} {}", setting.text());
    match run() {
        Ok(count) => println!("ok {name} {n} {count} {}", if bits { "bits" } else { "plain" }),
        Err((kind, text)) => println!("bad {name} {n} {kind} {}", text.replace('\n', " ")),
    }
}
