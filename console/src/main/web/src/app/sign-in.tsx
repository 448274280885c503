import { useEffect, useState } from 'preact/hooks';
import { location, navigate } from './router';
import { hasSingleSignOn, signIn, signInReason } from './session';

/** Only addresses of this application: a link must not lead elsewhere after signing in. */
export function returnTarget(search: URLSearchParams): string {
  const target = search.get('return') ?? '/';
  return /^\/(?![/\\])/.test(target) && !target.startsWith('/sign-in') ? target : '/';
}

/** Why a sign-in by OpenID Connect failed, by the code in the address. */
const FAILURES: Readonly<Record<string, string>> = {
  'https-required': 'Single sign-on needs https, except on localhost.',
  'issuer-unavailable': 'The identity provider does not respond. Try again later, or sign in with an API key.',
  'sign-in-rejected': 'The single sign-on was denied or interrupted. Try again.',
  'token-unusable': 'The identity provider issues access tokens that Waybill cannot read. Its administrator must enable signed JSON Web Tokens with an expiry.',
  'token-too-large': 'The access token does not fit into a cookie. The administrator of the identity provider must reduce its claims, such as groups.',
  'no-access': 'Waybill does not accept your access token. Ask its administrator for access to a workspace.',
  'services-unavailable': 'The control-plane does not respond. Try again later.',
};

export function failureText(search: URLSearchParams): string {
  const code = search.get('error');
  return code && Object.hasOwn(FAILURES, code) ? FAILURES[code]! : '';
}

export const singleSignOnAddress = (target: string): string => (target === '/' ? '/session/oidc' : `/session/oidc?return=${encodeURIComponent(target)}`);

export function SignIn() {
  const [busy, setBusy] = useState(false);
  const [singleSignOn, setSingleSignOn] = useState(false);
  const [error, setError] = useState(signInReason.peek() || failureText(location.peek().search));
  useEffect(() => {
    void hasSingleSignOn().then(setSingleSignOn);
  }, []);
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
        {singleSignOn && (
          <a class="button" href={singleSignOnAddress(returnTarget(location.value.search))}>
            Sign in with single sign-on
          </a>
        )}
        <p id="sign-in-help" class="faint">
          The quickstart writes its key to <code>.waybill/env</code> as <code>WAYBILL_API_KEY</code>. The browser stores the key in a sealed cookie that no script can read.
        </p>
      </form>
    </main>
  );
}
