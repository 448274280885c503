package dev.waybill.controlplane.engine.local.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

/** Raw requests, each with a hidden request behind it, over one connection: only unambiguous ones are forwarded. */
class RequestSmugglingTest {

    private static final String HIDDEN = "GET /hidden HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n";
    private static final String POST = "POST /one HTTP/1.1\r\nHost: here\r\n";
    private static final String CHUNKED = POST + "Transfer-Encoding: chunked\r\n\r\n";
    private static final String LAST = "0\r\n\r\n";
    private static final Pattern RESPONSE = Pattern.compile("HTTP/1\\.1 ([0-9]{3}) ");

    /** Forwarded, as is the request behind them. */
    static final List<String> UNAMBIGUOUS = List.of(
            "GET /one HTTP/1.1\r\nHost: here\r\n\r\n",
            "\r\nGET /one HTTP/1.1\r\nHost: here\r\n\r\n",
            "GET /one?a=%20b HTTP/1.1\r\nhost:here\r\nX-Empty:\r\nX-Tab: a\tb\r\n\r\n",
            "M-SEARCH /one HTTP/1.1\r\nHost: here\r\n\r\n",
            POST + "Content-Length: 0\r\n\r\n",
            POST + "Content-Length: 5\r\n\r\nhello",
            CHUNKED + LAST,
            CHUNKED + "5\r\nhello\r\n" + LAST,
            CHUNKED + "005\r\nhello\r\n00\r\n\r\n",
            CHUNKED + "A\r\n0123456789\r\na\r\n0123456789\r\n" + LAST,
            CHUNKED + "5;a=b;c\r\nhello\r\n" + LAST,
            CHUNKED + "1;a=\"x\"\r\na\r\n" + LAST,
            CHUNKED + "1" + ";a".repeat(200) + "\r\na\r\n" + LAST,
            CHUNKED + "5\r\nhello\r\n0\r\nX-Trailer: 1\r\nX-Other: 2\r\n\r\n",
            POST + "Transfer-Encoding: CHUNKED\r\n\r\n" + LAST);

    /** Rejected, including the request behind them. */
    static final List<String> AMBIGUOUS = List.of(
            CHUNKED + "0x1\r\na\r\n" + LAST,
            CHUNKED + "-1\r\na\r\n" + LAST,
            CHUNKED + "+1\r\na\r\n" + LAST,
            CHUNKED + "\r\na\r\n" + LAST,
            CHUNKED + ";a\r\n" + LAST,
            CHUNKED + " 1\r\na\r\n" + LAST,
            CHUNKED + "1 \r\na\r\n" + LAST,
            CHUNKED + "1\na\r\n" + LAST,
            CHUNKED + "1\r\na\n" + LAST,
            CHUNKED + "1\r\nab\r\n" + LAST,
            CHUNKED + "0\n\n",
            CHUNKED + "0\r\n\n",
            CHUNKED + "0\r\r\n",
            CHUNKED + "1;a\rb\r\na\r\n" + LAST,
            CHUNKED + "1;a\nb\r\na\r\n" + LAST,
            CHUNKED + "1;a=\"\r\nX\r\n" + LAST,
            CHUNKED + "10000000000000001\r\na\r\n" + LAST,
            CHUNKED + "ffffffffffffffff\r\na\r\n" + LAST,
            CHUNKED + "g\r\na\r\n" + LAST,
            CHUNKED + "0\r\nno trailer\r\n\r\n",
            CHUNKED + "0\r\n: 1\r\n\r\n",
            CHUNKED + "0\r\nX : 1\r\n\r\n",
            CHUNKED + "0\r\n folded: 1\r\n\r\n",
            CHUNKED + "0\r\nX: a\u0000b\r\n\r\n",
            POST + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n" + LAST,
            POST + "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n" + LAST,
            POST + "Content-Length: 5\r\nContent-Length: 5\r\n\r\nhello",
            POST + "Content-Length: 5, 5\r\n\r\nhello",
            POST + "Content-Length: +5\r\n\r\nhello",
            POST + "Content-Length: 0x5\r\n\r\nhello",
            POST + "Content-Length: \r\n\r\nhello",
            POST + "Content-Length: 10000000000000001\r\n\r\nhello",
            POST + "Transfer-Encoding: chunked, identity\r\n\r\n" + LAST,
            POST + "Transfer-Encoding: identity, chunked\r\n\r\n" + LAST,
            POST + "Transfer-Encoding: chunked, chunked\r\n\r\n" + LAST,
            POST + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n" + LAST,
            POST + "Transfer-Encoding: xchunked\r\n\r\n" + LAST,
            POST + "Transfer-Encoding: \u000bchunked\r\n\r\n" + LAST,
            POST + "Transfer-Encoding: gzip\r\n\r\nx",
            POST + "Transfer-Encoding : chunked\r\n\r\n" + LAST,
            POST + "Transfer-Encoding\r\n : chunked\r\n\r\n" + LAST,
            POST + "X: 1\rTransfer-Encoding: chunked\r\n\r\n" + LAST,
            POST + "X: 1\n\r\n",
            POST + "X: a\u0000b\r\n\r\n",
            "POST /one HTTP/1.0\r\nHost: here\r\nTransfer-Encoding: chunked\r\n\r\n" + LAST,
            "POST /one HTTP/1.1\r\n\r\n",
            "POST /one HTTP/1.1\r\nHost:\r\n\r\n",
            "POST /one HTTP/1.1\r\nHost: \t\r\n\r\n",
            "POST /one HTTP/1.1\r\nHost: here\r\nHost: there\r\n\r\n",
            "G@T /one HTTP/1.1\r\nHost: here\r\n\r\n",
            "GE T /one HTTP/1.1\r\nHost: here\r\n\r\n",
            "GET  /one HTTP/1.1\r\nHost: here\r\n\r\n",
            "GET\t/one HTTP/1.1\r\nHost: here\r\n\r\n",
            "GET /o\u00e9 HTTP/1.1\r\nHost: here\r\n\r\n",
            "GET /one HTTP/1.2\r\nHost: here\r\n\r\n",
            "GET /one\r\nHost: here\r\n\r\n",
            "CONNECT here:443 HTTP/1.1\r\nHost: here\r\n\r\n",
            "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
            "\u0016\u0003\u0001\r\n\r\n");

