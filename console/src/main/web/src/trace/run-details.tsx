import { useEffect, useState } from 'preact/hooks';
import { get, getList, send, workspace, type Schemas } from '../api/client';
import { useQuery } from '../api/query';
import { oneOf, useUrlState } from '../app/router';
import { home } from '../app/shell';
import { exampleHref } from '../datasets/links';
import { copyText } from '../ui/copy';
import { Tabs, type Tab } from '../ui/dialog';
import { absolute, bytes, cost, count, isolated, seconds } from '../ui/format';
import { Icon } from '../ui/icons';
import { JsonTree } from '../ui/json';
import { Empty, ErrorState, Loading } from '../ui/states';
import { AddToDataset } from './add-to-dataset';
import { Conversation } from './conversation';
import { FeedbackTab } from './feedback';
import { messagesOf } from './messages';

export type Run = Schemas['RunResponse'];

const TABS = ['messages', 'io', 'metadata', 'feedback', 'raw'] as const;
const STATE = { tab: oneOf(['auto', ...TABS] as const, 'auto') };

/** The dataset is that of the trace's experiment. */
export function RunDetails({ runId, datasetId }: { runId: string; datasetId: string | undefined }) {
  const { state, set } = useUrlState(STATE);
  const [running, setRunning] = useState<string>();
  const run = useQuery(`run ${workspace.value} ${runId}`, (signal) => get('/api/v1/runs/{run_id}', { path: { run_id: runId }, signal }), {
    changes: running === undefined ? undefined : { types: ['runs'], sessions: [running] },
  });
  useEffect(() => setRunning(run.data?.status === 'pending' ? run.data.session_id : undefined), [run.data]);
  if (run.error && !run.data) {
    return (
      <div class="trace-right">
        <ErrorState error={run.error} retry={run.reload} />
      </div>
    );
  }
  if (!run.data) {
    return (
      <div class="trace-right">
        <div class="run-body">
          <Loading what="the run" rows={10} />
        </div>
      </div>
    );
  }
  const { data } = run;
  const hasMessages = messagesOf(data.inputs).length + messagesOf(data.outputs, 'assistant').length > 0;
  const tabs: Tab<(typeof TABS)[number]>[] = [
    ...(hasMessages ? [{ id: 'messages' as const, label: 'Messages' }] : []),
    { id: 'io', label: 'Input and output' },
    { id: 'metadata', label: 'Metadata' },
    { id: 'feedback', label: 'Feedback' },
    { id: 'raw', label: 'Raw' },
  ];
  const wanted = tabs.find((tab) => tab.id === state.tab)?.id;
  const tab = wanted ?? tabs[0]!.id;
  return (
    <section class="trace-right" aria-label="Selected run">
      <Header run={data} />
      <div class="run-head">
        <Tabs label="Parts of the run" tabs={tabs} selected={tab} onSelect={(id) => set({ tab: id }, { replace: true })} />
      </div>
      <div class="run-body" role="tabpanel" tabIndex={0} key={`${runId} ${tab}`}>
        {data.error && (tab === 'messages' || tab === 'io') && <pre class="error-box text-content">{data.error}</pre>}
        <Content run={data} tab={tab} datasetId={datasetId} />
      </div>
    </section>
  );
}

