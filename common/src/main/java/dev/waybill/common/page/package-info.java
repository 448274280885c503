/**
 * How lists are paged (contract.md "Everywhere").
 */
@NullMarked
package dev.waybill.common.page;

import org.jspecify.annotations.NullMarked;
