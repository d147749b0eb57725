//! Names of the user as names of C++: kept wherever C++ allows it, escaped and made unique elsewhere.

use std::collections::HashSet;

use crate::ir::{ConstId, FuncId, Unit, print};

/// Words that have another meaning in the text: keywords of C++ and CUDA, names of the header, and macros
/// of the usual headers of a host compiler.
const RESERVED: &str = "
    alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t char32_t char8_t class
    co_await co_return co_yield compl concept const const_cast consteval constexpr constinit continue decltype
    default delete do double dynamic_cast else enum explicit export extern false float for friend goto if inline int
    long mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected public register
    reinterpret_cast requires return short signed sizeof static static_assert static_cast struct switch template
    this thread_local throw true try typedef typeid typename typeof union unsigned using virtual void volatile
    wchar_t while xor xor_eq threadIdx blockIdx blockDim gridDim warpSize restrict op2 user types Arr Tup Unit
    ArgMin ArgMax Row Closed i8 u8 i16 u16 i32 u32 i64 u64 usize assert errno linux unix signbit isnan isinf isfinite isnormal
    fpclassify isgreater isless isunordered offsetof stdin stdout stderr NULL NAN INFINITY HUGE DOMAIN SING OVERFLOW
    UNDERFLOW PLOSS TLOSS EOF BUFSIZ FILENAME_MAX FOPEN_MAX RAND_MAX EXIT_SUCCESS EXIT_FAILURE CHAR_BIT EDOM ERANGE
    EILSEQ MATH_ERRNO MATH_ERREXCEPT X_TLOSS WNOHANG WUNTRACED";

/// Families of macros, by the start of their names.
const RESERVED_STARTS: &str = "
    OP2_ CUDA FLT_ DBL_ LDBL_ DECIMAL_ INT_ INT8_ INT16_ INT32_ INT64_ UINT_ UINT8_ UINT16_ UINT32_ UINT64_ INTMAX_
    UINTMAX_ INTPTR_ UINTPTR_ SIZE_M PTRDIFF_ LONG_ ULONG_ LLONG_ ULLONG_ SHRT_ USHRT_ CHAR_M SCHAR_ UCHAR_ M_ FP_
    HUGE_ SEEK_ FE_ MB_ CLOCKS_";

/// The identifier of C++ for a name of the user, before it is made unique.
pub(super) fn escaped(name: &str) -> String {
    let name = name.trim_start_matches("r#");
    let mut text = String::new();
    for c in name.chars() {
        match c.is_ascii() {
            true => text.push(c),
            // Compilers differ in the letters that they accept.
            false => text.push_str(&format!("u{:x}", u32::from(c))),
        }
    }
    // C++ reserves names with two underscores, and with one before a capital.
    while text.contains("__") {
        text = text.replace("__", "_");
    }
    if text == "_" {
        text = "unused".to_string();
    } else if text.starts_with('_') {
        text = format!("v{text}");
    }
    let reserved = RESERVED.split_whitespace().any(|word| word == text);
    if reserved || RESERVED_STARTS.split_whitespace().any(|start| text.starts_with(start)) {
        text.push('_');
    }
    text
}

/// The first of `name`, `name_2`, `name_3`, … for which `free` holds.
pub(super) fn unique(name: &str, free: impl Fn(&str) -> bool) -> String {
    let numbered = (2..).map(|n| format!("{}_{n}", name.trim_end_matches('_')));
    std::iter::once(name.to_string()).chain(numbered).find(|n| free(n)).unwrap_or_default()
}

/// The names that a whole unit shares.
pub(super) struct Names {
    /// The kernel's float type parameters.
    pub(super) floats: Vec<String>,
    /// The kernel's const parameters.
    pub(super) lens: Vec<String>,
    /// Of the functions, by [`FuncId`].
    pub(super) funcs: Vec<String>,
    /// Of the constants, by [`FuncId`] and [`ConstId`].
    pub(super) consts: Vec<Vec<String>>,
    taken: HashSet<String>,
}

