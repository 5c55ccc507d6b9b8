import { dirname } from 'node:path';
import * as vscode from 'vscode';
import { isGoFile } from './gutter';
import { type Forest, type Message, type MessageType, type Page, TYPES } from './protocol';
import type { Server } from './server';
import type { Shown } from './settings';
import type { ViewState } from './state';
import { type Node, type Step, Tree } from './tree';

/** The view "Escape analysis": what it is of, its title, and what can be done with its nodes. */
export class View implements vscode.Disposable {
  readonly tree: Tree;
  private readonly view: vscode.TreeView<Node>;
  private readonly events: vscode.Disposable;
  private file: vscode.Uri | undefined;
  private page: Page | undefined;

  constructor(
    private readonly server: Server,
    private readonly state: ViewState,
    private readonly shown: Shown,
  ) {
    this.tree = new Tree(server, () => this.forest());
    this.view = vscode.window.createTreeView('escapelens.tree', {
      treeDataProvider: this.tree,
      showCollapseAll: true,
    });
    this.file = goFile(vscode.window.activeTextEditor);
    this.events = vscode.Disposable.from(
      this.tree,
      this.view,
      this.tree.onDidLoad((page) => this.loaded(page)),
      state.onDidChange(() => this.refresh()),
      vscode.window.onDidChangeActiveTextEditor((editor) => this.moved(goFile(editor))),
    );
    this.refresh();
  }

  /** The file that the scope is around: the Go file that was looked at last. */
  get around(): vscode.Uri | undefined {
    return this.file;
  }

  /** How many messages there are of each type, before the filter by types. */
  get counts(): Partial<Record<MessageType, number>> {
    return this.page?.types ?? {};
  }

  /** Ask for everything that is shown again. */
  refresh(): void {
    const { scope, environmentLabel, source } = this.state;
    const hidden = this.shown.hidden ? ' · hidden' : '';
    const own = environmentLabel === '' || source.title.includes(environmentLabel) ? '' : `${environmentLabel} · `;
    this.view.description = own + (source.title || `this ${scope}`) + hidden;
    void vscode.commands.executeCommand('setContext', 'escapelens.hidden', this.shown.hidden);
    this.tree.refresh();
  }

  /** What the view is of. Undefined as long as no Go file was looked at. */
  forest(): Forest | undefined {
    if (this.file === undefined) {
      return undefined;
    }
    const { scope, groupBy, sort, text, source } = this.state;
    const { run, compare } = source;
    return {
      uri: this.file.toString(),
      scope,
      groupBy: compare === undefined ? groupBy : ['change', ...groupBy],
      filter: { text },
      sort,
      ...(run === undefined ? {} : { run }),
      ...(compare === undefined ? {} : { compare }),
    };
  }

  /** Go to a message's place in its file, as it is now. */
  async open(node: Node): Promise<void> {
    if (node.kind !== 'message' || node.message.uri === null) {
      return;
    }
    const { start, end } = (await this.now(node.message)).range;
    const selection = new vscode.Range(start.line, start.character, end.line, end.character);
    await vscode.window.showTextDocument(vscode.Uri.parse(node.message.uri), { selection });
  }

  /** Show the message at the cursor in the tree. */
  async reveal(): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    const forest = this.forest();
    if (editor === undefined || forest === undefined || !isGoFile(editor.document)) {
      return;
    }
    const { line, character } = editor.selection.active;
    const argument = { ...forest, uri: editor.document.uri.toString(), position: { line, character } };
    const answer = await this.server.command<{ path: Step[] }>('escapelens.reveal', argument);
    const node = this.tree.at(answer?.path ?? []);
    if (node === undefined) {
      void vscode.window.showInformationMessage('Nothing that is shown is said about this file.');
      return;
    }
    await this.view.reveal(node, { select: true, focus: true, expand: false });
  }

  /** Copy the messages below a node, by default all, one a line. */
  async copy(node: Node | undefined): Promise<void> {
    const forest = this.forest();
    if (node?.kind === 'message') {
      const { uri, range, message } = node.message;
      const path = uri === null ? '-' : vscode.Uri.parse(uri).fsPath;
      await vscode.env.clipboard.writeText(`${path}:${range.start.line + 1}:${range.start.character + 1}: ${message}\n`);
    } else if (forest !== undefined) {
      const answer = await this.server.command<{ text: string }>('escapelens.copy', { ...forest, parent: node?.keys ?? [] });
      await vscode.env.clipboard.writeText(answer?.text ?? '');
    }
  }

  dispose(): void {
    this.events.dispose();
  }

  /** A message where it is in its file now: the tree may be older than the last edit. */
  private async now(message: Message): Promise<Message> {
    const document = vscode.workspace.textDocuments.find((open) => open.uri.toString() === message.uri);
    if (document?.isDirty !== true || message.change !== null) {
      return message;
    }
    const types = TYPES.map(({ id }) => id);
    for (let offset = 0; ; ) {
      const argument = { uri: message.uri, filter: { types }, offset };
      const page = await this.server.command<Page>('escapelens.messages', argument);
      const found = page?.nodes.find((node) => node.node === 'message' && node.id === message.id);
      offset += page?.nodes.length ?? 0;
      if (found?.node === 'message') {
        return found;
      }
      if (page === undefined || page.nodes.length === 0 || offset >= page.total) {
        return message;
      }
    }
  }

  private moved(file: vscode.Uri | undefined): void {
    if (file === undefined || file.toString() === this.file?.toString()) {
      return;
    }
    const before = this.file;
    this.file = file;
    if (this.state.scope === 'file' || before === undefined || dirname(before.path) !== dirname(file.path)) {
      this.refresh();
    }
  }

  private loaded(page: Page): void {
    this.page = page;
    const { text, source } = this.state;
    if (source.compare !== undefined) {
      const parts = page.nodes.map((node) => (node.node === 'group' ? `${node.count} ${node.label.toLowerCase()}` : ''));
      this.view.message = parts.join(' · ') || 'Nothing changed between these two runs.';
      return;
    }
    const found = page.nodes.reduce((sum, node) => sum + (node.node === 'group' ? node.count : 1), 0);
    const count = `${found.toLocaleString('en')}${page.total > page.nodes.length ? '+' : ''}`;
    this.view.message = text === '' ? '' : `Filter: ${text} (${count})`;
  }
}

function goFile(editor: vscode.TextEditor | undefined): vscode.Uri | undefined {
  return editor !== undefined && isGoFile(editor.document) ? editor.document.uri : undefined;
}
