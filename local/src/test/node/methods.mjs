// Calls every method of the npm client once and reports which ones work.
// Environment: LANGSMITH_ENDPOINT, LANGSMITH_API_KEY; argument: a prefix for names. Prints JSON: the version and, by area, the
// methods with their error or null.
import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { Client, RunTree, __version__ } from "langsmith";
import { evaluate } from "langsmith/evaluation";
import { traceable } from "langsmith/traceable";

const prefix = process.argv[2];
const areas = new Map();
const problems = new Map();
const warnings = [];
console.warn = (...words) => warnings.push(words.join(" "));
process.removeAllListeners("warning");
process.on("warning", (warning) => warnings.push(warning.message));

const client = new Client({ autoBatchTracing: false });
const batching = new Client();

const all = async (list) => {
  const found = [];
  for await (const one of list) found.push(one);
  return found;
};

async function check(area, method, call, expected = () => true) {
  if (!areas.has(area)) areas.set(area, new Set());
  areas.get(area).add(method);
  try {
    let answer = call();
    answer = answer?.[Symbol.asyncIterator] ? await all(answer) : await answer;
    if (!expected(answer)) throw new Error(`unexpected: ${JSON.stringify(answer)}`);
    if (!problems.has(method)) problems.set(method, null);
    return answer;
  } catch (problem) {
    problems.set(method, `${problem?.name}: ${problem?.message}`.slice(0, 300));
    return undefined;
  }
}

const same = (wanted) => (answer) => isDeepStrictEqual(answer, wanted);

function wholeRun(project, name, more = {}) {
  const id = randomUUID();
  const start = new Date();
  const stamp = start.toISOString().replace(/[-:]/g, "").replace(/\.(\d{3})Z/, "$1000Z");
  return {
    id, trace_id: id, dotted_order: stamp + id, name, run_type: "chain", inputs: { q: 1 }, outputs: { a: 1 },
    start_time: start.toISOString(), end_time: new Date(start.getTime() + 1000).toISOString(), session_name: project, ...more,
  };
}

async function runs() {
  const area = "Runs";
  const project = `${prefix}-runs`;
  const { session_name, ...first } = wholeRun(project, "first",
    { outputs: undefined, end_time: undefined, extra: { metadata: { session_id: "thread 1" } } });
  const id = first.id;
  await check(area, "createRun", () => client.createRun({ ...first, project_name: project }));
  await check(area, "updateRun", () => client.updateRun(id, { outputs: { a: 2 }, end_time: new Date().toISOString() }));
  await check(area, "batchIngestRuns", () => client.batchIngestRuns({ runCreates: [wholeRun(project, "batched")] }));
  await check(area, "multipartIngestRuns", () => client.multipartIngestRuns({ runCreates: [wholeRun(project, "multipart")] }));
  await check(area, "readRun", () => client.readRun(id, { loadChildRuns: true }),
    (run) => run.outputs.a === 2 && run.status === "success");
  await check(area, "listRuns", () => client.listRuns({ projectName: project }),
    (found) => isDeepStrictEqual(found.map(({ name }) => name).sort(), ["batched", "first", "multipart"]));
  await check(area, "listRuns", () => client.listRuns({ projectName: project, select: ["outputs"], filter: 'eq(name, "first")' }),
    (found) => found.length === 1 && found[0].name === "first" && found[0].start_time);
  await check(area, "listGroupRuns", () => client.listGroupRuns({ projectName: project, groupBy: "conversation" }));
  await check(area, "getRunStats", () => client.getRunStats({ projectNames: [project], isRoot: true }),
    (stats) => stats.run_count === 3);
  await check(area, "getRunUrl", async () => client.getRunUrl({ run: await client.readRun(id) }), (url) => url.includes(id));
  await check("Threads", "readThread", () => client.readThread({ threadId: "thread 1", projectName: project }),
    (found) => found.length === 1 && found[0].id === id);
  await check("Threads", "listThreads", () => client.listThreads({ projectName: project }),
    (found) => found.length === 1 && found[0].thread_id === "thread 1");
  const shared = "Sharing";
  await check(shared, "shareRun", () => client.shareRun(id));
  await check(shared, "unshareRun", () => client.unshareRun(id));
  await check(shared, "readRunSharedLink", () => client.readRunSharedLink(id));
  await check(shared, "listSharedRuns", () => client.listSharedRuns(randomUUID()));
  return { project, id };
}

