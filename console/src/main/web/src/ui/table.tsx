import { Component, type ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useReducer, useRef } from 'preact/hooks';
import { useNarrow } from './narrow';
import { elementScroll, observeElementOffset, observeElementRect, Virtualizer } from '@tanstack/virtual-core';

export interface Column<T> {
  readonly id: string;
  readonly title: ComponentChildren;
  /** Width of a grid column: `120px`, `minmax(200px, 1fr)`. */
  readonly width: string;
  readonly end?: boolean;
  readonly sortable?: boolean;
  /** Place in the card of a row on a narrow screen, which aligns the last of a line to the right; a column without one is not shown there. */
  readonly narrow?: string;
  /** Whether the title is beside the value in a card. */
  readonly named?: boolean;
  readonly cell: (row: T, index: number) => ComponentChildren;
}

/** Place in a card: a line, and the first and last of twelve columns. */
export const place = (line: number, first = 1, last = 12): string => `${line} / ${first} / ${line + 1} / ${last + 1}`;

interface Props<T> {
  readonly label: string;
  readonly columns: readonly Column<T>[];
  /** Number of rows, loaded or not. */
  readonly total: number;
  /** The row, or undefined while it is being loaded. */
  readonly row: (index: number) => T | undefined;
  readonly rowKey: (row: T) => string;
  readonly rowHeight: number;
  /** Height of a card on a narrow screen. */
  readonly cardHeight?: number;
  readonly selected?: string | undefined;
  /** `difference`, `-difference` … */
  readonly sort?: string;
  readonly onSort?: (sort: string) => void;
  readonly onOpen?: (row: T, index: number) => void;
  /** Reports the rows in view, so that their windows can be loaded. */
  readonly onRange?: (first: number, last: number) => void;
}

const OVERSCAN = 6;
/** Lists of at most this length are rendered as a whole, so that scrolling renders nothing. */
const MAX_WHOLE = 64;
const CARD_HEIGHT = 58;
const CARD = 'repeat(12, minmax(0, 1fr))';

/** Calculates the rows in view. Rows of different heights have keys and a ref of `measureElement`. */
export function useVirtual(total: number, rowHeight: number, element: { current: HTMLElement | null }, getItemKey?: (index: number) => number) {
  const [, update] = useReducer((n: number) => n + 1, 0);
  const instance = useRef<Virtualizer<HTMLElement, Element> | null>(null);
  const options = {
    count: total,
    getScrollElement: () => element.current,
    estimateSize: () => rowHeight,
    overscan: total <= MAX_WHOLE ? total : OVERSCAN,
    scrollToFn: elementScroll,
    observeElementRect,
    observeElementOffset,
    onChange: () => update(0),
    ...(getItemKey && { getItemKey }),
  };
  instance.current ??= new Virtualizer(options);
  instance.current.setOptions(options);
  useEffect(() => instance.current!._didMount(), []);
  const measured = useRef(rowHeight);
  useLayoutEffect(() => {
    if (measured.current !== rowHeight) {
      measured.current = rowHeight;
      instance.current!.measure();
    }
  }, [rowHeight]);
  useLayoutEffect(() => instance.current!._willUpdate());
  return instance.current;
}

/**
 * Whether the rows move so fast that none stays in view from one rendering to the next, as when the scroll bar is dragged. A
 * single jump, as with Page Down, is not enough.
 */
function useSkimming(first: number, last: number, isScrolling: boolean): boolean {
  const motion = useRef({ first, last, jumps: 0 });
  const { current } = motion;
  if (first !== current.first || last !== current.last) {
    const inView = last - first + 1 - 2 * OVERSCAN;
    const isJump = Math.abs(first - current.first) >= inView;
    motion.current = { first, last, jumps: isJump ? current.jumps + 1 : 0 };
  }
  if (!isScrolling) {
    motion.current.jumps = 0;
  }
  return motion.current.jumps > 1;
}

