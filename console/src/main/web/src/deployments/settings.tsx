import { useState } from 'preact/hooks';
import { ApiError, patch } from '../api/client';
import { useUrlState, oneOf, text } from '../app/router';
import { failureText, NO_ERRORS, placed } from '../ui/errors';
import { toast } from '../ui/toast';
import { Advanced, Field, Flag, OtherErrors, pathsOf, Variables } from './fields';
import { changes, filled, valuesOf, type Values, type Variable } from './form';
import type { Deployment } from './model';

const STATE = { tab: oneOf(['revisions', 'settings'] as const, 'revisions'), revision: text() };

/**
 * Changes what the API can change; a change of the build or of the application creates a revision. The page only hides it
 * while another tab is shown, so that unsaved input remains.
 */
export function Settings({ deployment, isDeleted, onChanged, onDelete }: { deployment: Deployment; isDeleted: boolean; onChanged: () => void; onDelete: () => void }) {
  const { set: setAddress } = useUrlState(STATE);
  const initial = valuesOf(deployment);
  // Only what was typed: other fields follow the deployment, which may change while the form is open.
  const [edits, setEdits] = useState<Values>({});
  const [variables, setVariables] = useState<readonly Variable[] | null>(null);
  const [errors, setErrors] = useState(NO_ERRORS);
  const [failure, setFailure] = useState('');
  const [isBusy, setBusy] = useState(false);
  const isImage = deployment.source === 'external_docker';
  const values = { ...initial, ...edits };
  const body = changes(initial, values, variables);
  const form = { values, errors, set: (path: string, value: string) => setEdits((before) => ({ ...before, [path]: value })) };
  const names = deployment.secrets?.map((one) => one.name) ?? [];
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (!body) {
      return;
    }
    setBusy(true);
    const sent = variables && filled(variables);
    setVariables(sent);
    try {
      const changed = await patch('/v2/deployments/{deployment_id}', { path: { deployment_id: deployment.id! }, body: body as never });
      setEdits({});
      setVariables(null);
      setErrors(NO_ERRORS);
      setFailure('');
      const hasRevision = changed.latest_revision_id !== deployment.latest_revision_id;
      toast(hasRevision ? 'The settings were saved; a new revision is rolled out' : 'The settings were saved');
      if (hasRevision) {
        setAddress({ tab: 'revisions', revision: changed.latest_revision_id ?? '' });
      }
      onChanged();
    } catch (error) {
      const violations = error instanceof ApiError ? error.violations : [];
      setErrors(placed(violations, pathsOf(values, sent ?? [])));
      setFailure(violations.length ? '' : failureText(error));
    }
    setBusy(false);
  };
  return (
    <div class="stack deployment-settings">
      <form class="card form" onSubmit={submit} noValidate>
        <h2>Settings</h2>
        <OtherErrors errors={errors} failure={failure} />
        <Field {...form} path="display_name" label="Display name" />
        {isImage ? (
          <Field {...form} path="source_revision_config.image_uri" label="Image" isRequired isMono />
        ) : (
          <>
            <div class="form-grid">
              <Field {...form} path="source_revision_config.repo_ref" label="Branch, tag or commit" isRequired isMono />
              <Field {...form} path="source_revision_config.langgraph_config_path" label="Configuration file" isMono />
            </div>
            <Flag {...form} path="source_config.build_on_push" label="Deploy every push to the branch" hint="Needs a webhook of the repository’s host." />
          </>
        )}
        <Advanced {...form} isImage={isImage} isOpen={Object.keys(errors.fields).some((path) => path.includes('command') || path.includes('resource_spec'))} />
        <fieldset class="plain-set">
          <legend class="strong">Environment variables</legend>
          <p class="muted">{names.length ? <>Stored: <span class="mono">{names.join(', ')}</span>. Values cannot be read again.</> : 'None are stored.'}</p>
          {variables === null ? (
            <button class="button" type="button" onClick={() => setVariables(names.length ? names.map((name) => ({ name, value: '' })) : [{ name: '', value: '' }])}>
              {names.length ? 'Replace all variables' : 'Add variables'}
            </button>
          ) : (
            <>
              {names.length > 0 && <p class="worse">These variables replace all stored ones: enter every value.</p>}
              <Variables variables={variables} errors={errors} onChange={setVariables} />
              <button class="button quiet" type="button" onClick={() => setVariables(null)}>
                Keep the stored variables
              </button>
            </>
          )}
        </fieldset>
        <div class="row form-foot">
          <span class="muted grow">{body ? 'A change of the build or of the application rolls out a new revision.' : 'Nothing was changed.'}</span>
          <button class="button primary" type="submit" disabled={!body || isBusy || isDeleted}>
            Save
          </button>
        </div>
      </form>
      <section class="card form" aria-label="Delete">
        <h2>Delete the deployment</h2>
        <p class="muted">Stops the application and removes its revisions and logs.</p>
        <div>
          <button class="button danger" type="button" disabled={isDeleted} onClick={onDelete}>
            Delete
          </button>
        </div>
      </section>
    </div>
  );
}
