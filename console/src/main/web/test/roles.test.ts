import { expect, it } from 'vitest';
import page from '../../../../../docs/roles.md?raw';
import { RIGHTS } from '../src/settings/rights';

const ROW = /^\| (.+?) \| (yes|no) \| (yes|no) \|/gm;

it('the rights of roles are those of docs/roles.md', () => {
  const rows = [...page.matchAll(ROW)];
  expect(rows.map(([, action, members]) => [action, members === 'yes'])).toEqual(RIGHTS);
  expect(rows.every(([, , , admins]) => admins === 'yes')).toBe(true);
});
