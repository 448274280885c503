package dev.waybill.controlplane.engine.local.proxy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

import dev.waybill.local.storage.FreePort;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;

/** A proxy in front of an application whose connections the test accepts itself. */
final class ProxyFixture implements AutoCloseable {

    static final InetAddress HOST = InetAddress.getLoopbackAddress();
    static final int TIMEOUT_MILLIS = 120_000;

    private static final Vertx VERTX = ReverseProxy.vertx();
    private static final HttpClient CLIENT = ProxyListener.client(VERTX);

    final ServerSocket application;
    final Backend backend;
    final ProxyListener listener;
    private final int port = FreePort.find();

    ProxyFixture() throws IOException {
        application = new ServerSocket(0, 50, HOST);
        backend = new Backend(application.getLocalPort());
        listener = ProxyListener.open(VERTX, CLIENT, "127.0.0.1", port, backend, 2);
    }

    /** Returns a connection over which the text was sent. */
    Socket send(String text) throws IOException {
        Socket client = new Socket(HOST, port);
        client.setSoTimeout(TIMEOUT_MILLIS);
        write(client, text);
        return client;
    }

    static void write(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** Reads a head including its empty line, or less if the connection ends earlier. */
    static String readHead(InputStream in) throws IOException {
        return readUntil(in, "\r\n\r\n");
    }

    /** Reads the body of the request with this head. */
    static String readBody(String head, InputStream in) throws IOException {
        String lower = head.toLowerCase(Locale.ROOT);
        if (lower.contains("transfer-encoding: chunked")) {
            StringBuilder body = new StringBuilder();
            for (int size = size(in); size > 0; size = size(in)) {
                body.append(new String(in.readNBytes(size), StandardCharsets.ISO_8859_1));
                readUntil(in, "\r\n");
            }
            readUntil(in, "\r\n");
            return body.toString();
        }
        int length = lower.indexOf("content-length: ");
        return length < 0 ? ""
                : new String(in.readNBytes(Integer.parseInt(lower.substring(length + 16, lower.indexOf('\r', length)))),
                        StandardCharsets.ISO_8859_1);
    }

    private static int size(InputStream in) throws IOException {
        return Integer.parseInt(readUntil(in, "\r\n").strip(), 16);
    }

    static String readUntil(InputStream in, String end) throws IOException {
        ByteArrayOutputStream read = new ByteArrayOutputStream();
        for (int next = in.read(); next >= 0; next = in.read()) {
            read.write(next);
            if (next == end.charAt(end.length() - 1) && read.toString(StandardCharsets.ISO_8859_1).endsWith(end)) {
                break;
            }
        }
        return read.toString(StandardCharsets.ISO_8859_1);
    }

    @Override
    public void close() throws IOException {
        listener.close();
        application.close();
    }
}
