/** The trees of all CSEs, one below the other. */
import { redraw } from '../../web/page/frames.ts';
import { counted, typeName } from './labels.ts';
import { List } from './list.tsx';
import { attempt, isNarrow, open, select, state } from './state.ts';
import type { TreeNode } from './tree-model.ts';

export function TreePane() {
  const rows = state.tree.rows();
  const total = Object.values(state.resources).reduce((sum, one) => sum + one, 0);
  const active = activeIndex();
  return (
    <section class="pane tree-pane" aria-labelledby="tree-title">
      <header class="pane-head">
        <h2 id="tree-title">Resources</h2>
        <span class="muted">{counted(total, 'resource')}</span>
      </header>
      <List
        {...{ id: 'tree', role: 'tree', label: 'Resources of all CSEs', count: rows.length, rowHeight: 28 }}
        {...{ active, current: activeIndex, onKey: pressed }}
        row={(at) => rowOf(rows[at], at === active)}
        choose={(at) => choose(rows[at])}
      />
    </section>
  );
}

function selected(): TreeNode | undefined {
  const { selected } = state;
  return selected && state.tree.node(selected.cse, selected.id);
}

function activeIndex(): number {
  const node = selected();
  return node === undefined ? -1 : state.tree.rows().indexOf(node);
}

function rowOf(node: TreeNode | undefined, isActive: boolean) {
  if (node === undefined) return { key: '', attributes: {}, content: null };
  const { cse, id, type, children, depth, parent } = node;
  const label = depth === 1 ? cse : node.name;
  const held = children > 0 ? `, ${counted(children, 'child', 'children')}` : '';
  return {
    key: `${cse}-${id}`,
    attributes: {
      ...{ role: 'treeitem' as const, class: `tree-node kind-${type}`, 'aria-level': depth, 'aria-selected': isActive },
      ...{ 'aria-setsize': parent?.below?.size ?? state.tree.roots.length, 'aria-posinset': node.position },
      ...{ 'aria-label': `${label}, ${typeName(type)}${held}` },
      ...(children > 0 && { 'aria-expanded': node.open }),
    },
    content: <TreeNodeView node={node} label={label} />,
  };
}

function TreeNodeView({ node, label }: { node: TreeNode; label: string }) {
  const { type, children, depth } = node;
  const toggle = (event: Event): void => {
    event.stopPropagation();
    attempt(() => toggleNode(node));
  };
  return (
    <>
      <span style={{ width: `${(depth - 1) * 16}px` }} class="indent" />
      <span class="turn" aria-hidden onClick={toggle}>
        {children > 0 && (node.open ? '▾' : '▸')}
      </span>
      <span class={`kind kind-${type}`} aria-hidden>
        {type}
      </span>
      <span class="tree-node-name">{label}</span>
      {children > 0 && <span class="muted number">{children.toLocaleString('en')}</span>}
    </>
  );
}

function choose(node: TreeNode | undefined): void {
  if (node === undefined) return;
  if (state.view === 'tree' && isNarrow()) state.view = 'details';
  attempt(() => select(node.cse, node.id));
}

async function toggleNode(node: TreeNode): Promise<void> {
  if (!node.open) return open(node);
  state.tree.close(node);
  redraw();
}

function pressed(key: string): boolean {
  const node = selected();
  if (node === undefined) return false;
  if (key === 'ArrowRight' && node.children > 0 && !node.open) attempt(() => open(node));
  else if (key === 'ArrowLeft' && node.open) attempt(() => toggleNode(node));
  else if (key === 'ArrowLeft' && node.parent !== undefined) choose(node.parent);
  else if (key === 'Enter' || key === ' ') attempt(() => toggleNode(node));
  else return false;
  return true;
}
