/** Numbers, times and values as text. Every function is pure. */

const locale = 'en';
const compact = new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 });
const plain = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 });
const moment = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'long', hourCycle: 'h23' });
const day = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', year: 'numeric' });
const hour = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const hourOfYear = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const ofDay = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const timeOfDay = new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: 'numeric', second: 'numeric', hourCycle: 'h23' });
const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'narrow' });

export const DASH = '–';
const MINUS = '\u2212';

export function count(value: number | null | undefined): string {
  return value === null || value === undefined ? DASH : plain.format(value);
}

/** `1 line`, `2 lines`. */
export const plural = (value: number, noun: string): string => `${count(value)} ${noun}${value === 1 ? '' : 's'}`;

export function shortCount(value: number | null | undefined): string {
  return value === null || value === undefined ? DASH : value < 10_000 ? plain.format(value) : compact.format(value);
}

const formats = new Map<string, Intl.NumberFormat>();

/** Creating a format takes much longer than using it. */
function withDigits(minimumFractionDigits: number, maximumFractionDigits: number): Intl.NumberFormat {
  const key = `${minimumFractionDigits}-${maximumFractionDigits}`;
  const known = formats.get(key) ?? new Intl.NumberFormat(locale, { minimumFractionDigits, maximumFractionDigits });
  formats.set(key, known);
  return known;
}

/** An average with as many digits as its size needs. */
export function decimal(value: number | null | undefined): string {
  if (value === null || value === undefined || Number.isNaN(value)) {
    return DASH;
  }
  const size = Math.abs(value);
  const digits = size === 0 || size >= 1000 ? 0 : size >= 100 ? 1 : size >= 0.01 ? 2 : 4;
  const shown = withDigits(digits, digits).format(size);
  return value < 0 ? MINUS + shown : shown;
}

/** A single score: whole numbers have no decimals, because most scores are 0, 1 or a grade. */
export function score(value: number | null | undefined): string {
  return value !== null && value !== undefined && Number.isInteger(value) ? (value < 0 ? MINUS : '') + plain.format(Math.abs(value)) : decimal(value);
}

export function signed(value: number | null | undefined): string {
  const shown = score(value);
  return value !== null && value !== undefined && value > 0 ? `+${shown}` : shown;
}

export function percent(value: number | null | undefined): string {
  if (value === null || value === undefined) {
    return DASH;
  }
  return `${withDigits(0, value > 0 && value < 0.1 ? 1 : 0).format(value * 100)} %`;
}

export function signedAverage(value: number | null | undefined): string {
  const shown = decimal(value);
  return value !== null && value !== undefined && value > 0 ? `+${shown}` : shown;
}

/** `p = 0.021`, `p < 0.001`. */
export function probability(value: number | null | undefined): string {
  if (value === null || value === undefined) {
    return DASH;
  }
  return value < 0.001 ? '< 0.001' : value.toFixed(3);
}