async function projects() {
  const area = "Projects";
  const name = `${prefix}-project`;
  const project = await check(area, "createProject", () => client.createProject({ projectName: name, metadata: { team: "a" } }));
  await client.createProject({ projectName: `${prefix}-other` });
  await check(area, "updateProject", () => client.updateProject(project.id, { description: "changed" }));
  await check(area, "readProject", () => client.readProject({ projectName: name, includeStats: true }),
    (read) => read.id === project.id && read.description === "changed");
  await check(area, "hasProject", async () => [await client.hasProject({ projectName: name }),
    await client.hasProject({ projectName: `${name}-none` })], same([true, false]));
  await check(area, "listProjects", () => client.listProjects({ nameContains: `${prefix}-`, metadata: { team: "a" } }),
    (found) => found.length === 1 && found[0].id === project.id);
  await check(area, "getProjectUrl", () => client.getProjectUrl({ projectName: name }), (url) => url.includes(project.id));
  await check(area, "deleteProject", () => client.deleteProject({ projectName: `${prefix}-other` }));
}

async function datasets() {
  const area = "Datasets";
  const name = `${prefix}-dataset`;
  const dataset = await check(area, "createDataset", () => client.createDataset(name, { description: "d", metadata: { team: "a" } }));
  const datasetId = dataset.id;
  await check(area, "updateDataset", () => client.updateDataset({ datasetId, description: "changed" }));
  await check(area, "readDataset", () => client.readDataset({ datasetName: name }), ({ description }) => description === "changed");
  await check(area, "hasDataset", async () => [await client.hasDataset({ datasetName: name }),
    await client.hasDataset({ datasetName: `${name}-none` })], same([true, false]));
  await check(area, "listDatasets", () => client.listDatasets({ datasetNameContains: prefix, metadata: { team: "a" } }),
    (found) => found.length === 1 && found[0].id === datasetId);
  await check(area, "getDatasetUrl", () => client.getDatasetUrl({ datasetId }), (url) => url.includes(datasetId));
  await check(area, "uploadCsv", () => client.uploadCsv({ csvFile: "q,a\n1,2\n", fileName: "f.csv", inputKeys: ["q"],
    outputKeys: ["a"], name: `${name}-csv` }));
  await check(area, "readDatasetOpenaiFinetuning", () => client.readDatasetOpenaiFinetuning({ datasetId }));
  await check(area, "clonePublicDataset", () => client.clonePublicDataset(randomUUID()));
  const versions = "Versions and splits of datasets";
  await check(versions, "readDatasetVersion", () => client.readDatasetVersion({ datasetId, asOf: new Date() }));
  await check(versions, "updateDatasetTag", () => client.updateDatasetTag({ datasetId, asOf: new Date(), tag: "prod" }));
  await check(versions, "diffDatasetVersions", () => client.diffDatasetVersions({ datasetId, fromVersion: new Date(),
    toVersion: new Date() }));
  await check(versions, "listDatasetSplits", () => client.listDatasetSplits({ datasetId }));
  await check(versions, "updateDatasetSplits", () => client.updateDatasetSplits({ datasetId, splitName: "s",
    exampleIds: [randomUUID()] }));
  const shared = "Sharing";
  await check(shared, "shareDataset", () => client.shareDataset(datasetId));
  await check(shared, "unshareDataset", () => client.unshareDataset(datasetId));
  await check(shared, "readDatasetSharedSchema", () => client.readDatasetSharedSchema(datasetId));
  await check(shared, "readSharedDataset", () => client.readSharedDataset(randomUUID()));
  await check(shared, "listSharedExamples", () => client.listSharedExamples(randomUUID()));
  return dataset;
}

