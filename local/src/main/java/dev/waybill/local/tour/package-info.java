/**
 * The main job on real input, in front of the user (design "The one command"): load, export, read back, compare. Each step is
 * also
 * what the end-to-end tests call.
 */
@NullMarked
package dev.waybill.local.tour;

import org.jspecify.annotations.NullMarked;
