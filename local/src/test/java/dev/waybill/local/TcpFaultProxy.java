package dev.waybill.local;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Stands between a service and a server and lets the network between them go wrong. Otherwise everything passes. */
final class TcpFaultProxy implements AutoCloseable {

    private static final long NEVER = Long.MAX_VALUE;

    private final ServerSocket listener;
    private final int target;
    private final AtomicLong resetAfter = new AtomicLong(NEVER);
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition healed = lock.newCondition();
    private boolean swallows;

    private TcpFaultProxy(ServerSocket listener, int target) {
        this.listener = listener;
        this.target = target;
    }

    static TcpFaultProxy before(int target) {
        try {
            TcpFaultProxy proxy = new TcpFaultProxy(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), target);
            Thread.ofVirtual().start(proxy::accept);
            return proxy;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    int port() {
        return listener.getLocalPort();
    }

    /** The first connection that has brought so many bytes from the server is reset; then everything passes again. */
    void resetOnceAfter(long bytes) {
        resetAfter.set(bytes);
    }

    /** Whether that has not happened yet. */
    boolean waitsToReset() {
        return resetAfter.get() != NEVER;
    }

    /** Connections stay open and new ones are taken, but nothing comes through any more. */
    void blackHole() {
        setSwallows(true);
    }

    /** What was held back comes through. */
    void heal() {
        setSwallows(false);
    }

    @Override
    public void close() throws IOException {
        listener.close();
        heal();
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                connect(listener.accept());
            } catch (IOException _) {
                // It is closed.
            }
        }
    }

    private void connect(Socket client) throws IOException {
        try {
            Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
            Thread.ofVirtual().start(() -> pump(client, server, false));
            Thread.ofVirtual().start(() -> pump(server, client, true));
        } catch (IOException _) {
            // The server is away: nobody can connect here either.
            client.close();
        }
    }

    private void pump(Socket from, Socket to, boolean counts) {
        byte[] bytes = new byte[16 * 1024];
        long passed = 0;
        try (from; to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int read = in.read(bytes); read >= 0; read = in.read(bytes)) {
                awaitHealed();
                passed += read;
                long limit = resetAfter.get();
                if (counts && passed > limit && resetAfter.compareAndSet(limit, NEVER)) {
                    to.setSoLinger(true, 0);
                    return;
                }
                out.write(bytes, 0, read);
            }
        } catch (IOException _) {
            // One side has gone, and takes the other along.
        }
    }

    private void awaitHealed() {
        lock.lock();
        try {
            while (swallows) {
                healed.awaitUninterruptibly();
            }
        } finally {
            lock.unlock();
        }
    }

    private void setSwallows(boolean value) {
        lock.lock();
        try {
            swallows = value;
            healed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
