/**
 * Benchmarks of deployments: the time from a request to a serving application, and the cost of many idle deployments.
 */
@NullMarked
package dev.waybill.bench.deployments;

import org.jspecify.annotations.NullMarked;
