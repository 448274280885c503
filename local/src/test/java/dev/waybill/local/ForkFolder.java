package dev.waybill.local;

import java.nio.file.Path;

/** The folder of this test process: each process of the integration tests has a stack, databases and logs of its own. */
final class ForkFolder {

    private static final Path FOLDER = Path.of("target", System.getProperty("waybill.test.process", "process-1"));

    private ForkFolder() {
    }

    /** Returns a path in the folder. */
    static Path resolve(String path) {
        return FOLDER.resolve(path);
    }
}
