package dev.waybill.controlplane.source;

/** Credential for a repository; redacted in {@code toString}. */
public sealed interface Credential {

    /** Returns the secret, for authentication and for its redaction in logs. */
    String secret();

    /** Credential for https: the password of an arbitrary user name. */
    record AccessToken(String secret) implements Credential {

        @Override
        public String toString() {
            return "AccessToken[redacted]";
        }
    }

    /**
     * Credential for ssh.
     *
     * @param secret a private key in OpenSSH or PEM format, without a passphrase
     * @param knownHosts the host's public keys in the format of OpenSSH's {@code known_hosts}; if empty, every host is
     *        rejected
     */
    record DeployKey(String secret, String knownHosts) implements Credential {

        @Override
        public String toString() {
            return "DeployKey[redacted]";
        }
    }
}
