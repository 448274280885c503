package dev.waybill.export.job;

/**
 * An order for which an export could be made when it was looked at.
 *
 * @param sessionName the tracing project's name
 */
public record CheckedOrder(ExportOrder order, String sessionName) {
}
