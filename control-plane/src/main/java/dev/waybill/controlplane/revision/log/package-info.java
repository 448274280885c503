/**
 * What was said while a revision was built and deployed, by pages and as it comes.
 */
@NullMarked
package dev.waybill.controlplane.revision.log;

import org.jspecify.annotations.NullMarked;
