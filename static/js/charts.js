// Charts: Chart.js draws what the page handed over as JSON, in the colours of the tokens; js/late-charts.js says when.
// Arrow keys move from point to point and each is said; the table beside the chart has the same figures.
const COLOURS = { in: "--ok", out: "--accent", line: "--accent", ink: "--ink-3", grid: "--line", zero: "--bad", paper: "--paper", text: "--ink" };
const dark = matchMedia("(prefers-color-scheme: dark)");
const UNUSED = { legend: false, title: false, subtitle: false, filler: false, decimation: false, colors: false };
// So many names are measured to see how many fit beneath a chart.
const SAMPLE = 6;
const drawn = new Map();

// A token's colour as it is now: light-dark() is resolved only where a property uses it.
function colours(canvas) {
  const before = canvas.style.color;
  const colours = {};
  for (const [name, token] of Object.entries(COLOURS)) {
    canvas.style.color = `var(${token})`;
    colours[name] = getComputedStyle(canvas).color;
  }
  canvas.style.color = before;
  return colours;
}

// Whole numbers become units only here, for the axis; with the marks and the short forms of the business. The browser's own
// Intl would do it, too: the first of a page takes it longer than all the rest of a chart.
const DIGITS = 6, DECIMALS = 9;
function axisFormat({ group, point, digits, shorts }, top) {
  const large = top / 10 ** digits >= 1e5, plain = { divisor: 1, before: "", after: "" };
  return (value) => {
    const units = Math.abs(value) / 10 ** digits;
    const { divisor, before, after } = (large && shorts.findLast(({ least }) => units >= least)) || plain;
    const [whole, decimals] = Number((units / divisor).toPrecision(DIGITS)).toFixed(DECIMALS).split(".");
    const rest = decimals.replace(/0+$/, "");
    return `${value < 0 ? "-" : ""}${before}${whole.replace(/\B(?=(\d{3})+$)/g, group)}${rest && point + rest}${after}`;
  };
}

function look(figures, colour) {
  const highest = Math.max(...figures.series.flatMap((series) => series.values).map(Math.abs), 0);
  const tick = axisFormat(figures, highest);
  const font = { family: getComputedStyle(document.body).fontFamily, size: 12 };
  const isZero = (context) => figures.crosses_zero && context.tick?.value === 0;
  // Bars from the left have their names beside them, and their values below.
  const across = figures.kind === "across";
  const names = { ticks: { color: colour.ink, font, maxRotation: 0, autoSkip: !across, autoSkipPadding: 12, ...(across ? {} : { sampleSize: SAMPLE }) }, grid: { display: false }, border: { color: colour.grid } };
  const values = {
    beginAtZero: figures.kind !== "line",
    title: { display: true, text: figures.unit, color: colour.ink, font },
    ticks: { color: colour.ink, font, maxTicksLimit: 5, maxRotation: 0, callback: tick },
    grid: { color: (context) => (isZero(context) ? colour.zero : colour.grid) },
    border: { display: false, dash: (context) => (isZero(context) ? [4, 4] : []) },
  };
  return {
    type: across ? "bar" : figures.kind,
    data: {
      labels: figures.labels,
      datasets: figures.series.map((series) => ({
        label: series.name,
        data: series.values,
        backgroundColor: colour[series.tone],
        borderColor: colour[series.tone],
        borderWidth: figures.kind === "line" ? 2 : 0,
        pointRadius: 0,
        pointHoverRadius: 5,
        maxBarThickness: 28,
      })),
    },
    options: {
      animation: false,
      maintainAspectRatio: false,
      indexAxis: across ? "y" : "x",
      interaction: { mode: "index", axis: across ? "y" : "x", intersect: false },
      scales: across ? { x: values, y: names } : { x: names, y: values },
      plugins: {
        ...UNUSED,
        tooltip: {
          backgroundColor: colour.text, titleColor: colour.paper, bodyColor: colour.paper, titleFont: font, bodyFont: font,
          displayColors: false,
          callbacks: { label: ({ datasetIndex, dataIndex }) => sentence(figures.series[datasetIndex], dataIndex) },
        },
      },
    },
  };
}

const sentence = (series, index) => `${series.name}: ${series.texts[index]}`;

// A chart's work in parts: whoever runs them leaves the browser free between them. What Chart.js would do at once is held back
// by its own hooks.
export function* parts(canvas) {
  const figures = JSON.parse(document.getElementById(canvas.dataset.chart).textContent);
  const config = look(figures, colours(canvas));
  yield;
  const held = { layout: true, paint: true };
  const plugins = [{ id: "parts", beforeUpdate: () => !held.layout, beforeRender: () => !held.paint }];
  drawn.get(canvas)?.chart.destroy();
  const chart = new window.Chart(canvas, { ...config, plugins });
  drawn.set(canvas, { figures, chart, at: -1 });
  // Another drawing of it, in the colours of another theme, may have taken its place meanwhile; or a swap the canvas.
  const stands = () => drawn.get(canvas)?.chart === chart && canvas.isConnected;
  yield;
  held.layout = false;
  if (stands()) chart.update("none");
  yield;
  held.paint = false;
  if (stands()) chart.render();
}

function show(canvas, index) {
  const state = drawn.get(canvas);
  const { chart, figures } = state;
  state.at = index;
  const active = index < 0 ? [] : figures.series.map((_, datasetIndex) => ({ datasetIndex, index }));
  chart.setActiveElements(active);
  chart.tooltip.setActiveElements(active, { x: 0, y: 0 });
  chart.update("none");
  const spokenPoint = index < 0 ? "" : `${figures.labels[index]}. ${figures.series.map((series) => sentence(series, index)).join(", ")}`;
  canvas.closest("figure").querySelector("[data-said]").textContent = spokenPoint;
}

const next = (at) => at + 1, previous = (at) => at - 1;
const MOVES = { ArrowRight: next, ArrowDown: next, ArrowLeft: previous, ArrowUp: previous, Home: () => 0, End: () => Infinity };

// Whether the key is one that a chart answers.
export const answers = ({ key, ctrlKey, altKey, metaKey }) => key === "Escape" || (key in MOVES && !ctrlKey && !altKey && !metaKey);

export function press(canvas, key) {
  const state = drawn.get(canvas);
  if (!state) return;
  if (key === "Escape") return show(canvas, -1);
  show(canvas, Math.max(0, Math.min(state.figures.labels.length - 1, MOVES[key](state.at))));
}

export const isDrawn = (canvas) => drawn.has(canvas);
export const leave = (canvas) => { if (drawn.has(canvas)) show(canvas, -1); };

// Canvases that are not drawn yet; those that a swap took away are let go.
export function fresh() {
  for (const [canvas, { chart }] of drawn) {
    if (canvas.isConnected) continue;
    chart.destroy();
    drawn.delete(canvas);
  }
  return [...document.querySelectorAll("canvas[data-chart]")].filter((canvas) => !drawn.has(canvas));
}

const redraw = () => { for (const canvas of drawn.keys()) [...parts(canvas)]; };
dark.addEventListener("change", redraw);
new MutationObserver(redraw).observe(document.documentElement, { attributeFilter: ["data-theme"] });
