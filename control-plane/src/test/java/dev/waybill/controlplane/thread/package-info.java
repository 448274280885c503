/** Tests of the database roles of deployments. */
@NullMarked
package dev.waybill.controlplane.thread;

import org.jspecify.annotations.NullMarked;
