/**
 * The work of exporting (docs/architecture.md "Export"): workers claim days under lease, write them to the bucket without
 * making anything visible, record that in the database, and only then complete the uploads. Every step may be repeated by
 * another worker, and every one of them compares the lease.
 */
@NullMarked
package dev.waybill.export.execution;

import org.jspecify.annotations.NullMarked;
