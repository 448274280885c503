import { useState } from 'preact/hooks';
import { post, workspace } from '../api/client';
import { loadSession, session } from '../app/session';
import { home } from '../app/shell';
import { CopyButton } from '../ui/copy';
import { Empty, ErrorState, Loading } from '../ui/states';
import { toast } from '../ui/toast';
import { When } from '../ui/when';
import { useWorkspaces } from './data';
import { Field, FormDialog } from './form';

export function Workspaces() {
  const known = session.value;
  const isAdmin = known?.role === 'admin';
  const workspaces = useWorkspaces(isAdmin);
  const [creating, setCreating] = useState(false);
  if (!isAdmin) {
    return <Empty title="Only admins list workspaces">The key of this session has the role member. Its workspace is {workspace.value}.</Empty>;
  }
  return (
    <>
      <div class="settings-head">
        <p class="muted">
          The organization has the plan <span class="strong">{known.plan}</span>. Its operator changes the plan with PATCH /v1/organizations/{'{id}'}; the limits of each plan are in <code>docs/operations.md</code>.
        </p>
        {known.tenant_id === null ? (
          <button class="button primary" type="button" onClick={() => setCreating(true)}>
            Create workspace
          </button>
        ) : (
          <p class="faint">Creating workspaces needs an admin key of the whole organization.</p>
        )}
      </div>
      {workspaces.error && !workspaces.data ? (
        <ErrorState error={workspaces.error} retry={workspaces.reload} />
      ) : !workspaces.data ? (
        <Loading what="the workspaces" />
      ) : workspaces.data.length === 0 ? (
        <Empty title="There is no workspace" />
      ) : (
        <div class="card table-scroll">
          <table class="table cards">
            <thead>
              <tr>
                {['Name', 'Id', 'Created', 'Plan'].map((title) => (
                  <th key={title} scope="col">
                    {title}
                  </th>
                ))}
                <th scope="col">
                  <span class="visually-hidden">Actions</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {workspaces.data.map((one) => (
                <tr key={one.id}>
                  <td class="whole strong">
                    <a href={home(one.id)}>
                      <bdi>{one.name}</bdi>
                    </a>
                    {one.id === workspace.value && <span class="badge better">open</span>}
                  </td>
                  <td class="mono whole">{one.id}</td>
                  <td data-name="Created">
                    <When time={one.created_at} />
                  </td>
                  <td data-name="Plan">{known.plan}</td>
                  <td class="actions whole">
                    <CopyButton text={one.id} label="Copy id" />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {creating && (
        <FormDialog
          title="Create workspace"
          action="Create workspace"
          names={['name']}
          onClose={() => setCreating(false)}
          submit={async (form) => {
            await post('/v1/workspaces', { body: { name: String(form.get('name')) } });
            setCreating(false);
            toast('The workspace was created');
            workspaces.reload();
            await loadSession();
          }}
        >
          {(errors) => <Field name="name" label="Name" errors={errors} input={{ placeholder: 'Production', autofocus: true }} hint="A workspace cannot be renamed or deleted." />}
        </FormDialog>
      )}
    </>
  );
}
