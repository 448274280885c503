import { describe, expect, it, vi } from 'vitest';

vi.stubGlobal('window', { location: { pathname: '/sign-in', search: '', origin: 'http://localhost', href: 'http://localhost/sign-in' } });
const { failureText, returnTarget, singleSignOnAddress } = await import('../src/app/sign-in');

describe('single sign-on', () => {
  it('returns to the page that needed a session', () => {
    const target = returnTarget(new URLSearchParams({ return: '/w/1/projects?filter=eq(a, "b")' }));
    expect(singleSignOnAddress(target)).toBe('/session/oidc?return=%2Fw%2F1%2Fprojects%3Ffilter%3Deq(a%2C%20%22b%22)');
    expect(singleSignOnAddress(returnTarget(new URLSearchParams({ return: '//example.com' })))).toBe('/session/oidc');
  });

  it('explains known failures only', () => {
    expect(failureText(new URLSearchParams('error=issuer-unavailable'))).toContain('does not respond');
    expect(failureText(new URLSearchParams('error=constructor'))).toBe('');
    expect(failureText(new URLSearchParams('error=Call+0900+123'))).toBe('');
    expect(failureText(new URLSearchParams())).toBe('');
  });
});
