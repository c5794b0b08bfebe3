// The entry: each module looks after one manner of the pages and nothing else.
import "./focus.js";
import "./frame.js";
import "./toasts.js";
import "./replies.js";
import "./doubts.js";
import "./drafts.js";
import "./asks.js";
import "./session.js";
import "./live.js";
import "./bell.js";
import "./mention.js";
import "./keyboard.js";
import "./ticks.js";
import "./viewer.js";
import "./palette.js";
import "./countdown.js";
import "./uploads.js";
