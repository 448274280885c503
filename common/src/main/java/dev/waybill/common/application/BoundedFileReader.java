package dev.waybill.common.application;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Reads files of an application up to 1 MiB, so that an untrusted application cannot exhaust the memory of the service that
 * deploys it.
 */
final class BoundedFileReader {

    private static final int MAX_BYTES = 1 << 20;

    private BoundedFileReader() {
    }

    /** @throws IOException also if the file is larger than 1 MiB */
    static byte[] read(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(MAX_BYTES + 1);
            if (bytes.length > MAX_BYTES) {
                throw new IOException("it is larger than 1 MiB");
            }
            return bytes;
        }
    }
}
