//! Reads the assembler's reports on kernels (`ptxas -v`).

use crate::resources::Resources;

/// Resources that a kernel takes, as the compiler reports them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Report {
    /// Its name.
    pub kernel: String,
    /// Registers of a thread.
    pub registers: u32,
    /// Bytes of spilled registers that the kernel's instructions write to local memory.
    pub spill_stores: u32,
    /// Bytes of spilled registers that they read back.
    pub spill_loads: u32,
    /// Bytes of a thread's stack: arrays that are indexed at run time, and spilled registers.
    pub stack: u32,
    /// Bytes of statically allocated shared memory of a block.
    pub shared: u32,
}

impl Report {
    /// The same in the terms of a machine.
    pub fn resources(&self) -> Resources {
        Resources { registers: self.registers, local: self.stack, shared: self.shared }
    }
}

/// The reports in a log. Other lines, such as warnings, are skipped.
pub(super) fn read(log: &str) -> Vec<Report> {
    let mut reports: Vec<Report> = Vec::new();
    for line in log.lines() {
        if let Some((_, rest)) = line.split_once("Compiling entry function '") {
            let kernel = rest.split('\'').next().unwrap_or_default().to_owned();
            reports.push(Report { kernel, ..Report::default() });
        }
        let Some(report) = reports.last_mut() else { continue };
        // Functions that were not inlined follow their kernel, with their own lines.
        report.spill_stores += ahead_of(line, " bytes spill stores").unwrap_or(0);
        report.spill_loads += ahead_of(line, " bytes spill loads").unwrap_or(0);
        let stack = ahead_of(line, " bytes stack frame").max(ahead_of(line, " bytes cumulative stack size"));
        report.stack = report.stack.max(stack.unwrap_or(0));
        report.registers = report.registers.max(ahead_of(line, " registers").unwrap_or(0));
        report.shared += ahead_of(line, " bytes smem").unwrap_or(0);
    }
    reports
}

/// The number directly before these words.
fn ahead_of(line: &str, words: &str) -> Option<u32> {
    let ahead = &line[..line.find(words)?];
    let digits = ahead.len() - ahead.bytes().rev().take_while(u8::is_ascii_digit).count();
    ahead[digits..].parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_gives_a_report_per_kernel() {
        let log = "\
res_calc.cu(12): warning #177-D: variable \"registers\" was declared but never referenced
ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'res_calc_staged' for 'sm_90'
ptxas info    : Function properties for res_calc_staged
ptxas         .     2400 bytes stack frame, 36 bytes spill stores, 40 bytes spill loads
ptxas info    : Function properties for helper
ptxas         .     16 bytes stack frame, 4 bytes spill stores, 8 bytes spill loads
ptxas info    : Used 168 registers, used 1 barriers, 2416 bytes cumulative stack size, 320 bytes smem, 400 bytes cmem[0]
ptxas info    : Compile time = 227.500 ms
ptxas info    : Compiling entry function 'small' for 'sm_90'
ptxas info    : Function properties for small
ptxas         .     0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 10 registers, used 0 barriers
";
        let staged = Report {
            kernel: "res_calc_staged".into(),
            registers: 168,
            spill_stores: 40,
            spill_loads: 48,
            stack: 2416,
            shared: 320,
        };
        let small = Report { kernel: "small".into(), registers: 10, ..Report::default() };
        assert_eq!(read(log), [staged, small]);
        assert_eq!(read(""), []);
        assert_eq!(
            read("ptxas info : Used 99999999999 registers\nCompiling entry function 'x"),
            [Report { kernel: "x".into(), ..Report::default() }]
        );
    }
}
