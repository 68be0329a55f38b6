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
  const twig = selected();
  return twig === undefined ? -1 : state.tree.rows().indexOf(twig);
}

function rowOf(twig: TreeNode | undefined, isActive: boolean) {
  if (twig === undefined) return { key: '', attributes: {}, content: null };
  const { cse, id, type, children, depth, parent } = twig;
  const label = depth === 1 ? cse : twig.name;
  const held = children > 0 ? `, ${counted(children, 'child', 'children')}` : '';
  return {
    key: `${cse}-${id}`,
    attributes: {
      ...{ role: 'treeitem' as const, class: `twig kind-${type}`, 'aria-level': depth, 'aria-selected': isActive },
      ...{ 'aria-setsize': parent?.below?.size ?? state.tree.roots.length, 'aria-posinset': twig.position },
      ...{ 'aria-label': `${label}, ${typeName(type)}${held}` },
      ...(children > 0 && { 'aria-expanded': twig.open }),
    },
    content: <TreeNodeView twig={twig} label={label} />,
  };
}

function TreeNodeView({ twig, label }: { twig: TreeNode; label: string }) {
  const { type, children, depth } = twig;
  const toggle = (event: Event): void => {
    event.stopPropagation();
    attempt(() => toggleNode(twig));
  };
  return (
    <>
      <span style={{ width: `${(depth - 1) * 16}px` }} class="indent" />
      <span class="turn" aria-hidden onClick={toggle}>
        {children > 0 && (twig.open ? '▾' : '▸')}
      </span>
      <span class={`kind kind-${type}`} aria-hidden>
        {type}
      </span>
      <span class="twig-name">{label}</span>
      {children > 0 && <span class="muted number">{children.toLocaleString('en')}</span>}
    </>
  );
}

function choose(twig: TreeNode | undefined): void {
  if (twig === undefined) return;
  if (state.view === 'tree' && isNarrow()) state.view = 'details';
  attempt(() => select(twig.cse, twig.id));
}

async function toggleNode(twig: TreeNode): Promise<void> {
  if (!twig.open) return open(twig);
  state.tree.close(twig);
  redraw();
}

function pressed(key: string): boolean {
  const twig = selected();
  if (twig === undefined) return false;
  if (key === 'ArrowRight' && twig.children > 0 && !twig.open) attempt(() => open(twig));
  else if (key === 'ArrowLeft' && twig.open) attempt(() => toggleNode(twig));
  else if (key === 'ArrowLeft' && twig.parent !== undefined) choose(twig.parent);
  else if (key === 'Enter' || key === ' ') attempt(() => toggleNode(twig));
  else return false;
  return true;
}
