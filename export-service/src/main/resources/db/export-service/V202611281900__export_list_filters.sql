-- Lists of exports by one filter, newest first.
CREATE INDEX bulk_exports_by_status_newest_first ON export.bulk_exports (tenant_id, status, created_at DESC, id);
CREATE INDEX bulk_exports_by_session_newest_first ON export.bulk_exports (tenant_id, session_id, created_at DESC, id);
CREATE INDEX bulk_exports_by_destination_newest_first ON export.bulk_exports (tenant_id, destination_id, created_at DESC, id);
