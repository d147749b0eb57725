//! An interpreter of the IR with Rust's meaning, to compare the IR with the function it came from.
//! It panics where a kernel would: that is a failed test.

use std::collections::HashMap;

use op2_codegen::ir::{
    AssocConst, Best, Binary, Block, Expr, ExprKind, Func, Lit, Loop, LoopId, LoopKind, Pat, Scalar, Stmt, Ty, Unary,
    Unit,
};

use crate::scalar;
use crate::value::{Place, Value};

/// A jump out of a block.
enum Flow {
    Break(LoopId),
    Continue(LoopId),
    Return(Value),
}

type Eval = Result<Value, Flow>;

/// Runs the functions of a unit.
pub(crate) struct Interp<'a> {
    unit: &'a Unit,
    consts: &'a HashMap<&'static str, Value>,
    /// The type of the unit's type parameter.
    float: Scalar,
    /// Frame 0 holds the arguments, the others the locals of the calls in progress.
    frames: Vec<Vec<Value>>,
}

impl<'a> Interp<'a> {
    pub(crate) fn new(unit: &'a Unit, consts: &'a HashMap<&'static str, Value>, float: Scalar) -> Self {
        Interp { unit, consts, float, frames: Vec::new() }
    }

    /// Runs the first function; the result, and the arguments as they are afterwards.
    pub(crate) fn run(mut self, args: Vec<Value>) -> (Value, Vec<Value>) {
        self.frames.push(args);
        let func = &self.unit.funcs[0];
        let values = (0..func.params.len())
            .map(|slot| self.bind(&func.params[slot].ty, Place { frame: 0, slot, path: vec![] }))
            .collect();
        let result = self.call(func, values);
        (result, self.frames.swap_remove(0))
    }

    /// The value of a parameter whose target lies at `place`.
    fn bind(&mut self, ty: &Ty, place: Place) -> Value {
        if self.load(&place) == Value::Absent {
            return Value::Absent;
        }
        match ty {
            Ty::Ref(..) => Value::Ref(place),
            Ty::Option(inner) => self.bind(inner, place),
            Ty::Array(inner, _) if matches!(**inner, Ty::Ref(..)) => {
                let Value::Array(items) = self.load(&place) else { panic!("array expected") };
                let part = |i| Place { path: [place.path.clone(), vec![i]].concat(), ..place };
                Value::Array((0..items.len()).map(|i| self.bind(inner, part(i))).collect())
            }
            _ => self.load(&place),
        }
    }

    fn load(&mut self, place: &Place) -> Value {
        self.frames[place.frame][place.slot].at(&place.path).clone()
    }

    fn store(&mut self, place: &Place, value: Value) {
        *self.frames[place.frame][place.slot].at(&place.path) = value;
    }

    fn call(&mut self, func: &'a Func, args: Vec<Value>) -> Value {
        assert_eq!(args.len(), func.params.len());
        let mut frame = vec![Value::Unit; func.locals.len()];
        for (param, arg) in func.params.iter().zip(args) {
            frame[param.local.0] = arg;
        }
        self.frames.push(frame);
        let result = match self.block(func, &func.body) {
            Ok(value) | Err(Flow::Return(value)) => value,
            Err(_) => panic!("jump out of a function"),
        };
        self.frames.pop();
        result
    }

    fn block(&mut self, f: &'a Func, block: &'a Block) -> Eval {
        for stmt in &block.stmts {
            match stmt {
                Stmt::Let { pat, init: Some(init) } => {
                    let value = self.expr(f, init)?;
                    self.assign_pat(pat, value);
                }
                Stmt::Let { init: None, .. } => {}
                Stmt::Expr(e) => {
                    self.expr(f, e)?;
                }
            }
        }
        block.tail.as_ref().map_or(Ok(Value::Unit), |tail| self.expr(f, tail))
    }

    fn set_local(&mut self, slot: usize, value: Value) {
        let frame = self.frames.len() - 1;
        self.frames[frame][slot] = value;
    }

    fn assign_pat(&mut self, pat: &Pat, value: Value) {
        match (pat, value) {
            (Pat::Wild, _) => {}
            (Pat::Local(id), value) => self.set_local(id.0, value),
            (Pat::Tuple(parts), Value::Tuple(values)) => {
                parts.iter().zip(values).for_each(|(p, v)| self.assign_pat(p, v));
            }
            (_, value) => panic!("pattern against {value:?}"),
        }
    }