async function examples(datasetId) {
  const area = "Examples";
  await check(area, "createExamples", () => client.createExamples([1, 2, 3].map((q) => ({ dataset_id: datasetId, inputs: { q },
    outputs: { a: q * q }, metadata: { odd: q % 2 === 1 } }))), (made) => made.length === 3);
  const one = await check(area, "createExample", () => client.createExample({ dataset_id: datasetId, inputs: { q: 4 },
    outputs: { a: 0 } }));
  await check(area, "updateExample", () => client.updateExample({ id: one.id, outputs: { a: 16 } }));
  await check(area, "updateExamples", () => client.updateExamples([{ id: one.id, dataset_id: datasetId, metadata: { odd: false } }]));
  const read = await check(area, "readExample", () => client.readExample(one.id), ({ outputs }) => outputs.a === 16);
  const llm = await check(area, "createLLMExample", () => client.createLLMExample("p", "g", { datasetId }));
  const chat = await check(area, "createChatExample", () => client.createChatExample([{ role: "user", content: "c" }], undefined,
    { datasetId }));
  await check(area, "listExamples", () => client.listExamples({ datasetId, metadata: { odd: true } }),
    (found) => isDeepStrictEqual(found.map(({ inputs }) => inputs.q).sort(), [1, 3]));
  await check(area, "listExamples", () => client.listExamples({ datasetId, asOf: read.modified_at }),
    (found) => isDeepStrictEqual(found.map(({ inputs }) => inputs.q).sort(), [1, 2, 3, 4]));
  await check(area, "deleteExample", () => client.deleteExample(llm.id));
  await check(area, "deleteExamples", () => client.deleteExamples([chat.id]));
  await check(area, "uploadExamplesMultipart", () => client.uploadExamplesMultipart(datasetId, []));
  await check(area, "updateExamplesMultipart", () => client.updateExamplesMultipart(datasetId, []));
}

async function feedback(runId) {
  const area = "Feedback";
  const given = await check(area, "createFeedback", () => client.createFeedback(runId, "correct", { score: 1, comment: "good" }));
  await check(area, "updateFeedback", () => client.updateFeedback(given.id, { score: 0.5 }));
  await check(area, "readFeedback", () => client.readFeedback(given.id), ({ score, trace_id }) => score === 0.5 && trace_id === runId);
  await check(area, "listFeedback", () => client.listFeedback({ runIds: [runId], feedbackKeys: ["correct"] }),
    (found) => found.length === 1 && found[0].id === given.id);
  await check(area, "logEvaluationFeedback", async () => client.logEvaluationFeedback({ key: "logged", score: 1 },
    await client.readRun(runId)));
  await check(area, "deleteFeedback", () => client.deleteFeedback(given.id));
  const tokens = "Feedback without a key";
  await check(tokens, "createPresignedFeedbackToken", () => client.createPresignedFeedbackToken(runId, "k"));
  await check(tokens, "listPresignedFeedbackTokens", () => client.listPresignedFeedbackTokens(runId));
  const configs = "Configurations of feedback";
  await check(configs, "createFeedbackConfig", () => client.createFeedbackConfig({ feedbackKey: "k",
    feedbackConfig: { type: "continuous" } }));
  await check(configs, "listFeedbackConfigs", () => client.listFeedbackConfigs());
  await check(configs, "updateFeedbackConfig", () => client.updateFeedbackConfig("k", { isLowerScoreBetter: true }));
  await check(configs, "deleteFeedbackConfig", () => client.deleteFeedbackConfig("k"));
}

