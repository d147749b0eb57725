//! What the scheme must keep, by what is asked of it.

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
