/**
 * What deployments cost: the time from an order to an application that serves, and what many of them take at rest.
 */
@NullMarked
package dev.waybill.local.bench.deployments;

import org.jspecify.annotations.NullMarked;
