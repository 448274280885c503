package dev.waybill.local.runtime;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/** An answer of HTTP/1.1 in chunks or of a known length, line by line. It reads no further than it is asked to. */
final class HttpAnswer {

    private static final long PACES_PER_SECOND = 4;

    private final Connection connection;
    private final int status;
    private final Map<String, String> headers;
    private final boolean chunked;
    private long left;
    private boolean over;

    private HttpAnswer(Connection connection) throws IOException {
        this.connection = connection;
        this.status = Integer.parseInt(connection.line().split(" ", 3)[1]);
        this.headers = new HashMap<>();
        for (String line = connection.line(); !line.isEmpty(); line = connection.line()) {
            int colon = line.indexOf(':');
            headers.put(line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).strip());
        }
        this.chunked = header("transfer-encoding").equals("chunked");
        this.left = chunked ? 0 : Long.parseLong(headers.getOrDefault("content-length", "0"));
    }

    /** The first answer of a connection. */
    static HttpAnswer read(InputStream in) throws IOException {
        return new HttpAnswer(new Connection(in));
    }

    /** The answer to the next request on the same connection; this one has to be read whole. */
    HttpAnswer next() throws IOException {
        if (line() != null) {
            throw new IllegalStateException("there is more of the last answer");
        }
        return new HttpAnswer(connection);
    }

    int status() {
        return status;
    }

    String header(String name) {
        return headers.getOrDefault(name, "");
    }

    void pace(int bytesPerSecond) {
        connection.pace = bytesPerSecond;
    }

    /** @return the next line, without its end; null when there is none */
    @Nullable
    String line() throws IOException {
        connection.length = 0;
        for (int read = content(); read >= 0; read = content()) {
            if (read == '\n') {
                return connection.text();
            }
            connection.append(read);
        }
        return connection.length == 0 ? null : connection.text();
    }

    /** What is left, for somebody who wants to know why. */
    String rest() throws IOException {
        StringBuilder text = new StringBuilder();
        for (String line = line(); line != null; line = line()) {
            text.append(line).append('\n');
        }
        return text.toString();
    }

    private int content() throws IOException {
        if (left == 0 && !over) {
            over = !chunked || !nextChunk();
        }
        if (over) {
            return -1;
        }
        left--;
        int read = connection.read();
        if (left == 0 && chunked) {
            connection.read();
            connection.read();
        }
        return read;
    }

    private boolean nextChunk() throws IOException {
        left = 0;
        for (int read = connection.read(); read != '\n'; read = connection.read()) {
            left = read == '\r' ? left : left * 16 + Character.digit(read, 16);
        }
        if (left == 0) {
            connection.read();
            connection.read();
        }
        return left > 0;
    }

    /** What answers of one connection share. */
    private static final class Connection {

        private final InputStream in;
        private final byte[] buffer = new byte[4096];
        private byte[] line = new byte[512];
        private int length;
        private int at;
        private int end;
        private volatile int pace;

        Connection(InputStream in) {
            this.in = in;
        }

        int read() throws IOException {
            if (at == end) {
                fill();
            }
            return buffer[at++] & 0xff;
        }

        private void fill() throws IOException {
            int wanted = buffer.length;
            if (pace > 0) {
                wanted = (int) Math.clamp(pace / PACES_PER_SECOND, 1, buffer.length);
                rest();
            }
            at = 0;
            end = Math.max(0, in.read(buffer, 0, wanted));
            if (end == 0) {
                throw new EOFException("the connection was closed in the middle of an answer");
            }
        }

        private static void rest() {
            try {
                Thread.sleep(1000 / PACES_PER_SECOND);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted", e);
            }
        }

        /** @return the next line of a head */
        String line() throws IOException {
            length = 0;
            for (int read = read(); read != '\n'; read = read()) {
                if (read != '\r') {
                    append(read);
                }
            }
            return text();
        }

        void append(int read) {
            if (length == line.length) {
                byte[] more = new byte[length * 2];
                System.arraycopy(line, 0, more, 0, length);
                line = more;
            }
            line[length++] = (byte) read;
        }

        String text() {
            return new String(line, 0, length, StandardCharsets.UTF_8);
        }
    }
}
