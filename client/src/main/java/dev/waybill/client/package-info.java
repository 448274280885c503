/**
 * Typed clients of the services for programs in Java (docs/java-client.md). The interfaces have the annotations of Jakarta
 * REST, so that a MicroProfile REST client can implement them as well.
 */
@NullMarked
package dev.waybill.client;

import org.jspecify.annotations.NullMarked;
