import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Icon } from './icons';
import { scrollToSelected } from './scroll';

/** A modal dialog: the browser keeps the focus inside, Escape closes it. */
export function Dialog({ title, onClose, children }: { title: string; onClose: () => void; children: ComponentChildren }) {
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    element.current?.showModal();
  }, []);
  return (
    <dialog ref={element} class="dialog" aria-label={title} onClose={onClose} onClick={(event) => event.target === element.current && element.current?.close()}>
      <div class="dialog-body">
        <div class="row">
          <h2 class="grow">{title}</h2>
          <button class="button quiet icon" type="button" aria-label="Close" onClick={() => element.current?.close()}>
            <Icon name="close" />
          </button>
        </div>
        {children}
      </div>
    </dialog>
  );
}

/** A panel beside the page's main content; it does not block the page. */
export function Panel({ title, label, onClose, actions, children }: { title: ComponentChildren; label: string; onClose: () => void; actions?: ComponentChildren; children: ComponentChildren }) {
  return (
    <aside class="panel" aria-label={label}>
      <header class="panel-head">
        <div class="grow strong ellipsis">{title}</div>
        {actions}
        <button class="button quiet icon" type="button" aria-label="Close the panel" title="Close (Esc)" onClick={onClose}>
          <Icon name="close" />
        </button>
      </header>
      <div class="panel-body" tabIndex={-1}>
        {children}
      </div>
    </aside>
  );
}

export interface Tab<T extends string> {
  readonly id: T;
  readonly label: ComponentChildren;
}

/** Tabs whose selection belongs to the address. */
export function Tabs<T extends string>({ tabs, selected, onSelect, label }: { tabs: readonly Tab<T>[]; selected: T; onSelect: (id: T) => void; label: string }) {
  const move = (event: KeyboardEvent): void => {
    const index = tabs.findIndex((tab) => tab.id === selected);
    const targets: Record<string, number> = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: -1 };
    const target = targets[event.key];
    if (target !== undefined) {
      event.preventDefault();
      onSelect(tabs.at(target % tabs.length)!.id);
      requestAnimationFrame(() => list.current?.querySelector<HTMLElement>('[aria-selected="true"]')?.focus());
    }
  };
  const list = useRef<HTMLDivElement>(null);
  // In narrow windows the tabs scroll.
  useEffect(() => scrollToSelected(list.current, '[aria-selected="true"]'), [selected]);
  return (
    <div class="tabs" role="tablist" aria-label={label} onKeyDown={move} ref={list}>
      {tabs.map((tab) => (
        <button key={tab.id} type="button" role="tab" aria-selected={tab.id === selected} tabIndex={tab.id === selected ? 0 : -1} onClick={() => onSelect(tab.id)}>
          {tab.label}
        </button>
      ))}
    </div>
  );
}
