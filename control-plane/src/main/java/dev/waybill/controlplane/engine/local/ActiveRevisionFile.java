package dev.waybill.controlplane.engine.local;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;

/**
 * The file {@code serving}: in a deployment's folder the active revision, in a revision's folder its last route.
 *
 * @param number the revision's number
 * @param port the deployment's port
 */
record ActiveRevisionFile(UUID revision, long number, int port) {

    private static final String FILE = "serving";

    static Optional<ActiveRevisionFile> read(Path deployment) throws IOException {
        return EnginePaths.read(deployment.resolve(FILE)).map(text -> text.split(" "))
                .map(fields -> new ActiveRevisionFile(UUID.fromString(fields[0]), Long.parseLong(fields[1]),
                        Integer.parseInt(fields[2])));
    }

    void write(Path deployment) throws IOException {
        EnginePaths.write(deployment.resolve(FILE), revision + " " + number + " " + port);
    }
}
