//! Chess endgame tables as two-level logic.
