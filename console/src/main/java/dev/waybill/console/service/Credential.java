package dev.waybill.console.service;

import io.vertx.core.MultiMap;

/**
 * The key or token that the console sends to the services for a session. Never log it.
 *
 * @param value the API key, or the access token of an OpenID provider
 */
public record Credential(Kind kind, String value) {

    /** How a credential is sent. The code of a kind is stored in cookies. */
    public enum Kind {

        KEY(1),
        TOKEN(2);

        private final int code;

        Kind(int code) {
            this.code = code;
        }

        public byte code() {
            return (byte) code;
        }
    }

    /** Returns the credential of an API key. */
    public static Credential ofKey(String apiKey) {
        return new Credential(Kind.KEY, apiKey);
    }

    /** Returns the credential of an access token. */
    public static Credential ofToken(String token) {
        return new Credential(Kind.TOKEN, token);
    }

    /** Sets the header that carries the credential. */
    public void addTo(MultiMap headers) {
        switch (kind) {
            case KEY -> headers.set("X-Api-Key", value);
            case TOKEN -> headers.set("Authorization", "Bearer " + value);
        }
    }

    @Override
    public String toString() {
        return "Credential[kind=" + kind + "]";
    }
}
