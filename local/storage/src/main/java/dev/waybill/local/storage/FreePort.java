package dev.waybill.local.storage;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.ThreadLocalRandom;

import org.jspecify.annotations.Nullable;

/**
 * Reserves free loopback ports for this process until it ends. No other process of this user reserves the same ones, and no
 * outgoing connection uses them, because they are below the ephemeral range. A server that starts seconds later can bind them.
 */
public final class FreePort {

    private static final int MIN_PORT = 10_000;
    private static final int MAX_PORT = 32_000;
    private static final int MAX_ATTEMPTS = 100_000;

    /** Contains a byte per port, locked by the process that reserved it; the system releases the locks of an ended process. */
    private static final Path LOCK_FILE = Path.of(System.getProperty("java.io.tmpdir"),
            "waybill-ports-" + System.getProperty("user.name"));

    private static final FileChannel LOCKS = open();

    private FreePort() {
    }

    /** Reserves a port that no server listens on. */
    public static int find() {
        return findRange(1);
    }

    /** Reserves {@code count} consecutive ports and returns the first. */
    public static synchronized int findRange(int count) {
        for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
            int first = ThreadLocalRandom.current().nextInt(MIN_PORT, MAX_PORT - count);
            if (reserve(first, count)) {
                return first;
            }
        }
        throw new IllegalStateException("no " + count + " consecutive free ports on loopback");
    }

    /** Returns whether a server can bind the loopback port now. */
    public static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return true;
        } catch (IOException _) {
            return false;
        }
    }

    private static boolean reserve(int first, int count) {
        FileLock lock = lock(first, count);
        if (lock == null) {
            return false;
        }
        for (int port = first; port < first + count; port++) {
            if (!isFree(port)) {
                release(lock);
                return false;
            }
        }
        return true;
    }

    private static @Nullable FileLock lock(int first, int count) {
        try {
            return LOCKS.tryLock(first, count, false);
        } catch (OverlappingFileLockException _) {
            // This process has reserved one of them already.
            return null;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot lock ports in " + LOCK_FILE, e);
        }
    }

    private static void release(FileLock lock) {
        try {
            lock.release();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot lock ports in " + LOCK_FILE, e);
        }
    }

    private static FileChannel open() {
        try {
            return FileChannel.open(LOCK_FILE, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot lock ports in " + LOCK_FILE, e);
        }
    }
}
