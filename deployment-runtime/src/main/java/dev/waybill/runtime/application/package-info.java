/**
 * What an application says of itself in {@code langgraph.json}: its graphs, its environment, what it needs. Read once, at the
 * start, and told whole what is wrong with it.
 */
@NullMarked
package dev.waybill.runtime.application;

import org.jspecify.annotations.NullMarked;
