/** What images promise, and that they keep it. */
@NullMarked
package dev.waybill.local.container;

import org.jspecify.annotations.NullMarked;
