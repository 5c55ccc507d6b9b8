import * as vscode from 'vscode';

/** Open the sample of the walkthrough: a copy, so that it can be edited. */
export async function openSample(context: vscode.ExtensionContext): Promise<void> {
  const copy = vscode.Uri.joinPath(context.globalStorageUri, 'sample');
  const file = vscode.Uri.joinPath(copy, 'sample.go');
  const there = await vscode.workspace.fs.stat(file).then(() => true, () => false);
  if (!there) {
    await vscode.workspace.fs.copy(vscode.Uri.joinPath(context.extensionUri, 'sample'), copy, { overwrite: true });
  }
  await vscode.window.showTextDocument(file, { preview: false });
}
