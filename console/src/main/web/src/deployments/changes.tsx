import { Empty } from '../ui/states';
import { dateAndHour } from '../ui/format';
import { differences, LABELS, revisionMeaning, revisionName, type Revision } from './model';

const nameOf = (one: Revision): string => `${revisionName(one)} · ${one.created_at ? dateAndHour(one.created_at) : ''} · ${revisionMeaning(one.status).label}`;

function Choice({ label, value, revisions, onChange }: { label: string; value: Revision; revisions: readonly Revision[]; onChange: (id: string) => void }) {
  return (
    <label class="row">
      <span class="muted">{label}</span>
      <select class="field" value={value.id} onChange={(event) => onChange(event.currentTarget.value)}>
        {revisions.map((one) => (
          <option key={one.id} value={one.id}>
            {nameOf(one)}
          </option>
        ))}
      </select>
    </label>
  );
}

/** What differs between the configurations of two revisions. */
export function Changes({ revisions, before, after, onChange }: { revisions: readonly Revision[]; before: Revision | undefined; after: Revision; onChange: (changes: { base?: string; revision?: string }) => void }) {
  if (!before) {
    return <Empty title="There is nothing to compare with">This is the first revision of the deployment.</Empty>;
  }
  const found = differences(before, after);
  return (
    <section class="stack" aria-label="Changes between two revisions">
      <div class="row wrap">
        <Choice label="From" value={before} revisions={revisions} onChange={(base) => onChange({ base })} />
        <Choice label="to" value={after} revisions={revisions} onChange={(revision) => onChange({ revision, base: before.id! })} />
      </div>
      {found.length === 0 ? (
        <Empty title="Both revisions have the same commit and configuration" />
      ) : (
        <div class="table-scroll card">
          <table class="table cards changes">
            <thead>
              <tr>
                <th>Setting</th>
                <th>Before</th>
                <th>After</th>
              </tr>
            </thead>
            <tbody>
              {found.map((one) => (
                <tr key={one.name}>
                  <td class="whole">{LABELS[one.name] ?? one.name}</td>
                  <td class="diff text-content">{one.before ? <del>{one.before}</del> : <span class="faint">not set</span>}</td>
                  <td class="diff text-content">{one.after ? <ins>{one.after}</ins> : <span class="faint">not set</span>}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <p class="muted small">Secrets and resources belong to the deployment, not to a revision; they are not compared.</p>
    </section>
  );
}
