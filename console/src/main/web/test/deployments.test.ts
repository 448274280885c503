import { describe, expect, it } from 'vitest';
import { canList, changes, creation, repositoryAddress, repositoryHint, valuesOf } from '../src/deployments/form';
import { LogBuffer, marked, matches } from '../src/deployments/logs';
import { activeRevision, byUrgency, causeIndex, deploymentTitle, differences, health, inWords, phases, reason, redeployed, repositoryName, revisionName, webAddress, type Deployment, type LogLine, type Revision, type Status } from '../src/deployments/model';
import { snippet } from '../src/deployments/snippets';

const at = (second: number): string => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
const revision = (members: unknown): Revision => members as Revision;
const line = (text: string, members: Partial<LogLine> = {}): LogLine => ({ at: at(0), phase: 'build', stream: 'stdout', line: text, level: null, instance: null, ...members }) as unknown as LogLine;

describe('phases', () => {
  it('last until the next one or the end', () => {
    const found = phases(revision({ status: 'DEPLOYED', phases: { queued_at: at(0), building_at: at(1), deploying_at: at(5), health_check_at: at(6), ended_at: at(10) } }), 0);
    expect(found.map((one) => [one.name, one.seconds, one.share])).toEqual([['queued', 1, 0.1], ['build', 4, 0.4], ['start', 1, 0.1], ['health', 4, 0.4]]);
    expect(found.some((one) => one.isRunning)).toBe(false);
  });

  it('of a revision in progress last until now', () => {
    const found = phases(revision({ status: 'BUILDING', phases: { queued_at: at(0), building_at: at(1) } }), Date.parse(at(8)));
    expect(found.map((one) => [one.name, one.seconds, one.isRunning])).toEqual([['queued', 1, false], ['build', 7, true]]);
  });

  it('that never began are left out', () => {
    const found = phases(revision({ status: 'BUILD_FAILED', phases: { queued_at: at(0), building_at: null, deploying_at: null, ended_at: at(2) } }), 0);
    expect(found.map((one) => [one.name, one.seconds])).toEqual([['queued', 2]]);
    expect(phases(revision({ status: 'DEPLOYED', phases: null, updated_at: at(3) }), 0)).toEqual([]);
  });
});

describe('the reason of a failure', () => {
  it('has its cause in one sentence and the advice after it', () => {
    const found = reason(revision({ status: 'DEPLOY_FAILED', status_message: 'File agent.v2.py ended with code 1. Fix it and deploy again.' }));
    expect(found).toEqual({ title: 'The application did not start', cause: 'File agent.v2.py ended with code 1.', details: 'Fix it and deploy again.', isOfSettings: false });
    expect(reason(revision({ status: 'DEPLOYED', status_message: null }))).toBeNull();
    expect(reason(revision({ status: 'BUILD_FAILED', status_message: null }))?.cause).toBe('');
  });

  it('names the settings by the labels of the form', () => {
    expect(inWords('Add it, or name it in source_revision_config.langgraph_config_path.')).toBe('Add it, or name it in “Configuration file”.');
    expect(inWords('install it with install_command; check `repo_ref`, not my_repo_ref')).toBe('install it with “Install command”; check “Branch, tag or commit”, not my_repo_ref');
    const of = (message: string) => reason(revision({ status: 'BUILD_FAILED', status_message: message }))?.isOfSettings;
    expect([of('The repository has no branch or tag "master"; check its name.'), of('Fix build_command.'), of('It ended with exit code 1.')]).toEqual([true, true, false]);
  });

  it('comes from the log line that it quotes', () => {
    expect(causeIndex([line('error: a'), line('no space on device'), line('error: b', { stream: 'stderr' })], 'The build ended: no space on device.')).toBe(1);
  });

  it('comes from the last error of the application', () => {
    const lines = [line('Starting.', { stream: 'system' }), line('Error: no main class'), line('bye'), line('The build failed.', { stream: 'system' })];
    expect(causeIndex(lines, 'It ended with exit code 1.')).toBe(1);
    expect(causeIndex([line('fine'), line('warning', { stream: 'stderr' })], null)).toBe(1);
    expect(causeIndex([line('The ref was not found.', { stream: 'system' })], null)).toBe(0);
    expect(causeIndex([line('all is fine')], null)).toBe(-1);
  });

  it('is the message itself where no output has it', () => {
    const message = 'langgraph.json: graphs.agent names "./a.mjs", which does not exist.';
    const lines = [line('Fetching commit 1.', { stream: 'system' }), line('npm notice', { stream: 'stderr' }), line(message, { stream: 'system' })];
    expect(causeIndex(lines, message)).toBe(2);
    expect(causeIndex([line('TS2322 in agent.ts', { stream: 'stderr' }), line('"tsc" ended with exit code 2.', { stream: 'system' })], '"tsc" ended with exit code 2. Fix it.')).toBe(0);
  });
});

