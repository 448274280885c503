/** Runs third-party clients and readers from npm, and pages in a browser, for the end-to-end tests and the benchmarks. */
@NullMarked
package dev.waybill.local.node;

import org.jspecify.annotations.NullMarked;
