import { describe, expect, it } from 'vitest';
import { pageOf, phraseOf } from '../src/settings/audit-model';

const phrase = (operation: string, outcome = 'done'): string => {
  const [method = '', route = ''] = operation.split(' ');
  return phraseOf({ method, route, outcome });
};

describe('the phrase of an event', () => {
  it.each([
    ['DELETE /v1/api-keys/{id}', 'Deleted API key'],
    ['POST /v1/integrations/repohost/install', 'Created integration'],
    ['POST /v2/deployments/{deployment_id}/revisions/{revision_id}/redeploy', 'Redeployed revision'],
    ['PATCH /api/v1/bulk-exports/{export_id}', 'Cancelled export'],
    ['POST /api/v1/bulk-exports/destinations/{id}/test', 'Tested destination'],
    ['POST /api/v1/datasets/upload-experiment', 'Uploaded experiment'],
    ['POST /api/v1/platform/datasets/examples/delete', 'Deleted example'],
    ['PATCH /api/v1/sessions/{session_id}', 'Changed project'],
  ])('of %s is %s', (operation, expected) => {
    expect(phrase(operation)).toBe(expected);
  });

  it('names what was not done in the present', () => {
    expect(phrase('DELETE /v1/api-keys/{id}', 'refused')).toBe('Delete API key');
  });

  it('of an unknown operation is method and path', () => {
    expect(phrase('POST /v3/robots')).toBe('POST /v3/robots');
    expect(phraseOf({ method: 'POST', route: null, outcome: 'failed' })).toBe('POST');
  });
});

describe('the page of a resource', () => {
  const at = (method: string, route: string) => pageOf({ method, route, resource_id: 'r' });

  it('exists for deployments, exports, datasets and projects', () => {
    expect(at('POST', '/v2/deployments')).toBe('deployments/r');
    expect(at('POST', '/api/v1/bulk-exports/{export_id}/backfill')).toBe('exports/r');
    expect(at('PATCH', '/api/v1/datasets/{dataset_id}')).toBe('datasets/r');
  });

  it('is that of the export or deployment on which an action is done', () => {
    const id = '01a22450-6806-7319-842f-2e495e8db4a4';
    const path = `/api/v1/bulk-exports/${id}/verify`;
    expect(pageOf({ method: 'POST', route: '/api/v1/bulk-exports/{export_id}/verify', path, resource_id: 'v' })).toBe(`exports/${id}`);
    const redeploy = '/v2/deployments/{deployment_id}/revisions/{revision_id}/redeploy';
    expect(pageOf({ method: 'POST', route: redeploy, path: `/v2/deployments/${id}/revisions/${id.replace('4', '5')}/redeploy`, resource_id: 'r' })).toBe(`deployments/${id}`);
  });

  it('does not exist for others and for what was deleted', () => {
    expect(at('POST', '/v1/api-keys')).toBeNull();
    expect(at('DELETE', '/v2/deployments/{deployment_id}')).toBeNull();
  });
});
