package dev.waybill.controlplane.engine.local.proxy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/** The start line and headers of a request or response, unmodified. */
final class HttpHead {

    private static final Pattern REQUEST = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]{1,32} [!-~]+ HTTP/1\\.[01]");
    private static final Pattern RESPONSE = Pattern.compile("HTTP/1\\.[01] [1-5][0-9]{2}( .*)?");
    private static final String TOKEN_SYMBOLS = "!#$%&'*+-.^_`|~";
    private static final Set<String> HOP_BY_HOP = Set.of("connection", "keep-alive", "proxy-connection", "upgrade",
            "http2-settings", "te");
    // End-to-end headers, even if the header Connection names them.
    private static final Set<String> END_TO_END = Set.of("content-length", "transfer-encoding", "host");

    private final String start;
    private final List<String> lines;

    private HttpHead(String start, List<String> lines) {
        this.start = start;
        this.lines = lines;
    }

    /**
     * Reads a request's head.
     *
     * @return null at the end of the connection
     * @throws RequestException if it is malformed or ambiguous
     */
    static @Nullable HttpHead readRequest(BufferedInput input) throws IOException {
        HttpHead head = read(input);
        if (head != null) {
            head.checkRequest();
        }
        return head;
    }

    /** @return null at the end of the connection */
    static @Nullable HttpHead readResponse(BufferedInput input) throws IOException {
        HttpHead head = read(input);
        if (head != null) {
            check(RESPONSE.matcher(head.start).matches(), "The response is not valid HTTP/1.");
        }
        return head;
    }

    private static @Nullable HttpHead read(BufferedInput input) throws IOException {
        List<String> lines = new HttpHeadReader(input).read();
        if (lines == null) {
            return null;
        }
        HttpHead head = new HttpHead(lines.getFirst(), lines.subList(1, lines.size()));
        for (String line : head.lines) {
            check(isField(line), "A header is malformed; send each as name, colon, value and CR LF.");
        }
        boolean unambiguous = head.values("content-length").size() + head.values("transfer-encoding").size() <= 1;
        check(unambiguous, "Send Content-Length or Transfer-Encoding, and only once.");
        return head;
    }

    private void checkRequest() throws IOException {
        check(REQUEST.matcher(start).matches(), "The first line must be a method, a target and HTTP/1.1.");
        check(!method().equals("CONNECT"), "CONNECT is not supported.");
        int hosts = values("host").size();
        boolean http10 = start.endsWith("HTTP/1.0");
        check(hosts == 1 || (http10 && hosts == 0), "Send the header Host exactly once.");
        check(!http10 || values("transfer-encoding").isEmpty(), "HTTP/1.0 has no Transfer-Encoding.");
        BodyFraming.ofRequest(this);
    }

    private static boolean isField(String line) {
        int colon = line.indexOf(':');
        return colon > 0 && line.chars().limit(colon).allMatch(letter -> isToken((char) letter))
                && line.chars().skip(colon).allMatch(letter -> letter == '\t' || letter >= ' ' && letter != 0x7f);
    }

    /** Returns whether the character is allowed in names and methods. */
    static boolean isToken(char letter) {
        return letter >= '0' && letter <= '9' || letter >= 'a' && letter <= 'z' || letter >= 'A' && letter <= 'Z'
                || TOKEN_SYMBOLS.indexOf(letter) >= 0;
    }

    private static void check(boolean valid, String detail) throws IOException {
        if (!valid) {
            throw RequestException.malformed(detail);
        }
    }

    private List<String> values(String name) {
        return lines.stream()
                .filter(line -> line.substring(0, line.indexOf(':')).equalsIgnoreCase(name))
                .map(line -> line.substring(line.indexOf(':') + 1).strip())
                .toList();
    }

    @Nullable
    String value(String name) {
        List<String> values = values(name);
        return values.isEmpty() ? null : String.join(", ", values);
    }

    String method() {
        return start.substring(0, start.indexOf(' '));
    }

    /** Returns the target without its query. */
    String path() {
        String target = start.split(" ", 3)[1];
        int query = target.indexOf('?');
        return query < 0 ? target : target.substring(0, query);
    }

    int status() throws IOException {
        try {
            return Integer.parseInt(start.split(" ", 3)[1]);
        } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
            throw new IOException("invalid status line", e);
        }
    }

    boolean isInterim() throws IOException {
        return status() >= 100 && status() < 200 && status() != 101;
    }

    boolean keepsAlive() {
        String connection = value("connection");
        boolean close = connection != null && connection.toLowerCase(Locale.ROOT).contains("close");
        boolean keep = connection != null && connection.toLowerCase(Locale.ROOT).contains("keep-alive");
        return !close && (start.endsWith("HTTP/1.1") || keep);
    }

    /** Returns the head to forward, with hop-by-hop headers replaced. */
    byte[] forwarded(boolean keepAlive) {
        Set<String> dropped = new TreeSet<>(HOP_BY_HOP);
        String named = value("connection");
        if (named != null) {
            for (String name : named.split(",")) {
                dropped.add(name.strip().toLowerCase(Locale.ROOT));
            }
        }
        dropped.removeAll(END_TO_END);
        StringBuilder text = new StringBuilder(start).append("\r\n");
        for (String line : lines) {
            if (!dropped.contains(line.substring(0, line.indexOf(':')).toLowerCase(Locale.ROOT))) {
                text.append(line).append("\r\n");
            }
        }
        text.append(keepAlive ? "Connection: keep-alive\r\n\r\n" : "Connection: close\r\n\r\n");
        return text.toString().getBytes(StandardCharsets.ISO_8859_1);
    }
}
