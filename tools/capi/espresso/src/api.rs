//! The functions of `include/cubebase/espresso.h`, which `cbindgen` writes from this file: its comments are the header's.

#![allow(unsafe_code, reason = "the C ABI")]

use crate::ffi::{self, copy_text};
use crate::run::{Callback, Limits, in_own_threads, minimized};
use espresso::{Error, ErrorKind, Format, Minimized, Monitor, Pla, PlaType, Progress, Rest, check};
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::time::Duration;

/// The result of a call: success, or the reason of the failure. The numbers do not change; more may be added.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Success.
    Ok = 0,
    /// A pointer that must not be NULL is NULL.
    NullPointer = 1,
    /// The text is invalid in its format; the error text mostly has the line and the column.
    Syntax = 2,
    /// A format, an option or a size is not supported, or memory is too small.
    Unsupported = 3,
    /// The rows contradict each other: a minterm is ON and OFF.
    Inconsistent = 4,
    /// There is no such set or cube, or the buffer is too small.
    OutOfRange = 5,
    /// The callback cancelled the work.
    Cancelled = 6,
    /// The time limit ended before there was a cover.
    OutOfTime = 7,
    /// A bug in the library: please report it.
    Internal = 8,
}

impl Status {
    fn of(kind: ErrorKind) -> Self {
        match kind {
            ErrorKind::Syntax => Status::Syntax,
            // Text in memory fails to be read only if it is not in UTF-8.
            ErrorKind::Unsupported | ErrorKind::Io => Status::Unsupported,
            ErrorKind::Inconsistent => Status::Inconsistent,
            ErrorKind::Cancelled => Status::Cancelled,
            ErrorKind::BudgetExhausted => Status::OutOfTime,
            _ => Status::Internal,
        }
    }
}

/// A function as read, or a minimized cover, or the text of an error. A handle does not change, so any number of threads may
/// use it at the same time.
#[derive(Debug)]
pub struct Handle {
    made: Result<Pla, Failure>,
}

/// The status and the text of an error.
#[derive(Clone, Debug)]
struct Failure {
    status: Status,
    text: CString,
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Failure::new(Status::of(error.kind()), &error.to_string())
    }
}

impl Failure {
    fn new(status: Status, text: &str) -> Self {
        Failure { status, text: CString::new(text.replace('\0', " ")).unwrap_or_default() }
    }

    fn null(what: &str) -> Self {
        Failure::new(Status::NullPointer, &format!("{what} is NULL"))
    }
}

/// Options of `espresso_minimize`. Begin with `espresso_default_options`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// How hard to try, from 1 (quickest) to 4 (fewest cubes). The default is 2.
    pub effort: u32,
    /// Unless 0, search for a minimum cover and prove that it is one. If a limit ends the search, the result is the best
    /// cover so far, and the lower bound may be 0, for none.
    pub exact: u32,
    /// Threads to use, at most 1024; 0, the default, means one for each processor. The result is the same for any number.
    pub threads: u32,
    /// Whether to compare the result with the function: 0 no, 1 unless it takes more than some seconds (the default),
    /// 2 however long it takes. Other values are refused.
    pub check: u32,
    /// Limit on the cubes tested, after which the result is the best cover so far; 0, the default, means no limit, or built-in
    /// limits if the OFF-set has too many cubes to list. With the same budget the result is the same on every machine.
    pub budget: u64,
    /// Limit on the time of the call, after which the result is the best cover so far; 0, the default, means no limit.
    pub milliseconds: u64,
    /// NULL, or a function that is called up to 20 times a second: by any thread, but by one at a time. It gets `data`, the
    /// name of a stage such as "expand", the finished units of the stage, and all its units or 0 if unknown. If it does not
    /// return 0, the work is cancelled. It must return: no exception of C++ and no `longjmp` may leave it.
    pub progress:
        Option<unsafe extern "C" fn(data: *mut c_void, stage: *const c_char, done: u64, total: u64) -> c_int>,
    /// Passed to `progress`.
    pub data: *mut c_void,
}

/// The size of a minimized cover, its bound, and whether limits cut its search short.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Cubes of the cover.
    pub cubes: usize,
    /// Literals of the cover: of inputs, and of outputs.
    pub literals: usize,
    /// No cover of the function has fewer cubes; 0 if no bound is known.
    pub lower_bound: usize,
    /// 1 if a limit on work or time ended the minimization, or a built-in limit made a step end early, otherwise 0.
    pub cut_short: u32,
    /// 1 if the cover was checked, 0 if the check was not wanted or took too long. A wrong cover is never returned after
    /// a check.
    pub checked: u32,
    /// 1 if the OFF-set had too many cubes to list, so that some steps were left out, otherwise 0.
    pub without_off_set: u32,
}