describe('health', () => {
  const of = (members: object, active: string | null = 'r') => health({ revision_id: 'r', ...members } as Status, active)!;

  it('is that of the instances, apart from the rollout', () => {
    expect(of({ instances: null }, null).label).toBe('Not running');
    expect(of({ instances: 2, ready_instances: 2 }).tone).toBe('good');
    expect(of({ instances: 2, ready_instances: 1 }).label).toBe('1 of 2 healthy');
    expect(of({ instances: 2, ready_instances: 0 }).tone).toBe('bad');
  });

  it('is not that of another revision or of none', () => {
    expect([health(undefined, 'r'), of({ revision_id: null, instances: null }), of({ instances: 1, ready_instances: 1 }, 'newer')]).toEqual([null, null, null]);
    expect([of({ instances: null }).label, health(null, 'r')?.label]).toEqual(['Not known', 'Not known']);
  });

  it('is of the latest revision as soon as it is deployed', () => {
    const deployment = { active_revision_id: null } as unknown as Deployment;
    expect(activeRevision(deployment, revision({ id: 'r', status: 'DEPLOYED' }))).toBe('r');
    expect(activeRevision(deployment, revision({ id: 'r', status: 'BUILDING' }))).toBeNull();
    expect(activeRevision({ ...deployment, active_revision_id: 'a' }, revision({ id: 'r', status: 'BUILD_FAILED' }))).toBe('a');
  });
});

describe('deployments', () => {
  it('that failed come first, and then those in progress', () => {
    const one = (name: string, latest: string, day: number) => ({ name, status: 'READY', latest_revision_status: latest, updated_at: `2026-01-0${day}` }) as Deployment;
    const all = [one('older', 'DEPLOYED', 1), one('newer', 'SKIPPED', 2), one('building', 'BUILDING', 1), one('failed', 'BUILD_FAILED', 1), one('failed later', 'DEPLOY_FAILED', 2)];
    expect(byUrgency(all).map((each) => each.name)).toEqual(['failed later', 'failed', 'building', 'newer', 'older']);
    expect(byUrgency([{ ...one('deleted', 'BUILD_FAILED', 1), status: 'AWAITING_DELETE' }, one('failed', 'BUILD_FAILED', 1)]).map((each) => each.name)).toEqual(['failed', 'deleted']);
  });
});

describe('a revision', () => {
  const id = '01a22463-7e11-7000-8000-00005a5a1234';
  const of = (config: unknown, members: object = {}): Revision => revision({ id, source_revision_config: config, ...members });
  const deployment = { name: 'a', source_revision_config: { repo_ref: 'main' } } as unknown as Deployment;

  it('is named by its commit, else by the end of its id', () => {
    expect([revisionName(of({ repo_commit_sha: '0123456789' })), revisionName(of(null)), revisionName(revision({}))]).toEqual(['01234567', '5a5a1234', '']);
  });

  it('is redeployed from its commit, its image or its own branch', () => {
    expect(redeployed(of({ repo_commit_sha: '0123456789', repo_ref: 'old' }), deployment)).toBe('Creates a revision of commit 01234567.');
    expect(redeployed(of({ image_uri: 'acme/agent:1' }), deployment)).toBe('Creates a revision of image acme/agent:1.');
    expect(redeployed(of({ repo_ref: 'master' }), deployment)).toBe('Creates a revision like revision 5a5a1234, whose commit is not known: it builds that revision’s branch master, not main of Settings.');
    expect(redeployed(of({ repo_ref: 'main' }), deployment)).not.toContain('Settings');
  });

  it('belongs to a deployment with both of its names', () => {
    expect([deploymentTitle(deployment), deploymentTitle({ ...deployment, display_name: 'Ours' })]).toEqual(['a', 'a · Ours']);
  });
});

describe('addresses', () => {
  it('of repositories are shown short and linked on the web only', () => {
    expect(repositoryName('https://github.com/acme/agent.git')).toBe('acme/agent');
    expect(webAddress('https://github.com/acme/agent')).toBe('https://github.com/acme/agent');
    expect([webAddress('javascript:alert(1)'), webAddress('file:///etc'), webAddress(null)]).toEqual([null, null, null]);
  });

  it('are in the code of every language', () => {
    expect(['curl', 'python', 'typescript'].every((one) => snippet(one as 'curl', 'https://a.example').includes('https://a.example'))).toBe(true);
  });
});

