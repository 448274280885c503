package dev.waybill.common.testing;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/** An HTTP client without validation: sends any method, path, header and bytes. */
public record RawHttp(URI server) {

    private static final int TIMEOUT_MILLIS = 120_000;
    private static final Pattern CONTENT_LENGTH = Pattern.compile("\r\ncontent-length: *([0-9]+)\r\n",
            Pattern.CASE_INSENSITIVE);

    /** Sends the request on a new connection and reads the response. */
    public Response send(String method, String path, Map<String, String> headers, byte @Nullable [] body) {
        StringBuilder head = new StringBuilder(method + " " + path + " HTTP/1.1\r\nHost: " + server.getAuthority()
                + "\r\nConnection: close\r\n");
        headers.forEach((name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
        if (body != null) {
            head.append("Content-Length: ").append(body.length).append("\r\n");
        }
        try (Socket socket = new Socket(server.getHost(), server.getPort())) {
            socket.setSoTimeout(TIMEOUT_MILLIS);
            ByteArrayOutputStream request = new ByteArrayOutputStream();
            request.writeBytes((head + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
            if (body != null) {
                request.writeBytes(body);
            }
            try {
                socket.getOutputStream().write(request.toByteArray());
            } catch (SocketException e) {
                // The server need not read further after its response.
            }
            return Response.parse(read(socket.getInputStream()));
        } catch (IOException e) {
            throw new UncheckedIOException(method + " " + path, e);
        }
    }

    /**
     * Reads the response to its announced length or to the end of the connection. A server that closes the connection with
     * unread bytes resets it after its response.
     */
    private static byte[] read(InputStream in) throws IOException {
        ByteArrayOutputStream response = new ByteArrayOutputStream();
        byte[] buffer = new byte[8192];
        try {
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                response.write(buffer, 0, count);
                if (isWhole(response)) {
                    break;
                }
            }
        } catch (SocketException e) {
            if (response.size() == 0) {
                throw e;
            }
        }
        return response.toByteArray();
    }

    private static boolean isWhole(ByteArrayOutputStream response) {
        String text = response.toString(StandardCharsets.ISO_8859_1);
        int end = text.indexOf("\r\n\r\n");
        if (end < 0) {
            return false;
        }
        Matcher length = CONTENT_LENGTH.matcher(text.substring(0, end + 2));
        return length.find() && text.length() >= end + 4 + Long.parseLong(length.group(1));
    }

    /** A response; names of headers are in lower case. */
    public record Response(int status, Map<String, String> headers, String body) {

        static Response parse(byte[] bytes) {
            String text = new String(bytes, StandardCharsets.ISO_8859_1);
            int end = text.indexOf("\r\n\r\n");
            if (end < 0) {
                throw new IllegalStateException("not a response: " + bytes.length + " bytes: " + text);
            }
            String[] lines = text.substring(0, end).split("\r\n");
            Map<String, String> headers = new TreeMap<>();
            Arrays.stream(lines).skip(1).forEach(line -> headers.put(
                    line.substring(0, line.indexOf(':')).toLowerCase(Locale.ROOT),
                    line.substring(line.indexOf(':') + 1).strip()));
            String body = text.substring(end + 4);
            String whole = headers.containsKey("transfer-encoding") ? unchunked(body) : body;
            return new Response(Integer.parseInt(lines[0].split(" ")[1]), headers,
                    new String(whole.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8));
        }

        /** Returns the value; empty if the header is absent. */
        public String header(String name) {
            return headers.getOrDefault(name.toLowerCase(Locale.ROOT), "");
        }

        private static String unchunked(String chunks) {
            StringBuilder whole = new StringBuilder();
            int at = 0;
            while (true) {
                int lineEnd = chunks.indexOf("\r\n", at);
                int size = Integer.parseInt(chunks.substring(at, lineEnd), 16);
                if (size == 0) {
                    return whole.toString();
                }
                whole.append(chunks, lineEnd + 2, lineEnd + 2 + size);
                at = lineEnd + 2 + size + 2;
            }
        }
    }
}
