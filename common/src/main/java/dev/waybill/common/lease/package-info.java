/**
 * The one way long work is claimed, kept and fenced (docs/architecture.md "Long work"): any replica may take a row, and
 * a worker that was thought dead cannot finish over a live one.
 */
@NullMarked
package dev.waybill.common.lease;

import org.jspecify.annotations.NullMarked;
