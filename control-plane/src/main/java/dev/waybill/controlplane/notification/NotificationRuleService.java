package dev.waybill.controlplane.notification;

import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

import jakarta.enterprise.event.Event;
import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.notification.CreateNotificationRuleRequest;
import dev.waybill.common.api.notification.CreatedNotificationRuleResponse;
import dev.waybill.common.api.notification.NotificationDeliveryResponse;
import dev.waybill.common.api.notification.NotificationRuleResponse;
import dev.waybill.common.api.notification.UpdateNotificationRuleRequest;
import dev.waybill.common.database.Database;
import dev.waybill.common.id.Ids;
import dev.waybill.common.idempotency.CreatedResourceRecorder;
import dev.waybill.common.net.WebhookClient;
import dev.waybill.common.page.Page;
import dev.waybill.common.page.PageParameters;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.problem.Violation;
import dev.waybill.common.secret.SecretCipher;
import dev.waybill.common.secret.SecretUnavailableException;
import dev.waybill.controlplane.account.WorkspaceLimitService;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;

/** Creates, reads, changes and deletes notification rules, and requests test notifications. */
@Singleton
class NotificationRuleService {

    private static final int MAX_RULES = 20;

    private final Database database;
    private final NotificationRuleRepository rules;
    private final NotificationDeliveryRepository deliveries;
    private final NotificationRuleValidator validator;
    private final WebhookClient webhooks;
    private final SecretCipher cipher;
    private final WorkspaceLimitService limits;
    private final CreatedResourceRecorder idempotency;
    private final Event<NotificationDue> due;
    private final Ids ids;
    private final Clock clock;
    private final SecureRandom random = new SecureRandom();

    NotificationRuleService(Database database, NotificationRuleRepository rules, NotificationDeliveryRepository deliveries,
            NotificationRuleValidator validator, WebhookClient webhooks, SecretCipher cipher, WorkspaceLimitService limits,
            CreatedResourceRecorder idempotency, Event<NotificationDue> due, Ids ids, Clock clock) {
        this.database = database;
        this.rules = rules;
        this.deliveries = deliveries;
        this.validator = validator;
        this.webhooks = webhooks;
        this.cipher = cipher;
        this.limits = limits;
        this.idempotency = idempotency;
        this.due = due;
        this.ids = ids;
        this.clock = clock;
    }

    /** Creates a rule; fails with 409 if the workspace has the maximum number of rules. */
    Uni<CreatedNotificationRuleResponse> create(UUID tenantId, CreateNotificationRuleRequest request) {
        UUID id = ids.newId();
        Instant now = clock.instant();
        String url = request.webhookUrl();
        Webhook webhook = url == null ? null : new Webhook(url, Webhook.newSecret(random));
        NotificationRule rule = new NotificationRule(tenantId, id, request.name(),
                request.events().stream().distinct().toList(),
                webhook == null ? null : cipher.encrypt(webhook.encode(), tenantId, id),
                url == null ? null : webhooks.parse(url).origin(), request.emailTo(), true, now, now);
        return database.inWorkspace(tenantId, connection -> requireCapacity(connection, tenantId)
                .chain(() -> rules.insert(connection, rule))
                .call(created -> idempotency.recordCreated(created.id(), connection)))
                .map(created -> created.toCreatedResponse(webhook == null ? null : webhook.secret()));
    }

    private Uni<Void> requireCapacity(SqlConnection connection, UUID tenantId) {
        return limits.lock(connection, tenantId)
                .chain(() -> rules.count(connection, tenantId))
                .invoke(NotificationRuleService::requireCapacity)
                .replaceWithVoid();
    }

    private static void requireCapacity(long present) {
        if (present >= MAX_RULES) {
            throw ProblemException.conflict(
                    "The workspace has " + present + " notification rules, which is the maximum; change or delete one.");
        }
    }

    Uni<List<NotificationRuleResponse>> list(UUID tenantId) {
        return database.inWorkspace(tenantId, connection -> rules.list(connection, tenantId))
                .map(found -> found.stream().map(NotificationRule::toResponse).toList());
    }

