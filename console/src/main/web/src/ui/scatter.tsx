import { useRef, useState } from 'preact/hooks';
import { Figure } from './charts';
import { count, decimal } from './format';
import { edgeText, formatRange, lowOf, type NumberRange } from './ranges';

/** Examples with the score of the baseline in one range, and that of the candidate in another. */
export interface Cell {
  readonly baseline: NumberRange;
  readonly score: NumberRange;
  readonly count: number;
}

interface Props {
  readonly cells: readonly Cell[];
  readonly higherIsBetter: boolean;
  readonly title: string;
  readonly xLabel: string;
  readonly yLabel: string;
  /** As `cellText`. */
  readonly selected?: string;
  readonly onSelect?: (cell: Cell | null) => void;
}

const SIZE = 220;
const PAD = 26;
const MAX_LISTED = 100;

/** As in an address. */
export const cellText = (cell: Pick<Cell, 'baseline' | 'score'>): string => `${formatRange(cell.baseline)}/${formatRange(cell.score)}`;

/** Candidate against baseline: circles above the diagonal scored higher in the candidate; their area is the number of examples. */
export function Scatter({ cells, higherIsBetter, title, xLabel, yLabel, selected = '', onSelect }: Props) {
  const [focused, setFocused] = useState(0);
  const element = useRef<SVGSVGElement>(null);
  const sorted = [...cells].sort((a, b) => lowOf(a.baseline) - lowOf(b.baseline) || lowOf(a.score) - lowOf(b.score));
  const edges = sorted.flatMap((cell) => [lowOf(cell.baseline), lowOf(cell.score)]);
  const low = Math.min(0, ...edges);
  const high = Math.max(1, ...edges);
  const most = Math.max(1, ...sorted.map((cell) => cell.count));
  const at = (value: number): number => ((value - low) / (high - low)) * (SIZE - 2 * PAD);
  const current = Math.min(focused, sorted.length - 1);
  const choose = (cell: Cell): void => onSelect?.(cellText(cell) === selected ? null : cell);
  const onKeyDown = (event: KeyboardEvent): void => {
    const targets: Record<string, number> = { ArrowLeft: current - 1, ArrowRight: current + 1, ArrowDown: current - 1, ArrowUp: current + 1, Home: 0, End: sorted.length - 1 };
    const target = targets[event.key];
    if (event.altKey || event.ctrlKey || event.metaKey || sorted.length === 0) {
      return;
    }
    if (target !== undefined) {
      event.preventDefault();
      const next = Math.max(0, Math.min(sorted.length - 1, target));
      setFocused(next);
      element.current?.querySelectorAll<SVGGElement>('.cell')[next]?.focus();
    } else if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      choose(sorted[current]!);
    }
  };
  return (
    <Figure title={title} table={<CellTable cells={sorted} xLabel={xLabel} yLabel={yLabel} onSelect={onSelect && choose} />}>
      <svg
        ref={element}
        class={`chart scatter ${onSelect ? 'brushable' : ''} ${selected ? 'brushed' : ''}`}
        viewBox={`0 0 ${SIZE} ${SIZE}`}
        role={onSelect ? 'group' : 'img'}
        aria-label={title}
        {...(onSelect ? { onKeyDown } : {})}
      >
        <rect x={PAD} y={PAD} width={SIZE - 2 * PAD} height={SIZE - 2 * PAD} fill="none" class="axis" />
        <line class="zero" x1={PAD} y1={SIZE - PAD} x2={SIZE - PAD} y2={PAD} />
        {sorted.map((cell, index) => {
          const difference = lowOf(cell.score) - lowOf(cell.baseline);
          const color = difference === 0 ? 'var(--muted)' : difference > 0 === higherIsBetter ? 'var(--better)' : 'var(--worse)';
          const text = cellText(cell);
          const label = `${xLabel} ${edgeText(cell.baseline)}, ${yLabel} ${edgeText(cell.score)}: ${count(cell.count)}`;
          return (
            <g
              key={text}
              class="cell"
              {...(onSelect ? { role: 'button' as const, tabindex: index === current ? 0 : -1, 'aria-pressed': text === selected, 'aria-label': `${label} examples`, onClick: () => (setFocused(index), choose(cell)) } : {})}
            >
              <title>{label}</title>
              <circle cx={PAD + at(lowOf(cell.baseline))} cy={SIZE - PAD - at(lowOf(cell.score))} r={3 + 10 * Math.sqrt(cell.count / most)} fill={color} stroke={color} />
            </g>
          );
        })}
        <text x={PAD} y={SIZE - PAD + 15}>
          {decimal(low)}
        </text>
        <text x={SIZE - PAD} y={SIZE - PAD + 15} text-anchor="end">
          {decimal(high)}
        </text>
        <text x={SIZE / 2} y={SIZE - 2} text-anchor="middle">
          {xLabel}
        </text>
        <text transform={`translate(10 ${SIZE / 2}) rotate(-90)`} text-anchor="middle">
          {yLabel}
        </text>
      </svg>
    </Figure>
  );
}

function CellTable({ cells, xLabel, yLabel, onSelect }: { cells: readonly Cell[]; xLabel: string; yLabel: string; onSelect: ((cell: Cell) => void) | undefined }) {
  return (
    <table class="table">
      <thead>
        <tr>
          <th class="end">{xLabel} from</th>
          <th class="end">{yLabel} from</th>
          <th class="end">Examples</th>
        </tr>
      </thead>
      <tbody>
        {cells.slice(0, MAX_LISTED).map((cell) => (
          <tr key={cellText(cell)}>
            <td class="end">{edgeText(cell.baseline)}</td>
            <td class="end">{edgeText(cell.score)}</td>
            <td class="end">
              {onSelect ? (
                <button class="button quiet" type="button" title="Show these examples" onClick={() => onSelect(cell)}>
                  {count(cell.count)}
                </button>
              ) : (
                count(cell.count)
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
