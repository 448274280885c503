import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { root } from './console';

const AXE = readFileSync(resolve(root, 'console/src/main/web/node_modules/axe-core/axe.min.js'), 'utf8');
const CHECK = 'axe.run({ runOnly: ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"] }).then((r) => JSON.stringify(r.violations.map((v) => v.id + ": " + v.nodes.slice(0, 3).map((n) => n.target.join(" ")).join(" | "))))';

/** Returns the violations of WCAG 2.2 AA that axe finds. Runs through the debugger, because the security policy allows no other script. */
export async function violations(page: Page): Promise<string[]> {
  const client = await page.context().newCDPSession(page);
  await client.send('Runtime.evaluate', { expression: AXE });
  const { result } = await client.send('Runtime.evaluate', { expression: CHECK, awaitPromise: true, returnByValue: true });
  await client.detach();
  return JSON.parse(result.value as string);
}
