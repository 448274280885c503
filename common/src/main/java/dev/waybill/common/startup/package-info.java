/** The start of a service, and checks that prevent a start with an unsafe configuration. */
@NullMarked
package dev.waybill.common.startup;

import org.jspecify.annotations.NullMarked;
