import { useState } from 'preact/hooks';
import { post, remove } from '../api/client';
import { navigate } from '../app/router';
import { home } from '../app/shell';
import { Confirm } from '../ui/confirm';
import { toast } from '../ui/toast';
import { redeployed, revisionName, type Deployment, type Revision } from './model';

/** Deletes a deployment after its name was typed. */
export function DeleteDialog({ deployment, onClose }: { deployment: Deployment; onClose: () => void }) {
  const [typed, setTyped] = useState('');
  const run = async (): Promise<void> => {
    await remove('/v2/deployments/{deployment_id}', { path: { deployment_id: deployment.id! } });
    toast(`${deployment.name} is being deleted`);
    navigate(`${home()}/deployments`);
  };
  return (
    <Confirm title="Delete the deployment" action="Delete" isDangerous isDisabled={typed !== deployment.name} run={run} onClose={onClose}>
      <p>
        Its application stops, its address no longer responds, and its revisions and logs are removed. This cannot be undone.
      </p>
      <label>
        <span class="label">
          Type <span class="strong mono">{deployment.name}</span> to delete it
        </span>
        <input class="field wide" autoComplete="off" autofocus spellcheck={false} value={typed} onInput={(event) => setTyped(event.currentTarget.value)} />
      </label>
    </Confirm>
  );
}

interface RevisionDialogProps {
  readonly deployment: Deployment;
  readonly kind: 'interrupt' | 'redeploy';
  readonly revision: Revision;
  readonly onClose: () => void;
  readonly onInterrupted: () => void;
  readonly onCreated: (revision: string | undefined) => void;
}

/** Interrupts a revision, or deploys it again. */
export function RevisionDialog({ deployment, kind, revision, onClose, onInterrupted, onCreated }: RevisionDialogProps) {
  // The question stays the same when another revision begins to serve meanwhile.
  const [isRollback] = useState(revision.status === 'DEPLOYED' && revision.id !== deployment.active_revision_id);
  const path = { deployment_id: deployment.id!, revision_id: revision.id! };
  const interrupt = async (): Promise<void> => {
    await post('/v2/deployments/{deployment_id}/revisions/{revision_id}/interrupt', { path });
    toast('The rollout was interrupted');
    onInterrupted();
  };
  const redeploy = async (): Promise<void> => {
    const changed = await post('/v2/deployments/{deployment_id}/revisions/{revision_id}/redeploy', { path });
    toast(isRollback ? 'The rollback has begun' : 'The rollout has begun');
    onCreated(changed.latest_revision_id);
  };
  if (kind === 'interrupt') {
    return (
      <Confirm title="Interrupt the rollout" action="Interrupt" isDangerous onClose={onClose} run={interrupt}>
        <p>
          The rollout of <span class="mono strong">{revisionName(revision)}</span> stops and its partial work is removed. {deployment.active_revision_id ? 'The revision that serves requests continues.' : 'No revision serves requests then.'}
        </p>
      </Confirm>
    );
  }
  const title = isRollback ? 'Roll back' : 'Redeploy';
  return (
    <Confirm title={title} action={title} onClose={onClose} run={redeploy}>
      <p class="text-content">{redeployed(revision, deployment)}</p>
      <p>Its settings are those of that revision, its environment variables the current ones. {deployment.active_revision_id && 'The revision that serves requests continues until the new one is healthy.'}</p>
    </Confirm>
  );
}
