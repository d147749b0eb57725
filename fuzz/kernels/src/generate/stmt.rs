//! Statements: bindings and assignments.

use super::Gen;
use crate::case::{Len, Scalar, Ty};

impl Gen {
    /// Up to `count` statements, in the scope of the caller.
    pub(super) fn statements(&mut self, count: usize, depth: usize) -> String {
        let mut text = String::new();
        for _ in 0..count {
            if self.here.budget <= 0 {
                break;
            }
            text.push_str(&self.statement(depth));
            text.push('\n');
        }
        text
    }

    pub(super) fn block(&mut self, count: usize, depth: usize) -> String {
        let text = self.scoped(|g| g.statements(count, depth));
        format!("{{ {text} }}")
    }

    fn statement(&mut self, depth: usize) -> String {
        let nested = if depth > 0 { 1 } else { 0 };
        let in_loop = if self.here.loops.is_empty() { 0 } else { 1 };
        let sinks = if self.here.sinks.is_empty() { 0 } else { 1 };
        let returns = if self.here.ret.is_some() { 1 } else { 0 };
        let options = if self.here.read_options.is_empty() { 0 } else { 1 };
        let maybes = if self.here.maybes.is_empty() { 0 } else { 1 };
        let maybe_tables = if self.here.maybe_tables.is_empty() { 0 } else { 1 };
        let rows = if self.here.rows.is_empty() { 0 } else { 1 };
        let row_sinks = if self.here.row_sinks.is_empty() { 0 } else { 1 };
        let indices = if self.here.anchors.is_empty() { 0 } else { 1 };
        let weights = [
            16,
            6,
            3 * nested,
            4,
            4,
            14,
            12,
            10 * nested,
            9 * nested,
            3 * nested,
            3 * nested,
            6 * in_loop,
            16 * sinks,
            5 * options,
            4,
            5,
            2 * returns,
            2 * nested,
            4 * nested,
            5 * nested,
            3,
            4,
            8 * nested,
            2,
            4,
            6,
            4 * (in_loop | returns),
            6 * maybes,
            14 * rows,
            10 * row_sinks,
            8 * indices,
            3 * indices * nested,
            8 * maybe_tables,
        ];
        match self.r.weighted(&weights) {
            0 => self.let_scalar(2),
            1 => self.let_value(),
            2 => self.late(),
            3 => self.pattern(),
            4 => self.let_reference(),
            5 => self.assign(),
            6 => self.compound(),
            7 => self.branch(depth),
            8 => self.for_loop(depth),
            9 => self.while_loop(depth),
            10 => self.endless(depth),
            11 => self.leave(),
            12 => self.contribute(),
            13 => self.ask_option(depth),
            14 => self.lend_exclusively(),
            15 => self.call_changing(),
            16 => self.leave_function(),
            17 => self.guarded_index(depth),
            19 => self.matching(depth),
            20 => self.let_match(),
            21 => self.array_pattern(),
            22 => self.for_each(depth),
            23 => self.assertion(),
            24 => self.record_pattern(),
            25 => self.change_by_method().unwrap_or_else(|| self.let_scalar(2)),
            27 => self.ask_entry(depth).unwrap_or_else(|| self.let_scalar(2)),
            28 => self.over_row(depth),
            29 => self.add_to_row(),
            30 => self.ask_index(depth).unwrap_or_else(|| self.let_scalar(2)),
            31 => self.walk(depth).unwrap_or_else(|| self.let_scalar(2)),
            32 => self.ask_table(depth).unwrap_or_else(|| self.let_scalar(2)),
            26 => self.or_leave().unwrap_or_else(|| self.let_scalar(2)),
            _ => {
                self.mark("block");
                self.block(2, depth - 1)
            }
        }
    }

