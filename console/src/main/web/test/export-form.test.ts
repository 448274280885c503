import { describe, expect, it } from 'vitest';
import { credentialsOf, DEFAULT_FIELDS, destinationOf, failedSteps, formOf, fromField, incompleteDates, passedSteps, rangeOf, requestOf, toField, toggled, type ExportForm } from '../src/exports/form-model';

const NOW = Date.parse('2026-11-28T06:12:34Z');
const FORM: ExportForm = { project: 'p', destination: 'd', kind: 'range', start: '2026-11-01T00:00:00Z', end: '2026-11-08T00:00:00Z', every: '24', filter: '', version: 'v2_beta', compression: 'gzip', fields: [] };

describe('the range', () => {
  it('is the last seven whole days by default', () => {
    expect(rangeOf('', '', NOW)).toEqual({ start: '2026-11-21T00:00:00Z', end: '2026-11-28T00:00:00Z' });
  });

  it('with a start only ends now', () => {
    expect(rangeOf('2020-01-01T00:00:00Z', '', NOW)).toEqual({ start: '2020-01-01T00:00:00Z', end: '2026-11-28T06:12:00Z' });
  });

  it('is entered in UTC', () => {
    expect(toField('2026-11-01T10:30:00.000000Z')).toBe('2026-11-01T10:30');
    expect(toField('2026-11-01T10:30:25Z')).toBe('2026-11-01T10:30:25');
    expect(toField('nonsense')).toBe('');
    expect(fromField('2026-11-01T10:30')).toBe('2026-11-01T10:30:00Z');
    expect(fromField('2026-11-01T10:30:25')).toBe('2026-11-01T10:30:25Z');
    expect(fromField('')).toBe('');
  });
});

describe('dates', () => {
  it('are incomplete where they are shown and empty', () => {
    expect(incompleteDates(new Map([['start_time', ''], ['end_time', '2026-11-01T10:30']]))).toEqual(['start_time']);
    expect(incompleteDates(new Map([['start_time', '2026-11-01T10:30']]))).toEqual([]);
  });
});

describe('the request', () => {
  it('of a range has an end and no interval', () => {
    expect(requestOf(FORM)).toEqual({ bulk_export_destination_id: 'd', session_id: 'p', start_time: FORM.start, end_time: FORM.end, format_version: 'v2_beta', compression: 'gzip' });
  });

  it('of a schedule has an interval and no end', () => {
    const request = requestOf({ ...FORM, kind: 'schedule', filter: 'exists(error)', fields: ['id'] });
    expect(request).toMatchObject({ interval_hours: 24, filter: 'exists(error)', export_fields: ['id'] });
    expect(request).not.toHaveProperty('end_time');
  });

  it('leaves out what is not chosen', () => {
    expect(Object.keys(requestOf({ ...FORM, project: '', destination: '' }))).toEqual(['start_time', 'end_time', 'format_version', 'compression']);
  });
});

describe('columns', () => {
  it('are the default without a choice', () => {
    expect(toggled([], 'id')).toEqual(DEFAULT_FIELDS.slice(1));
    expect(toggled(DEFAULT_FIELDS.slice(1), 'id')).toEqual([]);
  });

  it('keep the order of the service', () => {
    expect(toggled(['name'], 'id')).toEqual(['id', 'name']);
    expect(toggled([], 'thread_id').at(-1)).toBe('thread_id');
  });
});

describe('a test of a destination', () => {
  it('that failed passed the steps before', () => {
    expect(failedSteps('bucket').map((one) => one.state)).toEqual(['passed', 'passed', 'passed', 'failed', 'skipped', 'skipped', 'skipped', 'skipped']);
    expect(failedSteps('another')).toEqual([{ step: 'another', state: 'failed' }]);
  });

  it('that succeeded shows denied permissions', () => {
    expect(passedSteps([{ step: 'write', passed: true }, { step: 'read', passed: false }]).map((one) => one.state)).toEqual(['passed', 'denied']);
  });
});

describe('a destination', () => {
  const form = (values: Record<string, string>) => formOf(new Map(Object.entries(values)));

  it('leaves out empty members', () => {
    expect(destinationOf(form({ display_name: ' Archive ', 'config.bucket_name': 'b' }))).toEqual({ destination_type: 's3', display_name: 'Archive', config: { bucket_name: 'b', prefix: '', include_bucket_in_prefix: false } });
  });

  it('has its encryption and credentials', () => {
    const created = destinationOf(form({ 'config.server_side_encryption': 'aws:kms', 'config.server_side_encryption.kms_key_id': 'k', 'config.include_bucket_in_prefix': 'on', 'credentials.access_key_id': 'a', 'credentials.secret_access_key': 's' }));
    expect(created.config).toMatchObject({ include_bucket_in_prefix: true, server_side_encryption: { type: 'aws:kms', kms_key_id: 'k' } });
    expect(created.credentials).toEqual({ access_key_id: 'a', secret_access_key: 's' });
  });

  it('without credentials uses those of the service', () => {
    expect(credentialsOf(form({}))).toBeNull();
  });
});
