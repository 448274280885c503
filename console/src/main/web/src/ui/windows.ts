import { isAway } from '../api/client';

const RETRY_MS = 5_000;

/** Loads the windows of a long list that are in view, and the next one; aborts requests for windows that left the view. */
export class Windows<T> {
  private readonly loaded = new Map<number, readonly T[]>();
  private readonly pending = new Map<number, AbortController>();
  private readonly stale = new Set<number>();
  private view = { first: 0, last: 0, total: 0 };
  private failure: Error | undefined;
  private retry: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly size: number,
    private readonly read: (offset: number, signal: AbortSignal) => Promise<readonly T[]>,
    private readonly changed: () => void,
    private readonly maxKept = 40,
  ) {}

  get error(): Error | undefined {
    return this.failure;
  }

  /** Stores a window that was read otherwise. */
  put(offset: number, rows: readonly T[]): void {
    this.loaded.set(Math.floor(offset / this.size), rows);
  }

  at(index: number): T | undefined {
    return this.loaded.get(Math.floor(index / this.size))?.[index % this.size];
  }

  /** Returns the index of the first loaded row for which the condition holds, or -1. */
  find(condition: (row: T) => boolean): number {
    for (const [window, rows] of this.loaded) {
      const index = rows.findIndex(condition);
      if (index >= 0) {
        return window * this.size + index;
      }
    }
    return -1;
  }

  show(first: number, last: number, total: number): void {
    this.view = { first, last, total };
    const from = Math.floor(first / this.size);
    const to = Math.min(Math.floor(last / this.size) + 1, Math.floor(Math.max(0, total - 1) / this.size));
    for (const [window, controller] of this.pending) {
      if (window < from || window > to) {
        controller.abort();
        this.pending.delete(window);
      }
    }
    for (let window = from; window <= to; window++) {
      if ((!this.loaded.has(window) || this.stale.has(window)) && !this.pending.has(window) && window * this.size < total) {
        void this.load(window);
      }
    }
    this.trim(from, to);
  }

  /** Reads the windows in view again, the others when they come into view; until then, their rows stay. */
  refresh(): void {
    this.loaded.forEach((_, window) => this.stale.add(window));
    this.show(this.view.first, this.view.last, this.view.total);
  }

  /** Aborts everything. */
  close(): void {
    clearTimeout(this.retry);
    this.pending.forEach((controller) => controller.abort());
    this.pending.clear();
  }

  private async load(window: number): Promise<void> {
    const controller = new AbortController();
    this.pending.set(window, controller);
    try {
      const rows = await this.read(window * this.size, controller.signal);
      if (!controller.signal.aborted) {
        this.loaded.set(window, rows);
        this.stale.delete(window);
        this.failure = undefined;
        this.changed();
      }
    } catch (error) {
      if (!controller.signal.aborted) {
        this.failure = error as Error;
        this.changed();
        if (isAway(error)) {
          clearTimeout(this.retry);
          this.retry = setTimeout(() => this.show(this.view.first, this.view.last, this.view.total), RETRY_MS);
        }
      }
    } finally {
      if (this.pending.get(window) === controller) {
        this.pending.delete(window);
      }
    }
  }

  /** Memory stays bounded however far a person scrolls. */
  private trim(from: number, to: number): void {
    for (const window of this.loaded.keys()) {
      if (this.loaded.size <= this.maxKept) {
        return;
      }
      if (window < from || window > to) {
        this.loaded.delete(window);
      }
    }
  }
}
