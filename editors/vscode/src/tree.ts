import * as vscode from 'vscode';
import { icons } from './icons';
import { markOf } from './marks';
import type { Forest, Group, Message, Page } from './protocol';
import type { Server } from './server';

/** No node has more children: beyond it the last one holds what is left. */
export const CHILDREN = 500;
const FIRST = CHILDREN - 1;

/** A node of the view. `keys` open a group at the server; `from` and `to` are places among its children. */
export type Node = GroupNode | MessageNode | RangeNode;

interface Base {
  readonly id: string;
  readonly parent: Node | undefined;
  readonly depth: number;
}
interface GroupNode extends Base {
  readonly kind: 'group';
  readonly group: Group;
  readonly keys: readonly string[];
}
export interface MessageNode extends Base {
  readonly kind: 'message';
  readonly message: Message;
}
interface RangeNode extends Base {
  readonly kind: 'range';
  readonly keys: readonly string[];
  readonly from: number;
  readonly to: number;
}

/** A node on the way to a message, with its place among its siblings. */
export type Step = (Group | Message) & { readonly index: number; readonly total: number };

/** The tree of messages: asks the server for the children of a node when it is opened. */
export class Tree implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.changed.event;
  private readonly loaded = new vscode.EventEmitter<Page>();
  /** The root's first page, each time it is asked for. */
  readonly onDidLoad = this.loaded.event;
  private expanded = 0;
  private turn = 0;

  constructor(
    private readonly server: Server,
    private readonly forest: () => Forest | undefined,
  ) {}

  /** Ask for everything that is open again. */
  refresh(): void {
    this.changed.fire(undefined);
  }

  /** Open the first levels of everything; nodes opened before start anew. */
  expand(levels: number): void {
    this.expanded = levels;
    this.turn += 1;
    this.refresh();
  }

  getParent(node: Node): Node | undefined {
    return node.parent;
  }

  async getChildren(node?: Node): Promise<Node[]> {
    const forest = this.forest();
    if (forest === undefined || node?.kind === 'message') {
      return [];
    }
    const keys = node?.keys ?? [];
    if (node?.kind === 'range' && node.to - node.from > CHILDREN) {
      return ranges(node);
    }
    const from = node?.kind === 'range' ? node.from : 0;
    const limit = node?.kind === 'range' ? node.to - node.from : CHILDREN;
    const page = await this.server.command<Page>('escapelens.messages', { ...forest, parent: keys, offset: from, limit });
    if (page === undefined) {
      return [];
    }
    if (node === undefined) {
      this.loaded.fire(page);
    }
    const more = node?.kind !== 'range' && page.total > CHILDREN;
    const nodes = this.nodes(more ? page.nodes.slice(0, FIRST) : page.nodes, node, keys);
    return more ? [...nodes, range(node, keys, FIRST, page.total)] : nodes;
  }

  getTreeItem(node: Node): vscode.TreeItem {
    const item = node.kind === 'group' ? groupItem(node) : node.kind === 'range' ? rangeItem(node) : messageItem(node);
    item.id = `${this.turn} ${node.id}`;
    if (node.kind === 'group' && node.depth < this.expanded) {
      item.collapsibleState = vscode.TreeItemCollapsibleState.Expanded;
    }
    return item;
  }

  /** The node at the end of a way from the root, as `escapelens.reveal` answers it. */
  at(way: readonly Step[]): Node | undefined {
    let node: Node | undefined;
    for (const step of way) {
      const { index, total } = step;
      const keys = node?.kind === 'group' ? node.keys : [];
      let holder = node;
      if (total > CHILDREN && index >= FIRST) {
        const more = range(node, keys, FIRST, total);
        holder = ranges(more).find(({ from, to }) => from <= index && index < to) ?? more;
      }
      node = this.nodes([step], holder, keys)[0];
    }
    return node;
  }

  dispose(): void {
    this.changed.dispose();
    this.loaded.dispose();
  }

  private nodes(found: readonly (Group | Message)[], parent: Node | undefined, keys: readonly string[]): Node[] {
    const depth = parent === undefined ? 0 : parent.depth + (parent.kind === 'group' ? 1 : 0);
    const seen = new Map<string, number>();
    return found.map((entry) => {
      const own = entry.node === 'group' ? `${entry.by}:${entry.key}` : entry.id;
      // Two variables of one name may share a point: each is a node.
      const twin = seen.get(own) ?? 0;
      seen.set(own, twin + 1);
      const id = `${keys.join('\n')}\n${own}${twin > 0 ? `#${twin}` : ''}`;
      const base = { id, parent, depth };
      return entry.node === 'group'
        ? { ...base, kind: 'group', group: entry, keys: [...keys, entry.key] }
        : { ...base, kind: 'message', message: entry };
    });
  }
}