/**
 * A grid that renders only the rows in view. One row has the focus (roving tabindex): arrows, j and k, Page Up and Down, Home
 * and End move it, Enter opens it. Links to what Enter opens have a tabIndex of -1, so that Tab leaves the rows.
 */
export function Grid<T>(props: Props<T>) {
  const { total } = props;
  const isNarrow = useNarrow() && props.columns.some((column) => column.narrow);
  const columns = useMemo(() => (isNarrow ? props.columns.filter((column) => column.narrow) : props.columns), [props.columns, isNarrow]);
  const rowHeight = isNarrow ? (props.cardHeight ?? CARD_HEIGHT) : props.rowHeight;
  const element = useRef<HTMLDivElement>(null);
  const active = useRef(0);
  const [, update] = useReducer((n: number) => n + 1, 0);
  const virtual = useVirtual(total, rowHeight, element);
  const items = virtual.getVirtualItems();
  const first = items[0]?.index ?? 0;
  const last = items[items.length - 1]?.index ?? 0;
  const isSkimming = useSkimming(first, last, virtual.isScrolling);
  const width = isNarrow ? 0 : columns.reduce((sum, column) => sum + Number.parseFloat(/\d+/.exec(column.width)?.[0] ?? '0'), 0);
  const template = { gridTemplateColumns: isNarrow ? CARD : columns.map((column) => column.width).join(' ') };
  active.current = Math.min(active.current, Math.max(0, total - 1));

  useEffect(() => {
    if (!isSkimming) {
      props.onRange?.(first, last);
    }
  }, [first, last, total, isSkimming]);
  useEffect(() => {
    if (props.selected !== undefined) {
      const index = Array.from({ length: last - first + 1 }, (_, i) => first + i).find((i) => {
        const row = props.row(i);
        return row !== undefined && props.rowKey(row) === props.selected;
      });
      if (index !== undefined) {
        active.current = index;
      }
    }
  }, [props.selected, first, last]);

  const move = (index: number): void => {
    active.current = Math.max(0, Math.min(total - 1, index));
    virtual.scrollToIndex(active.current, { align: 'auto' });
    update(0);
    const row = props.row(active.current);
    if (row !== undefined && props.selected !== undefined) {
      props.onOpen?.(row, active.current);
    }
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.altKey || event.ctrlKey || event.metaKey || (event.target as Element).closest('button, input, a')) {
      return;
    }
    const page = Math.max(1, Math.floor((element.current?.clientHeight ?? rowHeight) / rowHeight) - 2);
    const steps: Record<string, number> = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1, PageDown: page, PageUp: -page, Home: -total, End: total };
    const step = steps[event.key];
    if (step !== undefined) {
      event.preventDefault();
      event.stopPropagation();
      move(active.current + step);
    } else if (event.key === 'Enter' || event.key === ' ') {
      const row = props.row(active.current);
      if (row !== undefined) {
        event.preventDefault();
        props.onOpen?.(row, active.current);
      }
    }
  };

  return (
    <div ref={element} class={`grid ${isNarrow ? 'narrow' : ''}`} role="grid" aria-label={props.label} aria-rowcount={total + 1} aria-colcount={columns.length} tabIndex={0} onKeyDown={onKeyDown} aria-activedescendant={total ? `row-${active.current}` : undefined}>
      <div class="grid-inner" style={{ width: `max(100%, ${width}px)` }}>
        <Head {...props} columns={columns} template={template} />
        <div class="grid-body" role="rowgroup" style={{ height: `${virtual.getTotalSize()}px`, position: 'relative' }}>
          {items.map((item, slot) => {
            if (isSkimming) {
              return <Placeholder key={`slot-${slot}`} index={item.index} top={item.start} height={rowHeight} />;
            }
            const value = props.row(item.index);
            return (
              <Row
                key={item.index}
                columns={columns}
                value={value}
                index={item.index}
                top={item.start}
                height={rowHeight}
                template={template.gridTemplateColumns}
                isNarrow={isNarrow}
                active={item.index === active.current}
                selected={value !== undefined && props.selected === props.rowKey(value)}
                onOpen={props.onOpen}
              />
            );
          })}
        </div>
      </div>
    </div>
  );
}

