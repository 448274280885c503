package dev.waybill.local.storage;

import java.nio.file.Path;

/**
 * Where and how an S3 server runs.
 *
 * @param root the project's root, under which the build put the server's jars
 * @param directory buckets are its folders, objects their files
 * @param logFile where the server writes
 * @param port on loopback
 * @param accessKeyId the only key it accepts
 * @param secretAccessKey belonging to it
 * @param detached true leaves the server running when this JVM ends
 */
public record S3Settings(Path root, Path directory, Path logFile, int port, String accessKeyId, String secretAccessKey,
        boolean detached) {

    /** Keeps the secret out of logs. */
    @Override
    public String toString() {
        return "S3Settings[directory=" + directory + ", port=" + port + "]";
    }
}
