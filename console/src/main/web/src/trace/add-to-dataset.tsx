import { useState } from 'preact/hooks';
import { getList, post, workspace } from '../api/client';
import { useQuery } from '../api/query';
import { home } from '../app/shell';
import { Dialog } from '../ui/dialog';
import { count } from '../ui/format';
import { Pending } from '../ui/states';
import { toast } from '../ui/toast';
import type { Run } from './run-details';

const focus = (field: HTMLElement | null): void => field?.focus();

/** Creates an example of a dataset from the inputs and outputs of a run. */
export function AddToDataset({ run, onClose }: { run: Run; onClose: () => void }) {
  const [error, setError] = useState('');
  const [created, setCreated] = useState<string>();
  const datasets = useQuery(`datasets to add to ${workspace.value}`, (signal) => getList('/api/v1/datasets', { query: { limit: 100 }, signal }));
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const dataset = String(new FormData(event.currentTarget as HTMLFormElement).get('dataset') ?? '');
    try {
      const example = await post('/api/v1/examples', { body: { dataset_id: dataset, inputs: run.inputs ?? {}, outputs: run.outputs, source_run_id: run.id } as never });
      setCreated(`${home()}/datasets/${dataset}/examples/${example.id}`);
      toast('The example was created');
    } catch (failure) {
      setError((failure as Error).message);
    }
  };
  return (
    <Dialog title="Add to a dataset" onClose={onClose}>
      {!datasets.data ? (
        <Pending query={datasets} what="the datasets" rows={3} />
      ) : created ? (
        <p>
          The inputs and outputs of this run are <a href={created}>a new example</a>.
        </p>
      ) : datasets.data.items.length === 0 ? (
        <p class="muted">There is no dataset yet; create one with POST /api/v1/datasets.</p>
      ) : (
        <form class="row wrap" onSubmit={submit}>
          <select ref={focus} class="field grow" name="dataset" aria-label="Dataset">
            {datasets.data.items.map((one) => (
              <option key={one.id} value={one.id}>
                {one.name} ({count(one.example_count)} examples)
              </option>
            ))}
          </select>
          <button class="button primary" type="submit">
            Add
          </button>
        </form>
      )}
      {error && (
        <p class="error-text" role="alert">
          {error}
        </p>
      )}
    </Dialog>
  );
}
