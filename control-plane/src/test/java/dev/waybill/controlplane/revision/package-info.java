/**
 * Tests of revisions and their statuses.
 */
@NullMarked
package dev.waybill.controlplane.revision;

import org.jspecify.annotations.NullMarked;
