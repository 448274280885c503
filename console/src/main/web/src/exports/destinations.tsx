import { useState } from 'preact/hooks';
import { ApiError, post, remove } from '../api/client';
import { useKeys } from '../app/keys';
import { text, useUrlState } from '../app/router';
import { Page } from '../app/shell';
import { postCommand } from '../ui/command';
import { Confirm } from '../ui/confirm';
import { absolute, ago, plural } from '../ui/format';
import { Empty, Pending } from '../ui/states';
import { toast } from '../ui/toast';
import { DestinationDialog } from './destination-form';
import { failedSteps, passedSteps, type ProbeStep } from './form-model';
import { exportsHref, newExportHref } from './links';
import { bucketOf, isAdmin, useDestinations } from './parts';
import { ProbeSteps } from './probe';
import type { Destination, DestinationTest } from './types';

const STATE = { form: text() };
const COMMAND = postCommand(
  'EXPORT',
  '/api/v1/bulk-exports/destinations',
  `{"destination_type": "s3", "display_name": "Trace archive",
       "config": {"bucket_name": "BUCKET", "prefix": "waybill", "region": "eu-central-1"},
       "credentials": {"access_key_id": "...", "secret_access_key": "..."}}`,
);

export default function DestinationsPage() {
  const { state, set } = useUrlState(STATE);
  const [deleted, setDeleted] = useState<Destination>();
  const list = useDestinations();
  const mayChange = isAdmin();
  const items = list.data?.items;
  const edited = items?.find((one) => one.id === state.form) ?? null;
  useKeys(mayChange ? [{ keys: 'n', what: 'New destination', run: () => set({ form: 'new' }) }] : [], [mayChange]);
  const close = (): void => set({ form: '' }, { replace: true });
  return (
    <Page
      title="Destinations"
      crumbs={[{ label: 'Exports', href: exportsHref() }]}
      subtitle={list.data && `${plural(list.data.total, 'bucket')} that exports write to${mayChange ? '' : '; admins change them'}`}
      actions={
        mayChange && (
          <button class="button primary" type="button" title="New destination (n)" onClick={() => set({ form: 'new' })}>
            New destination
          </button>
        )
      }
    >
      {!items ? (
        <Pending query={list} what="the destinations" back={{ href: exportsHref(), label: 'All exports' }} />
      ) : items.length === 0 ? (
        <Empty title="No destinations yet" command={COMMAND}>
          A destination is an S3-compatible bucket with the credentials to write to it.
        </Empty>
      ) : (
        <ul class="destinations">
          {items.map((one) => (
            <li key={one.id}>
              <DestinationCard destination={one} mayChange={mayChange} onEdit={() => set({ form: one.id })} onDelete={() => setDeleted(one)} />
            </li>
          ))}
        </ul>
      )}
      {mayChange && (state.form === 'new' || edited) && (
        <DestinationDialog
          key={state.form}
          destination={edited}
          onClose={close}
          onSaved={() => {
            close();
            list.reload();
          }}
        />
      )}
      {deleted && (
        <Confirm
          isDangerous
          title={`Delete ${deleted.display_name.slice(0, 100)}?`}
          action="Delete"
          onClose={() => setDeleted(undefined)}
          run={async () => {
            await remove('/api/v1/bulk-exports/destinations/{id}', { path: { id: deleted.id } });
            toast('The destination was deleted');
            list.reload();
          }}
        >
          <p>
            Its stored credentials are deleted. Exported files in <code>{bucketOf(deleted)}</code> remain, but their exports can no longer be verified.
          </p>
        </Confirm>
      )}
    </Page>
  );
}

interface CardProps {
  readonly destination: Destination;
  readonly mayChange: boolean;
  readonly onEdit: () => void;
  readonly onDelete: () => void;
}

interface Tested {
  readonly steps: readonly ProbeStep[];
  readonly message: string;
  readonly isPassed: boolean;
}

async function test(id: string): Promise<Tested> {
  try {
    const result = (await post('/api/v1/bulk-exports/destinations/{id}/test', { path: { id } })) as DestinationTest;
    return { steps: passedSteps(result.steps), message: 'Exports can write to this bucket. Schedules that were paused because of it resume.', isPassed: true };
  } catch (error) {
    const failed = error instanceof ApiError ? error.step : undefined;
    return { steps: failed ? failedSteps(failed) : [], message: (error as Error).message, isPassed: false };
  }
}

function DestinationCard({ destination, mayChange, onEdit, onDelete }: CardProps) {
  const [tested, setTested] = useState<Tested | 'running'>();
  const { config } = destination;
  const facts: readonly (readonly [string, string | null | undefined])[] = [
    ['Endpoint', config.endpoint_url ?? 'AWS'],
    ['Region', config.region],
    ['Encryption', config.server_side_encryption ? `${config.server_side_encryption.type}${config.server_side_encryption.kms_key_id ? ` ${config.server_side_encryption.kms_key_id}` : ''}` : null],
    ['Access control list', config.acl],
    ['Credentials', destination.credentials_keys.length ? destination.credentials_keys.join(', ') : "the service's own"],
  ];
  const start = async (): Promise<void> => {
    setTested('running');
    setTested(await test(destination.id));
  };
  return (
    <article class="card destination" aria-label={destination.display_name}>
      <div class="row wrap">
        <div class="grow">
          <h2>
            <bdi>{destination.display_name}</bdi>
          </h2>
          <code class="text-content">{bucketOf(destination)}</code>
        </div>
        <a class="button" href={newExportHref({ destination: destination.id })}>
          New export
        </a>
        {mayChange && (
          <>
            <button class="button" type="button" disabled={tested === 'running'} onClick={() => void start()}>
              {tested === 'running' ? 'Testing …' : 'Test'}
            </button>
            <button class="button" type="button" onClick={onEdit}>
              Replace credentials
            </button>
            <button class="button quiet" type="button" onClick={onDelete}>
              Delete
            </button>
          </>
        )}
      </div>
      <dl class="destination-facts">
        {facts
          .filter(([, value]) => value)
          .map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd class="text-content">{value}</dd>
            </div>
          ))}
        <div>
          <dt>Changed</dt>
          <dd title={absolute(destination.updated_at)}>{ago(destination.updated_at)}</dd>
        </div>
      </dl>
      {tested !== undefined && tested !== 'running' && (
        <div class={`notice ${tested.isPassed ? 'passed' : 'failed'}`} role="status">
          <ProbeSteps steps={tested.steps} />
          <p>{tested.message}</p>
        </div>
      )}
    </article>
  );
}
