package dev.waybill.controlplane.source.ssh;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import com.jcraft.jsch.HostKey;
import com.jcraft.jsch.HostKeyRepository;
import com.jcraft.jsch.JSch;
import com.jcraft.jsch.JSchException;
import com.jcraft.jsch.UserInfo;

import dev.waybill.common.id.Digests;
import dev.waybill.controlplane.source.SourceException;
import dev.waybill.controlplane.source.SourceException.Kind;

/**
 * The configured public keys of a host. Unknown keys are never trusted on first use; the error contains the offered
 * key, so that the user can verify it and add it to the integration.
 */
public final class KnownHosts implements HostKeyRepository {

    private static final int DEFAULT_PORT = 22;
    private static final String TYPE = "ssh-ed25519|ssh-rsa|ecdsa-sha2-nistp(?:256|384|521)";
    private static final Pattern LINE = Pattern
            .compile("(?:([^\\s@#,|][^\\s@#|]{0,1000}|\\|1\\|[^\\s|]{1,100}\\|[^\\s|]{1,100})\\s+)?(" + TYPE
                    + ")\\s+([A-Za-z0-9+/]{16,4096}={0,2})(?:\\s.*)?");

    private final String name;
    private final HostKeyRepository known;
    private @Nullable String offered;
    private boolean changedKey;

    /** @param lines in the format of OpenSSH's {@code known_hosts}; a line without a host name applies to this host */
    KnownHosts(String host, int port, String lines) throws JSchException {
        this.name = port == DEFAULT_PORT ? host : "[" + host + "]:" + port;
        JSch ssh = new JSch();
        ssh.setKnownHosts(new ByteArrayInputStream(entries(lines).stream()
                .map(line -> line.matches("(?:" + TYPE + ")\\s.*") ? name + " " + line : line)
                .collect(Collectors.joining("\n", "", "\n"))
                .getBytes(StandardCharsets.US_ASCII)));
        this.known = ssh.getHostKeyRepository();
    }

    /** Returns why the lines are not usable, to be appended to the name of their field; empty if usable. */
    public static Optional<String> validationError(String lines) {
        List<String> entries = entries(lines);
        boolean good = !entries.isEmpty() && entries.stream().allMatch(KnownHosts::isKey);
        return good ? Optional.empty()
                : Optional.of("must have lines like \"git.example.com ssh-ed25519 AAAA...\", the output format of ssh-keyscan");
    }

    private static boolean isKey(String line) {
        var parts = LINE.matcher(line);
        if (!parts.matches()) {
            return false;
        }
        try {
            return new HostKey("host", Base64.getDecoder().decode(parts.group(3))).getType().equals(parts.group(2));
        } catch (JSchException | IllegalArgumentException _) {
            return false;
        }
    }

    private static List<String> entries(String lines) {
        return lines.lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                .toList();
    }

    @Override
    public int check(String host, byte[] key) {
        int found = known.check(host, key);
        if (found != OK) {
            offered = line(key);
            changedKey = found == CHANGED;
        }
        return found;
    }

    /** Returns why the host key was rejected; empty if the host key was not the cause of the failure. */
    Optional<SourceException> rejectionReason() {
        if (offered == null) {
            return Optional.empty();
        }
        String[] words = offered.split(" ");
        String what = "it offers " + words[1] + " with the fingerprint " + fingerprint(words[2]);
        return Optional.of(new SourceException(Kind.UNREACHABLE, changedKey
                ? "The key of the host " + name + " differs from the integration's ssh_known_hosts: " + what
                        + ". If the host has a new key, update ssh_known_hosts; otherwise the connection is being intercepted."
                : "The key of the host " + name + " is not known: " + what + ". If this is the host's key, set the"
                        + " integration's ssh_known_hosts to: " + offered));
    }

    private String line(byte[] key) {
        try {
            HostKey read = new HostKey(name, key);
            return name + " " + read.getType() + " " + read.getKey();
        } catch (JSchException | RuntimeException _) {
            return name + " unknown " + Base64.getEncoder().encodeToString(key);
        }
    }

    private static String fingerprint(String key) {
        byte[] digest = Digests.sha256(Base64.getDecoder().decode(key));
        return "SHA256:" + Base64.getEncoder().withoutPadding().encodeToString(digest);
    }

    @Override
    public void add(HostKey key, UserInfo user) {
        // Keys are never learned.
    }

    @Override
    public void remove(String host, String type) {
        // Keys are never removed.
    }

    @Override
    public void remove(String host, String type, byte[] key) {
        // Keys are never removed.
    }

    @Override
    public String getKnownHostsRepositoryID() {
        return "ssh_known_hosts";
    }

    @Override
    public HostKey[] getHostKey() {
        return known.getHostKey();
    }

    @Override
    public HostKey[] getHostKey(@Nullable String host, @Nullable String type) {
        return known.getHostKey(host, type);
    }
}
