//! Assignments to places that vary.

use super::Writer;
use super::expr::is_vector;
use crate::emit::rust::expr::{operator, shifts_signs};
use crate::emit::rust::types::part_of;
use crate::ir::{Binary, Expr, ExprKind};
use proc_macro2::{Ident, Span, TokenStream};

impl Writer<'_> {
    /// `place = value`, `place op= value`
    pub(super) fn assignment(&mut self, op: Option<Binary>, place: &Expr, value: &Expr) -> TokenStream {
        if !self.varies(place) {
            let ty = &place.ty;
            let (place, value) = (self.expr(place, false), self.expr(value, false));
            return self.body.assigned(op, ty, place, value);
        }
        if place.is_in_row() || self.index_varies(place) {
            return self.lane_by_lane(op, place, value);
        }
        let lanes = op.is_none_or(|op| is_vector(op, &place.ty)) || self.varies(value);
        let (from, to) = (self.expr(value, lanes), self.expr(place, true));
        let new = match op {
            Some(op) => self.binary(op, place, value, vec![hygienic!(*place), hygienic!(value)]),
            None => hygienic!(value),
        };
        let new = match self.mask_outside(place) {
            Some(mask) => hygienic!(__op2::Lanes::<W>::select(#mask, #new, *place)),
            None => new,
        };
        // Indices of the place are evaluated once, after the value, as in Rust.
        hygienic!({ let value = #from; let place = &mut #to; *place = #new; })
    }

    /// The mask for an assignment, if lanes that are off now may read the place later.
    fn mask_outside(&self, place: &Expr) -> Option<Ident> {
        let root = place.root()?;
        let here = self.declared.get(&root) == Some(&self.region);
        if here && !through_reference(place) { None } else { self.mask().cloned() }
    }

    /// An assignment to elements that differ from lane to lane.
    fn lane_by_lane(&mut self, op: Option<Binary>, place: &Expr, value: &Expr) -> TokenStream {
        let (value, mut indices) = (self.expr(value, true), Vec::new());
        let target = self.lane_place(place, &mut indices);
        let names: Vec<Ident> = (0..indices.len()).map(index_name).collect();
        let one = hygienic!(__op2::Lanes::<W>::lane(&value, lane));
        // A row of any length has values, and all other places have lanes.
        let in_row = place.is_in_row();
        let old = if in_row { hygienic!(#target) } else { hygienic!(__op2::Lanes::<W>::lane(&#target, lane)) };
        let new = op.map_or_else(
            || one.clone(),
            |op| {
                let symbol = operator(op, false);
                let new = hygienic!(#old #symbol #one);
                self.body.sealed(shifts_signs(op, &place.ty), new)
            },
        );
        let set = match in_row {
            true => hygienic!(#target = new;),
            false => hygienic!(__op2::Lanes::<W>::set_lane(&mut #target, lane, new);),
        };
        let off = self.mask().map(|mask| hygienic!(if !#mask.lane(lane) { continue; }));
        hygienic!({
            let value = #value;
            #(let #names = #indices;)*
            for lane in 0..W::LANES {
                #off
                let new = #new;
                #set
            }
        })
    }

    /// A place with the indices of one lane, which are named.
    fn lane_place(&mut self, place: &Expr, indices: &mut Vec<TokenStream>) -> TokenStream {
        match &place.kind {
            ExprKind::Index(array, index) => {
                let is_row = array.ty.is_row();
                let array = self.lane_place(array, indices);
                let (name, varies) = (index_name(indices.len()), self.varies(index));
                indices.push(self.expr(index, varies));
                let index = if varies { hygienic!(__op2::Lanes::<W>::lane(&#name, lane)) } else { hygienic!(#name) };
                match is_row {
                    true => hygienic!((*(#array).place(lane, #index))),
                    false => hygienic!((#array)[#index]),
                }
            }
            ExprKind::Field(whole, n) => {
                let place = self.lane_place(whole, indices);
                part_of(&hygienic!((#place)), &whole.ty, *n)
            }
            ExprKind::Deref(inner) => {
                let inner = self.lane_place(inner, indices);
                hygienic!((*#inner))
            }
            _ => self.expr(place, true),
        }
    }

    fn index_varies(&self, place: &Expr) -> bool {
        match &place.kind {
            ExprKind::Index(array, index) => self.varies(index) || self.index_varies(array),
            ExprKind::Field(a, _) | ExprKind::Deref(a) => self.index_varies(a),
            _ => false,
        }
    }
}

fn index_name(n: usize) -> Ident {
    Ident::new(&format!("index{n}"), Span::mixed_site())
}

fn through_reference(place: &Expr) -> bool {
    match &place.kind {
        ExprKind::Deref(_) => true,
        ExprKind::Index(a, _) | ExprKind::Field(a, _) => through_reference(a),
        _ => false,
    }
}
