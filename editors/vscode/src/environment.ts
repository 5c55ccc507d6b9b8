import * as vscode from 'vscode';
import type { GoEnvironment } from './protocol';
import type { Server } from './server';
import { type Environment, NO_ENVIRONMENT, type ViewState } from './state';
import type { View } from './view';

const SYSTEMS = ['linux', 'darwin', 'windows', 'freebsd', 'js', 'wasip1', 'android', 'ios'];
const MACHINES = ['amd64', 'arm64', '386', 'arm', 'wasm', 'riscv64', 'ppc64le', 's390x', 'loong64'];

interface Item extends vscode.QuickPickItem {
  /** Undefined: the question was closed, nothing changes. */
  readonly change?: () => Promise<Environment | undefined> | Environment;
  readonly done?: boolean;
}

/** The environment of runs that are asked for, in one pick. True if the user wants to run now. */
export async function chooseEnvironment(server: Server, state: ViewState, view: View): Promise<boolean> {
  const uri = view.around?.toString();
  const usual = uri === undefined ? undefined : await server.command<GoEnvironment>('escapelens.environment', { uri });
  for (;;) {
    const picked = await vscode.window.showQuickPick(items(state.environment, usual), {
      title: `EscapeLens: environment of runs · ${state.environmentLabel || 'as in the settings'}`,
      placeHolder: 'Runs with an environment of their own keep their results apart',
    });
    if (picked?.change === undefined) {
      return picked?.done === true;
    }
    const changed = await picked.change();
    if (changed !== undefined) {
      await state.remember('environment', changed);
    }
  }
}

function items(now: Environment, usual: GoEnvironment | undefined): Item[] {
  const { env, tags, gcflags } = now;
  const { GOOS, GOARCH, ...others } = env;
  const variables = Object.entries(others).map(([key, value]) => `${key}=${value}`);
  const flag = (name: string, detail: string): Item => ({
    label: name,
    description: detail,
    iconPath: new vscode.ThemeIcon(gcflags.includes(name) ? 'check' : 'blank'),
    change: () => ({
      ...now,
      gcflags: gcflags.includes(name) ? gcflags.filter((each) => each !== name) : [...gcflags, name],
    }),
  });
  return [
    { label: 'Run with this environment', iconPath: new vscode.ThemeIcon('play'), done: true },
    { label: 'GOOS', description: GOOS ?? usual?.goos ?? '', change: () => variable(now, 'GOOS', SYSTEMS, usual?.goos) },
    {
      label: 'GOARCH',
      description: GOARCH ?? usual?.goarch ?? '',
      change: () => variable(now, 'GOARCH', MACHINES, usual?.goarch),
    },
    { label: 'Build tags', description: tags.join(', ') || 'as in the settings', change: () => askTags(now) },
    flag('-N', 'no optimisations'),
    flag('-l', 'no inlining'),
    { label: 'Other variables', description: variables.join(' ') || 'none', change: () => askVariables(now) },
    { label: 'Reset', description: 'back to the settings', iconPath: new vscode.ThemeIcon('discard'), change: () => NO_ENVIRONMENT },
  ];
}

async function variable(
  now: Environment,
  name: string,
  values: readonly string[],
  usual: string | undefined,
): Promise<Environment | undefined> {
  const items = values.map((label) => ({ label, description: label === usual ? 'as in the settings' : '' }));
  const picked = await vscode.window.showQuickPick(items, { title: `EscapeLens: ${name}` });
  if (picked === undefined) {
    return undefined;
  }
  const { [name]: _, ...rest } = now.env;
  return { ...now, env: picked.label === usual ? rest : { ...rest, [name]: picked.label } };
}

async function askTags(now: Environment): Promise<Environment | undefined> {
  const text = await vscode.window.showInputBox({
    title: 'EscapeLens: build tags',
    prompt: 'Separated by commas; empty for those of the settings',
    value: now.tags.join(','),
  });
  return text === undefined ? undefined : { ...now, tags: text.split(/[\s,]+/).filter((tag) => tag !== '') };
}

const VARIABLE = /^[A-Za-z_]\w*=\S*$/;

async function askVariables(now: Environment): Promise<Environment | undefined> {
  const { GOOS, GOARCH, ...others } = now.env;
  const kept = { ...(GOOS === undefined ? {} : { GOOS }), ...(GOARCH === undefined ? {} : { GOARCH }) };
  const text = await vscode.window.showInputBox({
    title: 'EscapeLens: environment variables',
    prompt: 'NAME=value, separated by spaces, for example CGO_ENABLED=0 GOEXPERIMENT=greenteagc',
    value: Object.entries(others).map(([key, value]) => `${key}=${value}`).join(' '),
    validateInput: (typed) => {
      const wrong = typed.split(/\s+/).find((word) => word !== '' && !VARIABLE.test(word));
      return wrong === undefined ? undefined : `${wrong} is not NAME=value.`;
    },
  });
  if (text === undefined) {
    return undefined;
  }
  const words = text.split(/\s+/).filter((word) => word !== '');
  const pairs = words.map((word): [string, string] => [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)]);
  return { ...now, env: { ...kept, ...Object.fromEntries(pairs) } };
}