function Head<T>({ columns, sort, onSort, template }: Props<T> & { template: { gridTemplateColumns: string } }) {
  return (
    <div class="grid-head" role="rowgroup">
      <div class="grid-row" role="row" aria-rowindex={1} style={template}>
        {columns.map((column, index) => {
          const direction = sort === column.id ? 'ascending' : sort === `-${column.id}` ? 'descending' : undefined;
          return (
            <div key={column.id} role="columnheader" class={`grid-cell ${column.end ? 'end' : ''} ${index === 0 ? 'sticky' : ''}`} {...(direction ? { 'aria-sort': direction } : {})}>
              {column.sortable && onSort ? (
                <button type="button" onClick={() => onSort(direction === 'ascending' ? `-${column.id}` : column.id)}>
                  <span class="ellipsis">{column.title}</span>
                  <span aria-hidden="true">{direction === 'ascending' ? '↑' : direction === 'descending' ? '↓' : ''}</span>
                </button>
              ) : (
                <span class="plain">{column.title}</span>
              )}
            </div>
          );
        })}
      </div>
    </div>
  );
}

interface RowProps<T> {
  readonly columns: readonly Column<T>[];
  readonly value: T | undefined;
  readonly index: number;
  readonly top: number;
  readonly height: number;
  readonly template: string;
  readonly isNarrow: boolean;
  readonly active: boolean;
  readonly selected: boolean;
  readonly onOpen: ((row: T, index: number) => void) | undefined;
}

/** Stands for a row that nobody can read: nothing but its place changes from one frame to the next. */
function Placeholder({ index, top, height }: { index: number; top: number; height: number }) {
  return (
    <div role="row" id={`row-${index}`} class="grid-row" aria-rowindex={index + 2} style={{ height: `${height}px`, transform: `translateY(${top}px)` }}>
      <div role="gridcell" class="grid-cell">
        <span class="skeleton" />
      </div>
    </div>
  );
}

/** Rows that stay in view while scrolling are not rendered again. */
class Row<T> extends Component<RowProps<T>> {
  override shouldComponentUpdate(next: RowProps<T>): boolean {
    const { props } = this;
    return (['columns', 'value', 'index', 'top', 'height', 'template', 'isNarrow', 'active', 'selected'] as const).some((name) => props[name] !== next[name]);
  }

  private readonly open = (event: MouseEvent): void => {
    const { value, index, onOpen } = this.props;
    if (value !== undefined && !(event.target as Element).closest('a, button, input, label')) {
      onOpen?.(value, index);
    }
  };

  override render({ columns, value, index, top, height, template, isNarrow, active, selected }: RowProps<T>) {
    return (
      <div
        role="row"
        id={`row-${index}`}
        class={`grid-row ${active ? 'active' : ''}`}
        aria-rowindex={index + 2}
        aria-selected={selected}
        style={{ gridTemplateColumns: template, height: `${height}px`, transform: `translateY(${top}px)` }}
        onClick={this.open}
      >
        {columns.map((column, position) => (
          <div key={column.id} role={position === 0 ? 'rowheader' : 'gridcell'} class={`grid-cell ${column.end ? 'end' : ''} ${position === 0 ? 'sticky' : ''}`} {...(isNarrow ? { style: { gridArea: column.narrow!, textAlign: /^\d+ \/ (?!1 ).* 13$/.test(column.narrow!) ? 'right' : 'left' } } : {})}>
            {isNarrow && column.named && <span class="cell-name">{column.title} </span>}
            {value === undefined ? <span class="skeleton" /> : column.cell(value, index)}
          </div>
        ))}
      </div>
    );
  }
}
