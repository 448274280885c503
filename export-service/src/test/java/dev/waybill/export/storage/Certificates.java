package dev.waybill.export.storage;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import io.vertx.core.net.PfxOptions;

/** Creates a certificate authority and certificates with the JDK's {@code keytool}. */
final class Certificates {

    private static final String PASSWORD = "certificates";

    private final Path authority;
    private final Path store;

    Certificates() throws IOException {
        Path directory = Files.createTempDirectory(Path.of("target").toAbsolutePath(), "certificates-");
        store = directory.resolve("keys.p12");
        authority = directory.resolve("authority.pem");
        generate("authority", "-ext", "bc:critical=ca:true", "-validity", "30");
        keytool("-exportcert", "-rfc", "-alias", "authority", "-file", authority.toString());
    }

    /** Returns the authority's certificate. */
    Path authority() {
        return authority;
    }

    /** Returns a key with a self-signed certificate. */
    PfxOptions selfSigned(String host) throws IOException {
        return generate("self-signed", "-ext", "san=" + host, "-validity", "30");
    }

    /** Returns a key with a certificate of the authority for this host, valid for a week that starts in {@code from} days. */
    PfxOptions certified(String name, String host, int from) throws IOException {
        return generate(name, "-signer", "authority", "-ext", "san=" + host, "-startdate", from + "d", "-validity", "7");
    }

    private PfxOptions generate(String name, String... more) throws IOException {
        List<String> arguments = new ArrayList<>(
                List.of("-genkeypair", "-alias", name, "-keyalg", "EC", "-groupname", "secp256r1", "-dname", "CN=" + name));
        arguments.addAll(List.of(more));
        keytool(arguments.toArray(String[]::new));
        return new PfxOptions().setPath(store.toString()).setPassword(PASSWORD).setAlias(name);
    }

    private void keytool(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "keytool").toString(), "-J-XX:TieredStopAtLevel=1"));
        command.addAll(List.of(arguments));
        command.addAll(List.of("-keystore", store.toString(), "-storetype", "PKCS12", "-storepass", PASSWORD));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            if (process.waitFor() != 0) {
                throw new IOException(command + ": " + output);
            }
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }
}
