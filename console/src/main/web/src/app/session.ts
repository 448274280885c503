import { signal } from '@preact/signals';
import { ApiError, send, workspace } from '../api/client';
import { clearCache } from '../api/query';

export interface Workspace {
  readonly id: string;
  readonly name: string | null;
}

export interface SessionInfo {
  readonly organization_id: string;
  readonly plan: string;
  readonly role: string;
  readonly tenant_id: string | null;
  readonly expires_at: string;
  readonly workspaces: readonly Workspace[];
}

/** undefined while it is being read, null without a session. */
export const session = signal<SessionInfo | null | undefined>(undefined);
export const sessionError = signal<Error | null>(null);

export async function loadSession(): Promise<void> {
  try {
    session.value = await (await send('get', '/session', { workspace: '' })).json();
    sessionError.value = null;
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) {
      session.value = null;
      sessionError.value = null;
    } else {
      sessionError.value = error as Error;
    }
  }
}

/** Why the user must sign in again, or why the code of a sign-in address was rejected. */
export const signInReason = signal('');

/** Returns the one-time code in the fragment of a sign-in address, which servers do not receive. */
export function codeOf(hash: string): string | null {
  return /^#code=([A-Za-z0-9_-]{20,100})$/.exec(hash)?.[1] ?? null;
}

/** Starts a session with the one-time code of the address, if it has one, and removes the code from address and history. */
export async function redeemCode(): Promise<void> {
  const code = codeOf(window.location.hash);
  if (!code) {
    return;
  }
  window.history.replaceState(null, '', window.location.pathname + window.location.search);
  try {
    session.value = await (await send('post', '/session', { body: { code }, workspace: '' })).json();
  } catch (error) {
    signInReason.value = (error as Error).message;
  }
}

/** Returns whether the console is configured for OpenID Connect. */
export async function hasSingleSignOn(): Promise<boolean> {
  try {
    return (await (await send('get', '/session/options', { workspace: '' })).json()).single_sign_on === true;
  } catch {
    return false;
  }
}

export async function signIn(apiKey: string): Promise<void> {
  const response = await send('post', '/session', { body: { api_key: apiKey }, workspace: '' });
  clearCache();
  signInReason.value = '';
  session.value = await response.json();
}

export async function signOut(): Promise<void> {
  await send('delete', '/session', { workspace: '' });
  clearCache();
  workspace.value = '';
  session.value = null;
}
