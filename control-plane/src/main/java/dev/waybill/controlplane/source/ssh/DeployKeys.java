package dev.waybill.controlplane.source.ssh;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

import com.jcraft.jsch.JSch;
import com.jcraft.jsch.JSchException;
import com.jcraft.jsch.KeyPair;

import dev.waybill.controlplane.source.SourceException;

/** Validates and loads private keys for ssh. */
public final class DeployKeys {

    private static final byte[] NO_PASSPHRASE = {};

    private DeployKeys() {
    }

    /** Returns why the key is not usable, to be appended to the name of its field; empty if usable. */
    public static Optional<String> validationError(String key) {
        try {
            KeyPair read = read(key);
            return read.isEncrypted()
                    ? Optional.of("must not have a passphrase; create a key for this integration"
                            + " (ssh-keygen -t ed25519 -N '')")
                    : Optional.empty();
        } catch (JSchException | RuntimeException _) {
            // JSch's message can contain parts of the key.
            return Optional.of("must be a complete private key in OpenSSH or PEM format (ed25519, ecdsa or rsa), including"
                    + " its first and last line");
        }
    }

    private static KeyPair read(String key) throws JSchException {
        KeyPair read = KeyPair.load(new JSch(), bytes(key), null);
        boolean known = switch (read.getKeyType()) {
            case KeyPair.RSA, KeyPair.ECDSA, KeyPair.ED25519 -> true;
            default -> false;
        };
        if (!known) {
            throw new JSchException("unsupported key type");
        }
        return read;
    }

    /** Adds the key to the ssh client. */
    static void add(JSch ssh, String key) throws JSchException {
        validationError(key).ifPresent(wrong -> {
            throw new SourceException(SourceException.Kind.UNREACHABLE, "The integration's deploy_key " + wrong + ".");
        });
        ssh.addIdentity("deploy_key", bytes(key), null, NO_PASSPHRASE);
    }

    // Pasted keys can have CRLF line ends and no trailing line end.
    private static byte[] bytes(String key) {
        return (key.strip().replace("\r\n", "\n") + "\n").getBytes(StandardCharsets.US_ASCII);
    }
}
