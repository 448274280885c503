import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError, get, isAway, post, workspace } from '../api/client';
import { useQuery } from '../api/query';
import { navigate } from '../app/router';
import { home, Page } from '../app/shell';
import { failureText, NO_ERRORS, placed } from '../ui/errors';
import { ErrorState } from '../ui/states';
import { Advanced, Field, FieldError, Flag, OtherErrors, pathsOf, Variables } from './fields';
import { canList, creation, filled, INITIAL, repositoryHint, type Variable } from './form';
import './deployments.css';

const SOURCES = [
  ['repohost', 'Git repository'],
  ['external_docker', 'Container image'],
] as const;

/** A new deployment: of a repository, through an integration or by its address, or of an image. */
export default function NewDeploymentPage() {
  const [values, setValues] = useState(INITIAL);
  const [variables, setVariables] = useState<readonly Variable[]>([]);
  const [errors, setErrors] = useState(NO_ERRORS);
  const [failure, setFailure] = useState('');
  const [isBusy, setBusy] = useState(false);
  const element = useRef<HTMLFormElement>(null);
  const integration = values['source_config.integration_id'] ?? '';
  const integrations = useQuery(`integrations ${workspace.value}`, (signal) => get('/v1/integrations/repohost/install', { signal }));
  const chosen = integrations.data?.find((one) => one.id === integration);
  const base = chosen?.base_url ?? '';
  const isListed = canList(chosen?.provider, base);
  const repositories = useQuery(integration && isListed ? `repositories ${integration}` : null, (signal) => get('/v1/integrations/repohost/{integration_id}/repos', { path: { integration_id: integration }, signal }));
  const isImage = values['source'] === 'external_docker';
  const set = (path: string, value: string): void => setValues((before) => ({ ...before, [path]: value }));
  const form = { values, errors, set };
  useEffect(() => {
    element.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [errors]);
  const setRepository = (path: string, url: string): void => {
    set(path, url);
    const branch = repositories.data?.find((one) => one.url === url)?.default_branch;
    if (branch) {
      set('source_revision_config.repo_ref', branch);
    }
  };
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    const sent = filled(variables);
    setVariables(sent);
    try {
      const created = await post('/v2/deployments', { body: creation(values, sent, base) as never });
      navigate(`${home()}/deployments/${created.id}`);
    } catch (error) {
      const violations = error instanceof ApiError ? error.violations : [];
      const isNameTaken = error instanceof ApiError && error.status === 409 && violations.length === 0 && /name/i.test(error.message);
      setErrors(isNameTaken ? { fields: { name: [(error as Error).message] }, other: [] } : placed(violations, pathsOf({ ...values, name: '' }, sent)));
      setFailure(violations.length || isNameTaken ? '' : failureText(error));
      setBusy(false);
    }
  };
  return (
    <Page title="New deployment" crumbs={[{ label: 'Deployments', href: `${home()}/deployments` }]}>
      <form ref={element} class="card form new-deployment" onSubmit={submit} noValidate>
        <OtherErrors errors={errors} failure={failure} />
        <Field {...form} path="name" label="Name" isRequired isMono placeholder="support-agent" hint="Lower case letters, digits and hyphens; unique in the workspace." />
        <fieldset class="plain-set">
          <legend class="label">Source</legend>
          <div class="row wrap">
            {SOURCES.map(([id, label]) => (
              <label key={id} class="row flag">
                <input type="radio" name="source" checked={values['source'] === id} onChange={() => set('source', id)} /> {label}
              </label>
            ))}
          </div>
          <FieldError path="source" errors={errors} />
        </fieldset>
        {isImage ? (
          <Field {...form} path="source_revision_config.image_uri" label="Image" isRequired isMono placeholder="registry.example.com/acme/agent:1.4" />
        ) : (
          <>
            <div class="form-field">
              <label class="label" for="field-integration">
                Integration
              </label>
              <select id="field-integration" class="field wide" value={integration} aria-invalid={errors.fields['source_config.integration_id'] !== undefined} onChange={(event) => set('source_config.integration_id', event.currentTarget.value)}>
                <option value="">None: a public repository</option>
                {integrations.data?.map((one) => (
                  <option key={one.id} value={one.id}>
                    {one.name} {one.base_url ? `(${one.base_url})` : ''}
                  </option>
                ))}
              </select>
              <FieldError path="source_config.integration_id" errors={errors} />
              {integrations.error && !isAway(integrations.error) && <ErrorState error={integrations.error} retry={integrations.reload} />}
            </div>
            <Field
              {...form}
              set={setRepository}
              path="source_config.repo_url"
              label="Repository"
              isRequired
              isMono
              placeholder={base ? `${base}/agent` : 'https://github.com/acme/agent'}
              suggestions={repositories.data?.flatMap((one) => (one.url ? [one.url] : [])) ?? []}
              hint={repositoryHint(base, isListed, repositories.data?.length, repositories.error?.message)}
            />
            <div class="form-grid">
              <Field {...form} path="source_revision_config.repo_ref" label="Branch, tag or commit" isRequired isMono />
              <Field {...form} path="source_revision_config.langgraph_config_path" label="Configuration file" isMono hint="Its folder is the folder of the application." />
            </div>
            <Flag {...form} path="source_config.build_on_push" label="Deploy every push to the branch" hint="Needs a webhook of the repository’s host." />
          </>
        )}
        <fieldset class="plain-set">
          <legend class="strong">Environment variables</legend>
          <p class="muted small">Stored encrypted. Their values cannot be read again, and logs show them as ***.</p>
          <Variables variables={variables} errors={errors} onChange={setVariables} />
        </fieldset>
        <Advanced {...form} isImage={isImage} isOpen={Object.keys(errors.fields).some((path) => path.includes('command') || path.includes('resource_spec'))} />
        <div class="row form-foot">
          <a class="button" href={`${home()}/deployments`}>
            Cancel
          </a>
          <button class="button primary" type="submit" disabled={isBusy}>
            Create the deployment
          </button>
        </div>
      </form>
    </Page>
  );
}
