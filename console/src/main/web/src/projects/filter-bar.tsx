import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError } from '../api/client';
import { useKeys } from '../app/keys';
import { Icon } from '../ui/icons';
import { correction } from './correction';
import { marked, suggestions, type Suggestion } from './filter';

/** A text field for filters: completes functions, fields and values, and marks the position of an error. */
export function FilterBar({ value, onApply, error, appliesOnBlur = false }: { value: string; onApply: (filter: string) => void; error?: Error | undefined; appliesOnBlur?: boolean }) {
  const [text, setText] = useState(value);
  const [items, setItems] = useState<readonly Suggestion[]>([]);
  const [active, setActive] = useState(-1);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => setText(value), [value]);
  useKeys([{ keys: '/', what: 'Edit the filter', run: () => input.current?.focus() }], []);

  const suggest = (): void => {
    const field = input.current!;
    setItems(field.selectionStart === field.selectionEnd ? suggestions(field.value, field.selectionStart ?? 0).slice(0, 40) : []);
    setActive(-1);
  };
  const accept = (item: Suggestion): void => {
    const next = text.slice(0, item.from) + item.insert + text.slice(item.to);
    setText(next);
    requestAnimationFrame(() => {
      input.current?.focus();
      input.current?.setSelectionRange(item.caret, item.caret);
      suggest();
    });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      setActive(items.length ? (active + (event.key === 'ArrowDown' ? 1 : -1) + items.length) % items.length : -1);
    } else if ((event.key === 'Enter' || event.key === 'Tab') && items[active]) {
      event.preventDefault();
      accept(items[active]);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      setItems([]);
      onApply(text.trim());
    } else if (event.key === 'Escape') {
      setItems([]);
      input.current?.blur();
    }
  };
  const violation = error instanceof ApiError ? error.violations.find((one) => one.loc[0] === 'filter') : undefined;
  const position = violation?.position ?? (error instanceof ApiError ? error.position : undefined);
  const meant = position !== undefined && violation?.expected ? correction(value, position, violation.expected) : null;
  return (
    <div class="filter">
      <Icon name="search" size={16} />
      <input
        ref={input}
        class="field"
        type="text"
        role="combobox"
        aria-label="Filter"
        aria-expanded={items.length > 0}
        aria-controls="filter-list"
        aria-autocomplete="list"
        aria-invalid={error !== undefined}
        {...(active >= 0 ? { 'aria-activedescendant': `suggestion-${active}` } : {})}
        placeholder='Filter, for example and(eq(run_type, "llm"), gt(latency, "5s"))'
        spellcheck={false}
        autocomplete="off"
        value={text}
        onInput={(event) => (setText(event.currentTarget.value), suggest())}
        onFocus={suggest}
        onClick={suggest}
        onBlur={() => {
          setTimeout(() => setItems([]), 120);
          if (appliesOnBlur && text.trim() !== value) {
            onApply(text.trim());
          }
        }}
        onKeyDown={onKeyDown}
      />
      {items.length > 0 && (
        <ul id="filter-list" class="filter-list" role="listbox" aria-label="Completions" tabIndex={-1}>
          {items.map((item, index) => (
            <li key={item.label} id={`suggestion-${index}`} role="option" aria-selected={index === active} onMouseDown={(event) => (event.preventDefault(), accept(item))}>
              <code class="grow">{item.label}</code>
              <span class="faint">{item.hint}</span>
            </li>
          ))}
        </ul>
      )}
      {error && (
        <div class="filter-error" role="alert">
          {position !== undefined && <pre>{marked(value, position)}</pre>}
          {meant && (
            <button class="button" type="button" onClick={() => onApply(meant.filter)}>
              Did you mean <code>{meant.name}</code>?
            </button>
          )}
          <p>{error.message}</p>
        </div>
      )}
    </div>
  );
}
