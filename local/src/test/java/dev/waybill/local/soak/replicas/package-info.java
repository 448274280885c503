@NullMarked
package dev.waybill.local.soak.replicas;

import org.jspecify.annotations.NullMarked;
