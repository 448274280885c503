import { get, workspace } from '../api/client';
import { useQuery } from '../api/query';
import { CopyButton } from '../ui/copy';
import { Tabs } from '../ui/dialog';
import { Empty, Pending } from '../ui/states';
import { isActive } from './model';
import type { Export } from './types';

/** Code that reads the files with each tool. */
export function SnippetTabs({ one, tool, onTool }: { one: Export; tool: string; onTool: (tool: string) => void }) {
  const found = useQuery(`export snippets ${workspace.value} ${one.id} ${one.status}`, (signal) => get('/api/v1/bulk-exports/{export_id}/snippets', { path: { export_id: one.id }, signal }));
  if (!found.data) {
    return <Pending query={found} what="the snippets" />;
  }
  const { snippets } = found.data;
  const shown = snippets.find((snippet) => snippet.tool === tool) ?? snippets[0];
  if (!shown) {
    return <Empty title="Nothing to read">{isActive(one) ? 'Code that reads the files appears when the export is completed.' : 'The export has no files.'}</Empty>;
  }
  return (
    <section class="card part">
      <Tabs label="Tools" selected={shown.tool} tabs={snippets.map((snippet) => ({ id: snippet.tool, label: snippet.title.replace(/ \(.*/, '') }))} onSelect={onTool} />
      <div class="row wrap strip-head">
        <p class="muted grow">
          {shown.title}, {shown.language}. Replace the placeholders in angle brackets; the code contains no secret.
        </p>
        <CopyButton label="Copy" done={`The code for ${shown.title} was copied`} text={shown.text} />
      </div>
      <pre class="code snippet" tabIndex={0} aria-label={`Code for ${shown.title}`}>
        {shown.text}
      </pre>
    </section>
  );
}
