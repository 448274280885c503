import type { components } from '../api/schema/export-service';

type Schemas = components['schemas'];
/** Members that the service leaves empty are null. */
type Nullable<T, K extends keyof T> = Omit<T, K> & { readonly [P in K]: T[P] | null };

export type Progress = Schemas['BulkExportProgress'];
export type Export = Nullable<
  Schemas['BulkExportResponse'],
  'source_bulk_export_id' | 'end_time' | 'filter' | 'interval_hours' | 'export_fields' | 'finished_at' | 'paused_at' | 'pause_reason' | 'late_rows' | 'failed_windows' | 'last_failure' | 'warnings' | 'progress'
>;
export type ExportRun = Schemas['BulkExportRunResponse'];
export type ScheduleWindow = Nullable<Schemas['ScheduleWindow'], 'bulk_export_id' | 'created_at' | 'finished_at' | 'progress' | 'late_rows' | 'error' | 'backfilled_by'>;
export type ExportedFile = Schemas['ExportedFile'];
export type Verification = Nullable<Schemas['VerificationResponse'], 'result' | 'error' | 'receipt' | 'finished_at'>;
export type VerificationResult = Schemas['VerificationResult'];
export type Receipt = Schemas['Receipt'];
export type Destination = Schemas['Destination'];
export type DestinationTest = Schemas['DestinationTest'];
export type Preview = Schemas['BulkExportPreviewResponse'];
export type CreateExport = Partial<Schemas['CreateBulkExportRequest']>;
export type CreateDestination = Schemas['CreateDestinationRequest'];
