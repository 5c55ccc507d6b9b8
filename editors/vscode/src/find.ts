import { existsSync, statSync } from 'node:fs';
import * as path from 'node:path';
import * as vscode from 'vscode';

const WINDOWS = process.platform === 'win32';
const PROGRAM = WINDOWS ? 'escapelens.exe' : 'escapelens';

/** The part of the Python extension's interface that is used here. */
interface PythonExtension {
  readonly environments: {
    getActiveEnvironmentPath(resource?: vscode.Uri): { readonly path: string };
    resolveEnvironment(
      environment: { readonly path: string },
    ): Promise<{ readonly executable: { readonly uri: vscode.Uri | undefined } } | undefined>;
  };
}

/** `escapelens` of the active Python environment, else of PATH. Undefined if there is none. */
export async function findProgram(): Promise<string | undefined> {
  const python = await activePython();
  const inEnvironment = python === undefined ? [] : programs(path.dirname(python));
  return firstFile([...inEnvironment, ...folders().map((folder) => path.join(folder, PROGRAM))]);
}

/** Where a virtual environment has its programs. */
export function inVenv(folder: string, name: 'python' | 'escapelens'): string {
  return WINDOWS ? path.join(folder, 'Scripts', `${name}.exe`) : path.join(folder, 'bin', name);
}

/** Pythons to try, best first: the active environment's, then those of PATH. */
export async function pythons(): Promise<readonly string[]> {
  const active = await activePython();
  const names = WINDOWS ? ['python.exe', 'python3.exe'] : ['python3', 'python'];
  const onPath = names.flatMap((name) => firstFile(folders().map((folder) => path.join(folder, name))) ?? []);
  return active === undefined ? onPath : [active, ...onPath];
}

async function activePython(): Promise<string | undefined> {
  const extension = vscode.extensions.getExtension<PythonExtension>('ms-python.python');
  if (extension === undefined) {
    return undefined;
  }
  const { environments } = await extension.activate();
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const environment = await environments.resolveEnvironment(environments.getActiveEnvironmentPath(folder));
  return environment?.executable.uri?.fsPath;
}

function programs(home: string): string[] {
  return [path.join(home, PROGRAM), path.join(home, 'Scripts', PROGRAM)];
}

function folders(): string[] {
  return (process.env['PATH'] ?? '').split(path.delimiter).filter((folder) => path.isAbsolute(folder));
}

function firstFile(candidates: readonly string[]): string | undefined {
  return candidates.find((file) => existsSync(file) && statSync(file).isFile());
}
