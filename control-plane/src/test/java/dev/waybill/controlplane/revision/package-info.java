/**
 * States and logs of revisions.
 */
@NullMarked
package dev.waybill.controlplane.revision;

import org.jspecify.annotations.NullMarked;
