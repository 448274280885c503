/** Signed links to attachments, which tracing clients follow without a key. A link contains workspace, run, name and expiry. */
@NullMarked
package dev.waybill.experiment.link;

import org.jspecify.annotations.NullMarked;