    /// An assertion that holds. Its values compute without blocks and calls, which might change something.
    fn assertion(&mut self) -> String {
        self.mark("debug_assert!");
        let s = self.int();
        let [a, b] = [0, 1].map(|_| {
            let text = self.expr(&Ty::Scalar(s), 0, true);
            if text.contains(['{', '&']) || text.contains("fun") { format!("7_{}", s.name()) } else { text }
        });
        match self.r.below(3) {
            0 => format!("debug_assert!(({a}).min({b}) <= {a}, \"no less than {{}}\", {b});"),
            1 => format!("debug_assert_eq!({a} < {b}, {b} > {a});"),
            _ => format!("debug_assert_ne!({a} < {b}, {b} <= {a});"),
        }
    }

    /// A scalar local.
    pub(super) fn let_scalar(&mut self, depth: usize) -> String {
        let ty = Ty::Scalar(self.scalar());
        self.binding(&ty, depth)
    }

    fn let_value(&mut self) -> String {
        // A type that has an alias is rare among all.
        let ty = if self.r.chance(5) { Ty::Array(Box::new(Ty::Scalar(Scalar::F64)), Len::Named) } else { self.ty(2) };
        self.binding(&ty, 2)
    }

    fn binding(&mut self, ty: &Ty, depth: usize) -> String {
        let mutable = self.r.chance(45);
        let stated = self.r.chance(45);
        self.mark(if stated { "let with its type" } else { "let" });
        // The new name is not in scope of its own value.
        let value = self.expr(ty, depth, !stated);
        let name = self.name();
        self.declare(&name, ty, mutable);
        let keyword = if mutable { "let mut" } else { "let" };
        if stated {
            format!("{keyword} {name}: {} = {value};", self.alias(ty))
        } else {
            format!("{keyword} {name} = {value};")
        }
    }

    /// A type, under another name if it has one.
    fn alias(&mut self, ty: &Ty) -> String {
        match ty {
            Ty::Array(of, Len::Named) if **of == Ty::Scalar(Scalar::F64) => {
                self.mark("alias");
                "Row".to_owned()
            }
            Ty::Array(of, Len::Lit(2)) if matches!(**of, Ty::Scalar(s) if s.is_float()) => {
                self.mark("generic alias");
                format!("Twin<{of}>")
            }
            ty => ty.to_string(),
        }
    }

    /// A local that is assigned in branches after its declaration.
    fn late(&mut self) -> String {
        self.mark("late value");
        let ty = self.scalar_or_index();
        let condition = self.condition(2);
        let mut side = || {
            self.scoped(|g| {
                let first = g.statements(1, 0);
                let value = g.expr(&ty, 2, true);
                format!("{first} LATE = {value};")
            })
        };
        let (then, other) = (side(), side());
        self.here.names += 1;
        let name = format!("v{}", self.here.names);
        let (then, other) = (then.replace("LATE", &name), other.replace("LATE", &name));
        self.declare(&name, &ty, false);
        format!("let {name}; if {condition} {{ {then} }} else {{ {other} }}")
    }

    fn pattern(&mut self) -> String {
        self.mark("pattern");
        let count = 2 + self.r.below(2);
        let parts: Vec<Ty> = (0..count).map(|_| self.ty(1)).collect();
        let value = self.expr(&Ty::Tuple(parts.clone()), 2, true);
        let names: Vec<String> = parts.iter().map(|part| self.sub_pattern(part)).collect();
        format!("let ({}) = {value};", names.join(", "))
    }

    fn sub_pattern(&mut self, ty: &Ty) -> String {
        if self.r.chance(12) {
            return "_".to_owned();
        }
        if let Ty::Tuple(parts) = ty
            && self.r.chance(60)
        {
            let names: Vec<String> = parts.iter().map(|part| self.sub_pattern(part)).collect();
            return format!("({})", names.join(", "));
        }
        // Names in one pattern must differ.
        self.here.names += 1;
        let name = format!("v{}", self.here.names);
        self.declare(&name, ty, false);
        name
    }

