//! The properties of a GPU on which the speed of op2's loops depends: latencies, rates of additions to memory, launches, copies.
//! The model of GPUs takes some of them as constants: its values stand beside those measured.
//!
//! `cargo bench -p op2-benches --bench gpu_constants`, with `-- --json FILE` for programs. Without a GPU it says so
//! and ends, with an error if `OP2_TEST_GPU` is set. The kernels stand in `constants.cu`; each figure is the best of
//! several launches, by the device's own clock unless the row says that the host counts.

use op2_apps::file::write_atomically;
use op2_benches::Outcome;
use op2_device::{Arg, Buffer, Device, Launch, Module, Performance, Source, Target, barrier, copy_gb_per_s, cuda};
use serde::Serialize;
use std::time::Instant;

/// One property.
#[derive(Debug, Serialize)]
struct Row {
    name: String,
    value: f64,
    unit: &'static str,
    /// The figure that the model of GPUs takes for it, if it takes one.
    model: Option<f64>,
}

fn main() -> Outcome {
    let device = match cuda::gpu(0) {
        Ok(device) => device,
        Err(reason) if std::env::var_os("OP2_TEST_GPU").is_some() => return Err(reason.into()),
        Err(reason) => {
            println!("skipped: {reason}");
            return Ok(());
        }
    };
    let mut bench = Bench::new(&*device)?;
    bench.copies()?;
    bench.latencies()?;
    bench.bytes_in_flight()?;
    bench.additions()?;
    bench.launches()?;
    bench.instructions()?;
    println!("{}\n\n| property | value | model | unit |\n| --- | --- | --- | --- |", device.info().name);
    for Row { name, value, unit, model } in &bench.rows {
        let model = model.map_or_else(String::new, |model| format!("{model:.4}"));
        println!("| {name} | {value:.4} | {model} | {unit} |");
    }
    let args: Vec<String> = std::env::args().collect();
    if let Some(path) = args.iter().position(|a| a == "--json").and_then(|at| args.get(at + 1)) {
        write_atomically(path.as_ref(), |out| Ok(serde_json::to_writer_pretty(out, &bench.rows)?))?;
    }
    Ok(())
}

struct Bench<'a> {
    device: &'a dyn Device,
    module: Module,
    /// Memory for results of which nobody asks.
    sink: Buffer,
    multiprocessors: u32,
    /// The model's constants.
    model: Option<Performance>,
    rows: Vec<Row>,
}

/// Threads of a block that loads.
const LOADING: u32 = 128;
const TWO_MEGABYTES: usize = 2 << 20;
const SIXTEEN_MEGABYTES: usize = 16 << 20;

