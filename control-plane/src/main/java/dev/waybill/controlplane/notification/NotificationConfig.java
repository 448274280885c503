package dev.waybill.controlplane.notification;

import java.net.URI;
import java.util.Optional;
import java.util.Set;

import io.smallrye.config.ConfigMapping;

/** Settings of notifications; the mail server is configured by {@code quarkus.mailer}. */
@ConfigMapping(prefix = "waybill.notifications")
interface NotificationConfig {

    /** Public address of the console, to which notifications link. */
    Optional<URI> consoleUrl();

    /** Domains to which e-mail may be sent; all if absent. */
    Optional<Set<String>> emailDomains();
}
