/**
 * Changes in workspaces that features record after their commit, for the event stream of experiment-service
 * (docs/decisions/0158).
 */
@NullMarked
package dev.waybill.common.event;

import org.jspecify.annotations.NullMarked;
