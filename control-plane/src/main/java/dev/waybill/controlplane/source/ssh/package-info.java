/**
 * Repositories over ssh: keys that open one repository, hosts that are known, and a program of the machine that is told nothing
 * else.
 */
@NullMarked
package dev.waybill.controlplane.source.ssh;

import org.jspecify.annotations.NullMarked;
