//! Reads clang's assembly for AMD's GPUs: the metadata at its end, which tell what each kernel takes, and the symbols that it leaves open.

use op2_device::Resources;
use std::collections::BTreeSet;

/// Resources of one kernel.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Report {
    pub(super) kernel: String,
    /// Vector registers of a thread, those for accumulation included.
    pub(super) vector: u32,
    /// Registers for accumulation among them.
    pub(super) accumulation: u32,
    /// Scalar registers of a wave.
    pub(super) scalar: u32,
    /// Scalar registers that are kept elsewhere: in lanes of vector registers.
    pub(super) spilled_scalar: u32,
    /// Bytes of a thread that are in memory.
    pub(super) scratch: u32,
    /// Bytes of static shared memory of a block.
    pub(super) shared: u32,
    /// Whether the kernel calls functions that are not there, so that its registers are a guess.
    pub(super) calls: bool,
}

impl Report {
    pub(super) fn resources(&self) -> Resources {
        Resources { registers: self.vector, local: self.scratch, shared: self.shared }
    }
}

/// The reports of an assembly, in its order.
pub(super) fn read(assembly: &str) -> Vec<Report> {
    let mut reports = Vec::new();
    let kernels = assembly.lines().skip_while(|line| *line != "amdhsa.kernels:").skip(1);
    // Keys of kernels are indented by 4; those of their parameters by more.
    for line in kernels.take_while(|line| line.starts_with("  ")) {
        if line.starts_with("  - ") {
            reports.push(Report::default());
        }
        let key = line.strip_prefix("  - .").or_else(|| line.strip_prefix("    ."));
        let (Some(report), Some((key, value))) = (reports.last_mut(), key.and_then(|key| key.split_once(':'))) else {
            continue;
        };
        let value = value.trim();
        let number = || value.parse().unwrap_or(0);
        match key {
            "name" => report.kernel = value.to_owned(),
            "vgpr_count" => report.vector = number(),
            "agpr_count" => report.accumulation = number(),
            "sgpr_count" => report.scalar = number(),
            "sgpr_spill_count" => report.spilled_scalar = number(),
            "private_segment_fixed_size" => report.scratch = number(),
            "group_segment_fixed_size" => report.shared = number(),
            // The stack of a function that is not there has no known size.
            "uses_dynamic_stack" => report.calls = value == "true",
            _ => {}
        }
    }
    reports
}

/// The symbols that code refers to and that the assembly does not define. Nothing else shows them, since nothing is linked.
pub(super) fn open(assembly: &str) -> BTreeSet<&str> {
    let of_name = |c: char| c.is_alphanumeric() || "_.$".contains(c);
    let kinds = ["@rel32@lo", "@gotpcrel32@lo", "@abs32@lo"].into_iter();
    let before = kinds.flat_map(|kind| assembly.match_indices(kind)).map(|(end, _)| &assembly[..end]);
    let named = before.map(|before| &before[before.trim_end_matches(of_name).len()..]);
    // Data have labels, or if they are zeros, a line that reserves room for them.
    let label = |line| Some(str::split_once(line, ':')?.0);
    let room = |line| Some(str::strip_prefix(line, "\t.comm\t")?.split_once(',')?.0);
    let labels: BTreeSet<&str> = assembly.lines().filter_map(|line| room(line).or_else(|| label(line))).collect();
    named.filter(|name| !name.is_empty() && !labels.contains(name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernels_are_found_among_their_parameters() {
        let assembly = "
	.amdgpu_metadata
---
amdhsa.kernels:
  - .agpr_count:     4
    .args:
      - .name:           x
        .offset:         0
        .value_kind:     by_value
    .group_segment_fixed_size: 4096
    .name:           first
    .private_segment_fixed_size: 16
    .sgpr_count:     32
    .sgpr_spill_count: 3
    .uses_dynamic_stack: false
    .vgpr_count:     54
  - .args:           []
    .name:           second
    .uses_dynamic_stack: true
    .vgpr_count:     7
amdhsa.target:   amdgcn-amd-amdhsa--gfx942
";
        let first = Report {
            kernel: "first".into(),
            vector: 54,
            accumulation: 4,
            scalar: 32,
            spilled_scalar: 3,
            scratch: 16,
            shared: 4096,
            calls: false,
        };
        let second = Report { kernel: "second".into(), vector: 7, calls: true, ..Report::default() };
        assert_eq!(read(assembly), [first, second]);
        assert_eq!(read("\ts_endpgm\n"), []);
    }

    #[test]
    fn symbols_without_a_label_are_open() {
        let assembly = "
k:
	s_getpc_b64 s[2:3]
	s_add_u32 s2, s2, op2_sizes@rel32@lo+36
	s_addc_u32 s3, s3, op2_sizes@rel32@hi+44
	s_add_u32 s4, s4, __ocml_pow_f64@rel32@lo+4
	s_add_u32 s6, s6, table@gotpcrel32@lo+4
	s_add_u32 s8, s8, _ZL9op2_panic@rel32@lo+4
	.local	_ZL9op2_panic
	.comm	_ZL9op2_panic,32,16
table:
	.quad	7
";
        assert_eq!(Vec::from_iter(open(assembly)), ["__ocml_pow_f64", "op2_sizes"]);
    }
}