describe('the repository of an integration', () => {
  const base = 'file:///srv/repositories';

  it('is a name below its base URL', () => {
    for (const entry of ['agent.git', ' /agent.git', '/srv/repositories/agent.git']) {
      expect(repositoryAddress(entry, base), entry).toBe(`${base}/agent.git`);
    }
    expect(repositoryAddress('acme/agent', 'https://git.example.com/')).toBe('https://git.example.com/acme/agent');
  });

  it('is sent as it is where it is an address', () => {
    for (const entry of ['https://git.example.com/agent', 'file:///srv/other', 'git@git.example.com:acme/agent', '']) {
      expect(repositoryAddress(entry, base)).toBe(entry);
    }
    expect(repositoryAddress('agent', '')).toBe('agent');
    expect(creation({ source: 'repohost', 'source_config.repo_url': 'agent' }, [], base)).toMatchObject({ source_config: { repo_url: `${base}/agent` } });
  });

  it('is explained by the hint', () => {
    expect([canList('other', base), canList('gitlab', 'git@host:acme'), canList('gitlab', 'ssh://git@host/acme'), canList('github', 'https://github.com/acme')]).toEqual([false, false, false, true]);
    expect(repositoryHint(base, false, undefined, undefined)).toBe(`The repositories of this host cannot be listed. Address, or a name below ${base}.`);
    expect(repositoryHint(base, true, 1, undefined)).toBe(`Repositories suggested: 1. Address, or a name below ${base}.`);
    expect(repositoryHint(base, true, undefined, 'The token was rejected.')).toBe(`The token was rejected. Address, or a name below ${base}.`);
    expect(repositoryHint('', true, undefined, undefined)).toContain('https');
  });
});

describe('differences of configurations', () => {
  it('name what was added, changed and removed', () => {
    const before = revision({ source: 'repohost', source_revision_config: { repo_ref: 'main', repo_commit_sha: 'a', image_uri: null }, commit: null });
    const after = revision({ source: 'repohost', source_revision_config: { repo_ref: 'main', repo_commit_sha: 'b' }, commit: { author: 'Ada', message: 'm' } });
    expect(differences(before, after)).toEqual([
      { name: 'repo_commit_sha', before: 'a', after: 'b' },
      { name: 'commit.author', before: '', after: 'Ada' },
      { name: 'commit.message', before: '', after: 'm' },
    ]);
    expect(differences(after, after)).toEqual([]);
  });
});

describe('the log buffer', () => {
  it('keeps the newest lines and counts the others', () => {
    const buffer = new LogBuffer(3);
    buffer.push([line('1'), line('2')]);
    buffer.push([line('3'), line('4')]);
    expect(buffer.shown.map((one) => [one.number, one.line])).toEqual([[1, '2'], [2, '3'], [3, '4']]);
    expect(buffer.leftOut).toBe(1);
  });

  it('takes batches that are larger than itself', () => {
    const buffer = new LogBuffer(100);
    for (let batch = 0; batch < 20; batch++) {
      buffer.push(Array.from({ length: 500 }, (_, index) => line(`${batch * 500 + index}`)));
    }
    expect([buffer.shown.length, buffer.leftOut, buffer.shown.at(0)?.line, buffer.shown.at(-1)?.number]).toEqual([100, 9_900, '9900', 9_999]);
  });

  it('counts lines that it never got to show', () => {
    const buffer = new LogBuffer(10);
    buffer.push([line('1')]);
    buffer.omit(5);
    buffer.push([line('7')]);
    expect(buffer.leftOut).toBe(5);
    expect(buffer.shown.map((one) => [one.number, one.line])).toEqual([[0, '1'], [6, '7']]);
  });

  it('filters lines of one part by text', () => {
    expect([matches(line('Hello'), 'build', 'hELL'), matches(line('Hello'), 'deploy', ''), matches(line('Hello'), 'build', 'x')]).toEqual([true, false, false]);
    expect(marked('aXbxc', 'x')).toEqual(['a', 'X', 'b', 'x', 'c']);
    expect(marked('abc', '')).toEqual(['abc']);
  });
});

describe('the form', () => {
  const VALUES = { name: 'a', source: 'repohost', 'source_config.repo_url': ' https://h/r ', 'source_revision_config.repo_ref': 'main', 'source_revision_config.image_uri': 'i', 'source_config.resource_spec.cpu': '0.5', 'source_config.resource_spec.memory_mb': 'many', 'source_config.build_on_push': 'true' };

  it('sends the members of its kind of source', () => {
    expect(creation(VALUES, [{ name: 'A', value: '1' }, { name: '', value: '' }])).toEqual({
      name: 'a',
      source: 'repohost',
      source_config: { repo_url: 'https://h/r', resource_spec: { cpu: 0.5, memory_mb: 'many' }, build_on_push: true },
      source_revision_config: { repo_ref: 'main' },
      secrets: [{ name: 'A', value: '1' }],
    });
    expect(creation({ ...VALUES, source: 'external_docker' }, [])).toMatchObject({ source_revision_config: { image_uri: 'i' } });
  });

  it('changes only what differs', () => {
    const before = valuesOf({ display_name: null, source_config: { resource_spec: { cpu: 1 }, build_on_push: null }, source_revision_config: { repo_ref: 'main' } } as unknown as Deployment);
    expect(changes(before, before, null)).toBeNull();
    expect(changes(before, { ...before, 'source_config.resource_spec.cpu': '2' }, null)).toEqual({ source_config: { resource_spec: { cpu: 2 } } });
    expect(changes(before, before, [{ name: 'A', value: 'b' }])).toEqual({ secrets: [{ name: 'A', value: 'b' }] });
  });
});
