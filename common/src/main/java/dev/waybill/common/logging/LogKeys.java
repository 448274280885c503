package dev.waybill.common.logging;

/** The keys of values in log messages; a constant sentence describes the event, the values identify the objects. */
public final class LogKeys {

    public static final String REQUEST_ID = "request_id";
    public static final String TENANT_ID = "tenant_id";
    public static final String DEPLOYMENT_ID = "deployment_id";
    public static final String REVISION_ID = "revision_id";
    public static final String DESTINATION_ID = "destination_id";
    public static final String EXPORT_ID = "export_id";
    public static final String RUN_ID = "run_id";
    public static final String VERIFICATION_ID = "verification_id";
    public static final String COMPACTION_ID = "compaction_id";
    public static final String PUBLICATION_ID = "publication_id";
    public static final String NOTIFICATION_ID = "notification_id";
    public static final String ATTEMPT = "attempt";
    /** The trace of a log line, if a collector is configured (package telemetry). */
    public static final String TRACE_ID = "trace_id";
    public static final String SPAN_ID = "span_id";
    public static final String TRACE_FLAGS = "trace_flags";

    private LogKeys() {
    }
}