/// The sizes of a function or a cover.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sizes {
    /// Inputs of two values. They come first.
    pub binary_inputs: usize,
    /// All inputs; `espresso_parts` has the number of values of each.
    pub inputs: usize,
    /// Outputs.
    pub outputs: usize,
    /// Columns of a row of `espresso_cube`, without the zero at its end.
    pub columns: usize,
    /// Cubes of the ON-set.
    pub on: usize,
    /// Cubes of the DC-set, as far as it was read.
    pub dc: usize,
    /// Cubes of the OFF-set, as far as it was read.
    pub off: usize,
}

/// Calls `work`; a panic becomes an error.
fn caught<T>(work: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    let panicked = || Err(Failure::new(Status::Internal, "a panic inside espresso: please report it"));
    ffi::caught(work).unwrap_or_else(panicked)
}

/// The version of the library, as "1.2.3". The text is never freed.
#[unsafe(no_mangle)]
pub extern "C" fn espresso_version() -> *const c_char {
    const { ffi::VERSION.as_ptr() }
}

/// Reads a function from `length` bytes of text, which may be freed after the call.
///
/// `format` is "pla", "truth-table", "equations", "kiss2" or "blif", as in the options of the command; NULL means "pla". Without
/// `.type`, a PLA has type fd. Where the command would ignore lines of a PLA with a warning, it is a syntax error here. Equations and BLIF are
/// multiplied out, which may take exponential time and memory, and no option limits it.
///
/// After any failure, a handle is also written to `function`, unless that is NULL, for `espresso_error_text`; it must be freed
/// like any other.
///
/// # Safety
/// `text` is NULL or points to `length` bytes, `format` is NULL or text that ends with a zero, and `function` is NULL or
/// valid for writing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn espresso_parse(
    text: *const c_char,
    length: usize,
    format: *const c_char,
    function: *mut *mut Handle,
) -> Status {
    if function.is_null() {
        return Status::NullPointer;
    }
    let read = || {
        if text.is_null() {
            return Err(Failure::null("the text"));
        }
        if isize::try_from(length).is_err() {
            let message = format!("{length} bytes are more than there can be");
            return Err(Failure::new(Status::Unsupported, &message));
        }
        // SAFETY: not NULL, and the caller guarantees the length; the bytes are read before this returns.
        let text = unsafe { std::slice::from_raw_parts(text.cast::<u8>(), length) };
        // SAFETY: guaranteed by the caller.
        let read = match unsafe { words(format) }.as_deref().unwrap_or("pla") {
            "pla" => {
                let (pla, notes) = Pla::read_with_notes(text, PlaType::default())?;
                if let Some(warning) = notes.warnings.first() {
                    return Err(Failure::new(Status::Syntax, warning));
                }
                Ok(pla)
            }
            "truth-table" => Pla::read_truth_tables(text),
            "equations" => {
                in_own_threads(0, || Pla::read_equations(text, Monitor::default())).map(|(pla, _)| pla)
            }
            "kiss2" => in_own_threads(0, || Pla::read_kiss2(text, PlaType::default(), Monitor::default())),
            "blif" => in_own_threads(0, || Pla::read_blif(text, Monitor::default())),
            other => Err(Error::new(ErrorKind::Unsupported, format!("`{other}` is not a format to read"))),
        };
        Ok(read?)
    };
    // SAFETY: not NULL, and the caller guarantees that it is valid for writing.
    unsafe { handed_out(function, caught(read)) }
}

/// The default options.
#[unsafe(no_mangle)]
pub extern "C" fn espresso_default_options() -> Options {
    let effort = Limits::default().effort;
    let data = std::ptr::null_mut();
    Options { effort, exact: 0, threads: 0, check: 1, budget: 0, milliseconds: 0, progress: None, data }
}

/// Minimizes a function. Writes the cover, of type f, to `cover`, and a report on it to `report`, unless that is NULL.
///
/// `options` may be NULL, for the defaults. The same function and options without `milliseconds` give the same cover. After any
/// failure, a handle with the error text is written to `cover`, unless that is NULL, and `report` is unchanged. If `function` is
/// the handle of an error, that error is the result. The call starts its own threads, and they have ended when it returns.
///
/// # Safety
/// `function` is NULL or a handle, `options` NULL or options, `cover` and `report` NULL or valid for writing. The
/// callback of the options may be called by other threads during the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn espresso_minimize(
    function: *const Handle,
    options: *const Options,
    cover: *mut *mut Handle,
    report: *mut Report,
) -> Status {
    if cover.is_null() {
        return Status::NullPointer;
    }
    // SAFETY: guaranteed by the caller.
    let (pla, options) = unsafe { (pla_of(function), options.as_ref()) };
    let options = options.copied().unwrap_or_else(|| espresso_default_options());
    // SAFETY: the caller guarantees that other threads may call it.
    let callback = unsafe { callback(options) };
    let made = caught(|| Ok(minimized(pla?, options.limits()?, callback)?));
    if let (Ok(made), false) = (&made, report.is_null()) {
        // SAFETY: not NULL, and the caller guarantees that it is valid for writing.
        unsafe { report.write(Report::of(made)) };
    }
    // SAFETY: not NULL, and the caller guarantees that it is valid for writing.
    unsafe { handed_out(cover, made.map(|made| made.pla)) }
}

