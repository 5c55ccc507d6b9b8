import * as vscode from 'vscode';
import { basename } from 'node:path';

const OPEN = 'escapelens.openPlace';

/** A panel beside the editor with all that is known about one place. */
export class Explanation implements vscode.Disposable {
  private panel: vscode.WebviewPanel | undefined;
  private readonly command = vscode.commands.registerCommand(OPEN, openPlace);

  /** Show the markdown of `escapelens.explain`; its links are file URIs with #L<line>,<column>. */
  async show(file: vscode.Uri, line: number, markdown: string): Promise<void> {
    const body = await vscode.commands.executeCommand<string>('markdown.api.render', withCommands(markdown));
    this.panel ??= this.create();
    this.panel.title = `${basename(file.path)}:${line + 1}`;
    this.panel.webview.html = page(body);
    this.panel.reveal(undefined, true);
  }

  dispose(): void {
    this.command.dispose();
    this.panel?.dispose();
  }

  private create(): vscode.WebviewPanel {
    const column = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
    const panel = vscode.window.createWebviewPanel('escapelens.explanation', 'EscapeLens', column, {
      // A frame without scripts stays blank in some browsers. The page's policy allows none.
      enableScripts: true,
      enableCommandUris: [OPEN],
      localResourceRoots: [],
    });
    panel.onDidDispose(() => (this.panel = undefined));
    return panel;
  }
}

/** Links to files as links to a command: markdown's renderer drops the former. */
function withCommands(markdown: string): string {
  const link = /\[([^\]]+)\]\((file:[^)]+)#L(\d+),(\d+)\)/g;
  return markdown.replace(link, (_, label: string, uri: string, line: string, column: string) => {
    const place = JSON.stringify([uri, Number(line), Number(column)]);
    return `[${label}](command:${OPEN}?${encodeURIComponent(place)} "${label}")`;
  });
}

function page(body: string): string {
  return `<!DOCTYPE html>
<html>
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<style>body { line-height: 1.5; } li { margin: 0.3em 0; }</style>
</head>
<body>${body}</body>
</html>`;
}

async function openPlace(uri: string, line: number, column: number): Promise<void> {
  const place = new vscode.Position(line - 1, column - 1);
  await vscode.window.showTextDocument(vscode.Uri.parse(uri), {
    viewColumn: vscode.ViewColumn.One,
    selection: new vscode.Range(place, place),
  });
}
