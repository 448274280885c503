/**
 * Running applications for users: the logs of revisions, including the output of their applications, and what they use.
 */
@NullMarked
package dev.waybill.controlplane.application;

import org.jspecify.annotations.NullMarked;
