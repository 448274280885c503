-- The list of exports without the windows of schedules, newest first.
CREATE INDEX bulk_exports_without_windows_newest_first ON export.bulk_exports (tenant_id, created_at DESC, id)
    WHERE window_number IS NULL;
