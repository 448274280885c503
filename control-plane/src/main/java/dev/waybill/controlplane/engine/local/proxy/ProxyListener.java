package dev.waybill.controlplane.engine.local.proxy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.Semaphore;

/** Listens on a deployment's port, which stays open while the backend changes. */
final class ProxyListener implements AutoCloseable {

    private static final int BACKLOG = 1024;
    private static final int MAX_CONNECTIONS = 2_048;
    // Limit over all ports, by the memory of the heap.
    private static final Semaphore TOTAL_CONNECTIONS = new Semaphore(6_000);

    private final ServerSocket server;
    private final Semaphore connections = new Semaphore(MAX_CONNECTIONS);
    private volatile Backend backend;

    private ProxyListener(ServerSocket server, Backend backend) {
        this.server = server;
        this.backend = backend;
    }

    static ProxyListener open(InetAddress host, int port, Backend backend) throws IOException {
        ServerSocket server = new ServerSocket();
        try {
            server.setReuseAddress(true);
            server.bind(new InetSocketAddress(host, port), BACKLOG);
        } catch (IOException e) {
            server.close();
            throw new IOException("port " + port + " cannot be opened: " + e.getMessage(), e);
        }
        ProxyListener listener = new ProxyListener(server, backend);
        Thread.ofPlatform().name("proxy-listener-" + port).start(listener::accept);
        return listener;
    }

    int port() {
        return server.getLocalPort();
    }

    void routeTo(Backend next) {
        backend = next;
    }

    boolean routesTo(Backend other) {
        return backend == other;
    }

    /**
     * Returns the current backend after counting the request there; the check after counting ensures that a drained backend
     * gets no request.
     */
    Backend acquire() {
        while (true) {
            Backend found = backend;
            found.acquire();
            if (found == backend) {
                return found;
            }
            found.release();
        }
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket client = server.accept();
                handle(client);
            } catch (IOException e) {
                if (!server.isClosed()) {
                    System.err.println("a connection could not be accepted: " + e.getMessage());
                    ReverseProxy.pause();
                }
            }
        }
    }

    /** Handles the connection on a virtual thread; closes it immediately if a limit is exceeded. */
    private void handle(Socket client) throws IOException {
        if (!connections.tryAcquire()) {
            client.close();
            return;
        }
        if (!TOTAL_CONNECTIONS.tryAcquire()) {
            connections.release();
            client.close();
            return;
        }
        Thread.ofVirtual().start(() -> {
            try {
                new ClientConnection(this, client).serve();
            } finally {
                TOTAL_CONNECTIONS.release();
                connections.release();
            }
        });
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
