package dev.waybill.local;

import java.nio.file.Path;

/** Folder below {@code target} for the files of one of the processes that run tests at the same time. */
final class ForkFolder {

    private static final Path FOLDER = Path.of("target", "fork-" + System.getProperty("surefire.forkNumber", "1"));

    private ForkFolder() {
    }

    static Path resolve(String name) {
        return FOLDER.resolve(name);
    }
}
