/** Actions and whether members may do them; admins may do all. The same as in docs/roles.md. */
export const RIGHTS: readonly (readonly [action: string, members: boolean])[] = [
  ['Send and read traces, projects, datasets, experiments and feedback', true],
  ['Change or delete projects, and select their retention', true],
  ['Create, cancel and verify exports', true],
  ['Create, change and delete deployments, with their secrets', true],
  ['Add, change and delete integrations', true],
  ['See destinations and notification rules', true],
  ['Create, test, change and delete destinations', false],
  ['Create, test, change and delete notification rules', false],
  ['See, create, change and delete API keys', false],
  ['List workspaces; create them with a key of the whole organization', false],
  ['See the audit log', false],
];
