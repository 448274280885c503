import { signal } from '@preact/signals';

export type Theme = 'system' | 'light' | 'dark';
const KEY = 'waybill.theme';
const THEMES: readonly Theme[] = ['system', 'light', 'dark'];

export const theme = signal<Theme>(THEMES.find((known) => known === localStorage.getItem(KEY)) ?? 'system');

export function applyTheme(): void {
  const { dataset } = document.documentElement;
  if (theme.value === 'system') {
    delete dataset['theme'];
  } else {
    dataset['theme'] = theme.value;
  }
}

export function nextTheme(): void {
  theme.value = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length]!;
  localStorage.setItem(KEY, theme.value);
  applyTheme();
}