    /** Returns the rule; fails with 404 if the workspace does not have it. */
    Uni<NotificationRuleResponse> get(UUID tenantId, UUID id) {
        return database.inWorkspace(tenantId, connection -> rules.require(connection, tenantId, id))
                .map(NotificationRule::toResponse);
    }

    /** Changes the rule; later attempts of its pending deliveries use the change. */
    Uni<NotificationRuleResponse> update(UUID tenantId, UUID id, UpdateNotificationRuleRequest request) {
        return database.inWorkspace(tenantId, connection -> rules.requireForUpdate(connection, tenantId, id)
                .map(current -> changed(current, request))
                .chain(changed -> rules.update(connection, changed))
                .call(changed -> changed.enabled() ? Uni.createFrom().voidItem()
                        : deliveries.failPending(connection, tenantId, id, "the rule was disabled")))
                .map(NotificationRule::toResponse);
    }

    private NotificationRule changed(NotificationRule current, UpdateNotificationRuleRequest request) {
        List<Violation> violations = validator.violations(current, request);
        ProblemException.throwIfAny(violations);
        return new NotificationRule(current.tenantId(), current.id(), orElse(request.name(), current.name()),
                request.events() == null ? current.events() : request.events().stream().distinct().toList(),
                webhook(current, request),
                request.webhookUrl() == null ? current.webhookOrigin() : webhooks.parse(request.webhookUrl()).origin(),
                request.emailTo() == null ? current.emailTo() : request.emailTo(),
                orElse(request.enabled(), current.enabled()), current.createdAt(), current.updatedAt());
    }

    private byte @Nullable [] webhook(NotificationRule current, UpdateNotificationRuleRequest request) {
        byte[] stored = current.webhook();
        if (stored == null) {
            return null;
        }
        String url = request.webhookUrl();
        String secret = request.webhookSecret();
        // The encryption key of the stored value can be lost.
        if (url != null && secret != null) {
            return cipher.encrypt(new Webhook(url, secret).encode(), current.tenantId(), current.id());
        }
        try {
            // Encrypted again even if unchanged, for the rotation of encryption keys.
            Webhook before = Webhook.decode(cipher.decrypt(stored, current.tenantId(), current.id()));
            return cipher.encrypt(new Webhook(orElse(url, before.url()), orElse(secret, before.secret())).encode(),
                    current.tenantId(), current.id());
        } catch (SecretUnavailableException e) {
            if (url == null && secret == null) {
                return stored;
            }
            throw e;
        }
    }

    private static <T> T orElse(@Nullable T requested, T current) {
        return requested == null ? current : requested;
    }

    /** Deletes the rule with its deliveries; fails with 404 if the workspace does not have it. */
    Uni<Void> delete(UUID tenantId, UUID id) {
        return database.inWorkspace(tenantId, connection -> rules.delete(connection, tenantId, id))
                .invoke(deleted -> {
                    if (!deleted) {
                        throw ProblemException.notFound("notification rule", id);
                    }
                })
                .replaceWithVoid();
    }

    /** Lists the deliveries of a rule, newest first. */
    Uni<Page<NotificationDeliveryResponse>> deliveries(UUID tenantId, UUID id, PageParameters page) {
        return database.inWorkspace(tenantId, connection -> rules.require(connection, tenantId, id)
                .chain(() -> deliveries.list(connection, tenantId, id, page)));
    }

    /** Stores a test notification, which is sent at once; fails with 409 if the rule is disabled or has too many pending. */
    Uni<NotificationDeliveryResponse> test(UUID tenantId, UUID id) {
        return database.inWorkspace(tenantId, connection -> rules.require(connection, tenantId, id)
                .invoke(NotificationRuleService::requireEnabled)
                .chain(() -> deliveries.insertTest(connection, tenantId, id, ids.newId())))
                .invoke(() -> due.fire(new NotificationDue()));
    }

    private static void requireEnabled(NotificationRule rule) {
        if (!rule.enabled()) {
            throw ProblemException.conflict("The rule is disabled; enable it before it is tested.");
        }
    }

    /** A delivery is due on this replica. */
    record NotificationDue() {
    }
}
