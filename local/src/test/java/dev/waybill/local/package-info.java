/** End-to-end tests over the packaged services, started by the launcher's own classes on free ports. */
@NullMarked
package dev.waybill.local;

import org.jspecify.annotations.NullMarked;
