/** Tabs of the page, in their order. */
export const TABS = ['keys', 'integrations', 'notifications', 'workspaces', 'retention', 'audit', 'session'] as const;

/** Events of notification rules. */
export const EVENTS = { 'export.failed': 'Export failed', 'schedule.paused': 'Schedule paused', 'revision.failed': 'Revision failed' } as const;

export const EXPIRIES = [
  ['', 'Never'],
  ['7', 'In 7 days'],
  ['30', 'In 30 days'],
  ['90', 'In 90 days'],
  ['365', 'In 1 year'],
  ['date', 'At a time'],
] as const;

const DAY_MS = 86_400_000;

/** Returns the expiry to send; null for never, undefined if the time is missing or invalid. */
export function expiryOf(choice: string, time: string, now = Date.now()): string | null | undefined {
  if (choice === '') {
    return null;
  }
  const value = choice === 'date' ? new Date(time).getTime() : now + Number(choice) * DAY_MS;
  return Number.isFinite(value) ? new Date(value).toISOString() : undefined;
}

export type Expiry = 'none' | 'expired' | 'soon' | 'later';

/** Classifies an expiry; `soon` is within a week. */
export function expiryState(time: string | null | undefined, now = Date.now()): Expiry {
  if (!time) {
    return 'none';
  }
  const left = Date.parse(time) - now;
  return left <= 0 ? 'expired' : left < 7 * DAY_MS ? 'soon' : 'later';
}

/** Returns the members of a form that are not blank; text that starts or ends with spaces is sent as entered. */
export function filled(form: FormData, names: readonly string[]): Record<string, string> {
  const body: Record<string, string> = {};
  for (const name of names) {
    const value = String(form.get(name) ?? '');
    if (value.trim() !== '') {
      body[name] = value;
    }
  }
  return body;
}

const ADDRESS = 'the address of the control plane, followed by the path above';

/** How a host sends pushes that the service accepts: requests with a signature in `X-Hub-Signature-256`. */
export function webhookSteps(provider: string): readonly string[] {
  const common = ['Content type: application/json', 'Secret: the webhook secret of this integration', 'Events: pushes only'];
  switch (provider) {
    case 'github':
      return ['In the repository: Settings, Webhooks, Add webhook', `Payload URL: ${ADDRESS}`, ...common];
    case 'gitea':
      return ['In the repository: Settings, Webhooks, Add webhook, Gitea', `Target URL: ${ADDRESS}`, 'Method: POST', ...common];
    case 'gitlab':
      return ['GitLab does not sign its webhooks with X-Hub-Signature-256, so the service rejects them.', 'Let a pipeline deploy instead: PATCH the deployment with source_revision_config.repo_ref after a push.'];
    default:
      return ['The host must sign the body with HMAC-SHA256 in the header X-Hub-Signature-256.', `URL: ${ADDRESS}`, ...common];
  }
}
