//! Charts as SVG. Bars have positions in percent of the width and text in the page's font: they are readable at any width.

use super::super::aligned::grouped;
use maud::{Markup, html};

const BAR: usize = 13;

/// A data series: its name and the CSS class of its colour.
pub(super) struct Series {
    pub(super) name: String,
    pub(super) class: String,
}

/// A row: a label and a figure for each series.
pub(super) struct Bars {
    pub(super) label: String,
    pub(super) figures: Vec<Option<f64>>,
}

/// The axis: linear from zero, or logarithmic from a power of ten if the figures span a factor of 100 or more.
struct Scale {
    low: f64,
    high: f64,
    is_logarithmic: bool,
}

impl Scale {
    fn new(figures: impl Iterator<Item = f64> + Clone) -> Option<Self> {
        let least = figures.clone().filter(|figure| *figure > 0.0).min_by(f64::total_cmp)?;
        let most = figures.max_by(f64::total_cmp)?;
        let is_logarithmic = most >= 100.0 * least;
        let (low, high) = if is_logarithmic { (least.log10().floor(), most.log10()) } else { (0.0, most) };
        Some(Scale { low, high, is_logarithmic })
    }

    /// The place of a figure, in percent of the width.
    fn at(&self, figure: f64) -> f64 {
        let place = if self.is_logarithmic { figure.max(f64::MIN_POSITIVE).log10() } else { figure };
        100.0 * ((place - self.low) / (self.high - self.low)).clamp(0.004, 1.0)
    }

    /// The figures of the grid lines: powers of ten, or multiples of a round step.
    fn ticks(&self) -> Vec<f64> {
        #[allow(clippy::cast_possible_truncation)] // A logarithm of a finite number fits.
        if self.is_logarithmic {
            return (self.low as i32..=self.high.floor() as i32).map(|power| 10_f64.powi(power)).collect();
        }
        let power = 10_f64.powf(self.high.log10().floor());
        let step =
            [0.2, 0.5, 1.0, 2.0].map(|step| step * power).into_iter().find(|step| self.high / step <= 5.5);
        let step = step.unwrap_or(power);
        (0..6).map(|number| f64::from(number) * step).take_while(|tick| *tick <= self.high).collect()
    }
}

/// A point of a [`scatter()`], both figures above 0.
pub(super) struct Point {
    pub(super) name: String,
    pub(super) x: f64,
    pub(super) y: f64,
    /// Whether the point is on the Pareto front.
    pub(super) is_efficient: bool,
}

/// Points on two logarithmic scales. A line joins the efficient ones.
pub(super) fn scatter(points: &[Point], x: impl Fn(f64) -> String, y: impl Fn(f64) -> String) -> Markup {
    const SIZE: [f64; 2] = [560.0, 320.0];
    let scale = |figures: Vec<f64>| -> Option<(f64, f64)> {
        let least = figures.iter().copied().min_by(f64::total_cmp).filter(|least| *least > 0.0)?;
        let most = figures.into_iter().max_by(f64::total_cmp)?;
        Some((least.log10() - 0.1, most.log10() + 0.1))
    };
    let (Some(across), Some(up)) = (
        scale(points.iter().map(|point| point.x).collect()),
        scale(points.iter().map(|point| point.y).collect()),
    ) else {
        return html! {};
    };
    let place =
        |figure: f64, (low, high): (f64, f64), size: f64| size * (figure.log10() - low) / (high - low);
    let (at_x, at_y) = (
        |figure| 100.0 + place(figure, across, SIZE[0]),
        |figure| 10.0 + SIZE[1] - place(figure, up, SIZE[1]),
    );
    // Powers of ten with their double and their fivefold.
    let ticks = |(low, high): (f64, f64)| {
        let steps = (0..10).flat_map(|power| [1.0, 2.0, 5.0].map(|step| step * 10_f64.powi(power)));
        steps.filter(move |tick| (low..high).contains(&tick.log10()))
    };
    let mut efficient: Vec<&Point> = points.iter().filter(|point| point.is_efficient).collect();
    efficient.sort_by(|one, other| one.x.total_cmp(&other.x));
    let line: Vec<String> =
        efficient.iter().map(|point| format!("{:.1},{:.1}", at_x(point.x), at_y(point.y))).collect();
    html! {
        svg.scatter viewBox="0 0 780 360" role="img" aria-label="bytes against time" {
            @for tick in ticks(across) {
                line.grid x1=(format!("{:.1}", at_x(tick))) x2=(format!("{:.1}", at_x(tick))) y1="10" y2="330" {}
                text x=(format!("{:.1}", at_x(tick))) y="345" text-anchor="middle" { (x(tick)) }
            }
            @for tick in ticks(up) {
                line.grid x1="100" x2="660" y1=(format!("{:.1}", at_y(tick))) y2=(format!("{:.1}", at_y(tick))) {}
                text x="94" y=(format!("{:.1}", at_y(tick) + 4.0)) text-anchor="end" { (y(tick)) }
            }
            polyline.efficient fill="none" stroke="currentColor" points=(line.join(" ")) {}
            @for point in points {
                circle.(if point.is_efficient { "s0" } else { "published" }) cx=(format!("{:.1}", at_x(point.x)))
                    cy=(format!("{:.1}", at_y(point.y))) r="5" { title { (point.name) ": " (y(point.y)) ", " (x(point.x)) } }
                text x=(format!("{:.1}", at_x(point.x) + 8.0)) y=(format!("{:.1}", at_y(point.y) + 4.0)) { (point.name) }
            }
        }
    }
}

