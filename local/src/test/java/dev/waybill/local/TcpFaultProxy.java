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

/** A TCP proxy that injects network faults between a service and a server. */
final class TcpFaultProxy implements AutoCloseable {

    private static final long NEVER = Long.MAX_VALUE;

    private final ServerSocket listener;
    private final int target;
    private final AtomicLong resetAfter = new AtomicLong(NEVER);
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition healed = lock.newCondition();
    private boolean blocked;

    private TcpFaultProxy(ServerSocket listener, int target) {
        this.listener = listener;
        this.target = target;
    }

    static TcpFaultProxy start(int target) {
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

    /** Resets the first connection that has transferred more than {@code bytes} from the server. */
    void resetOnceAfter(long bytes) {
        resetAfter.set(bytes);
    }

    /** Returns whether the reset is still pending. */
    boolean isResetPending() {
        return resetAfter.get() != NEVER;
    }

    /** Blocks all data; connections stay open and new ones are accepted. */
    void blackHole() {
        setBlocked(true);
    }

    /** Unblocks the data. */
    void heal() {
        setBlocked(false);
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
                // The listener is closed.
            }
        }
    }

    private void connect(Socket client) throws IOException {
        try {
            Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
            Thread.ofVirtual().start(() -> forward(client, server, false));
            Thread.ofVirtual().start(() -> forward(server, client, true));
        } catch (IOException _) {
            // Without the server, the proxy rejects the connection.
            client.close();
        }
    }

    private void forward(Socket from, Socket to, boolean counts) {
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
            // Closing both sockets reports the failure to both sides.
        }
    }

    private void awaitHealed() {
        lock.lock();
        try {
            while (blocked) {
                healed.awaitUninterruptibly();
            }
        } finally {
            lock.unlock();
        }
    }

    private void setBlocked(boolean value) {
        lock.lock();
        try {
            blocked = value;
            healed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
