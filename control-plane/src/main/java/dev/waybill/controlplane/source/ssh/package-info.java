/**
 * Access to repositories over ssh: deploy keys, known hosts and the transport.
 */
@NullMarked
package dev.waybill.controlplane.source.ssh;

import org.jspecify.annotations.NullMarked;
