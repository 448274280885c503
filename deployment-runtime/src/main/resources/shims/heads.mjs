// The newest checkpoint that a run has stored or read in each namespace, for the state at its end.

const TASK_NAMESPACE = /:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Retains tuples of checkpoints and their pending writes in memory. */
export class Heads {
    /** @param fork id of the checkpoint of the graph from which the run forks; undefined for the newest one */
    constructor(thread, fork) {
        this.thread = thread;
        this.fork = fork;
        this.newest = new Map();
        this.writes = new Map();
        this.stored = new Set();
    }

    /**
     * Returns whether nothing is stored in the namespace: it is named after a task of a checkpoint that the run has stored, and
     * the run has stored nothing in it.
     */
    isNew(ns) {
        return this.stored.has("") && !this.stored.has(ns) && ns.split("|").every((part) => TASK_NAMESPACE.test(part));
    }

    /** Retains a checkpoint that the run stores. */
    put(ns, parent, checkpoint, metadata) {
        this.stored.add(ns);
        this.newest.set(ns, { id: checkpoint.id, parent, checkpoint, metadata, read: [] });
    }

    /** Retains the checkpoint at which the run starts: the newest one, which was read without an id, or that of the fork. */
    read(ns, requested, { config, checkpoint, metadata, pendingWrites, parentConfig }) {
        const start = ns === "" ? this.fork : undefined;
        // A fork that stores no checkpoint of its own ends at its start, where its interrupts are.
        if (requested !== start || (start && this.newest.has(ns))) {
            return;
        }
        const parent = parentConfig?.configurable.checkpoint_id;
        this.newest.set(ns, { id: config.configurable.checkpoint_id, parent, checkpoint, metadata, read: pendingWrites });
    }

    /** Retains writes of a task, which may precede their checkpoint. */
    putWrites(ns, id, task, path, writes) {
        const newest = this.newest.get(ns)?.id;
        for (const [key, { ns: other, id: checkpoint }] of this.writes) {
            if (other === ns && checkpoint !== id && checkpoint !== newest) {
                this.writes.delete(key);
            }
        }
        const key = `${ns}\0${id}`;
        const { all } = this.writes.get(key) ?? { all: new Map() };
        this.writes.set(key, { ns, id, all });
        for (const [index, channel, value] of writes) {
            // A task that was executed twice keeps its first result.
            if (index < 0 || !all.has(`${task}\0${index}`)) {
                all.set(`${task}\0${index}`, { path, task, index, write: [task, channel, value] });
            }
        }
    }

    clear() {
        this.newest.clear();
        this.writes.clear();
    }

    /** Returns the tuple of the newest checkpoint if it is known; the graph may change its values until it has ended. */
    tuple(ns) {
        const newest = this.newest.get(ns);
        if (!newest) {
            return undefined;
        }
        const { id, parent, checkpoint, metadata, read } = newest;
        const own = [...(this.writes.get(`${ns}\0${id}`)?.all.values() ?? [])];
        own.sort((a, b) => compare(a.path, b.path) || compare(a.task, b.task) || a.index - b.index);
        const replaced = new Set(own.map(({ write: [task, channel] }) => `${task}\0${channel}`));
        const retained = read.filter(([task, channel]) => !replaced.has(`${task}\0${channel}`));
        return {
            config: this.configOf(ns, id),
            checkpoint,
            metadata,
            pendingWrites: [...retained, ...own.map(({ write }) => write)],
            ...(parent ? { parentConfig: this.configOf(ns, parent) } : {}),
        };
    }

    configOf(ns, id) {
        return { configurable: { thread_id: this.thread, checkpoint_ns: ns, checkpoint_id: id } };
    }
}

const compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
