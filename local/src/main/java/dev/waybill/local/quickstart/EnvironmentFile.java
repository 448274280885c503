package dev.waybill.local.quickstart;

import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import dev.waybill.local.stack.HomeDirectory;
import dev.waybill.local.stack.ServiceKind;
import dev.waybill.local.stack.Stack;

/**
 * Writes {@code .waybill/env}: addresses and keys as {@code export KEY=value} lines, also with the variable names of client
 * SDKs.
 */
public final class EnvironmentFile {

    private EnvironmentFile() {
    }

    /**
     * Writes the file.
     *
     * @param deployment the address of a deployed application; null before its deployment
     */
    public static void write(HomeDirectory home, Stack stack, String workspaceId, @Nullable URI deployment) {
        Map<String, String> values = new LinkedHashMap<>();
        values.put("WAYBILL_CONTROL_PLANE_URL", stack.service(ServiceKind.CONTROL_PLANE).address().toString());
        values.put("WAYBILL_EXPORT_URL", stack.service(ServiceKind.EXPORT).address().toString());
        values.put("WAYBILL_EXPERIMENT_URL", stack.service(ServiceKind.EXPERIMENT).address().toString());
        if (stack.services().contains(ServiceKind.CONSOLE)) {
            values.put("WAYBILL_CONSOLE_URL", stack.service(ServiceKind.CONSOLE).address().toString());
        }
        for (ServiceKind kind : stack.services()) {
            values.put("WAYBILL_" + kind.name() + "_MANAGEMENT_URL", stack.service(kind).managementAddress().toString());
        }
        if (deployment != null) {
            values.put("WAYBILL_DEPLOYMENT_URL", deployment.toString());
        }
        values.put("WAYBILL_API_KEY", stack.secrets().apiKey());
        values.put("WAYBILL_TENANT_ID", workspaceId);
        values.put("WAYBILL_OPERATOR_KEY", stack.secrets().operatorKey());
        values.put("WAYBILL_DATABASE_URL", "postgresql://postgres:" + stack.secrets().superuserPassword() + "@127.0.0.1:"
                + stack.postgres().port() + "/waybill");
        values.put("WAYBILL_S3_ENDPOINT", stack.s3().endpoint().toString());
        values.put("WAYBILL_S3_ACCESS_KEY_ID", stack.secrets().s3AccessKeyId());
        values.put("WAYBILL_S3_SECRET_ACCESS_KEY", stack.secrets().s3SecretAccessKey());
        values.put("WAYBILL_S3_BUCKET", Stack.BUCKET);
        putClientVariables(values);
        HomeDirectory.writePrivateFile(home.environment(), values.entrySet().stream()
                .map(value -> "export " + value.getKey() + "=" + value.getValue() + "\n")
                .collect(Collectors.joining()));
    }

    private static void putClientVariables(Map<String, String> values) {
        String intake = String.valueOf(values.get("WAYBILL_EXPERIMENT_URL"));
        String key = String.valueOf(values.get("WAYBILL_API_KEY"));
        values.put("LANGSMITH_ENDPOINT", intake + "/api/v1");
        values.put("LANGSMITH_API_KEY", key);
        values.put("LANGSMITH_TRACING", "true");
        values.put("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", intake + "/otel/v1/traces");
        values.put("OTEL_EXPORTER_OTLP_TRACES_HEADERS", "X-Api-Key=" + key);
        values.put("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "http/protobuf");
    }
}
