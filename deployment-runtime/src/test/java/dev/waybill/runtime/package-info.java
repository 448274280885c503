/** What tests of the whole runtime share: an application with good and bad workers, and clients that read its streams. */
@NullMarked
package dev.waybill.runtime;

import org.jspecify.annotations.NullMarked;
