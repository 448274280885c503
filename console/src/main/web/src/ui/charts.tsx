import type { ComponentChildren } from 'preact';

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

interface ChartProps {
  readonly title: string;
  /** How to use it. */
  readonly hint?: string | undefined;
  readonly table: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A chart and, below it, the same numbers as a table. */
export function Figure({ title, hint, table, children }: ChartProps) {
  return (
    <figure>
      <figcaption class="chart-title">{title}</figcaption>
      {children}
      {hint && <p class="chart-hint faint">{hint}</p>}
      <details class="chart-data">
        <summary>As a table</summary>
        <div class="table-scroll">{table}</div>
      </details>
    </figure>
  );
}
