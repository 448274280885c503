import type { ComponentChildren } from 'preact';
import { decimal, signed } from './format';

export interface Interval {
  readonly low: number;
  readonly high: number;
  readonly value: number;
}

/** One row of a forest plot: the interval of a difference, its estimate, and the line of no difference. */
export function ForestRow({ interval, extent, kind, label }: { interval: Interval; extent: number; kind: 'better' | 'worse' | 'same'; label: string }) {
  const width = 240;
  const middle = 12;
  const scale = (value: number): number => width / 2 + (Math.max(-1, Math.min(1, value / (extent || 1))) * (width - 16)) / 2;
  const color = kind === 'same' ? 'var(--muted)' : `var(--${kind})`;
  return (
    <svg class="chart forest" viewBox={`0 0 ${width} 24`} height="24" role="img" aria-label={label} preserveAspectRatio="none">
      <line class="zero" x1={width / 2} x2={width / 2} y1="1" y2="23" vector-effect="non-scaling-stroke" />
      <line x1={scale(interval.low)} x2={scale(interval.high)} y1={middle} y2={middle} stroke={color} stroke-width="2.5" stroke-linecap="round" vector-effect="non-scaling-stroke" />
      {[interval.low, interval.high].map((end) => (
        <line key={end} x1={scale(end)} x2={scale(end)} y1={middle - 4} y2={middle + 4} stroke={color} stroke-width="1.5" vector-effect="non-scaling-stroke" />
      ))}
      <rect x={scale(interval.value) - 3.5} y={middle - 4.5} width="7" height="9" rx="1.5" fill={color} />
    </svg>
  );
}

export interface Bin {
  readonly low: number;
  readonly high: number;
  readonly count: number;
}

/** Groups values into bins of equal width; zero is always the edge of a bin, so that no bin mixes better and worse. */
export function bins(values: readonly number[], wanted = 21): Bin[] {
  if (values.length === 0) {
    return [];
  }
  const extent = Math.max(...values.map(Math.abs)) || 1;
  const width = niceStep((2 * extent) / wanted);
  const groups = new Map<number, number>();
  for (const value of values) {
    // Equal scores have a bin of their own at zero.
    const group = value === 0 ? 0 : value > 0 ? Math.ceil(value / width - 1e-9) : Math.floor(value / width + 1e-9);
    groups.set(group, (groups.get(group) ?? 0) + 1);
  }
  const first = Math.min(...groups.keys());
  const last = Math.max(...groups.keys());
  return Array.from({ length: last - first + 1 }, (_, i) => {
    const group = first + i;
    const low = group > 0 ? (group - 1) * width : group * width;
    return { low, high: group === 0 ? 0 : low + width, count: groups.get(group) ?? 0 };
  });
}

export function niceStep(raw: number): number {
  const power = 10 ** Math.floor(Math.log10(raw));
  const fraction = raw / power;
  return (fraction <= 1 ? 1 : fraction <= 2 ? 2 : fraction <= 5 ? 5 : 10) * power;
}

