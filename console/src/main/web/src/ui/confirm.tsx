import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Dialog } from './dialog';
import { failureText } from './errors';

interface Props {
  readonly title: string;
  readonly action: string;
  readonly isDangerous?: boolean;
  readonly isDisabled?: boolean;
  readonly run: () => Promise<void>;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** Asks before something is done, then closes; an error stays in the dialog. */
export function Confirm({ title, action, isDangerous = false, isDisabled = false, run, onClose, children }: Props) {
  const [error, setError] = useState('');
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (isDisabled || isBusy) {
      return;
    }
    setBusy(true);
    setError('');
    try {
      await run();
      onClose();
    } catch (failure) {
      setError(failureText(failure));
      setBusy(false);
    }
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form class="stack" onSubmit={submit}>
        {children}
        {error && (
          <p class="error-text text-content" role="alert">
            {error}
          </p>
        )}
        <div class="row dialog-foot">
          <button class="button" type="button" onClick={(event) => event.currentTarget.closest('dialog')?.close()}>
            {action.startsWith('Cancel') ? 'Keep' : 'Cancel'}
          </button>
          <button class={`button ${isDangerous ? 'danger' : 'primary'}`} type="submit" disabled={isDisabled || isBusy}>
            {action}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
