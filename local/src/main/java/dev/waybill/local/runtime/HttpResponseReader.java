package dev.waybill.local.runtime;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import dev.waybill.local.storage.Wait;

/** Reads an HTTP/1.1 response with chunks or a content length line by line, without reading ahead of the buffer. */
final class HttpResponseReader {

    private static final long READS_PER_SECOND = 4;
    private static final Duration READ_INTERVAL = Duration.ofMillis(1000 / READS_PER_SECOND);

    private final Connection connection;
    private final int status;
    private final Map<String, String> headers;
    private final boolean chunked;
    private long remaining;
    private boolean ended;

    private HttpResponseReader(Connection connection) throws IOException {
        this.connection = connection;
        this.status = Integer.parseInt(connection.line().split(" ", 3)[1]);
        this.headers = new HashMap<>();
        for (String line = connection.line(); !line.isEmpty(); line = connection.line()) {
            int colon = line.indexOf(':');
            headers.put(line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).strip());
        }
        this.chunked = header("transfer-encoding").equals("chunked");
        this.remaining = chunked ? 0 : Long.parseLong(headers.getOrDefault("content-length", "0"));
    }

    /** Reads the head of the first response of a connection. */
    static HttpResponseReader read(InputStream in) throws IOException {
        return new HttpResponseReader(new Connection(in));
    }

    /** Reads the head of the next response of the connection. This response must have been read to its end. */
    HttpResponseReader next() throws IOException {
        if (line() != null) {
            throw new IllegalStateException("the previous response has not been read to its end");
        }
        return new HttpResponseReader(connection);
    }

    int status() {
        return status;
    }

    String header(String name) {
        return headers.getOrDefault(name, "");
    }

    void setReadRate(int bytesPerSecond) {
        connection.readRate = bytesPerSecond;
    }

    /** Returns the next line without its line break, or null at the end. */
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

    /** Returns the remaining content, for error messages. */
    String rest() throws IOException {
        StringBuilder text = new StringBuilder();
        for (String line = line(); line != null; line = line()) {
            text.append(line).append('\n');
        }
        return text.toString();
    }

    private int content() throws IOException {
        if (remaining == 0 && !ended) {
            ended = !chunked || !nextChunk();
        }
        if (ended) {
            return -1;
        }
        remaining--;
        int read = connection.read();
        if (remaining == 0 && chunked) {
            connection.read();
            connection.read();
        }
        return read;
    }

    private boolean nextChunk() throws IOException {
        remaining = 0;
        for (int read = connection.read(); read != '\n'; read = connection.read()) {
            remaining = read == '\r' ? remaining : remaining * 16 + Character.digit(read, 16);
        }
        if (remaining == 0) {
            connection.read();
            connection.read();
        }
        return remaining > 0;
    }

    /** The connection and its buffer, which consecutive responses share. */
    private static final class Connection {

        private final InputStream in;
        private final byte[] buffer = new byte[4096];
        private byte[] line = new byte[512];
        private int length;
        private int position;
        private int end;
        private volatile int readRate;

        Connection(InputStream in) {
            this.in = in;
        }

        int read() throws IOException {
            if (position == end) {
                fill();
            }
            return buffer[position++] & 0xff;
        }

        private void fill() throws IOException {
            int maxBytes = buffer.length;
            if (readRate > 0) {
                maxBytes = (int) Math.clamp(readRate / READS_PER_SECOND, 1, buffer.length);
                Wait.sleep(READ_INTERVAL);
            }
            position = 0;
            end = Math.max(0, in.read(buffer, 0, maxBytes));
            if (end == 0) {
                throw new EOFException("the connection closed within a response");
            }
        }

        /** Returns the next line of a response head. */
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
                byte[] larger = new byte[length * 2];
                System.arraycopy(line, 0, larger, 0, length);
                line = larger;
            }
            line[length++] = (byte) read;
        }

        String text() {
            return new String(line, 0, length, StandardCharsets.UTF_8);
        }
    }
}