impl Names {
    pub(super) fn new(unit: &Unit) -> Names {
        let mut names = Names {
            floats: Vec::new(),
            lens: Vec::new(),
            funcs: Vec::new(),
            consts: Vec::new(),
            taken: HashSet::new(),
        };
        let floats = unit.funcs.first().map_or(&[][..], |kernel| &kernel.floats);
        names.floats = floats.iter().map(|name| names.take(&[escaped(&name.to_string())])).collect();
        let lens = unit.funcs.first().map_or(&[][..], |kernel| &kernel.lens);
        names.lens = lens.iter().map(|name| names.take(&[escaped(&name.to_string())])).collect();
        for func in &unit.funcs {
            let name = names.take(&[escaped(&func.name.to_string())]);
            names.funcs.push(name);
        }
        for (f, func) in unit.funcs.iter().enumerate() {
            let own = (0..func.consts.len()).map(|c| names.constant(unit, f, c)).collect();
            names.consts.push(own);
        }
        names.imported(unit);
        names
    }

    /// Whether a name is taken in the whole unit.
    pub(super) fn is_taken(&self, name: &str) -> bool {
        self.taken.contains(name)
    }

    /// The first candidate that is free, or the last one with a number.
    fn take(&mut self, candidates: &[String]) -> String {
        let free = candidates.iter().find(|name| !self.taken.contains(*name)).cloned();
        let last = candidates.last().map_or("", String::as_str);
        let name = free.unwrap_or_else(|| unique(last, |n| !self.taken.contains(n)));
        self.taken.insert(name.clone());
        name
    }

    /// Names a constant by the last segment of its path. If that is taken, by the whole path; if that is taken, too, by function and last
    /// segment, since the same path may lead to another constant in another module.
    fn constant(&mut self, unit: &Unit, f: usize, c: usize) -> String {
        let constant = &unit.funcs[f].consts[c];
        if constant.origin.is_some() {
            return String::new();
        }
        // Instances of one generic function share their constants.
        let instance = unit.funcs[..f].iter().position(|other| other.source == unit.funcs[f].source);
        if let Some(other) = instance {
            return self.consts[other][c].clone();
        }
        let words = constant.words();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let whole = format!("LEN_{}", words.join("_"));
        let last = if constant.is_computed() { whole.as_str() } else { words.last().copied().unwrap_or_default() };
        let way: Vec<&str> = words.iter().filter(|w| !["crate", "self", "super"].contains(w)).copied().collect();
        let candidates = [last.to_string(), way.join("_"), format!("{}_{last}", unit.funcs[f].name)];
        self.take(&candidates.map(|name| escaped(&name)))
    }

    /// Gives constants in the type of a call's result the names that they have in the called function.
    fn imported(&mut self, unit: &Unit) {
        for (f, func) in unit.funcs.iter().enumerate() {
            for c in 0..func.consts.len() {
                let (FuncId(owner), ConstId(id)) = unit.mention(FuncId(f), ConstId(c));
                self.consts[f][c] = self.consts[owner][id].clone();
            }
        }
    }
}

/// The path of a constant as the user wrote it.
pub(super) fn path(unit: &Unit, func: FuncId, id: ConstId) -> String {
    print::tokens(&unit.funcs[func.0].consts[id.0].path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_where_they_can() {
        for name in ["x1", "dx", "GAM", "res_calc", "min", "u8x"] {
            assert_eq!(escaped(name), name);
        }
    }

    #[test]
    fn names_of_others_are_escaped() {
        let expected = [
            ("double", "double_"),
            ("r#union", "union_"),
            ("INFINITY", "INFINITY_"),
            ("DBL_MAX", "DBL_MAX_"),
            ("OP2_X", "OP2_X_"),
            ("a__b", "a_b"),
            ("__shared__", "v_shared_"),
            ("_", "unused"),
            ("größe", "gruf6udfe"),
        ];
        for (name, text) in expected {
            assert_eq!(escaped(name), text);
        }
    }

    #[test]
    fn taken_names_get_numbers() {
        assert_eq!(unique("a", |_| true), "a");
        assert_eq!(unique("a", |name| name != "a" && name != "a_2"), "a_3");
        assert_eq!(unique("int_", |name| name != "int_"), "int_2");
    }
}
