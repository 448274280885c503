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
 * Random passwords and keys, generated on first use and stored with the stack's data.
 *
 * @param superuserPassword the password of PostgreSQL's user {@code postgres}
 * @param rolePassword the password of the services' database roles
 * @param s3AccessKeyId the access key id of the S3 server
 * @param s3SecretAccessKey the secret of {@code s3AccessKeyId}
 * @param apiKey the first API key
 * @param operatorKey the operator key of the installation
 * @param encryptionKey the key with which the services encrypt customers' secrets
 * @param signInKey the key with which the launcher creates one-time sign-in codes of the console
 */
public record Secrets(String superuserPassword, String rolePassword, String s3AccessKeyId, String s3SecretAccessKey,
        String apiKey,
        String operatorKey, String encryptionKey, String signInKey) {

    private static final SecureRandom RANDOM = new SecureRandom();

    static Secrets loadOrCreate(HomeDirectory home) {
        if (Files.exists(home.secrets())) {
            return read(home);
        }
        Secrets generated = new Secrets(text(24), text(24), "WBLOCAL" + hex(6).toUpperCase(Locale.ROOT), text(30),
                "wb_" + hex(4) + "_" + text(32), "wbop_" + text(32), Base64.getEncoder().encodeToString(bytes(32)), text(32));
        generated.write(home);
        return generated;
    }

    /** Redacted, so that secrets do not appear in logs. */
    @Override
    public String toString() {
        return "Secrets[...]";
    }

    private static Secrets read(HomeDirectory home) {
        Properties stored = new Properties();
        try (Reader in = Files.newBufferedReader(home.secrets())) {
            stored.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + home.secrets(), e);
        }
        return new Secrets(require(stored, "postgres.superuser"), require(stored, "postgres.roles"),
                require(stored, "s3.access-key-id"),
                require(stored, "s3.secret-access-key"), require(stored, "api-key"), require(stored, "operator-key"),
                // Data of earlier releases has none.
                require(stored, "encryption-key"), stored.getProperty("sign-in-key", text(32)));
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
        lines.put("sign-in-key", signInKey);
        HomeDirectory.writePrivateFile(home.secrets(), lines.entrySet().stream()
                .map(line -> line.getKey() + "=" + line.getValue() + "\n")
                .collect(Collectors.joining()));
    }

    private static String require(Properties stored, String name) {
        String value = stored.getProperty(name);
        if (value == null) {
            throw new StackException(
                    "secrets.properties lacks " + name + ": start with --fresh to delete the data and generate new secrets");
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
