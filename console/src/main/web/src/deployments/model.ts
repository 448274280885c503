/** Deployments and revisions: what their states mean to a person. Every function is pure. */
import type { components } from '../api/schema/control-plane';

import { isolated } from '../ui/format';

type Schemas = components['schemas'];
export type Deployment = Schemas['DeploymentResponse'];
export type Revision = Schemas['RevisionResponse'];
export type Status = Schemas['ApplicationStatusResponse'];
export type LogLine = Schemas['LogLineResponse'];
export type RevisionStatus = NonNullable<Revision['status']>;

export type Tone = 'good' | 'bad' | 'busy' | 'idle' | 'warn';

interface Meaning {
  readonly label: string;
  readonly tone: Tone;
}

const REVISION: Readonly<Record<RevisionStatus, Meaning>> = {
  CREATING: { label: 'Creating', tone: 'busy' },
  QUEUED: { label: 'Queued', tone: 'busy' },
  AWAITING_BUILD: { label: 'Waiting for the build', tone: 'busy' },
  BUILDING: { label: 'Building', tone: 'busy' },
  AWAITING_DEPLOY: { label: 'Waiting for the deployment', tone: 'busy' },
  DEPLOYING: { label: 'Deploying', tone: 'busy' },
  DEPLOYED: { label: 'Deployed', tone: 'good' },
  UNKNOWN: { label: 'Unknown', tone: 'warn' },
  CREATE_FAILED: { label: 'Creation failed', tone: 'bad' },
  BUILD_FAILED: { label: 'Build failed', tone: 'bad' },
  DEPLOY_FAILED: { label: 'Deployment failed', tone: 'bad' },
  SKIPPED: { label: 'Skipped', tone: 'idle' },
  INTERRUPTED: { label: 'Interrupted', tone: 'idle' },
};

const DEPLOYMENT: Readonly<Record<Schemas['DeploymentStatus'], Meaning>> = {
  READY: { label: 'Ready', tone: 'good' },
  UNUSED: { label: 'Not deployed yet', tone: 'idle' },
  AWAITING_DELETE: { label: 'Being deleted', tone: 'busy' },
  UNKNOWN: { label: 'Unknown', tone: 'warn' },
};

const OTHER: Meaning = { label: 'Unknown', tone: 'warn' };

export const revisionMeaning = (status: string | null | undefined): Meaning => REVISION[status as RevisionStatus] ?? OTHER;
export const deploymentMeaning = (status: string | null | undefined): Meaning => DEPLOYMENT[status as Schemas['DeploymentStatus']] ?? OTHER;

/** The state of the newest rollout; that of the deployment while it has none or is deleted. */
export const rolloutMeaning = (deployment: Deployment, latest = deployment.latest_revision_status): Meaning => (deployment.status === 'AWAITING_DELETE' || !latest ? deploymentMeaning(deployment.status) : revisionMeaning(latest));

const RANKS: Readonly<Record<Tone, number>> = { bad: 0, warn: 1, busy: 2, good: 3, idle: 3 };

/** Failed deployments first, then those in progress, then the others; each the last changed first. */
export function byUrgency(deployments: readonly Deployment[]): readonly Deployment[] {
  const rank = (one: Deployment): number => RANKS[rolloutMeaning(one).tone];
  return [...deployments].sort((a, b) => rank(a) - rank(b) || (b.updated_at ?? '').localeCompare(a.updated_at ?? ''));
}

export const isInProgress = (revision: { readonly status?: RevisionStatus }): boolean => revisionMeaning(revision.status).tone === 'busy';
export const isFailed = (revision: { readonly status?: RevisionStatus }): boolean => revisionMeaning(revision.status).tone === 'bad';

/** The revision that serves requests: a deployed latest revision is read before the deployment names it. */
export const activeRevision = (deployment: Deployment, latest: Revision | undefined): string | null | undefined => (latest?.status === 'DEPLOYED' ? latest.id : deployment.active_revision_id);

const NOT_KNOWN: Meaning = { label: 'Not known', tone: 'idle' };

/**
 * Health of the application that serves requests, apart from the state of the newest rollout. Returns null until the status of
 * the active revision is read; a status of null could not be read.
 */
