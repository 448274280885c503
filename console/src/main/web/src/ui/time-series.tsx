import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { theme } from '../app/theme';

export interface Series {
  readonly label: string;
  readonly values: readonly (number | null)[];
  /** Name of a colour token. */
  readonly color: string;
  readonly bars?: boolean;
  readonly format: (value: number) => string;
}

interface Props {
  readonly title: string;
  readonly times: readonly number[];
  readonly series: readonly Series[];
  readonly height?: number;
  /** Seconds around each time that a click selects. */
  readonly step?: number;
  readonly onSelect?: (from: number, to: number) => void;
}

/** Indices of values without a neighbour, to which no line leads. */
const isolated = (values: readonly (number | null)[]): number[] => values.flatMap((value, at) => (value !== null && (values[at - 1] ?? null) === null && (values[at + 1] ?? null) === null ? [at] : []));

/** Values over time; dragging selects a range, a click that of one value. */
export default function TimeSeries({ title, times, series, height = 120, step = 0, onSelect }: Props) {
  const element = useRef<HTMLDivElement>(null);
  const select = useRef(onSelect);
  select.current = onSelect;
  useEffect(() => {
    const target = element.current!;
    const style = getComputedStyle(document.documentElement);
    const token = (name: string): string => resolve(target, style.getPropertyValue(`--${name}`) || name);
    let dragged = false;
    const axis = { stroke: token('muted'), grid: { stroke: token('line'), width: 1 }, ticks: { show: false }, font: '11px system-ui' };
    const chart = new uPlot(
      {
        width: Math.max(160, target.clientWidth),
        height,
        legend: { show: false },
        cursor: { drag: { x: true, y: false }, points: { size: 6 } },
        // The first and the last bar are drawn whole.
        scales: { x: { time: true, range: (_, min, max) => [min - step / 2, max + step / 2] }, y: { range: (_, __, max) => [0, max || 1] } },
        axes: [{ ...axis, size: 24, space: 70, values: (_, ticks, __, ___, step) => ticks.map((tick) => timeLabel(tick, step)) }, { ...axis, size: 68, space: 20, values: (_, ticks) => ticks.map((tick) => series[0]?.format(tick) ?? String(tick)) }],
        series: [
          {},
          ...series.map((one) => ({
            label: one.label,
            stroke: token(one.color),
            fill: one.bars ? token(one.color) : 'transparent',
            width: one.bars ? 0 : 1.5,
            points: one.bars ? { show: false } : { show: true, fill: token(one.color), ...(times.length < 40 ? {} : { filter: () => isolated(one.values) }) },
            ...(one.bars ? { paths: uPlot.paths.bars!({ size: [0.72, 40] }) } : {}),
          })),
        ],
        hooks: {
          setSelect: [
            (plot) => {
              if (plot.select.width > 4) {
                dragged = true;
                select.current?.(plot.posToVal(plot.select.left, 'x'), plot.posToVal(plot.select.left + plot.select.width, 'x'));
                plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
              }
            },
          ],
        },
      },
      [times as number[], ...series.map((one) => one.values as number[])],
      target,
    );
    const click = (): void => {
      const time = times[chart.cursor.idx ?? -1];
      if (!dragged && time !== undefined && step > 0) {
        select.current?.(time - step / 2, time + step / 2);
      }
    };
    chart.over.addEventListener('mousedown', () => {
      dragged = false;
    });
    chart.over.addEventListener('click', click);
    const resize = new ResizeObserver(() => chart.setSize({ width: Math.max(160, target.clientWidth), height }));
    resize.observe(target);
    return () => {
      resize.disconnect();
      chart.destroy();
    };
  }, [times, series, height, step, theme.value]);
  return <div ref={element} class="time-series" role="img" aria-label={title} />;
}

const day = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short' });
const hour = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });

function timeLabel(tick: number, step: number): string {
  const date = new Date(tick * 1000);
  const time = hour.format(date);
  return step >= 86_400 || time === '00:00' ? day.format(date) : time;
}

/** A canvas does not understand light-dark(): the browser resolves it for an element. */
function resolve(parent: HTMLElement, value: string): string {
  const probe = document.createElement('span');
  probe.style.color = value;
  parent.append(probe);
  const color = getComputedStyle(probe).color;
  probe.remove();
  return color;
}