impl Options {
    fn limits(&self) -> espresso::Result<Limits> {
        let check = match self.check {
            0 => None,
            1 => Some(check::SHORT),
            2 => Some(u64::MAX),
            other => {
                let message = format!("a check of {other}: it is 0, 1 or 2");
                return Err(Error::new(ErrorKind::Unsupported, message));
            }
        };
        Ok(Limits {
            effort: self.effort,
            is_exact: self.exact != 0,
            threads: self.threads,
            budget: (self.budget != 0).then_some(self.budget),
            time: (self.milliseconds != 0).then(|| Duration::from_millis(self.milliseconds)),
            check,
        })
    }
}

impl Report {
    fn of(made: &Minimized) -> Self {
        Report {
            cubes: made.pla.on.len(),
            literals: made.pla.on.literals(),
            lower_bound: made.report.lower_bound.unwrap_or(0),
            cut_short: made.report.exhausted.into(),
            checked: made.is_checked.into(),
            without_off_set: (made.function.rest == Rest::Off).into(),
        }
    }
}

/// The sizes of a function or a cover; all are 0 for NULL, and for a handle of an error.
///
/// # Safety
/// `handle` is NULL or a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn espresso_get_sizes(handle: *const Handle) -> Sizes {
    // SAFETY: guaranteed by the caller.
    let Ok(pla) = (unsafe { pla_of(handle) }) else { return Sizes::default() };
    let space = pla.space();
    Sizes {
        binary_inputs: space.binary_inputs(),
        inputs: space.inputs(),
        outputs: space.outputs(),
        columns: space.bits() - space.binary_inputs(),
        on: pla.on.len(),
        dc: pla.dc.len(),
        off: pla.off.len(),
    }
}

/// The number of values of an input; 0 if there is no such input.
///
/// # Safety
/// `handle` is NULL or a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn espresso_parts(handle: *const Handle, input: usize) -> usize {
    // SAFETY: guaranteed by the caller.
    let space = unsafe { pla_of(handle) }.ok().map(Pla::space);
    space.filter(|space| input < space.inputs()).map_or(0, |space| space.variables()[input].parts)
}

/// Writes a cube to `row`, as text without blanks that ends with a zero. A binary input is `0`, `1` or `-`. A value of another
/// input is `1` if the cube allows it, otherwise `0`. An output is `1` if the cube belongs to it, otherwise `0`.
///
/// `set` is 'f' for the ON-set, 'd' for the DC-set or 'r' for the OFF-set, and `number` counts its cubes from 0. `size` is the
/// size of `row`, at least one more than the columns. After a failure, `row` is unchanged, and there is no error text, except
/// that of `handle` if it is the handle of an error.
///
/// # Safety
/// `handle` is NULL or a handle, and `row` is NULL or valid for writing `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn espresso_cube(
    handle: *const Handle,
    set: c_char,
    number: usize,
    row: *mut c_char,
    size: usize,
) -> Status {
    // SAFETY: guaranteed by the caller.
    let pla = match unsafe { pla_of(handle) } {
        Ok(_) if row.is_null() => return Status::NullPointer,
        Ok(pla) => pla,
        Err(failure) => return failure.status,
    };
    let cover = match set.to_be_bytes() {
        [b'f'] => &pla.on,
        [b'd'] => &pla.dc,
        [b'r'] => &pla.off,
        _ => return Status::OutOfRange,
    };
    if number >= cover.len() || size <= pla.space().bits() - pla.space().binary_inputs() {
        return Status::OutOfRange;
    }
    let made = caught(|| Ok(cover.view(number).to_string().replace(' ', "")));
    // SAFETY: not NULL, and the caller guarantees that `size` bytes are valid for writing.
    made.map_or(Status::Internal, |text| unsafe {
        copy_text(&text, row, size);
        Status::Ok
    })
}

