/**
 * Executes exports (docs/architecture.md "Export"). Workers claim day partitions under a lease, upload their files without
 * completing the uploads, store a commit record in the database, and then complete the uploads. Every step is idempotent and
 * compares the lease token.
 */
@NullMarked
package dev.waybill.export.execution;

import org.jspecify.annotations.NullMarked;
