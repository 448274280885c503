import { Component } from 'preact';
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useKeys } from '../app/keys';
import { copyText } from '../ui/copy';
import { Tabs } from '../ui/dialog';
import { absolute, count, plural, timeAndSecond } from '../ui/format';
import { Icon } from '../ui/icons';
import { useVirtual } from '../ui/table';
import { ErrorState } from '../ui/states';
import { LEVELS, MAX_LINES, LOG_PHASES, marked, type Level, type LogPhase, type NumberedLine } from './logs';
import { causeIndex, type Revision } from './model';
import { useLog, type Connection } from './use-log';

const LINE_HEIGHT = 20;
const NEAR_END = 40;
const TYPING_MS = 250;
const CONNECTION: Readonly<Record<Connection, string>> = { connecting: 'Connecting', live: 'Live', ended: 'Complete', lost: 'Connecting again' };

interface Props {
  readonly deployment: string;
  readonly revision: Revision;
  /** Whether the revision has ended and serves no requests. */
  readonly isOver: boolean;
  readonly phase: LogPhase;
  readonly q: string;
  readonly level: Level | '';
  /** Scrolls to the line that the failure came from. */
  readonly showCause: boolean;
  readonly onChange: (changes: { phase?: LogPhase; q?: string; level?: Level | ''; cause?: '' }) => void;
}

