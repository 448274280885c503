/** Replicas of every service under load: killed at random, and of two releases side by side. */
@NullMarked
package dev.waybill.local.replicas;

import org.jspecify.annotations.NullMarked;
