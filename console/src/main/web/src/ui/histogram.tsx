import { useReducer, useRef, useState } from 'preact/hooks';
import { Figure } from './charts';
import { count, signed } from './format';
import { covers, differenceText, formatRange, highOf, lowOf, spanning, type NumberRange } from './ranges';

export interface Bin {
  readonly range: NumberRange;
  readonly count: number;
}

interface Props {
  readonly bins: readonly Bin[];
  readonly higherIsBetter: boolean;
  readonly title: string;
  readonly selected?: NumberRange | null;
  /** Receives the range of a click or a drag; null if it was selected before. */
  readonly onSelect?: (range: NumberRange | null) => void;
}

const WIDTH = 420;
const HEIGHT = 130;
const BOTTOM = HEIGHT - 20;
const PAD = 4;
/** Narrower bars have no room for their count. */
const MIN_LABELLED = 16;

/** Numbers of differences; a click, a drag, or arrows and Enter select a range. */
export function Histogram({ bins, higherIsBetter, title, selected = null, onSelect }: Props) {
  const [focused, setFocused] = useState(0);
  const [, update] = useReducer((n: number) => n + 1, 0);
  const element = useRef<SVGSVGElement>(null);
  const brush = useRef<{ from: number; to: number } | null>(null);
  const anchor = useRef(0);
  const step = (WIDTH - 2 * PAD) / Math.max(1, bins.length);
  const most = Math.max(1, ...bins.map((bin) => bin.count));
  const current = Math.min(focused, bins.length - 1);
  const rangeOf = (from: number, to: number): NumberRange => spanning(bins[Math.min(from, to)]!.range, bins[Math.max(from, to)]!.range);
  const shown = brush.current && bins.length ? rangeOf(brush.current.from, brush.current.to) : selected;

  const choose = (range: NumberRange): void => onSelect?.(selected && formatRange(selected) === formatRange(range) ? null : range);
  const indexAt = (clientX: number): number => {
    const box = element.current!.getBoundingClientRect();
    const x = ((clientX - box.left) / (box.width || 1)) * WIDTH;
    return Math.max(0, Math.min(bins.length - 1, Math.floor((x - PAD) / step)));
  };
  const move = (to: number, isExtended: boolean): void => {
    const next = Math.max(0, Math.min(bins.length - 1, to));
    setFocused(next);
    element.current?.querySelectorAll<SVGGElement>('.bin')[next]?.focus();
    if (isExtended) {
      onSelect?.(rangeOf(anchor.current, next));
    } else {
      anchor.current = next;
    }
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const targets: Record<string, number> = { ArrowLeft: current - 1, ArrowRight: current + 1, Home: 0, End: bins.length - 1 };
    const target = targets[event.key];
    if (event.altKey || event.ctrlKey || event.metaKey || bins.length === 0) {
      return;
    }
    if (target !== undefined) {
      event.preventDefault();
      move(target, event.shiftKey);
    } else if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      anchor.current = current;
      choose(bins[current]!.range);
    }
  };
  const interactive = onSelect && {
    onKeyDown,
    onPointerDown: (event: PointerEvent) => {
      if (event.button === 0 && bins.length) {
        const index = indexAt(event.clientX);
        element.current!.setPointerCapture(event.pointerId);
        brush.current = { from: index, to: index };
        anchor.current = index;
        setFocused(index);
        update(0);
      }
    },
    onPointerMove: (event: PointerEvent) => {
      if (brush.current) {
        brush.current = { ...brush.current, to: indexAt(event.clientX) };
        update(0);
      }
    },
    onPointerUp: () => {
      const done = brush.current;
      brush.current = null;
      if (done) {
        choose(rangeOf(done.from, done.to));
      }
      update(0);
    },
    onPointerCancel: () => {
      brush.current = null;
      update(0);
    },
  };

  return (
    <Figure title={title} hint={onSelect && 'Click or drag to filter, or use the arrow keys, Shift and Enter.'} table={<BinTable bins={bins} onSelect={onSelect && choose} />}>
      <svg ref={element} class={`chart histogram ${onSelect ? 'brushable' : ''} ${shown ? 'brushed' : ''}`} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role={onSelect ? 'group' : 'img'} aria-label={title} {...interactive}>
        <line class="axis" x1={PAD} x2={WIDTH - PAD} y1={BOTTOM} y2={BOTTOM} />
        {bins.map((bin, index) => {
          const tall = (bin.count / most) * (BOTTOM - 16);
          const isSelected = shown !== null && covers(shown, bin.range);
          const label = `${differenceText(bin.range)}: ${count(bin.count)}`;
          return (
            <g key={formatRange(bin.range)} class="bin" {...(onSelect ? { role: 'button' as const, tabindex: index === current ? 0 : -1, 'aria-pressed': isSelected, 'aria-label': `${label} examples` } : {})}>
              <title>{label}</title>
              <rect class="bin-area" x={PAD + index * step} y="2" width={step} height={BOTTOM - 2} />
              <rect class="bin-bar" x={PAD + index * step + 1} y={BOTTOM - tall} width={Math.max(1, step - 2)} height={tall} rx="1.5" fill={colorOf(bin, higherIsBetter)} />
              {bin.count > 0 && step > MIN_LABELLED && (
                <text x={PAD + (index + 0.5) * step} y={BOTTOM - tall - 4} text-anchor="middle">
                  {bin.count}
                </text>
              )}
            </g>
          );
        })}
        <Axis bins={bins} step={step} />
      </svg>
    </Figure>
  );
}

const isZero = (bin: Bin): boolean => lowOf(bin.range) === 0 && highOf(bin.range) === 0;

function colorOf(bin: Bin, higherIsBetter: boolean): string {
  return isZero(bin) ? 'var(--muted)' : highOf(bin.range) > 0 === higherIsBetter ? 'var(--better)' : 'var(--worse)';
}

function Axis({ bins, step }: { bins: readonly Bin[]; step: number }) {
  const zero = bins.findIndex(isZero);
  if (bins.length === 0) {
    return null;
  }
  return (
    <>
      <text x={PAD} y={HEIGHT - 5}>
        {signed(lowOf(bins[0]!.range))}
      </text>
      <text x={WIDTH - PAD} y={HEIGHT - 5} text-anchor="end">
        {signed(highOf(bins[bins.length - 1]!.range))}
      </text>
      {zero > 1 && zero < bins.length - 2 && (
        <text x={PAD + (zero + 0.5) * step} y={HEIGHT - 5} text-anchor="middle">
          0
        </text>
      )}
    </>
  );
}

function BinTable({ bins, onSelect }: { bins: readonly Bin[]; onSelect: ((range: NumberRange) => void) | undefined }) {
  return (
    <table class="table">
      <thead>
        <tr>
          <th>Difference</th>
          <th class="end">Examples</th>
        </tr>
      </thead>
      <tbody>
        {bins.map((bin) => (
          <tr key={formatRange(bin.range)}>
            <td>
              {onSelect ? (
                <button class="button quiet" type="button" title="Show these examples" onClick={() => onSelect(bin.range)}>
                  {differenceText(bin.range)}
                </button>
              ) : (
                differenceText(bin.range)
              )}
            </td>
            <td class="end">{count(bin.count)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