/** The log of a revision's build, deployment or application, as it is written. */
export function LogPanel({ deployment, revision, isOver, phase, q, level, showCause, onChange }: Props) {
  const [isPaused, setPaused] = useState(false);
  const [typed, setTyped] = useState(q);
  const search = useRef<HTMLInputElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const atEnd = useRef(!showCause);
  const top = useRef(0);
  const log = useLog({ deployment, revision: revision.id!, phase, q, level }, isPaused);
  const lines = log.buffer.shown;
  const cause = useMemo(() => (showCause ? causeIndex(lines, revision.status_message) : -1), [lines, showCause, revision.status_message]);
  const connection = isOver && log.connection === 'live' ? 'ended' : log.connection;
  const keyOf = useCallback((index: number) => lines[index]!.number, [lines]);
  const virtual = useVirtual(lines.length, LINE_HEIGHT, scroller, keyOf);
  // Grows while wrapped lines are measured.
  const height = virtual.getTotalSize();

  useKeys(
    [
      { keys: '/', what: 'Search in the log', run: () => search.current?.focus() },
      { keys: 'p', what: 'Pause or continue the log', run: () => setPaused((before) => !before) },
    ],
    [],
  );
  // The address follows what is typed; only another change of it replaces the text.
  const sent = useRef(q);
  useEffect(() => {
    if (q !== sent.current) {
      sent.current = q;
      setTyped(q);
    }
  }, [q]);
  useEffect(() => {
    if (typed === sent.current) {
      return;
    }
    const timer = setTimeout(() => {
      sent.current = typed;
      onChange({ q: typed });
    }, TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  useEffect(() => {
    atEnd.current = !showCause;
  }, [phase, q, level, revision.id, showCause]);
  useEffect(() => {
    if (cause >= 0) {
      virtual.scrollToIndex(cause, { align: 'center' });
    } else if (atEnd.current && scroller.current) {
      scroller.current.scrollTop = scroller.current.scrollHeight;
    }
  }, [lines, cause, height]);
  const onScroll = (): void => {
    const element = scroller.current;
    if (element) {
      // Only scrolling up ends the following: lines that arrive and are measured move the end away.
      atEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_END || (atEnd.current && element.scrollTop >= top.current);
      top.current = element.scrollTop;
    }
  };
  const toEnd = (): void => {
    atEnd.current = true;
    onChange({ cause: '' });
    scroller.current?.scrollTo({ top: scroller.current.scrollHeight });
  };
  const copyAll = (): Promise<void> => copyText(lines.map((one) => `${one.at ?? ''} ${one.line ?? ''}`).join('\n'), `${plural(lines.length, 'line')} copied`);
  return (
    <section class="log card" aria-label="Log">
      <Tabs label="Part of the log" tabs={LOG_PHASES.map((id) => ({ id, label: { build: 'Build', deploy: 'Deployment', server: 'Server' }[id] }))} selected={phase} onSelect={(id) => onChange({ phase: id, cause: '' })} />
      <div class="row wrap log-tools">
        <input ref={search} class="field grow" type="search" placeholder="Search in the log ( / )" aria-label="Search in the log" value={typed} onInput={(event) => setTyped(event.currentTarget.value)} />
        {phase === 'server' && (
          <select class="field" aria-label="Least severe level" value={level} onChange={(event) => onChange({ level: event.currentTarget.value as Level | '' })}>
            <option value="">All levels</option>
            {LEVELS.map((one) => (
              <option key={one} value={one}>
                {one === 'error' ? 'error' : `${one} and above`}
              </option>
            ))}
          </select>
        )}
        <button class="button" type="button" aria-pressed={isPaused} title="Pause or continue (p)" onClick={() => setPaused(!isPaused)}>
          {isPaused ? 'Continue' : 'Pause'}
        </button>
        <button class="button" type="button" onClick={toEnd}>
          <Icon name="down" size={14} /> Newest
        </button>
        <button class="button" type="button" disabled={lines.length === 0} onClick={copyAll}>
          <Icon name="copy" size={14} /> Copy
        </button>
      </div>
      {log.error ? (
        <ErrorState error={log.error} />
      ) : (
        <div ref={scroller} class="log-lines" role="log" aria-live="off" aria-label={`Lines of the ${phase} log`} tabIndex={0} onScroll={onScroll}>
          {lines.length === 0 ? (
            <p class="muted log-empty">{emptyText(log.connection, phase, q !== '' || level !== '', isOver)}</p>
          ) : (
            <div style={{ height: `${height}px`, position: 'relative' }}>
              {virtual.getVirtualItems().map((item) => {
                const line = lines[item.index];
                return line && <Line key={line.number} line={line} q={q} index={item.index} top={item.start} isCause={item.index === cause} measure={virtual.measureElement} />;
              })}
            </div>
          )}
        </div>
      )}
      <div class="row wrap log-foot muted">
        <span class="row" role="status">
          <span class={`dot ${isPaused ? 'tone-warn' : connection === 'live' ? 'tone-good' : 'tone-idle'}`} />
          {isPaused ? `Paused, ${plural(log.waiting, 'new line')}` : CONNECTION[connection]}
        </span>
        <span>{plural(lines.length, 'line')}</span>
        {log.buffer.leftOut > 0 && (
          <span>
            {plural(log.buffer.leftOut, 'older line')} left out; the page keeps {count(MAX_LINES)}
          </span>
        )}
      </div>
    </section>
  );
}

function emptyText(connection: Connection, phase: LogPhase, isFiltered: boolean, isOver: boolean): string {
  if (connection === 'connecting') {
    return 'Reading the log.';
  }
  if (isFiltered) {
    return 'No line matches.';
  }
  return phase === 'server' ? `The application has written nothing${isOver ? '' : ' yet'}.` : 'This revision has no lines of this part.';
}

interface LineProps {
  readonly line: NumberedLine;
  readonly q: string;
  readonly index: number;
  readonly top: number;
  readonly isCause: boolean;
  readonly measure: (element: HTMLElement | null) => void;
}

/** Lines that stay in view while scrolling are not rendered again. */
class Line extends Component<LineProps> {
  override shouldComponentUpdate(next: LineProps): boolean {
    return (['line', 'q', 'index', 'top', 'isCause'] as const).some((name) => this.props[name] !== next[name]);
  }

  override render({ line, q, index, top, isCause, measure }: LineProps) {
    const parts = marked(line.line ?? '', q);
    return (
      <div ref={measure} data-index={index} class={`log-line ${line.stream ?? ''} ${line.level ?? ''} ${isCause ? 'cause' : ''}`} style={{ transform: `translateY(${top}px)` }} {...(isCause ? { 'aria-current': 'true' as const } : {})}>
        <span class="log-time" title={line.at ? absolute(line.at) : undefined}>
          {line.at && timeAndSecond(line.at)}
        </span>
        {line.instance && <span class="log-instance">{line.instance}</span>}
        <bdi class="log-text">{parts.map((part, index) => (index % 2 ? <mark key={index}>{part}</mark> : part))}</bdi>
      </div>
    );
  }
}
