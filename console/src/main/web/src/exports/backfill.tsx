import { post } from '../api/client';
import { Confirm } from '../ui/confirm';
import { toast } from '../ui/toast';
import { rangeText } from './model';

interface Props {
  readonly schedule: string;
  readonly start: string;
  readonly end: string;
  readonly onClose: () => void;
  readonly onCreated: (id: string) => void;
}

/** Asks, then exports a range again with the settings of its schedule. */
export function Backfill({ schedule, start, end, onClose, onCreated }: Props) {
  const create = async (): Promise<void> => {
    const created = await post('/api/v1/bulk-exports/{export_id}/backfill', { path: { export_id: schedule }, body: { start_time: start, end_time: end } });
    toast('The backfill was created');
    onCreated(created.id);
  };
  return (
    <Confirm title="Backfill this range?" action="Backfill" run={create} onClose={onClose}>
      <p>
        A new export writes all runs from {rangeText(start, end)} (UTC) into a folder of its own, with the settings of the schedule. The files of the first export remain: read one of the two, or remove duplicates by <code>id</code>.
      </p>
    </Confirm>
  );
}
