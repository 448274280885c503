package dev.waybill.controlplane.notification;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

import javax.net.ssl.X509TrustManager;

import jakarta.inject.Singleton;

import org.eclipse.microprofile.config.Config;

import dev.waybill.common.net.TrustedAuthorities;
import io.smallrye.mutiny.Uni;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.net.TrustOptions;
import io.vertx.ext.mail.MailClient;
import io.vertx.ext.mail.MailConfig;
import io.vertx.ext.mail.MailMessage;
import io.vertx.ext.mail.StartTLSOptions;

/**
 * Sends plain text by the mail server that the keys {@code quarkus.mailer.from, host, port, username, password, start-tls} and
 * {@code tls} configure. Quarkus' own mailer has no timeouts: an unresponsive server would occupy all connections of its pool,
 * and the queue of waiting mails would grow without bound.
 */
@Singleton
class MailTransport {

    private static final String PREFIX = "quarkus.mailer.";
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);
    /** Timeout of sending a mail, shorter than that of an attempt. */
    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final int DEFAULT_PORT = 25;

    private final Vertx vertx;
    private final MailConfig server;
    private final String from;
    private MailClient client;

    MailTransport(Vertx vertx, TrustedAuthorities authorities, Config config) {
        this.vertx = vertx;
        this.from = text(config, "from", "");
        this.server = new MailConfig(text(config, "host", "localhost"),
                config.getOptionalValue(PREFIX + "port", Integer.class).orElse(DEFAULT_PORT))
                .setStarttls(StartTLSOptions.valueOf(text(config, "start-tls", "OPTIONAL").toUpperCase(Locale.ROOT)))
                .setSsl(config.getOptionalValue(PREFIX + "tls", Boolean.class).orElse(false))
                // An address that the server rejects must not prevent the mail to the others.
                .setAllowRcptErrors(true);
        config.getOptionalValue(PREFIX + "username", String.class).ifPresent(server::setUsername);
        config.getOptionalValue(PREFIX + "password", String.class).ifPresent(server::setPassword);
        server.setConnectTimeout((int) CONNECT_TIMEOUT.toMillis()).setIdleTimeout((int) TIMEOUT.toSeconds());
        Arrays.stream(authorities.managers())
                .filter(X509TrustManager.class::isInstance)
                .findFirst()
                .ifPresent(manager -> server.setTrustOptions(TrustOptions.wrap(manager)));
        this.client = MailClient.create(vertx, server);
    }

    /** Sends the text; fails if the server accepts none of the recipients. */
    Uni<Void> send(List<String> to, String subject, String text, String messageId) {
        MailMessage message = new MailMessage().setFrom(from).setTo(to).setSubject(subject).setText(text)
                .setHeaders(MultiMap.caseInsensitiveMultiMap().add("Message-ID", messageId));
        MailClient current = current();
        return Uni.createFrom().completionStage(() -> current.sendMail(message).toCompletionStage())
                .ifNoItem().after(TIMEOUT).failWith(() -> new IllegalStateException(
                        "the mail server did not respond within " + TIMEOUT.toSeconds() + " s"))
                .onFailure(IllegalStateException.class).invoke(() -> replace(current))
                .replaceWithVoid();
    }

    private synchronized MailClient current() {
        return client;
    }

    // Closes the connections to a server that does not respond; later mails use new ones.
    private synchronized void replace(MailClient unresponsive) {
        if (client == unresponsive) {
            client = MailClient.create(vertx, server);
            unresponsive.close();
        }
    }

    private static String text(Config config, String key, String defaultValue) {
        return config.getOptionalValue(PREFIX + key, String.class).orElse(defaultValue);
    }
}
