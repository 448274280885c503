import { post, workspace } from '../api/client';
import { loadSession, session } from '../app/session';
import { home } from '../app/shell';
import { CopyButton } from '../ui/copy';
import { Empty } from '../ui/states';
import { useWorkspaces } from './data';
import { Field, FormDialog } from './form';
import { CREATED, SettingsList, type FormProps } from './list';

export function Workspaces() {
  const known = session.value;
  const isAdmin = known?.role === 'admin';
  const list = useWorkspaces(isAdmin);
  if (!isAdmin) {
    return <Empty title="Only admins list workspaces">The key of this session has the role member. Its workspace is {workspace.value}.</Empty>;
  }
  return (
    <SettingsList
      what="workspaces"
      noun="workspace"
      about={
        <>
          The organization has the plan <span class="strong">{known.plan}</span>. Its operator changes the plan with PATCH /v1/organizations/{'{id}'}; the limits of each plan are in <code>docs/operations.md</code>.
        </>
      }
      list={list}
      empty={<Empty title="There is no workspace" />}
      hrefOf={(one) => home(one.id)}
      badge={(one) => one.id === workspace.value && <span class="badge better">open</span>}
      columns={[['Id', (one) => one.id, 'mono whole'], CREATED, ['Plan', () => known.plan]]}
      create={known.tenant_id === null && ['Create workspace', CreateWorkspace]}
      note="Creating workspaces needs an admin key of the whole organization."
      actions={(one) => <CopyButton text={one.id} label="Copy id" />}
    />
  );
}

function CreateWorkspace({ onClose, onSaved }: FormProps) {
  const submit = async (form: FormData): Promise<void> => {
    await post('/v1/workspaces', { body: { name: String(form.get('name')) } });
    onSaved('The workspace was created');
    await loadSession();
  };
  return (
    <FormDialog title="Create workspace" action="Create workspace" names={['name']} submit={submit} onClose={onClose}>
      {(errors) => <Field name="name" label="Name" errors={errors} input={{ placeholder: 'Production', autofocus: true }} hint="A workspace cannot be renamed or deleted." />}
    </FormDialog>
  );
}
