package dev.waybill.local.quickstart;

import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import dev.waybill.local.stack.Home;
import dev.waybill.local.stack.ServiceKind;
import dev.waybill.local.stack.Stack;

/**
 * {@code .waybill/env}: addresses and keys as KEY=value lines, for shells and clients.
 */
final class EnvironmentFile {

    private EnvironmentFile() {
    }

    /** @param deployment the address of an application, once one is deployed */
    static void write(Home home, Stack stack, String workspaceId, @Nullable URI deployment) {
        Map<String, String> values = new LinkedHashMap<>();
        values.put("WAYBILL_CONTROL_PLANE_URL", stack.service(ServiceKind.CONTROL_PLANE).address().toString());
        values.put("WAYBILL_EXPORT_URL", stack.service(ServiceKind.EXPORT).address().toString());
        values.put("WAYBILL_EXPERIMENT_URL", stack.service(ServiceKind.EXPERIMENT).address().toString());
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
        Home.writePrivately(home.environment(), values.entrySet().stream()
                .map(value -> value.getKey() + "=" + value.getValue() + "\n")
                .collect(Collectors.joining()));
    }
}
