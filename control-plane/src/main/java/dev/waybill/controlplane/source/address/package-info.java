/**
 * Where a repository is and what is wanted of it: addresses and names of references, refused before anything is asked when they
 * could be more than that.
 */
@NullMarked
package dev.waybill.controlplane.source.address;

import org.jspecify.annotations.NullMarked;
