/**
 * Repositories as the control plane sees them: a reference becomes a commit, an integration's repositories become a list, a
 * commit becomes files. Git stays in this package; the rest of the service asks the port {@link
 * dev.waybill.controlplane.source.SourceClient}.
 */
@NullMarked
package dev.waybill.controlplane.source;

import org.jspecify.annotations.NullMarked;
