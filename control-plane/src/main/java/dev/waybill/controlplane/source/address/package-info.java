/**
 * Validated URLs of repositories and ref names; invalid ones are rejected before any connection.
 */
@NullMarked
package dev.waybill.controlplane.source.address;

import org.jspecify.annotations.NullMarked;
