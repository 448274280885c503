package dev.waybill.export.job;

/**
 * A valid export specification whose destination and session exist.
 *
 * @param sessionName the tracing project's name
 */
public record ValidatedExport(ExportSpec spec, String sessionName) {
}
