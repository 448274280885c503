package dev.waybill.export.storage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** An authority and what it certifies, made with the platform's own {@code keytool}. */
final class Certificates {

    static final String PASSWORD = "certificates";

    private final Path directory;
    private final Path authority;

    Certificates() throws IOException {
        directory = Files.createTempDirectory(Path.of("target").toAbsolutePath(), "certificates-");
        authority = generate("authority", "-ext", "bc:critical=ca:true");
    }

    /** The authority's certificate. */
    Path authority() throws IOException {
        Path file = directory.resolve("authority.pem");
        keytool(authority, "-exportcert", "-rfc", "-alias", "authority", "-file", file.toString());
        return file;
    }

    /** A key whose certificate nobody vouches for. */
    Path selfSigned(String host) throws IOException {
        return generate("self-signed", "-ext", "san=" + host);
    }

    /** A key that the authority certifies for this host, from {@code from} days from now on, for a week. */
    Path certified(String name, String host, int from) throws IOException {
        Path store = generate(name);
        Path request = directory.resolve(name + ".csr");
        Path answer = directory.resolve(name + ".pem");
        keytool(store, "-certreq", "-alias", name, "-file", request.toString());
        keytool(authority, "-gencert", "-rfc", "-alias", "authority", "-infile", request.toString(), "-outfile",
                answer.toString(), "-ext", "san=" + host, "-startdate", from + "d", "-validity", "7");
        keytool(store, "-importcert", "-noprompt", "-alias", "authority", "-file", authority().toString());
        keytool(store, "-importcert", "-noprompt", "-alias", name, "-file", answer.toString());
        return store;
    }

    private Path generate(String name, String... more) throws IOException {
        Path store = directory.resolve(name + ".p12");
        List<String> arguments = new ArrayList<>(List.of("-genkeypair", "-alias", name, "-keyalg", "EC", "-groupname",
                "secp256r1", "-dname", "CN=" + name, "-validity", "30"));
        arguments.addAll(List.of(more));
        keytool(store, arguments.toArray(String[]::new));
        return store;
    }

    private static void keytool(Path store, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "keytool").toString(), "-J-XX:TieredStopAtLevel=1"));
        command.addAll(List.of(arguments));
        command.addAll(List.of("-keystore", store.toString(), "-storetype", "PKCS12", "-storepass", PASSWORD));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        try {
            if (process.waitFor() != 0) {
                throw new IOException(command + ": " + said);
            }
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }
}
