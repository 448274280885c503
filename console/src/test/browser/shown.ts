import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

/** Figures and tables as a person reads them from a page. */

interface Figure {
  readonly value: number;
  /** Size of the last digit that is shown. */
  readonly step: number;
}

const NONE = ['–', '', '∅'];
const UNITS: Readonly<Record<string, number>> = { '': 1, s: 1, ms: 0.001, '%': 0.01, K: 1_000, M: 1_000_000 };
const FIGURE = /^([+\u2212-]?)\$?((?:\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d+))?)\s*(ms|s|%|K|M)?$/;

function figure(text: string): Figure {
  const minutes = /^(\d+) min (\d+) s$/.exec(text.trim());
  if (minutes) {
    return { value: Number(minutes[1]) * 60 + Number(minutes[2]), step: 1 };
  }
  const found = FIGURE.exec(text.trim());
  if (!found) {
    throw new Error(`no figure: ${JSON.stringify(text)}`);
  }
  const [, sign, digits, decimals, unit = ''] = found;
  const size = Number(digits!.replaceAll(',', '')) * UNITS[unit]!;
  return { value: sign && sign !== '+' ? -size : size, step: 10 ** -(decimals?.length ?? 0) * UNITS[unit]! };
}

/** Asserts that the text is the number, rounded to the digits that it shows; null is shown as a dash or not at all. */
export function expectFigure(text: string | undefined, expected: number | null, what: string): void {
  if (text === undefined) {
    throw new Error(`${what} is not shown`);
  }
  if (expected === null) {
    expect(NONE, what).toContain(text.trim());
    return;
  }
  const { value, step } = figure(text);
  expect(Math.abs(value - expected), `${what}: ${text} instead of ${expected}`).toBeLessThanOrEqual(step / 2 + 1e-9 * Math.max(1, Math.abs(expected)));
}

/** Asserts that each figure is shown within a tolerance, in addition to its rounding. */
export function expectNear(text: string, expected: number, tolerance: number, what: string): void {
  const { value, step } = figure(text);
  expect(Math.abs(value - expected), `${what}: ${text} instead of ${expected} ± ${tolerance}`).toBeLessThanOrEqual(step / 2 + tolerance);
}

/** All numbers in a text, such as a score and its difference. */
export const numbersIn = (text: string): string[] => text.match(/[+\u2212]?\d[\d,]*(?:\.\d+)?/g) ?? [];

const clean = (text: string): string => text.replace(/\s+/g, ' ').replace(/[↑↓]\s*$/, '').trim();

const title = (text: string): string => clean(text).toLowerCase();

/** The lower-case terms and the values of a description list. */
export async function facts(list: Locator): Promise<Record<string, string>> {
  await list.locator('dd').first().waitFor();
  const terms = await list.locator('dt').allInnerTexts();
  const values = await list.locator('dd').allInnerTexts();
  return Object.fromEntries(terms.map((term, index) => [title(term), clean(values[index]!)]));
}

/** The rows of a plain table, each by the lower-case titles of its columns. */
export async function tableRows(table: Locator): Promise<Record<string, string>[]> {
  await table.locator('tbody tr').first().waitFor({ state: 'attached' });
  const titles = (await table.locator('thead th').allTextContents()).map(title);
  const rows = await table.locator('tbody tr').evaluateAll((list) => list.map((row) => [...row.children].map((cell) => cell.textContent ?? '')));
  return rows.map((cells) => Object.fromEntries(cells.map((cell, index) => [titles[index] ?? String(index), clean(cell)])));
}

/** The loaded rows of a grid that are in view, each by the titles of its columns. */
export async function gridRows(page: Page, label: string): Promise<Record<string, string>[]> {
  const grid = page.getByRole('grid', { name: label });
  await grid.locator('.grid-body .grid-row:not(:has(.skeleton))').first().waitFor();
  const titles = (await grid.getByRole('columnheader').allTextContents()).map(clean);
  const rows = await grid.locator('.grid-body .grid-row:not(:has(.skeleton))').evaluateAll((list) => list.map((row) => [...row.children].map((cell) => (cell as HTMLElement).innerText)));
  return rows.map((cells) => Object.fromEntries(cells.map((cell, index) => [titles[index]!, clean(cell)])));
}
