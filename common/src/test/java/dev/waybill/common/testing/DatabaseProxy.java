package dev.waybill.common.testing;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** A proxy of a PostgreSQL server on this machine that changes what its clients or the server receive. */
public abstract class DatabaseProxy implements AutoCloseable {

    private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final int server;

    /** @param server port of the server */
    protected DatabaseProxy(int server) throws IOException {
        this.server = server;
        Thread.ofVirtual().start(this::accept);
    }

    /** Forwards what a client sends, until one side closes its connection; then closes both. */
    protected abstract void forwardStatements(Socket client, Socket target);

    /** Forwards what the server sends, until one side closes its connection; then closes both. */
    protected abstract void forwardResults(Socket target, Socket client);

    /** Returns the port of the proxy. */
    public int port() {
        return listener.getLocalPort();
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket client = listener.accept();
                Socket target = new Socket(InetAddress.getLoopbackAddress(), server);
                Thread.ofVirtual().start(() -> forwardStatements(client, target));
                Thread.ofVirtual().start(() -> forwardResults(target, client));
            } catch (IOException _) {
                // The listener is closed.
            }
        }
    }
}
