import { describe, expect, it } from 'vitest';
import { expiryOf, expiryState, filled, webhookSteps } from '../src/settings/model';

const NOW = Date.parse('2026-11-28T12:00:00Z');

describe('the expiry of a key', () => {
  it('is never, after days, or at a time', () => {
    expect(expiryOf('', '', NOW)).toBeNull();
    expect(expiryOf('7', '', NOW)).toBe('2026-12-05T12:00:00.000Z');
    expect(expiryOf('date', '2027-01-01T00:00:00Z', NOW)).toBe('2027-01-01T00:00:00.000Z');
  });

  it('is undefined without a valid time', () => {
    expect(expiryOf('date', '', NOW)).toBeUndefined();
  });

  it('is classified by the time that is left', () => {
    expect(expiryState(null, NOW)).toBe('none');
    expect(expiryState('2026-11-28T12:00:00Z', NOW)).toBe('expired');
    expect(expiryState('2026-12-01T00:00:00Z', NOW)).toBe('soon');
    expect(expiryState('2027-12-01T00:00:00Z', NOW)).toBe('later');
  });
});

describe('the members of a form', () => {
  it('leave out blank fields and keep text as entered', () => {
    const form = new FormData();
    form.set('name', ' acme');
    form.set('token', '  ');
    expect(filled(form, ['name', 'token', 'missing'])).toEqual({ name: ' acme' });
  });
});

describe('webhook instructions', () => {
  it('explain that GitLab sends no such signature', () => {
    expect(webhookSteps('gitlab').join(' ')).toContain('X-Hub-Signature-256');
    expect(webhookSteps('github').join(' ')).toContain('application/json');
    expect(webhookSteps('new host').join(' ')).toContain('HMAC-SHA256');
  });
});
