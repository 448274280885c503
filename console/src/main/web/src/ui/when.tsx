import { absolute, ago, clock, isRecent } from './format';

/** A point in time: the time of day, how long ago that was, and the exact time on hover. */
export function When({ time }: { time: string }) {
  return (
    <time class="when" dateTime={time} title={absolute(time)}>
      {clock(time)}
      {isRecent(time) && <span class="faint"> · {ago(time)}</span>}
    </time>
  );
}