    /// The place that an expression names; a value without place gets a temporary.
    fn place(&mut self, f: &'a Func, e: &'a Expr) -> Result<Place, Flow> {
        let part = |mut place: Place, i| {
            place.path.push(i);
            place
        };
        Ok(match &e.kind {
            ExprKind::Local(id) => Place { frame: self.frames.len() - 1, slot: id.0, path: Vec::new() },
            ExprKind::Field(a, i) => part(self.place(f, a)?, *i),
            ExprKind::Index(a, i) => {
                let place = self.place(f, a)?;
                part(place, self.expr(f, i)?.index())
            }
            ExprKind::Deref(a) => match self.expr(f, a)? {
                Value::Ref(place) => place,
                other => panic!("dereference of {other:?}"),
            },
            _ => {
                let value = self.expr(f, e)?;
                let frame = self.frames.len() - 1;
                self.frames[frame].push(value);
                Place { frame, slot: self.frames[frame].len() - 1, path: Vec::new() }
            }
        })
    }

    fn list(&mut self, f: &'a Func, items: &'a [Expr]) -> Result<Vec<Value>, Flow> {
        items.iter().map(|e| self.expr(f, e)).collect()
    }

    fn scalar(&self, ty: &Ty) -> Scalar {
        match ty {
            Ty::Scalar(Scalar::Generic(_)) => self.float,
            Ty::Scalar(s) => *s,
            other => panic!("scalar expected, found {other:?}"),
        }
    }

    fn expr(&mut self, f: &'a Func, e: &'a Expr) -> Eval {
        Ok(match &e.kind {
            ExprKind::Lit(Lit::Bool(b)) => Value::Bool(*b),
            ExprKind::Lit(Lit::Int(n)) => scalar::int(self.scalar(&e.ty), *n),
            ExprKind::Lit(Lit::Float(digits)) => scalar::float(self.scalar(&e.ty), digits),
            ExprKind::Const(id) => {
                let path = op2_codegen::ir::print::tokens(&f.consts[id.0].path);
                self.consts[path.as_str()].clone()
            }
            ExprKind::AssocConst(c) => self.assoc(*c, &e.ty),
            ExprKind::Local(_) | ExprKind::Field(..) | ExprKind::Index(..) | ExprKind::Deref(_) => {
                let place = self.place(f, e)?;
                self.load(&place)
            }
            ExprKind::Ref(_, a) => Value::Ref(self.place(f, a)?),
            ExprKind::Unary(op, a) => {
                let value = self.expr(f, a)?;
                match op {
                    Unary::Neg => scalar::neg(value),
                    Unary::Not => scalar::not(value),
                }
            }
            ExprKind::Binary(op, a, b) => self.binary(f, *op, a, b)?,
            ExprKind::Cast(a) | ExprKind::FloatLit(a) => {
                let value = self.expr(f, a)?;
                scalar::cast(value, self.scalar(&e.ty))
            }
            ExprKind::Assign(a, b) => {
                let value = self.expr(f, b)?;
                let place = self.place(f, a)?;
                self.store(&place, value);
                Value::Unit
            }
            ExprKind::AssignOp(op, a, b) => {
                let right = self.expr(f, b)?;
                let place = self.place(f, a)?;
                let left = self.load(&place);
                self.store(&place, scalar::binary(*op, left, right));
                Value::Unit
            }
            ExprKind::Call(id, args) => {
                let args = self.list(f, args)?;
                self.call(&self.unit.funcs[id.0], args)
            }
            ExprKind::Intrinsic(i, args) => scalar::intrinsic(*i, &self.list(f, args)?),
            ExprKind::Array(items) => Value::Array(self.list(f, items)?),
            ExprKind::Tuple(items) if items.is_empty() => Value::Unit,
            ExprKind::Tuple(items) => Value::Tuple(self.list(f, items)?),
            ExprKind::Repeat(a) => {
                let value = self.expr(f, a)?;
                Value::Array(vec![value; self.len(f, &e.ty)])
            }
            _ => self.control(f, e)?,
        })
    }

    fn len(&self, f: &Func, ty: &Ty) -> usize {
        use op2_codegen::ir::Len;
        match ty {
            Ty::Array(_, Len::Lit(n)) => *n,
            Ty::Array(_, Len::Const(id)) => {
                let path = op2_codegen::ir::print::tokens(&f.consts[id.0].path);
                self.consts[path.as_str()].index()
            }
            other => panic!("length of {other:?}"),
        }
    }

