import { useEffect, useMemo, useReducer, useRef, useState } from 'preact/hooks';
import { post } from '../api/client';
import { announce } from '../ui/toast';
import { Windows } from '../ui/windows';
import type { ComparedRow, Comparison, Request } from './model';

const WINDOW = 100;

/** The rows of a comparison, read in windows; all of them are read again when the summary has changed. */
export function useRows(datasetId: string, request: Request, summary: Comparison) {
  const [, update] = useReducer((n: number) => n + 1, 0);
  const [total, setTotal] = useState<number>();
  const signature = JSON.stringify(request);
  const windows = useMemo(() => {
    const read = async (offset: number, signal: AbortSignal): Promise<readonly ComparedRow[]> => {
      const page = await post('/api/v1/datasets/{dataset_id}/comparison', { path: { dataset_id: datasetId }, body: { ...request, limit: WINDOW, offset }, signal });
      setTotal(page.total);
      return page.rows;
    };
    return new Windows<ComparedRow>(WINDOW, read, () => update(0));
  }, [signature]);
  const seen = useRef(summary);
  useEffect(() => {
    setTotal(undefined);
    windows.show(0, 0, 1);
    return () => windows.close();
  }, [windows]);
  useEffect(() => {
    if (seen.current !== summary) {
      seen.current = summary;
      windows.refresh();
    }
  }, [summary]);
  useEffect(() => {
    if (total !== undefined) {
      announce(`${total} examples`);
    }
  }, [total]);
  return { windows, total };
}