async function experiments(name) {
  const area = "Experiments";
  const correct = ({ outputs, referenceOutputs }) => ({ key: "correct", score: outputs.a === referenceOutputs.a });
  const ran = await check(area, "evaluate", () => evaluate(async ({ q }) => ({ a: q < 3 ? q * q : 0 }),
    { client: batching, data: name, evaluators: [correct], experimentPrefix: prefix }), ({ results }) => results.length === 4);
  await check(area, "createComparativeExperiment", async () => client.createComparativeExperiment({ name: "c",
    experimentIds: [(await client.readProject({ projectName: ran.experimentName })).id] }));
  return ran.experimentName;
}

async function tracing() {
  const area = "Tracing";
  const project = `${prefix}-traced`;
  const byName = async (of) => Object.fromEntries((await all(client.listRuns({ projectName: of }))).map((run) => [run.name, run]));
  await check(area, "traceable", async () => {
    const options = { client: batching, project_name: project, tracingEnabled: true };
    const tool = traceable(async (q) => ({ found: q }), { ...options, name: "tool", run_type: "tool" });
    await traceable(async (q) => tool(q), { ...options, name: "agent" })("x");
    await batching.awaitPendingTraceBatches();
    return byName(project);
  }, ({ agent, tool }) => tool.parent_run_id === agent.id);
  await check(area, "RunTree", async () => {
    const root = new RunTree({ name: "tree", inputs: { q: 1 }, project_name: `${project}-tree`, client: batching });
    const leaf = root.createChild({ name: "leaf", run_type: "llm" });
    await leaf.end({ a: 1 });
    await leaf.postRun();
    await root.end({ a: 1 });
    await root.postRun();
    await batching.awaitPendingTraceBatches();
    return byName(`${project}-tree`);
  }, ({ tree, leaf }) => leaf.parent_run_id === tree.id);
}

async function generated({ project, id }, datasetId, experiment) {
  const area = "Version 2 (`client.runs`, `client.threads`, ...)";
  const project_id = (await client.readProject({ projectName: project })).id;
  const experiment_id = (await client.readProject({ projectName: experiment })).id;
  const selects = ["ID", "NAME", "RUN_TYPE", "STATUS", "START_TIME", "INPUTS", "OUTPUTS", "THREAD_ID", "TOTAL_COST"];
  await check(area, "runs.query", () => client.runs.query({ project_ids: [project_id], is_root: true, selects, page_size: 2 }),
    (found) => found.length === 3 && found.every(({ status }) => status === "SUCCESS"));
  await check(area, "runs.retrieve", () => client.runs.retrieve(id, { project_id, selects }),
    ({ name, thread_id }) => name === "first" && thread_id === "thread 1");
  await check(area, "runs.getURL", () => client.runs.getURL(id, { project_id, trace_id: id }));
  await check(area, "runs.streaming", () => client.runs.streaming.queryV2({ project_ids: [project_id] }));
  await check(area, "runs.share", () => client.runs.share.create(id, { project_id }));
  await check(area, "threads.query", () => client.threads.query({ project_id }),
    (found) => found.length === 1 && found[0].thread_id === "thread 1" && found[0].count === 1);
  await check(area, "threads.listTraces", () => client.threads.listTraces("thread 1", { project_id, selects: ["NAME", "INPUTS"] }),
    (found) => found.length === 1 && found[0].trace_id === id && found[0].inputs.q === 1);
  await check(area, "threads.stats", () => client.threads.stats("thread 1", { session_id: project_id, selects: ["TURNS"] }));
  await check(area, "threads.aggregateStats", () => client.threads.aggregateStats({ project_id, select: ["THREAD_COUNT"] }));
  await check(area, "threads.streaming", () => client.threads.streaming.query({ project_id }));
  await check(area, "threads.share", () => client.threads.share.create("thread 1", { project_id }));
  await check(area, "traces.query", () => client.traces.query({ project_id }));
  await check(area, "traces.listRuns", () => client.traces.listRuns(id, { project_id }));
  await check(area, "datasets.experimentRuns.query", () => client.datasets.experimentRuns.query(datasetId,
    { experiment_ids: [experiment_id], selects: ["ID", "OUTPUTS"], page_size: 3 }),
  (rows) => isDeepStrictEqual(rows.map((row) => row.runs.length), [1, 1, 1, 1]));
  await check(area, "datasets.listV2", () => client.datasets.listV2());
  await check(area, "sessions.create", () => client.sessions.create({ name: `${prefix}-session` }));
  await check(area, "sessions.retrieve", () => client.sessions.retrieve(project_id), ({ name }) => name === project);
  await check(area, "sessions.listV2", () => client.sessions.listV2());
  await check(area, "annotationQueues", () => client.annotationQueues.retrieve(randomUUID()));
  await check(area, "evaluators", () => client.evaluators.list());
  await check(area, "agents", () => client.agents.list());
  await check(area, "sandboxes", () => client.sandboxes.snapshots.list());
  await check(area, "public", () => client.public.runs.retrieve(id, { share_token: randomUUID() }));
}

