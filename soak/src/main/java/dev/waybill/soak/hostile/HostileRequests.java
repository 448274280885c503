package dev.waybill.soak.hostile;

import java.util.List;
import java.util.Random;
import java.util.UUID;

import dev.waybill.soak.hostile.OpenApiOperations.Operation;

/** Generates requests without a valid key: unknown and malformed paths, methods, headers, bodies, keys and webhooks. */
final class HostileRequests {

    private static final List<String> METHODS = List.of("GET", "PUT", "PATCH", "DELETE", "TRACE", "OPTIONS", "HEAD",
            "PROPFIND");
    private static final List<String> PATHS = List.of("/.git/config", "/wp-login.php", "/q/metrics", "/..;/admin", "//",
            "/%2e%2e/etc",
            "/api/v1/", "/index.html");
    private static final int LONG_PATH_LENGTH = 5_000;
    private static final int LARGE_HEADER_LENGTH = 17 << 10;
    private static final int MAX_BODY = 64 << 10;
    private static final int KINDS = 10;

    private final Random random;
    private final String host;
    private final List<Operation> operations;

    HostileRequests(Random random, String host, List<Operation> operations) {
        this.random = random;
        this.host = host;
        this.operations = operations;
    }

    /** Returns a request with {@code Connection: close}. */
    String next() {
        Operation operation = operations.get(random.nextInt(operations.size()));
        return switch (random.nextInt(KINDS)) {
            case 0 -> head("GET", "/" + UUID.randomUUID()) + "\r\n";
            case 1 -> head(METHODS.get(random.nextInt(METHODS.size())), operation.withRandomIds()) + "\r\n";
            case 2 -> head("M" + random.nextInt(1_000_000), PATHS.get(random.nextInt(PATHS.size()))) + "\r\n";
            case 3 -> head(operation.method(), operation.withRandomIds()) + "X-Api-Key: wb_" + random.nextInt() + "\r\n\r\n";
            case 4 -> body(head("POST", operation.withRandomIds()), "[".repeat(random.nextInt(MAX_BODY)));
            case 5 -> body(
                    head("POST", "/v1/integrations/repohost/webhook") + "X-GitHub-Event: push\r\nX-Hub-Signature-256: sha256="
                            + Long.toHexString(random.nextLong()) + "\r\n",
                    "{\"repository\": {\"id\": " + random.nextInt() + "}}");
            case 6 -> head("GET", "/" + "x".repeat(LONG_PATH_LENGTH)) + "\r\n";
            case 7 -> head("GET", "/") + "X-A: " + "y".repeat(LARGE_HEADER_LENGTH) + "\r\n\r\n";
            case 8 ->
                head("POST", operation.withRandomIds()) + "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n";
            default -> head("GET", operation.withRandomIds() + "%" + random.nextInt(10)) + "\r\n";
        };
    }

    private String head(String method, String path) {
        return method + " " + path + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\nUser-Agent: " + UUID.randomUUID()
                + "\r\n";
    }

    private static String body(String head, String body) {
        return head + "Content-Type: application/json\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
    }
}
