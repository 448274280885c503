import type { Column } from '../ui/table';
import { excerpt, letter, score } from '../ui/format';
import { Delta } from './detail';
import { difference, differenceKind, runOf, type Compared, type ComparedRow } from './model';

/** Name of the column with the differences of a candidate. */
export const differenceColumn = (experiment: string): string => `difference ${experiment}`;

/** The columns of the comparison: example, reference, baseline, and each candidate with its difference. */
export function columns(baseline: Compared | undefined, candidates: readonly Compared[], key: string, hasReference: boolean): Column<ComparedRow>[] {
  const list: Column<ComparedRow>[] = [
    {
      id: 'example',
      title: 'Example',
      width: window.innerWidth < 760 ? '150px' : 'minmax(200px, 1.1fr)',
      sortable: true,
      cell: (row) => (
        <span class="clamp">
          {excerpt(row.inputs) || row.example_id}
          {row.inputs_differ && <span class="badge"> inputs differ</span>}
        </span>
      ),
    },
  ];
  const scored = [...(baseline ? [baseline] : []), ...candidates];
  list.push(...scored.map((experiment) => scoreColumn(experiment, baseline, candidates, key)));
  if (hasReference) {
    list.push({ id: 'reference', title: 'Reference', width: 'minmax(150px, 1fr)', cell: (row) => <span class="clamp muted">{excerpt(row.expected_outputs)}</span> });
  }
  list.push(...scored.map((experiment) => outputColumn(experiment, titleOf(experiment, baseline, candidates))));
  return list;
}

function titleOf(experiment: Compared, baseline: Compared | undefined, candidates: readonly Compared[]): string {
  return experiment === baseline ? 'Base' : letter(candidates.indexOf(experiment));
}

function Mark({ title }: { title: string }) {
  return <span class={title === 'Base' ? 'badge' : 'letter'}>{title}</span>;
}

/** Scores come before texts, so that they are in view at every width. */
function scoreColumn(experiment: Compared, baseline: Compared | undefined, candidates: readonly Compared[], key: string): Column<ComparedRow> {
  const title = titleOf(experiment, baseline, candidates);
  if (experiment === baseline) {
    return { id: 'base-score', title: <Mark title={title} />, width: '72px', end: true, cell: (row) => score(runOf(row, experiment.id)?.feedback[key]) };
  }
  return {
    id: differenceColumn(experiment.id),
    title: (
      <>
        <Mark title={title} /> difference
      </>
    ),
    width: '142px',
    end: true,
    sortable: true,
    cell: (row) => {
      const run = runOf(row, experiment.id);
      const delta = difference(run, baseline && runOf(row, baseline.id), key);
      return (
        <span class="score">
          <span>{score(run?.feedback[key])}</span>
          <Delta value={delta} kind={differenceKind(delta, experiment.feedback[key]?.higher_is_better ?? true)} />
        </span>
      );
    },
  };
}

function outputColumn(experiment: Compared, title: string): Column<ComparedRow> {
  return {
    id: `output ${experiment.id}`,
    title: (
      <>
        <Mark title={title} /> <bdi>{experiment.name}</bdi>
      </>
    ),
    width: 'minmax(190px, 1.4fr)',
    cell: (row) => {
      const run = runOf(row, experiment.id);
      if (!run) {
        return <span class="faint">not run</span>;
      }
      return run.error ? <span class="clamp error-text">{run.error}</span> : <span class="clamp">{excerpt(run.outputs) || <span class="faint">–</span>}</span>;
    },
  };
}
