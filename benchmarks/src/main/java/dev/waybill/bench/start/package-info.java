/** Benchmarks of container images: start time and memory of the services, and image sizes. */
@NullMarked
package dev.waybill.bench.start;

import org.jspecify.annotations.NullMarked;
