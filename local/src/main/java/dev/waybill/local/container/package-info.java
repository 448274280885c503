/**
 * Builds and starts the content of images without a container engine, for tests and benchmarks.
 */
@NullMarked
package dev.waybill.local.container;

import org.jspecify.annotations.NullMarked;
