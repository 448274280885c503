/**
 * The deployed application: serves the graphs of one {@code langgraph.json}, each in its own worker processes, with the run API
 * (interface.md 4.4, contract.md "Deployed application").
 */
@NullMarked
package dev.waybill.runtime;

import org.jspecify.annotations.NullMarked;
