/** A curl command that posts JSON, for empty lists; the variables are those of `.waybill/env`. */
export function postCommand(service: 'CONTROL_PLANE' | 'EXPERIMENT' | 'EXPORT', path: string, body: string): string {
  return `curl -sS --fail-with-body "$WAYBILL_${service}_URL${path}" \\
  -H "X-API-Key: $WAYBILL_API_KEY" -H "Content-Type: application/json" \\
  -d '${body}'`;
}
