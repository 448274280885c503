/** The steps of the quickstart's tour, which the end-to-end tests also use: load, export, read, compare, deploy. */
@NullMarked
package dev.waybill.local.tour;

import org.jspecify.annotations.NullMarked;
