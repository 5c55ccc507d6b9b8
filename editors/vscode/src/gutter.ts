import * as vscode from 'vscode';
import { CHANGES, colour, icon, type Mark, MARKS, type Theme } from './icons';
import { type LineMark, lineMarks, markName, markOf } from './marks';
import type { Message, Page } from './protocol';
import type { Server } from './server';
import { clientSettings } from './settings';
import type { ViewState } from './state';

const PAGE = 500;
/** Milliseconds after the last keystroke. */
const REST = 150;

/** The marks of all visible Go editors: in the gutter, under the text, in the overview ruler. */
export class Gutter implements vscode.Disposable {
  private readonly drawn = new WeakMap<vscode.TextEditor, Set<string>>();
  private readonly types = new Map<string, vscode.TextEditorDecorationType>();
  private readonly latest = new WeakMap<vscode.TextDocument, number>();
  private readonly known = new WeakMap<vscode.TextDocument, Map<number, LineMark>>();
  private readonly events: vscode.Disposable;
  private turn = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly server: Server,
    private readonly state: ViewState,
  ) {
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

  /** What the gutter of a document has, by 1-based line. */
  marks(uri: vscode.Uri): Record<string, string> {
    const document = vscode.workspace.textDocuments.find((open) => open.uri.toString() === uri.toString());
    const found = (document && this.known.get(document)) ?? new Map<number, LineMark>();
    return Object.fromEntries([...found].map(([line, mark]) => [String(line + 1), markName(mark)]));
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.events.dispose();
    for (const type of this.types.values()) {
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
    const { gutter, underline, overviewRuler } = clientSettings();
    const messages = gutter || underline || overviewRuler ? await this.ask(document.uri.toString()) : [];
    if (this.latest.get(document) !== turn || document.version !== version) {
      return; // A newer question is under way.
    }
    const lines = lineMarks(messages, document.lineCount);
    this.known.set(document, lines);
    const ranges = new Map<string, vscode.Range[]>();
    const put = (key: string, range: vscode.Range): void => {
      const known = ranges.get(key);
      if (known === undefined) {
        ranges.set(key, [range]);
      } else {
        known.push(range);
      }
    };
    for (const [line, { mark, count, stale }] of lines) {
      // One decoration a line: a thousand more make each key slower.
      const places = [gutter ? 'gutter' : '', overviewRuler ? 'ruler' : ''].filter((place) => place !== '').join('+');
      if (places !== '') {
        put(`${places} ${mark} ${Math.min(count, 10)} ${stale ? 'stale' : ''}`, new vscode.Range(line, 0, line, 0));
      }
    }
    for (const message of underline ? messages : []) {
      if (message.change !== 'gone') {
        put(`underline ${markOf(message)}`, within(document, message));
      }
    }
    for (const editor of vscode.window.visibleTextEditors.filter((shown) => shown.document === document)) {
      this.set(editor, ranges);
    }
  }

  /** Draw what is there, and take away what was. */
  private set(editor: vscode.TextEditor, ranges: Map<string, vscode.Range[]>): void {
    for (const key of this.drawn.get(editor) ?? []) {
      if (!ranges.has(key)) {
        editor.setDecorations(this.type(key), []);
      }
    }
    for (const [key, found] of ranges) {
      editor.setDecorations(this.type(key), found);
    }
    this.drawn.set(editor, new Set(ranges.keys()));
  }

  private type(key: string): vscode.TextEditorDecorationType {
    let type = this.types.get(key);
    if (type === undefined) {
      type = vscode.window.createTextEditorDecorationType(decoration(key));
      this.types.set(key, type);
    }
    return type;
  }

  private async ask(uri: string): Promise<Message[]> {
    const messages: Message[] = [];
    const { compare } = this.state.source;
    for (;;) {
      const argument = { uri, offset: messages.length, limit: PAGE, compare };
      const page = await this.server.command<Page>('escapelens.messages', argument);
      messages.push(...((page?.nodes ?? []) as readonly Message[]));
      if (page === undefined || page.nodes.length === 0 || messages.length >= page.total) {
        return messages;
      }
    }
  }
}

/** The look of one kind of decoration, by its key. */
function decoration(key: string): vscode.DecorationRenderOptions {
  const [places = '', word, count, stale] = key.split(' ');
  const mark: Mark = [...MARKS, ...CHANGES].find((known) => known === word) ?? 'other';
  const look = (theme: Theme): vscode.ThemableDecorationRenderOptions => ({
    ...(places.includes('gutter') ? { gutterIconPath: icon(mark, theme, Number(count), stale === 'stale') } : {}),
    ...(places.includes('ruler') ? { overviewRulerColor: colour(mark, theme) } : {}),
    ...(places === 'underline' ? { textDecoration: `underline dotted ${colour(mark, theme)} 1.5px` } : {}),
  });
  return {
    light: { ...look('light'), gutterIconSize: 'contain' },
    dark: { ...look('dark'), gutterIconSize: 'contain' },
    overviewRulerLane: vscode.OverviewRulerLane.Left,
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
  };
}

/** The part of a message's range on its first line. */
function within(document: vscode.TextDocument, { range: { start, end } }: Message): vscode.Range {
  const line = Math.min(start.line, document.lineCount - 1);
  const last = end.line === line ? end.character : document.lineAt(line).range.end.character;
  return new vscode.Range(line, start.character, line, last);
}

export function isGoFile(document: vscode.TextDocument): boolean {
  return document.languageId === 'go' && document.uri.scheme === 'file';
}
