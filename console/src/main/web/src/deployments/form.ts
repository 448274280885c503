/** Values of the forms for deployments, as the API takes them. Every function is pure. */
import type { Deployment } from './model';

export interface Variable {
  readonly name: string;
  readonly value: string;
}

/** Texts of the fields, by the path of the member that each sets. */
export type Values = Readonly<Record<string, string>>;

export const NUMBERS = ['source_config.resource_spec.min_scale', 'source_config.resource_spec.max_scale', 'source_config.resource_spec.cpu', 'source_config.resource_spec.cpu_limit', 'source_config.resource_spec.memory_mb', 'source_config.resource_spec.memory_limit_mb'] as const;
const FLAGS: readonly string[] = ['source_config.build_on_push'];

export const INITIAL: Values = { name: '', source: 'repohost', 'source_revision_config.repo_ref': 'main', 'source_revision_config.langgraph_config_path': 'langgraph.json' };

type Members = { [name: string]: unknown };

function typed(path: string, text: string): unknown {
  if (FLAGS.includes(path)) {
    return text === 'true';
  }
  // A text that is no number is sent as it is, so that the service names its place.
  return NUMBERS.some((one) => one === path) && text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text.trim();
}

function assign(body: Members, path: string, value: unknown): void {
  const names = path.split('.');
  let inner = body;
  for (const name of names.slice(0, -1)) {
    inner = (inner[name] ??= {}) as Members;
  }
  inner[names.at(-1)!] = value;
}

const isOfImages = (path: string): boolean => path === 'source_revision_config.image_uri';
const isOfRepositories = (path: string): boolean => ['source_config.repo_url', 'source_config.integration_id', 'source_config.build_on_push', 'source_config.install_command', 'source_config.build_command', 'source_revision_config.repo_ref', 'source_revision_config.langgraph_config_path'].includes(path);

export const filled = (variables: readonly Variable[]): readonly Variable[] => variables.filter((one) => one.name !== '' || one.value !== '');

/** The address of a repository: a name, or a path on the host, is below the integration's base URL. */
export function repositoryAddress(entry: string, base: string): string {
  const text = entry.trim();
  if (!base || !text || text.includes('://') || /^[^/]+@[^/]+:/.test(text)) {
    return text;
  }
  const whole = base.replace(/\/+$/, '');
  const root = `${whole.replace(/^[a-z]+:\/\/[^/]*/i, '')}/`;
  return `${whole}/${(text.startsWith(root) ? text.slice(root.length) : text).replace(/^\/+/, '')}`;
}

/** Whether the service can list the repositories of an integration. */
export const canList = (provider: string | null | undefined, base: string): boolean => provider !== 'other' && !/^ssh:|^[^/]+@/.test(base);

/** The hint of the field for a repository; `suggested` is the number of listed ones. */
export function repositoryHint(base: string, isListed: boolean, suggested: number | undefined, error: string | undefined): string {
  if (!base) {
    return 'Address of the repository: https, or ssh with an integration that has a key.';
  }
  const listed = !isListed ? 'The repositories of this host cannot be listed.' : suggested === undefined ? (error ?? '') : `Repositories suggested: ${suggested}.`;
  return `${listed} Address, or a name below ${base}.`.trim();
}

/** The request that creates a deployment: empty fields are left out, as are those of the other kind of source. */
export function creation(values: Values, variables: readonly Variable[], base = ''): Members {
  const body: Members = { source_config: {}, source_revision_config: {} };
  const isImage = values['source'] === 'external_docker';
  for (const [path, text] of Object.entries(values)) {
    if (text.trim() !== '' && !(isImage ? isOfRepositories(path) : isOfImages(path))) {
      assign(body, path, path === 'source_config.repo_url' ? repositoryAddress(text, base) : typed(path, text));
    }
  }
  if (filled(variables).length) {
    body['secrets'] = filled(variables);
  }
  return body;
}

/** The fields of a deployment that can be changed, as texts. */
export function valuesOf(deployment: Deployment): Values {
  const { source_config: config, source_revision_config: revision } = deployment;
  const spec: Members = { ...config?.resource_spec };
  const known: Record<string, unknown> = {
    display_name: deployment.display_name,
    'source_revision_config.repo_ref': revision?.repo_ref,
    'source_revision_config.langgraph_config_path': revision?.langgraph_config_path,
    'source_revision_config.image_uri': revision?.image_uri,
    'source_config.build_on_push': config?.build_on_push ?? false,
    'source_config.install_command': config?.install_command,
    'source_config.build_command': config?.build_command,
  };
  for (const path of NUMBERS) {
    known[path] = spec[path.split('.').at(-1)!];
  }
  return Object.fromEntries(Object.entries(known).map(([path, value]) => [path, value === null || value === undefined ? '' : String(value)]));
}

/** The request that changes a deployment: only what differs; null if nothing does. Variables replace all of the deployment's. */
export function changes(before: Values, after: Values, variables: readonly Variable[] | null): Members | null {
  const body: Members = {};
  for (const [path, text] of Object.entries(after)) {
    if (text.trim() !== (before[path] ?? '')) {
      assign(body, path, typed(path, text));
    }
  }
  if (variables && filled(variables).length) {
    body['secrets'] = filled(variables);
  }
  return Object.keys(body).length ? body : null;
}
