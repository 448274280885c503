import { useKeys } from '../app/keys';
import { toast } from './toast';
import { Icon } from './icons';

export async function copyText(text: string, what = 'Copied'): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast(what);
  } catch {
    toast('The browser does not allow copying here', 'error');
  }
}

export function CopyButton({ text, label, done }: { text: string | (() => string | Promise<string>); label: string; done?: string }) {
  return (
    <button class="button" type="button" onClick={async () => copyText(typeof text === 'string' ? text : await text(), done ?? 'Copied')}>
      <Icon name="copy" size={14} />
      {label}
    </button>
  );
}

const copyLink = (): Promise<void> => copyText(window.location.href, 'The link to this view was copied');

/** Copies the address, which contains the state of the page. */
export function CopyLink() {
  useKeys([{ keys: 'y', what: 'Copy the link to this view', run: () => void copyLink() }], []);
  return (
    <button class="button" type="button" title="Copy the link to this view (y)" onClick={copyLink}>
      <Icon name="chain" size={14} />
      Copy link
    </button>
  );
}
