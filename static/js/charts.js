// Charts: Chart.js draws what the page handed over as JSON, in the colours of the tokens. Only pages with a chart load it;
// where charts come with what is swapped in, js/late-charts.js sees to them.
// Arrow keys move from point to point and each is said; the table beside the chart has the same figures.
const COLOURS = { in: "--ok", out: "--accent", line: "--accent", ink: "--ink-3", grid: "--line", zero: "--bad", paper: "--paper", text: "--ink" };
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const dark = matchMedia("(prefers-color-scheme: dark)");
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

// Whole numbers become units only here, for the axis; with the marks of the business.
function axisFormat({ locale, group, point, digits }, top) {
  const large = top / 10 ** digits >= 1e5;
  const format = new Intl.NumberFormat(locale, { notation: large ? "compact" : "standard", maximumSignificantDigits: 6 });
  const marks = { group, decimal: point };
  return (value) => format.formatToParts(value / 10 ** digits).map((part) => marks[part.type] ?? part.value).join("");
}

function look(figures, colour) {
  const highest = Math.max(...figures.series.flatMap((series) => series.values).map(Math.abs), 0);
  const tick = axisFormat(figures, highest);
  const font = { family: getComputedStyle(document.body).fontFamily, size: 12 };
  const isZero = (context) => figures.crosses_zero && context.tick?.value === 0;
  // Bars from the left have their names beside them, and their values below.
  const across = figures.kind === "across";
  const names = { ticks: { color: colour.ink, font, maxRotation: 0, autoSkip: !across, autoSkipPadding: 12 }, grid: { display: false }, border: { color: colour.grid } };
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
      animation: calm.matches || late ? false : { duration: 200 },
      maintainAspectRatio: false,
      indexAxis: across ? "y" : "x",
      interaction: { mode: "index", axis: across ? "y" : "x", intersect: false },
      scales: across ? { x: values, y: names } : { x: names, y: values },
      plugins: {
        legend: { display: false },
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

function draw(canvas) {
  const figures = JSON.parse(document.getElementById(canvas.dataset.chart).textContent);
  drawn.get(canvas)?.chart.destroy();
  drawn.set(canvas, { figures, chart: new window.Chart(canvas, look(figures, colours(canvas))), at: -1 });
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

function press(event) {
  const canvas = event.currentTarget, move = MOVES[event.key];
  if (event.key === "Escape") return show(canvas, -1);
  if (!move || event.ctrlKey || event.altKey || event.metaKey) return;
  event.preventDefault();
  event.stopPropagation();
  const { figures, at } = drawn.get(canvas);
  show(canvas, Math.max(0, Math.min(figures.labels.length - 1, move(at))));
}

export function begin(canvas) {
  // Without the library the table says it alone.
  if (!window.Chart) return void (canvas.closest("figure").hidden = true);
  if (!canvas.isConnected || drawn.has(canvas)) return;
  draw(canvas);
  canvas.addEventListener("keydown", press);
  canvas.addEventListener("blur", () => show(canvas, -1));
}

// Canvases that are not drawn yet; those that a swap took away are let go.
export function fresh() {
  for (const [canvas, { chart }] of drawn) {
    if (canvas.isConnected) continue;
    chart.destroy();
    drawn.delete(canvas);
  }
  return [...document.querySelectorAll("canvas[data-chart]")].filter((canvas) => !drawn.has(canvas));
}

export const late = document.querySelector("script[data-library]");
if (!late) fresh().forEach(begin);
const redraw = () => [...drawn.keys()].forEach(draw);
dark.addEventListener("change", redraw);
calm.addEventListener("change", redraw);
new MutationObserver(redraw).observe(document.documentElement, { attributeFilter: ["data-theme"] });
