/**
 * Clients of Waybill's HTTP API and of the bucket. They use no code of the services, so that the tour and the end-to-end tests
 * only do what any client can do.
 */
@NullMarked
package dev.waybill.local.client;

import org.jspecify.annotations.NullMarked;
