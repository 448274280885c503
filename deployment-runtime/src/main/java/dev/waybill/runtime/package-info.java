/**
 * The deployed application: the graphs of one {@code langgraph.json}, each in worker processes of its own, behind the run API
 * (interface.md 4.4, contract.md "Deployed application").
 */
@NullMarked
package dev.waybill.runtime;

import org.jspecify.annotations.NullMarked;
