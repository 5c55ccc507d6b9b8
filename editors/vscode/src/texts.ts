import * as vscode from 'vscode';

const SCHEME = 'escapelens';

/** Read-only documents for texts of the server. */
export class Texts implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly texts = new Map<string, string>();
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  private readonly events: vscode.Disposable;

  readonly onDidChange = this.changed.event;

  constructor() {
    this.events = vscode.Disposable.from(
      vscode.workspace.registerTextDocumentContentProvider(SCHEME, this),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.texts.delete(uri.toString())),
    );
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.texts.get(uri.toString()) ?? '';
  }

  /** Keep a text under the name of a file, with an ending of its own. */
  put(file: vscode.Uri, ending: string, text: string): vscode.Uri {
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `${file.path}.${ending}` });
    this.texts.set(uri.toString(), text);
    this.changed.fire(uri);
    return uri;
  }

  dispose(): void {
    this.events.dispose();
    this.changed.dispose();
  }
}
