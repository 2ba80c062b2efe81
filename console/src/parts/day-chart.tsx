import { useEffect, useRef, useState } from 'react';
import './chart-locale.ts';
import UPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { useScheme } from '../control/theme.ts';
import { DataTable, type TableData } from './data-table.tsx';

/** Look of a series: its position in the chart color palette. */
export type SeriesLook = 'first' | 'second' | 'third' | 'fourth';

/** Line of a chart with an optional percentile band. */
export interface DaySeries {
  readonly name: string;
  readonly look: SeriesLook;
  readonly values: readonly number[];
  readonly band?: { readonly low: readonly number[]; readonly high: readonly number[] } | undefined;
}

const chartPixels = 260;
const bandOpacity = 0.18;
const secondsADay = 86_400;

/** Distances between the ticks of counts: 1, 2 and 5 times each power of ten. */
const wholeSteps = Array.from({ length: 10 }, (_, power) => [1, 2, 5].map((step) => step * 10 ** power)).flat();

/**
 * Renders lines over days with optional bands. The chart is an image with a text alternative, and its data is in
 * the table below. Dates have the form 2026-01-05, and each series has one value per date.
 */
export function DayChart({
  title,
  says,
  dates,
  series,
  file,
}: {
  readonly title: string;
  readonly says: string;
  readonly dates: readonly string[];
  readonly series: readonly DaySeries[];
  readonly file: string;
}) {
  const box = useRef<HTMLDivElement>(null);
  const scheme = useScheme();
  const [pointed, setDay] = useState<number | null>(null);
  const day = dates.length === 1 ? 0 : pointed;

  // biome-ignore lint/correctness/useExhaustiveDependencies: the colors are read again in the other scheme.
  useEffect(() => {
    const place = box.current;
    if (place === null) return;
    const chart = new UPlot(createPlotOptions(place, { dates, series }, setDay), toPlotData(dates, series), place);
    const watcher = new ResizeObserver(() => {
      // Drawing resizes the box, so it is delayed to the next frame to keep the resize observer from observing its own
      // change.
      requestAnimationFrame(() => chart.setSize({ width: place.clientWidth, height: chartPixels }));
    });
    watcher.observe(place);
    return () => {
      watcher.disconnect();
      chart.destroy();
    };
  }, [dates, series, scheme]);

  return (
    <figure className="chart">
      <figcaption>
        <h3>{title}</h3>
        <p className="hint">{says}</p>
        <ul className="legend">
          {series.map(({ name, look, values }) => (
            <li key={name}>
              <span className={`key ${look}`} /> {name}
              {day !== null && `: ${(values[day] ?? 0).toLocaleString('en')}`}
            </li>
          ))}
          <li className="day">{day === null ? '' : dates[day]}</li>
        </ul>
      </figcaption>
      <div ref={box} className="plot" role="img" aria-label={`${title}. ${says}`} />
      <DataTable title={title} data={createTable(dates, series)} file={file} />
    </figure>
  );
}

function createTable(dates: readonly string[], series: readonly DaySeries[]): TableData {
  const columns = series.flatMap(({ name, values, band }) => [
    { name, values },
    ...(band === undefined
      ? []
      : [
          { name: `${name}, low`, values: band.low },
          { name: `${name}, high`, values: band.high },
        ]),
  ]);
  return {
    head: ['Day', ...columns.map(({ name }) => name)],
    rows: dates.map((date, day) => [date, ...columns.map(({ values }) => round(values[day] ?? 0))]),
  };
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function toPlotData(dates: readonly string[], series: readonly DaySeries[]): UPlot.AlignedData {
  const days = dates.map((date) => Date.parse(date) / 1_000);
  const lines = series.flatMap(({ values, band }) => (band === undefined ? [values] : [values, band.low, band.high]));
  return [days, ...lines.map((line) => [...line])] as unknown as UPlot.AlignedData;
}

function createPlotOptions(
  place: HTMLElement,
  { dates, series }: { readonly dates: readonly string[]; readonly series: readonly DaySeries[] },
  onDay: (day: number | null) => void,
): UPlot.Options {
  const style = getComputedStyle(place);
  const color = (name: string): string => style.getPropertyValue(name).trim();
  // A line needs two days: a single one has points, with a day on each side.
  const isSingle = dates.length === 1;
  const only = Date.parse(dates[0] ?? '') / 1_000;
  const lines: UPlot.Series[] = [];
  const bands: UPlot.Band[] = [];
  for (const { name, look, band } of series) {
    lines.push({ label: name, stroke: color(`--chart-${look}`), width: 2, points: { show: isSingle, size: 10 } });
    if (band === undefined) continue;
    const first = lines.length + 1;
    const hidden = { stroke: 'transparent', width: 0, points: { show: false } };
    lines.push({ ...hidden, label: `${name}, low` }, { ...hidden, label: `${name}, high` });
    bands.push({ series: [first + 1, first], fill: faint(color(`--chart-${look}`)) });
  }
  const axis = {
    stroke: color('--quiet'),
    grid: { stroke: color('--edge'), width: 1 },
    ticks: { stroke: color('--edge'), width: 1 },
  };
  return {
    width: Math.max(200, place.clientWidth),
    height: chartPixels,
    // Days are UTC days in every time zone of the browser.
    tzDate: (seconds) => UPlot.tzDate(new Date(seconds * 1_000), 'Etc/UTC'),
    legend: { show: false },
    cursor: { drag: { x: false, y: false } },
    scales: {
      ...(isSingle ? { x: { range: [only - secondsADay, only + secondsADay] } } : {}),
      y: { range: (_chart, _low, high) => [0, Math.max(1, high * 1.05)] },
    },
    series: [{}, ...lines],
    bands,
    axes: [
      { ...axis, incrs: [1, 2, 7, 14, 28, 91, 182, 364].map((days) => days * secondsADay), values: '{MMM} {D}' },
      // Users and prompts are whole numbers.
      {
        ...axis,
        size: 64,
        incrs: wholeSteps,
        values: (_chart, ticks) => ticks.map((tick) => tick.toLocaleString('en')),
      },
    ],
    hooks: { setCursor: [({ cursor }) => onDay(cursor.idx ?? null)] },
  };
}

function faint(color: string): string {
  return `color-mix(in srgb, ${color} ${bandOpacity * 100}%, transparent)`;
}
