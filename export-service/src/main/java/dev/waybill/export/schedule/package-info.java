/**
 * Scheduled exports (interface.md 4.2 rule 6). Windows are computed from stored timestamps, each window becomes one export
 * through the same service as a client's request, and rows stored after the export of their window are counted.
 */
@NullMarked
package dev.waybill.export.schedule;

import org.jspecify.annotations.NullMarked;
