package dev.waybill.controlplane.engine.local.gate;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** A deployment's port. It stays open while the application behind it changes. */
final class Door implements AutoCloseable {

    private static final int BACKLOG = 1024;

    private final ServerSocket server;
    private volatile Backend backend;

    private Door(ServerSocket server, Backend backend) {
        this.server = server;
        this.backend = backend;
    }

    static Door open(InetAddress host, int port, Backend backend) throws IOException {
        ServerSocket server = new ServerSocket();
        try {
            server.setReuseAddress(true);
            server.bind(new InetSocketAddress(host, port), BACKLOG);
        } catch (IOException e) {
            server.close();
            throw new IOException("port " + port + " cannot be opened: " + e.getMessage(), e);
        }
        Door door = new Door(server, backend);
        Thread.ofPlatform().name("door-" + port).start(door::accept);
        return door;
    }

    void lead(Backend next) {
        backend = next;
    }

    boolean leadsTo(Backend other) {
        return backend == other;
    }

    /** Where a request goes that comes now, which counts as under way there: nobody who sees none later can have missed it. */
    Backend enter() {
        while (true) {
            Backend found = backend;
            found.enter();
            if (found == backend) {
                return found;
            }
            found.leave();
        }
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket client = server.accept();
                Thread.ofVirtual().start(() -> new Connection(this, client).serve());
            } catch (IOException e) {
                if (!server.isClosed()) {
                    System.err.println("a connection could not be taken: " + e.getMessage());
                }
            }
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
