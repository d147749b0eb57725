//! Sequences of launches that repeat, with a driver that has graphs and with others.

use crate::process::{Folder, OLD, add, downloaded, is_parent, part, source, uploaded};
use op2_device::cuda::gpu;
use op2_device::{Arg, Buffer, Device, Launch, Module};

/// Drivers by which the bodies run.
const DRIVERS: [(&str, &[(&str, &str)]); 3] = [("graphs", &[]), ("old", &[OLD]), ("refuses", &[("FAKE_GRAPH", "1")])];

/// Iterations that ask for a result each.
#[test]
fn an_iteration_becomes_one_graph() {
    for (name, variables) in DRIVERS {
        let folder = Folder::new();
        part("repeating::an_iteration_becomes_one_graph", name, &folder, variables, || {
            let gpu = gpu(0).unwrap();
            let module = gpu.load(&source()).unwrap();
            let (x, y) = (uploaded(&*gpu, &[0.0, 0.0]), uploaded(&*gpu, &[0.0]));
            let mut expected = [0.0, 0.0];
            for n in 0..7 {
                // One parameter differs every time, one between the halves.
                add(&*gpu, &module, &x, 1.0, 2).unwrap();
                add(&*gpu, &module, &y, f64::from(n), 1).unwrap();
                add(&*gpu, &module, &x, 10.0, if n < 5 { 1 } else { 2 }).unwrap();
                expected = [expected[0] + 11.0, expected[1] + if n < 5 { 1.0 } else { 11.0 }];
                assert_eq!(downloaded(&*gpu, &x).unwrap(), expected);
            }
            assert_eq!(downloaded(&*gpu, &y).unwrap(), [21.0]);
        });
        if is_parent() {
            let counts = ["launch", "start", "update", "graph", "event"].map(|word| folder.count(word));
            match name {
                // Two iterations show that they repeat.
                "graphs" => assert_eq!(counts, [6, 5, 5, 1, 0], "{:?}", folder.trace()),
                _ => assert_eq!(counts, [21, 0, 0, 0, 0], "{:?}", folder.trace()),
            }
            assert_eq!(folder.count("wait"), 2 + 8 + 3, "uploads, results, and what goes in the end");
            assert_eq!(folder.count("pinned"), usize::from(name != "old"));
        }
    }
}

/// A launch of another kernel, which differs by its number of blocks.
fn shape(gpu: &dyn Device, module: &Module, to: &Buffer, grid: u32) {
    let args = [Arg::Buffer(Some(to))];
    gpu.launch(&Launch { module, kernel: "shape", grid, block: 32, shared: 0, args: &args, values: &[] }).unwrap();
}

#[test]
fn a_program_that_never_waits_has_a_period() {
    let folder = Folder::new();
    part("repeating::a_program_that_never_waits_has_a_period", "all", &folder, &[], || {
        let gpu = gpu(0).unwrap();
        let module = gpu.load(&source()).unwrap();
        let (x, out) = (uploaded(&*gpu, &[0.0; 4]), uploaded(&*gpu, &[0.0; 2]));
        for n in 0..400 {
            shape(&*gpu, &module, &out, 1);
            // Launches that repeat within an iteration.
            for count in 1..=4 {
                add(&*gpu, &module, &x, f64::from(n % 3), count).unwrap();
            }
            shape(&*gpu, &module, &out, 2);
        }
        assert_eq!(downloaded(&*gpu, &x).unwrap(), [4.0, 3.0, 2.0, 1.0].map(|times| times * 399.0));
    });
    if is_parent() {
        let (launches, starts) = (folder.count("launch"), folder.count("start of 12"));
        assert!(launches < 270 && launches + 12 * starts == 2400, "{launches} {starts}");
    }
}

/// An iteration with more launches than a graph takes.
#[test]
fn a_long_iteration_becomes_several_graphs() {
    let folder = Folder::new();
    part("repeating::a_long_iteration_becomes_several_graphs", "all", &folder, &[], || {
        let gpu = gpu(0).unwrap();
        let module = gpu.load(&source()).unwrap();
        let (x, out) = (uploaded(&*gpu, &[0.0]), uploaded(&*gpu, &[0.0; 2]));
        for n in 1..=10 {
            for grid in 1..=100 {
                add(&*gpu, &module, &x, 1.0, 1).unwrap();
                shape(&*gpu, &module, &out, grid);
            }
            assert_eq!(downloaded(&*gpu, &x).unwrap(), [100.0 * f64::from(n)]);
        }
    });
    if is_parent() {
        assert_eq!(["launch", "start of 64", "start of 8"].map(|word| folder.count(word)), [400, 24, 8]);
    }
}

/// Memory that is freed, modules that go, marks, copies and other launches: whatever comes between, all work is done in order.
#[test]
fn whatever_comes_between_work_is_done_in_order() {
    for (name, variables) in DRIVERS {
        let folder = Folder::new();
        part("repeating::whatever_comes_between_work_is_done_in_order", name, &folder, variables, || {
            for seed in 1..60 {
                anything(seed);
            }
        });
        if is_parent() {
            assert_eq!(folder.count("early"), 0, "before the work was done");
            assert!(folder.trace().contains(&"release 0 live 0".to_owned()));
            assert_eq!(folder.count("start") > 1000, name == "graphs", "{}", folder.count("start"));
        }
    }
}

/// Iterations of random loops, and random events between these.
fn anything(seed: u64) {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mut random = move |below: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % below
    };
    let gpu = gpu(0).unwrap();
    let mut module = gpu.load(&source()).unwrap();
    let out = uploaded(&*gpu, &[0.0; 2]);
    let mut all: Vec<(Buffer, f64)> = (0..3).map(|n| (uploaded(&*gpu, &[f64::from(n)]), f64::from(n))).collect();
    let often = 3 + random(60);
    let events = |random: &mut dyn FnMut(u64) -> u64, all: &mut Vec<(Buffer, f64)>, module: &mut Module| {
        if random(often) > 0 {
            return;
        }
        let at = random(3) as usize;
        match random(7) {
            0 => all[at] = (uploaded(&*gpu, &[0.5]), 0.5),
            1 => gpu.wait().unwrap(),
            2 => drop(gpu.mark().unwrap()),
            3 => {
                gpu.upload(&all[at].0, &2.5_f64.to_ne_bytes()).unwrap();
                all[at].1 = 2.5;
            }
            4 => assert_eq!(downloaded(&*gpu, &all[at].0).unwrap(), [all[at].1]),
            5 => shape(&*gpu, module, &out, 7),
            _ => *module = gpu.load(&source()).unwrap(),
        }
    };
    for _ in 0..3 {
        let body: Vec<(usize, u32)> = (0..=random(8)).map(|_| (random(3) as usize, random(3) as u32)).collect();
        let waits = random(2) == 0;
        for n in 0..150 {
            for &(at, grid) in &body {
                let number = (random(3) + n % 2) as f64;
                add(&*gpu, &module, &all[at].0, number, 1).unwrap();
                all[at].1 += number;
                events(&mut random, &mut all, &mut module);
                if grid > 0 {
                    shape(&*gpu, &module, &out, grid);
                }
            }
            if waits {
                assert_eq!(downloaded(&*gpu, &all[0].0).unwrap(), [all[0].1]);
            }
        }
    }
    for (buffer, expected) in &all {
        assert_eq!(downloaded(&*gpu, buffer).unwrap(), [*expected]);
    }
}
