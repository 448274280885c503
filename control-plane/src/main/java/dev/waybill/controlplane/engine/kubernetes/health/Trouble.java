package dev.waybill.controlplane.engine.kubernetes.health;

import org.jspecify.annotations.Nullable;

/**
 * What keeps a revision from serving.
 *
 * @param reason what happened and what can be done about it
 * @param mayPass whether waiting can help
 * @param words whose last words belong to the reason; null where nobody's do
 */
public record Trouble(String reason, boolean mayPass, @Nullable Words words) {

    /**
     * The output of a container.
     *
     * @param previous of its run before the present one
     */
    public record Words(String pod, String container, boolean previous) {
    }

    static Trouble passing(String reason) {
        return new Trouble(reason, true, null);
    }

    static Trouble lasting(String reason) {
        return new Trouble(reason, false, null);
    }
}
