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
 * What a hostile client sends to a door: heads without measure, bodies that lie about their length, requests hidden in others.
 * Each is
 * refused by the server and nothing behind it, none is a fault of ours, and the next client is served.
 */
public final class HttpAttacks {

    private static final int PATIENCE_MILLIS = 120_000;
    private static final int A_HEAD = 17 << 10;

    private final URI server;

    public HttpAttacks(URI server) {
        this.server = server;
    }

    /** A request, and the statuses that may be answered; 0 stands for a connection that is closed without a word. */
    private record Attack(String name, String request, List<Integer> answers) {
    }

    /** @param path of an operation that takes a body */
    public void assertAllAreRefused(String path, String key) {
        SoftAssertions softly = new SoftAssertions();
        for (Attack attack : attacks(path, "Host: " + server.getAuthority() + "\r\nX-Api-Key: " + key + "\r\n")) {
            List<Integer> answered = send(attack.request());
            softly.assertThat(answered).as(attack.name()).isNotEmpty()
                    .allSatisfy(status -> assertThat(status).isIn(attack.answers()));
            softly.assertThat(new RawHttp(server).send("GET", "/q/health/live", Map.of(), null).status())
                    .as("alive after: " + attack.name()).isEqualTo(200);
        }
        softly.assertAll();
    }

    private static List<Attack> attacks(String path, String head) {
        String post = "POST " + path + " HTTP/1.1\r\n" + head;
        String hidden = "GET /hidden HTTP/1.1\r\n" + head + "\r\n";
        List<Attack> attacks = new ArrayList<>();
        attacks.add(new Attack("a header that is too large", get("/", head + "X-Large: " + "x".repeat(A_HEAD)), List.of(431)));
        attacks.add(new Attack("too many headers", get("/", head + "X-Many: y\r\n".repeat(A_HEAD / 8)), List.of(431)));
        attacks.add(new Attack("an address that is too long", get("/" + "x".repeat(5_000), head), List.of(414)));
        attacks.add(new Attack("a query that is too long", get("/?q=" + "x".repeat(5_000), head), List.of(414)));
        attacks.add(new Attack("a head that never ends before it is too large",
                "GET / HTTP/1.1\r\n" + "X: y\r\n".repeat(A_HEAD / 4),
                List.of(431)));
        String both = "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n";
        attacks.add(new Attack("a length and chunks", post + both + hidden,
                // Chunks count; what is behind them is a request like any other of this client.
                List.of(400, 404, 415, 422)));
        String two = "Content-Length: 0\r\nContent-Length: " + hidden.length() + "\r\n\r\n";
        attacks.add(new Attack("two lengths", post + two + hidden, List.of(400)));
        attacks.add(new Attack("a negative length", post + "Content-Length: -1\r\n\r\n", List.of(400)));
        attacks.add(new Attack("a length that is none", post + "Content-Length: 1e3\r\n\r\n", List.of(400)));
        attacks.add(new Attack("a length beyond measure", post + "Content-Length: 9223372036854775807\r\n\r\n", List.of(413)));
        attacks.add(new Attack("a length beyond numbers", post + "Content-Length: 99999999999999999999\r\n\r\n",
                List.of(400, 413)));
        String none = "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n";
        attacks.add(new Attack("a chunk whose size is none", post + none, List.of(0, 400)));
        attacks.add(new Attack("a name of a header with a space", get("/", head + "X Bad: y"), List.of(400)));
        attacks.add(new Attack("a header with a NUL", get("/", head + "X-Bad: a\0b"), List.of(400)));
        attacks.add(new Attack("no host", "GET / HTTP/1.1\r\n\r\n", List.of(400)));
        attacks.add(new Attack("no HTTP at all", "\u0016\u0003\u0001\u0002\0\u0001\0\u0001\u00fc\u0003\u0003\r\n\r\n",
                List.of(0, 400, 505)));
        attacks.add(new Attack("a version of tomorrow", "GET / HTTP/9.9\r\n" + head + "\r\n", List.of(0, 400, 501, 505)));
        attacks.add(new Attack("a proxy's request", "CONNECT example.com:443 HTTP/1.1\r\n" + head + "\r\n",
                List.of(0, 400, 404, 405, 501)));
        return attacks;
    }

    private static String get(String path, String head) {
        return "GET " + path + " HTTP/1.1\r\n" + head + (head.endsWith("\r\n") ? "\r\n" : "\r\n\r\n");
    }

    /** Every status that is answered on one connection; 0 when there is none. */
    private List<Integer> send(String request) {
        try (Socket socket = new Socket(server.getHost(), server.getPort())) {
            socket.setSoTimeout(PATIENCE_MILLIS);
            try {
                socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            } catch (SocketException e) {
                // It need not read on after its answer.
            }
            List<Integer> statuses = statuses(read(socket));
            return statuses.isEmpty() ? List.of(0) : statuses;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Says that nothing more comes once it is answered: some servers take that for a client that has left. */
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
            // Closed with something unread, after whatever was answered.
        }
        return text.toString();
    }

    private static List<Integer> statuses(String answers) {
        return answers.lines().filter(line -> line.matches("HTTP/1\\.[01] \\d{3}.*"))
                .map(line -> Integer.parseInt(line.substring(9, 12))).toList();
    }
}
