package dev.waybill.local.stack;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Passwords and keys, made at random the first time and kept for as long as the data they open.
 *
 * @param superuserPassword of PostgreSQL's user {@code postgres}
 * @param rolePassword of the services' database roles
 * @param s3AccessKeyId of the S3 server
 * @param s3SecretAccessKey belonging to it
 * @param apiKey the first API key
 * @param operatorKey of the one who runs the installation
 * @param encryptionKey that the services seal customers' secrets with
 */
public record Secrets(String superuserPassword, String rolePassword, String s3AccessKeyId, String s3SecretAccessKey,
        String apiKey,
        String operatorKey, String encryptionKey) {

    private static final SecureRandom RANDOM = new SecureRandom();

    static Secrets loadOrCreate(HomeDirectory home) {
        if (Files.exists(home.secrets())) {
            return read(home);
        }
        Secrets made = new Secrets(text(24), text(24), "WBLOCAL" + hex(6).toUpperCase(Locale.ROOT), text(30),
                "wb_" + hex(4) + "_" + text(32), "wbop_" + text(32), Base64.getEncoder().encodeToString(bytes(32)));
        made.write(home);
        return made;
    }

    /** Keeps them out of logs. */
    @Override
    public String toString() {
        return "Secrets[...]";
    }

    private static Secrets read(HomeDirectory home) {
        Properties kept = new Properties();
        try (Reader in = Files.newBufferedReader(home.secrets())) {
            kept.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException("could not be read: " + home.secrets(), e);
        }
        return new Secrets(require(kept, "postgres.superuser"), require(kept, "postgres.roles"),
                require(kept, "s3.access-key-id"),
                require(kept, "s3.secret-access-key"), require(kept, "api-key"), require(kept, "operator-key"),
                require(kept, "encryption-key"));
    }

    private void write(HomeDirectory home) {
        TreeMap<String, String> lines = new TreeMap<>();
        lines.put("postgres.superuser", superuserPassword);
        lines.put("postgres.roles", rolePassword);
        lines.put("s3.access-key-id", s3AccessKeyId);
        lines.put("s3.secret-access-key", s3SecretAccessKey);
        lines.put("api-key", apiKey);
        lines.put("operator-key", operatorKey);
        lines.put("encryption-key", encryptionKey);
        HomeDirectory.writePrivateFile(home.secrets(), lines.entrySet().stream()
                .map(line -> line.getKey() + "=" + line.getValue() + "\n")
                .collect(Collectors.joining()));
    }

    private static String require(Properties kept, String name) {
        String value = kept.getProperty(name);
        if (value == null) {
            throw new StackException("secrets.properties lacks " + name + ": start once with --fresh");
        }
        return value;
    }

    private static String text(int length) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes(length));
    }

    private static String hex(int length) {
        return HexFormat.of().formatHex(bytes(length));
    }

    private static byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        RANDOM.nextBytes(bytes);
        return bytes;
    }
}
