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
      <p class="muted">Who signs in by single sign-on has the role in the claim of the access token that the provider sets for each user, and is a member without it; see docs/roles.md.</p>
    </details>
  );
}
