package dev.waybill.common.filter;

import java.util.stream.Stream;

/** Filters as users write them, each with its canonical form. */
final class ValidFilters {

    private static final String ARROW = " ⇒ ";

    private static final String TABLE = """
            eq(run_type, "llm") ⇒ eq(run_type, "llm")
            eq(run_type, 'llm') ⇒ eq(run_type, "llm")
              eq (\trun_type ,"llm" )   ⇒ eq(run_type, "llm")
            neq(run_type, "llm") ⇒ not(eq(run_type, "llm"))
            eq(name, "it's") ⇒ eq(name, "it's")
            eq(name, 'it\\'s "so"') ⇒ eq(name, "it's \\"so\\"")
            eq(name, "tab\\there") ⇒ eq(name, "tab	here")
            eq(name, "\\u00fcber") ⇒ eq(name, "über")
            eq(name, "\\uD83D\\uDE00") ⇒ eq(name, "😀")
            eq(name, "\\u0000") ⇒ eq(name, "�")
            eq(name, "\\ud800") ⇒ eq(name, "�")
            eq(name, "") ⇒ eq(name, "")
            eq(error, null) ⇒ not(exists(error))
            neq(error, null) ⇒ not(not(exists(error)))
            exists(error) ⇒ exists(error)
            neq(error, "boom") ⇒ not(eq(error, "boom"))
            not(eq(error, "boom")) ⇒ not(eq(error, "boom"))
            and(eq(run_type, "llm"), gt(latency, 5)) ⇒ and(eq(run_type, "llm"), gt(latency, 5))
            gt(latency, "5s") ⇒ gt(latency, 5)
            lte(latency, "200ms") ⇒ lte(latency, 0.200)
            lt(latency, "1.5m") ⇒ lt(latency, 90.0)
            gte(latency, "2h") ⇒ gte(latency, 7200)
            eq(latency, 0.25) ⇒ eq(latency, 0.25)
            eq(latency, null) ⇒ not(exists(latency))
            gt(start_time, "2026-11-20T00:00:00Z") ⇒ gt(start_time, "2026-11-20T00:00:00.000000Z")
            gte(start_time, "2026-11-20T02:00:00+02:00") ⇒ gte(start_time, "2026-11-20T00:00:00.000000Z")
            lt(start_time, "2026-11-20T12:30:00.123456") ⇒ lt(start_time, "2026-11-20T12:30:00.123456Z")
            lte(end_time, "2026-11-20") ⇒ lte(end_time, "2026-11-20T00:00:00.000000Z")
            eq(first_token_time, null) ⇒ not(exists(first_token_time))
            in(start_time, ["2026-11-20", "2026-11-21"]) ⇒ in(start_time, ["2026-11-20T00:00:00.000000Z", "2026-11-21T00:00:00.000000Z"])
            eq(is_root, true) ⇒ eq(is_root, true)
            neq(is_root, true) ⇒ not(eq(is_root, true))
            in(is_root, [true, false]) ⇒ in(is_root, [true, false])
            eq(id, "01939b5e-7c1d-7000-8000-00000000000A") ⇒ eq(id, "01939b5e-7c1d-7000-8000-00000000000a")
            eq(trace_id, "01939b5e7c1d70008000000000000001") ⇒ eq(trace_id, "01939b5e-7c1d-7000-8000-000000000001")
            neq(parent_run_id, null) ⇒ not(not(exists(parent_run_id)))
            in(id, []) ⇒ in(id, [])
            in(name, ["alpha", "beta"]) ⇒ in(name, ["alpha", "beta"])
            gt(total_tokens, 100) ⇒ gt(total_tokens, 100)
            lte(prompt_tokens, 99.5) ⇒ lte(prompt_tokens, 99.5)
            eq(completion_tokens, 1e2) ⇒ eq(completion_tokens, 1E+2)
            gte(total_cost, 0.001) ⇒ gte(total_cost, 0.001)
            lt(prompt_cost, -1) ⇒ lt(prompt_cost, -1)
            has(tags, "prod") ⇒ has(tags, "prod")
            not(has(tags, "prod")) ⇒ not(has(tags, "prod"))
            exists(tags) ⇒ exists(tags)
            eq(tags, null) ⇒ not(exists(tags))
            like(name, "al%") ⇒ like(name, "al%")
            like(name, "50\\% off") ⇒ like(name, "50\\\\% off")
            like(name, "50\\\\% off") ⇒ like(name, "50\\\\% off")
            like(name, "a\\_b") ⇒ like(name, "a\\\\_b")
            ilike(name, "AL%") ⇒ ilike(name, "AL%")
            ilike(error, "%ÜBER%") ⇒ ilike(error, "%ÜBER%")
            gt(name, "b") ⇒ gt(name, "b")
            search("alpha") ⇒ search("alpha")
            search("  two\\twords ") ⇒ search("two words")
            eq(input_key, "a") ⇒ eq(input_key, "a")
            neq(input_key, "a") ⇒ not(eq(input_key, "a"))
            exists(input_key, "a.b") ⇒ exists(input_key, "a.b")
            exists(metadata_key) ⇒ exists(metadata_key)
            eq(input_value, "alpha") ⇒ eq(input_value, "alpha")
            eq(input_value, true) ⇒ eq(input_value, true)
            eq(input_value, "true") ⇒ eq(input_value, "true")
            eq(input_value, 1) ⇒ eq(input_value, 1)
            eq(input_value, 1.0) ⇒ eq(input_value, 1.0)
            eq(input_value, null) ⇒ not(exists(input_value))
            and(eq(input_key, "a"), eq(input_value, "alpha")) ⇒ and(eq(input_key, "a"), eq(input_value, "alpha"))
            and(eq(input_key, "list"), eq(input_value, 1)) ⇒ and(eq(input_key, "list"), eq(input_value, 1))
            and(eq(input_key, "list.0"), neq(input_value, 1)) ⇒ and(eq(input_key, "list.0"), not(eq(input_value, 1)))
            and(eq(input_key, "a"), like(input_value, "%l%")) ⇒ and(eq(input_key, "a"), like(input_value, "%l%"))
            and(in(metadata_key, ["a", "b"]), eq(metadata_value, true)) ⇒ and(in(metadata_key, ["a", "b"]), eq(metadata_value, true))
            and(eq(metadata_key, "a"), gte(metadata_value, 1), lt(metadata_value, 2)) ⇒ and(eq(metadata_key, "a"), gte(metadata_value, 1), lt(metadata_value, 2))
            and(eq(metadata_key, "a"), or(eq(metadata_value, 1), eq(metadata_value, "beta"))) ⇒ and(eq(metadata_key, "a"), or(eq(metadata_value, 1), eq(metadata_value, "beta")))
            and(neq(metadata_key, "a"), eq(metadata_value, 1)) ⇒ and(not(eq(metadata_key, "a")), eq(metadata_value, 1))
            in(output_value, ["alpha", 1, true]) ⇒ in(output_value, ["alpha", 1, true])
            and(like(output_key, "a%"), gt(output_value, 0)) ⇒ and(like(output_key, "a%"), gt(output_value, 0))
            and(eq(feedback_key, "correctness"), eq(feedback_score, 0)) ⇒ and(eq(feedback_key, "correctness"), eq(feedback_score, 0))
            neq(feedback_key, "correctness") ⇒ not(eq(feedback_key, "correctness"))
            and(gt(start_time, "2026-11-20"), or(neq(error, null), and(eq(feedback_key, "c"), eq(feedback_score, 0)))) ⇒ \
            and(gt(start_time, "2026-11-20T00:00:00.000000Z"), or(not(not(exists(error))), and(eq(feedback_key, "c"), eq(feedback_score, 0))))
            exists(feedback_key) ⇒ exists(feedback_key)
            exists(feedback_key, "a.b") ⇒ exists(feedback_key, "a.b")
            eq(feedback_score, null) ⇒ not(exists(feedback_score))
            neq(feedback_score, 1) ⇒ not(eq(feedback_score, 1))
            in(feedback_score, [0, 0.3]) ⇒ in(feedback_score, [0, 0.3])
            like(feedback_key, "%orrect%") ⇒ like(feedback_key, "%orrect%")
            and(eq(feedback_key, "correctness"), eq(feedback_score, null)) ⇒ and(eq(feedback_key, "correctness"), not(exists(feedback_score)))
            and(ilike(feedback_key, "C%"), not(lt(feedback_score, 1))) ⇒ and(ilike(feedback_key, "C%"), not(lt(feedback_score, 1)))
            and(in(feedback_key, ["c", "a"]), gt(feedback_score, 0.3), lt(feedback_score, 1e400)) ⇒ \
            and(in(feedback_key, ["c", "a"]), gt(feedback_score, 0.3), lt(feedback_score, 1E+400))
            and(and(eq(feedback_key, "c"), gte(feedback_score, 1)), not(exists(feedback_key, "a"))) ⇒ \
            and(and(eq(feedback_key, "c"), gte(feedback_score, 1)), not(exists(feedback_key, "a")))
            eq(session_name, "filters") ⇒ eq(session_name, "filters")
            like(app_path, "/o/%/r/%") ⇒ like(app_path, "/o/%/r/%")
            neq(tenant_id, "00000000-0000-0000-0000-000000000000") ⇒ not(eq(tenant_id, "00000000-0000-0000-0000-000000000000"))
            and(eq(status, "success")) ⇒ and(eq(status, "success"))
            or(not(not(eq(status, "error"))), and(or(exists(error)))) ⇒ or(not(not(eq(status, "error"))), and(or(exists(error))))
            ilike(dotted_order, "2026%") ⇒ ilike(dotted_order, "2026%")
            exists(trace_tier) ⇒ exists(trace_tier)
            eq(thread_id, "t-1") ⇒ eq(thread_id, "t-1")
            not(exists(thread_id)) ⇒ not(exists(thread_id))
            """;

    private ValidFilters() {
    }

    /** Returns the filters as written. */
    static Stream<String> written() {
        return TABLE.lines().map(line -> line.split(ARROW)[0]);
    }

    /** Returns the canonical forms in the same order. */
    static Stream<String> plain() {
        return TABLE.lines().map(line -> line.split(ARROW)[1]);
    }
}
