//! The whole run: a process for each table and representation, within limits, and a line of the record when it ends.
//!
//! Lines of the record are not measured again: a run continues one that was killed. A last line that was cut short is removed.

use crate::measure::mebibytes;
use crate::representation::{Kind, Settings};
use anyhow::{Context, Result, bail, ensure};
use cubebase::Material;
use cubebase::chess::retrograde::Store;
use cubebase::cli::baselines::{self, Line};
use std::collections::VecDeque;
use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// The limits of one table in one representation.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    pub seconds: u64,
    pub mebibytes: u64,
}

/// The time between two checks of a process.
const INTERVAL: Duration = Duration::from_millis(20);

/// A run to be made.
pub struct Run<'a> {
    pub materials: &'a [Material],
    pub kinds: &'a [Kind],
    pub tables: &'a Path,
    pub record: &'a Path,
    pub settings: &'a Settings,
    pub limits: Limits,
    pub jobs: usize,
}

impl Run<'_> {
    /// Measures the missing lines of the record and appends them.
    pub fn make(&self) -> Result<()> {
        let store = Store::new(Some(self.tables.to_path_buf()));
        for material in self.materials {
            let path = store.path(material).context("no directory of tables")?;
            ensure!(path.exists(), "{}: not there; make it with cubebase generate", path.display());
        }
        let known = resume(self.record)?;
        let is_open = |(kind, material): &(Kind, Material)| {
            // Two kings alone have no Syzygy file.
            (*kind != Kind::Syzygy || material.len() > 2)
                && baselines::find(&known, &material.to_string(), &kind.name()).is_none()
        };
        let all =
            self.kinds.iter().flat_map(|kind| self.materials.iter().map(move |material| (*kind, *material)));
        let open: Mutex<VecDeque<(Kind, Material)>> = Mutex::new(all.filter(is_open).collect());
        let file = Mutex::new(OpenOptions::new().append(true).open(self.record)?);
        let work = || -> Result<()> {
            loop {
                let next = open.lock().ok().and_then(|mut open| open.pop_front());
                let Some((kind, material)) = next else { return Ok(()) };
                let line = self.one(kind, &material).inspect_err(|_| {
                    // The other workers stop after their present line.
                    if let Ok(mut open) = open.lock() {
                        open.clear();
                    }
                })?;
                eprintln!("{material} {}: {}", kind.name(), line.limit.as_deref().unwrap_or("done"));
                let text = baselines::to_csv(&[line], false)?;
                let mut file = file.lock().map_err(|_| anyhow::anyhow!("another thread failed"))?;
                file.write_all(text.as_bytes())?;
                file.sync_data()?;
            }
        };
        std::thread::scope(|scope| {
            let mut workers = (0..self.jobs).map(|_| scope.spawn(work)).collect::<Vec<_>>().into_iter();
            workers.try_for_each(|worker| worker.join().unwrap_or_else(|_| bail!("a thread failed")))
        })
    }

    /// The line of a table in a representation: its measurements, or the limit that it met.
    fn one(&self, kind: Kind, material: &Material) -> Result<Line> {
        let mut command = Command::new(std::env::current_exe()?);
        command.args(["one", &kind.name(), &material.to_string(), "--tables"]).arg(self.tables);
        command.arg("--effort").arg(self.settings.effort.to_string());
        command.arg("--positions").arg(self.settings.positions.to_string());
        for directory in &self.settings.syzygy {
            command.arg("--syzygy").arg(directory);
        }
        // Each process has one thread; there are several processes.
        command.env("RAYON_NUM_THREADS", "1").stdout(Stdio::piped()).stderr(Stdio::piped());
        let child = command.spawn()?;
        let what = format!("{material} {}", kind.name());
        match self.limits.watch(child).with_context(|| what.clone())? {
            Ok(text) => {
                let line = baselines::parse(text.as_bytes())?.into_iter().next();
                line.with_context(|| format!("{what}: no line"))
            }
            Err(limit) => {
                let (material, representation) = (material.to_string(), kind.name());
                Ok(Line { material, representation, limit: Some(limit), ..Line::default() })
            }
        }
    }
}

impl Limits {
    /// The output of a process, or the limit that it met.
    fn watch(self, mut child: Child) -> Result<Result<String, String>> {
        let start = Instant::now();
        let status = loop {
            if let Some(status) = child.try_wait()? {
                break status;
            }
            let has = mebibytes(&child.id().to_string(), "VmRSS").unwrap_or(0.0);
            let met = match () {
                () if has > self.mebibytes as f64 => Some(format!("{} MiB", self.mebibytes)),
                () if start.elapsed().as_secs() >= self.seconds => Some(format!("{} s", self.seconds)),
                () => None,
            };
            if let Some(limit) = met {
                child.kill()?;
                child.wait()?;
                return Ok(Err(limit));
            }
            std::thread::sleep(INTERVAL);
        };
        let mut texts = [String::new(), String::new()];
        if let (Some(out), Some(err)) = (&mut child.stdout, &mut child.stderr) {
            out.read_to_string(&mut texts[0])?;
            err.read_to_string(&mut texts[1])?;
        }
        let [said, why] = texts;
        match why.split_once("limit: ") {
            _ if status.success() => Ok(Ok(said)),
            Some((_, limit)) => Ok(Err(limit.trim().to_owned())),
            // Probably the system killed it because memory ran out.
            None if status.code().is_none() => Ok(Err(status.to_string())),
            None => bail!("{status}: {}", why.trim()),
        }
    }
}

/// Returns the lines of a record, which is created if missing. Removes a last line that was cut short.
fn resume(path: &Path) -> Result<Vec<Line>> {
    if !path.exists() {
        cubebase::atomic::write_bytes(path, baselines::head()?.as_bytes())?;
    }
    let mut text = Vec::new();
    File::open(path)?.read_to_end(&mut text)?;
    let whole = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    if text.starts_with(baselines::VERSION.as_bytes()) && whole < text.len() {
        OpenOptions::new().write(true).open(path)?.set_len(whole as u64)?;
    }
    Ok(baselines::read(path)?)
}
