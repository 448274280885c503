import { useState } from 'preact/hooks';
import { get, post, workspace } from '../api/client';
import { useQuery } from '../api/query';
import { WordDiff } from '../ui/diff';
import { Panel } from '../ui/dialog';
import { excerpt, isolated, letter, score, seconds, signed } from '../ui/format';
import { Icon } from '../ui/icons';
import { JsonTree } from '../ui/json';
import { ErrorState, Loading } from '../ui/states';
import { Reason, useReasons, type Reasons } from './reasons';
import { comparable, difference, split, differenceKind, runOf, type Compared, type ComparedRow, type ComparedRun } from './model';

interface Props {
  readonly row: ComparedRow | undefined;
  readonly datasetId: string;
  readonly exampleId: string;
  readonly baseline: Compared | undefined;
  readonly candidates: readonly Compared[];
  readonly keys: readonly string[];
  readonly onClose: () => void;
  readonly onMove: (step: number) => void;
}

/** Reads the row of a link that was opened before its window of the table was loaded. */
async function readRow(exampleId: string, experiments: readonly string[], signal: AbortSignal): Promise<ComparedRow> {
  const [example, found] = await Promise.all([
    get('/api/v1/examples/{example_id}', { path: { example_id: exampleId }, signal }),
    post('/api/v1/runs/query', {
      body: { session: [...experiments], reference_example: [exampleId], is_root: true, limit: 100, select: ['id', 'session_id', 'outputs', 'error', 'latency', 'feedback_stats'] },
      signal,
    }),
  ]);
  const runs = (found.runs as unknown as Record<string, any>[]).map((run) => ({
    experiment_id: run['session_id'],
    run_id: run['id'],
    outputs: run['outputs'],
    error: run['error'],
    latency: run['latency'],
    n: 1,
    feedback: Object.fromEntries(Object.entries((run['feedback_stats'] ?? {}) as Record<string, { avg: number }>).map(([key, stats]) => [key, stats.avg])),
  }));
  return { example_id: exampleId, inputs: example.inputs, expected_outputs: example.outputs, inputs_differ: false, runs } as unknown as ComparedRow;
}

export function Detail(props: Props) {
  const { exampleId, baseline, candidates, row } = props;
  const experiments = [...(baseline ? [baseline.id] : []), ...candidates.map((candidate) => candidate.id)];
  const needs = !row || (row.left_out?.length ?? 0) > 0 || row.runs.some((run) => (run.left_out?.length ?? 0) > 0);
  const fetched = useQuery(needs ? `row ${workspace.value} ${exampleId} ${experiments.join()}` : null, (signal) => readRow(exampleId, experiments, signal));
  const shown = needs ? fetched.data ?? row : row;
  return (
    <Panel
      label="Example"
      title={shown ? <bdi>{excerpt(shown.inputs) || exampleId}</bdi> : exampleId}
      onClose={props.onClose}
      actions={
        <>
          <button class="button quiet icon" type="button" title="Previous (k)" aria-label="Previous example" onClick={() => props.onMove(-1)}>
            <Icon name="up" />
          </button>
          <button class="button quiet icon" type="button" title="Next (j)" aria-label="Next example" onClick={() => props.onMove(1)}>
            <Icon name="down" />
          </button>
        </>
      }
    >
      {fetched.error && !shown ? <ErrorState error={fetched.error} retry={fetched.reload} /> : shown ? <Content {...props} row={shown} /> : <Loading what="the example" rows={10} />}
    </Panel>
  );
}

function Content({ row, datasetId, baseline, candidates, keys }: Props & { row: ComparedRow }) {
  const [diff, setDiff] = useState(true);
  const base = baseline && runOf(row, baseline.id);
  const experiments = [...(baseline ? [baseline.id] : []), ...candidates.map((candidate) => candidate.id)];
  const reasons = useReasons(experiments.flatMap((id) => runOf(row, id)?.run_id ?? []), experiments);
  const compared = experiments.join();
  const expected = row.expected_outputs;
  return (
    <div class="stack">
      <Section title="Inputs" value={row.inputs} note={row.inputs_differ ? 'Some runs had other inputs; these are the newest.' : undefined} />
      {expected !== null && expected !== undefined && <Section title="Reference" value={expected} />}
      <div class="row wrap">
        <h2 class="grow">Outputs</h2>
        <label class="row">
          <input type="checkbox" checked={diff} onChange={(event) => setDiff(event.currentTarget.checked)} /> Mark differences to the baseline
        </label>
      </div>
      <div class="outputs">
        {baseline && <Output title="Baseline" name={baseline.name} run={base} base={undefined} compared={compared} />}
        {candidates.map((candidate, index) => (
          <Output key={candidate.id} title={letter(index)} name={candidate.name} run={runOf(row, candidate.id)} base={diff ? base : undefined} compared={compared} />
        ))}
      </div>
      <Scores row={row} baseline={baseline} candidates={candidates} keys={keys} reasons={reasons} />
      <a href={`/w/${workspace.value}/datasets/${datasetId}/examples/${row.example_id}`}>All runs of this example</a>
    </div>
  );
}

