/**
 * What hosts of repositories list, each in its own words.
 */
@NullMarked
package dev.waybill.controlplane.source.host;

import org.jspecify.annotations.NullMarked;
