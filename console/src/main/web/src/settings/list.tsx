import type { ComponentChildren, ComponentType } from 'preact';
import { useState } from 'preact/hooks';
import type { Query } from '../api/query';
import { text, useUrlState } from '../app/router';
import { Confirm } from '../ui/confirm';
import { Pending } from '../ui/states';
import { toast } from '../ui/toast';
import { When } from '../ui/when';
import { SecretCard, type Secret } from './form';

interface Item {
  readonly id?: string;
  readonly name?: string;
}

/** Title and content of a column, and the class of its cells; cells without a class show the title in narrow windows. */
export type Column<T> = readonly [title: string, cell: (item: T) => ComponentChildren, style?: string];

export const CREATED: Column<{ readonly created_at?: string }> = ['Created', (one) => one.created_at && <When time={one.created_at} />];

interface TableProps<T> {
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  readonly selected?: string;
  readonly actions?: (item: T) => ComponentChildren;
}

export function Table<T extends Item>({ columns, rows, selected, actions }: TableProps<T>) {
  return (
    <table class="table cards">
      <thead>
        <tr>
          {columns.map(([title]) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
          {actions && (
            <th scope="col">
              <span class="visually-hidden">Actions</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {rows.map((one) => (
          <tr key={one.id} aria-current={one.id === selected ? 'true' : undefined}>
            {columns.map(([title, cell, style]) => (
              <td key={title} class={style} data-name={style ? undefined : title}>
                {cell(one)}
              </td>
            ))}
            {actions && <td class="actions whole">{actions(one)}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Properties of a dialog that creates an item. */
export interface FormProps {
  readonly onClose: () => void;
  readonly onSaved: (message?: string, secret?: Secret) => void;
}

interface ListProps<T> {
  /** What the list contains, in the plural; `noun` names one item in messages. */
  readonly what: string;
  readonly noun: string;
  readonly about: ComponentChildren;
  readonly list: Query<readonly T[]>;
  readonly empty: ComponentChildren;
  /** Columns after the name. */
  readonly columns: readonly Column<T>[];
  readonly badge?: (item: T) => ComponentChildren;
  readonly hrefOf?: (item: T) => string;
  /** Parameter of the address with the selected item, whose details are shown below the list. */
  readonly details?: readonly [parameter: string, show: (item: T, close: string) => ComponentChildren];
  /** Label and form of the button; without it, `note` gives the reason. */
  readonly create?: readonly [label: string, form: ComponentType<FormProps>] | false;
  readonly note?: ComponentChildren;
  readonly change?: ComponentType<FormProps & { readonly item: T }> | false;
  readonly deletion?: Deletion<T> | false;
  readonly actions?: (item: T) => ComponentChildren;
}

/** A tab with a list: an explanation, a table, and dialogs that create, change and delete. */
export function SettingsList<T extends Item>({ what, noun, about, list, empty, columns, badge, hrefOf, details, create, note, change: Change, deletion, actions }: ListProps<T>) {
  const [dialog, setDialog] = useState<{ item: T | undefined; isDeletion?: boolean }>();
  const [secret, setSecret] = useState<Secret>();
  const { state, href } = useUrlState({ [details?.[0] ?? '']: text() });
  const selected = details && state[details[0]];
  const shown = list.data?.find((one) => one.id === selected);
  const select = (id = '') => href({ [details![0]]: id === selected ? '' : id });
  const onClose = (): void => setDialog(undefined);
  const onSaved = (message?: string, created?: Secret): void => {
    onClose();
    created && setSecret(created);
    message && toast(message);
    list.reload();
  };
  const remove = async (item: T, { run }: Deletion<T>): Promise<void> => {
    await run(item);
    setSecret(undefined);
    onSaved(`The ${noun} was deleted`);
  };
  const Create = create && create[1];
  const item = dialog?.item;
  const link = details ? (one: T) => select(one.id) : hrefOf;
  const all: readonly Column<T>[] = [['Name', (one) => <>{link ? <a href={link(one)}><bdi>{one.name}</bdi></a> : <bdi>{one.name}</bdi>}{badge?.(one)}</>, 'whole strong'], ...columns];
  return (
    <>
      <div class="settings-head">
        <p class="muted">{about}</p>
        {create ? (
          <button class="button primary" type="button" onClick={() => setDialog({ item: undefined })}>
            {create[0]}
          </button>
        ) : (
          note && <p class="faint">{note}</p>
        )}
      </div>
      {secret && <SecretCard {...secret} onDone={() => setSecret(undefined)} />}
      {!list.data ? (
        <Pending query={list} what={`the ${what}`} />
      ) : list.data.length === 0 ? (
        empty
      ) : (
        <div class="card table-scroll">
          <Table
            columns={all}
            rows={list.data}
            selected={selected ?? ''}
            actions={(one) => (
              <>
                {actions?.(one)}
                {Change && <Action label="Change" item={one} run={() => setDialog({ item: one })} />}
                {deletion && <Action label="Delete" item={one} run={() => setDialog({ item: one, isDeletion: true })} />}
              </>
            )}
          />
        </div>
      )}
      {shown && details && details[1](shown, select(shown.id))}
      {list.data && selected && !shown && <p class="muted">The {noun} of this address is not in this workspace.</p>}
      {dialog && !item && Create && <Create onClose={onClose} onSaved={onSaved} />}
      {item && !dialog.isDeletion && Change && <Change item={item} onClose={onClose} onSaved={onSaved} />}
      {item && dialog.isDeletion && deletion && (
        <Confirm title={deletion.title} action={`Delete ${noun}`} isDangerous run={() => remove(item, deletion)} onClose={onClose}>
          {deletion.consequences(item)}
        </Confirm>
      )}
    </>
  );
}

function Action({ label, item, run }: { label: string; item: Item; run: () => void }) {
  return (
    <button class="button quiet" type="button" aria-label={`${label} ${item.name}`} onClick={run}>
      {label}
    </button>
  );
}

interface Deletion<T> {
  readonly title: string;
  readonly consequences: (item: T) => ComponentChildren;
  readonly run: (item: T) => Promise<unknown>;
}
