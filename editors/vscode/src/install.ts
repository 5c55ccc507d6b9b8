import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { inVenv, pythons } from './find';
import { clientSettings } from './settings';

/** Milliseconds after which an installation is taken for stuck. */
const LIMIT = 300_000;
const CHECK = 'import sys; sys.exit(sys.version_info < (3, 10))';

/** The server in a virtual environment of the extension's own, made from the wheel that the extension carries. */
export class Installation {
  private readonly venv: string;
  private readonly stamp: string;

  constructor(
    private readonly extension: string,
    private readonly storage: string,
    private readonly output: vscode.LogOutputChannel,
  ) {
    this.venv = join(storage, 'server');
    this.stamp = join(storage, 'server', 'installed-from.txt');
  }

  /** The installed program, whatever its version. Undefined if none is installed. */
  get program(): string | undefined {
    const program = inVenv(this.venv, 'escapelens');
    return existsSync(this.stamp) && existsSync(program) ? program : undefined;
  }

  /** Whether what is installed came from another wheel than the one that the extension carries now. */
  get outdated(): boolean {
    return readFileSync(this.stamp, 'utf8') !== digest(this.wheel());
  }

  /** Make the environment anew, with progress. Throws an Error that says what to do. */
  async install(): Promise<string> {
    const title = 'EscapeLens: installing its server';
    return vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, title }, async (progress) => {
      const python = await this.python();
      mkdirSync(this.storage, { recursive: true });
      rmSync(this.venv, { recursive: true, force: true });
      progress.report({ message: `with ${python}` });
      try {
        await this.run(python, ['-m', 'venv', this.venv]);
      } catch (error) {
        throw new Error(
          `${python} could not make a virtual environment: ${last(error)} ` +
            'On Debian and Ubuntu, install the package python3-venv, then try again.',
        );
      }
      const wheel = this.wheel();
      const pip = ['-m', 'pip', 'install', '--disable-pip-version-check', '--no-input', wheel];
      try {
        await this.run(inVenv(this.venv, 'python'), pip);
      } catch (error) {
        throw new Error(`pip could not install the server: ${last(error)} The output has all of it.`);
      }
      writeFileSync(this.stamp, digest(wheel));
      return inVenv(this.venv, 'escapelens');
    });
  }

  private wheel(): string {
    const folder = join(this.extension, 'server');
    const wheel = existsSync(folder) ? readdirSync(folder).find((name) => name.endsWith('.whl')) : undefined;
    if (wheel === undefined) {
      throw new Error('This build of the extension carries no server. Install it with "pip install escapelens".');
    }
    return join(folder, wheel);
  }

  /** A Python that is new enough. */
  private async python(): Promise<string> {
    const { python } = clientSettings();
    const candidates = python === '' ? await pythons() : [python];
    for (const candidate of candidates) {
      try {
        await this.run(candidate, ['-c', CHECK]);
        return candidate;
      } catch {
        this.output.info(`${candidate} is no Python 3.10 or later.`);
      }
    }
    throw new Error(
      python === ''
        ? 'Python 3.10 or later was not found on PATH. Install it, or set escapelens.server.python to it.'
        : `escapelens.server.python is ${python}, which is no Python 3.10 or later.`,
    );
  }

  private run(program: string, args: readonly string[]): Promise<void> {
    this.output.info(`Running ${program} ${args.join(' ')}`);
    return new Promise((resolve, reject) => {
      // Outside the workspace: Python looks for modules in the working directory.
      execFile(program, args, { cwd: this.extension, timeout: LIMIT }, (error, stdout, stderr) => {
        this.output.info(stdout + stderr);
        if (error === null) {
          resolve();
        } else {
          reject(new Error(stderr.trim() || stdout.trim() || error.message));
        }
      });
    });
  }
}

function digest(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}

/** The last line of what a program said. */
function last(error: unknown): string {
  const lines = (error instanceof Error ? error.message : String(error)).split('\n');
  return lines.findLast((line) => line.trim() !== '') ?? '';
}
