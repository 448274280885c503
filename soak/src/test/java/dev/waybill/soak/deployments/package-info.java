@NullMarked
package dev.waybill.soak.deployments;

import org.jspecify.annotations.NullMarked;
