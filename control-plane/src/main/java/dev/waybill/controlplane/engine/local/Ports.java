package dev.waybill.controlplane.engine.local;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Which application listens where on this machine. A port belongs to one until its folder is gone, also while it is not
 * running: else requests to one that has just crashed could reach another, perhaps of another workspace, that was given its
 * port.
 */
final class Ports {

    private static final String FILE = "port";
    private static final int MOST_TRIES = 10_000;

    private final Places places;
    private final Free free;

    Ports(Places places) {
        this(places, Ports::free);
    }

    Ports(Places places, Free free) {
        this.places = places;
        this.free = free;
    }

    /** Where the application in the folder was started last. */
    static Optional<Integer> of(Path revision) throws IOException {
        return Places.read(revision.resolve(FILE)).map(Integer::valueOf);
    }

    /** One that is free and nobody else's, written down. */
    int choose(Path revision) throws IOException, InterruptedException {
        return MachineLock.hold(places.root().resolve("ports.lock"), () -> {
            Set<Integer> taken = others(revision);
            for (int i = 0; i < MOST_TRIES; i++) {
                int port = free.port();
                if (!taken.contains(port)) {
                    Places.write(revision.resolve(FILE), Integer.toString(port));
                    return port;
                }
            }
            throw new IOException("no port is free");
        });
    }

    private Set<Integer> others(Path revision) throws IOException {
        Set<Integer> ports = new HashSet<>();
        for (UUID deployment : places.deployments()) {
            for (UUID other : places.revisions(deployment)) {
                Path folder = places.revision(deployment, other);
                if (!folder.equals(revision)) {
                    of(folder).ifPresent(ports::add);
                }
            }
        }
        return ports;
    }

    private static int free() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /** Finds a port that nothing listens at now. */
    @FunctionalInterface
    interface Free {

        int port() throws IOException;
    }
}
