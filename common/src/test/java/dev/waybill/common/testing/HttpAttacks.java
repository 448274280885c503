package dev.waybill.common.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.assertj.core.api.SoftAssertions;

/**
 * Sends requests of hostile clients: oversized heads, bodies with a wrong length, requests hidden in others. Asserts that the
 * server rejects each without an internal error and continues to serve other clients.
 */
public final class HttpAttacks {

    private static final int TIMEOUT_MILLIS = 120_000;
    private static final int MAX_HEAD = 17 << 10;

    private final URI server;

    public HttpAttacks(URI server) {
        this.server = server;
    }

    /** A request and the allowed statuses; 0 stands for a connection that is closed without a response. */
    private record Attack(String name, String request, List<Integer> statuses) {
    }

    /** @param path path of an operation with a body */
    public void assertAllRejected(String path, String key) {
        SoftAssertions softly = new SoftAssertions();
        for (Attack attack : attacks(path, "Host: " + server.getAuthority() + "\r\nX-Api-Key: " + key + "\r\n")) {
            List<Integer> received = send(attack.request());
            softly.assertThat(received).as(attack.name()).isNotEmpty()
                    .allSatisfy(status -> assertThat(status).isIn(attack.statuses()));
            softly.assertThat(new RawHttp(server).send("GET", "/q/health/live", Map.of(), null).status())
                    .as("alive after: " + attack.name()).isEqualTo(200);
        }
        softly.assertAll();
    }

    private static List<Attack> attacks(String path, String head) {
        String post = "POST " + path + " HTTP/1.1\r\n" + head;
        String hidden = "GET /hidden HTTP/1.1\r\n" + head + "\r\n";
        List<Attack> attacks = new ArrayList<>();
        attacks.add(
                new Attack("a header that is too large", get("/", head + "X-Large: " + "x".repeat(MAX_HEAD)), List.of(431)));
        attacks.add(new Attack("too many headers", get("/", head + "X-Many: y\r\n".repeat(MAX_HEAD / 8)), List.of(431)));
        attacks.add(new Attack("an address that is too long", get("/" + "x".repeat(5_000), head), List.of(414)));
        attacks.add(new Attack("a query that is too long", get("/?q=" + "x".repeat(5_000), head), List.of(414)));
        attacks.add(new Attack("a head that exceeds the limit before it ends",
                "GET / HTTP/1.1\r\n" + "X: y\r\n".repeat(MAX_HEAD / 4),
                List.of(431)));
        String both = "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n";
        attacks.add(new Attack("a length and chunks", post + both + hidden,
                // Chunks take precedence; the bytes after them are another request of this client.
                List.of(400, 404, 415, 422)));
        String two = "Content-Length: 0\r\nContent-Length: " + hidden.length() + "\r\n\r\n";
        attacks.add(new Attack("two lengths", post + two + hidden, List.of(400)));
        attacks.add(new Attack("a negative length", post + "Content-Length: -1\r\n\r\n", List.of(400)));
        attacks.add(new Attack("a length that is not a number", post + "Content-Length: 1e3\r\n\r\n", List.of(400)));
        attacks.add(
                new Attack("a length beyond the limit", post + "Content-Length: 9223372036854775807\r\n\r\n", List.of(413)));
        attacks.add(new Attack("a length beyond the number range", post + "Content-Length: 99999999999999999999\r\n\r\n",
                List.of(400, 413)));
        String none = "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n";
        attacks.add(new Attack("a chunk with an invalid size", post + none, List.of(0, 400)));
        attacks.add(new Attack("a name of a header with a space", get("/", head + "X Bad: y"), List.of(400)));
        attacks.add(new Attack("a header with a NUL", get("/", head + "X-Bad: a\0b"), List.of(400)));
        attacks.add(new Attack("no host", "GET / HTTP/1.1\r\n\r\n", List.of(400)));
        attacks.add(new Attack("an empty host", "GET / HTTP/1.1\r\nHost: \r\n\r\n", List.of(400)));
        attacks.add(new Attack("not HTTP", "\u0016\u0003\u0001\u0002\0\u0001\0\u0001\u00fc\u0003\u0003\r\n\r\n",
                List.of(0, 400, 505)));
        attacks.add(new Attack("an unknown version", "GET / HTTP/9.9\r\n" + head + "\r\n", List.of(0, 400, 501, 505)));
        attacks.add(new Attack("a request to a proxy", "CONNECT example.com:443 HTTP/1.1\r\n" + head + "\r\n",
                List.of(0, 400, 404, 405, 501)));
        return attacks;
    }

    private static String get(String path, String head) {
        return "GET " + path + " HTTP/1.1\r\n" + head + (head.endsWith("\r\n") ? "\r\n" : "\r\n\r\n");
    }

    /** Returns every status received on one connection; 0 if there is none. */
    private List<Integer> send(String request) {
        try (Socket socket = new Socket(server.getHost(), server.getPort())) {
            socket.setSoTimeout(TIMEOUT_MILLIS);
            try {
                socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            } catch (SocketException e) {
                // The server need not read further after its response.
            }
            List<Integer> statuses = statuses(read(socket));
            return statuses.isEmpty() ? List.of(0) : statuses;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Half-closes the connection only after the first response, because some servers treat it as a disconnect. */
    private static String read(Socket socket) throws IOException {
        StringBuilder text = new StringBuilder();
        byte[] buffer = new byte[8192];
        try {
            for (int length = socket.getInputStream().read(buffer); length >= 0; length = socket.getInputStream()
                    .read(buffer)) {
                text.append(new String(buffer, 0, length, StandardCharsets.ISO_8859_1));
                if (!socket.isOutputShutdown() && text.indexOf("\r\n\r\n") >= 0) {
                    socket.shutdownOutput();
                }
            }
        } catch (SocketException e) {
            // The server closed the connection with unread bytes, after its responses.
        }
        return text.toString();
    }

    private static List<Integer> statuses(String statuses) {
        return statuses.lines().filter(line -> line.matches("HTTP/1\\.[01] \\d{3}.*"))
                .map(line -> Integer.parseInt(line.substring(9, 12))).toList();
    }
}
