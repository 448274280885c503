import { useState } from 'preact/hooks';
import { location, navigate } from './router';
import { codeError, signIn } from './session';

/** Only addresses of this application: a link must not lead elsewhere after signing in. */
export function returnTarget(search: URLSearchParams): string {
  const target = search.get('return') ?? '/';
  return /^\/(?![/\\])/.test(target) && !target.startsWith('/sign-in') ? target : '/';
}

export function SignIn() {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState(codeError.peek());
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const key = String(new FormData(event.currentTarget as HTMLFormElement).get('api_key') ?? '').trim();
    if (!key) {
      setError('Enter an API key.');
      return;
    }
    setBusy(true);
    setError('');
    try {
      await signIn(key);
      navigate(returnTarget(location.peek().search), { replace: true });
    } catch (failure) {
      setError((failure as Error).message);
      setBusy(false);
    }
  };
  return (
    <main class="signin">
      <form class="card" onSubmit={submit} noValidate>
        <span class="brand">
          <img src="/icon.svg" alt="" /> Waybill
        </span>
        <div>
          <h1>Sign in</h1>
          <p class="muted">Traces, experiments, exports and deployments of your workspace.</p>
        </div>
        <div>
          <label class="label" for="api-key">
            API key
          </label>
          <input id="api-key" class="field" name="api_key" type="password" autocomplete="current-password" placeholder="wb_…" autofocus spellcheck={false} aria-invalid={error !== ''} aria-describedby="sign-in-help" />
        </div>
        {error && (
          <p class="error-text" role="alert">
            {error}
          </p>
        )}
        <button class="button primary" type="submit" disabled={busy}>
          {busy ? 'Checking the key …' : 'Sign in'}
        </button>
        <p id="sign-in-help" class="faint">
          The quickstart writes its key to <code>.waybill/env</code> as <code>WAYBILL_API_KEY</code>. The browser stores the key in a sealed cookie that no script can read.
        </p>
      </form>
    </main>
  );
}
