import { useState } from 'preact/hooks';
import { getList, patch, post, remove, workspace, type Schemas } from '../api/client';
import { useQuery } from '../api/query';
import { absolute, ago, decimal, isolated } from '../ui/format';
import { Icon } from '../ui/icons';
import { Pending } from '../ui/states';
import { toast } from '../ui/toast';
import type { Run } from './run-details';

type Feedback = Schemas['FeedbackResponse'];

export function FeedbackTab({ run }: { run: Run }) {
  const list = useQuery(`feedback ${workspace.value} ${run.id}`, (signal) => getList('/api/v1/feedback', { query: { run: run.id, limit: 100 }, signal }));
  const [edited, setEdited] = useState<Feedback>();
  if (!list.data) {
    return <Pending query={list} what="the feedback" rows={4} />;
  }
  const drop = async (one: Feedback): Promise<void> => {
    try {
      await remove('/api/v1/feedback/{feedback_id}', { path: { feedback_id: one.id } });
      toast(`${isolated(one.key)} was deleted`);
      list.reload();
    } catch (error) {
      toast((error as Error).message, 'error');
    }
  };
  return (
    <>
      {list.data.items.length === 0 ? <p class="muted">No feedback on this run yet.</p> : <Table items={list.data.items} onEdit={setEdited} onDelete={drop} />}
      <Form key={edited?.id ?? 'new'} run={run} edited={edited} onDone={() => (setEdited(undefined), list.reload())} onCancel={() => setEdited(undefined)} />
    </>
  );
}

function Table({ items, onEdit, onDelete }: { items: readonly Feedback[]; onEdit: (one: Feedback) => void; onDelete: (one: Feedback) => void }) {
  return (
    <div class="table-scroll">
      <table class="table">
        <thead>
          <tr>
            <th>Key</th>
            <th class="end">Score</th>
            <th>Comment</th>
            <th>Source</th>
            <th>When</th>
            <th>
              <span class="visually-hidden">Change</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {items.map((one) => (
            <tr key={one.id}>
              <td>
                <bdi>{one.key}</bdi>
              </td>
              <td class={one.score === null ? 'text-content' : 'end'}>{one.score === null ? String(one.value ?? '–') : decimal(one.score)}</td>
              <td class="text-content">{one.comment}</td>
              <td class="muted text-content">{String((one.feedback_source as { type?: unknown } | null)?.type ?? '')}</td>
              <td class="muted nowrap" title={absolute(one.created_at)}>
                {ago(one.created_at)}
              </td>
              <td class="end nowrap">
                <button class="button quiet" type="button" onClick={() => onEdit(one)}>
                  Edit
                </button>
                <button class="button quiet icon" type="button" aria-label={`Delete ${one.key}`} onClick={() => onDelete(one)}>
                  <Icon name="close" size={14} />
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Form({ run, edited, onDone, onCancel }: { run: Run; edited: Feedback | undefined; onDone: () => void; onCancel: () => void }) {
  const initial = { key: edited?.key ?? '', score: String(edited?.score ?? ''), comment: edited?.comment ?? '' };
  const [values, setValues] = useState(initial);
  const [error, setError] = useState('');
  const field = (name: keyof typeof initial) => ({ class: 'field', name, value: values[name], onInput: (event: { currentTarget: HTMLInputElement }) => setValues({ ...values, [name]: event.currentTarget.value }) });
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const [key, score, comment] = [values.key.trim(), values.score.trim(), values.comment.trim()];
    if (!edited && !key) {
      setError('Enter a key, such as correctness.');
      return;
    }
    if (score !== '' && !Number.isFinite(Number(score))) {
      setError('The score must be a number.');
      return;
    }
    const body = { ...(score === '' ? {} : { score: Number(score) }), ...(comment ? { comment } : {}) };
    try {
      await (edited
        ? patch('/api/v1/feedback/{feedback_id}', { path: { feedback_id: edited.id }, body: body as never })
        : post('/api/v1/feedback', { body: { ...body, run_id: run.id, key, feedback_source: { type: 'app' } } as never }));
      setValues({ key: '', score: '', comment: '' });
      setError('');
      toast('The feedback was saved');
      onDone();
    } catch (failure) {
      setError((failure as Error).message);
    }
  };
  return (
    <form onSubmit={submit} noValidate>
      <div class="feedback-form">
        <label>
          <span class="label">Key</span>
          <input {...field('key')} disabled={edited !== undefined} placeholder="correctness" />
        </label>
        <label>
          <span class="label">Score</span>
          <input {...field('score')} inputMode="decimal" aria-invalid={error.startsWith('The score')} />
        </label>
        <label>
          <span class="label">Comment</span>
          <input {...field('comment')} />
        </label>
        <button class="button primary" type="submit">
          {edited ? 'Save' : 'Add'}
        </button>
        {edited && (
          <button class="button quiet" type="button" onClick={onCancel}>
            Cancel
          </button>
        )}
      </div>
      {error && (
        <p class="error-text" role="alert">
          {error}
        </p>
      )}
    </form>
  );
}
