import { basename, dirname, isAbsolute, join } from 'node:path';
import * as vscode from 'vscode';

const SCHEME = 'escapelens';
/** A position as the compiler prints it. */
const POSITION = /((?:[A-Za-z]:)?[^\s:()"'`]+\.go):(\d+)(?::(\d+))?/g;

/** A position whose place is looked up when it is followed. */
class PlaceLink extends vscode.DocumentLink {
  constructor(
    range: vscode.Range,
    readonly file: string,
    readonly line: number,
    readonly column: number,
  ) {
    super(range);
  }
}

/** The compiler's own text of a package, as a read-only document whose positions are links. */
export class Texts implements vscode.TextDocumentContentProvider, vscode.DocumentLinkProvider<PlaceLink>, vscode.Disposable {
  private readonly texts = new Map<string, string>();
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  private readonly events: vscode.Disposable;

  readonly onDidChange = this.changed.event;

  constructor() {
    this.events = vscode.Disposable.from(
      vscode.workspace.registerTextDocumentContentProvider(SCHEME, this),
      vscode.languages.registerDocumentLinkProvider({ scheme: SCHEME }, this),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.texts.delete(uri.toString())),
    );
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.texts.get(uri.toString()) ?? '';
  }

  provideDocumentLinks(document: vscode.TextDocument): PlaceLink[] {
    const folder = dirname(document.uri.fsPath);
    const links: PlaceLink[] = [];
    for (let line = 0; line < document.lineCount; line++) {
      for (const found of document.lineAt(line).text.matchAll(POSITION)) {
        const [whole, path = '', row = '1', column = '1'] = found;
        const range = new vscode.Range(line, found.index, line, found.index + whole.length);
        links.push(new PlaceLink(range, isAbsolute(path) ? path : join(folder, path), Number(row), Number(column)));
      }
    }
    return links;
  }

  async resolveDocumentLink(link: PlaceLink): Promise<PlaceLink> {
    const uri = vscode.Uri.file(link.file);
    const document = await vscode.workspace.openTextDocument(uri);
    const line = Math.min(link.line, document.lineCount);
    // The compiler counts bytes.
    const bytes = Buffer.from(document.lineAt(line - 1).text).subarray(0, link.column - 1);
    link.target = uri.with({ fragment: `L${line},${bytes.toString().length + 1}` });
    return link;
  }

  /** Keep the text of the package in a folder. */
  put(folder: string, text: string): vscode.Uri {
    const uri = vscode.Uri.from({ scheme: SCHEME, path: join(folder, `${basename(folder)}.compiler.txt`) });
    this.texts.set(uri.toString(), text);
    this.changed.fire(uri);
    return uri;
  }

  dispose(): void {
    this.events.dispose();
    this.changed.dispose();
  }
}
