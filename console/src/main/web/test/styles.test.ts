import { expect, it } from 'vitest';

const SHEETS = import.meta.glob<string>('../src/*/*.css', { query: '?raw', import: 'default', eager: true });
const COMPONENTS = import.meta.glob<string>('../src/*/*.tsx', { query: '?raw', import: 'default', eager: true });
/** Their stylesheets and components belong to every page; the gallery is no page of the application. */
const SHARED = ['ui', 'app', 'gallery'];

const folderOf = (path: string): string => path.split('/')[2]!;
const classesOf = (text: string): readonly string[] => [...text.matchAll(/\.([a-z][\w-]*)/g)].map((found) => found[1]!);
const sourcesOf = (folder: string): string => Object.entries(COMPONENTS).flatMap(([path, source]) => (folderOf(path) === folder ? [source] : [])).join('\n');

/** The classes of each element; of an expression within them, every quoted one. */
function elementsOf(source: string): readonly ReadonlySet<string>[] {
  const quoted = (code: string): string => [...code.matchAll(/'([^']*)'/g)].map((found) => found[1]).join(' ');
  const names = (text: string): string => text.replace(/\$\{(.*?)\}/g, (_, code: string) => quoted(code));
  return [...source.matchAll(/class=(?:"([^"]*)"|\{`(.*?)`\}|\{([^`{}]*)\})/g)].map(([, text, template, code]) => new Set((code === undefined ? names(text ?? template!) : quoted(code)).split(/\s+/)));
}

/** The selectors of a stylesheet, without those of media queries and key frames. */
function selectorsOf(sheet: string): readonly string[] {
  const rules = sheet.replace(/\/\*.*?\*\/|@keyframes\s[\w-]+\s*\{(?:[^{}]*\{[^{}]*\})*\s*\}|@[^{;]*\{/gs, '');
  return [...rules.matchAll(/([^{}]+)\{/g)].flatMap((rule) => rule[1]!.split(',')).map((selector) => selector.trim());
}

// Stylesheets stay in the document when another page is opened, so that its look would depend on the pages before.
it('a stylesheet of a page styles no page that does not import it', () => {
  const pages = [...new Set(Object.keys(COMPONENTS).map(folderOf))].filter((folder) => !SHARED.includes(folder));
  const shared = SHARED.slice(0, 2).flatMap((folder) => elementsOf(sourcesOf(folder)));
  const sheets = Object.entries(SHEETS).filter(([path]) => !SHARED.includes(folderOf(path)));
  expect(sheets.flatMap(([, sheet]) => selectorsOf(sheet)).length).toBeGreaterThan(300);
  const leaks = pages.flatMap((page) => {
    const source = sourcesOf(page);
    const elements = [...elementsOf(source), ...shared];
    const isStyled = (selector: string): boolean =>
      selector.split(/[\s>+~]+/).map(classesOf).every((classes) => elements.some((element) => classes.every((name) => element.has(name))));
    return sheets.flatMap(([path, sheet]) => (source.includes(path.slice(path.lastIndexOf('/'))) ? [] : selectorsOf(sheet).filter(isStyled).map((selector) => `${path} ${selector}: ${page}`)));
  });
  expect(leaks).toEqual([]);
});

// Forms differ in the elements around their fields.
it('the style of invalid fields does not depend on the elements around them', () => {
  expect(Object.values(SHEETS).flatMap(selectorsOf).filter((selector) => selector.includes('invalid'))).toEqual([".field[aria-invalid='true']"]);
});
