package dev.waybill.controlplane.engine.local;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;

/**
 * Who serves a deployment, as it is written down in its folder; and in that of a revision, how it served last.
 *
 * @param number of the revision
 * @param port of the deployment
 */
record Serving(UUID revision, long number, int port) {

    private static final String FILE = "serving";

    static Optional<Serving> read(Path deployment) throws IOException {
        return Places.read(deployment.resolve(FILE)).map(text -> text.split(" "))
                .map(words -> new Serving(UUID.fromString(words[0]), Long.parseLong(words[1]), Integer.parseInt(words[2])));
    }

    void write(Path deployment) throws IOException {
        Places.write(deployment.resolve(FILE), revision + " " + number + " " + port);
    }
}
