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
 * Allocates a port to each application of this machine. The port stays allocated until the revision's folder is removed, also
 * while the application is not running; otherwise requests to a crashed application could reach another one, perhaps of another
 * workspace.
 */
final class PortAllocator {

    private static final String FILE = "port";
    private static final int MAX_ATTEMPTS = 10_000;

    private final EnginePaths paths;
    private final FreePortFinder free;

    PortAllocator(EnginePaths paths) {
        this(paths, PortAllocator::free);
    }

    PortAllocator(EnginePaths paths, FreePortFinder free) {
        this.paths = paths;
        this.free = free;
    }

    /** Returns the port of the revision's application. */
    static Optional<Integer> of(Path revision) throws IOException {
        return EnginePaths.read(revision.resolve(FILE)).map(Integer::valueOf);
    }

    /** Allocates a free port and stores it. */
    int allocate(Path revision) throws IOException, InterruptedException {
        return InterProcessLock.withLock(paths.root().resolve("ports.lock"), () -> {
            Set<Integer> allocated = allocatedToOthers(revision);
            for (int i = 0; i < MAX_ATTEMPTS; i++) {
                int port = free.port();
                if (!allocated.contains(port)) {
                    EnginePaths.write(revision.resolve(FILE), Integer.toString(port));
                    return port;
                }
            }
            throw new IOException("no free port was found");
        });
    }

    private Set<Integer> allocatedToOthers(Path revision) throws IOException {
        Set<Integer> ports = new HashSet<>();
        for (UUID deployment : paths.deployments()) {
            for (UUID other : paths.revisions(deployment)) {
                Path folder = paths.revision(deployment, other);
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

    /** Finds a port on which no process listens. */
    @FunctionalInterface
    interface FreePortFinder {

        int port() throws IOException;
    }
}
