package dev.waybill.controlplane.notification;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

import jakarta.inject.Singleton;

import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.notification.CreateNotificationRuleRequest;
import dev.waybill.common.api.notification.UpdateNotificationRuleRequest;
import dev.waybill.common.json.BodyValidator;
import dev.waybill.common.net.UnsafeAddressException;
import dev.waybill.common.net.WebhookClient;
import dev.waybill.common.problem.Violation;

/** Validates webhooks and e-mail addresses of rules. */
@Singleton
class NotificationRuleValidator {

    private static final String URL = "webhook_url";
    private static final String SECRET = "webhook_secret";
    private static final String EMAIL = "email_to";

    private final WebhookClient webhooks;
    private final boolean sendsEmail;
    private final @Nullable Set<String> domains;

    NotificationRuleValidator(WebhookClient webhooks, NotificationConfig config,
            @ConfigProperty(name = "quarkus.mailer.from") Optional<String> from) {
        this.webhooks = webhooks;
        this.sendsEmail = from.isPresent();
        this.domains = config.emailDomains()
                .map(names -> names.stream().map(name -> name.toLowerCase(Locale.ROOT)).collect(Collectors.toSet()))
                .orElse(null);
    }

    /** Returns the violations of a change with respect to the current rule. */
    List<Violation> violations(NotificationRule current, UpdateNotificationRuleRequest request) {
        List<Violation> violations = new ArrayList<>();
        boolean isWebhook = current.webhook() != null;
        if (!isWebhook && request.webhookUrl() != null) {
            violations.add(Violation.of(URL, "cannot be added to a rule with e-mail; create another rule", "fixed"));
        }
        if (!isWebhook && request.webhookSecret() != null) {
            violations.add(Violation.of(SECRET, "is supported for webhooks only", "fixed"));
        }
        if (isWebhook && request.emailTo() != null) {
            violations.add(Violation.of(EMAIL, "cannot be added to a rule with a webhook; create another rule", "fixed"));
        }
        return violations;
    }

    /** Returns whether e-mail may be sent to the address. */
    boolean isPermitted(String address) {
        return domains == null || domains.contains(address.substring(address.lastIndexOf('@') + 1).toLowerCase(Locale.ROOT));
    }

    private void checkUrl(@Nullable String url, List<Violation> violations) {
        try {
            if (url != null) {
                webhooks.parse(url);
            }
        } catch (UnsafeAddressException e) {
            violations.add(Violation.of(URL, String.valueOf(e.getMessage()), "invalid"));
        }
    }

    private void checkAddresses(@Nullable List<String> addresses, List<Violation> violations) {
        if (addresses == null) {
            return;
        }
        if (!sendsEmail) {
            violations.add(Violation.of(EMAIL,
                    "is not available, because no mail server is configured; ask the operator, or use a webhook", "invalid"));
        }
        for (int index = 0; index < addresses.size(); index++) {
            String address = addresses.get(index);
            if (address != null && !isPermitted(address)) {
                violations.add(new Violation(List.of(EMAIL, index), "must be in one of the domains " + domains, "invalid"));
            }
        }
    }

    /** Validates new rules. */
    @Singleton
    static class OfNewRules implements BodyValidator<CreateNotificationRuleRequest> {

        private final NotificationRuleValidator rules;

        OfNewRules(NotificationRuleValidator rules) {
            this.rules = rules;
        }

        @Override
        public Class<CreateNotificationRuleRequest> type() {
            return CreateNotificationRuleRequest.class;
        }

        @Override
        public List<Violation> violations(CreateNotificationRuleRequest body, Set<String> unread) {
            List<Violation> violations = new ArrayList<>();
            boolean hasUrl = body.webhookUrl() != null || unread.contains(URL);
            boolean hasAddresses = body.emailTo() != null || unread.contains(EMAIL);
            if (!hasUrl && !hasAddresses) {
                violations.add(Violation.of(URL, "is required, unless email_to is present", "missing"));
            }
            if (hasUrl && hasAddresses) {
                violations.add(Violation.of(EMAIL, "cannot be combined with webhook_url; create two rules", "invalid"));
            }
            rules.checkUrl(body.webhookUrl(), violations);
            rules.checkAddresses(body.emailTo(), violations);
            return violations;
        }
    }

    /** Validates changes without the current rule. */
    @Singleton
    static class OfChanges implements BodyValidator<UpdateNotificationRuleRequest> {

        private final NotificationRuleValidator rules;

        OfChanges(NotificationRuleValidator rules) {
            this.rules = rules;
        }

        @Override
        public Class<UpdateNotificationRuleRequest> type() {
            return UpdateNotificationRuleRequest.class;
        }

        @Override
        public List<Violation> violations(UpdateNotificationRuleRequest body, Set<String> unread) {
            List<Violation> violations = new ArrayList<>();
            rules.checkUrl(body.webhookUrl(), violations);
            rules.checkAddresses(body.emailTo(), violations);
            return violations;
        }
    }
}
