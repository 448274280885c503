/**
 * Links to files of runs that need no key: tracing clients follow them without one. A link names workspace, run, file and the
 * time it ends, and is signed.
 */
@NullMarked
package dev.waybill.experiment.link;

import org.jspecify.annotations.NullMarked;