/// Writes a function or a cover as text that ends with a zero, cut to `size` bytes, to `buffer`, and the length of the whole
/// text without the zero to `length`. To learn the length, call it with NULL and 0.
///
/// `format` is one of the command's output formats: "f", "fd", "fr", "fdr" and so on for a PLA with these sets, "eqntott",
/// "kiss", "verilog", "blif" or "json"; NULL means "f". A PLA is only written with sets that it was read with. After any
/// failure, the text of the error is written; if `handle` is the handle of an error, that error is the failure.
///
/// # Safety
/// `handle` is NULL or a handle, `format` NULL or text that ends with a zero, `buffer` NULL or valid for writing `size` bytes,
/// and `length` NULL or valid for writing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn espresso_write(
    handle: *const Handle,
    format: *const c_char,
    buffer: *mut c_char,
    size: usize,
    length: *mut usize,
) -> Status {
    // SAFETY: guaranteed by the caller.
    let (pla, format) = unsafe { (pla_of(handle), words(format)) };
    let written = caught(|| {
        let pla = pla?;
        let format = format.as_deref().unwrap_or("f").parse::<Format>();
        let format = format.map_err(|error| Failure::new(Status::Unsupported, &error.to_string()))?;
        let sets = format.sets();
        let lacks = sets.has_on() && !pla.kind.has_on()
            || sets.has_off() && !pla.kind.has_off()
            || matches!(format, Format::Pla(_)) && sets.has_dc() && !pla.kind.has_dc();
        if lacks {
            let message = format!("the function was read with type {}: `{format}` has other sets", pla.kind);
            return Err(Failure::new(Status::Unsupported, &message));
        }
        let mut text = Vec::new();
        pla.write_format(&mut text, format, "pla")?;
        Ok(String::from_utf8_lossy(&text).into_owned())
    });
    let (status, text) = match written {
        Ok(text) => (Status::Ok, text),
        Err(failure) => (failure.status, failure.text.to_string_lossy().into_owned()),
    };
    // SAFETY: guaranteed by the caller.
    unsafe {
        copy_text(&text, buffer, size);
        if !length.is_null() {
            length.write(text.len());
        }
    }
    status
}

/// The text of the error that made this handle; empty if there was none. It is valid until the handle is freed.
///
/// # Safety
/// `handle` is NULL or a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn espresso_error_text(handle: *const Handle) -> *const c_char {
    // SAFETY: guaranteed by the caller.
    let failure = unsafe { handle.as_ref() }.and_then(|handle| handle.made.as_ref().err());
    failure.map_or(c"".as_ptr(), |failure| failure.text.as_ptr())
}

/// Frees a handle. NULL is ignored.
///
/// # Safety
/// `handle` is NULL or a handle that no other thread uses; it must not be used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn espresso_free(handle: *mut Handle) {
    if !handle.is_null() {
        // SAFETY: a handle comes from `handed_out` and is freed once.
        let handle = unsafe { Box::from_raw(handle) };
        let _ = caught(|| {
            drop(handle);
            Ok(())
        });
    }
}

/// Writes a handle of the PLA, or of the error.
///
/// # Safety
/// `handle` is valid for writing.
unsafe fn handed_out(handle: *mut *mut Handle, made: Result<Pla, Failure>) -> Status {
    let status = made.as_ref().err().map_or(Status::Ok, |failure| failure.status);
    // SAFETY: guaranteed by the caller.
    unsafe { handle.write(Box::into_raw(Box::new(Handle { made }))) };
    status
}

/// The PLA of a handle, or the error that made the handle.
///
/// # Safety
/// `handle` is NULL or a handle, which outlives the result.
unsafe fn pla_of<'a>(handle: *const Handle) -> Result<&'a Pla, Failure> {
    // SAFETY: guaranteed by the caller.
    let handle = unsafe { handle.as_ref() }.ok_or_else(|| Failure::null("the function"))?;
    handle.made.as_ref().map_err(Failure::clone)
}

/// # Safety
/// `text` is NULL or ends with a zero.
unsafe fn words(text: *const c_char) -> Option<String> {
    // SAFETY: not NULL, and the caller guarantees that it ends with a zero; it is copied before this returns.
    (!text.is_null()).then(|| unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned())
}

/// A pointer that is only passed on to the callback.
struct Data(*mut c_void);

// SAFETY: the caller guarantees that other threads may call the callback with it.
unsafe impl Send for Data {}

/// # Safety
/// Other threads may call the callback of the options.
unsafe fn callback(options: Options) -> Option<Callback<'static>> {
    let (progress, data) = (options.progress?, Data(options.data));
    Some(Box::new(move |now: &Progress| {
        let data: &Data = &data;
        let stage = CString::new(now.stage).unwrap_or_default();
        // SAFETY: the caller guarantees that it may be called, and the text ends with a zero.
        unsafe { progress(data.0, stage.as_ptr(), now.done, now.total.unwrap_or(0)) == 0 }
    }))
}