export function seconds(value: number | null | undefined): string {
  if (value === null || value === undefined) {
    return DASH;
  }
  if (value < 0.001) {
    return value === 0 ? '0 ms' : '< 1 ms';
  }
  if (value < 1) {
    return `${Math.round(value * 1000)} ms`;
  }
  if (value < 60) {
    return `${value.toFixed(value < 10 ? 2 : 1)} s`;
  }
  const whole = Math.round(value);
  return whole < 3600 ? `${Math.floor(whole / 60)} min ${whole % 60} s` : `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}

export function cost(value: number | string | null | undefined): string {
  if (value === null || value === undefined || value === '') {
    return DASH;
  }
  const number = Number(value);
  return `$${number >= 1 ? number.toFixed(2) : number >= 0.01 ? number.toFixed(3) : number === 0 ? '0' : number.toPrecision(2)}`;
}

export function bytes(value: number): string {
  return value < 1000 ? `${value} B` : value < 1_000_000 ? `${(value / 1000).toFixed(1)} kB` : `${(value / 1_000_000).toFixed(1)} MB`;
}

export const absolute = (time: string): string => moment.format(new Date(time));
export const date = (time: string): string => day.format(new Date(time));
export const timeAndSecond = (time: string): string => timeOfDay.format(new Date(time));
export const dateAndHour = (time: string): string => hour.format(new Date(time));

const WEEK_MS = 7 * 86_400_000;

/** Returns whether `ago` describes the time relative to now. */
export const isRecent = (time: string, now = Date.now()): boolean => Math.abs(now - Date.parse(time)) < WEEK_MS;

/** The time of day, with the date unless it is today, and with the year unless it is this one. */
export function clock(time: string, now = Date.now()): string {
  const at = new Date(time);
  const today = new Date(now);
  if (at.toDateString() === today.toDateString()) {
    return ofDay.format(at);
  }
  return (at.getFullYear() === today.getFullYear() ? hour : hourOfYear).format(at);
}

/** "5 min ago" for the last week, else the date. */
export function ago(time: string, now = Date.now()): string {
  const difference = (new Date(time).getTime() - now) / 1000;
  const size = Math.abs(difference);
  if (size < 45) {
    return 'just now';
  }
  if (size < 3600) {
    return relative.format(Math.round(difference / 60), 'minute');
  }
  if (size < 86_400) {
    return relative.format(Math.round(difference / 3600), 'hour');
  }
  return isRecent(time, now) ? relative.format(Math.round(difference / 86_400), 'day') : date(time);
}

export const TEXT_MEMBERS = ['content', 'text', 'answer', 'output', 'question', 'input', 'query', 'message', 'result', 'response', 'completion', 'value'];
const MAX_EXCERPT = 400;

/** The text of a JSON value that a person looks for first: the last message, the only member, an answer; else compact JSON. */
export function excerpt(value: unknown, depth = 0): string {
  if (value === null || value === undefined) {
    return '';
  }
  if (typeof value === 'string') {
    return value.slice(0, MAX_EXCERPT).replace(/\s+/g, ' ').trim();
  }
  if (typeof value !== 'object') {
    return String(value);
  }
  if (depth > 6) {
    return '…';
  }
  if (Array.isArray(value)) {
    return Array.isArray(value[0]) ? excerpt(value[0], depth + 1) : excerpt(value[value.length - 1], depth + 1);
  }
  const members = value as Record<string, unknown>;
  const messages = members['messages'] ?? members['choices'] ?? members['generations'];
  if (Array.isArray(messages) && messages.length) {
    const found = excerpt(messages, depth + 1);
    if (found) {
      return found;
    }
  }
  const named = TEXT_MEMBERS.find((name) => members[name] !== undefined && members[name] !== null && members[name] !== '');
  if (named !== undefined) {
    const found = excerpt(members[named], depth + 1);
    if (found) {
      return found;
    }
  }
  const names = Object.keys(members);
  if (names.length === 1) {
    return excerpt(members[names[0]!], depth + 1);
  }
  return names.length ? longest(value) || JSON.stringify(value).slice(0, MAX_EXCERPT) : '';
}

/** The longest text of a structure without well-known members. */
function longest(value: unknown): string {
  let best = '';
  let visited = 0;
  const stack: unknown[] = [value];
  while (stack.length && visited++ < 500) {
    const item = stack.pop();
    if (typeof item === 'string' && item.length > best.length) {
      best = item;
    } else if (typeof item === 'object' && item !== null) {
      stack.push(...Object.values(item));
    }
  }
  return best.slice(0, MAX_EXCERPT).replace(/\s+/g, ' ').trim();
}

const DIRECTION_CONTROLS = /[\u202A-\u202E\u2066-\u2069]/g;
const RIGHT_TO_LEFT = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC]/;

/** A name or key within a sentence: it does not change the direction of the words around it. */
export function isolated(text: string): string {
  const plain = text.replace(DIRECTION_CONTROLS, '');
  return RIGHT_TO_LEFT.test(plain) ? `\u2068${plain}\u2069` : plain;
}

/** A colour and a letter for each compared experiment; the letter carries the meaning, the colour repeats it. */
export const letter = (index: number): string => String.fromCharCode(65 + index);
