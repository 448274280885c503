package dev.waybill.local.storage;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;

/** Ports on loopback. */
public final class FreePort {

    private static final int LOWEST = 10_000;
    private static final int HIGHEST = 32_000;
    private static final int MOST_ATTEMPTS = 1_000;

    private FreePort() {
    }

    /** A port that the operating system had free a moment ago. */
    public static int find() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException("no free port on loopback", e);
        }
    }

    /** The first of so many ports in a row that were free a moment ago; none of those that the system hands out by itself. */
    public static int findRow(int count) {
        for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
            int first = ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST - count);
            if (IntStream.range(first, first + count).allMatch(FreePort::isFree)) {
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
}
