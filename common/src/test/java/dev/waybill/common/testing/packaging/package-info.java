/** What the build made of a service: tests against the jar or the binary, and what Quarkus hands to native-image. */
@NullMarked
package dev.waybill.common.testing.packaging;

import org.jspecify.annotations.NullMarked;
