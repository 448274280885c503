package dev.waybill.controlplane.notification;

import java.net.URI;
import java.util.List;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import io.vertx.core.json.JsonObject;

/** The texts of notifications, and the links to the console's pages. */
@Singleton
class NotificationMessages {

    private static final int MAX_NAME_LENGTH = 100;
    /** Members that a text shows below its first sentence, if present. */
    private static final List<String> SHOWN = List.of("error", "reason", "message", "status", "start_time", "end_time",
            "export_id", "schedule_id", "revision_id", "deployment_id", "workspace_id");

    private final @Nullable URI console;

    NotificationMessages(NotificationConfig config) {
        this.console = config.consoleUrl().orElse(null);
    }

    /** Returns the event's data with the workspace and, if the console's address is configured, the address of its page. */
    JsonObject data(NotificationDelivery delivery) {
        JsonObject data = new JsonObject().put("workspace_id", delivery.rule().tenantId().toString())
                .mergeIn(new JsonObject(delivery.data()));
        if (console != null) {
            data.put("url",
                    console.toString().replaceAll("/+$", "") + "/w/" + delivery.rule().tenantId() + page(delivery, data));
        }
        return data;
    }

    private static String page(NotificationDelivery delivery, JsonObject data) {
        return switch (delivery.type()) {
            case "export.failed", "schedule.paused" -> "/exports/" + data.getString("export_id");
            case "revision.failed" -> "/deployments/" + data.getString("deployment_id");
            default -> "/settings?tab=notifications&rule=" + delivery.rule().id();
        };
    }

    String subject(NotificationDelivery delivery, JsonObject data) {
        return "[Waybill] " + sentence(delivery, data);
    }

    String text(NotificationDelivery delivery, JsonObject data) {
        StringBuilder text = new StringBuilder(sentence(delivery, data)).append(".\n\n");
        for (String member : SHOWN) {
            if (data.getString(member) != null) {
                text.append(member).append(": ").append(data.getString(member)).append('\n');
            }
        }
        if (data.getString("url") != null) {
            text.append('\n').append(data.getString("url")).append('\n');
        }
        return text.append("\nSent by the notification rule ").append(oneLine(delivery.rule().name())).append(".\n").toString();
    }

    private static String sentence(NotificationDelivery delivery, JsonObject data) {
        return switch (delivery.type()) {
            case "export.failed" -> "An export of " + oneLine(data.getString("session_name")) + " failed";
            case "schedule.paused" -> "The export schedule of " + oneLine(data.getString("session_name")) + " was paused";
            case "revision.failed" -> "A revision of " + oneLine(data.getString("deployment_name")) + " failed";
            default -> "This is a test notification";
        };
    }

    // Names become part of a header.
    private static String oneLine(@Nullable String name) {
        String line = String.valueOf(name).replaceAll("(?U)[\\p{Cc}\\p{Cs}\\p{Cf}\\s]+", " ").strip();
        return line.length() <= MAX_NAME_LENGTH ? line : line.substring(0, MAX_NAME_LENGTH - 1) + "…";
    }
}
