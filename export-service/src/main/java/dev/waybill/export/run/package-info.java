/**
 * The runs of an export, one for each UTC day. Workers claim them under a lease; every state change compares the lease token,
 * so that only the lease holder stores a result (interface.md 2.5, docs/architecture.md "Export").
 */
@NullMarked
package dev.waybill.export.run;

import org.jspecify.annotations.NullMarked;
