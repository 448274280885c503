/** End-to-end tests of the packaged services on a stack with free ports. */
@NullMarked
package dev.waybill.local;

import org.jspecify.annotations.NullMarked;
