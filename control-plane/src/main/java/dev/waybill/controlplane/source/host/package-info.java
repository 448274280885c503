/**
 * Clients of the repository listing APIs of GitHub, GitLab and Gitea.
 */
@NullMarked
package dev.waybill.controlplane.source.host;

import org.jspecify.annotations.NullMarked;