function Section({ title, value, note }: { title: string; value: unknown; note?: string | undefined }) {
  const { text, rest } = split(value);
  const isText = typeof value !== 'object' || value === null || text !== JSON.stringify(value, null, 2);
  return (
    <section class="section">
      {isText ? (
        <>
          <h3>{title}</h3>
          <p class="text-content scrolling">{text}</p>
          <Rest value={rest} />
        </>
      ) : (
        <JsonTree value={value} label={title} />
      )}
      {note && <p class="faint">{note}</p>}
    </section>
  );
}

/** The other members of a value whose text is shown. */
function Rest({ value }: { value: Readonly<Record<string, unknown>> | null }) {
  return (
    value && (
      <details class="chart-data">
        <summary>{Object.keys(value).slice(0, 4).map(isolated).join(', ').slice(0, 80)}</summary>
        <JsonTree label="Other members" value={value} />
      </details>
    )
  );
}

interface OutputProps {
  readonly title: string;
  readonly name: string;
  readonly run: ComparedRun | undefined;
  /** The run whose output is compared with this one. */
  readonly base: ComparedRun | undefined;
  /** The compared experiments, the baseline first, so that the trace leads back here. */
  readonly compared: string;
}

function Output({ title, name, run, base, compared }: OutputProps) {
  const { text, rest } = split(run?.outputs);
  return (
    <section class="card output">
      <header class="row">
        <span class={title === 'Baseline' ? 'badge' : 'letter'}>{title}</span>
        <span class="grow ellipsis" title={name}>
          <bdi>{name}</bdi>
        </span>
        <span class="faint nowrap">{seconds(run?.latency)}</span>
        {run && (
          <a class="nowrap" href={`/w/${workspace.value}/traces/${run.run_id}?compare=${compared}`}>
            Trace
          </a>
        )}
      </header>
      {run?.error && <p class="error-text text-content scrolling">{run.error}</p>}
      {!run ? <p class="faint scrolling">This experiment did not run the example.</p> : base ? <WordDiff before={comparable(base.outputs)} after={text} /> : <p class="text-content">{text || <span class="faint">No output</span>}</p>}
      <Rest value={rest} />
      {run && run.n > 1 && <p class="faint">Newest of {run.n} runs; scores are averages.</p>}
    </section>
  );
}

interface ScoresProps {
  readonly row: ComparedRow;
  readonly baseline: Compared | undefined;
  readonly candidates: readonly Compared[];
  readonly keys: readonly string[];
  readonly reasons: Reasons | undefined;
}

function Scores({ row, baseline, candidates, keys, reasons }: ScoresProps) {
  const base = baseline && runOf(row, baseline.id);
  // Feedback can have a comment without a score.
  const all = [...keys, ...[...(reasons?.keys() ?? [])].filter((key) => !keys.includes(key))];
  const marked = [...(baseline ? [{ title: 'Base', id: baseline.id }] : []), ...candidates.map((candidate, index) => ({ title: letter(index), id: candidate.id }))];
  return (
    <section>
      <h2>Scores</h2>
      <div class="table-scroll" role="group" aria-label="Scores" tabIndex={0}>
        <table class="table">
          <thead>
            <tr>
              <th>Score</th>
              <th class="end">Baseline</th>
              {candidates.map((candidate, index) => (
                <th key={candidate.id} class="end" title={candidate.name}>
                  {letter(index)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {all.flatMap((key) => [
              <tr key={key}>
                <td class="text-content">
                  <bdi>{key}</bdi>
                </td>
                <td class="end">{score(base?.feedback[key])}</td>
                {candidates.map((candidate) => {
                  const run = runOf(row, candidate.id);
                  const delta = difference(run, base, key);
                  const kind = differenceKind(delta, candidate.feedback[key]?.higher_is_better ?? true);
                  return (
                    <td key={candidate.id} class="end">
                      {score(run?.feedback[key])} <Delta value={delta} kind={kind} />
                    </td>
                  );
                })}
              </tr>,
              reasons?.has(key) && (
                <tr key={`${key} reasons`} class="reasons">
                  <td colSpan={2 + candidates.length}>
                    <ul aria-label={`Reasons for ${key}`}>
                      {marked.flatMap(({ title, id }) =>
                        (reasons.get(key)!.get(runOf(row, id)?.run_id ?? '') ?? []).map((text) => (
                          <li key={`${id} ${text}`}>
                            <span class={title === 'Base' ? 'badge' : 'letter'}>{title}</span>
                            <Reason text={text} />
                          </li>
                        )),
                      )}
                    </ul>
                  </td>
                </tr>
              ),
            ])}
          </tbody>
        </table>
      </div>
    </section>
  );
}

/** A signed difference; the arrow says better or worse without colour. */
export function Delta({ value, kind }: { value: number | null; kind: 'better' | 'worse' | 'same' }) {
  if (value === null) {
    return <span class="faint">∅</span>;
  }
  return (
    <span class={`delta ${kind === 'same' ? 'faint' : kind}`}>
      <span aria-label={kind}>{kind === 'better' ? '▲' : kind === 'worse' ? '▼' : '='}</span> {value === 0 ? '' : signed(value)}
    </span>
  );
}
