package dev.waybill.controlplane.engine.local.gate;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/** The head of a request or an answer, kept as it came. */
final class Head {

    private static final Pattern START = Pattern.compile("HTTP/1\\.[01] [1-5][0-9]{2}( .*)?|[A-Z]+ \\S+ HTTP/1\\.[01]");
    private static final Set<String> OF_ONE_CONNECTION = Set.of("connection", "keep-alive", "proxy-connection", "upgrade",
            "http2-settings", "te");
    // These belong to the message, whatever it says.
    private static final Set<String> OF_THE_MESSAGE = Set.of("content-length", "transfer-encoding", "host");

    private final String start;
    private final List<String> lines;

    private Head(String start, List<String> lines) {
        this.start = start;
        this.lines = lines;
    }

    /** @return null at the end of the connection */
    static @Nullable Head read(Wire wire) throws IOException {
        List<String> lines = new HeadReader(wire).read();
        return lines == null ? null : checked(lines);
    }

    private static Head checked(List<String> lines) throws IOException {
        Head head = new Head(lines.getFirst(), lines.subList(1, lines.size()));
        // A head that two readers could read differently is a way past one of them.
        boolean http = START.matcher(head.start).matches();
        boolean plain = http && head.lines.stream().noneMatch(line -> line.indexOf(':') <= 0 || line.indexOf('\r') >= 0
                || line.charAt(0) <= ' ' || line.charAt(line.indexOf(':') - 1) <= ' ');
        boolean framed = plain && head.values("content-length").size() <= 1
                && (head.values("content-length").isEmpty() || head.values("transfer-encoding").isEmpty());
        if (!framed) {
            throw new IOException("not plain HTTP/1");
        }
        return head;
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

    int status() throws IOException {
        try {
            return Integer.parseInt(start.split(" ", 3)[1]);
        } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
            throw new IOException("not an answer", e);
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

    /** The bytes to send on: what concerns one connection only is replaced. */
    byte[] forwarded(boolean keepAlive) {
        Set<String> dropped = new TreeSet<>(OF_ONE_CONNECTION);
        String named = value("connection");
        if (named != null) {
            for (String name : named.split(",")) {
                dropped.add(name.strip().toLowerCase(Locale.ROOT));
            }
        }
        dropped.removeAll(OF_THE_MESSAGE);
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
