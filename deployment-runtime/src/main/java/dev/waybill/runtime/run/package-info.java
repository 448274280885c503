/**
 * The lifecycle of runs, from the request to the result (interface.md 2.10, contract.md "Deployed application").
 */
@NullMarked
package dev.waybill.runtime.run;

import org.jspecify.annotations.NullMarked;
