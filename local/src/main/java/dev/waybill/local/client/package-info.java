/** The bucket as customers read it, and exact JSON. Both use no code of the services. */
@NullMarked
package dev.waybill.local.client;

import org.jspecify.annotations.NullMarked;
