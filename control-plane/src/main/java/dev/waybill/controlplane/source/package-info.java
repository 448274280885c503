/**
 * Access to repositories: resolves refs to commits, lists the repositories of an integration and checks out commits.
 * Only this package uses git; other features use the port {@link dev.waybill.controlplane.source.SourceClient}.
 */
@NullMarked
package dev.waybill.controlplane.source;

import org.jspecify.annotations.NullMarked;
