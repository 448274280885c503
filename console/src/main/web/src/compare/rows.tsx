import type { Column } from '../ui/table';
import { decimal, excerpt, letter } from '../ui/format';
import { Delta } from './detail';
import { difference, differenceKind, runOf, type Compared, type ComparedRow } from './model';

/** The columns of the comparison: example, reference, baseline, and each candidate with its difference. */
export function columns(baseline: Compared | undefined, candidates: readonly Compared[], key: string, hasReference: boolean): Column<ComparedRow>[] {
  const list: Column<ComparedRow>[] = [
    {
      id: 'example',
      title: 'Example',
      width: 'var(--first-column)',
      sortable: true,
      cell: (row) => (
        <span class="clamp">
          {excerpt(row.inputs) || row.example_id}
          {row.inputs_differ && <span class="badge"> inputs differ</span>}
        </span>
      ),
    },
  ];
  if (hasReference) {
    list.push({ id: 'reference', title: 'Reference', width: 'minmax(150px, 1fr)', cell: (row) => <span class="clamp muted">{excerpt(row.expected_outputs)}</span> });
  }
  const output = (experiment: Compared, title: string, isBaseline: boolean): Column<ComparedRow>[] => [
    {
      id: `output ${experiment.id}`,
      title: (
        <>
          <span class={isBaseline ? 'badge' : 'letter'}>{title}</span> <bdi>{experiment.name}</bdi>
        </>
      ),
      width: 'minmax(190px, 1.4fr)',
      cell: (row) => {
        const run = runOf(row, experiment.id);
        return run?.error ? <span class="clamp error-text">{run.error}</span> : <span class="clamp">{run ? excerpt(run.outputs) || <span class="faint">–</span> : <span class="faint">not run</span>}</span>;
      },
    },
    {
      id: isBaseline ? 'base-score' : experiment === candidates[0] ? 'difference' : `difference ${experiment.id}`,
      title: isBaseline ? 'score' : 'score, difference',
      width: isBaseline ? '72px' : '132px',
      end: true,
      sortable: experiment === candidates[0],
      cell: (row) => {
        const run = runOf(row, experiment.id);
        const score = decimal(run?.feedback[key]);
        if (isBaseline) {
          return score;
        }
        const delta = difference(run, baseline && runOf(row, baseline.id), key);
        return (
          <span class="score">
            <Delta value={delta} kind={differenceKind(delta, experiment.feedback[key]?.higher_is_better ?? true)} />
            <span>{score}</span>
          </span>
        );
      },
    },
  ];
  if (baseline) {
    list.push(...output(baseline, 'Base', true));
  }
  candidates.forEach((candidate, index) => list.push(...output(candidate, letter(index), false)));
  return list;
}