export function health(status: Status | null | undefined, active: string | null | undefined): Meaning | null {
  if (!active) {
    return { label: 'Not running', tone: 'idle' };
  }
  if (status === undefined || (status && status.revision_id !== active)) {
    return null;
  }
  const { instances, ready_instances: ready } = status ?? {};
  if (instances === null || instances === undefined || ready === null || ready === undefined) {
    return NOT_KNOWN;
  }
  if (instances === 0) {
    return { label: 'No instances', tone: 'idle' };
  }
  return ready === instances ? { label: 'Healthy', tone: 'good' } : ready === 0 ? { label: 'Unhealthy', tone: 'bad' } : { label: `${ready} of ${instances} healthy`, tone: 'warn' };
}

export const shortCommit = (sha: string | null | undefined): string => sha?.slice(0, 8) ?? '';

/** The commit of a revision, else the end of its id: an id begins with its time, which revisions of the same minute share. */
export const revisionName = (revision: Revision): string => shortCommit(revision.source_revision_config?.repo_commit_sha) || (revision.id?.slice(-8) ?? '');

export const deploymentTitle = ({ name, display_name: display }: Deployment): string => (display ? `${name} · ${display}` : (name ?? ''));

/** What a redeployment of the revision builds; without a commit it resolves the revision's own branch again. */
export function redeployed(revision: Revision, { source_revision_config: current }: Deployment): string {
  const { repo_commit_sha: commit, repo_ref: ref, image_uri: image } = revision.source_revision_config ?? {};
  if (commit || image) {
    return `Creates a revision of ${commit ? `commit ${shortCommit(commit)}` : `image ${image}`}.`;
  }
  const other = current?.repo_ref && current.repo_ref !== ref ? `, not ${isolated(current.repo_ref)} of Settings` : '';
  return `Creates a revision like revision ${revisionName(revision)}, whose commit is not known: it builds that revision’s branch ${isolated(ref ?? '')}${other}.`;
}

/** Labels of members of the API in the forms. */
export const LABELS: Readonly<Record<string, string>> = {
  repo_url: 'Repository',
  repo_ref: 'Branch, tag or commit',
  repo_commit_sha: 'Commit',
  langgraph_config_path: 'Configuration file',
  install_command: 'Install command',
  build_command: 'Build command',
  image_uri: 'Image',
  'commit.author': 'Author',
  'commit.message': 'Message',
};
const MEMBERS = /`?\b(?:source(?:_revision)?_config\.)?(repo_url|repo_ref|langgraph_config_path|install_command|build_command)\b`?/g;

/** A message of the service with the labels of the form instead of the names of the API. */
export const inWords = (message: string | null | undefined): string => (message ?? '').trim().replace(MEMBERS, (_, name: string) => `“${LABELS[name]}”`);

/** The last two parts of a repository's address, without the ending of git. */
export function repositoryName(url: string | null | undefined): string {
  return (url ?? '').replace(/\.git$/, '').replace(/\/+$/, '').split('/').slice(-2).join('/');
}

/** An address that a link may lead to, or null. */
export function webAddress(url: string | null | undefined): string | null {
  return url && /^https?:\/\//i.test(url) ? url : null;
}

export type PhaseName = 'queued' | 'build' | 'start' | 'health';

export interface Phase {
  readonly name: PhaseName;
  readonly label: string;
  readonly seconds: number;
  /** Part of the whole, 0 to 1. */
  readonly share: number;
  readonly isRunning: boolean;
}

const PHASES = [
  ['queued', 'Queued', 'queued_at'],
  ['build', 'Build', 'building_at'],
  ['start', 'Start', 'deploying_at'],
  ['health', 'Health check', 'health_check_at'],
] as const;

/** Time in each phase that has begun; the last one lasts until the end of the revision, or until now. */
export function phases(revision: Revision, now: number): readonly Phase[] {
  const at = revision.phases;
  const begun = PHASES.flatMap(([name, label, member]) => {
    const time = at?.[member];
    return time ? [{ name, label, start: Date.parse(time) }] : [];
  });
  const isRunning = !at?.ended_at && isInProgress(revision);
  const end = at?.ended_at ? Date.parse(at.ended_at) : isRunning ? now : Date.parse(revision.updated_at ?? revision.created_at ?? '');
  const first = begun[0]?.start ?? end;
  const whole = Math.max(1, end - first);
  return begun.map((phase, index) => {
    const until = begun[index + 1]?.start ?? end;
    const length = Math.max(0, until - phase.start);
    return { name: phase.name, label: phase.label, seconds: length / 1000, share: length / whole, isRunning: isRunning && index === begun.length - 1 };
  });
}

