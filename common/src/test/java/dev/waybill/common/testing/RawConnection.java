package dev.waybill.common.testing;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Sends arbitrary bytes on one connection and reads all responses until the server closes it. */
public record RawConnection(URI server) {

    private static final int TIMEOUT_MILLIS = 120_000;

    /**
     * Sends the text and reads until the server closes the connection.
     *
     * @param pieceSize number of bytes per write
     */
    public List<Response> send(String text, int pieceSize) {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        try (Socket socket = new Socket(server.getHost(), server.getPort())) {
            socket.setSoTimeout(TIMEOUT_MILLIS);
            socket.setTcpNoDelay(true);
            write(socket.getOutputStream(), bytes, pieceSize);
            return Response.parse(read(socket));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void write(OutputStream out, byte[] bytes, int pieceSize) throws IOException {
        try {
            for (int at = 0; at < bytes.length; at += pieceSize) {
                out.write(bytes, at, Math.min(pieceSize, bytes.length - at));
                out.flush();
            }
        } catch (SocketException e) {
            // The server need not read further after its response.
        }
    }

    private static String read(Socket socket) throws IOException {
        ByteArrayOutputStream responses = new ByteArrayOutputStream();
        try {
            socket.getInputStream().transferTo(responses);
        } catch (SocketException e) {
            // The server closed the connection with unread bytes, after its responses.
        }
        return responses.toString(StandardCharsets.ISO_8859_1);
    }

    /** A response; names of headers are in lower case. */
    public record Response(int status, Map<String, String> headers, String body) {

        static List<Response> parse(String text) {
            List<Response> responses = new ArrayList<>();
            int at = 0;
            while (at < text.length()) {
                int headEnd = text.indexOf("\r\n\r\n", at);
                if (headEnd < 0) {
                    throw new IllegalStateException("not a response: " + text.substring(at));
                }
                String[] lines = text.substring(at, headEnd).split("\r\n");
                Map<String, String> headers = new TreeMap<>();
                for (int line = 1; line < lines.length; line++) {
                    int colon = lines[line].indexOf(':');
                    headers.put(lines[line].substring(0, colon).toLowerCase(Locale.ROOT),
                            lines[line].substring(colon + 1).strip());
                }
                int length = length(headers, text, headEnd + 4);
                responses.add(new Response(Integer.parseInt(lines[0].split(" ")[1]), headers,
                        text.substring(headEnd + 4, headEnd + 4 + length)));
                at = headEnd + 4 + length;
            }
            return responses;
        }

        private static int length(Map<String, String> headers, String text, int start) {
            if (headers.containsKey("transfer-encoding")) {
                return text.indexOf("0\r\n\r\n", start) + 5 - start;
            }
            return Integer.parseInt(headers.getOrDefault("content-length", "0"));
        }

        /** Returns the value; empty if the header is absent. */
        public String header(String name) {
            return headers.getOrDefault(name.toLowerCase(Locale.ROOT), "");
        }
    }
}
