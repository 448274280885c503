import { useState } from 'preact/hooks';
import { lazy } from '../app/lazy';
import { location } from '../app/router';
import { nextTheme, theme } from '../app/theme';
import { ApiError } from '../api/client';
import { FilterBar } from '../projects/filter-bar';
import { Conversation } from '../trace/conversation';
import { buildTrace, visible } from '../trace/model';
import { Tree } from '../trace/tree';
import { ForestRow } from '../ui/charts';
import { Confirm } from '../ui/confirm';
import { Panel, Tabs } from '../ui/dialog';
import { WordDiff } from '../ui/diff';
import { count, decimal, seconds } from '../ui/format';
import { Histogram } from '../ui/histogram';
import { JsonTree } from '../ui/json';
import { ColumnMenu } from '../ui/menu';
import type { NumberRange } from '../ui/ranges';
import { cellText, Scatter } from '../ui/scatter';
import { Empty, ErrorState, Loading } from '../ui/states';
import { Grid, type Column } from '../ui/table';
import { toast, Toasts } from '../ui/toast';
import { bins, cells, conversation, hostile, spans } from './samples';
import './gallery.css';
import '../trace/trace.css';
import '../compare/compare.css';
import '../projects/projects.css';

const TimeSeries = lazy(() => import('../ui/time-series'));
const TIMES = Array.from({ length: 24 }, (_, hour) => 1_767_225_600 + hour * 3600);
const SERIES = [{ label: 'runs', values: TIMES.map((_, index) => Math.round(40 + 30 * Math.sin(index / 3))), color: 'chain', bars: true, format: count }];

interface Row {
  readonly id: string;
  readonly text: string;
  readonly score: number;
}

const COLUMNS: readonly Column<Row>[] = [
  { id: 'text', title: 'Text', width: 'minmax(200px, 2fr)', sortable: true, cell: (one) => <span class="clamp">{one.text}</span> },
  { id: 'score', title: 'Score', width: '100px', end: true, sortable: true, cell: (one) => decimal(one.score) },
];
const ROWS = new Map<number, Row>();

function rowAt(index: number): Row {
  const known = ROWS.get(index) ?? { id: String(index), text: index % 7 === 3 ? hostile : `Row ${index + 1}`, score: ((index * 37) % 100) / 100 };
  ROWS.set(index, known);
  return known;
}

function Table() {
  const [selected, setSelected] = useState<string>();
  const [sort, setSort] = useState('text');
  return (
    <div class="gallery-tall">
      <Grid
        label="Fifty thousand rows"
        columns={COLUMNS}
        total={50_000}
        row={(index) => (index % 11 === 10 ? undefined : rowAt(index))}
        rowKey={(one) => one.id}
        rowHeight={53}
        selected={selected}
        sort={sort}
        onSort={setSort}
        onOpen={(one) => setSelected(one.id)}
      />
    </div>
  );
}

function TreeSample() {
  const trace = buildTrace(spans);
  const [selected, setSelected] = useState(spans[0]!.id);
  const [collapsed, setCollapsed] = useState<ReadonlySet<string>>(new Set());
  const toggle = (id: string): void => {
    const next = new Set(collapsed);
    next.has(id) ? next.delete(id) : next.add(id);
    setCollapsed(next);
  };
  return (
    <div class="gallery-tall">
      <Tree trace={trace} rows={visible(trace, collapsed, { text: '', onlyErrors: false })} selected={selected} collapsed={collapsed} onSelect={setSelected} onToggle={toggle} />
    </div>
  );
}

function Dialogs() {
  const [open, setOpen] = useState(false);
  const [panel, setPanel] = useState(true);
  return (
    <div class="stack">
      <div class="row wrap">
        <button class="button primary" type="button" onClick={() => setOpen(true)}>
          Open a dialog
        </button>
        <button class="button" type="button" onClick={() => toast('The feedback was saved')}>
          Show a toast
        </button>
        <button class="button" type="button" onClick={() => toast('The service does not respond', 'error')}>
          Show an error
        </button>
      </div>
      {open && (
        <Confirm title="Delete the deployment?" action="Delete" isDangerous run={async () => toast('The deployment was deleted')} onClose={() => setOpen(false)}>
          <p>This cannot be undone.</p>
        </Confirm>
      )}
      {panel && (
        <div class="card gallery-panel">
          <Panel label="Example" title="A panel" onClose={() => setPanel(false)}>
            <p>Content</p>
          </Panel>
        </div>
      )}
    </div>
  );
}

