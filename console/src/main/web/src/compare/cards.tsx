import { ForestRow } from '../ui/charts';
import { count, decimal, letter, percent, probability, seconds, signedAverage as signed } from '../ui/format';
import { adjustedText, advice, correctionNote, forestExtent, interval, isLostByCorrection, otherVerdicts, sentence, verdictKind, type Compared, type KeyStats, type View } from './model';

interface Props {
  readonly baseline: Compared | undefined;
  readonly candidates: readonly Compared[];
  readonly keys: readonly string[];
  readonly selectedKey: string;
  readonly view: View;
  /** The candidate to which the view applies. */
  readonly chosen: Compared | undefined;
  readonly hrefOfKey: (key: string) => string;
  readonly onView: (view: View, candidate: Compared) => void;
}

export function Cards(props: Props) {
  return (
    <div class="candidates">
      {props.candidates.map((candidate, index) => (
        <Card key={candidate.id} {...props} candidate={candidate} index={index} />
      ))}
    </div>
  );
}

function Card({ baseline, candidates, candidate, index, keys, selectedKey, view, chosen, hrefOfKey, onView }: Props & { candidate: Compared; index: number }) {
  const stats = candidate.feedback[selectedKey];
  const kind = verdictKind(stats);
  const hint = advice(stats);
  const others = otherVerdicts(candidate, keys, selectedKey);
  const note = correctionNote(candidate.feedback);
  return (
    <section class="card candidate" aria-label={`Experiment ${candidate.name}`}>
      <header class="row">
        <span class="letter">{letter(index)}</span>
        <h2 class="grow ellipsis" title={candidate.name}>
          <bdi>{candidate.name}</bdi>
        </h2>
        <span class={`badge ${kind === 'unclear' ? '' : kind}`}>{kind === 'unclear' ? 'cannot tell' : kind}</span>
      </header>
      <p class={`verdict ${kind}`}>{sentence(selectedKey, stats)}</p>
      {others && <p class="muted hint">{others}</p>}
      {hint && <p class="muted hint">{hint}</p>}
      <Counters stats={stats} view={candidate.id === chosen?.id ? view : 'all'} onView={(next) => onView(next, candidate)} />
      <div class="table-scroll">
        <table class="table forest-table">
          <thead>
            <tr>
              <th>Score</th>
              <th class="end average before">Baseline</th>
              <th class="end average">Average</th>
              <th class="end">Difference</th>
              <th class="interval nowrap">95 % interval</th>
              <th class="plot">
                <span class="visually-hidden">95 % interval, as a plot</span>
              </th>
              <th class="end">p</th>
              <th class="end number" title="Scores of this experiment">n</th>
            </tr>
          </thead>
          <tbody>
            {keys.map((key) => (
              <KeyRow key={key} name={key} before={baseline?.feedback[key]?.avg} stats={candidate.feedback[key]} adjusted={adjustedText(candidate.feedback[key], candidate.feedback)} extent={forestExtent(candidates, key)} selected={key === selectedKey} href={hrefOfKey(key)} />
            ))}
          </tbody>
        </table>
      </div>
      {note && <p class="muted correction">{note}</p>}
      <footer class="muted facts">
        <span>{count(candidate.run_count)} runs</span>
        <span>
          p50 {seconds(candidate.latency_p50)}
          {baseline && <span class="faint"> (baseline {seconds(baseline.latency_p50)})</span>}
        </span>
        <span>{percent(candidate.error_rate)} errors</span>
      </footer>
    </section>
  );
}

function KeyRow({ name, before, stats, adjusted, extent, selected, href }: { name: string; before: number | null | undefined; stats: KeyStats | undefined; adjusted: string | null; extent: number; selected: boolean; href: string }) {
  const range = interval(stats);
  const kind = verdictKind(stats);
  const label = range ? `${name}: ${signed(range.value)}, 95 % interval ${signed(range.low)} to ${signed(range.high)}` : `${name}: no interval`;
  return (
    <tr aria-current={selected ? 'true' : undefined}>
      <td class="key">
        <a href={href} title={name} class="ellipsis">
          <bdi>{name}</bdi>
        </a>
        {stats && !stats.higher_is_better && <span class="faint" title="Lower is better"> ↓</span>}
      </td>
      <td class="end average before muted">{decimal(before)}</td>
      <td class="end average">{decimal(stats?.avg)}</td>
      <td class={`end ${kind === 'unclear' ? '' : kind}`}>{signed(stats?.delta)}</td>
      <td class="interval muted nowrap">{range && `${signed(range.low)} to ${signed(range.high)}`}</td>
      <td class="plot" title={label}>
        {range && <ForestRow interval={range} extent={extent} kind={kind === 'unclear' ? 'same' : kind} label={label} />}
      </td>
      <td class="end muted" title={adjusted ?? undefined}>
        {probability(stats?.p_value)}
        {isLostByCorrection(stats) && <span title="Not below 0.05 after Holm's correction">*</span>}
      </td>
      <td class="end muted number">{count(stats?.n)}</td>
    </tr>
  );
}

const COUNTERS = ['worse', 'better', 'same', 'missing'] as const;

function Counters({ stats, view, onView }: { stats: KeyStats | undefined; view: View; onView: (view: View) => void }) {
  const total = Math.max(1, COUNTERS.reduce((sum, name) => sum + (stats?.[name] ?? 0), 0));
  return (
    <div>
      <div class="share" aria-hidden="true">
        {COUNTERS.map((name) => (
          <span key={name} class={name} style={{ flexGrow: String((stats?.[name] ?? 0) / total) }} />
        ))}
      </div>
      <div class="row wrap counters">
        {COUNTERS.map((name) => (
          <button key={name} type="button" class="chip" aria-pressed={view === name} onClick={() => onView(view === name ? 'all' : name)}>
            <span class={name === 'same' || name === 'missing' ? 'muted' : name}>{name === 'worse' ? '▼' : name === 'better' ? '▲' : name === 'same' ? '=' : '∅'}</span>
            {count(stats?.[name] ?? 0)} {name}
          </button>
        ))}
      </div>
    </div>
  );
}
