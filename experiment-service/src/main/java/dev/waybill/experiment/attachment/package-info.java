/**
 * Downloads of attachments, the files that belong to runs (docs/decisions/0012). They are uploaded together with runs, by
 * the package {@code intake}.
 */
@NullMarked
package dev.waybill.experiment.attachment;

import org.jspecify.annotations.NullMarked;