async function others(runId) {
  const queues = "Annotation queues";
  const queue = randomUUID();
  await check(queues, "listAnnotationQueues", () => client.listAnnotationQueues());
  await check(queues, "createAnnotationQueue", () => client.createAnnotationQueue({ name: "q" }));
  await check(queues, "readAnnotationQueue", () => client.readAnnotationQueue(queue));
  await check(queues, "updateAnnotationQueue", () => client.updateAnnotationQueue(queue, { name: "q" }));
  await check(queues, "deleteAnnotationQueue", () => client.deleteAnnotationQueue(queue));
  await check(queues, "addRunsToAnnotationQueue", () => client.addRunsToAnnotationQueue(queue, [runId]));
  await check(queues, "getRunFromAnnotationQueue", () => client.getRunFromAnnotationQueue(queue, 0));
  await check(queues, "deleteRunFromAnnotationQueue", () => client.deleteRunFromAnnotationQueue(queue, runId));
  await check(queues, "getSizeFromAnnotationQueue", () => client.getSizeFromAnnotationQueue(queue));
  const prompts = "Prompts, agents and skills";
  await check(prompts, "listPrompts", () => client.listPrompts());
  await check(prompts, "createPrompt", () => client.createPrompt("p"));
  await check(prompts, "updatePrompt", () => client.updatePrompt("p", { description: "d" }));
  await check(prompts, "deletePrompt", () => client.deletePrompt("p"));
  await check(prompts, "likePrompt", () => client.likePrompt("p"));
  await check(prompts, "unlikePrompt", () => client.unlikePrompt("p"));
  await check(prompts, "createCommit", () => client.createCommit("p", {}));
  await check(prompts, "listCommits", () => client.listCommits("p"));
  await check(prompts, "pullPromptCommit", () => client.pullPromptCommit("p"));
  await check(prompts, "pushPrompt", () => client.pushPrompt("p"));
  await check(prompts, "listAgents", () => client.listAgents());
  await check(prompts, "listSkills", () => client.listSkills());
  await check(prompts, "pullAgent", () => client.pullAgent("a"));
  await check(prompts, "pullSkill", () => client.pullSkill("a"));
}

const traced = await runs();
await projects();
const dataset = await datasets();
await examples(dataset.id);
await feedback(traced.id);
const experiment = await experiments(dataset.name);
await tracing();
await generated(traced, dataset.id, experiment);
await others(traced.id);
await check("Datasets", "deleteDataset", () => client.deleteDataset({ datasetId: dataset.id }));

console.log(JSON.stringify({
  version: __version__,
  warnings: warnings.filter((warning) => /backend version|older than|Failed to|dropped/i.test(warning)),
  areas: [...areas].map(([area, methods]) => ({
    area, methods: [...methods].map((method) => ({ method, problem: problems.get(method) })),
  })),
}));
