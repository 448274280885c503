import { useEffect, useState } from 'preact/hooks';

/** The width below which the styles of the pages change as well. */
const QUERY = '(max-width: 760px)';

/** Returns whether the window is as narrow as a phone. */
export function useNarrow(): boolean {
  const [isNarrow, setNarrow] = useState(() => window.matchMedia(QUERY).matches);
  useEffect(() => {
    const media = window.matchMedia(QUERY);
    const change = (): void => setNarrow(media.matches);
    media.addEventListener('change', change);
    change();
    return () => media.removeEventListener('change', change);
  }, []);
  return isNarrow;
}
