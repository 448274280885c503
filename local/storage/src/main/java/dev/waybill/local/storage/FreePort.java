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
 * Ports on loopback that nobody else is given: neither another caller, of this or any process of this user, until this one
 * ends,
 * nor a connection, for they are below those that the system hands out by itself. Between looking and listening lie seconds, in
 * which a port that the system had free is soon somebody's.
 */
public final class FreePort {

    private static final int LOWEST = 10_000;
    private static final int HIGHEST = 32_000;
    private static final int MOST_ATTEMPTS = 100_000;

    /** A byte for each port, locked by the process that was given it; the system unlocks it when that ends, however it does. */
    private static final Path GIVEN = Path.of(System.getProperty("java.io.tmpdir"),
            "waybill-ports-" + System.getProperty("user.name"));

    private static final FileChannel LOCKS = open();

    private FreePort() {
    }

    /** A port that nothing listens on. */
    public static int find() {
        return findRange(1);
    }

    /** The first of so many ports in a row. */
    public static synchronized int findRange(int count) {
        for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
            int first = ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST - count);
            if (take(first, count)) {
                return first;
            }
        }
        throw new IllegalStateException("no " + count + " free ports in a row on loopback");
    }

    /** Whether a server could listen there now. */
    public static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return true;
        } catch (IOException _) {
            return false;
        }
    }

    private static boolean take(int first, int count) {
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
            // Given away in this process already.
            return null;
        } catch (IOException e) {
            throw new UncheckedIOException("ports cannot be noted in " + GIVEN, e);
        }
    }

    private static void release(FileLock lock) {
        try {
            lock.release();
        } catch (IOException e) {
            throw new UncheckedIOException("ports cannot be noted in " + GIVEN, e);
        }
    }

    private static FileChannel open() {
        try {
            return FileChannel.open(GIVEN, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        } catch (IOException e) {
            throw new UncheckedIOException("ports cannot be noted in " + GIVEN, e);
        }
    }
}
