// A text from outside, written by a script: what turns text around stays within it (dashboard/bidi.py, for templates).
const TURNS = /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefe\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
// Left open, or closed twice, they would reach beyond the text: none of them is written.
const REACHING = /[\u202a-\u202e\u2066-\u2069]/g;

export const isolated = (text) => (TURNS.test(text) ? `\u2068${text.replace(REACHING, "")}\u2069` : text);
