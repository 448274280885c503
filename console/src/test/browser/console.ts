import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';

/** Address of the console, and the environment that the quickstart wrote. */
export const address = process.env['WAYBILL_CONSOLE_URL'] ?? 'http://localhost:8083';
export const root = resolve(__dirname, '../../../..');

const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Returns a variable of the environment or of the quickstart; null if it is not set. */
export function optional(name: string): string | null {
  const file = resolve(root, '.waybill/env');
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  return process.env[name] || new RegExp(`^export ${name}=(.*)$`, 'm').exec(text)?.[1] || null;
}

export function environment(name: string): string {
  const value = optional(name);
  if (!value) {
    throw new Error(`${name} is not set; run ./quickstart --keep first`);
  }
  return value;
}

export async function launch(): Promise<Browser> {
  const executablePath = CHROMIUM.find(existsSync);
  if (!executablePath) {
    throw new Error('Chromium is not installed: apt-get install -y --no-install-recommends chromium');
  }
  return chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });
}

/** A key and its workspace. */
export interface Account {
  readonly key: string;
  readonly workspace: string;
}

export const account = (): Account => ({ key: environment('WAYBILL_API_KEY'), workspace: environment('WAYBILL_TENANT_ID') });

/** Another workspace, whose name is hostile; only `./verify` has one. */
export function otherAccount(): Account | null {
  const key = optional('WAYBILL_OTHER_API_KEY');
  return key ? { key, workspace: environment('WAYBILL_OTHER_TENANT_ID') } : null;
}

export interface Watched {
  readonly page: Page;
  /** Errors of the console, of scripts, and of the security policy. */
  readonly problems: string[];
}

/** Opens a page and records everything that must not happen. Failed responses are expected where a test asks for them. */
export async function open(context: BrowserContext, path: string): Promise<Watched> {
  const page = await context.newPage();
  // Other tests run at the same time.
  page.setDefaultTimeout(90_000);
  const problems: string[] = [];
  await page.addInitScript(() => document.addEventListener('securitypolicyviolation', (event) => console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`)));
  page.on('console', (message) => message.type() === 'error' && !message.text().startsWith('Failed to load resource') && problems.push(message.text()));
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('dialog', (dialog) => {
    problems.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => !request.url().startsWith(address) && !request.url().startsWith('data:') && !request.url().startsWith('blob:') && problems.push(`request to ${request.url()}`));
  await page.goto(address + path);
  return { page, problems };
}

/** Signs in as a person does. */
export async function signIn(context: BrowserContext, key = environment('WAYBILL_API_KEY')): Promise<void> {
  const { page } = await open(context, '/sign-in');
  await page.fill('#api-key', key);
  await page.keyboard.press('Enter');
  await page.waitForSelector('.sidebar');
  await page.close();
}

export interface Call {
  readonly key?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Calls an API of the services with JSON, or with a form. */
export async function api(service: 'EXPERIMENT' | 'CONTROL_PLANE' | 'EXPORT', path: string, body?: unknown, call: Call = {}): Promise<any> {
  const isForm = body instanceof FormData;
  const response = await fetch(environment(`WAYBILL_${service}_URL`) + path, {
    method: call.method ?? (body === undefined ? 'GET' : 'POST'),
    headers: { 'X-Api-Key': call.key ?? environment('WAYBILL_API_KEY'), ...(isForm ? {} : { 'Content-Type': 'application/json' }), ...call.headers },
    ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) {
    throw new Error(`${path}: ${response.status} ${text.slice(0, 2_000)}`);
  }
  return text ? JSON.parse(text) : null;
}

/** The data of the quickstart that the tests open. */
export async function sample(): Promise<{ dataset: { id: string; name: string }; project: { id: string }; trace: string }> {
  const dataset = (await api('EXPERIMENT', '/api/v1/datasets')).find((one: { name: string }) => one.name === 'sample-support-answers');
  const project = (await api('EXPERIMENT', '/api/v1/sessions?name=sample-retail-agent'))[0];
  const roots = await api('EXPERIMENT', '/api/v1/runs/query', { session: [project.id], is_root: true, limit: 1, select: ['id'] });
  return { dataset, project, trace: roots.runs[0].id };
}
