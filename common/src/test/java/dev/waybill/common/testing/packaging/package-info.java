/** Tests of build results: the jar, the binary, and the input of native-image. */
@NullMarked
package dev.waybill.common.testing.packaging;

import org.jspecify.annotations.NullMarked;
