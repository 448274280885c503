package dev.waybill.local.runtime;

/**
 * An event as a client got it (interface.md 4.4).
 *
 * @param id empty when the server gave none
 * @param data the text of its data lines
 */
public record ServerEvent(String id, String name, String data) {
}
