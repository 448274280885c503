/** Database roles of deployments, with which their runtimes store threads (docs/decisions/0175). */
@NullMarked
package dev.waybill.controlplane.thread;

import org.jspecify.annotations.NullMarked;
