package dev.waybill.export.destination;

import java.util.UUID;

import org.eclipse.microprofile.config.ConfigProvider;
import org.jspecify.annotations.Nullable;

/** The body of a request that creates a destination; valid by default, with a unique prefix. */
record DestinationBody(String bucket, String prefix, @Nullable String region, @Nullable String endpoint,
        @Nullable String keyId, @Nullable String secret, @Nullable String token) {

    static DestinationBody valid() {
        return new DestinationBody(setting("bucket"), "t" + UUID.randomUUID(), null, setting("endpoint"),
                setting("access-key-id"), setting("secret-access-key"), null);
    }

    static String setting(String key) {
        return ConfigProvider.getConfig().getValue("waybill.test.s3." + key, String.class);
    }

    DestinationBody bucket(String value) {
        return new DestinationBody(value, prefix, region, endpoint, keyId, secret, token);
    }

    DestinationBody prefix(String value) {
        return new DestinationBody(bucket, value, region, endpoint, keyId, secret, token);
    }

    DestinationBody region(@Nullable String value) {
        return new DestinationBody(bucket, prefix, value, endpoint, keyId, secret, token);
    }

    DestinationBody endpoint(@Nullable Object value) {
        return new DestinationBody(bucket, prefix, region, value == null ? null : value.toString(), keyId, secret, token);
    }

    DestinationBody keyId(String value) {
        return new DestinationBody(bucket, prefix, region, endpoint, value, secret, token);
    }

    DestinationBody secret(String value) {
        return new DestinationBody(bucket, prefix, region, endpoint, keyId, value, token);
    }

    DestinationBody token(String value) {
        return new DestinationBody(bucket, prefix, region, endpoint, keyId, secret, value);
    }

    DestinationBody withoutCredentials() {
        return new DestinationBody(bucket, prefix, region, endpoint, null, null, null);
    }

    String json() {
        return "{\"destination_type\": \"s3\", \"display_name\": \"Archive\", \"config\": {\"bucket_name\": " + text(bucket)
                + ", \"prefix\": " + text(prefix) + ", \"region\": " + text(region) + ", \"endpoint_url\": " + text(endpoint)
                + "}" + (keyId == null ? "" : ", " + credentials()) + "}";
    }

    /** Returns the body of a PATCH. */
    String update() {
        return "{" + credentials() + "}";
    }

    private String credentials() {
        return "\"credentials\": {\"access_key_id\": " + text(keyId) + ", \"secret_access_key\": " + text(secret)
                + (token == null ? "" : ", \"session_token\": " + text(token)) + "}";
    }

    private static String text(@Nullable String value) {
        if (value == null) {
            return "null";
        }
        StringBuilder text = new StringBuilder("\"");
        value.chars()
                .forEach(c -> text.append(c < 0x20 || c == 34 || c == 92 ? "\\u%04x".formatted(c) : Character.toString(c)));
        return text.append('"').toString();
    }
}
