/**
 * What an application says of itself in {@code langgraph.json}: its graphs, its environment, what it needs; and all that is
 * wrong with it, told at once. The control plane reads it before it deploys, the runtime before it serves: by the same rules.
 */
@NullMarked
package dev.waybill.common.application;

import org.jspecify.annotations.NullMarked;