    /// A reference to something that is never assigned.
    fn let_reference(&mut self) -> String {
        let vars: Vec<_> = self.visible().into_iter().filter(|v| !v.mutable && !v.open).collect();
        let whole = |ty: &Ty| !matches!(ty, Ty::Ref(..));
        let vars: Vec<_> = vars.into_iter().filter(|v| v.below.is_none()).collect();
        if vars.is_empty() {
            return self.let_scalar(2);
        }
        self.mark("reference");
        let var = self.r.pick(&vars).clone();
        let (text, ty) = match &var.ty {
            Ty::Ref(_, of) => match &**of {
                Ty::Array(item, len) if whole(item) => {
                    let at = self.r.below(len.number());
                    (format!("&{}[{at}]", var.name), (**item).clone())
                }
                of => (format!("&*{}", var.name), of.clone()),
            },
            Ty::Array(item, len) => match &**item {
                Ty::Ref(false, of) => (format!("{}[{}]", var.name, self.r.below(len.number())), (**of).clone()),
                item => (format!("&{}[{}]", var.name, self.r.below(len.number())), item.clone()),
            },
            ty => (format!("&{}", var.name), ty.clone()),
        };
        if ty.is_reference() {
            return self.let_scalar(2);
        }
        let name = self.name();
        self.declare(&name, &Ty::Ref(false, Box::new(ty)), false);
        format!("let {name} = {text};")
    }

    /// An index that is usually the same for all elements, because a reference by one that varies prevents a kernel in
    /// lanes.
    fn still(&mut self, len: usize) -> String {
        if self.r.chance(85) { self.r.below(len).to_string() } else { self.index(len) }
    }

    pub(super) fn assign(&mut self) -> String {
        let Some((place, ty)) = self.place(false) else { return self.let_scalar(2) };
        self.mark(if matches!(ty, Ty::Scalar(_)) { "assignment" } else { "assignment of a whole value" });
        format!("{place} = {};", self.expr(&ty, 3, false))
    }

    fn compound(&mut self) -> String {
        let Some((place, ty)) = self.place(true) else { return self.let_scalar(2) };
        let Ty::Scalar(s) = ty else { return self.let_scalar(2) };
        self.mark("compound assignment");
        let value = |g: &mut Self| g.expr(&ty, 2, false);
        if s == Scalar::Bool {
            return format!("{place} {}= {};", self.r.clone_pick(&["&", "|", "^"]), value(self));
        }
        if s.is_float() {
            return format!("{place} {}= {};", self.r.clone_pick(&["+", "-", "*", "/", "%", "+"]), value(self));
        }
        match self.r.below(3) {
            0 => format!("{place} {}= {};", self.r.clone_pick(&["+", "-", "*", "&", "|", "^"]), value(self)),
            1 => format!("{place} {}= ({} & 7) + 1;", self.r.clone_pick(&["/", "%"]), value(self)),
            _ => {
                let (op, most) = (self.r.clone_pick(&["<<", ">>"]), s.narrow().unwrap_or(16) - 1);
                format!("{place} {op}= {} & {most};", self.expr(&Ty::Scalar(Scalar::U32), 1, true))
            }
        }
    }

    /// An exclusive reference to a part of a local, in its own block.
    fn lend_exclusively(&mut self) -> String {
        let vars: Vec<_> = self.visible().into_iter().filter(|v| v.mutable).collect();
        if vars.is_empty() {
            return self.let_scalar(2);
        }
        let var = self.r.pick(&vars).clone();
        let (text, ty) = match &var.ty {
            Ty::Ref(true, of) => match &**of {
                Ty::Array(item, len) => (format!("&mut {}[{}]", var.name, self.still(len.number())), (**item).clone()),
                of => (format!("&mut *{}", var.name), of.clone()),
            },
            Ty::Array(item, len) if !item.is_reference() => {
                (format!("&mut {}[{}]", var.name, self.still(len.number())), (**item).clone())
            }
            Ty::Array(..) => return self.assign(),
            ty => (format!("&mut {}", var.name), ty.clone()),
        };
        self.mark("exclusive reference");
        self.here.frozen.push(var.name.clone());
        let inside = self.scoped(|g| {
            g.here.names += 1;
            let name = format!("r{}", g.here.names);
            g.declare(&name, &Ty::Ref(true, Box::new(ty)), true);
            let more = g.statements(1, 0);
            format!("let {name} = {text}; {more} {}", g.assign())
        });
        self.here.frozen.pop();
        format!("{{ {inside} }}")
    }
}
