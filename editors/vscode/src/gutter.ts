import * as vscode from 'vscode';
import { icon, type Mark, MARKS } from './icons';
import type { Message, Page } from './protocol';
import type { Server } from './server';
import { clientSettings } from './settings';

const PAGE = 500;
/** Milliseconds after the last keystroke. */
const REST = 150;

type Key = `${Mark}${'' | ' stale'}`;

/** The marks in the glyph margin of all visible Go editors, one a line. */
export class Gutter implements vscode.Disposable {
  private readonly decorations = new Map<Key, vscode.TextEditorDecorationType>();
  private readonly latest = new WeakMap<vscode.TextDocument, number>();
  private readonly events: vscode.Disposable;
  private turn = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly server: Server) {
    for (const mark of MARKS) {
      this.decorations.set(mark, decoration(mark, false));
      this.decorations.set(`${mark} stale`, decoration(mark, true));
    }
    this.events = vscode.Disposable.from(
      vscode.window.onDidChangeVisibleTextEditors(() => this.refresh()),
      vscode.workspace.onDidChangeTextDocument((event) => this.edited(event)),
    );
  }

  /** Ask for the messages of all visible editors and draw them. */
  refresh(): void {
    const documents = new Set(vscode.window.visibleTextEditors.map((editor) => editor.document));
    for (const document of documents) {
      if (isGoFile(document)) {
        void this.draw(document);
      }
    }
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.events.dispose();
    for (const type of this.decorations.values()) {
      type.dispose();
    }
  }

  private edited({ document, contentChanges }: vscode.TextDocumentChangeEvent): void {
    if (isGoFile(document) && contentChanges.length > 0) {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.refresh(), REST);
    }
  }

  private async draw(document: vscode.TextDocument): Promise<void> {
    const turn = ++this.turn;
    this.latest.set(document, turn);
    const { version } = document;
    const messages = clientSettings().gutter ? await this.ask(document.uri.toString()) : [];
    if (this.latest.get(document) !== turn || document.version !== version) {
      return; // A newer question is under way.
    }
    const ranges = marks(messages, document);
    for (const editor of vscode.window.visibleTextEditors.filter((shown) => shown.document === document)) {
      for (const [key, type] of this.decorations) {
        editor.setDecorations(type, ranges.get(key) ?? []);
      }
    }
  }

  private async ask(uri: string): Promise<Message[]> {
    const messages: Message[] = [];
    for (;;) {
      const argument = { uri, offset: messages.length, limit: PAGE };
      const page = await this.server.command<Page>('escapelens.messages', argument);
      messages.push(...(page?.nodes ?? []));
      if (page === undefined || page.nodes.length === 0 || messages.length >= page.total) {
        return messages;
      }
    }
  }
}

function decoration(mark: Mark, stale: boolean): vscode.TextEditorDecorationType {
  return vscode.window.createTextEditorDecorationType({
    dark: { gutterIconPath: icon(mark, 'dark', stale) },
    light: { gutterIconPath: icon(mark, 'light', stale) },
    gutterIconSize: 'contain',
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
  });
}

/** One mark a line: that of the strongest message that begins there. */
function marks(messages: readonly Message[], document: vscode.TextDocument): Map<Key, vscode.Range[]> {
  const strongest = new Map<number, Message>();
  for (const message of messages) {
    const { line } = message.range.start;
    const other = strongest.get(line);
    if (line < document.lineCount && (other === undefined || rank(message) < rank(other))) {
      strongest.set(line, message);
    }
  }
  const ranges = new Map<Key, vscode.Range[]>();
  for (const [line, message] of strongest) {
    const mark = MARKS[rank(message)] ?? 'other';
    const key: Key = message.stale ? `${mark} stale` : mark;
    const { start, end } = message.range;
    const last = end.line === line ? end.character : document.lineAt(line).range.end.character;
    ranges.set(key, [...(ranges.get(key) ?? []), new vscode.Range(line, start.character, line, last)]);
  }
  return ranges;
}

function rank({ type }: Message): number {
  const found = MARKS.findIndex((mark) => mark === type);
  return found < 0 ? MARKS.length - 1 : found;
}

function isGoFile(document: vscode.TextDocument): boolean {
  return document.languageId === 'go' && document.uri.scheme === 'file';
}
