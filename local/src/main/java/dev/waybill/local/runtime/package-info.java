/**
 * Starts the packaged deployment-runtime and streams its runs. Soak tests, benchmarks and end-to-end tests open thousands of
 * clients, so a client uses little more memory than its connection.
 */
@NullMarked
package dev.waybill.local.runtime;

import org.jspecify.annotations.NullMarked;
