import type { ComponentChildren } from 'preact';
import { bytes, count, DASH, plural } from '../ui/format';
import { exportHref } from './links';
import { grouped, labelOf, markOf, rangeText, tally, toneOf, type Cell } from './model';
import { StatusBadge } from './parts';

interface Props {
  readonly cells: readonly Cell[];
  readonly unit: 'day' | 'window';
  readonly selected: string;
  readonly onSelect: (id: string) => void;
  /** Actions for the selected cell. */
  readonly actions?: (cell: Cell) => ComponentChildren;
}

/** One cell for each day or window, by month or day, with its state as colour, sign and text; the same as a table. */
export function Strip({ cells, unit, selected, onSelect, actions }: Props) {
  const isByDay = unit === 'window' && cells.some((cell) => Date.parse(cell.end) - Date.parse(cell.start) < 86_400_000);
  const chosen = cells.find((cell) => cell.id === selected);
  return (
    <section class="card part">
      <div class="row wrap strip-head">
        <h2 class="grow">{unit === 'day' ? 'One cell for each UTC day' : 'One cell for each window, in UTC'}</h2>
        <ul class="row wrap legend">
          {tally(cells).map(([status, number]) => (
            <li key={status} class={`status ${toneOf(status)}`}>
              <span class="dot" /> {count(number)} {labelOf(status).toLowerCase()}
            </li>
          ))}
        </ul>
      </div>
      <div class="strip">
        {grouped(cells, isByDay).map((group) => (
          <div key={group.name} class="strip-group">
            <h3>{group.name}</h3>
            <ol>
              {group.cells.map((cell) => (
                <li key={cell.id}>
                  <button class={`strip-cell ${toneOf(cell.status)} ${cell.rows === 0 ? 'empty' : ''}`} type="button" title={describe(cell)} aria-label={describe(cell)} aria-pressed={cell.id === selected} onClick={() => onSelect(cell.id === selected ? '' : cell.id)}>
                    <span aria-hidden="true">{cell.label}</span>
                    <span class="mark" aria-hidden="true">
                      {cell.lateRows > 0 ? '+' : cell.rows === 0 && cell.status === 'Completed' ? '0' : markOf(cell.status)}
                    </span>
                  </button>
                </li>
              ))}
            </ol>
          </div>
        ))}
      </div>
      {chosen && <Details cell={chosen} actions={actions?.(chosen)} />}
      <details class="chart-data">
        <summary>As a table</summary>
        <div class="table-scroll">
          <table class="table cards">
            <thead>
              <tr>
                <th>{unit === 'day' ? 'Day' : 'Window'} (UTC)</th>
                <th>Status</th>
                <th class="end">Rows</th>
                <th class="end">Size</th>
                <th class="end">Attempts</th>
                <th>Error</th>
              </tr>
            </thead>
            <tbody>
              {cells.map((cell) => (
                <tr key={cell.id}>
                  <td class="nowrap">{cell.exportId ? <a href={exportHref(cell.exportId)}>{rangeText(cell.start, cell.end)}</a> : rangeText(cell.start, cell.end)}</td>
                  <td>
                    <StatusBadge status={cell.status} />
                  </td>
                  <td class="end" data-name="Rows">{count(cell.rows)}</td>
                  <td class="end" data-name="Size">{cell.bytes === null ? DASH : bytes(cell.bytes)}</td>
                  <td class="end" data-name="Attempts">{count(cell.attempts || null)}</td>
                  <td class="whole text-content">{cell.error ?? (cell.lateRows > 0 ? `${count(cell.lateRows)} late rows` : '')}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </section>
  );
}

function describe(cell: Cell): string {
  return [`${rangeText(cell.start, cell.end)}: ${labelOf(cell.status).toLowerCase()}`, cell.rows === null ? '' : plural(cell.rows, 'row'), cell.lateRows > 0 ? `${count(cell.lateRows)} late rows` : '', cell.error ?? ''].filter(Boolean).join(', ');
}

function Details({ cell, actions }: { cell: Cell; actions: ComponentChildren }) {
  return (
    <div class="strip-details" aria-live="polite">
      <div class="row wrap">
        <strong>{rangeText(cell.start, cell.end)}</strong>
        <StatusBadge status={cell.status} />
        <span class="muted">
          {[
            cell.rows === null ? '' : plural(cell.rows, 'row'),
            cell.bytes === null ? '' : bytes(cell.bytes),
            cell.attempts > 1 ? `attempt ${count(cell.attempts)}` : '',
            cell.lateRows > 0 ? `${count(cell.lateRows)} late rows` : '',
          ]
            .filter(Boolean)
            .join(', ')}
        </span>
        <span class="grow" />
        {cell.backfilledBy && <a href={exportHref(cell.backfilledBy)}>Backfilled</a>}
        {cell.exportId && (
          <a class="button" href={exportHref(cell.exportId)}>
            Open its export
          </a>
        )}
        {actions}
      </div>
      {cell.error && <p class="error-text text-content">{cell.error}</p>}
    </div>
  );
}
