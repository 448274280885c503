/** What events of the audit log are called. Every function is pure. */

/** Resources by a segment of the operation's path. */
const NOUNS: Readonly<Record<string, string>> = {
  'api-keys': 'API key',
  workspaces: 'workspace',
  'notification-rules': 'notification rule',
  repohost: 'integration',
  deployments: 'deployment',
  revisions: 'revision',
  'bulk-exports': 'export',
  destinations: 'destination',
  datasets: 'dataset',
  examples: 'example',
  sessions: 'project',
  feedback: 'feedback',
  'upload-experiment': 'experiment',
};

const VERBS: Readonly<Record<string, string>> = { POST: 'Create', PUT: 'Change', PATCH: 'Change', DELETE: 'Delete' };

/** Verbs of operations whose path ends with the action. */
const ACTIONS: Readonly<Record<string, string>> = { test: 'Test', verify: 'Check', redeploy: 'Redeploy', interrupt: 'Interrupt', backfill: 'Backfill', 'upload-experiment': 'Upload', delete: 'Delete' };

/** Pages by resource; revisions are on the page of their deployment. */
const PAGES: Readonly<Record<string, string>> = { deployment: 'deployments', revision: 'deployments', export: 'exports', dataset: 'datasets', project: 'projects' };

interface Operation {
  readonly method?: string;
  readonly route?: string | null;
  readonly path?: string;
  readonly resource_id?: string | null;
  readonly outcome?: string;
}

export const isDone = (outcome: string | undefined): boolean => outcome === 'done' || outcome === 'replayed';

function read({ method = '', route }: Operation) {
  const parts = (route ?? '').split('/');
  const action = ACTIONS[parts.at(-1)!];
  const isCancellation = method === 'PATCH' && parts.at(-1) === '{export_id}';
  return { verb: isCancellation ? 'Cancel' : (action ?? VERBS[method]), noun: parts.map((part) => NOUNS[part]).findLast(Boolean), action };
}

/** Returns a phrase such as "Deleted API key", or "Delete API key" for what was not done; an unknown operation as method and path. */
export function phraseOf(event: Operation): string {
  const { verb, noun } = read(event);
  if (!verb || !noun) {
    return `${event.method} ${event.route ?? ''}`.trim();
  }
  const past = verb === 'Cancel' ? 'Cancelled' : `${verb}${verb.endsWith('e') ? 'd' : 'ed'}`;
  return `${isDone(event.outcome) ? past : verb} ${noun}`;
}

/** Returns the path of the resource's page below the workspace; null if it has none. */
export function pageOf(event: Operation): string | null {
  const { verb, noun, action } = read(event);
  const page = PAGES[noun ?? ''];
  // What an action creates has no page, but that on which it acts.
  const isPart = noun === 'revision' || (action !== undefined && action !== 'Backfill');
  const id = isPart ? /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(event.path ?? '')?.[0] : event.resource_id;
  return page && id && verb !== 'Delete' ? `${page}/${id}` : null;
}
