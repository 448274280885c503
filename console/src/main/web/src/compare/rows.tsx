import { place, type Column } from '../ui/table';
import { excerpt, letter, score } from '../ui/format';
import { Delta } from './detail';
import { difference, differenceKind, runOf, type Compared, type ComparedRow } from './model';

/** Name of the column with the differences of a candidate. */
export const differenceColumn = (experiment: string): string => `difference ${experiment}`;

/** Height of an example's card on a narrow screen: the question, a line for each candidate, and the output of the first. */
export const cardHeight = (candidates: number): number => 98 + 22 * candidates;

/** The columns of the comparison: example, reference, baseline, and each candidate with its difference. */
export function columns(baseline: Compared | undefined, candidates: readonly Compared[], key: string, hasReference: boolean): Column<ComparedRow>[] {
  const list: Column<ComparedRow>[] = [
    {
      id: 'example',
      title: 'Example',
      width: 'minmax(200px, 1.1fr)',
      narrow: place(1),
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
  list.push(...scored.map((experiment) => outputColumn(experiment, titleOf(experiment, baseline, candidates), experiment === candidates[0] ? place(2 + candidates.length) : undefined)));
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
    return { id: 'base-score', title: <Mark title={title} />, width: '72px', narrow: place(2, 1, 3), named: true, end: true, cell: (row) => score(runOf(row, experiment.id)?.feedback[key]) };
  }
  return {
    id: differenceColumn(experiment.id),
    title: (
      <>
        <Mark title={title} /> Difference
      </>
    ),
    width: '142px',
    narrow: place(2 + candidates.indexOf(experiment), 4),
    end: true,
    sortable: true,
    cell: (row) => {
      const run = runOf(row, experiment.id);
      const delta = difference(run, baseline && runOf(row, baseline.id), key);
      return (
        <span class="score">
          <span class="cell-mark">
            <Mark title={title} />
          </span>
          <span>{score(run?.feedback[key])}</span>
          <Delta value={delta} kind={differenceKind(delta, experiment.feedback[key]?.higher_is_better ?? true)} />
        </span>
      );
    },
  };
}

function outputColumn(experiment: Compared, title: string, narrow: string | undefined): Column<ComparedRow> {
  return {
    ...(narrow ? { narrow } : {}),
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
