/** Fixtures for tests of the whole runtime: an application with working and faulty workers, and streaming clients. */
@NullMarked
package dev.waybill.runtime;

import org.jspecify.annotations.NullMarked;
