package dev.waybill.common.application;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;

/** Paths that an application's author wrote. */
final class InnerPath {

    private InnerPath() {
    }

    /** Where it leads; empty when that is outside the directory, or nowhere at all. */
    static Optional<Path> of(Path directory, String text) {
        try {
            return Optional.of(directory.resolve(text).normalize()).filter(path -> path.startsWith(directory));
        } catch (InvalidPathException e) {
            return Optional.empty();
        }
    }
}
