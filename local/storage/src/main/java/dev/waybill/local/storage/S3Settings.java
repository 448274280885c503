package dev.waybill.local.storage;

import java.nio.file.Path;

/**
 * The settings of an S3 server.
 *
 * @param root the project's root; the build copies the server's jars below it
 * @param directory contains a folder per bucket with a file per object
 * @param logFile receives the server's output
 * @param port on loopback
 * @param accessKeyId the only accepted access key id
 * @param secretAccessKey the secret of {@code accessKeyId}
 * @param detached true leaves the server running when this JVM ends
 */
public record S3Settings(Path root, Path directory, Path logFile, int port, String accessKeyId, String secretAccessKey,
        boolean detached) {

    /** Omits the secret. */
    @Override
    public String toString() {
        return "S3Settings[directory=" + directory + ", port=" + port + "]";
    }
}
