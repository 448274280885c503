package dev.waybill.controlplane.engine.local.gate;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.Semaphore;

/** A deployment's port. It stays open while the application behind it changes. */
final class Door implements AutoCloseable {

    private static final int BACKLOG = 1024;
    private static final int MOST_CONNECTIONS = 2_048;
    // What the heap holds, whichever ports they come to.
    private static final Semaphore ALL = new Semaphore(6_000);

    private final ServerSocket server;
    private final Semaphore own = new Semaphore(MOST_CONNECTIONS);
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

    int port() {
        return server.getLocalPort();
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
                take(client);
            } catch (IOException e) {
                if (!server.isClosed()) {
                    System.err.println("a connection could not be taken: " + e.getMessage());
                    Gate.pause();
                }
            }
        }
    }

    /** One more than there may be ends at once: the others go on, and so does the gate. */
    private void take(Socket client) throws IOException {
        if (!own.tryAcquire()) {
            client.close();
            return;
        }
        if (!ALL.tryAcquire()) {
            own.release();
            client.close();
            return;
        }
        Thread.ofVirtual().start(() -> {
            try {
                new Connection(this, client).serve();
            } finally {
                ALL.release();
                own.release();
            }
        });
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
