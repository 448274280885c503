/** Requests and responses for experiments: uploads, datasets, examples and feedback. An experiment itself is a session. */
@NullMarked
package dev.waybill.common.api.experiment;

import org.jspecify.annotations.NullMarked;
