//! Properties of the scheme, one module for each.

mod agree;
mod conserve;
mod converge;
mod data;
mod exact;
mod formulae;
mod images;
mod mesh_file;
mod order;
mod refuse;
mod single;
mod splits;
mod stream;
mod table;
