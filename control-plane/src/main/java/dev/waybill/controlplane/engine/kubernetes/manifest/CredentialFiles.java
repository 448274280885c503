package dev.waybill.controlplane.engine.kubernetes.manifest;

import java.util.Map;
import java.util.stream.Collectors;

import dev.waybill.controlplane.source.Credential;
import dev.waybill.controlplane.source.Credential.AccessToken;
import dev.waybill.controlplane.source.Credential.DeployKey;

/** The files of a repository's credential that fetch.sh reads, by name. */
final class CredentialFiles {

    /** An /etc/passwd with the container's user. */
    static final String USERS = "passwd";

    private CredentialFiles() {
    }

    /** @param runAs numeric id of the container's user */
    static Map<String, String> of(Credential credential, long runAs) {
        return switch (credential) {
            case AccessToken token -> Map.of("token", token.secret());
            case DeployKey key -> Map.of("key", key.secret().stripTrailing() + "\n", "known_hosts",
                    knownHosts(key.knownHosts()), USERS, user(runAs));
        };
    }

    /** Adds a wildcard host to lines without one; fetch.sh connects to the repository's host only. */
    private static String knownHosts(String lines) {
        return lines.lines()
                .map(line -> line.matches("(ssh|ecdsa)-\\S+\\s.*") ? "* " + line : line)
                .collect(Collectors.joining("\n", "", "\n"));
    }

    /** Returns the user's entry: ssh requires one, and the image may not have it. */
    private static String user(long runAs) {
        return "waybill:x:%1$d:%1$d::/tmp:/bin/sh\n".formatted(runAs);
    }
}
