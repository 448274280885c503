package dev.waybill.experiment.otlp;

/** The member of a run that an attribute is mapped to. */
enum MappingTarget {
    NAME("`name`"),
    RUN_TYPE("`run_type`"),
    SESSION_NAME("`session_name`"),
    INPUTS("`inputs`: a JSON object unchanged, else `{\"input\": …}`"),
    INPUT_MESSAGES("`inputs.messages`"),
    SYSTEM_INSTRUCTIONS("`inputs.messages`, the first one, with the role `system`"),
    OUTPUTS("`outputs`: a JSON object unchanged, else `{\"output\": …}`"),
    OUTPUT_MESSAGES("`outputs.messages`"),
    OUTPUT_TEXT("`outputs.messages`: the content of one message"),
    OUTPUT_TOOL_CALLS("`outputs.messages`: the tool calls of one message"),
    OUTPUT_DOCUMENTS("`outputs.documents`"),
    PROMPT_TOKENS("`prompt_tokens`"),
    COMPLETION_TOKENS("`completion_tokens`"),
    TOTAL_TOKENS("`total_tokens`"),
    PROMPT_COST("`prompt_cost`"),
    COMPLETION_COST("`completion_cost`"),
    TOTAL_COST("`total_cost`"),
    TIME_TO_FIRST_TOKEN("`first_token_time`, in seconds after the start"),
    REFERENCE_EXAMPLE("`reference_example_id`"),
    TAGS("`tags`; text is split at commas"),
    METADATA("`extra.metadata`"),
    INVOCATION_PARAMETERS("`extra.invocation_params`");

    private final String description;

    MappingTarget(String description) {
        this.description = description;
    }

    /** Returns the description for the documentation. */
    String description() {
        return description;
    }
}
