/** The tree of a trace as a flat list of visible rows. Every function is pure. */

export interface TraceRun {
  readonly id: string;
  readonly parent_run_id: string | null;
  /** Number of ancestors in the trace. */
  readonly depth: number;
  readonly name: string;
  readonly run_type: string;
  readonly status: string;
  readonly start_time: string;
  readonly end_time: string | null;
  readonly error: string | null;
  readonly total_tokens: number | null;
  readonly total_cost: string | null;
}

export interface Node {
  readonly run: TraceRun;
  readonly parent: Node | undefined;
  readonly depth: number;
  readonly children: Node[];
  /** Milliseconds since the start of the trace; the end of a pending run is that of the trace. */
  readonly start: number;
  end: number;
  /** Number of runs below, and of those with an error, this one included. */
  descendants: number;
  errors: number;
  critical: boolean;
}

export interface Trace {
  readonly roots: readonly Node[];
  readonly byId: ReadonlyMap<string, Node>;
  readonly startedAt: number;
  readonly duration: number;
  readonly errors: number;
  /** If a run and runs below it have tokens or costs, only the deepest count; null if no run has any. */
  readonly tokens: number | null;
  readonly cost: number | null;
}

/** Milliseconds since 1970 with the microseconds, which Date.parse drops. */
const parseTime = (time: string): number => Date.parse(time) + Number(`.${/\.\d{3}(\d+)/.exec(time)?.[1] ?? 0}`);

/** Builds the tree of runs in depth-first order, as the service returns them. */
export function buildTrace(runs: readonly TraceRun[]): Trace {
  const startedAt = runs.reduce((first, run) => Math.min(first, parseTime(run.start_time)), Infinity);
  const endedAt = runs.reduce((last, run) => Math.max(last, parseTime(run.end_time ?? run.start_time)), -Infinity);
  const byId = new Map<string, Node>();
  const roots: Node[] = [];
  /** The last node of each depth. */
  const path: Node[] = [];
  for (const run of runs) {
    const parent = run.depth > 0 ? path[run.depth - 1] : undefined;
    const start = parseTime(run.start_time) - startedAt;
    const end = run.end_time ? Math.max(start, parseTime(run.end_time) - startedAt) : endedAt - startedAt;
    const node: Node = { run, parent, depth: parent ? parent.depth + 1 : 0, children: [], start, end, descendants: 0, errors: run.status === 'error' ? 1 : 0, critical: false };
    byId.set(run.id, node);
    (parent ? parent.children : roots).push(node);
    path.length = node.depth;
    path.push(node);
  }
  // Backwards, each node is complete when it is added to its parent.
  for (const node of [...byId.values()].reverse()) {
    if (node.parent) {
      node.parent.descendants += node.descendants + 1;
      node.parent.errors += node.errors;
    }
  }
  roots.forEach(markCriticalPath);
  return {
    roots,
    byId,
    startedAt,
    duration: Math.max(0, endedAt - startedAt),
    errors: roots.reduce((sum, root) => sum + root.errors, 0),
    tokens: deepest(byId, (run) => run.total_tokens),
    cost: deepest(byId, (run) => (run.total_cost === null || run.total_cost === undefined ? null : Number(run.total_cost))),
  };
}

/** Adds the values of the runs without a value below them; 0 is none, but the sum of zeros is 0. */
function deepest(byId: ReadonlyMap<string, Node>, valueOf: (run: TraceRun) => number | null | undefined): number | null {
  let sum: number | null = null;
  const isCounted = new Set<Node>();
  for (const node of [...byId.values()].reverse()) {
    const value = valueOf(node.run) ?? null;
    if (value !== null && !isCounted.has(node)) {
      sum = (sum ?? 0) + value;
    }
    if (node.parent && (isCounted.has(node) || (value !== null && value > 0))) {
      isCounted.add(node.parent);
    }
  }
  return sum;
}

/** Marks the chain of runs that determined when the root ended: from the end backwards, always the child that ended last. */
function markCriticalPath(root: Node): void {
  const stack: { node: Node; until: number }[] = [{ node: root, until: root.end }];
  while (stack.length) {
    const { node, until } = stack.pop()!;
    node.critical = true;
    let time = Math.min(node.end, until);
    for (const child of [...node.children].sort((a, b) => b.end - a.end)) {
      if (child.end <= time + 1 && child.end > child.start) {
        stack.push({ node: child, until: time });
        time = child.start;
      }
    }
  }
}

export interface Filter {
  readonly text: string;
  readonly onlyErrors: boolean;
}

/** Returns the rows in view: collapsed subtrees are left out; with a filter, matching runs and their ancestors remain. */
export function visible(trace: Trace, collapsed: ReadonlySet<string>, filter: Filter): Node[] {
  const words = filter.text.trim().toLowerCase();
  const isFiltered = words !== '' || filter.onlyErrors;
  const kept = isFiltered ? matching(trace, words, filter.onlyErrors) : null;
  const rows: Node[] = [];
  const stack = [...trace.roots].reverse();
  while (stack.length) {
    const node = stack.pop()!;
    if (kept && !kept.has(node)) {
      continue;
    }
    rows.push(node);
    if (!collapsed.has(node.run.id) || isFiltered) {
      for (let index = node.children.length - 1; index >= 0; index--) {
        stack.push(node.children[index]!);
      }
    }
  }
  return rows;
}

function matching(trace: Trace, words: string, onlyErrors: boolean): Set<Node> {
  const kept = new Set<Node>();
  for (const node of trace.byId.values()) {
    const { run } = node;
    if ((onlyErrors && run.status !== 'error') || (words && !`${run.name} ${run.run_type} ${run.error ?? ''}`.toLowerCase().includes(words))) {
      continue;
    }
    for (let at: Node | undefined = node; at && !kept.has(at); at = at.parent) {
      kept.add(at);
    }
  }
  return kept;
}

/** The run to show first: the first one with an error of its own, deepest first, else the root. */
export function interesting(trace: Trace): Node | undefined {
  let found: Node | undefined;
  for (const node of trace.byId.values()) {
    if (node.run.status === 'error' && (!found || node.depth > found.depth)) {
      found = node;
    }
  }
  return found ?? trace.roots[0];
}
