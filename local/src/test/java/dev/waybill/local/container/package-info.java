/** Tests of the Dockerfiles and of the content of images. */
@NullMarked
package dev.waybill.local.container;

import org.jspecify.annotations.NullMarked;
