//! Bars as SVG, in percents of the width that there is and in the page's own letters: readable at any width.

use maud::{Markup, html};

/// Share of the width that the longest bar has; its figure stands behind it.
const WIDTH: f64 = 78.0;
const BAR: usize = 13;

/// What bars of one kind mean: a name, and the class of their colour.
pub(super) struct Series {
    pub(super) name: String,
    pub(super) class: String,
}

/// A row: a label and a figure for each series.
pub(super) struct Bars {
    pub(super) label: String,
    pub(super) figures: Vec<Option<f64>>,
}

/// A logarithmic scale from a power of ten on.
struct Scale {
    low: f64,
    high: f64,
}

impl Scale {
    fn new(figures: impl Iterator<Item = f64> + Clone) -> Option<Self> {
        let least = figures.clone().filter(|figure| *figure > 0.0).min_by(f64::total_cmp)?;
        let most = figures.max_by(f64::total_cmp)?;
        let low = least.log10().floor();
        Some(Scale { low, high: most.log10().max(low + 1.0) })
    }

    /// Where a figure is, in percents of the width.
    fn at(&self, figure: f64) -> f64 {
        let share = (figure.max(f64::MIN_POSITIVE).log10() - self.low) / (self.high - self.low);
        WIDTH * share.clamp(0.004, 1.0)
    }

    /// The powers of ten.
    fn ticks(&self) -> impl Iterator<Item = f64> + use<> {
        #[allow(clippy::cast_possible_truncation)] // Logarithms of what fits.
        let powers = self.low as i32..=self.high.floor() as i32;
        powers.map(|power| 10_f64.powi(power))
    }
}

/// What the colours mean.
pub(super) fn legend(series: &[Series]) -> Markup {
    html! {
        ul.legend {
            @for Series { name, class } in series {
                li { svg width="12" height="12" aria-hidden="true" { rect.(class) width="12" height="12" rx="2" {} } (name) }
            }
        }
    }
}

/// Rows of bars under headings, all by one logarithmic scale; `show` writes a figure with its unit.
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
        (legend(series))
        @for (heading, rows) in groups {
            h3 { (heading) }
            div.row aria-hidden="true" {
                span.label {}
                svg.axis height="16" {
                    @for tick in scale.ticks() {
                        text x=(place(scale.at(tick))) y="12" text-anchor=[(scale.at(tick) > 1.0).then_some("middle")] { (show(tick)) }
                    }
                }
            }
            @for Bars { label, figures } in rows {
                div.row {
                    span.label { (label) }
                    svg height=(BAR * figures.len() + 3) role="img" aria-label=(spoken(series, figures, &show)) {
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

/// A row in words.
fn spoken(series: &[Series], figures: &[Option<f64>], show: impl Fn(f64) -> String) -> String {
    let figures = figures.iter().zip(series);
    let said = figures.filter_map(|(figure, series)| Some(format!("{} {}", series.name, show((*figure)?))));
    said.collect::<Vec<_>>().join(", ")
}

/// A bar of a whole, divided; each part has a name and a class.
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
        div.row {
            span.label { (label) }
            div {
                svg height="18" role="img" aria-label=(label) {
                    @for (name, class, part, start) in &places {
                        rect.(class) x=(format!("{start:.2}%")) width=(format!("{:.2}%", share(*part))) height="18" {
                            title { (name) ": " (super::grouped(*part as u64)) " bytes" }
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
        assert!((three - two - WIDTH / 5.0).abs() < 1e-9 && (scale.at(1e6) - WIDTH).abs() < 1e-9);
        // The first is drawn all the same.
        assert!(one > 0.0 && two > one);
        assert_eq!(scale.ticks().count(), 6);
        assert!(Scale::new([0.0].into_iter()).is_none());
    }
}