function Header({ run }: { run: Run }) {
  const [adding, setAdding] = useState(false);
  const first = run.first_token_time ? (Date.parse(run.first_token_time) - Date.parse(run.start_time)) / 1000 : null;
  return (
    <header class="run-head">
      <div class="row wrap">
        <span class={`type ${run.run_type}`}>{run.run_type}</span>
        <h2 class="grow ellipsis" title={run.name.slice(0, 500)}>
          <bdi>{run.name.slice(0, 500)}</bdi>
        </h2>
        <span class={`badge ${run.status === 'error' ? 'error' : ''}`}>{run.status}</span>
        <button class="button quiet" type="button" onClick={() => copyText(curl(run.id), 'The curl command was copied')}>
          <Icon name="copy" size={14} /> curl
        </button>
        <button class="button quiet" type="button" onClick={() => setAdding(true)}>
          Add to dataset
        </button>
        {adding && <AddToDataset run={run} onClose={() => setAdding(false)} />}
      </div>
      <dl class="stats">
        <Fact name="Duration" value={seconds(run.latency)} />
        {first !== null && <Fact name="First token" value={seconds(first)} />}
        {run.total_tokens !== null && run.total_tokens !== undefined && <Fact name="Tokens" value={`${count(run.total_tokens)} (${count(run.prompt_tokens)} in, ${count(run.completion_tokens)} out)`} />}
        {run.total_cost !== null && run.total_cost !== undefined && <Fact name="Cost" value={cost(run.total_cost)} />}
        <Fact name="Started" value={absolute(run.start_time)} />
      </dl>
    </header>
  );
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

function curl(id: string): string {
  return `curl -sS -H "X-API-Key: $WAYBILL_API_KEY" "$WAYBILL_EXPERIMENT_URL/api/v1/runs/${id}"`;
}

function Content({ run, tab, datasetId }: { run: Run; tab: (typeof TABS)[number]; datasetId: string | undefined }) {
  switch (tab) {
    case 'messages':
      return (
        <>
          <Conversation inputs={run.inputs} outputs={run.outputs} />
          <Attachments run={run} />
        </>
      );
    case 'io':
      return (
        <div class="stack">
          {run.inputs === null || run.inputs === undefined ? <p class="faint">No inputs</p> : <JsonTree key={`${run.id} in`} label="Inputs" value={run.inputs} />}
          {run.outputs === null || run.outputs === undefined ? <p class="faint">No outputs{run.status === 'pending' ? ' yet' : ''}</p> : <JsonTree key={`${run.id} out`} label="Outputs" value={run.outputs} />}
          <Attachments run={run} />
        </div>
      );
    case 'metadata':
      return <Metadata run={run} datasetId={datasetId} />;
    case 'feedback':
      return <FeedbackTab run={run} />;
    case 'raw':
      return <JsonTree label="Run" value={run} />;
  }
}

function Metadata({ run, datasetId }: { run: Run; datasetId: string | undefined }) {
  const facts: readonly (readonly [string, string | null | undefined, (string | undefined)?])[] = [
    ['Run', run.id],
    ['Trace', run.trace_id],
    ['Project', run.session_name ?? run.session_id, `${home()}/projects/${run.session_id}`],
    ['Thread', run.thread_id],
    ['Example', run.reference_example_id, datasetId && run.reference_example_id ? exampleHref(datasetId, run.reference_example_id) : undefined],
    ['Started', run.start_time],
    ['Ended', run.end_time],
    ['Tags', run.tags?.map(isolated).join(', ')],
  ];
  const metadata = run.metadata as unknown as object | null;
  return (
    <div class="stack">
      <table class="table">
        <tbody>
          {facts.map(
            ([name, value, href]) =>
              value && (
                <tr key={name}>
                  <td class="muted nowrap">{name}</td>
                  <td class="mono text-content">{href ? <a href={href}>{value}</a> : value}</td>
                </tr>
              ),
          )}
        </tbody>
      </table>
      {metadata && Object.keys(metadata).length > 0 ? <JsonTree label="Metadata" value={metadata} /> : <Empty title="No metadata">Clients send it in extra.metadata.</Empty>}
      {run.events !== null && run.events !== undefined && <JsonTree label="Events" value={run.events} />}
    </div>
  );
}

/** Images are read as data: the policy of the page allows no other images, and links of services need no key. */
async function readImages(run: Run, signal: AbortSignal) {
  const { items } = await getList('/api/v1/runs/{run_id}/attachments', { path: { run_id: run.id }, signal });
  return Promise.all(
    items.map(async (item) => {
      const isImage = /^image\/(png|jpeg|gif|webp|avif)$/.test(item.content_type ?? '') && item.size < 8_000_000;
      return { item, image: isImage ? await dataUrl(await send('get', '/api/v1/runs/{run_id}/attachments/{name}', { path: { run_id: run.id, name: item.name }, accept: '*/*', signal })) : null };
    }),
  );
}

async function dataUrl(response: Response): Promise<string> {
  const blob = await response.blob();
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });
}

function Attachments({ run }: { run: Run }) {
  const has = run.s3_urls !== null && run.s3_urls !== undefined;
  const images = useQuery(has ? `attachments ${run.id}` : null, (signal) => readImages(run, signal));
  if (images.error && !images.data) {
    return <ErrorState error={images.error} retry={images.reload} />;
  }
  if (!has || !images.data?.length) {
    return null;
  }
  return (
    <section>
      <h3>Attachments</h3>
      {images.data.map(({ item, image }) => (
        <figure key={item.name} class="message">
          <header>
            <bdi>{item.name}</bdi>
            <span class="faint">
              {item.content_type} · {bytes(item.size)}
            </span>
          </header>
          {image && (
            <div class="part">
              <img src={image} alt={item.name} />
            </div>
          )}
        </figure>
      ))}
    </section>
  );
}