const IN_WORDS: Readonly<Partial<Record<RevisionStatus, string>>> = {
  CREATE_FAILED: 'The source could not be read',
  BUILD_FAILED: 'The build failed',
  DEPLOY_FAILED: 'The application did not start',
  SKIPPED: 'A newer revision replaced this one before it began',
  INTERRUPTED: 'This revision was interrupted',
  UNKNOWN: 'The state of this revision is unknown',
};

interface Reason {
  readonly title: string;
  readonly cause: string;
  readonly details: string;
  /** Whether a setting of the deployment is to be changed. */
  readonly isOfSettings: boolean;
}

/** Why a revision ended without being deployed: what happened, and its cause in one sentence with the details after it. */
export function reason(revision: Revision): Reason | null {
  const title = IN_WORDS[revision.status as RevisionStatus];
  const message = inWords(revision.status_message);
  if (!title) {
    return null;
  }
  const end = /[.!?](?=\s|$)|\n/.exec(message);
  const cut = end ? end.index + (end[0] === '\n' ? 0 : 1) : message.length;
  return { title, cause: message.slice(0, cut).trim(), details: message.slice(cut).trim(), isOfSettings: /no branch or tag|“(?!Repository)/.test(message) };
}

const ERROR_WORDS = /\b(error|exception|failed|failure|fatal|cannot|could not|not found|no such|denied|traceback)\b/i;
const MIN_QUOTE = 8;

/**
 * Returns the index of the log line that a failure came from, or -1: the last line of output that the message quotes, else the
 * last one that reports a failure, else the message itself, which the control plane writes at the end of the log. A failed
 * command explains itself by its output, even without a word for failures.
 */
export function causeIndex(lines: readonly Pick<LogLine, 'line' | 'stream' | 'level'>[], message: string | null | undefined): number {
  const text = message ?? '';
  const quoted = lines.findLastIndex((one) => one.stream !== 'system' && (one.line ?? '').trim().length >= MIN_QUOTE && text.includes((one.line ?? '').trim()));
  if (quoted >= 0) {
    return quoted;
  }
  const isWritten = (one: Pick<LogLine, 'stream' | 'level'>): boolean => one.stream === 'stderr' || one.level === 'error';
  const hasWords = (one: Pick<LogLine, 'line'>): boolean => ERROR_WORDS.test(one.line ?? '');
  const isMessage = (one: Pick<LogLine, 'line' | 'stream'>): boolean => one.stream === 'system' && (one.line ?? '').length >= MIN_QUOTE && text.includes(one.line!);
  const isOfCommand = text.includes('exit code');
  const choices: readonly ((one: Pick<LogLine, 'line' | 'stream' | 'level'>) => boolean)[] = [
    (one) => isWritten(one) && hasWords(one),
    (one) => one.stream !== 'system' && hasWords(one),
    (one) => !isOfCommand && isMessage(one),
    isWritten,
    hasWords,
    isMessage,
  ];
  return choices.reduce((found, choice) => (found >= 0 ? found : lines.findLastIndex(choice)), -1);
}

export interface Difference {
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

/** Flattens a configuration to names and texts; members without a value are left out. */
function flat(value: unknown, prefix: string, found: Map<string, string>): Map<string, string> {
  for (const [name, member] of Object.entries((value ?? {}) as Record<string, unknown>)) {
    const path = prefix ? `${prefix}.${name}` : name;
    if (typeof member === 'object' && member !== null && !Array.isArray(member)) {
      flat(member, path, found);
    } else if (member !== null && member !== undefined) {
      found.set(path, typeof member === 'string' ? member : JSON.stringify(member));
    }
  }
  return found;
}

/** What differs between the configurations of two revisions, by name. */
export function differences(before: Revision, after: Revision): readonly Difference[] {
  const of = (one: Revision): Map<string, string> => flat({ source: one.source, ...one.source_revision_config, commit: one.commit ? { author: one.commit.author, message: one.commit.message } : null }, '', new Map());
  const [first, second] = [of(before), of(after)];
  return [...new Set([...first.keys(), ...second.keys()])]
    .filter((name) => first.get(name) !== second.get(name))
    .map((name) => ({ name, before: first.get(name) ?? '', after: second.get(name) ?? '' }));
}
