package dev.waybill.controlplane.source;

/** What opens a repository. Neither form shows itself in logs. */
public sealed interface Credential {

    /** The secret, for whoever presents it and for whoever keeps it out of logs. */
    String secret();

    /** For https: the password beside a user name that hosts ignore. */
    record AccessToken(String secret) implements Credential {

        @Override
        public String toString() {
            return "AccessToken[redacted]";
        }
    }

    /**
     * For ssh.
     *
     * @param secret a private key in OpenSSH's or PEM form, without a passphrase
     * @param knownHosts the host's own keys, as in OpenSSH's {@code known_hosts}; without any no host is believed
     */
    record DeployKey(String secret, String knownHosts) implements Credential {

        @Override
        public String toString() {
            return "DeployKey[redacted]";
        }
    }
}
