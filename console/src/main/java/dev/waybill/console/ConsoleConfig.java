package dev.waybill.console;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Configuration of the console. */
@ConfigMapping(prefix = "waybill.console")
public interface ConsoleConfig {

    /** Base URL of the control-plane. */
    URI controlPlaneUrl();

    /** Base URL of the export-service. */
    URI exportUrl();

    /** Base URL of the experiment-service. */
    URI experimentUrl();

    /** Public address of the console. Links of tracing clients that use another host, as that of the API, lead to it. */
    Optional<URI> publicUrl();

    /**
     * Key for creating one-time sign-in codes at the management interface. The local stack of {@code ./quickstart} sets it;
     * elsewhere it must be empty.
     */
    Optional<String> signInKey();

    /** Sessions of browsers. */
    Session session();

    /** Sign-in by OpenID Connect. */
    Oidc oidc();

    /** Sign-in by OpenID Connect; off without an issuer. */
    interface Oidc {

        /** URL of the issuer, as in the claim {@code iss} of its tokens; enables the sign-in. */
        Optional<String> issuer();

        /** Id of the console at the issuer. */
        Optional<String> clientId();

        /** Secret of the console at the issuer; public clients have none. */
        Optional<String> clientSecret();

        /** Requested scopes. */
        @WithDefault("openid")
        List<String> scopes();

        /** Further parameters of the authorization request, such as {@code audience} or {@code resource}. */
        Map<String, String> parameters();
    }

    /** Sessions of browsers. */
    interface Session {

        /**
         * Key that seals session cookies: 32 bytes in base64. All replicas need the same one. Without a key each process
         * generates one, and its sessions end when it stops.
         */
        Optional<String> key();

        /** Previous sealing key: cookies that it sealed remain valid until they expire. */
        Optional<String> previousKey();

        /** Maximum duration of a session; it also ends when its API key or access token expires. */
        @WithDefault("PT12H")
        Duration maxAge();
    }
}
