/**
 * The packaged deployment-runtime as a process, and clients that stream its runs. Soak, benchmark and end-to-end tests open
 * many
 * of them, against our runtime and against others, so a client here is a connection and little else.
 */
@NullMarked
package dev.waybill.local.runtime;

import org.jspecify.annotations.NullMarked;
