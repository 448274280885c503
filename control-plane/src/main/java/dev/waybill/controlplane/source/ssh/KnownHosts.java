package dev.waybill.controlplane.source.ssh;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
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

import dev.waybill.controlplane.source.SourceException;
import dev.waybill.controlplane.source.SourceException.Kind;

/**
 * The keys that a host may show. None is ever learned by meeting it: whoever answers first is not therefore the host. What
 * was offered instead is told, so that its owner can compare it and give it.
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
    private boolean contradicts;

    /** @param lines as in OpenSSH's {@code known_hosts}; a line without a host's name is about this one */
    KnownHosts(String host, int port, String lines) throws JSchException {
        this.name = port == DEFAULT_PORT ? host : "[" + host + "]:" + port;
        JSch ssh = new JSch();
        ssh.setKnownHosts(new ByteArrayInputStream(entries(lines).stream()
                .map(line -> line.matches("(?:" + TYPE + ")\\s.*") ? name + " " + line : line)
                .collect(Collectors.joining("\n", "", "\n"))
                .getBytes(StandardCharsets.US_ASCII)));
        this.known = ssh.getHostKeyRepository();
    }

    /** What is wrong with the lines, to be put behind the name of their field; empty when they can be used. */
    public static Optional<String> refusal(String lines) {
        List<String> entries = entries(lines);
        boolean good = !entries.isEmpty() && entries.stream().allMatch(KnownHosts::isKey);
        return good ? Optional.empty()
                : Optional.of("must have lines like \"git.example.com ssh-ed25519 AAAA...\", as ssh-keyscan prints them");
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
            contradicts = found == CHANGED;
        }
        return found;
    }

    /** Why the host was not believed; empty when that is not what went wrong. */
    Optional<SourceException> disbelief() {
        if (offered == null) {
            return Optional.empty();
        }
        String[] words = offered.split(" ");
        String what = "it offers " + words[1] + " with the fingerprint " + fingerprint(words[2]);
        return Optional.of(new SourceException(Kind.UNREACHABLE, contradicts
                ? "The host " + name + " is not the one that the integration knows: " + what + ". If the host has a new key,"
                        + " give it to the integration as ssh_known_hosts; if not, somebody stands in between."
                : "The key of the host " + name + " is not known: " + what + ". If that is the host's own, give the"
                        + " integration this as ssh_known_hosts: " + offered));
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
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(Base64.getDecoder().decode(key));
            return "SHA256:" + Base64.getEncoder().withoutPadding().encodeToString(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    @Override
    public void add(HostKey key, UserInfo user) {
        // Nothing is learned.
    }

    @Override
    public void remove(String host, String type) {
        // Nothing is forgotten.
    }

    @Override
    public void remove(String host, String type, byte[] key) {
        // Nothing is forgotten.
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
