package dev.waybill.controlplane.engine.local.proxy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicInteger;

/** An application's process and its number of requests in progress. */
final class Backend {

    private static final int CONNECT_MILLIS = 5_000;

    private final int port;
    private final AtomicInteger inFlight = new AtomicInteger();

    Backend(int port) {
        this.port = port;
    }

    void acquire() {
        inFlight.incrementAndGet();
    }

    void release() {
        inFlight.decrementAndGet();
    }

    int inFlight() {
        return inFlight.get();
    }

    Socket connect() throws IOException {
        Socket socket = new Socket();
        try {
            socket.setTcpNoDelay(true);
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), CONNECT_MILLIS);
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }
}