interface ChartProps {
  readonly title: string;
  readonly table: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A chart and, below it, the same numbers as a table. */
export function Figure({ title, table, children }: ChartProps) {
  return (
    <figure>
      <figcaption class="chart-title">{title}</figcaption>
      {children}
      <details class="chart-data">
        <summary>As a table</summary>
        <div class="table-scroll">{table}</div>
      </details>
    </figure>
  );
}

export function Histogram({ values, higherIsBetter, title }: { values: readonly number[]; higherIsBetter: boolean; title: string }) {
  const groups = bins(values);
  const width = 420;
  const height = 130;
  const bottom = height - 20;
  const most = Math.max(1, ...groups.map((bin) => bin.count));
  const step = (width - 8) / Math.max(1, groups.length);
  const kind = (bin: Bin): string => (bin.low === bin.high ? 'var(--muted)' : bin.high > 0 === higherIsBetter ? 'var(--better)' : 'var(--worse)');
  const name = (bin: Bin): string => (bin.low === bin.high ? 'no difference' : `${signed(bin.low)} to ${signed(bin.high)}`);
  return (
    <Figure
      title={title}
      table={
        <table class="table">
          <thead>
            <tr>
              <th>difference</th>
              <th class="end">examples</th>
            </tr>
          </thead>
          <tbody>
            {groups.map((bin) => (
              <tr key={`${bin.low}/${bin.high}`}>
                <td>{name(bin)}</td>
                <td class="end">{bin.count}</td>
              </tr>
            ))}
          </tbody>
        </table>
      }
    >
      <svg class="chart histogram" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={title}>
        <line class="axis" x1="4" x2={width - 4} y1={bottom} y2={bottom} />
        {groups.map((bin, index) => {
          const tall = (bin.count / most) * (bottom - 16);
          return (
            <g key={`${bin.low}/${bin.high}`}>
              <title>{`${name(bin)}: ${bin.count}`}</title>
              <rect x={4 + index * step + 1} y={bottom - tall} width={Math.max(1, step - 2)} height={tall} rx="1.5" fill={kind(bin)} />
              {bin.count > 0 && step > 16 && (
                <text x={4 + (index + 0.5) * step} y={bottom - tall - 4} text-anchor="middle">
                  {bin.count}
                </text>
              )}
            </g>
          );
        })}
        {groups.length > 0 && (
          <>
            <text x="4" y={height - 5}>
              {signed(groups[0]!.low)}
            </text>
            <text x={width - 4} y={height - 5} text-anchor="end">
              {signed(groups[groups.length - 1]!.high)}
            </text>
            {groups.map((bin, index) => bin.low === 0 && bin.high === 0 && index > 1 && index < groups.length - 2 && (
              <text key="zero" x={4 + (index + 0.5) * step} y={height - 5} text-anchor="middle">
                0
              </text>
            ))}
          </>
        )}
      </svg>
    </Figure>
  );
}

export interface Point {
  readonly id: string;
  readonly x: number;
  readonly y: number;
}

/** Candidate against baseline: points above the diagonal scored higher in the candidate. */
export function Scatter({ points, higherIsBetter, title, xLabel, yLabel, hrefOf }: { points: readonly Point[]; higherIsBetter: boolean; title: string; xLabel: string; yLabel: string; hrefOf?: (id: string) => string }) {
  const size = 220;
  const pad = 26;
  const all = points.flatMap((point) => [point.x, point.y]);
  const low = Math.min(0, ...all);
  const high = Math.max(1, ...all);
  const at = (value: number): number => ((value - low) / (high - low || 1)) * (size - 2 * pad);
  const places = new Map<string, Point[]>();
  for (const point of points) {
    const place = `${Math.round(at(point.x) / 3)}/${Math.round(at(point.y) / 3)}`;
    const list = places.get(place);
    list ? list.push(point) : places.set(place, [point]);
  }
  return (
    <Figure
      title={title}
      table={
        <table class="table">
          <thead>
            <tr>
              <th class="end">{xLabel}</th>
              <th class="end">{yLabel}</th>
              <th class="end">examples</th>
            </tr>
          </thead>
          <tbody>
            {[...places.values()].slice(0, 100).map((list) => (
              <tr key={list[0]!.id}>
                <td class="end">{decimal(list[0]!.x)}</td>
                <td class="end">{decimal(list[0]!.y)}</td>
                <td class="end">{list.length}</td>
              </tr>
            ))}
          </tbody>
        </table>
      }
    >
      <svg class="chart scatter" viewBox={`0 0 ${size} ${size}`} role="group" aria-label={title}>
        <rect x={pad} y={pad} width={size - 2 * pad} height={size - 2 * pad} fill="none" class="axis" />
        <line class="zero" x1={pad} y1={size - pad} x2={size - pad} y2={pad} />
        {[...places.values()].map((list) => {
          const point = list[0]!;
          const difference = point.y - point.x;
          const color = difference === 0 ? 'var(--muted)' : difference > 0 === higherIsBetter ? 'var(--better)' : 'var(--worse)';
          const circle = (
            <circle cx={pad + at(point.x)} cy={size - pad - at(point.y)} r={Math.min(14, 2.5 + Math.sqrt(list.length) * 1.1)} fill={color} fill-opacity="0.55" stroke={color}>
              <title>{`${decimal(point.x)} → ${decimal(point.y)}: ${list.length}`}</title>
            </circle>
          );
          return hrefOf && list.length === 1 ? (
            <a key={point.id} href={hrefOf(point.id)} tabIndex={-1}>
              {circle}
            </a>
          ) : (
            <g key={point.id}>{circle}</g>
          );
        })}
        <text x={pad} y={size - pad + 13}>
          {decimal(low)}
        </text>
        <text x={size - pad} y={size - pad + 13} text-anchor="end">
          {decimal(high)}
        </text>
        <text x={size / 2} y={size - 2} text-anchor="middle">
          {xLabel}
        </text>
        <text transform={`translate(10 ${size / 2}) rotate(-90)`} text-anchor="middle">
          {yLabel}
        </text>
      </svg>
    </Figure>
  );
}
