import { get, workspace } from '../api/client';
import type { components } from '../api/schema/control-plane';
import { useQuery } from '../api/query';

type Schemas = components['schemas'];
export type ApiKey = Schemas['ApiKeyResponse'];
export type Integration = Schemas['RepoHostIntegration'];
export type NotificationRule = Schemas['NotificationRule'];
export type WorkspaceItem = Schemas['WorkspaceResponse'];

const PAGE = 100;
const MAX_PAGES = 10;
const DELIVERY_POLL_MS = 3_000;
const SHOWN_DELIVERIES = 20;

/** Reads all pages of a list of accounts, at most 1,000 items. */
async function all<T>(read: (offset: number) => Promise<readonly T[]>): Promise<readonly T[]> {
  const items: T[] = [];
  for (let page = 0; page < MAX_PAGES; page++) {
    const next = await read(page * PAGE);
    items.push(...next);
    if (next.length < PAGE) {
      break;
    }
  }
  return items;
}

export const useKeyList = (isRead = true) =>
  useQuery(isRead ? `api keys of ${workspace.value}` : null, (signal) => all<ApiKey>(async (offset) => (await get('/v1/api-keys', { query: { limit: PAGE, offset }, signal })).resources ?? []));

export const useWorkspaces = (isRead = true) =>
  useQuery(isRead ? `workspaces seen from ${workspace.value}` : null, (signal) => all<WorkspaceItem>(async (offset) => (await get('/v1/workspaces', { query: { limit: PAGE, offset }, signal })).resources ?? []));

export const useWhoami = () => useQuery(`whoami in ${workspace.value}`, (signal) => get('/v1/whoami', { signal }));

export const useIntegrations = () => useQuery(`integrations of ${workspace.value}`, (signal) => get('/v1/integrations/repohost/install', { signal }));

/** The last deliveries of an integration's webhook, read again while the page is visible. */
export const useWebhookDeliveries = (integration: string) =>
  useQuery(`webhook deliveries of ${integration}`, async (signal) => (await get('/v1/integrations/repohost/{integration_id}/deliveries', { path: { integration_id: integration }, query: { limit: SHOWN_DELIVERIES }, signal })).resources ?? [], { pollMs: DELIVERY_POLL_MS });

export const useNotificationRules = () => useQuery(`notification rules of ${workspace.value}`, (signal) => get('/v1/notification-rules', { signal }));

/** The last deliveries of a rule, read again while the page is visible. */
export const useDeliveries = (rule: string) =>
  useQuery(`deliveries of ${rule}`, async (signal) => (await get('/v1/notification-rules/{rule_id}/deliveries', { path: { rule_id: rule }, query: { limit: SHOWN_DELIVERIES }, signal })).resources ?? [], { pollMs: DELIVERY_POLL_MS });
