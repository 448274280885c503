/**
 * Runs: from the request that starts one to its last event at the client, at the client's pace (interface.md 2.10, 4.4 and 6,
 * contract.md "Deployed application").
 */
@NullMarked
package dev.waybill.runtime.run;

import org.jspecify.annotations.NullMarked;