    fn binary(&mut self, f: &'a Func, op: Binary, a: &'a Expr, b: &'a Expr) -> Eval {
        let left = self.expr(f, a)?;
        match (op, &left) {
            (Binary::And, Value::Bool(false)) | (Binary::Or, Value::Bool(true)) => Ok(left),
            (Binary::And | Binary::Or, _) => self.expr(f, b),
            _ => Ok(scalar::binary(op, left, self.expr(f, b)?)),
        }
    }

    fn control(&mut self, f: &'a Func, e: &'a Expr) -> Eval {
        match &e.kind {
            ExprKind::Block(block) => self.block(f, block),
            ExprKind::If(cond, then, other) => {
                let cond = self.expr(f, cond)?.bool();
                self.branch(f, cond, then, other.as_ref())
            }
            ExprKind::IfSome(option, binding, then, other) => {
                let value = self.expr(f, option)?;
                let there = value != Value::Absent;
                if there {
                    self.set_local(binding.0, value);
                }
                self.branch(f, there, then, other.as_ref())
            }
            ExprKind::IsSome(option) => Ok(Value::Bool(self.expr(f, option)? != Value::Absent)),
            ExprKind::Length(row) => {
                let place = self.place(f, row)?;
                match self.load(&place) {
                    Value::Array(values) => Ok(Value::Usize(values.len())),
                    other => panic!("length of {other:?}"),
                }
            }
            ExprKind::Loop(l) => self.looping(f, l),
            ExprKind::Break(id) => Err(Flow::Break(*id)),
            ExprKind::Continue(id) => Err(Flow::Continue(*id)),
            ExprKind::Return(None) => Err(Flow::Return(Value::Unit)),
            ExprKind::Return(Some(a)) => {
                let value = self.expr(f, a)?;
                Err(Flow::Return(value))
            }
            ExprKind::Assert(holds, message) => {
                assert!(self.expr(f, holds)?.bool(), "{message}");
                Ok(Value::Unit)
            }
            ExprKind::BestUpdate(best, value, payload) => self.update(f, best, value, payload),
            other => panic!("no value: {other:?}"),
        }
    }

    fn branch(&mut self, f: &'a Func, c: bool, then: &'a Block, other: Option<&'a Block>) -> Eval {
        match (c, other) {
            (true, _) => self.block(f, then),
            (false, Some(other)) => self.block(f, other),
            (false, None) => Ok(Value::Unit),
        }
    }

    /// The body once; whether the loop goes on.
    fn round(&mut self, f: &'a Func, l: &'a Loop) -> Result<bool, Flow> {
        match self.block(f, &l.body) {
            Ok(_) => Ok(true),
            Err(Flow::Continue(id)) if id == l.id => Ok(true),
            Err(Flow::Break(id)) if id == l.id => Ok(false),
            Err(flow) => Err(flow),
        }
    }

    fn looping(&mut self, f: &'a Func, l: &'a Loop) -> Eval {
        match &l.kind {
            LoopKind::Forever => while self.round(f, l)? {},
            LoopKind::While(cond) => {
                while self.expr(f, cond)?.bool() {
                    if !self.round(f, l)? {
                        break;
                    }
                }
            }
            LoopKind::For { var, start, end, inclusive, reversed } => {
                let start = self.expr(f, start)?;
                let end = self.expr(f, end)?;
                let mut values = scalar::range(&start, &end, *inclusive);
                if *reversed {
                    values.reverse();
                }
                for value in values {
                    self.set_local(var.0, value);
                    if !self.round(f, l)? {
                        break;
                    }
                }
            }
        }
        Ok(Value::Unit)
    }

    /// The first of equal values wins.
    fn update(&mut self, f: &'a Func, best: &'a Expr, v: &'a Expr, p: &'a Expr) -> Eval {
        let value = self.expr(f, v)?;
        let payload = self.expr(f, p)?;
        let Value::Ref(place) = self.expr(f, best)? else { panic!("reduction expected") };
        let Value::Tuple(old) = self.load(&place) else { panic!("pair expected") };
        let Ty::Ref(_, inner) = &best.ty else { panic!("reference expected") };
        let Ty::ArgBest(kind, ..) = &**inner else { panic!("reduction expected") };
        let op = if *kind == Best::Max { Binary::Gt } else { Binary::Lt };
        if scalar::binary(op, value.clone(), old[0].clone()).bool() {
            self.store(&place, Value::Tuple(vec![value, payload]));
        }
        Ok(Value::Unit)
    }

    fn assoc(&self, c: AssocConst, ty: &Ty) -> Value {
        let s = self.scalar(ty);
        match c.digits() {
            Some(digits) => scalar::float(s, digits),
            None => scalar::limit(s, c),
        }
    }
}
