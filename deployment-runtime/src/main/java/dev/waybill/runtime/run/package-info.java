/**
 * Runs: from the request that starts one to its end, however it ends (interface.md 2.10, contract.md "Deployed application").
 */
@NullMarked
package dev.waybill.runtime.run;

import org.jspecify.annotations.NullMarked;
