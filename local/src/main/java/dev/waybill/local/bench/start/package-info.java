/** What it costs to start a service as its image does, what it holds at rest, and how large images are. */
@NullMarked
package dev.waybill.local.bench.start;

import org.jspecify.annotations.NullMarked;
