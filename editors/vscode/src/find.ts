import { existsSync, statSync } from 'node:fs';
import * as path from 'node:path';
import * as vscode from 'vscode';

const PROGRAM = process.platform === 'win32' ? 'escapelens.exe' : 'escapelens';

/** The part of the Python extension's interface that is used here. */
interface PythonExtension {
  readonly environments: {
    getActiveEnvironmentPath(resource?: vscode.Uri): { readonly path: string };
    resolveEnvironment(
      environment: { readonly path: string },
    ): Promise<{ readonly executable: { readonly uri: vscode.Uri | undefined } } | undefined>;
  };
}

/**
 * The command that starts the server: the setting, else `escapelens` of the active Python
 * environment, else of PATH. Undefined if there is none.
 */
export async function findServer(setting: readonly string[]): Promise<readonly string[] | undefined> {
  if (setting.length > 0) {
    return setting;
  }
  const program = (await inPythonEnvironment()) ?? onPath();
  return program === undefined ? undefined : [program, 'lsp'];
}

async function inPythonEnvironment(): Promise<string | undefined> {
  const extension = vscode.extensions.getExtension<PythonExtension>('ms-python.python');
  if (extension === undefined) {
    return undefined;
  }
  const { environments } = await extension.activate();
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const environment = await environments.resolveEnvironment(environments.getActiveEnvironmentPath(folder));
  const python = environment?.executable.uri?.fsPath;
  if (python === undefined) {
    return undefined;
  }
  const home = path.dirname(python);
  return firstFile([path.join(home, PROGRAM), path.join(home, 'Scripts', PROGRAM)]);
}

function onPath(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  return firstFile(folders.map((folder) => path.join(folder, PROGRAM)));
}

function firstFile(candidates: readonly string[]): string | undefined {
  return candidates.find((file) => existsSync(file) && statSync(file).isFile());
}
