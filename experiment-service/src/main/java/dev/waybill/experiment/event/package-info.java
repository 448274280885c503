/**
 * Events of a workspace: what changed, for clients that show lists. Other features record changes after their commit; each
 * replica writes and polls them about once a second (docs/decisions/0158).
 */
@NullMarked
package dev.waybill.experiment.event;

import org.jspecify.annotations.NullMarked;
