// The public validation suite of checkpointers with the saver of the Node worker.
import { deltaChannelHistoryTests, validate } from "@langchain/langgraph-checkpoint-validation";
import { initializer } from "./saver.mjs";

validate(initializer);
deltaChannelHistoryTests(initializer);
