import { Table } from './list';
import { RIGHTS } from './rights';

/** The rights of each role, and where a role comes from. */
export function Roles() {
  return (
    <details class="card">
      <summary>What each role may do</summary>
      <div class="table-scroll">
        <Table
          rows={RIGHTS.map(([name, members]) => ({ id: name, name, members }))}
          columns={[
            ['Action', (one) => one.name, 'whole'],
            ['Member', (one) => (one.members ? 'Yes' : <span class="faint">No</span>)],
            ['Admin', () => 'Yes'],
          ]}
        />
      </div>
      <p class="muted">Users of single sign-on have the role that the provider sets in a claim of their access token, and are members without it; docs/roles.md names the claim.</p>
    </details>
  );
}