/// A launch: kernel, blocks, threads of each, bytes of shared memory.
struct Shape(&'static str, u32, u32, u32);

impl<'a> Bench<'a> {
    fn new(device: &'a dyn Device) -> Outcome<Self> {
        let kernels = [
            "chase",
            "one_in_flight",
            "adds_f64",
            "adds_f64_in_sectors",
            "adds_f32",
            "adds_f32x4",
            "nothing",
            "cycles",
            "operations_f64",
            "operations_f32",
        ];
        let source = Source {
            target: Target::Cuda,
            name: "constants".to_owned(),
            definitions: vec![],
            text: include_str!("constants.cu").into(),
            kernels: kernels.map(str::to_owned).to_vec(),
        };
        let module = device.load(&source)?;
        let sink = device.allocate("the results of a bench", 256, 8)?;
        let model = device.info().performance;
        let multiprocessors = model.map_or(132, |p| p.multiprocessors);
        Ok(Bench { device, module, sink, multiprocessors, model, rows: Vec::new() })
    }

    fn row(&mut self, name: impl Into<String>, value: f64, unit: &'static str) {
        self.rows.push(Row { name: name.into(), value, unit, model: None });
    }

    /// A row of which the model has a constant, in the same unit.
    fn constant(
        &mut self,
        name: impl Into<String>,
        value: f64,
        unit: &'static str,
        model: impl Fn(&Performance) -> f64,
    ) {
        self.rows.push(Row { name: name.into(), value, unit, model: self.model.as_ref().map(model) });
    }

    fn launch(&self, shape: &Shape, args: &[Arg<'_>]) -> Outcome {
        let &Shape(kernel, grid, block, shared) = shape;
        let module = &self.module;
        Ok(self.device.launch(&Launch { module, kernel, grid, block, shared, args, values: &[] })?)
    }

    /// The least seconds of a launch.
    fn seconds(&self, shape: &Shape, args: &[Arg<'_>]) -> Outcome<f64> {
        let mut best = f64::INFINITY;
        for _ in 0..5 {
            let start = self.device.mark()?;
            self.launch(shape, args)?;
            best = best.min(self.device.seconds(&start, &self.device.mark()?)?);
        }
        Ok(best)
    }

    fn zeros(&self, bytes: usize) -> Outcome<Buffer> {
        let buffer = self.device.allocate("the data of a bench", bytes, 4)?;
        self.device.upload(&buffer, &vec![0; bytes])?;
        Ok(buffer)
    }

    fn copies(&mut self) -> Outcome {
        let copy = copy_gb_per_s(self.device)?;
        self.constant("copy inside the device's memory, read and written", copy, "GB/s", |model| model.bandwidth / 1e9);
        let bytes = vec![1; 256 << 20];
        let mut back = bytes.clone();
        let buffer = self.device.allocate("the data of a bench", bytes.len(), 8)?;
        let [mut up, mut down, mut small] = [f64::INFINITY; 3];
        for _ in 0..3 {
            let start = Instant::now();
            self.device.upload(&buffer, &bytes)?;
            self.device.wait()?;
            up = up.min(start.elapsed().as_secs_f64());
            let start = Instant::now();
            self.device.download(&buffer, &mut back)?;
            down = down.min(start.elapsed().as_secs_f64());
        }
        for _ in 0..100 {
            let start = Instant::now();
            self.device.download(&buffer, &mut back[..8])?;
            small = small.min(start.elapsed().as_secs_f64());
        }
        self.row("upload of pageable memory, host's clock", bytes.len() as f64 / up / 1e9, "GB/s");
        self.row("download to pageable memory, host's clock", bytes.len() as f64 / down / 1e9, "GB/s");
        self.row("download of 8 bytes, host's clock", small * 1e6, "µs");
        Ok(())
    }

    /// A chain of loads over memory that the level 2 cache holds, and over memory that no cache holds.
    fn latencies(&mut self) -> Outcome {
        const STEPS: u32 = 20_000;
        for (name, bytes) in [
            ("latency of a load, 2 MB (L2)", TWO_MEGABYTES),
            ("latency of a load, 16 MB (L2)", SIXTEEN_MEGABYTES),
            ("latency of a load, 1 GB (memory)", 1 << 30),
        ] {
            // One link for each 128 bytes. Steps by the golden ratio spread over the memory.
            let lines = (bytes / 128) as u64;
            let step = (lines as f64 * 0.618_034) as u64 | 1;
            let mut links = vec![0u8; bytes];
            for line in 0..lines {
                let to = ((line + step) % lines * 32) as u32;
                links[line as usize * 128..][..4].copy_from_slice(&to.to_ne_bytes());
            }
            let buffer = self.device.allocate("the data of a bench", bytes, 4)?;
            self.device.upload(&buffer, &links)?;
            let mut best = f64::INFINITY;
            for run in 0..5 {
                // In a large memory, another start means lines that no cache holds yet.
                let [start, steps] = [(lines / 7 * run * 32) as u32, STEPS].map(u32::to_ne_bytes);
                let (links, sink) = (Arg::Buffer(Some(&buffer)), Arg::Buffer(Some(&self.sink)));
                let mark = self.device.mark()?;
                self.launch(&Shape("chase", 1, 32, 0), &[links, Arg::Bytes(&start), Arg::Bytes(&steps), sink])?;
                best = best.min(self.device.seconds(&mark, &self.device.mark()?)?);
            }
            let nanoseconds = best / f64::from(STEPS) * 1e9;
            match bytes {
                TWO_MEGABYTES => self.row(name, nanoseconds, "ns"),
                SIXTEEN_MEGABYTES => self.constant(name, nanoseconds, "ns", |model| model.cache.latency * 1e9),
                _ => self.constant(name, nanoseconds, "ns", |model| model.latency * 1e9),
            }
        }
        Ok(())
    }

    /// The rate of loads, by the bytes that each multiprocessor has in flight; that of the cache, with as many as fit.
    fn bytes_in_flight(&mut self) -> Outcome {
        let large = self.zeros(2 << 30)?;
        for blocks in [1u32, 2, 4, 8, 12, 16] {
            let rate = self.loads(&large, blocks, (220 * 1024 / blocks).min(200 * 1024) & !255)?;
            let in_flight = f64::from(LOADING * blocks) * 16.0 / 1024.0;
            self.row(format!("loads with {in_flight:.0} KiB in flight on each multiprocessor"), rate / 1e9, "GB/s");
        }
        let small = self.zeros(SIXTEEN_MEGABYTES)?;
        let rate = self.loads(&small, 16, 0)?;
        self.constant("loads from the cache, 16 MB (L2)", rate / 1e9, "GB/s", |model| model.cache.bandwidth / 1e9);
        Ok(())
    }

    /// Bytes per second that `blocks` blocks on each multiprocessor load, each of which takes so much shared memory.
    fn loads(&self, data: &Buffer, blocks: u32, shared: u32) -> Outcome<f64> {
        let grid = self.multiprocessors * blocks;
        // So many that large data do not stay in the cache from one launch to the next.
        let count = (1 << 30) / (grid * LOADING * 16);
        let [rounds, units] = [count, (data.bytes() / 16) as u32].map(u32::to_ne_bytes);
        let args = [Arg::Buffer(Some(data)), Arg::Bytes(&rounds), Arg::Bytes(&units), Arg::Buffer(Some(&self.sink))];
        let seconds = self.seconds(&Shape("one_in_flight", grid, LOADING, shared), &args)?;
        Ok(f64::from(grid) * f64::from(LOADING) * 16.0 * f64::from(count) / seconds)
    }

    /// Atomic additions without a result, to neighbouring cells and to cells far apart, in the cache and in memory.
    fn additions(&mut self) -> Outcome {
        const THREADS: u32 = 4 << 20;
        for (kernel, width) in [("adds_f64", 8), ("adds_f64_in_sectors", 8), ("adds_f32", 4), ("adds_f32x4", 4)] {
            for (place, cells) in [("L2", 1u32 << 18), ("memory", 1 << 24)] {
                for (order, spread) in [("neighbours", 1u32), ("far apart", 40_503)] {
                    let data = self.zeros(cells as usize * 4 * width)?;
                    let numbers = [cells, spread].map(u32::to_ne_bytes);
                    let args = [Arg::Buffer(Some(&data)), Arg::Bytes(&numbers[0]), Arg::Bytes(&numbers[1])];
                    let seconds = self.seconds(&Shape(kernel, THREADS / 128, 128, 0), &args)?;
                    let name = format!("`{kernel}`, four values a thread, {place}, {order}");
                    let rate = f64::from(THREADS) * 4.0 / seconds / 1e9;
                    // The model has the rates of values of 8 bytes in the cache; memory is a bound of its own.
                    let of = |values: f64| move |model: &Performance| model.atomics.rate(values) / 1e9;
                    match (kernel, place) {
                        ("adds_f64", "L2") => self.constant(name, rate, "10⁹ values/s", of(1.0)),
                        ("adds_f64_in_sectors", "L2") => self.constant(name, rate, "10⁹ values/s", of(4.0)),
                        _ => self.row(name, rate, "10⁹ values/s"),
                    }
                }
            }
        }
        Ok(())
    }

    fn launches(&mut self) -> Outcome {
        const LAUNCHES: u32 = 2000;
        for (name, grid) in [("one block", 1), ("4 blocks on each multiprocessor", 4 * self.multiprocessors)] {
            let shape = Shape("nothing", grid, 128, 0);
            let [mut host, mut both, mut device] = [f64::INFINITY; 3];
            for _ in 0..3 {
                self.device.wait()?;
                let (start, mark) = (Instant::now(), self.device.mark()?);
                for _ in 0..LAUNCHES {
                    self.launch(&shape, &[])?;
                }
                host = host.min(start.elapsed().as_secs_f64());
                device = device.min(self.device.seconds(&mark, &self.device.mark()?)?);
                both = both.min(start.elapsed().as_secs_f64());
            }
            let each = |seconds: f64| seconds / f64::from(LAUNCHES) * 1e6;
            self.row(format!("launch, {name}, host's clock, without waiting"), each(host), "µs");
            // They repeat, so that most are launches of graphs.
            let behind = format!("launch, {name}, device's clock, one behind the other");
            self.constant(behind, each(device), "µs", |model| model.launch * 1e6);
            let start = Instant::now();
            for _ in 0..LAUNCHES {
                self.launch(&shape, &[])?;
                self.device.wait()?;
            }
            self.row(
                format!("launch, {name}, host's clock, waiting for each"),
                each(start.elapsed().as_secs_f64()),
                "µs",
            );
        }
        let start = Instant::now();
        for _ in 0..LAUNCHES {
            self.device.mark()?;
        }
        self.device.wait()?;
        self.row(
            "event created and recorded, host's clock",
            start.elapsed().as_secs_f64() / f64::from(LAUNCHES) * 1e6,
            "µs",
        );
        Ok(())
    }

    fn instructions(&mut self) -> Outcome {
        const STEPS: u32 = 1000;
        for (kind, name, block) in [
            (0u32, "barrier of 64 threads", 64),
            (0, "barrier of 128 threads", 128),
            (0, "barrier of 256 threads", 256),
            (0, "barrier of 512 threads", 512),
            (1, "load from shared memory that waits for another", 32),
            (2, "addition of doubles to shared memory, 32 threads, each to its own", 32),
            (2, "addition of doubles to shared memory, 128 threads, each to its own", 128),
            (3, "sum of doubles that waits for another, 1 warp", 32),
            (3, "sum of doubles that waits for another, 16 warps", 512),
            (4, "quotient of doubles that waits for another", 32),
            (5, "square root of doubles that waits for another", 32),
            (6, "sum of floats that waits for another", 32),
        ] {
            let [kind, steps] = [kind, STEPS].map(u32::to_ne_bytes);
            let args = [Arg::Bytes(&kind), Arg::Bytes(&steps), Arg::Buffer(Some(&self.sink))];
            let mut best = u32::MAX;
            for _ in 0..5 {
                self.launch(&Shape("cycles", 1, block, 0), &args)?;
                let mut bytes = [0; 4];
                self.device.download(&self.sink, &mut bytes)?;
                best = best.min(u32::from_ne_bytes(bytes));
            }
            let cycles = f64::from(best) / f64::from(STEPS);
            match name.starts_with("barrier") {
                true => self.constant(name, cycles, "cycles", |_| barrier(f64::from(block) / 32.0)),
                false => self.row(name, cycles, "cycles"),
            }
        }
        for kernel in ["operations_f64", "operations_f32"] {
            let steps = 4000u32.to_ne_bytes();
            let grid = self.multiprocessors * 4;
            let args = [Arg::Bytes(&steps), Arg::Buffer(Some(&self.sink))];
            let seconds = self.seconds(&Shape(kernel, grid, 512, 0), &args)?;
            let operations = f64::from(grid) * 512.0 * 16.0 * 4000.0;
            let rate =
                |model: &Performance| if kernel == "operations_f64" { model.doubles } else { model.singles } / 1e12;
            self.constant(format!("`{kernel}`, sums and products apart"), operations / seconds / 1e12, "10¹² /s", rate);
        }
        Ok(())
    }
}
