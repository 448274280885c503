import { describe, expect, it } from 'vitest';
import { codeOf } from '../src/app/session';

describe('the one-time code', () => {
  it('is read from the fragment only', () => {
    expect(codeOf('#code=aB3-_aB3-_aB3-_aB3-_aB3-_aB3-_aB3-_aB3-_aB3')).toBe('aB3-_aB3-_aB3-_aB3-_aB3-_aB3-_aB3-_aB3-_aB3');
    expect(codeOf('')).toBeNull();
    expect(codeOf('#main')).toBeNull();
    expect(codeOf('?code=aB3-_aB3-_aB3-_aB3-_aB3-_')).toBeNull();
  });

  it('has no other characters', () => {
    expect(codeOf('#code=short')).toBeNull();
    expect(codeOf('#code=aB3-_aB3-_aB3-_aB3-_aB3-_&api_key=wb_x')).toBeNull();
    expect(codeOf('#code=<script>aB3-_aB3-_aB3-_aB3-_</script>')).toBeNull();
  });
});