function TabSample() {
  const [tab, setTab] = useState<'one' | 'two'>('one');
  return <Tabs label="Sample" selected={tab} onSelect={setTab} tabs={[{ id: 'one', label: 'One' }, { id: 'two', label: 'Two' }]} />;
}

function HistogramSample() {
  const [range, setRange] = useState<NumberRange | null>(null);
  return <Histogram bins={bins} higherIsBetter title="Differences" selected={range} onSelect={setRange} />;
}

function ScatterSample() {
  const [cell, setCell] = useState('');
  return (
    <div class="gallery-narrow">
      <Scatter cells={cells} higherIsBetter title="Candidate against the baseline" xLabel="baseline" yLabel="candidate" selected={cell} onSelect={(one) => setCell(one ? cellText(one) : '')} />
    </div>
  );
}

function MenuSample() {
  const choices = [{ id: 'input', label: 'Input' }, { id: 'output', label: 'Output' }];
  const [shown, setShown] = useState<readonly string[]>(['input']);
  return <ColumnMenu choices={choices} shown={shown} onChange={setShown} onReset={() => setShown(['input'])} />;
}

const SECTIONS = {
  table: () => <Table />,
  tree: () => <TreeSample />,
  forest: () => (
    <div class="gallery-narrow">
      <ForestRow interval={{ low: -0.28, high: -0.03, value: -0.15 }} extent={0.3} kind="worse" label="worse" />
      <ForestRow interval={{ low: -0.08, high: 0.12, value: 0.02 }} extent={0.3} kind="same" label="cannot tell" />
      <ForestRow interval={{ low: 0.04, high: 0.2, value: 0.11 }} extent={0.3} kind="better" label="better" />
    </div>
  ),
  histogram: () => <HistogramSample />,
  scatter: () => <ScatterSample />,
  menu: () => <MenuSample />,
  time: () => <TimeSeries title="Runs over time" times={TIMES} series={SERIES} />,
  filter: () => <FilterBar value={'and(eq(name, "a"), gt(foo, 3))'} onApply={() => undefined} error={new ApiError(422, 'filter expects a field that gt supports', 'r', [{ loc: ['filter'], message: 'expects a field', position: 23 }])} />,
  messages: () => <Conversation inputs={conversation.inputs} outputs={conversation.outputs} />,
  json: () => <JsonTree label="Value" value={{ text: hostile, number: 1.5, nothing: null, list: [1, [2, [3]]], nested: { deep: { deeper: true } } }} />,
  diff: () => <WordDiff before="The order was shipped on Monday." after="The order will be shipped on Tuesday morning." />,
  dialogs: () => <Dialogs />,
  tabs: () => <TabSample />,
  states: () => (
    <div class="stack">
      <Loading what="the sample" rows={3} />
      <Empty title="No traces yet" command={'curl -sS "$WAYBILL_EXPERIMENT_URL/api/v1/runs"'}>
        Send a run with curl.
      </Empty>
      <ErrorState error={new ApiError(503, 'experiment-service does not respond; the page tries again by itself.', '01a2-request')} retry={() => undefined} />
      <p>
        {seconds(0.0004)} · {seconds(12.34)} · {seconds(4000)}
      </p>
    </div>
  ),
} as const;

/** Every component on a page of its own: /gallery/{name}; the browser tests open each one. */
export default function Gallery() {
  const name = location.value.path.split('/')[2] ?? '';
  const names = Object.keys(SECTIONS) as (keyof typeof SECTIONS)[];
  const shown = names.filter((one) => !name || one === name);
  return (
    <main id="main" class="page gallery">
      <header class="page-head">
        <div class="titles">
          <h1>Components</h1>
          <nav class="row wrap" aria-label="Components">
            <a class="chip" href="/gallery" aria-current={name === '' ? 'true' : undefined}>
              all
            </a>
            {names.map((one) => (
              <a key={one} class="chip" href={`/gallery/${one}`} aria-current={one === name ? 'true' : undefined}>
                {one}
              </a>
            ))}
          </nav>
        </div>
        <button class="button" type="button" onClick={nextTheme}>
          Theme: {theme.value}
        </button>
      </header>
      {shown.map((one) => {
        const Section = SECTIONS[one];
        return (
          <section key={one} class="gallery-section" aria-label={one}>
            <h2>{one}</h2>
            <Section />
          </section>
        );
      })}
      <Toasts />
    </main>
  );
}
