import { useMemo, useState } from 'preact/hooks';
import { copyText } from './copy';
import { Icon } from './icons';
import { LongText } from './long-text';

export interface JsonLine {
  readonly path: string;
  readonly depth: number;
  readonly key: string | null;
  readonly value: unknown;
  readonly size: number;
  readonly open: boolean;
}

const OPEN_DEPTH = 2;
const MAX_LINES = 2_000;
const MAX_TEXT = 4_000;

/** Flattens a value to the visible lines of its tree; `toggled` are the paths whose state differs from the default. */
export function lines(value: unknown, toggled: ReadonlySet<string>, search = ''): JsonLine[] {
  const found: JsonLine[] = [];
  const walk = (item: unknown, key: string | null, path: string, depth: number): void => {
    if (found.length >= MAX_LINES) {
      return;
    }
    const isBranch = typeof item === 'object' && item !== null;
    const entries: [string, unknown][] = isBranch ? Object.entries(item) : [];
    const isOpen = isBranch && (search ? !toggled.has(path) : depth < OPEN_DEPTH !== toggled.has(path));
    found.push({ path, depth, key, value: item, size: entries.length, open: isOpen });
    if (isOpen) {
      for (const [name, child] of entries) {
        if (!search || contains(name, child, search)) {
          walk(child, name, `${path}.${name}`, depth + 1);
        }
      }
    }
  };
  walk(value, null, '$', 0);
  return found;
}

function contains(key: string, value: unknown, search: string, depth = 0): boolean {
  if (key.toLowerCase().includes(search)) {
    return true;
  }
  if (typeof value === 'object' && value !== null) {
    return depth < 200 && Object.entries(value).some(([name, child]) => contains(name, child, search, depth + 1));
  }
  return String(value).toLowerCase().includes(search);
}

/** A JSON value as a tree with search and copy. Strings of customers are only ever text nodes. */
export function JsonTree({ value, label }: { value: unknown; label: string }) {
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  const [search, setSearch] = useState('');
  const shown = useMemo(() => lines(value, toggled, search.toLowerCase()), [value, toggled, search]);
  const toggle = (path: string): void => {
    const next = new Set(toggled);
    next.has(path) ? next.delete(path) : next.add(path);
    setToggled(next);
  };
  return (
    <section aria-label={label}>
      <div class="row json-tools">
        <h3 class="grow">{label}</h3>
        <input class="field" type="search" placeholder="Search" aria-label={`Search in ${label}`} value={search} onInput={(event) => setSearch(event.currentTarget.value)} />
        <button class="button" type="button" onClick={() => copyText(JSON.stringify(value, null, 2))}>
          <Icon name="copy" size={14} /> Copy
        </button>
      </div>
      <div class="json" tabIndex={0} role="group" aria-label={label}>
        {shown.map((line) => (
          <div class="json-row" key={line.path} style={{ '--depth': String(Math.min(line.depth, 30)) }}>
            {line.size > 0 ? (
              <button class="json-toggle" type="button" aria-expanded={line.open} aria-label={line.key ?? label} onClick={() => toggle(line.path)}>
                {line.open ? '▾' : '▸'}
              </button>
            ) : (
              <span class="json-toggle" />
            )}
            {line.key !== null && <span class="json-key"><bdi>{line.key}</bdi>:</span>}
            <Value line={line} />
          </div>
        ))}
        {shown.length >= MAX_LINES && <p class="muted">Only the first {MAX_LINES} lines are shown; search, or copy the whole value.</p>}
      </div>
    </section>
  );
}

function Value({ line }: { line: JsonLine }) {
  const [whole, setWhole] = useState(false);
  const { value } = line;
  if (typeof value === 'string') {
    const cut = !whole && value.length > MAX_TEXT;
    return (
      <span class="json-string text-content">
        <LongText text={cut ? value.slice(0, MAX_TEXT) : value} />
        {cut && (
          <button class="button quiet" type="button" onClick={() => setWhole(true)}>
            show {(value.length - MAX_TEXT).toLocaleString('en')} more characters
          </button>
        )}
      </span>
    );
  }
  if (typeof value === 'object' && value !== null) {
    return <span class="faint">{Array.isArray(value) ? `[${line.size}]` : `{${line.size}}`}</span>;
  }
  return <span class={typeof value === 'number' ? 'json-number' : 'json-literal'}>{String(value)}</span>;
}
