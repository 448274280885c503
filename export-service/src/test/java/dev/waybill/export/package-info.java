/** What tests of the whole service share: its surroundings, callers, traces, and readers of what it wrote. */
@NullMarked
package dev.waybill.export;

import org.jspecify.annotations.NullMarked;
