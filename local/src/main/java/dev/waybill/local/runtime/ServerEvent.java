package dev.waybill.local.runtime;

/**
 * A received server-sent event (interface.md 4.4).
 *
 * @param id empty if the event has no id
 * @param data the text of its data lines
 */
public record ServerEvent(String id, String name, String data) {
}
