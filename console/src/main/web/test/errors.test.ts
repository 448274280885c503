import { describe, expect, it } from 'vitest';
import { ApiError } from '../src/api/client';
import { errorsOf, placed } from '../src/ui/errors';

describe('violations', () => {
  const at = (...loc: (string | number)[]) => [{ loc, message: 'x' }];

  it('are placed at the fields that they name', () => {
    const violations = [
      { loc: ['config', 'prefix'], message: 'a' },
      { loc: ['export_fields', 2], message: 'b' },
      { loc: ['export_fields', 3], message: 'c' },
      { loc: ['body', 'token'], message: 'd' },
    ];
    expect(placed(violations, ['config.prefix', 'export_fields', 'token'])).toEqual({ fields: { 'config.prefix': ['a'], export_fields: ['b', 'c'], token: ['d'] }, other: [] });
  });

  it('belong to the closest field that contains the member', () => {
    expect(placed(at('a', 'b', 'c'), ['a', 'a.b', 'a.b.c.d']).fields).toEqual({ 'a.b': ['x'] });
  });

  it('of an object belong to its first field', () => {
    const fields = ['name', 'source_config.resource_spec.cpu', 'source_config.resource_spec.memory_mb', 'secrets.0.name'];
    expect(placed(at('source_config', 'resource_spec'), fields).fields).toEqual({ 'source_config.resource_spec.cpu': ['x'] });
    expect(placed(at('secrets', 0), fields).fields).toEqual({ 'secrets.0.name': ['x'] });
  });

  it('without the path belong to the field with the name', () => {
    expect(placed(at('integration_id'), ['name', 'source_config.integration_id']).fields).toEqual({ 'source_config.integration_id': ['x'] });
  });

  it('without a field are listed with their member', () => {
    expect(placed([...at('webhook', 0), { loc: [], message: 'is empty' }], ['format_version']).other).toEqual(['webhook.0 x', 'is empty']);
  });
});

describe('a failure without violations', () => {
  it('has its message and request', () => {
    expect(errorsOf(new ApiError(409, 'It is in use.', 'r1'), ['name'])).toEqual({ fields: {}, other: ['It is in use. (request r1)'] });
    expect(errorsOf(new Error('failed'), []).other).toEqual(['failed']);
  });
});
