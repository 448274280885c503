/**
 * The records of experiments that were run elsewhere (interface.md 2.7 to 2.9): uploads, datasets, examples, feedback. An
 * experiment itself is a session.
 */
@NullMarked
package dev.waybill.common.api.experiment;

import org.jspecify.annotations.NullMarked;