function range(parent: Node | undefined, keys: readonly string[], from: number, to: number): RangeNode {
  const depth = parent === undefined ? 0 : parent.depth + (parent.kind === 'group' ? 1 : 0);
  return { kind: 'range', id: `${keys.join('\n')}\n${from}-${to}`, parent, depth, keys, from, to };
}

/** What a range of many holds: ranges of as many as a node may have. */
function ranges(node: RangeNode): RangeNode[] {
  if (node.to - node.from <= CHILDREN) {
    return [node];
  }
  const size = Math.max(CHILDREN, Math.ceil((node.to - node.from) / CHILDREN));
  const found: RangeNode[] = [];
  for (let from = node.from; from < node.to; from += size) {
    found.push(range(node, node.keys, from, Math.min(from + size, node.to)));
  }
  return found;
}

function groupItem({ group }: GroupNode): vscode.TreeItem {
  const item = new vscode.TreeItem(group.label, vscode.TreeItemCollapsibleState.Collapsed);
  item.description = group.loop > 0 ? `${group.count} · ${group.loop} in loops` : String(group.count);
  item.contextValue = 'group';
  if (group.by === 'file' && group.uri !== null) {
    item.resourceUri = vscode.Uri.parse(group.uri);
    item.iconPath = vscode.ThemeIcon.File;
    item.tooltip = item.resourceUri.fsPath;
  } else if (group.by === 'type') {
    const strongest = Object.keys(group.types)[0];
    item.iconPath = icons(strongest === 'moved' || strongest === 'escape' || strongest === 'leak' ? strongest : 'other');
  } else if (group.by === 'change') {
    item.iconPath = icons(group.key === 'new' || group.key === 'gone' ? group.key : 'shifted');
  } else {
    const symbols = { function: 'symbol-method', cause: 'question', package: 'package' } as const;
    item.iconPath = new vscode.ThemeIcon(symbols[group.by as keyof typeof symbols] ?? 'list-tree');
  }
  return item;
}

function messageItem(node: MessageNode): vscode.TreeItem {
  const { message } = node;
  const item = new vscode.TreeItem(message.message);
  const { line, character } = message.range.start;
  const was = message.before === null ? '' : ` · was line ${message.before.line}`;
  item.description = `${line + 1}:${character + 1}${message.loop ? ' · in a loop' : ''}${was}`;
  item.tooltip = `${message.label}: ${message.message}${message.cause === null ? '' : ` (${message.cause})`}`;
  item.iconPath = icons(markOf(message), 1, message.stale);
  item.contextValue = 'message';
  item.command = { command: 'escapelens.view.open', title: 'Open', arguments: [node] };
  return item;
}

function rangeItem({ from, to, parent }: RangeNode): vscode.TreeItem {
  const first = parent?.kind !== 'range';
  const label = first ? `${(to - from).toLocaleString('en')} more` : `${(from + 1).toLocaleString('en')} – ${to.toLocaleString('en')}`;
  const item = new vscode.TreeItem(label, vscode.TreeItemCollapsibleState.Collapsed);
  item.iconPath = new vscode.ThemeIcon('ellipsis');
  return item;
}
