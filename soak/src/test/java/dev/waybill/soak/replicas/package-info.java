@NullMarked
package dev.waybill.soak.replicas;

import org.jspecify.annotations.NullMarked;