    private ProxyFixture proxy;
    private volatile boolean respondsEarly;

    @BeforeEach
    void open() throws IOException {
        proxy = new ProxyFixture();
        // A virtual thread that waits may still accept a connection after the socket was closed.
        Thread.ofPlatform().daemon().start(this::serve);
    }

    @AfterEach
    void close() throws IOException {
        proxy.close();
    }

    @ParameterizedTest
    @FieldSource("UNAMBIGUOUS")
    void forwardsUnambiguousRequests(String request) throws IOException {
        assertThat(statuses(exchange(request + HIDDEN))).containsExactly("200", "200");
    }

    @ParameterizedTest
    @FieldSource("AMBIGUOUS")
    void rejectsAnAmbiguousRequestAndCloses(String request) throws IOException {
        String text = exchange(request + HIDDEN);

        assertThat(statuses(text)).containsExactly("400");
        assertIsProblem(text, "malformed_request");
    }

    @ParameterizedTest
    @FieldSource("AMBIGUOUS")
    void rejectsAfterAForwardedRequest(String request) throws IOException {
        String text = exchange("GET /first HTTP/1.1\r\nHost: here\r\n\r\n" + request + HIDDEN);

        assertThat(statuses(text)).containsExactly("200", "400");
    }

    @ParameterizedTest
    @FieldSource("AMBIGUOUS")
    void sendsOneResponseIfTheApplicationRespondsEarly(String request) throws IOException {
        respondsEarly = true;

        List<String> statuses = statuses(exchange(request + HIDDEN));

        assertThat(statuses).hasSizeLessThanOrEqualTo(1).isSubsetOf("200", "400");
    }

    @ParameterizedTest
    @CsvSource({ "*/*", "text/html", "garbage", "''" })
    void errorsAreProblemsForAnyAcceptHeader(String accept) throws IOException {
        proxy.application.close();

        String text = exchange("GET /a%22b HTTP/1.1\r\nHost: here\r\nConnection: close\r\nAccept: " + accept + "\r\n\r\n");

        assertThat(text).contains("\r\nRetry-After: 2\r\n");
        assertThat(assertIsProblem(text, "unavailable").path("instance").textValue()).isEqualTo("/a%22b");
    }

    @ParameterizedTest
    @CsvSource({ "300, 10, 431", "1, 70000, 431" })
    void rejectsLargeHeads(int headers, int letters, String status) throws IOException {
        String text = exchange("GET /one HTTP/1.1\r\nHost: here\r\n" + ("a: " + "x".repeat(letters) + "\r\n").repeat(headers)
                + "\r\n" + HIDDEN);

        assertThat(statuses(text)).containsExactly(status);
        assertIsProblem(text, "malformed_request");
    }

    private static JsonNode assertIsProblem(String text, String slug) throws IOException {
        assertThat(text).containsIgnoringCase("\r\nContent-Type: application/problem+json\r\n")
                .containsIgnoringCase("\r\nConnection: close\r\n");
        JsonNode problem = new ObjectMapper().readTree(text.substring(text.indexOf("\r\n\r\n") + 4));
        assertThat(problem.path("type").textValue()).isEqualTo("urn:waybill:problem:" + slug);
        assertThat(text).contains("\r\nX-Request-Id: " + problem.path("request_id").textValue() + "\r\n")
                .startsWith("HTTP/1.1 " + problem.path("status").intValue() + " ");
        assertThat(problem.path("title").textValue()).isNotBlank();
        assertThat(problem.path("detail").textValue()).isNotBlank();
        return problem;
    }

    /** Returns all output until the proxy closes the connection. */
    private String exchange(String requests) throws IOException {
        try (Socket client = proxy.send(requests)) {
            return text(client.getInputStream());
        }
    }

    private static String text(InputStream in) {
        StringBuilder text = new StringBuilder();
        try {
            for (int next = in.read(); next >= 0; next = in.read()) {
                text.append((char) next);
            }
        } catch (IOException _) {
            // The connection was reset.
        }
        return text.toString();
    }

    private static List<String> statuses(String text) {
        List<String> found = new ArrayList<>();
        Matcher responses = RESPONSE.matcher(text);
        while (responses.find()) {
            found.add(responses.group(1));
        }
        return found;
    }

    private void serve() {
        while (!proxy.application.isClosed()) {
            try {
                Socket there = proxy.application.accept();
                Thread.ofVirtual().start(() -> respond(there));
            } catch (IOException _) {
                return;
            }
        }
    }

    private void respond(Socket there) {
        try (there) {
            InputStream in = there.getInputStream();
            String head = ProxyFixture.readHead(in);
            if (!respondsEarly) {
                ProxyFixture.readBody(head, in);
            }
            ProxyFixture.write(there, "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok");
            in.transferTo(OutputStream.nullOutputStream());
        } catch (IOException | NumberFormatException _) {
            // The proxy aborted the request.
        }
    }
}
