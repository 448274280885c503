import { useEffect, useMemo, useRef } from 'preact/hooks';
import { count, seconds } from '../ui/format';
import { useVirtual } from '../ui/table';
import type { Node, Trace } from './model';

const ROW = 28;

interface Props {
  readonly trace: Trace;
  readonly rows: readonly Node[];
  readonly selected: string;
  readonly collapsed: ReadonlySet<string>;
  readonly onSelect: (id: string) => void;
  readonly onToggle: (id: string) => void;
}

/** The runs of a trace on one time axis. Arrows move, left and right collapse and expand. */
export function Tree({ trace, rows, selected, collapsed, onSelect, onToggle }: Props) {
  const element = useRef<HTMLDivElement>(null);
  const virtual = useVirtual(rows.length, ROW, element);
  const index = rows.findIndex((node) => node.run.id === selected);
  const seen = useRef('');
  // Of the whole trace, so that collapsing a run moves no other.
  const deepest = useMemo(() => [...trace.byId.values()].reduce((most, node) => Math.max(most, node.depth), 1), [trace]);
  useEffect(() => {
    if (index >= 0 && seen.current !== selected) {
      virtual.scrollToIndex(index, { align: seen.current ? 'auto' : 'center' });
      seen.current = selected;
    }
  }, [selected, index]);

  const onKeyDown = (event: KeyboardEvent): void => {
    const node = rows[index];
    const steps: Record<string, number> = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1, PageDown: 15, PageUp: -15, Home: -rows.length, End: rows.length };
    const step = steps[event.key];
    if (event.altKey || event.ctrlKey || event.metaKey) {
      return;
    }
    if (step !== undefined) {
      event.preventDefault();
      event.stopPropagation();
      const next = rows[Math.max(0, Math.min(rows.length - 1, index + step))];
      if (next) {
        onSelect(next.run.id);
      }
    } else if (node && (event.key === 'ArrowRight' || event.key === 'ArrowLeft')) {
      event.preventDefault();
      const isOpen = !collapsed.has(node.run.id);
      if (node.children.length && isOpen === (event.key === 'ArrowLeft')) {
        onToggle(node.run.id);
      } else if (event.key === 'ArrowLeft' && node.parent) {
        onSelect(node.parent.run.id);
      }
    }
  };

  return (
    <div ref={element} class="tree" style={{ '--height': `${virtual.getTotalSize()}px` }} role="treegrid" aria-label="Runs of the trace" aria-rowcount={rows.length} tabIndex={0} onKeyDown={onKeyDown} aria-activedescendant={index >= 0 ? `run-${index}` : undefined}>
      <div role="rowgroup" style={{ height: `${virtual.getTotalSize()}px`, position: 'relative' }}>
        {virtual.getVirtualItems().map((item) => {
          const node = rows[item.index];
          return node && <Row key={node.run.id} node={node} position={item.index} top={item.start} trace={trace} deepest={deepest} isSelected={node.run.id === selected} isCollapsed={collapsed.has(node.run.id)} onSelect={onSelect} onToggle={onToggle} />;
        })}
      </div>
    </div>
  );
}

interface RowProps extends Pick<Props, 'trace' | 'onSelect' | 'onToggle'> {
  readonly node: Node;
  readonly position: number;
  readonly top: number;
  readonly deepest: number;
  readonly isSelected: boolean;
  readonly isCollapsed: boolean;
}

function Row({ node, position, top, trace, deepest, isSelected, isCollapsed, onSelect, onToggle }: RowProps) {
  const { run } = node;
  const scale = trace.duration || 1;
  const left = (node.start / scale) * 100;
  const width = Math.max(0.4, ((node.end - node.start) / scale) * 100);
  const hasError = run.status === 'error';
  const below = node.errors - (hasError ? 1 : 0);
  return (
    <div
      role="row"
      id={`run-${position}`}
      class="tree-row"
      aria-level={node.depth + 1}
      aria-rowindex={position + 1}
      aria-selected={isSelected}
      {...(node.children.length ? { 'aria-expanded': !isCollapsed } : {})}
      style={{ transform: `translateY(${top}px)` }}
      onClick={() => onSelect(run.id)}
    >
      <span role="gridcell" class="tree-name" style={{ paddingLeft: `calc(${node.depth} * min(14px, 36% / ${deepest}))` }}>
        {node.children.length ? (
          <button
            type="button"
            class="tree-toggle"
            tabIndex={-1}
            aria-label={isCollapsed ? 'Expand' : 'Collapse'}
            onClick={(event) => {
              event.stopPropagation();
              onToggle(run.id);
            }}
          >
            {isCollapsed ? '▸' : '▾'}
          </button>
        ) : (
          <span class="tree-toggle" />
        )}
        <span class={`type ${run.run_type}`} title={run.run_type}>
          {run.run_type}
        </span>
        <bdi class={`ellipsis ${hasError ? 'error-text' : ''}`} title={run.name.slice(0, 300)}>{run.name.slice(0, 300)}</bdi>
        {isCollapsed && <span class="faint">+{count(node.descendants)}</span>}
        {hasError && <span class="badge error">error</span>}
        {below > 0 && (
          <span class="badge error" title={`${below} errors below`}>
            {count(below)} ↓
          </span>
        )}
      </span>
      <span role="gridcell" class="tree-time">
        {run.end_time ? seconds(Math.round((node.end - node.start) * 1000) / 1e6) : 'pending'}
      </span>
      <span role="gridcell" class="tree-axis">
        <span class={`tree-bar ${run.run_type} ${hasError ? 'failed' : ''} ${node.critical ? 'critical' : ''}`} style={{ left: `${Math.min(left, 99.6)}%`, width: `${Math.min(width, 100 - Math.min(left, 99.6))}%` }} />
      </span>
    </div>
  );
}
