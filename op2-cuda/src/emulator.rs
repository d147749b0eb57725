//! Stand-in until the emulator is merged.
use crate::*;
#[derive(Default)]
pub struct Options {
    pub checks: bool,
    pub seed: u64,
}
pub struct Emulator;
impl Emulator {
    pub fn new(_: Options) -> Result<Self> {
        Err(Error::NotBuilt)
    }
}
impl Device for Emulator {
    fn info(&self) -> &Info {
        todo!()
    }
    fn allocate(&self, _: &str, _: usize, _: usize) -> Result<Buffer> {
        todo!()
    }
    fn upload(&self, _: &Buffer, _: &[u8]) -> Result<()> {
        todo!()
    }
    fn download(&self, _: &Buffer, _: &mut [u8]) -> Result<()> {
        todo!()
    }
    fn load(&self, _: &Source) -> Result<Module> {
        todo!()
    }
    fn launch(&self, _: &Launch<'_>) -> Result<()> {
        todo!()
    }
    fn resources(&self, _: &Module, _: &str) -> Option<Resources> {
        todo!()
    }
    fn wait(&self) -> Result<()> {
        todo!()
    }
    fn mark(&self) -> Result<Mark> {
        todo!()
    }
    fn seconds(&self, _: &Mark, _: &Mark) -> Result<f64> {
        todo!()
    }
}
pub fn gpu(_: usize) -> Result<Box<dyn Device>> {
    Err(Error::NotBuilt)
}
