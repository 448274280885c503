package dev.waybill.common.telemetry;

import io.opentelemetry.api.common.AttributeKey;

/**
 * Attribute keys of spans: operations, outcomes and ids. Spans never contain a body, a query, a secret or a name chosen by a
 * customer.
 */
public final class SpanKeys {

    public static final AttributeKey<String> METHOD = AttributeKey.stringKey("http.request.method");
    public static final AttributeKey<String> ROUTE = AttributeKey.stringKey("http.route");
    public static final AttributeKey<Long> STATUS = AttributeKey.longKey("http.response.status_code");
    public static final AttributeKey<String> ERROR = AttributeKey.stringKey("error.type");
    public static final AttributeKey<String> REQUEST_ID = AttributeKey.stringKey("waybill.request_id");
    public static final AttributeKey<String> TENANT_ID = AttributeKey.stringKey("waybill.tenant_id");
    public static final AttributeKey<String> DEPLOYMENT_ID = AttributeKey.stringKey("waybill.deployment_id");
    public static final AttributeKey<String> REVISION_ID = AttributeKey.stringKey("waybill.revision_id");
    public static final AttributeKey<String> EXPORT_ID = AttributeKey.stringKey("waybill.export_id");
    public static final AttributeKey<String> RUN_ID = AttributeKey.stringKey("waybill.run_id");
    public static final AttributeKey<String> ASSISTANT_ID = AttributeKey.stringKey("waybill.assistant_id");
    public static final AttributeKey<Long> ATTEMPT = AttributeKey.longKey("waybill.attempt");
    public static final AttributeKey<Long> ROWS = AttributeKey.longKey("waybill.rows");
    public static final AttributeKey<String> OUTCOME = AttributeKey.stringKey("waybill.outcome");

    private SpanKeys() {
    }
}
