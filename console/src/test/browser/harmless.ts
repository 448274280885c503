import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Watched } from './console';

/** The last character of hostile texts: what follows it is the page's own. */
export const END = '§';

/**
 * Markup, scripts, a link, and overrides of the writing direction that are never closed. The first character overrides as well,
 * for texts of which a page shows the beginning only.
 */
export const HOSTILE = `\u202E<img src=x onerror="window.hostile=1"><script>window.hostile=2</script><svg onload="window.hostile=3"></svg><a href="javascript:window.hostile=4">a</a>{{7*7}} \u202E${END}`;

/** A hostile text of this length. */
export const hostile = (length: number): string => HOSTILE.slice(0, -1) + 'W'.repeat(Math.max(0, length - HOSTILE.length)) + END;

/** Asserts that nothing of the content ran, became an element or a link, changed the layout, or the direction of other texts. */
export async function expectHarmless({ page, problems }: Watched, where: string): Promise<void> {
  expect(problems, where).toEqual([]);
  expect(await page.evaluate(() => 'hostile' in window), where).toBe(false);
  expect(await page.locator('img[src="x"], main script, svg[onload], iframe, object, embed').count(), where).toBe(0);
  expect(await page.evaluate(() => [...document.links].map((link) => link.protocol).filter((protocol) => !/^https?:$/.test(protocol))), where).toEqual([]);
  expect(await tooWide(page), where).toEqual([]);
  expect(await page.evaluate(leaks, END), where).toEqual([]);
}

/** The parts of the frame that are wider than the window. */
function tooWide(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    ['html', '.main', '#main', '.page-head', '.run-head', '.run-body', '.trace-left', '.compare-main', '.panel-body']
      .flatMap((selector) => [...document.querySelectorAll(selector)].map((element) => ({ selector, element })))
      .filter(({ element }) => element.scrollWidth > element.clientWidth + 1 || element.getBoundingClientRect().right > window.innerWidth + 1)
      .map(({ selector, element }) => `${selector} ${element.scrollWidth} of ${element.clientWidth}`),
  );
}

/** Runs in the page: returns texts of the page whose direction is changed by a text before them. */
function leaks(end: string): string[] {
  const OPEN = '\u202A\u202B\u202D\u202E';
  const ISOLATE = '\u2066\u2067\u2068';
  const isOverridden = (text: string): boolean => {
    const stack: string[] = [];
    for (const character of text) {
      if (OPEN.includes(character)) {
        stack.push('override');
      } else if (ISOLATE.includes(character)) {
        stack.push('isolate');
      } else if (character === '\u202C' && stack.at(-1) === 'override') {
        stack.pop();
      } else if (character === '\u2069' && stack.includes('isolate')) {
        stack.length = stack.lastIndexOf('isolate');
      }
    }
    return stack.includes('override');
  };
  const isInline = (element: Element): boolean => getComputedStyle(element).display.startsWith('inline');
  /** The nearest element beyond which the text changes nothing. */
  const scopeOf = (node: Node): Element => {
    let scope = node.parentElement!;
    while (getComputedStyle(scope).display === 'inline' && getComputedStyle(scope).unicodeBidi === 'normal') {
      scope = scope.parentElement!;
    }
    return scope;
  };
  const isBlock = (node: Node, scope: Element): boolean => {
    for (let element = node.parentElement!; element !== scope; element = element.parentElement!) {
      if (!isInline(element)) {
        return true;
      }
    }
    return false;
  };
  const found: string[] = [];
  const texts: Text[] = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    texts.push(walker.currentNode as Text);
  }
  texts.forEach((text, index) => {
    if (text.parentElement!.closest('svg, option, script, style, .diff')) {
      return;
    }
    const ending = text.data.lastIndexOf(end);
    if (ending >= 0 && isOverridden(text.data.slice(0, ending)) && text.data.slice(ending + 1).trim()) {
      found.push(`after a text: ${text.data.slice(ending + 1).trim().slice(0, 60)}`);
    }
    if (!isOverridden(text.data)) {
      return;
    }
    const scope = scopeOf(text);
    // Its texts are pieces of one text.
    if (scope.tagName === 'BDI') {
      return;
    }
    const isFlex = /flex|grid/.test(getComputedStyle(scope).display);
    for (let next = index + 1; next < texts.length; next++) {
      const other = texts[next]!;
      const isAdjacent = text.parentElement === other.parentElement && (text.nextSibling === other || !isFlex);
      if (!scope.contains(other) || isBlock(other, scope) || (isFlex && !isAdjacent)) {
        return;
      }
      if (other.data.trim()) {
        found.push(`${scope.tagName} ${scope.className}: ${other.data.trim().slice(0, 60)}`);
        return;
      }
    }
  });
  return found;
}
