import { useMemo } from 'preact/hooks';
import { diffWordsWithSpace } from 'diff';

const MAX_LENGTH = 20_000;

/** The words that were added and removed between two texts. */
export function WordDiff({ before, after }: { before: string; after: string }) {
  const parts = useMemo(() => (before.length + after.length > MAX_LENGTH ? null : diffWordsWithSpace(before, after, { timeout: 200 })), [before, after]);
  if (!parts) {
    return <p class="text-content">{after}</p>;
  }
  return (
    <p class="diff text-content">
      {parts.map((part, index) =>
        part.added ? <ins key={index}>{part.value}</ins> : part.removed ? <del key={index}>{part.value}</del> : <span key={index}>{part.value}</span>,
      )}
    </p>
  );
}
