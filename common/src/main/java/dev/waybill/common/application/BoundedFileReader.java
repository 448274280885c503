package dev.waybill.common.application;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** Files that an application's author wrote by hand. Who deploys it reads them, too, and must not be filled by them. */
final class BoundedFileReader {

    private static final int MOST_BYTES = 1 << 20;

    private BoundedFileReader() {
    }

    /** @throws IOException also when it is larger than anybody writes */
    static byte[] read(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(MOST_BYTES + 1);
            if (bytes.length > MOST_BYTES) {
                throw new IOException("it is larger than the 1 MiB that it may have");
            }
            return bytes;
        }
    }
}
