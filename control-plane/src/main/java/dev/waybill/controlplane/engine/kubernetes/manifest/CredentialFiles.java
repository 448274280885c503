package dev.waybill.controlplane.engine.kubernetes.manifest;

import java.util.Map;
import java.util.stream.Collectors;

import dev.waybill.controlplane.source.Credential;
import dev.waybill.controlplane.source.Credential.AccessToken;
import dev.waybill.controlplane.source.Credential.DeployKey;

/** What fetch.sh finds in the folder of a repository's credential, by the names of the files. */
final class CredentialFiles {

    /** Who the user is. */
    static final String USERS = "passwd";

    private CredentialFiles() {
    }

    /** @param runAs the number of the user who fetches */
    static Map<String, String> of(Credential credential, long runAs) {
        return switch (credential) {
            case AccessToken token -> Map.of("token", token.secret());
            case DeployKey key -> Map.of("key", key.secret().stripTrailing() + "\n", "known_hosts",
                    knownHosts(key.knownHosts()), USERS, user(runAs));
        };
    }

    /** A line without a host's name is about the repository's host, which is the only one that is spoken to. */
    private static String knownHosts(String lines) {
        return lines.lines()
                .map(line -> line.matches("(ssh|ecdsa)-\\S+\\s.*") ? "* " + line : line)
                .collect(Collectors.joining("\n", "", "\n"));
    }

    /** ssh works only for a user who has a name, and the image that fetches may know of none with this number. */
    private static String user(long runAs) {
        return "waybill:x:%1$d:%1$d::/tmp:/bin/sh\n".formatted(runAs);
    }
}