/// The legend: the colour of each series.
pub(super) fn legend(series: &[Series]) -> Markup {
    html! {
        ul.legend {
            @for Series { name, class } in series {
                li { svg width="12" height="12" aria-hidden="true" { rect.(class) width="12" height="12" rx="2" {} } (name) }
            }
        }
    }
}

/// Rows of bars under headings, all on one scale; `show` formats a figure with its unit.
pub(super) fn bars(
    series: &[Series],
    groups: &[(String, Vec<Bars>)],
    show: impl Fn(f64) -> String,
) -> Markup {
    let figures =
        groups.iter().flat_map(|(_, rows)| rows).flat_map(|row| row.figures.iter().flatten().copied());
    let Some(scale) = Scale::new(figures) else { return html! {} };
    let place = |at: f64| format!("{at:.2}%");
    html! {
        @if scale.is_logarithmic { p.note { "Logarithmic: each line is ten times the one before." } }
        (legend(series))
        @for (heading, rows) in groups {
            h3 { (heading) }
            div.row aria-hidden="true" {
                span.label {}
                svg.bars.axis height="16" {
                    @for tick in scale.ticks() {
                        text x=(place(scale.at(tick))) y="12" text-anchor=[(scale.at(tick) > 1.0).then_some("middle")] { (show(tick)) }
                    }
                }
            }
            @for Bars { label, figures } in rows {
                div.row {
                    span.label { (label) }
                    svg.bars height=(BAR * figures.len() + 3) role="img" aria-label=(spoken(series, figures, &show)) {
                        @for tick in scale.ticks() {
                            line.grid x1=(place(scale.at(tick))) x2=(place(scale.at(tick))) y1="0" y2="100%" {}
                        }
                        @for (number, (figure, Series { name, class })) in figures.iter().zip(series).enumerate() {
                            @if let Some(figure) = figure {
                                rect.(class) y=(BAR * number + 2) width=(place(scale.at(*figure))) height=(BAR - 2) rx="2" {
                                    title { (label) ", " (name) ": " (show(*figure)) }
                                }
                                text x=(place(scale.at(*figure))) dx="4" y=(BAR * number + 11) { (show(*figure)) }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// A row in words, for screen readers.
fn spoken(series: &[Series], figures: &[Option<f64>], show: impl Fn(f64) -> String) -> String {
    let figures = figures.iter().zip(series);
    let said = figures.filter_map(|(figure, series)| Some(format!("{} {}", series.name, show((*figure)?))));
    said.collect::<Vec<_>>().join(", ")
}

/// A bar divided into parts, each with a name, a CSS class and a size in bytes.
pub(super) fn divided(label: &str, parts: &[(&str, &str, usize)]) -> Markup {
    let whole: usize = parts.iter().map(|(.., part)| part).sum();
    let share = |part: usize| 100.0 * part as f64 / whole.max(1) as f64;
    let mut places = Vec::new();
    let mut start = 0.0;
    for &(name, class, part) in parts.iter().filter(|(.., part)| *part > 0) {
        places.push((name, class, part, start));
        start += share(part);
    }
    html! {
        div.row.divided {
            span.label { (label) }
            div {
                svg height="18" role="img" aria-label=(label) {
                    @for (name, class, part, start) in &places {
                        rect.(class) x=(format!("{start:.2}%")) width=(format!("{:.2}%", share(*part))) height="18" {
                            title { (name) ": " (grouped(*part as u64)) " bytes" }
                        }
                    }
                }
                p.shares {
                    @for (number, (name, _, part, _)) in places.iter().enumerate() {
                        @if number > 0 { " · " }
                        (name) " " (format!("{:.1} %", share(*part)))
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ten_times_as_much_is_as_far_again() {
        let scale = Scale::new([20.0, 350.0, 1e6].into_iter()).unwrap();
        let [one, two, three] = [10.0, 100.0, 1000.0].map(|figure| scale.at(figure));
        assert!((three - two - 20.0).abs() < 1e-9 && (scale.at(1e6) - 100.0).abs() < 1e-9);
        // A figure below the scale is still drawn.
        assert!(one > 0.0 && two > one);
        assert_eq!(scale.ticks(), [1e1, 1e2, 1e3, 1e4, 1e5, 1e6]);
        assert!(Scale::new([0.0].into_iter()).is_none());
    }

    #[test]
    fn the_line_joins_the_efficient_points_alone() {
        let point = |name: &str, x, y, is_efficient| Point { name: name.into(), x, y, is_efficient };
        let points =
            [point("a", 100.0, 5e6, true), point("b", 400.0, 1e5, true), point("c", 900.0, 2e6, false)];
        let drawn = scatter(&points, |x| format!("{x} ns"), |y| format!("{y} bytes")).into_string();
        assert_eq!(drawn.matches("<circle").count(), 3);
        assert!(drawn.contains("<title>b: 100000 bytes, 400 ns</title>"), "{drawn}");
        let (_, line) = drawn.split_once("points=\"").unwrap();
        assert_eq!(line.split('"').next().unwrap().split(' ').count(), 2);
        assert!(scatter(&[], |_| String::new(), |_| String::new()).into_string().is_empty());
    }

    #[test]
    fn figures_that_are_near_begin_at_zero() {
        let scale = Scale::new([56.0, 969.0].into_iter()).unwrap();
        assert!((scale.at(484.5) - 50.0).abs() < 1e-9);
        assert_eq!(scale.ticks(), [0.0, 200.0, 400.0, 600.0, 800.0]);
        assert_eq!(Scale::new([3.0].into_iter()).unwrap().ticks(), [0.0, 1.0, 2.0, 3.0]);
    }
}
