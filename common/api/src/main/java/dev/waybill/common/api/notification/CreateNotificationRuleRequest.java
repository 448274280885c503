package dev.waybill.common.api.notification;

import java.util.List;

import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** Body of {@code POST /v1/notification-rules}; exactly one of {@code webhook_url} and {@code email_to} is present. */
public record CreateNotificationRuleRequest(
        @NotNull(message = "is required") @Size(min = 1, max = 255, message = "must have 1 to 255 characters") @Pattern(regexp = CreateNotificationRuleRequest.READABLE, message = "must have at least one visible character and no control characters") @Schema(examples = "Failed exports to the data team") String name,
        @NotNull(message = "is required") @Size(min = 1, max = 3, message = "must have 1 to 3 events") @Schema(description = "Events that are delivered.") List<@NotNull(message = "must not be null") NotificationEvent> events,
        @Nullable @Schema(writeOnly = true, description = "URL to which events are posted as JSON, signed as Standard Webhooks describes. Stored encrypted; responses contain its origin only.", examples = "https://hooks.example.com/waybill") String webhookUrl,
        @Nullable @Size(min = 1, max = 10, message = "must have 1 to 10 addresses") @Schema(description = "E-mail addresses that events are sent to.", examples = "[\"data-team@example.com\"]") List<@NotNull(message = "must not be null") @Size(max = 254, message = "must have at most 254 characters") @Pattern(regexp = CreateNotificationRuleRequest.EMAIL, message = "must be an e-mail address") String> emailTo) {

    static final String READABLE = "(?U)(?=.*\\S)[^\\p{Cc}\\p{Cs}\\u2028\\u2029\\u202a-\\u202e\\u2066-\\u2069]*";
    static final String EMAIL = "[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\\.)*[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?";

    /** Omits the URL, which can contain a secret. */
    @Override
    public String toString() {
        return "CreateNotificationRuleRequest[name=" + name + ", events=" + events + "]";
    }
}
